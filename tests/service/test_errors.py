"""The table of errors: every reason has one exception and one status, and both doors tell the same."""

import random

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from sengoku import Client, errors, server
from sengoku.swords import Battle, Force

BATTLE = Battle(Force(spear=1), Force(spear=1))

TABLE = {
    "INVALID_SETUP": ("SetupError", "INVALID_ARGUMENT"),
    "INVALID_ARGUMENT": ("ArgumentError", "INVALID_ARGUMENT"),
    "INVALID_DICE_SCRIPT": ("DiceScriptError", "INVALID_ARGUMENT"),
    "STATE_SPACE_TOO_LARGE": ("StateSpaceError", "INVALID_ARGUMENT"),
    "OVER_LIMIT": ("LimitError", "INVALID_ARGUMENT"),
    "UNREADABLE_DATA": ("DecodeError", "INVALID_ARGUMENT"),
    "ILLEGAL_ACTION": ("IllegalActionError", "FAILED_PRECONDITION"),
    "NOT_YOUR_TURN": ("NotYourTurnError", "FAILED_PRECONDITION"),
    "MATCH_OVER": ("MatchOverError", "FAILED_PRECONDITION"),
    "MATCH_NOT_FOUND": ("MatchNotFoundError", "NOT_FOUND"),
    "STALE_MATCH": ("StaleMatchError", "ABORTED"),
    "BUSY": ("BusyError", "RESOURCE_EXHAUSTED"),
    "CANCELLED": ("CancelledError", "CANCELLED"),
    "DEADLINE_EXCEEDED": ("DeadlineError", "DEADLINE_EXCEEDED"),
    "UNAVAILABLE": ("UnavailableError", "UNAVAILABLE"),
    "UNKNOWN_METHOD": ("UnknownMethodError", "UNIMPLEMENTED"),
    "INTERNAL": ("InternalError", "INTERNAL"),
}


def test_the_table_is_complete() -> None:
    found = {reason: (error.__name__, error.code.name) for reason, error in errors.REASONS.items()}
    assert found == TABLE
    public = {name for name in errors.__all__ if name.endswith("Error")} - {"SengokuError"}
    assert public == {name for name, _ in TABLE.values()}


@pytest.mark.parametrize("reason", TABLE)
def test_both_doors_tell_the_same(reason: str, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    error = errors.REASONS[reason]("something is 7", {"field": "something", "value": "7"})

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("sengoku.convert.battle_from_proto", fail)
    with pytest.raises(errors.SengokuError) as told:
        client.exact(BATTLE)
    assert type(told.value) is type(error)
    assert str(told.value) == str(error)
    assert (told.value.reason, told.value.details) == (reason, error.details)


def test_a_bug_becomes_internal_and_tells_no_secrets(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the password is rosebud")

    monkeypatch.setattr("sengoku.convert.battle_from_proto", fail)
    with pytest.raises(errors.InternalError) as told:
        client.exact(BATTLE)
    assert "rosebud" not in str(told.value)


def raw_call(address: str, method: str, data: bytes) -> grpc.RpcError:
    """Sends bytes as they are and returns the failure."""
    with grpc.insecure_channel(address) as channel:
        call = channel.unary_unary(method, request_serializer=None, response_deserializer=None)
        with pytest.raises(grpc.RpcError) as failure:
            call(data, timeout=30)
        return failure.value


def reason_of(failure: grpc.RpcError) -> str:
    info = error_details_pb2.ErrorInfo()
    assert rpc_status.from_call(failure).details[0].Unpack(info)
    assert info.domain == "sengoku"
    return info.reason


@pytest.mark.parametrize("method", ["Evaluate", "BatchEvaluate"])
def test_garbage_on_the_wire(server: server.Server, method: str) -> None:
    chance = random.Random(3)
    path = f"/sengoku.v1.OddsService/{method}"
    for length in (1, 2, 7, 100, 10_000):
        for _ in range(20):
            failure = raw_call(server.address, path, bytes([0xFF]) + chance.randbytes(length))
            assert failure.code() is grpc.StatusCode.INVALID_ARGUMENT
            assert reason_of(failure) == "UNREADABLE_DATA"


def test_whatever_is_sent_the_answer_has_a_reason(server: server.Server) -> None:
    """Bytes that may or may not be a message: never UNKNOWN, never without a reason."""
    chance = random.Random(4)
    failures = []
    with grpc.insecure_channel(server.address) as channel:
        call = channel.unary_unary("/sengoku.v1.OddsService/Evaluate")
        for _ in range(500):
            failures += [call.future(chance.randbytes(chance.randrange(12)), timeout=30).exception()]
    failed = [failure for failure in failures if failure is not None]
    assert {failure.code() for failure in failed} == {grpc.StatusCode.INVALID_ARGUMENT}
    assert {reason_of(failure) for failure in failed} <= {
        "UNREADABLE_DATA",
        "INVALID_SETUP",
        "INVALID_ARGUMENT",
    }


def test_an_empty_question(server: server.Server) -> None:
    failure = raw_call(server.address, "/sengoku.v1.OddsService/Evaluate", b"")
    assert (failure.code(), reason_of(failure)) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_ARGUMENT")


@pytest.mark.parametrize(
    "method", ["/sengoku.v1.OddsService/Guess", "/sengoku.v2.OddsService/Evaluate", "/x"]
)
def test_methods_that_do_not_exist(server: server.Server, method: str) -> None:
    failure = raw_call(server.address, method, b"")
    assert (failure.code(), reason_of(failure)) == (grpc.StatusCode.UNIMPLEMENTED, "UNKNOWN_METHOD")


def test_a_message_that_is_too_long(server: server.Server) -> None:
    failure = raw_call(
        server.address, "/sengoku.v1.OddsService/Evaluate", bytes(server.limits.message_bytes + 1)
    )
    assert (failure.code(), reason_of(failure)) == (grpc.StatusCode.INVALID_ARGUMENT, "OVER_LIMIT")
    huge = raw_call(
        server.address, "/sengoku.v1.OddsService/Evaluate", bytes(4 * server.limits.message_bytes)
    )
    assert huge.code() is grpc.StatusCode.RESOURCE_EXHAUSTED  # gRPC's own word, before we see it


def test_health_and_reflection(server: server.Server) -> None:
    with grpc.insecure_channel(server.address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for name in ("", "sengoku.v1.OddsService"):
            answer = health.Check(health_pb2.HealthCheckRequest(service=name), timeout=30)
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        reflection = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        (answer,) = reflection.ServerReflectionInfo(iter([request]), timeout=30)
        names = {service.name for service in answer.list_services_response.service}
        assert {"sengoku.v1.OddsService", "sengoku.v1.CatalogService", "grpc.health.v1.Health"} <= names


def test_a_port_that_is_taken(server: server.Server) -> None:
    with pytest.raises(errors.ArgumentError, match=f"port is {server.port}"):
        type(server)(port=server.port)
