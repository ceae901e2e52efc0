"""A store is copied while its server works (docs/service/operations.md), and a server resumes from it."""

import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sengoku import Client, run_matches
from sengoku.cli.main import app
from sengoku.errors import ArgumentError
from sengoku.server import Server
from sengoku.storage import Store
from sengoku.storage.backup import backup

WISH = {"bots": ["random"], "seats": 4, "match_count": 25_000, "seed": 7}


@pytest.mark.parametrize("statement", ["sengoku", "backup", "VACUUM INTO ?"])
def test_a_copy_of_a_store_in_use_is_whole(tmp_path: Path, statement: str) -> None:
    live, copy = tmp_path / "runs.sqlite3", tmp_path / "copy.sqlite3"
    with Server(port=0, store=live) as server, Client(server.address, timeout=60) as client:
        over = client.start_run("tower", bots=["random"], match_count=100, seed=3)
        over.wait()
        run = client.start_run("tower", **WISH)
        for status in run.watch():
            if status.matches_done:
                break
        reader = sqlite3.connect(live)
        if statement == "sengoku":
            assert backup(live, copy) == []
        elif statement == "backup":
            reader.backup(sqlite3.connect(copy))
        else:
            reader.execute(statement, (str(copy),))
        reader.close()
        assert not run.metadata().over
        run.cancel()
    with Server(port=0, store=copy) as server, Client(server.address, timeout=120) as client:
        assert client.run(over.name).report() == run_matches(
            "tower", bots=["random"], match_count=100, seed=3
        )
        went_on = client.run(run.name)
        assert went_on.wait().match_count == WISH["match_count"]
        assert went_on.report() == run_matches("tower", **WISH)


def test_a_backup_is_private_replaces_nothing_and_leaves_nothing_behind(tmp_path: Path) -> None:
    live, copy = tmp_path / "runs.sqlite3", tmp_path / "copy.sqlite3"
    Store(live).close()
    assert backup(live, copy) == []
    assert copy.stat().st_mode & 0o777 == 0o600
    before = copy.read_bytes()
    with pytest.raises(ArgumentError, match="replaces nothing") as raised:
        backup(live, copy)
    assert raised.value.details["field"] == "target"
    assert copy.read_bytes() == before
    with pytest.raises(ArgumentError, match="No such file or directory"):
        backup(live, tmp_path / "nowhere" / "copy.sqlite3")
    with pytest.raises(ArgumentError, match="unable to open"):
        backup(tmp_path / "missing.sqlite3", tmp_path / "other.sqlite3")
    others = {path.name for path in tmp_path.iterdir() if not path.name.startswith("runs.sqlite3")}
    assert others == {"copy.sqlite3"}


def test_a_backup_of_a_damaged_store_says_so(tmp_path: Path) -> None:
    live, copy = tmp_path / "runs.sqlite3", tmp_path / "copy.sqlite3"
    with Server(port=0, store=live) as server, Client(server.address, timeout=60) as client:
        client.start_run("tower", bots=["random"], match_count=10, seed=3).wait()
    with sqlite3.connect(live) as writer:
        writer.execute("UPDATE chunks SET rows = zeroblob(length(rows))")
    writer.close()
    done = CliRunner().invoke(app, ["store", "backup", str(live), str(copy)])
    assert done.exit_code == 1
    assert "chunk" in done.stdout
    assert copy.exists()
