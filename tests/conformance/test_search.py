"""Searches for decisions of a match: what they give, what they depend on, and what they refuse."""

import random
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from sengoku import Analysis, Cancel, Match, Search, engine, games, run_matches
from sengoku.cli.options import parse_bots
from sengoku.engine.requests import RunRequest
from sengoku.errors import ArgumentError, CancelledError, LimitError, MatchOverError

GAMES = pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
Arrays = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]


def midst(game: engine.Game, decisions: int = 60, seed: int = 5) -> Match:
    """A match in which there is something to choose, after some random decisions."""
    choose = random.Random(seed)
    match = Match.create(game.name, seats=game.seats[0], seed=seed)
    while match.decisions < decisions or len(match.legal_actions()) < 2:
        match.play(choose.choice(match.legal_actions()))
    return match


def same(one: Analysis, other: Analysis) -> bool:
    arrays = ("actions", "visits", "values")
    equal = all(np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True) for name in arrays)
    return equal and (one.seat, one.choice) == (other.seat, other.choice)


def uniform(seats: int) -> Any:
    def evaluate(_: npt.NDArray[np.uint8], legal: npt.NDArray[np.bool_], __: npt.NDArray[np.int8]) -> Arrays:
        return np.zeros(legal.shape, np.float32), np.full((len(legal), seats), 1 / seats, np.float32)

    return evaluate


@GAMES
def test_a_search_depends_on_seed_iterations_and_trees_alone(game: engine.Game) -> None:
    match = midst(game)
    before = match.save()
    found = Search(game.name, iterations=60, seed=3, threads=1).analyse(match)
    for threads in (2, 5):
        assert same(Search(game.name, iterations=60, seed=3, threads=threads).analyse(match), found)
    assert match.save() == before
    legal = [action.index for action in match.legal_actions()]
    assert found.actions.tolist() == legal
    assert found.choice in legal
    assert found.seat == match.to_act
    assert 0 < found.iterations <= 60
    assert found.values.shape == (len(legal), match.seats)
    tried = found.values[found.visits > 0]
    np.testing.assert_allclose(tried.sum(axis=1), 1, atol=1e-3)
    assert np.isnan(found.values[found.visits == 0]).all()
    assert Search(game.name, iterations=60, seed=3).decide(match) == found.choice


@GAMES
def test_a_guided_search_depends_on_seed_iterations_and_batch_alone(game: engine.Game) -> None:
    match = midst(game)
    seen: list[tuple[tuple[int, ...], ...]] = []

    def evaluate(
        observations: npt.NDArray[np.uint8], legal: npt.NDArray[np.bool_], seats: npt.NDArray[np.int8]
    ) -> Arrays:
        assert (observations.dtype, legal.dtype, seats.dtype) == (np.uint8, np.bool_, np.int8)
        assert legal.any(axis=1).all()
        assert ((seats >= 0) & (seats < match.seats)).all()
        seen.append((observations.shape, legal.shape, seats.shape))
        if len(seen) == 1:  # the decision itself, as its seat sees it
            assert seats[0] == match.to_act
            assert np.array_equal(legal[0], match.legal_mask())
            assert np.array_equal(observations[0], match.observe(seats[0]))
        policy = observations[:, :1].astype(np.float32) / 255 + np.zeros(legal.shape, np.float32)
        return policy, np.full((len(seats), match.seats), 1 / match.seats, np.float32)

    first = Search(game.name, iterations=50, evaluate=evaluate, batch=16, seed=3).analyse(match)
    shapes = [*seen]
    seen.clear()
    again = Search(game.name, iterations=50, evaluate=evaluate, batch=16, seed=3).analyse(match)
    assert same(first, again)
    assert shapes == seen
    assert first.iterations == 50
    assert max(shape[2][0] for shape in shapes) <= 16
    for observations, legal, seats in shapes:
        assert observations == (seats[0], game.observation_size)
        assert legal == (seats[0], game.action_count)


def test_a_guided_search_follows_policy_and_values() -> None:
    match = midst(games()[2])
    legal = [action.index for action in match.legal_actions()]
    wanted = legal[-1]

    def certain(_: Any, mask: npt.NDArray[np.bool_], __: Any) -> Arrays:
        policy = np.full(mask.shape, -30, np.float32)
        policy[:, wanted] = 0
        return policy, np.full((len(mask), 2), 0.5, np.float32)

    found = Search(match.game, iterations=30, evaluate=certain, batch=4).analyse(match)
    assert found.choice == wanted
    assert found.visits.sum() == 30
    assert found.visits[-1] >= 25


class BrokenError(Exception):
    """An exception of a custom function."""


def broken(*_: object) -> Arrays:
    raise BrokenError


def answers(policy: Any, values: Any) -> Any:
    return lambda _, legal, __: (policy(legal), values(legal))


