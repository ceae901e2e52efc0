"""The dragon cards of movement (DRAGON): extra orders, longer moves and Insult."""

import pytest

from rules.battles.board import Board, Play, hexes

# Brave Messenger.


@pytest.mark.parametrize(("tents", "extra"), [({}, 1), ({"top": "0,5"}, 2), ({"bottom": "10,5"}, 1)])
def test_brave_messenger(tents: dict[str, str], extra: int) -> None:
    # BT-DRAGON-22, D-13: one order in any section, two with the own tent
    board = Board(tents=tents).top("LI@1,1", "LI@1,4", "LI@1,6", "LI@1,9").bottom("LI@8,5")
    board = board.hand("top", "C-ONE-L", "C-SNAKE").dragons("top", "D-13")
    play = board.play().command("C-ONE-L", "D-13")
    assert play.choices == {"pass", "1,1", "1,4", "1,6", "1,9"}
    play.do("1,9", "1,1")
    assert (play.question, play.honor["top"]) == ("order" if extra == 2 else "move", 4)
    if extra == 2:
        assert play.do("1,4").ordered == {"1,1", "1,4", "1,9"}
        assert play.question == "move"


def test_a_messenger_reaches_units_only() -> None:
    # BT-DRAGON-22: not a lone leader, not a leader by himself
    board = Board().top("SSp+LM@1,1", "LF@1,4", "LI@1,9").bottom("LI@8,5")
    board = board.hand("top", "C-ONE-L", "C-SNAKE").dragons("top", "D-13")
    assert board.play().command("C-ONE-L", "D-13").choices == {"pass", "1,1", "1,9"}


def test_a_messenger_orders_the_unit_whose_leader_is_detached() -> None:
    # BT-DRAGON-22: the card orders the leader, the messenger his unit
    board = (
        Board().top("SSp+LM@1,9").bottom("LI@8,5").hand("top", "C-ONE-L", "C-SNAKE").dragons("top", "D-13")
    )
    play = board.play().command("C-ONE-L", "D-13").do("leader 1,9", "1,9")
    assert play.ordered == {"leader 1,9", "1,9"}


@pytest.mark.parametrize(
    ("card", "playable"), [("C-TWO-C", True), ("C-THREE-R", True), ("C-ADV-C", False), ("C-TIGER-L", False)]
)
def test_a_messenger_goes_with_order_cards(card: str, playable: bool) -> None:
    # BT-DRAGON-22
    board = Board().top("LI@1,5").bottom("LI@8,5").hand("top", card, "C-SNAKE").dragons("top", "D-13", "D-33")
    assert ("D-13" in board.play().command(card).choices) == playable


# Cards for moves.


def reached(play: Play) -> int:
    """The number of rows that the unit in row 1 can move forward."""
    return max(int(hex_.split(",")[0]) for hex_ in play.choices) - 1


@pytest.mark.parametrize(("unit", "hexes_"), [("SSpC", 4), ("SBC", 4)])
def test_katchu_keiba_winner(unit: str, hexes_: int) -> None:
    # BT-DRAGON-27, D-18: two hexes more, and it may battle
    board = Board().top(f"{unit}@1,5").bottom("LI@6,7").dragons("top", "D-18")
    play = board.play().command("C-ADV-C").order("1,5").do("1,5", "D-18")
    assert (reached(play), play.honor["top"]) == (hexes_, 4)
    assert play.do("5,7").battlers() == {"5,7"}


def test_katchu_keiba_is_for_one_cavalry_unit() -> None:
    # BT-DRAGON-27: infantry is not asked, another cavalry unit moves as usual
    board = Board().top("SSpC@1,5", "SSpC@1,6", "LI@1,4").bottom("LI@9,1").dragons("top", "D-18", "D-31")
    play = board.play().command("C-ADV-C").order("1,4", "1,5", "1,6").do("1,4")
    assert play.choices == {"pass", "D-31"}
    play.do("pass", "1,4", "1,5", "D-18", "5,5", "1,6")
    assert reached(play) == 2


@pytest.mark.parametrize(
    ("unit", "moves", "battles"),
    [("SSp", 2, 2), ("ASp", 3, 2), ("AA", 3, 1), ("LI", 3, 3), ("AB", 3, 3), ("SSpC", 2, 2)],
)
def test_move_like_the_wind(unit: str, moves: int, battles: int) -> None:
    # BT-DRAGON-32, D-23: one hex more for infantry, also for moving and battling
    for distance, to, enemy in ((1, "2,5", "3,4"), (2, "3,5", "4,6"), (3, "4,5", "5,4")):
        board = Board().top(f"{unit}@1,5", "LI@0,0").bottom(f"LI@{enemy}").dragons("top", "D-23")
        play = board.play().command("C-ADV-C", "D-23").order("1,5").do("1,5")
        assert ((to in play.choices), play.honor["top"]) == (distance <= moves, 3)
        if distance <= moves:
            assert play.do(to).battlers() == ({to} if distance <= battles else set())


def test_spirit_of_hayaji_passes_pieces_and_stops() -> None:
    # BT-DRAGON-40, D-31: through friends, enemies and a lone leader, over a forest, but not into them
    board = Board(terrain={"3,4": "FOREST"}).top("ASp@1,5", "LI@2,5", "LI@2,6").dragons("top", "D-31")
    board.bottom("LI@3,5", "LM@3,6", "LI@5,5")
    play = board.play().command("C-ADV-C").order("1,5").do("1,5")
    assert play.choices == {"pass", "D-31"}
    play.do("D-31")
    assert {hex_ for hex_ in play.choices if hex_[0] in "234"} == {
        *("2,3", "2,4", "2,7", "2,8", "3,3", "3,4", "3,7", "4,4", "4,5", "4,6", "4,7"),
    }
    assert play.honor["top"] == 3


