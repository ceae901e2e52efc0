"""The `tournament` commands: tournaments between bots, in this process and on a server."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sengoku.cli.jobs import JobKind, RequestId, Watch, add_commands, print_list, print_status, watch
from sengoku.cli.options import (
    SERVER,
    Connecting,
    Json,
    Threads,
    connecting,
    err,
    out,
    print_json,
    writing,
)
from sengoku.cli.registry import App
from sengoku.errors import ArgumentError

if TYPE_CHECKING:
    from rich.table import Table

    from sengoku.client import RemoteTournament
    from sengoku.storage import Store
    from sengoku.tournament import Progress, Record, TournamentMatch, TournamentSpec
    from sengoku.tournament.status import TournamentStatus

app = App(name="tournament", help="Play and follow tournaments between bots.")

SpecFile = Annotated[
    Path, typer.Argument(help="The tournament file (TOML), or the store that holds it.", metavar="FILE")
]
FileOrName = Annotated[
    Path,
    typer.Argument(
        help="The tournament file (TOML), or the store that holds it; with --server its name there.",
        metavar="FILE|NAME",
    ),
]
StoreFile = Annotated[
    Path | None,
    typer.Option("--store", help="The file that stores results; next to the tournament file if not given."),
]
Name = Annotated[str | None, typer.Option(help="Name of the tournament, if the store has more than one.")]
FORMATS = ("md", "csv", "json", "html")
"""The formats of tables, written out here so that the help does not load the tournaments."""
_REDRAW_SECONDS = 1.0
"""Time between two updates of the live table."""


def _result(tournament: "RemoteTournament", _status: object) -> "Table":
    from sengoku.cli import tables

    return tables.standings(tournament.standings()[0])


TOURNAMENT = JobKind(
    "tournament",
    find=lambda client, name: client.tournament(name),
    label=lambda status: str(status.title),
    result=_result,
)


def _store_of(file: Path, store: Path | None) -> Path:
    if store is not None:
        return store
    return file.with_suffix(".sqlite3") if file.suffix == ".toml" else file


@contextmanager
def _stored(file: Path, store: Path | None, name: str | None, *, reading: bool) -> "Iterator[Record]":
    """Open a tournament that is in a store; reading is possible while it is being played."""
    from sengoku.storage import Store

    path = _store_of(file, store)
    if not path.exists():
        details = {"field": "FILE", "value": str(file)}
        raise ArgumentError(f"FILE is {str(file)!r}: {path} does not exist, nothing has been played", details)
    with Store(path, reading=reading) as opened:
        yield _find(opened, file, name)


def _find(store: "Store", file: Path, name: str | None) -> "Record":
    """Return the tournament with a name, else that of the file, else the only one of the store."""
    from sengoku.tournament import Record, read_spec, records

    if name is None and file.suffix == ".toml" and file.exists():
        name = read_spec(file).name
    if name is not None:
        return Record.open(store, name)
    found = records(store)
    if len(found) != 1:
        names = ", ".join(record.name for record in found) or "none"
        raise ArgumentError(f"--name is required: the store has {names}", {"field": "--name", "value": ""})
    return found[0]


@app.command("run")
def tournament_run(
    file: SpecFile, store: StoreFile = None, name: Name = None, threads: Threads = 0, as_json: Json = False
) -> None:
    """Play a tournament to its end; one that was interrupted is resumed."""
    from sengoku.storage import Store
    from sengoku.tournament import Record, read_spec, records

    spec = read_spec(file)
    with Store(_store_of(file, store)) as opened:
        known = {record.name for record in records(opened)}
        wanted = name or spec.name
        record = Record.open(opened, wanted) if wanted in known else Record.create(opened, spec, name=wanted)
        if record.spec.digest != spec.digest:
            details = {
                "field": "FILE",
                "value": str(file),
                "digest": spec.digest,
                "expected": record.spec.digest,
            }
            message = f"the store has a different tournament {wanted!r}: choose another --name or --store"
            raise ArgumentError(message, details)
        _play(record, threads, as_json)


@app.command("resume")
@connecting()
def tournament_resume(
    file: FileOrName,
    store: StoreFile = None,
    name: Name = None,
    threads: Threads = 0,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Resume a tournament from its store (the tournament file is not needed), or on a server."""
    if at.server is not None:
        with at.client() as client:
            print_status(client.tournament(str(file)).resume(), as_json)
        return
    with _stored(file, store, name, reading=False) as record:
        _play(record, threads, as_json)


