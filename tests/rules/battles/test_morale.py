"""Flags that are ignored (MORALE)."""

import pytest

from rules.battles.board import Board, Play


def flagged(flags: int, board: Board, attacker: str = "SSp") -> Play:
    """An attack from 4,5 on 5,5 rolls nothing but flags."""
    return board.top(f"{attacker}@4,5").honor(bottom=15).fight("4,5", "5,5", "F" * flags + "H" * (4 - flags))


def ignored(flags: int, board: Board, attacker: str = "SSp") -> set[str]:
    """The number of flags that may be ignored; nothing is asked if none can."""
    play = flagged(flags, board, attacker)
    return play.choices if play.question == "ignore_flags" else {"0"}


def test_the_owner_chooses() -> None:
    # BT-MORALE-01: none, one or two of three by samurai with a leader; each that is left is a hex
    for number, row in ((0, 8), (1, 7), (2, 6)):
        play = flagged(3, Board().bottom("SSp+LF@5,5"))
        assert (play.asked, play.choices) == ("bottom", {"0", "1", "2"})
        assert play.ignore(number).do(f"{row},5").at(f"{row},5") == "bottom SSp:4+LF"


def test_no_more_than_there_are() -> None:
    # BT-MORALE-01: all flags ignored, so the unit stays and battles back
    play = flagged(1, Board().bottom("SSp+LF@5,5"))
    assert play.choices == {"0", "1"}
    assert play.ignore(1).question == "battle_back"


def test_nothing_to_ignore_nothing_to_ask() -> None:
    # BT-MORALE-01, BT-MORALE-02
    play = flagged(1, Board().bottom("ASp@5,5"))
    assert (play.question, play.events("flags")[0]["ignored"]) == ("retreat", 0)


def test_two_flags_at_most() -> None:
    # BT-MORALE-02: samurai with a leader and support on a bridge
    board = Board(terrain={"5,5": "BRIDGE"}).bottom("SSp+LF@5,5", "ASp@5,4", "ASp@5,6")
    assert ignored(4, board) == {"0", "1", "2"}


def test_sources_are_counted_after_the_losses() -> None:
    # BT-MORALE-02: the leader, hit by the same roll, does not count any more; samurai still do
    play = Board().top("SSp@4,5").bottom("SSp+LF@5,5").fight("4,5", "5,5", "SFFC", "X")
    assert play.choices == {"0", "1"}


@pytest.mark.parametrize(
    ("friends", "supported"),
    [
        ([], False),
        (["ASp@5,4"], False),
        (["ASp+LF@5,4"], False),
        (["ASp@5,4", "LI@5,6"], True),
        (["LF@5,4", "LM@4,6"], True),
        (["SSp@5,4", "LM@6,6"], True),
        (["ASp@5,4", "ASp@5,3"], False),
        (["ASp@5,4", "ASp@5,6", "ASp@4,6"], True),
    ],
)
def test_support(friends: list[str], supported: bool) -> None:
    # BT-MORALE-03: one flag if friends, units or lone leaders, stand in two adjacent hexes or more
    assert ignored(2, Board().bottom("ASp@5,5", *friends)) == ({"0", "1"} if supported else {"0"})


def test_enemies_are_no_support_but_a_bodyguard_is() -> None:
    # BT-MORALE-03, BT-R-09
    assert ignored(2, Board().top("ASp@5,4", "ASp@5,6").bottom("ASp@5,5")) == {"0"}
    board = Board(tents={"bottom": "5,6"}).bottom("ASp@5,5", "AC+BG@5,6", "ASp@5,4")
    assert ignored(2, board) == {"0", "1"}


@pytest.mark.parametrize(
    ("unit", "number"),
    [
        ("ASp+LF", 1),
        ("LI+LM", 1),
        ("SSp", 1),
        ("SB", 1),
        ("SSpC", 1),
        ("SBC", 1),
        ("SSp+LF", 2),
        ("SSpC+LM", 2),
    ]
    + [("ASp", 0), ("AB", 0), ("AA", 0), ("LI", 0)],
)
def test_leaders_and_samurai(unit: str, number: int) -> None:
    # BT-MORALE-04, BT-MORALE-05
    assert ignored(3, Board().bottom(f"{unit}@5,5")) == {str(flags) for flags in range(number + 1)}


@pytest.mark.parametrize(("unit", "number"), [("ASp", 1), ("LI", 1), ("SSpC", 2)])
def test_bridges(unit: str, number: int) -> None:
    # BT-MORALE-06
    board = Board(terrain={"5,5": "BRIDGE"}).bottom(f"{unit}@5,5")
    assert ignored(3, board) == {str(flags) for flags in range(number + 1)}


