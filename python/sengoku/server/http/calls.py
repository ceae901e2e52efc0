"""Calls over HTTP: the Connect protocol for all methods of a `Dispatch`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import aclosing
from functools import partial
from typing import Any

from sengoku.errors import SengokuError, UnauthenticatedError, UnknownMethodError
from sengoku.server.call import Call
from sengoku.server.dispatch import CANCELLED, ENDS, REFUSED, Dispatch, Method
from sengoku.server.http.compression import COMPRESSED_BYTES, compress
from sengoku.server.http.connection import Connection
from sengoku.server.http.frames import Frames
from sengoku.server.http.json_codec import JSON
from sengoku.server.http.mcp import MCP_PATH, McpEndpoint, error_to_rpc
from sengoku.server.http.requests import NO_CODEC, Body, Receive, Request
from sengoku.server.http.responses import (
    COMPRESSED,
    END,
    STATUSES,
    Answer,
    Headers,
    Send,
    envelope,
    error_to_json,
    json_bytes,
    respond,
    retry_headers,
)
from sengoku.server.listener import Listener
from sengoku.server.trace import REQUEST_ID, Trace
from sengoku.server.unsent import Unsent

__all__ = ["HttpCalls"]

_JSON = b"application/json"
_DISCARDED = 64 << 10
"""Bytes of the rest of a refused request that are read, so that its connection can be used again."""
_NO_STORE = (b"cache-control", b"no-store")


class HttpCalls:
    """The ASGI application of all methods, and of the MCP server."""

    def __init__(self, dispatch: Dispatch, listener: Listener, unsent: Unsent, mcp: McpEndpoint) -> None:
        self._dispatch = dispatch
        self._mcp = mcp
        self._listener = listener
        self._unsent = unsent
        self._frames = Frames()

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request to a method, or to one that does not exist."""
        connection: Connection = scope["connection"]
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        path: str = scope["path"]
        call = _HttpCall(self, scope, headers, connection, send)
        method = self._dispatch.methods.get(path)
        if path == MCP_PATH:
            peer = self._listener.address(connection.name)
            method = self._mcp.method(scope, call.auth_context(), peer)
        try:
            self._dispatch.access.check(headers.items())
        except UnauthenticatedError as error:
            self._listener.strike(connection.name, REFUSED)
            await call.refuse(path, error)
            return
        if method is None:
            self._listener.strike(connection.name, REFUSED)
            await call.refuse(path, UnknownMethodError(f"there is no method {path}", {"method": path}), 404)
            return
        self._listener.verify(connection.name)
        connection.call = task = asyncio.current_task()
        try:
            await call.answer(method, receive)
        finally:
            if connection.call is task:
                connection.call = None


