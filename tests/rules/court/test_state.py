"""What the court adds to the state (CT-ST), its decisions (CT-D), what is public, and the end (CT-END)."""

from typing import Any

import pytest

from rules.court.hall import audience, beside, court, kept, officers, take, taken
from rules.tower.board import GLASS, Board, events, options, play, player, point
from sengoku import Match
from sengoku.errors import SetupError


def again(match: Match) -> Match:
    """A match that begins from the state of another."""
    setup = {"position": match.state(), "tower_model": GLASS}
    return Match.create("tower", seats=match.seats, seed=match.seed, setup=setup)


# --- officers


@pytest.mark.parametrize("where", ["plan", "castle", "winter"])
def test_the_hall_is_empty_outside_the_audience(where: str) -> None:
    # CT-ST-01, CT-COURT-10
    with pytest.raises(SetupError, match="hall"):
        court().officers(0, 2, 1).begin(where).match()
    assert officers(court().officers(0, 3).begin(where).match(), 0) == (4, 3, 0)


def test_officers_by_place() -> None:
    # CT-ST-01: each place holds 0 to 7
    match = audience(court(), 7, 0, 3).match()
    assert [officers(match, seat) for seat in range(3)] == [(0, 0, 7), (7, 0, 0), (4, 3, 0)]


# --- favours


def test_where_the_21_favours_are() -> None:
    # CT-ST-02: in the deck, laid out with their prices, kept, or removed
    board = court(round_="summer").player(2, kept=[4])
    match = audience(board, 7, 7, 7, favours=(18, 13, 6)).match()

    def removed() -> set[int]:
        found = match.state()["court"]
        there = [*found["deck"], *found["laid"], *(card for cards in kept(match) for card in cards)]
        assert len(found["deck"]) == 15  # three of spring, three of summer
        return set(range(1, 22)) - set(there)

    before = removed()
    assert len(before) == 2  # of spring's three one is kept
    take(match, 18)
    assert (match.state()["court"]["laid"], kept(match)) == ([None, 13, 6], [[18], [], [4]])
    assert removed() == before
    take(match, 6)
    assert match.state()["court"]["laid"] == [None, 13, None]
    assert removed() == before | {6}
    assert options(match, "favour") == [{"card": 13, "price": 3}]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"laid": [21, 20, 5]}, "twice"),  # 5 is in the deck as well
        ({"laid": [21, 20, None]}, "laid"),
        ({"laid": [22, 21, 20]}, "does not exist"),
        ({"deck": [5, 6, 7]}, "deck"),
        ({"deck": [4, *range(4, 18)]}, "twice"),
        ({"taken": 3}, "taken"),
        ({"order": [0, 0]}, "order"),
        ({"turn": 1}, "turn"),
    ],
)
def test_positions_with_wrong_favours(change: dict[str, Any], field: str) -> None:
    # CT-ST-02, CT-ST-04
    board = audience(court(round_="summer"), 7, favours=(21, 20, 19))
    board.state["court"]["deck"] = list(range(4, 19))
    assert len(board.match().legal_actions()) == 4
    board.state["court"] |= change
    with pytest.raises(SetupError, match=field):
        board.match()


@pytest.mark.parametrize("card", [1, 2, 3, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17, 19, 20, 21])
def test_only_four_favours_can_be_kept(card: int) -> None:
    # CT-ST-03, CT-COURT-08
    with pytest.raises(SetupError, match="kept"):
        court().player(0, kept=[card]).begin("castle").match()


@pytest.mark.parametrize("where", ["season", "plan", "bids", "winter", "score"])
def test_protections_are_kept_for_a_season(where: str) -> None:
    # CT-ST-03: 10, 11, 18 from the audience to the end of the season; 4 across seasons
    for card in (10, 11, 18):
        with pytest.raises(SetupError, match="kept"):
            court(round_="summer").player(0, kept=[card]).begin(where).match()
        assert court(round_="summer").player(0, kept=[card]).begin("castle").match()
    assert kept(court(round_="summer").player(0, kept=[4]).begin(where).match())[0] == [4]


# --- the court under way


def test_order_and_position_in_the_hall() -> None:
    # CT-ST-04: order of part 2 and who is on turn
    match = audience(court().order(2, 1, 0), 3, 3, 5).match()
    assert [match.state()["court"][field] for field in ("order", "turn")] == [[2, 1, 0], 0]
    play(match, "pass")
    assert (match.state()["court"]["turn"], match.to_act) == (1, 1)
    assert again(match).to_act == 1
    play(again(match), "favour", card=13)


@pytest.mark.parametrize(
    ("card", "where", "choices"),
    [(1, "favour_event", 2), (4, "favour_unrest", 2), (12, "favour_armies", 37), (17, "favour_building", 2)],
)
def test_a_choice_that_is_pending(card: int, where: str, choices: int) -> None:
    # CT-ST-04, CT-D-02, CT-D-03, CT-D-05, CT-D-06: the card is taken and paid, what it is used for is open;
    # such a state can be written down, saved and played on
    board = court().province("aki", 0, 2, unrest=1).province("hida", 0, 2, unrest=1)
    match = taken(card, board)
    assert (point(match), match.to_act, match.state()["court"]["taken"]) == (where, 0, card)
    assert len(match.legal_actions()) == choices
    for other in (again(match), Match.load(match.save())):
        assert other.state() == match.state()
        assert options(other) == options(match)
        choice = other.legal_actions()[-1]
        other.play(choice)
        done = match.clone()
        done.play(choice)
        assert other.state() == done.state()
        assert (point(other), other.to_act, other.state()["court"]["taken"]) == ("favour", 1, None)


