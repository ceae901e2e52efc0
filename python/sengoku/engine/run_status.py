"""Status and summary of runs on a server, as a client sees them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from sengoku.engine.report import MatchReport, Statistics
from sengoku.errors import RunNotOverError, SengokuError

STATES = ("queued", "running", "stalled", "succeeded", "failed", "cancelled")
"""Every state of a run."""
_OVER = frozenset({"succeeded", "failed", "cancelled"})


@dataclass(frozen=True)
class RunSummary(Statistics):
    """Aggregates of the finished matches of a run: integer sums, and the statistics computed from them.

    >>> from sengoku import run_matches
    >>> report = run_matches("battles", bots=["greedy", "random"], match_count=50, seed=3)
    >>> summary = RunSummary.of(report)
    >>> (summary.win_rate == report.win_rate).all() and summary.mean_rounds == report.mean_rounds
    True
    """

    game: str
    rules_version: int
    setup: dict[str, Any] = field(hash=False)
    seed: int
    bots: tuple[str, ...]
    """The bot of each seat."""
    match_count: int
    """Number of finished matches."""
    wins: tuple[int, ...]
    """Matches won, by seat."""
    draws: int
    """Number of matches that a rule ended with first place shared."""
    no_results: int
    """Number of matches that a limit ended instead of a rule."""
    reason_counts: dict[str, int] = field(hash=False)
    """Number of matches by end reason."""
    rounds_sum: int
    rounds_square_sum: int
    decisions_sum: int
    decisions_square_sum: int
    digest_sum: int
    """Sum of all digests modulo 2^64: one number to compare whole runs."""

    @classmethod
    def of(cls, report: MatchReport) -> RunSummary:
        """Compute the summary of a report."""

        def sums(column: npt.NDArray[Any]) -> tuple[int, int]:
            whole = column.astype(np.uint64)
            return int(whole.sum()), int((whole * whole).sum())

        rounds, decisions = sums(report.rounds), sums(report.decisions)
        same = ("game", "rules_version", "setup", "seed", "bots", "draws", "no_results", "reason_counts")
        return cls(
            **{name: getattr(report, name) for name in same},
            match_count=len(report),
            wins=tuple(report.wins.tolist()),
            rounds_sum=rounds[0],
            rounds_square_sum=rounds[1],
            decisions_sum=decisions[0],
            decisions_square_sum=decisions[1],
            digest_sum=int(report.digest.sum(dtype=np.uint64)),
        )

    def __len__(self) -> int:
        return self.match_count

    def _mean(self, column: str) -> tuple[float, float]:
        count, total = self.match_count, getattr(self, f"{column}_sum")
        squares = getattr(self, f"{column}_square_sum")
        mean = total / count if count else math.nan
        if count < 2:
            return mean, math.nan
        # Integer sums lose no precision before the division.
        return mean, math.sqrt((count * squares - total * total) / (count * count * (count - 1)))

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON; undefined values are None."""
        return {**self._aggregates(), "digest_sum": f"{self.digest_sum:016x}"}


@dataclass(frozen=True)
class RunStatus:
    """Progress and state of a run."""

    name: str
    """Name of the run on the server."""
    state: str
    """One of `STATES`."""
    game: str
    bots: tuple[str, ...]
    """Bots as requested."""
    seats: int | None
    setup: dict[str, Any] = field(hash=False)
    seed: int
    first_match: int
    match_count: int
    """Number of requested matches."""
    matches_done: int
    matches_per_second: float
    """Recent speed; 0 while it is not running."""
    decisions_per_second: float
    time_left: float | None
    """Estimated seconds until the end, if known."""
    create_time: datetime | None
    end_time: datetime | None
    client: str
    """The client that started it."""
    request_id: str
    queue_position: int
    """Number of runs ahead of it in the queue."""
    obstacle: str
    """Why it is stalled."""
    summary: RunSummary | None = field(repr=False)
    """Aggregates of the finished matches; None before the first."""
    error: SengokuError | None = field(default=None, compare=False)
    """Why it failed, or that it was cancelled."""

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self.state in _OVER

    @property
    def share(self) -> float:
        """Finished share of the matches, 0 to 1."""
        return self.matches_done / self.match_count if self.match_count else 1.0

    def check(self) -> RunSummary:
        """Return the summary of a run that succeeded, or raise the error that ended it."""
        if self.error is not None:
            raise self.error
        if self.state != "succeeded" or self.summary is None:
            details = {"name": self.name, "state": self.state}
            raise RunNotOverError(f"{self.name} is {self.state}: wait until it has succeeded", details)
        return self.summary

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        for name in ("create_time", "end_time"):
            plain[name] = plain[name] and plain[name].isoformat()
        plain["bots"] = list(self.bots)
        plain["summary"] = self.summary and self.summary.as_dict()
        plain["error"] = self.error and {"reason": self.error.reason, "message": str(self.error)}
        return plain
