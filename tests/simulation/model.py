"""What a client may believe of its jobs, from what it asked for and what it was told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["KINDS", "Job", "kind_of"]

KINDS = {
    "QUEUED": "active",
    "RUNNING": "active",
    "STALLED": "active",
    "SUCCEEDED": "done",
    "CANCELLED": "cancelled",
    "FAILED": "failed",
}
"""The states that clients see, as far as the model tells them apart."""
_STEPS = {
    "start": {"absent": "active"},
    "cancel": {"active": "cancelled"},
    "resume": {"cancelled": "active"},
    "delete": {"cancelled": "gone", "done": "gone"},
}
"""What a request changes: the documented state machine."""


def kind_of(state: str) -> str:
    """Return the state of the model for one on the wire, such as RUN_STATE_RUNNING."""
    return KINDS[state.rpartition("STATE_")[2]]


@dataclass
class Job:
    """A run or a tournament of one client, which asks for one thing after the other."""

    what: str
    """`run` or `tournament`."""
    number: int
    """Its place in `RUNS` or `TOURNAMENTS`."""
    request_id: str
    name: str = ""
    possible: set[str] = field(default_factory=lambda: {"absent"})
    """The states that it may be in."""
    loose: list[tuple[str, str]] = field(default_factory=list)
    """Requests without an answer, which may take effect as long as their server process lives."""
    matches: int = 0
    """Matches done, as last seen."""
    power_cuts: int = 0
    """Power cuts until then: the latest matches may be lost in one, nothing else ever."""

    def _closure(self, states: Iterable[str]) -> set[str]:
        found = set(states)
        while True:
            more = {
                _STEPS[request][state]
                for request, _ in self.loose
                for state in found
                if state in _STEPS[request]
            }
            if "active" in found:
                more.add("done")
            if more <= found:
                return found
            found |= more

    def unanswered(self, request: str, process: str) -> None:
        """Note a request whose answer did not arrive."""
        self.loose.append((request, process))

    def see(self, state: str, process: str, *, matches: int | None = None, power_cuts: int = 0) -> str | None:
        """Note the state that a server process reported; return what is wrong with it."""
        expected = self._closure(self.possible)
        if state in {"absent", "gone"}:
            state = "gone" if "gone" in expected else "absent"
        if state not in expected:
            return f"{self.name or self.request_id} is {state}, expected {' or '.join(sorted(expected))}"
        self.loose = [(request, sent) for request, sent in self.loose if sent == process]
        self.possible = {state}
        if matches is not None:
            if matches < self.matches and power_cuts == self.power_cuts:
                return f"{self.name} has {matches} matches, after it had {self.matches}"
            self.matches, self.power_cuts = matches, power_cuts
        return None

    def answered(self, request: str, state: str, process: str) -> str | None:
        """Note the answer to a request that may change the state."""
        self.loose.append((request, process))
        problem = self.see(state, process)
        self.loose.remove((request, process))
        return problem
