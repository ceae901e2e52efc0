"""The cube tower by itself: its fill, its use, and the contract of its model (sections 4, 13, 27, 28)."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sengoku.errors import ArgumentError, SetupError
from sengoku.tower import COLOURS, CubeTower, fill, parameter_sets, simulate_throws

FULL = {"red": 7, "blue": 7, "yellow": 7, "purple": 6, "farmer": 10}
THROW = {"blue": 4, "yellow": 3, "farmer": 1}


def heaps(most: int) -> st.SearchStrategy[dict[str, int]]:
    """Cubes by colour, at least one of them."""
    return st.dictionaries(st.sampled_from(COLOURS), st.integers(1, most), min_size=1)


@pytest.mark.parametrize(("players", "cubes"), [(3, 31), (4, 38), (5, 45)])
def test_the_fill(players: int, cubes: int) -> None:
    # TW-FILL-01, TW-EX-02: 7 armies of every player and 10 farmers together into the empty tower
    thrown = fill(players)
    assert sum(thrown.values()) == 7 * players + 10 == cubes
    tower = CubeTower(seed=1)
    assert len(tower) == 0
    tray = tower.throw(thrown)
    # TW-FILL-02: what comes out is known by colour and goes back to the supplies, nothing of it is inside
    assert Counter(tray) + Counter(tower.contents) == Counter(thrown)


@given(heaps(8), heaps(6), st.integers(0, 2**64 - 1))
def test_no_cube_is_lost(contents: dict[str, int], thrown: dict[str, int], seed: int) -> None:
    # TW-TUSE-01, TW-TUSE-02, TW-TOWER-02, TW-TOWER-03: what is thrown or was inside is inside or in the tray
    if sum(contents.values()) > 50:
        return
    tower = CubeTower(seed=seed, contents=contents)
    assert tower.contents == {colour: contents[colour] for colour in COLOURS if colour in contents}
    tray = tower.throw(thrown)
    assert Counter(tray) + Counter(tower.contents) == Counter(contents) + Counter(thrown)


def test_the_tower_keeps_what_it_has() -> None:
    # TW-TUSE-03, TW-TOWER-01: looking, cloning and saving change nothing, only throws do; nothing empties it
    tower = CubeTower(seed=2, contents=FULL, parameters="ledger")
    before = tower.shelves
    tower.clone().throw(THROW)
    tower.save()
    assert tower.bump(0) is None
    assert (tower.shelves, tower.contents, len(tower)) == (before, FULL, 37)
    with pytest.raises(SetupError):
        tower.throw({"farmer": 11})
    assert (tower.shelves, tower.throws) == (before, 0)
    for _ in range(200):
        tower.throw(THROW)
        taken = Counter(tower.contents)
        assert 15 < taken.total() <= 50


def test_accidental_falls() -> None:
    # TW-TUSE-04, TW-R-31, TW-RNG-11: with a chance of 0 nothing is drawn; else one cube falls, any of them
    tower = CubeTower(seed=3, contents={"blue": 2, "red": 1})
    draws = tower.draws
    assert tower.bump(0.0) is None
    assert tower.draws == draws
    fallen = [tower.bump(1.0) for _ in range(3)]
    assert sorted(fallen) == ["blue", "blue", "red"]
    assert tower.bump(1.0) is None
    assert len(tower) == 0
    with pytest.raises(ArgumentError, match=r"probability is 1.5"):
        tower.bump(1.5)


def test_same_throw_same_result() -> None:
    # TW-TOWER-08: the order in which the caller names the colours does not change the throw
    first, second = CubeTower(seed=4, contents=FULL), CubeTower(seed=4, contents=dict(reversed(FULL.items())))
    for _ in range(20):
        assert first.throw(THROW) == second.throw(dict(reversed(THROW.items())))
        assert first.shelves == second.shelves
    assert first.throw(THROW) != CubeTower(seed=5, contents=FULL).throw(THROW)


def test_colours_are_alike() -> None:
    # TW-TOWER-06, TW-R-32: two colours of 6 into a tower with as many of both; neither comes out more often
    throws = simulate_throws({"red": 6, "black": 6}, count=200_000, contents={"red": 18, "black": 18}, seed=6)
    red, black = throws.tray[:, 0].astype(int), throws.tray[:, 4].astype(int)
    more, less = (red > black).sum(), (red < black).sum()
    assert abs(more - less) < 4 * np.sqrt(more + less)
    assert abs((red - black).mean()) < 4 * (red - black).std() / np.sqrt(len(red))


def test_any_output_can_be() -> None:
    # TW-TOWER-07, TW-TOWER-11: none of a side, and more of a side than it threw
    throws = simulate_throws({"red": 2, "blue": 2}, count=20_000, contents=FULL, seed=7)
    red = throws.tray[:, 0]
    assert (red == 0).any()
    assert (red > 2).any()
    assert (throws.tray.sum(axis=1) == 0).any()
    assert (throws.tray.max(axis=0)[[2, 3, 5]] > 0).all()  # every colour inside comes out


def test_no_throw_is_empty() -> None:
    # TW-TOWER-13
    for empty in ({}, {"blue": 0}):
        with pytest.raises(ArgumentError, match="a throw has at least one cube"):
            CubeTower().throw(empty)
        with pytest.raises(ArgumentError, match="a throw has at least one cube"):
            simulate_throws(empty, count=1)


def test_only_cubes_that_exist_are_thrown() -> None:
    # TW-TOWER-04, TW-TOWER-10: 62 of each player and 20 farmers, those in the tower among them
    tower = CubeTower(contents={"blue": 2, "farmer": 10})
    for cubes, field, value in (
        ({"blue": 61}, "cubes.blue", "61"),
        ({"farmer": 11}, "cubes.farmer", "11"),
        ({"red": 63}, "cubes.red", "63"),
        ({"red": -1}, "cubes.red", "-1"),
    ):
        with pytest.raises(SetupError) as refused:
            tower.throw(cubes)
        assert (refused.value.details["field"], refused.value.details["value"]) == (field, value)
    with pytest.raises(SetupError, match="colours are red, blue"):
        tower.throw({"green": 1})
    with pytest.raises(SetupError, match="51 cubes, the tower holds 50"):
        CubeTower(contents={"red": 31, "blue": 20}, parameters="ledger")
    held = CubeTower(contents={"red": 30, "blue": 20}, parameters="ledger").contents
    assert sum(held.values()) == 50


def test_the_tray_is_apart() -> None:
    # TW-TOWER-12: what is done to a tray that was given leaves the tower as it is
    tower = CubeTower(seed=8, contents=FULL)
    tray = tower.throw(THROW)
    before = tower.shelves
    tray.clear()
    tower.contents.clear()
    assert tower.shelves == before


def test_what_is_hidden_follows_from_what_is_seen() -> None:
    # TW-TOWER-14: the content by colour is all there are minus everything outside
    tower, outside = CubeTower(seed=9), Counter(dict.fromkeys(COLOURS[:5], 62) | {"farmer": 20})
    everything = outside.copy()
    for _ in range(30):
        thrown = {colour: 3 for colour in COLOURS if outside[colour] >= 3}
        outside -= Counter(thrown)
        outside += Counter(tower.throw(thrown))
        assert everything - outside == Counter(tower.contents)


def test_the_shelves() -> None:
    # TW-TOWER-20 tells of two plates inside, TW-TOWER-30 models them as two shelves
    tower = CubeTower(seed=1, contents=FULL, parameters="ledger")
    assert len(tower.shelves) == 2
    assert [shelf["capacity"] for shelf in tower.parameters["shelves"]] == [26, 24]
    assert {"ledger", "default"} <= set(parameter_sets())


def test_parameters_are_configuration() -> None:
    # TW-TOWER-35; a third shelf is possible
    shelf = {"capacity": 9, "stick_per_mille": 700, "dislodge": 1000, "burst": 0}
    tower = CubeTower(seed=1, parameters={"shelves": [shelf] * 3})
    for _ in range(50):
        tower.throw({"red": 5})
    assert len(tower.shelves) == 3
    assert all(0 < len(row) <= 9 for row in tower.shelves)
    for wrong, field in (
        ({"shelves": [shelf]}, "parameters.shelves"),
        ({"shelves": [shelf, shelf | {"dislodge": 0}]}, "parameters.shelves[1].dislodge"),
        ({"shelves": [shelf, shelf | {"capacity": 65}]}, "parameters.shelves[1].capacity"),
        ({"plates": []}, "parameters.plates"),
        ("warped", "parameters"),
    ):
        with pytest.raises(SetupError) as refused:
            CubeTower(parameters=wrong)
        assert refused.value.details["field"] == field
    with pytest.raises(ArgumentError, match='model is "jelly", there is shelves'):
        CubeTower("jelly")


@pytest.mark.parametrize(
    ("players", "mean", "deviation"), [(3, 24.51, 2.06), (4, 27.79, 2.40), (5, 30.28, 2.67)]
)
def test_statistics_of_the_fill(players: int, mean: float, deviation: float) -> None:
    # TW-TOWER-34: within max(0.1, 3 %) of the mean and 12 % of the variance; TW-TOWER-21: most of it stays
    held = simulate_throws(fill(players), count=100_000, seed=1, parameters="ledger").contents.sum(axis=1)
    assert held.mean() == pytest.approx(mean, abs=max(0.1, 0.03 * mean))
    assert held.var() == pytest.approx(deviation**2, rel=0.12)


TABLE = {
    20: ((1.07, 1.02), (2.31, 2.04), (3.72, 3.03), (5.28, 3.98)),
    26: ((1.64, 1.58), (3.42, 2.99), (5.35, 4.25), (7.40, 5.32)),
    32: ((2.33, 2.27), (4.75, 4.08), (7.26, 5.57), (9.82, 6.71)),
    38: ((3.15, 3.08), (6.29, 5.32), (9.41, 6.98), (12.52, 8.15)),
}


@pytest.mark.parametrize("content", TABLE)
def test_statistics_by_content(content: int) -> None:
    # TW-TOWER-34, TW-TOWER-33: more cubes and a fuller tower give more back, as much as was thrown near 37
    for cubes, (mean, variance) in zip((3, 6, 9, 12), TABLE[content], strict=True):
        throws = simulate_throws(
            {"blue": cubes}, count=100_000, contents={"red": content}, seed=2, parameters="ledger"
        )
        out = throws.tray.sum(axis=1)
        assert out.mean() == pytest.approx(mean, abs=max(0.1, 0.03 * mean))
        assert out.var() == pytest.approx(variance, rel=0.12)
        assert (out.mean() > cubes) == (content > 37)


def test_the_content_settles() -> None:
    # TW-TOWER-21: from empty and from full to the same level, where output equals input
    levels = []
    for contents in ({}, {"red": 30, "blue": 20}):
        throws = simulate_throws(
            {"blue": 6}, count=60_000, contents=contents, seed=3, sequence=True, parameters="ledger"
        )
        levels.append(throws.contents[1000:].sum(axis=1).mean())
        assert throws.tray[1000:].sum(axis=1).mean() == pytest.approx(6, abs=0.01)
    assert levels[0] == pytest.approx(levels[1], abs=0.3)
    assert 30 < levels[0] < 45
