"""The schema of the SQLite file, one step per version, and the migration of older files."""

import sqlite3

__all__ = ["APPLICATION_ID", "READABLE", "VERSION", "migrate"]

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
_STEPS = (_RUNS, _TOURNAMENTS, _TOURNAMENT_REQUESTS)
"""The statements that upgrade the schema to each version from the one before."""
VERSION = len(_STEPS)
"""The version that this program writes."""
READABLE = 2
"""The oldest version that has everything a read-only user needs."""


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring a file of an older version (0: an empty file) to the current one, in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    for step in _STEPS[version:]:
        for statement in step:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={VERSION}")
    connection.execute("COMMIT")
