"""Ratings and rates: right where the truth is known, and errors that hold as often as they say."""

import math
import random

import numpy as np
import pytest
from scipy.optimize import minimize

from sengoku.tournament import Rate, TournamentMatch, elo_ratings, skill_ratings
from sengoku.tournament.ratings import ELO, rates, student
from sengoku.tournament.results import Share, midranks, pair_shares, points
from sengoku.tournament.schedule import Schedule
from tournament import kit


def match(
    number: int, arrangement: int, bots: tuple[int, ...], ranks: tuple[int, ...], board: int = 0
) -> TournamentMatch:
    return kit.result(board=board, number=number, arrangement=arrangement, bots=bots, ranks=ranks)


def test_points_and_ranks() -> None:
    assert points((1, 1)) == [0.5, 0.5]
    assert points((3, 1, 2)) == [0.0, 1.0, 0.5]
    assert midranks((1, 1, 1, 4)) == [2.0, 2.0, 2.0, 4.0]
    assert sum(points((1, 2, 2, 2, 5))) == pytest.approx(2.5)


def test_pairs_of_a_table_with_copies() -> None:
    found = pair_shares([match(0, 0, (1, 0, 1, 2), (1, 2, 3, 3))])
    shares = {pair: clusters[0, 0] for pair, clusters in found.items()}
    assert {pair: (share.total, share.count) for pair, share in shares.items()} == {
        (0, 1): (1.0, 2),  # behind one copy, before the other
        (0, 2): (1.0, 1),
        (1, 2): (1.5, 2),  # before it, and level with it
    }


def test_a_rate_is_a_mean_over_seeds() -> None:
    rate = Rate.of([Share(2, 2), Share(1, 2), Share(0, 2), Share(1, 2)])
    assert rate.mean == 0.5
    assert rate.error == pytest.approx(math.sqrt(np.var([1, 0.5, 0, 0.5], ddof=1) / 4))
    assert (rate.matches, rate.clusters) == (8, 4)
    assert math.isnan(Rate.of([Share(2, 2)]).error)
    assert Rate.of([Share(2, 2)] * 9).error > 0  # who won all matches is not invincible
    assert math.isnan(Rate.of([]).mean)


def test_rates_by_any_key() -> None:
    matches = [match(0, 0, (0, 1), (1, 2)), match(0, 1, (1, 0), (1, 2)), match(1, 0, (0, 1), (1, 1))]
    found = rates(matches, lambda match, seat: match.bots[seat])
    assert found[0].wins.mean == found[1].wins.mean == pytest.approx(0.5)
    seats = rates(matches, lambda _, seat: seat)
    assert seats[0].wins.mean == pytest.approx(2.5 / 3)
    assert seats[0].mean_rank == pytest.approx(1)
    assert rates(matches, lambda *_: None) == {}


def test_two_bots_have_the_rating_of_their_score() -> None:
    matches = [match(number, 0, (0, 1), (1, 2) if number % 4 else (2, 1)) for number in range(4000)]
    elo = elo_ratings(matches, 2)
    gap, error = elo.difference(0, 1)
    assert gap == pytest.approx(ELO * math.log(3), abs=0.5)
    assert error == pytest.approx(ELO / math.sqrt(4000 * 0.75 * 0.25), rel=0.01)
    assert elo.superiority(0, 1) == pytest.approx(1.0)
    assert elo.ratings.sum() == pytest.approx(0)
    assert elo.superiority(0, 1) + elo.superiority(1, 0) == pytest.approx(1)


def test_paired_luck_makes_no_false_certainty() -> None:
    """What a seed decides in both seatings is no evidence, and it is not counted as such."""
    decided = [
        match(number, place, (place, 1 - place), (1, 2)) for number in range(200) for place in range(2)
    ]
    gap, error = elo_ratings(decided, 2).difference(0, 1)
    assert gap == pytest.approx(0)
    assert error < 10  # the seat won every match: nobody is better, and that is certain
    repeated = [
        match(number, place, (0, 1), (1, 2) if number % 2 else (2, 1))
        for number in range(20)
        for place in range(50)
    ]
    assert elo_ratings(repeated, 2).difference(0, 1)[1] > 60  # a thousand matches, but twenty seeds


def test_without_matches_nothing_is_known() -> None:
    elo = elo_ratings([], 3)
    assert elo.ratings.tolist() == [0, 0, 0]
    assert elo.difference(0, 1)[1] > 1000
    assert elo.superiority(0, 1) == 0.5


