"""A declarative codec: tables of fields that map engine values to protobuf messages and back.

A `Codec` names a class, a message type and one `Field` for each attribute. `encode` writes a message from an
object, `pack` from keyword arguments, and `decode` builds the object from a message. The functions below make
the usual kinds of fields: scalars, optional values, enums, nested messages, JSON texts, times, and arguments
with a range.

>>> from dataclasses import dataclass
>>> from sengoku.v1 import tournament_service_pb2 as pb2
>>> @dataclass
... class Fault:
...     seat: int
...     reason: str
>>> fault = Codec(Fault, pb2.TournamentFault, *plain("seat", "reason"))
>>> fault.decode(fault.encode(Fault(2, "late")))
Fault(seat=2, reason='late')
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, SupportsIndex, TypeVar

from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import Message

from sengoku.errors import ArgumentError, SengokuError, SetupError
from sengoku.wire.values import (
    U64_MAX,
    check_length,
    decode_rows,
    signed_to_proto,
    table_from_json,
    text_to_proto,
    whole_to_proto,
)

M = TypeVar("M", bound=Message)
V = TypeVar("V")

Write = Callable[[Any], Any]
Read = Callable[[Any, str], Any]


@dataclass(frozen=True, slots=True)
class Field:
    """One row of a codec's table: an attribute of a value and the message field that holds it."""

    name: str
    """Attribute of the value, and keyword argument of its class."""
    wire: str
    """Field of the message."""
    write: Write | None = None
    """Converts the attribute for the message; None of it leaves the field unset. Without one it is copied."""
    read: Read | None = getattr
    """Reads the attribute from a message and the name of its field; None: `decode` leaves it out."""
    sent: bool = True
    """Whether `encode` writes the field."""


@dataclass(frozen=True, slots=True)
class Codec(Generic[V, M]):
    """The table of a message: which class it belongs to, and how each attribute travels."""

    make: Callable[..., V]
    message: Callable[..., M]
    fields: tuple[Field, ...]

    def __init__(self, make: Callable[..., V], message: Callable[..., M], *fields: Field) -> None:
        object.__setattr__(self, "make", make)
        object.__setattr__(self, "message", message)
        object.__setattr__(self, "fields", fields)

    def encode(self, value: V, **more: Any) -> M:
        """Write a value as a message; `more` are message fields that are not in the table."""
        # Without a helper: a request for odds encodes three messages, and function calls are what it costs.
        written = {
            field.wire: getattr(value, field.name)
            if field.write is None
            else field.write(getattr(value, field.name))
            for field in self.fields
            if field.sent
        }
        return self.message(**written, **more)

    def pack(self, **arguments: Any) -> M:
        """Write keyword arguments as a message, checked in the order of the table."""
        written = {
            field.wire: arguments[field.name] if field.write is None else field.write(arguments[field.name])
            for field in self.fields
            if field.sent
        }
        return self.message(**written)

    def decode(self, message: M, **more: Any) -> V:
        """Build a value from a message; `more` are arguments of its class that are not in the table."""
        values = {field.name: field.read(message, field.wire) for field in self.fields if field.read}
        return self.make(**values, **more)


def plain(*names: str) -> Iterator[Field]:
    """Fields that are copied both ways."""
    return (Field(name, name) for name in names)


def write_only(*names: str, write: Write | None = None) -> Iterator[Field]:
    """Fields that a value derives from others: they are sent and never read back."""
    return (Field(name, name, write, None) for name in names)


def tuples(*names: str) -> Iterator[Field]:
    """Repeated scalars that are tuples in Python."""
    return (Field(name, name, None, _read_tuple) for name in names)


def optional(*names: str, write: Write | None = None) -> Iterator[Field]:
    """Optional fields: None in Python where they are not set."""
    return (Field(name, name, write, _read_optional) for name in names)


def or_none(name: str, wire: str | None = None) -> Field:
    """Return a field whose zero or empty value is None in Python."""
    return Field(name, wire or name, None, lambda message, field: getattr(message, field) or None)


def negated(name: str, wire: str) -> Field:
    """Return a flag that the message holds negated, so that its default is true."""
    return Field(name, wire, lambda flag: not flag, lambda message, field: not getattr(message, field))


def times(*names: str) -> Iterator[Field]:
    """Optional timestamps: aware datetimes in Python. They are only read."""

    def read(message: Any, wire: str) -> datetime | None:
        return getattr(message, wire).ToDatetime(UTC) if message.HasField(wire) else None

    return (Field(name, name, None, read, sent=False) for name in names)


def json_table(name: str, wire: str, write: Write = json.dumps, *, if_empty: str = "{}") -> Field:
    """Return a JSON object that travels as text; an empty text is read as `if_empty`."""

    def read(message: Any, field: str) -> dict[str, Any]:
        return table_from_json(field, getattr(message, field) or if_empty)

    return Field(name, wire, write, read)


def nested(name: str, codec: Codec[Any, Any], *, wire: str | None = None, is_optional: bool = False) -> Field:
    """Return a field that holds another message."""

    def write(value: Any) -> Message | None:
        return None if value is None else codec.encode(value)

    def read(message: Any, field: str) -> Any:
        return None if is_optional and not message.HasField(field) else codec.decode(getattr(message, field))

    return Field(name, wire or name, write if is_optional else codec.encode, read)


