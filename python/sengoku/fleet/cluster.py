"""The workers of a Ray cluster: one actor on each node, with all its cores."""

from __future__ import annotations

import logging
import pickle
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from sengoku.errors import FleetMismatchError, SengokuError, UnavailableError
from sengoku.fleet.address import connect, import_ray
from sengoku.fleet.driver import Driver
from sengoku.fleet.events import Answered, Draining, Failed, Heard, Joined, Left, Refused
from sengoku.fleet.identity import Identity, check_identity, own_identity
from sengoku.fleet.work import Work, digest_of
from sengoku.fleet.worker import Answer, Worker

__all__ = ["RayPool"]

_log = logging.getLogger(__name__)

_LOOK_SECONDS = 0.5
"""Time between two looks at the nodes of the cluster."""
_PING_SECONDS = 1.0
_DRAIN_LOOK_SECONDS = 2.0
_MOST_STARTS = 5
"""Workers of a node that may die at once; then the node is not used."""
_STEADY_SECONDS = 30.0
"""A worker that lived as long did not die at once."""
_IO = "signs"
"""The concurrency group of calls that must not wait for ranges."""


class RayWorker(Worker):
    """A worker as an actor: answers travel as bytes, so that the driver does not pin memory of Ray."""

    def play_packed(self, number: int, work: Work) -> bytes:
        """Play a range; return the pickled answer."""
        return pickle.dumps(self.play(number, work), protocol=5)


def _actor_class(ray: Any) -> Any:
    """Return the class of the actors, whose signs of life do not wait for ranges.

    The group is part of the class, because calls from outside the cluster (`ray://`) cannot name one.
    """

    class SengokuWorker(RayWorker):
        @ray.method(concurrency_group=_IO)  # type: ignore[untyped-decorator]
        def identity(self) -> Identity:
            return super().identity()

        @ray.method(concurrency_group=_IO)  # type: ignore[untyped-decorator]
        def cancel(self, numbers: list[int]) -> None:
            super().cancel(numbers)

        @ray.method(concurrency_group=_IO)  # type: ignore[untyped-decorator]
        def ping(self) -> None:
            super().ping()

    return ray.remote(concurrency_groups={_IO: 2})(SengokuWorker)


def _draining_nodes() -> dict[str, int]:
    """Return the nodes that are about to be taken away; runs where Ray's state can be read."""
    import_ray()
    from ray._private.state import state  # noqa: PLC0415

    return dict(state.get_draining_nodes())


def _request_cores(count: int) -> None:
    """Ask the autoscaler for cores; runs where Ray's state can be written."""
    import_ray()
    from ray.autoscaler.sdk import request_resources  # noqa: PLC0415

    request_resources(num_cpus=count)


class _RayPort:
    """A worker on a node of a Ray cluster."""

    def __init__(self, pool: RayPool, actor: Any, node: dict[str, Any], number: int) -> None:
        self._pool, self.actor = pool, actor
        self.node: str = node["NodeID"]
        self.threads = int(node["Resources"]["CPU"])
        self.name = f"{node['NodeManagerAddress']}/{self.node[:8]}.{number}"
        self.joined = False
        self.born = time.monotonic()
        self.pinged = 0.0
        self.ping: Any = None

    def play(self, number: int, work: Work) -> None:
        """Have a range played."""

        def done(future: Any) -> None:
            self._pool.answered(self, number, work, future)

        try:
            self.actor.play_packed.remote(number, work).future().add_done_callback(done)
        except Exception as error:  # noqa: BLE001 - of the many errors of Ray none may stop the driver
            self._pool.post(Failed(number, str(error)))

    def cancel(self, numbers: list[int]) -> None:
        """Stop ranges that nobody needs any more."""
        with suppress(Exception):
            self.actor.cancel.remote(numbers)


