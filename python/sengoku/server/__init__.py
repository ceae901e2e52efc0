"""The gRPC server: `Server` runs one in a program, `serve` until a signal ends it."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sengoku.server.dependencies import check_platform

if TYPE_CHECKING:
    from sengoku.server.app import Server
    from sengoku.server.auth import Access, Tokens
    from sengoku.server.limits import Limits
    from sengoku.server.process import serve
    from sengoku.server.tls import Tls
    from sengoku.wire.errors import DOMAIN

__all__ = ["DOMAIN", "Access", "Limits", "Server", "Tls", "Tokens", "serve"]

_MODULES = {
    "DOMAIN": "sengoku.wire.errors",
    "Access": "sengoku.server.auth",
    "Limits": "sengoku.server.limits",
    "Server": "sengoku.server.app",
    "Tls": "sengoku.server.tls",
    "Tokens": "sengoku.server.auth",
    "serve": "sengoku.server.process",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `sengoku.server.limits` alone does not load grpc."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if _MODULES[name] == "sengoku.server.app":
        check_platform()
    return getattr(import_module(_MODULES[name]), name)
