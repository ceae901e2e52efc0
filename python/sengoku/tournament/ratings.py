"""Ratings and rates with valid standard errors.

Matches on the same seed are not independent: they share dice and cards, and a block contains every seating.
All errors are therefore cluster-robust: the matches of one board and number count as one observation, and the
errors come from the differences between clusters. With few clusters Student's distribution is used.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from sengoku.errors import missing_package
from sengoku.tournament.interrupt import look
from sengoku.tournament.results import Share, TournamentMatch, pair_luck, pair_shares, points

__all__ = ["ELO", "Elo", "Rate", "Rates", "Skill", "elo_ratings", "rates", "skill_ratings", "student"]

ELO = 400 / math.log(10)
"""Elo points per unit of the logistic scale: 400 points are odds of ten to one."""
_LUCK_STEPS = 3
"""How often the multiple of luck is fitted anew to what the ratings leave; it converges at once."""
_CLUSTERS_AT_ONCE = 256  # rows of a matrix with a column for each bot
_PRIOR_ELO = 1000.0  # prior standard deviation of the ratings: wide, but it keeps every rating finite

Floats = npt.NDArray[np.float64]
Key = TypeVar("Key")


def student(level: float, clusters: int) -> float:
    """Return the half width of a two-sided confidence interval, in standard errors.

    >>> round(student(0.95, 1000), 2), round(student(0.95, 5), 2)
    (1.96, 2.78)
    """
    try:
        from scipy.stats import t  # noqa: PLC0415 - an extra
    except ImportError:
        raise missing_package("scipy", "confidence intervals", "tournament") from None
    return float(t.ppf(0.5 + level / 2, max(clusters - 1, 1)))


@dataclass(frozen=True)
class Rate:
    """A mean with its standard error, which is NaN for a single cluster."""

    mean: float
    error: float
    matches: int
    clusters: int

    @classmethod
    def of(cls, shares: Iterable[Share]) -> "Rate":
        """Return the mean of all shares, with its cluster-robust standard error.

        For the error alone, half a success and half a failure are added as a cluster, so that a bot that won
        every match does not get an error of 0.
        """
        values = [(share.total, share.count) for share in shares if share.count]
        total, count = (math.fsum(column) for column in zip(*values, strict=True)) if values else (0.0, 0.0)
        if not count:
            return cls(math.nan, math.nan, 0, 0)
        mean, size = total / count, len(values)
        if size == 1:
            return cls(mean, math.nan, round(count), size)
        spread = math.fsum((score - mean * number) ** 2 for score, number in values)
        variance = spread / count**2 * size / (size - 1)
        smooth = (mean * size + 0.5) / (size + 1)
        floor = smooth * (1 - smooth) / size / size  # the variance of a single surprise among all clusters
        return cls(mean, math.sqrt(max(variance, floor)), round(count), size)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the confidence interval of the mean."""
        reach = student(level, self.clusters) * self.error
        return self.mean - reach, self.mean + reach


@dataclass(frozen=True)
class Rates:
    """Rates of one bot, one seat or one board."""

    wins: Rate  # share of matches in which one of its seats came first; a shared first place counts in part
    points: Rate  # share of the other seats that were beaten, by seat
    mean_rank: float


class _Tally:
    def __init__(self) -> None:
        self.wins: dict[tuple[int, int], Share] = {}
        self.points: dict[tuple[int, int], Share] = {}
        self.ranks = Share()

    def add(self, match: TournamentMatch, scores: Sequence[float], seats: Sequence[int]) -> None:
        """Add a match, in which a bot can hold several seats: it wins once, whichever of them comes first."""
        firsts = sum(match.ranks[seat] == 1 for seat in seats)
        self.wins.setdefault(match.cluster, Share()).add(firsts and firsts / match.ranks.count(1))
        for seat in seats:
            self.points.setdefault(match.cluster, Share()).add(scores[seat])
            self.ranks.add(match.ranks[seat])

    @property
    def rates(self) -> Rates:
        return Rates(Rate.of(self.wins.values()), Rate.of(self.points.values()), self.ranks.mean)


