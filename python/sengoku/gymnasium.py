"""Gymnasium environments: one learner against built-in bots; needs the extra `sengoku[ai]`.

>>> import gymnasium
>>> env = gymnasium.make("sengoku/battles-v2", bots=["random"])
>>> observation, info = env.reset(seed=7)
>>> over = False
>>> while not over:
...     action = env.action_space.sample(observation["action_mask"])
...     observation, reward, terminated, truncated, info = env.step(action)
...     over = terminated or truncated
>>> float(reward) == {1: 1.0, 2: -1.0}[info["rank"]]
True

Importing this module registers every game under its rules version; `gymnasium.make_vec` returns the
environment with many lanes.
"""

from collections.abc import Iterable
from functools import partial
from operator import index
from typing import Any, ClassVar, SupportsIndex

import numpy as np
import numpy.typing as npt

from sengoku.engine.batch import BatchEnv
from sengoku.engine.environment import (
    RENDER_MODES,
    Actions,
    Mask,
    Observation,
    check_render_mode,
    draw,
    ending,
    observations,
    seats_of_bots,
)
from sengoku.engine.games import Setup, games
from sengoku.errors import MatchOverError, install_hint

try:
    import gymnasium
    from gymnasium.error import ResetNeeded
    from gymnasium.spaces import Discrete, MultiDiscrete, Space
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as missing:
    raise ImportError(f"sengoku.gymnasium needs gymnasium: {install_hint('ai')}") from missing

__all__ = ["LaneActions", "LearnerEnv", "LearnerVectorEnv"]

_Row = npt.NDArray[Any]
_Columns = dict[str, _Row]
_AUTORESET = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class _Learner:
    """Base of both environments: a batch in which one seat learns, and how it is rendered."""

    def _open(
        self,
        game: str,
        lanes: int,
        learner: int,
        bots: Iterable[str],
        render_mode: str | None,
        **options: Any,
    ) -> None:
        self.render_mode = check_render_mode(render_mode)
        self._learner = index(learner)
        seated = seats_of_bots(game, options["seats"], learner, bots)
        self._batch = BatchEnv(game, lanes, bots=seated, mask="bool", record=bool(render_mode), **options)

    @property
    def batch(self) -> BatchEnv:
        """The underlying batch, for what Gymnasium does not offer."""
        return self._batch

    def _space(self) -> Space[Any]:
        """Return the observation space of one match."""
        width = None if self._batch.features is None else self._batch.features.width
        return observations(self._batch.observation_size, self._batch.action_count, width)

    def render(self) -> Any:
        """Render what the learner may see."""
        raise NotImplementedError

    def _shown(self) -> None:
        if self.render_mode == "human":
            self.render()


# A class with parameters in some versions of gymnasium, and without in others.
_Lanes: Any = MultiDiscrete


class LaneActions(_Lanes):
    """Action space of a batch: an action per lane; a sample without masks is legal in every lane."""

    def __init__(self, batch: BatchEnv) -> None:
        super().__init__([batch.action_count] * batch.lanes, seed=batch.seed)
        self.batch: BatchEnv | None = batch

    def sample(self, mask: Any = None, probability: Any = None) -> npt.NDArray[np.int64]:
        """Draw an action for each lane; 0 where the match is over, since any action is accepted there."""
        if mask is None and probability is None and self.batch is not None:
            return self.batch.sample_actions(seed=int(self.np_random.integers(2**63))).clip(0)
        drawn: npt.NDArray[np.int64] = super().sample(mask, probability)
        return drawn

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"batch": None}


class LearnerEnv(_Learner, gymnasium.Env[Observation, np.int64]):
    """A match in which one seat learns and built-in bots play all others.

    The reward comes at the end, by rank: 1 for the first, -1 for the last (`Outcome.rewards`). The match is
    terminated when a rule ends it, and truncated when a limit of the setup does, or after `max_decisions`
    (including those of bots), without a reward.

    `observation="features"`, `skip_forced`, `shaping` and `discount` are those of `BatchEnv`.

    Every action of the space is accepted. An illegal one is not played: nothing changes, and
    `info["illegal"]` is True; with `strict=True` it raises `IllegalActionError`.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": list(RENDER_MODES),
        "render_fps": 4,
    }

    def __init__(
        self,
        game: str = "swords",
        *,
        seats: int | None = None,
        learner: int = 0,
        bots: Iterable[str] = ("greedy",),
        seed: int = 0,
        setup: Setup = None,
        max_decisions: int | None = None,
        observation: str = "bytes",
        skip_forced: bool = False,
        shaping: float | None = None,
        discount: float = 1.0,
        strict: bool = False,
        render_mode: str | None = None,
    ) -> None:
        options: dict[str, Any] = {
            "seats": seats,
            "seed": seed,
            "setup": setup,
            "max_decisions": max_decisions,
        }
        options |= {"observation": observation, "skip_forced": skip_forced}
        options |= {"shaping": shaping, "discount": discount}
        self._open(game, 1, learner, bots, render_mode, autoreset="disabled", threads=1, **options)
        self._strict = bool(strict)
        self._begun = False
        self.observation_space = self._space()
        self.action_space = Actions(self._batch.action_count, self._legal, self._batch.seed)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start match 0 of a seed or, without one, the next match of the current seed.

        Options are ignored.
        """
        self._batch.reset(seed=seed)
        super().reset(seed=seed, options=options)
        self._begun = True
        self._shown()
        return self._observed(), {"match_index": int(self._batch.match_index[0])}

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action of the learner, then the bots until the learner is to act or the match is over."""
        batch, chosen = self._batch, index(action)
        if not self._begun:
            raise ResetNeeded("there is no match: call reset first")
        if batch.seat[0] < 0:
            raise MatchOverError("the match is over: reset the environment")
        illegal = not self._strict and 0 <= chosen < batch.action_count and not batch.legal[0, chosen]
        if illegal:
            return self._observed(), 0.0, False, False, {"illegal": True}
        batch.step(np.array([chosen]))
        info: dict[str, Any] = {"illegal": False}
        outcome = batch.outcome(0)
        if outcome is not None:
            info |= ending(outcome, self._learner)
        self._shown()
        reward = float(batch.reward[0, self._learner])
        return self._observed(), reward, bool(batch.terminated[0]), bool(batch.truncated[0]), info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return a boolean mask of the legal actions, as maskable learners of sb3-contrib request it."""
        legal: npt.NDArray[np.bool_] = self._batch.legal[0].copy()
        return legal

    def render(self) -> Any:
        """Render what the learner may see."""
        return draw(lambda: self._batch.match(0), self.render_mode, self._learner)

    def close(self) -> None:
        """Close the environment; may be called twice."""
        self._batch.close()

    def _observed(self) -> Observation:
        legal = self._batch.legal[0].astype(np.int8)
        return {"observation": self._batch.observation[0].copy(), "action_mask": legal}

    def _legal(self) -> Mask | None:
        return self._batch.legal[0].astype(np.int8) if self._begun else None


