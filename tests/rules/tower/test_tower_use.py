"""The tower in a match (section 13, and what section 28 asks of a whole game)."""

import random
from typing import Any

import pytest

from rules.tower.board import (
    Board,
    enter,
    events,
    kinds,
    options,
    play,
    player,
    point,
    province,
    quietly,
)
from rules.tower.throws import SIEVE, heap, model, thrown_so
from sengoku import Match
from sengoku.errors import SetupError


def device(match: Match) -> tuple[Any, ...]:
    """All that is in the tower and in the tray, and how much was drawn for it."""
    state = match.state()
    return state["tower"], state["tray"], state["tower_draws"]


def test_one_throw_decides() -> None:
    # TW-TUSE-01: all that take part and all that lies in the tray, together, once
    board = (
        Board(3).province("omi", 0, 4).province("ise", 1, 2).plan(0, battle_a="omi").tray(1, 0, 2, farmers=4)
    )
    match = play(board.begin("battle_a").match(), "move", to="ise", armies=3)
    assert events(match, "thrown") == [{"cubes": heap(4, 2, 2, farmers=4), "tray": heap(4, 2, 2, farmers=4)}]
    assert len(events(match, "settled")) == 1


def test_some_stay_and_others_come_out() -> None:
    # TW-TUSE-02: what is in the tray afterwards is the result; two of yellow were inside and one comes out
    loose = {"shelves": [{"capacity": 4, "stick_per_mille": 900, "dislodge": 20000, "burst": 0}] * 2}
    board = Board(3).province("omi", 0, 4).province("ise", 1, 2).plan(0, battle_a="omi").tower([2, 2])
    board.begin("battle_a")
    seen = set()
    for seed in range(12):
        match = play(board.match(seed=seed, tower_model=loose), "move", to="ise", armies=3)
        (thrown,) = events(match, "thrown")
        state = match.state()
        inside = [cubes - out for cubes, out in zip([3, 2, 2, 0, 0, 0], thrown["tray"], strict=True)]
        assert state["inside"] == inside
        assert state["tray"][2] == thrown["tray"][2]  # yellow takes no part
        seen.add((thrown["tray"][0] < 3, thrown["tray"][2] > 0))
    assert (True, True) in seen


def test_nothing_else_touches_the_tower() -> None:
    # TW-TUSE-03: over seasons, winters and the year end, what is inside changes only by throws
    for seats in (3, 4):
        match, choose = Match.create("tower", seats=seats, seed=3, setup={"court": True}), random.Random(3)
        before, logged, kept = match.state()["tower"], len(match.log), 0
        while not match.over:
            match.play(choose.choice(match.legal_actions()))
            log, state = match.log, match.state()
            throws = [event for event in log[logged:] if event["event"] == "thrown"]
            if not throws:
                assert state["tower"] == before
                kept += any(
                    event["event"] in {"season_over", "year_over", "converted"} for event in log[logged:]
                )
            before, logged = state["tower"], len(log)
            assert sum(state["inside"]) > 5
        assert kept > 3


def test_accidents_wait_in_the_tray() -> None:
    # TW-TUSE-04, TW-R-31: the cube that falls after the first battle joins the throw of the second
    still = {"shelves": [{"capacity": 30, "stick_per_mille": 1, "dislodge": 1, "burst": 0}] * 2}
    board = Board(3).province("omi", 0, 3).province("mino", 0, 3).plan(0, battle_a="omi", battle_b="mino")
    board.tower([2], []).begin("battle_a")
    match = play(board.match(tower_model=still, bump_probability=1), "move", to="yamato", armies=2)
    assert events(match, "bumped") == [{"cube": 2}]
    assert (match.state()["tray"], match.state()["inside"]) == (heap(0, 0, 1), heap())
    logged = kinds(match)
    assert logged.index("bumped") > logged.index("settled")
    play(match, "move", to="hida", armies=2)
    assert events(match, "thrown")[1]["cubes"] == heap(2, 0, 1, farmers=1)
    assert len(events(match, "bumped")) == 1  # the tower is empty


def test_accidents_are_off() -> None:
    # TW-R-31: by default, and with probability 0, nothing falls and no number is drawn for it
    board = Board(3).province("omi", 0, 3).plan(0, battle_a="omi").tower([2, 2, 1], [1, 5]).begin("battle_a")
    drawn = []
    for setup in ({}, {"bump_probability": 0}, {"bump_probability": 0.00002}):
        match = play(board.match(tower_model="ledger", **setup), "move", to="yamato", armies=2)
        assert events(match, "bumped") == []
        drawn.append(match.state()["tower_draws"])
    assert drawn[0] == drawn[1]
    assert drawn[2] == drawn[0] + 1  # floor(p x 65536) = 1: one r16, which was not 0


def test_a_very_small_probability_is_still_a_test() -> None:
    # TW-R-31, TW-RNG-11: no number is drawn only if the option is 0
    board = Board(3).province("omi", 0, 3).plan(0, battle_a="omi").begin("battle_a")
    drawn = [
        play(board.match(bump_probability=p), "move", to="yamato", armies=2).state()["tower_draws"]
        for p in (0, 0.000001)
    ]
    assert drawn[1] == drawn[0] + 1


