"""Broken frames, floods and slow senders: a server refuses them and keeps serving."""

import asyncio
import gzip
import random
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from grpc import aio

from sengoku.errors import (
    ArgumentError,
    BusyError,
    DeadlineError,
)
from sengoku.server.intake import Intake
from support import frames
from support.faults import (
    many,
    milliseconds,
    print_figures,
)
from support.frames import (
    ACK,
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    GOAWAY,
    HEADERS,
    PADDED,
    PING,
    PREFACE,
    PRIORITY,
    PUSH_PROMISE,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    Raw,
    call,
    frame,
    head,
    header,
    message,
)
from support.process import MIB, Process, soon

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the /proc of Linux")


GOOD = message(b"")


BOMB = message(gzip.compress(bytes(64 * MIB)), flag=1)
"""64 KB that become 64 MB."""


def cut(data: bytes, stream: int = 1) -> bytes:
    """A long body in frames of the size that is allowed."""
    parts = [frame(DATA, 0, stream, data[at : at + 16_384]) for at in range(0, len(data), 16_384)]
    return b"".join(parts) + frame(DATA, END_STREAM, stream)


NOISE = random.Random(1).randbytes(4_096)


NOT_HTTP2 = {
    "noise": NOISE,
    "zeros": bytes(4_096),
    "nothing": b"",
    "HTTP/1.1": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a hello of TLS": bytes.fromhex("16030100c8010000c40303") + NOISE[:194],
    "half of the preface": PREFACE[:12],
    "a preface and noise": PREFACE + NOISE,
    "a preface without settings": PREFACE + call(head(), GOOD),
}


BROKEN = {
    "noise": NOISE,
    "half of a frame's head": b"\x00\x00\x10\x00",
    "a frame that is too long": frame(DATA, 0, 1, length=0xFFFFFF),
    "a frame cut in the middle": frame(HEADERS, END_HEADERS, 1, head()[:20], length=200),
    "data of the connection": frame(DATA, END_STREAM, 0, GOOD),
    "data of a stream that is not open": frame(DATA, END_STREAM, 7, GOOD),
    "headers of a stream of the server's": call(head(), GOOD, stream=2),
    "the same stream twice": 2 * call(head(), GOOD),
    "streams that go down": call(head(), GOOD, stream=9) + call(head(), GOOD, stream=3),
    "headers that are none": frame(HEADERS, END_HEADERS | END_STREAM, 1, NOISE[:200]),
    "headers out of no table": frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\xff\xff\xff\xff\x7f"),
    "more padding than there is": frame(HEADERS, END_HEADERS | PADDED, 1, b"\xff" + head()),
    "headers that do not end": frame(HEADERS, 0, 1, head()[:10]) + frame(PING, 0, 0, bytes(8)),
    "a continuation of nothing": frame(CONTINUATION, END_HEADERS, 1, head()),
    "a promise": frame(PUSH_PROMISE, END_HEADERS, 1, bytes(4) + head()),
    "settings that are too short": frame(SETTINGS, 0, 0, bytes(5)),
    "settings of a stream": frame(SETTINGS, 0, 1, bytes(6)),
    "settings that are impossible": frame(
        SETTINGS, 0, 0, b"\x00\x04\xff\xff\xff\xff\x00\x05\x00\x00\x00\x00"
    ),
    "settings heard that have content": frame(SETTINGS, ACK, 0, bytes(6)),
    "a ping that is too short": frame(PING, 0, 0, bytes(3)),
    "a window that grows by nothing": call(head(), end=False) + frame(WINDOW_UPDATE, 0, 1, bytes(4)),
    "a window that is too large": 3 * frame(WINDOW_UPDATE, 0, 0, b"\x7f\xff\xff\xff"),
    "a priority that is too short": frame(PRIORITY, 0, 1, bytes(2)),
    "an end of nothing": frame(RST_STREAM, 0, 5, bytes(4)),
    "good-bye, and a call": frame(GOAWAY, 0, 0, bytes(8)) + call(head(), GOOD),
    "kinds that do not exist": b"".join(frame(kind, 255, 1, NOISE[:50]) for kind in range(10, 256)),
}


