"""The `runs` commands: long runs on a server."""

# ruff: noqa: PLC0415 - help and completion must not load the client

from pathlib import Path
from typing import Annotated, Any

from sengoku.cli.commands import App
from sengoku.cli.jobs import JobKind, JobName, RequestId, Watch, add_commands, print_list, print_status, watch
from sengoku.cli.options import (
    SERVER,
    Bots,
    Connecting,
    Game,
    Json,
    connecting,
    option,
    parse_bots,
    requesting,
    written,
)
from sengoku.cli.output import out, print_json, writing

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
@requesting()
def runs_start(
    game: Game,
    bots: Bots = "random",
    *,
    request: dict[str, Any],
    request_id: RequestId = None,
    watching: Watch = False,
    as_json: Json = False,
    at: Connecting,
) -> None:
    """Start a run and print its name; the server continues it by itself."""
    with at.client() as client:
        run = client.start_run(game, bots=parse_bots(bots), **request, request_id=request_id)
        print_status(run.status, as_json)
        if watching:
            watch(run, RUN, as_json)


@app.command("list")
@connecting(SERVER)
def runs_list(
    state: Annotated[str | None, option(f"Only runs in this state: {', '.join(STATES)}.")] = None,
    owner: Annotated[str | None, option("Only runs that this client started.", "--client")] = None,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """List the visible runs of a server, newest first."""
    from sengoku.cli.status import run_table

    with at.client() as client:
        found = [run.status for run in client.runs(state, client=owner)]
    print_list(found, as_json, "run", lambda rows: out().print(run_table(rows, most=len(rows))))


_SAVE = "Also write one row per match into this file: .parquet, .arrow or .csv; can be repeated."


@app.command("report")
@connecting(SERVER)
def runs_report(
    name: JobName,
    save: Annotated[list[Path] | None, written(option(_SAVE, metavar="FILE"), "--save")] = None,
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
