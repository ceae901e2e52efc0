"""Learn with MaskablePPO of sb3-contrib over the lanes of a batch, against a built-in bot.

Needs `pip install gymnasium sb3-contrib stable-baselines3`. Prints one line per rollout, and the win rate
before and after on matches that training did not use. `--single` learns through single environments on raw
bytes instead, to compare.
"""

import argparse
import time
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from sengoku.gymnasium import LearnerEnv
from sengoku.stable_baselines3 import LaneVecEnv

TEST_SEED = 1_000_003


class Progress(BaseCallback):
    """Prints the mean return of the last matches after every rollout, and stops when the time is up."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.begun, self.seconds = time.monotonic(), seconds

    def _on_step(self) -> bool:
        return time.monotonic() - self.begun < self.seconds

    def _on_rollout_end(self) -> None:
        returns = [info["r"] for info in self.model.ep_info_buffer or []]
        mean = np.mean(returns) if returns else float("nan")
        seconds = time.monotonic() - self.begun
        print(f"{self.num_timesteps:>9} decisions  {seconds:6.1f} s  mean return {mean:+.3f}", flush=True)


def win_rate(model: MaskablePPO, options: dict[str, Any], matches: int, observation: str) -> float:
    """Play matches that training does not see, and return the share that the learner wins."""
    env = LaneVecEnv(**options | {"lanes": matches, "seed": TEST_SEED, "observation": observation})
    seen, returns = env.reset(), np.full(matches, np.nan)
    while np.isnan(returns).any():
        actions, _ = model.predict(seen, action_masks=get_action_masks(env), deterministic=False)
        seen, rewards, dones, _ = env.step(actions)
        first = dones & np.isnan(returns)
        returns[first] = rewards[first]
    env.close()
    return float((returns > 0).mean())


class Flat(LearnerEnv):
    """The single environment with its bytes as the whole observation, as MlpPolicy takes it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.observation_space = self.observation_space["observation"]

    def _observed(self) -> Any:
        return super()._observed()["observation"]


def main() -> None:
    """Train for some seconds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="battles")
    parser.add_argument("--scenario", type=int, default=2, help="scenario of battles")
    parser.add_argument("--learner", type=int, default=1, help="seat that learns")
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--lanes", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--matches", type=int, default=200, help="matches of each evaluation")
    parser.add_argument("--single", action="store_true", help="single environments on raw bytes")
    parser.add_argument("--save", help="file for the model")
    wanted = parser.parse_args()
    torch.manual_seed(1)
    setup = {"scenario": wanted.scenario} if wanted.game == "battles" else {}
    options: dict[str, Any] = {
        "game": wanted.game,
        "bots": [wanted.bot],
        "learner": wanted.learner,
        "setup": setup,
        "seed": 1,
    }
    env: VecEnv
    if wanted.single:
        env = DummyVecEnv([lambda seed=seed: Flat(**options | {"seed": seed}) for seed in range(8)])
        steps = 256
    else:
        env, steps = LaneVecEnv(**options, lanes=wanted.lanes), 2048 // wanted.lanes * 4
    observation = "bytes" if wanted.single else "features"
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=steps, batch_size=512, n_epochs=4, seed=1, device="cpu", verbose=0
    )
    print(
        f"before: {win_rate(model, options, wanted.matches, observation):.1%} of {wanted.matches} matches won"
    )
    model.learn(10**12, callback=Progress(wanted.seconds))
    print(
        f"after:  {win_rate(model, options, wanted.matches, observation):.1%} of {wanted.matches} matches won"
    )
    if wanted.save:
        model.save(wanted.save)


if __name__ == "__main__":
    main()