class LearnerVectorEnv(_Learner, VectorEnv[_Columns, npt.ArrayLike, npt.NDArray[Any]]):
    """Many matches in lockstep; in each, one seat learns and built-in bots play all others.

    Lane `i` plays match `i` of the seed, then the one `num_envs` further on, as in `BatchEnv`. Rewards and
    ends are those of `LearnerEnv`. Actions must be legal: all are checked before any is played, and one
    that is illegal raises an `IllegalActionError` with its lane. Lanes whose match is over accept any action.

    `copy=False` returns the arrays themselves, which the next step overwrites.
    """

    def __init__(
        self,
        game: str = "swords",
        num_envs: int = 1,
        *,
        seats: int | None = None,
        learner: int = 0,
        bots: Iterable[str] = ("greedy",),
        seed: int = 0,
        setup: Setup = None,
        max_decisions: int | None = None,
        observation: str = "bytes",
        skip_forced: bool = False,
        shaping: float | None = None,
        discount: float = 1.0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 0,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        mode = AutoresetMode(autoreset_mode)
        options: dict[str, Any] = {
            "seats": seats,
            "seed": seed,
            "setup": setup,
            "max_decisions": max_decisions,
        }
        options |= {"observation": observation, "skip_forced": skip_forced}
        options |= {"shaping": shaping, "discount": discount}
        options |= {"autoreset": _AUTORESET[mode], "threads": threads}
        self._open(game, num_envs, learner, bots, render_mode, **options)
        self.metadata = LearnerEnv.metadata | {"autoreset_mode": mode}
        self._copy = bool(copy)
        self.num_envs = self._batch.lanes
        self.single_observation_space = self._space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.single_action_space = Discrete(self._batch.action_count)
        self.action_space = LaneActions(self._batch)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Columns, dict[str, Any]]:
        """Start the first match of every lane under a seed or, without one, the next match.

        The option `reset_mask` selects the lanes to reset.
        """
        self._batch.reset(None if options is None else options.get("reset_mask"), seed=seed)
        super().reset(seed=seed, options=options)
        self._shown()
        return self._observed(), self._numbers()

    def step(self, actions: npt.ArrayLike) -> tuple[_Columns, _Row, _Row, _Row, dict[str, Any]]:
        """Play an action of the learner in each lane, then the bots until the learner is to act."""
        batch = self._batch
        batch.step(actions)
        self._shown()
        rewards = batch.reward[:, self._learner].astype(np.float64)
        return self._observed(), rewards, batch.terminated.copy(), batch.truncated.copy(), self._infos()

    def render(self) -> Any:
        """Render what the learner may see in each lane."""
        lanes = range(self.num_envs if self.render_mode else 1)
        shown = tuple(
            draw(partial(self._batch.match, lane), self.render_mode, self._learner) for lane in lanes
        )
        return None if self.render_mode in (None, "human") else shown

    def close_extras(self, **_: Any) -> None:
        """Close the batch, if the environment came to have one."""
        if hasattr(self, "_batch"):
            self._batch.close()

    def _observed(self) -> _Columns:
        seen = {"observation": self._batch.observation, "action_mask": self._batch.legal.view(np.int8)}
        return {name: array.copy() for name, array in seen.items()} if self._copy else seen

    def _numbers(self) -> dict[str, Any]:
        known = np.ones(self.num_envs, np.bool_)
        return {"match_index": self._batch.match_index.copy(), "_match_index": known}

    def _infos(self) -> dict[str, Any]:
        """Return the match numbers, and how matches ended: in `final_…` where the next one has started."""
        batch, infos = self._batch, self._numbers()
        for lane in np.flatnonzero(batch.done).tolist():
            if batch.autoreset == "same_step":
                mask = np.zeros(batch.action_count, np.int8)
                seen = {"observation": batch.final_observation[lane].copy(), "action_mask": mask}
                final = {"match_index": batch.final_match_index[lane]}
                infos = self._add_info(infos, {"final_obs": seen, "final_info": final}, lane)
            elif (outcome := batch.outcome(lane)) is not None:
                infos = self._add_info(infos, ending(outcome, self._learner), lane)
        return infos


for _game in games():
    gymnasium.register(
        id=f"sengoku/{_game.name}-v{_game.rules_version}",
        entry_point="sengoku.gymnasium:LearnerEnv",
        vector_entry_point="sengoku.gymnasium:LearnerVectorEnv",
        kwargs={"game": _game.name},
    )
