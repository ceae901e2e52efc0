"""The open matches of a server: tokens, exclusive use by one call at a time, expiry after disuse."""

from __future__ import annotations

import hmac
import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sengoku import _core
from sengoku.engine.frames import Viewer
from sengoku.errors import (
    DiceScriptError,
    InternalError,
    MatchNotFoundError,
    NotAllowedError,
    NotYourTurnError,
    SengokuError,
)
from sengoku.server.broadcast import Broadcast, Broadcaster
from sengoku.server.events import VersionedEvent
from sengoku.server.limits import Limits
from sengoku.server.quota import Quota

__all__ = ["Lease", "MatchRegistry", "MatchTokens", "OpenMatch"]

_log = logging.getLogger(__name__)


def _secret() -> str:
    return secrets.token_urlsafe(16)


@dataclass(frozen=True)
class MatchTokens:
    """The id of a match and the tokens that give access to it."""

    match_id: str
    owner_token: str = field(repr=False)
    seat_tokens: tuple[str, ...] = field(repr=False)
    spectator_token: str = field(repr=False)

    @classmethod
    def create(cls, seats: int) -> MatchTokens:
        """Draw new tokens."""
        return cls(_secret(), _secret(), tuple(_secret() for _ in range(seats)), _secret())

    def place_of(self, token: str) -> int | None:
        """Find a token: -1 for spectators, 0 for the owner, 1 + seat for a seat.

        The time does not depend on the place.
        """
        place = None
        given = token.encode("utf-8", "replace")
        for number, known in enumerate((self.spectator_token, self.owner_token, *self.seat_tokens), -1):
            if hmac.compare_digest(given, known.encode()):
                place = number
        return place


class OpenMatch:
    """An open match: who uses it, who watches it, and how far its bots are."""

    def __init__(self, core: _core.Match, client: str, now: float, broadcaster: Broadcaster) -> None:
        self.core = core
        self.client = client
        self.tokens = MatchTokens.create(core.seats)
        self.lock = threading.Lock()
        self.used = now
        self.closed = False
        self.changed = VersionedEvent()
        """Set after each decision, and when the match is closed."""
        self.bots = _core.hosted_bots(core)
        self.bot_to_act = _core.bot_to_act(core)
        """Whether a bot is to act, as of the last decision."""
        self.hosting = False
        """Whether the bots are deciding; used on the event loop only."""
        self.failure: SengokuError | None = None
        """Why the bots cannot go on."""
        self.flag = _core.Cancel()
        """Stops the bots."""
        self._broadcaster = broadcaster
        self._broadcast: Broadcast | None = None
        self._broadcast_lock = threading.Lock()

    def moved(self) -> None:
        """Tell those who wait and those who watch that decisions were taken; from any thread."""
        if self.bots:
            self.bot_to_act = _core.bot_to_act(self.core)
        with self._broadcast_lock:
            if self._broadcast is not None:
                self._extend(self._broadcast)
        self.changed.set()

    def _extend(self, broadcast: Broadcast) -> None:
        broadcast.extend(lambda known: _core.decisions_from(self.core, known))
        if self.core.to_act is None:
            broadcast.end()

    def broadcast(self) -> Broadcast:
        """Return the frames of the match; from any thread but that of the event loop."""
        with self._broadcast_lock:
            if self._broadcast is None:
                self._broadcast = self._broadcaster.open(self.core)
            self._extend(self._broadcast)
            return self._broadcast

    def close(self) -> None:
        """Stop the bots, and tell those who wait and those who watch."""
        self.closed = True
        self.flag.cancel()
        with self._broadcast_lock:
            if self._broadcast is not None and not self._broadcast.over:
                self._broadcast.end(MatchNotFoundError("the match was deleted"))
        self.changed.set()


