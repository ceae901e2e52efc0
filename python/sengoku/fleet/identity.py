"""What a worker is: its build, the rules that it knows, and proof that it plays like everyone else."""

from __future__ import annotations

import os
import platform
import socket
from dataclasses import asdict, dataclass, field
from typing import Any

from sengoku._core import build_info
from sengoku.engine.games import games
from sengoku.engine.requests import RunRequest
from sengoku.errors import FleetMismatchError

__all__ = ["Identity", "check_identity", "own_identity"]

PROTOCOL = 1
"""Version of what the dispatching process and workers send each other."""
_SEED = 24_681_357
"""Seed of the matches that every worker plays when it joins."""


@dataclass(frozen=True)
class Identity:
    """The software of a process, and the digests of one match of each game."""

    version: str
    """Version of the package."""
    protocol: int
    rules_versions: dict[str, int] = field(hash=False)
    golden_digests: dict[str, str] = field(hash=False)
    """Digest of the last state of a fixed match of each game."""
    profile: str = field(compare=False)
    instruction_set: str = field(compare=False)
    """Shown, but may differ: results do not depend on it, as the digests show."""
    machine: str = field(compare=False)
    host: str = field(compare=False)
    process: int = field(compare=False)

    @property
    def build(self) -> str:
        """Describe the build in one line."""
        return f"{self.version} {self.profile} {self.machine} {self.instruction_set}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self)


def golden_digest(game: str) -> str:
    """Play a fixed match of a game; return the digest of its last state."""
    least = next(known.seats[0] for known in games() if known.name == game)
    request = RunRequest.create(game, bots=["greedy", "random"], seats=least, match_count=1, seed=_SEED)
    return f"{int(request.play(threads=1).digest[0]):016x}"


def own_identity() -> Identity:
    """Return the identity of this process; plays a match of each game."""
    info = build_info()
    return Identity(
        version=info["version"],
        protocol=PROTOCOL,
        rules_versions=dict(info["rules_versions"]),
        golden_digests={game.name: golden_digest(game.name) for game in games()},
        profile=info["profile"],
        instruction_set=info["instruction_set"],
        machine=platform.machine(),
        host=socket.gethostname(),
        process=os.getpid(),
    )


def check_identity(theirs: Identity, mine: Identity, node: str) -> None:
    """Raise FleetMismatchError, with both values, if a worker differs in what results depend on."""
    for name in ("protocol", "version", "rules_versions", "golden_digests"):
        there, here = getattr(theirs, name), getattr(mine, name)
        if there == here:
            continue
        if isinstance(here, dict):
            games_ = sorted(game for game in {*there, *here} if there.get(game) != here.get(game))
            there, here = ({game: known.get(game) for game in games_} for known in (there, here))
        what = name.replace("_", " ")
        message = (
            f"the worker on {node} has {what} {there}, this process has {here}: "
            "install the same build of sengoku on every node and start the node again"
        )
        details = {"field": name, "value": str(there), "expected": str(here), "node": node}
        raise FleetMismatchError(message, details)
