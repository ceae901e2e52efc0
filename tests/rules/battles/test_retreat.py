"""Retreats of units and of leaders (RETREAT)."""

import pytest

from rules.battles.board import Board, Play


def driven(flags: int, unit: str = "ASp", *friends: str, **board: dict[str, str]) -> Play:
    """Samurai in 4,5 roll some flags against a unit in 5,5, which ignores none."""
    play = Board(**board).top("SSp@4,5").bottom(f"{unit}@5,5", *friends).honor(bottom=15)
    play = play.fight("4,5", "5,5", "F" * flags + "H" * (4 - flags))
    return play.ignore(0) if play.question == "ignore_flags" else play


@pytest.mark.parametrize(
    ("unit", "flags", "ends"),
    [
        ("ASp", 1, {"6,5", "6,6"}),
        ("ASp", 2, {"7,4", "7,5", "7,6"}),
        ("SSpC", 3, {"8,4", "8,5", "8,6", "8,7"}),
        ("LI", 1, {"7,4", "7,5", "7,6"}),
        ("LI", 2, {"9,3", "9,4", "9,5", "9,6", "9,7"}),
    ],
)
def test_each_flag_is_a_hex_and_two_for_levies(unit: str, flags: int, ends: set[str]) -> None:
    # BT-RETREAT-01, BT-RETREAT-02: only to the next row each time
    play = driven(flags, unit)
    assert (play.asked, play.question, play.choices) == ("bottom", "retreat", ends)
    assert play.do("7,5" if "7,5" in ends else min(ends)).at("5,5") is None


def test_home_is_where_the_baseline_is() -> None:
    # BT-RETREAT-01: attacked from behind, the bottom army goes down and the top army goes up all the same
    down = Board().top("SSp@6,5").bottom("ASp@5,5").fight("6,5", "5,5", "FCCC")
    assert down.at("6,6") == "bottom ASp:4"
    up = Board(active="bottom").bottom("SSp@4,5").top("ASp@5,5").fight("4,5", "5,5", "FCCC")
    assert up.at("4,6") == "top ASp:4"


def test_never_sideways_or_forward() -> None:
    # BT-RETREAT-02: nothing but the two hexes behind, and those are rivers
    play = driven(1, "ASp", terrain={"6,5": "RIVER", "6,6": "RIVER"})
    assert (play.at("5,5"), play.question) == ("bottom ASp:3", "battle_back")


def test_at_the_edge_there_is_one_hex_behind() -> None:
    # BT-RETREAT-02, BT-BOARD-04: no piece may stand on half hexes
    play = (
        Board()
        .top("SSp@5,0")
        .bottom("ASp@6,0")
        .play("FCCC")
        .command("C-ADV-R")
        .order("5,0")
        .attack("5,0", "6,0")
    )
    assert (play.at("7,0"), play.question) == ("bottom ASp:4", "take_ground")


@pytest.mark.parametrize("in_the_way", ["bottom SSp@6,5", "top LI@6,5", "top LF@6,5", "RIVER"])
def test_what_is_in_the_way(in_the_way: str) -> None:
    # BT-RETREAT-03: friends, enemies, their leaders and rivers are neither entered nor crossed
    for flags, ends in ((1, {"6,6"}), (2, {"7,5", "7,6"})):
        board = (
            Board(terrain={"6,5": "RIVER"} if in_the_way == "RIVER" else {}).top("SSp@4,5").bottom("ASp@5,5")
        )
        if in_the_way != "RIVER":
            board.pieces(*in_the_way.split(" "))
        play = board.fight("4,5", "5,5", "F" * flags + "C" * (4 - flags))
        if flags == 1:
            assert play.at("6,6") == "bottom ASp:4"
        else:
            assert (play.question, play.choices) == ("retreat", ends)


@pytest.mark.parametrize(
    "terrain", ["FOREST", "HILL", "FORD", "BUILDINGS", "FIELDS", "GORGE", "FENCE", "CASTLE"]
)
def test_terrain_does_not_hold_up_a_retreat(terrain: str) -> None:
    # BT-RETREAT-04: cavalry rides through two rows of it
    behind = dict.fromkeys(["6,5", "6,6", "7,4", "7,5", "7,6"], terrain)
    assert driven(3, "SSpC", terrain=behind).do("8,5").at("8,5") == "bottom SSpC:4"


def test_tents_do_not_hold_up_a_retreat() -> None:
    # BT-RETREAT-04
    board = Board(tents={"bottom": "6,5"}, terrain={"6,6": "RIVER"}).top("SSp@4,5").bottom("ASp@5,5")
    assert board.fight("4,5", "5,5", "FFCC").do("7,5").at("7,5") == "bottom ASp:4"


