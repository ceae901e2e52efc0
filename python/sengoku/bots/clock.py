"""The clock of bots that play by time: single matches, tournaments and matches on a server."""

import math
from dataclasses import dataclass

from sengoku.errors import ArgumentError

__all__ = ["Clock"]

MAX_SECONDS = 1e6


@dataclass(frozen=True)
class Clock:
    """Thinking time of a player, in seconds. A player that exceeds it forfeits the match."""

    decision: float = 10.0
    """For each decision, before the bank is used."""
    bank: float = 0.0
    """For all decisions of a seat in a match, beyond `decision`."""
    match: float = math.inf
    """For all decisions of a seat in a match together."""

    def __post_init__(self) -> None:
        for name, least in (("decision", 1e-3), ("bank", 0.0), ("match", 1e-3)):
            value = getattr(self, name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            unlimited = name == "match" and value == math.inf
            if not number or not (least <= value <= MAX_SECONDS or unlimited):
                details = {"field": f"clock.{name}", "value": repr(value)}
                message = f"clock.{name} is {value!r}: must be {least:g} to {MAX_SECONDS:g} seconds"
                raise ArgumentError(message, details)
