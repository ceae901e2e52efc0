"""The extra of servers is complete and deployed; a server says at its start and by errors what it lacks."""

import logging
import re
import sys
import tomllib
from pathlib import Path

import pytest

from sengoku import Client
from sengoku.errors import MissingDependencyError
from sengoku.server import Server
from sengoku.server.dependencies import PACKAGES, missing_packages

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
TOURNAMENT = """
bots = [{name = "greedy"}, {name = "random"}]
games = [{game = "battles", scenarios = [1]}]
blocks = 1
seed = 1
"""


def names(extra: str) -> set[str]:
    return {re.split(r"[<>=~]", package)[0] for package in EXTRAS[extra]}


def test_the_extra_of_servers_is_complete_and_deployed() -> None:
    assert names("server") == names("tournament") | names("parquet") | names("mcp") == set(PACKAGES)
    assert "\nIMAGE_EXTRAS := server\n" in (ROOT / "Makefile").read_text("utf-8")
    image = (ROOT / "deploy" / "requirements.txt").read_text("utf-8")
    assert all(f"\n{package}==" in image for package in PACKAGES)
    assert '.whl)[server]"' in (ROOT / "deploy" / "sengoku.service").read_text("utf-8")
    assert missing_packages() == []


@pytest.mark.parametrize("package", ["scipy", "openskill", "matplotlib"])
def test_a_server_says_that_it_lacks_a_package(
    package: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with caplog.at_level(logging.WARNING), Server(port=0) as server, Client(server.address) as client:
        assert f"not installed: {package}; " in caplog.text
        assert client.status()["missing_packages"] == [package]
        tournament = client.create_tournament(TOURNAMENT)
        assert tournament.wait(timeout=60).state == "succeeded"
        with pytest.raises(MissingDependencyError, match=f"this server lacks {package}, ") as refused:
            tournament.table("html")
        assert refused.value.reason == "MISSING_DEPENDENCY"
        assert refused.value.details["where"] == "server"
        assert "pip install" not in str(refused.value)
