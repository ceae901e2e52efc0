"""A world: one machine with a disk, server processes that come and go on it, and a trace of what happens."""

from __future__ import annotations

import atexit
import gc
import hashlib
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sengoku.engine.report import RESULTS
from sengoku.engine.requests import RunRequest
from sengoku.errors import CancelledError
from sengoku.storage import Store
from tests.simulation import vfs
from tests.simulation.disk import Crash, Disk, File
from tests.simulation.primitives import wall
from tests.simulation.scheduler import Scheduler, current
from tests.simulation.server import Server
from tests.simulation.substitute import names, substitute

__all__ = ["Violation", "World", "empty_store", "prepare", "world"]


class Violation(AssertionError):  # noqa: N818 - the word of the field
    """The system under test broke a promise."""


_folder: list[Path] = []
_empty: dict[str, bytes] = {}


def prepare() -> None:
    """Make this process one that simulates; there is no way back."""
    if _folder:
        return
    vfs.register()
    substitute()
    if hasattr(os, "sched_setaffinity"):  # one thread runs at a time: on one core it hands over faster
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[os.getpid() % len(cores)]})
    shared = Path("/dev/shm")  # noqa: S108 - only the empty file that a server locks is there
    folder = Path(tempfile.mkdtemp(prefix="sengoku-simulation-", dir=shared if shared.is_dir() else None))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _folder.append(folder)
    _slow_matches()
    disk = Disk()
    vfs.mount(disk)
    with Scheduler("empty", preemption=0):
        Store(folder / "runs.sqlite3", vfs=vfs.NAME).close()
    _empty.update({name: bytes(file.content) for name, file in disk.files.items()})
    gc.disable()  # collections at moments that no seed chooses; `world` collects between worlds


def empty_store() -> dict[str, File]:
    """Return the files of a store in which nothing is yet."""
    return {name: File(bytearray(content), content) for name, content in _empty.items()}


_played: dict[Any, Any] = {}


def _slow_matches() -> None:
    """Let matches take virtual time, and others run meanwhile, as they do while threads play.

    What was played once is not played again: matches are a function of their request.
    """
    real = RunRequest.play

    def play(self: RunRequest, **options: Any) -> Any:
        scheduler = current()
        scheduler.sleep(scheduler.match_seconds * self.match_count)
        key = tuple(vars(self).values())
        cancel = options.get("cancel")
        if cancel is not None and cancel.cancelled:
            raise CancelledError("the matches were cancelled")
        report = _played.get(key)
        if report is None:
            # Without the flag: the work would pause outside of the scheduler.
            report = _played[key] = real(self, **{**options, "cancel": None})
            for name in RESULTS:
                getattr(report, name).flags.writeable = False
        scheduler.pause("played")
        return report

    RunRequest.play = play  # type: ignore[method-assign]


