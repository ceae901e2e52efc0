"""Configuration files: reading, watching for changes, warning of loose permissions."""

from __future__ import annotations

import logging
import stat
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Generic, TypeVar

from sengoku.errors import ArgumentError, SengokuError

__all__ = ["WatchedFiles", "read_file", "warn_if_open"]

MAX_FILE_BYTES = 1 << 20

_log = logging.getLogger(__name__)

T = TypeVar("T")


class WatchedFiles(Generic[T]):
    """A value read from files, and read again when one of them changes; errors keep the old value."""

    def __init__(self, paths: Iterable[Path], read: Callable[[], T], clock: Callable[[], float]) -> None:
        self._paths = tuple(paths)
        self._read = read
        self._clock = clock
        self._lock = threading.Lock()
        # Taken before reading, so that a change during reading is noticed the next time.
        self._signatures = self._stat_files()
        self.value = read()
        self._checked = clock()

    def _stat_files(self) -> list[tuple[int, int, int] | None]:
        found: list[tuple[int, int, int] | None] = []
        for path in self._paths:
            try:
                seen = path.stat()
            except OSError:
                found.append(None)
            else:
                found.append((seen.st_mtime_ns, seen.st_size, seen.st_ino))
        return found

    def renew(self) -> bool:
        """Read again if a file changed, checking at most once a second; return whether the value is new."""
        if self._clock() - self._checked < 1 or not self._lock.acquire(blocking=False):
            return False
        try:
            self._checked = self._clock()
            signatures = self._stat_files()
            if signatures == self._signatures:
                return False
            self._signatures = signatures
            try:
                self.value = self._read()
            except SengokuError as error:
                _log.error("%s; the value read before stays in force", error)
                return False
            _log.info("read again: %s", ", ".join(str(path) for path in self._paths))
            return True
        finally:
            self._lock.release()


def read_file(option: str, path: Path) -> bytes:
    """Read the file that an option names."""
    details = {"field": option, "value": str(path)}
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise ArgumentError(f"{option} is {str(path)!a}, which cannot be read: {why}", details) from error
    if len(data) > MAX_FILE_BYTES:
        message = f"{option} is {str(path)!a}, which is longer than the {MAX_FILE_BYTES} bytes allowed"
        raise ArgumentError(message, details | {"limit": str(MAX_FILE_BYTES)})
    return data


def warn_if_open(option: str, path: Path, *, secret: bool) -> None:
    """Warn of a file that others may write, or of a secret that others may read."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return
    if mode & (stat.S_IWGRP | stat.S_IWOTH):
        _log.warning("%s %s can be written by others (mode %03o)", option, path, stat.S_IMODE(mode))
    elif secret and mode & stat.S_IROTH:
        _log.warning("%s %s can be read by others (mode %03o)", option, path, stat.S_IMODE(mode))
