"""A server as a process: it runs until a signal, and ends in time whatever is stuck in it."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType

from sengoku.server.app import Server

_log = logging.getLogger(__name__)

_LATEST_SECONDS = 4.9
"""Time after the grace at which the process ends, whatever still runs in it."""


def serve(
    server: Server, *, grace: float = 30.0, drain_delay: float = 0.0, ready: Callable[[], None] = lambda: None
) -> None:
    """Run a server until SIGTERM or SIGINT, then stop it gracefully; a second signal stops it at once.

    For `drain_delay` seconds it reports that it is not serving, but still answers. `ready` is called once
    the signal handlers are installed.
    """
    signalled = threading.Event()

    def handle(_number: int, _frame: FrameType | None) -> None:
        signalled.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, handle)
    ready()
    # A signal may reach another thread; the handler runs here as soon as this thread wakes up.
    while not signalled.wait(0.2):
        pass
    signalled.clear()
    _log.info("stopping in %g seconds, %g seconds of grace", drain_delay, grace)
    _end_process_after(drain_delay + grace + _LATEST_SECONDS)
    ended = server.stop(grace, delay=drain_delay)
    while not ended.wait(0.05):
        if signalled.is_set():
            _log.info("stopping at once")
            _end_process_after(_LATEST_SECONDS)
            server.stop(0).wait()
            return


def _end_process_after(seconds: float) -> None:
    """End this process after some seconds, if it is still there: work that does not stop cannot keep it."""

    def end() -> None:
        time.sleep(min(seconds, threading.TIMEOUT_MAX))
        _log.error("the process ends with work under way that has not stopped")
        for handler in logging.getLogger().handlers:
            handler.flush()
        os._exit(1)

    threading.Thread(target=end, name="sengoku-end", daemon=True).start()
