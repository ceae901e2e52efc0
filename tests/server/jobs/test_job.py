"""What runs and tournaments share, shown by runs: pages, watching, a full store."""

import asyncio
import time
from collections.abc import Callable
from concurrent import futures
from itertools import pairwise
from pathlib import Path

import pytest

from sengoku.errors import (
    ArgumentError,
    RunNotFoundError,
    StoreFullError,
)
from sengoku.server import Server
from sengoku.server.jobs.runs import Runs, RunView
from sengoku.server.limits import Limits
from sengoku.server.paging import Page
from sengoku.storage import State, Store
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.simulation import summary_to_proto
from support.runs import (
    ASKING,
    ENDLESS,
    finished,
    in_process,
    until,
    wish,
)
from support.wire import Wire, metadata_of, summary_of


def test_lists_of_long_requests_have_short_pages() -> None:
    with Store() as store:
        runs = Runs(store, Limits(client_runs=1_000))
        names = [
            runs.start(wish(count=2, setup_json="{}" + " " * 200_000), "me").row.name for _ in range(120)
        ]
        seen: list[str] = []
        before = None
        while True:
            page = runs.page(before=before, most=1_000)
            before = page.after
            assert 0 < len(page.items) < 10
            seen += [view.row.name for view in page.items]
            if before is None:
                break
        assert seen == names[::-1]


def test_pages_and_filters(wire: Wire) -> None:
    names = [wire.start(wish(count=2)).name for _ in range(7)]
    for name in names:
        wire.wait(name)
    endless = [wire.start(ENDLESS).name for _ in range(2)]
    until(lambda: metadata_of(wire.get(endless[0])).state == pb2.RUN_STATE_RUNNING)
    everything = [*names, *endless][::-1]
    assert [operation.name for operation in wire.list().operations] == everything
    assert [operation.name for operation in wire.list(name="operations").operations] == everything
    seen, token, pages = [], "", 0
    while True:
        page = wire.list(page_size=4, page_token=token)
        seen += [operation.name for operation in page.operations]
        token, pages = page.next_page_token, pages + 1
        if not token:
            break
    assert (seen, pages) == (everything, 3)
    first = wire.list(page_size=3)
    late = wire.start(wish(count=2)).name  # newer runs do not move the pages
    second = wire.list(page_size=3, page_token=first.next_page_token)
    assert [operation.name for operation in second.operations] == everything[3:6]

    def found(text: str) -> list[str]:
        return [operation.name for operation in wire.list(filter=text).operations]

    assert found("state=RUNNING") == [endless[0]]
    assert found("state=QUEUED") == [late, endless[1]]
    assert found("state=SUCCEEDED") == names[::-1]
    assert found("state=SUCCEEDED AND client=nobody") == []
    client = metadata_of(wire.get(late)).client
    assert found(f'client="{client}" AND state=RUNNING') == [endless[0]]
    assert wire.list(filter="state=SUCCEEDED", page_size=7).next_page_token == ""
    assert metadata_of(wire.get(late)).queue_position == 2
    assert metadata_of(wire.get(endless[1])).queue_position == 1
    assert metadata_of(wire.get(endless[0])).queue_position == 0
    for text in (
        "state=DONE",
        "status=RUNNING",
        "RUNNING",
        "state=RUNNING OR client=x",
        "client=a AND client=b",
    ):
        with pytest.raises(ArgumentError):
            wire.list(filter=text)
    for bad in (
        {"page_token": "x"},
        {"page_token": "é"},
        {"page_token": first.next_page_token, "filter": "state=RUNNING"},
        {"page_size": -1},
        {"name": "operation"},
    ):
        with pytest.raises(ArgumentError):
            wire.list(**bad)
    for name in endless:
        wire.cancel(name)
    assert found("state=CANCELLED") == endless[::-1]


def test_long_lists() -> None:
    with Store() as store:
        runs = Runs(store, Limits(client_runs=2_000, unfinished_runs=2_000))
        for _ in range(1_003):
            runs.start(wish(count=2), "me")
        page = runs.page(before=None, most=1_000)
        assert len(page.items) == 1_000
        assert page.after is not None
        assert len(runs.page(before=page.after, most=1_000).items) == 3
        assert runs.page(before=page.after, most=3).after is None
        assert runs.page(before=None, most=10, state=State.RUNNING) == Page([], None)


