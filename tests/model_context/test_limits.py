"""MCP over HTTP goes by the rules of all other calls: tokens, roles, limits, deadlines, records, its end."""

import asyncio
import json
import logging
import sys
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from sengoku.server import Limits, Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.server.logging import JsonFormatter
from support.access import Clock, write
from support.connect import Caller
from support.mcp_players import MODES, call, over_http, refusal, rejection, run
from support.process import soon

JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
MODERN = {"mcp-protocol-version": "2026-07-28"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[str, str]]]:
    roles = {"reader": "read", "one": "run", "other": "run", "chief": "admin"}
    made = {name: make_token(name, role) for name, role in roles.items()}
    file = write(tmp_path_factory.mktemp("mcp") / "tokens.toml", *(lines for _, lines in made.values()))
    limits = Limits(client_open_matches=2, search_iterations=50, analysis_iterations=5, message_bytes=20_000)
    with Server(port=0, http_port=0, access=Access(Tokens(file)), limits=limits) as server:
        yield server, {name: token for name, (token, _) in made.items()}


def post(server: Server, body: bytes, **headers: str) -> httpx2.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with httpx2.Client(base_url=server.http_address, timeout=60) as http:
        return http.post("/mcp", content=body, headers=JSON | named)


def rpc(method: str, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


@pytest.mark.parametrize("mode", MODES)
def test_who_has_no_token_gets_nothing(mode: str, guarded: tuple[Server, dict[str, str]]) -> None:
    server, _ = guarded

    async def knock(token: str | None) -> None:
        async with over_http(server, token, mode):
            pass

    for token in (None, "sgk_wrong"):
        with pytest.raises(BaseException) as refused:  # noqa: PT011 - groups of errors, by protocol
            run(knock(token))
        assert "UNAUTHENTICATED" in "".join(_texts(refused.value))
    answer = post(server, rpc("tools/list"))
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert answer.json()["error"]["data"]["reason"] == "UNAUTHENTICATED"


def _texts(error: BaseException) -> Iterator[str]:
    yield str(error)
    for inner in getattr(error, "exceptions", ()):
        yield from _texts(inner)


def test_a_role_may_do_what_it_may_do_elsewhere(guarded: tuple[Server, dict[str, str]]) -> None:
    server, tokens = guarded

    async def read() -> None:
        async with over_http(server, tokens["reader"]) as client:
            assert "tower" in (await call(client, "list_games"))["games"]
            assert "Aim" in (await call(client, "read_rules", game="tower"))["text"]
            fight = {"attacker": {"spear": 2}, "defender": {"spear": 2}}
            for tool, arguments in (
                ("begin_match", {"game": "battles"}),
                ("join_match", {"invitation": "a.b"}),
                ("odds", {"game": "swords", "fight": fight}),
            ):
                refused = await refusal(client, tool, **arguments)
                assert refused.reason == "NOT_ALLOWED", tool
                assert refused.details["needed"] == "run"
                assert refused.request_id

    run(read())
    assert server._mcp.seats == 0


def test_a_match_of_one_token_is_nothing_to_another(guarded: tuple[Server, dict[str, str]]) -> None:
    server, tokens = guarded

    async def peek() -> None:
        async with (
            over_http(server, tokens["one"]) as one,
            over_http(server, tokens["other"]) as other,
            over_http(server, tokens["chief"]) as chief,
        ):
            begun = await call(one, "begin_match", game="tower", bots={}, seats=3, seed=4)
            match = begun["match"]
            for client in (other, chief):
                for tool, more in (
                    *(
                        (name, {})
                        for name in (
                            "look",
                            "list_actions",
                            "wait_for_turn",
                            "read_messages",
                            "analyse",
                            "replay",
                        )
                    ),
                    ("play", {"answer": "1"}),
                    ("say", {"text": "hello"}),
                    ("end_match", {}),
                ):
                    refused = await refusal(client, tool, match=match, **more)
                    unknown = await refusal(client, tool, match="f" * len(match), **more)
                    assert refused.reason == unknown.reason == "MATCH_NOT_FOUND", tool
                    assert str(refused).replace(match, "") == str(unknown).replace("f" * len(match), "")
                error = await rejection(client.read_resource(f"sengoku://match/{match}/board.svg"))
                assert error.data["reason"] == "MATCH_NOT_FOUND"
            # An invitation is a secret that is given away, as the token of a seat is.
            joined = await call(other, "join_match", invitation=begun["invitations"]["1"])
            assert (joined["seat"], joined["match"] != match) == (1, True)
            for client, name in ((one, match), (other, joined["match"])):
                await call(client, "end_match", match=name)

    run(peek())


@pytest.mark.parametrize("mode", MODES)
def test_limits_are_those_of_all_other_calls(mode: str, guarded: tuple[Server, dict[str, str]]) -> None:
    server, tokens = guarded

    async def exceed() -> None:
        async with over_http(server, tokens["one"], mode) as client:
            matches = [(await call(client, "begin_match", game="battles", seed=3))["match"] for _ in range(2)]
            full = await refusal(client, "begin_match", game="battles")
            assert (full.reason, full.field) == ("QUOTA_EXCEEDED", "client_open_matches")
            for tool, arguments, field in (
                ("begin_match", {"game": "battles", "bots": "mcts:iterations=60"}, "search_iterations"),
                ("analyse", {"match": matches[0], "iterations": 6}, "analysis_iterations"),
                ("begin_match", {"game": "battles", "setup": {"x": "y" * 30_000}}, "message_bytes"),
            ):
                if tool == "begin_match" and len(matches) == 2:
                    await call(client, "end_match", match=matches.pop())
                if field == "message_bytes":
                    error = await rejection(client.call_tool(tool, arguments))
                    assert (error.data["reason"], error.data["field"]) == ("OVER_LIMIT", field)
                else:
                    refused = await refusal(client, tool, **arguments)
                    assert (refused.reason, refused.field) == ("OVER_LIMIT", field)
            for match in matches:
                await call(client, "end_match", match=match)

    run(exceed())
    assert server._mcp.seats == 0


def test_waiting_calls_are_counted_and_end_with_their_caller() -> None:
    async def wait(server: Server) -> None:
        async with over_http(server) as client:
            match = (await call(client, "begin_match", game="tower", seats=3, bots={}, seat=2, seed=1))[
                "match"
            ]
            waiting = [
                asyncio.create_task(call(client, "wait_for_turn", match=match, seconds=40)) for _ in range(2)
            ]
            while server._dispatch.streams < 2:
                await asyncio.sleep(0.02)
            error = await rejection(client.call_tool("look", {"match": match}))
            assert (error.data["reason"], error.data["field"]) == ("QUOTA_EXCEEDED", "client_streams")
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    with Server(port=0, http_port=0, limits=Limits(client_streams=2)) as server:
        run(wait(server))
        assert soon(lambda: server._dispatch.idle)
        assert server._broadcaster.watchers == 0


def test_a_deadline_ends_a_call() -> None:
    async def wait(server: Server) -> None:
        async with over_http(server, **{"connect-timeout-ms": "700"}) as client:
            match = (await call(client, "begin_match", game="tower", seats=3, bots={}, seat=2, seed=1))[
                "match"
            ]
            error = await rejection(client.call_tool("wait_for_turn", {"match": match, "seconds": 40}))
            assert error.data["reason"] == "DEADLINE_EXCEEDED"

    with Server(port=0, http_port=0) as server:
        run(wait(server))
        assert soon(lambda: server._dispatch.idle)


def test_seats_that_are_not_used_are_forgotten() -> None:
    clock = Clock()

    async def begin(server: Server) -> str:
        async with over_http(server) as client:
            return str((await call(client, "begin_match", game="battles", seed=1))["match"])

    async def look(server: Server, match: str) -> str:
        async with over_http(server) as client:
            return (await refusal(client, "look", match=match)).reason

    with Server(port=0, http_port=0, clock=clock, limits=Limits(idle_seconds=60)) as server:
        match = run(begin(server))
        assert server._mcp.seats == 1
        clock.now += 59
        assert server._mcp.seats == 1
        clock.now += 2
        assert server._mcp.seats == 0
        assert server._matches.open_matches() == 0
        assert run(look(server, match)) == "MATCH_NOT_FOUND"


@pytest.mark.parametrize("mode", MODES)
def test_calls_of_tools_are_recorded_like_all_others(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    async def begin(server: Server) -> None:
        async with over_http(server, mode=mode, **{"x-request-id": "request-of-a-model"}) as client:
            await call(client, "begin_match", game="battles", seed=1)

    with Server(port=0, http_port=0) as server, caplog.at_level(logging.INFO):
        run(begin(server))
        with Caller(server) as caller:
            page = caller.http.get("/metrics").text
    rows = [json.loads(JsonFormatter().format(record)) for record in caplog.records]
    calls = [row for row in rows if row.get("request_id") == "request-of-a-model"]
    assert {row["method"] for row in calls} > {
        "mcp",
        "sengoku.v1.MatchService/CreateMatch",
        "sengoku.v1.MatchService/GetView",
    }
    assert {(row["code"], row["client"]) for row in calls} == {("OK", "local")}
    assert 'sengoku_requests_total{code="OK",method="mcp"}' in page
    assert 'sengoku_requests_total{code="OK",method="sengoku.v1.MatchService/CreateMatch"} 1.0' in page
    assert not [record for record in caplog.records if record.name.startswith("mcp") and record.levelno < 30]


def test_requests_that_are_none_get_an_error_and_change_nothing(
    guarded: tuple[Server, dict[str, str]],
) -> None:
    server, tokens = guarded
    bearer = {"authorization": f"Bearer {tokens['one']}"}
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    bad = [
        b"",
        b"\xff\xfe",
        b"{",
        b"[]",
        b"null",
        b'{"jsonrpc": "2.0"}',
        b"[" + b",".join([rpc("tools/list")] * 3) + b"]",
        b"[" * 9_000 + b"]" * 9_000,
        b'{"id": ' + b"9" * 9_000 + b"}",
        rpc("tools/call"),
        rpc("tools/call", name=7),
        rpc("no/such"),
        rpc("tools/call", name="look", arguments=[1]),
        rpc("tools/call", name="look", arguments={"match": {"a": []}}, _meta=meta),
    ]
    for body in bad:
        for version in ({}, MODERN):
            answer = post(server, body, **bearer, **version)
            assert answer.status_code < 500 or b"jsonrpc" in answer.content, body[:60]
            assert "Traceback" not in answer.text
    for kind, status in (("text/plain", 415), ("application/proto", 400)):
        assert post(server, rpc("tools/list"), **bearer, content_type=kind).status_code == status
    with httpx2.Client(base_url=server.http_address, headers=bearer | JSON) as http:
        for method in ("GET", "DELETE", "PUT"):
            answer = http.request(method, "/mcp")
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    large = post(server, b" " * 30_000, **bearer)
    assert large.json()["error"]["data"]["reason"] == "OVER_LIMIT"
    other = {"origin": "https://evil.example"}
    assert post(server, rpc("tools/list"), **bearer, **other).status_code == 403
    assert server._mcp.seats == 0
    assert soon(lambda: server._dispatch.idle)


def test_a_server_ends_while_players_wait() -> None:
    async def wait(server: Server) -> None:
        async with over_http(server) as client:
            match = (await call(client, "begin_match", game="tower", seats=3, bots={}, seat=2, seed=1))[
                "match"
            ]
            waiting = asyncio.create_task(client.call_tool("wait_for_turn", {"match": match, "seconds": 40}))
            while server._dispatch.streams < 1:
                await asyncio.sleep(0.02)
            ended = server.stop(grace=0.2)
            answers = await asyncio.gather(waiting, return_exceptions=True)
            assert "SHUTTING_DOWN" in str(answers)
            assert await asyncio.to_thread(ended.wait, 10)

    before = threading.active_count()
    with Server(port=0, http_port=0) as server:
        run(wait(server))
    assert soon(lambda: threading.active_count() <= before + 2)


def test_a_server_without_the_package_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "mcp"]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in sys.modules if name.startswith("sengoku.mcp.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    with caplog.at_level(logging.WARNING), Server(port=0, http_port=0) as server:
        assert "not installed: mcp;" in caplog.text
        answer = post(server, rpc("tools/list"), **MODERN)
        error = answer.json()["error"]
        assert (answer.status_code, error["data"]["reason"]) == (400, "MISSING_DEPENDENCY")
        assert "this server lacks mcp" in error["message"]
        assert "pip install" not in error["message"]
