"""The `up` and `down` commands: a server with the console on this machine."""

# ruff: noqa: PLC0415 - help and completion must not load the server

from contextlib import ExitStack
from typing import Annotated

from sengoku.cli.commands import App
from sengoku.cli.options import PORT, option

app = App()

_PORT = "Port for clients of gRPC; 0 is any free port."
_HTTP = "Port of the console; 0 is any free port."
_STORE = 'File that stores long runs and tournaments; ":memory:" stores nothing.'
_BROWSER = "Open the console in a browser, if there is one."
_BACKGROUND = "Leave the server running and return; `sengoku down` stops it."


@app.command("up")
def up_command(
    http_port: Annotated[
        int | None, option(_HTTP, min=0, max=65535, show_default="8051, or any if it is taken")
    ] = None,
    port: Annotated[
        int | None, option(_PORT, min=0, max=65535, show_default="50051, or any if it is taken")
    ] = None,
    store: Annotated[
        str | None, option(_STORE, show_default="runs.sqlite3 in the user's state folder")
    ] = None,
    browser: Annotated[bool, option(_BROWSER, "--browser/--no-browser")] = True,
    background: Annotated[bool, option(_BACKGROUND, "--background")] = False,
) -> None:
    """Start a server with the web console on this machine.

    Only this machine can reach it. If one is running already, its address is shown.
    """
    from sengoku.cli import background as processes

    known = processes.running()
    if known is None and background:
        given = {"--http-port": http_port, "--port": port, "--store": store}
        options = [text for flag, value in given.items() if value is not None for text in (flag, str(value))]
        known = processes.start(options)
    if known is not None:
        print(f"Sengoku is at {known.url}\ngRPC at {known.grpc}; `sengoku down` stops it", flush=True)
        if browser:
            _open(known.url)
        return
    _serve(
        http_port=processes.free_port(processes.HTTP_PORT) if http_port is None else http_port,
        port=processes.free_port(PORT) if port is None else port,
        store=store,
        browser=browser,
    )


def _serve(*, http_port: int, port: int, store: str | None, browser: bool) -> None:
    """Serve until SIGTERM or Ctrl-C."""
    from sengoku.cli.background import announce
    from sengoku.server import Server, logging, serve
    from sengoku.storage import default_store

    logging.set_up("text", "warning", alone=True)
    server = Server(port=port, http_port=http_port, store=store or default_store())
    url = str(server.http_address)
    with ExitStack() as stack:

        def ready() -> None:
            stack.enter_context(announce(url, server.address))
            print(f"Sengoku is at {url}\ngRPC at {server.address}; Ctrl-C stops it", flush=True)
            if browser:
                _open(url)

        serve(server, grace=5.0, ready=ready)


def _open(url: str) -> None:
    """Open an address in a browser with windows; one in the terminal would hide this program."""
    import os
    import sys
    import webbrowser

    if sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(url)


@app.command("down")
def down_command() -> None:
    """Stop the server that `sengoku up` started."""
    from sengoku.cli import background as processes

    known = processes.running()
    if known is None:
        print("no server of `sengoku up` is running")
        return
    processes.stop(known)
    print(f"stopped the server at {known.url}")
