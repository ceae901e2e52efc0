"""The packages of the extra `sengoku[server]`, and which of them are missing."""

from importlib.util import find_spec

from sengoku.errors import MissingDependencyError

__all__ = ["PACKAGES", "missing_packages", "server_lacks"]

PACKAGES = {
    "mcp": "players over MCP",
    "matplotlib": "figures of tournaments",
    "openskill": "tables of tournaments",
    "pyarrow": "rows of runs as Parquet and Arrow",
    "scipy": "tables of tournaments",
}
"""What a server cannot do without each of them."""


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
