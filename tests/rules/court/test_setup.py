"""Set-up with the expansion (CT-SETUP): officers of the tower fill, and the favour deck."""

import pytest

from differential.model_tower import Numbers
from rules.court.hall import audience, court, officers, take
from rules.tower.board import FARMER, GLASS, Board, enter, events, kinds, options, play, point, quietly
from sengoku import Match
from sengoku.errors import SetupError

TOP_OF_THE_DECK = 59
"""Where an observation has the top card of the favour deck (README of the crate)."""
UNKNOWN = 255


def deal(seats: int = 3, seed: int = 1, **setup: object) -> Match:
    return Match.create("tower", seats=seats, seed=seed, setup={"court": True, **setup})


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("seed", range(4))
def test_base_setup_is_unchanged(seats: int, seed: int) -> None:
    # CT-SETUP-01: armies, chests, cubes, tower and events are those of the base game
    with_court = deal(seats, seed).state()
    without = Match.create("tower", seats=seats, seed=seed).state()
    for field in ("provinces", "supply", "tray", "tower", "open_events", "event_deck", "tiles"):
        assert with_court[field] == without[field]
    for one, other in zip(with_court["players"], without["players"], strict=True):
        assert [one[it] for it in ("chests", "rice", "score")] == [{3: 18, 4: 15, 5: 12}[seats], 0, 0]
        assert [other[it] for it in ("chests", "rice", "score")] == [one["chests"], 0, 0]


def test_a_draft_with_the_court() -> None:
    # CT-SETUP-01, CT-SETUP-03: officers come with the fill, not before
    match = deal(mode="draft")
    while point(match).startswith("draft"):
        assert [officers(match, seat) for seat in range(3)] == [(7, 0, 0)] * 3
        assert match.state()["court"]["deck"] == []
        match.play(match.legal_actions()[0])
    out = events(match, "tower_filled")[0]["out"]
    assert [officers(match, seat) for seat in range(3)] == [(7 - out[s], out[s], 0) for s in range(3)]


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("seed", range(6))
def test_officers_of_the_tower_fill(seats: int, seed: int) -> None:
    # CT-SETUP-03, TW-FILL-03: an officer for each own army in the tray, then the cubes go to the supplies
    match = deal(seats, seed)
    out = events(match, "tower_filled")[0]["out"]
    granted = [{"seat": seat, "officers": out[seat]} for seat in range(seats)]
    assert events(match, "officers_granted") == granted
    order = kinds(match)
    assert order.index("tower_filled") < order.index("officers_granted") < order.index("events_opened")
    assert [officers(match, seat) for seat in range(seats)] == [(7 - n, n, 0) for n in out[:seats]]
    state = match.state()
    assert state["tray"] == [0] * 6
    armies = {3: 35, 4: 37, 5: 39}[seats]
    assert state["supply"][:seats] == [armies - 7 + out[seat] for seat in range(seats)]
    assert state["supply"][FARMER] == 10 + out[FARMER]
    assert len([cube for shelf in state["tower"] for cube in shelf]) == 7 * seats + 10 - sum(out)


def test_a_tower_that_keeps_nothing_sends_all_officers() -> None:
    # CT-SETUP-03, TW-FILL-03: all seven armies of everybody lie in the tray, so all seven officers are called
    match = deal(tower_model=GLASS)
    assert events(match, "tower_filled")[0]["out"] == [7, 7, 7, 0, 0, 10]
    assert [officers(match, seat) for seat in range(3)] == [(0, 7, 0)] * 3
    assert match.state()["supply"] == [35, 35, 35, 0, 0, 20]


def test_seven_officers_in_three_places() -> None:
    # CT-SETUP-02: supply, entrance and hall hold seven officers of a player at any time
    match = deal(4, seed=8)
    places = set()
    while not match.over:
        for seat in range(4):
            found = officers(match, seat)
            assert sum(found) == 7
            places |= {
                place for place, count in zip(("supply", "entrance", "hall"), found, strict=True) if count
            }
        legal = match.legal_actions()
        match.play(legal[match.decisions * 7 % len(legal)])
    assert places == {"supply", "entrance", "hall"}


