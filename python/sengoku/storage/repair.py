"""Repairs of a store: what can be trusted is written into a new file, which replaces the old one."""

import os
import shutil
import sqlite3
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

from sengoku.errors import ArgumentError, DataCorruptError
from sengoku.storage.check import Contents, Finding, Progress, has_guests, read_everything
from sengoku.storage.checksums import ANALYSES, RUNS, TOURNAMENTS, Columns, add_sums, checksum
from sengoku.storage.migrations import damaged_schema, expected_schema, migrate
from sengoku.storage.quarantine import Quarantined, add, contents_text
from sengoku.storage.sqlite import Database
from sengoku.storage.store import Store
from sengoku.storage.table import State
from sengoku.storage.walk import UNREADABLE, Walk

__all__ = ["repair", "sync_folder"]


def repair(
    path: str | Path,
    *,
    backup: bool = True,
    progress: Progress = lambda _what, _count: None,
) -> tuple[list[Finding], Path | None]:
    """Repair a store that no server has open; return what was wrong, and the copy that was made before.

    Nothing is changed if nothing is wrong.
    """
    try:
        database = Database(path, checking=True)
    except ArgumentError as error:
        if "damaged" not in error.details:
            raise
        raise _hopeless(path, error.details["reason"].partition(";")[0]) from error
    file = Path(database.label).resolve()
    new = file.with_name(f"{file.name}.repairing")
    copy: Path | None = None
    try:
        with database.read() as reader:
            findings = read_everything(reader, progress)
        damaged = [finding for finding in findings if finding.kind != "quarantine"]
        if not damaged:
            return [], None
        database.settle()
        if backup:
            copy = _copy(file)
        for old in file.parent.glob(f"{new.name}*"):
            old.unlink()
        with database.read() as reader:
            _write(reader, file, new, progress)
        database.close_files()
        for ending in ("-wal", "-shm"):
            file.with_name(file.name + ending).unlink(missing_ok=True)
        new.replace(file)
        sync_folder(file.parent)
    finally:
        database.close()
        for old in file.parent.glob(f"{new.name}*"):
            old.unlink()
    return damaged, copy


def _hopeless(path: str | Path, why: str) -> DataCorruptError:
    message = f"nothing of the store {path} can be saved ({why}): restore a backup"
    return DataCorruptError(message, {"store": str(path), "cause": why})


def _copy(file: Path) -> Path:
    """Copy a store and its journal to a name that is free."""
    number = 1
    while (copy := file.with_name(f"{file.name}.before-repair-{number}")).exists():
        number += 1
    for ending in ("", "-wal"):
        source, target = file.with_name(file.name + ending), copy.with_name(copy.name + ending)
        if source.exists() and (not ending or source.stat().st_size):
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            shutil.copyfile(source, target)
            with target.open("rb") as written:
                os.fsync(written.fileno())
    sync_folder(file.parent)
    return copy


