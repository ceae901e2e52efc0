"""Responses that are being sent: quotas of their bytes, and the end of connections that do not read."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from sengoku.errors import UnreadResponsesError
from sengoku.server.limits import Limits
from sengoku.server.listener import MISBEHAVED, Listener

__all__ = ["Unsent"]

_log = logging.getLogger(__name__)


class _Response:
    """A response that is being sent."""

    __slots__ = ("client", "peer", "size", "until")

    def __init__(self, client: str, peer: str, size: int, until: float) -> None:
        self.client, self.peer, self.size, self.until = client, peer, size, until


class Unsent:
    """The responses that are being sent. Use it on the server's event loop only."""

    def __init__(self, limits: Limits, listener: Listener) -> None:
        self._limits = limits
        self._listener = listener
        self._sending: dict[_Response, None] = {}
        """In order of time limit."""
        self._bytes = 0
        self._client_bytes: Counter[str] = Counter()
        self._peer_count: Counter[str] = Counter()
        self._timer: asyncio.TimerHandle | None = None
        self.timeouts = 0
        """Responses that were given up."""

    @property
    def count(self) -> int:
        """Responses that are being sent."""
        return len(self._sending)

    @property
    def bytes(self) -> int:
        """Their bytes."""
        return self._bytes

    def of_peer(self, peer: str) -> int:
        """Return how many responses to a connection are being sent."""
        return self._peer_count[peer]

    def check(self, client: str, size: int = 0) -> None:
        """Raise UnreadResponsesError if a client, or all clients, have too many unsent bytes for `size` more.

        A single response is always possible, however large it is.
        """
        for field, used in (
            ("client_unsent_bytes", self._client_bytes[client]),
            ("unsent_bytes", self._bytes),
        ):
            limit = getattr(self._limits, field)
            if used and used + size > limit:
                details = {"field": field, "client": client, "value": str(used + size), "limit": str(limit)}
                message = f"responses of {used + size} bytes are not read yet, this server holds {limit}"
                raise UnreadResponsesError(message, details, retry_after=1.0)

    def _begin(self, client: str, peer: str, size: int) -> _Response:
        """Count a response until `_end`; if it is not sent in time, its connection is closed."""
        loop = asyncio.get_running_loop()
        response = _Response(client, peer, size, loop.time() + self._limits.send_seconds)
        self._sending[response] = None
        self._bytes += size
        self._client_bytes[client] += size
        self._peer_count[peer] += 1
        if self._timer is None:
            self._timer = loop.call_at(response.until, self._expire)
        return response

    def _end(self, response: _Response) -> None:
        """Count a response no more: it was sent, or its call has ended."""
        self._sending.pop(response, None)
        self._bytes -= response.size
        for counter, key, amount in (
            (self._client_bytes, response.client, response.size),
            (self._peer_count, response.peer, 1),
        ):
            counter[key] -= amount
            if counter[key] <= 0:
                del counter[key]

    def until_done(self, client: str, peer: str, size: int) -> None:
        """Count a response until the task of its call is done, which is when gRPC has sent it."""
        response = self._begin(client, peer, size)
        if (task := asyncio.current_task()) is not None:
            task.add_done_callback(lambda _: self._end(response))

    @contextmanager
    def sending(self, client: str, peer: str, size: int) -> Iterator[None]:
        """Count a response for the block."""
        response = self._begin(client, peer, size)
        try:
            yield
        finally:
            self._end(response)

    def _expire(self) -> None:
        """Timer callback: close the connections of responses whose time is up."""
        loop = asyncio.get_running_loop()
        self._timer = None
        late: set[str] = set()
        for response in self._sending:
            if response.until > loop.time():
                self._timer = loop.call_at(response.until, self._expire)
                break
            late.add(response.peer)
            response.until = loop.time() + self._limits.send_seconds
        for peer in late:
            self.timeouts += 1
            seconds = self._limits.send_seconds
            _log.warning("%s did not read a response for %d seconds", self._listener.address(peer), seconds)
            self._listener.strike(peer, MISBEHAVED)
