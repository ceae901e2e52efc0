"""Which pages may use the server: checks of `Host` and `Origin`, and the headers for other origins (CORS)."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from sengoku.errors import invalid
from sengoku.server.http.responses import Headers

__all__ = ["SECURITY", "Guard"]

CONTENT_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
SECURITY: Headers = [
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
"""Headers of every response."""
_ORIGIN = re.compile(r"https?://(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")
_PREFLIGHT = b"GET, POST"
_REQUEST_HEADERS = (
    b"authorization, content-type, content-encoding, connect-protocol-version, connect-timeout-ms, "
    b"connect-content-encoding, connect-accept-encoding, x-request-id, x-user-agent, mcp-protocol-version, "
    b"mcp-method, mcp-name"
)
_RESPONSE_HEADERS = b"content-encoding, connect-content-encoding, retry-after, x-request-id"


class Guard:
    """The origins whose pages may call, and the names by which the server may be called.

    A page of any site can send requests to a server on the same machine. Browsers say where a request comes
    from, and by which name the server was found: a name that somebody else made point here is refused.
    """

    def __init__(self, origins: Iterable[str], *, host: str, any_host: bool) -> None:
        """Allow pages of the server itself and of `origins`; `any_host` if callers prove who they are."""
        self._origins = set()
        for origin in origins:
            if not _ORIGIN.fullmatch(origin):
                raise invalid(
                    "http_origin", ascii(origin), "expected something like https://example.org:8443"
                )
            self._origins.add(origin.lower())
        self._any_host = any_host
        self._hosts = {"localhost", host.strip("[]").lower()}
        self._hosts |= {urlsplit(origin).hostname or "" for origin in self._origins}

    def refusal(self, headers: Mapping[str, str], *, hosts: int) -> tuple[int, str] | None:
        """Return the status of a request that is refused and why, or None; it has so many `hosts` headers."""
        host = headers.get("host", "")
        found = _HOST.fullmatch(host)
        if hosts != 1 or found is None:
            return 400, "the request has no valid Host header"
        if not self._any_host and not self._is_known(found[1].strip("[]").lower()):
            return 403, f"this server is not known as {host}: use its address, or name it with --http-origin"
        origin = headers.get("origin")
        if origin is not None:
            own = origin.partition("://")[2].lower() == host.lower()
            if not own and origin.lower() not in self._origins:
                return 403, f"pages of {origin[:200]!a} may not use this server, see --http-origin"
        elif headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate":
            return 403, "pages of other sites may not use this server, see --http-origin"
        return None

    def _is_known(self, host: str) -> bool:
        if host in self._hosts:
            return True
        try:
            ipaddress.ip_address(host)
        except ValueError:
            return False
        return True

    def cors(self, headers: Mapping[str, str]) -> Headers:
        """Return the headers that let a page of another origin read the response."""
        if not self._origins:
            return []
        found: Headers = [(b"vary", b"origin")]
        origin = headers.get("origin", "")
        if origin.lower() in self._origins:
            found.append((b"access-control-allow-origin", origin.encode("latin-1")))
            found.append((b"access-control-expose-headers", _RESPONSE_HEADERS))
        return found

    @staticmethod
    def preflight() -> Headers:
        """Return the headers that tell a browser what pages of other origins may send."""
        return [
            (b"access-control-allow-methods", _PREFLIGHT),
            (b"access-control-allow-headers", _REQUEST_HEADERS),
            (b"access-control-max-age", b"7200"),
        ]
