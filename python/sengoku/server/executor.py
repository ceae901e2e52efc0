"""Threads for work that takes a while, and turns for work that uses all cores."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent import futures
from typing import TypeVar

from sengoku._core import Cancel
from sengoku.server.fair_queue import FairQueue
from sengoku.server.limits import Limits

__all__ = ["Executor"]

_T = TypeVar("_T")
_READ_THREADS = 16
"""Threads for calls that only read."""
_LOOK_SECONDS = 0.02
"""Time between two looks at which turns are over."""


class Executor:
    """The threads of a server and the queue for turns on its cores. Use it on the server's event loop."""

    def __init__(self, limits: Limits) -> None:
        self._threads = futures.ThreadPoolExecutor(limits.calls, thread_name_prefix="sengoku-rpc")
        # Calls that only read have their own threads, so they never wait for those that work.
        self._readers = futures.ThreadPoolExecutor(_READ_THREADS, thread_name_prefix="sengoku-read")
        self.queue = FairQueue(limits.heavy_calls, limits.queued_calls, client_most=limits.queue_share)
        self._under_way: set[Cancel] = set()
        self._closed = False
        threading.Thread(target=self._expire_turns, name="sengoku-turns", daemon=True).start()

    def _expire_turns(self) -> None:
        """Thread target: end the turns that are over while others wait."""
        while not self._closed:
            self.queue.contended.wait()
            self.queue.expire()
            time.sleep(_LOOK_SECONDS)

    @property
    def under_way(self) -> int:
        """Functions that run; one whose caller has left counts until it returns."""
        return len(self._under_way)

    def counts(self) -> dict[str, tuple[int, int]]:
        """Return how many turns wait and run, by kind of work; for metrics."""
        return {"heavy": (self.queue.waiting, self.queue.running)}

    async def run(self, function: Callable[[], _T], cancel: Cancel, *, reads: bool = False) -> _T:
        """Run a function in a thread. If this task is cancelled, raise the flag and wait for the function."""
        threads = self._readers if reads else self._threads
        work = asyncio.get_running_loop().run_in_executor(threads, function)
        self._under_way.add(cancel)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            self.queue.cancel(cancel)  # the call has ended by its deadline or was cancelled by the client
            while not work.done():
                try:
                    await asyncio.wait([work])
                except asyncio.CancelledError:
                    continue
            if not work.cancelled():
                work.exception()  # marks it as seen: the call has ended
            raise
        finally:
            self._under_way.discard(cancel)

    def close(self) -> None:
        """Cancel all work and release the threads."""
        self._closed = True
        self.queue.contended.set()
        for cancel in self._under_way:
            self.queue.cancel(cancel)
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._readers.shutdown(wait=False, cancel_futures=True)
