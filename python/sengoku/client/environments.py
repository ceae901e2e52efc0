"""EnvService: batched environments on a server, with the methods and arrays of `BatchEnv`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from operator import index
from typing import Any, Generic, Self, SupportsIndex, TypeVar

import numpy as np
import numpy.typing as npt

from sengoku.client._flow import Api, AsyncClosing, Closing, Flow, Next, Open, Remote, Send, method
from sengoku.client._streams import Stream
from sengoku.engine.batch import BatchArrays
from sengoku.engine.games import Setup
from sengoku.engine.match import Match
from sengoku.engine.requests import BatchConfig
from sengoku.engine.result import Outcome
from sengoku.errors import SengokuError, UnavailableError
from sengoku.v1 import env_service_pb2 as pb2
from sengoku.wire.env import (
    actions_from_proto,
    actions_to_proto,
    columns_from_proto,
    env_error_from_proto,
    env_to_proto,
    mask_to_proto,
    seed_to_proto,
)
from sengoku.wire.matches import outcome_from_proto, seat_to_proto

EnvT = TypeVar("EnvT")


class EnvironmentsApi(Api, Generic[EnvT]):
    """The methods of a client for environments."""

    _env: Any
    """The class of an environment."""

    @method
    def batch_env(
        self,
        game: str,
        lanes: int = 1,
        *,
        seed: int = 0,
        seats: int | None = None,
        setup: Setup = None,
        bots: Mapping[int, str] | None = None,
        autoreset: str = "next_step",
        first_match: int = 0,
        max_decisions: int | None = None,
        mask: str = "both",
        record: bool = False,
        observation: str = "bytes",
        skip_forced: bool = False,
        shaping: float | None = None,
        discount: float = 1.0,
        timeout: float | None = None,
    ) -> Flow[EnvT]:
        """Open a batched environment on the server, with the arguments and arrays of `BatchEnv`.

        Features are computed here from the bytes that the server sends.

        It lasts until it is closed, or for `timeout` seconds; an error of the server may end it earlier.

        >>> from sengoku import BatchEnv, Client
        >>> from sengoku.server import Server
        >>> with Server(port=0) as server, Client(server.address) as client:
        ...     with client.batch_env("battles", lanes=4, seed=7) as env:
        ...         env.reset()
        ...         env.step(env.sample_actions())
        ...         env.decisions.tolist()
        [1, 1, 1, 1]
        """
        config = BatchConfig.create(
            game,
            lanes,
            seed=seed,
            seats=seats,
            setup=setup,
            bots=bots,
            autoreset=autoreset,
            first_match=first_match,
            max_decisions=max_decisions,
            mask=mask,
            record=record,
            observation=observation,
            skip_forced=skip_forced,
            shaping=shaping,
            discount=discount,
        )
        opened: EnvT = yield from self._env(self, config, setup)._open(timeout)
        return opened


class _EnvMethods(BatchArrays, Remote):
    """The methods that `RemoteBatchEnv` and `AsyncRemoteBatchEnv` share, those of `BatchEnv`."""

    def __init__(self, client: Any, config: BatchConfig, setup: Setup) -> None:
        super().__init__(client)
        self._configure(config, setup)
        self._stream: Any = None

    def _open(self, timeout: float | None) -> Flow[Self]:
        """Open the stream; the arrays are created after the server has accepted their size."""
        limit = math.inf if timeout is None else timeout
        stream: Stream = yield Open(pb2.StepRequest(open=env_to_proto(self.config)), limit)
        try:
            answer: pb2.StepResponse | None = yield Next(stream)
            if answer is None:
                raise UnavailableError("the server closed the stream")
            self._create_arrays(packed=True)
            columns_from_proto(answer.columns, self._arrays)
        except BaseException:
            stream.close()
            raise
        self._stream, self._closed = stream, False
        return self

    def _request(self, **request: Any) -> Flow[pb2.StepResponse]:
        self._check_ready()
        yield Send(self._stream, pb2.StepRequest(**request))
        answer = yield from self._receive()
        return answer

    def _receive(self) -> Flow[pb2.StepResponse]:
        stream = self._stream
        try:
            answer: pb2.StepResponse | None = yield Next(stream)
            if answer is None:
                raise UnavailableError("the server closed the stream")
        except SengokuError:
            self._drop()
            raise
        if (error := env_error_from_proto(answer)) is not None:
            error.request_id = stream.request_id
            raise error
        if answer.WhichOneof("response") == "columns":
            columns_from_proto(answer.columns, self._arrays)
            if len(self.legal):
                wide = np.unpackbits(self._bits, axis=1, count=self.action_count, bitorder="little")
                self.legal[...] = wide.view(np.bool_)
            if self.features is not None:
                self.features.encode(self.observation_bytes, self._features)
                if self.autoreset == "same_step" and (ended := self.done).any():
                    self._final_features[ended] = self.features.encode(self.final_observation_bytes[ended])
        return answer

    def _drop(self) -> None:
        if not self._closed:
            self._stream.close()
        self._closed, self._sent = True, None

    @method
    def reset(self, mask: npt.ArrayLike | None = None, *, seed: int | None = None) -> Flow[None]:
        """Start the next match of every lane, or of the lanes in `mask`; with a seed, start over."""
        marks = mask_to_proto(self._marks(mask))
        yield from self._request(reset=pb2.EnvReset(mask=marks, seed=seed_to_proto(seed)))

    @method
    def step(self, actions: npt.ArrayLike) -> Flow[None]:
        """Play one action in each lane; if one is illegal, raise `IllegalActionError` and change nothing."""
        yield from self._request(actions=actions_to_proto(self._actions(actions)))

    @method
    def send(self, actions: npt.ArrayLike) -> Flow[None]:
        """Start a `step` without waiting for it; `recv` must be the next call."""
        self._check_ready()
        yield Send(self._stream, pb2.StepRequest(actions=actions_to_proto(self._actions(actions))))
        self._sent = True

    @method
    def recv(self) -> Flow[None]:
        """Wait for the step that was sent; raise what `step` would raise."""
        self._check_ready(to_receive=True)
        self._sent = None
        yield from self._receive()

    @method
    def sample_actions(
        self, out: npt.NDArray[np.int64] | None = None, *, seed: int | None = None
    ) -> Flow[npt.NDArray[np.int64]]:
        """Choose a uniformly random legal action for each lane; -1 if its match is over."""
        chosen = self._out(out)
        answer = yield from self._request(sample=pb2.EnvSample(seed=seed_to_proto(seed)))
        chosen[...] = actions_from_proto(answer.actions)
        return chosen

    @method
    def save(self, lane: int) -> Flow[bytes]:
        """Return the match of a lane as bytes, for `restore` here or in any such `BatchEnv`."""
        answer = yield from self._request(save=pb2.EnvSave(lane=_lane(lane)))
        return answer.data

    @method
    def restore(self, lane: int, data: bytes | bytearray | memoryview) -> Flow[None]:
        """Put a saved match into a lane and update its row; the lane's later matches do not change."""
        yield from self._request(restore=pb2.EnvRestore(lane=_lane(lane), data=bytes(memoryview(data))))

    @method
    def fork(
        self,
        lane: int,
        n: int | None = None,
        *,
        lanes: Iterable[SupportsIndex] | None = None,
        seed: int | None = None,
    ) -> Flow[npt.NDArray[np.int64]]:
        """Copy the match of a lane into the next `n` lanes, or into `lanes`; return their numbers.

        With a seed, each lane has its own random numbers from now on.
        """
        source, targets = self._fork_targets(lane, n, lanes)
        copies = [_lane(target) for target in targets]
        fork = pb2.EnvFork(lane=_lane(source), lanes=copies, seed=seed_to_proto(seed))
        yield from self._request(fork=fork)
        return np.array(targets, np.int64)

    @method
    def reseed(self, seed: int, mask: npt.ArrayLike | None = None) -> Flow[None]:
        """Change the random numbers of every lane, or of the lanes in `mask`, from the next draw on."""
        marks = mask_to_proto(self._marks(mask))
        yield from self._request(reseed=pb2.EnvReseed(seed=seed_to_proto(seed) or 0, mask=marks))

    def _look(self, lane: int, **options: Any) -> Flow[pb2.EnvView]:
        answer = yield from self._request(look=pb2.EnvLook(lane=_lane(lane), **options))
        return answer.look

    @method
    def match(self, lane: int) -> Flow[Match]:
        """Return the match of a lane with all its decisions; requires `record=True` and no reseeding."""
        look = yield from self._look(lane, match=True)
        return Match.load(look.match)

    @method
    def digest(self, lane: int) -> Flow[int]:
        """Return the 64-bit hash of a lane's state, as in `Match.digest`."""
        look = yield from self._look(lane)
        return look.digest

    @method
    def outcome(self, lane: int) -> Flow[Outcome | None]:
        """Return how the match of a lane ended; None before its end, and if `max_decisions` truncated it."""
        look = yield from self._look(lane)
        return outcome_from_proto(look.outcome) if look.HasField("outcome") else None

    @method
    def observe(self, lane: int, seat: int) -> Flow[npt.NDArray[Any]]:
        """Return what a seat may see of a lane, as a new array: bytes, or features."""
        look = yield from self._look(lane, seat=seat_to_proto(seat))
        return self._observed(np.frombuffer(look.observation, np.uint8).copy())

    @method
    def close(self) -> Flow[None]:
        """Close the environment. Afterwards no method can be called, but the arrays stay readable."""
        self._drop()
        yield from ()


def _lane(lane: SupportsIndex) -> int:
    """Return a lane number that fits the message; one that does not becomes -1, an unknown lane."""
    number = index(lane)
    return number if -(2**31) <= number < 2**31 else -1


class RemoteBatchEnv(_EnvMethods, Closing):
    """A batched environment on a server: many matches of one game stepped in lockstep, like `BatchEnv`."""


class AsyncRemoteBatchEnv(_EnvMethods, AsyncClosing):
    """A `RemoteBatchEnv` for an `AsyncClient`: methods are awaited."""
