"""Players that connect to a server, and the matches they play (player_service.proto)."""

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex

import numpy as np

from sengoku.bots.bot import Decision, Playing
from sengoku.bots.clock import Clock
from sengoku.bots.port import Ask, Over
from sengoku.bots.report import PlayedMatch
from sengoku.engine.games import Setup
from sengoku.errors import ArgumentError, DecodeError
from sengoku.v1 import match_service_pb2
from sengoku.v1 import player_service_pb2 as pb2
from sengoku.wire.codec import (
    Codec,
    EnumNames,
    Field,
    enum_field,
    enum_list,
    game_setup,
    optional,
    or_none,
    plain,
    seats_argument,
    text_argument,
    tuples,
    whole_argument,
)
from sengoku.wire.values import (
    compact_json,
    seconds_from_proto,
    seconds_to_proto,
    table_from_json,
    text_to_proto,
)

_FORFEITS = EnumNames(pb2.ForfeitReason, "")


# Requests for matches


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
    return Clock(
        **{
            field.name: seconds_from_proto(f"clock.{field.name}", value)
            for field, value in message.ListFields()
        }
    )


def seat_player_to_proto(name: str) -> pb2.SeatPlayer:
    """Write who plays a seat: `@name` is a connected player, anything else a built-in bot."""
    text = text_to_proto("players", name)
    if text.startswith("@"):
        return pb2.SeatPlayer(name=text[1:])
    return pb2.SeatPlayer(bot=text)


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


_PLAY_MATCHES = Codec(
    dict[str, object],
    pb2.PlayMatchesRequest,
    text_argument("game"),
    seats_argument(),
    Field("players", "players", _players),
    game_setup(),
    whole_argument("seed"),
    whole_argument("first_match"),
    whole_argument("match_count"),
    Field("rotate", "rotate", bool),
    Field("clock", "clock", clock_to_proto),
    whole_argument("at_once", (1 << 31) - 1),
    Field("replays", "replays", bool),
)


def play_matches_to_proto(
    game: str,
    *,
    players: Iterable[str],
    seats: SupportsIndex | None,
    match_count: SupportsIndex,
    first_match: SupportsIndex,
    seed: SupportsIndex,
    setup: Setup,
    rotate: bool,
    clock: Clock | None,
    at_once: SupportsIndex,
    replays: bool,
) -> pb2.PlayMatchesRequest:
    """Write a request for matches between players and bots."""
    return _PLAY_MATCHES.pack(
        game=game,
        players=players,
        seats=seats,
        match_count=match_count,
        first_match=first_match,
        seed=seed,
        setup=(game, setup),
        rotate=rotate,
        clock=clock,
        at_once=at_once,
        replays=replays,
    )


# Results


PLAYED = Codec(
    PlayedMatch,
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


def played_from_proto(message: pb2.PlayedMatch, players: Sequence[str], *, replays: bool) -> PlayedMatch:
    """Read the result of a match; `players` are those of the seats before the rotation."""
    seats = len(players)
    columns = (message.ranks, message.scores, message.forfeits, message.seconds)
    if any(len(column) != seats for column in columns):
        details = {"message": "PlayedMatch", "seats": str(seats)}
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


# Decisions


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
    rows = [
        {
            "index": row.index,
            "name": row.name,
            "args": table_from_json("args_json", row.args_json),
            "text": row.text,
        }
        for row in message.actions
    ]
    return json.dumps(rows) if rows else None


_DECISION: Codec[Any, pb2.PlayerDecision] = Codec(
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
)


def decision_to_proto(ask: Ask) -> pb2.PlayerDecision:
    """Write a decision for a player, without its number and the time that is left."""
    return _DECISION.encode(ask)


def decision_from_proto(message: pb2.PlayerDecision) -> Decision:
    """Read a decision that a player is to take."""
    seconds_left = seconds_from_proto("time_left", message.time_left)
    decision: Decision = _DECISION.decode(message, seconds_left=seconds_left)
    return decision
