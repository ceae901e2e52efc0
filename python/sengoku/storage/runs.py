"""The runs in the store: requests, sums, and the packed rows of every chunk."""

from dataclasses import dataclass, replace

from sengoku.storage.query import OVER, matching, surplus
from sengoku.storage.sqlite import Database
from sengoku.storage.state import State

__all__ = ["Chunk", "NewRun", "RunRow", "RunTable"]

_FIELDS = (
    "id, name, client, request_id, request, rules_version, match_count, row_bytes, created, ended, state, "
    "error, done, summary"
)
_SWEEP = 16
"""Chunks that one call of `sweep` removes."""


@dataclass(frozen=True)
class NewRun:
    """What is stored when a run starts."""

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
    """A stored run; one that has not ended is RUNNING here, even while it is queued."""

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
    """Consecutive rows of a run, packed; `first` counts from the first match of the run."""

    first: int
    count: int
    summary: bytes
    rows: bytes


class RunTable:
    """The runs of a store. All methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, run: NewRun) -> RunRow:
        """Store a new run durably and return its row."""
        with self._database.write() as writer:
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
        """Append a chunk, the last one if `ended` is given; return False if the run is over by now."""
        state = State.RUNNING if ended is None else State.SUCCEEDED
        with self._database.write(durable=ended is not None) as writer:
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
        """End a run; return False if it is over already."""
        with self._database.write() as writer:
            cursor = writer.execute(
                "UPDATE runs SET state = ?, ended = ?, error = ? WHERE id = ? AND state = ?",
                (int(state), ended, error, run, int(State.RUNNING)),
            )
        return cursor.rowcount > 0

    def resume(self, run: int) -> bool:
        """Durably make a run that failed or was cancelled unfinished again; return False if it is not one."""
        with self._database.write() as writer:
            cursor = writer.execute(
                "UPDATE runs SET state = ?, ended = NULL, error = '' WHERE id = ? AND state IN (?, ?)",
                (int(State.RUNNING), run, int(State.FAILED), int(State.CANCELLED)),
            )
        return cursor.rowcount > 0

    def get(self, name: str) -> RunRow | None:
        """Return the run with this name."""
        return self._one("name = ? AND state <> ?", (name, int(State.DELETED)))

    def find(self, client: str, request_id: str) -> RunRow | None:
        """Return the run that a client started with this request id."""
        return self._one("client = ? AND request_id = ? AND request_id <> ''", (client, request_id))

    def _one(self, where: str, values: tuple[object, ...]) -> RunRow | None:
        with self._database.read() as reader:
            found = reader.execute(f"SELECT {_FIELDS} FROM runs WHERE {where}", values).fetchone()  # noqa: S608
        return None if found is None else _row(found)

    def unfinished(self) -> list[RunRow]:
        """Return the runs that are not over, oldest first."""
        with self._database.read() as reader:
            found = reader.execute(
                f"SELECT {_FIELDS} FROM runs WHERE state = ? ORDER BY id",  # noqa: S608
                (int(State.RUNNING),),
            ).fetchall()
        return [_row(values) for values in found]

    def page(
        self, *, before: int | None, most: int, client: str | None = None, state: State | None = None
    ) -> list[RunRow]:
        """Return runs older than the id `before`, newest first."""
        where, values = matching(before=before, client=client, state=state)
        with self._database.read() as reader:
            found = reader.execute(
                f"SELECT {_FIELDS} FROM runs WHERE state <> ? AND {where} ORDER BY id DESC LIMIT ?",  # noqa: S608
                (int(State.DELETED), *values, most),
            ).fetchall()
        return [_row(values) for values in found]

    def chunk_at(self, run: int, place: int) -> Chunk | None:
        """Return the chunk that contains the row at this place."""
        with self._database.read() as reader:
            found = reader.execute(
                "SELECT first, count, summary, rows FROM chunks WHERE run = ? AND first <= ? "
                "ORDER BY first DESC LIMIT 1",
                (run, place),
            ).fetchone()
        chunk = None if found is None else Chunk(*found)
        return chunk if chunk is not None and place < chunk.first + chunk.count else None

    def sums(self, run: int, first: int, end: int) -> list[tuple[int, int, bytes]]:
        """Return first, count and summary of the chunks that overlap a range."""
        with self._database.read() as reader:
            return reader.execute(
                "SELECT first, count, summary FROM chunks WHERE run = ? AND first < ? AND first + count > ? "
                "ORDER BY first",
                (run, end, first),
            ).fetchall()

    def remove(self, run: int) -> bool:
        """Mark a run that is over as deleted; `sweep` removes its rows."""
        with self._database.write() as writer:
            cursor = writer.execute(
                f"UPDATE runs SET state = ?, request_id = '' WHERE id = ? AND {OVER}",  # noqa: S608
                (int(State.DELETED), run),
            )
        return cursor.rowcount > 0

    def retire(self, *, ended_before: int, keep: int) -> int:
        """Delete runs that ended before a time, and the oldest if more than `keep` are over; return how many.

        The client with the most runs loses its oldest first.
        """
        delete = f"UPDATE runs SET state = {State.DELETED:d}, request_id = '' WHERE {OVER}"  # noqa: S608
        with self._database.write() as writer:
            removed = writer.execute(f"{delete} AND ended < ?", (ended_before,)).rowcount
            kept = writer.execute(f"SELECT count(*) FROM runs WHERE {OVER}").fetchone()[0]  # noqa: S608
            if kept > keep:
                query = f"{delete} AND id IN ({surplus('runs', OVER)})"
                removed += writer.execute(query, (kept - keep,)).rowcount
        return int(removed)

    def sweep(self) -> bool:
        """Remove some rows of a deleted run; return False when nothing is left to do."""
        with self._database.read() as reader:
            found = reader.execute(
                "SELECT id FROM runs WHERE state = ? LIMIT 1", (int(State.DELETED),)
            ).fetchone()
        if found is None:
            return False
        with self._database.write(durable=False) as writer:
            cursor = writer.execute(
                "DELETE FROM chunks WHERE rowid IN (SELECT rowid FROM chunks WHERE run = ? LIMIT ?)",
                (found[0], _SWEEP),
            )
            if cursor.rowcount < _SWEEP:
                writer.execute("DELETE FROM runs WHERE id = ?", found)
        return True

    def bytes_reserved(self) -> int:
        """Return the bytes of all requests and rows, including the future rows of unfinished runs."""
        with self._database.read() as reader:
            total = reader.execute(
                "SELECT coalesce(sum(length(request) + row_bytes * "
                "CASE state WHEN ? THEN match_count ELSE done END), 0) FROM runs",
                (int(State.RUNNING),),
            ).fetchone()[0]
        return int(total)

    def counts(self) -> dict[State, int]:
        """Return the number of runs by state."""
        with self._database.read() as reader:
            found = reader.execute("SELECT state, count(*) FROM runs GROUP BY state").fetchall()
        return {State(state): count for state, count in found if state != State.DELETED}


def _row(values: tuple[object, ...]) -> RunRow:
    row = RunRow(*values)  # type: ignore[arg-type]
    return replace(row, state=State(row.state))
