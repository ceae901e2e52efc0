"""Games pass OpenSpiel's own test, its algorithms play them, and a state is the match of its seed."""

import pickle
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import evaluate_bots, ismcts, mcts, random_agent
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

from interfaces.tables import SHORT, TABLES, Table
from sengoku import Match, games, spec
from sengoku.errors import ArgumentError, IllegalActionError, SetupError
from sengoku.openspiel import Game, State, load_game


def load(table: Table, **options: Any) -> Game:
    return load_game(table.game, **table.options, **options)


def begin(game: Game, number: int = 0) -> State:
    state = game.new_initial_state()
    state.apply_action(number)
    return state


@pytest.mark.parametrize("table", SHORT)
def test_their_simulation(table: Table) -> None:
    game = load_game(table.game, seats=table.seats, setup={"max_rounds": 1})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False, mask_test=True)


@pytest.mark.parametrize("table", TABLES)
def test_a_state_is_the_match_of_its_seed(table: Table) -> None:
    choose = random.Random(2)
    game = load(table, seed=2)
    state = game.new_initial_state()
    assert state.is_chance_node()
    assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
    assert not any(state.observation_tensor(0))
    state.apply_action(7)
    match = Match.create(table.game, seats=table.seats, seed=2, match_index=7, setup=table.setup)
    while not state.is_terminal():
        seat = match.to_act
        assert seat is not None
        assert state.current_player() == seat
        assert state.legal_actions() == np.flatnonzero(match.legal_mask()).tolist()
        assert state.legal_actions((seat + 1) % table.seats) == []
        if match.decisions % 50 == 0:
            assert state.observation_tensor(seat) == match.observe(seat).tolist()
            assert [state.action_to_string(one.index) for one in match.legal_actions()] == [
                str(one) for one in match.legal_actions()
            ]
        assert not any(state.returns())
        action = choose.choice(state.legal_actions())
        state.apply_action(action)
        match.play(action)
    assert match.outcome is not None
    assert state.match.digest == match.digest
    assert state.returns() == state.rewards() == list(match.outcome.rewards)
    assert (state.current_player(), state.legal_actions()) == (pyspiel.PlayerId.TERMINAL, [])


@pytest.mark.parametrize("table", SHORT)
def test_copies_and_texts_of_states(table: Table) -> None:
    choose = random.Random(3)
    game = load(table)
    state = begin(game, 5)
    for _ in range(30):
        state.apply_action(choose.choice(state.legal_actions()))
    for copy in (
        state.clone(),
        game.deserialize_state(state.serialize()),
        pickle.loads(pickle.dumps(state)),  # noqa: S301 - our own bytes
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
    ):
        assert str(copy) == str(state)
        assert copy.history() == state.history()
        for seat in range(table.seats):
            assert copy.information_state_string(seat) == state.information_state_string(seat)
        action = state.legal_actions()[-1]
        child = state.child(action)
        copy.apply_action(action)
        assert str(copy) == str(child) != str(state)


@pytest.mark.parametrize("table", SHORT)
def test_games_have_names(table: Table) -> None:
    game = load(table, seed=4, matches=10, max_game_length=500)
    for other in (
        pyspiel.load_game(str(game)),
        pickle.loads(pickle.dumps(game)),  # noqa: S301 - our own bytes
    ):
        assert str(other) == str(game)
        assert other.get_parameters() == game.get_parameters()
        assert str(begin(other, 3)) == str(begin(game, 3))
        assert (other.max_game_length(), other.max_chance_outcomes()) == (500, 10)
    found = next(one for one in games() if one.name == table.game)
    plain = pyspiel.load_game(f"sengoku_{table.game}")
    assert str(plain) == f"sengoku_{table.game}()"
    assert plain.num_players() == found.seats[0]
    assert plain.num_distinct_actions() == found.action_count
    assert plain.observation_tensor_shape() == [found.observation_size]
    assert (plain.min_utility(), plain.max_utility(), plain.utility_sum()) == (-1, 1, 0)


