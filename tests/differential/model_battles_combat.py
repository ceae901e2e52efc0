"""Combat in `battles`: shooting, melee, battle back and what follows, written from the rule ledger alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from differential.model_battles_board import Leader, Unit, distance, near, sees
from differential.model_battles_orders import Orders
from differential.model_battles_table import PASS, Option, Play

RANK = {"S": 2, "T": 1, "C": 0}  # BT-UNITS-08
SHOT, ATTACK, FIRST, BACK = "shot", "attack", "first strike", "battle back"
YES: Option = ("yes",)


@dataclass
class Roll:
    """One combat roll and what bears on it."""

    kind: str
    rollers: list[Unit]
    target: Unit | Leader
    dice: dict[Unit, int] = field(default_factory=dict)
    inspired: int = 0
    terror: bool = False
    cowards: bool = False
    courage: bool = False
    collector: bool = False
    armor: bool = False
    capped: Unit | None = None
    exactly: int | None = None
    faces: Counter[str] = field(default_factory=Counter)

    @property
    def melee(self) -> bool:
        """Whether it is close combat."""
        return self.kind != SHOT

    @property
    def side(self) -> int:
        """The roller."""
        return self.rollers[0].side

    def total(self) -> int:
        """Dice to roll; Aikido caps last (BT-MELEE-05, BT-R-39), Vengeance knows no bonus (BT-DRAGON-38)."""
        if self.exactly is not None:
            return self.exactly
        return sum(min(dice, 2) if unit is self.capped else dice for unit, dice in self.dice.items())


@dataclass
class Shots:
    """Two shots of one shooter (BT-CMD-70), for Bulletproof Armor (BT-DRAGON-39)."""

    target: Unit | None = None
    lost: int = 0
    armored: Unit | None = None


class Combat(Orders):
    """T4."""

    # Who may fight whom

    def ranged_targets(self, unit: Unit) -> list[int]:
        """BT-RANGED-01, BT-RANGED-02, BT-UNITS-05."""
        assert self.effective is not None
        if not unit.missile or self.enemy_near(unit.side, unit.hex):
            return []
        if self.effective.family == "CAVALRY" and unit.by_card:  # BT-R-65
            return []
        found = []
        for hex_ in sorted(self.occupied()):
            target = self.piece(hex_)
            assert target is not None
            if target.side == unit.side or target.kind == "BG":
                continue
            in_range = distance(unit.hex, hex_) in unit.troop.ranged
            if in_range and sees(unit.hex, hex_, self.terrain, self.occupied()):
                found.append(hex_)
        return found

    def may_melee(self, unit: Unit, hex_: int) -> bool:
        """Cavalry may fight neither in a castle nor against one (BT-TERRAIN-09)."""
        return not (unit.cavalry and "castle" in (self.terrain[unit.hex], self.terrain[hex_]))

    def melee_targets(self, unit: Unit) -> list[int]:
        """BT-MELEE-01."""
        return [hex_ for hex_ in self.enemy_near(unit.side, unit.hex) if self.may_melee(unit, hex_)]

    def targets(self, unit: Unit) -> list[int]:
        """DP-12."""
        return sorted(self.melee_targets(unit) + self.ranged_targets(unit))

    def fellow_levies(self, unit: Unit, hex_: int) -> list[Unit]:
        """Levies that may charge together with one of them (BT-LEVY-CHARGE-01, BT-R-36, BT-R-37)."""
        if unit.kind != "LI" or self.unit(hex_) is None:
            return []
        return [
            other
            for other in self.units_of(unit.side)
            if other.kind == "LI" and self.may_battle(other) and hex_ in near(other.hex)
        ]

    # The battle phase

    def battles(self) -> Play[None]:
        """T4 (BT-TURN-07, DP-12)."""
        while True:
            own = self.units_of(self.active)
            ready = [unit for unit in own if self.may_battle(unit) and self.targets(unit)]
            answer = yield from self.ask(self.active, "battle", [PASS, *(("hex", one.hex) for one in ready)])
            if answer == PASS:
                return
            unit = self.unit(answer[1])
            assert unit is not None
            answer = yield from self.ask(
                self.active, "target", [("hex", hex_) for hex_ in self.targets(unit)]
            )
            if distance(unit.hex, answer[1]) > 1:
                yield from self.shooting(unit, answer[1])
                continue
            attackers = yield from self.charge(unit, answer[1])
            yield from self.melee(attackers, answer[1])

    def charge(self, unit: Unit, hex_: int) -> Play[list[Unit]]:
        """Levies join one of them in a combined melee (DP-12)."""
        attackers = [unit]
        unit.battled = True
        while True:
            options: list[Option] = [PASS, *(("hex", one.hex) for one in self.fellow_levies(unit, hex_))]
            answer = yield from self.ask(self.active, "charge", options)
            if answer == PASS:
                return attackers
            joined = self.unit(answer[1])
            assert joined is not None
            joined.battled = True
            attackers.append(joined)

    def shooting(self, unit: Unit, hex_: int) -> Play[None]:
        """Ranged combat; with Hold and Shoot a second one directly after (BT-CMD-70, DP-29)."""
        assert self.effective is not None
        unit.battled = True
        shots = Shots()
        yield from self.strike(SHOT, [unit], hex_, shots)
        if self.effective.family == "HOLD" and unit.by_card:
            targets: list[Option] = [("hex", other) for other in self.ranged_targets(unit)]
            answer = yield from self.ask(self.active, "second shot", [PASS, *targets])
            if answer != PASS:
                yield from self.strike(SHOT, [unit], answer[1], shots)

    def melee(self, attackers: list[Unit], hex_: int, bonus: int = 0) -> Play[None]:
        """One melee from its declaration to its end (BT-MELEE-03..16); `bonus` counts bonus melees."""
        places = {unit: unit.hex for unit in attackers}
        target = self.piece(hex_)
        assert target is not None
        struck = False
        if isinstance(target, Unit):
            yield from self.challenges(attackers, target)
            if target not in self.units or not all(unit in self.units for unit in attackers):  # BT-R-50
                return
            struck = yield from self.first_strike(attackers, target)
            attackers = [unit for unit in attackers if unit in self.units and unit.hex == places[unit]]
            if not attackers:  # BT-R-38
                return
        rolled = yield from self.strike(ATTACK, attackers, hex_)
        if self.piece(hex_) is None:
            yield from self.momentum(attackers, hex_, bonus)
        elif isinstance(target, Unit) and target in self.units and target.hex == hex_ and not struck:
            yield from self.battle_back(target, attackers, rolled)

    def challenges(self, attackers: list[Unit], target: Unit) -> Play[None]:
        """W-MELEE-START, the active player first (DP-13)."""
        for side in (self.active, 1 - self.active):
            duellists = [unit for unit in attackers if self.has_leader(unit)]
            if target not in self.units or not self.has_leader(target) or not duellists:
                return
            if (yield from self.window(side, "W-MELEE-START", ["D-22"])):
                duellist = yield from self.name_one(self.active, "duellist", duellists)
                self.duel(side, duellist.hex, target.hex)

    def duel(self, challenger: int, attacker: int, defender: int) -> None:
        """Personal Challenge (BT-DRAGON-31)."""
        own, other = self.leader(attacker), self.leader(defender)
        assert own is not None
        assert other is not None
        leaders = {own.side: own, other.side: other}
        faces = {}
        for side in (self.active, 1 - self.active):
            dice = self.command(side) + (2 if side == challenger else 0)
            dice += self.hands[side].honor > self.hands[1 - side].honor
            dice += leaders[side].rank > leaders[1 - side].rank
            faces[side] = self.roll(dice)
        swords = {side: faces[side].count("X") for side in leaders}
        for side in (self.active, 1 - self.active):
            if swords[side] < swords[1 - side]:
                self.remove_leader(leaders[side])
                self.lose_command_card(side)  # BT-R-75
        for side in (self.active, 1 - self.active):
            self.gain(side, faces[side].count("H"))

    def first_strike(self, attackers: list[Unit], target: Unit) -> Play[bool]:
        """W-FIRST: First Strike or Ambush, never both (BT-CMD-20, BT-CMD-21, BT-DRAGON-16, DP-14)."""
        side = target.side
        hand = self.hands[side]
        struck = [unit for unit in attackers if self.may_melee(target, unit.hex)]
        if not struck:
            return False
        ambush = not hand.dragon_played and self.affordable(side, "D-07") and self.may_be_held("D-07")
        if not (hand.command and self.may_be_held("C-FIRST")) and not (ambush and hand.dragon):
            return False
        options = [PASS]
        options += [("command", "C-FIRST")] if "C-FIRST" in hand.command else []
        options += [("dragon", "D-07")] if ambush and "D-07" in hand.dragon else []
        answer = yield from self.ask(side, "W-FIRST", options, hidden=True)
        if answer == PASS:
            return False
        if answer[0] == "command":
            hand.command.remove("C-FIRST")
            self.first_strikes += 1
        else:
            self.play_dragon(side, "D-07")
        unit = yield from self.name_one(side, "struck", struck)
        extra = 1 if answer[0] == "dragon" else 0
        yield from self.strike(FIRST, [target], unit.hex, extra=extra)
        return True

    def battle_back(self, unit: Unit, attackers: list[Unit], rolled: int) -> Play[None]:
        """DP-28 (BT-BATTLEBACK-01..07, BT-LEVY-CHARGE-03)."""
        against = [one for one in attackers if self.may_melee(unit, one.hex)]
        answer = yield from self.pick(unit.side, "battle back", against)
        if answer is not None:
            yield from self.strike(BACK, [unit], answer.hex, rolled=rolled)

    def pick(self, side: int, point: str, units: list[Unit]) -> Play[Unit | None]:
        """One of these units or none."""
        answer = yield from self.ask(side, point, [PASS, *(("hex", unit.hex) for unit in units)])
        return None if answer == PASS else self.unit(answer[1])

    def momentum(self, attackers: list[Unit], hex_: int, bonus: int) -> Play[None]:
        """Taking ground and bonus melee (BT-MOMENTUM-01..08, DP-24..27)."""
        able = [unit for unit in attackers if unit.kind != "BG"]
        if not able:
            return
        legendary = (yield from self.window(self.active, "W-SUCCESS-A", ["D-19"])) is not None
        unit = yield from self.pick(self.active, "take ground", able)
        if unit is None:
            return
        if (yield from self.window(1 - self.active, "W-GROUND-D", ["D-34"])):  # BT-DRAGON-43
            unpaid = self.lose(self.active, 2)
            if unpaid:
                yield from self.lack_of_honor(self.active, unpaid)
            return
        leader = self.leader(unit.hex)
        unit.hex = hex_
        if leader is not None:
            leader.hex = hex_
        self.watch()
        self.arrived(unit)
        if unit not in self.units or not self.ground(hex_).battle[unit.cavalry]:  # BT-MOMENTUM-05
            return
        entitled = bonus == 0 and (unit.cavalry or leader is not None)
        targets: list[Option] = [("hex", other) for other in self.melee_targets(unit)]
        if (entitled or legendary) and targets:
            answer = yield from self.ask(self.active, "bonus melee", [PASS, *targets])
            if answer != PASS:
                yield from self.melee([unit], answer[1], bonus + 1)

    # One roll

    def base_dice(self, kind: str, unit: Unit, target: Unit | Leader) -> int:
        """Dice of a unit under the caps of both hexes (BT-RANGED-06, BT-MELEE-04, BT-TERRAIN-03)."""
        here, there = self.ground(unit.hex), self.ground(target.hex)
        if kind == SHOT:
            base = unit.troop.ranged[distance(unit.hex, target.hex)]
            if unit.moved and unit.troop.weapon == "bow":  # BT-UNITS-01, BT-R-93
                base = 1
            return min(base, here.out_ranged[unit.cavalry], there.in_ranged[unit.cavalry])
        base = unit.blocks if unit.kind == "BG" else unit.troop.melee  # BT-ARMY-COMMANDER-04
        into = there.in_melee[unit.cavalry]
        if self.terrain[target.hex] == self.terrain[unit.hex] == "hill":  # BT-TERRAIN-04
            into = base
        return min(base, here.out_melee[unit.cavalry], into)

    def bonus_dice(self, kind: str, unit: Unit) -> int:
        """Dice from the command card and from dragon cards that hold all turn (BT-RANGED-07, BT-MELEE-05)."""
        assert self.effective is not None
        dice = 0
        if unit.ordered and kind in (SHOT, ATTACK):  # BT-BATTLEBACK-05
            dice += self.effective.family == "SHOGUN"
            dice += self.effective.family == "CAVALRY" and unit.by_card and kind == ATTACK
        if kind == SHOT:
            dice += "D-12" in self.effects and unit.troop.weapon == "bow"
            dice += "D-16" in self.effects and unit.kind == "AA"
        else:
            dice += "D-01" in self.effects and unit.symbol == "T" and unit.side == self.active
        return dice

    def can_be_inspired(self, unit: Unit) -> bool:
        """BT-INSPIRE-01, BT-INSPIRE-05, BT-INSPIRE-07."""
        if self.terrain[unit.hex] == "buildings" or self.hands[unit.side].honor == 0:
            return False
        close = [leader for leader in self.leaders_of(unit.side) if leader.hex in near(unit.hex)]
        return self.has_leader(unit) or any(leader.kind in {"LM", "AC"} for leader in close)

    def strike(
        self,
        kind: str,
        rollers: list[Unit],
        hex_: int,
        shots: Shots | None = None,
        *,
        extra: int = 0,
        rolled: int = 0,
    ) -> Play[int]:
        """A combat roll with its windows and results; returns the number of dice without re-rolls."""
        target = self.piece(hex_)
        assert target is not None
        roll = Roll(kind, rollers, target)
        for unit in rollers:
            roll.dice[unit] = self.base_dice(kind, unit, target) + self.bonus_dice(kind, unit) + extra
        # The ledger gives no order among the levies of a charge; it is that of the deployment.
        for unit in sorted(rollers, key=self.units.index) if roll.melee else []:
            if self.can_be_inspired(unit) and (yield from self.ask(roll.side, "inspire", [PASS, YES])) == YES:
                self.lose(roll.side, 1)  # DP-15
                roll.dice[unit] += 1
                roll.inspired += 1
        yield from self.before_roll(roll, rolled)
        dice = roll.total()
        self.throw(roll, dice)
        yield from self.after_roll(roll, dice, shots)
        yield from self.results(roll, shots)
        return dice

    def before_roll(self, roll: Roll, rolled: int) -> Play[None]:
        """W-PRE-R and W-PRE-O (DP-16, DP-17, BT-R-95)."""
        against_unit = isinstance(roll.target, Unit)
        fitting = ["D-14"] if against_unit else []
        weak = [unit for unit in roll.rollers if unit.blocks == 1]
        led = [unit for unit in roll.rollers if self.has_leader(unit)]
        if roll.melee:
            fitting += ["D-06", *(["D-10"] if weak else [])]
            fitting += ["D-17"] if roll.kind == ATTACK and led else []
            fitting += ["D-29"] if roll.kind == BACK else []
        card = yield from self.window(roll.side, "W-PRE-R", fitting)
        if card == "D-10":
            unit = yield from self.name_one(roll.side, "desperate", weak)
            roll.dice[unit] += 2
        elif card == "D-17":
            yield from self.name_one(roll.side, "collector", led)
        roll.terror, roll.cowards, roll.collector = card == "D-06", card == "D-14", card == "D-17"
        roll.exactly = rolled if card == "D-29" else None

        fitting = ["D-15"] if against_unit else []
        fitting += ["D-02b"] if against_unit and self.leader(roll.target.hex) else []
        fitting += ["D-25"] if roll.kind == ATTACK else []
        card = yield from self.window(1 - roll.side, "W-PRE-O", fitting)
        roll.courage = card in {"D-15", "D-02b"}
        if card == "D-25":
            roll.capped = yield from self.name_one(1 - roll.side, "aikido", roll.rollers)

    def name_one(self, side: int, point: str, units: list[Unit]) -> Play[Unit]:
        """Which participant of a charge a card means (BT-R-94)."""
        answer = yield from self.ask(side, point, [("hex", unit.hex) for unit in units])
        unit = self.unit(answer[1])
        assert unit is not None
        return unit

    def throw(self, roll: Roll, dice: int) -> None:
        """The dice, and those that are rolled again for more (BT-ARMY-COMMANDER-05, BT-DRAGON-25)."""
        faces = self.roll(dice)
        guard = roll.melee and roll.rollers[0].kind == "BG"
        volley = not roll.melee and roll.rollers[0].kind == "AA" and "D-16" in self.effects
        if guard or volley:
            faces += self.roll(faces.count("X"))
        roll.faces = Counter(faces)

    def after_roll(self, roll: Roll, dice: int, shots: Shots | None) -> Play[None]:
        """W-POST-R and W-POST-O (DP-18, DP-19)."""
        if roll.melee and (yield from self.window(roll.side, "W-POST-R", ["D-32"])):
            self.throw(roll, dice)
        against_unit = isinstance(roll.target, Unit)
        fitting = []
        if roll.melee:
            fitting += ["D-02a"] if against_unit and self.leader(roll.target.hex) else []
        elif against_unit:
            fitting += ["D-30"]
        card = yield from self.window(1 - roll.side, "W-POST-O", fitting)
        roll.courage = roll.courage or card == "D-02a"
        if card == "D-30":
            assert shots is not None
            assert isinstance(roll.target, Unit)
            if shots.target is roll.target:
                roll.target.blocks += shots.lost
            shots.armored = roll.target
        roll.armor = shots is not None and shots.armored is not None and shots.armored is roll.target

    # What a roll does

    def ignored_swords(self, roller: Unit, unit: Unit) -> int:
        """BT-MELEE-08, BT-MELEE-10."""
        if "BG" in (roller.kind, unit.kind):
            return 0
        stature = 1 if unit.cavalry and roller.infantry else 0
        return stature + max(0, RANK[unit.symbol] - RANK[roller.symbol])

    def hits(self, roll: Roll, unit: Unit) -> int:
        """BT-RANGED-09, BT-MELEE-07."""
        faces, roller = roll.faces, roll.rollers[0]
        if not roll.melee:
            if roll.armor:
                return 0
            return faces[unit.symbol] + (faces["X"] if roller.kind == "AA" else 0)  # BT-UNITS-06
        swords = max(0, faces["X"] - self.ignored_swords(roller, unit))
        return swords + (0 if unit.kind == "BG" else faces[unit.symbol])

    def honor_won(self, roll: Roll) -> int:
        """BT-RANGED-10, BT-MELEE-11, BT-R-14, BT-R-34."""
        roller, target = roll.rollers[0], roll.target
        if not roll.melee:
            return roll.faces["H"] if roller.troop.weapon == "bow" else 0
        low = isinstance(target, Unit) and roller.cavalry and target.symbol in {"T", "C"}
        if low or target.kind == "LI":
            return 0
        return max(0, roll.faces["H"] - roll.inspired)

    def results(self, roll: Roll, shots: Shots | None) -> Play[None]:
        """Blocks, honor, leader check, a leader left alone, flags (BT-MELEE-15)."""
        target = roll.target
        if isinstance(target, Leader):
            yield from self.against_leader(roll, target)
            return
        lost = self.hit(target, self.hits(roll, target))
        if shots is not None:
            shots.target, shots.lost = target, lost
        self.gain(roll.side, self.honor_won(roll))
        if roll.collector:
            self.gain(roll.side, 2 * lost)  # BT-DRAGON-26
        if lost:
            yield from self.leader_check(roll, target)
        if target in self.units:
            yield from self.flags(roll, target)

    def against_leader(self, roll: Roll, leader: Leader) -> Play[None]:
        """BT-LEADERS-20..22."""
        if roll.faces["X"]:
            self.eliminate(leader)
        self.gain(roll.side, self.honor_won(roll))
        if leader in self.leaders:
            yield from self.leader_fate(leader)

    def leader_check(self, roll: Roll, unit: Unit) -> Play[None]:
        """BT-LEADER-LOSS-01..07."""
        leader = self.leader(unit.hex)
        if leader is None:
            return
        alive = unit in self.units
        dice = 2 if leader.kind == "AC" or (not roll.melee and alive) else 1  # BT-R-15
        if self.roll(dice) == "X" * dice:
            self.eliminate(leader)
        elif not alive:
            self.left_alone(unit.hex)
            yield from self.leader_fate(leader)

    # Flags

    def support(self, unit: Unit) -> bool:
        """BT-MORALE-03, BT-LEADERS-08."""
        pieces = [self.piece(other) for other in near(unit.hex)]
        return sum(piece is not None and piece.side == unit.side for piece in pieces) >= 2

    def allowance(self, roll: Roll, unit: Unit) -> int:
        """How many flags may be ignored (BT-MORALE-02..08, BT-DRAGON-USE-07)."""
        if roll.cowards:
            return 0
        rules = [all_ for side, all_ in self.flag_rules if side == unit.side]
        rules += [True] if roll.courage else []
        if rules:
            return 99 if rules[-1] else 0
        sources = [self.support(unit), self.has_leader(unit), unit.symbol == "S"]
        ground = self.terrain[unit.hex]
        sources.append(ground == "bridge")
        if unit.infantry:
            sources.append(ground == "fence" and roll.rollers[0].cavalry)
            sources.append(ground in {"palisade", "castle"})
        return min(2, sum(sources))

    def flags(self, roll: Roll, unit: Unit) -> Play[None]:
        """DP-20, then the retreat (BT-MORALE-01, BT-MORALE-09)."""
        flags = roll.faces["F"] * (2 if roll.terror else 1)
        if unit.kind == "BG" or flags == 0:
            return
        most = min(flags, self.allowance(roll, unit))
        least = 1 if most and unit.infantry and self.terrain[unit.hex] == "castle" else 0
        options: list[Option] = [("number", number) for number in range(least, most + 1)]
        answer = yield from self.ask(unit.side, "flags", options)
        yield from self.retreat(unit, flags - answer[1])
