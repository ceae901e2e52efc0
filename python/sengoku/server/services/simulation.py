"""SimulationService: matches of bots."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial

from google.longrunning import operations_pb2

from sengoku._core import Cancel, cores
from sengoku.engine.games import searches
from sengoku.engine.report import MatchReport
from sengoku.errors import ArgumentError, BusyError, LimitError, QuotaError
from sengoku.server.dispatch import Call
from sengoku.server.jobs.rows import FORMATS
from sengoku.server.jobs.runs import Runs
from sengoku.server.limits import Limits, check_threads
from sengoku.server.metrics import Metrics
from sengoku.server.services.operations import operation_to_proto, scope_of
from sengoku.v1 import simulation_service_pb2
from sengoku.wire import convert

_WATCH_SECONDS = 0.2
"""How often one who watches hears something new, at most."""
_FIRST_PART = 64
"""Matches that a call plays before others have a turn; how many they are afterwards depends on the time."""
_PART_SECONDS = 1.0
"""How long a call plays until others have a turn."""


class SimulationService:
    """Lets bots play."""

    def __init__(self, limits: Limits, threads: int, metrics: Metrics, runs: Runs) -> None:
        self._limits = limits
        self._threads = threads
        self._metrics = metrics
        self._runs = runs
        self._reading: Counter[str] = Counter()
        """Calls of `ReadRun` by client: each has a batch of rows in memory."""

    async def run_matches(self, request: simulation_service_pb2.RunMatchesRequest, call: Call) -> bytes:
        self._limits.check("matches", request.match_count)
        check_threads(request.threads)
        if request.match_count > _FIRST_PART:
            await call.work(lambda: self._check(request))
        parts: list[MatchReport] = []
        # Matches of bots that search take seconds: a part of them is one for each thread.
        least = self._threads or cores()
        size, done, decisions = least if searches(request.bots) else _FIRST_PART, 0, 0
        while not parts or done < request.match_count:
            count = min(size, request.match_count - done)
            part, seconds = await call.heavy(partial(self._play, request, done, count, call.cancel))
            taken = int(part.decisions.sum(dtype="uint64"))
            self._metrics.played(request.game, matches=count, decisions=taken)
            parts.append(part)
            done, decisions = done + count, decisions + taken
            if decisions > self._limits.decisions:
                details = {"field": "decisions", "limit": str(self._limits.decisions)}
                limit = self._limits.decisions
                raise LimitError(f"the matches take more than {limit} decisions together", details)
            # The first ones are too short to judge by.
            size = max(least, min(int(count * _PART_SECONDS / max(seconds, 1e-3)), 8 * size))

        def answer() -> bytes:
            return convert.report_to_proto(MatchReport.joined(parts)).SerializeToString()

        return answer() if request.match_count <= _FIRST_PART else await call.work(answer)

    def _check(self, request: simulation_service_pb2.RunMatchesRequest) -> None:
        """Refuse what is wrong with the whole before a part of it is played."""
        convert.run_from_proto(request).check(max_iterations=self._limits.search_iterations)

    def _play(
        self, request: simulation_service_pb2.RunMatchesRequest, done: int, count: int, cancel: Cancel
    ) -> tuple[MatchReport, float]:
        """Plays a part of the matches, and says how many seconds it took."""
        begun = time.monotonic()
        report = (
            convert.run_from_proto(request)
            .part(done, count)
            .play(
                threads=min(request.threads or self._threads, self._threads),
                cancel=cancel,
                max_decisions=self._limits.decisions,
                max_iterations=self._limits.search_iterations,
                background=True,
            )
        )
        return report, time.monotonic() - begun

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
        with self._place_to_read(call.caller.name):
            async for part in self._parts(request, call):
                yield part

    @contextmanager
    def _place_to_read(self, client: str) -> Iterator[None]:
        """Counts who reads, or turns them away; all this is on the loop."""
        for error, found, name in (
            (QuotaError, self._reading[client], "client_reads"),
            (BusyError, self._reading.total(), "reads"),
        ):
            limit = getattr(self._limits, name)
            if found >= limit:
                details = {"field": name, "value": str(found), "limit": str(limit)}
                message = (
                    f"{found} calls of ReadRun are under way, this server allows {limit}, try again later"
                )
                raise error(message, details, retry_after=1.0)
        self._reading[client] += 1
        try:
            yield
        finally:
            self._reading[client] -= 1
            if not self._reading[client]:
                del self._reading[client]

    async def _parts(
        self, request: simulation_service_pb2.ReadRunRequest, call: Call
    ) -> AsyncIterator[simulation_service_pb2.ReadRunResponse]:
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
