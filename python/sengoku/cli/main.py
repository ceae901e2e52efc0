"""The command line: one function per subcommand, JSON for programs, exit codes that scripts can trust."""

import inspect
import io
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import Field, asdict, fields
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast

import typer
from rich.markup import escape

from sengoku import __version__, battles, build_info, engine, swords, tower
from sengoku.cli import bench, demo
from sengoku.cli import tables as show
from sengoku.cli.bots import bot_app
from sengoku.cli.options import (
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
    err,
    out,
    parse_bots,
    parse_setup,
    with_options,
    writing,
)
from sengoku.cli.options import progress as progress_bar
from sengoku.cli.runs import health_command, runs_app, top_command
from sengoku.cli.tournament import tournament_app
from sengoku.client.remote import RemoteCubeTower
from sengoku.engine.games import find_game
from sengoku.engine.odds import ExactQuestion, Question
from sengoku.engine.scenarios import read_scenario
from sengoku.engine.scenarios import scenario as find_scenario
from sengoku.engine.scenarios import scenarios as list_scenarios
from sengoku.engine.spec import spec as find_spec
from sengoku.engine.survey import Survey, run_scenarios
from sengoku.errors import (
    ArgumentError,
    BusyError,
    DeadlineError,
    DecodeError,
    QuotaError,
    SengokuError,
    SetupError,
    ShuttingDownError,
    StoreFullError,
    UnavailableError,
)
from sengoku.figures import film, plot
from sengoku.server import logging as logs
from sengoku.server.app import Limits, Server, serve
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.server.limits import flag_of
from sengoku.server.tls import Tls
from sengoku.storage import default_store

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Board wargames of feudal Japan: matches played by bots, odds of battles, and a service for them.",
    epilog="Exit codes: 0 done, 2 the input is wrong, 3 the server is out of reach, busy or too slow, "
    "130 interrupted, 1 anything else.",
)
odds_app = typer.Typer(no_args_is_help=True, help="Odds of a battle.")
app.add_typer(odds_app, name="odds")
replay_app = typer.Typer(no_args_is_help=True, help="Matches that were written down.")
app.add_typer(replay_app, name="replay")
scenarios_app = typer.Typer(
    invoke_without_command=True,
    help="Battles, maps and boards that matches are set up from; without a command all of them.",
)
app.add_typer(scenarios_app, name="scenarios")
app.add_typer(runs_app, name="runs")
app.add_typer(bot_app, name="bot")
app.add_typer(tournament_app, name="tournament")
app.command("top")(top_command)
app.command("health")(health_command)
tower_app = typer.Typer(no_args_is_help=True, help="The cube tower by itself.")
app.add_typer(tower_app, name="tower")

A = TypeVar("A")


_LATER = (UnavailableError, ShuttingDownError, DeadlineError, BusyError, QuotaError, StoreFullError)
"""What may be otherwise later."""


def exit_code(error: SengokuError) -> int:
    """The exit code that an error means."""
    if isinstance(error, ValueError):
        return 2
    return 3 if isinstance(error, _LATER) else 1


