"""The board of `battles`, its terrain and its troops, written from the rule ledger alone.

Hexes are numbers in canonical order (BT-BOARD-03). Line of sight is the geometric definition itself: a
segment, the six corners of a hex, and the sign of a cross product.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

TOP, BOTTOM = 0, 1
SIDES = ("top", "bottom")
DATA = Path(__file__).parents[2] / "rust" / "battles" / "data"

Coordinate = tuple[int, int]
"""A row and a doubled column (BT-BOARD-02)."""


def _hexes() -> list[Coordinate]:
    return [(r, 2 * c + r % 2) for r in range(11) for c in range(12 - r % 2)]  # BT-BOARD-01


HEXES = _hexes()
NUMBER = {place: number for number, place in enumerate(HEXES)}
ALL = range(len(HEXES))
HALF = [(r, x) for r in range(1, 11, 2) for x in (-1, 23)]  # BT-BOARD-04


def at(r: int, c: int) -> int:
    """The number of the hex in row `r`, place `c` (BT-BOARD-03)."""
    return 23 * (r // 2) + (12 if r % 2 else 0) + c


def row(hex_: int) -> int:
    """The row of a hex."""
    return HEXES[hex_][0]


def apart(one: Coordinate, other: Coordinate) -> int:
    """BT-BOARD-06."""
    dy, dx = abs(one[0] - other[0]), abs(one[1] - other[1])
    return max(dy, (dx + dy) // 2)


def distance(one: int, other: int) -> int:
    """BT-BOARD-06."""
    return apart(HEXES[one], HEXES[other])


@cache
def near(hex_: int) -> tuple[int, ...]:
    """BT-BOARD-05."""
    r, x = HEXES[hex_]
    places = [(r, x - 2), (r, x + 2), (r - 1, x - 1), (r - 1, x + 1), (r + 1, x - 1), (r + 1, x + 1)]
    return tuple(sorted(NUMBER[place] for place in places if place in NUMBER))


def baseline(side: int) -> int:
    """The row of a side's own baseline (BT-BOARD-07)."""
    return 0 if side == TOP else 10


def rear(side: int, hex_: int) -> list[int]:
    """Adjacent hexes of the next row toward the own baseline (BT-BOARD-07, BT-RETREAT-02)."""
    step = -1 if side == TOP else 1
    return [other for other in near(hex_) if row(other) == row(hex_) + step]


def sections(hex_: int) -> set[str]:
    """The physical sections of a hex; one on a dotted line is in both (BT-BOARD-08)."""
    x = HEXES[hex_][1]
    found = {"west"} if x <= 7 else set()
    found |= {"middle"} if 7 <= x <= 15 else set()
    return found | ({"east"} if x >= 15 else set())


def physical(side: int, flank: str) -> str:
    """Left, center and right as a seat sees them (BT-BOARD-09)."""
    if flank == "center":
        return "middle"
    return "west" if (flank == "left") == (side == BOTTOM) else "east"


def connected(hexes: set[int]) -> bool:
    """Whether hexes hang together by adjacency."""
    if not hexes:
        return True
    first = min(hexes)
    reached, edge = {first}, [first]
    while edge:
        for other in near(edge.pop()):
            if other in hexes and other not in reached:
                reached.add(other)
                edge.append(other)
    return reached == hexes


# Line of sight


@dataclass(frozen=True)
class Line:
    """The hexes a line of sight passes: through their inside, or along their edge on one of its sides."""

    inside: tuple[Coordinate, ...]
    left: tuple[Coordinate, ...]
    right: tuple[Coordinate, ...]


def corners(place: Coordinate) -> list[tuple[int, int]]:
    """BT-LOS-01."""
    r, x = place
    return [(x, 3 * r - 2), (x, 3 * r + 2)] + [(x + a, 3 * r + b) for a in (-1, 1) for b in (-1, 1)]


