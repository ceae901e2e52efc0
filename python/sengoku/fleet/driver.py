"""The driver of a fleet: hands tickets to workers, records their answers, and tells callers."""

from __future__ import annotations

import logging
import math
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sengoku._core import Cancel
from sengoku.errors import InternalError, SengokuError, UnavailableError
from sengoku.fleet.dispatcher import Dispatcher
from sengoku.fleet.events import (
    Answered,
    Draining,
    Event,
    Failed,
    Heard,
    Joined,
    Judged,
    Left,
    Pool,
    Port,
    Refused,
    Started,
    Stopped,
    Taken,
)
from sengoku.fleet.identity import Identity
from sengoku.fleet.ranges import Options, Range, Verdict
from sengoku.fleet.status import FleetStatus, WorkerStatus
from sengoku.fleet.task import Task
from sengoku.fleet.worker import Answer

__all__ = ["Driver"]

_log = logging.getLogger(__name__)

_TICK_SECONDS = 0.25
"""Time between two looks at who is silent or late."""
_RATE_SECONDS = 10.0
"""Time over which the rate of a worker is averaged."""
_HORIZON_SECONDS = 60.0
"""The autoscaler is asked for as many cores as do the remaining work in this time."""
_REST_SECONDS = 60.0
"""Workers are stopped, so that nodes are free for others, after this time without work."""
_WAKING_SECONDS = 20.0
"""Time that workers of nodes that are starting have to join before a mismatch elsewhere is an error."""


@dataclass(eq=False)
class _Member:
    """A worker that has joined."""

    port: Port
    identity: Identity | None
    units: int = 0
    marks: deque[tuple[float, int]] = field(default_factory=deque)
    """Recent times with the units played until then."""

    def rate(self, now: float) -> float:
        """Return its units per second of late."""
        while len(self.marks) > 1 and self.marks[1][0] < now - _RATE_SECONDS:
            self.marks.popleft()
        if not self.marks:
            return 0.0
        begun, units = self.marks[0]
        return (self.units - units) / max(now - begun, 0.5)


