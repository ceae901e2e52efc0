"""A thread-safe fair queue: turns for heavy work, round robin over clients, with a bounded waiting list."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent import futures
from contextlib import asynccontextmanager, contextmanager

from sengoku._core import Cancel
from sengoku.errors import BusyError, CancelledError

__all__ = ["FairQueue"]

_WEIGHT = 0.2
"""Weight of the latest turn in the estimate of how long a turn takes."""
_RETRY_LEAST, _RETRY_MOST = 0.1, 60.0
"""Bounds, in seconds, of what a refused client is told to wait."""


class _Place(futures.Future[None]):
    """A place in the waiting list; done when its turn has come."""

    def __init__(self, client: str, cancel: Cancel | None) -> None:
        super().__init__()
        self.client = client
        self.cancel_flag = cancel


class FairQueue:
    """A thread-safe fair queue of turns, for coroutines and threads.

    A free slot goes to the clients in turn, and among the requests of one client to the oldest. A client that
    asks for a thousand turns therefore delays another client by one turn.
    """

    def __init__(self, slots: int, most: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Create a queue with `slots` concurrent turns in which at most `most` bounded requests wait."""
        self.slots = slots
        self.most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._free = slots
        self._waiting: OrderedDict[str, deque[_Place]] = OrderedDict()
        self._length = 0
        self._running: Counter[str] = Counter()
        self._turn_seconds = 1.0

    @property
    def waiting(self) -> int:
        """How many wait for a turn."""
        return self._length

    @property
    def running(self) -> int:
        """How many have a turn."""
        return self.slots - self._free

    def clients(self) -> dict[str, tuple[int, int]]:
        """Return the number of waiting and of running turns of each client."""
        with self._lock:
            names = {*self._waiting, *self._running}
            return {name: (len(self._waiting.get(name, ())), self._running[name]) for name in sorted(names)}

    @property
    def retry_after(self) -> float:
        """Estimated seconds until a new request would get its turn."""
        ahead = (self._length + 1) / self.slots
        return min(max(ahead * self._turn_seconds, _RETRY_LEAST), _RETRY_MOST)

    @asynccontextmanager
    async def turn(self, client: str, cancel: Cancel | None = None) -> AsyncIterator[None]:
        """Hold a turn for the block; raise BusyError if too many wait already.

        A task that is cancelled while it waits leaves at once; a raised flag is noticed when the turn comes.
        """
        place = self._enter(client, None, bounded=True)
        if place is not None:
            try:
                await asyncio.wrap_future(place)
            except asyncio.CancelledError:
                self._give_up(place)
                raise
        with self._holding(client, cancel):
            yield

    @contextmanager
    def thread_turn(self, client: str, cancel: Cancel) -> Iterator[None]:
        """Hold a turn for the block in a thread, however many wait.

        `cancel` of this queue ends the wait at once; a flag raised otherwise is noticed when the turn comes.
        """
        place = self._enter(client, cancel, bounded=False)
        if place is not None:
            try:
                place.result()
            except futures.CancelledError:
                raise CancelledError("the work was cancelled before its turn came") from None
            except BaseException:
                self._give_up(place)
                raise
        with self._holding(client, cancel):
            yield

    def cancel(self, flag: Cancel) -> None:
        """Raise a flag and wake the threads that wait with it."""
        flag.cancel()
        with self._lock:
            found = [place for line in self._waiting.values() for place in line if place.cancel_flag is flag]
            for place in found:
                place.cancel()
                self._remove(place)

    @contextmanager
    def _holding(self, client: str, cancel: Cancel | None) -> Iterator[None]:
        started = self._clock()
        with self._lock:
            self._running[client] += 1
        try:
            if cancel is not None and cancel.cancelled:
                raise CancelledError("the work was cancelled before its turn came")
            yield
            self._turn_seconds += _WEIGHT * (self._clock() - started - self._turn_seconds)
        finally:
            with self._lock:
                self._running[client] -= 1
                if not self._running[client]:
                    del self._running[client]
            self._leave()

    def _enter(self, client: str, cancel: Cancel | None, *, bounded: bool) -> _Place | None:
        """Take a free slot (None) or a place in the waiting list."""
        with self._lock:
            if self._free:  # then nobody waits
                self._free -= 1
                return None
            if bounded and self._length >= self.most:
                details = {"limit": str(self.most), "slots": str(self.slots)}
                message = f"{self.most} calls wait for one of {self.slots} turns already, try again later"
                raise BusyError(message, details, retry_after=self.retry_after)
            place = _Place(client, cancel)
            if cancel is not None and cancel.cancelled:
                raise CancelledError("the work was cancelled before its turn came")
            self._waiting.setdefault(client, deque()).append(place)
            self._length += 1
            return place

    def _give_up(self, place: _Place) -> None:
        """Leave the waiting list; a turn that came at the same moment goes to the next in line."""
        if place.cancel():
            with self._lock:
                self._remove(place)
        else:
            self._leave()

    def _remove(self, place: _Place) -> None:
        line = self._waiting.get(place.client, deque())
        if place not in line:
            return  # a slot that became free in between has passed over it already
        line.remove(place)
        self._length -= 1
        if not line:
            del self._waiting[place.client]

    def _leave(self) -> None:
        """Hand the slot to the next in line, or free it."""
        with self._lock:
            next_place = self._pop()
            if next_place is None:
                self._free += 1
        if next_place is not None:
            next_place.set_result(None)

    def _pop(self) -> _Place | None:
        while self._waiting:
            client, line = self._waiting.popitem(last=False)
            place = line.popleft()
            self._length -= 1
            if line:
                self._waiting[client] = line  # behind all other clients
            if place.set_running_or_notify_cancel():
                return place
        return None
