"""Health and reflection: open to all, and therefore only so many streams of them at once."""

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
from sengoku.server.intake import Reception

STREAMS = 64
"""Streams of each at once: without a bound somebody without a token could take the places of all calls."""


def _write(message: Message) -> bytes:
    return message.SerializeToString()


def _read_question(data: bytes) -> reflection_pb2.ServerReflectionRequest:
    """Reads a question; one that cannot be read is none, which has an answer, too."""
    try:
        return reflection_pb2.ServerReflectionRequest.FromString(data)
    except DecodeError:
        return reflection_pb2.ServerReflectionRequest()


class _Streams:
    def __init__(self) -> None:
        self.open = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        self.open += 1
        try:
            yield
        finally:
            self.open -= 1


class _Health(health.aio.HealthServicer):  # type: ignore[misc, name-defined] # made at import
    def __init__(self) -> None:
        super().__init__()
        self._streams = _Streams()

    async def Watch(self, request: Any, context: Any) -> None:  # noqa: N802 - as the proto says
        if self._streams.open >= STREAMS:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, f"{STREAMS} watch already, ask by Check")
        with self._streams.one():
            await super().Watch(request, context)


class _Reflection(reflection.aio.ReflectionServicer):  # type: ignore[misc, name-defined] # made at import
    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(names)
        self._streams = _Streams()

    async def ServerReflectionInfo(self, requests: Any, context: Any) -> AsyncIterator[Any]:  # noqa: N802
        if self._streams.open >= STREAMS:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, f"{STREAMS} ask already, try again later")
        with self._streams.one():
            async for answer in super().ServerReflectionInfo(requests, context):
                yield answer


class Probes:
    """What a server says to everybody: whether it is well, and which services it has."""

    def __init__(self, server: Any, services: Iterable[str], reception: Reception) -> None:
        self._services = tuple(services)
        self._reception = reception
        self._health = _Health()
        names = (*self._services, health.SERVICE_NAME, reflection.SERVICE_NAME)
        looks = {
            "Check": grpc.stream_unary_rpc_method_handler(self._check, None, _write),
            "Watch": grpc.stream_stream_rpc_method_handler(self._watch, None, _write),
        }
        asks = {
            "ServerReflectionInfo": grpc.stream_stream_rpc_method_handler(
                _Reflection(names).ServerReflectionInfo, _read_question, _write
            )
        }
        server.add_generic_rpc_handlers(
            (
                grpc.method_handlers_generic_handler(health.SERVICE_NAME, looks),
                grpc.method_handlers_generic_handler(reflection.SERVICE_NAME, asks),
            )
        )

    async def _check(self, _messages: object, context: Any) -> Any:
        return await self._health.Check(await self._request(context), context)

    async def _watch(self, _messages: object, context: Any) -> None:
        await self._health.Watch(await self._request(context), context)

    async def _request(self, context: Any) -> health_pb2.HealthCheckRequest:
        try:
            return health_pb2.HealthCheckRequest.FromString(await self._reception.message(context))
        except SengokuError as error:
            code, text = grpc.StatusCode[error.status], str(error)
        except DecodeError:
            code, text = grpc.StatusCode.INVALID_ARGUMENT, "this is no HealthCheckRequest"
        await context.abort(code, text)
        raise AssertionError("abort raises")

    async def serve(self) -> None:
        """Says that all is well."""
        for name in ("", *self._services):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def stop(self) -> None:
        """Says from now on that nothing is served."""
        # Whoever watches and does not read could keep us waiting.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._health.enter_graceful_shutdown(), 1.0)
