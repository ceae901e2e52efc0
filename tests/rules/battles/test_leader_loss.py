"""Checks whether a leader falls with the blocks of its unit (LEADER-LOSS)."""

import pytest

from rules.battles.board import Board, Play

RIVER_BEHIND = {"6,5": "RIVER", "6,6": "RIVER"}
"""Nobody retreats from 5,5."""


def melee(attacker: str, defender: str, *script: str) -> Play:
    """A unit in 4,5 attacks its neighbour in 5,5."""
    return Board().top(f"{attacker}@4,5").bottom(f"{defender}@5,5").fight("4,5", "5,5", *script)


def shot(shooter: str, target: str, *script: str) -> Play:
    """A unit in 3,5 shoots at 5,5."""
    return Board().top(f"{shooter}@3,5").bottom(f"{target}@5,5").fight("3,5", "5,5", *script)


def test_one_check_for_a_roll() -> None:
    # BT-LEADER-LOSS-01: three blocks are lost, the enemy rolls once
    play = melee("SSp", "ASp+LF", "TTXC", "C")
    assert [(event["side"], event["roll"]) for event in play.events("rolled")] == [
        ("top", "melee"),
        ("top", "leader_loss"),
    ]
    assert play.at("5,5") == "bottom ASp:1+LF"


def test_no_block_no_check() -> None:
    # BT-LEADER-LOSS-01: ignored swords do not hit
    assert melee("LI", "SSp+LF", "XX").rolls("leader_loss") == []
    assert shot("AB", "SSp+LF", "XX").rolls("leader_loss") == []


@pytest.mark.parametrize(("check", "falls"), [("XX", True), ("XC", False), ("CX", False), ("TT", False)])
def test_shot_at_with_a_unit_that_survives(check: str, falls: bool) -> None:
    # BT-LEADER-LOSS-02
    play = shot("AB", "ASp+LF", "TC", check)
    assert (play.at("5,5"), play.banners["top"]) == (("bottom ASp:3", 1) if falls else ("bottom ASp:3+LF", 0))


@pytest.mark.parametrize(("check", "falls"), [("X", True), ("T", False)])
def test_shot_at_with_a_unit_that_falls(check: str, falls: bool) -> None:
    # BT-LEADER-LOSS-03
    play = shot("AB", "ASp:1+LF", "TC", check)
    assert (play.at("5,5"), play.banners["top"]) == ((None, 2) if falls else ("bottom LF", 1))


@pytest.mark.parametrize(("check", "falls"), [("X", True), ("T", False)])
@pytest.mark.parametrize("blocks", [4, 1])
def test_in_melee(blocks: int, check: str, falls: bool) -> None:
    # BT-LEADER-LOSS-04: one die, whether the unit survives or not
    play = melee("SSp", f"ASp:{blocks}+LF", "TCCC", check)
    unit, leader = f"ASp:{blocks - 1}" if blocks > 1 else "", "" if falls else "LF"
    left = "+".join(filter(None, (unit, leader)))
    assert play.at("5,5") == (f"bottom {left}" if left else None)
    assert play.banners["top"] == (blocks == 1) + falls


def test_in_a_battle_back_and_in_a_first_strike() -> None:
    # BT-LEADER-LOSS-04: the attacker's leader is checked
    back = melee("ASp+LF", "SSp", "CCC", "TCCC", "X").do("4,5").quiet()
    assert (back.at("4,5"), back.banners["bottom"]) == ("top ASp:3", 1)
    board = Board().top("ASp+LF@4,5").bottom("SSp@5,5").hand("bottom", "C-FIRST", "C-ADV-C")
    play = (
        board.play("TCCC", "X", "CCC")
        .command("C-ADV-C")
        .order("4,5")
        .declare("4,5", "5,5")
        .do("C-FIRST")
        .quiet()
    )
    assert (play.at("4,5"), play.banners["bottom"]) == ("top ASp:3", 1)


def test_in_a_bonus_melee() -> None:
    # BT-LEADER-LOSS-04
    board = Board().top("SSpC@4,5").bottom("ASp:1@5,5", "ASp+LF@6,5")
    play = board.fight("4,5", "5,5", "TCCC", "TCCC", "X").do("4,5", "6,5").quiet()
    assert (play.at("6,5"), play.banners["top"]) == ("bottom ASp:3", 2)


def test_the_banners_of_a_leader() -> None:
    # BT-LEADER-LOSS-05: one, or two in a battle that says so
    board = Board(scenario=2).top("SSp@4,5").bottom("ASp+LF@5,5")
    assert board.fight("4,5", "5,5", "TCCC", "X").banners["top"] == 2
    assert melee("SSp", "ASp+LF", "TCCC", "X").banners["top"] == 1


