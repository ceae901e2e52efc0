"""What the builders of all games share."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from typing import Any, ClassVar, Self, SupportsIndex

from sengoku.engine.match import Match
from sengoku.engine.scripts import Dice, Throw
from sengoku.errors import SetupError

__all__ = ["Builder", "one_of"]


def one_of(field: str, value: Any, known: Collection[Any]) -> Any:
    """Return a value that is one of those known, or raise `SetupError` with some of them."""
    if value not in known:
        names = [str(name) for name in known]
        shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
        details = {"field": field, "value": str(value)[:60]}
        raise SetupError(f"{field} is {str(value)[:60]!r}: must be one of {shown}", details)
    return value


class Builder(ABC):
    """A position under construction. Every method that changes it returns it."""

    game: ClassVar[str]
    """Name of the game."""
    seats: int

    @abstractmethod
    def set(self, **fields: Any) -> Self:
        """Set any fields of the position."""

    @abstractmethod
    def position(self) -> dict[str, Any]:
        """Return the position, with everything that follows from what was said."""

    @abstractmethod
    def setup(self, **options: Any) -> dict[str, Any]:
        """Return the setup of a match that begins from here, with further options."""

    def match(
        self,
        dice: Dice = None,
        seed: int = 0,
        *,
        throws: Iterable[Throw] | None = None,
        lots: Iterable[SupportsIndex] | None = None,
        cards: Iterable[Iterable[str]] | None = None,
        **options: Any,
    ) -> Match:
        """Start a match from here, scripted as by `Match.create`; `options` are fields of its setup."""
        return Match.create(
            self.game,
            seats=self.seats,
            seed=seed,
            setup=self.setup(**options),
            dice=dice,
            throws=throws,
            lots=lots,
            cards=cards,
        )
