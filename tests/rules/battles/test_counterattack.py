"""The command card Counterattack (CMD)."""

import pytest

from rules.battles.board import Board
from rules.battles.commands import full_board

# Counterattack.


def counter(last: str, slots: tuple[int, int, int] = (0, 0, 0), *hand: str) -> Board:
    """The bottom army counters the last card of the top army with rows full of units."""
    return full_board("C-COUNTER", "bottom", *(hand or ("C-FIRST",))).last("top", last, *slots)


@pytest.mark.parametrize(
    ("last", "slots", "copy"),
    [
        ("C-ONE-L", (1, 0, 0), "C-ONE-R"), ("C-TWO-R", (0, 0, 2), "C-TWO-L"),
        ("C-THREE-C", (0, 3, 0), "C-THREE-C"),
        ("C-TIGER-L", (1, 2, 0), "C-TIGER-R"), ("C-FLANKS", (2, 0, 2), "C-FLANKS"),
        ("C-CRANE", (1, 1, 1), "C-CRANE"),
    ],
)  # fmt: skip
def test_counterattack_exchanges_left_and_right(last: str, slots: tuple[int, int, int], copy: str) -> None:
    # BT-CMD-10: the copier's own left and right
    copied = counter(last, slots).play().command("C-COUNTER")
    printed = full_board(copy).play().command(copy)
    assert copied.choices == printed.choices
    assert copied.state["turn"]["effective"]["card"] == copy


def test_counterattack_after_a_real_turn() -> None:
    # BT-CMD-10, BT-BOARD-09: top plays Order Two Left (east); the counter is Order Two Right, which is east
    # again for bottom
    board = Board().top("ASp@1,9").bottom("ASp@9,9", "ASp@9,1").hand("top", "C-TWO-L", "C-ONE-L")
    play = (
        board.hand("bottom", "C-COUNTER", "C-ONE-L").play().command("C-TWO-L").end_turn().command("C-COUNTER")
    )
    assert play.choices == {"pass", "9,9"}


def test_counterattack_counts_the_copiers_command() -> None:
    # BT-CMD-10: Advance with his own number of cards, whatever the opponent had
    board = full_board("C-COUNTER", "bottom", "C-ONE-L", "C-ONE-C").top("ASp@1,5").set(active="top")
    play = board.play().command("C-ADV-C").end_turn().command("C-COUNTER").do("4,4", "4,5", "4,6")
    assert (play.question, len(play.ordered)) == ("move", 3)


def test_counterattack_copies_the_helmet() -> None:
    # BT-CMD-10: as the copied card
    for last, slots, leader in [("C-TWO-C", (0, 2, 0), True), ("C-SNAKE", (0, 0, 0), False)]:
        board = Board().top("ASp+LF@5,5").last("bottom", last, *slots).hand("top", "C-COUNTER", "C-ONE-L")
        assert ("leader 5,5" in board.play().command("C-COUNTER").choices) == leader


def test_counterattack_copies_draws() -> None:
    # BT-CMD-10, BT-R-60: a copied Order One card draws two, keeps one and draws a dragon card
    board = Board().top("ASp@5,5").bottom("ASp@9,5").last("bottom", "C-ONE-C", 0, 1, 0)
    board.hand("top", "C-COUNTER", "C-TWO-L").deck("C-SQUARE", "C-TRIANGLE", "D-01")
    play = board.play().command("C-COUNTER").until("keep_one").do("C-SQUARE")
    assert (play.hand("top"), play.dragons("top")) == (["C-TWO-L", "C-SQUARE"], ["D-01"])


def test_counterattack_of_an_order_one_card_counts_as_one() -> None:
    # BT-R-60, BT-SCEN-14: battle 28 gives Oda-Tokugawa (top) a banner for it
    board = Board(scenario=28).top("ASp@1,5").bottom("ASp@9,5").last("bottom", "C-ONE-L", 1, 0, 0)
    play = (
        board.hand("top", "C-COUNTER", "C-TWO-L").set(round=2).play().command("C-COUNTER").until("keep_one")
    )
    assert play.banners["top"] == 1


def test_counterattack_copies_bonuses() -> None:
    # BT-CMD-10: Cavalry Charge with its die
    board = Board().top("SSpC@5,5").bottom("SSp@5,6").last("bottom", "C-CAVALRY")
    board.hand("top", "C-COUNTER", "C-ONE-L")
    play = board.play("HHHHH").command("C-COUNTER").order("5,5").attack("5,5", "5,6")
    assert play.rolls("melee") == ["HHHHH"]


def test_counterattack_copies_shogun() -> None:
    # BT-CMD-10, BT-CMD-60: his own dice, and the reshuffle at the end of his turn
    board = Board().top("ASp@5,5").bottom("ASp@9,5").last("bottom", "C-SHOGUN")
    board.hand("top", "C-COUNTER", "C-ONE-L")
    discards = ["C-TWO-L", "C-TWO-C", "D-01", "D-03"]
    hands = board.hand("bottom", "C-ONE-C", "C-ONE-R", "C-CRANE").discards(*discards)
    play = hands.play("XX").command("C-COUNTER").until("replenish")
    assert play.rolls("shogun") == ["XX"]
    assert play.events("reshuffled")
    assert (play.state["command"]["discards"], play.state["dragon"]["discards"]) == ([], [])


