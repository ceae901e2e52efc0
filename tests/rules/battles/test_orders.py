"""Orders (ORDERS)."""

import pytest

from rules.battles.board import Board


def test_only_ordered_pieces_act() -> None:
    # BT-ORDERS-01
    board = Board().top("LI@5,5", "LI@5,6").bottom("ASp@4,5", "ASp@4,7")
    play = board.play("HH").command("C-ADV-C").order("5,5")
    assert play.choices == {"pass", "5,5"}
    play.do("pass")
    assert (play.question, play.choices) == ("battle", {"pass", "5,5"})
    play.attack("5,5", "4,5").do("pass").quiet()
    assert play.question == "replenish"


def test_one_order_a_piece() -> None:
    # BT-ORDERS-01: a piece with an order is not offered again
    play = Board().top("LI@5,5", "LF@5,6").play().command("C-ADV-C").do("5,5")
    assert play.choices == {"pass", "5,6"}
    assert play.do("5,6").quiet().question == "move"


def test_what_an_order_addresses() -> None:
    # BT-ORDERS-02: a unit with its leader, a lone leader, an attached leader alone
    board = Board().top("SSp+LF@5,5", "LM@5,6").hand("top", "C-ONE-C", "C-ONE-L")
    play = board.play().command("C-ONE-C")
    assert play.choices == {"pass", "5,5", "5,6", "leader 5,5"}
    assert board.play().command("C-ONE-C").order("5,5").ordered == {"5,5"}
    assert board.play().command("C-ONE-C").order("5,6").ordered == {"leader 5,6"}
    play = board.play().command("C-ONE-C").order("leader 5,5")
    assert (play.ordered, play.choices) == ({"leader 5,5"}, {"pass", "leader 5,5"})


ROW = tuple(f"ASp@5,{place}" for place in range(11))
"""Places 0 to 2 are in the west, 4 to 6 in the middle, 8 to 10 in the east; 3 and 7 are shared."""


def row(*places: int) -> set[str]:
    """Hexes of row 5."""
    return {f"5,{place}" for place in places}


def test_one_order_for_each_slot() -> None:
    # BT-ORDERS-03: Crane's Wing has one order for each section (top: left = east)
    board = Board().top(*ROW).hand("top", "C-CRANE", "C-ONE-L")
    play = board.play().command("C-CRANE").do("5,5")
    assert play.choices == {"pass"} | row(0, 1, 2, 3, 7, 8, 9, 10)
    play.do("5,1")
    assert play.choices == {"pass"} | row(7, 8, 9, 10)
    play.do("5,7")
    assert play.question == "move"


def test_shared_hexes_fill_either_slot() -> None:
    # BT-ORDERS-03: pieces are matched to slots as a whole: two shared pieces leave one of three slots, which
    # one is open
    board = Board().top(*ROW).hand("top", "C-CRANE", "C-ONE-L")
    play = board.play().command("C-CRANE").do("5,3", "5,7")
    assert play.choices == {"pass"} | row(*range(11)) - row(3, 7)
    assert board.play().command("C-CRANE").do("5,3", "5,7", "5,5").question == "move"
    assert board.play().command("C-CRANE").do("5,3", "5,7", "5,0").question == "move"
    # With the west taken the first shared piece is the centre's.
    assert board.play().command("C-CRANE").do("5,3", "5,0").choices == {"pass"} | row(7, 8, 9, 10)


def test_several_slots_of_a_section() -> None:
    # BT-ORDERS-03: Flanking Move: two left, two right, nobody in the centre but where hexes are shared
    board = Board().top(*ROW).hand("top", "C-FLANKS", "C-ONE-L")
    play = board.play().command("C-FLANKS")
    assert play.choices == {"pass"} | row(0, 1, 2, 3, 7, 8, 9, 10)
    assert play.do("5,0", "5,3").choices == {"pass"} | row(7, 8, 9, 10)
    assert play.do("5,7", "5,10").question == "move"


