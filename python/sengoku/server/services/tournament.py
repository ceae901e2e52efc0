"""TournamentService: begins tournaments, and tells how they stand."""

from __future__ import annotations

import asyncio
import base64
import binascii
import zlib
from collections.abc import AsyncIterator
from functools import partial

from sengoku.errors import ArgumentError
from sengoku.server.dispatch import Call
from sengoku.server.jobs.tournaments import Tournaments, TournamentView
from sengoku.server.services.operations import scope_of
from sengoku.tournament.report import FORMATS
from sengoku.v1 import tournament_service_pb2 as pb2
from sengoku.wire import convert
from sengoku.wire.errors import status_to_proto

__all__ = ["TournamentService"]

_PAGE = 100
_LARGEST_PAGE = 1_000
_WATCH_SECONDS = 1.0
"""How often somebody who watches hears something, at most."""
_WATCH_SHARE = 5.0
"""Tables that take long are made less often: so many times as long lies between two."""


def tournament_to_proto(view: TournamentView) -> pb2.Tournament:
    """Writes how a tournament is getting on."""
    record, progress = view.record, view.progress
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
            convert.tournament_board_to_proto(board, None if view.secret else seed)
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
    """Tournaments of clients."""

    def __init__(self, tournaments: Tournaments) -> None:
        self._tournaments = tournaments

    def create_tournament(
        self, request: pb2.CreateTournamentRequest, call: Call
    ) -> pb2.CreateTournamentResponse:
        view = self._tournaments.create(request.spec_toml, call.caller.name, request.request_id)
        return pb2.CreateTournamentResponse(tournament=tournament_to_proto(view))

    def get_tournament(self, request: pb2.GetTournamentRequest, call: Call) -> pb2.GetTournamentResponse:
        view = self._tournaments.get(request.name, scope_of(call))
        return pb2.GetTournamentResponse(tournament=tournament_to_proto(view))

    def list_tournaments(
        self, request: pb2.ListTournamentsRequest, call: Call
    ) -> pb2.ListTournamentsResponse:
        token = _read_token(request.page_token, "")
        if token is not None and not token.isdecimal():
            raise _bad_token(request.page_token)
        views, after = self._tournaments.page(
            before=None if token is None else min(int(token), 1 << 62),
            most=_page_size(request.page_size),
            client=scope_of(call),
        )
        return pb2.ListTournamentsResponse(
            tournaments=[tournament_to_proto(view) for view in views],
            next_page_token="" if after is None else _write_token(str(after), ""),
        )

    async def watch_tournament(
        self, request: pb2.WatchTournamentRequest, call: Call
    ) -> AsyncIterator[pb2.WatchTournamentResponse]:
        view = await call.work(lambda: self._tournaments.get(request.name, scope_of(call)))
        clock = asyncio.get_running_loop().time
        while True:
            begun = clock()
            yield await call.work(partial(self._watched, view))
            if view.over:
                return
            told, seen = clock(), view.version
            after = told + max(_WATCH_SECONDS, _WATCH_SHARE * (told - begun))
            # What is new in the meantime is told together; only an end is told at once.
            while not view.over and (view.version == seen or clock() < after):
                view = await self._tournaments.newer(
                    view, None if view.version == seen else max(after - clock(), 0.0)
                )

    def _watched(self, view: TournamentView) -> pb2.WatchTournamentResponse:
        message = pb2.WatchTournamentResponse(tournament=tournament_to_proto(view))
        with self._tournaments.tables(view) as (_, tables):
            if tables.matches:
                message.standings.CopyFrom(convert.tournament_table_to_proto(tables.standings()))
        return message

    def get_standings(self, request: pb2.GetStandingsRequest, call: Call) -> pb2.GetStandingsResponse:
        if request.format and request.format not in FORMATS:
            details = {"field": "format", "value": ascii(request.format[:60])}
            raise ArgumentError(f"format is {request.format[:60]!a}, there is {', '.join(FORMATS)}", details)
        view = self._tournaments.get(request.name, scope_of(call))
        message = pb2.GetStandingsResponse(tournament=tournament_to_proto(view))
        with self._tournaments.tables(view) as (record, tables):
            if request.format:
                message.text = FORMATS[request.format](record, tables)
            else:
                message.tables.extend(map(convert.tournament_table_to_proto, tables.all()))
        return message

    def list_tournament_matches(
        self, request: pb2.ListTournamentMatchesRequest, call: Call
    ) -> pb2.ListTournamentMatchesResponse:
        record = self._tournaments.get(request.name, scope_of(call)).record
        after, most = _read_token(request.page_token, record.name), _page_size(request.page_size)
        try:
            found = list(record.matches(after, most + 1))
        except (ValueError, OverflowError):
            raise _bad_token(request.page_token) from None
        more = len(found) > most
        return pb2.ListTournamentMatchesResponse(
            matches=[
                convert.tournament_match_to_proto(record.spec, name, match) for name, match in found[:most]
            ],
            next_page_token=_write_token(found[most - 1][0], record.name) if more else "",
        )

    async def get_tournament_replay(
        self, request: pb2.GetTournamentReplayRequest, call: Call
    ) -> pb2.GetTournamentReplayResponse:
        view = await call.work(lambda: self._tournaments.get(request.name, scope_of(call)))
        # Matches of our bots are played again, which may take all cores for a while.
        replay = await call.heavy(lambda: self._tournaments.replay(view, request.match, call.cancel))
        return pb2.GetTournamentReplayResponse(replay=replay)

    def cancel_tournament(
        self, request: pb2.CancelTournamentRequest, call: Call
    ) -> pb2.CancelTournamentResponse:
        view = self._tournaments.cancel(request.name, scope_of(call))
        return pb2.CancelTournamentResponse(tournament=tournament_to_proto(view))

    def resume_tournament(
        self, request: pb2.ResumeTournamentRequest, call: Call
    ) -> pb2.ResumeTournamentResponse:
        view = self._tournaments.resume(request.name, scope_of(call))
        return pb2.ResumeTournamentResponse(tournament=tournament_to_proto(view))

    def delete_tournament(
        self, request: pb2.DeleteTournamentRequest, call: Call
    ) -> pb2.DeleteTournamentResponse:
        self._tournaments.delete(request.name, scope_of(call))
        return pb2.DeleteTournamentResponse()


def _page_size(wanted: int) -> int:
    if wanted < 0:
        details = {"field": "page_size", "value": str(wanted)}
        raise ArgumentError(f"page_size is {wanted}, it must not be below 0", details)
    return min(wanted or _PAGE, _LARGEST_PAGE)


def _write_token(place: str, what: str) -> str:
    """Says where a page begins; it fits only the list that it came from."""
    data = f"{place} {zlib.crc32(what.encode())}"
    return base64.urlsafe_b64encode(data.encode()).decode().rstrip("=")


def _read_token(token: str, what: str) -> str | None:
    if not token:
        return None
    try:
        data = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        place = data.rpartition(b" ")[0].decode()
    except (ValueError, binascii.Error):
        raise _bad_token(token) from None
    if _write_token(place, what) != token:
        raise _bad_token(token)
    return place


def _bad_token(token: str) -> ArgumentError:
    details = {"field": "page_token", "value": ascii(token[:100])}
    return ArgumentError(f"page_token is {token[:100]!a}, which is of no page of this list", details)
