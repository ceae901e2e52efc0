"""Levies that charge together (LEVY-CHARGE)."""

import pytest

from rules.battles.board import Board, Play


def charge(board: Board, *script: str) -> Play:
    """The levies in 4,5 and 4,6 declare a charge against 5,5."""
    play = board.play(*script).command("C-ADV-C").order("4,5", "4,6")
    return play.declare("4,5", "5,5", "4,6")


def test_who_may_join() -> None:
    # BT-LEVY-CHARGE-01: not 5,4 without an order, not the spears of 5,6, not 4,4 far from the enemy
    board = Board().top("LI@4,5", "LI@4,6", "LI@5,4", "ASp@5,6", "LI@4,4").bottom("SSp@5,5")
    play = board.play().command("C-ADV-C").order("4,5", "4,6", "5,6", "4,4").do("pass", "4,5")
    assert (play.question, play.choices) == ("charge", {"4,6", "pass"})


def test_spears_do_not_charge() -> None:
    # BT-LEVY-CHARGE-01
    board = Board().top("ASp@4,5", "LI@4,6").bottom("SSp@5,5")
    play = board.play("TTT").command("C-ADV-C").order("4,5", "4,6").do("pass", "4,5").quiet()
    assert play.rolls() == ["TTT"]


def test_any_of_them_may_charge() -> None:
    # BT-LEVY-CHARGE-01: two of three
    board = Board().top("LI@4,5", "LI@4,6", "LI@5,4").bottom("SSp@5,5")
    play = board.play("SSTT").command("C-ADV-C").order("4,5", "4,6", "5,4").attack("4,5", "5,5", "5,4")
    assert (play.rolls(), play.at("5,5")) == (["SSTT"], "bottom SSp:2")
    assert play.events("attack")[0]["from"] == ["4,5", "5,4"]
    assert play.do("pass").battlers() == {"4,6"}


def test_levies_that_have_battled_or_may_not_battle_do_not_join() -> None:
    # BT-LEVY-CHARGE-01: 4,6 has battled by itself, 5,4 is a village entered in this turn
    board = Board(terrain={"5,4": "BUILDINGS"}).top("LI@4,5", "LI@4,6", "LI@5,3").bottom("SSp@5,5")
    play = board.play("TT", "TT").command("C-ADV-C").order("4,5", "4,6", "5,3").move("5,3", "5,4")
    play.attack("4,6", "5,5").do("pass").attack("4,5", "5,5")
    assert [event["from"] for event in play.events("attack")] == [["4,6"], ["4,5"]]


def test_neighbours_are_counted_when_the_charge_is_declared() -> None:
    # BT-R-36: one comes to the enemy and one leaves it
    board = Board().top("LI@4,5", "LI@3,6", "LI@5,4").bottom("SSp@5,5")
    play = board.play().command("C-ADV-C").order("4,5", "3,6", "5,4")
    play.move("3,6", "4,6").move("5,4", "5,3").do("pass", "4,5")
    assert (play.question, play.choices) == ("charge", {"4,6", "pass"})


def test_a_lone_leader_is_not_charged() -> None:
    # BT-R-37
    board = Board().top("LI@4,5", "LI@4,6").bottom("LF@5,5")
    play = board.play("XC").command("C-ADV-C").order("4,5", "4,6").do("pass", "4,5")
    assert (play.rolls(), play.banners["top"]) == (["XC"], 1)


def test_a_bodyguard_is() -> None:
    # BT-R-37
    board = Board(tents={"bottom": "5,5"}).top("LI@4,5", "LI@4,6").bottom("AC+BG@5,5")
    assert charge(board, "XXXC", "CC").quiet().at("5,5") == "bottom BG:1+AC"


def test_dice_are_added_up_and_rolled_at_once() -> None:
    # BT-LEVY-CHARGE-02: 1 out of the gorge, and 2 of each of the others, who are inspired for 1 more: 2 honor
    # BT-MELEE-11: and of 3 honor faces 1 is collected
    board = Board(terrain={"4,5": "GORGE"}).top("LI@4,5", "LI+LF@4,6", "LI@5,4", "LM@6,4").bottom("SSp@5,5")
    play = (
        board.play("HHHTTTT")
        .command("C-ADV-C")
        .order("4,5", "4,6", "5,4")
        .declare("4,5", "5,5", "4,6", "5,4")
    )
    play.until("inspire").do("yes")
    assert play.question == "inspire"
    play.do("yes").quiet()
    assert (play.rolls(), play.honor["top"]) == (["HHHTTTT"], 5 - 2 + 1)


def test_each_may_be_left_uninspired() -> None:
    # BT-LEVY-CHARGE-02: the second of two
    board = Board().top("LI+LF@4,5", "LI+LF@4,6").bottom("SSp@5,5")
    play = charge(board, "HHTTT").until("inspire").do("yes").do("pass").quiet()
    assert (play.rolls(), play.honor["top"]) == (["HHTTT"], 5 - 1 + 1)


