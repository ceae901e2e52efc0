"""What came of the matches of a tournament, and what one match says about the bots in it."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

__all__ = ["Fault", "MatchResult", "Share", "midranks", "pair_shares", "pairs", "points"]

_TOLD = ("ranks", "by_rule", "reason", "rounds", "decisions", "digest", "scores")


@dataclass(frozen=True)
class Fault:
    """What a bot did that ended its match: it lost the match by the rule for faults."""

    seat: int
    reason: str
    """One of `played.FORFEITS`, e.g. `late`."""
    text: str = ""


@dataclass(frozen=True)
class MatchResult:
    """One match: where it belongs, who sat where, and the ranks."""

    board: int
    """Place of the board in the tournament."""
    number: int
    """Number of the match under the seed of its board; the matches of a block share it."""
    arrangement: int
    """Place of the match in its block."""
    bots: tuple[int, ...]
    """The bot of each seat, by its place in the tournament."""
    ranks: tuple[int, ...]
    """Rank of each seat, 1 is best; seats that share a rank share the place."""
    by_rule: bool
    reason: str
    rounds: int
    decisions: int
    digest: int
    """64 bits of the last state."""
    scores: tuple[int, ...] = ()
    """What each seat had at the end, in the game's own measure."""
    faults: tuple[Fault, ...] = ()

    def to_json(self) -> str:
        """Gives what came of the match; where it belongs is said elsewhere."""
        told = {name: getattr(self, name) for name in _TOLD}
        faults = [[fault.seat, fault.reason, fault.text] for fault in self.faults]
        return json.dumps({**told, "faults": faults}, separators=(",", ":"))

    @classmethod
    def from_json(
        cls, text: str, *, board: int, number: int, arrangement: int, bots: tuple[int, ...]
    ) -> "MatchResult":
        """Reads what `to_json` wrote."""
        told = json.loads(text)
        told["faults"] = tuple(Fault(*fault) for fault in told["faults"])
        told["ranks"], told["scores"] = tuple(told["ranks"]), tuple(told["scores"])
        return cls(board, number, arrangement, bots, **told)

    @property
    def cluster(self) -> tuple[int, int]:
        """What matches have in common that are not independent: a board and a seed."""
        return self.board, self.number


def midranks(ranks: Sequence[int]) -> list[float]:
    """Gives ranks in which those who share places have their mean.

    >>> midranks([1, 2, 2, 4])
    [1.0, 2.5, 2.5, 4.0]
    """
    return [rank + (ranks.count(rank) - 1) / 2 for rank in ranks]


def points(ranks: Sequence[int]) -> list[float]:
    """Gives each seat the share of the others that it left behind; who shares a place has half of it.

    >>> points([1, 2]), points([1, 2, 2, 4])
    ([1.0, 0.0], [1.0, 0.5, 0.5, 0.0])
    """
    return [(len(ranks) - rank) / (len(ranks) - 1) for rank in midranks(ranks)]


@dataclass
class Share:
    """A sum of scores and how many there were."""

    total: float = 0.0
    count: float = 0.0

    def add(self, value: float, count: float = 1.0) -> None:
        """Adds scores."""
        self.total += value
        self.count += count

    @property
    def mean(self) -> float:
        """The mean score."""
        return self.total / self.count


def pairs(match: MatchResult) -> Iterator[tuple[int, int, float]]:
    """Compares every two seats of different bots: the lower bot, the higher, and the score of the lower."""
    for one, other in combinations(range(len(match.bots)), 2):
        first, second = match.bots[one], match.bots[other]
        if first == second:
            continue
        score = 0.5 + 0.5 * (
            (match.ranks[other] > match.ranks[one]) - (match.ranks[other] < match.ranks[one])
        )
        yield (first, second, score) if first < second else (second, first, 1.0 - score)


def pair_shares(matches: Iterable[MatchResult]) -> dict[tuple[int, int], dict[tuple[int, int], Share]]:
    """Gives for every two bots their comparisons, cluster by cluster."""
    found: dict[tuple[int, int], dict[tuple[int, int], Share]] = {}
    for match in matches:
        for first, second, score in pairs(match):
            found.setdefault((first, second), {}).setdefault(match.cluster, Share()).add(score)
    return found
