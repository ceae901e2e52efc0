"""The `bot` commands: custom bots, in this process and as players on a server."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

import inspect
import logging
import shlex
import signal
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sengoku.cli.commands import App
from sengoku.cli.options import (
    SERVER,
    Connecting,
    Json,
    Seed,
    argument,
    connecting,
    option,
    parse_bots,
    requesting,
    with_options,
    written,
)
from sengoku.cli.output import err, out, print_json, print_result, progress, writing
from sengoku.errors import ArgumentError

if TYPE_CHECKING:
    from sengoku.bots import AnyBot
    from sengoku.bots.port import Over
    from sengoku.errors import SengokuError

app = App(name="bot", help="Check custom bots, play them and connect them to a server.")

DECISIONS = 15
"""Decisions per seat that a check plays, written out here so that the help does not load the engine."""
_BOT = "The bot, as module:Name or file.py:Name; not with --program."
_PROGRAM = "Command of a program that plays over its standard input and output, instead of BOT."
_LLM = (
    "Model of an OpenAI-compatible endpoint, instead of BOT, or a TOML file with its settings; "
    "SENGOKU_LLM_URL and SENGOKU_LLM_KEY are its address and key."
)
_TRUSTED = "Play a Python bot in this process: faster, but it can read and do everything that you can."
_NETWORK = "Allow the bot to use the network."
_MEMORY = "Memory that the bot may use, in MB."
GameOption = Annotated[str, option("Name of the game, as `sengoku games` lists it.")]
Bank = Annotated[float, option("Extra seconds per match.")]
_ROTATE = "Play each match once per seat, so that every player takes every seat."
_SECONDS = "Seconds per decision; a later response forfeits the match."
_ONLY = "Only this game; all games that the bot plays if not given."
_SAVE = "Folder for replays of the failed matches, each up to the failure."


@dataclass(frozen=True)
class ChosenBot:
    """The bot that a command is about: a Python class, a program or a language model."""

    bot: str | None
    program: str | None
    llm: str | None
    trusted: bool | None
    network: bool
    memory: int
    serving: bool = False
    """Whether it plays on a server: a Python bot is then trusted by default."""

    def load(self) -> "AnyBot":
        """Load the bot into this process, or start it in one of its own."""
        from sengoku.bots import Isolation, ProgramBot, load_bot, python_bot

        given = {"BOT": self.bot, "--program": self.program, "--llm": self.llm}
        named = [name for name, value in given.items() if value is not None]
        if len(named) != 1:
            value = " and ".join(named) or "none"
            message = f"BOT is {value}: give one of BOT, --program and --llm"
            raise ArgumentError(message, {"field": "BOT", "value": value})
        if self.llm is not None:
            return _model(self.llm)
        isolation = Isolation(memory_mb=self.memory, network=self.network)
        if self.program is not None:
            if self.trusted:
                raise ArgumentError(
                    "--trusted is for Python bots: a program plays in a process of its own",
                    {"field": "--trusted", "value": "true"},
                )
            try:
                argv = shlex.split(self.program)
            except ValueError as error:
                details = {"field": "--program", "value": self.program}
                raise ArgumentError(f"--program is {self.program!r}: {error}", details) from None
            if not argv:
                details = {"field": "--program", "value": self.program}
                raise ArgumentError(f"--program is {self.program!r}: must be a command", details)
            return ProgramBot(argv, isolation=isolation, timed=self.serving)
        assert self.bot is not None  # noqa: S101 - checked above
        if self.serving if self.trusted is None else self.trusted:
            return load_bot(self.bot)
        return python_bot(self.bot, isolation=isolation, timed=self.serving)


def _model(text: str) -> "AnyBot":
    """Return the player for the name of a model, or for a file with settings."""
    import json

    from sengoku._core import read_toml
    from sengoku.bots import LlmPlayer, LlmSettings

    if not text.endswith(".toml"):
        return LlmPlayer(LlmSettings(model=text))
    with writing("--llm", Path(text)):
        table = json.loads(read_toml(Path(text).read_text("utf-8"), "settings file"))
    return LlmPlayer(LlmSettings.of(table))


def _choosing(*, serving: bool) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the options that name a bot to a command, which gets it as its argument `chosen`."""
    usual = "trusted" if serving else "isolated"
    here = option(f"{_TRUSTED} Default: {usual}.", "--trusted/--isolated", show_default=False)
    rows: list[tuple[str, Any, Any]] = [
        ("bot", None, Annotated[str | None, argument(_BOT, "BOT", show_default=False)]),
        ("program", None, Annotated[str | None, option(_PROGRAM)]),
        ("llm", None, Annotated[str | None, option(_LLM, "--llm")]),
        ("trusted", None, Annotated[bool | None, here]),
        ("network", False, Annotated[bool, option(_NETWORK)]),
        ("memory", 4096, Annotated[int, option(_MEMORY, min=64)]),
    ]
    keyword = inspect.Parameter.KEYWORD_ONLY
    options = [inspect.Parameter(name, keyword, default=value, annotation=kind) for name, value, kind in rows]
    return with_options("chosen", options, partial(ChosenBot, serving=serving))


