"""Requests of the Connect protocol: what their method, headers and query say, and their body."""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

from sengoku.errors import ArgumentError, DecodeError, SengokuError, invalid
from sengoku.server.dispatch import BINARY, Codec
from sengoku.server.http.compression import decompress, unknown_encoding
from sengoku.server.http.json_codec import JSON
from sengoku.server.limits import Limits

__all__ = ["NO_CODEC", "Body", "Request"]

_UNARY = {"application/json": JSON, "application/proto": BINARY}
_STREAM = {"application/connect+json": JSON, "application/connect+proto": BINARY}
_ENCODINGS = {"json": JSON, "proto": BINARY}
_TIMEOUT = re.compile(r"[0-9]{1,10}")
_HEAD_OF_FRAME = 5
NO_CODEC = Codec(BINARY.read, BINARY.write)
"""Stands for a content type that is not known."""

Receive = Callable[[], Awaitable[dict[str, Any]]]


class Request:
    """A request to a method."""

    __slots__ = ("codec", "content_type", "encoding", "headers", "is_get", "is_stream", "query", "timeout")

    def __init__(self, scope: Mapping[str, Any], headers: Mapping[str, str], *, is_stream: bool) -> None:
        self.headers = headers
        self.is_stream = is_stream
        self.is_get = scope["method"] == "GET"
        self.query: dict[str, str] = {}
        self.codec: Codec
        """How its messages are written; `NO_CODEC` if its content type is not known."""
        if self.is_get:
            found = parse_qs(
                scope["query_string"].decode("latin-1"), keep_blank_values=True, max_num_fields=20
            )
            self.query = {name: values[-1] for name, values in found.items()}
            self.codec = _ENCODINGS.get(self.query.get("encoding", ""), NO_CODEC)
            self.encoding = self.query.get("compression", "")
        else:
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            self.codec = (_STREAM if is_stream else _UNARY).get(kind, NO_CODEC)
            self.encoding = headers.get("connect-content-encoding" if is_stream else "content-encoding", "")
        name = b"json" if self.codec is JSON else b"proto"
        self.content_type = (b"application/connect+" if is_stream else b"application/") + name
        """The content type of the response."""
        self.timeout: float | None = None
        """Seconds until the deadline."""

    @property
    def accepts_gzip(self) -> bool:
        """Whether the caller reads compressed responses."""
        name = "connect-accept-encoding" if self.is_stream else "accept-encoding"
        accepted = self.headers.get(name, "")
        return "gzip" in accepted and "gzip;q=0" not in accepted.replace(" ", "")

    def check(self) -> None:
        """Read the deadline; raise for what is wrong before the body is read."""
        text = self.headers.get("connect-timeout-ms")
        if text is not None:
            if not _TIMEOUT.fullmatch(text):
                raise invalid("connect-timeout-ms", ascii(text[:60]), "expected at most ten digits")
            self.timeout = int(text) / 1e3
        if self.encoding not in {"", "identity", "gzip"}:
            raise unknown_encoding(self.encoding)
        for version in (self.headers.get("connect-protocol-version", "1"), self.query.get("connect", "v1")):
            if version not in {"1", "v1"}:
                raise invalid("connect-protocol-version", ascii(version[:60]), "expected 1")

    def message_of_query(self, limits: Limits) -> bytes:
        """Return the message of a GET request."""
        text = self.query.get("message", "")
        if self.query.get("base64") != "1":
            return decompress(text.encode(), self.encoding, limits)
        try:
            data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError) as error:
            raise DecodeError("message is not valid base64", {"field": "message"}) from error
        return decompress(data, self.encoding, limits)

    def message_of_body(self, body: bytes, limits: Limits) -> bytes:
        """Return the message of a POST request: its body, or the only frame of its stream."""
        if not self.is_stream:
            return decompress(body, self.encoding, limits)
        if len(body) < _HEAD_OF_FRAME:
            raise _not_a_frame(body)
        flags, size = body[0], int.from_bytes(body[1:_HEAD_OF_FRAME], "big")
        if size != len(body) - _HEAD_OF_FRAME or flags > 1:
            raise _not_a_frame(body)
        return decompress(body[_HEAD_OF_FRAME:], self.encoding if flags else "", limits)


def _not_a_frame(body: bytes) -> SengokuError:
    message = (
        f"the request has {len(body)} bytes, expected one frame: a byte of flags, the length of the message "
        "as four bytes, and the message"
    )
    return ArgumentError(message, {"field": "message", "value": f"{len(body)} bytes"})


class Body:
    """The body of a request, read once and bounded."""

    def __init__(self, receive: Receive, limits: Limits) -> None:
        self._receive = receive
        self._limits = limits
        self.complete = False
        """Whether all of it has arrived."""

    async def read(self) -> bytes:
        """Return the whole body."""
        parts: list[bytes] = []
        size = 0
        while True:
            event = await self._receive()
            if event["type"] == "http.disconnect":
                raise asyncio.CancelledError
            part = event["body"]
            size += len(part)
            self._limits.check("message_bytes", size)
            if not event["more_body"]:
                self.complete = True
                return part if not parts else b"".join([*parts, part])
            parts.append(part)
