"""The connection to a server: target, TLS, token, retries, deadlines, and the mapping of gRPC failures."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import math
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from grpc import aio
from grpc_health.v1 import health_pb2
from grpc_status import rpc_status

from sengoku.engine.checks import check_integer, refused
from sengoku.errors import (
    ArgumentError,
    BusyError,
    CancelledError,
    DeadlineError,
    InternalError,
    LimitError,
    SengokuError,
    UnavailableError,
    UnknownMethodError,
)
from sengoku.wire.errors import error_from_status
from sengoku.wire.methods import method_options, methods

REQUEST_ID_HEADER = "x-request-id"
"""Metadata key of the id of a call; the logs of client and server contain the id."""
MAX_RETRIES = 4
"""gRPC sends a call at most five times."""
CANCELLED = "the work was cancelled"


@dataclass(frozen=True)
class Rpc:
    """A method of a gRPC service."""

    service: str
    method: str
    response: type[Message]
    server_streaming: bool
    idempotent: bool
    """Whether the call may be repeated when its outcome is unknown (AIP-194)."""
    client_streaming: bool = False

    @property
    def path(self) -> str:
        """Name of the method in gRPC."""
        return f"/{self.service}/{self.method}"


def _rpc(method: MethodDescriptor) -> Rpc:
    return Rpc(
        service=method.containing_service.full_name,
        method=method.name,
        response=message_factory.GetMessageClass(method.output_type),
        server_streaming=method.server_streaming,
        client_streaming=method.client_streaming,
        idempotent=method_options(method.full_name).can_retry,
    )


RPCS = {method.input_type.full_name: _rpc(method) for method in methods()}
"""The method of each request type: no two methods share one."""
_CHECK = health_pb2.DESCRIPTOR.services_by_name["Health"].methods_by_name["Check"]
RPCS[_CHECK.input_type.full_name] = _rpc(_CHECK)


def rpc_of(request: Message) -> Rpc:
    """Return the method that takes a request."""
    return RPCS[request.DESCRIPTOR.full_name]


@dataclass(frozen=True)
class Tls:
    """The files of a TLS connection, in PEM format.

    `ca` contains the certificate authorities to trust; without it, those that gRPC trusts by default.
    `cert` and `key` are the client's certificate and key, for servers that require them (mutual TLS).
    `name` is the host name in the server's certificate if it differs from the address.
    """

    ca: str | Path | None = None
    cert: str | Path | None = None
    key: str | Path | None = field(default=None, repr=False)
    name: str | None = None

    def credentials(self) -> grpc.ChannelCredentials:
        """Read the files."""
        if (self.cert is None) != (self.key is None):
            missing = "key" if self.key is None else "cert"
            message = f"tls.{missing} is missing: a certificate and its key must be given together"
            raise ArgumentError(message, {"field": f"tls.{missing}"})
        ca, cert, key = (_read(f"tls.{name}", getattr(self, name)) for name in ("ca", "cert", "key"))
        return grpc.ssl_channel_credentials(ca, key, cert)


def _read(name: str, file: str | Path | None) -> bytes | None:
    if file is None:
        return None
    try:
        return Path(file).read_bytes()
    except OSError as error:
        details = {"field": name, "value": str(file)}
        raise ArgumentError(
            f"{name}: cannot read {str(file)!r}: {error.strerror or error}", details
        ) from error


def is_loopback_target(target: str) -> bool:
    """Whether a gRPC target is on this machine.

    >>> local = ("localhost:1", "127.8.0.1:1", "dns:///[::1]:1", "unix:/x")
    >>> [is_loopback_target(target) for target in local]
    [True, True, True, True]
    >>> remote = ("10.0.0.1:1", "localhost.org:1", "ipv4:127.0.0.1:1,9.9.9.9:1")
    >>> [is_loopback_target(target) for target in remote]
    [False, False, False]
    """
    if target.startswith(("unix:", "unix-abstract:")):
        return True
    scheme, colon, rest = target.partition(":")
    names = rest if colon and scheme in ("dns", "ipv4", "ipv6") else target
    return all(_is_local_name(name.rpartition("/")[2]) for name in names.split(","))


def _is_local_name(name: str) -> bool:
    host = name[1:].partition("]")[0] if name.startswith("[") else name
    if not name.startswith("[") and host.count(":") == 1:
        host = host.partition(":")[0]
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Connection:
    """The address of a server and the options of the connection to it."""

    target: str
    timeout: float | None = None
    retries: int = 3
    tls: bool | Tls = False
    token: str | None = field(default=None, repr=False)
    allow_insecure_token: bool = False
    keepalive: float | None = 60.0

    def __post_init__(self) -> None:
        target = self.target
        if not isinstance(target, str) or not target.strip() or not target.isprintable():
            raise refused("target", ascii(target), "must be host:port")
        grpc_timeout(self.timeout)
        check_integer("retries", self.retries, 0, MAX_RETRIES)
        # gRPC servers treat more frequent pings as an attack.
        if self.keepalive is not None and not 10 <= self.keepalive <= 1e6:
            raise refused("keepalive", self.keepalive, "must be 10 to 1000000 seconds")
        if self.token is None:
            return
        if not self.token or not self.token.isascii() or not self.token.isprintable() or " " in self.token:
            message = "token must be one or more printable ASCII characters without spaces"
            raise ArgumentError(message, {"field": "token"})
        if not (self.tls or self.allow_insecure_token or is_loopback_target(target)):
            message = f"the token would be sent to {target} unencrypted: use TLS, or set allow_insecure_token"
            raise ArgumentError(message, {"field": "token", "target": target})

    @property
    def credentials(self) -> grpc.ChannelCredentials | None:
        """TLS credentials, or None for a connection without TLS."""
        if isinstance(self.tls, Tls):
            return self.tls.credentials()
        return grpc.ssl_channel_credentials() if self.tls else None

    @property
    def options(self) -> list[tuple[str, Any]]:
        """Options of the gRPC channel."""
        options: list[tuple[str, Any]] = [
            ("grpc.max_receive_message_length", -1),
            ("grpc.max_send_message_length", -1),
        ]
        if self.retries:
            options += [
                ("grpc.service_config", json.dumps({"methodConfig": [self._retry_policy()]})),
                # Longer requests are not buffered, so they cannot be sent again.
                ("grpc.per_rpc_retry_buffer_size", 16 << 20),
            ]
        if isinstance(self.tls, Tls) and self.tls.name is not None:
            options.append(("grpc.ssl_target_name_override", self.tls.name))
        if self.keepalive is not None:
            options += [
                ("grpc.keepalive_time_ms", round(1e3 * self.keepalive)),
                ("grpc.keepalive_timeout_ms", 20_000),
            ]
        return options

    def _retry_policy(self) -> dict[str, Any]:
        """Return the calls that gRPC repeats, and when: exponential backoff with jitter."""
        # Not streams: gRPC may let one wait for ever when no server is there; `Reconnect` repeats them.
        calls = (rpc for rpc in RPCS.values() if rpc.idempotent and not rpc.server_streaming)
        names = [{"service": rpc.service, "method": rpc.method} for rpc in calls]
        policy = {
            "maxAttempts": self.retries + 1,
            "initialBackoff": "0.1s",
            "maxBackoff": "5s",
            "backoffMultiplier": 3,
            "retryableStatusCodes": ["UNAVAILABLE"],
        }
        return {"name": names, "retryPolicy": policy}

    @property
    def authorization(self) -> tuple[tuple[str, str], ...]:
        """Metadata of every call that contains the token, if there is one."""
        return () if self.token is None else (("authorization", f"Bearer {self.token}"),)


def grpc_timeout(timeout: float | None) -> float | None:
    """Return a timeout in the form that gRPC takes: None instead of infinity, and at most three years."""
    if timeout is None or timeout == math.inf:
        return None
    if math.isnan(timeout):
        raise refused("timeout", timeout, "must be a number of seconds")
    return min(timeout, 1e8)


class Deadline:
    """The time by which several calls must be finished together."""

    def __init__(self, timeout: float | None) -> None:
        limit = grpc_timeout(timeout)
        self._end = math.inf if limit is None else time.monotonic() + limit

    @property
    def left(self) -> float:
        """Seconds left; infinite if there is no limit."""
        return max(0.0, self._end - time.monotonic())


MAX_OUTAGE_SECONDS = 60.0
"""How long a server may be unreachable, for example during a restart, before a waiting client gives up."""


class Reconnect:
    """Backoff while a server is unreachable, up to `MAX_OUTAGE_SECONDS`."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._attempts = 0
        self._slept = 0.0

    def reset(self) -> None:
        """Start over: the server answered."""
        self._attempts, self._slept = 0, 0.0

    def pause_after(self, error: SengokuError) -> float:
        """Return the seconds to wait before the next attempt; raise an error that waiting does not cure."""
        unreachable = error.status == "UNAVAILABLE" and error.details.get("state") != "closed"
        if not unreachable or self._slept >= MAX_OUTAGE_SECONDS or self._deadline.left <= 0:
            raise error
        backoff: float = min(5.0, 0.2 * 2**self._attempts, self._deadline.left)
        pause = backoff * random.uniform(0.8, 1.2)  # noqa: S311 - jitter
        self._attempts += 1
        self._slept += pause
        return pause


