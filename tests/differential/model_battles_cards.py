"""The first and the last phase of a turn in `battles`: command cards, and the dragon cards played with them.

Written from the rule ledger alone.
"""

from __future__ import annotations

from differential.model_battles_board import WATER, Leader, Unit, near
from differential.model_battles_combat import YES, Combat
from differential.model_battles_decks import DRAGON
from differential.model_battles_orders import as_printed
from differential.model_battles_table import PASS, Effective, Option, Play

MIRROR = {"left": "right", "right": "left", "center": "center"}
OTHER_HAND = {"L": "R", "R": "L"}
REDIRECTED = ("ONE", "TWO", "THREE", "ADV", "FLANKS", "TIGER")  # BT-DRAGON-13
NUMBERED = ("ONE", "TWO", "THREE")  # BT-DRAGON-22
STAYING = {"D-01", "D-12", "D-13", "D-16", "D-23", "D-37"}
"""Cards that stay in force all turn; what they do is found where it is done."""


def mirrored(card: Effective) -> Effective:
    """A card with left and right exchanged (BT-CMD-10)."""
    name = card.card
    if name[-2] == "-" and name[-1] in OTHER_HAND:
        name = name[:-1] + OTHER_HAND[name[-1]]
    return Effective(name, tuple((MIRROR[flank], number) for flank, number in card.slots))


