"""Invariants of a battle of `swords`, for all forces and all dice."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from properties.strategies import battles, fight_out
from sengoku import swords
from sengoku.swords import Battle, Force


def units(*forces: Force) -> dict[str, int]:
    return {unit: sum(getattr(force, unit) for force in forces) for unit in swords.UNITS}


@given(battles(), st.integers(0, 2**32))
def test_units_are_conserved(battle: Battle, seed: int) -> None:
    fight, dice = fight_out(battle, seed)
    for side, before, after in (
        ("attacker", (battle.attacker,), (fight.attacker,)),
        ("defender", battle.defenders, fight.defenders),
    ):
        fallen = units(*(line.casualties for line in fight.steps if line.side == side))
        left = units(*after)
        assert {unit: left[unit] + fallen[unit] for unit in left} == units(*before)
    bonus = {"none": 0, "castle": 4, "fortress": 5}[battle.fort] - battle.fort_lost
    assert fight.fort_bonus_left + sum(line.bonus_lost for line in fight.steps) == bonus
    assert [face for line in fight.steps for face in line.dice] == dice  # no roll is left


@given(battles(), st.integers(0, 2**32))
def test_losses_are_legal(battle: Battle, seed: int) -> None:
    # SW-CASUALTY-01, SW-CASUALTY-04, SW-CASUALTY-05, SW-CASUALTY-06, SW-R-58
    fight, _ = fight_out(battle, seed)
    for line in fight.steps:
        if line.step in {3, 7}:
            assert 0 < line.casualties.total + line.bonus_lost <= line.hits
    for before, after in zip(
        (battle.attacker, *battle.defenders), (fight.attacker, *fight.defenders), strict=True
    ):
        regulars = after.total - after.ronin
        was_over = before.ronin > before.total - before.ronin - 1
        assert after.ronin == 0 or after.ronin < regulars or (was_over and before.disrupted)
    if fight.fort_bonus_left:
        assert fight.defenders == battle.defenders
    for side, left in (("attacker", fight.attacker.total), ("defender", fight.defender.total)):
        daimyo_fell = any(line.casualties.daimyo for line in fight.steps if line.side == side)
        assert not (daimyo_fell and left)


@given(battles(), st.integers(0, 2**32))
def test_the_winner_is_who_is_left(battle: Battle, seed: int) -> None:
    fight, _ = fight_out(battle, seed)
    left = fight.attacker.total > 0, fight.defender.total + fight.fort_bonus_left > 0
    winners = {(True, False): "attacker", (False, True): "defender", (False, False): "none"}
    assert fight.winner == winners.get(left, "called_off")
    if fight.winner == "called_off":
        below, after = battle.break_off_below or 0, battle.break_off_after
        assert fight.attacker.total < below or fight.rounds == after


@given(battles())
def test_exact_odds_add_up(battle: Battle) -> None:
    odds = battle.exact()
    ends = odds.attacker_wins + odds.defender_wins + odds.both_eliminated + odds.called_off
    assert ends == pytest.approx(1, abs=1e-12)
    for part in (
        odds.attacker_units_left,
        odds.defender_units_left,
        odds.fort_bonus_left,
        list(odds.attacker_left.values()),
        list(odds.defender_left.values()),
        odds.table.ravel(),
    ):
        assert np.sum(part) == pytest.approx(1, abs=1e-12)
        assert np.min(part) >= 0
    assert odds.attacker_units_left[0] == pytest.approx(odds.defender_wins + odds.both_eliminated, abs=1e-12)
    assert odds.defender_units_left[0] == pytest.approx(odds.attacker_wins + odds.both_eliminated, abs=1e-12)
    for left, by_units in (
        (odds.attacker_left, odds.attacker_units_left),
        (odds.defender_left, odds.defender_units_left),
    ):
        sums = np.zeros(len(by_units))
        for force, chance in left.items():
            sums[force.total] += chance
        assert sums == pytest.approx(by_units, abs=1e-12)
    if battle.break_off_after:
        assert odds.rounds_mean <= battle.break_off_after + 1e-12


@given(battles(), st.lists(st.floats(0, 100), min_size=1, max_size=5))
def test_percentiles_rise(battle: Battle, percentages: list[float]) -> None:
    odds = battle.exact()
    for side, left in (("attacker", odds.attacker_units_left), ("defender", odds.defender_units_left)):
        found = odds.percentiles(side, sorted(percentages))
        assert found == sorted(found)
        for percentage, value in zip(sorted(percentages), found, strict=True):
            assert left[: value + 1].sum() >= percentage / 100 - 1e-9
            assert left[:value].sum() < percentage / 100 + 1e-9


@given(battles(), st.integers(0, 2**64 - 1), st.integers(1, 3000))
def test_samples_are_counted(battle: Battle, seed: int, count: int) -> None:
    odds = battle.sample(count, seed=seed, threads=1)
    counts = odds.counts
    assert counts is not None
    assert counts.sum() == odds.samples == count
    assert np.all(battle.exact().table[counts > 0] > 0)  # nothing impossible came up


@given(battles())
def test_copies_are_equal(battle: Battle) -> None:
    assert pickle.loads(pickle.dumps(battle)) == battle  # noqa: S301
    assert hash(pickle.loads(pickle.dumps(battle))) == hash(battle)  # noqa: S301
    assert eval(repr(battle), {"Battle": Battle, "Force": Force}) == battle  # noqa: S307
    for odds in (battle.exact(), battle.sample(100, seed=1)):
        assert pickle.loads(pickle.dumps(odds)) == odds  # noqa: S301
