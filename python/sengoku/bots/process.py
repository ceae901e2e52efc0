"""A program of somebody else in a process of its own, isolated as far as the operating system allows."""

from __future__ import annotations

import functools
import json
import mmap
import os
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from sengoku.bots.sandbox import LEVELS, Plan
from sengoku.engine.checks import check_integer

__all__ = ["IsolatedProcess", "Isolation", "isolation_level", "isolation_text"]

_TAIL_BYTES = 2_000
"""How much of what a program last wrote to its standard error is kept."""
_END_SECONDS = 2.0
"""How long a program may take to end by itself after its input has ended."""
_KILL_SECONDS = 10.0
_PROBE_SECONDS = 20.0
_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True)
class Isolation:
    """What a program may use. Bounds of memory and processes hold for it and its children together."""

    memory_mb: int = 4096
    file_mb: int = 64
    """Largest size of what it writes into its temporary folder."""
    files: int = 256
    """Files open at once in each of its processes."""
    processes: int = 64
    """Processes; threads count too where the system bounds them."""
    idle_cpu_seconds: int = 60
    """Processor time for its start, and for what it does while nothing is asked of it."""
    network: bool = False
    """Whether it may use the network."""

    BOUNDS: ClassVar = {
        "memory_mb": (64, 1 << 30),
        "file_mb": (1, 1 << 30),
        "files": (16, 1 << 20),
        "processes": (1, 1 << 20),
        "idle_cpu_seconds": (1, 1 << 20),
    }
    """The least and the largest value of each number."""

    def __post_init__(self) -> None:
        for name, (least, most) in self.BOUNDS.items():
            check_integer(name, getattr(self, name), least, most)


@functools.cache
def isolation_level() -> str:
    """Return the best level of isolation that this machine offers: one of `LEVELS`, or "none" on Windows."""
    if sys.platform == "win32":
        return "none"
    for level in LEVELS[:-1]:
        probe = IsolatedProcess([sys.executable, "-I", "-S", "-c", ""], Isolation(), level=level)
        try:
            if probe.wait(_PROBE_SECONDS) == "it ended":
                return level
        finally:
            probe.close()
    return LEVELS[-1]


def isolation_text(isolation: Isolation) -> str:
    """Describe what holds for programs on this machine, for reports."""
    level = isolation_level()
    if level == "none":
        return "a process of its own, without bounds: Windows has none that are used here"
    memory = f"at most {isolation.memory_mb:,} MB of memory"
    if isolation.network:
        network = "network allowed by the file"
    elif level == "namespaces":
        network = "no network"
    else:
        network = "network not closed: this system does not allow namespaces"
    return f"a process of its own, {network}, {memory}"


