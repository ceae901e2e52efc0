"""The cube tower, and the clashes it decides.

>>> tower = CubeTower(seed=1)
>>> tray = tower.throw(fill(players=3))
>>> sum(tray.values()) + len(tower)
31
>>> clash = Clash(attacker=("blue", 4), defender=("yellow", 3))
>>> settled = clash.settle({"blue": 5, "yellow": 2, "farmer": 2, "red": 3})
>>> settled.winner, settled.armies_left, settled.to_supply, settled.tray
('attacker', 1, {'blue': 4, 'yellow': 2, 'farmer': 2}, {'red': 3})
>>> odds = clash.odds()
>>> odds.method, round(odds.attacker_wins, 4), odds.neglected < 1e-12
('exact', 0.387, True)
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

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
from sengoku.engine.odds import BatchOptions, Columns, batch, describe_odds
from sengoku.engine.odds_table import DEFAULT_SIZES, OddsServer, OddsTable, Sizes, evaluate
from sengoku.engine.positions.tower import GLASS, PositionBuilder
from sengoku.errors import ArgumentError, SetupError
from sengoku.figures import FRAMES_PER_SECOND

if TYPE_CHECKING:
    from pathlib import Path

    from sengoku.figures.film import Film

__all__ = [
    "COLOURS", "EXACT_STATE_LIMIT", "GLASS", "MAX_SAMPLES", "MAX_THROWS", "MODELS", "BatchOdds", "Clash",
    "ClashOdds", "CubeTower", "Film", "Model", "Odds", "OddsTable", "PositionBuilder", "Settlement", "Throws",
    "batch_odds", "clash_in", "describe", "fill", "film", "odds_table", "parameter_sets", "read_parameters",
    "simulate_throws", "title",
]  # fmt: skip

COLOURS: tuple[str, ...] = tuple(_core.COLOURS)
"""The colours of cubes: those of the players in the order of their seats, and the farmers' last."""


@dataclass(frozen=True)
class Model:
    """A model of the cube tower."""

    name: str
    summary: str
    parameter_sets: tuple[str, ...]
    """Names that `parameters` accepts, besides custom parameters."""


MODELS: tuple[Model, ...] = (
    Model("shelves", "stochastic, millions of throws a second; decides clashes", tuple(parameter_sets())),
    Model(
        "rigid",
        "cubes as rigid bodies, about ten throws a second; for calibration and films",
        tuple(_core.GEOMETRIES),
    ),
)
"""The models of `CubeTower` and `simulate_throws`."""

EXACT_STATE_LIMIT: int = _core.CLASH_STATE_LIMIT
"""States up to which "auto" is exact; `Clash.states` is what a clash needs."""

FILM_RATE = 2 * FRAMES_PER_SECOND
"""Frames per second of a film if nothing else is said."""

Odds = ClashOdds
Cubes = Mapping[str, int]
Parameters = str | Mapping[str, Any] | None


def fill(players: int) -> dict[str, int]:
    """Return what is thrown into the empty tower at the start: 7 armies of every player and 10 farmers.

    >>> fill(3)
    {'red': 7, 'blue': 7, 'yellow': 7, 'farmer': 10}
    """
    if players not in (3, 4, 5):
        details = {"field": "players", "value": str(players)}
        raise ArgumentError(f"players is {players}: must be 3 to 5", details)
    return dict.fromkeys(COLOURS[:players], 7) | {"farmer": 10}


