"""A world that is drawn for a seat depends on what the seat may know and on the seed, and on nothing else."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sengoku import Match, games
from sengoku.engine.games import Game

NUMBERS = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
@settings(max_examples=25, deadline=None)
@given(data=st.data(), seed=NUMBERS, steps=st.integers(0, 250), first=NUMBERS, second=NUMBERS, third=NUMBERS)
def test_worlds_of_worlds(
    game: Game, data: st.DataObject, seed: int, steps: int, first: int, second: int, third: int
) -> None:
    least, most = game.seats
    seats = data.draw(st.integers(least, most))
    match = Match.create(game.name, seats=seats, seed=seed, setup={"max_rounds": 3})
    choose = random.Random(seed)
    for _ in range(steps):
        if match.over:
            break
        match.play(choose.choice(match.legal_actions()))
    seat = data.draw(st.integers(0, seats - 1))
    worlds = [match.resample(seat, number) for number in (first, second)]
    for world in worlds:
        assert (world.view(seat), world.to_act) == (match.view(seat), match.to_act)
    one, two = (world.resample(seat, third) for world in worlds)
    assert one.save() == two.save() == match.resample(seat, third).save()
    # the same seat learns the same from the same decisions, as long as it decides
    while not one.over and one.to_act == seat:
        assert one.legal_actions() == two.legal_actions()
        index = choose.choice(one.legal_actions()).index
        one.play(index)
        two.play(index)
        assert one.digest == two.digest
