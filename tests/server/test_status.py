"""The table of errors: every reason has one exception and one status, and both doors tell the same."""

import asyncio
import random
import socket
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager
from dataclasses import fields

import grpc
import pytest
from google.longrunning import operations_pb2
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from sengoku import Client, errors, server, swords
from sengoku.server import Server
from sengoku.swords import Battle, Force
from sengoku.v1 import (
    env_service_pb2,
    game_pb2,
    match_service_pb2,
    odds_service_pb2,
    player_service_pb2,
    simulation_service_pb2,
    tournament_service_pb2,
    tower_service_pb2,
)
from sengoku.wire.odds import odds_kind
from sengoku.wire.swords import battle_to_proto, odds_to_proto

BATTLE = Battle(Force(spear=1), Force(spear=1))

TABLE = {
    "INVALID_SETUP": ("SetupError", "INVALID_ARGUMENT"),
    "INVALID_ARGUMENT": ("ArgumentError", "INVALID_ARGUMENT"),
    "INVALID_DICE_SCRIPT": ("DiceScriptError", "INVALID_ARGUMENT"),
    "STATE_SPACE_TOO_LARGE": ("StateSpaceError", "INVALID_ARGUMENT"),
    "OVER_LIMIT": ("LimitError", "INVALID_ARGUMENT"),
    "REPORT_TOO_LARGE": ("ReportTooLargeError", "INVALID_ARGUMENT"),
    "MISSING_DEPENDENCY": ("MissingDependencyError", "FAILED_PRECONDITION"),
    "UNREADABLE_DATA": ("DecodeError", "INVALID_ARGUMENT"),
    "ILLEGAL_ACTION": ("IllegalActionError", "FAILED_PRECONDITION"),
    "NOT_YOUR_TURN": ("NotYourTurnError", "FAILED_PRECONDITION"),
    "MATCH_OVER": ("MatchOverError", "FAILED_PRECONDITION"),
    "NOT_READY": ("NotReadyError", "FAILED_PRECONDITION"),
    "NOT_ALLOWED": ("NotAllowedError", "PERMISSION_DENIED"),
    "MATCH_NOT_FOUND": ("MatchNotFoundError", "NOT_FOUND"),
    "STALE_MATCH": ("StaleMatchError", "ABORTED"),
    "BUSY": ("BusyError", "RESOURCE_EXHAUSTED"),
    "QUOTA_EXCEEDED": ("QuotaError", "RESOURCE_EXHAUSTED"),
    "STORE_FULL": ("StoreFullError", "RESOURCE_EXHAUSTED"),
    "STORE_UNAVAILABLE": ("StoreUnavailableError", "UNAVAILABLE"),
    "DATA_CORRUPT": ("DataCorruptError", "DATA_LOSS"),
    "UNAUTHENTICATED": ("UnauthenticatedError", "UNAUTHENTICATED"),
    "RUN_NOT_FOUND": ("RunNotFoundError", "NOT_FOUND"),
    "ANALYSIS_NOT_FOUND": ("AnalysisNotFoundError", "NOT_FOUND"),
    "ANALYSIS_NOT_OVER": ("AnalysisNotOverError", "FAILED_PRECONDITION"),
    "RUN_NOT_OVER": ("RunNotOverError", "FAILED_PRECONDITION"),
    "RUN_OVER": ("RunOverError", "FAILED_PRECONDITION"),
    "TOURNAMENT_NOT_FOUND": ("TournamentNotFoundError", "NOT_FOUND"),
    "RESPONSES_UNREAD": ("UnreadResponsesError", "RESOURCE_EXHAUSTED"),
    "TOURNAMENT_NOT_OVER": ("TournamentNotOverError", "FAILED_PRECONDITION"),
    "RULES_CHANGED": ("RulesChangedError", "FAILED_PRECONDITION"),
    "FLEET_MISMATCH": ("FleetMismatchError", "FAILED_PRECONDITION"),
    "REQUEST_ID_REUSED": ("RequestIdError", "ALREADY_EXISTS"),
    "PLAYER_NOT_FOUND": ("PlayerNotFoundError", "NOT_FOUND"),
    "NAME_TAKEN": ("NameTakenError", "ALREADY_EXISTS"),
    "CANCELLED": ("CancelledError", "CANCELLED"),
    "DEADLINE_EXCEEDED": ("DeadlineError", "DEADLINE_EXCEEDED"),
    "UNAVAILABLE": ("UnavailableError", "UNAVAILABLE"),
    "SHUTTING_DOWN": ("ShuttingDownError", "UNAVAILABLE"),
    "UNKNOWN_METHOD": ("UnknownMethodError", "UNIMPLEMENTED"),
    "INTERNAL": ("InternalError", "INTERNAL"),
}


