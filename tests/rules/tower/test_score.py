"""Scoring, end of the year and end of the game (sections 15 to 17)."""

from copy import deepcopy
from typing import Any

import pytest

from rules.tower.board import (
    GLASS,
    Board,
    enter,
    events,
    kinds,
    options,
    play,
    player,
    point,
    province,
    quietly,
)
from sengoku import Match


def points(match: Match, year: int = 0) -> list[dict[str, Any]]:
    """The score of each seat in a winter."""
    return [seat["tally"][year] for seat in match.state()["players"]]


def scores(match: Match) -> list[int]:
    """The running scores."""
    return [seat["score"] for seat in match.state()["players"]]


def test_provinces_and_buildings() -> None:
    # TW-SCORE-01: 1 for each province, 1 for each building; majorities stand apart. Seat 2 has nothing
    board = Board(3).province("omi", 0, 2, "castle", "temple", "no").province("kai", 0, 1)
    match = board.province("aki", 1, 1).province("iyo", 1, 7).begin("score").match()
    assert [(it["provinces"], it["buildings"]) for it in points(match)] == [(2, 3), (2, 0), (0, 0)]
    assert points(match)[0]["majorities"] == {"castle": {"red": 3}, "temple": {"red": 2}, "no": {"red": 1}}
    assert scores(match) == [2 + 3 + 3 + 2 + 1, 2, 0]


def test_majorities_of_a_region() -> None:
    # TW-EX-23, TW-SCORE-02, TW-COMP-06: castles 2/2/1, temples 1/0/0, theatres 1/1/1 in the red region
    board = Board(3).province("omi", 0, 1, "castle", "temple", "no").province("echizen", 0, 1, "castle")
    board.province("hida", 1, 1, "castle", "no").province("harima", 1, 1, "castle")
    board.province("wakasa", 2, 1, "castle", "no")
    match = board.begin("score").match()
    won = [it["majorities"] for it in points(match)]
    assert [it["castle"].get("red", 0) for it in won] == [2, 2, 0]
    assert [it["temple"].get("red", 0) for it in won] == [2, 0, 0]
    assert [it["no"].get("red", 0) for it in won] == [0, 0, 0]
    assert scores(match) == [2 + 4 + 4, 2 + 3 + 2, 1 + 2]


@pytest.mark.parametrize(("building", "alone", "tied"), [("castle", 3, 2), ("temple", 2, 1), ("no", 1, 0)])
def test_each_region_by_itself(building: str, alone: int, tied: int) -> None:
    # TW-SCORE-02: most in one region says nothing about another; TW-R-37: the tie value is the same for any
    # number of players, a type that is absent gives nothing
    board = Board(5).province("omi", 0, 1, building).province("wakasa", 0, 1, building)
    board.province("hida", 1, 1, building)
    for seat, place in enumerate(("izu", "suruga", "musashi", "sagami", "totomi")):
        board.province(place, seat, 1, building)
    for seat, place in ((3, "aki"), (4, "bingo")):
        board.province(place, seat, 1, building)
    won = [it["majorities"] for it in points(board.begin("score").match())]
    others = {"castle", "temple", "no"} - {building}
    assert all(it[other] == {} for it in won for other in others)
    assert [it[building].get("red", 0) for it in won] == [alone, 0, 0, 0, 0]
    assert [it[building].get("yellow", 0) for it in won] == [tied] * 5
    assert [it[building].get("green", 0) for it in won] == [0, 0, 0, tied, tied]
    assert all(it[building].get(region, 0) == 0 for it in won for region in ("brown", "purple"))


def test_sides_have_regions_of_their_own() -> None:
    # TW-SCORE-01, TW-FACT-04: Kai is yellow on the sun side and red on the moon side
    for side, region in (("sun", "yellow"), ("moon", "red")):
        board = Board(4, side=side).province("kai", 0, 1, "castle").province("hida", 1, 1, "castle")
        won = [it["majorities"]["castle"] for it in points(board.begin("score").match())]
        tied = side == "moon"
        assert won[:2] == ([{"red": 2}, {"red": 2}] if tied else [{region: 3}, {"red": 3}])


