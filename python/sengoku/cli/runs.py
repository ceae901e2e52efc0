"""Commands about a server that is at work: its runs, and what it does at the moment."""

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from rich.live import Live

from sengoku.cli import top
from sengoku.cli.options import (
    SERVER,
    Bots,
    Connecting,
    FirstMatch,
    Game,
    Json,
    Matches,
    Seats,
    Seed,
    SetupParts,
    connecting,
    out,
    parse_bots,
    parse_setup,
    progress,
    writing,
)
from sengoku.client import RemoteRun
from sengoku.engine.run_status import STATES, RunStatus
from sengoku.errors import DeadlineError, ShuttingDownError, UnavailableError

runs_app = typer.Typer(no_args_is_help=True, help="Long runs on a server, which goes on with them by itself.")

Name = Annotated[str, typer.Argument(help="Name of the run, as `start` and `list` tell it.", metavar="NAME")]


def _tell(status: RunStatus, as_json: bool) -> None:
    """Says how a run is getting on: all about it for a program, its name for a person."""
    print(json.dumps(status.as_dict()) if as_json else status.name)


def _watch(run: RemoteRun, as_json: bool) -> None:
    """Waits until a run is over and shows what came of it."""
    if as_json:
        for status in run.watch():
            print(json.dumps(status.as_dict()), flush=True)
        run.status.check()
        return
    with progress(False, f"{run.status.game}: playing") as bar:
        summary = run.wait(progress=bar)
    out.print(summary)


@runs_app.command("start")
@connecting(SERVER)
def runs_start(
    game: Game,
    bots: Bots = "random",
    seats: Seats = None,
    matches: Matches = 1000,
    first_match: FirstMatch = 0,
    seed: Seed = 0,
    setup: SetupParts = None,
    request_id: Annotated[
        str | None,
        typer.Option(help="An id of this wish: a second call with the same id begins nothing new."),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Also watch it until it is over.")] = False,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Begins a run and tells its name."""
    with at.client() as client:
        run = client.start_run(
            game,
            bots=parse_bots(bots),
            seats=seats,
            match_count=matches,
            first_match=first_match,
            seed=seed,
            setup=parse_setup(setup),
            request_id=request_id,
        )
        _tell(run.status, as_json)
        if watch:
            _watch(run, as_json)


@runs_app.command("list")
@connecting(SERVER)
def runs_list(
    state: Annotated[str | None, typer.Option(help=f"Only those in a state: {', '.join(STATES)}.")] = None,
    owner: Annotated[str | None, typer.Option("--client", help="Only those that this client began.")] = None,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Lists the runs of a server that one may see, the newest first."""
    with at.client() as client:
        found = [run.status for run in client.runs(state, client=owner)]
    if as_json:
        print(json.dumps([status.as_dict() for status in found]))
    elif found:
        out.print(top.run_table(found, most=len(found)))
    else:
        print("no runs")


@runs_app.command("watch")
@connecting(SERVER)
def runs_watch(name: Name, as_json: Json = False, *, at: Connecting) -> None:
    """Waits until a run is over and shows what came of it; with --json a line for everything new."""
    with at.client() as client:
        _watch(client.run(name), as_json)


@runs_app.command("report")
@connecting(SERVER)
def runs_report(
    name: Name,
    save: Annotated[
        list[Path] | None,
        typer.Option(
            "--save",
            help="Also write a row for each match into this file: .parquet, .arrow or .csv; can be repeated.",
            metavar="FILE",
        ),
    ] = None,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Shows what came of a run; of one that is not over, what is done so far."""
    with at.client() as client:
        run = client.run(name)
        for file in save or []:
            with writing("--save", file):
                run.save(file)
        status = run.metadata()
    if as_json:
        print(json.dumps(status.as_dict()))
        return
    print(f"{status.name}: {status.state}, {status.matches_done:,} of {status.match_count:,} matches")
    if status.error is not None and status.state != "cancelled":
        raise status.error
    if status.summary is not None:
        out.print(status.summary)


@runs_app.command("cancel")
@connecting(SERVER)
def runs_cancel(name: Name, as_json: Json = False, *, at: Connecting) -> None:
    """Stops a run; what is done of it can still be read."""
    with at.client() as client:
        run = client.run(name)
        run.cancel()
        _tell(run.metadata(), as_json)


@runs_app.command("delete")
@connecting(SERVER)
def runs_delete(
    name: Name,
    cancel: Annotated[bool, typer.Option("--cancel", help="Stop it first if it is not over.")] = False,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Forgets a run that is over, and its rows."""
    with at.client() as client:
        run = client.run(name)
        if cancel and not run.status.over:
            run.cancel()
            for _ in run.watch():
                pass
        run.delete()
        _tell(run.status, as_json)


@connecting(SERVER)
def top_command(
    every: Annotated[float, typer.Option(min=0.2, max=3600.0, help="Seconds between two looks.")] = 1.0,
    once: Annotated[bool, typer.Option("--once", help="Look once and end.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Look once and print JSON.")] = False,
    *,
    at: Connecting,
) -> None:
    """Shows what a server does at the moment: its work, what it has played, its runs and tournaments.

    It goes on until Ctrl-C; where nobody watches it looks once.
    """
    target = SERVER if at.server is None else at.server
    with at.client() as client:
        seen = top.look(client, target)
        if as_json:
            print(json.dumps(seen.as_dict()))
            return
        if once or not out.is_terminal:
            out.print(top.show(seen))
            return
        before: top.Look | None = None
        with suppress(KeyboardInterrupt), Live(top.show(seen), console=out, auto_refresh=False) as live:
            while True:
                time.sleep(every)
                trouble = ""
                try:
                    before, seen = seen, top.look(client, target)
                except (UnavailableError, ShuttingDownError, DeadlineError) as error:
                    trouble = f"cannot be reached: {error}"
                live.update(top.show(seen, before, trouble), refresh=True)


@connecting(SERVER)
def health_command(as_json: Json = False, *, at: Connecting) -> None:
    """Says whether a server takes calls: exit code 0 if it does, 1 if it is stopping, 3 if out of reach.

    It waits five seconds at most, and needs no token.
    """
    with at.client() as client:
        status = client.health(timeout=min(at.timeout, 5.0))
    print(json.dumps({"status": status}) if as_json else status)
    if status != "SERVING":
        raise typer.Exit(1)
