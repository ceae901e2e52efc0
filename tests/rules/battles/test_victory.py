"""Winning a battle (VICTORY)."""

import pytest

from rules.battles.board import HAND, Board


def test_the_last_banner_wins_at_once() -> None:
    # BT-VICTORY-01: no honor is collected, no leader is diced for, no ground is taken
    board = Board().top("SSp@4,5").bottom("ASp:1+LF@5,5", "ASp@9,5").banners(top=4)
    play = board.fight("4,5", "5,5", "TTHF")
    assert (play.winner, play.match.over, play.banners["top"]) == ("top", True, 5)
    assert (play.honor["top"], play.at("5,5"), play.match.legal_actions()) == (5, "bottom LF", [])


def test_one_banner_less_does_not_win() -> None:
    # BT-VICTORY-01
    board = Board().top("SSp@4,5").bottom("ASp:1@5,5", "ASp@9,5").banners(top=3)
    play = board.fight("4,5", "5,5", "TTHF")
    assert (play.winner, play.banners["top"], play.question) == (None, 4, "take_ground")


def test_a_win_in_the_opponents_turn() -> None:
    # BT-VICTORY-01: by battling back
    board = Board().top("ASp:1@4,5", "ASp@1,5").bottom("SSp@5,5").banners(bottom=4)
    play = board.fight("4,5", "5,5", "CCC", "TCCC").do("4,5").quiet()
    assert (play.winner, play.state["active"]) == ("bottom", "top")


@pytest.mark.parametrize("wanted", [3, 4])
def test_a_win_in_the_middle_of_a_card(wanted: int) -> None:
    # BT-VICTORY-01: Blue Dragon dices for the second unit only if the first was not enough
    board = Board(terrain={"5,5": "FORD"}, banners_to_win=wanted).top("LI@1,5").dragons("top", "D-08")
    play = board.bottom("LI:1@4,5", "LI@6,5").banners(top=2).play(*("C" if wanted == 3 else "CX"))
    play.command("C-ADV-C", "D-08")
    assert play.winner == ("top" if wanted == 3 else None)


def test_banners_for_units_and_leaders() -> None:
    # BT-VICTORY-02: one for the unit, one for its leader
    play = Board().top("SSp@4,5").bottom("ASp:1+LF@5,5", "ASp@9,5").fight("4,5", "5,5", "TCCC", "X")
    assert [(event["why"], event["change"]) for event in play.events("banners")] == [
        ("unit", 1),
        ("leader", 1),
    ]


def test_a_banner_for_a_commander_and_none_for_his_guards() -> None:
    # BT-VICTORY-02: the last guard falls, and the commander in the check
    board = Board(tents={"bottom": "5,5"}).top("SSp@4,5").bottom("AC+BG:1@5,5", "ASp@9,5")
    play = board.fight("4,5", "5,5", "XCCC", "XX")
    assert [(event["why"], event["change"]) for event in play.events("banners")] == [("leader", 1)]


@pytest.mark.parametrize(("banners", "winner"), [(1, None), (2, "top")])
def test_three_banners_for_a_tent(banners: int, winner: str | None) -> None:
    # BT-VICTORY-02, BT-VICTORY-01: at the start of the turn, and they stay
    board = Board(tents={"bottom": "9,5"}).top("SSp@9,5").bottom("ASp@5,5").banners(top=banners)
    play = board.play()
    assert (play.banners["top"], play.winner) == (banners + 3, winner)
    if winner is None:
        play.command("C-ADV-C").order("9,5").move("9,5", "8,5").end_turn()
        assert play.banners["top"] == banners + 3


@pytest.mark.parametrize(("banners", "winner"), [(4, None), (5, "bottom")])
def test_temporary_banners_count_and_do_not_add_up(banners: int, winner: str | None) -> None:
    # BT-VICTORY-02, BT-VICTORY-01: at the Amenomiya ford for a Takeda unit on the other bank
    board = (
        Board(scenario=16, active="bottom")
        .top("SSp@0,1")
        .bottom("SSp@1,5", "SSp@10,5")
        .banners(bottom=banners)
    )
    play = board.play()
    assert (play.banners["bottom"], play.winner) == (banners + 1, winner)
    if winner is None:
        play.end_turn().command("C-GEESE").end_turn()
        assert play.banners["bottom"] == banners + 1


