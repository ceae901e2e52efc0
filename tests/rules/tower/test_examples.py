"""The worked examples of section 30, each played out; TW-EX-20 and TW-EX-21 are in `test_battle`."""

import pytest

from rules.tower.board import Board, enter, events, options, play, player, province
from rules.tower.throws import heap
from sengoku import Match


def test_tax_in_settsu() -> None:
    # TW-EX-01: 7, at most 5, and 1 more; then there is 1 marker
    board = Board(3).province("settsu", 0, 2).plan(0, tax="settsu").event("tax_max_5")
    match = board.specials({0: "chest_plus_1"}).begin("tax").match()
    assert events(match, "collected") == [{"seat": 0, "action": "tax", "province": "settsu", "amount": 6}]
    assert player(match, 0)["chests"] == 20 + 6
    assert province(match, "settsu")["unrest"] == 1


def test_the_fill_with_three() -> None:
    # TW-EX-02: 3 x 7 + 10 = 31 cubes
    (filled,) = events(Match.create("tower", seats=3), "tower_filled")
    assert filled["thrown"] == heap(7, 7, 7, farmers=10)
    assert sum(filled["thrown"]) == 31


def test_a_temple_in_aki() -> None:
    # TW-EX-03: 2 chests; one more site, for a theatre or a castle but not for a second temple
    match = Board(3).province("aki", 1, 1).plan(1, temple="aki").begin("temple").match()
    assert (player(match, 1)["chests"], province(match, "aki")["temple"]) == (18, True)
    for second, built in (("no", True), ("castle", True), ("temple", False)):
        match = Board(3).province("aki", 1, 1, "temple").plan(1, **{second: "aki"}).begin(second).match()
        assert len(events(match, "built")) == built
    for first in ("no", "castle"):  # and then there is no site left
        third = {"no": "castle", "castle": "no"}[first]
        match = Board(3).province("aki", 1, 1, "temple", first).plan(1, **{third: "aki"}).begin(third).match()
        assert events(match, "passed")[0]["reason"] == "sites"


def test_a_winter_revolt_in_kai() -> None:
    # TW-EX-04: shortage 2: one revolt, 2 extra farmers; Kai has 1 marker: 3 farmers, with the tray
    board = Board(3).province("kai", 1, 4, unrest=1).province("aki", 1, 2).tray(2, 1, farmers=1).event(7)
    match = board.begin("winter").match(dice=[1])  # aki and kai change places
    assert events(match, "revolts_drawn") == [{"seat": 1, "by": 2, "provinces": ["kai"], "extra_farmers": 2}]
    assert events(match, "revolt") == [{"seat": 1, "province": "kai", "farmers": 3, "wanted": 3}]
    assert events(match, "thrown")[0]["cubes"] == heap(2, 4 + 1, farmers=3 + 1)
    assert province(match, "kai")["armies"] == 5 - 4


def test_settsu_is_planned_once() -> None:
    # TW-EX-05: on TAX, so nowhere else this season
    match = Board(3).province("settsu", 0, 2).begin("plan").match()
    enter(match, tax="settsu")
    assert list(player(match, 0)["plan"].values()).count("settsu") == 1
    match = Board(3).province("settsu", 0, 2).begin("plan").match()
    for space in ("bid", "castle", "temple", "no", "rice"):
        assert {"space": space, "province": "settsu"} in options(match, "province")
        play(match, "treasure", value=("bid", "castle", "temple", "no", "rice").index(space))
    play(match, "province", province="settsu")
    while match.to_act == 0:
        assert options(match, "province") == []
        match.play(match.legal_actions()[0])


def test_slots_of_three() -> None:
    # TW-EX-06: the player on slot 1 is first; empty slots are skipped
    board = Board(3).plan(0, bid="treasure_4").plan(1, bid="treasure_3").plan(2, bid="treasure_2")
    for slots, order in (((5, 1, 3), [1, 2, 0]), ((2, 5, 4), [0, 2, 1]), ((1, 2, 3), [0, 1, 2])):
        match = board.begin("bids").match()
        for slot in slots:
            play(match, "slot", slot=slot)
        assert events(match, "turn_order") == [{"order": order}]


