"""Many matches side by side, one decision of each at a time, in arrays: for who trains or searches.

>>> with BatchEnv("battles", lanes=8, seed=7, bots={1: "random"}) as env:
...     env.reset()
...     for _ in range(100):
...         env.step(env.sample_actions())
...     env.observation.shape, env.legal.shape, set(env.seat.tolist()) <= {-1, 0}
((8, 844), (8, 396), True)
"""

from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from operator import index
from types import TracebackType
from typing import Any, Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from sengoku import _core
from sengoku.engine.games import Setup, find_game, setup_to_json
from sengoku.engine.match import Match
from sengoku.engine.result import Outcome, outcome_from
from sengoku.errors import ArgumentError, NotReadyError, SetupError

__all__ = ["BatchEnv"]

MASKS = ("both", "bool", "bits")


def refused(field: str, value: object, wanted: str) -> ArgumentError:
    """Says what is wrong with an argument."""
    return ArgumentError(f"{field} is {value}, {wanted}", {"field": field, "value": str(value)})


class BatchEnv:
    """Matches of one game side by side.

    Lane `i` plays match `first_match + i`, then the one `lanes` further on, and so on; each is exactly the
    `Match` of that number, seed and setup under the same decisions, whatever the number of threads.

    The arrays are made once and filled in place, by a step only where something changes: copy what you want
    to keep beyond the next call, and do not write into them.

    - `observation` (uint8, lanes x bytes): what the seat to act may see. Once a match is over: what the
      learner sees who was asked last.
    - `legal` (bool, lanes x actions) and `legal_bits` (uint8, eight actions to a byte, the first in the
      lowest bit): what is legal. All zero once a match is over. `mask="bits"` or `"bool"` leaves one out.
    - `seat` (int8): who is to act, or -1 once the match is over.
    - `reward` (float32, lanes x seats): what the last step brought: zero until the match ends; then by rank
      from 1 for the first to -1 for the last in equal steps, and the mean of their places for those who
      share them.
    - `terminated`, `truncated` (bool): a rule ended the match; a cap did (of the setup: with rewards by rank;
      or `max_decisions`: without).
    - `match_index` (uint64), `decisions` (uint32): number of the match, and decisions taken in it, those of
      bots among them.

    Seats in `bots` are played inside, as by `run_matches`; all others are learners, and `seat` says which.
    What becomes of a lane whose match is over is said by `autoreset`:

    - `"next_step"`: its next step begins the next match; the action of that step is not looked at.
    - `"same_step"`: the step that ends a match also begins the next one. `reward`, `terminated` and
      `truncated` are those of the match that ended, everything else is of the new one; the end is kept in
      `final_observation`, `final_match_index` and `final_decisions`, which hold for lanes that are `done`.
      A new match that is over before a learner is asked waits for the next step, as with `"next_step"`.
    - `"disabled"`: it takes any action and stays over, without further rewards, until `reset` with a mask.

    With `record=True` the decisions are kept too, so that `match` gives any lane as a `Match`.
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
        found = find_game(game)
        self._closed = True  # until everything is there
        lanes = index(lanes)
        if not 1 <= lanes <= _core.MAX_LANES:
            raise refused("lanes", lanes, f"1 to {_core.MAX_LANES} are possible")
        seats = found.seats[0] if seats is None else index(seats)
        if not found.seats[0] <= seats <= found.seats[1]:
            reason = f"{seats} is not possible, {game} has {found.seats[0]} to {found.seats[1]}"
            raise SetupError(f"seats: {reason}", {"field": "seats", "reason": reason})
        if mask not in MASKS:
            raise refused("mask", repr(mask), f"there is {', '.join(MASKS)}")
        if not isinstance(autoreset, str):
            raise TypeError(f"autoreset must be a name, not {type(autoreset).__name__}")
        self.game = game
        self.lanes = lanes
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
            game,
            lanes=lanes,
            seats=seats,
            bots=[self.bots.get(seat) for seat in range(seats)],
            arrays=self._arrays(),
            seed=seed,
            first_match=first_match,
            setup=setup_to_json(game, setup),
            autoreset=autoreset,
            max_decisions=max_decisions,
            record=self.record,
            threads=threads,
        )
        self._sender: ThreadPoolExecutor | None = None
        self._sent: Future[None] | None = None
        self._closed = False

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays as they are written: truth values as bytes."""
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
        """Begins the next match of every lane, or of those with a mark; the first call begins the first.

        With a seed, lanes begin again: with their first match under that seed.
        """
        self._ready()._core.reset(marks_of(mask, self.lanes), seed)

    def step(self, actions: npt.ArrayLike) -> None:
        """Plays one action in each lane; all are looked at before any is played.

        An action that is not legal raises `IllegalActionError` with its lane, and nothing has changed. Lanes
        whose match is over take any action; -1 is what `sample_actions` gives them.
        """
        self._ready()._core.step(self._actions(actions))

    def send(self, actions: npt.ArrayLike) -> None:
        """Begins what `step` does and returns at once. Until `recv` nothing else can be asked.

        The arrays must not be read or written in between. Actions are copied, so theirs can be.
        """
        core = self._ready()._core
        copied = self._actions(actions).copy()
        if self._sender is None:
            self._sender = ThreadPoolExecutor(1, thread_name_prefix="sengoku-batch")
        self._sent = self._sender.submit(core.step, copied)

    def recv(self) -> None:
        """Waits for the step that was sent; raises what `step` would have raised."""
        if self._closed:
            raise NotReadyError("the batch is closed", {"state": "closed"})
        if self._sent is None:
            raise NotReadyError("no step was sent", {"state": "ready"})
        sent = self._sent
        sent.exception()  # an interrupt here leaves the step where it is, to be received later
        self._sent = None
        sent.result()

    def sample_actions(
        self, out: npt.NDArray[np.int64] | None = None, *, seed: int | None = None
    ) -> npt.NDArray[np.int64]:
        """Chooses a legal action for each lane, all equally likely; -1 where the match is over.

        The choice is a function of seed (that of the match, if none is given), match and number of decisions.
        """
        out = check_out(out, self.lanes)
        self._ready()._core.sample(out, seed)
        return out

    def save(self, lane: int) -> bytes:
        """Gives the match of a lane as bytes: `restore` goes on from them exactly, in any such batch."""
        return self._ready()._core.save(lane)

    def restore(self, lane: int, data: bytes | bytearray | memoryview) -> None:
        """Puts a match that was saved into a lane and writes its row; after it the lane goes on with its own.

        The batch must have the same game, seats and setup. Where a bot is to act it plays first.
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
        """Copies the match of a lane into the `n` lanes behind it, or into those named; gives all of them.

        The copies go the same way under the same decisions. With a seed they have chance of their own from
        now on, each lane another. What they played before is gone; after this match they play on their own.
        """
        source, targets = fork_targets(lane, n, lanes, self.lanes)
        self._ready()._core.fork(source, targets, seed)
        return np.array(targets, np.int64)

    def reseed(self, seed: int, mask: npt.ArrayLike | None = None) -> None:
        """Changes all chance to come, of every lane or of those with a mark, from the next draw on."""
        self._ready()._core.reseed(seed, marks_of(mask, self.lanes))

    def match(self, lane: int) -> Match:
        """Gives the match of a lane with all its decisions; only with `record=True`.

        A lane whose chance was changed on the way is no match of one seed, and is refused.
        """
        return Match(self._ready()._core.to_match(lane))

    def digest(self, lane: int) -> int:
        """Gives 64 bits that tell states apart, those of `Match.digest`."""
        return self._ready()._core.digest(lane)

    def outcome(self, lane: int) -> Outcome | None:
        """Says how the match of a lane ended, or None before, and when `max_decisions` cut it short."""
        return outcome_from(self._ready()._core.outcome(lane))

    def observe(self, lane: int, seat: int) -> npt.NDArray[np.uint8]:
        """Gives what any seat may see of a lane, as an array of its own."""
        return self._ready()._core.observe(lane, seat)

    def close(self) -> None:
        """Waits for a step under way and ends its thread. Nothing can be asked then; the arrays stay."""
        if not self._closed:
            self._closed = True
            if self._sender is not None:
                self._sender.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        bots = f", bots {self.bots}" if self.bots else ""
        return f"<BatchEnv of {self.game}, {self.lanes} lanes, {self.seats} seats, seed {self.seed}{bots}>"

    def _ready(self) -> Self:
        if self._closed:
            raise NotReadyError("the batch is closed", {"state": "closed"})
        if self._sent is not None:
            raise NotReadyError("a step was sent and not received", {"state": "sent"})
        return self

    def _actions(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        return row_of("actions", actions, self.lanes)


def row_of(field: str, values: npt.ArrayLike, lanes: int) -> npt.NDArray[np.int64]:
    """Gives whole numbers, one for each lane, as they are handed over."""
    row = np.asarray(values)
    if row.dtype.kind not in "iu":
        raise TypeError(f"{field} must be an array of whole numbers, not {row.dtype}")
    if row.shape != (lanes,):
        raise refused(field, f"of shape {row.shape}", f"one entry for each of {lanes} lanes is wanted")
    if row.dtype == np.uint64:
        row = np.minimum(row, np.uint64(2**63 - 1))  # illegal before and after
    return np.ascontiguousarray(row, np.int64)


def seats_by_bot(bots: Mapping[int, str] | None, seats: int) -> dict[int, str]:
    """Gives the bots by seat, each seat one that is there."""
    if bots is None:
        return {}
    if not isinstance(bots, Mapping):
        raise TypeError(f"bots must be a table of seats and names, not {type(bots).__name__}")
    table: dict[int, str] = {}
    for seat, name in bots.items():
        if not 0 <= index(seat) < seats:
            raise refused("bots", f"for seat {seat}", f"seats are 0 to {seats - 1}")
        table[index(seat)] = name
    return table


def marks_of(mask: npt.ArrayLike | None, lanes: int) -> npt.NDArray[np.bool_] | None:
    """Gives marks, one for each lane, as they are handed over."""
    if mask is None:
        return None
    marks = np.asarray(mask)
    if marks.dtype != np.bool_:
        raise TypeError(f"mask must be an array of bool, not {marks.dtype}")
    if marks.shape != (lanes,):
        raise refused("mask", f"of shape {marks.shape}", f"one entry for each of {lanes} lanes is wanted")
    return np.ascontiguousarray(marks)


def check_out(out: npt.NDArray[np.int64] | None, lanes: int) -> npt.NDArray[np.int64]:
    """Gives an array to write actions into: the caller's, if it is one, or a new one."""
    if out is None:
        return np.empty(lanes, np.int64)
    if not isinstance(out, np.ndarray) or out.dtype != np.int64:
        kind = out.dtype if isinstance(out, np.ndarray) else type(out).__name__
        raise TypeError(f"out must be an array of int64, not {kind}")
    if out.shape != (lanes,) or not out.flags.c_contiguous or not out.flags.writeable:
        raise refused("out", f"of shape {out.shape}", f"a writable row of {lanes} is wanted")
    return out


def fork_targets(
    lane: SupportsIndex, n: SupportsIndex | None, named: Iterable[SupportsIndex] | None, lanes: int
) -> tuple[int, list[int]]:
    """Gives the lane that is copied, and those that become its copies."""
    source = index(lane)
    if (n is None) == (named is None):
        raise TypeError("fork takes either n or lanes")
    if named is not None:
        return source, [index(target) for target in named]
    count = index(n)  # type: ignore[arg-type]
    if not 0 <= count < lanes - source:
        raise refused("n", count, f"there are {max(lanes - source - 1, 0)} lanes behind lane {source}")
    return source, list(range(source + 1, source + 1 + count))
