"""Court actions, part 2: favours are chosen and paid (CT-COURT-05 to CT-COURT-10)."""

import pytest

from rules.court.hall import FILLERS, audience, beside, court, kept, officers, take, taken
from rules.tower.board import events, kinds, options, play, player, point
from sengoku import Match


def offered(match: Match) -> list[int]:
    """The favours that the player in the hall can take."""
    assert [action.name for action in match.legal_actions()].count("pass") == 1
    return [args["card"] for args in options(match, "favour")]


@pytest.mark.parametrize(
    ("entrance", "turn_order", "order"),
    [
        ((2, 3, 4), (0, 1, 2), [2, 1, 0]),
        ((4, 3, 2), (2, 1, 0), [0, 1, 2]),
        ((3, 3, 3), (1, 2, 0), [1, 2, 0]),
        ((2, 5, 5), (2, 1, 0), [2, 1, 0]),
        ((5, 2, 5), (2, 1, 0), [2, 0, 1]),
        ((7, 0, 1), (2, 1, 0), [0, 2]),
        ((0, 0, 0), (0, 1, 2), []),
    ],
)
def test_most_officers_first(
    entrance: tuple[int, ...], turn_order: tuple[int, ...], order: list[int]
) -> None:
    # CT-COURT-05: descending, ties by turn order; CT-R-03: nobody without an officer in the entrance
    match = audience(court().order(*turn_order), *entrance).match()
    assert events(match, "court_order") == [{"order": order}]
    while point(match) == "favour":
        play(match, "pass")
    assert [event["seat"] for event in events(match, "audience")] == order
    assert [event["officers"] for event in events(match, "audience")] == [entrance[seat] for seat in order]


def test_officers_of_the_conversions_count() -> None:
    # CT-COURT-05: the order is fixed after part 1
    board = court().province("aki", 0, 9).plan(0, convert3="aki", convert1="tower")
    match = audience(board, 1, 3, 3).match()
    assert events(match, "court_order") == [{"order": [0, 1, 2]}]


def test_the_order_does_not_change_while_favours_are_taken() -> None:
    # CT-COURT-05: fixed at the start; what is paid changes no place, and nobody comes twice
    match = audience(court(), 6, 5, 5).match()
    take(match, 19)
    assert match.to_act == 1
    take(match, 6)
    assert match.to_act == 2
    assert match.state()["court"]["order"] == [0, 1, 2]
    assert len(events(match, "court_order")) == 1
    play(match, "pass")
    assert [event["seat"] for event in events(match, "audience")] == [0, 1, 2]


def test_all_officers_move_into_the_hall() -> None:
    # CT-COURT-06: when his turn comes, not before
    match = audience(court(), 6, 5).match()
    assert [officers(match, seat) for seat in range(2)] == [(1, 0, 6), (2, 5, 0)]
    play(match, "pass")
    assert [officers(match, seat) for seat in range(2)] == [(1, 0, 6), (2, 0, 5)]


@pytest.mark.parametrize(
    ("number", "cards"), [(2, [6]), (3, [13, 6]), (4, [19, 13, 6]), (5, [19, 13, 6]), (7, [19, 13, 6])]
)
def test_what_can_be_paid_is_offered(number: int, cards: list[int]) -> None:
    # CT-COURT-06, CT-D-01: prices 4, 3, 2; or none
    match = audience(court(), number).match()
    assert (point(match), match.to_act) == ("favour", 0)
    assert offered(match) == cards
    play(match, "pass")
    assert events(match, "no_favour") == [{"seat": 0}]
    assert events(match, "court_closed") == [{"left": [19, 13, 6]}]
    assert officers(match, 0) == (7 - number, number, 0)


def test_one_officer_buys_nothing() -> None:
    # CT-COURT-06, CT-D-01, TW-D-00: the officer goes in without a decision, and the log has it
    match = audience(court(), 1).match()
    assert match.decisions == 0
    assert events(match, "audience") == [{"seat": 0, "officers": 1}]
    assert events(match, "no_favour") == [{"seat": 0}]
    assert officers(match, 0) == (6, 1, 0)


def test_cards_that_are_taken_are_gone() -> None:
    # CT-COURT-06, CT-D-01: the next player chooses among the rest; two officers cannot pay what is left
    match = audience(court(4), 5, 4, 3, 2).match()
    take(match, 13)
    assert offered(match) == [19, 6]
    take(match, 6)
    assert match.to_act is not None
    assert point(match) == "plan"  # for 3 and for 2 officers only the card for 4 would be left
    assert events(match, "no_favour") == [{"seat": 2}, {"seat": 3}]
    assert events(match, "court_closed") == [{"left": [19]}]


def test_one_card_for_a_player() -> None:
    # CT-COURT-06: seven officers could pay 4 and 3, but only one card is taken
    match = audience(court(), 7).match()
    take(match, 19)
    assert point(match) == "plan"
    assert [event["card"] for event in events(match, "favour_taken")] == [19]
    assert officers(match, 0) == (4, 3, 0)


@pytest.mark.parametrize(("card", "price"), [(19, 4), (13, 3), (6, 2)])
def test_the_price_goes_back_to_supply(card: int, price: int) -> None:
    # CT-COURT-07: out of the hall; the rest stays there until part 2 ends
    match = audience(court(), 6, 5).match()
    take(match, card)
    assert events(match, "favour_taken") == [{"seat": 0, "card": card, "kind": "points", "price": price}]
    assert officers(match, 0) == (1 + price, 0, 6 - price)
    play(match, "pass")
    assert officers(match, 0) == (1 + price, 6 - price, 0)  # CT-COURT-10


