"""Calls over gRPC: the handler of all methods, including an answer for methods that do not exist."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any

import grpc
from grpc import aio
from grpc_status import rpc_status

from sengoku.errors import SengokuError, UnauthenticatedError, UnknownMethodError
from sengoku.server.dispatch import BINARY, CANCELLED, ENDS, REFUSED, Dispatch, Method
from sengoku.server.limits import Limits
from sengoku.server.listener import Listener
from sengoku.server.trace import REQUEST_ID, Trace
from sengoku.server.unsent import Unsent
from sengoku.wire.errors import status_to_proto

__all__ = ["GrpcCalls", "server_options"]

_IDLE_MS = 3_600_000
"""Time after which gRPC closes a connection without a call."""
_MOST_PENDING = 1 << 15
"""Calls that may wait for the event loop, a few kilobytes each; the gate bounds what strangers send."""
_LEAST_STREAMS = 1_250
"""Streams of a connection at once; more than the strikes that close it."""


def server_options(limits: Limits) -> list[tuple[str, int]]:
    """Return the options of gRPC: what bounds a connection."""
    # Requests up to twice the limit are refused here, with a reason; gRPC refuses larger ones.
    return [
        ("grpc.max_receive_message_length", 2 * limits.message_bytes + (1 << 20)),
        ("grpc.max_send_message_length", -1),
        # What one client may have under way, so that one connection cannot take the places of all.
        # At least so many that resets of a connection are counted here: gRPC refuses what is beyond.
        (
            "grpc.max_concurrent_streams",
            max(2 * (limits.client_calls + limits.client_streams), _LEAST_STREAMS),
        ),
        ("grpc.max_connection_idle_ms", _IDLE_MS),
        # Beyond the first of these, gRPC cancels calls at random, whoever made them.
        ("grpc.server.max_pending_requests", _MOST_PENDING),
        ("grpc.server.max_pending_requests_hard_limit", 2 * _MOST_PENDING),
        # Clients that wait for long work ping once a minute.
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
    ]


class GrpcCalls(grpc.GenericRpcHandler):  # type: ignore[type-arg]
    """The gRPC handler of all methods of a `Dispatch`."""

    def __init__(self, dispatch: Dispatch, listener: Listener, unsent: Unsent) -> None:
        self._dispatch = dispatch
        self._listener = listener
        self._unsent = unsent
        self._handlers = {
            name: grpc.stream_stream_rpc_method_handler(self._stream(method))
            if method.is_stream
            else grpc.stream_unary_rpc_method_handler(self._unary(method))
            for name, method in dispatch.methods.items()
        }

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        """Return the handler of a call."""
        method = handler_call_details.method
        try:
            self._dispatch.access.check(handler_call_details.invocation_metadata or ())
        except UnauthenticatedError as error:
            return self._refusal(method, error)
        if method in self._handlers:
            return self._handlers[method]
        return self._refusal(method, UnknownMethodError(f"there is no method {method}", {"method": method}))

    def _auth_context(self, context: Any) -> Any:
        return {} if self._dispatch.access.tls is None else context.auth_context()

    def _unary(self, method: Method) -> Callable[[object, Any], Awaitable[bytes]]:
        """Return the handler of a method with one response."""
        dispatch, limits = self._dispatch, self._dispatch.limits

        async def answer(_messages: object, context: Any) -> bytes:
            data, trace = await self._received(method.name, context)
            try:
                with dispatch.open(method, trace, self._auth_context(context)) as call:
                    limits.check("message_bytes", len(data))
                    reply = await method.reply(data, call, BINARY)
                trace.bytes_out = len(reply)
                self._unsent.check(trace.client, len(reply))
                self._unsent.until_done(trace.client, trace.connection, len(reply))
            except asyncio.CancelledError as error:
                self._cancelled(error, trace)
                raise
            except ENDS:
                raise
            except BaseException as error:  # noqa: BLE001 - the caller gets a status, the log the traceback
                failure = trace.fail(error)
            else:
                trace.end()
                return reply
            await _abort(context, trace, failure)
            raise AssertionError("abort raises")

        return answer

    def _stream(self, method: Method) -> Callable[[object, Any], AsyncIterator[bytes]]:
        """Return the handler of a method with a stream of responses, to one request or to several."""
        dispatch, limits = self._dispatch, self._dispatch.limits

        async def stream(_messages: object, context: Any) -> AsyncIterator[bytes]:
            data, trace = await self._received(method.name, context)
            try:
                with dispatch.open(method, trace, self._auth_context(context)) as call:
                    limits.check("message_bytes", len(data))
                    requests = await dispatch.messages(method, data, _more(context, trace), call, BINARY)
                    async with aclosing(method.function(requests, call)) as messages:
                        async for message in messages:
                            reply = message if isinstance(message, bytes) else message.SerializeToString()
                            trace.bytes_out += len(reply)
                            with self._unsent.sending(trace.client, trace.connection, len(reply)):
                                yield reply  # resumed when gRPC has sent it
            except (asyncio.CancelledError, GeneratorExit) as error:
                self._cancelled(error, trace)
                raise
            except ENDS:
                raise
            except BaseException as error:  # noqa: BLE001
                failure = trace.fail(error)
            else:
                trace.end()
                return
            await _abort(context, trace, failure)

        return stream

    def _cancelled(self, error: BaseException, trace: Trace) -> None:
        """Record a call that its client cancelled."""
        trace.fail(asyncio.CancelledError() if isinstance(error, GeneratorExit) else error)
        self._listener.strike(trace.connection, CANCELLED)

    async def _received(self, method: str, context: Any) -> tuple[bytes, Trace]:
        """Wait for the first message of a call, which for most methods is the only one."""
        connection = context.peer()  # gRPC can answer this only while the call lasts
        # `service` has accepted its token, so its connection may send the message at full speed.
        self._listener.verify(connection)
        try:
            data = await self._dispatch.intake.message(context)
        except SengokuError as error:
            failure = error
        except asyncio.CancelledError:
            self._listener.strike(connection, CANCELLED)
            raise
        else:
            return data, self._trace(method, len(data), context, connection)
        await self._refuse(method, failure, context, connection)
        raise AssertionError("abort raises")

    def _trace(self, method: str, size: int, context: Any, connection: str) -> Trace:
        metadata = {
            key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)
        }
        peer = self._listener.address(connection)
        left = context.time_remaining
        trace = self._dispatch.trace(method, size, metadata, left, connection=connection, peer=peer)
        context.set_trailing_metadata(((REQUEST_ID, trace.request_id),))
        return trace

    def _refusal(self, method: str, error: SengokuError) -> grpc.RpcMethodHandler[bytes, bytes]:
        """Return a handler that answers before the message is read, which may be long or never arrive."""

        async def answer(_messages: object, context: Any) -> bytes:
            connection = context.peer()
            self._listener.strike(connection, REFUSED)
            await self._refuse(method, error, context, connection)
            raise AssertionError("abort raises")

        return grpc.stream_unary_rpc_method_handler(answer)

    async def _refuse(self, method: str, error: SengokuError, context: Any, connection: str) -> None:
        trace = self._trace(method, 0, context, connection)
        await _abort(context, trace, trace.fail(error))


async def _more(context: Any, trace: Trace) -> AsyncIterator[bytes]:
    """Yield the messages of a stream after the first."""
    while (data := await context.read()) is not aio.EOF:  # type: ignore[attr-defined] # left out by the stubs
        trace.bytes_in += len(data)
        yield data


async def _abort(context: Any, trace: Trace, failure: SengokuError) -> None:
    """End a call with an error status."""
    status = rpc_status.to_status(status_to_proto(failure))
    trailing = [*(status.trailing_metadata or ()), (REQUEST_ID, trace.request_id)]
    if failure.retry_after is not None and failure.status == "UNAVAILABLE":
        # The same as the RetryInfo in the status, in the form that gRPC's own retries read.
        trailing.append(("grpc-retry-pushback-ms", str(round(1e3 * failure.retry_after))))
    await context.abort(status.code, status.details, tuple(trailing))
