"""Bots whose true order is known, more or less of `greedy` in each: it is found, with honest errors."""

import math

import numpy as np
import pytest

from sengoku.storage import Store
from sengoku.tournament import Record, Tables, parse_spec, play

MIXES = {"none": 0, "little": 25, "half": 50, "much": 80, "all": 100}


def tables(mixes: dict[str, int], games: str, seed: int) -> Tables:
    """What a round robin of such bots says."""
    bots = ", ".join(f'{{name = "{name}", bot = "mix:greedy={percent}"}}' for name, percent in mixes.items())
    with Store() as store:
        record = play(Record.create(store, parse_spec(f"seed = {seed}\nbots = [{bots}]\ngames = [{games}]")))
        return Tables(record.spec, record.results())


@pytest.mark.parametrize(
    "games",
    [
        '{game = "battles", scenarios = [1, 12], blocks = 25}',
        '{game = "tower", seats = 5, blocks = 8}',
        '{game = "swords", seats = 2, setup = {max_rounds = 6}, blocks = 6}',
    ],
)
def test_more_of_the_better_player_is_better(games: str) -> None:
    shuffled = {name: MIXES[name] for name in ("half", "none", "all", "little", "much")}
    known = tables(shuffled, games, 3)
    order = sorted(range(len(shuffled)), key=list(shuffled.values()).__getitem__)
    assert np.argsort(known.elo.ratings).tolist() == order
    assert known.order == order[::-1]
    # The ends are far apart, and that is certain.
    worst, best = order[0], order[-1]
    gap, error = known.elo.difference(best, worst)
    assert gap > 5 * error
    assert known.elo.superiority(best, worst) > 0.999


@pytest.mark.system
@pytest.mark.timeout(1800)
def test_ranges_hold_the_true_strength_of_real_bots() -> None:
    """The truth is a tournament of many blocks; small ones have ranges of 95 % that hold it as often."""
    mixes, blocks, tournaments = {"less": 30, "half": 50, "more": 70}, 12, 200
    game = '{{game = "battles", scenarios = [1], blocks = {}}}'
    truth = tables(mixes, game.format(4_000), 10**6).elo.ratings
    held = 0
    for seed in range(tournaments):
        low, high = tables(mixes, game.format(blocks), seed).elo.interval(0.95)
        held += int(((low <= truth) & (truth <= high)).sum())
    share = held / (3 * tournaments)
    print(f"{tournaments} tournaments of {blocks} blocks: {share:.3f}")  # noqa: T201 - the figure of the docs
    # Three ratings of a tournament are not independent, so the error is that of the tournaments.
    assert share == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / tournaments))
