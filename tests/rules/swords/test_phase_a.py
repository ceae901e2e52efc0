"""Action 7, Phase A: armies move (WAR-A)."""

from typing import Any

import pytest

from rules.swords.board import Board, army, events, options, owner, play, units
from sengoku import Match

LINE = ("mikawa", "mino", "echizen", "kaga", "noto", "etchu")
"""Provinces of which each is next to the one before."""


def line(length: int, **setup: Any) -> Board:
    """A board on which clan 0 has a spearman in the first provinces of the line."""
    board = Board(**setup)
    for key in LINE[:length]:
        board.province(key, 0, spear=1)
    return board


def steps(match: Match) -> set[str]:
    """Where the army may step."""
    return {option["to"] for option in options(match, "step")}


def picks(match: Match) -> set[str]:
    """Kinds of units the army may pick up."""
    return {option["unit"] for option in options(match, "from_province")}


def drops(match: Match) -> set[str]:
    """Kinds of units the army may leave behind."""
    return {option["unit"] for option in options(match, "from_army")}


def movable(match: Match) -> set[int]:
    """Armies that may move."""
    return {option["army"] for option in options(match, "army")}


def test_armies_move_in_any_order_each_once() -> None:
    # SW-WAR-A-01, SW-R-44
    match = line(2).army(0, 1, "mikawa", spear=1).army(0, 2, "mino", spear=1).match()
    assert movable(match) == {1, 2, 3}
    play(match, "army", army=2)
    play(match, "stop")
    assert movable(match) == {1, 3}
    play(match, "army", army=1)
    play(match, "stop")
    assert movable(match) == {3}


def test_provincial_forces_and_disrupted_armies_stay() -> None:
    # SW-WAR-A-01: only armies with a living daimyo are asked, no province is
    match = line(3).army(0, 1, "mikawa", spear=1).army(0, 2, "mino", daimyo=0, spear=1).match()
    assert options(match) == [{"name": "done"}, {"name": "army", "army": 1}, {"name": "army", "army": 3}]


@pytest.mark.parametrize(("hole", "level"), [(0, 1), (2, 1), (3, 2), (5, 2), (6, 3), (8, 3), (9, 4)])
def test_an_army_takes_as_many_steps_as_its_level(hole: int, level: int) -> None:
    # SW-WAR-A-02
    match = line(6).army(0, 1, "mikawa", hole=hole, spear=1).match()
    play(match, "army", army=1)
    for key in LINE[1 : level + 1]:
        play(match, "step", to=key)
    assert army(match, 0, 1)["province"] == LINE[level]
    assert not steps(match)
    assert options(match, "stop")


def test_steps_go_to_adjacent_friendly_provinces_only() -> None:
    # SW-WAR-A-02: Hida is an enemy's, Omi is empty, Kaga is not adjacent
    board = line(3).province("kaga", 0, spear=1).province("hida", 1, spear=1)
    match = board.army(0, 1, "mino", hole=9, spear=1).match()
    play(match, "army", army=1)
    assert steps(match) == {"mikawa", "echizen"}


def test_a_sea_route_is_one_step() -> None:
    # SW-WAR-A-02: over land and over sea alike
    board = Board().province("bungo", 0, spear=1).province("iyo", 0, spear=1).province("sanuki", 0, spear=1)
    match = board.army(0, 1, "bungo", spear=1).match()
    play(match, "army", army=1)
    assert steps(match) == {"iyo"}
    play(match, "step", to="iyo")
    assert not steps(match)


def test_an_army_may_pass_an_army_but_not_join_it() -> None:
    # SW-WAR-A-03, SW-R-44: army 2 has moved, so it will not make room
    match = line(3).army(0, 1, "mikawa", hole=3, spear=1).army(0, 2, "mino", spear=1).match()
    play(match, "army", army=2)
    play(match, "stop")
    play(match, "army", army=1)
    play(match, "step", to="mino")
    assert not options(match, "stop")
    assert steps(match) == {"mikawa", "echizen"}
    play(match, "step", to="echizen")
    play(match, "stop")
    assert [army(match, 0, number)["province"] for number in (1, 2)] == ["echizen", "mino"]


