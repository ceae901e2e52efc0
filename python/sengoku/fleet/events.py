"""What happens in a fleet: the events that its driver handles, one at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from sengoku.errors import SengokuError
from sengoku.fleet.identity import Identity
from sengoku.fleet.ranges import Range
from sengoku.fleet.worker import Answer

if TYPE_CHECKING:
    from sengoku.fleet.driver import Driver
    from sengoku.fleet.task import Task
    from sengoku.fleet.work import Work

__all__ = [
    "Answered", "Draining", "Event", "Failed", "Heard", "Joined", "Judged", "Left", "Pool", "Port", "Refused",
    "Started", "Stopped", "Taken",
]  # fmt: skip


class Port(Protocol):
    """A connection to a worker; answers arrive as events."""

    name: str
    node: str
    threads: int

    def play(self, number: int, work: Work) -> None:
        """Have a range played."""

    def cancel(self, numbers: list[int]) -> None:
        """Stop ranges that nobody needs any more."""


class Pool(Protocol):
    """Workers that come and go: a cluster, real or simulated."""

    def open(self, driver: Driver) -> None:
        """Start to look for nodes; what happens is posted to the driver."""

    def wake(self) -> None:
        """Start workers on all nodes: there is work."""

    def rest(self) -> None:
        """Stop all workers: there has been no work for a while."""

    def request(self, cores: int) -> None:
        """Ask the cluster to have a number of cores; 0 for as few as it likes."""

    def discard(self, name: str, node: str) -> None:
        """Stop a worker, and use its node no more."""

    @property
    def situation(self) -> str:
        """Why there is no worker, in words."""

    @property
    def pending(self) -> int:
        """Nodes whose worker has not joined yet."""

    def close(self) -> None:
        """Release everything."""


@dataclass(frozen=True)
class Joined:
    """A worker is ready; its identity was checked."""

    port: Port
    identity: Identity | None = None


@dataclass(frozen=True)
class Refused:
    """A worker may not join."""

    node: str
    error: SengokuError


@dataclass(frozen=True)
class Left:
    """A worker is gone."""

    name: str
    why: str = ""


@dataclass(frozen=True)
class Draining:
    """The node of a worker will be taken away."""

    name: str


@dataclass(frozen=True)
class Heard:
    """A worker gave a sign of life."""

    name: str


@dataclass(frozen=True)
class Answered:
    """A worker has an answer for a ticket."""

    number: int
    answer: Answer


@dataclass(frozen=True)
class Failed:
    """A worker could not play the range of a ticket, for reasons of its own."""

    number: int
    why: str


@dataclass(frozen=True)
class Judged:
    """A disputed range was played by the dispatching process itself."""

    range: Range
    answer: Answer | None


@dataclass(frozen=True)
class Started:
    """A task is to be played."""

    task: Task


@dataclass(frozen=True)
class Stopped:
    """A task is no longer wanted."""

    task: Task


@dataclass(frozen=True)
class Taken:
    """An answer of a task with a window was taken."""

    task: Task


Event = Any
"""One of the classes above, or `None` to look at the clock."""
