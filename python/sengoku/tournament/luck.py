"""Luck in tournaments: how lucky each bot was, and scores from which luck is taken out.

The mean of luck is zero whatever a bot does, so a score less a multiple of the luck has the same expectation
and, with the multiple that the matches themselves suggest, a smaller error (a control variate).
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sengoku.engine.match import Match
from sengoku.engine.progress import Progress
from sengoku.tournament.ratings import Elo, elo_ratings

if TYPE_CHECKING:
    from sengoku._core import Cancel
    from sengoku.tournament.record import Record

__all__ = ["BotLuck", "adjusted_mean", "luck_table", "match_luck"]

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class BotLuck:
    """The luck of a bot over its matches, and its score with and without it."""

    bot: str
    matches: int
    """Matches that were analysed, counted once for each seat of the bot."""
    luck: float
    """Mean change of the win probability by draws."""
    luck_error: float
    share: float
    """Mean share of the victory."""
    share_error: float
    adjusted: float
    """The share without luck: the same expectation, a smaller error."""
    adjusted_error: float
    elo: float
    """Rating from the same matches."""
    elo_error: float
    elo_adjusted: float
    """The rating with luck taken out."""
    elo_adjusted_error: float


def match_luck(match: Match, draws: int = 2, *, threads: int = 0, cancel: "Cancel | None" = None) -> _Floats:
    """Return the luck of each seat in a match that is over; `draws` is the number of other draws for each."""
    analysis = match.analyse(iterations=0, luck=draws, threads=threads, cancel=cancel)
    return np.array([row.luck for row in analysis.luck_by_seat])


def luck_table(
    record: "Record",
    draws: int = 2,
    *,
    most: int = -1,
    threads: int = 0,
    progress: Progress | None = None,
    cancel: "Cancel | None" = None,
) -> list[BotLuck]:
    """Return the luck of every bot of a tournament, from replays of its matches, at most the first `most`."""
    rows: dict[int, list[tuple[tuple[int, int], float, float]]] = defaultdict(list)
    matches = list(record.matches(most=most))
    gifts: list[list[float]] = []
    for done, (name, result) in enumerate(matches, start=1):
        luck = match_luck(record.replay(name, cancel), draws, threads=threads, cancel=cancel)
        gifts.append(luck.tolist())
        winners = result.ranks.count(1)
        for seat, bot in enumerate(result.bots):
            share = (result.ranks[seat] == 1) / winners
            rows[bot].append((result.cluster, share, float(luck[seat])))
        if progress is not None:
            progress(done, len(matches))
    results, bots = [result for _, result in matches], record.spec.bots
    ratings = [elo_ratings(results, len(bots), luck) for luck in (None, gifts)]
    return [
        _bot_luck(bots[bot].name, rows[bot], [_elo_of(rating, bot) for rating in ratings])
        for bot in sorted(rows)
    ]


def _elo_of(rating: Elo, bot: int) -> tuple[float, float]:
    """Return the rating of a bot and its error."""
    return float(rating.ratings[bot]), float(rating.errors[bot])


def _bot_luck(
    name: str, rows: Sequence[tuple[tuple[int, int], float, float]], elo: Sequence[tuple[float, float]]
) -> BotLuck:
    shares, luck = (np.array([row[at] for row in rows]) for at in (1, 2))
    clusters = [row[0] for row in rows]
    adjusted, adjusted_error = adjusted_mean(shares, luck, clusters)
    return BotLuck(
        bot=name,
        matches=len(rows),
        luck=float(luck.mean()),
        luck_error=_error(luck - luck.mean(), clusters),
        share=float(shares.mean()),
        share_error=_error(shares - shares.mean(), clusters),
        adjusted=adjusted,
        adjusted_error=adjusted_error,
        elo=elo[0][0],
        elo_error=elo[0][1],
        elo_adjusted=elo[1][0],
        elo_adjusted_error=elo[1][1],
    )


def adjusted_mean(
    shares: _Floats, luck: _Floats, clusters: Iterable[object] | None = None
) -> tuple[float, float]:
    """Return the mean of shares with luck taken out, and its standard error.

    Shares of the same cluster (matches of the same seed) may depend on each other.

    >>> luck = np.array([0.5, -0.5, 0.4, -0.4])
    >>> adjusted_mean(0.6 + luck, luck)  # nothing but luck
    (0.6, 0.0)
    """
    spread = luck - luck.mean()
    variance = float(spread @ spread)
    multiple = float(spread @ (shares - shares.mean())) / variance if variance > 0 else 0.0
    rest = shares - multiple * luck
    mean = float(rest.mean())
    keys = range(len(rest)) if clusters is None else clusters
    # The multiple is fitted: one degree of freedom less.
    lost = math.sqrt((len(rest) - 1) / (len(rest) - 2)) if len(rest) > 2 else 1.0
    return round(mean, 12), round(lost * _error(rest - mean, keys), 12)


def _error(rest: _Floats, clusters: Iterable[object]) -> float:
    """Return the standard error of a mean from deviations, those of a cluster added up."""
    sums: dict[object, float] = defaultdict(float)
    for key, value in zip(clusters, rest, strict=True):
        sums[key] += float(value)
    count = len(sums)
    if count < 2:
        return math.nan
    squares = math.fsum(value * value for value in sums.values())
    return math.sqrt(squares * count / (count - 1)) / len(rest)
