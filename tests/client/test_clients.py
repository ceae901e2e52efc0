"""Both clients: the same methods and answers; what is sent again and what is not; TLS, tokens, runs."""

import asyncio
import inspect
import pickle
import re
import threading
import time
import uuid
from collections.abc import Callable, Coroutine, Iterator
from concurrent import futures
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import grpc
import pyarrow.ipc
import pyarrow.parquet
import pytest
from google.protobuf import any_pb2, duration_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from sengoku import (
    AsyncClient,
    Cancel,
    Client,
    RemoteCubeTower,
    RemoteMatch,
    RemoteRun,
    RunSummary,
    Tls,
    battles,
    run_matches,
    run_scenarios,
    tower,
)
from sengoku.client import _flow as doors
from sengoku.client import calls, remote
from sengoku.client._flow import RPCS, Connection, is_loopback
from sengoku.client.environments import AsyncRemoteBatchEnv, RemoteBatchEnv
from sengoku.client.remote import AsyncRemoteCubeTower, AsyncRemoteMatch, AsyncRemoteRun
from sengoku.client.tournaments import AsyncRemoteTournament, RemoteTournament
from sengoku.errors import (
    ArgumentError,
    BusyError,
    CancelledError,
    DeadlineError,
    DecodeError,
    MatchNotFoundError,
    NotAllowedError,
    RequestIdError,
    RunNotFoundError,
    RunNotOverError,
    SengokuError,
    ShuttingDownError,
    UnauthenticatedError,
    UnavailableError,
)
from sengoku.server import Limits, Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.server.tls import Tls as ServerTls
from sengoku.swords import Battle, Force
from sengoku.v1 import catalog_service_pb2, match_service_pb2, odds_service_pb2
from support.certificates import Authority
from support.process import soon

DUEL = Battle(Force(spear=1), Force(spear=2))
CLASH = tower.Clash(("blue", 4), ("yellow", 3))
STRIKE = battles.Strike("SSp", "ASp")
WISH: dict[str, Any] = {"bots": ["greedy", "random"], "match_count": 60, "seed": 3}
LONG: dict[str, Any] = {"bots": ["random"], "match_count": 90_000_000}


def awaited(work: Coroutine[Any, Any, Any]) -> Any:
    """Does something in an event loop of its own."""
    return asyncio.run(asyncio.wait_for(work, 120))


# The same methods


def public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Client, AsyncClient),
        (RemoteMatch, AsyncRemoteMatch),
        (RemoteCubeTower, AsyncRemoteCubeTower),
        (RemoteRun, AsyncRemoteRun),
        (RemoteBatchEnv, AsyncRemoteBatchEnv),
        (RemoteTournament, AsyncRemoteTournament),
    ],
)
def test_the_same_names_with_the_same_arguments(one: type, other: type) -> None:
    assert public(one) == public(other)
    for name in (*public(one), "__init__"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert mine.__doc__ == theirs.__doc__
        assert mine.__doc__ or name == "__init__"
        if not isinstance(mine, property):
            assert inspect.signature(mine) == inspect.signature(theirs)
            assert "Steps" not in str(inspect.signature(mine))  # what a caller gets is what is told


def test_names_that_others_build_on() -> None:
    assert {
        *("ask_match", "ask_tower", "batch_odds", "close", "create_match", "cube_tower", "exact", "games"),
        *("join_match", "load_match", "match_from_replay", "odds", "read_scenario", "run_matches"),
        *("run_scenarios", "sample", "scenario", "scenarios", "simulate_throws", "spec", "tower_models"),
        *("version",),
        *("start_run", "run", "runs"),
        *("create_tournament", "tournament", "tournaments"),
    } <= public(Client)
    assert {"name", "metadata", "watch", "wait", "report", "read", "save", "cancel", "delete"} <= public(
        RemoteRun
    )


# The same answers


CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "ask": ((odds_service_pb2.EvaluateRequest(),), {}),
    "ask_match": (("GetMatch", match_service_pb2.GetMatchRequest()), {}),
    "ask_tower": ((), {}),
    "batch_odds": (([STRIKE, STRIKE],), {"method": "sampled", "samples": 1000, "seed": 5}),
    "exact": ((DUEL,), {}),
    "games": ((), {}),
    "health": ((), {}),
    "odds": ((CLASH,), {"max_error": 0.01, "seed": 9}),
    "play_matches": (("battles",), {"players": ["greedy", "random"], "match_count": 3, "rotate": True}),
    "players": ((), {}),
    "read_scenario": (("no such file",), {}),
    "run": (("operations/none",), {}),
    "run_matches": (("battles",), WISH),
    "run_scenarios": (("tower",), {"bots": ["random"], "match_count": 2, "seed": 1}),
    "runs": (("lost",), {}),
    "sample": ((DUEL, 5000), {"seed": 4}),
    "scenario": ((8,), {}),
    "scenarios": ((), {}),
    "simulate_throws": (({"blue": 3},), {"count": 50, "seed": 2}),
    "spec": (("tower",), {}),
    "tower_models": ((), {}),
    "version": ((), {}),
    "join_match": (("nobody", "knows"), {}),
    "load_match": ((b"nothing",), {}),
    "match_from_replay": (("nothing",), {}),
    "create_match": (("chess",), {}),
    "start_run": (("battles",), WISH | {"match_count": 0}),
    "create_tournament": (("bots = 1",), {}),
    "tournament": (("none",), {}),
}
"""Arguments of each method whose answer, or refusal, is the same every time."""
ELSEWHERE = {"close", "cube_tower", "status", "serve_bot", "batch_env", "tournaments"}
"""Methods that the tests below compare, and those of players, environments and tournaments."""


