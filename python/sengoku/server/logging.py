"""Logs: one line per call, as JSON or as text, without secrets."""

from __future__ import annotations

import json
import logging
import re
import sys
import threading
import time
import traceback
from collections import deque
from functools import lru_cache
from typing import Any, TextIO

from sengoku.errors import ArgumentError
from sengoku.server.stray_output import capture, log_exceptions

__all__ = ["FORMATS", "LEVELS", "JsonFormatter", "LineHandler", "TextFormatter", "call", "set_up"]

FORMATS = ("text", "json")
LEVELS = ("debug", "info", "warning", "error")

calls = logging.getLogger("sengoku.calls")
"""Logger of the line for each call."""

_SECRET = re.compile(r"(?i)(\bbearer\s+|sgk_)[\w.~+/=-]+")
_UNPRINTABLE = re.compile(
    r"[^\x20-\x7e\u00a0-\u2027\u202f-\u205f\u2070-\ud7ff\uf900-\ufffd\U00010000-\U000e0000]"
)


def call(
    method: str,
    code: str,
    reason: str,
    request_id: str,
    client: str,
    seconds: float,
    bytes_in: int,
    bytes_out: int,
    error: BaseException | None = None,
) -> None:
    """Log a call. Only an unexpected `error` is shown, as a traceback; others by their reason."""
    level = logging.INFO if error is None and code != "INTERNAL" else logging.ERROR
    if not calls.isEnabledFor(level):
        return
    fields = {
        "method": method,
        "code": code,
        "reason": reason,
        "request_id": request_id,
        "client": client,
        "milliseconds": round(seconds * 1e3, 3),
        "bytes_in": bytes_in,
        "bytes_out": bytes_out,
    }
    # A copy of a record, which is much faster than `calls.log`.
    record = logging.LogRecord.__new__(logging.LogRecord)
    vars(record).update(_RECORDS[level])
    record.created = now = time.time()
    record.msecs = now % 1 * 1e3
    record.exc_info = None if error is None else (type(error), error, error.__traceback__)
    record.fields = fields
    calls.handle(record)


_RECORDS = {
    level: vars(logging.LogRecord(calls.name, level, __file__, 0, "call", (), None))
    for level in (logging.INFO, logging.ERROR)
}


def _has_secret(text: str) -> bool:
    """Return whether a text may contain a token; this is rarely so."""
    lowered = text.lower()
    return "sgk_" in lowered or "bearer" in lowered


def _cleaned(text: str) -> str:
    """Replace what looks like a token."""
    return _SECRET.sub(r"\1***", text) if _has_secret(text) else text


def _trace(info: Any) -> str:
    return "".join(traceback.format_exception(*info)).rstrip()


def _time(record: logging.LogRecord) -> str:
    second, part = divmod(record.created, 1)
    return f"{_second(int(second))}.{int(part * 1e3):03d}Z"


@lru_cache(maxsize=8)
def _second(second: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))


_encode = json.JSONEncoder(separators=(",", ":"), default=str).encode


class JsonFormatter(logging.Formatter):
    """One JSON object in one line of ASCII: time, level, logger, message, and the fields of a call."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record."""
        line: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= getattr(record, "fields", {})  # some are chosen by the caller
        if record.exc_info:
            line["traceback"] = _trace(record.exc_info)
        text = _encode(line)
        if not _has_secret(text):
            return text
        return _encode(
            {name: _cleaned(value) if isinstance(value, str) else value for name, value in line.items()}
        )


class TextFormatter(logging.Formatter):
    """One line of text; only the lines of a traceback follow it, each of them marked."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record."""
        fields: dict[str, Any] | None = getattr(record, "fields", None)
        if fields is None:
            text = record.getMessage()
        else:
            outcome = fields["code"]
            if fields["reason"] not in {"", outcome}:
                outcome += f" {fields['reason']}"
            text = (
                f"{fields['method']} {outcome} {fields['milliseconds']:g} ms {fields['client']} "
                f"{fields['bytes_in']} B in {fields['bytes_out']} B out {fields['request_id']}"
            )
        parts = [f"{_time(record)} {record.levelname:7} {_one_line(_cleaned(text))}"]
        if record.exc_info:
            parts += [f"    | {_one_line(line)}" for line in _cleaned(_trace(record.exc_info)).splitlines()]
        return "\n".join(parts)


