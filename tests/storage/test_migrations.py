"""Stores that earlier versions wrote are migrated when they are opened; nothing in them is lost.

The dumps in `versions` were made with the code of each version.
"""

import sqlite3
from pathlib import Path

import pytest

from sengoku import MatchReport, run_matches
from sengoku.errors import ArgumentError
from sengoku.server.jobs.runs import Runs
from sengoku.server.limits import Limits
from sengoku.storage import State, Store
from sengoku.storage.migrations import READABLE, VERSION
from sengoku.tournament import Record, Tables, records
from sengoku.wire.simulation import summary_to_proto

DUMPS = sorted((Path(__file__).parent / "versions").glob("v*.sql"))
VERSION_1 = {
    "shelves": [
        {"capacity": 35, "stick_per_mille": 473, "dislodge": 906, "burst": 191},
        {"capacity": 63, "stick_per_mille": 107, "dislodge": 82, "burst": 282},
    ]
}
"""The default parameters of the cube tower in rules version 1 of `tower`, which the dumps are of."""
DONE, OPEN, CANCELLED = (f"operations/{letter * 32}" for letter in "abc")


@pytest.fixture(params=DUMPS, ids=lambda path: path.stem)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[int, Path]:
    """Return a version and a store of that version."""
    file = tmp_path / "old.sqlite3"
    connection = sqlite3.connect(file)
    connection.executescript(request.param.read_text("utf-8"))
    connection.close()
    return int(request.param.stem[1:]), file


def schema(file: Path) -> tuple[int, set[tuple[str, str]]]:
    connection = sqlite3.connect(file)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    columns = {
        (table, row[1]) for table in tables for row in connection.execute(f"PRAGMA table_info({table})")
    }
    indexes = connection.execute("SELECT 'index', name FROM sqlite_schema WHERE type = 'index'")
    columns |= {(kind, name) for kind, name in indexes if not name.startswith("sqlite_")}
    connection.close()
    return version, columns


def test_there_is_a_dump_of_every_version() -> None:
    assert [path.stem for path in DUMPS] == [f"v{version}" for version in range(1, VERSION + 1)]


def test_the_schema_becomes_the_current_one(old: tuple[int, Path], tmp_path: Path) -> None:
    version, file = old
    assert schema(file)[0] == version
    Store(file).close()
    Store(tmp_path / "new.sqlite3").close()
    assert schema(file) == schema(tmp_path / "new.sqlite3")


def played(**setup: str) -> list[str]:
    """Lines of the matches of the runs in the dumps: a heading and twelve matches."""
    report = run_matches(
        "tower", bots=["greedy", "random"], seats=3, match_count=12, first_match=7, seed=11, setup=setup
    )
    return lines(report)


def lines(report: MatchReport) -> list[str]:
    """Lines without the last column: digests of states, which have the version of the rules in them."""
    return [line.rpartition(",")[0] for line in (report.to_csv() or "").splitlines()]


def test_runs_are_kept_and_the_unfinished_one_is_taken_up(old: tuple[int, Path]) -> None:
    written = played(tower_model=VERSION_1)
    with Store(old[1]) as store:
        found = {row.name: row.state for row in store.runs.page(before=None, most=9)}
        assert found == {DONE: State.SUCCEEDED, OPEN: State.RUNNING, CANCELLED: State.CANCELLED}
        kept = store.runs.find("nightly", "monday")
        assert kept is not None
        assert (kept.name, kept.done) == (DONE, 12)
        runs = Runs(store, Limits(run_keep_days=36_500))
        job = runs._jobs[OPEN]
        assert job.row.done == 4
        runs.begin()
        with runs._changed:
            assert runs._changed.wait_for(lambda: job.state.over, 60)
        (rows,) = runs.rows(DONE, None, None, None).batches()
        assert rows.rules_version == 1
        assert lines(rows) == written
        assert runs.get(DONE, None).row.summary == summary_to_proto(rows).SerializeToString()
        view = runs.get(OPEN, None)
        assert view.row.state is State.FAILED
        assert view.error is not None
        assert view.error.reason == "RULES_CHANGED"
        (rows,) = runs.rows(OPEN, None, None, None).batches()
        assert lines(rows) == written[:5]
        runs.stop(0)


def test_tournaments_are_kept(old: tuple[int, Path]) -> None:
    version, file = old
    with Store(file) as store:
        names = [record.name for record in records(store)]
        if version == 1:
            assert names == []
            return
        assert names == ["tournaments/" + "d" * 32, "old"]
        for name in names:
            record = Record.open(store, name)
            assert (record.state, record.count()) == (State.SUCCEEDED, 4)
            assert len(Tables(record.spec, record.results()).matches) == 4
        request_id, progress = store.tournaments.request_and_progress(2)
        assert (request_id, bool(progress)) == (("weekly", True) if version >= 3 else ("", False))


def test_reading_does_not_migrate(old: tuple[int, Path]) -> None:
    version, file = old
    if version < READABLE:
        refusal = f"has version {version}, this program reads {READABLE}: .sengoku store migrate"
        with pytest.raises(ArgumentError, match=refusal):
            Store(file, reading=True)
    else:
        with Store(file, reading=True) as store:
            assert store.runs.get(DONE) is not None
            assert store.tournaments.get("old") is not None
    assert schema(file)[0] == version
