"""Event cards (EVENT): what each changes in a season, and what the one that is left costs in winter."""

import pytest

from rules.tower.board import Board, events, kinds, options, play, player, point, province, quietly
from sengoku import Match

CARDS = {
    1: ("no_removes_unrest", 5), 2: ("no_removes_unrest", 7), 3: ("neutral_two_farmers", 3),
    4: ("castle_defence", 2), 5: ("castle_defence", 6), 6: ("temple_shield", 3), 7: ("tax_max_5", 0),
    8: ("tax_min_6", 2), 9: ("temple_shield", 4), 10: ("rice_min_4", 3), 11: ("rice_max_3", 4),
    12: ("few_recruits", 4),
}  # fmt: skip
"""Effect and winter loss of each card."""
BY_EFFECT = [(card, effect) for card, (effect, _) in CARDS.items()]


def is_on(card: int, effect: str) -> bool:
    """Whether a card has an effect."""
    return CARDS[card][0] == effect


@pytest.mark.parametrize(("card", "effect"), BY_EFFECT)
def test_the_name_of_the_effect(card: int, effect: str) -> None:
    # TW-EVENT-02
    cards = [card, *[other for other in CARDS if other != card][:3]]
    deck = [other for other in CARDS if other not in cards]
    board = Board(3).begin("bids").set(open_events=sorted(cards), event_deck=deck)
    place = sorted(cards).index(card)
    dice = [[4, 3, 2], [4, 3, 1], [4, 1, 2], [1, 3, 2]][place]
    match = board.match(dice=[*dice, 3, 2, 2])
    assert events(match, "event_drawn") == [{"card": card, "effect": effect}]


@pytest.mark.parametrize("card", CARDS)
def test_tax_events(card: int) -> None:
    # TW-EVENT-01, TW-EVENT-02: Settsu 7, at most 5; Aki 4, at least 6; for all players
    board = Board(3).province("settsu", 0, 1).province("aki", 1, 1).plan(0, tax="settsu").plan(1, tax="aki")
    match = board.event(card).begin("tax").match()
    high, low = (5 if is_on(card, "tax_max_5") else 7), (6 if is_on(card, "tax_min_6") else 4)
    assert [event["amount"] for event in events(match, "collected")] == [high, low]


@pytest.mark.parametrize("card", CARDS)
def test_rice_events(card: int) -> None:
    # TW-EVENT-01, TW-EVENT-02: Kaga 5, at most 3; Hida 2, at least 4; for all players
    board = Board(3).province("kaga", 0, 1).province("hida", 1, 1).plan(0, rice="kaga").plan(1, rice="hida")
    match = board.event(card).begin("rice").match()
    high, low = (3 if is_on(card, "rice_max_3") else 5), (4 if is_on(card, "rice_min_4") else 2)
    assert [event["amount"] for event in events(match, "collected")] == [high, low]


@pytest.mark.parametrize("card", CARDS)
def test_few_recruits(card: int) -> None:
    # TW-EVENT-02: DEPLOY5 gives 3, DEPLOY3 gives 2
    board = Board(3).province("kaga", 0, 1).province("hida", 0, 1).plan(0, deploy5="kaga", deploy3="hida")
    match = board.event(card).begin("deploy5").match()
    placed = [event["armies"] for event in events(match, "deployed")]
    assert placed == ([3, 2] if is_on(card, "few_recruits") else [5, 3])


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("unrest", [0, 1, 3])
def test_a_theatre_calms(card: int, unrest: int) -> None:
    # TW-EVENT-02, TW-R-22, TW-ACT-05: one marker less in that province, by itself, if there is one
    board = Board(3).province("izu", 0, 1, unrest=unrest).province("kii", 0, 1, unrest=2).plan(0, no="izu")
    match = board.event(card).begin("no").match()
    calmed = is_on(card, "no_removes_unrest") and unrest > 0
    assert province(match, "izu")["unrest"] == unrest - calmed
    assert province(match, "izu")["no"]
    assert province(match, "kii")["unrest"] == 2
    assert match.decisions == 0


@pytest.mark.parametrize("kind", ["castle", "temple"])
def test_other_buildings_do_not_calm(kind: str) -> None:
    # TW-EVENT-02
    board = Board(3).province("izu", 0, 1, unrest=2).plan(0, **{kind: "izu"}).event("no_removes_unrest")
    assert province(board.begin(kind).match(), "izu")["unrest"] == 2


def test_a_theatre_that_is_not_built_does_not_calm() -> None:
    # TW-EVENT-02, TW-ACT-03
    board = Board(3).province("izu", 0, 1, "no", unrest=2).plan(0, no="izu").event("no_removes_unrest")
    assert province(board.begin("no").match(), "izu")["unrest"] == 2


@pytest.mark.parametrize("card", CARDS)
def test_farmers_of_a_neutral_province(card: int) -> None:
    # TW-EVENT-02: 2 instead of 1
    board = Board(3).province("ise", 0, 6).plan(0, battle_a="ise").event(card)
    match = play(board.begin("battle_a").match(), "move", to="kii", armies=5)
    farmers = 2 if is_on(card, "neutral_two_farmers") else 1
    assert events(match, "attack")[0]["farmers"] == farmers
    assert events(match, "thrown")[0]["cubes"] == [5, 0, 0, 0, 0, farmers]
    assert province(match, "kii")["armies"] == 5 - farmers


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("castle", [True, False])
def test_castles_defend(card: int, castle: bool) -> None:
    # TW-EVENT-02, TW-R-22: 1 army from the defender's supply, if the province has a castle
    board = Board(3).province("ise", 0, 6).province("kii", 1, 2, *["castle"] * castle).plan(0, battle_a="ise")
    match = play(board.event(card).begin("battle_a").match(), "move", to="kii", armies=5)
    more = int(castle and is_on(card, "castle_defence"))
    attack = events(match, "attack")[0]
    assert (attack["attacker_more"], attack["defender_more"]) == (0, more)
    assert events(match, "thrown")[0]["cubes"] == [5, 2 + more, 0, 0, 0, 0]
    assert province(match, "kii")["armies"] == 3 - more
    assert match.state()["supply"][1] == 62


