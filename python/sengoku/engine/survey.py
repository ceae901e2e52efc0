"""Surveys: the same run in every scenario of a game, to compare win rates.

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
from typing import TYPE_CHECKING, Any

import numpy as np

from sengoku.engine.progress import Progress, watching
from sengoku.engine.report import MatchReport, write_csv, write_parquet
from sengoku.engine.runs import run_matches
from sengoku.engine.scenarios import Scenario, scenarios
from sengoku.engine.words import count_text, share_text
from sengoku.errors import ArgumentError, SetupError

if TYPE_CHECKING:
    from pathlib import Path

    from rich.table import Table


@dataclass(frozen=True, repr=False)
class Survey:
    """Reports of the same run in several scenarios of a game."""

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
        """The survey as rows of text; `columns` has the headings."""
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
        """One-line description of what was played."""
        report = self.reports[0]
        count = count_text(len(report), "match", "matches")
        game = f"{report.game}, rules version {report.rules_version}"
        return f"{count} of {game}, in each of {len(self)} scenarios, seed {report.seed}"

    def summary(self) -> dict[str, Any]:
        """Return the aggregates of every scenario as plain values, ready for JSON."""
        scenarios = [
            {"id": scenario.id, "name": scenario.name, "seats": scenario.seats, **report.summary()}
            for scenario, report in self
        ]
        same = ("game", "rules_version", "seed", "bots", "match_count")
        return {**{name: scenarios[0][name] for name in same}, "scenarios": scenarios}

    def to_markdown(self) -> str:
        """Return the table of win rates as Markdown."""
        lines = [self.columns, ["---"] * len(self.columns), *self.rows]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def to_csv(self, path: "str | Path | None" = None) -> str | None:
        """Write one line per match of each scenario to a file, or return the text."""
        return write_csv(self._flat(), path)

    def to_parquet(self, path: "str | Path") -> None:
        """Write one row per match of each scenario; needs the extra `sengoku[parquet]`."""
        summary = self.summary()
        write_parquet(self._flat(), {name: summary[name] for name in summary if name != "scenarios"}, path)

    def _flat(self) -> dict[str, Any]:
        parts = [
            {"scenario": np.full(len(report), scenario.id, dtype=np.object_), **report.flat()}
            for scenario, report in self
        ]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _share(scenario: Scenario, report: MatchReport, seat: int) -> str:
    """Return the win rate of a seat, with the side that sits there if the scenario says so."""
    share = share_text(report.win_rate[seat], report.win_rate_error[seat])
    return " ".join((*scenario.seats[seat : seat + 1], share))


def run_scenarios(
    game: str,
    *,
    match_count: int,
    setup: Mapping[str, Any] | None = None,
    progress: bool | Progress | None = None,
    **options: Any,
) -> Survey:
    """Play the same matches in every scenario of a game, as `run_matches` does in one.

    `setup` has the options common to all scenarios; the other options are those of `run_matches`.
    """
    known = scenarios(game)
    with watching(progress) as report:
        parts = scenario_runs(known, match_count=match_count, setup=setup, told=report)
        return Survey(tuple(known), tuple(run_matches(**part, **options) for part in parts))


def scenario_runs(
    known: Sequence[Scenario], *, match_count: int, setup: Mapping[str, Any] | None, told: Progress | None
) -> Iterator[dict[str, Any]]:
    """Iterate over the options of the run in each scenario."""
    if not known:
        raise ArgumentError("the game has no scenarios: choose another game", {"field": "scenarios"})
    common = dict(setup or {})
    for name in common:
        if any(name in (scenario.setup or {}) for scenario in known):
            reason = "must not be set, since every scenario sets it"
            raise SetupError(f"{name}: {reason}", {"field": name, "reason": reason})
    total = match_count * len(known)
    for number, scenario in enumerate(known):
        onward: Progress | None = None
        if told is not None:
            before = match_count * number
            onward = lambda done, _, before=before, told=told: told(before + done, total)  # noqa: E731
        options = {**common, **(scenario.setup or {})}
        yield {"game": scenario.game, "match_count": match_count, "setup": options, "progress": onward}
