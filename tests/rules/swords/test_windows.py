"""The thirteen windows in which the holder of the ninja may strike (NW)."""

from typing import Any

import pytest

from rules.swords.board import Board, begin, declare, events, options, plan, play
from sengoku import Match

HOLDER = 1
Step = tuple[str, dict[str, Any]]


def look(match: Match) -> list[int]:
    """The windows that are open one after the other; the holder lets them pass."""
    found = []
    while (window := match.state()["window"]) is not None:
        assert match.to_act == match.state()["ninja"]
        found.append(window)
        play(match, "pass")
    return found


def trace(match: Match, *script: Step) -> list[int | str]:
    """Plays and says what was asked in order: a number is a window, a word a decision of the script."""
    seen: list[int | str] = [*look(match)]
    for name, args in script:
        if name == "declare":
            declare(match, args["force"], args["target"])
        else:
            play(match, name, **args)
        seen += [name, *look(match)]
    return seen


def do(name: str, **args: Any) -> Step:
    """A decision of a script."""
    return name, args


def held(board: Board, holder: int | None = HOLDER) -> Board:
    """The same board; a clan holds the ninja."""
    return board.set(ninja=holder, ninja_fresh=holder is not None)


def mino(hole: int = 0, **force: int) -> Board:
    """Clan 0's army 1 stands in Mino and is about to declare; clan 1 holds the ninja."""
    return held(Board(phase="b").army(0, 1, "mino", hole=hole, **force))


def quiet_round(round_: int, holder: int) -> list[int]:
    """The windows of a round in which nobody does anything."""
    plans: list[dict[str, int]] = [{}, {}, {}]
    plans[holder] = {"ninja": 1}
    match = begin(Board(round_=round_), "plan", *plans).match(seed=5)
    for _ in plans:
        plan(match)
    found = look(match)
    while match.state()["round"] == round_:
        play(match, "done")
        found += look(match)
    return found


@pytest.mark.parametrize("holder", [0, 1, 2])
def test_a_quiet_round(holder: int) -> None:
    # SW-NW-01, SW-NW-02, SW-NW-04, SW-NW-11, SW-NW-13: in every war turn, also the holder's own
    assert quiet_round(2, holder) == [1] + [2, 4, 11] * 3 + [13]


def test_the_first_round_has_no_windows() -> None:
    # SW-D-12, SW-NW-01, SW-NINJA-03: only from round 2
    assert quiet_round(1, HOLDER) == []


def test_without_a_holder_there_are_no_windows() -> None:
    # SW-D-12
    match = begin(Board(), "plan", {"ninja": 1}, {"ninja": 1}, {}).match()
    for _ in range(3):
        plan(match)
    assert look(match) == []
    while match.state()["round"] == 2:
        play(match, "done")
        assert look(match) == []


def test_the_end_of_action_6() -> None:
    # SW-NW-01: before any war turn
    match = begin(Board(), "plan", {}, {"ninja": 1}, {}).match()
    for _ in range(3):
        plan(match)
    assert (match.state()["window"], match.to_act) == (1, HOLDER)
    assert events(match, "ninja")
    assert not events(match, "war_turn")


def test_the_start_of_a_war_turn() -> None:
    # SW-NW-02: before Phase A
    match = held(Board()).set(phase="none", point="war_turn", turn=0).match()
    assert (match.state()["window"], match.to_act) == (2, HOLDER)
    play(match, "pass")
    assert (match.state()["phase"], match.to_act) == ("a", 0)


def test_after_each_move_of_phase_a() -> None:
    # SW-NW-03: once per army, not after a step
    board = held(Board()).province("mino", 0, spear=1).province("mikawa", 0, spear=1)
    match = board.army(0, 1, "mino", hole=3, spear=1).army(0, 2, "mikawa", spear=1).match()
    assert trace(
        match,
        do("army", army=1),
        do("step", to="mikawa"),
        do("step", to="mino"),
        do("stop"),
        do("army", army=2),
        do("stop"),
    ) == ["army", "step", "step", "stop", 3, "army", "stop", 3]


def test_not_while_two_armies_share_a_province() -> None:
    # SW-NW-03, SW-NW-12: only when the army that must make way has moved, in Phase A and in Phase D
    for phase, window in (("a", 3), ("d", 12)):
        board = held(Board(phase=phase)).province("mino", 0, spear=1).province("mikawa", 0, spear=1)
        match = board.army(0, 1, "mino", spear=1).army(0, 2, "mikawa", spear=1).match()
        assert trace(
            match,
            do("army", army=1),
            do("step", to="mikawa"),
            do("stop"),
            do("step", to="mino"),
            do("stop"),
        ) == ["army", "step", "stop", "step", "stop", window]


def test_after_all_declarations_before_the_first_battle() -> None:
    # SW-NW-04
    board = mino(spear=1).province("kaga", 0, spear=1).province("owari", 1, spear=1)
    match = board.province("hida", 1, spear=1).match(dice=[])
    declare(match, 1, "owari")
    assert match.state()["window"] is None
    declare(match, "kaga", "hida")
    assert (match.state()["window"], match.to_act) == (4, HOLDER)
    assert not events(match, "battle")


