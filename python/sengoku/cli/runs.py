"""The `runs` commands: long runs on a server."""

# ruff: noqa: PLC0415 - help and completion must not load the client

from pathlib import Path
from typing import Annotated, Any

import typer

from sengoku.cli.jobs import JobKind, JobName, RequestId, Watch, add_commands, print_list, print_status, watch
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
    print_json,
    writing,
)
from sengoku.cli.registry import App

app = App(name="runs", help="Start and follow long runs on a server.")

STATES = ("queued", "running", "stalled", "succeeded", "failed", "cancelled")
"""The states of a run, written out here so that the help does not load the engine."""
RUN = JobKind(
    "run",
    find=lambda client, name: client.run(name),
    label=lambda status: str(status.game),
    result=lambda _run, summary: summary,
)


@app.command("start")
@connecting(SERVER)
def runs_start(
    game: Game,
    bots: Bots = "random",
    seats: Seats = None,
    matches: Matches = 1000,
    first_match: FirstMatch = 0,
    seed: Seed = 0,
    setup: SetupParts = None,
    request_id: RequestId = None,
    watching: Watch = False,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Start a run and print its name; the server continues it by itself."""
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
        print_status(run.status, as_json)
        if watching:
            watch(run, RUN, as_json)


@app.command("list")
@connecting(SERVER)
def runs_list(
    state: Annotated[str | None, typer.Option(help=f"Only runs in this state: {', '.join(STATES)}.")] = None,
    owner: Annotated[str | None, typer.Option("--client", help="Only runs that this client started.")] = None,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """List the visible runs of a server, newest first."""
    from sengoku.cli.status import run_table

    with at.client() as client:
        found = [run.status for run in client.runs(state, client=owner)]
    print_list(found, as_json, "run", lambda rows: out().print(run_table(rows, most=len(rows))))


@app.command("report")
@connecting(SERVER)
def runs_report(
    name: JobName,
    save: Annotated[
        list[Path] | None,
        typer.Option(
            "--save",
            help="Also write one row per match into this file: .parquet, .arrow or .csv; can be repeated.",
            metavar="FILE",
        ),
    ] = None,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Show the results of a run; if it is not over, those so far."""
    with at.client() as client:
        run = client.run(name)
        for file in save or []:
            with writing("--save", file):
                run.save(file)
        status: Any = run.metadata()
    if as_json:
        print_json(status.as_dict())
        return
    print(f"{status.name}: {status.state}, {status.matches_done:,} of {status.match_count:,} matches")
    if status.error is not None and status.state != "cancelled":
        raise status.error
    if status.summary is not None:
        out().print(status.summary)


@app.command("resume")
@connecting(SERVER)
def runs_resume(name: JobName, watching: Watch = False, as_json: Json = False, *, at: Connecting) -> None:
    """Resume a run that was cancelled or failed; the matches played before are not played again."""
    with at.client() as client:
        run = client.run(name)
        print_status(run.resume(), as_json)
        if watching:
            watch(run, RUN, as_json)


add_commands(
    app,
    RUN,
    cancel_help="Cancel a run; the matches played so far stay readable, and `resume` continues it.",
    delete_help="Delete a run that is over, with its results.",
)
