"""A raw connection to the HTTP port of a server, for requests that no client sends."""

import socket
import time
from typing import Self

from sengoku.server import Server


class RawHttp:
    """Sends bytes and reads what comes back."""

    def __init__(self, server: Server, data: bytes = b"", *, small_window: bool = False) -> None:
        assert server.http_port is not None
        self._socket = socket.socket()
        if small_window:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.settimeout(20)
        self._socket.connect(("127.0.0.1", server.http_port))
        if data:
            self.send(data)

    def send(self, data: bytes) -> bool:
        """Send bytes, and return whether the server still takes them."""
        try:
            self._socket.sendall(data)
        except OSError:
            return False
        return True

    def answer(self, seconds: float = 10.0) -> tuple[bytes, bool]:
        """Return what arrives within a time or until the server closes, and whether it did."""
        ends, data = time.monotonic() + seconds, b""
        while (left := ends - time.monotonic()) > 0:
            self._socket.settimeout(left)
            try:
                part = self._socket.recv(1 << 16)
            except TimeoutError:
                break
            except OSError:
                return data, True
            if not part:
                return data, True
            data += part
        return data, False

    def response(self, seconds: float = 10.0) -> bytes:
        """Return one response: as much as its length says."""
        ends, data = time.monotonic() + seconds, b""
        while (left := ends - time.monotonic()) > 0:
            head, found, body = data.partition(b"\r\n\r\n")
            if found and len(body) >= int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]):
                break
            self._socket.settimeout(left)
            part = self._socket.recv(1 << 16)
            if not part:
                break
            data += part
        return data

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def post(path: str, body: bytes, *more: str, kind: str = "json", length: int | None = None) -> bytes:
    """Return the bytes of a request."""
    size = len(body) if length is None else length
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        f"Content-Type: application/{kind}",
        f"Content-Length: {size}",
        *more,
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
