"""The `games` and `spec` commands: what can be played, and how it looks in arrays."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

from dataclasses import asdict
from typing import Annotated

from sengoku.cli.commands import App
from sengoku.cli.options import Connecting, Game, Json, connecting, option
from sengoku.cli.output import out, print_json, print_result

app = App()


@app.command("games")
def games_command(as_json: Json = False) -> None:
    """List the games and their bots."""
    from sengoku import engine
    from sengoku.cli import tables

    games = engine.games()
    print_result(tables.games(games), [asdict(game) for game in games], as_json)


@app.command("spec")
@connecting()
def spec_command(
    game: Game,
    markdown: Annotated[bool, option("Print Markdown tables.", "--markdown")] = False,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Show the layout of a game's observations and its action table.

    Every byte of an observation and every entry of the table is explained.
    """
    from sengoku.cli import tables

    with at.engine() as engine:
        found = engine.spec(game)
    if as_json:
        print_json(found.as_dict())
    elif markdown:
        print(found.to_markdown(), end="")
    else:
        tables.spec(found, out())
