"""Battles of the strategic game and their odds.

>>> attacker = Force(daimyo=1, bow=1, sword=1, gun=3, spear=3)
>>> battle = Battle(attacker, Force(spear=1))
>>> print(battle.fight(dice=[9, 2, 3, 4]))
attack by 1 daimyo, 1 bow, 3 gun, 1 sword, 3 spear
against 1 spear
round 1
  step 1  attacker's bowmen roll 9: no hit
  step 2  attacker's gunners roll 2 3 4: 3 hits
  step 3  defender loses 1 spear (2 more than needed)
the attacker wins with 1 daimyo, 1 bow, 3 gun, 1 sword, 3 spear left
>>> round(battle.exact().attacker_wins, 6)
1.0
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from sengoku._core import (
    EXACT_STATE_LIMIT,
    MAX_SAMPLES,
    Battle,
    Fight,
    FightStep,
    Force,
    Odds,
    evaluate_batch,
)
from sengoku.engine.odds import BatchOptions, Columns, batch, describe_odds

__all__ = [
    "EXACT_STATE_LIMIT", "MAX_SAMPLES", "UNITS", "BatchOdds", "Battle", "Fight", "FightStep", "Force", "Odds",
    "batch_odds", "describe", "title",
]  # fmt: skip

UNITS = ("daimyo", "bow", "gun", "sword", "spear", "ronin")
"""The kinds of units, as fields of a `Force`."""


@dataclass(frozen=True, eq=False)
class BatchOdds(Columns):
    """The odds of many battles, one row each."""

    attacker_wins: npt.NDArray[np.float64]
    defender_wins: npt.NDArray[np.float64]
    both_eliminated: npt.NDArray[np.float64]
    called_off: npt.NDArray[np.float64]
    standard_error: npt.NDArray[np.float64]
    rounds_mean: npt.NDArray[np.float64]
    samples: npt.NDArray[np.uint64]
    """Battles played; 0 where the row is exact."""
    attacker_units_left: npt.NDArray[np.float64]
    """Probability of each number of units left, rows padded with 0."""
    defender_units_left: npt.NDArray[np.float64]


def batch_odds(battles: Iterable[Battle], **options: Unpack[BatchOptions]) -> BatchOdds:
    """Return the odds of many battles at once; each row equals the odds of that battle alone.

    >>> duel = Battle(Force(spear=1), Force(spear=1))
    >>> batch_odds([duel, duel], method="exact").attacker_wins.round(6).tolist()
    [0.4, 0.4]
    """
    return batch(BatchOdds, evaluate_batch, battles, options)


def title(battle: Battle) -> str:
    """Return a one-line title of a battle: the sides, the fort, and when the attacker breaks off.

    >>> title(Battle(Force(spear=2), Force(bow=1), fort="castle", naval=True))
    '2 spear against 1 bow, castle, naval'
    """
    parts = [f"{battle.attacker} against {' and '.join(map(str, battle.defenders))}"]
    if battle.fort != "none":
        parts.append(f"{battle.fort} less {battle.fort_lost}" if battle.fort_lost else battle.fort)
    if battle.naval:
        parts.append("naval")
    if battle.break_off_below:
        parts.append(f"called off below {battle.break_off_below}")
    if battle.break_off_after:
        parts.append(f"called off after {battle.break_off_after} rounds")
    return ", ".join(parts)


def describe(odds: Odds) -> dict[str, Any]:
    """Return odds as plain numbers, lists and dicts, ready for JSON."""

    def left(forces: dict[Force, float]) -> list[dict[str, Any]]:
        return [{"force": force.as_dict(), "probability": chance} for force, chance in forces.items()]

    return describe_odds(
        odds,
        game="swords",
        question="battle",
        fields=_FIELDS,
        attacker_left=left(odds.attacker_left),
        defender_left=left(odds.defender_left),
    )


_FIELDS = (
    "attacker_wins", "defender_wins", "both_eliminated", "called_off", "rounds_mean", "attacker_units_left",
    "defender_units_left", "fort_bonus_left",
)  # fmt: skip
