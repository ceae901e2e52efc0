"""The names of players that are not connected: the account that each one still belongs to, and until when."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

from sengoku.server.limits import Limits

__all__ = ["PlayerNames"]


class PlayerNames:
    """Remembers which account an unused name belongs to: for some time, and only so many names.

    Whose name is in use belongs to its player (`Player.client`). Methods may be called from any thread.

    >>> now = 0.0
    >>> names = PlayerNames(Limits(player_name_seconds=60, client_player_names=2), lambda: now)
    >>> names.remember("alpha", "ann")
    >>> names.owner("alpha"), names.owner("beta")
    ('ann', '')
    >>> now = 60.0
    >>> names.owner("alpha")
    ''
    """

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._seconds = limits.player_name_seconds
        self._most = limits.player_names
        self._client_most = limits.client_player_names
        self._clock = clock
        self._accounts: dict[str, OrderedDict[str, float]] = {}
        """When each name was last used, the oldest first, by account."""
        self._owners: dict[str, str] = {}
        self._lock = threading.Lock()

    def owner(self, name: str) -> str:
        """Return the account that a name belongs to, or an empty string."""
        with self._lock:
            account = self._owners.get(name, "")
            if account and self._clock() - self._accounts[account][name] >= self._seconds:
                self._drop(name)
                return ""
            return account

    def remember(self, name: str, account: str) -> None:
        """Remember which account owns a name that is no longer in use."""
        with self._lock:
            if name in self._owners:
                self._drop(name)
            names = self._accounts.setdefault(account, OrderedDict())
            names[name] = self._clock()
            self._owners[name] = account
            if len(names) > self._client_most:
                self._drop(next(iter(names)))
            if len(self._owners) > self._most:
                # An account that collects names loses its own, never those of others.
                largest = max(self._accounts.values(), key=len)
                self._drop(next(iter(largest)))

    def forget(self, name: str) -> None:
        """Forget a name: it is in use again."""
        with self._lock:
            if name in self._owners:
                self._drop(name)

    def _drop(self, name: str) -> None:
        account = self._owners.pop(name)
        names = self._accounts[account]
        del names[name]
        if not names:
            del self._accounts[account]
