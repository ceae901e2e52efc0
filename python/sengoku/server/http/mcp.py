"""MCP over HTTP: the tools of `sengoku.mcp`, whose calls go through the same dispatch as all others."""

from __future__ import annotations

import asyncio
import contextvars
import importlib
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.message import Message

from sengoku.errors import InternalError, SengokuError, UnknownMethodError, invalid, missing_package
from sengoku.mcp.remote import RemoteTables
from sengoku.mcp.seats import Seats
from sengoku.server.call import Call
from sengoku.server.dispatch import BINARY, ENDS, Codec, Dispatch, Method
from sengoku.server.http.json_codec import JSON
from sengoku.server.http.responses import Answer
from sengoku.server.trace import REQUEST_ID, Trace

__all__ = ["MCP_PATH", "McpEndpoint", "McpMethod", "error_to_rpc"]

MCP_PATH = "/mcp"
_SERVER_ERROR = -32000
"""Code of JSON-RPC for errors that a server defines."""
_DROPPED = {b"content-encoding", b"content-length", b"transfer-encoding", b"mcp-session-id"}
"""Headers that are dealt with: the body is whole and plain, and there are no sessions."""


def error_to_rpc(error: SengokuError) -> dict[str, Any]:
    """Return an error as JSON-RPC writes it."""
    data: dict[str, Any] = {"reason": error.reason, "details": error.details}
    if "field" in error.details:
        data["field"] = error.details["field"]
    if error.retry_after is not None:
        data["retry_after"] = error.retry_after
    failure = {"code": _SERVER_ERROR, "message": f"{error.reason}: {error}", "data": data}
    return {"jsonrpc": "2.0", "id": None, "error": failure}


@dataclass(frozen=True)
class _Request:
    """The request over HTTP for which tools make their calls."""

    call: Call
    metadata: Mapping[str, str]
    auth_context: Mapping[str, Iterable[bytes]]
    connection: str
    peer: str


_REQUEST: contextvars.ContextVar[_Request] = contextvars.ContextVar("mcp_request")


class _DispatchCalls:
    """The calls of tools: each has its own record, role and quota, as if it had come by itself."""

    def __init__(self, dispatch: Dispatch) -> None:
        self._dispatch = dispatch
        self._methods = {one.request.DESCRIPTOR.full_name: one for one in dispatch.methods.values()}

    async def ask(self, request: Message) -> Any:
        """Call the method that takes a request."""
        # In tasks of their own, so that the end of the server ends them one by one.
        return await asyncio.create_task(self._ask(request))

    async def read(self, request: Message, use: Callable[[Any], bool]) -> None:
        """Read the responses of a stream."""
        await asyncio.create_task(self._read(request, use))

    def _method(self, request: Message) -> Method:
        name = request.DESCRIPTOR.full_name
        if name not in self._methods:
            raise UnknownMethodError(f"there is no method that takes a {name}", {"method": name})
        return self._methods[name]

    def _begin(self, method: Method, data: bytes) -> Trace:
        of = _REQUEST.get()
        return self._dispatch.trace(
            method.name, len(data), of.metadata, of.call.time_left, connection=of.connection, peer=of.peer
        )

    async def _ask(self, request: Message) -> Any:
        method, data = self._method(request), request.SerializeToString()
        trace = self._begin(method, data)
        try:
            self._dispatch.limits.check("message_bytes", len(data))
            with self._dispatch.open(method, trace, _REQUEST.get().auth_context) as call:
                reply = await method.reply(data, call, BINARY)
        except BaseException as error:  # noqa: BLE001 - the tool gets a reason, the log the traceback
            raise self._failure(trace, error) from None
        trace.bytes_out = len(reply)
        trace.end()
        return method.response.FromString(reply)

    async def _read(self, request: Message, use: Callable[[Any], bool]) -> None:
        method, data = self._method(request), request.SerializeToString()
        trace = self._begin(method, data)
        try:
            self._dispatch.limits.check("message_bytes", len(data))
            with self._dispatch.open(method, trace, _REQUEST.get().auth_context) as call:
                found = await self._dispatch.messages(method, data, _nothing(), call, BINARY)
                async with aclosing(method.function(found, call)) as replies:
                    async for reply in replies:
                        written = await method.write(reply, call, BINARY)
                        trace.bytes_out += len(written)
                        if not use(method.response.FromString(written)):
                            break
        except BaseException as error:  # noqa: BLE001 - as above
            raise self._failure(trace, error) from None
        trace.end()

    @staticmethod
    def _failure(trace: Trace, error: BaseException) -> BaseException:
        """Record the end of a call, and return what the tool is told."""
        if isinstance(error, ENDS):
            return error
        failure = trace.fail(error)
        if isinstance(error, asyncio.CancelledError):
            return error
        failure.request_id = trace.request_id
        return failure


async def _nothing() -> AsyncIterator[bytes]:
    """Yield nothing: a tool sends one message."""
    return
    yield b""


