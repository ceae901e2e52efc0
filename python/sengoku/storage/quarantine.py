"""The quarantine: damaged rows as they were found, kept for whoever wants to examine them."""

import json
import logging
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass

from sengoku.storage.checksums import Value
from sengoku.storage.sqlite import Database

__all__ = ["Quarantine", "Quarantined"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Quarantined:
    """A row that was damaged: where it was, why it cannot be trusted, and its contents as JSON."""

    source: str
    """The table."""
    row: int
    name: str
    """The name under which the damage is listed."""
    found: int
    """Nanoseconds since 1970."""
    reason: str
    contents: str
    """The values by column; bytes are `{"hex": ...}`."""


class Quarantine:
    """The quarantine of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(
        self,
        writer: sqlite3.Connection,
        source: str,
        row: int,
        name: str,
        reason: str,
        values: Mapping[str, Value],
    ) -> None:
        """Keep a damaged row, within a transaction."""
        add(writer, Quarantined(source, row, name, time.time_ns(), reason, contents_text(values)))
        _log.error(
            "store %s: row %d of %s (%s) is damaged and was put into quarantine: %s",
            self._database.label, row, source, name, reason,
        )  # fmt: skip

    def all(self) -> list[Quarantined]:
        """Return all quarantined rows, oldest first."""
        query = "SELECT source, row, name, found, reason, contents FROM quarantine ORDER BY id"
        with self._database.read() as reader:
            return [Quarantined(*row) for row in reader.execute(query)]

    def count(self) -> int:
        """Return the number of quarantined rows."""
        with self._database.read() as reader:
            return int(reader.execute("SELECT count(*) FROM quarantine").fetchone()[0])


def add(writer: sqlite3.Connection, row: Quarantined) -> None:
    """Insert a row into the quarantine."""
    writer.execute(
        "INSERT INTO quarantine (source, row, name, found, reason, contents) VALUES (?, ?, ?, ?, ?, ?)",
        (row.source, row.row, row.name, row.found, row.reason, row.contents),
    )


def contents_text(values: Mapping[str, Value]) -> str:
    """Return the values of a row as JSON."""
    shown = {
        name: {"hex": value.hex()} if isinstance(value, bytes) else value for name, value in values.items()
    }
    return json.dumps(shown)