@cache
def line(start: int, end: int) -> Line:
    """BT-LOS-02, BT-LOS-03: hexes in the line and on its edges."""
    a, b = HEXES[start], HEXES[end]
    ax, ay, bx, by = a[1], 3 * a[0], b[1], 3 * b[0]
    found: dict[str, list[Coordinate]] = {"inside": [], "left": [], "right": []}
    for place in HEXES + HALF:
        if place in (a, b) or apart(a, place) + apart(place, b) != apart(a, b):
            continue
        signs = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in corners(place)]
        if min(signs) < 0 < max(signs):
            found["inside"].append(place)
        elif signs.count(0) == 2:
            found["left" if min(signs) < 0 else "right"].append(place)
    return Line(*(tuple(found[name]) for name in ("inside", "left", "right")))


# Terrain

NONE, FORBIDDEN = 99, 0


@dataclass(frozen=True)
class Terrain:
    """A row of BT-TERRAIN-02: pairs are for infantry and cavalry."""

    stop: bool = False
    battle: tuple[bool, bool] = (True, True)
    out_melee: tuple[int, int] = (NONE, NONE)
    out_ranged: tuple[int, int] = (NONE, NONE)
    in_melee: tuple[int, int] = (NONE, NONE)
    in_ranged: tuple[int, int] = (NONE, NONE)
    blocks: bool = False


def _row(stop: str, battle: str, caps: str, blocks: str) -> Terrain:
    """Reads a row: caps are out m, out r, in m and in r, each for infantry and cavalry."""
    n = [NONE if cap == "-" else FORBIDDEN if cap == "P" else int(cap) for cap in caps.split()]
    may = {"yes": (True, True), "no": (False, False), "infantry": (True, False)}[battle]
    return Terrain(
        stop == "stop", may, (n[0], n[1]), (n[2], n[3]), (n[4], n[5]), (n[6], n[7]), blocks == "blocks"
    )


TERRAIN = {
    "open": _row("", "yes", "- - - - - - - -", ""),
    "forest": _row("stop", "yes", "2 2 2 2 2 2 1 1", "blocks"),  # BT-R-55
    "hill": _row("", "yes", "3 3 - - 2 2 - -", "blocks"),  # in: only if the attacker is not on a hill
    "river": _row("", "yes", "- - - - - - - -", ""),
    "ford": _row("stop", "yes", "2 2 1 1 2 2 2 2", ""),  # BT-R-54
    "shallow": _row("", "yes", "- - - - - - - -", ""),
    "bridge": _row("", "yes", "- - - - - - - -", ""),
    "buildings": _row("stop", "no", "2 1 1 1 2 2 1 1", "blocks"),
    "fields": _row("stop", "yes", "- 2 - 2 - 2 - 2", ""),  # BT-R-57
    "gorge": _row("stop", "no", "1 1 1 1 2 1 1 1", ""),  # BT-R-56, BT-TERRAIN-11
    "tent": _row("stop", "yes", "- - - - - - - -", "blocks"),
    "fence": _row("stop", "infantry", "2 2 2 2 2 2 2 2", ""),
    "palisade": _row("stop", "infantry", "2 2 2 2 2 2 2 2", ""),
    "castle": _row("stop", "no", "3 P 3 P 2 P 1 1", "blocks"),  # BT-TERRAIN-09
}
WATER = {"river", "ford", "shallow", "bridge"}  # BT-TERRAIN-12
LETTERS = {
    ".": "open",
    "f": "forest",
    "h": "hill",
    "r": "river",
    "d": "ford",
    "b": "bridge",
    "B": "buildings",
    "c": "fields",
    "g": "gorge",
    "t": "tent",
    "#": "fence",
    "C": "castle",
}


# Troops


@dataclass(frozen=True)
class Troop:
    """A row of BT-UNITS-01. The sword and flag columns follow from symbol and arm."""

    symbol: str
    arm: str
    weapon: str
    mv: int
    mb: int
    melee: int
    ranged: dict[int, int] = field(default_factory=dict)