def test_before_and_after_ronin_are_revealed() -> None:
    # SW-NW-05, SW-NW-06: after the choice of the battle, and before the first die
    board = held(Board(phase="b")).province("mino", 0, spear=3, hidden=1).province("kaga", 0, spear=1)
    board.province("owari", 1, spear=3, hidden=1).province("hida", 1, spear=1)
    match = board.match(dice=[])
    declare(match, "mino", "owari")
    declare(match, "kaga", "hida")
    play(match, "pass")  # window 4
    assert match.state()["window"] is None
    play(match, "province", province="mino")
    assert (match.state()["window"], match.to_act) == (5, HOLDER)
    assert not events(match, "revealed")
    play(match, "pass")
    assert (match.state()["window"], match.to_act) == (6, HOLDER)
    assert [event["province"] for event in events(match, "revealed")] == ["mino", "owari"]
    assert not events(match, "dice")


def test_a_land_battle() -> None:
    # SW-NW-05, SW-NW-06, SW-NW-08, SW-NW-09, SW-NW-10: two rounds, nobody hits; 9 comes before step 8
    match = mino(spear=1).province("owari", 1, spear=1).match(dice=[12] * 6)
    assert trace(
        match,
        do("declare", force=1, target="owari"),
        do("continue"),
        do("call_off"),
    ) == ["declare", 4, 5, 6, 8, 9, "continue", 8, 9, "call_off", 10, 11]
    assert match.dice_left == 0


def test_no_window_in_a_battle_that_has_lost_a_side() -> None:
    # SW-NW-08, SW-NW-09: the defenders fall in step 3, in step 7, or the attackers do in step 7
    board = mino(bow=1).province("owari", 1, spear=1)
    script = do("declare", force=1, target="owari")
    assert trace(board.match(dice=[1]), script) == ["declare", 4, 5, 6, 10, 11]
    assert trace(board.match(dice=[12, 1, 12]), script) == ["declare", 4, 5, 6, 8, 10, 11]
    board = held(Board(phase="b")).province("mino", 0, spear=1).province("owari", 1, spear=1)
    script = do("declare", force="mino", target="owari")
    assert trace(board.match(dice=[12, 1]), script) == ["declare", 4, 5, 6, 8, 10, 11]


def test_windows_come_after_casualties_have_been_chosen() -> None:
    # SW-NW-08, SW-R-33: no hits are waiting
    board = held(Board(phase="b")).province("mino", 0, bow=1, spear=2).province("owari", 1, bow=1, spear=2)
    match = board.match(dice=[1, 1] + [12] * 4)
    declare(match, "mino", "owari")
    assert look(match) == [4, 5, 6]
    play(match, "from_province", unit="spear")
    assert look(match) == []
    play(match, "from_province", unit="spear")
    assert look(match) == [8, 9]


def test_after_a_naval_first_strike() -> None:
    # SW-NW-07: if both sides still have units
    board = held(Board(phase="b")).province("bungo", 0, spear=2).province("iyo", 1, spear=2)
    script = do("declare", force="bungo", target="iyo")
    match = board.match(dice=[1, 12] + [12] * 3)
    assert trace(match, script, do("call_off")) == [
        "declare", 4, 5, 6, 7, 8, 9, "call_off", 10, 11,
    ]  # fmt: skip
    assert match.dice_left == 0
    assert trace(board.match(dice=[1, 1]), script) == ["declare", 4, 5, 6, 10, 11]


def test_after_a_battle_and_after_a_conquest_move() -> None:
    # SW-NW-10: before the question whether to move in, and after moving; staying opens none of its own
    board = mino(3, bow=1, spear=2).province("owari", 1, spear=1)
    script = do("declare", force=1, target="owari")
    assert trace(board.match(dice=[1]), script, do("pass"), do("stop")) == [
        "declare", 4, 5, 6, 10, "pass", "stop", 11,
    ]  # fmt: skip
    assert trace(
        board.match(dice=[1]),
        script,
        do("step", to="owari"),
        do("from_army", unit="spear"),
        do("done"),
        do("stop"),
    ) == ["declare", 4, 5, 6, 10, "step", "from_army", "done", 10, "stop", 11]


def test_further_attacks_have_the_same_windows() -> None:
    # SW-NW-05, SW-NW-06, SW-NW-10
    board = mino(3, bow=1, spear=2).province("owari", 1, spear=1).province("ise", 1, spear=1)
    assert trace(
        board.match(dice=[1, 1]),
        do("declare", force=1, target="owari"),
        do("pass"),
        do("province", province="ise"),
    ) == ["declare", 4, 5, 6, 10, "pass", "province", 5, 6, 10, 11]


