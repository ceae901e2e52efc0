"""Strikes of the tactical game and their odds.

>>> strike = Strike("SSp", "ASp", terrain="forest", leader="LM")
>>> print(strike.fight(faces=["T", "X", "C", "S", "C"]))
melee of 4 SSp with LM
against 4 ASp in forest
  attacker attacks, T X: 2 hits, no flag, 0 honor
  defender loses 2 blocks
  defender battles back, C S: 1 hit, no flag, 0 honor
  attacker loses 1 block
  defender rolls for the enemy leader, C: who lives
the attacker has 3 SSp with LM, the defender has 2 ASp
>>> odds = strike.exact()
>>> odds.method, odds.hits.round(4).tolist()
('exact', [0.4444, 0.4444, 0.1111])

A strike is a single combat without its match: one unit attacks a piece, or several levies attack together,
and it ends with the battle back. Taking ground and a bonus melee are separate strikes. Where the rules leave
a choice, the pieces define it (`inspire`, `ignore_flags`, `leader_fate`), and the strike defines whether the
defender battles back (`battle_back`) and against which unit of a charge (`against`). The only property of the
board is the `room` a unit has to retreat; a retreating unit joins no leader, and losses of other units for
lack of honor are counted but not applied. Cards played after seeing the dice, and Personal Challenge, are not
included.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from sengoku import _core
from sengoku._core import (
    MAX_SAMPLES,
    Outcome,
    Piece,
    Strike,
    StrikeFight,
    StrikeOdds,
    StrikeStep,
    evaluate_strikes,
)
from sengoku.engine.odds import BatchOptions, Columns, batch, describe_odds
from sengoku.engine.odds_table import OddsServer, OddsTable, Sizes, evaluate
from sengoku.engine.positions.battles import PositionBuilder
from sengoku.engine.words import name_text
from sengoku.errors import ArgumentError

__all__ = [
    "CARDS", "EVENTS", "FACES", "LEADERS", "MAX_SAMPLES", "OUTCOME_COLUMNS", "TERRAINS", "UNITS", "BatchOdds",
    "Odds", "OddsTable", "Outcome", "Piece", "PositionBuilder", "Strike", "StrikeFight", "StrikeOdds",
    "StrikeStep", "batch_odds", "describe", "odds_table", "title",
]  # fmt: skip

UNITS: dict[str, str] = dict(_core.UNIT_KINDS)
"""The kinds of units by their codes."""
LEADERS: dict[str, str] = dict(_core.LEADER_KINDS)
"""The kinds of leaders by their codes."""
TERRAINS: dict[str, str] = dict(_core.TERRAINS)
"""The kinds of terrain by their codes."""
CARDS: tuple[str, ...] = tuple(_core.STRIKE_CARDS)
"""The cards that a strike supports, for `attacker_cards` and `defender_cards`."""
FACES: tuple[str, ...] = tuple(_core.FACES)
"""The faces of the battle die: circle, triangle, square, flag, honor, swords."""
OUTCOME_COLUMNS: tuple[str, ...] = tuple(
    f"{side}_{what}"
    for side in ("attacker", "defender")
    for what in ("blocks", "leader", "retreat", "honor", "banners", "others")
)
"""The columns of `StrikeOdds.outcome_rows`."""
EVENTS: dict[str, str] = {
    "defender_eliminated": "defender eliminated",
    "defender_retreats": "defender retreats",
    "defender_leader_eliminated": "defender's leader falls",
    "attacker_eliminated": "attacker eliminated",
    "attacker_retreats": "attacker retreats",
    "attacker_leader_eliminated": "attacker's leader falls",
    "takes_ground": "ground may be taken",
}
"""The possible events of a strike, as fields of its odds and in words; several can happen together."""

Odds = StrikeOdds


@dataclass(frozen=True, eq=False)
class BatchOdds(Columns):
    """The odds of many strikes, one row each."""

    defender_eliminated: npt.NDArray[np.float64]
    defender_retreats: npt.NDArray[np.float64]
    defender_leader_eliminated: npt.NDArray[np.float64]
    attacker_eliminated: npt.NDArray[np.float64]
    attacker_retreats: npt.NDArray[np.float64]
    attacker_leader_eliminated: npt.NDArray[np.float64]
    takes_ground: npt.NDArray[np.float64]
    standard_error: npt.NDArray[np.float64]
    samples: npt.NDArray[np.uint64]
    """Strikes fought; 0 where the row is exact."""
    hits_mean: npt.NDArray[np.float64]
    """Mean number of hits rolled by the attack, including hits beyond the remaining blocks."""
    flags_mean: npt.NDArray[np.float64]
    honor_mean: npt.NDArray[np.float64]
    attacker_banners_mean: npt.NDArray[np.float64]
    """Mean of the banners that the attacking player gains."""
    defender_banners_mean: npt.NDArray[np.float64]
    attacker_honor_mean: npt.NDArray[np.float64]
    """Mean change of the attacking player's honor."""
    defender_honor_mean: npt.NDArray[np.float64]
    attacker_blocks_left: npt.NDArray[np.float64]
    """Probability of each number of blocks left, rows padded with 0."""
    defender_blocks_left: npt.NDArray[np.float64]


