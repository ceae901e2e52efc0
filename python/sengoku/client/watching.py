"""Watching matches on a server: frames of matches in progress, of finished ones and of replays."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from sengoku.client._channel import Deadline, Reconnect
from sengoku.client._flow import Api, Call, Emit, Flow, Remote, Sleep, StreamFlow, method, read_stream, stream
from sengoku.client._jobs import read_pages
from sengoku.engine.actions import Action
from sengoku.engine.frames import Frame, LiveMatch, Viewer, check_parts
from sengoku.errors import SengokuError
from sengoku.v1 import match_service_pb2 as pb2
from sengoku.wire.frames import frame_from_proto, parts_to_proto, viewer_to_proto
from sengoku.wire.matches import action_from_proto, live_from_proto
from sengoku.wire.values import text_to_proto, whole_to_proto

Parts = Iterable[str] | None


def _look(seat: Viewer, parts: Parts) -> dict[str, Any]:
    """Return the fields of a request that say who looks at what."""
    return {**viewer_to_proto(seat), "parts": parts_to_proto(check_parts(parts))}


def _watch(access: Mapping[str, Any], first: int | None, seat: Viewer, parts: Parts) -> StreamFlow[Frame]:
    """Emit frames until the match is over; a stream that breaks continues with the next frame."""
    look = _look(seat, parts)
    following = None if first is None else whole_to_proto("first", first)
    reconnect = Reconnect(Deadline(None))
    over = False

    def emit(response: pb2.WatchMatchResponse) -> Emit[Frame]:
        nonlocal following, over
        reconnect.reset()
        frame = frame_from_proto(response.frame)
        following, over = frame.decision + 1, frame.to_act is None
        return Emit(frame)

    while not over:
        request = pb2.WatchMatchRequest(**access, **look, first_decision=following)
        try:
            yield from read_stream(request, emit, math.inf)
        except SengokuError as error:
            yield Sleep(reconnect.pause_after(error))
        else:
            return


def _frames(
    source: Mapping[str, Any], first: int, last: int | None, seat: Viewer, parts: Parts
) -> StreamFlow[Frame]:
    """Emit a range of frames, page by page."""
    request = pb2.GetReplayFramesRequest(
        **source,
        **_look(seat, parts),
        first_decision=whole_to_proto("first", first),
        last_decision=None if last is None else whole_to_proto("last", last),
    )
    while True:
        page: pb2.GetReplayFramesResponse = yield Call(request)
        for frame in page.frames:
            yield Emit(frame_from_proto(frame))
        if not page.HasField("next_decision"):
            return
        request.first_decision = page.next_decision


class WatchApi(Api):
    """The methods of a client for watching."""

    @stream
    def spectate(
        self,
        match_id: str,
        token: str = "",
        *,
        first: int | None = None,
        seat: Viewer = None,
        parts: Parts = None,
    ) -> StreamFlow[Frame]:
        """Iterate over the frames of a match as it is played, from `first` or from now on, until it is over.

        With `token`, `match_id` is a match of `create_match`; without, one of `live_matches`, which shows
        what everybody may see. `seat` and `parts` are those of `Match.frames`.
        """
        access = {"match_id": text_to_proto("match_id", match_id), "token": text_to_proto("token", token)}
        yield from _watch(access, first, seat, parts)

    @stream
    def replay_frames(
        self,
        replay: str | bytes,
        first: int = 0,
        last: int | None = None,
        *,
        seat: Viewer = None,
        parts: Parts = None,
    ) -> StreamFlow[Frame]:
        """Iterate over the frames of a replay, or of a saved match, like `Match.frames`."""
        source = (
            {"data": replay} if isinstance(replay, bytes) else {"replay": text_to_proto("replay", replay)}
        )
        yield from _frames(source, first, last, seat, parts)

    @stream
    def tournament_frames(
        self,
        tournament: str,
        match: str,
        first: int = 0,
        last: int | None = None,
        *,
        seat: Viewer = None,
        parts: Parts = None,
    ) -> StreamFlow[Frame]:
        """Iterate over the frames of a finished match of a tournament, by the names of both."""
        reference = pb2.TournamentMatchReference(
            tournament=text_to_proto("tournament", tournament), match=text_to_proto("match", match)
        )
        yield from _frames({"tournament_match": reference}, first, last, seat, parts)

    @method
    def live_matches(self, tournament: str = "", *, timeout: float | None = None) -> Flow[list[LiveMatch]]:
        """List the matches in progress of tournaments and of `play_matches`, those that may be watched."""
        request = pb2.ListLiveMatchesRequest(tournament=text_to_proto("tournament", tournament))
        matches: list[LiveMatch] = yield from read_pages(
            request, lambda page: map(live_from_proto, page.matches), self._deadline(timeout)
        )
        return matches


class WatchMethods(Remote):
    """The methods of a match on a server that show it."""

    _id: dict[str, Any]

    @stream
    def watch(
        self, first: int | None = None, *, seat: Viewer = None, parts: Parts = None
    ) -> StreamFlow[Frame]:
        """Iterate over the frames of the match as it is played, from `first` or from now on.

        `seat` and `parts` are those of `Match.frames`; without `seat` they show all that this object may see.
        If the connection breaks, the client reconnects and continues with the next frame.
        """
        yield from _watch(self._id, first, seat, parts)

    @stream
    def frames(
        self, first: int = 0, last: int | None = None, *, seat: Viewer = None, parts: Parts = None
    ) -> StreamFlow[Frame]:
        """Iterate over frames, like `Match.frames`: all that this object may see, or what a seat may see."""
        yield from _frames({"match": pb2.MatchReference(**self._id)}, first, last, seat, parts)

    @method
    def suggest(self, bot: str = "greedy", seed: int = 0) -> Call[Action]:
        """Return the action that a bot would take, like `Match.suggest`, if it is this object's turn."""
        request = pb2.SuggestActionRequest(
            **self._id, bot=text_to_proto("bot", bot), seed=whole_to_proto("seed", seed)
        )
        return Call(request, lambda response: action_from_proto(response.action))
