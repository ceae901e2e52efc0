"""The command card First Strike (CMD)."""

from rules.battles.board import Board, Play
from rules.battles.commands import full_board

# First Strike.


def struck(
    attacker: str, defender: str, *script: str, hand: tuple[str, ...] = ("C-FIRST", "C-ONE-L")
) -> Play:
    """A melee in which the bottom army is asked whether it strikes first."""
    board = Board().top(f"{attacker}@5,5").bottom(f"{defender}@5,6", "ASp@10,0").hand("bottom", *hand)
    return board.play(*script).command("C-ADV-C").order("5,5").declare("5,5", "5,6")


def test_first_strike() -> None:
    # BT-CMD-20: the defender rolls first; a survivor in its hex attacks as declared; nobody battles back
    play = struck("ASp", "SSp", "THHH", "HHH")
    assert (play.asked, play.window, play.choices) == ("bottom", "W-FIRST", {"pass", "C-FIRST"})
    play.do("C-FIRST").quiet()
    assert (play.at("5,5"), play.rolls()) == ("top ASp:3", ["THHH", "HHH"])
    assert (play.asked, play.question) == ("top", "replenish")
    assert "C-FIRST" not in play.hand("bottom")


def test_first_strike_eliminates() -> None:
    # BT-CMD-20: the combat is over, the striker takes no ground
    play = struck("ASp:1", "SSp", "THHH").do("C-FIRST").quiet()
    assert (play.at("5,5"), play.at("5,6"), play.question) == (None, "bottom SSp:4", "replenish")
    assert play.banners["bottom"] == 1


def test_first_strike_drives_back() -> None:
    # BT-CMD-20: a unit that retreats has used its battle
    play = struck("ASp", "SSp", "FHHH").do("C-FIRST").do("4,5").quiet()
    assert (play.at("4,5"), play.rolls(), play.question) == ("top ASp:4", ["FHHH"], "replenish")


def test_first_strike_is_replaced() -> None:
    # BT-CMD-20, BT-END-OF-TURN-01: its player draws before the active player
    board = Board().top("ASp@5,5").bottom("SSp@5,6").hand("bottom", "C-FIRST", "C-ONE-L")
    board.deck("C-SQUARE", "C-TRIANGLE")
    play = board.play("HHHH", "HHH").command("C-ADV-C").order("5,5").declare("5,5", "5,6").do("C-FIRST")
    play.until("replenish")
    assert play.hand("bottom") == ["C-ONE-L", "C-SQUARE"]
    assert play.hand("top")[-1] == "C-TRIANGLE"
    assert play.state["command"]["discards"] == ["C-ADV-C", "C-FIRST"]


def test_first_strike_inspired_and_with_dragons() -> None:
    # BT-CMD-20: inspire and dragon windows apply
    board = Board().top("ASp@5,5").bottom("SSp+LF@5,6").hand("bottom", "C-FIRST", "C-ONE-L")
    board.dragons("bottom", "D-06")
    play = board.play("HHHHF").command("C-ADV-C").order("5,5").declare("5,5", "5,6").do("C-FIRST")
    assert (play.asked, play.question) == ("bottom", "inspire")
    play.do("yes")
    assert (play.window, play.choices) == ("W-PRE-R", {"pass", "D-06"})
    play.do("D-06").quiet()
    assert (play.rolls("first_strike"), play.question) == (["HHHHF"], "retreat")
    play.do("3,5")
    assert play.honor["top"] == 3


def test_who_cannot_strike_first() -> None:
    # BT-CMD-20, BT-BATTLEBACK-06: cavalry in a castle; a lone leader
    board = Board(terrain={"5,6": "CASTLE"}).top("SSp@5,5").bottom("SSpC@5,6")
    board.hand("bottom", "C-FIRST", "C-ONE-L")
    play = board.play("HH").command("C-ADV-C").order("5,5").declare("5,5", "5,6")
    assert play.window != "W-FIRST"
    play.quiet()
    board = Board().top("SSp@5,5").bottom("LF@5,6").hand("bottom", "C-FIRST", "C-ONE-L")
    play = board.play("HHHH").command("C-ADV-C").order("5,5").declare("5,5", "5,6")
    assert play.window != "W-FIRST"
    # Cavalry outside against a unit that attacks out of a castle neither.
    board = Board(terrain={"5,5": "CASTLE"}).top("SSp@5,5").bottom("SSpC@5,6")
    board.hand("bottom", "C-FIRST", "C-ONE-L")
    play = board.play("HHH").command("C-ADV-C").order("5,5").declare("5,5", "5,6")
    assert play.window != "W-FIRST"


def test_no_first_strike_against_shots() -> None:
    # BT-CMD-20: a melee only
    board = Board().top("SB@5,5").bottom("SSp@5,7").hand("bottom", "C-FIRST", "C-ONE-L")
    play = board.play("HHH").command("C-ADV-C").order("5,5").declare("5,5", "5,7")
    assert (play.window, play.rolls()) == (None, ["HHH"])