def test_shared_hexes_by_two_cards() -> None:
    # BT-ORDERS-03: Tiger's Tail Left (center 2, left 1) of the top army: three of 5,4 5,5 5,7, for 5,7 is
    # left or centre
    board = Board().top("ASp@5,4", "ASp@5,5", "ASp@5,7").hand("top", "C-TIGER-L", "C-ONE-L")
    assert board.play().command("C-TIGER-L").do("5,7", "5,4", "5,5").question == "move"
    board = Board().top("ASp@5,4", "ASp@5,5", "ASp@5,3").hand("top", "C-TIGER-L", "C-ONE-L")
    assert board.play().command("C-TIGER-L").do("5,3", "5,4").choices != {"pass", "5,5"}


def test_tactic_cards_reach_the_whole_board() -> None:
    # BT-ORDERS-04
    board = (
        Board().top("AB@5,0", "LI@5,5", "AA@5,10", "ASp@4,5").hand("top", "C-CIRCLE", "C-ONE-L", "C-ONE-C")
    )
    assert board.play().command("C-CIRCLE").choices == {"pass", "5,0", "5,5", "5,10"}


def test_surplus_orders_are_lost() -> None:
    # BT-ORDERS-05: three orders, one piece; moving begins, and nothing is kept for the next turn
    board = Board().top("ASp@5,5", "ASp@5,1").hand("top", "C-THREE-C", "C-TWO-C", "C-ONE-L").bottom("ASp@9,5")
    play = board.play().command("C-THREE-C").do("5,5")
    assert play.question == "move"
    play.end_turn().do("C-ADV-C").end_turn().command("C-TWO-C")
    assert play.choices == {"pass", "5,5"}


@pytest.mark.parametrize("cards", [2, 3, 4])
@pytest.mark.parametrize("card", ["C-ADV-C", "C-CIRCLE"])
def test_command(card: str, cards: int) -> None:
    # BT-ORDERS-06, BT-R-86: as many orders as command cards, the one being played included
    hand = (card, "C-ONE-L", "C-ONE-C", "C-ONE-R")[:cards]
    board = Board().top(*(f"LI@4,{place}" for place in (4, 5, 6, 7)), "LI@6,4", "LI@6,5").hand("top", *hand)
    play = board.play().command(card)
    for place in range(4, 4 + cards):
        assert play.question == "order"
        play.do(f"4,{place}")
    assert (play.question, len(play.ordered)) == ("move", cards)


def test_command_is_counted_when_orders_are_given() -> None:
    # BT-ORDERS-06: White Dragon draws a card before; Shogun rolls a die more, too
    board = Board().top(*(f"LI@4,{place}" for place in (4, 5, 6, 7))).hand("top", "C-ADV-C", "C-ONE-L")
    board.dragons("top", "D-35").deck("C-CRANE")
    play = board.play().command("C-ADV-C", "D-35").do("4,4", "4,5", "4,6")
    assert (play.question, play.hand("top")) == ("move", ["C-ONE-L", "C-CRANE"])
    board = Board().top("LI@4,4").hand("top", "C-SHOGUN", "C-ONE-L").dragons("top", "D-35").deck("C-CRANE")
    assert board.play("XXX").command("C-SHOGUN", "D-35").quiet().rolls("shogun") == ["XXX"]


def test_fewer_orders() -> None:
    # BT-ORDERS-07: any smaller number, also none
    board = Board().top("LI@5,4", "LI@5,5", "LI@5,6").hand("top", "C-THREE-C", "C-ONE-L")
    for count in range(4):
        play = board.play().command("C-THREE-C").order(*["5,4", "5,5", "5,6"][:count])
        assert len(play.ordered) == count


def test_detaching_a_leader() -> None:
    # BT-ORDERS-10: one order for him alone, his unit is not ordered; two for both, separately
    board = Board().top("SSp+LM@5,5").bottom("ASp@4,5").hand("top", "C-TWO-C", "C-ONE-C")
    play = board.play().command("C-ONE-C").order("leader 5,5").move("leader 5,5", "5,2").quiet()
    assert (play.at("5,5"), play.at("5,2")) == ("top SSp:4", "top LM")
    assert play.question != "battle"
    play = board.play().command("C-TWO-C").do("leader 5,5").quiet()
    assert play.choices == {"pass", "5,5"}
    play.do("5,5")
    assert (play.question, play.choices) == ("move", {"pass", "5,5", "leader 5,5"})


