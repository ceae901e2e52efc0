"""The `runs` commands and connections to a server."""

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from sengoku import RunSummary, run_matches
from sengoku.cli import options
from sengoku.cli.main import app
from sengoku.server import Access, Limits, Server, Tls, Tokens
from sengoku.server.auth import make_token
from support.certificates import Authority
from support.cli import run

WISH = ["battles", "--bots", "greedy,random", "--matches", "40", "--seed", "3"]
REPORT = run_matches("battles", bots=["greedy", "random"], match_count=40, seed=3)
LONG = ["battles", "--matches", "90000000"]


@pytest.fixture(scope="module")
def served() -> Iterator[Server]:
    """A server whose runs nobody else begins."""
    with Server(port=0) as running:
        yield running


def test_a_run_from_start_to_delete(served: Server, tmp_path: Path) -> None:
    at = ["--server", served.address]
    name = run("runs", "start", *WISH, *at).stdout.strip()
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
    assert run("runs", "resume", name, *at).stdout.strip() == name
    refused = json.loads(run("runs", "resume", name, "--json", *at, code=1).stderr)
    assert refused["error"]["reason"] == "RUN_NOT_OVER"
    run("runs", "delete", "--cancel", name, *at)
    name = run("runs", "start", *LONG, *at).stdout.strip()
    run("runs", "delete", "--cancel", name, *at)
    assert run("runs", "list", *at).stdout == "no runs\n"


def test_a_run_that_is_resumed(served: Server) -> None:
    at = ["--server", served.address]
    blocker = run("runs", "start", *LONG, *at).stdout.strip()
    name = run("runs", "start", *WISH, *at).stdout.strip()  # waits behind the other one
    run("runs", "cancel", name, *at)
    run("runs", "delete", "--cancel", blocker, *at)
    watched = run("runs", "resume", name, "--watch", *at).stdout
    assert watched.startswith(name)
    assert "40 matches of battles, seed 3" in watched
    assert "nothing is left to resume" in run("runs", "resume", name, *at, code=1).words
    run("runs", "delete", name, *at)


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["list", "--state", "lost"], 2, "--state is 'lost'"),
        (["report", "operations/none"], 1, "there is no run"),
        (["start", "chess"], 2, "chess"),
        (["start", "battles", "--matches", "0"], 2, "--matches is 0"),
        (["start", "battles", "--setup", "nonsense"], 2, "--setup is 'nonsense'"),
        (["list", "--token-file", "no such file"], 2, "--token-file is 'no such file'"),
        (["list", "--tls-ca", "no such file"], 2, "--tls-ca: cannot read 'no such file'"),
        (["list", "--tls-cert", "a.pem"], 2, "--tls-key is missing"),
        (["list", "--timeout", "-1"], 2, "timeout"),
    ],
)
def test_wishes_that_cannot_be(served: Server, arguments: list[str], code: int, told: str) -> None:
    failed = run("runs", *arguments, "--server", served.address, code=code)
    assert told in failed.words


def test_a_server_that_is_full() -> None:
    with Server(port=0, limits=Limits(unfinished_runs=1)) as server:
        at = ["--server", server.address]
        name = run("runs", "start", *LONG, *at).stdout.strip()
        full = run("runs", "start", *LONG, *at, code=3).words
        assert re.search(r"\(try again in [0-9.]+ s\)", full)
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
        assert "one token" in run("runs", "list", *at, "--token-file", str(several), code=2).words
        run("runs", "list", "--server", server.address, "--token-file", str(mine), code=3)  # no TLS
    far = run("runs", "list", "--server", "192.0.2.1:1", "--token-file", str(mine), code=2).words
    assert "use TLS, or set --allow-insecure-token" in far
    assert token not in far


def commands(group: Any, *words: str) -> Iterator[tuple[tuple[str, ...], set[str]]]:
    """Every command with the names of its options."""
    yield words, {name for parameter in group.params for name in parameter.opts}
    for name, inner in getattr(group, "commands", {}).items():
        yield from commands(inner, *words, name)


def test_every_command_that_asks_a_server_has_the_same_options() -> None:
    names = inspect.signature(options._connecting).parameters
    flags = {f"--{name.replace('_', '-')}" for name in names}
    asking = {words for words, found in commands(typer.main.get_command(app)) if "--server" in found}
    assert asking >= {
        *(("odds", game) for game in ("swords", "tower", "battles")),
        *(("runs", name) for name in ("start", "list", "watch", "report", "cancel", "delete")),
        *(("top",), ("run",), ("tower", "throw"), ("scenarios",), ("scenarios", "show"), ("spec",)),
    }
    for words, found in commands(typer.main.get_command(app)):
        if words in asking:
            assert flags <= found, words
