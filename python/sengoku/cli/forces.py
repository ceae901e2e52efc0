"""Parse forces, cubes and pieces as users write them on the command line."""

# ruff: noqa: PLC0415 - help and completion must not load the games

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sengoku.errors import ArgumentError, SetupError

if TYPE_CHECKING:
    from sengoku import battles, swords


def _parse_pairs(option: str, text: str, kinds: Mapping[str, Any], known: str) -> dict[str, Any]:
    """Parse parts separated by commas: NAME=NUMBER, NAME=WORD, or NAME alone.

    The kind of a name is `int`, `str` or `bool`, or the words that it may have instead of a number; `known`
    introduces the list of names in an error.
    """
    pairs: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        details, kind = {"field": option, "value": part}, kinds.get(name)
        if name in pairs:
            raise ArgumentError(f"{option} names {name} twice", details)
        if kind is bool and not equals:
            pairs[name] = True
        elif (kind is str and value) or (isinstance(kind, tuple) and value in kind):
            pairs[name] = value
        elif kind in (None, bool, str):
            raise ArgumentError(f"{option} has {part!r}, {known} {', '.join(kinds)}", details)
        else:
            try:
                pairs[name] = int(value)
            except ValueError:
                raise ArgumentError(f"{option} has {part!r}, expected {name}=NUMBER", details) from None
    return pairs


def parse_force(option: str, text: str) -> "swords.Force":
    """Parse `daimyo=1,bow=2,spear=3`; the word `disrupted` marks an army whose daimyo was assassinated."""
    from sengoku import swords

    kinds = {**dict.fromkeys(swords.UNITS, int), "disrupted": bool}
    return swords.Force(**_parse_pairs(option, text, kinds, "units are"))


def last_unit(text: str, force: "swords.Force") -> tuple[str, int, "swords.Force"]:
    """Return the unit named last in the text of a force, its number, and the force without it."""
    from sengoku import swords

    parts = (part.partition("=")[0].strip() for part in text.split(","))
    units = [name for name in parts if name in swords.UNITS]
    if not units:
        raise ArgumentError(f"{text!r} has no units to count", {"field": "table", "value": text})
    numbers = {name: getattr(force, name) for name in (*swords.UNITS, "disrupted")}
    count = numbers.pop(units[-1])
    return units[-1], count, swords.Force(**numbers)


def parse_order(text: str) -> str | list[str]:
    """Parse the name of a loss order, or the five units separated by commas."""
    return [part.strip() for part in text.split(",")] if "," in text else text


def parse_cubes(option: str, text: str) -> dict[str, int]:
    """Parse `blue=4,yellow=3,farmer=1`."""
    from sengoku import tower

    return _parse_pairs(option, text, dict.fromkeys(tower.COLOURS, int), "colours are")


def parse_contents(text: str | None) -> dict[str, int] | None:
    """Parse what is in a tower; None is a fresh fill."""
    return None if text is None else parse_cubes("--contents", text)


def parse_party(option: str, text: str) -> tuple[str, int]:
    """Parse `blue=4`."""
    cubes = parse_cubes(option, text)
    if len(cubes) != 1:
        details = {"field": option, "value": text}
        raise ArgumentError(f"{option} is {text!r}, expected COLOUR=NUMBER", details)
    return next(iter(cubes.items()))


def parse_parameters(text: str | None, model: str = "shelves") -> Any:
    """Parse tower parameters: a name, a JSON object, or the name of a TOML file."""
    from sengoku import tower

    if text is None:
        return None
    if text.endswith(".toml"):
        return tower.read_parameters(Path(text), model)
    if not text.lstrip().startswith("{"):
        return text
    try:
        return json.loads(text)
    except ValueError as error:
        details = {"field": "parameters", "reason": str(error)}
        raise SetupError(f"parameters: invalid JSON: {error}", details) from None


_PROPERTIES: dict[str, Any] = {
    "blocks": int,
    "room": int,
    "ignore_flags": ("all", "none"),
    **dict.fromkeys(("leader", "terrain", "leader_fate"), str),
    **dict.fromkeys(("support", "adjacent_leader", "inspire"), bool),
}
"""Properties of a piece, each with its kind."""


def parse_piece(option: str, text: str) -> "battles.Piece":
    """Parse `SSp`, or `ASp:blocks=3,leader=LF,terrain=hill,support`."""
    from sengoku import battles

    code, _, properties = text.partition(":")
    return battles.Piece(code.strip(), **_parse_pairs(option, properties, _PROPERTIES, "expected one of"))


def parse_cards(text: str) -> list[str]:
    """Parse names of cards separated by commas."""
    return [part.strip() for part in text.split(",") if part.strip()]
