"""MatchService: single matches on a server, with the methods and properties of `Match`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Generic, SupportsIndex

from google.protobuf.message import Message as Request

from sengoku.client._flow import AsyncClosing, Call, Closing, Flow, method
from sengoku.client.match_methods import MatchMethods, MatchT, wait_for_bots
from sengoku.client.watching import WatchApi
from sengoku.engine.games import Setup, setup_to_json
from sengoku.engine.scripts import Dice, Throw, dice_faces, scripts_table
from sengoku.v1 import match_service_pb2 as pb2
from sengoku.wire.matches import (
    create_to_proto,
)
from sengoku.wire.values import text_to_proto


class MatchesApi(WatchApi, Generic[MatchT]):
    """The methods of a client for single matches."""

    _match: Any
    """The class of a match."""

    @method
    def ask_match(self, method: str, request: Request, timeout: float | None = None) -> Call[Any]:
        """Send a message to a method of `MatchService` by name and return the response message."""
        if request.DESCRIPTOR.name != f"{method}Request":
            raise TypeError(f"{method} takes a {method}Request, not a {request.DESCRIPTOR.name}")
        return Call(request, timeout=timeout)

    @method
    def create_match(
        self,
        game: str,
        *,
        seats: int | None = None,
        seed: int = 0,
        match_index: int = 0,
        setup: Setup = None,
        dice: Dice = None,
        throws: Iterable[Throw] | None = None,
        lots: Iterable[SupportsIndex] | None = None,
        cards: Iterable[Iterable[str]] | None = None,
        bots: Mapping[int, str] | None = None,
    ) -> Flow[MatchT]:
        """Start a match on the server, like `Match.create`; leaving its `with` block deletes it.

        >>> from sengoku import Client, games
        >>> from sengoku.server import Server
        >>> with Server(port=0) as server, Client(server.address) as client:
        ...     with client.create_match(games()[0].name, seed=11) as match:
        ...         match.play(match.legal_actions()[0])
        ...         match.decisions
        1
        """
        text = setup_to_json(game, setup)
        scripts = {"throws": None, "lots": None, "cards": None} | scripts_table(throws, lots, cards)
        match: MatchT = yield from self._create(
            create_to_proto(
                game=game,
                seats=seats,
                seed=seed,
                match_index=match_index,
                setup=text,
                dice=dice_faces(game, dice),
                bots=bots,
                **scripts,
            )
        )
        return match

    @method
    def load_match(self, data: bytes | bytearray | memoryview) -> Flow[MatchT]:
        """Continue a saved match on the server, like `Match.load`."""
        match: MatchT = yield from self._create(pb2.LoadMatchRequest(data=bytes(memoryview(data))))
        return match

    @method
    def match_from_replay(self, text: str) -> Flow[MatchT]:
        """Continue a match on the server from the text of its replay, like `Match.from_replay`."""
        match: MatchT = yield from self._create(pb2.LoadMatchRequest(replay=text_to_proto("text", text)))
        return match

    def _create(self, request: Request) -> Flow[MatchT]:
        """Create or load a match as its owner, and wait for its bots."""
        response: pb2.CreateMatchResponse | pb2.LoadMatchResponse = yield Call(request)
        access = response.access
        created: MatchT = self._match(
            self,
            response.status,
            match_id=access.match_id,
            token=access.owner_token,
            seat_tokens=tuple(access.seat_tokens),
            spectator_token=access.spectator_token,
        )
        yield from wait_for_bots(response.status, {"match_id": access.match_id, "token": access.owner_token})
        return created

    @method
    def join_match(self, match_id: str, token: str) -> Call[MatchT]:
        """Return an existing match, for the seat of the token, for the owner or for spectators."""
        match_id, token = text_to_proto("match_id", match_id), text_to_proto("token", token)

        def decode(response: pb2.GetMatchResponse) -> MatchT:
            seat = response.seat if response.HasField("seat") else None
            access: dict[str, Any] = {"match_id": match_id, "token": token}
            joined: MatchT = self._match(
                self, response.status, **access, seat=seat, spectator=response.spectator
            )
            return joined

        return Call(pb2.GetMatchRequest(match_id=match_id, token=token), decode)


class RemoteMatch(MatchMethods["RemoteMatch"], Closing):
    """A match on a server, for its owner or for one seat.

    `Client.create_match`, `Client.load_match` and `Client.match_from_replay` return the owner's,
    `Client.join_match` that of a token. A seat may only see and play for itself; anything else raises
    `NotAllowedError`. Properties are read from the server, so they include what others have played.
    """


class AsyncRemoteMatch(MatchMethods["AsyncRemoteMatch"], AsyncClosing):
    """A `RemoteMatch` for an `AsyncClient`: methods and properties that call the server are awaited."""
