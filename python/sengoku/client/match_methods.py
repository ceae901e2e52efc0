"""What can be done with one match on a server, with the methods and properties of `Match`."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from operator import index
from typing import Any, Generic, Literal, SupportsIndex, TypeVar

import numpy as np
import numpy.typing as npt

from sengoku.client._flow import Call, Flow, method, remote_property
from sengoku.client.watching import WatchMethods
from sengoku.engine.actions import Action
from sengoku.engine.frames import Viewer
from sengoku.engine.match import Match
from sengoku.engine.pictures import Picture, Sketch
from sengoku.engine.result import Outcome
from sengoku.engine.scripts import check_left
from sengoku.engine.story import Story
from sengoku.engine.talk import Message, Proposal, said_to_json
from sengoku.errors import ArgumentError, MatchNotFoundError, NotAllowedError
from sengoku.v1 import match_service_pb2 as pb2
from sengoku.wire.matches import (
    action_from_proto,
    list_messages_to_proto,
    mask_from_proto,
    message_from_proto,
    outcome_from_proto,
    play_to_proto,
    said_to_proto,
    seat_to_proto,
    sketch_from_json,
    story_from_proto,
    story_to_proto,
)
from sengoku.wire.values import table_from_json

A = TypeVar("A")
MatchT = TypeVar("MatchT")


def wait_for_bots(status: pb2.MatchStatus, access: Mapping[str, Any]) -> Flow[None]:
    """Wait until no bot of a match decides."""
    while status.bot_to_act:
        response: pb2.GetMatchResponse = yield Call(pb2.GetMatchRequest(**access, wait=True))
        status = response.status


class MatchMethods(WatchMethods, Generic[MatchT]):
    """The methods that `RemoteMatch` and `AsyncRemoteMatch` share."""

    def __init__(
        self,
        client: Any,
        status: pb2.MatchStatus,
        *,
        match_id: str,
        token: str,
        seat: int | None = None,
        seat_tokens: tuple[str, ...] = (),
        spectator_token: str = "",
        spectator: bool = False,
    ) -> None:
        super().__init__(client)
        self._game, self._seats = status.game, status.seats
        self._seat, self._seat_tokens = seat, seat_tokens
        self._spectator, self._spectator_token = spectator, spectator_token
        self._id: dict[str, Any] = {"match_id": match_id, "token": token}
        self._log: list[dict[str, Any]] = []
        self._log_lock = threading.Lock()

    @property
    def match_id(self) -> str:
        """Id of the match on its server."""
        return str(self._id["match_id"])

    @property
    def token(self) -> str:
        """The secret token that gives this object access to the match."""
        return str(self._id["token"])

    @property
    def seat_tokens(self) -> tuple[str, ...]:
        """The secret token of each seat, for its player; known only to the object that created the match."""
        return self._seat_tokens

    @property
    def spectator_token(self) -> str:
        """The secret token for spectators; known only to the object that created the match."""
        return self._spectator_token

    @property
    def seat(self) -> int | None:
        """The seat that this object plays for; None for spectators and for the owner, who plays for all."""
        return self._seat

    @property
    def spectator(self) -> bool:
        """Whether this object only watches: it sees what everybody may see."""
        return self._spectator

    @property
    def game(self) -> str:
        """Name of the game."""
        return self._game

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self._seats

    def _status(self, read: Callable[[pb2.MatchStatus], A]) -> Call[A]:
        return Call(pb2.GetMatchRequest(**self._id), lambda response: read(response.status))

    def _record(self, read: Callable[[pb2.GetRecordResponse], A]) -> Call[A]:
        return Call(pb2.GetRecordRequest(**self._id), read)

    @remote_property
    def seed(self) -> Call[int]:
        """Random seed; for the owner."""
        return self._record(lambda record: record.seed)

    @remote_property
    def match_index(self) -> Call[int]:
        """Number of the match under its seed; for the owner."""
        return self._record(lambda record: record.match_index)

    @remote_property
    def setup(self) -> Call[dict[str, Any]]:
        """Options of the game as they were given; for the owner."""
        return self._record(lambda record: table_from_json("setup_json", record.setup_json))

    @remote_property
    def bots(self) -> Call[dict[int, str]]:
        """Bots of the seats that the server plays."""
        return self._status(lambda status: dict(status.bots))

    @remote_property
    def to_act(self) -> Call[int | None]:
        """Seat that decides next, or None once the match is over."""
        return self._status(lambda status: status.to_act if status.HasField("to_act") else None)

    @remote_property
    def over(self) -> Call[bool]:
        """Whether the match is over."""
        return self._status(lambda status: not status.HasField("to_act"))

    @remote_property
    def outcome(self) -> Call[Outcome | None]:
        """How the match ended, or None before its end."""
        return self._status(
            lambda status: outcome_from_proto(status.outcome) if status.HasField("outcome") else None
        )

    @remote_property
    def decisions(self) -> Call[int]:
        """Number of decisions taken."""
        return self._status(lambda status: status.decisions)

    @remote_property
    def history(self) -> Call[list[int]]:
        """Index of every action played; for the owner."""
        return self._record(lambda record: list(record.history))

    @remote_property
    def digest(self) -> Call[int]:
        """64-bit hash of the state, the same on every machine; for the owner."""
        return self._record(lambda record: record.digest)

    @remote_property
    def dice_left(self) -> Call[int | None]:
        """Scripted dice that are not used yet, or None without a script; for the owner."""
        return self._record(lambda record: record.dice_left if record.HasField("dice_left") else None)

    @remote_property
    def scripts_left(self) -> Call[dict[str, int]]:
        """What of each script is not used yet, as `Match.scripts_left`; for the owner."""
        return self._record(lambda record: dict(record.scripts_left))

    @method
    def check_scripts(self) -> Call[None]:
        """Raise `DiceScriptError` if a script is not used up; for the owner."""
        return self._record(lambda record: check_left(record.scripts_left))

    @remote_property
    def log(self) -> Call[list[dict[str, Any]]]:
        """Public events, in order."""
        first = len(self._log)

        def decode(response: pb2.GetLogResponse) -> list[dict[str, Any]]:
            events = [table_from_json("events_json", event) for event in response.events_json]
            with self._log_lock:  # concurrent reads add each event once
                self._log += events[len(self._log) - first :]
                return list(self._log)

        return Call(pb2.GetLogRequest(**self._id, first_event=first), decode)

    @method
    def legal_actions(self) -> Call[list[Action]]:
        """List the legal actions in table order, if it is this object's turn."""
        return Call(
            pb2.ListLegalActionsRequest(**self._id),
            lambda response: [action_from_proto(action) for action in response.actions],
        )

    @method
    def legal_mask(self) -> Call[npt.NDArray[np.bool_]]:
        """Return the mask of legal actions over the action table, if it is this object's turn."""
        return Call(pb2.ListLegalActionsRequest(**self._id), mask_from_proto)

    @method
    def play(
        self, action: SupportsIndex, seat: int | None = None, *, expected_decisions: int | None = None
    ) -> Flow[None]:
        """Play an action or the action of an index; with `seat`, only if that seat is to act.

        With `expected_decisions`, only if that many decisions have been taken, so that no action is based on
        an outdated state. A rejected action changes nothing. The bots answer before this returns.
        """
        response: pb2.PlayResponse = yield Call(
            play_to_proto(**self._id, action=action, seat=seat, expected_decisions=expected_decisions)
        )
        yield from wait_for_bots(response.status, self._id)

    @method
    def state(self) -> Call[dict[str, Any]]:
        """Return the full state, including hidden information, as plain values; for the owner."""
        if self.seat is not None or self.spectator:
            who = "spectators" if self.spectator else f"seat {self.seat}"
            details = {"seat": "none" if self.spectator else str(self.seat), "wish": "the state"}
            raise NotAllowedError(f"only the owner of the match may read the state, not {who}", details)
        return self._view(None)

    @method
    def view(self, seat: int | Literal["public"]) -> Call[dict[str, Any]]:
        """Return what a seat may see, or for spectators with "public" what everybody may see."""
        if seat == "public":
            if not self.spectator:
                raise ArgumentError(
                    "seat is 'public', which is for spectators: join with the spectator token",
                    {"field": "seat", "value": "public"},
                )
            return self._view(None)
        return self._view(index(seat))

    def _view(self, seat: int | None) -> Call[dict[str, Any]]:
        request = pb2.GetViewRequest(**self._id, seat=seat_to_proto(seat))
        return Call(request, lambda response: table_from_json("view_json", response.view_json))

    @method
    def observe(self, seat: int) -> Call[npt.NDArray[np.uint8]]:
        """Return what a seat may see, as an array of fixed size."""
        request = pb2.GetObservationRequest(**self._id, seat=seat_to_proto(seat))
        return Call(request, lambda response: np.frombuffer(bytearray(response.observation), np.uint8))

    @method
    def picture(self, seat: int | None = None) -> Call[Picture]:
        """Draw the board: all that this object may see, or what a seat may see."""
        request = pb2.GetPictureRequest(**self._id, seat=seat_to_proto(seat))
        return Call(request, lambda response: Picture(response.svg))

    @method
    def sketch(self, seat: int | None = None) -> Call[Sketch]:
        """Draw the board for a terminal: all that this object may see, or what a seat may see."""
        request = pb2.GetPictureRequest(**self._id, seat=seat_to_proto(seat))
        return Call(request, lambda response: sketch_from_json(response.sketch_json))

    @method
    def story(
        self, seat: int | None = None, since: int = 0, *, until: int | None = None, long: bool = False
    ) -> Call[Story]:
        """Tell what happened in sentences, as `Match.story`: all this object may see, or what a seat may."""
        request = story_to_proto(**self._id, seat=seat, since=since, until=until, long=long)
        return Call(request, story_from_proto)

    @method
    def say(
        self,
        seat: SupportsIndex,
        text: str = "",
        *,
        to: Iterable[SupportsIndex] | SupportsIndex | None = None,
        proposal: Proposal | None = None,
        answers: SupportsIndex | None = None,
        accepts: bool | None = None,
    ) -> Call[Message]:
        """Say something in the name of a seat, as `Match.say`; return the message as this seat sees it."""
        row = json.loads(said_to_json(seat, text, to=to, proposal=proposal, answers=answers, accepts=accepts))
        if row.get("to") == []:
            raise ArgumentError("to: at least one other seat is needed", {"field": "to"})
        request = pb2.SayInMatchRequest(**self._id, seat=row["seat"], said=said_to_proto(row))
        return Call(request, lambda response: message_from_proto(response.message))

    @method
    def messages(self, seat: Viewer = None, since: SupportsIndex = 0) -> Call[list[Message]]:
        """List messages behind number `since`: all that this object may read, or what a seat may read."""
        public = seat == "public"
        viewer = None if public else seat
        request = list_messages_to_proto(**self._id, seat=viewer, since=since, public=public)
        return Call(request, lambda response: [message_from_proto(row) for row in response.messages])

    @method
    def start_analysis(
        self,
        *,
        iterations: int | None = None,
        luck: int | None = None,
        cards: str = "seat",
        seat: int | None = None,
        seed: int = 0,
        horizon: int | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Call[Any]:
        """Start the analysis of the match so far on the server and return it, like `Match.analyse`.

        The owner may have all decisions analysed; a seat has its own, with nothing that it may not know.
        """
        started: Call[Any] = self._client._start(
            {"open": {**self._id}},
            request_id,
            timeout,
            iterations=iterations,
            luck=luck,
            cards=cards,
            seat=seat,
            seed=seed,
            horizon=horizon,
        )
        return started

    @method
    def count_sequences(self, length: int, limit: int = 10_000_000) -> Flow[int]:
        """Count the sequences of legal decisions of this length, in this process; for the owner."""
        data = yield MatchMethods.save.__wrapped__(self)
        return Match.load(data).count_sequences(length, limit)

    @method
    def clone(self) -> Flow[MatchT]:
        """Create an independent copy on the same server, with its own tokens; for the owner."""
        data = yield MatchMethods.save.__wrapped__(self)
        match: MatchT = yield from self._client._create(pb2.LoadMatchRequest(data=data))
        return match

    @method
    def resample(self, seat: int, seed: int = 0) -> Flow[MatchT]:
        """Create a match on the same server that `seat` cannot distinguish from this one; for the owner."""
        data = yield MatchMethods.save.__wrapped__(self)
        data = Match.load(data).resample(seat, seed).save()
        match: MatchT = yield from self._client._create(pb2.LoadMatchRequest(data=data))
        return match

    @method
    def rewound(self, decisions: int) -> Flow[MatchT]:
        """Create the match as it stood after a number of decisions, on the same server; for the owner."""
        data = yield MatchMethods.save.__wrapped__(self)
        data = Match.load(data).rewound(decisions).save()
        match: MatchT = yield from self._client._create(pb2.LoadMatchRequest(data=data))
        return match

    @method
    def save(self) -> Call[bytes]:
        """Return the match as bytes, for `Match.load` and `Client.load_match`; for the owner."""
        return Call(pb2.SaveMatchRequest(**self._id), lambda response: response.data)

    @method
    def replay(self) -> Call[str]:
        """Return the match as readable text; for the owner."""
        return Call(pb2.GetReplayRequest(**self._id), lambda response: response.replay)

    @method
    def close(self) -> Flow[None]:
        """Delete the match from the server if this object is the owner's; else do nothing."""
        if self.seat is None and not self.spectator:
            with suppress(MatchNotFoundError):  # already deleted
                yield Call(pb2.DeleteMatchRequest(**self._id))

    def __repr__(self) -> str:
        who = "its owner" if self.seat is None else f"seat {self.seat}"
        who = "spectators" if self.spectator else who
        kind = type(self).__name__
        return f"<{kind} of {self.game}, {self.seats} seats, {self.match_id}, for {who}>"
