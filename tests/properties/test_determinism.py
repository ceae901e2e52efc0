"""The same question gives the same bytes: on any number of threads, any instruction set, any split."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from golden.regenerate import BATTLES
from sengoku import Cancel, build_info, draws, swords, tower
from sengoku.engine.games import find_game, games
from sengoku.engine.requests import RunRequest
from sengoku.errors import ArgumentError, CancelledError, DecodeError, SetupError, StateSpaceError
from sengoku.swords import Battle, Force

SMALL = BATTLES[0]
LARGE = BATTLES[-1]


@pytest.mark.parametrize("battle", BATTLES)
def test_threads_change_nothing(battle: Battle) -> None:
    once = battle.sample(300_001, seed=3, threads=1)
    for threads in (0, 2, 3, 8):
        assert battle.sample(300_001, seed=3, threads=threads) == once


def test_the_background_changes_nothing() -> None:
    assert SMALL.sample(3_000_001, seed=3, background=True) == SMALL.sample(3_000_001, seed=3)
    assert LARGE.odds(max_error=1e-3, background=True) == LARGE.odds(max_error=1e-3)
    request = {"method": "sampled", "samples": 50_000, "seed": 5}
    batches = [swords.batch_odds(BATTLES, **request, background=background) for background in (False, True)]
    assert batches[0].attacker_wins.tolist() == batches[1].attacker_wins.tolist()
    for model, count in (("shelves", 20_000), ("rigid", 2)):
        throws = [
            tower.simulate_throws({"blue": 4}, count=count, model=model, background=background)
            for background in (False, True)
        ]
        assert (throws[0].tray == throws[1].tray).all()


@pytest.mark.parametrize("game", [game.name for game in games()])
def test_matches_in_the_background_are_the_same(game: str) -> None:
    least = find_game(game).seats[0]
    request = {"bots": ["greedy", "random"], "seats": least, "match_count": 12, "first_match": 5, "seed": 3}
    reports = [RunRequest.create(game, **request).play(background=background) for background in (False, True)]
    assert reports[0] == reports[1]


@pytest.mark.skipif(sys.platform != "linux", reason="threads have a priority of their own on Linux")
def test_threads_of_the_background_step_back() -> None:
    def niceness(prefix: str) -> list[int]:
        found = []
        for task in Path("/proc/self/task").iterdir():
            name, _, numbers = (task / "stat").read_text().partition("(")[2].rpartition(")")
            if name.startswith(prefix):
                found.append(int(numbers.split()[16]))
        return found

    SMALL.sample(3_000_001, threads=3, background=True)
    SMALL.sample(3_000_001, threads=3)
    assert len(niceness("sengoku-back")) >= 3
    assert min(niceness("sengoku-back")) >= 15
    assert os.getpriority(os.PRIO_PROCESS, 0) < 15


@pytest.mark.parametrize("name", build_info()["instruction_sets"])
@pytest.mark.parametrize("battle", BATTLES)
def test_instruction_sets_change_nothing(battle: Battle, name: str) -> None:
    best = battle.sample(100_003, seed=9)
    assert battle.sample(100_003, seed=9, instruction_set=name) == best


def test_seeds_matter() -> None:
    assert SMALL.sample(1000, seed=1) != SMALL.sample(1000, seed=2)
    assert SMALL.sample(1000, seed=1) != SMALL.sample(1000, seed=1 + 2**63)


def test_a_smaller_sample_is_the_beginning_of_a_larger_one() -> None:
    less, more = SMALL.sample(100_000, seed=4).counts, SMALL.sample(150_000, seed=4).counts
    assert less is not None
    assert more is not None
    assert (more >= less).all()


def test_rows_of_a_batch_are_single_answers() -> None:
    batch = swords.batch_odds(BATTLES, method="sampled", samples=50_000, seed=5)
    exact = swords.batch_odds(BATTLES)
    for row, battle in enumerate(BATTLES):
        odds = battle.sample(50_000, seed=5)
        assert batch.attacker_wins[row] == odds.attacker_wins
        assert batch.standard_error[row] == odds.standard_error
        left = odds.defender_units_left
        assert batch.defender_units_left[row, : len(left)].tolist() == left.tolist()
        assert not batch.defender_units_left[row, len(left) :].any()
        assert exact.called_off[row] == battle.exact().called_off
    assert exact.samples.tolist() == [0] * len(BATTLES)
    assert len(swords.batch_odds([])) == 0


def test_auto_is_exact_or_as_good_as_asked() -> None:
    assert SMALL.odds().method == "exact"
    endless = Battle(SMALL.attacker, SMALL.defenders, break_off_after=1_000_000)
    with pytest.raises(StateSpaceError) as refused:
        endless.exact()
    assert refused.value.details == {"states": str(11 * 11 * 1_000_000), "limit": "100000"}
    sampled = endless.odds(max_error=5e-4, seed=1)
    assert sampled.method == "sampled"
    assert 4e-4 < sampled.standard_error <= 5e-4
    assert sampled == endless.sample(sampled.samples, seed=1)
    with pytest.raises(ArgumentError, match="the limit is 100000"):
        endless.odds(max_error=5e-4, max_samples=100_000)


def test_progress_is_told_and_can_stop_the_work() -> None:
    seen: list[tuple[int, int]] = []
    SMALL.sample(20_000_000, threads=1, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (20_000_000, 20_000_000)
    assert len(seen) > 1

    def fail(_done: int, _total: int) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        SMALL.sample(10**12, progress=fail)


def test_work_can_be_cancelled_from_another_thread() -> None:
    cancel = Cancel()
    threading.Timer(0.05, cancel.cancel).start()
    start = time.perf_counter()
    with pytest.raises(CancelledError):
        LARGE.sample(10**12, cancel=cancel)
    assert cancel.cancelled
    assert time.perf_counter() - start < 30  # years otherwise


@pytest.mark.parametrize(
    ("question", "field"),
    [
        (lambda: SMALL.exact(max_states=-1), "max_states"),
        (lambda: SMALL.exact(max_states=2**64), "max_states"),
        (lambda: SMALL.odds(max_samples=0), "max_samples"),
        (lambda: SMALL.odds(max_samples=-1), "max_samples"),
        (lambda: swords.batch_odds([SMALL], max_samples=10**13), "max_samples"),
        (lambda: swords.batch_odds([SMALL], method="exact", samples=-1), "samples"),
        (lambda: SMALL.odds(threads=10**9), "threads"),
        (lambda: SMALL.exact().percentiles("attacker", iter(lambda: 5, None)), "percentages"),
        (lambda: swords.batch_odds([SMALL], method="\ud800"), "method"),
        (lambda: draws("game", count=2**32), "count"),
        (lambda: draws("game", first=2**32 - 1, count=2), "count"),
        (lambda: draws("game", first=-1), "first"),
        (lambda: SMALL.sample(0), "samples"),
        (lambda: SMALL.sample(-1), "samples"),
        (lambda: SMALL.sample(10**12 + 1), "samples"),
        (lambda: SMALL.sample(10**40), "samples"),
        (lambda: SMALL.sample(1, seed=-1), "seed"),
        (lambda: SMALL.sample(1, seed=2**64), "seed"),
        (lambda: SMALL.sample(1, threads=-1), "threads"),
        (lambda: SMALL.sample(1, threads=100_000), "threads"),
        (lambda: SMALL.sample(1, instruction_set="mmx"), "instruction_set"),
        (lambda: SMALL.odds(max_error=0), "max_error"),
        (lambda: SMALL.odds(max_error=float("nan")), "max_error"),
        (lambda: SMALL.exact().percentiles("left", [50]), "side"),
        (lambda: SMALL.exact().percentiles("attacker", [101]), "percentage"),
        (lambda: swords.batch_odds([SMALL], method="guess"), "method"),
        (lambda: draws("weather"), "purpose"),
        (lambda: draws("game", sides=0), "sides"),
    ],
)
def test_questions_that_make_no_sense(question, field: str) -> None:
    with pytest.raises(ArgumentError) as refused:
        question()
    assert refused.value.details["field"] == field
    assert refused.value.reason == "INVALID_ARGUMENT"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Force(bow="two"),
        lambda: Force(bow=1.5),
        lambda: Battle("army", Force(spear=1)),
        lambda: Battle(Force(spear=1), None),
        lambda: Battle(Force(spear=1), Force(spear=1), fort=3),
        lambda: SMALL.fight(dice=7),
        lambda: SMALL.fight(dice=["one"]),
        lambda: SMALL.sample("many"),
        lambda: swords.batch_odds([SMALL, 5]),
        lambda: SMALL.exact().percentiles("attacker", ["half"]),
        lambda: SMALL.exact().percentiles(3, [50]),
    ],
)
def test_values_of_the_wrong_type(wrong) -> None:
    with pytest.raises(TypeError):
        wrong()


class Endless:
    """A sequence that says it is very long, and is."""

    def __init__(self, item: object) -> None:
        self.item = item

    def __len__(self) -> int:
        return 10**12

    def __getitem__(self, index: int) -> object:
        return self.item


def test_endless_sequences_are_refused_after_their_beginning() -> None:
    spear = Force(spear=1)
    with pytest.raises(SetupError, match="3 forces"):
        Battle(spear, Endless(spear))
    with pytest.raises(SetupError, match="attacker_losses is"):
        Battle(spear, spear, attacker_losses=Endless("bow"))


def test_the_largest_sides_there_can_be() -> None:
    army = Force(daimyo=1, bow=4, spear=10, ronin=14)
    dead = Force(bow=4, spear=10, ronin=14, disrupted=True)
    garrison = Force(bow=5, ronin=4)
    for defenders in ([army, garrison], [dead, garrison], [dead]):
        battle = Battle(Force(daimyo=1, bow=4, spear=10, ronin=7), defenders, fort="fortress")
        assert battle.sample(1000).samples == 1000
        assert len(swords.batch_odds([battle], method="exact")) == 1
    with pytest.raises(SetupError, match="ronin is 15, this force leads at most 14"):
        Battle(Force(spear=1), Force(bow=4, spear=10, ronin=15, disrupted=True))


def test_an_interrupted_run_leaves_the_callers_flag_alone() -> None:
    cancel = Cancel()
    with pytest.raises(ZeroDivisionError):
        SMALL.sample(10**12, cancel=cancel, progress=lambda _done, _total: 1 / 0)
    assert not cancel.cancelled
    cancel.cancel()
    for work in (SMALL.odds, lambda **options: SMALL.sample(10**9, **options)):
        with pytest.raises(CancelledError):
            work(cancel=cancel)


def test_many_long_runs_do_not_starve_a_short_one() -> None:
    cancel = Cancel()

    def work() -> None:
        with pytest.raises(CancelledError):
            LARGE.sample(10**12, cancel=cancel)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    try:
        time.sleep(0.2)
        assert SMALL.sample(1000, seed=1).samples == 1000
        assert SMALL.sample(1_000_000, seed=1).samples == 1_000_000
        assert len(swords.batch_odds([SMALL] * 100)) == 100
    finally:
        cancel.cancel()
        for thread in threads:
            thread.join(60)
    assert not any(thread.is_alive() for thread in threads)


FORK = """
import os
from golden.regenerate import BATTLES
here = BATTLES[0].sample(1_000_000, seed=1, threads=2)
child = os.fork()
there = BATTLES[0].sample(1_000_000, seed=1, threads=2)
if child:
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
os._exit(0 if here == there else 1)
"""


def test_a_forked_child_has_threads_of_its_own() -> None:
    tests = str(Path(__file__).parents[1])
    command = [sys.executable, "-W", "ignore", "-c", FORK]
    subprocess.run(command, check=True, timeout=60, env=os.environ | {"PYTHONPATH": tests})


@pytest.mark.parametrize(
    ("table", "samples", "rounds"),
    [
        (np.zeros((11, 11)), None, 1.0),
        (np.full((11, 11), np.nan), None, 1.0),
        (np.full((11, 11), 1 / 121), None, np.inf),
        (np.full((11, 11), 1 / 121), None, -1.0),
        (np.full((1, 121), 1 / 121), None, 1.0),
        (np.full((121, 11), 1 / 121), None, 1.0),
        (np.zeros((11, 11), np.uint64), 0, 0),
        (np.ones((11, 11), np.uint64), 120, 0),
        (np.full((11, 11), 2**63, np.uint64), 121, 0),
    ],
)
def test_tables_from_elsewhere_are_looked_at(table: np.ndarray, samples: int | None, rounds: float) -> None:
    odds = swords.Odds
    arguments = (SMALL, table, rounds) if samples is None else (SMALL, table, samples, int(rounds))
    with pytest.raises(DecodeError):
        (odds.from_probabilities if samples is None else odds.from_counts)(*arguments)
