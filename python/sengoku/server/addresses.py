"""Network addresses: which are local, which may be listened on, and the names of peers."""

from __future__ import annotations

import ipaddress
import logging
import socket
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sengoku.errors import ArgumentError, invalid

if TYPE_CHECKING:
    from sengoku.server.auth import Access

__all__ = ["check_address", "check_metrics_address", "is_loopback", "peer_name"]

_log = logging.getLogger(__name__)


def peer_name(peer: str) -> str:
    """Return the name of a caller that is known by its address only.

    >>> peer_name("ipv4:192.0.2.7:40000"), peer_name("ipv6:%5B2001:db8::1%5D:40000"), peer_name("unix:")
    ('peer:192.0.2.7', 'peer:2001:db8::1', 'local')
    """
    kind, _, rest = unquote(peer).partition(":")
    if kind not in {"ipv4", "ipv6"}:
        return "local" if kind.startswith("unix") else "peer:unknown"
    host = rest.rpartition(":")[0].strip("[]")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "peer:unknown"
    return "local" if _is_loopback(address) else f"peer:{address}"


def _is_loopback(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


def is_loopback(host: str, *, option: str = "host") -> bool:
    """Return whether an address can be reached from this machine only; a name is looked up.

    >>> [is_loopback(host) for host in ("127.0.0.1", "[::1]", "unix:/run/sengoku.sock", "0.0.0.0", "::")]
    [True, True, True, False, False]
    """
    if host.startswith(("unix:", "unix-abstract:")):
        return True
    bare = host.removeprefix("[").removesuffix("]")
    try:
        return _is_loopback(ipaddress.ip_address(bare))
    except ValueError:
        pass
    try:
        found = {str(row[4][0]) for row in socket.getaddrinfo(bare, None, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError) as error:
        raise invalid(option, ascii(host), "which has no address") from error
    return all(_is_loopback(ipaddress.ip_address(address)) for address in found)


def check_address(host: str, access: Access, *, allowed: bool = False) -> None:
    """Raise ArgumentError for an unencrypted public address, unless that is `allowed` explicitly."""
    if is_loopback(host):
        return
    what = "everything" if access.tokens is None else "everything, including tokens,"
    if access.tls is None and not allowed:
        message = (
            f"host is {host!a}, which other machines can reach, and {what} would be sent unencrypted: "
            "give tls_cert and tls_key, or allow_insecure_public"
        )
        raise ArgumentError(message, {"field": "host", "value": host})
    if access.tls is None:
        _log.warning("host %s can be reached by other machines, and %s is sent unencrypted", host, what)
    if access.tokens is None and (access.tls is None or not access.tls.mutual):
        _log.warning(
            "host %s can be reached by other machines, and without token_file or tls_client_ca every caller "
            "has all permissions",
            host,
        )


def check_metrics_address(host: str, *, allowed: bool = False) -> None:
    """Raise ArgumentError for a public address of the metrics, unless that is `allowed` explicitly."""
    if not allowed and not is_loopback(host, option="metrics_host"):
        message = f"metrics_host is {host!a}, which other machines can reach: give allow_public_metrics"
        raise ArgumentError(message, {"field": "metrics_host", "value": host})
