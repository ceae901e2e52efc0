"""The tournaments in the store: specifications, seeds, progress, and the result of every match."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from sengoku.errors import DataCorruptError
from sengoku.storage.checksums import TOURNAMENTS, Value, add_sums, match_checksum
from sengoku.storage.quarantine import Quarantine
from sengoku.storage.sqlite import Database
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
    progress: str = ""
    """The progress when it was last noted, for lists of tournaments."""
    match_count: int = 0
    match_sum: int = 0
    """The checksums of all matches, added up: it tells whether any is missing."""


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

    columns = TOURNAMENTS
    _row = TournamentRow
    _visible = "client <> ''"

    def __init__(self, database: Database, quarantine: Quarantine) -> None:
        super().__init__(database, quarantine)
        self._counted: dict[int, tuple[int, int]] = {}
        """Number and sum of the matches of tournaments that were read and found complete."""

    def _nothing(self) -> dict[str, Any]:
        return {"spec": "", "seeds": "[]", "progress": "", "match_count": 0, "match_sum": 0}

    def _restore(self, row: TournamentRow) -> None:
        with self._database.write() as writer:
            query = "SELECT checksum FROM matches WHERE tournament = ?"
            signs = [bytes(sign) for (sign,) in writer.execute(query, (row.id,)) if isinstance(sign, bytes)]
            self._change(writer, row, match_count=len(signs), match_sum=add_sums(0, *signs))

    def all(self) -> list[TournamentRow]:
        """Return all tournaments, newest first."""
        return self._select("1 ORDER BY id DESC")

    def set_progress(self, tournament: int, progress: str) -> None:
        """Store the progress, for lists of tournaments."""
        with self._database.write(durable=False) as writer:
            row = self._one(writer, tournament)
            if row is not None:
                self._change(writer, row, progress=progress)

    def request_and_progress(self, tournament: int) -> tuple[str, str]:
        """Return the request id that started a tournament, and the stored progress."""
        row = next(iter(self._select("id = ?", tournament)), None)
        return ("", "") if row is None else (row.request_id, row.progress)

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
        values = [(*row.key, row.result, row.replay) for row in rows]
        checksums = [match_checksum(tournament, match) for match in values]
        with self._database.write(durable=False) as writer:
            found = self._one(writer, tournament)
            if found is None:
                return  # deleted in the meantime
            writer.executemany(
                "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(tournament, *match, sign) for match, sign in zip(values, checksums, strict=True)],
            )
            total = add_sums(found.match_sum, *checksums)
            self._change(writer, found, match_count=found.match_count + len(values), match_sum=total)
        counted = self._counted.get(tournament)
        if counted == (found.match_count, found.match_sum):
            self._counted[tournament] = found.match_count + len(values), total

    def matches(self, tournament: int, after: MatchKey | None = None, most: int = -1) -> list[MatchRow]:
        """Return matches in order of their keys, those after `after`, without their replays."""
        self._check_complete(tournament)
        with self._database.read() as reader:
            found = reader.execute(
                "SELECT bots, board, number, arrangement, result, replay, checksum FROM matches "
                "WHERE tournament = ? AND (bots, board, number, arrangement) > (?, ?, ?, ?) "
                "ORDER BY bots, board, number, arrangement LIMIT ?",
                (tournament, *(after or ("", 0, 0, 0)), most),
            )
            return [replace(self._match(tournament, *row), replay=None) for row in found]

    def match(self, tournament: int, key: MatchKey) -> MatchRow | None:
        """Return one match with its replay."""
        with self._database.read() as reader:
            found = reader.execute(
                "SELECT result, replay, checksum FROM matches WHERE tournament = ? "
                "AND (bots, board, number, arrangement) = (?, ?, ?, ?)",
                (tournament, *key),
            ).fetchone()
        if found is None:
            # A damaged key elsewhere can hide a match from a search: all of them are read and verified.
            if any(row.key == key for row in self.matches(tournament)):
                raise self._bad_match(tournament, key, "it cannot be found by its key")
            return None
        return self._match(tournament, *key, *found)

    def match_count(self, tournament: int) -> int:
        """Return the number of stored matches."""
        row = next(iter(self._select("id = ?", tournament)), None)
        return 0 if row is None else row.match_count

    def _match(self, tournament: int, *found: Any) -> MatchRow:
        *match, sign = found
        if match_checksum(tournament, tuple(match)) != sign:
            raise self._bad_match(tournament, match[:4], "it fails its checksum")
        return MatchRow(tuple(match[:4]), match[4], match[5])

    def _check_complete(self, tournament: int) -> None:
        """Raise an error if matches are missing or damaged; what was read is not read again."""
        while True:
            row = next(iter(self._select("id = ?", tournament)), None)
            if row is not None and row.damage:
                raise row.damage  # how many there should be is lost, too
            if row is None or self._counted.get(tournament) == (row.match_count, row.match_sum):
                return
            with self._database.read() as reader:
                # Their keys are read, too: a damaged one can hide matches from every search.
                found = reader.execute(
                    "SELECT tournament, bots, board, number, arrangement, result, replay, checksum "
                    "FROM matches WHERE tournament = ?",
                    (tournament,),
                )
                signs = []
                for owner, *match in found:
                    if owner != tournament:  # SQLite compares keys only as far as it needs to
                        raise self._bad_match(tournament, match[:4], f"it is listed under {owner}")
                    self._match(tournament, *match)
                    signs.append(match[-1])
            if self._select("id = ?", tournament) == [row]:
                break  # otherwise matches were added in between
        if (len(signs), add_sums(0, *signs)) != (row.match_count, row.match_sum):
            store = self._database.label
            message = (
                f"{len(signs)} of {row.match_count} matches of {row.name} are left in the store {store}"
                if len(signs) != row.match_count
                else f"the checksums of the matches of {row.name} in the store {store} do not add up"
            )
            counts = {"stored": row.match_count, "found": len(signs)}
            place = f"matches {tournament}"
            raise self._database.damaged(place, message, table="matches", name=row.name, **counts)
        self._counted[tournament] = row.match_count, row.match_sum

    def _bad_match(self, tournament: int, key: Iterable[Value], why: str) -> DataCorruptError:
        store = self._database.label
        rows = self._select("id = ?", tournament)
        name = rows[0].name if rows else f"tournament {tournament}"
        bots, board, number, arrangement = map(str, key)
        message = (
            f"match {number}.{arrangement} of the bots {bots} on board {board} of {name} "
            f"in the store {store} is damaged: {why}"
        )
        return self._database.damaged(
            f"matches {tournament} {key}",
            message,
            table="matches", name=name, bots=bots, board=board, number=number, arrangement=arrangement,
            why=why,
        )  # fmt: skip
