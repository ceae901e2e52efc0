"""The statistics S1 to S8 of TW-TOWER-44, the same for both models.

Throws of one trial share a tower, so they are not independent; trials are. Standard errors come from leaving
out one trial after the other (the jackknife), which looks at trials only.
"""

from collections.abc import Callable, Mapping
from functools import cache
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from tools.calibration.measure import Trials

Array = npt.NDArray[np.float64]
Table = dict[str, Any]

FILLS = (31, 38, 45)
SIZES = (2, 4, 6, 8, 12, 16)
CONTENTS = (15, 20, 25, 30, 35, 40, 45)
CLASH_CONTENT = 35
FAIR_SIZE = 12
FOLLOWED = 40


def fitted(trials: Mapping[str, Trials]) -> Table:
    """Gives S1 to S4, what the fit looks at, each number as `[value, standard error]`."""
    fill, grid = trials["fill"], trials["grid"]
    cells = {
        f"k={size} N={content}": _cell(grid.where((grid["thrown"] == size) & (grid["content"] == content)))
        for size in SIZES
        for content in CONTENTS
    }
    return {
        "S1": {str(size): _fill(fill.where(fill["thrown"] == size)) for size in FILLS},
        "S2, S3": {name: cell for name, cell in cells.items() if cell is not None},
        "S4": _by_content(grid),
    }


def statistics(trials: Mapping[str, Trials]) -> Table:
    """Gives S1 to S8 and what else there is to say about the throws."""
    grid, long_run = trials["grid"], trials["long_run"]
    return fitted(trials) | {
        "S5": _residence(long_run.residence),
        "S6": _long_run(long_run),
        "S7": _fairness(grid.where(grid["thrown"] == FAIR_SIZE)),
        "S8": _clashes(grid.where(grid["content"] == CLASH_CONTENT)),
        "throws": {name: len(found.rows) for name, found in trials.items()},
        "pushed": int(sum(found["pushes"].sum() for found in trials.values())),
        "timed_out": int(sum(found["timed_out"].sum() for found in trials.values())),
    }


def _fill(fill: Trials) -> Table:
    held = (fill["thrown"] - fill["output"]).astype(np.float64)
    mean, variance = _moments(held, fill["trial"])
    deviation = float(np.sqrt(variance[0]))
    return {
        "throws": len(held),
        "mean": mean,
        "sd": [deviation, variance[1] / (2 * deviation) if deviation else 0.0],
        "counts": np.bincount(held.astype(int)).tolist(),
    }


def _cell(cell: Trials) -> Table | None:
    if not _several(cell):
        return None
    mean, variance = _moments(cell["output"].astype(float), cell["trial"])
    return {
        "throws": len(cell.rows),
        "mean": mean,
        "variance": variance,
        "counts": np.bincount(cell["output"]).tolist(),
    }


def _by_content(grid: Trials) -> Table:
    """Share of fresh cubes that pass at once; every size counts the same, so that clashes weigh no more."""
    table = {}
    for content in CONTENTS:
        chosen = grid.where((grid["content"] == content) & np.isin(grid["thrown"], SIZES))
        if _several(chosen):
            sums = _sums(chosen["trial"], chosen["fresh"], chosen["thrown"])
            table[str(content)] = _jackknife(sums, lambda sums: sums[:, 0] / sums[:, 1])
    return table


def _residence(residence: npt.NDArray[np.uint32]) -> Table:
    """Throws that a cube stays inside, of those that stay; one that is older counts as 41."""
    if not residence.size:
        return {}
    ages = np.arange(1, FOLLOWED + 2)
    counts = residence.astype(float)

    def quantile(share: float) -> Callable[[Array], Array]:
        def find(sums: Array) -> Array:
            reached = np.cumsum(sums, axis=1) >= share * sums.sum(axis=1, keepdims=True)
            return np.asarray(reached.argmax(axis=1) + 1, np.float64)

        return find

    return {
        "mean": _jackknife(counts, lambda sums: sums @ ages / sums.sum(axis=1)),
        "median": _jackknife(counts, quantile(0.5)),
        "90 %": _jackknife(counts, quantile(0.9)),
        "older": _jackknife(counts, lambda sums: sums[:, -1] / sums.sum(axis=1)),
        "counts": residence.sum(axis=0).tolist(),
    }


def _long_run(run: Trials) -> Table:
    """Content before a throw: mean, standard deviation, correlation with that before the next."""
    if not len(run.rows):
        return {}
    content, trial = run["content"].astype(float), run["trial"]
    sums = _sums(trial, np.ones(len(content)), content, content**2)
    follows = trial[1:] == trial[:-1]
    before, after = content[:-1][follows], content[1:][follows]
    columns = (np.ones(len(before)), before, after, before**2, after**2, before * after)
    pairs = _sums(trial[1:][follows], *columns)

    def correlation(sums: Array) -> Array:
        number, before, after, before_2, after_2, product = sums.T
        spread = np.sqrt((number * before_2 - before**2) * (number * after_2 - after**2))
        return np.asarray((number * product - before * after) / spread)

    def content_at(place: npt.NDArray[np.bool_]) -> list[float]:
        return _jackknife(_sums(trial[place], np.ones(place.sum()), content[place]), _mean)

    thrown = _sums(trial, run["fresh"], run["thrown"])
    return {
        "mean": _jackknife(sums, _mean),
        "first": content_at(np.append(True, ~follows)),
        "last": content_at(np.append(~follows, True)),
        "sd": _jackknife(sums, lambda sums: np.sqrt(_variance(sums))),
        "correlation": _jackknife(pairs, correlation),
        "fresh": _jackknife(thrown, lambda sums: sums[:, 0] / sums[:, 1]),
    }


