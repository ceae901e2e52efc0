"""Writes the generated pages of the documentation: docs/reference and the pictures of docs/pictures.

`make docs` runs it before it builds the site; `python -m tools.docs.reference` runs it alone. A test fails
when a page is stale.
"""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

from typer.main import get_command

import sengoku
from sengoku.cli.main import app
from sengoku.errors import REASONS
from sengoku.rules import GAMES, rules
from sengoku.server.limits import Limits, flag_of
from sengoku.server.metrics import GAUGES, Metrics
from tools.docs.pages import DOCS, ROOT
from tools.docs.protos import proto_page

PICTURES = {
    "swords_board.svg": "tests/golden/swords_board.svg",
    "swords_odds.svg": "tests/golden/swords_odds.svg",
    "tower_board.svg": "tests/golden/tower_board.svg",
    "battles_board.svg": "tests/golden/battles_board.svg",
    "battles_08.svg": "tests/golden/battles_08.svg",
    "throw.png": "rust/tower-physics/pictures/film.png",
    "tower_boards.png": "rust/tower-physics/pictures/boards.png",
    "tower_plates.png": "rust/tower-physics/pictures/plates.png",
    "training.svg": "examples/python/train.svg",
}
"""Pictures of the site, and the files that they are copies of."""

CLIENT = ("AsyncClient", "Client", "RunStatus", "RunSummary", "Tls")
ADAPTERS = ("sengoku.server.Server", "sengoku.gymnasium", "sengoku.pettingzoo", "sengoku.openspiel")
CONNECTION = "Connection"


def table(*rows: tuple[str, ...]) -> Iterator[str]:
    """A Markdown table; the first row is its head."""
    for number, row in enumerate(rows):
        cells = (cell.replace("|", "\\|").replace("\n", " ") for cell in row)
        yield f"| {' | '.join(cells)} |"
        if number == 0:
            yield f"|{'---|' * len(row)}"


def sentence(text: str | None) -> str:
    """The first paragraph of a docstring or a help text on one line."""
    return " ".join(inspect.cleandoc(text or "").split("\n\n")[0].split())


def default_of(option: Any) -> str:
    """The default of an option, as its help shows it."""
    if isinstance(option.show_default, str):
        return option.show_default
    if option.default is None or option.default is False or callable(option.default):
        return ""
    if isinstance(option.default, (list, tuple)):
        return ", ".join(f"`{value}`" for value in option.default)
    return f"`{option.default}`"


def option_rows(options: list[Any]) -> Iterator[str]:
    """The table of the options of a command."""
    rows = [
        (
            ", ".join(f"`{flag}`" for flag in (*option.opts, *option.secondary_opts)),
            default_of(option),
            sentence(option.help),
        )
        for option in options
    ]
    return table(("option", "default", "meaning"), *rows)


def command_lines(name: str, command: Any) -> Iterator[str]:
    """A command: its purpose, arguments and options."""
    yield f"## sengoku {name}"
    yield ""
    yield " ".join(inspect.cleandoc(command.help or "").split())
    yield ""
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option" and not param.hidden]
    own = [option for option in options if getattr(option, "rich_help_panel", None) != CONNECTION]
    own = [option for option in own if "--help" not in option.opts]
    usage = " ".join(argument.name.upper() for argument in arguments)
    yield "```text"
    yield f"sengoku {name} [OPTIONS] {usage}".rstrip()
    yield "```"
    yield ""
    described = [(f"`{each.name.upper()}`", sentence(each.help)) for each in arguments]
    if described:
        yield from table(("argument", "meaning"), *described)
        yield ""
    if own:
        yield from option_rows(own)
        yield ""
    if len(own) < len(options) - 1:
        yield "Also takes the [connection options](#connection-options)."
        yield ""


def commands(group: Any, *path: str) -> Iterator[tuple[str, Any]]:
    """Every command that does something by itself, in the order of the help."""
    for name, command in group.commands.items():
        if getattr(command, "hidden", False):
            continue
        if not hasattr(command, "commands") or command.invoke_without_command:
            yield " ".join((*path, name)), command
        if hasattr(command, "commands"):
            yield from commands(command, *path, name)


def cli_page() -> Iterator[str]:
    """The command line, from its own description."""
    root = get_command(app)
    found = dict(commands(root))
    yield "# Command line"
    yield ""
    yield "`--json` prints JSON for programs instead of tables, wherever a command has it."
    yield ""
    yield from table(
        ("exit code", "meaning"),
        ("0", "done"),
        ("1", "anything else, such as a failed check"),
        ("2", "the input is wrong"),
        ("3", "the server is out of reach, busy, full, stopping or too slow"),
        ("130", "interrupted"),
    )
    yield ""
    rows = []
    for name, command in found.items():
        anchor = f"sengoku-{name.replace(' ', '-')}"
        rows.append((f"[`sengoku {name}`](#{anchor})", sentence(command.help)))
    yield from table(("command", "purpose"), *rows)
    yield ""
    yield "## Connection options"
    yield ""
    yield "Every command that talks to a server takes these options."
    yield "`SENGOKU_SERVER`, `SENGOKU_TOKEN`, `SENGOKU_TLS_CA` and `SENGOKU_TLS_NAME` set them from the"
    yield "environment."
    yield ""
    connection = [
        option for option in found["health"].params if getattr(option, "rich_help_panel", None) == CONNECTION
    ]
    yield from option_rows(connection)
    yield ""
    for name, command in found.items():
        yield from command_lines(name, command)


