"""Tables that the tests of the interfaces play at: every game with some setups."""

from dataclasses import dataclass
from typing import Any

import pytest

from sengoku import games

CAP = {"max_rounds": 2}
"""A host's cap that every game knows; it makes matches short."""


@dataclass(frozen=True)
class Table:
    """A game, its seats and its setup."""

    game: str
    seats: int
    setup: dict[str, Any]

    @property
    def options(self) -> dict[str, Any]:
        """Arguments of environments besides the game."""
        return {"seats": self.seats, "setup": self.setup}


SHORT = [
    pytest.param(Table(game.name, game.seats[0], CAP), id=f"{game.name}-{game.seats[0]}") for game in games()
]
"""The fewest seats of every game, for a few rounds."""

TABLES = [
    *(
        pytest.param(Table(game.name, seats, CAP), id=f"{game.name}-{seats}")
        for game in games()
        for seats in range(game.seats[0], game.seats[1] + 1)
    ),
    pytest.param(Table("swords", 3, {"max_rounds": 2, "long_game": True}), id="swords-long"),
    pytest.param(Table("tower", 4, {"court": True}), id="tower-court"),
    pytest.param(Table("battles", 2, {"scenario": 5}), id="battles-5"),
    pytest.param(Table("battles", 2, {"campaign": 39}), id="battles-campaign-39"),
]
"""Every number of seats, and setups with rules of their own; those without a cap end by a rule."""
