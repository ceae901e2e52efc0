"""A sequential test: stops as soon as it is clear whether a bot is better than another, or not.

>>> test = Sprt(elo0=0, elo1=50, alpha=0.05, beta=0.05)
>>> test.decide([0.5, 1.0] * 40)
('better', 18)
>>> test.decide([0.5, 0.5, 0.0, 1.0])
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Sprt", "expected_score"]

_FEWEST = 16
"""Blocks before which nothing is decided: the spread is not known yet."""
_GUESSED_BLOCKS = 16.0
"""How many blocks the guess of the spread counts for."""
_GUESSED_VARIANCE = 0.125
"""Variance of a block of two matches between equals without draws and without any luck in common."""


def expected_score(elo: float) -> float:
    """The score that a lead of so many points of Elo gives."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Sprt:
    """Wald's test of two leads, on the scores of blocks: seats are swapped and luck is shared inside of one.

    Scores of blocks are taken as normal around a mean; the variance is that of the blocks so far, with a
    guess that counts for a few. That is the generalised test that computer chess uses on paired games.
    """

    elo0: float = 0.0
    """The lead under which the bot is not better."""
    elo1: float = 20.0
    """The lead from which on it is."""
    alpha: float = 0.05
    """How often a bot that leads by `elo0` may be called better."""
    beta: float = 0.05
    """How often a bot that leads by `elo1` may not be called so."""

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the log of the likelihood ratio ends the test: not better below, better above."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratios(self, scores: Iterable[float]) -> Iterable[float]:
        """Gives the log of the likelihood ratio after each block."""
        low, high = expected_score(self.elo0), expected_score(self.elo1)
        mean, spread = 0.0, 0.0
        for count, score in enumerate(scores, 1):
            gap = score - mean
            mean += gap / count
            spread += gap * (score - mean)
            variance = (spread + _GUESSED_BLOCKS * _GUESSED_VARIANCE) / (count + _GUESSED_BLOCKS)
            yield count * (high - low) * (2 * mean - low - high) / (2 * variance)

    def decide(self, scores: Iterable[float]) -> tuple[str, int] | None:
        """Says `better` or `not_better` and after how many blocks, or None if it is open.

        What came after the decision does not count, so more blocks never change it.
        """
        low, high = self.bounds
        for count, ratio in enumerate(self.ratios(scores), 1):
            if count >= _FEWEST and not low < ratio < high:
                return ("better" if ratio >= high else "not_better"), count
        return None
