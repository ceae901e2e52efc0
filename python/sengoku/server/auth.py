"""Who calls and what he may do: tokens, roles, TLS, and the addresses that are safe without it."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import logging
import re
import secrets
import socket
import ssl
import stat
import threading
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import unquote

import grpc

from sengoku.errors import ArgumentError, SengokuError, UnauthenticatedError

__all__ = [
    "ROLES",
    "TOKEN_PREFIX",
    "Access",
    "Caller",
    "Role",
    "Tls",
    "Tokens",
    "check_address",
    "check_metrics_address",
    "is_loopback",
    "make_token",
    "peer_name",
]

TOKEN_PREFIX = "sgk_"  # noqa: S105 - what all tokens begin with, so that people and scanners know one
MAX_TOKENS = 1_000
"""Entries of a token file: all of them are compared in every call."""
MAX_FILE_BYTES = 1 << 20
MAX_TOKEN_LENGTH = 512

_log = logging.getLogger(__name__)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")
_HASH = re.compile(r"[0-9A-Fa-f]{64}")
_HEADER = re.compile(r"\s*\[\[\s*token\s*\]\]")

T = TypeVar("T")


Role = Literal["read", "run", "admin"]
"""What somebody may do: look; have work done; see and end the runs of others. Each may also do what the ones
before it may."""

ROLES: tuple[Role, ...] = ("read", "run", "admin")
_RANKS = {role: rank for rank, role in enumerate(ROLES)}


@dataclass(frozen=True)
class Caller:
    """Somebody who calls."""

    name: str
    """Name of the token, else of the client certificate, else `peer:` and the address, else `local`."""
    role: Role = "admin"

    def may(self, role: Role) -> bool:
        """Says whether this is allowed what the role is."""
        return _RANKS[self.role] >= _RANKS[role]


class _Watched(Generic[T]):
    """What stands in some files. It is read again when one changes; what cannot be read changes nothing."""

    def __init__(self, paths: Iterable[Path], read: Callable[[], T], clock: Callable[[], float]) -> None:
        self._paths = tuple(paths)
        self._read = read
        self._clock = clock
        self._lock = threading.Lock()
        # Taken before reading: a change while we read is seen the next time.
        self._signatures = self._look()
        self.value = read()
        self._checked = clock()

    def _look(self) -> list[tuple[int, int, int] | None]:
        found: list[tuple[int, int, int] | None] = []
        for path in self._paths:
            try:
                seen = path.stat()
            except OSError:
                found.append(None)
            else:
                found.append((seen.st_mtime_ns, seen.st_size, seen.st_ino))
        return found

    def renew(self) -> bool:
        """Reads again if something changed, looking at most once a second; says whether the value is new."""
        if self._clock() - self._checked < 1 or not self._lock.acquire(blocking=False):
            return False
        try:
            self._checked = self._clock()
            signatures = self._look()
            if signatures == self._signatures:
                return False
            self._signatures = signatures
            try:
                self.value = self._read()
            except SengokuError as error:
                _log.error("%s; what was read before stays in force", error)
                return False
            _log.info("read again: %s", ", ".join(str(path) for path in self._paths))
            return True
        finally:
            self._lock.release()


def _read_file(option: str, path: Path) -> bytes:
    """Reads a file that an option names."""
    details = {"field": option, "value": str(path)}
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise ArgumentError(f"{option} is {str(path)!a}, which cannot be read: {why}", details) from error
    if len(data) > MAX_FILE_BYTES:
        message = f"{option} is {str(path)!a}, which is longer than {MAX_FILE_BYTES} bytes"
        raise ArgumentError(message, details | {"limit": str(MAX_FILE_BYTES)})
    return data


def _warn_if_open(option: str, path: Path, *, secret: bool) -> None:
    """Warns of a file that others may write to, or may read although it should be nobody's business."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return
    if mode & (stat.S_IWGRP | stat.S_IWOTH):
        _log.warning("%s %s can be written by others (mode %03o)", option, path, stat.S_IMODE(mode))
    elif secret and mode & stat.S_IROTH:
        _log.warning("%s %s can be read by others (mode %03o)", option, path, stat.S_IMODE(mode))


# Tokens.


@dataclass(frozen=True)
class _Token:
    name: str
    role: Role
    digest: bytes = field(repr=False)


