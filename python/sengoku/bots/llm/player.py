"""A player that asks a language model for its decisions, within a budget."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from sengoku.bots.bot import Decision
from sengoku.bots.llm.endpoint import Endpoint, EndpointError
from sengoku.bots.llm.settings import LlmSettings
from sengoku.bots.port import Forfeited, Over
from sengoku.bots.text import Conversation, fall_back

__all__ = ["LlmPlayer"]

_MARGIN = 0.25
"""Seconds of the clock that are left for the way back, but at most a fifth of what the clock leaves."""
_LATE = "late"
_log = logging.getLogger(__name__)


@dataclass
class _Spent:
    """What a seat has spent in a match."""

    tokens: int = 0
    seconds: float = 0.0


class LlmPlayer:
    """A bot that asks a language model, for `play_matches`, `sengoku bot play` and tournaments.

    The position is told in words with numbered choices, and the answer is read as `Match.choices` does. A
    wrong answer is asked again with what was wrong. If there is still no legal answer, or the time of the
    decision or the budget of the match is used up, a fallback decides, which is counted. If the endpoint
    fails, the match is forfeited as disconnected: tournaments with `retries` repeat it.
    """

    def __init__(self, settings: LlmSettings | None = None, *, name: str | None = None) -> None:
        """Read the environment; raise `ArgumentError` if the address or the model is not known."""
        self.settings = settings or LlmSettings()
        url, self.model, key = self.settings.resolved()
        self._host = urlsplit(url).netloc
        self._endpoint = Endpoint(url, self.model, key, self.settings)
        self.name = name or self.model.rpartition("/")[2]
        self.wants = ("tell", "actions", *(("rules",) if self.settings.rules else ()))
        self.words = self.settings.words
        self.capacity = self.settings.concurrent
        self._spent: dict[str, _Spent] = {}
        self._tasks: set[asyncio.Task[int]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    @property
    def place(self) -> str:
        """Where the player plays, for reports."""
        return f"the process of the tournament, which asks the model {self.model} of {self._host}"

    def __repr__(self) -> str:
        return f"<LlmPlayer {self.name}: {self.model}>"

    def decide_batch(self, decisions: list[Decision]) -> list[Any]:
        """Return the action of each decision, or the exception that stands for a failure."""
        return asyncio.run_coroutine_threadsafe(self._decide_all(decisions), self._running()).result()

    def match_over(self, over: Over) -> None:
        """Forget what a match has cost."""
        self._spent.pop(over.match_id, None)

    def prepare(self) -> None:
        """Do nothing: connections are opened when they are needed."""

    def interrupt(self) -> None:
        """Give up the decisions under way; callable from any thread."""
        loop = self._loop
        if loop is not None:
            loop.call_soon_threadsafe(lambda: [task.cancel() for task in self._tasks])

    def close(self) -> None:
        """Close the connections."""
        with self._starting:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is not None and thread is not None:
            asyncio.run_coroutine_threadsafe(self._endpoint.close(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    def _running(self) -> asyncio.AbstractEventLoop:
        """Return the event loop of the requests, which runs in a thread of its own."""
        with self._starting:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="llm-player", daemon=True)
                self._thread.start()
            return self._loop

    async def _decide_all(self, decisions: list[Decision]) -> list[Any]:
        tasks = [asyncio.ensure_future(self._decide(decision)) for decision in decisions]
        self._tasks.update(tasks)
        try:
            found = await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            self._tasks.difference_update(tasks)
        return [
            Forfeited("it was late", "late") if isinstance(answer, asyncio.CancelledError) else answer
            for answer in found
        ]

    async def _decide(self, decision: Decision) -> int:
        spent = self._spent.setdefault(decision.match_id, _Spent())
        began = time.monotonic()
        clock = decision.seconds_left - min(_MARGIN, decision.seconds_left / 5)
        left = min(self.settings.seconds, clock, self.settings.match_seconds - spent.seconds)
        talk = Conversation(decision, self.settings.corrections)
        count, tokens = [0], [0, 0]
        why, failure = "", None
        note: dict[str, Any] = {"model": self.model}
        if left <= 0 or spent.tokens >= self.settings.match_tokens:
            why = "budget"
        else:
            try:
                why = await self._converse(talk, began + left, spent, count, tokens, note)
            except TimeoutError:
                why = _LATE
            except EndpointError as error:
                failure = Forfeited(str(error), "disconnected")
                note["failed"] = str(error)
                _log.warning("the player %s failed: %s", self.name, error)
        spent.seconds += time.monotonic() - began
        note |= talk.note()
        note |= {"requests": count[0], "prompt_tokens": tokens[0], "answer_tokens": tokens[1]}
        if why:
            note |= {"fallbacks": 1, "because": why}
        decision.note(**note)
        if failure is not None:
            raise failure
        return fall_back(decision, self.settings.fallback) if talk.action is None else talk.action

    async def _converse(
        self,
        talk: Conversation,
        until: float,
        spent: _Spent,
        count: list[int],
        tokens: list[int],
        note: dict[str, Any],
    ) -> str:
        """Ask until there is an action; return why there is none, or an empty string."""
        asking = talk.ask()
        messages = next(asking)
        while True:
            answer = await self._endpoint.ask(messages, until, count)
            tokens[0] += answer.prompt_tokens
            tokens[1] += answer.answer_tokens
            spent.tokens += answer.prompt_tokens + answer.answer_tokens
            if answer.estimated:
                note["estimated"] = True
            try:
                messages = asking.send(answer.text)
            except StopIteration:
                return "" if talk.action is not None else "illegal"
            if spent.tokens >= self.settings.match_tokens:
                return "budget"
