"""PlayerService: custom bots connect, receive decisions, and play matches on request."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import AsyncIterator
from functools import partial

from sengoku.bots.clock import Clock
from sengoku.bots.host import AT_ONCE, Host
from sengoku.bots.play import check_count, check_seating, fill_seats, seatings
from sengoku.engine.games import find_game
from sengoku.engine.result import MatchResult
from sengoku.errors import ArgumentError, LimitError, invalid
from sengoku.server.call import Call
from sengoku.server.fair_queue import FairQueue
from sengoku.server.limits import Limits
from sengoku.server.live_matches import LiveMatches, Observer
from sengoku.server.metrics import Metrics
from sengoku.server.player_registry import PlayerRegistry
from sengoku.server.player_stream import response
from sengoku.server.quota import Quota
from sengoku.v1 import player_service_pb2 as pb2
from sengoku.wire.players import clock_from_proto, played_to_proto, seat_player_from_proto
from sengoku.wire.values import seconds_to_proto

__all__ = ["PlayerService"]

_PAUSE_SECONDS = 0.05
"""How long results are collected before they are sent."""
_MOST_ROWS = 1_000
"""Results of one message."""


class PlayerService:
    """The service that connects custom bots and plays matches with them."""

    def __init__(
        self,
        limits: Limits,
        threads: int,
        metrics: Metrics,
        players: PlayerRegistry,
        queue: FairQueue,
        live: LiveMatches,
    ) -> None:
        self._limits = limits
        self._threads = threads
        self._metrics = metrics
        self._players = players
        self._queue = queue
        self._live = live
        self._plays = Quota("calls of PlayMatches", limits, "plays", "client_plays")

    async def connect(
        self, requests: AsyncIterator[pb2.ConnectRequest], call: Call
    ) -> AsyncIterator[pb2.ConnectResponse]:
        first = await anext(requests)
        if first.WhichOneof("message") != "hello":
            found = first.WhichOneof("message") or "none"
            raise ArgumentError(
                "the first message of a player must be hello", {"field": "hello", "value": found}
            )
        with self._players.stream(first.hello, call.caller.name) as stream:
            silence = seconds_to_proto(self._limits.player_silence)
            yield response(
                welcome=pb2.PlayerWelcome(name=first.hello.name, capacity=stream.capacity, silence=silence)
            )
            listening = asyncio.ensure_future(stream.listen(requests))
            try:
                async for message in stream.messages():
                    yield message
            finally:
                listening.cancel()
                await asyncio.wait([listening])

    async def list_players(self, _request: pb2.ListPlayersRequest, _call: Call) -> pb2.ListPlayersResponse:
        return pb2.ListPlayersResponse(players=self._players.listing())

    async def play_matches(
        self, request: pb2.PlayMatchesRequest, call: Call
    ) -> AsyncIterator[pb2.PlayMatchesResponse]:
        if not request.clock.HasField("decision"):
            usual = min(Clock().decision, self._limits.clock_seconds)
            request.clock.decision.CopyFrom(seconds_to_proto(usual))
        clock = clock_from_proto(request.clock)
        self._check(request, clock)
        seated = fill_seats(
            request.game, request.players, request.seats if request.HasField("seats") else None
        )
        names = [seat_player_from_proto(player) for player in seated]
        self._limits.check_bots(request.game, (name for name in names if not name.startswith("@")))
        total = request.match_count * (len(names) if request.rotate else 1)
        self._limits.check("play_matches", total)
        seated_matches = seatings(
            request.game,
            players=names,
            seats=len(names),
            setup=request.setup_json or "{}",
            seed=request.seed,
            first_match=request.first_match,
            match_count=request.match_count,
            rotate=request.rotate,
        )
        with self._plays.hold(call.caller.name), self._players.holding(names, request.game) as ports:
            first = next(seated_matches)
            await call.work(lambda: check_seating(first, ports))
            rows: deque[MatchResult] = deque()
            host = Host(
                itertools.chain([first], seated_matches),
                ports,
                played=rows.append,
                clock=clock,
                at_once=request.at_once or min(AT_ONCE, self._limits.play_at_once),
                max_decisions=self._limits.play_decisions,
                replays=request.replays,
                talk=self._limits.talk if request.talk else None,
                said=self._metrics.said,
                threads=self._threads,
                background=True,
                cancel=call.cancel,
                turn=partial(self._queue.thread_turn, call.caller.name, call.cancel),
                backlog=lambda: len(rows),
                observer=Observer(self._live, call.caller.name),
            )
            work = asyncio.ensure_future(call.work(host.run))
            try:
                yield pb2.PlayMatchesResponse(match_total=total)
                done = 0
                while not work.done() or rows:
                    await asyncio.wait([work], timeout=_PAUSE_SECONDS)
                    while rows:
                        some = [rows.popleft() for _ in range(min(len(rows), _MOST_ROWS))]
                        done += len(some)
                        decisions = sum(row.decisions for row in some)
                        self._metrics.played(request.game, matches=len(some), decisions=decisions)
                        yield pb2.PlayMatchesResponse(
                            matches_done=done,
                            match_total=total,
                            matches=[played_to_proto(row) for row in some],
                        )
                await work
            finally:
                self._queue.cancel(call.cancel)
                await asyncio.wait([work])
                if not work.cancelled():
                    work.exception()  # marks it as seen: it was raised above, or the call has ended

    def _check(self, request: pb2.PlayMatchesRequest, clock: Clock) -> None:
        """Raise for a request beyond the limits, before any work is done."""
        find_game(request.game[:60])
        self._limits.check("play_matches", request.match_count)
        check_count(request.match_count, request.first_match)
        if request.at_once < 0:
            raise invalid("at_once", request.at_once, "it must be 0 or more")
        self._limits.check("play_at_once", request.at_once)
        seconds, limit = min(clock.decision + clock.bank, clock.match), self._limits.clock_seconds
        if seconds > limit:
            details = {"field": "clock_seconds", "value": f"{seconds:g}", "limit": str(limit)}
            message = f"the clock allows {seconds:g} seconds for a decision, this server {limit}"
            raise LimitError(message, details)
