"""Secrets of other seats change nothing that a seat sees: view, observation, picture, legal actions, log."""

import random
from typing import Any

import pytest

from rules.tower.board import ENTRY, Board, enter, events, options, play, player, point
from sengoku import Match


def seen(match: Match, seat: int) -> tuple[object, ...]:
    """All that a seat can look at, and what it may do if it is asked."""
    legal = [str(action) for action in match.legal_actions()] if match.to_act == seat else None
    return (
        match.view(seat), match.observe(seat).tolist(), str(match.picture(seat)), match.log, match.to_act,
        str(match.sketch(seat)), str(match.story(seat, long=True)),
        legal, match.decisions,
    )  # fmt: skip


def alike(one: Match, other: Match, *seats: int) -> bool:
    """Whether seats cannot tell two matches apart."""
    return all(seen(one, seat) == seen(other, seat) for seat in seats)


@pytest.mark.parametrize("court", [False, True])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_plan_is_secret_while_plans_are_entered(court: bool, seat: int) -> None:
    # TW-D-14, TW-D-12: whatever is planned, empty spaces included; the others see the same at every step
    def table() -> Match:
        board = Board(3, court=court)  # fewer cards than spaces, so that some stay empty
        for number, place in enumerate(("aki", "kai", "ise", "omi", "izu", "hida")):
            board.province(place, number % 3, 2)
        return board.begin("plan").match()

    others = [other for other in range(3) if other != seat]
    for seed in range(3):
        one, other = table(), table()
        first, second, common = random.Random(seed), random.Random(seed + 100), random.Random(seed + 200)
        differed = False
        while point(one) == "plan":
            assert alike(one, other, *others)
            if one.to_act == seat:
                one.play(first.choice(one.legal_actions()))
                other.play(second.choice(other.legal_actions()))
            else:
                action = common.choice(one.legal_actions())
                one.play(action)
                other.play(action)
            differed |= one.state() != other.state()
        assert differed
        assert one.decisions == other.decisions == 3 * (14 if court else 11)


def season(swap: tuple[str, str], *, court: bool, reveal: str, turned: bool) -> Match:
    """A season that is entered; seat 0 has two cards the other way round if `turned`."""
    match = Match.create("tower", seats=3, seed=4, setup={"court": court, "reveal": reveal})
    plan = dict(zip(swap, ("treasure_3", "treasure_4"), strict=True))
    if turned:
        plan = dict(zip(swap, reversed(list(plan.values())), strict=True))
    enter(match, bid="treasure_1", **plan)
    enter(match, bid="treasure_2")
    return enter(match, bid="treasure_0")


@pytest.mark.parametrize("reveal", ["sequential", "per_action"])
@pytest.mark.parametrize("court", [False, True])
def test_a_card_is_secret_until_it_is_turned_up(reveal: str, court: bool) -> None:
    # TW-R-11, TW-D-12: two cards on the spaces of the last two actions; until the ninth no one else can tell
    order = Match.create("tower", seats=3, seed=4, setup={"court": court}).state()["action_order"]
    swap = (order[8], order[9])
    one, other = (season(swap, court=court, reveal=reveal, turned=turned) for turned in (False, True))
    assert one.state() != other.state()
    assert not alike(one, other, 0)
    steps = 0
    while point(one) != "plan":
        shown = [
            event for event in events(one, "card_revealed") if event["seat"] == 0 and event["space"] in swap
        ]
        assert alike(one, other, 1, 2) == (shown == [])
        steps += 1
        action = one.legal_actions()[-1]
        one.play(action)
        other.play(action)
    assert steps > 3
    shown = [
        [e for e in events(match, "card_revealed") if e["space"] in swap and e["seat"] == 0]
        for match in (one, other)
    ]
    assert [event["card"] for event in shown[0]] == ["treasure_3", "treasure_4"]
    assert [event["card"] for event in shown[1]] == ["treasure_4", "treasure_3"]


def test_empty_spaces_are_seen() -> None:
    # TW-R-41: once all plans are closed, and not before
    def table(space: str) -> Match:
        board = Board(3).province("kai", 1, 1)
        match = board.begin("plan").match()
        others = [key for key in ENTRY[:11] if key not in {"bid", space}]
        enter(match, bid="treasure_0", **{space: "treasure_1"}, **dict.fromkeys(others[:6], "empty"))
        enter(match, bid="treasure_1")
        return match

    one, other = table("castle"), table("battle_b")
    assert alike(one, other, 1, 2)
    for match in (one, other):
        enter(match, bid="treasure_2")
    assert not alike(one, other, 1)
    assert one.view(1)["players"][0]["plan"]["castle"] == "face_down"
    assert other.view(1)["players"][0]["plan"]["castle"] == "empty"


