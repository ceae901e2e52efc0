"""Descriptions of wrong answers."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from operator import index
from pathlib import Path
from typing import Any

from sengoku.bots.bot import Decision
from sengoku.bots.clock import Clock
from sengoku.bots.port import Forfeited

__all__ = ["describe_error", "describe_fault", "fault_of"]

_SHOWN = 12  # number of legal actions that a description lists
_PACKAGE = str(Path(__file__).parents[1])


def fault_of(decision: Decision, answer: Any) -> str:
    """Return the forfeit reason of an answer, or an empty string if it is legal."""
    if isinstance(answer, BaseException):
        return answer.reason if isinstance(answer, Forfeited) else "crashed"
    try:
        return "" if index(answer) in decision.legal.tolist() else "illegal"
    except TypeError:
        return "illegal"


def describe_fault(reason: str, answer: Any, legal: Sequence[int], clock: Clock) -> str:
    """Return a sentence that says what was wrong with an answer."""
    if reason == "late":
        bank = f" and a bank of {clock.bank:g}" if clock.bank else ""
        return f"no answer within {clock.decision:g} seconds{bank}"
    if isinstance(answer, Forfeited):
        return str(answer)
    if isinstance(answer, BaseException):
        return f"it raised {describe_error(answer)}"
    shown = _short(repr(answer))
    try:
        index(answer)
    except TypeError:
        return f"the answer is {shown}, which is of type {type(answer).__name__} and not an integer"
    listed = ", ".join(map(str, legal[:_SHOWN]))
    more = f" and {len(legal) - _SHOWN} more" if len(legal) > _SHOWN else ""
    return f"the answer is {shown}, legal actions are {listed}{more}"


def describe_error(error: BaseException) -> str:
    """Return an exception as text, with the line of the bot that raised it."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(_PACKAGE)  # errors about the answer itself are raised here
    ]
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return _short(f"{type(error).__name__}: {error}") + place


def _short(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:117]}..."
