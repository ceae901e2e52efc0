"""TLS: certificates of servers and clients, and changes of their files."""

import logging
import os
import socket
import ssl
import warnings
from pathlib import Path

import grpc
import pytest

from sengoku.errors import ArgumentError
from sengoku.server import Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.server.tls import Tls
from support.access import (
    EVALUATE,
    GET_VERSION,
    Clock,
    ask,
    write,
)
from support.certificates import Authority, Pair


def test_tls_needs_both_files(pair: Pair, authority: Authority) -> None:
    assert Tls.of(None, None) is None
    for given, missing in (
        ((pair.cert, None, None), "tls_key"),
        ((None, pair.key, None), "tls_cert"),
        ((None, None, authority.cert), "tls_cert"),
        ((pair.cert, None, authority.cert), "tls_key"),
    ):
        with pytest.raises(ArgumentError, match=f"is given without {missing}") as told:
            Tls.of(*given)
        assert told.value.details["field"] == missing
    made = Tls.of(pair.cert, pair.key)
    assert made is not None
    assert not made.mutual


def test_files_of_tls_that_are_no_good(pair: Pair, authority: Authority, tmp_path: Path) -> None:
    other = authority.issue("other")
    garbage = tmp_path / "garbage.pem"
    garbage.write_bytes(os.urandom(300))
    torn = tmp_path / "torn.pem"
    torn.write_bytes(pair.cert.read_bytes()[:200] + b"\n-----END CERTIFICATE-----\n")
    torn_key = tmp_path / "torn.key"
    torn_key.write_bytes(pair.key.read_bytes()[:100] + b"\n-----END PRIVATE KEY-----\n")
    torn_key.chmod(0o600)
    locked = tmp_path / "locked.key"
    locked.write_text("-----BEGIN ENCRYPTED PRIVATE KEY-----\n")
    none = tmp_path / "none.pem"
    for cert, key, client_ca, field, said in (
        (none, pair.key, None, "tls_cert", "which cannot be read: No such file"),
        (pair.cert, none, None, "tls_key", "which cannot be read: No such file"),
        (pair.cert, pair.key, none, "tls_client_ca", "which cannot be read: No such file"),
        (garbage, pair.key, None, "tls_cert", "contains no readable certificate in PEM"),
        (pair.key, pair.key, None, "tls_cert", "contains no readable certificate in PEM"),
        (torn, pair.key, None, "tls_cert", "contains no readable certificate in PEM"),
        (pair.cert, garbage, None, "tls_key", "contains no readable private key in PEM"),
        (pair.cert, pair.cert, None, "tls_key", "contains no readable private key in PEM"),
        (pair.cert, torn_key, None, "tls_key", "contains no readable private key in PEM"),
        (pair.cert, locked, None, "tls_key", "is encrypted"),
        (pair.cert, other.key, None, "tls_key", "does not belong to the certificate"),
        (pair.cert, pair.key, garbage, "tls_client_ca", "contains no readable certificate in PEM"),
        (pair.cert, pair.key, torn, "tls_client_ca", "contains no readable certificates in PEM"),
    ):
        with pytest.raises(ArgumentError) as told:
            Tls(cert, key, client_ca)
        assert said in str(told.value)
        assert told.value.details["field"] == field


def test_a_key_open_to_others_is_warned_of(pair: Pair, caplog: pytest.LogCaptureFixture) -> None:
    pair.key.chmod(0o644)
    Tls(pair.cert, pair.key)
    assert [record.message for record in caplog.records] == [
        f"tls_key {pair.key} can be read by others (mode 644)"
    ]


def secure_channel(server: Server, ca: Path, pair: Pair | None = None) -> grpc.Channel:
    credentials = grpc.ssl_channel_credentials(
        ca.read_bytes(),
        None if pair is None else pair.key.read_bytes(),
        None if pair is None else pair.cert.read_bytes(),
    )
    # Every channel has a connection of its own.
    return grpc.secure_channel(server.address, credentials, [("grpc.use_local_subchannel_pool", 1)])


