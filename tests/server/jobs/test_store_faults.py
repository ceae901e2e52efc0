"""Stores that are locked or damaged, and workers that die: what clients, probes and other jobs see of it."""

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from sengoku import Client
from sengoku.errors import DataCorruptError, InternalError, StoreUnavailableError
from sengoku.server import Server, app
from sengoku.server.jobs import job as job_module
from sengoku.server.jobs import tidying
from sengoku.server.jobs import workers as workers_module
from sengoku.server.jobs.runs import Runs
from sengoku.storage import State, sqlite
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.simulation import summary_to_proto
from support import damage
from support.runs import ENDLESS, in_process, until, wish
from support.wire import Wire, metadata_of, reason_of, summary_of

SPEC = """
name = "spring"
bots = [{name = "one", bot = "random"}, {name = "two", bot = "random"}]
games = [{game = "tower", seats = 3, blocks = 2, setup = {max_rounds = 1}}]
"""


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """All pauses and waits are short."""
    monkeypatch.setattr(sqlite, "_BUSY_SECONDS", 0.1)
    monkeypatch.setattr(job_module, "PAUSE_SECONDS", (0.02, 0.1))
    monkeypatch.setattr(tidying, "_PROBE_SECONDS", 0.1)
    monkeypatch.setattr(workers_module, "RESTART_SECONDS", (0.05, 0.2))
    monkeypatch.setattr(app, "_HEALTH_SECONDS", 0.05)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold the lock of SQLite, as another process would."""
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def serving(server: Server, service: str) -> bool:
    with grpc.insecure_channel(server.address) as channel:
        request = health_pb2.HealthCheckRequest(service=service)
        status = health_pb2_grpc.HealthStub(channel).Check(request, timeout=30).status
    return status == health_pb2.HealthCheckResponse.SERVING


def healthz(server: Server) -> str:
    assert server.metrics_port is not None
    with urlopen(f"http://{server.metrics_port.address}/healthz", timeout=30) as page:
        return str(page.read().decode())


def test_a_locked_store_stalls_runs_and_health_says_so(tmp_path: Path) -> None:
    file, request = tmp_path / "runs.sqlite3", wish(count=20_000)
    with Server(port=0, store=file, metrics_port=0) as server, Wire(server.address) as wire:
        assert healthz(server) == "SERVING"
        name = wire.start(request).name
        until(lambda: metadata_of(wire.get(name)).matches_done > 0)
        with locked(file):
            until(lambda: metadata_of(wire.get(name)).state == pb2.RUN_STATE_STALLED)
            assert "another process holds its lock" in metadata_of(wire.get(name)).obstacle
            until(lambda: not serving(server, "sengoku.v1.SimulationService"))
            assert not serving(server, "google.longrunning.Operations")
            assert serving(server, "")  # odds and matches go on
            assert healthz(server).startswith("DEGRADED\nruns: the store cannot be used at the moment")
            assert (
                'sengoku_serving{service="sengoku.v1.SimulationService"} 0.0'
                in server.metrics.page().decode()
            )
            with pytest.raises(StoreUnavailableError, match="another process holds its lock") as refused:
                wire.start(wish(count=5))
            assert refused.value.retry_after
        until(lambda: serving(server, "sengoku.v1.SimulationService"))
        until(lambda: healthz(server) == "SERVING")
        assert summary_of(wire.wait(name)) == summary_to_proto(in_process(request))


def test_a_refused_call_alone_does_not_keep_the_service_down(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite3"
    with Server(port=0, store=file, metrics_port=0) as server, Wire(server.address) as wire:
        with locked(file), pytest.raises(StoreUnavailableError):
            wire.start(wish(count=5))
        until(lambda: serving(server, "sengoku.v1.SimulationService") and healthz(server) == "SERVING")


def test_a_worker_that_dies_is_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take, deaths = Runs._take, threading.Semaphore(2)

    def die(runs: Runs, job: object) -> None:
        take(runs, job)  # type: ignore[arg-type]
        if deaths.acquire(blocking=False):
            raise RuntimeError("a bug")

    monkeypatch.setattr(Runs, "_take", die)
    with (
        Server(port=0, store=tmp_path / "runs.sqlite3", metrics_port=0) as server,
        Wire(server.address) as wire,
    ):
        request = wish(count=500)
        name = wire.start(request).name
        until(lambda: "died: RuntimeError: a bug" in healthz(server))
        assert summary_of(wire.wait(name)) == summary_to_proto(in_process(request))
        assert 'sengoku_worker_restarts{kind="run"} 2.0' in server.metrics.page().decode()
        until(lambda: healthz(server) == "SERVING")


def test_a_run_that_workers_die_of_fails_and_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt = Runs._attempt

    def die(runs: Runs, job: object) -> None:
        if job.row.match_count == 666:  # type: ignore[attr-defined]
            raise RuntimeError("a bug")
        attempt(runs, job)  # type: ignore[arg-type]

    monkeypatch.setattr(Runs, "_attempt", die)
    with Server(port=0, store=tmp_path / "runs.sqlite3") as server, Wire(server.address) as wire:
        bad, good = wire.start(wish(count=666)).name, wire.start(wish(count=100)).name
        assert metadata_of(wire.wait(good)).state == pb2.RUN_STATE_SUCCEEDED
        assert reason_of(wire.wait(bad)) == InternalError.reason


def test_a_damaged_row_is_quarantined_and_everything_else_served(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file, request = tmp_path / "runs.sqlite3", wish(count=200)
    with Server(port=0, store=file) as server, Wire(server.address) as wire, Client(server.address) as client:
        whole, lost = wire.start(request).name, wire.start(request).name
        for name in (whole, lost):
            wire.wait(name)
        running = wire.start(ENDLESS).name
        cup, tea = client.create_tournament(SPEC), client.create_tournament(SPEC.replace("spring", "tea"))
        for tournament in (cup, tea):
            tournament.wait(timeout=60)
    damage.change(file, "UPDATE runs SET request = zeroblob(length(request)) WHERE name = ?", lost)
    damage.change(file, "UPDATE runs SET request = x'ffffff' WHERE name = ?", running)
    damage.change(file, "UPDATE tournaments SET spec = 'x' || spec WHERE name = ?", tea.name)
    for _ in range(2):  # and after one more restart
        with (
            Server(port=0, store=file, metrics_port=0) as server,
            Wire(server.address) as wire,
            Client(server.address) as client,
        ):
            assert summary_of(wire.get(whole)) == summary_to_proto(in_process(request))
            listed = {operation.name: operation for operation in wire.list().operations}
            assert set(listed) == {whole, lost, running}
            for name in (lost, running):
                assert metadata_of(listed[name]).state == pb2.RUN_STATE_FAILED
                assert reason_of(listed[name]) == "DATA_CORRUPT"
                assert str(file) in listed[name].error.message
                assert name in listed[name].error.message
                for ask in (Wire.resume, lambda wire, name: list(wire.read(name))):
                    with pytest.raises(DataCorruptError, match="fails its checksum"):
                        ask(wire, name)
            assert {each.name for each in client.tournaments()} == {cup.name, tea.name}
            assert client.tournament(cup.name).standings()[0].rows
            status = client.tournament(tea.name).metadata()
            assert (status.state, status.error.reason) == ("failed", "DATA_CORRUPT")
            again = client.tournament(tea.name)
            for question in (again.standings, again.resume, lambda each=again: list(each.matches())):
                with pytest.raises(DataCorruptError, match="fails its checksum"):
                    question()
            assert "3 damaged rows are in quarantine" in healthz(server)
            assert "sengoku_store_quarantined 3.0" in server.metrics.page().decode()
            # New work is done as always.
            assert summary_of(wire.wait(wire.start(request).name)) == summary_to_proto(in_process(request))
            wire.delete(wire.list().operations[0].name)
    assert f"row 2 of runs ({lost}) is damaged and was put into quarantine" in caplog.text
    with Server(port=0, store=file) as server, Wire(server.address) as wire, Client(server.address) as client:
        wire.delete(lost)
        client.tournament(tea.name).delete()
        assert {operation.name for operation in wire.list().operations} == {whole, running}
        kept = server._store.quarantine.all()
        assert [(row.source, row.name) for row in kept] == [
            ("runs", lost), ("runs", running), ("tournaments", tea.name),
        ]  # fmt: skip
        assert json.loads(kept[2].contents)["spec"].startswith("x{")


def test_a_run_of_which_only_the_state_is_damaged_can_go_on(tmp_path: Path) -> None:
    file, request = tmp_path / "runs.sqlite3", wish(count=300)
    with Server(port=0, store=file) as server, Wire(server.address) as wire:
        done, running = wire.start(request).name, wire.start(wish(count=60_000)).name
        wire.wait(done)
        until(lambda: metadata_of(wire.get(running)).matches_done > 0)
    damage.change(file, "UPDATE runs SET done = done + 1, state = 3 WHERE name = ?", done)
    damage.change(file, "UPDATE runs SET summary = x'01' WHERE name = ?", running)
    with Server(port=0, store=file) as server, Wire(server.address) as wire:
        # All matches are there, and each is verified: it has succeeded.
        assert summary_of(wire.get(done)) == summary_to_proto(in_process(request))
        assert metadata_of(wire.get(running)).state == pb2.RUN_STATE_FAILED
        assert reason_of(wire.get(running)) == "DATA_CORRUPT"
        assert metadata_of(wire.get(running)).matches_done > 0
        wire.resume(running)
        assert summary_of(wire.wait(running)) == summary_to_proto(in_process(wish(count=60_000)))


def test_a_row_that_is_damaged_while_it_is_served_ends_its_run_only(tmp_path: Path) -> None:
    """A run whose row is damaged while the server works fails in memory, and its worker lives on."""
    file = tmp_path / "runs.sqlite3"
    with Server(port=0, store=file) as server, Wire(server.address) as wire:
        name = wire.start(ENDLESS).name
        until(lambda: metadata_of(wire.get(name)).matches_done > 0)
        damage.change(file, "UPDATE runs SET row_bytes = 1 WHERE name = ?", name)
        until(lambda: server._runs.get(name, None).state is State.FAILED)
        request = wish(count=100)
        assert summary_of(wire.wait(wire.start(request).name)) == summary_to_proto(in_process(request))


def failing(*_: object) -> None:
    raise StoreUnavailableError("the disk fails", {}, retry_after=1.0)


def test_a_cancelled_run_ends_although_its_row_cannot_be_read(
    opened: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its end was stored, so no chunk was accepted any more, and its worker played the same one for ever."""
    runs = opened()
    name = runs.start(ENDLESS, "me").name
    until(lambda: runs.get(name, None).row.done)
    with monkeypatch.context() as broken:
        broken.setattr(runs._store.runs, "get", failing)
        assert runs.cancel(name, "me").state is State.CANCELLED
    until(lambda: not runs._under_way)
    assert runs.get(name, "me").state is State.CANCELLED
    assert runs.start(wish(count=5), "me").state is not State.STALLED


