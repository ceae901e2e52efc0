"""Commands about games, specifications and this machine."""

import json

from sengoku import spec
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
    assert "tower, rules version 1: an observation has 674 bytes" in text
    assert "2821 actions, at most 2746 legal at once" in text
    assert "there is swords" in run("spec", "chess", code=2).stderr


def test_bench() -> None:
    rows = json.loads(run("bench", "--seconds", "0.01", "--json").stdout)["rows"]
    assert all(row["figure"] > 0 for row in rows)
