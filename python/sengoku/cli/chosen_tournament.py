"""The arguments and options that name a tournament: its file, its store, or its name on a server."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from sengoku.cli.options import (
    Connecting,
    argument,
    option,
    with_options,
)
from sengoku.errors import ArgumentError

if TYPE_CHECKING:
    from sengoku.client import RemoteTournament
    from sengoku.storage import Store
    from sengoku.tournament import Record


@dataclass(frozen=True)
class Chosen:
    """The tournament that a command is about: its file or store, or with --server its name there."""

    file: Path
    store: Path | None
    name: str | None

    @property
    def path(self) -> Path:
        """The file of the store."""
        return self.store or (self.file.with_suffix(".sqlite3") if self.file.suffix == ".toml" else self.file)

    @contextmanager
    def record(self, *, reading: bool = True) -> "Iterator[Record]":
        """Open the tournament from its store; reading is possible while it is being played."""
        from sengoku.storage import Store

        if not self.path.exists():
            details = {"field": "FILE", "value": str(self.file)}
            message = f"FILE is {str(self.file)!r}: {self.path} does not exist, nothing has been played"
            raise ArgumentError(message, details)
        with Store(self.path, reading=reading) as opened:
            yield self._find(opened)

    def _find(self, store: "Store") -> "Record":
        """Return the tournament with the name, else that of the file, else the only one of the store."""
        from sengoku.tournament import Record, read_spec, records

        name = self.name
        if name is None and self.file.suffix == ".toml" and self.file.exists():
            name = read_spec(self.file).name
        if name is not None:
            return Record.open(store, name)
        found = records(store)
        if len(found) != 1:
            names = ", ".join(record.name for record in found) or "none"
            details = {"field": "--name", "value": ""}
            raise ArgumentError(f"--name is required: the store has {names}", details)
        return found[0]

    @contextmanager
    def anywhere(self, at: Connecting) -> "Iterator[Record | RemoteTournament]":
        """Open the tournament on the server if there is one, otherwise from its store."""
        if at.server is None:
            with self.record() as record:
                yield record
        else:
            with at.client() as client:
                yield client.tournament(str(self.file))


def choosing(*, remote: bool) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the options that name a tournament to a command, which gets them as its argument `chosen`."""
    text = "The tournament file (TOML), or the store that holds it"
    there = argument(f"{text}; with --server its name there.", "FILE|NAME")
    place: Any = Annotated[Path, there if remote else argument(f"{text}.", "FILE")]
    store = option("The file that stores results; next to the tournament file if not given.")
    name = option("Name of the tournament, if the store has more than one.")
    options = [
        Parameter("file", Parameter.KEYWORD_ONLY, annotation=place),
        Parameter("store", Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[Path | None, store]),
        Parameter("name", Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[str | None, name]),
    ]
    return with_options("chosen", options, Chosen)
