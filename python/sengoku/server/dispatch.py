"""From a call to the function that answers it and back: who calls, limits, cancelling, statuses."""

from __future__ import annotations

import asyncio
import itertools
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from functools import partial
from inspect import isasyncgenfunction, iscoroutinefunction
from typing import Any, TypeVar, cast

import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor import FileDescriptor, MethodDescriptor
from google.protobuf.message import Message
from grpc import aio
from grpc_status import rpc_status

from sengoku._core import Cancel
from sengoku.errors import (
    BusyError,
    CancelledError,
    DeadlineError,
    InternalError,
    NotAllowedError,
    QuotaError,
    SengokuError,
    ShuttingDownError,
    UnauthenticatedError,
    UnknownMethodError,
)
from sengoku.server import logging as logs
from sengoku.server.auth import Access, Caller, Role, peer_name
from sengoku.server.executor import Work
from sengoku.server.intake import Reception
from sengoku.server.limits import Limits
from sengoku.server.metrics import Metrics
from sengoku.wire import convert
from sengoku.wire.errors import shortened, status_to_proto
from sengoku.wire.methods import method_options

REQUEST_ID = "x-request-id"
"""Metadata that names a call in logs, here and at the caller's."""

_NUMBERS = itertools.count(secrets.randbits(64))
"""Names of calls that bring none: a number after the other, from where no other server began."""

_F = TypeVar("_F", bound=Callable[..., Any])
_T = TypeVar("_T")

_LARGE_BYTES = 1 << 15
"""Messages from here on are read and written by threads: they take a while."""


def role_of(method: str) -> Role:
    """Return the role that a method requires, by its path."""
    return method_options(method).role


class Call:
    """What a method knows about the call it answers."""

    __slots__ = ("_reads", "_work", "caller", "cancel", "request_id", "time_left")

    def __init__(
        self,
        caller: Caller,
        request_id: str,
        time_left: Callable[[], float | None],
        work: Work,
        role: Role = "run",
    ) -> None:
        self._work = work
        self._reads = role == "read"
        self.cancel = Cancel()
        """Stops the work; set when the call ends by its deadline or by the client's wish."""
        self.caller = caller
        self.request_id = request_id
        self.time_left = time_left
        """Seconds until the deadline, or None without one."""

    async def work(self, function: Callable[[], _T]) -> _T:
        """Does something in a thread, for what is not brief."""
        return await self._work.run(function, self.cancel, reads=self._reads)

    async def heavy(self, function: Callable[[], _T]) -> _T:
        """Does something in a thread when it is this client's turn, for what uses all cores."""
        async with self._work.queue.turn(self.caller.name, self.cancel):
            return await self._work.run(function, self.cancel)


def brief(function: _F) -> _F:
    """Marks a method that takes less than a millisecond: it is answered at once, on the server's loop."""
    function.brief = lambda _request: True  # type: ignore[attr-defined]
    return function


def brief_if(is_brief: Callable[[Any], bool]) -> Callable[[_F], _F]:
    """Marks a method that is brief for some requests."""

    def mark(function: _F) -> _F:
        function.brief = is_brief  # type: ignore[attr-defined]
        return function

    return mark


def waiting(function: _F) -> _F:
    """Marks a method that mostly waits: as many such calls as streams may be under way."""
    function.waiting = True  # type: ignore[attr-defined]
    return function


class _Trace:
    """What is counted and logged of a call."""

    __slots__ = (
        *("_context", "_method", "_metrics", "_start"),
        *("bytes_in", "bytes_out", "client", "metadata", "request_id"),
    )

    def __init__(self, metrics: Metrics, method: str, bytes_in: int, context: Any) -> None:
        self._metrics = metrics
        self._method = method
        self._start = time.perf_counter()
        self.bytes_in = bytes_in
        self.bytes_out = 0
        self.metadata = {
            key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)
        }
        self.request_id = _request_id(self.metadata.get(REQUEST_ID))
        self.client = ""
        context.set_trailing_metadata(((REQUEST_ID, self.request_id),))
        self._context = context
        metrics.begin(method)

    def end(self) -> None:
        """Ends a call that went well."""
        self._write("OK", "", None)

    def fail(self, error: BaseException) -> SengokuError:
        """Ends a call that did not, and gives what the caller is told; a bug is ours to know."""
        failure = self._known(error)
        self._write(failure.status, failure.reason, error if failure.status == "INTERNAL" else None)
        return failure

    async def abort(self, failure: SengokuError) -> None:
        """Tells the caller what went wrong, in which call."""
        status = status_of(failure)
        trailing = [*(status.trailing_metadata or ()), (REQUEST_ID, self.request_id)]
        if failure.retry_after is not None and failure.status == "UNAVAILABLE":
            # The same as the RetryInfo in the status, as gRPC's own retries want to hear it.
            trailing.append(("grpc-retry-pushback-ms", str(round(1e3 * failure.retry_after))))
        await self._context.abort(status.code, status.details, tuple(trailing))

    def _write(self, code: str, reason: str, error: BaseException | None) -> None:
        seconds = time.perf_counter() - self._start
        self._metrics.end(self._method, code, reason, seconds)
        logs.call(
            method=self._method.removeprefix("/"),
            code=code,
            reason=reason,
            request_id=self.request_id,
            client=self.client or peer_name(self._context.peer()),
            seconds=seconds,
            bytes_in=self.bytes_in,
            bytes_out=self.bytes_out,
            error=error,
        )

    def _known(self, error: BaseException) -> SengokuError:
        if isinstance(error, SengokuError):
            return error
        if isinstance(error, asyncio.CancelledError):
            left = self._context.time_remaining()
            late = left is not None and left <= 0
            return (
                DeadlineError("the call took too long") if late else CancelledError("the call was cancelled")
            )
        return InternalError("internal error, see the server's log")