def test_detaching_takes_an_order() -> None:
    # DP-07, BT-ORDERS-10: with one order it is the one or the other
    board = Board().top("SSp+LM@5,5").hand("top", "C-ONE-C", "C-ONE-L")
    assert board.play().command("C-ONE-C").do("5,5").question == "move"
    assert board.play().command("C-ONE-C").do("leader 5,5").question == "move"
    # Who was ordered together stays together.
    board.hand("top", "C-TWO-C", "C-ONE-L")
    assert board.play().command("C-TWO-C").do("5,5").question == "move"


SECTION_CARDS = (
    "C-ONE-C", "C-TWO-C", "C-THREE-C", "C-ADV-C", "C-CRANE", "C-GEESE", "C-TIGER-L", "C-TIGER-R", "C-FLANKS",
)  # fmt: skip


@pytest.mark.parametrize("card", SECTION_CARDS)
def test_cards_with_the_helmet(card: str) -> None:
    # BT-ORDERS-10: all section cards
    hex_ = "5,9" if card == "C-FLANKS" else "5,5"
    board = Board().top(f"SSp+LF@{hex_}").hand("top", card, "C-TWO-L")
    assert f"leader {hex_}" in board.play().command(card).choices


@pytest.mark.parametrize(
    ("card", "unit"),
    [
        ("C-CIRCLE", "LI+LF"), ("C-TRIANGLE", "ASp+LF"), ("C-SQUARE", "SSp+LF"), ("C-CAVALRY", "SSpC+LM"),
        ("C-HOLD", "AB+LF"), ("C-ASSAULT", "ASp+LF"), ("C-LEADER", "ASp+LF"), ("C-SNAKE", "ASp+LF"),
    ],
)  # fmt: skip
def test_cards_without_the_helmet(card: str, unit: str) -> None:
    # BT-ORDERS-11: no leader who is with a unit is ordered by himself
    board = Board().top(f"{unit}@5,5").hand("top", card, "C-ONE-L")
    assert board.play().command(card).choices == {"pass", "5,5"}


def test_the_commander_is_never_detached() -> None:
    # BT-ORDERS-11: not even with the helmet, nor by a flag of Shogun
    board = Board(tents={"top": "5,5"}).top("AC+BG@5,5").hand("top", "C-ONE-C", "C-SHOGUN")
    assert board.play().command("C-ONE-C").choices == {"pass", "5,5"}
    assert board.play("FF").command("C-SHOGUN").choices == {"pass", "5,5"}


def test_joining_gives_no_order() -> None:
    # BT-ORDERS-12: the unit that a leader joins neither moves nor battles
    board = Board().top("SSp@5,6", "LF@5,5").bottom("ASp@4,6")
    play = board.play().command("C-ADV-C").order("5,5").move("5,5", "5,6").quiet()
    assert (play.at("5,6"), play.question) == ("top SSp:4+LF", "replenish")


