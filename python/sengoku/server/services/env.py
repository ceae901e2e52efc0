"""EnvService: batched environments for training, each as long as its stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from sengoku.engine.batch import BatchEnv
from sengoku.errors import ArgumentError, DeadlineError, LimitError, SengokuError, ShuttingDownError
from sengoku.server.call import Call
from sengoku.server.limits import Limits
from sengoku.server.quota import Quota
from sengoku.v1 import env_service_pb2 as pb2
from sengoku.wire.env import answer_step, columns_to_proto, env_from_proto
from sengoku.wire.errors import status_to_proto

__all__ = ["EnvService"]


class EnvService:
    """The service for batched environments."""

    def __init__(self, limits: Limits, threads: int) -> None:
        self._limits = limits
        self._threads = threads
        self._quota = Quota(
            "environments", limits, "environments", "client_environments", retry_after=lambda: 5.0
        )
        self._closing = asyncio.Event()

    def environments(self) -> int:
        """Return the number of open environments."""
        return self._quota.count

    def drain(self) -> None:
        """End all environments, each after its current step."""
        self._closing.set()

    async def step(
        self, requests: AsyncIterator[pb2.StepRequest], call: Call
    ) -> AsyncIterator[pb2.StepResponse | bytes]:
        first = await anext(requests)
        if first.WhichOneof("request") != "open":
            found = first.WhichOneof("request") or "none"
            raise ArgumentError(
                "the first message must open the environment", {"field": "open", "value": found}
            )
        self._limits.check("lanes", first.open.lanes)
        self._limits.check_bots(first.open.game, first.open.bots.values())
        if self._closing.is_set():
            raise ShuttingDownError("the server is shutting down", retry_after=1.0)
        with self._quota.hold(call.caller.name):
            env = await call.work(lambda: env_from_proto(first.open, threads=self._threads))
            yield await call.work(lambda: _columns(env))
            steps = 0
            while (request := await self._next(requests)) is not None:
                kind = request.WhichOneof("request")
                if kind is None or kind == "open":
                    message = "request is not set" if kind is None else "open may only be the first message"
                    raise ArgumentError(message, {"field": "request", "value": kind or "none"})
                if kind == "actions":
                    steps += env.lanes
                    self._check_steps(steps)
                # Bots may use all cores, so they need a turn; everything else takes very little time.
                heavy = bool(env.bots) and kind in {"actions", "reset", "restore", "fork"}
                do = call.heavy if heavy else call.work
                yield await do(lambda env=env, request=request: _answer(env, request))  # type: ignore[misc]

    async def _next(self, requests: AsyncIterator[pb2.StepRequest]) -> pb2.StepRequest | None:
        """Wait for the next message until the environment expires or the server stops."""
        coming = asyncio.ensure_future(anext(requests, None))
        closing = asyncio.ensure_future(self._closing.wait())
        try:
            idle = float(self._limits.environment_idle)
            await asyncio.wait({coming, closing}, timeout=idle, return_when=asyncio.FIRST_COMPLETED)
            if closing.done():
                raise ShuttingDownError("the server is shutting down", retry_after=1.0)
            if not coming.done():
                details = {"limit": f"{idle:g}"}
                raise DeadlineError(f"the environment was not used for {idle:g} seconds", details)
            return coming.result()
        finally:
            coming.cancel()
            closing.cancel()

    def _check_steps(self, steps: int) -> None:
        limit = self._limits.environment_steps
        if steps > limit:
            details = {"field": "environment_steps", "value": str(steps), "limit": str(limit)}
            raise LimitError(
                f"environment_steps is {steps}, this server allows {limit} until the end of an environment",
                details,
            )


def _columns(env: BatchEnv) -> bytes:
    return pb2.StepResponse(columns=columns_to_proto(env)).SerializeToString()


def _answer(env: BatchEnv, request: pb2.StepRequest) -> bytes:
    """Answer a request; a refused request changes nothing, and the stream stays open."""
    try:
        return answer_step(env, request).SerializeToString()
    except SengokuError as error:
        if error.status == "INTERNAL":
            raise
        return pb2.StepResponse(error=status_to_proto(error)).SerializeToString()
