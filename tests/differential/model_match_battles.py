"""Declarations and battles in `swords`, written from the rule ledger alone."""

from __future__ import annotations

from collections.abc import Iterable

from differential.model_match_board import (
    ATTACKER,
    DEFENDER,
    DONE,
    NEAR,
    PASS,
    SEA,
    STEPS,
    STOP,
    Action,
    Army,
    Attacker,
    Play,
    Units,
    everybody,
    may_fall,
    regulars,
    ronin_room,
)
from differential.model_match_moves import Moves


class Battles(Moves):
    """Phases B and C of a war turn."""

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
        """Returns how it ended.

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
        """Steps 3 and 7 and the window after them; returns how the battle ended, if it did."""
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
        """Removes armies and forces without units; returns how the battle ended if its dice ended it."""
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
