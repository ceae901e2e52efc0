"""The dragon cards that are played in a combat (DRAGON): flags, dice, ground."""

import pytest

from rules.battles.attacks import at_once, attack
from rules.battles.board import Board

# Flags: Courageous Leader, Terror Strike, Cowards, Courage, Bishamon, Panic.


def test_courageous_leader_after_the_roll() -> None:
    # BT-DRAGON-11, D-02a, BT-R-71, BT-R-72: any number of three flags
    play = at_once(attack("ASp@4,5", "ASp+LF@5,5", "FFF", other="D-02a"), "D-02a")
    assert (play.question, play.choices, play.honor["bottom"]) == ("ignore_flags", {"0", "1", "2", "3"}, 8)


def test_courageous_leader_before_the_roll() -> None:
    # BT-DRAGON-11, D-02b, BT-R-71, BT-R-72
    play = attack("ASp@4,5", "ASp+LF@5,5", "FFF", other="D-02b").until("W-PRE-O")
    assert (play.rolls(), play.choices) == ([], {"pass", "D-02b"})
    play = at_once(play, "D-02b")
    assert (play.question, play.choices) == ("ignore_flags", {"0", "1", "2", "3"})


def test_only_the_one_before_the_roll_is_for_shots() -> None:
    # BT-DRAGON-11, BT-R-71
    play = attack("AB@3,5", "ASp+LF@5,5", "CC", other="D-02a D-02b")
    assert [(window, cards) for side, window, cards in play.offers() if side == "bottom"] == [
        ("W-PRE-O", {"D-02b"}),
        ("W-POST-O", set()),
    ]


@pytest.mark.parametrize(
    ("card", "shooter", "check"),
    [("D-02a", "ASp@4,5", "X"), ("D-02b", "AB@3,5", "XX"), ("D-02b", "ASp@4,5", "X")],
)
def test_courage_outlives_the_leader(card: str, shooter: str, check: str) -> None:
    # BT-DRAGON-11: he falls in the check, and the flags may be ignored all the same
    dice = "TFF" if shooter == "ASp@4,5" else "TF"
    play = at_once(attack(shooter, "ASp+LF@5,5", dice, check, other=card), card)
    assert (play.at("5,5"), play.question) == ("bottom ASp:3", "ignore_flags")
    assert max(play.choices) == str(dice.count("F"))


def test_courageous_leader_needs_a_leader() -> None:
    # BT-DRAGON-11
    play = attack("ASp@4,5", "ASp@5,5", "CCC", other="D-02a D-02b D-15")
    assert {card for _, _, cards in play.offers() for card in cards} == {"D-15"}


@pytest.mark.parametrize("card", ["D-02a", "D-02b", "D-15"])
def test_an_attacker_shows_courage_in_a_battle_back(card: str) -> None:
    # BT-DRAGON-11, BT-DRAGON-24: the side that is rolled against
    play = attack("ASp+LF@4,5", "SSp@5,5", "CCC", "FFFC", own=card).quiet().do("4,5", card).quiet()
    assert (play.asked, play.question, play.choices) == ("top", "ignore_flags", {"0", "1", "2", "3"})


@pytest.mark.parametrize(("top", "dice"), [("ASp@4,5", "FFF"), ("AB@3,5", "FF")])
def test_courage(top: str, dice: str) -> None:
    # BT-DRAGON-24, D-15, BT-R-72: in melee and against shots, as many as he likes
    play = at_once(attack(top, "AB@5,5", dice, other="D-15"), "D-15")
    assert (play.choices, play.honor["bottom"]) == ({str(n) for n in range(len(dice) + 1)}, 8)
    assert play.do(len(dice)).at("5,5") == "bottom AB:4"


def test_courage_is_for_one_roll() -> None:
    # BT-DRAGON-24: the next attacker's flags are as usual
    board = Board().top("ASp@4,5", "ASp@4,6").bottom("AB@5,5").dragons("bottom", "D-15")
    play = board.play("FCH", "FFH").command("C-ADV-C").order("4,5", "4,6").declare("4,5", "5,5")
    play.do("D-15").quiet().do("1", "pass").attack("4,6", "5,5")
    assert play.question == "retreat"