def test_no_step_into_a_dead_end() -> None:
    # SW-R-44: with its only step army 1 would end where army 2 stays
    match = line(3).army(0, 1, "mikawa", spear=1).army(0, 2, "mino", spear=1).match()
    play(match, "army", army=2)
    play(match, "stop")
    play(match, "army", army=1)
    assert not steps(match)


def test_an_army_may_stop_on_another_that_then_moves_away() -> None:
    # SW-WAR-A-03, SW-R-44: army 2 must move next, to a province without an army, and may not stay
    match = line(3).army(0, 1, "mikawa", spear=1).army(0, 2, "mino", spear=1).match()
    play(match, "army", army=1)
    play(match, "step", to="mino")
    play(match, "stop")
    assert not options(match, "army")
    assert not options(match, "done")
    assert not options(match, "stop")
    assert steps(match) == {"mikawa", "echizen"}
    play(match, "step", to="echizen")
    play(match, "stop")
    assert movable(match) == {3}


def test_a_pushed_army_cannot_come_back() -> None:
    # SW-WAR-A-03: two armies would share Mino at the end of the phase
    match = line(4).army(0, 1, "mikawa", spear=1).army(0, 2, "mino", hole=3, spear=1).match()
    play(match, "army", army=1)
    play(match, "step", to="mino")
    play(match, "stop")
    play(match, "step", to="echizen")
    assert steps(match) == {"kaga"}


def test_an_army_cannot_stop_on_a_disrupted_one() -> None:
    # SW-R-44
    match = line(2).army(0, 1, "mikawa", spear=1).army(0, 2, "mino", daimyo=0, spear=1).match()
    play(match, "army", army=1)
    assert not steps(match)


def test_an_army_cannot_stop_on_one_that_has_no_way_out() -> None:
    # SW-R-44: from Tsushima the only way leads to Iki; with army 2 there, army 1 must not come and stay
    board = Board().province("iki", 0, spear=1).province("hizen", 0, spear=1)
    board.army(0, 1, "hizen", hole=3, spear=1)
    match = board.match()
    play(match, "army", army=1)
    play(match, "step", to="iki")
    play(match, "step", to="tsushima")
    # army 3 had to go, and there was only one way
    assert (army(match, 0, 1)["province"], army(match, 0, 3)["province"]) == ("tsushima", "iki")
    match = board.army(0, 2, "iki", spear=1).match()
    play(match, "army", army=2)
    play(match, "stop")
    play(match, "army", army=1)
    play(match, "step", to="iki")
    assert steps(match) == {"hizen"}
    assert not options(match, "stop")


def test_a_daimyo_alone_cannot_leave_a_province_empty() -> None:
    # SW-R-44
    match = line(2).province("mikawa", None).army(0, 1, "mikawa").match()
    play(match, "army", army=1)  # there is nothing to decide, the move is over
    assert army(match, 0, 1)["province"] == "mikawa"
    assert movable(match) == {3}
    match = line(2).army(0, 1, "mikawa").match()  # with a spearman who stays he can
    play(match, "army", army=1)
    play(match, "step", to="mino")
    assert army(match, 0, 1)["province"] == "mino"


def test_a_province_may_be_visited_twice() -> None:
    # SW-R-44
    match = line(2).army(0, 1, "mikawa", hole=3, spear=1).match()
    play(match, "army", army=1)
    play(match, "step", to="mino")
    play(match, "step", to="mikawa")
    play(match, "stop")
    assert army(match, 0, 1)["province"] == "mikawa"


def test_an_army_that_made_way_is_moved_before_any_ninja_window() -> None:
    # SW-R-44
    board = line(3).army(0, 1, "mikawa", spear=1).army(0, 2, "mino", spear=1).set(ninja=1)
    match = board.match()
    play(match, "army", army=1)
    play(match, "step", to="mino")
    play(match, "stop")
    assert (match.to_act, match.state()["window"]) == (0, None)
    play(match, "step", to="echizen")
    play(match, "stop")
    assert (match.to_act, match.state()["window"]) == (1, 3)