class RayPool:
    """Watches the nodes of a Ray cluster, and keeps a worker on each of them while there is work."""

    def __init__(self, address: str, *, runtime_env: dict[str, Any] | None = None) -> None:
        """Connect to a cluster; the error says what is wrong if that is not possible."""
        self.address = address
        self._ray = import_ray()
        self._owner = connect(address)
        self._kind = _actor_class(self._ray)
        self._runtime_env = runtime_env
        self._mine = own_identity()
        self._driver: Driver | None = None
        self._lock = threading.RLock()
        self._ports: dict[str, _RayPort] = {}
        """Workers by node."""
        self._banned: set[str] = set()
        self._deaths: dict[str, int] = {}
        self._nodes = 0
        self._drain_looked = 0.0
        self._lost = ""
        self._awake = threading.Event()
        self._closed = threading.Event()
        self._wanted = threading.Event()
        """Set to have the watcher look at once."""
        self._calls: list[Callable[[], None]] = []
        self._watcher = threading.Thread(target=self._watch, name="sengoku-fleet-nodes", daemon=True)

    # The interface of pools

    def open(self, driver: Driver) -> None:
        """Start to watch the nodes."""
        self._driver = driver
        self._watcher.start()

    def wake(self) -> None:
        """Start workers: there is work."""
        self._awake.set()
        self._wanted.set()

    def rest(self) -> None:
        """Stop all workers, which frees the nodes for others."""
        self._awake.clear()
        for port in self._all_ports():
            self._drop(port, "there is no work")

    def request(self, cores: int) -> None:
        """Ask the autoscaler for cores; the call may take a while, so the watcher makes it."""
        if self._closed.is_set() or not self._watcher.is_alive():
            return
        self._calls.append(lambda: self._in_cluster(_request_cores, cores))

    def discard(self, name: str, node: str) -> None:
        """Stop a worker, and use its node no more."""
        self._banned.add(node)
        for port in self._all_ports():
            if port.name == name:
                self._drop(port, "")

    @property
    def situation(self) -> str:
        """Why there is no worker."""
        if self._lost:
            return f"the connection to the cluster {self.address} is lost ({self._lost})"
        if not self._nodes:
            return f"the cluster {self.address} has no node with cores: start nodes with `ray start`"
        if self.pending:
            names = ", ".join(port.name for port in self._all_ports() if not port.joined)
            return f"all cores of the nodes are taken by other work, or workers do not start: {names}"
        return f"no worker on any of {self._nodes} nodes of the cluster {self.address} could be used"

    @property
    def pending(self) -> int:
        """Nodes whose worker has not joined yet."""
        return sum(not port.joined for port in self._all_ports())

    def close(self) -> None:
        """Stop all workers, and disconnect if this pool connected."""
        self._closed.set()
        self._wanted.set()
        self._watcher.join(5.0)
        with suppress(Exception):
            self._in_cluster(_request_cores, 0)
        for port in self._all_ports():
            self._drop(port, "")
        self._make_calls()
        if self._owner:
            with suppress(Exception):
                self._ray.shutdown()

    # Answers of workers; called by threads of Ray

    def post(self, event: Any) -> None:
        """Pass an event on to the driver."""
        if self._driver is not None:
            self._driver.post(event)

    def answered(self, port: _RayPort, number: int, work: Work, future: Any) -> None:
        """Take the answer of a worker, or the news that it is gone."""
        error = future.exception()
        if error is not None:
            self._troubled(port, number, error)
            return
        answer: Answer = pickle.loads(future.result())  # noqa: S301 - of a worker that this process started
        if answer.error is None and digest_of(work.columns(answer.value)) != answer.digest:
            self.post(Failed(number, f"the answer of {port.name} does not have the digest that it says"))
        else:
            self.post(Answered(number, answer))

    def _troubled(self, port: _RayPort, number: int, error: BaseException) -> None:
        if isinstance(error, self._ray.exceptions.RayActorError):
            self._gone(port, error)
        else:
            self.post(Failed(number, _line(error)))

    def _gone(self, port: _RayPort, error: BaseException) -> None:
        """Note that a worker has died; the watcher starts another one if its node is alive."""
        with self._lock:
            if self._ports.get(port.node) is not port:
                return
            del self._ports[port.node]
            lived = time.monotonic() - port.born
            deaths = self._deaths[port.node] = (
                1 if lived > _STEADY_SECONDS else self._deaths.get(port.node, 0) + 1
            )
        self.post(Left(port.name, _line(error)))
        if deaths >= _MOST_STARTS:
            self._refuse(port, UnavailableError(f"workers on {port.name} die at once: {_line(error)}"))

    def _refuse(self, port: _RayPort, error: SengokuError) -> None:
        self._banned.add(port.node)
        self.post(Refused(port.name, error))
        self._drop(port, "")

    def _drop(self, port: _RayPort, why: str) -> None:
        with self._lock:
            if self._ports.get(port.node) is port:
                del self._ports[port.node]
        self.post(Left(port.name, why))
        # Not here: this may be a thread of Ray, which would wait for itself.
        self._calls.append(lambda: self._ray.kill(port.actor))

    def _all_ports(self) -> list[_RayPort]:
        with self._lock:
            return list(self._ports.values())

    # The watcher

    def _watch(self) -> None:
        """Thread target: look at the nodes again and again."""
        while not self._closed.is_set():
            if self._awake.is_set():
                try:
                    self._look()
                    self._lost = ""
                except Exception as error:  # noqa: BLE001 - a cluster may fail in any way
                    self._reconnect(error)
            self._make_calls()
            self._wanted.wait(_LOOK_SECONDS)
            self._wanted.clear()

    def _make_calls(self) -> None:
        """Make the calls of Ray that other threads have left to this one."""
        while self._calls:
            with suppress(Exception):
                self._calls.pop(0)()

    def _look(self) -> None:
        nodes = {node["NodeID"]: node for node in self._ray.nodes() if _is_usable(node)}
        self._nodes = len(nodes)
        for port in self._all_ports():
            if port.node not in nodes:
                self._drop(port, "its node is gone")
        for number, node in nodes.items():
            if number not in self._ports and number not in self._banned and self._awake.is_set():
                self._begin(node)
        now = time.monotonic()
        for port in self._all_ports():
            if port.joined and port.ping is None and now - port.pinged > _PING_SECONDS:
                self._ping(port, now)
        if now - self._drain_looked > _DRAIN_LOOK_SECONDS:
            self._drain_looked = now
            for number in self._in_cluster(_draining_nodes):
                found = self._ports.get(number)
                if found is not None and found.joined:
                    self.post(Draining(found.name))

    def _in_cluster(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function in this process, or in the cluster if this process is not part of it."""
        if not self._ray.util.client.ray.is_connected():
            return function(*arguments)
        task = self._ray.remote(num_cpus=0)(function)
        return self._ray.get(task.remote(*arguments), timeout=10.0)

    def _begin(self, node: dict[str, Any]) -> None:
        """Start a worker on a node."""
        strategies = self._ray.util.scheduling_strategies
        options: dict[str, Any] = {
            "num_cpus": int(node["Resources"]["CPU"]),
            "max_restarts": 0,
            "max_task_retries": 0,
            "scheduling_strategy": strategies.NodeAffinitySchedulingStrategy(node["NodeID"], soft=False),
        }
        if self._runtime_env is not None:
            options["runtime_env"] = self._runtime_env
        actor = self._kind.options(**options).remote(options["num_cpus"])
        port = _RayPort(self, actor, node, self._deaths.get(node["NodeID"], 0))
        with self._lock:
            self._ports[port.node] = port
        asked = actor.identity.remote()
        asked.future().add_done_callback(lambda future: self._identified(port, future))

    def _identified(self, port: _RayPort, future: Any) -> None:
        """Let a worker join if it plays as this process does."""
        error = future.exception()
        if error is not None:
            if "No module named" in str(error):
                message = f"{port.name} cannot import sengoku ({_line(error)}): install the same build there"
                self._refuse(port, FleetMismatchError(message, {"node": port.name}))
            else:
                self._gone(port, error)
            return
        theirs: Identity = future.result()
        try:
            check_identity(theirs, self._mine, port.name)
        except FleetMismatchError as mismatch:
            self._refuse(port, mismatch)
            return
        port.joined = True
        self.post(Joined(port, theirs))

    def _ping(self, port: _RayPort, now: float) -> None:
        def done(future: Any) -> None:
            port.ping = None
            error = future.exception()
            if error is None:
                self.post(Heard(port.name))
            elif isinstance(error, self._ray.exceptions.RayActorError):
                self._gone(port, error)

        port.pinged, port.ping = now, port.actor.ping.remote()
        port.ping.future().add_done_callback(done)

    def _reconnect(self, error: Exception) -> None:
        """Give up all workers and connect anew: what is recorded stays, the rest is played again."""
        if self._closed.is_set():
            return
        self._lost = _line(error)
        _log.warning("the connection to the cluster %s is lost: %s", self.address, self._lost)
        with self._lock:
            ports, self._ports = list(self._ports.values()), {}
        for port in ports:
            self.post(Left(port.name, "the connection to the cluster is lost"))
        if self._owner:
            with suppress(Exception):
                self._ray.shutdown()
            with suppress(SengokuError):
                connect(self.address)
                self._lost = ""


def _is_usable(node: dict[str, Any]) -> bool:
    return bool(node["Alive"]) and node["Resources"].get("CPU", 0) >= 1


def _line(error: BaseException) -> str:
    """Return the most telling line of an error of Ray."""
    lines: Sequence[str] = [line.strip() for line in str(error).splitlines() if line.strip()]
    found = [line for line in lines if "Error" in line]
    return (found[-1] if found else lines[0] if lines else type(error).__name__)[:300]
