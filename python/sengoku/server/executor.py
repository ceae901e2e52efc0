"""Where work is done: threads for what is not brief, turns for what is heavy."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent import futures
from typing import TypeVar

from sengoku._core import Cancel
from sengoku.server.fair_queue import FairQueue
from sengoku.server.limits import Limits

_T = TypeVar("_T")
_READERS = 16
"""Threads for calls that only look."""


class Work:
    """The threads of a server, and the queue for turns on its cores. It belongs to the server's loop."""

    def __init__(self, limits: Limits) -> None:
        self._threads = futures.ThreadPoolExecutor(limits.calls, thread_name_prefix="sengoku-rpc")
        # Who only looks is let in however many others work, and does not wait for their threads.
        self._readers = futures.ThreadPoolExecutor(_READERS, thread_name_prefix="sengoku-read")
        self.queue = FairQueue(limits.heavy_calls, limits.queued_calls)
        self._under_way: set[Cancel] = set()

    @property
    def under_way(self) -> int:
        """How much is being done; what nobody waits for any more counts until it has stopped."""
        return len(self._under_way)

    def counts(self) -> dict[str, tuple[int, int]]:
        """How much waits for a turn and how much runs, by what it needs; for those who watch the server."""
        return {"heavy": (self.queue.waiting, self.queue.running)}

    async def run(self, function: Callable[[], _T], cancel: Cancel, *, reads: bool = False) -> _T:
        """Does something in a thread. If this task is cancelled, it raises the flag and waits for the end."""
        threads = self._readers if reads else self._threads
        work = asyncio.get_running_loop().run_in_executor(threads, function)
        self._under_way.add(cancel)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            cancel.cancel()  # the call has ended, by its deadline or the client's wish
            while not work.done():
                try:
                    await asyncio.wait([work])
                except asyncio.CancelledError:
                    continue
            if not work.cancelled():
                work.exception()  # nobody is left to look at it
            raise
        finally:
            self._under_way.discard(cancel)

    def close(self) -> None:
        """Ends all work and lets the threads go."""
        for cancel in self._under_way:
            cancel.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._readers.shutdown(wait=False, cancel_futures=True)
