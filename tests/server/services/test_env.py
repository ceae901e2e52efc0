"""EnvService: an environment on a server is the one in this process, array by array."""

import asyncio
import queue
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import grpc
import numpy as np
import pytest

from sengoku import AsyncClient, BatchEnv, Client, Match
from sengoku.errors import (
    ArgumentError,
    BusyError,
    DeadlineError,
    DecodeError,
    IllegalActionError,
    LimitError,
    NotReadyError,
    QuotaError,
    SengokuError,
    SetupError,
    ShuttingDownError,
    UnavailableError,
)
from sengoku.server import Limits, Server
from sengoku.v1 import env_service_pb2 as pb2
from sengoku.v1 import game_pb2
from support.process import soon
from support.wire import error_of

ARRAYS = (
    *("observation", "legal", "legal_bits", "seat", "reward", "terminated", "truncated", "match_index"),
    *("decisions", "skipped", "final_observation", "final_match_index", "final_decisions", "done"),
)
ABOUT = (
    *("game", "lanes", "seats", "seed", "setup", "bots", "learners", "autoreset", "max_decisions", "record"),
    *("action_count", "observation_size"),
)
TABLES: list[tuple[str, dict[str, Any]]] = [
    ("swords", {"seats": 3, "setup": {"max_rounds": 2}, "bots": {1: "greedy"}}),
    ("tower", {"seats": 4, "autoreset": "same_step"}),
    (
        "battles",
        {"setup": {"max_rounds": 1}, "autoreset": "same_step", "observation": "features", "shaping": 0.5},
    ),
    ("tower", {"setup": {"max_rounds": 1}, "skip_forced": True, "shaping": 0.5, "discount": 0.9}),
    (
        "battles",
        {"setup": {"scenario": 1}, "bots": {0: "random"}, "autoreset": "disabled", "max_decisions": 80},
    ),
]


def same(here: Any, there: Any) -> None:
    for name in ARRAYS:
        mine, other = getattr(here, name), getattr(there, name)
        assert (mine.dtype, mine.shape) == (other.dtype, other.shape), name
        assert np.array_equal(mine, other), name


@contextmanager
def limited(limits: Limits | None = None, **more: int) -> Iterator[tuple[Server, Client]]:
    with Server(port=0, limits=limits or Limits(**more)) as server:
        with Client(server.address, timeout=60) as client:
            yield server, client
        server.stop(0).wait()


@pytest.mark.parametrize(("game", "options"), TABLES)
def test_a_remote_environment_equals_one_in_process(
    client: Client, game: str, options: dict[str, Any]
) -> None:
    with (
        BatchEnv(game, 5, seed=3, first_match=7, **options) as here,
        client.batch_env(game, 5, seed=3, first_match=7, **options) as there,
    ):
        assert [getattr(here, name) for name in ABOUT] == [getattr(there, name) for name in ABOUT]
        same(here, there)
        here.reset()
        there.reset()
        same(here, there)
        kept = there.observation  # filled in place, never made anew
        for _ in range(150):
            actions = here.sample_actions()
            assert np.array_equal(there.sample_actions(), actions)
            here.step(actions)
            there.step(actions)
            same(here, there)
        assert there.observation is kept
        assert [there.digest(lane) for lane in range(5)] == [here.digest(lane) for lane in range(5)]
        assert [there.outcome(lane) for lane in range(5)] == [here.outcome(lane) for lane in range(5)]
        assert np.array_equal(there.observe(2, 1), here.observe(2, 1))
        marks = np.array([True, False, True, False, False])
        for env in (here, there):
            env.reset(marks)
            env.reseed(99, ~marks)
            data = env.save(0)
            env.restore(1, data)
            assert env.fork(0, 2, seed=5).tolist() == [1, 2]
            assert env.fork(0, lanes=[4]).tolist() == [4]
        same(here, there)
        assert there.save(3) == here.save(3)
        for _ in range(20):
            actions = here.sample_actions(seed=8)
            assert np.array_equal(there.sample_actions(np.empty(5, np.int64), seed=8), actions)
            here.step(actions)
            there.send(actions)
            there.recv()
            same(here, there)
        for env in (here, there):
            env.reset(seed=12)
        same(here, there)


def test_a_lane_is_a_match(client: Client) -> None:
    with client.batch_env("battles", 2, seed=3, setup={"scenario": 1}, record=True) as env:
        env.reset()
        for _ in range(40):
            env.step(env.sample_actions())
        match = env.match(1)
        again = Match.create("battles", seed=3, match_index=1, setup={"scenario": 1})
        for action in match.history:
            again.play(action)
        assert (match.digest, len(match.history)) == (again.digest, 40)
        assert env.digest(1) == match.digest


def test_one_mask_is_enough(client: Client) -> None:
    with (
        client.batch_env("battles", 2, mask="bits") as bits,
        client.batch_env("battles", 2, mask="bool") as wide,
    ):
        for env in (bits, wide):
            env.reset()
        assert (bits.legal.shape[0], wide.legal_bits.shape[0]) == (0, 0)
        unpacked = np.unpackbits(bits.legal_bits, axis=1, count=bits.action_count, bitorder="little")
        assert np.array_equal(unpacked.astype(np.bool_), wide.legal)
    with pytest.raises(ArgumentError, match="mask is 'none'"):
        client.batch_env("battles", 2, mask="none")


