"""The Connect protocol: methods with one response and with several, as JSON and as protobuf."""

import base64
import gzip
import json
from collections.abc import Iterator

import pytest
from google.longrunning import operations_pb2

from sengoku.errors import ArgumentError
from sengoku.server import Server
from sengoku.v1 import (
    catalog_service_pb2,
    match_service_pb2,
    odds_service_pb2,
    simulation_service_pb2,
    swords_pb2,
)
from support.connect import Caller, FailedError, frame, frames

EVALUATE = "/sengoku.v1.OddsService/Evaluate"
VERSION = "/sengoku.v1.CatalogService/GetVersion"
BATTLE = odds_service_pb2.EvaluateRequest(
    swords_battle=swords_pb2.SwordsBattle(
        attacker=swords_pb2.SwordsForce(spear=3), defenders=[swords_pb2.SwordsForce(spear=2)]
    )
)
KINDS = pytest.mark.parametrize("kind", ["json", "proto"])


@pytest.fixture(scope="module")
def served() -> Iterator[Server]:
    with Server(port=0, http_port=0) as server:
        yield server


@pytest.fixture(scope="module")
def caller(served: Server) -> Iterator[Caller]:
    with Caller(served) as connected:
        yield connected


@KINDS
def test_a_call_has_the_same_answer_as_over_grpc(served: Server, caller: Caller, kind: str) -> None:
    answer = caller.call(EVALUATE, BATTLE, odds_service_pb2.EvaluateResponse, kind)
    assert answer.swords_odds.attacker_wins == pytest.approx(0.8165819214459777, abs=1e-15)


@KINDS
def test_a_stream(caller: Caller, kind: str) -> None:
    matches = simulation_service_pb2.RunMatchesRequest(
        game="swords", seats=2, bots=["random"], match_count=20, seed=3
    )
    start = simulation_service_pb2.StartRunRequest(run=matches)
    run = caller.call("/sengoku.v1.SimulationService/StartRun", start, operations_pb2.Operation, kind)
    assert run.metadata.type_url.endswith("RunMetadata")
    watch = simulation_service_pb2.WatchRunRequest(name=run.name)
    method = "/sengoku.v1.SimulationService/WatchRun"
    seen = list(caller.stream(method, watch, simulation_service_pb2.WatchRunResponse, kind))
    progress = simulation_service_pb2.RunMetadata()
    assert seen[-1].operation.metadata.Unpack(progress)
    assert progress.matches_done == 20
    read = simulation_service_pb2.ReadRunRequest(name=run.name)
    method = "/sengoku.v1.SimulationService/ReadRun"
    rows = list(caller.stream(method, read, simulation_service_pb2.ReadRunResponse, kind))
    assert rows


@KINDS
def test_a_stream_that_fails(caller: Caller, kind: str) -> None:
    request = simulation_service_pb2.WatchRunRequest(name="runs/0")
    method = "/sengoku.v1.SimulationService/WatchRun"
    with pytest.raises(FailedError, match="runs/0") as raised:
        list(caller.stream(method, request, simulation_service_pb2.WatchRunResponse, kind))
    assert (raised.value.status, raised.value.reason) == (200, "RUN_NOT_FOUND")


@KINDS
def test_errors_have_their_reason(caller: Caller, kind: str) -> None:
    request = match_service_pb2.GetMatchRequest(match_id="none")
    with pytest.raises(FailedError) as raised:
        caller.call("/sengoku.v1.MatchService/GetMatch", request, match_service_pb2.GetMatchResponse, kind)
    failed = raised.value
    assert (failed.status, failed.code, failed.reason) == (404, "not_found", "MATCH_NOT_FOUND")


def test_get(caller: Caller) -> None:
    plain = caller.http.get(VERSION, params={"connect": "v1", "encoding": "json", "message": "{}"})
    assert plain.json()["packageVersion"]
    data = BATTLE.SerializeToString()
    for message, more in (
        (base64.urlsafe_b64encode(data).decode(), {}),
        (base64.urlsafe_b64encode(data).decode().rstrip("="), {}),
        (base64.urlsafe_b64encode(gzip.compress(data)).decode(), {"compression": "gzip"}),
    ):
        params = {"encoding": "proto", "base64": "1", "message": message, **more}
        answer = caller.http.get(EVALUATE, params=params)
        assert answer.status_code == 200, answer.text
        odds_service_pb2.EvaluateResponse.FromString(answer.content)


