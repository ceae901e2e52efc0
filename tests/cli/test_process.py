"""Commands as processes: signals, terminals, encodings and output that cannot be written."""

import os
import pty
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from sengoku import Client, swords
from sengoku.errors import UnavailableError
from sengoku.server import Limits, Server
from sengoku.server.limits import flag_of
from support.questions import BATTLE, FILM, QUESTION

SENGOKU = [sys.executable, "-m", "sengoku.cli"]


@contextmanager
def serving(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [*SENGOKU, "serve", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().removeprefix("listening on ").strip()
        finally:
            process.kill()


def test_flags_of_a_server_reach_its_limits() -> None:
    wanted = {
        field.name: min(number, field.metadata["most"]) for number, field in enumerate(fields(Limits), 11)
    }
    options = [text for field in fields(Limits) for text in (flag_of(field), str(wanted[field.name]))]
    with serving(*options) as (_, address), Client(address, timeout=30) as client:
        assert client.version()["limits"] == wanted


def test_sigterm_lets_calls_finish() -> None:
    with serving("--grace", "60") as (process, address), Client(address, timeout=60) as client:
        assert client.exact(BATTLE) == BATTLE.exact()
        answers: list[swords.Odds] = []
        work = threading.Thread(target=lambda: answers.append(client.sample(BATTLE, 60_000_000)))
        work.start()
        with grpc.insecure_channel(address) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            time.sleep(0.2)
            process.send_signal(signal.SIGTERM)
            for _ in range(600):  # until it says that it is going, or has stopped listening already
                try:
                    status = health.Check(health_pb2.HealthCheckRequest(), timeout=5).status
                except grpc.RpcError:
                    break
                if status == health_pb2.HealthCheckResponse.NOT_SERVING:
                    break
                time.sleep(0.05)
            else:
                pytest.fail("the server does not say that it is going")
        work.join(60)
        assert process.wait(60) == 0
    assert answers == [BATTLE.sample(60_000_000)]


def test_a_second_signal_stops_at_once() -> None:
    with serving("--grace", "600") as (process, address), Client(address, timeout=60) as client:
        failures: list[type] = []

        def ask() -> None:
            try:
                client.sample(BATTLE, 10_000_000_000)
            except UnavailableError as error:
                failures.append(type(error))

        work = threading.Thread(target=ask)
        work.start()
        time.sleep(0.5)
        for _ in range(2):
            process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
        assert process.wait(30) == 0
        work.join(30)
    assert failures == [UnavailableError]


def _wait_for_workers(process: int) -> None:
    """Waits until a process has threads of ours at work."""
    tasks = Path(f"/proc/{process}/task")
    if not tasks.exists():  # a system that does not tell
        time.sleep(5)
    for _ in range(600):
        with suppress(OSError):
            if any(task.joinpath("comm").read_text().startswith("sengoku-") for task in tasks.iterdir()):
                return
        time.sleep(0.05)


def test_interrupting_a_long_question() -> None:
    command = [*SENGOKU, *QUESTION, "--samples", str(10**10)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            _wait_for_workers(process.pid)
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 130
        finally:
            process.kill()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_terminals_that_know_no_blocks(encoding: str) -> None:
    done = subprocess.run(
        [*SENGOKU, *QUESTION],
        capture_output=True,
        check=True,
        env=os.environ | {"PYTHONIOENCODING": encoding},
    )
    assert b"####" in done.stdout


def test_output_that_cannot_be_written() -> None:
    if not Path("/dev/full").exists():  # a system without a disk that is always full
        return
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*SENGOKU, *QUESTION], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_film_shows_its_progress_to_a_person(tmp_path: Path) -> None:
    controller, terminal = pty.openpty()
    with subprocess.Popen(
        [*SENGOKU, *FILM, "--slow", "0.2", str(tmp_path / "film.gif")],
        stdout=subprocess.PIPE,
        stderr=terminal,
        env=os.environ | {"TERM": "xterm"},
    ) as process:
        os.close(terminal)
        seen = b""
        with suppress(OSError):  # the end of a terminal
            while piece := os.read(controller, 4096):
                seen += piece
    os.close(controller)
    assert process.returncode == 0
    assert b"drawing" in seen


def test_top_goes_on_until_it_is_interrupted(server: Server) -> None:
    terminal, end = pty.openpty()
    shown = subprocess.Popen(
        [*SENGOKU, "top", "--every", "0.2", "--server", server.address],
        stdout=end,
        stderr=end,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"},
    )
    os.close(end)
    text, deadline = "", time.monotonic() + 60
    try:
        while text.count("no runs in progress") < 3 and time.monotonic() < deadline:
            text += os.read(terminal, 65536).decode()
        shown.send_signal(signal.SIGINT)
        with suppress(OSError):  # that is the end: nobody writes to the terminal any more
            while os.read(terminal, 65536):  # a full one would keep it from ending
                pass
        assert shown.wait(30) == 0
    finally:
        shown.kill()
        shown.wait()
        os.close(terminal)
    assert text.count("no runs in progress") >= 3
    assert "Traceback" not in text