def test_the_table_is_complete() -> None:
    found = {reason: (error.__name__, error.status) for reason, error in errors.REASONS.items()}
    assert found == TABLE
    public = {name for name in errors.__all__ if name.endswith("Error")} - {"SengokuError"}
    assert public == {name for name, _ in TABLE.values()}


@pytest.mark.parametrize("reason", TABLE)
def test_both_doors_tell_the_same(reason: str, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    error = errors.REASONS[reason]("something is 7", {"field": "something", "value": "7"})

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("sengoku.server.services.odds.method_from_proto", fail)
    with pytest.raises(errors.SengokuError) as told:
        client.exact(BATTLE)
    assert type(told.value) is type(error)
    assert str(told.value) == str(error)
    assert (told.value.reason, told.value.details) == (reason, error.details)


def test_a_bug_becomes_internal_and_tells_no_secrets(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the password is rosebud")

    monkeypatch.setattr("sengoku.server.services.odds.method_from_proto", fail)
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


SERVICES = (
    odds_service_pb2,
    simulation_service_pb2,
    match_service_pb2,
    tower_service_pb2,
    player_service_pb2,
    env_service_pb2,
    tournament_service_pb2,
    operations_pb2,
)
METHODS = [
    f"/{service.full_name}/{method.name}"
    for file in SERVICES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]


@pytest.mark.parametrize("method", METHODS)
def test_garbage_on_the_wire(server: server.Server, method: str) -> None:
    chance = random.Random(3)
    for length in (1, 2, 7, 100, 10_000):
        for _ in range(3):
            failure = raw_call(server.address, method, bytes([0xFF]) + chance.randbytes(length))
            assert failure.code() is grpc.StatusCode.INVALID_ARGUMENT
            assert reason_of(failure) == "UNREADABLE_DATA"


EMPTY = {
    "Connect": "INVALID_ARGUMENT",
    "CreateMatch": "INVALID_ARGUMENT",
    "Evaluate": "INVALID_ARGUMENT",
    "FilmThrow": "INVALID_ARGUMENT",
    "GetReplayFrames": "INVALID_ARGUMENT",
    "LoadMatch": "INVALID_ARGUMENT",
    "Play": "INVALID_ARGUMENT",
    "PlayMatches": "INVALID_ARGUMENT",
    "RunMatches": "INVALID_ARGUMENT",
    "SimulateThrows": "INVALID_ARGUMENT",
    "StartRun": "INVALID_ARGUMENT",
    "Step": "INVALID_ARGUMENT",
    "Throw": "INVALID_ARGUMENT",
}
"""What an empty request is told; those about a match or a run that is not named find none."""
EMPTY |= dict.fromkeys(("ResumeRun", "WatchRun", "ReadRun"), "RUN_NOT_FOUND")
EMPTY |= dict.fromkeys(
    tournament_service_pb2.DESCRIPTOR.services_by_name["TournamentService"].methods_by_name,
    "TOURNAMENT_NOT_FOUND",
) | {"CreateTournament": "INVALID_ARGUMENT"}
EMPTY |= dict.fromkeys(
    operations_pb2.DESCRIPTOR.services_by_name["Operations"].methods_by_name, "RUN_NOT_FOUND"
)


@pytest.mark.parametrize("method", METHODS)
def test_empty_requests(server: server.Server, method: str) -> None:
    if method.endswith(
        ("BatchEvaluate", "ListLiveMatches", "ListOperations", "ListPlayers", "ListTournaments")
    ):  # nothing asked is nothing answered
        return
    reason = EMPTY.get(method.rpartition("/")[2], "MATCH_NOT_FOUND")
    failure = raw_call(server.address, method, b"")
    assert (reason_of(failure), failure.code().name) == (reason, TABLE[reason][1])


@pytest.mark.parametrize("method", METHODS)
def test_whatever_is_sent_the_answer_has_a_reason(server: server.Server, method: str) -> None:
    """Bytes that may or may not be a message: never UNKNOWN, never without a reason."""
    chance = random.Random(4)
    failures = []
    with grpc.insecure_channel(server.address) as channel:
        call = channel.unary_unary(method)
        for _ in range(500 if method.endswith("/Evaluate") else 60):
            failures += [call.future(chance.randbytes(chance.randrange(12)), timeout=30).exception()]
    failed = [failure for failure in failures if failure is not None]
    assert {failure.code().name for failure in failed} <= {"INVALID_ARGUMENT", "NOT_FOUND"}
    assert {reason_of(failure) for failure in failed} <= {
        "UNREADABLE_DATA",
        "INVALID_SETUP",
        "INVALID_ARGUMENT",
        "OVER_LIMIT",
        "MATCH_NOT_FOUND",
        "RUN_NOT_FOUND",
        "TOURNAMENT_NOT_FOUND",
    }


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


NAMES = ("Odds", "Simulation", "Match", "Tower", "Player", "Env", "Tournament", "Catalog")
OURS = [f"sengoku.v1.{name}Service" for name in NAMES]


def test_health_and_reflection(server: server.Server) -> None:
    with grpc.insecure_channel(server.address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for name in ("", *OURS):
            answer = health.Check(health_pb2.HealthCheckRequest(service=name), timeout=30)
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        reflection = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        (answer,) = reflection.ServerReflectionInfo(iter([request]), timeout=30)
        names = {service.name for service in answer.list_services_response.service}
        assert {*OURS, "grpc.health.v1.Health"} <= names


def test_a_port_that_is_taken(server: server.Server) -> None:
    with pytest.raises(
        errors.ArgumentError, match=f"cannot listen on 127.0.0.1:{server.port}: Address already in use"
    ):
        type(server)(port=server.port)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"host": "not a host"}, "host"),
        ({"host": "unix:/tmp/socket"}, "host"),
        ({"host": "\udcff"}, "host"),
        ({"threads": 5000}, "threads"),
        ({"threads": -1}, "threads"),
    ],
)
def test_servers_that_cannot_be(options: dict, field: str) -> None:
    with pytest.raises(errors.ArgumentError) as refused:
        server.Server(port=0, **options)
    assert refused.value.details["field"] == field


