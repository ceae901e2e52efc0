"""Positions of `battles` in words."""

from __future__ import annotations

from typing import Any

__all__ = ["position"]

SIDES = ("top", "bottom")


def _pieces(view: dict[str, Any], side: str) -> str:
    leaders = {
        piece["hex"]: piece["leader"] for piece in view["leaders"] if piece["side"] == side and piece["hex"]
    }
    shown = []
    for unit in view["units"]:
        if unit["side"] == side and unit["hex"]:
            with_leader = f" with {leader}" if (leader := leaders.pop(unit["hex"], None)) else ""
            shown.append(f"{unit['unit']} {unit['hex']} {unit['blocks']}{with_leader}")
    shown += [f"{leader} {where} alone" for where, leader in leaders.items()]
    return "; ".join(shown) or "none"


def _cards(found: Any) -> str:
    if isinstance(found, list):
        return ", ".join(found) or "none"
    return f"{found} hidden"


def _side(view: dict[str, Any], side: str) -> list[str]:
    score = f"{view['banners'][side]} of {view['banners_to_win'][side]} banners, {view['honor'][side]} honor"
    return [
        f"{side}: {score}",
        f"command cards: {_cards(view['command']['hands'][side])}",
        f"dragon cards: {_cards(view['dragon']['hands'][side])}",
        f"pieces (type, row,column, blocks): {_pieces(view, side)}",
    ]


def position(view: dict[str, Any], seat: int) -> tuple[list[str], list[str]]:
    """Return lines about a seat's own pieces, and about the others and the board."""
    side, other = SIDES[seat], SIDES[1 - seat]
    turn = view["turn"]
    played = f"; command card {turn['command']}" if turn["command"] else ""
    ordered = f"; ordered {', '.join(turn['ordered'])}" if turn["ordered"] else ""
    moving = f"; moving {turn['chosen'][-1]}" if _asks(view, "destination") and turn["chosen"] else ""
    battle = f"battle {view['scenario']} ({view['name']}), round {view['round']}"
    lines = [f"{battle}, {view['active']} acts{played}{ordered}{moving}"]
    lines += _side(view, other)
    ground: dict[str, list[str]] = {}
    for where, kind in _terrain(view):
        ground.setdefault(kind, []).append(where)
    lines += [f"{kind}: {' '.join(places)}" for kind, places in ground.items()]
    return _side(view, side), lines


def _asks(view: dict[str, Any], step: str) -> bool:
    return bool(view["question"]) and view["question"]["step"] == step


def _terrain(view: dict[str, Any]) -> list[tuple[str, str]]:
    """Return hexes that are not open ground."""
    found = view.get("terrain") or {}
    pairs = found.items() if isinstance(found, dict) else ((each["hex"], each["terrain"]) for each in found)
    return [(where, str(kind).lower()) for where, kind in pairs if str(kind).lower() != "open"]
