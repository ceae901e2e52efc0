"""Stories: what happened in a match, in sentences."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True)
class StoryLine:
    """A heading or a sentence of a story."""

    decision: int
    """Number of the decision during which it happened; 0: before the first one."""
    level: int
    """1 and 2 for headings, 1 the higher one; 0 for a sentence."""
    text: str
    """The heading or the sentence."""

    def __str__(self) -> str:
        return ("  {}", "== {} ==", "-- {} --")[self.level].format(self.text)


@dataclass(frozen=True)
class Story:
    """What happened in a match, line by line. `str` returns it as text."""

    lines: tuple[StoryLine, ...]

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a story from JSON."""
        return cls(tuple(StoryLine(**line) for line in json.loads(text)))

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the lines as plain names and values."""
        return [{"decision": line.decision, "level": line.level, "text": line.text} for line in self.lines]

    def __iter__(self) -> Iterator[StoryLine]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def __str__(self) -> str:
        return "\n".join(map(str, self.lines))
