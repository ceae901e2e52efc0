"""Who sits where: every bot in every seat equally often, on every kind of table."""

from collections import Counter
from itertools import permutations

import pytest

from sengoku.tournament.seating import MOST_MATCHES, arrangements

TABLES = [(bots, seats) for seats in range(2, 6) for bots in range(2, seats + 1)]


@pytest.mark.parametrize(("bots", "seats"), TABLES)
@pytest.mark.parametrize("most", [1, 8, MOST_MATCHES])
def test_every_bot_sits_in_every_seat_equally_often(bots: int, seats: int, most: int) -> None:
    rows = arrangements(bots, seats, most)
    assert len(set(rows)) == len(rows)
    counts = Counter((bot, seat) for row in rows for seat, bot in enumerate(row))
    assert len(counts) == bots * seats
    assert len(set(counts.values())) == 1


@pytest.mark.parametrize(("bots", "seats"), TABLES)
def test_nobody_has_two_seats_more_than_another(bots: int, seats: int) -> None:
    for row in arrangements(bots, seats):
        counts = Counter(row)
        assert len(counts) == bots
        assert max(counts.values()) - min(counts.values()) <= 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_permutations_are_played_where_they_are_few(seats: int) -> None:
    assert set(arrangements(seats, seats)) == set(permutations(range(seats)))


@pytest.mark.parametrize(("bots", "seats"), TABLES)
def test_a_balanced_choice_is_as_small_as_told(bots: int, seats: int) -> None:
    least = len(arrangements(bots, seats, 1))
    for most in range(1, MOST_MATCHES + 1):
        assert len(arrangements(bots, seats, most)) <= max(most, least)


def test_neighbours_change_between_latin_squares() -> None:
    rows = arrangements(5, 5)
    follows = Counter((row[seat], row[(seat + 1) % 5]) for row in rows for seat in range(5))
    assert len(follows) == 20
    assert len(set(follows.values())) == 1


@pytest.mark.parametrize(("bots", "seats"), [(0, 2), (3, 2)])
def test_bots_without_a_seat_are_refused(bots: int, seats: int) -> None:
    with pytest.raises(ValueError, match=f"{bots} bots cannot fill {seats} seats"):
        arrangements(bots, seats)