def test_castle_defence_needs_an_army_in_supply() -> None:
    # TW-R-22
    board = Board(3).province("ise", 0, 6).province("kii", 1, 2, "castle").province("noto", 1, 60)
    board.plan(0, battle_a="ise").event("castle_defence")
    match = play(board.begin("battle_a").match(), "move", to="kii", armies=5)
    assert events(match, "attack")[0]["defender_more"] == 0
    assert events(match, "thrown")[0]["cubes"] == [5, 2, 0, 0, 0, 0]


def test_castle_defence_does_not_help_against_revolts() -> None:
    # TW-R-22
    board = Board(3).province("kii", 0, 4, "castle", unrest=2).plan(0, tax="kii").event("castle_defence")
    match = board.begin("tax").match()
    assert events(match, "thrown")[0]["cubes"] == [4, 0, 0, 0, 0, 2]
    assert province(match, "kii")["armies"] == 2


@pytest.mark.parametrize("card", CARDS)
def test_temples_shield(card: int) -> None:
    # TW-EVENT-04, TW-EVENT-02, TW-MOVE-03: no attack on a temple; moves into an own one are allowed
    board = Board(3).province("ise", 0, 3).province("kii", 1, 1, "temple").province("omi", 0, 1, "temple")
    board.province("mino", 1, 1, "castle").plan(0, battle_a="ise").event(card)
    match = board.begin("battle_a").match()
    targets = {action["to"] for action in options(match, "move")}
    every = {"kii", "mino", "omi", "owari", "shima", "yamato"}
    assert targets == (every - {"kii"} if is_on(card, "temple_shield") else every)
    play(match, "move", to="omi", armies=2)
    assert province(match, "omi")["armies"] == 3


def test_an_event_lasts_for_the_season() -> None:
    # TW-EVENT-01: it changes nothing in the next season, in which another acts
    board = Board(3).province("settsu", 0, 9).plan(0, tax="settsu").event("tax_max_5").begin("tax")
    match = board.match()
    assert player(match, 0)["chests"] == 25
    assert match.state()["event"] is None
    match = quietly(match, "slot")
    assert match.state()["event"] not in {None, 7}


def test_the_loss_counts_only_in_winter() -> None:
    # TW-EVENT-01: the lower half of a card that acts in a season does nothing
    board = Board(3).province("izu", 0, 1).player(0, rice=9).plan(0, castle="izu").event(2)
    assert player(board.begin("castle").match(), 0)["rice"] == 9
    # and the upper half of the card of winter does nothing: no army of castle_defence joins the revolt
    board = Board(3).province("kii", 0, 4, "castle").event("castle_defence").begin("winter")
    assert events(board.match(), "thrown")[0]["cubes"] == [4, 0, 0, 0, 0, 1]


@pytest.mark.parametrize("card", CARDS)
def test_rice_losses(card: int) -> None:
    # TW-EVENT-02, TW-EX-07: what the card left over in winter costs every player, not below 0
    board = Board(3)
    for seat, rice in enumerate((12, 6, 1)):
        board.player(seat, rice=rice)
    match = board.event(card).begin("winter").match()
    loss = CARDS[card][1]
    lost = {"card": card, "loss": loss, "rice": [12 - loss, max(0, 6 - loss), max(0, 1 - loss)]}
    assert events(match, "rice_lost") == [lost]


@pytest.mark.parametrize("option", [{}, {"event12_rice_loss": 4}, {"event12_rice_loss": 1}])
def test_the_loss_of_event_12(option: dict[str, int]) -> None:
    # TW-R-21: 4 as the text says, or 1 as printed on the card; no other card changes
    loss = option.get("event12_rice_loss", 4)
    match = Board(3).player(0, rice=9).event(12).begin("winter").match(**option)
    assert events(match, "rice_lost") == [{"card": 12, "loss": loss, "rice": [9 - loss, 0, 0]}]
    match = Board(3).player(0, rice=9).event(9).begin("winter").match(**option)
    assert events(match, "rice_lost")[0]["loss"] == 4


def test_four_events_a_year() -> None:
    # TW-EVENT-03: the first four of the deck, then the next four; the last four are not used
    match = Match.create("tower", seats=3, seed=11)
    first, deck = match.state()["open_events"], match.state()["event_deck"]
    quietly(match, "over")
    opened = [(event["year"], sorted(event["cards"])) for event in events(match, "events_opened")]
    assert opened == [(1, first), (2, sorted(deck[:4]))]
    acted = [event["card"] for event in events(match, "event_drawn")]
    left = [event["card"] for event in events(match, "rice_lost")]
    assert sorted([*acted[:3], left[0]]) == first
    assert sorted([*acted[3:], left[1]]) == sorted(deck[:4])
    assert match.state()["event_deck"] == deck[4:]


def test_a_shielded_province_is_no_target_for_either_battle() -> None:
    # TW-EVENT-04
    for action in ("battle_a", "battle_b"):
        board = Board(3).province("noto", 0, 3).province("kaga", 1, 1, "temple").province("etchu", 1, 1)
        match = board.plan(0, **{action: "noto"}).event(9).begin(action).match()
        assert point(match) == "battle"
        assert {entry["to"] for entry in options(match, "move")} == {"etchu"}
    assert "attack" not in kinds(match)
