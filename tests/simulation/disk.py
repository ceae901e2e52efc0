"""A disk in memory that can fail: what was written, what of it would survive a crash, and injected faults."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["SECTOR", "Crash", "Disk", "DiskError", "File"]

SECTOR = 512
"""Bytes that a crash keeps or loses together."""

Operation = tuple[int, bytes | None]
"""A write (place, data) or a truncation (length, None) that was not synced yet."""


class DiskError(Exception):
    """A failed operation: `code` is an extended result code of SQLite."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Crash:
    """How a machine stops: the share of unsynced sectors that reach the disk, and what fills new holes."""

    kept: float
    """1.0 is a killed process: the system writes everything. 0.0 loses all that was not synced."""
    garbage: bool = False
    """Whether sectors that were allocated and never written contain old bytes instead of zeros."""


@dataclass
class File:
    """A file: its bytes as programs see them, and as they were at the last sync."""

    content: bytearray = field(default_factory=bytearray)
    synced: bytes | None = None
    """None until the first sync: a crash may lose the whole file."""
    pending: list[Operation] = field(default_factory=list)

    def apply(self, operation: Operation) -> None:
        """Carry out a write or a truncation."""
        place, data = operation
        if data is None:
            del self.content[place:]
            return
        if place > len(self.content):
            self.content.extend(bytes(place - len(self.content)))
        self.content[place : place + len(data)] = data


class Disk:
    """Files by name. Every write, truncation, sync and deletion has a number, at which the disk can stop."""

    def __init__(self, seed: object = 0) -> None:
        self.files: dict[str, File] = {}
        self._deleted: dict[str, File] = {}
        """Files whose deletion was not synced: a crash may bring them back."""
        self._random = random.Random(f"disk {seed}")
        self.operations = 0
        """Number of the latest change."""
        self.stop_at: int | None = None
        """The number of the change that is not carried out any more, because the machine stops."""
        self.torn = 1.0
        """Share of the sectors of that last write that are written."""
        self.dead = False
        self.on_stop: Callable[[], None] = lambda: None
        self.fault: Callable[[str, str, int], int] = lambda _kind, _name, _size: 0
        """Returns the result code of an operation (open, read, write, sync, lock, ...): 0 is success."""
        self.trace: Callable[[str], None] | None = None

    def _begin(self, kind: str, name: str, place: int, data: bytes | None, file: File | None) -> None:
        """Count a change; raise if the machine stops or a fault is injected."""
        if self.dead:
            raise DiskError(10)  # SQLITE_IOERR
        self.operations += 1
        if self.trace is not None:
            shown = "" if data is None else f" {len(data)} {zlib.crc32(data):08x}"
            self.trace(f"{kind} {name.rpartition('/')[2]} {place}{shown}")
        if self.operations == self.stop_at:
            if data is not None and file is not None:
                sectors = round(self.torn * (len(data) / SECTOR)) if self.torn < 1 else 0
                if sectors:
                    self._write(file, (place, data[: sectors * SECTOR]))
            self.stop()
            raise DiskError(10)
        code = self.fault(kind, name, 0 if data is None else len(data))
        if code:
            if data is not None and file is not None and code != 13:  # a full disk writes nothing
                part = self._random.randrange(0, len(data) + 1, SECTOR)
                if part:
                    self._write(file, (place, data[:part]))
            raise DiskError(code)

    def stop(self) -> None:
        """Stop the machine: nothing reaches the disk from now on."""
        self.dead = True
        self.on_stop()

    @staticmethod
    def _write(file: File, operation: Operation) -> None:
        file.apply(operation)
        file.pending.append(operation)

    def open(self, name: str, *, create: bool) -> File:
        """Open a file."""
        if self.dead or (name not in self.files and not create):
            raise DiskError(14)  # SQLITE_CANTOPEN
        return self.files.setdefault(name, File())

    def read(self, name: str, file: File, place: int, size: int) -> bytes:
        """Read bytes; fewer at the end of the file."""
        if self.dead:
            raise DiskError(266)  # SQLITE_IOERR_READ
        code = self.fault("read", name, size)
        if code:
            raise DiskError(code)
        return bytes(file.content[place : place + size])

    def write(self, name: str, file: File, place: int, data: bytes) -> None:
        """Write bytes."""
        self._begin("write", name, place, data, file)
        self._write(file, (place, data))

    def truncate(self, name: str, file: File, size: int) -> None:
        """Shorten a file."""
        self._begin("truncate", name, size, None, None)
        self._write(file, (size, None))

    def sync(self, name: str, file: File) -> None:
        """Make everything that was written to a file durable, and the file itself."""
        self._begin("sync", name, len(file.content), None, None)
        if file.synced is None:  # SQLite syncs the folder with a new file, and with it all deletions in it
            self._deleted.clear()
        file.synced = bytes(file.content)
        file.pending.clear()

    def delete(self, name: str, *, synced: bool) -> None:
        """Delete a file; a deletion that is not synced may be undone by a crash."""
        if name not in self.files:
            raise DiskError(5898)  # SQLITE_IOERR_DELETE_NOENT
        self._begin("delete", name, synced, None, None)
        file = self.files.pop(name)
        if not synced and file.synced is not None:
            self._deleted[name] = file

    def restart(self, crash: Crash) -> None:
        """Reconstruct the files as a crash leaves them; the disk works again."""
        chance = self._random
        names = dict.fromkeys((*self.files, *self._deleted))
        found: dict[str, File] = {}
        for name in names:
            file, deleted = self.files.get(name), self._deleted.get(name)
            if crash.kept >= 1 or (file is not None and file.synced is not None):
                after = file
            elif deleted is not None and chance.random() >= crash.kept:
                after = deleted  # the deletion, and the new file of this name, did not reach the disk
            else:
                after = file if file is not None and chance.random() < crash.kept else None
            if after is not None:
                content = self._survivor(after, crash)
                found[name] = File(bytearray(content), bytes(content))
        self.files, self._deleted = found, {}
        self.dead, self.stop_at, self.torn = False, None, 1.0

    def _survivor(self, file: File, crash: Crash) -> bytearray:
        """Return the bytes of a file after a crash: what was synced, and some sectors written since."""
        if crash.kept >= 1:
            return file.content
        chance = self._random
        result = File(bytearray(file.synced or b""))
        for place, data in file.pending:
            if data is None:
                if chance.random() < crash.kept:
                    result.apply((place, None))
                continue
            for at in range(0, len(data), SECTOR):
                sector = data[at : at + SECTOR]
                if chance.random() < crash.kept:
                    result.apply((place + at, sector))
                elif crash.garbage and place + at >= len(result.content):
                    result.apply((place + at, chance.randbytes(len(sector))))
        return result.content

    def flip(self, name: str, bits: int = 1) -> list[int]:
        """Flip bits of a file at rest; return their places in bytes."""
        content = self.files[name].content
        places = [self._random.randrange(len(content)) for _ in range(bits if content else 0)]
        for place in places:
            content[place] ^= 1 << self._random.randrange(8)
        self.files[name].synced = bytes(content)
        self.files[name].pending.clear()
        return places
