"""Health and reflection: open to every caller, with a bounded number of streams."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from operator import methodcaller
from typing import Any

import grpc
from google.protobuf.message import DecodeError
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


def _read_question(data: bytes) -> reflection_pb2.ServerReflectionRequest:
    """Parse a request; an unreadable one counts as empty, which has an answer too."""
    try:
        return reflection_pb2.ServerReflectionRequest.FromString(data)
    except DecodeError:
        return reflection_pb2.ServerReflectionRequest()


class _Streams:
    """A bound on the open streams of a service."""

    def __init__(self, refusal: str) -> None:
        self._open = 0
        self._refusal = f"{STREAMS} of {STREAMS} {refusal}"

    @asynccontextmanager
    async def hold(self, context: Any) -> AsyncIterator[None]:
        if self._open >= STREAMS:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, self._refusal)
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1


class Probes:
    """Health and reflection services of a server."""

    def __init__(
        self, server: Any, services: Iterable[str], intake: Intake, unsent: Unsent, listener: Listener
    ) -> None:
        self._services = tuple(services)
        self._intake = intake
        self._unsent = unsent
        self._listener = listener
        self._health: Any = health.aio.HealthServicer()  # type: ignore[attr-defined] # made at import
        names = (*self._services, health.SERVICE_NAME, reflection.SERVICE_NAME)
        self._reflection: Any = reflection.aio.ReflectionServicer(names)  # type: ignore[attr-defined]
        self._reported: dict[str, bool] = {}
        self._watches = _Streams("streams of Watch are in use, call Check")
        self._reflections = _Streams("streams are in use, try again later")
        write, stream = methodcaller("SerializeToString"), grpc.stream_stream_rpc_method_handler
        handlers = {
            health.SERVICE_NAME: {
                "Check": grpc.stream_unary_rpc_method_handler(self._check, None, write),
                "Watch": stream(self._watch, None, write),
            },
            reflection.SERVICE_NAME: {"ServerReflectionInfo": stream(self._reflect, _read_question, write)},
        }
        server.add_generic_rpc_handlers(
            tuple(grpc.method_handlers_generic_handler(name, methods) for name, methods in handlers.items())
        )

    async def _check(self, _messages: object, context: Any) -> Any:
        peer, request = context.peer(), await self._request(context)
        reply = await self._health.Check(request, context)
        if self._unsent.of_peer(peer) >= _MOST_UNSENT:
            self._listener.strike(peer, MISBEHAVED)
        self._unsent.until_done("health", peer, reply.ByteSize())
        return reply

    async def _watch(self, _messages: object, context: Any) -> None:
        request = await self._request(context)
        async with self._watches.hold(context):
            await self._health.Watch(request, context)

    async def _reflect(self, requests: Any, context: Any) -> AsyncIterator[Any]:
        async with self._reflections.hold(context):
            async for answer in self._reflection.ServerReflectionInfo(requests, context):
                yield answer

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

    async def report(self, serving: Mapping[str, bool]) -> None:
        """Report which services can do their work."""
        for name, serves in serving.items():
            if self._reported.get(name, True) != serves:
                self._reported[name] = serves
                status = health_pb2.HealthCheckResponse
                await self._health.set(name, status.SERVING if serves else status.NOT_SERVING)

    async def stop(self) -> None:
        """Report from now on that the server is not serving."""
        # A watcher that does not read could block this.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._health.enter_graceful_shutdown(), 1.0)