def zeros(legal: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
    return np.zeros(legal.shape, np.float32)


def halves(legal: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
    return np.full((len(legal), 2), 0.5, np.float32)


@pytest.mark.parametrize(
    ("evaluate", "error", "text"),
    [
        (broken, BrokenError, ""),
        (lambda *_: None, TypeError, "the answer of evaluate must be a pair of arrays, not NoneType"),
        (lambda *_: (1, 2, 3), ArgumentError, "the answer of evaluate is 3 arrays"),
        (answers(lambda _: [[0.0]], halves), TypeError, "policy must be an array of numpy, not list"),
        (answers(lambda legal: zeros(legal).astype(float), halves), ArgumentError, "policy is of float64"),
        (answers(lambda legal: zeros(legal)[:, 1:], halves), ArgumentError, "policy is of shape"),
        (answers(zeros, lambda legal: halves(legal)[:, :1]), ArgumentError, "values is of shape [1, 1]"),
        (answers(zeros, lambda legal: halves(legal) * np.nan), ArgumentError, "row 0: values is NaN"),
        (answers(lambda legal: zeros(legal) + np.inf, halves), ArgumentError, "row 0: policy is inf"),
        (answers(lambda legal: zeros(legal) - np.inf, halves), ArgumentError, "row 0: policy is -inf"),
        (7, TypeError, "evaluate must be a function, not int"),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_wrong_answers_are_refused_and_change_nothing(evaluate: Any, error: type, text: str) -> None:
    match = midst(games()[2])
    before = match.save()
    with pytest.raises(error) as refused:
        Search(match.game, iterations=10, evaluate=evaluate).analyse(match)
    assert text in str(refused.value)
    assert match.save() == before


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"iterations": 0}, "iterations"),
        ({"iterations": 10_000_001}, "iterations"),
        ({"milliseconds": 0}, "milliseconds"),
        ({"milliseconds": float("nan")}, "milliseconds"),
        ({"iterations": 5, "milliseconds": 5}, "milliseconds"),
        ({"trees": 65}, "trees"),
        ({"batch": 0}, "batch"),
        ({"batch": 4097}, "batch"),
        ({"game": "chess"}, "game"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], field: str) -> None:
    with pytest.raises(ArgumentError) as refused:
        Search(**({"game": "swords"} | options))
    assert refused.value.details["field"] == field


def test_wrong_calls_are_refused() -> None:
    match = midst(games()[0])
    with pytest.raises(ArgumentError, match="match is one of swords: this search is for tower"):
        Search("tower").decide(match)
    for options in ({"seed": -1}, {"threads": 5000}):
        with pytest.raises(ArgumentError):
            Search("swords", **options).decide(match)
    cancel = Cancel()
    cancel.cancel()
    for evaluate in (None, uniform(2)):
        with pytest.raises(CancelledError):
            Search("swords", evaluate=evaluate).decide(match, cancel=cancel)
    over = Match.create("battles", setup={"max_rounds": 1})
    while not over.over:
        over.play(over.legal_actions()[0])
    for evaluate in (None, uniform(2)):
        with pytest.raises(MatchOverError):
            Search("battles", evaluate=evaluate).decide(over)


@pytest.mark.parametrize("evaluate", [None, uniform(2)])
def test_time_can_be_the_budget(evaluate: Any) -> None:
    match = midst(games()[2])
    begun = time.monotonic()
    found = Search(match.game, milliseconds=100, evaluate=evaluate).analyse(match)
    assert found.choice in found.actions
    assert (
        time.monotonic() - begun < 20
    )  # a busy machine takes its time, but ten million iterations take hours


def test_what_is_hidden_makes_no_difference() -> None:
    """Another seat's secret plan changes nothing that a seat decides."""
    choose = random.Random(3)
    match = Match.create("swords", seats=3, seed=5)
    while match.view(match.to_act or 0)["round"] < 1 or "plan" not in str(match.state()["point"]):
        match.play(choose.choice(match.legal_actions()))
    other, first = match.clone(), match.to_act
    while match.to_act == first:
        match.play(match.legal_actions()[0])
    while other.to_act == first:
        other.play(other.legal_actions()[-1])
    assert match.to_act == other.to_act != first
    assert match.digest != other.digest
    searches = [Search("swords", iterations=40, seed=1, evaluate=evaluate) for evaluate in (None, uniform(3))]
    for search in searches:
        assert same(search.analyse(match), search.analyse(other))


def test_bots_with_options_play_runs() -> None:
    request: dict[str, Any] = {"seed": 3, "setup": {"scenario": 8, "max_rounds": 2}, "match_count": 3}
    bots = ["mcts:iterations=10,trees=2", "greedy"]
    report = run_matches("battles", bots=bots, threads=1, **request)
    assert report.bots == tuple(bots)
    assert run_matches("battles", bots=bots, threads=2, **request) == report
    assert run_matches("battles", bots=["greedy"], **request).digest.tolist() != report.digest.tolist()


def test_options_of_bots_are_refused_by_name() -> None:
    with pytest.raises(ArgumentError, match="iterations") as refused:
        run_matches("tower", bots=["mcts:iterations=0"], match_count=1)
    assert refused.value.details["option"] == "iterations"
    assert refused.value.details["value"] == "mcts:iterations=0"
    with pytest.raises(ArgumentError, match="there is random, mix, greedy, mcts"):
        run_matches("tower", bots=["greedy:iterations=3"], match_count=1)
    with pytest.raises(LimitError) as beyond:
        RunRequest.create("tower", bots=["mcts"], match_count=1).play(threads=1, max_iterations=999)
    assert beyond.value.details == {"field": "search_iterations", "value": "1000", "limit": "999"}


def test_names_with_options_are_told_apart() -> None:
    assert parse_bots("mcts:iterations=20,trees=2, greedy") == ["mcts:iterations=20,trees=2", "greedy"]
    assert parse_bots("greedy,mcts,random") == ["greedy", "mcts", "random"]
    assert parse_bots("mcts:trees=2,mcts:iterations=5") == ["mcts:trees=2", "mcts:iterations=5"]