def test_who_won_everything_has_a_wide_range() -> None:
    elo = elo_ratings([match(number, 0, (0, 1), (1, 2)) for number in range(20)], 2)
    assert 300 < elo.ratings[0] < 2000
    assert elo.errors[0] > 100


def test_ratings_are_those_of_an_independent_fit() -> None:
    spec = kit.spec(4, blocks=25)
    matches = Schedule(spec).counted(kit.play(spec, kit.stronger([0.9, 0.2, -0.3, -0.8])))
    shares = [(pair, share.mean) for pair, found in pair_shares(matches).items() for share in found.values()]

    def cost(theta: np.ndarray) -> float:
        total = (ELO / 1000) ** 2 / 2 * float(theta @ theta)
        for (one, other), score in shares:
            gap = theta[one] - theta[other]
            total += score * math.log1p(math.exp(-gap)) + (1 - score) * math.log1p(math.exp(gap))
        return total

    best = minimize(cost, np.zeros(4), tol=1e-12).x
    assert elo_ratings(matches, 4).ratings == pytest.approx((best - best.mean()) * ELO, abs=0.01)


def test_the_true_order_of_bots_is_recovered() -> None:
    strength = [0.6, -0.6, 1.4, 0.0, -1.2]
    for seats, group in ((2, 2), (4, 4), (4, 2), (5, 5)):
        spec = kit.spec(5, seats=seats, group=group, blocks=40)
        matches = Schedule(spec).counted(kit.play(spec, kit.stronger(strength, luck=0.5)))
        elo = elo_ratings(matches, 5)
        assert np.argsort(elo.ratings).tolist() == np.argsort(strength).tolist()
        skills, _ = skill_ratings(matches, 5)
        assert np.argsort([skill.mu for skill in skills]).tolist() == np.argsort(strength).tolist()


def coverage(blocks: int, luck: float, tournaments: int) -> float:
    """How often the range of a rating holds the truth, over many small tournaments."""
    strength = [0.7, 0.0, -0.7]
    many = kit.spec(3, blocks=6000)
    truth = elo_ratings(
        Schedule(many).counted(kit.play(many, kit.stronger(strength, luck=luck), seed=-1)), 3
    ).ratings
    spec, held = kit.spec(3, blocks=blocks), 0
    for seed in range(tournaments):
        elo = elo_ratings(
            Schedule(spec).counted(kit.play(spec, kit.stronger(strength, luck=luck), seed=seed)), 3
        )
        low, high = elo.interval(0.95)
        held += int(((low <= truth) & (truth <= high)).sum())
    return held / (3 * tournaments)


def test_ranges_hold_the_truth_as_often_as_they_say() -> None:
    """The three bots of a tournament are not independent, so four errors of 150 trials are allowed."""
    assert coverage(20, 1.0, 150) == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / 150))


@pytest.mark.system
@pytest.mark.parametrize("blocks", [8, 20, 60])
@pytest.mark.parametrize("luck", [0.0, 1.0, 3.0])
def test_ranges_hold_the_truth_in_many_tournaments(blocks: int, luck: float) -> None:
    held = coverage(blocks, luck, 1000)
    print(f"blocks {blocks}, luck {luck}: {held:.3f}")  # noqa: T201 - the figures of the README
    assert held == pytest.approx(0.95, abs=0.03)


def test_student_is_wider_for_few_seeds() -> None:
    assert student(0.95, 3) > student(0.95, 30) > 1.96


def test_skills_move_with_results_and_not_with_their_order_in_the_file() -> None:
    matches = [match(number, 0, (0, 1, 2), (1, 2, 3)) for number in range(30)]
    skills, way = skill_ratings(matches, 3, every=10)
    assert skills[0].mu > skills[1].mu > skills[2].mu
    assert skills[0].ordinal < skills[0].mu
    assert [count for count, _ in way] == [10, 20, 30]
    assert way[-1][1] == skills
    alone, _ = skill_ratings([match(0, 0, (0, 0), (1, 2))], 2)
    assert alone[0].mu == alone[1].mu  # a bot against itself teaches nothing


def test_random_orders_of_ending_give_the_same_ratings() -> None:
    spec = kit.spec(4, blocks=5)
    results = kit.play(spec, kit.stronger([1, 0, 0, -1]))
    keys = list(results)
    random.Random(5).shuffle(keys)
    one = elo_ratings(Schedule(spec).counted(results), 4)
    other = elo_ratings(Schedule(spec).counted({key: results[key] for key in keys}), 4)
    assert one.ratings.tobytes() == other.ratings.tobytes()
    assert one.covariance.tobytes() == other.covariance.tobytes()