def test_forms_of_requests_that_are_refused(caller: Caller) -> None:
    assert caller.http.get("/sengoku.v1.MatchService/Play").status_code == 405
    assert caller.http.put(EVALUATE).status_code == 405
    assert caller.post(EVALUATE, b"{}", "xml").status_code == 415
    assert caller.post(EVALUATE, frame(b"{}"), "connect+json").status_code == 415
    assert caller.http.get(VERSION, params={"encoding": "xml", "message": "{}"}).status_code == 415
    for answer, code in (
        (caller.post(EVALUATE, b"{", "json"), 400),
        (caller.post(EVALUATE, b"\xff", "proto"), 400),
        (caller.post(EVALUATE, b"{}", "json", connect_timeout_ms="12345678901"), 400),
        (caller.post(EVALUATE, b"{}", "json", content_encoding="br"), 400),
        (caller.post(EVALUATE, b"{}", "json", content_encoding="gzip"), 400),
        (caller.post("/sengoku.v1.OddsService/Guess", b"{}", "json"), 404),
    ):
        assert answer.status_code == code, answer.text
        assert answer.json()["details"][0]["debug"]["reason"]
        assert answer.headers["x-request-id"]


def test_compression_both_ways(caller: Caller) -> None:
    answer = caller.post(
        EVALUATE, gzip.compress(BATTLE.SerializeToString()), "proto", content_encoding="gzip"
    )
    assert odds_service_pb2.EvaluateResponse.FromString(answer.content).swords_odds.attacker_wins > 0.8
    games = caller.post("/sengoku.v1.CatalogService/ListGames", b"{}", "json", accept_encoding="gzip")
    assert games.headers["content-encoding"] == "gzip"
    assert {game["id"] for game in games.json()["games"]} == {"swords", "tower", "battles"}
    plain = caller.post("/sengoku.v1.CatalogService/ListGames", b"{}", "json", accept_encoding="identity")
    assert "content-encoding" not in plain.headers
    assert plain.json() == games.json()


def test_a_deadline_ends_a_call(served: Server, caller: Caller) -> None:
    request = {"game": "battles", "bots": ["greedy"], "matchCount": "100000"}
    answer = caller.post(
        "/sengoku.v1.SimulationService/RunMatches",
        json.dumps(request).encode(),
        "json",
        connect_timeout_ms="200",
    )
    assert (answer.status_code, answer.json()["code"]) == (504, "deadline_exceeded")
    assert served.calls_under_way == 0


def test_methods_that_take_a_stream_need_grpc(caller: Caller) -> None:
    answer = caller.post("/sengoku.v1.EnvService/Step", frame(b""), "connect+proto")
    ((flags, last),) = frames(iter([answer.content]))
    assert flags == 2
    assert json.loads(last)["error"]["code"] == "unimplemented"


def test_a_caller_keeps_its_connection(served: Server, caller: Caller) -> None:
    before = served.connections()["accepted"]
    with Caller(served) as other:
        for _ in range(3):
            assert other.http.get(VERSION, params={"encoding": "json", "message": "{}"}).status_code == 200
            assert other.post(VERSION, b"{}", "json").status_code == 200
            assert other.post(VERSION, b"{", "json").status_code == 400
            assert other.post(VERSION, b"{}", "xml").status_code == 415
            assert other.http.get("/livez").status_code == 200
    assert served.connections()["accepted"] == before + 1


def test_a_port_that_is_taken(served: Server) -> None:
    with pytest.raises(ArgumentError, match="cannot listen on ") as raised:
        Server(port=0, http_port=served.http_port)
    assert raised.value.details["field"] == "http_port"


def test_a_request_id_is_returned(caller: Caller) -> None:
    answer = caller.post(VERSION, b"{}", "json", x_request_id="abc-1")
    assert answer.headers["x-request-id"] == "abc-1"


def test_other_pages(caller: Caller) -> None:
    assert caller.http.get("/healthz").text == "SERVING"
    assert caller.http.get("/livez").text == "ALIVE"
    assert "sengoku_requests_total" in caller.http.get("/metrics").text
    assert caller.http.get("/nothing.js").status_code == 404
    assert "default-src 'self'" in caller.http.get("/play").headers["content-security-policy"]


def test_get_version_names_the_limits(caller: Caller) -> None:
    request = catalog_service_pb2.GetVersionRequest()
    answer = caller.call(VERSION, request, catalog_service_pb2.GetVersionResponse)
    assert answer.limits["message_bytes"] == 4 << 20
