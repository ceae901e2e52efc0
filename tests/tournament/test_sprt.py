"""The sequential test errs as rarely as it says."""

import math
import random

import pytest

from sengoku.tournament import Sprt
from sengoku.tournament.sprt import expected_score


def block(lead: float, luck: float, chance: random.Random) -> float:
    """The score of a block of two matches with swapped seats: luck of the seed helps whoever sits there."""
    gift = chance.gauss(0, luck)
    gap = lead / 400 * math.log(10)
    wins = [chance.random() < 1 / (1 + math.exp(-gap - sign * gift)) for sign in (1, -1)]
    return sum(wins) / 2


def decided(test: Sprt, lead: float, luck: float, tries: int, most: int = 3000) -> dict[str, float]:
    """How often the test says what about bots that lead by so much."""
    counts = dict.fromkeys(("better", "not_better", "open"), 0)
    for number in range(tries):
        chance = random.Random(f"{lead}/{luck}/{number}")
        found = test.decide(block(lead, luck, chance) for _ in range(most))
        counts[found[0] if found else "open"] += 1
    return {name: count / tries for name, count in counts.items()}


def lead_with_luck(score: float) -> float:
    return 400 * math.log10(score / (1 - score))


def test_bounds_are_those_of_wald() -> None:
    low, high = Sprt(alpha=0.05, beta=0.1).bounds
    assert low == pytest.approx(math.log(0.1 / 0.95))
    assert high == pytest.approx(math.log(0.9 / 0.05))


def test_expected_score() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)


def test_nothing_is_decided_by_the_first_few_blocks() -> None:
    test = Sprt(elo0=0, elo1=200)
    assert test.decide([1.0] * 15) is None
    assert test.decide([1.0] * 16) == ("better", 16)
    assert test.decide([0.0] * 16) == ("not_better", 16)


def test_more_blocks_never_change_a_decision() -> None:
    test = Sprt(elo0=0, elo1=50)
    chance = random.Random(3)
    scores = [block(60, 1.0, chance) for _ in range(2000)]
    verdict = test.decide(scores)
    assert verdict is not None
    for more in (verdict[1], verdict[1] + 1, 500, 2000):
        assert test.decide(scores[: max(more, verdict[1])]) == verdict
    assert test.decide(scores[: verdict[1] - 1]) is None


@pytest.mark.parametrize("luck", [0.0, 2.0])
def test_error_rates(luck: float) -> None:
    test = Sprt(elo0=0, elo1=100, alpha=0.05, beta=0.05)
    wrong = decided(test, 0, luck, 400)["better"]
    assert wrong <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 400)


@pytest.mark.system
@pytest.mark.parametrize("luck", [0.0, 1.0, 3.0])
@pytest.mark.parametrize("elo1", [30, 100])
def test_error_rates_of_both_kinds(luck: float, elo1: int) -> None:
    """The lead that a test is about is that in the scores of blocks, so it is measured with luck in it."""
    tries = 3000
    chance = random.Random(9)
    score = sum(block(elo1, luck, chance) for _ in range(400_000)) / 400_000
    test = Sprt(elo0=0, elo1=lead_with_luck(score), alpha=0.05, beta=0.05)
    false = decided(test, 0, luck, tries, 20_000)["better"]
    missed = 1 - decided(test, elo1, luck, tries, 20_000)["better"]
    print(f"lead {elo1}, luck {luck}: called better {false:.3f}, missed {missed:.3f}")  # noqa: T201 - the figures of the README
    allowed = 0.05 + 3 * math.sqrt(0.05 * 0.95 / tries)
    assert false <= allowed
    assert missed <= allowed