def test_waiting(wire: Wire) -> None:
    name = wire.start(ENDLESS).name
    begun = time.monotonic()
    assert not wire.wait(name, seconds=0.3).done
    assert 0.25 < time.monotonic() - begun < 5
    assert not wire.wait(name, seconds=0).done
    begun = time.monotonic()
    assert not wire.wait(name, deadline=1).done  # in time, not too late
    assert time.monotonic() - begun < 1
    with futures.ThreadPoolExecutor(8) as pool:
        waiting = [pool.submit(wire.wait, name) for _ in range(8)]
        time.sleep(0.2)
        wire.cancel(name)
        assert all(wait.result(5).done for wait in waiting)
    assert wire.wait(name).done


def test_watching(wire: Wire) -> None:
    request = wish(count=20_000)
    name = wire.start(request).name
    seen, times = [], []
    for operation in wire.watch(name):
        seen.append(metadata_of(operation))
        times.append(time.monotonic())
    assert len(seen) >= 3
    assert seen[-1].state == pb2.RUN_STATE_SUCCEEDED
    assert [told.matches_done for told in seen] == sorted(told.matches_done for told in seen)
    assert seen[-1].matches_done == 20_000
    for told in seen:
        assert told.summary.match_count == told.matches_done == sum(told.summary.reason_counts)
    running = [told for told in seen if told.matches_per_second]
    assert running
    for told in running:
        assert told.state == pb2.RUN_STATE_RUNNING
        left = (20_000 - told.matches_done) / told.matches_per_second
        assert told.time_left.ToMilliseconds() == pytest.approx(1e3 * left, abs=2)
        assert told.decisions_per_second > told.matches_per_second
    # At most five a second; only the last may follow at once.
    assert all(late - early > 0.15 for early, late in pairwise(times[:-1]))
    assert [operation.done for operation in wire.watch(name)] == [True]


def test_many_watchers_and_one_that_sleeps(wire: Wire) -> None:
    name = wire.start(ENDLESS).name
    sleeper = wire.watch(name)
    next(sleeper)
    with futures.ThreadPoolExecutor(20) as pool:
        watching = [pool.submit(lambda: [metadata_of(each) for each in wire.watch(name)]) for _ in range(20)]
        until(lambda: metadata_of(wire.get(name)).matches_done > 0)
        done = metadata_of(wire.get(name)).matches_done
        until(lambda: metadata_of(wire.get(name)).matches_done > done)
        wire.cancel(name)
        ends = [watch.result(10)[-1] for watch in watching]
    assert {told.state for told in ends} == {pb2.RUN_STATE_CANCELLED}
    *_, last = sleeper
    assert metadata_of(last).state == pb2.RUN_STATE_CANCELLED


def test_watchers_that_leave_are_forgotten(tmp_path: Path) -> None:
    with Server(port=0, store=tmp_path / "runs.sqlite3") as server, Wire(server.address) as wire:
        name = wire.start(ENDLESS).name
        for _ in range(5):
            watch = wire.watch(name)
            next(watch)
            watch.close()
        job = server._runs._jobs[name]
        until(lambda: server._dispatch.streams == 0)
        until(lambda: not job._waiters)
        wire.cancel(name)


@pytest.mark.parametrize("name", ["", "operations/", "operations/" + "0" * 32, "x" * 10_000, "operations/é"])
def test_names_of_nothing(wire: Wire, name: str) -> None:
    for ask in (*ASKING, Wire.cancel, Wire.resume, Wire.delete):
        with pytest.raises(RunNotFoundError, match="there is no run"):
            ask(wire, name)


class _Full:
    """Makes the store of runs fail as a full disk does."""

    def __init__(self, runs: Runs) -> None:
        self._writer = runs._store._writer
        self._lock = runs._store._writing

    def __enter__(self) -> None:
        with self._lock:
            pages = self._writer.execute("PRAGMA page_count").fetchone()[0]
            self._writer.execute(f"PRAGMA max_page_count={pages}")

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._writer.execute("PRAGMA max_page_count=1000000000")


