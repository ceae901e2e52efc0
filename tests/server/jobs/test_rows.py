"""Rows of runs: the same as in one call, in every format, whatever the chunks."""

import io
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from sengoku.engine.report import RESULTS, MatchReport
from sengoku.errors import (
    ArgumentError,
    BusyError,
    MissingDependencyError,
    QuotaError,
    RunNotFoundError,
    RunNotOverError,
)
from sengoku.server import Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.server.jobs import rows as rows_module
from sengoku.server.jobs import run_playing
from sengoku.server.jobs.runs import Runs
from sengoku.server.limits import Limits
from sengoku.storage import Chunk, Store
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.simulation import pack_rows, summary_to_proto
from support.runs import (
    ARROW,
    ENDLESS,
    PACKED,
    PARQUET,
    WISHES,
    finished,
    in_process,
    packed_report,
    until,
    wish,
)
from support.wire import Wire, metadata_of, summary_of


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
    assert summary_of(last) == summary_to_proto(expected)
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
        monkeypatch.setattr(run_playing, "_FIRST_CHUNK", first)
        monkeypatch.setattr(run_playing, "_LARGEST_CHUNK", most)
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
        with pytest.raises(MissingDependencyError, match="this server lacks pyarrow") as refused:
            list(wire.read(name, row_format))
        assert refused.value.details["package"] == "pyarrow"
        assert "pip install" not in str(refused.value)
    assert len(packed_report(wire, name, wish(count=5))) == 5


def test_one_batch_is_in_memory_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader takes chunks as it goes, not ahead."""
    monkeypatch.setattr(rows_module, "ROW_GROUP", 10)
    with Store(tmp_path / "runs.sqlite3") as store:
        runs = Runs(store, Limits())
        monkeypatch.setattr(run_playing, "_LARGEST_CHUNK", 5)
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


def test_rows_are_packed_once(opened: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes that are stored for a chunk are those that are served."""
    packed: list[bytes] = []
    pack = pack_rows

    def count(report: MatchReport) -> bytes:
        packed.append(pack(report))
        return packed[-1]

    monkeypatch.setattr("sengoku.server.jobs.healing.pack_rows", count)
    runs = opened()
    name = finished(runs, runs.start(wish(count=10), "me").name).name
    (response,) = runs.rows(name, None, None, None).packed()
    columns = [getattr(response.packed.rows, column).content for column in RESULTS]
    assert packed == [b"".join(columns)]
