"""The matches that a server has open: who may do what, one at a time, and not for ever."""

import hmac
import logging
import secrets
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sengoku import _core
from sengoku.errors import (
    BusyError,
    DiceScriptError,
    InternalError,
    MatchNotFoundError,
    NotAllowedError,
    QuotaError,
)

_log = logging.getLogger(__name__)


def _secret() -> str:
    return secrets.token_urlsafe(16)


@dataclass(frozen=True)
class Access:
    """The keys to a match."""

    match_id: str
    owner_token: str = field(repr=False)
    seat_tokens: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True)
class Guest:
    """Somebody with a token, and the match while it is his turn to use it."""

    match: _core.Match = field(repr=False)
    match_id: str
    seat: int | None
    """The seat of the token, or None for the owner."""

    def check_owner(self, wish: str) -> None:
        """Refuses what only the owner may do."""
        if self.seat is not None:
            details = {"seat": str(self.seat), "wish": wish}
            raise NotAllowedError(f"{wish} is for the owner of the match, not for seat {self.seat}", details)

    def look_from(self, asked: int | None) -> int | None:
        """Gives the seat through whose eyes to look: None is everything, and for the owner only."""
        if self.seat is None or asked == self.seat:
            return asked
        if asked is None:
            return self.seat
        details = {"seat": str(self.seat), "asked": str(asked)}
        raise NotAllowedError(f"the token is that of seat {self.seat}, not of seat {asked}", details)


class _Open:
    """A match that is open."""

    def __init__(self, match: _core.Match, client: str, now: float) -> None:
        self.match = match
        self.client = client
        self.access = Access(_secret(), _secret(), tuple(_secret() for _ in range(match.seats)))
        self.lock = threading.Lock()
        self.used = now
        self.gone = False


class Tables:
    """All open matches. Those that nobody uses for a while are forgotten."""

    def __init__(
        self, *, most: int, client_most: int, idle_seconds: float, clock: Callable[[], float]
    ) -> None:
        self._most = most
        self._client_most = client_most
        self._idle_seconds = idle_seconds
        self._clock = clock
        self._open: OrderedDict[str, _Open] = OrderedDict()
        """By id; the one that was not used for longest is first."""
        self._clients: Counter[str] = Counter()
        self._lock = threading.Lock()
        # Somebody to be asked for a match that is not there, so that the answer takes as long.
        self._nobody = Access(_secret(), _secret(), tuple(_secret() for _ in range(5)))

    def __len__(self) -> int:
        with self._lock:
            self._forget()
            return len(self._open)

    def _forget(self) -> None:
        """Forgets the matches that nobody has used for too long."""
        latest = self._clock() - self._idle_seconds
        while self._open:
            match_id, first = next(iter(self._open.items()))
            if first.used > latest:
                return
            self._remove(match_id)

    def _remove(self, match_id: str) -> None:
        found = self._open.pop(match_id, None)
        if found is not None:
            found.gone = True
            self._clients[found.client] -= 1
            if not self._clients[found.client]:
                del self._clients[found.client]

    def _check_room(self, client: str) -> None:
        self._forget()
        if len(self._open) >= self._most:
            limit = str(self._most)
            details = {"field": "open_matches", "limit": limit}
            message = f"{limit} matches are open, try again later"
            raise BusyError(message, details, retry_after=self._seconds_to_room())
        if self._clients[client] >= self._client_most:
            limit = str(self._client_most)
            details = {"field": "client_open_matches", "client": client, "limit": limit}
            message = f"{limit} matches of {client} are open, try again later"
            raise QuotaError(message, details, retry_after=self._seconds_to_room())

    def _seconds_to_room(self) -> float:
        """When a match is forgotten, if nobody gives one up before."""
        idle = self._idle_seconds - (self._clock() - next(iter(self._open.values())).used)
        return min(max(idle, 1.0), 60.0)

    def open(self, make: Callable[[], _core.Match], client: str) -> tuple[Access, _core.Match]:
        """Opens a match for a client, if there is room for one."""
        with self._lock:
            self._check_room(client)
        match = make()
        with self._lock:
            self._check_room(client)
            new = _Open(match, client, self._clock())
            self._open[new.access.match_id] = new
            self._clients[client] += 1
        return new.access, match

    @contextmanager
    def at(self, match_id: str, token: str) -> Iterator[Guest]:
        """Lets somebody at a match, alone, if the token is one of its tokens."""
        with self._lock:
            self._forget()
            found = self._open.get(match_id)
            access = self._nobody if found is None else found.access
            place = _place(token, access)
            if found is None or place is None:
                raise MatchNotFoundError("there is no match of this id and token")
            found.used = self._clock()
            self._open.move_to_end(match_id)
        with found.lock:
            if found.gone:  # while we waited
                raise MatchNotFoundError("there is no match of this id and token")
            guest = Guest(found.match, match_id, None if place == 0 else place - 1)
            try:
                yield guest
            except (InternalError, DiceScriptError) as error:
                if guest.seat is None:
                    raise
                # What went wrong inside, and what dice the owner wrote down, is nothing for a seat.
                if isinstance(error, InternalError):
                    _log.exception("unexpected error in a match")
                    raise InternalError("internal error, see the server's log") from None
                raise DiceScriptError("the dice that the owner scripted do not allow it") from None

    def close(self, match_id: str) -> None:
        """Forgets a match."""
        with self._lock:
            self._remove(match_id)


def _place(token: str, access: Access) -> int | None:
    """Finds a token: 0 is the owner's, then those of the seats. It takes equally long wherever it is."""
    place = None
    given = token.encode("utf-8", "replace")
    for number, known in enumerate((access.owner_token, *access.seat_tokens)):
        if hmac.compare_digest(given, known.encode()):
            place = number
    return place