def _clocked(
    rotate: Annotated[bool, option(_ROTATE)] = True,
    seconds: Annotated[float, option(_SECONDS)] = 10.0,
    bank: Bank = 0.0,
    replays: Annotated[
        bool, option("Also print every decision and note; only with --json.", "--replays")
    ] = False,
    talk: Annotated[bool, option("Let the players send messages to one another.", "--talk")] = False,
) -> dict[str, Any]:
    """Collect the options of matches with custom bots."""
    return {"rotate": rotate, "clock": (seconds, bank), "replays": replays, "talk": talk}


_RENAME = "Show the bot other names of places, units and cards, new ones for each match number."


clocked = with_options("play", inspect.signature(_clocked).parameters.values(), _clocked)
"""Add the options of matches with custom bots to a command, which gets them as its argument `play`."""


@app.command("check")
@_choosing(serving=False)
def bot_check(
    chosen: ChosenBot,
    game: Annotated[str | None, option(_ONLY)] = None,
    seed: Seed = 0,
    clock: Annotated[float, option("Seconds per decision.")] = 10.0,
    bank: Bank = 0.0,
    decisions: Annotated[
        int, option("Decisions to play per match and seat; whole matches have more.")
    ] = DECISIONS,
    save_replays: Annotated[Path | None, written(option(_SAVE), "--save-replays", folder=True)] = None,
    as_json: Json = False,
) -> None:
    """Play a bot through the edge cases of its games; the exit code is 1 if anything failed.

    The bot plays in isolated processes, as in tournaments.
    """
    from sengoku.bots import Clock, check_bot

    logging.getLogger("sengoku.bots").setLevel(logging.ERROR)  # failures are printed once, in the report
    settings: dict[str, Any] = {"seed": seed, "clock": Clock(clock, bank), "decisions": decisions}
    with progress(as_json, "checking") as bar:
        report = check_bot(chosen.load, game=game, **settings, progress=bar)
    if save_replays is not None:
        with writing("--save-replays", save_replays):
            report.save_replays(save_replays)
    print_result(report, report.to_dict, as_json)
    if not report.passed:
        raise typer.Exit(1)


_AGAINST = "Bots at the other seats, separated by commas; the last one takes the remaining seats."


@app.command("play")
@requesting(matches=20)
@clocked
@_choosing(serving=False)
def bot_play(
    chosen: ChosenBot,
    game: GameOption,
    against: Annotated[str, option(_AGAINST)] = "greedy",
    *,
    request: dict[str, Any],
    play: dict[str, Any],
    rename: Annotated[bool, option(_RENAME, "--rename")] = False,
    threads: Annotated[int, option("Threads for built-in bots; 0 uses all cores.")] = 0,
    as_json: Json = False,
) -> None:
    """Play a bot on this machine against built-in bots and show the results of each."""
    from sengoku.bots import Clock, play_matches

    players = [chosen.load(), *parse_bots(against)]
    play["rename"] = rename
    play["clock"] = Clock(*play["clock"])
    with progress(as_json, f"{game}: playing") as bar:
        report = play_matches(game, players=players, **request, **play, threads=threads, progress=bar)
    print_result(report, report.to_dict, as_json)


@app.command("serve")
@connecting(SERVER)
@_choosing(serving=True)
def bot_serve(
    chosen: ChosenBot,
    name: Annotated[
        str | None, option("Name of the player on the server; that of the bot if not given.")
    ] = None,
    verbose: Annotated[bool, option("Print a line per match.", "--verbose")] = False,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Connect a bot to a server as a player until SIGINT or SIGTERM; reconnect if the server is unreachable.

    After the first signal matches in progress are played to the end, after the second they are forfeited.
    """
    from sengoku._core import Cancel
    from sengoku.bots.local import Stoppable
    from sengoku.bots.serve import serve

    mine = chosen.load()
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
    try:
        with at.client() as client:
            serve(mine, client, name=name, stop=stop, told=on_match_over, away=on_disconnect)
    finally:
        if isinstance(mine, Stoppable):
            mine.close()


def _line(over: "Over") -> str:
    from sengoku.engine.words import name_text

    rank = over.ranks[over.seat] if over.ranks else "-"
    won = "won" if over.winner == over.seat else "lost" if over.winner is not None else "no winner"
    forfeit = f", forfeited: {over.forfeit}" if over.forfeit else ""
    played = f"match {over.match_id} of {over.game}, seat {over.seat}"
    return f"{played}: {won}, rank {rank}, {name_text(over.reason)}{forfeit}"


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
        about = f"@{player['name']} of {player['client']}: {', '.join(player['games'])}"
        work = f"{player['streams']} streams, {player['asked']} of {player['capacity']} decisions pending"
        out().print(f"{about}; {work}", highlight=False, markup=False)
    if not players:
        print("no players")


_PLAYERS = "Players by seat, separated by commas: @NAME is a player of the server, others are bots."


@app.command("match")
@connecting(SERVER)
@requesting(matches=20)
@clocked
def bot_match(
    game: GameOption,
    players: Annotated[str, option(_PLAYERS)],
    *,
    request: dict[str, Any],
    play: dict[str, Any],
    as_json: Json = False,
    at: Connecting,
) -> None:
    """Play matches between players and bots on a server and show the results of each."""
    from sengoku.bots import Clock

    play["clock"] = Clock(*play["clock"])
    with at.client() as client, progress(as_json, f"{game}: playing") as bar:
        report = client.play_matches(game, players=parse_bots(players), **request, **play, progress=bar)
    print_result(report, report.to_dict, as_json)
