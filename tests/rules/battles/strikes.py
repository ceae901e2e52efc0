"""Helpers for strikes with scripted faces."""

from sengoku.battles import Outcome, Strike, StrikeFight
from sengoku.errors import DiceScriptError


def fight(strike: Strike, faces: str) -> StrikeFight:
    """Fights a strike; spaces in `faces` only separate the rolls."""
    return strike.fight(faces=faces.replace(" ", ""))


def end(strike: Strike, faces: str) -> Outcome:
    """The outcome of the fight."""
    return fight(strike, faces).outcome


def dice(strike: Strike, what: str = "attack") -> int:
    """The number of dice of a roll."""
    for count in range(30):
        try:
            calm = strike.fight(faces="H" * count)
        except DiceScriptError:
            continue
        return sum(len(step.faces) for step in calm.steps if step.what == what)
    raise AssertionError("nothing but dice")
