"""The activity of a server, as tables: its calls, the matches it has played, its runs and tournaments."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rich import box
from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from sengoku.cli.tables import table
from sengoku.client.client import Client
from sengoku.engine.run_status import RunStatus
from sengoku.engine.words import name_text
from sengoku.errors import UnknownMethodError
from sengoku.tournament.status import TournamentStatus

UNFINISHED = ("running", "stalled", "queued")
"""States of unfinished runs and tournaments, the busiest first."""
MOST_ROWS = 30
"""The most runs, or tournaments, that fit on a screen."""
_COLOURS = {"running": "green", "queued": "yellow", "stalled": "red", "failed": "red", "cancelled": "dim"}


@dataclass(frozen=True)
class Look:
    """A snapshot of a server."""

    target: str
    version: dict[str, Any]
    status: dict[str, Any] | None  # None for an older server without this call
    runs: list[RunStatus]
    tournaments: list[TournamentStatus] = field(default_factory=list)
    clock: float = field(default_factory=time.monotonic, compare=False)

    def rates(self, before: Look | None) -> dict[str, tuple[float, float]]:
        """Return the matches and decisions per second by game since an earlier snapshot."""
        if before is None or before.status is None:
            return {}
        seconds = max(1e-3, self.clock - before.clock)
        earlier = before.plays

        def rate(game: str, what: str) -> float:
            return max(0, self.plays[game][what] - earlier.get(game, {what: 0})[what]) / seconds

        return {game: (rate(game, "matches"), rate(game, "decisions")) for game in self.plays}

    @property
    def plays(self) -> dict[str, dict[str, int]]:
        """The matches and decisions that the server has played, by game."""
        return {} if self.status is None else dict(self.status["plays"])

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {
            "server": self.target,
            "version": self.version,
            "status": self.status,
            "runs": [run.as_dict() for run in self.runs],
            "tournaments": [tournament.as_dict() for tournament in self.tournaments],
        }


def look(client: Client, target: str) -> Look:
    """Take a snapshot of a server, with the runs and tournaments that this client may see."""
    status: dict[str, Any] | None = None
    runs: list[RunStatus] = []
    tournaments: list[TournamentStatus] = []
    with suppress(UnknownMethodError):  # an older server does not have it
        status = client.status()
    with suppress(UnknownMethodError):
        runs = [run.status for state in UNFINISHED for run in client.runs(state)]
    if status is not None and status["tournaments"]:  # else the list would only have finished ones
        found = [tournament.status for tournament in client.tournaments()]
        tournaments = [one for state in UNFINISHED for one in found if one.state == state]
    return Look(target, client.version(), status, runs, tournaments)


def show(seen: Look, before: Look | None = None, trouble: str = "") -> RenderableType:
    """Return a snapshot as tables; `before` is an earlier one, for figures per second."""
    parts: list[RenderableType] = [_head(seen)]
    if trouble:
        parts.append(Text(trouble, style="bold red"))
    if seen.status is not None:
        parts.append(_work(seen.status))
    if seen.plays:
        parts.append(_plays(seen, before))
    if seen.status is not None and seen.status.get("fleet"):
        parts.append(_fleet(seen.status))
    parts.append(run_table(seen.runs) if seen.runs else Text("no runs in progress", style="dim"))
    if seen.tournaments:
        parts.append(tournament_table(seen.tournaments))
    return Group(*parts)


def _head(seen: Look) -> Text:
    version = seen.version
    about = f"{version['build_profile']}, {version['instruction_set']}, {version['threads']} threads"
    text = Text.assemble((f"sengoku {version['package_version']}", "bold"), f" at {seen.target} ({about})")
    if seen.status is not None:
        text.append(f", up {duration(seen.status['uptime'])}")
        if seen.status["stopping"]:
            text.append(", stopping", style="bold red")
    return text


def _work(status: dict[str, Any]) -> Text:
    over = {state: count for state, count in status["runs"].items() if state not in UNFINISHED}
    lines = {
        "calls": (f"{status['calls']:,} in progress",),
        "open": tuple(
            f"{status[name]:,} {name.removeprefix('open_')}"
            for name in ("open_matches", "players", "environments")
        ),
        "work": (f"{status['working']:,} in progress", f"{status['waiting']:,} waiting"),
        "runs": (
            *(f"{status['runs'].get(state, 0):,} {state}" for state in UNFINISHED),
            *(f"{count:,} {state}" for state, count in over.items()),
        ),
        "tournaments": tuple(f"{status['tournaments'].get(state, 0):,} {state}" for state in UNFINISHED),
    }
    if status["missing_packages"]:
        lines["missing packages"] = (*status["missing_packages"], "see sengoku[server]")
    return Text("\n".join(f"{name}: {', '.join(parts)}" for name, parts in lines.items()))


def _plays(seen: Look, before: Look | None) -> Table:
    rates = seen.rates(before)

    def cells(game: str, plays: dict[str, int]) -> tuple[str, ...]:
        matches, decisions = (f"{rate:,.0f}" for rate in rates[game]) if game in rates else ("", "")
        return game, f"{plays['matches']:,}", matches, f"{plays['decisions']:,}", decisions

    columns = ("played", ">matches", ">per second", ">decisions", ">per second")
    rows = (cells(*item) for item in seen.plays.items())
    return table(columns, rows, box=box.SIMPLE_HEAD, pad_edge=False)


def _fleet(status: dict[str, Any]) -> RenderableType:
    """Return the workers of a fleet as a table."""
    workers = status["fleet_workers"]
    if not workers:
        return Text(f"fleet {status['fleet']}: no workers at the moment", style="dim")
    columns = ("fleet", "state", "build", ">threads", ">per second", ">ranges", ">heard", ">disagreements")
    rows = (
        (
            f"{row['name']}\n{row['why']}" if row["why"] else row["name"],
            row["state"],
            row["build"],
            f"{row['threads']}",
            f"{row['units_per_second']:,.0f}",
            f"{row['ranges_in_flight']}",
            f"{row['seconds_since_heard']:.1f} s ago",
            f"{row['disagreements']}",
        )
        for row in workers
    )
    return table(columns, rows, box=box.SIMPLE_HEAD, pad_edge=False)


def run_table(runs: Iterable[RunStatus], most: int = MOST_ROWS) -> Table:
    """Return a table of runs, each with a progress bar."""
    rows = [_Job(run, f"{run.game}: {','.join(run.bots)}", run.match_count, run.time_left) for run in runs]
    return _jobs("run", rows, most)


def tournament_table(tournaments: Iterable[TournamentStatus], most: int = MOST_ROWS) -> Table:
    """Return a table of tournaments, each with a progress bar."""
    rows = [
        _Job(one, f"{one.title}: {name_text(one.format)}, round {one.round}", one.matches_due, None)
        for one in tournaments
    ]
    return _jobs("tournament", rows, most)


class _Job(NamedTuple):
    """A run or a tournament as a row of a table."""

    status: RunStatus | TournamentStatus
    about: str
    matches: int
    time_left: float | None


def _jobs(what: str, rows: list[_Job], most: int) -> Table:
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=True)
    shown.add_column(what, min_width=32, overflow="fold")
    shown.add_column("state", no_wrap=True)
    shown.add_column("", ratio=1, min_width=6)
    shown.add_column("matches", justify="right", no_wrap=True)
    for status, about, matches, time_left in rows[:most]:
        trouble = f"\n{status.obstacle}" if status.obstacle else ""
        state = f"queued ({status.queue_position + 1})" if status.state == "queued" else status.state
        pace = [f"{status.matches_per_second:,.0f}/s"] if status.matches_per_second else []
        pace += [f"{duration(time_left)} left"] if time_left is not None else []
        job = (short_name(status.name), "\n", (f"{about}, for {status.client}", "dim"), (trouble, "red"))
        shown.add_row(
            Text.assemble(*job),
            Text(state, style=_COLOURS.get(status.state, "")),
            ProgressBar(total=max(1, matches), completed=status.matches_done),
            Text.assemble(f"{status.matches_done:,} of {matches:,}", "\n", (", ".join(pace), "dim")),
        )
    if len(rows) > most:
        shown.caption = f"and {len(rows) - most:,} more"
    return shown


def short_name(name: str) -> str:
    """Return the last part of a name, which identifies a run or a tournament."""
    return name.rpartition("/")[2]


def duration(seconds: float) -> str:
    """Format a duration with its two largest units.

    >>> [duration(seconds) for seconds in (0.4, 59, 61, 3_725, 100_000)]
    ['0 s', '59 s', '1 min 1 s', '1 h 2 min', '1 d 3 h']
    """
    whole = int(seconds)
    parts: list[str] = []
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")):
        if whole >= size or parts or size == 1:
            parts.append(f"{whole // size} {unit}")
        whole %= size
    return " ".join(parts[:2])
