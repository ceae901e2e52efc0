"""A bot under observation: plays through a port that records every request and answer."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sengoku.bots.bot import Decision, Playing, decision_of
from sengoku.bots.check.answers import describe_error
from sengoku.bots.check.cases import SpecReader
from sengoku.bots.local import LocalPort
from sengoku.bots.port import Ask, Over, Seating
from sengoku.bots.program import ProgramBot

__all__ = ["BOT", "Observer", "Request", "Sample"]

BOT = "#bot"
"""Name of the port of the checked bot; no built-in bot has such a name."""
_SAMPLED = 2  # decisions of each question that are kept to be repeated


@dataclass(eq=False)
class Request:
    """The last decision requested from a seat, and the answer."""

    decisions: int
    question: str
    legal: list[int]
    allowance: float  # seconds the bot had
    answer: Any = None
    seconds: float = math.inf  # seconds the bot took; infinite until it answers


@dataclass(frozen=True)
class Sample:
    """A decision to be repeated."""

    decision: Decision
    answer: Any  # the first answer of the bot
    question: str
    seating: Seating
    replay: str


class Observer:
    """A bot behind a port, with a record of its requests."""

    def __init__(self, playing: Playing, readers: dict[str, SpecReader]) -> None:
        self.playing = playing
        self.readers = readers
        self.last: dict[tuple[int, int], Request] = {}  # the last request by match (rotation) and seat
        self.questions: dict[str, Counter[str]] = {game: Counter() for game in readers}
        self.kinds: dict[str, Counter[str]] = {game: Counter() for game in readers}
        self.legal: dict[str, tuple[int, int]] = {}
        self.slowest: dict[str, float] = {}
        self.sampled: dict[tuple[str, str], list[Sample]] = {}  # samples by game and question
        self.over_failed: dict[str, str] = {}  # first error of `match_over` by game
        self.port = LocalPort(
            BOT,
            self._decide,
            wants=playing.wants | {"observation"},
            capacity=playing.capacity if playing.batches else 1,
            over=self._over,
            process=playing.process,
        )

    def asked(self, game: str) -> int:
        """Return the number of decisions requested in a game."""
        return sum(self.questions[game].values())

    def is_stuck(self, seconds: float) -> bool:
        """Return whether the bot is still busy with a request after this many seconds."""
        until = time.monotonic() + seconds
        while any(request.seconds == math.inf for request in list(self.last.values())):
            if time.monotonic() > until:
                return True
            time.sleep(0.01)
        return False

    def failed_after(self, game: str) -> str:
        """Return the first error of `match_over` in a game, or an empty string."""
        bot = self.playing.bot
        reported = bot.over_failures() if isinstance(bot, ProgramBot) else {}
        return self.over_failed.get(game) or reported.get(game, "")

    def _decide(self, asks: list[Ask]) -> Sequence[Any]:
        requests = [self._record(ask) for ask in asks]
        decisions = [self._decision(ask) for ask in asks]
        began = time.monotonic()
        answers = self.playing.decide(decisions)
        spent = time.monotonic() - began
        for ask, request, decision, answer in zip(asks, requests, decisions, answers, strict=True):
            request.answer, request.seconds = answer, spent
            self.slowest[ask.game] = max(spent, self.slowest.get(ask.game, 0.0))
            samples = self.sampled.setdefault((ask.game, request.question), [])
            if len(samples) < _SAMPLED:
                replay = ask.table.match.replay()  # the match does not continue before this answer
                samples.append(Sample(decision, answer, request.question, ask.table.seating, replay))
        return answers

    def _record(self, ask: Ask) -> Request:
        reader = self.readers[ask.game]
        question = reader.question(ask.observation)
        self.questions[ask.game][question] += 1
        self.kinds[ask.game].update(reader.offered(ask.legal))
        fewest, most = self.legal.get(ask.game, (len(ask.legal), len(ask.legal)))
        self.legal[ask.game] = min(fewest, len(ask.legal)), max(most, len(ask.legal))
        request = Request(ask.decisions, question, ask.legal, ask.allowance)
        self.last[ask.table.seating.rotation, ask.seat] = request
        return request

    def _decision(self, ask: Ask) -> Decision:
        decision = decision_of(ask)
        return decision if "observation" in self.playing.wants else replace(decision, observation=None)

    def _over(self, over: Over) -> None:
        notify = getattr(self.playing.bot, "match_over", None)
        if callable(notify):
            try:
                notify(over)
            except Exception as error:  # noqa: BLE001 - any failure is the bot's
                self.over_failed.setdefault(over.game, describe_error(error))
