"""Action 7, Phase D: final movement (WAR-D)."""

from typing import Any

import pytest

from rules.swords.board import Board, army, declare, events, options, owner, play, units
from sengoku import Match


def steps(match: Match) -> set[str]:
    """Where the army or the units may go."""
    return {option["to"] for option in options(match, "step")}


def places(match: Match) -> set[str]:
    """Provinces that are offered: forces that may move, or places for a detachment."""
    return {option["province"] for option in options(match, "province")}


def kinds(match: Match, name: str = "from_province") -> set[str]:
    """Kinds of units that are offered."""
    return {option["unit"] for option in options(match, name)}


def amounts(match: Match) -> list[int]:
    """Numbers that are offered."""
    return [option["amount"] for option in options(match, "amount")]


def mino(hole: int = 0, **force: int) -> Board:
    """Phase D of clan 0 with its army 1 in Mino, among empty provinces but for an enemy in Owari."""
    return Board(phase="d").army(0, 1, "mino", hole=hole, **force).province("owari", 1, spear=1)


def forces(**provinces: dict[str, Any]) -> Board:
    """Phase D of clan 0 with provincial forces in these provinces."""
    board = Board(phase="d")
    for key, force in provinces.items():
        board.province(key, 0, **force)
    return board


def units_turn(board: Board) -> Match:
    """Goes on to the provincial forces: no further army moves."""
    return play(board.match(), "done")


def send(match: Match, source: str, to: str, hidden: int = 0, **sent: int) -> Match:
    """Moves units of a provincial force."""
    play(match, "province", province=source)
    for kind, count in sent.items():
        for _ in range(count):
            play(match, "from_province", unit=kind)
    return play(match, "step", to=to, hidden=hidden)


def test_first_armies_then_provincial_forces() -> None:
    # SW-WAR-D-01
    match = mino(spear=2).province("kaga", 0, spear=2).match()
    assert {option["name"] for option in options(match)} == {"done", "army"}
    play(match, "done")
    assert {option["name"] for option in options(match)} == {"done", "province"}
    assert places(match) == {"kaga"}


def test_nothing_has_to_move() -> None:
    # SW-WAR-D-01: clan 1's war turn follows
    board = mino(spear=2).province("kaga", 0, spear=2)
    match = board.match()
    before = match.state()["provinces"]
    play(match, "done")
    play(match, "done")
    assert match.state()["provinces"] == before
    assert match.state()["active"] == 1


def test_an_army_may_step_into_an_empty_province() -> None:
    # SW-WAR-D-02: it is conquered at once, an enemy's is not entered, and a unit stays behind
    match = mino(spear=3).match()
    play(match, "army", army=1)
    assert steps(match) == {"ise", "mikawa", "omi", "hida", "shinano", "echizen"}
    play(match, "step", to="hida")
    play(match, "from_army", unit="spear")
    play(match, "done")
    assert (owner(match, "hida"), owner(match, "mino")) == (0, 0)
    assert events(match, "conquered")[-1]["province"] == "hida"
    assert units(match, "mino") == {"spear": 1}
    assert not steps(match)


def test_an_army_may_go_on_from_an_empty_province_leaving_a_garrison() -> None:
    # SW-WAR-D-02: two steps, two garrisons
    match = mino(3, spear=4).match()
    play(match, "army", army=1)
    for key in ("hida", "kaga"):
        play(match, "step", to=key)
        play(match, "from_army", unit="spear")
        play(match, "done")
    assert (units(match, "mino"), units(match, "hida")) == ({"spear": 1}, {"spear": 1})
    assert army(match, 0, 1)["province"] == "kaga"
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "spear": 2}
    assert [owner(match, key) for key in ("mino", "hida", "kaga")] == [0, 0, 0]


def test_an_army_without_a_garrison_to_leave_stops() -> None:
    # SW-WAR-D-02: the only spearman stays in Mino, so the daimyo stops in Hida with a step left
    match = mino(3, spear=1).match()
    play(match, "army", army=1)
    play(match, "step", to="hida")
    assert army(match, 0, 1)["province"] == "hida"
    assert army(match, 0, 1)["moved"]
    assert not steps(match)


def test_armies_pick_up_and_keep_apart_as_in_phase_a() -> None:
    # SW-WAR-D-02: army 2 has moved, so army 1 may pass it and not stop
    board = mino(3, spear=1).province("mino", 0, gun=1).province("hida", 0, bow=1)
    match = board.army(0, 2, "hida", spear=1).match()
    play(match, "army", army=2)
    play(match, "stop")
    play(match, "army", army=1)
    assert kinds(match) == {"gun"}
    play(match, "from_province", unit="gun")
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "spear": 1, "gun": 1}
    play(match, "step", to="hida")
    play(match, "from_army", unit="spear")
    play(match, "done")
    assert not options(match, "stop")
    assert kinds(match) == {"bow"}


