"""The `bot` commands: custom bots, in this process and as players on a server."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

import logging
import signal
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sengoku.cli.options import (
    SERVER,
    Connecting,
    FirstMatch,
    Json,
    Matches,
    Seats,
    Seed,
    SetupParts,
    connecting,
    err,
    out,
    parse_bots,
    parse_setup,
    print_json,
    progress,
    writing,
)
from sengoku.cli.registry import App

if TYPE_CHECKING:
    from sengoku.bots import PlayReport
    from sengoku.bots.port import Over
    from sengoku.errors import SengokuError

app = App(name="bot", help="Check custom bots, play them and connect them to a server.")

DECISIONS = 15
"""Decisions per seat that a check plays, written out here so that the help does not load the engine."""
Bot = Annotated[
    str, typer.Argument(help="The bot, as module:Name or file.py:Name.", metavar="BOT", show_default=False)
]
GameOption = Annotated[str, typer.Option(help="Name of the game, as `sengoku games` lists it.")]
Rotate = Annotated[
    bool,
    typer.Option(help="Play each match once per seat, so that every player takes every seat."),
]
Seconds = Annotated[float, typer.Option(help="Seconds per decision; a later response forfeits the match.")]
Bank = Annotated[float, typer.Option(help="Extra seconds per match.")]
Replays = Annotated[bool, typer.Option("--replays", help="Also print every decision; only with --json.")]


@app.command("check")
def bot_check(
    bot: Bot,
    game: Annotated[
        str | None, typer.Option(help="Only this game; all games that the bot plays if not given.")
    ] = None,
    seed: Seed = 0,
    clock: Annotated[float, typer.Option(help="Seconds per decision.")] = 10.0,
    bank: Bank = 0.0,
    decisions: Annotated[
        int, typer.Option(help="Decisions to play per match and seat; whole matches have more.")
    ] = DECISIONS,
    save_replays: Annotated[
        Path | None, typer.Option(help="Folder for replays of the failed matches, each up to the failure.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play a bot through the edge cases of its games; the exit code is 1 if anything failed."""
    from sengoku.bots import Clock, check_bot, load_bot

    load_bot(bot)
    logging.getLogger("sengoku.bots").setLevel(logging.ERROR)  # failures are printed once, in the report
    with progress(as_json, "checking") as bar:
        report = check_bot(
            lambda: load_bot(bot),
            game=game,
            seed=seed,
            clock=Clock(clock, bank),
            decisions=decisions,
            progress=bar,
        )
    if save_replays is not None:
        with writing("--save-replays", save_replays):
            report.save_replays(save_replays)
    if as_json:
        print_json(report.to_dict())
    else:
        out().print(report)
    if not report.passed:
        raise typer.Exit(1)


def _show(report: "PlayReport", as_json: bool) -> None:
    if as_json:
        print_json(report.to_dict())
    else:
        out().print(report)


@app.command("play")
def bot_play(
    bot: Bot,
    game: GameOption,
    against: Annotated[
        str,
        typer.Option(
            help="Bots at the other seats, separated by commas; the last one takes the remaining seats."
        ),
    ] = "greedy",
    seats: Seats = None,
    matches: Matches = 20,
    first_match: FirstMatch = 0,
    seed: Seed = 0,
    setup: SetupParts = None,
    rotate: Rotate = True,
    seconds: Seconds = 10.0,
    bank: Bank = 0.0,
    threads: Annotated[int, typer.Option(help="Threads for built-in bots; 0 uses all cores.")] = 0,
    replays: Replays = False,
    as_json: Json = False,
) -> None:
    """Play a bot in this process against built-in bots and show the results of each."""
    from sengoku.bots import Clock, load_bot, play_matches

    mine = load_bot(bot)
    with progress(as_json, f"{game}: playing") as bar:
        report = play_matches(
            game,
            players=[mine, *parse_bots(against)],
            seats=seats,
            match_count=matches,
            first_match=first_match,
            seed=seed,
            setup=parse_setup(setup),
            rotate=rotate,
            clock=Clock(seconds, bank),
            threads=threads,
            replays=replays,
            progress=bar,
        )
    _show(report, as_json)


@app.command("serve")
@connecting(SERVER)
def bot_serve(
    bot: Bot,
    name: Annotated[
        str | None, typer.Option(help="Name of the player on the server; that of the bot if not given.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print a line per match.")] = False,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Connect a bot to a server as a player until SIGINT or SIGTERM; reconnect if the server is unreachable.

    After the first signal matches in progress are played to the end, after the second they are forfeited.
    """
    from sengoku._core import Cancel
    from sengoku.bots import load_bot
    from sengoku.bots.serve import serve

    mine = load_bot(bot)
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    stop = Cancel()

    def on_signal(number: int, _frame: object) -> None:
        if stop.cancelled:
            raise KeyboardInterrupt
        err().print(f"stopping after the matches in progress (signal {number})", highlight=False)
        stop.cancel()

    def on_match_over(over: "Over") -> None:
        if as_json:
            print_json(asdict(over))
        elif verbose:
            print(_line(over), flush=True)

    def on_disconnect(error: "SengokuError | None", pause: float) -> None:
        why = "the server closed the connection" if error is None else str(error)
        err().print(f"{why}; reconnecting in {pause:.1f} seconds", highlight=False, markup=False)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)
    with at.client() as client:
        serve(mine, client, name=name, stop=stop, told=on_match_over, away=on_disconnect)


def _line(over: "Over") -> str:
    rank = over.ranks[over.seat] if over.ranks else "-"
    won = "won" if over.winner == over.seat else "lost" if over.winner is not None else "no winner"
    forfeit = f", forfeited: {over.forfeit}" if over.forfeit else ""
    return (
        f"match {over.match_id} of {over.game}, seat {over.seat}: {won}, rank {rank}, {over.reason}{forfeit}"
    )


@app.command("list")
@connecting(SERVER)
def bot_list(as_json: Json = False, *, at: Connecting) -> None:
    """List the players that are connected to a server."""
    with at.client() as client:
        players = client.players()
    if as_json:
        print_json(players)
        return
    for player in players:
        games = ", ".join(player["games"])
        out().print(
            f"@{player['name']} of {player['client']}: {games}; {player['streams']} streams, "
            f"{player['asked']} of {player['capacity']} decisions pending",
            highlight=False,
            markup=False,
        )
    if not players:
        print("no players")


@app.command("match")
@connecting(SERVER)
def bot_match(
    game: GameOption,
    players: Annotated[
        str,
        typer.Option(
            help="Players by seat, separated by commas: @NAME is a player of the server, others are bots."
        ),
    ],
    seats: Seats = None,
    matches: Matches = 20,
    first_match: FirstMatch = 0,
    seed: Seed = 0,
    setup: SetupParts = None,
    rotate: Rotate = True,
    seconds: Seconds = 10.0,
    bank: Bank = 0.0,
    replays: Replays = False,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Play matches between players and bots on a server and show the results of each."""
    from sengoku.bots import Clock

    request: dict[str, Any] = {
        "seats": seats,
        "match_count": matches,
        "first_match": first_match,
        "seed": seed,
    }
    request |= {"setup": parse_setup(setup), "rotate": rotate, "clock": Clock(seconds, bank)}
    with at.client() as client, progress(as_json, f"{game}: playing") as bar:
        report = client.play_matches(
            game, players=parse_bots(players), **request, replays=replays, progress=bar
        )
    _show(report, as_json)
