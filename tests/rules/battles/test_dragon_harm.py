"""The dragon cards that harm the opponent or change a hand (DRAGON)."""

import pytest

from rules.battles.board import HAND, Board, drawn

# Ninja Thief.


def thief(*discards: str, top: str = "SSp+LF@4,5") -> Board:
    """The thief is in the hand of the top army, these cards in the discard pile."""
    return Board().top(top).bottom("ASp@5,5").dragons("top", "D-24", "D-06").discards(*discards).honor(top=9)


def test_ninja_thief_takes_any_discarded_card() -> None:
    # BT-DRAGON-33, D-24
    play = thief("D-14", "D-21", "D-33").play().command("C-ADV-C", "D-24")
    assert (play.question, play.choices) == ("ninja_thief", {"D-14", "D-21", "D-33"})
    play.do("D-14")
    assert (play.dragons("top"), play.discarded(), play.honor["top"]) == (
        ["D-06", "D-14"],
        ["D-21", "D-33"],
        8,
    )


def test_a_stolen_card_may_be_played_in_its_window() -> None:
    # BT-DRAGON-33, BT-DRAGON-USE-01: that card and no other, although the thief was played; it is paid for
    play = thief("D-14", "D-21").play("CCCC").command("C-ADV-C", "D-24", "D-14").order("4,5")
    play.declare("4,5", "5,5").until("W-PRE-R")
    assert play.choices == {"pass", "D-14"}
    play.do("D-14").quiet()
    assert (play.dragons("top"), play.honor["top"]) == (["D-06"], 6)


def test_after_the_stolen_card_nothing_more_is_played() -> None:
    # BT-DRAGON-33: the allowance is for one card
    play = thief("D-14", "D-21").play("CCCC", "CCC").command("C-ADV-C", "D-24", "D-14").order("4,5")
    play.declare("4,5", "5,5").do("D-14")
    assert [side for side, _, _ in play.offers()] == []
    assert play.do("4,5").offers() == []


def test_a_stolen_card_of_the_command_window_is_played_at_once_or_not_this_turn() -> None:
    # BT-DRAGON-33
    play = thief("D-33", "D-21").play("HCCCC").command("C-ADV-C", "D-24", "D-33").do("yes")
    assert (play.honor["top"], play.dragons("top")) == (10, ["D-06"])
    kept = thief("D-33", "D-21").play("CCCC").command("C-ADV-C", "D-24", "D-33").do("pass")
    assert (kept.honor["top"], kept.dragons("top")) == (8, ["D-06", "D-33"])
    kept.order("4,5").declare("4,5", "5,5")
    assert "top" not in [side for side, _, _ in kept.offers()]


def test_a_stolen_card_of_the_other_side_waits_for_its_turn() -> None:
    # BT-DRAGON-33, BT-DRAGON-USE-04: Followers of Bishamon is for the turn of the opponent
    play = thief("D-20", "D-36").play().command("C-ADV-C", "D-24", "D-20")
    assert (play.question, play.dragons("top")) == ("order", ["D-06", "D-20"])
    play.end_turn().command("C-ADV-C")
    assert (play.asked, play.window, play.choices) == ("top", "W-CMD-D", {"pass", "D-20"})


def test_nothing_to_steal() -> None:
    # BT-DRAGON-33
    assert thief().play().command("C-ADV-C").choices == {"pass"}


# Rice Famine and Red Dragon.


def test_rice_famine() -> None:
    # BT-DRAGON-36, D-27: a die for each enemy C unit; the opponent chooses who loses blocks; 2 honor per H
    board = Board().top("LI@1,5").dragons("top", "D-27")
    board.bottom("LI@8,1", "AB@8,2", "AA@8,3", "ASp@8,4", "ASp@8,5", "LI@8,6")
    play = board.play("HTCC").command("C-ADV-C", "D-27")
    assert (play.asked, play.question, play.choices) == ("bottom", "lose_block", {"8,1", "8,2", "8,3", "8,6"})
    play.do("8,1", "8,1")
    assert (play.asked, play.choices, play.honor) == ("bottom", {"8,4", "8,5"}, {"top": 2, "bottom": 5})
    play.do("8,5")
    assert (play.at("8,1"), play.at("8,5"), play.honor["bottom"]) == ("bottom LI:2", "bottom ASp:3", 3)
    assert play.question == "order"


def test_a_famine_finds_nobody() -> None:
    # BT-DRAGON-36: no unit with that symbol; flags and swords do nothing
    board = Board().top("LI@1,5").dragons("top", "D-27").bottom("LI@8,1", "AB@8,2", "AA@8,3", "LM@8,4")
    play = board.play("SFX").command("C-ADV-C", "D-27")
    assert (play.question, play.pieces("bottom")) == ("order", {"LI:4@8,1", "AB:4@8,2", "AA:4@8,3", "LM@8,4"})


