"""Calls of SimulationService and google.longrunning.Operations."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from google.longrunning import operations_pb2
from google.protobuf import duration_pb2

from sengoku import AsyncClient, RemoteRun
from sengoku.v1 import simulation_service_pb2 as pb2
from wire.stage import TIMEOUT, Stage, soon

RUN: dict[str, Any] = {
    "bots": ["greedy", "random", "mix:greedy=50"],
    "seats": 3,
    "match_count": 20,
    "first_match": 5,
    "seed": 2**64 - 1,
    "setup": {"max_rounds": 2},
}
OPERATIONS = "google.longrunning.Operations"


def play(on: Stage) -> None:
    """Plays runs, short and long."""
    client = on.client
    with on.step("matches of swords"):
        client.run_matches("swords", **RUN, threads=1)
    for game in ("tower", "battles"):
        with on.step(f"matches of {game}"):
            client.run_matches(game, bots=["greedy", "random"], match_count=10, seed=3)
    with on.step("matches in every scenario"):
        client.run_scenarios("tower", bots=["random"], match_count=2, seed=1)
    with on.step("matches with a progress bar"):
        client.run_matches("battles", bots=["random"], match_count=8, progress=lambda _done, _all: None)
    run = _short_run(on)
    _rows(on, run)
    _long_runs(on)
    _lists(on)
    _refused(on, run)
    with on.step("a run is deleted"):
        run.delete()
    with on.refused("a run that was deleted", "RUN_NOT_FOUND"):
        run.metadata()
    asyncio.run(_awaited(on))
    _resumed(on)


def _short_run(on: Stage) -> RemoteRun:
    with on.step("a run"):
        run = on.client.start_run("swords", **RUN, request_id="spring")
    with on.step("a run is waited for"):
        run.wait()
    with on.step("a run again by its request id"):
        on.client.start_run("swords", **RUN, request_id="spring")
    with on.step("a run is asked for"):
        on.client.run(run.name)
    with on.step("a run is watched"):
        list(run.watch())
    with on.step("a run with draws"):
        on.client.start_run("tower", bots=["random"], match_count=10, seed=11).wait()
    return run


def _rows(on: Stage, run: RemoteRun) -> None:
    with on.step("rows of a run"):
        run.report()
    with on.step("some rows of a run"):
        run.report(first_match=7, match_count=3)
    with on.step("rows of a run as Arrow"):
        b"".join(run.read("arrow"))
    with on.step("some rows of a run as Parquet"):
        b"".join(run.read("parquet", first_match=6, match_count=2))
    with on.step("all rows without a format"):
        on.raw("SimulationService/ReadRun", pb2.ReadRunRequest(name=run.name))
    with on.step("rows of a run in a file"), tempfile.TemporaryDirectory() as folder:
        run.save(Path(folder, "rows.csv"))


def _long_runs(on: Stage) -> None:
    """A run that is cancelled on its way, and one that waits behind it and is cancelled before it begins."""
    long = {"bots": ["random"], "match_count": 50_000_000, "seed": 1}
    with on.step("a long run"):
        first = on.client.start_run("battles", **long, request_id="long")
    soon(lambda: _metadata(on, first).HasField("time_left"))
    with on.step("a long run is asked for"):
        first.metadata()
    with on.step("a run in the queue"):
        second = on.client.start_run("tower", **long, request_id="behind")
    with on.step("a run that is not over is waited for"):
        limit = duration_pb2.Duration(nanos=1_000_000)
        on.raw(
            f"{OPERATIONS}/WaitOperation",
            operations_pb2.WaitOperationRequest(name=second.name, timeout=limit),
        )
    with on.refused("a run that is not over refused: deleting", "RUN_NOT_OVER"):
        second.delete()
    for run in (second, first):
        with on.step(f"the run {'behind' if run is second else 'long'} is cancelled"):
            run.cancel()
        soon(lambda run=run: bool(on.direct(operations_pb2.GetOperationRequest(name=run.name)).done))  # type: ignore[misc]
        with on.step(f"the run {'behind' if run is second else 'long'} was cancelled"):
            run.metadata()
    with on.refused("a cancelled run is waited for", "CANCELLED"):
        second.wait()


def _resumed(on: Stage) -> None:
    """A run that is cancelled and resumed while it waits behind another one."""
    first, second = (
        on.direct_client.start_run("battles", bots=["random"], match_count=50_000_000, request_id=name)
        for name in ("ahead", "resumed")
    )
    soon(lambda: bool(_metadata(on, first).matches_done))
    second.cancel()
    run = RemoteRun(on.client, second.status)
    with on.step("a cancelled run is resumed"):
        run.resume()
    with on.refused("a run that is not over refused: resuming", "RUN_NOT_OVER"):
        run.resume()
    for each in (second, first):
        each.cancel()


def _metadata(on: Stage, run: RemoteRun) -> pb2.RunMetadata:
    metadata = pb2.RunMetadata()
    on.direct(operations_pb2.GetOperationRequest(name=run.name)).metadata.Unpack(metadata)
    return metadata


def _lists(on: Stage) -> None:
    client = on.client
    with on.step("all runs"):
        client.runs()
    with on.step("runs in a state of a client"):
        client.runs("succeeded", client="local")
    with on.step("runs, also where some cannot be reached"):
        partial = operations_pb2.ListOperationsRequest(page_size=1, return_partial_success=True)
        on.attempt(f"{OPERATIONS}/ListOperations", partial)
    request = operations_pb2.ListOperationsRequest(name="operations", page_size=2)
    with on.step("runs by pages"):
        (page,) = on.raw(f"{OPERATIONS}/ListOperations", request)
        request.page_token = page.next_page_token
        on.raw(f"{OPERATIONS}/ListOperations", request)


def _refused(on: Stage, run: RemoteRun) -> None:
    client = on.client
    with on.refused("matches refused: an unknown bot", "INVALID_ARGUMENT"):
        client.run_matches("swords", bots=["nobody"], match_count=1)
    with on.refused("matches refused: nothing set", ""):
        on.raw("SimulationService/RunMatches", pb2.RunMatchesRequest())
    with on.refused("matches refused: a setup that is no table", ""):
        wrong = pb2.RunMatchesRequest(game="tower", bots=["random"], match_count=1, setup_json="[")
        on.raw("SimulationService/RunMatches", wrong)
    with on.refused("matches refused: too many", ""):
        many = pb2.RunMatchesRequest(game="tower", bots=["random"], match_count=2_000_000)
        on.raw("SimulationService/RunMatches", many)
    with on.refused("a run refused: a request id of another run", "REQUEST_ID_REUSED"):
        client.start_run("tower", bots=["random"], match_count=1, request_id="spring")
    with on.refused("a run refused: threads", ""):
        threads = pb2.RunMatchesRequest(game="tower", bots=["random"], match_count=1, threads=2)
        on.raw("SimulationService/StartRun", pb2.StartRunRequest(run=threads))
    with on.refused("a run refused: an unknown name", "RUN_NOT_FOUND"):
        client.run("operations/0123456789")
    with on.refused("rows refused: no such match", "INVALID_ARGUMENT"):
        run.report(first_match=1000)
    with on.refused("rows refused: an unknown format", ""):
        on.raw("SimulationService/ReadRun", pb2.ReadRunRequest(name=run.name, format=9))  # type: ignore[arg-type]
    with on.refused("rows refused: an unknown name", ""):
        on.raw("SimulationService/ReadRun", pb2.ReadRunRequest(name="operations/x"))
    with on.refused("watching refused: an unknown name", ""):
        on.raw("SimulationService/WatchRun", pb2.WatchRunRequest(name="operations/x"))
    with on.refused("a finished run refused: resuming", "RUN_OVER"):
        run.resume()
    with on.refused("ResumeRun refused", ""):
        on.raw("SimulationService/ResumeRun", pb2.ResumeRunRequest(name="x"))
    for method, request in {
        "ListOperations": operations_pb2.ListOperationsRequest(filter="colour=red"),
        "WaitOperation": operations_pb2.WaitOperationRequest(name="x"),
        "CancelOperation": operations_pb2.CancelOperationRequest(name="x"),
        "DeleteOperation": operations_pb2.DeleteOperationRequest(name="x"),
    }.items():
        with on.refused(f"{method} refused", ""):
            on.raw(f"{OPERATIONS}/{method}", request)


async def _awaited(on: Stage) -> None:
    """A run by an AsyncClient, which sends the same bytes."""
    async with AsyncClient(on.address, timeout=TIMEOUT, retries=0) as client:
        with on.step("awaited: a run"):
            run = await client.start_run("battles", bots=["random"], match_count=3, seed=1)
            await run.wait()
            await run.report()
            await run.delete()
