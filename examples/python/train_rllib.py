"""Learn with RLlib's PPO: one learner against a built-in bot, or all seats with one shared policy.

Needs `pip install 'sengoku[rllib]' torch`. Prints one line per iteration: matches, mean reward, seconds.
"""

import argparse
import time

import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from sengoku import rllib
from sengoku.rllib.module import MaskedModule

SETUPS = {"tower": {"max_rounds": 1}, "swords": {"max_rounds": 1}}
"""Short matches, so that a few minutes show a learning curve."""


def learner(game: str, bot: str, lanes: int) -> PPOConfig:
    """One learner against a bot, in many matches that compiled code steps together."""
    return (
        PPOConfig()
        .environment(
            rllib.LEARNER, env_config={"game": game, "bots": [bot], "seed": 1, "setup": SETUPS.get(game)}
        )
        .env_runners(
            num_env_runners=0, num_envs_per_env_runner=lanes, gym_env_vectorize_mode="vector_entry_point"
        )
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule, model_config={"hidden": [128]}))
    )


def all_seats(game: str) -> PPOConfig:
    """All seats learn, with one policy."""
    module = RLModuleSpec(module_class=MaskedModule, model_config={"hidden": [128]})
    return (
        PPOConfig()
        .environment(rllib.MATCH, env_config={"game": game, "seed": 1, "setup": SETUPS.get(game)})
        .env_runners(num_env_runners=0, num_envs_per_env_runner=1)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda *_, **__: "shared")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": module}))
    )


def main() -> None:
    """Train and print the learning curve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="tower")
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--all-seats", action="store_true")
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--steps", type=int, default=4000, help="decisions per iteration")
    parser.add_argument("--lanes", type=int, default=16)
    asked = parser.parse_args()
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    rllib.register()
    config = all_seats(asked.game) if asked.all_seats else learner(asked.game, asked.bot, asked.lanes)
    algorithm = config.training(
        train_batch_size_per_learner=asked.steps, minibatch_size=500, num_epochs=4, lr=3e-4, gamma=1.0,
        lambda_=0.95, entropy_coeff=0.01,
    ).build_algo()  # fmt: skip
    for iteration in range(asked.iterations):
        began = time.monotonic()
        found = algorithm.train()["env_runners"]
        matches, reward = found.get("num_episodes", 0), found.get("episode_return_mean", float("nan"))
        seconds = time.monotonic() - began
        print(f"{iteration + 1:3} {matches:6.0f} matches, mean reward {reward:+.3f}, {seconds:.1f} s")
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
