"""Specifications: the layout of the observations and the action table of a game, as data.

>>> from sengoku import Match, spec
>>> swords = spec("swords")
>>> match = Match.create("swords", seats=3, seed=7)
>>> seen = swords.view(match.observe(0))
>>> int(seen["round"]), seen["provinces.units"].shape, swords["point"].labels[int(seen["point"])]
(0, (68, 5), 'reinforce')
>>> swords.action(5 + 3)
('amount', {'amount': 3})
>>> swords.index("step", to="kai", hidden=2) == swords.index("step", to="kai", hidden=0) + 2
True
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from math import prod
from operator import index
from types import MappingProxyType
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from sengoku import _core
from sengoku.engine.checks import refused
from sengoku.engine.games import find_game
from sengoku.errors import ArgumentError
from sengoku.rules import sentences

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[Any]


@dataclass(frozen=True)
class Axis:
    """An axis of a field or of a kind of action."""

    name: str
    """What the axis enumerates, e.g. "clan"."""
    size: int
    """Number of entries."""
    stride: int
    """Distance between entries: bits of the observation, or entries of the action table."""
    first: int = 0
    """Value of the first entry, if values have no names."""
    step: int = 1
    """Difference between values, if values have no names."""
    labels: tuple[str, ...] = field(default=(), repr=False)
    """Names of the values; empty for numbers."""
    meanings: tuple[str, ...] = field(default=(), repr=False)
    """What each value means, in a sentence, where the names do not say it: cards; else empty."""

    @property
    def values(self) -> tuple[str, ...] | range:
        """The values along the axis."""
        return self.labels or range(self.first, self.first + self.size * self.step, self.step)


@dataclass(frozen=True)
class Field:
    """A number in an observation, or an array of numbers of equal width at equal distances."""

    name: str
    """Name of the field, e.g. "clans.armies.province"."""
    offset: int
    """Byte in which the first number starts."""
    bit: int
    """Bit of that byte in which it starts; the lowest is 0."""
    bits: int
    """Bits of each number; several bytes are little-endian."""
    axes: tuple[Axis, ...]
    """Axes of the array, the outermost first; none for a single number."""
    low: int
    """Smallest value, apart from `none`."""
    high: int
    """Largest value, apart from `none`."""
    none: int | None
    """The value that stands for nobody, nowhere or nothing, if there is one."""
    meaning: str
    """Meaning, in a sentence."""
    labels: tuple[str, ...] = field(default=(), repr=False)
    """Names of the values from `low` on; empty for numbers."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes."""
        return tuple(axis.size for axis in self.axes)

    @property
    def is_padding(self) -> bool:
        """Whether the field is always 0."""
        return self.name.rpartition(".")[2] == "padding"

    @property
    def dtype(self) -> np.dtype[Any]:
        """Data type of the numbers in a view."""
        return np.dtype(
            "?" if self.bits == 1 else "u1" if self.bits <= 8 else "<u2" if self.bits <= 16 else "<u4"
        )

    def of(self, observation: Bytes) -> Numbers:
        """Return the numbers of the field in one observation or many; whole bytes are not copied."""
        if any(axis.stride % 8 for axis in self.axes) or self.bits % 8 or self.bit:
            return self._unpacked(observation)
        size = self.bits // 8
        numbers = as_strided(
            observation[..., self.offset :],
            (*observation.shape[:-1], *self.shape, size),
            (
                *observation.strides[:-1],
                *(axis.stride // 8 * observation.strides[-1] for axis in self.axes),
                observation.strides[-1],
            ),
            writeable=False,
        )
        if size > 1 and observation.strides[-1] != 1:
            numbers = np.ascontiguousarray(numbers)
        return numbers.view(self.dtype)[..., 0]

    def _unpacked(self, observation: Bytes) -> Numbers:
        """Return numbers that do not fill bytes; they never cross a byte boundary."""
        first = 8 * self.offset + self.bit
        places = sum(
            (np.arange(axis.size).reshape(-1, *(1,) * rest) * axis.stride)
            for rest, axis in zip(range(len(self.axes) - 1, -1, -1), self.axes, strict=True)
        )
        bits = np.broadcast_to(np.asarray(first + places), self.shape)
        numbers = observation[..., bits // 8] >> (bits % 8).astype(np.uint8)
        return (numbers & np.uint8((1 << self.bits) - 1)).astype(self.dtype)


@dataclass(frozen=True)
class ActionKind:
    """Consecutive entries of the action table, in row-major order of their axes."""

    name: str
    """Name of the kind, as in `Action.name`."""
    first: int
    """Index of its first entry in the table."""
    axes: tuple[Axis, ...]
    """Its arguments, the outermost first, as in `Action.args`."""
    meaning: str
    """What the action does, in a sentence."""

    @property
    def size(self) -> int:
        """Number of entries in the table."""
        return prod(axis.size for axis in self.axes)

    def args(self, place: int) -> dict[str, str | int]:
        """Return the arguments of the entry at a position within the kind."""
        return {axis.name: axis.values[place // axis.stride % axis.size] for axis in self.axes}

    def place(self, args: Mapping[str, object]) -> int | None:
        """Return the position of some arguments within the kind, or None if it has no such entry."""
        try:
            return sum(_place(axis, args[axis.name]) * axis.stride for axis in self.axes)
        except ValueError:
            return None


def _place(axis: Axis, value: object) -> int:
    if not axis.labels and isinstance(value, SupportsIndex):
        value = index(value)
    return axis.values.index(value)  # type: ignore[arg-type]  # ValueError for unknown values


class View(Mapping[str, Numbers]):
    """The fields of one observation, or of many, by name; whole bytes are not copied."""

    def __init__(self, spec: Spec, observation: Bytes) -> None:
        self._spec = spec
        self._observation = observation

    def __getitem__(self, name: str) -> Numbers:
        return self._spec[name].of(self._observation)

    def __iter__(self) -> Iterator[str]:
        return iter(self._spec.names)

    def __len__(self) -> int:
        return len(self._spec.names)

    def __repr__(self) -> str:
        return f"<View of {self._spec.game}: {', '.join(self)}>"


@dataclass(frozen=True)
class Spec:
    """The observations and the action table of a game, for one rules version."""

    game: str
    """Name of the game."""
    rules_version: int
    """Its rules version."""
    min_seats: int
    """Smallest number of seats."""
    max_seats: int
    """Largest number of seats."""
    observation_size: int
    """Size of an observation in bytes."""
    action_count: int
    """Size of the action table."""
    max_legal_actions: int
    """Upper bound on the number of legal actions of a decision."""
    fields: tuple[Field, ...] = field(repr=False)
    """The fields of an observation; together they cover every bit once."""
    actions: tuple[ActionKind, ...] = field(repr=False)
    """The kinds of actions, in table order."""

    @cached_property
    def _fields(self) -> dict[str, Field]:
        return {field.name: field for field in self.fields if not field.is_padding}

    @property
    def names(self) -> list[str]:
        """Names of the fields, without padding."""
        return list(self._fields)

    def __getitem__(self, name: str) -> Field:
        """Return a field by name."""
        try:
            return self._fields[name]
        except (KeyError, TypeError):
            message = f"name is {name!r}: {self.game} has no such field, see `names`"
            raise _NoFieldError(message, {"field": "name", "value": repr(name)}) from None

    def view(self, observation: npt.ArrayLike) -> View:
        """Return the fields of an observation by name; leading axes may stack many observations."""
        array = np.asarray(observation)
        if array.dtype != np.uint8 or array.shape[-1:] != (self.observation_size,):
            shown = f"{array.dtype} of shape {array.shape}"
            raise refused(
                "observation", shown, f"must be uint8 with last axis of size {self.observation_size}"
            )
        return View(self, array)

    def action(self, number: SupportsIndex) -> tuple[str, dict[str, str | int]]:
        """Return the name and the arguments of an action by its index."""
        try:
            place = index(number)
        except TypeError:
            place = -1
        for kind in self.actions:
            if kind.first <= place < kind.first + kind.size:
                return kind.name, kind.args(place - kind.first)
        raise refused("action", repr(number), f"must be 0 to {self.action_count - 1} for {self.game}")

    def index(self, name: str, /, **args: object) -> int:
        """Return the index of the action with a name and arguments, as returned by `action`."""
        kinds = [kind for kind in self.actions if kind.name == name]
        if not kinds:
            raise refused("name", repr(name), f"{self.game} has no such action")
        wanted = [axis.name for axis in kinds[0].axes]
        if set(args) != set(wanted):
            message = f"arguments are {', '.join(args) or 'none'}: {name} needs {', '.join(wanted) or 'none'}"
            raise ArgumentError(message, {"field": name, "value": repr(args)})
        for kind in kinds:
            if (place := kind.place(args)) is not None:
                return kind.first + place
        message = f"{self.game} has no action {name} with {args}: see `action_rows` for the values"
        raise ArgumentError(message, {"field": name, "value": repr(args)})

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain names and numbers."""
        return asdict(self)

    def field_rows(self) -> list[tuple[str, ...]]:
        """Return the fields as rows of a table, headings first."""
        rows = [
            (_where(field), field.name, _array(field), _range(field), field.meaning) for field in self.fields
        ]
        return [("bytes", "field", "numbers", "values", "meaning"), *rows]

    def action_rows(self) -> list[tuple[str, ...]]:
        """Return the kinds of actions as rows of a table, headings first."""
        rows = []
        for kind in self.actions:
            last = kind.first + kind.size - 1
            entries = str(last) if kind.size == 1 else f"{kind.first} to {last}"
            rows.append((entries, kind.name, "; ".join(_along(axis) for axis in kind.axes), kind.meaning))
        return [("entries", "action", "names", "meaning"), *rows]

    def to_markdown(self) -> str:
        """Return both tables as Markdown."""
        return f"{_markdown(self.field_rows())}\n{_markdown(self.action_rows())}"


_SHOWN = 40
"""Number of value names that a table lists; of more it shows the first and the last."""


def _where(field: Field) -> str:
    """Return the byte of the first number, the distance between records, and the bit if there is one."""
    text = str(field.offset)
    size = field.bits
    packed = []
    for axis in reversed(field.axes):
        packed.append(axis.stride == size)
        size = axis.stride * axis.size
    for axis, close in zip(field.axes, reversed(packed), strict=True):
        if not close:
            text += f" + {axis.stride // 8} {axis.name}"
    partial = field.bit or field.bits % 8 or any(axis.stride % 8 for axis in field.axes)
    return f"{text}, bit {field.bit}" if partial else text


def _array(field: Field) -> str:
    unit = f"u{field.bits}" if field.bits > 1 else "bit"
    return "; ".join([unit, *(_along(axis) for axis in field.axes)])


def _along(axis: Axis) -> str:
    """Return an axis with its values."""
    if axis.labels:
        return f"{axis.name}: {_names(axis.labels)}"
    values = axis.values
    return f"{axis.name} {values[0]}" if axis.size == 1 else f"{axis.name} {values[0]} to {values[-1]}"


def _names(labels: tuple[str, ...]) -> str:
    return ", ".join(labels) if len(labels) <= _SHOWN else f"{labels[0]} to {labels[-1]} ({len(labels)})"


def _range(field: Field) -> str:
    if field.is_padding:
        return "0"
    if not field.labels:
        text = f"{field.low} to {field.high}"
    elif len(field.labels) <= _SHOWN:
        text = ", ".join(f"{number} {name}" for number, name in enumerate(field.labels, field.low))
    else:
        text = f"{field.low} {field.labels[0]} to {field.high} {field.labels[-1]}"
    return text if field.none is None else f"{text}; {field.none} none"


def _markdown(rows: list[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "".join(f"{line}\n" for line in (lines[0], f"|{'---|' * len(rows[0])}", *lines[1:]))


class _NoFieldError(ArgumentError, KeyError):
    """Error for an unknown field; also a KeyError, as for any mapping."""

    __str__ = ArgumentError.__str__


def of_table(table: Mapping[str, Any]) -> Spec:
    """Build a specification from plain names and numbers."""
    fields = (
        Field(**row | {"axes": _axes(row["axes"]), "labels": tuple(row["labels"])}) for row in table["fields"]
    )
    known = sentences(table["game"])
    actions = (ActionKind(**row | {"axes": _axes(row["axes"], known)}) for row in table["actions"])
    return Spec(**dict(table) | {"fields": tuple(fields), "actions": tuple(actions)})


def _axes(rows: list[dict[str, Any]], known: Mapping[str, str] = MappingProxyType({})) -> tuple[Axis, ...]:
    """Read axes. Values that are ids of rules, as cards are, have the sentences of these as meanings."""
    axes = []
    for row in rows:
        labels = tuple(row["labels"])
        meanings = tuple(known.get(label.upper(), "").removeprefix("card ") for label in labels)
        axes.append(Axis(**row | {"labels": labels, "meanings": meanings if all(meanings) else ()}))
    return tuple(axes)


def spec(game: str) -> Spec:
    """Return the specification of a game: the layout of its observations and its action table.

    Names of provinces are those of the built-in map; a custom map may have others.
    """
    return of_table(json.loads(_core.spec(find_game(game).name)))
