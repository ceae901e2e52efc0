"""`sengoku up` and `sengoku down`: one server of this machine, found again and stopped."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from sengoku import Client
from sengoku.cli import background
from support.cli import run

FREE = ("--http-port", "0", "--port", "0", "--store", ":memory:")


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    yield
    if (left := background.running()) is not None:
        background.stop(left)


def test_a_server_stays_until_it_is_stopped() -> None:
    state = {"XDG_STATE_HOME": os.environ["XDG_STATE_HOME"]}
    first = run("up", "--no-browser", "--background", *FREE, **state).stdout
    server = background.running()
    assert server is not None
    assert f"Sengoku is at {server.url}\n" in first
    assert httpx.get(f"{server.url}/healthz").text == "SERVING"
    with Client(server.grpc) as client:
        assert client.version()
    assert run("up", "--no-browser", **state).stdout == first, "there is only one"
    assert run("down", **state).stdout == f"stopped the server at {server.url}\n"
    assert background.running() is None
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{server.url}/healthz")
    assert "no server" in run("down", **state).stdout


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    done = run("up", "--no-browser", "--background", "--store", str(tmp_path), code=1)
    assert "the server did not start" in done.words
    assert str(tmp_path) in done.words


def test_a_server_that_is_killed_is_forgotten() -> None:
    server = background.start(FREE)
    os.kill(server.pid, 9)
    for _ in range(200):
        if background.running() is None:
            break
        subprocess.run([sys.executable, "-c", "pass"], check=True)
    assert background.running() is None


def test_a_port_that_is_taken_is_not_used() -> None:
    server = background.start(FREE)
    taken = int(server.url.rpartition(":")[2])
    assert background.free_port(taken) == 0
    background.stop(server)
    assert background.free_port(taken) == taken
