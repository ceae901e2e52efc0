"""The yardstick: the vectorised numpy Monte Carlo of a battle that a competent user would write instead.

Battles are rows, unit counts are columns; hits of all dice of a kind come from one binomial draw; rows whose
battle is over leave the arrays.
"""

import numpy as np
import numpy.typing as npt

# Columns in the order of losses "cheapest": spear, gun, sword, bow, daimyo.
SPEAR, GUN, SWORD, BOW, DAIMYO = range(5)
Counts = npt.NDArray[np.int64]


def remove(units: Counts, hits: Counts) -> None:
    """Take hits off the units, column by column."""
    for column in range(5):
        taken = np.minimum(units[:, column], hits)
        units[:, column] -= taken
        hits = hits - taken


def simulate(
    attacker: tuple[int, ...], defender: tuple[int, ...], battles: int, seed: int
) -> tuple[int, int, int]:
    """Fight battles to the end; return how often the attacker wins, the defender wins, nobody is left."""
    rng = np.random.default_rng(seed)
    sides = [np.tile(np.array(side), (battles, 1)) for side in (attacker, defender)]
    ends = np.zeros(3, np.int64)
    while len(sides[0]):
        for missile in (True, False):
            hits = [
                rng.binomial(side[:, BOW], 6 / 12) + rng.binomial(side[:, GUN], 4 / 12)
                if missile
                else rng.binomial(side[:, DAIMYO], 6 / 12)
                + rng.binomial(side[:, SWORD], 5 / 12)
                + rng.binomial(side[:, SPEAR], 4 / 12)
                for side in sides
            ]
            remove(sides[0], hits[1])
            remove(sides[1], hits[0])
            left = [side.sum(axis=1) > 0 for side in sides]
            ends += [
                np.count_nonzero(left[0] & ~left[1]),
                np.count_nonzero(left[1] & ~left[0]),
                np.count_nonzero(~left[0] & ~left[1]),
            ]
            goes_on = left[0] & left[1]
            sides = [side[goes_on] for side in sides]
    return int(ends[0]), int(ends[1]), int(ends[2])
