"""Frames of matches for watchers: each is made once for all who may see the same."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent import futures
from contextlib import contextmanager
from functools import partial

from sengoku import _core
from sengoku.engine.frames import FrameReader, Viewer
from sengoku.errors import BusyError, SengokuError, ShuttingDownError, invalid
from sengoku.server.events import VersionedEvent
from sengoku.server.limits import Limits
from sengoku.server.quota import Quota
from sengoku.wire.frames import frame_to_bytes

__all__ = ["Broadcast", "Broadcaster"]

_THREADS = 4
"""Threads that make frames, so that drawing never takes the threads of other calls."""

Key = tuple[int, Viewer, frozenset[str]]
"""A frame: its number, the viewer, and its parts."""


class _Cache:
    """The frames that were made last, up to a number of bytes, of all matches; thread-safe."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._frames: OrderedDict[tuple[int, Key], bytes] = OrderedDict()
        self._lock = threading.Lock()
        self.bytes = 0

    def get(self, key: tuple[int, Key]) -> bytes | None:
        with self._lock:
            found = self._frames.get(key)
            if found is not None:
                self._frames.move_to_end(key)
            return found

    def put(self, key: tuple[int, Key], frame: bytes) -> None:
        with self._lock:
            if key not in self._frames:
                self._frames[key] = frame
                self.bytes += len(frame)
            while self.bytes > self._most:
                _, oldest = self._frames.popitem(last=False)
                self.bytes -= len(oldest)


class Broadcast:
    """The frames of one match, also while it is played: whoever plays it calls `extend` and `end`."""

    def __init__(
        self,
        begin: _core.Match,
        history: Sequence[int],
        broadcaster: Broadcaster,
        core: _core.Match | None = None,
    ) -> None:
        """Begin with the match before its first decision, its decisions so far, and the match itself."""
        self._number = next(broadcaster.numbers)
        self._reader = FrameReader(begin, history, core)
        self._broadcaster = broadcaster
        self._lock = threading.Lock()
        self._pending: dict[Key, asyncio.Future[bytes]] = {}
        self.changed = VersionedEvent()
        self.watchers = 0
        self.over = False
        """Whether no more decisions will come."""
        self.failure: SengokuError | None = None
        """Why the watchers cannot go on."""

    @property
    def last(self) -> int:
        """Number of the last frame."""
        return self._reader.last

    def extend(self, decisions_from: Callable[[int], Sequence[int]], core: _core.Match | None = None) -> None:
        """Add what `decisions_from` returns after the decisions that are known; in one thread at a time.

        `core` is a newer copy of the match itself, if there is one.
        """
        self._reader.core = core or self._reader.core
        new = decisions_from(self._reader.last)
        if new:
            self._reader.history += new
            self.changed.set()

    def end(self, failure: SengokuError | None = None) -> None:
        """Let the watchers leave after the last frame, or with an error."""
        self.over, self.failure = True, failure
        self.changed.set()

    def frame(self, decision: int, viewer: Viewer, parts: frozenset[str]) -> bytes:
        """Return a frame as it is written in a message, from any thread; see `wire.frames`."""
        key = self._number, (decision, viewer, parts)
        cache = self._broadcaster.cache
        found = cache.get(key)
        if found is None:
            with self._lock:
                found = cache.get(key)  # another thread may have made it meanwhile
                if found is None:
                    found = frame_to_bytes(self._reader.raw(decision, viewer, parts))
                    self._broadcaster.made += 1
                    cache.put(key, found)
        return found

    async def _awaited(self, key: Key) -> bytes:
        """Return a frame on the event loop; watchers that wait for the same one wait for one thread."""
        found = self._broadcaster.cache.get((self._number, key))
        if found is not None:
            return found
        making = self._pending.get(key)
        if making is None:
            loop = asyncio.get_running_loop()
            making = loop.run_in_executor(self._broadcaster.threads, partial(self.frame, *key))
            self._pending[key] = making
            making.add_done_callback(lambda _: self._pending.pop(key, None))
        return await asyncio.shield(making)

    async def watch(self, first: int | None, viewer: Viewer, parts: frozenset[str]) -> AsyncIterator[bytes]:
        """Yield the frames from `first` on, by default from the last one on, until the match is over."""
        last = self.last
        decision = last if first is None else first
        if decision > last + 1:
            raise invalid("first_decision", decision, f"the match has {last} decisions")
        while True:
            version = self.changed.version
            if self.failure is not None:
                raise self.failure
            over = self.over
            while decision <= self.last:
                yield await self._awaited((decision, viewer, parts))
                decision += 1
            if over:
                return
            await self.changed.wait_newer(version)


class Broadcaster:
    """What the broadcasts of a server share: threads, the cache, and quotas of watchers."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._watchers = Quota("watchers", limits, "watchers", "client_watchers")
        self._watched: set[Broadcast] = set()
        self._closing: ShuttingDownError | None = None
        self.cache = _Cache(limits.frame_cache_bytes)
        self.threads = futures.ThreadPoolExecutor(_THREADS, thread_name_prefix="sengoku-frames")
        self.numbers = itertools.count()
        """Numbers of broadcasts, for the cache."""
        self.made = 0
        """Frames that were made."""

    @property
    def watchers(self) -> int:
        """Streams of WatchMatch."""
        return self._watchers.count

    def open(self, core: _core.Match) -> Broadcast:
        """Begin to broadcast a match, from any thread."""
        return Broadcast(_core.rewound_match(core, 0), core.history, self, core)

    @contextmanager
    def watching(self, broadcast: Broadcast, client: str) -> Iterator[None]:
        """Count a watcher for the block, on the event loop."""
        if self._closing is not None:
            raise self._closing
        limit = self._limits.match_watchers
        if broadcast.watchers >= limit:
            used = str(broadcast.watchers)
            details = {"field": "match_watchers", "value": used, "limit": str(limit)}
            message = f"{used} of {limit} watchers of this match are connected, try again later"
            raise BusyError(message, details, retry_after=1.0)
        with self._watchers.hold(client):
            broadcast.watchers += 1
            self._watched.add(broadcast)
            try:
                yield
            finally:
                broadcast.watchers -= 1
                if not broadcast.watchers:
                    self._watched.discard(broadcast)

    def drain(self) -> None:
        """End all streams of watchers, because the server stops."""
        self._closing = ShuttingDownError("the server is shutting down", retry_after=1.0)
        for broadcast in self._watched:
            broadcast.end(self._closing)

    def close(self) -> None:
        """Release the threads."""
        self.threads.shutdown(wait=False, cancel_futures=True)
