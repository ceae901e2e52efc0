"""The environments pass PettingZoo's own tests, and are the match of the same seed and actions."""

import pickle
import random
import warnings
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
    state_test,
)
from pettingzoo.utils.conversions import parallel_to_aec

from interfaces.tables import CAP, SHORT, TABLES, Table
from sengoku import Match, games
from sengoku.engine.environment import RENDER_MODES
from sengoku.errors import ArgumentError, IllegalActionError, MatchOverError, SetupError
from sengoku.pettingzoo import MatchEnv, env, parallel_env, raw_env

OF_THEIRS = (
    "Observation is not a NumPy array",  # they want dictionaries with a mask, but only know their own by name
    "Observation space for each agent probably should be gymnasium.spaces.box",  # for the same reason
    "Action mask numpy array is all zeros",  # nothing is legal at the end
)


@pytest.fixture
def their_remarks() -> Any:
    """Leaves out what PettingZoo says about every environment with masks that is not its own."""
    with warnings.catch_warnings():
        for remark in OF_THEIRS:
            warnings.filterwarnings("ignore", remark, UserWarning)
        yield


@pytest.mark.usefixtures("their_remarks")
@pytest.mark.parametrize("table", TABLES)
def test_api(table: Table) -> None:
    api_test(env(table.game, **table.options), num_cycles=300)


@pytest.mark.parametrize("table", SHORT)
def test_seeds(table: Table) -> None:
    seed_test(partial(env, table.game, **table.options), num_cycles=200)
    parallel_seed_test(partial(parallel_env, table.game, **table.options), num_cycles=50)


@pytest.mark.parametrize("table", TABLES)
def test_parallel_api(table: Table) -> None:
    parallel_api_test(parallel_env(table.game, **table.options), num_cycles=300)


@pytest.mark.parametrize("table", TABLES)
def test_max_cycles(table: Table) -> None:
    """Theirs is for environments in which all agents step equally often."""
    parallel = partial(parallel_env, table.game, **table.options)
    max_cycles_test(
        SimpleNamespace(parallel_env=parallel, env=lambda **more: parallel_to_aec(parallel(**more)))
    )


@pytest.mark.parametrize("table", SHORT)
def test_state(table: Table) -> None:
    state_test(env(table.game, **table.options), parallel_env(table.game, **table.options))


