"""Bots that are programs: their faults are their own, they learn nothing, and nothing of them is left."""

import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from sengoku import Clock, play_matches
from sengoku.bots import process
from sengoku.bots.process import IsolatedProcess, Isolation, isolation_level
from sengoku.bots.program import ProgramBot, python_bot
from sengoku.bots.sandbox import LEVELS
from sengoku.errors import ArgumentError
from support.hostile_bots import SEED, Peeks, program

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="isolation is tested on Linux")
SMALL = Isolation(memory_mb=400, file_mb=1, files=32, processes=8, idle_cpu_seconds=1)
SETUP = {"scenario": 1, "max_rounds": 10}


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each level that this machine has."""
    if request.param == "namespaces" and isolation_level() != "namespaces":
        pytest.skip("this machine does not allow namespaces")
    monkeypatch.setattr(process, "isolation_level", lambda: request.param)
    return str(request.param)


def faults(bot: Any, *, clock: float = 20.0, matches: int = 1) -> list[str]:
    """The faults of a bot in matches against `random`, in both seats."""
    clocked: dict[str, Any] = {"clock": Clock(clock), "setup": SETUP, "seed": SEED}
    report = play_matches("battles", players=[bot, "random"], match_count=matches, rotate=True, **clocked)
    assert len(report) == 2 * matches
    return [match.forfeits[match.players.index(bot.name)] for match in report.matches]


@pytest.fixture(autouse=True)
def warnings(caplog: pytest.LogCaptureFixture) -> None:
    """Commands raise the level of this logger."""
    caplog.set_level(logging.WARNING, "sengoku.bots")


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path) -> Iterator[None]:
    """No process of a bot survives its bot."""
    yield
    marked = str(tmp_path)
    until = time.monotonic() + 5
    while left := [
        name for name in Path("/proc").iterdir() if name.name.isdecimal() and marked in command(name)
    ]:
        assert time.monotonic() < until, left
        time.sleep(0.05)


def command(folder: Path) -> str:
    try:
        return (folder / "cmdline").read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


CRASHES = {
    "exits": ("os._exit(3)", "it ended with exit code 3"),
    "ends": ("sys.exit(0)", "it ended"),
    "raises": ('raise RuntimeError("out of ideas")', "RuntimeError: out of ideas"),
    "segfault": ("import ctypes; ctypes.string_at(0)", "it was ended by the signal SIGSEGV"),
    "aborts": ("os.abort()", "it was ended by the signal SIGABRT"),
    "kills itself": ("os.kill(os.getpid(), 9)", "it was ended by the signal SIGKILL"),
    "kills all": ("os.kill(-1, 9)\ntime.sleep(9)", ""),
    "memory": ("x = bytearray(8 << 30)", "MemoryError"),
    "memory of children": (
        "for _ in range(6):\n    if os.fork() == 0:\n        x = b'x' * (200 << 20); time.sleep(60)\n"
        "time.sleep(60)",
        "MB of memory",
    ),
    "files": ("x = [open('/dev/null') for _ in range(100)]", "Too many open files"),
    "large file": ("open(os.environ['HOME'] + '/x', 'wb').write(bytes(9 << 20))", "File too large"),
    "write": (f"open('{Path(__file__).parent}/x', 'w')", "Permission denied"),
    "fork bomb": ("while True:\n    os.fork()", "processes, at most 8 are allowed"),
    "processor time": (
        "if os.fork() == 0:\n    while True:\n        pass\nos.kill(os.getpid(), 19)",
        "seconds of processor time",
    ),
    "garbage": ("print('hello')", "wrote 'hello', which is not a JSON object"),
    "bytes": ("os.write(1, bytes(range(256)) * 9 + b'\\n')", "which is not a JSON object"),
    "deep": ("print('[' * 100_000)", "which is not a JSON object"),
    "huge number": ("print('1' * 100_000)", "which is not a JSON object"),
    "flood": ("os.write(1, b'x' * (3 << 20))", "a line of more than"),
    "another": ("number += 1", "which is not open"),
    "twice": ("say(type='action', id=number, action=first)", "which is not open"),
    "nonsense": ("say(type='surprise', id=number)", "wrote a message of type 'surprise'"),
    "closes": ("os.closerange(0, 9)\ntime.sleep(60)", "it closed its input or output"),
    "declines": ("say(type='failure', id=number, message='I give up')\ncontinue", ""),
    "setsid": (
        "os.fork() or (os.setsid(), os.fork() or time.sleep(60), os._exit(0))\nos._exit(4)",
        "exit code 4",
    ),
}
LATE = {
    "loops": "while True:\n    pass",
    "sleeps": "time.sleep(60)",
    "ignores": "from signal import *\nfor n in (1, 2, 3, 13, 15):\n    signal(n, SIG_IGN)\ntime.sleep(60)",
    "stops": "os.kill(os.getpid(), 19)",
    "deaf": "os.close(0)\ntime.sleep(60)",
}


def later(body: str) -> str:
    """Do something only when some decisions have been taken."""
    return "if message['decisions'] > 8:\n" + "\n".join(f"    {line}" for line in body.split("\n"))


def check_crash(folder: Path, name: str, caplog: pytest.LogCaptureFixture) -> None:
    body, said = CRASHES[name]
    bot = program(folder, later(body), isolation=SMALL)
    assert faults(bot) == ["crashed"] * 2
    assert said in caplog.text


QUICK = ("exits", "segfault", "memory", "fork bomb", "garbage", "closes", "setsid", "kills all")
"""The others are played by `make test-system`."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.system) for name in CRASHES],
)
def test_whatever_a_program_does_costs_only_its_matches(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    check_crash(tmp_path, name, caplog)


@pytest.mark.system
@pytest.mark.parametrize("name", ["exits", "fork bomb", "memory of children", "write", "setsid"])
def test_without_namespaces_too(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "isolation_level", lambda: "limits")
    check_crash(tmp_path, name, caplog)


@pytest.mark.parametrize(
    "name", ["ignores", *(pytest.param(name, marks=pytest.mark.system) for name in LATE if name != "ignores")]
)
def test_a_program_that_does_not_answer_is_late_and_is_killed(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bot = program(tmp_path, later(LATE[name]))
    assert faults(bot, clock=0.5) == ["late"] * 2
    assert "it was late, and was killed" in caplog.text


ILLEGAL = [
    "first = -1",
    "first = 10**30",
    "first = None",
    "first = 1.5",
    "first = 'x'",
    "first = True",
    "first = [1]",
]


@pytest.mark.parametrize("body", ILLEGAL)
def test_wrong_actions_are_illegal(body: str, tmp_path: Path) -> None:
    assert faults(program(tmp_path, body)) == ["illegal"] * 2


def test_after_some_failures_in_a_row_a_program_is_not_started_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bot = program(tmp_path, "os._exit(3)")
    began = time.monotonic()
    assert faults(bot, matches=10) == ["crashed"] * 20
    assert caplog.text.count("it ended with exit code 3") == 3
    bot = program(tmp_path, "time.sleep(60)")
    assert faults(bot, matches=10, clock=0.3) == ["late"] * 20
    assert time.monotonic() - began < 60


def test_one_process_plays_all_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []

    class Counted(IsolatedProcess):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            started.append(arguments)
            super().__init__(*arguments, **options)

    monkeypatch.setattr("sengoku.bots.program.IsolatedProcess", Counted)
    assert faults(program(tmp_path, ""), matches=10) == [""] * 20
    assert len(started) == 1


# What a bot can learn


def test_a_python_bot_finds_neither_the_match_nor_its_seed(level: str) -> None:
    bot = python_bot("support.hostile_bots:Peeks")
    assert faults(bot) == ["", ""]


def test_in_process_it_finds_them() -> None:
    """Otherwise the test above would prove nothing."""
    assert faults(Peeks()) == ["crashed", "crashed"]


def test_a_program_inherits_nothing(level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SENGOKU_TOKEN", "sgk_secret")
    with (tmp_path / "open").open("w") as opened:
        os.set_inheritable(opened.fileno(), True)
        body = """
names = set(os.environ)
assert names <= {"PATH", "LANG", "LC_CTYPE", "HOME", "TMPDIR"}, names
descriptors = {int(name) for name in os.listdir("/proc/self/fd")}
assert descriptors <= {0, 1, 2, 3}, descriptors  # the last one is that of the list
assert os.getsid(0) == os.getpid()
"""
        assert faults(program(tmp_path, body)) == ["", ""]


def test_a_program_neither_sees_nor_signals_other_processes(tmp_path: Path) -> None:
    if isolation_level() != "namespaces":
        pytest.skip("this machine does not allow namespaces")
    body = f"""
assert not os.path.exists("/proc/{os.getpid()}/mem") or {os.getpid()} < 400
assert len([name for name in os.listdir("/proc") if name.isdecimal()]) < 5
assert os.getuid() != 0
try:
    os.kill(1, 9)
except PermissionError:
    pass
"""
    assert faults(program(tmp_path, body)) == ["", ""]


def test_files_with_secrets_are_hidden(tmp_path: Path) -> None:
    if isolation_level() != "namespaces":
        pytest.skip("this machine does not allow namespaces")
    secret = tmp_path / "store.sqlite3"
    secret.write_text("the seed")
    body = f"assert open({str(secret)!r}).read() == ''"
    assert faults(program(tmp_path, body, hide=[secret])) == ["", ""]
    assert faults(program(tmp_path, body)) == ["crashed", "crashed"]


@pytest.mark.parametrize("network", [False, True])
def test_there_is_no_network_unless_it_is_allowed(tmp_path: Path, network: bool) -> None:
    if isolation_level() != "namespaces":
        pytest.skip("this machine does not allow namespaces")
    with socket.create_server(("127.0.0.1", 0)) as server:
        heard: list[Any] = []

        def accept() -> None:
            with suppress(OSError):
                connection, _ = server.accept()
                heard.append(connection.getpeername())
                connection.close()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        body = f"""
if message["decisions"] < 2:
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            udp.sendto(b"seed?", ("127.0.0.1", 9))
        socket.create_connection(("127.0.0.1", {server.getsockname()[1]}), 5).close()
        connected = True
    except OSError:
        connected = False
    assert connected is {network}
"""
        assert faults(program(tmp_path, body, isolation=Isolation(network=network))) == ["", ""]
        assert bool(heard) is network


def test_shared_memory_of_others_is_out_of_reach(level: str, tmp_path: Path) -> None:
    shared = Path("/dev/shm") / f"sengoku-test-{os.getpid()}"  # noqa: S108
    if not shared.parent.is_dir():
        pytest.skip("this machine has no /dev/shm")
    shared.write_text("mine")
    try:
        body = f"""
try:
    open({str(shared)!r}, "r+").write("taken")
except (PermissionError, FileNotFoundError):
    pass
else:
    os._exit(1)
open("/dev/null", "w").write("x")
"""
        assert faults(program(tmp_path, body)) == ["", ""]
        assert shared.read_text() == "mine"
    finally:
        shared.unlink()


def test_what_it_writes_is_gone_afterwards(level: str, tmp_path: Path) -> None:
    body = "open(os.environ['HOME'] + '/notes', 'a').write('x')\nprint(os.environ['HOME'], file=sys.stderr)"
    bot = program(tmp_path, body)
    assert bot._process is not None
    scratch = Path(bot._process._scratch)
    assert scratch.is_dir()
    assert faults(bot) == ["", ""]
    assert not scratch.exists()


# Programs that do not begin


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["no-such-program-anywhere"], "No such file or directory"),
        (["false"], "it ended with exit code 1"),
        (["echo", "hello"], "wrote 'hello', which is not a JSON object"),
        (["echo", '{"type":"action"}'], "wrote 'action' as its first line, not ready"),
        (["echo", '{"type":"ready","protocol":2}'], "speaks protocol 2: must be 1"),
        (["echo", '{"type":"ready","wants":["seed"]}'], "wants 'seed': must be some of"),
        (["echo", '{"type":"ready","wants":3}'], "must be a list of texts"),
        (["echo", '{"type":"ready","capacity":"x"}'], "must be an integer"),
        (["echo", '{"type":"ready","name":""}'], "name is empty"),
        (["echo", '{"type":"ready","games":["chess"]}'], "chess"),
        (
            ["sh", "-c", "echo it is broken >&2; exit 5"],
            "exit code 5; the end of its standard error: it is broken",
        ),
    ],
)
def test_a_program_that_does_not_introduce_itself_is_an_error(argv: list[str], said: str) -> None:
    with pytest.raises(ArgumentError) as told:
        ProgramBot(argv)
    assert said in str(told.value)


def test_bounds_are_checked() -> None:
    for name, (least, most) in Isolation.BOUNDS.items():
        for value in (least - 1, most + 1):
            with pytest.raises(ArgumentError, match=name):
                Isolation(**{name: value})
