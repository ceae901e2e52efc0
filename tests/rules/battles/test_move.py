"""Movement (MOVE)."""

import pytest

from rules.battles.board import Board, Play, hexes

AROUND = {"5,4", "5,6", "4,5", "4,6", "6,5", "6,6"}
"""The neighbours of 5,5."""
FAR = {
    "5,3", "5,7", "4,4", "4,7", "6,4", "6,7", "3,4", "3,5", "3,6", "7,4", "7,5", "7,6",
}  # fmt: skip
"""The hexes two steps from 5,5."""


def reach(board: Board, hex_: str, *also: str) -> set[str]:
    """Where an ordered piece can go, its own hex left out."""
    play = board.play().command("C-ADV-C").order(*also, hex_).do(hex_).quiet()
    return play.choices - {hex_} if play.question == "destination" else set()


def test_moves_in_any_direction() -> None:
    # DP-10, BT-MOVE-01: up to mv hexes, none is possible, also across sections
    assert reach(Board().top("SSp@5,5"), "5,5") == AROUND
    assert reach(Board().top("LI@5,5"), "5,5") == AROUND | FAR
    play = Board().top("LI@5,5").play().command("C-ADV-C").order("5,5")
    assert "5,5" in play.do("5,5").quiet().choices
    play = Board().top("LI@5,4").play().command("C-ADV-C").order("5,4").move("5,4", "5,2")
    assert play.at("5,2") == "top LI:4"  # from the centre into the west


def test_one_move_a_turn() -> None:
    # DP-08, BT-MOVE-01
    play = Board().top("LI@5,5").play().command("C-ADV-C").order("5,5").move("5,5", "5,6").quiet()
    assert play.question == "replenish"


@pytest.mark.parametrize("piece", ["LI@5,6", "LI+LF@5,6"])
def test_friendly_units_are_in_the_way(piece: str) -> None:
    # BT-MOVE-02: neither into their hex nor through it
    ring = [f"LI@{hex_}" for hex_ in sorted(AROUND - {"5,6"})]
    assert reach(Board().top("LI@5,5", piece, *ring), "5,5") == set()


@pytest.mark.parametrize("piece", ["LI@5,6", "LI+LF@5,6", "LF@5,6", "LM@5,6"])
def test_enemies_are_in_the_way(piece: str) -> None:
    # BT-MOVE-02: units and leaders
    ring = [f"LI@{hex_}" for hex_ in sorted(AROUND - {"5,6"})]
    for mover in ("LI", "SSpC"):
        assert reach(Board().top(f"{mover}@5,5").bottom(piece, *ring), "5,5") == set()


@pytest.mark.parametrize(
    ("unit", "leader", "joins"),
    [
        ("LI", "LF", True), ("LI", "LM", True), ("LI", "LF*", True), ("SSpC", "LM", True),
        ("SSpC", "LF", False),
        ("SBC", "LF*", False), ("SBC", "LM", True), ("LI+LF", "LF", False), ("LI+LM", "LM", False),
        ("SSpC+LM", "LM", False),
    ],
)  # fmt: skip
def test_joining_a_lone_leader(unit: str, leader: str, joins: bool) -> None:
    # BT-MOVE-03, BT-R-27: it must stop there; a leader who cannot be joined is in the way
    ring = [f"LI@{hex_}" for hex_ in sorted(AROUND - {"5,6"})]
    board = Board().top(f"{unit}@5,5", f"{leader}@5,6", *ring)
    assert reach(board, "5,5") == ({"5,6"} if joins else set())
    if joins:
        play = board.play().command("C-ADV-C").order("5,5").move("5,5", "5,6")
        assert play.at("5,6") == f"top {unit}:4+{leader[:2]}"


def test_terrain_on_the_way() -> None:
    # BT-MOVE-04: a stop ends the move in that hex, impassable terrain cannot be entered
    enemies = [f"LI@{hex_}" for hex_ in sorted(AROUND - {"5,6", "5,4"})]
    board = Board(terrain={"5,6": "FOREST", "5,4": "RIVER"}).top("LI@5,5").bottom(*enemies)
    assert reach(board, "5,5") == {"5,6"}
    # Who starts in a wood leaves it without a stop.
    assert reach(Board(terrain={"5,5": "FOREST"}).top("LI@5,5"), "5,5") == AROUND | FAR


