"""Plays a Python bot as a program, for `python -m sengoku.bots.run module:Name`.

It speaks lines of JSON on its standard input and output. What the bot prints goes to the standard error, so
that it cannot be taken for an answer.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from operator import index
from pathlib import Path
from typing import Any, BinaryIO

from sengoku.bots.bot import Decision, Playing, load_bot
from sengoku.bots.lines import PROTOCOL, decision_from_line, over_from_line, read_line
from sengoku.errors import SengokuError

__all__ = ["main"]

_MOST_TEXT = 1_000


def main(text: str) -> None:
    """Play the bot until the input ends."""
    lines, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    try:
        playing = Playing.of(load_bot(text))
    except (SengokuError, TypeError) as error:
        raise SystemExit(str(error)) from None
    _Runner(playing, answers).run(lines)


class _Runner:
    """A bot that answers lines."""

    def __init__(self, playing: Playing, answers: BinaryIO) -> None:
        self.playing, self.answers = playing, answers

    def run(self, lines: BinaryIO) -> None:
        waiting: list[tuple[int, Decision]] = []
        for line in lines:
            message = read_line(line)
            if message["type"] == "hello":
                self._say(
                    type="ready",
                    protocol=PROTOCOL,
                    name=self.playing.name,
                    games=self.playing.games,
                    wants=sorted(self.playing.wants),
                    words=self.playing.words,
                    capacity=self.playing.capacity if self.playing.batches else 1,
                )
            elif message["type"] == "decide":
                waiting.append((message["id"], decision_from_line(message)))
                if message["pending"] == 0 or not self.playing.batches:
                    self._decide(waiting)
                    waiting = []
            elif message["type"] == "over":
                self._over(message)
            self.answers.flush()

    def _decide(self, asked: list[tuple[int, Decision]]) -> None:
        decisions = [decision for _, decision in asked]
        for (number, decision), action in zip(asked, self.playing.decide(decisions), strict=True):
            if isinstance(action, BaseException):
                self._say(type="failure", id=number, message=_error_text(action))
                continue
            try:
                said = [json.loads(text) for text in decision.said]
                more = {"say": said} if said else {}
                if decision.notes:
                    more["note"] = [json.loads(text) for text in decision.notes]
                self._say(type="action", id=number, action=index(action), **more)
            except TypeError:
                self._say(type="action", id=number, action=repr(action)[:100])

    def _over(self, message: dict[str, Any]) -> None:
        notify = getattr(self.playing.bot, "match_over", None)
        if callable(notify):
            try:
                notify(over_from_line(message))
            except Exception as error:  # noqa: BLE001 - any failure is the bot's
                self._say(type="failure", game=message["game"], message=_error_text(error))

    def _say(self, **message: Any) -> None:
        self.answers.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")


def _error_text(error: BaseException) -> str:
    """Return an exception as text, with the line of the bot that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}"[:_MOST_TEXT] + place


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m sengoku.bots.run module:Name")
    main(sys.argv[1])