def test_a_leader_who_survives_his_unit_goes_at_once() -> None:
    # BT-LEADER-LOSS-06: one to three hexes back, or seppuku; flags do not concern him
    for play in (melee("SSp", "ASp:1+LF", "TFFF", "C"), shot("SB", "ASp:1+LF", "TFF", "C")):
        assert (play.asked, play.question) == ("bottom", "leader_fate")
        assert play.choices == {"seppuku", "6,5", "6,6", "7,4", "7,5", "7,6", "8,4", "8,5", "8,6", "8,7"}
        play.do("6,5")
        assert (play.at("6,5"), play.honor["bottom"], play.events("flags")) == ("bottom LF", 2, [])


def test_an_attackers_leader_who_survives_his_unit_goes_at_once() -> None:
    # BT-LEADER-LOSS-06: toward his own baseline, after a battle back or a first strike, which ends the melee
    back = melee("ASp:1+LF", "SSp", "CCC", "TFCC", "C").do("4,5").quiet()
    board = Board().top("ASp:1+LF@4,5").bottom("SSp@5,5").hand("bottom", "C-FIRST", "C-ADV-C")
    first = (
        board.play("TFCC", "C").command("C-ADV-C").order("4,5").declare("4,5", "5,5").do("C-FIRST").quiet()
    )
    for play in (back, first):
        assert (play.asked, play.question) == ("top", "leader_fate")
        assert play.choices == {"seppuku", "3,4", "3,5", "2,4", "2,5", "2,6", "1,3", "1,4", "1,5", "1,6"}
        assert (play.do("1,5").at("1,5"), play.question) == ("top LF", "replenish")


@pytest.mark.parametrize(("check", "falls"), [("XX", True), ("XC", False), ("TX", False)])
@pytest.mark.parametrize("blocks", [4, 1])
def test_a_commander_is_checked_with_two_dice(blocks: int, check: str, falls: bool) -> None:
    # BT-LEADER-LOSS-07: with the last bodyguard, too; the others surrender when he falls
    board = Board(tents={"bottom": "5,5"}).top("SSp@4,5").bottom(f"AC+BG:{blocks}@5,5")
    play = board.fight("4,5", "5,5", "XCCC", check)
    left = None if falls else "bottom BG:3+AC" if blocks == 4 else "bottom LF"
    assert (play.at("5,5"), play.banners["top"]) == (left, int(falls))


def test_no_check_for_a_retreat_that_is_not_completed() -> None:
    # BT-LEADER-LOSS-08, BT-R-40: the leader stays, nobody asks for his retreat, and the hex is not empty
    board = Board(terrain=RIVER_BEHIND).top("SSp@4,5").bottom("ASp:1+LF@5,5")
    play = board.fight("4,5", "5,5", "FCCC").ignore(0)
    assert (play.at("5,5"), play.banners["top"], play.question) == ("bottom LF", 1, "replenish")
    assert play.rolls() == ["FCCC"]


def test_no_check_for_flags_in_a_castle() -> None:
    # BT-LEADER-LOSS-08
    board = Board(terrain={"5,5": "CASTLE"}).top("SSp@4,5").bottom("ASp:1+LF@5,5")
    play = board.fight("4,5", "5,5", "FF").ignore(1)
    assert (play.at("5,5"), play.banners["top"], play.question) == ("bottom LF", 1, "replenish")
    assert play.rolls() == ["FF"]


def test_no_check_for_blocks_that_a_card_takes() -> None:
    # BT-LEADER-LOSS-08: Rice Famine
    board = Board().top("SSp@4,5").bottom("LI:1+LF@8,5").dragons("top", "D-27")
    play = board.play("C").command("C-ADV-C", "D-27").quiet()
    assert (play.at("8,5"), play.banners["top"], play.rolls()) == ("bottom LF", 1, ["C"])
    assert play.question == "order"


def test_no_check_for_lack_of_honor() -> None:
    # BT-LEADER-LOSS-08, BT-LACK-OF-HONOR-05: the unit falls where it retreated to, ground can be taken
    board = Board().top("SSp@4,5").bottom("ASp:1+LF@5,5").honor(bottom=0)
    play = board.fight("4,5", "5,5", "FCCC", "TCFHXS").ignore(0).do("6,5")
    assert (play.at("6,5"), play.banners["top"], play.question) == ("bottom LF", 1, "take_ground")


def test_honor_faces_of_a_check_are_nothing() -> None:
    # BT-LEADER-LOSS-09, BT-HONOR-03
    assert melee("SSp", "ASp+LF", "TCCC", "H").honor == {"top": 5, "bottom": 5}
    assert shot("AB", "ASp+LF", "TC", "HH").honor == {"top": 5, "bottom": 5}


def test_a_fallen_leader_does_not_help_against_flags() -> None:
    # BT-LEADER-LOSS-10, BT-MORALE-02
    assert melee("SSp", "ASp+LF", "TFCC", "C").question == "ignore_flags"
    fell = melee("SSp", "ASp+LF", "TFCC", "X")
    assert (fell.question, fell.choices) == ("retreat", {"6,5", "6,6"})
    fell.do("6,5")
    assert fell.honor["bottom"] == 4
