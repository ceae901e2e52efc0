"""Requests and figures of the fault tests."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sengoku import Client
from support.frames import (
    Raw,
)
from support.process import BATTLE, Process

YEARS = 10_000_000_000
"""Samples that no server ends in time."""


RUN: dict[str, Any] = {"bots": ["random"], "seats": 4, "match_count": 14_000, "seed": 3}
"""A run of the cube tower game: a second or two, 39 bytes a match."""


ENDLESS: dict[str, Any] = {**RUN, "match_count": 50_000_000}


def print_figures(**figures: object) -> None:
    """Prints figures; pytest shows them with -s or -rP."""
    sys.stderr.write("\n  " + ", ".join(f"{name} {value}" for name, value in figures.items()) + "\n")


@contextmanager
def many(server: Process, count: int, sent: bytes = b"") -> Iterator[list[Raw]]:
    """Opens connections that send something and then nothing, and resets them at the end."""
    raws: list[Raw] = []
    try:
        raws.extend(Raw(server.address, sent) for _ in range(count))
        yield raws
    finally:
        for raw in raws:
            raw.reset()


def milliseconds(server: Process, calls: int = 50) -> list[float]:
    """Returns the milliseconds of some calls, in ascending order."""
    taken = []
    with Client(server.address, timeout=30, retries=0) as client:
        for _ in range(calls):
            begun = time.perf_counter()
            assert client.exact(BATTLE) == BATTLE.exact()
            taken.append(1e3 * (time.perf_counter() - begun))
    return sorted(taken)
