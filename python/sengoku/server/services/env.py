"""EnvService: matches side by side for those who train, for as long as their stream lasts."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from sengoku.engine.batch import BatchEnv
from sengoku.errors import (
    ArgumentError,
    BusyError,
    DeadlineError,
    LimitError,
    QuotaError,
    SengokuError,
    ShuttingDownError,
)
from sengoku.server.dispatch import Call
from sengoku.server.limits import Limits
from sengoku.v1 import env_service_pb2 as pb2
from sengoku.wire import convert
from sengoku.wire.errors import status_to_proto

__all__ = ["EnvService"]


class EnvService:
    """Environments to train in."""

    def __init__(self, limits: Limits, threads: int) -> None:
        self._limits = limits
        self._threads = threads
        self._open: Counter[str] = Counter()
        """Environments by client."""
        self._closing = asyncio.Event()

    def environments(self) -> int:
        """How many environments there are."""
        return self._open.total()

    def drain(self) -> None:
        """Ends all environments, each after the step that it is at."""
        self._closing.set()

    async def step(
        self, requests: AsyncIterator[pb2.StepRequest], call: Call
    ) -> AsyncIterator[pb2.StepResponse | bytes]:
        first = await anext(requests)
        if first.WhichOneof("request") != "open":
            found = first.WhichOneof("request") or "none"
            raise ArgumentError("the first message opens the environment", {"field": "open", "value": found})
        self._limits.check("lanes", first.open.lanes)
        self._limits.check_bots(first.open.game, first.open.bots.values())
        with self._place(call.caller.name):
            env = await call.work(lambda: convert.env_from_proto(first.open, threads=self._threads))
            yield await call.work(lambda: _columns(env))
            steps = 0
            while (request := await self._next(requests)) is not None:
                kind = request.WhichOneof("request")
                if kind is None or kind == "open":
                    message = "request is not set" if kind is None else "an environment is opened only once"
                    raise ArgumentError(message, {"field": "request", "value": kind or "none"})
                if kind == "actions":
                    steps += env.lanes
                    self._check_steps(steps)
                # Bots that think take all cores, and so their turn; all else is done before anybody notices.
                heavy = bool(env.bots) and kind in {"actions", "reset", "restore", "fork"}
                do = call.heavy if heavy else call.work
                yield await do(lambda env=env, request=request: _answer(env, request))  # type: ignore[misc]

    async def _next(self, requests: AsyncIterator[pb2.StepRequest]) -> pb2.StepRequest | None:
        """Waits for the next message, but not for ever, nor when the server stops."""
        coming = asyncio.ensure_future(anext(requests, None))
        closing = asyncio.ensure_future(self._closing.wait())
        try:
            idle = float(self._limits.environment_idle)
            await asyncio.wait({coming, closing}, timeout=idle, return_when=asyncio.FIRST_COMPLETED)
            if closing.done():
                raise ShuttingDownError("the server is shutting down", retry_after=1.0)
            if not coming.done():
                details = {"limit": f"{idle:g}"}
                raise DeadlineError(f"nobody used the environment for {idle:g} seconds", details)
            return coming.result()
        finally:
            coming.cancel()
            closing.cancel()

    def _check_steps(self, steps: int) -> None:
        limit = self._limits.environment_steps
        if steps > limit:
            details = {"field": "environment_steps", "value": str(steps), "limit": str(limit)}
            raise LimitError(f"the environment has taken {limit} steps, which are all it may", details)

    @contextmanager
    def _place(self, client: str) -> Iterator[None]:
        """Counts who has an environment, or turns them away; all this is on the loop."""
        if self._closing.is_set():
            raise ShuttingDownError("the server is shutting down", retry_after=1.0)
        for error, found, name in (
            (QuotaError, self._open[client], "client_environments"),
            (BusyError, self._open.total(), "environments"),
        ):
            limit = getattr(self._limits, name)
            if found >= limit:
                details = {"field": name, "value": str(found), "limit": str(limit)}
                message = f"{found} environments are open, this server allows {limit}, try again later"
                raise error(message, details, retry_after=5.0)
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]


def _columns(env: BatchEnv) -> bytes:
    return pb2.StepResponse(columns=convert.columns_to_proto(env)).SerializeToString()


def _answer(env: BatchEnv, request: pb2.StepRequest) -> bytes:
    """Does what is asked for; what is refused has changed nothing, and the stream goes on."""
    try:
        return convert.env_answer(env, request).SerializeToString()
    except SengokuError as error:
        if error.status == "INTERNAL":
            raise
        return pb2.StepResponse(error=status_to_proto(error)).SerializeToString()