def _fairness(grid: Trials) -> Table:
    """Two colours of six: whether one is ahead more often, and how many cubes of each came out."""
    first, second = grid["first"].astype(float), grid["second"].astype(float)
    ahead, behind = (first > second).astype(float), (second > first).astype(float)
    ones = np.ones(len(first))
    sums = _sums(grid["trial"], ones, ahead, behind, first, second)

    def share(column: int) -> Callable[[Array], Array]:
        return lambda sums: sums[:, column] / sums[:, 0]

    cubes = _jackknife(sums, lambda sums: (sums[:, 3] - sums[:, 4]) / sums[:, 0])
    return {
        "throws": len(first),
        "first": _jackknife(sums, share(1)),
        "second": _jackknife(sums, share(2)),
        "difference": _jackknife(sums, lambda sums: (sums[:, 1] - sums[:, 2]) / sums[:, 0]),
        "cubes": [float(first.sum()), float(second.sum())],
        # One degree of freedom: the squared difference of both colours in its standard errors.
        "chi_square": (cubes[0] / cubes[1]) ** 2 if cubes[1] else 0.0,
    }


def _clashes(grid: Trials) -> Table:
    """Equal forces: the chance of a draw. One more on one side: its chance to be ahead.

    No throw looks at colours, so which of the fresh and of the older cubes come out is uniform over each
    (TW-TOWER-37). The chance given how many came out scatters far less than whether it happened.
    """
    table = {}
    for size in sorted(set(grid["thrown"].tolist())):
        clash = grid.where(grid["thrown"] == size)
        older = clash["output"].astype(int) - clash["fresh"].astype(int)
        # The first colour has one more inside in every other trial.
        inside = (CLASH_CONTENT + 1 - clash["trial"].astype(int) % 2) // 2
        chances = [
            chance(size, *numbers)
            for numbers in zip(clash["fresh"].tolist(), older.tolist(), inside.tolist(), strict=True)
        ]
        sums = _sums(clash["trial"], np.ones(len(chances)), np.array(chances))
        name = f"{(size + 1) // 2}:{size // 2}"
        table[name] = {
            "throws": len(chances),
            "draw" if size % 2 == 0 else "win": _jackknife(sums, _mean),
        }
    return table


@cache
def chance(size: int, fresh: int, older: int, inside: int, cubes: int = CLASH_CONTENT) -> float:
    """Chance of a draw, or that the colour with one more is ahead, given how many cubes came out.

    The colour has `inside` of the `cubes` that were inside before.
    """
    of_fresh = _out_of(size, (size + 1) // 2, fresh)
    of_older = _out_of(cubes, inside, older)
    found = 0.0
    for one, first in enumerate(of_fresh):
        for other, second in enumerate(of_older):
            ahead = 2 * (one + other) - fresh - older
            if ahead == 0 if size % 2 == 0 else ahead > 0:
                found += first * second
    return found


def _out_of(cubes: int, first: int, out: int) -> list[float]:
    """By number of cubes of the first colour: the chance that so many of those that came out have it."""
    ways = comb(cubes, out)
    return [comb(first, one) * comb(cubes - first, out - one) / ways for one in range(out + 1)]


def _several(found: Trials) -> bool:
    """Whether there are enough trials for a standard error."""
    return len(set(found["trial"].tolist())) > 2


def _moments(values: Array, trial: npt.NDArray[np.uint32]) -> tuple[list[float], list[float]]:
    """Mean and variance."""
    sums = _sums(trial, np.ones(len(values)), values, values**2)
    return _jackknife(sums, _mean), _jackknife(sums, _variance)


def _mean(sums: Array) -> Array:
    """The mean, from the number of values, their sum and the sum of their squares."""
    return np.asarray(sums[:, 1] / sums[:, 0])


def _variance(sums: Array) -> Array:
    number = sums[:, 0]
    return np.asarray((sums[:, 2] - number * _mean(sums) ** 2) / (number - 1))


def _sums(trial: npt.NDArray[np.uint32], *columns: npt.NDArray[Any]) -> Array:
    """Sums of columns, a row for each trial."""
    _, places = np.unique(trial, return_inverse=True)
    return np.stack([np.bincount(places, weights=column.astype(float)) for column in columns], axis=1)


def _jackknife(sums: Array, statistic: Callable[[Array], Array]) -> list[float]:
    """A function of the sums over all trials, and its standard error."""
    total = sums.sum(axis=0, keepdims=True)
    value = float(statistic(total)[0])
    trials = len(sums)
    if trials < 2:
        return [value, float("nan")]
    without = statistic(total - sums)
    spread = (trials - 1) / trials * float(((without - without.mean()) ** 2).sum())
    return [value, float(np.sqrt(spread))]
