"""Taking ground and bonus melees (MOMENTUM)."""

import pytest

from rules.battles.board import Board, Play


def won(attacker: str, *enemies: str, board: Board | None = None, script: tuple[str, ...] = ()) -> Play:
    """A unit in 4,5 eliminates spears in 5,5."""
    board = (board or Board()).top(f"{attacker}@4,5").bottom("ASp:1@5,5", *enemies)
    dice = {"SSp": 4, "SSpC": 4, "ASp": 3, "SB": 3, "SBC": 3}.get(attacker.partition("+")[0], 2)
    return board.fight("4,5", "5,5", "T" + "H" * (dice - 1), *script)


def test_the_attacker_may_take_ground() -> None:
    # BT-MOMENTUM-01: its leader goes along; or both stay
    play = won("SSp+LF")
    assert (play.asked, play.question, play.choices) == ("top", "take_ground", {"4,5", "pass"})
    play.do("4,5")
    assert (play.at("4,5"), play.at("5,5")) == (None, "top SSp:4+LF")
    play = won("SSp+LF").do("pass")
    assert (play.at("4,5"), play.at("5,5"), play.question) == ("top SSp:4+LF", None, "replenish")


def test_an_enemy_that_left_its_hex() -> None:
    # BT-MOMENTUM-01, BT-LEADERS-24: a unit that retreated; a leader who fell, retreated or committed seppuku
    board = Board().top("SSp@4,5").bottom("ASp@5,5")
    assert board.fight("4,5", "5,5", "FCCC").do("6,5").question == "take_ground"
    board = Board().top("SSp@4,5").bottom("LF@5,5")
    assert board.fight("4,5", "5,5", "XCCC").question == "take_ground"
    assert board.fight("4,5", "5,5", "CCCC").do("6,5").question == "take_ground"
    assert board.fight("4,5", "5,5", "CCCC").do("seppuku").quiet().question == "take_ground"


def test_a_hex_that_is_not_empty_is_not_taken() -> None:
    # BT-MOMENTUM-01, BT-R-40: the leader of the unit that could not retreat is still there
    board = Board(terrain={"6,5": "RIVER", "6,6": "RIVER"}).top("SSpC@4,5").bottom("ASp:1+LF@5,5", "LI@5,4")
    play = board.fight("4,5", "5,5", "FCCC").ignore(0)
    assert (play.at("5,5"), play.question) == ("bottom LF", "replenish")


def test_a_unit_that_battles_back_or_strikes_first_does_not_take_ground() -> None:
    # BT-MOMENTUM-02
    back = Board().top("ASp:1@4,5").bottom("SSpC@5,5").fight("4,5", "5,5", "CCC", "TCCC").do("4,5").quiet()
    assert (back.at("4,5"), back.question) == (None, "replenish")
    for card, dice in (("C-FIRST", "TCCC"), ("D-07", "TCCCC")):
        board = (
            Board()
            .top("ASp:1@4,5")
            .bottom("SSpC@5,5")
            .hand("bottom", "C-FIRST", "C-ADV-C")
            .dragons("bottom", "D-07")
        )
        play = board.play(dice).command("C-ADV-C").order("4,5").declare("4,5", "5,5").do(card).quiet()
        assert (play.at("4,5"), play.question) == (None, "replenish")


def test_a_bodyguard_does_not_take_ground() -> None:
    # BT-MOMENTUM-02
    board = Board(tents={"top": "4,5"}).top("AC+BG@4,5").bottom("ASp:1@5,5", "LI@6,5")
    play = board.fight("4,5", "5,5", "TCCC")
    assert (play.at("5,5"), play.at("4,5"), play.question) == (None, "top BG:4+AC", "replenish")


