"""Army commander, bodyguard and command tent (ARMY-COMMANDER)."""

import pytest

from rules.battles.board import HAND, Board, Play

TENT = {"bottom": "6,5"}
"""Above it are 5,4 and 5,5, below 7,4 and 7,5."""


def against(
    attacker: str, script: str, *, bg: int = 4, friends: tuple[str, ...] = (), at: str = "5,5"
) -> Play:
    """The top army melees the commander of the bottom army."""
    board = Board(tents=TENT).top(f"{attacker}@{at}").bottom(f"AC+BG:{bg}@6,5", *friends)
    return board.play(script).command("C-ADV-C").order(at).attack(at, "6,5")


def test_commander_in_his_tent() -> None:
    # BT-ARMY-COMMANDER-01: he is with his bodyguard; both are one unit with a leader and get one order
    board = (
        Board(active="bottom", tents=TENT).bottom("AC+BG@6,5", "ASp@9,5").hand("bottom", "C-ONE-C", "C-ONE-L")
    )
    play = board.play().command("C-ONE-C")
    assert play.choices == {"pass", "6,5", "9,5"}
    assert play.order("6,5").ordered == {"6,5"}


def test_commander_and_bodyguard_do_not_move() -> None:
    # BT-ARMY-COMMANDER-02: ordered they may only melee; they take no ground, whatever happens
    board = Board(active="bottom", tents=TENT).bottom("AC+BG@6,5").top("AB:1@5,5", "AB@4,5")
    play = board.play("CCCC").command("C-ADV-C").order("6,5")
    assert (play.question, play.choices) == ("battle", {"pass", "6,5"})
    play.attack("6,5", "5,5")
    assert (play.at("5,5"), play.at("6,5"), play.question) == (None, "bottom BG:4+AC", "replenish")


@pytest.mark.parametrize("blocks", [4, 1])
def test_bodyguards_ignore_all_flags(blocks: int) -> None:
    # BT-ARMY-COMMANDER-03, BT-R-09: they must, nobody is asked, nothing is paid
    play = against("SSp", "FFFF", bg=blocks)
    assert (play.at("6,5"), play.honor["bottom"]) == (f"bottom BG:{blocks}+AC", 5)
    assert (play.asked, play.question) == ("bottom", "battle_back")


def test_bodyguards_ignore_flags_of_cards() -> None:
    # BT-ARMY-COMMANDER-03: Panic, Cowards and Terror Strike drive nobody out of the tent
    for card, window in [("D-26", "W-CMD-A"), ("D-14", "W-PRE-R"), ("D-06", "W-PRE-R")]:
        board = Board(tents=TENT).top("SSp@5,5").bottom("AC+BG@6,5").dragons("top", card)
        play = board.play("FFFF").command("C-ADV-C", *([card] if window == "W-CMD-A" else []))
        play.order("5,5").declare("5,5", "6,5")
        if window == "W-PRE-R":
            play.do(card)
        play.quiet()
        assert (play.at("6,5"), play.honor["bottom"]) == ("bottom BG:4+AC", 5)
        assert play.question == "battle_back"


@pytest.mark.parametrize("blocks", [1, 2, 3, 4])
def test_dice_of_bodyguards(blocks: int) -> None:
    # BT-ARMY-COMMANDER-04: a die per block, attacking, battling back and striking first
    script = "H" * blocks
    board = Board(active="bottom", tents=TENT).bottom(f"AC+BG:{blocks}@6,5").top("SSp@5,5")
    assert board.play(script).command("C-ADV-C").order("6,5").attack("6,5", "5,5").rolls("melee") == [script]
    board = Board(tents=TENT).top("AB@5,5").bottom(f"AC+BG:{blocks}@6,5").hand("bottom", "C-FIRST", "C-ONE-L")
    play = board.play("HH", script).command("C-ADV-C").order("5,5").attack("5,5", "6,5").do("5,5").quiet()
    assert play.rolls("battle_back") == [script]
    play = (
        board.play(script, "HH").command("C-ADV-C").order("5,5").declare("5,5", "6,5").do("C-FIRST").quiet()
    )
    assert play.rolls("first_strike", "melee") == [script, "HH"]


def test_terrain_caps_bodyguards() -> None:
    # BT-ARMY-COMMANDER-04, BT-TERRAIN-03: the infantry column of the opponent's hex
    board = Board(active="bottom", tents=TENT, terrain={"5,5": "GORGE", "5,4": "FIELDS"})
    board.bottom("AC+BG@6,5").top("SSp@5,5", "SSp@5,4")
    assert board.play("HH").command("C-ADV-C").order("6,5").attack("6,5", "5,5").rolls("melee") == ["HH"]
    assert board.play("HHHH").command("C-ADV-C").order("6,5").attack("6,5", "5,4").rolls("melee") == ["HHHH"]


