"""The state of a match of `battles`, and the rules that every part of the game needs.

Written from the rule ledger alone. A rule with a decision is a generator: a question is a `yield`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from differential.model_battles_board import (
    SIDES,
    TERRAIN,
    TOP,
    Leader,
    Scenario,
    Terrain,
    Unit,
    distance,
    near,
    rear,
    sections,
)
from differential.model_battles_decks import COMMAND, DRAGON, TWICE

T = TypeVar("T")
Option = tuple[Any, ...]
"""A choice: its name, then what it is about."""

FACES = "CTSFHX"  # BT-COMP-02
TOKENS = 30
PASS: Option = ("pass",)


class Chance(Protocol):
    """Where random numbers come from."""

    def below(self, sides: int) -> int:
        """The next number in `0..sides`."""


@dataclass
class Question:
    """A decision of a side and its options."""

    side: int
    point: str
    options: list[Option]


Play = Generator[Question, Option, T]


class BattleOver(Exception):  # noqa: N818, not an error
    """A battle has been decided (BT-VICTORY-01)."""

    def __init__(self, winner: int | None, reason: str) -> None:
        super().__init__(winner, reason)
        self.winner, self.reason = winner, reason


@dataclass
class Hand:
    """The cards, honor and banners of a player."""

    command: list[str] = field(default_factory=list)
    dragon: list[str] = field(default_factory=list)
    honor: int = 0
    banners: int = 0
    """Permanent ones (BT-VICTORY-02)."""
    turns: int = 0
    last: Effective | None = None
    """The effective command card of his last turn (BT-CMD-11)."""
    dragon_played: bool = False
    stolen: str | None = None
    """The card taken by Ninja Thief that may still be played this turn (BT-DRAGON-33)."""


@dataclass(frozen=True)
class Effective:
    """A command card as it is carried out: what it is, and its section slots (BT-CMD-11)."""

    card: str
    slots: tuple[tuple[str, int | None], ...] = ()
    """Sections with their numbers of orders; None is the command of the player."""

    @property
    def family(self) -> str:
        """The card without its section: Order One Unit Left is `ONE`."""
        return self.card.split("-")[1]


@dataclass
class Mark:
    """A unit that is worth temporary banners as long as it stays (BT-SCEN-06)."""

    unit: Unit
    side: int
    flags: int
    holds: Callable[[Unit], bool]


class Table:
    """State, and what needs no or few decisions."""

    def __init__(self, battle: Scenario, chance: Chance) -> None:
        self.scenario, self.chance = battle, chance
        self.draws = 0
        self.terrain: list[str] = list(battle.terrain)
        self.units: list[Unit] = list(battle.units)
        self.leaders: list[Leader] = list(battle.leaders)
        self.tents = dict(battle.tents)
        self.hands = [Hand(), Hand()]
        self.command_deck: list[str] = []
        self.command_pile: list[str] = []
        self.dragon_deck: list[str] = []
        self.dragon_pile: list[str] = []
        self.pool = TOKENS
        self.on_cards = 0
        self.in_play: list[str] = []
        self.active = TOP
        self.captured: set[str] = set()
        self.marks: list[Mark] = []
        self.heights: int | None = None
        """Who has the banner of the hill majority (BT-SCEN-17)."""
        self.new_turn()

    def new_turn(self) -> None:
        """Forgets what holds for one turn only."""
        for unit in self.units:
            unit.rest()
        for leader in self.leaders:
            leader.rest()
        for hand in self.hands:
            hand.dragon_played, hand.stolen = False, None
        self.card_in_play: str | None = None
        self.effective: Effective | None = None
        self.first_strikes = 0
        self.shogun = ""
        """The results of the dice of Shogun (BT-CMD-60)."""
        self.effects: set[str] = set()
        """Dragon cards that are in force all turn: D-01, D-12, D-13, D-16, D-23, D-37."""
        self.flag_rules: list[tuple[int, bool]] = []
        """Panic and Bishamon as they were played: whose units, and whether they may ignore all flags."""

    # Asking

    def ask(self, side: int, point: str, options: Iterable[Option], hidden: bool = False) -> Play[Option]:
        """Puts a question, unless everybody can see that there is only one answer."""
        choices = list(dict.fromkeys(options))
        assert choices, point
        if len(choices) == 1 and not hidden:
            return choices[0]
        return (yield Question(side, point, choices))

    # Chance

    def below(self, sides: int) -> int:
        """A draw."""
        self.draws += 1
        return self.chance.below(sides)

    def roll(self, dice: int) -> str:
        """Battle dice, left to right (BT-RAND-01)."""
        return "".join(FACES[self.below(6)] for _ in range(dice))

    def shuffle(self, pile: list[str]) -> None:
        """BT-RAND-02."""
        for i in range(len(pile) - 1, 0, -1):
            j = self.below(i + 1)
            pile[i], pile[j] = pile[j], pile[i]

    # Cards

    def draw(self, deck: list[str], pile: list[str]) -> str | None:
        """A card from the top of a deck (BT-END-OF-TURN-05)."""
        if not deck:
            deck[:] = pile
            pile.clear()
            self.shuffle(deck)
        return deck.pop() if deck else None

    def draw_command(self, side: int) -> None:
        """A command card for the hand."""
        card = self.draw(self.command_deck, self.command_pile)
        if card is not None:
            self.hands[side].command.append(card)

    def draw_dragon(self, side: int) -> None:
        """A dragon card for the hand."""
        card = self.draw(self.dragon_deck, self.dragon_pile)
        if card is not None:
            self.hands[side].dragon.append(card)

    def command(self, side: int) -> int:
        """Number of command cards including the one being played (BT-ORDERS-06, BT-DRAGON-31)."""
        return len(self.hands[side].command) + (1 if side == self.active and self.card_in_play else 0)

    def lose_command_card(self, side: int) -> None:
        """BT-HONOR-12, BT-RAND-04."""
        hand = self.hands[side].command
        if hand:
            self.command_pile.append(hand.pop(self.below(len(hand))))

    # Honor

    def gain(self, side: int, tokens: int) -> None:
        """BT-HONOR-01."""
        tokens = min(tokens, self.pool)
        self.pool -= tokens
        self.hands[side].honor += tokens

    def lose(self, side: int, tokens: int) -> int:
        """Returns tokens to the pool; the result is the number that is missing (BT-HONOR-05)."""
        paid = min(tokens, self.hands[side].honor)
        self.hands[side].honor -= paid
        self.pool += paid
        return tokens - paid

    # The board

    def unit(self, hex_: int) -> Unit | None:
        """The unit in a hex."""
        return next((unit for unit in self.units if unit.hex == hex_), None)

    def leader(self, hex_: int) -> Leader | None:
        """The leader in a hex, alone or attached."""
        return next((leader for leader in self.leaders if leader.hex == hex_), None)

    def lone(self, hex_: int) -> Leader | None:
        """The leader who stands in a hex without a unit (BT-LEADERS-02)."""
        return self.leader(hex_) if self.unit(hex_) is None else None

    def piece(self, hex_: int) -> Unit | Leader | None:
        """The unit in a hex, or else the lone leader."""
        return self.unit(hex_) or self.leader(hex_)

    def has_leader(self, unit: Unit) -> bool:
        """Whether a leader is attached."""
        return self.leader(unit.hex) is not None

    def units_of(self, side: int) -> list[Unit]:
        """A side's units in row-major order."""
        return sorted((unit for unit in self.units if unit.side == side), key=lambda unit: unit.hex)

    def leaders_of(self, side: int) -> list[Leader]:
        """A side's leaders in row-major order."""
        return sorted((leader for leader in self.leaders if leader.side == side), key=lambda one: one.hex)

    def lone_leaders(self, side: int) -> list[Leader]:
        """Those without a unit."""
        return [leader for leader in self.leaders_of(side) if self.unit(leader.hex) is None]

    def enemy_near(self, side: int, hex_: int) -> list[int]:
        """Adjacent hexes with an enemy unit or a lone enemy leader."""
        return [other for other in near(hex_) if (there := self.piece(other)) and there.side != side]

    def ground(self, hex_: int) -> Terrain:
        """The row of the terrain table."""
        return TERRAIN[self.terrain[hex_]]

    def occupied(self) -> set[int]:
        """Hexes with any piece."""
        return {unit.hex for unit in self.units} | {leader.hex for leader in self.leaders}

    def has_tent(self, side: int) -> bool:
        """BT-ARMY-COMMANDER-13."""
        return side in self.tents

    def tent_is_near(self, unit: Unit) -> bool:
        """Whether the command tent shares a section with a unit (BT-DRAGON-14)."""
        return self.has_tent(unit.side) and bool(sections(self.tents[unit.side]) & sections(unit.hex))

    # Banners

    def banners(self, side: int) -> int:
        """Permanent and temporary ones."""
        temporary = sum(mark.flags for mark in self.marks if mark.side == side)
        if self.heights == side:
            rule = self.scenario.rule("hill_majority")
            assert rule is not None
            temporary += rule["flags"]
        return self.hands[side].banners + temporary

    def check_victory(self, side: int) -> None:
        """BT-VICTORY-01."""
        if self.banners(side) >= self.scenario.banners:
            raise BattleOver(side, "banners")

    def award(self, side: int, banners: int = 1) -> None:
        """Permanent banners."""
        self.hands[side].banners += banners
        self.check_victory(side)

    def hills(self, side: int) -> int:
        """Hill hexes occupied by units (BT-SCEN-17)."""
        return sum(self.terrain[unit.hex] == "hill" for unit in self.units_of(side))

    def watch(self) -> None:
        """Temporary banners whose condition has ended are lost at once (BT-SCEN-06, BT-SCEN-17)."""
        self.marks = [mark for mark in self.marks if self._stands(mark)]
        if self.heights is not None and self.hills(self.heights) <= self.hills(1 - self.heights):
            self.heights = None

    def _stands(self, mark: Mark) -> bool:
        return mark.unit in self.units and mark.unit.side == mark.side and mark.holds(mark.unit)

    def arrived(self, unit: Unit) -> None:
        """Immediate effects of a unit in a hex (BT-SCEN-07, BT-SCEN-12, BT-SCEN-18)."""
        if unit not in self.units:
            return
        for record in self.scenario.victory:
            if record.get("side") != SIDES[unit.side] or record.get("when") != "immediate":
                continue
            if record["kind"] == "occupy_hex":
                name = record["objective"]
                if unit.hex == self.scenario.objectives[name] and name not in self.captured:
                    self.captured.add(name)
                    self.award(unit.side, record["flags"])
                    for _ in range(record["enemy_loses_random_command_cards"]):
                        self.lose_command_card(1 - unit.side)
            elif record["kind"] == "enter_tent_immediate_victory":
                if self.tents.get(1 - unit.side) == unit.hex:
                    raise BattleOver(unit.side, "tent")
            elif (
                record["kind"] == "unit_exits_across_river"
                and unit.kind in record["unit_types"]
                and self.scenario.banks.get(unit.hex) == self.scenario.target_bank
            ):
                self.units.remove(unit)
                self.watch()
                self.award(unit.side, record["flags"])

    # Losses

    def hit(self, unit: Unit, hits: int) -> int:
        """Removes blocks; says how many. The last one is a banner for the enemy, but not of a bodyguard."""
        lost = min(hits, unit.blocks)
        unit.blocks -= lost
        if unit.blocks == 0:
            self.units.remove(unit)
            self.watch()
            if unit.kind != "BG":  # BT-ARMY-COMMANDER-09
                self.award(1 - unit.side)
        return lost

    def leader_value(self, leader: Leader) -> int:
        """Banners for eliminating a leader (BT-LEADERS-09)."""
        general = self.scenario.rule("leader_value")
        if general is not None:
            return int(general["flags"])
        named = self.scenario.rule("named_leader_value")
        if named is not None and (leader.name, SIDES[leader.side]) == (named["leader"], named["leader_side"]):
            return int(named["flags"])
        return 1

    def remove_leader(self, leader: Leader) -> None:
        """A leader is gone; the bodyguard of a commander surrenders (BT-ARMY-COMMANDER-09)."""
        self.leaders.remove(leader)
        guard = self.unit(leader.hex)
        if guard is not None and guard.kind == "BG":
            self.units.remove(guard)
            self.watch()

    def eliminate(self, leader: Leader) -> None:
        """A leader is eliminated by the enemy: a banner (BT-LEADER-LOSS-05)."""
        self.remove_leader(leader)
        self.award(1 - leader.side, self.leader_value(leader))

    def left_alone(self, hex_: int) -> Leader | None:
        """The leader of a unit that is no more; a commander becomes a foot leader (BT-ARMY-COMMANDER-10)."""
        leader = self.lone(hex_)
        if leader is not None and leader.kind == "AC":
            leader.kind, leader.was_commander = "LF", True
        return leader

    # Lack of honor

    def lack_of_honor(
        self, side: int, unpaid: int, retreat: Unit | Leader | None = None, end: int | None = None
    ) -> Play[None]:
        """BT-LACK-OF-HONOR-01..05, BT-R-45..48; `end` is where a retreat ended, if it was one."""
        faces = self.roll(4 + unpaid)
        order = [face for symbol in "CTS" for face in faces if face == symbol]
        if isinstance(retreat, Unit):
            own = [face for face in order if face == retreat.symbol]
            order = own + [face for face in order if face != retreat.symbol]
            if retreat in self.units:
                self.hit(retreat, len(own))
                order = order[len(own) :]
        elif retreat is not None and "X" in faces:
            self.eliminate(retreat)
        for symbol in order:
            victims = [unit for unit in self.units_of(side) if unit.symbol == symbol]
            if end is not None and victims:
                nearest = min(distance(end, unit.hex) for unit in victims)
                victims = [unit for unit in victims if distance(end, unit.hex) == nearest]
            point = "card victim" if end is None else "nearest"
            yield from self.victim(side, point, victims)

    def victim(self, side: int, point: str, victims: list[Unit]) -> Play[None]:
        """One of these units loses a block, its owner chooses which (DP-06, DP-23)."""
        if victims:
            answer = yield from self.ask(side, point, [("hex", unit.hex) for unit in victims])
            unit = self.unit(answer[1])
            assert unit is not None
            self.hit(unit, 1)

    # Retreats

    def retreat_ends(self, unit: Unit, hexes: int) -> dict[int, tuple[int, int]]:
        """Final hexes with the fewest uncompleted hexes, with steps made and missing (BT-RETREAT-07)."""
        found: dict[int, tuple[int, int]] = {}
        alone = not self.has_leader(unit)

        def walk(here: int, left: int) -> None:
            went_on = False
            for step in rear(unit.side, here) if left else []:
                if step in self.scenario.impassable or self.unit(step) is not None:
                    continue
                leader = self.leader(step)
                if leader is None:
                    went_on = True
                    walk(step, left - 1)
                elif leader.side == unit.side and alone and leader.may_lead(unit):  # BT-RETREAT-05
                    went_on = True
                    found[step] = (hexes - left + 1, 0)
            if not went_on:
                found[here] = (hexes - left, left)

        walk(unit.hex, hexes)
        fewest = min(missing for _, missing in found.values())
        return {hex_: steps for hex_, steps in sorted(found.items()) if steps[1] == fewest}

    def retreat(self, unit: Unit, flags: int) -> Play[None]:
        """BT-RETREAT-01..10, or hits for infantry in a castle (BT-TERRAIN-09)."""
        if flags == 0:
            return
        if self.terrain[unit.hex] == "castle" and unit.infantry:
            self.hit(unit, flags)
            self.left_alone(unit.hex)
            return
        ends = self.retreat_ends(unit, flags * (2 if unit.kind == "LI" else 1))
        answer = yield from self.ask(unit.side, "retreat", [("hex", end) for end in ends])
        steps, missing = ends[answer[1]]
        leader = self.leader(unit.hex)
        unit.hex = answer[1]
        if leader is not None:
            leader.hex = unit.hex
        self.watch()
        self.hit(unit, missing)
        # BT-HONOR-06..08; a leader joined at the end does not count (BT-R-43).
        price = {"C": 1, "T": 1, "S": 2}[unit.symbol] * steps
        if unit.kind == "LI" and steps:
            price = 2
        price += steps if leader is not None else 0
        unpaid = self.lose(unit.side, price)
        if unpaid:
            yield from self.lack_of_honor(unit.side, unpaid, unit, unit.hex)
        if steps:
            self.arrived(unit)

    def leader_ends(self, leader: Leader) -> list[int]:
        """Where a lone leader may retreat to (BT-RETREAT-20..23)."""
        found, edge = set(), {leader.hex}
        for _ in range(3):
            edge = {
                step
                for here in edge
                for step in rear(leader.side, here)
                if step not in self.scenario.impassable
                and ((there := self.piece(step)) is None or there.side == leader.side)
            }
            found |= {step for step in edge if self.leader_may_end(leader, step)}
        return sorted(found)

    def leader_may_end(self, leader: Leader, hex_: int) -> bool:
        """BT-MOVE-07, BT-RETREAT-22: an empty hex, or a unit he may lead that has no leader."""
        unit = self.unit(hex_)
        if self.leader(hex_) is not None:
            return False
        return unit is None or (unit.side == leader.side and leader.may_lead(unit))

    def leader_fate(self, leader: Leader) -> Play[None]:
        """A lone leader must retreat or commit seppuku (BT-LEADERS-22, BT-SEPPUKU-01)."""
        ends = self.leader_ends(leader)
        choices: list[Option] = [("seppuku",), *(("hex", end) for end in ends)]
        answer = yield from self.ask(leader.side, "leader fate", choices)
        if answer[0] == "seppuku":
            self.remove_leader(leader)
            self.gain(leader.side, 5)
            self.lose_command_card(leader.side)
            self.draw_dragon(1 - leader.side)
            return
        leader.hex = answer[1]
        unpaid = self.lose(leader.side, 3)
        if unpaid:
            yield from self.lack_of_honor(leader.side, unpaid, leader, leader.hex)

    # Dragon cards

    def cost(self, card: str) -> int:
        """BT-DRAGON-01."""
        return DRAGON[card][1]

    def affordable(self, side: int, card: str) -> bool:
        """BT-DRAGON-USE-02."""
        return self.hands[side].honor >= self.cost(card)

    def may_be_held(self, card: str) -> bool:
        """Whether a copy lies in no public pile, so that it may be in somebody's hand for all one can see."""
        if card in COMMAND:
            seen = [*self.command_pile, self.card_in_play] + ["C-FIRST"] * self.first_strikes
            return seen.count(card) < COMMAND[card]
        return (self.dragon_pile + self.in_play).count(card) < (2 if card in TWICE else 1)

    def window(self, side: int, name: str, fitting: Iterable[str]) -> Play[str | None]:
        """A player passes or plays a card; `fitting` are the cards that have a legal target now.

        He is asked where public facts leave him a choice (BT-DRAGON-USE-05, BT-DRAGON-USE-10): a card that
        costs no more than he has and that lies in no public pile.
        """
        hand = self.hands[side]
        possible = [card for card in fitting if DRAGON[card][0] == name and self.affordable(side, card)]
        possible = [card for card in possible if self.may_be_held(card)]
        if hand.dragon_played:
            playable = [card for card in possible if card == hand.stolen]
            if not playable:
                return None
        elif hand.dragon and possible:
            playable = [card for card in possible if card in hand.dragon]
        else:
            return None
        options: list[Option] = [PASS, *(("dragon", card) for card in playable)]
        answer = yield from self.ask(side, name, options, hidden=True)
        if answer == PASS:
            return None
        self.play_dragon(side, answer[1])
        return str(answer[1])

    def play_dragon(self, side: int, card: str) -> None:
        """The card is paid and lies on the table until the end of the turn (BT-DRAGON-USE-02)."""
        hand = self.hands[side]
        hand.dragon.remove(card)
        if hand.dragon_played:
            assert hand.stolen == card
            hand.stolen = None
        hand.dragon_played = True
        hand.honor -= self.cost(card)
        self.on_cards += self.cost(card)
        self.in_play.append(card)
        assert self.pool + self.on_cards + sum(hand.honor for hand in self.hands) == TOKENS  # BT-COMP-03
