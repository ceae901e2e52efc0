"""A position of `tower` of any kind is refused with its field, or can be played on and kept."""

import random
from copy import deepcopy
from typing import Any

import pytest

from sengoku import Match
from sengoku.errors import SetupError

POINTS: list[Any] = [
    "draft_refresh", "draft_card", "draft_group", "season", {"plan": 0}, {"plan": 5}, {"plan": 10},
    {"plan": 13}, {"plan": 99}, "event", "slot", "court", "hall", "favour", "favour_event", "favour_unrest",
    "favour_armies", "favour_building", "turn", "kept", "act", "deploy_move", "battle",
    "clean_up", "winter", "revolts",
    "revolt", "quell", "score", {"over": "second_winter"}, {"over": "round_limit"},
]  # fmt: skip
WORDS = [
    None, "kai", "mino", "empty", "tower", "treasure_1", "face_down", "castle", "tax", "battle_a",
    "six_armies", "winter", "spring", "autumn", "sun", "moon", "draft", "fixed", "red",
]  # fmt: skip
SETUPS: list[dict[str, Any]] = [
    {},
    {"court": True},
    {"side": "moon", "court": True},
    {"mode": "draft", "allow_zero_move": True, "bump_probability": 0.5},
]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all plain values in a table."""
    if isinstance(value, dict):
        return [place for key, inner in value.items() for place in leaves(inner, (*path, key))]
    if isinstance(value, list) and value:
        return [place for key, inner in enumerate(value) for place in leaves(inner, (*path, key))]
    return [path]


def rearrange(state: dict[str, Any], rng: random.Random) -> None:
    """Puts things elsewhere, with sums as they were: armies, cubes of the tray, officers, plan cards."""
    players = state["players"]
    kind = rng.choice(("armies", "tray", "officers", "plan", "draws", "kept"))
    if kind == "armies":
        for it in rng.sample(list(state["provinces"].values()), 3):
            if it["owner"] is not None:
                moved = rng.randint(-3, 3)
                it["armies"] += moved
                state["supply"][it["owner"]] -= moved
    elif kind == "tray":
        colour, moved = rng.choice([*range(len(players)), 5]), rng.randint(-2, 4)
        state["tray"][colour] += moved
        state["supply"][colour] -= moved
    elif kind == "draws":
        state["draws"], state["tower_draws"] = rng.randrange(10**6), rng.randrange(10**6)
    elif kind == "kept":
        rng.choice(players)["kept"] = rng.choice(([], [4], [10], [11, 18], [4, 5]))
    else:
        table = rng.choice(players)[kind]
        one, other = rng.sample(sorted(table), 2)
        table[one], table[other] = table[other], table[one]


def mutate(state: dict[str, Any], rng: random.Random) -> None:
    """Changes a value or two to something of the same kind, or moves play to another point."""
    places = [path for path in leaves(state) if path[0] not in ("provinces", "players") or rng.random() < 0.1]
    for _ in range(rng.choice((0, 1, 1, 2))):
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
            elif isinstance(old, list):
                table[last] = [rng.choice((0, 1, 2, "kai"))]
            elif old is None:
                table[last] = rng.choice((0, 1, 2, 4, 10, "kai", "mino"))
            else:
                table[last] = rng.choice(WORDS)
    if rng.random() < 0.3:
        state["point"] = deepcopy(rng.choice(POINTS))
    for name, most in (("decider", 5), ("turn", 6), ("place", 11)):
        if rng.random() < 0.1:
            state[name] = rng.randrange(most)


def play_on(position: dict[str, Any], rng: random.Random, decisions: int) -> None:
    """Plays from a position with random decisions; the match can be kept all the time."""
    match = Match.create("tower", seats=position["options"]["seats"], setup={"position": position})
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
        match = Match.create("tower", seats=3 + seed % 3, seed=seed, setup=rng.choice(SETUPS))
        for _ in range(rng.randrange(500)):
            if match.over:
                break
            match.play(rng.choice(match.legal_actions()))
        for _ in range(8):
            position = deepcopy(match.state())
            for _ in range(rng.choice((0, 0, 1, 3))):
                rearrange(position, rng)
            mutate(position, rng)
            try:
                play_on(position, rng, decisions)
                accepted += 1
            except SetupError as error:
                fields.append(error.details["field"])
    assert all(fields)
    return accepted


def test_mutated_positions_are_refused_or_sound() -> None:
    assert fuzz(range(40), 40) > 40


@pytest.mark.slow
def test_many_mutated_positions_are_refused_or_sound() -> None:
    assert fuzz(range(1000, 5000), 150) > 4000


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_state_is_a_position(setup: dict[str, Any]) -> None:
    rng = random.Random(5)
    match = Match.create("tower", seed=5, setup=setup)
    while not match.over:
        if rng.random() < 0.1:
            again = Match.create("tower", setup={"position": match.state()})
            assert again.state() == match.state()
            assert again.legal_actions() == match.legal_actions()
        match.play(rng.choice(match.legal_actions()))
