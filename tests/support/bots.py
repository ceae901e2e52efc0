"""Bots for the tests: honest ones, and every kind of trouble."""

import hashlib
import json
import threading
import time
from collections.abc import Callable
from typing import Any

from sengoku import Match
from sengoku.bots.bot import Decision
from sengoku.bots.port import Over


class First:
    """Takes the first legal action."""

    name = "first"

    def decide(self, decision: Decision) -> int:
        """Decides."""
        return int(decision.legal[0])


class Middle:
    """Takes decisions of many matches at once, and remembers what it saw."""

    name = "middle"
    wants = ("observation", "view", "actions")

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.seen: list[Decision] = []
        self.over: list[Over] = []

    def decide_batch(self, decisions: list[Decision]) -> list[int]:
        """Decides."""
        self.batches.append(len(decisions))
        self.seen += decisions
        return [int(decision.legal[len(decision.legal) // 2]) for decision in decisions]

    def match_over(self, over: Over) -> None:
        """Hears how a match ended."""
        self.over.append(over)


class Hashing:
    """Lets everything that it is shown decide: another observation leads to another match."""

    name = "hashing"
    wants = ("observation", "view", "actions")

    def decide(self, decision: Decision) -> int:
        """Decides by a hash."""
        assert decision.observation is not None
        actions = [(action.index, action.name, str(action), action.args) for action in decision.actions]
        seen = [decision.view, actions, decision.game, decision.seats, decision.seat, decision.decisions]
        text = json.dumps(seen, sort_keys=True).encode() + decision.observation.tobytes()
        number = int.from_bytes(hashlib.sha256(text).digest()[:8], "little")
        return int(decision.legal[number % len(decision.legal)])


class Trouble:
    """Runs a given function at some decisions and takes the first action at all others."""

    def __init__(
        self, what: Callable[[Decision], Any], when: Callable[[Decision], bool], name: str = "trouble"
    ) -> None:
        self.name = name
        self._what = what
        self._when = when

    def decide(self, decision: Decision) -> Any:
        """Decides, or not."""
        return self._what(decision) if self._when(decision) else int(decision.legal[0])


def crash(_decision: Decision) -> int:
    """Fails."""
    raise RuntimeError("the bot is broken")


def illegal(decision: Decision) -> int:
    """Returns an action that is not legal."""
    legal = set(decision.legal.tolist())
    return next(number for number in range(len(legal) + 1) if number not in legal)


def sleep(seconds: float) -> Callable[[Decision], int]:
    """Takes its time."""

    def late(decision: Decision) -> int:
        time.sleep(seconds)
        return int(decision.legal[0])

    return late


def hang(release: threading.Event) -> Callable[[Decision], int]:
    """Does not come back before it is let go."""

    def wait(decision: Decision) -> int:
        release.wait(30)
        return int(decision.legal[0])

    return wait


def by_hand(game: str, seed: int, match_index: int, seats: int, setup: dict, choose: list) -> Match:
    """Plays a match decision by decision; `choose` has a function of the legal indices for each seat."""
    match = Match.create(game, seats=seats, seed=seed, match_index=match_index, setup=setup)
    while not match.over:
        legal = match._core.legal_indices()
        match.play(choose[match.to_act](legal))  # type: ignore[index]
    return match
