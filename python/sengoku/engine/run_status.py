"""Runs on a server as a client sees them: how far they are, and what came of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sengoku.engine.report import MatchReport
from sengoku.errors import RunNotOverError, SengokuError

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["STATES", "RunStatus", "RunSummary"]

STATES = ("queued", "running", "stalled", "succeeded", "failed", "cancelled")
"""Every state that a run can be in."""
_OVER = frozenset({"succeeded", "failed", "cancelled"})


@dataclass(frozen=True)
class RunSummary:
    """What came of the matches of a run that are done: sums of whole numbers, and what follows from them.

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
    """Matches that are done."""
    wins: tuple[int, ...]
    """Matches won, by seat."""
    draws: int
    """Matches that ended by a rule with the first place shared."""
    no_results: int
    """Matches that no rule ended, but a host's cap."""
    reason_counts: dict[str, int] = field(hash=False)
    """Matches by the reason for which they ended."""
    rounds_sum: int
    rounds_square_sum: int
    decisions_sum: int
    decisions_square_sum: int
    digest_sum: int
    """Sum of all digests modulo 2^64: one number to compare whole runs by."""

    @classmethod
    def of(cls, report: MatchReport) -> RunSummary:
        """Gives the summary of a report."""

        def sums(column: npt.NDArray[Any]) -> tuple[int, int]:
            whole = column.astype(np.uint64)
            return int(whole.sum()), int((whole * whole).sum())

        rounds, decisions = sums(report.rounds), sums(report.decisions)
        return cls(
            game=report.game,
            rules_version=report.rules_version,
            setup=report.setup,
            seed=report.seed,
            bots=report.bots,
            match_count=len(report),
            wins=tuple(report.wins.tolist()),
            draws=report.draws,
            no_results=report.no_results,
            reason_counts=report.reason_counts,
            rounds_sum=rounds[0],
            rounds_square_sum=rounds[1],
            decisions_sum=decisions[0],
            decisions_square_sum=decisions[1],
            digest_sum=int(report.digest.sum(dtype=np.uint64)),
        )

    def __len__(self) -> int:
        return self.match_count

    @property
    def seats(self) -> int:
        """Seats at the table."""
        return len(self.bots)

    @property
    def win_rate(self) -> npt.NDArray[np.float64]:
        """Share of matches won, by seat; not a number before the first match is done."""
        return np.array(self.wins) / self.match_count if self.match_count else np.full(self.seats, math.nan)

    @property
    def win_rate_error(self) -> npt.NDArray[np.float64]:
        """Standard error of each `win_rate`, as that of a `MatchReport`."""
        if not self.match_count:
            return np.full(self.seats, math.nan)
        rate = (np.array(self.wins) + 0.5) / (self.match_count + 1)
        return np.sqrt(rate * (1 - rate) / self.match_count)

    @property
    def mean_rounds(self) -> float:
        """Mean number of rounds."""
        return self.rounds_sum / self.match_count if self.match_count else math.nan

    @property
    def mean_rounds_error(self) -> float:
        """Standard error of `mean_rounds`; not a number for a single match."""
        return _error_of_mean(self.match_count, self.rounds_sum, self.rounds_square_sum)

    @property
    def mean_decisions(self) -> float:
        """Mean number of decisions."""
        return self.decisions_sum / self.match_count if self.match_count else math.nan

    @property
    def mean_decisions_error(self) -> float:
        """Standard error of `mean_decisions`; not a number for a single match."""
        return _error_of_mean(self.match_count, self.decisions_sum, self.decisions_square_sum)

    def as_dict(self) -> dict[str, Any]:
        """Gives everything as plain values, ready for JSON; what cannot be told is None."""

        def known(value: float) -> float | None:
            return value if math.isfinite(value) else None

        return {
            "game": self.game,
            "rules_version": self.rules_version,
            "setup": self.setup,
            "seed": self.seed,
            "bots": list(self.bots),
            "match_count": self.match_count,
            "wins": list(self.wins),
            "win_rate": [known(rate) for rate in self.win_rate.tolist()],
            "win_rate_error": [known(error) for error in self.win_rate_error.tolist()],
            "draws": self.draws,
            "no_results": self.no_results,
            "reasons": self.reason_counts,
            "mean_rounds": known(self.mean_rounds),
            "mean_rounds_error": known(self.mean_rounds_error),
            "mean_decisions": known(self.mean_decisions),
            "mean_decisions_error": known(self.mean_decisions_error),
            "digest_sum": f"{self.digest_sum:016x}",
        }

    def __rich__(self) -> Table:
        from sengoku.engine import tables  # noqa: PLC0415 - rich is needed only to show a table

        return tables.matches(self)


def _error_of_mean(count: int, total: int, squares: int) -> float:
    """Standard error of a mean, from whole numbers, so that nothing is lost before the division."""
    if count < 2:
        return math.nan
    return math.sqrt((count * squares - total * total) / (count * count * (count - 1)))


@dataclass(frozen=True)
class RunStatus:
    """How a run is getting on."""

    name: str
    """How the server names the run."""
    state: str
    """One of `STATES`."""
    game: str
    bots: tuple[str, ...]
    """Bots as they were asked for."""
    seats: int | None
    setup: dict[str, Any] = field(hash=False)
    seed: int
    first_match: int
    match_count: int
    """Matches wanted."""
    matches_done: int
    matches_per_second: float
    """Lately; 0 while it is not running."""
    decisions_per_second: float
    time_left: float | None
    """Seconds that it will probably take, if anything can be said."""
    create_time: datetime | None
    end_time: datetime | None
    client: str
    """Who began it."""
    request_id: str
    queue_position: int
    """Runs that are before it in the queue."""
    obstacle: str
    """Why it is stalled."""
    summary: RunSummary | None = field(repr=False)
    """Aggregates of what is done, as soon as something is."""
    error: SengokuError | None = field(default=None, compare=False)
    """Why it failed, or that it was cancelled."""

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in _OVER

    @property
    def share(self) -> float:
        """How much of it is done, 0 to 1."""
        return self.matches_done / self.match_count if self.match_count else 1.0

    def check(self) -> RunSummary:
        """Gives what came of a run that is over, or raises what ended it before its time."""
        if self.error is not None:
            raise self.error
        if self.state != "succeeded" or self.summary is None:
            details = {"name": self.name, "state": self.state}
            raise RunNotOverError(f"{self.name} is {self.state}", details)
        return self.summary

    def as_dict(self) -> dict[str, Any]:
        """Gives everything as plain values, ready for JSON."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__}
        for name in ("create_time", "end_time"):
            told[name] = told[name] and told[name].isoformat()
        told["bots"] = list(self.bots)
        told["summary"] = self.summary and self.summary.as_dict()
        told["error"] = self.error and {"reason": self.error.reason, "message": str(self.error)}
        return told
