"""Balance of scenarios: results of matches between built-in bots, counted by seat and kept in `balance.json`.

>>> measured = balance("battles", "8")[0]
>>> measured.bots, measured.match_count == sum(measured.wins) + measured.draws + measured.no_results
(('greedy', 'greedy'), True)
"""

import json
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from typing import Any

from sengoku.engine.report import win_rate_errors

FILE = "balance.json"


@dataclass(frozen=True)
class Balance:
    """Results of matches that were played from a scenario, the first of which was match 0."""

    rules_version: int
    """Rules version with which they were played."""
    bots: tuple[str, ...]
    """The bot of each seat."""
    seed: int
    match_count: int
    wins: tuple[int, ...]
    """Matches won, by seat."""
    draws: int
    """Matches that a rule ended with first place shared."""
    no_results: int
    """Matches that a limit ended instead of a rule."""
    rounds_sum: int
    """Rounds of all matches."""
    date: str
    """Day on which they were played."""

    def as_dict(self) -> dict[str, Any]:
        """Return all fields as plain values, ready for JSON."""
        return {**asdict(self), "bots": list(self.bots), "wins": list(self.wins)}

    @property
    def win_rate(self) -> list[float]:
        """Share of matches won, by seat."""
        return [wins / self.match_count for wins in self.wins]

    @property
    def win_rate_error(self) -> list[float]:
        """Standard error of each `win_rate`."""
        errors: list[float] = win_rate_errors(self.wins, self.match_count).tolist()
        return errors


@cache
def _measured() -> dict[tuple[str, str], tuple[Balance, ...]]:
    text = resources.files("sengoku.engine").joinpath(FILE).read_text("utf-8")
    found: dict[tuple[str, str], tuple[Balance, ...]] = {}
    for row in json.loads(text):
        key = row.pop("game"), row.pop("scenario")
        found[key] = (*found.get(key, ()), balance_of(row))
    return found


def balance_of(row: dict[str, Any]) -> Balance:
    """Return a balance from its fields, as they are in a file."""
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in row.items()
    }
    return Balance(**fields)


def balance(game: str, scenario: str) -> tuple[Balance, ...]:
    """Return what was measured for a built-in scenario, by number of seats; nothing for others."""
    return _measured().get((game, scenario), ())
