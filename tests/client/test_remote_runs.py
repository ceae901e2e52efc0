"""Matches between the server's bots: `run_matches`, runs, their lists and their rows."""

import asyncio
import re
import threading
import time
import uuid
from pathlib import Path
from typing import Any

import pyarrow.ipc
import pyarrow.parquet
import pytest

from sengoku import AsyncClient, Cancel, Client, RunSummary, run_matches
from sengoku.client import _channel, _jobs
from sengoku.client._channel import RPCS, Rpc
from sengoku.client._flow import Next
from sengoku.errors import (
    ArgumentError,
    CancelledError,
    DeadlineError,
    RequestIdError,
    RunNotFoundError,
    RunNotOverError,
    RunOverError,
    UnavailableError,
)
from sengoku.server import Limits, Server
from support.clients import LONG, OPTIONS, awaited
from support.process import soon


def test_whoever_stops_waiting_stops_the_work() -> None:
    with Server(port=0, limits=Limits(matches=90_000_000)) as server:

        async def leave() -> None:
            async with AsyncClient(server.address) as client:
                task = asyncio.create_task(client.run_matches("battles", **LONG))
                while server.work_under_way == 0:
                    await asyncio.sleep(0.01)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task

        awaited(leave())
        assert soon(lambda: server.work_under_way == 0)

        async def cancelled() -> None:
            cancel = Cancel()
            async with AsyncClient(server.address) as client:
                task = asyncio.create_task(client.run_matches("battles", **LONG, cancel=cancel))
                while server.work_under_way == 0:
                    await asyncio.sleep(0.01)
                cancel.cancel()
                with pytest.raises(CancelledError):
                    await task

        awaited(cancelled())
        assert soon(lambda: server.work_under_way == 0)


def test_more_than_one_call_takes_is_a_run_that_leaves_nothing() -> None:
    seen: list[tuple[int, int]] = []
    with Server(port=0, limits=Limits(matches=7)) as server, Client(server.address) as client:
        report = client.run_matches("battles", **OPTIONS, progress=lambda *done: seen.append(done))
        assert report == run_matches("battles", **OPTIONS)
        assert seen[-1] == (60, 60)
        assert client.runs() == []
        with pytest.raises(DeadlineError):
            client.run_matches("battles", **LONG, timeout=0.5)
        assert client.runs() == []
        cancel = Cancel()
        timer = threading.Timer(0.5, cancel.cancel)
        timer.start()
        with pytest.raises(CancelledError):
            client.run_matches("battles", **LONG, cancel=cancel)
        timer.join()
        assert client.runs() == []

        def fail(*_: int) -> None:
            raise KeyError("enough")

        with pytest.raises(KeyError, match="enough"):
            client.run_matches("battles", **LONG, progress=fail)
        assert client.runs() == []

        async def leave() -> None:
            async with AsyncClient(server.address) as other:
                task = asyncio.create_task(other.run_matches("battles", **LONG))
                while not await other.runs("running"):
                    await asyncio.sleep(0.01)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                assert await other.runs() == []

        awaited(leave())


