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
from typing import TYPE_CHECKING, Any, Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from sengoku import _core
from sengoku.engine.checks import refused
from sengoku.engine.features import features
from sengoku.engine.games import Setup, find_game
from sengoku.engine.match import Match
from sengoku.engine.requests import BatchConfig
from sengoku.engine.result import Outcome, outcome_from
from sengoku.errors import NotReadyError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

_ARRAYS = (
    "legal_bits", "legal", "seat", "reward", "terminated", "truncated", "match_index", "decisions",
    "skipped", "final_match_index", "final_decisions",
)  # fmt: skip
_WRITTEN_NAMES = {
    "observation": "observation_bytes",
    "features": "_features",
    "final_observation": "final_observation_bytes",
    "final_features": "_final_features",
    "legal_bits": "_bits",
}
"""Attributes of the arrays that have other names in the compiled module."""


class BatchArrays:
    """The options and the arrays of a batched environment, in process or on a server."""

    _closed = True  # until it is open
    _sent: Any = None
    """The step that was sent and not received, if there is one."""

    def _configure(self, config: BatchConfig, setup: Setup) -> None:
        found = find_game(config.game)
        self.config = config
        self.game, self.lanes, self.seats, self.seed = config.game, config.lanes, config.seats, config.seed
        self.setup = setup
        self.bots = dict(config.bots)
        self.learners = config.learners
        self.autoreset = config.autoreset
        self.max_decisions = config.max_decisions
        self.record = config.record
        self.features = features(config.game) if config.observation == "features" else None
        """How observations become features, with `observation="features"`."""
        self.action_count = found.action_count
        self.observation_size = found.observation_size

    def _create_arrays(self, *, packed: bool) -> None:
        """Create the arrays; if `packed`, with bits for all lanes, whatever masks the caller wants."""
        lanes, mask = self.lanes, self.config.mask
        ends = lanes if self.autoreset == "same_step" else 0
        self._bits = np.zeros(
            (0 if mask == "bool" and not packed else lanes, (self.action_count + 7) // 8), np.uint8
        )
        width = 0 if self.features is None else self.features.width
        self.observation_bytes = np.zeros((lanes, self.observation_size), np.uint8)
        self._features = np.zeros((lanes, width), np.float32)
        self.legal_bits = self._bits[: 0 if mask == "bool" else lanes]
        self.legal = np.zeros((0 if mask == "bits" else lanes, self.action_count), np.bool_)
        self.seat = np.full(lanes, -1, np.int8)
        self.reward = np.zeros((lanes, self.seats), np.float32)
        self.terminated = np.zeros(lanes, np.bool_)
        self.truncated = np.zeros(lanes, np.bool_)
        self.match_index = np.zeros(lanes, np.uint64)
        self.decisions = np.zeros(lanes, np.uint32)
        self.skipped = np.zeros(lanes, np.uint32)
        self.final_observation_bytes = np.zeros((ends, self.observation_size), np.uint8)
        self._final_features = np.zeros((ends, width), np.float32)
        self.final_match_index = np.zeros(ends, np.uint64)
        self.final_decisions = np.zeros(ends, np.uint32)
        self.observation: npt.NDArray[Any] = self.observation_bytes if width == 0 else self._features
        self.final_observation: npt.NDArray[Any] = (
            self.final_observation_bytes if width == 0 else self._final_features
        )

    @property
    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        names = dict(zip(_ARRAYS, _ARRAYS, strict=True)) | _WRITTEN_NAMES
        return {name: getattr(self, attribute) for name, attribute in names.items()}

    def _observed(self, seen: npt.NDArray[np.uint8]) -> npt.NDArray[Any]:
        """Return an observation as this environment returns observations."""
        return seen if self.features is None else self.features.encode(seen)

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Whether the last step ended the match of a lane; with `"disabled"`, whether it is over."""
        return self.terminated | self.truncated

    def _check_ready(self, *, to_receive: bool = False) -> None:
        """Raise unless the environment is open and has no step under way or, to receive, has one."""
        if self._closed:
            raise NotReadyError("the environment is closed: create a new one", {"state": "closed"})
        if self._sent is not None and not to_receive:
            raise NotReadyError("a step was sent and not received: call recv first", {"state": "sent"})
        if self._sent is None and to_receive:
            raise NotReadyError("no step was sent: call send first", {"state": "ready"})

    def _actions(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Return actions, one per lane, as the compiled module takes them."""
        row = np.asarray(actions)
        if row.dtype.kind not in "iu":
            raise TypeError(f"actions must be an array of integers, not {row.dtype}")
        self._check_row("actions", row)
        if row.dtype == np.uint64:
            row = np.minimum(row, np.uint64(2**63 - 1))  # illegal either way
        return np.ascontiguousarray(row, np.int64)

    def _marks(self, mask: npt.ArrayLike | None) -> npt.NDArray[np.bool_] | None:
        """Return a boolean mask, one entry per lane, as the compiled module takes it."""
        if mask is None:
            return None
        marks = np.asarray(mask)
        if marks.dtype != np.bool_:
            raise TypeError(f"mask must be an array of bool, not {marks.dtype}")
        self._check_row("mask", marks)
        return np.ascontiguousarray(marks)

    def _check_row(self, field: str, row: npt.NDArray[Any]) -> None:
        if row.shape != (self.lanes,):
            wanted = f"must have one entry for each of {self.lanes} lanes"
            raise refused(field, f"of shape {row.shape}", wanted)

    def _out(self, out: npt.NDArray[np.int64] | None) -> npt.NDArray[np.int64]:
        """Return the array to write actions to: the caller's after a check, or a new one."""
        if out is None:
            return np.empty(self.lanes, np.int64)
        if not isinstance(out, np.ndarray) or out.dtype != np.int64:
            kind = out.dtype if isinstance(out, np.ndarray) else type(out).__name__
            raise TypeError(f"out must be an array of int64, not {kind}")
        if out.shape != (self.lanes,) or not out.flags.c_contiguous or not out.flags.writeable:
            raise refused(
                "out", f"of shape {out.shape}", f"must be a writable, contiguous row of {self.lanes}"
            )
        return out

    def _fork_targets(
        self, lane: SupportsIndex, n: SupportsIndex | None, named: Iterable[SupportsIndex] | None
    ) -> tuple[int, list[int]]:
        """Return the source lane of a fork, and its target lanes."""
        source = index(lane)
        if (n is None) == (named is None):
            raise TypeError("fork takes either n or lanes")
        if named is not None:
            return source, [index(target) for target in named]
        count, most = index(n), max(self.lanes - source - 1, 0)  # type: ignore[arg-type]
        if not 0 <= count < self.lanes - source:
            raise refused("n", count, f"must be 0 to {most}, the number of lanes after lane {source}")
        return source, list(range(source + 1, source + 1 + count))

    def __repr__(self) -> str:
        bots = f", bots {self.bots}" if self.bots else ""
        kind = type(self).__name__
        return f"<{kind} of {self.game}, {self.lanes} lanes, {self.seats} seats, seed {self.seed}{bots}>"


class BatchEnv(BatchArrays):
    """A batched environment: many matches of one game stepped in lockstep into numpy arrays.

    Lane `i` plays match `first_match + i`, then the match `lanes` further on, and so on; each is exactly the
    `Match` of that number, seed and setup under the same decisions, for any number of threads.

    The arrays are allocated once and updated in place; a step writes only what changes. Copy what you need
    beyond the next call, and do not write to them.

    - `observation` (uint8, lanes x bytes): what the seat to act may see. After the end of a match: what the
      learner sees that acted last. With `observation="features"` these are its features (float32, lanes x
      `features.width`), and the bytes are in `observation_bytes`.
    - `legal` (bool, lanes x actions) and `legal_bits` (uint8, eight actions per byte, the first in the lowest
      bit): the legal actions. All zero after the end of a match. `mask="bits"` or `"bool"` omits one of them.
    - `seat` (int8): the seat to act, or -1 after the end of a match.
    - `reward` (float32, lanes x seats): the reward of the last step: zero until the match ends; then by rank,
      from 1 for first place to -1 for last place in equal steps; tied seats get the mean of their places.
    - `terminated`, `truncated` (bool): a rule ended the match; a limit did (one of the setup: with rewards by
      rank; or `max_decisions`: without rewards).
    - `match_index` (uint64), `decisions` (uint32): number of the match, and of the decisions in it, including
      those of bots.
    - `skipped` (uint32): how many of them were forced decisions of learners that `skip_forced` played.

    Seats in `bots` are played by built-in bots, as in `run_matches`; all others are learners, and `seat` says
    which one acts. `autoreset` determines what happens to a lane whose match is over:

    - `"next_step"`: its next step starts the next match; the action of that step is ignored.
    - `"same_step"`: the step that ends a match also starts the next one. `reward`, `terminated` and
      `truncated` belong to the match that ended, everything else to the new one; the end is kept in
      `final_observation`, `final_match_index` and `final_decisions`, which are valid for lanes that are
      `done`. A new match that ends before a learner acts waits for the next step, as with `"next_step"`.
    - `"disabled"`: the lane accepts any action and stays over, without further rewards, until `reset` with a
      mask.

    `skip_forced=True` plays decisions of learners that have only one legal action, so that learners are not
    asked. Matches and their digests do not change.

    `shaping=weight` adds `weight * (discount * lead - lead before)` to the rewards of a step. The lead of a
    seat is its public score, in units in which 1 is about what wins a match, less the mean of the other
    seats; after the end of a match it is 0. So the sum over a match depends on its start only, and the best
    policy for this discount stays the same.

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
        observation: str = "bytes",
        skip_forced: bool = False,
        shaping: float | None = None,
        discount: float = 1.0,
    ) -> None:
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
        config.check()
        self._configure(config, setup)
        self._create_arrays(packed=False)
        self._core = _core.Batch(
            config.game,
            lanes=config.lanes,
            seats=config.seats,
            bots=[self.bots.get(seat) for seat in range(config.seats)],
            arrays={
                name: array.view(np.uint8) if array.dtype == np.bool_ else array
                for name, array in self._arrays.items()
            },
            seed=config.seed,
            first_match=config.first_match,
            setup=config.setup,
            autoreset=config.autoreset,
            max_decisions=config.max_decisions,
            record=config.record,
            features=self.features is not None,
            skip_forced=config.skip_forced,
            shaping=config.shaping,
            discount=config.discount,
            threads=threads,
        )
        self._sender: ThreadPoolExecutor | None = None
        self._closed = False

    def reset(self, mask: npt.ArrayLike | None = None, *, seed: int | None = None) -> None:
        """Start the next match of every lane, or of the lanes in `mask`; the first call starts the first.

        With a seed, lanes start over with their first match under that seed.
        """
        self._ready().reset(self._marks(mask), seed)

    def step(self, actions: npt.ArrayLike) -> None:
        """Play one action in each lane; all are checked before any is played.

        An illegal action raises `IllegalActionError` with its lane, and nothing changes. Lanes whose match is
        over accept any action; `sample_actions` returns -1 for them.
        """
        self._ready().step(self._actions(actions))

    def send(self, actions: npt.ArrayLike) -> None:
        """Start a `step` and return at once. Until `recv` no other method may be called.

        The arrays must not be accessed in between. The actions are copied.
        """
        core = self._ready()
        copied = self._actions(actions).copy()
        if self._sender is None:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - takes time to load

            self._sender = ThreadPoolExecutor(1, thread_name_prefix="sengoku-batch")
        self._sent = self._sender.submit(core.step, copied)

    def recv(self) -> None:
        """Wait for the step that was sent; raise what `step` would have raised."""
        self._check_ready(to_receive=True)
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
        out = self._out(out)
        self._ready().sample(out, seed)
        return out

    def save(self, lane: int) -> bytes:
        """Return the match of a lane as bytes; `restore` continues it exactly, in any batch of this kind."""
        return self._ready().save(lane)

    def restore(self, lane: int, data: bytes | bytearray | memoryview) -> None:
        """Load a saved match into a lane and update its row; afterwards the lane plays its own matches.

        The batch must have the same game, seats and setup. If a bot is to act, it plays first.
        """
        self._ready().restore(lane, bytes(memoryview(data)))

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
        source, targets = self._fork_targets(lane, n, lanes)
        self._ready().fork(source, targets, seed)
        return np.array(targets, np.int64)

    def reseed(self, seed: int, mask: npt.ArrayLike | None = None) -> None:
        """Change the randomness of every lane, or of the lanes in `mask`, from the next draw on."""
        self._ready().reseed(seed, self._marks(mask))

    def match(self, lane: int) -> Match:
        """Return the match of a lane with all its decisions; only with `record=True`.

        A lane whose randomness was changed is not a match of one seed, and is refused.
        """
        return Match(self._ready().to_match(lane))

    def digest(self, lane: int) -> int:
        """Return the 64-bit digest of the state, as `Match.digest`."""
        return self._ready().digest(lane)

    def outcome(self, lane: int) -> Outcome | None:
        """Return how the match of a lane ended; None before, and if `max_decisions` ended it."""
        return outcome_from(self._ready().outcome(lane))

    def observe(self, lane: int, seat: int) -> npt.NDArray[Any]:
        """Return what any seat of a lane may see, as a new array: bytes, or features."""
        return self._observed(self._ready().observe(lane, seat))

    def close(self) -> None:
        """Wait for a pending step and stop its thread. Afterwards only the arrays may be used."""
        if not self._closed:
            self._closed = True
            if self._sender is not None:
                self._sender.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ready(self) -> _core.Batch:
        self._check_ready()
        return self._core
