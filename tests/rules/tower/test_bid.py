"""Bidding and turn order (BID)."""

import pytest

from rules.tower.board import SPECIALS, Board, enter, events, kinds, options, play, player, point, province
from sengoku import Match

HOMES = ("aki", "ise", "kai", "omi", "hida")
QUIET = [4, 3, 2]
"""Dice for an event: the lowest of the open ones."""


def bids(*cards: str, dice: list[int] | None = None) -> Match:
    """Everybody has a province and bids; "empty" is a bid too."""
    board = Board(len(cards))
    for seat, card in enumerate(cards):
        board.province(HOMES[seat], seat, 1)
        board.leave_empty(seat, "bid") if card == "empty" else board.plan(seat, bid=card)
    return board.begin("bids").match(dice=QUIET + dice if dice is not None else None)


def test_bids_are_revealed_together_and_paid() -> None:
    # TW-BID-01, TW-EX-22: after the event; treasure is paid in full, provinces and empty spaces cost nothing
    match = bids("treasure_3", "ise", "treasure_0", "treasure_3", "empty", dice=[2])
    assert [it["chests"] for it in match.state()["players"]] == [17, 20, 20, 17, 20]
    shown = ["treasure_3", "ise", "treasure_0", "treasure_3", "empty"]
    paid = [3, 0, 0, 3, 0]
    assert sorted(events(match, "bid"), key=lambda event: event["seat"]) == [
        {"seat": seat, "card": card, "paid": amount}
        for seat, (card, amount) in enumerate(zip(shown, paid, strict=True))
    ]
    log = kinds(match)
    assert log.index("event_drawn") < log.index("bid")
    for viewer in range(5):
        assert [it["plan"]["bid"] for it in match.view(viewer)["players"]] == shown
    # order of choosing: A and D in random order, then B, C, E
    assert match.state()["bid_order"] == [0, 3, 1, 2, 4]


@pytest.mark.parametrize(
    ("cards", "order"),
    [
        (("treasure_1", "treasure_2", "treasure_3", "treasure_4"), [3, 2, 1, 0]),
        (("empty", "treasure_0", "kai", "treasure_1"), [3, 2, 1, 0]),
        (("treasure_0", "ise", "empty", "treasure_4"), [3, 1, 0, 2]),
        (("aki", "treasure_2", "treasure_0", "treasure_1"), [1, 3, 0, 2]),
    ],
)
def test_rank_of_bids(cards: tuple[str, ...], order: list[int]) -> None:
    # TW-BID-02: treasure 4, 3, 2, 1, any province, treasure 0, no card
    match = bids(*cards, dice=[])
    assert (match.to_act, match.state()["bid_order"]) == (order[0], order)
    assert "lots" not in kinds(match)
    for place, seat in enumerate(order):
        assert match.to_act == seat
        if place < 3:
            play(match, "slot", slot=place + 1)


@pytest.mark.parametrize(
    ("dice", "order"),
    [([3, 2], [0, 1, 2]), ([3, 1], [1, 0, 2]), ([1, 2], [2, 1, 0]), ([1, 1], [1, 2, 0]), ([2, 2], [0, 2, 1]),
     ([2, 1], [2, 0, 1])],
)  # fmt: skip
@pytest.mark.parametrize("value", [0, 2, 4])
def test_equal_bids_are_ordered_at_random(dice: list[int], order: list[int], value: int) -> None:
    # TW-BID-03, TW-RNG-07: lots among the seats in ascending order, and all of them pay
    match = bids(*[f"treasure_{value}"] * 3, dice=dice)
    assert match.state()["bid_order"] == order
    assert match.dice_left == 0
    assert [it["chests"] for it in match.state()["players"]] == [20 - value] * 3


def test_ties_of_several_ranks() -> None:
    # TW-BID-03, TW-RNG-07: the best rank is settled first
    match = bids("treasure_0", "treasure_4", "treasure_0", "treasure_4", "hida", dice=[1, 2])
    assert match.state()["bid_order"] == [3, 1, 4, 0, 2]
    match = bids("treasure_0", "treasure_4", "treasure_0", "treasure_4", "hida", dice=[2, 1])
    assert match.state()["bid_order"] == [1, 3, 4, 2, 0]