def test_a_server_without_runs_is_called_several_times(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "sengoku.v1.StartRunRequest"
    old = Rpc("sengoku.v1.SimulationService", "NoSuchMethod", RPCS[name].response, False, False)
    monkeypatch.setitem(RPCS, name, old)
    with Server(port=0, limits=Limits(matches=7)) as server, Client(server.address) as client:
        assert client.run_matches("battles", **OPTIONS) == run_matches("battles", **OPTIONS)


def test_a_run_from_its_beginning_to_its_end(server: Server, client: Client, tmp_path: Path) -> None:
    report = run_matches("battles", **OPTIONS)
    run = client.start_run("battles", **OPTIONS)
    assert re.fullmatch(r"operations/[0-9a-f]{32}", run.name)
    told = list(run.watch())
    assert [status.matches_done for status in told] == sorted(status.matches_done for status in told)
    assert (told[-1].state, told[-1].over, told[-1].share, told[-1].matches_done) == (
        "succeeded",
        True,
        1.0,
        60,
    )
    last = told[-1]
    assert (last.game, last.bots, last.seed, last.match_count) == ("battles", ("greedy", "random"), 3, 60)
    assert last.create_time is not None
    assert last.end_time is not None
    assert last.create_time <= last.end_time
    assert last.client == "local"
    seen: list[tuple[int, int]] = []
    summary = run.wait(progress=lambda *done: seen.append(done))
    assert seen == [(60, 60)]
    assert summary == RunSummary.of(report) == run.metadata().summary == run.status.summary
    told_so = summary.as_dict()
    for name, value in report.summary().items():
        assert told_so[name] == (pytest.approx(value, rel=1e-9) if name.endswith("_error") else value), name
    assert run.report() == report
    part = {"first_match": 10, "match_count": 20}
    assert run.report(**part) == run_matches("battles", **OPTIONS | part)
    for name in ("a.csv", "a.parquet", "a.arrow"):
        run.save(tmp_path / name)
    assert (tmp_path / "a.csv").read_text() == report.to_csv()
    table = pyarrow.parquet.read_table(tmp_path / "a.parquet")
    assert table.column("digest").to_pylist() == report.digest.tolist()
    streamed = pyarrow.ipc.open_stream((tmp_path / "a.arrow").read_bytes()).read_all()
    assert streamed.column("digest").to_pylist() == report.digest.tolist()
    assert b"".join(run.read("arrow")) == (tmp_path / "a.arrow").read_bytes()
    for bad in (lambda: run.save(tmp_path / "a.txt"), lambda: list(run.read("words"))):
        with pytest.raises(ArgumentError):
            bad()
    with pytest.raises(OSError, match="No such file"):
        run.save(tmp_path / "no" / "a.csv")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.arrow", "a.csv", "a.parquet"]
    again = client.run(run.name.removeprefix("operations/"))
    assert (again.name, again.status.state) == (run.name, "succeeded")
    run.cancel()  # no effect on a finished run
    assert run.name in repr(run)
    run.delete()
    for lost in (run.metadata, run.wait, run.report, run.delete, run.cancel, lambda: list(run.watch())):
        with pytest.raises(RunNotFoundError):
            lost()


def test_a_run_awaited(server: Server, tmp_path: Path) -> None:
    report = run_matches("battles", **OPTIONS)

    async def play() -> None:
        async with AsyncClient(server.address, timeout=60) as client:
            run = await client.start_run("battles", **OPTIONS)
            assert [status.state async for status in run.watch()][-1] == "succeeded"
            assert await run.wait() == RunSummary.of(report)
            assert await run.report() == report
            await run.save(tmp_path / "a.parquet")
            assert (
                b"".join([part async for part in run.read("parquet")])
                == (tmp_path / "a.parquet").read_bytes()
            )
            assert (await client.run(run.name)).status == await run.metadata()
            await run.delete()
            with pytest.raises(RunNotFoundError):
                await run.metadata()

    awaited(play())


def test_a_run_that_is_cancelled(client: Client) -> None:
    run = client.start_run("battles", **LONG)
    for status in run.watch():
        if status.matches_done:
            break
    with pytest.raises(RunNotOverError):
        run.delete()
    with pytest.raises(DeadlineError, match="continues on the server"):
        run.wait(0.3)
    stop = Cancel()
    stop.cancel()
    with pytest.raises(CancelledError):
        run.wait(cancel=stop)
    assert run.metadata().state == "running"
    run.cancel()
    with pytest.raises(CancelledError):
        run.wait(60)
    assert (run.status.state, run.status.over) == ("cancelled", True)
    done = run.status.matches_done
    assert 0 < done < run.status.match_count
    assert run.report() == run_matches("battles", **LONG | {"match_count": done})
    run.delete()


def test_a_cancelled_run_is_resumed(server: Server, client: Client) -> None:
    options = OPTIONS | {"match_count": 3000}
    run = client.start_run("battles", **options)
    run.cancel()
    assert run.metadata().state == "cancelled"
    assert run.resume().state in {"queued", "running"}
    assert (run.status.error, run.status.end_time) == (None, None)
    run.cancel()

    async def resume() -> None:
        async with AsyncClient(server.address, timeout=60) as other:
            again = await other.run(run.name)
            assert (await again.resume()).over is False
            assert await again.wait() == RunSummary.of(run_matches("battles", **options))

    awaited(resume())
    assert run.report() == run_matches("battles", **options)
    with pytest.raises(RunOverError, match="nothing is left to resume"):
        run.resume()
    run.delete()
    with pytest.raises(RunNotFoundError):
        run.resume()


def test_the_same_wish_twice(client: Client) -> None:
    name = uuid.uuid4().hex
    one, two = (client.start_run("battles", **OPTIONS, request_id=name) for _ in range(2))
    assert one.name == two.name
    assert one.status.request_id == name
    with pytest.raises(RequestIdError):
        client.start_run("battles", **OPTIONS | {"seed": 4}, request_id=name)
    for bad in ("", "x" * 200):
        with pytest.raises(ArgumentError):
            client.start_run("battles", **OPTIONS, request_id=bad)
    one.wait(60)
    one.delete()


def test_lists_have_as_many_pages_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_jobs, "PAGE_SIZE", 2)
    with Server(port=0) as server, Client(server.address, timeout=60) as client:
        runs = [client.start_run("battles", bots=["random"], match_count=1, seed=seed) for seed in range(5)]
        for run in runs:
            run.wait(60)
        newest_first = [run.name for run in reversed(runs)]
        assert [run.name for run in client.runs()] == newest_first
        assert [run.name for run in client.runs("succeeded", client="local")] == newest_first
        assert client.runs("running") == client.runs(client="nobody") == []

        async def ask() -> list[str]:
            async with AsyncClient(server.address) as other:
                return [run.name for run in await other.runs()]

        assert awaited(ask()) == newest_first


