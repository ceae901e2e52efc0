"""The runs in the store: requests, sums, and the packed rows of every chunk."""

from dataclasses import dataclass, fields

from sengoku.storage.table import OVER, JobRow, JobTable, State

__all__ = ["Chunk", "RunRow", "RunTable"]

_SWEEP = 16
"""Chunks that one call of `sweep` removes."""
_DELETE = f"UPDATE runs SET state = {State.DELETED:d}, request_id = '' WHERE {OVER}"  # noqa: S608


@dataclass(frozen=True, kw_only=True)
class RunRow(JobRow):
    """A stored run."""

    request: bytes
    rules_version: int
    match_count: int
    row_bytes: int
    done: int = 0
    summary: bytes


@dataclass(frozen=True)
class Chunk:
    """Consecutive rows of a run, packed; `first` counts from the first match of the run."""

    first: int
    count: int
    summary: bytes
    rows: bytes


class RunTable(JobTable[RunRow]):
    """The runs of a store."""

    _table = "runs"
    _row = RunRow
    _columns = tuple(field.name for field in fields(RunRow))
    _visible = f"state <> {State.DELETED:d}"

    def add(self, run: int, chunk: Chunk, summary: bytes, *, ended: int | None = None) -> bool:
        """Append a chunk, the last one if `ended` is given; return False if the run is over by now."""
        state = State.RUNNING if ended is None else State.SUCCEEDED
        with self._database.write(durable=ended is not None) as writer:
            cursor = writer.execute(
                "UPDATE runs SET done = done + ?, summary = ?, state = ?, ended = ? "
                "WHERE id = ? AND state = ? AND done = ?",
                (chunk.count, summary, state, ended, run, State.RUNNING, chunk.first),
            )
            if cursor.rowcount:
                writer.execute(
                    "INSERT INTO chunks (run, first, count, summary, rows) VALUES (?, ?, ?, ?, ?)",
                    (run, chunk.first, chunk.count, chunk.summary, chunk.rows),
                )
        return cursor.rowcount > 0

    def unfinished(self) -> list[RunRow]:
        """Return the runs that are not over, oldest first."""
        return self._select("state = ? ORDER BY id", State.RUNNING)

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
            return writer.execute(f"{_DELETE} AND id = ?", (run,)).rowcount > 0

    def retire(self, *, ended_before: int, keep: int) -> int:
        """Delete runs that ended before a time, and all but `keep` that are over; return how many."""
        with self._database.write() as writer:
            old = writer.execute(f"{_DELETE} AND ended < ?", (ended_before,)).rowcount
            return int(old + writer.execute(f"{_DELETE} AND id IN ({self._surplus(keep)})").rowcount)

    def sweep(self) -> bool:
        """Remove some rows of a deleted run; return False when nothing is left to do."""
        with self._database.read() as reader:
            found = reader.execute("SELECT id FROM runs WHERE state = ? LIMIT 1", (State.DELETED,)).fetchone()
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
                (State.RUNNING,),
            ).fetchone()[0]
        return int(total)

    def counts(self) -> dict[State, int]:
        """Return the number of runs by state."""
        with self._database.read() as reader:
            found = reader.execute("SELECT state, count(*) FROM runs GROUP BY state").fetchall()
        return {State(state): count for state, count in found if state != State.DELETED}
