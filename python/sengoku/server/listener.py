"""The public addresses of a server: gates that bound connections and relay them to gRPC and HTTP.

These listen on Unix sockets that only this process uses. They call a connection by the name that its gate
gave it; `address` returns the address behind such a name.
"""

from __future__ import annotations

import logging
import shutil
import sys
import tempfile
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sengoku.server.limits import Limits

if TYPE_CHECKING:
    from sengoku._core import Gate

__all__ = ["MISBEHAVED", "Listener"]

_log = logging.getLogger(__name__)
_KNOWN = 4_096
"""Connections whose addresses are remembered; any number may be open."""
_DESCRIPTORS = 3
"""File descriptors of a connection: its own, and both ends of the Unix socket."""
_OTHER_DESCRIPTORS = 40
"""File descriptors of everything else: the store, threads, event loops, metrics, an open file or two."""
MISBEHAVED = 1_000
"""Strikes that end a connection at once."""


class Listener:
    """Gates in front of the servers of this process. They accept connections from `open` until `drain`."""

    def __init__(self, limits: Limits, *, ports: int = 1) -> None:
        """Prepare gates for so many `ports`."""
        self._limits = limits
        self._ports = ports
        self._most: int | None = None
        """Connections of each port."""
        self._folder = Path(tempfile.mkdtemp(prefix="sengoku-"))
        self._gates: list[Gate] = []
        # Once for each connection, because these are on the path of every call.
        self.address = lru_cache(maxsize=_KNOWN)(self._address)
        self.verify = lru_cache(maxsize=_KNOWN)(self._verify)

    def socket(self, name: str) -> Path:
        """Return the Unix socket on which a server has to listen before `open`."""
        return self._folder / name

    def open(self, host: str, port: int, name: str) -> int:
        """Listen on all addresses of a host, for the server on the socket `name`, and return the port."""
        from sengoku._core import Gate  # noqa: PLC0415 - there is none on Windows

        limits = self._limits
        if self._most is None:
            self._most = _possible_connections(limits.connections, self._ports)
        most = self._most
        gate = Gate(
            host,
            port,
            str(self.socket(name)),
            connections=most,
            address_connections=min(limits.address_connections, most),
            unverified=min(limits.unverified_connections, max(most // 2, 1)),
            address_unverified=min(limits.unverified_connections // 2 or 1, max(most // 4, 1)),
            idle_seconds=limits.unverified_seconds,
            stall_seconds=limits.send_seconds,
        )
        self._gates.append(gate)
        return gate.port

    def _address(self, peer: str) -> str:
        """Return the address of a connection, as gRPC writes addresses; its name if it is closed."""
        return next(filter(None, (gate.address(peer) for gate in self._gates)), peer)

    # A gate ignores the connections of others.

    def _verify(self, peer: str) -> None:
        """Mark a connection as verified: one of its calls was authenticated."""
        for gate in self._gates:
            gate.verify(peer)

    def strike(self, peer: str, strikes: int) -> None:
        """Count misbehaviour of a connection, which is closed when it has too much of it."""
        for gate in self._gates:
            gate.strike(peer, strikes)

    def counts(self) -> dict[str, int]:
        """Return the connections at the moment and since the start, by kind; for metrics."""
        counts: Counter[str] = Counter()
        for gate in self._gates:
            counts.update(gate.counts())
        return dict(counts)

    def drain(self) -> None:
        """Accept no connection any more; those that are open stay."""
        for gate in self._gates:
            gate.drain()

    def close(self) -> None:
        """End all connections."""
        for gate in self._gates:
            gate.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _possible_connections(wanted: int, ports: int) -> int:
    """Return how many connections of each port the file descriptors allow, at most `wanted`."""
    if sys.platform == "win32":
        return wanted
    import resource  # noqa: PLC0415 - not on every system

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted * ports * _DESCRIPTORS + _OTHER_DESCRIPTORS
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        except (OSError, ValueError):  # not allowed by the service manager
            soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    possible = max((soft - _OTHER_DESCRIPTORS) // (_DESCRIPTORS * ports), 4)
    _log.warning("%d file descriptors allow %d connections at once instead of %d", soft, possible, wanted)
    return possible
