"""A server that is told to stop: first it says so, then it takes no more calls, then those under way end."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from sengoku import Client, run_matches
from sengoku.errors import SengokuError, ShuttingDownError, UnavailableError
from sengoku.server import Server
from sengoku.swords import Battle, Force
from support.process import soon

SERVE = [sys.executable, "-m", "sengoku.cli", "serve", "--port", "0", "--log-level", "warning"]
BATTLE = Battle(Force(daimyo=1, bow=2, spear=3), Force(bow=1, spear=4))
YEARS = 10_000_000_000
"""Samples that no server ends in time."""


@contextmanager
def serving(*options: str, store: str | Path = ":memory:") -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [*SERVE, "--store", str(store), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().removeprefix("listening on ").strip()
        finally:
            process.kill()


class Asking(threading.Thread):
    """A call under way."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self.work = work
        self.answer: object = None
        self.start()

    def run(self) -> None:
        """Asks."""
        try:
            self.answer = self.work()
        except SengokuError as error:
            self.answer = error


def at_work(client: Client) -> bool:
    """Waits until somebody has a turn."""
    return soon(lambda: client.status()["working"] > 0)


def test_health_goes_first_and_calls_go_on_for_a_while() -> None:
    with serving("--drain-delay", "3") as (process, address), Client(address, timeout=30) as client:
        assert client.health() == "SERVING"
        told = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert soon(lambda: client.health() == "NOT_SERVING")
        if time.monotonic() < told + 2:  # else the machine is too slow to see it
            assert client.exact(BATTLE) == BATTLE.exact()
        assert process.wait(30) == 0
        assert time.monotonic() > told + 2.9


def test_calls_under_way_finish_and_new_ones_are_sent_away() -> None:
    with serving("--grace", "60") as (process, address), Client(address, timeout=60, retries=0) as client:
        long = Asking(lambda: client.run_matches("swords", bots=["greedy"], match_count=150, seed=3))
        assert at_work(client)
        process.send_signal(signal.SIGTERM)
        assert soon(lambda: client.health() == "NOT_SERVING")

        failures: list[SengokuError] = []

        def refused() -> bool:
            try:
                client.exact(BATTLE)
            except SengokuError as error:
                failures.append(error)
            return bool(failures)

        assert soon(refused)
        assert isinstance(failures[0], ShuttingDownError)
        assert failures[0].retry_after == pytest.approx(1.0)
        assert client.status()["stopping"]  # who only looks is let in
        long.join(60)
        assert long.answer == run_matches("swords", bots=["greedy"], match_count=150, seed=3)
        assert process.wait(30) == 0


@pytest.mark.system
def test_grace_has_an_end() -> None:
    with serving("--grace", "1") as (process, address), Client(address, timeout=60, retries=0) as client:
        long = Asking(lambda: client.sample(BATTLE, YEARS))
        assert at_work(client)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
        long.join(20)
        assert isinstance(long.answer, UnavailableError)


@pytest.mark.system
def test_whoever_only_watches_does_not_keep_it() -> None:
    with serving("--grace", "600") as (process, address), grpc.insecure_channel(address) as channel:
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
        process.send_signal(signal.SIGTERM)
        assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
        assert process.wait(20) == 0


@pytest.mark.system
def test_a_second_signal_is_heard_while_it_drains() -> None:
    with serving("--grace", "600", "--drain-delay", "600") as (process, address):
        with Client(address, timeout=60, retries=0) as client:
            assert client.health() == "SERVING"
            process.send_signal(signal.SIGTERM)
            assert soon(lambda: client.health() == "NOT_SERVING")
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


@pytest.mark.system
def test_runs_stop_and_go_on_after_the_restart(tmp_path: Path) -> None:
    wish = {"bots": ["random"], "seats": 3, "match_count": 8_000, "seed": 5, "setup": {"max_rounds": 8}}
    store = tmp_path / "runs.sqlite3"
    with serving("--grace", "30", store=store) as (process, address), Client(address, timeout=60) as client:
        run = client.start_run("swords", **wish)
        assert soon(lambda: run.metadata().matches_done > 0, 60)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    with serving(store=store) as (process, address), Client(address, timeout=60) as client:
        again = client.run(run.name)
        assert again.metadata().matches_done > 0
        again.wait(timeout=120)
        assert again.report() == run_matches("swords", **wish)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


@pytest.mark.parametrize("milliseconds", [0, 1, 2, 4, 8, 16])
def test_a_call_that_is_on_its_way_hears_why(milliseconds: int) -> None:
    """The end of gRPC itself would tell it CANCELLED, which nobody tries again."""
    server = Server(port=0)
    with Client(server.address, timeout=20, retries=0) as client:
        client.version()
        time.sleep(0.15)  # nobody calls all the time
        ended = server.stop(5)
        time.sleep(milliseconds / 1e3)
        with pytest.raises(ShuttingDownError):
            client.run_matches("battles", bots=["random"], match_count=1)
        assert ended.wait(20)
