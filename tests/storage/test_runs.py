"""The runs in a store: what is written stays, pages, removal, retention."""

import sqlite3
from pathlib import Path

import pytest

from sengoku.storage import Chunk, State, Store
from sengoku.v1 import simulation_service_pb2 as pb2
from support.stores import (
    begin,
    finish,
)


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
        assert not store.runs.set_state(row.id, State.CANCELLED, 8, "too late")
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
        assert store.runs.set_state(row.id, State.FAILED, 5, "why")
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
        store.runs.set_state(row.id, State.CANCELLED, 1, "")
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
    served = [0]
    with Store(path, monotonic=lambda: served[0]) as store:

        def end(name: str, client: str, at: int) -> None:
            served[0] = at
            finish(store, name, client=client)

        busy = begin(store, "busy")
        end("b0", "b", 100)
        for number in range(6):
            end(f"a{number}", "a", 100 + number)
        assert store.runs.retire(ended_before=100, keep=10) == 0
        assert store.runs.retire(ended_before=101, keep=10) == 2
        left = {row.name for row in store.runs.page(before=None, most=9)}
        assert left == {"busy", "a1", "a2", "a3", "a4", "a5"}
        end("b1", "b", 50)  # the clock does not go back
        # Who has most loses the oldest.
        assert store.runs.retire(ended_before=0, keep=4) == 2
        left = {row.name for row in store.runs.page(before=None, most=9)}
        assert left == {"busy", "b1", "a3", "a4", "a5"}
        assert store.runs.unfinished() == [busy]
