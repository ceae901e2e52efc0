"""What the odds of all games share: how they are asked for, columns of many, and numbers for JSON."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, SupportsIndex, TypeVar

import numpy as np

from sengoku._core import Cancel

__all__ = ["Columns", "ExactQuestion", "Question", "percentiles"]

O_co = TypeVar("O_co", covariant=True)

PERCENTAGES = (5.0, 25.0, 50.0, 75.0, 95.0)


class Question(Protocol[O_co]):
    """Something that has odds: a battle, a clash."""

    def sample(
        self,
        n: SupportsIndex,
        *,
        seed: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        progress: Callable[[int, int], object] | None = None,
        cancel: Cancel | None = None,
    ) -> O_co:
        """Gives the odds as `n` samples show them."""

    def odds(
        self,
        *,
        max_error: float = ...,
        max_samples: SupportsIndex | None = None,
        seed: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        progress: Callable[[int, int], object] | None = None,
        cancel: Cancel | None = None,
    ) -> O_co:
        """Gives the odds with a standard error of at most `max_error`."""


class ExactQuestion(Question[O_co], Protocol[O_co]):
    """One that can be answered exactly."""

    def exact(self) -> O_co:
        """Gives the exact odds."""


class Columns:
    """Columns of one table, as fields of a dataclass; equal when all their numbers are."""

    __dataclass_fields__: dict[str, Any]

    def __len__(self) -> int:
        return len(getattr(self, next(iter(self.__dataclass_fields__))))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in self.__dataclass_fields__
        )

    __hash__ = None  # type: ignore[assignment]


class _Sided(Protocol):
    def percentiles(self, side: str, percentages: Sequence[float], /) -> list[int]: ...


def percentiles(odds: _Sided) -> dict[str, dict[str, int]]:
    """Gives what is left to each side and is not exceeded with some chances in percent."""
    names = [f"{percentage:g}" for percentage in PERCENTAGES]
    return {
        side: dict(zip(names, odds.percentiles(side, PERCENTAGES), strict=True))
        for side in ("attacker", "defender")
    }
