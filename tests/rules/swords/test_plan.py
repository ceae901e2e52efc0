"""Action 1: plan (PLAN): koku in five boxes, and the spy."""

import pytest

from rules.swords.board import BOXES, Board, begin, events, options, plan, play, point, quietly
from sengoku import Match


def amounts(match: Match) -> list[int]:
    """The numbers of koku that may be placed now."""
    return [action["amount"] for action in options(match, "amount")]


def koku(match: Match) -> list[int]:
    """The koku that each clan still has."""
    return [clan["koku"] for clan in match.state()["clans"]]


def test_all_koku_are_placed() -> None:
    # SW-PLAN-01: each box takes what is left or less; the last one takes the rest
    match = begin(Board(3), "plan", {"levy": 7}, {"levy": 3}, {"levy": 3}).match()
    for box, left in (("swords", 7), ("build", 6), ("levy", 4), ("ronin", 3)):
        assert match.state()["point"] == {"plan": box}
        assert amounts(match) == ([0, 2] if box == "build" else list(range(left + 1)))
        assert len(options(match)) == len(amounts(match))  # nothing else can be done, nothing be saved
        play(match, "amount", amount={"swords": 1, "build": 2, "levy": 1, "ronin": 1}[box])
    clan = match.state()["clans"][0]
    assert clan["plan"] == {"swords": 1, "build": 2, "levy": 1, "ronin": 1, "ninja": 2}
    assert (clan["committed"], match.to_act) == (True, 1)


@pytest.mark.parametrize("box", BOXES)
def test_all_koku_may_go_into_one_box(box: str) -> None:
    # SW-PLAN-01, SW-PLAN-02: any number from 0 up, but for BUILD
    match = begin(Board(3), "plan", {"levy": 5}, {}, {}).match()
    wanted = 2 if box == "build" else 5
    if box == "ninja":
        plan(match)
    else:
        plan(match, **{box: wanted})
    placed = match.state()["clans"][0]["plan"]
    assert placed[box] == wanted
    assert sum(placed.values()) == 5


@pytest.mark.parametrize(("left", "offered"), [(0, [0]), (1, [0]), (2, [0, 2]), (3, [0, 2]), (9, [0, 2])])
def test_build_takes_none_or_two(left: int, offered: list[int]) -> None:
    # SW-PLAN-02
    match = begin(Board(3), "plan", {"levy": left}, {}, {}).match()
    play(match, "amount", amount=0)
    assert amounts(match) == offered


def test_plans_are_revealed_together() -> None:
    # SW-PLAN-03: nobody's plan is known before all have placed, then everybody's is
    match = begin(Board(3), "plan", {"levy": 3}, {"levy": 3}, {"levy": 3}).match()
    for clan, boxes in enumerate(({"swords": 2}, {"levy": 3}, {"ronin": 1})):
        assert events(match, "plan") == []
        for seat in range(3):
            known = [entry["plan"] is not None for entry in match.view(seat)["clans"]]
            assert known == [seat == 0, seat == 1, seat == 2]
        assert match.to_act == clan
        plan(match, **boxes)
    plans = [
        {"swords": 2, "build": 0, "levy": 0, "ronin": 0, "ninja": 1},
        {"swords": 0, "build": 0, "levy": 3, "ronin": 0, "ninja": 0},
        {"swords": 0, "build": 0, "levy": 0, "ronin": 1, "ninja": 2},
    ]
    assert [event["plan"] for event in events(match, "plan")] == plans
    for seat in range(3):
        assert [entry["plan"] for entry in match.view(seat)["clans"]] == plans


def spying() -> Match:
    """Clan 0 still holds the ninja; the others have placed their koku."""
    board = begin(Board(3), "plan", {"levy": 3}, {"levy": 3}, {"levy": 4}).set(ninja=0)
    match = board.match()
    assert match.to_act == 1  # the holder comes last
    plan(match, levy=2)
    plan(match, swords=1, build=2)
    return match


def test_the_spy() -> None:
    # SW-PLAN-04, SW-R-17: in Action 1, when all others have placed, before the holder places
    match = spying()
    assert (match.to_act, point(match)) == (0, "spy")
    assert options(match) == [{"name": "pass"}, {"name": "clan", "clan": 1}, {"name": "clan", "clan": 2}]
    assert match.view(0)["clans"][2]["plan"] is None
    play(match, "clan", clan=2)
    seen = match.view(0)["clans"]
    assert seen[2]["plan"] == {"swords": 1, "build": 2, "levy": 0, "ronin": 0, "ninja": 1}
    assert seen[1]["plan"] is None  # one clan's plan only
    assert match.view(1)["clans"][2]["plan"] is None  # nobody else sees it
    assert match.view(1)["spied"] == 2  # but all know whose plan was looked at
    assert (match.to_act, match.state()["point"]) == (0, {"plan": "swords"})  # now it places its own
    plan(match, swords=3)
    # the plan looked at is what is revealed
    assert events(match, "plan")[2]["plan"] == {"swords": 1, "build": 2, "levy": 0, "ronin": 0, "ninja": 1}