@pytest.mark.parametrize("name", [field.name for field in fields(server.Limits)])
@pytest.mark.parametrize("value", [0, -1, 10**30])
def test_limits_that_cannot_be(name: str, value: int) -> None:
    with pytest.raises(errors.ArgumentError, match=f"{name} is {value}"):
        server.Limits(**{name: value})


def test_a_server_on_the_other_loopback() -> None:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:  # a machine without it says so
        with pytest.raises(errors.ArgumentError, match="cannot listen"):
            server.Server(host="::1", port=0)
        return
    with server.Server(host="::1", port=0) as running, Client(running.address, timeout=30) as client:
        assert running.address.startswith("[::1]:")
        assert client.exact(BATTLE) == BATTLE.exact()


def test_long_lists_are_refused_at_once(server: server.Server) -> None:
    message = battle_to_proto(BATTLE)
    for field, entries in (("defenders", [message.attacker] * 3000), ("attacker_losses", [1] * 100_000)):
        long = battle_to_proto(BATTLE)
        getattr(long, field).extend(entries)
        data = odds_service_pb2.EvaluateRequest(swords_battle=long).SerializeToString()
        failure = raw_call(server.address, "/sengoku.v1.OddsService/Evaluate", data)
        assert (failure.code(), reason_of(failure)) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_SETUP")
        assert f"{field} has" in failure.details()


def test_long_names_are_quoted_in_short(server: server.Server) -> None:
    failure = raw_call(server.address, "/" + "x" * 7000, b"")
    assert (failure.code(), reason_of(failure)) == (grpc.StatusCode.UNIMPLEMENTED, "UNKNOWN_METHOD")


