"""The `top` and `health` commands: what a server is doing, and whether it accepts calls."""

# ruff: noqa: PLC0415 - help and completion must not load the client

import time
from contextlib import suppress
from typing import Annotated

import typer

from sengoku.cli.commands import App
from sengoku.cli.options import SERVER, Connecting, Json, connecting, option
from sengoku.cli.output import out, print_json, print_result
from sengoku.errors import DeadlineError, ShuttingDownError, UnavailableError

app = App()


@app.command("top")
@connecting(SERVER)
def top_command(
    every: Annotated[float, option("Seconds between two updates.", min=0.2, max=3600.0)] = 1.0,
    once: Annotated[bool, option("Print one snapshot and exit.", "--once")] = False,
    as_json: Annotated[bool, option("Print one snapshot as JSON and exit.", "--json")] = False,
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
        live = Live(status.show(seen), console=console, auto_refresh=False)
        with suppress(KeyboardInterrupt), live:
            while True:
                time.sleep(every)
                trouble = ""
                try:
                    before, seen = seen, status.look(client, at.target)
                except (UnavailableError, ShuttingDownError, DeadlineError) as error:
                    trouble = f"unreachable: {error}"
                live.update(status.show(seen, before, trouble), refresh=True)


@app.command("health")
@connecting(SERVER)
def health_command(as_json: Json = False, *, at: Connecting) -> None:
    """Check whether a server accepts calls.

    The exit code is 0 if it does, 1 if it is stopping and 3 if it is unreachable. The check waits at
    most five seconds and needs no token.
    """
    with at.client() as client:
        status = client.health(timeout=min(at.timeout, 5.0))
    print_result(status, {"status": status}, as_json)
    if status != "SERVING":
        raise typer.Exit(1)
