"""Orders and movement in `battles`, written from the rule ledger alone."""

from __future__ import annotations

from collections.abc import Callable

from differential.model_battles_board import (
    Leader,
    Unit,
    baseline,
    connected,
    near,
    physical,
    row,
    sections,
)
from differential.model_battles_table import PASS, Effective, Option, Play, Table

Slot = Callable[[Option], bool]
"""An order that a piece may or may not receive."""

FLANKS = {"L": "left", "C": "center", "R": "right"}
NUMBERS = {"ONE": 1, "TWO": 2, "THREE": 3, "ADV": None}
SYMBOL = {"CIRCLE": "C", "TRIANGLE": "T", "SQUARE": "S"}
FORMATIONS: dict[str, tuple[tuple[str, int | None], ...]] = {
    "C-CRANE": (("left", 1), ("center", 1), ("right", 1)),
    "C-GEESE": (("left", 2), ("center", 2), ("right", 2)),
    "C-FLANKS": (("left", 2), ("right", 2)),
    "C-TIGER-L": (("left", 1), ("center", 2)),
    "C-TIGER-R": (("center", 2), ("right", 1)),
}


def as_printed(card: str) -> Effective:
    """A command card with the sections printed on it (BT-CMD-01)."""
    if card in FORMATIONS:
        return Effective(card, FORMATIONS[card])
    family, _, flank = card.removeprefix("C-").partition("-")
    if family in NUMBERS:
        return Effective(card, ((FLANKS[flank], NUMBERS[family]),))
    return Effective(card)


def matches(pieces: list[Option], slots: list[Slot]) -> bool:
    """Whether the pieces can be matched one to one to slots (BT-ORDERS-03)."""
    holder: dict[int, Option] = {}

    def seat(piece: Option, tried: set[int]) -> bool:
        """Finds a slot for a piece; one who holds it may find another."""
        for place, slot in enumerate(slots):
            if place not in tried and slot(piece):
                tried.add(place)
                if place not in holder or seat(holder[place], tried):
                    holder[place] = piece
                    return True
        return False

    return all(seat(piece, set()) for piece in pieces)


