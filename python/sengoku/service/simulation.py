"""SimulationService: matches of bots."""

from __future__ import annotations

from sengoku import convert, engine
from sengoku.service.dispatch import Call
from sengoku.service.limits import Limits, check_threads
from sengoku.service.metrics import Metrics
from sengoku.v1 import simulation_service_pb2


class SimulationService:
    """Lets bots play."""

    def __init__(self, limits: Limits, threads: int, metrics: Metrics) -> None:
        self._limits = limits
        self._threads = threads
        self._metrics = metrics

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
