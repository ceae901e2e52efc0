"""Limits of a server: the largest requests, and how much may be in use at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import Field, dataclass, fields
from dataclasses import field as _field
from typing import Any

from sengoku import swords, tower
from sengoku._core import MAX_ITERATIONS, MAX_LANES, MAX_MATCHES, MAX_THREADS, search_iterations
from sengoku.errors import ArgumentError, LimitError


def limit(default: int, *, most: int, about: str, error: str = "OVER_LIMIT", flag: str | None = None) -> Any:
    """Declare a limit: its default, its largest possible value, and a description.

    A request beyond it fails with the reason `error`, unless that is empty. The default flag is --max-NAME.
    """
    return _field(default=default, metadata={"most": most, "about": about, "error": error, "flag": flag})


def flag_of(field: Field[int]) -> str:
    """Return the option of `sengoku serve` that sets a limit."""
    return field.metadata["flag"] or f"--max-{field.name.replace('_', '-')}"


@dataclass(frozen=True)
class Limits:
    """The limits of a server. A request beyond them fails at once and costs nothing."""

    samples: int = limit(10_000_000_000, most=swords.MAX_SAMPLES, about="Battles sampled for one row.")
    batch_samples: int = limit(
        100_000_000_000, most=1 << 62, about="Battles sampled for all rows of one batch."
    )
    batch_rows: int = limit(10_000, most=1 << 31, about="Battles in one batch.")
    message_bytes: int = limit(4 << 20, most=1 << 29, about="Length of a request in bytes.")
    calls: int = limit(
        256, most=10_000, about="Calls under way at once; as many more that only read.", error="BUSY"
    )
    client_calls: int = limit(
        128,
        most=10_000,
        about="Calls of one client under way at once; as many more that only read.",
        error="QUOTA_EXCEEDED",
    )
    heavy_calls: int = limit(
        4, most=10_000, about="Calls at once that use all cores; more of them wait for a turn.", error=""
    )
    queued_calls: int = limit(128, most=10_000, about="Calls that wait for a turn.", error="BUSY")
    streams: int = limit(
        1_000,
        most=1_000_000,
        about="Streams open at once; as many more calls of WaitOperation.",
        error="BUSY",
    )
    client_streams: int = limit(
        500,
        most=1_000_000,
        about="Streams of one client open at once; as many more calls of WaitOperation.",
        error="QUOTA_EXCEEDED",
    )
    connections: int = limit(4_096, most=1_000_000, about="Connections at once.", error="")
    address_connections: int = limit(
        2_048,
        most=1_000_000,
        about="Connections of one address (IPv6: of one /64 network) at once.",
        error="",
    )
    unverified_connections: int = limit(
        1_024,
        most=1_000_000,
        about="Connections without an authenticated call at once, half of them of one address.",
        error="",
    )
    unverified_seconds: int = limit(
        60,
        most=1 << 31,
        about="Seconds after which a connection without an authenticated call that sends nothing is closed.",
        error="",
        flag="--unverified-idle-seconds",
    )
    send_seconds: int = limit(
        60,
        most=1 << 31,
        about="Seconds after which a connection that does not read a response is closed.",
        error="",
        flag="--send-timeout-seconds",
    )
    unsent_bytes: int = limit(
        512 << 20,
        most=1 << 60,
        about="Bytes of responses that are not read yet.",
        error="RESPONSES_UNREAD",
    )
    client_unsent_bytes: int = limit(
        256 << 20,
        most=1 << 60,
        about="Bytes of responses to one client that are not read yet.",
        error="RESPONSES_UNREAD",
    )
    matches: int = limit(1_000_000, most=MAX_MATCHES, about="Matches that bots play in one call.")
    decisions: int = limit(
        10_000_000_000, most=1 << 62, about="Decisions of all matches that bots play in one call."
    )
    search_iterations: int = limit(
        10_000, most=MAX_ITERATIONS, about="Iterations that a searching bot spends on one decision."
    )
    run_matches: int = limit(MAX_MATCHES, most=MAX_MATCHES, about="Matches of a run of StartRun.")
    run_decisions: int = limit(
        300_000_000_000, most=1 << 62, about="Decisions of all matches of a run of StartRun."
    )
    run_request_bytes: int = limit(
        256 << 10, most=1 << 29, about="Length in bytes of the request of a run of StartRun."
    )
    unfinished_runs: int = limit(
        1_000, most=1_000_000, about="Unfinished runs of StartRun, of all clients.", error="BUSY"
    )
    client_runs: int = limit(
        100, most=1_000_000, about="Unfinished runs of StartRun, of one client.", error="QUOTA_EXCEEDED"
    )
    runs_kept: int = limit(
        10_000,
        most=10_000_000,
        about="Finished runs that are kept; beyond them the oldest are removed.",
        error="",
    )
    run_keep_days: int = limit(
        30, most=36_500, about="Days that a run is kept after its end.", error="", flag="--run-keep-days"
    )
    store_bytes: int = limit(
        64 << 30, most=1 << 60, about="Bytes of all runs in the store.", error="STORE_FULL"
    )
    reads: int = limit(64, most=10_000, about="Calls of ReadRun at once.", error="BUSY")
    client_reads: int = limit(
        16, most=10_000, about="Calls of ReadRun of one client at once.", error="QUOTA_EXCEEDED"
    )
    open_matches: int = limit(1_000, most=1_000_000, about="Open matches of MatchService.", error="BUSY")
    client_open_matches: int = limit(
        500, most=1_000_000, about="Open matches of MatchService, of one client.", error="QUOTA_EXCEEDED"
    )
    match_decisions: int = limit(100_000, most=1 << 31, about="Decisions of a match of MatchService.")
    idle_seconds: int = limit(
        3_600,
        most=1 << 31,
        about="Seconds after which an unused match of MatchService is closed.",
        error="",
        flag="--match-idle-seconds",
    )
    players: int = limit(256, most=100_000, about="Streams of players connected at once.", error="BUSY")
    client_players: int = limit(
        64, most=100_000, about="Streams of players of one client connected at once.", error="QUOTA_EXCEEDED"
    )
    player_capacity: int = limit(
        4_096, most=1 << 20, about="Decisions that a player may have to answer at once."
    )
    player_faults: int = limit(
        100, most=1 << 31, about="Answers of a player that match no decision, until its stream is ended."
    )
    player_silence: int = limit(
        60,
        most=1 << 31,
        about="Seconds that an idle player may leave heartbeats unanswered.",
        error="",
        flag="--player-silence-seconds",
    )
    plays: int = limit(16, most=10_000, about="Calls of PlayMatches at once.", error="BUSY")
    client_plays: int = limit(
        8, most=10_000, about="Calls of PlayMatches of one client at once.", error="QUOTA_EXCEEDED"
    )
    play_matches: int = limit(100_000, most=MAX_MATCHES, about="Matches of a call of PlayMatches.")
    play_at_once: int = limit(
        1_024, most=1 << 20, about="Matches under way together in a call of PlayMatches."
    )
    play_decisions: int = limit(
        100_000,
        most=1 << 31,
        about="Decisions of a match of PlayMatches; a longer one has no result.",
        error="",
    )
    clock_seconds: int = limit(
        3_600, most=1_000_000, about="Seconds that a decision of a player may take, including its bank."
    )
    unfinished_tournaments: int = limit(
        100, most=100_000, about="Unfinished tournaments, of all clients.", error="BUSY"
    )
    client_tournaments: int = limit(
        10, most=100_000, about="Unfinished tournaments, of one client.", error="QUOTA_EXCEEDED"
    )
    tournaments_at_once: int = limit(
        2, most=64, about="Tournaments that are played at once; others wait.", error=""
    )
    tournaments_kept: int = limit(
        1_000,
        most=1_000_000,
        about="Finished tournaments that are kept; beyond them the oldest are removed.",
        error="",
    )
    tournament_matches: int = limit(
        100_000, most=MAX_MATCHES, about="Matches of a tournament if no pairing ends early."
    )
    tournament_bytes: int = limit(256 << 10, most=1 << 29, about="Length in bytes of a tournament file.")
    environments: int = limit(64, most=100_000, about="Environments of Step at once.", error="BUSY")
    client_environments: int = limit(
        16, most=100_000, about="Environments of Step of one client at once.", error="QUOTA_EXCEEDED"
    )
    lanes: int = limit(4_096, most=MAX_LANES, about="Matches side by side in an environment of Step.")
    environment_steps: int = limit(
        1 << 40, most=1 << 62, about="Actions of all lanes of an environment of Step, until its end."
    )
    environment_idle: int = limit(
        3_600,
        most=1 << 31,
        about="Seconds after which an unused environment of Step is closed.",
        error="",
        flag="--environment-idle-seconds",
    )
    throws: int = limit(1_000_000, most=tower.MAX_THROWS, about="Throws of the cube tower in one call.")
    rigid_throws: int = limit(
        200, most=tower.MAX_THROWS, about="Throws in one call with the model rigid, a tenth of a second each."
    )
    rigid_steps: int = limit(
        100_000, most=1 << 31, about="Simulation steps of a rigid throw, as bounded by its parameters."
    )

    def __post_init__(self) -> None:
        for field in fields(self):
            name, most = field.name, field.metadata["most"]
            value = getattr(self, name)
            if not 1 <= value <= most:
                details = {"field": name, "value": str(value)}
                raise ArgumentError(f"{name} is {value}, expected 1 to {most}", details)

    def check_bots(self, game: str, bots: Iterable[str]) -> None:
        """Raise LimitError for bots that search longer than this server allows."""
        for bot in bots:
            self.check("search_iterations", search_iterations(game, bot) or 0)

    def check(self, name: str, value: int) -> None:
        """Raise LimitError for a value beyond the limit with this name."""
        limit = getattr(self, name)
        if value > limit:
            details = {"field": name, "value": str(value), "limit": str(limit)}
            raise LimitError(f"{name} is {value}, this server allows {limit}", details)


def check_threads(threads: int) -> None:
    """Raise ArgumentError for an impossible number of threads."""
    if not 0 <= threads <= MAX_THREADS:
        details = {"field": "threads", "value": str(threads)}
        raise ArgumentError(f"threads is {threads}, expected 0 to {MAX_THREADS}", details)