def test_another_process_reads_the_same_state() -> None:
    game = load_game("battles", setup={"scenario": 8})
    state = begin(game, 5)
    code = "import pickle, sys; print(pickle.loads(bytes.fromhex(sys.argv[1])))"
    for thing in (game, state):
        done = subprocess.run(
            [sys.executable, "-c", code, pickle.dumps(thing).hex()],
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == str(thing)
        assert done.stderr == ""


@pytest.mark.parametrize("table", SHORT)
def test_what_a_player_knows(table: Table) -> None:
    """It depends on all that the player saw and did, and on nothing else."""
    game = load(table)
    state = begin(game)
    seat = state.current_player()
    first, second = state.legal_actions()[:2]
    one, other = state.child(first), state.child(second)
    assert one.information_state_string(seat) != other.information_state_string(seat)
    for player in range(table.seats):
        same = one.match.view(player) == other.match.view(player) and one.match.log == other.match.log
        output = [child.information_state_string(player) for child in (one, other)]
        assert (output[0] == output[1]) == same
        assert state.information_state_string(player) == begin(game).information_state_string(player)
    recall = make_observation(game, INFO_STATE_OBS_TYPE)
    assert recall.tensor is None
    assert recall.string_from(one, seat) == one.information_state_string(seat)
    now = make_observation(game)
    now.set_from(one, seat)
    assert (now.tensor == one.match.observe(seat)).all()


def test_secret_plans_are_not_known() -> None:
    state = begin(load_game("tower"))
    one, other = (state.child(action) for action in state.legal_actions()[:2])
    assert state.current_player() == 0
    assert one.information_state_string(0) != other.information_state_string(0)
    assert one.information_state_string(1) == other.information_state_string(1)


@pytest.mark.parametrize("table", SHORT)
def test_every_action_has_a_text(table: Table) -> None:
    game = load(table)
    state = begin(game)
    meanings, legal = spec(table.game), {one.index: str(one) for one in state.match.legal_actions()}
    for action in range(game.num_distinct_actions()):
        text = state.action_to_string(state.current_player(), action)
        assert text == legal[action] if action in legal else text.startswith(meanings.action(action)[0])


@pytest.mark.parametrize("table", SHORT)
def test_their_search_plays(table: Table) -> None:
    game = load_game(table.game, seats=table.seats, setup={"max_rounds": 1}, matches=1)
    state = game.new_initial_state()
    assert not state.is_chance_node()
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2, 6, evaluator, random_state=np.random.RandomState(2))
    for _ in range(2):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(table.seats)]
    returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(3))
    assert sum(returns) == pytest.approx(0)
    assert max(returns) == 1 or len(set(returns)) < table.seats


@pytest.mark.parametrize("table", TABLES)
def test_a_resampled_state_is_the_same_to_its_player(table: Table) -> None:
    choose = random.Random(4)
    state = begin(load(table), 4)
    for number in range(150):
        if number % 30 == 0:
            player = state.current_player()
            sampler = pyspiel.UniformProbabilitySampler(number, 0.0, 1.0)
            worlds = [state.resample_from_infostate(player, sampler) for _ in range(2)]
            for world in worlds:
                assert world.history() == []
                assert world.current_player() == player
                assert world.legal_actions() == state.legal_actions()
                assert world.information_state_string(player) == state.information_state_string(player)
                assert world.observation_string(player) == state.observation_string(player)
                action = choose.choice(world.legal_actions())
                before = world.information_state_string(player)
                world.apply_action(action)
                assert world.information_state_string(player) != before
            assert worlds[0].match.seed != worlds[1].match.seed
        state.apply_action(choose.choice(state.legal_actions()))
        if state.is_terminal():
            break
    begun = load(table).new_initial_state()
    assert begun.resample_from_infostate(0, lambda: 0.5).is_chance_node()


@pytest.mark.parametrize("table", SHORT)
def test_their_search_with_hidden_information_plays(table: Table) -> None:
    game = load_game(table.game, seats=table.seats, setup={"max_rounds": 1})
    state = begin(game)
    random_state = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, random_state)
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 6, random_state=random_state)
    for _ in range(2):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


@pytest.mark.parametrize("table", SHORT)
def test_their_environment_plays(table: Table) -> None:
    environment = rl_environment.Environment(
        load(table), observation_type=rl_environment.ObservationType.OBSERVATION
    )
    environment.seed(3)
    actions = environment.action_spec()["num_actions"]
    agents = [random_agent.RandomAgent(seat, actions) for seat in range(table.seats)]
    np.random.seed(1)  # their agent draws from it
    step = environment.reset()
    while not step.last():
        agent = agents[step.observations["current_player"]]
        step = environment.step([agent.step(step).action])
    assert sum(step.rewards) == pytest.approx(0)


@pytest.mark.parametrize("table", SHORT)
def test_a_match_that_takes_too_long_has_no_result(table: Table) -> None:
    game = load(table, max_game_length=20)
    state = begin(game)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.move_number() == 21
    assert state.returns() == [0] * table.seats


@pytest.mark.parametrize("table", SHORT)
def test_what_is_illegal_is_refused_and_changes_nothing(table: Table) -> None:
    game = load(table, matches=10)
    state = game.new_initial_state()
    with pytest.raises(IllegalActionError):
        state.apply_action(10)
    with pytest.raises(ArgumentError):
        assert state.match
    state.apply_action(9)
    before, history = str(state), state.history()
    illegal = int(np.flatnonzero(~state.match.legal_mask())[0])
    with pytest.raises(IllegalActionError):
        state.apply_action(illegal)
    with pytest.raises(ArgumentError):
        state.action_to_string(state.current_player(), game.num_distinct_actions())
    assert (str(state), state.history()) == (before, history)


def test_wrong_games_are_refused() -> None:
    for options, field in [
        ({"game": "chess"}, "game"),
        ({"seats": 9}, "seats"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**31}, "seed"),
        ({"matches": 0}, "matches"),
        ({"max_game_length": 0}, "max_game_length"),
        ({"setup": {"max_rounds": "many"}}, "max_rounds"),
    ]:
        with pytest.raises((ArgumentError, SetupError)) as refused:
            load_game(**({"game": "swords"} | options))  # type: ignore[arg-type]
        assert refused.value.details["field"] == field
    kind = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    with pytest.raises(ArgumentError):
        load_game("swords").make_py_observer(kind)
    with pytest.raises(ArgumentError):
        load_game("swords").make_py_observer(None, {"all": True})
