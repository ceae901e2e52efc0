"""What is different from one recording to the next, and what takes its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from google.longrunning import operations_pb2
from google.protobuf import any_pb2, descriptor_pool, message_factory, wrappers_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2

from sengoku.v1 import (
    analysis_service_pb2,
    catalog_service_pb2,
    env_service_pb2,
    match_service_pb2,
    odds_service_pb2,
    player_service_pb2,
    simulation_service_pb2,
    tournament_service_pb2,
    tower_service_pb2,
)
from wire.proxy import Call

FILES = (
    analysis_service_pb2.DESCRIPTOR,
    catalog_service_pb2.DESCRIPTOR,
    env_service_pb2.DESCRIPTOR,
    match_service_pb2.DESCRIPTOR,
    odds_service_pb2.DESCRIPTOR,
    player_service_pb2.DESCRIPTOR,
    simulation_service_pb2.DESCRIPTOR,
    tournament_service_pb2.DESCRIPTOR,
    tower_service_pb2.DESCRIPTOR,
    operations_pb2.DESCRIPTOR,
    health_pb2.DESCRIPTOR,
)
"""The protos whose methods are recorded."""

IDS: dict[str, str] = {
    "sengoku.v1.MatchAccess.match_id": "drawn by the server",
    "sengoku.v1.MatchAccess.owner_token": "a secret, drawn by the server",
    "sengoku.v1.MatchAccess.seat_tokens": "a secret, drawn by the server",
    "sengoku.v1.MatchAccess.spectator_token": "a secret, drawn by the server",
    "sengoku.v1.LiveMatch.match_id": "drawn by the server",
    "sengoku.v1.PlayerDecision.match_id": "drawn by the server",
    "sengoku.v1.PlayerMatchOver.match_id": "drawn by the server",
    "sengoku.v1.StartRunRequest.request_id": "drawn by the client unless the caller gives one",
    "sengoku.v1.CreateTournamentRequest.request_id": "drawn by the client unless the caller gives one",
    "sengoku.v1.AnalyseMatchRequest.request_id": "drawn by the client unless the caller gives one",
    "sengoku.v1.OpenMatch.match_id": "drawn by the server",
    "sengoku.v1.OpenMatch.token": "a secret, drawn by the server",
    "sengoku.v1.MatchAnalysis.name": "drawn by the server",
    "sengoku.v1.Tournament.name": "drawn by the server",
    "sengoku.v1.ListTournamentMatchesResponse.next_page_token": "has a checksum of the tournament's name",
    "sengoku.v1.ListLiveMatchesResponse.next_page_token": "has a checksum of the tournament's name",
    "google.longrunning.Operation.name": "drawn by the server",
}
"""Fields with ids: each id becomes the name of its field and a number, here and in every other text."""

VALUES: dict[str, str] = {
    "google.rpc.Status.message": "wording; the code, the reason and the details are the contract",
    "google.rpc.RetryInfo.retry_delay": "depends on what else the server does",
    "sengoku.v1.PlayerFault.message": "wording; the kind is the contract",
    "sengoku.v1.PlayerDecision.time_left": "a clock",
    "sengoku.v1.PlayedMatch.seconds": "a clock",
    "sengoku.v1.Game.summary": "wording",
    "sengoku.v1.Bot.summary": "wording",
    "sengoku.v1.TowerModel.summary": "wording",
    "sengoku.v1.SpecField.meaning": "wording",
    "sengoku.v1.SpecAction.meaning": "wording",
    "sengoku.v1.TournamentTable.title": "wording",
    "sengoku.v1.TournamentTable.remark": "wording",
    "sengoku.v1.GetVersionResponse.package_version": "changes with every release",
    "sengoku.v1.GetVersionResponse.build_profile": "how this build was made",
    "sengoku.v1.GetVersionResponse.instruction_set": "of this machine",
    "sengoku.v1.GetVersionResponse.threads": "of this machine",
    "sengoku.v1.GetStatusResponse.start_time": "a clock",
    "sengoku.v1.GetStatusResponse.uptime": "a clock",
    "sengoku.v1.GetStatusResponse.store_bytes": "depends on when the store is tidied",
    "sengoku.v1.GamePlay.matches": "a run is under way",
    "sengoku.v1.GamePlay.decisions": "a run is under way",
    "sengoku.v1.RunMetadata.create_time": "a clock",
    "sengoku.v1.RunMetadata.end_time": "a clock",
    "sengoku.v1.MatchAnalysis.create_time": "a clock",
    "sengoku.v1.MatchAnalysis.end_time": "a clock",
    "sengoku.v1.Tournament.create_time": "a clock",
    "sengoku.v1.Tournament.end_time": "a clock",
}
"""Fields whose value is replaced by a fixed one wherever they are set."""

DETAILS: dict[str, str] = {
    "reason": "wording, in part that of libraries",
    "wish": "wording",
}
"""Keys of `google.rpc.ErrorInfo.metadata` whose values are replaced by a fixed one."""

PARTS: dict[str, tuple[re.Pattern[str], str]] = {
    "sengoku.v1.GetStandingsResponse.text": (
        re.compile(r"<svg.*?</svg>", re.DOTALL),
        "strokes of pictures may differ in the last digit between machines",
    ),
}
"""Parts of texts that are left out."""

DROPPED: dict[str, str] = {
    "sengoku.v1.GetStatusResponse.calls": "a call may be counted a moment longer than it takes",
    "sengoku.v1.GetStatusResponse.calls_ended": "depends on how often the server is asked for news",
    "sengoku.v1.GetStatusResponse.calls_failed": "depends on when the player leaves",
    "sengoku.v1.GetStatusResponse.connections": "a connection may be counted a moment longer than it lasts",
    "sengoku.v1.ClientUse.calls": "a call may be counted a moment longer than it takes",
    "sengoku.v1.ClientUse.working": "depends on what runs do at the moment",
    "sengoku.v1.ClientUse.waiting": "depends on what runs do at the moment",
    "sengoku.v1.Scenario.balance": "measured again whenever bots or rules change",
    "sengoku.v1.GetStatusResponse.working": "depends on what runs do at the moment",
    "sengoku.v1.GetStatusResponse.waiting": "depends on what runs do at the moment",
}
"""Fields that are left out, because they may or may not be set."""

PROGRESS: dict[str, tuple[str, ...]] = {
    "sengoku.v1.RunMetadata": (
        "matches_done",
        "matches_per_second",
        "decisions_per_second",
        "time_left",
        "summary",
        "queue_position",
    ),
    "sengoku.v1.MatchAnalysis": ("decisions_done", "queue_position"),
    "sengoku.v1.Tournament": ("round", "matches_done", "matches_due", "matches_per_second", "queue_position"),
}
"""Fields that are left out of a run or a tournament that is not over: they show how fast the machine is.

