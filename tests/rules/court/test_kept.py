"""Favour 4 in the hands of a player (CT-R-12, CT-D-04): when he is asked, and what follows."""

from typing import Any

import pytest

from rules.court.hall import audience, court, kept, take, targets
from rules.tower.board import ACTIONS, Board, events, kinds, options, play, player, point, province, quietly
from sengoku import Match

HOLDER = 1


def holding(seats: int = 3, **place: Any) -> Board:
    """Seat 1 keeps favour 4."""
    return court(seats, **place).player(HOLDER, kept=[4])


def asked(match: Match, *, use: str | None = None) -> list[int]:
    """The places at which the holder is asked up to the next planning; he passes, or uses the card."""
    places = []
    while point(match) == "kept":
        assert match.to_act == HOLDER
        places.append(match.state()["place"])
        if use is None:
            play(match, "pass")
        else:
            play(match, "province", province=use)
    assert point(match) == "plan"
    return places


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
def test_the_holder_is_asked_in_each_of_the_ten_actions(order: tuple[int, ...]) -> None:
    # CT-R-12, CT-D-04: at the start of his turn, once in each, in nobody else's turn
    board = holding().order(*order).province("aki", 1, 3, unrest=1).province("hida", 0, 3, unrest=1)
    match = board.begin("castle").match()
    turns = []
    while point(match) == "kept":
        state = match.state()
        turns.append((match.to_act, state["place"], state["turn_order"][state["turn"]], state["phase"]))
        play(match, "pass")
    assert turns == [(HOLDER, place, HOLDER, 8) for place in range(1, 11)]
    assert (point(match), kept(match)) == ("plan", [[], [4], []])  # use is optional, the card stays


def test_what_the_holder_can_choose() -> None:
    # CT-D-04: pass, or an own province with a marker
    board = holding().province("aki", 1, 3, unrest=2).province("hida", 1, 3, unrest=1).province("kaga", 1, 3)
    match = board.province("kii", 0, 3, unrest=1).begin("castle").match()
    assert options(match) == [
        {"name": "pass"}, {"name": "province", "province": "aki"}, {"name": "province", "province": "hida"},
    ]  # fmt: skip


def test_used_it_leaves_the_game() -> None:
    # CT-CARD-01, CT-R-12: one marker goes, the card is used up, nothing is asked any more
    match = holding().province("aki", 1, 3, unrest=3).begin("castle").match()
    play(match, "pass")
    assert asked(match, use="aki") == [2]
    assert province(match, "aki")["unrest"] == 2
    assert events(match, "favour_used") == [{"seat": HOLDER, "card": 4, "province": "aki"}]
    assert kept(match) == [[], [], []]
    found = match.state()["court"]
    assert 4 not in found["deck"] + found["laid"]


def test_without_a_marker_nothing_is_asked() -> None:
    # CT-D-04, TW-D-00: passing would be the only choice
    match = holding().province("aki", 1, 3).province("hida", 0, 3, unrest=3).begin("castle").match()
    assert (match.decisions, point(match), kept(match)) == (0, "plan", [[], [4], []])


def test_a_marker_of_this_season_is_enough() -> None:
    # CT-R-12: collecting in the first action lays one, the other nine actions ask
    match = holding().province("aki", 1, 3).plan(1, tax="aki").begin("tax").match()
    assert events(match, "collected")[0]["seat"] == HOLDER
    assert asked(match) == [2, 3, 4, 5, 6, 7, 8, 9, 10]


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("card", ["empty", "treasure_4", "tower", "kaga", "aki"])
def test_whatever_lies_on_the_space(action: str, card: str) -> None:
    # CT-R-12, CT-D-04: the question comes before the card is turned up and does not hang on it
    board = holding().province("aki", 1, 3, unrest=1).province("kaga", 1, 3)
    match = board.plan(1, **{action: card}).begin(action).match()
    assert (point(match), match.to_act, match.state()["place"]) == ("kept", HOLDER, 1)
    assert options(match) == [{"name": "pass"}, {"name": "province", "province": "aki"}]
    assert player(match, HOLDER)["revealed"] == []
    assert "card_revealed" not in kinds(match)
    for seat in (0, 2):
        seen = match.view(seat)["players"][HOLDER]["plan"][action]
        assert seen == ("empty" if card == "empty" else "face_down")
    play(match, "pass")
    revealed = events(match, "card_revealed")
    assert revealed == ([] if card == "empty" else [{"seat": HOLDER, "space": action, "card": card}])