def test_armies_do_not_exchange_units() -> None:
    # SW-WAR-A-04: Mino holds only army 2, so there is nothing to take and nowhere to put anything
    board = line(3).province("mino", None).army(0, 2, "mino", bow=2, spear=2)
    match = board.army(0, 1, "mikawa", hole=3, gun=1).match()
    play(match, "army", army=1)
    play(match, "step", to="mino")
    assert {option["name"] for option in options(match)} == {"stop", "step"}
    play(match, "step", to="echizen")
    play(match, "stop")
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "gun": 1}
    assert army(match, 0, 2)["units"] == {"daimyo": 1, "bow": 2, "spear": 2}


def test_who_leaves_a_province_without_a_force_leaves_a_garrison() -> None:
    # SW-WAR-A-05: at least one regular unit of the owner's choice, never the daimyo, never ronin
    board = line(2).province("mikawa", None).army(0, 1, "mikawa", bow=1, sword=1, gun=2, spear=1, ronin=1)
    match = board.match()
    play(match, "army", army=1)
    play(match, "step", to="mino")
    assert drops(match) == {"bow", "sword", "gun", "spear"}
    assert not options(match, "done")
    play(match, "from_army", unit="gun")
    play(match, "from_army", unit="bow")
    play(match, "done")
    play(match, "amount", amount=0)  # no ronin stay
    assert units(match, "mikawa") == {"gun": 1, "bow": 1}
    assert owner(match, "mikawa") == 0
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "sword": 1, "gun": 1, "spear": 1, "ronin": 1}


def test_a_garrison_has_at_most_five_units() -> None:
    # SW-WAR-A-05
    match = line(2).province("mikawa", None).army(0, 1, "mikawa", spear=7).match()
    play(match, "army", army=1)
    play(match, "step", to="mino")
    for _ in range(5):
        play(match, "from_army", unit="spear")
    assert units(match, "mikawa") == {"spear": 5}
    assert army(match, 0, 1)["province"] == "mino"


def test_where_a_force_remains_nobody_is_detached() -> None:
    # SW-WAR-A-05: neither when the army leaves nor while it stands, though Ise beside it is empty
    match = line(2).army(0, 1, "mino", bow=1, spear=3).match()
    play(match, "army", army=1)
    assert {option["name"] for option in options(match)} == {"stop", "from_province", "step"}
    play(match, "step", to="mikawa")
    assert army(match, 0, 1) | {"moved": False} == {
        "province": "mikawa",
        "hole": 0,
        "units": {"daimyo": 1, "bow": 1, "spear": 3},
        "disrupted": False,
        "moved": False,
    }
    assert units(match, "mino") == {"spear": 1}


def test_a_force_that_was_picked_up_does_not_remain() -> None:
    # SW-WAR-A-05: an army that takes the whole force along must leave a unit
    match = line(2).army(0, 1, "mikawa", bow=1).match()
    play(match, "army", army=1)
    play(match, "from_province", unit="spear")
    play(match, "step", to="mino")
    assert drops(match) == {"bow", "spear"}


def test_an_army_picks_up_what_fits_into_its_boxes() -> None:
    # SW-WAR-A-06: four samurai and ten ashigaru
    board = Board().province("mino", 0, bow=1, sword=1, gun=1, spear=2)
    match = board.army(0, 1, "mino", bow=2, sword=2, gun=4, spear=5).match()
    play(match, "army", army=1)
    assert picks(match) == {"gun", "spear"}
    play(match, "from_province", unit="gun")
    assert picks(match) == set()
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "bow": 2, "sword": 2, "gun": 5, "spear": 5}
    match = board.army(0, 1, "mino", bow=2, sword=1, gun=4, spear=6).match()
    play(match, "army", army=1)
    assert picks(match) == {"bow", "sword"}
    play(match, "from_province", unit="sword")
    assert units(match, "mino") == {"bow": 1, "gun": 1, "spear": 2}
    assert picks(match) == set()


