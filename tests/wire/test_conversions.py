"""Conversions of values to messages and back: fights, their odds, and rows of runs with their sums."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings

from golden.regenerate import STRIKES
from properties.strategies import battles, strikes
from sengoku.battles import Strike
from sengoku.engine.report import MatchReport
from sengoku.errors import DecodeError, SengokuError
from sengoku.server.limits import Limits
from sengoku.swords import Battle
from sengoku.v1 import battles_pb2
from sengoku.wire.battles import (
    strike_from_proto,
    strike_odds_from_proto,
    strike_odds_to_proto,
    strike_to_proto,
)
from sengoku.wire.simulation import add_summary, pack_rows, row_bytes, summary_to_proto, unpack_rows
from sengoku.wire.swords import battle_from_proto, battle_to_proto
from sengoku.wire.tensors import tensor_to_proto
from support.runs import in_process, wish


@settings(max_examples=25)
@given(battles())
def test_battles_survive_the_wire(battle: Battle) -> None:
    assert battle_from_proto(battle_to_proto(battle)) == battle


@settings(max_examples=50)
@given(strikes())
def test_strikes_survive_the_wire(strike: Strike) -> None:
    assert strike_from_proto(strike_to_proto(strike)) == strike


def test_strike_odds_that_cannot_be() -> None:
    strike = STRIKES[0]
    honest = strike_odds_to_proto(strike.exact())

    def lie(change: Callable[[battles_pb2.BattlesOdds], None], told: str) -> None:
        message = battles_pb2.BattlesOdds()
        message.CopyFrom(honest)
        change(message)
        with pytest.raises(DecodeError, match=told):
            strike_odds_from_proto(strike, message)

    def tensor(array: np.ndarray) -> object:
        return tensor_to_proto(array)

    odds = strike.exact()
    rows, chances = odds.outcome_rows, odds.outcome_probabilities
    lie(lambda m: setattr(m, "samples", 9), "tensor")
    lie(lambda m: m.ClearField("roll"), "tensor")
    lie(lambda m: m.roll.CopyFrom(tensor(odds.roll[:1])), "shape")
    lie(lambda m: m.outcomes.CopyFrom(tensor(rows[:, :5])), "shape")
    lie(lambda m: m.outcomes.CopyFrom(tensor(rows - 50)), "outcome: unknown value")
    lie(lambda m: m.outcomes.CopyFrom(tensor(rows[::-1])), "outcome is")
    lie(lambda m: m.weights.CopyFrom(tensor(chances * 2)), "add up")
    lie(lambda m: m.weights.CopyFrom(tensor(-chances)), "probability is")
    lie(lambda m: m.roll.CopyFrom(tensor(odds.roll * 2)), "add up")
    assert strike_odds_from_proto(strike, honest) == odds


def test_sums_are_those_of_the_columns() -> None:
    rows = in_process(wish(count=200))
    whole = summary_to_proto(rows)
    assert list(whole.wins) == rows.wins.tolist()
    assert dict(zip(whole.reasons, whole.reason_counts, strict=True)) == rows.reason_counts
    assert (whole.draws, whole.no_results, whole.match_count) == (rows.draws, rows.no_results, 200)
    assert whole.rounds_sum == sum(rows.rounds.tolist())
    assert whole.decisions_square_sum == sum(number**2 for number in rows.decisions.tolist())
    assert whole.rounds_square_sum == sum(number**2 for number in rows.rounds.tolist())
    assert whole.digest_sum == sum(rows.digest.tolist()) % (1 << 64)
    parts = [
        in_process(wish(count=count, first_match=first)) for first, count in ((7, 1), (8, 150), (158, 49))
    ]
    total = summary_to_proto(parts[0])
    for part in parts[1:]:
        total = add_summary(total, summary_to_proto(part))
    assert total == whole
    assert total.SerializeToString() == whole.SerializeToString()


def test_squares_of_the_longest_matches_fit() -> None:
    """No match has more than 5 * 10^7 decisions: as many as a server allows in a run, in the worst spread."""
    longest = 50_000_000
    matches = Limits().run_decisions // longest
    assert matches * longest**2 < 1 << 64
    column = np.full(3, longest, np.uint32)
    rows = in_process(wish(count=3))
    rows = MatchReport(**{**rows.__dict__, "decisions": column})
    assert summary_to_proto(rows).decisions_square_sum == 3 * longest**2


def test_packed_rows_come_back() -> None:
    rows = in_process(wish("swords", 9, seats=5, setup_json='{"max_rounds": 1}'))
    data = pack_rows(rows)
    assert len(data) == 9 * row_bytes(5)
    for name, column in unpack_rows(data, 9, 5).items():
        assert np.array_equal(column, getattr(rows, name))
        assert column.dtype == getattr(rows, name).dtype
    with pytest.raises(SengokuError, match="bytes are not 9 rows"):
        unpack_rows(data[:-1], 9, 5)
