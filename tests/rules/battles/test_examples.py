"""The worked examples of the rulebook (EX)."""

import pytest

from rules.battles.board import Board, Play


def driven(unit: str, flags: int, honor: int, *script: str, terrain: dict[str, str] | None = None) -> Play:
    """A unit in 5,5 is struck by flags and ignores none of them."""
    board = Board(terrain=terrain).top("SSp@4,5").bottom(f"{unit}@5,5").honor(bottom=honor)
    play = board.fight("4,5", "5,5", "F" * flags + "H" * (4 - flags), *script)
    return play.ignore(0) if play.question == "ignore_flags" else play


def test_lack_of_honor() -> None:
    # BT-EX-01: 1 of 2 is paid, and 5 dice are rolled
    play = driven("SSp", 1, 1, "FFHHX").do("6,5")
    assert (play.honor["bottom"], play.rolls("lack_of_honor")) == (0, ["FFHHX"])


def test_spears_retreat_with_their_leader() -> None:
    # BT-EX-02: 2 for a hex, 4 for two
    assert driven("ASp+LF", 1, 5).do("6,5").honor["bottom"] == 3
    assert driven("ASp+LF", 2, 5).do("7,5").honor["bottom"] == 1


def test_a_lone_leader_retreats() -> None:
    # BT-EX-03: 3, however far
    board = Board().top("SSp@4,5").bottom("LF@5,5")
    for to in ("6,5", "7,5", "8,5"):
        assert board.fight("4,5", "5,5", "HHHH").do(to).honor["bottom"] == 2


def test_levies_retreat() -> None:
    # BT-EX-04: 2 without a leader and 4 with one; nothing but 2 blocks for each flag where there is no way
    assert driven("LI", 1, 5).do("7,5").honor["bottom"] == 3
    assert driven("LI+LF", 1, 5).do("7,5").honor["bottom"] == 1
    for flags, left in ((1, "bottom LI:2"), (2, None)):
        play = driven("LI", flags, 5, terrain={"6,5": "RIVER", "6,6": "RIVER"})
        assert (play.at("5,5"), play.honor["bottom"]) == (left, 5)


@pytest.mark.parametrize(("attacker", "dice", "left"), [("ASp", 3, 3), ("SSp", 4, 1), ("SSpC", 4, 0)])
def test_cavalry_ignores_swords(attacker: str, dice: int, left: int) -> None:
    # BT-EX-05: 2 of spears, 1 of samurai on foot, none of cavalry
    play = Board().top(f"{attacker}@4,5").bottom("SSpC@5,5").fight("4,5", "5,5", "X" * dice)
    assert play.at("5,5") == (f"bottom SSpC:{left}" if left else None)


def test_cavalry_ignores_swords_of_levies() -> None:
    # BT-EX-05: 3 of 4, when two levies charge together
    play = (
        Board().top("LI@4,5", "LI@4,6").bottom("SSpC@5,5").play("XXXX").command("C-ADV-C").order("4,5", "4,6")
    )
    assert play.attack("4,5", "5,5", "4,6").at("5,5") == "bottom SSpC:3"