def test_terrain_and_battle() -> None:
    # BT-MOVE-04: buildings forbid the battle after entry
    for terrain, fights in [("OPEN", True), ("FOREST", True), ("BUILDINGS", False)]:
        board = Board(terrain={"5,6": terrain}).top("LI@5,5").bottom("ASp@5,7")
        play = board.play().command("C-ADV-C").order("5,5").move("5,5", "5,6").quiet()
        assert (play.question == "battle") == fights


@pytest.mark.parametrize("hex_", ["0,5", "10,5", "4,0", "4,11", "5,0", "5,10"])
def test_units_do_not_leave_the_board(hex_: str) -> None:
    # BT-MOVE-05: over no edge, not even with a leader over the own baseline
    for unit in ("LI", "LI+LF"):
        card = "C-ADV-C" if hex_.endswith(",5") else "C-GEESE"
        play = Board().top(f"{unit}@{hex_}").play().command(card).order(hex_).do(hex_).quiet()
        assert "leave" not in play.choices
        assert all(hex_ in hexes(int(hex_.split(",")[0])) for hex_ in play.choices)


def test_leaders_by_themselves() -> None:
    # BT-MOVE-06: 2 hexes on foot, 3 mounted; through friends, with or without leader, and lone leaders, not
    # through enemies
    ring = ["LI@5,4", "LI+LF@5,6", "SSpC@4,5", "AB+LM@4,6", "LM@6,5", "LF@6,6"]
    found = reach(Board().top("LF@5,5", *ring), "5,5")
    assert found == FAR | {"5,4"}  # beyond all of them; and with the levies
    assert "5,8" in reach(Board().top("LM@5,5", *ring), "5,5")
    assert "5,8" not in reach(Board().top("LF@5,5", *ring), "5,5")
    for enemy in ("LI", "LI+LF", "LF", "LM"):
        enemies = [f"{enemy}@{hex_}" for hex_ in sorted(AROUND)[:5]]
        board = Board().top("LM@5,5").bottom(*enemies, f"LI@{max(AROUND)}")
        assert reach(board, "5,5") == set()


def test_leaders_and_terrain() -> None:
    # BT-MOVE-06: the same stops and bars as for units
    enemies = [f"LI@{hex_}" for hex_ in sorted(AROUND - {"5,6", "5,4"})]
    board = Board(terrain={"5,6": "FOREST", "5,4": "RIVER"}).top("LM@5,5").bottom(*enemies)
    assert reach(board, "5,5") == {"5,6"}


def test_where_a_leader_may_end() -> None:
    # BT-MOVE-07: an empty hex, or a unit without leader that he may lead; on foot not cavalry; nobody the
    # bodyguard
    pieces = ["LI@5,4", "SSpC@5,6", "LI+LF@4,5", "LM@4,6", "AC+BG@6,5"]
    for leader, ends in [("LF", {"5,4", "6,6"}), ("LM", {"5,4", "5,6", "6,6"})]:
        board = Board(tents={"top": "6,5"}).top(f"{leader}@5,5", *pieces)
        assert reach(board, "5,5") & AROUND == ends


def test_a_stop_where_he_may_not_end() -> None:
    # BT-MOVE-08: a wood with a unit that has a leader cannot be entered, and so not passed; without the wood
    # it can
    for terrain, found in [("FOREST", set()), ("OPEN", {"5,7", "4,7", "6,7"})]:
        enemies = [f"LI@{hex_}" for hex_ in sorted(AROUND - {"5,6"})]
        board = Board(terrain={"5,6": terrain}).top("LF@5,5", "LI+LF@5,6").bottom(*enemies)
        assert reach(board, "5,5") == found
    # A wood with a unit that he may join can be entered, and ends the move.
    board = Board(terrain={"5,6": "FOREST"}).top("LM@5,5", "LI@5,6").bottom(*enemies)
    assert reach(board, "5,5") == {"5,6"}