def test_a_famine_without_honor() -> None:
    # BT-DRAGON-36, BT-R-48: two H cost 4 of 3 honor: one is missing, once, so he rolls 5 dice
    board = Board().top("LI@1,5").dragons("top", "D-27").bottom("LI@8,1", "AB@8,2", "SSp@8,4").honor(bottom=3)
    play = board.play("HH", "SSXFH").command("C-ADV-C", "D-27")
    assert (play.at("8,4"), play.honor["bottom"]) == ("bottom SSp:2", 0)
    assert play.rolls("lack_of_honor") == ["SSXFH"]


def test_blocks_of_a_famine_are_lost_before_honor() -> None:
    # BT-DRAGON-36: the last block and its banner, then lack of honor
    board = Board().top("LI@1,5").dragons("top", "D-27").bottom("LI:1@8,1", "AB:2@8,2").honor(bottom=1)
    play = board.play("CH", "CXXXX").command("C-ADV-C", "D-27").do("8,1")
    assert (play.pieces("bottom"), play.banners["top"]) == ({"AB:1@8,2"}, 1)


@pytest.mark.parametrize(("tents", "dice"), [({}, 3), ({"top": "0,5"}, 4), ({"bottom": "10,5"}, 3)])
def test_red_dragon_has_a_die_more_with_the_tent(tents: dict[str, str], dice: int) -> None:
    # BT-DRAGON-37, D-28
    board = Board(tents=tents).top("LI@1,5").bottom("ASp@8,5").dragons("top", "D-28")
    play = board.play("X" * dice).command("C-ADV-C", "D-28")
    assert (play.at("8,5"), play.honor["top"]) == ("bottom ASp:4", 2)


def test_red_dragon_drives_units_back() -> None:
    # BT-DRAGON-37: C, then T, then S, whatever fell first; LI two hexes; honor is paid
    board = Board().top("LI@1,5").bottom("SSp+LF@7,9", "LI@4,4", "AB@6,8", "ASp@5,1").dragons("top", "D-28")
    play = board.honor(bottom=9).play("STC").command("C-ADV-C", "D-28")
    assert (play.asked, play.question, play.choices) == ("bottom", "drive_back", {"4,4", "6,8"})
    assert play.do("4,4").choices == {"6,3", "6,4", "6,5"}
    assert play.do("6,4").honor["bottom"] == 7
    assert play.choices == {"6,1", "6,2"}  # the one T unit
    assert play.do("6,1").honor["bottom"] == 6
    assert play.choices == {"8,9", "8,10"}  # the S unit may ignore nothing
    assert play.do("8,9").honor["bottom"] == 3
    assert (play.at("8,9"), play.question) == ("bottom SSp:4+LF", "order")


def test_red_dragon_may_choose_a_unit_again() -> None:
    # BT-DRAGON-37: one die at a time
    board = Board().top("LI@1,5").bottom("ASp@4,4", "ASp@8,8").dragons("top", "D-28")
    play = board.play("TTX").command("C-ADV-C", "D-28").do("4,4", "5,4", "5,4", "6,4")
    assert (play.at("6,4"), play.honor["bottom"]) == ("bottom ASp:4", 3)


def test_red_dragon_drives_a_unit_to_a_leader() -> None:
    # BT-DRAGON-37, BT-RETREAT-05: he stops it, and the rest of its two hexes costs nothing
    board = Board().top("LI@1,5").bottom("LI@4,5", "LM@5,5").dragons("top", "D-28")
    play = board.play("CXX").command("C-ADV-C", "D-28")
    assert (play.question, play.choices) == ("retreat", {"5,5", "6,4", "6,5"})
    play.do("5,5")
    assert (play.at("5,5"), play.honor["bottom"]) == ("bottom LI:4+LM", 3)


def test_red_dragon_drives_a_unit_onto_its_objective() -> None:
    # BT-DRAGON-37, BT-SCEN-07: that retreat counts as any other, whichever side played the card
    objective = {"kind": "occupy_hex", "side": "bottom", "objective": "well", "flags": 1}
    objective["enemy_loses_random_command_cards"] = 1
    board = Board(header={"victory": [objective]}, deployment={"objectives": {"well": [5, 5]}})
    board.top("LI@1,5").bottom("AB@4,5", "SSp@9,9").dragons("top", "D-28")
    play = board.play("CXX").command("C-ADV-C", "D-28").do("5,5")
    assert (play.banners, len(play.hand("top"))) == ({"top": 0, "bottom": 1}, len(HAND) - 2)
    assert play.question == "order"


def test_red_dragon_on_the_baseline_and_in_a_castle() -> None:
    # BT-DRAGON-37: a block for the hex that cannot be completed, a hit in the castle, nothing for a bodyguard
    board = Board(terrain={"5,5": "CASTLE"}, tents={"bottom": "10,5"}).top("LI@1,5").dragons("top", "D-28")
    play = board.bottom("LI@10,1", "SSp@5,5", "AC+BG@10,5").play("CSX").command("C-ADV-C", "D-28")
    assert play.pieces("bottom") == {"LI:2@10,1", "SSp:3@5,5", "BG:4+AC@10,5"}
    assert (play.honor["bottom"], play.rolls()) == (5, ["CSX"])


