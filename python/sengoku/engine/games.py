"""The games, their setups, and the files that setups may name."""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sengoku import _core
from sengoku.engine.checks import refused
from sengoku.errors import SetupError

if TYPE_CHECKING:
    from pathlib import Path

SEARCHING = "mcts"
"""The searching bot; its name may be followed by options: `mcts:iterations=200`."""


_MAX_TEXT = 1_000_000
"""Largest size of a custom scenario file, in bytes."""


@dataclass(frozen=True)
class ScenarioFile:
    """Names and marks of custom scenario files of a game."""

    option: str
    """Setup option that names a file."""
    text_option: str
    """Setup option that takes the text of a file."""
    mark: str
    """A top-level key of such a file that files of other games do not have."""


@dataclass(frozen=True)
class Game:
    """Facts about a game."""

    name: str
    rules_version: int
    """Changes with every change of behaviour."""
    seats: tuple[int, int]
    """Smallest and largest number of seats."""
    action_count: int
    """Size of the action table."""
    observation_size: int
    """Size of an observation in bytes."""
    reasons: tuple[str, ...]
    """Every reason for which a match can end."""
    bots: dict[str, str]
    """Every built-in bot, with a one-line description."""
    scenario_file: ScenarioFile | None = None
    """Custom scenario files, if the game supports them."""
    scenario_remarks: tuple[str, ...] = ()
    """Remarks about the data of all scenarios."""


def games() -> list[Game]:
    """Return all games."""
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
    """Return the game of a name."""
    known = {game.name: game for game in games()}
    if name in known:
        return known[name]
    raise refused("game", repr(name), f"must be one of {', '.join(known) or 'none'}")


Setup = Mapping[str, Any] | str | None
"""Options of a game: a mapping, or JSON text. A mapping may name a file instead of containing its text."""


def read_text(option: str, file: "Path") -> str:
    """Read a file that an option names."""
    details = {"field": option, "value": str(file)}
    try:
        with file.open("rb") as handle:
            text = handle.read(_MAX_TEXT + 1).decode()  # a longer text is refused where it is parsed
    except OSError as error:
        raise SetupError(f"{option} is {str(file)!r}: {error.strerror or error}", details) from error
    except UnicodeDecodeError as error:
        raise SetupError(f"{option} is {str(file)!r}: not UTF-8 text: {error.reason}", details) from error
    except ValueError as error:  # not a valid file name
        raise SetupError(f"{option} is {str(file)!r}: {error}", details) from error
    return text


def _with_texts(game: str, setup: Mapping[str, Any]) -> Mapping[str, Any]:
    """Replace the name of a file by its text."""
    file = next((known.scenario_file for known in games() if known.name == game), None)
    if file is None or file.option not in setup:
        return setup
    if file.text_option in setup:
        details = {"field": file.option, "value": str(setup[file.option])}
        raise SetupError(f"{file.option} and {file.text_option} must not both be set", details)
    named = setup[file.option]
    if not isinstance(named, str | os.PathLike):
        details = {"field": file.option, "value": repr(named)}
        raise SetupError(f"{file.option} is {named!r}: must be the name of a file", details)
    from pathlib import Path  # noqa: PLC0415 - takes time to load

    others = {name: value for name, value in setup.items() if name != file.option}
    return others | {file.text_option: read_text(file.option, Path(named))}


def setup_to_json(game: str, setup: Setup) -> str:
    """Return options of a game as JSON text; the game itself checks them."""
    if isinstance(setup, str):
        text = setup.encode("utf-8", "replace").decode()
        return "{}" if text.strip() == "null" else text
    if isinstance(setup, Mapping):
        setup = _with_texts(game, setup)
    try:
        return json.dumps({} if setup is None else setup, allow_nan=False, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        details = {"field": "setup", "reason": str(error)}
        raise SetupError(f"setup: must be a mapping of plain values: {error}", details) from error


def _plain(value: object) -> object:
    """Convert numpy values and mappings to plain values."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not a plain value")


def searches(bots: Iterable[str]) -> bool:
    """Return whether one of the bots searches, so that its matches take seconds."""
    return any(name.partition(":")[0] == SEARCHING for name in bots)