def _play(record: "Record", threads: int, as_json: bool) -> None:
    """Play a tournament with a live table on a terminal, or with a line of JSON per update."""
    from sengoku.cli import tables
    from sengoku.tournament import FORMATS, Tables, play

    if as_json:
        record = play(record, threads=threads, progress=lambda update: print_json(vars(update)))
        print(FORMATS["json"](record, Tables(record.spec, record.results())), end="")
        return
    if not err().is_terminal:
        record = play(record, threads=threads)
    else:
        with _live(record) as update:
            record = play(record, threads=threads, progress=update)
    out().print(tables.standings(Tables(record.spec, record.results()).standings()))


@contextmanager
def _live(record: "Record") -> "Iterator[Callable[[Progress], None]]":
    """Show a progress bar and the standings, redrawn every second."""
    from rich.console import Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    from sengoku.cli import tables
    from sengoku.tournament import Tables

    console = err()
    columns = (
        TextColumn("round {task.fields[round]}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    bars = Bars(*columns, TextColumn("{task.fields[rate]:,.0f} matches/s"), console=console)
    task = bars.add_task("", round=1, rate=0.0)
    with Live(bars, console=console, transient=True, auto_refresh=False) as live:
        drawn = 0.0

        def update(now: "Progress") -> None:
            nonlocal drawn
            bars.update(
                task,
                completed=now.matches_done,
                total=now.matches_due,
                round=now.round,
                rate=now.matches_per_second,
            )
            if time.monotonic() - drawn >= _REDRAW_SECONDS:
                standings = Tables(record.spec, record.results()).standings()
                live.update(Group(bars, tables.standings(standings)), refresh=True)
                drawn = time.monotonic()

        yield update


@app.command("start")
@connecting(SERVER)
def tournament_start(
    file: Annotated[Path, typer.Argument(help="The tournament file (TOML).", metavar="FILE")],
    request_id: RequestId = None,
    watching: Watch = False,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Start a tournament on a server and print its name; the server continues it by itself."""
    with at.client() as client:
        tournament = client.create_tournament(file, request_id=request_id)
        print_status(tournament.status, as_json)
        if watching:
            watch(tournament, TOURNAMENT, as_json)


@app.command("list")
@connecting(SERVER)
def tournament_list(as_json: Json = False, *, at: Connecting) -> None:
    """List the visible tournaments of a server, newest first."""
    with at.client() as client:
        found = [tournament.status for tournament in client.tournaments()]
    print_list(found, as_json, "tournament", _list_tournaments)


def _list_tournaments(statuses: "Sequence[TournamentStatus]") -> None:
    for status in statuses:
        done = f"{status.matches_done:,} of {status.matches_due:,} matches"
        print(f"{status.name}\t{status.title}\t{status.state}\tround {status.round}\t{done}")


add_commands(
    app,
    TOURNAMENT,
    cancel_help="Cancel a tournament on a server; the matches played stay, and `resume` continues it.",
    delete_help="Delete a tournament that is over from a server, with its matches.",
)


@app.command("status")
@connecting()
def tournament_status(
    file: FileOrName, store: StoreFile = None, name: Name = None, as_json: Json = False, *, at: Connecting
) -> None:
    """Show the progress and the standings of a tournament, here or on a server; it may be in progress."""
    from sengoku.cli import tables
    from sengoku.tournament import Schedule, Tables
    from sengoku.tournament.report import facts

    if at.server is not None:
        with at.client() as client:
            tournament = client.tournament(str(file))
            if as_json:
                print_json(tournament.status.as_dict())
                return
            standings, status = tournament.standings()[0], tournament.metadata()
        done = f"{status.matches_done:,} of {status.matches_due:,} matches"
        print(f"{status.name}: {status.state}, round {status.round}, {done}")
        out().print(tables.standings(standings))
        return
    with _stored(file, store, name, reading=True) as record:
        results = Tables(record.spec, record.results())
        rounds = list(Schedule(record.spec).rounds(results.results))
        unfinished = sum(not standing.over for _, standings in rounds for standing in standings)
        known = {
            **facts(record),
            "matches": len(results.matches),
            "round": len(rounds),
            "meetings_open": unfinished,
        }
        if as_json:
            print_json(known)
            return
        done = f"{len(results.matches):,} matches, {unfinished} meetings unfinished"
        print(f"{record.name}: {known['state']}, round {len(rounds)}, {done}")
        out().print(tables.standings(results.standings()))


@app.command("table")
@connecting()
def tournament_table(
    file: FileOrName,
    form: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")] = "md",
    output: Annotated[Path | None, typer.Option(help="Write into this file instead.")] = None,
    store: StoreFile = None,
    name: Name = None,
    *,
    at: Connecting,
) -> None:
    """Write the tables of a tournament, here or on a server; html is a single file with pictures."""
    from sengoku.tournament import FORMATS as WRITERS
    from sengoku.tournament import Tables

    if form not in WRITERS:
        details = {"field": "--format", "value": form}
        raise ArgumentError(f"--format is {form!r}, expected one of {', '.join(WRITERS)}", details)
    if at.server is not None:
        with at.client() as client:
            text = client.tournament(str(file)).table(form)
    else:
        with _stored(file, store, name, reading=True) as record:
            text = WRITERS[form](record, Tables(record.spec, record.results()))
    _write(text, output)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        print(text, end="")
        return
    with writing("--output", output):
        output.write_text(text, "utf-8")


@app.command("plot")
def tournament_plot(
    file: SpecFile,
    output: Annotated[Path, typer.Argument(help="The picture: .png, .svg or .pdf.", metavar="PICTURE")],
    figure: Annotated[
        str, typer.Option(help="ratings, way (ratings over time), crosstable or seats.")
    ] = "ratings",
    store: StoreFile = None,
    name: Name = None,
) -> None:
    """Plot the ratings, the ratings over time, who beats whom, or what each seat is worth."""
    from sengoku.figures.plot import save_figure
    from sengoku.tournament import Tables
    from sengoku.tournament.figures import FIGURES

    if figure not in FIGURES:
        details = {"field": "--figure", "value": figure}
        raise ArgumentError(f"--figure is {figure!r}, expected one of {', '.join(FIGURES)}", details)
    with _stored(file, store, name, reading=True) as record:
        save_figure(FIGURES[figure](Tables(record.spec, record.results())), output)


@app.command("replay")
@connecting()
def tournament_replay(
    file: FileOrName,
    match: Annotated[
        str | None,
        typer.Argument(help="The match, as a line of the list names it; without it all are listed."),
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Write the replay into this file instead.")] = None,
    store: StoreFile = None,
    name: Name = None,
    *,
    at: Connecting,
) -> None:
    """List the matches of a tournament, or write the replay of one for `sengoku replay verify`."""
    if at.server is not None:
        with at.client() as client:
            tournament = client.tournament(str(file))
            if match is None:
                _list_matches(tournament.status, tournament.matches())
                return
            text = tournament.replay(match).replay()
    else:
        with _stored(file, store, name, reading=True) as record:
            if match is None:
                _list_matches(record.spec, record.matches())
                return
            text = record.replay(match).replay()
    _write(text, output)


def _list_matches(
    spec: "TournamentSpec | TournamentStatus", matches: "Iterable[tuple[str, TournamentMatch]]"
) -> None:
    listed = False
    for match, result in matches:
        bots = ", ".join(spec.bots[bot].name for bot in result.bots)
        print(f"{match}\t{spec.boards[result.board].name}\t{bots}\t{result.ranks}\t{result.reason}")
        listed = True
    if not listed:
        print("no matches")
