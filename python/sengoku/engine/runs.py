"""Bulk runs: bots play a range of matches, and the report is the same for any number of threads."""

from collections.abc import Iterable
from pathlib import Path

from sengoku import _core
from sengoku.engine.games import Setup
from sengoku.engine.progress import Progress
from sengoku.engine.report import MatchReport
from sengoku.engine.requests import RunRequest


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
    replays: str | Path | None = None,
) -> MatchReport:
    """Play `match_count` matches between bots, starting with match number `first_match`.

    Bot `i` plays seat `i`, and the last one also plays the remaining seats: `["greedy", "random"]` is one
    greedy seat against random ones. A name may have options: `mcts:iterations=200`. Without `seats` there are
    as many seats as bots, but never fewer than the game needs.
    `progress` is True for a bar, or a function of matches done and matches in all. `replays` is a file into
    which the replay of each match is written as soon as it is over; `ReplayFile` reads it.
    """
    request = RunRequest.create(
        game, bots=bots, seats=seats, match_count=match_count, first_match=first_match, seed=seed, setup=setup
    )
    return request.play(threads=threads, progress=progress, cancel=cancel, replays=replays)
