"""An army that cannot pay in honor (LACK-OF-HONOR)."""

import pytest

from rules.battles.board import Board, Play


def retreat(unit: str, honor: int, script: str, *friends: str, to: str = "6,5") -> Play:
    """A unit in 5,5 retreats one hex; its army has so much honor; then the dice fall."""
    board = Board().top("SSp@4,5").bottom(f"{unit}@5,5", *friends).honor(bottom=honor)
    play = board.fight("4,5", "5,5", "FHHH", script)
    if play.question == "ignore_flags":
        play.ignore(0)
    return play.do(to)


def losses(play: Play) -> list[tuple[str, str, int]]:
    """Blocks lost in their order: unit, hex and number."""
    return [(event["unit"], event["hex"], event["lost"]) for event in play.events("blocks_lost")]


@pytest.mark.parametrize(
    ("unit", "honor", "dice"),
    [("SSp", 1, 5), ("SSp", 0, 6), ("ASp", 0, 5), ("SSp+LF", 0, 7), ("SSp+LF", 2, 5)],
)
def test_four_dice_and_one_for_each_missing_token(unit: str, honor: int, dice: int) -> None:
    # BT-LACK-OF-HONOR-01: the owner rolls, and has nothing left
    play = retreat(unit, honor, "F" * dice)
    rolled = play.events("rolled", roll="lack_of_honor")
    assert [(event["side"], len(event["faces"])) for event in rolled] == [("bottom", dice)]
    assert play.honor["bottom"] == 0


def test_own_symbols_are_for_the_unit_itself() -> None:
    # BT-LACK-OF-HONOR-02: not for the other samurai; X, F and H are nothing
    play = retreat("SSp", 1, "SSXFH", "SSp@6,7")
    assert losses(play) == [("SSp", "6,5", 2)]


def test_own_symbols_beyond_its_blocks_are_lost() -> None:
    # BT-LACK-OF-HONOR-02, BT-R-45
    play = retreat("SSp:1", 1, "SSSSS", "SSp@6,7")
    assert (losses(play), play.banners["top"]) == ([("SSp", "6,5", 1)], 1)


def test_other_symbols_are_for_the_nearest_unit() -> None:
    # BT-LACK-OF-HONOR-02: nearest to 6,5, where the samurai are now; from 5,5 it would be the spears of 5,7
    play = retreat("SSp", 1, "TTCFF", "ASp@5,7", "ASp@8,5", "ASp:1@10,5")
    assert losses(play) == [("ASp", "8,5", 1), ("ASp", "8,5", 1)]


def test_the_owner_chooses_among_the_nearest() -> None:
    # BT-LACK-OF-HONOR-02: die by die
    play = retreat("SSp", 1, "TTFFF", "ASp@6,3", "ASp@6,7", "ASp@9,5")
    assert (play.asked, play.question, play.choices) == ("bottom", "lose_nearest", {"6,3", "6,7"})
    play.do("6,7")
    assert play.choices == {"6,3", "6,7"}
    assert losses(play.do("6,3")) == [("ASp", "6,7", 1), ("ASp", "6,3", 1)]


def test_the_order_of_the_dice() -> None:
    # BT-R-45: own symbol, then circles, triangles, squares; when the nearest has fallen the next one is hit
    play = retreat("ASp", 0, "SSCTF", "SSp:1@7,5", "SSp@9,5", "AB@10,5")
    assert losses(play) == [("ASp", "6,5", 1), ("AB", "10,5", 1), ("SSp", "7,5", 1), ("SSp", "9,5", 1)]


def test_nobody_with_the_symbol_nothing_lost() -> None:
    # BT-R-45
    assert losses(retreat("ASp", 0, "SSCCF", "LF@8,5")) == []


def test_a_bodyguard_is_not_affected() -> None:
    # BT-R-48: X is nothing
    board = Board(tents={"bottom": "7,5"}).top("SSp@4,5").bottom("ASp@5,5", "AC+BG@7,5").honor(bottom=0)
    assert losses(board.fight("4,5", "5,5", "FHHH", "XXXXX").do("6,5")) == []


