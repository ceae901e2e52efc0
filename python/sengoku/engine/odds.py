"""Odds of all games: the interface of a question, batches of questions as columns, and plain values."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, SupportsIndex, TypedDict, TypeVar

import numpy as np

from sengoku._core import MAX_SAMPLES, Cancel

O_co = TypeVar("O_co", covariant=True)
Q = TypeVar("Q")
T = TypeVar("T")

PERCENTAGES = (5.0, 25.0, 50.0, 75.0, 95.0)


class Question(Protocol[O_co]):
    """Something that has odds: a battle, a strike, a clash."""

    def sample(
        self,
        n: SupportsIndex,
        *,
        seed: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        progress: Callable[[int, int], object] | None = None,
        cancel: Cancel | None = None,
    ) -> O_co:
        """Estimate the odds from `n` samples."""

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
        """Return the odds with a standard error of at most `max_error`."""


class ExactQuestion(Question[O_co], Protocol[O_co]):
    """A question that can also be answered exactly."""

    def exact(
        self,
        *,
        threads: SupportsIndex | None = None,
        cancel: Cancel | None = None,
        background: bool = False,
    ) -> O_co:
        """Return the exact odds."""


class Columns:
    """Columns of one table, as fields of a dataclass; equal if all their values are equal."""

    __dataclass_fields__: dict[str, Any]

    def __len__(self) -> int:
        return len(getattr(self, next(iter(self.__dataclass_fields__))))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in self.__dataclass_fields__
        )

    __hash__ = None  # type: ignore[assignment]


class BatchOptions(TypedDict, total=False):
    """Options of `batch_odds` in `swords`, `tower` and `battles`; all are optional."""

    method: str
    """"auto" (the default), "sampled" or "exact"."""
    samples: int
    """Samples of each row, with the method "sampled"."""
    max_error: float
    """Largest standard error of each row, with the method "auto"."""
    max_samples: int
    """Most samples of each row, with the method "auto"."""
    seed: int
    threads: int
    """Number of threads; 0 is one per core."""
    cancel: Cancel | None
    background: bool
    """Whether the threads have low priority."""


def batch(
    columns: Callable[..., T],
    evaluate: Callable[..., dict[str, Any]],
    questions: Iterable[Q],
    options: BatchOptions,
) -> T:
    """Return the odds of many questions as columns; each row equals the answer to that question alone."""
    defaults = BatchOptions(method="auto", samples=0, max_samples=MAX_SAMPLES, seed=0, threads=0)
    return columns(**evaluate(list(questions), **{**defaults, **options}))


class _Sided(Protocol):
    def percentiles(self, side: str, percentages: Sequence[float], /) -> list[int]: ...


def percentiles(odds: _Sided) -> dict[str, dict[str, int]]:
    """Return percentiles of what is left to each side."""
    names = [f"{percentage:g}" for percentage in PERCENTAGES]
    return {
        side: dict(zip(names, odds.percentiles(side, PERCENTAGES), strict=True))
        for side in ("attacker", "defender")
    }


def describe_odds(
    odds: Any, *, game: str, question: str, fields: Iterable[str], **more: Any
) -> dict[str, Any]:
    """Return odds as plain values, ready for JSON: the question, the method, some fields, percentiles."""
    return {
        "game": game,
        question: repr(getattr(odds, question)),
        "method": odds.method,
        "samples": odds.samples,
        "standard_error": odds.standard_error,
        **{name: _plain(getattr(odds, name)) for name in fields},
        **more,
        "percentiles": percentiles(odds),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    return {str(key): number for key, number in value.items()} if isinstance(value, dict) else value
