"""The server of `sengoku up`: where it says that it runs, and how others start and stop it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

from sengoku.errors import InternalError
from sengoku.storage import default_store
from sengoku.storage.file_lock import lock_file

__all__ = ["HTTP_PORT", "Running", "announce", "free_port", "running", "start", "stop"]

HTTP_PORT = 8051
"""The port of the console, unless something else listens on it."""
_START_SECONDS = 60.0
_STOP_SECONDS = 60.0
_LOOK_SECONDS = 0.05
_STARTED: list[subprocess.Popen[bytes]] = []
"""Processes that outlive this one: they are not to be waited for."""


@dataclass(frozen=True)
class Running:
    """A server that runs."""

    pid: int
    url: str
    """Address of the console."""
    grpc: str
    """Address for clients of gRPC."""


def _state() -> Path:
    """Return the file in which a server says that it runs; it holds a lock of the file as long as it does."""
    return default_store().with_name("up.json")


def _log() -> Path:
    return default_store().with_name("up.log")


def free_port(port: int) -> int:
    """Return a port if nothing on this machine listens on it, else 0, which stands for any."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return 0
    return port


@contextmanager
def announce(url: str, grpc: str) -> Iterator[None]:
    """Say that a server of this process runs, for the block."""
    _state().parent.mkdir(parents=True, exist_ok=True)
    with _state().open("a+") as file:
        lock_file(file.fileno(), wait=True)
        file.truncate(0)
        json.dump(asdict(Running(os.getpid(), url, grpc)), file)
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def running() -> Running | None:
    """Return the server that runs, if there is one."""
    try:
        with _state().open("a+") as file:
            return None if lock_file(file.fileno()) else _read(file)
    except OSError:
        return None


def _read(file: TextIO) -> Running | None:
    file.seek(0)
    try:
        return Running(**json.loads(file.read()))
    except (ValueError, TypeError):  # it is just being written
        return None


def start(options: Sequence[str] = ()) -> Running:
    """Start a server in a process of its own, which stays when this one ends, and wait until it answers."""
    _log().parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "sengoku.cli", "up", "--no-browser", *options]
    with _log().open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - this program
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    _STARTED.append(process)
    ends = time.monotonic() + _START_SECONDS
    while time.monotonic() < ends and process.poll() is None:
        found = running()
        if found is not None and found.pid == process.pid:
            return found
        time.sleep(_LOOK_SECONDS)
    if process.poll() is None:
        process.terminate()
    said = " ".join(_log().read_text(errors="replace").split())[-500:]
    raise InternalError(f"the server did not start: {said}")


def stop(server: Running) -> None:
    """Stop a server gracefully, and wait until it has ended."""
    os.kill(server.pid, signal.SIGTERM)
    ends = time.monotonic() + _STOP_SECONDS
    while running() is not None:
        if time.monotonic() > ends:
            raise InternalError(f"process {server.pid} did not stop within {_STOP_SECONDS:g} seconds")
        time.sleep(_LOOK_SECONDS)
