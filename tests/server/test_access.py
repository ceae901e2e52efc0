"""Who may do what: tokens and their file, roles, TLS, and the addresses a server listens on."""

import contextlib
import hashlib
import hmac
import json
import logging
import os
import queue
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.request
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from google.longrunning import operations_pb2
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from sengoku import Client, errors
from sengoku.errors import ArgumentError, UnauthenticatedError
from sengoku.server import Server
from sengoku.server import auth as access
from sengoku.server import health as probes
from sengoku.server.auth import (
    Access,
    Caller,
    Tls,
    Tokens,
    check_address,
    check_metrics_address,
    is_loopback,
    make_token,
)
from sengoku.v1 import (
    catalog_service_pb2,
    env_service_pb2,
    match_service_pb2,
    odds_service_pb2,
    player_service_pb2,
    simulation_service_pb2,
    tournament_service_pb2,
    tower_service_pb2,
)
from support.certificates import Authority, Pair
from support.stubs import make_stub

ANYWHERE = "0.0.0.0"  # noqa: S104 - what is refused
LOCAL = "ipv4:127.0.0.1:40000"


class Clock:
    """Time that goes on when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Gives the time."""
        return self.now


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def write(file: Path, *entries: str) -> Path:
    """Writes a token file anew, as editors do: another file in its place."""
    other = file.with_suffix(".new")
    other.write_text("\n".join(entries) or "token = []\n")
    other.chmod(0o600)
    other.replace(file)
    return file


# Tokens.


def test_tokens_have_names_and_roles(tmp_path: Path) -> None:
    (reader, first), (runner, second), (boss, third) = (
        make_token("grafana", "read"),
        make_token("nightly", "run"),
        make_token("boss", "admin"),
    )
    file = write(tmp_path / "tokens.toml", first, second, third)
    assert not any(secret in file.read_text() for secret in (reader, runner, boss))
    door = Access(Tokens(file))
    assert door.caller(bearer(reader), {}, LOCAL) == Caller("grafana", "read")
    assert door.caller(bearer(runner), {}, LOCAL) == Caller("nightly", "run")
    assert door.caller({"authorization": f"bEARER  {boss} "}, {}, LOCAL) == Caller("boss", "admin")


def test_made_tokens_are_long_and_all_different() -> None:
    tokens = {make_token("a", "run")[0] for _ in range(100)}
    assert len(tokens) == 100
    assert all(token.startswith("sgk_") and len(token) == 47 for token in tokens)


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ({}, "a token is needed: metadata `authorization: Bearer TOKEN`"),
        ({"authorization": "Basic rosebud"}, "authorization is not `Bearer TOKEN`"),
        ({"authorization": "rosebud"}, "authorization is not `Bearer TOKEN`"),
        ({"authorization": "Bearer"}, "authorization is not `Bearer TOKEN`"),
        ({"authorization": "Bearer  "}, "authorization is not `Bearer TOKEN`"),
        ({"authorization": "Bearer rosebud" + 600 * "x"}, "authorization is not `Bearer TOKEN`"),
        ({"authorization": "Bearer rosebud"}, "the token is none that this server knows"),
        ({"authorization": "Bearer rosebud\udcff"}, "the token is none that this server knows"),
        ({"Authorization": "Bearer rosebud"}, "a token is needed: metadata `authorization: Bearer TOKEN`"),
    ],
)
def test_without_a_known_token_nobody_is_let_in(tmp_path: Path, metadata: dict[str, str], said: str) -> None:
    door = Access(Tokens(write(tmp_path / "tokens.toml", make_token("a", "run")[1])))
    with pytest.raises(UnauthenticatedError) as told:
        # A certificate does not stand in for a token.
        door.caller(metadata, {"x509_common_name": [b"alice"]}, LOCAL)
    assert str(told.value) == said
    assert "rosebud" not in str(told.value.details)


def test_the_hash_is_no_token(tmp_path: Path) -> None:
    token, lines = make_token("a", "run")
    door = Access(Tokens(write(tmp_path / "tokens.toml", lines)))
    with pytest.raises(UnauthenticatedError):
        door.caller(bearer(hashlib.sha256(token.encode()).hexdigest()), {}, LOCAL)