def test_nobody_spies_without_the_ninja() -> None:
    # SW-PLAN-04
    match = begin(Board(3), "plan", {"levy": 3}, {"levy": 3}, {"levy": 3}).match()
    for clan in range(3):
        assert (match.to_act, point(match)) == (clan, "plan")
        plan(match, levy=3)


@pytest.mark.parametrize("used", [True, False])
def test_the_ninja_goes_back(used: bool) -> None:
    # SW-PLAN-05, SW-R-16: when its holder has placed, whether it was used as a spy or not
    match = spying()
    if used:
        play(match, "clan", clan=1)
    else:
        play(match, "pass")
    for box in range(4):
        assert match.state()["ninja"] == 0
        play(match, "amount", amount=3 if box == 2 else 0)
    state = match.state()
    assert (state["ninja"], state["spied"], events(match, "plan") != []) == (None, None, True)


def test_koku_are_spent_in_the_action_they_were_meant_for() -> None:
    # SW-PLAN-06, SW-R-17: Actions 2 to 6, one box each
    board = Board(3).province("hizen", 0, spear=2)
    boxes = {"swords": 1, "build": 2, "levy": 1, "ronin": 1, "ninja": 3}
    match = begin(board, "plan", boxes, {}, {}).match()
    plan(match, swords=1, build=2, levy=1, ronin=1)
    assert koku(match)[0] == 8
    plan(match)
    assert koku(match)[0] == 8
    plan(match)
    assert (point(match), koku(match)[0]) == ("swords", 7)
    play(match, "sword", sword=1)
    assert (point(match), koku(match)[0]) == ("build", 5)
    play(match, "pass")
    assert (point(match), koku(match)[0]) == ("buy", 4)
    play(match, "bundle", units={"bow": 1})
    play(match, "pass")
    assert (point(match), koku(match)[0]) == ("ronin", 3)
    play(match, "pass")
    play(match, "pass")
    assert (match.state()["window"], koku(match)[0]) == (1, 0)


def test_koku_are_spent_whatever_they_get() -> None:
    # SW-PLAN-06, SW-PLAN-01: a lost bid, nothing built, nothing levied, a tied ninja; nothing is left over
    board = Board(3)
    match = begin(board, "plan", {"levy": 9}, {"levy": 3}, {"levy": 3}).match()
    plan(match, swords=1, build=2, levy=2, ronin=1)
    for _ in range(2):
        plan(match)
    quietly(match, "choose_army")
    assert [event["clan"] for event in events(match, "ninja")] == [None]
    assert koku(match) == [0, 0, 0]
    quietly(match, "plan")
    assert koku(match) == [3, 3, 3]  # income, nothing saved


def test_koku_may_be_placed_where_they_are_of_no_use() -> None:
    # SW-R-15: BUILD without a site, LEVY beyond what can be placed; the koku are lost
    board = Board(3).province("tsushima", 0, fort="fortress")
    match = begin(board, "plan", {"levy": 6}, {}, {}).match()
    plan(match, build=2, levy=4)
    plan(match)
    plan(match)
    assert point(match) == "buy"  # there is nowhere to build, so nobody is asked
    for _ in range(4):
        play(match, "bundle", units={"spear": 3})
    play(match, "province", province="tsushima")
    for _ in range(11):
        assert options(match) == [{"name": "pass"}]  # one unit for its one province
        play(match, "pass")
    assert koku(match)[0] == 0
    assert match.state()["provinces"]["tsushima"]["fort"] == "fortress"
    assert match.state()["clans"][0]["tray"]["spear"] == 34


def test_five_boxes() -> None:
    # SW-R-17: plans concern Actions 2 to 6
    match = begin(Board(3), "plan", {"levy": 3}, {}, {}).match()
    assert tuple(match.state()["clans"][0]["plan"]) == ("swords", "build", "levy", "ronin", "ninja")
    plan(match, swords=1)
    plan(match)
    plan(match)
    quietly(match, "plan")
    order = [event["event"] for event in match.log]
    assert order.index("plan") < order.index("sword") < order.index("ninja") < order.index("war_turn")
