"""How fast workers are: the length of a range follows from the time that earlier ranges took."""

from collections.abc import Hashable, Sequence
from typing import Any

__all__ = ["Rates"]

_GROWTH = 8
"""How many times longer than all before a range may be: short ones are too imprecise to extrapolate from."""
_WEIGHT = 0.3
"""Weight of a new measurement in the averages."""
_PRECISE_SECONDS = 0.05
"""Shorter times say nothing about the speed of a worker."""


class Rates:
    """Units per second and thread of each kind of work, and how the speed of each worker compares.

    >>> rates = Rates(seconds=1.0, least_seconds=0.1)
    >>> rates.join("a", threads=4)
    >>> rates.measure("a", "tower", count=400, seconds=0.5)
    >>> rates.expected("a", "tower", 800)
    1.0
    """

    def __init__(self, seconds: float, least_seconds: float) -> None:
        self._seconds = seconds
        self._least = least_seconds
        self._units: dict[Hashable, float] = {}
        self._longest: dict[Hashable, float] = {}
        """Most units of a range for each thread so far."""
        self._threads: dict[str, int] = {}
        self._speed: dict[str, float] = {}
        self._cores = 0.0

    def join(self, worker: str, threads: int) -> None:
        """Add a worker."""
        self._threads[worker], self._speed[worker] = threads, 1.0
        self._cores += threads

    def leave(self, worker: str) -> None:
        """Remove a worker."""
        self._cores -= self._threads.pop(worker) * self._speed.pop(worker)

    def _rate(self, worker: str, key: Hashable) -> float | None:
        units = self._units.get(key)
        return None if units is None else units * self._threads[worker] * self._speed[worker]

    def expected(self, worker: str, key: Hashable, count: int) -> float | None:
        """Return the seconds that a worker should need for some units, if that is known."""
        rate = self._rate(worker, key)
        return None if rate is None else count / rate

    def size(self, worker: str, item: Any, remaining: int) -> int:
        """Return how many units of an item a worker plays next; `remaining` are those of its job."""
        threads, rate = self._threads[worker], self._rate(worker, item.key)
        if rate is None:
            return max(1, int(item.probe) * threads)
        left = remaining / (self._units[item.key] * max(self._cores, 1e-9))
        seconds = min(self._seconds, max(self._least, left / 4))
        most = _GROWTH * self._longest[item.key] * threads
        return max(1, int(min(rate * seconds, most)))

    def measure(self, worker: str, key: Hashable, count: int, seconds: float) -> None:
        """Note that a worker took some seconds for some units."""
        if worker not in self._threads:
            return
        threads, speed = self._threads[worker], self._speed[worker]
        seen = count / max(seconds, 1e-6) / threads
        known = self._units.get(key)
        self._longest[key] = max(self._longest.get(key, 0.0), count / threads)
        if known is None:
            self._units[key] = seen / speed
            return
        self._units[key] = known + _WEIGHT * (seen / speed - known)
        if seconds >= _PRECISE_SECONDS:
            changed = min(max(speed * (seen / (known * speed)) ** _WEIGHT, 0.02), 50.0)
            self._cores += threads * (changed - speed)
            self._speed[worker] = changed

    def core_seconds(self, items: Sequence[Any], remaining: int) -> float:
        """Estimate the seconds of one core for the units that remain of some items."""
        known = next((self._units[item.key] for item in items if item.key in self._units), None)
        return 0.0 if known is None else remaining / known

    def units_per_second(self, worker: str) -> float:
        """Return the speed of a worker compared with the others."""
        return self._speed.get(worker, 1.0)
