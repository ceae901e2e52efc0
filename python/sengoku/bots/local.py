"""A player in this process, or in one of its own, served by a thread."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol, runtime_checkable

from sengoku.bots.port import WORDS, Ask, Over, Port

__all__ = ["LocalPort", "Stoppable"]

_log = logging.getLogger(__name__)

_END_SECONDS = 5.0  # how long `close` waits for a player that is not stuck


@runtime_checkable
class Stoppable(Protocol):
    """A player that can be stopped while it decides: a process."""

    def prepare(self) -> None:
        """Get ready for decisions; no clock runs meanwhile."""

    def interrupt(self) -> None:
        """Make `decide` return; called from another thread."""

    def close(self) -> None:
        """Release what the player uses."""


class LocalPort(Port):
    """A port to a player that is called in a thread of its own.

    `decide` receives at most `capacity` decisions per call and returns an action, or an exception, for each.
    A call that does not return in time is abandoned, and decisions queued behind it are late too; but where
    the player can be stopped (`process`) it is, and the other decisions are asked again on the same clock.
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
        process: Stoppable | None = None,
        words: int = WORDS,
    ) -> None:
        self.name = name
        self.wants = wants
        self.words = words
        self._decide = decide
        self._capacity = capacity
        self._over = over
        self._work: queue.SimpleQueue[list[Ask] | Over | None] = queue.SimpleQueue()
        self._thinking: list[Ask] = []
        self._stuck_since: float | None = None
        self._thread: threading.Thread | None = None
        self._process = process
        self._interrupted = False
        self._deciding = threading.Lock()
        """Held while `_thinking` changes, so that nothing is interrupted that has just begun."""

    def ask(self, asks: Sequence[Ask]) -> None:
        """Queue decisions for the player's thread."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name=f"player-{self.name}", daemon=True)
            self._thread.start()
        self._work.put(list(asks))

    def forget(self, ask: Ask, forfeit: str) -> None:
        """Stop the player if it is still working on this decision, or mark it as stuck."""
        with self._deciding:
            if not forfeit or ask not in self._thinking:
                return
            if self._process is not None:
                self._interrupted = True
                self._process.interrupt()
            elif self._stuck_since is None:
                self._stuck_since = time.monotonic()

    def fault(self, ask: Ask, forfeit: str) -> None:
        """Log that an answer was rejected."""
        _log.info("player %s forfeits match %s: %s", self.name, ask.match_id, forfeit)

    def unsaid(self, ask: Ask, why: str) -> None:
        """Log that a message was refused."""
        _log.warning("player %s: a message in match %s was refused: %s", self.name, ask.match_id, why)

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
        if self._process is not None:
            if self._thread is not None and self._thread.is_alive():
                self._process.interrupt()
                self._thread.join(_END_SECONDS)
            self._process.close()

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
        if self._process is not None:
            self._process.prepare()
        with self._deciding:
            now = time.monotonic()
            for ask in batch:
                ask.started = now if ask.started is None else ask.started
            self._thinking, self._interrupted = batch, False
        try:
            actions = list(self._decide(batch))
            if len(actions) != len(batch):
                raise ValueError(f"{len(actions)} actions for {len(batch)} decisions")
        except BaseException as error:  # noqa: BLE001 - any failure, also SystemExit, is the player's
            actions = [error] * len(batch)
        received = time.monotonic()
        with self._deciding:
            self._thinking, self._stuck_since = [], None
            interrupted = self._interrupted
        answers = list(zip(batch, actions, strict=True))
        if interrupted:  # the player was stopped because of one decision: the others are asked again
            again = [ask for ask, action in answers if isinstance(action, BaseException) and not ask.done]
            waiting.extendleft(reversed(again))
            answers = [(ask, action) for ask, action in answers if ask not in again]
        if answers:
            batch[0].answer_all([(ask, action, received) for ask, action in answers])
