"""Helpers for random matches of `swords`."""

import random
from collections.abc import Iterator

import numpy as np

from sengoku import Match

REGULAR = ("bow", "gun", "sword", "spear")


def random_play(seats: int, seed: int, decisions: int) -> Iterator[Match]:
    """A match of random decisions, seen before each of them."""
    chance = random.Random(seed)
    match = Match.create("swords", seats=seats, seed=seed)
    for _ in range(decisions):
        if match.over:
            return
        yield match
        match.play(int(chance.choice(np.flatnonzero(match.legal_mask()))))