def _start_many(runs: Runs) -> None:
    for _ in range(90):  # a little may still fit
        runs.start(wish(count=1, setup_json="{}" + " " * 200_000), "you")


@pytest.mark.usefixtures("short_pauses")
def test_a_full_store_stalls_a_run_until_there_is_room(opened: Callable[..., Runs]) -> None:
    runs = opened()
    name = runs.start(wish(count=20_000), "me").row.name
    until(lambda: runs.get(name, None).row.done > 0)
    with _Full(runs):
        until(lambda: runs.get(name, None).row.state is State.STALLED)
        view = runs.get(name, None)
        assert "full" in view.obstacle
        assert (view.matches_per_second, view.seconds_left) == (0, None)
        time.sleep(0.3)
        assert runs.get(name, None).row.done == view.row.done
        assert len(list(runs.rows(name, None, None, None).batches())) == 1  # what is there can be read
        with pytest.raises(StoreFullError):
            _start_many(runs)
    view = finished(runs, name)
    assert (view.row.state, view.obstacle) == (State.SUCCEEDED, "")
    assert view.row.summary == summary_to_proto(in_process(wish(count=20_000))).SerializeToString()


@pytest.mark.usefixtures("short_pauses")
def test_a_stalled_run_can_be_cancelled_or_left(opened: Callable[..., Runs]) -> None:
    runs = opened()
    names = [runs.start(wish(count=100_000), "me").row.name for _ in range(2)]
    until(lambda: runs.get(names[0], None).row.done > 0)
    with _Full(runs):
        until(lambda: runs.get(names[0], None).row.state is State.STALLED)
        done = runs.get(names[0], None).row.done
        runs.cancel(names[0], None)
        assert runs.get(names[0], None).row.state is State.CANCELLED
        until(lambda: runs.get(names[1], None).row.state is State.STALLED)
        begun = time.monotonic()
        runs.stop(10)
        assert time.monotonic() - begun < 5
    assert runs.get(names[0], None).row.done == done
    runs = opened()
    until(lambda: runs.get(names[1], None).row.done > 0)
    runs.cancel(names[1], None)


@pytest.mark.usefixtures("short_pauses")
def test_watchers_hear_of_a_full_store(tmp_path: Path) -> None:
    with Server(port=0, store=tmp_path / "runs.sqlite3") as server, Wire(server.address) as wire:
        request = wish(count=15_000)
        name = wire.start(request).name
        watch = wire.watch(name)
        with _Full(server._runs):
            for operation in watch:
                told = metadata_of(operation)
                if told.state == pb2.RUN_STATE_STALLED:
                    break
            assert "full" in told.obstacle
        *_, last = watch
        assert summary_of(last) == summary_to_proto(in_process(request))


def test_newer_waits_and_hears(opened: Callable[..., Runs]) -> None:
    runs = opened(begin=False)
    view = runs.start(wish(count=50), "me")

    async def ask() -> list[RunView]:
        same = await runs.newer(view, 0.05)
        assert same == view
        runs.begin()
        seen = [view]
        while not seen[-1].over:
            seen.append(await runs.newer(seen[-1]))
        return seen

    seen = asyncio.run(ask())
    assert [each.version for each in seen] == sorted({each.version for each in seen})
    assert seen[-1].row == runs.get(view.row.name, None).row


def test_watching_a_run_that_is_stored_but_not_queued_yet(opened: Callable[..., Runs]) -> None:
    """Its watcher kept the event loop busy for ever, and with it the whole server."""
    runs = opened(begin=False)
    name = runs.start(wish(count=5), "me").name
    stored = runs._stored(name)
    assert stored is not None
    assert stored.job is None

    async def watch() -> RunView:
        return await runs.next_view(stored, asyncio.get_running_loop().time, 0.0)

    assert asyncio.run(asyncio.wait_for(watch(), 30)).job is not None
