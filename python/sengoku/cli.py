"""The command line: one function per subcommand, JSON for programs, exit codes that scripts can trust."""

import io
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from sengoku import __version__, bench, build_info, demo, plot, show, swords
from sengoku.client import Client
from sengoku.errors import ArgumentError, BusyError, DeadlineError, SengokuError, UnavailableError
from sengoku.server import Limits, Server, serve

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Odds of battles in board wargames of feudal Japan, and a service for them.",
    epilog="Exit codes: 0 done, 2 the input is wrong, 3 the server is out of reach, busy or too slow, "
    "130 interrupted, 1 anything else.",
)
odds_app = typer.Typer(no_args_is_help=True, help="Odds of a battle.")
app.add_typer(odds_app, name="odds")

_out = Console()
_err = Console(stderr=True)

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


def exit_code(error: SengokuError) -> int:
    """The exit code that an error means."""
    if isinstance(error, ValueError):
        return 2
    return 3 if isinstance(error, UnavailableError | BusyError | DeadlineError) else 1


def main() -> None:
    """Runs the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a sign shows another one
    try:
        app()
    except SengokuError as error:
        if "--json" in sys.argv:
            text = {"reason": error.reason, "message": str(error), "details": error.details}
            _err.print_json(json.dumps({"error": text}))
        else:
            _err.print("[bold red]error:[/]", escape(str(error)), highlight=False)
        sys.exit(exit_code(error))
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        # The output cannot be written; Python must not complain about it once more on the way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if not isinstance(error, BrokenPipeError):
            _err.print("[bold red]error:[/]", escape(str(error)), highlight=False)
        sys.exit(1)


def _parse_force(option: str, text: str) -> swords.Force:
    """Reads `daimyo=1,bow=2,spear=3`; the word `disrupted` marks an army whose daimyo was assassinated."""
    units: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, count = (piece.strip() for piece in part.partition("="))
        details = {"field": option, "value": part}
        if name == "disrupted" and not count:
            units[name] = True
        elif name not in swords.UNITS:
            raise ArgumentError(
                f"{option} has no unit {part!r}, units are {', '.join(swords.UNITS)}", details
            )
        elif name in units:
            raise ArgumentError(f"{option} names {name} twice", details)
        else:
            try:
                units[name] = int(count)
            except ValueError:
                raise ArgumentError(f"{option} has {part!r}, write {name}=NUMBER", details) from None
    return swords.Force(**units)


def _parse_order(text: str) -> str | list[str]:
    """Reads the name of a loss order, or the five units with commas between them."""
    return [part.strip() for part in text.split(",")] if "," in text else text


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Shows a bar on standard error while a person watches, and nothing otherwise."""
    if quiet or not _err.is_terminal:
        yield None
        return
    columns = (TextColumn("sampling"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=_err, transient=True) as progress:
        task = progress.add_task("")
        yield lambda done, total: progress.update(task, completed=done, total=total)


@odds_app.command("swords")
def odds_swords(  # noqa: PLR0912 - a branch for each way to ask
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
    threads: Annotated[int, typer.Option(help="Threads to use; 0 is all cores.")] = 0,
    as_json: Json = False,
    plot_file: Annotated[
        Path | None, typer.Option("--plot", help="Also draw the odds into this file (png, svg, pdf).")
    ] = None,
    server: Annotated[str | None, typer.Option(help="Ask the server at host:port instead.")] = None,
    timeout: Annotated[float, typer.Option(min=0, help="Seconds to wait for the server's answer.")] = 600.0,
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
    if server is not None:
        with Client(server, timeout=timeout) as client:
            if exact:
                odds = client.exact(battle)
            elif samples is not None:
                odds = client.sample(battle, samples, seed=seed)
            else:
                odds = client.odds(battle, max_error=max_error, seed=seed)
    elif exact:
        odds = battle.exact()
    else:
        with _progress(as_json) as progress:
            if samples is not None:
                odds = battle.sample(samples, seed=seed, threads=threads, progress=progress)
            else:
                odds = battle.odds(max_error=max_error, seed=seed, threads=threads, progress=progress)
    if plot_file is not None:
        plot.odds(odds, plot_file)
    if as_json:
        print(json.dumps(swords.describe(odds)))
    else:
        show.odds(odds, _out)


@app.command("serve")
def serve_command(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 is any free one.")
    ] = 50051,
    threads: Annotated[int, typer.Option(min=0, help="Threads for the work; 0 is all cores.")] = 0,
    grace: Annotated[float, typer.Option(min=0, help="Seconds for calls under way when stopping.")] = 30.0,
    max_calls: Annotated[int, typer.Option(min=1, help="Calls under way at once.")] = Limits.calls,
    max_samples: Annotated[int, typer.Option(min=1, help="Battles sampled for one row.")] = Limits.samples,
    max_batch_samples: Annotated[
        int, typer.Option(min=1, help="Battles sampled for one batch.")
    ] = Limits.batch_samples,
    max_batch_rows: Annotated[int, typer.Option(min=1, help="Battles in one batch.")] = Limits.batch_rows,
    max_message_bytes: Annotated[
        int, typer.Option(min=1, help="Length of a request.")
    ] = Limits.message_bytes,
) -> None:
    """Serves odds over gRPC until SIGTERM or Ctrl-C, then lets calls under way finish."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    limits = Limits(
        samples=max_samples,
        batch_samples=max_batch_samples,
        batch_rows=max_batch_rows,
        message_bytes=max_message_bytes,
        calls=max_calls,
    )
    server = Server(host=host, port=port, threads=threads, limits=limits)
    serve(server, grace=grace, ready=lambda: print(f"listening on {server.address}", flush=True))


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
        _out.print(show.figures(rows))


@app.command("demo")
def demo_command(
    output: Annotated[Path, typer.Option(help="Folder for the pictures.")] = Path("build/demo"),
) -> None:
    """Starts a server, sends it real work through the client, shows the results, and stops it."""
    demo.run(output, _out)


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