@pytest.mark.parametrize(
    ("card", "others"),
    [(1, ["pass", "remove_event"]), (4, None), (12, None), (7, None), (17, None), (21, None)],
)
def test_who_decides_what_a_favour_does(card: int, others: list[str] | None) -> None:
    # CT-D-02, CT-D-03, CT-D-05, CT-D-06: the taker, at once, seen by all; only favour 1 can be left
    board = court().province("aki", 0, 2, unrest=1).province("hida", 0, 2, unrest=1)
    match = taken(card, board)
    assert match.to_act == 0
    names = {action.name for action in match.legal_actions()}
    assert names == (set(others) if others else {"province"})
    for seat in range(3):
        assert match.view(seat)["court"]["taken"] == card
        assert match.view(seat)["point"] == match.state()["point"]


def test_the_court_is_public() -> None:
    # TW-D-12: officers, laid-out and kept favours, and whose turn it is, for everybody
    match = audience(court(round_="summer").player(2, kept=[4]), 6, 3, 1, favours=(19, 13, 11)).match()
    take(match, 11)
    state = match.state()
    for seat in range(3):
        seen = match.view(seat)
        for field in ("laid", "order", "turn", "taken"):
            assert seen["court"][field] == state["court"][field]
        for one, other in zip(seen["players"], state["players"], strict=True):
            assert (one["officers"], one["kept"]) == (other["officers"], other["kept"])


def test_the_court_in_observations() -> None:
    # TW-D-12, CT-ST-01, CT-ST-02, CT-ST-03, CT-ST-04: the same bytes for everybody (README of the crate)
    board = court(round_="summer").player(2, kept=[4]).province("aki", 0, 2, unrest=1)
    match = audience(board.province("hida", 0, 2), 6, 3, 1, favours=(19, 17, 11)).match()
    take(match, 17)
    for seat in range(3):
        seen = match.observe(seat).tolist()
        assert seen[18:20] == [17, 0]  # favour taken, turn in the hall
        assert seen[51:54] == [19, 255, 11]
        assert seen[54:59] == [0, 1, 2, 255, 255]
        assert seen[59] == match.state()["court"]["deck"][0]
        players = [seen[84 + 64 * other :][:64] for other in range(3)]
        assert [bytes_[13:16] for bytes_ in players] == [[4, 0, 3], [4, 3, 0], [6, 1, 0]]
        sets = [int.from_bytes(bytes_[17:20], "little") for bytes_ in players]
        assert [set_.bit_count() for set_ in sets] == [0, 0, 1]


def test_favour_choices_are_told() -> None:
    # CT-D-01, TW-D-00: taken or not, asked or not
    match = audience(court(), 5, 4, 1).match()
    play(match, "pass")
    take(match, 19)
    assert [
        (event["event"], event["seat"])
        for event in match.log
        if event["event"] in {"no_favour", "favour_taken"}
    ] == [("no_favour", 0), ("favour_taken", 1), ("no_favour", 2)]


# --- the end


def scoring(**second: Any) -> Match:
    """The last winter is scored; seats 0 and 1 have a province and 20 chests each, seat 1 something more."""
    board = Board(court=True, year=2).province("aki", 0, 1).province("hida", 1, 1)
    return board.player(1, **second).begin("score").match()


@pytest.mark.parametrize(
    "second", [{"kept": [4]}, {"officers": {"supply": 0, "entrance": 7, "hall": 0}}, {"chests": 20}]
)
def test_officers_and_kept_cards_are_worth_nothing(second: dict[str, Any]) -> None:
    # CT-END-01, TW-R-38: equal points and chests are a shared victory, whatever else there is
    match = scoring(**second)
    assert match.over
    assert [player(match, seat)["score"] for seat in range(3)] == [1, 1, 0]
    assert events(match, "over") == [{"reason": "second_winter", "winners": [0, 1]}]


def test_chests_still_break_ties() -> None:
    # CT-END-01, TW-END-02: victory as in the base game
    assert events(scoring(chests=21), "over") == [{"reason": "second_winter", "winners": [1]}]
    assert events(scoring(score=1, chests=0), "over") == [{"reason": "second_winter", "winners": [1]}]


def test_points_of_favours_in_the_account() -> None:
    # CT-CARD-01, TW-SCORE-03: they are counted when they are gained, in their year, and only once
    board = court(year=2, round_="autumn").province("aki", 0, 1).player(0, score=5, rice=9)
    match = audience(board, 7, favours=beside(19)).match()
    take(match, 19)
    assert match.over
    assert player(match, 0)["score"] == 5 + 3 + 1
    outcome = match.outcome
    assert outcome is not None
    years = outcome.details[0]["years"]
    assert [(year["favours"], year["provinces"], year["total"]) for year in years] == [(0, 0, 0), (3, 1, 4)]
