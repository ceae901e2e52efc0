"""Notifications from worker threads to coroutines."""

import asyncio
import threading
from collections.abc import Iterable
from contextlib import suppress

__all__ = ["VersionedEvent"]


class VersionedEvent:
    """A versioned event: any thread sets it, coroutines wait for a newer version."""

    def __init__(self) -> None:
        self.version = 1
        """Number of the latest change."""
        self._waiters: set[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = set()
        self._lock = threading.Lock()

    def set(self) -> None:
        """Begin a new version and resume every coroutine that waits for one."""
        with self._lock:
            self.version += 1
            waiters, self._waiters = self._waiters, set()
        by_loop: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
        for loop, future in waiters:
            by_loop.setdefault(loop, []).append(future)
        for loop, futures in by_loop.items():
            with suppress(RuntimeError):  # the loop is closed, so nothing waits on it any more
                loop.call_soon_threadsafe(_release, futures)

    async def wait_newer(self, version: int, seconds: float | None = None) -> None:
        """Wait until there is a newer version than `version`, at most `seconds`."""
        loop = asyncio.get_running_loop()
        waiter = loop, loop.create_future()
        with self._lock:
            if self.version != version:
                return
            self._waiters.add(waiter)
        try:
            await asyncio.wait([waiter[1]], timeout=seconds)
        finally:
            with self._lock:
                self._waiters.discard(waiter)


def _release(futures: Iterable[asyncio.Future[None]]) -> None:
    for future in futures:
        if not future.done():
            future.set_result(None)