def test_a_tower_card_on_the_bid_space() -> None:
    # CT-PLAN-06, TW-D-14: it looks like any other card until the bids are turned up; then it ranks with 0
    def table(bid: str) -> Match:
        board = Board(3, court=True).province("kai", 1, 1).province("aki", 0, 1).province("omi", 2, 1)
        match = board.begin("plan").match(dice=[4, 3, 2, 3, 2])
        play(match, "tower_card") if bid == "tower" else play(match, "treasure", value=0)
        while match.to_act == 0:
            match.play(match.legal_actions()[0])
        return match

    one, other = table("tower"), table("treasure_0")
    for _ in range(2):
        assert alike(one, other, 1, 2)
        for match in (one, other):
            enter(match, bid="treasure_0")
    for match, bid in ((one, "tower"), (other, "treasure_0")):
        assert events(match, "bid")[0] == {"seat": 0, "card": bid, "paid": 0}
        assert match.view(1)["players"][0]["plan"]["bid"] == bid
        assert (match.state()["bid_order"], match.dice_left) == ([0, 1, 2], 0)  # lots among all three


def test_a_kept_favour_betrays_no_card() -> None:
    # CT-R-12, CT-D-04: the question comes whatever lies on the space and tells nothing; the favour is public
    def table(card: str, spare: str) -> Match:
        board = Board(3, court=True).province("kai", 1, 5, unrest=1).player(1, kept=[4])
        return board.plan(1, tax=card, rice=spare).begin("tax").match()

    matches = [
        table(*cards) for cards in (("kai", "treasure_2"), ("treasure_2", "kai"), ("tower", "treasure_4"))
    ]
    for match in matches:
        assert (point(match), match.to_act) == ("kept", 1)
        assert all(match.view(seat)["players"][1]["kept"] == [4] for seat in range(3))
        assert alike(match, matches[0], 0, 2)
    for match in matches:
        play(match, "pass")
    assert len({str(match.view(0)["players"][1]["plan"]["tax"]) for match in matches}) == 3


def test_a_favour_that_is_kept_is_seen() -> None:
    # TW-D-12: kept favours are public: two matches that differ in one are told apart by everybody
    def table(favour: int) -> Match:
        board = Board(3, court=True).province("kai", 1, 5).player(1, kept=[favour]).province("omi", 0, 3)
        return board.plan(0, battle_b="omi").begin("battle_b").match()

    one, other = table(4), table(10)
    for seat in range(3):
        assert one.view(seat)["players"][1]["kept"] == [4]
        assert other.view(seat)["players"][1]["kept"] == [10]
        assert one.observe(seat).tolist() != other.observe(seat).tolist()
    assert player(one, 1)["kept"] == [4]


def _plans(state: dict[str, Any], choose: random.Random, seat: int) -> None:
    """Cards of others that are face down change places."""
    for other, it in enumerate(state["players"]):
        if other == seat or (isinstance(state["point"], dict) and "plan" in state["point"]):
            continue
        spaces = [key for key, card in it["plan"].items() if card != "empty" and key not in it["revealed"]]
        cards = [it["plan"][key] for key in spaces]
        choose.shuffle(cards)
        it["plan"] |= dict(zip(spaces, cards, strict=True))


def _decks(state: dict[str, Any], choose: random.Random, top: int) -> None:
    """Decks, action cards that are face down, the inside of the tower, and the streams are others."""
    for deck, known in (
        (state["event_deck"], 0), (state["draft"]["deck"], 0), (state["court"]["deck"], top),
        (state["action_order"], state["action_revealed"]),
    ):  # fmt: skip
        rest = deck[known:]
        choose.shuffle(rest)
        deck[known:] = rest
    cubes = [cube for shelf in state["tower"] for cube in shelf]
    choose.shuffle(cubes)
    upper = choose.randint(max(0, len(cubes) - 24), min(26, len(cubes)))
    state["tower"] = [cubes[:upper], cubes[upper:], []]
    state["draws"] += choose.randrange(50)
    state["tower_draws"] += choose.randrange(50)


@pytest.mark.parametrize(
    ("seats", "setup"),
    [
        (3, {"court": True}),
        (4, {"side": "moon", "court": True, "favour_deck": "hidden"}),
        (5, {"mode": "draft", "reveal": "per_action"}),
    ],
)
def test_other_secrets_look_the_same(seats: int, setup: dict[str, Any]) -> None:
    # TW-D-12: the position with everything else in hidden places, all through a match
    choose = random.Random(seats)
    match = Match.create("tower", seats=seats, seed=1, setup=setup)
    looked = differed = 0
    while not match.over:
        if choose.random() < (0.02 if point(match) in {"plan", "draft_card", "draft_group"} else 0.3):
            seat = choose.randrange(seats)
            here, there = match.state(), match.state()
            _plans(there, choose, seat)
            _decks(there, choose, 1 if setup.get("favour_deck") != "hidden" else 0)
            matches = [
                Match.create("tower", seats=seats, seed=number, setup={"position": position})
                for number, position in enumerate((here, there))
            ]
            assert alike(*matches, seat), point(match)
            looked += 1
            differed += here != there
        match.play(choose.choice(match.legal_actions()))
    assert differed > 0.8 * looked > 10


def test_legal_actions_do_not_hang_on_others_plans() -> None:
    # TW-D-13: targets and numbers in battles follow from the board alone
    def table(card: str) -> Match:
        board = Board(3).province("omi", 0, 4).province("ise", 1, 2).province("kai", 1, 2)
        return board.plan(0, battle_a="omi").plan(1, battle_b=card).begin("battle_a").match()

    assert options(table("ise")) == options(table("kai")) == options(table("treasure_1"))
    assert alike(table("ise"), table("kai"), 0, 2)