class World:
    """A machine and its servers. Made by `world`, which ends it."""

    def __init__(self, seed: object, scheduler: Scheduler, *, shuffled: bool) -> None:
        self.seed = seed
        self.scheduler = scheduler
        self.random = random.Random(f"world {seed}")
        self.disk = Disk(seed)
        self.path = _folder[0] / "runs.sqlite3"
        self.shuffled = shuffled
        self.server: Server | None = None
        self.starts = 0
        self.lines: list[str] | None = None
        """The trace, if it is kept."""
        self._digest = hashlib.sha256()
        self.violations: list[str] = []
        self.power_cuts = 0
        """How often unsynced writes may have been lost."""
        self.cuts_before = {"": 0}
        """The same at the start of each server process: its reports may be read later."""
        self.next_crash = Crash(1.0)
        """How the machine will stop."""
        scheduler.trace = self._scheduled
        self.disk.trace = self.note

    # The trace

    def note(self, text: str) -> None:
        """Add a line to the trace."""
        text = text.replace(f"{_folder[0]}/", "")  # its name differs between processes
        line = f"{self.scheduler.now - 1000:.6f} {self.scheduler.running.name}: {text}"
        self._digest.update(line.encode())
        if self.lines is not None:
            self.lines.append(line)

    def _scheduled(self, name: str) -> None:
        self._digest.update(f"{self.scheduler.now:.6f} {name}".encode())

    @property
    def digest(self) -> str:
        """A digest of everything that happened."""
        return self._digest.hexdigest()[:16]

    def violation(self, text: str) -> None:
        """Note that a promise is broken; the world ends at the next look."""
        self.note(f"VIOLATION {text}")
        self.violations.append(text)

    def check(self) -> None:
        """Raise the first violation so far."""
        for thread, error in self.scheduler.died:
            self.violation(f"thread {thread.name} of {thread.process} died: {type(error).__name__}: {error}")
        self.scheduler.died.clear()
        for text in vfs.errors():
            self.violation(f"the simulated disk is broken: {text}")
        if self.violations:
            raise Violation(self.violations[0])

    # The machine

    def boot(self) -> None:
        """Start the machine: the disk is readable again."""
        vfs.mount(self.disk, sleep=self.scheduler.sleep, pause=self._slow_disk)

    def _slow_disk(self, what: str) -> None:
        if self.random.random() < 0.2:
            self.scheduler.sleep(self.random.choice((0.0005, 0.02, 0.5)))
        else:
            self.scheduler.pause(what)

    def power_on(self, *, attempts: int = 20) -> Server:
        """Start a server, as a service manager does: again after a while if it fails."""
        for _ in range(attempts):
            self.starts += 1
            server = self.server = Server(
                f"server-{self.starts}",
                self.path,
                seed=f"{self.seed} {self.starts}",
                shuffled=self.shuffled,
                on_error=self.violation,
                powered=lambda: not self.disk.dead,
            )
            self.cuts_before[server.process] = self.power_cuts
            server.start()
            while not (server.serving or server.ended.is_set() or self.disk.dead):
                server.ready.wait(0.5)
            if server.serving:
                self.note(f"{server.process} serves")
                return server
            self.note(f"{server.process} does not start: {server.failure}")
            self.check()
            if self.disk.dead:
                self.crash()
            self.scheduler.sleep(2.0)
        raise Violation(f"the server does not start any more: {self.server and self.server.failure}")

    def crash(self, crash: Crash | None = None) -> None:
        """Kill the server, or stop the whole machine, and start the machine again."""
        crash = crash or self.next_crash
        self.power_cuts += crash.kept < 1
        self.disk.dead = True
        if self.server is not None:
            self.note(f"{self.server.process} is killed, {crash.kept:g} of the unsynced sectors are kept")
            self.server.kill()
        self.disk.restart(crash)
        self.boot()
        self.check()

    def shut_down(self) -> None:
        """Stop the server gracefully and check that nothing of it is left."""
        assert self.server is not None
        self.server.stop()
        ends = self.scheduler.now + 1.0
        while (left := self._threads_left()) and self.scheduler.now < ends:
            self.scheduler.sleep(0.05)
        if left:
            self.violation(f"threads are left after the end of the server: {', '.join(left)}")
        self.note("the server has stopped")
        self.check()

    def _threads_left(self) -> list[str]:
        """Return the threads of the server process, without its main thread."""
        process = self.server.process if self.server else ""
        threads = [thread.name for thread in self.scheduler.threads if thread.process == process]
        return [name for name in threads if name != process]

    def open_store(self) -> Store:
        """Open the store that a server left, without changing it."""
        return Store(self.path, reading=True, vfs=vfs.NAME)


@contextmanager
def world(
    seed: object,
    *,
    preemption: float = 0.0,
    hurry: float = 0.0,
    shuffled: bool = False,
    match_seconds: float = 0.05,
    keep: bool = False,
    install: Callable[[World], None] = lambda _world: None,
) -> Iterator[World]:
    """Make a world, and leave nothing of it behind."""
    prepare()
    names.seed(seed)
    number = random.Random(f"sqlite {seed}").getrandbits(31)
    wall.offset = 1_750_000_000.0
    with Scheduler(seed, preemption=preemption, hurry=hurry) as scheduler:
        scheduler.match_seconds = match_seconds
        made = World(seed, scheduler, shuffled=shuffled)
        if keep:
            made.lines = []
        vfs.seed_sqlite(number)
        made.boot()
        install(made)
        try:
            yield made
        finally:
            made.disk.dead = True
            if made.server is not None:
                made.server.kill()
            for process in dict.fromkeys(thread.process for thread in scheduler.threads):
                if process != "world":
                    scheduler.kill(process)
