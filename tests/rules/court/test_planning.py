"""Planning on both boards (CT-PLAN)."""

from collections.abc import Callable
from typing import Any

import pytest

from rules.court.hall import court, officers
from rules.tower.board import ACTIONS, ENTRY, enter, events, kinds, options, play, player, point, province
from sengoku import Match

OWN = ("aki", "bingo", "hida", "ise", "kaga", "kii", "mino", "omi", "yamato")
CONVERSIONS = ("convert1", "convert2", "convert3")


def planning(provinces: int = 0) -> Match:
    """Seat 0 plans, with its first few provinces."""
    board = court()
    for key in OWN[:provinces]:
        board.province(key, 0, 5)
    return board.begin("plan").match()


def hand(match: Match) -> list[str]:
    """The cards that can be laid now."""
    words: dict[str, Callable[[dict[str, Any]], str]] = {
        "empty": lambda _: "empty",
        "tower_card": lambda _: "tower",
        "treasure": lambda args: f"treasure_{args['value']}",
        "province": lambda args: str(args["province"]),
    }
    return [words[action.name](action.args) for action in match.legal_actions()]


def test_one_plan_of_fourteen_spaces() -> None:
    # CT-PLAN-01, TW-D-14: every seat is asked 14 times, the conversions last
    match = planning(2)
    for seat in range(3):
        for entered, space in enumerate(ENTRY):
            assert (match.to_act, match.state()["point"]) == (seat, {"plan": entered})
            assert {args["space"] for args in (action.args for action in match.legal_actions())} == {space}
            match.play(match.legal_actions()[0])
    assert point(match) != "plan"
    assert len(ENTRY) == 14


def test_a_plan_is_secret_until_all_are_closed() -> None:
    # CT-PLAN-01: as one plan: nothing of the court board is seen earlier than of the other
    match = planning(2)
    enter(match, bid="aki", castle="tower", temple="tower", convert1="tower", convert3="bingo")
    for seat in range(1, 3):
        for other in (1, 2):
            assert match.view(other)["players"][0]["plan"] is None
            assert not {"plans_closed", "card_revealed"} & set(kinds(match))
        enter(match, bid="treasure_4" if seat == 1 else "treasure_3")
    assert player(match, 0)["plan"]["convert3"] == "bingo"
    seen = match.view(1)["players"][0]["plan"]
    empty = [space for space in ENTRY if player(match, 0)["plan"][space] == "empty"]
    assert len(empty) == 4  # 2 provinces and 8 other cards
    assert sorted(events(match, "plans_closed")[0]["empty"][0]) == sorted(empty)  # TW-R-41
    assert seen == {
        space: "aki" if space == "bid" else "empty" if space in empty else "face_down" for space in seen
    }


@pytest.mark.parametrize("card", ["treasure_0", "treasure_3", "aki"])
@pytest.mark.parametrize("space", ["bid", "castle", "convert2"])
def test_what_lies_where_the_tower_card_could_lie_changes_no_observation(card: str, space: str) -> None:
    # CT-PLAN-01, TW-D-12: a tower card looks like any other while it is face down
    def seen(laid: str) -> list[object]:
        swapped = {"tax": "tower", space: card} if laid == card else {"tax": card, space: "tower"}
        match = enter(planning(6), **swapped, rice="tower", no="tower")
        found: list[object] = [(match.view(seat), match.observe(seat).tolist()) for seat in (1, 2)]
        if space != "bid":
            enter(enter(match))
            found += [(match.view(seat), match.observe(seat).tolist()) for seat in (1, 2)]
        return found

    assert seen(card) == seen("tower")


@pytest.mark.parametrize("provinces", range(10))
def test_how_many_spaces_are_covered(provinces: int) -> None:
    # CT-PLAN-02: min(14, provinces + 8), wherever the empty spaces are wished
    empty = 14 - min(14, provinces + 8)
    for last_first in (True, False):
        match = planning(provinces)
        for _space in ENTRY:
            legal = match.legal_actions()
            left_free = [action for action in legal if action.name == "empty"]
            cards = [action for action in legal if action.name != "empty"]
            match.play((left_free or cards if last_first else cards or left_free)[0])
        assert list(player(match, 0)["plan"].values()).count("empty") == empty