def test_units_picked_up_move_on_and_others_may_stay() -> None:
    # SW-WAR-A-06, SW-R-42: before a step, after it, in a province passed and in the last one
    board = line(3).province("mikawa", 0, spear=2).province("mino", 0, spear=2, bow=1)
    match = board.army(0, 1, "mikawa", hole=3).match()
    play(match, "army", army=1)
    play(match, "from_province", unit="spear")
    play(match, "step", to="mino")
    play(match, "from_province", unit="bow")
    play(match, "step", to="echizen")
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "spear": 1, "bow": 1}
    play(match, "from_province", unit="spear")
    assert (units(match, "mikawa"), units(match, "mino"), units(match, "echizen")) == (
        {"spear": 1},
        {"spear": 2},
        {},
    )
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "spear": 2, "bow": 1}


def test_an_army_that_stays_may_pick_up_the_whole_force() -> None:
    # SW-R-42, SW-X-03: Chikuzen before its attack on Hizen
    board = Board().province("chikuzen", 0, gun=1, spear=3).province("hizen", 1, spear=1)
    match = board.army(0, 1, "chikuzen", bow=1, sword=1, gun=2).match()
    play(match, "army", army=1)
    for unit in ("gun", "spear", "spear", "spear"):
        play(match, "from_province", unit=unit)
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "bow": 1, "sword": 1, "gun": 3, "spear": 3}
    assert units(match, "chikuzen") == {}
    assert owner(match, "chikuzen") == 0


def test_an_army_may_leave_combat_position_or_stay() -> None:
    # SW-WAR-A-07: an enemy stands in Owari, beside Mikawa
    match = line(2).province("owari", 1, spear=5).army(0, 1, "mikawa", spear=1).match()
    play(match, "army", army=1)
    staying = play(match.clone(), "stop")
    assert army(staying, 0, 1)["province"] == "mikawa"
    assert steps(match) == {"mino"}
    play(match, "step", to="mino")
    assert army(match, 0, 1)["province"] == "mino"


def test_another_army_holds_the_province_that_is_left() -> None:
    # SW-R-43: army 2 comes in, army 1 leaves without a garrison, and none would be allowed
    board = line(3).province("mino", None).army(0, 1, "mino", spear=3)
    match = board.army(0, 2, "mikawa", spear=1).match()
    play(match, "army", army=2)
    play(match, "step", to="mino")
    play(match, "step", to="echizen")  # it is army 1 that must move now
    assert army(match, 0, 1)["province"] == "echizen"
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "spear": 3}
    assert units(match, "mino") == {}
    assert owner(match, "mino") == 0


def test_revealed_ronin_go_along_or_stay_with_the_force() -> None:
    # SW-R-45
    board = line(2).province("mikawa", 0, spear=3)
    board.army(0, 1, "mikawa", spear=3, ronin=2)
    for stay in (0, 1, 2):
        match = board.match()
        play(match, "army", army=1)
        play(match, "step", to="mino")
        assert [option["amount"] for option in options(match, "amount")] == [0, 1, 2]
        play(match, "amount", amount=stay)
        assert army(match, 0, 1)["units"].get("ronin", 0) == 2 - stay
        assert units(match, "mikawa").get("ronin", 0) == stay


def test_revealed_ronin_may_stay_with_a_garrison() -> None:
    # SW-R-45
    board = line(2).province("mikawa", None).army(0, 1, "mikawa", spear=3, ronin=1)
    match = board.match()
    play(match, "army", army=1)
    play(match, "step", to="mino")
    play(match, "from_army", unit="spear")
    play(match, "from_army", unit="spear")
    play(match, "done")
    play(match, "amount", amount=1)
    assert units(match, "mikawa") == {"spear": 2, "ronin": 1}


def test_revealed_ronin_never_stay_with_another_army() -> None:
    # SW-R-45: only army 1 remains in Mino, so the ronin of army 2 go along unasked
    board = line(3).province("mino", None).army(0, 1, "mikawa", spear=3)
    match = board.army(0, 2, "mino", spear=3, ronin=2).match()
    play(match, "army", army=1)
    play(match, "step", to="mino")
    play(match, "step", to="echizen")
    assert army(match, 0, 2)["province"] == "echizen"
    assert army(match, 0, 2)["units"]["ronin"] == 2


