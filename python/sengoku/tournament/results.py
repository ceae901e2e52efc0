"""Results of the matches of a tournament, and the comparisons of bots that follow from a match."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import combinations
from typing import Any

from sengoku.engine.result import Costs, MatchResult
from sengoku.tournament.interrupt import look

__all__ = [
    "Fault",
    "MatchResult",
    "Share",
    "TournamentMatch",
    "midranks",
    "pair_luck",
    "pair_shares",
    "pairs",
    "points",
]

_STORED = ("ranks", "by_rule", "reason", "rounds", "decisions", "digest", "scores")


@dataclass(frozen=True)
class Fault:
    """Why a seat forfeited its match."""

    seat: int
    reason: str  # one of `bots.report.FORFEITS`, e.g. `late`
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class TournamentMatch(MatchResult):
    """The result of a match of a tournament: also its board, and the bot of each seat."""

    board: int  # index of the board in the tournament
    bots: tuple[int, ...]  # index in the tournament of the bot at each seat

    @classmethod
    def create(
        cls, *, number: int, arrangement: int, faults: Iterable[Fault] = (), **values: Any
    ) -> TournamentMatch:
        """Build the result from its stored values; the winner follows from them."""
        ranks: tuple[int, ...] = values["ranks"]
        forfeits = [""] * len(ranks)
        for fault in faults:
            forfeits[fault.seat] = fault.reason
        decided = values["by_rule"] or forfeits.count("") == 1
        winner = ranks.index(1) if decided and ranks.count(1) == 1 else None
        place: dict[str, Any] = {"match_index": number, "rotation": arrangement}
        return cls(winner=winner, forfeits=tuple(forfeits), **place, **{"scores": ()} | values)

    @classmethod
    def of(
        cls, result: MatchResult, *, board: int, arrangement: int, bots: tuple[int, ...]
    ) -> TournamentMatch:
        """Place the result of a bulk run or of a clocked match in the tournament."""
        values = {name: getattr(result, name) for name in (*_STORED, "seconds", "costs")}
        place: dict[str, Any] = {"board": board, "number": result.match_index, "arrangement": arrangement}
        return cls.create(**place, bots=bots, faults=_faults(result), **values)

    @property
    def number(self) -> int:
        """Number of the match under the seed of its board; the matches of a block share it."""
        return self.match_index

    @property
    def arrangement(self) -> int:
        """Index of the match in its block."""
        return self.rotation

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The forfeits of the match, by seat."""
        return _faults(self)

    @property
    def cluster(self) -> tuple[int, int]:
        """Key that statistically dependent matches share: their board and match number."""
        return self.board, self.number

    def to_json(self) -> str:
        """Return the result as JSON, without its place in the tournament."""
        stored = {name: getattr(self, name) for name in _STORED}
        if any(self.seconds):  # only where custom bots play
            stored["seconds"] = [round(seconds, 3) for seconds in self.seconds]
        if self.costs:
            stored["costs"] = [astuple(costs) for costs in self.costs]
        faults = [[fault.seat, fault.reason, fault.text] for fault in self.faults]
        return json.dumps({**stored, "faults": faults}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str, **place: Any) -> TournamentMatch:
        """Read what `to_json` wrote; `place` has the board, number, arrangement and bots."""
        stored = json.loads(text)
        stored["faults"] = [Fault(*fault) for fault in stored["faults"]]
        for name in ("ranks", "scores", "seconds"):
            stored[name] = tuple(stored.get(name, ()))
        stored["costs"] = tuple(Costs(*row) for row in stored.get("costs", ()))
        return cls.create(**place, **stored)


def _faults(result: MatchResult) -> tuple[Fault, ...]:
    return tuple(Fault(seat, why) for seat, why in enumerate(result.forfeits) if why)


def midranks(ranks: Sequence[int]) -> list[float]:
    """Return ranks in which tied seats have the mean of the places they share.

    >>> midranks([1, 2, 2, 4])
    [1.0, 2.5, 2.5, 4.0]
    """
    return [rank + (ranks.count(rank) - 1) / 2 for rank in ranks]


def points(ranks: Sequence[int]) -> list[float]:
    """Return for each seat the share of the other seats that it beat; a tie counts half.

    >>> points([1, 2]), points([1, 2, 2, 4])
    ([1.0, 0.0], [1.0, 0.5, 0.5, 0.0])
    """
    return [(len(ranks) - rank) / (len(ranks) - 1) for rank in midranks(ranks)]


@dataclass
class Share:
    """A sum of scores, and their number."""

    total: float = 0.0
    count: float = 0.0

    def add(self, value: float, count: float = 1.0) -> None:
        """Add scores."""
        self.total += value
        self.count += count

    @property
    def mean(self) -> float:
        """The mean score."""
        return self.total / self.count


def pairs(match: TournamentMatch) -> Iterator[tuple[int, int, float]]:
    """Compare every two seats of different bots: the lower bot, the higher bot, and the lower one's score."""
    for (first, rank), (second, other) in combinations(zip(match.bots, match.ranks, strict=True), 2):
        if first != second:
            score = 0.5 + 0.5 * ((other > rank) - (other < rank))
            yield (first, second, score) if first < second else (second, first, 1.0 - score)


def pair_luck(
    matches: Sequence[TournamentMatch], luck: Sequence[Sequence[float]]
) -> dict[tuple[int, int], dict[tuple[int, int], Share]]:
    """Return by how much the lower bot of every two was luckier, by cluster, in the order of `pair_shares`.

    `luck` is that of each seat in each match.
    """
    found: dict[tuple[int, int], dict[tuple[int, int], Share]] = {}
    for match, lucky in zip(matches, luck, strict=True):
        look()
        for (first, mine), (second, other) in combinations(zip(match.bots, lucky, strict=True), 2):
            if first != second:
                gap = mine - other if first < second else other - mine
                pair = min(first, second), max(first, second)
                found.setdefault(pair, {}).setdefault(match.cluster, Share()).add(gap)
    return found


def pair_shares(matches: Iterable[TournamentMatch]) -> dict[tuple[int, int], dict[tuple[int, int], Share]]:
    """Return the comparisons of every two bots, by cluster."""
    found: dict[tuple[int, int], dict[tuple[int, int], Share]] = {}
    for match in matches:
        look()
        for first, second, score in pairs(match):
            found.setdefault((first, second), {}).setdefault(match.cluster, Share()).add(score)
    return found
