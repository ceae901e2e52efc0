"""What is known about a fleet and its workers at one moment."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["FleetStatus", "WorkerStatus"]


@dataclass(frozen=True, kw_only=True)
class WorkerStatus:
    """A worker, or a node that is not used."""

    name: str
    node: str
    state: str
    """ready, draining, silent, expelled or refused."""
    build: str = ""
    process: int = 0
    threads: int = 0
    units_per_second: float = 0.0
    """Matches, or rows of odds, played per second of late."""
    units: int = 0
    ranges_in_flight: int = 0
    seconds_since_heard: float = 0.0
    disagreements: int = 0
    why: str = ""
    """Why its node is not used."""

    @classmethod
    def unused(cls, node: str, state: str, why: str) -> WorkerStatus:
        """Return the status of a node that is not used."""
        return cls(name=node, node=node, state=state, why=why, disagreements=int(state == "expelled"))


@dataclass(frozen=True, kw_only=True)
class FleetStatus:
    """A fleet and its workers."""

    address: str = ""
    workers: tuple[WorkerStatus, ...] = ()
    tasks: int = 0
    reassigned: int = 0
    """Ranges that were given to another worker, because the first was late, silent or gone."""
    disagreements: int = 0
    """Answers that differed from another one for the same range."""
    requested_cores: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self) | {"workers": [asdict(worker) for worker in self.workers]}