def test_terror_strike() -> None:
    # BT-DRAGON-15, D-06: two flags count as four
    play = at_once(attack("ASp@4,5", "ASp@5,5", "FFC", own="D-06"), "D-06")
    assert play.choices == {"9,3", "9,4", "9,5", "9,6", "9,7"}
    assert play.honor["top"] == 6


@pytest.mark.parametrize("first", [False, True])
def test_terror_strikes_back_and_first(first: bool) -> None:
    # BT-DRAGON-15: in a battle back and in a first strike, too
    board = Board().top("ASp@6,5").bottom("ASp@7,5").dragons("bottom", "D-06")
    if first:
        board.hand("bottom", "C-FIRST", "C-ADV-L")
    play = (
        board.play(*(["FFC"] if first else ["CCC", "FFC"]))
        .command("C-ADV-C")
        .order("6,5")
        .declare("6,5", "7,5")
    )
    play = play.do("C-FIRST", "D-06") if first else play.quiet().do("6,5", "D-06")
    play.quiet()
    assert (play.asked, play.choices) == ("top", {f"2,{place}" for place in (3, 4, 5, 6, 7)})


def test_terror_in_a_bonus_melee() -> None:
    # BT-DRAGON-15: not played in the first melee, it is for the next
    board = Board().top("SSpC@4,5").bottom("ASp:1@5,5", "ASp@6,5").dragons("top", "D-06")
    play = board.play("TCCC", "FCCC").command("C-ADV-C").order("4,5").attack("4,5", "5,5").do("4,5", "6,5")
    assert play.do("D-06").quiet().choices == {"8,4", "8,5", "8,6"}


def test_terror_is_for_melee() -> None:
    # BT-R-74
    play = attack("SB@3,5", "ASp@5,5", "CCC", own="D-06 D-14")
    assert [cards for side, _, cards in play.offers() if side == "top"] == [{"D-14"}]


@pytest.mark.parametrize(("top", "dice"), [("ASp@4,5", "FHH"), ("AB@3,5", "FH")])
def test_cowards(top: str, dice: str) -> None:
    # BT-DRAGON-23, D-14: neither rank nor leader helps, in melee or against shots
    play = at_once(attack(top, "SSp+LF@5,5", dice, own="D-14"), "D-14")
    assert (play.question, play.honor["top"]) == ("retreat", 9 - 2 + dice.count("H"))


def test_cowards_in_a_battle_back() -> None:
    # BT-DRAGON-23: either player, when he rolls
    play = attack("SSp+LF@4,5", "ASp@5,5", "CCCC", "FCC", other="D-14").quiet().do("4,5", "D-14").quiet()
    assert (play.asked, play.question) == ("top", "retreat")


