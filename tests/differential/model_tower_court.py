# ruff: noqa: D102 - a method for each kind of entry, explained in rust/tower/README.md
"""The entries of the court in the log of a `tower` match."""

from differential.model_tower_books import FAVOUR, Books


class Court(Books):
    """Checks the court."""

    def converted(self, seat: int, armies: int, province: str | None) -> None:
        card = self.plan[seat][f"convert{armies}"]
        assert card == (province or "tower")
        if province is None:
            assert self.tray[seat] >= armies
            self.tray[seat] -= armies
        else:
            assert self.armies[province] > armies
            self.armies[province] -= armies
        self.supply[seat] += armies
        assert self.officers[seat]["supply"] >= armies
        self.officers[seat]["supply"] -= armies
        self.officers[seat]["entrance"] += armies

    def not_converted(self, seat: int, space: str) -> None:
        count, card = int(space[-1]), self.plan[seat][space]
        there = self.tray[seat] if card == "tower" else self.armies[card] - 1
        assert there < count or self.officers[seat]["supply"] < count

    def court_order(self, order: list[int]) -> None:
        waiting = [seat for seat in self.order if self.officers[seat]["entrance"]]
        assert order == sorted(waiting, key=lambda seat: -self.officers[seat]["entrance"])
        self.waiting = list(order)

    def audience(self, seat: int, officers: int) -> None:
        assert self.waiting.pop(0) == seat
        assert any(self.laid)
        assert officers == self.officers[seat]["entrance"]
        self.officers[seat]["hall"] += officers
        self.officers[seat]["entrance"] = 0
        self.taken = None

    def favour_taken(self, seat: int, card: int, kind: str, price: int) -> None:
        assert self.laid[4 - price] == card
        assert kind == FAVOUR[card]["kind"]
        assert self.officers[seat]["hall"] >= price
        self.laid[4 - price] = None
        self.officers[seat]["hall"] -= price
        self.officers[seat]["supply"] += price
        self.taken = card

    def no_favour(self, seat: int) -> None:
        del seat

    def favour_gained(self, seat: int, kind: str, amount: int) -> None:
        assert self.taken is not None
        assert (kind, amount) == (FAVOUR[self.taken]["kind"], FAVOUR[self.taken]["amount"])
        if kind == "armies_to_tray":
            assert self.supply[seat] >= amount
            self.supply[seat] -= amount
            self.tray[seat] += amount
        else:
            {"chests": self.chests, "rice": self.rice, "points": self.score}[kind][seat] += amount

    def favour_without_effect(self, seat: int, card: int) -> None:
        favour = FAVOUR[card]
        kind = favour["kind"]
        if kind.startswith("armies"):
            assert self.supply[seat] < favour["amount"]
        elif kind.startswith("build"):
            building = kind.removeprefix("build_")
            assert not self.tiles(building) or all(
                building in self.buildings[key] or len(self.buildings[key]) == self.map[key]["sites"]
                for key in self.owned(seat)
            )
        else:
            assert kind == "cancel_event"
            assert self.removed

    def favour_kept(self, seat: int, card: int) -> None:
        if FAVOUR[card]["kind"] == "remove_unrest" and self.taken == card:
            assert not any(self.unrest[key] for key in self.owned(seat))
        self.kept[seat].add(card)

    def favour_used(self, seat: int, card: int, province: str) -> None:
        assert self.taken == card or card in self.kept[seat]
        self.kept[seat].discard(card)
        if FAVOUR[card]["kind"] == "remove_unrest":
            assert self.owner[province] == seat
            assert self.unrest[province] > 0

    def event_removed(self, seat: int, removed: bool) -> None:
        del seat
        assert self.taken is not None
        assert FAVOUR[self.taken]["kind"] == "cancel_event"
        self.removed = removed

    def court_closed(self, left: list[int]) -> None:
        assert left == [card for card in self.laid if card is not None]
        assert not self.waiting or not left
        for officers in self.officers:
            officers["entrance"] += officers["hall"]
            officers["hall"] = 0
        self.taken = None