def batch_odds(strikes: Iterable[Strike], **options: Unpack[BatchOptions]) -> BatchOdds:
    """Return the odds of many strikes at once; each row equals the odds of that strike alone.

    >>> strikes = [Strike("SSp", Piece("ASp", terrain=terrain)) for terrain in ("open", "hill")]
    >>> batch_odds(strikes).hits_mean.round(6).tolist()
    [1.333333, 0.666667]
    """
    return batch(BatchOdds, evaluate_strikes, strikes, options)


def odds_table(
    attacker: Piece | str | Sequence[Piece | str],
    defender: Piece | str,
    *,
    dice_bonus: Sizes = range(5),
    blocks: Sizes = range(1, 5),
    event: str = "defender_eliminated",
    options: BatchOptions | None = None,
    client: OddsServer | None = None,
    **strike: Any,
) -> OddsTable:
    """Return the odds of strikes by extra dice of the attack and by blocks of the defender.

    `event` is one of `EVENTS`; `strike` are other arguments of `Strike`, and `options` those of `batch_odds`.
    The defender has as many blocks as the column says. With a `client` its server computes the table.

    >>> table = odds_table("SSp", "ASp", dice_bonus=range(5))
    >>> table.chance.shape, table.needed(0.5)
    ((5, 4), {1: 0, 2: 1, 3: 4, 4: None})
    """
    if event not in EVENTS:
        details = {"field": "event", "value": repr(event)}
        raise ArgumentError(f"event is {event!r}: must be one of {', '.join(EVENTS)}", details)
    target = defender if isinstance(defender, Piece) else Piece(defender)
    (kind,), known = target.__getnewargs_ex__()

    def cell(bonus: int, count: int) -> Strike:
        return Strike(attacker, Piece(kind, **(known | {"blocks": count})), dice_bonus=bonus, **strike)

    who = " and ".join(map(str, attacker if isinstance(attacker, list | tuple) else [attacker]))
    shooting = "shoots at" if strike.get("ranged") else "against"
    return evaluate(
        cell,
        batch_odds,
        options or {},
        client=client,
        attackers=dice_bonus,
        defenders=blocks,
        chance=event,
        title=f"battles: {who} {shooting} {kind}",
        chance_label=EVENTS[event],
        attacker_label="extra dice",
        defender_label=f"blocks of the defender ({kind})",
    )


def title(strike: Strike) -> str:
    """Return a one-line title of a strike: the sides, the distance and the cards.

    >>> title(Strike("SB", Piece("LI", 2), ranged=True, distance=3, attacker_cards=["fire_arrows"]))
    '4 SB shoot at 2 LI, distance 3, fire arrows'
    """
    attackers = " and ".join(map(str, strike.attackers))
    parts = [f"{attackers} {'shoot at' if strike.ranged else 'against'} {strike.defender}"]
    if strike.distance is not None:
        parts.append(f"distance {strike.distance}{' after a move' if strike.moved else ''}")
    if strike.dice_bonus:
        parts.append(f"{strike.dice_bonus} dice more")
    parts += [name_text(card) for card in (*strike.attacker_cards, *strike.defender_cards)]
    if not strike.ranged and not strike.battle_back:
        parts.append("no battle back")
    return ", ".join(parts)


def describe(odds: StrikeOdds) -> dict[str, Any]:
    """Return odds as plain numbers, lists and dicts, ready for JSON."""
    chances = odds.outcome_probabilities.tolist()
    outcomes = [
        {name: getattr(outcome, name) for name in OUTCOME_COLUMNS} | {"probability": chance}
        for outcome, chance in zip(odds.outcomes, chances, strict=True)
    ]
    fields = (*EVENTS, *_FIELDS)
    return describe_odds(odds, game="battles", question="strike", fields=fields, outcomes=outcomes)


_FIELDS = (
    "hits", "flags", "honor", "roll", "attacker_blocks_left", "defender_blocks_left", "attacker_banners",
    "defender_banners", "attacker_honor", "defender_honor",
)  # fmt: skip
