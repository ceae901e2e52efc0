"""What a server does at the moment, for people: its work, what it has played, and its runs."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from sengoku.client import Client
from sengoku.errors import UnknownMethodError
from sengoku.runs import RunStatus

UNFINISHED = ("running", "stalled", "queued")
"""States of runs that are not over, the busiest first."""
MOST_ROWS = 30
"""Runs that fit on a screen."""
_COLOURS = {"running": "green", "queued": "yellow", "stalled": "red", "failed": "red", "cancelled": "dim"}


@dataclass(frozen=True)
class Look:
    """What one saw of a server at a time."""

    target: str
    version: dict[str, Any]
    status: dict[str, Any] | None
    """None for a server that does not say."""
    runs: list[RunStatus]
    clock: float = field(default_factory=time.monotonic, compare=False)

    def rates(self, before: Look | None) -> dict[str, tuple[float, float]]:
        """Matches and decisions per second by game since a look before."""
        if before is None or self.status is None or before.status is None:
            return {}
        seconds = max(1e-3, self.clock - before.clock)
        rates: dict[str, tuple[float, float]] = {}
        for game, plays in self.status["plays"].items():
            earlier = before.status["plays"].get(game, {"matches": 0, "decisions": 0})
            rates[game] = (
                max(0, plays["matches"] - earlier["matches"]) / seconds,
                max(0, plays["decisions"] - earlier["decisions"]) / seconds,
            )
        return rates

    def as_dict(self) -> dict[str, Any]:
        """Gives everything as plain values, ready for JSON."""
        runs = [run.as_dict() for run in self.runs]
        return {"server": self.target, "version": self.version, "status": self.status, "runs": runs}


def look(client: Client, target: str) -> Look:
    """Asks a server what it does; runs are those that this client may see."""
    version = client.version()
    status: dict[str, Any] | None = None
    runs: list[RunStatus] = []
    with suppress(UnknownMethodError):  # of an older server
        status = client.status()
    with suppress(UnknownMethodError):
        runs = [run.status for state in UNFINISHED for run in client.runs(state)]
    return Look(target, version, status, runs)


def show(seen: Look, before: Look | None = None, trouble: str = "") -> RenderableType:
    """Sets out what a server does; `before` is an earlier look, for what it does per second."""
    parts: list[RenderableType] = [_head(seen)]
    if trouble:
        parts.append(Text(trouble, style="bold red"))
    if seen.status is not None:
        parts.append(_work(seen.status))
        if seen.status["plays"]:
            parts.append(_plays(seen, before))
    parts.append(run_table(seen.runs) if seen.runs else Text("no run is under way", style="dim"))
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
        "calls": (f"{status['calls']:,} under way", f"{status['open_matches']:,} open matches"),
        "work": (f"{status['working']:,} being done", f"{status['waiting']:,} waiting"),
        "runs": (
            *(f"{status['runs'].get(state, 0):,} {state}" for state in UNFINISHED),
            *(f"{count:,} {state}" for state, count in over.items()),
        ),
    }
    return Text("\n".join(f"{name}: {', '.join(parts)}" for name, parts in lines.items()))


def _plays(seen: Look, before: Look | None) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("played")
    for name in ("matches", "per second", "decisions", "per second"):
        table.add_column(name, justify="right")
    rates = seen.rates(before)
    for game, plays in (seen.status or {})["plays"].items():
        told = [f"{rate:,.0f}" for rate in rates[game]] if game in rates else ["", ""]
        table.add_row(game, f"{plays['matches']:,}", told[0], f"{plays['decisions']:,}", told[1])
    return table


def run_table(runs: Iterable[RunStatus], most: int = MOST_ROWS) -> Table:
    """Sets out runs, one in a row, with a bar for how far it is."""
    rows = list(runs)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=True)
    table.add_column("run", min_width=32, overflow="fold")
    table.add_column("state", no_wrap=True)
    table.add_column("", ratio=1, min_width=6)
    table.add_column("matches", justify="right", no_wrap=True)
    for run in rows[:most]:
        about = f"{run.game}: {','.join(run.bots)}, for {run.client}"
        trouble = f"\n{run.obstacle}" if run.obstacle else ""
        state = f"queued ({run.queue_position + 1})" if run.state == "queued" else run.state
        pace = [f"{run.matches_per_second:,.0f}/s"] if run.matches_per_second else []
        pace += [f"{duration(run.time_left)} left"] if run.time_left is not None else []
        table.add_row(
            Text.assemble(short_name(run.name), "\n", (about, "dim"), (trouble, "red")),
            Text(state, style=_COLOURS.get(run.state, "")),
            ProgressBar(total=max(1, run.match_count), completed=run.matches_done),
            Text.assemble(f"{run.matches_done:,} of {run.match_count:,}", "\n", (", ".join(pace), "dim")),
        )
    if len(rows) > most:
        table.caption = f"and {len(rows) - most:,} more"
    return table


def short_name(name: str) -> str:
    """Gives as much of a name as people need to tell runs apart."""
    return name.removeprefix("operations/")


def duration(seconds: float) -> str:
    """Gives a time as people say it.

    >>> [duration(seconds) for seconds in (0.4, 59, 61, 3_725, 100_000)]
    ['0 s', '59 s', '1 min 1 s', '1 h 2 min', '1 d 3 h']
    """
    whole = int(seconds)
    parts = [
        (whole // 86_400, "d"),
        (whole // 3_600 % 24, "h"),
        (whole // 60 % 60, "min"),
        (whole % 60, "s"),
    ]
    first = next((place for place, (count, _) in enumerate(parts) if count), 3)
    return " ".join(f"{count} {unit}" for count, unit in parts[first : first + 2])
