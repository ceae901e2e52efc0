"""The record of one call: what is counted and logged of it, and the status that ends it."""

from __future__ import annotations

import asyncio
import itertools
import secrets
import time
from collections.abc import Callable, Mapping

from sengoku.errors import CancelledError, DeadlineError, InternalError, MissingDependencyError, SengokuError
from sengoku.server import logging as logs
from sengoku.server.addresses import peer_name
from sengoku.server.dependencies import server_lacks
from sengoku.server.metrics import Metrics
from sengoku.wire import spans

__all__ = ["REQUEST_ID", "Trace"]

REQUEST_ID = "x-request-id"
"""Metadata key of the id that names a call in the logs of client and server."""

_NUMBERS = itertools.count(secrets.randbits(64))
"""Ids of calls that have none: consecutive numbers from a random start."""

_TIMER_SECONDS = 0.002
"""Timers of the event loop count milliseconds, and may end a call so much before its deadline."""


class Trace:
    """A call from its first message to its end."""

    __slots__ = (
        *("_method", "_metrics", "_start"),
        *(
            "bytes_in",
            "bytes_out",
            "client",
            "connection",
            "metadata",
            "peer",
            "request_id",
            "span",
            "time_left",
        ),
    )

    def __init__(
        self,
        metrics: Metrics,
        method: str,
        bytes_in: int,
        metadata: Mapping[str, str],
        time_left: Callable[[], float | None],
        *,
        connection: str,
        peer: str,
    ) -> None:
        self._metrics = metrics
        self._method = method
        self._start = time.perf_counter()
        self.bytes_in = bytes_in
        self.bytes_out = 0
        self.metadata = metadata
        """Names in lower case, and their texts."""
        self.time_left = time_left
        """Function that returns the seconds until the deadline, or None without one."""
        self.request_id = _request_id(self.metadata.get(REQUEST_ID))
        self.span = spans.begin(method, self.request_id, metadata)
        self.client = ""
        self.connection, self.peer = connection, peer
        metrics.begin(method)

    def end(self) -> None:
        """Record a call that succeeded."""
        self._write("OK", "", None)

    def fail(self, error: BaseException) -> SengokuError:
        """Record a call that failed, and return what the caller is told; the details of a bug are not."""
        failure = self._known(error)
        self._write(failure.status, failure.reason, error if failure.status == "INTERNAL" else None)
        return failure

    def _write(self, code: str, reason: str, error: BaseException | None) -> None:
        seconds = time.perf_counter() - self._start
        trace_id = ""
        if self.span is not None:
            self.span.end(self.client, code, reason)
            trace_id = self.span.trace_id
        self._metrics.end(self._method, code, reason, seconds, trace_id)
        logs.call(
            method=self._method.removeprefix("/"),
            code=code,
            reason=reason,
            request_id=self.request_id,
            client=self.client or peer_name(self.peer),
            seconds=seconds,
            bytes_in=self.bytes_in,
            bytes_out=self.bytes_out,
            error=error,
        )

    def _known(self, error: BaseException) -> SengokuError:
        if isinstance(error, MissingDependencyError) and "package" in error.details:
            return server_lacks(error)
        if isinstance(error, SengokuError):
            return error
        if isinstance(error, asyncio.CancelledError):
            left = self.time_left()
            late = left is not None and left <= _TIMER_SECONDS
            return (
                DeadlineError("the call took too long") if late else CancelledError("the call was cancelled")
            )
        return InternalError("internal error, see the server's log")


def _request_id(given: str | None) -> str:
    """Return the caller's id, if it is fit for a log line, or a new one."""
    if given and len(given) <= 128 and given.isascii() and given.isprintable():
        return given
    return f"{next(_NUMBERS) & (1 << 64) - 1:016x}"
