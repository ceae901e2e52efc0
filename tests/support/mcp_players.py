"""Players over MCP with the official client, and a player who reads nothing but text."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from sengoku.engine.tell import Choices
from sengoku.mcp.local import LocalTables
from sengoku.mcp.seats import Seats
from sengoku.mcp.server import make_server
from sengoku.mcp.tools import Tools
from sengoku.server import Server

T = TypeVar("T")
MODES = ("auto", "legacy")
"""Today's protocol, which has no handshake, and the one before it."""


class RefusedError(Exception):
    """A tool answered with an error."""

    def __init__(self, text: str, found: Mapping[str, Any]) -> None:
        super().__init__(text)
        self.reason, self.details = found["reason"], found["details"]
        self.field = found.get("field")
        self.request_id = found.get("request_id")


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool; the values of its answer, with its text."""
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    found = result.structured_content
    if result.is_error:
        assert content.text == f"{found['reason']}: {found['message']}"
        raise RefusedError(content.text, found)
    assert content.text == found["text"]
    return found


async def refusal(client: Client, tool: str, **arguments: Any) -> RefusedError:
    """Call a tool that refuses."""
    with pytest.raises(RefusedError) as refused:
        await call(client, tool, **arguments)
    return refused.value


async def rejection(awaited: Awaitable[Any]) -> MCPError:
    """The error of the protocol with which something fails."""
    with pytest.raises(MCPError) as refused:
        await awaited
    return refused.value


def names() -> Callable[[], str]:
    numbers: Iterator[int] = iter(range(1, 1_000_000))
    return lambda: f"m{next(numbers)}"


def local_tools(most: int = 100) -> Tools:
    """Tools for matches of this process."""
    return Tools(LocalTables(), Seats(names(), most=most, most_of_one=most, idle_seconds=3600), lambda: "")


@asynccontextmanager
async def here(most: int = 100) -> AsyncIterator[Client]:
    """A client of a server in this process."""
    async with Client(make_server(local_tools(most))) as client:
        yield client


@asynccontextmanager
async def over_stdio(*options: str, mode: str = "auto", **environment: str) -> AsyncIterator[Client]:
    """A client of `sengoku mcp`, which it starts."""
    command = ["-m", "sengoku.cli", "mcp", *options]
    path = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    parameters = StdioServerParameters(command=sys.executable, args=command, env=path | environment)
    async with Client(parameters, mode=mode) as client:
        yield client


@asynccontextmanager
async def over_http(
    server: Server, token: str | None = None, mode: str = "auto", **headers: str
) -> AsyncIterator[Client]:
    """A client of a server over HTTP."""
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{server.http_address}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


def listed(text: str) -> list[str]:
    """The numbers of the choices at the end of a text."""
    tail = text.rpartition("Your choices:")[2] if "Your choices:" in text else text
    return re.findall(r"(?m)^((?:\d+\.)*\d+)\. ", tail)


async def play_by_text(client: Client, begun: dict[str, Any], choose: Callable[[int], int]) -> dict[str, Any]:
    """Play a seat to the end, reading only texts and answering with what they list."""
    told, match = begun, begun["match"]
    while not told["over"]:
        if not told["your_turn"]:
            told = await call(client, "wait_for_turn", match=match, budget=300)
            continue
        numbers = listed(told["text"])
        told = await call(client, "play", match=match, answer=numbers[choose(len(numbers))], budget=300)
        while told.get("choices"):  # a group: the second step
            numbers = listed(told["text"])
            answer = numbers[choose(len(numbers))]
            told = await call(client, "play", match=match, answer=answer, budget=300)
    return told


def path_to(choices: Choices, action: int, path: str = "") -> str:
    """The number with which an action is chosen."""
    for number in range(1, len(choices) + 1):
        found = choices.answer(str(number))
        if not isinstance(found, Choices):
            if found.index == action:
                return f"{path}{number}"
        elif below := path_to(found, action, f"{path}{number}."):
            return below
    return ""


def run(test: Awaitable[T], seconds: float = 120.0) -> T:
    """Run a coroutine, for some seconds at most."""

    async def bounded() -> T:
        return await asyncio.wait_for(test, seconds)

    return asyncio.run(bounded())
