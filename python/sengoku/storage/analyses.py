"""The analyses in the store: the match, the options, and the result so far."""

from dataclasses import dataclass, field
from typing import Any

from sengoku.storage.checksums import ANALYSES
from sengoku.storage.table import JobRow, JobTable, State

__all__ = ["AnalysisRow", "AnalysisTable"]


@dataclass(frozen=True, kw_only=True)
class AnalysisRow(JobRow):
    """A stored analysis of a match."""

    game: str
    request: bytes = field(repr=False)
    """The options, as JSON."""
    match: bytes = field(repr=False)
    """The saved match."""
    rules_version: int
    decisions: int
    """Decisions to analyse, the set-up included."""
    done: int = 0
    result: bytes = field(default=b"", repr=False)
    """The result so far, compressed."""


class AnalysisTable(JobTable[AnalysisRow]):
    """The analyses of a store."""

    columns = ANALYSES
    _row = AnalysisRow
    _visible = "client <> ''"

    def _nothing(self) -> dict[str, Any]:
        numbers = {"rules_version": 0, "decisions": 0, "done": 0}
        return {**numbers, "game": "", "request": b"", "match": b"", "result": b""}

    def unfinished(self) -> list[AnalysisRow]:
        """Return the analyses that are not over, oldest first."""
        rows = self._select("state = ? ORDER BY id", State.RUNNING)
        return [row for row in rows if row.state is State.RUNNING]

    def advance(self, analysis: int, done: int, result: bytes, *, ended: int | None = None) -> bool:
        """Store the result so far, the whole one if `ended` is given; return False if it is over by now."""
        with self._database.write(durable=ended is not None) as writer:
            row = self._one(writer, analysis)
            if row is None or row.state is not State.RUNNING:
                return False
            values: dict[str, Any] = {"done": done, "result": result}
            if ended is not None:
                values |= self._end(State.SUCCEEDED, ended, "")
            self._change(writer, row, **values)
            return True

    def bytes_used(self) -> int:
        """Return the bytes of all matches and results."""
        with self._database.read() as reader:
            query = "SELECT coalesce(sum(length(match) + length(result)), 0) FROM analyses"
            return int(reader.execute(query).fetchone()[0])

    def remove(self, analysis: int) -> bool:
        """Remove an analysis; return whether it was there."""
        with self._database.write() as writer:
            return writer.execute("DELETE FROM analyses WHERE id = ?", (analysis,)).rowcount > 0

    def retire(self, *, keep: int) -> int:
        """Remove all but `keep` analyses that are over; return how many."""
        with self._database.write() as writer:
            found = writer.execute(self._surplus(keep)).fetchall()
            writer.executemany("DELETE FROM analyses WHERE id = ?", found)
        return len(found)