@pytest.mark.parametrize("wrong", [-0.1, 1.01, "often"])
def test_probabilities_that_cannot_be(wrong: object) -> None:
    # TW-R-31: at most 1
    with pytest.raises(SetupError):
        Match.create("tower", setup={"bump_probability": wrong})


def test_every_cube_can_fall() -> None:
    # TW-R-31: one of those inside, through shelf 0 and then shelf 1; into the tray, for any colour
    still = {"shelves": [{"capacity": 30, "stick_per_mille": 1, "dislodge": 1, "burst": 0}] * 2}
    board = Board(3).province("ise", 1, 6, unrest=1).plan(1, tax="ise").tower([0, 1, 5], [2, 2]).begin("tax")
    found = set()
    for seed in range(40):
        match = board.match(seed=seed, tower_model=still, bump_probability=1)
        (bumped,) = events(match, "bumped")
        before = [[0, 1, 5], [2, 2], []]
        shelf = next(cubes for cubes in before if bumped["cube"] in cubes)
        shelf.remove(bumped["cube"])
        assert match.state()["tower"] == before
        tray = heap()
        tray[bumped["cube"]] = 1
        assert match.state()["tray"] == tray
        found.add(bumped["cube"])
    assert found == {0, 1, 2, 5}


@pytest.mark.parametrize("action", ["battle_a", "battle_b", "deploy1"])
def test_moves_do_not_use_the_tower(action: str) -> None:
    # TW-TUSE-05: armies go to an own province; tower, tray and draws stay as they are
    board = Board(3).province("omi", 0, 4).province("ise", 0, 1, unrest=2).plan(0, **{action: "omi"})
    match = board.tray(1, 1, farmers=2).tower([0, 1, 2]).begin(action).match(tower_model="ledger")
    before = device(match)
    play(match, "move", to="ise", armies=2)
    assert device(match) == before
    assert "thrown" not in kinds(match)
    assert province(match, "ise")["armies"] == 3


def test_who_throws_is_irrelevant() -> None:
    # TW-R-32: seat 0 attacks seat 1, or the other way round: the same cubes, so the same tray
    one = (
        Board(3).province("omi", 0, 4).province("ise", 1, 3).plan(0, battle_a="omi").tray(0, 0, 4, farmers=2)
    )
    other = (
        Board(3).province("omi", 0, 3).province("ise", 1, 4).plan(1, battle_a="ise").tray(0, 0, 4, farmers=2)
    )
    for seed in range(10):
        outs = []
        for board, to in ((one, "ise"), (other, "omi")):
            match = board.begin("battle_a").match(seed=seed, tower_model=model(SIEVE))
            play(match, "move", to=to, armies=3)
            outs.append((events(match, "thrown")[0], match.state()["tower"]))
        assert outs[0] == outs[1]


def test_colours_are_names() -> None:
    # TW-R-32: the colours of the seats do not change a throw
    logs = []
    for colours in (["red", "blue", "yellow"], ["black", "red", "purple"]):
        match, choose = Match.create("tower", seats=3, seed=6, setup={"colours": colours}), random.Random(1)
        while not match.over:
            match.play(choose.choice(match.legal_actions()))
        logs.append(match.log)
    assert logs[0] == logs[1]
    assert len([event for event in logs[0] if event["event"] == "thrown"]) > 5


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_officers_of_the_fill(seats: int) -> None:
    # TW-FILL-03, CT-SETUP-03: an officer for each own army in the tray, then everything goes to the supplies;
    # TW-TOWER-09, TW-FILL-02: the tray is empty afterwards
    granted = set()
    for seed in range(8):
        match = Match.create("tower", seats=seats, seed=seed, setup={"court": True})
        (filled,) = events(match, "tower_filled")
        state = match.state()
        for seat in range(seats):
            out = filled["out"][seat]
            assert player(match, seat)["officers"] == {"supply": 7 - out, "entrance": out, "hall": 0}
            on_board = sum(it["armies"] for it in state["provinces"].values() if it["owner"] == seat)
            assert state["supply"][seat] == 62 - on_board - (7 - out)
            granted.add(out)
        assert state["supply"][5] == 10 + filled["out"][5]
        assert state["tray"] == heap()
        logged = kinds(match)
        assert logged.index("tower_filled") < logged.index("officers_granted") < logged.index("events_opened")
        plain = Match.create("tower", seats=seats, seed=seed)
        assert events(plain, "tower_filled") == [filled]
        assert "officers_granted" not in kinds(plain)
    assert len(granted) > 3


def test_the_tray_after_a_battle() -> None:
    # TW-TOWER-09: no seat that took part has a cube left in it; farmers stay where there was unrest
    for seed in range(3):
        match, choose = Match.create("tower", seats=4, seed=seed), random.Random(seed)
        while not match.over:
            match.play(choose.choice(match.legal_actions()))
        sides: list[int] = []
        battles = 0
        for event in match.log:
            if event["event"] == "attack":
                sides = [event["seat"]] + ([5] if event["defender"] is None else [event["defender"]])
            elif event["event"] == "revolt":
                sides = [event["seat"], 5]
            elif event["event"] == "settled":
                assert [event["tray"][side] for side in sides] == [0, 0]
                battles += 1
        assert battles > 10


