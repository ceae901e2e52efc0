"""Scripts of a match: dice, throws into the cube tower, lots and cards, in place of chance."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from operator import index
from typing import Any, SupportsIndex

from sengoku import _core
from sengoku.errors import DiceScriptError

__all__ = ["Dice", "Throw", "check_left", "dice_faces", "scripts_table", "scripts_to_json"]

Dice = Iterable[SupportsIndex | str] | None
"""Faces of dice: numbers from 1 on; in `battles` also letters, in a list or in one text such as "TX CS"."""
Throw = Mapping[int | str, SupportsIndex] | Sequence[SupportsIndex] | None
"""What comes out of the tower: cubes by seat and "farmers", or a list of them; None leaves it to the seed."""
_COLOURS = 6
_FARMERS = "farmers"
_MOST = 1_000_000


def _refused(field: str, place: int, value: object, wanted: str) -> DiceScriptError:
    shown = str(value)[:60]
    details = {"field": field, "place": str(place), "value": shown}
    return DiceScriptError(f"{field}: entry {place} is {shown}: {wanted}", details)


def dice_faces(game: str, dice: Dice) -> Iterable[SupportsIndex] | None:
    """Return dice as numbers; letters are faces of the battle die."""
    if dice is None or game != "battles":
        return dice  # type: ignore[return-value]
    faces = []
    for place, die in enumerate(islice(dice, _MOST + 1)):
        if not isinstance(die, str):
            faces.append(index(die))
        elif die.strip() or not isinstance(dice, str):
            if die not in _core.FACES:
                raise _refused("dice", place, repr(die), f"must be one of {''.join(_core.FACES)}")
            faces.append(1 + _core.FACES.index(die))
    return faces


def _throw(place: int, throw: Throw) -> list[int] | None:
    if throw is None:
        return None
    if isinstance(throw, Mapping):
        cubes = [0] * _COLOURS
        for colour, number in throw.items():
            seat = _COLOURS - 1 if colour == _FARMERS else colour
            if isinstance(seat, str) or not 0 <= index(seat) < _COLOURS:
                raise _refused("throws", place, repr(colour), f'must be a seat or "{_FARMERS}"')
            cubes[index(seat)] += index(number)
    else:
        cubes = [index(number) for number in islice(throw, _COLOURS + 1)]
        if len(cubes) > _COLOURS:
            raise _refused("throws", place, cubes, f"must have at most {_COLOURS} colours")
        cubes += [0] * (_COLOURS - len(cubes))
    for number in cubes:
        if not 0 <= number < 1 << 16:
            raise _refused("throws", place, number, "must be a number of cubes")
    return cubes


def scripts_table(
    throws: Iterable[Throw] | None,
    lots: Iterable[SupportsIndex] | None,
    cards: Iterable[Iterable[str]] | None,
) -> dict[str, Any]:
    """Return what is scripted as plain lists, checked as far as the game does not matter."""
    table: dict[str, Any] = {}
    if throws is not None:
        table["throws"] = [_throw(place, throw) for place, throw in enumerate(islice(throws, _MOST))]
    if lots is not None:
        table["lots"] = [index(lot) for lot in islice(lots, _MOST)]
        for place, lot in enumerate(table["lots"]):
            if not 1 <= lot < 256:
                raise _refused("lots", place, lot, "must be 1 to 255")
    if cards is not None:
        table["cards"] = []
        for place, pile in enumerate(islice(cards, _MOST)):
            names = [pile] if isinstance(pile, str) else list(islice(pile, 256))
            if isinstance(pile, str) or not all(isinstance(name, str) for name in names):
                raise _refused("cards", place, repr(pile), "must be a list of names of cards")
            table["cards"].append([name.encode("utf-8", "replace").decode() for name in names])
    return table


def scripts_to_json(table: Mapping[str, Any]) -> str | None:
    """Return scripts as JSON for the core; None where nothing is scripted."""
    return json.dumps(table) if table else None


def check_left(left: Mapping[str, int]) -> None:
    """Raise `DiceScriptError` if something of a script was not used."""
    unused = {name: count for name, count in left.items() if count}
    if unused:
        shown = ", ".join(f"{count} of {name}" for name, count in unused.items())
        details = {"field": next(iter(unused)), **{name: str(count) for name, count in unused.items()}}
        raise DiceScriptError(f"scripts are not used up: {shown} left", details)
