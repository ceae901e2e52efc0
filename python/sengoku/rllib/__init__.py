"""Environments for RLlib, on its new API stack; needs the extra `sengoku[rllib]` and, to train, torch.

`learner_env` is the batched environment of one learner against built-in bots, `MatchEnv` a match of all
seats. Both have the legal actions as `action_mask`, which `sengoku.rllib.module.MaskedModule` respects.

>>> from ray.rllib.utils.pre_checks.env import check_multiagent_environments
>>> check_multiagent_environments(MatchEnv({"game": "battles", "seed": 7}))
"""

from sengoku.rllib.environments import MatchEnv, learner_env

__all__ = ["LEARNER", "MATCH", "MatchEnv", "learner_env", "register"]

LEARNER, MATCH = "sengoku_learner", "sengoku_match"
"""The names of `learner_env` and `MatchEnv` in `config.environment(...)`."""


def register() -> None:
    """Make the environments known to RLlib as `LEARNER` and `MATCH`; call it where algorithms are built."""
    from ray.tune.registry import register_env  # noqa: PLC0415 - environments.py says what is missing

    register_env(LEARNER, learner_env)
    register_env(MATCH, MatchEnv)