@dataclass(frozen=True)
class McpMethod(Method):
    """A request to the MCP server, as `HttpCalls` answers methods."""

    endpoint: McpEndpoint = field(kw_only=True, repr=False)
    scope: Mapping[str, Any] = field(kw_only=True, repr=False)
    auth_context: Mapping[str, Iterable[bytes]] = field(kw_only=True, repr=False)
    peer: str = field(kw_only=True)

    async def reply(self, data: bytes, call: Call, codec: Codec) -> bytes:
        """Answer the request."""
        if codec is not JSON:
            raise invalid("content-type", "application/proto", "expected application/json")
        return await self.endpoint.answer(data, call, self)


class McpEndpoint:
    """The MCP server of a server.

    It has no sessions: every request stands alone, and what remains between requests are the seats that
    callers have taken, which are bounded and expire like matches. The package is loaded by the first request.
    """

    def __init__(self, dispatch: Dispatch, clock: Callable[[], float]) -> None:
        self._dispatch = dispatch
        limits = dispatch.limits
        self._seats = Seats(
            lambda: secrets.token_hex(8),
            most=limits.open_matches,
            most_of_one=limits.client_open_matches,
            idle_seconds=limits.idle_seconds,
            clock=clock,
        )
        self._manager: asyncio.Future[Any] | None = None
        self._serving: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    @property
    def seats(self) -> int:
        """Number of seats that callers have taken."""
        return len(self._seats)

    def method(
        self, scope: Mapping[str, Any], auth_context: Mapping[str, Iterable[bytes]], peer: str
    ) -> McpMethod:
        """Return the method for one request. Its own role is `read`; the calls of tools have theirs."""
        return McpMethod(
            name=MCP_PATH,
            role="read",
            quota=self._dispatch.playing,
            function=self.answer,
            request=Message,
            response=Message,
            is_stream=False,
            takes_stream=False,
            is_safe=False,
            waits=True,
            endpoint=self,
            scope=scope,
            auth_context=auth_context,
            peer=peer,
        )

    async def answer(self, data: bytes, call: Call, method: McpMethod) -> Answer:
        """Hand a request to the package `mcp`, and return its response."""
        manager = await self._started()
        headers = [(name, value) for name, value in method.scope["headers"] if name not in _DROPPED]
        metadata = {name.decode("latin-1"): value.decode("latin-1") for name, value in headers}
        metadata[REQUEST_ID] = call.request_id
        names = ("type", "asgi", "http_version", "scheme", "server", "client", "method", "path", "raw_path")
        scope = {
            name: method.scope[name] for name in (*names, "query_string", "root_path") if name in method.scope
        }
        sent: list[dict[str, Any]] = []
        body = [{"type": "http.request", "body": data, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if not body:
                await asyncio.Event().wait()  # the end of the connection cancels this task
            return body.pop()

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        connection = method.scope["connection"].name
        token = _REQUEST.set(_Request(call, metadata, method.auth_context, connection, method.peer))
        try:
            await manager.handle_request({**scope, "headers": headers}, receive, send)
        finally:
            _REQUEST.reset(token)
        if not sent:
            raise InternalError("internal error, see the server's log")
        return Answer(b"".join(part.get("body", b"") for part in sent[1:]), sent[0]["status"])

    async def _started(self) -> Any:
        """Return what handles requests; the first request starts it."""
        if self._manager is None or (self._manager.done() and self._manager.exception() is not None):
            self._manager = asyncio.get_running_loop().create_future()
            # Not in the task of a request, nor with its context: it outlives them.
            self._serving = asyncio.create_task(self._serve(self._manager), context=contextvars.Context())
        return await asyncio.shield(self._manager)

    async def _serve(self, started: asyncio.Future[Any]) -> None:
        try:
            package = await asyncio.to_thread(_load)
            server, tools = package["server"], package["tools"]
            calls = RemoteTables(_DispatchCalls(self._dispatch))
            app = server.make_server(tools.Tools(calls, self._seats, lambda: _REQUEST.get().call.caller.name))
            app.middleware.clear()  # requests have their own spans
            manager = package["manager"].StreamableHTTPSessionManager(
                app,
                json_response=True,
                stateless=True,
                max_request_body_size=self._dispatch.limits.message_bytes + 1,
            )
            async with manager.run():
                started.set_result(manager)
                await self._closing.wait()
        except Exception as error:
            if started.done():
                raise
            started.set_exception(error)
            started.exception()  # it is not lost if nobody waits any more

    async def close(self) -> None:
        """End it."""
        self._closing.set()
        if self._serving is not None:
            await asyncio.wait([self._serving], timeout=1.0)
            self._serving.cancel()
            with suppress(asyncio.CancelledError):
                await self._serving


def _load() -> dict[str, Any]:
    """Load the package, which takes a second or two."""
    names = {
        "server": "sengoku.mcp.server",
        "tools": "sengoku.mcp.tools",
        "manager": "mcp.server.streamable_http_manager",
    }
    try:
        found = {key: importlib.import_module(name) for key, name in names.items()}
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("sengoku"):
            raise
        raise missing_package("mcp", "requests to /mcp", "server") from None
    logging.getLogger("mcp").setLevel(logging.WARNING)  # calls are logged as all others are
    return found