def test_awaited(server: Server) -> None:
    async def main() -> None:
        async with AsyncClient(server.address, timeout=60) as client:
            async with await client.batch_env("tower", 3, seed=2, bots={0: "random"}) as there:
                with BatchEnv("tower", 3, seed=2, bots={0: "random"}) as here:
                    here.reset()
                    await there.reset()
                    for _ in range(30):
                        actions = await there.sample_actions()
                        here.step(actions)
                        await there.send(actions)
                        await there.recv()
                        same(here, there)
                    with pytest.raises(IllegalActionError):
                        await there.step([10**9] * 3)
                    assert await there.digest(0) == here.digest(0)
            with pytest.raises(NotReadyError):
                await there.reset()

    asyncio.run(main())


# What is refused


def test_what_is_refused_changes_nothing(client: Client) -> None:
    options: dict[str, Any] = {"seed": 3, "setup": {"scenario": 1}}
    with BatchEnv("battles", 3, **options) as here, client.batch_env("battles", 3, **options) as there:
        for env in (here, there):
            with pytest.raises(NotReadyError):
                env.step([0, 0, 0])  # before the first reset
            env.reset()
        actions = here.sample_actions()
        wrong = actions.copy()
        wrong[1] = int(np.flatnonzero(~here.legal[1])[0])
        refusals: list[Callable[[Any], Any]] = [
            lambda env: env.step(wrong),
            lambda env: env.step([2**40] * 3),
            lambda env: env.step([-1] * 3),
            lambda env: env.step([0, 0]),
            lambda env: env.step([0.5] * 3),
            lambda env: env.reset([1, 0, 1]),
            lambda env: env.reset([True]),
            lambda env: env.reset(seed=-1),
            lambda env: env.save(3),
            lambda env: env.restore(0, b"nothing"),
            lambda env: env.restore(7, here.save(0)),
            lambda env: env.fork(0, 3),
            lambda env: env.fork(0, lanes=[5]),
            lambda env: env.fork(0),
            lambda env: env.match(0),
            lambda env: env.observe(0, 5),
            lambda env: env.digest(-1),
            lambda env: env.recv(),
            lambda env: env.sample_actions(np.empty(2, np.int64)),
            lambda env: env.sample_actions([0, 0, 0]),
        ]
        for number, refusal in enumerate(refusals):
            told = []
            for env in (here, there):
                with pytest.raises((SengokuError, TypeError)) as raised:
                    refusal(env)
                told.append((type(raised.value), getattr(raised.value, "details", {}).get("field")))
            assert told[0] == told[1], number
            same(here, there)
        with pytest.raises(IllegalActionError) as raised:
            there.step(wrong)
        assert raised.value.details["lane"] == "1"
        assert raised.value.request_id
        there.send(actions)
        with pytest.raises(NotReadyError, match="sent and not received"):
            there.step(actions)
        there.recv()
        here.step(actions)
        same(here, there)
    with pytest.raises(NotReadyError, match="closed"):
        there.reset()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"game": "chess"}, ArgumentError),
        ({"lanes": 0}, ArgumentError),
        ({"lanes": -3}, ArgumentError),
        ({"seats": 9}, SetupError),
        ({"setup": {"scenario": 99}}, SetupError),
        ({"bots": {0: "deep"}}, ArgumentError),
        ({"bots": {5: "random"}}, ArgumentError),
        ({"autoreset": "never"}, ArgumentError),
        ({"first_match": 2**64 - 1}, ArgumentError),
        ({"max_decisions": 0}, ArgumentError),
    ],
)
def test_environments_that_cannot_be(client: Client, options: dict[str, Any], error: type) -> None:
    wish: dict[str, Any] = {"game": "battles", "lanes": 2} | options
    with pytest.raises(error) as local:
        BatchEnv(**wish)
    with pytest.raises(error) as remote:
        client.batch_env(**wish)
    assert remote.value.details.get("field") == local.value.details.get("field")  # type: ignore[attr-defined]


# Raw streams


class Raw:
    """A client that says whatever the test wants it to."""

    def __init__(self, address: str) -> None:
        self._channel = grpc.insecure_channel(address)
        self._out: queue.SimpleQueue[Any] = queue.SimpleQueue()
        method = self._channel.stream_stream(
            "/sengoku.v1.EnvService/Step",
            request_serializer=lambda data: data if isinstance(data, bytes) else data.SerializeToString(),
            response_deserializer=pb2.StepResponse.FromString,
        )
        self.call = method(iter(self._out.get, None), timeout=60)

    def say(self, message: Any = None, **request: Any) -> None:
        """Sends a message."""
        self._out.put(pb2.StepRequest(**request) if message is None else message)

    def hear(self) -> pb2.StepResponse:
        """Waits for the next answer."""
        try:
            return next(self.call)
        except grpc.RpcError as failure:
            raise error_of(failure) from None

    def __enter__(self) -> "Raw":
        return self

    def __exit__(self, *_: object) -> None:
        self.call.cancel()
        self._out.put(None)
        self._channel.close()


