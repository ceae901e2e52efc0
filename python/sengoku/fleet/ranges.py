"""Values of the dispatcher: options, what is to be played, ranges of it, tickets, workers and jobs."""

from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

__all__ = ["REFEREE", "Item", "Job", "Options", "Range", "Ticket", "Verdict", "WorkerState"]

REFEREE = ""
"""Name of the process that dispatches, when it plays a range itself to settle a dispute."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a fleet is driven; nothing here changes a result."""

    seconds: float = 1.0
    """Work of a range, on all cores of a node."""
    least_seconds: float = 0.1
    """Work of the last ranges of a job, which are shorter so that all nodes end together."""
    in_flight: int = 2
    """Ranges that a worker has at a time."""
    checked: float = 0.01
    """Share of the ranges that is played twice on purpose."""
    silent_seconds: float = 3.0
    """Time without a sign of life after which the ranges of a worker are given to others."""
    late_factor: float = 3.0
    """How many times the expected time a range may take before it is given to another worker, too."""
    late_seconds: float = 1.5
    """Added to it."""
    most_failures: int = 3
    """Failures of a range after which its job fails."""


@dataclass(frozen=True)
class Item:
    """Something of `count` units that can be played in any ranges."""

    count: int
    key: Hashable
    """Units of items with the same key take about the same time."""
    probe: int = 16
    """Units for each thread while nothing is known about the time that they take."""


@dataclass(eq=False)
class Range:
    """Consecutive units of an item; played once, or several times if that is needed."""

    job: int
    item: int
    first: int
    count: int
    check: bool = False
    """Whether it is played twice on purpose."""
    digest: object = None
    """The recorded answer; None before there is one."""
    by: str = REFEREE
    """The worker whose answer is recorded."""
    votes: dict[str, object] = field(default_factory=dict)
    """Answers by worker."""
    out: set[str] = field(default_factory=set)
    """Workers that have it."""
    queued: bool = False
    suspect: bool = False
    """Whether its recorded answer is of a worker that has been expelled."""
    failed: list[str] = field(default_factory=list)
    """Workers that failed to play it, once for each failure."""
    refereed: bool = False

    @property
    def settled(self) -> bool:
        """Whether nobody has to play it any more."""
        checked = not self.check or len(self.votes) > 1 or REFEREE in self.votes
        return self.digest is not None and checked and not self.suspect and not self.disputed

    @property
    def disputed(self) -> bool:
        """Whether answers differ, and none of them is known to be right."""
        return len(set(self.votes.values())) > 1


@dataclass(eq=False)
class Ticket:
    """A range that a worker was told to play."""

    number: int
    worker: str
    range: Range
    expected: float | None
    """Seconds that it should take."""
    late: bool = False


class Verdict(Enum):
    """What to do with an answer."""

    RECORD = auto()
    """It is the first one."""
    REPLACE = auto()
    """It is right, and what was recorded is not."""
    AGREE = auto()
    """It is what is recorded."""
    DISPUTE = auto()
    """It is not what is recorded, and the range is played again."""
    IGNORE = auto()
    """Its job is over, or its worker is expelled."""


@dataclass(eq=False)
class WorkerState:
    """What is known about a worker."""

    name: str
    node: str
    threads: int
    heard: float
    began: float = 0.0
    """When it began to play the first of its tickets."""
    draining: bool = False
    silent: bool = False
    tickets: deque[Ticket] = field(default_factory=deque)
    played: list[Range] = field(default_factory=list)
    """Ranges whose recorded answer is its own."""
    disagreements: int = 0
    ranges: int = 0

    @property
    def ready(self) -> bool:
        """Whether it gets new ranges."""
        return not (self.draining or self.silent)


@dataclass(eq=False)
class Job:
    """A task for the dispatcher: its items, and how far it is."""

    number: int
    items: Sequence[Item]
    window: bool
    """Whether answers are taken one by one, so that ranges must not be far ahead of what was taken."""
    remaining: int
    item: int = 0
    first: int = 0
    open: set[Range] = field(default_factory=set)
    held: int = 0
    """Recorded ranges that were not taken."""

    @property
    def done(self) -> bool:
        """Whether everything is played and settled."""
        return not self.remaining and not self.open
