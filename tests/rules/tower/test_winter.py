"""Winter (section 14): rice loss, supplying, revolts."""

from typing import Any

import pytest

from rules.tower.board import Board, enter, events, kinds, options, play, player, province, quietly
from rules.tower.throws import heap
from sengoku import Match

LOSSES = {1: 5, 2: 7, 3: 3, 4: 2, 5: 6, 6: 3, 7: 0, 8: 2, 9: 4, 10: 3, 11: 4, 12: 4}
"""The lower halves of the event cards (TW-EVENT-02)."""
PLACES = [
    "aki", "bingo", "bitchu", "echizen", "etchu", "harima", "hida", "hoki", "ise", "kaga", "kai", "kii",
]  # fmt: skip
"""Provinces in canonical order."""


def realm(owned: int, rice: int, *, armies: int = 5, loss: int = 7, **options: Any) -> Board:
    """Seat 0 has the first of PLACES and so much rice; event 7, which takes none, is left unless said."""
    board = Board(3, **options).player(0, rice=rice).event(loss)
    for place in PLACES[:owned]:
        board.province(place, 0, armies)
    return board


@pytest.mark.parametrize("card", LOSSES)
def test_rice_loss(card: int) -> None:
    # TW-WINTER-02, TW-EX-07: everybody loses what the one card says that did not act, not below 0
    board = Board(3).event(card).player(0, rice=12).player(1, rice=LOSSES[card]).player(2, rice=1)
    match = board.begin("winter").match()
    left = [12 - LOSSES[card], 0, max(0, 1 - LOSSES[card])]
    assert events(match, "rice_lost") == [{"card": card, "loss": LOSSES[card], "rice": left}]


def test_the_card_that_is_left() -> None:
    # TW-WINTER-02: through a whole year: of four events three act, the fourth is the winter card
    match = quietly(Match.create("tower", seats=3, seed=8), "plan", "autumn")
    drawn = [event["card"] for event in events(match, "event_drawn")]
    (cards,) = [event["cards"] for event in events(match, "events_opened")]
    while match.state()["year"] == 1:
        match.play(match.legal_actions()[0])
    drawn += [event["card"] for event in events(match, "event_drawn")][len(drawn) :]
    (left,) = set(cards) - set(drawn)
    assert [event["card"] for event in events(match, "rice_lost")] == [left]


def test_steps_of_a_winter() -> None:
    # TW-WINTER-01: rice loss, then supplying, then revolts, then points; TW-R-34: a player's cards are drawn
    # before his first revolt, the next player comes when he is done; in the turn order of autumn
    board = Board(3).order(2, 0, 1).event(7)
    for seat, place in ((0, "aki"), (1, "kai"), (2, "ise")):
        board.province(place, seat, 5)
    match = board.begin("winter").match()
    logged = kinds(match)
    one = ["revolts_drawn", "revolt", "thrown", "settled"]
    assert logged[: logged.index("season_begun")] == [
        "rice_lost", *["supplied"] * 3, *one * 3, *["scored"] * 3, "year_over", "events_opened",
    ]  # fmt: skip
    assert [event["seat"] for event in events(match, "supplied")] == [0, 1, 2]
    assert [event["seat"] for event in events(match, "revolts_drawn")] == [2, 0, 1]
    assert [event["province"] for event in events(match, "revolt")] == ["ise", "aki", "kai"]


def test_one_player_after_the_other() -> None:
    # TW-R-34, TW-RNG-09: both revolts of seat 1 are fought before the lots of seat 0 are drawn
    board = Board(3).order(1, 0, 2).event(7)
    for seat, places in ((0, ("aki", "kai", "omi")), (1, ("ise", "izu", "kii"))):
        for place in places:
            board.province(place, seat, 5)
    match = board.begin("winter").match(dice=[3, 2, 1, 1])
    assert (match.to_act, match.state()["pending"], match.dice_left) == (1, ["ise", "izu"], 2)
    assert [event["seat"] for event in events(match, "revolts_drawn")] == [1]
    play(match, "province", province="izu")
    assert (match.to_act, match.state()["pending"], match.dice_left) == (0, ["kai", "omi"], 0)
    play(match, "province", province="kai")
    logged = [event for event in match.log if event["event"] in {"revolts_drawn", "revolt"}]
    assert [event.get("province", "drawn") for event in logged] == [
        "drawn",
        "izu",
        "ise",
        "drawn",
        "kai",
        "omi",
    ]


