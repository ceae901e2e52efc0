"""The tournaments in the store: specifications, seeds, progress, and the result of every match."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from sengoku.storage.table import JobRow, JobTable

__all__ = ["MatchKey", "MatchRow", "TournamentRow", "TournamentTable"]

MatchKey = tuple[str, int, int, int]
"""The key of a match within its tournament: bots (as JSON), board, number, arrangement."""


@dataclass(frozen=True, kw_only=True)
class TournamentRow(JobRow):
    """A stored tournament; one from the command line has no client."""

    spec: str
    """The specification as JSON."""
    seeds: str
    """The seed of each board, as a JSON list."""


@dataclass(frozen=True)
class MatchRow:
    """A stored match of a tournament."""

    key: MatchKey
    result: str
    """The result as JSON."""
    replay: bytes | None = None
    """The compressed replay, if the match cannot be played again from its seed."""


class TournamentTable(JobTable[TournamentRow]):
    """The tournaments of a store."""

    _table = "tournaments"
    _row = TournamentRow
    # Old files that are only read do not have the column request_id.
    _columns = tuple(field.name for field in fields(TournamentRow) if field.name != "request_id")
    _visible = "client <> ''"

    def all(self) -> list[TournamentRow]:
        """Return all tournaments, newest first."""
        return self._select("1 ORDER BY id DESC")

    def set_progress(self, tournament: int, progress: str) -> None:
        """Store the progress, for lists of tournaments."""
        with self._database.write(durable=False) as writer:
            writer.execute("UPDATE tournaments SET progress = ? WHERE id = ?", (progress, tournament))

    def request_and_progress(self, tournament: int) -> tuple[str, str]:
        """Return the request id that started a tournament, and the stored progress."""
        query = "SELECT request_id, progress FROM tournaments WHERE id = ?"
        with self._database.read() as reader:
            return reader.execute(query, (tournament,)).fetchone() or ("", "")

    def delete(self, tournament: int) -> None:
        """Delete a tournament and its matches."""
        self._delete("SELECT ?", tournament)

    def retire(self, *, keep: int) -> int:
        """Delete all but `keep` tournaments of clients that are over; return how many."""
        return self._delete(self._surplus(keep))

    def _delete(self, which: str, *values: int) -> int:
        with self._database.write() as writer:
            found = writer.execute(which, values).fetchall()
            writer.executemany("DELETE FROM matches WHERE tournament = ?", found)
            writer.executemany("DELETE FROM tournaments WHERE id = ?", found)
        return len(found)

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
                "SELECT result, replay FROM matches WHERE tournament = ? "
                "AND (bots, board, number, arrangement) = (?, ?, ?, ?)",
                (tournament, *key),
            ).fetchone()
        return None if found is None else MatchRow(key, *found)

    def match_count(self, tournament: int) -> int:
        """Return the number of stored matches."""
        with self._database.read() as reader:
            found = reader.execute("SELECT count(*) FROM matches WHERE tournament = ?", (tournament,))
            return int(found.fetchone()[0])
