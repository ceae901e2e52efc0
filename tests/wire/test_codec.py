"""The declarative codec: kinds of fields, enums, and the checks of arguments."""

from dataclasses import dataclass

import numpy as np
import pytest

from sengoku.errors import ArgumentError, DecodeError, SetupError
from sengoku.v1 import env_service_pb2, match_service_pb2, swords_pb2, tournament_service_pb2
from sengoku.wire.codec import Codec, EnumNames, nested_list, optional, plain, tuples, whole_argument
from sengoku.wire.tensors import tensor_from_proto, tensor_to_proto
from sengoku.wire.values import parse, seconds_from_proto, seconds_to_proto, table_from_json, whole_to_proto


@dataclass(frozen=True)
class Fault:
    """A message of scalars."""

    seat: int
    reason: str
    text: str = ""


@dataclass(frozen=True)
class Result:
    """A message with a list of others."""

    ranks: tuple[int, ...]
    faults: tuple[Fault, ...]


FAULT = Codec(Fault, tournament_service_pb2.TournamentFault, *plain("seat", "reason", "text"))
RESULT = Codec(
    Result, tournament_service_pb2.TournamentMatch, *tuples("ranks"), nested_list("faults", FAULT, most=2)
)


def test_a_value_survives_the_way_there_and_back() -> None:
    result = Result((1, 2), (Fault(0, "late", "x"), Fault(1, "illegal")))
    assert RESULT.decode(RESULT.encode(result)) == result


def test_fields_beside_the_table() -> None:
    assert RESULT.encode(Result((1,), ()), name="m").name == "m"
    assert Codec(Fault, tournament_service_pb2.TournamentFault, *plain("seat")).decode(
        tournament_service_pb2.TournamentFault(seat=3), reason="late"
    ) == Fault(3, "late")


def test_a_list_that_is_too_long() -> None:
    message = RESULT.encode(Result((), (Fault(0, "late"),) * 3))
    with pytest.raises(SetupError, match="at most 2") as refused:
        RESULT.decode(message)
    assert refused.value.details == {"field": "faults", "value": "3", "limit": "2"}


def test_optional_fields() -> None:
    codec = Codec(dict, match_service_pb2.MatchOutcome, *optional("winner"))
    assert codec.decode(codec.pack(winner=None)) == {"winner": None}
    assert codec.decode(codec.pack(winner=0)) == {"winner": 0}


def test_enums() -> None:
    forts = EnumNames(swords_pb2.SwordsFort, "none")
    assert [forts.name(number, "fort") for number in range(3)] == ["none", "castle", "fortress"]
    assert forts.name_or_zero(77) == "none"
    with pytest.raises(ArgumentError, match="fort: unknown value 77") as refused:
        forts.name(77, "fort")
    assert refused.value.details == {"field": "fort", "value": "77"}
    resets = EnumNames(env_service_pb2.Autoreset, "next_step")
    assert resets.number("next_step") == env_service_pb2.AUTORESET_NEXT_STEP
    with pytest.raises(ArgumentError, match="must be one of 'next_step', 'same_step', 'disabled'"):
        resets.checked_number("autoreset", "never")


def test_ranges() -> None:
    codec = Codec(dict, match_service_pb2.CreateMatchRequest, whole_argument("seed"))
    assert codec.pack(seed=np.uint64(2**64 - 1)).seed == 2**64 - 1
    for value, shown in ((-1, "-1"), (2**64, str(2**64)), (10**5000, "a huge number")):
        with pytest.raises(ArgumentError) as refused:
            codec.pack(seed=value)
        assert refused.value.details == {"field": "seed", "value": shown}
    with pytest.raises(TypeError):
        whole_to_proto("seed", None)


def test_bytes_that_are_not_a_message() -> None:
    with pytest.raises(DecodeError, match="3 bytes are not a valid MatchOutcome message"):
        parse(match_service_pb2.MatchOutcome, b"\xff\xff\xff")


@pytest.mark.parametrize(("text", "problem"), [("{", "not valid JSON"), ("[]", "not a JSON object")])
def test_texts_that_are_not_tables(text: str, problem: str) -> None:
    with pytest.raises(DecodeError, match=problem):
        table_from_json("setup_json", text)


def test_durations() -> None:
    assert seconds_from_proto("clock", seconds_to_proto(1.25)) == 1.25


def test_tensors() -> None:
    array = np.arange(6, dtype=np.uint8).reshape(2, 3)
    assert (tensor_from_proto(tensor_to_proto(array), "u1", 2) == array).all()
    with pytest.raises(DecodeError):
        tensor_from_proto(tensor_to_proto(array), "u1", 1)
    with pytest.raises(TypeError, match="cannot hold complex128"):
        tensor_to_proto(np.zeros(1, complex))
