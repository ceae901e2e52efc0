"""The environments pass Gymnasium's own checks, and are the matches of the same seed and actions."""

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import (
    check_env,
    check_reset_options,
    check_reset_return_type,
    check_reset_seed_determinism,
    check_space_limit,
)
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as vector_wrappers

from interfaces.tables import CAP, SHORT, TABLES, Table
from sengoku import games
from sengoku.engine.environment import RENDER_MODES
from sengoku.errors import ArgumentError, IllegalActionError, MatchOverError, NotReadyError, SetupError
from sengoku.gymnasium import LearnerEnv, LearnerVectorEnv


def check_returned_data_not_reused(environment: Any) -> None:
    """Check that a step does not write into what the calls before it returned."""
    returned, _ = environment.reset(seed=1)
    kept = {name: array.copy() for name, array in returned.items()}
    for _ in range(3):
        environment.step(environment.action_space.sample())
    assert all((returned[name] == kept[name]).all() for name in kept)


NAMES = {game.name: f"sengoku/{game.name}-v{game.rules_version}" for game in games()}
MODES = list(AutoresetMode)


def single(table: Table, **more: Any) -> LearnerEnv:
    return LearnerEnv(table.game, **table.options, **({"bots": ["random"]} | more))


def lanes(table: Table, number: int = 5, **more: Any) -> LearnerVectorEnv:
    return LearnerVectorEnv(table.game, number, **table.options, **({"bots": ["random"]} | more))


