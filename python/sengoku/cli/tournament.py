"""The `tournament` commands: tournaments between bots, in this process and on a server."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sengoku.cli.chosen_tournament import Chosen, choosing
from sengoku.cli.commands import App
from sengoku.cli.jobs import JobKind, RequestId, Watch, add_commands, print_list, print_status, watch
from sengoku.cli.options import (
    SERVER,
    Connecting,
    Fleet,
    Json,
    Threads,
    argument,
    connecting,
    opened_fleet,
    option,
    written,
)
from sengoku.cli.output import err, out, print_json, print_result, progress, writing
from sengoku.errors import ArgumentError, SengokuError

if TYPE_CHECKING:
    from rich.table import Table

    from sengoku.client import RemoteTournament
    from sengoku.tournament import Progress, Record
    from sengoku.tournament.status import TournamentStatus

app = App(name="tournament", help="Play and follow tournaments between bots.")

FORMATS = ("md", "csv", "json", "html")
"""The formats of tables, written out here so that the help does not load the tournaments."""
_REDRAW_SECONDS = 1.0  # time between two updates of the live table


def _result(tournament: "RemoteTournament", _status: object) -> "Table":
    from sengoku.cli import tables

    return tables.standings(tournament.standings()[0])


TOURNAMENT = JobKind(
    "tournament",
    find=lambda client, name: client.tournament(name),
    label=lambda status: str(status.title),
    result=_result,
)


@app.command("run")
@choosing(remote=False)
def tournament_run(chosen: Chosen, threads: Threads = 0, as_json: Json = False, fleet: Fleet = None) -> None:
    """Play a tournament to its end; one that was interrupted is resumed."""
    from sengoku.storage import Store
    from sengoku.tournament import Record, read_spec, records

    spec = read_spec(chosen.file)
    with _leaving_nothing(chosen.path), Store(chosen.path) as opened:
        known = {record.name for record in records(opened)}
        wanted = chosen.name or spec.name
        record = Record.open(opened, wanted) if wanted in known else Record.create(opened, spec, name=wanted)
        if record.spec.digest != spec.digest:
            digests = {"digest": spec.digest, "expected": record.spec.digest}
            message = f"the store has a different tournament {wanted!r}: choose another --name or --store"
            raise ArgumentError(message, {"field": "FILE", "value": str(chosen.file), **digests})
        try:
            _play(record, threads, as_json, chosen.file, fleet)
        except SengokuError:
            # What was refused must not be in the way of the corrected file.
            if wanted not in known and not record.count():
                record.delete()
            raise


@contextmanager
def _leaving_nothing(path: Path) -> "Iterator[None]":
    """Remove a store that was created, and its folders, if the command fails while it is empty."""
    from sengoku.storage import Store

    existed = path.exists()
    folders = [folder for folder in path.absolute().parents if not folder.exists()]
    try:
        yield
    except SengokuError:
        if not existed and path.is_file():
            with Store(path) as store:
                empty = not store.tournaments.all() and not store.runs.page(most=1)
            if empty:
                path.unlink()
        for folder in folders:
            with suppress(OSError):
                folder.rmdir()
        raise


@app.command("resume")
@connecting()
@choosing(remote=True)
def tournament_resume(chosen: Chosen, threads: Threads = 0, as_json: Json = False, *, at: Connecting) -> None:
    """Resume a tournament from its store (the tournament file is not needed), or on a server."""
    if at.server is not None:
        with at.client() as client:
            print_status(client.tournament(str(chosen.file)).resume(), as_json)
    else:
        with chosen.record(reading=False) as record:
            _play(record, threads, as_json, chosen.file)


def _play(record: "Record", threads: int, as_json: bool, file: Path, fleet: str | None = None) -> None:
    """Play a tournament with a live table on a terminal, or with a line of JSON per update."""
    from sengoku.tournament import play

    if fleet is None:
        _show(record, partial(play, threads=threads, hide=(file,)), as_json)  # with the seed, if it has one
    else:
        with opened_fleet(fleet) as opened:
            _show(record, partial(opened.tournament, threads=threads), as_json)


def _show(record: "Record", play: "Callable[..., Record]", as_json: bool) -> None:
    from sengoku.cli import tables
    from sengoku.tournament import FORMATS

    if as_json:
        record = play(record, progress=lambda update: print_json(vars(update)))
        print(FORMATS["json"](record, record.tables()), end="")
        return
    if not err().is_terminal:
        record = play(record)
    else:
        with _live(record) as update:
            record = play(record, progress=update)
    found = record.tables()
    out().print(tables.standings(found.standings()))
    if (costs := found.cost_table()).rows:
        out().print(tables.standings(costs))


@contextmanager
def _live(record: "Record") -> "Iterator[Callable[[Progress], None]]":
    """Show a progress bar and the standings, redrawn every second."""
    from rich.console import Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    from sengoku.cli import tables

    console, rate = err(), TextColumn("{task.fields[rate]:,.0f} matches/s")
    columns = (TextColumn("round {task.fields[round]}"), BarColumn(), MofNCompleteColumn())
    bars = Bars(*columns, TimeRemainingColumn(), rate, console=console)
    task = bars.add_task("", round=1, rate=0.0)
    with Live(bars, console=console, transient=True, auto_refresh=False) as live:
        drawn = 0.0

        def update(now: "Progress") -> None:
            nonlocal drawn
            shown: dict[str, Any] = {"round": now.round, "rate": now.matches_per_second}
            bars.update(task, completed=now.matches_done, total=now.matches_due, **shown)
            if time.monotonic() - drawn >= _REDRAW_SECONDS:
                live.update(Group(bars, tables.standings(record.tables().standings())), refresh=True)
                drawn = time.monotonic()

        yield update


@app.command("start")
@connecting(SERVER)
def tournament_start(
    file: Annotated[Path, argument("The tournament file (TOML).", "FILE")],
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
@choosing(remote=True)
def tournament_status(chosen: Chosen, as_json: Json = False, *, at: Connecting) -> None:
    """Show the progress and the standings of a tournament, here or on a server; it may be in progress."""
    from sengoku.cli import tables
    from sengoku.tournament import Record, Schedule
    from sengoku.tournament.report import facts

    with chosen.anywhere(at) as tournament:
        if isinstance(tournament, Record):
            results = tournament.tables()
            rounds = list(Schedule(tournament.spec).rounds(results.results))
            unfinished = sum(not standing.over for _, standings in rounds for standing in standings)
            played = {"matches": len(results.matches), "round": len(rounds), "meetings_open": unfinished}
            known, standings = {**facts(tournament), **played}, results.standings()
            done = f"{len(results.matches):,} matches, {unfinished} meetings unfinished"
        else:
            standings, status = tournament.standings()[0], tournament.metadata()
            known = status.as_dict()
            done = f"{status.matches_done:,} of {status.matches_due:,} matches"
    if as_json:
        print_json(known)
    else:
        print(f"{known['name']}: {known['state']}, round {known['round']}, {done}")
        out().print(tables.standings(standings))


def _one_of(flag: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        details = {"field": flag, "value": value}
        raise ArgumentError(f"{flag} is {value!r}, expected one of {', '.join(known)}", details)


@app.command("table")
@connecting()
@choosing(remote=True)
def tournament_table(
    chosen: Chosen,
    form: Annotated[str, option(f"One of {', '.join(FORMATS)}.", "--format")] = "md",
    output: Annotated[Path | None, written(option("Write into this file instead."), "--output")] = None,
    *,
    at: Connecting,
) -> None:
    """Write the tables of a tournament, here or on a server; html is a single file with pictures."""
    from sengoku.tournament import FORMATS as WRITERS
    from sengoku.tournament import Record

    _one_of("--format", form, FORMATS)
    with chosen.anywhere(at) as tournament:
        if isinstance(tournament, Record):
            text = WRITERS[form](tournament, tournament.tables())
        else:
            text = tournament.table(form)
    _write(text, output)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        print(text, end="")
        return
    with writing("--output", output):
        output.write_text(text, "utf-8")


@app.command("plot")
@choosing(remote=False)
def tournament_plot(
    chosen: Chosen,
    output: Annotated[
        Path, written(argument("The picture: .png, .svg or .pdf.", "PICTURE"), "PICTURE", parents=True)
    ],
    figure: Annotated[str, option("ratings, way (ratings over time), crosstable or seats.")] = "ratings",
) -> None:
    """Plot the ratings, the ratings over time, who beats whom, or what each seat is worth."""
    from sengoku.figures.plot import save_figure
    from sengoku.tournament.figures import FIGURES, drawing

    _one_of("--figure", figure, list(FIGURES))
    with chosen.record() as record, drawing():
        save_figure(FIGURES[figure](record.tables()), output)


_ELO = "Lead of the better bot in Elo points; several separated by commas."
_POWER = "Probability of finding the lead."
_LEVEL = "Confidence level of the interval that must not contain 0."
_BLOCK = "Matches of a block: one for each seating on one seed."
_EFFECT = "Variance of the score of a block, relative to that of independent matches."
_LIKE = "A tournament, or its store: take block and effect from its matches."
_VARIANCE = "Share of the variance that luck explains and that is taken out, as `tournament luck` does."


@app.command("needed")
def tournament_needed(
    elo: Annotated[str, option(_ELO)] = "10,20,50,100,200",
    power: Annotated[float, option(_POWER)] = 0.8,
    level: Annotated[float, option(_LEVEL)] = 0.95,
    block: Annotated[int, option(_BLOCK)] = 2,
    effect: Annotated[float, option(_EFFECT)] = 1.0,
    luck: Annotated[float, option(_VARIANCE)] = 0.0,
    like: Annotated[Path | None, option(_LIKE)] = None,
    as_json: Json = False,
) -> None:
    """Estimate how many matches show that one bot is better than another, before they are played."""
    from sengoku.cli import tables
    from sengoku.tournament.power import matches_needed, measured_effect

    try:
        leads = [float(part) for part in elo.split(",")]
    except ValueError:
        details = {"field": "--elo", "value": elo}
        raise ArgumentError(f"--elo is {elo!r}: must be numbers separated by commas", details) from None
    if not 0 <= luck < 1:
        details = {"field": "--luck", "value": f"{luck:g}"}
        raise ArgumentError(f"--luck is {luck:g}: must be at least 0 and less than 1", details)
    if like is not None:
        with Chosen(like, None, None).record() as record:
            found = record.tables()
            measured = measured_effect(found)
            if measured is None:
                details = {"field": "--like", "value": str(like)}
                raise ArgumentError(
                    f"--like is {str(like)!r}: it has too few matches to measure from", details
                )
            block, effect = found.matches_of_a_block, measured
    rows = [
        matches_needed(lead, power=power, level=level, block=block, effect=effect * (1 - luck))
        for lead in leads
    ]
    print_result(tables.matches_needed(rows), [asdict(row) for row in rows], as_json)


@app.command("luck")
@choosing(remote=False)
def tournament_luck(
    chosen: Chosen,
    draws: Annotated[int, option("How many other draws each draw is compared with.")] = 2,
    matches: Annotated[int, option("Analyse at most this number of matches; 0: all.")] = 0,
    threads: Threads = 0,
    as_json: Json = False,
) -> None:
    """Show how lucky each bot was, and its share of the victories with luck taken out.

    Matches are replayed and every draw is compared with others that could have been drawn.
    """
    from sengoku.cli import tables
    from sengoku.engine.checks import check_integer
    from sengoku.tournament.luck import luck_table

    check_integer("--draws", draws, 1, 10_000)
    check_integer("--matches", matches, 0, 2**31 - 1)
    with chosen.record() as record, progress(as_json, "analysing") as bar:
        rows = luck_table(record, draws, most=matches or -1, threads=threads, progress=bar)
    print_result(tables.luck(rows), [asdict(row) for row in rows], as_json)


_NOTES = "Write the notes of the players instead, such as prompts and answers, one JSON object per line."


@app.command("replay")
@connecting()
@choosing(remote=True)
def tournament_replay(
    chosen: Chosen,
    match: Annotated[
        str | None,
        typer.Argument(help="The match, as a line of the list names it; without it all are listed."),
    ] = None,
    notes: Annotated[bool, option(_NOTES, "--notes")] = False,
    output: Annotated[
        Path | None, written(option("Write the replay into this file instead."), "--output")
    ] = None,
    *,
    at: Connecting,
) -> None:
    """List the matches of a tournament, or write the replay of one for `sengoku replay verify`."""
    with chosen.anywhere(at) as tournament:
        if notes:
            _write(_notes(tournament, match), output)
        elif match is None:
            _list_matches(tournament)
        else:
            _write(tournament.replay(match).replay(), output)


def _notes(tournament: "Record | RemoteTournament", match: str | None) -> str:
    from sengoku.tournament import Record

    if match is None:
        raise ArgumentError("--notes needs the name of a match", {"field": "--notes", "value": "true"})
    if not isinstance(tournament, Record):
        message = "--notes is for tournaments of this machine: servers do not hand notes out"
        raise ArgumentError(message, {"field": "--notes", "value": "true"})
    return "".join(f"{json.dumps(note, ensure_ascii=False)}\n" for note in tournament.notes(match))


def _list_matches(tournament: "Record | RemoteTournament") -> None:
    from sengoku.engine.words import name_text
    from sengoku.tournament import Record

    spec = tournament.spec if isinstance(tournament, Record) else tournament.status
    match = None
    for match, result in tournament.matches():
        bots = ", ".join(spec.bots[bot].name for bot in result.bots)
        ranks = ", ".join(map(str, result.ranks))
        board = spec.boards[result.board].name
        print(f"{match}\t{board}\t{bots}\tranks {ranks}\t{name_text(result.reason)}")
    if match is None:
        print("no matches")
