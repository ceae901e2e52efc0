"""Inspiring units (INSPIRE)."""

import pytest

from rules.battles.board import Board, Play


def declared(board: Board, *script: str) -> Play:
    """The unit in 4,5 attacks 5,5; whether it is inspired is asked next, or nothing more."""
    play = board.play(*script).command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    while play.question == "window":
        play.do("pass")
    return play


@pytest.mark.parametrize(
    ("pieces", "inspired"),
    [
        (["ASp+LF@4,5"], True),
        (["SSpC+LM@4,5"], True),
        (["ASp+LF*@4,5"], True),
        (["ASp@4,5", "LM@3,5"], True),
        (["SSpC@4,5", "LM@3,5"], True),
        (["ASp@4,5", "ASp+LM@4,4"], True),
        (["ASp@4,5", "LF@3,5"], False),
        (["ASp@4,5", "LF*@3,5"], False),
        (["ASp@4,5", "ASp+LF@4,4"], False),
        (["ASp@4,5", "LM@2,5"], False),
        (["ASp@4,5"], False),
    ],
)
def test_who_inspires(pieces: list[str], inspired: bool) -> None:
    # BT-INSPIRE-01: a leader with the unit, or a mounted one next to it
    dice = {"A": 3, "S": 4}[pieces[0][0]] + inspired
    play = declared(Board().top(*pieces).bottom("LI@5,5"), "T" * dice)
    assert (play.question == "inspire") == inspired
    if inspired:
        pool = play.state["pool"]
        assert (play.asked, play.choices) == ("top", {"yes", "pass"})
        play.do("yes").quiet()
        assert (play.honor["top"], play.state["pool"]) == (4, pool + 1)
    assert play.rolls() == ["T" * dice]


@pytest.mark.parametrize("unit", ["ASp", "SSpC"])
def test_the_commander_in_his_tent_inspires_his_neighbours(unit: str) -> None:
    # BT-INSPIRE-01, BT-ARMY-COMMANDER-11
    board = Board(tents={"top": "3,5"}).top(f"{unit}@4,5", "AC+BG@3,5").bottom("LI@5,5")
    assert declared(board, "TTTTT" if unit == "SSpC" else "TTTT").do("yes").quiet().honor["top"] == 4


def test_inspiring_is_optional() -> None:
    # BT-INSPIRE-01
    play = declared(Board().top("ASp+LF@4,5").bottom("LI@5,5"), "TTT").do("pass").quiet()
    assert (play.rolls(), play.honor["top"]) == (["TTT"], 5)


def test_once_for_a_roll() -> None:
    # BT-INSPIRE-02: although two leaders could
    play = declared(Board().top("ASp+LF@4,5", "LM@3,5").bottom("LI@5,5"), "TTTT").do("yes").quiet()
    assert (play.rolls(), play.honor["top"], play.question) == (["TTTT"], 4, "battle_back")


def test_a_leader_without_order_inspires_any_number_of_units() -> None:
    # BT-INSPIRE-03
    board = Board().top("ASp@4,5", "ASp@4,6", "LM@3,5").bottom("LI@5,5").hand("bottom", "C-ADV-L", "C-ADV-C")
    play = board.play("TTTT", "TTTT").command("C-ADV-C").order("4,5", "4,6")
    play.declare("4,5", "5,5").do("yes").quiet().do("pass").declare("4,6", "5,5").do("yes").quiet()
    assert (play.rolls(), play.honor["top"], play.ordered) == (["TTTT", "TTTT"], 3, {"4,5", "4,6"})


def test_every_kind_of_melee_roll_can_be_inspired() -> None:
    # BT-INSPIRE-04: first strike, attack, bonus melee and battle back; shots are not (test_ranged)
    board = (
        Board().top("SSp+LF@4,5").bottom("ASp:1+LF@5,5", "ASp+LF@6,5").hand("bottom", "C-FIRST", "C-ADV-C")
    )
    script = ("CCCC", "TCCCC", "C", "CCCCC", "CCCC")
    play = (
        board.play(*script).command("C-ADV-C").order("4,5").declare("4,5", "5,5").do("C-FIRST", "yes", "yes")
    )
    play.quiet().do("8,5", "4,5", "6,5", "yes").quiet().do("5,5", "yes").quiet()
    assert [(event["roll"], len(event["faces"])) for event in play.events("rolled")] == [
        ("first_strike", 4),
        ("melee", 5),
        ("leader_loss", 1),
        ("melee", 5),
        ("battle_back", 4),
    ]
    assert [event["why"] for event in play.events("honor")] == [
        "inspire",
        "inspire",
        "retreat",
        "inspire",
        "inspire",
    ]


def test_an_ambush_can_be_inspired() -> None:
    # BT-INSPIRE-04
    board = Board().top("SSp@4,5").bottom("ASp+LF@5,5").dragons("bottom", "D-07")
    play = (
        board.play("CCCCC", "CCCC")
        .command("C-ADV-C")
        .order("4,5")
        .declare("4,5", "5,5")
        .do("D-07", "yes")
        .quiet()
    )
    assert play.rolls("first_strike") == ["CCCCC"]


def test_nobody_is_inspired_in_buildings() -> None:
    # BT-INSPIRE-05: neither attacking nor battling back
    board = Board(terrain={"4,5": "BUILDINGS"}).top("ASp+LF@4,5").bottom("LI@5,5")
    assert declared(board, "TT").rolls() == ["TT"]
    board = Board(terrain={"5,5": "BUILDINGS"}).top("ASp@4,5").bottom("ASp+LF@5,5")
    play = declared(board, "CC", "CC").do("4,5")
    while play.question == "window":
        play.do("pass")
    assert play.rolls() == ["CC", "CC"]


def test_an_inspired_roll_collects_less() -> None:
    # BT-INSPIRE-06: also in a battle back
    board = Board().top("ASp@4,5").bottom("ASp+LF@5,5")
    play = declared(board, "CCC", "HHCC").do("4,5", "yes").quiet()
    assert play.honor["bottom"] == 5 - 1 + 1


def test_without_honor_nobody_is_inspired() -> None:
    # BT-INSPIRE-07: not asked, as everybody knows the reserve
    play = declared(Board().top("ASp+LF@4,5").bottom("LI@5,5").honor(top=0), "TTT")
    assert (play.rolls(), play.question) == (["TTT"], "battle_back")
    play = declared(Board().top("ASp+LF@4,5").bottom("LI@5,5").honor(top=1), "TTTT").do("yes").quiet()
    assert (play.rolls(), play.honor["top"]) == (["TTTT"], 0)
