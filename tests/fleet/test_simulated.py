"""Whole fleets under the real driver, in virtual time, with failures."""

import pytest

from sengoku.errors import UnavailableError
from sengoku.fleet.ranges import Options
from tools.fleet.simulated import SimulatedFleet

UNITS = 2_000_000


def is_right(fleet: SimulatedFleet, units: int) -> bool:
    """Return whether the recorded answers are the right ones, each unit once."""
    at = 0
    for first, count in fleet.answers[0]:
        if first != at:
            return False
        at += count
    return at == units


def test_a_fleet_without_failures_is_efficient() -> None:
    fleet = SimulatedFleet(nodes=20, threads=4, seed=1)
    report = fleet.run(100_000_000)
    assert is_right(fleet, 100_000_000)
    assert report.efficiency > 0.95
    assert (report.reassigned, report.disagreements, report.expelled) == (0, 0, ())


def test_simulations_are_reproducible() -> None:
    one, other = (SimulatedFleet(nodes=5, threads=2, seed=3).run(UNITS) for _ in range(2))
    assert one == other


@pytest.mark.parametrize("seed", range(20))
def test_killed_paused_drained_and_late_nodes_change_no_answer(seed: int) -> None:
    fleet = SimulatedFleet(nodes=6, threads=1, seed=seed)

    def faults(_: SimulatedFleet) -> None:
        fleet.at(3.0, lambda: fleet.kill("n0", told=seed % 2 == 0))
        fleet.at(4.0, lambda: fleet.pause("n1", 8.0))
        fleet.at(5.0, lambda: fleet.drain("n2"))
        fleet.at(6.0, lambda: fleet.add(2))

    report = fleet.run(UNITS, faults=faults)
    assert is_right(fleet, UNITS)
    assert report.reassigned > 0
    assert report.disagreements == 0


@pytest.mark.parametrize("seed", range(20))
def test_a_node_with_wrong_answers_is_expelled_and_leaves_no_trace(seed: int) -> None:
    fleet = SimulatedFleet(nodes=2 + seed % 3, threads=1, seed=seed)
    bad = fleet.add(1, wrong=True)
    fleet.run(UNITS)
    assert is_right(fleet, UNITS)
    assert fleet.discarded == [bad]


@pytest.mark.parametrize("seed", range(20))
def test_a_node_that_turns_bad_is_found_by_the_checks(seed: int) -> None:
    options = Options(checked=0.2)
    fleet = SimulatedFleet(nodes=2 + seed % 4, threads=1, seed=seed, options=options)
    fleet.run(8_000_000, faults=lambda _: fleet.at(10.0, lambda: setattr(fleet.node("n1"), "wrong", True)))
    assert fleet.discarded == ["n1"]
    assert is_right(fleet, 8_000_000)


def test_a_killed_node_costs_less_than_three_seconds() -> None:
    whole = SimulatedFleet(nodes=2, threads=1, seed=2)
    seconds = whole.run(UNITS).seconds
    fleet = SimulatedFleet(nodes=2, threads=1, seed=2)
    killed = fleet.run(UNITS, faults=lambda _: fleet.at(10.0, lambda: fleet.kill("n1", told=False))).seconds
    speeds = [node.speed for node in fleet.nodes]
    ideal = 10.0 + (seconds - 10.0) * sum(speeds) / speeds[0]
    assert killed - ideal < 5.5  # three seconds of silence, and the ranges it had


def test_without_any_worker_the_work_fails() -> None:
    fleet = SimulatedFleet(nodes=1, threads=1, seed=2)
    with pytest.raises(UnavailableError, match="no worker for 60 seconds: simulated"):
        fleet.run(UNITS, faults=lambda _: fleet.at(10.0, lambda: fleet.kill("n0")))


def test_the_autoscaler_is_asked_for_cores_and_for_none_at_the_end() -> None:
    fleet = SimulatedFleet(nodes=1, threads=1, seed=2)
    fleet.run(20_000_000)
    assert max(fleet.asked) > 5
    fleet.at(0.0, lambda: None)
    fleet.now += 1.0
    fleet.driver.step()
    assert fleet.asked[-1] == 0


def test_many_short_items_are_played_side_by_side() -> None:
    fleet = SimulatedFleet(nodes=10, threads=1, seed=4)
    report = fleet.run(20_000_000, items=500)
    assert all(sum(count for _, count in found) == 40_000 for found in fleet.answers)
    assert report.efficiency > 0.8