def test_a_level_reached_in_phase_c_counts() -> None:
    # SW-WAR-D-02, SW-EXP-05: hole 2 to hole 3, so two steps
    board = Board(phase="b").province("mino", 0, spear=1).army(0, 1, "mino", hole=2, bow=1, spear=2)
    match = board.province("owari", 1, spear=1).match(dice=[1])
    declare(match, 1, "owari")
    play(match, "done")
    play(match, "army", army=1)
    play(match, "step", to="owari")
    assert "mikawa" in steps(match)
    assert match.dice_left == 0


def test_an_army_detaches_units_into_an_empty_province() -> None:
    # SW-WAR-D-03: any kinds but the daimyo, at least one; they are its provincial force
    match = mino(bow=1, spear=2).province("hida", 0, spear=1).match()
    play(match, "army", army=1)
    assert places(match) == {"ise", "mikawa", "omi", "shinano", "echizen"}  # not Owari, not Hida
    play(match, "province", province="ise")
    assert kinds(match, "from_army") == {"bow", "spear"}
    assert not options(match, "done")
    play(match, "from_army", unit="bow")
    assert owner(match, "ise") == 0
    play(match, "from_army", unit="spear")
    play(match, "done")
    assert units(match, "ise") == {"bow": 1, "spear": 1}
    assert army(match, 0, 1)["province"] == "mino"
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "spear": 1}


def test_a_detachment_has_at_most_five_units() -> None:
    # SW-WAR-D-03
    match = mino(spear=8).match()
    play(match, "army", army=1)
    play(match, "province", province="ise")
    for _ in range(5):
        play(match, "from_army", unit="spear")
    assert not options(match, "from_army")
    assert units(match, "ise") == {"spear": 5}
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "spear": 3}


def test_detachments_before_between_and_after_steps() -> None:
    # SW-R-73: into three provinces on a way of one step, with a second army that does not step at all
    match = mino(bow=1, sword=1, gun=3, spear=1).army(0, 2, "hitachi", spear=1).match()
    play(match, "army", army=1)
    play(match, "province", province="ise")
    play(match, "from_army", unit="bow")
    play(match, "done")
    play(match, "province", province="omi")
    play(match, "from_army", unit="sword")
    play(match, "done")
    play(match, "step", to="hida")
    play(match, "from_army", unit="spear")
    play(match, "done")
    play(match, "province", province="kaga")
    play(match, "from_army", unit="gun")
    play(match, "done")
    play(match, "stop")
    assert [units(match, key) for key in ("ise", "omi", "mino", "kaga")] == [
        {"bow": 1},
        {"sword": 1},
        {"spear": 1},
        {"gun": 1},
    ]
    play(match, "army", army=2)
    play(match, "province", province="mutsu")
    play(match, "from_army", unit="spear")
    assert (owner(match, "mutsu"), army(match, 0, 2)["province"]) == (0, "hitachi")


def test_a_detachment_takes_no_ronin_along() -> None:
    # SW-R-73: nobody asks, neither about revealed nor about hidden ronin
    match = mino(spear=4, ronin=2).province("mino", 0, hidden=1).match()
    play(match, "army", army=1)
    play(match, "province", province="ise")
    assert kinds(match, "from_army") == {"spear"}
    play(match, "from_army", unit="spear")
    play(match, "done")
    assert units(match, "ise") == {"spear": 1}
    assert army(match, 0, 1)["units"]["ronin"] == 2
    assert match.state()["provinces"]["mino"]["hidden"] == 1


def test_only_phase_d_knows_detachments() -> None:
    # SW-WAR-D-03: not Phase A, though Ise is empty
    match = Board(phase="a").army(0, 1, "mino", spear=3).province("hida", 0, spear=1).match()
    play(match, "army", army=1)
    assert not places(match)


def test_units_go_in_different_directions_one_step_each() -> None:
    # SW-WAR-D-04: one to an own province, one to an empty one, two stay; those who went have moved
    match = units_turn(forces(mino={"spear": 2, "bow": 1, "gun": 1}, hida={"spear": 1}))
    send(match, "mino", "hida", bow=1)
    send(match, "mino", "ise", gun=1)
    assert [units(match, key) for key in ("mino", "hida", "ise")] == [
        {"spear": 2},
        {"bow": 1, "spear": 1},
        {"gun": 1},
    ]
    assert places(match) == {"mino", "hida"}
    play(match, "province", province="hida")
    # the spearman, since the bowman has moved: nothing to choose
    chosen = match.state()["point"]["choose_units"]["units"]
    assert {kind: count for kind, count in chosen.items() if count} == {"spear": 1}
    assert not kinds(match)


