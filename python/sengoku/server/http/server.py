"""The HTTP server: uvicorn's protocol on the event loop of the server, behind the same gate as gRPC."""

from __future__ import annotations

import asyncio
from email.utils import formatdate
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from sengoku.server.http.app import HttpApp
from sengoku.server.http.connection import Connection
from sengoku.server.http.guard import SECURITY
from sengoku.server.tls import Tls

__all__ = ["HttpServer"]

_IDLE_SECONDS = 75
"""Time after which a connection without a request is closed."""
_BACKLOG = 1_024


class HttpServer:
    """Serves an application on a Unix socket, to which the gate relays."""

    def __init__(self, app: HttpApp) -> None:
        self._config = uvicorn.Config(
            app,
            http=Connection,
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=_IDLE_SECONDS,
        )
        self._config.load()
        self._state = ServerState()
        self._server: asyncio.AbstractServer | None = None
        self._clock: asyncio.TimerHandle | None = None

    async def start(self, path: Path, tls: Tls | None) -> None:
        """Listen on a path."""
        self._tick()
        loop = asyncio.get_running_loop()
        context: Any = None if tls is None else tls.context()
        self._server = await loop.create_unix_server(
            self._connection, str(path), ssl=context, backlog=_BACKLOG
        )

    def _connection(self) -> Connection:
        return Connection(config=self._config, server_state=self._state, app_state={})

    def _tick(self) -> None:
        """Timer callback: write the date for all responses."""
        self._state.default_headers = [(b"date", formatdate(usegmt=True).encode()), *SECURITY]
        self._clock = asyncio.get_running_loop().call_later(1.0, self._tick)

    def drain(self) -> None:
        """Close connections without a request, and all others after their response."""
        for connection in list(self._state.connections):
            connection.shutdown()

    async def close(self) -> None:
        """End everything."""
        if self._clock is not None:
            self._clock.cancel()
        if self._server is not None:
            self._server.close()
        for connection in list(self._state.connections):
            connection.transport.abort()
        for task in list(self._state.tasks):
            task.cancel()
        if self._state.tasks:
            await asyncio.wait(list(self._state.tasks), timeout=1.0)
