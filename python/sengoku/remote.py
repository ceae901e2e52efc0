"""Matches and towers on a server, with the methods and properties of those in this process."""

from __future__ import annotations

import threading
from operator import index
from types import TracebackType
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from sengoku import convert
from sengoku.engine import Action, Match, Outcome, Picture, Sketch
from sengoku.errors import MatchNotFoundError, NotAllowedError, SengokuError
from sengoku.tower import Cubes, CubeTower
from sengoku.v1 import match_service_pb2 as match_pb2
from sengoku.v1 import tower_service_pb2

if TYPE_CHECKING:
    from sengoku.client import Client

__all__ = ["RemoteCubeTower", "RemoteMatch"]


class RemoteMatch:
    """A match on a server, for its owner or for one seat.

    `Client.create_match`, `Client.load_match` and `Client.match_from_replay` give the owner's, and
    `Client.join_match` gives that of a token. A seat may see and play for itself alone; whatever else it asks
    raises `NotAllowedError`. Properties ask the server, so what others play is seen at once.
    """

    def __init__(
        self,
        client: Client,
        status: match_pb2.MatchStatus,
        *,
        match_id: str,
        token: str,
        seat: int | None = None,
        seat_tokens: tuple[str, ...] = (),
    ) -> None:
        self._client = client
        self._game, self._seats = status.game, status.seats
        self._id: dict[str, Any] = {"match_id": match_id, "token": token}
        self._seat = seat
        self._seat_tokens = seat_tokens
        self._log: list[dict[str, Any]] = []
        self._log_lock = threading.Lock()

    @property
    def match_id(self) -> str:
        """Id of the match on its server."""
        return str(self._id["match_id"])

    @property
    def token(self) -> str:
        """The secret that lets this object at the match."""
        return str(self._id["token"])

    @property
    def seat_tokens(self) -> tuple[str, ...]:
        """The secret of each seat, to be handed to who plays it; known only where the match was begun."""
        return self._seat_tokens

    @property
    def seat(self) -> int | None:
        """The seat this object plays for, or None for the owner, who may play for all."""
        return self._seat

    @property
    def game(self) -> str:
        """Name of the game."""
        return self._game

    @property
    def seats(self) -> int:
        """Seats at the table."""
        return self._seats

    def _status(self) -> match_pb2.MatchStatus:
        response: match_pb2.GetMatchResponse = self._client.ask_match(
            "GetMatch", match_pb2.GetMatchRequest(**self._id)
        )
        return response.status

    def _record(self) -> match_pb2.GetRecordResponse:
        response: match_pb2.GetRecordResponse = self._client.ask_match(
            "GetRecord", match_pb2.GetRecordRequest(**self._id)
        )
        return response

    @property
    def seed(self) -> int:
        """Seed of all chance; for the owner."""
        return self._record().seed

    @property
    def match_index(self) -> int:
        """Number of the match under its seed; for the owner."""
        return self._record().match_index

    @property
    def setup(self) -> dict[str, Any]:
        """Options of the game as they were given; for the owner."""
        return convert.table_from_json("setup_json", self._record().setup_json)

    @property
    def to_act(self) -> int | None:
        """Seat that decides next, or None once the match is over."""
        status = self._status()
        return status.to_act if status.HasField("to_act") else None

    @property
    def over(self) -> bool:
        """Whether nobody decides any more."""
        return self.to_act is None

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None before."""
        status = self._status()
        return convert.outcome_from_proto(status.outcome) if status.HasField("outcome") else None

    @property
    def decisions(self) -> int:
        """Decisions taken."""
        return self._status().decisions

    @property
    def history(self) -> list[int]:
        """Index of every action played; for the owner."""
        return list(self._record().history)

    @property
    def digest(self) -> int:
        """64 bits that tell states apart, the same on every machine; for the owner."""
        return self._record().digest

    @property
    def dice_left(self) -> int | None:
        """Scripted dice that are not used yet, or None without a script; for the owner."""
        record = self._record()
        return record.dice_left if record.HasField("dice_left") else None

    @property
    def log(self) -> list[dict[str, Any]]:
        """What happened for everybody to see, in order."""
        with self._log_lock:  # several threads may look at once, and each event is added once
            request = match_pb2.GetLogRequest(**self._id, first_event=len(self._log))
            response: match_pb2.GetLogResponse = self._client.ask_match("GetLog", request)
            self._log += [convert.table_from_json("events_json", event) for event in response.events_json]
            return list(self._log)

    def _legal(self) -> match_pb2.ListLegalActionsResponse:
        response: match_pb2.ListLegalActionsResponse = self._client.ask_match(
            "ListLegalActions", match_pb2.ListLegalActionsRequest(**self._id)
        )
        return response

    def legal_actions(self) -> list[Action]:
        """Gives the legal actions in table order, if it is the turn of who asks."""
        return [convert.action_from_proto(action) for action in self._legal().actions]

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Says of each action of the table whether it is legal, if it is the turn of who asks."""
        return convert.mask_from_proto(self._legal())

    def play(
        self,
        action: SupportsIndex,
        seat: int | None = None,
        *,
        expected_decisions: int | None = None,
    ) -> None:
        """Plays an action, or the action of an index; with `seat`, only if that seat is to act.

        With `expected_decisions`, only if so many decisions are taken, so that nobody plays on what he saw
        before somebody else did. A refused action changes nothing.
        """
        self._client.ask_match(
            "Play", convert.play_to_proto(self.match_id, self.token, action, seat, expected_decisions)
        )

    def state(self) -> dict[str, Any]:
        """Gives everything, also what is hidden, as plain names and numbers; for the owner."""
        if self._seat is not None:
            details = {"seat": str(self._seat), "wish": "the state"}
            message = f"the state is for the owner of the match, not for seat {self._seat}"
            raise NotAllowedError(message, details)
        return self._view(None)

    def view(self, seat: int) -> dict[str, Any]:
        """Gives what a seat may see, in the shape of `state`."""
        return self._view(index(seat))

    def _view(self, seat: int | None) -> dict[str, Any]:
        request = match_pb2.GetViewRequest(**self._id, seat=convert.seat_to_proto(seat))
        response: match_pb2.GetViewResponse = self._client.ask_match("GetView", request)
        return convert.table_from_json("view_json", response.view_json)

    def observe(self, seat: int) -> npt.NDArray[np.uint8]:
        """Gives what a seat may see, as an array of fixed size."""
        request = match_pb2.GetObservationRequest(**self._id, seat=convert.seat_to_proto(seat))
        response: match_pb2.GetObservationResponse = self._client.ask_match("GetObservation", request)
        return np.frombuffer(bytearray(response.observation), np.uint8)

    def picture(self, seat: int | None = None) -> Picture:
        """Draws the board: everything that this object may see, or what a seat may see."""
        request = match_pb2.GetPictureRequest(**self._id, seat=convert.seat_to_proto(seat))
        response: match_pb2.GetPictureResponse = self._client.ask_match("GetPicture", request)
        return Picture(response.svg)

    def sketch(self, seat: int | None = None) -> Sketch:
        """Draws the board for a terminal; empty where a few lines would not do."""
        request = match_pb2.GetPictureRequest(**self._id, seat=convert.seat_to_proto(seat))
        response: match_pb2.GetPictureResponse = self._client.ask_match("GetPicture", request)
        return convert.sketch_from_json(response.sketch_json)

    def count_sequences(self, length: int, limit: int = 10_000_000) -> int:
        """Counts the sequences of legal decisions of this length, in this process; for the owner."""
        return Match.load(self.save()).count_sequences(length, limit)

    def clone(self) -> RemoteMatch:
        """Gives a copy on the same server that goes its own way, with tokens of its own; for the owner."""
        return self._client.load_match(self.save())

    def save(self) -> bytes:
        """Gives the match as bytes, for `Match.load` and `Client.load_match`; for the owner."""
        request = match_pb2.SaveMatchRequest(**self._id)
        response: match_pb2.SaveMatchResponse = self._client.ask_match("SaveMatch", request)
        return response.data

    def replay(self) -> str:
        """Gives the match as a text that a person can read; for the owner."""
        request = match_pb2.GetReplayRequest(**self._id)
        response: match_pb2.GetReplayResponse = self._client.ask_match("GetReplay", request)
        return response.replay

    def close(self) -> None:
        """Lets the server forget the match, if this object is its owner's; a seat only turns away."""
        if self._seat is None:
            try:
                self._client.ask_match("DeleteMatch", match_pb2.DeleteMatchRequest(**self._id))
            except MatchNotFoundError:
                return  # forgotten already

    def __enter__(self) -> RemoteMatch:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.close()
        except SengokuError:
            if kind is None:  # otherwise what went wrong first is what counts
                raise

    def __repr__(self) -> str:
        who = "its owner" if self._seat is None else f"seat {self._seat}"
        return f"<RemoteMatch of {self.game}, {self.seats} seats, {self.match_id}, for {who}>"


