"""Removing old jobs from the store."""

from __future__ import annotations

import logging
import threading
import time
from abc import abstractmethod

from sengoku.server.jobs.reading import J, JobReader, V
from sengoku.storage import STALLS, Store

__all__ = ["TidyJobs"]

_log = logging.getLogger(__name__)

_TIDY_SECONDS = 600.0
"""Time between two removals of old jobs if none ends."""
_PROBE_SECONDS = 5.0
"""Time between two attempts to write to a store that could not be written."""


class TidyJobs(JobReader[J, V]):
    """The part of `Jobs` that removes old ones."""

    def __init__(self, kind: str, store: Store) -> None:
        super().__init__()
        self._kind = kind
        self._store = store
        self._untidy = threading.Event()
        self._stopped = threading.Event()

    @abstractmethod
    def _retire(self) -> int:
        """Remove old jobs from the store; return how many."""

    def _sweep(self) -> bool:
        """Remove some data of removed jobs; return whether more is left."""
        return False

    def _tidy(self) -> None:
        """Thread target: remove old jobs after each end and every ten minutes.

        It writes, so it also finds out when a store that could not be written works again.
        """
        while not self._stopping:
            try:
                removed = self._retire()
                if removed:
                    _log.info("removed %d old %ss", removed, self._kind)
                while not self._stopping and self._sweep():
                    time.sleep(0.01)  # leave time for other writers
            except STALLS as error:
                _log.warning("old %ss are not removed: %s", self._kind, error)
            except Exception:  # noqa: BLE001 - it is tried again
                _log.exception("unexpected error while old %ss are removed", self._kind)
            ends = time.monotonic() + _TIDY_SECONDS
            while not self._untidy.wait(_PROBE_SECONDS):
                if self._store.trouble is not None or time.monotonic() > ends:
                    break
            self._untidy.clear()
            self._stopped.wait(0.05)  # many jobs that end at the same time are tidied up once
