"""Positions of `tower` in words."""

from __future__ import annotations

from typing import Any

__all__ = ["position"]

_BUILDINGS = {"castle": "castle", "temple": "temple", "no": "Nô theatre"}


def _province(name: str, found: dict[str, Any]) -> str:
    """Return a province with what stands in it, as `aki 2 castle, 1 unrest`."""
    parts = [name, *([str(found["armies"])] if found["armies"] else [])]
    parts += [title for key, title in _BUILDINGS.items() if found[key]]
    unrest = f" unrest-{found['unrest']}" if found["unrest"] else ""
    return " ".join(parts) + unrest


def _cubes(counts: list[int | None], names: list[str]) -> str:
    shown = [f"{count} {name}" for count, name in zip(counts, names, strict=False) if count]
    return ", ".join(shown) or "nothing"


def _player(view: dict[str, Any], seat: int) -> list[str]:
    player, supply = view["players"][seat], view["supply"][seat]
    wealth = f"{player['chests']} chests, {player['rice']} rice, {player['score']} points"
    lines = [f"{view['options']['colours'][seat]} (seat {seat}): {wealth}, {supply} armies in supply"]
    if player["special"]:
        lines[0] += f", special card {player['special']}"
    if view["options"]["court"]:
        officers = player["officers"]
        lines[0] += f", officers {officers['entrance']} in the entrance, {officers['supply']} in supply"
    held = [_province(name, found) for name, found in view["provinces"].items() if found["owner"] == seat]
    lines.append(f"provinces ({len(held)}): {'; '.join(held) or 'none'}")
    plan = player["plan"]
    if plan:
        laid = [f"{space} {card}" for space, card in plan.items() if card not in {None, "face_down"}]
        hidden = sum(card == "face_down" for card in plan.values())
        laid += [f"{hidden} face down"] if hidden else []
        lines.append(f"plan: {'; '.join(laid)}")
    return lines


def position(view: dict[str, Any], seat: int) -> tuple[list[str], list[str]]:
    """Return lines about a seat's own pieces, and about the others and the board."""
    names = [*view["options"]["colours"][: view["options"]["seats"]], "farmers"]
    actions = view["action_order"][: view["action_revealed"]]
    lines = [f"year {view['year']}, {view['round']}; open actions: {', '.join(actions)}"]
    events = [str(event) for event in view["open_events"]]
    lines.append(f"open events: {', '.join(events) or 'none'}; event now: {view['event'] or 'none'}")
    if view["turn_order"]:
        lines.append(f"turn order by seat: {', '.join(map(str, view['turn_order']))}")
    supply = [*view["tray"]]
    lines.append(f"tray: {_cubes(supply, [*view['options']['colours'], 'farmers'])}")
    if view.get("inside"):
        lines.append(f"inside the tower: {_cubes(view['inside'], [*view['options']['colours'], 'farmers'])}")
    if view["options"]["court"] and any(view["court"]["laid"]):
        lines.append(f"favours laid out at 4, 3, 2 officers: {', '.join(map(str, view['court']['laid']))}")
    for other in range(len(names) - 1):
        if other != seat:
            lines += _player(view, other)
    free = [name for name, found in view["provinces"].items() if found["owner"] is None]
    lines.append(f"neutral: {', '.join(free) or 'none'}")
    return _player(view, seat), lines
