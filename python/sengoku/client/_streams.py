"""Open gRPC streams: plain, with a thread that reads ahead, and asynchronous.

All have a `request_id`, a method `receive`, which returns None after the last message, and a method `close`,
which may be called at any time. Streams in both directions also have `send`.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any

from google.protobuf.message import Message
from grpc import aio

from sengoku._core import Cancel
from sengoku.client._channel import CANCELLED
from sengoku.errors import CancelledError

POLL_SECONDS = 0.05
"""How often a blocked call checks whether it was cancelled."""


class PlainStream:
    """A stream of messages from the server; a blocked `receive` cannot be cancelled."""

    def __init__(self, call: Any, request_id: str) -> None:
        self._call = call
        self.request_id = request_id

    def receive(self, _cancel: Cancel | None) -> Any:
        """Wait for the next message."""
        return next(self._call, None)

    def close(self) -> None:
        """Cancel the call."""
        self._call.cancel()


class ThreadedStream:
    """A stream, optionally in both directions, whose `receive` can be cancelled: a thread reads ahead."""

    def __init__(
        self, method: Callable[[Any], Any], first: Message, request_id: str, *, client_streaming: bool
    ) -> None:
        self.request_id = request_id
        self._outbox: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        # Not a SimpleQueue: its `get` misses its timeout if a signal is handled meanwhile (Python 3.11).
        self._inbox: queue.Queue[tuple[Any, BaseException | None]] = queue.Queue()
        self._over = False
        self._outbox.put(first)
        self._call = method(iter(self._outbox.get, None) if client_streaming else first)
        threading.Thread(target=self._read, name="sengoku-stream", daemon=True).start()

    def _read(self) -> None:
        """Thread target: put all messages into the inbox, then None and the failure, if any."""
        failure: BaseException | None = None
        try:
            for message in self._call:
                self._inbox.put((message, None))
        except BaseException as error:  # noqa: BLE001 - `receive` raises it
            failure = error
        self._inbox.put((None, failure))

    def send(self, message: Message | None) -> None:
        """Queue a message for sending; None ends the client's side of the stream."""
        self._outbox.put(message)

    def receive(self, cancel: Cancel | None) -> Any:
        """Wait for the next message, or until `cancel` is set."""
        while not self._over:
            if cancel is not None and cancel.cancelled:
                raise CancelledError(CANCELLED)
            try:
                message, failure = self._inbox.get(timeout=POLL_SECONDS)
            except queue.Empty:
                continue
            self._over = message is None
            if failure is not None:
                raise failure
            return message
        return None

    def close(self) -> None:
        """Cancel the call."""
        self._call.cancel()
        self._outbox.put(None)


class AsyncStream:
    """A stream, optionally in both directions, for an event loop."""

    def __init__(self, call: Any, request_id: str) -> None:
        self._call = call
        self.request_id = request_id
        self._reading: asyncio.Future[Any] | None = None

    async def send(self, message: Message | None) -> None:
        """Send a message, waiting for flow control; None ends the client's side of the stream."""
        await (self._call.done_writing() if message is None else self._call.write(message))

    async def receive(self, cancel: Cancel | None) -> Any:
        """Wait for the next message, or until `cancel` is set."""
        # A cancelled read would end the whole call, so a read outlives the wait for it.
        self._reading = reading = self._reading or asyncio.ensure_future(self._call.read())
        while not reading.done():
            if cancel is not None and cancel.cancelled:
                raise CancelledError(CANCELLED)
            await asyncio.wait({reading}, timeout=None if cancel is None else POLL_SECONDS)
        self._reading = None
        message = reading.result()
        return None if message is aio.EOF else message  # type: ignore[attr-defined]

    def close(self) -> None:
        """Cancel the call."""
        self._call.cancel()
        if self._reading is not None:
            self._reading.cancel()


Stream = PlainStream | ThreadedStream | AsyncStream
