"""Tree search for the next decision of a match, using only what the seat to act may see.

>>> from sengoku import Match
>>> match = Match.create("battles", seed=7, setup={"scenario": 8})
>>> search = Search("battles", iterations=40, seed=1)
>>> analysis = search.analyse(match)
>>> match.play(analysis.choice)
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sengoku import _core
from sengoku.engine.checks import check_integer, refused
from sengoku.engine.games import find_game
from sengoku.engine.match import Match
from sengoku.errors import ArgumentError

Evaluate = Callable[
    [npt.NDArray[np.uint8], npt.NDArray[np.bool_], npt.NDArray[np.int8]],
    tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]],
]
"""A policy and values of `n` positions: `evaluate(observations, legal, seats) -> (policy, values)`.

`observations` is uint8 `[n, observation_size]`, what the seat to act sees; `legal` bool `[n, action_count]`;
`seats` int8 `[n]`, the seat to act. `policy` is float32 `[n, action_count]` of logits, of which only those of
legal actions count; `values` is float32 `[n, seats]`, the expected share of the victory of each seat.
"""

_MAX_MILLISECONDS = 3_600_000


@dataclass(frozen=True, eq=False)
class Analysis:
    """Result of a search for one decision."""

    seat: int
    """The seat that decides."""
    choice: int
    """Index of the action to take."""
    actions: npt.NDArray[np.uint32]
    """Indices of the legal actions, ascending."""
    visits: npt.NDArray[np.uint32]
    """Number of visits of each legal action."""
    values: npt.NDArray[np.float32]
    """Mean share of the victory after each action, one column per seat; NaN if it was not visited."""

    @property
    def iterations(self) -> int:
        """Number of iterations; a search whose choice is clear ends early."""
        return int(self.visits.sum())


class Search:
    """Monte Carlo tree search over states that the seat to act cannot distinguish from the real one.

    The budget of a decision is `iterations` (default 1,000) or `milliseconds`. For a given seed, number of
    iterations, trees and batch size a decision is always the same, on any number of threads; with
    `milliseconds` it also depends on the machine.

    Without `evaluate` the search is that of the bot `mcts`: `trees` are grown independently and merged at the
    end, on `threads` threads (0: one per core). With `evaluate`, that function supplies policy and values,
    for at most `batch` positions at a time; it runs in the calling thread, and its exceptions are passed on.

    >>> def evaluate(observations, legal, seats):
    ...     n, actions = legal.shape
    ...     return np.zeros((n, actions), np.float32), np.full((n, 2), 0.5, np.float32)
    >>> search = Search("battles", iterations=64, evaluate=evaluate, batch=16)
    >>> search.analyse(Match.create("battles", seed=7)).iterations
    64
    """

    def __init__(
        self,
        game: str,
        *,
        iterations: int | None = None,
        milliseconds: float | None = None,
        threads: int = 0,
        seed: int = 0,
        trees: int = 4,
        evaluate: Evaluate | None = None,
        batch: int = 64,
    ) -> None:
        self.game = find_game(game).name
        if iterations is not None and milliseconds is not None:
            details = {"field": "milliseconds", "value": str(milliseconds)}
            raise ArgumentError("iterations and milliseconds must not both be set", details)
        self._seconds = None if milliseconds is None else _seconds(milliseconds)
        if iterations is None:
            iterations = 1000 if milliseconds is None else _core.MAX_ITERATIONS
        self._iterations = check_integer("iterations", iterations, 1, _core.MAX_ITERATIONS)
        self._trees = check_integer("trees", trees, 1, _core.MAX_TREES)
        self._batch = check_integer("batch", batch, 1, _core.MAX_BATCH)
        self._threads, self._seed, self._evaluate = threads, seed, evaluate

    def decide(self, match: Match, *, cancel: _core.Cancel | None = None) -> int:
        """Return the index of the action to take."""
        return self.analyse(match, cancel=cancel).choice

    def analyse(self, match: Match, *, cancel: _core.Cancel | None = None) -> Analysis:
        """Return what was found about every legal action; raise `MatchOverError` if the match is over."""
        if match.game != self.game:
            details = {"field": "match", "value": match.game}
            raise ArgumentError(f"match is one of {match.game}: this search is for {self.game}", details)
        with self._deadline() as stop:
            options: dict[str, Any] = {"iterations": self._iterations, "seed": self._seed}
            options |= {"stop": stop, "cancel": cancel}
            if self._evaluate is None:
                found = _core.search(match._core, trees=self._trees, threads=self._threads, **options)
            else:
                found = _core.guided_search(
                    match._core, batch=self._batch, evaluate=self._evaluate, **options
                )
        return Analysis(**found)

    @contextmanager
    def _deadline(self) -> Iterator[_core.Cancel | None]:
        """Provide a flag that is set when the time is up."""
        if self._seconds is None:
            yield None
            return
        stop = _core.Cancel()
        timer = threading.Timer(self._seconds, stop.cancel)
        timer.daemon = True
        timer.start()
        try:
            yield stop
        finally:
            timer.cancel()


def _seconds(milliseconds: float) -> float:
    if not 0 < milliseconds <= _MAX_MILLISECONDS:  # also refuses NaN
        wanted = f"must be more than 0 and at most {_MAX_MILLISECONDS}"
        raise refused("milliseconds", milliseconds, wanted)
    return milliseconds / 1000
