"""Sequential probability ratio test: stops as soon as it is clear whether a bot is better than another.

>>> test = Sprt(elo0=0, elo1=50, alpha=0.05, beta=0.05)
>>> test.decide([0.5, 1.0] * 40)
('better', 18)
>>> test.decide([0.5, 0.5, 0.0, 1.0])
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Sprt", "expected_score"]

_FEWEST = 16  # number of blocks before the first decision, since the variance is unknown at first
_GUESSED_BLOCKS = 16.0  # weight of the prior variance, in blocks
_GUESSED_VARIANCE = 0.125
"""Prior variance: a block of two matches between equal bots, without draws and without shared luck."""


def expected_score(elo: float) -> float:
    """Return the expected score of a bot that leads by `elo` points."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Sprt:
    """Wald's test of two hypotheses about the lead of a bot, on the scores of blocks.

    Inside a block seats are swapped and luck is shared. Block scores are modelled as normal; their variance
    is estimated from the blocks so far and a prior. This is the generalised test used in computer chess for
    paired games.
    """

    elo0: float = 0.0  # lead of the null hypothesis: at most this, the bot is not better
    elo1: float = 20.0  # lead of the alternative hypothesis: from here on, the bot is better
    alpha: float = 0.05  # probability that a bot that leads by `elo0` is called better
    beta: float = 0.05  # probability that a bot that leads by `elo1` is not called better

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios that end the test: not better below the first, better above the second."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratios(self, scores: Iterable[float]) -> Iterable[float]:
        """Iterate over the log-likelihood ratio after each block."""
        low, high = expected_score(self.elo0), expected_score(self.elo1)
        mean, spread = 0.0, 0.0
        for count, score in enumerate(scores, 1):
            gap = score - mean
            mean += gap / count
            spread += gap * (score - mean)
            variance = (spread + _GUESSED_BLOCKS * _GUESSED_VARIANCE) / (count + _GUESSED_BLOCKS)
            yield count * (high - low) * (2 * mean - low - high) / (2 * variance)

    def decide(self, scores: Iterable[float]) -> tuple[str, int] | None:
        """Return `better` or `not_better` with the number of blocks it took, or None if undecided.

        Blocks after the decision are ignored, so further blocks never change it.
        """
        low, high = self.bounds
        for count, ratio in enumerate(self.ratios(scores), 1):
            if count >= _FEWEST and not low < ratio < high:
                return ("better" if ratio >= high else "not_better"), count
        return None
