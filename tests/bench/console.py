"""What people feel of the console, and what those who only watch cost.

The time from a click to the new board is measured inside a real browser: from the click to the frame in
which the new board is drawn. Spectators follow one match as people play it, a decision a second.
"""

import asyncio
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import httpx

from sengoku.cli.measure import Row
from support.browser import running_browser, start_match, visit

CLICKS = 60
SPECTATORS = 100
WATCHED_SECONDS = 20
LEAST_FRAME = 10_000
"""Bytes of a frame at least: it has a picture."""
_TIMED = """() => new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error("no new board in 20 s")), 20000);
  const table = document.querySelector(".table");
  const action = table.querySelector(".action:enabled");
  const board = table.querySelector(".board-scroll");
  const start = performance.now();
  const seen = new MutationObserver(() => {
    if (!table.isConnected || board.querySelector("svg") === null) return;
    seen.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - start));
  });
  seen.observe(board, { childList: true });
  action.click();
})"""


def clicks(address: str) -> list[Row]:
    """Median milliseconds from a click to the new board, by game."""
    rows = []
    with running_browser() as browser:
        for game in ("swords", "tower", "battles"):
            with visit(browser, address) as tab:
                start_match(tab.page, game)
                taken: list[float] = []
                while len(taken) < CLICKS:
                    tab.page.locator(".action:enabled, .finish").first.wait_for()
                    if tab.page.locator(".finish").count():
                        start_match(tab.page, game)
                        continue
                    taken.append(tab.page.evaluate(_TIMED))
            rows.append(Row(f"console, click to new board, {game}, median", statistics.median(taken), "ms"))
    return rows


async def _call(http: httpx.AsyncClient, method: str, request: dict[str, Any]) -> dict[str, Any]:
    answer = await http.post(f"/sengoku.v1.MatchService/{method}", json=request)
    answer.raise_for_status()
    decoded: dict[str, Any] = answer.json()
    return decoded


async def _watch(http: httpx.AsyncClient, match: dict[str, str], received: list[int], place: int) -> None:
    """Read a stream as the page of a spectator does, and count its bytes."""
    names = ("PICTURE", "LONG_STORY", "EVENTS", "ACTIONS")
    text = json.dumps({**match, "parts": [f"FRAME_PART_{name}" for name in names]}).encode()
    body = b"\0" + len(text).to_bytes(4, "big") + text
    headers = {"content-type": "application/connect+json", "accept-encoding": "identity"}
    url = "/sengoku.v1.MatchService/WatchMatch"
    async with http.stream("POST", url, content=body, headers=headers) as answer:
        async for part in answer.aiter_raw():
            received[place] += len(part)


async def _watched(address: str, processor_seconds: Callable[[], float]) -> float:
    """The share of a core that a server uses for a match with spectators, a decision a second."""
    limits = httpx.Limits(max_connections=SPECTATORS + 10)
    async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits) as http:
        made = await _call(http, "CreateMatch", {"game": "battles", "seed": "7"})
        access = made["access"]
        owner = {"matchId": access["matchId"], "token": access["ownerToken"]}
        spectator = {"matchId": access["matchId"], "token": access["spectatorToken"]}
        received = [0] * SPECTATORS
        watching = [
            asyncio.create_task(_watch(http, spectator, received, place)) for place in range(SPECTATORS)
        ]
        await asyncio.sleep(2)
        start, used = time.perf_counter(), processor_seconds()
        for second in range(WATCHED_SECONDS):
            legal = await _call(http, "ListLegalActions", owner)
            await _call(http, "Play", {**owner, "action": str(legal["actions"][0].get("index", 0))})
            await asyncio.sleep(max(0.0, start + second + 1 - time.perf_counter()))
        share = (processor_seconds() - used) / (time.perf_counter() - start)
        await _call(http, "DeleteMatch", owner)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        assert min(received) > WATCHED_SECONDS * LEAST_FRAME, "every spectator got every board"
    return share


def spectators(address: str, processor_seconds: Callable[[], float]) -> list[Row]:
    """The cost of a hundred spectators of one match."""
    share = asyncio.run(_watched(address, processor_seconds))
    return [Row(f"{SPECTATORS} spectators of a match, a decision a second", share, "cores")]