def test_bodyguards_roll_swords_again() -> None:
    # BT-ARMY-COMMANDER-05: two X stay hits and are rolled again; the new X hits and is not rolled again, the
    # new H counts
    board = Board(active="bottom", tents=TENT).bottom("AC+BG@6,5").top("SSp@5,5")
    board.hand("top", "C-ONE-L", "C-ONE-C")
    play = board.play("XXCF", "XH").command("C-ADV-C").order("6,5").attack("6,5", "5,5")
    assert (play.rolls(), play.honor["bottom"]) == (["XXCF", "XH"], 6)
    assert (play.at("5,5"), play.question, play.choices) == ("top SSp:1", "ignore_flags", {"0", "1"})
    # Symbols and flags of the second throw count as well.
    play = board.play("XHHH", "S").command("C-ADV-C").order("6,5").attack("6,5", "5,5")
    assert play.at("5,5") == "top SSp:2"
    play = board.play("XHHH", "F").command("C-ADV-C").order("6,5").attack("6,5", "5,5")
    assert (play.question, play.state["question"]["flags"]) == ("ignore_flags", 1)


def test_bodyguards_roll_swords_again_battling_back() -> None:
    # BT-ARMY-COMMANDER-05: in every melee roll
    board = Board(tents=TENT).top("SSp@5,5").bottom("AC+BG:2@6,5")
    play = (
        board.play("HHHH", "XX", "XS").command("C-ADV-C").order("5,5").attack("5,5", "6,5").do("5,5").quiet()
    )
    assert play.at("5,5") is None


def test_neither_rank_nor_stature_against_bodyguards() -> None:
    # BT-ARMY-COMMANDER-06, BT-ARMY-COMMANDER-07: X of a levy are hits, and so are theirs against cavalry
    play = against("LI", "XX" + "CC")
    assert play.at("6,5") == "bottom BG:2+AC"
    board = Board(active="bottom", tents=TENT).bottom("AC+BG:2@6,5").top("SSpC@5,5")
    play = board.play("XX", "CC").command("C-ADV-C").order("6,5").attack("6,5", "5,5")
    assert play.at("5,5") == "top SSpC:2"


def test_only_swords_hit_bodyguards() -> None:
    # BT-ARMY-COMMANDER-07: no other symbol does
    assert against("SSp", "CTSH").at("6,5") == "bottom BG:4+AC"
    assert against("SSp", "CTSX" + "CC").at("6,5") == "bottom BG:3+AC"


def test_bodyguards_cannot_be_shot_at() -> None:
    # BT-ARMY-COMMANDER-07
    for shooter in ("SB", "AB", "SBC", "AA"):
        board = Board(tents=TENT).top(f"{shooter}@4,5").bottom("AC+BG@6,5", "ASp@4,7")
        dice = "HHH" if shooter in {"SB", "SBC"} else "HH"
        play = board.play(dice).command("C-ADV-C").order("4,5").do("pass", "4,5").quiet()
        assert [event["target"] for event in play.events("attack")] == ["4,7"]  # nobody else


@pytest.mark.parametrize("dice", ["XC", "CX", "CC", "FH"])
def test_commander_survives_unless_both_dice_are_swords(dice: str) -> None:
    # BT-ARMY-COMMANDER-08, BT-R-15
    play = against("SSp", "XXCC" + dice)
    assert (play.rolls(), play.at("6,5")) == (["XXCC", dice], "bottom BG:2+AC")


def test_commander_falls() -> None:
    # BT-ARMY-COMMANDER-08, BT-ARMY-COMMANDER-09: X X; one banner for him, none for bodyguards that surrender
    play = against("SSp", "XCCC" + "XX")
    assert (play.at("6,5"), play.banners) == (None, {"top": 1, "bottom": 0})
    assert play.events("unit_gone", why="surrendered")
    assert (play.asked, play.question) == ("top", "take_ground")


def test_one_check_for_each_combat_with_a_loss() -> None:
    # BT-ARMY-COMMANDER-08: none without a loss
    assert against("SSp", "CCCC").rolls() == ["CCCC"]


