"""Declares tools: a method with annotated arguments becomes a description, a JSON schema and a call."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, TypeVar, get_type_hints

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model

from sengoku.errors import ArgumentError, SengokuError

__all__ = ["About", "JsonTable", "Reply", "Tool", "tool", "tools_of"]

_SHOWN = 80


def About(text: str, **limits: Any) -> Any:  # noqa: N802 - stands in annotations, like a type
    """Describe an argument to the model, and bound it."""
    return Field(description=text, **limits)


def _parse_json(value: object) -> object:
    """Read a JSON object that a model has written as a text."""
    if isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


JsonTable = Annotated[dict[str, Any], BeforeValidator(_parse_json)]
"""A JSON object."""


@dataclass(frozen=True)
class Reply:
    """What a tool answers: a text to be read, and values for programs."""

    text: str
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Tool:
    """A tool."""

    name: str
    title: str
    about: str
    """What it does, for the model."""
    function: Callable[..., Awaitable[Reply]] = field(repr=False)
    reads: bool
    """Whether it changes nothing."""

    @cached_property
    def _model(self) -> type[BaseModel]:
        hints = get_type_hints(self.function, include_extras=True)
        fields: dict[str, Any] = {}
        for name, parameter in inspect.signature(self.function).parameters.items():
            if name != "self":
                default = ... if parameter.default is parameter.empty else parameter.default
                fields[name] = hints[name], default
        config = ConfigDict(extra="forbid", coerce_numbers_to_str=True)
        return create_model(self.name, __config__=config, **fields)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        schema = self._model.model_json_schema()
        for about in (schema, *schema["properties"].values()):  # models pay for every word
            about.pop("title", None)
        return schema

    async def call(self, tools: object, arguments: dict[str, Any]) -> Reply:
        """Check the arguments and call it."""
        try:
            found = self._model.model_validate(arguments)
        except ValidationError as error:
            raise self._refusal(error) from None
        return await self.function(tools, **{name: getattr(found, name) for name in type(found).model_fields})

    def _refusal(self, error: ValidationError) -> SengokuError:
        """Return the error for the first argument that is wrong."""
        first = error.errors(include_url=False, include_context=False)[0]
        name = str(first["loc"][0]) if first["loc"] else "arguments"
        place = ".".join(map(str, first["loc"])) or name
        names = ", ".join(self._model.model_fields) or "none"
        if first["type"] == "extra_forbidden":
            details = {"field": name[:_SHOWN], "value": "given"}
            return ArgumentError(
                f"{self.name} has no argument {name[:_SHOWN]!r}, its arguments are {names}", details
            )
        if first["type"] == "missing":
            return ArgumentError(f"{place} is missing", {"field": name, "value": "none"})
        shown = repr(first["input"])[:_SHOWN]
        message = f"{place} is {shown}: {first['msg'][:1].lower()}{first['msg'][1:]}"
        return ArgumentError(message, {"field": name, "value": shown})


_F = TypeVar("_F", bound=Callable[..., Awaitable[Reply]])


def tool(title: str, *, reads: bool = False) -> Callable[[_F], _F]:
    """Make a method a tool; its docstring describes it to the model."""

    def mark(function: _F) -> _F:
        about = " ".join(inspect.getdoc(function).split())  # type: ignore[union-attr]
        function.tool = Tool(function.__name__, title, about, function, reads)  # type: ignore[attr-defined]
        return function

    return mark


def tools_of(kind: type) -> dict[str, Tool]:
    """Return the tools of a class by name, in the order of its methods."""
    found = (getattr(member, "tool", None) for member in vars(kind).values())
    return {one.name: one for one in found if one is not None}
