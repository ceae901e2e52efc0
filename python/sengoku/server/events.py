"""News that work in threads has for calls on event loops."""

import asyncio
import threading
from collections.abc import Iterable
from contextlib import suppress

__all__ = ["Bell"]


class Bell:
    """Something of which there is news; who waits for them does so on a loop, who has them is any thread."""

    def __init__(self) -> None:
        self.version = 1
        """Grows whenever something is new."""
        self._waiters: set[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = set()
        self._ringing = threading.Lock()

    def wake(self) -> None:
        """Says that something is new."""
        with self._ringing:
            self.version += 1
            waiters, self._waiters = self._waiters, set()
        by_loop: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
        for loop, future in waiters:
            by_loop.setdefault(loop, []).append(future)
        for loop, futures in by_loop.items():
            with suppress(RuntimeError):  # the loop is closed, and who waited is gone
                loop.call_soon_threadsafe(_release, futures)

    async def heard(self, version: int, seconds: float | None = None) -> None:
        """Waits until there is something newer than that version, or for so long."""
        loop = asyncio.get_running_loop()
        mine = loop, loop.create_future()
        with self._ringing:
            if self.version != version:
                return
            self._waiters.add(mine)
        try:
            await asyncio.wait([mine[1]], timeout=seconds)
        finally:
            with self._ringing:
                self._waiters.discard(mine)


def _release(futures: Iterable[asyncio.Future[None]]) -> None:
    for future in futures:
        if not future.done():
            future.set_result(None)
