"""Backups of a store, also while a server uses it."""

import os
import sqlite3
from pathlib import Path

from sengoku.errors import ArgumentError
from sengoku.storage.check import Finding, Progress, check
from sengoku.storage.repair import sync_folder
from sengoku.storage.sqlite import Database

__all__ = ["backup"]


def backup(
    path: str | Path, target: str | Path, progress: Progress = lambda _what, _count: None
) -> list[Finding]:
    """Copy a store as it is at one moment, and return what of the copy cannot be trusted.

    Transactions of a server go on meanwhile. The copy has its name only once it is complete and on the disk.
    """
    copy = Path(target).expanduser().absolute()
    if copy.exists():
        raise _unusable(copy, "it exists, and a backup replaces nothing")
    new = copy.with_name(f"{copy.name}.incomplete")
    database = Database(path, reading=True)
    try:
        progress("copy", 0)
        with database.read() as reader:
            _write(reader, new)
        # The name must not replace a file that was made meanwhile.
        os.link(new, copy)
        sync_folder(copy.parent)
    except FileExistsError as error:
        raise _unusable(copy, f"{error.filename2 or error.filename} exists") from None
    except OSError as error:
        raise _unusable(copy, error.strerror or str(error)) from error
    finally:
        database.close()
        new.unlink(missing_ok=True)
    return check(copy, progress)


def _unusable(copy: Path, reason: str) -> ArgumentError:
    details = {"field": "target", "value": str(copy), "reason": reason}
    return ArgumentError(f"target {copy} cannot be used: {reason}", details)


def _write(reader: sqlite3.Connection, new: Path) -> None:
    """Write everything that a reader sees into a new file."""
    new.unlink(missing_ok=True)  # of a backup that was interrupted
    os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    reader.execute("PRAGMA query_only=0")  # the store itself is open for reading only
    reader.execute("VACUUM INTO ?", (str(new),))
    with new.open("rb") as written:
        os.fsync(written.fileno())
