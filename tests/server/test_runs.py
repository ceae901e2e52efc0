"""Long runs: the same rows as in one call, whoever interrupts, cancels, watches or fills the store."""

import asyncio
import io
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import grpc
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from sengoku import engine, run_matches
from sengoku._core import Cancel
from sengoku.engine.report import MatchReport
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
    ShuttingDownError,
    StoreFullError,
)
from sengoku.server import Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.server.fair_queue import FairQueue
from sengoku.server.jobs import job as job_module
from sengoku.server.jobs import rows as rows_module
from sengoku.server.jobs import runs as runs_module
from sengoku.server.jobs.runs import Runs, RunView
from sengoku.server.limits import Limits
from sengoku.server.paging import Page
from sengoku.storage import Chunk, State, Store
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire import convert
from support.wire import Wire, metadata_of, reason_of, summary_of

PACKED, ARROW, PARQUET = pb2.ROW_FORMAT_PACKED, pb2.ROW_FORMAT_ARROW, pb2.ROW_FORMAT_PARQUET


def wish(game: str = "tower", count: int = 500, **more: object) -> pb2.RunMatchesRequest:
    options = {"bots": ["random"], "match_count": count, "seed": 11, "first_match": 7, **more}
    return pb2.RunMatchesRequest(game=game, **options)


WISHES = {
    "swords": wish("swords", 40, seats=3, setup_json='{"max_rounds": 2}', bots=["greedy", "random"]),
    "tower": wish("tower", 200, seats=4, setup_json='{"court": true}'),
    "battles": wish("battles", 60, setup_json='{"scenario": 8}', first_match=(1 << 64) - 60),
}
ENDLESS = wish(count=100_000_000)


def in_process(request: pb2.RunMatchesRequest) -> MatchReport:
    return run_matches(
        request.game,
        bots=list(request.bots),
        seats=request.seats if request.HasField("seats") else None,
        match_count=request.match_count,
        first_match=request.first_match,
        seed=request.seed,
        setup=json.loads(request.setup_json or "{}"),
    )