def test_empty_is_possible_while_spaces_outnumber_cards() -> None:
    # CT-PLAN-02, TW-D-14: 5 provinces and 8 other cards leave one of the 14 spaces empty
    match = planning(5)
    for entered in range(14):
        assert ("empty" in hand(match)) == (entered <= 7)
        if entered == 7:
            play(match, "empty")
        else:
            match.play(match.legal_actions()[-1])


def test_cards_of_a_hand() -> None:
    # CT-PLAN-02: province cards, five treasure cards, tower cards as one choice
    match = planning(6)
    treasures = [f"treasure_{value}" for value in range(5)]
    assert hand(match) == [*treasures, "tower", *OWN[:6]]
    play(match, "tower_card")
    assert hand(match) == [*treasures, "tower", *OWN[:6]]


def test_a_province_card_on_a_conversion_lies_nowhere_else() -> None:
    # CT-PLAN-03: and one that lies elsewhere cannot order a conversion
    match = planning(6)
    for space in ENTRY:
        cards = hand(match)
        assert ("aki" in cards) == (ENTRY.index(space) <= ENTRY.index("tax"))
        assert ("bingo" in cards) == (space not in {"convert2", "convert3"})
        if space == "tax":
            play(match, "province", province="aki")
        elif space == "convert1":
            play(match, "province", province="bingo")
        else:
            match.play(
                next(action for action in match.legal_actions() if action.args.get("province") != "bingo")
            )


@pytest.mark.parametrize(("space", "armies"), [("convert1", 1), ("convert2", 2), ("convert3", 3)])
def test_province_cards_convert_armies_of_the_province(space: str, armies: int) -> None:
    # CT-PLAN-03: k armies of that province
    match = court().province("hida", 0, 9).plan(0, **{space: "hida"}).begin("court").match()
    assert events(match, "converted") == [{"seat": 0, "armies": armies, "province": "hida"}]
    assert province(match, "hida")["armies"] == 9 - armies


@pytest.mark.parametrize(("space", "armies"), [("convert1", 1), ("convert2", 2), ("convert3", 3)])
def test_tower_cards_convert_armies_in_the_tray(space: str, armies: int) -> None:
    # CT-PLAN-04: k own armies lying in the tray, not others' and not farmers
    board = court().province("hida", 0, 9).tray(5, 5, farmers=4).plan(0, **{space: "tower"})
    match = board.begin("court").match()
    assert events(match, "converted") == [{"seat": 0, "armies": armies, "province": None}]
    assert match.state()["tray"] == [5 - armies, 5, 0, 0, 0, 4]
    assert province(match, "hida")["armies"] == 9


@pytest.mark.parametrize("card", ["empty", "treasure_0", "treasure_3", "treasure_4"])
@pytest.mark.parametrize("space", CONVERSIONS)
def test_other_cards_convert_nothing(card: str, space: str) -> None:
    # CT-PLAN-05: a treasure card or no card: nothing, whatever its value
    board = court().province("hida", 0, 9).tray(5).plan(0, **{space: card}).begin("court")
    match = board.match()
    assert not {"converted", "not_converted"} & set(kinds(match))
    assert officers(match, 0) == (7, 0, 0)
    assert (player(match, 0)["chests"], match.state()["tray"][0]) == (20, 5)


