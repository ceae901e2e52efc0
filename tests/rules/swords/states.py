"""Helpers for tests of the state."""

import random
from collections.abc import Iterator
from typing import Any

from rules.swords.board import (
    Board,
    declare,
)
from sengoku import Match

State = dict[str, Any]


def random_matches(every: int, *, rounds: int = 6, tables: tuple[int, ...] = (2, 3, 4, 5)) -> Iterator[Match]:
    """Matches of random decisions for each number of players, yielded at regular intervals of decisions."""
    for seats in tables:
        choose = random.Random(seats)
        match = Match.create("swords", seats=seats, seed=seats, setup={"max_rounds": rounds})
        while not match.over:
            if match.decisions % every == 0:
                yield match
            match.play(choose.choice(match.legal_actions()))
        yield match


def place_of_play(state: State) -> str:
    """The point of play, by name."""
    found = state["point"]
    return str(found) if isinstance(found, str) else str(next(iter(found)))


def battle() -> Match:
    """A naval attack on a castle, before the casualties of step 7; a bonus unit has fallen in step 3."""
    board = Board(phase="b").army(0, 1, "iki", hole=6, bow=2, spear=2).province("hizen", 1, "castle", spear=2)
    dice = [12, 12] + [1, 12] + [12] + [12, 12] + [4, 4, 12, 12, 12]
    match = declare(board.match(dice=dice), 1, "hizen")
    assert match.dice_left == 0
    return match
