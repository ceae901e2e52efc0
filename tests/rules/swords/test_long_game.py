"""The long game (LONG): thirty-five provinces must be held until the end of a round."""

import pytest

from rules.swords.board import Board, declare, end_round, events, fill, owner, play
from sengoku import Match
from sengoku.errors import SetupError

LONG = {"long_game": True}


def reached(active: int) -> Match:
    """Clan 0 or 2 enters its 35th province; Hizen, which is one of them, lies beside bowmen of clan 1."""
    board = (
        Board(phase="d", active=active).army(active, 1, "higo", spear=2).province("hizen", active, spear=1)
    )
    board.army(1, 1, "iki", bow=4)
    match = fill(board, active, 34, "chikugo", "chikuzen").match(dice=[12] + [1, 12, 12, 12], **LONG)
    play(match, "army", army=1)
    play(match, "step", to="chikugo")
    play(match, "from_army", unit="spear")
    play(match, "done")
    assert sum(province["owner"] == active for province in match.state()["provinces"].values()) == 35
    return play(match, "stop")


def test_thirty_five_provinces_win_only_at_the_end_of_the_round() -> None:
    # SW-LONG-01: after Action 9
    match = reached(active=2)
    assert not match.over
    end_round(match)
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason, outcome.by_rule) == (2, "provinces", True)
    assert [event["event"] for event in match.log][-4:] == ["income", "income", "income", "over"]
    assert outcome.scores[2] == 35


def test_the_others_can_retake_provinces() -> None:
    # SW-LONG-01: clan 1 comes after clan 0 and empties Hizen over the sea; the spearman there strikes first
    match = reached(active=0)
    while match.state()["phase"] != "b":
        play(match, "done")
    declare(match, 1, "hizen")
    assert (owner(match, "hizen"), match.dice_left) == (None, 0)
    end_round(match)
    assert (match.over, match.state()["round"]) == (False, 3)


def test_the_ordinary_game_would_have_been_over() -> None:
    # SW-LONG-01: the same entry without the variant, which is off by default
    board = fill(Board(phase="d").army(0, 1, "higo", spear=2), 0, 34, "chikugo")
    match = board.match(dice=[])
    assert match.state()["options"]["long_game"] is False
    play(match, "army", army=1)
    play(match, "province", province="chikugo")
    play(match, "from_army", unit="spear")
    assert match.over


def test_thirty_four_provinces_are_not_enough() -> None:
    # SW-LONG-01
    match = end_round(fill(Board(phase="d", active=2), 1, 34).match(dice=[], **LONG))
    assert (match.over, match.state()["round"]) == (False, 3)


def test_the_long_game_is_for_three_to_five_players() -> None:
    # SW-LONG-01
    with pytest.raises(SetupError) as refused:
        Match.create("swords", seats=2, setup=LONG)
    assert refused.value.details["field"] == "long_game"
    for seats in (3, 4, 5):
        assert Match.create("swords", seats=seats, setup=LONG).state()["options"]["long_game"]


def test_only_one_clan_can_qualify() -> None:
    # SW-R-87: of 68 provinces one clan has 35 and the other all the rest
    board = Board(phase="d", active=2, homes=False).army(0, 3, "tsushima", spear=1).army(1, 3, "oki", spear=1)
    board.clan(2, out=1, colours=0, sword=0).set(active=1, decider=1, turn=3)
    match = end_round(fill(fill(board, 0, 35), 1, 33).match(dice=[], **LONG))
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.ranks, outcome.scores) == (0, (1, 2, 3), (35, 33, 0))


def test_the_last_player_wins_at_once_in_the_long_game_too() -> None:
    # SW-R-87, SW-R-80: with two provinces, in the middle of a round
    board = Board(phase="b", homes=False).clan(2, out=1, colours=0, sword=0)
    board.army(0, 1, "chikuzen", bow=4).army(1, 1, "hizen").province("kai", 1, spear=1)
    match = declare(board.match(dice=[1, 12, 12, 12], **LONG), 1, "hizen")
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason, match.dice_left) == (0, "last_player", 0)
    assert events(match, "income") == []
