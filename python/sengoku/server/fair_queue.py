"""Turns for heavy work: a few at a time, round robin over clients, and only so many wait."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent import futures
from contextlib import asynccontextmanager, contextmanager

from sengoku._core import Cancel
from sengoku.errors import BusyError, CancelledError

_WEIGHT = 0.2
"""How much the last turn counts in the estimate of how long one takes."""
_RETRY_LEAST, _RETRY_MOST = 0.1, 60.0
"""Seconds: nobody is told to come back sooner, or later."""
_LOOK_SECONDS = 0.02
"""How often a thread that waits for its turn looks at its flag."""


class FairQueue:
    """Gives turns for heavy work; it belongs to one event loop.

    Who waits gets the next free slot in the order of clients, one turn for each, and in the order of asking
    for the turns of one client. So a client that asks for a thousand turns delays another by one.
    """

    def __init__(self, slots: int, most: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Makes a queue of so many slots, in which at most `most` wait."""
        self.slots = slots
        self.most = most
        self._clock = clock
        self._free = slots
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._length = 0
        self._running: Counter[str] = Counter()
        self._turn_seconds = 1.0

    @property
    def waiting(self) -> int:
        """How many wait for a turn."""
        return self._length

    @property
    def running(self) -> int:
        """How many have one."""
        return self.slots - self._free

    def clients(self) -> dict[str, tuple[int, int]]:
        """Gives for each client how many of its turns wait, and how many run."""
        names = {*self._waiting, *self._running}
        return {name: (len(self._waiting.get(name, ())), self._running[name]) for name in sorted(names)}

    @property
    def retry_after(self) -> float:
        """Seconds until one who comes now could have a turn, judged by the turns so far."""
        ahead = (self._length + 1) / self.slots
        return min(max(ahead * self._turn_seconds, _RETRY_LEAST), _RETRY_MOST)

    @asynccontextmanager
    async def turn(
        self, client: str, cancel: Cancel | None = None, *, bounded: bool = True
    ) -> AsyncIterator[None]:
        """Waits for a turn and has it for the block; what is not bounded waits however many others do.

        A task that is cancelled while it waits leaves at once; a raised flag is heard when the turn comes.
        """
        await self._enter(client, bounded=bounded)
        started = self._clock()
        self._running[client] += 1
        try:
            if cancel is not None and cancel.cancelled:
                raise CancelledError("the work was cancelled before its turn came")
            yield
            self._turn_seconds += _WEIGHT * (self._clock() - started - self._turn_seconds)
        finally:
            self._running[client] -= 1
            if not self._running[client]:
                del self._running[client]
            self._leave()

    @contextmanager
    def turn_of_thread(self, loop: asyncio.AbstractEventLoop, client: str, cancel: Cancel) -> Iterator[None]:
        """Does what `turn` does, unbounded, for another thread than that of the loop; it hears its flag."""
        mine: futures.Future[None] = futures.Future()

        async def hold(over: asyncio.Event) -> None:
            async with self.turn(client, cancel, bounded=False):
                mine.set_result(None)
                await over.wait()

        over = asyncio.Event()
        held = asyncio.run_coroutine_threadsafe(hold(over), loop)
        try:
            while not (mine.done() or held.done()):
                futures.wait([mine, held], _LOOK_SECONDS, futures.FIRST_COMPLETED)
                if cancel.cancelled:
                    raise CancelledError("the work was cancelled before its turn came")
            if not mine.done():
                held.result()
            yield
            loop.call_soon_threadsafe(over.set)
        except BaseException:
            held.cancel()  # wherever it is, it gives its slot back
            raise

    async def _enter(self, client: str, *, bounded: bool) -> None:
        if self._free:  # then nobody waits
            self._free -= 1
            return
        if bounded and self._length >= self.most:
            details = {"limit": str(self.most), "slots": str(self.slots)}
            message = f"{self.most} wait for one of {self.slots} turns, try again later"
            raise BusyError(message, details, retry_after=self.retry_after)
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(place)
        self._length += 1
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._leave()  # the turn came in the same moment: it is for the next one
            else:
                self._remove(client, place)
            raise

    def _remove(self, client: str, place: asyncio.Future[None]) -> None:
        line = self._waiting.get(client, deque())
        if place not in line:
            return  # a turn that came in between has passed it over already
        line.remove(place)
        self._length -= 1
        if not line:
            del self._waiting[client]

    def _leave(self) -> None:
        """Hands the slot to the next one, or keeps it free."""
        while self._waiting:
            client, line = self._waiting.popitem(last=False)
            place = line.popleft()
            self._length -= 1
            if line:
                self._waiting[client] = line  # behind all others
            if not place.done():
                place.set_result(None)
                return
        self._free += 1
