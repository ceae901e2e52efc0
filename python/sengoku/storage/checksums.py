"""Checksums of everything stored: each covers a record together with its place in the store.

A flipped bit, a record at the place of another one, and a record of an older state are all detected: a
checksum has 64 bits, so one wrong record in 2^64 would pass. Records are verified whenever they are read.
"""

from hashlib import blake2b
from typing import NamedTuple

__all__ = [
    "ANALYSES", "MATCH", "RUNS", "TOURNAMENTS", "Columns", "Value", "add_sums", "checksum", "match_checksum",
]  # fmt: skip

Value = int | str | bytes | None
"""A value of SQLite, as far as the store uses them."""
_HALF, _ALL = 1 << 63, 1 << 64


class Columns(NamedTuple):
    """The columns of a table of jobs. Each part has its own checksum, so that one can survive the other."""

    table: str
    fixed: tuple[str, ...]
    """What was requested; never changes."""
    changing: tuple[str, ...]
    """How far it is."""

    @property
    def all(self) -> tuple[str, ...]:
        """The columns in the order in which they are read, without the checksums."""
        return ("id", *self.fixed, *self.changing)

    def parts(self, row: dict[str, Value]) -> tuple[bytes, bytes]:
        """Return the checksums of both parts of a row."""
        place = self.table, row["id"]
        fixed = checksum(*place, "fixed", *(row[name] for name in self.fixed))
        return fixed, checksum(*place, "changing", *(row[name] for name in self.changing))


RUNS = Columns(
    "runs",
    ("name", "client", "request", "rules_version", "match_count", "row_bytes", "created"),
    ("request_id", "ended", "ended_served", "state", "error", "done", "summary"),
)
TOURNAMENTS = Columns(
    "tournaments",
    ("name", "client", "spec", "seeds", "created"),
    ("request_id", "ended", "state", "error", "progress", "match_count", "match_sum"),
)
ANALYSES = Columns(
    "analyses",
    ("name", "client", "game", "request", "match", "rules_version", "decisions", "created"),
    ("request_id", "ended", "state", "error", "done", "result"),
)
MATCH = ("tournament", "bots", "board", "number", "arrangement", "result", "replay")
"""The columns of a match of a tournament that its checksum covers."""


def checksum(*values: Value) -> bytes:
    """Return the checksum of values; their types and lengths count, too.

    >>> checksum(1, "a").hex() == checksum("1", "a").hex()
    False
    """
    digest = blake2b(digest_size=8)
    for value in values:
        if isinstance(value, bytes):
            kind, data = b"b", value
        elif isinstance(value, str):
            kind, data = b"s", value.encode("utf-8", "surrogateescape")
        elif isinstance(value, int):
            kind, data = b"i", b"%d" % value
        else:  # a damaged file may have numbers of another kind
            kind, data = b"o", repr(value).encode()
        digest.update(b"%s%d:" % (kind, len(data)))
        digest.update(data)
    return digest.digest()


def match_checksum(tournament: int, match: tuple[Value, ...]) -> bytes:
    """Return the checksum of a match: its key, its result and its replay."""
    return checksum("matches", tournament, *match)


def add_sums(total: int, *checksums: bytes) -> int:
    """Add checksums to a total, modulo 2^64: it tells whether records are missing, in any order."""
    for each in checksums:
        total += int.from_bytes(each, "little")
    return (total + _HALF) % _ALL - _HALF
