"""The same throw gives the same bytes: on any threads, instruction set and split, and after saving."""

import copy
import pickle
import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from golden.regenerate import CLASHES
from sengoku import Cancel, build_info, tower
from sengoku.errors import ArgumentError, CancelledError, DecodeError, StateSpaceError
from sengoku.tower import Clash, ClashOdds, CubeTower, simulate_throws

THROW = {"blue": 4, "yellow": 3, "farmer": 1}
THREE_SHELVES = CLASHES[-1]  # a tower without exact odds
CONTENTS = {"red": 10, "blue": 8, "yellow": 9, "farmer": 9}


@pytest.mark.parametrize("clash", CLASHES)
def test_threads_change_nothing(clash: Clash) -> None:
    once = clash.sample(20_001, seed=3, threads=1)
    for threads in (0, 2, 3, 8):
        assert clash.sample(20_001, seed=3, threads=threads) == once


@pytest.mark.parametrize("name", build_info()["instruction_sets"])
def test_instruction_sets_change_nothing(name: str) -> None:
    for clash in CLASHES:
        assert clash.sample(5_003, seed=9, instruction_set=name) == clash.sample(5_003, seed=9)
    for sequence in (False, True):
        request = {"count": 5_000, "contents": CONTENTS, "seed": 4, "sequence": sequence}
        assert simulate_throws(THROW, **request, instruction_set=name) == simulate_throws(THROW, **request)


def test_parts_of_a_range_are_the_whole() -> None:
    whole = simulate_throws(THROW, count=20_000, contents=CONTENTS, seed=4, threads=2)
    for first, count in ((0, 1), (1, 9_000), (9_001, 10_999)):
        part = simulate_throws(THROW, count=count, first=first, contents=CONTENTS, seed=4, threads=1)
        assert (part.tray == whole.tray[first : first + count]).all()
        assert (part.contents == whole.contents[first : first + count]).all()
    assert len(simulate_throws(THROW, count=0)) == 0


def test_rows_are_throws_of_a_tower() -> None:
    throws = simulate_throws(THROW, count=50, first=7, contents=CONTENTS, seed=4)
    for row in range(50):
        device = CubeTower(seed=4, match_index=7 + row, contents=CONTENTS)
        tray = device.throw(THROW)
        assert throws.tray[row].tolist() == [tray.get(colour, 0) for colour in tower.COLOURS]
    sequence = simulate_throws(THROW, count=50, first=7, contents=CONTENTS, seed=4, sequence=True)
    device = CubeTower(seed=4, match_index=7, contents=CONTENTS)
    for row in range(3):  # later there may be more of a colour inside than there are cubes
        tray = device.throw(THROW)
        assert sequence.tray[row].tolist() == [tray.get(colour, 0) for colour in tower.COLOURS]


def test_a_smaller_sample_is_the_beginning_of_a_larger_one() -> None:
    less, more = (CLASHES[2].sample(count, seed=4).counts for count in (10_000, 15_000))
    assert (more >= less).all()
    assert CLASHES[2].sample(1000, seed=1) != CLASHES[2].sample(1000, seed=2)


def test_odds_are_as_good_as_asked() -> None:
    odds = THREE_SHELVES.odds(max_error=5e-3, seed=1)
    assert 4e-3 < odds.standard_error <= 5e-3
    assert odds == THREE_SHELVES.sample(odds.samples, seed=1)
    assert odds.method == "sampled"
    assert odds.attacker_wins + odds.defender_wins + odds.none == pytest.approx(1)
    assert odds.table.sum() == pytest.approx(1)
    assert odds.attacker_armies_left.sum() == pytest.approx(1)
    assert odds.attacker_armies_left[1:].sum() == pytest.approx(odds.attacker_wins)
    assert odds.defender_armies_left[0] == pytest.approx(1 - odds.defender_wins)
    assert odds.percentiles("attacker", [0, 100])[1] == odds.attacker_armies_left.nonzero()[0][-1]
    for options in ({"max_error": 0}, {"max_error": float("nan")}, {"max_error": 1e-9}, {"max_samples": 0}):
        with pytest.raises(ArgumentError):
            THREE_SHELVES.odds(**options)
    with pytest.raises(ArgumentError, match="the limit is 5000"):
        THREE_SHELVES.odds(max_samples=5000)
    for side, percentages in (("nobody", [5]), ("attacker", [101]), ("attacker", [0] * 10_001)):
        with pytest.raises(ArgumentError):
            odds.percentiles(side, percentages)


