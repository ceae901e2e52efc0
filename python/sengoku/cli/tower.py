"""The `tower` commands: the cube tower by itself."""

# ruff: noqa: PLC0415 - help and completion must not load the games

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from sengoku.cli.commands import App
from sengoku.cli.forces import parse_contents, parse_cubes, parse_parameters
from sengoku.cli.options import Connecting, Json, argument, connecting, option, written
from sengoku.cli.output import out, print_json, print_result, progress

app = App(name="tower", help="Throw cubes into the cube tower.")

CubesOption = Annotated[str, option("Cubes to throw, such as blue=4,yellow=3,farmer=1.", metavar="CUBES")]
_SET = "Parameters: the name of a set or of a rigid tower, a JSON object, or a file ending in .toml."
ParametersOption = Annotated[str | None, option(_SET)]
_CONTENTS = "Cubes in the tower: COLOUR=NUMBER separated by commas; a fresh fill if not given."
ContentsOption = Annotated[str | None, option(_CONTENTS, metavar="CUBES")]
Players = Annotated[int, option("Number of players whose cubes a fresh fill has.")]
SeedOption = Annotated[int, option("Seed of the tower.")]


@app.command("throw")
@connecting()
def tower_throw(
    cubes: CubesOption,
    model: Annotated[str, option("Model of the tower: shelves or rigid.")] = "shelves",
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

    thrown, inside = parse_cubes("--cubes", cubes), parse_contents(contents)
    fitted = parse_parameters(parameters, model)
    device = tower.CubeTower(model, seed=seed, contents=inside, parameters=fitted)
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
        about = {"model": model, "seed": seed, "thrown": thrown, "tray": tray}
        after = {"contents": device.contents, "shelves": device.shelves, "motion": motion}
        print_json(about | after)
    else:
        from sengoku.cli import tables

        tables.throw(thrown, tray, device, out(), motion)


_FILM = "File to write: .gif, .mp4, or .png for one picture."
_INSIDE = "Cubes in the tower, '' for an empty one; a fresh fill if not given."
_GEOMETRY = "Geometry of the tower: boards, plates, a file ending in .toml, or a JSON object."


@app.command("film")
def tower_film(
    file: Annotated[Path, written(argument(_FILM, "FILE"), "FILE", parents=True)],
    cubes: CubesOption,
    contents: Annotated[str | None, option(_INSIDE, metavar="CUBES")] = None,
    players: Players = 4,
    parameters: Annotated[str | None, option(_GEOMETRY)] = None,
    seed: SeedOption = 0,
    slow: Annotated[float, option("How many times slower than real time to show the throw.")] = 2.0,
    at: Annotated[float | None, option("Second of the throw to draw; the end if not given.")] = None,
    as_json: Json = False,
) -> None:
    """Film a throw into the rigid tower, cut open.

    Without --contents it is the first throw after the fill, because a tower that holds cubes shows more.
    """
    from sengoku import tower
    from sengoku.engine.words import count_text
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
    motion = recorded.statistics
    text = f"{file}: {count_text(pictures, 'picture')} of a throw of {motion['seconds']:.2f} s"
    plain = {"file": str(file), "pictures": pictures, "tray": recorded.tray, "contents": recorded.contents}
    print_result(text, {**plain, "motion": motion}, as_json)


@app.command("models")
def tower_models(as_json: Json = False) -> None:
    """List the models of the tower and their parameter sets."""
    from sengoku import tower
    from sengoku.cli import tables

    print_result(tables.tower_models(tower.MODELS), [asdict(model) for model in tower.MODELS], as_json)


@app.command("fit")
def tower_fit(
    file: Annotated[
        Path | None,
        argument("Measurements: a CSV file with the columns throw, thrown and out.", "MEASUREMENTS"),
    ] = None,
    form: Annotated[bool, option("Print an empty form of twenty throws instead.", "--form")] = False,
    as_json: Json = False,
) -> None:
    """Fit the fast tower to throws that were counted on a real one.

    The tower is empty before the first throw, and what comes out is taken away each time.
    """
    from sengoku.engine import tower_fit as fits
    from sengoku.errors import ArgumentError

    if form == (file is not None):
        wanted = "give a file of measurements, or --form for an empty one"
        raise ArgumentError(f"measurements: {wanted}", {"field": "measurements", "value": str(file)})
    if file is None:
        print_result(fits.form(), {"form": fits.form()}, as_json)
        return
    throws = fits.read_measurements(file)
    with progress(as_json, "fitting") as bar:
        found = fits.fit_measurements(throws, progress=bar)
    if as_json:
        print_json(asdict(found))
        return
    from sengoku.cli import tables

    out().print(tables.tower_fit(found))
