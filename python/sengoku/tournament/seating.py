"""Seating: which bot plays which seat in the matches of a block, all on the same seed.

In a block every bot of a group sits in every seat equally often. The value of a seat, and of the dice that a
seed gives to it, then cancels out when two bots are compared.

>>> arrangements(2, 2)
((0, 1), (1, 0))
>>> len(arrangements(4, 4)), len(arrangements(5, 5)), len(arrangements(4, 4, most=8))
(24, 20, 8)
"""

import math
from collections import Counter
from functools import lru_cache
from itertools import permutations, product

__all__ = ["MOST_MATCHES", "arrangements"]

MOST_MATCHES = 40
"""Default limit on the matches of a block; of more arrangements a balanced selection is played."""


@lru_cache(maxsize=256)  # bounded, since a server may see any number of sizes
def arrangements(bots: int, seats: int, most: int = MOST_MATCHES) -> tuple[tuple[int, ...], ...]:
    """Return the bot of each seat, match by match, for a group of bots, in a fixed order.

    With fewer bots than seats, each bot has as many seats as the others, or one more in turn. All
    arrangements are returned if there are at most `most`; otherwise a balanced selection of at most that
    many, but at least one for every seat.
    """
    if not 1 <= bots <= seats:
        raise ValueError(f"{bots} bots cannot fill {seats} seats")
    every = _all(bots, seats)
    return every if len(every) <= most else _balanced(bots, seats, most)


def _all(bots: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Return every way to fill the seats in which no bot has two seats more than another."""
    if bots == seats:
        return tuple(permutations(range(seats)))
    fair = {seats // bots, -(-seats // bots)}
    filled = (row for row in product(range(bots), repeat=seats) if len(set(row)) == bots)
    return tuple(row for row in filled if set(Counter(row).values()) <= fair)


def _balanced(bots: int, seats: int, most: int) -> tuple[tuple[int, ...], ...]:
    """Return rotations of arrangements in which each bot is in each seat equally often.

    Each square has one row for every rotation. With as many bots as seats it is a Latin square for each order
    of the bots, so that neighbours change from square to square.
    """
    rows: dict[tuple[int, ...], None] = {}
    for base in _bases(bots, seats):
        square = {
            tuple((base[(seat + turn) % seats] + shift) % bots for seat in range(seats)): None
            for shift in range(bots)
            for turn in range(seats)
        }
        if rows and len(rows | square) > most:
            break
        rows |= square
    return tuple(rows)


def _bases(bots: int, seats: int) -> list[tuple[int, ...]]:
    """Return the arrangements to rotate: bots in steps that reach all of them."""
    steps = (step for step in range(1, bots) if math.gcd(step, bots) == 1)
    return [tuple(step * seat % bots for seat in range(seats)) for step in steps]