def status_of(error: SengokuError) -> grpc.Status:
    """Turns an error into a status that says the same."""
    return rpc_status.to_status(status_to_proto(error))


class _Crowd:
    """Calls of a kind that are under way: only so many, and of each client only so many."""

    def __init__(self, what: str, most: int, client_most: int, retry_after: Callable[[], float]) -> None:
        self._what = what
        self._most = most
        self._client_most = client_most
        self._retry_after = retry_after
        self._clients: dict[str, int] = {}
        self.count = 0

    def enter(self, client: str) -> None:
        """Counts one more of a client, or turns it away."""
        here = self._clients.get(client, 0)
        if self.count >= self._most:
            message = f"{self._most} {self._what} are under way, try again later"
            raise BusyError(message, {"limit": str(self._most)}, retry_after=self._retry_after())
        if here >= self._client_most:
            message = f"{here} {self._what} of {client} are under way, try again later"
            details = {"client": client, "limit": str(self._client_most)}
            raise QuotaError(message, details, retry_after=self._retry_after())
        self._clients[client] = here + 1
        self.count += 1

    def leave(self, client: str) -> None:
        """Counts one less; a client that has nothing more is forgotten."""
        self.count -= 1
        here = self._clients.pop(client) - 1
        if here:
            self._clients[client] = here


