"""From a call to the method that answers it and back, for all transports: caller, quotas, cancellation."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import isasyncgenfunction, iscoroutinefunction
from typing import Any

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import Message

from sengoku.errors import NotAllowedError, SengokuError, ShuttingDownError
from sengoku.server.auth import Access, Role, role_of
from sengoku.server.call import Call
from sengoku.server.executor import Executor
from sengoku.server.intake import Intake
from sengoku.server.limits import Limits
from sengoku.server.metrics import Metrics
from sengoku.server.quota import Quota
from sengoku.server.trace import Trace
from sengoku.server.unsent import Unsent
from sengoku.wire.errors import shortened
from sengoku.wire.values import parse

__all__ = ["BINARY", "CANCELLED", "ENDS", "REFUSED", "Codec", "Dispatch", "Method"]

CANCELLED, REFUSED = 1, 10
"""Strikes for a call that its client cancelled, and for one without a valid token or method."""
ENDS = (KeyboardInterrupt, SystemExit)
"""Ends of the process; any other exception ends a call. A panic of the core is not an `Exception`."""
_LARGE_BYTES = 1 << 15
"""Messages of this length and more are parsed in threads, because it takes a while."""


@dataclass(frozen=True)
class Codec:
    """How messages of a call are written: as protobuf or as JSON."""

    read: Callable[[type[Message], bytes], Message]
    write: Callable[[type[Message], Message | bytes], bytes]
    """Write a response; methods with large ones give them as the bytes of protobuf."""
    is_slow: bool = True
    """Whether a large response is written in a thread."""


def _write_binary(_kind: type[Message], reply: Message | bytes) -> bytes:
    return reply if isinstance(reply, bytes) else reply.SerializeToString()


BINARY = Codec(parse, _write_binary, is_slow=False)


@dataclass(frozen=True)
class Method:
    """A method of a service, and how it is called."""

    name: str
    """Its path, `/SERVICE/METHOD`."""
    role: Role
    quota: Quota
    function: Callable[..., Any]
    request: type[Message]
    response: type[Message]
    is_stream: bool
    """Whether it has a stream of responses."""
    takes_stream: bool
    """Whether it takes a stream of requests."""
    is_safe: bool
    """Whether it has no side effects."""
    waits: bool
    """Whether it is a coroutine, which runs on the event loop, and not a function, which runs in a thread."""

    async def read(self, data: bytes, call: Call, codec: Codec) -> Message:
        """Parse a request."""
        if len(data) < _LARGE_BYTES:
            return codec.read(self.request, data)
        return await call.work(lambda: codec.read(self.request, data))

    async def write(self, reply: Message | bytes, call: Call, codec: Codec) -> bytes:
        """Write a response."""
        if codec.is_slow:
            size = len(reply) if isinstance(reply, bytes) else reply.ByteSize()
            if size >= _LARGE_BYTES:
                return await call.work(lambda: codec.write(self.response, reply))
        return codec.write(self.response, reply)

    async def reply(self, data: bytes, call: Call, codec: Codec) -> bytes:
        """Answer the request of a method with one response."""
        request = await self.read(data, call, codec)
        if not self.waits:
            return await call.work(lambda: codec.write(self.response, self.function(request, call)))
        return await self.write(await self.function(request, call), call, codec)


class Dispatch:
    """The methods of all services, and the quotas of calls. Use it on the server's event loop only."""

    def __init__(
        self,
        services: dict[str, object],
        *,
        limits: Limits,
        access: Access,
        metrics: Metrics,
        executor: Executor,
        intake: Intake,
        unsent: Unsent,
    ) -> None:
        self.limits = limits
        self.access = access
        self.intake = intake
        self._unsent = unsent
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
        self.playing = Quota("requests over MCP", limits, "streams", "client_streams")
        """Requests over MCP under way; the calls of their tools are counted like all others."""
        self.closing = False
        """Whether new work is refused."""
        self._tasks: set[asyncio.Task[Any]] = set()
        """The tasks of calls under way."""
        self._ended = False
        self.methods: dict[str, Method] = {}
        """By path."""
        for name, service in services.items():
            for descriptor in descriptor_pool.Default().FindServiceByName(name).methods:
                method = self._method(descriptor, getattr(service, _snake(descriptor.name)))
                self.methods[method.name] = method
        metrics.add_methods(self.methods)

    def _method(self, descriptor: MethodDescriptor, function: Callable[..., Any]) -> Method:
        name = f"/{descriptor.containing_service.full_name}/{descriptor.name}"
        role = role_of(name)
        return Method(
            name=name,
            role=role,
            quota=self._quota(role, function),
            function=function,
            request=message_factory.GetMessageClass(descriptor.input_type),
            response=message_factory.GetMessageClass(descriptor.output_type),
            is_stream=isasyncgenfunction(function),
            takes_stream=descriptor.client_streaming,
            is_safe=descriptor.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS,
            waits=iscoroutinefunction(function),
        )

    def _quota(self, role: Role, function: Callable[..., Any]) -> Quota:
        """Return the quota of the calls of a method."""
        if isasyncgenfunction(function):
            return self._streaming
        if getattr(function, "waiting", False):
            return self._waiting
        return self._reading if role == "read" else self._working

    @property
    def last_message(self) -> float:
        """Time of the last request, by the clock of the loop."""
        return self.intake.last_message

    @property
    def under_way(self) -> int:
        """Calls under way."""
        return self._working.count + self._reading.count + self._waiting.count + self.playing.count

    @property
    def streams(self) -> int:
        """Open streams."""
        return self._streaming.count

    def by_client(self) -> tuple[Counter[str], Counter[str]]:
        """Return the calls under way and the open streams of each client."""
        calls = Counter[str]()
        for quota in (self._working, self._reading, self._waiting, self.playing):
            calls.update(quota.by_client())
        return calls, Counter(self._streaming.by_client())

    @property
    def idle(self) -> bool:
        """Whether no call is under way."""
        return not (self.under_way or self.streams)

    def refuse_all(self) -> None:
        """Refuse all calls from now on, also those whose message has not arrived."""
        self.intake.close(_shutting_down())

    def end_all(self) -> None:
        """End the calls under way: they are told that the server is shutting down, and their work stops."""
        self._ended = True
        for task in list(self._tasks):
            task.cancel()

    def close(self) -> None:
        """Cancel all work and release the threads."""
        self._executor.close()

    def trace(
        self,
        method: str,
        size: int,
        metadata: Mapping[str, str],
        time_left: Callable[[], float | None],
        *,
        connection: str,
        peer: str,
    ) -> Trace:
        """Begin the record of a call."""
        name = method if method in self.methods else shortened(method, 300)
        return Trace(self._metrics, name, size, metadata, time_left, connection=connection, peer=peer)

    @contextmanager
    def open(
        self, method: Method, trace: Trace, auth_context: Mapping[str, Iterable[bytes]]
    ) -> Iterator[Call]:
        """Identify the caller, check permission and quota, and count the call for the block.

        Calls that only read are answered also while the server stops.
        """
        caller = self.access.caller(trace.metadata, auth_context, trace.peer)
        trace.client = caller.name
        if not caller.may(method.role):
            details = {"method": method.name, "role": caller.role, "needed": method.role}
            message = f"{method.name} requires the role {method.role}, {caller.name} has {caller.role}"
            raise NotAllowedError(message, details)
        if self.closing and method.quota is not self._reading:
            raise _shutting_down()
        self._unsent.check(caller.name)
        task = asyncio.current_task()
        with method.quota.hold(caller.name):
            try:
                if task is not None:
                    self._tasks.add(task)
                yield Call(caller, trace.request_id, trace.time_left, self._executor, method.role, trace.span)
            except asyncio.CancelledError:
                if not self._ended or task is None:
                    raise
                task.uncancel()
                raise _shutting_down() from None
            finally:
                self._tasks.discard(task)

    async def messages(
        self, method: Method, first: bytes, more: AsyncIterator[bytes], call: Call, codec: Codec
    ) -> Any:
        """Return the request of a streaming method: the first message, or an iterator over all."""
        if not method.takes_stream:
            return await method.read(first, call, codec)

        async def requests() -> AsyncIterator[Message]:
            yield codec.read(method.request, first)
            async for data in more:
                self.limits.check("message_bytes", len(data))
                yield codec.read(method.request, data)

        return requests()


def _shutting_down() -> SengokuError:
    return ShuttingDownError("the server is shutting down", retry_after=1.0)


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
