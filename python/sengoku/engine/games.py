"""The games, their setups and the files that setups may name."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sengoku import _core
from sengoku.errors import ArgumentError, SetupError

SEARCHING = "mcts"
"""The bot that searches; its name may be followed by options: `mcts:iterations=200`."""


_MAX_TEXT = 1_000_000
"""Longest text of a file of one's own, in bytes."""


@dataclass(frozen=True)
class ScenarioFile:
    """How one writes a scenario of one's own."""

    option: str
    """Option of a setup that names a file."""
    text_option: str
    """Option of a setup that takes the text of one."""
    mark: str
    """A key at the top of such a file that files of other games do not have."""


@dataclass(frozen=True)
class Game:
    """A game that can be played."""

    name: str
    rules_version: int
    """Changes with every change of behaviour."""
    seats: tuple[int, int]
    """Fewest and most that can play."""
    action_count: int
    """Entries of the action table."""
    observation_size: int
    """Bytes of an observation."""
    reasons: tuple[str, ...]
    """Every reason for which a match can end."""
    bots: dict[str, str]
    """Every bot, and what it is in one line."""
    scenario_file: ScenarioFile | None = None
    """How one writes a scenario of one's own, where one can."""
    scenario_remarks: tuple[str, ...] = ()
    """What is to be said about the data of all scenarios."""


def games() -> list[Game]:
    """Lists the games that can be played."""
    return [
        Game(
            name=row["name"],
            rules_version=row["rules_version"],
            seats=row["seats"],
            action_count=row["action_count"],
            observation_size=row["observation_size"],
            reasons=tuple(row["reasons"]),
            bots=dict(row["bots"]),
            scenario_file=row["scenario_file"] and ScenarioFile(*row["scenario_file"]),
            scenario_remarks=tuple(row["scenario_remarks"]),
        )
        for row in _core.games()
    ]


def find_game(name: str) -> Game:
    """Gives the game of a name."""
    known = games()
    for game in known:
        if game.name == name:
            return game
    names = ", ".join(game.name for game in known) or "none"
    raise ArgumentError(f"game is {name!r}, there is {names}", {"field": "game", "value": repr(name)})


Setup = Mapping[str, Any] | str | None
"""Options of a game: a table, or its JSON text. A table may name a file where its text can stand."""


def read_text(option: str, file: Path) -> str:
    """Reads a file that an option names."""
    details = {"field": option, "value": str(file)}
    try:
        with file.open("rb") as handle:
            text = handle.read(_MAX_TEXT + 1).decode()  # what is too long is refused by whoever reads it
    except OSError as error:
        raise SetupError(f"{option} is {str(file)!r}: {error.strerror or error}", details) from error
    except UnicodeDecodeError as error:
        raise SetupError(f"{option} is {str(file)!r}, which is no text: {error.reason}", details) from error
    except ValueError as error:  # a name that no file can have
        raise SetupError(f"{option} is {str(file)!r}: {error}", details) from error
    return text


def _with_texts(game: str, setup: Mapping[str, Any]) -> Mapping[str, Any]:
    """Puts the text of a file where options only name it."""
    file = next((known.scenario_file for known in games() if known.name == game), None)
    if file is None or file.option not in setup:
        return setup
    if file.text_option in setup:
        details = {"field": file.option, "value": str(setup[file.option])}
        raise SetupError(f"{file.option} and {file.text_option} exclude each other", details)
    named = setup[file.option]
    if not isinstance(named, str | Path):
        details = {"field": file.option, "value": repr(named)}
        raise SetupError(f"{file.option} is {named!r}, not the name of a file", details)
    others = {name: value for name, value in setup.items() if name != file.option}
    return others | {file.text_option: read_text(file.option, Path(named))}


def setup_to_json(game: str, setup: Setup) -> str:
    """Gives options of a game as JSON text; whether they make sense is for the game to say."""
    if isinstance(setup, str):
        text = setup.encode("utf-8", "replace").decode()
        return "{}" if text.strip() == "null" else text
    if isinstance(setup, Mapping):
        setup = _with_texts(game, setup)
    try:
        return json.dumps({} if setup is None else setup, allow_nan=False, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        details = {"field": "setup", "reason": str(error)}
        raise SetupError(f"setup: no table of plain values: {error}", details) from error


def _plain(value: object) -> object:
    """Values of other kinds that mean a plain one: numbers of numpy, and mappings."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is no plain value")


def searches(bots: Iterable[str]) -> bool:
    """Tells whether one of the bots searches, so that its matches take seconds."""
    return any(name.partition(":")[0] == SEARCHING for name in bots)