def nested_list(
    name: str, codec: Codec[Any, Any], *, wire: str | None = None, most: int | None = None, what: str = ""
) -> Field:
    """Return a field that holds many messages, a tuple in Python.

    More than `most` are refused before one is read. With `what`, errors name the message as `what` and its
    place.
    """

    def write(values: Iterable[Any]) -> list[Message]:
        return [codec.encode(value) for value in values]

    def read(message: Any, field: str) -> tuple[Any, ...]:
        rows = getattr(message, field)
        if most is not None:
            check_length(field, rows, most)
        return tuple(decode_rows(codec.decode, rows, what) if what else map(codec.decode, rows))

    return Field(name, wire or name, write, read)


def _read_tuple(message: Any, wire: str) -> tuple[Any, ...]:
    return tuple(getattr(message, wire))


def _read_optional(message: Any, wire: str) -> Any:
    return getattr(message, wire) if message.HasField(wire) else None


class EnumNames:
    """The names of an enum's values in Python: lower case, without the prefix of the enum.

    `zero` is the name of the value 0; without one, 0 is refused. Names in `spelling` keep its capitals.

    >>> from sengoku.v1 import swords_pb2
    >>> forts = EnumNames(swords_pb2.SwordsFort, "none")
    >>> forts.number("castle"), forts.name(0, "fort")
    (1, 'none')
    """

    def __init__(self, enum: EnumTypeWrapper, zero: str | None, *, spelling: Iterable[str] = ()) -> None:
        prefix = enum.Name(0).removesuffix("UNSPECIFIED")
        spelled = {name.upper(): name for name in spelling}
        self._names = {} if zero is None else {0: zero}
        for label, number in enum.items():
            if number:
                name = label.removeprefix(prefix)
                self._names[number] = spelled.get(name, name.lower())
        self._numbers = {name: number for number, name in self._names.items()}
        self.optional_number = (self._numbers | {None: None}).__getitem__
        """Returns the number of a name that exists, and None for None."""

    def number(self, name: str) -> Any:
        """Return the number of a name that exists."""
        return self._numbers[name]

    def checked_number(self, field: str, name: str) -> Any:
        """Return the number of a name, or refuse one that does not exist."""
        if name not in self._numbers:
            known = ", ".join(map(repr, self._numbers))
            details = {"field": field, "value": repr(name)}
            raise ArgumentError(f"{field} is {name!r}, it must be one of {known}", details)
        return self._numbers[name]

    def name(self, number: int, field: str) -> str:
        """Return the name of a number, or refuse one that the enum does not have."""
        name = self._names.get(number)
        if name is None:
            raise ArgumentError(f"{field}: unknown value {number}", {"field": field, "value": str(number)})
        return name

    def name_or_zero(self, number: int) -> str:
        """Return the name of a number; one of a newer server gets the name of 0."""
        return self._names.get(number, self._names[0])


def enum_field(name: str, names: EnumNames, *, label: str | None = None, zero_is_none: bool = False) -> Field:
    """Return an enum field, a name in Python; errors call it `label`."""

    def read(message: Any, wire: str) -> str | None:
        number = getattr(message, wire)
        return None if zero_is_none and not number else names.name(number, label or name)

    return Field(name, name, names.optional_number, read)


def enum_list(name: str, names: EnumNames, *, most: int | None = None) -> Field:
    """Return a repeated enum field, a tuple of names in Python; more than `most` are refused."""

    def read(message: Any, wire: str) -> tuple[str, ...]:
        numbers = getattr(message, wire)
        if most is not None:
            check_length(name, numbers, most)
        return tuple(names.name(number, name) for number in numbers)

    return Field(name, name, lambda values: [names.number(value) for value in values], read)


# Arguments of requests: checked when they are written; the server checks what depends on its limits


def text_argument(name: str) -> Field:
    """Return a text argument."""
    return Field(name, name, lambda value: text_to_proto(name, value))


def whole_argument(
    name: str, most: int = U64_MAX, error: type[SengokuError] = ArgumentError, *, is_optional: bool = False
) -> Field:
    """Return an integer argument of 0 to `most`."""

    def write(value: SupportsIndex | None) -> int | None:
        return None if is_optional and value is None else whole_to_proto(name, value, most, error)

    return Field(name, name, write, _read_optional if is_optional else getattr)


def signed_argument(name: str, bits: int, *, is_optional: bool = False) -> Field:
    """Return an integer argument of which only the width is checked; its meaning is the server's to check."""

    def write(value: SupportsIndex | None) -> int | None:
        return None if is_optional and value is None else signed_to_proto(name, value, bits)

    return Field(name, name, write, None)


_ARGUMENTS = {
    field.name: field
    for field in (
        text_argument("game"),
        whole_argument("seats", 255, SetupError, is_optional=True),
        Field(
            "setup",
            "setup_json",
            lambda text: text_to_proto("setup", text),
            lambda message, wire: getattr(message, wire) or None,
        ),
        *map(whole_argument, ("seed", "match_index", "first_match", "match_count")),
    )
}


def arguments(*names: str) -> Iterator[Field]:
    """Arguments that several requests have; `setup` is the JSON text of the options of the game."""
    return (_ARGUMENTS[name] for name in names)
