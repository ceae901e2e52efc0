"""Addresses: which are local, and where a server may listen."""

import socket
from pathlib import Path

import pytest

from sengoku.errors import ArgumentError
from sengoku.server import Server
from sengoku.server.addresses import check_address, check_metrics_address, is_loopback
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.server.tls import Tls
from support.access import (
    ANYWHERE,
    write,
)
from support.certificates import Authority, Pair


def test_addresses_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {
        "here": ["127.0.0.1", "::1"],
        "half": ["127.0.0.1", "192.0.2.7"],
        "there": ["192.0.2.7"],
        "127.1": ["127.0.0.1"],
    }

    def look_up(host: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        if host not in names:
            raise socket.gaierror("unknown")
        return [(2, 1, 6, "", (address, 0)) for address in names[host]]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    safe = ["127.0.0.1", "127.255.0.3", "::1", "[::1]", "::ffff:127.0.0.1", "unix:/a", "here", "127.1"]
    public = [
        ANYWHERE,
        "::",
        "[::]",
        "192.168.0.1",
        "10.0.0.1",
        "2001:db8::1",
        "half",
        "there",
        "::ffff:8.8.8.8",
    ]
    assert [host for host in (*safe, *public) if is_loopback(host)] == safe
    with pytest.raises(ArgumentError, match="host is 'nowhere', which has no address"):
        is_loopback("nowhere")


def test_localhost_is_this_machine() -> None:
    assert is_loopback("localhost")


def test_public_addresses_need_tls_or_a_word(
    caplog: pytest.LogCaptureFixture, tmp_path: Path, pair: Pair, authority: Authority
) -> None:
    tokens = Tokens(write(tmp_path / "tokens.toml", make_token("a", "run")[1]))
    tls, mutual = Tls(pair.cert, pair.key), Tls(pair.cert, pair.key, authority.cert)
    check_address("127.0.0.1", Access())
    check_address(ANYWHERE, Access(tokens, tls))
    check_address(ANYWHERE, Access(None, mutual))
    assert caplog.records == []
    for door, what in (
        (Access(), "everything would"),
        (Access(tokens), "everything, including tokens, would"),
    ):
        with pytest.raises(ArgumentError) as told:
            check_address(ANYWHERE, door)
        assert f"host is '{ANYWHERE}', which other machines can reach, and {what} be sent" in str(told.value)
        assert told.value.details == {"field": "host", "value": ANYWHERE}
    open_to_all = f"host {ANYWHERE} can be reached by other machines, and "
    clear, unguarded = (
        "is sent unencrypted",
        "without token_file or tls_client_ca every caller has all permissions",
    )
    for door, said in (
        (Access(), [f"everything {clear}", unguarded]),
        (Access(tokens), [f"everything, including tokens, {clear}"]),
        (Access(None, tls), [unguarded]),
    ):
        caplog.clear()
        check_address(ANYWHERE, door, allowed=True)
        assert [record.message for record in caplog.records] == [open_to_all + text for text in said]


def test_metrics_are_shown_to_others_only_when_told_so() -> None:
    check_metrics_address("127.0.0.1")
    check_metrics_address(ANYWHERE, allowed=True)
    with pytest.raises(
        ArgumentError, match="which other machines can reach: give allow_public_metrics"
    ) as told:
        check_metrics_address(ANYWHERE)
    assert told.value.details == {"field": "metrics_host", "value": ANYWHERE}


def test_a_server_refuses_public_addresses_without_tls(pair: Pair, tmp_path: Path) -> None:
    tokens = Tokens(write(tmp_path / "tokens.toml", make_token("a", "run")[1]))
    for host in (ANYWHERE, "::", "[::]", socket.gethostbyname_ex(socket.gethostname())[2][0]):
        if is_loopback(host):
            continue
        for door in (Access(), Access(tokens)):
            with pytest.raises(ArgumentError, match="which other machines can reach") as told:
                Server(host=host, port=0, access=door)
            assert told.value.details == {"field": "host", "value": host}
    with Server(host=ANYWHERE, port=0, access=Access(tls=Tls(pair.cert, pair.key))) as server:
        assert server.port > 0
    with Server(host=ANYWHERE, port=0, allow_insecure_public=True) as server:
        assert server.port > 0
