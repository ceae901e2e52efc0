"""Reports of bulk runs: one row per match in columns, with statistics."""

import io
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sengoku.engine.result import MatchResult
from sengoku.errors import ArgumentError, missing_package

if TYPE_CHECKING:
    from pathlib import Path

    from rich.table import Table

RESULTS = ("winner", "by_rule", "ranks", "rounds", "decisions", "reason", "scores", "digest")
"""The result columns of a report, without the match numbers."""
ROW_GROUP = 65_536
"""Rows that are written to a file at once, here and by a server, so that the files are equal."""
_COLUMNS = ("match_index", *RESULTS)
_SAME = ("game", "rules_version", "setup", "seed", "bots", "reasons")
_MEANS = ("mean_rounds", "mean_rounds_error", "mean_decisions", "mean_decisions_error")
_ABOUT = ("game", "rules_version", "setup", "seed", "bots", "match_count", "reasons")


def win_rate_errors(wins: Sequence[int], matches: int) -> npt.NDArray[np.float64]:
    """Return the standard error of the share of matches won, by seat."""
    rate = (np.array(wins) + 0.5) / (matches + 1)
    errors: npt.NDArray[np.float64] = np.sqrt(rate * (1 - rate) / matches)
    return errors


class Statistics(ABC):
    """The statistics of a report of matches, or of its sums."""

    game: str
    seed: int
    bots: tuple[str, ...]
    wins: Any
    draws: Any
    no_results: Any
    reason_counts: Any

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def _mean(self, column: str) -> tuple[float, float]:
        """Return the mean of a column and its standard error, NaN where it is undefined."""

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.bots)

    @property
    def win_rate(self) -> npt.NDArray[np.float64]:
        """Share of matches won, by seat; NaN without matches."""
        return np.array(self.wins) / len(self) if len(self) else np.full(self.seats, math.nan)

    @property
    def win_rate_error(self) -> npt.NDArray[np.float64]:
        """Standard error of each `win_rate`.

        Half a win and half a loss are added, so that a seat that never won does not get an error of 0.
        """
        if not len(self):
            return np.full(self.seats, math.nan)
        return win_rate_errors(self.wins, len(self))

    @property
    def mean_rounds(self) -> float:
        """Mean number of rounds."""
        return self._mean("rounds")[0]

    @property
    def mean_rounds_error(self) -> float:
        """Standard error of `mean_rounds`; NaN for a single match."""
        return self._mean("rounds")[1]

    @property
    def mean_decisions(self) -> float:
        """Mean number of decisions."""
        return self._mean("decisions")[0]

    @property
    def mean_decisions_error(self) -> float:
        """Standard error of `mean_decisions`; NaN for a single match."""
        return self._mean("decisions")[1]

    def _aggregates(self) -> dict[str, Any]:
        """Return the aggregates as plain values; undefined ones are None."""

        def known(value: float) -> float | None:
            return value if math.isfinite(value) else None

        return {
            **{name: getattr(self, name) for name in ("game", "rules_version", "setup", "seed")},
            "bots": list(self.bots),
            "match_count": len(self),
            "wins": np.asarray(self.wins).tolist(),
            **{name: [*map(known, getattr(self, name).tolist())] for name in ("win_rate", "win_rate_error")},
            "draws": self.draws,
            "no_results": self.no_results,
            "reasons": self.reason_counts,
            **{name: known(getattr(self, name)) for name in _MEANS},
        }

    def __rich__(self) -> "Table":
        from sengoku.engine import tables  # noqa: PLC0415 - rich is needed only to show a table

        return tables.matches(self)


