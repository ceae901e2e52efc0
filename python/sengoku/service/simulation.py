"""SimulationService: matches of bots."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from google.longrunning import operations_pb2

from sengoku import convert, engine
from sengoku.errors import ArgumentError
from sengoku.service.dispatch import Call
from sengoku.service.limits import Limits, check_threads
from sengoku.service.metrics import Metrics
from sengoku.service.operations import operation_to_proto, scope_of
from sengoku.service.rows import FORMATS
from sengoku.service.runs import Runs
from sengoku.v1 import simulation_service_pb2

_WATCH_SECONDS = 0.2
"""How often one who watches hears something new, at most."""


class SimulationService:
    """Lets bots play."""

    def __init__(self, limits: Limits, threads: int, metrics: Metrics, runs: Runs) -> None:
        self._limits = limits
        self._threads = threads
        self._metrics = metrics
        self._runs = runs

    def run_matches(
        self, request: simulation_service_pb2.RunMatchesRequest, call: Call
    ) -> simulation_service_pb2.RunMatchesResponse:
        self._limits.check("matches", request.match_count)
        check_threads(request.threads)
        report = engine.run_limited(
            request.game,
            bots=request.bots,
            seats=request.seats if request.HasField("seats") else None,
            match_count=request.match_count,
            first_match=request.first_match,
            seed=request.seed,
            setup=request.setup_json or None,
            threads=min(request.threads or self._threads, self._threads),
            cancel=call.cancel,
            max_decisions=self._limits.decisions,
        )
        decisions = int(report.decisions.sum(dtype="uint64"))
        self._metrics.played(request.game, matches=len(report), decisions=decisions)
        return convert.report_to_proto(report)

    def start_run(
        self, request: simulation_service_pb2.StartRunRequest, call: Call
    ) -> operations_pb2.Operation:
        view = self._runs.start(request.run, call.caller.name, request.request_id)
        return operation_to_proto(view)

    async def watch_run(
        self, request: simulation_service_pb2.WatchRunRequest, call: Call
    ) -> AsyncIterator[simulation_service_pb2.WatchRunResponse]:
        view = await asyncio.to_thread(self._runs.get, request.name, scope_of(call))
        clock = asyncio.get_running_loop().time
        while True:
            yield simulation_service_pb2.WatchRunResponse(operation=operation_to_proto(view))
            if view.over:
                return
            told, seen = clock(), view.version
            # What is new in the meantime is told together; only an end is told at once.
            while not view.over and (view.version == seen or clock() < told + _WATCH_SECONDS):
                pause = None if view.version == seen else told + _WATCH_SECONDS - clock()
                view = await self._runs.newer(view, pause)

    async def read_run(
        self, request: simulation_service_pb2.ReadRunRequest, call: Call
    ) -> AsyncIterator[simulation_service_pb2.ReadRunResponse]:
        if request.format not in FORMATS:
            details = {"field": "format", "value": str(request.format)}
            raise ArgumentError(f"format is {request.format}, which has no meaning", details)
        rows = await asyncio.to_thread(
            self._runs.rows,
            request.name,
            scope_of(call),
            request.first_match if request.HasField("first_match") else None,
            request.match_count if request.HasField("match_count") else None,
        )
        # Packing takes its time, and who reads slowly is waited for: one part at a time is made, in a thread.
        parts = FORMATS[request.format](rows)
        while (part := await asyncio.to_thread(next, parts, None)) is not None:
            yield part
