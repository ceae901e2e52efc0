"""Logs: a line for each call that a program can read, that cannot be forged, and that tells no secret."""

import io
import json
import logging
import re
import threading
import time
import warnings
from collections.abc import Callable, Iterator

import grpc
import pytest

from sengoku import Client, errors, swords
from sengoku.server import Server
from sengoku.server import logging as logs

BATTLE = swords.Battle(swords.Force(spear=1), swords.Force(spear=1))
EVALUATE = "sengoku.v1.OddsService/Evaluate"
NASTY = "a\nb\r\x1b[31m\x00\x85\u2028\u202e\x7f\x9b ä 侍 \U0001f3ef \udcff"


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """Gives where logs go, and lets them go where they went before in the end."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield io.StringIO()
    logging.captureWarnings(False)
    for handler in root.handlers:
        if isinstance(handler, logs.LineHandler):
            handler.close()
    root.handlers[:] = handlers
    root.setLevel(level)


def written(stream: io.StringIO) -> str:
    """Gives what is written when all that waits is."""
    for handler in logging.getLogger().handlers:
        handler.flush()
    return stream.getvalue()


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in written(stream).splitlines()]


def test_a_call_is_one_line(server: Server, stream: io.StringIO) -> None:
    logs.set_up("json", "info", stream)
    with Client(server.address) as client:
        odds = client.exact(BATTLE)
    assert odds.method == "exact"
    (line,) = (line for line in lines(stream) if line["logger"] == "sengoku.calls")
    assert list(line) == [
        *("time", "level", "logger", "message", "method", "code", "reason", "request_id", "client"),
        *("milliseconds", "bytes_in", "bytes_out"),
    ]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", str(line["time"]))
    told = {name: line[name] for name in ("level", "message", "method", "code", "reason", "client")}
    assert told == {
        "level": "info",
        "message": "call",
        "method": EVALUATE,
        "code": "OK",
        "reason": "",
        "client": "local",
    }
    assert isinstance(line["milliseconds"], float)
    assert 0 < line["milliseconds"] < 60_000
    assert isinstance(line["bytes_in"], int)
    assert isinstance(line["bytes_out"], int)
    assert line["bytes_in"] > 10
    assert line["bytes_out"] > 50


def call(server: Server, method: str, data: bytes, metadata: tuple[tuple[str, str], ...]) -> grpc.Call:
    with grpc.insecure_channel(server.address) as channel:
        stub = channel.unary_unary(method, request_serializer=None, response_deserializer=None)
        with pytest.raises(grpc.RpcError) as failure:
            stub(data, timeout=30, metadata=metadata)
        return failure.value


def test_failures_have_a_reason_and_the_callers_id(server: Server, stream: io.StringIO) -> None:
    logs.set_up("json", "info", stream)
    failure = call(server, f"/{EVALUATE}", b"\xff", (("x-request-id", "order 66"),))
    assert ("x-request-id", "order 66") in tuple(failure.trailing_metadata())
    (line,) = lines(stream)
    assert (line["code"], line["reason"], line["request_id"]) == (
        "INVALID_ARGUMENT",
        "UNREADABLE_DATA",
        "order 66",
    )
    assert (line["bytes_in"], line["bytes_out"], line["level"]) == (1, 0, "info")
    assert "traceback" not in line


def test_methods_that_do_not_exist_and_ids_that_are_too_long(server: Server, stream: io.StringIO) -> None:
    logs.set_up("json", "info", stream)
    failure = call(server, "/no.Such/" + 5_000 * "x", b"", (("x-request-id", 129 * "x"),))
    made = dict(tuple(failure.trailing_metadata()))["x-request-id"]
    (line,) = lines(stream)
    assert (line["code"], line["reason"], line["request_id"]) == ("UNIMPLEMENTED", "UNKNOWN_METHOD", made)
    assert re.fullmatch("[0-9a-f]{16}", str(made))
    assert len(str(line["method"])) <= 301


def test_a_bug_has_a_traceback(server: Server, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("first\n2026-11-16 INFO forged")

    logs.set_up("json", "info", stream)
    monkeypatch.setattr("sengoku.server.services.odds.method_from_proto", fail)
    with Client(server.address) as client, pytest.raises(errors.InternalError):
        client.exact(BATTLE)
    (line,) = lines(stream)
    assert (line["level"], line["code"], line["reason"]) == ("error", "INTERNAL", "INTERNAL")
    assert str(line["traceback"]).startswith("Traceback (most recent call last):")
    assert str(line["traceback"]).endswith("RuntimeError: first\n2026-11-16 INFO forged")
    # The same for people.
    stream.truncate(0)
    stream.seek(0)
    logs.set_up("text", "info", stream)
    with Client(server.address) as client, pytest.raises(errors.InternalError):
        client.exact(BATTLE)
    first, *rest = written(stream).splitlines()
    assert re.fullmatch(rf"\S+Z ERROR   {EVALUATE} INTERNAL \S+ ms local \d+ B in 0 B out [0-9a-f]+", first)
    assert rest[-1] == "    | 2026-11-16 INFO forged"
    assert all(line.startswith("    | ") for line in rest)


def test_a_call_that_its_caller_gives_up(server: Server, stream: io.StringIO) -> None:
    logs.set_up("json", "info", stream)
    with Client(server.address, timeout=0.2) as client, pytest.raises(errors.DeadlineError):
        client.sample(BATTLE, 10_000_000_000)
    for _ in range(200):
        if written(stream):
            break
        time.sleep(0.05)
    (line,) = lines(stream)
    assert (line["code"], line["reason"]) == ("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED")


@pytest.mark.parametrize("style", logs.FORMATS)
def test_nothing_begins_a_line_of_its_own(stream: io.StringIO, style: str) -> None:
    logs.set_up(style, "debug", stream)
    logging.getLogger("some\nwhere").warning("what: %s", NASTY)
    logs.call(NASTY, NASTY, NASTY, NASTY, NASTY, 1.0, 2, 3)
    text = written(stream)
    assert text.count("\n") == 2 == len(text.splitlines())
    assert all(sign.isprintable() or sign == "\n" for sign in text)
    if style == "json":
        first, second = lines(stream)
        assert (first["message"], first["logger"]) == (f"what: {NASTY}", "some\nwhere")
        assert second["method"] == second["client"] == second["request_id"] == NASTY


@pytest.mark.parametrize("style", logs.FORMATS)
def test_tokens_are_taken_out_wherever_they_are(stream: io.StringIO, style: str) -> None:
    logs.set_up(style, "debug", stream)
    log = logging.getLogger("sengoku")
    log.info("authorization: Bearer rosebud-1.2~3+4/5== and sgk_rosebud_67-8 in %s", "bearer rosebud")
    text = "sgk_rosebud in Bearer\trosebud"
    try:
        raise ValueError(text)
    except ValueError:
        log.exception("failed")
    text = written(stream)
    assert "rosebud" not in text
    assert text.count("***") == 5


def test_levels_and_formats(stream: io.StringIO) -> None:
    logs.set_up("json", "warning", stream)
    logging.getLogger("sengoku").info("not this")
    logs.call("a/b", "OK", "", "id", "local", 0.001, 1, 2)
    logs.call("a/b", "INTERNAL", "INTERNAL", "id", "local", 0.001, 1, 2)
    assert [line["level"] for line in lines(stream)] == ["error"]
    for style, level, field in (("xml", "info", "log_format"), ("json", "loud", "log_level")):
        with pytest.raises(errors.ArgumentError) as told:
            logs.set_up(style, level, stream)
        assert told.value.details["field"] == field


def test_warnings_of_python_are_logged(stream: io.StringIO) -> None:
    logs.set_up("json", "info", stream)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(False)
        logging.captureWarnings(True)
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        logging.captureWarnings(False)
    (line,) = lines(stream)
    assert line["logger"] == "py.warnings"
    assert "DeprecationWarning: old" in str(line["message"])


class Pipe(io.StringIO):
    """A stream that nobody reads from until it is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = threading.Event()

    def write(self, text: str) -> int:
        """Waits for somebody to read."""
        self.opened.wait(30)
        return super().write(text)