def limits_page() -> Iterator[str]:
    """Limits with their flags and the reason of an error beyond each."""
    yield "# Limits"
    yield ""
    yield "Every limit of a server has a flag of `sengoku serve`."
    yield "A request beyond a limit fails with the reason in the last column,"
    yield "costs nothing and changes nothing."
    yield "A limit without a reason makes work wait, or removes what is oldest."
    yield "`CatalogService.GetVersion` (`Client.version()`) lists the limits of a running server."
    yield ""
    rows = [
        (
            f"`{flag_of(field)}`",
            f"{field.default:,}",
            field.metadata["about"],
            f"`{field.metadata['error']}`" if field.metadata["error"] else "",
        )
        for field in fields(Limits)
    ]
    yield from table(("flag", "default", "bounds", "beyond it"), *rows)


def errors_page() -> Iterator[str]:
    """Reasons with their codes and exceptions."""
    yield "# Errors"
    yield ""
    yield "Every error has one reason, which is the same in process, over gRPC and in the output of the"
    yield "command line with `--json`."
    yield "All classes are in `sengoku.errors` and derive from `SengokuError`; see"
    yield "[what an error carries](../service/protocol.md#errors)."
    yield ""
    rows = [
        (
            f"`{reason}`",
            error.status,
            f"`{error.__name__}`",
            sentence(error.__doc__),
        )
        for reason, error in sorted(REASONS.items())
    ]
    yield from table(("reason", "gRPC code", "Python", "meaning"), *rows)


def metrics_page() -> Iterator[str]:
    """The metrics of a server, as a scrape with something of everything shows them."""
    metrics = Metrics()
    for _, source, label, _ in GAUGES:
        value: Any = {"": (0, 0)} if source == "queue" else {"": 0} if label else 0
        metrics.watch(**{source: lambda value=value: value})
    metrics.begin("")
    metrics.end("", "INTERNAL", "INTERNAL", 0.0)
    rows = []
    for family in metrics.registry.collect():
        if family.name.startswith("sengoku_"):
            name = f"{family.name}_total" if family.type == "counter" else family.name
            labels = sorted({label for sample in family.samples for label in sample.labels} - {"le"})
            rows.append((f"`{name}`", family.type, ", ".join(labels), family.documentation))
    yield "# Metrics"
    yield ""
    yield "`sengoku serve --metrics-port 9464` exports these metrics for Prometheus."
    yield "[Metrics and logs](../service/monitoring.md) explains them and has alerts."
    yield ""
    yield from table(("metric", "type", "labels", "meaning"), *sorted(rows))


def names_of(group: str) -> list[str]:
    """The public names of one page of the Python API."""
    modules = [name for name in sengoku.__all__ if inspect.ismodule(getattr(sengoku, name))]
    names = [name for name in sengoku.__all__ if name not in (*modules, "__version__")]
    remote = [name for name in names if name.startswith("Remote") or name in CLIENT]
    if group == "games":
        return [f"sengoku.{name}" for name in modules]
    if group == "adapters":
        return list(ADAPTERS)
    chosen = remote if group == "client" else [name for name in names if name not in remote]
    return [f"sengoku.{name}" for name in sorted(chosen, key=str.lower)]


def python_page(group: str, title: str, about: str) -> Iterator[str]:
    """Some public names of the package; the site generator fills in signatures and docstrings."""
    yield f"# Python: {title}"
    yield ""
    yield about
    yield "Names that are not on these pages are internal and may change."
    for name in names_of(group):
        yield ""
        yield f"::: {name}"
        if name == "sengoku.AsyncClient":  # the methods are those of Client
            yield "    options:"
            yield "      inherited_members: false"


def rules_page(game: str) -> Iterator[str]:
    """The rules of a game as `sengoku rules` prints them."""
    title, _, text = rules(game).partition("\n")
    yield f"{title}: rules\n"
    yield text.lstrip().replace("<", "&lt;")


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    **{f"rules_{game}.md": partial(rules_page, game) for game in GAMES},
    "cli.md": cli_page,
    "limits.md": limits_page,
    "errors.md": errors_page,
    "metrics.md": metrics_page,
    "protos.md": proto_page,
    "python.md": partial(
        python_page, "engine", "engine", "Matches, runs, batches, search and bots in process."
    ),
    "python_games.md": partial(python_page, "games", "games and errors", "The games, and all exceptions."),
    "python_client.md": partial(python_page, "client", "client", "The SDK for a server."),
    "python_adapters.md": partial(
        python_page, "adapters", "server and adapters", "A server in process, and the standard interfaces."
    ),
}
"""The generated pages of docs/reference."""

NOTE = "<!-- Generated by `python -m tools.docs.reference`; do not edit. -->\n\n"


def content(name: str) -> str:
    """The text of a generated page."""
    return NOTE + "\n".join(PAGES[name]()).rstrip() + "\n"


def write(reference: Path = DOCS / "reference", pictures: Path = DOCS / "pictures") -> None:
    """Writes all pages and pictures."""
    for folder in (reference, pictures):
        folder.mkdir(parents=True, exist_ok=True)
    for name in PAGES:
        (reference / name).write_text(content(name), "utf-8")
    for name, source in PICTURES.items():
        (pictures / name).write_bytes((ROOT / source).read_bytes())


if __name__ == "__main__":
    write()
