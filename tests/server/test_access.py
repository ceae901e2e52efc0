"""A server with tokens: every method for every role, and no secret in any log."""

import contextlib
import hashlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from sengoku import Client, errors
from sengoku.server import Server, auth
from sengoku.server import health as health_module
from sengoku.server.auth import Access, Caller, Tokens, make_token
from sengoku.v1 import (
    match_service_pb2,
)
from support.access import (
    ANYWHERE,
    EVALUATE,
    GET_VERSION,
    METHODS,
    READING,
    Clock,
    ask,
    write,
)
from support.certificates import Authority, Pair
from support.cli import run
from support.stubs import make_stub


@dataclass(frozen=True)
class Guarded:
    """A server with a token for each role."""

    server: Server
    tokens: dict[str, str]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    made = {role: make_token(f"{role}er", role) for role in auth.ROLES}
    file = write(tmp_path_factory.mktemp("access") / "tokens.toml", *(lines for _, lines in made.values()))
    with Server(port=0, access=Access(Tokens(file))) as server:
        yield Guarded(server, {role: token for role, (token, _) in made.items()})


def test_every_role_at_every_method(guarded: Guarded) -> None:
    assert len(METHODS) > 25
    assert set(METHODS) >= READING
    for method in METHODS:
        # So many refusals would close a single connection.
        options = [("grpc.use_local_subchannel_pool", 1)]
        with grpc.insecure_channel(guarded.server.address, options) as channel:
            assert ask(channel, method) == "UNAUTHENTICATED", method
            assert ask(channel, method, "wrong") == "UNAUTHENTICATED", method
            told = {role: ask(channel, method, guarded.tokens[role]) for role in auth.ROLES}
            refused = [role for role, reason in told.items() if reason == "NOT_ALLOWED"]
            assert refused == ([] if method in READING else ["read"]), method
            assert "UNAUTHENTICATED" not in told.values(), method
            assert "UNKNOWN_METHOD" not in told.values(), method


def test_who_may_not_costs_nothing_and_changes_nothing(guarded: Guarded) -> None:
    # Who is not let in does not even get his request read.
    with grpc.insecure_channel(guarded.server.address) as channel:
        assert ask(channel, EVALUATE, None, b"\xff") == "UNAUTHENTICATED"
        assert ask(channel, EVALUATE, guarded.tokens["read"], b"\xff") == "NOT_ALLOWED"
        assert ask(channel, EVALUATE, guarded.tokens["run"], b"\xff") == "UNREADABLE_DATA"
        assert ask(channel, "/no.Such/Method", None) == "UNAUTHENTICATED"
        assert ask(channel, "/no.Such/Method", guarded.tokens["read"]) == "UNKNOWN_METHOD"
    assert guarded.server.calls_under_way == 0


def test_who_is_not_let_in_is_told_before_he_sends_anything(guarded: Guarded) -> None:
    asked = threading.Event()

    def messages() -> Iterator[bytes]:
        asked.wait(30)  # a message that does not come while the answer is awaited
        yield b""

    with grpc.insecure_channel(guarded.server.address) as channel:
        call = channel.stream_unary(EVALUATE, request_serializer=None, response_deserializer=None)
        with pytest.raises(grpc.RpcError) as told:
            call(messages(), timeout=20)
        asked.set()
    assert told.value.code() is grpc.StatusCode.UNAUTHENTICATED


def test_a_token_that_only_looks_at_the_runs_of_a_client(tmp_path: Path) -> None:
    (worker, first), (viewer, second) = make_token("nightly", "run"), make_token("nightly", "read")
    file = write(tmp_path / "tokens.toml", first, second)
    with (
        Server(port=0, access=Access(Tokens(file))) as server,
        Client(server.address, token=worker) as client,
        Client(server.address, token=viewer) as looking,
    ):
        run = client.start_run("tower", bots=["random"], seats=3, match_count=5)
        run.wait(30)
        assert [seen.name for seen in looking.runs()] == [run.name]
        seen = looking.run(run.name)
        assert seen.report() == run.report()
        for wish in (seen.cancel, seen.delete):
            with pytest.raises(errors.NotAllowedError):
                wish()
        with pytest.raises(errors.NotAllowedError):
            looking.start_run("tower", bots=["random"], seats=3, match_count=5)


