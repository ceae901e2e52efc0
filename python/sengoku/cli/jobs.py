"""Commands that runs and tournaments share: list, watch, cancel and delete jobs of a server."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from sengoku.cli.commands import App
from sengoku.cli.options import SERVER, Connecting, Json, argument, connecting, option
from sengoku.cli.output import out, print_json, print_result, progress

if TYPE_CHECKING:
    from rich.console import RenderableType

    from sengoku.client import Client, RemoteRun, RemoteTournament
    from sengoku.engine import RunStatus
    from sengoku.tournament.status import TournamentStatus


JobName = Annotated[str, argument("Name on the server, as `start` and `list` print it.", "NAME")]
_REQUEST_ID = "An id for this request: a second call with the same id starts nothing new."
RequestId = Annotated[str | None, option(_REQUEST_ID)]
Watch = Annotated[bool, option("Also watch it until it is over.", "--watch")]


@dataclass(frozen=True)
class JobKind:
    """One of the two kinds of jobs: how the commands find, name and show them."""

    noun: str
    find: "Callable[[Client, str], RemoteRun | RemoteTournament]"  # find a job of a server by its name
    label: Callable[[Any], str]  # return what a job plays, from its status
    result: "Callable[[Any, Any], RenderableType]"
    """Return what to show of a job that is over, from the job and the value of its `wait`."""


def print_status(status: "RunStatus | TournamentStatus", as_json: bool) -> None:
    """Print a job: everything about it as JSON, or its name."""
    print_result(status.name, status.as_dict, as_json)


def print_list(
    statuses: Sequence[Any], as_json: bool, noun: str, show: Callable[[Sequence[Any]], None]
) -> None:
    """Print jobs with `show`, or that there are none."""
    if as_json:
        print_json([status.as_dict() for status in statuses])
    elif statuses:
        show(statuses)
    else:
        print(f"no {noun}s")


def watch(job: "RemoteRun | RemoteTournament", kind: JobKind, as_json: bool) -> None:
    """Wait until a job is over and show its result; as JSON, print a line whenever something changes."""
    if as_json:
        for status in job.watch():
            print_json(status.as_dict())
        job.status.check()
        return
    with progress(False, f"{kind.label(job.status)}: playing") as bar:
        result = job.wait(progress=bar)
    out().print(kind.result(job, result))


def add_commands(app: App, kind: JobKind, *, cancel_help: str, delete_help: str) -> None:
    """Add the commands watch, cancel and delete to the group of a kind of jobs."""

    @app.command(
        "watch",
        help=f"Wait until a {kind.noun} on a server is over and show its result.\n\n"
        "With --json, print a line whenever something changes.",
    )
    @connecting(SERVER)
    def watch_command(name: JobName, as_json: Json = False, *, at: Connecting) -> None:
        with at.client() as client:
            watch(kind.find(client, name), kind, as_json)

    @app.command("cancel", help=cancel_help)
    @connecting(SERVER)
    def cancel_command(name: JobName, as_json: Json = False, *, at: Connecting) -> None:
        with at.client() as client:
            job = kind.find(client, name)
            job.cancel()
            print_status(job.metadata(), as_json)

    @app.command("delete", help=delete_help)
    @connecting(SERVER)
    def delete_command(
        name: JobName,
        cancel: Annotated[bool, option("Cancel it first if it is not over.", "--cancel")] = False,
        as_json: Json = False,
        *,
        at: Connecting,
    ) -> None:
        with at.client() as client:
            job = kind.find(client, name)
            if cancel and not job.status.over:
                job.cancel()
                for _ in job.watch():
                    pass  # until it is over
            job.delete()
            print_status(job.status, as_json)
