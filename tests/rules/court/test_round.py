"""The round with the expansion (CT-ROUND), and laying out favours (CT-FAV)."""

import random

import pytest

from rules.court.hall import audience, court, officers, take
from rules.tower.board import Board, enter, events, kinds, options, play, player, point, quietly
from sengoku import Match
from sengoku.errors import SetupError


def test_nine_phases_of_a_season() -> None:
    # CT-ROUND-01: action, special and favour cards; planning; event; bids; court; ten actions; clean-up
    board = court(round_="setup").province("hida", 0, 4).province("mino", 1, 4).officers(0, 4)
    match = board.begin("season").match(dice=[4, 3, 2])
    assert match.state()["phase"] == 4
    for seat in range(3):
        assert (match.to_act, match.state()["phase"]) == (seat, 4)
        cards = {0: {"convert1": "hida"}, 1: {"deploy1": "mino"}, 2: {}}[seat]
        enter(match, bid=f"treasure_{3 - seat}", **cards)
    for slot in (1, 2, 3):
        assert (point(match), match.state()["phase"]) == ("slot", 6)
        play(match, "slot", slot=slot)
    assert (point(match), match.to_act, match.state()["phase"]) == ("favour", 0, 7)
    play(match, "pass")
    order = [
        kind for kind in kinds(match)
        if kind not in {"action_revealed", "action_begun", "card_revealed", "passed"}
    ]  # fmt: skip
    assert order[:20] == [
        "season_begun", "action_cards", "special_cards", "favours_laid",
        "plans_closed", "event_drawn", "bid", "bid", "bid",
        "slot_taken", "slot_taken", "slot_taken", "turn_order",
        "converted", "court_order", "audience", "no_favour", "court_closed",
        "deployed", "stayed",
    ]  # fmt: skip
    assert order[20:22] == ["season_over", "season_begun"]
    begun = [event["event"] for event in match.log if event["event"] in {"court_closed", "action_begun"}]
    assert begun == ["court_closed"] + ["action_begun"] * 10


def test_phase_numbers_of_the_ten_actions() -> None:
    # CT-ROUND-01, TW-ROUND-02: 8 with the expansion, 6 without; winter has none
    for expansion, phase in ((True, 8), (False, 6)):
        board = Board(court=expansion).province("hida", 0, 4).province("mino", 0, 4).plan(0, deploy1="hida")
        assert board.begin("deploy1").match().state()["phase"] == phase


def test_winter_is_unchanged() -> None:
    # CT-ROUND-01: the same winter with and without the expansion
    def winter(expansion: bool) -> Match:
        board = Board(court=expansion).event(7).province("kaga", 0, 3, "castle").province("aki", 0, 2)
        board.province("hida", 1, 4, unrest=1).player(1, rice=3).begin("winter")
        return quietly(board.match(dice=[2]), "plan")

    with_court, without = winter(expansion=True), winter(expansion=False)
    assert "court_order" not in kinds(with_court)
    end = kinds(without).index("year_over")
    assert with_court.log[:end] == without.log[:end]
    assert "revolts_drawn" in kinds(without)[:end]
    assert "favours_laid" in kinds(with_court)
    assert "favours_laid" not in kinds(without)


def test_officers_stay_in_the_entrance() -> None:
    # CT-ROUND-02: from season to season, over winter and year end
    match = audience(court(), 3, 1).match()
    play(match, "pass")
    seen = []
    while not match.over:
        if point(match) == "plan":
            seen.append((match.state()["year"], match.state()["round"]))
            assert [officers(match, seat) for seat in range(3)] == [(4, 3, 0), (6, 1, 0), (7, 0, 0)]
        cards = [card for card in match.legal_actions() if card.name in {"empty", "treasure", "pass", "slot"}]
        match.play((cards or match.legal_actions())[0])
    assert list(dict.fromkeys(seen)) == [
        (1, "summer"), (1, "autumn"), (2, "spring"), (2, "summer"), (2, "autumn"),
    ]  # fmt: skip
    assert [officers(match, seat) for seat in range(3)] == [(4, 3, 0), (6, 1, 0), (7, 0, 0)]


def lay(*top: int) -> Match:
    """A season begins with these cards on top of the favour deck."""
    board = court(round_="setup").officers(0, 7).begin("season")
    rest = [card for card in range(1, 22) if card not in top]
    board.state["court"]["deck"] = [*top, *rest]
    return board.match()


@pytest.mark.parametrize(
    ("top", "laid"),
    [
        ((10, 8, 2), [10, 8, 2]),
        ((2, 8, 10), [10, 8, 2]),
        ((8, 2, 10), [10, 8, 2]),
        ((1, 21, 11), [21, 11, 1]),
    ],
)
def test_the_highest_number_on_the_place_of_four(top: tuple[int, ...], laid: list[int]) -> None:
    # CT-FAV-01, CT-EX-01: whatever the order in the deck
    match = lay(*top)
    assert events(match, "favours_laid") == [{"cards": laid}]
    assert match.state()["court"]["laid"] == laid
    assert match.view(1)["court"]["laid"] == laid  # open to all
    assert match.state()["court"]["deck"] == [card for card in range(1, 22) if card not in top]


def test_the_place_is_the_price() -> None:
    # CT-FAV-01, CT-EX-01: 10 costs 4 officers, 8 costs 3, 2 costs 2
    match = lay(2, 10, 8)
    for _seat in range(3):
        enter(match)
    while point(match) == "slot":
        match.play(match.legal_actions()[0])
    assert options(match, "favour") == [
        {"card": 10, "price": 4}, {"card": 8, "price": 3}, {"card": 2, "price": 2},
    ]  # fmt: skip
    take(match, 8)
    assert officers(match, 0) == (3, 4, 0)


def test_favours_lie_in_falling_order() -> None:
    # CT-FAV-01
    with pytest.raises(SetupError, match="laid"):
        audience(court(), 7, favours=(8, 10, 2)).match()


@pytest.mark.parametrize("seed", [1, 2])
def test_eighteen_favours_come_into_play(seed: int) -> None:
    # CT-FAV-02: three in each of six seasons; the last three never
    match = Match.create("tower", seats=3, seed=seed, setup={"court": True})
    state = match.state()["court"]
    deck = state["deck"]
    first = state["laid"]
    chooser = random.Random(seed)  # any play will do
    while not match.over:
        match.play(chooser.choice(match.legal_actions()))
    laid = [event["cards"] for event in events(match, "favours_laid")]
    assert len(laid) == 6
    assert laid == [first] + [sorted(deck[k : k + 3], reverse=True) for k in range(0, 15, 3)]
    assert match.state()["court"]["deck"] == deck[15:]
    assert len(deck[15:]) == 3
    kept = [card for seat in range(3) for card in player(match, seat)["kept"]]
    assert set(kept) <= {4}