_BY_CODE = {
    grpc.StatusCode[error.status]: error
    for error in (CancelledError, DeadlineError, UnavailableError, UnknownMethodError)
}
FAILURES = (grpc.RpcError, grpc.FutureCancelledError, asyncio.CancelledError, ValueError, aio.UsageError)
"""Exceptions of a gRPC call that `map_error` translates."""


def map_error(failure: BaseException, request_id: str) -> BaseException:
    """Return the error to raise for an exception of a gRPC call, one of `FAILURES`."""
    if isinstance(failure, SengokuError):
        return failure
    if isinstance(failure, grpc.FutureCancelledError):
        return CancelledError(CANCELLED)
    if isinstance(failure, asyncio.CancelledError):
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            return failure
        return CancelledError(CANCELLED)  # not the task was cancelled: the connection was closed
    if isinstance(failure, grpc.RpcError):
        return _error_of_status(failure, request_id)
    return UnavailableError(f"the client is closed: {failure}", {"state": "closed"})


@contextmanager
def map_errors(request_id: str) -> Iterator[None]:
    """Raise the errors of this package instead of those of gRPC."""
    try:
        yield
    except FAILURES as failure:
        raise map_error(failure, request_id) from None


def _error_of_status(failure: Any, request_id: str) -> SengokuError:
    """Rebuild the error that the server raised, or classify a failure of gRPC itself."""
    error: SengokuError | None = None
    with suppress(ValueError, DecodeError):  # details that are unreadable or contradict the code
        status = rpc_status.from_call(failure)
        error = error_from_status(status) if status else None
    if error is None:
        # Failures of gRPC itself have a code and no reason.
        code, text = failure.code(), failure.details() or ""
        kind: type[SengokuError] = _BY_CODE.get(code, InternalError)
        if code is grpc.StatusCode.RESOURCE_EXHAUSTED:
            # Either too many concurrent calls, in gRPC's words, or a message that is too long.
            kind = BusyError if "limit exceeded" in text.lower() else LimitError
        error = kind(f"{code.name}: {text}", {"code": code.name})
    error.request_id = request_id
    return error
