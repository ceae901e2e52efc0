"""Drivers: run the calls and flows of `_flow` over a gRPC channel, blocking or in an event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing, closing, suppress
from functools import partial
from os import urandom
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message
from grpc import aio

from sengoku._core import Cancel
from sengoku.client._channel import (
    CANCELLED,
    FAILURES,
    REQUEST_ID_HEADER,
    Connection,
    grpc_timeout,
    map_error,
    map_errors,
    rpc_of,
)
from sengoku.client._flow import Call, Emit, Flow, Next, Open, Send, Sleep, Step, StreamFlow
from sengoku.client._streams import POLL_SECONDS, AsyncStream, PlainStream, ThreadedStream
from sengoku.errors import CancelledError
from sengoku.wire import spans

A = TypeVar("A")


def _unchanged(call: Call[A]) -> Call[A]:
    return call


def _emit_result(flow: Flow[A]) -> StreamFlow[A]:
    result = yield from flow
    yield Emit(result)


class _Driver:
    """Base of both drivers: the channel, its methods, and the options of a call."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._credentials = connection.credentials
        self._timeout = grpc_timeout(connection.timeout)
        self._authorization = connection.authorization
        self._channel: Any = None
        self._methods: dict[type[Message], Any] = {}

    def _open_channel(self, library: Any) -> Any:
        """Return a new channel of `grpc` or `grpc.aio`."""
        target, options = self.connection.target, self.connection.options
        if self._credentials is None:
            return library.insecure_channel(target, options=options)
        return library.secure_channel(target, self._credentials, options=options)

    def _bind(self, request: Message) -> Any:
        """Return the function that calls the method of a request; it is created once."""
        kind = type(request)
        if kind not in self._methods:
            rpc, channel = rpc_of(request), self._channel
            if rpc.server_streaming:
                create = channel.stream_stream if rpc.client_streaming else channel.unary_stream
            else:
                create = channel.unary_unary
            self._methods[kind] = create(
                rpc.path,
                request_serializer=kind.SerializeToString,
                response_deserializer=rpc.response.FromString,
            )
        return self._methods[kind]

    def _options(self, step: Open, request_id: str) -> dict[str, Any]:
        return {
            "timeout": self._timeout if step.timeout is None else grpc_timeout(step.timeout),
            "metadata": ((REQUEST_ID_HEADER, request_id), *self._authorization),
        }