class Driver:
    """Handles what happens in a fleet, one event at a time: in its own thread, or called by a simulation."""

    def __init__(
        self,
        pool: Pool,
        options: Options | None = None,
        *,
        address: str = "",
        patience: float = 60.0,
        most_cores: int = 1 << 20,
        clock: Callable[[], float] = time.monotonic,
        referee: Callable[[Driver, Range], None] | None = None,
    ) -> None:
        """`patience` is the time without any worker after which tasks fail."""
        self.options = options or Options()
        self.dispatcher = Dispatcher(self.options)
        self.address = address
        self._pool = pool
        self._patience, self._most_cores, self._clock = patience, most_cores, clock
        self._referee = referee or _referee
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._members: dict[str, _Member] = {}
        self._tasks: dict[int, Task] = {}
        self.refused: dict[str, SengokuError] = {}
        """Nodes whose worker may not join, and why."""
        self._expelled = 0
        self._alone_since: float | None = None
        self._busy_at = clock()
        self._awake = False
        self._ticked = -math.inf
        self._requested = (0, -math.inf)
        self._closing = False
        self._thread: threading.Thread | None = None
        self.status = FleetStatus(address=address)
        """What is known about the workers, renewed every quarter of a second."""

    # For callers

    def start(self) -> None:
        """Start the thread that handles events."""
        self._pool.open(self)
        self._thread = threading.Thread(target=self._run, name="sengoku-fleet", daemon=True)
        self._thread.start()

    def post(self, event: Event) -> None:
        """Have an event handled; any thread may call this."""
        self._events.put(event)

    def submit(self, task: Task) -> Task:
        """Start a task."""
        self.post(Started(task))
        return task

    def close(self) -> None:
        """Stop; tasks that are not over fail."""
        self._closing = True
        self.post(None)
        if self._thread is not None:
            self._thread.join()
        self._pool.close()

    def _run(self) -> None:
        """Thread target: handle events until the fleet is closed."""
        while not self._closing:
            try:
                event = self._events.get(timeout=_TICK_SECONDS)
            except queue.Empty:
                event = None
            try:
                self.handle(event)
                while not self._events.empty():
                    self.handle(self._events.get())
                self.step()
            except Exception as error:  # noqa: BLE001 - callers must not wait for ever
                _log.exception("unexpected error in the driver of the fleet")
                self._fail_all(InternalError(f"the driver of the fleet failed: {error!r}"))
        self._fail_all(UnavailableError("the fleet was closed", {"address": self.address}))
        self._pool.request(0)

    def _fail_all(self, error: SengokuError) -> None:
        for task in list(self._tasks.values()):
            self._end(task, error)

    # Events

    def handle(self, event: Event) -> None:
        """Handle one event."""
        match event:
            case Answered(number, answer):
                self._answered(number, answer)
            case Heard(name):
                self.dispatcher.hear(name, self._clock())
            case Failed(number, why):
                self._failed(number, why)
            case Started(task):
                self._start(task)
            case Stopped(task):
                self._end(task, None)
            case Taken(task):
                self.dispatcher.take(task.number)
            case Joined(port, identity):
                self._join(port, identity)
            case Left(name, why):
                self._leave(name, why)
            case Draining(name):
                if name in self._members and not self.dispatcher.workers[name].draining:
                    _log.info("%s gets no new ranges: its node is about to be taken away", name)
                    self.dispatcher.drain(name)
            case Refused(node, error):
                _log.error("%s", error)
                self.refused[node] = error
            case Judged(found, answer):
                self._judged(found, answer)

    def _start(self, task: Task) -> None:
        task.number = self.dispatcher.add([work.item for work in task.works], window=task.window)
        self._tasks[task.number] = task
        if not self._awake:
            self._awake, self._alone_since = True, None
            self._pool.wake()

    def _end(self, task: Task, error: SengokuError | None) -> None:
        if self._tasks.pop(task.number, None) is None:
            return
        idle: dict[str, list[int]] = {}
        for ticket in self.dispatcher.drop(task.number):
            idle.setdefault(ticket.worker, []).append(ticket.number)
        for name, numbers in idle.items():
            self._members[name].port.cancel(numbers)
        task.end(error)
        self._busy_at = self._clock()

    def _join(self, port: Port, identity: Identity | None) -> None:
        if port.node in self.dispatcher.expelled:
            self._pool.discard(port.name, port.node)
            return
        _log.info("%s joins with %d threads", port.name, port.threads)
        self._members[port.name] = _Member(port, identity)
        self.refused.pop(port.node, None)
        self.dispatcher.join(port.name, node=port.node, threads=port.threads, now=self._clock())

    def _leave(self, name: str, why: str) -> None:
        if self._members.pop(name, None) is not None:
            _log.warning("%s is gone, others play its ranges%s", name, f": {why}" if why else "")
            self.dispatcher.leave(name)

    def _answered(self, number: int, answer: Answer) -> None:
        now = self._clock()
        if answer.error is not None:
            found, _ = self.dispatcher.fail(number, now)
            if found is not None:
                self._end(self._tasks[found.job], answer.error)
            return
        ticket = self.dispatcher.ticket(number)
        verdict, found = self.dispatcher.finish(number, answer.digest, answer.seconds, now)
        if ticket is not None and ticket.worker in self._members:
            member = self._members[ticket.worker]
            member.marks.append((now, member.units))
            member.units += ticket.range.count
        self._apply(verdict, found, answer)

    def _apply(self, verdict: Verdict, found: Range | None, answer: Answer) -> None:
        """Record an answer, and end its task if that was the last one."""
        if found is None or found.job not in self._tasks:
            return
        task = self._tasks[found.job]
        if verdict is Verdict.RECORD:
            task.record(found.item, found.first, found.count, answer.value)
        elif verdict is Verdict.REPLACE:
            task.replace(found.item, found.first, found.count, answer.value)
        elif verdict is Verdict.DISPUTE:
            _log.error("two workers disagree about %d units from %d: played again", found.count, found.first)
        if self.dispatcher.done(task.number):
            self._end(task, None)

    def _failed(self, number: int, why: str) -> None:
        found, hopeless = self.dispatcher.fail(number, self._clock())
        _log.warning("a range failed and is played again: %s", why)
        if hopeless and found is not None:
            message = f"a range failed {len(found.failed)} times, the last time with: {why}"
            self._end(
                self._tasks[found.job], UnavailableError(message, {"address": self.address, "why": why})
            )

    def _judged(self, found: Range, answer: Answer | None) -> None:
        task = self._tasks.get(found.job)
        if task is None:
            return
        if answer is None or answer.error is not None:
            error = (
                InternalError("a disputed range cannot be played here") if answer is None else answer.error
            )
            self._end(task, error)
            return
        self._apply(self.dispatcher.judge(found, answer.digest), found, answer)

    # What follows from it

    def step(self) -> None:
        """Give out what can be played, after events were handled; look at the clock now and then."""
        now = self._clock()
        if now - self._ticked >= _TICK_SECONDS:
            self._ticked = now
            self._tick(now)
        for ticket in self.dispatcher.assign(now):
            work = self.work_of(ticket.range)
            self._members[ticket.worker].port.play(ticket.number, work)
        for found in self.dispatcher.to_referee():
            self._referee(self, found)
        if len(self.dispatcher.expelled) != self._expelled:
            self._expelled = len(self.dispatcher.expelled)
            self._discard_expelled()

    def work_of(self, found: Range) -> Any:
        """Return the work of a range."""
        return self._tasks[found.job].works[found.item].part(found.first, found.count)

    def _discard_expelled(self) -> None:
        for name in [name for name in self._members if name not in self.dispatcher.workers]:
            node = self._members.pop(name).port.node
            _log.error("node %s is not used any more: %s", node, self.dispatcher.expelled.get(node, ""))
            self._pool.discard(name, node)

    def _tick(self, now: float) -> None:
        self.dispatcher.tick(now)
        self._request_cores(now)
        self._check_alone(now)
        self.status = self._status(now)
        if self._awake and not self._tasks and now - self._busy_at > _REST_SECONDS:
            self._awake = False
            self._pool.rest()

    def _request_cores(self, now: float) -> None:
        """Ask the autoscaler for cores according to the remaining work; for none at the end."""
        cores, asked = self._requested
        wanted = 0
        if self._tasks:
            wanted = min(
                self._most_cores, max(1, math.ceil(self.dispatcher.seconds_left() / _HORIZON_SECONDS))
            )
        changed = abs(wanted - cores) > 0.25 * max(cores, 1)
        if (wanted == 0 and cores) or (changed and now - asked > 5.0):
            self._requested = wanted, now
            self._pool.request(wanted)

    def _check_alone(self, now: float) -> None:
        """Fail all tasks if there is no worker for too long, or if none can ever join."""
        if not self._tasks or any(worker.ready for worker in self.dispatcher.workers.values()):
            self._alone_since = None
            return
        if self._alone_since is None:
            self._alone_since = now
        alone = now - self._alone_since
        refused = next(iter(self.refused.values()), None)
        if refused is not None and (not self._pool.pending or alone > _WAKING_SECONDS):
            self._fail_all(refused)
        elif alone > self._patience:
            situation = self._pool.situation
            if self.dispatcher.expelled:
                situation = "; ".join(self.dispatcher.expelled.values())
            message = f"no worker for {self._patience:g} seconds: {situation}"
            self._fail_all(UnavailableError(message, {"address": self.address, "seconds": f"{alone:.0f}"}))

    def _status(self, now: float) -> FleetStatus:
        rows = []
        for name, member in self._members.items():
            state = self.dispatcher.workers.get(name)
            if state is None:
                continue
            rows.append(
                WorkerStatus(
                    name=name,
                    node=member.port.node,
                    state="silent" if state.silent else "draining" if state.draining else "ready",
                    build=member.identity.build if member.identity else "",
                    process=member.identity.process if member.identity else 0,
                    threads=member.port.threads,
                    units_per_second=member.rate(now),
                    units=member.units,
                    ranges_in_flight=len(state.tickets),
                    seconds_since_heard=max(0.0, now - state.heard),
                    disagreements=state.disagreements,
                )
            )
        for node, why in (*self.dispatcher.expelled.items(), *((n, str(e)) for n, e in self.refused.items())):
            expelled = node in self.dispatcher.expelled
            rows.append(WorkerStatus.unused(node, "expelled" if expelled else "refused", why))
        return FleetStatus(
            address=self.address,
            workers=tuple(rows),
            tasks=len(self._tasks),
            reassigned=self.dispatcher.reassigned,
            disagreements=self.dispatcher.disagreements,
            requested_cores=self._requested[0],
        )


def _referee(driver: Driver, found: Range) -> None:
    """Play a disputed range in this process, in a thread of its own."""
    work = driver.work_of(found)

    def play() -> None:
        answer = None
        try:
            answer = Answer.of(work, threads=0, cancel=Cancel())
        except SengokuError as error:
            answer = Answer(None, b"", 0.0, error)
        finally:
            driver.post(Judged(found, answer))

    threading.Thread(target=play, name="sengoku-referee", daemon=True).start()