@pytest.mark.parametrize("game", NAMES)
def test_their_check_of_the_registered_environment(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With every render mode and whatever actions it samples; any remark of theirs is an error here."""
    check_env(gymnasium.make(NAMES[game]).unwrapped)
    assert capsys.readouterr().out  # human


@pytest.mark.parametrize("table", TABLES)
def test_their_check_of_tables(table: Table) -> None:
    for learner in {0, table.seats - 1}:
        options = {"learner": learner, "bots": ["random"], **table.options}
        check_env(gymnasium.make(NAMES[table.game], **options).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("table", SHORT)
@pytest.mark.parametrize("mode", MODES)
def test_their_checks_of_the_vector_environment(table: Table, mode: AutoresetMode) -> None:
    """Those of their checks that know no single environment; they have none for vectors alone."""
    environment: Any = lanes(table, autoreset_mode=mode)
    check_space_limit(environment.observation_space, "observation")
    check_reset_return_type(environment)
    check_reset_seed_determinism(environment)
    check_reset_options(environment)
    one: Any = lanes(table, 1, autoreset_mode=mode)
    check_returned_data_not_reused(one)
    assert environment.metadata["autoreset_mode"] is mode


@pytest.mark.parametrize("table", SHORT)
def test_a_vector_environment_is_made_by_name(table: Table) -> None:
    environment = gymnasium.make_vec(NAMES[table.game], num_envs=3, **table.options)
    assert isinstance(environment, LearnerVectorEnv)
    assert environment.num_envs == 3
    assert environment.single_action_space.n == environment.action_space.nvec[0]  # type: ignore[attr-defined]
    wrapped = vector_wrappers.DictInfoToList(vector_wrappers.RecordEpisodeStatistics(environment))
    seen, infos = wrapped.reset(seed=3)
    assert seen in environment.observation_space
    assert [info["match_index"] for info in infos] == [0, 1, 2]
    ends = 0
    for _ in range(3000):
        seen, rewards, terminated, truncated, infos = wrapped.step(environment.action_space.sample())
        for lane in np.flatnonzero(terminated | truncated):
            ends += 1
            assert infos[lane]["episode"]["r"] == rewards[lane]
            assert 1 <= infos[lane]["rank"] <= table.seats
        if ends >= 6:
            break
    assert ends >= 6
    environment.close()
    environment.close()


def played(environment: LearnerEnv, choose: np.random.Generator) -> tuple[float, dict[str, Any], int]:
    """Plays on to the end of a match that was begun."""
    mask = environment.action_space.legal()  # type: ignore[attr-defined]
    for steps in range(1, 100_000):
        seen, reward, terminated, truncated, info = environment.step(choose.choice(np.flatnonzero(mask)))
        mask = seen["action_mask"]
        if terminated or truncated:
            assert not mask.any()
            return reward, info | {"terminated": terminated}, steps
        assert (reward, info) == (0, {"illegal": False})
    raise AssertionError("no end")


@pytest.mark.parametrize("table", TABLES)
def test_rewards_are_those_of_the_outcome(table: Table) -> None:
    environment = single(table, seed=5, render_mode="ansi", learner=table.seats - 1)
    for number in range(2):
        _, info = environment.reset()
        assert info == {"match_index": number}
        reward, end, _ = played(environment, np.random.default_rng(number))
        match = environment.batch.match(0)
        assert match.outcome is not None
        assert (match.seed, match.match_index) == (5, number)
        assert reward == pytest.approx(match.outcome.rewards[-1])
        assert end["terminated"] == match.outcome.by_rule
        assert (end["rank"], end["reason"]) == (match.outcome.ranks[-1], match.outcome.reason)
        with pytest.raises(MatchOverError):
            environment.step(0)


@pytest.mark.parametrize("table", SHORT)
def test_a_lane_is_the_match_of_its_number(table: Table) -> None:
    """Whatever the number of lanes and threads, and as the single environment plays it."""
    alone = lanes(table, 1, seed=7)
    many = lanes(table, 6, seed=7, threads=2)
    one = single(table, seed=7)
    (few, _), (all_seen, _), (seen, _) = alone.reset(), many.reset(), one.reset()
    for _ in range(50):
        choice = many.action_space.sample()
        for name in ("observation", "action_mask"):
            assert (few[name][0] == all_seen[name][0]).all()
            assert (few[name][0] == seen[name]).all()  # type: ignore[literal-required]
        few, *end = alone.step(choice[:1])
        all_seen, *ends = many.step(choice)
        seen, *_ = one.step(choice[0])
        assert [array[0] for array in end[:3]] == [array[0] for array in ends[:3]]
        if end[1][0] or end[2][0]:
            break


@pytest.mark.parametrize("table", SHORT)
@pytest.mark.parametrize("mode", MODES)
def test_what_becomes_of_lanes_at_the_end(table: Table, mode: AutoresetMode) -> None:
    environment = lanes(table, 3, autoreset_mode=mode, seed=2)
    seen, infos = environment.reset()
    for _ in range(5000):
        seen, rewards, terminated, truncated, infos = environment.step(environment.action_space.sample())
        done = terminated | truncated
        if done.any():
            break
    lane = int(np.flatnonzero(done)[0])
    if mode is AutoresetMode.SAME_STEP:
        assert infos["_final_obs"][lane]
        assert infos["final_obs"][lane] in environment.single_observation_space
        assert infos["final_info"]["match_index"][lane] == lane
        assert infos["match_index"][lane] == lane + 3
        assert seen["action_mask"][lane].any()
        return
    assert infos["_rank"].tolist() == done.tolist()
    assert infos["match_index"][lane] == lane
    assert not seen["action_mask"][lane].any()
    if mode is AutoresetMode.NEXT_STEP:
        seen, rewards, *ends, infos = environment.step(environment.action_space.sample())
        assert (rewards[lane], ends[0][lane], ends[1][lane]) == (0, False, False)
    else:
        _, rewards, *ends, _ = environment.step(environment.action_space.sample())
        assert rewards[lane] == 0
        assert ends[0][lane] or ends[1][lane]
        seen, infos = environment.reset(options={"reset_mask": done})
    assert infos["match_index"][lane] == lane + 3
    assert seen["action_mask"][lane].any()


@pytest.mark.parametrize("table", SHORT)
def test_illegal_actions(table: Table) -> None:
    environment = single(table)
    seen, _ = environment.reset(seed=1)
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    again, reward, terminated, truncated, info = environment.step(illegal)
    assert (reward, terminated, truncated, info) == (0, False, False, {"illegal": True})
    for name in ("observation", "action_mask"):
        assert (again[name] == seen[name]).all()  # type: ignore[literal-required]
    assert (environment.action_masks() == seen["action_mask"]).all()
    with pytest.raises(IllegalActionError):
        environment.step(len(seen["action_mask"]))  # no action of the space
    strict = single(table, strict=True)
    strict.reset(seed=1)
    with pytest.raises(IllegalActionError):
        strict.step(illegal)
    many = lanes(table)
    first, _ = many.reset(seed=1)
    actions = many.action_space.sample()
    actions[3] = int(np.flatnonzero(first["action_mask"][3] == 0)[0])
    with pytest.raises(IllegalActionError) as refused:
        many.step(actions)
    assert refused.value.details["lane"] == "3"
    assert (many.batch.observation == first["observation"]).all()


@pytest.mark.parametrize("table", SHORT)
def test_arrays_without_copies(table: Table) -> None:
    environment = lanes(table, copy=False)
    seen, _ = environment.reset()
    later, *_ = environment.step(environment.action_space.sample())
    assert np.shares_memory(seen["observation"], later["observation"])
    assert np.shares_memory(seen["action_mask"], later["action_mask"])


@pytest.mark.parametrize("table", SHORT)
def test_looking(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    kinds = {"ansi": str, "svg": str, "rgb_array": np.ndarray, "human": type(None)}
    assert set(kinds) == set(RENDER_MODES)
    for mode, kind in kinds.items():
        environment = single(table, render_mode=mode)
        environment.reset()
        environment.step(environment.action_space.sample())
        assert isinstance(environment.render(), kind)
    assert len(capsys.readouterr().out) > 300
    many = lanes(table, 2, render_mode="svg")
    many.reset()
    frames = many.render()
    assert len(frames) == 2
    assert frames[0] == many.batch.match(0).picture(0)
    with pytest.warns(UserWarning, match="render_mode is None"):
        assert lanes(table).render() is None


@pytest.mark.parametrize("table", SHORT)
def test_a_match_that_takes_too_long_is_truncated(table: Table) -> None:
    environment = single(table, max_decisions=10)
    environment.reset()
    reward, end, _ = played(environment, np.random.default_rng(1))
    assert (reward, end["terminated"], "rank" in end) == (0, False, False)


def test_the_learner_meets_its_bots() -> None:
    environment = LearnerEnv("swords", seats=4, learner=2, bots=["greedy", "random"])
    assert environment.batch.bots == {0: "greedy", 1: "random", 3: "random"}
    assert environment.batch.learners == (2,)
    environment.reset()
    assert environment.batch.seat[0] == 2


def test_a_space_alone_samples_from_the_whole_table() -> None:
    many = LearnerVectorEnv("battles", 4, bots=["random"])
    many.reset()
    alone = pickle.loads(pickle.dumps(many.action_space))  # noqa: S301 - our own bytes
    assert alone == many.action_space
    assert alone.sample() in many.action_space
    masks = tuple(many.batch.legal.astype(np.int8))
    assert many.batch.legal[range(4), alone.sample(mask=masks)].all()


def test_environments_in_other_processes() -> None:
    environment = gymnasium.make_vec(
        NAMES["battles"], num_envs=2, vectorization_mode="async", bots=["random"], setup=CAP
    )
    seen, _ = environment.reset(seed=3)
    assert seen in environment.observation_space
    actions = np.array([np.flatnonzero(mask)[0] for mask in seen["action_mask"]])
    environment.step(actions)
    environment.close()


def test_wrong_wishes_are_refused() -> None:
    for options, field in [
        ({"game": "chess"}, "game"),
        ({"seats": 9}, "seats"),
        ({"learner": 2}, "learner"),
        ({"learner": -1}, "learner"),
        ({"bots": []}, "bots"),
        ({"bots": ["random", "random"]}, "bots"),
        ({"bots": ["nobody"]}, "bots"),
        ({"seed": -1}, "seed"),
        ({"setup": {"max_rounds": "many"}}, "max_rounds"),
        ({"render_mode": "film"}, "render_mode"),
        ({"max_decisions": 0}, "max_decisions"),
    ]:
        for kind in (LearnerEnv, LearnerVectorEnv):
            with pytest.raises((ArgumentError, SetupError)) as refused:
                kind(**options)  # type: ignore[arg-type]
            assert refused.value.details["field"] == field
    with pytest.raises(TypeError):
        LearnerEnv(bots="random")
    with pytest.raises(ResetNeeded):
        LearnerEnv().step(0)
    with pytest.raises(NotReadyError):
        LearnerVectorEnv().step([0])
