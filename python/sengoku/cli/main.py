"""The entry point of the command line: the application, its exit codes, and how errors are printed."""

import io
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from sengoku.cli.commands import App, Invocation, LazyGroup


def _print_version(wanted: bool) -> None:
    if wanted:
        from sengoku import __version__  # noqa: PLC0415 - other commands do not need it

        print(f"sengoku {__version__}")
        raise typer.Exit


app = App(
    cls=LazyGroup,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
    help="Board wargames of feudal Japan: odds of battles, matches between bots, and a server for both.",
    epilog="Exit codes: 0 success, 1 any other failure, 2 invalid input, 3 the server is unreachable, busy "
    "or too slow (worth retrying), 130 interrupted.",
)


@app.callback()
def sengoku(
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Accept the options that come before a command."""
    del version  # its callback has dealt with it


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; `arguments` are those of the process if not given."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a character that the terminal cannot show becomes "?"
    as_json, invocation = "--json" in arguments, Invocation()
    try:
        command = typer.main.get_command(app)
        # In standalone mode typer prints usage errors itself, as text.
        sys.exit(command.main(arguments, "sengoku", standalone_mode=not as_json, obj=invocation))
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:  # raised again unless it can be reported
        from sengoku.cli.errors import report_error  # noqa: PLC0415 - needed only for errors

        code = report_error(error, as_json, invocation)
        if code is None:
            raise
        if isinstance(error, OSError) and not hasattr(error, "reason"):
            # The output cannot be written: keep Python from failing once more when it flushes at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(code)


if __name__ == "__main__":
    main()
