"""The pieces, the board and the tables of `swords`, written from the rule ledger alone."""

from __future__ import annotations

import tomllib
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
Units = dict[str, int]
Args = dict[str, Any]
Action = tuple[str, Args]

KINDS = ("bow", "gun", "daimyo", "sword", "ronin", "spear")
SOLDIERS = ("bow", "gun", "sword", "spear")  # regular units but the daimyo (SW-GEN-05)
REGULARS = (*SOLDIERS, "daimyo")
BOXES = {"bow": "S", "sword": "S", "gun": "A", "spear": "A"}  # SW-COMP-02
BOX_SIZE = {"S": 4, "A": 10}  # SW-COMP-03
PROV_MAX = 5
BONUS = {"none": 0, "castle": 4, "fortress": 5}
EXP_HOLES = (1, 1, 1, 2, 2, 2, 3, 3, 3, 4)  # SW-R-48
PLAN = ("swords", "build", "levy", "ronin", "ninja")
BUNDLES: tuple[Units, ...] = (  # SW-LEVY-01, or less (SW-R-24)
    {},
    {"bow": 1},
    {"sword": 1},
    {"sword": 2},
    {"gun": 1},
    {"gun": 2},
    {"gun": 1, "sword": 1},
    {"spear": 1},
    {"spear": 2},
    {"spear": 3},
)
# Who rolls in a step, and the combat value (SW-COMP-02, SW-WAR-C-04).
STEPS: dict[int, tuple[tuple[str, ...], int]] = {
    1: (("bow",), 6),
    2: (("gun",), 4),
    4: (("daimyo",), 6),
    5: (("sword", "ronin"), 5),
    6: (("spear",), 4),
}
ATTACKER, DEFENDER = "attacker", "defender"
CHANCE = ("dice", "assassination", "revenge", "sword")
"""Kinds of log entries that carry chance."""

PASS: Action = ("pass", {})
DONE: Action = ("done", {})
STOP: Action = ("stop", {})


def _read_map() -> tuple[dict[str, list[str]], set[frozenset[str]]]:
    path = Path(__file__).parents[2] / "rust/swords/data/map.toml"
    table = tomllib.loads(path.read_text("utf-8"))
    near = {row["key"]: list(row["land"]) for row in table["province"]}
    sea = {frozenset((row["a"], row["b"])) for row in table["sea"]}
    for one, other in (sorted(route) for route in sea):
        near[one].append(other)
        near[other].append(one)
    return near, sea


NEAR, SEA = _read_map()  # SW-MAP-03


class GameOver(Exception):  # noqa: N818, not an error
    """The match has ended."""


class TurnOver(Exception):  # noqa: N818, not an error
    """The active clan is out of the game, so its war turn ends at once (SW-R-70)."""


class ModelError(AssertionError):
    """The log of the engine says something that the model does not expect."""


@dataclass
class Question:
    """A decision of a side and its options."""

    clan: int
    options: list[Action]


Play = Generator[Question, Action, T]


@dataclass
class Province:
    """SW-S-01..07."""

    owner: int | None
    fort: str
    units: Units
    hidden: int = 0
    bonus_lost: int = 0
    moved: Units = field(default_factory=lambda: dict.fromkeys(SOLDIERS, 0))


@dataclass
class Army:
    """SW-S-08..14. Without a province it is lost, or not placed yet."""

    province: str | None = None
    hole: int = 0
    units: Units = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    disrupted: bool = False
    moved: bool = False

    @property
    def level(self) -> int:
        """SW-EXP-01."""
        return EXP_HOLES[self.hole]


@dataclass
class Clan:
    """SW-S-15..20."""

    tray: Units
    armies: list[Army]
    out: bool = False
    koku: int = 0
    plan: Units = field(default_factory=lambda: dict.fromkeys(PLAN, 0))
    sword: int = 0


@dataclass
class Attacker:
    """An attacking force: an army, or the provincial force of a place."""

    clan: int
    place: str
    number: int | None = None
    army: Army | None = None


def regulars(units: Units) -> int:
    """Regular units of a force, a living daimyo included (SW-GEN-05)."""
    return sum(units.get(kind, 0) for kind in REGULARS)


def soldiers(units: Units) -> int:
    """Regular units other than the daimyo."""
    return sum(units.get(kind, 0) for kind in SOLDIERS)