@pytest.mark.parametrize(("unit", "leader"), [("ASp", "LF"), ("LI", "LM"), ("SSp", "LM"), ("SSpC", "LM")])
def test_joining_a_lone_leader_completes_the_retreat(unit: str, leader: str) -> None:
    # BT-RETREAT-05, BT-R-43: two flags, one hex, no block lost, honor of one hex without leader
    play = driven(2, unit, f"{leader}@6,5")
    assert "6,5" in play.choices
    play.do("6,5")
    paid = 1 if unit == "ASp" else 2
    assert (play.at("6,5"), play.honor["bottom"]) == (f"bottom {unit}:4+{leader}", 15 - paid)


@pytest.mark.parametrize(("unit", "leader"), [("SSpC:4", "LF"), ("ASp:4+LM", "LF"), ("ASp:4+LF", "LM")])
def test_a_leader_whom_a_unit_cannot_join_is_in_the_way(unit: str, leader: str) -> None:
    # BT-RETREAT-05: foot leaders of cavalry, any leader if there is one already
    play = driven(1, unit, f"{leader}@6,5")
    assert (play.at("6,5"), play.at("6,6")) == (f"bottom {leader}", f"bottom {unit}")


@pytest.mark.parametrize(("row", "flags", "left"), [(10, 1, 3), (10, 3, 1), (9, 3, 2), (8, 3, 3), (7, 3, 4)])
def test_what_cannot_be_completed_costs_blocks(row: int, flags: int, left: int) -> None:
    # BT-RETREAT-06, BT-R-41: honor for the hexes moved and a block for each of the rest
    hex_, before = f"{row},5", f"{row - 1},5"
    board = Board().top(f"SSp@{before}").bottom(f"ASp@{hex_}")
    play = board.fight(before, hex_, "F" * flags + "H" * (4 - flags))
    if play.question == "retreat":
        play.do("10,5")
    moved = 10 - row
    assert (play.at("10,5"), play.honor["bottom"]) == (f"bottom ASp:{left}", 5 - moved)


def test_only_paths_with_the_fewest_losses() -> None:
    # DP-21, BT-RETREAT-07: 6,5 leads nowhere; with one hex to go it is as good as 6,6
    dead_end = {"7,4": "RIVER", "7,5": "RIVER"}
    assert driven(2, terrain=dead_end).at("7,6") == "bottom ASp:4"
    assert driven(1, terrain=dead_end).choices == {"6,5", "6,6"}
    both_ends = dead_end | {"7,6": "RIVER"}
    play = driven(2, terrain=both_ends)
    assert play.choices == {"6,5", "6,6"}
    assert play.do("6,6").at("6,6") == "bottom ASp:3"


def test_a_leader_who_can_be_joined_is_the_best_path() -> None:
    # BT-RETREAT-07: joining is complete, one hex the other way is not
    play = driven(2, "ASp", "LF@6,5", terrain={"7,4": "RIVER", "7,5": "RIVER", "7,6": "RIVER"})
    assert play.at("6,5") == "bottom ASp:4+LF"


def test_one_final_hex_is_not_asked_for() -> None:
    # BT-RETREAT-07: both ways lead to 7,5
    play = driven(2, terrain={"7,4": "RIVER", "7,6": "RIVER"})
    assert (play.at("7,5"), play.question) == ("bottom ASp:4", "take_ground")


def test_the_leader_goes_with_his_unit() -> None:
    # BT-RETREAT-08
    play = driven(2, "ASp+LF").do("7,5")
    assert (play.at("5,5"), play.at("7,5")) == (None, "bottom ASp:4+LF")


def test_movement_then_blocks_then_honor_then_lack_of_honor() -> None:
    # BT-RETREAT-09
    play = (
        Board()
        .top("SSp@8,5")
        .bottom("ASp@9,5")
        .honor(bottom=0)
        .fight("8,5", "9,5", "FFCC", "FFFFF")
        .do("10,5")
    )
    assert play.course("retreated", "blocks_lost", "honor", "lack_of_honor") == [
        "retreated",
        "blocks_lost",
        "lack_of_honor",
    ]
    play = Board().top("SSp@8,5").bottom("SSp@9,5").honor(bottom=1).fight("8,5", "9,5", "FFCC", "FFFFF")
    play.ignore(0).do("10,5")
    assert play.course("retreated", "blocks_lost", "honor", "lack_of_honor") == [
        "retreated",
        "blocks_lost",
        "honor",
        "lack_of_honor",
    ]


def test_a_unit_that_falls_by_it_is_a_banner() -> None:
    # BT-RETREAT-10: also when it fell on the way, and it pays for the hex it moved
    play = driven(2, "ASp:2", terrain={"6,5": "RIVER", "6,6": "RIVER"})
    assert (play.at("5,5"), play.banners["top"], play.question) == (None, 1, "take_ground")
    play = Board().top("SSp@8,5").bottom("ASp:1@9,5").fight("8,5", "9,5", "FFCC").do("10,5")
    assert (play.at("10,5"), play.banners["top"], play.honor["bottom"]) == (None, 1, 4)


