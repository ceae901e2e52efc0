"""Single matches (match_service.proto)."""

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from operator import index
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from sengoku.engine import Action, Outcome, Sketch, Story, StoryLine
from sengoku.engine.checks import check_integer
from sengoku.engine.frames import LiveMatch
from sengoku.engine.talk import Message, Proposal
from sengoku.errors import DecodeError, DiceScriptError
from sengoku.v1 import match_service_pb2 as pb2
from sengoku.wire.codec import (
    Codec,
    EnumNames,
    Field,
    arguments,
    json_table,
    optional,
    plain,
    signed_argument,
    tuples,
    whole_argument,
)
from sengoku.wire.values import compact_json, number_text, signed_to_proto, text_to_proto

_MAX_DICE = 1_000_000


def _dice_to_proto(dice: Iterable[SupportsIndex] | None) -> pb2.Dice | None:
    if dice is None:
        return None
    faces = [index(face) for face in islice(dice, _MAX_DICE + 1)]
    for place, face in enumerate(faces):
        if not 1 <= face <= 255:
            shown = number_text(face)
            details = {"place": str(place), "value": shown}
            raise DiceScriptError(f"die {place} is {shown}, a die shows 1 or more", details)
    return pb2.Dice(faces=faces)


def _bots_to_proto(bots: Mapping[int, str] | None) -> dict[int, str] | None:
    if bots is not None and not isinstance(bots, Mapping):
        raise TypeError(f"bots must be a mapping of seats to names, not {type(bots).__name__}")
    return (
        None
        if bots is None
        else {signed_to_proto("bots", seat, 32): text_to_proto("bots", name) for seat, name in bots.items()}
    )


def _throws_to_proto(throws: Iterable[list[int] | None] | None) -> pb2.Throws | None:
    if throws is None:
        return None
    return pb2.Throws(throws=[pb2.ScriptedThrow(cubes=cubes or ()) for cubes in throws])


def _cards_to_proto(cards: Iterable[list[str]] | None) -> pb2.Stacks | None:
    return None if cards is None else pb2.Stacks(stacks=[pb2.Stack(cards=pile) for pile in cards])


def scripts_from_proto(message: pb2.CreateMatchRequest) -> dict[str, Any]:
    """Read the scripts of a match besides its dice, as arguments of `Match.create`."""
    found: dict[str, Any] = {}
    if message.HasField("throws"):
        found["throws"] = [list(throw.cubes) or None for throw in message.throws.throws]
    if message.HasField("lots"):
        found["lots"] = message.lots.lots
    if message.HasField("cards"):
        found["cards"] = [list(stack.cards) for stack in message.cards.stacks]
    return found


CREATE = Codec(
    dict[str, object],
    pb2.CreateMatchRequest,
    *arguments("game", "seats", "seed", "match_index", "setup"),
    Field("dice", "dice", _dice_to_proto),
    Field("bots", "bots", _bots_to_proto),
    Field("throws", "throws", _throws_to_proto),
    Field("lots", "lots", lambda lots: None if lots is None else pb2.Lots(lots=lots)),
    Field("cards", "cards", _cards_to_proto),
)
PLAY = Codec(
    dict[str, object],
    pb2.PlayRequest,
    whole_argument("expected_decisions", is_optional=True),
    *plain("match_id", "token"),
    signed_argument("action", 64),
    signed_argument("seat", 32, is_optional=True),
)
STORY = Codec(
    dict[str, object],
    pb2.GetStoryRequest,
    whole_argument("since"),
    whole_argument("until", is_optional=True),
    *plain("match_id", "token", "long"),
    signed_argument("seat", 32, is_optional=True),
)
STORY_LINE = Codec(StoryLine, pb2.StoryLine, *plain("decision", "level", "text"))
LIVE = Codec(
    LiveMatch,
    pb2.LiveMatch,
    *plain("match_id", "game", "tournament", "decisions", "client"),
    *tuples("players"),
)
live_from_proto = LIVE.decode
_KINDS = EnumNames(pb2.ProposalKind, None)
PROPOSAL = Codec(
    Proposal,
    pb2.Proposal,
    Field("kind", "kind", _KINDS.number, lambda message, wire: _KINDS.name(getattr(message, wire), "kind")),
    *optional("place", "rounds"),
)
LIST_MESSAGES = Codec(
    dict[str, object],
    pb2.ListMessagesRequest,
    *plain("match_id", "token"),
    signed_argument("seat", 32, is_optional=True),
    whole_argument("since", (1 << 32) - 1),
    Field("public", "public_only", bool),
)
list_messages_to_proto = LIST_MESSAGES.pack