class RemoteCubeTower:
    """A cube tower whose throws a server makes; the server keeps nothing, the tower travels along."""

    def __init__(self, client: Client, device: CubeTower) -> None:
        self._client = client
        self._device = device
        self._last_throw: dict[str, Any] | None = None

    def throw(self, cubes: Cubes) -> dict[str, int]:
        """Throws cubes by colour into the tower and gives what lies in the tray."""
        request = tower_service_pb2.ThrowRequest(
            data=self._device.save(), cubes=convert.cubes_to_proto("cubes", cubes)
        )
        response = self._client.ask_tower(request)
        self._device = CubeTower.load(response.data)
        self._last_throw = convert.motion_from_proto(response)
        return convert.cubes_from_proto(response.tray)

    @property
    def contents(self) -> dict[str, int]:
        """Cubes inside by colour, those that are there."""
        return self._device.contents

    @property
    def shelves(self) -> tuple[tuple[str, ...], ...]:
        """Cubes on each shelf, the upper one first, the oldest cube first."""
        return self._device.shelves

    @property
    def throws(self) -> int:
        """Throws made so far."""
        return self._device.throws

    @property
    def model(self) -> str:
        """Name of the model."""
        return self._device.model

    @property
    def last_throw(self) -> dict[str, Any] | None:
        """How the motion of the last throw of a rigid tower went."""
        return self._last_throw

    def clone(self) -> RemoteCubeTower:
        """Gives a tower of its own in the same state."""
        return RemoteCubeTower(self._client, self._device.clone())

    def save(self) -> bytes:
        """Gives the tower as bytes, for `CubeTower.load`."""
        return self._device.save()

    def __len__(self) -> int:
        return len(self._device)

    def __bool__(self) -> bool:
        return True
