"""The vectorised environment of Stable-Baselines3 and its learner, in an environment of its own.

PyTorch is several gigabytes, so it is not among what `make setup` installs: these tests are in the system
tier, run where the packages are installed, and are skipped elsewhere.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")
pytestmark = pytest.mark.system

from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3.common.env_checker import check_env  # noqa: E402
from stable_baselines3.common.vec_env import VecCheckNan, VecMonitor  # noqa: E402

from sengoku import BatchEnv, games  # noqa: E402
from sengoku.errors import ArgumentError  # noqa: E402
from sengoku.gymnasium import LearnerEnv  # noqa: E402
from sengoku.stable_baselines3 import LaneVecEnv  # noqa: E402

EXAMPLE = Path(__file__).parents[2] / "examples" / "python" / "train_sb3.py"


@pytest.mark.parametrize("game", [game.name for game in games()])
def test_the_checker_of_the_library_passes(game: str) -> None:
    check_env(LearnerEnv(game, bots=["random"], observation="features"), skip_render_check=True)


@pytest.mark.parametrize("game", [game.name for game in games()])
def test_lanes_are_those_of_a_batch(game: str) -> None:
    lanes, setup = 6, {"max_rounds": 1}
    env = LaneVecEnv(game, lanes, bots=["random"], seed=7, setup=setup)
    checked = VecCheckNan(VecMonitor(env), raise_exception=True)
    bots = dict.fromkeys(range(1, env.batch.seats), "random")
    plain = BatchEnv(
        game, lanes, bots=bots, seed=7, setup=setup, observation="features", autoreset="same_step",
        skip_forced=True,
    )  # fmt: skip
    seen, returns, ended = checked.reset(), np.zeros(lanes), 0
    plain.reset()
    assert is_masking_supported(checked)
    for _ in range(1500):
        while (idle := plain.seat < 0).any():
            plain.reset(idle)
        assert checked.observation_space.contains(seen[0])
        assert np.array_equal(seen, plain.observation)
        masks = get_action_masks(checked)
        assert np.array_equal(masks, plain.legal)
        actions = plain.sample_actions()
        seen, rewards, dones, infos = checked.step(actions)
        plain.step(actions)
        returns += rewards
        assert np.array_equal(rewards, plain.reward[:, 0])
        assert np.array_equal(dones, plain.done)
        for lane in np.flatnonzero(dones):
            assert np.array_equal(infos[lane]["terminal_observation"], plain.final_observation[lane])
            assert infos[lane]["episode"]["r"] == pytest.approx(returns[lane])
            assert infos[lane]["match_index"] == plain.final_match_index[lane]
            assert not infos[lane]["TimeLimit.truncated"]
            returns[lane], ended = 0.0, ended + 1
        if ended > 20:
            break
    assert ended > 5
    assert checked.seed(5) == [5] * lanes
    first = checked.reset().copy()
    checked.seed(5)
    assert np.array_equal(checked.reset(), first)
    with pytest.raises(ArgumentError, match="lanes have no attributes"):
        env.set_attr("learner", 1)
    with pytest.raises(AttributeError, match="there is action_masks"):
        env.env_method("render")
    assert env.env_is_wrapped(VecMonitor, [0, 2]) == [False, False]
    checked.close()


def test_a_cut_match_is_no_end() -> None:
    env = LaneVecEnv("battles", 2, bots=["random"], seed=7, max_decisions=30)
    env.reset()
    for _ in range(60):
        _, rewards, dones, infos = env.step(env.batch.sample_actions())
        for lane in np.flatnonzero(dones):
            assert infos[lane]["TimeLimit.truncated"]
            assert rewards[lane] == 0.0
    env.close()


@pytest.mark.parametrize("how", [[], ["--single"]])
def test_the_example_trains(how: list[str]) -> None:
    command = [sys.executable, str(EXAMPLE), "--seconds", "20", "--matches", "20", "--bot", "random", *how]
    out = subprocess.run(command, capture_output=True, text=True, timeout=900, check=True).stdout
    assert "mean return" in out
    assert out.count("matches won") == 2
