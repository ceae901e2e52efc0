"""Commands about tournaments."""

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.table import Table as Sheet

from sengoku.cli.options import SERVER, Connecting, Json, connecting, err, out, progress, writing
from sengoku.client.tournaments import RemoteTournament
from sengoku.errors import ArgumentError
from sengoku.figures.plot import save_figure
from sengoku.storage.store import Store
from sengoku.tournament import (
    FORMATS,
    Progress,
    Record,
    Tables,
    TournamentMatch,
    TournamentSpec,
    play,
    read_spec,
    records,
)
from sengoku.tournament.report import cell, facts, heading
from sengoku.tournament.schedule import Schedule
from sengoku.tournament.standings import Table
from sengoku.tournament.status import TournamentStatus

tournament_app = typer.Typer(no_args_is_help=True, help="Tournaments between bots, scored and written down.")

SpecFile = Annotated[
    Path, typer.Argument(help="The tournament file (TOML), or the store that it is kept in.", metavar="FILE")
]
Anywhere = Annotated[
    Path,
    typer.Argument(
        help="The tournament file (TOML), or the store that it is kept in; with --server the name there.",
        metavar="FILE|NAME",
    ),
]
There = Annotated[
    str, typer.Argument(help="Name of the tournament, as `start` and `list` tell it.", metavar="NAME")
]
StoreFile = Annotated[
    Path | None,
    typer.Option("--store", help="The file that results go to; beside the tournament file if not given."),
]
Name = Annotated[str | None, typer.Option(help="The tournament, where the store has several.")]
Threads = Annotated[int, typer.Option(help="Threads; 0 is one for each core.")]
_WIDE = ("elo_low", "elo_high", "mean_rank")
_EVERY_SECONDS = 1.0
"""How often the table is drawn anew while a person watches."""


def _store_of(file: Path, store: Path | None) -> Path:
    if store is not None:
        return store
    return file.with_suffix(".sqlite3") if file.suffix == ".toml" else file


@contextmanager
def _reading(file: Path, store: Path | None, name: str | None) -> Iterator[Record]:
    """Looks at a tournament, also at one that is being played."""
    path = _store_of(file, store)
    if not path.exists():
        raise ArgumentError(
            f"FILE is {str(file)!r}: nothing has been played into {path}",
            {"field": "FILE", "value": str(file)},
        )
    with Store(path, reading=True) as opened:
        yield _named(opened, file, name)


def _named(store: Store, file: Path, name: str | None) -> Record:
    """The tournament that is meant."""
    if name is None and file.suffix == ".toml" and file.exists():
        name = read_spec(file).name
    if name is not None:
        return Record.open(store, name)
    found = records(store)
    if len(found) != 1:
        names = ", ".join(record.name for record in found) or "none"
        raise ArgumentError(f"--name is missing: the store has {names}", {"field": "--name", "value": ""})
    return found[0]


@tournament_app.command("run")
def tournament_run(
    file: SpecFile, store: StoreFile = None, name: Name = None, threads: Threads = 0, as_json: Json = False
) -> None:
    """Plays a tournament to its end; one that was begun before goes on."""
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
            message = f"the store has another tournament {wanted!r}: choose another --name or --store"
            raise ArgumentError(message, details)
        _play(record, threads, as_json)