def test_units_go_to_friendly_and_empty_neighbours_only() -> None:
    # SW-WAR-D-04: Owari is an enemy's, Kaga is not next to Mino
    board = forces(mino={"spear": 2}, hida={"spear": 1}, kaga={"spear": 1}).province("owari", 1, spear=1)
    match = units_turn(board)
    play(match, "province", province="mino")
    play(match, "from_province", unit="spear")
    assert steps(match) == {"ise", "mikawa", "omi", "hida", "shinano", "echizen"}


def test_units_that_enter_an_empty_province_conquer_it() -> None:
    # SW-WAR-D-05
    match = units_turn(forces(mino={"spear": 2}))
    send(match, "mino", "ise", spear=1)
    assert owner(match, "ise") == 0
    assert events(match, "conquered")[-1]["province"] == "ise"


def test_a_force_has_at_most_five_units_after_a_move() -> None:
    # SW-WAR-D-05, SW-R-75: two may come to Hida's three, a third may not
    match = units_turn(forces(mino={"spear": 4}, hida={"spear": 3}))
    play(match, "province", province="mino")
    play(match, "from_province", unit="spear")
    play(match, "from_province", unit="spear")
    assert "hida" in steps(match)
    play(match, "from_province", unit="spear")
    assert "hida" not in steps(match)


def test_units_leave_before_others_arrive() -> None:
    # SW-R-75: Hida is full until one of its units has gone to Kaga
    match = units_turn(forces(mino={"spear": 2}, hida={"spear": 5}))
    probe = play(match.clone(), "province", province="mino")
    play(probe, "from_province", unit="spear")
    assert "hida" not in steps(probe)
    send(match, "hida", "kaga", spear=1)
    send(match, "mino", "hida", spear=1)
    assert units(match, "hida") == {"spear": 5}


def test_units_may_go_into_an_army() -> None:
    # SW-WAR-D-05: into a free box of their class, or into the force
    board = forces(hida={"bow": 1, "spear": 3}).army(0, 1, "mino", bow=3, spear=9)
    for bows, spears in ((0, 0), (1, 0), (0, 1), (1, 1)):
        match = units_turn(board)
        send(match, "hida", "mino", bow=1, spear=2)
        assert amounts(match) == [0, 1]
        play(match, "amount", amount=bows)
        assert amounts(match) == [0, 1]  # one ashigaru box is free
        play(match, "amount", amount=spears)
        assert army(match, 0, 1)["units"] == {"daimyo": 1, "bow": 3 + bows, "spear": 9 + spears}
        left = {"bow": 1 - bows, "spear": 2 - spears}
        assert units(match, "mino") == {kind: count for kind, count in left.items() if count}


def test_a_full_army_takes_nobody_in() -> None:
    # SW-WAR-D-05, SW-R-75: neither samurai nor ashigaru; with a full force beside it nobody comes at all
    board = forces(hida={"bow": 1, "spear": 2}).army(0, 1, "mino", bow=4, spear=10)
    match = units_turn(board)
    send(match, "hida", "mino", bow=1, spear=1)
    assert units(match, "mino") == {"bow": 1, "spear": 1}
    match = units_turn(board.province("mino", 0, spear=5))
    play(match, "province", province="hida")
    play(match, "from_province", unit="bow")
    assert steps(match)
    assert "mino" not in steps(match)


def test_units_that_do_not_fit_into_the_force_go_into_the_army() -> None:
    # SW-WAR-D-05, SW-R-75: of three spearmen at least two must go into the boxes
    board = forces(hida={"spear": 4}, mino={"spear": 4}).army(0, 1, "mino", spear=1)
    match = units_turn(board)
    send(match, "hida", "mino", spear=3)
    assert amounts(match) == [2, 3]


def test_no_province_is_left_without_a_regular_unit() -> None:
    # SW-WAR-D-06: one of two may go, a single unit stays
    match = units_turn(forces(mino={"spear": 2}, kaga={"spear": 1}))
    assert places(match) == {"mino"}
    play(match, "province", province="mino")
    play(match, "from_province", unit="spear")
    assert not kinds(match)