class _HttpCall:
    """One request to a method."""

    def __init__(
        self,
        calls: HttpCalls,
        scope: Mapping[str, Any],
        headers: Mapping[str, str],
        connection: Connection,
        send: Send,
    ) -> None:
        self._dispatch = calls._dispatch
        self._listener = calls._listener
        self._unsent = calls._unsent
        self._frames = calls._frames
        self._scope = scope
        self._headers = headers
        self._connection = connection
        self._send = send
        self._deadline: float | None = None
        self._started = False
        self._is_stream = False
        self._body: Body | None = None

    # The answer

    async def answer(self, method: Method, receive: Receive) -> None:
        """Read the request, call the method, and send its response or its error."""
        self._is_stream = method.is_stream
        request = Request(self._scope, self._headers, is_stream=method.is_stream)
        if await self._has_wrong_form(method, request):
            return
        body = Body(receive, self._dispatch.limits)
        trace: Trace | None = None
        try:
            if method.takes_stream:
                text = f"{method.name} takes a stream of requests, which is possible over gRPC only"
                raise UnknownMethodError(text, {"method": method.name})
            request.check()
            if request.timeout is not None:
                self._deadline = asyncio.get_running_loop().time() + request.timeout
            async with asyncio.timeout_at(self._deadline) as limit:
                data = await self._received(request, body)
                trace = self._trace(method.name, len(data))
                with self._dispatch.open(method, trace, self.auth_context()) as call:
                    body_data = self._message(request, data)
                    if method.is_stream:
                        await self._stream(method, request, body_data, call, trace)
                    else:
                        reply = await method.reply(body_data, call, request.codec)
                if not method.is_stream:
                    await self._reply(request, reply, trace)
        except asyncio.CancelledError as error:  # the caller has left
            self._listener.strike(self._connection.name, CANCELLED)
            if trace is not None:
                trace.fail(error)
        except ENDS:
            raise
        except BaseException as error:  # noqa: BLE001 - the caller gets a status, the log the traceback
            if trace is None:
                trace = self._trace(method.name, 0)
            expired = isinstance(error, TimeoutError) and limit.expired()
            await self._fail(trace, asyncio.CancelledError() if expired else error)
        else:
            trace.end()

    async def refuse(self, path: str, error: SengokuError, status: int | None = None) -> None:
        """Answer before the body is read, which may be long or never arrive."""
        method = self._dispatch.methods.get(path)
        self._is_stream = method is not None and method.is_stream and status is None
        trace = self._trace(path, 0)
        await self._fail(trace, error, status)

    async def _has_wrong_form(self, method: Method, request: Request) -> bool:
        """Refuse a request whose method of HTTP or content type is not that of the Connect protocol."""
        can_get = method.is_safe and not method.is_stream
        if not (self._scope["method"] == "POST" or (request.is_get and can_get)):
            allowed = b"GET, POST" if can_get else b"POST"
            text = f"{method.name} takes {allowed.decode()}"
            await self._refuse_form(405, text, [(b"allow", allowed)])
            return True
        if request.codec is NO_CODEC:
            kinds = (
                b"application/connect+json, application/connect+proto",
                b"application/json, application/proto",
            )
            accepted = kinds[not method.is_stream]
            text = f"{method.name} takes the content types {accepted.decode()}"
            if request.is_get:
                text = f"{method.name} takes encoding=json or encoding=proto"
            await self._refuse_form(415, text, [(b"accept-post", accepted)])
            return True
        return False

    async def _refuse_form(self, status: int, text: str, headers: Headers) -> None:
        body = text.encode() + b"\n"
        headers = [*headers, *self._closing()]
        await respond(self._send, status, body, b"text/plain; charset=utf-8", headers)

    # The request

    async def _received(self, request: Request, body: Body) -> bytes:
        if request.is_get:
            return request.query.get("message", "").encode()
        length = self._headers.get("content-length", "")
        if length:
            self._dispatch.limits.check("message_bytes", int(length))
        self._body = body
        data: bytes = await self._dispatch.intake.message(body)
        return data

    def _message(self, request: Request, data: bytes) -> bytes:
        limits = self._dispatch.limits
        return request.message_of_query(limits) if request.is_get else request.message_of_body(data, limits)

    def auth_context(self) -> Mapping[str, Iterable[bytes]]:
        """Return the names in the certificate of the caller."""
        if self._dispatch.access.tls is None:
            return {}
        return self._connection.certificate()

    def _trace(self, method: str, size: int) -> Trace:
        name = self._connection.name
        return self._dispatch.trace(
            method, size, self._headers, self._time_left, connection=name, peer=self._listener.address(name)
        )

    def _time_left(self) -> float | None:
        return None if self._deadline is None else self._deadline - asyncio.get_running_loop().time()

    # The response

    async def _reply(self, request: Request, reply: bytes, trace: Trace) -> None:
        """Send the response of a method that has one."""
        status = reply.status if isinstance(reply, Answer) else 200
        headers = [(REQUEST_ID.encode(), trace.request_id.encode()), _NO_STORE]
        if len(reply) >= COMPRESSED_BYTES and request.accepts_gzip:
            reply = await self._compressed(reply)
            headers.append((b"content-encoding", b"gzip"))
        headers += self._closing()
        trace.bytes_out = len(reply)
        self._unsent.check(trace.client, len(reply))
        self._started = True
        with self._unsent.sending(trace.client, trace.connection, len(reply)):
            await respond(self._send, status, reply, request.content_type, headers)
            await self._connection.flow.drain()

    async def _stream(
        self, method: Method, request: Request, message: bytes, call: Call, trace: Trace
    ) -> None:
        """Send the responses of a method that has a stream of them."""
        codec = request.codec
        gzip = request.accepts_gzip
        requests = await self._dispatch.messages(method, message, _nothing(), call, codec)

        async def write(reply: Any) -> bytes:
            data = await method.write(reply, call, codec)
            flags = COMPRESSED if gzip and len(data) >= COMPRESSED_BYTES else 0
            return envelope(await self._compressed(data) if flags else data, flags)

        async with aclosing(method.function(requests, call)) as replies:
            async for reply in replies:
                frame = await self._frames.get(
                    reply, (method.name, codec is JSON, gzip), partial(write, reply)
                )
                trace.bytes_out += len(frame)
                with self._unsent.sending(trace.client, trace.connection, len(frame)):
                    await self._begin_stream(request.content_type, trace, gzip=gzip)
                    await self._send({"type": "http.response.body", "body": frame, "more_body": True})
                    await self._connection.flow.drain()
        await self._begin_stream(request.content_type, trace, gzip=gzip)
        await self._end_stream(trace, None)

    async def _begin_stream(self, content_type: bytes, trace: Trace, *, gzip: bool) -> None:
        if self._started:
            return
        self._started = True
        headers = [
            (b"content-type", content_type),
            (REQUEST_ID.encode(), trace.request_id.encode()),
            _NO_STORE,
        ]
        if gzip:
            headers.append((b"connect-content-encoding", b"gzip"))
        headers += self._closing()
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})

    async def _end_stream(self, trace: Trace, error: SengokuError | None) -> None:
        last: dict[str, Any] = {} if error is None else {"error": error_to_json(error)}
        last["metadata"] = {REQUEST_ID: [trace.request_id]}
        await self._send({"type": "http.response.body", "body": envelope(json_bytes(last), END)})

    @staticmethod
    async def _compressed(data: bytes) -> bytes:
        if len(data) < 1 << 16:
            return compress(data)
        return await asyncio.get_running_loop().run_in_executor(None, compress, data)

    async def _fail(self, trace: Trace, error: BaseException, status: int | None = None) -> None:
        """Send an error: as the status of the response, or as the end of its stream."""
        failure = trace.fail(error)
        if self._is_stream:
            kind = self._headers.get("content-type", "").partition(";")[0].strip().lower()
            json_kind = kind == "application/connect+json"
            content_type = b"application/connect+json" if json_kind else b"application/connect+proto"
            await self._begin_stream(content_type, trace, gzip=False)
            await self._end_stream(trace, failure)
            return
        if self._started:
            return
        headers = [(REQUEST_ID.encode(), trace.request_id.encode()), _NO_STORE, *retry_headers(failure)]
        if failure.status == "UNAUTHENTICATED":
            headers.append((b"www-authenticate", b"Bearer"))
        headers += self._closing()
        status = STATUSES[failure.status][1] if status is None else status
        write = error_to_rpc if self._scope["path"] == MCP_PATH else error_to_json
        await respond(self._send, status, json_bytes(write(failure)), _JSON, headers)

    def _closing(self) -> Headers:
        """Return the header that ends the connection: while the server stops, and if much is left to read."""
        close = self._dispatch.closing
        if self._body is None:  # nothing was read, and what is short may as well be
            length = self._headers.get("content-length", "0")
            close = close or "transfer-encoding" in self._headers or int(length) > _DISCARDED
        elif not self._body.complete:
            close = True
        return [(b"connection", b"close")] if close else []


async def _nothing() -> AsyncIterator[bytes]:
    """Yield nothing: a request over HTTP has one message."""
    return
    yield b""
