"""Runs are resumed where they were after every end of a server, under the same rules only."""

import random
import time
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from sengoku import engine
from sengoku._core import Cancel
from sengoku.engine.report import MatchReport
from sengoku.errors import (
    QuotaError,
    RulesChangedError,
    RunNotFoundError,
    RunNotOverError,
    RunOverError,
    ShuttingDownError,
    StoreFullError,
)
from sengoku.server import Server
from sengoku.server.fair_queue import FairQueue
from sengoku.server.jobs import run_playing
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
    assert runs.get(name, None).row.done == request.match_count
    assert len(done) > 4
    expected = in_process(request)
    assert runs.get(name, None).row.summary == summary_to_proto(expected).SerializeToString()
    expected.to_parquet(tmp_path / "expected.parquet")
    parts = runs.rows(name, None, None, None).parquet()
    assert b"".join(part.data for part in parts) == (tmp_path / "expected.parquet").read_bytes()


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("game", WISHES)
def test_cancelled_runs_are_resumed_where_they_were(
    opened: Callable[..., Runs], game: str, tmp_path: Path
) -> None:
    """However often and whenever a run is cancelled and resumed, its bytes are the same."""
    request, chance = WISHES[game], random.Random(game)
    runs = opened(queue=OneTurn())
    name = runs.start(request, "me", "monday").row.name
    until(lambda: runs.get(name, None).row.done > 0)
    assert runs.cancel(name, "me").state is State.CANCELLED
    runs = opened()
    runs.resume(name, "me")
    for attempt in range(30):
        time.sleep(chance.uniform(0, 0.03))
        if runs.cancel(name, "me").state is State.SUCCEEDED:
            break
        if attempt % 5 == 4:
            runs = opened()  # a cancelled run stays so when the server is started again
            assert runs.get(name, "me").state is State.CANCELLED
        view = runs.resume(name, "me")
        assert (view.state, view.error, view.row.ended) == (State.QUEUED, None, None)
        assert runs.start(request, "me", "monday").name == name
    assert finished(runs, name).state is State.SUCCEEDED
    expected = in_process(request)
    assert runs.get(name, None).row.summary == summary_to_proto(expected).SerializeToString()
    expected.to_parquet(tmp_path / "expected.parquet")
    parts = runs.rows(name, None, None, None).parquet()
    assert b"".join(part.data for part in parts) == (tmp_path / "expected.parquet").read_bytes()


def test_a_resumed_run_survives_a_restart(opened: Callable[..., Runs]) -> None:
    runs = opened(begin=False)
    name = runs.start(wish(count=200), "me").row.name
    runs.cancel(name, None)
    runs.resume(name, None)
    assert finished(opened(), name).row.summary == (
        summary_to_proto(in_process(wish(count=200))).SerializeToString()
    )


def test_runs_that_cannot_be_resumed(opened: Callable[..., Runs]) -> None:
    runs = opened()
    with pytest.raises(RunNotFoundError):
        runs.resume("operations/x", None)
    done = finished(runs, runs.start(wish(count=3), "me").name)
    with pytest.raises(RunOverError, match="has played all its matches") as over:
        runs.resume(done.name, "me")
    assert over.value.details == {"name": done.name, "state": "SUCCEEDED"}
    name = runs.start(ENDLESS, "me").name
    with pytest.raises(RunNotOverError, match="only a run that was cancelled or failed can be resumed"):
        runs.resume(name, "me")
    runs.cancel(name, None)
    with pytest.raises(RunNotFoundError):
        runs.resume(name, "you")
    runs.delete(name, None)
    with pytest.raises(RunNotFoundError):
        runs.resume(name, "me")


def test_limits_of_starting_are_those_of_resuming(opened: Callable[..., Runs]) -> None:
    runs = opened(begin=False, client_runs=1)
    name = runs.start(wish(count=500), "me").name
    runs.cancel(name, None)
    other = runs.start(wish(count=500), "me").name
    with pytest.raises(QuotaError, match="me uses 1 of 1 unfinished runs"):
        runs.resume(name, "me")
    runs.cancel(other, None)
    assert runs.resume(name, "me").name == name
    reserved = runs._store.runs.bytes_reserved()
    runs.cancel(name, None)
    runs = opened(begin=False, store_bytes=reserved - 1)
    with pytest.raises(StoreFullError, match="the run needs"):
        runs.resume(name, "me")
    assert runs.get(name, None).state is State.CANCELLED
    runs = opened(store_bytes=reserved)
    runs.resume(name, "me")
    assert finished(runs, name).state is State.SUCCEEDED


def test_other_rules_end_a_run(opened: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = opened(begin=False).start(wish(count=50), "me").row.name
    find = engine.find_game

    def newer(name: str) -> engine.Game:
        found = find(name)
        return engine.Game(**{**found.__dict__, "rules_version": found.rules_version + 1})

    monkeypatch.setattr(run_playing, "find_game", newer)
    view = finished(opened(), fresh)
    assert view.row.state is State.FAILED
    assert view.error is not None
    assert view.error.reason == "RULES_CHANGED"
    assert "rules version 2 of tower, this server has 3" in str(view.error)
    assert view.error.details == {"game": "tower", "rules_version": "2", "expected": "3"}
    runs = opened()
    with pytest.raises(RulesChangedError, match="this server has 3"):
        runs.resume(fresh, "me")
    monkeypatch.undo()
    runs.resume(fresh, "me")
    assert finished(runs, fresh).state is State.SUCCEEDED


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
    assert runs._store.runs.mend(row.id, replace(last, rows=changed))
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

    monkeypatch.setattr("sengoku.server.jobs.healing.pack_rows", fail)
    view = finished(runs, runs.start(wish(count=5, seed=13), "me").row.name)
    assert view.row.state is State.FAILED
    assert view.error is not None
    assert (view.error.reason, "rosebud" in str(view.error)) == ("INTERNAL", False)
    assert finished(runs, runs.start(wish(count=5), "me").row.name).row.state is State.SUCCEEDED


def test_stopping_gives_up_a_chunk_that_takes_too_long(
    opened: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_playing, "_FIRST_CHUNK", 1_000_000)
    monkeypatch.setattr(run_playing, "_LARGEST_CHUNK", 1_000_000)
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