class Dispatch(grpc.GenericRpcHandler):  # type: ignore[type-arg]
    """Every method of our services, and an answer for those that do not exist."""

    def __init__(
        self,
        services: dict[str, tuple[FileDescriptor, object]],
        *,
        limits: Limits,
        access: Access,
        metrics: Metrics,
        work: Work,
        reception: Reception,
    ) -> None:
        self._limits = limits
        self._reception = reception
        self._access = access
        self._metrics = metrics
        self.work = work
        calls = ("calls", limits.calls, limits.client_calls, lambda: work.queue.retry_after)
        self._working, self._looking = _Crowd(*calls), _Crowd(*calls)
        """Calls that are being answered; work that a caller has given up counts until it has stopped."""
        lasting = (limits.streams, limits.client_streams, lambda: 1.0)
        self._streaming, self._waiting = _Crowd("streams", *lasting), _Crowd("calls that wait", *lasting)
        self.closing = False
        """Whether no more work is taken."""
        self._methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {}
        for name, (file, service) in services.items():
            for method in file.services_by_name[name.rpartition(".")[2]].methods:
                function = getattr(service, _snake(method.name))
                self._methods[f"/{name}/{method.name}"] = self._handler(method, function)
        metrics.add_methods(self._methods)

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        """Finds the handler of a call."""
        method = handler_call_details.method
        try:
            self._access.check(handler_call_details.invocation_metadata or ())
        except UnauthenticatedError as error:
            return self._refusal(method, error)
        if method in self._methods:
            return self._methods[method]
        return self._refusal(method, UnknownMethodError(f"no method {method}", {"method": method}))

    @property
    def heard(self) -> float:
        """When the last call came, by the clock of the loop."""
        return self._reception.heard

    @property
    def under_way(self) -> int:
        """Calls that are being answered."""
        return self._working.count + self._looking.count + self._waiting.count

    @property
    def streams(self) -> int:
        """Streams that are open."""
        return self._streaming.count

    @property
    def idle(self) -> bool:
        """Whether no call of ours is being answered."""
        return not (self.under_way or self.streams)

    def turn_away(self) -> None:
        """Awaits no more messages."""
        self._reception.close(_shutting_down())

    def close(self) -> None:
        """Ends all work and lets the threads go."""
        self.work.close()

    def _crowd(self, role: Role, function: Callable[..., Any]) -> _Crowd:
        """Gives what the calls of a method are counted among."""
        if isasyncgenfunction(function):
            return self._streaming
        if getattr(function, "waiting", False):
            return self._waiting
        return self._looking if role == "read" else self._working

    def _open(self, method: str, role: Role, crowd: _Crowd, context: Any, trace: _Trace) -> Call:
        """Says who calls and counts the call, or refuses what they may not.

        Who only looks may also do so while the server stops.
        """
        auth_context = {} if self._access.tls is None else context.auth_context()
        caller = self._access.caller(trace.metadata, auth_context, context.peer())
        trace.client = caller.name
        if not caller.may(role):
            details = {"method": method, "role": caller.role, "needed": role}
            raise NotAllowedError(f"{method} is for the role {role}, {caller.name} is {caller.role}", details)
        if self.closing and crowd is not self._looking:
            raise _shutting_down()
        crowd.enter(caller.name)
        return Call(caller, trace.request_id, context.time_remaining, self.work, role)

    def _handler(
        self, method: MethodDescriptor, function: Callable[..., Any]
    ) -> grpc.RpcMethodHandler[bytes, bytes]:
        request_class = message_factory.GetMessageClass(method.input_type)
        name = f"/{method.containing_service.full_name}/{method.name}"
        role = role_of(name)

        read = partial(self._read, request_class)
        reply_to = _replying(function, read)
        crowd = self._crowd(role, function)

        async def answer(_messages: object, context: Any) -> bytes:
            data, trace = await self._received(name, context)
            try:
                call = self._open(name, role, crowd, context, trace)
                try:
                    reply = await reply_to(data, call)
                finally:
                    crowd.leave(trace.client)
                trace.bytes_out = len(reply)
            except asyncio.CancelledError as error:
                trace.fail(error)
                raise
            except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets a status and we a log
                failure = trace.fail(error)
            else:
                trace.end()
                return reply
            await trace.abort(failure)
            raise AssertionError("abort raises")

        def requests(data: bytes, context: Any, trace: _Trace) -> Any:
            """Gives what the method is asked: the one message, or all of them as they come."""
            return self._requests(read, data, context, trace) if method.client_streaming else read(data)

        async def stream(_messages: object, context: Any) -> AsyncIterator[bytes]:
            data, trace = await self._received(name, context)
            try:
                call = self._open(name, role, crowd, context, trace)
                try:
                    async with aclosing(function(requests(data, context, trace), call)) as messages:
                        async for message in messages:
                            reply = message if isinstance(message, bytes) else message.SerializeToString()
                            trace.bytes_out += len(reply)
                            yield reply
                finally:
                    crowd.leave(trace.client)
            except (asyncio.CancelledError, GeneratorExit) as error:
                trace.fail(asyncio.CancelledError() if isinstance(error, GeneratorExit) else error)
                raise
            except Exception as error:  # noqa: BLE001
                failure = trace.fail(error)
            else:
                trace.end()
                return
            await trace.abort(failure)

        if isasyncgenfunction(function):
            return grpc.stream_stream_rpc_method_handler(stream)
        return grpc.stream_unary_rpc_method_handler(answer)

    def _read(self, kind: type[Message], data: bytes) -> Message:
        """Reads a message that is not too long."""
        self._limits.check("message_bytes", len(data))
        return convert.parse(kind, data)

    @staticmethod
    async def _requests(
        read: Callable[[bytes], Any], data: bytes, context: Any, trace: _Trace
    ) -> AsyncIterator[Any]:
        """Gives the messages of a stream: the one that has come, and then all others."""
        while True:
            yield read(data)
            data = await context.read()
            if data is aio.EOF:  # type: ignore[attr-defined] # left out by the stubs
                return
            trace.bytes_in += len(data)

    async def _received(self, method: str, context: Any) -> tuple[bytes, _Trace]:
        """Waits for the first message of a call, which most methods have no other after."""
        try:
            data = await self._reception.message(context)
        except SengokuError as error:
            failure = error
        else:
            return data, _Trace(self._metrics, method, len(data), context)
        await self._refuse(method, failure, context)
        raise AssertionError("abort raises")

    def _refusal(self, method: str, error: SengokuError) -> grpc.RpcMethodHandler[bytes, bytes]:
        """Answers before the message is read, which may be long or never come."""

        async def answer(_messages: object, context: Any) -> bytes:
            await self._refuse(method, error, context)
            raise AssertionError("abort raises")

        return grpc.stream_unary_rpc_method_handler(answer)

    async def _refuse(self, method: str, error: SengokuError, context: Any) -> None:
        trace = _Trace(self._metrics, shortened(method, 300), 0, context)
        await trace.abort(trace.fail(error))


def _replying(
    function: Callable[..., Any], read: Callable[[bytes], Any]
) -> Callable[[bytes, Call], Awaitable[bytes]]:
    """Runs a method where it belongs: a brief one on the loop, others in a thread, or as they say."""
    waits, is_brief = iscoroutinefunction(function), getattr(function, "brief", _never)

    async def reply_to(data: bytes, call: Call) -> bytes:
        request = read(data) if len(data) < _LARGE_BYTES else await call.work(lambda: read(data))
        if waits:
            reply = await function(request, call)
        elif is_brief(request):
            reply = function(request, call)
        else:
            reply = await call.work(lambda: function(request, call).SerializeToString())
        return reply if isinstance(reply, bytes) else cast("bytes", reply.SerializeToString())

    return reply_to


def _shutting_down() -> ShuttingDownError:
    return ShuttingDownError("the server is shutting down", retry_after=1.0)


def _never(_request: object) -> bool:
    return False


def _request_id(given: str | None) -> str:
    """Gives the id that the caller chose, if it can stand in a log, or a new one."""
    if given and len(given) <= 128 and given.isascii() and given.isprintable():
        return given
    return f"{next(_NUMBERS) & (1 << 64) - 1:016x}"


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
