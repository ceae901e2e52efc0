"""Hostile peers over HTTP: slow and huge headers, bombs, lies about lengths, smuggling, floods, slow readers.

Meanwhile a caller with a token is served, and afterwards the server has nothing left of them.
"""

import gzip
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from sengoku.server import Limits, Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.server.http import connection
from sengoku.v1 import odds_service_pb2, tower_pb2, tower_service_pb2
from server.http.test_connect import BATTLE, EVALUATE, VERSION
from support.access import write
from support.connect import Caller
from support.process import soon
from support.raw_http import RawHttp, post


class Guarded:
    """A server with tokens, and a caller that has one."""

    def __init__(self, server: Server, token: str) -> None:
        self.server, self.token = server, token
        self.bearer = f"Authorization: Bearer {token}"
        self.caller = Caller(server, token)
        self.odds()

    def odds(self) -> None:
        """Make a small call."""
        answer = self.caller.call(EVALUATE, BATTLE, odds_service_pb2.EvaluateResponse, "proto")
        assert answer.swords_odds.attacker_wins > 0.8

    def new_caller_is_served(self) -> None:
        """Call over a new connection."""
        with Caller(self.server, self.token) as caller:
            assert caller.post(VERSION, b"{}", "json").status_code == 200


@pytest.fixture
def limits() -> Limits:
    return Limits(send_seconds=2, unverified_seconds=4)


@pytest.fixture
def guarded(tmp_path: Path, limits: Limits) -> Iterator[Guarded]:
    token, entry = make_token("nightly", "run")
    access = Access(Tokens(write(tmp_path / "tokens.toml", entry)))
    with Server(port=0, http_port=0, access=access, limits=limits) as server:
        guarded = Guarded(server, token)
        with guarded.caller:
            yield guarded


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer else 0


def test_headers_that_never_end_are_given_up(guarded: Guarded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HEAD_SECONDS", 1.0)
    with ExitStack() as stack:
        raws = [
            stack.enter_context(RawHttp(guarded.server, b"POST / HTTP/1.1\r\nHost: x\r\n")) for _ in range(50)
        ]
        for step in range(5):
            for raw in raws:
                raw.send(f"X-{step}: a\r\n".encode())
            guarded.odds()
            time.sleep(0.3)
        guarded.new_caller_is_served()
        for raw in raws:
            answer, closed = raw.answer()
            assert closed
            assert status(answer) == 408
    assert soon(lambda: guarded.server.connections()["open"] <= 1)


@pytest.mark.parametrize(
    "head",
    [
        b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 40_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 40_000,
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"A: b\r\n" * 200 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"a" * 40_000,
    ],
)
def test_huge_headers_are_refused(head: bytes) -> None:
    with Server(port=0, http_port=0) as server, RawHttp(server) as raw:
        raw.send(post(VERSION, b"{}"))  # so that the gate lets it send at full speed
        assert status(raw.response()) == 200
        raw.send(head)
        answer, closed = raw.answer()
        assert (status(answer), closed) == (431, True)


def test_a_stranger_cannot_send_much(guarded: Guarded) -> None:
    with RawHttp(guarded.server) as raw:
        raw.send(b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 200_000)
        answer, _ = raw.answer(3)
        assert answer == b"" or status(answer) == 431
        guarded.odds()


def test_a_small_request_cannot_become_a_large_one(guarded: Guarded) -> None:
    bomb = gzip.compress(bytes(256 << 20))
    answer = guarded.caller.post(EVALUATE, bomb, "proto", content_encoding="gzip")
    assert answer.status_code == 400
    assert answer.json()["details"][0]["debug"]["metadata"]["field"] == "message_bytes"
    twice = gzip.compress(b"{}") * 2
    assert guarded.caller.post(EVALUATE, twice, "json", content_encoding="gzip").status_code == 400
    guarded.odds()


def test_a_long_body_is_refused_before_it_is_read(guarded: Guarded) -> None:
    with RawHttp(guarded.server) as raw:
        raw.send(post(EVALUATE, b"{", guarded.bearer, length=1 << 40))
        answer, closed = raw.answer()
        assert (status(answer), closed) == (400, True)
        assert b"OVER_LIMIT" in answer


def test_an_endless_body_is_refused(guarded: Guarded) -> None:
    head = post(EVALUATE, b"", guarded.bearer).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
    with RawHttp(guarded.server, head) as raw:
        piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        for _ in range(200):
            if not raw.send(piece):
                break
        answer, closed = raw.answer()
        assert closed
        assert answer == b"" or b"OVER_LIMIT" in answer  # lost if the server had to reset
    guarded.odds()
    assert soon(lambda: guarded.server.calls_under_way == 0)


SMUGGLED = [
    b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
    b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    b"Content-Length: +2\r\n\r\n{}",
    b"Content-Length: 0x2\r\n\r\n{}",
    b"Content-Length: -1\r\n\r\n{}",
    b"Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    b"Transfer-Encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    b"Transfer-Encoding : chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    b"Content-Length : 2\r\n\r\n{}",
    b"Content-Length: 2\r\n folded\r\n\r\n{}",
    b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    b"Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
    b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}XX0\r\n\r\n",
    b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n{}\r\n0\r\n\r\n",
    b"X: a\0b\r\nContent-Length: 2\r\n\r\n{}",
    b"Host: evil.example\r\nContent-Length: 2\r\n\r\n{}",
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 2\r\n\r\n{}",
]