def sync_folder(folder: Path) -> None:
    """Bring the names of a folder to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _write(reader: sqlite3.Connection, file: Path, new: Path, progress: Progress) -> None:
    """Write everything that can be trusted into a new file."""
    os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    writer = sqlite3.connect(new, isolation_level=None)
    try:
        writer.execute("PRAGMA synchronous=FULL")
        migrate(writer, 0)
        writer.execute("BEGIN IMMEDIATE")
        source = _usable(reader, file)
        contents = Contents(source, progress)
        contents.jobs()
        for run, chunk, signature in contents.chunks():
            if run not in contents.runs:
                continue
            if chunk is not None:
                writer.execute(
                    "INSERT INTO chunks (run, first, count, summary, rows) VALUES (?, ?, ?, ?, ?)",
                    (run, chunk.first, chunk.count, chunk.summary, chunk.rows),
                )
            parts = signature.first, signature.count, signature.summary, signature.rows
            own = checksum("chunk_checksums", run, *parts)
            writer.execute(
                "INSERT OR IGNORE INTO chunk_checksums VALUES (?, ?, ?, ?, ?, ?)", (run, *parts, own)
            )
        sums: dict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
        for tournament, match, sign in contents.matches():
            if tournament in contents.tournaments:
                writer.execute(
                    "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (tournament, *match, sign)
                )
                count, total = sums[tournament]
                sums[tournament] = count + 1, add_sums(total, sign)
        for row, _, _ in contents.runs.values():
            _insert(writer, RUNS, row)
        for row, _, _ in contents.analyses.values():
            _insert(writer, ANALYSES, row)
        for number, (row, fixed, changing) in contents.tournaments.items():
            kept = dict(row)
            if fixed and changing:
                kept["match_count"], kept["match_sum"] = sums[number]
                if contents.lost[number] and row["state"] == State.SUCCEEDED:
                    kept |= _reopened(row)
                kept["changing_checksum"] = TOURNAMENTS.parts(kept)[1]
            _insert(writer, TOURNAMENTS, kept)
        _copy_rest(source, writer)
        writer.execute("COMMIT")
    finally:
        writer.close()
    Store(new).close()  # puts rows that are damaged into quarantine


def _usable(reader: sqlite3.Connection, file: Path) -> sqlite3.Connection:
    """Return a connection that reads the tables, of a copy in memory if definitions are damaged."""
    with suppress(*UNREADABLE):
        if not damaged_schema(reader):
            return reader
    data = bytearray(reader.serialize())
    data[18:20] = b"\1\1"  # in memory there is no journal
    try:
        for _ in range(2):  # once to write the definitions, and once to read them
            copy = sqlite3.connect(":memory:", isolation_level=None)
            copy.text_factory = reader.text_factory
            copy.deserialize(bytes(data))
            copy.execute("PRAGMA writable_schema=1")
            for name, text in expected_schema().items():
                copy.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (text, name))
            data = bytearray(copy.serialize())
        for columns in (RUNS, TOURNAMENTS, ANALYSES):
            copy.execute(f"SELECT {', '.join(columns.all)} FROM {columns.table}").fetchone()  # noqa: S608
        for table in ("chunks", "chunk_checksums", "matches"):
            copy.execute(f"SELECT * FROM {table}").fetchone()  # noqa: S608
    except UNREADABLE as error:
        raise _hopeless(file, f"its definitions are lost: {error}") from error
    return copy


def _insert(writer: sqlite3.Connection, columns: Columns, row: dict[str, object]) -> None:
    names = (*columns.all, "fixed_checksum", "changing_checksum")
    values = [row[name] for name in names]
    marks = ", ".join("?" * len(values))
    insert = f"INSERT INTO {columns.table} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608
    try:
        writer.execute(insert, values)
    except (sqlite3.Error, UnicodeEncodeError) as error:  # damaged beyond what the table can hold
        name = f"{columns.table}/damaged-{row['id']}"
        kept = {name: value for name, value in row.items() if isinstance(value, int | str | bytes | None)}
        text = contents_text(kept)
        add(writer, Quarantined(columns.table, int(str(row["id"])), name, 0, str(error), text))
        empty = {each: _EMPTY.get(each, "") for each in columns.all} | {"id": row["id"], "name": name}
        values = [{**empty, "fixed_checksum": b"", "changing_checksum": b""}[each] for each in names]
        writer.execute(insert, values)


_EMPTY: dict[str, object] = {
    "request": b"", "summary": b"", "rules_version": 0, "match_count": 0, "row_bytes": 0, "created": 0,
    "ended": 0, "ended_served": 0, "state": int(State.FAILED), "done": 0, "match_sum": 0,
    "match": b"", "decisions": 0, "result": b"",
}  # fmt: skip


def _reopened(row: dict[str, object]) -> dict[str, object]:
    """Return the state of a tournament that had succeeded and now lacks matches."""
    if not has_guests(str(row["spec"])):
        return {"state": int(State.RUNNING), "ended": None, "error": ""}
    message = f"matches of {row['name']} were damaged; resume it to play them again"
    error = f'{{"reason": "DATA_CORRUPT", "message": {_json(message)}, "details": {{}}}}'
    return {"state": int(State.FAILED), "error": error}


def _json(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _copy_rest(reader: sqlite3.Connection, writer: sqlite3.Connection) -> None:
    """Copy the quarantine, the time served, and the highest ids."""
    walk = Walk(reader, lambda _table, _message: None)
    for _, *row in walk.rows("quarantine", "source, row, name, found, reason, contents"):
        with suppress(sqlite3.Error, UnicodeEncodeError):
            add(writer, Quarantined(*row))
    for _, nanoseconds, sign in walk.rows("served", "nanoseconds, checksum"):
        if checksum("served", nanoseconds) == sign:
            writer.execute("INSERT INTO served VALUES (1, ?, ?)", (nanoseconds, sign))
    with suppress(*UNREADABLE):
        for name, last in reader.execute("SELECT name, seq FROM sqlite_sequence").fetchall():
            writer.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (last, name))
