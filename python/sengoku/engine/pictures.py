"""Boards as SVG pictures, and as sketches for a terminal."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path


class Picture(str):
    """A picture as SVG text, displayed by notebooks."""

    __slots__ = ()

    def save(self, path: "str | Path") -> None:
        """Write the picture to a file."""
        from pathlib import Path  # noqa: PLC0415 - takes time to load

        Path(path).write_text(self, "utf-8")

    def _repr_svg_(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Sketch:
    """A board for a terminal: lines of text pieces, each with a style. `str` returns it without colours."""

    lines: tuple[tuple[tuple[str, str], ...], ...]

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a sketch from JSON."""
        return cls(tuple(tuple((str(word), str(style)) for word, style in line) for line in json.loads(text)))

    def to_json(self) -> str:
        """Return the sketch as JSON for `from_json`."""
        return json.dumps(self.lines, ensure_ascii=False, separators=(",", ":"))

    def __bool__(self) -> bool:
        return bool(self.lines)

    def __str__(self) -> str:
        return "\n".join("".join(text for text, _ in line).rstrip() for line in self.lines)

    def __rich__(self) -> object:
        from rich.text import Text  # noqa: PLC0415 - needed only to show a sketch

        return Text("\n").join(Text.assemble(*line, no_wrap=True) for line in self.lines)
