"""Options that several commands share, alone and in groups."""

# ruff: noqa: PLC0415 - help and completion read this module and must not load grpc

import functools
import inspect
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sengoku.cli.output import check_output, writing
from sengoku.errors import ArgumentError, SetupError

if TYPE_CHECKING:
    from sengoku.client import AsyncClient, Client

PORT = 50051
"""The port of a server if none is named."""
SERVER = f"localhost:{PORT}"
"""The server that is used if none is named."""
TOKEN = "SENGOKU_TOKEN"  # noqa: S105 - the name of a variable
"""The environment variable that holds the access token."""


def option(text: str, *flags: str, **settings: Any) -> Any:
    """Return an option with a help text; `flags` replace the one that its parameter's name gives."""
    return typer.Option(*flags, help=text, **settings)


def argument(text: str, metavar: str, **settings: Any) -> Any:
    """Return an argument with a help text, and how the help writes it."""
    return typer.Argument(help=text, metavar=metavar, **settings)


def written(settings: Any, name: str, **how: bool) -> Any:
    """Return an option or argument for what a command writes, whose value is checked before the command runs.

    `how` are the options of `check_output`.
    """

    def check(value: Any) -> Any:
        for file in value if isinstance(value, list | tuple) else [] if value is None else [value]:
            check_output(name, Path(file), **how)
        return value

    settings.callback = check
    return settings


Json = Annotated[bool, option("Print JSON instead of tables.", "--json")]


@dataclass(frozen=True)
class Connecting:
    """The connection options of a command."""

    server: str | None
    timeout: float
    tls: bool
    tls_files: tuple[Path | None, Path | None, Path | None, str | None]
    """Certificate authorities, certificate, key and the server's name."""
    token: str | None = field(repr=False)
    allow_insecure_token: bool

    @property
    def target(self) -> str:
        """The address of the server, with a port."""
        return SERVER if self.server is None else with_port(self.server)

    def client(self) -> "Client":
        """Connect to the server."""
        from sengoku.client import Client

        return Client(self.target, **self._how())

    def async_client(self) -> "AsyncClient":
        """Connect to the server, for an event loop."""
        from sengoku.client import AsyncClient

        return AsyncClient(self.target, **self._how())

    def _how(self) -> dict[str, Any]:
        from sengoku.client import Tls

        tls = Tls(*self.tls_files) if any(self.tls_files) else self.tls
        insecure = self.allow_insecure_token
        return {"timeout": self.timeout, "tls": tls, "token": self.token, "allow_insecure_token": insecure}

    @contextmanager
    def engine(self) -> Iterator[Any]:
        """Provide a client if a server is named, otherwise `sengoku.engine`, which has the same functions."""
        if self.server is None:
            yield import_module("sengoku.engine")
        else:
            with self.client() as client:
                yield client


Fleet = Annotated[
    str | None,
    typer.Option(
        help="Play on a Ray cluster: auto, local, local:2 (two workers), ray://HOST:10001 or HOST:6379.",
        metavar="ADDRESS",
    ),
]


def opened_fleet(address: str) -> Any:
    """Connect to the fleet at an address."""
    from sengoku.fleet import Fleet

    return Fleet(address)


def with_port(server: str) -> str:
    """Add the default port to the name or address of a host that has none.

    >>> [with_port(server) for server in ("example.org", "10.0.0.1", "::1", "[::1]")]
    ['example.org:50051', '10.0.0.1:50051', '[::1]:50051', '[::1]:50051']
    >>> [with_port(server) for server in ("localhost:80", "[::1]:80", "unix:/run/x", "dns:///example.org:80")]
    ['localhost:80', '[::1]:80', 'unix:/run/x', 'dns:///example.org:80']
    """
    if re.fullmatch(r"[\w.-]+|\[[0-9A-Fa-f:.]+\]", server):
        return f"{server}:{PORT}"
    if re.fullmatch(r"[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f.]*", server):
        return f"[{server}]:{PORT}"
    return server


_connection = functools.partial(option, rich_help_panel="Connection")
_LOCAL = f"Use the server at HOST[:PORT] instead of this process; the default port is {PORT}."
_TLS_NAME = "Use TLS and expect this name in the server's certificate instead of its address."
_TOKEN_FILE = f"Read the access token from this file instead of the environment variable {TOKEN}."
_INSECURE = "Send the token to other machines even without TLS."
_TLS_CA = "Use TLS and trust the certificate authorities in this PEM file."
_TLS = "Use TLS and trust gRPC's default certificate authorities."


