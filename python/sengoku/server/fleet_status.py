"""What a server shows of its fleet: fields of GetStatus, gauges, and problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from sengoku.fleet import Fleet, WorkerStatus

__all__ = ["fleet_gauges", "fleet_problems", "fleet_rows"]

_SHOWN = (
    "name", "node", "state", "build", "threads", "units_per_second", "units", "ranges_in_flight",
    "seconds_since_heard", "disagreements", "why",
)  # fmt: skip
_UNUSED = ("expelled", "refused")


def fleet_rows(fleet: Fleet | None) -> list[dict[str, Any]]:
    """Return the workers of a fleet as fields of messages."""
    workers = () if fleet is None else fleet.status.workers
    return [{name: getattr(worker, name) for name in _SHOWN} for worker in workers]


def fleet_gauges(fleet: Fleet) -> dict[str, Callable[[], Any]]:
    """Return the functions that gauges of a fleet read."""

    def by_worker(value: Callable[[WorkerStatus], float]) -> Callable[[], dict[str, float]]:
        return lambda: {row.name: value(row) for row in fleet.status.workers if row.state not in _UNUSED}

    return {
        "fleet_workers": lambda: Counter(row.state for row in fleet.status.workers),
        "fleet_rates": by_worker(lambda row: row.units_per_second),
        "fleet_in_flight": by_worker(lambda row: row.ranges_in_flight),
        "fleet_heard": by_worker(lambda row: row.seconds_since_heard),
        "fleet_disagreements": lambda: fleet.status.disagreements,
        "fleet_reassigned": lambda: fleet.status.reassigned,
    }


def fleet_problems(fleet: Fleet | None) -> list[str]:
    """Return what is wrong with the nodes of a fleet, one line each."""
    workers = () if fleet is None else fleet.status.workers
    return [f"fleet: node {row.node} is {row.state}: {row.why}" for row in workers if row.state in _UNUSED]