TROOPS = {
    "SSp": Troop("S", "infantry", "", 1, 1, 4),
    "SB": Troop("S", "infantry", "bow", 1, 1, 3, {2: 3, 3: 3}),
    "ASp": Troop("T", "infantry", "", 2, 1, 3),  # BT-UNITS-03
    "AB": Troop("C", "infantry", "bow", 2, 2, 2, {2: 2, 3: 2}),
    "AA": Troop("C", "infantry", "arquebus", 2, 0, 2, {2: 2, 3: 2, 4: 1}),  # BT-UNITS-04
    "LI": Troop("C", "infantry", "", 2, 2, 2),
    "SSpC": Troop("S", "cavalry", "", 2, 2, 4),
    "SBC": Troop("S", "cavalry", "bow", 2, 2, 3, {2: 3, 3: 3}),
    "BG": Troop("X", "special", "", 0, 0, 0),
}


@dataclass(eq=False)
class Unit:
    """A group of blocks in one hex."""

    side: int
    kind: str
    hex: int
    blocks: int = 4
    group: str | None = None
    """The contingent that holds it back until its first order (BT-SCEN-16)."""

    # What it did in the turn that is being played.
    ordered: bool = False
    by_card: bool = True
    """Whether the bonuses and limits of the command card are its own (BT-R-65, BT-DRAGON-22)."""
    company: Leader | None = None
    """The leader who moves along, having no order of his own (BT-LEADERS-04)."""
    chosen: bool = False
    moved: int = 0
    bonus: int = 0
    barred: bool = False
    battled: bool = False

    @property
    def troop(self) -> Troop:
        """Its row of the unit table."""
        return TROOPS[self.kind]

    @property
    def symbol(self) -> str:
        """Its symbol."""
        return self.troop.symbol

    @property
    def cavalry(self) -> bool:
        """BT-UNITS-07."""
        return self.troop.arm == "cavalry"

    @property
    def infantry(self) -> bool:
        """BT-UNITS-07."""
        return self.troop.arm == "infantry"

    @property
    def missile(self) -> bool:
        """BT-UNITS-07."""
        return self.troop.weapon != ""

    def rest(self) -> None:
        """A new turn."""
        self.ordered, self.by_card, self.company, self.chosen = False, True, None, False
        self.moved, self.bonus, self.barred, self.battled = 0, 0, False, False


@dataclass(eq=False)
class Leader:
    """A leader block (BT-LEADERS-01)."""

    side: int
    kind: str
    hex: int
    name: str = ""
    was_commander: bool = False
    ordered: bool = False
    chosen: bool = False

    @property
    def rank(self) -> int:
        """Status in a Personal Challenge (BT-DRAGON-31)."""
        return ("LF", "LM", "AC").index(self.kind)

    def may_lead(self, unit: Unit) -> bool:
        """BT-LEADERS-03."""
        return unit.infantry or (unit.cavalry and self.kind == "LM")

    def rest(self) -> None:
        """A new turn."""
        self.ordered, self.chosen = False, False


# Scenarios

PIECE = re.compile(r"(?:(\w+)\+)?(\w+)(?:\(([^)]*)\))?@(\d+),(\d+)")


@dataclass
class Army:
    """The header of an army."""

    name: str
    command_cards: int
    dragon_cards: int
    honor: int


@dataclass
class Scenario:
    """A battle before anybody has moved."""

    number: int
    banners: int
    first: str
    armies: list[Army]
    terrain: list[str]
    impassable: set[int]
    units: list[Unit]
    leaders: list[Leader]
    tents: dict[int, int]
    objectives: dict[str, int]
    banks: dict[int, int]
    target_bank: int | None
    victory: list[dict[str, Any]]
    special: list[dict[str, Any]]

    def rule(self, kind: str, side: int | None = None) -> dict[str, Any] | None:
        """The victory record or special rule of a kind that holds for a side."""
        for record in self.victory + self.special:
            if record["kind"] == kind and record.get("side", "either") in _names(side):
                return record
        return None


def _names(side: int | None) -> set[str]:
    return {"either", *SIDES} if side is None else {"either", SIDES[side]}


def ground(letter: str, rules: dict[str, Any]) -> str:
    """The terrain of a letter of the map in a battle (BT-TERRAIN-06, BT-TERRAIN-07)."""
    kind = LETTERS[letter]
    if kind == "river" and rules.get("river_fordable"):
        return "ford"
    if kind == "ford" and (rules.get("river_fordable") or rules.get("ford_tiles") == "shallow"):
        return "shallow"
    if kind == "fence" and rules.get("fences_are_palisades"):
        return "palisade"
    if kind == "castle":
        return str(rules.get("castle_treated_as", "castle"))
    return kind