@pytest.mark.parametrize("table", SHORT)
def test_render(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    custom = {"ansi": lambda text: len(text) > 100, "svg": lambda text: text.lstrip().startswith("<svg")}
    render_test(partial(env, table.game, **table.options), custom)
    assert len(capsys.readouterr().out) > 1000  # human


def rollout(table: Table, choose: random.Random, **more: Any) -> tuple[MatchEnv, list[tuple[str, int]]]:
    """Plays to the end with legal actions; checks each observation against the match itself."""
    environment = raw_env(table.game, **table.options, **more)
    environment.reset()
    done: list[tuple[str, int]] = []
    match = Match.create(table.game, seats=table.seats, seed=environment.match.seed, setup=table.setup)
    for agent in environment.agent_iter():
        seen, reward, terminated, truncated, info = environment.last()
        if terminated or truncated:
            assert match.outcome is not None
            seat = environment.possible_agents.index(agent)
            assert reward == match.outcome.rewards[seat]
            assert (terminated, truncated) == (match.outcome.by_rule, not match.outcome.by_rule)
            assert info["rank"] == match.outcome.ranks[seat]
            environment.step(None)
            continue
        assert agent == f"seat_{match.to_act}"
        assert (reward, info) == (0, {})
        assert seen is not None
        assert (seen["observation"] == match.observe(match.to_act or 0)).all()
        assert (seen["action_mask"] == match.legal_mask()).all()
        action = choose.choice(np.flatnonzero(seen["action_mask"]).tolist())
        environment.step(action)
        match.play(action)
        done.append((agent, action))
    assert environment.agents == []
    assert environment.match.digest == match.digest
    return environment, done


@pytest.mark.parametrize("table", TABLES)
def test_an_environment_is_the_match_of_its_seed(table: Table) -> None:
    played = [rollout(table, random.Random(seed), seed=seed)[0].match for seed in (3, 4)]
    assert played[0].digest != played[1].digest
    assert all(sum(match.outcome.rewards) == pytest.approx(0) for match in played if match.outcome)


@pytest.mark.parametrize("table", SHORT)
def test_parallel_and_turn_by_turn_are_the_same_match(table: Table) -> None:
    turns, done = rollout(table, random.Random(5), seed=5)
    parallel = parallel_env(table.game, **table.options, seed=5)
    seen, _ = parallel.reset()
    passing = parallel.action_space("seat_0").n - 1  # type: ignore[attr-defined]
    for number, (agent, action) in enumerate(done):
        for other in parallel.agents:
            assert seen[other]["action_mask"][passing] == (other != agent)
            assert seen[other]["action_mask"][:-1].any() == (other == agent)
        actions = dict.fromkeys(parallel.agents, passing) | {agent: action}
        seen, rewards, terminated, truncated, infos = parallel.step(actions)
        assert (not parallel.agents) == (number == len(done) - 1)
    outcome = turns.match.outcome
    assert outcome is not None
    assert list(rewards.values()) == list(outcome.rewards)
    assert set(terminated.values()) == {outcome.by_rule} != set(truncated.values())
    assert [info["rank"] for info in infos.values()] == list(outcome.ranks)
    assert parallel.match.digest == turns.match.digest
    assert parallel.step({}) == ({}, {}, {}, {}, {})


@pytest.mark.parametrize("table", SHORT)
def test_seeds_and_numbers_of_matches(table: Table) -> None:
    environment = raw_env(table.game, **table.options, seed=9)
    for number in range(3):
        environment.reset()
        assert (environment.match.seed, environment.match.match_index) == (9, number)
    environment.reset(seed=4)
    assert (environment.match.seed, environment.match.match_index) == (4, 0)
    environment.reset()
    assert (environment.match.seed, environment.match.match_index) == (4, 1)
    environment.reset(options={"match_index": 7, "setup": {"max_rounds": 1}})
    assert (environment.match.match_index, environment.match.setup) == (7, {"max_rounds": 1})
    environment.reset()
    assert (environment.match.match_index, environment.match.setup) == (8, table.setup)
    before = environment.match
    with pytest.raises(ArgumentError):
        environment.reset(seed=-1)
    with pytest.raises(SetupError):
        environment.reset(options={"setup": {"max_rounds": "many"}})
    assert environment.match is before
    environment.reset()
    assert environment.match.match_index == 9


@pytest.mark.parametrize("table", SHORT)
def test_what_is_illegal_is_refused_and_changes_nothing(table: Table) -> None:
    environment = env(table.game, **table.options)
    environment.reset(seed=1)
    agent, seen = environment.agent_selection, environment.observe(environment.agent_selection)
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    before = environment.unwrapped.match.save()
    for action, error in [
        (illegal, IllegalActionError),
        (environment.action_space(agent).n, IllegalActionError),
        (-1, ArgumentError),
        (None, ArgumentError),
        ("march", TypeError),
    ]:
        with pytest.raises(error):
            environment.step(action)
    assert (environment.agent_selection, environment.unwrapped.match.save()) == (agent, before)
    with pytest.raises(ArgumentError, match="seat_9"):
        environment.observe("seat_9")


@pytest.mark.parametrize("table", SHORT)
def test_all_agents_step_or_none(table: Table) -> None:
    parallel = parallel_env(table.game, **table.options)
    parallel.reset(seed=1)
    before = parallel.match.save()
    passing = parallel.action_space("seat_0").n - 1  # type: ignore[attr-defined]
    decides = f"seat_{parallel.match.to_act}"
    legal = int(np.flatnonzero(parallel.match.legal_mask())[0])
    passes = dict.fromkeys(parallel.agents, passing)
    other = next(agent for agent in parallel.agents if agent != decides)
    for actions, error in [
        (passes, IllegalActionError),  # the seat that decides cannot pass
        (passes | {decides: legal, other: legal}, IllegalActionError),
        ({decides: legal}, ArgumentError),
        (passes | {decides: legal, "seat_9": passing}, ArgumentError),
        (passes | {decides: "march"}, TypeError),
    ]:
        with pytest.raises(error):
            parallel.step(actions)
        assert parallel.match.save() == before
    parallel.step(passes | {decides: legal})
    assert parallel.match.decisions == 1


@pytest.mark.parametrize("table", SHORT)
def test_a_match_that_takes_too_long_is_truncated(table: Table) -> None:
    environment = raw_env(table.game, **table.options, max_cycles=3)
    environment.reset()
    while not any(environment.truncations.values()):
        environment.step(environment.action_space(environment.agent_selection).sample())
    assert environment.match.decisions == 3 * table.seats
    assert all(environment.truncations.values())
    assert not any(environment.terminations.values())
    assert set(environment.rewards.values()) == {0}
    with pytest.raises(ValueError, match="None"):
        environment.step(0)
    for _ in range(table.seats):
        environment.step(None)
    with pytest.raises(MatchOverError):
        environment.step(None)


@pytest.mark.parametrize("table", SHORT)
def test_samples_are_legal_and_repeat(table: Table) -> None:
    def play() -> list[int]:
        environment = raw_env(table.game, **table.options, seed=3)
        environment.reset()
        done = []
        for _ in range(40):
            done.append(int(environment.action_space(environment.agent_selection).sample()))
            environment.step(done[-1])
        return done

    assert play() == play()


@pytest.mark.parametrize("table", SHORT)
def test_copies_go_their_own_way(table: Table) -> None:
    environment = raw_env(table.game, **table.options, seed=3)
    environment.reset()
    environment.step(environment.action_space(environment.agent_selection).sample())
    copy = pickle.loads(pickle.dumps(environment))  # noqa: S301 - our own bytes
    before = environment.match.digest
    for _ in range(20):
        copy.step(copy.action_space(copy.agent_selection).sample())
    assert environment.match.digest == before
    for _ in range(20):  # the spaces were copied as they stood
        environment.step(environment.action_space(environment.agent_selection).sample())
    assert environment.match.digest == copy.match.digest
    alone = pickle.loads(pickle.dumps(environment.action_space("seat_0")))  # noqa: S301
    assert alone == environment.action_space("seat_0") == Discrete(alone.n)
    assert len({int(alone.sample()) for _ in range(50)} - set(np.flatnonzero(environment.match.legal_mask())))


@pytest.mark.parametrize("game", games())
def test_names_and_spaces(game: Any) -> None:
    environment = env(game.name, render_mode="ansi")
    assert str(environment) == f"sengoku_{game.name}_v{game.rules_version}"
    assert environment.metadata["render_modes"] == list(RENDER_MODES)
    assert environment.possible_agents == [f"seat_{seat}" for seat in range(game.seats[0])]
    assert environment.action_space("seat_0").n == game.action_count
    assert environment.observation_space("seat_0")["observation"].shape == (game.observation_size,)
    assert environment.state_space.shape == (game.seats[0] * game.observation_size,)


def test_wrong_tables_are_refused() -> None:
    for options, field in [
        ({"game": "chess"}, "game"),
        ({"seats": 9}, "seats"),
        ({"seed": -1}, "seed"),
        ({"setup": {"max_rounds": "many"}}, "max_rounds"),
        ({"max_cycles": 0}, "max_cycles"),
        ({"render_mode": "film"}, "render_mode"),
    ]:
        for kind in (env, raw_env, parallel_env):
            with pytest.raises((ArgumentError, SetupError)) as refused:
                kind(**options)  # type: ignore[operator]
            assert refused.value.details["field"] == field


def test_nothing_can_be_done_before_the_first_reset() -> None:
    environment = raw_env(render_mode="svg")
    for request in (environment.state, environment.render, lambda: environment.step(0)):
        with pytest.raises(ResetNeeded):
            request()
    environment.action_space("seat_0").sample()  # of the whole table
    environment.close()


def test_looking_without_a_mode_is_only_remarked() -> None:
    environment = raw_env("battles")
    environment.reset()
    with pytest.warns(UserWarning, match="render_mode is None"):
        assert environment.render() is None


def test_a_position_that_is_over_begins_with_the_end() -> None:
    match = Match.create("swords", seed=2, setup=CAP)
    choose = random.Random(1)
    while not match.over:
        match.play(choose.choice(match.legal_actions()))
    setup = CAP | {"position": match.state()}
    environment = raw_env("swords", setup=setup)
    environment.reset()
    assert match.outcome is not None
    assert list(environment.rewards.values()) == list(match.outcome.rewards)
    assert all(environment.truncations.values())
    parallel = parallel_env("swords", setup=setup)
    parallel.reset()
    assert parallel.agents == []
