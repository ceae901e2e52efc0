"""Interrupting long computations: `interruptible` sets a check, and loops call it with `look`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["interruptible", "look"]

_check: ContextVar[Callable[[], None] | None] = ContextVar("_check", default=None)


@contextmanager
def interruptible(check: Callable[[], None]) -> Iterator[None]:
    """Call `check`, which may raise, every few milliseconds of the computations in the block.

    >>> from sengoku.errors import CancelledError
    >>> def check() -> None:
    ...     raise CancelledError("the call was cancelled")
    >>> with interruptible(check):
    ...     look()
    Traceback (most recent call last):
    ...
    sengoku.errors.CancelledError: the call was cancelled
    """
    token = _check.set(check)
    try:
        yield
    finally:
        _check.reset(token)


def look() -> None:
    """Raise what the check of the current computation raises, if it has one."""
    check = _check.get()
    if check is not None:
        check()