@dataclass(frozen=True)
class Lease:
    """Exclusive use of a match by the holder of one of its tokens."""

    match: _core.Match = field(repr=False)
    match_id: str
    seat: int | None
    """The seat of the token, or None for the owner and for spectators."""
    spectator: bool
    table: OpenMatch = field(repr=False)

    def check_owner(self, wish: str) -> None:
        """Raise NotAllowedError unless the holder owns the match."""
        self.check_player(wish, "the owner's token")
        if self.seat is not None:
            details = {"seat": str(self.seat), "wish": wish}
            raise NotAllowedError(f"{wish} requires the owner's token, this is seat {self.seat}'s", details)

    def check_player(self, wish: str, needed: str = "the token of a seat") -> None:
        """Raise NotAllowedError for spectators."""
        if self.spectator:
            message = f"{wish} requires {needed}, this is the one for spectators"
            raise NotAllowedError(message, {"seat": "none", "wish": wish})

    def check_turn(self) -> None:
        """Raise NotYourTurnError unless the holder may decide for the seat to act."""
        to_act = self.match.to_act
        if self.seat is not None and to_act is not None and self.seat != to_act:
            details = {"asked": str(self.seat), "to_act": str(to_act)}
            message = f"the token is that of seat {self.seat}, but seat {to_act} is to act"
            raise NotYourTurnError(message, details)

    def look_from(self, asked: int | None, *, public: bool = False) -> Viewer:
        """Return the viewer to show the match to; None shows everything, to the owner only."""
        if public:
            return "public"
        if not self.spectator and (self.seat is None or asked == self.seat):
            return asked
        if asked is None:
            return "public" if self.spectator else self.seat
        if self.spectator:
            details = {"seat": "none", "asked": str(asked)}
            raise NotAllowedError(f"the token is the one for spectators, not of seat {asked}", details)
        details = {"seat": str(self.seat), "asked": str(asked)}
        raise NotAllowedError(f"the token is that of seat {self.seat}, not of seat {asked}", details)

    def act_from(self, asked: int | None, wish: str) -> int | None:
        """Return the seat to act as, None for any; spectators may not."""
        self.check_player(wish)
        viewer = self.look_from(asked)
        return None if viewer == "public" else viewer


class MatchRegistry:
    """All open matches. One that is unused for `idle_seconds` is closed."""

    def __init__(self, limits: Limits, clock: Callable[[], float], broadcaster: Broadcaster) -> None:
        self._broadcaster = broadcaster
        self._quota = Quota(
            "open matches", limits, "open_matches", "client_open_matches", retry_after=self._seconds_to_room
        )
        self._idle_seconds = limits.idle_seconds
        self._clock = clock
        self._open: OrderedDict[str, OpenMatch] = OrderedDict()
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
            found.close()
            self._quota.release(found.client)

    def _seconds_to_room(self) -> float:
        """Seconds until the first match expires, unless one is closed before."""
        idle = self._idle_seconds - (self._clock() - next(iter(self._open.values())).used)
        return min(max(idle, 1.0), 60.0)

    def open(self, make: Callable[[], _core.Match], client: str) -> OpenMatch:
        """Open a match for a client, if there is room for one."""
        with self._lock:
            self._close_idle()
            self._quota.check(client)
        match = make()
        with self._lock:
            self._close_idle()
            self._quota.take(client)
            new = OpenMatch(match, client, self._clock(), self._broadcaster)
            self._open[new.tokens.match_id] = new
        return new

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
            lease = Lease(found.core, match_id, place - 1 if place > 0 else None, place < 0, found)
            try:
                yield lease
            except (InternalError, DiceScriptError) as error:
                if lease.seat is None and not lease.spectator:
                    raise
                # Internal errors and the owner's scripted dice stay hidden from seats and spectators.
                if isinstance(error, InternalError):
                    _log.exception("unexpected error in a match")
                    raise InternalError("internal error, see the server's log") from None
                raise DiceScriptError("the owner's scripted dice do not allow it") from None

    def close(self, match_id: str) -> None:
        """Close a match."""
        with self._lock:
            self._remove(match_id)
