"""Checks of a store: what can be trusted, row by row and page by page."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sengoku.errors import ArgumentError
from sengoku.storage.checksums import (
    ANALYSES,
    MATCH,
    RUNS,
    TOURNAMENTS,
    Columns,
    add_sums,
    checksum,
    match_checksum,
)
from sengoku.storage.chunks import Chunk, Signature
from sengoku.storage.migrations import damaged_schema
from sengoku.storage.sqlite import Database
from sengoku.storage.table import State
from sengoku.storage.walk import UNREADABLE, Walk

__all__ = ["Contents", "Finding", "check"]

_PAGES = 100
"""Messages of SQLite about pages that are reported."""
Progress = Callable[[str, int], None]
"""Receives what is being read, and how many rows of it have been."""


@dataclass(frozen=True)
class Finding:
    """Something that cannot be trusted."""

    kind: str
    """`file`, `run`, `chunk`, `tournament`, `match` or `quarantine`."""
    name: str
    """The run or tournament, or the table."""
    problem: str
    place: dict[str, Any] = field(default_factory=dict)
    """Where it is, such as `first` and `count` of the matches of a run."""
    remedy: str = ""
    """What a repair does with it, or what it has done."""

    def __str__(self) -> str:
        where = ", ".join(f"{name} {value}" for name, value in self.place.items())
        text = f"{self.kind} {self.name}{f' ({where})' if where else ''}: {self.problem}"
        return f"{text}; {self.remedy}" if self.remedy else text

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)


PLAYED_AGAIN = "its matches are played again when a server has the store, or when they are read"


class Contents:
    """Everything in a store, with what of it can be trusted."""

    def __init__(self, connection: sqlite3.Connection, progress: Progress) -> None:
        self.findings: list[Finding] = []
        self._seen: set[tuple[str, str]] = set()
        self._progress = progress
        self._walk = Walk(connection, self._unreadable)
        self._connection = connection
        self.runs: dict[int, tuple[dict[str, Any], bool, bool]] = {}
        """The rows of runs by id, and whether what was requested and the state of each are right."""
        self.tournaments: dict[int, tuple[dict[str, Any], bool, bool]] = {}
        self.analyses: dict[int, tuple[dict[str, Any], bool, bool]] = {}
        """The rows of analyses, likewise."""
        self.signatures: dict[int, dict[int, Signature]] = defaultdict(dict)
        """The checksums of chunks by run and first match, as far as they are right."""
        self.lost: dict[int, int] = defaultdict(int)
        """Damaged matches of tournaments."""

    def _unreadable(self, table: str, message: str) -> None:
        if (table, message) not in self._seen:
            self._seen.add((table, message))
            problem = f"some rows cannot be read: {message}"
            self.findings.append(Finding("file", table, problem, remedy="what can be read is kept"))

    def pages(self) -> None:
        """Let SQLite check the structure of the file."""
        self._progress("pages", 0)
        found = []
        try:
            found = [str(row[0]) for row in self._connection.execute(f"PRAGMA integrity_check({_PAGES})")]
        except UNREADABLE as error:
            found = [str(error)]
        for text in found:
            if text != "ok":
                for line in text.splitlines():
                    if not line.startswith("***"):
                        self.findings.append(
                            Finding("file", "pages", line, remedy="the file is written anew")
                        )

    def jobs(self) -> None:
        """Read the rows of runs, tournaments and analyses."""
        tables = ((RUNS, self.runs), (TOURNAMENTS, self.tournaments), (ANALYSES, self.analyses))
        for columns, found in tables:
            self._progress(columns.table, 0)
            for row, fixed, changing in self._job_rows(columns):
                found[row["id"]] = row, fixed, changing
                self._progress(columns.table, len(found))
                if not (fixed and changing):
                    self.findings.append(self._job(columns, row, fixed=fixed))

    def _job_rows(self, columns: Columns) -> Iterator[tuple[dict[str, Any], bool, bool]]:
        names = ", ".join((*columns.all, "fixed_checksum", "changing_checksum"))
        for _, *values in self._walk.rows(columns.table, names):
            row = dict(zip((*columns.all, "fixed_checksum", "changing_checksum"), values, strict=True))
            fixed, changing = columns.parts(row)
            yield row, fixed == row["fixed_checksum"], changing == row["changing_checksum"]

    @staticmethod
    def _job(columns: Columns, row: dict[str, Any], *, fixed: bool) -> Finding:
        kind = "analysis" if columns is ANALYSES else columns.table[:-1]
        name = row["name"] if isinstance(row["name"], str) else "?"
        part = "its state fails its checksum" if fixed else "what was requested fails its checksum"
        remedy = (
            "its state is restored from its matches as far as they can be trusted"
            if fixed
            else "the row goes into quarantine, and the job is listed as failed with DATA_CORRUPT"
        )
        return Finding(kind, name.encode("ascii", "replace").decode(), part, {"row": row["id"]}, remedy)

    def chunks(self) -> Iterator[tuple[int, Chunk | None, Signature]]:
        """Read the chunks of runs; yield each signature, with its chunk if that is right."""
        columns = "run, first, count, summary, rows, own"
        for run, first, count, *parts, own in self._walk.keyed("chunk_checksums", columns, "run, first"):
            if checksum("chunk_checksums", run, first, count, *parts) == own:
                self.signatures[run][first] = Signature(first, count, *parts)
        found: dict[int, set[int]] = defaultdict(set)
        self._progress("chunks", 0)
        columns = "run, first, count, summary, rows"
        for number, row in enumerate(self._walk.rows("chunks", columns), 1):
            self._progress("chunks", number)
            _, run, first, count, summary, rows = row
            chunk = Chunk(first, count, summary, rows)
            signature = self.signatures[run].get(first) if run in self.signatures else None
            if signature is not None and first not in found[run] and signature.fits(run, chunk):
                found[run].add(first)
                yield run, chunk, signature
        for run, (job, fixed, changing) in self.runs.items():
            if job["state"] == State.DELETED or not fixed:
                continue
            for first, signature in sorted(self.signatures[run].items()):
                if first not in found[run]:
                    yield run, None, signature
            self._tiles(run, job, found[run], changing=changing)

    def _tiles(self, run: int, row: dict[str, Any], found: set[int], *, changing: bool) -> None:
        """Report the ranges of a run that no chunk has."""
        place, done = 0, row["done"] if changing else 0
        ends = [(first, self.signatures[run][first].end) for first in sorted(found)]
        for first, end in [*ends, (done, done)]:
            if first > place:
                count = first - place
                problem = f"matches {place} to {first - 1} are damaged or missing"
                place_of = {"first": place, "count": count}
                self.findings.append(Finding("chunk", row["name"], problem, place_of, PLAYED_AGAIN))
            place = max(place, end)

    def matches(self) -> Iterator[tuple[int, tuple[Any, ...], bytes]]:
        """Read the matches of tournaments; yield those that are right, with their checksums."""
        sums: dict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
        self._progress("matches", 0)
        for number, row in enumerate(
            self._walk.keyed("matches", f"{', '.join(MATCH)}, checksum", ", ".join(MATCH[:5])), 1
        ):
            self._progress("matches", number)
            tournament, *match, sign = row
            if match_checksum(tournament, tuple(match)) == sign:
                count, total = sums[tournament]
                sums[tournament] = count + 1, add_sums(total, sign)
                yield tournament, tuple(match), sign
            else:
                self._lost_match(tournament, match)
        for number, (job, fixed, changing) in self.tournaments.items():
            if fixed and changing and sums[number] != (job["match_count"], job["match_sum"]):
                missing, known = job["match_count"] - sums[number][0], self.lost[number]
                if known and missing <= known:
                    continue  # each of them was reported
                problem = f"{missing - known} matches are missing"
                if missing <= 0:
                    problem = "the checksums of its matches do not add up"
                self.lost[number] = max(missing, 1)
                self.findings.append(Finding("tournament", job["name"], problem, remedy=self.remedy(number)))

    def _lost_match(self, tournament: int, match: list[Any]) -> None:
        self.lost[tournament] += 1
        row = self.tournaments.get(tournament)
        name = row[0]["name"] if row else f"tournament {tournament}"
        place = dict(zip(MATCH[1:5], (str(value)[:60] for value in match[:4]), strict=True))
        self.findings.append(Finding("match", name, "it fails its checksum", place, self.remedy(tournament)))

    def remedy(self, tournament: int) -> str:
        """Return what becomes of a tournament of which matches are lost."""
        row = self.tournaments.get(tournament)
        if row is None:
            return "it belongs to no tournament, and is removed"
        if has_guests(row[0]["spec"]) and row[0]["state"] == State.SUCCEEDED:
            return "the tournament fails; resume it once its bots can play the match again"
        return "it is played again when the tournament goes on"

    def quarantine(self) -> None:
        """Report what is in quarantine."""
        for _, source, row, name, reason in self._walk.rows("quarantine", "source, row, name, reason"):
            remedy = "it stays there; the job can be deleted"
            self.findings.append(Finding("quarantine", str(name), str(reason), {source: row}, remedy))


def has_guests(spec: str) -> bool:
    """Return whether bots take part that are not built in, so that matches cannot be repeated exactly."""
    try:
        return any(bot.get("bot") is None for bot in json.loads(spec)["bots"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return True


def read_everything(connection: sqlite3.Connection, progress: Progress) -> list[Finding]:
    """Return everything in a file that cannot be trusted."""
    contents = Contents(connection, progress)
    contents.pages()
    try:
        for name in damaged_schema(connection):
            remedy = "it is written anew"
            contents.findings.append(Finding("file", name, "its definition is damaged", remedy=remedy))
        contents.jobs()
        for _ in contents.chunks():
            pass
        for _ in contents.matches():
            pass
        contents.quarantine()
    except UNREADABLE as error:
        contents.findings.append(Finding("file", "schema", str(error)))
    return contents.findings


def check(path: str | Path, progress: Progress = lambda _what, _count: None) -> list[Finding]:
    """Return everything in a store that cannot be trusted; a server may have it open meanwhile."""
    try:
        database = Database(path, reading=True, checking=True)
    except ArgumentError as error:
        if "damaged" not in error.details:
            raise
        problem = error.details["reason"].partition(";")[0]
        return [Finding("file", str(path), problem, remedy="nothing of it can be read: restore a backup")]
    try:
        with database.read() as reader:
            reader.execute("BEGIN")
            return read_everything(reader, progress)
    finally:
        database.close()
