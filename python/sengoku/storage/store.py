"""The SQLite file in which long runs are written down, chunk by chunk, and tournaments, match by match.

What an end of the server loses: `kill -9` nothing that was written, because the system has it; a power cut
the last chunks of a run, which are played again, but never the beginning or the end of a run, which are on
the disk before anybody hears of them. Whatever is lost, the file is whole: a chunk and its sums are one
transaction.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from sengoku.errors import ArgumentError, InternalError, StoreFullError

__all__ = ["Chunk", "NewRun", "RunRow", "State", "Store", "default_store"]

_APPLICATION = 0x53474B55  # "SGKU"
_RUNS = (
    """CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        client TEXT NOT NULL,
        request_id TEXT NOT NULL,
        request BLOB NOT NULL,
        rules_version INTEGER NOT NULL,
        match_count INTEGER NOT NULL,
        row_bytes INTEGER NOT NULL,
        created INTEGER NOT NULL,
        ended INTEGER,
        state INTEGER NOT NULL,
        error TEXT NOT NULL,
        done INTEGER NOT NULL,
        summary BLOB NOT NULL
    ) STRICT""",
    "CREATE UNIQUE INDEX wishes ON runs (client, request_id) WHERE request_id <> ''",
    "CREATE INDEX states ON runs (state, ended)",
    # The rows come last, so that who reads the sums does not have to read past them.
    """CREATE TABLE chunks (
        run INTEGER NOT NULL,
        first INTEGER NOT NULL,
        count INTEGER NOT NULL,
        summary BLOB NOT NULL,
        rows BLOB NOT NULL
    ) STRICT""",
    "CREATE UNIQUE INDEX places ON chunks (run, first)",
)
_TOURNAMENTS = (
    """CREATE TABLE tournaments (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        client TEXT NOT NULL,
        spec TEXT NOT NULL,
        seeds TEXT NOT NULL,
        created INTEGER NOT NULL,
        ended INTEGER,
        state INTEGER NOT NULL,
        error TEXT NOT NULL
    ) STRICT""",
    # Matches are told apart by what was to be played, so none can be in twice.
    """CREATE TABLE matches (
        tournament INTEGER NOT NULL,
        bots TEXT NOT NULL,
        board INTEGER NOT NULL,
        number INTEGER NOT NULL,
        arrangement INTEGER NOT NULL,
        result TEXT NOT NULL,
        replay BLOB,
        PRIMARY KEY (tournament, bots, board, number, arrangement)
    ) STRICT, WITHOUT ROWID""",
)
_WISHES = (
    "ALTER TABLE tournaments ADD COLUMN request_id TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE tournaments ADD COLUMN progress TEXT NOT NULL DEFAULT ''",
    "CREATE UNIQUE INDEX tournament_wishes ON tournaments (client, request_id) WHERE request_id <> ''",
)
_SCHEMAS = (_RUNS, _TOURNAMENTS, _WISHES)
"""What each version of the file added to the one before."""
_READABLE = 2
"""The oldest version in which everything is that somebody reads who does not write."""
_VERSION = len(_SCHEMAS)
_FIELDS = (
    "id, name, client, request_id, request, rules_version, match_count, row_bytes, created, ended, state, "
    "error, done, summary"
)
_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
_SWEEP = 16
_RETRY_SECONDS = 30.0


def default_store() -> Path:
    """Gives the file for a server of the user that was told none."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "sengoku" / "runs.sqlite3"


class State(IntEnum):
    """Where a run stands; the numbers are those of `sengoku.v1.RunState`."""

    QUEUED = 1
    RUNNING = 2
    STALLED = 3
    SUCCEEDED = 4
    FAILED = 5
    CANCELLED = 6
    DELETED = 100
    """Only in the file: nobody sees it, and its rows are being removed."""

    @property
    def over(self) -> bool:
        """Whether it stays so."""
        return self >= State.SUCCEEDED


@dataclass(frozen=True)
class NewRun:
    """What is known of a run when it begins."""

    name: str
    client: str
    request_id: str
    request: bytes
    rules_version: int
    match_count: int
    row_bytes: int
    created: int
    """Nanoseconds since 1970."""
    summary: bytes


@dataclass(frozen=True)
class RunRow:
    """A run as it is written down; one that is not over is RUNNING here, even while it waits."""

    id: int
    name: str
    client: str
    request_id: str
    request: bytes
    rules_version: int
    match_count: int
    row_bytes: int
    created: int
    ended: int | None
    state: State
    error: str
    done: int
    summary: bytes