def packed_report(wire: Wire, name: str, request: pb2.RunMatchesRequest, **span: int) -> MatchReport:
    parts = [part.packed for part in wire.read(name, PACKED, **span)]
    place = parts[0].first_match
    for part in parts:
        assert part.first_match == place
        place += part.match_count
    asked = pb2.RunMatchesRequest()
    asked.CopyFrom(request)
    asked.first_match = parts[0].first_match
    asked.setup_json = request.setup_json or "{}"
    return convert.report_from_proto(
        asked, [part.rows for part in parts], [part.match_count for part in parts]
    )


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of a few matches, so that every run has many."""
    monkeypatch.setattr(runs_module, "_FIRST_CHUNK", 3)
    monkeypatch.setattr(runs_module, "_LARGEST_CHUNK", 17)


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    with Server(port=0, store=tmp_path / "runs.sqlite3") as server, Wire(server.address) as calls:
        yield calls


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., Runs]]:
    """Opens runs on the same file again and again."""
    closing: list[Callable[[], None]] = []

    def close() -> None:
        while closing:
            closing.pop()()

    def make(*, begin: bool = True, queue: FairQueue | None = None, **limits: int) -> Runs:
        close()
        store = Store(tmp_path / "runs.sqlite3")
        runs = Runs(store, Limits(**limits), queue=queue)
        closing.extend([store.close, lambda: runs.stop(0)])
        if begin:
            runs.begin()
        return runs

    yield make
    close()


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, "it takes too long"
        time.sleep(0.005)


def finished(runs: Runs, name: str) -> RunView:
    until(lambda: runs.get(name, None).over)
    return runs.get(name, None)


# The rows


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("game", WISHES)
def test_the_report_is_that_of_one_call(wire: Wire, game: str, tmp_path: Path) -> None:
    request = WISHES[game]
    operation = wire.start(request)
    assert not operation.done
    assert operation.name.startswith("operations/")
    assert len(operation.name) == len("operations/") + 32
    last = wire.wait(operation.name)
    expected = in_process(request)
    assert summary_of(last) == convert.summary_to_proto(expected)
    told = metadata_of(last)
    assert told.run == request
    assert (told.state, told.matches_done) == (pb2.RUN_STATE_SUCCEEDED, request.match_count)
    assert told.end_time.ToNanoseconds() >= told.create_time.ToNanoseconds() > 0
    assert (told.matches_per_second, told.HasField("time_left"), told.queue_position) == (0, False, 0)
    assert packed_report(wire, operation.name, request) == expected
    expected.to_parquet(tmp_path / "expected.parquet")
    assert wire.file(operation.name, PARQUET) == (tmp_path / "expected.parquet").read_bytes()
    table = pa.ipc.open_stream(wire.file(operation.name, ARROW)).read_all()
    assert table.equals(parquet.read_table(tmp_path / "expected.parquet"))
    assert json.loads(table.schema.metadata[b"sengoku"]) == json.loads(json.dumps(expected.about()))


def test_sums_are_those_of_the_columns() -> None:
    rows = in_process(wish(count=200))
    whole = convert.summary_to_proto(rows)
    assert list(whole.wins) == rows.wins.tolist()
    assert dict(zip(whole.reasons, whole.reason_counts, strict=True)) == rows.reason_counts
    assert (whole.draws, whole.no_results, whole.match_count) == (rows.draws, rows.no_results, 200)
    assert whole.rounds_sum == sum(rows.rounds.tolist())
    assert whole.decisions_square_sum == sum(number**2 for number in rows.decisions.tolist())
    assert whole.rounds_square_sum == sum(number**2 for number in rows.rounds.tolist())
    assert whole.digest_sum == sum(rows.digest.tolist()) % (1 << 64)
    parts = [
        in_process(wish(count=count, first_match=first)) for first, count in ((7, 1), (8, 150), (158, 49))
    ]
    total = convert.summary_to_proto(parts[0])
    for part in parts[1:]:
        total = convert.add_summary(total, convert.summary_to_proto(part))
    assert total == whole
    assert total.SerializeToString() == whole.SerializeToString()


def test_squares_of_the_longest_matches_fit() -> None:
    """No match has more than 5 * 10^7 decisions: as many as a server allows in a run, in the worst spread."""
    longest = 50_000_000
    matches = Limits().run_decisions // longest
    assert matches * longest**2 < 1 << 64
    column = np.full(3, longest, np.uint32)
    rows = in_process(wish(count=3))
    rows = MatchReport(**{**rows.__dict__, "decisions": column})
    assert convert.summary_to_proto(rows).decisions_square_sum == 3 * longest**2


def test_packed_rows_come_back() -> None:
    rows = in_process(wish("swords", 9, seats=5, setup_json='{"max_rounds": 1}'))
    data = convert.pack_rows(rows)
    assert len(data) == 9 * convert.row_bytes(5)
    for name, column in convert.unpack_rows(data, 9, 5).items():
        assert np.array_equal(column, getattr(rows, name))
        assert column.dtype == getattr(rows, name).dtype
    with pytest.raises(SengokuError, match="bytes are not 9 rows"):
        convert.unpack_rows(data[:-1], 9, 5)


@pytest.mark.usefixtures("small_chunks")
def test_ranges(wire: Wire, tmp_path: Path) -> None:
    request = wish(count=100)
    name = wire.start(request).name
    wire.wait(name)
    whole = in_process(request)
    for first, count in ((7, 100), (7, 1), (30, 40), (106, 1), (31, 0), (107, 0)):
        part = packed_report(wire, name, request, first_match=first, match_count=count)
        chosen = slice(first - 7, first - 7 + count)
        assert part.match_index.tolist() == list(range(first, first + count))
        assert np.array_equal(part.digest, whole.digest[chosen])
        if count:
            alone = in_process(wish(count=count, first_match=first))
            alone.to_parquet(tmp_path / "alone.parquet")
            span = {"first_match": first, "match_count": count}
            assert wire.file(name, PARQUET, **span) == (tmp_path / "alone.parquet").read_bytes()
            table = pa.ipc.open_stream(wire.file(name, ARROW, **span)).read_all()
            assert table.column("digest").to_pylist() == alone.digest.tolist()
    assert packed_report(wire, name, request, first_match=50).match_index.tolist() == list(range(50, 107))
    assert len(packed_report(wire, name, request, match_count=20)) == 20
    empty = parquet.read_table(io.BytesIO(wire.file(name, PARQUET, match_count=0)))
    assert empty.num_rows == 0
    assert empty.column_names == list(whole.flat())
    for span in ({"first_match": 6}, {"first_match": 108}, {"match_count": 101}, {"first_match": 0}):
        with pytest.raises(ArgumentError, match="the run has 100 matches from number 7"):
            list(wire.read(name, PACKED, **span))
    with pytest.raises(ArgumentError, match="format: unknown value 9"):
        list(wire.read(name, 9))


@pytest.mark.parametrize("row_format", [PACKED, ARROW, PARQUET])
def test_the_bytes_do_not_depend_on_the_chunks(
    row_format: int, opened: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows_module, "ROW_GROUP", 64)
    monkeypatch.setattr(rows_module, "_PIECE", 500)
    seen = set()
    for first, most in ((1, 5), (64, 64), (100, 1_000), (7, 200)):
        monkeypatch.setattr(runs_module, "_FIRST_CHUNK", first)
        monkeypatch.setattr(runs_module, "_LARGEST_CHUNK", most)
        runs = opened()
        name = runs.start(wish(count=300), "me").row.name
        finished(runs, name)
        parts = list(rows_module.FORMATS[row_format](runs.rows(name, None, None, None)))
        assert len(parts) >= 5
        seen.add(b"|".join(part.SerializeToString() for part in parts))
    assert len(seen) == 1


@pytest.mark.usefixtures("small_chunks")
def test_rows_of_a_run_that_is_not_over(wire: Wire) -> None:
    name = wire.start(ENDLESS).name
    until(lambda: metadata_of(wire.get(name)).matches_done >= 20)
    part = packed_report(wire, name, ENDLESS, match_count=20)
    assert part == in_process(wish(count=20))
    with pytest.raises(RunNotOverError, match=r"matches of operations/\w+ are done, not 100000000"):
        list(wire.read(name, PACKED, match_count=100_000_000))
    assert len(packed_report(wire, name, ENDLESS)) >= 20
    wire.cancel(name)
    done = metadata_of(wire.get(name)).matches_done
    assert len(packed_report(wire, name, ENDLESS)) == done  # what was done of a cancelled run is there


def test_without_pyarrow(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    name = wire.start(wish(count=5)).name
    wire.wait(name)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    for row_format in (ARROW, PARQUET):
        with pytest.raises(ArgumentError, match=r"pip install 'sengoku\[parquet\]'"):
            list(wire.read(name, row_format))
    assert len(packed_report(wire, name, wish(count=5))) == 5


def test_one_batch_is_in_memory_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader takes chunks as it goes, not ahead."""
    monkeypatch.setattr(rows_module, "ROW_GROUP", 10)
    with Store(tmp_path / "runs.sqlite3") as store:
        runs = Runs(store, Limits())
        monkeypatch.setattr(runs_module, "_LARGEST_CHUNK", 5)
        runs.begin()
        name = runs.start(wish(count=100), "me").row.name
        finished(runs, name)
        asked: list[int] = []
        chunk_at = store.runs.chunk_at

        def counted(run: int, place: int) -> Chunk | None:
            asked.append(place)
            return chunk_at(run, place)

        monkeypatch.setattr(store.runs, "chunk_at", counted)
        batches = runs.rows(name, None, None, None).batches()
        next(batches)
        assert max(asked) < 10
        runs.delete(name, None)
        until(lambda: not store.runs.sweep())
        with pytest.raises(RunNotFoundError):
            list(batches)
        runs.stop()


