"""Honor: where it comes from and where it goes (HONOR)."""

import pytest

from rules.battles.board import HAND, Board, Play, drawn


def melee(board: Board, *script: str) -> Play:
    """A unit in 4,5 attacks its neighbour in 5,5."""
    return board.fight("4,5", "5,5", *script)


@pytest.mark.parametrize(("top", "bottom", "gained"), [(5, 5, 3), (14, 14, 2), (10, 19, 1), (25, 5, 0)])
def test_the_pool_limits_gains(top: int, bottom: int, gained: int) -> None:
    # BT-HONOR-01
    play = melee(Board().top("SSp@4,5").bottom("SSp@5,5").honor(top=top, bottom=bottom), "HHHC")
    assert play.honor == {"top": top + gained, "bottom": bottom}
    assert play.state["pool"] == 30 - top - bottom - gained


def test_missing_gains_are_not_owed() -> None:
    # BT-HONOR-01: the pool was empty when honor was due; a retreat of the same roll fills it too late
    board = Board().top("SSp@4,5").bottom("ASp@5,5").honor(top=20, bottom=10)
    play = melee(board, "HHFC").do("6,5")
    assert (play.honor, play.state["pool"]) == ({"top": 20, "bottom": 9}, 1)


def test_gains_at_the_end_of_the_turn() -> None:
    # BT-HONOR-02: 2 for the choice, 1 for a dragon card
    play = Board().top("SSp@4,5").dragons("top", "D-15").play().command("C-ADV-C").until("replenish")
    assert play.do("take_honor").honor["top"] == 7
    assert (play.question, play.do("D-15").honor["top"]) == ("discard_for_honor", 8)


def test_gains_of_shogun_and_of_dragon_cards() -> None:
    # BT-HONOR-02: 1 for each face of Shogun, 2 for each of Tea Ceremony; 5 for seppuku (test_seppuku)
    board = Board().top("SSp@4,5").hand("top", "C-SHOGUN", *HAND[:3]).dragons("top", "D-33")
    play = board.play("HHCC", "HCCX").command("C-SHOGUN", "D-33").quiet()
    assert (play.rolls("tea_ceremony", "shogun"), play.honor["top"]) == (["HHCC", "HCCX"], 5 + 4 + 1)


def test_other_honor_faces_are_nothing() -> None:
    # BT-HONOR-03: a die of Ninja Assassin, dice of lack of honor; checks of leaders (test_leader_loss)
    play = Board().top("SSp@4,5").bottom("LF@8,5").dragons("top", "D-03").play("H").command("C-ADV-C", "D-03")
    assert play.quiet().honor == {"top": 2, "bottom": 5}
    play = melee(Board().top("SSp@4,5").bottom("ASp@5,5").honor(bottom=0), "FCCC", "HHHHH").do("6,5")
    assert play.honor == {"top": 5, "bottom": 0}


def test_payments() -> None:
    # BT-HONOR-04: for inspiring into the pool at once; for a dragon card when the turn is over
    board = Board().top("SSp+LF@4,5").bottom("SSp@5,5").dragons("top", "D-06")
    play = board.play("CCCCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5").do("yes")
    assert (play.honor["top"], play.state["pool"], play.state["tokens"]) == (4, 21, 0)
    play.do("D-06").quiet()
    assert (play.honor["top"], play.state["pool"], play.state["tokens"]) == (1, 21, 3)
    play.end_turn()
    assert (play.honor["top"], play.state["pool"], play.state["tokens"]) == (3, 22, 0)


def test_losses_go_to_the_pool_at_once() -> None:
    # BT-HONOR-05
    play = melee(Board().top("SSp@4,5").bottom("ASp@5,5"), "FCCC").do("6,5")
    assert (play.honor["bottom"], play.state["pool"], play.question) == (4, 21, "take_ground")


@pytest.mark.parametrize(
    ("unit", "flags", "to", "paid"),
    [
        ("ASp", 1, "6,5", 1),
        ("ASp", 3, "8,5", 3),
        ("AB", 2, "7,5", 2),
        ("AA", 1, "6,5", 1),
        ("SSp", 1, "6,5", 2),
        ("SB", 2, "7,5", 4),
        ("SSpC", 3, "8,5", 6),
        ("SBC", 1, "6,5", 2),
        ("LI", 1, "7,5", 2),
        ("LI", 2, "9,5", 2),
        ("ASp+LF", 1, "6,5", 2),
        ("ASp+LF", 2, "7,5", 4),
        ("SSp+LM", 2, "7,5", 6),
        ("SSpC+LM", 1, "6,5", 3),
        ("LI+LF", 1, "7,5", 4),
        ("LI+LF", 2, "9,5", 6),
    ],
)
def test_a_retreat_costs_honor(unit: str, flags: int, to: str, paid: int) -> None:
    # BT-HONOR-06, BT-HONOR-07: 2 a hex for squares, 2 in all for levies, 1 for others; 1 a hex for leaders
    board = Board().top("SSp@4,5").bottom(f"{unit}@5,5").honor(bottom=10)
    play = melee(board, "F" * flags + "H" * (4 - flags))
    if play.question == "ignore_flags":
        play.ignore(0)
    assert play.do(to).honor["bottom"] == 10 - paid


