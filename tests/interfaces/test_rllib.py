"""RLlib's own checks of the environments, and what they promise beside them; training is in `system`."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

from sengoku import Match, games
from sengoku.errors import ArgumentError, IllegalActionError, MatchOverError
from sengoku.gymnasium import LearnerEnv, LearnerVectorEnv
from sengoku.rllib import MatchEnv, learner_env

EXAMPLE = Path(__file__).parents[2] / "examples" / "python" / "train_rllib.py"
SHORT: dict[str, Any] = {"game": "tower", "seats": 3, "seed": 7, "setup": {"max_rounds": 1}}


@pytest.mark.parametrize("game", [game.name for game in games()])
def test_the_checks_of_rllib_pass(game: str) -> None:
    check_multiagent_environments(MatchEnv({"game": game, "seed": 7}))


def test_a_match_is_the_match_of_its_seed() -> None:
    env, match = MatchEnv(SHORT), Match.create("tower", seats=3, seed=7, setup={"max_rounds": 1})
    seen, _ = env.reset()
    while not match.over:
        (agent,) = seen
        assert agent == f"seat_{match.to_act}"
        mask = seen[agent]["action_mask"]
        assert (mask == match.legal_mask()).all()
        assert (seen[agent]["observation"] == match.observe(match.to_act or 0)).all()
        action = int(np.flatnonzero(mask)[0])
        match.play(action)
        seen, rewards, terminated, truncated, infos = env.step({agent: action})
    outcome = match.outcome
    assert outcome is not None
    assert list(rewards.values()) == list(outcome.rewards)
    assert terminated["__all__"] != truncated["__all__"]
    assert infos["seat_1"]["rank"] == outcome.ranks[1]
    assert env.match.digest == match.digest
    with pytest.raises(MatchOverError):
        env.step({"seat_0": 0})


def test_what_is_not_possible_is_refused_and_changes_nothing() -> None:
    env = MatchEnv(SHORT)
    (agent,) = env.reset()[0]
    before = env.match.digest
    illegal = int(np.flatnonzero(~env.match.legal_mask())[0])
    with pytest.raises(IllegalActionError):
        env.step({agent: illegal})
    with pytest.raises(ArgumentError, match=f"expected one of {agent}"):
        env.step({"seat_9": 0})
    assert env.match.digest == before


def test_a_limit_truncates_without_rewards() -> None:
    env = MatchEnv(SHORT | {"max_decisions": 2})
    seen, _ = env.reset()
    for _ in range(2):
        (agent,) = seen
        seen, rewards, _, truncated, _ = env.step({agent: int(np.flatnonzero(seen[agent]["action_mask"])[0])})
    assert truncated["__all__"]
    assert set(rewards.values()) == {0.0}


def test_the_learner_is_batched_where_rllib_asks_for_several() -> None:
    with_one, with_many = (
        learner_env(SHORT | {"bots": ["random"]}),
        learner_env(SHORT | {"bots": ["random"], "num_envs": 4}),
    )
    assert isinstance(with_one, LearnerEnv)
    assert isinstance(with_many, LearnerVectorEnv)
    assert with_many.num_envs == 4


@pytest.mark.system
@pytest.mark.parametrize("how", [[], ["--all-seats"]])
def test_the_example_trains(how: list[str]) -> None:
    pytest.importorskip("torch")
    command = [sys.executable, str(EXAMPLE), "--iterations", "2", "--steps", "1000", *how]
    out = subprocess.run(command, capture_output=True, text=True, timeout=900, check=True).stdout
    assert len([line for line in out.splitlines() if "mean reward" in line]) == 2
