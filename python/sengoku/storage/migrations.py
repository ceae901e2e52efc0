"""The schema of the SQLite file, one step per version, and the migration of older files."""

import sqlite3
from collections.abc import Callable
from functools import cache

from sengoku.storage.checksums import MATCH, RUNS, TOURNAMENTS, Columns, add_sums, checksum, match_checksum

__all__ = [
    "APPLICATION_ID", "READABLE", "VERSION", "damaged_schema", "expected_schema", "migrate", "sign_chunk",
    "sign_rows",
]  # fmt: skip

APPLICATION_ID = 0x53474B55  # "SGKU"
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
    # The rows are the last column, so that reading the summaries does not read past them.
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
    # The key is what was to be played, so a match cannot be stored twice.
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
_TOURNAMENT_REQUESTS = (
    "ALTER TABLE tournaments ADD COLUMN request_id TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE tournaments ADD COLUMN progress TEXT NOT NULL DEFAULT ''",
    "CREATE UNIQUE INDEX tournament_wishes ON tournaments (client, request_id) WHERE request_id <> ''",
)
_CHECKSUMS = (
    *(
        f"ALTER TABLE {table} ADD COLUMN {column} NOT NULL DEFAULT {default}"
        for table, column, default in (
            ("runs", "ended_served INTEGER", "0"),
            ("runs", "fixed_checksum BLOB", "x''"),
            ("runs", "changing_checksum BLOB", "x''"),
            ("tournaments", "match_count INTEGER", "0"),
            ("tournaments", "match_sum INTEGER", "0"),
            ("tournaments", "fixed_checksum BLOB", "x''"),
            ("tournaments", "changing_checksum BLOB", "x''"),
            ("matches", "checksum BLOB", "x''"),
        )
    ),
    # Beside the chunks, so that old chunks are not written again, and that the checksum of a chunk is still
    # there when the chunk is not: what is played again can be compared.
    """CREATE TABLE chunk_checksums (
        run INTEGER NOT NULL,
        first INTEGER NOT NULL,
        count INTEGER NOT NULL,
        summary BLOB NOT NULL,
        rows BLOB NOT NULL,
        own BLOB NOT NULL,
        PRIMARY KEY (run, first)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE quarantine (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        source TEXT NOT NULL,
        row INTEGER NOT NULL,
        name TEXT NOT NULL,
        found INTEGER NOT NULL,
        reason TEXT NOT NULL,
        contents TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE served (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        nanoseconds INTEGER NOT NULL,
        checksum BLOB NOT NULL
    ) STRICT""",
)


_ANALYSES = (
    # The result is the last column, so that reading the states does not read past it.
    """CREATE TABLE analyses (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        client TEXT NOT NULL,
        request_id TEXT NOT NULL,
        game TEXT NOT NULL,
        rules_version INTEGER NOT NULL,
        decisions INTEGER NOT NULL,
        created INTEGER NOT NULL,
        ended INTEGER,
        state INTEGER NOT NULL,
        error TEXT NOT NULL,
        done INTEGER NOT NULL,
        fixed_checksum BLOB NOT NULL DEFAULT x'',
        changing_checksum BLOB NOT NULL DEFAULT x'',
        request BLOB NOT NULL,
        match BLOB NOT NULL,
        result BLOB NOT NULL
    ) STRICT""",
    "CREATE UNIQUE INDEX analysis_wishes ON analyses (client, request_id) WHERE request_id <> ''",
)


def _sign_everything(connection: sqlite3.Connection) -> None:
    """Compute the checksums of all that a file of an older version has."""
    for (tournament,) in connection.execute("SELECT DISTINCT tournament FROM matches").fetchall():
        _sign_matches(connection, tournament)
    for columns in (RUNS, TOURNAMENTS):
        sign_rows(connection, columns)
    for run, first, count, summary, rows in connection.execute(
        "SELECT run, first, count, summary, rows FROM chunks"
    ):
        sign_chunk(connection, run, first, count, summary, rows)


def _sign_matches(connection: sqlite3.Connection, tournament: int) -> None:
    query = f"SELECT {', '.join(MATCH[1:])} FROM matches WHERE tournament = ?"  # noqa: S608
    where = "(tournament, bots, board, number, arrangement) = (?, ?, ?, ?, ?)"
    count = total = 0
    for match in connection.execute(query, (tournament,)).fetchall():
        digest = match_checksum(tournament, match)
        count, total = count + 1, add_sums(total, digest)
        connection.execute(
            f"UPDATE matches SET checksum = ? WHERE {where}",  # noqa: S608
            (digest, tournament, *match[:4]),
        )
    connection.execute(
        "UPDATE tournaments SET match_count = ?, match_sum = ? WHERE id = ?", (count, total, tournament)
    )


def sign_rows(connection: sqlite3.Connection, columns: Columns) -> None:
    """Compute the checksums of all rows of a table of jobs anew."""
    query = f"SELECT {', '.join(columns.all)} FROM {columns.table}"  # noqa: S608
    update = f"UPDATE {columns.table} SET fixed_checksum = ?, changing_checksum = ? WHERE id = ?"  # noqa: S608
    for found in connection.execute(query).fetchall():
        row = dict(zip(columns.all, found, strict=True))
        connection.execute(update, (*columns.parts(row), row["id"]))


def sign_chunk(
    connection: sqlite3.Connection, run: int, first: int, count: int, summary: bytes, rows: bytes
) -> None:
    """Store the checksums of a chunk: of its summary, of its rows, and of themselves."""
    place = run, first, count
    parts = checksum("summary", *place, summary), checksum("rows", *place, rows)
    connection.execute(
        "INSERT INTO chunk_checksums (run, first, count, summary, rows, own) VALUES (?, ?, ?, ?, ?, ?)",
        (*place, *parts, checksum("chunk_checksums", *place, *parts)),
    )


_Step = tuple[str | Callable[[sqlite3.Connection], None], ...]
_STEPS: tuple[_Step, ...] = (
    _RUNS,
    _TOURNAMENTS,
    _TOURNAMENT_REQUESTS,
    (*_CHECKSUMS, _sign_everything),
    _ANALYSES,
)
"""What upgrades the schema to each version from the one before."""
VERSION = len(_STEPS)
"""The version that this program writes."""
READABLE = 5
"""The oldest version that can be read without migrating it: those before have no table of analyses."""


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring a file of an older version (0: an empty file) to the current one, in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    for step in _STEPS[version:]:
        for statement in step:
            if isinstance(statement, str):
                connection.execute(statement)
            else:
                statement(connection)
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={VERSION}")
    connection.execute("COMMIT")


@cache
def expected_schema() -> dict[str, str]:
    """Return the definition of each table and index of the current version."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection, 0)
    found = read_schema(connection)
    connection.close()
    return found


def read_schema(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the definition of each table and index of a file."""
    query = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
    return dict(connection.execute(query).fetchall())


def damaged_schema(connection: sqlite3.Connection) -> list[str]:
    """Return the names of tables and indexes that are missing or defined in another way."""
    found = read_schema(connection)
    return [name for name, text in expected_schema().items() if found.get(name) != text]
