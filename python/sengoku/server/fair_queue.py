"""A thread-safe fair queue: time slices for heavy work, round robin over clients, a bounded waiting list."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent import futures
from contextlib import asynccontextmanager, contextmanager

from sengoku._core import Cancel
from sengoku.errors import BusyError, CancelledError, QuotaError

__all__ = ["FairQueue"]

SLICE_SECONDS = 0.25
"""How long a turn lasts while other clients wait; then its work is suspended until its next turn."""
_WEIGHT = 0.2
"""Weight of the latest turn in the estimate of how long a turn takes."""
_RETRY_LEAST, _RETRY_MOST = 0.1, 60.0
"""Bounds, in seconds, of what a refused client is told to wait."""


class _Place(futures.Future[None]):
    """A request for turns; done when the first one has come."""

    def __init__(self, client: str, flag: Cancel | None, *, bounded: bool) -> None:
        super().__init__()
        self.client = client
        self.flag = flag
        self.bounded = bounded
        self.began = 0.0
        """When its turn began, by the queue's clock."""
        self.suspended = False
        """Whether its work has begun and waits for its next turn."""


class FairQueue:
    """A thread-safe fair queue of turns, for coroutines and threads.

    A free slot goes to the clients in turn, and among the requests of one client to the oldest. While
    another client waits, a turn ends after `slice_seconds`: its work is paused, by its `Cancel` flag, and
    goes on when the turn comes again. So a client waits at most a slice for each of the other clients,
    divided by the slots, however long their work takes. `expire` must be called regularly for that.
    """

    def __init__(
        self,
        slots: int,
        most: int,
        *,
        client_most: int | None = None,
        slice_seconds: float = SLICE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create a queue with `slots` concurrent turns.

        At most `most` bounded requests wait for their first turn, `client_most` of them of one client.
        """
        self.slots = slots
        self.most = most
        self.client_most = most if client_most is None else client_most
        self._slice = slice_seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: OrderedDict[str, deque[_Place]] = OrderedDict()
        self._length = 0
        self._bounded: Counter[str] = Counter()
        """Bounded requests that wait for their first turn, by client."""
        self._running: dict[_Place, None] = {}
        """Who has a turn, the longest first."""
        self._turn_seconds = 1.0
        self.contended = threading.Event()
        """Set while somebody waits: only then `expire` has something to do."""

    @property
    def waiting(self) -> int:
        """How many wait for a turn, the first or the next one."""
        return self._length

    @property
    def running(self) -> int:
        """How many have a turn."""
        return len(self._running)

    def clients(self) -> dict[str, tuple[int, int]]:
        """Return the number of waiting and of running turns of each client."""
        with self._lock:
            running = Counter(place.client for place in self._running)
            names = {*self._waiting, *running}
            return {name: (len(self._waiting.get(name, ())), running[name]) for name in sorted(names)}

    @property
    def retry_after(self) -> float:
        """Estimated seconds until a new request would get its turn."""
        ahead = (self._length + 1) / self.slots
        return min(max(ahead * self._turn_seconds, _RETRY_LEAST), _RETRY_MOST)

    @asynccontextmanager
    async def turn(
        self, client: str, cancel: Cancel | None = None, *, bounded: bool = True
    ) -> AsyncIterator[None]:
        """Hold turns for the block; if it is bounded, raise BusyError or QuotaError if too many wait already.

        A task that is cancelled while it waits leaves at once; a raised flag is noticed when the turn comes.
        Work of the block that looks at the flag is paused between two turns.
        """
        place = self._enter(client, cancel, bounded=bounded)
        try:
            if not place.done():
                await asyncio.wrap_future(place)
            _check(cancel)
            yield
        finally:
            self._leave(place)

    @contextmanager
    def thread_turn(self, client: str, cancel: Cancel) -> Iterator[None]:
        """Hold turns for the block in a thread, however many wait.

        `cancel` of this queue ends the wait at once; a flag raised otherwise is noticed when the turn comes.
        Work of the block that looks at the flag is paused between two turns.
        """
        place = self._enter(client, cancel, bounded=False)
        try:
            try:
                place.result()
            except futures.CancelledError:
                _check(cancel)
                raise
            _check(cancel)
            yield
        finally:
            self._leave(place)

    def cancel(self, flag: Cancel) -> None:
        """Raise a flag and wake the threads that wait with it."""
        flag.cancel()
        with self._lock:
            found = [place for line in self._waiting.values() for place in line if place.flag is flag]
            for place in found:
                if not place.suspended:  # else its work notices the flag
                    place.cancel()
                    self._remove(place)

    def expire(self) -> int:
        """Suspend the turns that have lasted a slice, if another client waits; return how many."""
        now, first, suspended = self._clock(), list[_Place](), 0
        with self._lock:
            for place in list(self._running):
                if now - place.began < self._slice:
                    break
                others = self._length - len(self._waiting.get(place.client, ()))
                if not others or place.flag is None or not place.flag.pause():
                    continue
                following = self._pop(besides=place.client)
                if following is None:  # all others have been cancelled
                    place.flag.resume()
                    break
                self._end(place, now)
                place.suspended = True
                self._waiting.setdefault(place.client, deque()).appendleft(place)
                self._waiting.move_to_end(place.client)
                self._length += 1
                suspended += 1
                if self._begin(following, now):
                    first.append(following)
            if not self._length:
                self.contended.clear()
        for place in first:
            place.set_result(None)
        return suspended

    def _enter(self, client: str, flag: Cancel | None, *, bounded: bool) -> _Place:
        """Take a free slot, or a place in the waiting list."""
        place = _Place(client, flag, bounded=bounded)
        with self._lock:
            _check(flag)
            if len(self._running) < self.slots:  # then nobody waits
                place.set_running_or_notify_cancel()
                self._begin(place, self._clock())
                place.set_result(None)
                return place
            if bounded:
                self._check_room(client)
                self._bounded[client] += 1
            self._waiting.setdefault(client, deque()).append(place)
            self._length += 1
            self.contended.set()
        return place

    def _check_room(self, client: str) -> None:
        """Raise BusyError or QuotaError if a client may not wait; the caller holds the lock."""
        if self._bounded.total() >= self.most:
            details = {"limit": str(self.most), "slots": str(self.slots)}
            message = f"{self.most} calls wait for one of {self.slots} turns already, try again later"
            raise BusyError(message, details, retry_after=self.retry_after)
        if (waiting := self._bounded[client]) >= (limit := self.client_most):
            details = {"field": "client_queued_calls", "client": client, "value": str(waiting)}
            message = f"{waiting} of {limit} calls of {client} wait for a turn already, try again later"
            raise QuotaError(message, details | {"limit": str(limit)}, retry_after=self.retry_after)

    def _begin(self, place: _Place, now: float) -> bool:
        """Give a turn to a place that has left the waiting list; the caller holds the lock.

        Return whether it is its first turn: then the caller has to wake it, without the lock.
        """
        first, place.suspended, place.began = not place.suspended, False, now
        self._running[place] = None
        if place.flag is not None:
            place.flag.set_pausable(True)
            place.flag.resume()
        return first

    def _end(self, place: _Place, now: float) -> None:
        """Take a turn away; the caller holds the lock."""
        del self._running[place]
        self._turn_seconds += _WEIGHT * (now - place.began - self._turn_seconds)

    def _leave(self, place: _Place) -> None:
        """End a request: its slot goes to the next in line."""
        following, first = None, False
        with self._lock:
            if place in self._running:
                now = self._clock()
                self._end(place, now)
                following = self._pop()
                first = following is not None and self._begin(following, now)
            else:
                place.cancel()
                self._remove(place)
            if place.flag is not None:
                place.flag.set_pausable(False)
        if following is not None and first:
            following.set_result(None)

    def _remove(self, place: _Place) -> None:
        """Take a place out of the waiting list, if it is there; the caller holds the lock."""
        line = self._waiting.get(place.client, deque())
        if place in line:
            line.remove(place)
            self._out(place)
            if not line:
                del self._waiting[place.client]

    def _out(self, place: _Place) -> None:
        """Count a place that has left the waiting list; the caller holds the lock."""
        self._length -= 1
        if place.bounded and not place.suspended:
            self._bounded[place.client] -= 1
            if not self._bounded[place.client]:
                del self._bounded[place.client]

    def _pop(self, besides: str | None = None) -> _Place | None:
        """Take the next place in line, of any client but one; the caller holds the lock."""
        for client in [client for client in self._waiting if client != besides]:
            line = self._waiting.pop(client)
            while line:
                place = line.popleft()
                self._out(place)
                if place.suspended or place.set_running_or_notify_cancel():
                    if line:
                        self._waiting[client] = line  # behind all other clients
                    return place
        return None


def _check(flag: Cancel | None) -> None:
    if flag is not None and flag.cancelled:
        raise CancelledError("the work was cancelled before its turn came")
