"""The runs in the store: what was requested, and how far each of them is."""

import sqlite3
from dataclasses import dataclass, field
from typing import Any

from sengoku.errors import DataCorruptError
from sengoku.storage.checksums import RUNS
from sengoku.storage.chunks import Chunk, Chunks
from sengoku.storage.clock import ServedClock
from sengoku.storage.quarantine import Quarantine
from sengoku.storage.sqlite import Database
from sengoku.storage.table import OVER, JobRow, JobTable, State

__all__ = ["Chunk", "RunRow", "RunTable"]

_SWEEP = 16
"""Chunks that one call of `sweep` removes."""


@dataclass(frozen=True, kw_only=True)
class RunRow(JobRow):
    """A stored run."""

    request: bytes
    rules_version: int
    match_count: int
    row_bytes: int
    done: int = 0
    summary: bytes
    ended_served: int = field(default=0, compare=False)
    """When it ended, in nanoseconds for which the store had been served until then."""


class RunTable(JobTable[RunRow]):
    """The runs of a store."""

    columns = RUNS
    _row = RunRow
    _visible = f"state <> {State.DELETED:d}"

    def __init__(self, database: Database, quarantine: Quarantine, clock: ServedClock) -> None:
        super().__init__(database, quarantine)
        self._clock = clock
        self.chunks = Chunks(database)

    def _nothing(self) -> dict[str, Any]:
        numbers = {"rules_version": 0, "match_count": 0, "row_bytes": 0, "done": 0}
        return {**numbers, "request": b"", "summary": b"", "ended_served": self._clock.now()}

    def _end(self, state: State, ended: int | None, error: str) -> dict[str, Any]:
        return super()._end(state, ended, error) | {"ended_served": self._clock.now()}

    def add(self, run: int, chunk: Chunk, summary: bytes, *, ended: int | None = None) -> bool:
        """Append a chunk, the last one if `ended` is given; return False if the run is over by now."""
        with self._database.write(durable=ended is not None) as writer:
            row = self._one(writer, run)
            if row is None or row.state is not State.RUNNING or row.done != chunk.first:
                return False
            values: dict[str, Any] = {"done": row.done + chunk.count, "summary": summary}
            if ended is not None:
                values |= self._end(State.SUCCEEDED, ended, "")
            self._change(writer, row, **values)
            self.chunks.insert(writer, run, chunk)
        return True

    def mend(self, run: int, chunk: Chunk) -> bool:
        """Store a chunk instead of a damaged one; return False if the run is deleted by now."""
        try:
            with self._database.write(durable=False) as writer:
                row = self._one(writer, run)
                if row is None or row.state is State.DELETED:
                    return False
                self.chunks.replace(writer, run, chunk)
        except sqlite3.IntegrityError as error:  # an index has what the table does not have, or the other way
            message = (
                f"chunk {chunk.first} of run {run} in the store {self._database.label} stays damaged: {error}"
            )
            place = f"chunks {run} {chunk.first}"
            raise self._database.damaged(place, message, table="chunks", first=chunk.first) from error
        return True

    def correct(self, run: int, chunk: Chunk, summary: bytes) -> bool:
        """Store a chunk instead of a wrong one, and the sums with it; return False if the run is over."""
        with self._database.write(durable=False) as writer:
            row = self._one(writer, run)
            if row is None or row.state is not State.RUNNING:
                return False
            self.chunks.replace(writer, run, chunk)
            self._change(writer, row, summary=summary)
        return True

    def restore(self, run: int, done: int, summary: bytes, *, ended: int | None, error: str) -> RunRow | None:
        """Write the progress of a run anew, as its chunks have it; it succeeded if there is no error."""
        with self._database.write() as writer:
            row = self._one(writer, run)
            if row is None:
                return None
            state = State.FAILED if error else State.SUCCEEDED
            return self._change(writer, row, done=done, summary=summary, **self._end(state, ended, error))

    def salvaged(self) -> list[RunRow]:
        """Return the runs whose state was damaged and is still to be restored from their chunks."""
        where = f"state = {State.FAILED:d} AND length(summary) = 0 AND length(request) > 0"
        return [row for row in self._select(where) if not row.summary]

    def gaps(self) -> list[tuple[RunRow, DataCorruptError]]:
        """Return the chunks that are missing although their checksums are there, each with its run."""
        query = (
            "SELECT s.run, s.first FROM chunk_checksums AS s LEFT JOIN chunks AS c "
            "ON c.run = s.run AND c.first = s.first WHERE c.run IS NULL ORDER BY s.run, s.first"
        )
        with self._database.read() as reader:
            missing = reader.execute(query).fetchall()
        found = []
        for run, first in missing:
            for row in self._select("id = ?", run):
                try:
                    self.chunks.at(run, first, row.done)
                except DataCorruptError as damage:
                    found.append((row, damage))
        return found

    def unfinished(self) -> list[RunRow]:
        """Return the runs that are not over, oldest first."""
        rows = self._select("state = ? ORDER BY id", State.RUNNING)
        return [row for row in rows if row.state is State.RUNNING]

    def chunk_at(self, run: int, place: int) -> Chunk | None:
        """Return the chunk that contains the row at this place; None if the run does not have it."""
        row = next(iter(self._select("id = ?", run)), None)
        return None if row is None else self.chunks.at(run, place, row.done)

    def sums(self, run: int, first: int, end: int) -> list[tuple[int, int, bytes]]:
        """Return first, count and summary of the chunks that overlap a range."""
        return self.chunks.sums(run, first, end)

    def remove(self, run: int) -> bool:
        """Mark a run that is over as deleted; `sweep` removes its rows."""
        with self._database.write() as writer:
            return self._mark(writer, [run]) > 0

    def retire(self, *, ended_before: int, keep: int) -> int:
        """Delete runs that ended before a time, and all but `keep` that are over; return how many.

        The time is that of `ended_served`, so that no jump of a clock deletes anything.
        """
        with self._database.write() as writer:
            old = writer.execute(f"SELECT id FROM runs WHERE {OVER} AND ended_served < ?", (ended_before,))  # noqa: S608
            count = self._mark(writer, [number for (number,) in old.fetchall()])
            surplus = writer.execute(self._surplus(keep)).fetchall()
            return count + self._mark(writer, [number for (number,) in surplus])

    def _mark(self, writer: sqlite3.Connection, numbers: list[int]) -> int:
        """Mark runs that are over as deleted; return how many were."""
        count = 0
        for number in numbers:
            row = self._one(writer, number)
            if row is not None and State.SUCCEEDED <= row.state <= State.CANCELLED:
                self._change(writer, row, state=State.DELETED, request_id="")
                count += 1
        return count

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
                writer.execute("DELETE FROM chunk_checksums WHERE run = ?", found)
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
        known = set(State) - {State.DELETED}
        return {State(state): count for state, count in found if state in known}
