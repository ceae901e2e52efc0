"""A server in a process of its own, watched from outside: its log, its memory, its files, its calls."""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sengoku import Client
from sengoku.swords import Battle, Force

BATTLE = Battle(Force(daimyo=1, bow=2, spear=3), Force(bow=1, spear=4))
MIB = 1 << 20


def soon(condition: Callable[[], bool], seconds: float = 30.0, pause: float = 0.05) -> bool:
    """Waits until a condition holds, at most some seconds; returns whether it does."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return condition()
        time.sleep(pause)
    return True


class Process:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self.process = process
        self.log = log
        assert process.stdout is not None
        metrics = process.stdout.readline()
        address = process.stdout.readline()
        assert address.startswith("listening on "), (metrics, log.read_text())
        self.metrics = metrics.removeprefix("metrics on ").strip()
        self.address = address.removeprefix("listening on ").strip()

    @property
    def rss(self) -> int:
        """Bytes of memory in use."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * 4096

    @property
    def files(self) -> int:
        """Files and connections that are open."""
        return sum(1 for _ in Path(f"/proc/{self.process.pid}/fd").iterdir())

    @property
    def threads(self) -> int:
        """Threads that live."""
        return sum(1 for _ in Path(f"/proc/{self.process.pid}/task").iterdir())

    def sum_of(self, metric: str, label: str = "") -> float:
        """The sum of the values of a metric whose labels have a text in them."""
        while True:
            try:
                with urllib.request.urlopen(f"http://{self.metrics}/metrics", timeout=20) as page:
                    lines = page.read().decode().splitlines()
                break
            except urllib.error.HTTPError as error:  # ten pages a second are enough for everybody
                if error.code != 429:
                    raise
                time.sleep(0.2)
        values = (line.rpartition(" ") for line in lines if line.startswith(metric) and label in line)
        return sum(float(value) for name, _, value in values if name.partition("{")[0] == metric)

    def under_way(self) -> int:
        """Calls and streams that are being answered."""
        return round(self.sum_of("sengoku_calls_under_way"))

    def faults(self) -> list[str]:
        """Lines of the log that nobody should see."""
        lines = self.log.read_text().splitlines()
        return [line for line in lines if not line.startswith("{") or json.loads(line)["level"] == "error"]

    def check(self) -> None:
        """Finds the server as it was at first: it answers, nothing is under way, and its log is clean."""
        with Client(self.address, timeout=30, retries=0) as client:
            assert client.health() == "SERVING"
            assert client.exact(BATTLE) == BATTLE.exact()
        assert soon(lambda: not self.under_way()), self.under_way()
        assert not (faults := self.faults()), faults


@contextmanager
def serving(
    folder: Path, *options: str, store: str | Path = ":memory:", files: int | None = None
) -> Iterator[Process]:
    """Start a server, which may open at most `files` files, and end it, whatever happens."""
    log = folder / "server.log"
    command = [sys.executable, "-m", "sengoku.cli", "serve", "--port", "0", "--metrics-port", "0"]
    command += ["--log-format", "json", "--store", str(store), *options]
    if files is not None:
        command = ["/bin/sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *command]
    with log.open("a") as errors:
        quiet = {
            **os.environ,
            "GRPC_VERBOSITY": "NONE",
        }  # as deployed: mistakes of callers are not errors of the server
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=quiet)
    with process:
        try:
            yield Process(process, log)
        finally:
            process.kill()
