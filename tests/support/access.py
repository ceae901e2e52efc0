"""Tokens, clocks and addresses for tests of access."""

from pathlib import Path

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from sengoku import errors
from sengoku.wire.methods import methods

ANYWHERE = "0.0.0.0"  # noqa: S104 - what is refused


LOCAL = "ipv4:127.0.0.1:40000"


class Clock:
    """A clock that only advances when a test advances it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Returns the time."""
        return self.now


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def write(file: Path, *entries: str) -> Path:
    """Writes a token file anew, as editors do: another file in its place."""
    other = file.with_suffix(".new")
    other.write_text("\n".join(entries) or "token = []\n")
    other.chmod(0o600)
    other.replace(file)
    return file


METHODS = {f"/{method.containing_service.full_name}/{method.name}": method for method in methods()}


READING = {
    *(method for method in METHODS if method.startswith("/sengoku.v1.CatalogService/")),
    "/google.longrunning.Operations/GetOperation",
    "/google.longrunning.Operations/ListOperations",
    "/google.longrunning.Operations/WaitOperation",
    "/sengoku.v1.MatchService/ListLiveMatches",
    "/sengoku.v1.MatchService/WatchMatch",
    "/sengoku.v1.PlayerService/ListPlayers",
    "/sengoku.v1.SimulationService/ReadRun",
    "/sengoku.v1.SimulationService/WatchRun",
    "/sengoku.v1.TournamentService/GetStandings",
    "/sengoku.v1.AnalysisService/GetAnalysis",
    "/sengoku.v1.AnalysisService/ReadAnalysis",
    "/sengoku.v1.AnalysisService/WatchAnalysis",
    "/sengoku.v1.TournamentService/GetTournament",
    "/sengoku.v1.TournamentService/ListTournamentMatches",
    "/sengoku.v1.TournamentService/ListTournaments",
    "/sengoku.v1.TournamentService/WatchTournament",
}
"""Methods that the role `read` may call."""


GET_VERSION = "/sengoku.v1.CatalogService/GetVersion"


EVALUATE = "/sengoku.v1.OddsService/Evaluate"


def ask(channel: grpc.Channel, method: str, token: str | None = None, data: bytes = b"") -> str:
    """Calls a method with an empty request and returns the reason of the failure, or OK."""
    metadata = () if token is None else (("authorization", f"Bearer {token}"),)
    try:
        if method in METHODS and METHODS[method].server_streaming:
            stream = channel.unary_stream(method, request_serializer=None, response_deserializer=None)
            list(stream(data, timeout=30, metadata=metadata))
        else:
            unary = channel.unary_unary(method, request_serializer=None, response_deserializer=None)
            unary(data, timeout=30, metadata=metadata)
    except grpc.RpcError as error:
        failure = error
    else:
        return "OK"
    status = rpc_status.from_call(failure)
    if status is None:
        return str(failure.code().name)
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert errors.REASONS[info.reason].status == failure.code().name
    return str(info.reason)