def film(
    cubes: Cubes,
    *,
    seed: int = 0,
    match_index: int = 0,
    contents: Cubes | None = None,
    players: int = 4,
    parameters: Parameters = None,
    frames_per_second: int = FILM_RATE,
    cancel: Cancel | None = None,
) -> "Film":
    """Record a throw into a rigid tower; without `contents` it was just filled for `players` players.

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
    from sengoku.figures.film import Film  # noqa: PLC0415 - takes time to load

    return Film(**device.record(dict(cubes), frames_per_second=frames_per_second, cancel=cancel))


def read_parameters(file: "Path", model: str = "shelves") -> str | dict[str, Any]:
    """Read the parameters of a model from a file, for `parameters`.

    For "shelves" the file has the format of `rust/kernel/data/tower_shelves.toml`, of which the default set
    is used, or only a table of `shelves`; for "rigid" it is a geometry in the format of
    `rust/tower-physics/data/boards.toml`. The values are checked where they are used.
    """

    def wrong(reason: str) -> SetupError:
        return SetupError(f"{file}: {reason}", {"field": "parameters", "value": str(file), "reason": reason})

    try:
        text = file.read_text("utf-8")
        table: dict[str, Any] = json.loads(_core.read_toml(text, "file of parameters"))
    except OSError as error:
        raise wrong(error.strerror or str(error)) from error
    except ValueError as error:  # not UTF-8, or not TOML
        raise wrong(str(error)) from error
    if model == "rigid":
        if {"sets", "shelves"} & table.keys():
            raise wrong('this file is for the model "shelves"; the model "rigid" needs a geometry')
        return text
    if "sets" not in table:
        return table
    sets, name = table["sets"], table.get("default")
    if not isinstance(sets, dict) or not isinstance(sets.get(name), dict):
        raise wrong(f"default is {name!r}: must be one of {', '.join(map(str, sets)) or 'its sets'}")
    chosen: dict[str, Any] = sets[name]
    return chosen


@dataclass(frozen=True, eq=False)
class Throws(Columns):
    """Many throws of the same cubes, one row each; columns by colour in the order of `COLOURS`."""

    tray: npt.NDArray[np.uint8]
    """Cubes that came out."""
    contents: npt.NDArray[np.uint8]
    """Cubes that are inside afterwards."""


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
    """Throw the same cubes many times.

    Each throw goes into a new tower with these contents: throw `n` is the first throw of
    `CubeTower(model, seed=seed, match_index=first + n, contents=contents)`. With `sequence` all throws go
    into the tower with the match index `first`, and what comes out is removed each time. The model "rigid"
    takes about 0.1 s per throw, and some more throws to bring the contents inside.

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
    """Clashes played; 0 where the row is exact."""
    attacker_armies_left: npt.NDArray[np.float64]
    """Probability of each number of armies left, rows padded with 0."""
    defender_armies_left: npt.NDArray[np.float64]


def batch_odds(clashes: Iterable[Clash], **options: Unpack[BatchOptions]) -> BatchOdds:
    """Return the odds of many clashes at once; each row equals the odds of that clash alone.

    >>> clashes = [Clash(("blue", size), ("red", 3)) for size in (2, 4, 6)]
    >>> wins = batch_odds(clashes, method="sampled", samples=2000).attacker_wins
    >>> bool(wins[0] < wins[1] < wins[2])
    True
    """
    return batch(BatchOdds, evaluate_clashes, clashes, options)


def odds_table(
    attackers: Sizes = DEFAULT_SIZES,
    defenders: Sizes = DEFAULT_SIZES,
    *,
    attacker: str | None = None,
    defender: str | None = None,
    farmers_defend: bool = True,
    tray: Cubes | None = None,
    contents: Cubes | None = None,
    shelves: Sequence[Cubes] | None = None,
    neutral: bool = False,
    revolt: bool = False,
    players: int | None = None,
    parameters: Parameters = None,
    client: OddsServer | None = None,
    **options: Unpack[BatchOptions],
) -> OddsTable:
    """Return the odds of clashes by the armies of both sides, which are "red" and "blue" if not given.

    In a `neutral` province the defenders are its farmers, in a `revolt` the attackers are; `chance` is that
    the attacker, or the revolt, wins. The other arguments are those of `Clash` and of `batch_odds`; with a
    `client` its server computes the table.

    >>> table = odds_table(range(1, 5), range(1, 4), contents={"red": 7, "blue": 7, "farmer": 6})
    >>> table.chance.shape, table.needed(0.5)
    ((4, 3), {1: 4, 2: None, 3: None})
    """
    first = attacker or ("farmer" if revolt else "red")
    second = defender or ("farmer" if neutral else "blue" if first != "blue" else "red")
    extra: dict[str, Any] = {"players": players, "parameters": parameters}
    extra = {name: value for name, value in extra.items() if value is not None}
    if isinstance(parameters, Mapping):
        extra["parameters"] = dict(parameters)

    def clash(attack: int, defence: int) -> Clash:
        return Clash(
            (first, attack),
            (second, defence),
            farmers_defend=farmers_defend,
            tray=dict(tray or {}),
            contents=None if contents is None else dict(contents),
            shelves=None if shelves is None else [dict(cubes) for cubes in shelves],
            neutral=neutral,
            revolt=revolt,
            **extra,
        )

    what = "revolt" if revolt else "attack on a neutral province" if neutral else "attack"
    if not (revolt or neutral or farmers_defend):
        what += " where farmers stay out"
    inside = _inside(contents, shelves, players or 4)
    parts = [f"tower: {what}", *([f"{_counted(tray)} in the tray"] if tray else []), inside]
    return evaluate(
        clash,
        batch_odds,
        options,
        client=client,
        attackers=attackers,
        defenders=defenders,
        chance="attacker_wins",
        title=", ".join(parts),
        chance_label="the revolt succeeds" if revolt else "the attacker wins",
        attacker_label="farmers" if revolt else f"attacking armies ({first})",
        defender_label="farmers" if neutral else f"defending armies ({second})",
    )


