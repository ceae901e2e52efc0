"""Authentication and authorisation of callers: tokens and roles."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from sengoku.errors import ArgumentError, UnauthenticatedError
from sengoku.server.addresses import peer_name
from sengoku.server.files import WatchedFiles, read_file, warn_if_open
from sengoku.server.tls import Tls
from sengoku.wire.methods import ROLES, Role, method_options

__all__ = ["ROLES", "TOKEN_PREFIX", "Access", "Caller", "Role", "Tokens", "make_token", "role_of"]

TOKEN_PREFIX = "sgk_"  # noqa: S105 - the prefix of all tokens, so that people and scanners recognise one
MAX_TOKENS = 1_000
"""Entries of a token file: all of them are compared in every call."""
MAX_TOKEN_LENGTH = 512

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")
_HASH = re.compile(r"[0-9A-Fa-f]{64}")
_HEADER = re.compile(r"\s*\[\[\s*token\s*\]\]")


_RANKS = {role: rank for rank, role in enumerate(ROLES)}


def role_of(method: str) -> Role:
    """Return the role that a method requires, by its path."""
    return method_options(method).role


@dataclass(frozen=True)
class Caller:
    """A caller and its role."""

    name: str
    """Name of the token, else of the client certificate, else `peer:` and the address, else `local`."""
    role: Role = "admin"

    def may(self, role: Role) -> bool:
        """Return whether the caller has at least this role."""
        return _RANKS[self.role] >= _RANKS[role]


@dataclass(frozen=True)
class _Token:
    name: str
    role: Role
    digest: bytes = field(repr=False)


def make_token(name: str, role: str) -> tuple[str, str]:
    """Create a token; return it and its entry for the token file, which contains only its hash.

    >>> token, lines = make_token("nightly", "run")
    >>> print(lines.partition("sha256")[0])
    [[token]]
    name = "nightly"
    role = "run"
    <BLANKLINE>
    """
    _check_name(name, "name", {})
    _check_role(role, "role", {})
    token = TOKEN_PREFIX + secrets.token_urlsafe(32)
    digest = hashlib.sha256(token.encode()).hexdigest()
    return token, f'[[token]]\nname = "{name}"\nrole = "{role}"\nsha256 = "{digest}"\n'


def _check_name(name: object, where: str, details: Mapping[str, str]) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name == "local":
        shown = ascii(name)[:80]
        message = f"{where} is {shown}, not 1 to 64 letters, digits, '.', '_', '@' and '-' (except 'local')"
        raise ArgumentError(message, {**details, "field": "name", "value": shown})
    return name


def _check_role(role: object, where: str, details: Mapping[str, str]) -> Role:
    if role not in ROLES:
        shown = ascii(role)[:80]
        message = f"{where} is {shown}, roles are {', '.join(ROLES)}"
        raise ArgumentError(message, {**details, "field": "role", "value": shown})
    return role


class Tokens:
    """The tokens of a file, which contains only their hashes. It is read again when it changes."""

    def __init__(self, path: Path | str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = Path(path)
        self._file = WatchedFiles([self.path], self._read, clock)

    def _read(self) -> tuple[_Token, ...]:
        data = read_file("token_file", self.path)
        tokens = _parse_tokens(data, self.path)
        warn_if_open("token_file", self.path, secret=True)
        return tokens

    def find(self, token: str) -> Caller | None:
        """Return the caller with this token. The time does not depend on whether and where it is found."""
        self._file.renew()
        given = hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
        found = None
        for known in self._file.value:
            if hmac.compare_digest(given, known.digest):
                found = Caller(known.name, known.role)
        return found


def _parse_tokens(data: bytes, path: Path) -> tuple[_Token, ...]:
    """Parse a token file. No error shows a value that could be a secret."""
    file = {"file": str(path)}
    try:
        text = data.decode()
        table = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = str(data.count(b"\n", 0, error.start) + 1)
        message = f"token_file {str(path)!a} is not UTF-8 in line {line}"
        raise ArgumentError(message, {"field": "token_file", "value": str(path), "line": line}) from None
    except tomllib.TOMLDecodeError as error:
        # Only the line: the rest of the message may quote the file.
        place = re.search(r"line (\d+)", str(error))
        line = place[1] if place else str(len(text.splitlines()))
        message = f"token_file {str(path)!a} is not TOML in line {line}"
        raise ArgumentError(message, {"field": "token_file", "value": str(path), "line": line}) from None
    rows = table.pop("token", None)
    if table:
        field_name = _hidden(next(iter(table)))
        message = f"token_file {str(path)!a} has a field {field_name}, only [[token]] is allowed"
        raise ArgumentError(message, {"field": field_name, "value": "not shown", **file})
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        # A file that is being written may be empty for a moment: no access at all must be explicit.
        message = f"token_file {str(path)!a} has no [[token]]; write `token = []` to refuse everyone"
        raise ArgumentError(message, {"field": "token", "value": "none", **file})
    if len(rows) > MAX_TOKENS:
        message = f"token_file {str(path)!a} has {len(rows)} tokens, at most {MAX_TOKENS} are possible"
        details = {"field": "token", "value": str(len(rows)), "limit": str(MAX_TOKENS), **file}
        raise ArgumentError(message, details)
    headers = [number for number, line in enumerate(text.splitlines(), 1) if _HEADER.match(line)]
    lines = headers if len(headers) == len(rows) else [None] * len(rows)
    tokens: list[_Token] = []
    for number, (row, line_number) in enumerate(zip(rows, lines, strict=True), 1):
        place_text = f"token {number}" + ("" if line_number is None else f" in line {line_number}")
        where = f"token_file {str(path)!a}, {place_text}"
        details = {"token": str(number), **file}
        if line_number is not None:
            details["line"] = str(line_number)
        token = _parse_token(row, where, details)
        for other in tokens:
            if other.digest == token.digest:
                message = f"{where}: sha256 is the same as that of another token"
                raise ArgumentError(message, {"field": "sha256", "value": "not shown", **details})
        tokens.append(token)
    return tuple(tokens)


def _parse_token(row: dict[str, Any], where: str, details: dict[str, str]) -> _Token:
    known = ("name", "role", "sha256")
    for name in row:
        if name not in known:
            message = f"{where}: unknown field {_hidden(name)}, fields are {', '.join(known)}"
            raise ArgumentError(message, {"field": _hidden(name), "value": "not shown", **details})
    for name in known:
        if name not in row:
            raise ArgumentError(f"{where}: {name} is missing", {"field": name, "value": "none", **details})
    name = _check_name(row["name"], f"{where}: name", details)
    role = _check_role(row["role"], f"{where}: role", details)
    digest = row["sha256"]
    if not isinstance(digest, str) or not _HASH.fullmatch(digest):
        # It may be the token itself, put here by mistake.
        what = f"{len(digest)} characters" if isinstance(digest, str) else f"a {type(digest).__name__}"
        message = f"{where}: sha256 is {what}, not 64 hexadecimal digits"
        raise ArgumentError(message, {"field": "sha256", "value": "not shown", **details})
    return _Token(name, role, bytes.fromhex(digest))


def _hidden(name: str) -> str:
    """Return the name of a field for an error, unless it looks like a secret."""
    return ascii(name) if len(name) <= 20 and not name.startswith(TOKEN_PREFIX) else "that is not shown"


class Access:
    """Identification of callers: by token on a server with tokens, else by certificate or address.

    >>> Access().caller({}, {}, "ipv4:127.0.0.1:40000")
    Caller(name='local', role='admin')
    """

    def __init__(self, tokens: Tokens | None = None, tls: Tls | None = None) -> None:
        self.tokens = tokens
        self.tls = tls

    def caller(
        self, metadata: Mapping[str, str], auth_context: Mapping[str, Iterable[bytes]], peer: str
    ) -> Caller:
        """Return the caller.

        Raises `UnauthenticatedError` if tokens are required and the call has no valid one.
        """
        found = self._by_token(metadata)
        if found is not None:
            return found
        name = _certificate_name(auth_context) if auth_context else None
        return _peer(peer) if name is None else Caller(name)

    def check(self, metadata: Iterable[tuple[str, str | bytes]]) -> None:
        """Raise as `caller` does, before the request is read."""
        if self.tokens is not None:
            self._by_token({name: value for name, value in metadata if isinstance(value, str)})

    def _by_token(self, metadata: Mapping[str, str]) -> Caller | None:
        """Return the caller of a token; None if no tokens are required."""
        if self.tokens is None:
            return None
        given = metadata.get("authorization")
        if given is None:
            raise UnauthenticatedError("a token is required: send the metadata `authorization: Bearer TOKEN`")
        kind, _, token = given.partition(" ")
        token = token.strip()
        if kind.lower() != "bearer" or not 0 < len(token) <= MAX_TOKEN_LENGTH:
            raise UnauthenticatedError("authorization must be `Bearer TOKEN`")
        found = self.tokens.find(token)
        if found is None:
            raise UnauthenticatedError("the token is unknown to this server")
        return found


def _certificate_name(auth_context: Mapping[str, Iterable[bytes]]) -> str | None:
    """Return the common name of a client's certificate, else the first alternative name."""
    for field_name in ("x509_common_name", "x509_subject_alternative_name"):
        for value in auth_context.get(field_name, ()):
            text = value.decode("utf-8", "replace")
            name = "".join(sign if sign.isprintable() else "?" for sign in text[:128]).strip()
            if name:
                return name
    return None


@lru_cache(maxsize=4096)
def _peer(peer: str) -> Caller:
    """Return the caller at an address; cached, because all calls of a connection have the same."""
    return Caller(peer_name(peer))
