"""EnvService: batched environments on a server, with the methods and arrays of `BatchEnv`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from operator import index
from typing import Any, Generic, Self, SupportsIndex, TypeVar

import numpy as np
import numpy.typing as npt

from sengoku.client._flow import Api, AsyncMethods, BlockingMethods, Flow, Next, Open, Remote, Send, method
from sengoku.client._streams import Stream
from sengoku.engine.batch import check_out, fork_targets, marks_of, row_of
from sengoku.engine.checks import refused
from sengoku.engine.games import Setup, find_game, setup_to_json
from sengoku.engine.match import Match
from sengoku.engine.requests import MASKS, seats_by_bot
from sengoku.engine.result import Outcome
from sengoku.errors import NotReadyError, SengokuError, UnavailableError
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
        timeout: float | None = None,
    ) -> Flow[EnvT]:
        """Open a batched environment on the server, with the arguments and arrays of `BatchEnv`.

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
        env = self._env(
            self,
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
        )
        opened: EnvT = yield from env._open(timeout)
        return opened


class _EnvMethods(Remote):
    """The methods that `RemoteBatchEnv` and `AsyncRemoteBatchEnv` share."""

    def __init__(
        self,
        client: Any,
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
    ) -> None:
        super().__init__(client)
        found = find_game(game)
        seats = found.seats[0] if seats is None else index(seats)
        if mask not in MASKS:
            raise refused("mask", repr(mask), f"use {', '.join(MASKS)}")
        self.game = game
        self.lanes = index(lanes)
        self.seats = seats
        self.seed = index(seed)
        self.setup = setup
        self.bots = seats_by_bot(bots, seats)
        self.learners = tuple(seat for seat in range(seats) if seat not in self.bots)
        self.autoreset = autoreset
        self.max_decisions = max_decisions
        self.record = bool(record)
        self.action_count = found.action_count
        self.observation_size = found.observation_size
        self._environment = env_to_proto(
            game=game,
            lanes=lanes,
            seed=seed,
            seats=seats,
            setup=setup_to_json(game, setup),
            bots=self.bots,
            autoreset=autoreset,
            first_match=first_match,
            max_decisions=max_decisions,
            record=record,
        )
        self._mask = mask
        self._stream: Stream | None = None
        self._sent = False

    def _open(self, timeout: float | None) -> Flow[Self]:
        """Open the stream; the arrays are created after the server has accepted their size."""
        limit = math.inf if timeout is None else timeout
        stream: Stream = yield Open(pb2.StepRequest(open=self._environment), limit)
        try:
            answer: pb2.StepResponse | None = yield Next(stream)
            if answer is None:
                raise UnavailableError("the server closed the stream")
            self._create_arrays(self.lanes)
            columns_from_proto(answer.columns, self._arrays())
        except BaseException:
            stream.close()
            raise
        self._stream = stream
        return self

    def _create_arrays(self, lanes: int) -> None:
        ends = lanes if self.autoreset == "same_step" else 0
        bits = (self.action_count + 7) // 8
        self.observation = np.zeros((lanes, self.observation_size), np.uint8)
        self._bits = np.zeros((lanes, bits), np.uint8)
        self.legal_bits = self._bits[: lanes if self._mask != "bool" else 0]
        self.legal = np.zeros((lanes if self._mask != "bits" else 0, self.action_count), np.bool_)
        self.seat = np.full(lanes, -1, np.int8)
        self.reward = np.zeros((lanes, self.seats), np.float32)
        self.terminated = np.zeros(lanes, np.bool_)
        self.truncated = np.zeros(lanes, np.bool_)
        self.match_index = np.zeros(lanes, np.uint64)
        self.decisions = np.zeros(lanes, np.uint32)
        self.final_observation = np.zeros((ends, self.observation_size), np.uint8)
        self.final_match_index = np.zeros(ends, np.uint64)
        self.final_decisions = np.zeros(ends, np.uint32)

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {
            "observation": self.observation,
            "legal_bits": self._bits,
            "seat": self.seat,
            "reward": self.reward,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "match_index": self.match_index,
            "decisions": self.decisions,
            "final_observation": self.final_observation,
            "final_match_index": self.final_match_index,
            "final_decisions": self.final_decisions,
        }

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Whether the last step ended each lane's match; with `autoreset="disabled"`, whether it is over."""
        return self.terminated | self.truncated

    # One request, one response

    def _ready(self) -> Stream:
        if self._stream is None:
            raise NotReadyError("the environment is closed", {"state": "closed"})
        if self._sent:
            raise NotReadyError("a step was sent and not received: call recv first", {"state": "sent"})
        return self._stream

    def _request(self, **request: Any) -> Flow[pb2.StepResponse]:
        stream = self._ready()
        yield Send(stream, pb2.StepRequest(**request))
        answer = yield from self._receive(stream)
        return answer

    def _receive(self, stream: Stream) -> Flow[pb2.StepResponse]:
        try:
            answer: pb2.StepResponse | None = yield Next(stream)
        except SengokuError:
            self._drop()
            raise
        if answer is None:
            self._drop()
            raise UnavailableError("the server closed the stream")
        error = env_error_from_proto(answer)
        if error is not None:
            error.request_id = stream.request_id
            raise error
        if answer.WhichOneof("response") == "columns":
            columns_from_proto(answer.columns, self._arrays())
            if len(self.legal):
                wide = np.unpackbits(self._bits, axis=1, count=self.action_count, bitorder="little")
                self.legal[...] = wide.view(np.bool_)
        return answer

    def _drop(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None
        self._sent = False

    # Methods

    @method
    def reset(self, mask: npt.ArrayLike | None = None, *, seed: int | None = None) -> Flow[None]:
        """Start the next match of every lane, or of the lanes in `mask`; the first call starts the first one.

        With a seed, lanes start over with their first match under that seed.
        """
        marks = mask_to_proto(marks_of(mask, self.lanes))
        yield from self._request(reset=pb2.EnvReset(mask=marks, seed=seed_to_proto(seed)))

    @method
    def step(self, actions: npt.ArrayLike) -> Flow[None]:
        """Play one action in each lane; all are checked before any is played.

        An illegal action raises `IllegalActionError` with its lane and changes nothing. In lanes whose match
        is over, the action is ignored; `sample_actions` returns -1 for them.
        """
        row = actions_to_proto(row_of("actions", actions, self.lanes))
        yield from self._request(actions=row)

    @method
    def send(self, actions: npt.ArrayLike) -> Flow[None]:
        """Start a `step` without waiting for it; `recv` must be the next call."""
        stream = self._ready()
        row = actions_to_proto(row_of("actions", actions, self.lanes))
        yield Send(stream, pb2.StepRequest(actions=row))
        self._sent = True

    @method
    def recv(self) -> Flow[None]:
        """Wait for the step that was sent; raise what `step` would raise."""
        if self._stream is None:
            raise NotReadyError("the environment is closed", {"state": "closed"})
        if not self._sent:
            raise NotReadyError("no step was sent: call send before recv", {"state": "ready"})
        self._sent = False
        yield from self._receive(self._stream)

    @method
    def sample_actions(
        self, out: npt.NDArray[np.int64] | None = None, *, seed: int | None = None
    ) -> Flow[npt.NDArray[np.int64]]:
        """Choose a uniformly random legal action for each lane; -1 if its match is over.

        The choice depends on the seed (by default, that of the match), the match and its number of decisions.
        """
        chosen = check_out(out, self.lanes)
        answer = yield from self._request(sample=pb2.EnvSample(seed=seed_to_proto(seed)))
        chosen[...] = actions_from_proto(answer.actions)
        return chosen

    @method
    def save(self, lane: int) -> Flow[bytes]:
        """Return the match of a lane as bytes; `restore` continues from it exactly, in any such batch."""
        answer = yield from self._request(save=pb2.EnvSave(lane=self._lane(lane)))
        return answer.data

    @method
    def restore(self, lane: int, data: bytes | bytearray | memoryview) -> Flow[None]:
        """Put a saved match into a lane and update its row; the lane's later matches do not change.

        The environment must have the same game, seats and setup. If a bot is to act, it plays first.
        """
        restore = pb2.EnvRestore(lane=self._lane(lane), data=bytes(memoryview(data)))
        yield from self._request(restore=restore)

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

        Under the same decisions the copies develop identically. With a seed, each lane has its own random
        numbers from now on. The matches that the copies replace are lost; later matches do not change.
        """
        source, targets = fork_targets(lane, n, lanes, self.lanes)
        fork = pb2.EnvFork(
            lane=self._lane(source),
            lanes=[self._lane(target) for target in targets],
            seed=seed_to_proto(seed),
        )
        yield from self._request(fork=fork)
        return np.array(targets, np.int64)

    @method
    def reseed(self, seed: int, mask: npt.ArrayLike | None = None) -> Flow[None]:
        """Change the random numbers of every lane, or of the lanes in `mask`, from the next draw on."""
        marks = mask_to_proto(marks_of(mask, self.lanes))
        yield from self._request(reseed=pb2.EnvReseed(seed=seed_to_proto(seed) or 0, mask=marks))

    def _look(self, lane: int, **options: Any) -> Flow[pb2.EnvView]:
        answer = yield from self._request(look=pb2.EnvLook(lane=self._lane(lane), **options))
        return answer.look

    @method
    def match(self, lane: int) -> Flow[Match]:
        """Return the match of a lane with all its decisions; requires `record=True`.

        A lane that was reseeded has no single seed and is rejected.
        """
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
    def observe(self, lane: int, seat: int) -> Flow[npt.NDArray[np.uint8]]:
        """Return what a seat may see of a lane, as a new array."""
        look = yield from self._look(lane, seat=seat_to_proto(seat))
        return np.frombuffer(look.observation, np.uint8).copy()

    @staticmethod
    def _lane(lane: SupportsIndex) -> int:
        """Return a lane number that fits the message; one that does not becomes -1, an unknown lane."""
        number = index(lane)
        return number if -(2**31) <= number < 2**31 else -1

    def __repr__(self) -> str:
        bots = f", bots {self.bots}" if self.bots else ""
        kind = type(self).__name__
        return f"<{kind} of {self.game}, {self.lanes} lanes, {self.seats} seats, seed {self.seed}{bots}>"


class RemoteBatchEnv(_EnvMethods, BlockingMethods):
    """A batched environment on a server: many matches of one game stepped in lockstep, like `BatchEnv`."""

    def close(self) -> None:
        """Close the environment. Afterwards no method can be called, but the arrays stay readable."""
        self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncRemoteBatchEnv(_EnvMethods, AsyncMethods):
    """A `RemoteBatchEnv` for an `AsyncClient`: methods are awaited."""

    async def close(self) -> None:
        """Close the environment. Afterwards no method can be called, but the arrays stay readable."""
        self._drop()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
