"""The gRPC server: `Server` runs one in a program, `serve` until a signal ends it."""

from sengoku.server.app import Server, serve
from sengoku.server.auth import Access, Tokens
from sengoku.server.limits import Limits
from sengoku.server.tls import Tls
from sengoku.wire.errors import DOMAIN

__all__ = ["DOMAIN", "Access", "Limits", "Server", "Tls", "Tokens", "serve"]