def test_without_hayaji_they_are_in_the_way() -> None:
    # BT-DRAGON-40: the same unit, hemmed in
    board = Board(terrain={"3,4": "FOREST"}).top("ASp@1,5", "LI@2,5", "LI@2,6")
    play = board.bottom("LI@3,5", "LM@3,6", "LI@5,5").play().command("C-ADV-C").order("1,5").do("1,5")
    assert {hex_ for hex_ in play.choices if hex_[0] in "234"} == {"2,4", "2,7"}


def test_hayaji_after_a_longer_move_still_battles() -> None:
    # BT-DRAGON-40: ashigaru battle after two hexes; the third is one too many
    for to, battles in (("3,5", True), ("4,5", False)):
        board = Board().top("ASp@1,5").bottom("LI@4,6", "LI@5,5").dragons("top", "D-31")
        play = board.play().command("C-ADV-C").order("1,5").do("1,5", "D-31", to)
        assert play.battlers() == ({to} if battles else set())


def test_hayaji_crosses_nothing_impassable_and_obeys_the_last_hex() -> None:
    # BT-DRAGON-40: a river stays closed; buildings at the end of the move forbid battle
    river = dict.fromkeys(hexes(3), "RIVER")
    board = Board(terrain=river).top("ASp@1,5").bottom("LI@9,1").dragons("top", "D-31")
    assert reached(board.play().command("C-ADV-C").order("1,5").do("1,5", "D-31")) == 1
    board = Board(terrain={"3,5": "BUILDINGS"}).top("ASp@1,5").bottom("LI@4,5").dragons("top", "D-31")
    assert board.play().command("C-ADV-C").order("1,5").do("1,5", "D-31", "3,5").battlers() == set()


def test_a_bodyguard_never_moves_not_even_with_hayaji() -> None:
    # BT-DRAGON-40
    board = Board(tents={"top": "0,5"}).top("AC+BG@0,5").bottom("LI@1,5").dragons("top", "D-31")
    play = board.play().command("C-ADV-C").order("0,5").until("battle")
    assert play.events("dragon_played") == []


# Insult.


def test_insult() -> None:
    # BT-DRAGON-30, D-21: leader and unit go back; the unit may neither move again nor battle
    board = Board().top("SSp+LF@3,5", "SSp@3,6").bottom("LI@5,5").dragons("bottom", "D-21")
    play = board.play().command("C-ADV-C").order("3,5", "3,6").do("3,5", "4,5", "D-21")
    assert (play.at("3,5"), play.at("4,5"), play.honor["bottom"]) == ("top SSp:4+LF", None, 4)
    assert (play.question, play.choices) == ("move", {"pass", "3,6"})
    assert play.do("3,6", "4,6").battlers() == {"4,6"}


def test_an_insulted_unit_does_not_battle_where_it_stands() -> None:
    # BT-DRAGON-30: though enemies were next to it all the time
    board = Board().top("SSp+LF@4,4").bottom("LI@5,4").dragons("bottom", "D-21")
    play = board.play().command("C-ADV-C").order("4,4").do("4,4", "4,5", "D-21")
    assert play.battlers() == set()


def test_an_insulted_leader_comes_back_to_his_unit() -> None:
    # BT-DRAGON-30: he had detached; the unit that he joined is not affected and may battle
    board = Board().top("LI+LF@4,6", "SSp@4,4").bottom("LI@5,4").dragons("bottom", "D-21")
    play = board.play().command("C-ADV-C").order("leader 4,6", "4,4").do("leader 4,6", "4,4")
    assert (play.window, play.at("4,4")) == ("W-MOVE-D", "top SSp:4+LF")
    play.do("D-21")
    assert (play.at("4,4"), play.at("4,6")) == ("top SSp:4", "top LI:4+LF")
    assert play.battlers() == {"4,4"}


def test_insult_keeps_a_leader_on_the_board() -> None:
    # BT-DRAGON-30: before the honor is paid
    board = Board().top("LF@0,5", "LI@1,1").bottom("LI@9,5").dragons("bottom", "D-21")
    play = board.play().command("C-ADV-C").order("0,5").do("0,5", "leave")
    assert (play.window, play.honor["top"]) == ("W-MOVE-D", 5)
    play.do("D-21").until("replenish")
    assert (play.at("0,5"), play.honor["top"], play.events("leader_gone")) == ("top LF", 5, [])


@pytest.mark.parametrize("insult", [True, False])
def test_insult_comes_before_what_the_move_brings(insult: bool) -> None:
    # BT-DRAGON-30: at Okehazama the Oda win as soon as a unit of theirs enters the Imagawa tent
    board = Board(scenario=12, active="bottom").top("LI@0,0").bottom("SSp+LF@5,5").dragons("top", "D-21")
    play = board.play().command("C-ADV-C").order("5,5").do("5,5", "4,5")
    assert (play.window, play.winner) == ("W-MOVE-D", None)
    play.do("D-21" if insult else "pass")
    assert play.winner == (None if insult else "bottom")
