"""The `bench` command."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

from typing import Annotated

import typer

from sengoku.cli.options import Json, out, print_json
from sengoku.cli.registry import App

app = App()


@app.command("bench")
def bench_command(
    seconds: Annotated[float, typer.Option(min=0.01, help="Seconds to measure each kind of work.")] = 1.0,
    as_json: Json = False,
) -> None:
    """Measure how fast this machine is.

    Every kind of work is measured: odds, throws, matches and batches.
    """
    from sengoku import build_info
    from sengoku.cli import tables
    from sengoku.cli.measure import measure_all

    rows = measure_all(seconds)
    if as_json:
        print_json({"build": build_info(), "rows": [row.as_dict() for row in rows]})
    else:
        out().print(tables.figures(rows))
