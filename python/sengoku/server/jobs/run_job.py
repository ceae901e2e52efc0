"""A run of a server in memory, and its status."""

import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sengoku.engine.pacing import Pacing
from sengoku.engine.report import MatchReport
from sengoku.server.jobs.fleet_feed import FleetFeed
from sengoku.server.jobs.sliced import SlicedWork
from sengoku.server.jobs.status import Job, JobView
from sengoku.storage import RunRow, State
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.simulation import (
    run_from_proto,
)
from sengoku.wire.values import parse

if TYPE_CHECKING:
    pass


_RATE_SECONDS = 10.0
"""Time over which rates are averaged."""


@dataclass(frozen=True, kw_only=True)
class RunView(JobView):
    """The status of a run at one moment."""

    row: RunRow
    matches_per_second: float = 0.0
    decisions_per_second: float = 0.0
    seconds_left: float | None = None

    @property
    def bytes_left(self) -> int:
        """Bytes of the rows that are not played yet."""
        return (self.row.match_count - self.row.done) * self.row.row_bytes


class RunJob(Job):
    """A run in memory."""

    row: RunRow

    def __init__(self, row: RunRow, *, resumed: bool) -> None:
        super().__init__(row)
        self.run = run_from_proto(parse(pb2.RunMatchesRequest, row.request))
        self.summary = parse(pb2.RunSummary, row.summary)
        self.resumed = resumed
        self.pacing: Pacing | None = None
        self.chunk: SlicedWork[MatchReport] | None = None
        """The chunk that is being played."""
        self.feed: FleetFeed | None = None
        """The rest of the run on a fleet."""
        self.marks: deque[tuple[float, int, int]] = deque()
        """Recent times with the matches and decisions done until then."""

    def close_feed(self) -> None:
        """Stop what a fleet plays of the run."""
        feed, self.feed = self.feed, None
        if feed is not None:
            feed.close()

    def mark(self) -> None:
        """Note the progress, for the rates."""
        now = time.monotonic()
        self.marks.append((now, self.row.done, self.summary.decisions_sum))
        while len(self.marks) > 2 and self.marks[1][0] < now - _RATE_SECONDS:
            self.marks.popleft()

    def rates(self) -> tuple[float, float, float | None]:
        """Return matches and decisions per second, and the seconds left if that is known."""
        if len(self.marks) < 2 or self.state is not State.RUNNING:
            return 0.0, 0.0, None
        (begun, matches, decisions), (now, done, taken) = self.marks[0], self.marks[-1]
        seconds = max(now - begun, 1e-6)
        rate = (done - matches) / seconds
        left = (self.row.match_count - self.row.done) / rate if rate > 0 else None
        return rate, (taken - decisions) / seconds, left
