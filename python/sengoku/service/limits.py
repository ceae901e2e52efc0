"""The largest requests a server takes."""

from __future__ import annotations

from dataclasses import dataclass

from sengoku import swords, tower
from sengoku._core import MAX_MATCHES, MAX_THREADS
from sengoku.errors import ArgumentError, LimitError


@dataclass(frozen=True)
class Limits:
    """The largest requests a server takes. Beyond them a request fails at once and costs nothing."""

    samples: int = 10_000_000_000
    """Battles sampled for one row."""
    batch_samples: int = 100_000_000_000
    """Battles sampled for all rows of one batch."""
    batch_rows: int = 10_000
    """Battles in one batch."""
    message_bytes: int = 4 << 20
    """Length of a request."""
    calls: int = 256
    """Calls under way at once."""
    streams: int = 1_000
    """Streams open at once."""
    matches: int = 1_000_000
    """Matches that bots play in one call."""
    decisions: int = 10_000_000_000
    """Decisions of all matches that bots play in one call."""
    run_matches: int = MAX_MATCHES
    """Matches of a run that `StartRun` begins."""
    run_decisions: int = 300_000_000_000
    """Decisions of all matches of such a run."""
    unfinished_runs: int = 1_000
    """Such runs that are not over, of all clients."""
    client_runs: int = 100
    """Such runs that are not over, of one client."""
    runs_kept: int = 10_000
    """Such runs that are over and kept; beyond them the oldest are removed."""
    run_keep_days: int = 30
    """How long such a run is kept after its end."""
    store_bytes: int = 64 << 30
    """Bytes of the rows of all runs in the store."""
    open_matches: int = 1_000
    """Matches of `MatchService` at once."""
    match_decisions: int = 100_000
    """Decisions of one of them."""
    idle_seconds: int = 3_600
    """How long one of them is kept while nobody uses it."""
    throws: int = 1_000_000
    """Throws of the cube tower in one call."""
    rigid_throws: int = 200
    """The same with the model "rigid", which takes a tenth of a second for a throw."""
    rigid_steps: int = 100_000
    """Steps that a rigid throw may take by its geometry before its time is over."""

    def __post_init__(self) -> None:
        for name, most in (
            ("samples", swords.MAX_SAMPLES),
            ("batch_samples", 1 << 62),
            ("batch_rows", 1 << 31),
            ("message_bytes", 1 << 29),
            ("calls", 10_000),
            ("streams", 1_000_000),
            ("matches", MAX_MATCHES),
            ("decisions", 1 << 62),
            ("run_matches", MAX_MATCHES),
            ("run_decisions", 1 << 62),
            ("unfinished_runs", 1_000_000),
            ("client_runs", 1_000_000),
            ("runs_kept", 10_000_000),
            ("run_keep_days", 36_500),
            ("store_bytes", 1 << 60),
            ("open_matches", 1_000_000),
            ("match_decisions", 1 << 31),
            ("idle_seconds", 1 << 31),
            ("throws", tower.MAX_THROWS),
            ("rigid_throws", tower.MAX_THROWS),
            ("rigid_steps", 1 << 31),
        ):
            value = getattr(self, name)
            if not 1 <= value <= most:
                details = {"field": name, "value": str(value)}
                raise ArgumentError(f"{name} is {value}, 1 to {most} are possible", details)

    def check(self, name: str, value: int) -> None:
        """Refuses a value beyond the limit of that name."""
        limit = getattr(self, name)
        if value > limit:
            details = {"field": name, "value": str(value), "limit": str(limit)}
            raise LimitError(f"{name} is {value}, this server allows {limit}", details)


def check_threads(threads: int) -> None:
    """Refuses a number of threads that makes no sense."""
    if not 0 <= threads <= MAX_THREADS:
        details = {"field": "threads", "value": str(threads)}
        raise ArgumentError(f"threads is {threads}, 0 to {MAX_THREADS} are possible", details)