# Beginning


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


# Limits


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
    taken = sum(len(row.request) for row in runs._store.runs.unfinished()) + 2_500 * convert.row_bytes(3)
    assert runs._store.runs.bytes_reserved() == taken
    room = wish(count=500).ByteSize() + 500 * convert.row_bytes(3)
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


def test_reading_has_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    may_end = threading.Event()
    packed = rows_module.Rows.packed

    def held(rows: rows_module.Rows) -> Iterator[pb2.ReadRunResponse]:
        yield from packed(rows)
        may_end.wait(60)

    for row_format in (pb2.ROW_FORMAT_UNSPECIFIED, PACKED):
        monkeypatch.setitem(rows_module.FORMATS, row_format, held)
    made = {name: make_token(name, "run") for name in ("ann", "bob", "cat")}
    file = tmp_path / "tokens.toml"
    file.write_text("".join(lines for _, lines in made.values()))
    file.chmod(0o600)
    limits = Limits(reads=3, client_reads=2)
    server = Server(port=0, access=Access(Tokens(file)), limits=limits)
    ann, bob, cat = (Wire(server.address, token) for token, _ in made.values())
    with server, ann, bob, cat:
        names = {wire: wire.start(wish(count=30)).name for wire in (ann, bob, cat)}
        for wire, name in names.items():
            wire.wait(name)
        # A call that has not ended holds a place.
        sleepers = [ann.read(names[ann]), ann.read(names[ann]), bob.read(names[bob])]
        for sleeper in sleepers[:2]:
            next(sleeper)
        with pytest.raises(QuotaError, match="ann uses 2 of 2 calls of ReadRun") as told:
            list(ann.read(names[ann]))
        assert told.value.retry_after
        next(sleepers[2])
        with pytest.raises(BusyError, match="3 of 3 calls of ReadRun are in use") as busy:
            list(cat.read(names[cat]))
        assert busy.value.retry_after
        may_end.set()
        for sleeper in sleepers:
            sleeper.close()
        until(lambda: not server._dispatch.streams)
        assert sum(part.packed.match_count for part in cat.read(names[cat])) == 30


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


