"""Compare throughput with references measured in the same run, so that the machine hardly matters."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sengoku import tower
from sengoku._core import build_info
from sengoku.cli import reference_numpy, tables
from sengoku.cli.measure import (
    LANES,
    REFERENCE_ARMY,
    REFERENCE_BATTLE,
    REFERENCE_CONTENTS,
    REFERENCE_THROW,
    rate,
)
from sengoku.engine.batch import BatchEnv
from sengoku.engine.games import games
from sengoku.engine.runs import run_matches
from sengoku.errors import invalid
from sengoku.figures import plot as figures

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["Compared", "append", "check_outputs", "compare", "entry", "markdown", "plot", "read", "table"]

_BATTLES = 200_000
_STEPS = 20
_HEADINGS = ("work, on one thread", ">figure", "unit", "reference of the same run", ">its figure", ">ratio")


@dataclass(frozen=True)
class Compared:
    """A kind of work, and a reference measured in the same run."""

    work: str
    figure: float
    unit: str
    reference: str
    reference_figure: float

    @property
    def ratio(self) -> float:
        """How many times as fast as the reference."""
        return self.figure / self.reference_figure

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self) | {"ratio": self.ratio}


def _numpy_draws(seconds: float) -> float:
    """Random numbers of numpy a second, a thousand at a time."""
    rng = np.random.default_rng(7)
    return rate(lambda: [rng.integers(0, 12, 1000, np.uint8) for _ in range(1000)], 1e6, seconds)


def _numpy_battles(seconds: float) -> float:
    """Battles a second of the vectorised simulation in numpy, checked against the exact odds."""
    army = tuple(getattr(REFERENCE_ARMY, unit) for unit in ("spear", "gun", "sword", "bow", "daimyo"))
    wins = reference_numpy.simulate(army, army, _BATTLES, seed=1)[0] / _BATTLES
    if abs(wins - REFERENCE_BATTLE.exact().attacker_wins) > 5 * 0.5 / _BATTLES**0.5:
        raise AssertionError(f"the reference in numpy finds {wins}")
    return rate(lambda: reference_numpy.simulate(army, army, _BATTLES, seed=1), _BATTLES, seconds)


def _envpool_steps(seconds: float) -> float | None:
    """Steps a second of EnvPool's CartPole in as many lanes; None where it is not installed."""
    try:
        import envpool  # noqa: PLC0415 - optional
    except ImportError:
        return None
    env = envpool.make("CartPole-v1", env_type="gymnasium", num_envs=LANES, num_threads=1)
    env.reset()
    actions = np.random.default_rng(7).integers(0, 2, LANES, np.int32)
    return rate(lambda: [env.step(actions) for _ in range(_STEPS)], _STEPS * LANES, seconds)


def _openspiel_decisions(seconds: float) -> float | None:
    """Decisions a second of random playouts of backgammon in OpenSpiel; None where it is not installed."""
    try:
        import pyspiel  # noqa: PLC0415 - optional
    except ImportError:
        return None
    game, rng = pyspiel.load_game("backgammon"), np.random.default_rng(7)
    decisions = 2000

    def play() -> None:
        done, state = 0, game.new_initial_state()
        while done < decisions:
            if state.is_terminal():
                state = game.new_initial_state()
            legal = state.legal_actions()
            done += not state.is_chance_node()
            state.apply_action(legal[rng.integers(len(legal))])

    return rate(play, decisions, seconds)


def _matches(game: str, seats: int, seconds: float) -> float:
    """Decisions a second of whole matches between random bots."""
    play = partial(run_matches, game, bots=["random"], seats=seats, match_count=500, seed=7, threads=1)
    return rate(play, int(play().decisions.sum()), seconds)


def _steps(game: str, seats: int, seconds: float) -> float:
    """Steps a second of a batch, with observations and both masks written and random actions chosen."""
    with BatchEnv(game, LANES, seed=7, seats=seats, threads=1) as env:
        actions = np.empty(LANES, np.int64)
        env.reset()

        def work() -> None:
            for _ in range(_STEPS):
                env.step(env.sample_actions(actions))

        for _ in range(10):
            work()
        return rate(work, _STEPS * LANES, seconds)


