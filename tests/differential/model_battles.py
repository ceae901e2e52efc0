"""A slow, obvious model of a whole match of `battles`, written from the rule ledger and the data alone.

The match is one long story told in the order of the rules; wherever somebody has to decide it stops with a
question. Chance is a stream of numbers that the model draws by itself, in the order the ledger gives
(BT-RAND-01..06).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from differential.model_battles_board import (
    BOTTOM,
    HEXES,
    SIDES,
    TOP,
    Unit,
    near,
    rear,
    scenario,
)
from differential.model_battles_cards import Cards
from differential.model_battles_table import (
    BattleOver,
    Chance,
    Mark,
    Option,
    Play,
    Question,
)

LINKED = {18: 19, 39: 40}  # BT-SCEN-20


def stands_at(hex_: int, unit: Unit) -> bool:
    """Whether a unit is still in the hex where it was marked (BT-SCEN-19)."""
    return unit.hex == hex_


class Battle(Cards):
    """One battle from the set-up to its end."""

    def set_up(self, carried: list[int] | None = None, winner: int = TOP) -> Play[None]:
        """BT-COMP-05; `carried` are the banners of the battle before, which `winner` won."""
        honor = [army.honor for army in self.scenario.armies]
        if carried is not None:
            yield from self.carry_over(carried, winner, honor)
        self.shuffle(self.command_deck)
        for side in (TOP, BOTTOM):
            for _ in range(self.scenario.armies[side].command_cards):
                self.draw_command(side)
        self.shuffle(self.dragon_deck)
        for side in (TOP, BOTTOM):
            for _ in range(self.scenario.armies[side].dragon_cards):
                self.draw_dragon(side)
        for side in (TOP, BOTTOM):
            self.gain(side, honor[side])
        self.active = self.first_player()

    def first_player(self) -> int:
        """Fixed, or a dice-off (BT-SCEN-10)."""
        if self.scenario.first != "roll":
            return SIDES.index(self.scenario.first)
        while True:
            top, bottom = self.roll(5).count("H"), self.roll(5).count("H")
            if top != bottom:
                return TOP if top > bottom else BOTTOM

    def carry_over(self, banners: list[int], winner: int, honor: list[int]) -> Play[None]:
        """A linked second battle begins with losses (BT-SCEN-20, BT-R-87, BT-R-88, DP-34)."""
        for side in (winner, 1 - winner):
            faces = self.roll(banners[side])
            enemies = self.units_of(1 - side)
            for face in "CTSX":
                for _ in range(faces.count(face)):
                    whole = [unit for unit in enemies if unit.blocks == 4 and unit.kind != "BG"]
                    if face != "X":
                        whole = [unit for unit in whole if not self.has_leader(unit)]
                    if whole:
                        unit = yield from self.choose_unit(side, "carried block", whole)
                        unit.blocks -= 1
            for _ in range(faces.count("F")):
                yield from self.push_back(side, enemies)
            honor[1 - side] = max(0, honor[1 - side] - faces.count("H"))

    def push_back(self, side: int, enemies: list[Unit]) -> Play[None]:
        """One enemy unit goes back a hex."""
        free = {
            unit: [
                hex_
                for hex_ in rear(unit.side, unit.hex)
                if self.piece(hex_) is None and hex_ not in self.scenario.impassable
            ]
            for unit in enemies
            if unit.kind != "BG"
        }
        movable = [unit for unit, hexes in free.items() if hexes]
        if not movable:
            return
        unit = yield from self.choose_unit(side, "carried unit", movable)
        answer = yield from self.ask(side, "carried hex", [("hex", hex_) for hex_ in free[unit]])
        leader = self.leader(unit.hex)
        unit.hex = answer[1]
        if leader is not None:
            leader.hex = unit.hex

    def turns(self) -> Play[None]:
        """Turn after turn until the battle is decided (BT-TURN-01)."""
        while True:
            self.new_turn()
            self.start_of_turn()
            yield from self.command_phase()
            assert self.effective is not None
            if self.effective.family == "SHOGUN":
                self.roll_shogun()
            yield from self.give_orders()
            yield from self.movement()
            yield from self.battles()
            yield from self.end_of_turn()
            self.active = 1 - self.active

    def start_of_turn(self) -> None:
        """T0 (BT-TURN-02, BT-R-20)."""
        side = self.active
        self.hands[side].turns += 1
        tent = self.tents.get(1 - side)
        unit = None if tent is None else self.unit(tent)
        if tent is not None and unit is not None and unit.side == side:  # BT-ARMY-COMMANDER-12
            self.terrain[tent] = "open"
            del self.tents[1 - side]
            self.award(side, 3)
            self.lose_command_card(1 - side)
        self.scenario_banners()
        if len(self.hands[side].command) <= 1:  # BT-VICTORY-03
            raise BattleOver(1 - side, "surrender")

    def scenario_banners(self) -> None:
        """T0 (b)."""
        side, scene = self.active, self.scenario
        enemies = self.units_of(1 - side)
        if scene.rule("units_across_river", side):
            for unit in self.units_of(side):
                if self.on_far_bank(unit):
                    self.mark(unit, self.on_far_bank)
        if scene.rule("units_adjacent_across_gorge", side):  # BT-SCEN-19
            gorges = {hex_ for hex_, ground in enumerate(self.terrain) if ground == "gorge"}
            for unit in self.units_of(side):
                if self.on_far_bank(unit) and gorges & set(near(unit.hex)):
                    self.mark(unit, partial(stands_at, unit.hex))
        if scene.rule("enemy_absent_from_a_section", side):  # BT-SCEN-13, BT-R-05
            held = Counter((HEXES[unit.hex][1] >= 7) + (HEXES[unit.hex][1] > 15) for unit in enemies)
            if len(held) < 3:
                self.award(side)
        rule = scene.rule("no_enemy_on_own_bank", side)  # BT-SCEN-15
        late = rule is not None and self.hands[side].turns >= rule["from_own_turn"]
        if late and self.units_on_bank(1 - side, side) == 0:
            self.award(side)
        rule = scene.rule("units_on_enemy_bank", side)
        if rule is not None and self.units_on_bank(side, 1 - side) >= rule["at_least"]:
            self.award(side)
        if scene.rule("hill_majority"):  # BT-SCEN-17
            top, bottom = self.hills(TOP), self.hills(BOTTOM)
            if top != bottom:
                self.heights = TOP if top > bottom else BOTTOM
                self.check_victory(self.heights)

    def on_far_bank(self, unit: Unit) -> bool:
        """BT-SCEN-04."""
        return self.scenario.banks.get(unit.hex) == 1 - unit.side

    def mark(self, unit: Unit, holds: Callable[[Unit], bool]) -> None:
        """A unit is worth a banner as long as a condition holds (BT-SCEN-06)."""
        if unit not in [mark.unit for mark in self.marks]:
            self.marks.append(Mark(unit, self.active, holds))
        self.check_victory(self.active)


class Model:
    """A match: a battle, or two linked ones."""

    def __init__(self, number: int, chance: Chance, *, campaign: bool = False) -> None:
        self.chance = chance
        self.battle = Battle(scenario(number), chance)
        self.campaign = campaign
        self.question: Question | None = None
        self.winner: int | None = None
        self.reason: str | None = None
        self._story = self.story()
        self._advance(None)

    def story(self) -> Play[None]:
        """The whole match."""
        carried, winner = None, TOP
        while True:
            try:
                yield from self.battle.set_up(carried, winner)
                yield from self.battle.turns()
            except BattleOver as end:
                following = LINKED.get(self.battle.scenario.number) if self.campaign else None
                if following is None:
                    self.winner, self.reason = end.winner, end.reason
                    return
                winner = end.winner
                carried = [self.battle.banners(side) for side in (TOP, BOTTOM)]
                draws = self.battle.draws
                self.battle = Battle(scenario(following), self.chance)
                self.battle.draws = draws

    def play(self, option: Option) -> None:
        """Answers the open question."""
        assert self.question is not None
        assert option in self.question.options, option
        self._advance(option)

    def _advance(self, option: Option | None) -> None:
        try:
            self.question = next(self._story) if option is None else self._story.send(option)
        except StopIteration:
            self.question = None
