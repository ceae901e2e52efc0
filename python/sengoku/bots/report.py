"""What came of matches that players played: one row for each, and what each player has to show."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["FORFEITS", "PlayReport", "PlayedMatch", "Standing"]

FORFEITS = ("illegal", "late", "crashed", "disconnected")
"""Why a seat can forfeit a match."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """How a match ended."""

    match_index: int
    rotation: int
    """How far the players had moved on: seat s had player (s + rotation) modulo the number of seats."""
    players: tuple[str, ...]
    """Who played, by seat."""
    ranks: tuple[int, ...]
    """By seat, 1 is best; those that forfeited are behind all others, the first to do so last."""
    winner: int | None
    """The seat that won, if one did."""
    by_rule: bool
    """Whether a rule ended it; a host's cap on its length and a forfeit do not."""
    reason: str
    """Why it ended: a reason of the game, "forfeit", or "too_long"."""
    rounds: int
    scores: tuple[int, ...]
    decisions: int
    digest: int
    """64 bits of the last state."""
    forfeits: tuple[str, ...]
    """By seat: one of `FORFEITS`, or nothing."""
    seconds: tuple[float, ...] = field(compare=False)
    """By seat: how long it was waited for."""
    replay: str | None = field(default=None, repr=False)
    """Setup, seed and every decision, if that was wanted."""


@dataclass(frozen=True)
class Standing:
    """What a player has to show. Rates are by seat: who has two seats in a match has played twice."""

    player: str
    played: int
    """Seats that it had, in all matches."""
    wins: int
    win_rate: float
    win_rate_error: float
    """Standard error of the rate, from match number to match number: seats under the same chance are no
    independent trials. Not a number with fewer than two match numbers."""
    mean_rank: float
    mean_rank_error: float
    forfeits: dict[str, int]
    """Matches that it forfeited, by reason."""
    seconds: float
    """How long it was waited for, in all."""


@dataclass(frozen=True, repr=False)
class PlayReport:
    """What came of matches between players, in the order of match numbers and rotations."""

    game: str
    rules_version: int
    setup: dict[str, Any]
    seed: int
    players: tuple[str, ...]
    """Who played, by seat where nobody had moved on."""
    matches: tuple[PlayedMatch, ...]

    @classmethod
    def of(cls, matches: Iterable[PlayedMatch], **about: Any) -> PlayReport:
        """Makes a report of matches in whatever order they ended."""
        ordered = sorted(matches, key=lambda match: (match.match_index, match.rotation))
        return cls(matches=tuple(ordered), **about)

    def __len__(self) -> int:
        return len(self.matches)

    def __repr__(self) -> str:
        return f"<PlayReport of {len(self)} matches of {self.game}: {', '.join(self.players)}>"

    @property
    def standings(self) -> tuple[Standing, ...]:
        """What each player has to show, in the order of `players`."""
        return tuple(self._standing(player) for player in dict.fromkeys(self.players))

    def _standing(self, player: str) -> Standing:
        blocks: dict[int, list[tuple[int, int]]] = {}
        """Win and rank of each of its seats, by match number."""
        forfeits: Counter[str] = Counter()
        seconds = 0.0
        for match in self.matches:
            for seat, name in enumerate(match.players):
                if name == player:
                    won = int(match.winner == seat)
                    blocks.setdefault(match.match_index, []).append((won, match.ranks[seat]))
                    forfeits.update([match.forfeits[seat]] if match.forfeits[seat] else ())
                    seconds += match.seconds[seat]
        rows = [row for block in blocks.values() for row in block]
        rate, rate_error = _mean([[won for won, _ in block] for block in blocks.values()])
        rank, rank_error = _mean([[rank for _, rank in block] for block in blocks.values()])
        return Standing(
            player=player,
            played=len(rows),
            wins=sum(won for won, _ in rows),
            win_rate=rate,
            win_rate_error=rate_error,
            mean_rank=rank,
            mean_rank_error=rank_error,
            forfeits={why: forfeits[why] for why in FORFEITS if forfeits[why]},
            seconds=seconds,
        )

    @property
    def forfeits(self) -> dict[str, int]:
        """Forfeits of all players, by reason."""
        counts = Counter(why for match in self.matches for why in match.forfeits if why)
        return {why: counts[why] for why in FORFEITS if counts[why]}

    def to_dict(self) -> dict[str, Any]:
        """Gives everything as plain values, ready for JSON; an error that cannot be told is None."""

        def plain(standing: Standing) -> dict[str, Any]:
            row = asdict(standing)
            for name in ("win_rate_error", "mean_rank_error"):
                row[name] = row[name] if math.isfinite(row[name]) else None
            return row

        return {
            "game": self.game,
            "rules_version": self.rules_version,
            "setup": self.setup,
            "seed": self.seed,
            "players": list(self.players),
            "standings": [plain(standing) for standing in self.standings],
            "matches": [json.loads(json.dumps(asdict(match))) for match in self.matches],
        }

    def __rich__(self) -> Table:
        from sengoku.bots import tables  # noqa: PLC0415 - rich is needed only to show a table

        return tables.played(self)


def _mean(blocks: list[list[int]]) -> tuple[float, float]:
    """Gives the mean and its standard error; blocks are the independent trials, all of one size."""
    if not blocks:
        return math.nan, math.nan
    means = np.array([sum(block) / len(block) for block in blocks])
    error = float(means.std(ddof=1)) / math.sqrt(len(means)) if len(means) > 1 else math.nan
    return float(means.mean()), error
