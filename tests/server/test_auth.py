"""Tokens and roles: who calls and what they may do."""

import hashlib
import hmac
import logging
from pathlib import Path

import pytest

from sengoku.errors import ArgumentError, UnauthenticatedError
from sengoku.server import auth, files
from sengoku.server.auth import Access, Caller, Tokens, make_token
from support.access import (
    LOCAL,
    Clock,
    bearer,
    write,
)


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
        ({}, "a token is required: send the metadata `authorization: Bearer TOKEN`"),
        ({"authorization": "Basic rosebud"}, "authorization must be `Bearer TOKEN`"),
        ({"authorization": "rosebud"}, "authorization must be `Bearer TOKEN`"),
        ({"authorization": "Bearer"}, "authorization must be `Bearer TOKEN`"),
        ({"authorization": "Bearer  "}, "authorization must be `Bearer TOKEN`"),
        ({"authorization": "Bearer rosebud" + 600 * "x"}, "authorization must be `Bearer TOKEN`"),
        ({"authorization": "Bearer rosebud"}, "the token is unknown to this server"),
        ({"authorization": "Bearer rosebud\udcff"}, "the token is unknown to this server"),
        (
            {"Authorization": "Bearer rosebud"},
            "a token is required: send the metadata `authorization: Bearer TOKEN`",
        ),
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
    monkeypatch.setattr(auth.hmac, "compare_digest", count)
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
        (f'[[token]]\n{GOOD}\ntoken = "rosebud"', "'token'", "token 1 in line 1: unknown field 'token'"),
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
    (tmp_path / "long").write_bytes(b"#" * (files.MAX_FILE_BYTES + 1))
    with pytest.raises(ArgumentError, match="longer than the 1048576 bytes allowed"):
        Tokens(tmp_path / "long")
    (tmp_path / "many").write_text((auth.MAX_TOKENS + 1) * "[[token]]\n")
    with pytest.raises(ArgumentError, match="has 1001 tokens, at most 1000 are possible"):
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
    assert "role is missing; the value read before stays in force" in errors[0]
    file.unlink()
    assert look() == Caller("one", "run")
    assert "No such file or directory; the value read before stays in force" in errors[0]
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
    may = {role: [other for other in auth.ROLES if Caller("a", role).may(other)] for role in auth.ROLES}
    assert may == {"read": ["read"], "run": ["read", "run"], "admin": ["read", "run", "admin"]}