def rates(
    matches: Iterable[TournamentMatch], key: Callable[[TournamentMatch, int], Key | None]
) -> dict[Key, Rates]:
    """Return the rates by key; `key` is called for every seat of every match."""
    tallies: dict[Key, _Tally] = {}
    for match in matches:
        look()
        seats: dict[Key, list[int]] = {}
        for seat in range(len(match.ranks)):
            name = key(match, seat)
            if name is not None:
                seats.setdefault(name, []).append(seat)
        scores = points(match.ranks)
        for name, held in seats.items():
            tallies.setdefault(name, _Tally()).add(match, scores, held)
    return {name: tally.rates for name, tally in tallies.items()}


@dataclass(frozen=True)
class Elo:
    """Bradley-Terry ratings in Elo points with mean 0, and their covariance."""

    ratings: Floats
    covariance: Floats = field(repr=False)
    clusters: int

    @cached_property
    def errors(self) -> Floats:
        """Standard error of each rating, relative to the mean of all."""
        return np.sqrt(np.diag(self.covariance))

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Return the confidence interval of each rating, as lower and upper ends."""
        reach = student(level, self.clusters) * self.errors
        return self.ratings - reach, self.ratings + reach

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """Return the rating difference of two bots, and its standard error."""
        covariance = self.covariance
        variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        return float(self.ratings[one] - self.ratings[other]), math.sqrt(max(float(variance), 0.0))

    def superiority(self, one: int, other: int) -> float:
        """Return the likelihood that one bot is better than another."""
        gap, error = self.difference(one, other)
        return 0.5 * math.erfc(-gap / error / math.sqrt(2)) if one != other and error > 0 else 0.5


def elo_ratings(
    matches: Iterable[TournamentMatch], bots: int, luck: Sequence[Sequence[float]] | None = None
) -> Elo:
    """Fit ratings to the comparisons of every two bots; the score of a block of two bots is one observation.

    The errors are valid even if the logistic model is not (sandwich estimator, clusters as above). The prior
    counts as an observation, in the errors too. With the `luck` of each seat in each match, whose mean is 0,
    a multiple of the difference in luck is taken from each score (a control variate): the ratings estimate
    the same, and their errors shrink by what luck explains.
    """
    matches = list(matches)
    rows: list[tuple[int, int, float]] = []
    clusters: list[tuple[int, int]] = []
    for (first, second), found in sorted(pair_shares(matches).items()):
        rows += [(first, second, share.mean) for _, share in sorted(found.items())]
        clusters += sorted(found)
    if not rows:
        wide = np.eye(bots) * _PRIOR_ELO**2
        return Elo(np.zeros(bots), _centred(wide), 0)
    one, other = (np.array([row[place] for row in rows]) for place in (0, 1))
    score = np.array([row[2] for row in rows])
    design = _Design(one, other, bots)
    precision = (ELO / _PRIOR_ELO) ** 2
    theta = _newton(design, score, precision)
    expected = _logistic(design.gaps(theta))
    fitted = 1.0
    if luck is not None:
        gifts = pair_luck(matches, luck)
        gift = np.array([gifts[pair][name].mean for pair in sorted(gifts) for name in sorted(gifts[pair])])
        square = float(gift @ gift)
        for _ in range(_LUCK_STEPS if square > 0 and len(rows) > 2 else 0):
            multiple = float(gift @ (score - expected)) / square
            score = score - multiple * gift
            theta = _newton(design, score, precision)
            expected = _logistic(design.gaps(theta))
            fitted = (len(rows) - 1) / (len(rows) - 2)  # the multiple is fitted: one degree of freedom less
    bread = np.linalg.inv(design.weighted(expected * (1 - expected)) + precision * np.eye(bots))
    names = sorted(set(clusters))
    place = {name: number for number, name in enumerate(names)}
    sums = design.squared_sums(score - expected, np.array([place[name] for name in clusters]))
    few = len(names) / max(len(names) - 1, 1)
    meat = fitted * few * sums + precision * np.eye(bots)
    covariance = _centred(bread @ meat @ bread)
    return Elo((theta - theta.mean()) * ELO, covariance * ELO**2, len(names))


@dataclass(frozen=True)
class _Design:
    """The comparisons as a design matrix: 1 for the first bot of a row, -1 for the second, else 0.

    The matrix itself would have a gigabyte with 400 bots; of the products only squares of the bots are kept.
    """

    one: npt.NDArray[np.int64]
    other: npt.NDArray[np.int64]
    bots: int

    def gaps(self, theta: Floats) -> Floats:
        """Return the product with a column: the difference of each row."""
        return theta[self.one] - theta[self.other]

    def sums(self, rows: Floats) -> Floats:
        """Return the product of the transpose with a column."""
        first, second = (np.bincount(side, rows, self.bots) for side in (self.one, self.other))
        return np.asarray(first - second, dtype=np.float64)

    def weighted(self, weights: Floats) -> Floats:
        """Return the product of the transpose with the rows times their weights."""
        size = self.bots
        cross = np.bincount(self.one * size + self.other, weights, size * size).reshape(size, size)
        own = np.bincount(self.one, weights, size) + np.bincount(self.other, weights, size)
        return np.asarray(np.diag(own) - cross - cross.T, dtype=np.float64)

    def squared_sums(self, rows: Floats, cluster: npt.NDArray[np.int64]) -> Floats:
        """Return the sum over clusters of the outer square of `sums`, some clusters at a time."""
        order = np.argsort(cluster, kind="stable")
        cluster, one, other, rows = cluster[order], self.one[order], self.other[order], rows[order]
        total = np.zeros((self.bots, self.bots))
        for first in range(0, int(cluster[-1]) + 1, _CLUSTERS_AT_ONCE):
            look()
            begin, end = np.searchsorted(cluster, (first, first + _CLUSTERS_AT_ONCE))
            part = np.zeros((_CLUSTERS_AT_ONCE, self.bots))
            place = cluster[begin:end] - first
            np.add.at(part, (place, one[begin:end]), rows[begin:end])
            np.add.at(part, (place, other[begin:end]), -rows[begin:end])
            total += part.T @ part
        return total


def _newton(design: _Design, score: Floats, precision: float) -> Floats:
    """Return the ratings of highest posterior density, by Newton's method with step halving."""
    theta = np.zeros(design.bots)

    def height(at: Floats) -> float:
        reach = design.gaps(at)
        return float(score @ reach - np.logaddexp(0.0, reach).sum() - precision / 2 * (at @ at))

    for _ in range(100):
        look()
        expected = _logistic(design.gaps(theta))
        slope = design.sums(score - expected) - precision * theta
        curve = design.weighted(expected * (1 - expected)) + precision * np.eye(len(theta))
        step = np.linalg.solve(curve, slope)
        before = height(theta)
        while height(theta + step) < before and np.abs(step).max() > 1e-12:
            step = step / 2
        theta = theta + step
        if np.abs(step).max() < 1e-12:
            break
    return theta