@dataclass(frozen=True)
class Chunk:
    """Rows of a run; `first` is counted from the first match of the run."""

    first: int
    count: int
    summary: bytes
    rows: bytes


class Store:
    """Runs and their rows in a file, or in memory when the path is ":memory:".

    All functions may be called from any thread. One writes at a time; who reads a file holds up nobody.

    >>> with Store() as store:
    ...     store.unfinished()
    []
    """

    def __init__(self, path: str | Path = ":memory:", *, reading: bool = False) -> None:
        """Opens or creates a file; a second server on it is refused.

        Who is only `reading` may do so beside a server, and finds nothing where there is no file.
        """
        self._reading = reading
        self.path = None if str(path) == ":memory:" else Path(path).expanduser().absolute()
        self._writing = threading.RLock()
        self._idle: list[sqlite3.Connection] = []
        self._guard: sqlite3.Connection | None = None
        self._closed = False
        try:
            if self.path is not None and not reading:
                self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._guard = self._lock_file(self.path.resolve())
            self._writer = self._connect()
            self._prepare()
        except (sqlite3.Error, OSError) as error:
            self._close_all()
            raise self._unusable(str(error)) from error
        except BaseException:
            self._close_all()
            raise

    def _unusable(self, reason: str) -> ArgumentError:
        details = {"field": "store", "value": str(self.path), "reason": reason}
        return ArgumentError(f"store {self.path} cannot be used: {reason}", details)

    def _lock_file(self, path: Path) -> sqlite3.Connection:
        """Holds a lock as long as the process lives; SQLite has one that every system keeps."""
        guard = sqlite3.connect(
            f"{path}.lock", timeout=0, isolation_level=None, check_same_thread=False, cached_statements=0
        )
        try:
            guard.execute("PRAGMA journal_mode=MEMORY")  # nothing is written, so nothing is left of it either
            guard.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            guard.close()
            if _code(error) == sqlite3.SQLITE_BUSY:
                raise self._unusable("another server has it") from None
            raise
        return guard

    def _connect(self) -> sqlite3.Connection:
        name = ":memory:" if self.path is None else str(self.path)
        if self._reading and self.path is not None:
            name = f"{self.path.as_uri()}?mode=ro"
        return sqlite3.connect(
            name, timeout=30, isolation_level=None, check_same_thread=False, uri=name.startswith("file:")
        )

    def _prepare(self) -> None:
        writer = self._writer
        version = writer.execute("PRAGMA user_version").fetchone()[0]
        tables = writer.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if version > _VERSION:
            raise self._unusable(f"it has version {version}, this program knows {_VERSION}")
        if tables and writer.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
            raise self._unusable("it is a database of something else")
        if self._reading:
            if version < _READABLE:
                raise self._unusable(
                    f"it has version {version}, this program reads {_READABLE} and later ones"
                )
            return
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute(f"PRAGMA journal_size_limit={64 << 20}")
        writer.execute("PRAGMA synchronous=FULL")
        if version < _VERSION:
            writer.execute("BEGIN IMMEDIATE")
            for statement in (line for schema in _SCHEMAS[version:] for line in schema):
                writer.execute(statement)
            writer.execute(f"PRAGMA application_id={_APPLICATION}")
            writer.execute(f"PRAGMA user_version={_VERSION}")
            writer.execute("COMMIT")

    @contextmanager
    def write(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """One transaction; a durable one is on the disk when it is done, others with the next durable one."""
        with self._writing:
            if self._closed:
                raise InternalError("the store is closed")
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
                if isinstance(error, sqlite3.OperationalError) and _code(error) in _FULL:
                    details = {"store": str(self.path or ":memory:"), "cause": str(error)}
                    message = f"the store cannot be written: {error}"
                    raise StoreFullError(message, details, retry_after=_RETRY_SECONDS) from error
                raise

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection to read with; short, because the file cannot be tidied while it is read."""
        if self.path is None:
            with self._writing:
                if self._closed:
                    raise InternalError("the store is closed")
                yield self._writer
            return
        try:
            reader = self._idle.pop()
        except IndexError:
            if self._closed:
                raise InternalError("the store is closed") from None
            reader = self._connect()
            reader.execute("PRAGMA query_only=1")
        try:
            yield reader
        finally:
            if self._closed or len(self._idle) >= 8:
                reader.close()
            else:
                self._idle.append(reader)

    def begin(self, run: NewRun) -> RunRow:
        """Writes down a new run, to be found even after a power cut."""
        with self.write() as writer:
            cursor = writer.execute(
                "INSERT INTO runs (name, client, request_id, request, rules_version, match_count, row_bytes, "
                "created, state, error, done, summary) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0, ?)",
                (
                    run.name,
                    run.client,
                    run.request_id,
                    run.request,
                    run.rules_version,
                    run.match_count,
                    run.row_bytes,
                    run.created,
                    int(State.RUNNING),
                    run.summary,
                ),
            )
            number = cursor.lastrowid
            found = writer.execute(f"SELECT {_FIELDS} FROM runs WHERE id = ?", (number,)).fetchone()  # noqa: S608
        return _row(found)

    def add(self, run: int, chunk: Chunk, summary: bytes, *, ended: int | None = None) -> bool:
        """Adds the next rows; `ended` says that they were the last. False if the run is over by now."""
        state = State.RUNNING if ended is None else State.SUCCEEDED
        with self.write(durable=ended is not None) as writer:
            cursor = writer.execute(
                "UPDATE runs SET done = done + ?, summary = ?, state = ?, ended = ? "
                "WHERE id = ? AND state = ? AND done = ?",
                (chunk.count, summary, int(state), ended, run, int(State.RUNNING), chunk.first),
            )
            if cursor.rowcount:
                writer.execute(
                    "INSERT INTO chunks (run, first, count, summary, rows) VALUES (?, ?, ?, ?, ?)",
                    (run, chunk.first, chunk.count, chunk.summary, chunk.rows),
                )
        return cursor.rowcount > 0

    def end(self, run: int, state: State, ended: int, error: str) -> bool:
        """Ends a run; False if it is over already."""
        with self.write() as writer:
            cursor = writer.execute(
                "UPDATE runs SET state = ?, ended = ?, error = ? WHERE id = ? AND state = ?",
                (int(state), ended, error, run, int(State.RUNNING)),
            )
        return cursor.rowcount > 0

    def get(self, name: str) -> RunRow | None:
        """Finds a run."""
        return self._one("name = ? AND state <> ?", (name, int(State.DELETED)))

    def find(self, client: str, request_id: str) -> RunRow | None:
        """Finds the run of a wish."""
        return self._one("client = ? AND request_id = ? AND request_id <> ''", (client, request_id))

    def _one(self, where: str, values: tuple[object, ...]) -> RunRow | None:
        with self.read() as reader:
            found = reader.execute(f"SELECT {_FIELDS} FROM runs WHERE {where}", values).fetchone()  # noqa: S608
        return None if found is None else _row(found)

    def unfinished(self) -> list[RunRow]:
        """Lists the runs that are not over, oldest first."""
        with self.read() as reader:
            found = reader.execute(
                f"SELECT {_FIELDS} FROM runs WHERE state = ? ORDER BY id",  # noqa: S608
                (int(State.RUNNING),),
            ).fetchall()
        return [_row(values) for values in found]

    def page(
        self, *, before: int | None, most: int, client: str | None = None, state: State | None = None
    ) -> list[RunRow]:
        """Lists runs, newest first, that are older than the run with the id `before`."""
        where = ["state <> ?"]
        bound: list[int | str] = [int(State.DELETED)]
        wishes: dict[str, int | str | None] = {"id < ?": before, "client = ?": client, "state = ?": state}
        for text, value in wishes.items():
            if value is not None:
                where.append(text)
                bound.append(value)
        with self.read() as reader:
            found = reader.execute(
                f"SELECT {_FIELDS} FROM runs WHERE {' AND '.join(where)} ORDER BY id DESC LIMIT ?",  # noqa: S608
                (*bound, most),
            ).fetchall()
        return [_row(values) for values in found]

    def chunk_at(self, run: int, place: int) -> Chunk | None:
        """Gives the chunk that has the row at this place."""
        with self.read() as reader:
            found = reader.execute(
                "SELECT first, count, summary, rows FROM chunks WHERE run = ? AND first <= ? "
                "ORDER BY first DESC LIMIT 1",
                (run, place),
            ).fetchone()
        chunk = None if found is None else Chunk(*found)
        return chunk if chunk is not None and place < chunk.first + chunk.count else None

    def sums(self, run: int, first: int, end: int) -> list[tuple[int, int, bytes]]:
        """Gives place, length and sums of the chunks that have rows of a range."""
        with self.read() as reader:
            return reader.execute(
                "SELECT first, count, summary FROM chunks WHERE run = ? AND first < ? AND first + count > ? "
                "ORDER BY first",
                (run, end, first),
            ).fetchall()

    def remove(self, run: int) -> bool:
        """Removes a run that is over; its rows go by and by, in `sweep`."""
        with self.write() as writer:
            cursor = writer.execute(
                "UPDATE runs SET state = ?, request_id = '' WHERE id = ? AND state BETWEEN ? AND ?",
                (int(State.DELETED), run, int(State.SUCCEEDED), int(State.CANCELLED)),
            )
        return cursor.rowcount > 0

    def retire(self, *, ended_before: int, keep: int) -> int:
        """Removes runs that ended before that time, and the oldest where more than `keep` are over.

        The client that has most loses its oldest, so that none can drive out what others keep.
        """
        # ruff: disable[S608]
        over = f"state BETWEEN {State.SUCCEEDED:d} AND {State.CANCELLED:d}"
        gone = f"UPDATE runs SET state = {State.DELETED:d}, request_id = '' WHERE {over}"
        removed = 0
        with self.write() as writer:
            removed += writer.execute(f"{gone} AND ended < ?", (ended_before,)).rowcount
            kept = writer.execute(f"SELECT count(*) FROM runs WHERE {over}").fetchone()[0]
            if kept > keep:
                removed += writer.execute(
                    f"{gone} AND id IN (SELECT id FROM (SELECT id, row_number() OVER "
                    f"(PARTITION BY client ORDER BY id DESC) AS nth FROM runs WHERE {over}) "
                    "ORDER BY nth DESC, id LIMIT ?)",
                    (kept - keep,),
                ).rowcount
        # ruff: enable[S608]
        return removed

    def sweep(self) -> bool:
        """Removes some rows of a removed run; False when there is nothing left to do."""
        with self.read() as reader:
            found = reader.execute(
                "SELECT id FROM runs WHERE state = ? LIMIT 1", (int(State.DELETED),)
            ).fetchone()
        if found is None:
            return False
        with self.write(durable=False) as writer:
            cursor = writer.execute(
                "DELETE FROM chunks WHERE rowid IN (SELECT rowid FROM chunks WHERE run = ? LIMIT ?)",
                (found[0], _SWEEP),
            )
            if cursor.rowcount < _SWEEP:
                writer.execute("DELETE FROM runs WHERE id = ?", found)
        return True

    def bytes_reserved(self) -> int:
        """Bytes of all requests and rows there are, and of the rows that runs under way will have."""
        with self.read() as reader:
            total = reader.execute(
                "SELECT coalesce(sum(length(request) + row_bytes * "
                "CASE state WHEN ? THEN match_count ELSE done END), 0) FROM runs",
                (int(State.RUNNING),),
            ).fetchone()[0]
        return int(total)

    def bytes_used(self) -> int:
        """Bytes of the file, without its journal."""
        with self.read() as reader:
            pages = reader.execute("PRAGMA page_count").fetchone()[0]
            free = reader.execute("PRAGMA freelist_count").fetchone()[0]
            return int((pages - free) * reader.execute("PRAGMA page_size").fetchone()[0])

    def counts(self) -> dict[State, int]:
        """How many runs there are, by state."""
        with self.read() as reader:
            found = reader.execute("SELECT state, count(*) FROM runs GROUP BY state").fetchall()
        return {State(state): count for state, count in found if state != State.DELETED}

    def close(self) -> None:
        """Tidies up and lets the file go."""
        with self._writing:
            if not self._closed:
                self._closed = True
                self._close_all()

    def _close_all(self) -> None:
        self._closed = True
        while self._idle:
            self._idle.pop().close()
        writer: sqlite3.Connection | None = getattr(self, "_writer", None)
        for connection in (writer, self._guard):
            if connection is not None:
                connection.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _row(values: tuple[object, ...]) -> RunRow:
    row = RunRow(*values)  # type: ignore[arg-type]
    return RunRow(**{**row.__dict__, "state": State(row.state)})


def _code(error: sqlite3.OperationalError) -> int:
    """The kind of an error without its finer cause."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
