# ruff: noqa: D102 - a method for each kind of entry, explained in rust/tower/README.md
"""A slow, obvious referee of `tower`: it reads the log of a match and checks every entry against the rules.

It knows only the log, the board file and the rule ledger. What it has recorded must equal the engine's state.
"""

from collections import Counter
from typing import Any

from differential.model_tower_books import (
    BOARD,
    EFFECT,
    FARMER,
    FAVOUR,
    LOSS,
    PRICE,
    Entry,
    revolts_of,
)
from differential.model_tower_court import Court


class Referee(Court):
    """Follows a match through its log."""

    # Set-up

    def draft_opened(self, open: list[str]) -> None:  # noqa: A002 - the name in the log
        assert len(set(open)) == 2
        self.face_up = list(open)

    def draft_refreshed(self, seat: int, open: list[str]) -> None:  # noqa: A002
        del seat
        assert set(open).isdisjoint(self.face_up)
        self.face_up = list(open)

    def draft_taken(self, seat: int, province: str, position: int | None) -> None:
        assert self.owner[province] is None
        if position is None:
            assert province not in self.face_up
        else:
            assert self.face_up[position] == province
        self.drafted = (seat, province)

    def draft_replaced(self, position: int, province: str) -> None:
        self.face_up[position] = province

    def group_placed(self, seat: int, province: str, armies: int) -> None:
        if self.options["mode"] == "draft":
            assert self.drafted == (seat, province)
        self.owner[province], self.armies[province] = seat, armies
        self.supply[seat] -= armies

    def tower_filled(self, thrown: list[int], out: list[int]) -> None:
        assert thrown == [7 if seat < self.n else 0 for seat in range(5)] + [10]
        self.tower = [cubes - back for cubes, back in zip(thrown, out, strict=True)]
        self.supply = [have - inside for have, inside in zip(self.supply, self.tower, strict=True)]
        self.filled = out

    def officers_granted(self, seat: int, officers: int) -> None:
        assert officers == self.filled[seat]
        self.officers[seat] = {"supply": 7 - officers, "entrance": officers, "hall": 0}

    def events_opened(self, year: int, cards: list[int]) -> None:
        assert (len(cards), sorted(cards)) == (4, cards)
        if year == 1:
            self.chests = [{3: 18, 4: 15, 5: 12}[self.n]] * self.n
        self.year, self.open = year, set(cards)

    # A season

    def season_begun(self, year: int, round: str) -> None:  # noqa: A002
        rounds = ["setup", "spring", "summer", "autumn"]
        assert round == ("spring" if self.round == "winter" else rounds[rounds.index(self.round) + 1])
        self.year, self.round = year, round
        self.place = 0

    def action_cards(self, cards: list[str]) -> None:
        assert len(set(cards)) == 5
        self.actions = list(cards)

    def special_cards(self, cards: list[str]) -> None:
        assert len(set(cards)) == 5
        self.on_slot = cards

    def favours_laid(self, cards: list[int]) -> None:
        assert cards == sorted(cards, reverse=True)
        self.laid = list(cards)

    def plans_closed(self, empty: list[list[str]]) -> None:
        spaces = 14 if self.options["court"] else 11
        for seat, list_of in enumerate(empty):
            cards = len(self.owned(seat)) + (8 if self.options["court"] else 5)
            assert len(list_of) == max(0, spaces - cards)
        self.plan = [dict.fromkeys(list_of, "empty") for list_of in empty]

    def event_drawn(self, card: int, effect: str) -> None:
        assert card in self.open
        assert effect == EFFECT[card]
        self.open.remove(card)
        self.event, self.removed = card, False
        self.bids: list[tuple[int, int]] = []
        self.lot: dict[int, int] = {}

    def show(self, seat: int, space: str, card: str) -> None:
        """A card is turned up: it belongs to the player and lies nowhere else."""
        if card == "empty":
            assert self.plan[seat].get(space) == "empty"
            return
        assert space not in self.plan[seat]
        if card == "tower":
            assert sum(other == "tower" for other in self.plan[seat].values()) < 3
        else:
            assert card not in self.plan[seat].values()
            assert card.startswith("treasure_") or self.owner[card] == seat
        self.plan[seat][space] = card

    def bid(self, seat: int, card: str, paid: int) -> None:
        self.show(seat, "bid", card)
        value = int(card[-1]) if card.startswith("treasure_") else 0
        assert paid == value <= self.chests[seat]
        self.chests[seat] -= paid
        rank = 4 - value if value else {"empty": 6, "treasure_0": 5, "tower": 5}.get(card, 4)
        self.bids.append((rank, seat))

    def lots(self, order: list[int]) -> None:
        ranks = {seat: rank for rank, seat in self.bids}
        tied = {seat for seat in ranks if ranks[seat] == ranks[order[0]]}
        assert tied == set(order)
        assert len(order) > 1
        self.lot |= {seat: place for place, seat in enumerate(order)}

    def slot_taken(self, seat: int, slot: int, special: str) -> None:
        if not any(self.slot):
            self.choosing = [
                bidder for _, bidder in sorted(self.bids, key=lambda bid: (bid[0], self.lot.get(bid[1], 0)))
            ]
        assert self.choosing.pop(0) == seat
        assert slot not in self.slot
        assert special == self.on_slot[slot - 1]
        self.slot[seat], self.special[seat] = slot, special

    def turn_order(self, order: list[int]) -> None:
        assert order == sorted(range(self.n), key=lambda seat: self.slot[seat])
        self.order = order

    def action_revealed(self, place: int, action: str) -> None:
        assert place == len(self.actions) + 1 == self.place + 5
        assert action not in self.actions
        self.actions.append(action)

    def action_begun(self, place: int, action: str) -> None:
        assert place == self.place + 1
        assert len(self.actions) == min(10, 4 + place)
        assert self.actions[place - 1] == action
        self.place, self.turn = place, -1

    def card_revealed(self, seat: int, space: str, card: str) -> None:
        self.show(seat, space, card)
        if self.place:
            assert space == self.actions[self.place - 1]
        if not space.startswith("convert"):
            assert self.order.index(seat) > self.turn
            self.turn = self.order.index(seat)

    def planned(self, seat: int, action: str) -> str:
        """The province of the action under way."""
        assert action == self.actions[self.place - 1]
        province = self.plan[seat][action]
        assert self.owner[province] == seat
        return province

    def recruits(self, seat: int, action: str) -> int:
        """Armies of a DEPLOY action (TW-ACT-06)."""
        few = self.effect == "few_recruits"
        armies = {"deploy5": 3 if few else 5, "deploy3": 2 if few else 3, "deploy1": 1}[action]
        return 6 if action == "deploy5" and self.special[seat] == "six_armies" else armies

    def targets(self, seat: int, province: str, action: str) -> set[str]:
        """Where armies may go (TW-MOVE-03)."""
        found = set()
        for other in self.next[province]:
            owner = self.owner[other]
            if owner is not None and owner != seat:
                kinds = {FAVOUR[card]["kind"] for card in self.kept[owner]}
                if kinds & {"immune_ab", "immune_a" if action == "battle_a" else "immune_b"}:
                    continue
                if self.effect == "temple_shield" and "temple" in self.buildings[other]:
                    continue
            found.add(other)
        return found

    def passed(self, seat: int, action: str, province: str, reason: str) -> None:
        assert self.planned(seat, action) == province
        if action in PRICE:
            wrong = {
                "chests": self.chests[seat] < PRICE[action],
                "built": action in self.buildings[province],
                "sites": len(self.buildings[province]) == self.map[province]["sites"],
                "tiles": self.tiles(action) == 0,
            }
        elif action.startswith("deploy"):
            price = {"deploy5": 3, "deploy3": 2, "deploy1": 1}[action]
            wrong = {
                "chests": self.chests[seat] < price,
                "supply": self.supply[seat] < self.recruits(seat, action),
            }
        else:
            wrong = {
                "armies": self.armies[province] < 2,
                "targets": not self.targets(seat, province, action),
            }
        assert wrong[reason]

    def built(self, seat: int, province: str, building: str, paid: int) -> None:
        assert self.owner[province] == seat
        if self.taken is None:
            assert self.planned(seat, building) == province
            assert paid == PRICE[building] <= self.chests[seat]
        else:
            assert paid == 0
        assert building not in self.buildings[province]
        assert len(self.buildings[province]) < self.map[province]["sites"]
        assert self.tiles(building) > 0
        self.chests[seat] -= paid
        self.buildings[province].add(building)

    def unrest_changed(self, province: str, markers: int) -> None:
        assert abs(self.unrest[province] - markers) == 1
        assert self.owner[province] is not None
        self.unrest[province] = markers

    def collected(self, seat: int, action: str, province: str, amount: int) -> None:
        assert self.planned(seat, action) == province
        expected = self.map[province][action]
        if action == "tax":
            expected = {"tax_max_5": min(expected, 5), "tax_min_6": max(expected, 6)}.get(
                self.effect, expected
            )
            expected += self.special[seat] == "chest_plus_1"
            self.chests[seat] += amount
        else:
            expected = {"rice_min_4": max(expected, 4), "rice_max_3": min(expected, 3)}.get(
                self.effect, expected
            )
            expected += self.special[seat] == "rice_plus_1"
            self.rice[seat] += amount
        assert amount == expected

    def deployed(self, seat: int, province: str, armies: int, paid: int) -> None:
        if self.taken is None:
            action = self.actions[self.place - 1]
            assert self.planned(seat, action) == province
            assert armies == self.recruits(seat, action)
            assert paid == {"deploy5": 3, "deploy3": 2, "deploy1": 1}[action] <= self.chests[seat]
        else:
            assert (armies, paid) == (FAVOUR[self.taken]["amount"], 0)
            assert self.owner[province] in (seat, None)
        assert armies <= self.supply[seat]
        self.supply[seat] -= armies
        self.chests[seat] -= paid
        if self.owner[province] == seat:
            self.armies[province] += armies
        else:
            self.battle = {"armies": armies, "winner": "attacker"}

    def moved(self, seat: int, armies: int, **ends: str) -> None:
        start, end = ends["from"], ends["to"]
        assert self.planned(seat, self.actions[self.place - 1]) == start
        assert self.owner[end] == seat
        assert end in self.next[start]
        assert 1 <= armies < self.armies[start]
        self.armies[start] -= armies
        self.armies[end] += armies

    def stayed(self, seat: int, province: str) -> None:
        action = self.actions[self.place - 1]
        assert self.planned(seat, action) == province
        assert action == "deploy1" or self.options["allow_zero_move"]

    # Battles

    def attack(self, seat: int, armies: int, defender: int | None, **more: Any) -> None:
        start, end = more["from"], more["to"]
        action = self.actions[self.place - 1]
        assert self.planned(seat, action) == start
        assert self.owner[end] == defender != seat
        assert end in self.targets(seat, start, action)
        assert 1 <= armies < self.armies[start]
        self.armies[start] -= armies
        thrown = [0] * 6
        assert more["attacker_more"] == self.take(seat, self.special[seat] == "attack_plus_1")
        thrown[seat] = armies + more["attacker_more"]
        if defender is None:
            assert more["defender_more"] == 0
            assert more["farmers"] == self.take(FARMER, 2 if self.effect == "neutral_two_farmers" else 1)
            thrown[FARMER] = more["farmers"]
        else:
            wanted = (self.special[defender] == "defence_plus_1") + (
                self.effect == "castle_defence" and "castle" in self.buildings[end]
            )
            assert (more["defender_more"], more["farmers"]) == (self.take(defender, wanted), 0)
            thrown[defender] = self.armies[end] + more["defender_more"]
            self.armies[end] = 0
        self.battle = {"kind": "attack", "by": seat, "against": defender, "at": end, "thrown": thrown}

    def revolt(self, seat: int, province: str, farmers: int, wanted: int) -> None:
        assert self.owner[province] == seat
        if self.round == "winter":
            assert province in self.pending
            self.pending.remove(province)
        assert wanted == self.unrest[province] + self.extra
        assert farmers == self.take(FARMER, wanted)
        thrown = [0] * 6
        thrown[seat], thrown[FARMER] = self.armies[province], farmers
        self.armies[province] = 0
        self.battle = {"kind": "revolt", "by": FARMER, "against": seat, "at": province, "thrown": thrown}

    def thrown(self, cubes: list[int], tray: list[int]) -> None:
        assert cubes == [one + other for one, other in zip(self.battle["thrown"], self.tray, strict=True)]
        self.tower = [had + into - out for had, into, out in zip(self.tower, cubes, tray, strict=True)]
        assert min(self.tower) >= 0
        self.tray = list(tray)

    def settled(self, province: str, winner: str, armies: int, tray: list[int]) -> None:
        battle = self.battle
        assert battle["at"] == province
        tray_now = self.tray
        if battle["kind"] == "revolt":
            seat = battle["against"]
            own, farmers = tray_now[seat], tray_now[FARMER]
            tray_now[seat] = tray_now[FARMER] = 0
            self.supply[FARMER] += farmers
            expected = ("defender", own - farmers) if own > farmers else ("attacker", 0)
            self.supply[seat] += own - expected[1]
            self.armies[province] = expected[1]
        else:
            by, against = battle["by"], battle["against"]
            a = tray_now[by]
            d = 0 if against is None else tray_now[against]
            fights = against is None or self.unrest[province] == 0
            f = tray_now[FARMER] if fights else 0
            tray_now[by] = 0
            if against is not None:
                tray_now[against] = 0
            tray_now[FARMER] -= f
            self.supply[FARMER] += f
            if a > d + f:
                expected = ("attacker", a - d - f)
                self.supply[by] += d + f
                lost = d
            elif a < d + f and d >= 1:
                lost = max(0, a - f)
                expected = ("defender", d - lost)
                self.supply[by] += a
                self.armies[province] = d - lost
            else:
                expected = ("none", 0)
                self.supply[by] += a
                lost = d
            if against is not None:
                self.supply[against] += lost
        assert (winner, armies) == expected
        assert tray == tray_now
        battle |= {"winner": winner, "armies": armies}

    def card_lost(self, seat: int, province: str, space: str | None) -> None:
        assert self.owner[province] == seat
        shown = [known for known, card in self.plan[seat].items() if card == province]
        if space is None:
            assert not shown
        else:
            assert shown in ([space], [])
            assert self.plan[seat].get(space, province) == province
            self.plan[seat][space] = "empty"

    def conquered(self, seat: int, province: str, **more: Any) -> None:
        assert self.owner[province] == more["from"]
        assert self.battle["winner"] == "attacker"
        self.owner[province], self.armies[province] = seat, self.battle["armies"]

    def neutral(self, province: str) -> None:
        assert self.battle["winner"] != "defender"
        self.owner[province], self.armies[province], self.unrest[province] = None, 0, 0
        self.buildings[province] = set()

    def bumped(self, cube: int) -> None:
        assert self.options["bump_65536"] is not None
        assert self.tower[cube] > 0
        self.tower[cube] -= 1
        self.tray[cube] += 1

    # The end of a season, winter, and the end

    def season_over(self, round: str) -> None:  # noqa: A002
        assert (round, self.place) == (self.round, 10)
        for seat in range(self.n):
            self.kept[seat] = {card for card in self.kept[seat] if FAVOUR[card]["kind"] == "remove_unrest"}
        self.plan = [{} for _ in range(self.n)]
        self.special = [""] * self.n
        if round != "autumn":
            self.slot = [0] * self.n
        self.event, self.removed, self.place = None, False, 0

    def rice_lost(self, card: int, loss: int, rice: list[int]) -> None:
        assert self.open == {card}
        assert loss == (self.options["event12_rice_loss"] if card == 12 else LOSS[card])
        self.rice = [max(0, had - loss) for had in self.rice]
        assert rice == self.rice
        self.round = "winter"
        self.shortage: dict[int, int] = {}

    def supplied(self, seat: int, provinces: int, rice: int, shortage: int) -> None:
        assert provinces == len(self.owned(seat))
        assert shortage == max(0, provinces - self.rice[seat])
        self.rice[seat] = max(0, self.rice[seat] - provinces)
        assert rice == self.rice[seat]
        if revolts_of(shortage)[0]:
            self.shortage[seat] = shortage

    def revolts_drawn(self, seat: int, by: int, provinces: list[str], extra_farmers: int) -> None:
        assert not self.pending
        assert by == (seat + 1) % self.n
        assert seat == min(self.shortage, key=self.order.index)
        revolts, self.extra = revolts_of(self.shortage.pop(seat))
        assert extra_farmers == self.extra
        assert len(set(provinces)) == len(provinces) == min(revolts, len(self.owned(seat)))
        assert all(self.owner[key] == seat for key in provinces)
        self.pending = list(provinces)

    def scored(self, seat: int, tally: Entry, score: int) -> None:
        assert not self.shortage
        assert not self.pending
        self.extra = 0
        own = self.owned(seat)
        points = len(own) + sum(len(self.buildings[key]) for key in own)
        assert tally["provinces"] == len(own)
        for kind, most_points in PRICE.items():
            for region in BOARD["region_ids"]:
                counts = Counter(
                    self.owner[key]
                    for key, row in self.map.items()
                    if row["region"] == region and kind in self.buildings[key]
                )
                most = max(counts.values(), default=0)
                gained = 0
                if most and counts[seat] == most:
                    gained = most_points - (list(counts.values()).count(most) > 1)
                assert tally["majorities"][kind].get(region, 0) == gained
                points += gained
        self.score[seat] += points
        assert score == self.score[seat]

    def year_over(self, year: int) -> None:
        assert year == self.year == 1
        self.rice = [0] * self.n
        self.unrest.clear()
        self.slot, self.order = [0] * self.n, []

    def over(self, reason: str, winners: list[int]) -> None:
        if reason == "second_winter":
            keys = list(zip(self.score, self.chests, strict=True))
            assert winners == [seat for seat in range(self.n) if keys[seat] == max(keys)]
        else:
            assert winners == []
