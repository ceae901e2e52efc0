"""A proxy in front of a server that records the bytes of every call."""

from __future__ import annotations

import threading
from collections.abc import Container, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import grpc

DETAILS = "grpc-status-details-bin"
_UNLIMITED = (("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1))
_THREADS = 32
_PATIENCE_SECONDS = 60.0
_CLOSING_SECONDS = 0.05
"""How long it may take until a stream that seems to be half closed is known to be given up."""


@dataclass
class Call:
    """One call as it went over the wire."""

    label: str
    """The step of the script in which it was made."""
    method: str
    """Full name, such as `/sengoku.v1.OddsService/Evaluate`."""
    requests: list[bytes] = field(default_factory=list)
    responses: list[bytes] = field(default_factory=list)
    code: str = ""
    """Name of the status code; empty while the call is under way."""
    details: bytes = b""
    """The `google.rpc.Status` of a call that failed."""


class Recording:
    """All calls that went through a proxy, in the order in which they began."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._label = ""
        self._changed = threading.Condition()

    @contextmanager
    def step(self, label: str) -> Iterator[None]:
        """Names a step of the script, and waits at its end until its calls have ended."""
        assert all(call.label != label for call in self.calls), f"two steps are called {label}"
        before, self._label = self._label, label
        try:
            yield
        finally:
            self._label = before
            with self._changed:
                ended = self._changed.wait_for(
                    lambda: all(call.code for call in self.calls if call.label == label), _PATIENCE_SECONDS
                )
            assert ended, f"a call of {label} does not end"

    def begin(self, method: str) -> Call:
        """Adds a call."""
        with self._changed:
            call = Call(self._label, method)
            self.calls.append(call)
        return call

    def end(self, call: Call, code: str, details: bytes = b"") -> None:
        """Notes how a call ended."""
        with self._changed:
            call.details, call.code = details, code
            self._changed.notify_all()


class Proxy(grpc.GenericRpcHandler):
    """Forwards calls of any kind to a server without reading them.

    On the wire a unary call is a stream of one message, so that one handler serves all four kinds. `streams`
    are the methods that take many messages.
    """

    def __init__(self, target: str, recording: Recording, streams: Container[str]) -> None:
        self._recording = recording
        self._streams = streams
        self._channel = grpc.insecure_channel(target, options=_UNLIMITED)
        self._server = grpc.server(ThreadPoolExecutor(_THREADS), handlers=(self,), options=_UNLIMITED)
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._server.stop(1.0).wait()
        self._channel.close()

    def service(self, handler_call_details: Any) -> Any:
        """Gives the handler of any method."""
        method = handler_call_details.method

        def forward(requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
            return self._forward(method, requests, context)

        return grpc.stream_stream_rpc_method_handler(forward)

    def _forward(
        self, method: str, requests: Iterator[bytes], context: grpc.ServicerContext
    ) -> Iterator[bytes]:
        recorded, ended = self._recording.begin(method), threading.Event()

        def taken() -> Iterator[bytes]:
            with suppress(grpc.RpcError):  # the caller has given up
                for request in requests:
                    recorded.requests.append(request)
                    yield request
                if method in self._streams:
                    ended.wait(_CLOSING_SECONDS)
            if not context.is_active():
                ended.wait(_PATIENCE_SECONDS)  # until the call below is cancelled: nothing is half closed

        metadata = [pair for pair in context.invocation_metadata() or () if not pair[0].startswith("grpc-")]
        metadata = [pair for pair in metadata if pair[0] != "user-agent"]
        left = context.time_remaining()
        timeout = None if left is None or left > 1e6 else left
        code, details = grpc.StatusCode.CANCELLED, b""
        try:
            call = self._channel.stream_stream(method)(taken(), timeout=timeout, metadata=metadata)
            if not context.add_callback(call.cancel):
                call.cancel()
            with suppress(grpc.RpcError):  # the code tells
                for response in call:
                    recorded.responses.append(response)
                    yield response
            code = call.code()
            trailing = call.trailing_metadata() or ()
            details = next((value for key, value in trailing if key == DETAILS), b"")
            context.set_trailing_metadata(tuple(trailing))
            if code is not grpc.StatusCode.OK:
                context.set_code(code)
                context.set_details(call.details() or "")
        finally:
            ended.set()
            self._recording.end(recorded, code.name, details)
