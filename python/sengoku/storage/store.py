"""The store: one SQLite file with the runs and the tournaments."""

from pathlib import Path
from typing import Self

from sengoku.storage.runs import RunTable
from sengoku.storage.sqlite import Database
from sengoku.storage.tournaments import TournamentTable

__all__ = ["Store"]


class Store(Database):
    """Runs and tournaments in a file, or in memory when the path is ":memory:".

    >>> with Store() as store:
    ...     store.runs.unfinished()
    []
    """

    def __init__(self, path: str | Path = ":memory:", *, reading: bool = False) -> None:
        """Open or create a store; see `Database`."""
        super().__init__(path, reading=reading)
        self.runs = RunTable(self)
        self.tournaments = TournamentTable(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
