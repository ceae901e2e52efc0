"""The same run in every scenario of a game: who wins where.

>>> survey = run_scenarios("tower", bots=["greedy", "random"], match_count=2, seed=3)
>>> [scenario.id for scenario in survey.scenarios]
['sun', 'moon']
>>> survey.reports[0] == run_matches(
...     "tower", bots=["greedy", "random"], match_count=2, seed=3, setup={"side": "sun"}
... )
True
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sengoku.engine.progress import Progress, watching
from sengoku.engine.report import MatchReport, write_csv, write_parquet
from sengoku.engine.runs import run_matches
from sengoku.engine.scenarios import Scenario, scenarios
from sengoku.errors import ArgumentError, SetupError

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["Survey", "run_scenarios"]


@dataclass(frozen=True, repr=False)
class Survey:
    """What came of the same run in several scenarios of a game, in their order."""

    scenarios: tuple[Scenario, ...]
    reports: tuple[MatchReport, ...]
    """The report of each scenario."""

    def __len__(self) -> int:
        return len(self.reports)

    def __iter__(self) -> Iterator[tuple[Scenario, MatchReport]]:
        return iter(zip(self.scenarios, self.reports, strict=True))

    def __repr__(self) -> str:
        return f"<Survey of {len(self)} scenarios: {self.reports[0]!r} in each>"

    def __rich__(self) -> "Table":
        from sengoku.engine import tables  # noqa: PLC0415 - rich is needed only to show a table

        return tables.survey(self)

    @property
    def rows(self) -> list[list[str]]:
        """The survey as a table for people; `columns` are its headings."""
        return [
            [
                scenario.id,
                scenario.name,
                *(_share(scenario, report, seat) for seat in range(report.seats)),
                f"{report.draws + report.no_results:,}",
                f"{report.mean_rounds:.1f}",
                ", ".join(f"{name} {count:,}" for name, count in report.reason_counts.items() if count),
            ]
            for scenario, report in self
        ]

    @property
    def columns(self) -> list[str]:
        """The headings of `rows`."""
        seats = [f"seat {seat} ({bot}) wins" for seat, bot in enumerate(self.reports[0].bots)]
        return ["id", "scenario", *seats, "nobody wins", "rounds", "ends"]

    @property
    def title(self) -> str:
        """What was played, in one line."""
        report = self.reports[0]
        count = f"{len(report):,} match{'es' * (len(report) != 1)}"
        game = f"{report.game}, rules version {report.rules_version}"
        return f"{count} of {game}, in each of {len(self)} scenarios, seed {report.seed}"

    def summary(self) -> dict[str, Any]:
        """Gives the aggregates of every scenario as plain values, ready for JSON."""
        told = [
            {"id": scenario.id, "name": scenario.name, "seats": scenario.seats, **report.summary()}
            for scenario, report in self
        ]
        same = ("game", "rules_version", "seed", "bots", "match_count")
        return {**{name: told[0][name] for name in same}, "scenarios": told}

    def to_markdown(self) -> str:
        """Gives the table of win rates as Markdown."""
        lines = [self.columns, ["---"] * len(self.columns), *self.rows]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def to_csv(self, path: str | Path | None = None) -> str | None:
        """Writes one line for each match of each scenario into a file, or gives the text."""
        return write_csv(self._flat(), path)

    def to_parquet(self, path: str | Path) -> None:
        """Writes one row for each match of each scenario; needs the extra `sengoku[parquet]`."""
        summary = self.summary()
        write_parquet(self._flat(), {name: summary[name] for name in summary if name != "scenarios"}, path)

    def _flat(self) -> dict[str, Any]:
        parts = [
            {"scenario": np.full(len(report), scenario.id, dtype=np.object_), **report.flat()}
            for scenario, report in self
        ]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _share(scenario: Scenario, report: MatchReport, seat: int) -> str:
    """How often a seat won, with who sits there where the scenario says."""
    share = f"{report.win_rate[seat]:.2%} ± {report.win_rate_error[seat]:.2%}"
    return " ".join((*scenario.seats[seat : seat + 1], share))


def run_scenarios(
    game: str,
    *,
    match_count: int,
    setup: Mapping[str, Any] | None = None,
    progress: bool | Progress | None = None,
    **wish: Any,
) -> Survey:
    """Lets bots play the same matches in every scenario of a game, as `run_matches` does in one.

    `setup` has the options that are the same everywhere; the others are those of `run_matches`.
    """
    known = scenarios(game)
    with watching(progress) as told:
        parts = scenario_runs(known, match_count=match_count, setup=setup, told=told)
        return Survey(tuple(known), tuple(run_matches(**part, **wish) for part in parts))


def scenario_runs(
    known: Sequence[Scenario],
    *,
    match_count: int,
    setup: Mapping[str, Any] | None,
    told: Progress | None,
) -> Iterator[dict[str, Any]]:
    """Gives the options of the run in each of some scenarios of a game, one after the other."""
    if not known:
        raise ArgumentError("the game has no scenarios", {"field": "scenarios"})
    common = dict(setup or {})
    for name in common:
        if any(name in (scenario.setup or {}) for scenario in known):
            reason = "every scenario sets it by itself"
            raise SetupError(f"{name}: {reason}", {"field": name, "reason": reason})
    total = match_count * len(known)
    for number, scenario in enumerate(known):
        onward: Progress | None = None
        if told is not None:
            before = match_count * number
            onward = lambda done, _, before=before, told=told: told(before + done, total)  # noqa: E731
        options = {**common, **(scenario.setup or {})}
        yield {"game": scenario.game, "match_count": match_count, "setup": options, "progress": onward}
