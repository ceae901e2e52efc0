"""A vectorised environment for Stable-Baselines3 over the lanes of a batch; needs `stable-baselines3`.

`LaneVecEnv` steps many matches in one call, without a process or a wrapper per match, and has `action_masks`
for `sb3_contrib.MaskablePPO`:

    from sb3_contrib import MaskablePPO
    from sengoku.stable_baselines3 import LaneVecEnv

    env = LaneVecEnv("battles", 64, bots=["greedy"], seed=7)
    model = MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=1024, verbose=1)
    model.learn(200_000)
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from sengoku.engine.batch import BatchEnv
from sengoku.engine.checks import refused
from sengoku.engine.games import Setup
from sengoku.errors import install_hint

try:
    from gymnasium.spaces import Discrete
    from stable_baselines3.common.vec_env import VecEnv

    from sengoku.engine.environment import observation_box, seats_of_bots
except ImportError as missing:
    raise ImportError(
        f"sengoku.stable_baselines3 needs stable-baselines3: {install_hint('sb3')}"
    ) from missing

__all__ = ["LaneVecEnv"]

_Row = npt.NDArray[Any]


class LaneVecEnv(VecEnv):
    """Many matches in lockstep; in each, one seat learns and built-in bots play all others.

    Lane `i` plays match `i` of the seed, then the one `lanes` further on. Observations are features (float32)
    or, with `observation="bytes"`, bytes; forced decisions are skipped. Rewards are those of the learner. A
    lane whose match is over starts the next one in the same step; its info has `terminal_observation`,
    `match_index`, `episode` (return, length and seconds, as `VecMonitor` writes them), and
    `TimeLimit.truncated`, which is True only if `max_decisions` ended the match, without a reward by rank.
    Actions must be legal: `MaskablePPO` chooses by `action_masks`.
    """

    def __init__(
        self,
        game: str = "swords",
        lanes: int = 64,
        *,
        seats: int | None = None,
        learner: int = 0,
        bots: Iterable[str] = ("greedy",),
        seed: int = 0,
        setup: Setup = None,
        max_decisions: int | None = None,
        observation: str = "features",
        skip_forced: bool = True,
        shaping: float | None = None,
        discount: float = 1.0,
        threads: int = 0,
    ) -> None:
        self.batch = BatchEnv(
            game,
            lanes,
            seats=seats,
            seed=seed,
            bots=seats_of_bots(game, seats, learner, bots),
            setup=setup,
            max_decisions=max_decisions,
            observation=observation,
            skip_forced=skip_forced,
            shaping=shaping,
            discount=discount,
            threads=threads,
            autoreset="same_step",
            mask="bool",
        )
        self.learner = index(learner)
        features = self.batch.features
        box = observation_box(self.batch.observation_size, None if features is None else features.width)
        super().__init__(self.batch.lanes, box, Discrete(self.batch.action_count))
        self._returns = np.zeros(self.num_envs)
        self._lengths = np.zeros(self.num_envs, np.int64)
        self._begun = time.monotonic()

    def reset(self) -> _Row:
        """Start the next match of every lane or, after `seed`, the first one of that seed."""
        self.batch.reset(seed=self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        self._returns[:], self._lengths[:] = 0.0, 0
        self._begun = time.monotonic()
        self._start_idle()
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return self.batch.observation.copy()

    def step_async(self, actions: npt.ArrayLike) -> None:
        """Start a step; all actions are checked before any is played."""
        self.batch.send(actions)

    def step_wait(self) -> tuple[_Row, _Row, _Row, list[dict[str, Any]]]:
        """Wait for the step, and return observations, rewards, ends and infos."""
        batch = self.batch
        batch.recv()
        rewards = batch.reward[:, self.learner].copy()
        dones = batch.done.copy()
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for lane in np.flatnonzero(dones).tolist():
            infos[lane] = self._ending(lane)
        if dones.any():
            self._start_idle()
        return batch.observation.copy(), rewards, dones, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions: [lanes, actions]."""
        return self.batch.legal.copy()

    def close(self) -> None:
        """Close the batch; may be called twice."""
        self.batch.close()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seed of the next `reset`; lanes play different matches of it."""
        chosen = int(np.random.default_rng().integers(2**32)) if seed is None else index(seed)
        self._seeds = [chosen] * self.num_envs
        return self._seeds

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of the environment once for each chosen lane."""
        value = None if attr_name == "render_mode" else getattr(self, attr_name)
        return [value] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse: lanes have no attributes of their own."""
        wanted = f"cannot be {value!r} in lanes {self._chosen(indices)[:9]}: lanes have no attributes"
        raise refused("attr_name", repr(attr_name), wanted)

    def env_method(self, method_name: str, *_: Any, indices: Any = None, **__: Any) -> list[Any]:
        """Return what a method returns for each chosen lane; there is `action_masks`."""
        if method_name != "action_masks":
            raise AttributeError(f"lanes have no method {method_name!r}: there is action_masks")
        masks = self.batch.legal
        return [masks[lane].copy() for lane in self._chosen(indices)]

    def env_is_wrapped(self, _wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """Return False for each chosen lane."""
        return [False] * len(self._chosen(indices))

    def _chosen(self, indices: Any) -> list[int]:
        return list(self._get_indices(indices))

    def _start_idle(self) -> None:
        """Start the next matches where one was over before the learner could act."""
        while (idle := self.batch.seat < 0).any():
            self.batch.reset(idle)

    def _ending(self, lane: int) -> dict[str, Any]:
        """Return the info of a lane whose match has ended, and begin to count anew."""
        batch = self.batch
        seconds = round(time.monotonic() - self._begun, 6)
        most = batch.max_decisions
        cut = batch.truncated[lane] and most is not None and batch.final_decisions[lane] >= most
        info: dict[str, Any] = {
            "terminal_observation": batch.final_observation[lane].copy(),
            "TimeLimit.truncated": bool(cut),
            "match_index": int(batch.final_match_index[lane]),
            "episode": {"r": float(self._returns[lane]), "l": int(self._lengths[lane]), "t": seconds},
        }
        self._returns[lane], self._lengths[lane] = 0.0, 0
        return info