@pytest.mark.parametrize(
    ("terrain", "unit", "attacker", "number"),
    [
        ("FENCE", "ASp", "SSpC", 1),
        ("FENCE", "ASp", "SSp", 0),
        ("FENCE", "SSpC", "SSpC", 1),  # as samurai
        ("PALISADE", "ASp", "SSp", 1),
        ("PALISADE", "ASp", "SSpC", 1),
        ("PALISADE", "SSpC", "SSp", 1),  # as samurai
        ("PALISADE", "SSp", "SSp", 2),
    ],
)
def test_fences_and_palisades(terrain: str, unit: str, attacker: str, number: int) -> None:
    # BT-MORALE-07: for infantry; two dice are rolled
    board = Board(terrain={"5,5": terrain}).top(f"{attacker}@4,5").bottom(f"{unit}@5,5")
    play = board.fight("4,5", "5,5", "FF")
    allowed = {str(flags) for flags in range(number + 1)}
    assert (play.choices if play.question == "ignore_flags" else {"0"}) == allowed


def test_in_a_castle_one_flag_is_ignored_by_itself() -> None:
    # BT-MORALE-07: at least one; cavalry has nothing of it
    castle = {"5,5": "CASTLE"}
    play = Board(terrain=castle).top("SSp@4,5").bottom("SSp@5,5").fight("4,5", "5,5", "FF")
    assert play.choices == {"1", "2"}
    play = Board(terrain=castle).top("SSp@4,5").bottom("ASp@5,5").fight("4,5", "5,5", "FF")
    assert (play.events("flags")[0]["ignored"], play.at("5,5")) == (1, "bottom ASp:3")
    play = Board(terrain=castle).top("SSp@4,5").bottom("SSpC@5,5").fight("4,5", "5,5", "FF")
    assert play.choices == {"0", "1"}


def test_a_fence_helps_against_every_roll_of_cavalry() -> None:
    # BT-MORALE-07: a shot, a battle back and a first strike
    shot = Board(terrain={"5,5": "FENCE"}).top("SBC@3,5").bottom("ASp@5,5").fight("3,5", "5,5", "FF")
    assert shot.choices == {"0", "1"}
    behind = (
        Board(terrain={"4,5": "FENCE"}).top("ASp@4,5").bottom("SSpC@5,5").hand("bottom", "C-FIRST", "C-ADV-C")
    )
    assert behind.fight("4,5", "5,5", "CC", "FF").do("4,5").quiet().choices == {"0", "1"}
    play = behind.play("FF").command("C-ADV-C").order("4,5").declare("4,5", "5,5").do("C-FIRST").quiet()
    assert (play.asked, play.choices) == ("top", {"0", "1"})


def test_cards_that_forbid_ignoring() -> None:
    # BT-MORALE-08: Panic for the turn, Cowards for the roll
    for card in ("D-26", "D-14"):
        board = Board().top("SSp@4,5").bottom("SSp+LF@5,5").dragons("top", card)
        play = board.play("FFCC").command("C-ADV-C", *([card] if card == "D-26" else [])).order("4,5")
        play.declare("4,5", "5,5").do(*([card] if card == "D-14" else [])).quiet()
        assert (play.question, play.choices) == ("retreat", {"7,4", "7,5", "7,6"})


def test_cards_that_allow_all() -> None:
    # BT-MORALE-08: Followers of Bishamon for the turn, Courage for the roll; the owner still chooses
    for card in ("D-20", "D-15"):
        board = Board().top("SSp@4,5").bottom("ASp@5,5").dragons("bottom", card)
        play = board.play("FFFF").command("C-ADV-C", *([card] if card == "D-20" else [])).order("4,5")
        play.declare("4,5", "5,5").do(*([card] if card == "D-15" else [])).quiet()
        assert play.choices == {"0", "1", "2", "3", "4"}


def test_a_bodyguard_ignores_all() -> None:
    # BT-MORALE-09: it is not asked, whatever the enemy plays
    board = Board(tents={"bottom": "5,5"}).top("SSp@4,5").bottom("AC+BG@5,5").dragons("top", "D-26")
    play = board.play("FFFF").command("C-ADV-C", "D-26").order("4,5").attack("4,5", "5,5")
    assert (play.at("5,5"), play.question, play.honor["bottom"]) == ("bottom BG:4+AC", "battle_back", 5)
    assert play.events("flags")[0]["ignored"] == 4