@pytest.mark.parametrize("card", ["treasure_4", "tower", "kaga", "aki"])
def test_the_question_betrays_nothing(card: str) -> None:
    # CT-R-12, TW-D-12: others observe the same, whichever card lies there
    def seen(laid: str) -> list[object]:
        board = holding().province("aki", 1, 3, unrest=1).province("kaga", 1, 3)
        board.plan(1, battle_a=laid, battle_b="treasure_1" if laid == card else card)
        match = board.begin("battle_a").match()
        return [(match.view(seat), match.observe(seat).tolist()) for seat in (0, 2)]

    assert seen(card) == seen("treasure_1")


def test_per_action_the_card_is_open_already() -> None:
    # CT-R-12, TW-R-11: all cards of the action are turned up when it begins; the question comes all the same
    board = holding().province("aki", 1, 3, unrest=1).province("kii", 2, 2).plan(1, castle="aki")
    board.plan(2, castle="kii").begin("castle").set(place=0)
    match = board.match(reveal="per_action")
    assert (point(match), match.state()["place"]) == ("kept", 1)
    assert events(match, "card_revealed") == [
        {"seat": 1, "space": "castle", "card": "aki"}, {"seat": 2, "space": "castle", "card": "kii"},
    ]  # fmt: skip
    assert match.view(0)["players"][HOLDER]["plan"]["castle"] == "aki"
    assert not events(match, "built")


@pytest.mark.parametrize("action", ["tax", "rice"])
@pytest.mark.parametrize(
    ("markers", "use", "farmers", "left"),
    [(1, "settsu", None, 1), (1, None, 1, 2), (2, "settsu", 1, 2), (2, None, 2, 3), (1, "aki", 1, 2)],
)
def test_markers_are_counted_after_the_removal(
    action: str, markers: int, use: str | None, farmers: int | None, left: int
) -> None:
    # CT-R-12: the collection that follows meets as many farmers as markers are left; TW-ACT-09
    board = holding().province("settsu", 1, 9, unrest=markers).province("aki", 1, 1, unrest=1)
    match = board.plan(1, **{action: "settsu"}).begin(action).match()
    if use is None:
        play(match, "pass")
    else:
        play(match, "province", province=use)
    revolts = [event["farmers"] for event in events(match, "revolt")]
    assert revolts == ([] if farmers is None else [farmers])
    assert [event["amount"] for event in events(match, "collected")] == [{"tax": 7, "rice": 3}[action]]
    assert province(match, "settsu")["unrest"] == left
    assert province(match, "settsu")["armies"] == 9 - (farmers or 0)


def test_the_taker_of_this_season_is_asked_too() -> None:
    # CT-R-12: kept in the hall, because no marker lay there; the tax of the same season lays one
    board = court().province("aki", 0, 3).plan(0, tax="aki")
    match = audience(board, 7, favours=(13, 6, 4)).match()
    take(match, 4)
    assert point(match) == "kept"
    state = match.state()
    assert state["action_order"][state["place"] - 1] == "deploy5"  # the one after the tax
    play(match, "province", province="aki")
    assert (province(match, "aki")["unrest"], kept(match)) == (0, [[], [], []])


def winter(*unrest: int, rice: int, year: int = 1, armies: int = 9) -> Board:
    """Seat 1 keeps favour 4 and owns Aki, Hida and Kaga; no rice is lost, it has so much to supply three."""
    board = holding(year=year).event(7).player(HOLDER, rice=rice)
    for key, markers in zip(("aki", "hida", "kaga"), unrest, strict=True):
        board.province(key, HOLDER, armies, unrest=markers)
    return board.begin("winter")