@pytest.mark.parametrize("cards", [("aki", "ise", "kai"), ("empty", "empty", "empty")])
def test_equal_rank_is_enough_for_a_tie(cards: tuple[str, ...]) -> None:
    # TW-R-14, TW-BID-02: two different provinces are equal bids, and so are empty spaces
    assert bids(*cards, dice=[1, 1]).state()["bid_order"] == [1, 2, 0]
    assert bids(*cards, dice=[3, 2]).state()["bid_order"] == [0, 1, 2]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_slots_are_chosen_in_rank_order(seats: int) -> None:
    # TW-BID-04, TW-D-06: any free slot of five, with the special card that lies there
    match = bids(*[f"treasure_{seat}" for seat in range(seats)], dice=[])
    laid = match.state()["special_on_slot"]
    assert sorted(laid) == sorted(SPECIALS)
    free = [1, 2, 3, 4, 5]
    for seat in reversed(range(seats)):
        offered = options(match)
        assert match.to_act == seat
        assert offered == [{"name": "slot", "slot": slot, "special": laid[slot - 1]} for slot in free]
        chosen = free.pop(len(free) // 2)
        play(match, "slot", slot=chosen)
        taken = events(match, "slot_taken")[seats - 1 - seat]
        assert taken == {"seat": seat, "slot": chosen, "special": laid[chosen - 1]}
        if len(free) == 1:  # no choice is left for the fifth, so he is not asked (TW-D-00)
            last = {"seat": 0, "slot": free[0], "special": laid[free[0] - 1]}
            assert seats < 5 or events(match, "slot_taken")[-1] == last
            break
        if seat:  # the special card is his at once, and open to all
            assert match.view(0)["players"][seat]["special"] == laid[chosen - 1]
    assert len(events(match, "slot_taken")) == seats
    assert point(match) != "slot"


def test_turn_order_follows_the_slots() -> None:
    # TW-BID-05, TW-EX-06: ascending, empty slots are skipped
    match = bids("treasure_4", "treasure_3", "treasure_2", dice=[])
    for slot in (5, 2, 4):
        play(match, "slot", slot=slot)
    assert events(match, "turn_order") == [{"order": [1, 2, 0]}]
    match = bids("treasure_4", "treasure_3", "treasure_2", "treasure_1", dice=[])
    for slot in (1, 5, 3, 2):
        play(match, "slot", slot=slot)
    assert events(match, "turn_order") == [{"order": [0, 3, 2, 1]}]


def test_the_special_card_is_for_this_season() -> None:
    # TW-BID-04, TW-BID-06: it works for its holder; one that nobody took works for nobody
    for slot, extra in ((1, 1), (2, 0)):
        board = Board(3).province("settsu", 0, 1).province("ise", 1, 1).province("kai", 2, 1)
        board.plan(0, bid="treasure_4", tax="settsu").plan(1, bid="treasure_1", tax="ise")
        board.plan(2, bid="treasure_0", tax="kai").begin("bids")
        cards = ["chest_plus_1", "six_armies", "attack_plus_1", "defence_plus_1", "rice_plus_1"]
        match = board.set(
            special_on_slot=cards, open_events=[1, 2, 3, 4], event_deck=[5, 6, 9, 10, 11, 12, 7, 8]
        )
        match = match.match()
        play(match, "slot", slot=slot)
        play(match, "slot", slot=3)
        play(match, "slot", slot=4)
        amounts = {event["seat"]: event["amount"] for event in events(match, "collected")}
        assert amounts == {0: 7 + extra, 1: 5, 2: 5}
        assert match.state()["round"] == "summer"
        assert [it["special"] for it in match.state()["players"]] == [None] * 3


def test_bid_cards_return() -> None:
    # TW-BID-07: at season end, treasure and province alike; the chests do not
    match = bids("treasure_4", "ise", "treasure_0", dice=[])
    assert [it["chests"] for it in match.state()["players"]] == [16, 20, 20]
    for slot in (1, 2, 3):
        play(match, "slot", slot=slot)
    assert match.state()["round"] == "summer"
    assert {action["value"] for action in options(match, "treasure")} == {0, 1, 2, 3, 4}
    assert player(match, 0)["chests"] == 16 + 4 + 1  # tax of aki, with chest_plus_1
    enter(match)
    assert [action["province"] for action in options(match, "province")] == ["ise"]


def test_a_province_that_was_bid_does_nothing() -> None:
    # TW-BID-07: its card lies open, and no action happens there this season
    match = bids("treasure_4", "ise", "treasure_0", dice=[])
    assert match.view(0)["players"][1]["plan"]["bid"] == "ise"
    assert "ise" not in [card for space, card in player(match, 1)["plan"].items() if space != "bid"]
    for slot in (1, 2, 3):
        play(match, "slot", slot=slot)
    acts = {"built", "collected", "deployed", "moved", "attack"}
    assert [event for event in match.log if event["event"] in acts and "ise" in event.values()] == []


def test_a_province_card_on_the_bid_space_is_surrendered_with_the_province() -> None:
    # TW-BID-07, TW-BATTLE-13
    board = Board(3).province("kii", 0, 9).province("ise", 1, 1).province("omi", 1, 2).province("kai", 2, 3)
    board.plan(0, battle_a="kii").plan(1, bid="ise", battle_b="omi")
    match = board.begin("battle_a").match()
    assert player(match, 1)["plan"]["bid"] == "ise"
    play(match, "move", to="ise", armies=5)
    assert (match.to_act, point(match)) == (1, "battle")
    assert events(match, "card_lost") == [{"seat": 1, "province": "ise", "space": "bid"}]
    assert player(match, 1)["plan"]["bid"] == "empty"
    assert "bid" not in player(match, 1)["revealed"]
    assert province(match, "ise")["owner"] == 0
