"""Bots in Python for tournaments: an honest one, and every kind of trouble."""

import sys
import threading
import time
from typing import Any

from sengoku import spec
from sengoku.bots.bot import Decision


class First:
    """Takes the first legal action."""

    name = "first"

    def decide(self, decision: Decision) -> Any:
        """Decides."""
        return decision.legal[0]


class Illegal(First):
    """Answers what is not legal."""

    def decide(self, decision: Decision) -> Any:
        """Decides."""
        legal = set(decision.legal.tolist())
        return next(number for number in range(len(legal) + 1) if number not in legal)


class Typed(First):
    """Answers with a wrong type."""

    def decide(self, decision: Decision) -> Any:
        """Decides."""
        return float(decision.legal[0])


class Nothing(First):
    """Answers nothing."""

    def decide(self, _decision: Decision) -> Any:
        """Does not."""


class Huge(First):
    """Answers a number beyond all tables."""

    def decide(self, _decision: Decision) -> Any:
        """Decides."""
        return 10**30


class Raises(First):
    """Fails."""

    def decide(self, _decision: Decision) -> Any:
        """Fails."""
        raise RuntimeError("broken")


class Exits(First):
    """Wants the whole process to end."""

    def decide(self, _decision: Decision) -> Any:
        """Exits."""
        sys.exit(3)


class Sometimes(First):
    """Fails at some positions, the same ones each time."""

    def decide(self, decision: Decision) -> Any:
        """Decides, or fails."""
        if decision.decisions > 25 and decision.legal.sum() % 16 == 5:
            raise ValueError("not this one")
        return decision.legal[0]


class Late:
    """Takes too long."""

    name = "late"

    def decide_batch(self, decisions: list[Decision]) -> Any:
        """Decides, late."""
        time.sleep(0.7)
        return [decision.legal[0] for decision in decisions]


class Hangs(First):
    """Never comes back."""

    def decide(self, _decision: Decision) -> Any:
        """Waits."""
        threading.Event().wait()


class Few:
    """Answers fewer decisions than it was asked."""

    name = "few"

    def decide_batch(self, decisions: list[Decision]) -> Any:
        """Decides."""
        return [decision.legal[0] for decision in decisions][:-1]


class Flaky(First):
    """Fails at its first decisions, and is well from then on."""

    def __init__(self) -> None:
        self.left = 2

    def decide(self, decision: Decision) -> Any:
        """Decides, or fails."""
        if self.left:
            self.left -= 1
            raise ConnectionError("not yet")
        return decision.legal[0]


class Grumbles(First):
    """Fails after its matches."""

    def match_over(self, _over: Any) -> None:
        """Fails."""
        raise RuntimeError("unfair")


class Stillborn(First):
    """Cannot be made."""

    def __init__(self) -> None:
        raise OSError("no weights")


class Leaves(First):
    """Exits when it is made."""

    def __init__(self) -> None:
        sys.exit(1)


class OnlySwords(First):
    """Plays one game only."""

    games = ("swords",)


class Wanting(First):
    """Wants what nobody has."""

    wants = ("everything",)


no_bot = 3


class Leaky(First):
    """What it says of one match depends on what it was asked in others."""

    def __init__(self) -> None:
        self.asked = 0

    def decide(self, decision: Decision) -> Any:
        """Decides."""
        self.asked += 1
        return decision.legal[self.asked % len(decision.legal)]


class Corner(First):
    """Fails at one question only, which it finds in the observation by the specification."""

    games = ("tower",)

    def __init__(self) -> None:
        self.field = spec("tower")["point"]

    def decide(self, decision: Decision) -> Any:
        """Decides, or fails."""
        assert decision.observation is not None
        if self.field.labels[int(self.field.of(decision.observation))] == "favour_building":
            raise LookupError("nobody told me of this")
        return decision.legal[0]
