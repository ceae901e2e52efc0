"""Bots that read text and answer in text: the questions they are asked, and what happens to wrong answers."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from sengoku.bots.bot import Decision
from sengoku.bots.port import Forfeited
from sengoku.engine.tell import Choices
from sengoku.errors import ArgumentError

__all__ = ["FALLBACKS", "Conversation", "TextBot", "fall_back"]

FALLBACKS = ("random", "first", "forfeit")
"""What replaces a decision without a legal answer."""
CORRECTIONS = 2
"""Default number of wrong answers to a decision after which the bot is asked again."""
_MOST_SAID = 8_000
"""Characters of a text that a note keeps."""

Message = dict[str, str]
"""A text with its `role`: "system", "user" or "assistant"."""


def instructions(decision: Decision) -> str:
    """Return what a bot is told before the position: what it plays, how to answer, and the rules."""
    about = (
        f"You play the board game {decision.game}; you are seat {decision.seat} of {decision.seats}. "
        "In each turn you are told the position and your numbered choices. "
        "Answer with the number or the text of one choice on the last line."
    )
    return about if decision.rules_text is None else f"{about}\n\n{decision.rules_text}"


def fall_back(decision: Decision, rule: str) -> int:
    """Return the action that replaces an answer; raise `Forfeited` where that is the rule.

    "random" depends on the seat, the decision and the choices only, so that a match can be repeated.
    """
    if rule == "forfeit":
        raise Forfeited("it gave no legal answer", "illegal")
    place = 0
    if rule == "random":
        key = f"{decision.seat} {decision.decisions} {decision.legal.tolist()}"
        place = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "little") % len(decision.legal)
    return int(decision.legal[place])


@dataclass
class Conversation:
    """The questions about one decision, and the answers; it neither waits nor calls anybody.

    Send each answer to `ask()`, a generator of the texts so far, each with its `role`. It ends when
    `action` is known, or when there were too many wrong answers.
    """

    decision: Decision
    corrections: int = CORRECTIONS
    messages: list[Message] = field(default_factory=list)
    action: int | None = None
    illegal: int = 0

    def ask(self) -> Generator[list[Message], str, None]:
        """Yield the texts that are to be answered."""
        choice = Choices(self.decision.actions)
        self.messages += [
            {"role": "system", "content": instructions(self.decision)},
            {"role": "user", "content": self.decision.tell},
        ]
        while True:
            answer = yield self.messages
            self._add("assistant", answer)
            try:
                found = choice.answer(answer)
            except ArgumentError as error:
                self.illegal += 1
                if self.illegal > self.corrections:
                    return
                self._add("user", f"{error}. Answer again.")
                continue
            if not isinstance(found, Choices):
                self.action = found.index
                return
            choice = found
            self._add("user", f"Your choices:\n{choice}")

    def _add(self, role: str, content: str) -> None:
        self.messages.append({"role": role, "content": content})

    def note(self) -> dict[str, Any]:
        """Return what was said as a note: without the instructions, and with long texts cut."""
        said = [
            {**message, "content": _cut(message["content"])}
            for message in self.messages
            if message["role"] != "system"
        ]
        return {"said": said, **({"illegal": self.illegal} if self.illegal else {})}


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_SAID else f"{text[:_MOST_SAID]}... ({len(text)} characters)"


class TextBot(ABC):
    """A bot that is shown texts and answers with a text; derive from it and write `answer`.

    >>> class Last(TextBot):
    ...     name = "last"
    ...
    ...     def answer(self, messages):
    ...         return messages[-1]["content"].splitlines()[-1]
    >>> from sengoku import play_matches
    >>> report = play_matches("battles", players=[Last(), "random"], match_count=2, seed=7)
    >>> sum(costs.illegal for match in report.matches for costs in match.costs)
    0
    """

    name: str
    wants = ("tell", "actions", "rules")
    corrections = CORRECTIONS
    """Wrong answers to a decision after which it is asked again, with what was wrong."""
    fallback = "random"
    """What replaces a decision without a legal answer: one of `FALLBACKS`."""

    @abstractmethod
    def answer(self, messages: list[Message]) -> str:
        """Return the answer to texts, each with a `role` and its `content`, the last one from the game."""

    def decide(self, decision: Decision) -> int:
        """Ask until the answer is legal, or replace it."""
        talk = Conversation(decision, self.corrections)
        asking = talk.ask()
        requests = 0
        try:
            messages = next(asking)
            while True:
                requests += 1
                messages = asking.send(self.answer(messages))
        except StopIteration:
            pass
        note = {"requests": requests, **talk.note()}
        if talk.action is None:
            note |= {"fallbacks": 1, "because": "illegal"}
        decision.note(**note)
        return fall_back(decision, self.fallback) if talk.action is None else talk.action
