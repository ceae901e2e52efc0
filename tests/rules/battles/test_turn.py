"""The sequence of a turn (TURN)."""

import pytest

from rules.battles.board import HAND, Board
from sengoku import Match


def test_turns_alternate() -> None:
    # BT-TURN-01: T0 to T5, then the other player's
    play = Board().top("ASp@5,5").bottom("ASp@6,9").play()
    assert (play.asked, play.question) == ("top", "play_command")
    play.do("C-ADV-C").quiet()
    assert (play.asked, play.question) == ("top", "order")
    play.order("5,5")
    assert (play.asked, play.question) == ("top", "move")
    play.do("5,5").quiet()
    assert (play.asked, play.question) == ("top", "destination")
    play.do("5,6").quiet()
    assert (play.asked, play.question) == ("top", "replenish")
    play.do("take_honor").quiet()
    assert (play.asked, play.question, play.state["active"]) == ("bottom", "play_command", "bottom")
    play.command("C-ADV-R").end_turn()
    assert (play.asked, play.state["active"], play.state["round"]) == ("top", "top", 3)
    kinds = [event["event"] for event in play.events()]
    order = ["turn_begun", "command_played", "ordered", "orders_given", "moved"]
    assert sorted(order, key=kinds.index) == order


def test_start_of_a_turn_in_order() -> None:
    # BT-TURN-02 (a) before (c): the tent gives the last banners before anything else; nothing is played any
    # more
    board = Board(tents={"bottom": "6,5"}).top("SSp@6,5").bottom("ASp@10,5").banners(top=2)
    play = board.hand("top", "C-ONE-L").play()  # one card: he would have to surrender
    assert (play.winner, play.reason) == ("top", "banners")


def test_scenario_banners_come_before_victory() -> None:
    # BT-TURN-02 (b), (c): battle 18: Hojo (bottom) has 4 of 5 banners and gains the last one for an empty
    # section
    board = (
        Board(scenario=18, active="bottom").top("ASp@4,9").bottom("ASp@9,5").set(round=2).banners(bottom=4)
    )
    play = board.play()
    assert (play.winner, play.reason) == ("bottom", "banners")


@pytest.mark.parametrize("cards", [0, 1, 2])
def test_surrender(cards: int) -> None:
    # BT-TURN-02 (d), BT-VICTORY-03: with one command card or none at the start of the own turn
    play = Board().top("ASp@5,5").bottom("ASp@8,5").hand("top", *HAND[:cards]).play()
    if cards == 2:
        assert (play.winner, play.question) == (None, "play_command")
    else:
        assert (play.winner, play.reason) == ("bottom", "surrender")


def test_few_cards_matter_in_the_own_turn_only() -> None:
    # BT-TURN-02 (d): the other one may have none
    play = Board().top("ASp@5,5").bottom("ASp@8,5").hand("bottom").play()
    assert not play.match.over
    play.command("C-ADV-C").end_turn()
    assert (play.winner, play.reason) == ("top", "surrender")


def test_tent_and_banners_come_before_the_surrender() -> None:
    # BT-R-20, BT-TURN-02: the tent makes the enemy lose a card and gives 3 banners, then the player
    # surrenders
    board = Board(tents={"bottom": "6,5"}).top("SSp@6,5").bottom("ASp@10,5").hand("top", "C-ONE-L")
    play = board.play()
    assert (play.winner, play.banners["top"], len(play.hand("bottom"))) == ("bottom", 3, 4)


def test_exactly_one_command_card() -> None:
    # BT-TURN-03: one of the hand, with one dragon card of W-CMD-A; then W-CMD-D of the other player, then
    # they resolve
    board = Board().top("ASp@5,5", "AB@5,6").bottom("ASp@8,5").dragons("top", "D-01", "D-06")
    board.dragons("bottom", "D-20")
    play = board.play()
    assert play.choices == set(HAND)  # passing is not possible
    play.do("C-ADV-C")
    assert (play.asked, play.window, play.choices) == ("top", "W-CMD-A", {"pass", "D-01"})
    play.do("D-01")
    assert (play.asked, play.window, play.choices) == ("bottom", "W-CMD-D", {"pass", "D-20"})
    play.do("D-20")
    assert (play.asked, play.question) == ("top", "order")
    assert play.hand("top") == [card for card in HAND if card != "C-ADV-C"]
    assert play.state["turn"]["command"] == "C-ADV-C"


def test_cards_of_t1_resolve_before_orders() -> None:
    # BT-TURN-03: Wild Winds changes the card that orders are given by
    board = Board().top("ASp@5,5", "AB@5,9").hand("top", "C-ONE-C", "C-ONE-L").bottom("ASp@8,5")
    board.dragons("bottom", "D-36")
    play = board.play().command("C-ONE-C", "D-36")
    assert (play.question, play.choices) == ("order", {"pass", "5,9"})


