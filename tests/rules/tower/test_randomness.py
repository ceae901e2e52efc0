"""Randomness (section 27): every draw of a match, from which stream, in which order, with which meaning."""

import random
from collections import Counter
from typing import Any

import pytest

from differential.model_tower import LEDGER, Numbers, Tower
from sengoku import Match, draws

ACTIONS = ["castle", "temple", "no", "rice", "tax", "deploy5", "deploy3", "deploy1", "battle_a", "battle_b"]
SPECIALS = ["chest_plus_1", "rice_plus_1", "six_armies", "attack_plus_1", "defence_plus_1"]
SEATS = ["red", "blue", "yellow", "purple", "black"]
"""The tower model names its cubes by colour; the seats have the colours in order unless said otherwise."""
BEST_FIRST = ["treasure_4", "treasure_3", "treasure_2", "treasure_1", "province", "treasure_0", "empty"]


def cubes_of(numbers: list[int]) -> dict[str, int]:
    """Six numbers as cubes by colour."""
    return {colour: count for colour, count in zip([*SEATS, "farmer"], numbers, strict=True) if count}


def numbers_of(cubes: list[str]) -> list[int]:
    """Cubes as six numbers."""
    found = Counter(cubes)
    return [found[colour] for colour in [*SEATS, "farmer"]]


class Ledger:
    """Chance in a match by the ledger alone; `hear` follows a log and reports where it differs."""

    def __init__(
        self, seed: int, match_index: int, *, seats: int, court: bool, draft: bool, bump: float = 0
    ) -> None:
        self.decks = Numbers("game", seed, match_index)
        self.tower = Tower(Numbers("tower", seed, match_index), LEDGER)
        self.seats, self.court, self.draft, self.bump = seats, court, draft, bump
        self.owner: dict[str, int] = {}
        self.open: list[int] = []
        self.bids: list[tuple[int, int]] = []
        self.fell: str | None = None
        self.battle: tuple[str, str] | None = None
        self.heard: Counter[str] = Counter()

    @property
    def draws(self) -> int:
        """Draws of the decks so far."""
        return self.decks.half // 2

    def shuffled(self, items: list[Any]) -> list[Any]:
        """A shuffle of TW-RNG-00 in the stream of the decks."""
        items = list(items)
        self.decks.shuffle(items)
        return items

    def hear(self, event: dict[str, Any]) -> None:
        """Compares what happened with what had to happen."""
        self.heard[event["event"]] += 1
        follow = getattr(self, "_on_" + event["event"], None)
        if follow is not None:
            follow(event)

    def province_deck(self, cards: list[str]) -> list[str]:
        """TW-RNG-01."""
        return self.shuffled(cards)

    def _on_group_placed(self, event: dict[str, Any]) -> None:
        self.owner[event["province"]] = event["seat"]

    def _on_conquered(self, event: dict[str, Any]) -> None:
        self.owner[event["province"]] = event["seat"]

    def _on_neutral(self, event: dict[str, Any]) -> None:
        del self.owner[event["province"]]

    def _on_tower_filled(self, event: dict[str, Any]) -> None:
        # TW-RNG-02: one throw of 7n + 10 cubes, in the stream of the tower
        assert event["thrown"] == [7] * self.seats + [0] * (5 - self.seats) + [10]
        assert numbers_of(self.tower.throw(cubes_of(event["thrown"]))) == event["out"]

    def _on_events_opened(self, event: dict[str, Any]) -> None:
        # TW-RNG-03: the top four are year 1, the next four year 2; CT-RNG-01: favours after the event deck
        if event["year"] == 1:
            self.events = self.shuffled(list(range(1, 13)))
            self.favours = self.shuffled(list(range(1, 22))) if self.court else []
        four = self.events[4 * event["year"] - 4 : 4 * event["year"]]
        assert event["cards"] == sorted(four)
        self.open = sorted(four)

    def _on_action_cards(self, event: dict[str, Any]) -> None:
        # TW-RNG-04: index k is place k + 1
        self.actions = self.shuffled(ACTIONS)
        assert event["cards"] == self.actions[:5]

    def _on_action_revealed(self, event: dict[str, Any]) -> None:
        assert event["action"] == self.actions[event["place"] - 1]

    def _on_special_cards(self, event: dict[str, Any]) -> None:
        # TW-RNG-05: index k is slot k + 1
        assert event["cards"] == self.shuffled(SPECIALS)

    def _on_favours_laid(self, event: dict[str, Any]) -> None:
        # CT-RNG-01: three from the top each season
        top, self.favours = self.favours[:3], self.favours[3:]
        assert event["cards"] == sorted(top, reverse=True)

    def _on_event_drawn(self, event: dict[str, Any]) -> None:
        # TW-RNG-06: the open cards in ascending order, shuffled; index 0
        assert event["card"] == self.shuffled(self.open)[0]
        self.open.remove(event["card"])
        self.bids = []

    def _on_bid(self, event: dict[str, Any]) -> None:
        # TW-RNG-07: for each rank with two or more, best first, the seats in ascending order
        card = {"tower": "treasure_0"}.get(event["card"], event["card"])
        self.bids.append((BEST_FIRST.index(card if card in BEST_FIRST else "province"), event["seat"]))
        if len(self.bids) == self.seats:
            tied = [[seat for rank, seat in self.bids if rank == level] for level in range(7)]
            self.lots = [self.shuffled(seats) for seats in tied if len(seats) > 1]

    def _on_lots(self, event: dict[str, Any]) -> None:
        assert event["order"] == self.lots.pop(0)

    def _on_turn_order(self, _: dict[str, Any]) -> None:
        assert self.lots == []

    def _on_thrown(self, event: dict[str, Any]) -> None:
        # TW-RNG-08: the throw of the model, in the stream of the tower
        assert numbers_of(self.tower.throw(cubes_of(event["cubes"]))) == event["tray"]

    def _on_settled(self, _: dict[str, Any]) -> None:
        # TW-RNG-11, TW-R-31: one test after each settled battle or revolt, only with a probability above 0
        assert self.fell is None
        if self.bump == 0:
            return
        falls = self.tower.numbers.r16() < int(self.bump * 65536)
        content = sum(map(len, self.tower.shelf))
        if falls and content:
            place = self.tower.numbers.below(content)
            upper = len(self.tower.shelf[0])  # counted through shelf 0, then shelf 1, each oldest first
            shelf, place = (0, place) if place < upper else (1, place - upper)
            self.fell = self.tower.shelf[shelf].pop(place)

    def _on_bumped(self, event: dict[str, Any]) -> None:
        assert [*SEATS, "farmer"][event["cube"]] == self.fell
        self.fell = None

    def _on_revolts_drawn(self, event: dict[str, Any]) -> None:
        # TW-RNG-09: the player's provinces in canonical order, shuffled; the first r
        own = sorted(province for province, seat in self.owner.items() if seat == event["seat"])
        assert event["provinces"] == self.shuffled(own)[: len(event["provinces"])]

    def _on_over(self, _: dict[str, Any]) -> None:
        assert self.fell is None