class Orders(Table):
    """T2 and T3."""

    # Orders

    def ordered_piece(self, piece: Option) -> Unit | Leader:
        """`hex` is the unit there with its leader, or the lone leader; `leader` is the leader by himself."""
        found = self.leader(piece[1]) if piece[0] == "leader" else self.piece(piece[1])
        assert found is not None
        return found

    def pieces(self) -> list[Option]:
        """Everything that an order can address (BT-ORDERS-02)."""
        units = self.units_of(self.active)
        hexes = sorted([unit.hex for unit in units] + [one.hex for one in self.lone_leaders(self.active)])
        detachable = [
            leader.hex
            for leader in self.leaders_of(self.active)
            if leader.kind != "AC" and self.unit(leader.hex) is not None  # BT-ORDERS-11
        ]
        return [("hex", hex_) for hex_ in hexes] + [("leader", hex_) for hex_ in detachable]

    def held(self, unit: Unit) -> str | None:
        """The only card that can order a unit of scenario 37 (BT-SCEN-16)."""
        if unit.group is None:
            return None
        for record in self.scenario.special:
            if record["kind"] == "held_until_card" and record["tag"] == unit.group:
                return str(record["card"])
        return None

    def reaches(self, piece: Option) -> bool:
        """Whether the effective card may address a piece, as far as scenario 37 is concerned."""
        unit = self.unit(piece[1])
        wanted = None if unit is None else self.held(unit)
        if wanted is None:
            return True
        assert self.effective is not None
        slots = self.effective.slots
        return piece[0] == "hex" and self.effective.family == "ONE" and slots == as_printed(wanted).slots

    def slots(self) -> list[Slot]:
        """The orders of a section card, or of the dice of Shogun."""
        assert self.effective is not None

        def in_section(flank: str) -> Slot:
            section = physical(self.active, flank)
            return lambda piece: section in sections(piece[1]) and self.reaches(piece)

        def with_symbol(symbol: str) -> Slot:
            def fits(piece: Option) -> bool:
                unit = self.unit(piece[1]) if piece[0] == "hex" else None
                return unit is not None and unit.symbol == symbol and self.reaches(piece)

            return fits

        if self.effective.family == "SHOGUN":
            return [
                self.reaches if face == "F" else with_symbol(face) for face in self.shogun if face in "CTSF"
            ]
        found = []
        for flank, number in self.effective.slots:
            count = self.command(self.active) if number is None else number
            found += [in_section(flank)] * count
        return found

    def extra_slots(self) -> list[Slot]:
        """Brave Messenger (BT-DRAGON-22); White Fox comes later and prevails (BT-R-68)."""

        def fits(piece: Option) -> bool:
            unit = self.unit(piece[1])
            return piece[0] == "hex" and unit is not None and self.held(unit) is None

        if "D-13" not in self.effects or "D-37" in self.effects:
            return []
        return [fits] * (2 if self.has_tent(self.active) else 1)

    def is_legal(self, selection: list[Option]) -> bool:
        """Whether pieces may be ordered together (DP-07)."""
        assert self.effective is not None
        if not selection:
            return True
        if "D-37" in self.effects and len(selection) > 1:  # BT-DRAGON-46
            return False
        family = self.effective.family
        if self.effective.slots or family == "SHOGUN":
            return matches(selection, self.slots() + self.extra_slots())
        if any(piece[0] == "leader" or not self.reaches(piece) for piece in selection):
            return False  # no helmet, BT-ORDERS-11
        return self.is_tactic(family, selection)

    def is_tactic(self, family: str, selection: list[Option]) -> bool:
        """Whether a tactic card may order these pieces (BT-ORDERS-04)."""
        units = [unit for piece in selection if (unit := self.unit(piece[1])) is not None]
        hexes = {piece[1] for piece in selection}
        only_units = len(units) == len(selection)
        if family == "SNAKE":  # BT-CMD-50
            return connected(hexes)
        if family == "LEADER":  # BT-CMD-40
            # The hex of the leader is named first.
            led = len(hexes) <= 5 and connected(hexes) and self.leader(selection[0][1]) is not None
            return led or (only_units and len(selection) == 1)
        if family in {"FIRST", "COUNTER"} or not only_units:  # BT-ORDERS-13, BT-CMD-22
            return False
        if not any(self.suits(unit) for unit in self.units_of(self.active)):  # the fallback, BT-R-22
            return len(selection) == 1
        if not all(self.suits(unit) and self.usable(unit) for unit in units):
            return False
        most = self.command(self.active) if family in SYMBOL else 4
        return len(selection) <= most and (family != "ASSAULT" or connected(hexes))

    def suits(self, unit: Unit) -> bool:
        """Whether a tactic card speaks of such units (BT-CMD-01)."""
        assert self.effective is not None
        family = self.effective.family
        if family in SYMBOL:
            return unit.symbol == SYMBOL[family]
        return {"CAVALRY": unit.cavalry, "HOLD": unit.missile, "ASSAULT": unit.infantry}[family]

    def usable(self, unit: Unit) -> bool:
        """Hold and Shoot needs distance from the enemy (BT-CMD-01)."""
        assert self.effective is not None
        return self.effective.family != "HOLD" or not self.enemy_near(unit.side, unit.hex)

    def give_orders(self) -> Play[None]:
        """T2: all orders before any move (BT-TURN-05)."""
        selection: list[Option] = []
        while True:
            # A unit is ordered with its leader; who wants them apart orders the leader first.
            more = [piece for piece in self.pieces() if not {piece, ("hex", piece[1])} & set(selection)]
            more = [piece for piece in more if self.is_legal([*selection, piece])]
            answer = yield from self.ask(self.active, "orders", [PASS, *more])
            if answer == PASS:
                break
            selection.append(answer)
            self.ordered_piece(answer).ordered = True
        for unit in self.units:
            leader = self.leader(unit.hex)
            if unit.ordered:
                unit.group = None  # released by its first order (BT-SCEN-16)
                unit.by_card = self.is_by_card(unit)
                unit.company = None if leader is None or leader.ordered else leader

    def is_by_card(self, unit: Unit) -> bool:
        """A fallback unit has neither the bonuses nor the limits of the card (BT-R-65)."""
        assert self.effective is not None
        return self.effective.family not in {"CAVALRY", "HOLD", "ASSAULT"} or self.suits(unit)

    # Movement

    def limits(self, unit: Unit) -> tuple[int, int]:
        """Most hexes of its move, and most after which it may battle (BT-R-26, BT-R-93)."""
        assert self.effective is not None
        mv, mb = unit.troop.mv, unit.troop.mb
        family = self.effective.family if unit.by_card else ""
        if family == "SNAKE":
            mv, mb = min(mv, 1), min(mb, 1)
        elif family == "CAVALRY":
            mv = mb = 3
        elif family == "ASSAULT" and unit.kind in {"SSp", "ASp"}:
            mv = mb = 2
        elif family == "ASSAULT" and unit.kind == "SB":
            mv = 2
        extra = unit.bonus + (1 if "D-23" in self.effects and unit.infantry else 0)
        return mv + extra, mb + extra

    def cannot_move(self, unit: Unit) -> bool:
        """BT-TURN-06."""
        assert self.effective is not None
        return unit.kind == "BG" or (self.effective.family == "HOLD" and unit.by_card)

    def may_battle(self, unit: Unit) -> bool:
        """BT-MELEE-01, as far as the unit itself is concerned; also before it shoots (BT-RANGED-01)."""
        assert self.effective is not None
        if not unit.ordered or unit.battled or unit.barred or unit.moved > self.limits(unit)[1]:
            return False
        if self.effective.family == "ASSAULT" and unit.missile and unit.by_card:  # BT-CMD-30
            return False
        return not (unit.cavalry and self.terrain[unit.hex] == "castle")  # BT-TERRAIN-09

    def joins(self, unit: Unit, hex_: int) -> bool:
        """Whether a unit without leader may enter the hex of this lone leader (BT-MOVE-03)."""
        leader = self.lone(hex_)
        return (
            leader is not None and leader.side == unit.side and unit.company is None and leader.may_lead(unit)
        )

    def unit_reach(self, unit: Unit, spirit: bool) -> dict[int, int]:
        """Where a unit can go, and how far it is (BT-MOVE-01..05); `spirit` is Haya-ji (BT-DRAGON-40)."""
        lengths, edge = {unit.hex: 0}, {unit.hex}
        ends: dict[int, int] = {}
        for length in range(1, self.limits(unit)[0] + 1):
            following = set()
            for step in {step for here in edge for step in near(here)} - set(lengths):
                if step in self.scenario.impassable:
                    continue
                empty = self.piece(step) is None
                if empty or self.joins(unit, step):
                    ends.setdefault(step, length)
                if spirit or (empty and not self.ground(step).stop):
                    following.add(step)
                if spirit or empty:
                    lengths[step] = length
            edge = following
        return ends

    def leader_reach(self, leader: Leader) -> tuple[set[int], bool]:
        """Where a leader can go, and whether off the board (BT-MOVE-06..08, BT-LEADERS-30)."""
        assert self.effective is not None
        most = 3 if leader.kind == "LM" else 2
        if self.effective.family == "SNAKE":
            most = 1  # BT-R-63
        seen, edge, ends = {leader.hex}, {leader.hex}, set()
        leaves = False
        for _ in range(most):
            leaves = leaves or any(row(here) == baseline(leader.side) for here in edge)
            following = set()
            for step in {step for here in edge for step in near(here)} - seen:
                there = self.piece(step)
                if step in self.scenario.impassable or (there is not None and there.side != leader.side):
                    continue
                may_end = self.leader_may_end(leader, step)
                if self.ground(step).stop and not may_end:  # BT-MOVE-08
                    continue
                seen.add(step)
                if may_end:
                    ends.add(step)
                if not self.ground(step).stop:
                    following.add(step)
            edge = following
        return ends, leaves

    def movers(self) -> list[Option]:
        """DP-08: ordered pieces that have not been chosen yet."""
        units = [
            ("hex", unit.hex)
            for unit in self.units_of(self.active)
            if unit.ordered and not unit.chosen and not self.cannot_move(unit)
        ]
        leaders = [
            ("leader" if self.unit(leader.hex) else "hex", leader.hex)
            for leader in self.leaders_of(self.active)
            if leader.ordered and not leader.chosen
        ]
        return units + leaders

    def movement(self) -> Play[None]:
        """T3 (BT-TURN-06)."""
        while True:
            answer = yield from self.ask(self.active, "next mover", [PASS, *self.movers()])
            if answer == PASS:
                return
            piece = self.ordered_piece(answer)
            piece.chosen = True
            if isinstance(piece, Unit):
                yield from self.move_unit(piece)
            else:
                yield from self.move_leader(piece)

    def move_unit(self, unit: Unit) -> Play[None]:
        """DP-09, DP-10."""
        fitting = ["D-31", *(["D-18"] if unit.cavalry else [])]
        card = yield from self.window(self.active, "W-MOVE-A", fitting)
        unit.bonus = {"D-18": 2, "D-31": 1, None: 0}[card]
        ends = self.unit_reach(unit, card == "D-31")
        start, leader = unit.hex, unit.company
        options: list[Option] = [("hex", end) for end in (start, *ends)]
        answer = yield from self.ask(self.active, "destination", options)
        if answer[1] == start:
            return
        unit.hex, unit.moved = answer[1], ends[answer[1]]
        if leader is not None:
            leader.hex = unit.hex
        unit.barred = not self.ground(unit.hex).battle[unit.cavalry]
        if leader is not None and (yield from self.insult()):
            unit.hex = leader.hex = start
            unit.barred = True
            return
        self.watch()
        self.arrived(unit)

    def move_leader(self, leader: Leader) -> Play[None]:
        """DP-10; a leader may also leave the board."""
        ends, leaves = self.leader_reach(leader)
        start = leader.hex
        options: list[Option] = [("hex", end) for end in (start, *ends)]
        options += [("leave",)] if leaves else []
        answer = yield from self.ask(self.active, "destination", options)
        if answer == ("hex", start):
            return
        if answer[0] == "leave":
            if not (yield from self.insult()):
                self.leaders.remove(leader)
                self.lose(leader.side, 3)  # BT-R-12
            return
        leader.hex = answer[1]
        if (yield from self.insult()):
            leader.hex = start

    def insult(self) -> Play[bool]:
        """DP-11 (BT-DRAGON-30)."""
        return (yield from self.window(1 - self.active, "W-MOVE-D", ["D-21"])) is not None