def _logistic(value: Floats) -> Floats:
    return 1 / (1 + np.exp(-value))


def _centred(covariance: Floats) -> Floats:
    """Return the covariance after the mean of all ratings is subtracted."""
    count = len(covariance)
    centre = np.eye(count) - np.full((count, count), 1 / count)
    centred: Floats = centre @ covariance @ centre
    return centred


@dataclass(frozen=True)
class Skill:
    """A Weng-Lin rating: mean and standard deviation of a bot's estimated skill."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """A conservative estimate of the skill: mean minus three standard deviations."""
        return self.mu - 3 * self.sigma


def skill_ratings(
    matches: Sequence[TournamentMatch], bots: int, *, every: int = 0
) -> tuple[list[Skill], list[tuple[int, list[Skill]]]]:
    """Return Weng-Lin ratings (Plackett-Luce) after all matches, and a history with one entry per `every`.

    Matches are rated in the order of the tournament, not in the order in which they ended. A bot in several
    seats gets the mean of its ranks.
    """
    try:
        from openskill.models import PlackettLuce  # noqa: PLC0415 - an extra
    except ImportError:
        raise missing_package("openskill", "skill ratings", "tournament") from None
    model = PlackettLuce()
    skills = [model.rating() for _ in range(bots)]
    history: list[tuple[int, list[Skill]]] = []
    for count, match in enumerate(matches, 1):
        look()
        seats: dict[int, Share] = {}
        for bot, rank in zip(match.bots, match.ranks, strict=True):
            seats.setdefault(bot, Share()).add(rank)
        if len(seats) > 1:
            ranks = [share.mean for share in seats.values()]
            rated = model.rate([[skills[bot]] for bot in seats], ranks=ranks)
            for bot, (skill,) in zip(seats, rated, strict=True):
                skills[bot] = skill
        if every and (count % every == 0 or count == len(matches)):
            history.append((count, [Skill(skill.mu, skill.sigma) for skill in skills]))
    return [Skill(skill.mu, skill.sigma) for skill in skills], history
