"""Matches of tournaments and of PlayMatches in progress: who may watch which of them, and as whom."""

from __future__ import annotations

import itertools
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sengoku import _core
from sengoku.bots.port import LiveMatch as Table
from sengoku.errors import NotAllowedError
from sengoku.server.auth import Caller
from sengoku.server.broadcast import Broadcast, Broadcaster

__all__ = ["LiveMatch", "LiveMatches", "Observer"]


@dataclass(eq=False)
class LiveMatch:
    """A match that a host is playing."""

    number: int
    """Grows from match to match."""
    match_id: str
    table: Table
    players: Sequence[str]
    """Who plays, by seat, as watchers see it."""
    client: str
    """The client whose tournament or call it is."""
    tournament: str
    """Name of its tournament, or an empty string."""
    begin: _core.Match = field(repr=False)
    """The match before its first decision. Its own object: the host's is busy while bots decide."""
    history: list[int] = field(default_factory=list, repr=False)
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    said: _core.Match | None = None
    """A copy of the match if players have said something: what they said is part of it."""
    broadcast: Broadcast | None = None
    over: bool = False

    def extend(self) -> None:
        """Add new decisions, also to the frames if somebody watches; by the host."""
        match = self.table.match
        self.history += _core.decisions_from(match, len(self.history))
        with self.lock:
            if match.messages() != "[]":
                self.said = match.clone()
            if self.broadcast is not None:
                self.broadcast.extend(lambda known: self.history[known:], self.said)

    def end(self) -> None:
        """End the frames; by the host."""
        with self.lock:
            self.over = True
            if self.broadcast is not None:
                self.broadcast.end()


class Observer:
    """What a host tells about its matches, from its thread."""

    def __init__(
        self,
        matches: LiveMatches,
        client: str,
        tournament: str = "",
        names: Callable[[str], str] = str,
    ) -> None:
        """Show the matches of a client; `names` returns the name of a player as watchers see it."""
        self._matches = matches
        self._client, self._tournament = client, tournament
        self._names = names
        self._live: dict[Table, LiveMatch] = {}

    def opened(self, table: Table) -> None:
        """Note a match that begins."""
        players = [self._names(name) for name in table.seating.players]
        self._live[table] = self._matches.add(table, players, self._client, self._tournament)

    def moved(self, table: Table) -> None:
        """Note that decisions may have been taken."""
        self._live[table].extend()

    def closed(self, table: Table) -> None:
        """Note a match that is over or was given up."""
        live = self._live.pop(table)
        live.extend()
        live.end()
        self._matches.remove(live)


class LiveMatches:
    """All matches that hosts of this server are playing; thread-safe."""

    def __init__(self, broadcaster: Broadcaster) -> None:
        self._broadcaster = broadcaster
        self._numbers = itertools.count(1)
        self._by_number: dict[int, LiveMatch] = {}
        """In ascending order of their numbers."""
        self._by_id: dict[str, tuple[LiveMatch, int | None]] = {}
        """Matches by the id for watchers, and with a seat by the id that its player knows."""
        self._lock = threading.Lock()

    def add(self, table: Table, players: Sequence[str], client: str, tournament: str) -> LiveMatch:
        """Note a match that begins."""
        match_id = secrets.token_hex(12)
        with self._lock:
            number = next(self._numbers)
            live = LiveMatch(number, match_id, table, players, client, tournament, table.match.clone())
            self._by_number[live.number] = live
            self._by_id[match_id] = live, None
            for seat, player_id in enumerate(table.ids):
                self._by_id[player_id] = live, seat
        return live

    def remove(self, live: LiveMatch) -> None:
        """Forget a match that is over."""
        with self._lock:
            del self._by_number[live.number]
            for match_id in (live.match_id, *live.table.ids):
                del self._by_id[match_id]

    def find(self, match_id: str, caller: Caller) -> tuple[Broadcast, int | None] | None:
        """Return the frames of a match, and the seat for whose eyes; None where there is nothing for it."""
        with self._lock:
            live, seat = self._by_id.get(match_id, (None, None))
        if live is None:
            return None
        if seat is None:
            allowed = live.client == caller.name or caller.may("admin")
        else:
            # The id of a seat is known to its player alone, and its player belongs to a client.
            allowed = getattr(live.table.ports[seat], "client", None) == caller.name
        if not allowed:
            return None
        with live.lock:
            if live.over:
                return None
            if live.broadcast is None:
                live.broadcast = Broadcast(live.begin, live.history, self._broadcaster, live.said)
            return live.broadcast, seat

    @staticmethod
    def not_allowed(asked: int) -> NotAllowedError:
        """Return the error for the view of a seat whose player the caller is not."""
        details = {"seat": "none", "asked": str(asked)}
        return NotAllowedError(f"the id is not that of the player of seat {asked}", details)

    def page(self, after: int | None, most: int, *, client: str | None, tournament: str) -> list[LiveMatch]:
        """Return at most `most` matches of a client, or of all, that began after the one with a number."""
        with self._lock:
            matches = list(self._by_number.values())
        found = (
            live
            for live in matches
            if live.number > (after or 0)
            and client in {None, live.client}
            and tournament in {"", live.tournament}
        )
        return list(itertools.islice(found, most))
