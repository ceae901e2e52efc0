"""The ASGI application of a server: methods, and everything else."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

from sengoku.server.http.calls import HttpCalls
from sengoku.server.http.guard import Guard
from sengoku.server.http.mcp import MCP_PATH
from sengoku.server.http.requests import Receive
from sengoku.server.http.responses import Send, respond

__all__ = ["HttpApp"]

_METHOD = re.compile(r"/[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)+/[A-Za-z0-9_]+")
_TEXT = b"text/plain; charset=utf-8"


class HttpApp:
    """Checks where a request comes from, and hands it to the method or the page that it names."""

    def __init__(
        self, calls: HttpCalls, pages: Callable[[Any, Any, Any], Awaitable[None]], guard: Guard
    ) -> None:
        self._calls = calls
        self._pages = pages
        self._guard = guard

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        hosts = sum(name == b"host" for name, _ in scope["headers"])
        problem = self._guard.refusal(headers, hosts=hosts)
        if problem is not None:
            status, text = problem
            await respond(send, status, text.encode() + b"\n", _TEXT, [_CLOSE])
            return
        if cors := self._guard.cors(headers):
            send = _adding(cors, send)
            if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
                await respond(send, 204, b"", _TEXT, self._guard.preflight())
                return
        if _METHOD.fullmatch(scope["path"]) or scope["path"] == MCP_PATH:
            await self._calls(scope, receive, send)
        else:
            await self._pages(scope, receive, send)


_CLOSE = (b"connection", b"close")


def _adding(headers: list[tuple[bytes, bytes]], send: Send) -> Send:
    """Return a function that sends messages of a response with more headers."""

    async def send_more(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *headers]
        await send(message)

    return send_more