class Cards(Combat):
    """T1 and T5."""

    # T1

    def read(self, card: str) -> Effective:
        """The effective command card: Counterattack is a copy (BT-CMD-10, BT-CMD-11)."""
        if card != "C-COUNTER":
            return as_printed(card)
        copied = self.hands[1 - self.active].last
        if copied is None or copied.family in {"FIRST", "COUNTER"}:
            return Effective("C-COUNTER")
        return mirrored(copied)

    def command_phase(self) -> Play[None]:
        """T1 (BT-TURN-03, BT-DRAGON-USE-06, DP-01..03)."""
        hand = self.hands[self.active]
        options: list[Option] = [("command", card) for card in hand.command]
        answer = yield from self.ask(self.active, "command card", options, hidden=True)
        hand.command.remove(answer[1])
        self.card_in_play = answer[1]
        self.effective = self.read(answer[1])
        own = yield from self.window(self.active, "W-CMD-A", self.with_command())
        if own == "D-26":
            self.flag_rules.append((1 - self.active, False))
        theirs = yield from self.window(1 - self.active, "W-CMD-D", ["D-20", "D-36", "D-37"])
        if theirs == "D-20":
            self.flag_rules.append((1 - self.active, True))
        elif theirs == "D-36":
            self.wild_winds()
        elif theirs == "D-37":
            self.effects.add("D-37")
        if own is not None:
            yield from self.take_effect(own)

    def wild_winds(self) -> None:
        """BT-DRAGON-45, BT-RAND-04."""
        hand = self.hands[self.active].command
        assert self.card_in_play is not None
        if hand:
            hand.append(self.card_in_play)
            self.card_in_play = hand.pop(self.below(len(hand) - 1))
            self.effective = self.read(self.card_in_play)

    def with_command(self) -> list[str]:
        """W-CMD-A cards that are playable as things stand (BT-DRAGON-USE-11)."""
        assert self.effective is not None
        own, enemies = self.units_of(self.active), self.units_of(1 - self.active)
        found = {
            "D-01": any(unit.symbol == "T" for unit in own),
            "D-03": bool(self.leaders_of(1 - self.active)),
            "D-04": self.effective.family in REDIRECTED,
            "D-05": bool(self.reduced()),
            "D-08": bool(self.at_the_water()),
            "D-11": bool(self.without_leader()),
            "D-12": any(unit.troop.weapon == "bow" for unit in own),
            "D-13": self.effective.family in NUMBERED,
            "D-16": any(unit.kind == "AA" for unit in own),
            "D-23": any(unit.infantry for unit in own),
            "D-24": bool(self.dragon_pile),
            "D-26": bool(enemies),
            "D-27": any(unit.symbol == "C" for unit in enemies),
            "D-28": bool(enemies),
            "D-33": True,
            "D-35": True,
        }
        return [card for card, fits in found.items() if fits]

    def reduced(self) -> list[Unit]:
        """Targets of Physician."""
        return [unit for unit in self.units_of(self.active) if unit.blocks < 4]

    def at_the_water(self) -> list[Unit]:
        """Units that Blue Dragon dices for, in row-major order (BT-DRAGON-17)."""
        return [
            unit
            for unit in self.units_of(1 - self.active)
            if unit.kind != "BG" and any(self.terrain[hex_] in WATER for hex_ in (unit.hex, *near(unit.hex)))
        ]

    def without_leader(self) -> list[Unit]:
        """Targets of Turncoats."""
        return [unit for unit in self.units_of(1 - self.active) if not self.has_leader(unit)]

    def take_effect(self, card: str) -> Play[None]:
        """A W-CMD-A card is resolved (BT-DRAGON-USE-06)."""
        effects = {
            "D-03": self.ninja_assassin,
            "D-04": self.tactical_wisdom,
            "D-05": self.physician,
            "D-08": self.blue_dragon,
            "D-11": self.turncoats,
            "D-24": self.ninja_thief,
            "D-27": self.rice_famine,
            "D-28": self.red_dragon,
            "D-33": self.tea_ceremony,
            "D-35": self.white_dragon,
        }
        assert self.effective is not None
        if card == "D-13" and self.effective.family not in NUMBERED:
            return  # BT-R-69
        if card in STAYING:
            self.effects.add(card)
        elif card in effects:
            yield from effects[card]()

    def ninja_assassin(self) -> Play[None]:
        """BT-DRAGON-12."""
        leader = yield from self.choose_leader()
        if self.roll(1) == "X":
            self.eliminate(leader)
            self.lose_command_card(leader.side)  # BT-R-73

    def choose_leader(self) -> Play[Leader]:
        """DP-05."""
        options: list[Option] = [("hex", leader.hex) for leader in self.leaders_of(1 - self.active)]
        answer = yield from self.ask(self.active, "assassin", options)
        leader = self.leader(answer[1])
        assert leader is not None
        return leader

    def choose_unit(self, side: int, point: str, units: list[Unit]) -> Play[Unit]:
        """DP-05, DP-06."""
        answer = yield from self.ask(side, point, [("hex", unit.hex) for unit in units])
        unit = self.unit(answer[1])
        assert unit is not None
        return unit

    def tactical_wisdom(self) -> Play[None]:
        """DP-04 (BT-DRAGON-13)."""
        assert self.effective is not None
        if self.effective.family not in REDIRECTED:
            return  # BT-R-69
        slots = self.effective.slots
        options: list[Option] = [
            ("redirect", flank, other) for flank, _ in slots for other in MIRROR if other != flank
        ]
        _, chosen, other = yield from self.ask(self.active, "wisdom", options)
        numbers = dict(slots)
        moved = numbers.pop(chosen)
        if other in numbers and moved is not None:  # entries coincide and add up
            moved += numbers[other] or 0
        self.effective = Effective(self.effective.card, tuple({**numbers, other: moved}.items()))

    def physician(self) -> Play[None]:
        """BT-DRAGON-14."""
        unit = yield from self.choose_unit(self.active, "physician", self.reduced())
        unit.blocks = 4 if self.tent_is_near(unit) else unit.blocks + 1

    def blue_dragon(self) -> Play[None]:
        """BT-DRAGON-17."""
        for unit in self.at_the_water():
            if self.roll(1) == unit.symbol:
                self.hit(unit, 1)
        yield from ()

    def turncoats(self) -> Play[None]:
        """BT-DRAGON-20."""
        unit = yield from self.choose_unit(self.active, "turncoats", self.without_leader())
        honors = {}
        dice = {}
        for side in (self.active, 1 - self.active):
            dice[side] = 3 + (self.banners(side) > self.banners(1 - side))
            dice[side] += 2 * (self.hands[side].honor > self.hands[1 - side].honor)
        for side in (self.active, 1 - self.active):
            honors[side] = self.roll(dice[side]).count("H")
        if honors[self.active] <= honors[1 - self.active]:
            return
        if (yield from self.ask(self.active, "turn", [PASS, YES])) == YES:
            unit.side, unit.group = self.active, None
            self.watch()
            self.arrived(unit)

    def ninja_thief(self) -> Play[None]:
        """BT-DRAGON-33."""
        hand = self.hands[self.active]
        options: list[Option] = [("dragon", card) for card in self.dragon_pile]
        answer = yield from self.ask(self.active, "thief", sorted(options))
        card = answer[1]
        self.dragon_pile.remove(card)
        hand.dragon.append(card)
        hand.stolen = card
        if DRAGON[card][0] != "W-CMD-A":
            return
        playable = card in self.with_command() and self.affordable(self.active, card)
        if playable and (yield from self.ask(self.active, "play stolen", [PASS, YES])) == YES:
            self.play_dragon(self.active, card)
            if card == "D-26":
                self.flag_rules.append((1 - self.active, False))
            yield from self.take_effect(card)
        hand.stolen = None  # played at once or not this turn

    def rice_famine(self) -> Play[None]:
        """BT-DRAGON-36."""
        side = 1 - self.active
        faces = self.roll(sum(unit.symbol == "C" for unit in self.units_of(side)))
        for symbol in "CTS":
            for _ in range(faces.count(symbol)):
                victims = [unit for unit in self.units_of(side) if unit.symbol == symbol]
                yield from self.victim(side, "famine", victims)
        unpaid = self.lose(side, 2 * faces.count("H"))
        if unpaid:
            yield from self.lack_of_honor(side, unpaid)

    def red_dragon(self) -> Play[None]:
        """BT-DRAGON-37."""
        side = 1 - self.active
        faces = self.roll(4 if self.has_tent(self.active) else 3)
        for symbol in "CTS":
            for _ in range(faces.count(symbol)):
                victims = [unit for unit in self.units_of(side) if unit.symbol == symbol]
                if victims:
                    unit = yield from self.choose_unit(side, "red dragon", victims)
                    yield from self.retreat(unit, 1)

    def tea_ceremony(self) -> Play[None]:
        """BT-DRAGON-42."""
        honors = self.roll(self.command(self.active)).count("H")
        self.gain(self.active, honors * (3 if self.has_tent(self.active) else 2))
        yield from ()

    def white_dragon(self) -> Play[None]:
        """BT-DRAGON-44."""
        self.draw_command(self.active)
        yield from ()

    # T2, its dice

    def roll_shogun(self) -> None:
        """BT-CMD-60."""
        self.shogun = self.roll(self.command(self.active))
        self.gain(self.active, self.shogun.count("H"))

    # T5

    def units_on_bank(self, side: int, bank: int) -> int:
        """Units that have crossed (BT-SCEN-04)."""
        return sum(self.scenario.banks.get(unit.hex) == bank for unit in self.units_of(side))

    def command_draws(self) -> int:
        """How many times the active player draws (BT-SCEN-11, BT-SCEN-15)."""
        growing = self.scenario.rule("growing_hand", self.active)
        if growing is not None and self.hands[self.active].turns <= growing["turns"]:
            return int(growing["draws_per_turn"])
        rule = self.scenario.rule("conditional_command_draw", self.active)
        if rule is not None and self.units_on_bank(self.active, 1 - self.active) < rule["at_least"]:
            return int(rule["otherwise_draws"])
        return 1

    def end_of_turn(self) -> Play[None]:
        """T5 (BT-END-OF-TURN-01)."""
        assert self.effective is not None
        hand = self.hands[self.active]
        order_one = self.effective.family == "ONE"
        rule = self.scenario.rule("order_one_card", self.active)
        if rule is not None and order_one and self.banners(self.active) + 1 < self.scenario.banners:
            self.award(self.active, rule["flags"])  # BT-SCEN-14
        draws = self.command_draws()
        fitting = ["D-09"] if self.command_pile and draws else []
        if (yield from self.window(self.active, "W-END-A", fitting)):  # BT-DRAGON-18
            options: list[Option] = [("command", card) for card in sorted(self.command_pile)]
            answer = yield from self.ask(self.active, "advisor", options)
            self.command_pile.remove(answer[1])
            hand.command.append(answer[1])
            draws -= 1  # with an Order One card in scenario 12 the plain draw is the second
        self.clean_up()
        for _ in range(self.first_strikes):
            self.draw_command(1 - self.active)
        self.first_strikes = 0
        for number in range(draws):
            if number == 0 and order_one:
                yield from self.keep_one_of_two()
            else:
                self.draw_command(self.active)
        fresh: list[str] = []
        if order_one:
            fresh += self.drawn_dragon()
        options = [("draw_dragon",)] if self.dragon_deck or self.dragon_pile else []
        answer = yield from self.ask(self.active, "replenish", [*options, ("take_honor",)])  # DP-32
        if answer[0] == "draw_dragon":
            fresh += self.drawn_dragon()
        else:
            self.gain(self.active, 2)
        if not hand.dragon_played:
            yield from self.discard_for_honor(fresh)
        hand.last = self.effective

    def drawn_dragon(self) -> list[str]:
        """Draws a dragon card and returns it, if there is one."""
        hand = self.hands[self.active].dragon
        before = len(hand)
        self.draw_dragon(self.active)
        return hand[before:]

    def clean_up(self) -> None:
        """Steps (c) and (d) of BT-END-OF-TURN-01, BT-R-52."""
        assert self.card_in_play is not None
        assert self.effective is not None
        self.dragon_pile += self.in_play
        self.in_play = []
        self.pool += self.on_cards
        self.on_cards = 0
        self.command_pile += [self.card_in_play] + ["C-FIRST"] * self.first_strikes
        self.card_in_play = None
        if self.effective.family == "SHOGUN":
            for deck, pile in (
                (self.command_deck, self.command_pile),
                (self.dragon_deck, self.dragon_pile),
            ):
                deck.extend(pile)
                pile.clear()
                self.shuffle(deck)

    def keep_one_of_two(self) -> Play[None]:
        """DP-31 (BT-END-OF-TURN-02)."""
        hand = self.hands[self.active].command
        before = len(hand)
        self.draw_command(self.active)
        self.draw_command(self.active)
        drawn = hand[before:]
        if len(drawn) < 2:
            return
        options: list[Option] = [("command", card) for card in sorted(drawn)]
        answer = yield from self.ask(self.active, "keep", options, hidden=True)
        drawn.remove(answer[1])
        hand[before:] = [answer[1]]
        self.command_pile += drawn

    def discard_for_honor(self, fresh: list[str]) -> Play[None]:
        """DP-33."""
        hand = self.hands[self.active].dragon
        old = hand[: len(hand) - len(fresh)]
        if not old:
            return
        options: list[Option] = [PASS, *(("dragon", card) for card in old)]
        answer = yield from self.ask(self.active, "discard", options, hidden=True)
        if answer != PASS:
            hand.remove(answer[1])
            self.dragon_pile.append(answer[1])
            self.gain(self.active, 1)
