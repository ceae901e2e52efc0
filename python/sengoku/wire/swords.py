"""Battles of `swords` and their odds (swords.proto)."""

from typing import Any

import numpy as np

from sengoku.swords import UNITS, Battle, Force, Odds
from sengoku.v1 import swords_pb2 as pb2
from sengoku.wire.codec import Codec, EnumNames, Field, enum_field, nested, nested_list, plain, write_only
from sengoku.wire.tensors import tensor_from_proto, tensor_to_proto
from sengoku.wire.values import check_length

_FORTS = EnumNames(pb2.SwordsFort, "none")
_KINDS = EnumNames(pb2.SwordsUnit, "unspecified")
_HIRED_FIRST = ("ronin", "spear", "gun", "sword", "bow")


def _loss_order(name: str) -> Field:
    """Return the order in which a side gives up units; the default is an empty list."""

    def write(order: str | tuple[str, ...]) -> list[int]:
        if order == "cheapest":
            return []
        return [_KINDS.number(kind) for kind in (_HIRED_FIRST if isinstance(order, str) else order)]

    def read(message: Any, wire: str) -> tuple[str, ...] | None:
        kinds = getattr(message, wire)
        check_length(wire, kinds, 5)
        return tuple(_KINDS.name(kind, wire) for kind in kinds) or None

    return Field(name, name, write, read)


FORCE = Codec(Force, pb2.SwordsForce, *plain(*UNITS, "disrupted"))
BATTLE = Codec(
    lambda defenders, **options: Battle(defender=defenders, **options),
    pb2.SwordsBattle,
    nested("attacker", FORCE),
    nested_list("defenders", FORCE, most=2),
    enum_field("fort", _FORTS),
    *plain("fort_lost", "naval"),
    _loss_order("attacker_losses"),
    _loss_order("defender_losses"),
    *plain("break_off_below", "break_off_after"),
)
_ODDS = Codec(
    Odds,
    pb2.SwordsOdds,
    *write_only("attacker_wins", "defender_wins", "both_eliminated", "called_off"),
    *write_only("standard_error", "samples", "rounds_mean", "rounds_total"),
    *write_only("attacker_units_left", "defender_units_left", "fort_bonus_left", write=np.ndarray.tolist),
)

force_to_proto, force_from_proto = FORCE.encode, FORCE.decode
battle_to_proto, battle_from_proto = BATTLE.encode, BATTLE.decode


def odds_to_proto(odds: Odds, *, survivors: bool = False) -> pb2.SwordsOdds:
    """Write odds: the table and the probabilities derived from it, on request also the forces left."""

    def forces(left: dict[Force, float]) -> list[pb2.SwordsSurvivors]:
        return [
            pb2.SwordsSurvivors(force=FORCE.encode(force), probability=chance)
            for force, chance in left.items()
        ]

    return _ODDS.encode(
        odds,
        attacker_left=forces(odds.attacker_left) if survivors else None,
        defender_left=forces(odds.defender_left) if survivors else None,
        table=tensor_to_proto(odds.table if odds.counts is None else odds.counts),
    )


def odds_from_proto(battle: Battle, message: pb2.SwordsOdds) -> Odds:
    """Read the odds of a battle: an object equal to the server's."""
    if message.samples:
        counts = tensor_from_proto(message.table, "<u8", 2)
        return Odds.from_counts(battle, counts, message.samples, message.rounds_total)
    table = tensor_from_proto(message.table, "<f8", 2)
    return Odds.from_probabilities(battle, table, message.rounds_mean)
