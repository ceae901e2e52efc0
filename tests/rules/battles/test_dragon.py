"""The dragon cards (DRAGON): windows and costs, and the cards for attacks, leaders and healing."""

import re
from collections import Counter

import pytest

from rules.battles.board import HAND, SIDES, Board, Play, drawn

CARDS = {
    "D-01": ("Ashigaru Attack", 1, "W-CMD-A", 2),
    "D-02a": ("Courageous Leader (after roll)", 1, "W-POST-O", 1),
    "D-02b": ("Courageous Leader (before roll)", 1, "W-PRE-O", 1),
    "D-03": ("Ninja Assassin", 1, "W-CMD-A", 3),
    "D-04": ("Tactical Wisdom", 2, "W-CMD-A", 1),
    "D-05": ("Physician", 1, "W-CMD-A", 2),
    "D-06": ("Terror Strike", 1, "W-PRE-R", 3),
    "D-07": ("Ambush", 1, "W-FIRST", 2),
    "D-08": ("Blue Dragon", 1, "W-CMD-A", 3),
    "D-09": ("Wise Advisor", 1, "W-END-A", 1),
    "D-10": ("Desperate Charge", 1, "W-PRE-R", 2),
    "D-11": ("Turncoats", 1, "W-CMD-A", 3),
    "D-12": ("Fire Arrows", 1, "W-CMD-A", 2),
    "D-13": ("Brave Messenger", 1, "W-CMD-A", 1),
    "D-14": ("Cowards", 1, "W-PRE-R", 2),
    "D-15": ("Courage", 1, "W-PRE-O", 1),
    "D-16": ("Volley by Ranks", 1, "W-CMD-A", 2),
    "D-17": ("Head Collector", 1, "W-PRE-R", 0),
    "D-18": ("Katchu Keiba Winner", 1, "W-MOVE-A", 1),
    "D-19": ("Legendary Combat", 1, "W-SUCCESS-A", 2),
    "D-20": ("Followers of Bishamon", 1, "W-CMD-D", 3),
    "D-21": ("Insult", 1, "W-MOVE-D", 1),
    "D-22": ("Personal Challenge", 2, "W-MELEE-START", 0),
    "D-23": ("Move Like the Wind", 1, "W-CMD-A", 2),
    "D-24": ("Ninja Thief", 1, "W-CMD-A", 1),
    "D-25": ("Aikido Training", 1, "W-PRE-O", 2),
    "D-26": ("Panic", 1, "W-CMD-A", 3),
    "D-27": ("Rice Famine", 1, "W-CMD-A", 3),
    "D-28": ("Red Dragon", 1, "W-CMD-A", 3),
    "D-29": ("Vengeance", 1, "W-PRE-R", 1),
    "D-30": ("Bulletproof Armor", 1, "W-POST-O", 3),
    "D-31": ("Spirit of Haya-ji", 1, "W-MOVE-A", 2),
    "D-32": ("Spirit of Kisshoten", 1, "W-POST-R", 2),
    "D-33": ("Tea Ceremony", 1, "W-CMD-A", 0),
    "D-34": ("Timid Success", 1, "W-GROUND-D", 1),
    "D-35": ("White Dragon", 1, "W-CMD-A", 3),
    "D-36": ("Wild Winds", 1, "W-CMD-D", 2),
    "D-37": ("White Fox Spirit", 1, "W-CMD-D", 2),
}
"""Names, copies, windows and costs of BT-DRAGON-01."""
NON_ACTIVE = {"D-20", "D-21", "D-25", "D-29", "D-30", "D-34", "D-36", "D-37", "D-07"}
"""Cards that only the player can play whose turn it is not."""
ROLLED_AGAINST = {"D-02a", "D-02b", "D-15"}
"""Cards for the side that is rolled against: the other one in an attack, the active one in a battle back."""
ANSWERS = {
    "play_command": "C-TWO-C",
    "order": "3,5",
    "move": "3,5",
    "destination": "4,5",
    "battle": "4,5",
    "ignore_flags": "0",
    "retreat": "6,5",
    "take_ground": "4,5",
    "battle_back": "4,5",
}
FIGHT = {"W-POST-R", "W-POST-O", "W-SUCCESS-A", "W-GROUND-D"}
"""Windows after a roll."""


