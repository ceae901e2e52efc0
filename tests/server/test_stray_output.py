"""The log of a server process has its format in every line, whoever writes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sengoku import Client

PROGRAM = """
import asyncio, ctypes, faulthandler, gc, logging, os, sys, threading, time, warnings
from sengoku.server import logging as logs

logs.set_up(sys.argv[1], "info", alone=True)
logging.getLogger("ours").info("an info")
warnings.warn("a warning", stacklevel=1)
print("printed\\nin two lines", file=sys.stderr)
os.write(2, b"E0000 core.cc:1] of a library \\xff\\n")
ctypes.CDLL(None).perror(b"of the C library")
logging.getLogger("ours").error("with wrong arguments %d", "x")
logging.getLogger("asyncio").error("of asyncio\\nin two lines")

def fail() -> None:
    raise ValueError("in a thread")

thread = threading.Thread(target=fail, name="failing")
thread.start()
thread.join()

class Broken:
    def __del__(self) -> None:
        raise ValueError("in a destructor")

del (broken := [Broken()])[0]
gc.collect()

async def task() -> None:
    asyncio.get_running_loop().call_soon(fail)
    await asyncio.sleep(0.01)

asyncio.run(task())
faulthandler.dump_traceback()
os.write(2, b"without an end")
time.sleep(0.7)
raise RuntimeError("at the end")
"""
SAID = (
    *("an info", "a warning", "printed", "in two lines", "of a library", "of the C library"),
    *("with wrong arguments", "of asyncio", "in a thread", "in a destructor", "without an end"),
    *("most recent call first", "at the end"),
)


@pytest.mark.parametrize("style", ["json", "text"])
def test_every_line_has_the_format_of_the_log(style: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, style], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 1
    text = done.stderr.decode("ascii" if style == "json" else "utf-8")
    for said in SAID:
        assert said in text, said
    lines = text.splitlines()
    if style == "text":
        assert all(line[:2] == "20" or line.startswith("    | ") for line in lines)
        return
    records = [json.loads(line) for line in lines]
    assert all({"time", "level", "logger", "message"} <= record.keys() for record in records)
    (last,) = (record for record in records if "at the end" in record.get("traceback", ""))
    assert (last["level"], last["message"]) == ("error", "unhandled exception")
    assert sum("in a thread" in str(record) for record in records) == 2  # the thread, and the loop of asyncio


def test_a_server_that_cannot_start_says_so_in_the_log(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sengoku.cli", "serve", "--port", "0", "--log-format", "json"]
    missing = tmp_path / "missing" / "runs.sqlite3"
    options = ["--store", str(missing), "--token-file", str(tmp_path / "none")]
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode not in {0, 1}
    records = [json.loads(line) for line in done.stderr.splitlines()]
    assert records
    assert "none" in str(records[-1]["message"]) or "none" in str(records)


def test_what_grpc_itself_says_is_in_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = [sys.executable, "-m", "sengoku.cli", "serve", "--port", "0", "--log-format", "json"]
    environment = os.environ | {"GRPC_VERBOSITY": "debug", "GRPC_TRACE": "http"}
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [*command, "--store", ":memory:"],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment,
        ) as process,
    ):
        try:
            assert process.stdout is not None
            address = process.stdout.readline().removeprefix("listening on ").strip()
            with Client(address, timeout=30) as client:
                client.version()
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
        finally:
            process.kill()
    time.sleep(0.1)
    records = [json.loads(line) for line in log.read_text().splitlines()]
    assert any(record["logger"] == "sengoku.stderr" for record in records)
    assert any(record["logger"] == "sengoku.calls" for record in records)
