"""Simulated worlds and crash points, each in a process that simulates nothing but them."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def simulation(
    *arguments: str, timeout: float | None = 280, environment: Mapping[str, str] | None = None
) -> str:
    """Run the simulation in a process of its own: it replaces time and threads."""
    command = [sys.executable, "-m", "tests.simulation", *arguments]
    done = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    if done.returncode == 77:
        pytest.skip(done.stdout)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_crashes_at_every_change_of_the_disk_change_no_byte() -> None:
    assert ": 0 failed" in simulation("--crash-points")


@pytest.mark.system
def test_every_kind_of_crash_at_every_change_of_more_work() -> None:
    assert ": 0 failed" in simulation("--crash-points", "--thorough", timeout=3000)


@pytest.mark.parametrize("first", range(0, 2_000, 500))
def test_seeds_keep_all_promises(first: int) -> None:
    assert ": 0 failed" in simulation("--first", str(first), "--seeds", "500", "--twice", "100")


@pytest.mark.parametrize("seed", [26_618])
def test_seeds_that_found_something(seed: int) -> None:
    """26618: the next server reported what a failed sync had left in the journal, and a power cut lost it."""
    assert f"seed {seed}: ok" in simulation("--seed", str(seed))


@pytest.mark.system
@pytest.mark.timeout(0)
def test_a_million_seeds_keep_all_promises() -> None:
    """SENGOKU_SIMULATION_SEEDS sets another number, and SENGOKU_SIMULATION_FIRST another start."""
    seeds = os.environ.get("SENGOKU_SIMULATION_SEEDS", "1000000")
    first = os.environ.get("SENGOKU_SIMULATION_FIRST", "2000")
    assert ": 0 failed" in simulation("--first", first, "--seeds", seeds, "--twice", "1000", timeout=None)


def test_a_seed_gives_the_same_trace_in_every_process() -> None:
    traces = [simulation("--seed", "3", environment={"PYTHONHASHSEED": seed}) for seed in ("1", "2")]
    assert traces[0] == traces[1]
    assert len(traces[0].splitlines()) > 20
