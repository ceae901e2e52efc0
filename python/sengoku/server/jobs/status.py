"""Runs and tournaments in memory, and snapshots of their status."""

import json
from dataclasses import dataclass, field, replace
from typing import Any

from sengoku._core import Cancel
from sengoku.errors import REASONS, InternalError, SengokuError
from sengoku.server.events import VersionedEvent
from sengoku.storage import State

__all__ = ["Job", "JobView"]


@dataclass(frozen=True, kw_only=True)
class JobView:
    """The status of a job at one moment."""

    row: Any
    """The stored row of the job, with its current state."""
    version: int = 0
    """Number of the latest change of the job."""
    queue_position: int = 0
    obstacle: str = ""
    """Why a stalled job does not continue."""
    job: Any = field(default=None, repr=False, compare=False)
    """The job in memory, if it is not over or its work has not stopped yet."""

    @property
    def name(self) -> str:
        """The name for clients."""
        return str(self.row.name)

    @property
    def client(self) -> str:
        """The client that started it."""
        return str(self.row.client)

    @property
    def state(self) -> State:
        """The current state."""
        return State(self.row.state)

    @property
    def over(self) -> bool:
        """Whether the state is final."""
        return self.state.over

    @property
    def bytes_left(self) -> int:
        """Bytes that the rest of the job will add to the store, as far as they are reserved."""
        return 0

    @property
    def error(self) -> SengokuError | None:
        """Why it failed or was cancelled."""
        if not self.row.error:
            return None
        stored = json.loads(self.row.error)
        return REASONS.get(stored["reason"], InternalError)(stored["message"], stored["details"])


class Job(VersionedEvent):
    """A run or tournament in memory: not over, or over while its work has not stopped yet."""

    def __init__(self, row: Any) -> None:
        super().__init__()
        self.row = row
        """The row as it was last written to the store."""
        self.name: str = row.name
        self.client: str = row.client
        self.state = State.QUEUED
        self.obstacle = ""
        self.cancel = Cancel()
        self.deaths = 0
        """How often a worker died of it."""

    def change(self, state: State, obstacle: str = "") -> None:
        """Set the state and notify watchers; the caller holds the lock of the jobs."""
        self.state, self.obstacle = state, obstacle
        self.set()

    def status(self, position: int) -> dict[str, Any]:
        """Return the fields of the view of a job at a position in the queue."""
        return {
            "row": replace(self.row, state=self.state),
            "version": self.version,
            "queue_position": position,
            "obstacle": self.obstacle,
            "job": self,
        }
