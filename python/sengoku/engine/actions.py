"""A legal decision, as texts and its index."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Action:
    """A legal decision with its name and arguments; accepted wherever its index is."""

    index: int
    """Index in the game's action table."""
    name: str
    """Kind of the action."""
    args: dict[str, Any] = field(hash=False)
    """Arguments by name."""
    text: str
    """The action as a sentence."""

    def __str__(self) -> str:
        return self.text

    def __index__(self) -> int:
        return self.index
