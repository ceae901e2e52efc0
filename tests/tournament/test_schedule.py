"""What is to be played follows from the file and the results, and from nothing else."""

import random
from itertools import combinations

import pytest

from sengoku.tournament.schedule import Round, Schedule, Standing
from tournament import kit

FORMS = ["round_robin", "gauntlet", "swiss", "knockout", "ladder"]


def rounds(spec: object, results: object) -> list[tuple[Round, list[Standing]]]:
    return list(Schedule(spec).rounds(results))  # type: ignore[arg-type]


def test_everybody_meets_everybody_on_the_same_seeds() -> None:
    spec = kit.spec(5, blocks=3, boards=2)
    ((found, _),) = rounds(spec, {})
    assert [meeting.bots for meeting in found.meetings] == list(combinations(range(5), 2))
    seeds = [{(block.board, block.number) for block in meeting.blocks} for meeting in found.meetings]
    assert all(seen == {(board, number) for board in range(2) for number in range(3)} for seen in seeds)


def test_groups_fill_tables_of_many_seats() -> None:
    spec = kit.spec(5, seats=4, group=4)
    ((found, _),) = rounds(spec, {})
    assert [meeting.bots for meeting in found.meetings] == list(combinations(range(5), 4))
    assert len(Schedule(spec).seatings(found.meetings[0].blocks[0])) == 24


def test_one_meets_all_others_in_a_gauntlet() -> None:
    ((found, _),) = rounds(kit.spec(4, "gauntlet", hero=2), {})
    assert [meeting.bots for meeting in found.meetings] == [(2, 0), (2, 1), (2, 3)]


def test_swiss_pairs_equals_and_nobody_twice() -> None:
    spec = kit.spec(8, "swiss", rounds=5, blocks=2)
    results = kit.play(spec, kit.stronger([8, 7, 6, 5, 4, 3, 2, 1], 0.01))
    played = rounds(spec, results)
    assert len(played) == 5
    met = [frozenset(meeting.bots) for found, _ in played for meeting in found.meetings]
    assert len(met) == len(set(met)) == 20
    assert {frozenset(meeting.bots) for meeting in played[1][0].meetings} == {
        frozenset(pair) for pair in [(0, 2), (4, 6), (1, 3), (5, 7)]
    }
    assert Schedule(spec).order(results)[:2] == [0, 1]


def test_swiss_lets_everybody_rest_once_before_anybody_rests_twice() -> None:
    spec = kit.spec(5, "swiss", rounds=5)
    played = rounds(spec, kit.play(spec, kit.stronger([5, 4, 3, 2, 1])))
    assert sorted(bot for found, _ in played for bot in found.byes) == [0, 1, 2, 3, 4]


def test_swiss_of_many_rounds_meets_again_rather_than_stop() -> None:
    spec = kit.spec(4, "swiss", rounds=6, blocks=1)
    assert len(rounds(spec, kit.play(spec, kit.stronger([4, 3, 2, 1])))) == 6


@pytest.mark.parametrize("bots", [2, 3, 5, 6, 8, 11])
def test_the_best_wins_a_knockout_and_the_first_two_meet_last(bots: int) -> None:
    spec = kit.spec(bots, "knockout", best_of=3)
    results = kit.play(spec, kit.stronger([-bot for bot in range(bots)], 0.001))
    played = rounds(spec, results)
    assert len(played) == (bots - 1).bit_length()
    assert [meeting.bots for meeting in played[-1][0].meetings] == [(0, 1)]
    assert Schedule(spec).order(results)[:2] == [0, 1]
    size = 1 << (bots - 1).bit_length()
    assert played[0][0].byes == tuple(bot for bot in played[0][0].byes if bot < size - bots)
    assert len(played[0][0].byes) == size - bots
    for _, standings in played:
        assert all(standing.counted == 2 for standing in standings)  # a lead of two cannot be made up in one


def test_an_even_meeting_goes_on_and_then_the_higher_seed_goes_through() -> None:
    spec = kit.spec(2, "knockout", best_of=2)
    results = kit.play(spec, lambda *_: (1, 2))  # the first seat always wins: every block is even
    ((_, (standing,)),) = rounds(spec, results)
    assert (standing.counted, standing.over, standing.score) == (4, True, 2.0)
    assert Schedule(spec).order(results) == [0, 1]

    def late(
        board: int, number: int, arrangement: int, seated: tuple[int, ...], seed: int
    ) -> tuple[int, ...]:
        return (1, 2) if number < 2 or seated[0] == 1 else (2, 1)

    ((_, (standing,)),) = rounds(spec, kit.play(spec, late))
    assert (standing.counted, standing.over, standing.score) == (3, True, 1.0)


def test_a_ladder_pairs_neighbours_and_goes_on_as_long_as_told() -> None:
    spec = kit.spec(5, "ladder", rounds=6, blocks=4)
    results = kit.play(spec, kit.stronger([1, 2, 3, 4, 5], 0.05))
    played = rounds(spec, results)
    assert len(played) == 6
    assert [meeting.bots for meeting in played[0][0].meetings] == [(0, 1), (2, 3)]
    assert Schedule(spec).order(results) == [4, 3, 2, 1, 0]
    endless = kit.spec(5, "ladder", rounds=0, blocks=4)
    assert len(rounds(endless, results)) == 7  # the seventh is open


def test_a_test_ends_a_meeting_and_what_follows_does_not_count() -> None:
    spec = kit.spec(2, blocks=400, sprt=kit.better(50))
    results = kit.play(spec, kit.stronger([1, 0]))
    ((_, (standing,)),) = rounds(spec, results)
    assert standing.over
    assert standing.verdict == "better"
    assert standing.counted < 400
    assert len(Schedule(spec).counted(results)) == 2 * standing.counted
    first = {block: results[block] for block in standing.meeting.blocks[: standing.counted]}
    assert rounds(spec, first) == rounds(spec, results)


@pytest.mark.parametrize("form", FORMS)
def test_the_order_in_which_matches_end_changes_nothing(form: str) -> None:
    spec = kit.spec(5, form, rounds=3 if form in ("swiss", "ladder") else 0, best_of=3)
    results = kit.play(spec, kit.stronger([1, 0.5, 0, -0.5, 1]))
    keys = list(results)
    random.Random(1).shuffle(keys)
    shuffled = {key: results[key] for key in keys}
    assert rounds(spec, shuffled) == rounds(spec, results)
    assert Schedule(spec).counted(shuffled) == Schedule(spec).counted(results)
    assert Schedule(spec).order(shuffled) == Schedule(spec).order(results)


@pytest.mark.parametrize("form", FORMS)
def test_no_block_is_played_twice(form: str) -> None:
    spec = kit.spec(6, form, rounds=8 if form in ("swiss", "ladder") else 0, best_of=2, boards=3, blocks=2)
    played = rounds(spec, kit.play(spec, kit.stronger([1, 0.5, 0, -0.5, 1, 0])))
    keys = [block for found, _ in played for meeting in found.meetings for block in meeting.blocks]
    assert len(keys) == len(set(keys))
    seeds = [{block[1:] for meeting in found.meetings for block in meeting.blocks} for found, _ in played]
    assert sum(map(len, seeds)) == len(set().union(*seeds))  # every round has seeds of its own
