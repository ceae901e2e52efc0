"""Frames of matches (match_service.proto)."""

import json
from collections.abc import Iterable
from typing import Any

from sengoku.engine.frames import PARTS, USUAL_PARTS, Frame, RawFrame
from sengoku.engine.pictures import Picture
from sengoku.engine.story import Story
from sengoku.errors import ArgumentError
from sengoku.v1 import match_service_pb2 as pb2
from sengoku.wire.codec import EnumNames
from sengoku.wire.matches import (
    STORY_LINE,
    action_from_proto,
    outcome_from_proto,
    seat_to_proto,
    sketch_from_json,
)
from sengoku.wire.values import compact_json, table_from_json

_PARTS = EnumNames(pb2.FramePart, None)


def parts_to_proto(parts: Iterable[str]) -> list[Any]:
    """Return the parts of frames as numbers, in a fixed order."""
    found = frozenset(parts)
    return [_PARTS.number(part) for part in PARTS if part in found]


def parts_from_proto(numbers: Any) -> frozenset[str]:
    """Read the parts of frames; none are the usual ones."""
    return frozenset(_PARTS.name(number, "parts") for number in numbers) or frozenset(USUAL_PARTS)


def action_to_proto(row: dict[str, Any]) -> pb2.LegalAction:
    """Write an action from the table of the compiled core."""
    return pb2.LegalAction(
        index=row["index"], name=row["name"], args_json=compact_json(row["args"]), text=row["text"]
    )


def frame_to_bytes(frame: RawFrame) -> bytes:
    """Write a frame as the field 1 of a message.

    That is a whole WatchMatchResponse, and one of the `frames` of a GetReplayFramesResponse: the bytes of
    several, one after the other, are such a response.
    """
    message = pb2.Frame(
        decision=frame.decision,
        seat=frame.seat,
        action=None if frame.action is None else action_to_proto(json.loads(frame.action)),
        story=[] if frame.story is None else [pb2.StoryLine(**line) for line in json.loads(frame.story)],
        events_json=frame.events or (),
        view_json=frame.view,
        svg=frame.picture,
        sketch_json=frame.sketch,
        to_act=frame.to_act,
        legal_actions=[] if frame.legal is None else map(action_to_proto, json.loads(frame.legal)),
        outcome=None if frame.outcome is None else pb2.MatchOutcome(**frame.outcome),
    )
    return pb2.WatchMatchResponse(frame=message).SerializeToString()


def frame_from_proto(message: pb2.Frame) -> Frame:
    """Read a frame."""
    return Frame(
        decision=message.decision,
        seat=message.seat if message.HasField("seat") else None,
        action=action_from_proto(message.action) if message.HasField("action") else None,
        story=Story(tuple(STORY_LINE.decode(line) for line in message.story)),
        events=[table_from_json("events_json", event) for event in message.events_json],
        view=table_from_json("view_json", message.view_json) if message.view_json else None,
        picture=Picture(message.svg) if message.svg else None,
        sketch=sketch_from_json(message.sketch_json) if message.sketch_json else None,
        to_act=message.to_act if message.HasField("to_act") else None,
        legal_actions=[action_from_proto(action) for action in message.legal_actions],
        outcome=outcome_from_proto(message.outcome) if message.HasField("outcome") else None,
    )


def viewer_to_proto(seat: object) -> dict[str, Any]:
    """Return the fields of a request that say who looks."""
    if seat is None:
        return {}
    if seat == "public":
        return {"public_only": True}
    if isinstance(seat, str):
        raise ArgumentError(
            f"seat is {seat!r}, must be a number or 'public'", {"field": "seat", "value": seat}
        )
    return {"seat": seat_to_proto(seat)}  # type: ignore[arg-type] # refuses what is no number
