"""Winning (WIN): thirty-five provinces, the last player, and the report of the end of a match."""

import pytest

from rules.swords.board import Board, declare, end_round, events, fill, options, owner, play
from sengoku import Match
from sengoku.errors import SetupError

BARE = ("hizen", "chikugo", "iki", "higo", "izumo", "echigo", "mutsu")
"""Provinces that stay empty, so that only the intended clans can attack."""


def wealthy(count: int, phase: str, *, active: int = 0, hole: int = 0) -> Board:
    """Clan 0 owns a number of provinces, with an army in Chikuzen; clan 1 has a spearman in Hizen."""
    board = Board(phase=phase, active=active).army(0, 1, "chikuzen", hole=hole, bow=2)
    return fill(board.province("hizen", 1, spear=1), 0, count, *BARE)


def provinces(match: Match, clan: int) -> int:
    """How many provinces a clan owns."""
    return sum(province["owner"] == clan for province in match.state()["provinces"].values())


def enter(match: Match, place: str) -> Match:
    """Army 1 moves into a province and leaves a bowman where it was."""
    play(match, "army", army=1)
    play(match, "step", to=place)
    play(match, "from_army", unit="bow")
    return play(match, "done")


def test_thirty_five_provinces_win_at_that_instant() -> None:
    # SW-WIN-01, SW-WIN-02: a step of Phase D; neither the rest of the move nor of the round is played
    match = enter(wealthy(34, "d").match(dice=[]), "chikugo")
    assert (match.over, provinces(match, 0), match.to_act) == (True, 35, None)
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason, outcome.by_rule, outcome.rounds) == (0, "provinces", True, 2)
    assert events(match, "over") == [{"event": "over", "reason": "provinces", "winner": 0}]
    assert events(match, "income") == []


def test_thirty_four_provinces_do_not() -> None:
    # SW-WIN-01
    match = enter(wealthy(33, "d").match(dice=[]), "chikugo")
    assert (match.over, provinces(match, 0)) == (False, 34)
    play(match, "stop")
    assert not end_round(match).over


def test_a_position_that_is_won_is_refused() -> None:
    # SW-WIN-01: the match ended when the clan got its 35th province; nobody plays on from there
    with pytest.raises(SetupError, match="clan 0 owns 35, and has won with 35") as refused:
        wealthy(35, "d").match()
    assert refused.value.details["field"] == "position.provinces"


def test_a_position_of_the_long_game_with_35_provinces_is_played() -> None:
    # SW-LONG-01: it is looked at only at the end of the round
    assert not wealthy(35, "d").match(long_game=True).over


def test_a_conquest_move_wins() -> None:
    # SW-WIN-02: in Phase C, with an attack left that is not made
    match = declare(wealthy(34, "b", hole=3).match(dice=[1, 12]), 1, "hizen")
    assert not match.over
    play(match, "step", to="hizen")
    play(match, "from_army", unit="bow")
    play(match, "done")
    assert (match.over, match.dice_left, provinces(match, 0)) == (True, 0, 35)


def test_a_detachment_wins() -> None:
    # SW-WIN-02: with its first unit
    match = wealthy(34, "d").match(dice=[])
    play(match, "army", army=1)
    play(match, "province", province="chikugo")
    play(match, "from_army", unit="bow")
    assert (match.over, owner(match, "chikugo")) == (True, 0)


def test_a_provincial_unit_wins() -> None:
    # SW-WIN-02
    match = wealthy(34, "d").province("chikuzen", 0, spear=1).match(dice=[])
    play(match, "done")
    play(match, "province", province="chikuzen")
    play(match, "from_province", unit="spear")
    play(match, "step", to="chikugo")
    assert (match.over, provinces(match, 0)) == (True, 35)


def test_an_elimination_wins_in_the_turn_of_another_clan() -> None:
    # SW-WIN-01, SW-WIN-02: the ninja of clan 0 kills the last daimyo of clan 1 in the war turn of clan 2
    board = (
        Board(phase="a", active=2, homes=False).army(0, 3, "tsushima", spear=1).army(2, 3, "sado", spear=1)
    )
    board.army(1, 1, "hizen").province("higo", 1, spear=1).province("iki", 1, spear=1)
    match = fill(board.set(ninja=0, ninja_fresh=True, window=2), 0, 33).match(dice=[8])
    play(match, "daimyo", clan=1, army=1)
    assert (match.over, provinces(match, 0), match.dice_left) == (True, 35, 0)
    assert match.outcome is not None
    assert match.outcome.winner == 0


