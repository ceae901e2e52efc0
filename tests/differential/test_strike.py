"""Strikes against the slow, independent model: face by face, all faces there are, and in distribution."""

from collections import Counter
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from differential.model_strike import Fight
from properties.strategies import strikes
from sengoku.battles import FACES, OUTCOME_COLUMNS, Piece, Strike, StrikeOdds


def columns(outcome: object) -> tuple[object, ...]:
    return tuple(getattr(outcome, name) for name in OUTCOME_COLUMNS)


@settings(max_examples=400)
@given(strikes(), st.integers(0, 2**32))
def test_every_strike_is_the_models_strike(strike: Strike, seed: int) -> None:
    # MELEE, RANGED, BATTLEBACK, LEADER-LOSS, MORALE, RETREAT, HONOR by two readings of the ledger
    random, faces = Random(seed), []

    def roll() -> str:
        faces.append(random.choice(FACES))
        return faces[-1]

    expected = Fight(strike, roll)
    fight = strike.fight(faces=faces)
    assert columns(fight.outcome) == expected.outcome()
    assert sum(len(step.faces) for step in fight.steps) == len(faces)
    attack = [(step.hits, step.flags, step.honor) for step in fight.steps if step.what == "attack"]
    assert attack == ([] if expected.attack is None else [expected.attack])


Table = dict[tuple[object, ...], Fraction]


def enumerate_all(strike: Strike) -> tuple[Table, Table]:
    """Fights a strike with all faces that can come, one after the other: rolls, ends, their chances."""
    rolls: Table = Counter()
    ends: Table = Counter()
    script: list[int] = []
    while True:
        used = 0

        def roll() -> str:
            nonlocal used
            used += 1
            if used > len(script):
                script.append(0)
            return FACES[script[used - 1]]

        fight = Fight(strike, roll)
        chance = Fraction(1, 6**used)
        ends[fight.outcome()] += chance
        if fight.attack is not None:
            rolls[fight.attack] += chance
        while script and script[-1] == 5:
            script.pop()
        if not script:
            return rolls, ends
        script[-1] += 1


FEW_DICE = {
    "two dice each": Strike(Piece("ASp", terrain="forest"), "SB"),
    "one die into a gorge, with a leader to lose": Strike(
        "SSpC", Piece("ASp", 2, leader="LF", terrain="gorge"), battle_back=False
    ),
    "a shot at a leader's unit": Strike(
        "AB", Piece("SSp", 1, leader="LM"), ranged=True, moved=True, defender_honor=2
    ),
    "arquebuses by ranks": Strike(
        "AA", "SSpC", ranged=True, distance=4, attacker_cards=["volley_by_ranks"], dice_bonus=1
    ),
    "a bodyguard that strikes back": Strike(Piece("AB", 2), Piece("BG", 1)),
    "a bodyguard that attacks": Strike(Piece("BG", 2), Piece("LI", 1), attacker_honor=3),
    "a lone leader who cannot pay": Strike(Piece("AB", terrain="gorge"), "LM", defender_honor=2),
    "a lone leader with a sword of his own": Strike("LI", Piece("LF", leader_fate="seppuku"), pool=3),
    "a cornered levy": Strike(
        "AB", Piece("LI", 3, room=1), defender_honor=1, attacker_cards=["terror_strike"]
    ),
    "a castle": Strike("LI", Piece("LI", terrain="castle", ignore_flags="none")),
    "an inspired attack without honor for two": Strike(
        [
            Piece("LI", leader="LF", inspire=True, terrain="gorge"),
            Piece("LI", inspire=True, adjacent_leader=True),
        ],
        Piece("ASp", terrain="gorge"),
        attacker_honor=1,
        battle_back=False,
    ),
    "first strike": Strike(
        Piece("LI", 1, leader="LF"), Piece("AB", terrain="gorge"), defender_cards=["first_strike"]
    ),
}


@pytest.mark.parametrize("name", FEW_DICE)
def test_exact_odds_are_all_faces(name: str) -> None:
    strike = FEW_DICE[name]
    rolls, ends = enumerate_all(strike)
    odds = strike.exact()
    found = {columns(outcome): chance for outcome, chance in odds.outcomes.items()}
    assert found.keys() == ends.keys()
    assert all(abs(found[end] - float(chance)) < 1e-12 for end, chance in ends.items())
    for (hits, flags, honor), chance in rolls.items():
        assert odds.roll[hits, flags, honor] == pytest.approx(float(chance), abs=1e-12)
    assert odds.roll.sum() == pytest.approx(float(sum(rolls.values())), abs=1e-12)


def p_value(exact: StrikeOdds, sampled: StrikeOdds) -> float:
    """Chi-square of the outcomes; rare ones are put together."""
    expected = {outcome: chance * sampled.samples for outcome, chance in exact.outcomes.items()}
    counts = dict(zip(sampled.outcomes, sampled.outcome_counts.tolist(), strict=True))
    assert counts.keys() <= expected.keys()
    usual = [outcome for outcome, count in expected.items() if count >= 8]
    found = [counts.get(outcome, 0) for outcome in usual]
    wanted = [expected[outcome] for outcome in usual]
    rest, rest_wanted = sampled.samples - sum(found), sampled.samples - sum(wanted)
    if rest_wanted >= 8:
        found, wanted = [*found, rest], [*wanted, rest_wanted]
    if len(wanted) < 2:
        return 1.0
    return float(stats.chisquare(found, np.array(wanted) * sum(found) / sum(wanted)).pvalue)


@settings(max_examples=25)
@given(strikes())
def test_samples_follow_the_exact_odds(strike: Strike) -> None:
    exact, sampled = strike.exact(), strike.sample(20_000, seed=1)
    assert p_value(exact, sampled) > 1e-6
    rolled = np.abs(exact.roll - sampled.roll)
    assert (rolled <= 5.5 * np.sqrt(exact.roll * (1 - exact.roll) / 20_000) + 1e-3).all()


@settings(max_examples=60)
@given(strikes())
def test_exact_odds_are_those_of_the_models_dice(strike: Strike) -> None:
    """The model fights a few hundred times; what it sees must be possible, and its mean near."""
    random = Random(4)
    odds = strike.exact()
    known = {columns(outcome) for outcome in odds.outcomes}
    blocks = [Fight(strike, lambda: random.choice(FACES)) for _ in range(300)]
    assert {fight.outcome() for fight in blocks} <= known
    left = np.array([fight.defender.blocks for fight in blocks])
    chances = odds.defender_blocks_left
    mean = float(chances @ np.arange(len(chances)))
    spread = float(chances @ (np.arange(len(chances)) - mean) ** 2)
    assert abs(left.mean() - mean) <= 5.5 * np.sqrt(spread / 300) + 1e-9