def _pieces(rows: list[str], side: int) -> tuple[list[Unit], list[Leader]]:
    units, leaders = [], []
    for text in rows:
        found = PIECE.fullmatch(text)
        assert found is not None, text
        first, last, name, r, c = found.groups()
        place = at(int(r), int(c))
        kinds = {first, last} - {None}
        units += [Unit(side, kind, place) for kind in kinds if kind in TROOPS]
        leaders += [Leader(side, kind, place, name or "") for kind in kinds if kind not in TROOPS]
    return units, leaders


@cache
def _tables(number: int) -> tuple[dict[str, Any], dict[str, Any]]:
    headers = tomllib.loads((DATA / "scenarios.toml").read_text("utf-8"))["scenario"]
    header = next(header for header in headers if header["number"] == number)
    return header, tomllib.loads((DATA / "deployments" / f"{number:02}.toml").read_text("utf-8"))


def scenario(number: int) -> Scenario:
    """One of the forty battles (BT-SCEN-01)."""
    return read_scenario(*_tables(number))


def read_scenario(header: dict[str, Any], deployment: dict[str, Any]) -> Scenario:
    """Reads a battle from its header and its deployment."""
    rules = header["terrain_rules"]
    terrain = [ground(letter, rules) for text in deployment["terrain"] for letter in text]
    closed = {"river"}
    closed |= {"hill"} if rules.get("hills_impassable") else set()
    closed |= {"buildings"} if rules.get("buildings_impassable") else set()
    both = [_pieces(deployment[name], side) for side, name in enumerate(SIDES)]
    units = [unit for pair in both for unit in pair[0]]
    for group, members in deployment.get("groups", {}).items():
        for member in members:
            side, place = member.split(":")
            r, c = place.split(",")
            for unit in units:
                if (SIDES[unit.side], unit.hex) == (side, at(int(r), int(c))):
                    unit.group = group
    banks = deployment.get("banks", {})
    return Scenario(
        number=header.get("number", 0),
        banners=header["flags_to_win"],
        first=header["first_player"],
        armies=[
            Army(*(header[name][key] for key in ("name", "command_cards", "dragon_cards", "honor")))
            for name in SIDES
        ],
        terrain=terrain,
        impassable={place for place in ALL if terrain[place] in closed},
        units=units,
        leaders=[leader for pair in both for leader in pair[1]],
        tents={SIDES.index(name): at(*place) for name, place in deployment.get("tents", {}).items()},
        objectives={name: at(*place) for name, place in deployment.get("objectives", {}).items()},
        banks={at(*place): SIDES.index(name) for name, places in banks.items() for place in places},
        target_bank=SIDES.index(deployment["target_bank"]) if "target_bank" in deployment else None,
        victory=header["victory"],
        special=header["special_rules"],
    )


def hill_group(terrain: list[str], start: int) -> set[int]:
    """The connected hill hexes around one of them (BT-LOS-07)."""
    group, edge = {start}, [start]
    while edge:
        for other in near(edge.pop()):
            if terrain[other] == "hill" and other not in group:
                group.add(other)
                edge.append(other)
    return group


def sees(start: int, end: int, terrain: list[str], occupied: set[int]) -> bool:
    """BT-LOS-04..08: whether a line of sight is open."""
    plateau = hill_group(terrain, start) if terrain[start] == "hill" else set()

    def obstructs(place: Coordinate) -> bool:
        if place not in NUMBER or NUMBER[place] in occupied:
            return True
        hex_ = NUMBER[place]
        if terrain[hex_] == "hill" and end in plateau and hex_ in plateau:
            return False
        return TERRAIN[terrain[hex_]].blocks

    passed = line(start, end)
    blocked = any(map(obstructs, passed.left)) and any(map(obstructs, passed.right))
    return not blocked and not any(map(obstructs, passed.inside))