def test_bonus_dice_are_for_each_levy() -> None:
    # BT-LEVY-CHARGE-02: one more by Shogun, three each
    board = Board().top("LI@4,5", "LI@4,6").bottom("SSp@5,5").hand("top", "C-SHOGUN", "C-ADV-C")
    play = board.play("CC", "TTTTTT").command("C-SHOGUN").order("4,5", "4,6").attack("4,5", "5,5", "4,6")
    assert play.rolls("melee") == ["TTTTTT"]


def test_the_defender_battles_back_against_one() -> None:
    # BT-LEVY-CHARGE-03
    play = charge(Board().top("LI@4,5", "LI@4,6").bottom("SSp@5,5"), "TTTT", "CCTT").quiet()
    assert (play.asked, play.question, play.choices) == ("bottom", "battle_back", {"4,5", "4,6", "pass"})
    play.do("4,6").quiet()
    assert (play.at("4,5"), play.at("4,6"), play.question) == ("top LI:4", "top LI:2", "replenish")


def test_cavalry_battles_back_against_the_one_outside_the_castle() -> None:
    # BT-LEVY-CHARGE-03, BT-BATTLEBACK-06
    board = Board(terrain={"4,6": "CASTLE"}).top("LI@4,5", "LI@4,6").bottom("SSpC@5,5")
    assert charge(board, "TTTT").quiet().choices == {"4,5", "pass"}


def won(board: Board, *script: str) -> Play:
    """A charge that eliminates spears in 5,5, with other spears behind them."""
    play = charge(board.bottom("ASp:1@5,5", "ASp@6,5"), *script).quiet()
    assert (play.question, play.choices) == ("take_ground", {"4,5", "4,6", "pass"})
    return play


@pytest.mark.parametrize(("unit", "other", "bonus"), [("4,5", "4,6", False), ("4,6", "4,5", True)])
def test_one_of_them_takes_ground(unit: str, other: str, bonus: bool) -> None:
    # DP-25, DP-27, BT-LEVY-CHARGE-04: a bonus melee for the one with the leader; the other has battled, too
    play = won(Board().top("LI@4,5", "LI+LF@4,6"), "TCCC").do(unit)
    assert (play.at("5,5") or "").startswith("top LI:4")
    assert (play.at(unit), (play.at(other) or "")[:8]) == (None, "top LI:4")
    assert play.question == ("bonus_melee" if bonus else "replenish")
    assert not bonus or play.choices == {"6,5", "pass"}


def first_strike(board: Board, *script: str) -> Play:
    """A charge against which First Strike is played."""
    return charge(board.hand("bottom", "C-FIRST", "C-ADV-C"), *script).do("C-FIRST")


@pytest.mark.parametrize(
    ("strike", "attack", "struck"),
    [("CCCC", "TT", None), ("FTTT", "TT", None), ("CCTT", "TTTT", "top LI:2")],
)
def test_a_first_strike_is_against_one(strike: str, attack: str, struck: str | None) -> None:
    # BT-R-38: the other attacks anyhow, alone if the first one fell or retreated
    play = first_strike(Board().top("LI@4,5", "LI@4,6").bottom("SSp@5,5"), strike, attack)
    assert (play.asked, play.question, play.choices) == ("bottom", "struck", {"4,5", "4,6"})
    play.do("4,5").quiet()
    if play.question == "retreat":
        play.do("2,5").quiet()
    assert (play.at("4,5"), play.rolls("first_strike", "melee")) == (struck, [strike, attack])


def test_cavalry_strikes_the_one_outside_the_castle() -> None:
    # BT-R-38
    board = Board(terrain={"4,6": "CASTLE"}).top("LI@4,5", "LI@4,6").bottom("SSpC@5,5")
    play = first_strike(board, "CTTT", "TTTT").quiet()
    assert (play.at("4,5"), play.at("4,6")) == ("top LI:3", "top LI:4")


@pytest.mark.parametrize("third", [[], ["5,6"]])
def test_levies_that_fall_by_lack_of_honor_drop_out(third: list[str]) -> None:
    # BT-R-38, BT-R-46: the struck levy cannot complete its retreat and falls, its die goes to the next one
    board = Board(terrain={"2,4": "RIVER", "2,5": "RIVER", "2,6": "RIVER"}).honor(top=0)
    board.top("LI:1@4,5", "LI:1@4,6", *(f"LI@{hex_}" for hex_ in third)).bottom("SSp@5,5")
    board.hand("bottom", "C-FIRST", "C-ADV-C")
    attacks = ["TT" for _ in third]
    play = board.play("FTTT", "CFFFFF", *attacks).command("C-ADV-C").order("4,5", "4,6", *third)
    play.declare("4,5", "5,5", "4,6", *third).do("C-FIRST", "4,5", "3,5").quiet()
    assert (play.at("4,6"), play.banners["bottom"], play.rolls("melee")) == (None, 2, attacks)
    assert play.question == "replenish"


