"""Base of the tables of runs and tournaments: states, rows, pages, retention."""

import json
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from enum import IntEnum
from typing import Any, ClassVar, Generic, TypeVar

from sengoku.errors import ArgumentError, DataCorruptError
from sengoku.storage.checksums import Columns, Value
from sengoku.storage.quarantine import Quarantine
from sengoku.storage.sqlite import Database

__all__ = ["OVER", "RESUMABLE", "JobRow", "JobTable", "State"]


class State(IntEnum):
    """The state of a run or tournament; the numbers are those of `sengoku.v1.RunState`."""

    QUEUED = 1
    RUNNING = 2
    STALLED = 3
    SUCCEEDED = 4
    FAILED = 5
    CANCELLED = 6
    DELETED = 100
    """Only in the file: invisible to callers while its rows are being removed."""

    @property
    def over(self) -> bool:
        """Whether the state is final."""
        return self >= State.SUCCEEDED


RESUMABLE = (State.FAILED, State.CANCELLED)
OVER = f"state BETWEEN {State.SUCCEEDED:d} AND {State.CANCELLED:d}"
"""Condition: has ended and is not deleted."""


@dataclass(frozen=True, kw_only=True)
class JobRow:
    """A stored run or tournament; one that has not ended is RUNNING here, even while it is queued."""

    id: int = 0
    """Number in the store; 0 for a row that is not stored yet."""
    name: str
    client: str
    request_id: str = ""
    created: int
    """Nanoseconds since 1970."""
    ended: int | None = None
    state: State = State.RUNNING
    error: str = ""

    @property
    def damage(self) -> DataCorruptError | None:
        """Why the row cannot be trusted: what was requested is lost. None for all other rows."""
        if self.state is not State.FAILED or not self.error.startswith(_DAMAGED):
            return None
        stored = json.loads(self.error)
        return DataCorruptError(stored["message"], stored["details"])


_DAMAGED = '{"reason": "DATA_CORRUPT", "lost": true, '

R = TypeVar("R", bound=JobRow)


