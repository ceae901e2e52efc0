"""Reads a store row by row, past everything that cannot be read: for checks and repairs."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

__all__ = ["UNREADABLE", "Walk"]

UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged file raises."""
_MOST_PROBES = 20_000
"""Row ids that are tried one by one where a page cannot be read."""

Row = tuple[Any, ...]


class Walk:
    """The tables of a file. Errors are reported to `unreadable`, with the table and the message."""

    def __init__(self, connection: sqlite3.Connection, unreadable: Callable[[str, str], None]) -> None:
        self._connection = connection
        self._unreadable = unreadable

    def rows(self, table: str, columns: str) -> Iterator[Row]:
        """Yield the rows of a table with row ids, each with its id before the columns."""
        query = f"SELECT rowid, {columns} FROM {table} NOT INDEXED WHERE rowid > ? ORDER BY rowid"  # noqa: S608
        after = 0
        while True:
            try:
                for row in self._connection.execute(query, (after,)):
                    after = row[0]
                    yield row
            except UNREADABLE as error:
                self._unreadable(table, str(error))
                found = self._next(table, columns, after)
                if found is None:
                    return
                after = found[0]
                yield found
            else:
                return

    def _next(self, table: str, columns: str, after: int) -> Row | None:
        """Return the next row after an unreadable place that can be read by its id."""
        query = f"SELECT rowid, {columns} FROM {table} NOT INDEXED WHERE rowid = ?"  # noqa: S608
        last = self._last(table, after)
        for number in range(after + 1, min(last, after + _MOST_PROBES) + 1):
            with suppress(*UNREADABLE):
                found: Row | None = self._connection.execute(query, (number,)).fetchone()
                if found is not None and found[0] == number:
                    return found
        return None

    def _last(self, table: str, after: int) -> int:
        for query in (
            f"SELECT rowid FROM {table} NOT INDEXED ORDER BY rowid DESC LIMIT 1",  # noqa: S608
            f"SELECT seq FROM sqlite_sequence WHERE name = '{table}'",  # noqa: S608
        ):
            try:
                found = self._connection.execute(query).fetchone()
            except UNREADABLE:
                continue
            if found is not None:
                return int(found[0])
        return after + _MOST_PROBES

    def keyed(self, table: str, columns: str, key: str) -> Iterator[Row]:
        """Yield the rows of a table without row ids: from the start, and from the end where that stops."""
        query = f"SELECT {columns} FROM {table} ORDER BY "  # noqa: S608
        seen: set[Row] = set()
        names = key.split(", ")
        try:
            for row in self._connection.execute(query + key):
                seen.add(row[: len(names)])
                yield row
        except UNREADABLE as error:
            self._unreadable(table, str(error))
        else:
            return
        try:
            for row in self._connection.execute(query + ", ".join(f"{name} DESC" for name in names)):
                if row[: len(names)] in seen:
                    return
                yield row
        except UNREADABLE:
            pass  # it was reported already