def test_messages_that_cannot_be(server: Server) -> None:
    with Raw(server.address) as raw:
        raw.say(reset=pb2.EnvReset())
        with pytest.raises(ArgumentError, match="must open the environment"):
            raw.hear()
    opening = pb2.EnvOpen(game="battles", lanes=2)
    for message, error in (
        (pb2.StepRequest(open=opening), ArgumentError),
        (pb2.StepRequest(), ArgumentError),
        (b"\xff\xff", DecodeError),
    ):
        with Raw(server.address) as raw:
            raw.say(open=opening)
            raw.hear()
            raw.say(message)
            with pytest.raises(error):
                raw.hear()
    with Raw(server.address) as raw:
        raw.say(open=pb2.EnvOpen(game="battles", lanes=2, autoreset=9))  # type: ignore[arg-type]
        with pytest.raises(ArgumentError, match="autoreset: unknown value 9"):
            raw.hear()
    # A tensor that is none is refused in its place, and the stream goes on.
    with Raw(server.address) as raw:
        raw.say(open=opening)
        raw.hear()
        raw.say(actions=game_pb2.Tensor(data_type=game_pb2.DATA_TYPE_UINT8, shape=[2], content=b"ab"))
        assert raw.hear().WhichOneof("response") == "error"
        raw.say(reset=pb2.EnvReset(mask=game_pb2.Tensor(shape=[2**62, 2**62])))
        assert raw.hear().WhichOneof("response") == "error"
        raw.say(reset=pb2.EnvReset())
        assert raw.hear().WhichOneof("response") == "columns"


def test_messages_are_answered_in_order_however_many_are_sent(server: Server) -> None:
    with Raw(server.address) as raw:
        raw.say(open=pb2.EnvOpen(game="battles", lanes=4, seed=1))
        raw.say(reset=pb2.EnvReset())
        for _ in range(200):
            raw.say(sample=pb2.EnvSample())
            raw.say(save=pb2.EnvSave(lane=1))
        kinds = [raw.hear().WhichOneof("response") for _ in range(402)]
        assert kinds == ["columns", "columns", *["actions", "data"] * 200]


# Limits and ends


def test_limits() -> None:
    for limits, error in ((Limits(environments=1), BusyError), (Limits(client_environments=1), QuotaError)):
        with limited(limits) as (_, client), client.batch_env("battles", 1) as env:
            with pytest.raises(error) as told:
                client.batch_env("battles", 1)
            assert told.value.details["limit"] == "1"
            assert told.value.retry_after
            env.close()
            assert soon(lambda client=client: can_open(client))  # type: ignore[misc]
    with limited(lanes=3) as (_, client):
        with pytest.raises(LimitError) as told:
            client.batch_env("battles", 4)
        assert told.value.details["limit"] == "3"
        client.batch_env("battles", 3).close()
    with limited(environment_steps=6) as (server, client), client.batch_env("battles", 3) as env:
        env.reset()
        for _ in range(2):
            env.step(env.sample_actions())
        with pytest.raises(LimitError) as told:
            env.step(env.sample_actions())
        assert told.value.details["limit"] == "6"
        with pytest.raises(NotReadyError):
            env.reset()
        assert "sengoku_environments 0.0" in server.metrics.page().decode()


def can_open(client: Client) -> bool:
    try:
        client.batch_env("battles", 1).close()
    except (BusyError, QuotaError):
        return False
    return True


def test_an_environment_that_nobody_uses_is_closed() -> None:
    with limited(environment_idle=1) as (server, client), client.batch_env("battles", 2) as env:
        env.reset()
        assert "sengoku_environments 1.0" in server.metrics.page().decode()
        assert soon(lambda: "sengoku_environments 0.0" in server.metrics.page().decode())
        with pytest.raises(DeadlineError, match="was not used"):
            env.reset()


def step_for_ever(env: Any) -> None:
    while True:
        env.step(env.sample_actions())


def test_a_server_that_stops_ends_environments() -> None:
    server = Server(port=0)
    with Client(server.address, timeout=60) as client, client.batch_env("battles", 2) as env:
        env.reset()
        begun = time.monotonic()
        ended = server.stop(grace=30)
        with pytest.raises((ShuttingDownError, UnavailableError)):
            step_for_ever(env)
        assert ended.wait(20)
        assert time.monotonic() - begun < 20


def test_whoever_goes_away_leaves_nothing(server: Server, client: Client) -> None:
    before = server.metrics.page().decode().count("sengoku_environments 0.0")
    env = client.batch_env("swords", 64, seats=4, bots={1: "greedy", 2: "greedy", 3: "greedy"})
    env.reset()
    env.send(env.sample_actions())
    env.close()
    assert before == 1
    assert soon(lambda: "sengoku_environments 0.0" in server.metrics.page().decode())
    assert soon(lambda: server.work_under_way == 0)