def test_only_cubes_that_exist() -> None:
    # TW-TOWER-10: no supply, no additional cube; one cube in supply is one cube more
    for supply, more in ((0, 0), (1, 1), (2, 2)):
        board = Board(3).province("omi", 0, 3).province("ise", 1, 2, "castle").plan(0, battle_a="omi")
        board.province("kai", 1, 60 - supply).province("aki", 0, 59).event("castle_defence")
        match = board.specials({0: "attack_plus_1", 1: "defence_plus_1"}).begin("battle_a").match()
        play(match, "move", to="ise", armies=2)
        attack = events(match, "attack")[0]
        assert (attack["attacker_more"], attack["defender_more"]) == (0, more)
        assert events(match, "thrown")[0]["cubes"] == heap(2, 2 + more)
    # and armies that are not there are not placed
    for action, wanted in (("deploy5", 5), ("deploy3", 3), ("deploy1", 1)):
        board = Board(3).province("kai", 1, 62 - wanted + 1).plan(1, **{action: "kai"})
        match = board.begin(action).match()
        assert events(match, "passed")[0]["reason"] == "supply"
        assert (province(match, "kai")["armies"], player(match, 1)["chests"]) == (62 - wanted + 1, 20)


@pytest.mark.parametrize(("card", "armies"), [(3, 2), (8, 3), (14, 4)])
def test_favours_into_the_tray(card: int, armies: int) -> None:
    # TW-TOWER-12: armies are put into the tray, the tower does not notice
    board = Board(3, court=True).province("kai", 1, 1).officers(1, entrance=4).tower([0, 1, 2], [5])
    favours = sorted({card, 2, 5}, reverse=True)
    match = board.favours(*favours).tray(1).begin("court").match(tower_model="ledger")
    before = match.state()
    play(match, "favour", card=card)
    after = match.state()
    assert after["tray"] == heap(1, armies)
    assert after["supply"][1] == before["supply"][1] - armies
    assert (after["tower"], after["tower_draws"]) == (before["tower"], before["tower_draws"])


def test_conversion_out_of_the_tray() -> None:
    # TW-TOWER-12, CT-COURT-03
    board = Board(3, court=True).province("kai", 1, 1).plan(1, convert3="tower").tower([0, 1, 2], [1])
    match = board.tray(1, 4).begin("court").match(tower_model="ledger")
    assert events(match, "converted") == [{"seat": 1, "armies": 3, "province": None}]
    state = match.state()
    assert state["tray"] == heap(1, 1)
    assert (state["tower"], state["tower_draws"]) == ([[0, 1, 2], [1], []], 0)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_inside_by_subtraction(seats: int) -> None:
    # TW-TOWER-14, TW-D-12: every seat sees 62 (20) less everything outside, and never the shelves
    match, choose = Match.create("tower", seats=seats, seed=9, setup={"mode": "draft"}), random.Random(9)
    looked = 0
    while not match.over:
        match.play(choose.choice(match.legal_actions()))
        if choose.random() < 0.9:
            continue
        looked += 1
        inside = match.state()["inside"]
        view = match.view(choose.randrange(seats))
        assert view["tower"] is None
        for seat in range(seats):
            outside = sum(it["armies"] for it in view["provinces"].values() if it["owner"] == seat)
            outside += view["supply"][seat] + view["tray"][seat] + sum(view["players"][seat]["groups"])
            assert view["inside"][seat] == inside[seat] == 62 - outside
        assert view["inside"][5] == inside[5] == 20 - view["supply"][5] - view["tray"][5]
        assert view["inside"][seats:5] == [0] * (5 - seats)
    assert looked > 20


def test_a_draw_of_nothing() -> None:
    # TW-TUSE-02, TW-R-26: the tower swallows all of both sides
    board = Board(3).province("omi", 0, 2).province("ise", 1, 1).plan(0, battle_a="omi").begin("battle_a")
    match = thrown_so(board, heap(1, 1), heap(), lambda match: play(match, "move", to="ise", armies=1))
    assert province(match, "ise")["owner"] is None
    assert match.state()["inside"] == heap(1, 1)


def test_other_towers_obey_too() -> None:
    # TW-TOWER-09, TW-TOWER-14 with a tower of three shelves
    shelf = {"capacity": 9, "stick_per_mille": 700, "dislodge": 1000, "burst": 3000}
    match = Match.create("tower", seats=3, seed=1, setup={"tower_model": {"shelves": [shelf] * 3}})
    state = match.state()
    assert [sum(cubes.count(c) for cubes in state["tower"]) for c in range(6)] == state["inside"]
    assert all(len(cubes) <= 9 for cubes in state["tower"])
    for _ in range(3):
        enter(match)
    quietly(match, "plan", "summer")
    assert options(match)
    assert point(match) == "plan"
