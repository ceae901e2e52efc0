"""Figures of results, and films of the cube tower; both need optional packages."""

from importlib import import_module
from pathlib import Path
from typing import Any

from sengoku.errors import ArgumentError, missing_package

FRAMES_PER_SECOND = 25
"""Frame rate of films: four hundredths of a second per picture, which a gif can express exactly."""


def check_file(field: str, file: Path, suffixes: tuple[str, ...]) -> None:
    """Raise an error for a file to which no picture can be written."""
    details = {"field": field, "value": str(file)}
    if file.suffix not in suffixes:
        raise ArgumentError(f"{field} is {str(file)!r}: must end in {', '.join(suffixes)}", details)
    if file.is_dir():
        raise ArgumentError(f"{field} is {str(file)!r}, which is a folder: must be a file", details)


def load(package: str, module: str, what: str, extra: str, otherwise: str = "") -> Any:
    """Import a module of an extra, or raise an error that says how to install it."""
    try:
        import_module(module.partition(".")[0])
        return import_module(module)
    except ImportError as error:
        raise missing_package(package, what, extra, otherwise) from error