@pytest.mark.parametrize("last", [None, "C-FIRST"])
def test_counterattack_without_anything_to_copy(last: str | None) -> None:
    # BT-CMD-10: no turn yet, or a First Strike: no orders; the turn goes to its end
    board = full_board("C-COUNTER")
    if last:
        board.last("top", last)
    play = board.play().command("C-COUNTER").quiet()
    assert play.question == "replenish"


def test_counterattack_of_an_empty_counterattack() -> None:
    # BT-CMD-10: top's Counterattack copied nothing, so bottom's has nothing to copy either
    board = Board().top("ASp@1,5").bottom("ASp@9,5").hand("top", "C-COUNTER", "C-ONE-L")
    board.hand("bottom", "C-COUNTER", "C-ONE-L")
    play = board.play().command("C-COUNTER").end_turn().command("C-COUNTER").quiet()
    assert (play.asked, play.question) == ("bottom", "replenish")


def test_counterattack_of_a_counterattack() -> None:
    # BT-CMD-11: it counts as what it became, left and right exchanged again
    board = Board().top("ASp@1,1", "ASp@1,9").bottom("ASp@9,1", "ASp@9,9").last("bottom", "C-TWO-L", 2, 0, 0)
    board.hand("top", "C-COUNTER", "C-ONE-L").hand("bottom", "C-COUNTER", "C-ONE-L")
    play = board.play().command("C-COUNTER")
    assert play.choices == {"pass", "1,1"}  # Order Two Right of the top army is west
    play.end_turn().command("C-COUNTER")
    assert (play.state["turn"]["effective"]["card"], play.choices) == ("C-TWO-L", {"pass", "9,1"})


def test_counterattack_copies_changed_slots() -> None:
    # BT-CMD-11: Tactical Wisdom sent Order Two Left to the centre; the copy has two orders in the centre
    board = Board().top("ASp@1,9", "ASp@1,5").bottom("ASp@9,1", "ASp@9,5", "ASp@9,9").dragons("top", "D-04")
    board.hand("top", "C-TWO-L", "C-ONE-L").hand("bottom", "C-COUNTER", "C-ONE-L")
    play = board.play().command("C-TWO-L", "D-04").do("left>center")
    assert play.choices == {"pass", "1,5"}
    play.end_turn().command("C-COUNTER")
    assert play.choices == {"pass", "9,5"}
    # Tiger's Tail Left with its left order sent to the right: mirrored it is one to the left.
    board.hand("top", "C-TIGER-L", "C-ONE-L")
    play = board.play().command("C-TIGER-L", "D-04").do("left>right").end_turn().command("C-COUNTER")
    assert play.choices == {"pass", "9,1", "9,5"}


def test_wild_winds_comes_first() -> None:
    # BT-CMD-11: the card that Wild Winds puts there is the effective one, and is what a Counterattack copies
    board = Board().top("ASp@1,9", "ASp@1,1").bottom("ASp@9,1", "ASp@9,9").dragons("bottom", "D-36")
    board.hand("top", "C-TWO-L", "C-TWO-R").hand("bottom", "C-COUNTER", "C-ONE-L")
    play = board.play().command("C-TWO-L", "D-36")
    assert play.choices == {"pass", "1,1"}
    play.end_turn().command("C-COUNTER")
    assert play.choices == {"pass", "9,1"}


def test_wild_winds_brings_a_counterattack() -> None:
    # BT-CMD-11: it is read as its copy, left and right exchanged
    board = Board().top("ASp@1,9", "ASp@1,1").bottom("ASp@9,1").dragons("bottom", "D-36")
    board.hand("top", "C-TWO-L", "C-COUNTER").last("bottom", "C-ONE-L", 1, 0, 0)
    play = board.play().command("C-TWO-L", "D-36")
    assert (play.state["turn"]["effective"]["card"], play.choices) == ("C-ONE-R", {"pass", "1,1"})


def test_tactical_wisdom_on_a_counterattack() -> None:
    # BT-CMD-11: the copy is a section card and can be changed; the next copy has it changed
    board = Board().top("ASp@1,9", "ASp@1,5", "ASp@1,1").bottom("ASp@9,1", "ASp@9,5", "ASp@9,9")
    board.hand("top", "C-COUNTER", "C-ONE-L").hand("bottom", "C-COUNTER", "C-ONE-L").dragons("top", "D-04")
    play = board.last("bottom", "C-TWO-L", 2, 0, 0).play().command("C-COUNTER", "D-04").do("right>left")
    assert play.choices == {"pass", "1,9"}
    play.end_turn().command("C-COUNTER")
    assert play.choices == {"pass", "9,9"}  # left of the top army is the right of the bottom army
