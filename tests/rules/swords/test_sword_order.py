"""Action 2: swords (SWORD), which set the order of the clans."""

import pytest

from rules.swords.board import Board, begin, events, options, plan, play, point, quietly
from sengoku import Match


def bids(*koku: int, seed: int = 1) -> Match:
    """A match in Action 2 with these koku in SWORDS."""
    board = begin(Board(len(koku)), "swords", *[{"swords": bid} for bid in koku])
    return board.match(seed=seed)


def offered(match: Match) -> list[int]:
    """The swords that may be taken or wished for."""
    return [action["sword"] for action in options(match, "sword")]


def swords(match: Match) -> list[int]:
    """The sword of each clan."""
    return [clan["sword"] for clan in match.state()["clans"]]


def take(match: Match, sword: int) -> None:
    """The clan that is asked names a sword."""
    play(match, "sword", sword=sword)


def test_swords_set_the_order_of_war_turns() -> None:
    # SW-SWORD-01: lower numbers first, for this round only
    match = bids(1, 2, 3)
    take(match, 2)
    take(match, 3)
    assert swords(match) == [1, 3, 2]
    quietly(match, "plan")
    assert [event["clan"] for event in events(match, "war_turn")] == [0, 2, 1]
    assert swords(match) == [0, 0, 0]  # handed back
    for bid in (0, 2, 1):
        plan(match, swords=bid)
    take(match, 1)
    take(match, 2)
    assert swords(match) == [3, 1, 2]
    quietly(match, "plan")
    assert [event["clan"] for event in events(match, "war_turn")][3:] == [1, 2, 0]


def test_swords_set_the_order_for_shortages() -> None:
    # SW-SWORD-01: one castle is left in Action 3, 25 ronin for 28 wanted in Action 5
    board = Board(3).clan(0, sword=3).clan(1, sword=1).clan(2, sword=2)
    for key in ("iyo", "tosa", "sanuki", "bungo", "buzen", "higo", "hyuga", "satsuma", "osumi"):
        board.province(key, 1, fort="castle", spear=1)
    plans = [{"build": 2, "ronin": 2}, {"build": 2, "ronin": 10}, {"ronin": 2}]
    match = begin(board, "build", *plans).match()
    play(match, "province", province="tsushima")
    play(match, "province", province="oki")
    assert [event["clan"] for event in events(match, "built")] == [1]
    assert [event["clan"] for event in events(match, "build_refused")] == [0]
    hired = [(event["clan"], event["ronin"]) for event in events(match, "hired")]
    assert hired == [(1, 20), (2, 4), (0, 1)]


def test_bidders_choose_in_order_of_their_bids() -> None:
    # SW-SWORD-02: the highest takes any sword, the next any that remains
    match = bids(1, 4, 2, 3)
    asked = []
    for left, sword in (([1, 2, 3, 4], 3), ([1, 2, 4], 1), ([2, 4], 4)):
        asked.append(match.to_act)
        assert (point(match), offered(match)) == ("swords", left)
        assert len(options(match)) == len(left)  # no bidder goes without
        take(match, sword)
    assert asked == [1, 3, 2]
    assert swords(match) == [2, 3, 4, 1]


def test_equal_bids_for_different_swords() -> None:
    # SW-SWORD-03, SW-R-18: both get what they want
    for seed in range(10):
        match = bids(2, 2, 1, 0, seed=seed)
        assert (match.to_act, offered(match)) == (0, [1, 2, 3, 4])
        take(match, 4)
        assert (match.to_act, offered(match)) == (1, [1, 2, 3, 4])  # it does not see the wish
        assert swords(match) == [0, 0, 0, 0]
        take(match, 2)
        assert swords(match)[:2] == [4, 2]
        assert (match.to_act, offered(match)) == (2, [1, 3])


def test_equal_bids_for_the_same_sword() -> None:
    # SW-SWORD-03, SW-R-18: chance gives it to one, the other chooses freely among all that are left
    winners = set()
    for seed in range(30):
        match = bids(2, 2, 1, 0, seed=seed)
        take(match, 1)
        take(match, 1)
        winner = swords(match).index(1)
        loser = 1 - winner
        winners.add(winner)
        assert (match.to_act, offered(match)) == (loser, [2, 3, 4])
        take(match, 3)
        assert swords(match)[loser] == 3
        assert (match.to_act, offered(match)) == (2, [2, 4])  # the lower bid comes after both
    assert winners == {0, 1}


