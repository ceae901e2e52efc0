"""What commands share: options of a connection, bars while a person watches, files and setups."""

import functools
import inspect
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from sengoku.client.client import Client, Tls
from sengoku.errors import ArgumentError, SengokuError, SetupError

out = Console()
err = Console(stderr=True)

SERVER = "localhost:50051"
"""The server that is asked if none is named."""
TOKEN = "SENGOKU_TOKEN"  # noqa: S105 - the name of a variable
"""The environment variable that holds the token of a connection."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


@dataclass(frozen=True)
class Connecting:
    """The options of a connection, as a command got them."""

    server: str | None
    timeout: float
    tls: bool | Tls
    token: str | None = field(repr=False)
    allow_insecure_token: bool

    def client(self) -> Client:
        """Connects to the server that the options name."""
        return Client(
            SERVER if self.server is None else self.server,
            timeout=self.timeout,
            tls=self.tls,
            token=self.token,
            allow_insecure_token=self.allow_insecure_token,
        )


_PANEL = "Connection"


def _connecting(
    server: Annotated[
        str | None, typer.Option(help="Ask the server at host:port instead.", rich_help_panel=_PANEL)
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0, help="Seconds to wait for the server's answer.", rich_help_panel=_PANEL)
    ] = 600.0,
    tls: Annotated[
        bool,
        typer.Option("--tls", help="Use TLS, trust the authorities that gRPC knows.", rich_help_panel=_PANEL),
    ] = False,
    tls_ca: Annotated[
        Path | None,
        typer.Option(
            help="Use TLS and trust the authorities in this file.",
            envvar="SENGOKU_TLS_CA",
            rich_help_panel=_PANEL,
        ),
    ] = None,
    tls_name: Annotated[
        str | None,
        typer.Option(
            help="Use TLS; the server's certificate says this name, not its address.",
            envvar="SENGOKU_TLS_NAME",
            rich_help_panel=_PANEL,
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option(help="Use TLS and show this certificate.", rich_help_panel=_PANEL)
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(help="The key of that certificate.", rich_help_panel=_PANEL)
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            help=f"A file with the token to be known by; else that of the environment, {TOKEN}.",
            rich_help_panel=_PANEL,
        ),
    ] = None,
    allow_insecure_token: Annotated[
        bool,
        typer.Option(
            "--allow-insecure-token",
            help="Send the token to other machines without TLS too.",
            rich_help_panel=_PANEL,
        ),
    ] = False,
) -> Connecting:
    files = Tls(tls_ca, tls_cert, tls_key, tls_name)
    token = _read_token(token_file) if token_file is not None else os.environ.get(TOKEN) or None
    return Connecting(server, timeout, files if files != Tls() else tls, token, allow_insecure_token)


def _read_token(file: Path) -> str:
    with writing("--token-file", file):
        text = file.read_text("utf-8", "replace")
    if len(text.split()) != 1:
        details = {"field": "--token-file", "value": str(file)}
        raise ArgumentError(f"--token-file is {str(file)!r}, which does not hold one token", details)
    return text.strip()


def with_options(
    argument: str, options: Iterable[inspect.Parameter], make: Callable[..., object]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command options of which one of its arguments is made."""
    added = {option.name: option for option in options}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def called(**given: Any) -> None:
            made = make(**{name: given.pop(name) for name in added})
            command(**given, **{argument: made})

        own = inspect.signature(command)
        mine = [parameter for name, parameter in own.parameters.items() if name != argument]
        every = [parameter.replace(kind=parameter.KEYWORD_ONLY) for parameter in (*mine, *added.values())]
        called.__signature__ = own.replace(parameters=every)  # type: ignore[attr-defined]
        called.__annotations__ = {parameter.name: parameter.annotation for parameter in every}
        return called

    return decorate


def connecting(server: str | None = None) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command the options of a connection; it gets them together as its argument `at`.

    `server` is the one that is asked if none is named; without it the command works in this process then.
    """
    options = dict(inspect.signature(_connecting).parameters)
    if server is not None:
        asked = Annotated[
            str,
            typer.Option(help="The server at host:port.", envvar="SENGOKU_SERVER", rich_help_panel=_PANEL),
        ]
        options["server"] = options["server"].replace(annotation=asked, default=server)

    return with_options("at", options.values(), _connecting)


@contextmanager
def progress(quiet: bool, doing: str = "sampling") -> Iterator[Callable[[int, int], None] | None]:
    """Shows a bar on standard error while a person watches, and nothing otherwise."""
    with steps(quiet) as step:
        yield step and step(doing)


@contextmanager
def steps(quiet: bool) -> Iterator[Callable[[str], Callable[[int, int], None]] | None]:
    """The same for work of several steps: a bar for each, from when it is begun."""
    if quiet or not err.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bars:

        def begin(doing: str) -> Callable[[int, int], None]:
            task = bars.add_task(doing)
            return lambda done, total: bars.update(task, completed=done, total=total)

        yield begin


@contextmanager
def writing(option: str, file: Path) -> Iterator[None]:
    """Says of a file that cannot be read or written which option named it."""
    try:
        yield
    except SengokuError:
        raise  # some of ours are errors of the system too, as that of a server out of reach
    except OSError as error:
        details = {"field": option, "value": str(file)}
        raise ArgumentError(f"{option} is {str(file)!r}: {error.strerror or error}", details) from error


def parse_bots(text: str) -> list[str]:
    """Reads names with commas between them; what has an equals sign is an option of the bot before it."""
    bots: list[str] = []
    for part in filter(None, map(str.strip, text.split(","))):
        if bots and "=" in part and ":" not in part:
            bots[-1] += f",{part}"
        else:
            bots.append(part)
    return bots


def parse_setup(parts: list[str] | None) -> dict[str, Any]:
    """Reads options: JSON tables, or `name=value` with a value in JSON or a plain word."""
    setup: dict[str, Any] = {}
    for part in parts or []:
        if part.lstrip().startswith("{"):
            try:
                setup |= json.loads(part)
            except (ValueError, RecursionError) as error:
                details = {"field": "setup", "reason": str(error)}
                raise SetupError(f"setup: no JSON: {error}", details) from None
            continue
        name, equals, text = part.partition("=")
        if not (name.strip() and equals):
            details = {"field": "--setup", "value": part}
            raise ArgumentError(f"--setup is {part!r}, write NAME=VALUE or a table in JSON", details)
        try:
            setup[name.strip()] = json.loads(text)
        except ValueError:
            setup[name.strip()] = text.strip()
        except RecursionError as error:
            details = {"field": "--setup", "value": part[:60]}
            raise ArgumentError(f"--setup is nested too deep: {error}", details) from None
    return setup


# Options of a wish for matches.
Game = Annotated[str, typer.Argument(help="Name of the game.", metavar="GAME")]
Bots = Annotated[
    str,
    typer.Option(
        help="Bots by seat with commas, options as in mcts:iterations=200; the last one takes the seats left."
    ),
]
Seats = Annotated[int | None, typer.Option(help="Seats; as many as bots if not given, or as the game needs.")]
Matches = Annotated[int, typer.Option(help="How many matches.")]
FirstMatch = Annotated[int, typer.Option(help="Number of the first match.")]
Seed = Annotated[int, typer.Option(help="Seed of all chance.")]
SetupParts = Annotated[
    list[str] | None,
    typer.Option(help="An option of the game as NAME=VALUE, or a table in JSON; can be repeated."),
]