def test_empty_targets() -> None:
    # SW-NW-05, SW-NW-10: no battle, so no window before it; one when the army stays, or has moved in
    board = mino(3, bow=1, spear=2)
    script = do("declare", force=1, target="owari")
    assert trace(board.match(), script, do("pass"), do("stop")) == ["declare", 4, "pass", 10, "stop", 11]
    assert trace(
        board.match(),
        script,
        do("step", to="owari"),
        do("from_army", unit="bow"),
        do("done"),
        do("stop"),
    ) == ["declare", 4, "step", "from_army", "done", 10, "stop", 11]
    # the last attack: nobody can move in
    assert trace(board.match(), script, do("pass"), do("province", province="hida")) == [
        "declare", 4, "pass", 10, "province", 10, 11,
    ]  # fmt: skip


@pytest.mark.parametrize(("hole", "windows"), [(3, [10]), (0, [])])
def test_attacks_that_lapse(hole: int, windows: list[int]) -> None:
    # SW-NW-10: an experienced army's opens a window, a beginner's is dropped without one
    board = mino(3, bow=1).province("owari", 1, spear=1)
    for key in ("mikawa", "iga", "omi", "yamato", "kii", "shima"):
        board.province(key, 0, spear=1)
    match = board.army(0, 2, "ise", hole=hole, spear=1).match(dice=[1])
    assert trace(
        match,
        do("declare", force=1, target="owari"),
        do("declare", force=2, target="owari"),
        do("done"),
        do("army", army=1),
        do("step", to="owari"),
    ) == ["declare", "declare", "done", 4, "army", 5, 6, 10, "step", 10, *windows, 11]


def test_after_each_move_of_phase_d() -> None:
    # SW-NW-12: after armies only, not after steps, detachments or moves of provincial units;
    # then nobody is left to move, and clan 1's war turn begins
    board = held(Board(phase="d")).province("mino", 0, spear=2).army(0, 1, "mino", hole=3, spear=3)
    assert trace(
        board.match(),
        do("army", army=1),
        do("province", province="ise"),
        do("from_army", unit="spear"),
        do("done"),
        do("step", to="hida"),
        do("stop"),
        do("done"),
        do("province", province="mino"),
        do("from_province", unit="spear"),
        do("step", to="echizen"),
    ) == [
        "army", "province", "from_army", "done", "step", "stop", 12,
        "done", "province", "from_province", "step", 2,
    ]  # fmt: skip


def test_before_phase_d() -> None:
    # SW-NW-11: declarations and battles are over, no army has moved
    match = held(Board(phase="b")).province("mino", 0, spear=1).province("owari", 1, spear=1).match()
    play(match, "done")
    play(match, "pass")  # window 4
    assert (match.state()["window"], match.state()["phase"], match.to_act) == (11, "d", HOLDER)
    play(match, "pass")
    assert (match.to_act, {option["name"] for option in options(match)}) == (0, {"done", "army"})


def test_after_the_last_war_turn() -> None:
    # SW-NW-13: before Action 8, the ronin are still there
    board = held(Board(phase="d", active=2)).province("mino", 0, spear=2, hidden=1)
    match = board.match()
    play(match, "done")
    assert (match.state()["window"], match.to_act) == (13, HOLDER)
    assert match.state()["provinces"]["mino"]["hidden"] == 1
    assert not events(match, "income")
    play(match, "pass")
    assert match.state()["provinces"]["mino"]["hidden"] == 0
    assert events(match, "income")


def test_whom_the_holder_may_name() -> None:
    # SW-D-12, SW-R-40: enemy daimyo in play and not assassinated, or nobody
    board = Board(4).army(0, 1, "mino", spear=1).army(2, 1, "hida", daimyo=0, spear=1)
    board.army(1, 2, "kaga", spear=1)
    match = held(board).set(phase="none", point="war_turn", turn=0).match()
    assert options(match) == [
        {"name": "pass"},
        {"name": "daimyo", "clan": 0, "army": 1},
        {"name": "daimyo", "clan": 0, "army": 3},
        {"name": "daimyo", "clan": 2, "army": 3},
        {"name": "daimyo", "clan": 3, "army": 3},
    ]


def test_a_used_ninja_has_no_more_windows() -> None:
    # SW-D-12: whether the attempt succeeds or not
    for dice in ([8], [9, 8]):
        match = held(Board()).set(phase="none", point="war_turn", turn=0).match(dice=dice)
        play(match, "daimyo", clan=2)
        assert match.state()["ninja"] is None
        while match.state()["round"] == 2:
            play(match, "done")
            assert look(match) == []
        assert match.dice_left == 0


def test_whom_a_revenge_may_name() -> None:
    # SW-D-13: any living daimyo of the clan that sent the ninja, and there is no way around it
    board = Board().army(1, 1, "mino", spear=1).army(1, 2, "hida", daimyo=0, spear=1)
    board.army(2, 1, "kaga", spear=1)
    match = held(board).set(phase="none", point="war_turn", turn=0).match(dice=[9, 9])
    play(match, "daimyo", clan=2, army=3)
    assert match.to_act == 2
    assert options(match) == [
        {"name": "daimyo", "clan": 1, "army": 1},
        {"name": "daimyo", "clan": 1, "army": 3},
    ]
    assert match.dice_left == 0