def scene(card: str, side: str, *, window: str) -> Play:
    """A turn in which every card has its place, played until this card is offered to this side."""
    answers = dict(ANSWERS)
    board = Board(terrain={"6,6": "RIVER"}).discards("D-05" if card != "D-05" else "D-01", "C-CRANE")
    board.top("SSpC:1+LM@3,5", "ASp@1,1", "AA@1,2", "AB@3,6").bottom("SSp:1+LF@5,5", "LI@9,1")
    board.hand("top", "C-TWO-C", "C-GEESE").dragons(side, card)
    script = "FCCC" if window in FIGHT or card == "D-29" else ""
    if card == "D-30":
        answers |= {"order": "3,6", "battle": "3,6", "move": "pass"}
        script = "CC"
    elif card == "D-29" or (side == "top" and card in ROLLED_AGAINST):
        answers |= {"ignore_flags": "1"}
        script = "FCCC" + ("CCCC" if card == "D-02a" else "")
    elif window == "W-END-A":
        answers |= {"order": "pass"}
    elif side == "bottom" and window in ("W-PRE-R", "W-POST-R"):
        answers |= {"ignore_flags": "1"}
        script = "FCCC" + ("CCCC" if window == "W-POST-R" else "")
    play = board.play(script)
    for _ in range(40):
        if card in play.choices and play.asked == side and play.question == "window":
            return play
        answer = answers.get(play.question or "", "pass")
        play.do(answer if answer in play.choices else "pass")
    raise AssertionError(f"{card} is never offered")


def players(card: str) -> list[str]:
    """Who can play a card in the turn of the top army."""
    either = {"D-02a", "D-02b", "D-06", "D-10", "D-14", "D-15", "D-22", "D-32"}
    return list(SIDES) if card in either else ["bottom" if card in NON_ACTIVE else "top"]


@pytest.mark.parametrize(("card", "side"), [(card, side) for card in CARDS for side in players(card)])
def test_each_card_by_its_name_in_its_window_at_its_cost(card: str, side: str) -> None:
    # BT-DRAGON-01, BT-R-71: and by either player where the table says so
    name, _, window, cost = CARDS[card]
    play = scene(card, side, window=window)
    [action] = [action for action in play.match.legal_actions() if action.args.get("card") == card]
    assert (play.window, action.args["cost"]) == (window, cost)
    assert re.sub(r" \(.*", "", action.args["name"]) == re.sub(r" \(.*", "", name)


def test_forty_cards() -> None:
    # BT-DRAGON-01
    state = Board(scenario=1).play().state["dragon"]
    cards = Counter(state["deck"] + state["hands"]["top"] + state["hands"]["bottom"])
    assert cards == Counter({card: copies for card, (_, copies, _, _) in CARDS.items()})
    assert cards.total() == 40


# Cards for units that attack (D-01, D-12, D-16).


def test_ashigaru_attack() -> None:
    # BT-DRAGON-10: a die more for triangles, not for others, and not for the enemy's battle back
    board = Board().top("ASp@4,5", "SSp@4,7").bottom("ASp@5,5", "ASp@5,7").dragons("top", "D-01")
    play = board.play("CCCC", "CCC", "CCCC").command("C-ADV-C", "D-01").order("4,5", "4,7")
    play.attack("4,5", "5,5").do("4,5").attack("4,7", "5,7")
    assert play.rolls() == ["CCCC", "CCC", "CCCC"]
    assert play.honor["top"] == 3


@pytest.mark.parametrize(
    ("unit", "to", "dice"),
    [("SB", "3,5", "CCCC"), ("AB", "3,5", "CCC"), ("SBC", "3,4", "CC"), ("AA", "3,5", "SS")],
)
def test_fire_arrows(unit: str, to: str, dice: str) -> None:
    # BT-DRAGON-21: bows shoot a die more, also when they moved, arquebuses do not
    board = Board().top(f"{unit}@3,5", "SB@0,0").bottom("SSp@5,5").dragons("top", "D-12")
    play = board.play("T" * len(dice)).command("C-ADV-C", "D-12").order("3,5").move("3,5", to)
    assert play.attack(to, "5,5").rolls() == ["T" * len(dice)]
    assert play.honor["top"] == 3