@pytest.mark.parametrize(("unit", "left", "paid"), [("LI", "LI:3", 2), ("LI+LF", "LI:3+LF", 3)])
def test_levies_that_make_one_hex_of_two(unit: str, left: str, paid: int) -> None:
    # BT-HONOR-06, BT-HONOR-07, BT-R-41: 2 as soon as they moved, 1 for the leader's hex, a block for the rest
    board = Board(terrain=dict.fromkeys(["7,4", "7,5", "7,6"], "RIVER")).top("SSp@4,5").bottom(f"{unit}@5,5")
    play = melee(board, "FTTT")
    if play.question == "ignore_flags":
        play.ignore(0)
    play.do("6,5")
    assert (play.at("6,5"), play.honor["bottom"]) == (f"bottom {left}", 5 - paid)


@pytest.mark.parametrize(
    ("unit", "flags", "left"), [("ASp", 2, 2), ("SSp", 1, 3), ("LI", 1, 2), ("ASp+LF", 1, 3)]
)
def test_a_unit_that_stays_pays_nothing(unit: str, flags: int, left: int) -> None:
    # BT-HONOR-08
    board = (
        Board(terrain={"6,5": "RIVER", "6,6": "RIVER"}).top("SSp@4,5").bottom(f"{unit}@5,5").honor(bottom=0)
    )
    play = melee(board, "F" * flags + "H" * (4 - flags))
    if play.question == "ignore_flags":
        play.ignore(0)
    kind, _, leader = unit.partition("+")
    assert (play.at("5,5"), play.question) == (f"bottom {kind}:{left}{leader and '+LF'}", "battle_back")
    assert play.rolls("lack_of_honor") == []


def test_a_leader_joined_at_the_end_costs_nothing() -> None:
    # BT-R-43
    play = melee(Board().top("SSp@4,5").bottom("ASp@5,5", "LF@6,5"), "FCCC").do("6,5")
    assert (play.at("6,5"), play.honor["bottom"]) == ("bottom ASp:4+LF", 4)


def test_a_leader_who_leaves_costs_three() -> None:
    # BT-HONOR-09, BT-R-12: what there is, and no dice for the rest; retreats of leaders (test_retreat)
    for honor, left in ((5, 2), (3, 0), (1, 0)):
        board = Board().top("LF@0,5", "ASp@1,5").honor(top=honor)
        play = board.play().command("C-ADV-C").order("0,5").move("0,5", "leave")
        assert (play.at("0,5"), play.honor["top"], play.rolls()) == (None, left, [])


@pytest.mark.parametrize(("honor", "script"), [(2, []), (1, ["FFFFF"]), (0, ["FFFFFF"])])
def test_a_loss_beyond_the_reserve_is_diced_for(honor: int, script: list[str]) -> None:
    # BT-HONOR-10: of a retreat, and of a dragon card, Timid Success
    board = Board().top("SSp@4,5").bottom("SSp@5,5").honor(bottom=honor)
    play = melee(board, "FCCC", *script).ignore(0).do("6,5")
    assert (play.rolls("lack_of_honor"), play.honor["bottom"]) == (script, 0)
    board = Board().top("SSp@4,5").bottom("ASp:1@5,5").honor(top=honor).dragons("bottom", "D-34")
    play = melee(board, "TCCC", *script).do("4,5", "D-34").quiet()
    assert (play.rolls("lack_of_honor"), play.honor["top"]) == (script, 0)


def test_reserves_are_public() -> None:
    # BT-HONOR-11
    match = Board().top("SSp@4,5").bottom("SSp@5,5").honor(top=7, bottom=3).match()
    assert match.view(0)["honor"] == match.view(1)["honor"] == {"top": 7, "bottom": 3}


def seppuku(board: Board, seed: int = 1) -> Play:
    """Four dice, then a leader of the bottom army commits seppuku."""
    play = board.top("SSp@4,5").bottom("LF@5,5").play("CCCC", seed=seed).command("C-ADV-C")
    return play.order("4,5").attack("4,5", "5,5").do("seppuku")


def test_a_card_lost_at_random() -> None:
    # BT-HONOR-12: any card of the hand, by a draw after the four dice; it lies face up on the discards
    lost = set()
    for seed in range(1, 21):
        play = seppuku(Board(), seed)
        card = HAND[drawn(4, len(HAND), seed)]
        assert [event["card"] for event in play.events("command_lost")] == [card]
        assert play.match.view(0)["command"]["discards"] == [card]
        assert play.hand("bottom") == [other for other in HAND if other != card]
        lost.add(card)
    assert lost == set(HAND)


def test_nothing_is_lost_of_an_empty_hand() -> None:
    # BT-HONOR-12
    play = seppuku(Board().hand("bottom"))
    assert (play.events("command_lost"), play.hand("bottom"), play.honor["bottom"]) == ([], [], 10)


def test_a_lost_card_is_never_replaced() -> None:
    # BT-R-44, BT-HONOR-12: one card is played and one drawn, by either side, in every turn that follows
    play = seppuku(Board().bottom("ASp@9,5"))
    for _ in range(4):
        play.until("replenish").end_turn()
        assert (len(play.hand("top")), len(play.hand("bottom"))) == (5, 4)
        play.do(play.hand(play.asked or "")[0])
