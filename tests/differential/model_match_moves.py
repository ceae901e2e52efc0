"""Movement of armies and provincial forces in `swords`, written from the rule ledger alone."""

from __future__ import annotations

from differential.model_match_actions import Actions
from differential.model_match_board import (
    BOX_SIZE,
    DONE,
    NEAR,
    PROV_MAX,
    SOLDIERS,
    STOP,
    Action,
    Army,
    Play,
    Units,
    fits,
    regulars,
    soldiers,
)


class Moves(Actions):
    """Phases A and D of a war turn."""

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
