"""Strikes over gRPC: the client gives what the engine gives."""

from collections.abc import Callable

import grpc
import numpy as np
import pytest
from hypothesis import given, settings

from golden.regenerate import BATTLES, STRIKES
from properties.strategies import strikes
from sengoku import Client, battles
from sengoku.battles import Strike
from sengoku.errors import ArgumentError, DecodeError, LimitError, SengokuError, SetupError
from sengoku.server import Limits, Server
from sengoku.v1 import battles_pb2, odds_service_pb2
from sengoku.wire.battles import (
    strike_from_proto,
    strike_odds_from_proto,
    strike_odds_to_proto,
    strike_to_proto,
)
from sengoku.wire.swords import battle_to_proto
from sengoku.wire.tensors import tensor_to_proto
from support.stubs import make_stub


@settings(max_examples=50)
@given(strikes())
def test_strikes_survive_the_wire(strike: Strike) -> None:
    assert strike_from_proto(strike_to_proto(strike)) == strike


@pytest.mark.parametrize("strike", STRIKES)
def test_the_client_gives_what_the_engine_gives(client: Client, strike: Strike) -> None:
    assert client.exact(strike) == strike.exact()
    assert client.odds(strike) == strike.odds()
    assert client.sample(strike, 20_001, seed=8) == strike.sample(20_001, seed=8)


@pytest.mark.parametrize(
    "options", [{}, {"method": "exact"}, {"method": "sampled", "samples": 2_000, "seed": 6}]
)
def test_batches(client: Client, options: dict) -> None:
    assert client.batch_odds(STRIKES, **options) == battles.batch_odds(STRIKES, **options)


def test_other_languages_find_everything_in_the_answer(server: Server) -> None:
    """What is left out has the defaults of the engine; what follows from the tables is in the answer, too."""
    message = battles_pb2.BattlesStrike(
        attackers=[battles_pb2.BattlesPiece(kind="BATTLES_KIND_SSP")],
        defender=battles_pb2.BattlesPiece(kind="BATTLES_KIND_BG"),
    )
    with grpc.insecure_channel(server.address) as channel:
        stub = make_stub(channel, odds_service_pb2.DESCRIPTOR, "OddsService")
        request = odds_service_pb2.EvaluateRequest(battles_strike=message)
        answer = stub.Evaluate(request, timeout=30).battles_odds
    odds = Strike("SSp", "BG").exact()
    for name in battles.EVENTS:
        assert getattr(answer, name) == getattr(odds, name)
    assert list(answer.hits) == odds.hits.tolist()
    assert list(answer.defender_blocks_left) == odds.defender_blocks_left.tolist()
    assert list(answer.attacker_banners) == odds.attacker_banners.tolist()
    rows = np.frombuffer(answer.outcomes.content, "<i4").reshape(tuple(answer.outcomes.shape))
    assert np.array_equal(rows, odds.outcome_rows)
    assert np.array_equal(np.frombuffer(answer.weights.content, "<f8"), odds.outcome_probabilities)


def changed(change: Callable[[battles_pb2.BattlesStrike], None]) -> battles_pb2.BattlesStrike:
    message = strike_to_proto(STRIKES[0])
    change(message)
    return message


@pytest.mark.parametrize(
    ("change", "kind", "told"),
    [
        (
            lambda m: setattr(m.defender, "kind", 77),
            ArgumentError,
            "defender 0: kind: unknown value 77",
        ),
        (lambda m: setattr(m.defender, "kind", 0), ArgumentError, "defender 0: kind: unknown value 0"),
        (
            lambda m: setattr(m.attackers[0], "terrain", 99),
            ArgumentError,
            "attacker 0: terrain: unknown value 99",
        ),
        (lambda m: setattr(m.attackers[0], "leader", 1), SetupError, 'attacker 0: leader is "SSp"'),
        (lambda m: setattr(m.attackers[0], "blocks", -1), SetupError, "attacker 0: blocks is -1"),
        (lambda m: setattr(m.defender, "room", 2**31 - 1), SetupError, "defender 0: room is 2147483647"),
        (lambda m: setattr(m.defender, "ignore_flags", -3), SetupError, "defender 0: ignore_flags is -3"),
        (lambda m: m.ClearField("attackers"), SetupError, "attacker: 0 units"),
        (lambda m: m.attackers.extend([m.attackers[0]] * 9), SetupError, "attackers has 10 entries"),
        (lambda m: m.attacker_cards.append(55), ArgumentError, "attacker_cards: unknown value 55"),
        (lambda m: m.attacker_cards.append(0), SetupError, 'attacker_cards is "unspecified"'),
        (lambda m: m.attacker_cards.extend([6] * 100), SetupError, "attacker_cards has 100 entries"),
        (lambda m: setattr(m, "against", -1), SetupError, "against is -1"),
        (lambda m: setattr(m, "pool", 31), SetupError, "pool is 31"),
        (lambda m: setattr(m, "distance", 3), SetupError, "distance: which is for ranged combat"),
        (lambda m: setattr(m, "ranged", True), SetupError, "ranged: true"),
    ],
)
def test_questions_that_cannot_be(
    server: Server, client: Client, change: Callable, kind: type[SengokuError], told: str
) -> None:
    bad = changed(change)
    with pytest.raises(kind) as refused:
        client.ask(odds_service_pb2.EvaluateRequest(battles_strike=bad), timeout=30)
    assert str(refused.value).startswith(told)
    good = strike_to_proto(STRIKES[0])
    request = odds_service_pb2.BatchEvaluateRequest(battles_strikes=[good, good, bad])
    with pytest.raises(kind) as refused:
        client.ask(request, timeout=30)
    assert str(refused.value).startswith(f"row 2: {told}")
    assert refused.value.details["row"] == "2"


def test_a_batch_is_of_one_game(server: Server, client: Client) -> None:
    request = odds_service_pb2.BatchEvaluateRequest(
        swords_battles=[battle_to_proto(BATTLES[0])],
        battles_strikes=[strike_to_proto(STRIKES[0])] * 2,
    )
    with pytest.raises(ArgumentError, match="battles_strikes has 2 entries") as refused:
        client.ask(request, timeout=30)
    assert refused.value.details["swords_battles"] == "1"
    with pytest.raises(TypeError, match="row 1 must be a Strike"):
        client.batch_odds([STRIKES[0], BATTLES[0]])
    with pytest.raises(TypeError, match="odds need"):
        client.odds("SSp")


def test_limits() -> None:
    limits = Limits(samples=1000, batch_rows=3)
    with Server(port=0, limits=limits) as server, Client(server.address) as client:
        with pytest.raises(LimitError, match="samples is 1001"):
            client.sample(STRIKES[0], 1001)
        with pytest.raises(LimitError, match="batch_rows is 5"):
            client.batch_odds(STRIKES)
        assert client.odds(STRIKES[0], max_error=1e-9).method == "exact"


def test_answers_that_cannot_be() -> None:
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