def test_autumns_order_holds_in_winter() -> None:
    # TW-WINTER-01: the order of the last bids, after a whole autumn
    board = Board(3, round_="autumn").province("aki", 0, 5).province("kai", 1, 5).province("ise", 2, 5)
    match = board.begin("plan").match()
    for bid in ("treasure_0", "treasure_1", "treasure_2"):
        enter(match, bid=bid, battle_a="treasure_4", battle_b="treasure_3")
    for slot in (5, 1, 3):  # seats 2, 1, 0
        play(match, "slot", slot=slot)
    quietly(match, "plan", "spring")
    assert [event["seat"] for event in events(match, "revolts_drawn")] == [1, 0, 2]


@pytest.mark.parametrize(
    ("owned", "rice", "shortage", "left"), [(3, 5, 0, 2), (3, 3, 0, 0), (3, 1, 2, 0), (0, 4, 0, 4)]
)
def test_supplying(owned: int, rice: int, shortage: int, left: int) -> None:
    # TW-WINTER-03: 1 rice for each province; what is missing is the shortage
    match = realm(owned, rice).begin("winter").match()
    assert events(match, "supplied")[0] == {"seat": 0, "provinces": owned, "rice": left, "shortage": shortage}


@pytest.mark.parametrize(
    ("shortage", "revolts", "extra"),
    [
        (0, 0, 0),
        (1, 1, 1),
        (2, 1, 2),
        (3, 2, 2),
        (4, 2, 2),
        (5, 2, 3),
        (6, 2, 3),
        (7, 3, 3),
        (8, 3, 3),
        (12, 3, 3),
    ],
)
def test_the_supply_table(shortage: int, revolts: int, extra: int) -> None:
    # TW-WINTER-04, TW-R-33; TW-WINTER-06: markers and extra farmers together
    board = realm(12, 12 - shortage)
    for place in PLACES:
        board.province(place, 0, 4, unrest=1)
    match = quietly(board.begin("winter").match(), "plan")
    drawn = events(match, "revolts_drawn")
    assert [(len(one["provinces"]), one["extra_farmers"]) for one in drawn] == (
        [(revolts, extra)] if revolts else []
    )
    fought = events(match, "revolt")
    assert [one["farmers"] for one in fought] == [1 + extra] * revolts
    assert sorted(one["province"] for one in fought) == sorted(p for one in drawn for p in one["provinces"])


@pytest.mark.parametrize("owned", range(1, 8))
def test_never_more_revolts_than_provinces(owned: int) -> None:
    # TW-R-33: nothing to eat at all
    match = quietly(realm(owned, 0).begin("winter").match(), "plan")
    assert len({event["province"] for event in events(match, "revolt")}) == (1, 1, 2, 2, 2, 2, 3)[owned - 1]


@pytest.mark.parametrize(
    ("dice", "drawn"),
    [
        ([4, 3, 2], ["aki", "bingo"]),
        ([1, 3, 2], ["echizen", "bingo"]),  # aki and echizen change places
        ([1, 1, 1], ["bingo", "bitchu"]),  # [e, b, t, a], [t, b, e, a], [b, t, e, a]
        ([2, 1, 2], ["bitchu", "echizen"]),  # [a, e, t, b], [t, e, a, b]
    ],
)
def test_provinces_are_drawn(dice: list[int], drawn: list[str]) -> None:
    # TW-WINTER-05, TW-RNG-09: a shuffle of his provinces in canonical order; the left neighbour draws
    match = realm(4, 1).begin("winter").match(dice=dice)
    assert events(match, "revolts_drawn") == [{"seat": 0, "by": 1, "provinces": drawn, "extra_farmers": 2}]
    assert match.dice_left == 0


def test_every_province_is_drawn_alike() -> None:
    # TW-WINTER-05: each of the six pairs of faces leads to one of the three provinces, two to each
    board = realm(3, 2).begin("winter")
    found = [
        events(board.match(dice=[first, second]), "revolts_drawn")[0]["provinces"][0]
        for first in (1, 2, 3)
        for second in (1, 2)
    ]
    assert sorted(found) == ["aki", "aki", "bingo", "bingo", "bitchu", "bitchu"]


def test_the_left_neighbour_draws() -> None:
    # TW-WINTER-05, TW-GEN-01
    board = Board(4).province("aki", 1, 5).province("kai", 3, 5).event(7)
    drawn = events(board.begin("winter").match(), "revolts_drawn")
    assert [(event["seat"], event["by"]) for event in drawn] == [(1, 2), (3, 0)]


