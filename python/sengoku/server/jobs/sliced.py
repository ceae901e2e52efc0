"""Work of minutes in a thread of its own, played slice by slice and paused in between."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent import futures
from typing import Generic, TypeVar

from sengoku._core import Cancel

__all__ = ["SlicedWork"]

_T = TypeVar("_T")
_LOOK_SECONDS = 0.05
"""Time between two looks at whether others wait."""


class SlicedWork(Generic[_T]):
    """Work that begins with the first slice; `function` must look at the flag that it gets.

    The flag is also raised when that of the job is.
    """

    def __init__(self, function: Callable[[Cancel], _T], cancel: Cancel) -> None:
        self._flag = Cancel(cancel)
        self._flag.set_pausable(True)
        self._function = function
        self._future: futures.Future[_T] = futures.Future()
        self._thread: threading.Thread | None = None
        self.seconds = 0.0
        """Seconds of all slices so far."""

    def advance(self, seconds: float, others_wait: Callable[[], bool]) -> bool:
        """Play a slice of at least `seconds`, until others wait; return whether the work is over."""
        began = time.monotonic()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="sengoku-sliced", daemon=True)
            self._thread.start()
        self._flag.resume()
        while not futures.wait([self._future], _LOOK_SECONDS).done:
            if time.monotonic() - began >= seconds and others_wait():
                self._flag.pause()
                break
        self.seconds += time.monotonic() - began
        return self._future.done()

    def result(self) -> _T:
        """Return what the work returned, or raise what it raised; only when it is over."""
        return self._future.result(0)

    def _run(self) -> None:
        try:
            result = self._function(self._flag)
        except BaseException as error:  # noqa: BLE001 - raised by `result`
            self._future.set_exception(error)
        else:
            self._future.set_result(result)
