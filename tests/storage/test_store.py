"""The file of long runs: what is written stays, nothing is written by halves, one server at a time."""

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sengoku.errors import ArgumentError, InternalError, StoreFullError
from sengoku.storage import Chunk, NewRun, RunRow, State, Store, default_store
from sengoku.v1 import simulation_service_pb2 as pb2


def begin(
    store: Store, name: str = "a", *, client: str = "c", request_id: str = "", count: int = 10
) -> RunRow:
    return store.runs.begin(
        NewRun(
            name=name,
            client=client,
            request_id=request_id,
            request=b"request",
            rules_version=1,
            match_count=count,
            row_bytes=100,
            created=1_000,
            summary=b"0",
        )
    )


def finish(store: Store, name: str, client: str = "c", ended: int = 2_000) -> RunRow:
    row = begin(store, name, client=client)
    assert store.runs.add(row.id, Chunk(0, 10, b"s", b"r" * 1_000), b"10", ended=ended)
    found = store.runs.get(name)
    assert found is not None
    return found


@pytest.fixture(params=["file", "memory"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "deep" / "runs.sqlite3") if request.param == "file" else ":memory:"


def test_states_have_the_numbers_of_the_protos() -> None:
    for state in State:
        if state is not State.DELETED:
            assert pb2.RunState.Value(f"RUN_STATE_{state.name}") == state
    assert len(pb2.RunState.items()) == len(State)
    assert [state for state in State if state.over] == [4, 5, 6, 100]


def test_a_run_from_beginning_to_end(path: str) -> None:
    with Store(path) as store:
        row = begin(store)
        assert (row.state, row.done, row.ended) == (State.RUNNING, 0, None)
        assert store.runs.unfinished() == [row]
        assert store.runs.add(row.id, Chunk(0, 4, b"s1", b"rows"), b"4")
        assert not store.runs.add(row.id, Chunk(0, 4, b"s1", b"rows"), b"4")  # these rows are there
        assert not store.runs.add(row.id, Chunk(5, 1, b"s1", b"rows"), b"4")  # a row would be missing
        assert store.runs.add(row.id, Chunk(4, 6, b"s2", b"more"), b"10", ended=7)
        found = store.runs.get("a")
        assert found is not None
        assert (found.state, found.done, found.summary, found.ended) == (State.SUCCEEDED, 10, b"10", 7)
        assert store.runs.unfinished() == []
        assert not store.runs.end(row.id, State.CANCELLED, 8, "too late")
        assert not store.runs.add(row.id, Chunk(10, 1, b"", b""), b"")
        assert store.runs.get("a") == found
        assert [store.runs.chunk_at(row.id, place) for place in (0, 3, 4, 9, 10)] == [
            *[Chunk(0, 4, b"s1", b"rows")] * 2,
            *[Chunk(4, 6, b"s2", b"more")] * 2,
            None,
        ]
        assert store.runs.sums(row.id, 0, 10) == [(0, 4, b"s1"), (4, 6, b"s2")]
        assert store.runs.sums(row.id, 4, 5) == [(4, 6, b"s2")]
        assert store.runs.sums(row.id, 3, 4) == [(0, 4, b"s1")]


def test_an_end_stays(path: str) -> None:
    with Store(path) as store:
        row = begin(store)
        assert store.runs.end(row.id, State.FAILED, 5, "why")
        assert not store.runs.add(row.id, Chunk(0, 1, b"", b""), b"")
        found = store.runs.get("a")
        assert found is not None
        assert (found.state, found.error, found.done) == (State.FAILED, "why", 0)
        assert store.runs.chunk_at(row.id, 0) is None


def test_what_is_written_is_there_again(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite3"
    with Store(file) as store:
        row = begin(store, request_id="wish")
        store.runs.add(row.id, Chunk(0, 4, b"s", b"rows"), b"4")
        kept = store.runs.get("a")
    with Store(file) as store:
        assert store.runs.unfinished() == [kept]
        assert store.runs.find("c", "wish") == kept
        assert store.runs.find("d", "wish") is None
        assert store.runs.find("c", "") is None
        assert store.runs.chunk_at(row.id, 0) == Chunk(0, 4, b"s", b"rows")


def test_a_wish_is_one_run(path: str) -> None:
    with Store(path) as store:
        begin(store, "a", request_id="wish")
        begin(store, "b", client="d", request_id="wish")
        begin(store, "c")
        begin(store, "d")
        with pytest.raises(sqlite3.IntegrityError):
            begin(store, "e", request_id="wish")
        assert [row.name for row in store.runs.unfinished()] == ["a", "b", "c", "d"]


def test_pages(path: str) -> None:
    with Store(path) as store:
        for number in range(7):
            begin(store, str(number), client="even" if number % 2 == 0 else "odd")
        row = store.runs.get("4")
        assert row is not None
        store.runs.end(row.id, State.CANCELLED, 1, "")
        assert [row.name for row in store.runs.page(before=None, most=3)] == ["6", "5", "4"]
        assert [row.name for row in store.runs.page(before=row.id, most=3)] == ["3", "2", "1"]
        assert [row.name for row in store.runs.page(before=None, most=9, client="odd")] == ["5", "3", "1"]
        assert [row.name for row in store.runs.page(before=None, most=9, state=State.CANCELLED)] == ["4"]
        wanted = store.runs.page(before=None, most=9, client="even", state=State.RUNNING)
        assert [row.name for row in wanted] == ["6", "2", "0"]


def test_removing(path: str) -> None:
    with Store(path) as store:
        busy, old = begin(store, "busy"), finish(store, "old")
        assert store.runs.bytes_reserved() == 2 * (1_000 + len(b"request"))
        assert not store.runs.remove(busy.id)
        assert store.runs.remove(old.id)
        assert not store.runs.remove(old.id)
        assert store.runs.get("old") is None
        assert store.runs.page(before=None, most=9) == [busy]
        assert store.runs.counts() == {State.RUNNING: 1}
        assert store.runs.sweep()
        assert store.runs.chunk_at(old.id, 0) is None
        assert not store.runs.sweep()
        assert store.runs.bytes_reserved() == 1_000 + len(b"request")
        assert store.runs.get("busy") == busy


def test_many_rows_go_by_and_by(path: str) -> None:
    with Store(path) as store:
        row = begin(store, count=100)
        for place in range(99):
            store.runs.add(row.id, Chunk(place, 1, b"", b"x" * 10_000), b"")
        store.runs.add(row.id, Chunk(99, 1, b"", b""), b"", ended=1)
        full = store.bytes_used()
        store.runs.remove(row.id)
        times = 0
        while store.runs.sweep():
            times += 1
        assert times > 5
        assert store.bytes_used() < full / 10


def test_old_runs_retire(path: str) -> None:
    with Store(path) as store:
        busy = begin(store, "busy")
        for number in range(6):
            finish(store, f"a{number}", client="a", ended=100 + number)
        finish(store, "b0", client="b", ended=100)
        assert store.runs.retire(ended_before=100, keep=10) == 0
        assert store.runs.retire(ended_before=101, keep=10) == 2
        assert {row.name for row in store.runs.page(before=None, most=9)} == {
            "busy",
            "a1",
            "a2",
            "a3",
            "a4",
            "a5",
        }
        finish(store, "b1", client="b", ended=50)
        # Who has most loses the oldest, even where another has older ones.
        assert store.runs.retire(ended_before=0, keep=4) == 2
        left = {row.name for row in store.runs.page(before=None, most=9)}
        assert left == {"busy", "b1", "a3", "a4", "a5"}
        assert store.runs.unfinished() == [busy]


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
        code = f"from sengoku.storage import Store; Store({str(file)!r})"
        process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "another server uses it" in process.stderr
    with Store(file):
        pass


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
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """A limit on the length of files fails as a full disk does, below SQLite."""
    code = f"""
import resource, signal
from sengoku.errors import StoreFullError
from sengoku.storage import Store, NewRun, Chunk
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store({str(tmp_path / "runs.sqlite3")!r})
row = store.runs.begin(NewRun("a", "c", "", b"", 1, 10**6, 1, 0, b""))
store.runs.add(row.id, Chunk(0, 1, b"", b""), b"1")
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
for _ in range(3):
    try:
        store.runs.add(row.id, Chunk(1, 10, b"", b"x" * 1_000_000), b"11")
    except StoreFullError as error:
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