def test_a_loss_of_three() -> None:
    # TW-EX-07
    board = Board(3).event(3).player(0, rice=9).player(1, rice=3).player(2, rice=2)
    match = board.begin("winter").match()
    assert events(match, "rice_lost") == [{"card": 3, "loss": 3, "rice": [6, 0, 0]}]


@pytest.mark.parametrize(("start", "to"), [("shima", "izu"), ("izu", "shima")])
def test_across_the_sea(start: str, to: str) -> None:
    # TW-EX-08
    match = (
        Board(3).province(start, 0, 3).province(to, 0, 1).plan(0, battle_a=start).begin("battle_a").match()
    )
    play(match, "move", to=to, armies=2)
    assert (province(match, start)["armies"], province(match, to)["armies"]) == (1, 3)


@pytest.mark.parametrize("drawn", [(10, 8, 2), (2, 10, 8), (8, 2, 10)])
def test_favours_are_laid_by_number(drawn: tuple[int, ...]) -> None:
    # CT-EX-01: 10 for 4 officers, 8 for 3, 2 for 2, in whichever order they are drawn
    board = Board(3, court=True, round_="setup").begin("season")
    rest = [card for card in range(1, 22) if card not in drawn]
    board.state["court"]["deck"] = [*drawn, *rest]
    match = board.match()
    assert match.state()["court"]["laid"] == [10, 8, 2]
    assert events(match, "favours_laid") == [{"cards": [10, 8, 2]}]


@pytest.mark.parametrize(("die", "first"), [(1, [3, 0]), (2, [0, 3])])
def test_bids(die: int, first: list[int]) -> None:
    # TW-EX-22: 3, a province, 0, 3, none: they pay 3, 0, 0, 3, 0; A and D in random order, then B, C, E
    board = Board(5).province("kai", 1, 1).province("omi", 0, 1)
    board.plan(0, bid="treasure_3").plan(1, bid="kai").plan(2, bid="treasure_0").plan(3, bid="treasure_3")
    match = board.leave_empty(4, "bid").begin("bids").match(dice=[4, 3, 2, die])
    assert [event["paid"] for event in events(match, "bid")] == [3, 0, 0, 3, 0]
    assert [player(match, seat)["chests"] for seat in range(5)] == [17, 20, 20, 17, 20]
    assert events(match, "lots") == [{"order": first}]
    assert match.state()["bid_order"] == [*first, 1, 2, 4]
    assert match.dice_left == 0


def test_one_region() -> None:
    # TW-EX-23: castles 2/2/1, temples 1/0/0, theatres 1/1/1, in the brown region this time
    board = Board(3).province("etchu", 0, 1, "castle", "temple", "no").province("kaga", 0, 1, "castle")
    board.province("shinano", 1, 1, "castle", "no").province("noto", 1, 1, "castle")
    match = board.province("kozuke", 2, 1, "castle", "no").begin("score").match()
    won = [event["tally"]["majorities"] for event in events(match, "scored")]
    assert [sum(it[kind].get("brown", 0) for kind in ("castle", "temple", "no")) for it in won] == [4, 2, 0]
    assert [event["score"] for event in events(match, "scored")] == [4 + 2 + 4, 2 + 2 + 3, 0 + 1 + 2]


@pytest.mark.parametrize(
    ("place", "event", "special", "amount"),
    [("hida", "rice_min_4", "rice_plus_1", 5), ("mino", "rice_max_3", "chest_plus_1", 3)],
)
def test_rice(place: str, event: str, special: str, amount: int) -> None:
    # TW-EX-24: 2, at least 4, and 1 more; 5, at most 3
    board = Board(3).province(place, 0, 2).plan(0, rice=place).event(event).specials({0: special})
    match = board.begin("rice").match()
    assert player(match, 0)["rice"] == amount


def test_eleven_provinces() -> None:
    # TW-EX-25: rice 7, loss 4, so 3; shortage 8: 3 revolts with 3 extra farmers each
    board = Board(3).player(0, rice=7).event(9)
    for place in list(board.state["provinces"])[:11]:
        board.province(place, 0, 5)
    match = board.begin("winter").match()
    assert events(match, "rice_lost")[0]["rice"][0] == 3
    assert events(match, "supplied")[0] == {"seat": 0, "provinces": 11, "rice": 0, "shortage": 8}
    (drawn,) = events(match, "revolts_drawn")
    assert (len(drawn["provinces"]), drawn["extra_farmers"]) == (3, 3)
