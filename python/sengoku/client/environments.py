"""An environment on a server, with the methods and arrays of the one in this process."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from operator import index
from typing import TYPE_CHECKING, Any, Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from sengoku.client._flow import Ask, Awaited, Blocking, Next, Send, Steps, Stream, asked
from sengoku.client.remote import Remote
from sengoku.engine.batch import MASKS, check_out, fork_targets, marks_of, refused, row_of, seats_by_bot
from sengoku.engine.games import Setup, find_game
from sengoku.engine.match import Match, Outcome
from sengoku.errors import NotReadyError, SengokuError, UnavailableError
from sengoku.v1 import env_service_pb2 as pb2
from sengoku.wire import convert

if TYPE_CHECKING:
    pass

__all__ = ["AsyncRemoteBatchEnv", "RemoteBatchEnv"]


class _EnvCalls(Remote[Any]):
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
        self._client = client
        found = find_game(game)
        seats = found.seats[0] if seats is None else index(seats)
        if mask not in MASKS:
            raise refused("mask", repr(mask), f"there is {', '.join(MASKS)}")
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
        self._wish = convert.env_to_proto(
            game,
            lanes=lanes,
            seed=seed,
            seats=seats,
            setup=setup,
            bots=self.bots,
            autoreset=autoreset,
            first_match=first_match,
            max_decisions=max_decisions,
            record=record,
        )
        self._mask = mask
        self._stream: Stream | None = None
        self._sent = False

    def _open(self, timeout: float | None) -> Steps[Self]:
        """Opens the stream, and makes the arrays once the server has one of that size."""
        wait = math.inf if timeout is None else timeout
        stream: Stream = yield Ask(pb2.StepRequest(open=self._wish), wait)
        try:
            answer: pb2.StepResponse | None = yield Next(stream)
            if answer is None:
                raise UnavailableError("the server ended the stream")
            self._make(self.lanes)
            convert.columns_from_proto(answer.columns, self._arrays())
        except BaseException:
            stream.close()
            raise
        self._stream = stream
        return self

    def _make(self, lanes: int) -> None:
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
        """Whether the last step ended the match of a lane; with `"disabled"`, whether it is over."""
        return self.terminated | self.truncated

    # One message, one answer

    def _ready(self) -> Stream:
        if self._stream is None:
            raise NotReadyError("the batch is closed", {"state": "closed"})
        if self._sent:
            raise NotReadyError("a step was sent and not received", {"state": "sent"})
        return self._stream

    def _ask(self, **request: Any) -> Steps[pb2.StepResponse]:
        stream = self._ready()
        yield Send(stream, pb2.StepRequest(**request))
        answer = yield from self._receive(stream)
        return answer

    def _receive(self, stream: Stream) -> Steps[pb2.StepResponse]:
        try:
            answer: pb2.StepResponse | None = yield Next(stream)
        except SengokuError:
            self._drop()
            raise
        if answer is None:
            self._drop()
            raise UnavailableError("the server ended the stream")
        error = convert.env_error_from_proto(answer)
        if error is not None:
            error.request_id = stream.request_id
            raise error
        if answer.WhichOneof("response") == "columns":
            convert.columns_from_proto(answer.columns, self._arrays())
            if len(self.legal):
                wide = np.unpackbits(self._bits, axis=1, count=self.action_count, bitorder="little")
                self.legal[...] = wide.view(np.bool_)
        return answer

    def _drop(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None
        self._sent = False

    # What can be asked

    @asked
    def reset(self, mask: npt.ArrayLike | None = None, *, seed: int | None = None) -> Steps[None]:
        """Begins the next match of every lane, or of those with a mark; the first call begins the first.

        With a seed, lanes begin again: with their first match under that seed.
        """
        marks = convert.mask_to_proto(marks_of(mask, self.lanes))
        yield from self._ask(reset=pb2.EnvReset(mask=marks, seed=convert.seed_to_proto(seed)))

    @asked
    def step(self, actions: npt.ArrayLike) -> Steps[None]:
        """Plays one action in each lane; all are looked at before any is played.

        An action that is not legal raises `IllegalActionError` with its lane, and nothing has changed. Lanes
        whose match is over take any action; -1 is what `sample_actions` gives them.
        """
        row = convert.actions_to_proto(row_of("actions", actions, self.lanes))
        yield from self._ask(actions=row)

    @asked
    def send(self, actions: npt.ArrayLike) -> Steps[None]:
        """Begins what `step` does and returns at once. Until `recv` nothing else can be asked."""
        stream = self._ready()
        row = convert.actions_to_proto(row_of("actions", actions, self.lanes))
        yield Send(stream, pb2.StepRequest(actions=row))
        self._sent = True

    @asked
    def recv(self) -> Steps[None]:
        """Waits for the step that was sent; raises what `step` would have raised."""
        if self._stream is None:
            raise NotReadyError("the batch is closed", {"state": "closed"})
        if not self._sent:
            raise NotReadyError("no step was sent", {"state": "ready"})
        self._sent = False
        yield from self._receive(self._stream)

    @asked
    def sample_actions(
        self, out: npt.NDArray[np.int64] | None = None, *, seed: int | None = None
    ) -> Steps[npt.NDArray[np.int64]]:
        """Chooses a legal action for each lane, all equally likely; -1 where the match is over.

        The choice is a function of seed (that of the match, if none is given), match and number of decisions.
        """
        chosen = check_out(out, self.lanes)
        answer = yield from self._ask(sample=pb2.EnvSample(seed=convert.seed_to_proto(seed)))
        chosen[...] = convert.actions_from_proto(answer.actions)
        return chosen

    @asked
    def save(self, lane: int) -> Steps[bytes]:
        """Gives the match of a lane as bytes: `restore` goes on from them exactly, in any such batch."""
        answer = yield from self._ask(save=pb2.EnvSave(lane=self._lane(lane)))
        return answer.data

    @asked
    def restore(self, lane: int, data: bytes | bytearray | memoryview) -> Steps[None]:
        """Puts a match that was saved into a lane and writes its row; later the lane goes on with its own.

        The batch must have the same game, seats and setup. Where a bot is to act it plays first.
        """
        wish = pb2.EnvRestore(lane=self._lane(lane), data=bytes(memoryview(data)))
        yield from self._ask(restore=wish)

    @asked
    def fork(
        self,
        lane: int,
        n: int | None = None,
        *,
        lanes: Iterable[SupportsIndex] | None = None,
        seed: int | None = None,
    ) -> Steps[npt.NDArray[np.int64]]:
        """Copies the match of a lane into the `n` lanes behind it, or into those named; gives their numbers.

        The copies go the same way under the same decisions. With a seed they have chance of their own from
        now on, each lane another. What they played before is gone; later they go on with their own.
        """
        source, targets = fork_targets(lane, n, lanes, self.lanes)
        wish = pb2.EnvFork(
            lane=self._lane(source),
            lanes=[self._lane(target) for target in targets],
            seed=convert.seed_to_proto(seed),
        )
        yield from self._ask(fork=wish)
        return np.array(targets, np.int64)

    @asked
    def reseed(self, seed: int, mask: npt.ArrayLike | None = None) -> Steps[None]:
        """Changes all chance to come, of every lane or of those with a mark, from the next draw on."""
        marks = convert.mask_to_proto(marks_of(mask, self.lanes))
        yield from self._ask(reseed=pb2.EnvReseed(seed=convert.seed_to_proto(seed) or 0, mask=marks))

    def _look(self, lane: int, **wish: Any) -> Steps[pb2.EnvView]:
        answer = yield from self._ask(look=pb2.EnvLook(lane=self._lane(lane), **wish))
        return answer.look

    @asked
    def match(self, lane: int) -> Steps[Match]:
        """Gives the match of a lane with all its decisions; only with `record=True`.

        A lane whose chance was changed on the way is no match of one seed, and is refused.
        """
        look = yield from self._look(lane, match=True)
        return Match.load(look.match)

    @asked
    def digest(self, lane: int) -> Steps[int]:
        """Gives 64 bits that tell states apart, those of `Match.digest`."""
        look = yield from self._look(lane)
        return look.digest

    @asked
    def outcome(self, lane: int) -> Steps[Outcome | None]:
        """Says how the match of a lane ended, or None before, and when `max_decisions` cut it short."""
        look = yield from self._look(lane)
        return convert.outcome_from_proto(look.outcome) if look.HasField("outcome") else None

    @asked
    def observe(self, lane: int, seat: int) -> Steps[npt.NDArray[np.uint8]]:
        """Gives what any seat may see of a lane, as an array of its own."""
        look = yield from self._look(lane, seat=convert.seat_to_proto(seat))
        return np.frombuffer(look.observation, np.uint8).copy()

    @staticmethod
    def _lane(lane: SupportsIndex) -> int:
        """A lane as it travels; one that does not fit is none that there is."""
        number = index(lane)
        return number if -(2**31) <= number < 2**31 else -1

    def __repr__(self) -> str:
        bots = f", bots {self.bots}" if self.bots else ""
        kind = type(self).__name__
        return f"<{kind} of {self.game}, {self.lanes} lanes, {self.seats} seats, seed {self.seed}{bots}>"


class RemoteBatchEnv(_EnvCalls, Blocking):
    """Matches of one game side by side, on a server; see `BatchEnv` for what they are."""

    def close(self) -> None:
        """Ends the environment. Nothing can be asked afterwards; the arrays stay."""
        self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncRemoteBatchEnv(_EnvCalls, Awaited):
    """The same for an `AsyncClient`: methods are awaited."""

    async def close(self) -> None:
        """Ends the environment. Nothing can be asked afterwards; the arrays stay."""
        self._drop()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
