"""A batched environment: many matches stepped in lockstep into numpy arrays.

>>> with BatchEnv("battles", lanes=8, seed=7, bots={1: "random"}) as env:
...     env.reset()
...     for _ in range(100):
...         env.step(env.sample_actions())
...     env.observation.shape, env.legal.shape, set(env.seat.tolist()) <= {-1, 0}
((8, 844), (8, 396), True)
"""

from collections.abc import Iterable, Mapping
from operator import index
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from sengoku import _core
from sengoku.engine.checks import refused
from sengoku.engine.games import Setup, find_game
from sengoku.engine.match import Match
from sengoku.engine.requests import BatchConfig
from sengoku.engine.result import Outcome, outcome_from
from sengoku.errors import NotReadyError

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor


class BatchEnv:
    """A batched environment: many matches of one game stepped in lockstep into numpy arrays.

    Lane `i` plays match `first_match + i`, then the match `lanes` further on, and so on; each is exactly the
    `Match` of that number, seed and setup under the same decisions, for any number of threads.

    The arrays are allocated once and updated in place; a step writes only what changes. Copy what you need
    beyond the next call, and do not write to them.

    - `observation` (uint8, lanes x bytes): what the seat to act may see. After the end of a match: what the
      learner sees that acted last.
    - `legal` (bool, lanes x actions) and `legal_bits` (uint8, eight actions per byte, the first in the lowest
      bit): the legal actions. All zero after the end of a match. `mask="bits"` or `"bool"` omits one of them.
    - `seat` (int8): the seat to act, or -1 after the end of a match.
    - `reward` (float32, lanes x seats): the reward of the last step: zero until the match ends; then by rank,
      from 1 for first place to -1 for last place in equal steps; tied seats get the mean of their places.
    - `terminated`, `truncated` (bool): a rule ended the match; a limit did (one of the setup: with rewards by
      rank; or `max_decisions`: without rewards).
    - `match_index` (uint64), `decisions` (uint32): number of the match, and of the decisions in it, including
      those of bots.

    Seats in `bots` are played by built-in bots, as in `run_matches`; all others are learners, and `seat` says
    which one acts. `autoreset` determines what happens to a lane whose match is over:

    - `"next_step"`: its next step starts the next match; the action of that step is ignored.
    - `"same_step"`: the step that ends a match also starts the next one. `reward`, `terminated` and
      `truncated` belong to the match that ended, everything else to the new one; the end is kept in
      `final_observation`, `final_match_index` and `final_decisions`, which are valid for lanes that are
      `done`. A new match that ends before a learner acts waits for the next step, as with `"next_step"`.
    - `"disabled"`: the lane accepts any action and stays over, without further rewards, until `reset` with a
      mask.

    With `record=True` the decisions are kept too, so that `match` returns any lane as a `Match`.
    """

    def __init__(
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
        threads: int = 0,
        max_decisions: int | None = None,
        mask: str = "both",
        record: bool = False,
    ) -> None:
        self._closed = True  # until the constructor has succeeded
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
        )
        found = find_game(game)
        lanes, seats = config.lanes, config.seats
        self.config = config
        self.game = config.game
        self.lanes = lanes
        self.seats = seats
        self.seed = config.seed
        self.setup = setup
        self.bots = dict(config.bots)
        self.learners = config.learners
        self.autoreset = config.autoreset
        self.max_decisions = config.max_decisions
        self.record = config.record
        self.action_count = found.action_count
        self.observation_size = found.observation_size
        ends = lanes if autoreset == "same_step" else 0
        bits = (found.action_count + 7) // 8
        self.observation = np.zeros((lanes, found.observation_size), np.uint8)
        self.legal_bits = np.zeros((lanes if mask != "bool" else 0, bits), np.uint8)
        self.legal = np.zeros((lanes if mask != "bits" else 0, found.action_count), np.bool_)
        self.seat = np.full(lanes, -1, np.int8)
        self.reward = np.zeros((lanes, seats), np.float32)
        self.terminated = np.zeros(lanes, np.bool_)
        self.truncated = np.zeros(lanes, np.bool_)
        self.match_index = np.zeros(lanes, np.uint64)
        self.decisions = np.zeros(lanes, np.uint32)
        self.final_observation = np.zeros((ends, found.observation_size), np.uint8)
        self.final_match_index = np.zeros(ends, np.uint64)
        self.final_decisions = np.zeros(ends, np.uint32)
        self._core = _core.Batch(
            config.game,
            lanes=lanes,
            seats=seats,
            bots=[self.bots.get(seat) for seat in range(seats)],
            arrays=self._arrays(),
            seed=config.seed,
            first_match=config.first_match,
            setup=config.setup,
            autoreset=config.autoreset,
            max_decisions=config.max_decisions,
            record=config.record,
            threads=threads,
        )
        self._sender: ThreadPoolExecutor | None = None
        self._sent: Future[None] | None = None
        self._closed = False

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays as the compiled module writes them: booleans as bytes."""
        return {
            "observation": self.observation,
            "legal_bits": self.legal_bits,
            "legal": self.legal.view(np.uint8),
            "seat": self.seat,
            "reward": self.reward,
            "terminated": self.terminated.view(np.uint8),
            "truncated": self.truncated.view(np.uint8),
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

    def reset(self, mask: npt.ArrayLike | None = None, *, seed: int | None = None) -> None:
        """Start the next match of every lane, or of the lanes in `mask`; the first call starts the first.

        With a seed, lanes start over with their first match under that seed.
        """
        self._ready()._core.reset(marks_of(mask, self.lanes), seed)

    def step(self, actions: npt.ArrayLike) -> None:
        """Play one action in each lane; all are checked before any is played.

        An illegal action raises `IllegalActionError` with its lane, and nothing changes. Lanes whose match is
        over accept any action; `sample_actions` returns -1 for them.
        """
        self._ready()._core.step(self._actions(actions))

    def send(self, actions: npt.ArrayLike) -> None:
        """Start a `step` and return at once. Until `recv` no other method may be called.

        The arrays must not be accessed in between. The actions are copied.
        """
        core = self._ready()._core
        copied = self._actions(actions).copy()
        if self._sender is None:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - takes time to load

            self._sender = ThreadPoolExecutor(1, thread_name_prefix="sengoku-batch")
        self._sent = self._sender.submit(core.step, copied)

    def recv(self) -> None:
        """Wait for the step that was sent; raise what `step` would have raised."""
        if self._closed:
            raise NotReadyError("the batch is closed: create a new one", {"state": "closed"})
        if self._sent is None:
            raise NotReadyError("no step was sent: call send first", {"state": "ready"})
        sent = self._sent
        sent.exception()  # after an interrupt here, the step can still be received
        self._sent = None
        sent.result()

    def sample_actions(
        self, out: npt.NDArray[np.int64] | None = None, *, seed: int | None = None
    ) -> npt.NDArray[np.int64]:
        """Choose a legal action for each lane, uniformly; -1 where the match is over.

        The choice depends on the seed (default: that of the match), the match and its number of decisions.
        """
        out = check_out(out, self.lanes)
        self._ready()._core.sample(out, seed)
        return out

    def save(self, lane: int) -> bytes:
        """Return the match of a lane as bytes; `restore` continues it exactly, in any batch of this kind."""
        return self._ready()._core.save(lane)

    def restore(self, lane: int, data: bytes | bytearray | memoryview) -> None:
        """Load a saved match into a lane and update its row; afterwards the lane plays its own matches.

        The batch must have the same game, seats and setup. If a bot is to act, it plays first.
        """
        self._ready()._core.restore(lane, bytes(memoryview(data)))

    def fork(
        self,
        lane: int,
        n: int | None = None,
        *,
        lanes: Iterable[SupportsIndex] | None = None,
        seed: int | None = None,
    ) -> npt.NDArray[np.int64]:
        """Copy the match of a lane into the next `n` lanes, or into `lanes`; return the target lanes.

        The copies develop equally under the same decisions. With a seed, each lane has its own randomness
        from now on. The previous matches of the targets are lost; afterwards they continue with their own.
        """
        source, targets = fork_targets(lane, n, lanes, self.lanes)
        self._ready()._core.fork(source, targets, seed)
        return np.array(targets, np.int64)

    def reseed(self, seed: int, mask: npt.ArrayLike | None = None) -> None:
        """Change the randomness of every lane, or of the lanes in `mask`, from the next draw on."""
        self._ready()._core.reseed(seed, marks_of(mask, self.lanes))

    def match(self, lane: int) -> Match:
        """Return the match of a lane with all its decisions; only with `record=True`.

        A lane whose randomness was changed is not a match of one seed, and is refused.
        """
        return Match(self._ready()._core.to_match(lane))

    def digest(self, lane: int) -> int:
        """Return the 64-bit digest of the state, as `Match.digest`."""
        return self._ready()._core.digest(lane)

    def outcome(self, lane: int) -> Outcome | None:
        """Return how the match of a lane ended; None before, and if `max_decisions` ended it."""
        return outcome_from(self._ready()._core.outcome(lane))

    def observe(self, lane: int, seat: int) -> npt.NDArray[np.uint8]:
        """Return what any seat of a lane may see, as a new array."""
        return self._ready()._core.observe(lane, seat)

    def close(self) -> None:
        """Wait for a pending step and stop its thread. Afterwards only the arrays may be used."""
        if not self._closed:
            self._closed = True
            if self._sender is not None:
                self._sender.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        bots = f", bots {self.bots}" if self.bots else ""
        return f"<BatchEnv of {self.game}, {self.lanes} lanes, {self.seats} seats, seed {self.seed}{bots}>"

    def _ready(self) -> Self:
        if self._closed:
            raise NotReadyError("the batch is closed: create a new one", {"state": "closed"})
        if self._sent is not None:
            raise NotReadyError("a step was sent and not received: call recv first", {"state": "sent"})
        return self

    def _actions(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        return row_of("actions", actions, self.lanes)


def row_of(field: str, values: npt.ArrayLike, lanes: int) -> npt.NDArray[np.int64]:
    """Return integers, one per lane, as the compiled module takes them."""
    row = np.asarray(values)
    if row.dtype.kind not in "iu":
        raise TypeError(f"{field} must be an array of integers, not {row.dtype}")
    if row.shape != (lanes,):
        raise refused(field, f"of shape {row.shape}", f"must have one entry for each of {lanes} lanes")
    if row.dtype == np.uint64:
        row = np.minimum(row, np.uint64(2**63 - 1))  # illegal either way
    return np.ascontiguousarray(row, np.int64)


def marks_of(mask: npt.ArrayLike | None, lanes: int) -> npt.NDArray[np.bool_] | None:
    """Return a boolean mask, one entry per lane, as the compiled module takes it."""
    if mask is None:
        return None
    marks = np.asarray(mask)
    if marks.dtype != np.bool_:
        raise TypeError(f"mask must be an array of bool, not {marks.dtype}")
    if marks.shape != (lanes,):
        raise refused("mask", f"of shape {marks.shape}", f"must have one entry for each of {lanes} lanes")
    return np.ascontiguousarray(marks)


def check_out(out: npt.NDArray[np.int64] | None, lanes: int) -> npt.NDArray[np.int64]:
    """Return the array to write actions to: the caller's after a check, or a new one."""
    if out is None:
        return np.empty(lanes, np.int64)
    if not isinstance(out, np.ndarray) or out.dtype != np.int64:
        kind = out.dtype if isinstance(out, np.ndarray) else type(out).__name__
        raise TypeError(f"out must be an array of int64, not {kind}")
    if out.shape != (lanes,) or not out.flags.c_contiguous or not out.flags.writeable:
        raise refused("out", f"of shape {out.shape}", f"must be a writable, contiguous row of {lanes}")
    return out


def fork_targets(
    lane: SupportsIndex, n: SupportsIndex | None, named: Iterable[SupportsIndex] | None, lanes: int
) -> tuple[int, list[int]]:
    """Return the source lane of a fork, and its target lanes."""
    source = index(lane)
    if (n is None) == (named is None):
        raise TypeError("fork takes either n or lanes")
    if named is not None:
        return source, [index(target) for target in named]
    count = index(n)  # type: ignore[arg-type]
    if not 0 <= count < lanes - source:
        raise refused(
            "n", count, f"must be 0 to {max(lanes - source - 1, 0)}, the number of lanes after lane {source}"
        )
    return source, list(range(source + 1, source + 1 + count))
