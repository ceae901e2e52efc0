"""Features, skipped decisions and shaped rewards through the environments of Gymnasium and PettingZoo."""

import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

from interfaces.tables import SHORT, Table
from sengoku import Match, features
from sengoku.errors import ArgumentError
from sengoku.gymnasium import LearnerEnv, LearnerVectorEnv
from sengoku.pettingzoo import env, parallel_env, raw_env

OPTIONS: dict[str, Any] = {
    "observation": "features", "skip_forced": True, "shaping": 0.5, "discount": 0.9,
}  # fmt: skip


@pytest.mark.parametrize("table", SHORT)
def test_their_checks_pass(table: Table) -> None:
    check_env(LearnerEnv(table.game, bots=["random"], **table.options, **OPTIONS), skip_render_check=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        api_test(env(table.game, **table.options, **OPTIONS), num_cycles=100)
        parallel_api_test(parallel_env(table.game, **table.options, **OPTIONS), num_cycles=50)


@pytest.mark.parametrize("table", SHORT)
def test_learners_see_features(table: Table) -> None:
    described = features(table.game)
    one = LearnerEnv(table.game, bots=["random"], **table.options, observation="features", seed=3)
    many = LearnerVectorEnv(table.game, 3, bots=["random"], **table.options, observation="features", seed=3)
    seen, _ = one.reset()
    rows, _ = many.reset()
    assert one.observation_space.contains(seen)
    assert many.single_observation_space["observation"].shape == (described.width,)  # type: ignore[index]
    assert np.array_equal(seen["observation"], rows["observation"][0])
    assert np.array_equal(described.decode(seen["observation"]), one.batch.observation_bytes[0])
    one.close()
    many.close()


@pytest.mark.parametrize("table", SHORT)
def test_agents_play_the_same_match(table: Table) -> None:
    plain = raw_env(table.game, **table.options, seed=5)
    other = raw_env(table.game, **table.options, seed=5, **OPTIONS | {"discount": 1.0})
    for one in (plain, other):
        one.reset()
    described, asked, returns = features(table.game), 0, np.zeros(len(plain.possible_agents))
    start = np.array(plain.match._core.leads())
    while not other.match.over:
        agent = other.agent_selection
        seen = other.observe(agent)
        seat = other.possible_agents.index(agent)
        assert np.array_equal(described.decode(seen["observation"]), other.match.observe(seat))
        legal = np.flatnonzero(seen["action_mask"])
        assert len(legal) > 1
        while len(forced := np.flatnonzero(plain.observe(plain.agent_selection)["action_mask"])) == 1:
            plain.step(forced[0])
        assert plain.agent_selection == agent
        for one in (plain, other):
            one.step(legal[asked % len(legal)])
        asked += 1
        returns += list(other.rewards.values())
    while not plain.match.over:
        plain.step(np.flatnonzero(plain.observe(plain.agent_selection)["action_mask"])[0])
    assert other.match.digest == plain.match.digest
    assert other.skipped + asked == plain.match.decisions
    outcome = plain.match.outcome
    assert outcome is not None
    assert returns == pytest.approx(np.array(outcome.rewards) - 0.5 * start, abs=1e-5)
    assert other.state().shape == other.state_space.shape
    assert other.state_space.contains(other.state())
    copied = pickle.loads(pickle.dumps(other))  # noqa: S301 - its own bytes
    assert copied.features is described


def test_wrong_options_are_refused() -> None:
    for make in (raw_env, parallel_env):
        with pytest.raises(ArgumentError, match="observation is 'pixels'"):
            make("battles", observation="pixels")
        with pytest.raises(ArgumentError, match="discount is 2"):
            make("battles", discount=2.0)
    with pytest.raises(ArgumentError, match="shaping"):
        LearnerEnv("battles", shaping=float("inf"))
    assert Match.create("battles")._core.leads() == [0.0, 0.0]
