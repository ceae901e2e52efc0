"""What a server needs: a system with Unix sockets, and the packages of the extra `sengoku[server]`."""

import sys
from importlib.util import find_spec

from sengoku.errors import MissingDependencyError

__all__ = ["PACKAGES", "check_platform", "missing_packages", "server_lacks"]

PACKAGES = {
    "mcp": "players over MCP",
    "matplotlib": "figures of tournaments",
    "openskill": "tables of tournaments",
    "pyarrow": "rows of runs as Parquet and Arrow",
    "scipy": "tables of tournaments",
}
"""What a server cannot do without each of them."""


def check_platform() -> None:
    """Raise an error where gRPC cannot listen on Unix sockets."""
    if sys.platform == "win32":
        message = "a server needs Linux or macOS: on Windows, run it in WSL or in the container image"
        raise MissingDependencyError(message, {"what": "servers", "platform": sys.platform})


def missing_packages() -> list[str]:
    """Return the packages that are not installed; they are not loaded."""
    return [package for package in PACKAGES if not _has(package)]


def _has(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ValueError:  # `sys.modules` says that there is none
        return False


def server_lacks(error: MissingDependencyError) -> MissingDependencyError:
    """Return the error as clients see it: there is nothing that they could install."""
    package, what = (error.details[name] for name in ("package", "what"))
    message = f"this server lacks {package}, which {what} need; its operator can install sengoku[server]"
    return MissingDependencyError(message, error.details | {"extra": "server", "where": "server"})