def told(call: Callable[[], Any]) -> Any:
    """What came of a call: the answer, or the error."""
    try:
        return call()
    except (SengokuError, TypeError) as error:
        return type(error), str(error), getattr(error, "details", None)


def test_every_method_gives_the_same_answer(server: Server, client: Client) -> None:
    assert {*CALLS} | ELSEWHERE == public(Client)

    async def ask() -> dict[str, Any]:
        answers = {}
        async with AsyncClient(server.address, timeout=60) as other:
            for name, (args, options) in CALLS.items():
                try:
                    answers[name] = await getattr(other, name)(*args, **options)
                except (SengokuError, TypeError) as error:
                    answers[name] = type(error), str(error), getattr(error, "details", None)
        return answers

    answers = awaited(ask())
    for name, (args, options) in CALLS.items():
        here = told(lambda name=name, args=args, options=options: getattr(client, name)(*args, **options))
        if name == "run_scenarios":
            here, answers[name] = here.summary(), answers[name].summary()
            assert here == run_scenarios(*args, **options).summary()
        assert here == answers[name], name
    assert answers["run_matches"] == run_matches("battles", **WISH)
    assert (answers["exact"], answers["sample"]) == (DUEL.exact(), DUEL.sample(5000, seed=4))
    assert answers["runs"][0] is answers["start_run"][0] is ArgumentError
    assert answers["run"][0] is RunNotFoundError


def test_pictures_of_scenarios(server: Server, client: Client) -> None:
    async def ask() -> None:
        async with AsyncClient(server.address, timeout=60) as other:
            one = await other.scenario("sun")
            assert one.picture == client.scenario("sun").picture
            first = (await other.scenarios("tower"))[0]
            assert first == client.scenarios("tower")[0]
            with pytest.raises(ArgumentError, match=r"await client.scenario\('sun'\)"):
                first.picture.save("nowhere")

    awaited(ask())


