"""Requests for odds and their answers (odds_service.proto), for every kind of fight."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from sengoku import battles, swords, tower
from sengoku.errors import ArgumentError
from sengoku.v1 import battles_pb2, swords_pb2, tower_pb2
from sengoku.v1 import odds_service_pb2 as pb2
from sengoku.wire.battles import (
    strike_from_proto,
    strike_odds_from_proto,
    strike_odds_to_proto,
    strike_to_proto,
)
from sengoku.wire.codec import EnumNames
from sengoku.wire.swords import battle_from_proto, battle_to_proto, odds_from_proto, odds_to_proto
from sengoku.wire.tensors import Columns, columns_of, encode_columns
from sengoku.wire.tower import clash_from_proto, clash_odds_from_proto, clash_odds_to_proto, clash_to_proto
from sengoku.wire.values import decode_rows, whole_to_proto

_METHODS = EnumNames(pb2.OddsMethod, "auto")


def options_to_proto(
    *, method: str = "auto", samples: int = 0, max_error: float | None = None, seed: int = 0
) -> pb2.OddsOptions:
    """Write the options of a request for odds."""
    number = _METHODS.checked_number("method", method)
    if max_error is not None and not 0 < max_error < math.inf:
        details = {"field": "max_error", "value": str(max_error)}
        raise ArgumentError(f"max_error is {max_error}, it must be a number above 0", details)
    return pb2.OddsOptions(
        method=number,
        samples=whole_to_proto("samples", samples, (1 << 63) - 1),
        max_error=max_error,
        seed=whole_to_proto("seed", seed),
    )


def method_from_proto(options: pb2.OddsOptions) -> str:
    """Read the method of a request for odds."""
    return _METHODS.name(options.method, "method")


@dataclass(frozen=True)
class OddsKind:
    """A kind of fight that has odds: its classes, its message fields and its codecs."""

    question: type[Any]
    one: str
    """Field of `EvaluateRequest`."""
    many: str
    """Field of `BatchEvaluateRequest`."""
    answer: str
    """Field of the responses."""
    to_proto: Callable[[Any], Message]
    from_proto: Callable[[Any], Any]
    odds_to_proto: Callable[[Any, pb2.OddsOptions], Message]
    odds_from_proto: Callable[[Any, Any], Any]
    batch_odds: Callable[..., Any]
    batch: type[Any]
    columns: type[Message]

    def evaluate_to_proto(self, question: Any, options: pb2.OddsOptions) -> pb2.EvaluateRequest:
        """Write a request for the odds of one fight."""
        fields: Any = {self.one: self.to_proto(question)}
        return pb2.EvaluateRequest(options=options, **fields)

    def questions_from_proto(self, messages: Iterable[Any]) -> list[Any]:
        """Read many fights; an error names its row."""
        return decode_rows(self.from_proto, messages)

    def batch_to_proto(self, batch: Any) -> Message:
        """Write the odds of many fights."""
        return encode_columns(self.columns, batch, self.batch.__dataclass_fields__)

    def batch_from_proto(self, message: Message, rows: int) -> Any:
        """Read the odds of many fights, one row each."""
        columns: Columns = {
            name: ("<u8" if name == "samples" else "<f8", 1 + name.endswith("_left"))
            for name in self.batch.__dataclass_fields__
        }
        return self.batch(**columns_of(message, columns, rows))


ODDS = (
    OddsKind(
        swords.Battle, "swords_battle", "swords_battles", "swords_odds",
        battle_to_proto, battle_from_proto,
        lambda odds, options: odds_to_proto(odds, survivors=options.include_survivors), odds_from_proto,
        swords.batch_odds, swords.BatchOdds, swords_pb2.SwordsOddsColumns,
    ),
    OddsKind(
        tower.Clash, "tower_clash", "tower_clashes", "tower_odds",
        clash_to_proto, clash_from_proto,
        lambda odds, _options: clash_odds_to_proto(odds), clash_odds_from_proto,
        tower.batch_odds, tower.BatchOdds, tower_pb2.TowerOddsColumns,
    ),
    OddsKind(
        battles.Strike, "battles_strike", "battles_strikes", "battles_odds",
        strike_to_proto, strike_from_proto,
        lambda odds, _options: strike_odds_to_proto(odds), strike_odds_from_proto,
        battles.batch_odds, battles.BatchOdds, battles_pb2.BattlesOddsColumns,
    ),
)  # fmt: skip
"""Every kind of fight that has odds."""


def odds_kind(question: object) -> OddsKind:
    """Return the kind of a battle, a clash or a strike."""
    for kind in ODDS:
        if isinstance(question, kind.question):
            return kind
    names = " or ".join(f"a {kind.question.__name__}" for kind in ODDS)
    raise TypeError(f"odds need {names}, not a {type(question).__name__}")
