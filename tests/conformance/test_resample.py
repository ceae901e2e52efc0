"""Resampling, for every game: a match that a seat cannot tell apart from the real one."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from sengoku import Match, games
from sengoku.errors import ArgumentError, IllegalActionError, SengokuError

CAP = {"max_rounds": 3}
SETUPS: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "swords": [(2, CAP), (3, {**CAP, "long_game": True}), (4, CAP), (5, CAP)],
    "tower": [
        (3, {}),
        (4, {"court": True}),
        (5, {"side": "moon", "court": True, "favour_deck": "hidden", "max_rounds": 4}),
        (3, {"mode": "draft", "reveal": "per_action", "tower_model": "ledger", "bump_probability": 0.3}),
    ],
    "battles": [
        (2, {}),
        (2, {"scenario": 12}),
        (2, {"scenario": 37, "max_rounds": 9}),
        (2, {"campaign": 18}),
    ],
}
TABLES = [
    pytest.param(game, seats, setup, id=f"{game}-{seats}-{number}")
    for game, tables in SETUPS.items()
    for number, (seats, setup) in enumerate(tables)
]


def moments(game: str, seats: int, setup: dict[str, Any], *, every: int) -> Iterator[Match]:
    """Walks through a match of random decisions and stops at some of them; the last one is the end."""
    choose = random.Random(seats)
    match = Match.create(game, seats=seats, seed=4, setup=setup)
    for number in itertools.count():
        if match.over or number % every == 0:
            yield match
        if match.over:
            return
        match.play(choose.choice(match.legal_actions()))


def play_out(match: Match, seed: int = 1) -> Match:
    """Plays a match to its end with random decisions."""
    choose = random.Random(seed)
    while not match.over:
        match.play(choose.choice(match.legal_actions()))
    return match


def test_every_game_is_here() -> None:
    assert set(SETUPS) == {game.name for game in games()}


@pytest.mark.parametrize(("game", "seats", "setup"), TABLES)
def test_a_seat_cannot_tell_a_world_from_the_match(game: str, seats: int, setup: dict[str, Any]) -> None:
    differed = 0
    for number, match in enumerate(moments(game, seats, setup, every=37)):
        before = (match.save(), match.decisions)
        for seat in range(seats):
            world = match.resample(seat, seed=number)
            assert world.view(seat) == match.view(seat)
            assert np.array_equal(world.observe(seat), match.observe(seat))
            assert world.picture(seat) == match.picture(seat)
            assert (world.to_act, world.over, world.game, world.seats) == (
                match.to_act,
                match.over,
                game,
                seats,
            )
            if world.to_act == seat:
                assert world.legal_actions() == match.legal_actions()
                assert np.array_equal(world.legal_mask(), match.legal_mask())
            assert (world.decisions, world.history, world.log, world.dice_left) == (0, [], [], None)
            assert {**world.setup, "position": None} == {**setup, "position": None}
            differed += world.digest != match.digest
        assert (match.save(), match.decisions) == before
    assert differed > 5


@pytest.mark.parametrize(("game", "seats", "setup"), TABLES)
def test_a_world_is_a_match_as_any_other(game: str, seats: int, setup: dict[str, Any]) -> None:
    for number, match in enumerate(moments(game, seats, setup, every=211)):
        world = match.resample(number % seats, seed=number)
        assert Match.load(world.save()).digest == world.digest
        ended = play_out(world.clone(), number)
        assert (ended.outcome is not None, world.decisions) == (True, 0)
        again = Match.from_replay(ended.replay())
        assert (again.digest, again.history, again.log) == (ended.digest, ended.history, ended.log)
        assert Match.load(ended.save()).digest == ended.digest
        # a world of a world is a world of the match
        assert world.resample(number % seats, seed=9).digest == match.resample(number % seats, seed=9).digest


@pytest.mark.parametrize(("game", "seats", "setup"), TABLES)
def test_worlds_vary_and_tell_nothing_of_the_match(game: str, seats: int, setup: dict[str, Any]) -> None:
    for match in itertools.islice(moments(game, seats, setup, every=23), 3, 6):
        seat = 1
        worlds = [match.resample(seat, seed=seed) for seed in range(12)]
        assert [match.resample(seat, seed=seed).save() for seed in range(12)] == [w.save() for w in worlds]
        assert len({world.seed for world in worlds}) == 12
        assert match.seed not in {world.seed for world in worlds}
        # other secrets, the same worlds: what is drawn depends on what the seat may know and on the seed
        for world in worlds[:4]:
            assert world.resample(seat, seed=5).digest == match.resample(seat, seed=5).digest
            assert world.resample(seat, seed=5).seed == match.resample(seat, seed=5).seed


def test_chance_to_come_is_another() -> None:
    match = Match.create("battles", seed=3)
    choose = random.Random(2)
    for _ in range(60):
        match.play(choose.choice(match.legal_actions()))
    # the same world with the same decisions goes another way than the match itself
    ends = {play_out(match.resample(0, seed=seed)).digest for seed in range(5)}
    assert len(ends) == 5


@pytest.mark.parametrize("game", [game.name for game in games()])
def test_what_is_wrong_is_refused(game: str) -> None:
    match = Match.create(game, seed=1)
    before = match.save()
    for seat, seed, field in (
        (match.seats, 0, "seat"),
        (-1, 0, "seat"),
        (0, -1, "seed"),
        (0, 2**64, "seed"),
    ):
        with pytest.raises(ArgumentError) as refused:
            match.resample(seat, seed)
        assert refused.value.details["field"] == field
    for seat, seed in (("0", 0), (None, 0), (0, 1.5)):
        with pytest.raises((TypeError, SengokuError)):
            match.resample(seat, seed)  # type: ignore[arg-type]
    assert match.save() == before
    world = match.resample(0, seed=2**64 - 1)
    with pytest.raises(IllegalActionError):
        world.play(next(index for index, legal in enumerate(world.legal_mask()) if not legal))


def test_texts_that_are_no_position_of_battles_are_refused() -> None:
    match = Match.create("battles", setup={"scenario": 12})
    text = match.resample(0).setup["position"]
    for wrong in ("", "zz", text[:-2], text + "00", text.upper(), "00" + text[2:]):
        with pytest.raises(SengokuError) as refused:
            Match.create("battles", setup={"scenario": 12, "position": wrong})
        assert refused.value.details["field"] == "position"
    for other in ({"scenario": 13}, {"campaign": 18}):
        with pytest.raises(SengokuError) as refused:
            Match.create("battles", setup={**other, "position": text})
        assert refused.value.details["field"] == "position"
    assert Match.create("battles", setup={"position": text}).digest == match.resample(0).digest
