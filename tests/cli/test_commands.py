"""Commands about games, specifications and this machine."""

import json
import re
from functools import partial
from pathlib import Path

import pytest

from sengoku import spec
from sengoku.cli import measure, options
from sengoku.engine.spec import of_table
from sengoku.server import Server
from support.cli import run


def test_matches_of_a_server(server: Server) -> None:
    wish = ["run", "swords", "--seats", "3", "--matches", "30", "--seed", "7", "--setup", "max_rounds=5"]
    here = json.loads(run(*wish, "--json").stdout)
    assert json.loads(run(*wish, "--json", "--server", server.address).stdout) == here
    run(*wish, "--server", "127.0.0.1:1", code=3)


def test_specifications(server: Server) -> None:
    about = spec("tower")
    assert of_table(json.loads(run("spec", "tower", "--json").stdout)) == about
    assert run("spec", "tower", "--markdown", "--server", server.address).stdout == about.to_markdown()
    text = run("spec", "tower").stdout
    assert "tower, rules version 2: an observation has 674 bytes" in text
    assert "2821 actions, at most 2746 legal at once" in text
    assert "must be one of swords" in run("spec", "chess", code=2).stderr


def test_bench_prints_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the quickest kind of work; `test_bench` measures all of them."""
    quickest = partial(
        measure._sampled, measure.REFERENCE_STRIKE, "strike", "takes_ground", 1 << 10, "strikes/s"
    )
    monkeypatch.setattr("sengoku.cli.measure.measure_all", quickest)
    rows = json.loads(run("bench", "--seconds", "0.01", "--json").stdout)["rows"]
    assert len(rows) == 3
    assert all(row["figure"] > 0 for row in rows)
    assert rows[0]["work"] in run("bench", "--seconds", "0.01").stdout


@pytest.mark.system
def test_bench() -> None:
    rows = json.loads(run("bench", "--seconds", "0.01", "--json").stdout)["rows"]
    assert all(row["figure"] > 0 for row in rows)


def test_a_server_without_a_port_has_the_default_port(monkeypatch: pytest.MonkeyPatch) -> None:
    targets = []
    monkeypatch.setattr("sengoku.client.Client.__init__", lambda _self, target, **_: targets.append(target))
    for server in ("example.org", "::1", "[::1]", "10.0.0.1:80"):
        options.Connecting(server, 1.0, False, (None, None, None, None), None, False).client()
    assert targets == ["example.org:50051", "[::1]:50051", "[::1]:50051", "10.0.0.1:80"]


def test_empty_lists_print_a_message() -> None:
    with Server(port=0) as server:
        at = ["--server", server.address]
        for words, message in ((["runs"], "runs"), (["tournament"], "tournaments"), (["bot"], "players")):
            assert run(*words, "list", *at).stdout == f"no {message}\n"
            assert json.loads(run(*words, "list", *at, "--json").stdout) == []


def test_no_table_has_an_error_that_is_not_a_number(tmp_path: Path) -> None:
    file = tmp_path / "one.toml"
    file.write_text(
        'name = "one"\nseed = 7\nblocks = 1\nbots = [{name = "greedy"}, {name = "random"}]\n'
        'games = [{game = "battles", scenarios = [1]}]\n'
    )
    short = ["--matches", "1", "--setup", "max_rounds=1"]
    for command in (
        ["run", "swords", *short],
        ["run", "tower", *short, "--all-scenarios"],
        ["bot", "play", "support.bots:First", "--game", "battles", *short],
        ["tournament", "run", str(file)],
        ["tournament", "status", str(file)],
        *(["tournament", "table", str(file), "--format", form] for form in ("md", "csv", "json")),
    ):
        assert not re.search(r"\bnan\b", run(*command).stdout, re.IGNORECASE), command
