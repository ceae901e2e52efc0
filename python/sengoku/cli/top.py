"""The `top` command: a live view of a server."""

# ruff: noqa: PLC0415 - help and completion must not load the client

import time
from contextlib import suppress
from typing import Annotated

import typer

from sengoku.cli.options import SERVER, Connecting, connecting, out, print_json
from sengoku.cli.registry import App
from sengoku.errors import DeadlineError, ShuttingDownError, UnavailableError

app = App()


@app.command("top")
@connecting(SERVER)
def top_command(
    every: Annotated[float, typer.Option(min=0.2, max=3600.0, help="Seconds between two updates.")] = 1.0,
    once: Annotated[bool, typer.Option("--once", help="Print one snapshot and exit.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one snapshot as JSON and exit.")] = False,
    *,
    at: Connecting,
) -> None:
    """Show what a server is doing.

    The view has its calls, the matches it has played, its runs and tournaments. It is updated until Ctrl-C;
    if the output is not a terminal it is printed once.
    """
    from rich.live import Live

    from sengoku.cli import status

    console = out()
    with at.client() as client:
        seen = status.look(client, at.target)
        if as_json:
            print_json(seen.as_dict())
            return
        if once or not console.is_terminal:
            console.print(status.show(seen))
            return
        before: status.Look | None = None
        with (
            suppress(KeyboardInterrupt),
            Live(status.show(seen), console=console, auto_refresh=False) as live,
        ):
            while True:
                time.sleep(every)
                trouble = ""
                try:
                    before, seen = seen, status.look(client, at.target)
                except (UnavailableError, ShuttingDownError, DeadlineError) as error:
                    trouble = f"unreachable: {error}"
                live.update(status.show(seen, before, trouble), refresh=True)
