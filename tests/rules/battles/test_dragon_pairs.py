"""Two dragon cards played together (DRAGON-50)."""

import pytest

from rules.battles.attacks import at_once, attack
from rules.battles.board import HAND, Board


def test_panic_then_bishamon() -> None:
    # BT-DRAGON-50, BT-R-68: flags may be ignored
    board = Board().top("ASp@4,5").bottom("AB@5,5").dragons("top", "D-26").dragons("bottom", "D-20")
    play = board.play("FFF").command("C-ADV-C", "D-26", "D-20").order("4,5").attack("4,5", "5,5")
    assert play.choices == {"0", "1", "2", "3"}


@pytest.mark.parametrize("card", ["D-15", "D-02a", "D-02b"])
def test_panic_then_courage(card: str) -> None:
    # BT-DRAGON-50: that unit may ignore
    board = Board().top("ASp@4,5").bottom("AB+LF@5,5").dragons("top", "D-26").dragons("bottom", card)
    play = board.play("FFF").command("C-ADV-C", "D-26").order("4,5").declare("4,5", "5,5").do(card).quiet()
    assert play.choices == {"0", "1", "2", "3"}


@pytest.mark.parametrize("card", ["D-15", "D-02a", "D-02b"])
def test_cowards_with_courage(card: str) -> None:
    # BT-DRAGON-50, BT-DRAGON-USE-07: no flag is ignored, although courage came later
    play = at_once(attack("ASp@4,5", "SSp+LF@5,5", "FHH", own="D-14", other=card), "D-14", card)
    assert play.question == "retreat"


def test_bishamon_then_cowards() -> None:
    # BT-DRAGON-50
    board = Board().top("ASp@4,5").bottom("SSp@5,5").dragons("top", "D-14").dragons("bottom", "D-20")
    play = board.play("FHH").command("C-ADV-C", "D-20").order("4,5").declare("4,5", "5,5").do("D-14").quiet()
    assert play.question == "retreat"


def test_terror_strike_with_courage() -> None:
    # BT-DRAGON-50: all doubled flags may be ignored
    play = at_once(attack("ASp@4,5", "AB@5,5", "FFC", own="D-06", other="D-15"), "D-06", "D-15")
    assert play.choices == {"0", "1", "2", "3", "4"}


def test_aikido_with_a_desperate_charge() -> None:
    # BT-DRAGON-50: two dice
    play = at_once(attack("SSp:1@4,5", "SSp@5,5", "CC", own="D-10", other="D-25"), "D-10", "D-25")
    assert play.rolls() == ["CC"]


def test_aikido_with_a_cavalry_charge() -> None:
    # BT-DRAGON-50: two dice, inspired or not
    play = attack("SSpC+LM@4,5", "SSp@5,5", "CC", other="D-25", command="C-CAVALRY").do("yes", "D-25").quiet()
    assert play.rolls() == ["CC"]


def test_brave_messenger_then_white_fox() -> None:
    # BT-DRAGON-50: one order
    board = Board().top("LI@1,1", "LI@1,5", "LI@1,9").bottom("LI@8,5").hand("top", "C-TWO-C", "C-SNAKE")
    play = (
        board.dragons("top", "D-13")
        .dragons("bottom", "D-37")
        .play()
        .command("C-TWO-C", "D-13", "D-37")
        .do("1,5")
    )
    assert (play.question, play.ordered) == ("move", {"1,5"})


def test_katchu_keiba_then_insult() -> None:
    # BT-DRAGON-50: the move is undone, the card spent
    board = Board().top("SSpC+LM@1,5").bottom("LI@8,5").dragons("top", "D-18").dragons("bottom", "D-21")
    play = board.play().command("C-ADV-C").order("1,5").do("1,5", "D-18", "5,5", "D-21")
    assert (play.at("1,5"), play.honor["top"]) == ("top SSpC:4+LM", 4)
    assert (play.until("replenish").dragons("top"), play.discarded()) == ([], ["D-18", "D-21"])


def test_legendary_combat_then_timid_success() -> None:
    # BT-DRAGON-50: no ground, no bonus
    board = (
        Board().top("ASp@4,5").bottom("LI:1@5,5", "LI@6,5").dragons("top", "D-19").dragons("bottom", "D-34")
    )
    play = board.play("CTT").command("C-ADV-C").order("4,5").declare("4,5", "5,5").do("D-19", "4,5", "D-34")
    assert (play.at("4,5"), play.question) == ("top ASp:4", "replenish")


def test_kisshoten_after_courage() -> None:
    # BT-DRAGON-50: the roll is made anew, courage still holds
    play = at_once(attack("ASp@4,5", "AB@5,5", "CTC", "FFF", own="D-32", other="D-15"), "D-15", "D-32")
    assert (play.at("5,5"), play.choices) == ("bottom AB:4", {"0", "1", "2", "3"})


@pytest.mark.parametrize("card", ["D-07", "C-FIRST"])
def test_ambush_and_first_strike_never_in_one_combat(card: str) -> None:
    # BT-DRAGON-50: he has both and plays one
    board = (
        Board()
        .top("SSp@4,5")
        .bottom("SSp@5,5")
        .dragons("bottom", "D-07")
        .hand("bottom", "C-FIRST", *HAND[:2])
    )
    play = (
        board.play("C" * (5 if card == "D-07" else 4), "CCCC")
        .command("C-ADV-C")
        .order("4,5")
        .declare("4,5", "5,5")
    )
    assert play.choices == {"pass", "D-07", "C-FIRST"}
    play.do(card).quiet()
    assert play.course("first_strike", "melee") == ["first_strike", "melee"]
    assert play.until("replenish").dragons("bottom") == ([] if card == "D-07" else ["D-07"])
