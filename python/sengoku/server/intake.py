"""Calls whose message has not come yet: each has its time, and where too many wait the oldest has to go.

Left to gRPC, a call that never sends its message keeps a place as long as its connection lasts, and one that
ends without a message gets no answer at all.
"""

from __future__ import annotations

import asyncio
import math
from typing import Any

from grpc import aio

from sengoku.errors import ArgumentError, BusyError, DeadlineError, SengokuError

AWAITED = 1_024
"""Messages that are awaited at once: one that is sent arrives a moment after its headers, so nobody who
sends is the oldest of so many."""
SECONDS = 60.0
"""How long a message may take; four megabytes do not need that long anywhere."""


class _Guest:
    """Somebody whose message is awaited."""

    __slots__ = ("refusal", "task", "until")

    def __init__(self, task: asyncio.Task[Any] | None, until: float) -> None:
        self.task = task
        self.until = until
        self.refusal: SengokuError | None = None


class Reception:
    """Where messages are awaited. It belongs to the server's loop."""

    def __init__(self, *, most: int = AWAITED, seconds: float = SECONDS) -> None:
        self._most = most
        self._seconds = seconds
        self._guests: dict[_Guest, None] = {}
        """The one that has waited for longest is first."""
        self.heard = -math.inf
        """When the last message came, by the clock of the loop."""
        self._closed: SengokuError | None = None
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._guests)

    async def message(self, context: Any) -> Any:
        """Gives the one message of a call, which gRPC calls a stream of requests."""
        if self._closed is not None:
            raise self._closed
        loop = asyncio.get_running_loop()
        guest = _Guest(asyncio.current_task(loop), loop.time() + self._seconds)
        self._guests[guest] = None
        if len(self._guests) > self._most:
            error = BusyError(f"{self._most} other requests are awaited, send it faster", retry_after=1.0)
            self._send_away(error)
        if self._timer is None:
            self._timer = loop.call_at(guest.until, self._tidy)
        try:
            message = await context.read()
        except asyncio.CancelledError:
            if guest.refusal is None:
                raise
            if guest.task is not None:
                guest.task.uncancel()
            raise guest.refusal from None
        finally:
            self._guests.pop(guest, None)
        if message is aio.EOF:  # type: ignore[attr-defined] # left out by the stubs
            raise ArgumentError("the request has no message", {"field": "message", "value": "none"})
        self.heard = loop.time()
        return message

    def close(self, error: SengokuError) -> None:
        """Sends all away who are there, and all who come later."""
        self._closed = error
        while self._guests:
            self._send_away(error)

    def _send_away(self, error: SengokuError) -> None:
        """Gives up the one that has waited for longest."""
        guest = next(iter(self._guests))
        del self._guests[guest]
        guest.refusal = error
        if guest.task is not None:
            guest.task.cancel()

    def _tidy(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = None
        while self._guests:
            until = next(iter(self._guests)).until
            if until > loop.time():
                self._timer = loop.call_at(until, self._tidy)
                return
            self._send_away(DeadlineError(f"the request did not come within {self._seconds:g} seconds"))
