"""A slow, obvious model of a whole match of `battles`, written from the rule ledger and the data alone.

A match is one generator that follows the order of the rules and yields a question wherever a player
decides. Chance is a stream of numbers that the model draws itself, in the order of the ledger
(BT-RAND-01..06).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from differential.model_battles_board import (
    BOTTOM,
    HEXES,
    SIDES,
    TOP,
    Leader,
    Scenario,
    Unit,
    at,
    near,
    rear,
    scenario,
)
from differential.model_battles_cards import Cards
from differential.model_battles_decks import command_deck, dragon_deck
from differential.model_battles_table import (
    BattleOver,
    Chance,
    Effective,
    Hand,
    Mark,
    Option,
    Play,
    Question,
)

LINKED = {18: 19, 39: 40}  # BT-SCEN-20


def stands_at(hex_: int, unit: Unit) -> bool:
    """Whether a unit is still in the hex where it was marked (BT-SCEN-19)."""
    return unit.hex == hex_


def slots_of(numbers: list[int]) -> tuple[tuple[str, int | None], ...]:
    """Section slots as the engine writes them: orders on the left, in the center, on the right."""
    named = zip(("left", "center", "right"), numbers, strict=True)
    return tuple((flank, None if number == 255 else number) for flank, number in named if number)


class Battle(Cards):
    """One battle from the set-up to its end."""

    first = TOP
    round = 0
    max_rounds = 1000

    def set_up(self, carried: list[int] | None = None, winner: int = TOP) -> Play[None]:
        """BT-COMP-05; `carried` are the banners of the battle before, which `winner` won."""
        honor = [army.honor for army in self.scenario.armies]
        if carried is not None:
            yield from self.carry_over(carried, winner, honor)
        self.command_deck, self.dragon_deck = command_deck(), dragon_deck()
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
        self.active = self.first = self.first_player()

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

    def place(self, position: dict[str, Any]) -> None:
        """Begins with a position of the engine at the start of a turn instead."""

        def number(text: str) -> int:
            r, c = text.split(",")
            return at(int(r), int(c))

        held = {number(text): str(group) for group, texts in enumerate(position["held"]) for text in texts}
        groups = [rule["tag"] for rule in self.scenario.special if rule["kind"] == "held_until_card"]
        self.units = [
            Unit(SIDES.index(one["side"]), one["unit"], number(one["hex"]), one["blocks"])
            for one in position["units"]
        ]
        for unit in self.units:
            unit.group = groups[int(held[unit.hex])] if unit.hex in held else None
        self.leaders = [
            Leader(
                SIDES.index(one["side"]),
                one["leader"],
                number(one["hex"]),
                one.get("name", ""),
                one.get("was_commander", False),
            )
            for one in position["leaders"]
        ]
        self.command_deck, self.command_pile = position["command"]["deck"], position["command"]["discards"]
        self.dragon_deck, self.dragon_pile = position["dragon"]["deck"], position["dragon"]["discards"]
        for side, name in enumerate(SIDES):
            if not position["tents"][name] and side in self.tents:
                self.terrain[self.tents.pop(side)] = "open"
            last = position["last"][name]
            self.hands[side] = Hand(
                command=position["command"]["hands"][name],
                dragon=position["dragon"]["hands"][name],
                banners=position["banners"][name],
                turns=position["turns"][name] - (position["active"] == name),
                last=None if last is None else Effective(last["card"], slots_of(last["slots"])),
            )
            self.gain(side, position["honor"][name])
        self.active, self.first = SIDES.index(position["active"]), SIDES.index(position["first"])
        self.round = position["round"] - (self.active == self.first)
        records = self.scenario.victory
        self.captured = {records[number]["objective"] for number in position["captured"]}
        if position["hill_majority"] is not None:
            self.heights = SIDES.index(position["hill_majority"])
        for text in position["marked"]:
            marked = self.unit(number(text))
            assert marked is not None
            across = self.scenario.rule("units_across_river", marked.side)
            rim = self.scenario.rule("units_adjacent_across_gorge", marked.side)
            holds = self.on_far_bank if across else partial(stands_at, marked.hex)
            self.marks.append(Mark(marked, marked.side, (across or rim or {})["flags_per_unit"], holds))

    def turns(self) -> Play[None]:
        """Turn after turn until the battle is decided (BT-TURN-01)."""
        while True:
            self.new_turn()
            if self.active == self.first:
                if self.round == self.max_rounds:  # the host's, not a rule (BT-R-21)
                    raise BattleOver(None, "round_limit")
                self.round += 1
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
        decisive = self.scenario.rule("enter_tent_immediate_victory", side)  # BT-SCEN-08
        if tent is not None and unit is not None and unit.side == side and not decisive:
            # BT-ARMY-COMMANDER-12
            self.terrain[tent] = "open"
            del self.tents[1 - side]
            self.award(side, 3)
            self.lose_command_card(1 - side)
        self.scenario_banners()
        if len(self.hands[side].command) <= 1:  # BT-VICTORY-03
            raise BattleOver(1 - side, "surrender")

    def scenario_banners(self) -> None:
        """T0 (b), record by record."""
        for record in self.scenario.victory:
            if record.get("side", "either") in {"either", SIDES[self.active]}:
                self.start_banner(record["kind"], record)
        self.check_victory(self.active)

    def start_banner(self, kind: str, record: dict[str, Any]) -> None:
        """The banners of one victory record at the start of the active player's turn."""
        side, own = self.active, self.units_of(self.active)
        if kind in {"units_across_river", "units_adjacent_across_gorge"}:  # BT-SCEN-06, BT-SCEN-19
            gorges = {hex_ for hex_, ground in enumerate(self.terrain) if ground == "gorge"}
            across = [unit for unit in own if self.on_far_bank(unit)]
            for unit in across:
                if kind == "units_across_river":
                    self.mark(unit, record["flags_per_unit"], self.on_far_bank)
                elif gorges & set(near(unit.hex)):
                    self.mark(unit, record["flags_per_unit"], partial(stands_at, unit.hex))
            self.check_victory(side)
        elif kind == "enemy_absent_from_a_section":  # BT-SCEN-13, BT-R-05
            columns = [HEXES[unit.hex][1] for unit in self.units_of(1 - side)]
            if len({(x >= 7) + (x > 15) for x in columns}) < 3:
                self.award(side, record["flags"])
        elif kind == "no_enemy_on_own_bank":  # BT-SCEN-15
            late = self.hands[side].turns >= record["from_own_turn"]
            if late and self.units_on_bank(1 - side, side) == 0:
                self.award(side, record["flags"])
        elif kind == "units_on_enemy_bank":
            if self.units_on_bank(side, 1 - side) >= record["at_least"]:
                self.award(side, record["flags"])
        elif kind == "hill_majority":  # BT-SCEN-17
            top, bottom = self.hills(TOP), self.hills(BOTTOM)
            if top != bottom:
                self.heights = TOP if top > bottom else BOTTOM
                self.check_victory(self.heights)

    def on_far_bank(self, unit: Unit) -> bool:
        """BT-SCEN-04."""
        return self.scenario.banks.get(unit.hex) == 1 - unit.side

    def mark(self, unit: Unit, flags: int, holds: Callable[[Unit], bool]) -> None:
        """A unit is worth banners as long as a condition holds (BT-SCEN-06)."""
        if unit not in [mark.unit for mark in self.marks]:
            self.marks.append(Mark(unit, self.active, flags, holds))


class Model:
    """A match: a battle, or two linked ones."""

    def __init__(
        self,
        battle: Scenario,
        chance: Chance,
        *,
        campaign: bool = False,
        max_rounds: int = 1000,
        position: dict[str, Any] | None = None,
    ) -> None:
        self.chance, self.campaign = chance, campaign
        self.battle = Battle(battle, chance)
        self.battle.max_rounds = max_rounds
        self.position = position
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
                if self.position is None:
                    yield from self.battle.set_up(carried, winner)
                else:
                    self.battle.place(self.position)
                yield from self.battle.turns()
            except BattleOver as end:
                following = LINKED.get(self.battle.scenario.number) if self.campaign else None
                if following is None or end.winner is None:
                    self.winner, self.reason = end.winner, end.reason
                    return
                winner, self.position = end.winner, None
                carried = [self.battle.banners(side) for side in (TOP, BOTTOM)]
                before = self.battle
                self.battle = Battle(scenario(following), self.chance)
                self.battle.draws, self.battle.max_rounds = before.draws, before.max_rounds
                self.battle.round = before.round  # the host counts the rounds of the match

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
