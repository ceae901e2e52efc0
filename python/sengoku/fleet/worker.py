"""A worker: plays ranges on all cores of one node, and answers signs of life meanwhile."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any

from sengoku._core import Cancel
from sengoku.errors import SengokuError
from sengoku.fleet.identity import Identity, own_identity
from sengoku.fleet.work import Work, digest_of

__all__ = ["Answer", "Worker"]

_MOST_FLAGS = 1000
"""Cancelled ranges that are remembered: some of them ended before they were cancelled."""


@dataclass(frozen=True)
class Answer:
    """What a worker found for a range."""

    value: Any
    digest: object
    seconds: float
    error: SengokuError | None = None
    """Why the range cannot be played, on any machine."""

    @classmethod
    def of(cls, work: Work, *, threads: int, cancel: Cancel) -> Answer:
        """Do the work, and measure the time that it takes."""
        began = time.monotonic()
        value = work.play(threads=threads, cancel=cancel)
        return cls(value, digest_of(work.columns(value)), time.monotonic() - began)


class Worker:
    """The worker of a node; the methods run in threads of their own, `play` one call at a time."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._lock = threading.Lock()
        self._flags: dict[int, Cancel] = {}
        """The ranges that are being played, or were cancelled before."""

    def identity(self) -> Identity:
        """Return what this worker is."""
        return own_identity()

    def play(self, number: int, work: Work) -> Answer:
        """Play a range; an error that has to do with the work is the answer."""
        with self._lock:
            flag = self._flags.setdefault(number, Cancel())
        try:
            return Answer.of(work, threads=self._threads, cancel=flag)
        except SengokuError as error:
            return Answer(None, b"", 0.0, error)
        finally:
            with self._lock:
                self._flags.pop(number, None)

    def cancel(self, numbers: list[int]) -> None:
        """Stop ranges that nobody needs any more, also those that still wait."""
        with self._lock:
            while len(self._flags) > _MOST_FLAGS:
                self._flags.pop(next(iter(self._flags)))
            for number in numbers:
                self._flags.setdefault(number, Cancel()).cancel()

    def ping(self) -> None:
        """Show that the worker is alive."""
