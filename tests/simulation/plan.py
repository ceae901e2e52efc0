"""What happens to a world, drawn from its seed: crashes, faults of the disk, jumps of the clock."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.simulation.disk import Crash

__all__ = ["Fault", "Faults", "Plan"]

_YEAR = 365 * 86_400.0
_FULL, _BUSY = 13, 5
_READ, _WRITE, _SYNC, _TRUNCATE = 266, 778, 1034, 1546
_CODES = {
    "busy": {"shm-lock": _BUSY, "lock": _BUSY},
    "full": {"write": _FULL},
    "write error": {"write": _WRITE, "truncate": _TRUNCATE},
    "sync error": {"sync": _SYNC},
    "read error": {"read": _READ},
}
"""What each kind of fault answers to which operation."""


@dataclass(frozen=True)
class Fault:
    """A time in which some operations of the disk fail."""

    kind: str
    begins: float
    ends: float
    share: float


class Faults:
    """The faults of a world; `of` answers the disk."""

    def __init__(self, seed: object, faults: list[Fault]) -> None:
        self._random = random.Random(f"faults {seed}")
        self.active = faults

    def of(self, now: float, kind: str) -> int:
        """Return the result code of an operation."""
        for fault in self.active:
            code = _CODES[fault.kind].get(kind)
            if code is None or not fault.begins <= now < fault.ends:
                continue
            if self._random.random() < fault.share:
                return code
        return 0


@dataclass(frozen=True)
class Plan:
    """Everything about a world that its seed decides in advance."""

    preemption: float
    hurry: float
    shuffled: bool
    match_seconds: float
    clients: int
    actions: int
    crashes: list[tuple[str, int, Crash, float]]
    """Of each crash: whether steps or writes are counted, how many since the start, how, and what is torn."""
    restarts: list[float]
    """Virtual seconds at which the server is stopped gracefully."""
    faults: list[Fault]
    damaged_bits: int
    """Bits that flip in the store after everything else."""
    jumps: list[tuple[int, float]]
    """Steps at which the clock on the wall is set, and by how many seconds."""

    @classmethod
    def draw(cls, seed: object) -> Plan:
        """Draw a plan."""
        chance = random.Random(f"plan {seed}")
        crashes = []
        for _ in range(chance.choice((0, 1, 1, 2))):
            what = chance.choice(("steps", "writes", "writes"))
            count = round(chance.uniform(1, 300) if what == "steps" else chance.uniform(1, 60))
            crash = chance.choice((Crash(1.0), Crash(0.0), Crash(0.5), Crash(0.9, garbage=True)))
            crashes.append((what, count, crash, chance.choice((0.5, 1.0))))
        faults = []
        for _ in range(chance.choice((0, 0, 1, 1, 2))):
            begins = chance.uniform(0, 4)
            lasts = chance.choice((0.05, 2.0, 40.0, 75.0))
            kind = chance.choice(tuple(_CODES))
            faults.append(Fault(kind, begins, begins + lasts, chance.choice((0.1, 0.5, 1.0))))
        return cls(
            preemption=chance.choice((0.02, 0.2, 0.6)),
            hurry=chance.choice((0.0, 0.02)),
            shuffled=chance.random() < 0.5,
            match_seconds=chance.choice((0.005, 0.05, 0.2)),
            clients=chance.choice((1, 1, 2)),
            actions=chance.randint(2, 5),
            crashes=crashes,
            restarts=[chance.uniform(0, 5)] if chance.random() < 0.2 else [],
            faults=faults,
            damaged_bits=chance.choice((0, 0, 0, 0, 0, 0, 0, 1, 2, 20)),
            jumps=[
                (chance.randrange(1, 300), chance.choice((-_YEAR, _YEAR)))
                for _ in range(chance.choice((0, 0, 1, 2)))
            ],
        )
