"""Files of replays: the matches of a run as a zip archive with an index, written as they are played.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> from sengoku import run_matches
>>> with TemporaryDirectory() as folder:
...     path = Path(folder) / "replays.zip"
...     report = run_matches("battles", bots=["greedy", "random"], match_count=3, seed=7, replays=path)
...     with ReplayFile(path) as replays:
...         [row["match_index"] for row in replays.index], replays.match(1).digest == int(report.digest[1])
([0, 1, 2], True)
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sengoku.engine.match import Match
from sengoku.errors import ArgumentError, DecodeError, invalid

if TYPE_CHECKING:
    from sengoku.engine.report import MatchReport

MAX_REPLAYS = 100_000
"""Most replays of a file."""
MAX_REPLAY_BYTES = 64 << 20
"""Length of a replay that is read."""
_INDEX = "index.json"
_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of all entries: the same matches give the same bytes."""


def check_count(match_count: int) -> None:
    """Raise ArgumentError for more matches than a file of replays takes."""
    if match_count > MAX_REPLAYS:
        details = {"field": "replays", "value": str(match_count), "limit": str(MAX_REPLAYS)}
        message = f"replays of {match_count} matches are wanted, a file has at most {MAX_REPLAYS}"
        raise ArgumentError(message, details)


class ReplayWriter:
    """Writes a file of replays, match by match; at the end come the index and the name of the file."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._index: list[dict[str, Any]] = []

    @classmethod
    @contextmanager
    def open(cls, path: str | Path) -> Iterator[ReplayWriter]:
        """Write into a file beside `path`, which gets that name if the block succeeds."""
        path = Path(path)
        partial = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
                writer = cls(archive)
                yield writer
                writer._write(_INDEX, json.dumps(writer._index, separators=(",", ":")))
            partial.replace(path)
        finally:
            with suppress(FileNotFoundError):
                partial.unlink()

    def _write(self, name: str, text: str) -> None:
        entry = zipfile.ZipInfo(name, _DATE)
        entry.compress_type = zipfile.ZIP_DEFLATED
        self._archive.writestr(entry, text)

    def add(self, report: MatchReport, replays: list[str]) -> None:
        """Add the matches of a report with their replays."""
        for result, text in zip(report.results(), replays, strict=True):
            self._write(_entry(result.match_index), text)
            self._index.append(
                {
                    "match_index": result.match_index,
                    "winner": result.winner,
                    "reason": result.reason,
                    "rounds": result.rounds,
                    "decisions": result.decisions,
                    "digest": f"{result.digest:016x}",
                }
            )


def _entry(match_index: int) -> str:
    return f"{match_index}.replay"


class ReplayFile:
    """A file of replays that `run_matches` wrote."""

    def __init__(self, path: str | Path) -> None:
        """Open a file; its replays are read when they are asked for."""
        self._path = Path(path)
        try:
            self._archive = zipfile.ZipFile(self._path)
        except zipfile.BadZipFile as error:
            raise DecodeError(
                f"{self._path} is not a file of replays: {error}", {"value": str(path)}
            ) from error
        try:
            self.index: list[dict[str, Any]] = json.loads(self._read(_INDEX))
        except (DecodeError, ValueError) as error:
            self._archive.close()
            message = f"{self._path} is not a file of replays: it has no readable index"
            raise DecodeError(message, {"value": str(path)}) from error
        """Number, winner, reason, rounds, decisions and digest of each match."""

    def _read(self, name: str) -> str:
        try:
            entry = self._archive.getinfo(name)
            if entry.file_size > MAX_REPLAY_BYTES:
                raise DecodeError(
                    f"{name} has {entry.file_size} bytes, a replay has at most {MAX_REPLAY_BYTES}",
                    {"value": name, "limit": str(MAX_REPLAY_BYTES)},
                )
            return self._archive.read(entry).decode()
        except (KeyError, zipfile.BadZipFile, EOFError, OSError, UnicodeDecodeError) as error:
            raise DecodeError(f"{name} cannot be read: {error}", {"value": name}) from error

    def __len__(self) -> int:
        return len(self.index)

    def text(self, match_index: int) -> str:
        """Return the text of a replay by the number of its match."""
        if all(row["match_index"] != match_index for row in self.index):
            raise invalid("match_index", match_index, f"the file has {_numbers(self.index)}")
        return self._read(_entry(match_index))

    def match(self, match_index: int) -> Match:
        """Return a match by its number."""
        return Match.from_replay(self.text(match_index))

    def __iter__(self) -> Iterator[Match]:
        return (self.match(row["match_index"]) for row in self.index)

    def close(self) -> None:
        """Close the file."""
        self._archive.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _numbers(index: list[dict[str, Any]]) -> str:
    """Say which matches there are."""
    numbers = [row["match_index"] for row in index]
    return f"matches {numbers[0]} to {numbers[-1]}" if numbers else "no matches"
