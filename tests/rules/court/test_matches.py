"""Whole matches with the court, played at random and followed by a small model of sections 18 to 24."""

import random
from typing import Any

import pytest

from sengoku import Match

KEPT = {4, 10, 11, 18}
PRICES = (4, 3, 2)


class Ledger:
    """Officers and favours of a match by the rules alone; `season` follows the log of one court."""

    def __init__(self, match: Match) -> None:
        state = match.state()
        out = next(event["out"] for event in match.log if event["event"] == "tower_filled")
        self.seats = match.seats
        self.entrance = out[: self.seats]  # CT-SETUP-03
        self.deck = state["court"]["laid"] + state["court"]["deck"]

    def converted(self, before: dict[str, Any], order: list[int]) -> list[dict[str, Any]]:
        """Part 1 (CT-COURT-01 to CT-COURT-04, CT-R-02, CT-R-05): the entries that the log must have."""
        logged: list[dict[str, Any]] = []
        tray = list(before["tray"])
        for seat in order:
            for number in (3, 2, 1):
                space = f"convert{number}"
                card = before["players"][seat]["plan"][space]
                if card == "empty":
                    continue
                logged.append({"event": "card_revealed", "seat": seat, "space": space, "card": card})
                if card.startswith("treasure"):
                    continue
                there = tray[seat] if card == "tower" else before["provinces"][card]["armies"] - 1
                if number > min(there, 7 - self.entrance[seat]):
                    logged.append({"event": "not_converted", "seat": seat, "space": space})
                    continue
                tray[seat] -= number if card == "tower" else 0
                self.entrance[seat] += number
                where = None if card == "tower" else card
                logged.append({"event": "converted", "seat": seat, "armies": number, "province": where})
        return logged

    def season(self, before: dict[str, Any], log: list[dict[str, Any]]) -> None:
        """Compares a court with what had to happen; the choices of favours are those of the log."""
        order = log[0]["order"]
        logged = self.converted(before, order)
        assert log[1 : 1 + len(logged)] == logged
        waiting = sorted((seat for seat in order if self.entrance[seat]), key=lambda s: -self.entrance[s])
        assert log[1 + len(logged)] == {"event": "court_order", "order": waiting}  # CT-COURT-05, CT-R-03
        laid: list[int | None] = sorted(self.deck[:3], reverse=True)  # CT-FAV-01
        del self.deck[:3]
        rest = iter(log[2 + len(logged) :])
        event = next(rest)
        for seat in waiting:
            if laid == [None] * 3:
                break  # CT-COURT-09
            assert event == {"event": "audience", "seat": seat, "officers": self.entrance[seat]}
            event = next(rest)
            assert event["seat"] == seat
            if event["event"] == "favour_taken":
                place = laid.index(event["card"])
                assert event["price"] == PRICES[place] <= self.entrance[seat]  # CT-COURT-06, CT-COURT-07
                self.entrance[seat] -= event["price"]
                laid[place] = None
            else:
                assert event["event"] == "no_favour"
            event = next(rest)
            while event["event"] not in {"audience", "court_closed"}:
                event = next(rest)
        assert event == {"event": "court_closed", "left": [card for card in laid if card]}  # CT-COURT-10


@pytest.mark.parametrize("reveal", ["sequential", "per_action"])
@pytest.mark.parametrize(
    ("seats", "side", "mode"),
    [(3, "sun", "fixed"), (4, "sun", "draft"), (5, "sun", "fixed"), (5, "moon", "draft")],
)
def test_random_matches(seats: int, side: str, mode: str, reveal: str) -> None:
    # CT-SETUP-02, CT-ROUND-02, CT-FAV-01, CT-FAV-02, CT-COURT-01, CT-COURT-04, CT-COURT-05, CT-COURT-10:
    # officers change in the court and nowhere else
    setup = {"court": True, "side": side, "mode": mode, "reveal": reveal}
    for seed in range(2):
        match = Match.create("tower", seats=seats, seed=seed, setup=setup)
        chooser = random.Random(seed)
        while match.state()["round"] == "setup":
            match.play(chooser.choice(match.legal_actions()))
        ledger, courts, heard = Ledger(match), 0, 0
        while not match.over:
            before = match.state()
            assert {card for player in before["players"] for card in player["kept"]} <= KEPT
            if before["phase"] != 7:
                found = [tuple(player["officers"].values()) for player in before["players"]]
                assert found == [(7 - officers, officers, 0) for officers in ledger.entrance]
            if before["phase"] == 4:
                for _space in range(14 * seats):
                    match.play(chooser.choice(match.legal_actions()))
                continue
            match.play(chooser.choice(match.legal_actions()))
            if before["phase"] != 6 or match.state()["phase"] == 6:
                continue  # the turn order is not known yet, or long since
            while not match.over and match.state()["phase"] == 7:
                legal = match.legal_actions()
                eager = [action for action in legal if action.name == "favour"] or legal
                match.play(chooser.choice(eager if chooser.random() < 0.7 else legal))
            kinds = [event["event"] for event in match.log]
            start, heard = kinds.index("turn_order", heard), kinds.index("court_closed", heard) + 1
            ledger.season(before, match.log[start:heard])
            courts += 1
        assert (courts, len(ledger.deck)) == (6, 3)
        assert match.state()["court"]["deck"] == ledger.deck
