"""Positions of `swords` in words."""

from __future__ import annotations

from typing import Any

__all__ = ["position"]


def _units(counts: dict[str, int]) -> str:
    return " ".join(f"{count} {unit}" for unit, count in counts.items() if count) or "no units"


def _province(name: str, found: dict[str, Any]) -> str:
    parts = [name, *(f"{count} {unit}" for unit, count in found["units"].items() if count)]
    if found["fort"] != "none":
        parts.append(found["fort"])
    if found["hidden"]:
        parts.append(f"{found['hidden']} hidden ronin")
    return " ".join(parts)


def _clan(view: dict[str, Any], number: int) -> list[str]:
    clan = view["clans"][number]
    held = [_province(name, found) for name, found in view["provinces"].items() if found["owner"] == number]
    sword = f", sword {clan['sword']}" if clan["sword"] else ""
    lines = [f"clan {number}: {len(held)} provinces, {clan['koku']} koku{sword}"]
    if clan["plan"] and any(count for count in clan["plan"].values() if count):
        lines.append(f"plan: {', '.join(f'{count} {box}' for box, count in clan['plan'].items() if count)}")
    for place, army in enumerate(clan["armies"], 1):
        if army is not None:
            state = " disrupted" if army["disrupted"] else ""
            where = f"army {place} in {army['province']}, experience {army['hole']}{state}"
            lines.append(f"{where}: {_units(army['units'])}")
    lines.append(f"provinces: {'; '.join(held) or 'none'}")
    return lines


def position(view: dict[str, Any], seat: int) -> tuple[list[str], list[str]]:
    """Return lines about a seat's own pieces, and about the others and the board."""
    clans = range(len(view["clans"]))
    mine = {2 * seat, 2 * seat + 1} if view["options"]["seats"] == 2 else {seat}
    pool = view["pool"]
    phase = f"round {view['round']}, {_step(view)}"
    ninja = "nobody" if view["ninja"] is None else f"clan {view['ninja']}"
    left = f"{pool['castles']} castles, {pool['bases']} bases, {pool['ronin']} ronin"
    stock = f"pool: {left}; the ninja serves {ninja}"
    own = [line for clan in clans if clan in mine for line in _clan(view, clan)]
    others = [phase, stock, *(line for clan in clans if clan not in mine for line in _clan(view, clan))]
    empty = [name for name, found in view["provinces"].items() if found["owner"] is None]
    return own, [*others, f"empty: {', '.join(empty) or 'none'}"]


def _step(view: dict[str, Any]) -> str:
    point = view["point"]
    name = point if isinstance(point, str) else next(iter(point))
    return name.replace("_", " ")
