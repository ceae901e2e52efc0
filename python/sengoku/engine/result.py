"""Finished matches: the outcome by the rules, and the result of a match with its identity and its players."""

from __future__ import annotations

import json
from dataclasses import asdict, astuple, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sengoku import _core


@dataclass(frozen=True)
class Costs:
    """What the decisions of a player cost, as the player reports it."""

    requests: int = 0
    """Requests to a model, retries included."""
    prompt_tokens: int = 0
    """Tokens that were sent."""
    answer_tokens: int = 0
    """Tokens that were received."""
    illegal: int = 0
    """Answers that named no legal action."""
    fallbacks: int = 0
    """Decisions that a fallback took."""

    def __add__(self, other: Costs) -> Costs:
        return Costs(*(mine + more for mine, more in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True)
class Outcome:
    """How a match ended."""

    ranks: tuple[int, ...]
    """Rank of each seat, 1 is best; seats with the same rank share the place."""
    winner: int | None
    """The seat that is first alone by the rules, if there is one."""
    by_rule: bool
    """Whether a rule ended the match, rather than a limit on its length or a forfeit."""
    reason: str
    """Why the match ended, in one word."""
    rounds: int
    """Rounds begun."""
    scores: tuple[int, ...]
    """Final score of each seat, in the game's own measure."""
    details: Any = field(default=None, repr=False, hash=False)
    """How the scores were computed, in the game's own terms; None if the game reports nothing."""

    @property
    def shared(self) -> bool:
        """Whether a rule ended the match with several seats in first place."""
        return self.by_rule and self.ranks.count(1) > 1

    @property
    def rewards(self) -> tuple[float, ...]:
        """Reward of each seat: from 1 for first place to -1 for last place in equal steps.

        Seats with the same rank get the mean of the places they share, so the sum is always 0.
        """
        ahead = (sum(other < rank for other in self.ranks) for rank in self.ranks)
        behind = (sum(other > rank for other in self.ranks) for rank in self.ranks)
        return tuple(
            (after - before) / (len(self.ranks) - 1) for before, after in zip(ahead, behind, strict=True)
        )


@dataclass(frozen=True, kw_only=True)
class MatchResult(Outcome):
    """A finished match: which match it was, who played it, and how it ended.

    Bulk runs (`MatchReport.results`), clocked matches (`PlayReport.matches`) and tournaments all use it. What
    a kind of play does not have is empty: bulk runs have no forfeits, times or replays.
    """

    match_index: int
    rotation: int = 0
    """Number of the seating: in clocked play, seat s had player (s + rotation) modulo the number of seats."""
    players: tuple[str, ...] = ()
    """Name of the player at each seat."""
    decisions: int
    digest: int
    """64-bit digest of the final state."""
    forfeits: tuple[str, ...] = ()
    """Why each seat forfeited, or an empty string. A seat that forfeits ranks behind all that did not."""
    seconds: tuple[float, ...] = field(default=(), compare=False)
    """Thinking time of each seat."""
    replay: str | None = field(default=None, repr=False)
    """Setup, seed and every decision, if replays were requested."""
    costs: tuple[Costs, ...] = field(default=(), compare=False)
    """What the decisions of each seat cost; empty if no player reported costs."""
    notes: str | None = field(default=None, compare=False, repr=False)
    """Notes of the players, such as prompts and answers, if replays were requested: a JSON object per line
    with `seat` and `decision`."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values, ready for JSON."""
        plain = {name: getattr(self, name) for name in _PLAIN}
        found = {name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()}
        if self.costs:
            found["costs"] = [asdict(costs) for costs in self.costs]
        if self.notes is not None:
            found["notes"] = [json.loads(line) for line in self.notes.splitlines()]
        return found


_PLAIN = (
    "match_index", "rotation", "players", "ranks", "winner", "by_rule", "reason", "rounds", "scores",
    "decisions", "digest", "forfeits", "seconds", "replay",
)  # fmt: skip


def outcome_from(row: _core._Outcome | None) -> Outcome | None:
    """Build an outcome from the row that the compiled module returns."""
    if row is None:
        return None
    values: dict[str, Any] = {name: value for name, value in row.items() if name != "details_json"}
    values |= {name: tuple(values[name]) for name in ("ranks", "scores")}
    return Outcome(**values, details=json.loads(row["details_json"]))