@pytest.mark.parametrize(
    ("card", "unit"),
    [
        ("C-CIRCLE", "LI"), ("C-TRIANGLE", "ASp"), ("C-SQUARE", "SSp"), ("C-CAVALRY", "SSpC"),
        ("C-HOLD", "AB"),
        ("C-ASSAULT", "SSp"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("leader", ["LF", "LM"])
def test_cards_for_units_only(card: str, unit: str, leader: str) -> None:
    # BT-ORDERS-13, BT-R-64: no lone leader, not even as the one unit of choice
    board = Board().top(f"{unit}@5,5", f"{leader}@5,6").hand("top", card, "C-ONE-L")
    assert board.play().command(card).choices == {"pass", "5,5"}
    board = Board().top(f"{leader}@5,6").hand("top", card, "C-ONE-L")
    assert board.play().command(card).quiet().question == "replenish"


@pytest.mark.parametrize("card", ["C-ONE-C", "C-LEADER", "C-SNAKE"])
def test_cards_for_units_and_leaders(card: str) -> None:
    # BT-ORDERS-13
    board = Board().top("ASp@5,5", "LF@5,6").hand("top", card, "C-ONE-L")
    assert board.play().command(card).choices == {"pass", "5,5", "5,6"}


@pytest.mark.parametrize(
    ("card", "unit", "other"),
    [
        ("C-CIRCLE", "LI", "ASp"), ("C-TRIANGLE", "ASp", "SSp"), ("C-SQUARE", "SSp", "LI"),
        ("C-CAVALRY", "SBC", "SSp"),
        ("C-HOLD", "AB", "SSp"), ("C-ASSAULT", "LI", "SSpC"),
    ],
)  # fmt: skip
def test_fallback(card: str, unit: str, other: str) -> None:
    # BT-R-22: one unit of choice only if there is none of the kind on the board
    board = Board().top(f"{other}@5,5", f"{other}@5,6").hand("top", card, "C-ONE-L")
    play = board.play().command(card)
    assert play.choices == {"pass", "5,5", "5,6"}
    assert play.do("5,5").quiet().question == "move"
    board.top(f"{unit}@0,0")
    assert board.play().command(card).choices == {"pass", "0,0"}


def test_unusable_units_do_not_open_the_fallback() -> None:
    # BT-R-22: a missile unit next to an enemy cannot hold and shoot, and nobody else can either
    board = Board().top("AB@5,5", "SSp@0,0").bottom("ASp@4,5").hand("top", "C-HOLD", "C-ONE-L")
    assert board.play().command("C-HOLD").quiet().question == "replenish"


def test_a_detached_leader_that_does_not_move() -> None:
    # BT-R-23: he stays with his unit and is attached as before
    board = Board().top("SSp+LF@5,5").bottom("ASp@4,5")
    play = board.play("HHHHH").command("C-ADV-C").order("leader 5,5", "5,5").move("leader 5,5", "5,5")
    play.declare("5,5", "4,5").until("inspire").do("yes").quiet()
    assert (play.at("5,5"), play.rolls("melee")) == ("top SSp:4+LF", ["HHHHH"])


def test_leader_and_unit_go_separately() -> None:
    # BT-R-24: in either order; the unit leaves him alone in the hex, or he leaves it
    board = Board().top("ASp+LF@5,5")
    play = board.play().command("C-ADV-C").order("leader 5,5", "5,5").move("5,5", "5,4")
    assert (play.at("5,4"), play.at("5,5")) == ("top ASp:4", "top LF")
    play.move("5,5", "5,7")
    assert play.pieces("top") == {"ASp:4@5,4", "LF@5,7"}
    play = board.play().command("C-ADV-C").order("leader 5,5", "5,5").move("leader 5,5", "5,7")
    play.move("5,5", "5,4")
    assert play.pieces("top") == {"ASp:4@5,4", "LF@5,7"}
    play = board.play().command("C-ADV-C").order("leader 5,5", "5,5").move("5,5", "5,4").move("5,5", "5,4")
    assert play.pieces("top") == {"ASp:4+LF@5,4"}  # and finds it again


def test_a_unit_by_itself_may_join_another_leader() -> None:
    # BT-R-24: it counts as a unit without leader
    board = Board().top("ASp+LF@5,5", "LF@5,4")
    assert "5,4" not in board.play().command("C-ADV-C").order("5,5").do("5,5").quiet().choices
    play = board.play().command("C-ADV-C").order("leader 5,5", "5,5").move("5,5", "5,4")
    assert play.pieces("top") == {"ASp:4+LF@5,4", "LF@5,5"}


def test_a_unit_that_a_leader_has_joined_may_join_another() -> None:
    # BT-R-24, BT-MOVE-09: it moves by itself, away from the leader who came this turn, and finds a third
    board = Board().top("LM@5,3", "ASp@5,5", "LF@5,6")
    play = board.play().command("C-GEESE").order("5,3", "5,5").move("5,3", "5,5").move("5,5", "5,6")
    assert play.pieces("top") == {"LM@5,5", "ASp:4+LF@5,6"}


def test_a_detached_leader_needs_a_slot_of_his_section() -> None:
    # BT-ORDERS-03, BT-ORDERS-10: leader and unit take two orders of the section they stand in
    board = Board().top("ASp+LF@5,9", "ASp@5,8").hand("top", "C-TWO-L", "C-ONE-L")
    play = board.play().command("C-TWO-L").do("leader 5,9")
    assert play.choices == {"pass", "5,9", "5,8"}
    assert play.do("5,8").question == "move"
    board.hand("top", "C-CRANE", "C-ONE-L")
    assert (
        board.play().command("C-CRANE").do("leader 5,9").quiet().question == "move"
    )  # one order to the left
