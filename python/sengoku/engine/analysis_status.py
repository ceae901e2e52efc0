"""The status of an analysis on a server, as a client sees it."""

from dataclasses import dataclass, field
from datetime import datetime

from sengoku.errors import AnalysisNotOverError, SengokuError

__all__ = ["AnalysisStatus"]

_OVER = frozenset({"succeeded", "failed", "cancelled"})


@dataclass(frozen=True)
class AnalysisStatus:
    """Progress and state of an analysis."""

    name: str
    """Name of the analysis on the server."""
    state: str
    """One of `sengoku.engine.run_status.STATES`."""
    client: str
    """The client that started it."""
    request_id: str
    game: str
    decisions_done: int
    """Decisions analysed and stored, the set-up included."""
    decisions: int
    """Decisions of the match, the set-up included."""
    create_time: datetime | None
    end_time: datetime | None
    queue_position: int
    """Number of analyses ahead of it in the queue."""
    obstacle: str
    """Why it is stalled."""
    error: SengokuError | None = field(default=None, compare=False)
    """Why it failed, or that it was cancelled."""

    @property
    def over(self) -> bool:
        """Whether the analysis has ended; a failed or cancelled one can be resumed."""
        return self.state in _OVER

    def check(self) -> "AnalysisStatus":
        """Return the status of an analysis that succeeded, or raise the error that ended it."""
        if self.error is not None:
            raise self.error
        if self.state != "succeeded":
            details = {"name": self.name, "state": self.state}
            raise AnalysisNotOverError(f"{self.name} is {self.state}: wait until it has succeeded", details)
        return self