def test_two_winters_add_up() -> None:
    # TW-SCORE-03: to what there is already; points of favours are counted once, when they were gained
    board = (
        Board(3, court=True, year=2).province("omi", 0, 2, "castle").player(0, score=17).player(1, score=5)
    )
    board.state["players"][0]["tally"][0] |= {"provinces": 9, "buildings": 3, "favours": 2}
    board.state["players"][0]["tally"][1] |= {"favours": 3}
    match = board.begin("score").match()
    assert scores(match) == [17 + 1 + 1 + 3, 5, 0]
    outcome = match.outcome
    assert outcome is not None
    assert outcome.details[0] == {
        "score": 22, "chests": 20,
        "years": [
            {
                "provinces": 9, "buildings": 3, "favours": 2, "total": 14,
                "majorities": {"castle": {}, "temple": {}, "no": {}},
            },
            {
                "provinces": 1, "buildings": 1, "favours": 3, "total": 8,
                "majorities": {"castle": {"red": 3}, "temple": {}, "no": {}},
            },
        ],
    }  # fmt: skip


def test_whole_matches_add_up() -> None:
    # TW-SCORE-03, TW-SCORE-01: points by source and winter make the scores, and the board explains them
    for seats in (3, 4, 5):
        match = Match.create("tower", seats=seats, seed=seats, setup={"court": True})
        while not match.over:
            match.play(match.legal_actions()[-1])
        outcome, state = match.outcome, match.state()
        assert outcome is not None
        assert [sum(year["total"] for year in it["years"]) for it in outcome.details] == list(outcome.scores)
        for seat, details in enumerate(outcome.details):
            own = [it for it in state["provinces"].values() if it["owner"] == seat]
            assert details["years"][1]["provinces"] == len(own)
            assert details["years"][1]["buildings"] == sum(
                it["castle"] + it["temple"] + it["no"] for it in own
            )


def full_year(court: bool = True) -> Board:
    """The end of the first winter, with something everywhere."""
    board = (
        Board(3, court=court).province("omi", 0, 4, "castle", "no", unrest=2).province("kai", 1, 2, unrest=1)
    )
    board.tray(1, 2, 0, farmers=3).tower([0, 5, 1], [2, 2]).order(2, 1, 0).event(9)
    for seat in range(3):
        board.player(seat, rice=3 + seat, chests=10 + seat).officers(seat, entrance=seat)
    return board.player(1, kept=[4], shortage=0)


def test_year_end() -> None:
    # TW-YEAR-01: four new events, no rice, no markers, daimyo cards back; the winter card is out of the game
    board = full_year().begin("score")
    before = deepcopy(board.position())
    assert before["open_events"] == [9]
    match = board.match(tower_model="ledger")
    after = match.state()
    assert (after["year"], after["round"], point(match)) == (2, "spring", "plan")
    assert after["open_events"] == sorted(before["event_deck"][:4])
    assert after["event_deck"] == before["event_deck"][4:]
    assert 9 in after["used_events"]
    assert len(after["used_events"]) == 4
    assert [it["rice"] for it in after["players"]] == [0, 0, 0]
    assert all(it["unrest"] == 0 for it in after["provinces"].values())
    assert [it["slot"] for it in after["players"]] == [0, 0, 0]
    assert after["turn_order"] == []
    # everything else stays: armies, buildings, chests, tower, tray, kept favours, officers
    for place in ("omi", "kai"):
        assert after["provinces"][place] == before["provinces"][place] | {"unrest": 0}
    for field in ("tower", "tray", "supply"):
        assert after[field] == before[field]
    for field in ("chests", "kept", "officers"):
        assert [it[field] for it in after["players"]] == [it[field] for it in before["players"]]


def test_events_of_the_second_year() -> None:
    # TW-YEAR-01, TW-EVENT-03: in a whole match 4 and 4 different cards, and 4 that are not used
    match = Match.create("tower", seats=3, seed=2)
    deck = match.state()["event_deck"]
    while not match.over:
        match.play(match.legal_actions()[0])
    first, second = [event["cards"] for event in events(match, "events_opened")]
    assert second == sorted(deck[:4])
    assert set(first).isdisjoint(second)
    assert match.state()["event_deck"] == deck[4:]