class IsolatedProcess:
    """A running program: its input and output as binary files, and how it ended."""

    def __init__(
        self,
        argv: Sequence[str],
        isolation: Isolation,
        *,
        env: dict[str, str] | None = None,
        hide: Sequence[Path] = (),
        level: str | None = None,
    ) -> None:
        """Start a program; that it cannot be started shows as its end."""
        level = level or isolation_level()
        self._seconds = 0.0
        self._scratch = tempfile.mkdtemp(prefix="sengoku-bot-")
        self._tail: deque[bytes] = deque()
        self._end = ""
        self._lock = threading.Lock()
        clean = {"PATH": os.environ.get("PATH", _PATH), "LANG": "C.UTF-8", **(env or {})}
        clean |= {"HOME": self._scratch, "TMPDIR": self._scratch}
        self._lifeline = self._status = -1
        self._clock: mmap.mmap | None = None
        if sys.platform == "win32":
            keep = {name: os.environ[name] for name in ("SYSTEMROOT", "PATHEXT") if name in os.environ}
            self._process = self._popen(list(argv), clean | keep, ())
        else:
            self._process = self._start(list(argv), clean, isolation, hide, level)
        assert self._process.stdin is not None  # noqa: S101
        assert self._process.stdout is not None  # noqa: S101
        self.input, self.output = self._process.stdin, self._process.stdout
        if sys.platform != "win32":
            os.set_blocking(self.input.fileno(), False)
        self._drain = threading.Thread(target=self._keep_tail, name="bot-stderr", daemon=True)
        self._drain.start()

    def _popen(
        self, argv: list[str], env: dict[str, str] | None, descriptors: Sequence[int]
    ) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        return subprocess.Popen(  # noqa: S603 - to run programs is the purpose
            argv,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            bufsize=0,
            env=env,
            pass_fds=descriptors,
            start_new_session=sys.platform != "win32",
        )

    def _start(
        self, argv: list[str], env: dict[str, str], isolation: Isolation, hide: Sequence[Path], level: str
    ) -> subprocess.Popen[bytes]:
        """Start the supervisor, which starts the program."""
        lifeline, self._lifeline = os.pipe()
        self._status, status = os.pipe()
        with tempfile.TemporaryFile() as clock:
            clock.write(bytes(8))
            clock.flush()
            self._clock = mmap.mmap(clock.fileno(), 8)
            plan = Plan(
                argv=argv,
                env=env,
                level=level,
                scratch=self._scratch,
                hide=[str(path.resolve()) for path in hide if path.is_file()],
                network=isolation.network,
                memory_bytes=isolation.memory_mb << 20,
                file_bytes=isolation.file_mb << 20,
                files=isolation.files,
                processes=isolation.processes,
                cpus=os.cpu_count() or 1,
                idle_cpu_seconds=isolation.idle_cpu_seconds,
                lifeline=lifeline,
                status=status,
                clock=clock.fileno(),
            )
            script = str(Path(__file__).with_name("sandbox.py"))
            command = [sys.executable, "-I", "-S", script, plan.to_json()]
            try:
                return self._popen(command, {"PATH": _PATH}, (lifeline, status, clock.fileno()))
            finally:
                os.close(lifeline)
                os.close(status)

    def write(self, data: bytes, seconds: float | None = None) -> None:
        """Write to the program; raise `OSError` if it does not read for some seconds, or has ended."""
        view = memoryview(data)
        while view:
            written = self.input.write(view)
            if written:
                view = view[written:]
            elif not select.select([], [self.input], [], seconds)[1]:
                raise TimeoutError("it does not read its input")

    def thought(self, seconds: float) -> None:
        """Allow the program the processor time of decisions that it has had for so long."""
        self._seconds += seconds
        if self._clock is not None:
            self._clock[:] = struct.pack("d", self._seconds)

    def tail(self) -> str:
        """Return the last lines that the program has written to its standard error."""
        text = b"".join(self._tail)[-_TAIL_BYTES:].decode("utf-8", "replace").strip()
        return "".join(sign if sign.isprintable() or sign == "\n" else "?" for sign in text)

    def kill(self) -> None:
        """End the program and all its children now; callable from any thread, more than once."""
        with self._lock:
            if self._lifeline >= 0:
                os.close(self._lifeline)
                self._lifeline = -1
            elif sys.platform == "win32" and self._process.poll() is None:
                self._process.kill()

    def wait(self, seconds: float = _END_SECONDS) -> str:
        """Wait for the end of the program, which is killed after some seconds; return how it ended."""
        if self._end:
            return self._end
        killed = False
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            killed = True
            self.kill()
            try:
                self._process.wait(_KILL_SECONDS)
            except subprocess.TimeoutExpired:  # the supervisor itself does not end
                self._process.kill()
                self._process.wait()
        self._drain.join(_END_SECONDS)
        self._end = _describe(self._read_status(), killed=killed)
        return self._end

    def _read_status(self) -> dict[str, object]:
        if sys.platform == "win32":
            return {"code": self._process.returncode}
        data = b""
        with suppress(OSError):
            os.set_blocking(self._status, False)
            data = os.read(self._status, 1 << 16)
        try:
            found = json.loads(data)
        except ValueError:
            return {"failed": "the supervisor of the program was killed"}
        return found if isinstance(found, dict) else {}

    def close(self) -> None:
        """End the program, politely at first, and remove what it has written."""
        with suppress(OSError):
            self.input.close()
        self.wait()
        self.kill()
        for file in (self.output, self._process.stderr):
            with suppress(OSError):
                if file is not None:
                    file.close()
        with self._lock:
            if self._status >= 0:
                os.close(self._status)
                self._status = -1
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _keep_tail(self) -> None:
        """Thread target: read the standard error to its end."""
        assert self._process.stderr is not None  # noqa: S101
        kept = 0
        with suppress(OSError, ValueError):
            while data := self._process.stderr.read(1 << 14):
                self._tail.append(data)
                kept += len(data)
                while kept - len(self._tail[0]) > _TAIL_BYTES:
                    kept -= len(self._tail.popleft())


def _describe(end: dict[str, object], *, killed: bool) -> str:
    """Return how a program ended, as a sentence."""
    if "failed" in end:
        return f"it could not be started: {end['failed']}"
    if "excess" in end:
        return f"it was ended because of {end['excess']}"
    code = end.get("code")
    if killed or not isinstance(code, int):
        return "it was killed"
    if code < 0:
        try:
            return f"it was ended by the signal {signal.Signals(-code).name}"
        except ValueError:
            return f"it was ended by the signal {-code}"
    return "it ended" if code == 0 else f"it ended with exit code {code}"