def test_a_match_awaited(server: Server, client: Client) -> None:
    async def play() -> None:
        async with AsyncClient(server.address, timeout=60) as other:
            wish = {"seed": 11, "seats": 2, "match_index": 3}
            with client.create_match("battles", **wish) as here:
                async with await other.create_match("battles", **wish) as there:
                    for _ in range(20):
                        actions = await there.legal_actions()
                        assert actions == here.legal_actions()
                        assert ((await there.legal_mask()) == here.legal_mask()).all()
                        await there.play(actions[0], expected_decisions=await there.decisions)
                        here.play(actions[0])
                    asked = ("to_act", "over", "outcome", "decisions", "history", "digest", "dice_left")
                    for name in (*asked, "log", "seed", "match_index", "setup"):
                        assert await getattr(there, name) == getattr(here, name), name
                    for name in ("game", "seats", "seat"):
                        assert getattr(there, name) == getattr(here, name)
                    assert await there.state() == here.state()
                    assert await there.view(1) == here.view(1)
                    assert (await there.observe(0) == here.observe(0)).all()
                    assert await there.picture() == here.picture()
                    assert await there.sketch(0) == here.sketch(0)
                    assert await there.save() == here.save()
                    assert await there.replay() == here.replay()
                    assert await there.count_sequences(1) == here.count_sequences(1)
                    logs = await asyncio.gather(*(there.log for _ in range(5)))
                    assert all(log == here.log for log in logs)
                    copy = await there.clone()
                    assert isinstance(copy, AsyncRemoteMatch)
                    assert await copy.digest == here.digest
                    await copy.close()
                    seat = await other.join_match(there.match_id, there.seat_tokens[0])
                    with pytest.raises(NotAllowedError):
                        await seat.state()
                    assert "AsyncRemoteMatch" in repr(seat)
                with pytest.raises(MatchNotFoundError):
                    await there.to_act
            with pytest.raises(KeyError, match="mine"):
                async with await other.create_match("battles"):
                    raise KeyError("mine")

    awaited(play())


def test_a_tower_awaited(server: Server, client: Client) -> None:
    async def throw() -> None:
        async with AsyncClient(server.address, timeout=60) as other:
            here, there = client.cube_tower(seed=5), other.cube_tower(seed=5)
            for cubes in ({"blue": 4, "red": 3}, {"yellow": 5}):
                assert await there.throw(cubes) == here.throw(cubes)
            assert there.save() == here.save()
            copy = there.clone()
            assert isinstance(copy, AsyncRemoteCubeTower)
            assert await copy.throw({"blue": 1}) == here.clone().throw({"blue": 1})
            assert (there.contents, there.throws, len(there)) == (here.contents, here.throws, len(here))

    awaited(throw())


def test_what_a_server_does(server: Server, client: Client) -> None:
    before = client.status()
    client.run_matches("tower", bots=["random"], match_count=7, seed=1)
    with client.create_match("battles"), client.batch_env("battles", lanes=2):
        after = client.status()

        async def ask() -> dict[str, Any]:
            async with AsyncClient(server.address) as other:
                return await other.status()

        assert {*awaited(ask())} == {*after}
    earlier = before["plays"].get("tower", {"matches": 0})
    assert after["plays"]["tower"]["matches"] == earlier["matches"] + 7
    assert after["plays"]["tower"]["decisions"] > 7
    assert after["uptime"] > before["uptime"] >= 0
    assert after["start_time"] == before["start_time"]
    assert (after["stopping"], after["calls"] >= 1) == (False, True)
    assert after["open_matches"] == before["open_matches"] + 1
    assert (before["environments"], after["environments"]) == (0, 1)
    assert (after["players"], after["tournaments"]) == (0, {})


# A server that fails as it is told


def failure_status(code: str, reason: str, retry_after: float | None) -> grpc.Status:
    details = [any_pb2.Any()]
    details[0].Pack(error_details_pb2.ErrorInfo(reason=reason, domain="sengoku"))
    if retry_after is not None:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(round(1e3 * retry_after))
        details.append(any_pb2.Any())
        details[1].Pack(error_details_pb2.RetryInfo(retry_delay=delay))
    number = code_pb2.Code.Value(code)
    return rpc_status.to_status(status_pb2.Status(code=number, message="no", details=details))


