"""The `demo` command."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

from pathlib import Path
from typing import Annotated

import typer

from sengoku.cli.options import out, writing
from sengoku.cli.registry import App

app = App()


@app.command("demo")
def demo_command(
    output: Annotated[Path, typer.Option(help="Folder for the pictures.")] = Path("build/demo"),
) -> None:
    """Start a server, send it work and draw the results."""
    from sengoku.cli import demonstration

    with writing("--output", output):
        output.mkdir(parents=True, exist_ok=True)
    demonstration.run(output, out())
