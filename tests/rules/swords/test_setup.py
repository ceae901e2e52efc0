"""Setup (SETUP): cards, spearmen, swords, koku, first reinforcements and army markers."""

import pytest

from rules.swords.board import Board, army, options, owner, plan, play, point, quietly, units
from sengoku import Match

CARDS = {3: 22, 4: 17, 5: 13}
SEATS = pytest.mark.parametrize("seats", [3, 4, 5])


def new(seats: int, seed: int = 1) -> Match:
    """A match at its first decision."""
    return Match.create("swords", seats=seats, seed=seed)


def divided(seed: int = 1) -> Match:
    """A match of two players whose cards are divided."""
    match = new(2, seed)
    while point(match) == "divide":
        match.play(match.legal_actions()[0])
    return match


def reinforced(seats: int, seed: int = 1) -> Match:
    """A match whose spearmen are all placed, each time in the first province that is offered."""
    match = new(seats, seed)
    while point(match) == "reinforce":
        match.play(match.legal_actions()[0])
    return match


def provinces(match: Match, clan: int | None) -> list[str]:
    """The provinces of a clan."""
    return [key for key, province in match.state()["provinces"].items() if province["owner"] == clan]


def named(match: Match) -> list[str]:
    """The provinces that may be named."""
    return [action["province"] for action in options(match, "province")]


def by_sword(match: Match) -> list[int]:
    """The clans in sword order."""
    swords = [clan["sword"] for clan in match.state()["clans"]]
    return sorted(range(len(swords)), key=swords.__getitem__)


@SEATS
def test_trays_hold_what_is_not_in_use(seats: int) -> None:
    # SW-SETUP-01: 9 bowmen, swordsmen and gunners and 36 spearmen of each colour, less armies and claims
    for clan in new(seats).state()["clans"]:
        assert clan["colours"] == 1
        tray = {kind: count for kind, count in clan["tray"].items() if count}
        assert tray == {"bow": 6, "sword": 6, "gun": 3, "spear": 36 - CARDS[seats]}


@SEATS
def test_the_army_card(seats: int) -> None:
    # SW-SETUP-02, SW-R-10: 15 units on the card, two gunners in each army, no spearmen, no ronin, hole 0
    match = new(seats)
    for clan in range(seats):
        for number in (1, 2, 3):
            found = army(match, clan, number)
            assert found["units"] == {"daimyo": 1, "bow": 1, "sword": 1, "gun": 2}
            assert (found["hole"], found["province"], found["disrupted"]) == (0, None, False)
    assert match.state()["pool"] == {"castles": 10, "bases": 5, "ronin": 25}


@SEATS
def test_the_deal(seats: int) -> None:
    # SW-SETUP-03: the same number for everybody; what is left over starts empty
    for seed in range(5):
        match = new(seats, seed)
        assert [len(provinces(match, clan)) for clan in range(seats)] == [CARDS[seats]] * seats
        left = provinces(match, None)
        assert len(left) == 68 - seats * CARDS[seats]
        assert all(units(match, key) == {} for key in left)


def test_cards_are_shuffled() -> None:
    # SW-SETUP-03: over many deals a province comes to everybody, and is left over at times
    seen = [owner(new(5, seed), "iki") for seed in range(80)]
    assert set(seen) == {0, 1, 2, 3, 4, None}
    deals = {tuple(provinces(new(3, seed), 0)) for seed in range(20)}
    assert len(deals) == 20


@SEATS
def test_a_spearman_claims_each_province(seats: int) -> None:
    # SW-SETUP-04, SW-R-14: before the first decision, and everybody knows whose is whose
    match = new(seats)
    assert match.decisions == 0
    for clan in range(seats):
        for key in provinces(match, clan):
            assert units(match, key) == {"spear": 1}
    owners = {key: province["owner"] for key, province in match.state()["provinces"].items()}
    for seat in range(seats):
        seen = match.view(seat)["provinces"]
        assert {key: province["owner"] for key, province in seen.items()} == owners


def test_two_players_claim_when_both_have_divided() -> None:
    # SW-SETUP-04: all clans at once, after SW-TWO-03
    match = new(2)
    for _ in range(34):
        assert match.state()["clans"][0]["tray"]["spear"] == 36
        match.play(match.legal_actions()[0])
    assert [len(provinces(match, clan)) for clan in range(4)] == [17] * 4
    for clan in range(4):
        assert match.state()["clans"][clan]["tray"]["spear"] == 19
        assert all(units(match, key) == {"spear": 1} for key in provinces(match, clan))


