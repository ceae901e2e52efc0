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

from collections.abc import Iterable, Sequence
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
from sengoku.engine.odds_table import OddsServer, OddsTable, Sizes, evaluate
from sengoku.engine.positions.swords import PositionBuilder
from sengoku.errors import ArgumentError

__all__ = [
    "EXACT_STATE_LIMIT", "MAX_SAMPLES", "UNITS", "BatchOdds", "Battle", "Fight", "FightStep", "Force", "Odds",
    "OddsTable", "PositionBuilder", "batch_odds", "describe", "odds_table", "title",
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


def odds_table(
    attackers: Sizes = range(1, 6),
    defenders: Sizes = range(1, 6),
    *,
    attacker_unit: str = "spear",
    defender_unit: str = "spear",
    attacker: Force | None = None,
    defender: Force | None = None,
    fort: str = "none",
    naval: bool = False,
    attacker_losses: str | Sequence[str] = "cheapest",
    defender_losses: str | Sequence[str] = "cheapest",
    break_off_below: int = 0,
    break_off_after: int = 0,
    client: OddsServer | None = None,
    **options: Unpack[BatchOptions],
) -> OddsTable:
    """Return the odds of battles by the number of one kind of unit on each side.

    `attacker` and `defender` are what stands beside these units: without a daimyo a force has at most 5. The
    other arguments are those of `Battle` and of `batch_odds`; `chance` is that the attacker wins. With a
    `client` its server computes the table.

    >>> table = odds_table(range(1, 6), range(1, 4), naval=True)
    >>> table.chance.shape, table.needed(0.8)
    ((5, 3), {1: 3, 2: 4, 3: None})
    """
    beside = {"attacker": attacker, "defender": defender}
    units = {"attacker": attacker_unit, "defender": defender_unit}
    for side, unit in units.items():
        if unit not in UNITS:
            details = {"field": f"{side}_unit", "value": repr(unit)}
            raise ArgumentError(f"{side}_unit is {unit!r}: must be one of {', '.join(UNITS)}", details)

    def force(side: str, count: int) -> Force:
        others = beside[side]
        numbers = {} if others is None else {name: getattr(others, name) for name in (*UNITS, "disrupted")}
        unit = units[side]
        return Force(**(numbers | {unit: numbers.get(unit, 0) + count}))

    def battle(attack: int, defence: int) -> Battle:
        return Battle(
            force("attacker", attack),
            force("defender", defence),
            fort=fort,
            naval=naval,
            attacker_losses=attacker_losses,
            defender_losses=defender_losses,
            break_off_below=break_off_below,
            break_off_after=break_off_after,
        )

    parts = ["swords: battle", *(["naval"] if naval else []), *([fort] if fort != "none" else [])]
    if break_off_below:
        parts.append(f"called off below {break_off_below}")
    if break_off_after:
        parts.append(f"called off after {break_off_after} rounds")

    def label(side: str, words: str) -> str:
        others = beside[side]
        return f"{words} {units[side]}" + ("" if others is None else f" beside {others}")

    return evaluate(
        battle,
        batch_odds,
        options,
        client=client,
        attackers=attackers,
        defenders=defenders,
        chance="attacker_wins",
        title=", ".join(parts),
        chance_label="the attacker wins",
        attacker_label=label("attacker", "attacking"),
        defender_label=label("defender", "defending"),
    )


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
