"""Health and reflection: open to every caller, with a bounded number of streams."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message
from grpc_health.v1 import health, health_pb2
from grpc_reflection.v1alpha import reflection, reflection_pb2

from sengoku.errors import SengokuError
from sengoku.server.intake import Intake
from sengoku.server.listener import MISBEHAVED, Listener
from sengoku.server.unsent import Unsent

_MOST_UNSENT = 32
"""Responses of Check that a connection may leave unread; with more it is closed."""
STREAMS = 64
"""Streams of each at once: without a bound, callers without a token could use up all calls."""


def _write(message: Message) -> bytes:
    return message.SerializeToString()


def _read_question(data: bytes) -> reflection_pb2.ServerReflectionRequest:
    """Parse a request; an unreadable one counts as empty, which has an answer too."""
    try:
        return reflection_pb2.ServerReflectionRequest.FromString(data)
    except DecodeError:
        return reflection_pb2.ServerReflectionRequest()


class _Streams:
    """A counter of the open streams of a service."""

    def __init__(self) -> None:
        self._open = 0

    @property
    def full(self) -> bool:
        return self._open >= STREAMS

    @contextmanager
    def hold(self) -> Iterator[None]:
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1


class _Health(health.aio.HealthServicer):  # type: ignore[misc, name-defined] # made at import
    def __init__(self) -> None:
        super().__init__()
        self._streams = _Streams()

    async def Watch(self, request: Any, context: Any) -> None:  # noqa: N802 - as the proto says
        if self._streams.full:
            await context.abort(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                f"{STREAMS} of {STREAMS} streams of Watch are in use, call Check",
            )
        with self._streams.hold():
            await super().Watch(request, context)


class _Reflection(reflection.aio.ReflectionServicer):  # type: ignore[misc, name-defined] # made at import
    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(names)
        self._streams = _Streams()

    async def ServerReflectionInfo(self, requests: Any, context: Any) -> AsyncIterator[Any]:  # noqa: N802
        if self._streams.full:
            await context.abort(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                f"{STREAMS} of {STREAMS} streams are in use, try again later",
            )
        with self._streams.hold():
            async for answer in super().ServerReflectionInfo(requests, context):
                yield answer


class Probes:
    """Health and reflection services of a server."""

    def __init__(
        self, server: Any, services: Iterable[str], intake: Intake, unsent: Unsent, listener: Listener
    ) -> None:
        self._services = tuple(services)
        self._intake = intake
        self._unsent = unsent
        self._listener = listener
        self._health = _Health()
        names = (*self._services, health.SERVICE_NAME, reflection.SERVICE_NAME)
        health_methods = {
            "Check": grpc.stream_unary_rpc_method_handler(self._check, None, _write),
            "Watch": grpc.stream_stream_rpc_method_handler(self._watch, None, _write),
        }
        reflection_methods = {
            "ServerReflectionInfo": grpc.stream_stream_rpc_method_handler(
                _Reflection(names).ServerReflectionInfo, _read_question, _write
            )
        }
        server.add_generic_rpc_handlers(
            (
                grpc.method_handlers_generic_handler(health.SERVICE_NAME, health_methods),
                grpc.method_handlers_generic_handler(reflection.SERVICE_NAME, reflection_methods),
            )
        )

    async def _check(self, _messages: object, context: Any) -> Any:
        request, peer = await self._request(context), context.peer()
        reply = await self._health.Check(request, context)
        if self._unsent.of_peer(peer) >= _MOST_UNSENT:
            self._listener.strike(peer, MISBEHAVED)
        self._unsent.until_done("health", peer, reply.ByteSize())
        return reply

    async def _watch(self, _messages: object, context: Any) -> None:
        await self._health.Watch(await self._request(context), context)

    async def _request(self, context: Any) -> health_pb2.HealthCheckRequest:
        try:
            return health_pb2.HealthCheckRequest.FromString(await self._intake.message(context))
        except SengokuError as error:
            code, text = grpc.StatusCode[error.status], str(error)
        except DecodeError:
            code, text = grpc.StatusCode.INVALID_ARGUMENT, "the message is not a HealthCheckRequest"
        await context.abort(code, text)
        raise AssertionError("abort raises")

    async def serve(self) -> None:
        """Report that the server is serving."""
        for name in ("", *self._services):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def stop(self) -> None:
        """Report from now on that the server is not serving."""
        # A watcher that does not read could block this.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._health.enter_graceful_shutdown(), 1.0)
