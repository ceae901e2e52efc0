"""Limits of a server: the largest requests, and how much may be in use at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import Field, dataclass, fields
from dataclasses import field as _field
from typing import Any

from sengoku import swords, tower
from sengoku._core import MAX_ITERATIONS, MAX_LANES, MAX_MATCHES, MAX_PLAYOUTS, MAX_THREADS, search_iterations
from sengoku.engine.talk import MAX_MESSAGE_LENGTH, MAX_MESSAGES, MAX_MESSAGES_BETWEEN, TalkLimits
from sengoku.errors import LimitError, invalid

BUSY, QUOTA, UNREAD = "BUSY", "QUOTA_EXCEEDED", "RESPONSES_UNREAD"
"""Reasons of requests that all clients, or one client, may not make at the moment."""


def limit(default: int, most: int, about: str, error: str = "OVER_LIMIT", *, flag: str | None = None) -> Any:
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

    samples: int = limit(10_000_000_000, swords.MAX_SAMPLES, "Battles sampled for one row.")
    batch_samples: int = limit(100_000_000_000, 1 << 62, "Battles sampled for all rows of one batch.")
    batch_rows: int = limit(10_000, 1 << 31, "Battles in one batch.")
    message_bytes: int = limit(4 << 20, 1 << 29, "Length of a request in bytes.")
    calls: int = limit(256, 10_000, "Calls under way at once; as many more that only read.", BUSY)
    client_calls: int = limit(
        96, 10_000, "Calls of one client under way at once; as many more that only read.", QUOTA
    )
    heavy_calls: int = limit(4, 10_000, "Calls at once that use all cores; more of them wait for a turn.", "")
    queued_calls: int = limit(128, 10_000, "Calls that wait for a turn.", BUSY)
    client_queued_calls: int = limit(
        32, 10_000, "Calls of one client that wait for a turn; at most a quarter of all.", QUOTA
    )
    streams: int = limit(
        1_000, 1_000_000, "Streams open at once; as many calls of WaitOperation, and requests over MCP.", BUSY
    )
    client_streams: int = limit(
        400,
        1_000_000,
        "Streams of one client open at once; as many calls of WaitOperation, and requests over MCP.",
        QUOTA,
    )
    connections: int = limit(4_096, 1_000_000, "Connections at once.", "")
    address_connections: int = limit(
        2_048, 1_000_000, "Connections of one address (IPv6: of one /64 network) at once.", ""
    )
    unverified_connections: int = limit(
        1_024,
        1_000_000,
        "Connections without an authenticated call at once, half of them of one address.",
        "",
    )
    unverified_seconds: int = limit(
        60,
        1 << 31,
        "Seconds after which a connection without an authenticated call that sends nothing is closed.",
        "",
        flag="--unverified-idle-seconds",
    )
    send_seconds: int = limit(
        60,
        1 << 31,
        "Seconds after which a connection that does not read a response is closed.",
        "",
        flag="--send-timeout-seconds",
    )
    unsent_bytes: int = limit(512 << 20, 1 << 60, "Bytes of responses that are not read yet.", UNREAD)
    client_unsent_bytes: int = limit(
        192 << 20, 1 << 60, "Bytes of responses to one client that are not read yet.", UNREAD
    )
    matches: int = limit(1_000_000, MAX_MATCHES, "Matches that bots play in one call.")
    decisions: int = limit(10_000_000_000, 1 << 62, "Decisions of all matches that bots play in one call.")
    search_iterations: int = limit(
        10_000, MAX_ITERATIONS, "Iterations that a searching bot spends on one decision."
    )
    run_matches: int = limit(MAX_MATCHES, MAX_MATCHES, "Matches of a run of StartRun.")
    run_decisions: int = limit(300_000_000_000, 1 << 62, "Decisions of all matches of a run of StartRun.")
    run_request_bytes: int = limit(256 << 10, 1 << 29, "Length in bytes of the request of a run of StartRun.")
    unfinished_runs: int = limit(1_000, 1_000_000, "Unfinished runs of StartRun, of all clients.", BUSY)
    client_runs: int = limit(100, 1_000_000, "Unfinished runs of StartRun, of one client.", QUOTA)
    runs_kept: int = limit(
        10_000, 10_000_000, "Finished runs that are kept; beyond them the oldest are removed.", ""
    )
    run_keep_days: int = limit(
        30, 36_500, "Days of service that a run is kept after its end.", "", flag="--run-keep-days"
    )
    store_bytes: int = limit(64 << 30, 1 << 60, "Bytes of all runs in the store.", "STORE_FULL")
    reads: int = limit(64, 10_000, "Calls of ReadRun at once.", BUSY)
    client_reads: int = limit(16, 10_000, "Calls of ReadRun of one client at once.", QUOTA)
    open_matches: int = limit(1_000, 1_000_000, "Open matches of MatchService.", BUSY)
    client_open_matches: int = limit(400, 1_000_000, "Open matches of MatchService, of one client.", QUOTA)
    match_decisions: int = limit(100_000, 1 << 31, "Decisions of a match of MatchService.")
    watchers: int = limit(800, 1_000_000, "Streams of WatchMatch open at once.", BUSY)
    client_watchers: int = limit(200, 1_000_000, "Streams of WatchMatch of one client open at once.", QUOTA)
    match_watchers: int = limit(400, 1_000_000, "Streams of WatchMatch of one match open at once.", BUSY)
    frame_cache_bytes: int = limit(
        64 << 20,
        1 << 40,
        "Bytes of frames that are kept for further watchers; beyond them the oldest are removed.",
        "",
    )
    message_length: int = limit(
        MAX_MESSAGE_LENGTH, MAX_MESSAGE_LENGTH, "Characters of a message of a seat to other seats."
    )
    messages: int = limit(MAX_MESSAGES, MAX_MESSAGES, "Messages of a seat to other seats in a match.")
    messages_between: int = limit(
        MAX_MESSAGES_BETWEEN,
        MAX_MESSAGES_BETWEEN,
        "Messages of a seat to other seats between two decisions of the match.",
    )
    idle_seconds: int = limit(
        3_600,
        1 << 31,
        "Seconds after which an unused match of MatchService is closed.",
        "",
        flag="--match-idle-seconds",
    )
    players: int = limit(256, 100_000, "Streams of players connected at once.", BUSY)
    client_players: int = limit(64, 100_000, "Streams of players of one client connected at once.", QUOTA)
    player_capacity: int = limit(4_096, 1 << 20, "Decisions that a player may have to answer at once.")
    player_faults: int = limit(
        100, 1 << 31, "Answers of a player that match no decision, until its stream is ended."
    )
    player_silence: int = limit(
        60,
        1 << 31,
        "Seconds that an idle player may leave heartbeats unanswered.",
        "",
        flag="--player-silence-seconds",
    )
    player_name_seconds: int = limit(
        86_400,
        1 << 31,
        "Seconds that the name of a player belongs to its client after its last use.",
        "",
        flag="--player-name-seconds",
    )
    player_names: int = limit(
        10_000,
        1_000_000,
        "Unused names of players that are remembered; beyond them the client with the most loses its oldest.",
        "",
    )
    client_player_names: int = limit(
        256,
        1_000_000,
        "Unused names of players that are remembered for one client; the oldest is released.",
        "",
    )
    plays: int = limit(16, 10_000, "Calls of PlayMatches at once.", BUSY)
    client_plays: int = limit(6, 10_000, "Calls of PlayMatches of one client at once.", QUOTA)
    play_matches: int = limit(100_000, MAX_MATCHES, "Matches of a call of PlayMatches.")
    play_at_once: int = limit(1_024, 1 << 20, "Matches under way together in a call of PlayMatches.")
    play_decisions: int = limit(
        100_000, 1 << 31, "Decisions of a match of PlayMatches; a longer one has no result.", ""
    )
    clock_seconds: int = limit(
        3_600, 1_000_000, "Seconds that a decision of a player may take, including its bank."
    )
    unfinished_tournaments: int = limit(100, 100_000, "Unfinished tournaments, of all clients.", BUSY)
    client_tournaments: int = limit(10, 100_000, "Unfinished tournaments, of one client.", QUOTA)
    tournaments_at_once: int = limit(2, 64, "Tournaments that are played at once; others wait.", "")
    tournaments_kept: int = limit(
        1_000, 1_000_000, "Finished tournaments that are kept; beyond them the oldest are removed.", ""
    )
    tournament_matches: int = limit(100_000, MAX_MATCHES, "Matches of a tournament if no pairing ends early.")
    analysis_iterations: int = limit(
        10_000, MAX_PLAYOUTS, "Playouts of one decision, or of one draw, in an analysis."
    )
    analysis_playouts: int = limit(
        10_000_000, 1 << 50, "Playouts of an analysis: those of a decision and a draw, by all decisions."
    )
    unfinished_analyses: int = limit(100, 100_000, "Unfinished analyses, of all clients.", BUSY)
    client_analyses: int = limit(10, 100_000, "Unfinished analyses, of one client.", QUOTA)
    analyses_kept: int = limit(
        1_000, 1_000_000, "Finished analyses that are kept; beyond them the oldest are removed.", ""
    )
    report_cells: int = limit(
        250_000, 1 << 31, "Cells of all tables of a report of GetStandings.", "REPORT_TOO_LARGE"
    )
    tournament_bytes: int = limit(256 << 10, 1 << 29, "Length in bytes of a tournament file.")
    environments: int = limit(64, 100_000, "Environments of Step at once.", BUSY)
    client_environments: int = limit(16, 100_000, "Environments of Step of one client at once.", QUOTA)
    lanes: int = limit(4_096, MAX_LANES, "Matches side by side in an environment of Step.")
    environment_steps: int = limit(
        1 << 40, 1 << 62, "Actions of all lanes of an environment of Step, until its end."
    )
    environment_idle: int = limit(
        3_600,
        1 << 31,
        "Seconds after which an unused environment of Step is closed.",
        "",
        flag="--environment-idle-seconds",
    )
    throws: int = limit(1_000_000, tower.MAX_THROWS, "Throws of the cube tower in one call.")
    rigid_throws: int = limit(
        200, tower.MAX_THROWS, "Throws in one call with the model rigid, a tenth of a second each."
    )
    film_positions: int = limit(
        200_000, 1 << 31, "Positions of cubes in a film: cubes by frames, as bounded by the parameters."
    )
    rigid_steps: int = limit(
        100_000, 1 << 31, "Simulation steps of a rigid throw, as bounded by its parameters."
    )

    def __post_init__(self) -> None:
        for field in fields(self):
            name, most = field.name, field.metadata["most"]
            value = getattr(self, name)
            if not 1 <= value <= most:
                raise invalid(name, value, f"expected 1 to {most}")

    @property
    def queue_share(self) -> int:
        """How many calls of one client may wait for a turn."""
        return max(1, min(self.client_queued_calls, self.queued_calls // 4))

    @property
    def talk(self) -> TalkLimits:
        """How much a seat may say."""
        return TalkLimits(self.message_length, self.messages, self.messages_between)

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
        raise invalid("threads", threads, f"expected 0 to {MAX_THREADS}")