def test_runs_of_long_ago_go(opened: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch) -> None:
    runs = opened(run_keep_days=30)
    name = finished(runs, runs.start(wish(count=3), "me").row.name).row.name
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 29 * 86_400 * 10**9)
    runs = opened(run_keep_days=30)
    time.sleep(0.2)
    assert runs.get(name, None).over
    monkeypatch.setattr(time, "time_ns", lambda: now + 31 * 86_400 * 10**9)
    runs = opened(run_keep_days=30)
    until(lambda: runs.counts()["SUCCEEDED"] == 0)


# Looking


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
        time.sleep(1.5)
        done = metadata_of(wire.get(name)).matches_done
        assert done > 0
        time.sleep(1)
        assert metadata_of(wire.get(name)).matches_done > done
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


ASKING: list[Callable[[Wire, str], object]] = [
    Wire.get,
    Wire.wait,
    lambda wire, name: list(wire.watch(name)),
    lambda wire, name: list(wire.read(name)),
]


@pytest.mark.parametrize("name", ["", "operations/", "operations/" + "0" * 32, "x" * 10_000, "operations/é"])
def test_names_of_nothing(wire: Wire, name: str) -> None:
    for ask in (*ASKING, Wire.cancel, Wire.delete):
        with pytest.raises(RunNotFoundError, match="there is no run"):
            ask(wire, name)


# Ending


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
            assert convert.parse(pb2.RunSummary, row.summary).match_count == row.done
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
    for ask in (wire.get, wire.delete, wire.cancel, lambda n: list(wire.read(n))):
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
        for act in (bob.cancel, bob.delete):
            with pytest.raises(RunNotFoundError):
                act(mine)
        for act in (eye.cancel, eye.delete, lambda _: eye.start(wish())):
            with pytest.raises(NotAllowedError):
                act(mine)
        assert bob.start(wish(count=3), "wish").name != mine  # wishes are each client's own
        assert [each.name for each in ann.list().operations] == [mine]
        assert len(boss.list().operations) == 2
        assert [each.name for each in boss.list(filter="client=ann").operations] == [mine]
        boss.cancel(mine)
        assert reason_of(ann.get(mine)) == "CANCELLED"
        boss.delete(mine)
        assert not ann.list().operations


# Turns


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


# Going on


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
    assert runs.get(name, None).row.summary == convert.summary_to_proto(expected).SerializeToString()
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
    pack = convert.pack_rows

    def fail(rows: MatchReport) -> bytes:
        if rows.seed == 13:
            raise RuntimeError("the password is rosebud")
        return pack(rows)

    monkeypatch.setattr(convert, "pack_rows", fail)
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


# A store that is full


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


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module, "PAUSE_SECONDS", (0.02, 0.1))


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
    assert view.row.summary == convert.summary_to_proto(in_process(wish(count=20_000))).SerializeToString()


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
        assert summary_of(last) == convert.summary_to_proto(in_process(request))


# Asking from a loop


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
