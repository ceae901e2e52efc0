"""The packed rows of runs, chunk by chunk, with the checksums that tell what of them can be trusted."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from sengoku.errors import DataCorruptError
from sengoku.storage.checksums import checksum
from sengoku.storage.migrations import sign_chunk
from sengoku.storage.sqlite import Database

__all__ = ["Chunk", "Chunks", "Signature"]


@dataclass(frozen=True)
class Chunk:
    """Consecutive rows of a run, packed; `first` counts from the first match of the run."""

    first: int
    count: int
    summary: bytes
    rows: bytes


@dataclass(frozen=True)
class Signature:
    """The checksums of a chunk, and the range that it has."""

    first: int
    count: int
    summary: bytes
    rows: bytes

    @property
    def end(self) -> int:
        """The place after the last row."""
        return self.first + self.count

    def fits(self, run: int, chunk: Chunk) -> bool:
        """Return whether a chunk is the one that was signed."""
        return (
            (chunk.first, chunk.count) == (self.first, self.count)
            and checksum("summary", run, chunk.first, chunk.count, chunk.summary) == self.summary
            and checksum("rows", run, chunk.first, chunk.count, chunk.rows) == self.rows
        )


class Chunks:
    """The chunks of all runs of a store; what is read is verified, or an error that names the range."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @staticmethod
    def insert(writer: sqlite3.Connection, run: int, chunk: Chunk) -> None:
        """Store a chunk with its checksums, within a transaction."""
        values = run, chunk.first, chunk.count, chunk.summary, chunk.rows
        writer.execute("INSERT INTO chunks (run, first, count, summary, rows) VALUES (?, ?, ?, ?, ?)", values)
        sign_chunk(writer, *values)

    def replace(self, writer: sqlite3.Connection, run: int, chunk: Chunk) -> None:
        """Store a chunk instead of everything in its range, within a transaction."""
        where = "WHERE run = ? AND first < ? AND first >= ?"
        place = run, chunk.first + chunk.count, chunk.first
        writer.execute(f"DELETE FROM chunks {where}", place)  # noqa: S608
        writer.execute(f"DELETE FROM chunk_checksums {where}", place)  # noqa: S608
        self.insert(writer, run, chunk)
        self._database.damage.pop(f"chunks {run} {chunk.first}", None)

    def at(self, run: int, place: int, done: int) -> Chunk | None:
        """Return the chunk that contains the row at this place, of the `done` that a run has."""
        if not 0 <= place < done:
            return None
        with self._database.read() as reader:
            signature = self._signature_at(reader, run, place)
            if signature is None:
                raise self._damage(run, *self._gap(reader, run, place, done), "its checksum is missing")
            found = reader.execute(
                "SELECT first, count, summary, rows FROM chunks WHERE run = ? AND first = ?",
                (run, signature.first),
            ).fetchone()
        if found is None:
            raise self._damage(run, signature.first, signature.count, "it is missing")
        chunk = Chunk(*found)
        if not signature.fits(run, chunk):
            raise self._damage(run, signature.first, signature.count, "it fails its checksum")
        return chunk

    def sums(self, run: int, first: int, end: int) -> list[tuple[int, int, bytes]]:
        """Return first, count and summary of the chunks that overlap a range, which they have to cover."""
        sums: list[tuple[int, int, bytes]] = []
        with self._database.read() as reader:
            place = first
            while place < end:
                signature = self._signature_at(reader, run, place)
                if signature is None:
                    raise self._damage(run, *self._gap(reader, run, place, end), "its checksum is missing")
                found = reader.execute(
                    "SELECT first, count, summary FROM chunks WHERE run = ? AND first = ?",
                    (run, signature.first),
                ).fetchone()
                if found is None:
                    raise self._damage(run, signature.first, signature.count, "it is missing")
                if checksum("summary", run, *found) != signature.summary:
                    raise self._damage(run, signature.first, signature.count, "its summary is damaged")
                sums.append(found)
                place = signature.end
        return sums

    def signatures(self, run: int) -> list[Signature]:
        """Return the signatures of a run that can be trusted, in order."""
        query = f"{_SIGNATURES} WHERE run = ? ORDER BY first"
        with self._database.read() as reader:
            return list(_trusted(reader.execute(query, (run,))))

    def signature(self, run: int, first: int) -> Signature | None:
        """Return the signature of the chunk that starts at a place, if it can be trusted."""
        with self._database.read() as reader:
            found = self._signature_at(reader, run, first)
        return found if found is not None and found.first == first else None

    @staticmethod
    def _signature_at(reader: sqlite3.Connection, run: int, place: int) -> Signature | None:
        query = f"{_SIGNATURES} WHERE run = ? AND first <= ? ORDER BY first DESC LIMIT 1"
        found = next(_trusted(reader.execute(query, (run, place))), None)
        return found if found is not None and place < found.end else None

    @staticmethod
    def _gap(reader: sqlite3.Connection, run: int, place: int, end: int) -> tuple[int, int]:
        """Return the first match and the length of the unsigned range around a position."""
        first = 0
        for signature in _trusted(reader.execute(f"{_SIGNATURES} WHERE run = ? ORDER BY first", (run,))):
            if signature.end <= place:
                first = signature.end
            elif signature.first > place:
                end = min(end, signature.first)
                break
        return first, end - first

    def _damage(self, run: int, first: int, count: int, why: str) -> DataCorruptError:
        store = self._database.label
        with self._database.read() as reader:
            found = reader.execute("SELECT name FROM runs WHERE id = ?", (run,)).fetchone()
        name = str(found[0]) if found else f"run {run}"
        message = f"matches {first} to {first + count - 1} of {name} in the store {store} are damaged: {why}"
        place = f"chunks {run} {first}"
        return self._database.damaged(
            place, message, table="chunks", name=name, first=first, count=count, why=why
        )


_SIGNATURES = "SELECT run, first, count, summary, rows, own FROM chunk_checksums"


def _trusted(found: sqlite3.Cursor) -> Iterator[Signature]:
    """Yield the signatures whose own checksum is right."""
    for run, first, count, summary, rows, own in found:
        if checksum("chunk_checksums", run, first, count, summary, rows) == own:
            yield Signature(first, count, summary, rows)
