"""A slow, obvious model of a whole match of `swords`, written from the rule ledger alone.

The match is one long story told in the order of the rules; wherever somebody has to decide it stops with a
question. Chance is not drawn but read from the engine's log: the model says when dice are rolled, by whom and
how many, and complains when the log says something else.

It begins at a state of the engine: at the deal, at the start of Action 1, or at the start of Phase A of a
war turn. Whether a question with a single answer is asked, which the rules leave open, is taken from the
engine; so are the small questions into which it divides a decision. Everything else comes from the ledger.
"""

from __future__ import annotations

import tomllib
from collections.abc import Generator, Iterable
from contextlib import suppress
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


class GameOver(Exception):  # noqa: N818, it is no error
    """The match has ended."""


class TurnOver(Exception):  # noqa: N818, it is no error
    """The active clan is out of the game, so its war turn ends at once (SW-R-70)."""


class ModelError(AssertionError):
    """The log of the engine says something that the model does not expect."""


@dataclass
class Question:
    """Somebody has to decide."""

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
    """Regular units that are no daimyo."""
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
    """What lies on the table, and the rules that need no decision."""

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


class Model(Board):
    """The whole match as a story with questions."""

    def __init__(self, state: dict[str, Any]) -> None:
        super().__init__(state)
        self.chance: list[dict[str, Any]] = []
        self.question: Question | None = None
        self._story = self._tell(state["point"], state["turn"])
        self._go_on(None)

    # The outside: questions and answers.

    def legal_actions(self) -> list[Action]:
        """What whoever is asked may answer."""
        return [] if self.question is None else self.question.options

    def play(self, action: Action, log: Iterable[dict[str, Any]]) -> None:
        """Answers the question; `log` is what the engine says has happened since."""
        if action not in self.legal_actions():
            raise ModelError(f"{action} is not legal")
        self.chance = [event for event in log if event["event"] in CHANCE]
        self._go_on(action)
        if self.chance:
            raise ModelError(f"the engine drew more: {self.chance}")

    def _go_on(self, action: Action | None) -> None:
        try:
            self.question = self._story.send(action)  # type: ignore[arg-type]
        except StopIteration:
            self.question = None

    def _ask(self, clan: int, options: list[Action], always: bool = False) -> Play[Action]:
        """A decision with one choice is not asked, but where that would give a secret away (SW-R-88)."""
        if len(options) == 1 and not always:
            return options[0]
        return (yield Question(clan, options))

    def _has_cards(self, clan: int) -> bool:
        """Whether a clan has a face-down card anywhere, which everybody can see (SW-RONIN-09)."""
        return any(self.provinces[place].hidden > 0 for place in self.owned(clan))

    def _ask_amount(self, clan: int, amounts: Iterable[int], always: bool = False) -> Play[int]:
        action = yield from self._ask(clan, [("amount", {"amount": n}) for n in amounts], always)
        amount: int = action[1]["amount"]
        return amount

    # Chance.

    def _next_event(self, kind: str, **expected: object) -> dict[str, Any]:
        event = self.chance.pop(0) if self.chance else None
        if event is None or event["event"] != kind or any(event[k] != v for k, v in expected.items()):
            raise ModelError(f"expected {kind} {expected}, the engine has {event}")
        return event

    def _roll(self, role: str, step: int, count: int) -> int:
        """Rolls a side's dice of a step and counts hits (SW-RND-05)."""
        dice = self._next_event("dice", role=role, step=step)["dice"]
        if len(dice) != count:
            raise ModelError(f"{role} rolls {count} dice in step {step}, the engine {dice}")
        return sum(die <= STEPS[step][1] for die in dice)

    def _give_sword(self, clan: int, sword: int) -> None:
        mine = [event for event in self.chance if event["event"] == "sword" and event["clan"] == clan]
        if [event["sword"] for event in mine] != [sword]:
            raise ModelError(f"clan {clan} gets sword {sword}, the engine says {mine}")
        self.chance.remove(mine[0])
        self.clans[clan].sword = sword

    def _draw_swords(self, clans: list[int], swords: list[int]) -> None:
        """SW-RND-02, SW-RND-04."""
        for clan in clans:
            drawn = [e["sword"] for e in self.chance if e["event"] == "sword" and e["clan"] == clan]
            if len(drawn) != 1 or drawn[0] not in swords:
                raise ModelError(f"clan {clan} draws one of {swords}, the engine says {drawn}")
            swords.remove(drawn[0])
            self._give_sword(clan, drawn[0])

    # The story.

    def _tell(self, point: Any, turn: int) -> Play[None]:
        kind = point if isinstance(point, str) else next(iter(point))
        try:
            if kind == "divide":
                yield from self._divide()
            if kind in {"divide", "reinforce"}:
                yield from self._reinforce()
                self.round = 1
            elif kind == "choose_army" and self.phase == "a":
                yield from self._war(turn)
            elif kind != "plan":
                raise ModelError(f"the model cannot begin at {point}")
            while True:
                yield from self._actions()
                yield from self._war()
        except GameOver:
            return

    # Setup.

    def _divide(self) -> Play[None]:
        """SW-D-01, SW-TWO-03: both players' hands lie with their second clans until they are divided."""
        for player in range(2):
            for _ in range(17):
                hand = self.owned(2 * player + 1)
                action = yield from self._ask(2 * player, [("province", {"province": p}) for p in hand])
                self.provinces[action[1]["province"]].owner = 2 * player
        for province in self.provinces.values():
            assert province.owner is not None
            province.units["spear"] = 1
            self.clans[province.owner].tray["spear"] -= 1
        for number, clan in enumerate(self.clans):
            clan.koku = len(self.owned(number)) // 3
        self._draw_swords([0, 1, 2, 3], [1, 2, 3, 4])

    def _reinforce(self) -> Play[None]:
        order = self._sword_order()
        for _ in range(6):  # SW-D-02
            for clan in order:
                places = [p for p in self.owned(clan) if self.provinces[p].units["spear"] == 1]
                action = yield from self._ask(clan, [("province", {"province": p}) for p in places])
                self.provinces[action[1]["province"]].units["spear"] += 2
                self.clans[clan].tray["spear"] -= 2
        for number in range(3):  # SW-D-03
            for clan in order:
                places = [p for p in self.owned(clan) if self.army_of(p) is None]
                action = yield from self._ask(clan, [("province", {"province": p}) for p in places])
                self.clans[clan].armies[number].province = action[1]["province"]
        for clan in order:
            self.clans[clan].sword = 0  # SW-SETUP-09

    def _sword_order(self) -> list[int]:
        return sorted(self.in_play(), key=lambda clan: self.clans[clan].sword)

    # Actions 1 to 6.

    def _actions(self) -> Play[None]:
        self.phase = "none"
        yield from self._plan()
        yield from self._swords()
        yield from self._build()
        yield from self._levy()
        yield from self._ronin()
        self._hire_ninja()
        yield from self._window()  # SW-NW-01

    def _plan(self) -> Play[None]:
        holder = self.ninja
        for clan in self.in_play():
            if clan != holder:
                yield from self._plan_of(clan)
        if holder is not None:
            others = [clan for clan in self.in_play() if self.are_enemies(holder, clan)]
            yield from self._ask(holder, [PASS] + [("clan", {"clan": clan}) for clan in others])  # SW-D-04
            yield from self._plan_of(holder)
            self.ninja = None  # SW-PLAN-05

    def _spend(self, box: str) -> None:
        """SW-PLAN-06: koku go back in the action they were meant for."""
        for clan in self.clans:
            clan.koku -= clan.plan[box]

    def _plan_of(self, number: int) -> Play[None]:
        """SW-D-05. As many answers as boxes, whatever they are: a plan is secret."""
        clan = self.clans[number]
        left = clan.koku
        for box in PLAN[:4]:
            amounts = [n for n in (0, 2) if n <= left] if box == "build" else list(range(left + 1))
            clan.plan[box] = yield from self._ask_amount(number, amounts, always=True)
            left -= clan.plan[box]
        clan.plan["ninja"] = left  # SW-PLAN-01: every koku must be placed

    def _swords(self) -> Play[None]:
        self._spend("swords")
        clans = self.in_play()
        swords = list(range(1, len(clans) + 1))  # SW-R-19
        bids = {clan: self.clans[clan].plan["swords"] for clan in clans}
        for bid in sorted({bid for bid in bids.values() if bid > 0}, reverse=True):  # SW-SWORD-02
            group = [clan for clan in clans if bids[clan] == bid]
            while group:  # SW-R-18
                wishes: dict[int, int] = {}
                for clan in group:
                    action = yield from self._ask(clan, [("sword", {"sword": s}) for s in swords])
                    wishes[clan] = action[1]["sword"]
                for sword in sorted(set(wishes.values())):
                    claimants = [clan for clan in group if wishes[clan] == sword]
                    winner = claimants[0] if len(claimants) == 1 else self._contested(claimants, sword)
                    self._give_sword(winner, sword)
                    swords.remove(sword)
                group = [clan for clan in group if self.clans[clan].sword == 0]
        self._draw_swords([clan for clan in clans if bids[clan] == 0], swords)  # SW-SWORD-04

    def _contested(self, claimants: list[int], sword: int) -> int:
        """SW-RND-03."""
        winners = [e["clan"] for e in self.chance if e["event"] == "sword" and e["sword"] == sword]
        if len(winners) != 1 or winners[0] not in claimants:
            raise ModelError(f"one of {claimants} gets sword {sword}, the engine says {winners}")
        winner: int = winners[0]
        return winner

    def _build(self) -> Play[None]:
        self._spend("build")
        wishes: dict[int, str] = {}
        for clan in self.in_play():
            sites = [p for p in self.owned(clan) if self.provinces[p].fort != "fortress"]
            if self.clans[clan].plan["build"] == 2:  # SW-D-08
                action = yield from self._ask(clan, [PASS] + [("province", {"province": p}) for p in sites])
                if action != PASS:
                    wishes[clan] = action[1]["province"]
        for clan in self._sword_order():  # SW-BUILD-02
            if clan in wishes:
                province = self.provinces[wishes[clan]]
                piece, fort = ("castles", "castle") if province.fort == "none" else ("bases", "fortress")
                if self.pool[piece] > 0:
                    self.pool[piece] -= 1
                    province.fort = fort

    def _levy(self) -> Play[None]:
        self._spend("levy")
        bought: dict[int, Units] = {}
        for clan in self.in_play():
            bought[clan] = dict.fromkeys(SOLDIERS, 0)
            if soldiers(self.clans[clan].tray) == 0:  # everybody sees that
                continue
            for _ in range(self.clans[clan].plan["levy"]):  # SW-D-09
                yield from self._buy(clan, bought[clan])
        placed: list[tuple[int, str, str, bool]] = []
        for clan in self.in_play():
            for kind in SOLDIERS:
                for _ in range(bought[clan][kind]):  # SW-D-10
                    action = yield from self._ask(clan, self._levy_places(clan, kind, placed), always=True)
                    if action != PASS:
                        placed.append((clan, kind, action[1]["province"], action[0] == "into_army"))
        for clan, kind, place, into_army in placed:
            self.clans[clan].tray[kind] -= 1
            units = self.provinces[place].units
            if into_army:
                army = self.army_of(place)
                assert army is not None
                units = army.units
            units[kind] += 1

    def _buy(self, clan: int, bought: Units) -> Play[None]:
        left = {kind: self.clans[clan].tray[kind] - bought[kind] for kind in SOLDIERS}
        bundles = [b for b in BUNDLES if all(left[kind] >= n for kind, n in b.items())]  # SW-R-24
        action = yield from self._ask(clan, [("bundle", {"units": b}) for b in bundles], always=True)
        for kind, count in action[1]["units"].items():
            bought[kind] += count

    def _levy_places(self, clan: int, kind: str, placed: list[tuple[int, str, str, bool]]) -> list[Action]:
        options = [PASS]
        for place in self.owned(clan):
            if all(other != place for _, _, other, _ in placed):  # SW-LEVY-03
                if regulars(self.provinces[place].units) < PROV_MAX:
                    options.append(("province", {"province": place}))
                army = self.army_of(place)
                if army is not None and fits(army, kind):
                    options.append(("into_army", {"province": place}))
        return options

    def _ronin(self) -> Play[None]:
        self._spend("ronin")
        hired_by: dict[int, int] = {}
        for clan in self._sword_order():  # SW-RONIN-02
            hired = min(2 * self.clans[clan].plan["ronin"], self.pool["ronin"])
            self.pool["ronin"] -= hired
            hired_by[clan] = hired
        unplaced = 0
        for clan in self.in_play():
            if not any(self._takes_ronin(place) for place in self.owned(clan)):  # everybody sees that
                unplaced += hired_by[clan]
                continue
            for _ in range(hired_by[clan]):  # SW-D-11
                places = [place for place in self.owned(clan) if self._takes_ronin(place)]
                options = [PASS] + [("province", {"province": place}) for place in places]
                action = yield from self._ask(clan, options, always=True)
                if action == PASS:
                    unplaced += 1
                else:
                    self.provinces[action[1]["province"]].hidden += 1
        self.pool["ronin"] += unplaced  # SW-R-30

    def _takes_ronin(self, place: str) -> bool:
        """SW-RONIN-04."""
        army = self.army_of(place)
        limit = ronin_limit(self.provinces[place].units) + (ronin_limit(army.units) if army else 0)
        return self.provinces[place].hidden < limit

    def _hire_ninja(self) -> None:
        """SW-NINJA-01."""
        self._spend("ninja")
        bids = {clan: self.clans[clan].plan["ninja"] for clan in self.in_play()}
        best = [clan for clan, bid in bids.items() if bid == max(bids.values()) and bid > 0]
        if len(best) == 1:
            self.ninja, self.ninja_fresh = best[0], True

    # The ninja.

    def _window(self) -> Play[None]:
        """SW-D-12 at any of SW-NW-01..13."""
        holder = self.ninja
        if holder is None or not self.ninja_fresh or self.round < 2:  # SW-NINJA-03
            return
        enemies = [clan for clan in self.in_play() if self.are_enemies(holder, clan)]
        action = yield from self._ask(holder, [PASS, *self._daimyo_of(enemies)])
        if action == PASS:
            return
        self.ninja = None
        victim, number = action[1]["clan"], action[1]["army"] - 1
        die = self._next_event("assassination", clan=holder, on=victim, army=number + 1)["die"]
        if die <= 8:
            yield from self._assassinate(victim, number, holder)
        elif self._next_event("revenge", clan=victim, on=holder)["die"] >= 9:  # SW-NINJA-05
            targets = self._daimyo_of([holder])
            if targets:
                action = yield from self._ask(victim, targets)  # SW-D-13
                yield from self._assassinate(holder, action[1]["army"] - 1, victim)

    def _daimyo_of(self, clans: list[int]) -> list[Action]:
        return [("daimyo", {"clan": c, "army": number + 1}) for c in clans for number in self.daimyo(c)]

    def _assassinate(self, clan: int, number: int, by: int) -> Play[None]:
        army = self.clans[clan].armies[number]
        assert army.province is not None
        army.units["daimyo"] = 0
        if regulars(army.units) > 0:  # SW-NINJA-06
            army.disrupted = True
            return
        place = army.province  # SW-R-34
        self.lose_army(clan, number)
        if not self.is_held(place):
            self.vacate(place)
        if not self.has_army(clan):
            yield from self._eliminate(clan, by)

    # Elimination.

    def _eliminate(self, victim: int, by: int) -> Play[None]:
        for place in self.owned(victim):  # SW-ELIM-03, SW-R-69
            self.provinces[place].owner = by
        for kind in SOLDIERS:
            self.clans[by].tray[kind] += self.clans[victim].tray[kind]
        self._go_out(victim)
        turn_over = victim == self.active
        if turn_over:
            self._end_turn()  # SW-R-70
        self.check_victory(by)  # SW-ELIM-07
        self.check_last_player()
        self.check_ronin(by)  # SW-R-31
        for number, army in enumerate(self.clans[by].armies):  # SW-ELIM-05
            if army.province is None:
                yield from self._recover(by, number)
        if turn_over:
            raise TurnOver

    def _go_out(self, clan: int) -> None:
        self.clans[clan] = Clan(dict.fromkeys(SOLDIERS, 0), [Army(), Army(), Army()], out=True)
        if self.ninja == clan:
            self.ninja = None  # SW-R-41

    def _both_go_out(self, clans: list[int]) -> None:
        """SW-R-71."""
        for clan in clans:
            for place in self.owned(clan):
                self.vacate(place)
            self._go_out(clan)
        self.check_last_player()
        if self.active in clans:
            raise TurnOver

    def _recover(self, clan: int, number: int) -> Play[None]:
        places = [place for place in self.owned(clan) if self.army_of(place) is None]
        if not places:
            return  # SW-R-72
        action = yield from self._ask(clan, [("province", {"province": p}) for p in places])  # SW-D-26
        place = action[1]["province"]
        army = Army(place)
        army.units["daimyo"] = 1
        self.clans[clan].armies[number] = army
        picked = False
        while True:  # SW-D-27
            action = yield from self._ask(clan, [DONE, *self._pick_ups(army, picked)])
            if action == DONE:
                break
            self._pick_up(army, action[1]["unit"])
            picked = True
        if regulars(self.provinces[place].units) == 0:
            self.declared_forces.pop(place, None)  # SW-R-70
        self.check_ronin(clan)

    # War turns.

    def _war(self, resumed: int | None = None) -> Play[None]:
        for sword in range(1 if resumed is None else resumed, 6):
            holders = [clan for clan in self.in_play() if self.clans[clan].sword == sword]
            if holders:
                with suppress(TurnOver):
                    yield from self._war_turn(holders[0], sword == resumed)
                self._end_turn()
        yield from self._window()  # SW-NW-13
        self.return_ronin()
        for clan in self.in_play():  # SW-ROUND-02
            self.clans[clan].koku = max(3, len(self.owned(clan)) // 3)
        self.check_end_of_round()
        for clan in self.in_play():  # SW-NINJA-08, SW-EXP-06
            for army in self.clans[clan].armies:
                if army.disrupted:
                    army.disrupted = False
                    army.hole = 0
                    army.units["daimyo"] = 1
        if self.round >= self.max_rounds:
            self.end("round_limit", None)  # SW-R-81
        for clan in self.in_play():  # SW-ROUND-04
            self.clans[clan].sword = 0
            self.clans[clan].plan = dict.fromkeys(PLAN, 0)
        self.ninja_fresh = False
        self.round += 1

    def _end_turn(self) -> None:
        self.active, self.phase = None, "none"
        self.declared_armies, self.declared_forces = {}, {}  # SW-WAR-D-09
        self.clear_moved()
        self.clear_bonus()

    def _war_turn(self, clan: int, resumed: bool) -> Play[None]:
        self.active = clan
        self.phase = "a"
        if not resumed:
            self.clear_moved()
            yield from self._window()  # SW-NW-02
        yield from self._move_armies(clan)
        self.check_ronin(clan)
        self.clear_moved()
        self.phase = "b"
        yield from self._declare(clan)
        yield from self._window()  # SW-NW-04
        self.phase = "c"
        yield from self._fight_all(clan)
        self.phase = "d"
        yield from self._window()  # SW-NW-11
        yield from self._move_armies(clan)
        yield from self._move_forces(clan)
        self.check_ronin(clan)

    # Phases A and D: armies.

    def _move_armies(self, clan: int) -> Play[None]:
        must: int | None = None
        while True:
            movable = [n for n in self.daimyo(clan) if not self.clans[clan].armies[n].moved]
            options = [DONE] + [("army", {"army": n + 1}) for n in movable]
            if must is not None:  # SW-R-44
                options = [("army", {"army": must + 1})]
            action = yield from self._ask(clan, options)  # SW-D-14, SW-D-28
            if action == DONE:
                return
            must = yield from self._move_army(clan, action[1]["army"] - 1)
            if must is None:
                yield from self._window()  # SW-NW-03, SW-NW-12

    def _move_army(self, clan: int, number: int) -> Play[int | None]:
        """SW-D-15. Gives the army that must be moved next, if this one has stopped on it."""
        army = self.clans[clan].armies[number]
        steps, picked = army.level, False
        while True:
            assert army.province is not None
            options = self._pick_ups(army, picked)
            if self._may_stop(clan, army, army.province):
                options.append(STOP)
            if self.phase == "d" and soldiers(army.units) > 0:  # SW-WAR-D-03
                empty = [place for place in NEAR[army.province] if self.is_empty(place)]
                options += [("province", {"province": place}) for place in empty]
            if steps > 0:
                options += self._steps(clan, army, steps)
            # Whether a stack lies here must not show (SW-R-88).
            action = yield from self._ask(clan, options, always=STOP not in options and self._has_cards(clan))
            if action == STOP:
                break
            if action[0] == "from_province":
                self._pick_up(army, action[1]["unit"])
                picked = True
            elif action[0] == "province":
                yield from self._detach(clan, army, action[1]["province"])
                picked = False  # ronin are taken over together with units, not later
            else:
                yield from self._leave(clan, army, action[1]["to"], action[1]["hidden"])
                steps, picked = steps - 1, False
        army.moved = True
        others = [n for n, a in enumerate(self.clans[clan].armies) if a.province == army.province]
        others.remove(number)
        return others[0] if others else None

    def _pick_ups(self, army: Army, picked: bool) -> list[Action]:
        """SW-WAR-A-06; ronin only with units (SW-R-45)."""
        assert army.province is not None
        province = self.provinces[army.province]
        kinds = [k for k in SOLDIERS if province.units[k] > province.moved[k] and fits(army, k)]  # SW-R-91
        if picked and province.units["ronin"] > 0:
            kinds.append("ronin")
        return [("from_province", {"unit": kind}) for kind in kinds]

    def _pick_up(self, army: Army, kind: str) -> None:
        assert army.province is not None
        self.provinces[army.province].units[kind] -= 1
        army.units[kind] += 1

    def _enterable(self, clan: int, place: str) -> bool:
        """SW-WAR-A-02, SW-WAR-D-02."""
        owner = self.provinces[place].owner
        return owner == clan or (owner is None and self.phase == "d")

    def _steps(self, clan: int, army: Army, steps: int) -> list[Action]:
        place = army.province
        assert place is not None
        if not self._can_leave(clan, army):
            return []
        return [
            ("step", {"to": to, "hidden": hidden})
            for to in NEAR[place]
            if self._enterable(clan, to) and self._can_finish(clan, army, to, steps - 1)
            for hidden in range(self.provinces[place].hidden + 1)
        ]

    def _is_left_held(self, clan: int, army: Army) -> bool:
        """Whether the province stays held without the army (SW-WAR-A-05, SW-R-43)."""
        assert army.province is not None
        others = [other for other in self.armies_at(clan, army.province) if other is not army]
        return regulars(self.provinces[army.province].units) > 0 or bool(others)

    def _can_leave(self, clan: int, army: Army) -> bool:
        """SW-R-44: a lone daimyo cannot leave a garrison."""
        return self._is_left_held(clan, army) or soldiers(army.units) > 0

    def _may_stop(self, clan: int, army: Army, place: str) -> bool:
        """SW-WAR-A-03, SW-R-44."""
        others = [other for other in self.armies_at(clan, place) if other is not army]
        if not others:
            return True
        other = others[0]
        if other.moved or other.disrupted:
            return False
        third = {a.province for a in self.clans[clan].armies if a is not army and a is not other}
        return self._can_get_away(clan, place, other.level, third | {place})

    def _can_get_away(self, clan: int, place: str, steps: int, taken: set[str | None]) -> bool:
        """Whether an army can go from a place to a province without an army."""
        ways = [to for to in NEAR[place] if self._enterable(clan, to)] if steps > 0 else []
        return any(to not in taken or self._can_get_away(clan, to, steps - 1, taken) for to in ways)

    def _can_finish(self, clan: int, army: Army, place: str, steps: int) -> bool:
        """SW-R-44: whether an army that comes to a place with steps left can stop somewhere."""
        if self._may_stop(clan, army, place):
            return True
        ways = [to for to in NEAR[place] if self._enterable(clan, to)] if steps > 0 else []
        return any(self._can_finish(clan, army, to, steps - 1) for to in ways)

    def _detach(self, clan: int, army: Army, to: str) -> Play[None]:
        """SW-WAR-D-03, SW-R-73."""
        for count in range(PROV_MAX):
            action = yield from self._ask(clan, self._detachable(army, count))
            if action == DONE:
                return
            self._drop(army, to, action[1]["unit"])
            if count == 0:
                self.conquer(clan, to)

    @staticmethod
    def _detachable(army: Army, count: int) -> list[Action]:
        options: list[Action] = [("from_army", {"unit": k}) for k in SOLDIERS if army.units[k] > 0]
        return [*options, DONE] if count > 0 else options

    def _drop(self, army: Army, place: str, kind: str) -> None:
        army.units[kind] -= 1
        self.provinces[place].units[kind] += 1
        if self.phase in {"a", "d"}:
            self.provinces[place].moved[kind] += 1  # SW-S-07

    def _leave(self, clan: int, army: Army, to: str, hidden: int) -> Play[None]:
        """A step: garrison (SW-WAR-A-05), ronin (SW-R-45), arrival."""
        place = army.province
        assert place is not None
        if not self._is_left_held(clan, army):
            for count in range(PROV_MAX):
                action = yield from self._ask(clan, self._detachable(army, count))
                if action == DONE:
                    break
                self._drop(army, place, action[1]["unit"])
        province = self.provinces[place]
        remains = regulars(province.units) > 0
        stay = 0
        if remains:
            stay = yield from self._ask_amount(clan, range(army.units["ronin"] + 1))
        army.units["ronin"] += hidden - stay
        province.units["ronin"] += stay
        others = [other for other in self.armies_at(clan, place) if other is not army]
        if hidden > 0:
            yield from self._leave_rest(clan, place, hidden, others)
        army.province = to
        if self.is_empty(to):
            self.conquer(clan, to)

    def _leave_rest(self, clan: int, place: str, hidden: int, others: list[Army]) -> Play[None]:
        """Part of a stack goes along; the rest joins the force left behind, or is divided (SW-R-45)."""
        province = self.provinces[place]
        rest = province.hidden - hidden
        province.hidden = 0
        to_army = rest if others else 0
        if others and regulars(province.units) > 0:
            to_army = yield from self._ask_amount(clan, range(rest + 1))
        province.units["ronin"] += rest - to_army
        if others:
            others[0].units["ronin"] += to_army

    # Phase B.

    def _declare(self, clan: int) -> Play[None]:
        """SW-D-16."""
        while True:
            targets: dict[str, tuple[Action, list[str]]] = {}
            for number in self.daimyo(clan):
                army = self.clans[clan].armies[number]
                assert army.province is not None
                if number not in self.declared_armies:
                    aims = self._targets(clan, army.province, army.level > 1)
                    targets[f"army {number}"] = (("army", {"army": number + 1}), aims)
            for place in self.owned(clan):
                if place not in self.declared_forces and regulars(self.provinces[place].units) > 0:
                    aims = self._targets(clan, place, empty=False)
                    targets[place] = (("province", {"province": place}), aims)
            options = [action for action, aims in targets.values() if aims]
            action = yield from self._ask(clan, [DONE, *options])
            if action == DONE:
                return
            aims = next(aims for a, aims in targets.values() if a == action)
            aim = yield from self._ask(clan, [("province", {"province": p}) for p in aims])
            if action[0] == "army":
                self.declared_armies[action[1]["army"] - 1] = aim[1]["province"]
            else:
                self.declared_forces[action[1]["province"]] = aim[1]["province"]

    def _targets(self, clan: int, place: str, empty: bool) -> list[str]:
        """SW-WAR-B-01, SW-WAR-B-05, SW-TWO-07."""
        shy = self.round == 1 and not (self.seats == 2 and self.early_attacks)
        enemies = [
            to for to in NEAR[place] if self.is_enemy(clan, to) and not (shy and self.army_of(to) is not None)
        ]
        return enemies + [to for to in NEAR[place] if empty and self.is_empty(to)]

    # Phase C: which battles.

    def _fight_all(self, clan: int) -> Play[None]:
        while True:
            self._drop_dead_attacks(clan)
            options: list[Action] = [("army", {"army": n + 1}) for n in self.declared_armies]
            options += [("province", {"province": place}) for place in self.declared_forces]
            if not options:
                return
            action = yield from self._ask(clan, options)  # SW-D-17
            if action[0] == "army":
                yield from self._army_attacks(clan, action[1]["army"] - 1)
            else:
                place = action[1]["province"]
                target = self.declared_forces.pop(place)
                outcome = yield from self._attack(Attacker(clan, place), target)
                if outcome not in {"empty", "friendly"}:
                    yield from self._window()  # SW-NW-10

    def _drop_dead_attacks(self, clan: int) -> None:
        """SW-D-17: what can only lapse, and what is not fought (SW-NINJA-07, SW-R-70)."""
        for number, target in list(self.declared_armies.items()):
            army = self.clans[clan].armies[number]
            if army.disrupted or (army.level == 1 and not self.is_enemy(clan, target)):
                del self.declared_armies[number]
        for place, target in list(self.declared_forces.items()):
            gone = self.provinces[place].owner != clan or regulars(self.provinces[place].units) == 0
            if gone or not self.is_enemy(clan, target):
                del self.declared_forces[place]

    def _army_attacks(self, clan: int, number: int) -> Play[None]:
        """ATTACKS OF A FORCE, for an army."""
        army = self.clans[clan].armies[number]
        assert army.province is not None
        attacker = Attacker(clan, army.province, number, army)
        target: str | None = self.declared_armies.pop(number)
        level = attacks = army.level
        success = False
        barred: set[str] = set()
        while target is not None:
            attacks -= 1
            outcome = yield from self._attack(attacker, target)
            if outcome == "won":
                success = True
            if outcome == "called_off":
                barred.add(target)  # SW-WAR-C-14
            if outcome not in {"empty", "friendly"}:
                yield from self._window()  # SW-NW-10, after a battle
            if level < 2 or not self._goes_on(attacker):
                break
            moved = False
            if outcome in {"won", "empty", "broken"} and attacks > 0 and self.is_empty(target):
                moved = yield from self._conquest(attacker, target)
            if moved or outcome in {"empty", "friendly"}:
                yield from self._window()  # SW-NW-10, after a conquest move or an attack without a battle
            if attacks == 0 or not self._goes_on(attacker):
                break
            target = yield from self._next_target(attacker, barred)
        if success and self._goes_on(attacker):
            army.hole = min(9, army.hole + 1)  # SW-EXP-03, SW-R-65

    def _goes_on(self, attacker: Attacker) -> bool:
        """Whether an attacking force is still there and may attack (SW-R-36)."""
        if attacker.army is None:
            province = self.provinces[attacker.place]
            return province.owner == attacker.clan and regulars(province.units) > 0
        assert attacker.number is not None
        here = self.clans[attacker.clan].armies[attacker.number] is attacker.army
        return here and not attacker.army.disrupted

    def _next_target(self, attacker: Attacker, barred: set[str]) -> Play[str | None]:
        """SW-D-24."""
        places = [
            place
            for place in NEAR[attacker.place]
            if place not in barred and (self.is_empty(place) or self.is_enemy(attacker.clan, place))
        ]
        options = [STOP] + [("province", {"province": place}) for place in places]
        action = yield from self._ask(attacker.clan, options)
        return None if action == STOP else action[1]["province"]

    def _conquest(self, attacker: Attacker, target: str) -> Play[bool]:
        """SW-D-23, SW-D-25."""
        army = attacker.army
        assert army is not None
        if not self._can_leave(attacker.clan, army):
            return False
        stack = self.provinces[attacker.place].hidden
        options = [PASS] + [("step", {"to": target, "hidden": n}) for n in range(stack + 1)]
        action = yield from self._ask(attacker.clan, options)
        if action == PASS:
            return False
        yield from self._leave(attacker.clan, army, target, action[1]["hidden"])
        attacker.place = target
        self.check_ronin(attacker.clan)  # SW-R-31
        return True

    # Phase C: one attack.

    def _attack(self, attacker: Attacker, target: str) -> Play[str]:
        """Gives how it ended.

        won, called_off, lost (no attacker left), stopped (SW-R-36), broken (SW-R-90, after the first die);
        or, if nobody fought, empty or friendly (SW-R-53).
        """
        outcome = self._judge(attacker, target)
        if outcome is None:
            yield from self._window()  # SW-NW-05
            outcome = self._judge(attacker, target)
        if outcome is None:
            yield from self._reveal_attacker(attacker)
            yield from self._reveal_defender(target)
            yield from self._window()  # SW-NW-06
            outcome = self._judge(attacker, target)
        if outcome is None:
            outcome = yield from self._battle(attacker, target)
        return outcome

    def _judge(self, attacker: Attacker, target: str) -> str | None:
        """SW-R-53, and again before the first die (SW-R-90)."""
        if attacker.army is not None and attacker.army.disrupted:
            return "stopped"
        if not self._goes_on(attacker):
            return "lost"
        if self.is_enemy(attacker.clan, target):
            return None
        return "empty" if self.is_empty(target) else "friendly"

    def _reveal_attacker(self, attacker: Attacker) -> Play[None]:
        """SW-D-18, SW-R-28, SW-R-31."""
        province = self.provinces[attacker.place]
        stack = province.hidden
        army = self.army_of(attacker.place)
        if army is None or regulars(province.units) == 0:
            units = province.units if army is None else army.units
            joining = min(stack, ronin_room(units))
            self.reveal(attacker.place, units, joining)
            self.pool["ronin"] += province.hidden
            province.hidden = 0
            return
        if not self._has_cards(attacker.clan):
            return
        other = army.units if attacker.army is None else province.units
        options = [PASS] if stack <= ronin_room(other) else []
        options += [("amount", {"amount": n}) for n in self._divisions(army.units, province.units, stack)]
        action = yield from self._ask(attacker.clan, options, always=True)
        if action != PASS:
            self._divide_stack(attacker.place, army, action[1]["amount"], ronin_room(province.units))

    def _reveal_defender(self, target: str) -> Play[None]:
        """SW-D-18, SW-R-31, SW-R-39."""
        province = self.provinces[target]
        assert province.owner is not None
        army = self.army_of(target)
        room = ronin_room(province.units)
        if province.hidden == 0:
            return
        if army is None:
            self.reveal(target, province.units, min(province.hidden, room))
            self.pool["ronin"] += province.hidden
            province.hidden = 0
            return
        amounts = self._divisions(army.units, province.units, province.hidden)
        if army.disrupted and province.hidden > room + ronin_room(army.units):
            amounts = [province.hidden - room]  # the part over the limit joins the disrupted army
        amount = yield from self._ask_amount(province.owner, amounts)
        self._divide_stack(target, army, amount, room)

    @staticmethod
    def _divisions(army: Units, force: Units, stack: int) -> list[int]:
        """How many of a stack can join the army (SW-R-27); what fits nowhere leaves (SW-R-31)."""
        if stack == 0:
            return []
        if stack >= ronin_room(army) + ronin_room(force):
            return [ronin_room(army)]
        return [n for n in range(stack + 1) if n <= ronin_room(army) and stack - n <= ronin_room(force)]

    def _divide_stack(self, place: str, army: Army, amount: int, room: int) -> None:
        province = self.provinces[place]
        self.reveal(place, army.units, amount)
        self.reveal(place, province.units, min(province.hidden, room))
        self.pool["ronin"] += province.hidden
        province.hidden = 0

    # Phase C: one battle.

    def _battle(self, attacker: Attacker, target: str) -> Play[str]:
        defender = self.provinces[target].owner
        assert defender is not None
        if frozenset((attacker.place, target)) in SEA:
            hits = self._roll_half(attacker, target, (1, 2, 4, 5, 6), first_strike=True)
            outcome = yield from self._casualties(attacker, target, defender, hits)
            if outcome is not None:
                return outcome
        while True:
            for steps in ((1, 2), (4, 5, 6)):
                hits = self._roll_half(attacker, target, steps)
                outcome = yield from self._casualties(attacker, target, defender, hits)
                if outcome is not None:
                    return outcome
            action = yield from self._ask(attacker.clan, [("continue", {}), ("call_off", {})])  # SW-D-22
            if action[0] == "call_off":
                return "called_off"

    def _forces(self, role: str, attacker: Attacker, target: str) -> dict[str, Units]:
        """The forces of a side by the names that casualties have."""
        if role == ATTACKER and attacker.army is not None:
            return {"from_army": attacker.army.units}
        if role == ATTACKER:
            return {"from_province": self.provinces[attacker.place].units}
        forces = {"from_province": self.provinces[target].units}
        army = self.army_of(target)
        if army is not None:
            forces["from_army"] = army.units
        return forces

    def _strength(self, role: str, attacker: Attacker, target: str) -> int:
        """Units of a side in the battle, bonus units included."""
        bonus = self.bonus(target) if role == DEFENDER else 0
        return bonus + sum(everybody(units) for units in self._forces(role, attacker, target).values())

    def _roll_half(
        self, attacker: Attacker, target: str, steps: Iterable[int], first_strike: bool = False
    ) -> dict[str, int]:
        """Hits of each side (SW-WAR-C-04, SW-R-51, SW-R-52); the first strike is SW-NAVAL-01."""
        hits = {ATTACKER: 0, DEFENDER: 0}
        for step in steps:
            for role, enemy in ((ATTACKER, DEFENDER), (DEFENDER, ATTACKER)):
                forces = self._forces(role, attacker, target).values()
                dice = sum(units.get(kind, 0) for units in forces for kind in STEPS[step][0])
                fort = self.provinces[target].fort
                if role == DEFENDER and not first_strike:  # SW-NAVAL-03
                    dice += self.bonus(target) if step == {"castle": 6, "fortress": 5}.get(fort) else 0
                if first_strike and role == ATTACKER:
                    continue
                if dice > 0 and hits[role] < self._strength(enemy, attacker, target):
                    hits[role] += self._roll(role, step, dice)
        return hits

    def _casualties(
        self, attacker: Attacker, target: str, defender: int, hits: dict[str, int]
    ) -> Play[str | None]:
        """Steps 3 and 7 and the window after them; gives how the battle ended if it did."""
        chosen: dict[str, dict[str, Units]] = {}
        bonus = min(hits[ATTACKER], self.bonus(target))  # SW-CASUALTY-04
        for role, clan in ((ATTACKER, attacker.clan), (DEFENDER, defender)):
            forces = self._forces(role, attacker, target)
            against = hits[DEFENDER] if role == ATTACKER else hits[ATTACKER] - bonus
            chosen[role] = yield from self._choose_losses(clan, forces, against)
        for role, clan in ((ATTACKER, attacker.clan), (DEFENDER, defender)):  # SW-CASUALTY-03
            for name, units in self._forces(role, attacker, target).items():
                self.lose_units(clan, units, chosen[role][name])
        self.provinces[target].bonus_lost += bonus
        outcome = self._bury(attacker, target, defender)
        yield from self._eliminate_after_battle(attacker.clan, defender)
        if outcome is None:
            outcome = self._broken(attacker, target, defender)
        if outcome is None:
            yield from self._window()  # SW-NW-07, SW-NW-08, SW-NW-09
            outcome = self._broken(attacker, target, defender)
        return outcome

    def _choose_losses(self, clan: int, forces: dict[str, Units], hits: int) -> Play[dict[str, Units]]:
        """SW-D-19, SW-D-20, SW-D-21: unit by unit."""
        left = {name: dict(units) for name, units in forces.items()}
        owed = min(hits, sum(everybody(units) for units in left.values()))
        asked = self._has_choice(left, owed)
        for _ in range(owed):
            options = self._next_losses(left)
            action = (yield from self._ask(clan, options, always=True)) if asked else options[0]
            left[action[0]][action[1]["unit"]] -= 1
        return {
            name: {kind: units[kind] - left[name][kind] for kind in units} for name, units in forces.items()
        }

    @staticmethod
    def _next_losses(left: dict[str, Units]) -> list[Action]:
        if sum(everybody(units) for units in left.values()) == 1:
            return [(name, {"unit": k}) for name, units in left.items() for k in units if units[k] > 0]
        return [  # SW-CASUALTY-05: a daimyo is the last of his side
            (name, {"unit": kind})
            for name, units in left.items()
            for kind in units
            if kind != "daimyo" and may_fall(units, kind)
        ]

    def _has_choice(self, left: dict[str, Units], owed: int) -> bool:
        """Whether somebody but a daimyo stays (SW-CASUALTY-05), and ever more than one kind may go."""
        left = {name: dict(units) for name, units in left.items()}
        if owed >= sum(everybody(units) - units.get("daimyo", 0) for units in left.values()):
            return False
        for _ in range(owed):
            options = self._next_losses(left)
            if len(options) > 1:
                return True
            name, args = options[0]
            left[name][args["unit"]] -= 1
        return False

    def _bury(self, attacker: Attacker, target: str, defender: int) -> str | None:
        """Takes away what has no unit left; gives how the battle ended if its dice ended it."""
        attackers = self._strength(ATTACKER, attacker, target)
        defenders = self._strength(DEFENDER, attacker, target)
        if attackers == 0 and attacker.number is not None:
            self.lose_army(attacker.clan, attacker.number)
        for number, army in enumerate(self.clans[defender].armies):
            if army.province == target and regulars(army.units) == 0:  # SW-NINJA-09
                self.lose_army(defender, number)
        if attackers == 0 and not self.is_held(attacker.place):
            self.vacate(attacker.place)  # SW-WAR-C-08
        if defenders == 0:
            self.vacate(target)  # SW-WAR-C-07
        if attackers == 0:
            return "lost"  # SW-R-56: nobody has won if both are gone
        return "won" if defenders == 0 else None

    def _eliminate_after_battle(self, attacker: int, defender: int) -> Play[None]:
        """SW-R-66, SW-R-71."""
        gone = [clan for clan in (attacker, defender) if not self.has_army(clan)]
        if len(gone) == 2:
            self._both_go_out(gone)
        elif gone == [defender]:
            yield from self._eliminate(defender, attacker)
        elif gone == [attacker]:
            yield from self._eliminate(attacker, defender)

    def _broken(self, attacker: Attacker, target: str, defender: int) -> str | None:
        """SW-R-36, SW-R-90, SW-R-92: a battle that ends otherwise than by its dice."""
        if attacker.army is not None and attacker.army.disrupted:
            return "stopped"
        if not self._goes_on(attacker):
            return "lost"
        return "broken" if self.provinces[target].owner != defender else None

    # Phase D: provincial forces.

    def _move_forces(self, clan: int) -> Play[None]:
        """SW-D-29."""
        while True:
            places = [p for p in self.owned(clan) if self._choosable(clan, p, dict.fromkeys(SOLDIERS, 0))]
            action = yield from self._ask(clan, [DONE] + [("province", {"province": p}) for p in places])
            if action == DONE:
                return
            yield from self._move_units(clan, action[1]["province"])

    def _choosable(self, clan: int, place: str, units: Units) -> list[str]:
        """Kinds of which one more can go along (SW-WAR-D-04, SW-WAR-D-06)."""
        province = self.provinces[place]
        staying = regulars(province.units) - soldiers(units)
        if self.army_of(place) is None and staying == 1:
            return []
        kinds = []
        for kind in SOLDIERS:
            more = {**units, kind: units[kind] + 1}
            free = province.units[kind] - province.moved[kind]  # SW-R-74
            if more[kind] <= free and any(self._has_room(clan, to, more) for to in NEAR[place]):
                kinds.append(kind)
        return kinds

    def _has_room(self, clan: int, to: str, units: Units) -> bool:
        """Whether all these units can enter a province (SW-WAR-D-05, SW-R-75)."""
        province = self.provinces[to]
        if province.owner not in {clan, None}:
            return False
        return bool(self._ways_in(to, units))

    def _ways_in(self, to: str, units: Units) -> list[Units]:
        """How many of each kind can go into the army there, the others joining the provincial force."""
        army = self.army_of(to)
        room = PROV_MAX - regulars(self.provinces[to].units)
        ways: list[Units] = [{}]
        for kind in SOLDIERS:
            most = units[kind] if army is not None else 0
            ways = [{**way, kind: n} for way in ways for n in range(most + 1)]
        good = []
        for way in ways:
            boxes = {"S": way["bow"] + way["sword"], "A": way["gun"] + way["spear"]}
            if army is not None:
                boxes["S"] += army.units["bow"] + army.units["sword"]
                boxes["A"] += army.units["gun"] + army.units["spear"]
            if all(boxes[b] <= BOX_SIZE[b] for b in boxes) and soldiers(units) - soldiers(way) <= room:
                good.append(way)
        return good

    def _move_units(self, clan: int, place: str) -> Play[None]:
        province = self.provinces[place]
        units = dict.fromkeys((*SOLDIERS, "ronin"), 0)
        while True:
            kinds = self._choosable(clan, place, units)
            if units["ronin"] < min(province.units["ronin"], soldiers(units) - 1):  # SW-R-76
                kinds.append("ronin")
            options: list[Action] = [("from_province", {"unit": kind}) for kind in kinds]
            if soldiers(units) > 0:
                most = min(province.hidden, soldiers(units) - 1 - units["ronin"])
                options += [
                    ("step", {"to": to, "hidden": hidden})
                    for to in NEAR[place]
                    if self._has_room(clan, to, units)
                    for hidden in range(most + 1)
                ]
            always = soldiers(units) > 0 and self._has_cards(clan)  # a stack here must not show (SW-R-88)
            action = yield from self._ask(clan, options, always)
            if action[0] == "step":
                break
            units[action[1]["unit"]] += 1
        yield from self._march(clan, place, units, action[1]["to"], action[1]["hidden"])

    def _march(self, clan: int, place: str, units: Units, to: str, hidden: int) -> Play[None]:
        source, goal = self.provinces[place], self.provinces[to]
        for kind, count in units.items():
            source.units[kind] -= count
        if hidden > 0:  # SW-R-76
            yield from self._leave_rest(clan, place, hidden, self.armies_at(clan, place))
        ways = self._ways_in(to, units)
        into = dict.fromkeys((*SOLDIERS, "ronin"), 0)
        for kind in SOLDIERS:
            into[kind] = yield from self._ask_amount(clan, sorted({way[kind] for way in ways}))
            ways = [way for way in ways if way[kind] == into[kind]]
        ronin = units["ronin"] + hidden
        least = 0 if soldiers(units) > soldiers(into) else ronin
        most = ronin if soldiers(into) > 0 else 0
        into["ronin"] = yield from self._ask_amount(clan, range(least, most + 1))
        army = self.army_of(to)
        for kind in (*SOLDIERS, "ronin"):
            joining = units[kind] + (hidden if kind == "ronin" else 0) - into[kind]
            goal.units[kind] += joining
            if kind in SOLDIERS:
                goal.moved[kind] += joining
            if army is not None:
                army.units[kind] += into[kind]
        if self.is_empty(to):
            self.conquer(clan, to)