def __getattr__(name: str) -> Any:
    if name != "Film":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sengoku.figures.film import Film  # noqa: PLC0415 - takes time to load

    return Film


def _counted(cubes: Cubes) -> str:
    return ", ".join(f"{count} {colour}" for colour, count in cubes.items()) or "nothing"


def _inside(contents: Cubes | None, shelves: Sequence[Cubes] | None, players: int) -> str:
    """Return what is known of the tower, in words."""
    if shelves is not None:
        return f"{', then '.join(map(_counted, shelves))} on the shelves"
    return f"fresh fill of {players} players" if contents is None else f"{_counted(contents)} in the tower"


def clash_in(
    view: Mapping[str, Any], attacker: int, province: str, armies: int, *, farmers: int | None = None
) -> Clash:
    """Return the clash of an attack in a match, as far as everybody may know it.

    `view` is `match.view(seat)`, in process or over gRPC, `attacker` the seat that throws `armies` at a
    `province`; seats have the colours of `COLOURS` in this order. The tray and the numbers of cubes of each
    colour in the tower are public, and the order in the tower is not: the odds are those over all orders. A
    neutral province is defended by `farmers`, 1 if not given. Armies that cards and events add are to be
    counted in.

    >>> from sengoku import Match
    >>> match = Match.create("tower", seats=4, seed=1)
    >>> clash = clash_in(match.view(0), attacker=0, province="mino", armies=3)
    >>> clash.exact().method
    'exact'
    """
    there = view["provinces"].get(province)
    if there is None:
        details = {"field": "province", "value": repr(province)}
        raise ArgumentError(f"province is {province!r}: must be one in play", details)
    if not 0 <= attacker < len(COLOURS) - 1:
        details = {"field": "attacker", "value": str(attacker)}
        raise ArgumentError(f"attacker is {attacker}: must be a seat", details)
    owner = there["owner"]
    defence = (COLOURS[-1], 1 if farmers is None else farmers)
    return Clash(
        (COLOURS[attacker], armies),
        defence if owner is None else (COLOURS[owner], there["armies"]),
        farmers_defend=not there["unrest"],
        tray=_by_colour(view["tray"]),
        contents=_by_colour(view["inside"]),
        neutral=owner is None,
        parameters=view["tower_model"],
    )


def _by_colour(counts: Iterable[int]) -> dict[str, int]:
    return {colour: count for colour, count in zip(COLOURS, counts, strict=True) if count}


def title(clash: Clash) -> str:
    """Return a one-line title of a clash: the sides, and what else is in the tray and in the tower.

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
    parts.append(_inside(clash.contents, clash.shelves, clash.players))
    return ", ".join(parts)


def describe(odds: ClashOdds) -> dict[str, Any]:
    """Return odds as plain numbers, lists and dicts, ready for JSON."""
    fields = ("attacker_wins", "defender_wins", "none", "attacker_armies_left", "defender_armies_left")
    return describe_odds(odds, game="tower", question="clash", fields=fields, neglected=odds.neglected)
