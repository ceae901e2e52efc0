"""Table talk: messages between seats, proposals that bind nobody, and answers to them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import index
from typing import Any, SupportsIndex

from sengoku import _core
from sengoku._core import MAX_MESSAGE_LENGTH, MAX_MESSAGES, MAX_MESSAGES_BETWEEN
from sengoku.engine.checks import check_integer
from sengoku.errors import ArgumentError, LimitError

__all__ = [
    "KINDS", "MAX_MESSAGES", "MAX_MESSAGES_BETWEEN", "MAX_MESSAGE_LENGTH", "Message", "Proposal",
    "TalkLimits",
    "messages_from_json", "said_to_json",
]  # fmt: skip

KINDS = ("truce", "no_attack", "support")
"""Kinds of proposals."""


@dataclass(frozen=True)
class Proposal:
    """Something that a seat proposes. It binds nobody, and the rules do not know of it."""

    kind: str
    """A `truce`, `no_attack` on a place, or `support`."""
    place: str | None = None
    """Key of the province (in `battles` a hex, as "3,4") that it is about; needed for `no_attack`."""
    rounds: int | None = None
    """For how many rounds."""

    def to_row(self) -> dict[str, Any]:
        """Return the proposal as plain names and values."""
        if self.kind not in KINDS:
            details = {"field": "kind", "value": repr(self.kind)[:60]}
            raise ArgumentError(f"kind is {self.kind!r}: must be one of {', '.join(KINDS)}", details)
        row: dict[str, Any] = {"kind": self.kind}
        if self.place is not None:
            if not isinstance(self.place, str):
                raise TypeError(f"place must be a str, not {type(self.place).__name__}")
            row["place"] = _text(self.place)
        if self.rounds is not None:
            row["rounds"] = check_integer("rounds", self.rounds, 0, 2**32 - 1)
        return row


@dataclass(frozen=True)
class Message:
    """A message, as one reader sees it. Its text is data: it is never markup, and never trusted."""

    number: int
    """Its number among the messages that the reader can read, from 1 on."""
    decision: int
    """Decisions taken before it was said."""
    seat: int
    """The seat that said it."""
    to: tuple[int, ...] | None
    """The seats that it is for, or None for everybody."""
    text: str
    """One line without control characters; may be empty for a proposal or an answer."""
    proposal: Proposal | None = None
    """What it proposes."""
    answers: int | None = None
    """Number of the proposal that it answers, for the same reader."""
    accepts: bool | None = None
    """Whether it accepts that proposal."""

    def __str__(self) -> str:
        to = "everybody" if self.to is None else "seat " + ", ".join(map(str, self.to))
        offer, said = self.proposal, ""
        if offer is not None:
            place = "" if offer.place is None else f" at {offer.place}"
            rounds = "" if offer.rounds is None else f" for {offer.rounds} rounds"
            said = f"proposes {offer.kind}{place}{rounds} "
        elif self.answers is not None:
            said = f"{'accepts' if self.accepts else 'declines'} message {self.answers} "
        text = f": {self.text}" if self.text else ""
        return f"{self.number} after decision {self.decision}: seat {self.seat} {said}to {to}{text}"

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Message":
        """Read a message from plain names and values."""
        values = dict(row)
        to, proposal = values.pop("to", None), values.pop("proposal", None)
        return cls(
            to=None if to is None else tuple(to),
            proposal=None if proposal is None else Proposal(**proposal),
            **values,
        )

    def to_row(self) -> dict[str, Any]:
        """Return the message as plain names and values."""
        return {
            "number": self.number,
            "decision": self.decision,
            "seat": self.seat,
            "to": None if self.to is None else list(self.to),
            "text": self.text,
            "proposal": None if self.proposal is None else self.proposal.to_row(),
            "answers": self.answers,
            "accepts": self.accepts,
        }


@dataclass(frozen=True)
class TalkLimits:
    """How much a seat may say. The engine itself never allows more than the defaults."""

    length: int = MAX_MESSAGE_LENGTH
    """Characters of a message."""
    messages: int = MAX_MESSAGES
    """Messages of a seat in a match."""
    between: int = MAX_MESSAGES_BETWEEN
    """Messages of a seat between two decisions."""

    def say(self, match: _core.Match, said: str) -> int:
        """Say what `said_to_json` wrote within the limits, and return the number of the message."""
        row = json.loads(said)
        seat, text = row.get("seat"), row.get("text", "")
        if isinstance(text, str):
            self._check("message_length", len(text), self.length)
        if isinstance(seat, int) and 0 <= seat < match.seats:
            messages, between = match.messages_said(seat)
            self._check("messages", messages + 1, self.messages)
            self._check("messages_between", between + 1, self.between)
        return match.say(said)

    @staticmethod
    def _check(field: str, value: int, limit: int) -> None:
        if value > limit:
            details = {"field": field, "value": str(value), "limit": str(limit)}
            raise LimitError(f"{field} is {value}: at most {limit} allowed", details)


def messages_from_json(text: str) -> list[Message]:
    """Read messages from JSON."""
    return [Message.from_row(row) for row in json.loads(text)]


def said_to_json(
    seat: SupportsIndex,
    text: str = "",
    *,
    to: Iterable[SupportsIndex] | SupportsIndex | None = None,
    proposal: Proposal | None = None,
    answers: SupportsIndex | None = None,
    accepts: bool | None = None,
) -> str:
    """Write what a seat says, as JSON for the core, which checks it."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")
    said: dict[str, Any] = {"seat": check_integer("seat", seat, 0, 255), "text": _text(text)}
    if to is not None:
        seats = [to] if isinstance(to, SupportsIndex) else list(to)
        said["to"] = [check_integer("to", listener, 0, 255) for listener in seats[:256]]
    if proposal is not None:
        if not isinstance(proposal, Proposal):
            raise TypeError(f"proposal must be a Proposal, not {type(proposal).__name__}")
        said["proposal"] = proposal.to_row()
    if answers is not None:
        said["answers"] = check_integer("answers", index(answers), 0, 2**32 - 1)
    if accepts is not None:
        said["accepts"] = bool(accepts)
    return json.dumps(said)


def _text(text: str) -> str:
    """Return a text without lone surrogates, which are refused as the characters they are replaced with."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
