"""The tournaments in the store: specifications, seeds, progress, and the result of every match."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sengoku.storage.query import OVER, matching, surplus
from sengoku.storage.sqlite import Database
from sengoku.storage.state import State

__all__ = ["MatchKey", "MatchRow", "NewTournament", "TournamentRow", "TournamentTable"]

_FIELDS = "id, name, client, spec, seeds, created, ended, state, error"
_OF_SERVER = "client <> ''"
"""Condition: started by a client of a server, not from the command line."""

MatchKey = tuple[str, int, int, int]
"""The key of a match within its tournament: bots (as JSON), board, number, arrangement."""


@dataclass(frozen=True)
class NewTournament:
    """What is stored when a tournament starts."""

    name: str
    client: str
    """The client of a server that started it, or empty."""
    request_id: str
    spec: str
    """The specification as JSON."""
    seeds: str
    """The seed of each board, as a JSON list."""
    created: int
    """Nanoseconds since 1970."""


@dataclass(frozen=True)
class TournamentRow:
    """A stored tournament; one that has not ended is RUNNING here."""

    id: int
    name: str
    client: str
    spec: str
    seeds: str
    created: int
    ended: int | None
    state: State
    error: str


@dataclass(frozen=True)
class MatchRow:
    """A stored match of a tournament."""

    key: MatchKey
    result: str
    """The result as JSON."""
    replay: bytes | None = None
    """The compressed replay, if the match cannot be played again from its seed."""


class TournamentTable:
    """The tournaments of a store. All methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, new: NewTournament) -> TournamentRow | None:
        """Store a new tournament durably and return its row, or None if the name is taken."""
        values = (new.name, new.client, new.request_id, new.spec, new.seeds, new.created, int(State.RUNNING))
        with self._database.write() as writer:
            if writer.execute("SELECT 1 FROM tournaments WHERE name = ?", (new.name,)).fetchone():
                return None
            writer.execute(
                "INSERT INTO tournaments (name, client, request_id, spec, seeds, created, state, error) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, '')",
                values,
            )
        return self.get(new.name)

    def get(self, name: str) -> TournamentRow | None:
        """Return the tournament with this name."""
        return next(iter(self._select("WHERE name = ?", name)), None)

    def find(self, client: str, request_id: str) -> TournamentRow | None:
        """Return the tournament that a client started with this request id."""
        found = self._select("WHERE client = ? AND request_id = ? AND request_id <> ''", client, request_id)
        return next(iter(found), None)

    def all(self) -> list[TournamentRow]:
        """Return all tournaments, newest first."""
        return self._select("ORDER BY id DESC")

    def page(
        self,
        *,
        before: int | None = None,
        most: int = -1,
        client: str | None = None,
        state: State | None = None,
    ) -> list[TournamentRow]:
        """Return tournaments of clients of a server older than the id `before`, newest first."""
        where, values = matching(before=before, client=client, state=state)
        return self._select(f"WHERE {_OF_SERVER} AND {where} ORDER BY id DESC LIMIT ?", *values, most)

    def _select(self, rest: str, *values: int | str) -> list[TournamentRow]:
        with self._database.read() as reader:
            found = reader.execute(f"SELECT {_FIELDS} FROM tournaments {rest}", values).fetchall()  # noqa: S608
        return [_row(values) for values in found]

    def set_state(
        self, tournament: int, state: State, ended: int | None, error: str, *, before: Iterable[State]
    ) -> bool:
        """Change the state if it is one of `before`; return whether it was."""
        allowed = [int(state) for state in before]
        marks = ", ".join("?" * len(allowed))
        with self._database.write() as writer:
            cursor = writer.execute(
                f"UPDATE tournaments SET state = ?, ended = ?, error = ? WHERE id = ? AND state IN ({marks})",  # noqa: S608
                (int(state), ended, error, tournament, *allowed),
            )
        return cursor.rowcount > 0

    def set_progress(self, tournament: int, progress: str) -> None:
        """Store the progress, for lists of tournaments."""
        with self._database.write(durable=False) as writer:
            writer.execute("UPDATE tournaments SET progress = ? WHERE id = ?", (progress, tournament))

    def request_and_progress(self, tournament: int) -> tuple[str, str]:
        """Return the request id that started a tournament, and the stored progress."""
        with self._database.read() as reader:
            found = reader.execute(
                "SELECT request_id, progress FROM tournaments WHERE id = ?", (tournament,)
            ).fetchone()
        return found or ("", "")

    def delete(self, tournament: int) -> None:
        """Delete a tournament and its matches."""
        with self._database.write() as writer:
            writer.execute("DELETE FROM matches WHERE tournament = ?", (tournament,))
            writer.execute("DELETE FROM tournaments WHERE id = ?", (tournament,))

    def retire(self, *, keep: int) -> int:
        """Delete the oldest tournaments of clients of a server if more than `keep` are over; return how many.

        The client with the most tournaments loses its oldest first.
        """
        over = f"{_OF_SERVER} AND {OVER}"
        with self._database.write() as writer:
            kept = writer.execute(f"SELECT count(*) FROM tournaments WHERE {over}").fetchone()[0]  # noqa: S608
            if kept <= keep:
                return 0
            retired = writer.execute(surplus("tournaments", over), (kept - keep,)).fetchall()
            writer.executemany("DELETE FROM matches WHERE tournament = ?", retired)
            writer.executemany("DELETE FROM tournaments WHERE id = ?", retired)
        return len(retired)

    def add_matches(self, tournament: int, rows: Iterable[MatchRow]) -> None:
        """Store matches in one transaction."""
        values = [(tournament, *row.key, row.result, row.replay) for row in rows]
        with self._database.write(durable=False) as writer:
            writer.executemany("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def matches(self, tournament: int, after: MatchKey | None = None, most: int = -1) -> list[MatchRow]:
        """Return matches in order of their keys, those after `after`, without their replays."""
        with self._database.read() as reader:
            found = reader.execute(
                "SELECT bots, board, number, arrangement, result FROM matches WHERE tournament = ? "
                "AND (bots, board, number, arrangement) > (?, ?, ?, ?) "
                "ORDER BY bots, board, number, arrangement LIMIT ?",
                (tournament, *(after or ("", 0, 0, 0)), most),
            ).fetchall()
        return [MatchRow(row[:4], row[4]) for row in found]

    def match(self, tournament: int, key: MatchKey) -> MatchRow | None:
        """Return one match with its replay."""
        with self._database.read() as reader:
            found = reader.execute(
                "SELECT result, replay FROM matches WHERE tournament = ? AND bots = ? AND board = ? "
                "AND number = ? AND arrangement = ?",
                (tournament, *key),
            ).fetchone()
        return None if found is None else MatchRow(key, *found)

    def match_count(self, tournament: int) -> int:
        """Return the number of stored matches."""
        with self._database.read() as reader:
            found = reader.execute("SELECT count(*) FROM matches WHERE tournament = ?", (tournament,))
            return int(found.fetchone()[0])


def _row(values: tuple[object, ...]) -> TournamentRow:
    row = TournamentRow(*values)  # type: ignore[arg-type]
    return replace(row, state=State(row.state))