def test_where_an_army_stands_the_whole_force_may_leave() -> None:
    # SW-WAR-D-06: also a disrupted one
    for daimyo in (0, 1):
        board = forces(mino={"spear": 2}).army(0, 1, "mino", daimyo=daimyo, gun=1)
        match = units_turn(board)
        send(match, "mino", "hida", spear=2)
        assert (units(match, "mino"), owner(match, "mino")) == ({}, 0)


def test_ronin_are_no_garrison_and_do_not_go_alone() -> None:
    # SW-WAR-D-07: the last spearman cannot leave his ronin behind, nor they him
    match = units_turn(forces(mino={"spear": 2, "ronin": 1}))
    play(match, "province", province="mino")
    play(match, "from_province", unit="spear")
    assert not kinds(match)  # one unit takes no ronin, and the other one stays


def test_with_m_units_go_at_most_m_less_one_ronin() -> None:
    # SW-R-76, SW-WAR-D-07
    match = units_turn(forces(mino={"spear": 5, "ronin": 4}))
    play(match, "province", province="mino")
    for ronin in (0, 1, 2):
        play(match, "from_province", unit="spear")
        assert ("ronin" in kinds(match)) is (ronin > 0)
    play(match, "from_province", unit="ronin")
    play(match, "from_province", unit="ronin")
    assert kinds(match) == {"spear"}
    play(match, "step", to="hida")
    assert units(match, "hida") == {"spear": 3, "ronin": 2}
    assert units(match, "mino") == {"spear": 2, "ronin": 2}


def test_the_ronin_limit_is_checked_at_the_end_of_the_phase() -> None:
    # SW-R-76, SW-WAR-D-07, SW-R-31: two spearmen cannot lead two ronin
    match = units_turn(forces(mino={"spear": 3, "ronin": 2}))
    send(match, "mino", "hida", spear=1)
    assert units(match, "mino") == {"spear": 2, "ronin": 2}
    pool = match.state()["pool"]["ronin"]
    play(match, "done")
    assert units(match, "mino") == {"spear": 2, "ronin": 1}
    assert match.state()["pool"]["ronin"] == pool + 1


def test_hidden_ronin_that_go_along_are_revealed() -> None:
    # SW-R-76, SW-R-45: at most one with two units; the rest of the stack joins those who stay
    board = forces(mino={"spear": 5}, hida={"spear": 1}).province("mino", 0, spear=5, hidden=3)
    match = units_turn(board)
    play(match, "province", province="mino")
    play(match, "from_province", unit="spear")
    assert {option["hidden"] for option in options(match, "step")} == {0}
    play(match, "from_province", unit="spear")
    assert {option["hidden"] for option in options(match, "step")} == {0, 1}
    left = play(match.clone(), "step", to="hida", hidden=0)
    assert left.state()["provinces"]["mino"]["hidden"] == 3
    play(match, "step", to="hida", hidden=1)
    assert units(match, "hida") == {"spear": 3, "ronin": 1}
    assert units(match, "mino") == {"spear": 3, "ronin": 2}
    assert events(match, "revealed")[-1]["ronin"] == 3


def test_hidden_and_revealed_ronin_count_together() -> None:
    # SW-R-76: three units take two, from the force or from the stack
    match = units_turn(forces(mino={"spear": 5}).province("mino", 0, spear=5, ronin=2, hidden=2))
    play(match, "province", province="mino")
    for _ in range(3):
        play(match, "from_province", unit="spear")
    play(match, "from_province", unit="ronin")
    assert {option["hidden"] for option in options(match, "step")} == {0, 1}


def test_the_rest_of_a_stack_is_divided_where_two_forces_stay() -> None:
    # SW-R-76, SW-R-45
    board = forces(mino={"spear": 5}).army(0, 1, "mino", spear=3).province("mino", 0, spear=5, hidden=4)
    match = units_turn(board)
    send(match, "mino", "hida", hidden=1, spear=2)
    assert amounts(match) == [0, 1, 2, 3]
    play(match, "amount", amount=2)
    assert army(match, 0, 1)["units"]["ronin"] == 2
    assert units(match, "mino") == {"spear": 3, "ronin": 1}
    assert units(match, "hida") == {"spear": 2, "ronin": 1}


def test_ronin_join_the_force_that_their_units_join() -> None:
    # SW-R-76: with all units they go into the army or the force; if the units part, the owner says
    board = forces(hida={"spear": 5, "ronin": 2}).army(0, 1, "mino", spear=3)
    for inside, asked in ((0, False), (3, False), (1, True)):
        match = units_turn(board)
        send(match, "hida", "mino", spear=3, ronin=2)
        play(match, "amount", amount=inside)
        if asked:
            assert amounts(match) == [0, 1, 2]
            play(match, "amount", amount=1)
        in_army = 1 if asked else 2 * (inside == 3)
        assert army(match, 0, 1)["units"].get("ronin", 0) == in_army
        assert units(match, "mino").get("ronin", 0) == 2 - in_army


