"""Players that connect to a server, and the matches they play (player_service.proto)."""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from sengoku.bots.bot import Decision, Playing
from sengoku.bots.clock import Clock
from sengoku.bots.port import Over
from sengoku.engine.result import MatchResult
from sengoku.errors import ArgumentError, DecodeError
from sengoku.v1 import match_service_pb2
from sengoku.v1 import player_service_pb2 as pb2
from sengoku.wire.codec import (
    Codec,
    EnumNames,
    Field,
    arguments,
    enum_field,
    enum_list,
    optional,
    or_none,
    plain,
    tuples,
    whole_argument,
)
from sengoku.wire.matches import ACTION, message_from_proto, message_to_proto
from sengoku.wire.values import compact_json, seconds_from_proto, seconds_to_proto, text_to_proto

_FORFEITS = EnumNames(pb2.ForfeitReason, "")


def clock_to_proto(clock: Clock | None) -> pb2.PlayClock | None:
    """Write the time that players have; None is the server's default."""
    if clock is None:
        return None
    return pb2.PlayClock(
        decision=seconds_to_proto(clock.decision),
        bank=seconds_to_proto(clock.bank),
        match=None if clock.match == math.inf else seconds_to_proto(clock.match),
    )


def clock_from_proto(message: pb2.PlayClock) -> Clock:
    """Read the time that players have; fields that are not set get the defaults of `Clock`."""
    fields = message.ListFields()
    return Clock(**{field.name: seconds_from_proto(f"clock.{field.name}", value) for field, value in fields})


def seat_player_to_proto(name: str) -> pb2.SeatPlayer:
    """Write who plays a seat: `@name` is a connected player, anything else a built-in bot."""
    text = text_to_proto("players", name)
    return pb2.SeatPlayer(name=text[1:]) if text.startswith("@") else pb2.SeatPlayer(bot=text)


def seat_player_from_proto(message: pb2.SeatPlayer) -> str:
    """Read who plays a seat."""
    match message.WhichOneof("player"):
        case "bot" if not message.bot.startswith("@"):
            return message.bot
        case "name":
            return f"@{message.name}"
        case _:
            details = {"field": "players", "value": message.bot or "none"}
            raise ArgumentError("a seat needs either a bot or the name of a player", details)


def _players(players: Iterable[str]) -> list[pb2.SeatPlayer]:
    if isinstance(players, str):
        raise TypeError("players must be a list of names, not str")
    return [seat_player_to_proto(name) for name in players]


PLAY_MATCHES = Codec(
    dict[str, object],
    pb2.PlayMatchesRequest,
    *arguments("game", "seats"),
    Field("players", "players", _players),
    *arguments("setup", "seed", "first_match", "match_count"),
    Field("rotate", "rotate", bool),
    Field("clock", "clock", clock_to_proto),
    whole_argument("at_once", (1 << 31) - 1),
    Field("replays", "replays", bool),
    Field("talk", "talk", bool),
)
play_matches_to_proto = PLAY_MATCHES.pack


PLAYED = Codec(
    MatchResult,
    pb2.PlayedMatch,
    *plain("match_index", "rotation"),
    *tuples("ranks"),
    *optional("winner"),
    *plain("by_rule", "reason", "rounds"),
    *tuples("scores"),
    *plain("decisions", "digest"),
    enum_list("forfeits", _FORFEITS),
    *tuples("seconds"),
    Field("replay", "replay", None, None),
)
played_to_proto = PLAYED.encode


def played_from_proto(message: pb2.PlayedMatch, players: Sequence[str], *, replays: bool) -> MatchResult:
    """Read the result of a match; `players` are those of the seats before the rotation."""
    seats = len(players)
    columns = (message.ranks, message.scores, message.forfeits, message.seconds)
    if any(len(column) != seats for column in columns):
        details = {"message": "MatchResult", "seats": str(seats)}
        raise DecodeError(f"a match of {seats} seats has a different number of ranks or scores", details)
    return PLAYED.decode(
        message,
        players=tuple(players[(seat + message.rotation) % seats] for seat in range(seats)),
        replay=message.replay if replays else None,
    )


OVER = Codec(
    Over,
    pb2.PlayerMatchOver,
    *plain("match_id", "game", "seat"),
    *tuples("ranks"),
    *optional("winner"),
    *plain("reason"),
    *tuples("scores"),
    enum_field("forfeit", _FORFEITS),
)
over_to_proto, over_from_proto = OVER.encode, OVER.decode


def hello_to_proto(playing: Playing) -> pb2.PlayerHello:
    """Write the first message of a player: its name and what it wants to be sent."""
    return pb2.PlayerHello(
        name=text_to_proto("name", playing.name),
        games=playing.games,
        capacity=playing.capacity,
        observation="observation" in playing.wants,
        view="view" in playing.wants,
        actions="actions" in playing.wants,
    )


def _actions_to_proto(text: str | None) -> list[match_service_pb2.LegalAction] | None:
    if text is None:
        return None
    rows = json.loads(text)
    return [match_service_pb2.LegalAction(args_json=compact_json(row.pop("args")), **row) for row in rows]


def _actions_from_proto(message: pb2.PlayerDecision, _wire: str) -> str | None:
    rows = [asdict(ACTION.decode(row)) for row in message.actions]
    return json.dumps(rows) if rows else None


def _messages_to_proto(text: str | None) -> list[match_service_pb2.TableMessage]:
    return [message_to_proto(row) for row in json.loads(text or "[]")]


def _messages_from_proto(message: pb2.PlayerDecision, _wire: str) -> str | None:
    rows = [message_from_proto(row).to_row() for row in message.messages]
    return json.dumps(rows) if message.talk else None


DECISION: Codec[Any, pb2.PlayerDecision] = Codec(
    Decision,
    pb2.PlayerDecision,
    *plain("match_id", "game", "seats", "seat", "decisions"),
    Field("legal", "legal", None, lambda message, _wire: np.array(message.legal, np.uint32)),
    Field(
        "observation",
        "observation",
        lambda array: None if array is None else array.tobytes(),
        lambda message, _wire: np.frombuffer(message.observation, np.uint8) if message.observation else None,
    ),
    or_none("view_json"),
    Field("actions_json", "actions", _actions_to_proto, _actions_from_proto),
    Field("messages_json", "messages", _messages_to_proto, _messages_from_proto),
    Field("messages_json", "talk", lambda text: text is not None, None),
)


decision_to_proto = DECISION.encode  # without its number and the time that is left


def decision_from_proto(message: pb2.PlayerDecision) -> Decision:
    """Read a decision that a player is to take."""
    seconds_left = seconds_from_proto("time_left", message.time_left)
    decision: Decision = DECISION.decode(message, seconds_left=seconds_left)
    return decision
