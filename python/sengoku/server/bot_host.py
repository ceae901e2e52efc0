"""The bots of open matches: they decide in turns of the fair queue, however their match was moved."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from sengoku import _core
from sengoku.errors import CancelledError, InternalError, SengokuError
from sengoku.server.executor import Executor
from sengoku.server.limits import Limits
from sengoku.server.match_registry import OpenMatch

__all__ = ["BotHost"]

_log = logging.getLogger(__name__)
WAIT_SECONDS = 20.0
"""Longest time that a call waits for bots."""
_WAIT_SHARE = 0.8
"""Longest time that a call waits for bots, as a share of the time until its deadline."""


class BotHost:
    """Plays the bots of open matches, each in a task until it rests. Use it on the server's event loop."""

    def __init__(self, limits: Limits, executor: Executor) -> None:
        self._limits = limits
        self._executor = executor
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def hosting(self) -> int:
        """Matches whose bots are deciding, or wait for their turn."""
        return len(self._tasks)

    def start(self, match: OpenMatch) -> None:
        """Let the bots of a match decide if one is to act."""
        if match.hosting or match.closed or match.failure or not match.bot_to_act or self._closed:
            return
        match.hosting = True
        task = asyncio.create_task(self._host(match))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _host(self, match: OpenMatch) -> None:
        try:
            async with self._executor.queue.turn(match.client, match.flag, bounded=False):
                await self._executor.run(partial(self._play, match), match.flag)
        except CancelledError:
            pass  # the match was closed
        except SengokuError as error:
            match.failure = error
        except Exception:  # noqa: BLE001 - the others must go on
            _log.exception("unexpected error of a bot")
            match.failure = InternalError("internal error, see the server's log")
        finally:
            match.hosting = False
            match.changed.set()
            self.start(match)  # somebody may have played since the bots rested

    def _play(self, match: OpenMatch) -> None:
        """Play what the bots decide; in a thread."""
        most = self._limits.match_decisions
        go_on = True
        while go_on:
            go_on = _core.advance_bots(match.core, max_decisions=most, news=True, cancel=match.flag)
            match.moved()
            if go_on:
                self._limits.check("match_decisions", match.core.decisions + 1)

    async def rest(self, match: OpenMatch, time_left: Callable[[], float | None]) -> None:
        """Wait until no bot of a match decides, for some seconds at most; `time_left` is that of a call."""
        left = time_left()
        clock = asyncio.get_running_loop().time
        end = clock() + (WAIT_SECONDS if left is None else min(WAIT_SECONDS, _WAIT_SHARE * left))
        while True:
            version = match.changed.version
            if not match.hosting or match.closed or clock() >= end:
                return
            await match.changed.wait_newer(version, end - clock())

    def close(self) -> None:
        """Stop all bots, because the server stops."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