def test_infantry_in_a_castle_takes_hits_instead() -> None:
    # BT-R-42, BT-TERRAIN-09: one flag is ignored; levies lose one block for the other, too; nobody pays
    for unit in ("ASp", "LI"):
        board = Board(terrain={"5,5": "CASTLE"}).top("SSp@4,5").bottom(f"{unit}@5,5")
        play = board.fight("4,5", "5,5", "FF")
        assert (play.at("5,5"), play.honor["bottom"], play.question) == (f"bottom {unit}:3", 5, "battle_back")


def test_cavalry_in_a_castle_retreats() -> None:
    # BT-R-42
    board = Board(terrain={"5,5": "CASTLE"}).top("SSp@4,5").bottom("SSpC@5,5")
    play = board.fight("4,5", "5,5", "FF").ignore(1).do("6,5")
    assert (play.at("6,5"), play.honor["bottom"]) == ("bottom SSpC:4", 3)


# Lone leaders.


def lone(
    *friends: str, leader: str = "LF", enemies: tuple[str, ...] = (), at: str = "5,5", **board: dict[str, str]
) -> Play:
    """A lone leader has been attacked from above and survived."""
    attacker = f"{int(at.removesuffix(',5')) - 1},5"
    play = Board(**board).top(f"SSp@{attacker}", *enemies).bottom(f"{leader}@{at}", *friends)
    return play.fight(attacker, at, "CCCC")


BEHIND = {"6,5", "6,6", "7,4", "7,5", "7,6", "8,4", "8,5", "8,6", "8,7"}
"""One to three hexes behind 5,5."""


def test_a_leader_retreats_one_to_three_hexes() -> None:
    # BT-RETREAT-20
    for leader in ("LF", "LM"):
        play = lone(leader=leader)
        assert (play.asked, play.question, play.choices) == ("bottom", "leader_fate", BEHIND | {"seppuku"})


def test_a_leader_passes_friends() -> None:
    # BT-RETREAT-21: a unit with a leader and a lone one; terrain is nothing to him
    play = lone("ASp+LF@6,5", "LM@6,6", terrain={"7,5": "FOREST", "7,4": "FORD", "7,6": "BUILDINGS"})
    assert play.choices == BEHIND - {"6,5", "6,6"} | {"seppuku"}


def test_a_leader_passes_neither_enemies_nor_rivers() -> None:
    # BT-RETREAT-21: around 6,5 and through 6,6
    past_6_6 = {"6,6", "7,5", "7,6", "8,5", "8,6", "8,7"}
    assert lone(enemies=("LI@6,5",)).choices == past_6_6 | {"seppuku"}
    assert lone(enemies=("LM@6,5",)).choices == past_6_6 | {"seppuku"}
    assert lone(terrain={"6,5": "RIVER"}).choices == past_6_6 | {"seppuku"}


def test_where_a_leader_may_end() -> None:
    # BT-RETREAT-22: with a unit that has no leader and that he may lead
    friends = ("ASp@6,5", "SSpC@6,6", "ASp+LM@7,5", "LF@7,4")
    assert lone(*friends).choices == BEHIND - {"6,6", "7,5", "7,4"} | {"seppuku"}
    play = lone(*friends, leader="LM")
    assert play.choices == BEHIND - {"7,5", "7,4"} | {"seppuku"}
    assert play.do("6,6").at("6,6") == "bottom SSpC:4+LM"


def test_a_leader_does_not_leave_the_board_by_retreating() -> None:
    # BT-RETREAT-23: from 9,5 the baseline is as far as he goes
    play = lone(at="9,5")
    assert play.choices == {"10,5", "10,6", "seppuku"}
    assert play.do("10,5").at("10,5") == "bottom LF"


@pytest.mark.parametrize("to", ["6,5", "7,5", "8,5"])
def test_a_leader_pays_three_honor(to: str) -> None:
    # BT-RETREAT-24, BT-HONOR-09, BT-EX-03: for one, two or three hexes
    assert lone().do(to).honor == {"top": 5, "bottom": 2}


def test_without_a_way_there_is_only_seppuku() -> None:
    # BT-RETREAT-25, BT-SEPPUKU-01: not asked; on the baseline, or shut in
    for play in (lone(at="10,5"), lone(terrain={"6,5": "RIVER"}, enemies=("LI@6,6",))):
        assert [event["why"] for event in play.events("leader_gone")] == ["seppuku"]
        assert (play.banners["top"], play.question) == (0, "take_ground")


def test_leaders_all_around_leave_only_seppuku() -> None:
    # BT-RETREAT-25: every hex behind him is passable, but he may end nowhere
    play = lone("LF@6,5", "LM@6,6", terrain={"7,4": "RIVER", "7,5": "RIVER", "7,6": "RIVER"})
    assert [event["why"] for event in play.events("leader_gone")] == ["seppuku"]
