"""Command line of the calibration: `python -m tools.calibration DIRECTORY`."""

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from sengoku.cli.options import Json
from sengoku.cli.output import steps
from tools.calibration.calibrate import calibrate

app = typer.Typer(add_completion=False)


@app.command()
def main(
    directory: Annotated[
        Path, typer.Argument(help="Where trials are kept and results are written.", metavar="DIRECTORY")
    ],
    share: Annotated[
        float,
        typer.Option(help="How much of a whole calibration (2,000 throws in every cell).", min=0.0, max=10.0),
    ] = 1.0,
    seed: Annotated[int, typer.Option(help="Seed of all trials.")] = 0,
    threads: Annotated[int, typer.Option(help="Trials at a time; 0 is one for each processor.", min=0)] = 0,
    generations: Annotated[int, typer.Option(help="Generations of the search for parameters.", min=1)] = 30,
    shelves: Annotated[int, typer.Option(help="Shelves of the fast model.", min=2, max=3)] = 2,
    geometry: Annotated[str, typer.Option(help="Rigid tower to fit to: boards or plates.")] = "boards",
    note: Annotated[str, typer.Option(help="A sentence for the report, such as why it is not whole.")] = "",
    as_json: Json = False,
) -> None:
    """Fit the fast cube tower to the rigid one and report how far apart they are.

    This takes hours. Every trial is stored as it is made; the next call with the same DIRECTORY resumes.
    """
    with steps(as_json) as step:
        found, files = calibrate(
            directory,
            share=share,
            seed=seed,
            threads=threads or os.cpu_count() or 1,
            generations=generations,
            number_of_shelves=shelves,
            geometry=geometry,
            note=note,
            step=step,
        )
    if as_json:
        print(json.dumps(found | {"files": [str(file) for file in files]}))
    else:
        for file in files:
            print(file)


if __name__ == "__main__":
    app()
