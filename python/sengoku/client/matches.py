"""Matches, towers and runs on a server, with the methods and properties of those in this process."""

from __future__ import annotations

import logging
import math
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, Literal, Self, SupportsIndex, TypeVar

import numpy as np
import numpy.typing as npt
from google.longrunning import operations_pb2
from google.protobuf import duration_pb2

from sengoku._core import Cancel
from sengoku.bots.bot import Playing
from sengoku.bots.host import Over
from sengoku.client._flow import (
    Ask,
    Awaited,
    Blocking,
    Gifts,
    Give,
    Next,
    Patience,
    Send,
    Sleep,
    Steps,
    Stream,
    ask,
    asked,
    asked_property,
    given,
)
from sengoku.engine.match import Action, Match, Outcome, Picture, Sketch
from sengoku.engine.progress import Progress, watching
from sengoku.engine.report import MatchReport
from sengoku.engine.run_status import RunStatus, RunSummary
from sengoku.errors import (
    ArgumentError,
    CancelledError,
    DeadlineError,
    DecodeError,
    MatchNotFoundError,
    NotAllowedError,
    RunNotOverError,
    SengokuError,
    UnavailableError,
)
from sengoku.tower import Cubes, CubeTower
from sengoku.v1 import match_service_pb2 as match_pb2
from sengoku.v1 import player_service_pb2, simulation_service_pb2, tower_service_pb2
from sengoku.wire import convert

if TYPE_CHECKING:
    from sengoku.client.client import AsyncClient, Client

__all__ = [
    "AsyncRemoteCubeTower",
    "AsyncRemoteMatch",
    "AsyncRemoteRun",
    "RemoteCubeTower",
    "RemoteMatch",
    "RemoteRun",
]

_log = logging.getLogger(__name__)
ClientT = TypeVar("ClientT", bound="Client | AsyncClient")
MatchT = TypeVar("MatchT")


class Remote(Generic[ClientT]):
    """Something that a client asks a server about; its answers come as those of the client do."""

    _client: ClientT

    @property
    def _door(self) -> Any:
        return self._client._door


