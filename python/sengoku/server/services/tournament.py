"""TournamentService: starts tournaments and reports their standings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial

from sengoku._core import Cancel
from sengoku.errors import MissingDependencyError, invalid
from sengoku.server.call import Call
from sengoku.server.fair_queue import FairQueue
from sengoku.server.jobs.tournaments import Tournaments, TournamentView
from sengoku.server.limits import Limits
from sengoku.server.paging import page_size, read_id, read_token, token_error, write_token
from sengoku.tournament.report import FORMATS
from sengoku.v1 import tournament_service_pb2 as pb2
from sengoku.wire.errors import status_to_proto
from sengoku.wire.tournaments import (
    tournament_board_to_proto,
    tournament_match_to_proto,
    tournament_table_to_proto,
)

__all__ = ["TournamentService"]

_WATCH_SECONDS = 1.0
"""Shortest time between two reports to a watcher."""
_WATCH_SHARE = 5.0
"""Shortest time between two reports, as a multiple of the time that the last one took."""


def tournament_to_proto(view: TournamentView) -> pb2.Tournament:
    """Encode the status of a tournament."""
    record, progress = view.row, view.progress
    spec = record.spec
    message = pb2.Tournament(
        name=record.name,
        title=spec.name,
        client=record.client,
        request_id=view.request_id,
        state=pb2.TournamentState.Name(view.state),
        format=spec.format,
        digest=spec.digest,
        bots=[pb2.TournamentBot(name=bot.name, bot=bot.bot, player=bot.player) for bot in spec.bots],
        boards=[
            tournament_board_to_proto(board, None if view.secret else seed)
            for board, seed in zip(spec.boards, record.seeds, strict=True)
        ],
        round=progress.round,
        matches_done=progress.matches_done,
        matches_due=progress.matches_due,
        matches_per_second=progress.matches_per_second,
        queue_position=view.queue_position,
        obstacle=view.obstacle,
    )
    message.create_time.FromNanoseconds(record.created)
    if record.ended is not None:
        message.end_time.FromNanoseconds(record.ended)
    if view.error is not None:
        message.error.CopyFrom(status_to_proto(view.error))
    return message


class TournamentService:
    """The service that starts, reports, cancels, resumes and deletes tournaments."""

    def __init__(self, tournaments: Tournaments, limits: Limits) -> None:
        self._tournaments = tournaments
        self._counting = FairQueue(1, limits.queued_calls, client_most=limits.queue_share)
        """Turns to compute tables, which takes a while."""

    def create_tournament(
        self, request: pb2.CreateTournamentRequest, call: Call
    ) -> pb2.CreateTournamentResponse:
        view = self._tournaments.create(request.spec_toml, call.caller.name, request.request_id)
        return pb2.CreateTournamentResponse(tournament=tournament_to_proto(view))

    def get_tournament(self, request: pb2.GetTournamentRequest, call: Call) -> pb2.GetTournamentResponse:
        view = self._tournaments.get(request.name, call.scope)
        return pb2.GetTournamentResponse(tournament=tournament_to_proto(view))

    def list_tournaments(
        self, request: pb2.ListTournamentsRequest, call: Call
    ) -> pb2.ListTournamentsResponse:
        page = self._tournaments.page(
            before=read_id(request.page_token, ""), most=page_size(request.page_size), client=call.scope
        )
        return pb2.ListTournamentsResponse(
            tournaments=[tournament_to_proto(view) for view in page.items],
            next_page_token="" if page.after is None else write_token(page.after, ""),
        )

    async def watch_tournament(
        self, request: pb2.WatchTournamentRequest, call: Call
    ) -> AsyncIterator[pb2.WatchTournamentResponse]:
        view = await call.work(lambda: self._tournaments.get(request.name, call.scope))
        clock = asyncio.get_running_loop().time
        while True:
            begun = clock()
            async with self._counting.turn(call.caller.name, bounded=False):
                status = await call.work(partial(self._status, view, call.cancel))
            yield status
            if view.over:
                return
            sent = clock()
            not_before = sent + max(_WATCH_SECONDS, _WATCH_SHARE * (sent - begun))
            view = await self._tournaments.next_view(view, clock, not_before)

    def _status(self, view: TournamentView, cancel: Cancel) -> pb2.WatchTournamentResponse:
        message = pb2.WatchTournamentResponse(tournament=tournament_to_proto(view))
        # What the server lacks for tables is said to those who ask for tables.
        with suppress(MissingDependencyError), self._tournaments.tables(view, cancel) as (_, tables):
            if tables.matches:
                message.standings.CopyFrom(tournament_table_to_proto(tables.standings()))
        return message

    async def get_standings(self, request: pb2.GetStandingsRequest, call: Call) -> bytes:
        if request.format and request.format not in FORMATS:
            raise invalid("format", ascii(request.format[:60]), f"expected one of {', '.join(FORMATS)}")
        view = await call.work(lambda: self._tournaments.get(request.name, call.scope))
        self._tournaments.check_report(view, whole=request.format != "csv")

        def answer() -> bytes:
            message = pb2.GetStandingsResponse(tournament=tournament_to_proto(view))
            with self._tournaments.tables(view, call.cancel) as (record, tables):
                if request.format:
                    message.text = FORMATS[request.format](record, tables)
                else:
                    message.tables.extend(map(tournament_table_to_proto, tables.all()))
            return message.SerializeToString()

        # One report at a time: others wait here, not in the threads of all calls that read.
        async with self._counting.turn(call.caller.name):
            return await call.work(answer)

    def list_tournament_matches(
        self, request: pb2.ListTournamentMatchesRequest, call: Call
    ) -> pb2.ListTournamentMatchesResponse:
        record = self._tournaments.get(request.name, call.scope).row
        after, most = read_token(request.page_token, record.name), page_size(request.page_size)
        try:
            found = list(record.matches(after, most + 1))
        except (ValueError, OverflowError):
            raise token_error(request.page_token) from None
        more = len(found) > most
        return pb2.ListTournamentMatchesResponse(
            matches=[tournament_match_to_proto(record.spec, name, match) for name, match in found[:most]],
            next_page_token=write_token(found[most - 1][0], record.name) if more else "",
        )

    async def get_tournament_replay(
        self, request: pb2.GetTournamentReplayRequest, call: Call
    ) -> pb2.GetTournamentReplayResponse:
        view = await call.work(lambda: self._tournaments.get(request.name, call.scope))
        # Matches of built-in bots are played again, which may use all cores for a while.
        replay = await call.heavy(lambda: self._tournaments.replay(view, request.match, call.cancel))
        return pb2.GetTournamentReplayResponse(replay=replay)

    def cancel_tournament(
        self, request: pb2.CancelTournamentRequest, call: Call
    ) -> pb2.CancelTournamentResponse:
        view = self._tournaments.cancel(request.name, call.scope)
        return pb2.CancelTournamentResponse(tournament=tournament_to_proto(view))

    def resume_tournament(
        self, request: pb2.ResumeTournamentRequest, call: Call
    ) -> pb2.ResumeTournamentResponse:
        view = self._tournaments.resume(request.name, call.scope)
        return pb2.ResumeTournamentResponse(tournament=tournament_to_proto(view))

    def delete_tournament(
        self, request: pb2.DeleteTournamentRequest, call: Call
    ) -> pb2.DeleteTournamentResponse:
        self._tournaments.delete(request.name, call.scope)
        return pb2.DeleteTournamentResponse()