def test_fire_arrows_do_not_burn_in_melee() -> None:
    # BT-DRAGON-21
    board = Board().top("SB@4,5").bottom("SSp@5,5").dragons("top", "D-12")
    play = board.play("CCC").command("C-ADV-C", "D-12").order("4,5").attack("4,5", "5,5")
    assert play.rolls() == ["CCC"]


def test_volley_by_ranks() -> None:
    # BT-DRAGON-25, BT-R-80: three dice; two X hit and are rolled again for a hit and a flag; another X is not
    board = Board().top("AA@3,5").bottom("ASp@5,5").dragons("top", "D-16")
    play = board.play("XXC", "TF").command("C-ADV-C", "D-16").order("3,5").attack("3,5", "5,5").do("6,5")
    assert (play.at("6,5"), play.rolls(), play.honor) == (
        "bottom ASp:1",
        ["XXC", "TF"],
        {"top": 3, "bottom": 4},
    )


def test_a_volley_rolls_swords_again_only_once() -> None:
    # BT-DRAGON-25, BT-R-80: the second X hits too; H is worth nothing
    board = Board().top("AA@3,5").bottom("ASp@5,5").dragons("top", "D-16")
    play = board.play("XHC", "X").command("C-ADV-C", "D-16").order("3,5").attack("3,5", "5,5")
    assert (play.at("5,5"), play.honor["top"]) == ("bottom ASp:2", 3)


def test_a_volley_is_for_arquebuses() -> None:
    # BT-DRAGON-25
    board = Board().top("AB@3,5", "AA@0,0").bottom("ASp@5,5").dragons("top", "D-16")
    play = board.play("XC").command("C-ADV-C", "D-16").order("3,5").attack("3,5", "5,5")
    assert play.at("5,5") == "bottom ASp:4"


# Ninja Assassin.


def test_ninja_assassin() -> None:
    # BT-DRAGON-12, D-03: the leader falls, the unit stays; a banner, and a command card is lost
    board = Board().top("LI@1,5").bottom("SSp+LF@8,5", "LM@9,5").dragons("top", "D-03")
    play = board.play("X").command("C-ADV-C", "D-03", "8,5")
    assert (play.pieces("bottom"), play.banners) == ({"SSp:4@8,5", "LM@9,5"}, {"top": 1, "bottom": 0})
    assert (len(play.hand("bottom")), play.honor["top"]) == (4, 2)


@pytest.mark.parametrize("face", "CTSFH")
def test_the_assassin_fails_without_swords(face: str) -> None:
    # BT-DRAGON-12
    board = Board().top("LI@1,5").bottom("SSp+LF@8,5").dragons("top", "D-03")
    play = board.play(face).command("C-ADV-C", "D-03")
    assert (play.at("8,5"), play.banners["top"], len(play.hand("bottom"))) == ("bottom SSp:4+LF", 0, 5)


def test_the_assassin_is_paid_what_the_leader_is_worth() -> None:
    # BT-DRAGON-12: in the first phase of Arita Castle a leader is worth two banners
    board = Board(scenario=2).top("LI@1,5").bottom("SSp+LF@8,5").dragons("top", "D-03")
    assert board.play("X").command("C-ADV-C", "D-03").banners["top"] == 2


def test_the_assassin_takes_a_commander_with_all_his_guards() -> None:
    # BT-DRAGON-12, BT-R-19
    board = (
        Board(tents={"bottom": "10,5"}).top("LI@1,5").bottom("AC+BG@10,5", "LI@9,1").dragons("top", "D-03")
    )
    play = board.play("X").command("C-ADV-C", "D-03")
    assert (play.pieces("bottom"), play.banners["top"]) == ({"LI:4@9,1"}, 1)


