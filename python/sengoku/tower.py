"""The cube tower, and the clashes it decides.

>>> tower = CubeTower(seed=1)
>>> tray = tower.throw(fill(players=3))
>>> sum(tray.values()) + len(tower)
31
>>> clash = Clash(attacker=("blue", 4), defender=("yellow", 3))
>>> settled = clash.settle({"blue": 5, "yellow": 2, "farmer": 2, "red": 3})
>>> settled.winner, settled.armies_left, settled.to_supply, settled.tray
('attacker', 1, {'blue': 4, 'yellow': 2, 'farmer': 2}, {'red': 3})
>>> clash.odds(max_error=0.01, seed=7).method
'sampled'
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sengoku import _core
from sengoku._core import (
    MAX_SAMPLES,
    MAX_THROWS,
    Cancel,
    Clash,
    ClashOdds,
    CubeTower,
    Settlement,
    evaluate_clashes,
    parameter_sets,
)
from sengoku.engine.odds import Columns, percentiles
from sengoku.errors import ArgumentError, SetupError
from sengoku.figures.film import FRAMES_PER_SECOND, Film

__all__ = [
    "COLOURS",
    "MAX_SAMPLES",
    "MAX_THROWS",
    "MODELS",
    "BatchOdds",
    "Clash",
    "ClashOdds",
    "CubeTower",
    "Film",
    "Model",
    "Odds",
    "Settlement",
    "Throws",
    "batch_odds",
    "describe",
    "fill",
    "film",
    "parameter_sets",
    "read_parameters",
    "simulate_throws",
    "title",
]

COLOURS: tuple[str, ...] = tuple(_core.COLOURS)
"""The colours of cubes: those of players in the order of their seats, and the farmers' last."""


@dataclass(frozen=True)
class Model:
    """A model of the cube tower."""

    name: str
    summary: str
    parameter_sets: tuple[str, ...]
    """Names that `parameters` takes, besides what one writes oneself."""


MODELS: tuple[Model, ...] = (
    Model("shelves", "stochastic, millions of throws a second; decides clashes", tuple(parameter_sets())),
    Model("rigid", "cubes as rigid bodies, some ten throws a second; to calibrate and to look at", ()),
)
"""The models that `CubeTower` and `simulate_throws` know."""

Odds = ClashOdds
Method = Literal["auto", "sampled"]
Cubes = Mapping[str, int]
Parameters = str | Mapping[str, Any] | None


def fill(players: int) -> dict[str, int]:
    """Gives what is thrown into the empty tower at the beginning: 7 armies of every player and 10 farmers.

    >>> fill(3)
    {'red': 7, 'blue': 7, 'yellow': 7, 'farmer': 10}
    """
    if players not in (3, 4, 5):
        details = {"field": "players", "value": str(players)}
        raise ArgumentError(f"players is {players}, 3 to 5 are possible", details)
    return dict.fromkeys(COLOURS[:players], 7) | {"farmer": 10}


def film(
    cubes: Cubes,
    *,
    seed: int = 0,
    match_index: int = 0,
    contents: Cubes | None = None,
    players: int = 4,
    parameters: Parameters = None,
    frames_per_second: int = 2 * FRAMES_PER_SECOND,
    cancel: Cancel | None = None,
) -> Film:
    """Records a throw into a rigid tower; without `contents` it was just filled at a table of `players`.

    >>> film({"blue": 4, "yellow": 3}, seed=1, contents={}).centre.shape[1:]
    (7, 3)
    """
    device = CubeTower(
        "rigid",
        seed=seed,
        match_index=match_index,
        contents=None if contents is None else dict(contents),
        parameters=parameters if parameters is None or isinstance(parameters, str) else dict(parameters),
        cancel=cancel,
    )
    if contents is None:
        device.throw(fill(players), cancel=cancel)
    return Film(**device.record(dict(cubes), frames_per_second=frames_per_second, cancel=cancel))


def read_parameters(file: Path, model: str = "shelves") -> str | dict[str, Any]:
    """Reads the parameters of a model from a file, for `parameters`.

    For "shelves" the file is written as `rust/kernel/data/tower_shelves.toml` is, and its default set is
    taken, or it has only a table of `shelves`; for "rigid" it is a geometry as
    `rust/tower-physics/data/geometry.toml`. What the numbers mean is checked where they are used.
    """

    def wrong(reason: str) -> SetupError:
        return SetupError(f"{file}: {reason}", {"field": "parameters", "value": str(file), "reason": reason})

    try:
        text = file.read_text("utf-8")
        table = tomllib.loads(text)
    except OSError as error:
        raise wrong(error.strerror or str(error)) from error
    except ValueError as error:  # no text, or no TOML
        raise wrong(str(error)) from error
    if model == "rigid":
        if {"sets", "shelves"} & table.keys():
            raise wrong('this is of the model "shelves", a rigid tower has a geometry')
        return text
    if "sets" not in table:
        return table
    sets, name = table["sets"], table.get("default")
    if not isinstance(sets, dict) or not isinstance(sets.get(name), dict):
        raise wrong(f"default is {name!r}, there is no such set")
    chosen: dict[str, Any] = sets[name]
    return chosen