def said_to_proto(said: Mapping[str, Any]) -> pb2.SaidMessage:
    """Write what a seat says, a table of `engine.talk.said_to_json`."""
    proposal = said.get("proposal")
    return pb2.SaidMessage(
        to=said.get("to") or (),
        text=said.get("text", ""),
        proposal=None if proposal is None else PROPOSAL.encode(Proposal(**proposal)),
        answers=said.get("answers"),
        accepts=said.get("accepts"),
    )


def said_from_proto(message: pb2.SaidMessage) -> dict[str, Any]:
    """Read what a seat says, as a table without its seat; the core checks the values."""
    said: dict[str, Any] = {"text": message.text}
    if message.to:
        said["to"] = [check_integer("to", seat, 0, 255) for seat in message.to]
    if message.HasField("proposal"):
        said["proposal"] = PROPOSAL.decode(message.proposal).to_row()
    for name in ("answers", "accepts"):
        if message.HasField(name):
            said[name] = getattr(message, name)
    return said


def message_to_proto(row: Mapping[str, Any]) -> pb2.TableMessage:
    """Write a message, a table of the core."""
    names = ("number", "decision", "seat")
    return pb2.TableMessage(**{name: row[name] for name in names}, said=said_to_proto(row))


def message_from_proto(message: pb2.TableMessage) -> Message:
    """Read a message."""
    return Message.from_row(
        {
            "number": message.number,
            "decision": message.decision,
            "seat": message.seat,
            "accepts": None,
            "answers": None,
            **said_from_proto(message.said),
        }
    )


create_to_proto, play_to_proto, story_to_proto = CREATE.pack, PLAY.pack, STORY.pack


def seat_to_proto(seat: SupportsIndex | None) -> int | None:
    """Return an optional seat that fits the message."""
    return None if seat is None else signed_to_proto("seat", seat, 32)


OUTCOME = Codec(
    Outcome,
    pb2.MatchOutcome,
    *tuples("ranks"),
    *optional("winner"),
    *plain("by_rule", "reason", "rounds"),
    *tuples("scores"),
    Field(
        "details",
        "details_json",
        compact_json,
        lambda message, _wire: json.loads(message.details_json or "null"),
    ),
)
ACTION = Codec(
    Action,
    pb2.LegalAction,
    *plain("index", "name"),
    json_table("args", "args_json", compact_json, if_empty=""),
    *plain("text"),
)


def story_lines_to_proto(story: Story) -> list[pb2.StoryLine]:
    """Return the lines of a story as messages."""
    return [STORY_LINE.encode(line) for line in story]


def story_from_proto(message: pb2.GetStoryResponse) -> Story:
    """Read a story."""
    return Story(tuple(STORY_LINE.decode(line) for line in message.lines))


outcome_to_proto, outcome_from_proto = OUTCOME.encode, OUTCOME.decode
action_from_proto = ACTION.decode


def mask_from_proto(message: pb2.ListLegalActionsResponse) -> npt.NDArray[np.bool_]:
    """Read the legal actions as a mask over the action table."""
    mask = np.zeros(message.action_count, np.bool_)
    indices = [action.index for action in message.actions]
    if indices and max(indices) >= len(mask):
        details = {"value": str(max(indices)), "expected": str(len(mask))}
        raise DecodeError(f"action {max(indices)} is legal, but there are {len(mask)} actions", details)
    mask[indices] = True
    return mask


def sketch_from_json(text: str) -> Sketch:
    """Read a board for a terminal; an empty text is an empty sketch."""
    try:
        return Sketch.from_json(text or "[]")
    except (TypeError, ValueError, RecursionError) as error:
        details = {"field": "sketch_json"}
        raise DecodeError(f"sketch_json is not a list of lines: {error}", details) from error
