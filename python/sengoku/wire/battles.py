"""Strikes of `battles` and their odds (battles.proto)."""

from typing import Literal

import numpy as np

from sengoku.battles import CARDS, EVENTS, LEADERS, UNITS, Piece, Strike, StrikeOdds
from sengoku.v1 import battles_pb2 as pb2
from sengoku.wire.codec import (
    Codec,
    EnumNames,
    Field,
    enum_field,
    enum_list,
    negated,
    nested_list,
    optional,
    or_none,
    plain,
    write_only,
)
from sengoku.wire.tensors import tensor_from_proto, tensor_to_proto
from sengoku.wire.values import decode_rows

_KINDS = EnumNames(pb2.BattlesKind, None, spelling=(*UNITS, *LEADERS))
_TERRAINS = EnumNames(pb2.BattlesTerrain, "open")
_CARDS = EnumNames(pb2.BattlesCard, "unspecified")
_IGNORED = {"all": None, "none": 0}


def _ignored_flags(flags: Literal["all", "none"] | int) -> int | None:
    return flags if isinstance(flags, int) else _IGNORED[flags]


PIECE = Codec(
    Piece,
    pb2.BattlesPiece,
    enum_field("kind", _KINDS),
    or_none("blocks"),
    enum_field("leader", _KINDS, zero_is_none=True),
    enum_field("terrain", _TERRAINS, zero_is_none=True),
    *plain("support", "adjacent_leader", "inspire"),
    *optional("ignore_flags", write=_ignored_flags),
    *optional("room"),
    Field(
        "leader_fate",
        "seppuku",
        lambda fate: fate == "seppuku",
        lambda message, _wire: "seppuku" if message.seppuku else None,
    ),
)
STRIKE = Codec(
    lambda attackers, **options: Strike(attacker=attackers, **options),
    pb2.BattlesStrike,
    nested_list("attackers", PIECE, most=6, what="attacker"),
    Field(
        "defender",
        "defender",
        PIECE.encode,
        lambda message, _wire: decode_rows(PIECE.decode, [message.defender], "defender")[0],
    ),
    *plain("ranged"),
    or_none("distance"),
    *plain("moved", "dice_bonus"),
    enum_list("attacker_cards", _CARDS, most=len(CARDS)),
    enum_list("defender_cards", _CARDS, most=len(CARDS)),
    negated("battle_back", "no_battle_back"),
    *plain("against"),
    *optional("attacker_honor", "defender_honor", "pool"),
)
_ODDS = Codec(
    StrikeOdds,
    pb2.BattlesOdds,
    *write_only(*EVENTS, "standard_error", "samples"),
    *write_only("hits", "flags", "honor", write=np.ndarray.tolist),
    *write_only("attacker_blocks_left", "defender_blocks_left", write=np.ndarray.tolist),
    *write_only("attacker_banners", "defender_banners", write=np.ndarray.tolist),
)

strike_to_proto, strike_from_proto = STRIKE.encode, STRIKE.decode


def strike_odds_to_proto(odds: StrikeOdds) -> pb2.BattlesOdds:
    """Write odds: the tables and the probabilities derived from them."""
    rolls, counts = odds.roll_counts, odds.outcome_counts
    return _ODDS.encode(
        odds,
        roll=tensor_to_proto(odds.roll if rolls is None else rolls),
        outcomes=tensor_to_proto(odds.outcome_rows),
        weights=tensor_to_proto(odds.outcome_probabilities if counts is None else counts),
    )


def strike_odds_from_proto(strike: Strike, message: pb2.BattlesOdds) -> StrikeOdds:
    """Read the odds of a strike: an object equal to the server's."""
    outcomes = tensor_from_proto(message.outcomes, "<i4", 2)
    weight = "<u8" if message.samples else "<f8"
    rolls = tensor_from_proto(message.roll, weight, 3)
    weights = tensor_from_proto(message.weights, weight, 1)
    if message.samples:
        return StrikeOdds.from_counts(strike, rolls, outcomes, weights, message.samples)
    return StrikeOdds.from_probabilities(strike, rolls, outcomes, weights)