@pytest.mark.parametrize("seed", range(5))
def test_the_assassin_costs_a_random_card(seed: int) -> None:
    # BT-R-73, BT-RAND-04: the draw after the die says which one
    board = Board().top("LI@1,5").bottom("SSp+LF@8,5").dragons("top", "D-03")
    play = board.play("X", seed=seed).command("C-ADV-C", "D-03")
    lost = HAND[drawn(1, 5, seed)]
    assert (play.events("command_lost")[0]["card"], play.discarded("command")) == (lost, [lost])


# Tactical Wisdom.


@pytest.mark.parametrize(
    ("card", "choices"),
    [
        ("C-ADV-C", {"center>left", "center>right"}),
        ("C-THREE-L", {"left>center", "left>right"}),
        ("C-TIGER-L", {"center>left", "center>right", "left>center", "left>right"}),
        ("C-FLANKS", {"left>center", "left>right", "right>center", "right>left"}),
    ],
)
def test_tactical_wisdom_changes_one_section(card: str, choices: set[str]) -> None:
    # DP-04, BT-DRAGON-13, D-04
    board = Board().top("LI@1,5").bottom("LI@8,5").hand("top", card, "C-SNAKE").dragons("top", "D-04")
    play = board.play().command(card, "D-04")
    assert (play.question, play.choices, play.honor["top"]) == ("tactical_wisdom", choices, 4)


def test_entries_of_one_section_add_up() -> None:
    # BT-DRAGON-13: Tiger's Tail, the left order to the center: three there, none on the left
    board = Board().top("LI@1,4", "LI@1,5", "LI@1,6", "LI@1,9").bottom("LI@8,5")
    board = board.hand("top", "C-TIGER-L", "C-SNAKE").dragons("top", "D-04")
    play = board.play().command("C-TIGER-L", "D-04", "left>center")
    assert play.choices == {"pass", "1,4", "1,5", "1,6"}
    play.do("1,4", "1,5", "1,6")
    assert (play.question, play.ordered) == ("move", {"1,4", "1,5", "1,6"})


@pytest.mark.parametrize("card", ["C-CRANE", "C-GEESE", "C-SNAKE", "C-SQUARE", "C-SHOGUN"])
def test_no_wisdom_with_three_sections_or_tactics(card: str) -> None:
    # BT-DRAGON-13: not even asked
    board = (
        Board()
        .top("LI@1,5", "LI@1,6")
        .bottom("LI@8,5")
        .hand("top", card, "C-ADV-L")
        .dragons("top", "D-04", "D-33")
    )
    assert board.play().command(card).choices == {"pass", "D-33"}


# Physician.


@pytest.mark.parametrize(
    ("tents", "at", "blocks"),
    [
        ({}, "1,5", 2),
        ({"top": "0,5"}, "1,5", 4),
        ({"top": "0,5"}, "1,1", 2),
        ({"top": "0,5"}, "1,3", 4),  # a hex of both sections
        ({"bottom": "10,5"}, "1,5", 2),
    ],
)
def test_physician(tents: dict[str, str], at: str, blocks: int) -> None:
    # BT-DRAGON-14, D-05: one block, or all of them in a section with the own tent
    board = Board(tents=tents).top(f"SSp:1@{at}", "ASp@2,8").bottom("LI:1@8,5").dragons("top", "D-05")
    play = board.play().command("C-GEESE", "D-05")
    assert (play.at(at), play.honor["top"]) == (f"top SSp:{blocks}", 3)


def test_only_reduced_units_are_healed() -> None:
    # BT-DRAGON-14
    board = (
        Board().top("SSp:3@1,5", "ASp:1@2,8", "LI@1,1", "LM@1,2").bottom("LI:1@8,5").dragons("top", "D-05")
    )
    assert board.play().command("C-GEESE", "D-05").choices == {"1,5", "2,8"}
    whole = Board().top("SSp@1,5").bottom("LI:1@8,5").dragons("top", "D-05", "D-33")
    assert whole.play().command("C-GEESE").choices == {"pass", "D-33"}


def test_a_removed_tent_heals_nobody() -> None:
    # BT-DRAGON-14: the tent is no longer on the battlefield
    board = Board(tents={"top": "0,5"}).top("SSp:1@1,5").bottom("LI@8,5").dragons("top", "D-05")
    play = board.set(tents={"top": False}).play().command("C-GEESE", "D-05")
    assert play.at("1,5") == "top SSp:2"


