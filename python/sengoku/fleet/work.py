"""What a fleet plays: values that say what to do, can be split into ranges, and travel to workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from hashlib import blake2b
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from sengoku import _core
from sengoku.engine.analysing import Analysing
from sengoku.engine.analysis import MatchAnalysis
from sengoku.engine.report import RESULTS, MatchReport
from sengoku.engine.requests import RunRequest
from sengoku.fleet.ranges import Item

__all__ = ["AnalysisWork", "MatchWork", "OddsWork", "Work", "digest_of"]

_PROBE, _SEARCH_PROBE = 32, 1
"""Matches for each thread while the speed of the bots is unknown."""


class Work(Protocol):
    """Deterministic work of `count` units: the same range gives the same bytes on every machine."""

    @property
    def item(self) -> Item:
        """How many units there are, and what is known about the time that they take."""

    def part(self, first: int, count: int) -> Work:
        """Return the work of a range of units."""

    def play(self, *, threads: int, cancel: _core.Cancel) -> Any:
        """Do it; return its answer."""

    def columns(self, answer: Any) -> Sequence[np.ndarray[Any, Any]]:
        """Return the arrays of an answer, for its digest."""

    def join(self, answers: Sequence[Any]) -> Any:
        """Combine the answers of consecutive ranges."""


def digest_of(columns: Sequence[np.ndarray[Any, Any]]) -> bytes:
    """Return a digest of the types, the shapes and the bytes of arrays."""
    found = blake2b(digest_size=16)
    for column in columns:
        found.update(f"{column.dtype.str}{column.shape}".encode())
        found.update(np.ascontiguousarray(column).data)
    return found.digest()


@dataclass(frozen=True)
class MatchWork:
    """Matches between built-in bots.

    >>> request = RunRequest.create("tower", bots=["random"], seats=3, match_count=4, seed=7)
    >>> work, cancel = MatchWork(request), _core.Cancel()
    >>> parts = [work.part(first, 2).play(threads=1, cancel=cancel) for first in (0, 2)]
    >>> work.join(parts) == request.play()
    True
    """

    request: RunRequest
    max_decisions: int | None = None
    max_iterations: int | None = None

    @property
    def item(self) -> Item:
        """The matches; those of the same bots in the same setup take about the same time."""
        run = self.request
        probe = _SEARCH_PROBE if run.searches else _PROBE
        return Item(run.match_count, (run.game, tuple(sorted(run.bots)), run.seats, run.setup), probe)

    def part(self, first: int, count: int) -> MatchWork:
        """Return a range of the matches."""
        return replace(self, request=self.request.part(first, count))

    def play(self, *, threads: int, cancel: _core.Cancel) -> MatchReport:
        """Play the matches."""
        return self.request.play(
            threads=threads,
            cancel=cancel,
            max_decisions=self.max_decisions,
            max_iterations=self.max_iterations,
            background=True,
        )

    def columns(self, answer: MatchReport) -> Sequence[np.ndarray[Any, Any]]:
        """Return the columns of a report."""
        return [answer.match_index, *(getattr(answer, name) for name in RESULTS)]

    def join(self, answers: Sequence[MatchReport]) -> MatchReport:
        """Combine reports."""
        return MatchReport.joined(answers)


@dataclass(frozen=True)
class OddsWork:
    """Odds of many fights of one game; each row is the answer to its own question."""

    game: str
    questions: tuple[Any, ...]
    options: dict[str, Any] = field(hash=False)

    @property
    def item(self) -> Item:
        """The questions."""
        options = tuple(sorted((name, repr(value)) for name, value in self.options.items()))
        return Item(len(self.questions), ("odds", self.game, options), probe=4)

    def part(self, first: int, count: int) -> OddsWork:
        """Return a range of the questions."""
        return replace(self, questions=self.questions[first : first + count])

    def play(self, *, threads: int, cancel: _core.Cancel) -> Any:
        """Answer the questions."""
        batch_odds: Callable[..., Any] = import_module(f"sengoku.{self.game}").batch_odds
        return batch_odds(self.questions, **self.options, threads=threads, cancel=cancel, background=True)

    def columns(self, answer: Any) -> Sequence[np.ndarray[Any, Any]]:
        """Return the columns of the odds."""
        return [getattr(answer, column.name) for column in fields(answer)]

    def join(self, answers: Sequence[Any]) -> Any:
        """Combine odds; columns by numbers of units left are as wide as the widest of them."""
        names = [column.name for column in fields(answers[0])]
        return type(answers[0])(**{name: _stack([getattr(one, name) for one in answers]) for name in names})


@dataclass(frozen=True)
class AnalysisWork:
    """The analysis of decisions of one match; each is analysed by itself."""

    match: bytes
    """The saved match."""
    begun: MatchAnalysis
    """The options of the analysis."""
    first: int
    count: int

    @property
    def item(self) -> Item:
        """The decisions."""
        begun = self.begun
        key = ("analysis", begun.game, begun.iterations, begun.luck, begun.horizon)
        return Item(self.count, key, probe=1)

    def part(self, first: int, count: int) -> AnalysisWork:
        """Return a range of the decisions."""
        return replace(self, first=self.first + first, count=count)

    def play(self, *, threads: int, cancel: _core.Cancel) -> tuple[str, ...]:
        """Analyse the decisions; return their records."""
        work = Analysing(_core.Match.load(self.match), self.begun, cancel, background=True)
        return tuple(work.records(list(range(self.first, self.first + self.count)), threads))

    def columns(self, answer: tuple[str, ...]) -> Sequence[np.ndarray[Any, Any]]:
        """Return the bytes of the records."""
        return [np.frombuffer("\n".join(answer).encode(), np.uint8)]

    def join(self, answers: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
        """Combine records."""
        return tuple(record for answer in answers for record in answer)


def _stack(parts: Sequence[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    if parts[0].ndim == 1:
        return np.concatenate(parts)
    width = max(part.shape[1] for part in parts)
    return np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in parts])