def test_the_player_decides_the_order() -> None:
    # TW-WINTER-06, TW-D-10, TW-R-34: three revolts; one at a time, and he sees how the earlier ones went
    board = realm(8, 0, armies=5).province("bingo", 0, 5, unrest=2).order(1, 0, 2)
    match = board.begin("winter").match(dice=[8, 7, 6, 5, 4, 3, 2])
    assert match.to_act == 0
    assert match.state()["pending"] == ["aki", "bingo", "bitchu"]
    assert [one["province"] for one in options(match)] == ["aki", "bingo", "bitchu"]
    play(match, "province", province="bingo")
    assert [event["province"] for event in events(match, "settled")] == ["bingo"]
    assert province(match, "bingo")["owner"] is None  # 2 markers and 3 more farmers against 5
    assert options(match) == [
        {"name": "province", "province": "aki"},
        {"name": "province", "province": "bitchu"},
    ]
    play(match, "province", province="bitchu")  # the last one is forced (TW-D-00)
    assert [(event["province"], event["farmers"]) for event in events(match, "revolt")] == [
        ("bingo", 5), ("bitchu", 3), ("aki", 3),
    ]  # fmt: skip
    assert [province(match, place)["armies"] for place in ("aki", "bingo", "bitchu")] == [2, 0, 2]


def test_shortage_is_fixed() -> None:
    # TW-WINTER-07: he loses province after province; there are still 3 revolts with 3 farmers each
    match = realm(7, 0, armies=1).begin("winter").match()
    assert player(match, 0)["shortage"] == 7
    play(match, "province", province=options(match)[0]["province"])
    assert (player(match, 0)["shortage"], match.state()["extra_farmers"]) == (7, 3)
    quietly(match, "plan")
    assert [event["farmers"] for event in events(match, "revolt")] == [3, 3, 3]
    assert len(events(match, "neutral")) == 3


def test_shortage_is_that_of_supplying_time() -> None:
    # TW-WINTER-03, TW-WINTER-07: after the loss of rice (TW-WINTER-01), for everybody before the first revolt
    board = realm(3, 7, loss=9).province("kai", 1, 3).player(1, rice=4)
    match = quietly(board.begin("winter").match(), "plan")
    assert [event["shortage"] for event in events(match, "supplied")] == [0, 1, 0]
    logged = kinds(match)
    assert max(i for i, kind in enumerate(logged) if kind == "supplied") < logged.index("revolts_drawn")


def test_no_cards_in_winter() -> None:
    # TW-R-35: special cards have gone with the autumn and no event acts: only armies and farmers are thrown
    board = (
        Board(3, round_="autumn").province("kii", 0, 5, "castle", unrest=1).specials({0: "defence_plus_1"})
    )
    match = board.event("castle_defence").begin("clean_up").match()
    assert events(match, "thrown")[0]["cubes"] == heap(5, farmers=2)
    assert [player(match, seat)["special"] for seat in range(3)] == [None] * 3


def test_no_marker_is_added_in_winter() -> None:
    # TW-R-35: a revolt put down leaves the markers as they are; TW-R-36: nor are they taken away in year 2
    board = realm(1, 0, year=2).province("aki", 0, 9, unrest=2)
    match = board.begin("winter").match()
    assert (province(match, "aki")["armies"], province(match, "aki")["unrest"]) == (9 - 3, 2)
    assert "unrest" not in kinds(match)


def test_the_second_winter() -> None:
    # TW-R-36: the same steps, and nothing of the year end
    board = realm(3, 9, year=2, loss=3).province("kai", 1, 4, unrest=1)
    match = board.begin("winter").match()
    assert kinds(match) == [
        "rice_lost", *["supplied"] * 3, "revolts_drawn", "revolt", "thrown", "settled",
        *["scored"] * 3, "over",
    ]  # fmt: skip
    assert player(match, 0)["rice"] == 9 - 3 - 3
    assert province(match, "kai")["unrest"] == 1
    assert match.state()["year"] == 2


def test_lost_provinces_score_nothing() -> None:
    # TW-WINTER-01: points come after the revolts
    match = realm(2, 0, armies=1, year=2).begin("winter").match()
    assert match.over
    assert [event["tally"]["provinces"] for event in events(match, "scored")] == [1, 0, 0]