def test_cowards_on_a_bridge_and_with_support() -> None:
    # BT-DRAGON-23: for no reason at all
    board = Board(terrain={"5,5": "BRIDGE"}).top("ASp@4,5").bottom("SSp@5,5", "LI@5,4", "LI@5,6")
    play = board.dragons("top", "D-14").play("FCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    assert play.do("D-14").quiet().question == "retreat"


def test_followers_of_bishamon() -> None:
    # BT-DRAGON-29, D-20: every roll of the turn, melee and shots, and as many flags as he likes
    board = Board().top("ASp@4,5", "AB@3,7").bottom("AB@5,5", "AB@5,7").dragons("bottom", "D-20")
    play = board.play("FFF", "FF").command("C-ADV-C", "D-20").order("4,5", "3,7").attack("4,5", "5,5")
    assert (play.choices, play.honor["bottom"]) == ({"0", "1", "2", "3"}, 2)
    play.do("3", "pass").attack("3,7", "5,7")
    assert play.choices == {"0", "1", "2"}
    play.do("2")


def test_bishamon_is_for_combat() -> None:
    # BT-DRAGON-29: Red Dragon is not a combat
    board = Board().top("LI@1,5").bottom("ASp@5,5").dragons("top", "D-28").dragons("bottom", "D-20")
    play = board.play("TCC").command("C-ADV-C", "D-28", "D-20")
    assert (play.question, play.choices) == ("retreat", {"6,5", "6,6"})


def test_panic() -> None:
    # BT-DRAGON-35, D-26: rank, leader and support do not help in any combat of the turn
    board = Board().top("ASp@4,5", "AB@3,7").bottom("SSp+LF@5,5", "SSp@5,7").dragons("top", "D-26")
    play = board.honor(bottom=9).play("FHH", "FH").command("C-ADV-C", "D-26").order("4,5", "3,7")
    assert play.attack("4,5", "5,5").question == "retreat"
    play.do("6,5", "pass").attack("3,7", "5,7")
    assert (play.question, play.asked) == ("retreat", "bottom")


def test_panic_is_for_the_enemy() -> None:
    # BT-DRAGON-35: the own unit ignores flags of the battle back
    board = Board().top("SSp@4,5").bottom("SSp@5,5").dragons("top", "D-26")
    play = board.play("CCCC", "FCCC").command("C-ADV-C", "D-26").order("4,5").attack("4,5", "5,5").do("4,5")
    assert (play.asked, play.question, play.choices) == ("top", "ignore_flags", {"0", "1"})


# Dice: Ambush, Desperate Charge, Aikido Training, Vengeance, Spirit of Kisshoten.


def test_ambush() -> None:
    # BT-DRAGON-16, D-07: first, with a die more; then the attacker, and nobody battles back
    play = at_once(attack("SSp@4,5", "ASp@5,5", "SCCC", "TCCC", other="D-07"), "D-07")
    assert play.course("first_strike", "melee", "battle_back") == ["first_strike", "melee"]
    assert play.rolls() == ["SCCC", "TCCC"]
    assert (play.at("4,5"), play.at("5,5"), play.question) == ("top SSp:3", "bottom ASp:3", "replenish")
    assert play.honor["bottom"] == 7


def test_an_ambush_draws_no_card_and_takes_no_ground() -> None:
    # BT-DRAGON-16: the attacker is gone and the combat is over
    play = at_once(attack("ASp:1@4,5", "ASp@5,5", "TCCC", other="D-07"), "D-07")
    assert (play.at("5,5"), play.at("4,5"), play.question) == ("bottom ASp:4", None, "replenish")
    assert (play.banners["bottom"], len(play.hand("bottom"))) == (1, 5)


def test_an_ambush_that_drives_the_attacker_off() -> None:
    # BT-DRAGON-16: like First Strike, he has used his battle
    play = at_once(attack("ASp@4,5", "ASp@5,5", "FCCC", other="D-07"), "D-07").do("3,5")
    assert (play.question, play.rolls()) == ("replenish", ["FCCC"])


def test_an_ambush_against_a_bonus_melee() -> None:
    # BT-DRAGON-16
    board = Board().top("SSpC@4,5").bottom("ASp:1@5,5", "ASp@6,5").dragons("bottom", "D-07")
    play = board.play("TCCC", "CCCC", "CCCC").command("C-ADV-C").order("4,5").attack("4,5", "5,5")
    play.do("4,5", "6,5", "D-07").quiet()
    assert play.course("melee", "first_strike", "battle_back") == ["melee", "first_strike", "melee"]


@pytest.mark.parametrize(("blocks", "playable"), [(1, True), (2, False), (4, False)])
def test_desperate_charge_is_for_a_last_block(blocks: int, playable: bool) -> None:
    # BT-DRAGON-19, D-10
    play = attack(f"ASp:{blocks}@4,5", "SSp@5,5", "CCCCC" if playable else "CCC", own="D-10 D-06").until(
        "W-PRE-R"
    )
    assert ("D-10" in play.choices) == playable
    play.do("D-10" if playable else "pass").quiet()
    assert (len(play.rolls()[0]), play.honor["top"]) == ((5, 7) if playable else (3, 9))


def test_desperate_charge_in_a_battle_back_out_of_a_forest() -> None:
    # BT-DRAGON-19: two dice more than the two of the forest
    board = Board(terrain={"5,5": "FOREST"}).top("SSp@4,5").bottom("SSp:1@5,5").dragons("bottom", "D-10")
    play = board.play("CC", "TTTT").command("C-ADV-C").order("4,5").attack("4,5", "5,5").do("4,5", "D-10")
    assert play.quiet().rolls("battle_back") == ["TTTT"]


def test_aikido_training() -> None:
    # BT-DRAGON-34, D-25: two dice of four and one by inspiring
    play = attack("SSp+LF@4,5", "SSp@5,5", "CC", other="D-25").do("yes", "D-25").quiet()
    assert (play.rolls(), play.honor) == (["CC"], {"top": 8, "bottom": 7})


def test_aikido_in_a_bonus_melee() -> None:
    # BT-DRAGON-34
    board = Board().top("SSpC@4,5").bottom("ASp:1@5,5", "ASp@6,5").dragons("bottom", "D-25")
    play = (
        board.play("TCCC", "CC").command("C-ADV-C").order("4,5").attack("4,5", "5,5").do("4,5", "6,5", "D-25")
    )
    assert play.quiet().rolls() == ["TCCC", "CC"]


def test_no_aikido_against_a_battle_back_or_a_first_strike() -> None:
    # BT-DRAGON-34: it is the non-active player's, against melee attacks, not against shots
    play = attack("SSp@4,5", "SSp@5,5", "CCCC", "CCCC", own="D-25 D-15").quiet().do("4,5")
    assert {card for side, _, cards in play.offers() for card in cards if side == "top"} == {"D-15"}
    shot = attack("AB@3,5", "SSp@5,5", "CC", other="D-25 D-15")
    assert {card for _, _, cards in shot.offers() for card in cards} == {"D-15"}


def test_aikido_in_a_charge_caps_one_unit() -> None:
    # BT-DRAGON-34, BT-R-94, BT-R-39: its player names it; it is inspired: 2 of its 3 dice, and 2 of the other
    board = Board().top("LI+LF@4,5", "LI@4,6").bottom("SSp@5,5").dragons("bottom", "D-25")
    play = board.play("TTTT").command("C-ADV-C").order("4,5", "4,6").declare("4,5", "5,5", "4,6")
    play.do("yes", "D-25")
    assert (play.asked, play.question, play.choices) == ("bottom", "card_unit", {"4,5", "4,6"})
    assert play.do("4,5").rolls() == ["TTTT"]


def test_vengeance() -> None:
    # BT-DRAGON-38, D-29: as many dice as were rolled, by levies that have two
    board = Board(terrain={"4,5": "HILL"}).top("SSp+LF@4,5").bottom("LI@5,5").dragons("bottom", "D-29")
    play = board.play("TTTT", "TTTT").command("C-ADV-C").order("4,5").declare("4,5", "5,5").do("yes").quiet()
    assert play.do("4,5", "D-29").quiet().rolls() == ["TTTT", "TTTT"]  # 3 from the hill and one by inspiring
    assert play.honor["bottom"] == 4


def test_vengeance_does_not_count_rolls_again() -> None:
    # BT-DRAGON-38: three bodyguards with an X rolled again: three dice
    board = Board(tents={"top": "4,5"}).top("AC+BG:3@4,5").bottom("LI@5,5").dragons("bottom", "D-29")
    play = (
        board.play("XTT", "T", "TTT").command("C-ADV-C").order("4,5").attack("4,5", "5,5").do("4,5", "D-29")
    )
    assert play.quiet().rolls("battle_back") == ["TTT"]


def test_vengeance_is_for_battling_back() -> None:
    # BT-DRAGON-38: not for an attack, nor for a first strike
    play = attack("SSp@4,5", "SSp@5,5", "CCCC", own="D-29")
    assert {card for _, _, cards in play.offers() for card in cards} == set()
    board = (
        Board()
        .top("SSp@4,5")
        .bottom("SSp@5,5")
        .dragons("bottom", "D-29", "D-06")
        .hand("bottom", "C-FIRST", "C-GEESE")
    )
    play = board.play("CCCC", "CCCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5").do("C-FIRST")
    assert (play.window, play.choices) == ("W-PRE-R", {"pass", "D-06"})
    play.quiet()


def test_inspiring_before_vengeance_is_wasted() -> None:
    # BT-R-79: the token is gone, there is no die for it
    play = (
        attack("SSp@4,5", "LI+LF@5,5", "TTTT", "TTTT", other="D-29").quiet().do("4,5", "yes", "D-29").quiet()
    )
    assert (play.rolls("battle_back"), play.honor["bottom"]) == (["TTTT"], 7)


def test_spirit_of_kisshoten() -> None:
    # BT-DRAGON-41, D-32: all dice anew; the first result is void
    play = at_once(attack("SSp@4,5", "ASp@5,5", "TTXX", "TCHC", own="D-32"), "D-32")
    assert (play.at("5,5"), play.honor["top"]) == ("bottom ASp:3", 9 - 2 + 1)


def test_kisshoten_in_a_battle_back() -> None:
    # BT-DRAGON-41: either player, after his own roll
    play = attack("SSp@4,5", "ASp@5,5", "CCCC", "CCC", "SSC", other="D-32").quiet().do("4,5", "D-32").quiet()
    assert play.at("4,5") == "top SSp:2"


def test_kisshoten_for_a_bodyguard() -> None:
    # BT-DRAGON-41, BT-R-80: X of the new roll are rolled again, those of the old one are gone
    board = Board(tents={"top": "4,5"}).top("AC+BG:2@4,5").bottom("SSp@5,5").dragons("top", "D-32")
    play = (
        board.play("XX", "XX", "XC", "S")
        .command("C-ADV-C")
        .order("4,5")
        .declare("4,5", "5,5")
        .do("D-32")
        .quiet()
    )
    assert (play.rolls(), play.at("5,5")) == (["XX", "XX", "XC", "S"], "bottom SSp:2")


def test_kisshoten_is_for_melee() -> None:
    # BT-DRAGON-41
    play = attack("SB@3,5", "ASp@5,5", "CCC", own="D-32 D-14")
    assert {card for _, _, cards in play.offers() for card in cards} == {"D-14"}


# Head Collector.


def test_head_collector() -> None:
    # BT-DRAGON-26, D-17: two honor per block, beside those of H faces
    play = at_once(attack("SSp+LF@4,5", "ASp@5,5", "TTHC", own="D-17"), "D-17")
    assert (play.at("5,5"), play.honor["top"]) == ("bottom ASp:2", 9 + 4 + 1)


def test_heads_are_blocks_that_hits_removed() -> None:
    # BT-R-76: not more than there were, not for a leader, not for a retreat that was blocked
    play = attack("SSp+LF@4,5", "ASp:1+LF@5,5", "TTTC", "X", own="D-17")
    assert at_once(play, "D-17").honor["top"] == 9 + 2
    board = Board().top("SSp+LF@9,4").bottom("ASp@10,5").dragons("top", "D-17")
    play = board.play("TFFC").command("C-ADV-C").order("9,4").declare("9,4", "10,5").do("D-17").quiet()
    assert (play.at("10,5"), play.honor["top"]) == ("bottom ASp:1", 5 + 2)


def test_head_collector_needs_a_leader_and_an_attack() -> None:
    # BT-DRAGON-26: not without a leader, not in a battle back
    play = attack("SSp@4,5", "ASp@5,5", "CCCC", own="D-17 D-06").until("W-PRE-R")
    assert play.choices == {"pass", "D-06"}
    play.quiet()
    back = (
        attack("SSp@4,5", "ASp+LF@5,5", "CCCC", "CCC", other="D-17 D-06").quiet().do("4,5").until("W-PRE-R")
    )
    assert back.choices == {"pass", "D-06"}
    back.quiet()


# Legendary Combat and Timid Success.


def test_legendary_combat_for_infantry_without_a_leader() -> None:
    # BT-DRAGON-28, D-19: ground and a bonus melee
    for card in ("D-19", "pass"):
        board = Board().top("ASp@4,5").bottom("LI:1@5,5", "LI@6,5").dragons("top", "D-19")
        play = board.play("CTT").command("C-ADV-C").order("4,5").declare("4,5", "5,5").until("W-SUCCESS-A")
        play.do(card, "4,5")
        assert (play.question, play.honor["top"]) == (
            ("bonus_melee", 3) if card == "D-19" else ("replenish", 5)
        )


def test_legendary_combat_after_a_bonus_melee() -> None:
    # BT-DRAGON-28: one more, and then no more
    board = (
        Board().top("SSpC@4,5").bottom("LI:1@5,5", "LI:1@6,5", "LI:1@7,5", "LI@8,5").dragons("top", "D-19")
    )
    play = board.play("CTTT", "CTTT", "CTTT").command("C-ADV-C").order("4,5").attack("4,5", "5,5")
    play.do("4,5", "6,5", "D-19", "5,5", "7,5").quiet().do("6,5")
    assert (play.at("7,5"), play.question) == ("top SSpC:4", "replenish")
    assert [event["bonus"] for event in play.events("attack")] == [False, True, True]


def test_without_the_legend_one_bonus_melee_is_all() -> None:
    # BT-DRAGON-28: the same cavalry
    board = Board().top("SSpC@4,5").bottom("LI:1@5,5", "LI:1@6,5", "LI:1@7,5")
    play = (
        board.play("CTTT", "CTTT")
        .command("C-ADV-C")
        .order("4,5")
        .attack("4,5", "5,5")
        .do("4,5", "6,5")
        .quiet()
    )
    assert play.do("5,5").question == "replenish"


def test_a_legend_does_not_battle_on_in_buildings() -> None:
    # BT-DRAGON-28: terrain limits apply
    board = (
        Board(terrain={"5,5": "BUILDINGS"}).top("ASp@4,5").bottom("LI:1@5,5", "LI@6,5").dragons("top", "D-19")
    )
    play = board.play("CT").command("C-ADV-C").order("4,5").declare("4,5", "5,5").do("D-19", "4,5")
    assert (play.at("5,5"), play.question) == ("top ASp:4", "replenish")


def test_no_legend_for_a_bodyguard() -> None:
    # BT-DRAGON-28
    board = Board(tents={"top": "4,5"}).top("AC+BG@4,5").bottom("LI:1@5,5", "LI@6,5").dragons("top", "D-19")
    play = board.play("CTTT").command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    assert {card for _, _, cards in play.offers() for card in cards} == set()
    assert (play.at("5,5"), play.question) == (None, "replenish")


def test_timid_success() -> None:
    # BT-DRAGON-43, D-34: no ground, no bonus melee, two honor
    board = Board().top("SSpC@4,5").bottom("LI:1@5,5", "LI@6,5").dragons("bottom", "D-34")
    play = board.play("CTTT").command("C-ADV-C").order("4,5").attack("4,5", "5,5").do("4,5")
    assert (play.asked, play.window) == ("bottom", "W-GROUND-D")
    play.do("D-34")
    assert (play.at("4,5"), play.at("5,5"), play.question) == ("top SSpC:4", None, "replenish")
    assert play.honor == {"top": 3, "bottom": 4}


def test_timid_success_without_honor() -> None:
    # BT-DRAGON-43: one of two is missing: 4 + 1 dice, and the loser chooses which unit is meant
    board = (
        Board()
        .top("SSpC@4,5", "SSp@1,1", "SSp@1,2")
        .bottom("LI:1@5,5")
        .dragons("bottom", "D-34")
        .honor(top=1)
    )
    play = board.play("CTTT", "SCXFH").command("C-ADV-C").order("4,5").attack("4,5", "5,5").do("4,5", "D-34")
    assert (play.asked, play.question, play.choices) == ("top", "lose_block", {"4,5", "1,1", "1,2"})
    assert play.do("1,1").pieces("top") == {"SSpC:4@4,5", "SSp:3@1,1", "SSp:4@1,2"}


def test_nobody_is_timid_who_stays() -> None:
    # BT-DRAGON-43: only when ground is about to be taken
    board = Board().top("SSpC@4,5").bottom("LI:1@5,5", "LI@6,5").dragons("bottom", "D-34")
    play = board.play("CTTT").command("C-ADV-C").order("4,5").attack("4,5", "5,5").do("pass")
    assert (play.question, play.honor["top"]) == ("replenish", 5)


def test_ground_in_a_charge() -> None:
    # BT-R-94: after Timid Success no other participant takes it; a legend is the one that takes ground
    board = (
        Board()
        .top("LI@4,5", "LI@4,6")
        .bottom("ASp:1@5,5", "LI@6,5")
        .dragons("bottom", "D-34")
        .dragons("top", "D-19")
    )
    play = board.play("TCCC").command("C-ADV-C").order("4,5", "4,6").declare("4,5", "5,5", "4,6").do("D-19")
    assert play.choices == {"pass", "4,5", "4,6"}
    play.do("4,6", "D-34")
    assert (play.at("5,5"), play.question) == (None, "replenish")
    play = (
        board.dragons("bottom")
        .play("TCCC")
        .command("C-ADV-C")
        .order("4,5", "4,6")
        .declare("4,5", "5,5", "4,6")
    )
    assert (play.do("D-19", "4,6").question, play.at("5,5")) == ("bonus_melee", "top LI:4")
