"""A player in this process, in a thread of its own."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from sengoku.bots.port import Ask, Over, Port

__all__ = ["LocalPort"]

_log = logging.getLogger(__name__)

_END_SECONDS = 5.0  # how long `close` waits for a player that is not stuck


class LocalPort(Port):
    """A port to a player in this process.

    `decide` receives at most `capacity` decisions per call and returns an action, or an exception, for each.
    A call that does not return in time is abandoned; decisions queued behind it are late too.
    """

    gone = "late"

    def __init__(
        self,
        name: str,
        decide: Callable[[list[Ask]], Sequence[Any]],
        *,
        wants: frozenset[str],
        capacity: int,
        over: Callable[[Over], object],
    ) -> None:
        self.name = name
        self.wants = wants
        self._decide = decide
        self._capacity = capacity
        self._over = over
        self._work: queue.SimpleQueue[list[Ask] | Over | None] = queue.SimpleQueue()
        self._thinking: list[Ask] = []
        self._stuck_since: float | None = None
        self._thread: threading.Thread | None = None

    def ask(self, asks: Sequence[Ask]) -> None:
        """Queue decisions for the player's thread."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name=f"player-{self.name}", daemon=True)
            self._thread.start()
        self._work.put(list(asks))

    def forget(self, ask: Ask, forfeit: str) -> None:
        """Mark the player as stuck if it is still working on this decision."""
        if forfeit and ask in self._thinking and self._stuck_since is None:
            self._stuck_since = time.monotonic()

    def fault(self, ask: Ask, forfeit: str) -> None:
        """Log that an answer was rejected."""
        _log.info("player %s forfeits match %s: %s", self.name, ask.match_id, forfeit)

    def over(self, over: Over) -> None:
        """Queue the notification for the player's thread."""
        if self._thread is not None:
            self._work.put(over)

    def gone_since(self, _ask: Ask) -> float | None:
        """Return since when the player has been stuck, or None."""
        return self._stuck_since

    def close(self, seconds: float | None = None) -> None:
        """Deliver the remaining notifications and stop the thread; a stuck player is abandoned.

        `seconds` bounds the wait, for a stuck player too.
        """
        self._work.put(None)
        wait = (0.0 if self._stuck_since is not None else _END_SECONDS) if seconds is None else seconds
        if self._thread is not None and wait > 0:
            self._thread.join(wait)

    def _serve(self) -> None:
        """Thread target: run the player until `close`."""
        waiting: deque[Ask] = deque()
        while True:
            if waiting and self._work.empty():
                self._think(waiting)
                continue
            work = self._work.get()
            if work is None:
                return
            if isinstance(work, Over):
                with suppress(BaseException):  # an error after a match does not change its result
                    self._over(work)
            else:
                waiting.extend(work)

    def _think(self, waiting: deque[Ask]) -> None:
        batch = [waiting.popleft() for _ in range(min(self._capacity, len(waiting)))]
        batch = [ask for ask in batch if not ask.done]
        if not batch:
            return
        now = time.monotonic()
        for ask in batch:
            ask.started = now
        self._thinking = batch
        try:
            actions = list(self._decide(batch))
            if len(actions) != len(batch):
                raise ValueError(f"{len(actions)} actions for {len(batch)} decisions")
        except BaseException as error:  # noqa: BLE001 - any failure, also SystemExit, is the player's
            actions = [error] * len(batch)
        received = time.monotonic()
        self._thinking, self._stuck_since = [], None
        batch[0].answer_all([(ask, action, received) for ask, action in zip(batch, actions, strict=True)])