def test_rows_of_a_batch_are_single_answers() -> None:
    for options in ({"method": "sampled", "samples": 3000}, {"max_error": 0.01}):
        batch = tower.batch_odds(CLASHES, seed=5, **options)
        for row, clash in enumerate(CLASHES):
            odds = (
                clash.odds(max_error=0.01, seed=5) if "max_error" in options else clash.sample(3000, seed=5)
            )
            assert (batch.attacker_wins[row], batch.none[row]) == (odds.attacker_wins, odds.none)
            left = odds.defender_armies_left
            assert batch.defender_armies_left[row, : len(left)].tolist() == left.tolist()
    assert len(tower.batch_odds([])) == 0
    with pytest.raises(ArgumentError, match='method is "guessed"'):
        tower.batch_odds(CLASHES, method="guessed")
    with pytest.raises(StateSpaceError, match="there is no exact answer"):
        tower.batch_odds([CLASHES[2], THREE_SHELVES], method="exact")
    with pytest.raises(TypeError, match="row 1 must be a Clash"):
        tower.batch_odds([CLASHES[0], 5], method="sampled", samples=5)


def test_more_armies_win_more_often() -> None:
    # the chance to win grows with the attackers and falls with the defenders; farmers help the defender
    sizes = range(1, 9)
    wins = tower.batch_odds(
        [Clash(("red", size), ("blue", 4)) for size in sizes], method="sampled", samples=20_000
    )
    assert (wins.attacker_wins[1:] > wins.attacker_wins[:-1]).all()
    alone = Clash(("red", 4), ("blue", 4), farmers_defend=False).sample(20_000)
    helped = Clash(("red", 4), ("blue", 4)).sample(20_000)
    assert alone.attacker_wins > helped.attacker_wins
    assert abs(alone.attacker_wins - alone.defender_wins) < 5 * alone.standard_error


@settings(max_examples=30)
@given(st.lists(st.sampled_from(tower.COLOURS), min_size=1, max_size=12), st.integers(0, 2**64 - 1))
def test_a_saved_tower_goes_on(colours: list[str], seed: int) -> None:
    first = CubeTower(seed=seed, contents=CONTENTS)
    cubes = {colour: colours.count(colour) for colour in colours}
    first.throw(cubes)
    others = [
        CubeTower.load(first.save()),
        first.clone(),
        pickle.loads(pickle.dumps(first)),  # noqa: S301
        copy.copy(first),
    ]
    first.throw(THROW)
    for other in others:
        assert other.throws == 1
        other.throw(THROW)
        assert (other.save(), other.shelves, other.draws) == (first.save(), first.shelves, first.draws)


def test_bytes_that_are_no_tower() -> None:
    data = CubeTower(seed=1, contents=CONTENTS).save()
    chance = random.Random(5)
    for length in range(len(data)):
        with pytest.raises(DecodeError):
            CubeTower.load(data[:length])
    with pytest.raises(DecodeError):
        CubeTower.load(data + b"x")
    for _ in range(3000):
        broken = bytearray(data)
        broken[chance.randrange(len(data))] = chance.randrange(256)
        with suppress(ValueError):
            CubeTower.load(bytes(broken)).throw({"black": 1})


def test_questions_survive_pickling() -> None:
    for clash in CLASHES:
        again = pickle.loads(pickle.dumps(clash))  # noqa: S301
        assert again == clash
        assert hash(again) == hash(clash)
        assert repr(again) == repr(clash)
        odds = clash.sample(100)
        assert pickle.loads(pickle.dumps(odds)) == odds  # noqa: S301
    counts = CLASHES[0].sample(100).counts
    with pytest.raises(DecodeError, match="the table has shape"):
        ClashOdds.from_counts(CLASHES[0], counts[:, 1:], 100)
    with pytest.raises(DecodeError, match="add up to 100"):
        ClashOdds.from_counts(CLASHES[0], counts, 99)


def test_work_that_is_stopped() -> None:
    cancel = Cancel()
    cancel.cancel()
    for work in (
        lambda: CLASHES[0].sample(10**10, cancel=cancel),
        lambda: tower.batch_odds(CLASHES, method="sampled", samples=10**9, cancel=cancel),
        lambda: simulate_throws(THROW, count=10**7, cancel=cancel),
    ):
        with pytest.raises(CancelledError):
            work()

    def fail(done: int, total: int) -> None:
        raise RuntimeError(f"{done} of {total}")

    with pytest.raises(RuntimeError, match=r"of 10000000000"):
        CLASHES[0].sample(10**10, progress=fail)


def test_numbers_that_cannot_be() -> None:
    for options in ({"count": -1}, {"count": tower.MAX_THROWS + 1}, {"count": 1, "seed": 2**64}):
        with pytest.raises(ArgumentError):
            simulate_throws(THROW, **options)
    for samples in (0, -1, 10**13):
        with pytest.raises(ArgumentError, match="samples is"):
            CLASHES[0].sample(samples)
