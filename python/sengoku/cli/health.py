"""The `health` command."""

import typer

from sengoku.cli.options import SERVER, Connecting, Json, connecting, print_json
from sengoku.cli.registry import App

app = App()


@app.command("health")
@connecting(SERVER)
def health_command(as_json: Json = False, *, at: Connecting) -> None:
    """Check whether a server accepts calls.

    The exit code is 0 if it does, 1 if it is stopping and 3 if it is unreachable. The check waits at
    most five seconds and needs no token.
    """
    with at.client() as client:
        status = client.health(timeout=min(at.timeout, 5.0))
    if as_json:
        print_json({"status": status})
    else:
        print(status)
    if status != "SERVING":
        raise typer.Exit(1)