def test_of_a_hidden_stack_any_number_goes_along() -> None:
    # SW-R-45, SW-R-29: taking some along turns the card over, and the rest joins the force left behind
    board = line(2).province("mikawa", 0, spear=3, hidden=3).army(0, 1, "mikawa", spear=3)
    match = board.match()
    play(match, "army", army=1)
    assert [option["hidden"] for option in options(match, "step")] == [0, 1, 2, 3]
    play(match, "step", to="mino", hidden=1)
    assert army(match, 0, 1)["units"]["ronin"] == 1
    assert units(match, "mikawa") == {"spear": 3, "ronin": 2}
    assert match.state()["provinces"]["mikawa"]["hidden"] == 0
    assert [event["ronin"] for event in events(match, "revealed")] == [3]


def test_a_hidden_stack_may_be_left_hidden() -> None:
    # SW-R-45
    board = line(2).province("mikawa", 0, spear=3, hidden=2).army(0, 1, "mikawa", spear=3)
    match = board.match()
    play(match, "army", army=1)
    play(match, "step", to="mino", hidden=0)
    assert match.state()["provinces"]["mikawa"]["hidden"] == 2
    assert not events(match, "revealed")
    assert "ronin" not in army(match, 0, 1)["units"]


def test_the_rest_of_a_stack_is_divided_between_two_forces() -> None:
    # SW-R-45: army 1 has come to Mino, so army 2 leaves an army and a provincial force behind
    board = line(3).province("mino", 0, spear=3, hidden=4).army(0, 1, "mikawa", spear=3)
    match = board.army(0, 2, "mino", spear=3).match()
    play(match, "army", army=1)
    play(match, "step", to="mino")
    play(match, "stop")
    play(match, "step", to="echizen", hidden=1)
    assert [option["amount"] for option in options(match, "amount")] == [0, 1, 2, 3]
    play(match, "amount", amount=2)
    assert army(match, 0, 2)["units"]["ronin"] == 1
    assert army(match, 0, 1)["units"]["ronin"] == 2
    assert units(match, "mino") == {"spear": 3, "ronin": 1}


def test_whoever_picks_up_units_may_take_over_their_ronin() -> None:
    # SW-R-45: only together with a unit
    match = Board().province("mino", 0, spear=3, ronin=2).army(0, 1, "mino", spear=3).match()
    play(match, "army", army=1)
    assert picks(match) == {"spear"}
    play(match, "from_province", unit="spear")
    assert picks(match) == {"spear", "ronin"}
    play(match, "from_province", unit="ronin")
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "spear": 4, "ronin": 1}
    assert units(match, "mino") == {"spear": 2, "ronin": 1}


def dropped_for_another() -> Match:
    """Army 1 has left two spearmen and a ronin in Mikawa, and army 2 has come there, one step left."""
    board = line(3).province("mikawa", None).army(0, 1, "mikawa", spear=3, ronin=1)
    match = board.province("owari", 0, spear=1).army(0, 2, "owari", hole=3, spear=2).match()
    play(match, "army", army=1)
    play(match, "step", to="mino")
    play(match, "from_army", unit="spear")
    play(match, "from_army", unit="spear")
    play(match, "done")
    play(match, "amount", amount=1)
    play(match, "stop")
    play(match, "army", army=2)
    play(match, "step", to="mikawa")
    return match


def test_one_army_does_not_drop_units_for_another() -> None:
    # SW-R-91
    match = dropped_for_another()
    assert army(match, 0, 2)["province"] == "mikawa"
    assert units(match, "mikawa") == {"spear": 2, "ronin": 1}
    assert steps(match)
    assert not picks(match)


def test_dropped_units_are_free_again_in_the_next_phase() -> None:
    # SW-R-91: the ban ends with the phase
    match = dropped_for_another()
    play(match, "stop")
    while match.state()["phase"] != "d":
        play(match, "done")
    play(match, "army", army=2)
    assert picks(match) == {"spear"}
