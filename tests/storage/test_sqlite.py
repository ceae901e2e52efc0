"""The SQLite file: one server at a time, consistent after every failure, readable at any time."""

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sengoku.errors import ArgumentError, InternalError, StoreFullError
from sengoku.storage import Chunk, Store, default_store
from support.stores import (
    begin,
)


def test_a_second_server_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite3"
    other = tmp_path / "link.sqlite3"
    with Store(file):
        with pytest.raises(ArgumentError, match="another server uses it") as told:
            Store(file)
        assert told.value.details["value"] == str(file)
        other.symlink_to(file)
        with pytest.raises(ArgumentError, match="another server uses it"):
            Store(other)
        hard = tmp_path / "hard.sqlite3"
        hard.hardlink_to(file)
        with pytest.raises(ArgumentError, match="another server uses it"):
            Store(hard)
        code = f"from sengoku.storage import Store; Store({str(file)!r})"
        process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "another server uses it" in process.stderr
    with Store(file):
        pass


def test_nobody_else_may_read_a_new_store(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite3"
    with Store(file):
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_files_that_are_none(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("not a database, but long enough to be looked at " * 100)
    with pytest.raises(ArgumentError, match="not a database"):
        Store(text)
    other = tmp_path / "other.sqlite3"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE birds (name TEXT)")
    connection.close()
    with pytest.raises(ArgumentError, match="another program"):
        Store(other)
    newer = tmp_path / "newer.sqlite3"
    Store(newer).close()
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(ArgumentError, match="version 99"):
        Store(newer)
    with pytest.raises(ArgumentError, match="cannot be used"):
        Store(tmp_path)
    with pytest.raises(ArgumentError, match="cannot be used"):
        Store(text / "below" / "a" / "file")


def test_nothing_is_written_by_halves_when_it_is_full(path: str) -> None:
    with Store(path) as store:
        row = begin(store, count=1_000)
        store.runs.add(row.id, Chunk(0, 1, b"s", b"r"), b"1")
        pages = store._writer.execute("PRAGMA page_count").fetchone()[0]
        store._writer.execute(f"PRAGMA max_page_count={pages + 2}")
        before = store.runs.get("a")
        with pytest.raises(StoreFullError, match="full") as told:
            store.runs.add(row.id, Chunk(1, 9, b"s", b"r" * 1_000_000), b"10")
        assert told.value.retry_after
        assert told.value.reason == "STORE_FULL"
        assert store.runs.get("a") == before
        assert store.runs.chunk_at(row.id, 1) is None
        store._writer.execute("PRAGMA max_page_count=100000")
        assert store.runs.add(row.id, Chunk(1, 9, b"s", b"r" * 1_000_000), b"10")


@pytest.mark.skipif(os.name != "posix", reason="limits of a process are a thing of POSIX")
def test_a_file_that_cannot_grow(tmp_path: Path) -> None:
    """A limit on the length of files fails below SQLite, in the middle of a transaction."""
    code = f"""
import resource, signal
from sengoku.errors import StoreUnavailableError
from sengoku.storage import Store, RunRow, Chunk
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store({str(tmp_path / "runs.sqlite3")!r})
new = dict(request=b"", rules_version=1, match_count=10**6, row_bytes=1, summary=b"")
row = store.runs.begin(RunRow(name="a", client="c", created=0, **new))
store.runs.add(row.id, Chunk(0, 1, b"", b""), b"1")
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
for _ in range(3):
    try:
        store.runs.add(row.id, Chunk(1, 10, b"", b"x" * 1_000_000), b"11")
    except StoreUnavailableError as error:
        print("full", store.runs.get("a").done)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(store.runs.add(row.id, Chunk(1, 10, b"", b"x" * 1_000_000), b"11"), store.runs.get("a").done)
store.close()
"""
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert process.stdout.split() == ["full", "1", "full", "1", "full", "1", "True", "11"], process.stderr


def test_readers_do_not_hold_up_the_writer(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite3") as store:
        row = begin(store, count=10_000)
        store.runs.add(row.id, Chunk(0, 1, b"", b"x"), b"1")
        with store.read() as reader:
            cursor = reader.execute("BEGIN")
            assert cursor.execute("SELECT done FROM runs").fetchone() == (1,)
            for place in range(1, 50):
                assert store.runs.add(row.id, Chunk(place, 1, b"", b"x" * 10_000), b"1")
            assert cursor.execute("SELECT done FROM runs").fetchone() == (1,)  # its moment stands still
            cursor.execute("COMMIT")
        found = store.runs.get("a")
        assert found is not None
        assert found.done == 50


def test_many_threads(path: str) -> None:
    failures: list[BaseException] = []
    with Store(path) as store:

        def work(number: int) -> None:
            try:
                row = begin(store, f"run{number}")
                for place in range(10):
                    assert store.runs.add(row.id, Chunk(place, 1, b"", b"x" * 5_000), b"")
                    assert store.runs.chunk_at(row.id, place) is not None
                    store.runs.page(before=None, most=100)
            except BaseException as error:  # noqa: BLE001
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures
        assert all(row.done == 10 for row in store.runs.page(before=None, most=100))
    with pytest.raises(InternalError, match="closed"):
        store.runs.get("run1")
    with pytest.raises(InternalError, match="closed"):
        begin(store, "late")
    store.close()


def test_a_copy_taken_while_it_runs_is_whole(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite3") as store:
        row = begin(store, count=100)
        for place in range(20):
            store.runs.add(row.id, Chunk(place, 1, b"", b"x" * 10_000), str(place + 1).encode())
        source = sqlite3.connect(tmp_path / "runs.sqlite3")
        copy = sqlite3.connect(tmp_path / "copy.sqlite3")
        source.backup(copy)
        source.close()
        copy.close()
    with Store(tmp_path / "copy.sqlite3") as store:
        found = store.runs.get("a")
        assert found is not None
        assert (found.done, found.summary) == (20, b"20")
        assert store.runs.chunk_at(row.id, 19) is not None


def test_the_default_is_in_the_state_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_store() == tmp_path / "sengoku" / "runs.sqlite3"
    monkeypatch.delenv("XDG_STATE_HOME")
    assert default_store() == Path.home() / ".local" / "state" / "sengoku" / "runs.sqlite3"
