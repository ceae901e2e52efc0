"""Battling back (BATTLEBACK)."""

import pytest

from rules.battles.board import Board


def test_a_survivor_in_its_hex_may_battle_back() -> None:
    # DP-28, BT-BATTLEBACK-01: its owner's choice
    board = Board().top("ASp@4,5").bottom("SSp:2@5,5")
    play = board.fight("4,5", "5,5", "SCC")
    assert (play.asked, play.question, play.choices) == ("bottom", "battle_back", {"4,5", "pass"})
    assert play.do("pass").question == "replenish"
    play = board.fight("4,5", "5,5", "SCC", "TTCC").do("4,5").quiet()
    assert (play.at("4,5"), play.question) == ("top ASp:2", "replenish")


def test_an_eliminated_unit_does_not() -> None:
    # BT-BATTLEBACK-01
    assert Board().top("ASp@4,5").bottom("SSp:1@5,5").fight("4,5", "5,5", "SCC").question == "take_ground"


@pytest.mark.parametrize(
    ("own", "other", "dice"),
    [
        ("OPEN", "OPEN", 4),
        ("OPEN", "HILL", 2),
        ("HILL", "OPEN", 3),
        ("FOREST", "OPEN", 2),
        ("HILL", "GORGE", 2),
    ],
)
def test_caps_are_those_of_the_unit_battling_back(own: str, other: str, dice: int) -> None:
    # BT-BATTLEBACK-02: the attacker, in `other`, rolled by caps of its own
    board = Board(terrain={"4,5": other, "5,5": own}).top("AA@4,5").bottom("SSp@5,5")
    first = "T" * (1 if other == "GORGE" else 2)
    play = board.fight("4,5", "5,5", first, "T" * dice).do("4,5").quiet()
    assert play.rolls() == [first, "T" * dice]


def test_it_is_a_melee_with_roles_swapped() -> None:
    # BT-BATTLEBACK-02: inspired, with windows for both sides, hits, honor, a leader check and flags
    board = Board().top("ASp+LF@4,5").bottom("SSp+LF@5,5").dragons("top", "D-15").dragons("bottom", "D-06")
    play = board.play("CCC", "TXHHF", "C").command("C-ADV-C").order("4,5").attack("4,5", "5,5").do("4,5")
    seen = []
    while play.question in ("inspire", "window"):
        seen.append((play.asked, play.window or play.question))
        play.do("yes" if play.question == "inspire" else "pass")
    assert seen == [
        ("bottom", "inspire"),
        ("bottom", "W-PRE-R"),
        ("top", "W-PRE-O"),
        ("bottom", "W-POST-R"),
        ("top", "W-POST-O"),
    ]
    assert (play.at("4,5"), play.honor["bottom"]) == ("top ASp:2+LF", 5 - 1 + 1)
    assert (play.asked, play.question) == ("top", "ignore_flags")
    assert play.ignore(0).do("3,4").at("3,4") == "top ASp:2+LF"
    assert play.question == "replenish"


def test_swords_are_ignored_by_the_attacker_now() -> None:
    # BT-BATTLEBACK-02
    play = Board().top("SSp@4,5").bottom("ASp@5,5").fight("4,5", "5,5", "CCCC", "XXC").do("4,5").quiet()
    assert play.at("4,5") == "top SSp:3"


def test_a_unit_that_left_its_hex_does_not_battle_back() -> None:
    # BT-BATTLEBACK-03: it retreats past the attacker behind it and is still its neighbour
    play = Board().top("SSp@6,5").bottom("ASp@5,5").fight("6,5", "5,5", "FCCC")
    assert (play.at("6,6"), play.question) == ("bottom ASp:4", "take_ground")


def test_a_unit_that_could_not_retreat_battles_back() -> None:
    # BT-BATTLEBACK-03
    board = Board(terrain={"6,5": "RIVER", "6,6": "RIVER"}).top("SSp@4,5").bottom("ASp:2@5,5")
    play = board.fight("4,5", "5,5", "FCCC", "SCC")
    assert (play.at("5,5"), play.question) == ("bottom ASp:1", "battle_back")
    assert play.do("4,5").quiet().at("4,5") == "top SSp:3"


@pytest.mark.parametrize("faces", ["CCTT", "TTTF"])
def test_the_combat_ends_with_the_battle_back(faces: str) -> None:
    # BT-BATTLEBACK-04: the attacker's hex is empty, but cavalry with a leader stays where it is
    board = Board().top("LI:2@4,5", "LI@4,6").bottom("SSpC+LM@5,5")
    play = board.play("TT", faces).command("C-ADV-C").order("4,5").attack("4,5", "5,5").do("4,5").quiet()
    if play.question == "retreat":
        play.do(next(iter(play.choices)))
    assert (play.at("4,5"), play.at("5,5")) == (None, "bottom SSpC:4+LM")
    assert play.question == "replenish"


@pytest.mark.parametrize("card", ["C-CAVALRY", "C-SHOGUN"])
def test_dice_of_the_command_card_are_the_attackers(card: str) -> None:
    # BT-BATTLEBACK-05: both are cavalry, only one rolls five dice
    board = Board().top("SSpC@4,5").bottom("SSpC@5,5").hand("top", card, "C-ADV-C")
    shogun = ["SX"] if card == "C-SHOGUN" else []
    play = (
        board.play(*shogun, "CCCCC", "CCCC").command(card).order("4,5").attack("4,5", "5,5").do("4,5").quiet()
    )
    assert play.rolls("melee", "battle_back") == ["CCCCC", "CCCC"]


@pytest.mark.parametrize("castle", ["4,5", "5,5"])
def test_cavalry_does_not_battle_back_from_a_castle_or_against_one(castle: str) -> None:
    # BT-BATTLEBACK-06
    for unit, question in (("SSpC", "replenish"), ("ASp", "battle_back")):
        board = Board(terrain={castle: "CASTLE"}).top("LI@4,5").bottom(f"{unit}@5,5")
        assert board.fight("4,5", "5,5", "HH").question == question


@pytest.mark.parametrize(("card", "dice"), [("C-FIRST", 3), ("D-07", 4)])
def test_a_unit_that_struck_first_does_not_battle_back(card: str, dice: int) -> None:
    # BT-BATTLEBACK-07
    board = (
        Board()
        .top("SSp@4,5")
        .bottom("ASp@5,5")
        .hand("bottom", "C-FIRST", "C-ADV-C")
        .dragons("bottom", "D-07")
    )
    play = board.play("C" * dice, "TCCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    assert play.do(card).quiet().at("5,5") == "bottom ASp:3"
    assert (play.rolls(), play.question) == (["C" * dice, "TCCC"], "replenish")
