"""A text of a bounded number of words that names what it leaves out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["Section", "compose", "words"]

_RESERVE = 24
"""Words kept for the line that names what is left out."""


def words(text: str) -> int:
    """Count the words of a text: what stands between spaces.

    >>> words("Aki: 2 armies, castle")
    4
    """
    return len(text.split())


@dataclass
class Section:
    """Lines under a heading; lines are left out at their beginning or at their end."""

    heading: str
    lines: list[str]
    what: str
    """What its lines are, for the line that names what is left out."""
    newest_last: bool = False
    """Whether the last lines count most."""
    rank: int = 0
    """Sections of a lower rank are filled first; those of rank 0 are always complete."""
    kept: list[str] = field(default_factory=list)


def compose(sections: Iterable[Section], budget: int) -> str:
    """Return the sections in their order, as far as they fit into a number of words."""
    every = [section for section in sections if section.lines]
    left = budget - _RESERVE
    for section in sorted(every, key=lambda section: section.rank):
        left -= words(section.heading)
        lines = section.lines[::-1] if section.newest_last else section.lines
        for line in lines:
            cost = words(line)
            if section.rank and cost > left:
                break
            left -= cost
            section.kept.append(line)
        if section.newest_last:
            section.kept.reverse()
    parts = [
        "\n".join(([section.heading] if section.heading else []) + section.kept)
        for section in every
        if section.kept
    ]
    missing = [
        f"{len(section.lines) - len(section.kept)} {section.what}"
        for section in every
        if len(section.kept) < len(section.lines)
    ]
    if missing:
        parts.append(f"(Left out: {', '.join(missing)}.)")
    return "\n\n".join(parts)
