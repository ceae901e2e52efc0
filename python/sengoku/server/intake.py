"""Calls whose message has not arrived: each has a time limit, and the oldest is refused if too many wait.

gRPC by itself would let a call without a message hold its place as long as the connection lasts, and would
not answer a call that ends without a message.
"""

from __future__ import annotations

import asyncio
import math
from typing import Any

from grpc import aio

from sengoku.errors import ArgumentError, BusyError, DeadlineError, SengokuError

__all__ = ["MAX_PENDING", "Intake"]

MAX_PENDING = 1_024
"""Calls that may wait for their message: a message that was sent arrives moments after its headers, so a
caller that does send is never the oldest of them."""
SECONDS = 60.0
"""Time limit of a message; four megabytes need less on any connection."""


class _Pending:
    """A call whose message is awaited."""

    __slots__ = ("refusal", "task", "until")

    def __init__(self, task: asyncio.Task[Any] | None, until: float) -> None:
        self.task = task
        self.until = until
        self.refusal: SengokuError | None = None


class Intake:
    """The place where calls wait for their first message. Use it on the server's event loop only."""

    def __init__(self, *, most: int = MAX_PENDING, seconds: float = SECONDS) -> None:
        self._most = most
        self._seconds = seconds
        self._pending: dict[_Pending, None] = {}
        """In order of arrival."""
        self.last_message = -math.inf
        """Time of the last message, by the clock of the loop."""
        self._closed: SengokuError | None = None
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._pending)

    async def message(self, context: Any) -> Any:
        """Return the single message of a call, which gRPC treats as a stream of requests."""
        if self._closed is not None:
            raise self._closed
        loop = asyncio.get_running_loop()
        pending = _Pending(asyncio.current_task(loop), loop.time() + self._seconds)
        self._pending[pending] = None
        if len(self._pending) > self._most:
            message = f"{self._most} other calls wait for their request message, send it sooner"
            self._refuse_oldest(BusyError(message, retry_after=1.0))
        if self._timer is None:
            self._timer = loop.call_at(pending.until, self._expire)
        try:
            message = await context.read()
        except asyncio.CancelledError:
            if pending.refusal is None:
                raise
            if pending.task is not None:
                pending.task.uncancel()
            raise pending.refusal from None
        finally:
            self._pending.pop(pending, None)
        if message is aio.EOF:  # type: ignore[attr-defined] # left out by the stubs
            raise ArgumentError("the request has no message", {"field": "message", "value": "none"})
        self.last_message = loop.time()
        return message

    def close(self, error: SengokuError) -> None:
        """Refuse all calls that wait, and all later ones, with `error`."""
        self._closed = error
        while self._pending:
            self._refuse_oldest(error)

    def _refuse_oldest(self, error: SengokuError) -> None:
        pending = next(iter(self._pending))
        del self._pending[pending]
        pending.refusal = error
        if pending.task is not None:
            pending.task.cancel()

    def _expire(self) -> None:
        """Timer callback: refuse the calls whose time is up."""
        loop = asyncio.get_running_loop()
        self._timer = None
        while self._pending:
            until = next(iter(self._pending)).until
            if until > loop.time():
                self._timer = loop.call_at(until, self._expire)
                return
            self._refuse_oldest(DeadlineError(f"the request did not arrive within {self._seconds:g} seconds"))
