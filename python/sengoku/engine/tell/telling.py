"""The position and what happened since a seat's last decision, as text within a number of words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

from sengoku.engine.checks import check_integer
from sengoku.engine.talk import Message
from sengoku.engine.tell import battles, swords, tower
from sengoku.engine.tell.budget import Section, compose
from sengoku.engine.tell.choices import Choices
from sengoku.errors import invalid

if TYPE_CHECKING:
    from sengoku.engine.match import Match

__all__ = ["LEAST", "tell"]

LEAST = 300
"""The smallest budget: headings, up to thirty choices and the own pieces."""
_POSITIONS = {"swords": swords.position, "tower": tower.position, "battles": battles.position}
_LOOK_BACK = 2000
"""Decisions in which the last one of a seat is looked for."""


def tell(match: Match, seat: SupportsIndex | None, budget: SupportsIndex, since: SupportsIndex | None) -> str:
    """Return what `Match.tell` documents."""
    most = check_integer("budget", budget, LEAST, 1_000_000)
    reader = match.to_act if seat is None else check_integer("seat", seat, 0, match.seats - 1)
    if reader is None:
        raise invalid("seat", None, "expected a seat, because the match is over and nobody is to act")
    if since is None:
        first = _last_decision(match, reader)
    else:
        first = check_integer("since", since, 0, match.decisions)
    view = match.view(reader)
    own, others = _POSITIONS[match.game](view, reader)
    story = [str(line).strip() for line in match.story(reader, first)]
    sections = [
        Section("", [_title(match, reader)], "lines"),
        Section("Since your last decision:", story, "earlier events", newest_last=True, rank=3),
        # Behind the events, so that those who talk much cannot push them out.
        Section("Messages since the last decision:", _new(view, match), "earlier messages", True, rank=3),
        Section("You:", own, "lines about you", rank=1),
        Section("The others and the board:", others, "lines about the others and the board", rank=2),
    ]
    if match.to_act == reader:
        sections.append(Section("Your choices:", Choices(match.legal_actions()).lines, "choices"))
    return compose(sections, most)


def _new(view: dict[str, Any], match: Match) -> list[str]:
    """Return the messages that no decision follows yet; the story has the others."""
    rows = view.get("messages", ())
    return [str(Message.from_row(row)) for row in rows if row["decision"] >= match.decisions]


def _title(match: Match, seat: int) -> str:
    """Return the first line: game, seat, progress, and who decides."""
    start = f"{match.game}, seat {seat} of {match.seats}, after {match.decisions} decisions."
    if match.over:
        return f"{start} The match is over."
    return f"{start} {'You decide.' if match.to_act == seat else f'Seat {match.to_act} decides.'}"


def _last_decision(match: Match, seat: int) -> int:
    """Return the number of decisions up to the seat's last one; 0 if it has not decided yet."""
    first = max(0, match.decisions - _LOOK_BACK)
    taken = [frame.decision for frame in match.frames(first, seat=seat, parts=()) if frame.seat == seat]
    return taken[-1] if taken else first
