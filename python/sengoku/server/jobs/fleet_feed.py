"""The matches of a run as they arrive from a fleet: ranges, in order, each once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from sengoku._core import Cancel
from sengoku.engine.report import MatchReport
from sengoku.engine.requests import RunRequest
from sengoku.fleet import Fleet
from sengoku.fleet.work import MatchWork

__all__ = ["FleetFeed"]

_LOOK_SECONDS = 0.05
"""Time between two looks at whether others wait."""


class FleetFeed:
    """The rest of a run on a fleet, which goes on while others have their turns."""

    def __init__(
        self, fleet: Fleet, run: RunRequest, done: int, *, max_decisions: int, max_iterations: int
    ) -> None:
        rest = run.part(done, run.match_count - done)
        work = MatchWork(rest, max_decisions=max_decisions, max_iterations=max_iterations)
        self._fleet, self._begin = fleet, done
        self._task = fleet.submit([work], window=True)
        self._next = 0

    @property
    def done(self) -> int:
        """Matches of the run until the next range."""
        return self._begin + self._next

    def take(self, seconds: float, others_wait: Callable[[], bool], cancel: Cancel) -> MatchReport | None:
        """Return the next range; None if it does not arrive and others wait, or if there is a correction."""
        began = time.monotonic()
        while True:
            report: MatchReport | None = self._fleet.take(
                self._task, self._next, seconds=_LOOK_SECONDS, cancel=cancel
            )
            if report is not None:
                self._next += len(report)
                return report
            if self._task.replaced or (time.monotonic() - began >= seconds and others_wait()):
                return None

    def corrections(self) -> Iterator[tuple[int, MatchReport]]:
        """Iterate over ranges that were taken and turned out to be wrong: the first match, the right rows."""
        while self._task.replaced:
            _, first, report = self._task.replaced.popleft()
            yield self._begin + first, report

    def close(self) -> None:
        """Stop; what is being played is given up."""
        self._fleet.stop(self._task)
