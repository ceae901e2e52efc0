"""SimulationService: matches between built-in bots, in one call or as a run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

from google.longrunning import operations_pb2

from sengoku._core import Cancel
from sengoku.engine.report import MatchReport
from sengoku.engine.requests import RunRequest
from sengoku.errors import ArgumentError
from sengoku.fleet import Fleet
from sengoku.fleet.work import MatchWork
from sengoku.server.call import Call
from sengoku.server.jobs.rows import FORMATS
from sengoku.server.jobs.runs import Runs
from sengoku.server.limits import Limits, check_threads
from sengoku.server.metrics import Metrics
from sengoku.server.quota import Quota
from sengoku.server.services.operations import operation_to_proto
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.simulation import report_to_proto, run_from_proto

_WATCH_SECONDS = 0.2
"""Shortest time between two reports to a watcher."""
_SMALL = 64
"""Runs of up to so many matches are not checked before they are played."""

_FLEET_MATCHES, _FLEET_SEARCHES = 4096, 16
"""Fewest matches that a fleet plays instead of this server, of quick bots and of those that search."""


class SimulationService:
    """The service for matches between built-in bots."""

    def __init__(
        self, limits: Limits, threads: int, metrics: Metrics, runs: Runs, fleet: Fleet | None = None
    ) -> None:
        """With a fleet, it plays all but small requests."""
        self._fleet = fleet
        self._limits = limits
        self._threads = threads
        self._metrics = metrics
        self._runs = runs
        self._reads = Quota("calls of ReadRun", limits, "reads", "client_reads")
        """Calls of `ReadRun`: each has a batch of rows in memory."""

    async def run_matches(self, request: pb2.RunMatchesRequest, call: Call) -> bytes:
        self._limits.check("matches", request.match_count)
        check_threads(request.threads)
        run = run_from_proto(request)
        if request.match_count > _SMALL:
            # Raise what is wrong with it before it waits for its turn.
            await call.work(lambda: run.check(max_iterations=self._limits.search_iterations))
        if self._fleet is not None and run.match_count >= (
            _FLEET_SEARCHES if run.searches else _FLEET_MATCHES
        ):
            return await call.work(partial(self._play_on, self._fleet, run, call.cancel))
        return await call.heavy(partial(self._play, run, request.threads, call.cancel))

    def _play_on(self, fleet: Fleet, run: RunRequest, cancel: Cancel) -> bytes:
        """Play matches on a fleet and encode their report."""
        limits = {"max_decisions": self._limits.decisions, "max_iterations": self._limits.search_iterations}
        report: MatchReport = fleet.play([MatchWork(run, **limits)], cancel=cancel)[0]
        if int(report.decisions.sum(dtype="uint64")) > self._limits.decisions:
            return self._play(run, 0, cancel)  # ends with the error for too many decisions
        return self._encoded(run, report)

    def _play(self, run: RunRequest, threads: int, cancel: Cancel) -> bytes:
        """Play matches and encode their report."""
        report = run.play(
            threads=min(threads or self._threads, self._threads),
            cancel=cancel,
            max_decisions=self._limits.decisions,
            max_iterations=self._limits.search_iterations,
            background=True,
        )
        return self._encoded(run, report)

    def _encoded(self, run: RunRequest, report: MatchReport) -> bytes:
        """Count matches, and encode their report."""
        taken = int(report.decisions.sum(dtype="uint64"))
        self._metrics.played(run.game, matches=len(report), decisions=taken)
        return report_to_proto(report).SerializeToString()

    def start_run(self, request: pb2.StartRunRequest, call: Call) -> operations_pb2.Operation:
        view = self._runs.start(request.run, call.caller.name, request.request_id)
        return operation_to_proto(view)

    def resume_run(self, request: pb2.ResumeRunRequest, call: Call) -> pb2.ResumeRunResponse:
        view = self._runs.resume(request.name, call.scope)
        return pb2.ResumeRunResponse(operation=operation_to_proto(view))

    async def watch_run(
        self, request: pb2.WatchRunRequest, call: Call
    ) -> AsyncIterator[pb2.WatchRunResponse]:
        view = await asyncio.to_thread(self._runs.get, request.name, call.scope)
        clock = asyncio.get_running_loop().time
        while True:
            yield pb2.WatchRunResponse(operation=operation_to_proto(view))
            if view.over:
                return
            view = await self._runs.next_view(view, clock, clock() + _WATCH_SECONDS)

    async def read_run(self, request: pb2.ReadRunRequest, call: Call) -> AsyncIterator[pb2.ReadRunResponse]:
        if request.format not in FORMATS:
            details = {"field": "format", "value": str(request.format)}
            raise ArgumentError(f"format: unknown value {request.format}", details)
        with self._reads.hold(call.caller.name):
            async for part in self._parts(request, call):
                yield part

    async def _parts(self, request: pb2.ReadRunRequest, call: Call) -> AsyncIterator[pb2.ReadRunResponse]:
        rows = await asyncio.to_thread(
            self._runs.rows,
            request.name,
            call.scope,
            request.first_match if request.HasField("first_match") else None,
            request.match_count if request.HasField("match_count") else None,
        )
        # Encoding takes a while, and a slow reader is awaited: parts are made one at a time, in a thread.
        parts = FORMATS[request.format](rows)
        while (part := await asyncio.to_thread(next, parts, None)) is not None:
            yield part
