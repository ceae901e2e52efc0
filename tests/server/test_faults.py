"""Faults and load: broken frames, idle and dropped clients, a full disk, kills. Nothing is lost or wrong.

Servers are processes of their own, and what they use is read from /proc. Bounds of memory are stated with
their reason; what is measured on this machine is in docs/operations.md.
"""

import asyncio
import gzip
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from grpc import aio

from sengoku import Client, run_matches
from sengoku.errors import (
    ArgumentError,
    BusyError,
    DeadlineError,
    QuotaError,
    SengokuError,
    ShuttingDownError,
    StoreFullError,
    UnavailableError,
)
from sengoku.server.intake import Intake
from sengoku.v1 import simulation_service_pb2 as pb2
from support import frames
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
from support.process import BATTLE, MIB, Process, serving, soon

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the /proc of Linux")

YEARS = 10_000_000_000
"""Samples that no server ends in time."""
WISH: dict[str, Any] = {"bots": ["random"], "seats": 4, "match_count": 14_000, "seed": 3}
"""A run of the cube tower game: a second or two, 39 bytes a match."""
ENDLESS: dict[str, Any] = {**WISH, "match_count": 50_000_000}


def tell(**figures: object) -> None:
    """Writes figures for who runs the tests with -s or -rP."""
    sys.stderr.write("\n  " + ", ".join(f"{name} {value}" for name, value in figures.items()) + "\n")


@pytest.fixture(scope="module")
def connections() -> int:
    """How many connections can be had, up to 1,000: each is a file here, and one of the server's."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4_096 if hard == resource.RLIM_INFINITY else min(4_096, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return min(1_000, max(soft, wanted) - 256)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, connections: int) -> Iterator[Process]:
    """One server for all that must leave no trace."""
    assert connections
    with serving(tmp_path_factory.mktemp("faults")) as process:
        process.check()
        yield process


# Broken frames

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


def offend(server: Process, data: bytes, *, preface: bool) -> bytes:
    """Sends something wrong twice: to somebody who hangs up, and to somebody who is cut off."""
    before = server.rss
    with Raw(server.address, data, preface=preface) as polite:
        answer = polite.answer(0.15)
    Raw(server.address, data, preface=preface).reset()
    server.check()
    assert server.rss - before < 40 * MIB  # nothing of what was announced or compressed is held
    return answer


@pytest.mark.parametrize("name", NOT_HTTP2)
def test_what_is_not_http2(server: Process, name: str) -> None:
    offend(server, NOT_HTTP2[name], preface=False)


@pytest.mark.parametrize("name", BROKEN)
def test_broken_frames(server: Process, name: str) -> None:
    offend(server, BROKEN[name], preface=True)


@pytest.mark.parametrize("name", WRONG_CALLS)
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
    tell(grown_mib=grown / MIB)
    assert grown < 48 * MIB  # some thousand streams of a few kilobytes each, which the allocator keeps


# Many who do nothing


@contextmanager
def many(server: Process, count: int, sent: bytes = b"") -> Iterator[list[Raw]]:
    """Opens connections that send something and then nothing, and resets them at the end."""
    raws: list[Raw] = []
    try:
        raws.extend(Raw(server.address, sent) for _ in range(count))
        yield raws
    finally:
        for raw in raws:
            raw.reset()


def milliseconds(server: Process, calls: int = 50) -> list[float]:
    """How long calls take, in order."""
    taken = []
    with Client(server.address, timeout=30, retries=0) as client:
        for _ in range(calls):
            begun = time.perf_counter()
            assert client.exact(BATTLE) == BATTLE.exact()
            taken.append(1e3 * (time.perf_counter() - begun))
    return sorted(taken)


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
    tell(
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


def test_more_slow_senders_than_are_awaited(server: Process) -> None:
    each = b"".join(
        call(head(), message(b"abc", length=100), stream=1 + 2 * n, end=False) for n in range(100)
    )
    before = server.sum_of("sengoku_errors_total", "BUSY")
    with many(server, 1, each + frame(PING, payload=b"allheard")) as (first,):
        # Connections are heard in any order; what follows the calls of this one is answered after they came.
        told = b""
        while (PING, ACK, 0, b"allheard") not in frames.frames(told):
            told += first.read(1 << 16)
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


# Clients that vanish


def watch(name: str) -> bytes:
    """The frames that watch a run."""
    content = pb2.WatchRunRequest(name=name).SerializeToString()
    return call(head("/sengoku.v1.SimulationService/WatchRun"), message(content))


def read(name: str) -> bytes:
    """The frames that read the rows of a run."""
    content = pb2.ReadRunRequest(name=name).SerializeToString()
    return call(head("/sengoku.v1.SimulationService/ReadRun"), message(content))


def drop(server: Process, sent: bytes, count: int) -> int:
    """Opens streams, hears the beginning of each, and cuts them all off; gives the memory they had."""
    before = server.rss
    raws = [Raw(server.address, sent) for _ in range(count)]
    for raw in raws:
        heard = b""
        while b"application/grpc" not in heard:  # the answer has begun
            heard += raw.read(4_096)
    held = server.rss - before
    for raw in raws:
        raw.reset()
    return held


def test_watchers_and_readers_vanish(server: Process) -> None:
    with Client(server.address, timeout=60) as client:
        done = client.start_run("tower", **{**WISH, "match_count": 60_000})
        done.wait(timeout=120)
        run = client.start_run("tower", **WISH)
        endless = client.start_run("tower", **ENDLESS)
        before = server.rss
        watched = drop(server, watch(endless.name), 200)
        # Rows of 2.3 MB, of which the first 64 KB are sent before the reader has to say more.
        held = max(drop(server, read(done.name), 16) for _ in range(10))
        assert soon(lambda: not server.under_way())
        run.wait(timeout=120)
        assert run.report() == run_matches("tower", **WISH)
        first = endless.metadata().matches_done
        assert soon(lambda: endless.metadata().matches_done > first)
        left = server.rss - before
        tell(watched_mib=f"{watched / MIB:.1f}", read_mib=f"{held / MIB:.1f}", left_mib=f"{left / MIB:.1f}")
        endless.cancel()
        for one in (done, run, endless):
            one.delete()
    # A reader holds a batch of 2.3 MB six times: rows, columns, a batch, a message, its bytes, what is sent.
    assert held < 16 * 20 * MIB
    assert left < held + 64 * MIB
    assert watched < 200 * MIB // 8  # a watcher is a call and a task, and hears a few hundred bytes
    server.check()


CLIENT = """
import sys, threading
from sengoku import Client
from sengoku.swords import Battle, Force
client = Client(sys.argv[1], timeout=600, retries=0)
battle = Battle(Force(daimyo=1, bow=2, spear=3), Force(bow=1, spear=4))
for _ in range(4):
    threading.Thread(target=lambda: client.sample(battle, 10_000_000_000), daemon=True).start()