def test_losing_a_province_on_the_way_counts() -> None:
    # SW-WIN-01: what is counted is what the clan owns then: 34, one lost in its own battle, one gained
    board = wealthy(33, "b").province("satsuma", 0, spear=1).province("higo", 1, bow=1)
    match = declare(board.match(dice=[1]), "satsuma", "higo")
    assert provinces(match, 0) == 34
    play(match, "done")
    assert (owner(match, "satsuma"), match.dice_left) == (None, 0)
    enter(match, "chikugo")
    assert (provinces(match, 0), match.over) == (34, False)


def test_ranks_and_scores_of_a_victory() -> None:
    # SW-WIN-01: the others by their provinces, which are the scores
    board = fill(fill(wealthy(34, "d"), 1, 5, *BARE), 2, 9, *BARE)
    outcome = enter(board.match(dice=[]), "chikugo").outcome
    assert outcome is not None
    assert (outcome.ranks, outcome.scores, outcome.shared) == ((1, 3, 2), (35, 5, 9), False)


def duel(*, draw: bool = False) -> Match:
    """Clan 1 went out long ago; clan 0 attacks the last daimyo of clan 2 with its own last one."""
    board = Board(phase="b", homes=False).clan(1, out=1, colours=0, sword=0)
    board.army(0, 1, "chikuzen").army(2, 1, "hizen").province("kai", 2, spear=1)
    match = board.match(dice=[6, 6 if draw else 7])
    return declare(match, 1, "hizen")


def test_the_last_player_wins_at_once() -> None:
    # SW-R-80: with two provinces; the clan eliminated last is second
    match = duel()
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.winner, outcome.by_rule) == ("last_player", 0, True)
    assert (outcome.ranks, outcome.scores, match.dice_left) == ((1, 3, 2), (2, 0, 0), 0)


def test_nobody_left_is_a_draw() -> None:
    # SW-R-80, SW-R-71: both last daimyo fall together
    match = duel(draw=True)
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.winner, outcome.by_rule) == ("nobody_left", None, True)
    assert (outcome.ranks[0], outcome.ranks[2], outcome.shared, outcome.scores) == (1, 1, True, (0, 0, 0))


@pytest.mark.parametrize("seats", [2, 3])
def test_no_rule_ends_a_match_for_its_length(seats: int) -> None:
    # SW-R-81: only a cap that the host has set; without one set by him round 99 is followed by round 100
    match = Board(seats, phase="d", active=4 - 1 if seats == 2 else 2, round_=99).match(dice=[])
    end_round(match)
    assert (match.over, match.state()["round"]) == (False, 100)


@pytest.mark.parametrize(("cap", "now"), [(None, 100), (7, 7), (3, 7)])
def test_a_cap_ends_a_match_without_a_result(cap: int | None, now: int) -> None:
    # SW-R-81: no winner, no rule; those who have more provinces rank before the others
    board = Board(phase="d", active=2, round_=now)
    setup = {} if cap is None else {"max_rounds": cap}
    match = fill(fill(board, 1, 20), 2, 4).match(dice=[], **setup)
    outcome = end_round(match).outcome
    assert outcome is not None
    assert (outcome.reason, outcome.winner, outcome.by_rule, outcome.shared) == (
        "round_limit",
        None,
        False,
        False,
    )
    assert (outcome.ranks, outcome.scores, outcome.rounds) == ((3, 1, 2), (1, 20, 4), now)


def test_equal_provinces_share_a_rank_at_the_cap() -> None:
    # SW-R-81
    board = fill(fill(Board(phase="d", active=2), 0, 6), 1, 6)
    outcome = end_round(board.match(dice=[], max_rounds=2)).outcome
    assert outcome is not None
    assert (outcome.ranks, outcome.winner, outcome.shared) == ((1, 1, 3), None, False)


def test_income_decides_between_equal_provinces_at_the_cap() -> None:
    # SW-R-81: two players with 13 provinces each; 12 and 1 give 4 + 3 koku, 7 and 6 give 3 + 3
    board = Board(2, phase="d", active=3)
    for clan, count in enumerate((7, 6, 12, 1)):
        fill(board, clan, count)
    outcome = end_round(board.match(dice=[], max_rounds=2)).outcome
    assert outcome is not None
    assert (outcome.ranks, outcome.scores, outcome.winner) == ((2, 1), (13, 13), None)


def test_a_match_at_its_cap_is_won_by_rule_if_it_is_won() -> None:
    # SW-R-81, SW-LONG-01: victory is looked at before the cap
    match = fill(Board(phase="d", active=2), 1, 35).match(dice=[], long_game=True, max_rounds=2)
    outcome = end_round(match).outcome
    assert outcome is not None
    assert (outcome.reason, outcome.winner, outcome.by_rule) == ("provinces", 1, True)


def test_a_finished_match_has_nothing_to_decide() -> None:
    # SW-WIN-01
    match = enter(wealthy(34, "d").match(dice=[]), "chikugo")
    assert options(match) == []
