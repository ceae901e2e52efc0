"""The store: one SQLite file with the runs, the tournaments and the analyses."""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

from sengoku.errors import DataCorruptError, SengokuError
from sengoku.storage.analyses import AnalysisTable
from sengoku.storage.clock import ServedClock
from sengoku.storage.quarantine import Quarantine
from sengoku.storage.runs import RunTable
from sengoku.storage.sqlite import Database
from sengoku.storage.tournaments import TournamentTable

__all__ = ["Store"]

_log = logging.getLogger(__name__)


class Store(Database):
    """Runs, tournaments and analyses in a file, or in memory when the path is ":memory:".

    >>> with Store() as store:
    ...     store.runs.unfinished()
    []
    """

    def __init__(
        self,
        path: str | Path = ":memory:",
        *,
        reading: bool = False,
        vfs: str | None = None,
        monotonic: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Open or create a store, see `Database`; `monotonic` counts the time for which it is served."""
        super().__init__(path, reading=reading, vfs=vfs)
        self.clock = ServedClock(self, monotonic)
        self.quarantine = Quarantine(self)
        self.runs = RunTable(self, self.quarantine, self.clock)
        self.tournaments = TournamentTable(self, self.quarantine)
        self.analyses = AnalysisTable(self, self.quarantine)
        self.quarantined = 0
        """Number of rows in quarantine."""
        if not reading:
            try:
                self._examine()
            except BaseException:
                self.close()
                raise

    def _examine(self) -> None:
        """Bring what the next server needs in order: rows that are damaged, and indexes."""
        for table in (self.runs, self.tournaments, self.analyses):
            name = table.columns.table
            try:
                self.clock.load()
                table.quarantine_damaged()
                problems = self._problems(name)
                if problems:
                    _log.error("store %s: indexes of %s are built anew: %s", self.label, name, problems[0])
                    with self.write() as writer:
                        writer.execute(f"REINDEX {name}")
                    problems = self._problems(name)
            except DataCorruptError as error:
                problems = [str(error)]
            except (
                SengokuError
            ) as error:  # as with a full disk: the rows themselves tell that they are damaged
                _log.error("store %s: damaged rows of %s stay where they are: %s", self.label, name, error)
                continue
            for number, problem in enumerate(problems):
                self.damaged(f"{name} {number}", f"store {self.label}: table {name} is damaged: {problem}")
        with suppress(SengokuError):
            self.quarantined = self.quarantine.count()

    def _problems(self, table: str) -> list[str]:
        with self.read() as reader:
            found = [str(row[0]) for row in reader.execute(f"PRAGMA integrity_check({table})")]
        return [] if found == ["ok"] else [f"{table}: {text}" for text in found]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
