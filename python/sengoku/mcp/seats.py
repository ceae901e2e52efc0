"""The seats that players of the MCP server have taken, by the names that they use for their matches."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from sengoku.errors import BusyError, MatchNotFoundError, QuotaError
from sengoku.mcp.table import Table

__all__ = ["Seats", "Taken"]


@dataclass
class Taken:
    """A seat that a player has taken."""

    name: str
    """Name of the match for its player."""
    table: Table
    since: int = 0
    """Decisions taken up to the player's last one."""


@dataclass
class _Row:
    owner: str
    taken: Taken
    used: float


class Seats:
    """The seats of all players; a seat that is not used for a while is forgotten.

    The name of a match works for the player who has it and for nobody else.
    """

    def __init__(
        self,
        name: Callable[[], str],
        *,
        most: int,
        most_of_one: int,
        idle_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keep `most` seats, and `most_of_one` of one player; `name` makes names of matches."""
        self._name = name
        self._most, self._most_of_one = most, most_of_one
        self._idle_seconds = idle_seconds
        self._clock = clock
        self._rows: OrderedDict[str, _Row] = OrderedDict()
        """By name; the least recently used is first."""
        self._counts: Counter[str] = Counter()

    def __len__(self) -> int:
        self._forget_idle()
        return len(self._rows)

    def _forget_idle(self) -> None:
        latest = self._clock() - self._idle_seconds
        while self._rows and next(iter(self._rows.values())).used <= latest:
            self._remove(next(iter(self._rows)))

    def _remove(self, name: str) -> None:
        row = self._rows.pop(name)
        self._counts[row.owner] -= 1
        if not self._counts[row.owner]:
            del self._counts[row.owner]

    def check(self, owner: str) -> None:
        """Raise QuotaError or BusyError if the player may take no further seat."""
        self._forget_idle()
        used, most = self._counts[owner], self._most_of_one
        if used >= most:
            details = {"field": "client_open_matches", "value": str(used), "limit": str(most)}
            message = f"{used} of {most} matches are open, end one of them with end_match"
            raise QuotaError(message, details, retry_after=60.0)
        if len(self._rows) >= self._most:
            details = {"field": "open_matches", "value": str(len(self._rows)), "limit": str(self._most)}
            message = f"{len(self._rows)} of {self._most} matches are open, try again later"
            raise BusyError(message, details, retry_after=60.0)

    def take(self, owner: str, table: Table) -> Taken:
        """Note a seat of a player."""
        self.check(owner)
        taken = Taken(self._name(), table)
        self._rows[taken.name] = _Row(owner, taken, self._clock())
        self._counts[owner] += 1
        return taken

    def find(self, owner: str, name: str) -> Taken:
        """Return a seat by the name of its match, for its player only."""
        self._forget_idle()
        row = self._rows.get(name)
        if row is None or row.owner != owner:
            details = {"field": "match", "value": name[:60]}
            raise MatchNotFoundError(f"match is {name[:60]!r}: there is none with this name", details)
        row.used = self._clock()
        self._rows.move_to_end(name)
        return row.taken

    def leave(self, name: str) -> None:
        """Forget a seat."""
        if name in self._rows:
            self._remove(name)