def test_last_bodyguard_falls() -> None:
    # BT-ARMY-COMMANDER-09, BT-ARMY-COMMANDER-10, BT-R-15: no banner; two dice all the same; the commander
    # retreats for 3 honor or commits seppuku
    play = against("SSp", "XXXX" + "XC", bg=2)
    assert (play.asked, play.question, play.banners["top"]) == ("bottom", "leader_fate", 0)
    one, two, three = {"7,4", "7,5"}, {"8,4", "8,5", "8,6"}, {"9,3", "9,4", "9,5", "9,6"}
    assert play.choices == {"seppuku"} | one | two | three
    play.do("9,6").quiet()
    assert (play.at("9,6"), play.honor["bottom"]) == ("bottom LF", 2)
    leader = play.state["leaders"][0]
    assert (leader["leader"], leader["was_commander"]) == ("LF", True)
    play = against("SSp", "XXXX" + "XX", bg=2)  # and both dice eliminate him
    assert (play.at("6,5"), play.banners["top"]) == (None, 1)


def test_last_bodyguard_falls_and_the_commander_dies_by_his_own_hand() -> None:
    # BT-ARMY-COMMANDER-10, BT-LEADERS-22
    board = Board(tents=TENT).top("SSp@5,5").bottom("AC+BG:1@6,5", "ASp@10,10")
    play = board.play("XCCC", "CC").command("C-ADV-C").order("5,5").attack("5,5", "6,5").do("seppuku").quiet()
    assert (play.at("6,5"), play.banners["top"], play.honor["bottom"]) == (None, 0, 10)
    assert play.question == "take_ground"


def test_former_commander_is_a_foot_leader() -> None:
    # BT-ARMY-COMMANDER-10: two hexes, joins infantry, not cavalry, can be detached and may leave
    board = Board(active="bottom").bottom("LF*@9,5", "SSpC@8,5", "ASp@8,6")
    play = board.play().command("C-ADV-C").order("9,5").do("9,5")
    assert {"leave", "8,6", "7,5"} <= play.choices
    assert not play.choices & {"8,5", "6,5"}
    board = Board(active="bottom").bottom("ASp+LF*@9,5")
    assert "leader 9,5" in board.play().command("C-ADV-C").choices


@pytest.mark.parametrize(("enemy", "dice"), [("SSp+LM", [7, 6]), ("SSp+LF", [7, 5]), ("SSp+LF*", [7, 5])])
def test_former_commander_is_a_foot_leader_in_a_duel(enemy: str, dice: list[int]) -> None:
    # BT-ARMY-COMMANDER-10, BT-DRAGON-31: challenger +2, equal honor, 5 and 5 cards; a mounted leader has the
    # higher status, foot leaders are equal
    board = Board().top("SSp+LF*@5,5").bottom(f"{enemy}@4,5").dragons("top", "D-22").honor(top=5, bottom=5)
    play = board.play("C" * dice[0], "C" * dice[1], "CCCC").command("C-ADV-C").order("5,5")
    play.declare("5,5", "4,5").do("D-22").quiet()
    assert [len(roll) for roll in play.rolls("personal_challenge")] == dice


def test_commander_inspires() -> None:
    # BT-ARMY-COMMANDER-11: his bodyguard and any infantry or cavalry next to his tent, 1 honor each
    for unit, at, dice in [("SSp", "5,4", 5), ("SBC", "5,4", 4), ("LI", "7,5", 3), ("ASp", "6,3", 0)]:
        board = Board(active="bottom", tents=TENT).bottom("AC+BG@6,5", f"{unit}@{at}")
        row, place = map(int, at.split(","))
        enemy = f"{row},{place - 1}"
        board.top(f"SSp@{enemy}")
        play = board.play("C" * (dice or 3)).command("C-ADV-C" if place >= 4 else "C-ADV-L").order(at)
        play.declare(at, enemy).until("inspire", "battle_back")
        assert (play.question == "inspire") == bool(dice)
        if dice:
            play.do("yes").quiet()
            assert (play.rolls("melee"), play.honor["bottom"]) == (["C" * dice], 4)
    board = Board(active="bottom", tents=TENT).bottom("AC+BG@6,5").top("SSp@5,5")
    play = board.play("C" * 5).command("C-ADV-C").order("6,5").declare("6,5", "5,5").until("inspire")
    play.do("yes").quiet()
    assert play.rolls("melee") == ["C" * 5]


def tent_board(occupant: str, *, active: str = "top", tents: dict[str, str] | None = None) -> Board:
    """The top army is in the tent of the bottom army, whose commander is gone."""
    return Board(active=active, tents=tents or TENT, banners_to_win=5).top(occupant).bottom("ASp@10,5")


