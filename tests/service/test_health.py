"""Whether a server takes calls: for clients, for probes and on the command line."""

import asyncio
from pathlib import Path

import pytest

from sengoku import AsyncClient, Client
from sengoku.client import Tls
from sengoku.errors import UnavailableError
from sengoku.server import Server
from sengoku.service.access import Access, Tokens, make_token
from sengoku.service.access import Tls as ServerTls
from service.certificates import Authority


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
