"""Looks for the parameters of the fast model that agree best with the rigid one on S1 to S4 (TW-TOWER-45)."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from tools.calibration.measure import shelves
from tools.calibration.statistics import Table, fitted

Array = npt.NDArray[np.float64]

# Agreement within these shares of a value is as good as exact: the aim is 5 % of means and 15 % of variances.
_MEAN = 0.02
_VARIANCE = 0.06
# What a shelf can be: capacity, chance to stay, logarithms of the chances to slip and to be dragged along;
# how much more often cubes stay that come together, logarithm of how many bring half of that, in tenths
_LOW = (6.0, 0.02, np.log(20.0), np.log(20.0), 0.0, np.log(1.0))
_HIGH = (64.0, 1.0, np.log(12_000.0), np.log(40_000.0), 1.0, np.log(1000.0))
_TRIALS = {"fill": 800, "grid": 150}


def parameters(point: Array) -> dict[str, Any]:
    """The table of parameters at a point of the search."""
    rows = np.clip(point.reshape(-1, len(_LOW)), _LOW, _HIGH)
    return {
        "shelves": [
            {
                "capacity": round(capacity),
                "stick_per_mille": max(1, round(1000 * stick)),
                "dislodge": round(np.exp(dislodge)),
                "burst": round(np.exp(burst)),
                "jam_per_mille": round(1000 * jam),
                "jam_half_tenths": round(np.exp(half)),
            }
            for capacity, stick, dislodge, burst, jam, half in rows.tolist()
        ]
    }


def residuals(rigid: Table, fast: Table) -> Array:
    """How far the models are apart on S1 to S4, each number in its own tolerance."""
    found: list[float] = []

    def apart(reference: list[float], value: list[float], share: float) -> None:
        (wanted, error), (got, other) = reference, value
        found.append((got - wanted) / np.sqrt(error**2 + other**2 + (share * wanted) ** 2))

    for size, fill in rigid["S1"].items():
        apart(fill["mean"], fast["S1"][size]["mean"], _MEAN)
        apart(fill["sd"], fast["S1"][size]["sd"], _VARIANCE)
    nothing = {"mean": [0.0, 0.0], "variance": [0.0, 0.0]}  # of a tower that never holds so much
    for name, cell in rigid["S2, S3"].items():
        other = fast["S2, S3"].get(name, nothing)
        apart(cell["mean"], other["mean"], _MEAN)
        apart(cell["variance"], other["variance"], _VARIANCE)
    for content, share in rigid["S4"].items():
        apart(share, fast["S4"].get(content, nothing["mean"]), _MEAN)
    return np.array(found)


def fit(
    rigid: Table,
    *,
    number_of_shelves: int = 2,
    generations: int = 30,
    seed: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[dict[str, Any], float]:
    """Gives parameters and the mean square of their residuals.

    First a population of points is bred (differential evolution), then the best is improved by least squares.
    The same trials with the same chance are made at every point, so that points compare without noise.
    """
    from scipy.optimize import Bounds, differential_evolution, least_squares  # noqa: PLC0415 - an extra

    def apart(point: Array) -> Array:
        trials = shelves(parameters(point), trials=_TRIALS, seed=seed)
        return residuals(rigid, fitted(trials))

    def cost(point: Array) -> float:
        return float(np.mean(np.square(apart(point))))

    done = 0

    def tell(*_: object, **__: object) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, generations + 1)

    low, high = np.tile(_LOW, number_of_shelves), np.tile(_HIGH, number_of_shelves)
    bred = differential_evolution(
        cost,
        Bounds(low, high),
        maxiter=generations,
        popsize=5,
        tol=0.0,
        rng=seed,
        polish=False,
        callback=tell,
        init="sobol",
    )
    polished = least_squares(
        apart,
        np.clip(bred.x, low + 1e-6, high - 1e-6),
        bounds=(low, high),
        x_scale=(high - low) / 10,
        diff_step=0.03,
        max_nfev=12,
    )
    tell()
    best = min((bred.x, polished.x), key=cost)
    return parameters(best), cost(best)


def describe(table: Mapping[str, Any]) -> str:
    """Parameters in a line."""
    return ", ".join(
        f"C {shelf['capacity']}, q {shelf['stick_per_mille']}, D {shelf['dislodge']}, B {shelf['burst']}"
        + (
            f", J {shelf['jam_per_mille']}, 10 K {shelf['jam_half_tenths']}"
            if shelf.get("jam_per_mille")
            else ""
        )
        for shelf in table["shelves"]
    )