def play_out(match: Match, ledger: Ledger, choose: random.Random) -> None:
    """Plays random decisions to the end, comparing as the match goes on."""
    logged = 0
    while True:
        for event in match.log[logged:]:
            ledger.hear(event)
        logged = len(match.log)
        if match.over:
            return
        match.play(choose.choice(match.legal_actions()))


CASES = [
    {"seats": 3},
    {"seats": 3, "side": "moon", "court": True, "bump_probability": 0.5},
    {"seats": 4, "court": True},
    {"seats": 4, "mode": "draft", "bump_probability": 1},
    {"seats": 5, "mode": "draft", "court": True},
    {"seats": 5, "bump_probability": 0.001, "allow_zero_move": True},
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case.values())))
def test_every_draw_of_a_match(case: dict[str, Any]) -> None:
    # TW-RNG-00 to TW-RNG-11 and CT-RNG-01 as the methods above name them; TW-RNG-10: at the end both streams
    # stand exactly where these draws leave them, so nothing else was drawn
    setup = {key: value for key, value in case.items() if key != "seats"}
    for seed in (5, 2**63 + 11):
        chosen = setup | {"tower_model": "ledger"}
        match = Match.create("tower", seats=case["seats"], seed=seed, match_index=7, setup=chosen)
        draft = "mode" in case or "side" in case
        bump = float(setup.get("bump_probability", 0))
        ledger = Ledger(seed, 7, seats=case["seats"], court=setup.get("court", False), draft=draft, bump=bump)
        if draft:  # TW-RNG-01: the deck is the shuffle, its top two cards lie open
            deck = ledger.province_deck(sorted(match.state()["provinces"]))
            dealt = match.state()["draft"]
            assert dealt["open"] + dealt["deck"] == deck
            assert len(deck) == (37 if case["seats"] == 3 else 45)
        play_out(match, ledger, random.Random(seed))
        state = match.state()
        assert (state["draws"], state["tower_draws"]) == (ledger.draws, ledger.tower.numbers.half)
        assert [
            [SEATS.index(cube) if cube in SEATS else 5 for cube in shelf] for shelf in ledger.tower.shelf
        ] == [shelf for number, shelf in enumerate(state["tower"]) if number < 2]
        assert ledger.heard["event_drawn"] == 6
        assert ledger.heard["thrown"] > 10
        assert ledger.heard["revolts_drawn"] > 1
        assert (ledger.heard["bumped"] > 5) == (bump >= 0.5)


