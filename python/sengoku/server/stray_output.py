"""Stray output of a process in its log: what libraries and the interpreter write to standard error."""

import atexit
import contextlib
import logging
import os
import select
import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, TextIO

__all__ = ["capture", "log_exceptions"]

_log = logging.getLogger("sengoku.stderr")
_PIPE_BYTES = 1 << 20
_LONGEST_LINE = 1 << 16
_WAIT_SECONDS = 0.5
"""Time after which a line without an end is logged."""
_STANDARD_ERROR = 2


def capture() -> TextIO | None:
    """Log every line that anything in this process writes to standard error from now on, until its end.

    Return the stream for the log itself, which is where standard error was; None if it is not a file.
    """
    try:
        if sys.stderr.fileno() != _STANDARD_ERROR:
            return None
    except (AttributeError, OSError, ValueError):
        return None
    sys.stderr.flush()
    original = os.dup(_STANDARD_ERROR)
    reading, writing = os.pipe()
    if sys.platform == "linux":
        import fcntl  # noqa: PLC0415 - not on every system

        with contextlib.suppress(OSError):
            fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    os.dup2(writing, _STANDARD_ERROR)
    os.close(writing)
    thread = threading.Thread(target=_read, args=(reading,), name="sengoku-stderr", daemon=True)
    thread.start()

    def restore() -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()
        os.dup2(original, _STANDARD_ERROR)  # the last writing end: the thread reads what is left
        thread.join(2.0)

    atexit.register(restore)
    return os.fdopen(os.dup(original), "w", encoding="utf-8", errors="backslashreplace")


def _read(pipe: int) -> None:
    """Thread target: log the lines of a pipe until it is closed."""
    rest = b""
    while True:
        ready = select.select([pipe], [], [], _WAIT_SECONDS if rest else None)[0]
        data = os.read(pipe, _LONGEST_LINE) if ready else b""
        lines = (rest + data).split(b"\n")
        rest = lines.pop()
        if not data or len(rest) > _LONGEST_LINE:
            lines.append(rest)
            rest = b""
        for line in lines:
            if text := line.decode("utf-8", "backslashreplace").rstrip():
                _log.warning("%s", text)
        if ready and not data:
            os.close(pipe)
            return


def log_exceptions() -> None:
    """Log exceptions that nobody handles, in any thread or while an object is deleted, as one record each."""

    def unhandled(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None, before: Any
    ) -> None:
        if issubclass(kind, Exception):
            _log.error("unhandled exception", exc_info=(kind, error, trace))
        else:
            before(kind, error, trace)

    before: Callable[..., Any] = sys.excepthook
    sys.excepthook = lambda kind, error, trace: unhandled(kind, error, trace, before)

    def in_thread(args: threading.ExceptHookArgs) -> None:
        name = args.thread.name if args.thread is not None else "?"
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            exception = (args.exc_type, args.exc_value, args.exc_traceback)
            _log.error("unhandled exception in the thread %s", name, exc_info=exception)

    def unraisable(args: Any) -> None:
        exception = (args.exc_type, args.exc_value, args.exc_traceback)
        _log.error("%s: %s", args.err_msg or "exception ignored in", _safe(args.object), exc_info=exception)

    threading.excepthook = in_thread
    sys.unraisablehook = unraisable


def _safe(value: object) -> str:
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 - a broken object must not break the log
        return object.__repr__(value)