class Liar(grpc.GenericRpcHandler):
    """A server that answers whatever it was told to."""

    def __init__(self, behaviour: Callable[[grpc.ServicerContext], bytes]) -> None:
        self.behaviour = behaviour

    def service(self, _details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler:
        """Takes every call."""
        return grpc.unary_unary_rpc_method_handler(lambda _data, context: self.behaviour(context))


@contextmanager
def lied_to(behaviour: Callable[[grpc.ServicerContext], bytes]) -> Iterator[Client]:
    """A client of such a server."""
    liar = grpc.server(futures.ThreadPoolExecutor(2), handlers=(Liar(behaviour),))
    port = liar.add_insecure_port("127.0.0.1:0")
    liar.start()
    try:
        with Client(f"127.0.0.1:{port}", timeout=30) as client:
            yield client
    finally:
        liar.stop(0).wait()


def failing(code: grpc.StatusCode, metadata: tuple = ()) -> Callable[[grpc.ServicerContext], bytes]:
    def behaviour(context: grpc.ServicerContext) -> bytes:
        context.set_trailing_metadata(metadata)
        context.abort(code, "no")
        return b""

    return behaviour


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (grpc.StatusCode.INVALID_ARGUMENT, errors.InternalError),
        (grpc.StatusCode.PERMISSION_DENIED, errors.InternalError),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, errors.LimitError),
        (grpc.StatusCode.UNAVAILABLE, errors.UnavailableError),
        (grpc.StatusCode.UNIMPLEMENTED, errors.UnknownMethodError),
    ],
)
def test_a_status_without_a_reason(code: grpc.StatusCode, error: type[errors.SengokuError]) -> None:
    garbage = (("grpc-status-details-bin", b"\xff\xff\xff"),)
    for metadata in ((), garbage):
        with lied_to(failing(code, metadata)) as client, pytest.raises(error, match=code.name):
            client.exact(BATTLE)


def test_answers_that_cannot_be() -> None:
    honest = odds_to_proto(BATTLE.exact())
    tables = [
        game_pb2.Tensor(data_type="DATA_TYPE_FLOAT64", shape=[0, 2**62]),
        game_pb2.Tensor(data_type="DATA_TYPE_FLOAT64", shape=[1] * 70, content=bytes(8)),
        game_pb2.Tensor(data_type="DATA_TYPE_UINT64", shape=[2, 2], content=bytes(32)),
        game_pb2.Tensor(data_type="DATA_TYPE_FLOAT64", shape=[-2, -2], content=bytes(32)),
        game_pb2.Tensor(data_type="DATA_TYPE_FLOAT64", shape=[2, 2], content=bytes(32)),
    ]
    for table in tables:
        answer = odds_service_pb2.EvaluateResponse(swords_odds=honest)
        answer.swords_odds.table.CopyFrom(table)
        data = answer.SerializeToString()
        with lied_to(lambda _context, data=data: data) as client, pytest.raises(errors.DecodeError):
            client.exact(BATTLE)
    columns = odds_kind(BATTLE).batch_to_proto(swords.batch_odds([BATTLE]))
    data = odds_service_pb2.BatchEvaluateResponse(swords_odds=columns).SerializeToString()
    with lied_to(lambda _context: data) as client, pytest.raises(errors.DecodeError, match="1 rows, not 2"):
        client.batch_odds([BATTLE, BATTLE])


@pytest.mark.parametrize("target", ["", " ", None, 5, "\udcff:1"])
def test_targets_that_cannot_be(target: object) -> None:
    with pytest.raises(errors.ArgumentError, match="target is"):
        Client(target)


def test_a_closed_client(server: server.Server) -> None:
    client = Client(server.address, timeout=float("inf"))
    assert client.exact(BATTLE) == BATTLE.exact()
    client.close()
    with pytest.raises(errors.UnavailableError):
        client.exact(BATTLE)
    with pytest.raises(errors.ArgumentError, match="timeout is nan"):
        Client(server.address, timeout=float("nan"))


@pytest.mark.parametrize(
    ("left", "reason"),
    [(None, "CANCELLED"), (0.5, "CANCELLED"), (0.0009, "DEADLINE_EXCEEDED"), (-0.1, "DEADLINE_EXCEEDED")],
)
def test_a_timer_that_is_early_by_a_millisecond_is_a_deadline(
    server: Server, left: float | None, reason: str
) -> None:
    trace = server._dispatch.trace("/x", 0, {}, lambda: left, connection="", peer="")
    assert trace.fail(asyncio.CancelledError()).reason == reason
