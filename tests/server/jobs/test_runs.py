"""Runs: starting, limits, retention, cancelling, deleting, turns of clients."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable
from concurrent import futures
from pathlib import Path

import grpc
import pytest

from sengoku.errors import (
    ArgumentError,
    BusyError,
    LimitError,
    NotAllowedError,
    QuotaError,
    RequestIdError,
    RunNotFoundError,
    RunNotOverError,
    SengokuError,
    SetupError,
    StoreFullError,
)
from sengoku.server import Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.server.jobs.runs import Runs, RunView
from sengoku.storage import State
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.simulation import row_bytes
from sengoku.wire.values import parse
from support.runs import (
    ASKING,
    ENDLESS,
    finished,
    in_process,
    until,
    wish,
)
from support.wire import Wire, metadata_of, reason_of


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"game": "chess"}, ArgumentError),
        ({"game": ""}, ArgumentError),
        ({"bots": ["nobody"]}, ArgumentError),
        ({"bots": []}, ArgumentError),
        ({"bots": ["random"] * 6}, SetupError),
        ({"seats": 17}, SetupError),
        ({"seats": -1}, SetupError),
        ({"setup_json": "{"}, SetupError),
        ({"setup_json": '{"colour": 1}'}, SetupError),
        ({"match_count": 0}, ArgumentError),
        ({"match_count": 2, "first_match": (1 << 64) - 1}, ArgumentError),
    ],
)
def test_wrong_requests_are_refused_as_in_one_call(
    wire: Wire, change: dict[str, object], error: type[SengokuError]
) -> None:
    request = wish(**{"count": 10, **{key: value for key, value in change.items() if key != "match_count"}})
    if "match_count" in change:
        request.match_count = change["match_count"]
    with pytest.raises(SengokuError) as told:
        wire.start(request)
    with pytest.raises(SengokuError) as expected:
        wire._call("/sengoku.v1.SimulationService/RunMatches", request, pb2.RunMatchesResponse)
    assert type(told.value) is type(expected.value) is error
    assert str(told.value) == str(expected.value)
    assert not wire.list().operations


def test_requests_only_a_run_refuses(wire: Wire) -> None:
    with pytest.raises(ArgumentError, match="threads is 2, a run requires 0"):
        wire.start(wish(threads=2))
    with pytest.raises(ArgumentError, match="request_id has 129 characters"):
        wire.start(wish(), "x" * 129)
    assert not wire.list().operations


def test_a_wish_is_one_run(wire: Wire) -> None:
    first = wire.start(wish(count=5), "monday ☂")
    assert wire.start(wish(count=5), "monday ☂").name == first.name
    assert wire.start(wish(count=5), "tuesday").name != first.name
    wire.wait(first.name)
    again = wire.start(wish(count=5), "monday ☂")
    assert again == wire.get(first.name)
    assert again.done
    with pytest.raises(RequestIdError, match="started a different run") as told:
        wire.start(wish(count=6), "monday ☂")
    assert told.value.details["name"] == first.name
    assert wire.start(wish(count=5)).name != wire.start(wish(count=5)).name
    assert len(wire.list().operations) == 4
    wire.delete(first.name)
    assert wire.start(wish(count=6), "monday ☂").name != first.name  # nothing is left of the wish


def test_one_wish_of_many_at_once(wire: Wire) -> None:
    with futures.ThreadPoolExecutor(16) as pool:
        names = set(pool.map(lambda _: wire.start(wish(count=5), "wish").name, range(32)))
    assert len(names) == 1


def test_a_wish_outlives_the_server(opened: Callable[..., Runs]) -> None:
    name = opened(begin=False).start(wish(count=30), "me", "wish").row.name
    runs = opened(client_runs=1)
    assert runs.start(wish(count=30), "me", "wish").row.name == name  # known wishes are in no quota
    finished(runs, name)
    assert runs.start(wish(count=30), "me", "wish").over


def test_limits(opened: Callable[..., Runs]) -> None:
    runs = opened(
        begin=False,
        run_matches=1_000,
        unfinished_runs=5,
        client_runs=3,
        store_bytes=1_000_000,
    )
    with pytest.raises(LimitError, match="run_matches is 1001, this server allows 1000"):
        runs.start(wish(count=1_001), "me")
    for _ in range(3):
        runs.start(wish(count=500), "me")
    with pytest.raises(QuotaError, match="me uses 3 of 3 unfinished runs, try again later") as quota:
        runs.start(wish(count=500), "me")
    runs.start(wish(count=500), "you")
    runs.start(wish(count=500), "she")
    with pytest.raises(BusyError, match="5 of 5 unfinished runs are in use, try again later") as busy:
        runs.start(wish(count=500), "it")
    for told in (quota, busy):
        assert 1 <= (told.value.retry_after or 0) <= 60
    taken = sum(len(row.request) for row in runs._store.runs.unfinished()) + 2_500 * row_bytes(3)
    assert runs._store.runs.bytes_reserved() == taken
    room = wish(count=500).ByteSize() + 500 * row_bytes(3)
    runs = opened(begin=False, store_bytes=taken + room, unfinished_runs=100)
    with pytest.raises(StoreFullError, match=r"the run needs \d+ bytes but only \d+ of \d+ are free") as full:
        runs.start(wish(count=501), "me")
    assert full.value.retry_after
    assert full.value.details["limit"] == str(taken + room)
    runs.start(wish(count=500), "me")


def test_requests_of_runs_are_short(opened: Callable[..., Runs]) -> None:
    runs = opened(begin=False, run_request_bytes=1_000)
    with pytest.raises(LimitError, match=r"run_request_bytes is \d+, this server allows 1000"):
        runs.start(wish(setup_json="{}" + " " * 1_000), "me")


def test_too_many_decisions(opened: Callable[..., Runs]) -> None:
    """However a run is cut it fails if it takes more in all, and only then."""
    decisions = int(in_process(wish(count=100)).decisions.sum())
    runs = opened(run_decisions=decisions)
    assert finished(runs, runs.start(wish(count=100), "me").row.name).row.state is State.SUCCEEDED
    runs = opened(run_decisions=decisions - 1)
    view = finished(runs, runs.start(wish(count=100), "me").row.name)
    assert view.row.state is State.FAILED
    assert isinstance(view.error, LimitError)
    assert 0 < view.row.done < 100


def test_old_runs_go(opened: Callable[..., Runs]) -> None:
    runs = opened(runs_kept=2)
    names = [runs.start(wish(count=3), "me").row.name for _ in range(5)]
    finished(runs, names[-1])
    until(lambda: runs.counts()["SUCCEEDED"] == 2)
    assert [view.row.name for view in runs.page(before=None, most=9).items] == names[:2:-1]


DAY = 86_400 * 10**9


def test_runs_of_long_ago_go(opened: Callable[..., Runs]) -> None:
    """Days count while the store is served, over all its servers."""
    served = [5 * DAY]
    runs = opened(run_keep_days=30, monotonic=lambda: served[0])
    name = finished(runs, runs.start(wish(count=3), "me").row.name).row.name
    served[0] += 20 * DAY
    runs._untidy.set()
    time.sleep(0.2)
    assert runs.get(name, None).over
    runs.stop(0)
    served[0] = 0  # as after a restart of the machine
    runs = opened(run_keep_days=30, monotonic=lambda: served[0])
    served[0] += 9 * DAY
    runs._untidy.set()
    time.sleep(0.2)
    assert runs.get(name, None).over
    served[0] += 2 * DAY
    runs._untidy.set()
    until(lambda: runs.counts()["SUCCEEDED"] == 0)


@pytest.mark.parametrize("days", [365, -365, 40, 36_500])
def test_a_clock_that_jumps_deletes_nothing(
    opened: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    served = [0]
    runs = opened(run_keep_days=30, monotonic=lambda: served[0])
    before = finished(runs, runs.start(wish(count=3), "me").row.name).row.name
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + days * DAY)
    during = finished(runs, runs.start(wish(count=3), "me").row.name).row.name
    for ahead in (days, 0, -days):
        monkeypatch.setattr(time, "time_ns", lambda ahead=ahead: now + ahead * DAY)
        runs = opened(run_keep_days=30, monotonic=lambda: served[0])
        after = finished(runs, runs.start(wish(count=3), "me").row.name).row.name
        time.sleep(0.2)
        for name in (before, during, after):
            assert runs.get(name, None).row.state is State.SUCCEEDED
    # It is not that nothing expires any more.
    served[0] += 31 * DAY
    runs._untidy.set()
    until(lambda: runs.counts()["SUCCEEDED"] == 0)


@pytest.mark.parametrize(
    "request_",
    [ENDLESS, wish("swords", 10_000, bots=["greedy"], seats=5), wish("battles", 10_000, bots=["greedy"])],
)
def test_cancelling_stops_the_work_at_once(request_: pb2.RunMatchesRequest, tmp_path: Path) -> None:
    with Server(port=0, store=tmp_path / "runs.sqlite3") as server, Wire(server.address) as wire:
        name = wire.start(request_).name
        until(lambda: metadata_of(wire.get(name)).matches_done > 0)
        time.sleep(0.2)
        begun = time.monotonic()
        wire.cancel(name)
        last = wire.get(name)
        assert last.done
        assert reason_of(last) == "CANCELLED"
        assert last.error.code == grpc.StatusCode.CANCELLED.value[0]
        assert metadata_of(last).state == pb2.RUN_STATE_CANCELLED
        # The next run has its turn as soon as the work has really ended.
        other = wire.start(wish(count=1)).name
        wire.wait(other)
        assert time.monotonic() - begun < 2
        wire.cancel(name)
        assert wire.get(name) == last


def test_the_work_ends_within_a_tenth_of_a_second(opened: Callable[..., Runs]) -> None:
    runs = opened()
    slowest = 0.0
    for request in (ENDLESS, wish("swords", 10_000, bots=["greedy"], seats=5)):
        name = runs.start(request, "me").row.name
        until(lambda name=name: runs.get(name, None).row.done > 0)
        time.sleep(0.3)
        begun = time.monotonic()
        runs.cancel(name, None)
        other = runs.start(wish(count=1), "me").row.name
        until(lambda other=other: runs.get(other, None).row.state is not State.QUEUED)
        slowest = max(slowest, time.monotonic() - begun)
    assert slowest < 0.5  # a tenth on a machine that has nothing else to do


@pytest.mark.usefixtures("small_chunks")
def test_cancelling_at_any_moment(opened: Callable[..., Runs]) -> None:
    """Whether a cancel or the last chunk is first: all who look see the same end, that which is written."""
    runs = opened()
    chance = random.Random(5)

    async def watched(view: RunView) -> RunView:
        while not view.over:
            view = await asyncio.wait_for(runs.newer(view), 30)
        return view

    async def all_of_it() -> Counter[State]:
        ends: Counter[State] = Counter()
        for _ in range(60):
            view = runs.start(wish(count=60), "me")
            watching = [asyncio.create_task(watched(view)) for _ in range(3)]
            await asyncio.sleep(chance.uniform(0, 0.04))
            await asyncio.to_thread(runs.cancel, view.row.name, None)
            seen = [(await watch).row for watch in watching]
            row = runs._store.runs.get(view.row.name)
            assert row is not None
            assert seen == [row] * 3
            assert sum(1 for _ in runs.rows(row.name, None, None, None).batches()) == (row.done > 0)
            assert parse(pb2.RunSummary, row.summary).match_count == row.done
            ends[row.state] += 1
        return ends

    ends = asyncio.run(all_of_it())
    assert ends[State.CANCELLED] > 5
    assert ends.total() == 60
    assert ends.keys() <= {State.CANCELLED, State.SUCCEEDED}


def test_deleting(wire: Wire) -> None:
    name = wire.start(ENDLESS).name
    with pytest.raises(RunNotOverError, match="cancel it first"):
        wire.delete(name)
    wire.cancel(name)
    wire.delete(name)
    for ask in (wire.get, wire.delete, wire.cancel, wire.resume, lambda n: list(wire.read(n))):
        with pytest.raises(RunNotFoundError):
            ask(name)
    assert not wire.list().operations


def test_clients_see_their_own(tmp_path: Path) -> None:
    made = {
        name: make_token(name, role)
        for name, role in (("ann", "run"), ("bob", "run"), ("eye", "read"), ("boss", "admin"))
    }
    file = tmp_path / "tokens.toml"
    file.write_text("".join(lines for _, lines in made.values()))
    file.chmod(0o600)
    server = Server(port=0, store=tmp_path / "runs.sqlite3", access=Access(Tokens(file)))
    wires = {name: Wire(server.address, token) for name, (token, _) in made.items()}
    ann, bob, eye, boss = wires.values()
    with server, ann, bob, eye, boss:
        mine = ann.start(ENDLESS, "wish").name
        assert metadata_of(ann.get(mine)).client == "ann"
        for other in (bob, eye):
            for ask in ASKING:
                with pytest.raises(RunNotFoundError) as told:
                    ask(other, mine)
                assert str(told.value) == f"there is no run {mine!r}"
            assert not other.list().operations
            assert not other.list(filter="client=ann").operations
        for act in (bob.cancel, bob.resume, bob.delete):
            with pytest.raises(RunNotFoundError):
                act(mine)
        for act in (eye.cancel, eye.resume, eye.delete, lambda _: eye.start(wish())):
            with pytest.raises(NotAllowedError):
                act(mine)
        assert bob.start(wish(count=3), "wish").name != mine  # wishes are each client's own
        assert [each.name for each in ann.list().operations] == [mine]
        assert len(boss.list().operations) == 2
        assert [each.name for each in boss.list(filter="client=ann").operations] == [mine]
        boss.cancel(mine)
        assert reason_of(ann.get(mine)) == "CANCELLED"
        assert metadata_of(boss.resume(mine)).client == "ann"
        ann.cancel(mine)
        boss.delete(mine)
        assert not ann.list().operations


@pytest.mark.usefixtures("small_chunks")
def test_clients_take_turns(opened: Callable[..., Runs]) -> None:
    """Who comes later with little is done long before who came with much."""
    runs = opened()
    much = [runs.start(wish(count=5_000), "greedy").row.name for _ in range(3)]
    little = runs.start(wish(count=30), "modest").row.name
    view = finished(runs, little)
    assert view.row.state is State.SUCCEEDED
    assert not any(runs.get(name, None).over for name in much)
    assert [runs.get(name, None).row.state for name in much[1:]] == [State.QUEUED] * 2
    for name in much:
        runs.cancel(name, None)


def test_places_in_the_queue(opened: Callable[..., Runs]) -> None:
    runs = opened(begin=False)
    names = [runs.start(wish(count=5), client).row.name for client in "aaabbc"]
    assert [runs.get(name, None).queue_position for name in names] == [0, 3, 5, 1, 4, 2]
