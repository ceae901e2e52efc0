"""Simulates seeds: `python -m tests.simulation --seed 7` replays one and prints its trace."""

from __future__ import annotations

import argparse
import faulthandler
import gc
import sys
import time

from tests.simulation.crash_points import points, problem_at
from tests.simulation.simulate import simulate
from tests.simulation.vfs import Unavailable
from tests.simulation.work import RUNS, TOURNAMENTS
from tests.simulation.world import prepare

_HANGS = 200.0
"""Real seconds after which a world is given up, in which somebody goes round in circles without any step."""
_UNAVAILABLE = 77
"""Exit code where SQLite cannot be simulated."""


def main() -> int:
    """Simulate what the arguments say; the exit code is 1 if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, help="replay one seed and print its trace")
    parser.add_argument("--seeds", type=int, default=2_000, help="how many seeds to simulate")
    parser.add_argument("--first", type=int, default=0, help="the first of them")
    parser.add_argument("--twice", type=int, default=0, help="simulate every Nth seed twice, and compare")
    parser.add_argument("--most", type=int, default=5, help="stop after as many failures")
    parser.add_argument(
        "--crash-points", action="store_true", help="crash at every change of the disk instead"
    )
    parser.add_argument("--thorough", action="store_true", help="more work, and every kind of crash")
    chosen = parser.parse_args()
    try:
        prepare()
    except Unavailable as error:
        print(error)
        return _UNAVAILABLE
    if chosen.seed is not None:
        return _replay(chosen.seed)
    if chosen.crash_points:
        return _crash_points(thorough=chosen.thorough)
    return _simulate(range(chosen.first, chosen.first + chosen.seeds), twice=chosen.twice, most=chosen.most)


def _replay(seed: int) -> int:
    outcome = simulate(seed, keep=True)
    for line in outcome.lines:
        print(line)
    print(f"seed {outcome.seed}: {outcome.problem or 'ok'}, trace {outcome.digest}")
    return bool(outcome.problem)


def _crash_points(*, thorough: bool) -> int:
    begun, done, failures = time.perf_counter(), 0, 0
    runs, tournaments = (len(RUNS), len(TOURNAMENTS)) if thorough else (1, 1)
    for work, number in [("run", at) for at in range(runs)] + [
        ("tournament", at) for at in range(tournaments)
    ]:
        for point in points(work, number, thorough=thorough):
            done += 1
            problem = problem_at(point)
            if problem:
                failures += 1
                print(f"{point}: {problem}", flush=True)
            if done % 250 == 0:
                gc.collect()
    print(f"{done} crash points: {failures} failed; {time.perf_counter() - begun:.1f} s")
    return bool(failures)


def _simulate(seeds: range, *, twice: int, most: int) -> int:
    begun, failures, steps, starts, changes = time.perf_counter(), 0, 0, 0, 0
    done = 0
    for seed in seeds:
        faulthandler.dump_traceback_later(_HANGS, exit=True)
        outcome = simulate(seed)
        if twice and seed % twice == 0 and not outcome.problem:
            again = simulate(seed)
            if again.digest != outcome.digest:
                outcome.problem = f"two executions differ: traces {outcome.digest} and {again.digest}"
        done += 1
        steps, starts, changes = steps + outcome.steps, starts + outcome.starts, changes + outcome.changes
        if done == 1:
            gc.freeze()  # what is loaded by now stays
        if done % 250 == 0:
            gc.collect()
        if outcome.problem:
            failures += 1
            print(f"seed {seed}: {outcome.problem}", flush=True)
            if failures == most:
                break
    faulthandler.cancel_dump_traceback_later()
    seconds = time.perf_counter() - begun
    print(
        f"{done} seeds from {seeds.start}: {failures} failed; {starts} servers, {steps} steps, "
        f"{changes} changes of the disk in {seconds:.1f} s, {seconds / done * 1e3:.1f} ms a seed"
    )
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
