"""Commands about a server that is at work, as a shell sees them."""

import inspect
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import typer
from rich.console import Console

from sengoku import Client, RunStatus, RunSummary, run_matches
from sengoku.cli import options as command
from sengoku.cli import top
from sengoku.cli.main import app, main
from sengoku.server import Limits, Server
from sengoku.server.auth import Access, Tls, Tokens, make_token
from sengoku.tournament.status import TournamentStatus
from support.certificates import Authority
from support.process import soon

SENGOKU = [sys.executable, "-m", "sengoku.cli"]
WISH = ["battles", "--bots", "greedy,random", "--matches", "40", "--seed", "3"]
REPORT = run_matches("battles", bots=["greedy", "random"], match_count=40, seed=3)
LONG = ["battles", "--matches", "90000000"]


@pytest.fixture(scope="module")
def served() -> Iterator[Server]:
    """A server whose runs nobody else begins."""
    with Server(port=0) as running:
        yield running


@dataclass
class Done:
    """What came of a command."""

    stdout: str
    stderr: str


def run(*arguments: str, code: int = 0, **environment: str) -> Done:
    """Runs a command in this process, as `main` does for a shell."""
    said, complained = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["sengoku", *arguments]),
        mock.patch.dict(os.environ, environment),
        redirect_stdout(said),
        redirect_stderr(complained),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    done = Done(said.getvalue(), complained.getvalue())
    assert (ended.value.code or 0) == code, done
    return done


def shell(*arguments: str) -> str:
    """Runs a command in a process of its own."""
    return subprocess.run(
        [*SENGOKU, *arguments], capture_output=True, text=True, check=True, timeout=120
    ).stdout


def test_a_run_from_start_to_delete(served: Server, tmp_path: Path) -> None:
    at = ["--server", served.address]
    name = shell("runs", "start", *WISH, *at).strip()
    assert re.fullmatch(r"operations/[0-9a-f]{32}", name)
    watched = run("runs", "watch", name, *at)
    assert "40 matches of battles, seed 3" in watched.stdout
    assert watched.stderr == ""  # no bar where nobody watches
    files = [tmp_path / "rows.csv", tmp_path / "rows.parquet"]
    told = run("runs", "report", name, "--save", str(files[0]), "--save", str(files[1]), *at).stdout
    assert f"{name}: succeeded, 40 of 40 matches" in told
    assert files[0].read_text() == REPORT.to_csv()
    assert files[1].stat().st_size > 0
    status = json.loads(run("runs", "report", name, "--json", *at).stdout)
    assert (status["name"], status["state"], status["matches_done"]) == (name, "succeeded", 40)
    assert status["summary"]["wins"] == REPORT.wins.tolist()
    assert [row["name"] for row in json.loads(run("runs", "list", "--json", *at).stdout)] == [name]
    assert name.removeprefix("operations/") in run("runs", "list", "--state", "succeeded", *at).stdout
    assert run("runs", "list", "--state", "running", *at).stdout == "no runs\n"
    assert run("runs", "delete", name, *at).stdout.strip() == name
    gone = json.loads(run("runs", "delete", name, "--json", *at, code=1).stderr)
    assert gone["error"]["reason"] == "RUN_NOT_FOUND"
    assert re.fullmatch("[0-9a-f]{32}", gone["error"]["request_id"])


def test_a_run_in_json_and_once_for_each_id(served: Server) -> None:
    at = ["--server", served.address, "--json"]
    lines = run("runs", "start", *WISH, "--request-id", "nightly", "--watch", *at).stdout.splitlines()
    told = [json.loads(line) for line in lines]
    assert len(told) >= 2
    assert {status["name"] for status in told} == {told[0]["name"]}
    assert told[-1]["state"] == "succeeded"
    assert told[-1]["summary"] == RunSummary.of(REPORT).as_dict()
    again = json.loads(run("runs", "start", *WISH, "--request-id", "nightly", *at).stdout)
    assert again["name"] == told[0]["name"]
    other = run("runs", "start", *WISH[:-1], "4", "--request-id", "nightly", *at, code=1)
    assert json.loads(other.stderr)["error"]["reason"] == "REQUEST_ID_REUSED"
    run("runs", "delete", again["name"], *at)