@pytest.mark.parametrize("action", ACTIONS)
def test_tower_cards_do_nothing_in_the_ten_actions(action: str) -> None:
    # CT-PLAN-06: like a treasure card; TW-R-11: it is turned up all the same
    def season(card: str) -> Match:
        board = court().province("hida", 0, 9).province("mino", 1, 5).tray(5, farmers=2)
        return board.plan(0, **{action: card}).begin(action).match()

    tower, treasure = season("tower"), season("treasure_2")
    assert events(tower, "card_revealed") == [{"seat": 0, "space": action, "card": "tower"}]
    rest = [
        [event for event in match.log if event["event"] != "card_revealed"] for match in (tower, treasure)
    ]
    assert rest[0] == rest[1]
    assert tower.state() == treasure.state()
    assert point(tower) == "plan"  # nothing was asked all season
    assert (player(tower, 0)["chests"], tower.state()["tray"]) == (20, [5, 0, 0, 0, 0, 2])


def bids(*cards: str, dice: list[int]) -> Match:
    """All plans are closed with these bids; the first three dice draw the event."""
    board = court(len(cards))
    for seat, card in enumerate(cards):
        board.province(OWN[seat], seat, 2)
        if card == "empty":
            board.leave_empty(seat, "bid")
        else:
            board.plan(seat, bid=card)
    return board.begin("bids").match(dice=[4, 3, 2, *dice])


def test_a_tower_card_bids_like_treasure_0() -> None:
    # CT-PLAN-06: free, behind province cards and before an empty space
    match = bids("tower", "bingo", "empty", "treasure_1", dice=[])
    assert [(bid["card"], bid["paid"]) for bid in events(match, "bid")] == [
        ("tower", 0), ("bingo", 0), ("empty", 0), ("treasure_1", 1),
    ]  # fmt: skip
    assert match.state()["bid_order"] == [3, 1, 0, 2]
    assert [player(match, seat)["chests"] for seat in range(4)] == [20, 20, 20, 19]
    assert "lots" not in kinds(match)


@pytest.mark.parametrize(("die", "order"), [(2, [0, 2]), (1, [2, 0])])
def test_a_tower_card_ties_with_treasure_0(die: int, order: list[int]) -> None:
    # CT-PLAN-06, TW-RNG-07: one lot between the two, which decides who chooses first
    match = bids("tower", "bingo", "treasure_0", dice=[die])
    assert events(match, "lots") == [{"order": order}]
    assert match.state()["bid_order"] == [1, *order]
    assert match.dice_left == 0


def test_tower_cards_tie_with_each_other() -> None:
    # CT-PLAN-06
    match = bids("tower", "tower", "tower", dice=[1, 1])
    assert events(match, "lots") == [{"order": [1, 2, 0]}]


def test_a_tower_card_can_be_bid_without_chests() -> None:
    # CT-PLAN-06, TW-R-13: it is free
    match = court().player(0, chests=0).begin("plan").match()
    assert hand(match) == ["empty", "treasure_0", "tower"]


def test_tower_cards_return_to_hand() -> None:
    # CT-PLAN-07: used on any spaces, all three are there again next season
    board = court().province("hida", 0, 9).tray(3)
    board.plan(0, bid="tower", castle="tower", convert3="tower").begin("court")
    match = board.match()
    assert events(match, "converted") == [{"seat": 0, "armies": 3, "province": None}]
    if point(match) == "favour":
        play(match, "pass")
    assert (point(match), match.state()["round"]) == ("plan", "summer")
    for space in ENTRY[:3]:
        assert options(match, "tower_card") == [{"space": space}]
        play(match, "tower_card")
    assert options(match, "tower_card") == []


def test_tower_cards_are_not_lost_with_provinces() -> None:
    # CT-PLAN-07, TW-BATTLE-13: only the province card leaves the plan, even from a court space
    board = court().province("hida", 0, 1).province("kaga", 0, 2).province("mino", 1, 9)
    board.plan(0, convert1="hida", convert2="tower", tax="tower").plan(1, battle_a="mino").begin("battle_a")
    match = board.match()
    play(match, "move", to="hida", armies=8)
    assert events(match, "card_lost") == [{"seat": 0, "province": "hida", "space": "convert1"}]
    assert point(match) == "plan"
    play(match, "tower_card")
    play(match, "tower_card")
    play(match, "tower_card")
