"""A server that is killed at any moment resumes its runs: at most the chunk being played is lost."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sengoku import run_matches
from sengoku.engine.report import MatchReport
from sengoku.engine.requests import RunRequest
from sengoku.errors import ArgumentError
from sengoku.server import Server
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.simulation import report_from_proto, run_to_proto, summary_to_proto
from support.wire import Wire, metadata_of, summary_of

RUNS = {
    "swords": {"bots": ["greedy", "random"], "seats": 3, "setup": {"max_rounds": 4}, "match_count": 1_200},
    "tower": {"bots": ["random"], "seats": 4, "setup": {"court": True}, "match_count": 14_000},
    "battles": {"bots": ["random"], "setup": {"scenario": 8}, "match_count": 1_500},
}
"""Each takes a second or two on an idle machine."""


def request_of(game: str, seed: int) -> pb2.RunMatchesRequest:
    plain = {"seats": None, "first_match": 5, "seed": seed, **RUNS[game]}
    return run_to_proto(RunRequest.create(game, **plain))


def expected_of(game: str, seed: int) -> MatchReport:
    return run_matches(game, **{"first_match": 5, "seed": seed, **RUNS[game]})


@contextmanager
def serving(store: Path) -> Iterator[tuple[subprocess.Popen[str], Wire]]:
    command = [sys.executable, "-m", "sengoku.cli", "serve", "--port", "0", "--store", str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().removeprefix("listening on ").strip()
            assert address, process.communicate()[1]
            with Wire(address) as wire:
                yield process, wire
        finally:
            process.kill()


def kill_and_finish(
    folder: Path, chance: random.Random, seed: int, *, kills: int = 3, games: tuple[str, ...] = tuple(RUNS)
) -> list[tuple[int, int]]:
    """Starts a run of each game, kills the server several times, and compares the finished runs.

    Returns, for each kill, the number of stored matches at the start of that server and before the kill.
    """
    store = folder / "runs.sqlite3"
    names: dict[str, str] = {}
    moments: list[tuple[int, int]] = []
    stored = dict.fromkeys(games, 0)
    while True:
        with serving(store) as (process, wire):
            for game in games:
                # The same request id is the same run, whether or not its answer arrived.
                name = wire.start(request_of(game, seed), f"request {seed} {game}").name
                assert names.setdefault(game, name) == name
            found = {game: metadata_of(wire.get(names[game])).matches_done for game in games}
            assert all(found[game] >= stored[game] for game in games), (found, stored)
            if len(moments) == kills:
                for game in games:
                    check(wire, names[game], game, seed, folder)
                return moments
            time.sleep(chance.uniform(0, 1.2))
            stored = {game: metadata_of(wire.get(names[game])).matches_done for game in games}
            moments.append((sum(found.values()), sum(stored.values())))
            time.sleep(chance.uniform(0, 0.1))
            process.kill()
            process.wait()


def check(wire: Wire, name: str, game: str, seed: int, folder: Path) -> None:
    """Waits for the end of a run and compares every byte of it."""
    last = wire.wait(name)
    expected = expected_of(game, seed)
    assert summary_of(last).SerializeToString() == summary_to_proto(expected).SerializeToString()
    parts = [part.packed for part in wire.read(name, pb2.ROW_FORMAT_PACKED)]
    counts = [part.match_count for part in parts]
    assert report_from_proto(request_of(game, seed), [part.rows for part in parts], counts) == expected
    expected.to_parquet(folder / "expected.parquet")
    assert wire.file(name, pb2.ROW_FORMAT_PARQUET) == (folder / "expected.parquet").read_bytes()


def test_a_server_killed_once_goes_on(tmp_path: Path) -> None:
    assert len(kill_and_finish(tmp_path, random.Random(1), seed=1, kills=1, games=("tower",))) == 1


@pytest.mark.system
def test_a_killed_server_goes_on(tmp_path: Path) -> None:
    moments = kill_and_finish(tmp_path, random.Random(1), seed=1)
    assert any(stored for _, stored in moments)


@pytest.mark.system
@pytest.mark.timeout(1_800)
def test_twenty_killed_servers_go_on(tmp_path: Path) -> None:
    chance = random.Random(2)
    total = sum(int(run["match_count"]) for run in RUNS.values())
    moments: list[tuple[int, int]] = []
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        moments += kill_and_finish(folder, chance, seed=number)
    during = sum(stored < total for _, stored in moments)
    sys.stderr.write(f"\n20 of 20 stores: {len(moments)} kills, {during} of them during runs\n")
    assert during > 30


@pytest.mark.system
def test_the_store_of_a_live_server_is_refused(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite3"
    with serving(store) as (process, _):
        command = [sys.executable, "-m", "sengoku.cli", "serve", "--port", "0", "--store", str(store)]
        second = subprocess.run(command, capture_output=True, text=True, check=False)
        assert second.returncode == 2
        assert "another server uses it" in " ".join(second.stderr.split())
        with pytest.raises(ArgumentError, match="another server uses it"):
            Server(port=0, store=store)
        process.kill()
        process.wait()
    with serving(store) as (_, wire):
        assert not wire.list().operations


@pytest.mark.system
def test_sigterm_keeps_runs(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite3"
    with serving(store) as (process, wire):
        name = wire.start(request_of("tower", 1)).name
        while not (before := metadata_of(wire.get(name)).matches_done):
            time.sleep(0.02)
        begun = time.monotonic()
        process.terminate()
        assert process.wait(30) == 0
        assert time.monotonic() - begun < 15
    with serving(store) as (_, wire):
        assert metadata_of(wire.get(name)).matches_done >= before
        check(wire, name, "tower", 1, tmp_path)
