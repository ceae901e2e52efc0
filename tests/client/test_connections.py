"""Options of a connection: validation, TLS, tokens, closing."""

import re
import time
from pathlib import Path
from typing import Any

import pytest

from sengoku import AsyncClient, Client, Tls
from sengoku.client._channel import Connection, is_loopback_target
from sengoku.errors import ArgumentError, NotAllowedError, UnauthenticatedError, UnavailableError
from sengoku.server import Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.server.auth import Tls as ServerTls
from support.certificates import Authority
from support.clients import DUEL, OPTIONS, awaited, flaky


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
        assert is_loopback_target(target)
        assert "secret" not in repr(Connection(target, token="secret"))  # noqa: S106
    for target in (
        "10.1.2.3:1",
        "localhost.example:1",
        "[2001:db8::1]:1",
        "dns://9.9.9.9/host:1",
        "0.0.0.0:1",
    ):
        assert not is_loopback_target(target)
        with pytest.raises(ArgumentError, match="unencrypted"):
            Connection(target, token="secret")  # noqa: S106
        for allowed in ({"allow_insecure_token": True}, {"tls": True}):
            connection = Connection(target, token="secret", **allowed)  # noqa: S106
            assert connection.authorization == (("authorization", "Bearer secret"),)


def test_every_call_has_an_id_and_the_token() -> None:
    async def call(address: str) -> None:
        async with AsyncClient(address, timeout=30, token="secret") as other:  # noqa: S106
            await other.version()

    path = "/sengoku.v1.CatalogService/GetVersion"
    with flaky(0) as (server, address):
        awaited(call(address))
        with Client(address, timeout=30, token="secret") as client:  # noqa: S106
            client.version()
        sent = [metadata for _, metadata, _ in server.seen[path]]
    assert [metadata["authorization"] for metadata in sent] == ["Bearer secret"] * 2
    assert all(re.fullmatch("[0-9a-f]{32}", metadata["x-request-id"]) for metadata in sent)
    assert sent[0]["x-request-id"] != sent[1]["x-request-id"]


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
            run = client.start_run("battles", **OPTIONS)
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
            with pytest.raises(UnavailableError, match="the client is closed"):
                await client.version()

    awaited(ask())


def test_a_closed_client_does_not_wait_for_a_restart(server: Server) -> None:
    with Client(server.address, timeout=30) as client:
        run = client.start_run("battles", **OPTIONS)
        run.wait(60)
    start = time.monotonic()
    for call in (run.wait, run.report, run.metadata, lambda: next(run.watch())):
        with pytest.raises(UnavailableError, match="the client is closed"):
            call()
    assert time.monotonic() - start < 5
    with Client(server.address, timeout=30) as client:
        client.run(run.name).delete()