@pytest.mark.parametrize("card", ["C-ONE-R", "C-FIRST", "C-COUNTER"])
def test_a_card_without_orders(card: str) -> None:
    # BT-TURN-04: any card may be played; where it orders nobody the turn goes to its end
    board = Board().top("ASp@5,9").bottom("ASp@5,10").hand("top", card, "C-ONE-C")
    play = board.play().command(card).quiet()
    expected = "keep_one" if card == "C-ONE-R" else "replenish"
    assert (play.asked, play.question) == ("top", expected)
    assert play.events("ordered") == []


def test_no_orders_given() -> None:
    # BT-TURN-04: so it does if the player gives none although he could
    play = Board().top("ASp@5,5").bottom("ASp@5,6").play().command("C-ADV-C").do("pass").quiet()
    assert play.question == "replenish"


def test_all_orders_before_any_move() -> None:
    # BT-TURN-05
    play = Board().top("ASp@5,5", "ASp@5,6").play().command("C-ADV-C").do("5,5")
    assert (play.question, play.choices) == ("order", {"pass", "5,6"})
    play.do("pass")
    assert (play.question, play.choices) == ("move", {"pass", "5,5"})  # no order for 5,6 any more


def test_moves_one_at_a_time() -> None:
    # BT-TURN-06: in any order, each once; a unit that stays has used its move; what is never chosen stays
    play = Board().top("LI@5,4", "LI@5,5", "LI@5,6").play().command("C-ADV-C").order("5,4", "5,5", "5,6")
    assert play.choices == {"pass", "5,4", "5,5", "5,6"}
    play.move("5,6", "4,6").move("5,4", "5,4")
    assert (play.question, play.choices) == ("move", {"pass", "5,5"})
    play.move("5,5", "5,6").quiet()
    assert (play.question, play.pieces("top")) == ("replenish", {"LI:4@5,4", "LI:4@5,6", "LI:4@4,6"})


def test_a_move_is_completed_before_the_next() -> None:
    # BT-TURN-06: once a piece is chosen only its own destinations are offered
    play = Board().top("LI@5,4", "LI@5,6").play().command("C-ADV-C").order("5,4", "5,6").do("5,4").quiet()
    assert (play.question, "5,4" in play.choices, "5,6" in play.choices) == ("destination", True, False)


def test_who_cannot_move_is_not_offered() -> None:
    # BT-TURN-06: the bodyguard; units under Hold and Shoot
    board = Board(tents={"top": "5,5"}).top("AC+BG@5,5", "LI@5,6").bottom("ASp@4,5")
    assert board.play().command("C-ADV-C").order("5,5", "5,6").choices == {"pass", "5,6"}
    board = Board().top("AB@5,5").bottom("ASp@5,8").hand("top", "C-HOLD", "C-ONE-L")
    assert board.play().command("C-HOLD").order("5,5").question == "battle"


def test_battles_one_at_a_time() -> None:
    # BT-TURN-07: in any order, ranged and melee mixed; each is over before the next; none is compulsory
    board = Board().top("SSp@5,4", "SB@5,6", "ASp@5,8").bottom("ASp@4,5", "ASp@3,6", "ASp@4,9")
    play = board.play("CCC", "FHHH").command("C-GEESE").order("5,4", "5,6", "5,8").do("pass")
    assert (play.question, play.choices) == ("battle", {"pass", "5,4", "5,6", "5,8"})
    play.attack("5,6", "3,6")
    assert (play.question, play.choices) == ("battle", {"pass", "5,4", "5,8"})
    play.attack("5,4", "4,5")
    assert (play.at("5,5"), play.question) == ("bottom ASp:4", "take_ground")  # the only way back
    play.do("pass").quiet()
    assert (play.question, play.choices) == ("battle", {"pass", "5,8"})
    assert play.do("pass").quiet().question == "replenish"


def test_a_unit_battles_once() -> None:
    # BT-TURN-07, BT-ORDERS-01
    board = Board().top("SB@5,5", "ASp@0,0").bottom("ASp@3,5", "ASp@3,6")
    play = board.play("CCC").command("C-ADV-C").order("5,5").attack("5,5", "3,5")
    assert play.question == "replenish"


def test_end_of_the_turn() -> None:
    # BT-TURN-08: T5 draws a card, replenishes, and passes the turn
    play = Board().top("ASp@5,5").bottom("ASp@8,5").deck("C-CRANE").play().command("C-ADV-C").end_turn()
    assert play.hand("top") == [card for card in HAND if card != "C-ADV-C"] + ["C-CRANE"]
    assert (play.honor["top"], play.state["active"]) == (7, "bottom")


def test_no_turn_limit_in_the_rules() -> None:
    # BT-R-21: a host's cap ends the match without a result
    board = Board().top("ASp@5,5").bottom("ASp@8,5").options(max_rounds=3)
    play = board.play()
    for _ in range(2):
        play.do(min(play.choices)).end_turn()
        play.do(min(play.choices)).end_turn()
    assert play.match.over
    outcome = play.match.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.by_rule, outcome.winner) == ("round_limit", False, None)
    assert Match.create("battles", seats=2, seed=1).state()["options"]["max_rounds"] >= 1000
