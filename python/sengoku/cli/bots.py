"""Commands about bots of one's own: they play here, or for others on a server."""

import json
import logging
import signal
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from sengoku._core import Cancel
from sengoku.bots.bot import load_bot
from sengoku.bots.check import DECISIONS, check_bot
from sengoku.bots.host import Clock, Over
from sengoku.bots.play import play_matches
from sengoku.bots.report import PlayReport
from sengoku.bots.serve import serve
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
    progress,
    writing,
)
from sengoku.errors import SengokuError

bot_app = typer.Typer(no_args_is_help=True, help="Bots of one's own, here and as players of a server.")

Bot = Annotated[
    str, typer.Argument(help="The bot: module:Name or file.py:Name.", metavar="BOT", show_default=False)
]
GameOption = Annotated[str, typer.Option(help="Name of the game.")]
Rotate = Annotated[
    bool,
    typer.Option(help="Play each match number once for every seat, so that each player has been everywhere."),
]
Seconds = Annotated[float, typer.Option(help="Seconds for each decision; a later answer forfeits the match.")]
Bank = Annotated[float, typer.Option(help="Seconds beyond that, in a whole match.")]
Replays = Annotated[bool, typer.Option("--replays", help="Also give every decision; only with --json.")]


@bot_app.command("check")
def bot_check(
    bot: Bot,
    game: Annotated[str | None, typer.Option(help="Only this game; every one it plays if not given.")] = None,
    seed: Seed = 0,
    clock: Annotated[float, typer.Option(help="Seconds for each decision.")] = 10.0,
    bank: Bank = 0.0,
    decisions: Annotated[
        int, typer.Option(help="Decisions of a match for each of its seats; whole ones have more.")
    ] = DECISIONS,
    save_replays: Annotated[
        Path | None, typer.Option(help="Folder for the replays of what failed, each up to that decision.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Plays a bot through the odd corners of its games; the exit code is 1 if anything failed."""
    load_bot(bot)
    logging.getLogger("sengoku.bots").setLevel(logging.ERROR)  # what failed is told once, in the report
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
        print(json.dumps(report.to_dict()))
    else:
        out.print(report)
    if not report.passed:
        raise typer.Exit(1)


def _tell(report: PlayReport, as_json: bool) -> None:
    if as_json:
        print(json.dumps(report.to_dict()))
    else:
        out.print(report)


@bot_app.command("play")
def bot_play(
    bot: Bot,
    game: GameOption,
    against: Annotated[
        str,
        typer.Option(help="Bots at the other seats, with commas; the last one also takes the seats left."),
    ] = "greedy",
    seats: Seats = None,
    matches: Matches = 20,
    first_match: FirstMatch = 0,
    seed: Seed = 0,
    setup: SetupParts = None,
    rotate: Rotate = True,
    seconds: Seconds = 10.0,
    bank: Bank = 0.0,
    threads: Annotated[int, typer.Option(help="Threads for bots of ours; 0 is all cores.")] = 0,
    replays: Replays = False,
    as_json: Json = False,
) -> None:
    """Lets a bot play matches here, against bots of ours, and shows what each has to show."""
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
    _tell(report, as_json)


@bot_app.command("serve")
@connecting(SERVER)
def bot_serve(
    bot: Bot,
    name: Annotated[
        str | None, typer.Option(help="Name that others find it by; that of the bot if not given.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print a line for every match.")] = False,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Connects a bot to a server as a player, until SIGINT or SIGTERM; a server that is away is waited for.

    At the first signal matches under way are played to their end, at the second they are forfeited.
    """
    mine = load_bot(bot)
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    stop = Cancel()

    def ask(number: int, _frame: object) -> None:
        if stop.cancelled:
            raise KeyboardInterrupt
        err.print(f"stopping after the matches under way (signal {number})", highlight=False)
        stop.cancel()

    def told(over: Over) -> None:
        if as_json:
            print(json.dumps(asdict(over)), flush=True)
        elif verbose:
            print(_line(over), flush=True)

    def away(error: SengokuError | None, pause: float) -> None:
        why = "the server said goodbye" if error is None else str(error)
        err.print(f"{why}; asking again in {pause:.1f} seconds", highlight=False, markup=False)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ask)
    with at.client() as client:
        serve(mine, client, name=name, stop=stop, told=told, away=away)


def _line(over: Over) -> str:
    rank = over.ranks[over.seat] if over.ranks else "-"
    won = "won" if over.winner == over.seat else "lost" if over.winner is not None else "no winner"
    forfeit = f", forfeited: {over.forfeit}" if over.forfeit else ""
    return (
        f"match {over.match_id} of {over.game}, seat {over.seat}: {won}, rank {rank}, {over.reason}{forfeit}"
    )


@bot_app.command("list")
@connecting(SERVER)
def bot_list(as_json: Json = False, *, at: Connecting) -> None:
    """Lists the players that are connected to a server."""
    with at.client() as client:
        players = client.players()
    if as_json:
        print(json.dumps(players))
        return
    for player in players:
        games = ", ".join(player["games"])
        out.print(
            f"@{player['name']} of {player['client']}: {games}; {player['streams']} streams, "
            f"{player['asked']} of {player['capacity']} decisions asked",
            highlight=False,
            markup=False,
        )


@bot_app.command("match")
@connecting(SERVER)
def bot_match(
    game: GameOption,
    players: Annotated[
        str, typer.Option(help="Who plays, with commas: @NAME is a player of the server, others are bots.")
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
    """Lets players of a server and its bots play matches, and shows what each has to show."""
    wish: dict[str, Any] = {"seats": seats, "match_count": matches, "first_match": first_match, "seed": seed}
    wish |= {"setup": parse_setup(setup), "rotate": rotate, "clock": Clock(seconds, bank)}
    with at.client() as client, progress(as_json, f"{game}: playing") as bar:
        report = client.play_matches(game, players=parse_bots(players), **wish, replays=replays, progress=bar)
    _tell(report, as_json)
