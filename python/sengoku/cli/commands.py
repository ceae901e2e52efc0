"""The table of top-level commands, and the group that imports a command's module when it is used."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Entry(NamedTuple):
    """A top-level command: its name, its module in `sengoku.cli`, its panel in the help, and its help."""

    name: str
    module: str
    panel: str
    help: str


_PLAY, _LONG = "Games and matches", "Bots, runs and tournaments"
_SERVER, _ABOUT = "Servers", "This installation"

COMMANDS = tuple(
    Entry(*row)
    for row in (
        ("odds", "odds", _PLAY, "Compute the odds of a battle."),
        ("run", "run", _PLAY, "Play matches between bots and show who won."),
        ("games", "games", _PLAY, "List the games and their bots."),
        ("scenarios", "scenarios", _PLAY, "List, show and check scenarios: battles, maps and boards."),
        ("replay", "replay", _PLAY, "Show and verify recorded matches."),
        ("analyse", "analyse", _PLAY, "Analyse a recorded match: win probabilities, mistakes and luck."),
        ("tower", "tower", _PLAY, "Throw cubes into the cube tower."),
        ("spec", "games", _PLAY, "Show the layout of a game's observations and its action table."),
        ("rules", "rules", _PLAY, "Print the rules of a game as they are implemented."),
        (
            "rule",
            "rules",
            _PLAY,
            "Show one rule: its sentence, the code and the tests that name it, and the text about it.",
        ),
        ("bot", "bots", _LONG, "Check custom bots, play them and connect them to a server."),
        ("runs", "runs", _LONG, "Start and follow long runs on a server."),
        ("tournament", "tournament", _LONG, "Play and follow tournaments between bots."),
        ("up", "up", _SERVER, "Start a server with the web console on this machine."),
        ("down", "up", _SERVER, "Stop the server that `sengoku up` started."),
        ("serve", "serve", _SERVER, "Serve odds and matches over gRPC until SIGTERM or Ctrl-C."),
        ("mcp", "mcp", _SERVER, "Offer the games to language models: an MCP server on stdin and stdout."),
        ("token", "serve", _SERVER, "Create an access token for a client."),
        ("store", "store", _SERVER, "Check, back up, repair and migrate the store of a server."),
        ("top", "top", _SERVER, "Show what a server is doing."),
        ("health", "top", _SERVER, "Check whether a server accepts calls."),
        ("bench", "installation", _ABOUT, "Measure how fast this machine is."),
        ("demo", "installation", _ABOUT, "Start a server, send it work and draw the results."),
        ("version", "installation", _ABOUT, "Show the version, the rules versions and the build."),
    )
)
"""All top-level commands in the order of use. The help of each is the first sentence of the command's own."""


@dataclass
class Invocation:
    """The command that is being run, for error messages that name its flags."""

    context: typer.Context | None = None


class _Flags:
    """A command whose help shows no type for flags, and which records that it is being run."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters; a flag has an empty metavar instead of `<bool>`."""
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if getattr(param, "is_bool_flag", False) and param.metavar is None:
                param.metavar = ""
        return params

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        if isinstance(ctx.obj, Invocation):
            ctx.obj.context = ctx
        return super().invoke(ctx)  # type: ignore[misc]


class Command(_Flags, TyperCommand):
    """A single command."""


class Group(_Flags, TyperGroup):
    """A group of commands."""


class App(typer.Typer):
    """A Typer application whose commands and groups are `Command` and `Group`."""

    def __init__(self, **options: Any) -> None:
        defaults: dict[str, Any] = {"cls": Group, "no_args_is_help": True, "add_completion": False}
        super().__init__(**defaults | options)

    def command(self, name: str | None = None, **options: Any) -> Callable[[_Function], _Function]:
        """Register a command."""
        defaults: dict[str, Any] = {"cls": Command}
        return super().command(name, **defaults | options)


class LazyGroup(Group):
    """The group of all top-level commands: lists them from `COMMANDS` and imports one only to run it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands: Any = _Loaded()
        self._listing = False

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the signature is typer's
        """Return the names in the order of use."""
        return [entry.name for entry in COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; while the commands are being listed only its name and help."""
        if self._listing:
            listed = {entry.name: entry for entry in COMMANDS}[cmd_name]
            return TyperCommand(cmd_name, help=listed.help, rich_help_panel=listed.panel)
        return super().get_command(ctx, cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help without importing the commands."""
        with self._listed():
            super().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Complete the name of a command without importing the commands."""
        with self._listed():
            return super().shell_complete(ctx, incomplete)

    @contextmanager
    def _listed(self) -> Iterator[None]:
        self._listing = True
        try:
            yield
        finally:
            self._listing = False


class _Loaded(Mapping[str, Any]):
    """The commands by name; each is imported when it is looked up."""

    def __getitem__(self, name: str) -> Any:
        return _load(name)

    def __iter__(self) -> Iterator[str]:
        return (entry.name for entry in COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


@cache
def _load(name: str) -> Any:
    """Import the module of a command and return the command: the module's group, or a command in it."""
    entry = {entry.name: entry for entry in COMMANDS}[name]
    app = import_module(f"sengoku.cli.{entry.module}").app
    group = typer.main.get_group(app)
    command: Any = group if group.name == name else group.commands[name]
    command.rich_help_panel = entry.panel
    return command