def clients_seen(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.fields["client"] for record in caplog.records if record.name == "sengoku.calls"]


def served_certificate(server: Server, ca: Path) -> bytes:
    context = ssl.create_default_context(cafile=ca)
    context.set_alpn_protocols(["h2"])
    with (
        socket.create_connection(("127.0.0.1", server.port), timeout=10) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as connection,
    ):
        assert connection.version() in {"TLSv1.2", "TLSv1.3"}
        shown = connection.getpeercert(binary_form=True)
        assert shown is not None
        return shown


def test_tls(authority: Authority, pair: Pair, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    stranger = Authority(tmp_path, "stranger")
    with Server(port=0, access=Access(tls=Tls(pair.cert, pair.key))) as server:
        with secure_channel(server, authority.cert) as channel:
            assert ask(channel, GET_VERSION) == "OK"
        with secure_channel(server, stranger.cert) as channel:
            assert ask(channel, GET_VERSION) == "UNAVAILABLE"
        with grpc.insecure_channel(server.address) as channel:
            assert ask(channel, GET_VERSION) == "UNAVAILABLE"
    assert clients_seen(caplog) == ["local"]


def test_old_versions_of_tls_are_refused(authority: Authority, pair: Pair) -> None:
    with Server(port=0, access=Access(tls=Tls(pair.cert, pair.key))) as server:
        context = ssl.create_default_context(cafile=authority.cert)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
        with (
            socket.create_connection(("127.0.0.1", server.port), timeout=10) as plain,
            pytest.raises(ssl.SSLError),
        ):
            context.wrap_socket(plain, server_hostname="localhost")


def test_tls_with_certificates_of_clients(
    authority: Authority, pair: Pair, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    stranger = Authority(tmp_path, "stranger")
    with Server(port=0, access=Access(tls=Tls(pair.cert, pair.key, authority.cert))) as server:
        for client in (authority.issue("alice"), authority.issue("", names=("bob.example",), file="bob")):
            with secure_channel(server, authority.cert, client) as channel:
                assert ask(channel, GET_VERSION) == "OK"
        for client_or_none in (None, stranger.issue("mallory")):
            with secure_channel(server, authority.cert, client_or_none) as channel:
                assert ask(channel, GET_VERSION) == "UNAVAILABLE"
    assert clients_seen(caplog) == ["alice", "bob.example"]


def test_tls_with_certificates_of_clients_and_tokens(
    authority: Authority, pair: Pair, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    token, lines = make_token("grafana", "read")
    tokens = Tokens(write(tmp_path / "tokens.toml", lines))
    door = Access(tokens, Tls(pair.cert, pair.key, authority.cert))
    with (
        Server(port=0, access=door) as server,
        secure_channel(server, authority.cert, authority.issue("alice")) as channel,
    ):
        assert ask(channel, GET_VERSION) == "UNAUTHENTICATED"
        assert ask(channel, GET_VERSION, token) == "OK"
        assert ask(channel, EVALUATE, token) == "NOT_ALLOWED"
    assert clients_seen(caplog) == ["local", "grafana", "grafana"]


def test_certificates_are_read_again_when_they_change(
    authority: Authority, pair: Pair, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Clock()
    tls = Tls(pair.cert, pair.key, clock=clock)
    first = ssl.PEM_cert_to_DER_cert(pair.cert.read_text())
    with Server(port=0, access=Access(tls=tls)) as server:
        assert served_certificate(server, authority.cert) == first
        other = authority.issue("other")
        other.cert.replace(pair.cert)
        clock.now += 2
        # Only half of it is there yet.
        assert served_certificate(server, authority.cert) == first
        assert "does not belong to the certificate" in caplog.records[-1].message
        other.key.replace(pair.key)
        clock.now += 2
        second = ssl.PEM_cert_to_DER_cert(pair.cert.read_text())
        assert served_certificate(server, authority.cert) == second != first
        pair.cert.unlink()
        clock.now += 2
        assert served_certificate(server, authority.cert) == second