def test_a_run_that_was_ended_in_the_store_only_is_given_up(opened: Callable[..., Runs]) -> None:
    """As after a call that failed between the store and the memory."""
    runs = opened()
    view = runs.start(ENDLESS, "me")
    until(lambda: runs.get(view.name, None).row.done)
    assert runs._store.runs.set_state(view.row.id, State.CANCELLED, 1, "")
    until(lambda: runs.get(view.name, None).over)
    until(lambda: not runs._under_way)


@pytest.mark.parametrize("what", ["run", "tournament"])
def test_a_job_is_not_resumed_in_the_store_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: str
) -> None:
    """A job that was RUNNING in the store, and in no worker's queue, waited for the next restart."""
    with Server(port=0, store=tmp_path / "other.sqlite3") as server, Client(server.address) as client:
        jobs = server._runs if what == "run" else server._tournaments
        if what == "run":
            job = client.start_run("tower", bots=["random"], match_count=50_000_000)
        else:
            job = client.create_tournament(SPEC.replace("blocks = 2", "blocks = 4000"))
        job.cancel()
        table = jobs._store.runs if what == "run" else jobs._store.tournaments
        until(lambda: not jobs._under_way)
        with monkeypatch.context() as broken:
            broken.setattr(table, "get" if what == "run" else "request_and_progress", failing)
            with pytest.raises(StoreUnavailableError):
                jobs.resume(job.name, None)
        assert jobs.get(job.name, None).state is State.CANCELLED
        assert jobs.resume(job.name, None).state is not State.CANCELLED
        job.cancel()