class _MatchCalls(Remote[ClientT], Generic[ClientT, MatchT]):
    """The methods that `RemoteMatch` and `AsyncRemoteMatch` share."""

    def __init__(
        self,
        client: ClientT,
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

    def _status(self) -> Steps[match_pb2.MatchStatus]:
        response: match_pb2.GetMatchResponse = yield from ask(match_pb2.GetMatchRequest(**self._id))
        return response.status

    def _record(self) -> Steps[match_pb2.GetRecordResponse]:
        response: match_pb2.GetRecordResponse = yield from ask(match_pb2.GetRecordRequest(**self._id))
        return response

    @asked_property
    def seed(self) -> Steps[int]:
        """Seed of all chance; for the owner."""
        record = yield from self._record()
        return record.seed

    @asked_property
    def match_index(self) -> Steps[int]:
        """Number of the match under its seed; for the owner."""
        record = yield from self._record()
        return record.match_index

    @asked_property
    def setup(self) -> Steps[dict[str, Any]]:
        """Options of the game as they were given; for the owner."""
        record = yield from self._record()
        return convert.table_from_json("setup_json", record.setup_json)

    @asked_property
    def to_act(self) -> Steps[int | None]:
        """Seat that decides next, or None once the match is over."""
        status = yield from self._status()
        return status.to_act if status.HasField("to_act") else None

    @asked_property
    def over(self) -> Steps[bool]:
        """Whether nobody decides any more."""
        status = yield from self._status()
        return not status.HasField("to_act")

    @asked_property
    def outcome(self) -> Steps[Outcome | None]:
        """How the match ended, or None before."""
        status = yield from self._status()
        return convert.outcome_from_proto(status.outcome) if status.HasField("outcome") else None

    @asked_property
    def decisions(self) -> Steps[int]:
        """Decisions taken."""
        status = yield from self._status()
        return status.decisions

    @asked_property
    def history(self) -> Steps[list[int]]:
        """Index of every action played; for the owner."""
        record = yield from self._record()
        return list(record.history)

    @asked_property
    def digest(self) -> Steps[int]:
        """64 bits that tell states apart, the same on every machine; for the owner."""
        record = yield from self._record()
        return record.digest

    @asked_property
    def dice_left(self) -> Steps[int | None]:
        """Scripted dice that are not used yet, or None without a script; for the owner."""
        record = yield from self._record()
        return record.dice_left if record.HasField("dice_left") else None

    @asked_property
    def log(self) -> Steps[list[dict[str, Any]]]:
        """What happened for everybody to see, in order."""
        first = len(self._log)
        request = match_pb2.GetLogRequest(**self._id, first_event=first)
        response: match_pb2.GetLogResponse = yield from ask(request)
        events = [convert.table_from_json("events_json", event) for event in response.events_json]
        with self._log_lock:  # several may look at once, and each event is added once
            self._log += events[len(self._log) - first :]
            return list(self._log)

    def _legal(self) -> Steps[match_pb2.ListLegalActionsResponse]:
        response: match_pb2.ListLegalActionsResponse = yield from ask(
            match_pb2.ListLegalActionsRequest(**self._id)
        )
        return response

    @asked
    def legal_actions(self) -> Steps[list[Action]]:
        """Gives the legal actions in table order, if it is the turn of who asks."""
        legal = yield from self._legal()
        return [convert.action_from_proto(action) for action in legal.actions]

    @asked
    def legal_mask(self) -> Steps[npt.NDArray[np.bool_]]:
        """Says of each action of the table whether it is legal, if it is the turn of who asks."""
        legal = yield from self._legal()
        return convert.mask_from_proto(legal)

    @asked
    def play(
        self,
        action: SupportsIndex,
        seat: int | None = None,
        *,
        expected_decisions: int | None = None,
    ) -> Steps[None]:
        """Plays an action, or the action of an index; with `seat`, only if that seat is to act.

        With `expected_decisions`, only if so many decisions are taken, so that nobody plays on what he saw
        before somebody else did. A refused action changes nothing.
        """
        yield from ask(convert.play_to_proto(self.match_id, self.token, action, seat, expected_decisions))

    @asked
    def state(self) -> Steps[dict[str, Any]]:
        """Gives everything, also what is hidden, as plain names and numbers; for the owner."""
        if self._seat is not None:
            details = {"seat": str(self._seat), "wish": "the state"}
            message = f"the state is for the owner of the match, not for seat {self._seat}"
            raise NotAllowedError(message, details)
        view = yield from self._view(None)
        return view

    @asked
    def view(self, seat: int) -> Steps[dict[str, Any]]:
        """Gives what a seat may see, in the shape of `state`."""
        view = yield from self._view(index(seat))
        return view

    def _view(self, seat: int | None) -> Steps[dict[str, Any]]:
        request = match_pb2.GetViewRequest(**self._id, seat=convert.seat_to_proto(seat))
        response: match_pb2.GetViewResponse = yield from ask(request)
        return convert.table_from_json("view_json", response.view_json)

    @asked
    def observe(self, seat: int) -> Steps[npt.NDArray[np.uint8]]:
        """Gives what a seat may see, as an array of fixed size."""
        request = match_pb2.GetObservationRequest(**self._id, seat=convert.seat_to_proto(seat))
        response: match_pb2.GetObservationResponse = yield from ask(request)
        return np.frombuffer(bytearray(response.observation), np.uint8)

    @asked
    def picture(self, seat: int | None = None) -> Steps[Picture]:
        """Draws the board: everything that this object may see, or what a seat may see."""
        request = match_pb2.GetPictureRequest(**self._id, seat=convert.seat_to_proto(seat))
        response: match_pb2.GetPictureResponse = yield from ask(request)
        return Picture(response.svg)

    @asked
    def sketch(self, seat: int | None = None) -> Steps[Sketch]:
        """Draws the board for a terminal; empty where a few lines would not do."""
        request = match_pb2.GetPictureRequest(**self._id, seat=convert.seat_to_proto(seat))
        response: match_pb2.GetPictureResponse = yield from ask(request)
        return convert.sketch_from_json(response.sketch_json)

    @asked
    def count_sequences(self, length: int, limit: int = 10_000_000) -> Steps[int]:
        """Counts the sequences of legal decisions of this length, in this process; for the owner."""
        data = yield from self._save()
        return Match.load(data).count_sequences(length, limit)

    @asked
    def clone(self) -> Steps[MatchT]:
        """Gives a copy on the same server that goes its own way, with tokens of its own; for the owner."""
        data = yield from self._save()
        match: MatchT = yield from self._client._owned(match_pb2.LoadMatchRequest(data=data))
        return match

    @asked
    def resample(self, seat: int, seed: int = 0) -> Steps[MatchT]:
        """Gives a match on the same server that `seat` cannot tell from this one; for the owner."""
        data = yield from self._save()
        data = Match.load(data).resample(seat, seed).save()
        match: MatchT = yield from self._client._owned(match_pb2.LoadMatchRequest(data=data))
        return match

    @asked
    def save(self) -> Steps[bytes]:
        """Gives the match as bytes, for `Match.load` and `Client.load_match`; for the owner."""
        data = yield from self._save()
        return data

    def _save(self) -> Steps[bytes]:
        response: match_pb2.SaveMatchResponse = yield from ask(match_pb2.SaveMatchRequest(**self._id))
        return response.data

    @asked
    def replay(self) -> Steps[str]:
        """Gives the match as a text that a person can read; for the owner."""
        response: match_pb2.GetReplayResponse = yield from ask(match_pb2.GetReplayRequest(**self._id))
        return response.replay

    @asked
    def close(self) -> Steps[None]:
        """Lets the server forget the match, if this object is its owner's; a seat only turns away."""
        if self._seat is None:
            with suppress(MatchNotFoundError):  # forgotten already
                yield from ask(match_pb2.DeleteMatchRequest(**self._id))

    def __repr__(self) -> str:
        who = "its owner" if self._seat is None else f"seat {self._seat}"
        kind = type(self).__name__
        return f"<{kind} of {self.game}, {self.seats} seats, {self.match_id}, for {who}>"


class RemoteMatch(_MatchCalls["Client", "RemoteMatch"], Blocking):
    """A match on a server, for its owner or for one seat.

    `Client.create_match`, `Client.load_match` and `Client.match_from_replay` give the owner's, and
    `Client.join_match` gives that of a token. A seat may see and play for itself alone; whatever else it asks
    raises `NotAllowedError`. Properties ask the server, so what others play is seen at once.
    """

    def __enter__(self) -> RemoteMatch:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with _first_counts(kind):
            self.close()


class AsyncRemoteMatch(_MatchCalls["AsyncClient", "AsyncRemoteMatch"], Awaited):
    """The same as `RemoteMatch` for an `AsyncClient`: what asks the server is awaited, properties too."""

    async def __aenter__(self) -> AsyncRemoteMatch:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with _first_counts(kind):
            await self.close()


@contextmanager
def _first_counts(kind: type[BaseException] | None) -> Iterator[None]:
    """Leaves out what goes wrong at the end where something went wrong before: that is what counts."""
    try:
        yield
    except SengokuError:
        if kind is None:
            raise


class _TowerCalls(Remote[ClientT]):
    """The methods that `RemoteCubeTower` and `AsyncRemoteCubeTower` share."""

    def __init__(self, client: ClientT, device: CubeTower) -> None:
        self._client = client
        self._device = device
        self._last_throw: dict[str, Any] | None = None

    @asked
    def throw(self, cubes: Cubes) -> Steps[dict[str, int]]:
        """Throws cubes by colour into the tower and gives what lies in the tray."""
        request = tower_service_pb2.ThrowRequest(
            data=self._device.save(), cubes=convert.cubes_to_proto("cubes", cubes)
        )
        response: tower_service_pb2.ThrowResponse = yield from ask(request)
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

    def clone(self) -> Self:
        """Gives a tower of its own in the same state."""
        return type(self)(self._client, self._device.clone())

    def save(self) -> bytes:
        """Gives the tower as bytes, for `CubeTower.load`."""
        return self._device.save()

    def __len__(self) -> int:
        return len(self._device)

    def __bool__(self) -> bool:
        return True


class RemoteCubeTower(_TowerCalls["Client"], Blocking):
    """A cube tower whose throws a server makes; the server keeps nothing, the tower travels along."""


class AsyncRemoteCubeTower(_TowerCalls["AsyncClient"], Awaited):
    """The same for an `AsyncClient`: a throw is awaited."""


_AWAY_SECONDS = 60.0
"""How long a server may be away, as when it is started anew, before who waits for a run gives up."""
_TICK_SECONDS = 0.25
"""How often somebody who watches a bar wants to see it move."""
_LONG_SECONDS = 10.0
"""How long a call waits for a run while nobody watches."""
_FORMATS = {
    "arrow": simulation_service_pb2.ROW_FORMAT_ARROW,
    "parquet": simulation_service_pb2.ROW_FORMAT_PARQUET,
}


class Away:
    """Bears with a server that is away for a while; whatever else goes wrong is raised."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._tries = 0
        self._slept = 0.0

    def back(self) -> None:
        """Notes that the server answers."""
        self._tries, self._slept = 0, 0.0

    def bear(self, error: SengokuError) -> Steps[None]:
        """Waits a little after an error that may pass, longer each time; raises any other."""
        away = error.status == "UNAVAILABLE"
        if not away or self._slept >= _AWAY_SECONDS or self._patience.left <= 0:
            raise error
        pause = min(5.0, 0.2 * 2**self._tries, self._patience.left) * random.uniform(0.8, 1.2)  # noqa: S311
        self._tries += 1
        self._slept += pause
        yield Sleep(pause)


def until_over(
    name: str, patience: Patience, told: Progress | None = None, cancel: Cancel | None = None
) -> Steps[operations_pb2.Operation]:
    """Waits until a run is over; the server may be started anew meanwhile."""
    away = Away(patience)
    while True:
        wait = min(_LONG_SECONDS if told is None else _TICK_SECONDS, patience.left)
        limit = duration_pb2.Duration()
        limit.FromMilliseconds(round(1e3 * wait))
        try:
            operation: operations_pb2.Operation = yield from ask(
                operations_pb2.WaitOperationRequest(name=name, timeout=limit), wait + 30.0, cancel
            )
        except SengokuError as error:
            yield from away.bear(error)
            continue
        away.back()
        if told is not None:
            status = convert.run_status_from_proto(operation)
            told(status.matches_done, status.match_count)
        if operation.done:
            return operation
        if patience.left <= 0:
            raise DeadlineError(f"{name} is not over yet, it goes on", {"name": name})


def _rows(
    name: str,
    first: int,
    count: int | None,
    patience: Patience,
    take: Callable[[simulation_service_pb2.PackedRows], object],
) -> Steps[None]:
    """Takes the rows of a run part by part, and goes on where it was if the server has to be asked again."""
    away = Away(patience)
    end = None if count is None else first + count
    while end is None or first < end:
        request = simulation_service_pb2.ReadRunRequest(
            name=name,
            format=simulation_service_pb2.ROW_FORMAT_PACKED,
            first_match=first,
            match_count=None if end is None else end - first,
        )
        stream: Stream = yield Ask(request, patience.left)
        try:
            while (message := (yield Next(stream))) is not None:
                part: simulation_service_pb2.PackedRows = message.packed
                if part.first_match != first:
                    details = {"value": str(part.first_match), "expected": str(first)}
                    raise DecodeError(f"rows begin with match {part.first_match}, not {first}", details)
                take(part)
                first += part.match_count
                away.back()
        except SengokuError as error:
            yield from away.bear(error)
        else:
            return
        finally:
            stream.close()


def read_rows(
    operation: operations_pb2.Operation,
    patience: Patience,
    first_match: int | None = None,
    match_count: int | None = None,
) -> Steps[MatchReport]:
    """Gives the report of the rows of a run that are done."""
    wish = simulation_service_pb2.RunMatchesRequest()
    wish.CopyFrom(convert.run_wish_from_proto(operation))
    wish.first_match = wish.first_match if first_match is None else index(first_match)
    parts: list[simulation_service_pb2.PackedRows] = []
    yield from _rows(operation.name, wish.first_match, match_count, patience, parts.append)
    if not parts:
        raise RunNotOverError(f"no such match of {operation.name} is done yet", {"name": operation.name})
    rows, counts = [part.rows for part in parts], [part.match_count for part in parts]
    return convert.report_from_proto(wish, rows, counts)


# Bots of one's own, as players of a server


def play_for(playing: Playing, stop: Cancel | None, told: Callable[[Over], object] | None) -> Steps[None]:
    """Plays for a bot on one stream, until one of both sides leaves."""
    hello = player_service_pb2.ConnectRequest(hello=convert.hello_to_proto(playing))
    stream: Stream = yield Ask(hello, math.inf)
    leaving = False
    try:
        while True:
            if stop is not None and stop.cancelled and not leaving:
                leaving = True
                goodbye = player_service_pb2.PlayerGoodbye()
                yield Send(stream, player_service_pb2.ConnectRequest(goodbye=goodbye))
            try:
                message: player_service_pb2.ConnectResponse | None
                message = yield Next(stream, None if leaving else stop)
            except CancelledError:
                if stop is None or not stop.cancelled:
                    raise
                continue
            if message is None:
                raise UnavailableError("the server ended the stream without a goodbye")
            match message.WhichOneof("message"):
                case "decisions":
                    answers = _decide(playing, message.decisions)
                    yield Send(stream, player_service_pb2.ConnectRequest(answers=answers))
                case "match_over":
                    over = convert.over_from_proto(message.match_over)
                    playing.over(over)
                    if told is not None:
                        told(over)
                case "heartbeat":
                    beat = player_service_pb2.ConnectRequest(heartbeat=message.heartbeat)
                    yield Send(stream, beat)
                case "fault":
                    _log.warning("the bot %s: %s", playing.name, message.fault.message)
                case "goodbye":
                    return
    finally:
        stream.close()


def _decide(
    playing: Playing, message: player_service_pb2.PlayerDecisions
) -> player_service_pb2.PlayerAnswers:
    """Asks a bot; what it cannot decide, or is no action at all, is said so."""
    decisions = [convert.decision_from_proto(decision) for decision in message.decisions]
    answers = player_service_pb2.PlayerAnswers()
    for asked_for, action in zip(message.decisions, playing.decide(decisions), strict=True):
        answer = answers.answers.add(id=asked_for.id)
        if isinstance(action, BaseException):
            answer.failure = f"{type(action).__name__}: {action}"[:200].encode("utf-8", "replace").decode()
            continue
        with suppress(TypeError, ValueError):  # what is no number of an action is none
            answer.action = index(action)
    return answers


class _RunCalls(Remote[ClientT]):
    """The methods that `RemoteRun` and `AsyncRemoteRun` share."""

    def __init__(self, client: ClientT, status: RunStatus) -> None:
        self._client = client
        self._status = status

    @property
    def name(self) -> str:
        """How the server names the run, for `Client.run`."""
        return self._status.name

    @property
    def status(self) -> RunStatus:
        """How the run was when the server was last asked about it; `metadata` asks."""
        return self._status

    def _note(self, operation: operations_pb2.Operation) -> RunStatus:
        self._status = convert.run_status_from_proto(operation)
        return self._status

    def _ask(self, timeout: float | None) -> Steps[operations_pb2.Operation]:
        operation: operations_pb2.Operation = yield from ask(
            operations_pb2.GetOperationRequest(name=self.name), timeout
        )
        self._note(operation)
        return operation

    @asked
    def metadata(self, *, timeout: float | None = None) -> Steps[RunStatus]:
        """Asks how the run is getting on."""
        yield from self._ask(timeout)
        return self._status

    @given
    def watch(self) -> Gifts[RunStatus]:
        """Tells how the run is getting on: at once, whenever something is new, and last when it is over."""
        away = Away(Patience(None))
        request = simulation_service_pb2.WatchRunRequest(name=self.name)
        while True:
            stream: Stream = yield Ask(request, math.inf)
            try:
                while (message := (yield Next(stream))) is not None:
                    away.back()
                    yield Give(self._note(message.operation))
            except SengokuError as error:
                yield from away.bear(error)
            else:
                if self._status.over:
                    return
                yield Sleep(_TICK_SECONDS)  # a server that tells no more, but not because all is told
            finally:
                stream.close()

    @asked
    def wait(
        self,
        timeout: float | None = None,
        *,
        progress: bool | Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Steps[RunSummary]:
        """Waits until the run is over and gives what came of it, or raises what ended it before its time.

        Without `timeout` it waits as long as it takes; a run that takes longer goes on all the same, and so
        does one that is no longer waited for by `cancel`. `progress` is True for a bar, or a function of
        matches done and matches in all. A server that is started anew meanwhile is waited for.
        """
        with watching(progress) as told:
            operation = yield from until_over(self.name, Patience(timeout), told, cancel)
        return self._note(operation).check()

    @asked
    def report(
        self,
        *,
        first_match: int | None = None,
        match_count: int | None = None,
        timeout: float | None = None,
    ) -> Steps[MatchReport]:
        """Gives the report of the run, the same as that of `run_matches`; of what is done if it is not over.

        `first_match` and `match_count` choose a part of it.
        """
        operation = yield from self._ask(None)
        report = yield from read_rows(operation, Patience(timeout), first_match, match_count)
        return report

    @given
    def read(
        self,
        format: Literal["arrow", "parquet"] = "arrow",  # noqa: A002 - that is what it is
        *,
        first_match: int | None = None,
        match_count: int | None = None,
        timeout: float | None = None,
    ) -> Gifts[bytes]:
        """Gives the rows that are done as bytes of an Arrow IPC stream or of a Parquet file, in pieces."""
        if format not in _FORMATS:
            details = {"field": "format", "value": repr(format)}
            raise ArgumentError(f"format is {format!r}, there are {', '.join(_FORMATS)}", details)
        request = simulation_service_pb2.ReadRunRequest(
            name=self.name,
            format=_FORMATS[format],
            first_match=first_match,
            match_count=match_count,
        )
        stream: Stream = yield Ask(request, math.inf if timeout is None else timeout)
        try:
            while (message := (yield Next(stream))) is not None:
                yield Give(message.data)
        finally:
            stream.close()

    @asked
    def save(self, path: str | Path, *, timeout: float | None = None) -> Steps[None]:
        """Writes the rows that are done into a file: .parquet, .arrow, or .csv.

        The server makes the first two; the file is there when all of it is.
        """
        file = Path(path)
        if file.suffix not in (".arrow", ".csv", ".parquet"):
            details = {"field": "path", "value": str(file)}
            raise ArgumentError(f"path is {str(file)!r}, it ends in .parquet, .arrow or .csv", details)
        beside = file.with_name(f".{file.name}.part")
        try:
            with beside.open("wb") as out:
                if file.suffix == ".csv":
                    yield from self._save_csv(out, Patience(timeout))
                else:
                    request = simulation_service_pb2.ReadRunRequest(
                        name=self.name, format=_FORMATS[file.suffix[1:]]
                    )
                    stream: Stream = yield Ask(request, math.inf if timeout is None else timeout)
                    try:
                        while (message := (yield Next(stream))) is not None:
                            out.write(message.data)
                    finally:
                        stream.close()
            beside.replace(file)
        finally:
            beside.unlink(missing_ok=True)

    def _save_csv(self, out: BinaryIO, patience: Patience) -> Steps[None]:
        """Writes lines part by part, so that a large run needs little memory."""
        operation = yield from self._ask(None)
        wish = simulation_service_pb2.RunMatchesRequest()
        wish.CopyFrom(convert.run_wish_from_proto(operation))
        lines = 0

        def write(part: simulation_service_pb2.PackedRows) -> None:
            nonlocal lines
            wish.first_match = part.first_match
            text = convert.report_from_proto(wish, [part.rows], [part.match_count]).to_csv() or ""
            out.write((text.partition("\n")[2] if lines else text).encode())
            lines += part.match_count

        yield from _rows(self.name, wish.first_match, None, patience, write)
        if not lines:
            raise RunNotOverError(f"no match of {self.name} is done yet", {"name": self.name})

    @asked
    def cancel(self, *, timeout: float | None = None) -> Steps[None]:
        """Lets the server stop the run soon; what is done can be read. One that is over does not mind."""
        yield from ask(operations_pb2.CancelOperationRequest(name=self.name), timeout)

    @asked
    def delete(self, *, timeout: float | None = None) -> Steps[None]:
        """Lets the server forget the run, which must be over, and its rows."""
        yield from ask(operations_pb2.DeleteOperationRequest(name=self.name), timeout)

    def __repr__(self) -> str:
        status = self._status
        done = f"{status.matches_done:,} of {status.match_count:,} matches"
        return f"<{type(self).__name__} {self.name} of {status.game}: {status.state}, {done}>"


class RemoteRun(_RunCalls["Client"], Blocking):
    """A run on a server, which goes on whatever becomes of the client.

    `Client.start_run` begins one, `Client.run` and `Client.runs` find those that were begun.
    """


class AsyncRemoteRun(_RunCalls["AsyncClient"], Awaited):
    """The same for an `AsyncClient`: methods are awaited, `watch` and `read` are async iterators."""
