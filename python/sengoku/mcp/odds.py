"""Battles, clashes and strikes from JSON, and their odds as text."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from sengoku import battles, swords, tower
from sengoku.errors import ArgumentError, SengokuError, invalid

__all__ = ["EXAMPLES", "odds_to_text", "read_fight"]

EXAMPLES = {
    "swords": '{"attacker": {"bow": 1, "spear": 3}, "defender": {"spear": 2}, "fort": "castle"}',
    "tower": '{"attacker": ["blue", 4], "defender": ["yellow", 3]}',
    "battles": '{"attacker": "SSp", "defender": {"kind": "ASp", "blocks": 3, "terrain": "hill"}}',
}
_MODULES: dict[str, Any] = {"swords": swords, "tower": tower, "battles": battles}
_QUESTIONS: dict[str, Any] = {"swords": swords.Battle, "tower": tower.Clash, "battles": battles.Strike}
_DECIMALS = 4


def _force(name: str, value: Any) -> swords.Force:
    if not isinstance(value, Mapping):
        raise invalid(name, repr(value)[:60], 'expected units and their numbers, such as {"spear": 3}')
    return swords.Force(**value)


def _piece(value: Any) -> Any:
    return battles.Piece(**value) if isinstance(value, Mapping) else value


def _convert(game: str, name: str, value: Any) -> Any:
    """Return an argument of a fight as its class takes it."""
    many = isinstance(value, list)
    if game == "swords" and name in {"attacker", "defender"}:
        return [_force(name, one) for one in value] if many else _force(name, value)
    if game == "battles" and name in {"attacker", "defender"}:
        return [_piece(one) for one in value] if many else _piece(value)
    if game == "tower" and name in {"attacker", "defender"} and many:
        return tuple(value)
    return value


def read_fight(game: str, fight: Mapping[str, Any]) -> Any:
    """Return the battle, clash or strike of a JSON object with the arguments of its class.

    >>> read_fight("tower", {"attacker": ["blue", 4], "defender": ["yellow", 3]}).attacker
    ('blue', 4)
    """
    if game not in _QUESTIONS:
        raise invalid("game", repr(game)[:60], f"must be one of {', '.join(_QUESTIONS)}")
    kind = _QUESTIONS[game]
    known = [name for name in inspect.signature(kind).parameters if name != "parameters"]
    for name in fight:
        if name not in known:
            raise invalid("fight", repr(name)[:60], f"fields are {', '.join(known)}; as in {EXAMPLES[game]}")
    try:
        return kind(**{name: _convert(game, name, value) for name, value in fight.items()})
    except SengokuError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError(
            f"fight: {error}; expected something like {EXAMPLES[game]}", {"field": "fight"}
        ) from error


def odds_to_text(game: str, question: Any, odds: Any) -> tuple[str, dict[str, Any]]:
    """Return odds as lines, and as plain values."""
    module = _MODULES[game]
    values: dict[str, Any] = module.describe(odds)
    lines = [f"{game}: {module.title(question)} ({odds.method}, standard error {odds.standard_error:.2g})"]
    for name, value in values.items():
        if isinstance(value, float) and name != "standard_error":
            lines.append(f"{name}: {round(value, _DECIMALS)}")
        elif isinstance(value, list) and value and all(isinstance(one, float) for one in value):
            shown = " ".join(f"{count}:{one:.3f}" for count, one in enumerate(value) if one >= 0.0005)
            lines.append(f"{name}: {shown}")
    short = {name: value for name, value in values.items() if not isinstance(value, list)}
    return "\n".join(lines), short
