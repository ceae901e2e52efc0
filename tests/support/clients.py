"""For tests of the clients: options of matches, an event loop, and a server that fails on purpose."""

import asyncio
import time
from collections.abc import Coroutine, Iterator
from concurrent import futures
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from sengoku.client._channel import RPCS
from sengoku.swords import Battle, Force

DUEL = Battle(Force(spear=1), Force(spear=2))
OPTIONS: dict[str, Any] = {"bots": ["greedy", "random"], "match_count": 60, "seed": 3}
LONG: dict[str, Any] = {"bots": ["random"], "match_count": 90_000_000}
EVALUATE = "/sengoku.v1.OddsService/Evaluate"


def awaited(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine in a new event loop."""
    return asyncio.run(asyncio.wait_for(work, 120))


def failure_status(code: str, reason: str, retry_after: float | None) -> grpc.Status:
    details = [any_pb2.Any()]
    details[0].Pack(error_details_pb2.ErrorInfo(reason=reason, domain="sengoku"))
    if retry_after is not None:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(round(1e3 * retry_after))
        details.append(any_pb2.Any())
        details[1].Pack(error_details_pb2.RetryInfo(retry_delay=delay))
    number = code_pb2.Code.Value(code)
    return rpc_status.to_status(status_pb2.Status(code=number, message="no", details=details))


@dataclass
class Flaky(grpc.GenericRpcHandler):
    """Fails the first calls of each method, then answers with an empty message."""

    failures: int
    code: str = "UNAVAILABLE"
    reason: str = "UNAVAILABLE"
    retry_after: float | None = None
    pushback: str | None = None
    seconds: float = 0.0
    seen: dict[str, list[tuple[float, dict[str, Any], bytes]]] = field(default_factory=dict)

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler:
        """Handle every call."""

        def handle(data: bytes, context: grpc.ServicerContext) -> bytes:
            metadata = dict(context.invocation_metadata())
            before = self.seen.setdefault(details.method, [])
            before.append((time.monotonic(), metadata, data))
            time.sleep(self.seconds)
            if len(before) <= self.failures:
                status = failure_status(self.code, self.reason, self.retry_after)
                metadata = tuple(status.trailing_metadata)
                if self.pushback is not None:
                    metadata += (("grpc-retry-pushback-ms", self.pushback),)
                context.set_trailing_metadata(metadata)
                context.abort(status.code, status.details)
            return b""

        def stream(data: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
            handle(data, context)
            yield b""

        for rpc in RPCS.values():
            if rpc.path == details.method and rpc.server_streaming:
                return grpc.unary_stream_rpc_method_handler(stream)
        return grpc.unary_unary_rpc_method_handler(handle)

    def tries(self, method: str) -> int:
        """Return how often a method was called."""
        return len(self.seen.get(method, []))


@contextmanager
def flaky(failures: int, **options: Any) -> Iterator[tuple[Flaky, str]]:
    handler = Flaky(failures, **options)
    server = grpc.server(futures.ThreadPoolExecutor(40), handlers=(handler,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield handler, f"127.0.0.1:{port}"
    finally:
        server.stop(0).wait()
