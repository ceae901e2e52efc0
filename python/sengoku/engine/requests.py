"""Requests for bulk work: which matches are played, independent of who plays them and where."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import index
from pathlib import Path
from typing import Any, Self, SupportsIndex

import numpy as np

from sengoku import _core
from sengoku.engine.checks import check_integer, out_of_range, refused
from sengoku.engine.games import Setup, find_game, searches, setup_to_json
from sengoku.engine.progress import Progress, watching
from sengoku.engine.report import MatchReport
from sengoku.errors import SetupError

_KEPT_AT_ONCE = 64
"""Matches whose replays are in memory at once."""
MASKS = ("both", "bool", "bits")
"""Which masks of legal actions a batch fills."""
OBSERVATIONS = ("bytes", "features")
"""What the observations of a batch are."""
MAX_SHAPING = 1e6
"""Largest weight of the score in rewards."""


@dataclass(frozen=True)
class RunRequest:
    """A range of matches of one game between bots; it determines every byte of the report.

    >>> request = RunRequest.create("tower", bots=["greedy", "random"], seats=3, match_count=4, seed=7)
    >>> whole, first, rest = request.play(), request.part(0, 1).play(), request.part(1, 3).play()
    >>> MatchReport.joined([first, rest]) == whole
    True
    """

    game: str
    bots: tuple[str, ...]
    """Bot `i` plays seat `i`; the last one also plays the remaining seats."""
    seats: int | None
    """Seats; None for as many as bots, and at least as many as the game needs."""
    match_count: int
    first_match: int = 0
    seed: int = 0
    setup: str = "{}"
    """Options of the game as JSON text."""

    @classmethod
    def create(
        cls,
        game: str,
        *,
        bots: Iterable[str],
        seats: SupportsIndex | None = None,
        match_count: SupportsIndex,
        first_match: SupportsIndex = 0,
        seed: SupportsIndex = 0,
        setup: Setup = None,
    ) -> Self:
        """Build a request from arguments as users write them; `check` says whether it can be played."""
        if isinstance(bots, str):
            raise TypeError("bots must be a list of names, not str")
        return cls(
            game=game,
            bots=tuple(bots),
            seats=None if seats is None else index(seats),
            match_count=index(match_count),
            first_match=index(first_match),
            seed=index(seed),
            setup=setup_to_json(game, setup),
        )

    @property
    def seat_count(self) -> int:
        """Seats at the table, with the default filled in."""
        return max(len(self.bots), find_game(self.game).seats[0]) if self.seats is None else self.seats

    @property
    def bots_by_seat(self) -> tuple[str, ...]:
        """Name of the bot at each seat."""
        return self.bots + self.bots[-1:] * (self.seat_count - len(self.bots))

    @property
    def setup_options(self) -> Any:
        """Options of the game as plain values."""
        return json.loads(self.setup)

    @property
    def searches(self) -> bool:
        """Whether one of the bots searches, so that a match takes seconds."""
        return searches(self.bots)

    def part(self, done: int, count: int) -> Self:
        """Return the request for `count` of the matches after the first `done`."""
        return replace(self, first_match=self.first_match + done, match_count=count)

    def check(self, *, max_iterations: int | None = None) -> None:
        """Raise what `play` would refuse, without playing."""
        _core.check_run(**self._arguments, max_iterations=max_iterations)

    def play(
        self,
        *,
        threads: SupportsIndex = 0,
        progress: bool | Progress | None = None,
        cancel: _core.Cancel | None = None,
        max_decisions: int | None = None,
        max_iterations: int | None = None,
        background: bool = False,
        replays: str | Path | None = None,
    ) -> MatchReport:
        """Play the matches on `threads` threads (0: one per core).

        `max_decisions` bounds the decisions of all matches together, `max_iterations` those of a search.
        In the background the threads have low priority. `replays` is a file for the replays.
        """
        options: dict[str, Any] = {
            "threads": threads,
            "cancel": cancel,
            "max_decisions": max_decisions,
            "max_iterations": max_iterations,
            "background": background,
        }
        with watching(progress) as report:
            if replays is not None:
                return self._play_kept(replays, report, options)
            return self._report(_core.run_matches(**self._arguments, **options, progress=report))

    def _play_kept(self, path: str | Path, progress: Progress | None, options: dict[str, Any]) -> MatchReport:
        """Play the matches part by part, and write the replays of each part before the next one."""
        from sengoku.engine.replays import ReplayWriter, check_count  # noqa: PLC0415 - it imports reports

        check_count(self.match_count)
        self.check()
        reports: list[MatchReport] = []
        with ReplayWriter.open(path) as writer:
            for done in range(0, self.match_count, _KEPT_AT_ONCE):
                part = self.part(done, min(_KEPT_AT_ONCE, self.match_count - done))

                def notify(count: int, _total: int, done: int = done) -> None:
                    if progress is not None:
                        progress(done + count, self.match_count)

                columns = _core.run_matches(**part._arguments, **options, progress=notify, replays=True)
                texts: list[str] = columns.pop("replays")
                reports.append(part._report(columns))
                writer.add(reports[-1], texts)
                if options["max_decisions"] is not None:
                    options["max_decisions"] -= int(reports[-1].decisions.sum())
        return MatchReport.joined(reports)

    def _report(self, columns: dict[str, Any]) -> MatchReport:
        found = find_game(self.game)
        return MatchReport(
            game=self.game,
            rules_version=found.rules_version,
            setup=self.setup_options,
            seed=self.seed,
            bots=self.bots_by_seat,
            reasons=found.reasons,
            match_index=np.arange(self.match_count, dtype=np.uint64) + np.uint64(self.first_match),
            **columns,
        )

    @property
    def _arguments(self) -> dict[str, Any]:
        """The request as arguments of the compiled functions."""
        return vars(self) | {"seats": self.seat_count}


@dataclass(frozen=True)
class BatchConfig:
    """The matches of a batched environment, and how they are stepped; see `BatchEnv` for the options."""

    game: str
    lanes: int
    seats: int
    seed: int = 0
    first_match: int = 0
    setup: str = "{}"
    """Options of the game as JSON text."""
    bots: Mapping[int, str] = field(default_factory=dict, hash=False)
    """Name of the bot at each seat that a bot plays."""
    autoreset: str = "next_step"
    max_decisions: int | None = None
    mask: str = "both"
    """One of `MASKS`."""
    record: bool = False
    observation: str = "bytes"
    """One of `OBSERVATIONS`."""
    skip_forced: bool = False
    shaping: float | None = None
    discount: float = 1.0

    @classmethod
    def create(
        cls,
        game: str,
        lanes: SupportsIndex = 1,
        *,
        seed: SupportsIndex = 0,
        seats: SupportsIndex | None = None,
        setup: Setup = None,
        bots: Mapping[int, str] | None = None,
        autoreset: str = "next_step",
        first_match: SupportsIndex = 0,
        max_decisions: int | None = None,
        mask: str = "both",
        record: bool = False,
        observation: str = "bytes",
        skip_forced: bool = False,
        shaping: float | None = None,
        discount: float = 1.0,
    ) -> Self:
        """Build a configuration from arguments as users write them; `check` checks lanes and seats."""
        least = find_game(game).seats[0]
        seats = least if seats is None else index(seats)
        if mask not in MASKS:
            raise refused("mask", repr(mask), f"must be one of {', '.join(MASKS)}")
        if observation not in OBSERVATIONS:
            raise refused("observation", repr(observation), f"must be one of {', '.join(OBSERVATIONS)}")
        if not isinstance(autoreset, str):
            raise TypeError(f"autoreset must be a name, not {type(autoreset).__name__}")
        return cls(
            game=game,
            lanes=index(lanes),
            seats=seats,
            seed=index(seed),
            first_match=index(first_match),
            setup=setup_to_json(game, setup),
            bots=seats_by_bot(bots, seats),
            autoreset=autoreset,
            max_decisions=max_decisions,
            mask=mask,
            record=bool(record),
            observation=observation,
            skip_forced=bool(skip_forced),
            shaping=None if shaping is None else float(shaping),
            discount=float(discount),
        )

    def check(self) -> None:
        """Raise if there cannot be this many lanes or seats, or such rewards."""
        check_shaping(self.shaping, self.discount)
        check_integer("lanes", self.lanes, 1, _core.MAX_LANES)
        least, most = find_game(self.game).seats
        if not least <= self.seats <= most:
            reason = f"{self.seats} is not possible: must be {least} to {most} for {self.game}"
            raise SetupError(f"seats: {reason}", {"field": "seats", "reason": reason})

    @property
    def learners(self) -> tuple[int, ...]:
        """Seats that no bot plays."""
        return tuple(seat for seat in range(self.seats) if seat not in self.bots)


def check_shaping(shaping: float | None, discount: float) -> None:
    """Raise unless the weight of the score is a finite number and the discount is in (0, 1]."""
    if shaping is not None and not abs(shaping) <= MAX_SHAPING:
        raise out_of_range("shaping", shaping, -MAX_SHAPING, MAX_SHAPING)
    if not 0.0 < discount <= 1.0:
        raise refused("discount", f"{discount:g}", "must be above 0 and at most 1")


def seats_by_bot(bots: Mapping[int, str] | None, seats: int) -> dict[int, str]:
    """Check a mapping of seats to bots, and return it with integer keys."""
    if bots is None:
        return {}
    if not isinstance(bots, Mapping):
        raise TypeError(f"bots must be a mapping of seats to names, not {type(bots).__name__}")
    table: dict[int, str] = {}
    for seat, name in bots.items():
        if not 0 <= index(seat) < seats:
            raise refused("bots", f"for seat {seat}", f"seats must be 0 to {seats - 1}")
        table[index(seat)] = name
    return table
