"""Runs are resumed where they were after every end of a server, under the same rules only."""

import time
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager
from pathlib import Path

import pytest

from sengoku import engine
from sengoku._core import Cancel
from sengoku.engine.report import MatchReport
from sengoku.errors import (
    ShuttingDownError,
)
from sengoku.server import Server
from sengoku.server.fair_queue import FairQueue
from sengoku.server.jobs import runs as runs_module
from sengoku.server.jobs.runs import Runs
from sengoku.storage import State
from sengoku.wire.simulation import pack_rows, summary_to_proto
from support.runs import (
    ENDLESS,
    WISHES,
    finished,
    in_process,
    until,
    wish,
)
from support.wire import Wire, metadata_of


class OneTurn(FairQueue):
    """A queue of a single turn: the next one comes when it is cancelled."""

    def __init__(self) -> None:
        super().__init__(1, 0)
        self._first = True

    @contextmanager
    def thread_turn(self, client: str, cancel: Cancel) -> Iterator[None]:
        """Have the turn, or wait until it is cancelled."""
        if self._first:
            self._first = False
            with super().thread_turn(client, cancel):
                yield
            return
        with super().thread_turn("another", Cancel()), super().thread_turn(client, cancel):
            pytest.fail("there is only one slot")


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("game", WISHES)
def test_runs_go_on_where_they_were(opened: Callable[..., Runs], game: str, tmp_path: Path) -> None:
    request = WISHES[game]
    runs = opened(queue=OneTurn())
    name = runs.start(request, "me").row.name
    done = [0]
    while not runs.get(name, None).over:
        until(lambda runs=runs: runs.get(name, None).row.done > done[-1])
        done.append(runs.get(name, None).row.done)
        runs = opened(queue=OneTurn())
    assert done[-1] == request.match_count
    assert len(done) > 4
    expected = in_process(request)
    assert runs.get(name, None).row.summary == summary_to_proto(expected).SerializeToString()
    expected.to_parquet(tmp_path / "expected.parquet")
    parts = runs.rows(name, None, None, None).parquet()
    assert b"".join(part.data for part in parts) == (tmp_path / "expected.parquet").read_bytes()


def test_other_rules_end_a_run(opened: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = opened(begin=False).start(wish(count=50), "me").row.name
    find = engine.find_game

    def newer(name: str) -> engine.Game:
        found = find(name)
        return engine.Game(**{**found.__dict__, "rules_version": found.rules_version + 1})

    monkeypatch.setattr(runs_module, "find_game", newer)
    view = finished(opened(), fresh)
    assert view.row.state is State.FAILED
    assert view.error is not None
    assert view.error.reason == "RULES_CHANGED"
    assert "rules version 1 of tower, this server has 2" in str(view.error)
    assert view.error.details == {"game": "tower", "rules_version": "1", "expected": "2"}


@pytest.mark.usefixtures("small_chunks")
def test_a_build_that_plays_differently_ends_a_run(opened: Callable[..., Runs]) -> None:
    runs = opened()
    name = runs.start(wish(count=100_000), "me").row.name
    until(lambda: runs.get(name, None).row.done > 5)
    runs = opened(begin=False)
    row = runs.get(name, None).row
    last = runs._store.runs.chunk_at(row.id, row.done - 1)
    assert last is not None
    changed = last.rows[:-1] + bytes([last.rows[-1] ^ 1])  # a digest comes last
    with runs._store.write() as writer:
        writer.execute(
            "UPDATE chunks SET rows = ? WHERE run = ? AND first = ?", (changed, row.id, last.first)
        )
    view = finished(opened(), name)
    assert view.error is not None
    assert view.error.reason == "RULES_CHANGED"
    assert "has a different result" in str(view.error)
    assert view.error.details["column"] == "digest"


def test_a_bug_ends_a_run_and_not_the_others(
    opened: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = opened()
    pack = pack_rows

    def fail(rows: MatchReport) -> bytes:
        if rows.seed == 13:
            raise RuntimeError("the password is rosebud")
        return pack(rows)

    monkeypatch.setattr("sengoku.server.jobs.runs.pack_rows", fail)
    view = finished(runs, runs.start(wish(count=5, seed=13), "me").row.name)
    assert view.row.state is State.FAILED
    assert view.error is not None
    assert (view.error.reason, "rosebud" in str(view.error)) == ("INTERNAL", False)
    assert finished(runs, runs.start(wish(count=5), "me").row.name).row.state is State.SUCCEEDED


def test_stopping_gives_up_a_chunk_that_takes_too_long(
    opened: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs_module, "_FIRST_CHUNK", 1_000_000)
    monkeypatch.setattr(runs_module, "_LARGEST_CHUNK", 1_000_000)
    runs = opened()
    name = runs.start(ENDLESS, "me").row.name
    until(lambda: runs.get(name, None).row.state is State.RUNNING)
    begun = time.monotonic()
    runs.stop(0.3)
    assert 0.3 <= time.monotonic() - begun < 5
    assert runs.get(name, None).row.done == 0
    with pytest.raises(ShuttingDownError):
        runs.start(wish(), "me")
    monkeypatch.undo()
    runs = opened()
    assert not runs.get(name, None).over
    runs.cancel(name, None)


def test_a_server_that_stops_says_so_to_who_waits(tmp_path: Path) -> None:
    server = Server(port=0, store=tmp_path / "runs.sqlite3")
    with Wire(server.address) as wire, futures.ThreadPoolExecutor(2) as pool:
        name = wire.start(ENDLESS).name
        waits = [pool.submit(wire.wait, name), pool.submit(lambda: list(wire.watch(name)))]
        until(lambda: metadata_of(wire.get(name)).matches_done > 0)
        begun = time.monotonic()
        ended = server.stop(grace=20)
        for wait in waits:
            with pytest.raises(ShuttingDownError):
                wait.result(10)
        assert ended.wait(10)
        assert time.monotonic() - begun < 8
    with Server(port=0, store=tmp_path / "runs.sqlite3") as server, Wire(server.address) as wire:
        assert not wire.get(name).done
        wire.cancel(name)