def compare(seconds: float) -> list[Compared]:
    """Measure everything, references included."""
    draws = ("numpy: random numbers", _numpy_draws(seconds))
    battles = ("numpy: the same battle, vectorised", _numpy_battles(seconds))
    steps, decisions = _envpool_steps(seconds), _openspiel_decisions(seconds)
    peers = {
        "steps/s": draws if steps is None else ("EnvPool: steps of CartPole", steps),
        "decisions/s": draws if decisions is None else ("OpenSpiel: random backgammon", decisions),
    }
    sample = partial(REFERENCE_BATTLE.sample, 1 << 22, seed=7, threads=1)
    throw: Callable[[], object] = partial(
        tower.simulate_throws, REFERENCE_THROW, count=200_000, contents=REFERENCE_CONTENTS, seed=7, threads=1
    )
    rows = [
        Compared("swords: sampled odds of a battle", rate(sample, 1 << 22, seconds), "battles/s", *battles),
        Compared("tower: throws of 10 cubes", rate(throw, 200_000, seconds), "throws/s", *draws),
    ]
    for game in games():
        seats = min(4, game.seats[1])
        for name, measure, unit in (
            (f"{game.name}: matches of {seats} random bots", _matches, "decisions/s"),
            (f"{game.name}: batch of {LANES} lanes", _steps, "steps/s"),
        ):
            rows.append(Compared(name, measure(game.name, seats, seconds), unit, *peers[unit]))
    return rows


def entry(rows: Iterable[Compared]) -> dict[str, Any]:
    """Return a line of the history."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "build": build_info(),
        "ratios": {f"{row.work} / {row.reference}": round(row.ratio, 4) for row in rows},
    }


def check_outputs(history: Path | None, plot: Path | None) -> None:
    """Raise an error for files that cannot be used, before anything is measured."""
    if plot is not None:
        figures.check(plot)
    if history is not None and history.exists():
        read(history)


def append(history: Path, line: dict[str, Any]) -> None:
    """Add a line to a history."""
    with history.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def read(history: Path) -> list[dict[str, Any]]:
    """Return the lines of a history, oldest first."""
    try:
        found = [json.loads(line) for line in history.read_text("utf-8").splitlines() if line.strip()]
        for line in found:
            datetime.fromisoformat(line["time"])
            dict(line["ratios"])
    except (ValueError, KeyError, TypeError) as error:
        raise invalid("--history", history, "expected a file that `sengoku bench --history` wrote") from error
    return found


def table(rows: Iterable[Compared]) -> Table:
    """Return a table for a terminal."""
    return tables.table(_HEADINGS, map(_cells, rows))


def markdown(rows: Iterable[Compared]) -> str:
    """Return a table for Markdown."""
    headings = [heading.lstrip(">") for heading in _HEADINGS]
    rule = ["--:" if heading.startswith(">") else "---" for heading in _HEADINGS]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (headings, rule, *map(_cells, rows)))


def _cells(row: Compared) -> tuple[str, ...]:
    return (
        row.work,
        _short(row.figure),
        row.unit,
        row.reference,
        _short(row.reference_figure),
        f"{row.ratio:,.3g}" if row.ratio < 1000 else f"{row.ratio:,.0f}",
    )


def _short(figure: float) -> str:
    """Return a figure in a few characters.

    >>> _short(1_234_567.0), _short(56_789.0), _short(12.5)
    ('1.23 M', '56.8 k', '12.5')
    """
    for unit, size in ((" M", 1e6), (" k", 1e3)):
        if figure >= size:
            return f"{figure / size:.3g}{unit}"
    return f"{figure:.3g}"


def plot(lines: list[dict[str, Any]], file: Path) -> None:
    """Draw the ratios over time, on a logarithmic scale."""
    figure, axes = figures.new_figure(9, 5)
    times = [datetime.fromisoformat(line["time"]) for line in lines]
    for name in dict.fromkeys(name for line in lines for name in line["ratios"]):
        values = [line["ratios"].get(name, float("nan")) for line in lines]
        axes.plot(times, values, marker="o", label=name)
    axes.set_yscale("log")
    axes.set_ylabel("times as fast as the reference")
    axes.legend(fontsize=6, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.autofmt_xdate()
    figures.save_figure(figure, file)
