"""The `games` and `spec` commands: what can be played, and how it looks in arrays."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

from dataclasses import asdict
from typing import Annotated

import typer

from sengoku.cli.options import Connecting, Game, Json, connecting, out, print_json
from sengoku.cli.registry import App

app = App()


@app.command("games")
def games_command(as_json: Json = False) -> None:
    """List the games and their bots."""
    from sengoku import engine
    from sengoku.cli import tables

    if as_json:
        print_json([asdict(game) for game in engine.games()])
    else:
        out().print(tables.games(engine.games()))


@app.command("spec")
@connecting()
def spec_command(
    game: Game,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown tables.")] = False,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Show the layout of a game's observations and its action table.

    Every byte of an observation and every entry of the table is explained.
    """
    from sengoku.cli import tables
    from sengoku.engine.spec import spec

    if at.server is None:
        found = spec(game)
    else:
        with at.client() as client:
            found = client.spec(game)
    if as_json:
        print_json(found.as_dict())
    elif markdown:
        print(found.to_markdown(), end="")
    else:
        tables.spec(found, out())
