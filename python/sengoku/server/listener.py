"""The public address of a server: a gate that bounds connections and relays them to gRPC.

gRPC listens on a Unix socket that only this process uses. It calls a connection by the name that the gate
gave it; `address` returns the address behind such a name.
"""

from __future__ import annotations

import logging
import resource
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path

from sengoku._core import Gate
from sengoku.server.limits import Limits

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
    """A gate in front of gRPC. It accepts connections from `open` until `drain`."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._folder = Path(tempfile.mkdtemp(prefix="sengoku-"))
        self.socket = self._folder / "socket"
        """The Unix socket on which the server has to listen before `open`."""
        self._gate: Gate | None = None
        # Once for each connection, because these are on the path of every call.
        self.address = lru_cache(maxsize=_KNOWN)(self._address)
        self.verify = lru_cache(maxsize=_KNOWN)(self._verify)

    def open(self, host: str, port: int) -> int:
        """Listen on all addresses of a host and return the port."""
        limits, most = self._limits, _possible_connections(self._limits.connections)
        self._gate = Gate(
            host,
            port,
            str(self.socket),
            connections=most,
            address_connections=min(limits.address_connections, most),
            unverified=min(limits.unverified_connections, max(most // 2, 1)),
            address_unverified=min(limits.unverified_connections // 2 or 1, max(most // 4, 1)),
            idle_seconds=limits.unverified_seconds,
            stall_seconds=limits.send_seconds,
        )
        return self._gate.port

    def _address(self, peer: str) -> str:
        """Return the address of a connection, as gRPC writes addresses; its name if it is closed."""
        return (self._gate and self._gate.address(peer)) or peer

    def _verify(self, peer: str) -> None:
        """Mark a connection as verified: one of its calls was authenticated."""
        if self._gate is not None:
            self._gate.verify(peer)

    def strike(self, peer: str, strikes: int) -> None:
        """Count misbehaviour of a connection, which is closed when it has too much of it."""
        if self._gate is not None:
            self._gate.strike(peer, strikes)

    def counts(self) -> dict[str, int]:
        """Return the connections at the moment and since the start, by kind; for metrics."""
        return {} if self._gate is None else self._gate.counts()

    def drain(self) -> None:
        """Accept no connection any more; those that are open stay."""
        if self._gate is not None:
            self._gate.drain()

    def close(self) -> None:
        """End all connections."""
        if self._gate is not None:
            self._gate.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _possible_connections(wanted: int) -> int:
    """Return how many connections the file descriptors of this process allow, at most `wanted`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted * _DESCRIPTORS + _OTHER_DESCRIPTORS
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        except (OSError, ValueError):  # not allowed by the service manager
            soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    possible = max((soft - _OTHER_DESCRIPTORS) // _DESCRIPTORS, 4)
    _log.warning("%d file descriptors allow %d connections at once instead of %d", soft, possible, wanted)
    return possible
