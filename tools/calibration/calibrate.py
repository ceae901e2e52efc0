"""A whole calibration, from the trials to the report."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sengoku.errors import ArgumentError
from tools.calibration.fit import fit
from tools.calibration.measure import FULL, digest, measure, shelves
from tools.calibration.report import compare, write
from tools.calibration.statistics import statistics

Progress = Callable[[int, int], object]
Step = Callable[[str], Progress]

_CHECK = {"fill": 30_000, "grid": 6_000, "long_run": 2_000}
"""Trials of the fast model that are compared with those of the rigid one; the fit has seen none of them."""


def check_extras() -> None:
    """Refuses to begin hours of work that cannot be finished."""
    try:
        import matplotlib as _  # noqa: F401, PLC0415 - an extra
        import scipy as __  # noqa: F401, PLC0415 - an extra
    except ImportError as error:
        message = "calibration needs scipy and matplotlib: pip install 'sengoku[calibration]'"
        raise ArgumentError(message, {"field": "calibrate"}) from error


def calibrate(
    directory: Path,
    *,
    share: float = 1.0,
    seed: int = 0,
    threads: int = 2,
    generations: int = 30,
    number_of_shelves: int = 2,
    note: str = "",
    geometry: str = "boards",
    step: Step | None = None,
) -> tuple[dict[str, Any], list[Path]]:
    """Measures a share of the whole, fits and writes down; gives the calibration and the files.

    Trials that the directory holds already are not made again.
    """
    check_extras()
    trials = {kind: max(3, round(share * count)) for kind, count in FULL.items()}
    rigid = statistics(
        measure(
            directory,
            trials=trials,
            seed=seed,
            parameters=geometry,
            threads=threads,
            progress=step and step("rigid tower"),
        )
    )
    parameters, cost = fit(
        rigid,
        generations=generations,
        number_of_shelves=number_of_shelves,
        seed=seed,
        progress=step and step("fit"),
    )
    fast, ledger = (
        statistics(shelves(chosen, trials=_CHECK, seed=seed + 1, threads=threads))
        for chosen in (parameters, "ledger")
    )
    calibration = {
        "geometry": geometry,
        "tower": digest(geometry),
        "seed": seed,
        "note": note,
        "parameters": parameters,
        "cost": cost,
        "distances": compare(rigid, fast),
        "ledger_distances": compare(rigid, ledger),
        "rigid": rigid,
        "shelves": fast,
    }
    return calibration, write(calibration, directory)
