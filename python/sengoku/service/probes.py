"""Health and reflection: open to all, and therefore only so many streams of them at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc

STREAMS = 64
"""Streams of each at once: without a bound somebody without a token could take the places of all calls."""


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

    def __init__(self, server: Any, services: Iterable[str]) -> None:
        self._services = tuple(services)
        self._health = _Health()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        names = (*self._services, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection_pb2_grpc.add_ServerReflectionServicer_to_server(_Reflection(names), server)

    async def serve(self) -> None:
        """Says that all is well."""
        for name in ("", *self._services):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def stop(self) -> None:
        """Says from now on that nothing is served."""
        # Whoever watches and does not read could keep us waiting.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._health.enter_graceful_shutdown(), 1.0)
