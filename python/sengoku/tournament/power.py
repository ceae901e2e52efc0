"""How many matches a comparison of two bots needs, before any is played.

>>> needed = matches_needed(50)
>>> needed.blocks, needed.matches, round(needed.score, 3)
(196, 392, 0.571)
"""

import math
from dataclasses import dataclass

from sengoku.errors import ArgumentError, missing_package
from sengoku.tournament.ratings import ELO, student
from sengoku.tournament.results import pair_shares
from sengoku.tournament.sprt import expected_score
from sengoku.tournament.standings import Tables

__all__ = ["Needed", "matches_needed", "measured_effect"]

_MOST_BLOCKS = 10**9
_FEWEST = 2


@dataclass(frozen=True)
class Needed:
    """The size of a comparison of two bots."""

    elo: float
    """Lead of the better bot."""
    score: float
    """Its expected score."""
    power: float
    """Probability that the interval of the difference does not contain 0."""
    level: float
    """Confidence level of that interval."""
    effect: float
    """Variance of the score of a block, relative to that of as many independent matches."""
    blocks: int
    matches: int


def matches_needed(
    elo: float, *, power: float = 0.8, level: float = 0.95, block: int = 2, effect: float = 1.0
) -> Needed:
    """Return how many blocks of `block` matches show that a bot leads, if it leads by `elo` points.

    A block has every seating on one seed. Its matches share their luck, which then cancels out: `effect`
    says by how much, 1 stands for independent matches. `measured_effect` measures it.
    """
    checks = (
        ("elo", abs(elo), 0.1, 2000.0),
        ("power", power, 0.01, 0.999),
        ("level", level, 0.5, 0.9999),
        ("block", block, 1, 10_000),
        ("effect", effect, 1e-4, 10_000.0),
    )
    for name, value, least, most in checks:
        if not least <= value <= most:
            details = {"field": name, "value": f"{value:g}"}
            raise ArgumentError(f"{name} is {value:g}: must be {least:g} to {most:g}", details)
    try:
        from scipy.stats import norm  # noqa: PLC0415 - an extra
    except ImportError:
        raise missing_package("scipy", "planning of tournaments", "tournament") from None
    score = expected_score(abs(elo))
    # On the scale of ratings, on which intervals are computed; a derivative takes scores there.
    deviation = ELO * math.sqrt(effect / (block * score * (1 - score)))
    reserve = float(norm.ppf(power))

    def enough(blocks: int) -> bool:
        return (student(level, blocks) + reserve) * deviation <= abs(elo) * math.sqrt(blocks)

    high = _FEWEST
    while not enough(high) and high < _MOST_BLOCKS:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    blocks = max(high, _FEWEST)
    return Needed(elo, score, power, level, effect, blocks, blocks * block)


def measured_effect(tables: Tables) -> float | None:
    """Return the effect of blocks in a tournament, over all pairs of bots; None if it has too few.

    It is the variance of block scores around the mean of each pair, relative to that of independent matches
    with this mean. Shared luck and draws make it smaller than 1, a bot whose strength depends on the seed
    larger.
    """
    spread, expected = 0.0, 0.0
    for found in pair_shares(tables.matches).values():
        total = math.fsum(share.total for share in found.values())
        mean, size = total / math.fsum(share.count for share in found.values()), len(found)
        if size < _FEWEST:
            continue
        spread += math.fsum((share.mean - mean) ** 2 for share in found.values()) * size / (size - 1)
        expected += math.fsum(mean * (1 - mean) / share.count for share in found.values())
    return spread / expected if expected > 0 and spread > 0 else None
