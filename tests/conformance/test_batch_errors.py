"""Refused batches, for every game: wrong arguments, wrong arrays, steps before a reset."""

import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from conformance.batches import CAP, GAMES, arrays, same
from sengoku import BatchEnv, engine
from sengoku.errors import (
    ArgumentError,
    IllegalActionError,
    NotReadyError,
    SengokuError,
    SetupError,
)


def test_two_threads_cannot_step_at_once() -> None:
    env = BatchEnv("swords", 256, seed=3, bots={1: "random"})
    env.reset()
    actions = env.sample_actions()
    errors: list[SengokuError] = []

    def step() -> None:
        try:
            env.step(actions)
        except SengokuError as error:
            errors.append(error)

    threads = [threading.Thread(target=step) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(isinstance(error, NotReadyError | IllegalActionError) for error in errors)
    env.step(env.sample_actions())


@pytest.mark.parametrize("game", GAMES)
def test_a_new_batch_must_be_reset(game: engine.Game) -> None:
    env = BatchEnv(game.name, 3, setup=CAP)
    for refused in (
        lambda: env.step([0, 0, 0]),
        env.sample_actions,
        lambda: env.save(0),
        lambda: env.reset([True, False, True]),
        lambda: env.reseed(1),
        lambda: env.fork(0, 1),
        lambda: env.digest(0),
    ):
        with pytest.raises(NotReadyError) as new:
            refused()
        assert new.value.details == {"state": "new"}
    env.reset()
    assert repr(env).startswith(f"<BatchEnv of {game.name}, 3 lanes")
    with pytest.raises(TypeError):
        pickle.dumps(env)


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"game": "chess"}, ArgumentError, "game"),
    ({"lanes": 0}, ArgumentError, "lanes"),
    ({"lanes": -1}, ArgumentError, "lanes"),
    ({"lanes": 2**20 + 1}, ArgumentError, "lanes"),
    ({"lanes": 1.5}, TypeError, ""),
    ({"seats": 9}, SetupError, "seats"),
    ({"seats": "two"}, TypeError, ""),
    ({"seed": -1}, ArgumentError, "seed"),
    ({"seed": 2**64}, ArgumentError, "seed"),
    ({"seed": "x"}, TypeError, ""),
    ({"first_match": 2**63}, ArgumentError, "first_match"),
    ({"threads": 5000}, ArgumentError, "threads"),
    ({"max_decisions": 0}, ArgumentError, "max_decisions"),
    ({"max_decisions": 2**32}, ArgumentError, "max_decisions"),
    ({"autoreset": "later"}, ArgumentError, "autoreset"),
    ({"autoreset": None}, TypeError, ""),
    ({"mask": "bytes"}, ArgumentError, "mask"),
    ({"bots": {0: "deep"}}, ArgumentError, "bots"),
    ({"bots": {7: "random"}}, ArgumentError, "bots"),
    ({"bots": {-1: "random"}}, ArgumentError, "bots"),
    ({"bots": {0: "random", 1: "random"}}, ArgumentError, "bots"),
    ({"bots": {0: 3}}, TypeError, ""),
    ({"bots": ["random"]}, TypeError, ""),
    ({"setup": {"no_such_option": 1}}, SetupError, ""),
    ({"setup": [1]}, SetupError, "setup"),
]


@pytest.mark.parametrize(("wrong", "error", "field"), WRONG, ids=[str(row[0]) for row in WRONG])
def test_wrong_batches_are_refused(wrong: dict[str, Any], error: type[Exception], field: str) -> None:
    with pytest.raises(error) as refused:
        BatchEnv(**({"game": "battles", "lanes": 2} | wrong))
    if isinstance(refused.value, SengokuError) and field:
        assert refused.value.details["field"] == field


def test_wrong_arrays_are_refused() -> None:
    env = BatchEnv("battles", 4, seed=1)
    env.reset()
    before = arrays(env)
    rows: list[tuple[Callable[[], object], type[Exception]]] = [
        (lambda: env.step([0, 0, 0]), ArgumentError),
        (lambda: env.step([[0, 0, 0, 0]]), ArgumentError),
        (lambda: env.step(3), ArgumentError),
        (lambda: env.step([0.0, 1.0, 2.0, 3.0]), TypeError),
        (lambda: env.step([True] * 4), TypeError),
        (lambda: env.step(["a"] * 4), TypeError),
        (lambda: env.step(None), TypeError),  # type: ignore[arg-type]
        (lambda: env.reset([True]), ArgumentError),
        (lambda: env.reset([1, 0, 1, 0]), TypeError),
        (lambda: env.reset(seed=-1), ArgumentError),
        (lambda: env.reseed(-1), ArgumentError),
        (lambda: env.reseed(1, [True]), ArgumentError),
        (lambda: env.sample_actions(np.zeros(3, np.int64)), ArgumentError),
        (lambda: env.sample_actions(np.zeros((4, 2), np.int64)[:, 0]), ArgumentError),
        (lambda: env.sample_actions(np.zeros(4, np.int32)), TypeError),  # type: ignore[arg-type]
        (lambda: env.sample_actions(seed=2**64), ArgumentError),
        (lambda: env.save(4), ArgumentError),
        (lambda: env.save(-1), ArgumentError),
        (lambda: env.save("a"), TypeError),  # type: ignore[arg-type]
        (lambda: env.restore(4, b""), ArgumentError),
        (lambda: env.restore(0, 3), TypeError),  # type: ignore[arg-type]
        (lambda: env.observe(0, 2), ArgumentError),
        (lambda: env.observe(4, 0), ArgumentError),
        (lambda: env.outcome(4), ArgumentError),
    ]
    for refused, error in rows:
        with pytest.raises(error):
            refused()
    assert same(arrays(env), before)
