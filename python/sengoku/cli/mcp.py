"""The `mcp` command: an MCP server on stdin and stdout, for the clients of language models."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, aclosing
from typing import TYPE_CHECKING, Any

from sengoku.cli.commands import App
from sengoku.cli.options import Connecting, connecting
from sengoku.errors import missing_package

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from sengoku.client import AsyncClient

app = App()


class _ClientCalls:
    """The calls of the tools, over gRPC."""

    def __init__(self, client: "AsyncClient") -> None:
        self._client = client

    async def ask(self, request: "Message") -> Any:
        return await self._client.ask(request)

    async def read(self, request: "Message", use: Callable[[Any], bool]) -> None:
        from sengoku.client._flow import Emit, read_stream

        async with aclosing(self._client._driver.iterate(read_stream(request, Emit))) as messages:
            async for message in messages:
                if not use(message):
                    return


@app.command("mcp")
@connecting()
def mcp_command(*, at: Connecting) -> None:
    """Offer the games to language models: an MCP server on stdin and stdout.

    Matches are played in this process, or on the server of --server. A server with an HTTP port (`sengoku
    serve --http-port`) also serves MCP over HTTP, at /mcp.
    """
    # What reads stdin cannot be interrupted, and there is nothing to be kept.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    asyncio.run(_serve(at))


async def _serve(at: Connecting) -> None:
    try:
        from sengoku.mcp.server import serve_stdio
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"mcp", "mcp_types", "pydantic"}:
            raise
        raise missing_package("mcp", "MCP servers", "mcp") from None
    from sengoku.mcp.local import MAX_MATCHES, LocalTables
    from sengoku.mcp.remote import RemoteTables
    from sengoku.mcp.seats import Seats
    from sengoku.mcp.tools import Tools

    numbers: Iterator[int] = iter(range(1, 1 << 62))
    seats = Seats(
        lambda: f"m{next(numbers)}", most=MAX_MATCHES, most_of_one=MAX_MATCHES, idle_seconds=_IDLE_SECONDS
    )
    async with AsyncExitStack() as stack:
        if at.server is None:
            tables: Any = LocalTables()
        else:
            client = await stack.enter_async_context(at.async_client())
            tables = RemoteTables(_ClientCalls(client))
        await serve_stdio(Tools(tables, seats, lambda: ""))


_IDLE_SECONDS = 86_400.0
"""Time after which a match that is not used is forgotten."""
