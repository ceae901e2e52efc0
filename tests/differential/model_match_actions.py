"""Setup, actions 1 to 6, the ninja and eliminations in `swords`, written from the rule ledger alone."""

from __future__ import annotations

from differential.model_match_board import (
    BUNDLES,
    DONE,
    PASS,
    PLAN,
    PROV_MAX,
    SOLDIERS,
    Action,
    Army,
    Clan,
    ModelError,
    Play,
    TurnOver,
    Units,
    fits,
    regulars,
    ronin_limit,
    soldiers,
)
from differential.model_match_questions import Questions


class Actions(Questions):
    """Everything in a round but its war turns."""

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
