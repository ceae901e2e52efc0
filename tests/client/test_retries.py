"""Which calls the clients repeat, how often and when; errors of the server; deadlines of single calls."""

import asyncio
import json
import pickle
import threading
import time
from itertools import pairwise
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pool, message_factory

from sengoku import AsyncClient, Client
from sengoku.client._channel import RPCS, Connection
from sengoku.errors import BusyError, DeadlineError, DecodeError, ShuttingDownError, UnavailableError
from sengoku.server import Limits, Server
from support.clients import DUEL, EVALUATE, LONG, OPTIONS, awaited, flaky

ONCE = {
    "/sengoku.v1.MatchService/CreateMatch",
    "/sengoku.v1.MatchService/LoadMatch",
    "/sengoku.v1.MatchService/Play",
    "/sengoku.v1.MatchService/DeleteMatch",
    "/sengoku.v1.MatchService/SayInMatch",
    "/sengoku.v1.AnalysisService/DeleteAnalysis",
    "/sengoku.v1.TournamentService/DeleteTournament",
    "/google.longrunning.Operations/DeleteOperation",
    "/sengoku.v1.SimulationService/ResumeRun",
    "/grpc.health.v1.Health/Check",
}
"""Methods that are never repeated: they have side effects, or report a momentary state."""


def request_of(name: str) -> Any:
    return message_factory.GetMessageClass(descriptor_pool.Default().FindMessageTypeByName(name))()


def test_only_what_may_be_is_sent_again() -> None:
    """AIP-194: after UNAVAILABLE, only idempotent calls are repeated."""

    async def ask(address: str) -> None:
        async with AsyncClient(address, timeout=60, retries=2) as client:

            async def one(name: str) -> None:
                try:
                    if RPCS[name].server_streaming:
                        return
                    await client.ask(request_of(name))
                except UnavailableError:
                    assert RPCS[name].path in ONCE
                else:
                    assert RPCS[name].path not in ONCE

            await asyncio.gather(*(one(name) for name in RPCS))

    with flaky(2) as (server, address):
        awaited(ask(address))
        unary = {rpc.path for rpc in RPCS.values() if not rpc.server_streaming}
        assert {*server.seen} == unary
        assert {path for path in unary if server.tries(path) == 1} == ONCE
        assert {server.tries(path) for path in unary - ONCE} == {3}
        for tries in server.seen.values():  # the same call, after a pause
            assert len({metadata["x-request-id"] for _, metadata, _ in tries}) == 1
            assert all(later[0] - earlier[0] > 0.05 for earlier, later in pairwise(tries))


@pytest.mark.parametrize("retries", [0, 1, 4])
def test_so_often_and_no_more(retries: int) -> None:
    with flaky(99) as (server, address), Client(address, retries=retries) as client:
        with pytest.raises(UnavailableError):
            client.exact(DUEL)
        assert server.tries(EVALUATE) == retries + 1


def test_not_beyond_the_deadline() -> None:
    with flaky(99) as (server, address), Client(address, retries=4) as client:
        start = time.monotonic()
        with pytest.raises(DeadlineError):
            client.exact(DUEL, timeout=0.6)
        assert time.monotonic() - start < 3
        assert 2 <= server.tries(EVALUATE) <= 4


def test_other_codes_are_not_sent_again_but_say_when() -> None:
    options = {"code": "RESOURCE_EXHAUSTED", "reason": "BUSY", "retry_after": 2.5}
    with flaky(1, **options) as (server, address), Client(address) as client:
        with pytest.raises(BusyError) as refused:
            client.exact(DUEL)
        assert server.tries(EVALUATE) == 1
        assert refused.value.retry_after == 2.5
        ((_, metadata, _),) = server.seen[EVALUATE]
        assert refused.value.request_id == metadata["x-request-id"]
        copy = pickle.loads(pickle.dumps(refused.value))  # noqa: S301 - ours
        assert (copy.retry_after, copy.request_id) == (2.5, refused.value.request_id)


def test_as_late_as_the_server_says() -> None:
    options = {"reason": "SHUTTING_DOWN", "retry_after": 0.8, "pushback": "800"}
    with flaky(1, **options) as (server, address), Client(address, timeout=30) as client:
        with pytest.raises(DecodeError):  # a response, but without odds
            client.exact(DUEL)
        (first, *_), (second, *_) = server.seen[EVALUATE]
        assert second - first >= 0.75
    with flaky(1, **options) as (_, address), Client(address, retries=0) as client:
        with pytest.raises(ShuttingDownError) as refused:
            client.exact(DUEL)
        assert refused.value.retry_after == 0.8


def test_a_server_that_stops_says_when_to_come_again() -> None:
    with Server(port=0) as server, grpc.insecure_channel(server.address) as channel:
        call = channel.unary_unary(EVALUATE)
        server._dispatch.closing = True
        with pytest.raises(grpc.RpcError) as refused:
            call(b"", timeout=30)
        trailing = dict(refused.value.trailing_metadata())
        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
        assert int(trailing["grpc-retry-pushback-ms"]) > 0
        server._dispatch.closing = False


def test_a_run_is_begun_once() -> None:
    path = "/sengoku.v1.SimulationService/StartRun"
    with flaky(1) as (server, address), Client(address, timeout=30) as client:
        for _ in range(2):
            with pytest.raises(DecodeError):  # a response, but not a run
                client.start_run("battles", **OPTIONS)
        assert server.tries(path) == 3
        bodies = [data for *_, data in server.seen[path]]
        assert bodies[0] == bodies[1] != bodies[2]  # the same request repeated, and another request


def test_a_call_that_takes_too_long() -> None:
    with flaky(0, seconds=1.0) as (_, address), Client(address, timeout=0.2) as client:
        start = time.monotonic()
        with pytest.raises(DeadlineError) as refused:
            client.exact(DUEL)
        assert time.monotonic() - start < 0.9
        assert refused.value.request_id

        async def ask() -> None:
            async with AsyncClient(address, timeout=30) as other:
                with pytest.raises(DeadlineError):
                    await other.exact(DUEL, timeout=0.2)

        awaited(ask())


def test_a_server_that_is_started_late(server: Server) -> None:
    with flaky(0) as (_, address):
        pass
    port = int(address.rpartition(":")[2])
    late: list[Server] = []

    def begin() -> None:
        time.sleep(0.4)
        late.append(Server(port=port))

    starting = threading.Thread(target=begin)
    with Client(address, timeout=60, retries=4) as client:
        starting.start()
        try:
            assert client.exact(DUEL) == DUEL.exact()
        finally:
            starting.join()
            late[0].stop(1).wait()


@pytest.mark.system
def test_a_long_call_may_look_whether_the_server_is_there() -> None:
    """By default gRPC servers close connections with such frequent pings; this server does not."""
    with (
        Server(port=0, limits=Limits(matches=90_000_000)) as server,
        Client(server.address, keepalive=10) as client,
        pytest.raises(DeadlineError),
    ):
        client.run_matches("battles", **LONG, timeout=50)


def test_streams_are_not_repeated_by_grpc() -> None:
    """Its last attempt waits for ever if it finds no server; `Reconnect` repeats streams instead."""
    config = json.loads(dict(Connection("localhost:1").options)["grpc.service_config"])
    repeated = {name["method"] for name in config["methodConfig"][0]["name"]}
    assert "GetOperation" in repeated
    assert not repeated & {rpc.method for rpc in RPCS.values() if rpc.server_streaming}