@pytest.mark.parametrize("rest", SMUGGLED)
def test_requests_with_two_meanings_are_refused(rest: bytes) -> None:
    with Server(port=0, http_port=0) as server, RawHttp(server) as raw:
        head = f"POST {VERSION} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n".encode()
        raw.send(head + rest + b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        answer, closed = raw.answer()
        assert closed
        assert status(answer) in {400, 501}, answer
        assert b"SERVING" not in answer
        assert answer.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize(
    "data",
    [
        *(
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"GET /healthz\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
        ),
        *(b"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", b"OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
        *(b"GET /healthz HTTP/1.1\r\n\r\n", b"GET /../../etc/passwd.txt HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
        b"GET /%2e%2e/%2e%2e/x.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /%ff%00 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"TRACE / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    ],
)
def test_what_is_no_request_for_anything(data: bytes) -> None:
    with Server(port=0, http_port=0) as server, Caller(server) as caller:
        with RawHttp(server, data) as raw:
            answer, _ = raw.answer(1)
            assert status(answer) in {400, 403, 404, 405, 501, 503, 200}
            assert b"root:" not in answer
            if status(answer) == 200:  # the document of the console
                assert b"<html" in answer
        assert caller.http.get("/livez").text == "ALIVE"


def test_requests_are_not_answered_side_by_side() -> None:
    with Server(port=0, http_port=0) as server, RawHttp(server) as raw:
        raw.send(post(VERSION, b"{}") * 50)
        answer, closed = raw.answer()
        assert closed
        assert 1 <= answer.count(b"HTTP/1.1 200 ") <= 2


def test_a_flood_without_a_token_leaves_others_served(guarded: Guarded) -> None:
    request = post(EVALUATE, BATTLE.SerializeToString(), kind="proto")
    refused = 0
    with ExitStack() as stack:
        raws = [stack.enter_context(RawHttp(guarded.server)) for _ in range(130)]
        for _ in range(30):
            for raw in raws:
                raw.send(request)
            refused += sum(status(raw.response()) == 401 for raw in raws)
            guarded.odds()
        assert refused == 3_900
        guarded.new_caller_is_served()
    assert guarded.server.calls_under_way == 0


def test_a_connection_that_is_refused_too_often_is_closed(guarded: Guarded) -> None:
    with RawHttp(guarded.server) as raw:
        raw.send(post(VERSION, b"{}", guarded.bearer))  # so that it may send at full speed
        assert status(raw.response()) == 200
        answers = 0
        while answers < 1_000 and raw.send(post(VERSION, b"{}")):
            if status(raw.response()) != 401:
                break
            answers += 1
        assert 90 <= answers < 1_000
    assert guarded.server.connections()["struck"] == 1
    guarded.new_caller_is_served()


def large(token: str) -> bytes:
    """A call with a response of twelve megabytes."""
    request = tower_service_pb2.SimulateThrowsRequest(
        cubes=tower_pb2.TowerCubes(red=5, blue=4), tower=tower_service_pb2.NewTower(), count=1_000_000
    )
    path = "/sengoku.v1.TowerService/SimulateThrows"
    return post(path, request.SerializeToString(), token, kind="proto")


def test_a_peer_that_does_not_read_is_closed(guarded: Guarded) -> None:
    with RawHttp(guarded.server, large(guarded.bearer), small_window=True):
        assert soon(lambda: guarded.server.unsent_bytes > 0, 60)
        assert guarded.server.calls_under_way == 0
        guarded.odds()
        counts = guarded.server.connections
        assert soon(lambda: counts()["stalled"] + counts()["struck"] >= 1, 60)
    assert soon(lambda: guarded.server.unsent_bytes == 0)
    guarded.odds()


@pytest.mark.parametrize("limits", [Limits(client_unsent_bytes=1 << 20, send_seconds=600)])
def test_unread_responses_have_a_quota(guarded: Guarded) -> None:
    with ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(RawHttp(guarded.server, large(guarded.bearer), small_window=True))
        assert soon(lambda: guarded.server.unsent_bytes > 1 << 20, 60)
        assert soon(lambda: guarded.server.calls_under_way == 0, 60)
        answer = guarded.caller.post(EVALUATE, BATTLE.SerializeToString(), "proto")
        assert answer.status_code == 429
        assert answer.json()["details"][0]["debug"]["reason"] == "RESPONSES_UNREAD"
        assert int(answer.headers["retry-after"]) >= 1
    assert soon(lambda: guarded.server.unsent_bytes == 0)
    guarded.odds()


def test_a_caller_that_leaves_ends_its_call(guarded: Guarded) -> None:
    body = b'{"game": "battles", "bots": ["greedy"], "matchCount": "100000"}'
    with RawHttp(guarded.server, post("/sengoku.v1.SimulationService/RunMatches", body, guarded.bearer)):
        assert soon(lambda: guarded.server.calls_under_way == 1)
    assert soon(lambda: guarded.server.calls_under_way == 0)
    assert soon(lambda: guarded.server.work_under_way == 0, 60)
    with httpx.Client(base_url=str(guarded.server.http_address)) as client:
        page = client.get("/metrics", headers={"authorization": f"Bearer {guarded.token}"}).text
    assert 'sengoku_requests_total{code="CANCELLED",method="sengoku.v1.SimulationService/RunMatches"}' in page


def test_a_body_that_does_not_arrive_is_given_up() -> None:
    with Server(port=0, http_port=0) as server:
        server._dispatch.intake._seconds = 0.5
        with RawHttp(server, post(EVALUATE, b"{", length=20)) as raw:
            answer, closed = raw.answer(5)
        assert closed
        assert status(answer) == 504
        assert b"did not arrive" in answer