def test_a_temporary_banner_goes_with_its_unit() -> None:
    # BT-VICTORY-02: the unit is eliminated in the opponent's turn
    board = (
        Board(scenario=16, active="bottom").top("SSp@0,5").bottom("ASp:1@1,5", "SSp@10,5").banners(bottom=3)
    )
    play = board.play("TCCC")
    assert play.banners == {"top": 0, "bottom": 4}
    play.end_turn().command("C-ADV-C").order("0,5").attack("0,5", "1,5")
    assert play.banners == {"top": 1, "bottom": 3}


@pytest.mark.parametrize(("cards", "winner"), [(0, "bottom"), (1, "bottom"), (2, None)])
def test_who_begins_a_turn_with_one_command_card_has_lost(cards: int, winner: str | None) -> None:
    # BT-VICTORY-03
    play = Board().top("SSp@4,5").bottom("SSp@9,5").hand("top", *HAND[:cards]).play()
    assert (play.winner, play.match.over) == (winner, winner is not None)


def test_the_opponent_may_have_few_cards_until_his_turn() -> None:
    # BT-VICTORY-03: only at the start of one's own turn
    play = Board().top("SSp@4,5").bottom("SSp@9,5").hand("bottom", "C-ADV-C").play().command("C-ADV-C")
    assert play.winner is None
    assert play.end_turn().winner == "top"


@pytest.mark.parametrize(("top", "winner"), [(3, "bottom"), (4, "top")])
def test_the_first_to_have_his_number_wins(top: int, winner: str) -> None:
    # BT-VICTORY-04: the unit falls first; then Timid Success, and the victor loses one for lack of honor
    board = Board().top("SSpC:1@4,5", "ASp@1,1").bottom("LI:1@5,5", "LI@6,5").dragons("bottom", "D-34")
    board = board.honor(top=0).banners(top=top, bottom=4)
    play = board.play("CTTT", *([] if winner == "top" else ["SCFXXX"])).command("C-ADV-C").order("4,5")
    play.attack("4,5", "5,5")
    if winner == "bottom":
        play.do("4,5", "D-34")
    assert (play.winner, play.banners) == (winner, {"top": top + 1, "bottom": 4 + (winner == "bottom")})


def test_a_leader_after_his_unit() -> None:
    # BT-VICTORY-04: the order of events in one roll
    board = Board().top("SSp@4,5").bottom("ASp:1+LF@5,5", "ASp@9,5").banners(top=3)
    play = board.fight("4,5", "5,5", "TCCC", "X")
    assert (play.winner, [event["now"] for event in play.events("banners")]) == ("top", [4, 5])


def test_no_banner_for_those_who_go_by_themselves() -> None:
    # BT-VICTORY-05: seppuku, leaving, a duel and turncoats
    seppuku = Board().top("ASp@9,5").bottom("LF@10,5", "LI@9,1").fight("9,5", "10,5", "CCC")
    leaving = (
        Board()
        .top("LF@0,5", "LI@1,1")
        .bottom("LI@9,1")
        .play()
        .command("C-ADV-C")
        .order("0,5")
        .do("0,5", "leave")
    )
    board = Board().top("SSp+LF@4,5").bottom("SSp+LF@5,5").dragons("top", "D-22")
    duel = board.play("XXXXXXX", "CCCCC", "CCCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    duel.do("D-22").quiet()
    for play, why in ((seppuku, "seppuku"), (leaving, "left"), (duel, "duel")):
        assert [event["why"] for event in play.events("leader_gone")] == [why]
        assert play.banners == {"top": 0, "bottom": 0}
    board = Board().top("LI@1,5").bottom("LI@8,5").dragons("top", "D-11").honor(top=8)
    turned = board.play("HCC", "CCC").command("C-ADV-C", "D-11", "yes")
    assert (turned.pieces("bottom"), turned.banners) == (set(), {"top": 0, "bottom": 0})