@pytest.mark.parametrize("place", [0, 3, 6, None])
def test_every_entry_is_compared_wherever_the_token_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: int | None
) -> None:
    made = [make_token(f"client-{number}", "run") for number in range(7)]
    tokens = Tokens(write(tmp_path / "tokens.toml", *(lines for _, lines in made)))
    lengths = []

    def count(a: bytes, b: bytes) -> bool:
        lengths.append((len(a), len(b)))
        return real(a, b)

    real = hmac.compare_digest
    monkeypatch.setattr(access.hmac, "compare_digest", count)
    found = tokens.find("unknown" if place is None else made[place][0])
    assert found == (None if place is None else Caller(f"client-{place}", "run"))
    assert lengths == 7 * [(32, 32)]


def test_a_client_may_have_two_tokens_while_one_is_replaced(tmp_path: Path) -> None:
    (old, first), (new, second) = make_token("nightly", "run"), make_token("nightly", "run")
    tokens = Tokens(write(tmp_path / "tokens.toml", first, second))
    assert tokens.find(old) == tokens.find(new) == Caller("nightly", "run")


GOOD = f'name = "a"\nrole = "run"\nsha256 = "{64 * "0"}"'


@pytest.mark.parametrize(
    ("text", "field", "said"),
    [
        ("", "token", "has no [[token]]"),
        ("# nothing yet\n", "token", "has no [[token]]"),
        ("token = 3", "token", "has no [[token]]"),
        ("token = [3]", "token", "has no [[token]]"),
        ("[[token]\n", "token_file", "is not TOML in line 1"),
        (f"[[token]]\n{GOOD}\nrosebud\n", "token_file", "is not TOML in line 5"),
        ('[[token]]\nname = "rosebud', "token_file", "is not TOML in line 2"),
        (
            f"[[token]]\n{GOOD}\n\n[[token]]\nname = 'rosebud'\nname = 'rosebud'",
            "token_file",
            "TOML in line 8",
        ),
        (f"[[tokens]]\n{GOOD}", "'tokens'", "has a field 'tokens'"),
        (f"sgk_rosebud = 1\n[[token]]\n{GOOD}", "that is not shown", "has a field that is not shown"),
        (f'[[token]]\n{GOOD}\ntoken = "rosebud"', "'token'", "token 1 in line 1: there is no field 'token'"),
        ('[[token]]\nname = "a"\nrole = "run"', "sha256", "token 1 in line 1: sha256 is missing"),
        (f"[[token]]\n{GOOD.replace('run', 'root')}", "role", "role is 'root', roles are read, run, admin"),
        (f"[[token]]\n{GOOD.replace(chr(34) + 'run' + chr(34), '7')}", "role", "role is 7"),
        (
            f"[[token]]\n{GOOD.replace(64 * '0', 'sgk_rosebud')}",
            "sha256",
            "11 characters, not 64 hexadecimal",
        ),
        (f"[[token]]\n{GOOD.replace(chr(34) + 64 * '0' + chr(34), '12')}", "sha256", "sha256 is a int"),
        (f"[[token]]\n{GOOD.replace(chr(34) + 'a', chr(34) + 'a b')}", "name", "name"),
        (
            f"[[token]]\n{GOOD}\n[[token]]\n{GOOD.replace(chr(34) + 'a', chr(34) + 'b')}",
            "sha256",
            "another token",
        ),
        (f"token = [{{{GOOD.replace(chr(10), ', ')}}}, {{}}]", "name", "token 2: name is missing"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_and_no_secret(
    tmp_path: Path, text: str, field: str, said: str
) -> None:
    file = tmp_path / "tokens.toml"
    file.write_text(text)
    with pytest.raises(ArgumentError) as told:
        Tokens(file)
    assert said in str(told.value)
    assert told.value.details["field"] == field
    assert str(file) in (told.value.details.get("file"), told.value.details.get("value"))
    assert "rosebud" not in str(told.value) + str(told.value.details)


@pytest.mark.parametrize("name", ["", "local", "peer:1.2.3.4", "a b", "a\nb", "-a", 65 * "a", "ä"])
def test_names_of_tokens(name: str) -> None:
    with pytest.raises(ArgumentError, match="name is"):
        make_token(name, "run")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(ArgumentError, match=r"token_file is .* which cannot be read: ") as told:
            Tokens(path)
        assert told.value.details == {"field": "token_file", "value": str(path)}
    (tmp_path / "bytes").write_bytes(b'[[token]]\nname = "\xff"')
    with pytest.raises(ArgumentError, match="is not UTF-8 in line 2"):
        Tokens(tmp_path / "bytes")
    (tmp_path / "long").write_bytes(b"#" * (access.MAX_FILE_BYTES + 1))
    with pytest.raises(ArgumentError, match="longer than 1048576 bytes"):
        Tokens(tmp_path / "long")
    (tmp_path / "many").write_text((access.MAX_TOKENS + 1) * "[[token]]\n")
    with pytest.raises(ArgumentError, match="has 1001 tokens, 1000 are possible"):
        Tokens(tmp_path / "many")


def test_a_change_of_the_file_is_seen_within_a_second(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    clock = Clock()
    (one, first), (two, second) = make_token("one", "run"), make_token("two", "read")
    file = write(tmp_path / "tokens.toml", first)
    tokens = Tokens(file, clock=clock)
    write(file, second)
    clock.now += 0.9
    assert (tokens.find(one), tokens.find(two)) == (Caller("one", "run"), None)
    clock.now += 0.2
    assert (tokens.find(one), tokens.find(two)) == (None, Caller("two", "read"))
    assert [record.message for record in caplog.records] == [f"read again: {file}"]


def test_a_bad_or_missing_file_keeps_the_tokens(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    token, lines = make_token("one", "run")
    file = write(tmp_path / "tokens.toml", lines)
    tokens = Tokens(file, clock=clock)
    errors = []

    def look() -> Caller | None:
        clock.now += 2
        caplog.clear()
        found = tokens.find(token)
        clock.now += 2
        assert tokens.find(token) == found  # an error is logged once, not every second
        errors[:] = [record.message for record in caplog.records if record.levelname == "ERROR"]
        return found

    write(file, "[[token]]\nname = 3\n")
    assert look() == Caller("one", "run")
    assert len(errors) == 1
    assert "role is missing; what was read before stays in force" in errors[0]
    file.unlink()
    assert look() == Caller("one", "run")
    assert "No such file or directory; what was read before stays in force" in errors[0]
    file.write_text("")  # somebody is about to write it
    assert look() == Caller("one", "run")
    assert len(errors) == 1
    write(file)  # and this one says that nobody is let in
    assert look() is None
    assert errors == []
    write(file, lines)
    assert look() == Caller("one", "run")


@pytest.mark.parametrize(
    ("mode", "said"), [(0o600, None), (0o640, None), (0o644, "read"), (0o660, "written"), (0o602, "written")]
)
def test_a_file_open_to_others_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, mode: int, said: str | None
) -> None:
    file = write(tmp_path / "tokens.toml", make_token("a", "run")[1])
    file.chmod(mode)
    Tokens(file)
    messages = [record.message for record in caplog.records]
    assert messages == (
        [] if said is None else [f"token_file {file} can be {said} by others (mode {mode:03o})"]
    )


# Callers without tokens.


@pytest.mark.parametrize(
    ("auth_context", "peer", "name"),
    [
        ({}, LOCAL, "local"),
        ({}, "ipv4:127.9.9.9:1", "local"),
        ({}, "ipv6:%5B::1%5D:1", "local"),
        ({}, "ipv6:[::ffff:127.0.0.1]:1", "local"),
        ({}, "unix:", "local"),
        ({}, "unix:/run/socket", "local"),
        ({}, "ipv4:192.0.2.7:40000", "peer:192.0.2.7"),
        ({}, "ipv6:%5B2001:db8::7%5D:40000", "peer:2001:db8::7"),
        ({}, "ipv6:%5Bfe80::7%25eth0%5D:40000", "peer:fe80::7%eth0"),
        ({}, "what:ever", "peer:unknown"),
        ({}, "ipv4:what:ever", "peer:unknown"),
        ({"x509_common_name": [b"alice"], "x509_subject_alternative_name": [b"host"]}, LOCAL, "alice"),
        ({"x509_common_name": [b""], "x509_subject_alternative_name": [b"host", b"b"]}, LOCAL, "host"),
        ({"x509_common_name": ["ali\nce\x1b\xff".encode()]}, LOCAL, "ali?ce?ÿ"),
        ({"x509_common_name": [b"\xff"]}, LOCAL, "\ufffd"),
        ({"x509_common_name": [b"  "]}, "ipv4:192.0.2.7:40000", "peer:192.0.2.7"),
        ({"x509_common_name": [200 * b"a"]}, LOCAL, 128 * "a"),
    ],
)
def test_names_of_callers(auth_context: dict[str, list[bytes]], peer: str, name: str) -> None:
    assert Access().caller({}, auth_context, peer) == Caller(name, "admin")


def test_roles_contain_each_other() -> None:
    may = {role: [other for other in access.ROLES if Caller("a", role).may(other)] for role in access.ROLES}
    assert may == {"read": ["read"], "run": ["read", "run"], "admin": ["read", "run", "admin"]}


# TLS.


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def pair(authority: Authority) -> Pair:
    return authority.issue("server")


def test_tls_needs_both_files(pair: Pair, authority: Authority) -> None:
    assert Tls.of(None, None) is None
    for given, missing in (
        ((pair.cert, None, None), "tls_key"),
        ((None, pair.key, None), "tls_cert"),
        ((None, None, authority.cert), "tls_cert"),
        ((pair.cert, None, authority.cert), "tls_key"),
    ):
        with pytest.raises(ArgumentError, match=f"is given, but {missing} is not") as told:
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
        (garbage, pair.key, None, "tls_cert", "has no certificate in PEM"),
        (pair.key, pair.key, None, "tls_cert", "has no certificate in PEM"),
        (torn, pair.key, None, "tls_cert", "has no certificate in PEM"),
        (pair.cert, garbage, None, "tls_key", "has no private key in PEM"),
        (pair.cert, pair.cert, None, "tls_key", "has no private key in PEM"),
        (pair.cert, torn_key, None, "tls_key", "has no private key in PEM"),
        (pair.cert, locked, None, "tls_key", "is encrypted"),
        (pair.cert, other.key, None, "tls_key", "does not fit the certificate"),
        (pair.cert, pair.key, garbage, "tls_client_ca", "has no certificate in PEM"),
        (pair.cert, pair.key, torn, "tls_client_ca", "has no certificates in PEM"),
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


# Addresses.


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
    with pytest.raises(ArgumentError, match="host is 'nowhere', for which no address is found"):
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
    for door, what in ((Access(), "everything would"), (Access(tokens), "tokens and everything else would")):
        with pytest.raises(ArgumentError) as told:
            check_address(ANYWHERE, door)
        assert f"host is '{ANYWHERE}', which other machines reach, and {what} travel" in str(told.value)
        assert told.value.details == {"field": "host", "value": ANYWHERE}
    open_to_all = f"host {ANYWHERE} is reached by other machines, and "
    clear, unguarded = (
        "travels unencrypted",
        "without token_file or tls_client_ca everybody may do everything",
    )
    for door, said in (
        (Access(), [f"everything {clear}", unguarded]),
        (Access(tokens), [f"tokens and everything else {clear}"]),
        (Access(None, tls), [unguarded]),
    ):
        caplog.clear()
        check_address(ANYWHERE, door, allowed=True)
        assert [record.message for record in caplog.records] == [open_to_all + text for text in said]


def test_metrics_are_shown_to_others_only_when_told_so() -> None:
    check_metrics_address("127.0.0.1")
    check_metrics_address(ANYWHERE, allowed=True)
    with pytest.raises(ArgumentError, match="which other machines reach: give allow_public_metrics") as told:
        check_metrics_address(ANYWHERE)
    assert told.value.details == {"field": "metrics_host", "value": ANYWHERE}


# A server with tokens.

FILES = (
    catalog_service_pb2,
    env_service_pb2,
    match_service_pb2,
    odds_service_pb2,
    operations_pb2,
    player_service_pb2,
    simulation_service_pb2,
    tournament_service_pb2,
    tower_service_pb2,
)
METHODS = {
    f"/{service.full_name}/{method.name}": method
    for file in FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
READING = {
    *(method for method in METHODS if method.startswith("/sengoku.v1.CatalogService/")),
    "/google.longrunning.Operations/GetOperation",
    "/google.longrunning.Operations/ListOperations",
    "/google.longrunning.Operations/WaitOperation",
    "/sengoku.v1.PlayerService/ListPlayers",
    "/sengoku.v1.SimulationService/ReadRun",
    "/sengoku.v1.SimulationService/WatchRun",
    "/sengoku.v1.TournamentService/GetStandings",
    "/sengoku.v1.TournamentService/GetTournament",
    "/sengoku.v1.TournamentService/ListTournamentMatches",
    "/sengoku.v1.TournamentService/ListTournaments",
    "/sengoku.v1.TournamentService/WatchTournament",
}
GET_VERSION = "/sengoku.v1.CatalogService/GetVersion"
EVALUATE = "/sengoku.v1.OddsService/Evaluate"


@dataclass(frozen=True)
class Guarded:
    """A server with a token for each role."""

    server: Server
    tokens: dict[str, str]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    made = {role: make_token(f"{role}er", role) for role in access.ROLES}
    file = write(tmp_path_factory.mktemp("access") / "tokens.toml", *(lines for _, lines in made.values()))
    with Server(port=0, access=Access(Tokens(file))) as server:
        yield Guarded(server, {role: token for role, (token, _) in made.items()})


def ask(channel: grpc.Channel, method: str, token: str | None = None, data: bytes = b"") -> str:
    """Calls a method with an empty request and gives the reason of the failure, or OK."""
    metadata = () if token is None else (("authorization", f"Bearer {token}"),)
    try:
        if method in METHODS and METHODS[method].server_streaming:
            stream = channel.unary_stream(method, request_serializer=None, response_deserializer=None)
            list(stream(data, timeout=30, metadata=metadata))
        else:
            unary = channel.unary_unary(method, request_serializer=None, response_deserializer=None)
            unary(data, timeout=30, metadata=metadata)
    except grpc.RpcError as error:
        failure = error
    else:
        return "OK"
    status = rpc_status.from_call(failure)
    if status is None:
        return str(failure.code().name)
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert errors.REASONS[info.reason].status == failure.code().name
    return str(info.reason)


def test_every_role_at_every_method(guarded: Guarded) -> None:
    assert len(METHODS) > 25
    assert set(METHODS) >= READING
    with grpc.insecure_channel(guarded.server.address) as channel:
        for method in METHODS:
            assert ask(channel, method) == "UNAUTHENTICATED", method
            assert ask(channel, method, "wrong") == "UNAUTHENTICATED", method
            told = {role: ask(channel, method, guarded.tokens[role]) for role in access.ROLES}
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
        watching = [watch(health_pb2.HealthCheckRequest(), timeout=60) for _ in range(probes.STREAMS)]
        for stream in watching:
            assert next(stream).status == health_pb2.HealthCheckResponse.SERVING
        with pytest.raises(grpc.RpcError) as told:
            next(watch(health_pb2.HealthCheckRequest(), timeout=60))
        assert told.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        # The same with questions that do not come.
        reflect = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo
        asked = [queue.SimpleQueue() for _ in range(probes.STREAMS)]
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


# A server with TLS.


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
        assert "does not fit the certificate" in caplog.records[-1].message
        other.key.replace(pair.key)
        clock.now += 2
        second = ssl.PEM_cert_to_DER_cert(pair.cert.read_text())
        assert served_certificate(server, authority.cert) == second != first
        pair.cert.unlink()
        clock.now += 2
        assert served_certificate(server, authority.cert) == second


# Where a server listens.


def test_a_server_refuses_public_addresses_without_tls(pair: Pair, tmp_path: Path) -> None:
    tokens = Tokens(write(tmp_path / "tokens.toml", make_token("a", "run")[1]))
    for host in (ANYWHERE, "::", "[::]", socket.gethostbyname_ex(socket.gethostname())[2][0]):
        if is_loopback(host):
            continue
        for door in (Access(), Access(tokens)):
            with pytest.raises(ArgumentError, match="which other machines reach") as told:
                Server(host=host, port=0, access=door)
            assert told.value.details == {"field": "host", "value": host}
    with Server(host=ANYWHERE, port=0, access=Access(tls=Tls(pair.cert, pair.key))) as server:
        assert server.port > 0
    with Server(host=ANYWHERE, port=0, allow_insecure_public=True) as server:
        assert server.port > 0


# The command line.

SENGOKU = [sys.executable, "-m", "sengoku.cli"]


def run(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*SENGOKU, *arguments], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == code, done.stdout + done.stderr
    return done


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
    assert "name is 'a b'" in run("token", "a b", code=2).stderr
    assert "role is 'root', roles are read, run, admin" in run("token", "a", "--role", "root", code=2).stderr


def test_flags_of_serve_that_are_no_good(pair: Pair, tmp_path: Path) -> None:
    for flags, said in (
        (["--host", ANYWHERE], "which other machines reach"),
        (["--metrics-port", "0", "--metrics-host", ANYWHERE], "metrics_host is"),
        (["--tls-cert", str(pair.cert)], "tls_key is not"),
        (["--tls-cert", str(pair.cert), "--tls-key", str(tmp_path / "none")], "No such file"),
        (["--token-file", str(tmp_path / "none")], "No such file"),
        (["--log-format", "xml"], "log_format is 'xml', possible are text, json"),
        (["--log-level", "loud"], "log_level is 'loud', possible are debug, info, warning, error"),
    ):
        done = run("serve", "--port", "0", *flags, code=2)
        assert said in " ".join(done.stderr.split())
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("style", ["json", "text"])
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
    assert "what was read before stays in force" in written
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
