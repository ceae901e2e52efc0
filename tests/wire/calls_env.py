"""Calls of EnvService."""

from __future__ import annotations

import asyncio

import numpy as np

from sengoku import AsyncClient
from sengoku.v1 import env_service_pb2 as pb2
from sengoku.v1 import game_pb2
from wire.stage import TIMEOUT, Stage


def play(on: Stage) -> None:
    """Steps environments."""
    client = on.client
    with (
        on.step("an environment"),
        client.batch_env(
            "swords",
            lanes=3,
            seed=7,
            seats=3,
            setup={"max_rounds": 2},
            bots={1: "random"},
            autoreset="same_step",
            first_match=5,
            max_decisions=8,
            record=True,
            skip_forced=True,
            shaping=0.5,
            discount=0.99,
        ) as env,
    ):
        env.reset()
        for _ in range(9):  # each lane ends, and begins its next match
            env.step(env.sample_actions())
        env.sample_actions(seed=3)
        saved = env.save(1)
        env.restore(2, saved)
        env.fork(1, lanes=[0, 2], seed=4)
        env.reseed(9, mask=[True, False, True])
        env.reset(mask=[False, True, False], seed=11)
        env.send(env.sample_actions())
        env.recv()
        env.digest(1)
        env.outcome(0)
        env.observe(0, 2)
        env.match(1)
        with on.expect("ILLEGAL_ACTION"):
            env.step(np.full(3, 1508))
        with on.expect("INVALID_ARGUMENT"):
            env.save(7)
    for autoreset in ("next_step", "disabled"):
        with (
            on.step(f"an environment with autoreset {autoreset}"),
            client.batch_env("battles", lanes=2, seed=1, setup={"scenario": 1}, autoreset=autoreset) as env,
        ):
            with on.expect("NOT_READY"):
                env.step([0, 0])
            env.reset()
            env.step(env.sample_actions())
    with (
        on.step("an environment to the end of a match"),
        client.batch_env("battles", lanes=1, seed=1, bots={1: "greedy"}, autoreset="disabled") as env,
    ):
        env.reset()
        for _ in range(400):
            if env.done.all():
                break
            env.step(env.sample_actions())
        env.outcome(0)
    _refused(on)
    asyncio.run(_awaited(on))


def _refused(on: Stage) -> None:
    client = on.client
    with on.refused("an environment refused: an unknown bot", "INVALID_ARGUMENT"):
        client.batch_env("battles", bots={1: "nobody"})
    with on.refused("an environment refused: too many lanes", "OVER_LIMIT"):
        client.batch_env("battles", lanes=1_000_000)
    with on.refused("an environment refused: not opened", ""):
        on.raw("EnvService/Step", pb2.StepRequest(reset=pb2.EnvReset()))
    opened = pb2.StepRequest(open=pb2.EnvOpen(game="battles", lanes=1))
    with on.refused("an environment refused: opened twice", ""):
        on.raw("EnvService/Step", opened, opened)
    with on.step("an environment by raw messages"):
        on.raw(
            "EnvService/Step",
            opened,
            pb2.StepRequest(reset=pb2.EnvReset(seed=3)),
            pb2.StepRequest(
                actions=game_pb2.Tensor(data_type="DATA_TYPE_FLOAT64", shape=[1], content=bytes(8))
            ),
            pb2.StepRequest(look=pb2.EnvLook(lane=0, seat=1)),
            pb2.StepRequest(sample=pb2.EnvSample()),
        )


async def _awaited(on: Stage) -> None:
    """An environment of an AsyncClient, which sends the same bytes."""
    async with AsyncClient(on.address, timeout=TIMEOUT, retries=0) as client:
        with on.step("awaited: an environment"):
            async with await client.batch_env("tower", lanes=2, seed=7) as env:
                await env.reset()
                await env.step(await env.sample_actions())