def test_aikido_is_against_one() -> None:
    # BT-R-39: 2 of 4 dice are left to the inspired levies under Shogun, the others roll their 3
    board = Board().top("LI+LF@4,5", "LI@4,6").bottom("SSp@5,5").hand("top", "C-SHOGUN", "C-ADV-C")
    play = board.dragons("bottom", "D-25").play("CC", "TTTTT").command("C-SHOGUN").order("4,5", "4,6")
    play.declare("4,5", "5,5", "4,6").do("yes", "D-25")
    assert (play.asked, play.question, play.choices) == ("bottom", "card_unit", {"4,5", "4,6"})
    assert play.do("4,5").quiet().rolls("melee") == ["TTTTT"]


def test_desperate_charge_of_one() -> None:
    # BT-R-94: one with a single block, named if there are several, and 2 dice once
    board = Board().top("LI:1@4,5", "LI@4,6", "LI:1@5,4").bottom("SSp@5,5").dragons("top", "D-10")
    play = board.play("TTTTTTTT").command("C-ADV-C").order("4,5", "4,6", "5,4")
    play.declare("4,5", "5,5", "4,6", "5,4").do("D-10")
    assert (play.asked, play.question, play.choices) == ("top", "card_unit", {"4,5", "5,4"})
    assert play.do("5,4").quiet().rolls() == ["TTTTTTTT"]


def test_head_collector_counts_the_common_roll() -> None:
    # BT-R-94: one participant has a leader; 2 honor for each of 3 blocks
    board = Board().top("LI@4,5", "LI+LF@4,6").bottom("SSp@5,5").dragons("top", "D-17")
    play = charge(board, "SSST").do("D-17").quiet()
    assert (play.at("5,5"), play.honor["top"]) == ("bottom SSp:1", 5 + 6)


def test_head_collector_needs_a_leader_among_them() -> None:
    # BT-R-94
    board = Board().top("LI@4,5", "LI@4,6").bottom("SSp@5,5").dragons("top", "D-17")
    play = charge(board, "TTTT")
    while play.question == "window":
        assert "D-17" not in play.choices
        play.do("pass")


def test_terror_strike_and_cowards_are_for_the_common_roll() -> None:
    # BT-R-94: both flags count twice; and a samurai cannot ignore any
    for card, driven in (("D-06", 4), ("D-14", 2)):
        board = Board().top("LI@4,5", "LI@4,6").bottom("SSp@5,5").dragons("top", card).honor(bottom=10)
        play = charge(board, "FFTT").do(card).quiet()
        if play.question == "ignore_flags":
            play.ignore(0)
        play.do(f"{5 + driven},5")
        assert play.at(f"{5 + driven},5") == "bottom SSp:4"


def test_vengeance_counts_all_dice_of_the_charge() -> None:
    # BT-R-94: 6 by three levies against bows that would roll 2
    board = Board().top("LI@4,5", "LI@4,6", "LI@5,4").bottom("AB@5,5").dragons("bottom", "D-29")
    play = board.play("TTTTTT", "TTTTTT").command("C-ADV-C").order("4,5", "4,6", "5,4")
    play.attack("4,5", "5,5", "4,6", "5,4").do("4,5", "D-29").quiet()
    assert play.rolls() == ["TTTTTT", "TTTTTT"]


def test_the_charging_player_names_his_duellist() -> None:
    # BT-R-94: 5 cards against 5 and 2 of the challenger
    board = Board().top("LI+LF@4,5", "LI+LF@4,6").bottom("SSp+LF@5,5").dragons("bottom", "D-22")
    play = charge(board, "CCCCC", "XCCCCCC", "TTTT").do("D-22")
    assert (play.asked, play.question, play.choices) == ("top", "duellist", {"4,5", "4,6"})
    play.do("4,6").quiet()
    assert (play.at("4,5"), play.at("4,6"), play.at("5,5")) == ("top LI:4+LF", "top LI:4", "bottom SSp:4+LF")


def test_without_a_leader_in_the_charge_there_is_no_duel() -> None:
    # BT-R-94
    board = Board().top("LI@4,5", "LI@4,6").bottom("SSp+LF@5,5").dragons("bottom", "D-22")
    assert charge(board).window == "W-FIRST"


def test_legendary_combat_is_for_the_one_that_takes_ground() -> None:
    # BT-R-94
    play = charge(
        Board().top("LI@4,5", "LI@4,6").bottom("ASp:1@5,5", "ASp@6,5").dragons("top", "D-19"), "TCCC"
    )
    play.do("D-19", "4,6")
    assert (play.at("5,5"), play.question, play.choices) == ("top LI:4", "bonus_melee", {"6,5", "pass"})


def test_after_timid_success_nobody_takes_ground() -> None:
    # BT-R-94
    play = won(Board().top("LI@4,5", "LI+LF@4,6").dragons("bottom", "D-34"), "TCCC").do("4,6", "D-34")
    assert (play.at("5,5"), play.honor["top"], play.question) == (None, 3, "replenish")
