"""Scenarios of every game: battles, maps and boards that matches are set up from, and files of one's own.

>>> battle = scenario("8")
>>> battle.name, battle.setup
('First Battle of Azukizaka', {'scenario': 8})
>>> battle.source
'deployment reconstructed'
"""

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sengoku import _core
from sengoku.engine.games import find_game, games, read_text
from sengoku.engine.match import Picture, Sketch
from sengoku.errors import ArgumentError, SetupError

__all__ = ["Scenario", "read_scenario", "scenario", "scenarios"]


@dataclass(frozen=True)
class Scenario:
    """What a match can be set up from, as a reader wants to know it before."""

    game: str
    """Name of the game."""
    id: str
    """How it is named; empty for one that somebody wrote himself."""
    name: str
    """What it is called."""
    setup: dict[str, Any] | None = field(hash=False)
    """Options of a match that is played from it; None for one that somebody wrote himself."""
    source: str
    """Where its data come from; what is reconstructed or uncertain is called so."""
    seats: list[str] = field(hash=False, repr=False)
    """Who plays in each seat, where the scenario says; empty where it does not."""
    facts: dict[str, str] = field(hash=False, repr=False)
    """What a list shows of it."""
    chapters: dict[str, list[str]] = field(hash=False, repr=False)
    """Paragraphs under headings."""
    details: dict[str, Any] = field(hash=False, repr=False)
    """Everything, in the words of the game."""
    look: Callable[[], tuple[Picture, Sketch]] = field(hash=False, repr=False, compare=False)
    """Draws its board as a picture and for a terminal."""

    @property
    def picture(self) -> Picture:
        """Its board before a match."""
        return self.look()[0]

    @property
    def sketch(self) -> Sketch:
        """Its board for a terminal; empty where a few lines would not do."""
        return self.look()[1]

    def as_dict(self) -> dict[str, Any]:
        """Gives all but the pictures as plain names and numbers."""
        names = ("game", "id", "name", "setup", "source", "seats", "facts", "chapters", "details")
        return {name: getattr(self, name) for name in names}


def of_sheet(game: str, sheet: Mapping[str, Any], look: Callable[[], tuple[Picture, Sketch]]) -> Scenario:
    """Gives the scenario that a sheet describes."""
    return Scenario(
        game=game,
        id=sheet["id"],
        name=sheet["name"],
        setup=sheet["setup"],
        source=sheet["source"],
        seats=sheet["seats"],
        facts=dict(sheet["facts"]),
        chapters=dict(sheet["chapters"]),
        details=sheet["details"],
        look=look,
    )


def of_core(game: str, core: _core.Scenario) -> Scenario:
    """Gives a scenario of the compiled module."""

    def look() -> tuple[Picture, Sketch]:
        return Picture(core.picture()), Sketch.from_json(core.sketch())

    return of_sheet(game, json.loads(core.sheet()), look)


def scenarios(game: str | None = None) -> list[Scenario]:
    """Lists the scenarios of a game, or of all games."""
    names = [known.name for known in games()] if game is None else [find_game(game).name]
    return [of_core(name, core) for name in names for core in _core.scenarios(name)]


def scenario(name: str | int, game: str | None = None) -> Scenario:
    """Gives the scenario of a name; the game must be told only where several have one of that name."""
    known = scenarios(game)
    found = [one for one in known if one.id == str(name)]
    details = {"field": "scenario", "value": repr(name)}
    if not found:
        ids = {one.game: [other.id for other in known if other.game == one.game] for one in known}
        told = "; ".join(f"{game}: {_span(names)}" for game, names in ids.items())
        raise ArgumentError(f"there is no scenario {name!r}, there are {told or 'none'}", details)
    if len(found) > 1:
        several = ", ".join(one.game for one in found)
        raise ArgumentError(f"scenario {name!r} is one of {several}: say which game", details)
    return found[0]


def _span(names: list[str]) -> str:
    return ", ".join(names) if len(names) < 5 else f"{names[0]} to {names[-1]}"


def read_scenario(file: str | Path, game: str | None = None) -> Scenario:
    """Reads a scenario that somebody wrote; an error names the place in the file and what is wrong."""
    return parse_scenario(read_text("file", Path(file)), game)


def parse_scenario(text: str, game: str | None = None) -> Scenario:
    """Reads the text of a scenario; the game must be told only where the text does not show it."""
    name = _game_of(text) if game is None else find_game(game).name
    return of_core(name, _core.read_scenario(name, text))


def _game_of(text: str) -> str:
    """Finds the game of a text by what it has at its top."""
    try:
        keys = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SetupError(f"no TOML: {error}", {"field": "", "reason": f"no TOML: {error}"}) from None
    files = {game.name: game.scenario_file for game in games() if game.scenario_file is not None}
    for game, file in files.items():
        if file.mark in keys:
            return game
    marks = ", ".join(f"{file.mark} ({game})" for game, file in files.items())
    reason = f"of no game, none of these is at its top: {marks}"
    raise SetupError(reason, {"field": "", "reason": reason})
