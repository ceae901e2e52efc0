"""Scenarios of every game, from which matches are set up: built-in ones and custom files.

>>> battle = scenario("8")
>>> battle.name, battle.setup
('First Battle of Azukizaka', {'scenario': 8})
>>> battle.source
'deployment reconstructed'
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sengoku import _core
from sengoku.engine.balance import Balance, balance
from sengoku.engine.checks import refused
from sengoku.engine.games import find_game, games, read_text
from sengoku.engine.pictures import Picture, Sketch
from sengoku.errors import ArgumentError, SetupError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Scenario:
    """A starting position of a game, with its description."""

    game: str
    """Name of the game."""
    id: str
    """Identifier; empty for a custom scenario."""
    name: str
    """Display name."""
    setup: dict[str, Any] | None = field(hash=False)
    """Setup options of a match from it; None for a custom scenario."""
    source: str
    """Source of its data; says what is reconstructed or uncertain."""
    seats: list[str] = field(hash=False, repr=False)
    """Name of the side at each seat; empty if the scenario does not fix the sides."""
    facts: dict[str, str] = field(hash=False, repr=False)
    """Facts that a listing shows."""
    chapters: dict[str, list[str]] = field(hash=False, repr=False)
    """Paragraphs by heading."""
    details: dict[str, Any] = field(hash=False, repr=False)
    """All data of the scenario, in the terms of the game."""
    balance: tuple[Balance, ...] = field(hash=False, repr=False)
    """Results of matches between built-in bots, by number of seats; none for a custom scenario."""
    look: Callable[[], tuple[Picture, Sketch]] = field(hash=False, repr=False, compare=False)
    """Draws the board as a picture and for a terminal."""

    @property
    def picture(self) -> Picture:
        """The board before a match."""
        return self.look()[0]

    @property
    def sketch(self) -> Sketch:
        """The board for a terminal; empty if the game has no such drawing."""
        return self.look()[1]

    def as_dict(self) -> dict[str, Any]:
        """Return everything but the pictures as plain names and numbers."""
        names = ("game", "id", "name", "setup", "source", "seats", "facts", "chapters", "details")
        balance = [measured.as_dict() for measured in self.balance]
        return {**{name: getattr(self, name) for name in names}, "balance": balance}


def _of_core(game: str, core: _core.Scenario) -> Scenario:
    """Build a scenario from one of the compiled module."""

    def look() -> tuple[Picture, Sketch]:
        return Picture(core.picture()), Sketch.from_json(core.sketch())

    sheet = json.loads(core.sheet())
    sheet |= {name: dict(sheet[name]) for name in ("facts", "chapters")}
    return Scenario(game=game, look=look, balance=balance(game, sheet["id"]), **sheet)


def scenarios(game: str | None = None) -> list[Scenario]:
    """Return the scenarios of a game, or of all games."""
    names = [known.name for known in games()] if game is None else [find_game(game).name]
    return [_of_core(name, core) for name in names for core in _core.scenarios(name)]


def scenario(name: str | int, game: str | None = None) -> Scenario:
    """Return a scenario by its id; `game` is needed only if several games have one of that id."""
    known = scenarios(game)
    found = [one for one in known if one.id == str(name)]
    if not found:
        ids = {one.game: [other.id for other in known if other.game == one.game] for one in known}
        known_ids = "; ".join(f"{game}: {_span(names)}" for game, names in ids.items())
        raise refused("scenario", repr(name), f"there is none, must be one of {known_ids or 'none'}")
    if len(found) > 1:
        several, details = ", ".join(one.game for one in found), {"field": "scenario", "value": repr(name)}
        raise ArgumentError(f"scenario is {name!r}, which exists in {several}: name the game", details)
    return found[0]


def _span(names: list[str]) -> str:
    return ", ".join(names) if len(names) < 5 else f"{names[0]} to {names[-1]}"


def read_scenario(file: "str | Path", game: str | None = None) -> Scenario:
    """Read a custom scenario file; errors name the place in the file and what is wrong."""
    from pathlib import Path  # noqa: PLC0415 - takes time to load

    return parse_scenario(read_text("file", Path(file)), game)


def parse_scenario(text: str, game: str | None = None) -> Scenario:
    """Read the text of a custom scenario; `game` is needed only if the text does not identify it."""
    name = _game_of(text) if game is None else find_game(game).name
    return _of_core(name, _core.read_scenario(name, text))


def _game_of(text: str) -> str:
    """Identify the game of a scenario text by its top-level keys."""
    keys = json.loads(_core.read_toml(text, "scenario"))
    files = {game.name: game.scenario_file for game in games() if game.scenario_file is not None}
    for game, file in files.items():
        if file.mark in keys:
            return game
    marks = ", ".join(f"{file.mark} ({game})" for game, file in files.items())
    reason = f"the game is unknown: must have one of these top-level keys: {marks}"
    raise SetupError(reason, {"field": "", "reason": reason})