def test_windows_of_a_success() -> None:
    # BT-MOMENTUM-03: the winner's before the choice, the enemy's when ground is about to be taken
    board = Board().dragons("top", "D-19").dragons("bottom", "D-34").top("SSp@4,5").bottom("ASp:1@5,5")
    play = board.play("TCCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5").until("W-SUCCESS-A")
    assert (play.asked, play.choices, play.at("5,5")) == ("top", {"D-19", "pass"}, None)
    play.do("pass")
    assert play.question == "take_ground"
    play.do("4,5")
    assert (play.asked, play.window, play.choices) == ("bottom", "W-GROUND-D", {"D-34", "pass"})
    assert play.at("5,5") is None
    assert play.do("pass").at("5,5") == "top SSp:4"


def test_no_window_for_ground_that_is_left() -> None:
    # BT-MOMENTUM-03
    play = won("SSp", board=Board().dragons("bottom", "D-34")).do("pass")
    assert play.question == "replenish"


@pytest.mark.parametrize(
    ("attacker", "bonus"),
    [("SSpC", True), ("SBC", True), ("SSp+LF", True), ("LI+LM", True), ("AB+LF", True)]
    + [("SSp", False), ("ASp", False), ("SB", False)],
)
def test_who_makes_a_bonus_melee(attacker: str, bonus: bool) -> None:
    # BT-MOMENTUM-04: cavalry, and infantry with a leader, against any adjacent enemy
    play = won(attacker, "LI@6,5", "LF@5,4", "LI@7,5").do("4,5")
    if bonus:
        assert (play.question, play.choices) == ("bonus_melee", {"6,5", "5,4", "pass"})
        play.do("pass")
    assert play.question == "replenish"


def test_without_ground_there_is_no_bonus() -> None:
    # BT-MOMENTUM-04: though an enemy is next to it
    assert won("SSpC+LM", "LI@5,4").do("pass").question == "replenish"


def test_bows_do_not_shoot_in_a_bonus_melee() -> None:
    # BT-MOMENTUM-04: enemies two hexes away are no target
    assert won("SBC", "LI@7,5").do("4,5").question == "replenish"


@pytest.mark.parametrize(
    ("terrain", "attacker", "bonus"),
    [
        ("OPEN", "SSp+LF", True),
        ("FOREST", "SSp+LF", True),
        ("FORD", "SSpC", True),
        ("HILL", "SSpC", True),
        ("BUILDINGS", "SSp+LF", False),
        ("BUILDINGS", "SSpC", False),
        ("GORGE", "SSp+LF", False),
        ("CASTLE", "SSp+LF", False),
        ("FENCE", "SSp+LF", True),
        ("FENCE", "SSpC", False),
        ("PALISADE", "SSp+LF", True),
        ("PALISADE", "SSpC", False),
    ],
)
def test_terrain_that_forbids_the_bonus(terrain: str, attacker: str, bonus: bool) -> None:
    # BT-MOMENTUM-05
    dice = {"FOREST": 2, "OPEN": 4}.get(terrain, 2)
    board = Board(terrain={"5,5": terrain}).top(f"{attacker}@4,5").bottom("ASp:1@5,5", "LI@6,5")
    play = board.fight("4,5", "5,5", "T" + "H" * (dice - 1)).do("4,5")
    assert (play.at("5,5") or "").startswith("top")
    assert play.question == ("bonus_melee" if bonus else "replenish")


def test_a_bonus_melee_is_a_melee() -> None:
    # BT-MOMENTUM-06: caps (2 into the forest), inspiring, cards of both sides, and a battle back
    board = Board(terrain={"6,5": "FOREST"}).dragons("top", "D-06").dragons("bottom", "D-15")
    play = won("SSp+LF", "ASp@6,5", board=board, script=("THH", "CC")).do("4,5", "6,5")
    seen = []
    while play.question in ("window", "inspire"):
        seen.append((play.asked, play.window or play.question))
        play.do("yes" if play.question == "inspire" else "pass")
    assert seen == [
        ("bottom", "W-FIRST"),
        ("top", "inspire"),
        ("top", "W-PRE-R"),
        ("bottom", "W-PRE-O"),
        ("top", "W-POST-R"),
    ]
    assert (play.question, play.choices, play.at("6,5")) == ("battle_back", {"5,5", "pass"}, "bottom ASp:3")
    play.do("5,5").quiet()
    assert play.rolls("melee", "battle_back") == ["THHH", "THH", "CC"]
    assert [event["bonus"] for event in play.events("attack")] == [False, True]