def test_health_and_reflection_are_open(guarded: Guarded) -> None:
    with grpc.insecure_channel(guarded.server.address) as channel:
        health = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=10)
        assert health.status == health_pb2.HealthCheckResponse.SERVING
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        (answer,) = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(
            iter([request]), timeout=10
        )
        assert "sengoku.v1.OddsService" in str(answer)


def test_who_has_no_token_cannot_take_the_places_of_others(guarded: Guarded) -> None:
    with grpc.insecure_channel(guarded.server.address) as channel:
        watch = health_pb2_grpc.HealthStub(channel).Watch
        watching = [watch(health_pb2.HealthCheckRequest(), timeout=60) for _ in range(health_module.STREAMS)]
        for stream in watching:
            assert next(stream).status == health_pb2.HealthCheckResponse.SERVING
        with pytest.raises(grpc.RpcError) as told:
            next(watch(health_pb2.HealthCheckRequest(), timeout=60))
        assert told.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        # The same with questions that do not come.
        reflect = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo
        asked = [queue.SimpleQueue() for _ in range(health_module.STREAMS)]
        asking = [reflect(iter(questions.get, None), timeout=60) for questions in asked]
        for questions, stream in zip(asked, asking, strict=True):
            questions.put(reflection_pb2.ServerReflectionRequest(list_services=""))
            assert next(stream).HasField("list_services_response")
        with pytest.raises(grpc.RpcError) as told:
            next(reflect(iter([reflection_pb2.ServerReflectionRequest(list_services="")]), timeout=60))
        assert told.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        # Everything else goes on, and so do these when some have gone.
        assert ask(channel, GET_VERSION, guarded.tokens["read"]) == "OK"
        health = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=10)
        assert health.status == health_pb2.HealthCheckResponse.SERVING
        for questions in asked:
            questions.put(None)
        for stream in (*watching, *asking):
            stream.cancel()
        for _ in range(100):
            with contextlib.suppress(grpc.RpcError):
                assert next(watch(health_pb2.HealthCheckRequest(), timeout=60)).status
                break
            time.sleep(0.05)
        else:
            pytest.fail("nobody may watch any more")