def test_no_ride_on_with_the_unit_joined() -> None:
    # BT-MOVE-09: the leader joins and stays; the unit, which has an order of its own, leaves without him
    board = Board().top("LM@5,4", "LI@5,5")
    play = board.play().command("C-ADV-C").order("5,4", "5,5").move("5,4", "5,5").move("5,5", "5,7").quiet()
    assert play.pieces("top") == {"LM@5,5", "LI:4@5,7"}
    # The other way round: the unit joins and stays, the leader leaves.
    play = board.play().command("C-ADV-C").order("5,4", "5,5").move("5,5", "5,4")
    assert play.at("5,4") == "top LI:4+LM"
    assert play.choices == {"pass", "leader 5,4"}
    play.move("leader 5,4", "5,1")
    assert play.pieces("top") == {"LI:4@5,4", "LM@5,1"}


def test_joined_for_good() -> None:
    # BT-MOVE-09: if only one of them has an order, nobody moves on
    board = Board().top("LM@5,4", "LI@5,5")
    play = board.play().command("C-ADV-C").order("5,4").move("5,4", "5,5").quiet()
    assert play.question == "replenish"
    play = board.play().command("C-ADV-C").order("5,5").move("5,5", "5,4").quiet()
    assert play.question == "replenish"


def test_half_hexes() -> None:
    # BT-MOVE-10: beside the ends of odd rows there is nothing to enter, for leaders neither
    play = Board().top("LM@5,0").play().command("C-ADV-R").order("5,0").do("5,0")
    assert play.choices & set(hexes(5)) == {"5,0", "5,1", "5,2", "5,3"}
    play = Board().top("LM@5,10").play().command("C-ADV-L").order("5,10").do("5,10")
    assert play.choices & set(hexes(5)) == {"5,10", "5,9", "5,8", "5,7"}


def test_shortest_path_counts() -> None:
    # BT-R-25: a destination is all that is said; spears that reach the next hex by one step have moved one
    # hex
    board = Board().top("ASp@5,5").bottom("ASp@6,7")
    play = board.play().command("C-ADV-C").order("5,5").move("5,5", "5,6").quiet()
    assert play.question == "battle"
    # Where the straight way is barred the shortest legal one counts: two hexes, no battle.
    board = Board(terrain={"5,6": "RIVER"}).top("ASp@5,5").bottom("ASp@5,8")
    play = board.play().command("C-ADV-C").order("5,5").move("5,5", "4,7").quiet()
    assert play.question != "battle"


def wind(unit: str, to: str, enemy: str, *script: str) -> Play:
    """Move Like the Wind: infantry moves one hex more and may still battle."""
    board = Board().top(f"{unit}@5,2").bottom(enemy).dragons("top", "D-23")
    return board.play(*script).command("C-ADV-R", "D-23").order("5,2").move("5,2", to).quiet()


@pytest.mark.parametrize(
    ("unit", "moves", "battles"),
    [("SSp", 2, 2), ("SB", 2, 2), ("ASp", 3, 2), ("AB", 3, 3), ("AA", 3, 1), ("LI", 3, 3)],
)
def test_bonuses_add_to_both(unit: str, moves: int, battles: int) -> None:
    # BT-R-26: +1 to mv and mb
    for far in range(1, 4):
        board = Board().top(f"{unit}@5,2").bottom(f"ASp@5,{3 + far}").dragons("top", "D-23")
        play = board.play().command("C-ADV-R", "D-23").order("5,2").do("5,2").quiet()
        assert (f"5,{2 + far}" in play.choices) == (far <= moves)
        if far <= moves:
            assert (play.do(f"5,{2 + far}").quiet().question == "battle") == (far <= battles)


def test_limits_come_before_bonuses() -> None:
    # BT-R-26: Snake Command caps at 1 (and mb at min(mb, 1)), then Move Like the Wind adds one
    for unit, battles in [("LI", 2), ("ASp", 2), ("AA", 1)]:
        for far in range(1, 4):
            board = Board().top(f"{unit}@5,2").bottom(f"ASp@5,{3 + far}").dragons("top", "D-23")
            play = board.play().command("C-SNAKE", "D-23").order("5,2").do("5,2").quiet()
            assert (f"5,{2 + far}" in play.choices) == (far <= 2)
            if far <= 2:
                assert (play.do(f"5,{2 + far}").quiet().question == "battle") == (far <= battles)