def test_first_strike_is_for_the_defender() -> None:
    # BT-CMD-20: the active player cannot use it when the enemy battles back
    board = Board().top("ASp@5,5").bottom("SSp@5,6").hand("top", "C-ADV-C", "C-FIRST")
    board.hand("bottom", "C-ONE-L", "C-ONE-C")
    play = board.play("HHH", "HHHH").command("C-ADV-C").order("5,5").attack("5,5", "5,6").do("5,5")
    assert play.quiet().rolls() == ["HHH", "HHHH"]


def test_first_strike_against_a_bonus_melee() -> None:
    # BT-R-61, BT-CMD-20: it is a melee like any other
    board = Board().top("SSpC@5,4").bottom("AB:1@5,5", "SSp@5,6").hand("bottom", "C-FIRST", "C-ONE-L")
    play = board.play("CCCC", "HHHH", "HHHH").command("C-ADV-C").order("5,4").declare("5,4", "5,5")
    play.do("pass").do("5,4").do("5,6")
    assert (play.window, play.choices) == ("W-FIRST", {"pass", "C-FIRST"})
    play.do("C-FIRST").quiet()
    assert play.rolls("melee", "first_strike") == ["CCCC", "HHHH", "HHHH"]


def test_two_first_strikes_in_a_turn() -> None:
    # BT-CMD-20: in different combats; both are replaced
    board = Board().top("ASp@5,4", "ASp@5,7").bottom("SSp@4,4", "SSp@4,8")
    board.hand("bottom", "C-FIRST", "C-FIRST", "C-ONE-L")
    board.deck("C-SQUARE", "C-TRIANGLE", "C-CIRCLE").hand("top", "C-ADV-C", "C-ONE-C")
    play = board.play("HHHH", "HHH", "HHHH", "HHH").command("C-ADV-C").order("5,4", "5,7")
    play.declare("5,4", "4,4").do("C-FIRST").quiet().declare("5,7", "4,8").do("C-FIRST").until("replenish")
    assert play.hand("bottom") == ["C-ONE-L", "C-SQUARE", "C-TRIANGLE"]
    assert play.state["command"]["discards"] == ["C-ADV-C", "C-FIRST", "C-FIRST"]


def test_first_strike_or_ambush() -> None:
    # BT-CMD-21: only one of them in a combat; First Strike is not a dragon card
    board = Board().top("ASp@5,5").bottom("SSp@5,6", "ASp@10,0").hand("bottom", "C-FIRST", "C-ONE-L")
    board.dragons("bottom", "D-07", "D-15")
    play = board.play("HHHH", "HHH").command("C-ADV-C").order("5,5").declare("5,5", "5,6")
    assert play.choices == {"pass", "C-FIRST", "D-07"}
    play.do("C-FIRST").until("W-PRE-O", "replenish")
    assert play.window == "W-PRE-O"  # Courage may still be played, the dragon play is not used up
    assert "D-15" in play.choices
    play.quiet()
    play = board.play("HHHHH", "HHH").command("C-ADV-C").order("5,5").declare("5,5", "5,6").do("D-07").quiet()
    assert "C-FIRST" in play.hand("bottom")


def test_first_strike_in_the_own_turn() -> None:
    # BT-CMD-22: no orders; it is put away and one card is drawn as usual
    board = full_board("C-FIRST", "bottom", "C-ONE-L").top("ASp@3,0").deck("C-SQUARE")
    play = board.play().command("C-FIRST").quiet()
    assert (play.asked, play.question) == ("bottom", "replenish")
    assert (play.hand("bottom"), play.state["command"]["discards"]) == (["C-ONE-L", "C-SQUARE"], ["C-FIRST"])


def test_first_strike_against_somebody_who_cannot_retreat() -> None:
    # BT-CMD-20: he loses a block, has not left his hex, and attacks as declared
    board = Board().top("ASp@5,5", "LI@4,5", "LI@4,6").bottom("AB@5,6", "ASp@10,0")
    board.hand("bottom", "C-FIRST", "C-ONE-L")
    play = board.play("FH", "HHH").command("C-ADV-C").order("5,5").declare("5,5", "5,6").do("C-FIRST").quiet()
    assert play.question == "ignore_flags"  # two friends beside him support him
    play.ignore(0).quiet()
    assert (play.at("5,5"), play.rolls()) == ("top ASp:3", ["FH", "HHH"])


def test_no_second_battle_after_a_first_strike() -> None:
    # BT-CMD-20: a unit driven back next to another enemy has used its battle
    board = Board().top("ASp@5,5").bottom("SSp@5,6", "ASp@4,4").hand("bottom", "C-FIRST", "C-ONE-L")
    play = board.play("FHHH").command("C-ADV-C").order("5,5").declare("5,5", "5,6").do("C-FIRST").do("4,5")
    play.quiet()
    assert (play.at("4,5"), play.question) == ("top ASp:4", "replenish")


def test_both_first_strikes_are_gone() -> None:
    # BT-CMD-20, BT-DRAGON-USE-10: with both in open piles nobody is asked
    board = Board().top("ASp@5,5").bottom("SSp@5,6").discards("C-FIRST", "C-FIRST")
    play = board.play("HHH").command("C-ADV-C").order("5,5").declare("5,5", "5,6")
    assert (play.question, play.rolls()) == ("battle_back", ["HHH"])
