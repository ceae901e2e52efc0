"""A client of HTTP that costs little: each of its connections sends one request again and again."""

import asyncio
import time
from typing import Any
from urllib.parse import urlsplit

import uvloop


class _Caller(asyncio.Protocol):
    """One connection, with one request at a time."""

    def __init__(self, request: bytes, until: float, took: list[float], rate: float) -> None:
        self._request, self._until, self._took, self._rate = request, until, took, rate
        self._data = b""
        self._start = 0.0
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._send()

    def _send(self) -> None:
        self._start = time.perf_counter()
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._data += data
        head, found, body = self._data.partition(b"\r\n\r\n")
        if not found:
            return
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        if len(body) < length:
            return
        assert head.startswith(b"HTTP/1.1 200 "), self._data
        self._data = b""
        now = time.perf_counter()
        self._took.append(now - self._start)
        if now >= self._until:
            self._transport.close()
        elif (wait := self._start + self._rate - now) > 0:
            asyncio.get_running_loop().call_later(wait, self._send)
        else:
            self._send()

    def connection_lost(self, _error: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result(None)


def call(
    url: str, path: str, body: bytes, kind: str, *, callers: int, seconds: float, rate: float = 0
) -> tuple[float, list[float]]:
    """Call a method for some seconds, and return calls per second and the sorted latencies."""

    async def drive() -> tuple[float, list[float]]:
        address = urlsplit(url)
        head = f"POST {path} HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Type: application/{kind}\r\n"
        request = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
        took: list[float] = []
        begun = time.perf_counter()
        loop = asyncio.get_running_loop()

        def caller() -> _Caller:
            return _Caller(request, begun + seconds, took, callers / rate if rate else 0.0)

        made = [await loop.create_connection(caller, address.hostname, address.port) for _ in range(callers)]
        await asyncio.gather(*(protocol.done for _, protocol in made))
        return len(took) / (time.perf_counter() - begun), sorted(took)

    return uvloop.run(drive())
