"""A server with a fleet: heavy work is done there, each match is stored once, and what is wrong is seen."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sengoku import Client, run_matches, swords
from sengoku.cli import status as status_view
from sengoku.fleet import Fleet
from sengoku.server import Server
from sengoku.server.services import odds
from support.fleet import ThreadPool, soon, thread_fleet

RUN: dict[str, Any] = {"game": "tower", "bots": ["random"], "seats": 3, "seed": 5, "setup": {"max_rounds": 1}}
BIG = RUN | {"match_count": 5000}


@pytest.fixture(scope="module")
def threads() -> Iterator[tuple[Fleet, ThreadPool]]:
    fleet, pool = thread_fleet("a", "b")
    with fleet:
        yield fleet, pool


@pytest.fixture(scope="module")
def client(threads: tuple[Fleet, ThreadPool]) -> Iterator[Client]:
    with Server(port=0, fleet=threads[0]) as server, Client(server.address) as made:
        yield made


def units(fleet: Fleet) -> int:
    # The status is that of the last tick: two new ones, so that the second began after the work had ended.
    for _ in range(2):
        seen = fleet.status
        soon(lambda seen=seen: fleet.status is not seen)  # type: ignore[misc]
    soon(lambda: fleet.status.tasks == 0)
    return sum(worker.units for worker in fleet.status.workers)


def test_runs_are_played_by_the_fleet(client: Client, threads: tuple[Fleet, ThreadPool]) -> None:
    before = units(threads[0])
    run = client.start_run(**BIG)
    run.wait()
    assert run.report() == run_matches(**BIG)
    assert units(threads[0]) - before >= 5000


def test_large_calls_are_played_by_the_fleet_and_small_ones_are_not(
    client: Client, threads: tuple[Fleet, ThreadPool]
) -> None:
    before = units(threads[0])
    small = RUN | {"match_count": 100}
    assert client.run_matches(**small) == run_matches(**small)
    assert units(threads[0]) == before
    assert client.run_matches(**BIG) == run_matches(**BIG)
    assert units(threads[0]) - before >= 5000


def test_large_batches_of_odds_are_answered_by_the_fleet(
    client: Client, threads: tuple[Fleet, ThreadPool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odds, "_FLEET_SECONDS", 1e-3)
    before = units(threads[0])
    asked = [swords.Battle(swords.Force(spear=1 + n % 5), swords.Force(spear=1 + n % 3)) for n in range(60)]
    how: dict[str, Any] = {"method": "sampled", "samples": 10_000, "seed": 3}
    assert client.batch_odds(asked, **how) == swords.batch_odds(asked, **how)
    assert units(threads[0]) - before >= 60


def test_tournaments_are_played_by_the_fleet(client: Client, threads: tuple[Fleet, ThreadPool]) -> None:
    before = units(threads[0])
    tournament = client.create_tournament(
        'bots = [{name = "greedy"}, {name = "random"}]\nblocks = 4\nseed = 2\n'
        '[[games]]\ngame = "tower"\nseats = 3\nsetup = {max_rounds = 1}\n'
    )
    tournament.wait()
    assert tournament.status.state == "succeeded"
    assert units(threads[0]) - before >= tournament.status.matches_done > 0


def test_the_status_lists_the_workers(client: Client) -> None:
    seen = status_view.look(client, "here")
    assert seen.status is not None
    assert seen.status["fleet"] == "threads"
    rows = {row["name"]: row for row in seen.status["fleet_workers"]}
    assert set(rows) == {"a", "b"}
    assert rows["a"]["state"] == "ready"
    assert rows["a"]["build"].startswith("0.")
    assert rows["a"]["threads"] == 1


def test_the_metrics_have_the_workers(threads: tuple[Fleet, ThreadPool]) -> None:
    with Server(port=0, fleet=threads[0]) as server:
        page = server.metrics.page().decode()
    assert 'sengoku_fleet_workers{state="ready"} 2.0' in page
    assert 'sengoku_fleet_ranges_in_flight{worker="a"} 0.0' in page


def test_a_run_resumes_on_the_fleet_after_a_restart(tmp_path: Path) -> None:
    store, fleet = str(tmp_path / "runs.sqlite3"), thread_fleet("a")[0]
    with fleet:
        with Server(port=0, fleet=fleet, store=store) as server, Client(server.address) as client:
            run = client.start_run(**BIG)
            soon(lambda: run.metadata().matches_done > 200)
            name = run.name
        with Server(port=0, fleet=fleet, store=store) as server, Client(server.address) as client:
            resumed = client.run(name)
            resumed.wait()
            assert resumed.report() == run_matches(**BIG)


def test_what_an_expelled_worker_had_wrong_is_corrected_in_the_store() -> None:
    wrong = {"bad": lambda played: played > 4}
    fleet, _ = thread_fleet("a", "b", "bad", wrong=wrong, checked=1.0)
    with fleet, Server(port=0, fleet=fleet) as server, Client(server.address) as client:
        run = client.start_run(**BIG)
        run.wait()
        assert run.report() == run_matches(**BIG)
        soon(lambda: any("disagrees" in line for line in server.problems()))
        summary = run.status.summary
        assert summary is not None
        assert summary.decisions_sum == int(run_matches(**BIG).decisions.sum())


def test_a_run_stalls_without_workers_and_goes_on_with_them() -> None:
    fleet, pool = thread_fleet(patience=0.5)
    with fleet, Server(port=0, fleet=fleet) as server, Client(server.address) as client:
        run = client.start_run(**BIG)
        soon(lambda: run.metadata().state == "stalled")
        assert "no worker for 0.5 seconds" in run.status.obstacle
        pool.add("late")
        run.wait()
        assert run.report() == run_matches(**BIG)


def test_a_cancelled_run_stops_on_the_fleet() -> None:
    fleet, _ = thread_fleet("a")
    with fleet, Server(port=0, fleet=fleet) as server, Client(server.address) as client:
        run = client.start_run(**RUN | {"match_count": 1_000_000})
        soon(lambda: run.metadata().matches_done > 0)
        run.cancel()
        soon(lambda: fleet.status.tasks == 0)
        assert client.run_matches(**BIG) == run_matches(**BIG)
