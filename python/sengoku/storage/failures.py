"""What each error of SQLite leads to: the one table of decisions, and the exceptions that carry them out.

Jobs wait for what can pass (`StoreFullError`, `StoreUnavailableError`), visibly; they end for good with
`DataCorruptError`. Errors without a row in the table are bugs of this program.
"""

import sqlite3
from typing import NamedTuple

from sengoku.errors import DataCorruptError, SengokuError, StoreFullError, StoreUnavailableError

__all__ = ["DECISIONS", "STALLS", "Decision", "explain"]

STALLS = (StoreFullError, StoreUnavailableError)
"""Errors that pass: calls fail with them and may be repeated, jobs stall and try again by themselves."""


class Decision(NamedTuple):
    """What an error of SQLite leads to."""

    error: type[SengokuError]
    retry_after: float | None
    """Seconds after which a client may try again; jobs do by themselves."""
    cause: str


_BUSY = Decision(StoreUnavailableError, 1.0, "another process holds its lock")
_FULL = Decision(StoreFullError, 30.0, "its disk is full")
_DISK = Decision(StoreUnavailableError, 5.0, "its disk or file system fails")
_MEMORY = Decision(StoreUnavailableError, 5.0, "the system has no memory left")
_READONLY = Decision(StoreUnavailableError, 30.0, "its file cannot be written or opened")
_DAMAGED = Decision(DataCorruptError, None, "its file is damaged")

DECISIONS: dict[str, Decision] = {
    "BUSY": _BUSY,
    "LOCKED": _BUSY,
    "PROTOCOL": _BUSY,
    "FULL": _FULL,
    "IOERR": _DISK,
    "NOMEM": _MEMORY,
    "READONLY": _READONLY,
    "CANTOPEN": _READONLY,
    "PERM": _READONLY,
    "AUTH": _READONLY,
    "CORRUPT": _DAMAGED,
    "NOTADB": _DAMAGED,
    "FORMAT": _DAMAGED,
}
"""The decision for each primary error code of SQLite, without its prefix."""
_BY_CODE = {getattr(sqlite3, f"SQLITE_{name}"): decision for name, decision in DECISIONS.items()}


def explain(error: BaseException, store: str) -> SengokuError | None:
    """Return the error to raise instead of one of SQLite; None if it is a bug."""
    # Messages of SQLite quote what they are about; where that is damaged, they cannot be decoded.
    code = sqlite3.SQLITE_CORRUPT if isinstance(error, UnicodeDecodeError) else None
    code = getattr(error, "sqlite_errorcode", code)
    decision = None if code is None else _BY_CODE.get(code & 0xFF)
    if decision is None:
        return None
    name = getattr(error, "sqlite_errorname", "SQLITE_CORRUPT")
    details = {"store": store, "cause": str(error), "sqlite": name}
    message = f"the store cannot be used at the moment, {decision.cause}: {error} ({name})"
    if decision.error is DataCorruptError:
        message = f"the store {store} is damaged: {error} ({name}); see `sengoku store check`"
    return decision.error(message, details, retry_after=decision.retry_after)
