"""A fleet of two one-core nodes on this machine, next to one process with two threads in the same run."""

import os
import signal
import time
from typing import Any

from sengoku import MatchReport, run_matches
from sengoku.cli.measure import Row
from sengoku.fleet import Fleet

SECONDS = 30.0
"""Length of the run whose efficiency is measured."""
RUN: dict[str, Any] = {"game": "tower", "bots": ["random"], "seats": 3, "seed": 5}


def seconds_of(play: Any, match_count: int, **options: Any) -> tuple[float, MatchReport]:
    """Return the time and the report of a run."""
    began = time.perf_counter()
    report = play(**RUN, match_count=match_count, **options)
    return time.perf_counter() - began, report


def fleet_rows(seconds: float = SECONDS) -> list[Row]:
    """Efficiency, the cost of a killed node, and the time until a new fleet has its first result."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - takes a second to load

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
    try:
        began = time.perf_counter()
        with Fleet(cluster.address, patience=300.0) as fleet:
            fleet.run_matches(**RUN, match_count=10)
            first = time.perf_counter() - began
            while sum(worker.state == "ready" for worker in fleet.status.workers) < 2:
                time.sleep(0.1)
            few, _ = seconds_of(run_matches, 2000, threads=2)
            count = int(2000 * seconds / few)
            # By turns, since other work on the machine comes and goes.
            halves = [
                (seconds_of(run_matches, count // 2, threads=2), seconds_of(fleet.run_matches, count // 2))
                for _ in range(2)
            ]
            assert all(here[1] == there[1] for here, there in halves)
            here, there = (sum(half[place][0] for half in halves) for place in (0, 1))
            killed, ideal = _with_a_killed_node(fleet, nodes[1], count // 2, there / 2)
    finally:
        cluster.shutdown()
    return [
        Row("fleet: first result of a new fleet", first, "s"),
        Row("fleet: two one-core nodes", count / there, "matches/s"),
        Row("fleet: one process with two threads", count / here, "matches/s"),
        Row("fleet: two one-core nodes over one process with two threads", here / there, "x"),
        Row("fleet: a run whose node is killed, beyond what the other node needs", killed - ideal, "s"),
        Row("fleet: the same, share of the run without a killed node", killed / (there / 2), "x"),
    ]


def _with_a_killed_node(fleet: Fleet, node: Any, count: int, whole: float) -> tuple[float, float]:
    """Return the time of a run in which a node is killed at a third, and that with no time lost."""
    kill_at: list[tuple[float, int]] = []
    began = time.perf_counter()

    def progress(done: int, total: int) -> None:
        if not kill_at and done > total // 3:
            kill_at.append((time.perf_counter() - began, done))
            for processes in node.all_processes.values():
                for info in processes:
                    os.kill(info.process.pid, signal.SIGKILL)

    seconds, _ = seconds_of(fleet.run_matches, count, progress=progress)
    ((at, done),) = kill_at
    return seconds, at + 2 * whole * (count - done) / count


if __name__ == "__main__":
    for row in fleet_rows():
        print(row)  # noqa: T201