def make_token(name: str, role: str) -> tuple[str, str]:
    """Makes a token; gives it, and the lines for the token file, from which it cannot be found again.

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
        message = f"{where} is {shown}, not 1 to 64 letters, digits, '.', '_', '@' and '-', nor is it 'local'"
        raise ArgumentError(message, {**details, "field": "name", "value": shown})
    return name


def _check_role(role: object, where: str, details: Mapping[str, str]) -> Role:
    if role not in ROLES:
        shown = ascii(role)[:80]
        message = f"{where} is {shown}, roles are {', '.join(ROLES)}"
        raise ArgumentError(message, {**details, "field": "role", "value": shown})
    return role


class Tokens:
    """The tokens of a file, of which it has only hashes. It is read again when it changes."""

    def __init__(self, path: Path | str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = Path(path)
        self._file = _Watched([self.path], self._read, clock)

    def _read(self) -> tuple[_Token, ...]:
        data = _read_file("token_file", self.path)
        tokens = _parse_tokens(data, self.path)
        _warn_if_open("token_file", self.path, secret=True)
        return tokens

    def find(self, token: str) -> Caller | None:
        """Finds who has a token. It takes equally long whether and wherever it is there."""
        self._file.renew()
        given = hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
        found = None
        for known in self._file.value:
            if hmac.compare_digest(given, known.digest):
                found = Caller(known.name, known.role)
        return found


def _parse_tokens(data: bytes, path: Path) -> tuple[_Token, ...]:
    """Reads a token file. No error shows a value that could be a secret."""
    file = {"file": str(path)}
    try:
        text = data.decode()
        table = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = str(data.count(b"\n", 0, error.start) + 1)
        message = f"token_file {str(path)!a} is not UTF-8 in line {line}"
        raise ArgumentError(message, {"field": "token_file", "value": str(path), "line": line}) from None
    except tomllib.TOMLDecodeError as error:
        # Only the place: the rest of the message may quote the file.
        place = re.search(r"line (\d+)", str(error))
        line = place[1] if place else str(len(text.splitlines()))
        message = f"token_file {str(path)!a} is not TOML in line {line}"
        raise ArgumentError(message, {"field": "token_file", "value": str(path), "line": line}) from None
    rows = table.pop("token", None)
    if table:
        field_name = _hidden(next(iter(table)))
        message = f"token_file {str(path)!a} has a field {field_name}, all it may have is [[token]]"
        raise ArgumentError(message, {"field": field_name, "value": "not shown", **file})
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        # A file that is just being written is empty; one that lets nobody in says so.
        message = f"token_file {str(path)!a} has no [[token]]; `token = []` would let nobody in"
        raise ArgumentError(message, {"field": "token", "value": "none", **file})
    if len(rows) > MAX_TOKENS:
        message = f"token_file {str(path)!a} has {len(rows)} tokens, {MAX_TOKENS} are possible"
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
                message = f"{where}: sha256 is that of another token as well"
                raise ArgumentError(message, {"field": "sha256", "value": "not shown", **details})
        tokens.append(token)
    return tuple(tokens)


def _parse_token(row: dict[str, Any], where: str, details: dict[str, str]) -> _Token:
    known = ("name", "role", "sha256")
    for name in row:
        if name not in known:
            message = f"{where}: there is no field {_hidden(name)}, fields are {', '.join(known)}"
            raise ArgumentError(message, {"field": _hidden(name), "value": "not shown", **details})
    for name in known:
        if name not in row:
            raise ArgumentError(f"{where}: {name} is missing", {"field": name, "value": "none", **details})
    name = _check_name(row["name"], f"{where}: name", details)
    role = _check_role(row["role"], f"{where}: role", details)
    digest = row["sha256"]
    if not isinstance(digest, str) or not _HASH.fullmatch(digest):
        # It may be the token itself that somebody put here.
        what = f"{len(digest)} characters" if isinstance(digest, str) else f"a {type(digest).__name__}"
        message = f"{where}: sha256 is {what}, not 64 hexadecimal digits"
        raise ArgumentError(message, {"field": "sha256", "value": "not shown", **details})
    return _Token(name, role, bytes.fromhex(digest))


def _hidden(name: str) -> str:
    """Shows the name of a field, unless it looks like a secret."""
    return ascii(name) if len(name) <= 20 and not name.startswith(TOKEN_PREFIX) else "that is not shown"


# TLS.


class Tls:
    """The certificates of a server, read again when their files change.

    With a `client_ca` only clients with a certificate of that authority are let in.
    """

    def __init__(
        self,
        cert: Path | str,
        key: Path | str,
        client_ca: Path | str | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cert, self._key = Path(cert), Path(key)
        self._client_ca = None if client_ca is None else Path(client_ca)
        paths = [self._cert, self._key, *([self._client_ca] if self._client_ca else [])]
        self._files = _Watched(paths, self._read, clock)

    @classmethod
    def of(
        cls, cert: Path | str | None, key: Path | str | None, client_ca: Path | str | None = None
    ) -> Tls | None:
        """Makes it of what the flags say; None if they say nothing."""
        given = {"tls_cert": cert, "tls_key": key, "tls_client_ca": client_ca}
        if cert is not None and key is not None:
            return cls(cert, key, client_ca)
        for missing in ("tls_cert", "tls_key"):
            for name, value in given.items():
                if value is not None and given[missing] is None:
                    details = {"field": missing, "value": "none", name: str(value)}
                    raise ArgumentError(f"{name} is given, but {missing} is not", details)
        return None

    @property
    def mutual(self) -> bool:
        """Whether clients need certificates."""
        return self._client_ca is not None

    def _read(self) -> tuple[bytes, bytes, bytes | None]:
        cert = _read_pem("tls_cert", self._cert, b"CERTIFICATE")
        key = _read_pem("tls_key", self._key, b"PRIVATE KEY")
        _warn_if_open("tls_key", self._key, secret=True)
        _check_pair(self._cert, self._key, key)
        authority = None
        if self._client_ca is not None:
            authority = _read_pem("tls_client_ca", self._client_ca, b"CERTIFICATE")
            try:
                ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_verify_locations(
                    cadata=authority.decode("ascii")
                )
            except (ssl.SSLError, UnicodeDecodeError) as error:
                raise _unreadable("tls_client_ca", self._client_ca, "certificates") from error
        return cert, key, authority

    def _configuration(self) -> Any:
        cert, key, authority = self._files.value
        return grpc.ssl_server_certificate_configuration([(key, cert)], authority)

    def _changed(self) -> Any:
        """Asked by gRPC before every handshake; None is no change."""
        return self._configuration() if self._files.renew() else None

    def credentials(self) -> grpc.ServerCredentials:
        """What a server listens with."""
        return grpc.dynamic_ssl_server_credentials(self._configuration(), self._changed, self.mutual)


def _unreadable(option: str, path: Path, what: str) -> ArgumentError:
    details = {"field": option, "value": str(path)}
    return ArgumentError(f"{option} is {str(path)!a}, which has no {what} in PEM that can be read", details)


def _read_pem(option: str, path: Path, what: bytes) -> bytes:
    data = _read_file(option, path)
    if not re.search(rb"-----BEGIN [A-Z0-9 ]*" + what + rb"-----", data):
        article = "certificate" if what == b"CERTIFICATE" else "private key"
        raise _unreadable(option, path, article)
    return data


def _check_pair(cert: Path, key: Path, key_data: bytes) -> None:
    """Refuses a key that does not fit the certificate."""
    if b"ENCRYPTED" in key_data:
        details = {"field": "tls_key", "value": str(key)}
        raise ArgumentError(
            f"tls_key is {str(key)!a}, which is encrypted; a server has nobody to ask", details
        )
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password="")
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            details = {"field": "tls_key", "value": str(key), "tls_cert": str(cert)}
            message = f"tls_key {str(key)!a} does not fit the certificate tls_cert {str(cert)!a}"
            raise ArgumentError(message, details) from None
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_verify_locations(cert)
        except ssl.SSLError:
            raise _unreadable("tls_cert", cert, "certificate") from None
        raise _unreadable("tls_key", key, "private key") from None
    except OSError as error:  # gone since it was read
        raise _unreadable("tls_cert", cert, "certificate") from error


# Callers.


class Access:
    """Says who calls: on a server with tokens by his token, else by his certificate or address.

    >>> Access().caller({}, {}, "ipv4:127.0.0.1:40000")
    Caller(name='local', role='admin')
    """

    def __init__(self, tokens: Tokens | None = None, tls: Tls | None = None) -> None:
        self.tokens = tokens
        self.tls = tls

    def caller(
        self,
        metadata: Mapping[str, str],
        auth_context: Mapping[str, Iterable[bytes]],
        peer: str,
    ) -> Caller:
        """Finds out who calls.

        Raises `UnauthenticatedError` where a token is needed and the call has none that is known.
        """
        found = self._by_token(metadata)
        if found is not None:
            return found
        name = _certificate_name(auth_context) if auth_context else None
        return _peer(peer) if name is None else Caller(name)

    def check(self, metadata: Iterable[tuple[str, str | bytes]]) -> None:
        """Refuses who has no token where one is needed, by what is known before the request is read."""
        if self.tokens is not None:
            self._by_token({name: value for name, value in metadata if isinstance(value, str)})

    def _by_token(self, metadata: Mapping[str, str]) -> Caller | None:
        """Gives whose token came with a call; None where none is needed."""
        if self.tokens is None:
            return None
        given = metadata.get("authorization")
        if given is None:
            raise UnauthenticatedError("a token is needed: metadata `authorization: Bearer TOKEN`")
        kind, _, token = given.partition(" ")
        token = token.strip()
        if kind.lower() != "bearer" or not 0 < len(token) <= MAX_TOKEN_LENGTH:
            raise UnauthenticatedError("authorization is not `Bearer TOKEN`")
        found = self.tokens.find(token)
        if found is None:
            raise UnauthenticatedError("the token is none that this server knows")
        return found


def _certificate_name(auth_context: Mapping[str, Iterable[bytes]]) -> str | None:
    """Gives the common name of a client's certificate, else the first of its other names."""
    for field_name in ("x509_common_name", "x509_subject_alternative_name"):
        for value in auth_context.get(field_name, ()):
            text = value.decode("utf-8", "replace")
            name = "".join(sign if sign.isprintable() else "?" for sign in text[:128]).strip()
            if name:
                return name
    return None