def test_three_tied_clans() -> None:
    # SW-R-18: a sword named once goes to its clan, one named twice by lot, the last simply chooses
    winners = set()
    for seed in range(30):
        match = bids(3, 3, 0, 3, seed=seed)
        take(match, 2)
        take(match, 1)
        take(match, 2)
        assert swords(match)[1] == 1
        winner = swords(match).index(2)
        winners.add(winner)
        assert winner in {0, 3}
        assert (match.to_act, offered(match)) == (3 - winner, [3, 4])
        take(match, 4)
        assert swords(match)[2] == 3  # no bid: what is left
    assert winners == {0, 3}


def test_losers_of_a_draw_wish_again() -> None:
    # SW-R-18: three want the same sword; the two without one choose again, unseen, and may collide again
    orders = set()
    for seed in range(60):
        match = bids(1, 1, 1, seed=seed)
        for clan in range(3):
            assert match.to_act == clan
            take(match, 3)
        first = swords(match).index(3)
        losers = [clan for clan in range(3) if clan != first]
        for clan in losers:
            assert (match.to_act, offered(match)) == (clan, [1, 2])
            take(match, 1)
        assert sorted(swords(match)) == [1, 2, 3]  # the last one gets what is left
        orders.add(tuple(swords(match)))
    assert len(orders) == 6


def test_clans_without_a_bid_draw() -> None:
    # SW-SWORD-04: blindly, what the bidders have left, unasked
    seen = set()
    for seed in range(40):
        match = bids(0, 1, 0, 0, seed=seed)
        assert match.to_act == 1
        take(match, 2)
        assert point(match) != "swords"
        drawn = swords(match)
        assert sorted(drawn) == [1, 2, 3, 4]
        seen.add((drawn[0], drawn[2], drawn[3]))
        logged = {event["clan"]: event["drawn"] for event in events(match, "sword")}
        assert logged == {0: True, 1: False, 2: True, 3: True}
    assert len(seen) == 6


def test_nobody_bids() -> None:
    # SW-SWORD-04
    seen = set()
    for seed in range(40):
        match = bids(0, 0, 0, seed=seed)
        assert point(match) != "swords"
        seen.add(tuple(swords(match)))
    assert len(seen) == 6


def test_koku_for_swords_are_spent() -> None:
    # SW-SWORD-05: also by the clan that got what nobody else wanted
    match = begin(Board(3), "plan", {"levy": 5}, {"levy": 4}, {"levy": 3}).match()
    plan(match, swords=3, levy=2)
    plan(match, swords=2, levy=2)
    plan(match, swords=1, levy=2)
    take(match, 1)
    take(match, 2)
    assert swords(match) == [1, 2, 3]
    assert [clan["koku"] for clan in match.state()["clans"]] == [0, 0, 0]
    assert point(match) == "buy"  # what is planned for levies has been paid too


@pytest.mark.parametrize("gone", [0, 2, 4])
def test_swords_after_an_elimination(gone: int) -> None:
    # SW-R-19: four clans are left, so sword 5 is not used
    board = begin(Board(5), "swords", *[{"swords": bid} for bid in (1, 2, 3, 4, 5)])
    blank = {"out": 1, "colours": 0, "koku": 0, "plan": {}, "committed": False, "sword": 0}
    home = board.state["clans"][gone]["armies"][2]["province"]
    board.clan(gone, armies=[{}, {}, {}], **blank).province(home, None).set(decider=1, active=1)
    match = board.match()
    assert offered(match) == [1, 2, 3, 4]
    for sword in (4, 3, 2):
        assert match.to_act != gone
        take(match, sword)
    left = [clan for clan in range(5) if clan != gone]
    assert sorted(swords(match)[clan] for clan in left) == [1, 2, 3, 4]
    quietly(match, "plan")
    assert [event["clan"] for event in events(match, "war_turn")] == left