def test_a_run_that_is_stopped(served: Server) -> None:
    at = ["--server", served.address]
    name = run("runs", "start", *LONG, *at).stdout.strip()
    refused = json.loads(run("runs", "delete", name, "--json", *at, code=1).stderr)
    assert refused["error"]["reason"] == "RUN_NOT_OVER"
    assert run("runs", "cancel", name, *at).stdout.strip() == name
    assert "cancelled" in run("runs", "watch", name, *at, code=1).stderr
    assert f"{name}: cancelled" in run("runs", "report", name, *at).stdout
    run("runs", "delete", name, *at)
    name = run("runs", "start", *LONG, *at).stdout.strip()
    run("runs", "delete", "--cancel", name, *at)
    assert run("runs", "list", *at).stdout == "no runs\n"


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["list", "--state", "lost"], 2, "state is 'lost', there are queued"),
        (["report", "operations/none"], 1, "there is no run"),
        (["start", "chess"], 2, "chess"),
        (["start", "battles", "--matches", "0"], 2, "match_count is 0"),
        (["start", "battles", "--setup", "nonsense"], 2, "--setup is 'nonsense'"),
        (["list", "--token-file", "no such file"], 2, "--token-file is 'no such file'"),
        (["list", "--tls-ca", "no such file"], 2, "tls.ca: cannot read 'no such file'"),
        (["list", "--tls-cert", "a.pem"], 2, "tls.key is missing"),
        (["list", "--timeout", "-1"], 2, "timeout"),
    ],
)
def test_wishes_that_cannot_be(served: Server, arguments: list[str], code: int, told: str) -> None:
    failed = run("runs", *arguments, "--server", served.address, code=code)
    assert told in " ".join(failed.stderr.split())


def test_a_server_that_is_full() -> None:
    with Server(port=0, limits=Limits(unfinished_runs=1)) as server:
        at = ["--server", server.address]
        name = run("runs", "start", *LONG, *at).stdout.strip()
        full = run("runs", "start", *LONG, *at, code=3).stderr
        assert re.search(r"\(try again in [0-9.]+ s\)", " ".join(full.split()))
        told = json.loads(run("runs", "start", *LONG, *at, "--json", code=3).stderr)
        assert told["error"]["retry_after"] > 0
        run("runs", "delete", "--cancel", name, *at)


def test_nobody_there() -> None:
    run("runs", "list", "--server", "127.0.0.1:1", code=3)
    run("top", "--server", "127.0.0.1:1", code=3)


