"""The text of a recorded call: exact bytes for programs, fields for people."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from typing import Any

from google.protobuf import any_pb2
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from wire.normalise import Parsed, is_map, unpacked

_MOST_BYTES = 360
"""Longer messages are recorded by their length and digest."""
_MOST_LINES = 30
"""Lines for the fields of a message."""
_MOST_MESSAGES = 12
"""Messages of a stream whose fields are shown; of later ones there is only the digest."""
_WIDEST = 120
"""Longest value of a field."""


def call_lines(call: Parsed) -> Iterator[str]:
    """The block of a call."""
    yield f"== {call.label}"
    yield call.method
    for sign, messages in ((">", call.requests), ("<", call.responses)):
        for number, message in enumerate(messages):
            yield from _message_lines(sign, message, fields=number < _MOST_MESSAGES)
    if call.status is not None:
        yield from _message_lines(f"! {call.code}", call.status)
    elif call.code != "OK":
        yield f"! {call.code}"
    yield ""


def _message_lines(sign: str, message: Message, *, fields: bool = True) -> Iterator[str]:
    data = message.SerializeToString(deterministic=True)
    if not fields:
        yield f"{sign} {len(data)} bytes sha256 {hashlib.sha256(data).hexdigest()}"
        return
    if len(data) <= _MOST_BYTES:
        yield f"{sign} {len(data)} bytes {base64.b64encode(data).decode()}".rstrip()
    else:
        yield f"{sign} {len(data)} bytes sha256 {hashlib.sha256(data).hexdigest()}"
    lines = list(_field_lines("", message))
    yield from (f"    {line}" for line in lines[:_MOST_LINES])
    if len(lines) > _MOST_LINES:
        yield f"    and {len(lines) - _MOST_LINES} lines more"


def _field_lines(path: str, message: Message) -> Iterator[str]:
    """The fields of a message, one a line."""
    if isinstance(message, any_pb2.Any):
        inner = unpacked(message)
        yield from _field_lines(f"{path}({inner.DESCRIPTOR.name}).", inner)
        return
    for field, value in message.ListFields():
        where = f"{path}{field.name}"
        if is_map(field):
            yield from (f"{where}[{_scalar(field, key)}]: {value[key]}"[:_WIDEST] for key in sorted(value))
        elif field.type == field.TYPE_MESSAGE:
            parts = (
                [(f"{where}[{number}]", each) for number, each in enumerate(value)]
                if field.is_repeated
                else [(where, value)]
            )
            for place, part in parts:
                lines = list(_field_lines(f"{place}.", part))
                yield from lines or [f"{place}: {{}}"]
        elif field.is_repeated:
            yield f"{where}: [{_cut(', '.join(_scalar(field, each) for each in value))}]"
        else:
            yield f"{where}: {_scalar(field, value)}"


def _scalar(field: FieldDescriptor, value: Any) -> str:
    if field.type == field.TYPE_ENUM:
        known = field.enum_type.values_by_number.get(value)
        return str(value) if known is None else known.name
    if isinstance(value, bytes):
        short = len(value) <= 24
        return f"0x{value.hex()}" if short else f"{len(value)} bytes 0x{value[:16].hex()}..."
    return _cut(json.dumps(value, ensure_ascii=False))


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}... ({len(text)} characters)"