sys.stdin.read()
"""


def test_a_killed_client_frees_its_quota(tmp_path: Path) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(serving(tmp_path, "--max-client-calls", "4"))
        client = stack.enter_context(Client(server.address, timeout=30, retries=0))
        other = subprocess.Popen([sys.executable, "-c", CLIENT, server.address], stdin=subprocess.PIPE)
        stack.enter_context(other)
        stack.callback(other.kill)
        assert soon(lambda: client.status()["calls"] >= 5)  # its four, and this one that asks
        with pytest.raises(QuotaError) as caught:
            client.exact(BATTLE)
        assert caught.value.retry_after
        other.kill()
        begun = time.monotonic()
        assert soon(lambda: client.status()["calls"] <= 1)
        tell(freed_after_s=f"{time.monotonic() - begun:.2f}")
        assert client.status()["working"] == 0
        server.check()


# A full disk


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of eight megabytes; without root, test_runs.py does the same by a limit of SQLite."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(disk)]
    try:
        made = subprocess.run(mount, capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"no mount: {error}")
    if made.returncode:
        pytest.skip(f"a tmpfs cannot be mounted: {made.stderr.strip()}")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)  # noqa: S607


def fill(disk: Path, leave: int = 0) -> None:
    """Takes all room there is, but for some bytes."""
    path = disk / "filler"
    with path.open("ab", buffering=0) as filler:
        for size in (1 << 16, 1 << 12, 1 << 8, 1):
            with suppress(OSError):
                while True:
                    filler.write(bytes(size))
        if leave:
            os.truncate(path, max(filler.tell() - leave, 0))


def start_many(client: Client) -> None:
    for _ in range(100):  # a little may still fit
        client.start_run("tower", **{**WISH, "match_count": 1})


def test_a_full_disk(small_disk: Path, tmp_path: Path) -> None:
    wish = {**WISH, "match_count": 40_000}
    store = small_disk / "runs.sqlite3"

    def stalled() -> bool:
        return run.metadata().state == "stalled"

    with serving(tmp_path, store=store) as server, Client(server.address, timeout=60, retries=0) as client:
        fill(small_disk, leave=300_000)
        run = client.start_run("tower", **wish)
        assert soon(stalled, 60)
        fill(small_disk)
        told = run.metadata()
        assert "full" in told.obstacle
        done = told.matches_done
        assert 0 < done < 40_000
        assert run.report() == run_matches(
            "tower", **{**wish, "match_count": done}
        )  # what is there can be read
        with pytest.raises(StoreFullError) as caught:
            start_many(client)
        assert caught.value.retry_after
        assert client.run(run.name).metadata().matches_done == done
        assert client.exact(BATTLE) == BATTLE.exact()
        server.check()
        (small_disk / "filler").unlink()
        assert soon(lambda: run.metadata().matches_done > done, 60)  # by itself
        fill(small_disk, leave=100_000)
        assert soon(lambda: stalled() or run.metadata().state == "succeeded", 60)
        server.process.kill()
        server.process.wait()
    (small_disk / "filler").unlink()
    with serving(tmp_path, store=store) as server, Client(server.address, timeout=60) as client:
        again = client.run(run.name)
        assert again.metadata().matches_done >= done
        again.wait(timeout=120)
        assert again.report() == run_matches("tower", **wish)
        server.check()


# Kills and ends in the middle of everything


class Load:
    """Clients of all kinds: small calls, samples, matches, runs. Every answer is compared."""

    def __init__(self, address: str, threads: int = 4) -> None:
        self.client = Client(address, timeout=60, retries=0)
        self.answers = 0
        self.wrong: list[object] = []
        self.ends: list[SengokuError] = []
        self.begun: dict[str, tuple[str, int]] = {}
        """Runs whose beginning was answered: the seed by name."""
        self._sample = BATTLE.sample(2_000, seed=1)
        self._exact = BATTLE.exact()
        self._matches = run_matches("tower", bots=["random"], seats=3, match_count=20, seed=2)
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._work, args=(n,), daemon=True) for n in range(threads)]
        for thread in self._threads:
            thread.start()

    def _work(self, number: int) -> None:
        turn = 0
        while not self._stop.is_set():
            turn += 1
            try:
                if self.client.exact(BATTLE) != self._exact:
                    self.wrong.append("exact")
                if self.client.sample(BATTLE, 2_000, seed=1) != self._sample:
                    self.wrong.append("sample")
                found = self.client.run_matches("tower", bots=["random"], seats=3, match_count=20, seed=2)
                if found != self._matches:
                    self.wrong.append("matches")
                if turn % 4 == 1 and turn < 12:
                    seed = 1_000 * number + turn
                    wish = f"wish {seed}"
                    run = self.client.start_run("tower", **{**SMALL, "seed": seed}, request_id=wish)
                    self.begun[wish] = (run.name, seed)
                self.answers += 3
            except SengokuError as error:
                self.ends.append(error)
                return

    def join(self) -> None:
        """Waits for the threads, which end with the server."""
        self._stop.set()
        for thread in self._threads:
            thread.join(60)
        self.client.close()


SMALL: dict[str, Any] = {"bots": ["random"], "seats": 3, "match_count": 2_000}


def check_runs(address: str, begun: dict[str, tuple[str, int]]) -> None:
    """Finds every run that was begun, once, and every byte of its report."""
    with Client(address, timeout=60) as client:
        for wish, (name, seed) in begun.items():
            # Whoever did not hear the answer asks again and gets the same run.
            run = client.start_run("tower", **{**SMALL, "seed": seed}, request_id=wish)
            assert run.name == name
            run.wait(timeout=120)
            assert run.report() == run_matches("tower", **{**SMALL, "seed": seed})


def killed_under_load(folder: Path, store: Path, seconds: float) -> Load:
    with serving(folder, store=store) as server:
        load = Load(server.address)
        assert soon(lambda: len(load.begun) >= 4)
        time.sleep(seconds)
        server.process.kill()
        server.process.wait()
        load.join()
    return load


def test_a_kill_in_the_middle_of_everything(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite3"
    begun: dict[str, tuple[str, int]] = {}
    for seconds in (1.0, 2.0):
        load = killed_under_load(tmp_path, store, seconds)
        assert not load.wrong
        assert load.ends
        assert all(isinstance(error, UnavailableError) for error in load.ends), load.ends
        begun |= load.begun
        tell(answers=load.answers, runs=len(begun))
    with serving(tmp_path, store=store) as server:
        check_runs(server.address, begun)
        with Client(server.address, timeout=60) as client:
            assert len(list(client.runs())) <= len(begun) + 8  # those that nobody heard of, one a thread
        server.check()


def test_sigterm_in_the_middle_of_everything(tmp_path: Path, connections: int) -> None:
    store = tmp_path / "runs.sqlite3"
    half = call(head(), message(b"abc", length=100), end=False)
    with serving(tmp_path, "--grace", "20", store=store) as server:
        with Client(server.address, timeout=60) as client:
            endless = client.start_run("tower", **ENDLESS)
        load = Load(server.address)
        assert soon(lambda: len(load.begun) >= 4)
        with (
            many(server, connections // 10),
            many(server, connections // 10, half),
            many(server, 50, watch(endless.name)),
        ):
            begun = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(60) == 0
            seconds = time.monotonic() - begun
        load.join()
        assert not server.faults()
    tell(seconds=f"{seconds:.1f}", answers=load.answers)
    assert seconds < 20  # nobody had work that takes as long as the grace
    assert not load.wrong
    assert load.ends
    assert all(isinstance(error, ShuttingDownError | UnavailableError) for error in load.ends), load.ends
    with serving(tmp_path, store=store) as server:
        with Client(server.address, timeout=60) as client:
            client.run(endless.name).cancel()
        check_runs(server.address, load.begun)
        server.check()


# For a long time


def endure(server: Process, calls: int, runs: int, matches: int) -> None:
    """Asks for much of everything."""

    def small(_: int) -> None:
        for _ in range(calls // 20):
            assert client.exact(BATTLE) == exact

    exact = BATTLE.exact()
    with Client(server.address, timeout=120) as client, ThreadPoolExecutor(4) as pool:
        list(pool.map(small, range(20)))
        names = [client.start_run("tower", **{**SMALL, "match_count": 100, "seed": n}) for n in range(runs)]
        for run in names:
            run.wait(timeout=120)
            run.delete()
        for n in range(matches):
            client.create_match("tower", seats=3, seed=n)  # and nobody ever deletes it


def outlast(folder: Path, calls: int, runs: int, matches: int, mib: int) -> None:
    with serving(folder, "--match-idle-seconds", "1", store=folder / "runs.sqlite3") as server:
        endure(server, calls // 10, min(runs, 80), matches)  # a warm-up: threads, pools, caches
        assert soon(lambda: not server.under_way())
        before, files, threads = server.rss, server.files, server.threads
        endure(server, calls, min(runs, 80), matches)
        for _ in range(runs // 80 - 1):
            endure(server, 20, 80, 0)
        time.sleep(1.2)
        with Client(server.address, timeout=60) as client:
            client.create_match("tower", seats=3, seed=1)
            assert client.status()["open_matches"] == 1  # the others were forgotten
        server.check()
        grown = server.rss - before
        tell(
            calls=calls,
            runs=runs,
            rss_mib=f"{server.rss / MIB:.0f}",
            grown_mib=f"{grown / MIB:.1f}",
            files=f"{files} -> {server.files}",
            threads=f"{threads} -> {server.threads}",
        )
        assert grown < mib * MIB
        assert soon(lambda: server.files <= files + 8)
        assert server.threads <= threads + 16


def test_nothing_grows(tmp_path: Path) -> None:
    outlast(tmp_path, calls=2_000, runs=80, matches=50, mib=24)


@pytest.mark.system
@pytest.mark.timeout(1_800)
def test_nothing_grows_for_long(tmp_path: Path) -> None:
    # A leak of 1 KB a call would be 20 MB, one of 100 KB a run as much.
    outlast(tmp_path, calls=20_000, runs=240, matches=500, mib=20)