def everybody(units: Units) -> int:
    """All units, ronin included."""
    return sum(units.values())


def ronin_limit(units: Units) -> int:
    """SW-RONIN-04; a force that is not there has 0."""
    return max(0, regulars(units) - 1)


def ronin_room(units: Units) -> int:
    """Ronin that can still join a force (SW-R-27)."""
    return max(0, ronin_limit(units) - units["ronin"])


def fits(army: Army, kind: str) -> bool:
    """Whether a box of the unit's class is free (SW-COMP-03)."""
    box = BOXES[kind]
    return sum(army.units[k] for k in SOLDIERS if BOXES[k] == box) < BOX_SIZE[box]


def may_fall(units: Units, kind: str) -> bool:
    """Whether a force may lose this unit next (SW-CASUALTY-06, SW-R-58)."""
    if units[kind] == 0:
        return False
    return kind == "ronin" or units["ronin"] == 0 or units["ronin"] <= regulars(units) - 2


class Board:
    """The state of a match, and the rules that need no decision."""

    def __init__(self, state: dict[str, Any]) -> None:
        self.seats: int = state["options"]["seats"]
        self.long_game: bool = state["options"]["long_game"]
        self.early_attacks: bool = state["options"]["two_player_early_attacks"]
        self.max_rounds: int = state["options"]["max_rounds"]
        self.round: int = state["round"]
        self.phase: str = state["phase"]
        self.ninja: int | None = state["ninja"]
        self.ninja_fresh: bool = state["ninja_fresh"]
        self.pool: Units = dict(state["pool"])
        self.provinces = {key: self._province(row) for key, row in state["provinces"].items()}
        self.clans = [self._clan(row) for row in state["clans"]]
        self.active: int | None = None
        self.declared_armies: dict[int, str] = {}
        self.declared_forces: dict[str, str] = {}
        self.winner: int | None = None
        self.reason: str | None = None

    @staticmethod
    def _province(row: dict[str, Any]) -> Province:
        units = {kind: row["units"][kind] for kind in (*SOLDIERS, "ronin")}
        moved = {kind: row["moved"][kind] for kind in SOLDIERS}
        return Province(row["owner"], row["fort"], units, row["hidden"], row["bonus_lost"], moved)

    @staticmethod
    def _clan(row: dict[str, Any]) -> Clan:
        armies = [Army(**army) for army in row["armies"]]
        tray = {kind: row["tray"][kind] for kind in SOLDIERS}
        return Clan(tray, armies, row["out"] > 0, row["koku"], dict(row["plan"]), row["sword"])

    def player(self, clan: int) -> int:
        """SW-TWO-01."""
        return clan // 2 if self.seats == 2 else clan

    def are_enemies(self, one: int, other: int) -> bool:
        """SW-TWO-04: different clans, and not allied."""
        return self.player(one) != self.player(other)

    def in_play(self) -> list[int]:
        """Clans that are not out."""
        return [number for number, clan in enumerate(self.clans) if not clan.out]

    def owned(self, clan: int) -> list[str]:
        """Provinces of a clan."""
        return [key for key, province in self.provinces.items() if province.owner == clan]

    def armies_at(self, clan: int, place: str) -> list[Army]:
        """Armies of a clan whose markers stand in a place."""
        return [army for army in self.clans[clan].armies if army.province == place]

    def army_of(self, place: str) -> Army | None:
        """The army of a province's owner there."""
        owner = self.provinces[place].owner
        armies = [] if owner is None else self.armies_at(owner, place)
        return armies[0] if armies else None

    def is_held(self, place: str) -> bool:
        """Whether a regular unit stands there, on the board or in an army (SW-GEN-08)."""
        army = self.army_of(place)
        return regulars(self.provinces[place].units) > 0 or (army is not None and regulars(army.units) > 0)

    def is_enemy(self, clan: int, place: str) -> bool:
        """SW-GEN-08, SW-R-82."""
        owner = self.provinces[place].owner
        return owner is not None and self.are_enemies(clan, owner)

    def is_empty(self, place: str) -> bool:
        """SW-GEN-08."""
        return self.provinces[place].owner is None

    def bonus(self, place: str) -> int:
        """Bonus units that are left in this war turn (SW-FORT-01, SW-FORT-03)."""
        return BONUS[self.provinces[place].fort] - self.provinces[place].bonus_lost

    def daimyo(self, clan: int) -> list[int]:
        """Numbers of the armies whose daimyo is in play and not assassinated (SW-R-40)."""
        armies = self.clans[clan].armies
        return [number for number, army in enumerate(armies) if army.province and not army.disrupted]

    def has_army(self, clan: int) -> bool:
        """Whether a daimyo is left, an assassinated one with units too (SW-R-67)."""
        return any(army.province for army in self.clans[clan].armies)

    def vacate(self, place: str) -> None:
        """A province becomes empty; its ronin go back to the pool (SW-WAR-C-07, SW-R-34)."""
        province = self.provinces[place]
        self.pool["ronin"] += province.units["ronin"] + province.hidden
        province.owner = None
        province.hidden = 0
        province.units = dict.fromkeys(province.units, 0)
        province.moved = dict.fromkeys(SOLDIERS, 0)

    def conquer(self, clan: int, place: str) -> None:
        """SW-GEN-10, SW-WAR-C-16, SW-WIN-02."""
        self.provinces[place].owner = clan
        self.check_victory(clan)

    def check_victory(self, clan: int) -> None:
        """SW-WIN-01; SW-LONG-01 and SW-TWO-06 look only at the end of a round."""
        if self.seats > 2 and not self.long_game and len(self.owned(clan)) >= 35:
            self.end("provinces", self.player(clan))

    def check_end_of_round(self) -> None:
        """SW-TWO-06, SW-LONG-01."""
        for player in range(self.seats):
            owned = sum(len(self.owned(c)) for c in range(len(self.clans)) if self.player(c) == player)
            if (self.seats == 2 and owned >= 50) or (self.seats > 2 and self.long_game and owned >= 35):
                self.end("provinces", player)

    def check_last_player(self) -> None:
        """SW-R-80."""
        left = {self.player(clan) for clan in self.in_play()}
        if len(left) == 1:
            self.end("last_player", left.pop())
        if not left:
            self.end("nobody_left", None)

    def end(self, reason: str, winner: int | None) -> None:
        """Ends the match."""
        self.reason, self.winner = reason, winner
        raise GameOver

    def lose_army(self, clan: int, number: int) -> None:
        """SW-ELIM-01. A new object takes its place: a recovered army is not the old one (SW-R-92)."""
        self.pool["ronin"] += self.clans[clan].armies[number].units["ronin"]
        self.clans[clan].armies[number] = Army()
        if clan == self.active:
            self.declared_armies.pop(number, None)

    def lose_units(self, clan: int, units: Units, losses: Units) -> None:
        """SW-CASUALTY-07."""
        for kind, count in losses.items():
            units[kind] -= count
            if kind in SOLDIERS:
                self.clans[clan].tray[kind] += count
            elif kind == "ronin":
                self.pool["ronin"] += count

    def check_ronin(self, clan: int) -> None:
        """SW-R-31, in all provinces of a clan."""
        for place in self.owned(clan):
            province = self.provinces[place]
            forces = [army.units for army in self.armies_at(clan, place)] + [province.units]
            for units in forces:
                excess = max(0, units["ronin"] - ronin_limit(units))
                units["ronin"] -= excess
                self.pool["ronin"] += excess
            if province.hidden > sum(ronin_room(units) for units in forces):
                for units in forces:
                    self.reveal(place, units, ronin_room(units))
                self.pool["ronin"] += province.hidden
                province.hidden = 0

    def reveal(self, place: str, units: Units, count: int) -> None:
        """Ronin of a stack join a force (SW-RONIN-07)."""
        units["ronin"] += count
        self.provinces[place].hidden -= count

    def return_ronin(self) -> None:
        """Action 8 (SW-ROUND-01)."""
        for province in self.provinces.values():
            self.pool["ronin"] += province.units["ronin"] + province.hidden
            province.units["ronin"] = province.hidden = 0
        for clan in self.clans:
            for army in clan.armies:
                self.pool["ronin"] += army.units["ronin"]
                army.units["ronin"] = 0

    def clear_moved(self) -> None:
        """A phase begins or ends (SW-S-07, SW-S-14)."""
        for province in self.provinces.values():
            province.moved = dict.fromkeys(SOLDIERS, 0)
        for clan in self.clans:
            for army in clan.armies:
                army.moved = False

    def clear_bonus(self) -> None:
        """SW-FORT-03, SW-FORT-04."""
        for province in self.provinces.values():
            province.bonus_lost = 0
