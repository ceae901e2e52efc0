"""A store is copied while its server works (docs/service/operations.md), and a server resumes from it."""

import sqlite3
from pathlib import Path

import pytest

from sengoku import Client, run_matches
from sengoku.server import Server

WISH = {"bots": ["random"], "seats": 4, "match_count": 25_000, "seed": 7}


@pytest.mark.parametrize("statement", ["backup", "VACUUM INTO ?"])
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
        if statement == "backup":
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
