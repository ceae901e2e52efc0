"""Reports of bot checks."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sengoku.bots.clock import Clock

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["CHECKS", "CheckReport", "Failure", "GameCheck", "Row"]

CHECKS = {
    "beginning": "every setup and number of seats, from each seat, from the beginning",
    "questions": "positions that ask each question and offer each kind of action, one of them or very many",
    "whole": "whole matches, with each number of seats",
    "together": "matches of all its games at once, also against itself",
    "alone": "some of these again, one at a time",
    "again": "decisions asked a second time",
}
"""The checks of a bot, in order."""


@dataclass(frozen=True)
class Failure:
    """An answer that would have lost the bot a match."""

    check: str  # one of `CHECKS`
    reason: str  # one of `bots.report.FORFEITS`
    game: str
    seats: int
    setup: str = field(repr=False)  # JSON; long for a position, which the replay also contains
    seed: int
    match_index: int
    seat: int
    decision: int  # number of decisions of all seats before this one
    question: str
    text: str  # what was wrong, in a sentence
    replay: str = field(repr=False)
    """The match up to this decision: setup, seed and decisions, in the format of `Match.from_replay`."""


@dataclass
class Row:
    """Result of one check in one game."""

    name: str
    matches: int = 0  # matches played, or decisions repeated; 0 if nothing was left to ask
    decisions: int = 0  # decisions requested from the bot
    failed: dict[str, int] = field(default_factory=dict)
    """Number of matches that would have been forfeited, by reason."""
    skipped: str = ""  # why the check was not played

    def fail(self, reason: str) -> None:
        """Count a failure."""
        self.failed = dict(sorted({**self.failed, reason: self.failed.get(reason, 0) + 1}.items()))

    @property
    def passed(self) -> bool:
        """Whether the check was played and nothing failed."""
        return not self.failed and not self.skipped


@dataclass(frozen=True)
class GameCheck:
    """Results of all checks in one game."""

    game: str
    rows: tuple[Row, ...]
    failures: tuple[Failure, ...]  # examples, at most two for each check and reason
    questions: dict[str, int]  # how often each question of the game was asked
    questions_open: tuple[str, ...]
    """Points of play in the specification at which the bot was never asked; some never need a decision."""
    kinds: dict[str, int]  # how often each kind of action was offered
    kinds_open: tuple[str, ...]  # kinds of actions that were never offered
    fewest_legal: int  # smallest number of legal actions of a decision
    most_legal: int  # largest number of legal actions of a decision
    slowest: float  # seconds of the slowest answer
    deterministic: bool | None  # whether a repeated decision got the same answer; None if none was repeated
    independent: bool | None
    """Whether a match went the same way alone and among others; None if none was played twice."""
    match_over: str  # the error that `match_over` raised, or an empty string

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return all(row.passed for row in self.rows) and not self.match_over


@dataclass(frozen=True, repr=False)
class CheckReport:
    """Result of the check of a bot."""

    bot: str
    seed: int
    clock: Clock
    games: tuple[GameCheck, ...]

    @property
    def passed(self) -> bool:
        """Whether the bot may enter a tournament."""
        return all(game.passed for game in self.games)

    def __repr__(self) -> str:
        return f"<CheckReport of {self.bot}: {'passed' if self.passed else 'failed'}>"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        clock = {"decision": self.clock.decision, "bank": self.clock.bank}
        games = [{**asdict(game), "passed": game.passed} for game in self.games]
        for plain, game in zip(games, self.games, strict=True):
            plain["rows"] = [{**asdict(row), "passed": row.passed} for row in game.rows]
        return {"bot": self.bot, "passed": self.passed, "seed": self.seed, "clock": clock, "games": games}

    def save_replays(self, folder: Path) -> list[Path]:
        """Write the replay of every failure into a folder, and return the files."""
        folder.mkdir(parents=True, exist_ok=True)
        written = []
        for game in self.games:
            counts: Counter[tuple[str, str]] = Counter()
            for failure in game.failures:
                counts[failure.check, failure.reason] += 1
                number = counts[failure.check, failure.reason]
                path = folder / f"{game.game}-{failure.check}-{failure.reason}-{number}.replay"
                path.write_text(failure.replay, "utf-8")
                written.append(path)
        return written

    def __rich__(self) -> RenderableType:
        from sengoku.bots import tables  # noqa: PLC0415 - rich is needed only to show a table

        return tables.checked(self)
