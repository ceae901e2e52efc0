"""AnalysisService: analyses of matches, in the background."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from sengoku import _core
from sengoku.errors import NotAllowedError, missing
from sengoku.server.call import Call
from sengoku.server.jobs.analyses import Analyses, AnalysisView
from sengoku.server.match_registry import MatchRegistry
from sengoku.v1 import analysis_service_pb2 as pb2
from sengoku.wire.errors import status_to_proto

__all__ = ["AnalysisService"]

_WATCH_SECONDS = 0.5
"""Shortest time between two reports to a watcher."""


def _to_proto(view: AnalysisView) -> pb2.MatchAnalysis:
    """Encode the status of an analysis."""
    row = view.row
    message = pb2.MatchAnalysis(
        name=row.name,
        client=row.client,
        request_id=row.request_id,
        state=pb2.AnalysisState.Name(view.state),
        game=row.game,
        decisions_done=row.done,
        decisions=row.decisions,
        queue_position=view.queue_position,
        obstacle=view.obstacle,
    )
    message.create_time.FromNanoseconds(row.created)
    if row.ended is not None:
        message.end_time.FromNanoseconds(row.ended)
    if view.error is not None:
        message.error.CopyFrom(status_to_proto(view.error))
    return message


class AnalysisService:
    """The service that starts, reports, cancels, resumes and deletes analyses."""

    def __init__(self, analyses: Analyses, matches: MatchRegistry) -> None:
        self._analyses = analyses
        self._matches = matches

    async def analyse_match(self, request: pb2.AnalyseMatchRequest, call: Call) -> pb2.AnalyseMatchResponse:
        def start() -> AnalysisView:
            match, seat = self._match(request)
            options: dict[str, Any] = {
                "iterations": request.iterations if request.HasField("iterations") else None,
                "luck": request.luck if request.HasField("luck") else None,
                "cards": "open" if request.open_cards else "seat",
                "seat": seat,
                "seed": request.seed,
                "horizon": request.horizon if request.HasField("horizon") else None,
            }
            return self._analyses.start(match, options, call.caller.name, request.request_id)

        return pb2.AnalyseMatchResponse(analysis=_to_proto(await call.work(start)))

    def _match(self, request: pb2.AnalyseMatchRequest) -> tuple[_core.Match, int | None]:
        """Return the match, and the seat for which it is analysed."""
        seat = request.seat if request.HasField("seat") else None
        match request.WhichOneof("source"):
            case "data":
                return _core.Match.load(request.data), seat
            case "replay":
                return _core.Match.from_replay(request.replay), seat
            case "open":
                with self._matches.lease(request.open.match_id, request.open.token) as lease:
                    seat = lease.act_from(seat, "an analysis")
                    if seat is not None and lease.seat is not None and request.open_cards:
                        message = f"open cards require the owner's token, this is seat {seat}'s"
                        raise NotAllowedError(message, {"seat": str(seat), "wish": "open cards"})
                    return lease.match.clone(), seat
            case _:
                raise missing("source", "give open, data or replay")

    def get_analysis(self, request: pb2.GetAnalysisRequest, call: Call) -> pb2.GetAnalysisResponse:
        view = self._analyses.get(request.name, call.scope)
        return pb2.GetAnalysisResponse(analysis=_to_proto(view))

    async def watch_analysis(
        self, request: pb2.WatchAnalysisRequest, call: Call
    ) -> AsyncIterator[pb2.WatchAnalysisResponse]:
        view = await call.work(lambda: self._analyses.get(request.name, call.scope))
        clock = asyncio.get_running_loop().time
        while True:
            yield pb2.WatchAnalysisResponse(analysis=_to_proto(view))
            if view.over:
                return
            view = await self._analyses.next_view(view, clock, clock() + _WATCH_SECONDS)

    async def read_analysis(
        self, request: pb2.ReadAnalysisRequest, call: Call
    ) -> AsyncIterator[pb2.ReadAnalysisResponse]:
        parts = await call.work(lambda: list(self._analyses.parts(request.name, call.scope)))
        for part in parts:
            yield pb2.ReadAnalysisResponse(data=part)

    def cancel_analysis(self, request: pb2.CancelAnalysisRequest, call: Call) -> pb2.CancelAnalysisResponse:
        view = self._analyses.cancel(request.name, call.scope)
        return pb2.CancelAnalysisResponse(analysis=_to_proto(view))

    def resume_analysis(self, request: pb2.ResumeAnalysisRequest, call: Call) -> pb2.ResumeAnalysisResponse:
        view = self._analyses.resume(request.name, call.scope)
        return pb2.ResumeAnalysisResponse(analysis=_to_proto(view))

    def delete_analysis(self, request: pb2.DeleteAnalysisRequest, call: Call) -> pb2.DeleteAnalysisResponse:
        self._analyses.delete(request.name, call.scope)
        return pb2.DeleteAnalysisResponse()