def test_the_place_sets_the_price_of_a_card() -> None:
    # CT-COURT-07, CT-FAV-01: the same card costs 4, 3 or 2
    for favours, price in (((13, 5, 4), 4), ((20, 13, 4), 3), ((20, 15, 13), 2)):
        match = take(audience(court(), 7, 4, favours=favours).match(), 13)
        assert officers(match, 0) == (price, 0, 7 - price)


@pytest.mark.parametrize("card", [card for card in range(1, 22) if card not in {4, 10, 11, 18}])
def test_used_favours_leave_the_game(card: int) -> None:
    # CT-COURT-08: not in the deck, not in the hall, kept by nobody
    board = court().province("aki", 0, 3).province("hida", 0, 3, unrest=1)
    match = taken(card, board)
    while match.to_act == 0:
        match.play(match.legal_actions()[-1])
    found = match.state()["court"]
    assert (found["taken"], card in found["laid"], card in found["deck"]) == (None, False, False)
    assert kept(match) == [[], [], []]
    assert (point(match), match.to_act) == ("favour", 1)


@pytest.mark.parametrize("card", [4, 10, 11, 18])
def test_four_favours_are_kept(card: int) -> None:
    # CT-COURT-08: 4 if it cannot be used, and the three protections
    match = taken(card)
    assert events(match, "favour_kept") == [{"seat": 0, "card": card}]
    assert kept(match) == [[card], [], []]
    assert all(match.view(seat)["players"][0]["kept"] == [card] for seat in range(3))  # public (TW-D-12)
    assert card not in match.state()["court"]["laid"]


def test_three_cards_taken_end_the_court() -> None:
    # CT-COURT-09: the fourth player does nothing, his officers do not even move
    match = audience(court(5), 7, 6, 5, 4, 3).match()
    for card in (6, 13, 19):
        take(match, card)
    assert point(match) == "plan"
    assert [event["seat"] for event in events(match, "audience")] == [0, 1, 2]
    assert events(match, "court_closed") == [{"left": []}]
    assert not events(match, "no_favour")
    assert [officers(match, seat)[1] for seat in range(5)] == [5, 3, 1, 4, 3]


def test_the_third_card_is_used_before_the_court_ends() -> None:
    # CT-COURT-08, CT-COURT-09
    match = audience(court(4).province("kii", 2, 2), 7, 7, 7, 7, favours=(21, 13, 6)).match()
    for card in (6, 13, 21):
        take(match, card)
    order = kinds(match)
    assert order.index("built") < order.index("court_closed") < order.index("action_begun")
    assert [event["seat"] for event in events(match, "audience")] == [0, 1, 2]


def test_the_end_of_part_two() -> None:
    # CT-COURT-10: officers return to the entrance, cards that are left leave the game, the ten actions follow
    match = audience(court(), 7, 4, 2).match()
    take(match, 13)
    play(match, "pass")
    assert [officers(match, seat) for seat in range(3)] == [(3, 0, 4), (3, 0, 4), (5, 0, 2)]
    assert match.state()["court"]["laid"] == [19, None, 6]
    deck = match.state()["court"]["deck"]
    play(match, "pass")
    assert events(match, "court_closed") == [{"left": [19, 6]}]
    order = kinds(match)
    assert order[order.index("court_closed") + 1] == "action_begun"
    assert [officers(match, seat) for seat in range(3)] == [(3, 4, 0), (3, 4, 0), (5, 2, 0)]
    court_now = match.state()["court"]
    assert court_now["laid"] + court_now["deck"] == deck  # three more, none of those that were left
    assert not set(FILLERS) & set(deck)


def test_a_court_without_officers() -> None:
    # CT-R-03, CT-COURT-10: nobody comes, the cards leave all the same
    match = audience(court(), 0, 0, 0).match()
    assert match.decisions == 0
    assert not events(match, "audience")
    assert events(match, "court_closed") == [{"left": [19, 13, 6]}]


@pytest.mark.parametrize("card", [7, 17, 21, 12, 3, 8, 14])
def test_useless_favours_may_be_taken(card: int) -> None:
    # CT-R-04: the price is paid, nothing happens, the card leaves the game
    board = court()
    board.province("kaga", 0, 60, "castle", "temple", "no")  # all sites are taken; 2 armies are left
    if card in {3, 8, 14}:
        board.province("kaga", 0, 61, "castle", "temple", "no")
    before = audience(board, 7, 4, favours=beside(card)).match()
    match = take(before.clone(), card)
    price = events(match, "favour_taken")[0]["price"]
    assert events(match, "favour_without_effect") == [{"seat": 0, "card": card}]
    assert officers(match, 0) == (price, 0, 7 - price)
    now, then = match.state(), before.state()
    assert card not in now["court"]["laid"]
    for field in ("provinces", "supply", "tray", "tower", "event_removed"):
        assert now[field] == then[field]
    for field in ("chests", "rice", "score", "kept"):
        assert player(match, 0)[field] == player(before, 0)[field]
    assert (point(match), match.to_act) == ("favour", 1)