def test_a_bodyguard_is_healed() -> None:
    # BT-R-77
    board = Board(tents={"top": "0,5"}).top("AC+BG:1@0,5").bottom("LI@8,5").dragons("top", "D-05")
    assert board.play().command("C-GEESE", "D-05").at("0,5") == "top BG:4+AC"


# Blue Dragon.


def test_blue_dragon() -> None:
    # BT-DRAGON-17, D-08: units in or beside water, row by row; its own symbol costs a block
    terrain = {"2,3": "RIVER", "5,5": "FORD", "7,7": "BRIDGE"}
    board = Board(terrain=terrain).top("SSp@2,4").dragons("top", "D-08")
    board.bottom("SSp@1,2", "ASp@5,5", "LI@7,7", "LI@7,8", "LI@9,1")
    play = board.play("STXC").command("C-ADV-C", "D-08")
    assert play.rolls() == ["S", "T", "X", "C"]
    assert play.pieces("bottom") == {"SSp:3@1,2", "ASp:3@5,5", "LI:4@7,7", "LI:3@7,8", "LI:4@9,1"}
    assert play.pieces("top") == {"SSp:4@2,4"}


def test_blue_dragon_eliminates() -> None:
    # BT-DRAGON-17: a banner, no check, and no harm to a bodyguard
    board = Board(terrain={"9,5": "SHALLOW"}, tents={"bottom": "10,5"}).top("SSp@2,4").dragons("top", "D-08")
    play = board.bottom("LI:1+LF@9,4", "AC+BG@10,5").play("C").command("C-ADV-C", "D-08")
    assert (play.pieces("bottom"), play.banners["top"]) == ({"LF@9,4", "BG:4+AC@10,5"}, 1)


# Wise Advisor.


def test_wise_advisor() -> None:
    # DP-30, BT-DRAGON-18, D-09: any discarded card, but not the one played this turn, and none from the deck
    board = Board().top("LI@1,5").bottom("LI@8,5").dragons("top", "D-09").deck("C-SHOGUN")
    play = board.discards("C-CRANE", "C-FIRST").play().command("C-ADV-C").until("W-END-A").do("D-09")
    assert (play.question, play.choices) == ("advise", {"C-CRANE", "C-FIRST"})
    play.do("C-CRANE")
    assert play.hand("top") == ["C-ADV-L", "C-ADV-R", "C-GEESE", "C-SNAKE", "C-CRANE"]
    assert (play.discarded("command"), play.honor["top"]) == (["C-FIRST", "C-ADV-C"], 4)


def test_no_advice_without_discards() -> None:
    # BT-DRAGON-18: the card of this turn is not there yet
    board = Board().top("LI@1,5").bottom("LI@8,5").dragons("top", "D-09")
    assert board.play().command("C-ADV-C").until("W-END-A", "replenish").question == "replenish"


def test_advice_replaces_the_whole_draw_of_an_order_one_card() -> None:
    # BT-DRAGON-18: not draw two and keep one; the dragon card is drawn all the same
    board = Board().top("LI@1,5").bottom("LI@8,5").hand("top", "C-ONE-C", "C-ADV-L").dragons("top", "D-09")
    play = board.discards("C-CRANE").deck("C-SHOGUN", "D-37").play().command("C-ONE-C").until("W-END-A")
    play.do("D-09", *({"C-CRANE"} & play.choices))
    assert (play.question, play.hand("top")) == ("replenish", ["C-ADV-L", "C-CRANE"])
    assert (play.dragons("top"), play.discarded("command")) == (["D-37"], ["C-ONE-C"])


@pytest.mark.parametrize(("third", "asked"), [("7,5", "replenish"), ("5,5", "window")])
def test_no_advice_without_a_draw(third: str, asked: str) -> None:
    # BT-DRAGON-18: at the Tedorigawa the Oda draw nothing until three of their units are across
    board = Board(scenario=32, active="bottom").top("LI@0,0").bottom("ASp@5,3", "ASp@5,4", f"ASp@{third}")
    play = board.discards("C-CRANE").dragons("bottom", "D-09").play().command("C-ADV-C")
    assert play.until("W-END-A", "replenish").question == asked