WRONG_CALLS = {
    "no method": frame(HEADERS, END_HEADERS | END_STREAM, 1, header(":path", "/")),
    "no path": call(head(""), GOOD),
    "a path that is none": call(head("x" * 8_000), GOOD),
    "GET": call(head(**{":method": "GET"}), GOOD),
    "another content": call(head(content_type="text/html"), GOOD),
    "a time that is none": call(head(grpc_timeout="soon"), GOOD),
    "no time at all": call(head(grpc_timeout="0n"), GOOD),
    "headers of another encoding": call(head(x_request_id="\xff\x00\r\n"), GOOD),
    "metadata that are not in base 64": call(head(x_bin="%%%"), GOOD),
    "too many headers": call(b"".join((head(), *(header(f"x-{n}", "y" * 200) for n in range(70)))), GOOD),
    "headers without an end": frame(HEADERS, 0, 1, head())
    + b"".join(frame(CONTINUATION, 0, 1, header("x", "y" * 16_000)) for _ in range(64)),
    "no message": call(head()),
    "an empty body": call(head(), b""),
    "half of a prefix": call(head(), b"\x00\x00"),
    "a prefix longer than the body": call(head(), message(b"abc", length=100)),
    "a prefix of four gigabytes": call(head(), message(b"abc", length=0xFFFFFFFF)),
    "a compressed message that is not": call(head(), message(b"abc", flag=1)),
    "a flag that is none": call(head(), message(b"abc", flag=7)),
    "gzip that is none": call(head(grpc_encoding="gzip"), message(b"abc", flag=1)),
    "an encoding that is none": call(head(grpc_encoding="rle"), message(b"abc", flag=1)),
    "a message that is none": call(head(), message(NOISE)),
    "two messages": call(head(), GOOD + GOOD),
    "a bomb": frame(HEADERS, END_HEADERS, 1, head(grpc_encoding="gzip")) + cut(BOMB),
    "half of a message and nothing": call(head(), message(b"abc", length=100), end=False),
    "half of a message and the end": call(head(), message(b"abc", length=100), end=False)
    + frame(RST_STREAM, 0, 1, b"\x00\x00\x00\x08"),
    "a health check without a message": call(head("/grpc.health.v1.Health/Check")),
    "a health check that is none": call(head("/grpc.health.v1.Health/Check"), message(NOISE)),
    "a watch that is none": call(head("/grpc.health.v1.Health/Watch"), message(NOISE)),
    "reflection of nothing": call(
        head("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"), message(NOISE)
    ),
    "a run watched without a name": call(head("/sengoku.v1.SimulationService/WatchRun")),
}


def cases(all_of_them: dict[str, bytes], *, quick: str) -> list[ParameterSet]:
    """Parameters of a test: `make test` runs the quick one, `make test-system` the others."""
    return [pytest.param(name, marks=[] if name == quick else pytest.mark.system) for name in all_of_them]


def offend(server: Process, data: bytes, *, preface: bool) -> bytes:
    """Sends wrong bytes twice: over a connection that is closed, and over one that is reset."""
    before = server.rss
    with Raw(server.address, data, preface=preface) as polite:
        answer = polite.answer(0.15)
    Raw(server.address, data, preface=preface).reset()
    server.check()
    assert server.rss - before < 40 * MIB  # nothing of what was announced or compressed is held
    return answer


@pytest.mark.parametrize("name", cases(NOT_HTTP2, quick="noise"))
def test_what_is_not_http2(server: Process, name: str) -> None:
    offend(server, NOT_HTTP2[name], preface=False)


@pytest.mark.parametrize("name", cases(BROKEN, quick="noise"))
def test_broken_frames(server: Process, name: str) -> None:
    offend(server, BROKEN[name], preface=True)


@pytest.mark.parametrize("name", cases(WRONG_CALLS, quick="no message"))
def test_wrong_calls(server: Process, name: str) -> None:
    answer = offend(server, WRONG_CALLS[name], preface=True)
    if name == "half of a message and nothing":
        assert HEADERS not in {kind for kind, *_ in frames.frames(answer)}  # it may still come
    if "without a message" in name or name in {
        "no message",
        "an empty body",
        "a prefix longer than the body",
    }:
        assert b"grpc-status" in answer  # left to itself, gRPC says nothing
        assert b"the request has no message" in answer


