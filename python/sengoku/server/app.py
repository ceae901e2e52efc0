"""The server: listening, starting and stopping of all services."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import threading
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from grpc import aio

from sengoku._core import cores
from sengoku.errors import ArgumentError, install_hint, invalid
from sengoku.fleet import Fleet
from sengoku.server.activity import ServerActivity
from sengoku.server.addresses import check_address, check_metrics_address
from sengoku.server.auth import Access
from sengoku.server.broadcast import Broadcaster
from sengoku.server.dependencies import PACKAGES, missing_packages
from sengoku.server.dispatch import Dispatch
from sengoku.server.executor import Executor
from sengoku.server.grpc_calls import GrpcCalls, server_options
from sengoku.server.health import STREAMS, Probes
from sengoku.server.http.app import HttpApp
from sengoku.server.http.calls import HttpCalls
from sengoku.server.http.guard import Guard
from sengoku.server.http.mcp import MCP_PATH, McpEndpoint
from sengoku.server.http.pages import Pages
from sengoku.server.http.server import HttpServer
from sengoku.server.intake import MAX_PENDING, Intake
from sengoku.server.jobs.analyses import Analyses
from sengoku.server.jobs.runs import Runs
from sengoku.server.jobs.tournaments import Tournaments
from sengoku.server.limits import Limits, check_threads
from sengoku.server.listener import Listener
from sengoku.server.live_matches import LiveMatches
from sengoku.server.metrics import Metrics
from sengoku.server.metrics_http import MetricsPort
from sengoku.server.player_registry import PlayerRegistry
from sengoku.server.services.analysis import AnalysisService
from sengoku.server.services.catalog import CatalogService
from sengoku.server.services.env import EnvService
from sengoku.server.services.matches import MatchService
from sengoku.server.services.odds import OddsService
from sengoku.server.services.operations import OperationsService
from sengoku.server.services.players import PlayerService
from sengoku.server.services.simulation import SimulationService
from sengoku.server.services.tournament import TournamentService
from sengoku.server.services.tower import TowerService
from sengoku.server.unsent import Unsent
from sengoku.storage import Store
from sengoku.wire.errors import DOMAIN

__all__ = ["DOMAIN", "Limits", "Server"]

_log = logging.getLogger(__name__)
_HOST = re.compile(r"[A-Za-z0-9._-]+|\[?[0-9A-Fa-f:.]+(%\w+)?\]?")
_END_SECONDS = 3.5
"""Time to end everything after the grace."""
_LAST_BYTES_SECONDS = 0.1
"""Time for responses that gRPC has sent to pass the gate."""
_HEALTH_SECONDS = 0.5
"""Time between two looks at whether work can be stored."""
_A = TypeVar("_A")


def _new_event_loop() -> asyncio.AbstractEventLoop:
    """Create an event loop, of uvloop if that is installed."""
    try:
        import uvloop  # noqa: PLC0415 - not on every system
    except ImportError:
        return asyncio.new_event_loop()
    loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
    return loop


class Server(ServerActivity):
    """A running server; `stop` waits for calls under way.

    >>> with Server(port=0) as server:
    ...     server.port > 0
    True
    """

    def __init__(
        self,
        *,
        host: str = "127.0.0.1",
        port: int = 50051,
        threads: int = 0,
        limits: Limits | None = None,
        store: str | Path = ":memory:",
        access: Access | None = None,
        allow_insecure_public: bool = False,
        metrics_host: str = "127.0.0.1",
        metrics_port: int | None = None,
        allow_public_metrics: bool = False,
        http_port: int | None = None,
        http_origins: Iterable[str] = (),
        fleet: str | Fleet | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start a server; `clock` returns the seconds by which unused matches and names of players expire.

        Runs and tournaments are kept in the file `store`. A server that other machines can reach requires
        TLS, unless `allow_insecure_public` is set. With an `http_port`, it serves the same methods over HTTP
        on the same host, MCP at `/mcp`, and the console; pages of `http_origins` may call them too. With the
        address of a `fleet`, runs, tournaments and other heavy work are done there.
        """
        self.limits = limits or Limits()
        self._access = access or Access()
        check_threads(threads)
        if not _HOST.fullmatch(host):
            raise invalid("host", ascii(host), "expected a host name or an IP address")
        check_address(host, self._access, allowed=allow_insecure_public)
        if metrics_port is not None:
            check_metrics_address(metrics_host, allowed=allow_public_metrics)
        self.fleet = Fleet(fleet) if isinstance(fleet, str) else fleet
        self._owns_fleet = isinstance(fleet, str)
        self.metrics = Metrics()
        self._serving = False
        self.metrics_port: MetricsPort | None = None
        if metrics_port is not None:
            self.metrics_port = MetricsPort(
                self.metrics,
                host=metrics_host,
                port=metrics_port,
                healthy=lambda: self._serving,
                problems=self.problems,
            )
        self.host = f"[{host}]" if ":" in host and not host.startswith("[") else host
        self._threads = threads or cores()
        self._clock = clock
        try:
            self._store = Store(store)
        except BaseException:
            self._close_fleet()
            if self.metrics_port is not None:
                self.metrics_port.close()
            raise
        self._ended = threading.Event()
        self._refuse_at = self._leave_at = math.inf
        """By the clock of the loop: when new calls are refused, and when those under way are ended."""
        self._loop = _new_event_loop()
        self._executor = Executor(self.limits)
        self._listener = Listener(self.limits, ports=1 if http_port is None else 2)
        self._http: HttpServer | None = None
        self._mcp: McpEndpoint | None = None
        self._server: Any = None
        self.http_port: int | None = None
        self._runs = Runs(
            self._store,
            self.limits,
            threads=self._threads,
            queue=self._executor.queue,
            played=self.metrics.played,
            fleet=self.fleet,
        )
        self._thread = threading.Thread(target=self._run, name="sengoku-loop", daemon=True)
        self._thread.start()
        try:
            self.port: int = self._do(self._start(port, http_port, http_origins))
        except BaseException:
            self._runs.stop(0)
            self._close_fleet()
            self._do(self._give_up())
            self._listener.close()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._store.close()
            raise

    def _run(self) -> None:
        """Thread target: runs the event loop."""
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()
            if self.metrics_port is not None:
                self.metrics_port.close()
            self._ended.set()

    def _do(self, work: Coroutine[Any, Any, _A]) -> _A:
        """Run a coroutine on the server's event loop and return its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _start(self, port: int, http_port: int | None, http_origins: Iterable[str]) -> int:
        """Start to listen and return the port."""
        limits, threads, queue = self.limits, self._threads, self._executor.queue
        missing = missing_packages()
        if missing:
            lacking = dict.fromkeys(PACKAGES[package] for package in missing)
            _log.warning(
                "not installed: %s; without them there are no %s: %s",
                *(", ".join(missing), ", ".join(lacking), install_hint("server")),
            )
        self._broadcaster = Broadcaster(limits)
        live = LiveMatches(self._broadcaster)
        self._players = PlayerRegistry(limits, self._clock)
        self._environments = EnvService(limits, threads)
        self._tournaments = Tournaments(
            self._store,
            limits,
            self._players,
            threads=threads,
            queue=queue,
            played=self.metrics.played,
            live=live,
            fleet=self.fleet,
        )
        self._analyses = Analyses(self._store, limits, threads=threads, queue=queue)
        self._matches = matches = MatchService(
            limits, self._clock, self._executor, self._broadcaster, live, self._tournaments, self.metrics
        )
        services = {
            "sengoku.v1.OddsService": OddsService(limits, threads, self.fleet),
            "sengoku.v1.TowerService": TowerService(limits, threads),
            "sengoku.v1.SimulationService": SimulationService(
                limits, threads, self.metrics, self._runs, self.fleet
            ),
            "google.longrunning.Operations": OperationsService(self._runs),
            "sengoku.v1.MatchService": matches,
            "sengoku.v1.PlayerService": PlayerService(
                limits, threads, self.metrics, self._players, queue, live
            ),
            "sengoku.v1.TournamentService": TournamentService(self._tournaments, limits),
            "sengoku.v1.AnalysisService": AnalysisService(self._analyses, matches.registry),
            "sengoku.v1.EnvService": self._environments,
            "sengoku.v1.CatalogService": CatalogService(limits, threads, self._activity(missing)),
        }
        intake = Intake()
        unsent = self._unsent = Unsent(limits, self._listener)
        self._dispatch: Dispatch = Dispatch(
            services,
            limits=limits,
            access=self._access,
            metrics=self.metrics,
            executor=self._executor,
            intake=intake,
            unsent=unsent,
        )
        self._watch()
        # All of these are bounded by quotas; a refusal by gRPC would have no reason.
        at_once = 2 * (limits.calls + limits.streams) + MAX_PENDING + 2 * STREAMS + 64
        self._server = aio.server(options=server_options(limits), maximum_concurrent_rpcs=at_once)
        self._probes = Probes(self._server, services, intake, unsent, self._listener)
        self._server.add_generic_rpc_handlers((GrpcCalls(self._dispatch, self._listener, unsent),))
        await self._probes.serve()
        if (tls := self._access.tls) is None:
            self._server.add_insecure_port(f"unix:{self._listener.socket('grpc')}")
        else:
            self._server.add_secure_port(f"unix:{self._listener.socket('grpc')}", tls.credentials())
        await self._server.start()
        bound = self._listener.open(self.host, port, "grpc")
        if http_port is not None:
            await self._start_http(http_port, http_origins)
        self._runs.begin()
        self._tournaments.begin()
        self._analyses.begin()
        self._serving = True
        self._reporting = asyncio.create_task(self._report_health())
        return bound

    async def _give_up(self) -> None:
        """End what `_start` has begun."""
        if self._http is not None:
            await self._http.close()
        if self._server is not None:
            await self._server.stop(0)

    async def _start_http(self, port: int, origins: Iterable[str]) -> None:
        """Start to listen for HTTP."""
        access = self._access
        guard = Guard(origins, host=self.host, any_host=access.tokens is not None or access.tls is not None)
        self._mcp = McpEndpoint(self._dispatch, self._clock)
        self.metrics.add_methods([MCP_PATH])
        calls = HttpCalls(self._dispatch, self._listener, self._unsent, self._mcp)
        pages = Pages(self.metrics, access, healthy=lambda: self._serving, problems=self.problems)
        self._http = HttpServer(HttpApp(calls, pages, guard))
        await self._http.start(self._listener.socket("http"), access.tls)
        try:
            self.http_port = self._listener.open(self.host, port, "http")
        except ArgumentError as error:
            raise ArgumentError(str(error), error.details | {"field": "http_port"}) from error

    async def _report_health(self) -> None:
        while self._serving:
            try:
                await self._probes.report(self._serving_now())
            except Exception:  # noqa: BLE001 - the next look must take place, whatever it was
                _log.exception("unexpected error while health is reported")
            await asyncio.sleep(_HEALTH_SECONDS)

    @property
    def address(self) -> str:
        """Host and port for clients."""
        return f"{self.host}:{self.port}"

    @property
    def http_address(self) -> str | None:
        """The address of the console and of the methods over HTTP."""
        if self.http_port is None:
            return None
        return f"{'http' if self._access.tls is None else 'https'}://{self.host}:{self.http_port}"

    def stop(self, grace: float = 30.0, *, delay: float = 0.0) -> threading.Event:
        """Stop the server, and return the event that is set when it has stopped.

        It reports at once that it is not serving, refuses calls after `delay` seconds, and lets those under
        way take `grace` seconds more. A second call can shorten these times.
        """
        if not self._ended.is_set():
            work = self._stop(min(grace, 1e6), min(delay, 1e6))
            asyncio.run_coroutine_threadsafe(work, self._loop)
        return self._ended

    async def _stop(self, grace: float, delay: float) -> None:
        refuse_at = self._loop.time() + delay
        again = self._leave_at < math.inf
        self._refuse_at = min(self._refuse_at, refuse_at)
        self._leave_at = min(self._leave_at, refuse_at + grace)
        if again:
            return
        self._serving = False
        await self._probes.stop()
        await self._until(lambda: self._loop.time() >= self._refuse_at)
        self._dispatch.closing = True
        closed = self._loop.time()
        self._players.drain()
        self._matches.drain()
        self._environments.drain()
        # Runs, tournaments and analyses are interrupted, not awaited: the next server resumes them.
        job_grace = min(max(self._leave_at - self._loop.time(), 0.0), 5.0)
        stopping = [
            self._in_own_thread(lambda: self._runs.stop(job_grace)),
            self._in_own_thread(lambda: self._tournaments.stop(job_grace)),
            self._in_own_thread(lambda: self._analyses.stop(job_grace)),
        ]
        await self._until(lambda: self._dispatch.idle)
        # Calls that are on their way still get the reason SHUTTING_DOWN: gRPC itself would answer CANCELLED.
        quiet = self._loop.time() + 1.0
        await self._until(
            lambda: not max(self._dispatch.last_message, closed) + 0.1 > self._loop.time() < quiet
        )
        self._listener.drain()
        if self._http is not None:
            self._http.drain()
        self._dispatch.refuse_all()
        # From here on, everything has to end in less than the time that `serve` allows.
        ends = self._loop.time() + _END_SECONDS
        self._dispatch.end_all()
        self._leave_at = self._loop.time() + 1.0
        await self._until(lambda: self._dispatch.idle and not self._unsent.count)
        await asyncio.sleep(_LAST_BYTES_SECONDS)
        # The connections end before gRPC does: it would answer CANCELLED to calls that arrive meanwhile.
        # Their callers see a closed connection, UNAVAILABLE, and so do streams that watch the health.
        self._listener.close()
        if self._http is not None:
            await self._http.close()
        if self._mcp is not None:
            await self._mcp.close()
        await self._server.stop(0)
        self._dispatch.close()
        self._broadcaster.close()
        self._leave_at = ends
        await self._until(lambda: self._dispatch.idle and all(thread.done() for thread in stopping))
        # The metrics read from the store.
        closing = [] if self.metrics_port is None else [self._in_own_thread(self.metrics_port.close)]
        await self._until(lambda: all(thread.done() for thread in closing))
        closing = [self._in_own_thread(self._store.close), self._in_own_thread(self._close_fleet)]
        await self._until(lambda: all(thread.done() for thread in closing))
        self._reporting.cancel()
        await asyncio.wait([self._reporting])
        self._loop.stop()

    def _close_fleet(self) -> None:
        if self.fleet is not None and self._owns_fleet:
            self.fleet.close()

    def _in_own_thread(self, work: Callable[[], object]) -> asyncio.Future[None]:
        """Run what stops something in a thread of its own: all others may be busy."""
        done: asyncio.Future[None] = self._loop.create_future()

        def end() -> None:
            if not done.done():
                done.set_result(None)

        def run() -> None:
            try:
                work()
            except Exception:  # noqa: BLE001 - the rest has to stop too
                _log.exception("unexpected error while the server stops")
            finally:
                with suppress(RuntimeError):  # the loop did not wait
                    self._loop.call_soon_threadsafe(end)

        threading.Thread(target=run, name="sengoku-stopping", daemon=True).start()
        return done

    async def _until(self, done: Callable[[], bool]) -> None:
        """Wait for a condition, but no longer than the server runs."""
        while not done() and (left := self._leave_at - self._loop.time()) > 0:
            await asyncio.sleep(min(left, 0.02))

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop(grace=1.0).wait()
        self._thread.join()
