"""Running an analysis: chunk by chunk, for as long as it may take, and continued after an interruption."""

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any
from zlib import crc32

from sengoku import _core
from sengoku.engine.analysis import CARDS, LuckAnalysis, MatchAnalysis, MoveAnalysis, from_row
from sengoku.engine.checks import check_integer, refused
from sengoku.engine.games import find_game
from sengoku.engine.progress import Progress, watching
from sengoku.errors import ArgumentError

if TYPE_CHECKING:
    from sengoku.engine.match import Match

__all__ = ["Analysing", "analyse"]

_CHUNK = 32
"""Decisions between two times at which a partial result is saved."""
_PILOT = (24, 16)
"""Decisions and playouts that are timed to find how many playouts fit into a time."""
_MOST_SECONDS = 7 * 86_400


class Analysing:
    """An analysis under way: `analysis` is what is done, `go_on` does some more."""

    def __init__(
        self, core: _core.Match, analysis: MatchAnalysis, cancel: _core.Cancel | None, *, background: bool
    ) -> None:
        """Continue what is done; `begin` checks whether it fits."""
        self.analysis = analysis
        self._core = core
        self._cancel = cancel
        self._background = background

    @classmethod
    def begin(
        cls,
        match: "Match",
        *,
        iterations: int | None = None,
        luck: int | None = None,
        cards: str = "seat",
        seat: int | None = None,
        seed: int = 0,
        horizon: int | None = None,
        partial: MatchAnalysis | None = None,
        cancel: _core.Cancel | None = None,
        background: bool = False,
    ) -> "Analysing":
        """Begin an analysis of a match as it stands, or continue a partial one of the same match."""
        core = match._core.clone()
        begun = _begin(match, core, iterations, luck, cards=cards, seat=seat, seed=seed, horizon=horizon)
        if partial is not None:
            _check_partial(begun, partial)
        return cls(core, partial or begun, cancel, background=background)

    def go_on(self, count: int = _CHUNK, threads: int = 0, report: Progress | None = None) -> None:
        """Analyse the next few decisions."""
        begun = self.analysis
        end = min(begun.analysed + count, begun.decisions + 1)
        self.add(self.records(list(range(begun.analysed, end)), threads, report=report), end)

    def add(self, records: Iterable[str], end: int) -> None:
        """Add the records of the next decisions, up to number `end`."""
        begun, rows = self.analysis, [json.loads(record) for record in records]
        moves = [_move(row) for row in rows if "moves" in row]
        draws = [
            from_row(LuckAnalysis, {"decision": row["decision"], **row["luck"]})
            for row in rows
            if "luck" in row
        ]
        self.analysis = replace(
            begun, analysed=end, moves=(*begun.moves, *moves), draws=(*begun.draws, *draws)
        )

    def fit(self, seconds: float, threads: int) -> None:
        """Choose the playouts of a decision so that the analysis takes about as long as it may."""
        if not 0 < seconds <= _MOST_SECONDS:
            raise refused("seconds", seconds, f"must be more than 0 and at most {_MOST_SECONDS}")
        begun = self.analysis
        count, playouts = _PILOT
        timed = list(range(1, begun.decisions + 1, max(begun.decisions // count, 1)))
        start = time.monotonic()
        pilot = replace(begun, iterations=playouts, luck=begun.luck and playouts // 2)
        Analysing(self._core, pilot, self._cancel, background=self._background).records(timed, threads)
        taken = time.monotonic() - start
        whole = taken * begun.decisions / max(len(timed), 1)
        fits = playouts * max(seconds - taken, 0.0) / max(whole, 1e-6)
        iterations = min(max(int(fits), 8), _core.MAX_PLAYOUTS)
        self.analysis = replace(begun, iterations=iterations, luck=begun.luck and iterations // 2)

    def records(self, decisions: list[int], threads: int = 0, *, report: Progress | None = None) -> list[str]:
        """Analyse decisions, and return their records as JSON texts for `add`."""
        begun = self.analysis

        def count(done: int, _total: int) -> object:
            return None if report is None else report(begun.analysed + done, begun.decisions + 1)

        found = _core.analyse(
            self._core,
            decisions=decisions,
            iterations=begun.iterations,
            luck=begun.luck,
            seed=begun.seed,
            horizon=begun.horizon,
            cards=begun.cards,
            seat=begun.seat,
            threads=threads,
            background=self._background,
            cancel=self._cancel,
            progress=None if report is None else count,
        )
        return [record for _, record in found]


def analyse(
    match: "Match",
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    luck: int | None = None,
    threads: int = 0,
    partial: MatchAnalysis | None = None,
    save: Callable[[MatchAnalysis], object] | None = None,
    progress: bool | Progress | None = None,
    **options: Any,
) -> MatchAnalysis:
    """Analyse a match; see `Match.analyse`."""
    if iterations is not None and seconds is not None:
        raise ArgumentError("iterations and seconds must not both be set", {"field": "seconds"})
    if seconds is not None and partial is not None:
        iterations, luck = partial.iterations, partial.luck
    work = Analysing.begin(match, iterations=iterations, luck=luck, partial=partial, **options)
    if seconds is not None and partial is None:
        work.fit(seconds, threads)
    with watching(progress) as report:
        while not work.analysis.complete:
            work.go_on(threads=threads, report=report)
            if save is not None:
                save(work.analysis)
    return work.analysis


def _begin(
    match: "Match", core: _core.Match, iterations: int | None, luck: int | None, **options: Any
) -> MatchAnalysis:
    """Return the analysis of nothing yet."""
    cards, seat = options["cards"], options["seat"]
    if cards not in CARDS:
        raise refused("cards", repr(cards), f"must be one of {', '.join(map(repr, CARDS))}")
    if seat is not None:
        check_integer("seat", seat, 0, core.seats - 1)
        if cards == "open":
            raise ArgumentError("open cards are not for one seat: leave out seat", {"field": "seat"})
    check_integer("seed", options["seed"], 0, 2**64 - 1)
    if options["horizon"] is not None:
        check_integer("horizon", options["horizon"], 0, _core.MAX_PLAYOUTS)
    count = (
        core.playouts
        if iterations is None
        else check_integer("iterations", iterations, 0, _core.MAX_PLAYOUTS)
    )
    pairs = count // 2 if luck is None else check_integer("luck", luck, 0, _core.MAX_PLAYOUTS)
    if not count and not pairs:
        raise ArgumentError(
            "iterations and luck are both 0: nothing is left to analyse", {"field": "iterations"}
        )
    # Not the digest of the state where one seat asks: it would tell what the seat may not know.
    shown = f"{core.digest:016x}" if seat is None else f"{crc32(core.describe(seat).encode()):08x}"
    lines = [line for line in match.story(seat) if line.level]
    high = [line for line in lines if line.level == 1]
    headings = [(line.decision, line.text) for line in (high if len(high) > 1 else lines)]
    return MatchAnalysis(
        game=core.game,
        rules_version=find_game(core.game).rules_version,
        seats=core.seats,
        decisions=core.decisions,
        match=shown,
        iterations=count,
        luck=0 if seat is not None else pairs,
        counted=(core.counted[0], core.counted[1]),
        headings=tuple(headings),
        analysed=0,
        **options,
    )


def _check_partial(begun: MatchAnalysis, partial: MatchAnalysis) -> None:
    """Raise unless a partial result is of the same match with the same options."""
    for field in fields(MatchAnalysis):
        if field.name in {"analysed", "moves", "draws"}:
            continue
        wanted, found = getattr(begun, field.name), getattr(partial, field.name)
        if wanted != found:
            raise refused("partial", f"of {field.name} {found}", f"this analysis has {field.name} {wanted}")


def _move(row: dict[str, Any]) -> MoveAnalysis:
    head = {name: row[name] for name in ("decision", "seat", "action", "text")}
    move: MoveAnalysis = from_row(MoveAnalysis, head | row["moves"])
    return move
