"""Progress of long work: a callback, or a bar in the terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int], object]
"""Called with the number of finished items and the number of all items."""


@contextmanager
def watching(progress: bool | Progress | None) -> Iterator[Progress | None]:
    """Return the callback to report progress to; True shows a bar for as long as the context is open."""
    if progress is True:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415 - only needed where a bar is shown

        columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, transient=True) as bar:
            task = bar.add_task("")
            yield lambda done, total: bar.update(task, completed=done, total=total)
    else:
        yield progress or None
