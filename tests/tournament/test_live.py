"""Tables while a tournament is played grow with every match; what is refused leaves nothing behind."""

import json
import threading
from pathlib import Path

import pytest

from sengoku import Client
from sengoku.server import Server
from sengoku.storage import Store
from sengoku.tournament import Progress, Record, Tables, parse_spec, play
from support.cli import call
from support.runs import until

# One block has 20 matches, so the first one is complete only after a while.
SPEC = """
name = "live"
seed = 3
blocks = {blocks}
bots = [{{name = "a", bot = "random"}}, {{name = "b", bot = "random"}}, {{name = "c", bot = "random"}},
        {{name = "d", bot = "random"}}]
games = [{{game = "swords", seats = 4, setup = {{max_rounds = 1}}}}]
"""


FORMATS = {
    "round_robin": SPEC.format(blocks=3),
    "ladder": 'format = "ladder"\nrounds = 2\n' + SPEC.format(blocks=3).replace("seats = 4", "seats = 2"),
    "knockout": 'format = "knockout"\n' + SPEC.format(blocks=3).replace("seats = 4", "seats = 2"),
}


@pytest.mark.parametrize("text", FORMATS.values(), ids=FORMATS)
def test_tables_grow_with_every_match(text: str) -> None:
    seen: list[int] = []
    with Store() as store:
        record = Record.create(store, parse_spec(text))

        def look(progress: Progress) -> None:
            tables = record.tables()
            assert len(tables.matches) == progress.matches_done == record.count()
            (standings, *_) = tables.all()
            seats = sum(row["seats_taken"] for row in standings.as_dicts())  # type: ignore[misc]
            assert seats == sum(len(match.bots) for match in tables.matches)
            assert ("Provisional" in standings.remark) == bool(tables.provisional)
            seen.append(len(tables.matches))

        over = play(record, progress=look)
        assert seen[0] == 0
        assert seen == sorted(seen)
        assert len(set(seen)) > 4
        # In the end nothing is provisional, and the tables are those of the complete blocks.
        assert over.tables().provisional == []
        assert over.tables().all() == Tables(over.spec, over.results()).all()


def test_a_server_shows_tables_of_a_running_tournament(tmp_path: Path) -> None:
    with Server(port=0, store=tmp_path / "runs.sqlite3") as server, Client(server.address) as client:
        cup = client.create_tournament(SPEC.format(blocks=2_000))
        until(lambda: client.tournament(cup.name).metadata().matches_done > 0)
        assert client.tournament(cup.name).metadata().state == "running"
        standings = cup.standings()[0].as_dicts()
        assert sum(row["seats_taken"] for row in standings) > 0
        sizes = []
        for status in cup.watch():
            sizes.append(status.matches_done)
            if len(sizes) == 2 or status.over:
                break
        later = cup.standings()[0].as_dicts()
        assert sum(row["seats_taken"] for row in later) >= sum(row["seats_taken"] for row in standings)
        cup.cancel()


def test_the_command_line_shows_the_standings_of_a_tournament_that_is_played(tmp_path: Path) -> None:
    file = tmp_path / "live.toml"
    file.write_text(SPEC.format(blocks=2_000))
    store, stop = tmp_path / "live.sqlite3", threading.Event()
    with Store(store) as opened:
        record = Record.create(opened, parse_spec(file.read_text()))

        def look(_progress: Progress) -> None:
            if record.count() and stop.is_set():
                raise KeyboardInterrupt

        def work() -> None:
            with pytest.raises(KeyboardInterrupt):
                play(record, progress=look)

        thread = threading.Thread(target=work)
        thread.start()
        try:
            until(lambda: record.count() > 0)
            code, done = call("tournament", "status", str(file), "--json")
            assert code == 0
            assert json.loads(done.stdout)["matches"] > 0
            code, done = call("tournament", "table", str(file), "--format", "json")
            table = json.loads(done.stdout)["tables"]["standings"]
            rows = table["rows"] if isinstance(table, dict) else table
            assert sum(row["seats_taken"] for row in rows) > 0
        finally:
            stop.set()
            thread.join()


BAD = SPEC.format(blocks=1).replace('bot = "random"}, {name = "b"', 'bot = "randoom"}, {name = "b"')


def test_a_refused_tournament_leaves_nothing_behind(tmp_path: Path) -> None:
    file, store = tmp_path / "live.toml", tmp_path / "deep" / "er" / "live.sqlite3"
    file.write_text(BAD)
    code, done = call("tournament", "run", str(file), "--store", str(store))
    assert (code, "randoom" in done.stderr) == (2, True)
    assert {path.name for path in tmp_path.iterdir()} == {file.name}
    file.write_text(BAD.replace("randoom", "random"))
    assert call("tournament", "run", str(file), "--store", str(store))[0] == 0
    # In a store that exists, what was there stays.
    file.write_text(BAD.replace('"live"', '"other"'))
    assert call("tournament", "run", str(file), "--store", str(store))[0] == 2
    with Store(store) as opened:
        assert [row.name for row in opened.tournaments.all()] == ["live"]
    file.write_text(BAD.replace('"live"', '"other"').replace("randoom", "random"))
    assert call("tournament", "run", str(file), "--store", str(store))[0] == 0