def test_capture_of_the_tent() -> None:
    # BT-ARMY-COMMANDER-12, BT-TURN-02: at the start of the turn 3 banners, a card is lost at random, the tent
    # is removed
    play = tent_board("SSp@6,5").play()
    assert (play.banners, play.state["tents"]["bottom"]) == ({"top": 3, "bottom": 0}, False)
    (lost,) = play.state["command"]["discards"]
    assert sorted([*play.hand("bottom"), lost]) == sorted(HAND)
    # The hex is open ground: nobody stops there, and nothing obstructs.
    play.command("C-ADV-C").order("6,5").move("6,5", "6,6").end_turn().command("C-ADV-C").end_turn()
    assert play.banners["top"] == 3  # once


def test_a_removed_tent_is_open_ground() -> None:
    # BT-ARMY-COMMANDER-12: no stop and no obstruction where it stood
    ring = [f"LI@{hex_}" for hex_ in ("6,3", "5,3", "5,4", "7,3", "7,4")]  # 6,5 is the only way out of 6,4
    for stands in (True, False):
        board = Board(tents=TENT).top("LI@6,4").bottom(*ring).set(tents={"bottom": stands})
        choices = board.play().command("C-ADV-C").order("6,4").do("6,4").quiet().choices
        assert ("6,5" in choices, "6,6" in choices) == (True, not stands)
        board = Board(tents=TENT).top("AB@6,4").bottom("ASp@6,6").set(tents={"bottom": stands})
        play = board.play().command("C-ADV-C").order("6,4").do("pass")
        assert (play.question == "battle") == (not stands)


def test_tents_are_captured_at_the_start_of_the_turn_only() -> None:
    # BT-ARMY-COMMANDER-12: not when it is entered, not in the owner's turn
    board = Board(tents=TENT).top("SSp@5,5", "ASp@0,0").bottom("ASp@10,5")
    play = board.play().command("C-ADV-C").order("5,5").move("5,5", "6,5")
    assert play.banners["top"] == 0
    play.end_turn()
    assert (play.banners["top"], play.state["tents"]["bottom"]) == (0, True)
    play.command("C-ADV-C").end_turn()
    assert (play.banners["top"], play.state["tents"]["bottom"]) == (3, False)


def test_only_units_capture_a_tent() -> None:
    # BT-R-16
    play = tent_board("LM@6,5").play()
    assert (play.banners["top"], play.state["tents"]["bottom"]) == (0, True)


def test_own_tents() -> None:
    # BT-R-17: friends may enter their own empty tent and must stop; nobody captures his own
    board = Board(active="bottom", tents=TENT).bottom("LI@6,4", "LF@7,4")
    play = board.play().command("C-ADV-C").order("6,4", "7,4")
    assert "6,5" in play.do("6,4").quiet().choices
    play.do("6,5").do("7,4").quiet()
    assert "6,5" in play.choices  # he joins the unit there
    assert tent_board("ASp@0,0").bottom("SSp@6,5").set(active="bottom").play().state["tents"]["bottom"]
    ring = [f"LI@{hex_}" for hex_ in ("6,3", "5,3", "5,4", "7,3", "7,4")]
    for mover in ("LI", "LM"):
        board = Board(active="bottom", tents=TENT).bottom(f"{mover}@6,4").top(*ring)
        assert board.play().command("C-ADV-C").order("6,4").do("6,4").quiet().choices == {"6,4", "6,5"}


def test_a_tent_on_the_battlefield() -> None:
    # BT-ARMY-COMMANDER-13: the tile counts, with or without a commander: Tea Ceremony gives 3 honor for an H,
    # else 2
    for tents, stands, honor in [({}, None, 2), ({"top": "0,5"}, True, 3), ({"top": "0,5"}, False, 2)]:
        board = Board(tents=tents).top("ASp@5,5").dragons("top", "D-33").hand("top", "C-ONE-C", "C-ONE-L")
        if stands is not None:
            board.set(tents={"top": stands})
        assert board.play("HC").command("C-ONE-C", "D-33").quiet().honor["top"] == 5 + honor


def test_bodyguards_against_a_lone_leader() -> None:
    # BT-R-18: LEADERS-20 holds: X eliminates, and is rolled again like any X of theirs
    board = Board(active="bottom", tents=TENT).bottom("AC+BG@6,5").top("LF@5,5", "ASp@0,0")
    play = board.play("CCCX", "C").command("C-ADV-C").order("6,5").attack("6,5", "5,5")
    assert (play.at("5,5"), play.banners["bottom"]) == (None, 1)
    play = board.play("CCCC").command("C-ADV-C").order("6,5").attack("6,5", "5,5")
    assert (play.asked, play.question) == ("top", "leader_fate")


