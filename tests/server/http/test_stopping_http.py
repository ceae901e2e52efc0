"""A server that stops: streams and calls over HTTP end with a reason, and new ones are told to come back."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from google.longrunning import operations_pb2

from sengoku.server import Server
from sengoku.v1 import simulation_service_pb2 as pb2
from server.http.test_connect import VERSION
from support.connect import Caller, FailedError
from support.process import soon

RUN = "/sengoku.v1.SimulationService/RunMatches"
START = "/sengoku.v1.SimulationService/StartRun"
WATCH = "/sengoku.v1.SimulationService/WatchRun"
LONG = pb2.RunMatchesRequest(game="battles", bots=["greedy"], match_count=100_000)


def test_calls_under_way_end_with_a_reason() -> None:
    server = Server(port=0, http_port=0)
    begun = threading.Event()

    def call() -> str:
        with Caller(server) as caller, pytest.raises(FailedError) as raised:
            caller.call(RUN, LONG, pb2.RunMatchesResponse)
        assert raised.value.status == 503
        assert raised.value.headers["connection"] == "close"
        return raised.value.reason

    def watch() -> str:
        with Caller(server) as caller:
            run = caller.call(START, pb2.StartRunRequest(run=LONG), operations_pb2.Operation)
            seen = caller.stream(WATCH, pb2.WatchRunRequest(name=run.name), pb2.WatchRunResponse)
            next(seen)
            begun.set()
            with pytest.raises(FailedError) as raised:
                list(seen)
        return raised.value.reason

    with ThreadPoolExecutor(2) as threads:
        told = [threads.submit(call), threads.submit(watch)]
        assert begun.wait(60)
        assert soon(lambda: server.calls_under_way == 1, 60)
        ended = server.stop(grace=0.5)
        assert [one.result(30) for one in told] == ["SHUTTING_DOWN", "SHUTTING_DOWN"]
        assert ended.wait(30)


def test_health_and_refusals_while_a_server_drains() -> None:
    server = Server(port=0, http_port=0)
    with Caller(server) as caller, ThreadPoolExecutor(1) as threads:
        assert caller.http.get("/healthz").text == "SERVING"

        def call() -> None:
            with Caller(server) as other, pytest.raises(FailedError):
                other.call(RUN, LONG, pb2.RunMatchesResponse)

        told = threads.submit(call)
        assert soon(lambda: server.calls_under_way == 1, 60)
        ended = server.stop(grace=3.0)
        assert soon(lambda: server._dispatch.closing)
        health = caller.http.get("/healthz")
        assert (health.status_code, health.text) == (503, "NOT_SERVING")
        refused = caller.post(RUN, b"{}", "json")
        assert refused.status_code == 503
        assert refused.json()["details"][0]["debug"]["reason"] == "SHUTTING_DOWN"
        assert int(refused.headers["retry-after"]) == 1
        assert caller.post(VERSION, b"{}", "json").status_code == 200, "what only reads is answered"
        told.result(30)
        assert ended.wait(30)
