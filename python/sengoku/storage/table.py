"""Base of the tables of runs and tournaments: states, rows, pages, retention."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from enum import IntEnum
from typing import ClassVar, Generic, TypeVar

from sengoku.errors import ArgumentError
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


R = TypeVar("R", bound=JobRow)


class JobTable(Generic[R]):
    """The runs, or the tournaments, of a store. All methods may be called from any thread."""

    _table: ClassVar[str]
    _row: type[R]
    _columns: ClassVar[tuple[str, ...]]
    """The fields of a row that are read."""
    _visible: ClassVar[str]
    """Condition: belongs to a client of a server, who may see it."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
        return replace(row, id=cursor.lastrowid or 0)

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
        query = f"SELECT {', '.join(self._columns)} FROM {self._table} WHERE {where}"  # noqa: S608
        with self._database.read() as reader:
            found = reader.execute(query, values).fetchall()
        rows = [dict(zip(self._columns, row, strict=True)) for row in found]
        return [self._row(**row | {"state": State(row["state"])}) for row in rows]

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
        allowed = ", ".join(f"{each:d}" for each in before)
        where = f"WHERE id = ? AND state IN ({allowed})"
        query = f"UPDATE {self._table} SET state = ?, ended = ?, error = ? {where}"  # noqa: S608
        with self._database.write() as writer:
            return writer.execute(query, (state, ended, error, number)).rowcount > 0

    def _surplus(self, keep: int) -> str:
        """Return a query for the ids of visible rows that are over, without `keep` of them.

        The client with the most rows loses its oldest first, so that no client can displace rows of others.
        """
        over = f"FROM {self._table} WHERE {self._visible} AND {OVER}"
        nth = "row_number() OVER (PARTITION BY client ORDER BY id DESC) AS nth"
        most = f"max(0, (SELECT count(*) {over}) - {keep:d})"
        return f"SELECT id FROM (SELECT id, {nth} {over}) ORDER BY nth DESC, id LIMIT {most}"  # noqa: S608