def test_a_server_with_tls_and_tokens(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.issue("server")
    token, lines = make_token("shell", "run")
    tokens, mine, several = (tmp_path / name for name in ("tokens.toml", "mine", "several"))
    tokens.write_text(lines)
    tokens.chmod(0o600)
    mine.write_text(f"{token}\n")
    several.write_text("one\ntwo\n")
    with Server(port=0, access=Access(Tokens(tokens), Tls(pair.cert, pair.key))) as server:
        at = ["--server", server.address, "--tls-ca", str(authority.cert)]
        assert run("runs", "list", *at, "--token-file", str(mine)).stdout == "no runs\n"
        assert run("runs", "list", *at, SENGOKU_TOKEN=token).stdout == "no runs\n"
        assert "sengoku" in run("top", *at, SENGOKU_TOKEN=token).stdout
        run("odds", "battles", "--attacker", "SSp", "--defender", "ASp", *at, SENGOKU_TOKEN=token)
        stranger = run("runs", "list", *at, "--json", code=1, SENGOKU_TOKEN="stranger")  # noqa: S106
        assert json.loads(stranger.stderr)["error"]["reason"] == "UNAUTHENTICATED"
        assert "stranger" not in stranger.stderr
        assert "one token" in run("runs", "list", *at, "--token-file", str(several), code=2).stderr
        run("runs", "list", "--server", server.address, "--token-file", str(mine), code=3)  # no TLS
    far = run("runs", "list", "--server", "192.0.2.1:1", "--token-file", str(mine), code=2).stderr
    assert "unencrypted" in " ".join(far.split())
    assert token not in far


def commands(group: Any, *words: str) -> Iterator[tuple[tuple[str, ...], set[str]]]:
    """Every command with the names of its options."""
    yield words, {name for parameter in group.params for name in parameter.opts}
    for name, inner in getattr(group, "commands", {}).items():
        yield from commands(inner, *words, name)


def test_every_command_that_asks_a_server_has_the_same_options() -> None:
    names = inspect.signature(command._connecting).parameters
    options = {f"--{name.replace('_', '-')}" for name in names}
    asking = {words for words, found in commands(typer.main.get_command(app)) if "--server" in found}
    assert asking >= {
        *(("odds", game) for game in ("swords", "tower", "battles")),
        *(("runs", name) for name in ("start", "list", "watch", "report", "cancel", "delete")),
        *(("top",), ("run",), ("tower", "throw"), ("scenarios",), ("scenarios", "show"), ("spec",)),
    }
    for words, found in commands(typer.main.get_command(app)):
        if words in asking:
            assert options <= found, words


def test_top_once(served: Server) -> None:
    at = ["--server", served.address]
    with Client(served.address, timeout=60) as client:
        client.run_matches("tower", bots=["random"], match_count=5)
        playing = client.start_run("battles", bots=["random"], match_count=90_000_000)
        waiting = client.start_run("swords", bots=["random"], match_count=10_000_000)
        for status in playing.watch():
            if status.matches_done:
                break
        tournament = client.create_tournament(
            'bots = [{name = "a", bot = "random"}, {name = "b", bot = "random"}]\nseed = 7\n'
            'games = [{game = "battles", scenarios = [1], blocks = 5000}]'
        )
        assert soon(lambda: client.status()["tournaments"] == {"running": 1})
        text = run("top", "--once", *at).stdout
        for told in (f"at {served.address}", "running", "queued", "tower", "calls: ", "work: ", "up "):
            assert told in text
        for begun in (playing, waiting, tournament):
            assert begun.name.rpartition("/")[2] in text
        assert max(map(len, text.splitlines())) <= 80
        seen = json.loads(run("top", "--json", *at).stdout)
        assert seen["server"] == served.address
        assert seen["version"] == client.version()
        assert seen["status"]["runs"] == {"running": 1, "queued": 1} or seen["status"]["runs"]["running"] == 2
        assert {row["name"] for row in seen["runs"]} == {playing.name, waiting.name}
        assert [row["name"] for row in seen["tournaments"]] == [tournament.name]
        for begun in (playing, waiting):
            run("runs", "delete", "--cancel", begun.name, *at)
        tournament.cancel()


def test_top_goes_on_until_it_is_interrupted(served: Server) -> None:
    terminal, end = pty.openpty()
    shown = subprocess.Popen(
        [*SENGOKU, "top", "--every", "0.2", "--server", served.address],
        stdout=end,
        stderr=end,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"},
    )
    os.close(end)
    text, deadline = "", time.monotonic() + 60
    try:
        while text.count("no run is under way") < 3 and time.monotonic() < deadline:
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
    assert text.count("no run is under way") >= 3
    assert "Traceback" not in text


def status_of(**fields: Any) -> RunStatus:
    plain: dict[str, Any] = dict.fromkeys(RunStatus.__dataclass_fields__)
    plain |= {"name": "operations/" + 32 * "a", "state": "running", "game": "battles", "bots": ("greedy",)}
    plain |= {"match_count": 200, "matches_done": 50, "matches_per_second": 12.5, "time_left": 75.0}
    plain |= {"client": "somebody", "queue_position": 0, "obstacle": ""}
    return RunStatus(**plain | fields)


def tournament_of(**fields: Any) -> TournamentStatus:
    plain: dict[str, Any] = dict.fromkeys(TournamentStatus.__dataclass_fields__)
    plain |= {"name": "tournaments/" + 32 * "b", "title": "spring", "state": "running", "format": "swiss"}
    plain |= {"round": 3, "matches_done": 40, "matches_due": 96, "matches_per_second": 7.0}
    plain |= {
        "bots": (),
        "boards": (),
        "seeds": (),
        "client": "somebody",
        "queue_position": 0,
        "obstacle": "",
    }
    return TournamentStatus(**plain | fields)


def test_what_top_makes_of_runs_and_rates() -> None:
    console = Console(width=100, record=True, file=open(os.devnull, "w"))  # noqa: SIM115, PTH123
    version = {"package_version": "9.9", "build_profile": "release", "instruction_set": "avx2", "threads": 4}
    status = {
        "uptime": 3_725.0,
        "stopping": True,
        "calls": 3,
        "working": 2,
        "waiting": 1,
        "open_matches": 4,
        "players": 5,
        "environments": 6,
        "tournaments": {"running": 1, "queued": 2},
        "runs": {"running": 1, "failed": 6},
        "plays": {"tower": {"matches": 30, "decisions": 900}},
    }
    earlier = {**status, "plays": {"tower": {"matches": 10, "decisions": 100}}}
    before = top.Look("here:1", version, earlier, [], clock=10.0)
    runs = [status_of(), status_of(state="queued", queue_position=2, matches_per_second=0.0, time_left=None)]
    runs += [status_of(state="stalled", obstacle="the [disk] is full")]
    tournaments = [tournament_of(), tournament_of(state="queued", queue_position=1, matches_per_second=0.0)]
    seen = top.Look("here:1", version, status, runs, tournaments, clock=14.0)
    assert seen.rates(before) == {"tower": (5.0, 200.0)}
    console.print(top.show(seen, before, "cannot be reached"))
    text = console.export_text()
    console.file.close()
    for told in (
        *("sengoku 9.9 at here:1 (release, avx2, 4 threads), up 1 h 2 min, stopping", "cannot be reached"),
        *(
            "calls: 3 under way",
            "open: 4 matches, 5 players, 6 environments",
            "work: 2 being done, 1 waiting",
        ),
        *("6 failed", "queued (3)", "tournaments: 1 running, 0 stalled, 2 queued", "queued (2)"),
        *("spring: swiss, round 3, for somebody", "40 of 96", "7/s"),
        *("50 of 200", "12/s, 1 min 15 s left", "the [disk] is full", "battles: greedy, for somebody", "200"),
    ):
        assert told in text, told
    assert json.dumps(seen.as_dict())
    many = top.run_table([status_of()] * (top.MOST_ROWS + 7))
    assert (many.row_count, many.caption) == (top.MOST_ROWS, "and 7 more")
