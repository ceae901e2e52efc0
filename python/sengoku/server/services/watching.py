"""The part of MatchService that shows matches: streams of frames, pages of frames, matches in progress."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator

from sengoku import _core
from sengoku.engine.frames import Viewer, check_viewer
from sengoku.errors import invalid, missing
from sengoku.server.broadcast import Broadcast, Broadcaster
from sengoku.server.call import Call
from sengoku.server.jobs.tournaments import Tournaments
from sengoku.server.limits import Limits
from sengoku.server.live_matches import LiveMatches
from sengoku.server.match_registry import MatchRegistry
from sengoku.server.paging import PAGE_BYTES, page_size, read_id, write_token
from sengoku.v1 import match_service_pb2 as pb2
from sengoku.wire.frames import parts_from_proto

__all__ = ["Watching"]

_USUAL_FRAMES, _MOST_FRAMES = 100, 1_000
"""Frames of a page, if a request does not say, and at most."""
_REPLAYS_KEPT = 8
"""Replays that are kept for the next page."""


class Watching:
    """The methods of MatchService that return frames."""

    def __init__(
        self,
        limits: Limits,
        matches: MatchRegistry,
        broadcaster: Broadcaster,
        live: LiveMatches,
        tournaments: Tournaments,
    ) -> None:
        self._limits = limits
        self._matches = matches
        self._broadcaster = broadcaster
        self._live = live
        self._tournaments = tournaments
        self._replays: OrderedDict[tuple[str, ...], tuple[Broadcast, int]] = OrderedDict()
        """Replays that were read last, with their seats, by what they were read from."""
        self._replays_lock = threading.Lock()

    def drain(self) -> None:
        """End the streams of watchers."""
        self._broadcaster.drain()

    def _watched(
        self,
        reference: pb2.WatchMatchRequest | pb2.MatchReference,
        request: pb2.WatchMatchRequest | pb2.GetReplayFramesRequest,
        call: Call,
    ) -> tuple[Broadcast, Viewer]:
        """Return the frames of a match of this server, and who looks; in a thread."""
        asked = request.seat if request.HasField("seat") else None
        if not reference.token and (found := self._live.find(reference.match_id, call.caller)) is not None:
            broadcast, seat = found
            if asked not in {None, seat}:
                raise self._live.not_allowed(asked)
            return broadcast, "public" if seat is None or request.public_only else seat
        with self._matches.lease(reference.match_id, reference.token) as lease:
            looks = lease.look_from(asked, public=request.public_only)
            return lease.table.broadcast(), check_viewer(looks, lease.match.seats)

    async def watch_match(self, request: pb2.WatchMatchRequest, call: Call) -> AsyncIterator[bytes]:
        parts = parts_from_proto(request.parts)
        first = request.first_decision if request.HasField("first_decision") else None
        broadcast, viewer = await call.work(lambda: self._watched(request, request, call))
        with self._broadcaster.watching(broadcast, call.caller.name):
            async for frame in broadcast.watch(first, viewer, parts):
                yield frame

    async def get_replay_frames(self, request: pb2.GetReplayFramesRequest, call: Call) -> bytes:
        parts = parts_from_proto(request.parts)
        source = request.WhichOneof("source")
        if source is None:
            raise missing("source", "give match, replay, data or tournament_match")
        if source == "match":
            broadcast, viewer = await call.work(lambda: self._watched(request.match, request, call))
        else:
            # Reading a replay plays it, and matches of built-in bots are played again.
            broadcast, seats = await call.heavy(lambda: self._replay(source, request, call))
            asked = request.seat if request.HasField("seat") else None
            viewer = "public" if request.public_only else check_viewer(asked, seats)

        def read() -> bytes:
            return self._page(request, call, broadcast, viewer, parts)

        return await call.work(read)

    def _replay(self, source: str, request: pb2.GetReplayFramesRequest, call: Call) -> tuple[Broadcast, int]:
        """Return the frames of a replay that this server does not play, and its number of seats."""
        if source == "tournament_match":
            reference = request.tournament_match
            view = self._tournaments.get(reference.tournament, call.scope)
            content = self._tournaments.replay(view, reference.match, call.cancel).encode()
        else:
            content = request.data if source == "data" else request.replay.encode()
        key = (call.caller.name, source, hashlib.sha256(content).hexdigest())
        with self._replays_lock:
            found = self._replays.get(key)
        if found is None:
            match = (
                _core.Match.load(content) if source == "data" else _core.Match.from_replay(content.decode())
            )
            self._limits.check("match_decisions", match.decisions)
            found = self._broadcaster.open(match), match.seats
        with self._replays_lock:
            self._replays[key] = found
            self._replays.move_to_end(key)
            while len(self._replays) > _REPLAYS_KEPT:
                self._replays.popitem(last=False)
        return found

    @staticmethod
    def _page(
        request: pb2.GetReplayFramesRequest,
        call: Call,
        broadcast: Broadcast,
        viewer: Viewer,
        parts: frozenset[str],
    ) -> bytes:
        """Return a range of frames as a GetReplayFramesResponse."""
        decisions, first = broadcast.last, request.first_decision
        if first > decisions:
            raise invalid("first_decision", first, f"the match has {decisions} decisions")
        last = request.last_decision if request.HasField("last_decision") else decisions
        if last < first:
            raise invalid("last_decision", last, f"it must be first_decision, which is {first}, or more")
        last = min(last, decisions)
        most = min(request.max_frames or _USUAL_FRAMES, _MOST_FRAMES)
        page, following = bytearray(), first
        for decision in call.each(range(first, min(last + 1, first + most))):
            page += broadcast.frame(decision, viewer, parts)
            following = decision + 1
            if len(page) > PAGE_BYTES:
                break
        rest = pb2.GetReplayFramesResponse(
            next_decision=following if following <= last else None, decisions=decisions
        )
        return bytes(page) + rest.SerializeToString()

    def list_live_matches(
        self, request: pb2.ListLiveMatchesRequest, call: Call
    ) -> pb2.ListLiveMatchesResponse:
        after = read_id(request.page_token, request.tournament)
        most = page_size(request.page_size)
        found = self._live.page(after, most + 1, client=call.scope, tournament=request.tournament)
        return pb2.ListLiveMatchesResponse(
            matches=[
                pb2.LiveMatch(
                    match_id=match.match_id,
                    game=match.table.seating.game,
                    players=match.players,
                    tournament=match.tournament,
                    decisions=match.table.decisions,
                    client=match.client,
                )
                for match in found[:most]
            ],
            next_page_token=write_token(found[most - 1].number, request.tournament)
            if len(found) > most
            else "",
        )