class JobTable(ABC, Generic[R]):
    """The runs, or the tournaments, of a store. All methods may be called from any thread.

    A row is verified whenever it is read. One that is damaged appears as a job that failed with DATA_CORRUPT.
    """

    columns: ClassVar[Columns]
    _row: type[R]
    _visible: ClassVar[str]
    """Condition: belongs to a client of a server, who may see it."""

    def __init__(self, database: Database, quarantine: Quarantine) -> None:
        self._database = database
        self._quarantine = quarantine
        self._table = self.columns.table
        self._select_all = f"SELECT {', '.join(self.columns.all)}, fixed_checksum, changing_checksum"

    @abstractmethod
    def _nothing(self) -> dict[str, Any]:
        """Return values for the columns that are lost with a damaged row, except those of every job."""

    def begin(self, row: R) -> R:
        """Store a new row durably and return it with its id."""
        values = {name: value for name, value in asdict(row).items() if name != "id"}
        insert = f"INSERT INTO {self._table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})"  # noqa: S608
        with self._database.write() as writer:
            if writer.execute(f"SELECT 1 FROM {self._table} WHERE name = ?", (row.name,)).fetchone():  # noqa: S608
                details = {"field": "name", "value": row.name}
                message = f"name is {row.name!r}: the store already has a {self._table[:-1]} of this name"
                raise ArgumentError(message, details)
            cursor = writer.execute(insert, tuple(values.values()))
            stored = replace(row, id=cursor.lastrowid or 0)
            self._write(writer, stored)
        return stored

    def _write(self, writer: sqlite3.Connection, row: R) -> None:
        """Write all columns of a row that exists, with their checksums."""
        values = asdict(row)
        names = (*self.columns.all[1:], "fixed_checksum", "changing_checksum")
        update = f"UPDATE {self._table} SET {', '.join(f'{name} = ?' for name in names)} WHERE id = ?"  # noqa: S608
        columns = (values[name] for name in self.columns.all[1:])
        writer.execute(update, (*columns, *self.columns.parts(values), row.id))

    def _change(self, writer: sqlite3.Connection, row: R, **values: Any) -> R:
        """Write the columns that change of a row that was read in this transaction."""
        changed = replace(row, **values)
        plain = asdict(changed)
        names = (*self.columns.changing, "changing_checksum")
        update = f"UPDATE {self._table} SET {', '.join(f'{name} = ?' for name in names)} WHERE id = ?"  # noqa: S608
        columns = (plain[name] for name in self.columns.changing)
        writer.execute(update, (*columns, self.columns.parts(plain)[1], row.id))
        return changed

    def get(self, name: str) -> R | None:
        """Return the row with this name."""
        return next(iter(self._select(f"name = ? AND state <> {State.DELETED:d}", name)), None)

    def find(self, client: str, request_id: str) -> R | None:
        """Return what a client started with this request id."""
        found = self._select("client = ? AND request_id = ? AND request_id <> ''", client, request_id)
        return next(iter(found), None)

    def page(
        self,
        *,
        before: int | None = None,
        most: int = -1,
        client: str | None = None,
        state: State | None = None,
    ) -> list[R]:
        """Return rows of clients of a server older than the id `before`, newest first."""
        conditions = {"id < ?": before, "client = ?": client, "state = ?": state}
        given = {text: value for text, value in conditions.items() if value is not None}
        where = " AND ".join((self._visible, *given))
        return self._select(f"{where} ORDER BY id DESC LIMIT ?", *given.values(), most)

    def _select(self, where: str, *values: int | str) -> list[R]:
        query = f"{self._select_all} FROM {self._table} WHERE {where}"
        with self._database.read() as reader:
            return [self._read(row) for row in reader.execute(query, values)]

    def _one(self, writer: sqlite3.Connection, number: int) -> R | None:
        """Return the row with an id, within a transaction that changes it; damage is an error."""
        query = f"{self._select_all} FROM {self._table} WHERE id = ?"
        found = writer.execute(query, (number,)).fetchone()
        if found is None:
            return None
        row, damaged = self._verify(found)
        if damaged:
            raise self._damage(row.id, row.name, damaged)
        return row

    def _read(self, found: tuple[Value, ...]) -> R:
        return self._verify(found)[0]

    def _verify(self, found: tuple[Value, ...]) -> tuple[R, str]:
        """Return a row as it was read and "", or what is left of it and which part of it is damaged."""
        values: dict[str, Any] = dict(zip(self.columns.all, found[:-2], strict=True))
        good = [mine == read for mine, read in zip(self.columns.parts(values), found[-2:], strict=True)]
        if all(good):
            return self._row(**values | {"state": State(values["state"])}), ""
        return self._salvage(values, *good)

    def _salvage(self, values: dict[str, Any], fixed: bool, changing: bool) -> tuple[R, str]:
        """Return a job that failed instead of a damaged row, with what of it can be trusted."""
        number = values["id"]
        part = "what was requested" if changing else "its state" if fixed else "all of it"
        kept = {name: values[name] for name in self.columns.fixed} if fixed else {}
        name = kept.get("name") or _text(values["name"]) or f"{self._table}/damaged-{number}"
        owner = kept.get("client") or _text(values["client"])
        error = self._damage(number, name, part)
        about = json.dumps({"message": str(error), "details": error.details})[1:]
        about = f'{{"reason": "DATA_CORRUPT", {about}' if fixed else _DAMAGED + about
        blank = {"created": 0, "request_id": "", "ended": 0, "state": State.FAILED, "error": about}
        return self._row(
            **self._nothing() | blank | kept | {"id": number, "name": name, "client": owner}
        ), part

    def _damage(self, number: int, name: str, part: str) -> DataCorruptError:
        store = self._database.label
        message = f"row {number} of {self._table} ({name}) in the store {store} fails its checksum: {part}"
        place = f"{self._table} {number}"
        return self._database.damaged(place, message, table=self._table, id=number, name=name, part=part)

    def quarantine_damaged(self) -> None:
        """Move damaged rows into quarantine; a job that failed with DATA_CORRUPT takes the place of each."""
        query = f"{self._select_all} FROM {self._table} NOT INDEXED"
        with self._database.read() as reader:
            damaged = [raw for raw in reader.execute(query) if self._verify(raw)[1]]
        for raw in damaged:
            row, part = self._verify(raw)
            values = dict(zip((*self.columns.all, "fixed_checksum", "changing_checksum"), raw, strict=True))
            with self._database.write() as writer:
                if writer.execute(
                    f"SELECT 1 FROM {self._table} WHERE name = ? AND id <> ?",  # noqa: S608
                    (row.name, row.id),
                ).fetchone():
                    row = replace(row, name=f"{self._table}/damaged-{row.id}")
                self._quarantine.put(
                    writer, self._table, row.id, row.name, f"checksum of {part} is wrong", values
                )
                self._write(writer, row)
            self._database.damage.pop(f"{self._table} {row.id}", None)
            self._restore(row)

    def _restore(self, row: R) -> None:
        """Restore the state of a row that was damaged from what else is stored."""

    def set_state(
        self,
        number: int,
        state: State,
        ended: int | None = None,
        error: str = "",
        *,
        before: Iterable[State] = (State.RUNNING,),
    ) -> bool:
        """Durably change the state if it is one of `before`; return whether it was."""
        with self._database.write() as writer:
            row = self._one(writer, number)
            if row is None or row.state not in before:
                return False
            self._change(writer, row, **self._end(state, ended, error))
            return True

    def _end(self, state: State, ended: int | None, error: str) -> dict[str, Any]:
        """Return the columns that a change of the state changes."""
        return {"state": state, "ended": ended, "error": error}

    def _surplus(self, keep: int) -> str:
        """Return a query for the ids of visible rows that are over, without `keep` of them.

        The client with the most rows loses its oldest first, so that no client can displace rows of others.
        """
        over = f"FROM {self._table} WHERE {self._visible} AND {OVER}"
        nth = "row_number() OVER (PARTITION BY client ORDER BY id DESC) AS nth"
        most = f"max(0, (SELECT count(*) {over}) - {keep:d})"
        return f"SELECT id FROM (SELECT id, {nth} {over}) ORDER BY nth DESC, id LIMIT {most}"  # noqa: S608


def _text(value: object) -> str:
    """Return a text of a damaged row if it can be shown, or ""."""
    return value if isinstance(value, str) and value.isascii() and value.isprintable() else ""