def _connecting(
    server: Annotated[str | None, _connection(_LOCAL, metavar="HOST[:PORT]")] = None,
    timeout: Annotated[float, _connection("Seconds to wait for the server's response.", min=0)] = 600.0,
    tls: Annotated[bool, _connection(_TLS, "--tls")] = False,
    tls_ca: Annotated[Path | None, _connection(_TLS_CA, envvar="SENGOKU_TLS_CA")] = None,
    tls_name: Annotated[str | None, _connection(_TLS_NAME, envvar="SENGOKU_TLS_NAME")] = None,
    tls_cert: Annotated[
        Path | None, _connection("Use TLS and present this client certificate (PEM).")
    ] = None,
    tls_key: Annotated[Path | None, _connection("The key of the client certificate (PEM).")] = None,
    token_file: Annotated[Path | None, _connection(_TOKEN_FILE)] = None,
    allow_insecure_token: Annotated[bool, _connection(_INSECURE, "--allow-insecure-token")] = False,
) -> Connecting:
    """Collect the connection options of a command."""
    token = _read_token(token_file) if token_file is not None else os.environ.get(TOKEN) or None
    files = (tls_ca, tls_cert, tls_key, tls_name)
    return Connecting(server, timeout, tls or any(files), files, token, allow_insecure_token)


def _read_token(file: Path) -> str:
    with writing("--token-file", file):
        text = file.read_text("utf-8", "replace")
    if len(text.split()) != 1:
        details = {"field": "--token-file", "value": str(file)}
        raise ArgumentError(f"--token-file is {str(file)!r}: must contain exactly one token", details)
    return text.strip()


def with_options(
    argument: str, options: Iterable[inspect.Parameter], make: Callable[..., object]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add options to a command in place of one of its arguments, which `make` builds from them."""
    added = {option.name: option for option in options}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def called(**values: Any) -> None:
            made = make(**{name: values.pop(name) for name in added})
            command(**values, **{argument: made})

        own = inspect.signature(command)
        places = (
            [*added.values()] if name == argument else [own.parameters[name]] for name in own.parameters
        )
        every = [parameter.replace(kind=parameter.KEYWORD_ONLY) for place in places for parameter in place]
        called.__signature__ = own.replace(parameters=every)  # type: ignore[attr-defined]
        called.__annotations__ = {parameter.name: parameter.annotation for parameter in every}
        return called

    return decorate


def connecting(server: str | None = None) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the connection options to a command, which gets them together as its argument `at`.

    `server` is the default server; without one the command works in this process unless --server is given.
    """
    options = dict(inspect.signature(_connecting).parameters)
    if server is not None:
        named = {"metavar": "HOST[:PORT]", "envvar": "SENGOKU_SERVER"}
        required = Annotated[str, _connection(f"The server; the default port is {PORT}.", **named)]
        options["server"] = options["server"].replace(annotation=required, default=server)
    return with_options("at", options.values(), _connecting)


def parse_bots(text: str) -> list[str]:
    """Parse names separated by commas; a part with an equals sign is an option of the bot before it."""
    bots: list[str] = []
    for part in filter(None, map(str.strip, text.split(","))):
        if bots and "=" in part and ":" not in part:
            bots[-1] += f",{part}"
        else:
            bots.append(part)
    return bots


def parse_setup(parts: list[str] | None) -> dict[str, Any]:
    """Parse setup options: JSON objects, or NAME=VALUE with a value in JSON or a plain word."""
    setup: dict[str, Any] = {}
    for part in parts or []:
        if part.lstrip().startswith("{"):
            try:
                setup |= json.loads(part)
            except (ValueError, RecursionError) as error:
                details = {"field": "setup", "reason": str(error)}
                raise SetupError(f"setup: invalid JSON: {error}", details) from None
            continue
        name, equals, text = part.partition("=")
        if not (name.strip() and equals):
            details = {"field": "--setup", "value": part}
            raise ArgumentError(f"--setup is {part!r}, expected NAME=VALUE or a JSON object", details)
        try:
            setup[name.strip()] = json.loads(text)
        except ValueError:
            setup[name.strip()] = text.strip()
        except RecursionError as error:
            details = {"field": "--setup", "value": part[:60]}
            raise ArgumentError(f"--setup is nested too deeply: {error}", details) from None
    return setup


Game = Annotated[str, argument("Name of the game, as `sengoku games` lists it.", "GAME")]
_BOTS = "Bots by seat, separated by commas, with options as in mcts:iterations=200; "
Bots = Annotated[str, option(f"{_BOTS}the last one takes the remaining seats.")]
Seats = Annotated[
    int | None, option("Number of seats; by default one per bot, or as many as the game needs.")
]
Matches = Annotated[int, option("Number of matches.")]
FirstMatch = Annotated[int, option("Index of the first match.")]
Seed = Annotated[int, option("Seed of all random numbers.")]
Threads = Annotated[int, option("Number of threads; 0 uses all cores.")]
_SETUP = "A setup option as NAME=VALUE, or a JSON object; can be repeated."
SetupParts = Annotated[list[str] | None, option(_SETUP)]


def _request(
    seats: Seats = None,
    matches: Matches = 1000,
    first_match: FirstMatch = 0,
    seed: Seed = 0,
    setup: SetupParts = None,
) -> dict[str, Any]:
    """Collect the options that say which matches to play."""
    request = {"seats": seats, "match_count": matches, "first_match": first_match, "seed": seed}
    return request | {"setup": parse_setup(setup)}


def requesting(matches: int = 1000) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add options for the matches to play to a command, which gets them as keywords in `request`."""
    options = dict(inspect.signature(_request).parameters)
    options["matches"] = options["matches"].replace(default=matches)
    return with_options("request", options.values(), _request)
