"""A task of a fleet as its caller sees it: progress, answers, cancellation."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from typing import Any

from sengoku._core import Cancel
from sengoku.engine.progress import Progress
from sengoku.errors import CancelledError, SengokuError
from sengoku.fleet.work import Work

__all__ = ["Task"]

_LOOK_SECONDS = 0.05
"""Time between two looks at whether the caller has cancelled."""


class Task:
    """Some work for a fleet, and the answers of its ranges as they arrive."""

    def __init__(self, works: Sequence[Work], *, window: bool = False) -> None:
        """With a window, `take` takes the answers in order, and ranges are not played far ahead of it."""
        self.works = works
        self.window = window
        self.number = -1
        """Its number for the dispatcher."""
        self.units = 0
        """Units whose answer is recorded."""
        self.total = sum(work.item.count for work in works)
        self.replaced: deque[tuple[int, int, Any]] = deque()
        """Answers that were taken and turned out to be wrong: item, first unit, the right answer."""
        self._changed = threading.Condition()
        self._answers: list[dict[int, tuple[int, Any]]] = [{} for _ in works]
        """Answers of each item by first unit, with the number of units."""
        self._taken: set[tuple[int, int]] = set()
        self._done = False
        self._error: SengokuError | None = None

    # Called by the driver

    def record(self, item: int, first: int, count: int, value: Any) -> None:
        """Insert an answer; each range is recorded once."""
        with self._changed:
            place = item, first
            if first in self._answers[item] or place in self._taken:
                raise AssertionError(f"range {place} is recorded twice")
            self._answers[item][first] = count, value
            self.units += count
            self._changed.notify_all()

    def replace(self, item: int, first: int, count: int, value: Any) -> None:
        """Put the right answer in the place of a wrong one."""
        with self._changed:
            if (item, first) in self._taken:
                self.replaced.append((item, first, value))
            else:
                self._answers[item][first] = count, value
            self._changed.notify_all()

    def end(self, error: SengokuError | None = None) -> None:
        """Note that everything is played and settled, or why it will not be."""
        with self._changed:
            if not self._done:
                self._done, self._error = True, error
            self._changed.notify_all()

    # Called by the caller

    @property
    def done(self) -> bool:
        """Whether everything is played and settled."""
        return self._done and self._error is None

    @property
    def over(self) -> bool:
        """Whether nothing more will happen, for good or bad."""
        return self._done

    def _check(self, cancel: Cancel | None) -> None:
        if self._error is not None:
            raise self._error
        if cancel is not None and cancel.cancelled:
            raise CancelledError("the work was cancelled")

    def wait(self, *, progress: Progress | None = None, cancel: Cancel | None = None) -> None:
        """Wait until everything is played and settled; raise why it was not."""
        told = -1
        while True:
            with self._changed:
                self._check(cancel)
                over = self._done
                if not over:
                    self._changed.wait(_LOOK_SECONDS)
                units = self.units
            if progress is not None and units != told:
                told = units
                progress(units, self.total)
            if over:
                return

    def answer(self, item: int) -> Any:
        """Return the whole answer of an item, and forget it."""
        with self._changed:
            found, self._answers[item] = self._answers[item], {}
        values = [found[first][1] for first in sorted(found)]
        return self.works[item].join(values)

    def take(self, item: int, first: int, *, seconds: float, cancel: Cancel | None = None) -> Any | None:
        """Take the answer that begins at a unit; None if it does not arrive in time.

        The last one arrives when all are settled, so that what follows it is final.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: (
                    self._error is not None
                    or self.replaced
                    or self._is_ready(item, first)
                    or (cancel is not None and cancel.cancelled)
                ),
                seconds,
            )
            self._check(cancel)
            if not self._is_ready(item, first):
                return None
            _, value = self._answers[item].pop(first)
            self._taken.add((item, first))
            return value

    def _is_ready(self, item: int, first: int) -> bool:
        found = self._answers[item].get(first)
        if found is None:
            return False
        is_last = first + found[0] == self.works[item].item.count
        return self._done or not is_last
