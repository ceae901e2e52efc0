"""Helpers for strikes with scripted faces."""

from sengoku.battles import Outcome, Strike, StrikeFight
from sengoku.errors import DiceScriptError


def fight(strike: Strike, faces: str) -> StrikeFight:
    """Fights a strike; spaces only part the rolls."""
    return strike.fight(faces=faces.replace(" ", ""))


def end(strike: Strike, faces: str) -> Outcome:
    """How it ends."""
    return fight(strike, faces).outcome


def dice(strike: Strike, what: str = "attack") -> int:
    """How many dice a roll has, where nothing happens."""
    for count in range(30):
        try:
            calm = strike.fight(faces="H" * count)
        except DiceScriptError:
            continue
        return sum(len(step.faces) for step in calm.steps if step.what == what)
    raise AssertionError("nothing but dice")