@pytest.mark.parametrize("wrong", [(6, 0, 0), (7, 1, 0), (4, 4, 0), (0, 0, 0)])
def test_positions_with_other_numbers_of_officers(wrong: tuple[int, int, int]) -> None:
    # CT-SETUP-02
    board = court().player(1, officers=dict(zip(("supply", "entrance", "hall"), wrong, strict=True)))
    with pytest.raises(SetupError, match="officers"):
        board.begin("plan").match()


@pytest.mark.parametrize("seed", range(5))
def test_the_favour_deck_is_shuffled(seed: int) -> None:
    # CT-SETUP-04, CT-RNG-01: a shuffle of 1 to 21, right after the one of the event deck
    chance = Numbers("game", seed, 0)
    event_deck, favours = list(range(1, 13)), list(range(1, 22))
    chance.shuffle(event_deck)
    chance.shuffle(favours)
    state = deal(seed=seed).state()
    assert state["open_events"] == sorted(event_deck[:4])
    assert state["court"]["laid"] == sorted(favours[:3], reverse=True)
    assert state["court"]["deck"] == favours[3:]
    assert state["draws"] == 11 + 20 + 9 + 4  # then action and special cards


def test_the_top_card_lies_open() -> None:
    # CT-R-01, TW-D-12: everybody sees the top card of the favour deck and nothing below it
    match = deal(seed=5)
    top = match.state()["court"]["deck"][0]
    for seat in range(3):
        assert match.view(seat)["court"]["deck"] == [top]
        assert match.observe(seat)[TOP_OF_THE_DECK] == top
    for _seat in range(3):
        enter(match)
    quietly(match, "plan")
    assert match.state()["round"] == "summer"
    assert top in match.state()["court"]["laid"]  # it is one of the next season's three


def test_the_hidden_deck() -> None:
    # CT-R-01: the option changes what is seen, nothing else
    hidden, open_top = (deal(seed=5, favour_deck=option) for option in ("hidden", "open_top"))
    assert open_top.digest == deal(seed=5).digest  # the default
    for seat in range(3):
        assert hidden.view(seat)["court"]["deck"] is None
        assert hidden.observe(seat)[TOP_OF_THE_DECK] == UNKNOWN
        assert hidden.view(seat)["court"]["laid"] == hidden.state()["court"]["laid"]
    while not hidden.over:
        assert hidden.legal_actions() == open_top.legal_actions()
        choice = hidden.legal_actions()[hidden.decisions * 11 % len(hidden.legal_actions())]
        hidden.play(choice)
        open_top.play(choice)
    assert hidden.log == open_top.log


def test_unseen_cards_of_the_deck_change_no_observation() -> None:
    # CT-R-01, TW-D-12: two decks that differ below the top look the same, with the hidden deck at the top too
    def views(deck: list[int], option: str) -> list[object]:
        board = audience(court(), 7, favours=(21, 20, 19))
        board.state["court"]["deck"] = deck
        match = board.match(favour_deck=option)
        return [(match.view(seat), match.observe(seat).tolist()) for seat in range(3)]

    deck = list(range(1, 19))
    below, above = [1, *range(18, 1, -1)], [*range(18, 0, -1)]
    assert views(deck, "open_top") == views(below, "open_top")
    assert views(deck, "open_top") != views(above, "open_top")
    assert views(deck, "hidden") == views(above, "hidden")


def test_favour_deck_is_one_of_two() -> None:
    # CT-R-01
    with pytest.raises(SetupError, match="favour_deck"):
        deal(favour_deck="face_up")


def test_pieces_of_colours_that_do_not_play() -> None:
    # CT-SETUP-01: only seats at the table come to court
    match = audience(court(4), 2, 3, 4, 5).match()
    assert events(match, "court_order") == [{"order": [3, 2, 1, 0]}]
    take(match, 19)
    assert [card["card"] for card in options(match, "favour")] == [13, 6]
    with pytest.raises(SetupError):
        Board(3, court=True).begin("court").set(turn_order=[0, 1, 3]).match()
    play(match, "pass")
    assert match.to_act == 1
