"""A position of any kind is refused with its field, or can be played on and kept like any other match."""

import random
from copy import deepcopy
from typing import Any

import pytest

from sengoku import Match
from sengoku.errors import SetupError

POINTS = (
    "spy", "swords", "build", "war_turn", "choose_army", "declare", "choose_battle", "roll", "call_off",
    "conquest", "next_target", "choose_force", "end_round",
)  # fmt: skip


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all plain values in a table."""
    if isinstance(value, dict):
        return [place for key, inner in value.items() for place in leaves(inner, (*path, key))]
    if isinstance(value, list):
        return [place for key, inner in enumerate(value) for place in leaves(inner, (*path, key))]
    return [path]


def mutate(state: dict[str, Any], rng: random.Random) -> None:
    """Changes a value or two to something of the same kind, or moves play to another point."""
    places = [path for path in leaves(state) if path[0] != "provinces" or rng.random() < 0.03]
    for _ in range(rng.choice((1, 1, 2, 3))):
        *outer, last = rng.choice(places)
        table = state
        for key in outer:
            table = table[key]
            if not isinstance(table, dict | list):
                break
        else:
            old = table[last]
            if isinstance(old, bool):
                table[last] = not old
            elif isinstance(old, int):
                table[last] = max(0, old + rng.choice((-1, 1, 1, 2, 5, 250)))
            elif old is None:
                table[last] = rng.choice((0, 1, 2, "kai", "mino"))
            else:
                table[last] = rng.choice((None, "mino", "kai", "a", "c", "d", "none", "castle"))
    if rng.random() < 0.2:
        state["point"] = rng.choice(POINTS)


def play_on(position: dict[str, Any], rng: random.Random, decisions: int) -> None:
    """Plays from a position with random decisions; the match can be kept all the time."""
    match = Match.create("swords", seats=position["options"]["seats"], setup={"position": position})
    for decision in range(decisions):
        if match.over:
            break
        legal = match.legal_actions()
        assert legal, f"nothing to decide at {match.state()['point']}"
        match.play(rng.choice(legal))
        if decision % 20 == 0:
            assert Match.load(match.save()).digest == match.digest


def fuzz(seeds: range, decisions: int) -> int:
    """Plays random matches, changes their positions now and then, and gives how many were accepted."""
    accepted, fields = 0, []
    for seed in seeds:
        rng = random.Random(seed)
        match = Match.create("swords", seats=2 + seed % 4, seed=seed)
        for _ in range(rng.randrange(20, 500)):
            if match.over:
                break
            match.play(rng.choice(match.legal_actions()))
        for _ in range(8):
            position = deepcopy(match.state())
            mutate(position, rng)
            try:
                play_on(position, rng, decisions)
                accepted += 1
            except SetupError as error:
                fields.append(error.details["field"])
    assert all(fields)
    return accepted


def test_mutated_positions_are_refused_or_sound() -> None:
    assert fuzz(range(60), 40) > 40


@pytest.mark.slow
def test_many_mutated_positions_are_refused_or_sound() -> None:
    assert fuzz(range(1000, 5000), 150) > 4000
