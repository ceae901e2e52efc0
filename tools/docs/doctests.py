"""Extension of the site generator: shows the doctests of a docstring as code."""

from collections.abc import Iterator
from typing import Any

import griffe


def fenced(text: str) -> Iterator[str]:
    """The lines of a docstring with a fence around each paragraph that begins with a doctest."""
    inside = False
    for line in text.splitlines():
        if not inside and line.startswith(">>> "):
            inside = True
            yield "```pycon"
        elif inside and not line.strip():
            inside = False
            yield "```"
        yield line
    if inside:
        yield "```"


class Doctests(griffe.Extension):
    """Fences doctests before docstrings are rendered."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrites the docstring of an object that was just loaded."""
        if obj.docstring is not None:
            obj.docstring.value = "\n".join(fenced(obj.docstring.value))