@pytest.mark.parametrize(("use", "farmers"), [("aki", 3), ("hida", 4), (None, 4)])
def test_before_a_revolt_in_winter(use: str | None, farmers: int) -> None:
    # CT-R-12, CT-D-04: directly before it, after its province is known; markers are counted afterwards.
    # Shortage 2 is one revolt with 2 extra farmers; the dice leave the order, so it is Aki's
    match = winter(2, 1, 0, rice=1).match(dice=[3, 2])
    state = match.state()
    assert (point(match), match.to_act, state["round"], state["revolt"]) == ("kept", HOLDER, "winter", "aki")
    assert state["phase"] == 0
    assert targets(match) == ["aki", "hida"]
    assert not events(match, "revolt")
    if use is None:
        play(match, "pass")
    else:
        play(match, "province", province=use)
    assert events(match, "revolt") == [
        {"seat": HOLDER, "province": "aki", "farmers": farmers, "wanted": farmers}
    ]
    assert province(match, "aki")["armies"] == 9 - farmers
    assert kept(match)[HOLDER] == ([4] if use is None else [])


def test_before_each_of_several_revolts() -> None:
    # CT-R-12, CT-D-04, TW-D-10: first the province is chosen, then the question comes, for each revolt anew
    match = winter(1, 0, 1, rice=0).match(
        dice=[2, 2]
    )  # shortage 3: two revolts; face 2 of 3 swaps Hida and Kaga
    assert events(match, "revolts_drawn")[0]["provinces"] == ["aki", "kaga"]
    assert point(match) == "revolt"
    play(match, "province", province="kaga")
    assert (point(match), match.state()["revolt"], match.state()["pending"]) == ("kept", "kaga", ["aki"])
    play(match, "pass")
    assert events(match, "revolt") == [{"seat": HOLDER, "province": "kaga", "farmers": 3, "wanted": 3}]
    assert (point(match), match.state()["revolt"]) == ("kept", "aki")  # the last one needs no choice
    play(match, "province", province="aki")
    assert events(match, "revolt")[1] == {"seat": HOLDER, "province": "aki", "farmers": 2, "wanted": 2}


def test_used_before_the_first_revolt_it_is_gone_before_the_second() -> None:
    # CT-R-12
    match = winter(1, 0, 1, rice=0).match(dice=[2, 2])
    play(match, "province", province="kaga")
    play(match, "province", province="aki")
    assert [(event["province"], event["farmers"]) for event in events(match, "revolt")] == [
        ("kaga", 3),
        ("aki", 2),
    ]
    assert point(match) == "plan"


def test_in_winter_only_before_own_revolts() -> None:
    # CT-R-12: not in a revolt of another seat, and not without one
    board = winter(1, 1, 1, rice=3).province("kii", 0, 9, unrest=1)  # the holder has rice for all three
    match = board.begin("winter").match()
    assert [event["seat"] for event in events(match, "revolt")] == [0]
    assert (match.decisions, point(match), kept(match)) == (0, "plan", [[], [4], []])


def test_the_card_survives_year_end() -> None:
    # CT-R-12, CT-ST-03, TW-YEAR-01: markers go, the card stays
    match = winter(1, 1, 1, rice=3).match()
    state = match.state()
    assert (state["year"], state["round"], kept(match)) == (2, "spring", [[], [4], []])
    assert province(match, "aki")["unrest"] == 0
    assert 4 not in state["court"]["deck"] + state["court"]["laid"]


def test_it_is_lost_at_the_end() -> None:
    # CT-R-12, CT-END-01: without effect
    match = winter(1, 1, 1, rice=3, year=2).match()
    assert match.over
    assert match.state()["players"][HOLDER]["score"] == 3
    assert "favour_used" not in kinds(match)


def test_the_held_card_is_public() -> None:
    # CT-R-12, TW-D-12: everybody sees who keeps what, also while plans are entered
    match = holding(round_="summer").begin("plan").match()
    for seat in range(3):
        assert [found["kept"] for found in match.view(seat)["players"]] == [[], [4], []]
    other = court(round_="summer").begin("plan").match()
    assert other.state()["court"]["laid"] == match.state()["court"]["laid"]
    assert all((match.observe(seat) != other.observe(seat)).any() for seat in range(3))


def test_protection_goes_and_favour_4_stays() -> None:
    # CT-CARD-03, CT-ST-03
    board = holding().player(HOLDER, kept=[4, 18]).player(2, kept=[10])
    match = quietly(board.begin("clean_up").match(), "plan")
    assert kept(match) == [[], [4], []]
