"""Bulk runs: bots play a range of matches, and the report is the same for any number of threads."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from operator import index

import numpy as np

from sengoku import _core
from sengoku.engine.games import Setup, find_game, setup_to_json
from sengoku.engine.report import MatchReport

Progress = Callable[[int, int], object]


@contextmanager
def watching(progress: bool | Progress | None) -> Iterator[Progress | None]:
    """Gives the function to tell how far the work is: one that moves a bar for True."""
    if progress is True:
        from rich.progress import (  # noqa: PLC0415 - only where somebody watches
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, transient=True) as bar:
            task = bar.add_task("")
            yield lambda done, total: bar.update(task, completed=done, total=total)
    else:
        yield progress or None


def run_matches(
    game: str,
    *,
    bots: Iterable[str],
    seats: int | None = None,
    match_count: int,
    first_match: int = 0,
    seed: int = 0,
    setup: Setup = None,
    threads: int = 0,
    progress: bool | Progress | None = None,
    cancel: _core.Cancel | None = None,
) -> MatchReport:
    """Lets bots play the matches from `first_match` on; the report is the same for any number of threads.

    Bot `i` plays seat `i`, and the last one every seat that is left: `["greedy", "random"]` is one greedy
    seat against random ones. A name may have options: `mcts:iterations=200`. Without `seats` there are as
    many as bots, but never fewer than the game needs.
    `progress` is True for a bar, or a function of matches done and matches in all.
    """
    return run_limited(
        game,
        bots=bots,
        seats=seats,
        match_count=match_count,
        first_match=first_match,
        seed=seed,
        setup=setup,
        threads=threads,
        progress=progress,
        cancel=cancel,
    )


def run_limited(
    game: str,
    *,
    bots: Iterable[str],
    seats: int | None,
    match_count: int,
    first_match: int,
    seed: int,
    setup: Setup,
    threads: int,
    progress: bool | Progress | None = None,
    cancel: _core.Cancel | None = None,
    max_decisions: int | None = None,
    max_iterations: int | None = None,
    background: bool = False,
) -> MatchReport:
    """Does what `run_matches` does, but refuses matches that take more decisions than that in all.

    Bots that search for a decision with more than `max_iterations` are refused too.

    In the background, threads of low priority play: all cores are used, and whoever else needs one has it.
    """
    if isinstance(bots, str):
        raise TypeError("bots must be a list of names, not str")
    bots = list(bots)
    found = find_game(game)
    seats = max(len(bots), found.seats[0]) if seats is None else seats
    text = setup_to_json(game, setup)
    with watching(progress) as told:
        columns = _core.run_matches(
            game,
            bots=bots,
            seats=seats,
            match_count=match_count,
            first_match=first_match,
            seed=seed,
            setup=text,
            threads=threads,
            progress=told,
            cancel=cancel,
            max_decisions=max_decisions,
            max_iterations=max_iterations,
            background=background,
        )
    numbers = np.arange(match_count, dtype=np.uint64) + np.uint64(first_match)
    return MatchReport(
        game=game,
        rules_version=found.rules_version,
        setup=json.loads(text),
        seed=index(seed),
        bots=tuple(bots + [bots[-1]] * (index(seats) - len(bots))),
        reasons=found.reasons,
        match_index=numbers,
        **columns,
    )