@lru_cache(maxsize=4096)
def _peer(peer: str) -> Caller:
    """Gives who calls from an address; the calls of a connection all come from the same."""
    return Caller(peer_name(peer))


def peer_name(peer: str) -> str:
    """Names a caller by his address.

    >>> peer_name("ipv4:192.0.2.7:40000"), peer_name("ipv6:%5B2001:db8::1%5D:40000"), peer_name("unix:")
    ('peer:192.0.2.7', 'peer:2001:db8::1', 'local')
    """
    kind, _, rest = unquote(peer).partition(":")
    if kind not in {"ipv4", "ipv6"}:
        return "local" if kind.startswith("unix") else "peer:unknown"
    host = rest.rpartition(":")[0].strip("[]")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "peer:unknown"
    return "local" if _is_loopback(address) else f"peer:{address}"


# Addresses.


def _is_loopback(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


def is_loopback(host: str, *, option: str = "host") -> bool:
    """Says whether only this machine reaches an address; a name is looked up.

    >>> [is_loopback(host) for host in ("127.0.0.1", "[::1]", "unix:/run/sengoku.sock", "0.0.0.0", "::")]
    [True, True, True, False, False]
    """
    if host.startswith(("unix:", "unix-abstract:")):
        return True
    bare = host.removeprefix("[").removesuffix("]")
    try:
        return _is_loopback(ipaddress.ip_address(bare))
    except ValueError:
        pass
    try:
        found = {str(row[4][0]) for row in socket.getaddrinfo(bare, None, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError) as error:
        details = {"field": option, "value": ascii(host)}
        raise ArgumentError(f"{option} is {host!a}, for which no address is found", details) from error
    return all(_is_loopback(ipaddress.ip_address(address)) for address in found)


def check_address(host: str, access: Access, *, allowed: bool = False) -> None:
    """Refuses to listen where others could read along, unless that is `allowed` explicitly."""
    if is_loopback(host):
        return
    what = "everything" if access.tokens is None else "tokens and everything else"
    if access.tls is None and not allowed:
        message = (
            f"host is {host!a}, which other machines reach, and {what} would travel unencrypted: "
            "give tls_cert and tls_key, or allow_insecure_public"
        )
        raise ArgumentError(message, {"field": "host", "value": host})
    if access.tls is None:
        _log.warning("host %s is reached by other machines, and %s travels unencrypted", host, what)
    if access.tokens is None and (access.tls is None or not access.tls.mutual):
        _log.warning(
            "host %s is reached by other machines, and without token_file or tls_client_ca everybody may do "
            "everything",
            host,
        )


def check_metrics_address(host: str, *, allowed: bool = False) -> None:
    """Refuses to show metrics to other machines, unless that is `allowed` explicitly."""
    if not allowed and not is_loopback(host, option="metrics_host"):
        message = f"metrics_host is {host!a}, which other machines reach: give allow_public_metrics"
        raise ArgumentError(message, {"field": "metrics_host", "value": host})
