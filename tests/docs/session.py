"""Executes the code blocks of a page as a reader would: pasted into one terminal, one after the other.

A session has an empty folder, `sengoku` and `python` on its PATH, and where the machine allows it a loopback
network of its own, so that pages use the default port and sessions run side by side. Elsewhere a lock lets
one session run at a time.
"""

import fcntl
import functools
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tools.docs.pages import ROOT, RUN, Page, entry_point

SECONDS = 240
MARK = "@@ block at line "
LOOPBACK = """
import fcntl, os, socket, struct, sys
with socket.socket() as lo:
    fcntl.ioctl(lo, 0x8914, struct.pack("16sh", b"lo", 0x41))  # SIOCSIFFLAGS: up, running
os.execvp(sys.argv[1], sys.argv[1:])
"""


@functools.cache
def isolation() -> tuple[str, ...]:
    """The command that starts a process in its own loopback network, or nothing where that is not allowed."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return ()
    command = (unshare, "--net", "--map-root-user", sys.executable, "-c", LOOPBACK)
    tried = subprocess.run([*command, "true"], capture_output=True, check=False, timeout=60)
    return command if tried.returncode == 0 else ()


@contextmanager
def network() -> Iterator[tuple[str, ...]]:
    """Waits until the default port is free to use; yields what to put before a command."""
    command = isolation()
    if command:
        yield command
        return
    with (Path(tempfile.gettempdir()) / "sengoku-docs.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield ()


def commands(folder: Path) -> Path:
    """Writes `python` and `sengoku` into a folder, as an activated environment has them."""
    folder.mkdir()
    module, name = entry_point()
    entry = f"import sys; from {module} import {name}; sys.argv[0] = 'sengoku'; sys.exit({name}())"
    python = shlex.quote(sys.executable)
    (folder / "python").write_text(f'#!/bin/sh\nexec {python} "$@"\n')
    (folder / "sengoku").write_text(f'#!/bin/sh\nexec {python} -c {shlex.quote(entry)} "$@"\n')
    for file in folder.iterdir():
        file.chmod(0o755)
    return folder


def script(page: Page, folder: Path) -> str:
    """The blocks of a page as one script for bash; blocks of Python become files beside it."""
    lines = ["set -eo pipefail"]
    for block in page.blocks:
        if block.language not in RUN:
            continue
        lines.append(f"echo '{MARK}{block.line}'")
        if block.language == "python":
            file = folder / f"line_{block.line}.py"
            file.write_text(block.code, "utf-8")
            lines.append(f"python {shlex.quote(str(file))}")
        else:
            lines.append(block.code)
    return "\n".join(lines)


def run(page: Page, scratch: Path) -> dict[int, str]:
    """Executes a page and returns what each block printed, by its line; fails where a block fails."""
    work, snippets = scratch / "work", scratch / "snippets"
    work.mkdir()
    snippets.mkdir()
    path = os.pathsep.join((str(commands(scratch / "bin")), os.environ["PATH"]))
    library = os.pathsep.join(filter(None, (str(ROOT / "python"), os.environ.get("PYTHONPATH"))))
    surroundings = os.environ | {
        "PATH": path,
        "PYTHONPATH": library,
        "XDG_STATE_HOME": str(scratch / "state"),
        "COLUMNS": "100",
        "GRPC_VERBOSITY": "NONE",
    }
    file, output = scratch / "script.sh", scratch / "output.txt"
    file.write_text(script(page, snippets), "utf-8")
    with network() as before, output.open("w") as reported:
        process = subprocess.Popen(
            [*before, "bash", str(file)],
            cwd=work,
            env=surroundings,
            stdin=subprocess.DEVNULL,
            stdout=reported,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(SECONDS)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # servers in the background, too
            process.wait()
    text = output.read_text("utf-8", errors="replace")
    assert code == 0, f"{page} ended with {code}:\n{text[-6000:]}"
    parts = (part.split("\n", 1) for part in text.split(MARK)[1:])
    return {int(line): rest for line, rest in parts}