def test_who_waits_for_a_run_waits_for_its_server(tmp_path: Path) -> None:
    """A restarted server resumes its runs, and clients keep waiting for them."""
    options = {"bots": ["random"], "match_count": 1200, "seed": 5}
    store = tmp_path / "runs.sqlite3"
    first = Server(port=0, store=store)
    port, later = first.port, []
    with Client(first.address, timeout=60) as client:
        run = client.start_run("battles", **options)
        for status in run.watch():
            if status.matches_done:
                break

        def restart() -> None:
            first.stop(1).wait()
            time.sleep(0.3)
            later.append(Server(port=port, store=store))

        again = threading.Thread(target=restart)
        again.start()
        try:
            states = [status.state for status in run.watch()]
            summary = run.wait(120)
        finally:
            again.join()
        try:
            assert states[-1] == "succeeded"
            assert summary == RunSummary.of(run_matches("battles", **options))
            assert run.report() == run_matches("battles", **options)
        finally:
            later[0].stop(1).wait()


def test_rows_are_read_on_where_they_broke_off(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    run = client.start_run("battles", **OPTIONS | {"match_count": 700})
    run.wait(60)
    monkeypatch.setattr(_channel, "MAX_OUTAGE_SECONDS", 5.0)
    take, broken = type(client._driver).take, []

    def breaking(driver: Any, step: Any) -> Any:
        answer = take(driver, step)
        if isinstance(step, Next) and answer is None and len(broken) < 1:
            broken.append(step)
            raise UnavailableError("the line is cut")
        return answer

    monkeypatch.setattr(type(client._driver), "take", breaking)
    assert run.report() == run_matches("battles", **OPTIONS | {"match_count": 700})
    assert len(broken) == 1
    run.delete()
