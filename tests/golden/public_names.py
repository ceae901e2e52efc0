"""The public names of the package and the commands of the command line, as text.

Both are promises to users: a line may be added, none disappears without a note in the changelog. Annotations
are left out of signatures, because they name modules, and modules move.
"""

import dataclasses
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from sengoku import BatchEnv
from sengoku.cli.main import app

MODULES = (
    "sengoku",
    "sengoku.errors",
    "sengoku.swords",
    "sengoku.tower",
    "sengoku.battles",
    "sengoku.fleet",
    "sengoku.server",
    "sengoku.gymnasium",
    "sengoku.pettingzoo",
    "sengoku.openspiel",
)
"""Modules that users import by name."""
INSTANCES = {BatchEnv: lambda: BatchEnv("battles")}
"""Classes with attributes that only an object has."""
_LONGEST = 60
"""Longest text of a default value."""


def name_lines() -> Iterator[str]:
    """Every name in `__all__` of the public modules, with its kind, signature and public attributes."""
    seen: dict[int, str] = {}
    for place in MODULES:
        module = importlib.import_module(place)
        yield f"{place}: {', '.join(module.__all__)}"
        for name in module.__all__:
            value = getattr(module, name)
            path = f"{place}.{name}"
            if not inspect.isclass(value):
                yield f"  {_value_line(name, value)}"
                continue
            if id(value) in seen:
                yield f"  class {name} is {seen[id(value)]}"
                continue
            seen[id(value)] = path
            yield f"  class {name}{_signature(value)}{_bases(value)}"
            yield from (f"    {line}" for line in _attributes(value))


def _value_line(name: str, value: Any) -> str:
    if inspect.ismodule(value):
        return f"module {name}"
    if callable(value):
        return f"function {name}{_signature(value)}"
    return f"value {name}: {type(value).__name__}"


def _bases(kind: type) -> str:
    """Built-in exceptions that a class can be caught as."""
    if not issubclass(kind, BaseException):
        return ""
    return f" is {', '.join(base.__name__ for base in kind.__mro__[1:] if base is not object)}"


def _attributes(kind: type) -> Iterator[str]:
    """The public attributes of a class, also those that it inherits from other classes of this package."""
    found: dict[str, str] = {}
    for owner in reversed(kind.__mro__):
        if not owner.__module__.startswith("sengoku") and owner is not kind:
            continue
        for name in (*inspect.get_annotations(owner), *vars(owner)):
            if not name.startswith("_"):
                found[name] = _attribute_line(kind, name)
    if kind in INSTANCES:
        found |= {name: f"attribute {name}" for name in vars(INSTANCES[kind]()) if name[0] != "_"}
    if dataclasses.is_dataclass(kind):
        found |= {each.name: f"field {each.name}" for each in dataclasses.fields(kind) if each.name[0] != "_"}
    yield from (found[name] for name in sorted(found))


def _attribute_line(kind: type, name: str) -> str:
    value = inspect.getattr_static(kind, name, None)
    if isinstance(value, classmethod):
        return f"classmethod {name}{_signature(getattr(kind, name))}"
    if isinstance(value, staticmethod):
        return f"staticmethod {name}{_signature(getattr(kind, name))}"
    if inspect.isfunction(value) or inspect.ismethoddescriptor(value):
        return f"method {name}{_signature(value)}"
    if inspect.isbuiltin(value):  # a class method of the compiled module
        return f"classmethod {name}{_signature(value)}"
    return f"attribute {name}"


def _signature(value: Any) -> str:
    """The parameters with their defaults; those of what has no signature are unknown."""
    try:
        signature = inspect.signature(value)
    except (ValueError, TypeError):
        return "(?)"
    parameters = [
        each.replace(
            annotation=each.empty, default=each.empty if each.default is each.empty else _Default(each)
        )
        for each in signature.parameters.values()
    ]
    return str(signature.replace(parameters=parameters, return_annotation=signature.empty))


class _Default:
    """A default value that is written in a way that does not depend on where it lives."""

    def __init__(self, parameter: inspect.Parameter) -> None:
        text = repr(parameter.default)
        kind = type(parameter.default).__name__
        self._text = f"<{kind}>" if " at 0x" in text or len(text) > _LONGEST else text

    def __repr__(self) -> str:
        return self._text


def command_lines() -> Iterator[str]:
    """Every command of the command line with its arguments and flags, sorted by name."""
    yield from _command("sengoku", get_command(app))


def _command(path: str, command: Any) -> Iterator[str]:
    yield f"{path}{' (hidden)' if command.hidden else ''}"
    yield from sorted(f"  {_parameter(each)}" for each in command.params)
    names = command.list_commands(None) if hasattr(command, "list_commands") else ()
    for name in sorted(names):
        yield from _command(f"{path} {name}", command.get_command(None, name))


def _parameter(parameter: Any) -> str:
    """An argument or a flag: its names, type, range and default."""
    parts = ["/".join((*parameter.opts, *parameter.secondary_opts))]
    described = getattr(parameter, "type_descriptor", None)
    if described is not None:
        parts.append(getattr(described.annotation, "__name__", str(described.annotation)))
    least, most = getattr(parameter, "min", None), getattr(parameter, "max", None)
    if least is not None or most is not None:
        parts.append(f"{'' if least is None else least}..{'' if most is None else most}")
    if parameter.required:
        parts.append("required")
    if parameter.multiple or parameter.nargs not in (0, 1):
        parts.append("repeated")
    if getattr(parameter, "hidden", False):
        parts.append("hidden")
    if parameter.default is not None and not callable(parameter.default):
        default = parameter.default
        parts.append(f"default {str(default) if isinstance(default, Path) else default!r}")
    return " ".join(parts)
