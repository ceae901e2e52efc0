"""Prints what simulated fleets of several sizes do: `python -m tools.fleet` (minutes).

`python -m tools.fleet --decisions` measures the driver and its dispatcher alone.
"""

import argparse
import time
from dataclasses import replace

from tools.fleet.simulated import Costs, Report, SimulatedFleet

QUICK = Costs()
"""Matches of random bots: 50 µs of a core each."""
SLOW = replace(QUICK, unit_seconds=5e-3)
"""Matches of greedy bots: 5 ms of a core each."""
SIZES = ((2, 1), (10, 16), (100, 16), (100, 100), (300, 100), (1000, 100))
RUN_SECONDS = 60.0


def simulate(nodes: int, threads: int, costs: Costs, *, faults: bool) -> Report:
    """Play a minute of work, with a node in a hundred killed and one paused if there are faults."""
    fleet = SimulatedFleet(nodes=nodes, threads=threads, seed=1, costs=costs)

    def plan(_: SimulatedFleet) -> None:
        for number in range(0, nodes, 100):
            fleet.at(15.0, lambda number=number: fleet.kill(f"n{number}"))  # type: ignore[misc]
            fleet.at(20.0, lambda number=number: fleet.pause(f"n{(number + 1) % nodes}", 10.0))  # type: ignore[misc]

    units = int(nodes * threads * RUN_SECONDS / costs.unit_seconds)
    return fleet.run(units, faults=plan if faults else lambda _: None, most_seconds=40 * RUN_SECONDS)


def show(name: str, report: Report) -> None:
    """Print a line of the table."""
    print(
        f"| {name} | {report.nodes:,} | {report.cores:,} | {report.seconds:.0f} s "
        f"| {report.efficiency:.3f} | "
        f"{report.ranges / report.seconds:,.0f} | {report.head_load:.3f} | "
        f"{report.head_bytes_per_second / 1e6:,.0f} MB/s | {report.store_bytes / 1e9:,.1f} GB |",
        flush=True,
    )


def decisions(nodes: int) -> float:
    """Return how many ranges a second the driver handles, all of its work included."""
    fleet = SimulatedFleet(nodes=nodes, threads=16, seed=1, costs=SLOW)
    spent = 0.0
    handle, step = fleet.driver.handle, fleet.driver.step

    def timed(function):  # type: ignore[no-untyped-def]
        def call(*arguments):  # type: ignore[no-untyped-def]
            nonlocal spent
            began = time.perf_counter()
            function(*arguments)
            spent += time.perf_counter() - began

        return call

    fleet.driver.handle, fleet.driver.step = timed(handle), timed(step)  # type: ignore[method-assign]
    report = fleet.run(int(nodes * 16 * 30 / SLOW.unit_seconds))
    return report.ranges / spent


def main() -> None:
    """Print the table, or the decisions per second."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", action="store_true")
    parser.add_argument("--largest", type=int, default=1000, help="largest number of nodes")
    asked = parser.parse_args()
    if asked.decisions:
        for nodes in (10, 100, 1000):
            print(f"{nodes} nodes: {decisions(nodes):,.0f} ranges/s")
        return
    print("| work | nodes | cores | time | efficiency | ranges/s | load of the head | rows | store |")
    for name, costs, faults in (
        ("greedy", SLOW, False),
        ("greedy, faults", SLOW, True),
        ("random", QUICK, False),
    ):
        for nodes, threads in SIZES:
            if nodes <= asked.largest:
                try:
                    show(name, simulate(nodes, threads, costs, faults=faults))
                except TimeoutError as error:
                    print(f"| {name} | {nodes:,} | {nodes * threads:,} | {error} |", flush=True)


if __name__ == "__main__":
    main()