@tournament_app.command("resume")
@connecting()
def tournament_resume(
    file: Anywhere,
    store: StoreFile = None,
    name: Name = None,
    threads: Threads = 0,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Goes on with a tournament from its store alone, as its file may be gone, or on a server."""
    if at.server is not None:
        with at.client() as client:
            _say(client.tournament(str(file)).resume(), as_json)
        return
    path = _store_of(file, store)
    if not path.exists():
        raise ArgumentError(
            f"FILE is {str(file)!r}: nothing has been played into {path}",
            {"field": "FILE", "value": str(file)},
        )
    with Store(path) as opened:
        _play(_named(opened, file, name), threads, as_json)


def _play(record: Record, threads: int, as_json: bool) -> None:
    """Plays with a live table while a person watches, or with a line of JSON for everything new."""
    if as_json:
        record = play(
            record, threads=threads, progress=lambda told: print(json.dumps(vars(told)), flush=True)
        )
        print(FORMATS["json"](record, Tables(record.spec, record.results())), end="")
        return
    if not err.is_terminal:
        record = play(record, threads=threads)
    else:
        with _live(record) as tell:
            record = play(record, threads=threads, progress=tell)
    out.print(sheet(Tables(record.spec, record.results()).standings()))


@contextmanager
def _live(record: Record) -> Iterator[Any]:
    """A bar and the standings, drawn anew every second."""
    columns = (
        TextColumn("round {task.fields[round]}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    bars = Bars(*columns, TextColumn("{task.fields[rate]:,.0f} matches/s"), console=err)
    task = bars.add_task("", round=1, rate=0.0)
    with Live(bars, console=err, transient=True, auto_refresh=False) as live:
        drawn = 0.0

        def tell(told: Progress) -> None:
            nonlocal drawn
            bars.update(
                task,
                completed=told.matches_done,
                total=told.matches_due,
                round=told.round,
                rate=told.matches_per_second,
            )
            now = time.monotonic()
            if now - drawn >= _EVERY_SECONDS:
                standings = Tables(record.spec, record.results()).standings()
                live.update(Group(bars, sheet(standings)), refresh=True)
                drawn = time.monotonic()

        yield tell


@tournament_app.command("start")
@connecting(SERVER)
def tournament_start(
    file: Annotated[Path, typer.Argument(help="The tournament file (TOML).", metavar="FILE")],
    request_id: Annotated[
        str | None,
        typer.Option(help="An id of this wish: a second call with the same id begins nothing new."),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Also watch it until it is over.")] = False,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Begins a tournament on a server, which goes on with it by itself, and tells its name."""
    with at.client() as client:
        tournament = client.create_tournament(file, request_id=request_id)
        _say(tournament.status, as_json)
        if watch:
            _watch(tournament, as_json)


@tournament_app.command("list")
@connecting(SERVER)
def tournament_list(as_json: Json = False, *, at: Connecting) -> None:
    """Lists the tournaments of a server that one may see, the newest first."""
    with at.client() as client:
        found = [tournament.status for tournament in client.tournaments()]
    if as_json:
        print(json.dumps([status.as_dict() for status in found]))
        return
    for status in found:
        done = f"{status.matches_done:,} of {status.matches_due:,} matches"
        print(f"{status.name}\t{status.title}\t{status.state}\tround {status.round}\t{done}")
    if not found:
        print("no tournaments")


@tournament_app.command("watch")
@connecting(SERVER)
def tournament_watch(name: There, as_json: Json = False, *, at: Connecting) -> None:
    """Waits until a tournament on a server is over and shows how it ended; --json is a line for all news."""
    with at.client() as client:
        _watch(client.tournament(name), as_json)


@tournament_app.command("cancel")
@connecting(SERVER)
def tournament_cancel(name: There, as_json: Json = False, *, at: Connecting) -> None:
    """Stops a tournament on a server; what is played stays, and `resume` goes on with it."""
    with at.client() as client:
        _say(client.tournament(name).cancel(), as_json)


@tournament_app.command("delete")
@connecting(SERVER)
def tournament_delete(
    name: There,
    cancel: Annotated[bool, typer.Option("--cancel", help="Stop it first if it is not over.")] = False,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Lets a server forget a tournament that is over, and its matches."""
    with at.client() as client:
        tournament = client.tournament(name)
        if cancel:
            tournament.cancel()
        tournament.delete()
        _say(tournament.status, as_json)


def _say(status: TournamentStatus, as_json: bool) -> None:
    """Says how a tournament is getting on: all about it for a program, its name for a person."""
    print(json.dumps(status.as_dict()) if as_json else status.name)


def _watch(tournament: RemoteTournament, as_json: bool) -> None:
    if as_json:
        for status in tournament.watch():
            print(json.dumps(status.as_dict()), flush=True)
        tournament.status.check()
        return
    with progress(False, f"{tournament.status.title}: playing") as bar:
        tournament.wait(progress=bar)
    out.print(sheet(tournament.standings()[0]))


@tournament_app.command("status")
@connecting()
def tournament_status(
    file: Anywhere, store: StoreFile = None, name: Name = None, as_json: Json = False, *, at: Connecting
) -> None:
    """Says how far a tournament is and how it stands; it may be under way, here or on a server."""
    if at.server is not None:
        with at.client() as client:
            tournament = client.tournament(str(file))
            if as_json:
                print(json.dumps(tournament.status.as_dict()))
                return
            standings, status = tournament.standings()[0], tournament.metadata()
        out.print(
            f"{escape(status.name)}: {status.state}, round {status.round}, "
            f"{status.matches_done:,} of {status.matches_due:,} matches",
            highlight=False,
        )
        out.print(sheet(standings))
        return
    with _reading(file, store, name) as record:
        tables = Tables(record.spec, record.results())
        rounds = list(Schedule(record.spec).rounds(tables.results))
        open_ones = sum(not standing.over for _, standings in rounds for standing in standings)
        told = {
            **facts(record),
            "matches": len(tables.matches),
            "round": len(rounds),
            "meetings_open": open_ones,
        }
        if as_json:
            print(json.dumps(told))
            return
        out.print(
            f"{escape(record.name)}: {told['state']}, round {len(rounds)}, {len(tables.matches):,} matches, "
            f"{open_ones} meetings open",
            highlight=False,
        )
        out.print(sheet(tables.standings()))


@tournament_app.command("table")
@connecting()
def tournament_table(
    file: Anywhere,
    form: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")] = "md",
    output: Annotated[Path | None, typer.Option(help="Write into this file instead.")] = None,
    store: StoreFile = None,
    name: Name = None,
    *,
    at: Connecting,
) -> None:
    """Writes the tables of a tournament, here or on a server; html is one file with pictures."""
    if form not in FORMATS:
        details = {"field": "--format", "value": form}
        raise ArgumentError(f"--format is {form!r}, there is {', '.join(FORMATS)}", details)
    if at.server is not None:
        with at.client() as client:
            text = client.tournament(str(file)).table(form)
    else:
        with _reading(file, store, name) as record:
            text = FORMATS[form](record, Tables(record.spec, record.results()))
    if output is None:
        print(text, end="")
        return
    with writing("--output", output):
        output.write_text(text, "utf-8")


@tournament_app.command("plot")
def tournament_plot(
    file: SpecFile,
    output: Annotated[Path, typer.Argument(help="The picture: .png, .svg or .pdf.", metavar="PICTURE")],
    figure: Annotated[str, typer.Option(help="ratings, way (over time), crosstable or seats.")] = "ratings",
    store: StoreFile = None,
    name: Name = None,
) -> None:
    """Draws the ratings, their way over time, who beats whom, or what the seats are worth."""
    from sengoku.tournament.figures import FIGURES  # noqa: PLC0415 - pictures are an extra

    if figure not in FIGURES:
        details = {"field": "--figure", "value": figure}
        raise ArgumentError(f"--figure is {figure!r}, there is {', '.join(FIGURES)}", details)
    with _reading(file, store, name) as record:
        save_figure(FIGURES[figure](Tables(record.spec, record.results())), output)


@tournament_app.command("replay")
@connecting()
def tournament_replay(
    file: Anywhere,
    match: Annotated[
        str | None,
        typer.Argument(help="The match, as a line of the list names it; all are listed without it."),
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Write the replay into this file instead.")] = None,
    store: StoreFile = None,
    name: Name = None,
    *,
    at: Connecting,
) -> None:
    """Lists the matches of a tournament, or gives the replay of one for `sengoku replay verify`."""
    if at.server is not None:
        with at.client() as client:
            tournament = client.tournament(str(file))
            if match is None:
                _list_matches(tournament.status, tournament.matches())
                return
            text = tournament.replay(match).replay()
    else:
        with _reading(file, store, name) as record:
            if match is None:
                _list_matches(record.spec, record.matches())
                return
            text = record.replay(match).replay()
    with writing("--output", output) if output is not None else nullcontext():
        if output is None:
            print(text, end="")
        else:
            output.write_text(text, "utf-8")


def _list_matches(
    spec: TournamentSpec | TournamentStatus, matches: Iterable[tuple[str, TournamentMatch]]
) -> None:
    for listed, result in matches:
        bots = ", ".join(spec.bots[bot].name for bot in result.bots)
        print(f"{listed}\t{spec.boards[result.board].name}\t{bots}\t{result.ranks}\t{result.reason}")


def sheet(table: Table) -> Sheet:
    """A table for a terminal: an error stands beside its value, and ranges are left to wider media."""
    shown = Sheet(title=table.title, box=box.SIMPLE_HEAD)
    columns: list[list[int]] = []
    for place, name in enumerate(table.headings):
        if name.endswith(("_error", "_sigma")):
            columns[-1].append(place)
        elif name not in _WIDE:
            columns.append([place])
    for places in columns:
        number = any(isinstance(row[places[0]], int | float) for row in table.rows)
        shown.add_column(heading(table.headings[places[0]]), justify="right" if number else "left")
    for row in table.rows:
        cells = (
            " ± ".join(filter(None, (cell(table.headings[place], row[place]) for place in places)))
            for places in columns
        )
        shown.add_row(*map(escape, cells))
    return shown