@pytest.mark.parametrize(("card", "kept"), [("C-ADV-C", []), ("C-ONE-C", ["C-SHOGUN"])])
def test_advice_replaces_the_plain_one_of_two_draws(card: str, kept: list[str]) -> None:
    # BT-DRAGON-18: Imagawa at Okehazama, in his first turn
    board = Board(scenario=12).hand("top", card, "C-ADV-L").discards("C-CRANE").dragons("top", "D-09")
    board = board.deck("C-SHOGUN", "C-HOLD", "C-FIRST", "D-37").set(
        first="bottom", turns={"top": 1, "bottom": 1}
    )
    play = board.play().command(card).until("W-END-A").do("D-09").do(*kept)
    drawn_cards = kept or ["C-SHOGUN"]
    assert sorted(play.until("replenish").hand("top")) == sorted(["C-ADV-L", "C-CRANE", *drawn_cards])


# Turncoats.


def turncoats(*script: str, **honor: int) -> Play:
    """The card is played on the one unit of the bottom army without a leader."""
    board = Board().top("LI@1,5").bottom("SSp:2@2,6", "ASp+LF@9,5").dragons("top", "D-11").honor(**honor)
    return board.play(*script).command("C-ADV-C", "D-11")


def test_turncoats_change_sides() -> None:
    # DP-05, BT-DRAGON-20, D-11: with as many blocks, without a banner, and they may be ordered at once
    play = turncoats("HHC", "CHCCC").do("yes")
    assert (play.pieces("bottom"), play.at("2,6")) == ({"ASp:4+LF@9,5"}, "top SSp:2")
    assert (play.banners, play.honor, play.ordered) == (
        {"top": 0, "bottom": 0},
        {"top": 2, "bottom": 5},
        set(),
    )
    assert play.choices == {"pass", "1,5", "2,6"}


def test_the_winner_need_not_take_them() -> None:
    # BT-DRAGON-20
    play = turncoats("HHC", "CHCCC").do("pass")
    assert play.at("2,6") == "bottom SSp:2"


@pytest.mark.parametrize(("own", "other"), [("HCC", "HCCCC"), ("CCC", "CCCCC"), ("HCC", "HHCCC")])
def test_turncoats_stay_unless_he_has_more_honor_faces(own: str, other: str) -> None:
    # BT-DRAGON-20
    play = turncoats(own, other)
    assert (play.question, play.at("2,6")) == ("order", "bottom SSp:2")


@pytest.mark.parametrize(
    ("honor", "banners", "own", "other"),
    [
        ({"top": 8}, {}, 3, 3),  # equal once the card is paid for
        ({"top": 9}, {}, 5, 3),
        ({"top": 7}, {}, 3, 5),
        ({"top": 8}, {"top": 2, "bottom": 1}, 4, 3),
        ({"top": 8}, {"bottom": 1}, 3, 4),
        ({"top": 9}, {"top": 1}, 6, 3),
    ],
)
def test_dice_of_turncoats(honor: dict[str, int], banners: dict[str, int], own: int, other: int) -> None:
    # BT-DRAGON-20, BT-R-78: three, one for more banners, two for more honor after paying
    board = Board().top("LI@1,5").bottom("SSp:2@2,6").dragons("top", "D-11").honor(**honor).banners(**banners)
    play = board.play("C" * own, "C" * other).command("C-ADV-C", "D-11")
    assert play.rolls() == ["C" * own, "C" * other]
    assert [event["side"] for event in play.events("rolled")] == ["top", "bottom"]


def test_whom_turncoats_are_played_on() -> None:
    # BT-DRAGON-20: no unit with a leader, no bodyguard
    board = Board(tents={"bottom": "10,5"}).top("LI@1,5").dragons("top", "D-11")
    board.bottom("AC+BG@10,5", "SSp+LF@9,5", "LI@9,1", "AB@8,3", "LM@7,3")
    assert board.play().command("C-ADV-C", "D-11").choices == {"9,1", "8,3"}
