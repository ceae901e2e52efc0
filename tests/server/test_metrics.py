"""Metrics: what the page of a server says after real calls, and what its readers cannot do."""

import http.client
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest
from prometheus_client.parser import text_string_to_metric_families

from sengoku import Client, build_info, engine, errors, swords
from sengoku.server import Server, metrics_http
from sengoku.server.metrics import BUCKETS, Metrics
from sengoku.server.metrics_http import MetricsPort
from sengoku.v1 import simulation_service_pb2
from support.stubs import make_stub

BATTLE = swords.Battle(swords.Force(spear=1), swords.Force(spear=1))
EVALUATE = "sengoku.v1.OddsService/Evaluate"
RUN_MATCHES = "sengoku.v1.SimulationService/RunMatches"
LONG = simulation_service_pb2.RunMatchesRequest(game="battles", bots=["greedy"], match_count=1_000_000)

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def parse(page: str) -> Samples:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }


def value(samples: Samples, name: str, **labels: str) -> float | None:
    return samples.get((f"sengoku_{name}", frozenset(labels.items())))


def get(address: str, path: str = "/metrics", method: str = "GET") -> tuple[int, str]:
    host, _, port = address.rpartition(":")
    connection = http.client.HTTPConnection(host.strip("[]"), int(port), timeout=10)
    try:
        connection.request(method, path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


@pytest.fixture
def running() -> Iterator[Server]:
    with Server(port=0, metrics_port=0) as server:
        yield server


def page_of(server: Server) -> Samples:
    assert server.metrics_port is not None
    status, page = get(server.metrics_port.address)
    while status == 429:
        time.sleep(0.2)
        status, page = get(server.metrics_port.address)
    assert status == 200
    return parse(page)


def test_the_page_of_a_server_that_has_done_nothing(running: Server) -> None:
    samples = page_of(running)
    assert value(samples, "requests_total", method=EVALUATE, code="OK") == 0
    assert value(samples, "calls_under_way", method=EVALUATE) == 0
    assert value(samples, "open_matches") == 0
    info = build_info()
    about = {name: info[name] for name in ("version", "profile", "instruction_set")}  # type: ignore[literal-required]
    assert value(samples, "build_info", **about) == 1
    for game in engine.games():
        assert value(samples, "rules_version", game=game.name) == game.rules_version
        assert value(samples, "matches_played_total", game=game.name) == 0
    assert samples["process_resident_memory_bytes", frozenset()] > 1e6
    assert not [name for name, _ in samples if name.startswith("sengoku_errors")]


def test_calls_are_counted_by_what_came_of_them(running: Server) -> None:
    with Client(running.address) as client:
        for _ in range(3):
            client.exact(BATTLE)
        _send_garbage(running)
        report = client.run_matches("swords", bots=["random", "random"], match_count=7, seed=1)
        with client.create_match("tower", seats=3):
            assert value(page_of(running), "open_matches") == 1
    samples = page_of(running)
    assert value(samples, "requests_total", method=EVALUATE, code="OK") == 3
    assert value(samples, "requests_total", method=EVALUATE, code="INVALID_ARGUMENT") == 1
    assert value(samples, "errors_total", method=EVALUATE, reason="UNREADABLE_DATA") == 1
    assert value(samples, "calls_under_way", method=EVALUATE) == 0
    assert value(samples, "request_duration_seconds_count", method=EVALUATE) == 4
    assert value(samples, "request_duration_seconds_bucket", method=EVALUATE, le="600.0") == 4
    assert value(samples, "matches_played_total", game="swords") == 7
    assert value(samples, "decisions_played_total", game="swords") == report.decisions.sum()
    assert running.metrics.plays == {"swords": (7, report.decisions.sum())}
    assert value(samples, "requests_total", method=RUN_MATCHES, code="OK") == 1
    # Every reason on the page is one of ours.
    reasons = {dict(labels)["reason"] for name, labels in samples if name == "sengoku_errors_total"}
    assert reasons <= set(errors.REASONS)


def test_runs_are_counted_by_state(tmp_path: Path) -> None:
    run = simulation_service_pb2.RunMatchesRequest(game="tower", bots=["random"], match_count=20)
    request = simulation_service_pb2.StartRunRequest(run=run)
    with (
        Server(port=0, metrics_port=0, store=tmp_path / "runs.sqlite3") as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        assert value(page_of(server), "runs", state="SUCCEEDED") == 0
        make_stub(channel, simulation_service_pb2.DESCRIPTOR, "SimulationService").StartRun(
            request, timeout=30
        )
        _wait(lambda: value(page_of(server), "runs", state="SUCCEEDED") == 1)
        samples = page_of(server)
    assert value(samples, "runs", state="RUNNING") == 0
    assert value(samples, "matches_played_total", game="tower") == 20
    assert (value(samples, "store_bytes") or 0) >= 4096


def _send_garbage(server: Server) -> None:
    with grpc.insecure_channel(server.address) as channel:
        stub = channel.unary_unary(f"/{EVALUATE}", None, None)
        with pytest.raises(grpc.RpcError):
            stub(b"\xff", timeout=10)


def test_calls_under_way_are_seen_and_the_given_up_end(running: Server) -> None:
    with grpc.insecure_channel(running.address) as channel:
        stub = channel.unary_unary(f"/{RUN_MATCHES}", request_serializer=None, response_deserializer=None)
        call = stub.future(LONG.SerializeToString(), timeout=60)
        _wait(lambda: value(page_of(running), "calls_under_way", method=RUN_MATCHES) == 1)
        _wait(lambda: value(page_of(running), "queue_running", kind="heavy") == 1)
        assert value(page_of(running), "queue_waiting", kind="heavy") == 0
        call.cancel()
        _wait(lambda: value(page_of(running), "calls_under_way", method=RUN_MATCHES) == 0)
    samples = page_of(running)
    assert value(samples, "requests_total", method=RUN_MATCHES, code="CANCELLED") == 1
    assert value(samples, "errors_total", method=RUN_MATCHES, reason="CANCELLED") == 1
    assert value(samples, "queue_running", kind="heavy") == 0


def _wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not until():
        assert time.monotonic() < end
        time.sleep(0.15)


def test_callers_make_no_labels(running: Server) -> None:
    with grpc.insecure_channel(running.address) as channel:
        for number in range(50):
            stub = channel.unary_unary(f"/no.Such{number}/Method", None, None)
            with pytest.raises(grpc.RpcError):
                stub(b"", timeout=10)
    running.metrics.played("no such game", matches=1, decisions=2)
    samples = page_of(running)
    assert value(samples, "requests_total", method="other", code="UNIMPLEMENTED") == 50
    assert value(samples, "errors_total", method="other", reason="UNKNOWN_METHOD") == 50
    assert value(samples, "matches_played_total", game="other") == 1
    assert not [labels for _, labels in samples if "Such" in str(labels) or "no such" in str(labels)]


def test_latencies_from_a_fifth_of_a_millisecond_to_ten_minutes() -> None:
    assert (BUCKETS[0], BUCKETS[-1]) == (0.0002, 600)
    assert list(BUCKETS) == sorted(BUCKETS)
    counts = Metrics(["/a/B"])
    for seconds in (0.0001, 0.0003, 700.0):
        counts.begin("/a/B")
        counts.end("/a/B", "OK", "", seconds)
    samples = parse(counts.page().decode())
    buckets = [
        value(samples, "request_duration_seconds_bucket", method="a/B", le=le)
        for le in ("0.0002", "0.0005", "600.0", "+Inf")
    ]
    assert buckets == [1, 2, 2, 3]


def test_numbers_that_others_keep(caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> int:
        raise RuntimeError("gone")

    counts = Metrics()
    counts.watch(
        queue=lambda: {"heavy": (3, 2)},
        runs=lambda: {"RUNNING": 1, "SUCCEEDED": 40},
        open_matches=fail,
        store_bytes=lambda: 4096,
    )
    samples = parse(counts.page().decode())
    assert value(samples, "queue_waiting", kind="heavy") == 3
    assert value(samples, "queue_running", kind="heavy") == 2
    assert value(samples, "runs", state="RUNNING") == 1
    assert value(samples, "runs", state="SUCCEEDED") == 40
    assert value(samples, "store_bytes") == 4096
    assert value(samples, "open_matches") is None
    assert [record.message for record in caplog.records] == ["sengoku_open_matches cannot be read"]


def test_two_servers_count_apart(running: Server) -> None:
    with Server(port=0, metrics_port=0) as other:
        with Client(other.address) as client:
            client.exact(BATTLE)
        assert value(page_of(other), "requests_total", method=EVALUATE, code="OK") == 1
        assert value(page_of(running), "requests_total", method=EVALUATE, code="OK") == 0


def test_health_by_http(running: Server) -> None:
    assert running.metrics_port is not None
    address = running.metrics_port.address
    assert get(address, "/healthz") == (200, "SERVING")
    with grpc.insecure_channel(running.address) as channel:
        stub = channel.unary_unary(f"/{RUN_MATCHES}", request_serializer=None, response_deserializer=None)
        call = stub.future(LONG.SerializeToString(), timeout=60)
        _wait(lambda: running.calls_under_way == 1)
        ended = running.stop(grace=60)
        _wait(lambda: get(address, "/healthz") == (503, "NOT_SERVING"))
        call.cancel()
        assert ended.wait(20)
    with pytest.raises(OSError):  # noqa: PT011 - refused or closed
        get(address, "/healthz")


def test_pages_methods_and_a_bound_on_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics_http.time, "monotonic", lambda: 1000.0)
    healthy = True
    with MetricsPort(Metrics(), healthy=lambda: healthy) as port:
        assert get(port.address, "/secrets")[0] == 404
        assert get(port.address, "/healthz") == (200, "SERVING")
        assert get(port.address, "/metrics", "POST")[0] == 405
        healthy = False
        assert get(port.address, "/healthz") == (503, "NOT_SERVING")
        pages = [get(port.address, "/" if number else "/metrics")[0] for number in range(12)]
        assert pages == 9 * [200] + 3 * [429]  # one of this second was a POST
        assert get(port.address, "/healthz")[0] == 503


def test_connections_are_few_and_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics_http, "CONNECTION_SECONDS", 1.0)
    with MetricsPort(Metrics()) as port, ExitStack() as open_ones:
        silent = [
            open_ones.enter_context(socket.create_connection(("127.0.0.1", port.port), timeout=10))
            for _ in range(metrics_http.CONNECTIONS)
        ]
        for connection in silent:
            connection.sendall(b"GET /metr")
        # A probe takes the place of the oldest: sixteen silent connections made every probe fail.
        for _ in range(3):
            assert get(port.address, "/healthz")[0] == 200
            assert get(port.address, "/livez") == (200, "ALIVE")
        assert silent[0].recv(10) == b""
        # After a while the others are cut off, too.
        begun = time.monotonic()
        assert all(connection.recv(10) == b"" for connection in silent)
        assert time.monotonic() - begun < 4
        _wait(lambda: get(port.address)[0] == 200)


def test_ports_that_cannot_be_had(running: Server) -> None:
    assert running.metrics_port is not None
    taken = running.metrics_port.port
    with pytest.raises(errors.ArgumentError, match=f"metrics_host 127.0.0.1, metrics_port {taken}") as told:
        Server(port=0, metrics_port=taken)
    assert told.value.details == {
        "field": "metrics_port",
        "value": str(taken),
        "metrics_host": "127.0.0.1",
    }
    anywhere = "0.0.0.0"  # noqa: S104 - what is refused
    with pytest.raises(
        errors.ArgumentError, match=r"metrics_host is '0.0.0.0', which other machines can reach"
    ):
        Server(port=0, metrics_port=0, metrics_host=anywhere)
    with Server(port=0, metrics_port=0, metrics_host=anywhere, allow_public_metrics=True) as server:
        assert server.metrics_port is not None
        assert get(f"127.0.0.1:{server.metrics_port.port}", "/healthz")[0] == 200
    # Without a port for metrics its host does not matter.
    with Server(port=0, metrics_host=anywhere) as server:
        assert server.metrics_port is None