@pytest.mark.system
def test_floods(server: Process) -> None:
    """Frames that cost the sender little: calls begun and given up, pings, settings; answers are not read."""
    before = server.rss
    given_up = [
        call(head(), stream=1 + 2 * n, end=False) + frame(RST_STREAM, 0, 1 + 2 * n, b"\x00\x00\x00\x08")
        for n in range(2_000)
    ]
    for flood in (given_up, [frame(PING, 0, 0, bytes(8))] * 20_000, [frame(SETTINGS)] * 20_000):
        with Raw(server.address) as raw:
            for at in range(0, len(flood), 100):
                if not raw.send(b"".join(flood[at : at + 100])):
                    break
        server.check()
    grown = server.rss - before
    print_figures(grown_mib=grown / MIB)
    assert grown < 48 * MIB  # some thousand streams of a few kilobytes each, which the allocator keeps


@pytest.mark.system
@pytest.mark.parametrize(
    ("sent", "kib"),
    [
        # A connection of gRPC has a transport, its tables and a buffer to read into.
        (b"", 64),
        # And a call: its arena, its headers, a task.
        (call(head(), message(b"abc", length=100), end=False), 96),
    ],
    ids=["idle", "slow"],
)
def test_a_thousand_connections(server: Process, connections: int, sent: bytes, kib: int) -> None:
    server.check()
    before, files = server.rss, server.files
    with many(server, connections, sent):
        assert soon(lambda: server.files >= connections)  # earlier ones may still be closing
        taken = milliseconds(server)
        held = server.rss - before
        assert taken[25] < 1_000  # a busy machine; alone it is less than a millisecond more than without
    assert soon(lambda: server.files <= files + 4)
    server.check()
    left = server.rss - before
    print_figures(
        connections=connections,
        median_ms=f"{taken[25]:.1f}",
        worst_ms=f"{taken[-1]:.1f}",
        held_mib=f"{held / MIB:.1f}",
        left_mib=f"{left / MIB:.1f}",
    )
    assert held < connections * kib << 10
    assert left <= held + 4 * MIB
    with many(server, connections, sent):  # what they leave is used again
        assert soon(lambda: server.files >= connections)  # earlier ones may still be closing
        assert server.rss - before < connections * kib << 10
    assert soon(lambda: server.files <= files + 4)
    server.check()


@pytest.mark.system
def test_more_slow_senders_than_are_awaited(server: Process) -> None:
    each = b"".join(
        call(head(), message(b"abc", length=100), stream=1 + 2 * n, end=False) for n in range(100)
    )
    before = server.sum_of("sengoku_errors_total", "BUSY")
    with many(server, 1, each + frame(PING, payload=b"allheard")) as (first,):
        # Connections are read in any order; the answer to this ping proves that the calls were read.
        received = b""
        while (PING, ACK, 0, b"allheard") not in frames.frames(received):
            received += first.read(1 << 16)
        with many(server, 14, each):
            assert soon(lambda: server.sum_of("sengoku_errors_total", "BUSY") >= before + 300)
            assert max(milliseconds(server)) < 5_000
            server.check()
            assert b"calls wait for their request message" in first.answer(0.2)  # the oldest had to go
    server.check()


def test_messages_have_their_time() -> None:
    class Context:
        def __init__(self, *, after: float | None = None, what: object = b"x") -> None:
            self.after, self.what = after, what

        async def read(self) -> object:
            await asyncio.sleep(self.after if self.after is not None else 3_600)
            return self.what

    async def scene() -> None:
        intake = Intake(most=3, seconds=0.2)
        assert await intake.message(Context(after=0.0)) == b"x"
        with pytest.raises(DeadlineError, match=r"within 0\.2 seconds"):
            await intake.message(Context())
        with pytest.raises(ArgumentError, match="no message"):
            await intake.message(Context(after=0.0, what=aio.EOF))
        waiting = [asyncio.create_task(intake.message(Context())) for _ in range(3)]
        await asyncio.sleep(0)
        assert await intake.message(Context(after=0.01)) == b"x"
        with pytest.raises(BusyError, match="3 other calls wait"):
            await waiting[0]
        waiting[1].cancel()  # the caller has gone
        with pytest.raises(asyncio.CancelledError):
            await waiting[1]
        with pytest.raises(DeadlineError):
            await waiting[2]
        assert not len(intake)

    asyncio.run(scene())
