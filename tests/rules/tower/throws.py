"""Throws that bring what a test wants: the seed is looked for with the slow model of the tower.

The tower of a match draws from a stream of its own, so a seed can be tried without a match: the first one
whose throw leaves the wanted tray is taken. SIEVE keeps some of what is thrown, GLASS (in `board`) nothing.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from differential.model_tower import COLOURS, Numbers, Tower
from rules.tower.board import Board, events
from sengoku import Match

NAMES = ("capacity", "stick_per_mille", "dislodge", "burst")
SIEVE = ((4, 200, 1, 0), (1, 1, 65535, 0))
"""A tower in which about one cube of six stays."""

Cubes = list[int]


def model(parameters: tuple[tuple[int, int, int, int], ...]) -> dict[str, Any]:
    """Parameters as a setup says them."""
    return {"shelves": [dict(zip(NAMES, shelf, strict=True)) for shelf in parameters]}


def heap(*armies: int, farmers: int = 0) -> Cubes:
    """Six numbers: armies by seat, farmers."""
    return [*armies, *[0] * (5 - len(armies)), farmers]


def throw(tower: Tower, cubes: Cubes) -> Cubes:
    """Throws cubes given as six numbers."""
    out = Counter(tower.throw(dict(zip(COLOURS, cubes, strict=True))))
    return [out[colour] for colour in COLOURS]


def seed_for(thrown: Cubes, tray: Cubes, shelves: tuple[list[int], ...] = ()) -> int:
    """The first seed with which the SIEVE, with these cubes on its shelves, leaves this tray."""
    for seed in range(100_000):
        tower = Tower(Numbers("tower", seed, 0), SIEVE)
        for number, cubes in enumerate(shelves):
            tower.shelf[number] = [COLOURS[cube] for cube in cubes]
        if throw(tower, thrown) == tray:
            return seed
    raise AssertionError(f"{thrown} never gives {tray}")


def thrown_so(
    board: Board, thrown: Cubes, tray: Cubes, act: Callable[[Match], object] | None = None, **setup: Any
) -> Match:
    """A match from this position in which the first throw takes these cubes and leaves this tray."""
    shelves = tuple(board.state["tower"])[:2]
    match = board.match(seed=seed_for(thrown, tray, shelves), tower_model=model(SIEVE), **setup)
    if act is not None:
        act(match)
    first = events(match, "thrown")[0]
    assert (first["cubes"], first["tray"]) == (thrown, tray)
    return match
