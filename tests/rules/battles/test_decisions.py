"""Decision points (DP): who is asked, when, for what, and who sees it."""

import pytest

from rules.battles.board import Board, Play
from sengoku import Match


def melee(
    *script: str, top: str = "SSp@4,5", bottom: str = "ASp@5,5", dragons: dict[str, str] | None = None
) -> Play:
    """A melee of the top army, declared; everybody has enough honor for any card."""
    board = Board().top(top).bottom(bottom).honor(top=9, bottom=9)
    for side, card in (dragons or {}).items():
        board.dragons(side, card)
    return board.play(*script).command("C-ADV-C").order("4,5").declare("4,5", "5,5")


def test_the_command_card() -> None:
    # DP-01: any kind in the hand, each once
    play = Board().top("ASp@2,5").hand("top", "C-ONE-L", "C-ONE-L", "C-SNAKE").bottom("ASp@9,9").play()
    assert (play.asked, play.question, play.choices) == ("top", "play_command", {"C-ONE-L", "C-SNAKE"})


def test_a_dragon_card_with_it() -> None:
    # DP-02: pass, or one that can be played; Physician heals nobody here, Ambush has another window
    board = Board().top("ASp@2,5").bottom("ASp@9,9").dragons("top", "D-01", "D-05", "D-07", "D-33")
    play = board.play().command("C-ADV-C")
    assert (play.asked, play.window, play.choices) == ("top", "W-CMD-A", {"pass", "D-01", "D-33"})


def test_a_dragon_card_against_it() -> None:
    # DP-03: pass, Bishamon, Wild Winds or White Fox
    board = Board().top("ASp@2,5").bottom("ASp@9,9").dragons("bottom", "D-20", "D-36", "D-37", "D-01")
    play = board.play().command("C-ADV-C")
    assert (play.asked, play.window) == ("bottom", "W-CMD-D")
    assert play.choices == {"pass", "D-20", "D-36", "D-37"}


def test_before_a_move() -> None:
    # DP-09: Katchu Keiba for cavalry, Haya-ji for any unit; pass
    for unit, cards in (("SBC", {"D-18", "D-31"}), ("ASp", {"D-31"})):
        board = Board().top(f"{unit}@2,5").bottom("ASp@9,9").dragons("top", "D-18", "D-31", "D-06")
        play = board.play().command("C-ADV-C").order("2,5").do("2,5")
        assert (play.asked, play.window, play.choices) == ("top", "W-MOVE-A", {"pass"} | cards)


def test_after_a_leader_moved() -> None:
    # DP-11: pass or Insult, after a leader moved, alone or attached; nobody is asked after other moves
    for piece, asked in (("LF@2,5", True), ("AB+LF@2,5", True), ("AB@2,5", False)):
        board = Board().top(piece, "ASp@0,0").bottom("ASp@9,9").dragons("bottom", "D-21", "D-34")
        play = board.play().command("C-ADV-C").order("2,5").do("2,5", "3,5")
        assert (play.window == "W-MOVE-D") is asked, piece
        if asked:
            assert (play.asked, play.choices) == ("bottom", {"pass", "D-21"})


def test_before_a_roll() -> None:
    # DP-16: the roller's cards as they fit the roll
    play = melee(dragons={"top": "D-06"}).until("W-PRE-R")
    assert (play.asked, play.window, play.choices) == ("top", "W-PRE-R", {"pass", "D-06"})
    board = Board().top("SSp:1+LF@4,5").bottom("ASp@5,5").honor(top=9)
    board.dragons("top", "D-06", "D-10", "D-14", "D-17", "D-29", "D-15")
    play = board.play().command("C-ADV-C").order("4,5").declare("4,5", "5,5").until("W-PRE-R")
    assert play.choices == {"pass", "D-06", "D-10", "D-14", "D-17"}  # Vengeance is for battling back
    board = Board().top("SSp@4,5").bottom("ASp@5,5").honor(bottom=9).dragons("bottom", "D-29", "D-17")
    play = board.play("HHHH").command("C-ADV-C").order("4,5").attack("4,5", "5,5").do("4,5")
    assert (play.asked, play.window, play.choices) == ("bottom", "W-PRE-R", {"pass", "D-29"})


def test_before_a_roll_of_the_opponent() -> None:
    # DP-17: Aikido, Courage, Courageous Leader b with a leader
    for bottom, cards in (("ASp", {"D-15", "D-25"}), ("ASp+LF", {"D-02b", "D-15", "D-25"})):
        board = Board().top("SSp@4,5").bottom(f"{bottom}@5,5").honor(bottom=9)
        board.dragons("bottom", "D-02a", "D-02b", "D-15", "D-25", "D-06")
        play = board.play().command("C-ADV-C").order("4,5").declare("4,5", "5,5").until("W-PRE-O")
        assert (play.asked, play.choices) == ("bottom", {"pass"} | cards)


def test_after_a_roll() -> None:
    # DP-18, DP-19: the roller may roll anew, then his opponent may have courage
    play = melee("FFCC", bottom="ASp+LF@5,5", dragons={"top": "D-32", "bottom": "D-02a"}).until("W-POST-R")
    assert (play.asked, play.choices) == ("top", {"pass", "D-32"})
    play.do("pass")
    assert (play.asked, play.window, play.choices) == ("bottom", "W-POST-O", {"pass", "D-02a"})


def test_after_a_shot() -> None:
    # DP-19: Bulletproof Armor; DP-18 is for melees only
    board = Board().top("AB@3,5").bottom("ASp@5,5").honor(top=9, bottom=9)
    board.dragons("top", "D-32").dragons("bottom", "D-30", "D-02a")
    play = board.play("TT").command("C-ADV-C").order("3,5").attack("3,5", "5,5")
    assert play.at("5,5") == "bottom ASp:2"
    assert not play.events("dragon_played")
    play = board.play("TT").command("C-ADV-C").order("3,5").declare("3,5", "5,5").until("W-POST-O")
    assert (play.asked, play.choices) == ("bottom", {"pass", "D-30"})


@pytest.mark.parametrize("held", ["D-15", "D-01"])
def test_windows_do_not_tell_what_is_held(held: str) -> None:
    # BT-DRAGON-USE-10: the defender is asked whether or not he holds a card of the window
    play = melee(dragons={"bottom": held}).until("W-PRE-O")
    assert play.asked == "bottom"
    assert play.choices == {"pass"} | ({held} if held == "D-15" else set())


def question_of_the_attacker(held: str) -> tuple[bytes, object]:
    """The attacker's view while the defender is asked in a window."""
    play = melee(dragons={"bottom": held}).until("W-PRE-O")
    match: Match = play.match
    return bytes(match.observe(0)), match.view(0)


def test_the_other_side_sees_no_difference() -> None:
    # BT-DRAGON-USE-10, BT-COMP-06: neither the answers nor the card behind them
    assert question_of_the_attacker("D-15") == question_of_the_attacker("D-01")