@dataclass
class Flaky(grpc.GenericRpcHandler):
    """Fails each method some times before it answers with nothing."""

    failures: int
    code: str = "UNAVAILABLE"
    reason: str = "UNAVAILABLE"
    retry_after: float | None = None
    pushback: str | None = None
    seconds: float = 0.0
    seen: dict[str, list[tuple[float, dict[str, Any], bytes]]] = field(default_factory=dict)

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler:
        """Takes every call."""

        def handle(data: bytes, context: grpc.ServicerContext) -> bytes:
            metadata = dict(context.invocation_metadata())
            before = self.seen.setdefault(details.method, [])
            before.append((time.monotonic(), metadata, data))
            time.sleep(self.seconds)
            if len(before) <= self.failures:
                status = failure_status(self.code, self.reason, self.retry_after)
                metadata = tuple(status.trailing_metadata)
                if self.pushback is not None:
                    metadata += (("grpc-retry-pushback-ms", self.pushback),)
                context.set_trailing_metadata(metadata)
                context.abort(status.code, status.details)
            return b""

        def stream(data: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
            handle(data, context)
            yield b""

        for rpc in RPCS.values():
            if rpc.path == details.method and rpc.stream:
                return grpc.unary_stream_rpc_method_handler(stream)
        return grpc.unary_unary_rpc_method_handler(handle)

    def tries(self, method: str) -> int:
        """How often a method was called."""
        return len(self.seen.get(method, []))


@contextmanager
def flaky(failures: int, **options: Any) -> Iterator[tuple[Flaky, str]]:
    handler = Flaky(failures, **options)
    server = grpc.server(futures.ThreadPoolExecutor(40), handlers=(handler,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield handler, f"127.0.0.1:{port}"
    finally:
        server.stop(0).wait()


EVALUATE = "/sengoku.v1.OddsService/Evaluate"
ONCE = {
    "/sengoku.v1.MatchService/CreateMatch",
    "/sengoku.v1.MatchService/LoadMatch",
    "/sengoku.v1.MatchService/Play",
    "/sengoku.v1.MatchService/DeleteMatch",
    "/sengoku.v1.TournamentService/DeleteTournament",
    "/google.longrunning.Operations/DeleteOperation",
    "/grpc.health.v1.Health/Check",
}
"""Methods that are never sent again: something could happen twice, or the answer is what matters."""


def request_of(name: str) -> Any:
    from google.protobuf import descriptor_pool, message_factory  # noqa: PLC0415 - only for this

    return message_factory.GetMessageClass(descriptor_pool.Default().FindMessageTypeByName(name))()


def test_only_what_may_be_is_sent_again() -> None:
    """AIP-194: UNAVAILABLE, and only calls that may happen twice."""

    async def ask(address: str) -> None:
        async with AsyncClient(address, timeout=60, retries=2) as client:

            async def one(name: str) -> None:
                try:
                    if RPCS[name].stream:
                        return
                    await client.ask(request_of(name))
                except UnavailableError:
                    assert RPCS[name].path in ONCE
                else:
                    assert RPCS[name].path not in ONCE

            await asyncio.gather(*(one(name) for name in RPCS))

    with flaky(2) as (server, address):
        awaited(ask(address))
        unary = {rpc.path for rpc in RPCS.values() if not rpc.stream}
        assert {*server.seen} == unary
        assert {path for path in unary if server.tries(path) == 1} == ONCE
        assert {server.tries(path) for path in unary - ONCE} == {3}
        for tries in server.seen.values():  # the same call, and not a moment after it failed
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
        with pytest.raises(DecodeError):  # an answer without odds: but an answer
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
            with pytest.raises(DecodeError):  # an answer that is no run
                client.start_run("battles", **WISH)
        assert server.tries(path) == 3
        bodies = [data for *_, data in server.seen[path]]
        assert bodies[0] == bodies[1] != bodies[2]  # the same wish sent again, and another wish


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


# Connections


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"retries": -1}, "retries"),
        ({"retries": 5}, "retries"),
        ({"keepalive": 9.5}, "keepalive"),
        ({"keepalive": float("nan")}, "keepalive"),
        ({"timeout": float("nan")}, "timeout"),
        ({"token": ""}, "token"),
        ({"token": "two words"}, "token"),
        ({"token": "snow\u2603"}, "token"),
        ({"token": "line\nbreak"}, "token"),
        ({"target": "far.example:1", "token": "secret"}, "token"),
        ({"tls": Tls(cert="a.pem")}, "tls.key"),
        ({"tls": Tls(key="a.pem")}, "tls.cert"),
        ({"tls": Tls(ca="no such file")}, "tls.ca"),
    ],
)
def test_connections_that_cannot_be(options: dict[str, Any], field: str) -> None:
    for kind in (Client, AsyncClient):
        with pytest.raises(ArgumentError) as refused:
            kind(**{"target": "localhost:1"} | options)
        assert refused.value.details["field"] == field
        assert "secret" not in str(refused.value)