def test_cards_eliminate_a_commander() -> None:
    # BT-R-19, BT-ARMY-COMMANDER-09: Ninja Assassin on X: a banner for him, the bodyguard surrenders without
    # one
    board = Board(tents=TENT).top("ASp@0,0").bottom("AC+BG@6,5", "ASp@9,9").dragons("top", "D-03")
    play = board.play("X").command("C-ADV-C", "D-03").quiet()
    assert (play.at("6,5"), play.banners["top"], len(play.hand("bottom"))) == (None, 1, 4)


def test_a_commander_loses_a_duel() -> None:
    # BT-R-19, BT-R-50: Personal Challenge: no banner; the bodyguard surrenders and the melee is over before a
    # roll
    board = Board(tents=TENT).top("SSp+LF@5,5").bottom("AC+BG@6,5", "ASp@9,9").dragons("top", "D-22")
    play = board.play("X" + "C" * 6, "C" * 6).command("C-ADV-C").order("5,5").declare("5,5", "6,5").do("D-22")
    play.quiet()
    assert (play.at("6,5"), play.banners["top"], play.rolls("melee")) == (None, 0, [])
    assert play.question not in {"take_ground", "bonus_melee"}


def test_nobody_passes_through_the_tent_of_the_commander() -> None:
    # BT-ARMY-COMMANDER-01, BT-MOVE-08: it is a stop, and he may not end there
    ring = [f"LI@{hex_}" for hex_ in ("6,3", "5,3", "5,4", "7,3", "7,4")]
    board = Board(active="bottom", tents=TENT).bottom("LM@6,4", "AC+BG@6,5", "ASp@9,9").top(*ring)
    play = board.play().command("C-ADV-C").order("6,4").do("6,4").quiet()
    assert (play.question, play.at("6,4")) == ("replenish", "bottom LM")  # he can only stay


def test_bodyguards_roll_swords_again_striking_first() -> None:
    # BT-ARMY-COMMANDER-05, BT-CMD-20
    board = Board(tents=TENT).top("SSp@5,5").bottom("AC+BG:2@6,5").hand("bottom", "C-FIRST", "C-ONE-L")
    play = board.play("XC", "S", "HHHH").command("C-ADV-C").order("5,5").declare("5,5", "6,5").do("C-FIRST")
    play.quiet()
    assert (play.rolls(), play.at("5,5")) == (["XC", "S", "HHHH"], "top SSp:2")


def test_red_dragon_does_not_move_bodyguards() -> None:
    # BT-ARMY-COMMANDER-03: X is no symbol that it drives back
    board = Board(tents=TENT).top("ASp@0,0").bottom("AC+BG@6,5", "SSp@2,2").dragons("top", "D-28")
    play = board.play("XXX").command("C-ADV-R", "D-28").quiet()
    assert (play.at("6,5"), play.at("2,2")) == ("bottom BG:4+AC", "bottom SSp:4")


def test_both_tents() -> None:
    # BT-ARMY-COMMANDER-12: each army captures the other's; its own tent is not concerned
    board = Board(tents={"top": "2,5", "bottom": "6,5"}).top("SSp@6,5").bottom("SSp@2,5")
    play = board.play()
    assert (play.banners, play.state["tents"]) == ({"top": 3, "bottom": 0}, {"top": True, "bottom": False})
    play.command("C-ADV-C").end_turn()
    assert (play.banners, play.state["tents"]) == ({"top": 3, "bottom": 3}, {"top": False, "bottom": False})


def test_a_commander_whose_guards_fall_while_they_attack() -> None:
    # BT-ARMY-COMMANDER-10, BT-CMD-20: First Strike ends the attack, and he goes home for three honor
    board = Board(active="bottom", tents=TENT).bottom("AC+BG:1@6,5").top("SSp@5,5", "ASp@1,1")
    board.hand("top", "C-FIRST", "C-ONE-L")
    play = board.play("XCCC", "XC").command("C-ADV-C").order("6,5").declare("6,5", "5,5").do("C-FIRST")
    play.quiet()
    assert (play.asked, play.question) == ("bottom", "leader_fate")
    play.do("8,5").until("replenish")
    assert (play.at("6,5"), play.at("8,5"), play.honor["bottom"]) == (None, "bottom LF", 2)
    assert (play.at("5,5"), play.banners) == ("top SSp:4", {"top": 0, "bottom": 0})
