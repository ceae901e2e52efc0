"""The worker threads of jobs, started again when they die of something unexpected."""

import logging
import threading
import time
from collections.abc import Callable

__all__ = ["Workers"]

_log = logging.getLogger(__name__)

RESTART_SECONDS = (0.25, 30.0)
"""Pause before a worker is started again: the first one, and the longest."""


class Workers:
    """Threads that run until the server stops. One that dies is started again, after pauses that grow."""

    def __init__(self, kind: str, stopped: threading.Event) -> None:
        """`stopped` is set when the server stops."""
        self._kind = kind
        self._stopped = stopped
        self._threads: list[threading.Thread] = []
        self._down: dict[str, str] = {}
        self.restarts = 0
        """How often a worker was started again."""

    def add(self, name: str, work: Callable[[], None]) -> None:
        """Add a worker; `work` returns when the server stops."""
        name = f"sengoku-{self._kind}s-{name}"
        self._threads.append(
            threading.Thread(target=self._supervise, args=(name, work), name=name, daemon=True)
        )

    @property
    def problem(self) -> str:
        """Why a worker is not running at the moment, or ""."""
        return next(iter(self._down.values()), "")

    def start(self) -> None:
        """Start all workers."""
        for thread in self._threads:
            thread.start()

    def join(self, seconds: float | None = None) -> None:
        """Wait for the workers to end, at most `seconds` if given."""
        ends = None if seconds is None else time.monotonic() + max(seconds, 0.0)
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(None if ends is None else max(0.0, ends - time.monotonic()))

    def _supervise(self, name: str, work: Callable[[], None]) -> None:
        """Thread target: run a worker, again and again."""
        first, longest = RESTART_SECONDS
        pause = first
        while not self._stopped.is_set():
            begun = time.monotonic()
            try:
                work()
            except BaseException as error:  # noqa: BLE001 - whatever it was, others go on
                if time.monotonic() - begun > longest:
                    pause = first  # it has worked for a while
                _log.exception("%s died and is started again in %g s", name, pause)
                self.restarts += 1
                self._down[name] = f"{name} died: {type(error).__name__}: {error}"
                self._stopped.wait(pause)
                self._down.pop(name, None)
                pause = min(2 * pause, longest)
            else:
                return