def test_who_moved_and_fought_may_move_again() -> None:
    # SW-WAR-D-08: the army stepped in Phase A, it and the force of Hida fought in Phase C
    board = Board(phase="a").province("mino", 0, spear=1).province("hida", 0, bow=2)
    board.army(0, 1, "mino", bow=1).province("kaga", 1, spear=1).province("etchu", 1, spear=1)
    match = board.match(dice=[1, 1, 12])
    play(match, "army", army=1)
    play(match, "step", to="hida")
    play(match, "stop")
    play(match, "done")
    declare(match, 1, "kaga")
    declare(match, "hida", "etchu")
    play(match, "army", army=1)
    assert (match.state()["phase"], match.dice_left) == ("d", 0)
    play(match, "army", army=1)
    play(match, "step", to="kaga")
    play(match, "stop")
    play(match, "done")
    send(match, "hida", "etchu", bow=1)
    assert (army(match, 0, 1)["province"], units(match, "etchu")) == ("kaga", {"bow": 1})


def test_disrupted_armies_stay() -> None:
    # SW-WAR-D-08
    match = mino(spear=3, daimyo=0).match()
    assert options(match, "army") == [{"army": 3}]


def test_declarations_are_cleared_at_the_end() -> None:
    # SW-WAR-D-09: Mikawa's attack came too late, its declaration goes with the phase
    board = Board(phase="b").province("mino", 0, bow=1).province("mikawa", 0, bow=1)
    match = board.province("owari", 1, spear=1).match(dice=[1])
    declare(match, "mino", "owari")
    declare(match, "mikawa", "owari")
    play(match, "province", province="mino")
    assert (match.state()["phase"], match.state()["declared_forces"]) == ("d", {"mikawa": "owari"})
    play(match, "done")
    assert match.state()["active"] == 1
    assert match.state()["declared_forces"] == {}
    assert match.state()["declared_armies"] == [None] * 3


def test_units_dropped_or_detached_in_phase_d_have_moved() -> None:
    # SW-R-74: neither the garrison of Mino nor the detachment in Ise moves on, the unit of Kaga does
    match = mino(spear=6).province("kaga", 0, spear=2).match()
    play(match, "army", army=1)
    play(match, "province", province="ise")
    play(match, "from_army", unit="spear")
    play(match, "from_army", unit="spear")
    play(match, "done")
    play(match, "step", to="hida")
    play(match, "from_army", unit="spear")
    play(match, "from_army", unit="spear")
    play(match, "done")
    play(match, "stop")
    play(match, "done")
    assert (units(match, "ise"), units(match, "mino")) == ({"spear": 2}, {"spear": 2})
    assert places(match) == {"kaga"}


def test_units_dropped_in_phase_d_are_not_picked_up() -> None:
    # SW-R-74, SW-R-91: army 2 comes to Mino, where army 1 has left two spearmen
    board = mino(spear=6).province("echizen", 0, spear=1).army(0, 2, "echizen", hole=3, spear=1)
    match = board.match()
    play(match, "army", army=1)
    play(match, "step", to="hida")
    play(match, "from_army", unit="spear")
    play(match, "from_army", unit="spear")
    play(match, "done")
    play(match, "stop")
    play(match, "army", army=2)
    play(match, "step", to="mino")
    assert (units(match, "mino"), kinds(match)) == ({"spear": 2}, set())
    assert steps(match)


@pytest.mark.parametrize("phase", ["a", "c"])
def test_garrisons_of_earlier_phases_may_move(phase: str) -> None:
    # SW-R-74
    board = Board(phase="a").army(0, 1, "mino", hole=3, bow=1, spear=4).province("owari", 1, spear=1)
    match = board.province("hida", 0, spear=1).match(dice=[] if phase == "a" else [1])
    if phase == "a":
        play(match, "army", army=1)
        play(match, "step", to="hida")
    else:
        play(match, "done")
        declare(match, 1, "owari")
        play(match, "step", to="owari")
    play(match, "from_army", unit="spear")
    play(match, "from_army", unit="spear")
    play(match, "done")
    play(match, "stop")
    while match.state()["point"] != "choose_force":
        play(match, "done")
    assert units(match, "mino") == {"spear": 2}
    assert "mino" in places(match)
    assert match.dice_left == 0