def main() -> None:
    """Runs the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a sign shows another one
    try:
        app()
    except SengokuError as error:
        if "--json" in sys.argv:
            text: dict[str, Any] = {"reason": error.reason, "message": str(error), "details": error.details}
            more = {"retry_after": error.retry_after, "request_id": error.request_id}
            text |= {name: value for name, value in more.items() if value is not None}
            err.print_json(json.dumps({"error": text}))
        else:
            later = "" if error.retry_after is None else f" (try again in {error.retry_after:g} s)"
            err.print("[bold red]error:[/]", escape(str(error)) + later, highlight=False)
        sys.exit(exit_code(error))
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        # The output cannot be written; Python must not complain about it once more on the way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if not isinstance(error, BrokenPipeError):
            err.print("[bold red]error:[/]", escape(str(error)), highlight=False)
        sys.exit(1)


def _parse_counts(
    option: str, text: str, what: str, names: Sequence[str], *, flag: str | None = None
) -> dict[str, Any]:
    """Reads `NAME=NUMBER` with commas between them; a flag is a word without a number."""
    counts: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, count = (piece.strip() for piece in part.partition("="))
        details = {"field": option, "value": part}
        if name == flag and not count:
            counts[name] = True
        elif name not in names:
            message = f"{option} has no {what} {part!r}, {what}s are {', '.join(names)}"
            raise ArgumentError(message, details)
        elif name in counts:
            raise ArgumentError(f"{option} names {name} twice", details)
        else:
            try:
                counts[name] = int(count)
            except ValueError:
                raise ArgumentError(f"{option} has {part!r}, write {name}=NUMBER", details) from None
    return counts


def _parse_force(option: str, text: str) -> swords.Force:
    """Reads `daimyo=1,bow=2,spear=3`; the word `disrupted` marks an army whose daimyo was assassinated."""
    return swords.Force(**_parse_counts(option, text, "unit", swords.UNITS, flag="disrupted"))


def _parse_cubes(option: str, text: str) -> dict[str, int]:
    """Reads `blue=4,yellow=3,farmer=1`."""
    return _parse_counts(option, text, "colour", tower.COLOURS)


def _parse_party(option: str, text: str) -> tuple[str, int]:
    """Reads `blue=4`."""
    cubes = _parse_cubes(option, text)
    if len(cubes) != 1:
        details = {"field": option, "value": text}
        raise ArgumentError(f"{option} is {text!r}, write COLOUR=NUMBER", details)
    return next(iter(cubes.items()))


def _parse_parameters(text: str | None, model: str = "shelves") -> Any:
    """Reads the name of a set of parameters, a table in JSON, or a file of them."""
    if text is None:
        return None
    if text.endswith(".toml"):
        return tower.read_parameters(Path(text), model)
    if not text.lstrip().startswith("{"):
        return text
    try:
        return json.loads(text)
    except ValueError as error:
        details = {"field": "parameters", "reason": str(error)}
        raise SetupError(f"parameters: no JSON: {error}", details) from None


def _parse_order(text: str) -> str | list[str]:
    """Reads the name of a loss order, or the five units with commas between them."""
    return [part.strip() for part in text.split(",")] if "," in text else text


PlotOption = Annotated[
    Path | None, typer.Option("--plot", help="Also draw the odds into this file (png, svg, pdf).")
]
ThreadsOption = Annotated[int, typer.Option(help="Threads to use; 0 is all cores.")]


def _find_odds(
    question: Question[A],
    *,
    exact: bool = False,
    samples: int | None,
    max_error: float,
    seed: int,
    threads: int,
    quiet: bool,
    at: Connecting,
) -> A:
    """Asks a question in process or of a server, by the method that its options name."""
    if at.server is not None:
        with at.client() as client:
            if exact:
                return client.exact(cast("ExactQuestion[A]", question))
            if samples is not None:
                return client.sample(question, samples, seed=seed)
            return client.odds(question, max_error=max_error, seed=seed)
    if exact:
        return cast("ExactQuestion[A]", question).exact()
    with progress_bar(quiet) as progress:
        if samples is not None:
            return question.sample(samples, seed=seed, threads=threads, progress=progress)
        return question.odds(max_error=max_error, seed=seed, threads=threads, progress=progress)


@odds_app.command("swords")
@connecting()
def odds_swords(
    attacker: Annotated[
        str,
        typer.Option(
            help="The attacking force: UNIT=NUMBER with commas, units daimyo, bow, gun, sword, spear, ronin.",
            metavar="FORCE",
        ),
    ],
    defender: Annotated[
        list[str],
        typer.Option(
            help="A defending force, twice for an army and a provincial force; the word disrupted among its "
            "units marks an army whose daimyo was assassinated.",
            metavar="FORCE",
        ),
    ],
    naval: Annotated[bool, typer.Option("--naval", help="The attack comes over a sea route.")] = False,
    fort: Annotated[str, typer.Option(help="Building of the province: none, castle or fortress.")] = "none",
    fort_lost: Annotated[
        int, typer.Option(help="Bonus units of the building lost earlier in the same war turn.")
    ] = 0,
    attacker_losses: Annotated[
        str, typer.Option(help="Order of losses: cheapest, hired_first, or five units with commas.")
    ] = "cheapest",
    defender_losses: Annotated[str, typer.Option(help="The same for the defender.")] = "cheapest",
    break_off_below: Annotated[
        int, typer.Option(help="Call off in step 8 with fewer attacking units than this; 0 is never.")
    ] = 0,
    break_off_after: Annotated[
        int, typer.Option(help="Call off in step 8 after this many combat rounds; 0 is never.")
    ] = 0,
    exact: Annotated[bool, typer.Option("--exact", help="Exactly, or not at all.")] = False,
    samples: Annotated[int | None, typer.Option(help="Play this many battles.")] = None,
    max_error: Annotated[
        float, typer.Option(help="Standard error to reach where sampling is needed.")
    ] = 1e-4,
    seed: Annotated[int, typer.Option(help="Seed of the sampled battles.")] = 0,
    threads: ThreadsOption = 0,
    as_json: Json = False,
    plot_file: PlotOption = None,
    *,
    at: Connecting,
) -> None:
    """Odds of a battle of the strategic game.

    Exact where that is affordable, otherwise sampled until the error is small enough.
    """
    if plot_file is not None:
        plot.check(plot_file)
    if exact and samples is not None:
        raise ArgumentError("--exact and --samples exclude each other", {"field": "method"})
    defenders = [_parse_force("--defender", text) for text in defender]
    battle = swords.Battle(
        _parse_force("--attacker", attacker),
        defenders,
        fort=fort,
        fort_lost=fort_lost,
        naval=naval,
        attacker_losses=_parse_order(attacker_losses),
        defender_losses=_parse_order(defender_losses),
        break_off_below=break_off_below,
        break_off_after=break_off_after,
    )
    odds = _find_odds(
        battle,
        exact=exact,
        samples=samples,
        max_error=max_error,
        seed=seed,
        threads=threads,
        quiet=as_json,
        at=at,
    )
    if plot_file is not None:
        plot.odds(odds, plot_file)
    if as_json:
        print(json.dumps(swords.describe(odds)))
    else:
        show.odds(odds, out)


CubesOption = Annotated[str, typer.Option(help="COLOUR=NUMBER with commas.", metavar="CUBES")]
ParametersOption = Annotated[
    str | None,
    typer.Option(
        help="Parameters of the tower: the name of a set, a table in JSON, or a file that ends in .toml."
    ),
]
ContentsOption = Annotated[
    str | None, typer.Option(help="What is in the tower; a fresh fill if not given.", metavar="CUBES")
]


@odds_app.command("tower")
@connecting()
def odds_tower(
    attacker: Annotated[
        str,
        typer.Option(help="Who attacks, as blue=4; farmer=2 in a revolt.", metavar="COLOUR=NUMBER"),
    ],
    defender: Annotated[
        str | None,
        typer.Option(
            help="Who defends, as yellow=3; a neutral province needs none.", metavar="COLOUR=NUMBER"
        ),
    ] = None,
    unrest: Annotated[
        bool, typer.Option("--unrest", help="The province has an unrest marker: farmers do not defend it.")
    ] = False,
    neutral: Annotated[bool, typer.Option("--neutral", help="The province is neutral.")] = False,
    revolt: Annotated[bool, typer.Option("--revolt", help="Farmers against the owner.")] = False,
    tray: CubesOption = "",
    contents: ContentsOption = None,
    players: Annotated[int, typer.Option(help="Players whose fresh fill it is.")] = 4,
    parameters: ParametersOption = None,
    samples: Annotated[int | None, typer.Option(help="Make this many throws.")] = None,
    max_error: Annotated[float, typer.Option(help="Standard error to reach.")] = 1e-3,
    seed: Annotated[int, typer.Option(help="Seed of the sampled throws.")] = 0,
    threads: ThreadsOption = 0,
    as_json: Json = False,
    plot_file: PlotOption = None,
    *,
    at: Connecting,
) -> None:
    """Odds of a clash that the cube tower decides, sampled until the error is small enough.

    They are those of the model "shelves": a rigid tower is too slow to be asked so often.
    """
    if plot_file is not None:
        plot.check(plot_file)
    clash = tower.Clash(
        _parse_party("--attacker", attacker),
        None if defender is None else _parse_party("--defender", defender),
        farmers_defend=not unrest,
        tray=_parse_cubes("--tray", tray),
        contents=None if contents is None else _parse_cubes("--contents", contents),
        neutral=neutral,
        revolt=revolt,
        players=players,
        parameters=_parse_parameters(parameters),
    )
    odds = _find_odds(
        clash,
        samples=samples,
        max_error=max_error,
        seed=seed,
        threads=threads,
        quiet=as_json,
        at=at,
    )
    if plot_file is not None:
        plot.clash_odds(odds, plot_file)
    if as_json:
        print(json.dumps(tower.describe(odds)))
    else:
        show.clash_odds(odds, out)


_FACTS = ("support", "adjacent_leader", "inspire")
_NAMES = ("leader", "terrain", "leader_fate")
_NUMBERS = ("blocks", "room", "ignore_flags")


def _parse_piece(option: str, text: str) -> battles.Piece:
    """Reads `SSp`, or `ASp:blocks=3,leader=LF,terrain=hill,support`."""
    kind, _, rest = text.partition(":")
    fields: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        details = {"field": option, "value": part}
        if name in fields:
            raise ArgumentError(f"{option} names {name} twice", details)
        if name in _FACTS and not equals:
            fields[name] = True
        elif (name in _NAMES and value) or (name == "ignore_flags" and value in ("all", "none")):
            fields[name] = value
        elif name in _NUMBERS:
            try:
                fields[name] = int(value)
            except ValueError:
                raise ArgumentError(f"{option} has {part!r}, write {name}=NUMBER", details) from None
        else:
            known = ", ".join((*_NUMBERS, *_NAMES, *_FACTS))
            raise ArgumentError(f"{option} has {part!r}, a piece has {known}", details)
    return battles.Piece(kind.strip(), **fields)


CardsOption = Annotated[
    str, typer.Option(help=f"Cards in play, with commas: {', '.join(battles.CARDS)}.", metavar="CARDS")
]


def _parse_cards(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


@odds_app.command("battles")
@connecting()
def odds_battles(
    attacker: Annotated[
        list[str],
        typer.Option(
            help="The attacking unit: its code, and after a colon what else there is to say, as "
            "ASp:blocks=3,leader=LF,terrain=hill,support,inspire; several times for the levies of a charge.",
            metavar="PIECE",
        ),
    ],
    defender: Annotated[
        str,
        typer.Option(
            help="The unit attacked, or a lone leader (LF, LM), written alike; besides there are "
            "adjacent_leader, ignore_flags=all|none|NUMBER, room=HEXES and leader_fate=retreat|seppuku.",
            metavar="PIECE",
        ),
    ],
    ranged: Annotated[bool, typer.Option("--ranged", help="A shot and no melee.")] = False,
    distance: Annotated[int | None, typer.Option(help="Hexes of the shot; 2 if not given.")] = None,
    moved: Annotated[bool, typer.Option("--moved", help="The shooter moved this turn.")] = False,
    terrain: Annotated[str | None, typer.Option(help="Terrain of the defender's hex.")] = None,
    leader: Annotated[str | None, typer.Option(help="Leader attached to the attacker: LF or LM.")] = None,
    dice_bonus: Annotated[
        int, typer.Option(help="Dice more for each attacking unit, besides those of the cards.")
    ] = 0,
    attacker_cards: CardsOption = "",
    defender_cards: CardsOption = "",
    no_battle_back: Annotated[
        bool, typer.Option("--no-battle-back", help="The defender does not battle back.")
    ] = False,
    against: Annotated[
        int, typer.Option(help="Of a charge the unit that the defender is against, counted from 0.")
    ] = 0,
    attacker_honor: Annotated[
        int | None, typer.Option(help="Honor of the attacking player; it does not run out if not given.")
    ] = None,
    defender_honor: Annotated[int | None, typer.Option(help="The same of the defending player.")] = None,
    pool: Annotated[int | None, typer.Option(help="The same of the common pool.")] = None,
    samples: Annotated[int | None, typer.Option(help="Fight this many strikes instead.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sampled strikes.")] = 0,
    threads: ThreadsOption = 0,
    faces: Annotated[
        str | None, typer.Option(help="Fight it with these faces, as TXCS, and tell what happens.")
    ] = None,
    as_json: Json = False,
    plot_file: PlotOption = None,
    *,
    at: Connecting,
) -> None:
    """Odds of a strike of the tactical game, exact: a melee with battle back, or a shot."""
    if plot_file is not None:
        plot.check(plot_file)
    strike = battles.Strike(
        [_parse_piece("--attacker", text) for text in attacker],
        _parse_piece("--defender", defender),
        ranged=ranged,
        distance=distance,
        moved=moved,
        terrain=terrain,
        leader=leader,
        dice_bonus=dice_bonus,
        attacker_cards=_parse_cards(attacker_cards),
        defender_cards=_parse_cards(defender_cards),
        battle_back=not no_battle_back,
        against=against,
        attacker_honor=attacker_honor,
        defender_honor=defender_honor,
        pool=pool,
    )
    if faces is not None:
        _tell_fight(strike.fight(faces=[face for face in faces if not face.isspace()]), as_json)
        return
    odds = _find_odds(
        strike,
        exact=samples is None,
        samples=samples,
        max_error=1.0,
        seed=seed,
        threads=threads,
        quiet=as_json,
        at=at,
    )
    if plot_file is not None:
        plot.strike_odds(odds, plot_file)
    if as_json:
        print(json.dumps(battles.describe(odds)))
    else:
        show.strike_odds(odds, out)


def _tell_fight(fight: battles.StrikeFight, as_json: bool) -> None:
    if not as_json:
        print(fight)
        return
    fields = ("what", "side", "faces", "hits", "flags", "honor", "blocks", "hexes")
    told = {
        "outcome": {name: getattr(fight.outcome, name) for name in battles.OUTCOME_COLUMNS},
        "takes_ground": fight.takes_ground,
        "steps": [{name: getattr(step, name) for name in fields} for step in fight.steps],
    }
    print(json.dumps(told))


ThrownOption = Annotated[
    str, typer.Option("--cubes", help="What is thrown, as blue=4,yellow=3,farmer=1.", metavar="CUBES")
]


@tower_app.command("throw")
@connecting()
def tower_throw(
    cubes: ThrownOption,
    model: Annotated[str, typer.Option(help="Model of the tower: shelves or rigid.")] = "shelves",
    contents: ContentsOption = None,
    players: Annotated[int, typer.Option(help="Players whose fresh fill it is.")] = 4,
    parameters: ParametersOption = None,
    seed: Annotated[int, typer.Option(help="Seed of the tower.")] = 0,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Throws cubes into the tower and draws what is where."""
    thrown = _parse_cubes("--cubes", cubes)
    device = tower.CubeTower(
        model,
        seed=seed,
        contents=None if contents is None else _parse_cubes("--contents", contents),
        parameters=_parse_parameters(parameters, model),
    )
    if contents is None:
        device.throw(tower.fill(players))
    if at.server is None:
        tray, motion = device.throw(thrown), device.last_throw
    else:
        with at.client() as client:
            remote = RemoteCubeTower(client, device)
            tray, motion = remote.throw(thrown), remote.last_throw
            device = tower.CubeTower.load(remote.save())
    if as_json:
        told = {
            "model": model,
            "seed": seed,
            "thrown": thrown,
            "tray": tray,
            "contents": device.contents,
            "shelves": device.shelves,
            "motion": motion,
        }
        print(json.dumps(told))
    else:
        show.throw(thrown, tray, device, out, motion)