@dataclass(frozen=True, eq=False)
class Throws(Columns):
    """Many throws of the same cubes, one row each; columns by colour in the order of `COLOURS`."""

    tray: npt.NDArray[np.uint8]
    """What came out."""
    contents: npt.NDArray[np.uint8]
    """What is inside afterwards."""


def simulate_throws(
    cubes: Cubes,
    *,
    count: int,
    model: str = "shelves",
    seed: int = 0,
    first: int = 0,
    contents: Cubes | None = None,
    parameters: Parameters = None,
    sequence: bool = False,
    threads: int = 0,
    progress: Callable[[int, int], object] | None = None,
    cancel: Cancel | None = None,
    instruction_set: str | None = None,
    background: bool = False,
) -> Throws:
    """Throws the same cubes many times.

    Each throw goes into a tower of its own with these contents: throw `n` is the first throw of
    `CubeTower(model, seed=seed, match_index=first + n, contents=contents)`. As a `sequence` they go one after
    the other into the tower with the match index `first`, and what comes out is taken away each time. The
    model "rigid" takes a tenth of a second for a throw, and some throws more to bring contents inside.

    >>> throws = simulate_throws({"blue": 4, "yellow": 3}, count=1000, contents={"red": 20, "farmer": 15})
    >>> throws.tray.shape, int((throws.tray.sum(axis=1) + throws.contents.sum(axis=1)).min())
    ((1000, 6), 42)
    """
    columns = _core.simulate_throws(
        dict(cubes),
        count=count,
        model=model,
        seed=seed,
        first=first,
        contents=None if contents is None else dict(contents),
        parameters=parameters if parameters is None or isinstance(parameters, str) else dict(parameters),
        sequence=sequence,
        threads=threads,
        progress=progress,
        cancel=cancel,
        instruction_set=instruction_set,
        background=background,
    )
    return Throws(**columns)


@dataclass(frozen=True, eq=False)
class BatchOdds(Columns):
    """The odds of many clashes, one row each."""

    attacker_wins: npt.NDArray[np.float64]
    defender_wins: npt.NDArray[np.float64]
    none: npt.NDArray[np.float64]
    standard_error: npt.NDArray[np.float64]
    samples: npt.NDArray[np.uint64]
    attacker_armies_left: npt.NDArray[np.float64]
    """Probability of each number of armies left, rows padded with 0."""
    defender_armies_left: npt.NDArray[np.float64]


def batch_odds(
    clashes: Iterable[Clash],
    *,
    method: Method = "auto",
    samples: int = 0,
    max_error: float = 1e-3,
    max_samples: int = MAX_SAMPLES,
    seed: int = 0,
    threads: int = 0,
    cancel: Cancel | None = None,
    background: bool = False,
) -> BatchOdds:
    """Gives the odds of many clashes at once, each row what the question about that clash alone would give.

    >>> clashes = [Clash(("blue", size), ("red", 3)) for size in (2, 4, 6)]
    >>> wins = batch_odds(clashes, method="sampled", samples=2000).attacker_wins
    >>> bool(wins[0] < wins[1] < wins[2])
    True
    """
    columns = evaluate_clashes(
        list(clashes),
        method=method,
        samples=samples,
        max_error=max_error,
        max_samples=max_samples,
        seed=seed,
        threads=threads,
        cancel=cancel,
        background=background,
    )
    return BatchOdds(**columns)


def _counted(cubes: Cubes) -> str:
    return ", ".join(f"{count} {colour}" for colour, count in cubes.items()) or "nothing"


def title(clash: Clash) -> str:
    """Names a clash in a line: who throws what against whom, and what else there is.

    >>> title(Clash(("blue", 4), ("yellow", 3), tray={"red": 2}, farmers_defend=False))
    '4 blue against 3 yellow without farmers, 2 red in the tray, fresh fill of 4 players'
    """
    (attacker, attacking), (defender, defending) = clash.attacker, clash.defender
    who = f"{attacking} {attacker} against {defending} {defender}"
    if clash.revolt:
        who += " in revolt"
    elif clash.neutral:
        who += " of a neutral province"
    elif not clash.farmers_defend:
        who += " without farmers"
    parts = [who]
    if clash.tray:
        parts.append(f"{_counted(clash.tray)} in the tray")
    inside = clash.contents
    parts.append(
        f"fresh fill of {clash.players} players" if inside is None else f"{_counted(inside)} in the tower"
    )
    return ", ".join(parts)


def describe(odds: ClashOdds) -> dict[str, Any]:
    """Gives odds as plain numbers, lists and dicts, ready for JSON."""
    return {
        "game": "tower",
        "clash": repr(odds.clash),
        "method": odds.method,
        "samples": odds.samples,
        "standard_error": odds.standard_error,
        "attacker_wins": odds.attacker_wins,
        "defender_wins": odds.defender_wins,
        "none": odds.none,
        "attacker_armies_left": odds.attacker_armies_left.tolist(),
        "defender_armies_left": odds.defender_armies_left.tolist(),
        "percentiles": percentiles(odds),
    }