@pytest.mark.parametrize(("seats", "swords"), [(2, 4), (3, 3), (4, 4), (5, 5)])
def test_swords_are_drawn(seats: int, swords: int) -> None:
    # SW-SETUP-05: surplus ones are removed, each clan draws one of the rest
    firsts = set()
    for seed in range(25):
        match = divided(seed) if seats == 2 else new(seats, seed)
        drawn = [clan["sword"] for clan in match.state()["clans"]]
        assert sorted(drawn) == list(range(1, swords + 1))
        firsts.add(drawn.index(1))
    assert firsts == set(range(swords))  # blindly: every clan has drawn the first one


@pytest.mark.parametrize(("seats", "koku"), [(2, 5), (3, 7), (4, 5), (5, 4)])
def test_first_koku(seats: int, koku: int) -> None:
    # SW-SETUP-06: a third of the cards, rounded down
    match = divided() if seats == 2 else new(seats)
    assert {clan["koku"] for clan in match.state()["clans"]} == {koku}


@SEATS
def test_first_reinforcements(seats: int) -> None:
    # SW-SETUP-07, SW-R-09, SW-R-11: six times around in sword order, 2 spearmen into a province with 1
    match = new(seats, seed=6)
    order = by_sword(match)
    chosen: dict[int, list[str]] = {clan: [] for clan in range(seats)}
    for _ in range(6):
        for clan in order:
            assert (point(match), match.to_act) == ("reinforce", clan)
            # any province of its own that is not reinforced yet: never more than 3 spearmen in one
            assert set(named(match)) == set(provinces(match, clan)) - set(chosen[clan])
            assert len(options(match)) == len(named(match))
            place = named(match)[-1]
            play(match, "province", province=place)
            chosen[clan].append(place)
            assert units(match, place) == {"spear": 3}
    assert point(match) == "place_armies"
    for clan in range(seats):
        assert match.state()["clans"][clan]["tray"]["spear"] == 36 - CARDS[seats] - 12
        assert match.state()["clans"][clan]["tray"]["bow"] == 6
        assert len(set(chosen[clan])) == 6


def test_the_limit_of_three_ends_with_setup() -> None:
    # SW-SETUP-07: in round 1 a levied spearman may join three others
    match = quietly(reinforced(3), "plan")
    for levy in (1, 0, 0):
        plan(match, levy=levy)
    quietly(match, "buy")
    play(match, "bundle", units={"spear": 1})
    full = [key for key in provinces(match, 0) if units(match, key) == {"spear": 3}]
    assert len(full) == 6
    assert set(full) <= set(named(match))
    play(match, "province", province=full[0])
    assert units(match, full[0]) == {"spear": 4}


@SEATS
def test_army_markers(seats: int) -> None:
    # SW-SETUP-08, SW-R-13: three times around in sword order; armies are numbered as they are placed
    match = reinforced(seats, seed=6)
    order = by_sword(match)
    placed: dict[int, list[str]] = {clan: [] for clan in range(seats)}
    for number in (1, 2, 3):
        for clan in order:
            assert (point(match), match.to_act) == ("place_armies", clan)
            assert set(named(match)) == set(provinces(match, clan)) - set(placed[clan])
            place = named(match)[5]
            play(match, "province", province=place)
            placed[clan].append(place)
            assert army(match, clan, number)["province"] == place
    for clan in range(seats):
        assert [army(match, clan, number)["province"] for number in (1, 2, 3)] == placed[clan]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_round_1_begins(seats: int) -> None:
    # SW-SETUP-09: swords are handed back, everybody plans
    match = divided() if seats == 2 else new(seats)
    quietly(match, "plan")
    state = match.state()
    assert (state["round"], state["point"], match.to_act) == (1, {"plan": "swords"}, 0)
    assert [clan["sword"] for clan in state["clans"]] == [0] * len(state["clans"])


def test_armies_may_pass_each_other_but_not_end_together() -> None:
    # SW-R-12: Chikugo holds another army that has moved; the way leads through it, nobody stops there
    board = Board(3).army(0, 1, "hizen", hole=3, spear=2).army(0, 2, "chikugo", spear=1)
    board.province("higo", 0, spear=1)
    match = board.match()
    play(match, "army", army=2)
    play(match, "stop")
    play(match, "army", army=1)
    assert {"to": "chikugo", "hidden": 0} in options(match, "step")
    play(match, "step", to="chikugo")
    play(match, "from_army", unit="spear")
    play(match, "done")
    assert options(match, "stop") == []
    play(match, "step", to="higo")
    play(match, "stop")
    places = [army(match, 0, number)["province"] for number in (1, 2)]
    assert places == ["higo", "chikugo"]
