"""The `tower` commands: the cube tower by itself."""

# ruff: noqa: PLC0415 - help and completion must not load the games

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from sengoku.cli.forces import parse_contents, parse_cubes, parse_parameters
from sengoku.cli.options import Connecting, Json, connecting, out, print_json, progress
from sengoku.cli.registry import App

app = App(name="tower", help="Throw cubes into the cube tower.")

CubesOption = Annotated[
    str, typer.Option("--cubes", help="Cubes to throw, such as blue=4,yellow=3,farmer=1.", metavar="CUBES")
]
ParametersOption = Annotated[
    str | None,
    typer.Option(
        help="Parameters of the tower: the name of a parameter set, a JSON object, or a file ending in .toml."
    ),
]
ContentsOption = Annotated[
    str | None,
    typer.Option(
        help="Cubes in the tower: COLOUR=NUMBER separated by commas; a fresh fill if not given.",
        metavar="CUBES",
    ),
]
Players = Annotated[int, typer.Option(help="Number of players whose cubes a fresh fill has.")]
SeedOption = Annotated[int, typer.Option(help="Seed of the tower.")]


@app.command("throw")
@connecting()
def tower_throw(
    cubes: CubesOption,
    model: Annotated[str, typer.Option(help="Model of the tower: shelves or rigid.")] = "shelves",
    contents: ContentsOption = None,
    players: Players = 4,
    parameters: ParametersOption = None,
    seed: SeedOption = 0,
    as_json: Json = False,
    *,
    at: Connecting,
) -> None:
    """Throw cubes into the tower and draw where they are afterwards."""
    from sengoku import tower

    thrown = parse_cubes("--cubes", cubes)
    device = tower.CubeTower(
        model,
        seed=seed,
        contents=parse_contents(contents),
        parameters=parse_parameters(parameters, model),
    )
    if contents is None:
        device.throw(tower.fill(players))
    if at.server is None:
        tray, motion = device.throw(thrown), device.last_throw
    else:
        from sengoku.client import RemoteCubeTower

        with at.client() as client:
            remote = RemoteCubeTower(client, device)
            tray, motion = remote.throw(thrown), remote.last_throw
            device = tower.CubeTower.load(remote.save())
    if as_json:
        print_json(
            {
                "model": model,
                "seed": seed,
                "thrown": thrown,
                "tray": tray,
                "contents": device.contents,
                "shelves": device.shelves,
                "motion": motion,
            }
        )
    else:
        from sengoku.cli import tables

        tables.throw(thrown, tray, device, out(), motion)


@app.command("film")
def tower_film(
    file: Annotated[
        Path, typer.Argument(help="File to write: .gif, .mp4, or .png for one picture.", metavar="FILE")
    ],
    cubes: CubesOption,
    contents: Annotated[
        str | None,
        typer.Option(
            help="Cubes in the tower, '' for an empty one; a fresh fill if not given.", metavar="CUBES"
        ),
    ] = None,
    players: Players = 4,
    parameters: Annotated[
        str | None, typer.Option(help="Geometry of the tower: a file ending in .toml, or a JSON object.")
    ] = None,
    seed: SeedOption = 0,
    slow: Annotated[
        float, typer.Option(help="How many times slower than real time to show the throw.")
    ] = 2.0,
    at: Annotated[
        float | None, typer.Option(help="Second of the throw to draw; the end if not given.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Film a throw into the rigid tower, cut open.

    Without --contents it is the first throw after the fill, because a tower that holds cubes shows more.
    """
    from sengoku import tower
    from sengoku.figures import film

    film.check(file)
    recorded = tower.film(
        parse_cubes("--cubes", cubes),
        seed=seed,
        contents=parse_contents(contents),
        players=players,
        parameters=parse_parameters(parameters, "rigid"),
        frames_per_second=film.frames_per_second(slow),
    )
    with progress(as_json, "drawing") as bar:
        pictures = recorded.save(file, slow=slow, at=at, progress=bar)
    if as_json:
        written: dict[str, Any] = {
            "file": str(file),
            "pictures": pictures,
            "tray": recorded.tray,
            "contents": recorded.contents,
            "motion": recorded.statistics,
        }
        print_json(written)
    else:
        seconds = recorded.statistics["seconds"]
        print(f"{file}: {pictures} picture{'s' * (pictures != 1)} of a throw of {seconds:.2f} s")


@app.command("models")
def tower_models(as_json: Json = False) -> None:
    """List the models of the tower and their parameter sets."""
    from sengoku import tower
    from sengoku.cli import tables

    if as_json:
        print_json([asdict(model) for model in tower.MODELS])
    else:
        out().print(tables.tower_models(tower.MODELS))
