"""The `scenarios` commands: battles, maps and boards that matches are set up from."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

import json
from pathlib import Path
from typing import Annotated

import typer

from sengoku.cli.commands import App
from sengoku.cli.options import Connecting, Json, argument, connecting, option, written
from sengoku.cli.output import out, print_json, print_result, writing

app = App(
    name="scenarios",
    no_args_is_help=False,
    invoke_without_command=True,
    help="List, show and check scenarios: battles, maps and boards.\n\nWithout a command, list all of them.",
)

GameOption = Annotated[str | None, option("Only scenarios of this game.", "--game")]


@app.callback()
@connecting()
def scenarios_command(
    context: typer.Context, game: GameOption = None, as_json: Json = False, *, at: Connecting
) -> None:
    """List the scenarios of all games and where their data come from."""
    if context.invoked_subcommand is not None:
        return
    from sengoku.cli import tables
    from sengoku.engine import games

    with at.engine() as engine:
        rows = engine.scenarios(game)
    if as_json:
        print_json([row.as_dict() for row in rows])
    elif rows:
        tables.scenario_list(rows, games(), out())
    else:
        print("no scenarios")


@app.command("show")
@connecting()
def scenarios_show(
    which: Annotated[str, argument("The id of a scenario, or a scenario file (TOML).", "ID|FILE")],
    game: GameOption = None,
    svg: Annotated[Path | None, written(option("Also draw it into this file."), "--svg")] = None,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Show the board, background and rules of a scenario, and the sources of its data."""
    from sengoku.cli import tables

    with at.engine() as engine:
        found = (
            engine.read_scenario(Path(which), game)
            if which.endswith(".toml")
            else engine.scenario(which, game)
        )
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
    file: Annotated[Path, argument("A scenario file (TOML).", "FILE")],
    game: GameOption = None,
    as_json: Json = False,
) -> None:
    """Check a custom scenario file; an error names the place in the file."""
    from sengoku.engine import find_game, read_scenario

    found = read_scenario(file, game)
    source = find_game(found.game).scenario_file
    setup = {} if source is None else {source.option: str(file)}
    text = f"{file}: {found.name}, {found.game}; play it with setup {json.dumps(setup)}"
    plain = {"file": str(file), "game": found.game, "name": found.name, "setup": setup}
    print_result(text, plain, as_json)