def test_a_token_does_not_leave_this_machine_in_the_clear() -> None:
    for target in (
        "localhost:1",
        "127.0.0.1:1",
        "[::1]:1",
        "unix:/tmp/x",
        "dns:///localhost:1",
        "ipv4:127.0.0.1:1",
    ):
        assert is_loopback(target)
        assert "secret" not in repr(Connection(target, token="secret"))  # noqa: S106
    for target in (
        "10.1.2.3:1",
        "localhost.example:1",
        "[2001:db8::1]:1",
        "dns://9.9.9.9/host:1",
        "0.0.0.0:1",
    ):
        assert not is_loopback(target)
        with pytest.raises(ArgumentError, match="for everybody to read"):
            Connection(target, token="secret")  # noqa: S106
        for allowed in ({"allow_insecure_token": True}, {"tls": True}):
            metadata = dict(Connection(target, token="secret", **allowed).metadata("id"))  # noqa: S106
            assert metadata == {"x-request-id": "id", "authorization": "Bearer secret"}


def test_tokens(tmp_path: Path) -> None:
    made = {role: make_token(role + "er", role) for role in ("read", "run")}
    file = tmp_path / "tokens.toml"
    file.write_text("".join(lines for _, lines in made.values()))
    file.chmod(0o600)
    with Server(port=0, access=Access(Tokens(file))) as server:
        with Client(server.address, timeout=30) as client, pytest.raises(UnauthenticatedError):
            client.version()
        with Client(server.address, timeout=30, token=made["read"][0]) as client:
            assert client.version()["threads"] >= 1
            with pytest.raises(NotAllowedError):
                client.exact(DUEL)
            assert client.health() == "SERVING"
        with Client(server.address, timeout=30, token=made["run"][0]) as client:
            assert client.exact(DUEL) == DUEL.exact()
            run = client.start_run("battles", **WISH)
            run.wait(60)
            assert [one.status.client for one in client.runs()] == ["runer"]

        async def ask() -> None:
            async with AsyncClient(server.address, timeout=30, token=made["run"][0]) as other:
                assert await other.exact(DUEL) == DUEL.exact()
                assert len(await other.runs()) == 1
            async with AsyncClient(server.address, timeout=30) as other:
                with pytest.raises(UnauthenticatedError):
                    await other.version()

        awaited(ask())


