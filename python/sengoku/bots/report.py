"""Reports of clocked matches: one result per match, and the statistics of each player."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sengoku.engine.result import Costs, MatchResult

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["FORFEITS", "PlayReport", "PlayerStanding"]

FORFEITS = ("illegal", "late", "crashed", "disconnected")
"""Reasons for which a seat can forfeit a match."""


@dataclass(frozen=True)
class PlayerStanding:
    """Statistics of a player. Rates count seats: a player with two seats in a match has played twice."""

    player: str
    played: int
    """Seats taken, over all matches."""
    wins: int
    win_rate: float
    win_rate_error: float
    """Standard error of the rate, between match numbers: seats that share dice are not independent trials.
    NaN with fewer than two match numbers."""
    mean_rank: float
    mean_rank_error: float
    forfeits: dict[str, int]
    """Number of forfeited matches by reason."""
    seconds: float
    """Thinking time over all matches."""
    costs: Costs = Costs()  # noqa: RUF009 - it cannot be changed
    """What the player reports that its decisions cost, over all matches."""


@dataclass(frozen=True, repr=False)
class PlayReport:
    """Results of matches between players, ordered by match number and rotation."""

    game: str
    rules_version: int
    setup: dict[str, Any]
    seed: int
    players: tuple[str, ...]
    """The player of each seat in rotation 0."""
    matches: tuple[MatchResult, ...]

    @classmethod
    def of(cls, matches: Iterable[MatchResult], **about: Any) -> PlayReport:
        """Build a report from results in any order."""
        ordered = sorted(matches, key=lambda match: (match.match_index, match.rotation))
        return cls(matches=tuple(ordered), **about)

    def __len__(self) -> int:
        return len(self.matches)

    def __repr__(self) -> str:
        return f"<PlayReport of {len(self)} matches of {self.game}: {', '.join(self.players)}>"

    @property
    def standings(self) -> tuple[PlayerStanding, ...]:
        """Statistics of each player, in the order of `players`."""
        return tuple(self._standing(player) for player in dict.fromkeys(self.players))

    def _standing(self, player: str) -> PlayerStanding:
        blocks: dict[int, list[tuple[int, int]]] = {}
        """Win and rank of each seat the player took, by match number."""
        forfeits: Counter[str] = Counter()
        seconds, costs = 0.0, Costs()
        for match in self.matches:
            for seat, name in enumerate(match.players):
                if name == player:
                    won = int(match.winner == seat)
                    blocks.setdefault(match.match_index, []).append((won, match.ranks[seat]))
                    forfeits.update([match.forfeits[seat]] if match.forfeits[seat] else ())
                    seconds += match.seconds[seat]
                    costs += match.costs[seat] if match.costs else Costs()
        rows = [row for block in blocks.values() for row in block]
        rate, rate_error = _mean([[won for won, _ in block] for block in blocks.values()])
        rank, rank_error = _mean([[rank for _, rank in block] for block in blocks.values()])
        return PlayerStanding(
            player=player,
            played=len(rows),
            wins=sum(won for won, _ in rows),
            win_rate=rate,
            win_rate_error=rate_error,
            mean_rank=rank,
            mean_rank_error=rank_error,
            forfeits={why: forfeits[why] for why in FORFEITS if forfeits[why]},
            seconds=seconds,
            costs=costs,
        )

    @property
    def forfeits(self) -> dict[str, int]:
        """Number of forfeits of all players by reason."""
        counts = Counter(why for match in self.matches for why in match.forfeits if why)
        return {why: counts[why] for why in FORFEITS if counts[why]}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON; an undefined error is None."""

        def plain(standing: PlayerStanding) -> dict[str, Any]:
            row = asdict(standing)
            for name in ("win_rate_error", "mean_rank_error"):
                row[name] = row[name] if math.isfinite(row[name]) else None
            if standing.costs == Costs():
                del row["costs"]
            return row

        return {
            "game": self.game,
            "rules_version": self.rules_version,
            "setup": self.setup,
            "seed": self.seed,
            "players": list(self.players),
            "standings": [plain(standing) for standing in self.standings],
            "matches": [match.to_dict() for match in self.matches],
        }

    def __rich__(self) -> Table:
        from sengoku.bots import tables  # noqa: PLC0415 - rich is needed only to show a table

        return tables.played(self)


def _mean(blocks: list[list[int]]) -> tuple[float, float]:
    """Return the mean and its standard error; blocks are the independent trials, all of one size."""
    if not blocks:
        return math.nan, math.nan
    means = np.array([sum(block) / len(block) for block in blocks])
    error = float(means.std(ddof=1)) / math.sqrt(len(means)) if len(means) > 1 else math.nan
    return float(means.mean()), error
