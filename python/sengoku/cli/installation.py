"""The `bench`, `demo` and `version` commands: what this installation is, and what it can do."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

from pathlib import Path
from typing import Annotated

from sengoku.cli.commands import App
from sengoku.cli.options import Json, option, written
from sengoku.cli.output import out, print_result, writing

app = App()

_COMPARE = (
    "Print ratios to references measured in the same run: numpy, and EnvPool and OpenSpiel if installed."
)
_HISTORY = "Append the ratios to this file, one line of JSON for each comparison."
_HISTORY_PLOT = "Draw the ratios of the history (PNG, SVG or PDF)."


@app.command("bench")
def bench_command(
    seconds: Annotated[float, option("Seconds to measure each kind of work.", min=0.01)] = 1.0,
    compare: Annotated[bool, option(_COMPARE, "--compare")] = False,
    history: Annotated[Path | None, written(option(_HISTORY), "--history")] = None,
    plot: Annotated[Path | None, written(option(_HISTORY_PLOT), "--plot")] = None,
    markdown: Annotated[bool, option("Print the comparison as a Markdown table.", "--markdown")] = False,
    as_json: Json = False,
) -> None:
    """Measure how fast this machine is.

    Every kind of work is measured: odds, throws, matches and batches. Figures depend on the machine; ratios
    to references that are measured in the same run (--compare) hardly do.
    """
    from sengoku import build_info
    from sengoku.cli import tables
    from sengoku.cli.measure import measure_all

    if compare or history or plot or markdown:
        from sengoku.cli import compare as comparing

        comparing.check_outputs(history, plot)
        compared = comparing.compare(seconds)
        entry = comparing.entry(compared)
        if history is not None:
            comparing.append(history, entry)
        if plot is not None:
            comparing.plot(comparing.read(history) if history else [entry], plot)
        shown = comparing.markdown(compared) if markdown else comparing.table(compared)
        print_result(shown, entry | {"rows": [row.as_dict() for row in compared]}, as_json)
        return
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
