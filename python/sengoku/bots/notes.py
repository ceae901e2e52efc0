"""Notes of players about their decisions: what a decision cost, and what was asked and answered."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from sengoku.engine.result import Costs

__all__ = ["MOST_NOTE", "MOST_NOTES", "MatchNotes", "note_text"]

MOST_NOTE = 1 << 16
"""Characters of a note; a longer one loses everything but its counts."""
MOST_NOTES = 1 << 20
"""Characters of all notes of a match; later ones lose everything but their counts."""
_COUNTS = tuple(field.name for field in fields(Costs))
_MOST = 1 << 53


def note_text(note: dict[str, Any]) -> str:
    """Return a note as JSON, without what is too long."""
    text = json.dumps(note, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= MOST_NOTE else json.dumps({**_counts(note), "left_out": len(text)})


def _counts(note: dict[str, Any]) -> dict[str, int]:
    found = {name: note.get(name) for name in _COUNTS}
    return {
        name: value
        for name, value in found.items()
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MOST
    }


class MatchNotes:
    """The notes of a match that is being played: the costs of each seat, and bounded texts."""

    def __init__(self, seats: int) -> None:
        self._costs = [Costs()] * seats
        self._lines: list[str] = []
        self._size = 0

    def add(self, seat: int, decision: int, texts: Iterable[str]) -> None:
        """Add the notes of a seat about a decision; what is not a JSON object is dropped."""
        for text in texts:
            try:
                note = json.loads(text)
            except (ValueError, RecursionError):
                continue
            if not isinstance(note, dict):
                continue
            counts = _counts(note)
            self._costs[seat] += Costs(**counts)
            line = note_text({"seat": seat, "decision": decision, **note})
            if self._size + len(line) > MOST_NOTES:
                short = {"seat": seat, "decision": decision, **counts, "left_out": len(line)}
                line = json.dumps(short, separators=(",", ":"))
                if self._size + len(line) > 2 * MOST_NOTES:
                    continue
            self._lines.append(line)
            self._size += len(line) + 1

    @property
    def costs(self) -> tuple[Costs, ...]:
        """What the decisions of each seat cost; empty if nobody has said anything of it."""
        return tuple(self._costs) if any(costs != Costs() for costs in self._costs) else ()

    @property
    def text(self) -> str | None:
        """The notes, one JSON object on each line, or None without notes."""
        return "".join(f"{line}\n" for line in self._lines) or None
