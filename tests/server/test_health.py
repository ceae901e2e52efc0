"""Whether a server takes calls: for clients, for probes and on the command line."""

import asyncio
import json
from pathlib import Path

import pytest

from sengoku import AsyncClient, Client
from sengoku.client import Tls
from sengoku.errors import UnavailableError
from sengoku.server import Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.server.tls import Tls as ServerTls
from support.certificates import Authority
from support.cli import call


def test_a_server_that_takes_calls_says_so(client: Client) -> None:
    assert client.health() == "SERVING"


def test_health_is_awaited_too(server: Server) -> None:
    async def ask() -> str:
        async with AsyncClient(server.address) as client:
            return await client.health(timeout=10)

    assert asyncio.run(ask()) == "SERVING"


def test_no_server_is_not_reached() -> None:
    with Server(port=0) as gone:
        address = gone.address
    with Client(address, retries=0) as client, pytest.raises(UnavailableError):
        client.health(timeout=10)


def test_health_needs_no_token_and_the_name_of_the_certificate_counts(tmp_path: Path) -> None:
    """A probe on the machine itself meets a certificate of the public name."""
    authority = Authority(tmp_path)
    pair = authority.issue("sengoku.example", names=("sengoku.example",))
    tokens = tmp_path / "tokens"
    tokens.write_text(make_token("somebody", "run")[1])
    access = Access(Tokens(tokens), ServerTls(pair.cert, pair.key))
    with Server(port=0, access=access) as server:
        with Client(server.address, tls=Tls(authority.cert, name="sengoku.example")) as probe:
            assert probe.health(timeout=10) == "SERVING"
        stranger = Client(server.address, tls=Tls(authority.cert), retries=0)
        with stranger, pytest.raises(UnavailableError):
            stranger.health(timeout=10)


def health(*options: str, **environment: str) -> tuple[int, str]:
    """Run `sengoku health`; return its exit code and its output."""
    code, done = call("health", *options, **environment)
    return code, done.stdout.strip()


def test_the_command_says_it_by_its_exit_code(server: Server) -> None:
    assert health("--server", server.address) == (0, "SERVING")
    code, told = health("--json", SENGOKU_SERVER=server.address)
    assert (code, json.loads(told)) == (0, {"status": "SERVING"})


def test_the_command_says_that_a_server_stops_or_is_gone() -> None:
    with Server(port=0) as server:
        server.stop(grace=1, delay=30)
        assert health("--server", server.address) == (1, "NOT_SERVING")
        server.stop(0).wait(30)
    assert health("--server", server.address)[0] == 3


def test_the_command_takes_certificates_from_the_environment(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.issue("sengoku.example", names=("sengoku.example",))
    with Server(port=0, access=Access(tls=ServerTls(pair.cert, pair.key))) as server:
        secure = {"SENGOKU_SERVER": server.address, "SENGOKU_TLS_CA": str(authority.cert)}
        assert health(**secure)[0] == 3
        assert health(**secure, SENGOKU_TLS_NAME="sengoku.example") == (0, "SERVING")
