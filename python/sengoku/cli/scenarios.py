"""The `scenarios` commands: battles, maps and boards that matches are set up from."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

import json
from pathlib import Path
from typing import Annotated

import typer

from sengoku.cli.options import Connecting, Json, connecting, out, print_json, writing
from sengoku.cli.registry import App

app = App(
    name="scenarios",
    no_args_is_help=False,
    invoke_without_command=True,
    help="List, show and check scenarios: battles, maps and boards.\n\nWithout a command, list all of them.",
)

GameOption = Annotated[str | None, typer.Option("--game", help="Only scenarios of this game.")]


@app.callback()
@connecting()
def scenarios_command(
    context: typer.Context, game: GameOption = None, as_json: Json = False, *, at: Connecting
) -> None:
    """List the scenarios of all games and where their data come from."""
    if context.invoked_subcommand is not None:
        return
    from sengoku import engine
    from sengoku.cli import tables
    from sengoku.engine.scenarios import scenarios

    if at.server is None:
        rows = scenarios(game)
    else:
        with at.client() as client:
            rows = client.scenarios(game)
    if as_json:
        print_json([row.as_dict() for row in rows])
    elif rows:
        tables.scenario_list(rows, engine.games(), out())
    else:
        print("no scenarios")


@app.command("show")
@connecting()
def scenarios_show(
    which: Annotated[
        str, typer.Argument(help="The id of a scenario, or a scenario file (TOML).", metavar="ID|FILE")
    ],
    game: GameOption = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="Also draw it into this file.")] = None,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Show the board, background and rules of a scenario, and the sources of its data."""
    from sengoku.cli import tables
    from sengoku.engine import read_scenario, scenario

    file = Path(which) if which.endswith(".toml") else None
    if at.server is not None:
        with at.client() as client:
            found = client.scenario(which, game) if file is None else client.read_scenario(file, game)
            picture = found.picture if svg is not None else None
    else:
        found = scenario(which, game) if file is None else read_scenario(file, game)
        picture = found.picture if svg is not None else None
    if svg is not None and picture is not None:
        with writing("--svg", svg):
            picture.save(svg)
    if as_json:
        print_json(found.as_dict())
    else:
        tables.scenario_sheet(found, out())


@app.command("check")
def scenarios_check(
    file: Annotated[Path, typer.Argument(help="A scenario file (TOML).", metavar="FILE")],
    game: GameOption = None,
    as_json: Json = False,
) -> None:
    """Check a custom scenario file; an error names the place in the file."""
    from sengoku.engine import find_game, read_scenario

    found = read_scenario(file, game)
    option = find_game(found.game).scenario_file
    setup = {} if option is None else {option.option: str(file)}
    if as_json:
        print_json({"file": str(file), "game": found.game, "name": found.name, "setup": setup})
    else:
        print(f"{file}: {found.name}, {found.game}; play it with setup {json.dumps(setup)}")
