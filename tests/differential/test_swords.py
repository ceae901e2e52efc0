"""The engine against the slow, independent model: die by die, and in distribution."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from differential import model_swords as model
from properties.strategies import battles, fight_out
from sengoku.swords import Battle, Force, Odds

NAMED = {
    "cheapest": ("spear", "gun", "sword", "ronin", "bow"),
    "hired_first": ("ronin", "spear", "gun", "sword", "bow"),
}


def modelled(battle: Battle) -> model.ModelBattle:
    """The same battle as the model understands it."""

    def force(force: Force) -> model.Force:
        return model.Force(**force.as_dict())

    def order(order: str | tuple[str, ...]) -> tuple[str, ...]:
        return NAMED[order] if isinstance(order, str) else order

    return model.ModelBattle(
        force(battle.attacker),
        tuple(force(defender) for defender in battle.defenders),
        bonus_spear=4 - battle.fort_lost if battle.fort == "castle" else 0,
        bonus_ronin=5 - battle.fort_lost if battle.fort == "fortress" else 0,
        naval=battle.naval,
        attacker_losses=order(battle.attacker_losses),
        defender_losses=order(battle.defender_losses),
        break_off_below=battle.break_off_below or 0,
        break_off_after=battle.break_off_after or 0,
    )


def plain(force: model.Force) -> Force:
    return Force(**vars(force))


@given(battles(largest=6), st.integers(0, 2**32))
def test_every_fight_is_the_models_fight(battle: Battle, seed: int) -> None:
    # SW-RND-05, SW-R-51, SW-R-52 and all of WAR-C, CASUALTY, NAVAL and FORT by two readings of the ledger
    random, dice = Random(seed), []

    def roll() -> int:
        dice.append(random.randint(1, 12))
        return dice[-1]

    expected = model.fight_with(modelled(battle), roll)
    fight = battle.fight(dice=dice)
    assert fight.winner == expected.winner
    assert fight.attacker == plain(expected.attacker)
    assert fight.defenders == tuple(plain(force) for force in expected.defenders)
    assert fight.fort_bonus_left == expected.bonus_left
    assert fight.rounds == expected.rounds


@settings(max_examples=40)
@given(battles(largest=3))
def test_exact_odds_are_the_models(battle: Battle) -> None:
    outcomes = model.exact(modelled(battle))
    odds = battle.exact()
    ends = {"attacker": 0.0, "defender": 0.0, "none": 0.0, "called_off": 0.0}
    attacker_left: dict[Force, float] = {}
    defender_left: dict[Force, float] = {}
    bonus_left = np.zeros_like(odds.fort_bonus_left)
    for (winner, attacker, defenders, bonus), share in outcomes.items():
        ends[winner] += float(share)
        force = plain(attacker)
        attacker_left[force] = attacker_left.get(force, 0) + float(share)
        together = Force(
            **{kind: sum(getattr(d, kind) for d in defenders) for kind in (*model.TYPES, "daimyo")},
            disrupted=any(d.disrupted and d.units for d in defenders),
        )
        defender_left[together] = defender_left.get(together, 0) + float(share)
        bonus_left[bonus] += float(share)
    found = [odds.attacker_wins, odds.defender_wins, odds.both_eliminated, odds.called_off]
    assert found == pytest.approx(list(ends.values()), abs=1e-12)
    assert odds.attacker_left == pytest.approx(attacker_left, abs=1e-12)
    assert odds.defender_left == pytest.approx(defender_left, abs=1e-12)
    assert odds.fort_bonus_left == pytest.approx(bonus_left, abs=1e-12)
    assert odds.rounds_mean == pytest.approx(float(model.expected_rounds(modelled(battle))), abs=1e-12)


ARMY = Force(daimyo=1, bow=2, gun=2, sword=2, spear=3)
GARRISON = Force(bow=1, gun=1, spear=3, ronin=2)
CASES = {
    "land": Battle(ARMY, ARMY),
    "duel": Battle(Force(spear=1), Force(spear=1)),
    "naval": Battle(ARMY, GARRISON, naval=True),
    "castle": Battle(ARMY, Force(bow=1, spear=4), fort="castle"),
    "fortress": Battle(ARMY, Force(bow=1, spear=4), fort="fortress", fort_lost=1, naval=True),
    "ronin": Battle(Force(bow=1, spear=4, ronin=4), GARRISON, defender_losses="hired_first"),
    "two forces": Battle(ARMY, [Force(daimyo=1, bow=1, gun=3, ronin=2), GARRISON]),
    "disrupted": Battle(ARMY, Force(bow=1, spear=3, ronin=4, disrupted=True)),
    "break off below": Battle(ARMY, GARRISON, break_off_below=5),
    "break off after": Battle(ARMY, ARMY, break_off_after=2, naval=True),
    "largest": Battle(
        Force(daimyo=1, bow=4, gun=5, spear=5, ronin=7),
        [Force(daimyo=1, bow=2, sword=2, gun=5, spear=5, ronin=14), Force(bow=1, spear=4, ronin=4)],
        fort="fortress",
        naval=True,
        attacker_losses=("bow", "spear", "ronin", "gun", "sword"),
    ),
}


def p_value(counts: np.ndarray, expected: np.ndarray) -> float:
    """Chi-square of counts against probabilities; cells of few battles are thrown together."""
    expected = expected * counts.sum()
    common = expected.ravel() >= 10
    found = np.append(counts.ravel()[common], counts.ravel()[~common].sum())
    wanted = np.append(expected.ravel()[common], expected.ravel()[~common].sum())
    if wanted[-1] < 10:
        found, wanted = found[:-1], wanted[:-1]
    if len(found) < 2:
        return 1.0
    return float(stats.chisquare(found, wanted * found.sum() / wanted.sum()).pvalue)


@pytest.mark.parametrize("name", CASES)
def test_samples_are_distributed_as_they_should(name: str) -> None:
    battle = CASES[name]
    exact, sampled = battle.exact(), battle.sample(3_000_000, seed=2026)
    assert p_value(sampled.counts, exact.table) > 1e-4
    assert sampled.attacker_wins == pytest.approx(exact.attacker_wins, abs=5 * sampled.standard_error)
    assert sampled.rounds_mean == pytest.approx(exact.rounds_mean, rel=0.005)


@pytest.mark.parametrize("name", CASES)
def test_fights_die_by_die_are_distributed_as_they_should(name: str) -> None:
    """The plain rule code, one die at a time, against the exact distribution that the hit tables give."""
    battle = CASES[name]
    exact = battle.exact()
    counts = np.zeros(exact.table.shape)
    units = battle.attacker.total, sum(force.total for force in battle.defenders)
    bonus = len(exact.fort_bonus_left) - 1
    for seed in range(4_000):
        fight, _ = fight_out(battle, seed)
        lost = units[1] - fight.defender.total + bonus - fight.fort_bonus_left
        counts[units[0] - fight.attacker.total, lost] += 1
    assert p_value(counts, exact.table) > 1e-4


@pytest.mark.system
@pytest.mark.parametrize("name", CASES)
def test_many_samples_are_distributed_as_they_should(name: str) -> None:
    battle = CASES[name]
    sampled: Odds = battle.sample(2_000_000_000, seed=11)
    assert p_value(sampled.counts, battle.exact().table) > 1e-4
