"""Single values on the wire: bytes, numbers, texts, JSON objects and durations, with their checks."""

import json
from collections.abc import Callable, Iterable, Sequence
from operator import index
from typing import Any, SupportsIndex, TypeVar

from google.protobuf import duration_pb2
from google.protobuf.message import DecodeError as ProtobufDecodeError
from google.protobuf.message import Message

from sengoku.errors import ArgumentError, DecodeError, SengokuError, SetupError

M = TypeVar("M", bound=Message)
T = TypeVar("T")

U32_MAX = (1 << 32) - 1
U64_MAX = (1 << 64) - 1
_HUGE = 1 << 200


def parse(kind: Callable[[], M], data: bytes) -> M:
    """Read a message from bytes."""
    message = kind()
    try:
        message.ParseFromString(data)
    except ProtobufDecodeError as error:
        name = message.DESCRIPTOR.name
        raise DecodeError(
            f"{len(data)} bytes are not a valid {name} message", {"message": name, "bytes": str(len(data))}
        ) from error
    return message


def check_length(field: str, items: Sequence[object], most: int) -> None:
    """Refuse a list that is too long before anything is made of it."""
    if len(items) > most:
        details = {"field": field, "value": str(len(items)), "limit": str(most)}
        raise SetupError(f"{field} has {len(items)} entries, at most {most} are possible", details)


def decode_rows(read: Callable[[M], T], messages: Iterable[M], what: str = "row") -> list[T]:
    """Read many messages; an error names the message by `what` and its place."""
    rows = []
    for row, message in enumerate(messages):
        try:
            rows.append(read(message))
        except SengokuError as error:
            raise type(error)(f"{what} {row}: {error}", error.details | {what: str(row)}) from error
    return rows


def table_from_json(field: str, text: str) -> dict[str, Any]:
    """Read a JSON object that a server wrote."""
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DecodeError(f"{field} is not valid JSON: {error}", {"field": field}) from error
    if not isinstance(table, dict):
        raise DecodeError(f"{field} is not a JSON object", {"field": field})
    return table


def plain_values(message: Message) -> dict[str, Any]:
    """Return all fields of a message of scalars, lists and maps by name."""
    values = {}
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
        values[field.name] = dict(value) if is_map else list(value) if field.is_repeated else value
    return values


def compact_json(value: object) -> str:
    """Return JSON without spaces and without escapes for letters."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def seconds_to_proto(seconds: float) -> duration_pb2.Duration:
    """Write a duration."""
    duration = duration_pb2.Duration()
    duration.FromNanoseconds(round(1e9 * seconds))
    return duration


def seconds_from_proto(field: str, duration: duration_pb2.Duration) -> float:
    """Read a duration."""
    if not -999_999_999 <= duration.nanos <= 999_999_999:
        details = {"field": field, "value": f"{duration.seconds} s, {duration.nanos} ns"}
        message = f"{field} has {duration.nanos} nanoseconds, it must be less than 1000000000"
        raise ArgumentError(message, details)
    return duration.seconds + duration.nanos / 1e9


def text_to_proto(field: str, value: str) -> str:
    """Return a text that UTF-8 can encode: lone surrogates are replaced, so that the name is unknown."""
    if not isinstance(value, str):
        raise TypeError(f"{field} must be a str, not {type(value).__name__}")
    return value.encode("utf-8", "replace").decode()


def whole_to_proto(
    field: str, value: SupportsIndex | None, most: int = U64_MAX, error: type[SengokuError] = ArgumentError
) -> int:
    """Return an integer of 0 to `most`, or refuse it as the engine does."""
    number = index(value)  # type: ignore[arg-type] # None is a TypeError, as it should be
    if not 0 <= number <= most:
        shown = number_text(number)
        raise error(f"{field} is {shown}, 0 to {most} are possible", {"field": field, "value": shown})
    return number


def signed_to_proto(field: str, value: SupportsIndex | None, bits: int) -> int:
    """Return a signed integer of at most `bits` bits."""
    number = index(value)  # type: ignore[arg-type]
    if not -1 << bits - 1 <= number < 1 << bits - 1:
        shown = number_text(number)
        raise ArgumentError(f"{field} is {shown}, there is no such {field}", {"field": field, "value": shown})
    return number


def number_text(number: int) -> str:
    """Return a number as messages show it; Python refuses to write out thousands of digits."""
    return str(number) if abs(number) < _HUGE else "a huge number"