def test_arquebuses_that_may_battle_after_a_move() -> None:
    # BT-R-93: they shoot with the normal dice of the range, and melee with 2
    play = wind("AA", "5,3", "LI@5,5", "CC").attack("5,3", "5,5")
    assert (play.rolls("ranged"), play.at("5,5")) == (["CC"], "bottom LI:2")
    assert wind("AA", "5,3", "LI@5,7", "C").attack("5,3", "5,7").rolls("ranged") == ["C"]
    assert wind("AA", "5,3", "LI@5,4", "HH").attack("5,3", "5,4").rolls("melee") == ["HH"]


def test_bonuses_lift_no_prohibition() -> None:
    # BT-R-93: under Hold and Shoot nobody moves, under Infantry Assault no missile unit battles, under
    # Cavalry Charge no cavalry shoots
    board = Board().top("AB@5,5").bottom("ASp@5,8").dragons("top", "D-23").hand("top", "C-HOLD", "C-ONE-L")
    assert board.play().command("C-HOLD", "D-23").order("5,5").question == "battle"
    for unit in ("SB", "AB", "AA"):
        board = Board().top(f"{unit}@5,5").bottom("ASp@5,7").dragons("top", "D-23")
        board.hand("top", "C-ASSAULT", "C-ONE-L")
        for to in ("5,5", "5,6"):
            play = board.play().command("C-ASSAULT", "D-23").order("5,5").move("5,5", to).quiet()
            assert play.question != "battle"
    board = (
        Board().top("SBC@5,5").bottom("ASp@5,8").dragons("top", "D-18").hand("top", "C-CAVALRY", "C-ONE-L")
    )
    play = board.play().command("C-CAVALRY").order("5,5").do("5,5").do("D-18", "5,6").quiet()
    assert play.question != "battle"


def test_bonuses_of_two_cards() -> None:
    # BT-R-26: Cavalry Charge sets 3, Katchu Keiba adds 2 to the move and to what it may battle after
    board = (
        Board().top("SSpC@5,2").bottom("SSp@5,8").hand("top", "C-CAVALRY", "C-ONE-L").dragons("top", "D-18")
    )
    play = board.play("HHHHH").command("C-CAVALRY").order("5,2").do("5,2", "D-18").quiet()
    assert {"5,7"} <= play.choices
    assert play.do("5,7").attack("5,7", "5,8").rolls("melee") == ["HHHHH"]
    board = (
        Board().top("SSpC@5,2").bottom("SSp@5,9").hand("top", "C-CAVALRY", "C-ONE-L").dragons("top", "D-18")
    )
    assert "5,8" not in board.play().command("C-CAVALRY").order("5,2").do("5,2", "D-18").choices


def test_a_unit_may_leave_a_hex_that_another_then_enters() -> None:
    # BT-MOVE-02, BT-TURN-06: what is in the way depends on the order of the moves
    board = Board().top("SSp@5,5", "SSp@5,6")
    play = board.play().command("C-ADV-C").order("5,5", "5,6")
    assert "5,6" not in play.do("5,5").quiet().choices
    play = board.play().command("C-ADV-C").order("5,5", "5,6").move("5,6", "5,7").move("5,5", "5,6")
    assert play.pieces("top") == {"SSp:4@5,6", "SSp:4@5,7"}


def test_leaders_follow_one_another() -> None:
    # BT-MOVE-07: a leader may end with a unit once its own leader has left it
    board = Board().top("ASp+LF@5,5", "LF@5,4").hand("top", "C-TWO-C", "C-ONE-L")
    play = board.play().command("C-TWO-C").order("leader 5,5", "5,4").move("leader 5,5", "5,6")
    play.move("5,4", "5,5")
    assert play.pieces("top") == {"ASp:4+LF@5,5", "LF@5,6"}
