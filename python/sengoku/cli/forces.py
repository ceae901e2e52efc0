"""Parse forces, cubes and pieces as users write them on the command line."""

# ruff: noqa: PLC0415 - help and completion must not load the games

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sengoku.errors import ArgumentError, SetupError

if TYPE_CHECKING:
    from sengoku import battles, swords


def _parse_counts(
    option: str, text: str, what: str, names: Sequence[str], *, flag: str | None = None
) -> dict[str, Any]:
    """Parse NAME=NUMBER pairs separated by commas; `flag` is a word that stands without a number."""
    counts: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, count = (piece.strip() for piece in part.partition("="))
        details = {"field": option, "value": part}
        if name == flag and not count:
            counts[name] = True
        elif name not in names:
            message = f"{option}: unknown {what} {part!r}, {what}s are {', '.join(names)}"
            raise ArgumentError(message, details)
        elif name in counts:
            raise ArgumentError(f"{option} names {name} twice", details)
        else:
            try:
                counts[name] = int(count)
            except ValueError:
                raise ArgumentError(f"{option} has {part!r}, expected {name}=NUMBER", details) from None
    return counts


def parse_force(option: str, text: str) -> "swords.Force":
    """Parse `daimyo=1,bow=2,spear=3`; the word `disrupted` marks an army whose daimyo was assassinated."""
    from sengoku import swords

    return swords.Force(**_parse_counts(option, text, "unit", swords.UNITS, flag="disrupted"))


def parse_order(text: str) -> str | list[str]:
    """Parse the name of a loss order, or the five units separated by commas."""
    return [part.strip() for part in text.split(",")] if "," in text else text


def parse_cubes(option: str, text: str) -> dict[str, int]:
    """Parse `blue=4,yellow=3,farmer=1`."""
    from sengoku import tower

    return _parse_counts(option, text, "colour", tower.COLOURS)


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
    """Parse tower parameters: the name of a parameter set, a JSON object, or the name of a TOML file."""
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


_FACTS = ("support", "adjacent_leader", "inspire")
_NAMES = ("leader", "terrain", "leader_fate")
_NUMBERS = ("blocks", "room", "ignore_flags")


def parse_piece(option: str, text: str) -> "battles.Piece":
    """Parse `SSp`, or `ASp:blocks=3,leader=LF,terrain=hill,support`."""
    from sengoku import battles

    kind, _, rest = text.partition(":")
    fields: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        details = {"field": option, "value": part}
        if name in fields:
            raise ArgumentError(f"{option} names {name} twice", details)
        if name in _FACTS and not equals:
            fields[name] = True
        elif (name in _NAMES and value) or (name == "ignore_flags" and value in ("all", "none")):
            fields[name] = value
        elif name in _NUMBERS:
            try:
                fields[name] = int(value)
            except ValueError:
                raise ArgumentError(f"{option} has {part!r}, expected {name}=NUMBER", details) from None
        else:
            known = ", ".join((*_NUMBERS, *_NAMES, *_FACTS))
            raise ArgumentError(f"{option} has {part!r}, expected one of {known}", details)
    return battles.Piece(kind.strip(), **fields)


def parse_cards(text: str) -> list[str]:
    """Parse names of cards separated by commas."""
    return [part.strip() for part in text.split(",") if part.strip()]