def _one_line(text: str) -> str:
    """Escape characters that would move the cursor or begin a line."""
    if text.isascii() and text.isprintable():
        return text
    return _UNPRINTABLE.sub(lambda found: ascii(found[0])[1:-1], text)


class LineHandler(logging.Handler):
    """A log handler that writes in its own thread, so that logging never waits for the reader.

    If the reader is too slow, lines beyond `most` are dropped, and their number is logged.
    """

    def __init__(self, stream: TextIO, *, most: int = 100_000, delay: float = 0.05) -> None:
        super().__init__()
        self._stream = stream
        self._most = most
        self._delay = delay
        self._waiting: deque[str | logging.LogRecord] = deque()
        self._lost = 0
        self._some = threading.Event()
        self._now = threading.Event()
        self._writing = threading.Lock()
        self._open = True
        self._thread = threading.Thread(target=self._run, name="sengoku-log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a line; the record of a call, which no longer changes, is formatted later."""
        if len(self._waiting) >= self._most:
            self._lost += 1
            return
        later = record.name == calls.name and not record.exc_info
        try:
            self._waiting.append(record if later else self.format(record))
        except Exception:  # noqa: BLE001 - a message with wrong arguments does not stop what logs it
            record.msg, record.args = f"{record.msg} {record.args!r}", ()
            self._waiting.append(self.format(record))
        if record.levelno >= logging.WARNING:
            self._now.set()
        if not self._some.is_set():
            self._some.set()

    def _run(self) -> None:
        while self._open:
            self._some.wait()
            self._now.wait(self._delay)
            self._some.clear()
            self._now.clear()
            self._write(-1)

    def _write(self, patience: float) -> None:
        if not self._writing.acquire(timeout=patience):
            return
        try:
            # In parts: the text of all lines could be very long.
            while lines := [self._waiting.popleft() for _ in range(min(len(self._waiting), 1_000))]:
                texts = [line if isinstance(line, str) else self.format(line) for line in lines]
                if self._lost and not self._waiting:
                    lost, self._lost = self._lost, 0
                    text = f"{lost} lines were dropped here"
                    record = logging.LogRecord("sengoku.logs", logging.ERROR, __file__, 0, text, (), None)
                    texts.append(self.format(record))
                self._stream.write("\n".join(texts) + "\n")
                self._stream.flush()
        except (OSError, ValueError):
            pass  # the reader is gone, and there is nowhere to report it
        finally:
            self._writing.release()

    def flush(self) -> None:
        """Write the queued lines, unless the reader blocks for too long."""
        self._write(2.0)

    def close(self) -> None:
        """Write the queued lines and stop the thread."""
        self._open = False
        self._now.set()
        self._some.set()
        self.flush()
        super().close()


def _is_ours(record: logging.LogRecord) -> bool:
    """Return False for what gRPC logs as errors although callers cause it.

    These are metadata in a wrong encoding, and responses to callers that have left.
    """
    return not str(record.msg).startswith(("Invalid encoding", "ExecuteBatchError raised in core"))


def set_up(
    style: str = "text", level: str = "info", stream: TextIO | None = None, *, alone: bool = False
) -> logging.Handler:
    """Send all logs of this process, as "text" or "json", to a stream, by default `sys.stderr`.

    If the process is there for a server `alone`, everything that is written to standard error otherwise, and
    every exception that nobody handles, is logged too.
    """
    for field, value, known in (("log_format", style, FORMATS), ("log_level", level, LEVELS)):
        if value not in known:
            details = {"field": field, "value": value}
            raise ArgumentError(f"{field} is {value!a}, expected one of {', '.join(known)}", details)
    captured = capture() if alone and stream is None else None
    handler = LineHandler(stream or captured or sys.stderr)
    handler.setFormatter(JsonFormatter() if style == "json" else TextFormatter())
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
        if isinstance(old, LineHandler):
            old.close()
    root.addHandler(handler)
    root.setLevel(level.upper())
    logging.getLogger("grpc._cython.cygrpc").addFilter(_is_ours)
    logging.captureWarnings(True)
    if captured is not None:
        log_exceptions()
    return handler