class SyncDriver(_Driver):
    """Runs flows, blocking on each step."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._channel = self._open_channel(grpc)

    def close(self) -> None:
        """Close the connection."""
        self._channel.close()

    def call(self, build: Callable[..., Call[A]], /, *args: Any, **kwargs: Any) -> A:
        """Make the unary call that `build` returns. The path of most calls, so it is one function."""
        call = build(*args, **kwargs)
        request, decode, cancel = call.request, call.decode, call.cancel
        timeout = self._timeout if call.timeout is None else grpc_timeout(call.timeout)
        request_id = urandom(16).hex()
        span = spans.begin_call(rpc_of(request).path, request_id) if spans.tracer is not None else None
        headers = span.headers if span is not None else ()
        metadata = ((REQUEST_ID_HEADER, request_id), *self._authorization, *headers)
        try:
            method = self._methods.get(type(request)) or self._bind(request)
            if cancel is None:
                response = method(request, timeout=timeout, metadata=metadata)
            else:
                future = method.future(request, timeout=timeout, metadata=metadata)
                response = self._wait(future, cancel)
        except FAILURES as failure:
            error = map_error(failure, request_id)
            if span is not None:
                span.failed(error)
            raise error from None
        finally:
            if span is not None:
                span.end()
        return response if decode is None else decode(response)

    @staticmethod
    def _wait(future: Any, cancel: Cancel) -> Any:
        """Wait for a response, or until `cancel` is set."""
        try:
            while not cancel.cancelled:
                with suppress(grpc.FutureTimeoutError):
                    return future.result(timeout=POLL_SECONDS)
            raise CancelledError(CANCELLED)
        finally:
            future.cancel()  # no effect on a finished call

    def run(self, flow: Flow[A]) -> A:
        """Run a flow and return its result."""
        with closing(self.iterate(_emit_result(flow))) as values:
            return next(values)

    def iterate(self, flow: StreamFlow[A]) -> Generator[A]:
        """Run a flow as far as needed for the next value."""
        try:
            step = next(flow)
            while True:
                result = error = None
                if isinstance(step, Emit):
                    yield step.value
                else:
                    try:
                        result = self.take(step)
                    except BaseException as failure:  # noqa: BLE001 - the flow handles it
                        error = failure
                step = flow.send(result) if error is None else flow.throw(error)
        except StopIteration:
            return
        finally:
            flow.close()

    def take(self, step: Step) -> Any:
        """Take one step and return its result."""
        if isinstance(step, Call):
            return self.call(_unchanged, step)
        if isinstance(step, Sleep):
            return time.sleep(step.seconds)
        if isinstance(step, Send):
            return step.stream.send(step.message)
        if isinstance(step, Next):
            with map_errors(step.stream.request_id):
                return step.stream.receive(step.cancel)
        request_id = urandom(16).hex()
        with map_errors(request_id):
            method = partial(self._bind(step.request), **self._options(step, request_id))
            both = rpc_of(step.request).client_streaming
            if both or step.cancel is not None:
                return ThreadedStream(method, step.request, request_id, client_streaming=both)
            return PlainStream(method(step.request), request_id)


class AsyncDriver(_Driver):
    """Runs flows, awaiting each step; all of them in one event loop."""

    def _bind(self, request: Message) -> Any:
        if self._channel is None:  # created by the first call, since a channel belongs to the running loop
            self._channel = self._open_channel(aio)
        return super()._bind(request)

    async def close(self) -> None:
        """Close the connection."""
        self._channel = self._channel or self._open_channel(aio)
        await self._channel.close()

    async def call(self, build: Callable[..., Call[A]], /, *args: Any, **kwargs: Any) -> A:
        """Make the unary call that `build` returns; it is built when it is awaited."""
        call = build(*args, **kwargs)
        request, decode, cancel = call.request, call.decode, call.cancel
        timeout = self._timeout if call.timeout is None else grpc_timeout(call.timeout)
        request_id = urandom(16).hex()
        span = spans.begin_call(rpc_of(request).path, request_id) if spans.tracer is not None else None
        headers = span.headers if span is not None else ()
        metadata = ((REQUEST_ID_HEADER, request_id), *self._authorization, *headers)
        try:
            method = self._methods.get(type(request)) or self._bind(request)
            sent = method(request, timeout=timeout, metadata=metadata)
            response = await (sent if cancel is None else self._wait(sent, cancel))
        except FAILURES as failure:
            error = map_error(failure, request_id)
            if span is not None:
                span.failed(error)
            raise error from None
        finally:
            if span is not None:
                span.end()
        return response if decode is None else decode(response)

    @staticmethod
    async def _wait(sent: Any, cancel: Cancel) -> Any:
        """Wait for a response, or until `cancel` is set."""

        async def response() -> Any:
            return await sent

        waiting = asyncio.ensure_future(response())
        try:
            while not cancel.cancelled:
                if (await asyncio.wait({waiting}, timeout=POLL_SECONDS))[0]:
                    return waiting.result()
            raise CancelledError(CANCELLED)
        finally:
            waiting.cancel()  # and with it the call, unless it is finished

    async def run(self, flow: Flow[A]) -> A:
        """Run a flow and return its result."""
        async with aclosing(self.iterate(_emit_result(flow))) as values:
            return await anext(values)

    async def iterate(self, flow: StreamFlow[A]) -> AsyncGenerator[A]:
        """Run a flow as far as needed for the next value."""
        try:
            step = next(flow)
            while True:
                result = error = None
                if isinstance(step, Emit):
                    yield step.value
                else:
                    try:
                        result = await self.take(step)
                    except BaseException as failure:  # noqa: BLE001 - the flow handles it
                        error = failure
                step = flow.send(result) if error is None else flow.throw(error)
        except StopIteration:
            return
        finally:
            flow.close()

    async def take(self, step: Step) -> Any:
        """Take one step and return its result."""
        if isinstance(step, Call):
            return await self.call(_unchanged, step)
        if isinstance(step, Sleep):
            return await asyncio.sleep(step.seconds)
        if isinstance(step, Send | Next):
            with map_errors(step.stream.request_id):
                if isinstance(step, Send):
                    return await step.stream.send(step.message)
                return await step.stream.receive(step.cancel)
        request_id = urandom(16).hex()
        with map_errors(request_id):
            method = partial(self._bind(step.request), **self._options(step, request_id))
            if rpc_of(step.request).client_streaming:
                opened = method()
                await opened.write(step.request)
            else:
                opened = method(step.request)
            return AsyncStream(opened, request_id)