def test_draws_of_the_set_up() -> None:
    # TW-RNG-03, CT-RNG-01, TW-RNG-04, TW-RNG-05 by number: 11 draws for events, 20 for favours, 9, and 4
    faces = [
        draws("game", seed=9, first=n, sides=m)[0]
        for n, m in enumerate([*range(12, 1, -1), *range(21, 1, -1)])
    ]
    deck = list(range(1, 13))
    for last, face in zip(range(11, 0, -1), faces, strict=False):
        deck[last], deck[face] = deck[face], deck[last]
    state = Match.create("tower", seats=4, seed=9, setup={"court": True}).state()
    assert state["open_events"] == sorted(deck[:4])
    assert state["event_deck"] == deck[4:]
    favours = list(range(1, 22))
    for last, face in zip(range(20, 0, -1), faces[11:], strict=True):
        favours[last], favours[face] = favours[face], favours[last]
    assert state["court"]["laid"] == sorted(favours[:3], reverse=True)
    assert state["court"]["deck"] == favours[3:]
    assert state["draws"] == 11 + 20 + 9 + 4
    assert Match.create("tower", seats=4, seed=9).state()["draws"] == 11 + 9 + 4


def test_the_tower_has_a_stream_of_its_own() -> None:
    # TW-RNG-00: another tower changes no deck and no card, however much or little it draws
    shelf = {"capacity": 9, "stick_per_mille": 700, "dislodge": 1000, "burst": 0}
    towers = ["ledger", {"shelves": [shelf] * 3}, {"shelves": [shelf | {"capacity": 1}] * 2}]
    matches = [
        Match.create("tower", seats=5, seed=3, setup={"mode": "draft", "tower_model": model})
        for model in towers
    ]
    choose = random.Random(1)
    while matches[0].state()["round"] in ("setup", "spring") and matches[0].state()["point"] != "slot":
        action = choose.choice(matches[0].legal_actions())
        for match in matches:
            match.play(action)
    assert len({match.state()["tower_draws"] for match in matches}) == 3
    for match in matches[1:]:
        one, other = matches[0].state(), match.state()
        for field in (
            "draws",
            "action_order",
            "special_on_slot",
            "open_events",
            "event",
            "event_deck",
            "bid_order",
        ):
            assert one[field] == other[field]
        assert one["provinces"] == other["provinces"]


def test_dice_of_a_script() -> None:
    # TW-RNG-06, TW-RNG-07: highest faces leave ascending order as it is; ones bring the last card to the top
    for faces, event, order in (([4, 3, 2, 3, 2], 0, [0, 1, 2]), ([1, 1, 1, 1, 1], 3, [1, 2, 0])):
        match = Match.create("tower", seats=3, seed=4, dice=faces)
        cards = match.state()["open_events"]
        while match.state()["point"] != "slot":
            actions = match.legal_actions()
            match.play(next((a for a in actions if a.args.get("value") == 4), actions[-1]))
        state = match.state()
        assert state["event"] == _first(cards, faces[:3])
        assert state["bid_order"] == _shuffled([0, 1, 2], faces[3:])
        assert match.dice_left == 0
        if event == 0:
            assert (state["event"], state["bid_order"]) == (cards[0], order)


def _shuffled(items: list[int], faces: list[int]) -> list[int]:
    items = list(items)
    for last, face in zip(range(len(items) - 1, 0, -1), faces, strict=True):
        items[last], items[face - 1] = items[face - 1], items[last]
    return items


def _first(items: list[int], faces: list[int]) -> int:
    return _shuffled(items, faces)[0]
