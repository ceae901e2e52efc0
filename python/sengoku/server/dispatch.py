"""From a call to the method that answers it and back: caller, quotas, cancellation, status."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, aclosing, contextmanager
from functools import partial
from inspect import isasyncgenfunction, iscoroutinefunction
from typing import Any, cast

import grpc
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from grpc import aio

from sengoku.errors import (
    NotAllowedError,
    SengokuError,
    ShuttingDownError,
    UnauthenticatedError,
    UnknownMethodError,
)
from sengoku.server.auth import Access, Role, role_of
from sengoku.server.call import Call
from sengoku.server.executor import Executor
from sengoku.server.intake import Intake
from sengoku.server.limits import Limits
from sengoku.server.listener import Listener
from sengoku.server.metrics import Metrics
from sengoku.server.quota import Quota
from sengoku.server.trace import Trace
from sengoku.server.unsent import Unsent
from sengoku.wire.errors import shortened
from sengoku.wire.values import parse

__all__ = ["Dispatch"]

_CANCELLED, _REFUSED = 1, 10
"""Strikes for a call that its client cancelled, and for one without a valid token or method."""
_ENDS = (KeyboardInterrupt, SystemExit)
"""Ends of the process; any other exception ends a call. A panic of the core is not an `Exception`."""
_LARGE_BYTES = 1 << 15
"""Messages of this length and more are parsed in threads, because it takes a while."""


class Dispatch(grpc.GenericRpcHandler):  # type: ignore[type-arg]
    """The gRPC handler of all methods, including an answer for methods that do not exist."""

    def __init__(
        self,
        services: dict[str, object],
        *,
        limits: Limits,
        access: Access,
        metrics: Metrics,
        executor: Executor,
        intake: Intake,
        listener: Listener,
        unsent: Unsent,
    ) -> None:
        self._limits = limits
        self._intake = intake
        self._listener = listener
        self._unsent = unsent
        self._access = access
        self._metrics = metrics
        self._executor = executor

        def retry_after() -> float:
            return executor.queue.retry_after

        self._working, self._reading = (
            Quota("calls", limits, "calls", "client_calls", retry_after=retry_after) for _ in range(2)
        )
        """Calls under way, without and with the role `read`; a cancelled call counts until its work stops."""
        self._streaming = Quota("streams", limits, "streams", "client_streams")
        self._waiting = Quota("waiting calls", limits, "streams", "client_streams")
        self.closing = False
        """Whether new work is refused."""
        self._tasks: set[asyncio.Task[Any]] = set()
        """The tasks of calls under way."""
        self._ended = False
        self._methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {}
        for name, service in services.items():
            for method in descriptor_pool.Default().FindServiceByName(name).methods:
                function = getattr(service, _snake(method.name))
                self._methods[f"/{name}/{method.name}"] = self._handler(method, function)
        metrics.add_methods(self._methods)

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        """Return the handler of a call."""
        method = handler_call_details.method
        try:
            self._access.check(handler_call_details.invocation_metadata or ())
        except UnauthenticatedError as error:
            return self._refusal(method, error)
        if method in self._methods:
            return self._methods[method]
        return self._refusal(method, UnknownMethodError(f"there is no method {method}", {"method": method}))

    @property
    def last_message(self) -> float:
        """Time of the last request, by the clock of the loop."""
        return self._intake.last_message

    @property
    def under_way(self) -> int:
        """Calls under way."""
        return self._working.count + self._reading.count + self._waiting.count

    @property
    def streams(self) -> int:
        """Open streams."""
        return self._streaming.count

    def by_client(self) -> tuple[Counter[str], Counter[str]]:
        """Return the calls under way and the open streams of each client."""
        calls = Counter[str]()
        for quota in (self._working, self._reading, self._waiting):
            calls.update(quota.by_client())
        return calls, Counter(self._streaming.by_client())

    @property
    def idle(self) -> bool:
        """Whether no call is under way."""
        return not (self.under_way or self.streams)

    def refuse_all(self) -> None:
        """Refuse all calls from now on, also those whose message has not arrived."""
        self._intake.close(_shutting_down())

    def end_all(self) -> None:
        """End the calls under way: they are told that the server is shutting down, and their work stops."""
        self._ended = True
        for task in list(self._tasks):
            task.cancel()

    def close(self) -> None:
        """Cancel all work and release the threads."""
        self._executor.close()

    def _quota(self, role: Role, function: Callable[..., Any]) -> Quota:
        """Return the quota of the calls of a method."""
        if isasyncgenfunction(function):
            return self._streaming
        if getattr(function, "waiting", False):
            return self._waiting
        return self._reading if role == "read" else self._working

    @contextmanager
    def _open(self, method: str, role: Role, quota: Quota, context: Any, trace: Trace) -> Iterator[Call]:
        """Identify the caller, check permission and quota, and count the call for the block.

        Calls that only read are answered also while the server stops.
        """
        auth_context = {} if self._access.tls is None else context.auth_context()
        caller = self._access.caller(trace.metadata, auth_context, trace.peer)
        trace.client = caller.name
        if not caller.may(role):
            details = {"method": method, "role": caller.role, "needed": role}
            message = f"{method} requires the role {role}, {caller.name} has {caller.role}"
            raise NotAllowedError(message, details)
        if self.closing and quota is not self._reading:
            raise _shutting_down()
        self._unsent.check(caller.name)
        task = asyncio.current_task()
        with quota.hold(caller.name):
            try:
                if task is not None:
                    self._tasks.add(task)
                yield Call(caller, trace.request_id, context.time_remaining, self._executor, role)
            except asyncio.CancelledError:
                if not self._ended or task is None:
                    raise
                task.uncancel()
                raise _shutting_down() from None
            finally:
                self._tasks.discard(task)

    def _handler(
        self, method: MethodDescriptor, function: Callable[..., Any]
    ) -> grpc.RpcMethodHandler[bytes, bytes]:
        name = f"/{method.containing_service.full_name}/{method.name}"
        role = role_of(name)
        open_call = partial(self._open, name, role, self._quota(role, function))
        read = partial(self._read, message_factory.GetMessageClass(method.input_type))
        if isasyncgenfunction(function):
            stream = self._stream(name, open_call, function, read, several=method.client_streaming)
            return grpc.stream_stream_rpc_method_handler(stream)
        return grpc.stream_unary_rpc_method_handler(self._unary(name, open_call, _replying(function, read)))

    def _unary(
        self,
        name: str,
        open_call: Callable[[Any, Trace], AbstractContextManager[Call]],
        reply_to: Callable[[bytes, Call], Awaitable[bytes]],
    ) -> Callable[[object, Any], Awaitable[bytes]]:
        """Return the handler of a method with one response."""

        async def answer(_messages: object, context: Any) -> bytes:
            data, trace = await self._received(name, context)
            try:
                with open_call(context, trace) as call:
                    reply = await reply_to(data, call)
                trace.bytes_out = len(reply)
                self._unsent.check(trace.client, len(reply))
                self._unsent.until_done(trace.client, trace.connection, len(reply))
            except asyncio.CancelledError as error:
                self._cancelled(error, trace)
                raise
            except _ENDS:
                raise
            except BaseException as error:  # noqa: BLE001 - the caller gets a status, the log the traceback
                failure = trace.fail(error)
            else:
                trace.end()
                return reply
            await trace.abort(failure)
            raise AssertionError("abort raises")

        return answer

    def _stream(
        self,
        name: str,
        open_call: Callable[[Any, Trace], AbstractContextManager[Call]],
        function: Callable[..., Any],
        read: Callable[[bytes], Any],
        *,
        several: bool,
    ) -> Callable[[object, Any], AsyncIterator[bytes]]:
        """Return the handler of a method with a stream of responses, to one request or to `several`."""

        async def stream(_messages: object, context: Any) -> AsyncIterator[bytes]:
            data, trace = await self._received(name, context)
            try:
                with open_call(context, trace) as call:
                    requests = self._requests(read, data, context, trace) if several else read(data)
                    async with aclosing(function(requests, call)) as messages:
                        async for message in messages:
                            reply = message if isinstance(message, bytes) else message.SerializeToString()
                            trace.bytes_out += len(reply)
                            with self._unsent.sending(trace.client, trace.connection, len(reply)):
                                yield reply  # resumed when gRPC has sent it
            except (asyncio.CancelledError, GeneratorExit) as error:
                self._cancelled(error, trace)
                raise
            except _ENDS:
                raise
            except BaseException as error:  # noqa: BLE001
                failure = trace.fail(error)
            else:
                trace.end()
                return
            await trace.abort(failure)

        return stream

    def _cancelled(self, error: BaseException, trace: Trace) -> None:
        """Record a call that its client cancelled."""
        trace.fail(asyncio.CancelledError() if isinstance(error, GeneratorExit) else error)
        self._listener.strike(trace.connection, _CANCELLED)

    def _read(self, kind: type[Message], data: bytes) -> Message:
        """Parse a message within the length limit."""
        self._limits.check("message_bytes", len(data))
        return parse(kind, data)

    @staticmethod
    async def _requests(
        read: Callable[[bytes], Any], data: bytes, context: Any, trace: Trace
    ) -> AsyncIterator[Any]:
        """Yield the messages of a stream: the one that was read, then all others."""
        while True:
            yield read(data)
            data = await context.read()
            if data is aio.EOF:  # type: ignore[attr-defined] # left out by the stubs
                return
            trace.bytes_in += len(data)

    async def _received(self, method: str, context: Any) -> tuple[bytes, Trace]:
        """Wait for the first message of a call, which for most methods is the only one."""
        connection = context.peer()  # gRPC can answer this only while the call lasts
        # `service` has accepted its token, so its connection may send the message at full speed.
        self._listener.verify(connection)
        try:
            data = await self._intake.message(context)
        except SengokuError as error:
            failure = error
        except asyncio.CancelledError:
            self._listener.strike(connection, _CANCELLED)
            raise
        else:
            return data, self._trace(method, len(data), context, connection)
        await self._refuse(method, failure, context, connection)
        raise AssertionError("abort raises")

    def _trace(self, method: str, size: int, context: Any, connection: str) -> Trace:
        peer = self._listener.address(connection)
        return Trace(self._metrics, method, size, context, connection=connection, peer=peer)

    def _refusal(self, method: str, error: SengokuError) -> grpc.RpcMethodHandler[bytes, bytes]:
        """Return a handler that answers before the message is read, which may be long or never arrive."""

        async def answer(_messages: object, context: Any) -> bytes:
            connection = context.peer()
            self._listener.strike(connection, _REFUSED)
            await self._refuse(method, error, context, connection)
            raise AssertionError("abort raises")

        return grpc.stream_unary_rpc_method_handler(answer)

    async def _refuse(self, method: str, error: SengokuError, context: Any, connection: str) -> None:
        trace = self._trace(shortened(method, 300), 0, context, connection)
        await trace.abort(trace.fail(error))


def _replying(
    function: Callable[..., Any], read: Callable[[bytes], Any]
) -> Callable[[bytes, Call], Awaitable[bytes]]:
    """Wrap a method to run where it belongs: a coroutine on the event loop, a function in a thread."""
    waits = iscoroutinefunction(function)

    async def reply_to(data: bytes, call: Call) -> bytes:
        request = read(data) if len(data) < _LARGE_BYTES else await call.work(lambda: read(data))
        if waits:
            reply = await function(request, call)
        else:
            reply = await call.work(lambda: function(request, call).SerializeToString())
        return reply if isinstance(reply, bytes) else cast("bytes", reply.SerializeToString())

    return reply_to


def _shutting_down() -> ShuttingDownError:
    return ShuttingDownError("the server is shutting down", retry_after=1.0)


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
