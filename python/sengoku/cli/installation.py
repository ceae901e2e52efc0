"""The `bench`, `demo` and `version` commands: what this installation is, and what it can do."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

from pathlib import Path
from typing import Annotated

from sengoku.cli.commands import App
from sengoku.cli.options import Json, option, written
from sengoku.cli.output import out, print_result, writing

app = App()


@app.command("bench")
def bench_command(
    seconds: Annotated[float, option("Seconds to measure each kind of work.", min=0.01)] = 1.0,
    as_json: Json = False,
) -> None:
    """Measure how fast this machine is.

    Every kind of work is measured: odds, throws, matches and batches.
    """
    from sengoku import build_info
    from sengoku.cli import tables
    from sengoku.cli.measure import measure_all

    rows = measure_all(seconds)
    plain = {"build": build_info(), "rows": [row.as_dict() for row in rows]}
    print_result(tables.figures(rows), plain, as_json)


@app.command("demo")
def demo_command(
    output: Annotated[Path, written(option("Folder for the pictures."), "--output", folder=True)] = Path(
        "build/demo"
    ),
) -> None:
    """Start a server, send it work and draw the results."""
    from sengoku.cli import demonstration

    with writing("--output", output):
        output.mkdir(parents=True, exist_ok=True)
    demonstration.run(output, out())


@app.command("version")
def version_command(as_json: Json = False) -> None:
    """Show the version, the rules versions and the build."""
    from sengoku import build_info

    info = build_info()
    rules = ", ".join(f"{game} {number}" for game, number in info["rules_versions"].items())
    text = f"sengoku {info['version']} ({info['profile']}, {info['instruction_set']}); rules: {rules}"
    print_result(text, info, as_json)