def test_a_unit_that_fell_on_its_way_leaves_its_dice_to_others() -> None:
    # BT-R-46: the spears cannot complete their second hex; measured from 10,5, where they ended
    board = Board().top("SSp@8,5").bottom("ASp:1@9,5", "ASp@7,5", "ASp@10,7").honor(bottom=0)
    play = board.fight("8,5", "9,5", "FFHH", "TTFFF").do("10,5")
    assert losses(play) == [("ASp", "10,5", 1), ("ASp", "10,7", 1), ("ASp", "10,7", 1)]


def lone(honor: int, script: str, *friends: str, to: str = "6,5") -> Play:
    """A lone leader retreats from 5,5."""
    board = Board().top("SSp@4,5").bottom("LF@5,5", *friends).honor(bottom=honor)
    return board.fight("4,5", "5,5", "CCCC", script).do(to)


@pytest.mark.parametrize(("script", "falls"), [("XFFHH", True), ("XXFFH", True), ("FFHHH", False)])
def test_swords_are_for_the_leader(script: str, falls: bool) -> None:
    # BT-LACK-OF-HONOR-03, BT-LACK-OF-HONOR-01: 1 of 3 is missing
    play = lone(2, script)
    assert (play.at("6,5"), play.banners["top"]) == ((None, 1) if falls else ("bottom LF", 0))
    assert (play.honor["bottom"], play.question) == (0, "take_ground")


def test_symbols_are_for_the_units_nearest_to_the_leader() -> None:
    # BT-LACK-OF-HONOR-03, BT-R-45: all 3 are missing; X first; two bows are as near as each other
    play = lone(0, "SCTCXFH", "SSp@8,5", "SSp@10,5", "AB@6,3", "AB@6,7", "ASp@10,6")
    assert (play.banners["top"], play.question, play.choices) == (1, "lose_nearest", {"6,3", "6,7"})
    play.do("6,7", "6,7")
    assert losses(play) == [("AB", "6,7", 1), ("AB", "6,7", 1), ("ASp", "10,6", 1), ("SSp", "8,5", 1)]


def test_a_leader_who_joined_a_unit_is_still_the_one_who_retreated() -> None:
    # BT-R-47: and his unit is the nearest
    play = lone(2, "XTFFF", "ASp@6,5", "ASp@6,7")
    assert (play.at("6,5"), play.banners["top"]) == ("bottom ASp:3", 1)


def test_losses_to_a_dragon_card_are_where_the_owner_likes() -> None:
    # BT-LACK-OF-HONOR-04, BT-R-48: Rice Famine costs 2 for each of two faces; 3 are missing, 7 dice once
    board = Board(tents={"bottom": "10,5"}).top("SSp@4,5").honor(bottom=1).dragons("top", "D-27")
    board.bottom("AB@8,4", "LI@8,6", "SSp:1+LF@9,3", "AC+BG@10,5")
    play = board.play("HH", "CCSXXFT").command("C-ADV-C", "D-27").until("lose_block")
    assert (play.asked, play.choices, play.honor["bottom"]) == ("bottom", {"8,4", "8,6"}, 0)
    play.do("8,6").do("8,6")
    assert losses(play) == [("LI", "8,6", 1), ("LI", "8,6", 1), ("SSp", "9,3", 1)]
    assert (play.at("10,5"), play.rolls()) == ("bottom BG:4+AC", ["HH", "CCSXXFT"])


def test_units_that_fall_are_banners_and_their_leaders_stay() -> None:
    # BT-LACK-OF-HONOR-05: no check, no retreat
    play = retreat("ASp", 0, "SCFFF", "SSp:1+LF@8,5", "AB:1@8,6")
    assert (play.at("8,5"), play.at("8,6"), play.banners["top"]) == ("bottom LF", None, 2)
    assert (play.rolls("leader_loss"), play.question) == ([], "take_ground")


def test_the_last_banner_ends_the_battle_amid_the_dice() -> None:
    # BT-LACK-OF-HONOR-05, BT-VICTORY-01: the square is not worked off any more
    board = Board(banners_to_win=4).top("SSp@4,5").bottom("ASp@5,5", "AB:1@8,6", "SSp:1@8,5")
    play = board.honor(bottom=0).banners(top=3).fight("4,5", "5,5", "FHHH", "SCFFF").do("6,5")
    assert (play.winner, play.at("8,5")) == ("top", "bottom SSp:1")