def test_the_end() -> None:
    # TW-END-01: after the points of the second winter; most points win
    board = (
        Board(3, year=2).province("omi", 0, 1).province("kai", 1, 1, "castle").player(2, score=3, chests=99)
    )
    match = board.begin("score").match()
    assert (match.over, match.to_act, match.legal_actions()) == (True, None, [])
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.winner, outcome.by_rule) == ("second_winter", 1, True)
    assert (outcome.scores, outcome.ranks) == ((1, 5, 3), (3, 1, 2))
    assert events(match, "over") == [{"reason": "second_winter", "winners": [1]}]
    # and not after the first
    assert not Board(3, year=1).province("omi", 0, 1).begin("score").match().over


@pytest.mark.parametrize(
    ("points_", "chests", "ranks"),
    [
        ((5, 5, 3), (7, 8, 90), (2, 1, 3)),  # TW-END-02: most chests among the tied
        ((5, 5, 3), (8, 8, 90), (1, 1, 3)),  # TW-R-38: shared victory
        ((5, 5, 5), (8, 9, 8), (2, 1, 2)),  # equal keys share a place
        ((6, 5, 5), (0, 4, 4), (1, 2, 2)),
        ((5, 5, 5), (1, 1, 1), (1, 1, 1)),
        ((4, 5, 6), (50, 9, 0), (3, 2, 1)),  # chests break ties only
    ],
)
def test_ties(points_: tuple[int, ...], chests: tuple[int, ...], ranks: tuple[int, ...]) -> None:
    # TW-END-02, TW-R-38
    board = Board(3, year=2)
    for seat in range(3):
        board.player(seat, score=points_[seat], chests=chests[seat])
    match = board.begin("score").match()
    outcome = match.outcome
    assert outcome is not None
    assert outcome.ranks == ranks
    winners = [seat for seat in range(3) if ranks[seat] == 1]
    assert events(match, "over")[0]["winners"] == winners
    assert outcome.shared == (len(winners) > 1)
    assert outcome.winner == (winners[0] if len(winners) == 1 else None)


@pytest.mark.parametrize(("court", "cards", "spaces"), [(False, 5, 11), (True, 8, 14)])
def test_nobody_is_eliminated(court: bool, cards: int, spaces: int) -> None:
    # TW-R-39: without a province he plans with 5 (8) cards, bids, takes a slot, and keeps chests and points
    board = Board(3, court=court).player(0, score=4, chests=6).province("kai", 1, 1).begin("plan")
    match = board.match()
    assert {option["name"] for option in options(match)} == {"treasure", "empty"} | (
        {"tower_card"} if court else set()
    )
    for _ in range(spaces):
        assert match.to_act == 0
        match.play(match.legal_actions()[-1])
    plan = match.state()["players"][0]["plan"].values()
    assert sum(card != "empty" for card in plan) == cards
    enter(match)
    enter(match)
    quietly(match, "plan", "summer")
    assert {event["seat"] for event in events(match, "slot_taken")} == {0, 1, 2}
    assert player(match, 0)["score"] == 4


def test_back_by_favour_twelve() -> None:
    # TW-R-39: a player without provinces gets one by favour 12
    board = (
        Board(3, court=True).province("kai", 1, 1).officers(0, entrance=4).favours(14, 12, 3).begin("court")
    )
    match = board.match()
    play(match, "favour", card=12)
    play(match, "province", province="aki")
    assert (province(match, "aki")["owner"], province(match, "aki")["armies"]) == (0, 3)
    assert "conquered" in kinds(match)


def test_a_whole_match_is_two_years() -> None:
    # TW-END-01, TW-YEAR-01
    match = Match.create("tower", seats=4, seed=1, setup={"tower_model": GLASS})
    while not match.over:
        match.play(match.legal_actions()[-1])
    rounds = [(event["year"], event["round"]) for event in events(match, "season_begun")]
    assert rounds == [(year, season) for year in (1, 2) for season in ("spring", "summer", "autumn")]
    assert len(events(match, "scored")) == 8
    assert kinds(match)[-5:] == ["scored"] * 4 + ["over"]
