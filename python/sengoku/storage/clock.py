"""How long a store has been served: a clock that no change of the system's time can move."""

import time
from collections.abc import Callable

from sengoku.storage.checksums import checksum
from sengoku.storage.sqlite import Database

__all__ = ["ServedClock"]


class ServedClock:
    """The time for which servers have had the store open, in nanoseconds.

    It is the time of the monotonic clock, added up over all servers. What was noted last is in the file; a
    server that is killed loses the time since then, so that nothing expires too early.
    """

    def __init__(self, database: Database, monotonic: Callable[[], int] = time.monotonic_ns) -> None:
        self._database = database
        self._monotonic = monotonic
        self._before = self._latest = 0
        self._opened = monotonic()

    def now(self) -> int:
        """Return the time; it never goes back."""
        self._latest = max(self._latest, self._before + self._monotonic() - self._opened)
        return self._latest

    def load(self) -> None:
        """Go on where the last server ended; if that is lost, after the end of the latest run."""
        with self._database.read() as reader:
            found = reader.execute("SELECT nanoseconds, checksum FROM served WHERE id = 1").fetchone()
            if found is None or checksum("served", found[0]) != found[1]:
                found = reader.execute("SELECT coalesce(max(ended_served), 0) FROM runs").fetchone()
        self._before = self._latest = int(found[0])

    def note(self) -> None:
        """Write the time into the file."""
        now = self.now()
        with self._database.write(durable=False) as writer:
            writer.execute("INSERT OR REPLACE INTO served VALUES (1, ?, ?)", (now, checksum("served", now)))