def test_who_does_not_read_stops_nobody_and_learns_what_was_lost() -> None:
    pipe = Pipe()
    handler = logs.LineHandler(pipe, most=10, delay=0.0)
    handler.setFormatter(logs.JsonFormatter())
    log = logging.Logger("here", logging.INFO)  # one that nobody else has
    log.addHandler(handler)
    log.info("first")
    _wait(lambda: not handler._waiting)  # it is on its way, and stuck
    begun = time.monotonic()
    for number in range(25):
        log.info("line %d", number)
    assert time.monotonic() - begun < 1
    pipe.opened.set()
    handler.close()
    messages = [line["message"] for line in map(json.loads, pipe.getvalue().splitlines())]
    assert messages == ["first", *(f"line {number}" for number in range(10)), "15 lines were dropped here"]


def test_a_stream_that_is_closed_disturbs_nobody() -> None:
    closed = io.StringIO()
    closed.close()
    handler = logs.LineHandler(closed, delay=0.0)
    handler.handle(logging.makeLogRecord({"msg": "nobody reads this", "levelno": logging.ERROR}))
    handler.close()


def test_lines_do_not_wait_for_long(stream: io.StringIO) -> None:
    logs.set_up("json", "info", stream)
    logs.call("a/b", "OK", "", "id", "local", 0.001, 1, 2)
    _wait(lambda: stream.getvalue().count("\n") == 1)
    logging.getLogger("sengoku").error("at once")
    _wait(lambda: stream.getvalue().count("\n") == 2)


def _wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not until():
        assert time.monotonic() < end
        time.sleep(0.01)
