"""Responses of the Connect protocol: statuses, errors as JSON, and the frames of streams."""

from __future__ import annotations

import base64
import json
import math
import struct
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Self

from google.protobuf import symbol_database
from google.protobuf.message import Message

from sengoku.errors import SengokuError
from sengoku.server.http.json_codec import message_to_dict
from sengoku.wire.errors import status_to_proto

__all__ = [
    "COMPRESSED",
    "END",
    "STATUSES",
    "Answer",
    "Headers",
    "Send",
    "envelope",
    "error_to_json",
    "respond",
    "retry_headers",
]

Headers = list[tuple[bytes, bytes]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

STATUSES: dict[str, tuple[str, int]] = {
    "CANCELLED": ("canceled", 499),
    "UNKNOWN": ("unknown", 500),
    "INVALID_ARGUMENT": ("invalid_argument", 400),
    "DEADLINE_EXCEEDED": ("deadline_exceeded", 504),
    "NOT_FOUND": ("not_found", 404),
    "ALREADY_EXISTS": ("already_exists", 409),
    "PERMISSION_DENIED": ("permission_denied", 403),
    "RESOURCE_EXHAUSTED": ("resource_exhausted", 429),
    "FAILED_PRECONDITION": ("failed_precondition", 400),
    "ABORTED": ("aborted", 409),
    "OUT_OF_RANGE": ("out_of_range", 400),
    "UNIMPLEMENTED": ("unimplemented", 501),
    "INTERNAL": ("internal", 500),
    "UNAVAILABLE": ("unavailable", 503),
    "DATA_LOSS": ("data_loss", 500),
    "UNAUTHENTICATED": ("unauthenticated", 401),
}
"""The name of a gRPC status in the Connect protocol, and the status of HTTP."""

COMPRESSED, END = 1, 2
"""Flags of a frame: its message is compressed; it is the last one, with the error and trailers as JSON."""


class Answer(bytes):
    """The body of a response that has a status of its own."""

    status: int

    def __new__(cls, body: bytes, status: int) -> Self:
        """Create an answer."""
        answer = super().__new__(cls, body)
        answer.status = status
        return answer


def envelope(data: bytes, flags: int = 0) -> bytes:
    """Return the frame of a message in a stream.

    >>> envelope(b"ronin").hex(" ")
    '00 00 00 00 05 72 6f 6e 69 6e'
    """
    return struct.pack(">BI", flags, len(data)) + data


def error_to_json(error: SengokuError) -> dict[str, Any]:
    """Return an error as the Connect protocol writes it."""
    status = status_to_proto(error)
    found: dict[str, Any] = {"code": STATUSES[error.status][0], "message": status.message}
    if status.details:
        found["details"] = [_detail(detail) for detail in status.details]
    return found


def _detail(detail: Any) -> dict[str, Any]:
    """Return a detail of an error: its type, its bytes, and the same in readable form."""
    name = detail.type_url.rpartition("/")[2]
    message: Message = symbol_database.Default().GetSymbol(name).FromString(detail.value)
    value = base64.b64encode(detail.value).decode().rstrip("=")
    return {"type": name, "value": value, "debug": message_to_dict(message)}


def json_bytes(value: object) -> bytes:
    """Return a value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def retry_headers(error: SengokuError) -> Headers:
    """Return the header that says when to try again, if the error does."""
    if error.retry_after is None:
        return []
    return [(b"retry-after", str(math.ceil(error.retry_after)).encode())]


async def respond(
    send: Send, status: int, body: bytes, content_type: bytes, headers: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    """Send a whole response."""
    start: Headers = [(b"content-type", content_type), (b"content-length", str(len(body)).encode()), *headers]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": body})
