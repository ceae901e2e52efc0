"""Messages as JSON (ProtoJSON, the mapping of protobuf's documentation), faster than by its library.

What a message type needs is looked up once. Requests in the usual form are read here; anything unusual, and
everything wrong, goes to `google.protobuf.json_format`, whose errors are good and whose form is the standard.

>>> from sengoku.v1 import odds_service_pb2 as pb2
>>> options = JSON.read(pb2.OddsOptions, b'{"samples": "7", "method": "ODDS_METHOD_SAMPLED"}')
>>> options.samples, JSON.write(pb2.OddsOptions, options)
(7, b'{"method":"ODDS_METHOD_SAMPLED","samples":"7"}')
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from collections.abc import Callable
from functools import cache, partial
from math import isfinite
from typing import Any

from google.protobuf import json_format, symbol_database
from google.protobuf.any_pb2 import Any as Box
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from sengoku.errors import DecodeError
from sengoku.server.dispatch import Codec

__all__ = ["JSON", "message_to_dict"]

F = FieldDescriptor
_WHOLE = {F.TYPE_INT32, F.TYPE_UINT32, F.TYPE_SINT32, F.TYPE_FIXED32, F.TYPE_SFIXED32}
_LARGE = {F.TYPE_INT64, F.TYPE_UINT64, F.TYPE_SINT64, F.TYPE_FIXED64, F.TYPE_SFIXED64}
_Convert = Callable[[Any], Any]
_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class _UnusualError(Exception):
    """A form that is left to the library."""


def _is_special(descriptor: Any) -> bool:
    """Return whether a message has a form of its own in JSON, as times have."""
    return bool(descriptor.file.package == "google.protobuf")


def _is_map(field: Any) -> bool:
    return bool(field.message_type is not None and field.message_type.GetOptions().map_entry)


# Writing


def _write(kind: type[Message], reply: Message | bytes) -> bytes:
    message = kind.FromString(reply) if isinstance(reply, bytes) else reply
    return _dumps(message_to_dict(message)).encode()


def message_to_dict(message: Message) -> Any:
    """Return a message as the objects of JSON; fields with their default values are left out."""
    descriptor = message.DESCRIPTOR
    if _is_special(descriptor):
        return _box_to_dict(message) if isinstance(message, Box) else json_format.MessageToDict(message)
    writers = _writers(descriptor)
    found = {}
    for field, value in message.ListFields():
        name, convert = writers[field.number]
        found[name] = value if convert is None else convert(value)
    return found


def _box_to_dict(box: Box) -> dict[str, Any]:
    """Return a message of any type, with the name of the type."""
    if not box.type_url:
        return {}
    message = symbol_database.Default().GetSymbol(box.type_url.rpartition("/")[2]).FromString(box.value)
    if _is_special(message.DESCRIPTOR):
        return dict(json_format.MessageToDict(box))
    return {"@type": box.type_url, **message_to_dict(message)}


@cache
def _writers(descriptor: Any) -> dict[int, tuple[str, _Convert | None]]:
    """Return the name and the conversion of each field of a message, by number."""
    return {field.number: (field.json_name, _writer(field)) for field in descriptor.fields}


def _writer(field: Any) -> _Convert | None:
    if _is_map(field):
        key, value = (field.message_type.fields_by_name[name] for name in ("key", "value"))
        write = _single_writer(value) or _same
        name: _Convert = _bool_name if key.type == F.TYPE_BOOL else str
        return lambda items: {name(one): write(other) for one, other in items.items()}
    single = _single_writer(field)
    if not field.is_repeated:
        return single
    if field.type == F.TYPE_DOUBLE:
        return lambda values: list(values) if all(map(isfinite, values)) else list(map(_write_double, values))
    return list if single is None else lambda values: list(map(single, values))


def _single_writer(field: Any) -> _Convert | None:
    if field.type in _LARGE:
        return str
    if field.type == F.TYPE_BYTES:
        return lambda data: base64.b64encode(data).decode()
    if field.type == F.TYPE_ENUM:
        names = {number: value.name for number, value in field.enum_type.values_by_number.items()}
        return lambda number: names.get(number, number)
    if field.type == F.TYPE_DOUBLE:
        return _write_double
    if field.type == F.TYPE_FLOAT:
        return _write_float
    return message_to_dict if field.message_type is not None else None


def _write_double(value: float) -> float | str:
    if isfinite(value):
        return value
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"  # noqa: PLR0124


def _write_float(value: float) -> float | str:
    """Return the shortest number that is the same in 32 bits."""
    if not isfinite(value):
        return _write_double(value)
    data = struct.pack("f", value)
    return next(
        number for digits in (6, 7, 8, 9) if struct.pack("f", number := float(f"{value:.{digits}g}")) == data
    )


def _same(value: Any) -> Any:
    return value


def _bool_name(value: bool) -> str:
    return "true" if value else "false"


# Reading


def _read(kind: type[Message], data: bytes) -> Message:
    """Parse a message; fields that it does not have are refused, because they are usually misspelt."""
    try:
        return kind(**_arguments(kind.DESCRIPTOR, json.loads(data)))
    except (_UnusualError, ValueError, TypeError, RecursionError):
        return _read_by_library(kind, data)


def _read_by_library(kind: type[Message], data: bytes) -> Message:
    message = kind()
    try:
        if not data.lstrip(b" \t\r\n").startswith(b"{"):
            raise ValueError("expected an object")
        json_format.Parse(data.decode("utf-8"), message)
    except (json_format.Error, ValueError, TypeError, AttributeError, RecursionError) as error:
        name = message.DESCRIPTOR.name
        text = " ".join(str(error).split())[:300]
        details = {"message": name, "bytes": str(len(data))}
        raise DecodeError(f"{len(data)} bytes are not a valid {name} in JSON: {text}", details) from error
    return message


def _arguments(descriptor: Any, value: Any) -> dict[str, Any]:
    """Return the arguments that make a message, or raise for what has an unusual form."""
    if type(value) is not dict:
        raise _UnusualError
    readers = _readers(descriptor)
    found: dict[str, Any] = {}
    for key, part in value.items():
        reader = readers.get(key)
        if reader is None:
            raise _UnusualError
        name, convert, one_of = reader
        if name in found or (one_of is not None and one_of in found):
            raise _UnusualError
        if one_of is not None:
            found[one_of] = None
        found[name] = convert(part)
    return {name: part for name, part in found.items() if part is not None}


@cache
def _readers(descriptor: Any) -> dict[str, tuple[str, _Convert, str | None]]:
    """Return the field, its conversion and its group of alternatives, for each name that JSON may have."""
    found = {}
    for field in descriptor.fields:
        group = field.containing_oneof
        one_of = None if group is None or len(group.fields) == 1 else f"oneof {group.name}"
        found[field.json_name] = found[field.name] = (field.name, _reader(field), one_of)
    return found


def _reader(field: Any) -> _Convert:
    if _is_map(field):
        return _unusual
    single = _single_reader(field)
    return partial(_read_list, single) if field.is_repeated else single


def _read_list(read: _Convert, values: Any) -> list[Any]:
    if type(values) is not list:
        raise _UnusualError
    return list(map(read, values))


def _single_reader(field: Any) -> _Convert:
    if field.type in _WHOLE:
        return partial(_exactly, int)
    if field.type in _LARGE:
        return _read_large
    if field.type == F.TYPE_ENUM:
        return partial(_read_enum, {value.name: value.number for value in field.enum_type.values})
    if field.message_type is not None:
        special = _is_special(field.message_type)
        return _unusual if special else partial(_arguments, field.message_type)
    plain: dict[int, _Convert] = {
        F.TYPE_BOOL: partial(_exactly, bool),
        F.TYPE_STRING: partial(_exactly, str),
        F.TYPE_DOUBLE: _read_double,
        F.TYPE_BYTES: _read_bytes,
    }
    return plain.get(field.type, _unusual)


def _unusual(_value: Any) -> Any:
    raise _UnusualError


def _exactly(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise _UnusualError
    return value


def _read_large(value: Any) -> int:
    if type(value) is int:
        return value
    if type(value) is str and value.isascii() and value.isdigit() and len(value) <= 20:
        return int(value)
    raise _UnusualError


def _read_enum(numbers: dict[str, int], value: Any) -> int:
    if type(value) is not str or value not in numbers:
        raise _UnusualError
    return numbers[value]


def _read_double(value: Any) -> float:
    if type(value) is float and isfinite(value):
        return value
    if type(value) is int and abs(value) < 1 << 53:
        return float(value)
    raise _UnusualError


def _read_bytes(value: Any) -> bytes:
    if type(value) is not str:
        raise _UnusualError
    try:
        return base64.b64decode(value, validate=True)
    except binascii.Error as error:
        raise _UnusualError from error


JSON = Codec(_read, _write)
