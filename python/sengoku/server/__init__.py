"""The gRPC server: start it with `Server` in a program or `serve` until a signal ends it."""

from sengoku.server.app import Server, serve
from sengoku.server.auth import Access, Tls, Tokens
from sengoku.server.limits import Limits
from sengoku.wire.errors import DOMAIN

__all__ = ["DOMAIN", "Access", "Limits", "Server", "Tls", "Tokens", "serve"]