def test_after_a_bonus_melee_ground_but_no_more_battle() -> None:
    # BT-MOMENTUM-07: another enemy is next to it, but only Legendary Combat goes on
    play = won("SSpC", "ASp:1@6,5", "LI@7,5", script=("THHH",)).do("4,5", "6,5").quiet()
    assert (play.question, play.choices) == ("take_ground", {"5,5", "pass"})
    play.do("5,5")
    assert (play.at("6,5"), play.question) == ("top SSpC:4", "replenish")


def test_legendary_combat_goes_on() -> None:
    # BT-MOMENTUM-07, BT-DRAGON-28
    board = Board().dragons("top", "D-19")
    play = won("SSpC", "ASp:1@6,5", "LI@7,5", board=board, script=("THHH", "CHHH")).do(
        "4,5", "6,5", "D-19", "5,5"
    )
    assert (play.question, play.choices) == ("bonus_melee", {"7,5", "pass"})
    assert play.do("7,5").quiet().at("7,5") == "bottom LI:3"


def test_all_of_it_before_another_unit_battles() -> None:
    # BT-MOMENTUM-08: then the unit of 4,6 is next
    board = Board().top("SSpC@4,5", "ASp@4,6").bottom("ASp:1@5,5", "ASp@6,5", "LI@5,6")
    play = board.play("TCCC", "CCCC", "CCC").command("C-ADV-C").order("4,5", "4,6").attack("4,5", "5,5")
    questions = []
    for answer in ("4,5", "6,5", "5,5", "4,6"):
        questions.append(play.quiet().question)
        play.do(answer)
    assert questions == ["take_ground", "bonus_melee", "battle_back", "battle"]


def test_bonus_dice_of_the_turn_count_in_the_bonus_melee() -> None:
    # BT-R-49: five dice under Cavalry Charge, twice
    board = Board().top("SSpC@4,5").bottom("ASp:1@5,5", "LI@6,5").hand("top", "C-CAVALRY", "C-ADV-C")
    play = (
        board.play("TCCCC", "TTTTT")
        .command("C-CAVALRY")
        .order("4,5")
        .attack("4,5", "5,5")
        .do("4,5", "6,5")
        .quiet()
    )
    assert play.rolls() == ["TCCCC", "TTTTT"]


def test_a_defender_who_disappears_before_the_dice_is_no_success() -> None:
    # BT-R-50: 7 dice, with 2 for the challenger, against 6, with 1 for the status of the commander
    board = (
        Board(tents={"bottom": "5,5"}).top("SSp+LF@4,5").bottom("AC+BG@5,5", "LI@5,4").dragons("top", "D-22")
    )
    play = (
        board.play("XCCCCCC", "CCCCCC")
        .command("C-ADV-C")
        .order("4,5")
        .declare("4,5", "5,5")
        .do("D-22")
        .quiet()
    )
    assert (play.at("5,5"), play.banners["top"], play.rolls("melee")) == (None, 0, [])
    assert (play.at("4,5"), play.question) == ("top SSp:4+LF", "replenish")


def test_an_attacker_who_disappears_does_not_roll() -> None:
    # BT-R-50
    board = Board(tents={"top": "4,5"}).top("AC+BG@4,5").bottom("SSp+LF@5,5").dragons("bottom", "D-22")
    play = (
        board.play("CCCCCC", "XCCCCCC")
        .command("C-ADV-C")
        .order("4,5")
        .declare("4,5", "5,5")
        .do("D-22")
        .quiet()
    )
    assert (play.at("4,5"), play.rolls("melee"), play.question) == (None, [], "replenish")
