"""Access to the SQLite file: connections, the lock that keeps a second server out, transactions.

After `kill -9` everything written is still there, because the system has it. A power cut can lose the last
chunks of a run, which are then played again, but never the start or the end of a run: these are on the disk
before they are reported. The file is always consistent, because a chunk and its sums are one transaction.
"""

import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode

from sengoku.errors import ArgumentError, DataCorruptError, InternalError, SengokuError, StoreUnavailableError
from sengoku.storage.failures import explain
from sengoku.storage.file_lock import lock_file
from sengoku.storage.migrations import APPLICATION_ID, READABLE, VERSION, damaged_schema, migrate

__all__ = ["Database", "default_store"]

_log = logging.getLogger(__name__)

_BUSY_SECONDS = 5.0
"""How long a call waits for other writers; jobs that got no turn stall and try again."""
_MOST_DAMAGE = 100
"""Places that are remembered as damaged."""
_IDLE_READERS = 8
"""Connections that are kept open for the next reader."""


def default_store() -> Path:
    """Return the file that a server uses unless it is given another one."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "sengoku" / "runs.sqlite3"


class Database:
    """An SQLite file, or a database in memory when the path is ":memory:".

    All methods may be called from any thread. One thread writes at a time; readers of a file block nobody.
    """

    def __init__(
        self,
        path: str | Path = ":memory:",
        *,
        reading: bool = False,
        checking: bool = False,
        vfs: str | None = None,
    ) -> None:
        """Open or create a file; a second server on the same file is refused.

        With `reading` the file is opened read-only, also beside a server, and must exist. With `checking`
        it must exist, too, is not migrated, and may be damaged. `vfs` names a registered VFS of SQLite that
        reads and writes the file instead of the usual one.
        """
        self._vfs = vfs
        self._reading = reading
        self._checking = checking
        self.path = None if str(path) == ":memory:" else Path(path).expanduser().absolute()
        self._writing = threading.RLock()
        self._idle: list[sqlite3.Connection] = []
        self._guard: int | None = None
        self._closed = False
        self.damage: dict[str, str] = {}
        """What was found damaged since the file was opened, by its place; what is repaired is removed."""
        self.trouble: SengokuError | None = None
        """Why the last transaction failed; None as soon as one has succeeded."""
        try:
            if checking and self.path is not None and not self.path.is_file():
                raise self._unusable("there is no such file")
            if self.path is not None and not reading:
                self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._guard = self._lock_file(self.path.resolve())
            self._writer = self._connect()
            self._prepare()
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            self._close_all()
            known = explain(error, self.label)
            reason = str(error)
            if isinstance(known, DataCorruptError):
                reason += "; `sengoku store check` says what can be saved"
            raise self._unusable(reason, damaged=isinstance(known, DataCorruptError)) from error
        except BaseException:
            self._close_all()
            raise

    @property
    def label(self) -> str:
        """The name of the file, for messages."""
        return str(self.path or ":memory:")

    def damaged(self, place: str, message: str, **details: object) -> DataCorruptError:
        """Return the error for damaged data; the first time it is logged, too."""
        if place not in self.damage and len(self.damage) < _MOST_DAMAGE:
            self.damage[place] = message
            _log.error("%s", message)
        known = {"store": self.label, **{name: str(value) for name, value in details.items()}}
        return DataCorruptError(message, known)

    def _explain(self, error: BaseException) -> SengokuError | None:
        known = explain(error, self.label)
        if isinstance(known, DataCorruptError):
            self.damaged("file", str(known))
        return known

    def _unusable(self, reason: str, *, damaged: bool = False) -> ArgumentError:
        details = {"field": "store", "value": str(self.path), "reason": reason}
        if damaged:
            details["damaged"] = "true"
        return ArgumentError(f"store {self.path} cannot be used: {reason}", details)

    def _lock_file(self, path: Path) -> int:
        """Lock the file itself until the process ends, whatever name it is opened by; create it if needed."""
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if not lock_file(file):
                raise self._unusable("another server uses it")
        except BaseException:
            os.close(file)
            raise
        return file

    def _connect(self) -> sqlite3.Connection:
        name = ":memory:" if self.path is None else str(self.path)
        options = {"mode": "ro"} if self._reading else {}
        if self._vfs is not None:
            options["vfs"] = self._vfs
        if options and self.path is not None:
            name = f"{self.path.as_uri()}?{urlencode(options)}"
        connection = sqlite3.connect(
            name,
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            uri=name.startswith("file:"),
        )
        # Damaged text is found by its checksum; it must not be an error of the conversion before that.
        connection.text_factory = _decode
        connection.execute("PRAGMA cell_size_check=1")
        return connection

    def _prepare(self) -> None:
        writer = self._writer
        version = writer.execute("PRAGMA user_version").fetchone()[0]
        tables = writer.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if version > VERSION:
            raise self._unusable(f"it has version {version}, this program supports up to {VERSION}")
        if tables and writer.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise self._unusable("it is a database of another program")
        if self._reading or self._checking:
            if version < READABLE:
                hint = "`sengoku store migrate` brings it to the current version"
                raise self._unusable(f"it has version {version}, this program reads {READABLE}: {hint}")
            self._check_schema()
            return
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute(f"PRAGMA journal_size_limit={64 << 20}")
        writer.execute("PRAGMA synchronous=FULL")
        self._sync_journal()
        if version < VERSION:
            migrate(writer, version)
        self._check_schema()

    def _sync_journal(self) -> None:
        """Bring what the journal has to the disk, before anything of it is reported; raise if that fails.

        A transaction whose sync failed was refused, but another process finds it in the journal.
        """
        try:
            self._writer.execute("PRAGMA wal_checkpoint(PASSIVE)")
        except sqlite3.OperationalError as error:
            # The journal is synced first; what fails after that, as on a full disk, can wait.
            if error.sqlite_errorcode in (sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC):
                raise

    def _check_schema(self) -> None:
        """Refuse a file whose definitions are damaged: everything in it would be read in a wrong way."""
        damaged = [] if self._checking else damaged_schema(self._writer)
        if damaged:
            hint = "`sengoku store repair` repairs it"
            raise self._unusable(f"the definition of {', '.join(damaged)} is damaged; {hint}")

    @contextmanager
    def write(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """Run one transaction; a durable one is on the disk at the end, others with the next durable one."""
        with self._exclusive():
            self._check_open()
            writer = self._writer
            try:
                writer.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
                writer.execute("BEGIN IMMEDIATE")
                yield writer
                writer.execute("COMMIT")
            except BaseException as error:
                with suppress(sqlite3.Error):
                    if writer.in_transaction:
                        writer.execute("ROLLBACK")
                known = self._explain(error)
                if known is not None:
                    self.trouble = known
                    raise known from error
                raise
            self.trouble = None

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """Borrow a connection for reading; keep it short, because readers delay clean-up of the file."""
        if self.path is None:
            with self._exclusive(), self._explained():
                self._check_open()
                yield self._writer
            return
        with self._explained():
            try:
                reader = self._idle.pop()
            except IndexError:
                self._check_open()
                reader = self._connect()
                reader.execute("PRAGMA query_only=1")
            try:
                yield reader
            except BaseException:
                reader.close()
                raise
        if self._closed or len(self._idle) >= _IDLE_READERS:
            reader.close()
        else:
            self._idle.append(reader)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Raise what errors of SQLite lead to, see `failures`."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            known = self._explain(error)
            if known is None:
                raise
            raise known from error

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Hold the lock of the writer; with many that wait, each waits only for a while."""
        if not self._writing.acquire(timeout=2 * _BUSY_SECONDS):
            details = {"store": self.label, "cause": "other transactions wait"}
            message = "the store cannot be used at the moment, other transactions wait for it"
            raise StoreUnavailableError(message, details, retry_after=_BUSY_SECONDS)
        try:
            yield
        finally:
            self._writing.release()

    def _check_open(self) -> None:
        if self._closed:
            raise InternalError("the store is closed")

    def bytes_used(self) -> int:
        """Return the bytes of the file in use, without its journal."""
        with self.read() as reader:
            pages = reader.execute("PRAGMA page_count").fetchone()[0]
            free = reader.execute("PRAGMA freelist_count").fetchone()[0]
            return int((pages - free) * reader.execute("PRAGMA page_size").fetchone()[0])

    def settle(self) -> None:
        """Move everything in the journal into the file."""
        with self._exclusive(), self._explained():
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close_files(self) -> None:
        """Close all connections, but hold the lock of the file."""
        with self._writing:
            self._closed = True
            while self._idle:
                self._idle.pop().close()
            self._writer.close()

    def close(self) -> None:
        """Close all connections and unlock the file."""
        with self._writing:
            if not self._closed or self._guard is not None:
                self._closed = True
                self._close_all()

    def _close_all(self) -> None:
        self._closed = True
        while self._idle:
            self._idle.pop().close()
        writer: sqlite3.Connection | None = getattr(self, "_writer", None)
        if writer is not None:
            writer.close()
        # Last, because closing any descriptor of the file ends the locks that SQLite has on it.
        if self._guard is not None:
            os.close(self._guard)
            self._guard = None


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