So does its state, which becomes RUNNING. They are left out of a cancelled one too, unless nothing of it was
played.
"""

LAST_ONLY: dict[str, str] = {
    "/sengoku.v1.AnalysisService/WatchAnalysis": "how often a watcher is told depends on the machine",
    "/sengoku.v1.SimulationService/WatchRun": "how often a watcher is told depends on the machine",
    "/sengoku.v1.TournamentService/WatchTournament": "how often a watcher is told depends on the machine",
}
"""Methods of whose answers only the last one is recorded."""


MERGED: dict[str, str] = {
    "/sengoku.v1.PlayerService/PlayMatches": "matches are told in the order in which they end",
}
"""Methods whose answers are recorded as one, with the matches in order."""

POLLED: dict[str, str] = {
    "/google.longrunning.Operations/WaitOperation": "a client asks again while a run is not over",
    "/sengoku.v1.AnalysisService/GetAnalysis": "a script waits until an analysis is not queued any more",
}
"""Methods that are called again and again in one step, of which only the last call is recorded."""

CLOSED: dict[str, str] = {
    "/sengoku.v1.EnvService/Step": "a client closes its environment",
    "/sengoku.v1.PlayerService/Connect": "a player breaks off",
}
"""Streams that a caller may close: they end with OK or CANCELLED, whichever is faster, and OK is recorded."""

_NOTHING = re.compile("(?!)")
_RANDOM_ID = re.compile(r"[0-9a-f]{32}")
_OVER = ("SUCCEEDED", "FAILED", "CANCELLED")
_ERRORS = (error_details_pb2.ErrorInfo, error_details_pb2.RetryInfo)  # so that the pool knows them


def methods() -> dict[str, MethodDescriptor]:
    """Every method of the protos by its full name."""
    return {
        f"/{service.full_name}/{method.name}": method
        for file in FILES
        for service in file.services_by_name.values()
        for method in service.methods
    }


@dataclass
class Parsed:
    """A call with its messages read."""

    label: str
    method: str
    requests: list[Message]
    responses: list[Message]
    code: str
    status: Message | None


def parse(calls: Iterable[Call]) -> list[Parsed]:
    """Reads the messages of calls; those that cannot be read are left as bytes."""
    known = methods()
    parsed = []
    for call in calls:
        method = known.get(call.method)
        asked = [] if method is None else [_read(method.input_type, data) for data in call.requests]
        told = [] if method is None else [_read(method.output_type, data) for data in call.responses]
        status = _read(status_pb2.Status.DESCRIPTOR, call.details) if call.details else None
        parsed.append(Parsed(call.label, call.method, asked, told, call.code, status))
    return parsed


def _read(descriptor: Descriptor, data: bytes) -> Message:
    message = message_factory.GetMessageClass(descriptor)()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return wrappers_pb2.BytesValue(value=data)
    return message


def unpacked(box: any_pb2.Any) -> Message:
    """The message in a box."""
    name = box.type_url.rpartition("/")[2]
    return _read(descriptor_pool.Default().FindMessageTypeByName(name), box.value)


def is_map(field: FieldDescriptor) -> bool:
    """Whether a field is a map."""
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def normalise(calls: list[Parsed]) -> list[Parsed]:
    """Replaces what is different in every recording; the calls given are changed."""
    kept = [
        call
        for call, later in zip(calls, [*calls[1:], None], strict=True)
        if call.method not in POLLED
        or later is None
        or (call.label, call.method) != (later.label, later.method)
    ]
    ids: dict[str, str] = {}
    for call in kept:
        _gather(call)
        for message in _messages(call):
            _learn(message, ids)
    for call in kept:
        for message in _messages(call):
            _replace(message, ids)
    return kept


def _messages(call: Parsed) -> list[Message]:
    return [*call.requests, *call.responses, *([call.status] if call.status is not None else [])]


def _gather(call: Parsed) -> None:
    """Makes one answer of those whose number depends on the machine."""
    if call.method in CLOSED and call.status is None and call.code == "CANCELLED":
        call.code = "OK"
    if call.method in LAST_ONLY:
        del call.responses[:-1]
    if call.method in MERGED and call.responses:
        last: Any = call.responses[-1]
        matches = [match for part in call.responses for match in part.matches]  # type: ignore[attr-defined]
        matches.sort(key=lambda match: (match.match_index, match.rotation))
        del last.matches[:]
        last.matches.extend(matches)
        del call.responses[:-1]


def _learn(message: Message, ids: dict[str, str]) -> None:
    """Numbers the ids of a message that are new."""

    def learn(field: FieldDescriptor, value: str) -> None:
        mine = field.name != "request_id" or _RANDOM_ID.fullmatch(value)
        if value and mine and field.full_name in IDS and value not in ids:
            numbers = sum(name.startswith(f"<{field.name} ") for name in ids.values())
            ids[value] = f"<{field.name} {numbers + 1}>"

    _walk(message, learn)


def _walk(message: Message, look: Callable[[FieldDescriptor, str], None]) -> None:
    """Looks at every text of a message."""
    if isinstance(message, any_pb2.Any):
        _walk(unpacked(message), look)
        return
    for field, value in message.ListFields():
        if is_map(field):
            continue
        for each in value if field.is_repeated else (value,):
            if isinstance(each, Message):
                _walk(each, look)
            elif isinstance(each, str):
                look(field, each)


def _replace(message: Any, ids: dict[str, str]) -> None:
    if isinstance(message, any_pb2.Any):
        inner = unpacked(message)
        _replace(inner, ids)
        message.value = inner.SerializeToString(deterministic=True)
        return
    _leave_out_progress(message)
    for field, value in message.ListFields():
        if field.full_name in DROPPED:
            message.ClearField(field.name)
        elif field.full_name in VALUES:
            _fix(message, field)
        elif is_map(field):
            for key in list(value) if _holds_texts(field) else ():
                value[key] = f"<{key}>" if key in DETAILS else _named(value[key], ids)
        elif field.type == field.TYPE_MESSAGE:
            for each in value if field.is_repeated else (value,):
                _replace(each, ids)
        elif field.type == field.TYPE_STRING:
            if field.is_repeated:
                value[:] = [_named(text, ids) for text in value]
            else:
                pattern, _ = PARTS.get(field.full_name, (_NOTHING, ""))
                setattr(message, field.name, pattern.sub("", _named(value, ids)))


def _holds_texts(field: FieldDescriptor) -> bool:
    return field.message_type.fields_by_name["value"].type == FieldDescriptor.TYPE_STRING


def _named(text: str, ids: dict[str, str]) -> str:
    """A text with names in place of ids."""
    for value, name in ids.items():
        if value in text:
            text = text.replace(value, name)
    return text


def _fix(message: Any, field: FieldDescriptor) -> None:
    """Gives a field a fixed value."""
    if field.is_repeated:
        values = getattr(message, field.name)
        values[:] = [type(value)(1) for value in values]
    elif field.type == field.TYPE_MESSAGE:
        getattr(message, field.name).Clear()
        getattr(message, field.name).SetInParent()
    else:
        setattr(message, field.name, f"<{field.name}>" if field.type == field.TYPE_STRING else 1)


def _done(message: Message) -> int:
    """How much of a job is done: matches, or decisions of an analysis."""
    field = "decisions_done" if "decisions_done" in message.DESCRIPTOR.fields_by_name else "matches_done"
    done: int = getattr(message, field)
    return done


def _leave_out_progress(message: Any) -> None:
    fields = PROGRESS.get(message.DESCRIPTOR.full_name)
    if fields is None:
        return
    values = message.DESCRIPTOR.fields_by_name["state"].enum_type.values_by_number
    state = values[message.state].name
    over = state.endswith(_OVER)
    if not over:
        message.state = next(value.number for value in values.values() if value.name.endswith("_RUNNING"))
    if not over or (state.endswith("CANCELLED") and _done(message)):
        for name in fields:
            message.ClearField(name)
