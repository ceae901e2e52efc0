"""The open matches of a server: tokens, exclusive use by one call at a time, expiry after disuse."""

import hmac
import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sengoku import _core
from sengoku.errors import DiceScriptError, InternalError, MatchNotFoundError, NotAllowedError
from sengoku.server.limits import Limits
from sengoku.server.quota import Quota

__all__ = ["Lease", "MatchRegistry", "MatchTokens"]

_log = logging.getLogger(__name__)


def _secret() -> str:
    return secrets.token_urlsafe(16)


@dataclass(frozen=True)
class MatchTokens:
    """The id of a match and the tokens that give access to it."""

    match_id: str
    owner_token: str = field(repr=False)
    seat_tokens: tuple[str, ...] = field(repr=False)

    @classmethod
    def create(cls, seats: int) -> "MatchTokens":
        """Draw new tokens."""
        return cls(_secret(), _secret(), tuple(_secret() for _ in range(seats)))

    def place_of(self, token: str) -> int | None:
        """Find a token: 0 for the owner, 1 + seat for a seat. The time does not depend on the place."""
        place = None
        given = token.encode("utf-8", "replace")
        for number, known in enumerate((self.owner_token, *self.seat_tokens)):
            if hmac.compare_digest(given, known.encode()):
                place = number
        return place


@dataclass(frozen=True)
class Lease:
    """Exclusive use of a match by the holder of one of its tokens."""

    match: _core.Match = field(repr=False)
    match_id: str
    seat: int | None
    """The seat of the token, or None for the owner."""

    def check_owner(self, wish: str) -> None:
        """Raise NotAllowedError unless the holder owns the match."""
        if self.seat is not None:
            details = {"seat": str(self.seat), "wish": wish}
            raise NotAllowedError(f"{wish} requires the owner's token, this is seat {self.seat}'s", details)

    def look_from(self, asked: int | None) -> int | None:
        """Return the seat whose view to show; None shows everything, to the owner only."""
        if self.seat is None or asked == self.seat:
            return asked
        if asked is None:
            return self.seat
        details = {"seat": str(self.seat), "asked": str(asked)}
        raise NotAllowedError(f"the token is that of seat {self.seat}, not of seat {asked}", details)


class _OpenMatch:
    def __init__(self, match: _core.Match, client: str, now: float) -> None:
        self.match = match
        self.client = client
        self.tokens = MatchTokens.create(match.seats)
        self.lock = threading.Lock()
        self.used = now
        self.closed = False


class MatchRegistry:
    """All open matches. One that is unused for `idle_seconds` is closed."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._quota = Quota(
            "open matches", limits, "open_matches", "client_open_matches", retry_after=self._seconds_to_room
        )
        self._idle_seconds = limits.idle_seconds
        self._clock = clock
        self._open: OrderedDict[str, _OpenMatch] = OrderedDict()
        """By id; the least recently used is first."""
        self._lock = threading.Lock()
        # Compared with the token of an unknown match, so that the answer takes as long.
        self._decoy = MatchTokens.create(5)

    def __len__(self) -> int:
        with self._lock:
            self._close_idle()
            return len(self._open)

    def _close_idle(self) -> None:
        latest = self._clock() - self._idle_seconds
        while self._open:
            match_id, first = next(iter(self._open.items()))
            if first.used > latest:
                return
            self._remove(match_id)

    def _remove(self, match_id: str) -> None:
        found = self._open.pop(match_id, None)
        if found is not None:
            found.closed = True
            self._quota.release(found.client)

    def _seconds_to_room(self) -> float:
        """Seconds until the first match expires, unless one is closed before."""
        idle = self._idle_seconds - (self._clock() - next(iter(self._open.values())).used)
        return min(max(idle, 1.0), 60.0)

    def open(self, make: Callable[[], _core.Match], client: str) -> tuple[MatchTokens, _core.Match]:
        """Open a match for a client, if there is room for one."""
        with self._lock:
            self._close_idle()
            self._quota.check(client)
        match = make()
        with self._lock:
            self._close_idle()
            self._quota.take(client)
            new = _OpenMatch(match, client, self._clock())
            self._open[new.tokens.match_id] = new
        return new.tokens, match

    @contextmanager
    def lease(self, match_id: str, token: str) -> Iterator[Lease]:
        """Hold a match exclusively for the block, if the token is one of its tokens."""
        with self._lock:
            self._close_idle()
            found = self._open.get(match_id)
            tokens = self._decoy if found is None else found.tokens
            place = tokens.place_of(token)
            if found is None or place is None:
                raise MatchNotFoundError("there is no match with this id and token")
            found.used = self._clock()
            self._open.move_to_end(match_id)
        with found.lock:
            if found.closed:  # while this call waited for the lock
                raise MatchNotFoundError("there is no match with this id and token")
            lease = Lease(found.match, match_id, None if place == 0 else place - 1)
            try:
                yield lease
            except (InternalError, DiceScriptError) as error:
                if lease.seat is None:
                    raise
                # Internal errors and the owner's scripted dice stay hidden from seats.
                if isinstance(error, InternalError):
                    _log.exception("unexpected error in a match")
                    raise InternalError("internal error, see the server's log") from None
                raise DiceScriptError("the owner's scripted dice do not allow it") from None

    def close(self, match_id: str) -> None:
        """Close a match."""
        with self._lock:
            self._remove(match_id)