def test_lack_of_honor_by_red_dragon_is_that_of_a_retreat() -> None:
    # BT-DRAGON-37: after each retreat, at the nearest unit, not at one of his choice
    board = Board().top("LI@1,5").dragons("top", "D-28").honor(bottom=1)
    board.bottom("SSp@5,1", "ASp@7,1", "ASp@8,9")
    play = board.play("SXX", "STFFF").command("C-ADV-C", "D-28").do("6,1")
    assert play.pieces("bottom") == {"SSp:3@6,1", "ASp:3@7,1", "ASp:4@8,9"}


# Tea Ceremony, White Dragon, Wild Winds, White Fox Spirit.


@pytest.mark.parametrize(("tents", "gain"), [({}, 4), ({"top": "0,5"}, 6), ({"bottom": "10,5"}, 4)])
def test_tea_ceremony(tents: dict[str, str], gain: int) -> None:
    # BT-DRAGON-42, D-33: a die for each command card, the one played included
    board = Board(tents=tents).top("LI@1,5").bottom("LI@8,5").dragons("top", "D-33")
    play = board.play("HCXHF").command("C-ADV-C", "D-33")
    assert (play.honor["top"], play.rolls("tea_ceremony")) == (5 + gain, ["HCXHF"])


def test_white_dragon() -> None:
    # BT-DRAGON-44, D-35: a card at once, and one order more for an advance with two cards in all
    board = Board().top("LI@1,4", "LI@1,5", "LI@1,6", "LI@2,5").bottom("LI@8,5").dragons("top", "D-35")
    play = (
        board.hand("top", "C-ADV-C", "C-SNAKE").deck("C-SHOGUN", "C-HOLD").play().command("C-ADV-C", "D-35")
    )
    assert (play.hand("top"), play.honor["top"]) == (["C-SNAKE", "C-SHOGUN"], 2)
    play.do("1,4", "1,5", "1,6")
    assert play.question == "move"
    assert play.until("replenish").hand("top") == ["C-SNAKE", "C-SHOGUN", "C-HOLD"]


@pytest.mark.parametrize("seed", range(5))
def test_wild_winds(seed: int) -> None:
    # BT-DRAGON-45, D-36, BT-RAND-04: a random card of the rest; the first one comes back as the newest
    board = Board().top("LI@1,1", "LI@1,5", "LI@1,9").bottom("LI@8,5").dragons("bottom", "D-36")
    play = board.play(seed=seed).command("C-ADV-C", "D-36")
    rest = [card for card in HAND if card != "C-ADV-C"]
    card = rest.pop(drawn(0, 4, seed))
    assert (play.state["turn"]["effective"]["card"], play.hand("top")) == (card, [*rest, "C-ADV-C"])
    assert play.honor["bottom"] == 3
    assert play.until("replenish").discarded("command") == [card]


def test_wild_winds_find_the_only_other_card() -> None:
    # BT-DRAGON-45: two cards are the least to begin a turn with
    board = Board().top("LI@1,9").bottom("LI@8,5").dragons("bottom", "D-36").hand("top", "C-ADV-C", "C-ADV-L")
    play = board.play().command("C-ADV-C", "D-36")
    assert (play.choices, play.hand("top")) == ({"pass", "1,9"}, ["C-ADV-C"])


@pytest.mark.parametrize(
    ("card", "choices"),
    [
        ("C-ADV-C", {"1,5", "leader 1,5", "2,5"}),
        ("C-GEESE", {"1,1", "1,5", "leader 1,5", "2,5"}),
        ("C-SQUARE", {"1,5"}),
        ("C-SNAKE", {"1,1", "1,5", "2,5"}),
        ("C-CAVALRY", {"1,1", "1,5"}),
    ],
)
def test_white_fox_spirit(card: str, choices: set[str]) -> None:
    # BT-DRAGON-46, D-37: any one piece of a legal selection (without cavalry, any unit)
    board = Board().top("LI@1,1", "SSp+LF@1,5", "LM@2,5").bottom("LI@8,5").dragons("bottom", "D-37")
    play = board.hand("top", card, "C-ADV-R").play().command(card, "D-37")
    assert (play.choices, play.honor["bottom"]) == (choices | {"pass"}, 3)
    play.do("1,5")
    assert (play.question, play.ordered) == ("move", {"1,5"})


def test_shogun_rolls_as_usual_before_a_white_fox() -> None:
    # BT-DRAGON-46: all dice, one order
    board = Board().top("LI@1,1", "ASp@1,5", "SSp@2,5").bottom("LI@8,5").dragons("bottom", "D-37")
    play = board.hand("top", "C-SHOGUN", "C-ADV-R", "C-SNAKE").play("CTX").command("C-SHOGUN", "D-37")
    assert play.choices == {"pass", "1,1", "1,5"}
    assert play.do("1,5").question == "move"
