"""Locks of files, and the branches for Windows with stand-ins for what only Windows has."""

import os
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from sengoku.storage.file_lock import lock_file


class Windows(types.ModuleType):
    """A stand-in for `msvcrt`: locks of bytes, that belong to a descriptor and keep others out at once."""

    LK_LOCK, LK_NBLCK = 1, 2

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.locked: dict[tuple[int, int], int] = {}
        self.gave_up = 0

    def locking(self, file: int, mode: int, count: int) -> None:
        """Lock a byte at the position of the file."""
        place = (os.fstat(file).st_ino, os.lseek(file, 0, os.SEEK_CUR))
        assert count == 1
        if self.locked.setdefault(place, file) != file:
            if mode == self.LK_LOCK:
                self.gave_up += 1
                if self.gave_up == 3:  # whoever had it has ended
                    self.locked[place] = file
                    return
            raise OSError(36, "Resource deadlock avoided")


@pytest.fixture(params=["here", "windows"])
def windows(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Windows | None:
    if request.param == "here":
        return None
    stand_in = Windows()
    monkeypatch.setitem(sys.modules, "msvcrt", stand_in)
    monkeypatch.setattr(sys, "platform", "win32")
    return stand_in


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[int, int]]:
    (tmp_path / "file").write_text("text")
    first, second = (os.open(tmp_path / "file", os.O_RDWR) for _ in range(2))
    yield first, second
    os.close(first)
    os.close(second)


@pytest.mark.usefixtures("windows")
def test_one_holder_at_a_time_and_readers_are_not_disturbed(two: tuple[int, int]) -> None:
    first, second = two
    os.lseek(second, 2, os.SEEK_SET)
    assert lock_file(first)
    assert not lock_file(second)
    assert os.read(second, 9) == b"xt"


def test_who_waits_gets_the_lock(two: tuple[int, int], windows: Windows | None) -> None:
    first, second = two
    if windows is None:
        assert lock_file(first, wait=True)
        return
    assert lock_file(first)
    assert lock_file(second, wait=True)
    assert windows.gave_up == 3


WITHOUT_POSIX = """
import asyncio, multiprocessing, os, select, signal, socket, sqlite3, subprocess, sys, sysconfig
import tempfile, threading, types
import grpc, numpy, prometheus_client, rich.console, typer, uvicorn

class Windows(types.ModuleType):
    LK_LOCK, LK_NBLCK = 1, 2
    def locking(self, file, mode, count): pass

sysconfig.get_config_vars()
sys.platform = "win32"
sys.modules["msvcrt"] = Windows("msvcrt")
for name in ("fcntl", "resource", "uvloop", "httptools"):
    sys.modules[name] = None  # importing it fails
import sengoku._core
del sengoku._core.Gate

from typer.testing import CliRunner
from sengoku import Match, run_matches
from sengoku.bots.process import isolation_level
from sengoku.cli.main import app
from sengoku.errors import MissingDependencyError
from sengoku.storage import Store

assert run_matches("battles", bots=["greedy", "random"], match_count=3, seed=1).win_rate.sum() > 0
assert isolation_level() == "none"
with Store("runs.sqlite3") as store:
    assert list(store.runs.page(before=None, most=1)) == []
done = CliRunner().invoke(app, ["odds", "swords", "--attacker", "bow=2", "--defender", "spear=3"])
assert done.exit_code == 0, repr(done.exception) + done.output
try:
    from sengoku.server import Server
    Server(port=0)
except MissingDependencyError as error:
    print(error)
"""


def test_without_what_windows_lacks_all_but_servers_works(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_POSIX],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("a server needs Linux or macOS")
