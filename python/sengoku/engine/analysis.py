"""Analysis of a match that was played: win probabilities, mistakes, turning points and luck.

>>> from sengoku import Match
>>> match = Match.create("battles", seed=7, setup={"scenario": 8})
>>> for _ in range(3):
...     match.play(match.legal_actions()[0])
>>> analysis = match.analyse(iterations=8)
>>> analysis.complete, len(analysis.moves)
(True, 3)
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Self

from sengoku.engine.checks import refused
from sengoku.engine.pictures import Picture
from sengoku.errors import DecodeError

THRESHOLDS = {"slip": 0.02, "mistake": 0.05, "blunder": 0.1}
"""Least loss of win probability of a move that deserves the name."""
SWING = 0.1
"""Least change of a win probability at a turning point."""
CARDS = ("seat", "open")
"""What an analysis may know: what the deciding seat knew, or all hands."""

_FORMAT = 1
_SURE = 2.0
"""Standard errors that make a loss or a change more than noise."""


@dataclass(frozen=True)
class MoveAnalysis:
    """What one decision was worth. Win probabilities are by seat, each with its standard error."""

    decision: int
    """Number of the decision, from 1."""
    seat: int
    """The seat that decided."""
    action: int
    """Index of the action played."""
    text: str
    """The action as a sentence."""
    legal: int
    """Number of legal actions."""
    tried: int
    """How many of them were compared."""
    before: tuple[float, ...]
    """Before the decision, if all play on like the bot `greedy`."""
    before_error: tuple[float, ...]
    expected: tuple[float, ...]
    """With the action played, before anything is drawn."""
    expected_error: tuple[float, ...]
    after: tuple[float, ...]
    """After the decision and what was drawn in it."""
    after_error: tuple[float, ...]
    rank: int
    """Place of the action played among those compared; 1 is best."""
    best: int
    """Index of the best action found; the action played if none was better."""
    best_text: str
    """The best action as a sentence."""
    best_value: float
    """Win probability of the deciding seat with the best action."""
    loss: float
    """How much better the best action is, in the same worlds with the same dice."""
    loss_error: float

    @property
    def swing(self) -> tuple[float, float]:
        """The largest change of a win probability from before to after, and its standard error."""
        seat = self.swing_seat
        error = math.hypot(self.before_error[seat], self.after_error[seat])
        return abs(self.after[seat] - self.before[seat]), error

    @property
    def swing_seat(self) -> int:
        """The seat whose win probability changed most; of several the last one."""
        changes = [abs(after - before) for before, after in zip(self.before, self.after, strict=True)]
        return max(range(len(changes)), key=lambda seat: (changes[seat], seat))


@dataclass(frozen=True)
class LuckAnalysis:
    """What the draws of one decision changed, by seat."""

    decision: int
    """Number of the decision; 0 is the set-up."""
    kinds: tuple[str, ...]
    """What was drawn: `dice`, `tower`, `cards`, `lots`."""
    change: tuple[float, ...]
    """Win probability after the draws, less its mean over all that could have been drawn."""
    error: tuple[float, ...]
    """Standard errors of `change`."""
    hits: tuple[int, ...]
    hits_expected: tuple[float, ...]
    losses: tuple[int, ...]
    losses_expected: tuple[float, ...]


@dataclass(frozen=True)
class SeatLuck:
    """Sums over the draws of a match for one seat."""

    seat: int
    luck: float
    """Change of the win probability by draws."""
    error: float
    """Standard error of `luck`."""
    hits: int
    hits_expected: float
    losses: int
    losses_expected: float
    by_kind: Mapping[str, float]
    """The luck by kind of draw; decisions with several kinds are under their joined names."""


@dataclass(frozen=True)
class TurningPoint:
    """A decision at which the match turned."""

    decision: int
    seat: int
    """The seat that decided."""
    text: str
    before: tuple[float, ...]
    after: tuple[float, ...]
    cause: str
    """What made most of the change.

    `draw`: luck. `mistake`: the loss of the move. `hidden`: who decides next knows other cards and plans,
    so the position is judged anew. Else `play`.
    """


@dataclass(frozen=True)
class MatchAnalysis:
    """The analysis of a match. `str` returns it as text, `picture` draws it, `to_json` writes it."""

    game: str
    rules_version: int
    seats: int
    decisions: int
    """Decisions of the match when it was analysed."""
    match: str
    """Tells matches apart, so that a partial result is continued with the same one."""
    cards: str
    """`seat`: each decision with what its seat could know then; `open`: with all hands open."""
    seat: int | None
    """The seat for which the match was analysed: only its decisions, and nothing that it may not know."""
    seed: int
    iterations: int
    """Playouts of a decision."""
    luck: int
    """Pairs of playouts for each draw."""
    horizon: int | None
    """Stretches of play before a playout is evaluated; 0 is to the end, None as in a search."""
    counted: tuple[str, str]
    """What hits and losses are."""
    headings: tuple[tuple[int, str], ...]
    """Rounds, seasons and turns: number of the first decision, and the heading."""
    analysed: int
    """How many decisions are done, the set-up included."""
    moves: tuple[MoveAnalysis, ...] = ()
    draws: tuple[LuckAnalysis, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every decision is done."""
        return self.analysed > self.decisions

    def mistakes(self, threshold: float | str = "mistake") -> list[MoveAnalysis]:
        """Return the moves that lost at least `threshold`, and surely something, in order.

        `threshold` is a win probability or one of the names of `THRESHOLDS`.
        """
        least = check_threshold(threshold)
        return [move for move in self.moves if move.loss >= least and move.loss > _SURE * move.loss_error]

    def turning_points(self, swing: float = SWING, most: int = 10) -> list[TurningPoint]:
        """Return the decisions with the largest changes of a win probability, at least `swing`, in order."""
        if not 0 < swing <= 1:
            raise refused("swing", swing, "must be more than 0 and at most 1")
        luck = {draw.decision: draw.change for draw in self.draws}
        sized = [(*move.swing, move) for move in self.moves]
        found = [(size, move) for size, error, move in sized if size >= swing and size > _SURE * error]
        found = sorted(found, key=lambda item: (-item[0], item[1].decision))[:most]
        points = []
        for size, move in sorted(found, key=lambda item: item[1].decision):
            cause = _cause(move, luck.get(move.decision, (0.0,) * self.seats), size / 2)
            points.append(TurningPoint(move.decision, move.seat, move.text, move.before, move.after, cause))
        return points

    @cached_property
    def luck_by_seat(self) -> list[SeatLuck]:
        """The luck of each seat; empty where luck was left out."""
        return luck_by_seat(self.draws, self.seats) if self.luck and self.seat is None else []

    def to_json(self) -> str:
        """Return the analysis as JSON for `from_json`; the same analysis is the same text."""
        return json.dumps({"format": _FORMAT, **asdict(self)}, ensure_ascii=False, sort_keys=True)

    def to_rows(self, threshold: float | str = "mistake") -> dict[str, Any]:
        """Return everything as plain names and values, with mistakes, turning points and sums of luck."""
        return {
            **asdict(self),
            "complete": self.complete,
            "mistakes": [move.decision for move in self.mistakes(threshold)],
            "turning_points": [asdict(point) for point in self.turning_points()],
            "luck_by_seat": [asdict(row) for row in self.luck_by_seat],
        }

    def to_text(self, threshold: float | str = "mistake") -> str:
        """Return the analysis as text, with the mistakes of a threshold."""
        from sengoku.engine.analysis_text import tell  # noqa: PLC0415 - it uses this module

        return tell(self, threshold)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read an analysis from JSON."""
        try:
            row = json.loads(text)
            if row.pop("format") != _FORMAT:
                raise ValueError("another format")
            moves = tuple(from_row(MoveAnalysis, move) for move in row.pop("moves"))
            draws = tuple(from_row(LuckAnalysis, draw) for draw in row.pop("draws"))
            headings = tuple((decision, heading) for decision, heading in row.pop("headings"))
            return cls(
                **row | {"counted": tuple(row["counted"])}, headings=headings, moves=moves, draws=draws
            )
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise DecodeError(
                f"not an analysis: {type(error).__name__}: {error}", {"field": "analysis"}
            ) from error

    def picture(self) -> Picture:
        """Draw the win probabilities of all seats over the match, with error bands and turning points."""
        from sengoku.engine.analysis_picture import draw  # noqa: PLC0415 - it uses this module

        return Picture(draw(self))

    def __str__(self) -> str:
        return self.to_text()


def _cause(move: MoveAnalysis, luck: tuple[float, ...], half: float) -> str:
    """Return what made at least half of the change of a win probability."""
    if max(map(abs, luck)) >= half:
        return "draw"
    if move.loss >= half:
        return "mistake"
    seat = move.swing_seat
    return "hidden" if abs(move.after[seat] - move.expected[seat] - luck[seat]) >= half else "play"


def luck_by_seat(draws: tuple[LuckAnalysis, ...], seats: int) -> list[SeatLuck]:
    """Sum draws by seat."""
    rows = []
    for seat in range(seats):
        kinds: dict[str, float] = {}
        for draw in draws:
            name = " and ".join(draw.kinds) or "lots"
            kinds[name] = kinds.get(name, 0.0) + draw.change[seat]
        rows.append(
            SeatLuck(
                seat=seat,
                luck=math.fsum(draw.change[seat] for draw in draws),
                error=math.sqrt(math.fsum(draw.error[seat] ** 2 for draw in draws)),
                hits=sum(draw.hits[seat] for draw in draws),
                hits_expected=math.fsum(draw.hits_expected[seat] for draw in draws),
                losses=sum(draw.losses[seat] for draw in draws),
                losses_expected=math.fsum(draw.losses_expected[seat] for draw in draws),
                by_kind=dict(sorted(kinds.items())),
            )
        )
    return rows


def check_threshold(threshold: float | str) -> float:
    """Return the least loss that a threshold stands for, or raise `ArgumentError`."""
    known = ", ".join(THRESHOLDS)
    if isinstance(threshold, str) and threshold in THRESHOLDS:
        return THRESHOLDS[threshold]
    try:
        least = float(threshold)
    except (TypeError, ValueError):
        least = math.nan
    if not 0 < least <= 1:
        raise refused("threshold", threshold, f"must be more than 0 and at most 1, or one of {known}")
    return least


def from_row(kind: Any, row: dict[str, Any]) -> Any:
    """Return a record of JSON: lists are tuples."""
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in row.items()})