def test_tls_both_ways(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    mine, theirs = authority.issue("somebody"), authority.issue("server")
    access = Access(tls=ServerTls(theirs.cert, theirs.key, authority.cert))
    tls = Tls(authority.cert, mine.cert, mine.key)
    with Server(port=0, access=access) as server:
        with Client(server.address, timeout=30, tls=tls) as client:
            assert client.exact(DUEL) == DUEL.exact()

        async def ask() -> None:
            async with AsyncClient(server.address, timeout=30, tls=tls) as other:
                assert await other.exact(DUEL) == DUEL.exact()

        awaited(ask())
        other = tmp_path / "other"
        other.mkdir()
        strangers = (False, True, Tls(authority.cert), Tls(Authority(other).cert, mine.cert, mine.key))
        for stranger in strangers:
            client = Client(server.address, timeout=30, tls=stranger, retries=0)
            with client, pytest.raises(UnavailableError):
                client.exact(DUEL)


def test_a_closed_client_cannot_call(server: Server) -> None:
    async def ask() -> None:
        for called in (False, True):
            client = AsyncClient(server.address)
            if called:
                await client.version()
            await client.close()
            with pytest.raises(UnavailableError, match="cannot call any more"):
                await client.version()

    awaited(ask())


# Work that ends early


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

        async def wish() -> None:
            cancel = Cancel()
            async with AsyncClient(server.address) as client:
                task = asyncio.create_task(client.run_matches("battles", **LONG, cancel=cancel))
                while server.work_under_way == 0:
                    await asyncio.sleep(0.01)
                cancel.cancel()
                with pytest.raises(CancelledError):
                    await task

        awaited(wish())
        assert soon(lambda: server.work_under_way == 0)


def test_more_than_one_call_takes_is_a_run_that_leaves_nothing() -> None:
    seen: list[tuple[int, int]] = []
    with Server(port=0, limits=Limits(matches=7)) as server, Client(server.address) as client:
        report = client.run_matches("battles", **WISH, progress=lambda *done: seen.append(done))
        assert report == run_matches("battles", **WISH)
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
    old = doors.Rpc("sengoku.v1.SimulationService", "NoSuchMethod", RPCS[name].response, False, False)
    monkeypatch.setitem(RPCS, name, old)
    with Server(port=0, limits=Limits(matches=7)) as server, Client(server.address) as client:
        assert client.run_matches("battles", **WISH) == run_matches("battles", **WISH)


# Runs


def test_a_run_from_its_beginning_to_its_end(server: Server, client: Client, tmp_path: Path) -> None:
    report = run_matches("battles", **WISH)
    run = client.start_run("battles", **WISH)
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
    assert run.report(**part) == run_matches("battles", **WISH | part)
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
    run.cancel()  # which does not matter any more
    assert run.name in repr(run)
    run.delete()
    for lost in (run.metadata, run.wait, run.report, run.delete, run.cancel, lambda: list(run.watch())):
        with pytest.raises(RunNotFoundError):
            lost()


def test_a_run_awaited(server: Server, tmp_path: Path) -> None:
    report = run_matches("battles", **WISH)

    async def play() -> None:
        async with AsyncClient(server.address, timeout=60) as client:
            run = await client.start_run("battles", **WISH)
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
    with pytest.raises(DeadlineError, match="goes on"):
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


def test_the_same_wish_twice(client: Client) -> None:
    name = uuid.uuid4().hex
    one, two = (client.start_run("battles", **WISH, request_id=name) for _ in range(2))
    assert one.name == two.name
    assert one.status.request_id == name
    with pytest.raises(RequestIdError):
        client.start_run("battles", **WISH | {"seed": 4}, request_id=name)
    for bad in ("", "x" * 200):
        with pytest.raises(ArgumentError):
            client.start_run("battles", **WISH, request_id=bad)
    one.wait(60)
    one.delete()


def test_lists_have_as_many_pages_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "_PAGE", 2)
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
    """A server that is started anew goes on with its runs, and its clients with waiting."""
    wish = {"bots": ["random"], "match_count": 1200, "seed": 5}
    store = tmp_path / "runs.sqlite3"
    first = Server(port=0, store=store)
    port, later = first.port, []
    with Client(first.address, timeout=60) as client:
        run = client.start_run("battles", **wish)
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
            assert summary == RunSummary.of(run_matches("battles", **wish))
            assert run.report() == run_matches("battles", **wish)
        finally:
            later[0].stop(1).wait()


def test_rows_are_read_on_where_they_broke_off(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    run = client.start_run("battles", **WISH | {"match_count": 700})
    run.wait(60)
    monkeypatch.setattr(remote, "_AWAY_SECONDS", 5.0)
    take, broken = type(client._door)._take, []

    def breaking(door: Any, step: Any) -> Any:
        answer = take(door, step)
        if isinstance(step, doors.Next) and answer is None and len(broken) < 1:
            broken.append(step)
            raise UnavailableError("the line is cut")
        return answer

    monkeypatch.setattr(type(client._door), "_take", breaking)
    assert run.report() == run_matches("battles", **WISH | {"match_count": 700})
    assert len(broken) == 1
    run.delete()


def test_requests_of_each_method_are_told_apart() -> None:
    assert len(RPCS) == len({rpc.path for rpc in RPCS.values()})
    assert RPCS[catalog_service_pb2.GetStatusRequest.DESCRIPTOR.full_name].method == "GetStatus"
    with Client("localhost:1") as client, pytest.raises(TypeError, match="Play takes no GetMatchRequest"):
        client.ask_match("Play", match_service_pb2.GetMatchRequest())


@pytest.mark.slow
def test_a_long_call_may_look_whether_the_server_is_there() -> None:
    """By default gRPC's servers end connections that ask so often; ours do not."""
    with (
        Server(port=0, limits=Limits(matches=90_000_000)) as server,
        Client(server.address, keepalive=10) as client,
        pytest.raises(DeadlineError),
    ):
        client.run_matches("battles", **LONG, timeout=50)
