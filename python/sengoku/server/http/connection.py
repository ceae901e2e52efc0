"""One HTTP connection: uvicorn's protocol with limits of the headers and without pipelining."""

from __future__ import annotations

import asyncio
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

__all__ = ["HEAD_BYTES", "HEAD_SECONDS", "Connection"]

HEAD_BYTES = 16 << 10
"""Length of the request line and all headers of a request."""
HEADERS = 100
"""Headers of a request."""
HEAD_SECONDS = 20.0
"""Time from the first byte of a request to the end of its headers."""
_NO_UPGRADE = "this server does not upgrade connections: send no Upgrade header"


class _RefusedError(Exception):
    """A request that is refused while it is parsed."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Connection(HttpToolsProtocol):
    """A connection; requests find it as `scope["connection"]`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Without the leniency of uvicorn: bytes after the last request of a connection are refused.
        self.parser = httptools.HttpRequestParser(self)
        self.name = ""
        """What the gate calls it."""
        self.call: asyncio.Task[Any] | None = None
        """The task that ends with the connection."""
        self._in_head = False
        self._head_bytes = self._raw_bytes = self._chunk_bytes = 0
        self._head_timer: asyncio.TimerHandle | None = None
        self._refusal: _RefusedError | None = None
        self._deaf = False

    # Events of the transport

    def connection_made(self, transport: Any) -> None:
        """Start a connection."""
        super().connection_made(transport)
        # So that `flow.write_paused` means that something is not sent yet; with 0, TLS is always paused.
        transport.set_write_buffer_limits(high=1, low=0)
        name = transport.get_extra_info("peername")
        if isinstance(name, bytes):
            self.name = f"unix-abstract:{name.lstrip(bytes(1)).decode('ascii', 'replace')}"
        else:
            self.name = f"unix:{name}"

    def connection_lost(self, exc: Exception | None) -> None:
        """End a connection, and the call that it carries."""
        self._end_head()
        super().connection_lost(exc)
        if self.call is not None:
            self.call.cancel()

    def data_received(self, data: bytes) -> None:
        """Parse bytes of requests."""
        if self._deaf:
            return
        self._unset_keepalive_if_required()
        self._chunk_bytes = len(data)
        if self._in_head:
            self._raw_bytes += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._refuse(501, _NO_UPGRADE)
        except httptools.HttpParserError:
            refusal, self._refusal = self._refusal, None
            self._refuse(
                *((400, "not a valid HTTP request") if refusal is None else (refusal.status, str(refusal)))
            )
        else:
            # The parser keeps a header until it is complete, however long it is.
            if self._in_head and self._raw_bytes > HEAD_BYTES:
                self._refuse(431, f"the headers are longer than {HEAD_BYTES} bytes")

    def certificate(self) -> dict[str, list[bytes]]:
        """Return the names in the certificate of the client, as gRPC does."""
        found = self.transport.get_extra_info("peercert") or {}
        names = [value for part in found.get("subject", ()) for key, value in part if key == "commonName"]
        others = [value for _, value in found.get("subjectAltName", ())]
        return {
            "x509_common_name": [name.encode() for name in names],
            "x509_subject_alternative_name": [name.encode() for name in others],
        }

    # Events of the parser

    def on_message_begin(self) -> None:
        """Begin a request."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._raise(400, "the request before this one has not been answered yet")
        self._in_head = True
        self._head_bytes = 0
        self._raw_bytes = self._chunk_bytes
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self._late)
        super().on_message_begin()
        self.scope["connection"] = self  # type: ignore[typeddict-unknown-key]

    def on_url(self, url: bytes) -> None:
        """Take a part of the request line."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        self._count(len(name) + len(value))
        if len(self.headers) >= HEADERS:
            self._raise(431, f"there are more than {HEADERS} headers")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Start the answer of a request, whose body may still arrive."""
        self._end_head()
        if self.parser.should_upgrade():
            self._raise(501, _NO_UPGRADE)
        super().on_headers_complete()

    def _count(self, size: int) -> None:
        self._head_bytes += size
        if self._head_bytes > HEAD_BYTES:
            self._raise(431, f"the headers are longer than {HEAD_BYTES} bytes")

    def _end_head(self) -> None:
        self._in_head = False
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    # Refusals

    def _raise(self, status: int, text: str) -> None:
        """Refuse a request from a callback of the parser."""
        self._refusal = _RefusedError(status, text)
        raise self._refusal

    def _late(self) -> None:
        """Timer callback: the headers did not arrive in time."""
        self._head_timer = None
        self._refuse(408, f"the headers did not arrive within {HEAD_SECONDS:g} seconds")

    def _refuse(self, status: int, text: str) -> None:
        """Read nothing any more, and close the connection once the request that is complete is answered."""
        self._deaf = True
        self._end_head()
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete:
            cycle.keep_alive = False
            if not cycle.more_body:
                self.flow.pause_reading()
                return
            cycle.disconnected = True
            if self.call is not None:
                self.call.cancel()
            if cycle.response_started:
                self.transport.close()
                return
        if self.transport.is_closing():
            return
        body = text.encode() + b"\n"
        head = [STATUS_LINE[status]]
        for name, value in (
            *self.server_state.default_headers,
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ):
            head += [name, b": ", value, b"\r\n"]
        self.transport.write(b"".join([*head, b"\r\n", body]))
        self.transport.close()
