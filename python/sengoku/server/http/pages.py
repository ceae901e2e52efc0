"""Everything that is not a call: the console, metrics, health and the description of the interface."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from sengoku.errors import UnauthenticatedError
from sengoku.server.auth import Access
from sengoku.server.http.compression import compress
from sengoku.server.http.console import Console, File, file_response
from sengoku.server.metrics import Metrics

__all__ = ["Pages"]

_SCRAPES_PER_SECOND = 10


class Pages:
    """The ASGI application of the pages."""

    def __init__(
        self,
        metrics: Metrics,
        access: Access,
        *,
        healthy: Callable[[], bool],
        problems: Callable[[], Sequence[str]],
    ) -> None:
        """Make the pages; `problems` are what does not work although the server is healthy, one line each."""
        self._metrics = metrics
        self._access = access
        self._healthy = healthy
        self._problems = problems
        self._console = Console()
        self._second = self._count = 0
        self._scraping = threading.Lock()
        self._pages: dict[str, Callable[[Request], Any]] = {
            "/metrics": self._metrics_page,
            "/healthz": self._health,
            "/livez": self._alive,
            "/openapi.json": self._openapi,
        }

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer a request for a page."""
        request = Request(scope, receive)
        page = self._pages.get(request.url.path)
        response: Response = self._console.answer(request) if page is None else await page(request)
        if "cache-control" not in response.headers:
            response.headers["cache-control"] = "no-store"
        await response(scope, receive, send)

    async def _openapi(self, request: Request) -> Response:
        return file_response(_openapi(), request)

    async def _alive(self, _request: Request) -> Response:
        return PlainTextResponse("ALIVE")

    async def _health(self, _request: Request) -> Response:
        if not self._healthy():
            return PlainTextResponse("NOT_SERVING", 503)
        # A server that cannot store runs still answers everything else, so it stays in service.
        problems = self._problems()
        return PlainTextResponse("\n".join(["DEGRADED", *problems]) if problems else "SERVING")

    async def _metrics_page(self, request: Request) -> Response:
        try:
            self._access.check(request.headers.items())
        except UnauthenticatedError as error:
            return PlainTextResponse(f"{error}\n", 401, {"www-authenticate": "Bearer"})
        second = int(time.monotonic())
        self._count = self._count + 1 if second == self._second else 1
        self._second = second
        if self._count > _SCRAPES_PER_SECOND or self._scraping.locked():
            return PlainTextResponse("try again in a second\n", 429, {"retry-after": "1"})
        return Response(await asyncio.to_thread(self._page), media_type="text/plain; version=1.0.0")

    def _page(self) -> bytes:
        with self._scraping:
            return self._metrics.page()


@cache
def _openapi() -> File:
    """Return the description of the interface, which is generated from the protos."""
    data = Path(__file__).with_name("openapi.json").read_bytes()
    return File.of(data, compress(data), "application/json")
