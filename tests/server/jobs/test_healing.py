"""Damaged chunks of a run are played again when they are read: what is served is always what was played."""

# ruff: noqa: S608 - the statements are written here

import random
from pathlib import Path

import pytest

from sengoku import Client
from sengoku.errors import DataCorruptError
from sengoku.server import Server
from sengoku.server.jobs import healing
from sengoku.storage import Store
from sengoku.storage.check import check
from sengoku.storage.repair import repair
from support import damage
from support.runs import ARROW, in_process, packed_report, until, wish
from support.wire import Wire, metadata_of, summary_of

pytestmark = pytest.mark.usefixtures("small_chunks")

REQUEST = wish(count=400)
CHUNK = "WHERE run = 1 AND first = (SELECT first FROM chunks ORDER BY first LIMIT 1 OFFSET 3)"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A store with one finished run of many chunks."""
    file = tmp_path / "runs.sqlite3"
    with Server(port=0, store=file) as server, Wire(server.address) as wire:
        wire.wait(wire.start(REQUEST).name)
    with Store(file) as store:
        assert len(store.runs.chunks.signatures(1)) > 10
    return file


def only(wire: Wire) -> str:
    (operation,) = wire.list().operations
    return str(operation.name)


@pytest.mark.parametrize(
    "statement",
    [
        f"UPDATE chunks SET rows = zeroblob(length(rows)) {CHUNK}",
        f"UPDATE chunks SET summary = x'00' {CHUNK}",
        f"UPDATE chunks SET count = count - 1 {CHUNK}",
        f"DELETE FROM chunks {CHUNK}",
        f"DELETE FROM chunk_checksums {CHUNK}",
        f"UPDATE chunk_checksums SET count = 100 {CHUNK}",
        f"UPDATE chunk_checksums SET rows = x'0011223344556677' {CHUNK}",
        "UPDATE chunks SET rows = (SELECT rows FROM chunks WHERE first > 0 LIMIT 1)",
        "DELETE FROM chunks WHERE first > 50",
    ],
)
def test_a_damaged_chunk_is_played_again(
    file: Path, statement: str, caplog: pytest.LogCaptureFixture
) -> None:
    damage.change(file, statement)
    with Server(port=0, store=file) as server, Wire(server.address) as wire:
        name, expected = only(wire), in_process(REQUEST)
        arrow = b"".join(part.data for part in wire.read(name, ARROW))
        assert packed_report(wire, name, REQUEST) == expected
        healed = server._runs.healer.healed
        assert healed > 0
        assert f"sengoku_chunks_healed {healed}.0" in server.metrics.page().decode()
        assert "they were played again, and are what they were" in caplog.text
        assert not server.problems()
        assert b"".join(part.data for part in wire.read(name, ARROW)) == arrow
        assert server._runs.healer.healed == healed
    with Server(port=0, store=file) as server, Wire(server.address) as wire:
        assert packed_report(wire, only(wire), REQUEST) == expected
        assert server._runs.healer.healed == 0


def test_what_would_be_played_differently_is_not_served(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damage.change(file, f"UPDATE chunks SET rows = zeroblob(length(rows)) {CHUNK}")
    damage.change(file, "DELETE FROM chunk_checksums WHERE first = (SELECT max(first) FROM chunk_checksums)")
    make = healing.make_chunk
    monkeypatch.setattr(
        healing,
        "make_chunk",
        lambda report, first: make(in_process(wish(count=len(report), seed=12)), first),
    )
    with Server(port=0, store=file, metrics_port=0) as server, Wire(server.address) as wire:
        name = only(wire)
        start = int(server._store.runs.chunks.signatures(1)[3].first)
        with pytest.raises(
            DataCorruptError, match=f"matches {start} to .* of {name} in the store .* are damaged"
        ) as why:
            list(wire.read(name))
        assert why.value.details["name"] == name
        assert why.value.details["first"] == str(start)
        # What is whole is served.
        whole = packed_report(wire, name, REQUEST, first_match=7, match_count=start)
        assert whole == in_process(wish(count=start))
        assert any(f"matches {start} to" in line for line in server.problems())
        with pytest.raises(DataCorruptError):
            list(wire.read(name, first_match=7 + 399, match_count=1))
        assert server._runs.healer.healed == 0


def test_a_run_goes_on_after_its_last_chunk_was_damaged(tmp_path: Path) -> None:
    file, request = tmp_path / "runs.sqlite3", wish(count=8_000)
    with Server(port=0, store=file) as server, Wire(server.address) as wire:
        name = wire.start(request).name
        until(lambda: metadata_of(wire.get(name)).matches_done > 10)
    damage.change(file, "DELETE FROM chunks WHERE first = (SELECT max(first) FROM chunks)")
    with Server(port=0, store=file) as server, Wire(server.address) as wire:
        wire.wait(name)
        assert packed_report(wire, name, request) == in_process(request)
        assert summary_of(wire.get(name)).match_count == 8_000
        assert server._runs.healer.healed == 1


SPEC = """
name = "spring"
seed = 5
bots = [{name = "one", bot = "random"}, {name = "two", bot = "random"}]
games = [{game = "tower", seats = 3, blocks = 4, setup = {max_rounds = 1}}]
"""


def test_what_a_repair_removed_is_played_again_by_the_next_server(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite3"
    with Server(port=0, store=file) as server, Wire(server.address) as wire, Client(server.address) as client:
        name = wire.start(REQUEST).name
        wire.wait(name)
        cup = client.create_tournament(SPEC)
        cup.wait(timeout=60)
        tables, played = cup.table("json"), list(cup.matches())
    damage.change(file, "UPDATE chunks SET rows = x'00' WHERE first IN (SELECT first FROM chunks LIMIT 5)")
    damage.change(file, "UPDATE matches SET result = 'x' WHERE number = 2")
    assert {finding.kind for finding in repair(file)[0]} == {"chunk", "match"}
    with Server(port=0, store=file) as server, Wire(server.address) as wire, Client(server.address) as client:
        until(lambda: server._runs.healer.healed == 5)
        assert packed_report(wire, name, REQUEST) == in_process(REQUEST)
        again = client.tournament(cup.name)
        again.wait(timeout=60)
        assert (again.table("json"), list(again.matches())) == (tables, played)
    assert check(file) == []


def test_flipped_bits_are_healed_or_named(file: Path, tmp_path: Path) -> None:
    expected, copy = in_process(REQUEST), tmp_path / "copy.sqlite3"
    served = 0
    for seed in range(12):
        damage.copy(file, copy)
        damage.flip(copy, random.Random(seed), 1 + seed % 3)
        try:
            server = Server(port=0, store=copy)
        except Exception as error:  # noqa: BLE001
            assert str(copy) in str(error), f"seed {seed}"  # noqa: PT017
            continue
        with server, Wire(server.address) as wire:
            try:
                assert packed_report(wire, only(wire), REQUEST) == expected, f"seed {seed}"
                served += 1
            except DataCorruptError:
                pass
    assert served > 6
