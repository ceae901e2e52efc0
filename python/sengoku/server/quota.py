"""Quotas: how much of a resource all clients together, and each client, may use at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sengoku.errors import BusyError, QuotaError, StoreFullError
from sengoku.server.limits import Limits

__all__ = ["Quota", "check_store"]


class Quota:
    """A counter of what is in use, in all and by client, that refuses what would exceed a limit.

    >>> quota = Quota("calls", Limits(calls=9, client_calls=2), "calls", "client_calls")
    >>> with quota.hold("nightly"), quota.hold("nightly"):
    ...     quota.take("nightly")
    Traceback (most recent call last):
    ...
    sengoku.errors.QuotaError: nightly uses 2 of 2 calls, try again later
    >>> quota.count
    0
    """

    def __init__(
        self,
        what: str,
        limits: Limits,
        total: str,
        client: str,
        *,
        retry_after: Callable[[], float] = lambda: 1.0,
    ) -> None:
        """Create a quota of `what` (a plural) from the names of two limits.

        `retry_after` returns the seconds after which a refused client should try again.
        """
        self._what = what
        self._total, self._most = total, int(getattr(limits, total))
        self._client, self._client_most = client, int(getattr(limits, client))
        self._retry_after = retry_after
        self._clients: dict[str, int] = {}
        self._count = 0
        self._lock = threading.Lock()

    @property
    def count(self) -> int:
        """How many are in use."""
        return self._count

    def by_client(self) -> dict[str, int]:
        """Return how many each client uses; clients that use nothing are left out."""
        with self._lock:
            return dict(self._clients)

    def check(self, client: str) -> None:
        """Raise QuotaError if the client, or BusyError if all clients together, may not take another."""
        if not self._has_room(client):
            raise self._refusal(client)

    def take(self, client: str) -> None:
        """Count one more of a client, or raise as `check` does."""
        with self._lock:
            if self._has_room(client):
                self._add(client)
                return
        raise self._refusal(client)

    def _has_room(self, client: str) -> bool:
        return self._count < self._most and self._clients.get(client, 0) < self._client_most

    def _refusal(self, client: str) -> QuotaError | BusyError:
        used, limit = self._clients.get(client, 0), self._client_most
        if used >= limit:
            details = {"field": self._client, "client": client, "value": str(used), "limit": str(limit)}
            message = f"{client} uses {used} of {limit} {self._what}, try again later"
            return QuotaError(message, details, retry_after=self._retry_after())
        used, limit = self._count, self._most
        details = {"field": self._total, "value": str(used), "limit": str(limit)}
        message = f"{used} of {limit} {self._what} are in use, try again later"
        return BusyError(message, details, retry_after=self._retry_after())

    def add(self, client: str) -> None:
        """Count one more of a client, even beyond the limits."""
        with self._lock:
            self._add(client)

    def _add(self, client: str) -> None:
        self._clients[client] = self._clients.get(client, 0) + 1
        self._count += 1

    def release(self, client: str) -> None:
        """Count one less; a client that uses nothing is forgotten."""
        with self._lock:
            self._count -= 1
            left = self._clients.pop(client) - 1
            if left:
                self._clients[client] = left

    @contextmanager
    def hold(self, client: str) -> Iterator[None]:
        """Take one for the duration of the block."""
        self.take(client)
        try:
            yield
        finally:
            self.release(client)


def check_store(what: str, size: int, *, used: int, limit: int) -> None:
    """Raise StoreFullError if `size` bytes more do not fit into a store of `limit` bytes.

    >>> check_store("the run", 5, used=7, limit=9)
    Traceback (most recent call last):
    ...
    sengoku.errors.StoreFullError: the run needs 5 bytes but only 2 of 9 are free
    """
    if used + size > limit:
        free = max(limit - used, 0)
        values = {"value": size, "kept": used, "free": free, "limit": limit}
        details = {"field": "store_bytes"} | {name: str(value) for name, value in values.items()}
        message = f"{what} needs {size} bytes but only {free} of {limit} are free"
        raise StoreFullError(message, details, retry_after=60.0)
