"""The protocol of programs that play: one JSON object per line, decisions to them and actions from them.

docs/guides/bots.md documents it for authors of programs.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import numpy as np

from sengoku.bots.bot import WANTS, Decision
from sengoku.bots.notes import note_text
from sengoku.bots.port import WORDS, Over
from sengoku.engine.talk import MAX_MESSAGES_BETWEEN

__all__ = [
    "PROTOCOL", "LineError", "decision_from_line", "decisions_to_lines", "hello_to_line", "notes_of",
    "over_from_line", "over_to_line", "read_line", "said_of",
]  # fmt: skip

PROTOCOL = 1
"""Version of the protocol: a program that knows another one says so in its `ready`."""
_SHOWN = 80
_MOST_NOTES = 16


class LineError(ValueError):
    """A line that does not follow the protocol."""


def _line(**message: Any) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def read_line(line: bytes) -> dict[str, Any]:
    """Read a line: an object with a field `type`, which is a text."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("type"), str):
        shown = ascii(line[:_SHOWN].decode("utf-8", "replace").rstrip("\n"))
        raise LineError(f"wrote {shown}, which is not a JSON object with a type")
    return found


def hello_to_line(name: str, games: Iterable[str]) -> bytes:
    """Write the first line to a program: as whom it plays, and in which games at most."""
    return _line(type="hello", protocol=PROTOCOL, name=name, games=list(games))


def decisions_to_lines(decisions: list[Decision], first_id: int) -> bytes:
    """Write decisions, one per line, numbered from `first_id`."""
    lines = []
    for place, decision in enumerate(decisions):
        message: dict[str, Any] = {
            "type": "decide",
            "id": first_id + place,
            "pending": len(decisions) - place - 1,
            "match": decision.match_id,
            "game": decision.game,
            "seats": decision.seats,
            "seat": decision.seat,
            "decisions": decision.decisions,
            "seconds_left": round(decision.seconds_left, 3),
            "legal": decision.legal.tolist(),
        }
        if decision.tell_text is not None:
            message["tell"] = decision.tell_text
        if decision.rules_text is not None:
            message["rules"] = decision.rules_text
        if decision.observation is not None:
            message["observation"] = base64.b64encode(decision.observation.tobytes()).decode()
        line = json.dumps(message, separators=(",", ":"))
        # These are JSON already, on one line.
        for name, text in (
            ("view", decision.view_json),
            ("actions", decision.actions_json),
            ("messages", decision.messages_json),
        ):
            if text is not None:
                line = f'{line[:-1]},"{name}":{text}}}'
        lines.append(line.encode() + b"\n")
    return b"".join(lines)


def decision_from_line(message: dict[str, Any]) -> Decision:
    """Read a decision."""
    observation = message.get("observation")
    return Decision(
        match_id=message["match"],
        game=message["game"],
        seats=message["seats"],
        seat=message["seat"],
        decisions=message["decisions"],
        legal=np.array(message["legal"], np.uint32),
        seconds_left=message["seconds_left"],
        observation=None if observation is None else np.frombuffer(base64.b64decode(observation), np.uint8),
        view_json=json.dumps(message["view"]) if "view" in message else None,
        actions_json=json.dumps(message["actions"]) if "actions" in message else None,
        messages_json=json.dumps(message["messages"]) if "messages" in message else None,
        tell_text=message.get("tell"),
        rules_text=message.get("rules"),
    )


def said_of(message: dict[str, Any]) -> list[str]:
    """Return what a program says with an answer, each message a table as JSON."""
    said = message.get("say", [])
    if not isinstance(said, list) or len(said) > MAX_MESSAGES_BETWEEN:
        raise LineError(
            f"says {str(said)[:_SHOWN]!a}: must be a list of at most {MAX_MESSAGES_BETWEEN} messages"
        )
    return [json.dumps(row) for row in said]


def notes_of(message: dict[str, Any]) -> list[str]:
    """Return what a program notes with an answer, each note a table as JSON."""
    noted = message.get("note", [])
    rows = noted if isinstance(noted, list) else [noted]
    if len(rows) > _MOST_NOTES or not all(isinstance(row, dict) for row in rows):
        raise LineError(f"notes {str(noted)[:_SHOWN]!a}: must be a table, or a list of at most {_MOST_NOTES}")
    return [note_text(row) for row in rows]


def over_to_line(over: Over) -> bytes:
    """Write the end of a match."""
    values = asdict(over)
    return _line(type="over", match=values.pop("match_id"), **values)


def over_from_line(message: dict[str, Any]) -> Over:
    """Read the end of a match."""
    values = {name: message[name] for name in Over.__dataclass_fields__ if name != "match_id"}
    values |= {name: tuple(values[name]) for name in ("ranks", "scores")}
    return Over(match_id=message["match"], **values)


def ready_attributes(message: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes of a bot that a program states in its `ready`; `Playing` checks their values."""
    if message["type"] != "ready":
        raise LineError(f"wrote {message['type'][:_SHOWN]!a} as its first line, not ready")
    if message.get("protocol", PROTOCOL) != PROTOCOL:
        raise LineError(f"speaks protocol {message['protocol']!a}: must be {PROTOCOL}")
    found: dict[str, Any] = {"wants": message.get("wants", []), "games": message.get("games", [])}
    for name, value in found.items():
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise LineError(f"says that {name} is {str(value)[:_SHOWN]!a}: must be a list of texts")
    if unknown := sorted(set(found["wants"]) - set(WANTS)):
        raise LineError(f"wants {unknown[0][:_SHOWN]!a}: must be some of {', '.join(WANTS)}")
    found["capacity"] = message.get("capacity", 1)
    if not isinstance(found["capacity"], int) or isinstance(found["capacity"], bool):
        raise LineError(f"says that capacity is {str(found['capacity'])[:_SHOWN]!a}: must be an integer")
    found["words"] = message.get("words", WORDS)
    if not isinstance(found["words"], int) or isinstance(found["words"], bool):
        raise LineError(f"says that words is {str(found['words'])[:_SHOWN]!a}: must be an integer")
    called = message.get("name")
    if called is not None and (not isinstance(called, str) or not called):
        raise LineError("says that name is empty or not a text")
    return found | {"name": called}