def test_tokens_come_and_go_while_the_server_runs(tmp_path: Path) -> None:
    clock = Clock()
    (old, first), (new, second) = make_token("old", "run"), make_token("new", "run")
    file = write(tmp_path / "tokens.toml", first)
    with (
        Server(port=0, access=Access(Tokens(file, clock=clock))) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        assert [ask(channel, GET_VERSION, token) for token in (old, new)] == ["OK", "UNAUTHENTICATED"]
        write(file, second)
        clock.now += 2
        assert [ask(channel, GET_VERSION, token) for token in (old, new)] == ["UNAUTHENTICATED", "OK"]


SENGOKU = [sys.executable, "-m", "sengoku.cli"]


def test_a_token_is_made_and_shown_once(tmp_path: Path) -> None:
    done = run("token", "nightly", "--role", "admin")
    token, *lines = done.stdout.splitlines()
    assert token not in done.stderr + "".join(lines)
    made = Tokens(write(tmp_path / "tokens.toml", "\n".join(lines)))
    assert made.find(token) == Caller("nightly", "admin")
    told = json.loads(run("token", "nightly", "--json").stdout)
    assert Tokens(write(tmp_path / "tokens.toml", told["lines"])).find(told["token"]) == Caller(
        "nightly", "run"
    )
    assert "NAME is 'a b'" in run("token", "a b", code=2).stderr
    assert "role is 'root', roles are read, run, admin" in run("token", "a", "--role", "root", code=2).stderr


def test_flags_of_serve_that_are_no_good(pair: Pair, tmp_path: Path) -> None:
    for flags, said in (
        (["--host", ANYWHERE], "which other machines can reach"),
        (["--metrics-port", "0", "--metrics-host", ANYWHERE], "--metrics-host is"),
        (["--tls-cert", str(pair.cert)], "--tls-key"),
        (["--tls-cert", str(pair.cert), "--tls-key", str(tmp_path / "none")], "No such file"),
        (["--token-file", str(tmp_path / "none")], "No such file"),
        (["--log-format", "xml"], "--log-format is 'xml', expected one of text, json"),
        (["--log-level", "loud"], "--log-level is 'loud', expected one of debug, info, warning, error"),
    ):
        done = run("serve", "--port", "0", *flags, code=2)
        assert said in " ".join(done.stderr.split())
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("style", ["json", pytest.param("text", marks=pytest.mark.system)])
def test_no_line_of_a_server_tells_a_secret(
    tmp_path: Path, pair: Pair, authority: Authority, style: str
) -> None:
    token, lines = make_token("nightly", "run")
    digest = hashlib.sha256(token.encode()).hexdigest()
    file = write(tmp_path / "tokens.toml", lines)
    command = [*SENGOKU, "serve", "--port", "0", "--metrics-port", "0", "--token-file", str(file)]
    command += ["--tls-cert", str(pair.cert), "--tls-key", str(pair.key)]
    command += ["--log-format", style, "--log-level", "debug"]
    secrets = [token, digest, "rosebud"]
    with (tmp_path / "output").open("w+") as output:
        environment = os.environ | {"XDG_STATE_HOME": str(tmp_path)}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=output, text=True, env=environment)
        with process:
            try:
                assert process.stdout is not None
                metrics = process.stdout.readline().strip().removeprefix("metrics on ")
                address = process.stdout.readline().strip().removeprefix("listening on ")
                credentials = grpc.ssl_channel_credentials(authority.cert.read_bytes())
                with grpc.secure_channel(address, credentials) as channel:
                    secrets += _use(channel, token)
                _break(file, lines, address, authority)
                with urllib.request.urlopen(f"http://{metrics}/metrics", timeout=10) as answer:
                    page = answer.read().decode()
            finally:
                process.terminate()
        assert process.returncode == 0
        output.seek(0)
        written = output.read()
    assert len(written.splitlines()) > 15
    assert written.count("sengoku.v1.MatchService/CreateMatch") == 2
    assert "the value read before stays in force" in written
    for secret in secrets:
        assert len(secret) > 6
        assert secret not in written
        assert secret not in page


def _use(channel: grpc.Channel, token: str) -> list[str]:
    """Makes calls with secrets of all kinds; gives those that came up."""
    mine = (("authorization", f"Bearer {token}"), ("x-request-id", f"Bearer {token}"), ("cookie", "rosebud"))
    for wrong in ("Bearer rosebud", "Basic rosebud", "rosebud", f"Bearer {token}x"):
        with pytest.raises(grpc.RpcError, match="UNAUTHENTICATED"):
            channel.unary_unary(EVALUATE, None, None)(b"", timeout=30, metadata=(("authorization", wrong),))
    assert ask(channel, f"/no.Such/{token}", token) == "UNKNOWN_METHOD"
    stub = make_stub(channel, match_service_pb2.DESCRIPTOR, "MatchService")
    setup = match_service_pb2.CreateMatchRequest(game="swords", setup_json='{"rosebud": "rosebud"}')
    with pytest.raises(grpc.RpcError, match=r"INVALID_SETUP|INVALID_ARGUMENT"):
        stub.CreateMatch(setup, timeout=30, metadata=mine)
    made = stub.CreateMatch(match_service_pb2.CreateMatchRequest(game="swords"), timeout=30, metadata=mine)
    keys = [made.access.match_id, made.access.owner_token, *made.access.seat_tokens]
    for key in (*keys[1:], "rosebud"):
        request = match_service_pb2.GetRecordRequest(match_id=made.access.match_id, token=key)
        with contextlib.suppress(grpc.RpcError):
            stub.GetRecord(request, timeout=30, metadata=mine)
    return keys


def _break(file: Path, lines: str, address: str, authority: Authority) -> None:
    """Breaks the token file in ways that put secrets into it."""
    credentials = grpc.ssl_channel_credentials(authority.cert.read_bytes())
    for text in (
        'sha256 = "rosebud"',
        'token = "rosebud"',
        "[[token]]\nrosebud",
        f"sgk_rosebud = 1\n{lines}",
    ):
        write(file, text)
        time.sleep(1.1)
        with grpc.secure_channel(address, credentials) as channel:
            assert ask(channel, GET_VERSION, "rosebud") == "UNAUTHENTICATED"
