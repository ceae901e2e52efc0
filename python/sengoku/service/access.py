"""Who calls, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["read", "run", "admin"]
"""What somebody may do; each may also do what the ones before it may."""

ROLES: tuple[Role, ...] = ("read", "run", "admin")


@dataclass(frozen=True)
class Caller:
    """Somebody who calls."""

    name: str
    role: Role = "admin"

    def may(self, role: Role) -> bool:
        """Says whether this is allowed what the role is."""
        return ROLES.index(self.role) >= ROLES.index(role)


class Access:
    """Tells who calls; without tokens everybody may do everything."""

    def caller(self, metadata: dict[str, str], auth: dict[str, list[bytes]], peer: str) -> Caller:
        """Gives who calls, by what came with the call."""
        del metadata, auth
        return Caller(_host(peer))


def _host(peer: str) -> str:
    """Gives the address in what gRPC calls a peer, as in `ipv4:10.0.0.7:41234`; a port is nobody's name."""
    kind, _, rest = peer.partition(":")
    host = rest.rpartition(":")[0] if kind in {"ipv4", "ipv6"} else ""
    return f"peer:{host}" if host else "local"