@dataclass(frozen=True, eq=False, repr=False)
class MatchReport(Statistics):
    """Results of many matches: columns with one row per match, ordered by match number."""

    game: str
    rules_version: int
    setup: dict[str, Any]
    seed: int
    bots: tuple[str, ...]
    """The bot of each seat."""
    reasons: tuple[str, ...]
    """Names of the end reasons; the column `reason` has indices into it."""
    match_index: npt.NDArray[np.uint64]
    winner: npt.NDArray[np.int8]
    """Seat that won, or -1 if first place is shared or no rule ended the match."""
    by_rule: npt.NDArray[np.bool_]
    """Whether a rule ended the match."""
    ranks: npt.NDArray[np.uint8]
    """Rank of each seat; one column for each seat."""
    rounds: npt.NDArray[np.uint32]
    decisions: npt.NDArray[np.uint32]
    reason: npt.NDArray[np.uint8]
    """Why the match ended, as an index into `reasons`."""
    scores: npt.NDArray[np.int32]
    """Final score of each seat; one column for each seat."""
    digest: npt.NDArray[np.uint64]
    """64-bit digest of the final state."""

    def __len__(self) -> int:
        return len(self.winner)

    @property
    def wins(self) -> npt.NDArray[np.int64]:
        """Matches won, by seat."""
        return np.bincount(self.winner[self.winner >= 0], minlength=self.seats)

    @property
    def draws(self) -> int:
        """Number of matches that a rule ended with first place shared."""
        return int(np.count_nonzero(self.by_rule & (self.winner < 0)))

    @property
    def no_results(self) -> int:
        """Number of matches that a limit ended instead of a rule."""
        return int(np.count_nonzero(~self.by_rule))

    def _mean(self, column: str) -> tuple[float, float]:
        values = getattr(self, column)
        error = float(values.std(ddof=1)) / math.sqrt(len(self)) if len(self) > 1 else math.nan
        return float(values.mean()) if len(self) else math.nan, error

    @property
    def reason_counts(self) -> dict[str, int]:
        """Number of matches by end reason."""
        counts = np.bincount(self.reason, minlength=len(self.reasons))
        return dict(zip(self.reasons, counts.tolist(), strict=True))

    def results(self) -> Iterator[MatchResult]:
        """Iterate over the matches, one result per row."""
        columns = [getattr(self, name).tolist() for name in _COLUMNS]
        for values in zip(*columns, strict=True):
            row = dict(zip(_COLUMNS, values, strict=True))
            row["winner"] = None if row["winner"] < 0 else row["winner"]
            row["reason"] = self.reasons[row["reason"]]
            row |= {name: tuple(row[name]) for name in ("ranks", "scores")}
            yield MatchResult(**row, players=self.bots)

    def merge(self, other: "MatchReport") -> "MatchReport":
        """Combine two reports of different matches; the parts of a run make up its whole report."""
        if not isinstance(other, MatchReport):
            raise TypeError(f"other must be a MatchReport, not {type(other).__name__}")
        for name in _SAME:
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                details = {"field": name, "value": str(theirs), "expected": str(mine)}
                raise ArgumentError(f"{name} is {theirs!r} in one report and {mine!r} in the other", details)
        both = MatchReport.joined([self, other])
        order = np.argsort(both.match_index, kind="stable")
        ordered = both.match_index[order]
        twice = ordered[1:][ordered[1:] == ordered[:-1]]
        if len(twice):
            details = {"field": "match_index", "value": str(twice[0])}
            raise ArgumentError(f"match {twice[0]} is in both reports: each must be in one", details)
        return replace(both, **{name: getattr(both, name)[order] for name in _COLUMNS})

    @classmethod
    def joined(cls, parts: Sequence["MatchReport"]) -> "MatchReport":
        """Concatenate consecutive parts of one run."""
        columns: dict[str, Any] = {
            name: np.concatenate([getattr(part, name) for part in parts]) for name in _COLUMNS
        }
        return cls(**{name: getattr(parts[0], name) for name in _SAME}, **columns)

    def __add__(self, other: object) -> "MatchReport":
        return self.merge(other) if isinstance(other, MatchReport) else NotImplemented

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, MatchReport)
            and all(getattr(self, name) == getattr(other, name) for name in _SAME)
            and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _COLUMNS)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<MatchReport of {len(self)} matches of {self.game}: {', '.join(self.bots)}>"

    def summary(self) -> dict[str, Any]:
        """Return the aggregates as plain values, ready for JSON; an undefined error is None."""
        return self._aggregates()

    def to_dict(self) -> dict[str, Any]:
        """Return the aggregates and all columns as plain values, ready for JSON."""
        columns = {name: getattr(self, name).tolist() for name in _COLUMNS}
        columns["reason"] = [self.reasons[number] for number in columns["reason"]]
        return {**self.summary(), "matches": columns}

    def flat(self) -> dict[str, Any]:
        """Return the columns of a flat table: ranks and scores have one column per seat."""
        flat: dict[str, Any] = {}
        for name in _COLUMNS:
            values = getattr(self, name)
            if values.ndim == 2:
                flat |= {f"{name[:-1]}_{seat}": values[:, seat] for seat in range(self.seats)}
            elif name == "reason":
                flat[name] = np.array(self.reasons, dtype=np.str_)[values]
            else:
                flat[name] = values
        return flat

    def to_csv(self, path: "str | Path | None" = None) -> str | None:
        """Write one line per match to a file, or return the text."""
        return write_csv(self.flat(), path)

    def to_parquet(self, path: "str | Path") -> None:
        """Write one row per match to a Parquet file; needs the extra `sengoku[parquet]`."""
        write_parquet(self.flat(), self.about(), path)

    def about(self) -> dict[str, Any]:
        """Return the metadata of a file with these matches."""
        aggregates = self._aggregates()
        return {name: aggregates[name] for name in _ABOUT}


def write_csv(flat: dict[str, Any], path: "str | Path | None" = None) -> str | None:
    """Write columns to a CSV file, or return the text."""
    if path is None:
        out = io.StringIO()
        _write_lines(flat, out)
        return out.getvalue()
    from pathlib import Path  # noqa: PLC0415 - takes time to load

    with Path(path).open("w", encoding="utf-8", newline="") as file:
        _write_lines(flat, file)
    return None


def _write_lines(flat: dict[str, Any], file: Any) -> None:
    import csv  # noqa: PLC0415 - takes time to load

    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(flat)
    writer.writerows(zip(*(column.tolist() for column in flat.values()), strict=True))


def arrow(what: str = "Parquet files") -> Any:
    """Return the optional package pyarrow."""
    try:
        import pyarrow as pa  # noqa: PLC0415
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError as error:
        raise missing_package("pyarrow", what, "parquet") from error
    return pa


def arrow_table(flat: dict[str, Any], about: dict[str, Any]) -> Any:
    """Return columns as an Arrow table with metadata."""
    return arrow().table(flat).replace_schema_metadata({"sengoku": json.dumps(about)})


def write_parquet(flat: dict[str, Any], about: dict[str, Any], path: "str | Path") -> None:
    """Write columns with metadata to a Parquet file; needs the extra `sengoku[parquet]`."""
    pa = arrow()
    pa.parquet.write_table(arrow_table(flat, about), str(path), row_group_size=ROW_GROUP)
