"""The output of commands: consoles, JSON, progress bars, and files that cannot be read or written."""

# ruff: noqa: PLC0415 - help and completion read this module and must not load rich

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sengoku.errors import ArgumentError, SengokuError

if TYPE_CHECKING:
    from rich.console import Console


def out() -> "Console":
    """Return the console for results, on standard output."""
    from rich.console import Console

    return Console()


def err() -> "Console":
    """Return the console for errors and progress bars, on standard error."""
    from rich.console import Console

    return Console(stderr=True)


def print_json(value: object) -> None:
    """Print a value as one line of JSON, at once."""
    print(json.dumps(value), flush=True)


def print_result(shown: object, plain: Any, as_json: bool) -> None:
    """Print a text or a table or, as JSON, `plain`: a value or a function that returns it."""
    if as_json:
        print_json(plain() if callable(plain) else plain)
    elif isinstance(shown, str):
        print(shown)
    else:
        out().print(shown)


@contextmanager
def progress(quiet: bool, doing: str = "sampling") -> Iterator[Callable[[int, int], None] | None]:
    """Show a progress bar on standard error if it is a terminal; yield its callback, or None."""
    with steps(quiet) as step:
        yield step and step(doing)


@contextmanager
def steps(quiet: bool) -> Iterator[Callable[[str], Callable[[int, int], None]] | None]:
    """Show one progress bar per step of the work; yield the function that begins a step, or None."""
    console = None if quiet else err()
    if console is None or not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bars:

        def begin(doing: str) -> Callable[[int, int], None]:
            task = bars.add_task(doing)
            return lambda done, total: bars.update(task, completed=done, total=total)

        yield begin


def check_output(option: str, file: Path, *, folder: bool = False, parents: bool = False) -> None:
    """Raise an error for a path that cannot be written, before any work is done; nothing is created.

    A `folder`, and with `parents` the folders of a file, may be missing: they are created later.
    """
    problem = ""
    try:
        if file.is_dir() != folder and file.exists():
            problem = "is not a folder" if folder else "is a folder, expected a file"
        elif file.exists():
            problem = "" if os.access(file, os.W_OK) else "may not be written"
        else:
            place = file.absolute().parent
            while (parents or folder) and not place.exists() and place != place.parent:
                place = place.parent
            if not place.is_dir():
                problem = (
                    f"{place} is not a folder" if place.exists() else f"the folder {place} does not exist"
                )
            elif not os.access(place, os.W_OK | os.X_OK):
                problem = f"nothing may be written to the folder {place}"
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error)
    if problem:
        details = {"field": option, "value": str(file), "problem": problem}
        raise ArgumentError(f"{option} is {str(file)!r}: {problem}", details)


@contextmanager
def writing(option: str, file: Path) -> Iterator[None]:
    """Turn a failure to read or write a file into an error that names the option."""
    try:
        yield
    except SengokuError:
        raise  # some of them are OSErrors too, such as that of an unreachable server
    except OSError as error:
        details = {"field": option, "value": str(file)}
        raise ArgumentError(f"{option} is {str(file)!r}: {error.strerror or error}", details) from error
