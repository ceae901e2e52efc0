"""A bot that plays on a server, and reconnects when the connection is lost."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from sengoku import _core
from sengoku.bots.bot import AnyBot
from sengoku.bots.port import Over
from sengoku.errors import (
    BusyError,
    DeadlineError,
    QuotaError,
    SengokuError,
    ShuttingDownError,
    UnavailableError,
)

if TYPE_CHECKING:
    from sengoku.client.client import Client

__all__ = ["serve"]

_RETRIED = (UnavailableError, ShuttingDownError, BusyError, QuotaError, DeadlineError)
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 30.0
"""Seconds until the first reconnection attempt, and the most that the wait grows to."""
_STABLE_SECONDS = 60.0  # seconds after which a connection counts as stable, so that the wait starts over


def serve(
    bot: AnyBot,
    client: Client,
    *,
    name: str | None = None,
    stop: _core.Cancel,
    told: Callable[[Over], object] | None = None,
    away: Callable[[SengokuError | None, float], object] | None = None,
) -> None:
    """Play for a bot on a server until `stop` is set; reconnect when the connection is lost.

    `told` receives the end of each match; `away` receives why the connection was lost and the seconds until
    the next attempt. Errors that a retry cannot fix are raised: a wrong token, a name that is taken.
    """
    wait = _FIRST_WAIT
    while not stop.cancelled:
        started, why = time.monotonic(), None
        try:
            client.serve_bot(bot, name=name, stop=stop, told=told)
        except _RETRIED as error:
            why = error
        if stop.cancelled:
            return
        if time.monotonic() - started > _STABLE_SECONDS:
            wait = _FIRST_WAIT
        pause = max(wait * random.uniform(0.5, 1.0), why.retry_after or 0.0 if why else 0.0)  # noqa: S311
        if away is not None:
            away(why, pause)
        until = time.monotonic() + pause
        while not stop.cancelled and time.monotonic() < until:
            time.sleep(min(0.05, pause))
        wait = min(2 * wait, _LONGEST_WAIT)
