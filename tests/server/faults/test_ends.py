"""Clients that vanish, a full disk, kills and stops under load."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from sengoku import Client, run_matches
from sengoku.errors import (
    QuotaError,
    SengokuError,
    ShuttingDownError,
    StoreFullError,
    UnavailableError,
)
from sengoku.v1 import simulation_service_pb2 as pb2
from support.faults import (
    ENDLESS,
    RUN,
    many,
    print_figures,
)
from support.frames import (
    Raw,
    call,
    head,
    message,
)
from support.process import BATTLE, MIB, Process, serving, soon

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the /proc of Linux")


def watch(name: str) -> bytes:
    """The frames that watch a run."""
    content = pb2.WatchRunRequest(name=name).SerializeToString()
    return call(head("/sengoku.v1.SimulationService/WatchRun"), message(content))


def read(name: str) -> bytes:
    """The frames that read the rows of a run."""
    content = pb2.ReadRunRequest(name=name).SerializeToString()
    return call(head("/sengoku.v1.SimulationService/ReadRun"), message(content))


def drop(server: Process, sent: bytes, count: int) -> int:
    """Opens streams, reads the start of each and resets them all; returns the memory that they took."""
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


@pytest.mark.system
def test_watchers_and_readers_vanish(server: Process) -> None:
    with Client(server.address, timeout=60) as client:
        done = client.start_run("tower", **{**RUN, "match_count": 60_000})
        done.wait(timeout=120)
        run = client.start_run("tower", **RUN)
        endless = client.start_run("tower", **ENDLESS)
        before = server.rss
        watched = drop(server, watch(endless.name), 200)
        # Rows of 2.3 MB, of which the first 64 KB are sent before the reader has to say more.
        held = max(drop(server, read(done.name), 16) for _ in range(10))
        assert soon(lambda: not server.under_way())
        run.wait(timeout=120)
        assert run.report() == run_matches("tower", **RUN)
        first = endless.metadata().matches_done
        assert soon(lambda: endless.metadata().matches_done > first)
        left = server.rss - before
        print_figures(
            watched_mib=f"{watched / MIB:.1f}", read_mib=f"{held / MIB:.1f}", left_mib=f"{left / MIB:.1f}"
        )
        endless.cancel()
        for one in (done, run, endless):
            one.delete()
    # A reader holds a batch of 2.3 MB six times: rows, columns, a batch, a message, its bytes, what is sent.
    assert held < 16 * 20 * MIB
    assert left < held + 64 * MIB
    assert watched < 200 * MIB // 8  # a watcher is a call and a task, and receives a few hundred bytes
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
        print_figures(freed_after_s=f"{time.monotonic() - begun:.2f}")
        assert client.status()["working"] == 0
        server.check()


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
    """Fills the disk except for some bytes."""
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
        client.start_run("tower", **{**RUN, "match_count": 1})


@pytest.mark.system
def test_a_full_disk(small_disk: Path, tmp_path: Path) -> None:
    request = {**RUN, "match_count": 40_000}
    store = small_disk / "runs.sqlite3"

    def stalled() -> bool:
        return run.metadata().state == "stalled"

    with serving(tmp_path, store=store) as server, Client(server.address, timeout=60, retries=0) as client:
        fill(small_disk, leave=300_000)
        run = client.start_run("tower", **request)
        assert soon(stalled, 60)
        fill(small_disk)
        received = run.metadata()
        assert "full" in received.obstacle
        done = received.matches_done
        assert 0 < done < 40_000
        assert run.report() == run_matches(
            "tower", **{**request, "match_count": done}
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
        assert again.report() == run_matches("tower", **request)
        server.check()


class Load:
    """Clients that send small calls, samples, matches and runs, and compare every answer."""

    def __init__(self, address: str, threads: int = 4) -> None:
        self.client = Client(address, timeout=60, retries=0)
        self.answers = 0
        self.wrong: list[object] = []
        self.ends: list[SengokuError] = []
        self.begun: dict[str, tuple[str, int]] = {}
        """Runs whose start was acknowledged: name and seed by request id."""
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
                    request = f"wish {seed}"
                    run = self.client.start_run("tower", **{**SMALL, "seed": seed}, request_id=request)
                    self.begun[request] = (run.name, seed)
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
        for request, (name, seed) in begun.items():
            # A repeated request returns the same run.
            run = client.start_run("tower", **{**SMALL, "seed": seed}, request_id=request)
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


@pytest.mark.system
def test_a_kill_in_the_middle_of_everything(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite3"
    begun: dict[str, tuple[str, int]] = {}
    for seconds in (1.0, 2.0):
        load = killed_under_load(tmp_path, store, seconds)
        assert not load.wrong
        assert load.ends
        assert all(isinstance(error, UnavailableError) for error in load.ends), load.ends
        begun |= load.begun
        print_figures(answers=load.answers, runs=len(begun))
    with serving(tmp_path, store=store) as server:
        check_runs(server.address, begun)
        with Client(server.address, timeout=60) as client:
            assert len(list(client.runs())) <= len(begun) + 8  # runs whose response was lost, one per thread
        server.check()


@pytest.mark.system
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
    print_figures(seconds=f"{seconds:.1f}", answers=load.answers)
    assert seconds < 20  # nobody had work that takes as long as the grace
    assert not load.wrong
    assert load.ends
    assert all(isinstance(error, ShuttingDownError | UnavailableError) for error in load.ends), load.ends
    with serving(tmp_path, store=store) as server:
        with Client(server.address, timeout=60) as client:
            client.run(endless.name).cancel()
        check_runs(server.address, load.begun)
        server.check()


def endure(server: Process, calls: int, runs: int, matches: int) -> None:
    """Sends many requests of every kind."""

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
        print_figures(
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


@pytest.mark.system
def test_nothing_grows(tmp_path: Path) -> None:
    outlast(tmp_path, calls=2_000, runs=80, matches=50, mib=24)


@pytest.mark.system
@pytest.mark.timeout(1_800)
def test_nothing_grows_for_long(tmp_path: Path) -> None:
    # A leak of 1 KB a call would be 20 MB, one of 100 KB a run as much.
    outlast(tmp_path, calls=20_000, runs=240, matches=500, mib=20)