@tower_app.command("film")
def tower_film(
    file: Annotated[
        Path, typer.Argument(help="Where to write: .gif, .mp4, or .png for one picture.", metavar="FILE")
    ],
    cubes: ThrownOption,
    contents: Annotated[
        str | None,
        typer.Option(
            help="What is in the tower, '' for nothing; a fresh fill if not given.", metavar="CUBES"
        ),
    ] = None,
    players: Annotated[int, typer.Option(help="Players whose fresh fill it is.")] = 4,
    parameters: Annotated[
        str | None, typer.Option(help="Geometry of the tower: a file that ends in .toml, or a table in JSON.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the tower.")] = 0,
    slow: Annotated[float, typer.Option(help="How many times slower than it was to show the throw.")] = 2.0,
    at: Annotated[
        float | None, typer.Option(help="Second of a single picture; the end if not given.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Films a throw into the rigid tower, cut open.

    Without --contents it is the throw after the fill: a tower that holds something shows more.
    """
    film.check(file)
    recorded = tower.film(
        _parse_cubes("--cubes", cubes),
        seed=seed,
        contents=None if contents is None else _parse_cubes("--contents", contents),
        players=players,
        parameters=_parse_parameters(parameters, "rigid"),
        frames_per_second=film.frames_per_second(slow),
    )
    with progress_bar(as_json, "drawing") as progress:
        pictures = recorded.save(file, slow=slow, at=at, progress=progress)
    told: dict[str, Any] = {
        "file": str(file),
        "pictures": pictures,
        "tray": recorded.tray,
        "contents": recorded.contents,
        "motion": recorded.statistics,
    }
    if as_json:
        print(json.dumps(told))
    else:
        seconds = recorded.statistics["seconds"]
        print(f"{file}: {pictures} picture{'s' * (pictures != 1)} of a throw of {seconds:.2f} s")


@tower_app.command("models")
def tower_models(as_json: Json = False) -> None:
    """Lists the models of the tower and their sets of parameters."""
    if as_json:
        print(json.dumps([asdict(model) for model in tower.MODELS]))
    else:
        out.print(show.tower_models(tower.MODELS))


@app.command("run")
@connecting()
def run_command(
    game: Game,
    bots: Bots = "random",
    seats: Seats = None,
    matches: Matches = 1000,
    first_match: FirstMatch = 0,
    seed: Seed = 0,
    setup: SetupParts = None,
    threads: ThreadsOption = 0,
    as_json: Json = False,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", help="Also write a line for each match into this file.")
    ] = None,
    parquet_file: Annotated[
        Path | None, typer.Option("--parquet", help="Also write a row for each match into this file.")
    ] = None,
    all_scenarios: Annotated[
        bool, typer.Option("--all-scenarios", help="Play so many matches in each scenario of the game.")
    ] = False,
    markdown_file: Annotated[
        Path | None,
        typer.Option("--markdown", help="With --all-scenarios: also write the table into this file."),
    ] = None,
    *,
    at: Connecting,
) -> None:
    """Lets bots play matches of a game and shows who won; with --all-scenarios, who wins where."""
    if markdown_file is not None and not all_scenarios:
        raise ArgumentError("--markdown is for the table of --all-scenarios", {"field": "--markdown"})
    wish: dict[str, Any] = {
        "bots": parse_bots(bots),
        "seats": seats,
        "match_count": matches,
        "first_match": first_match,
        "seed": seed,
        "setup": parse_setup(setup),
        "threads": threads,
    }
    report: engine.MatchReport | Survey
    with progress_bar(as_json, "playing") as progress:
        if at.server is None:
            run = run_scenarios if all_scenarios else engine.run_matches
            report = run(game, **wish, progress=progress)
        else:
            with at.client() as client:
                ask = client.run_scenarios if all_scenarios else client.run_matches
                report = ask(game, **wish, progress=progress)
    if markdown_file is not None and isinstance(report, Survey):
        with writing("--markdown", markdown_file):
            markdown_file.write_text(report.to_markdown(), "utf-8")
    if csv_file is not None:
        with writing("--csv", csv_file):
            report.to_csv(csv_file)
    if parquet_file is not None:
        with writing("--parquet", parquet_file):
            report.to_parquet(parquet_file)
    if as_json:
        print(json.dumps(report.summary()))
    else:
        out.print(report)


@app.command("games")
def games_command(as_json: Json = False) -> None:
    """Lists the games and their bots."""
    if as_json:
        print(json.dumps([asdict(game) for game in engine.games()]))
    else:
        out.print(show.games(engine.games()))


@app.command("spec")
@connecting()
def spec_command(
    game: Annotated[str, typer.Argument(help="Name of the game, e.g. swords.", metavar="GAME")],
    markdown: Annotated[bool, typer.Option("--markdown", help="As tables in Markdown.")] = False,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Shows what every byte of an observation and every entry of the action table of a game mean."""
    if at.server is None:
        found = find_spec(game)
    else:
        with at.client() as client:
            found = client.spec(game)
    if as_json:
        print(json.dumps(found.as_dict()))
    elif markdown:
        print(found.to_markdown(), end="")
    else:
        show.spec(found, out)


GameOption = Annotated[str | None, typer.Option("--game", help="Only scenarios of this game.")]
Own = Annotated[str, typer.Argument(help="A scenario by its id, or a file of one's own.", metavar="ID|FILE")]


@scenarios_app.callback()
@connecting()
def scenarios_command(
    context: typer.Context, game: GameOption = None, as_json: Json = False, *, at: Connecting
) -> None:
    """Lists the scenarios of all games, with where their data come from."""
    if context.invoked_subcommand is not None:
        return
    if at.server is None:
        rows = list_scenarios(game)
    else:
        with at.client() as client:
            rows = client.scenarios(game)
    if as_json:
        print(json.dumps([row.as_dict() for row in rows]))
    else:
        show.scenario_list(rows, engine.games(), out)


@scenarios_app.command("show")
@connecting()
def scenarios_show(
    which: Own,
    game: GameOption = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="Also draw it into this file.")] = None,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Shows a scenario: its board, its story, its rules, and what is known of it."""
    file = Path(which) if which.endswith(".toml") else None
    if at.server is not None:
        with at.client() as client:
            found = client.scenario(which, game) if file is None else client.read_scenario(file, game)
            picture = found.picture if svg is not None else None
    else:
        found = find_scenario(which, game) if file is None else read_scenario(file, game)
        picture = found.picture if svg is not None else None
    if svg is not None and picture is not None:
        with writing("--svg", svg):
            picture.save(svg)
    if as_json:
        print(json.dumps(found.as_dict()))
    else:
        show.scenario_sheet(found, out)


@scenarios_app.command("check")
def scenarios_check(
    file: Annotated[Path, typer.Argument(help="A scenario of one's own.", metavar="FILE")],
    game: GameOption = None,
    as_json: Json = False,
) -> None:
    """Checks a file of one's own; an error names the place in the file."""
    found = read_scenario(file, game)
    option = find_game(found.game).scenario_file
    setup = {} if option is None else {option.option: str(file)}
    if as_json:
        print(json.dumps({"file": str(file), "game": found.game, "name": found.name, "setup": setup}))
    else:
        print(f"{file}: {found.name}, {found.game}; play it with setup {json.dumps(setup)}")


Replay = Annotated[Path, typer.Argument(help="A file that `Match.replay` wrote.", metavar="FILE")]


def _read_replay(file: Path) -> tuple[engine.Match, bool]:
    """Gives the match of a file, and whether the file has its digest: without one it may be cut off."""
    with writing("FILE", file):
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError as error:
            raise DecodeError(f"{file} is no text: {error.reason}", {"value": str(file)}) from error
    return engine.Match.from_replay(text), any(line.startswith("digest ") for line in text.splitlines())


@replay_app.command("show")
def replay_show(
    file: Replay,
    svg: Annotated[Path | None, typer.Option("--svg", help="Also draw the board into this file.")] = None,
    seat: Annotated[int | None, typer.Option(help="Draw what this seat may see.")] = None,
    as_json: Json = False,
) -> None:
    """Plays a replay and shows what happened and where it leads."""
    match, _ = _read_replay(file)
    outcome = match.outcome
    sketch = match.sketch(seat)
    if svg is not None:
        picture = match.picture(seat)
        with writing("--svg", svg):
            picture.save(svg)
    if as_json:
        told = {
            **_about(match),
            "outcome": None if outcome is None else asdict(outcome),
            "log": match.log,
            "state": match.state(),
        }
        print(json.dumps(told))
        return
    # The text once more, so that every decision is in words even where the file had none.
    print(match.replay(), end="")
    if sketch:
        out.print(sketch, crop=False, no_wrap=True, overflow="ignore")
    if outcome is None:
        print(f"seat {match.to_act} is to act")
    else:
        ranks, scores = (", ".join(map(str, numbers)) for numbers in (outcome.ranks, outcome.scores))
        print(f"over in round {outcome.rounds} by {outcome.reason}; ranks: {ranks}; scores: {scores}")


@replay_app.command("verify")
def replay_verify(file: Replay, as_json: Json = False) -> None:
    """Checks every line of a replay against the rules."""
    match, has_digest = _read_replay(file)
    if as_json:
        print(json.dumps({**_about(match), "has_digest": has_digest}))
    else:
        cut = "" if has_digest else "; the file has none and may be cut off"
        print(f"{match.game}: {match.decisions} decisions are legal, digest {match.digest:016x}{cut}")


def _about(match: engine.Match) -> dict[str, Any]:
    return {
        "game": match.game,
        "seats": match.seats,
        "seed": match.seed,
        "match_index": match.match_index,
        "setup": match.setup,
        "decisions": match.decisions,
        "over": match.over,
        "digest": f"{match.digest:016x}",
    }


def _about_limit(field: Field[Any]) -> str:
    error = field.metadata["error"]
    return f"{field.metadata['about'].removesuffix('.')}{f' ({error})' if error else ''}."


_LIMITS = {flag_of(limit).removeprefix("--").replace("-", "_"): limit for limit in fields(Limits)}


@app.command("serve")
@with_options(
    "limits",
    [
        inspect.Parameter(
            flag,
            inspect.Parameter.KEYWORD_ONLY,
            default=limit.default,
            annotation=Annotated[
                int, typer.Option(min=1, help=_about_limit(limit), rich_help_panel="Limits")
            ],
        )
        for flag, limit in _LIMITS.items()
    ],
    lambda **given: Limits(**{_LIMITS[flag].name: value for flag, value in given.items()}),
)
def serve_command(
    limits: Limits,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 is any free one.")
    ] = 50051,
    threads: Annotated[int, typer.Option(min=0, help="Threads for the work; 0 is all cores.")] = 0,
    grace: Annotated[float, typer.Option(min=0, help="Seconds for calls under way when stopping.")] = 30.0,
    drain_delay: Annotated[
        float,
        typer.Option(min=0, help="Seconds between saying that it stops (health) and taking no more calls."),
    ] = 0.0,
    store: Annotated[
        str | None,
        typer.Option(
            help='File in which long runs are written down; ":memory:" keeps nothing.',
            show_default="runs.sqlite3 in the user's state folder",
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option(help="Certificate and its chain, PEM; read again when it changes.")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(help="Key of the certificate, PEM.")] = None,
    tls_client_ca: Annotated[
        Path | None, typer.Option(help="Let in only clients with a certificate of this authority, PEM.")
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(help="Let in only clients with a token of this file, made with `sengoku token`."),
    ] = None,
    allow_insecure_public: Annotated[
        bool, typer.Option("--allow-insecure-public", help="Listen without TLS where other machines reach.")
    ] = False,
    metrics_port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Show metrics for Prometheus; 0 is any free port.")
    ] = None,
    metrics_host: Annotated[str, typer.Option(help="Address to show metrics at.")] = "127.0.0.1",
    allow_public_metrics: Annotated[
        bool, typer.Option("--allow-public-metrics", help="Show metrics where other machines reach.")
    ] = False,
    log_format: Annotated[str, typer.Option(help="Logs as text or as json.")] = "text",
    log_level: Annotated[str, typer.Option(help="Least level to log: debug, info, warning, error.")] = "info",
) -> None:
    """Serves odds and matches over gRPC until SIGTERM or Ctrl-C, then lets calls under way finish."""
    logs.set_up(log_format, log_level)
    tokens = None if token_file is None else Tokens(token_file)
    access = Access(tokens, Tls.of(tls_cert, tls_key, tls_client_ca))
    server = Server(
        host=host,
        port=port,
        threads=threads,
        limits=limits,
        store=store or default_store(),
        access=access,
        allow_insecure_public=allow_insecure_public,
        metrics_host=metrics_host,
        metrics_port=metrics_port,
        allow_public_metrics=allow_public_metrics,
    )

    def ready() -> None:
        if server.metrics_port is not None:
            print(f"metrics on {server.metrics_port.address}", flush=True)
        print(f"listening on {server.address}", flush=True)

    serve(server, grace=grace, drain_delay=drain_delay, ready=ready)


@app.command("token")
def token_command(
    name: Annotated[str, typer.Argument(help="Who will use it: letters, digits, '.', '_', '@', '-'.")],
    role: Annotated[
        str, typer.Option(help="read: look; run: have work done; admin: also see and end runs of others.")
    ] = "run",
    as_json: Json = False,
) -> None:
    """Makes a token for clients, shows it this once, and shows the lines for `sengoku serve --token-file`."""
    token, lines = make_token(name, role)
    if as_json:
        print(json.dumps({"token": token, "lines": lines}))
    else:
        err.print("The token, for the client; it is kept nowhere:", highlight=False)
        print(token)
        err.print("For the token file of the server:", highlight=False)
        print(lines, end="")


@app.command("bench")
def bench_command(
    seconds: Annotated[float, typer.Option(min=0.01, help="How long to measure each kind of work.")] = 1.0,
    as_json: Json = False,
) -> None:
    """Measures how fast this machine is at each kind of work."""
    rows = bench.measure_all(seconds)
    if as_json:
        print(json.dumps({"build": build_info(), "rows": [row.as_dict() for row in rows]}))
    else:
        out.print(show.figures(rows))


@app.command("demo")
def demo_command(
    output: Annotated[Path, typer.Option(help="Folder for the pictures.")] = Path("build/demo"),
) -> None:
    """Starts a server, sends it real work through the client, shows the results, and stops it."""
    with writing("--output", output):
        output.mkdir(parents=True, exist_ok=True)
    demo.run(output, out)


@app.command("version")
def version_command(as_json: Json = False) -> None:
    """Shows the version, the rules versions and what the machine offers."""
    info = build_info()
    if as_json:
        print(json.dumps(info))
    else:
        rules = ", ".join(f"{game} {number}" for game, number in info["rules_versions"].items())
        print(f"sengoku {__version__} ({info['profile']}, {info['instruction_set']}); rules: {rules}")


if __name__ == "__main__":
    main()
