"""Options of the gRPC methods, as the protos declare them: the required role, and whether to retry.

>>> method_options("sengoku.v1.SimulationService.StartRun")
MethodInfo(role='run', can_retry=True)
>>> method_options("/sengoku.v1.MatchService/Play")
MethodInfo(role='run', can_retry=False)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

from google.longrunning import operations_pb2
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions

from sengoku.v1 import (
    analysis_service_pb2,
    catalog_service_pb2,
    env_service_pb2,
    match_service_pb2,
    odds_service_pb2,
    options_pb2,
    player_service_pb2,
    simulation_service_pb2,
    tournament_service_pb2,
    tower_service_pb2,
)

Role = Literal["read", "run", "admin"]
"""Permission of a caller: read; start work; see and end the jobs of others. Each includes those before it."""
ROLES: tuple[Role, ...] = get_args(Role)
_ROLE_NAMES: dict[int, Role] = dict(enumerate(ROLES, options_pb2.ROLE_READ))


@dataclass(frozen=True)
class MethodInfo:
    """The options of a method."""

    role: Role
    """The lowest role that may call it."""
    can_retry: bool
    """Whether a client may send a request again when it does not know the outcome (AIP-194).

    A method with an `idempotency_key` counts: our clients always set that field.
    """


_FOREIGN = {
    "google.longrunning.Operations.ListOperations": MethodInfo("read", can_retry=True),
    "google.longrunning.Operations.GetOperation": MethodInfo("read", can_retry=True),
    "google.longrunning.Operations.WaitOperation": MethodInfo("read", can_retry=True),
    "google.longrunning.Operations.CancelOperation": MethodInfo("run", can_retry=True),
    "google.longrunning.Operations.DeleteOperation": MethodInfo("run", can_retry=False),
    # A health check asks about this moment, so a client does not repeat it.
    "grpc.health.v1.Health.Check": MethodInfo("read", can_retry=False),
    "grpc.health.v1.Health.List": MethodInfo("read", can_retry=False),
    "grpc.health.v1.Health.Watch": MethodInfo("read", can_retry=False),
}
"""Methods of services that are not ours and cannot carry our options."""
_FILES = (
    analysis_service_pb2.DESCRIPTOR,
    catalog_service_pb2.DESCRIPTOR,
    env_service_pb2.DESCRIPTOR,
    match_service_pb2.DESCRIPTOR,
    odds_service_pb2.DESCRIPTOR,
    player_service_pb2.DESCRIPTOR,
    simulation_service_pb2.DESCRIPTOR,
    tournament_service_pb2.DESCRIPTOR,
    tower_service_pb2.DESCRIPTOR,
    operations_pb2.GetOperationRequest.DESCRIPTOR.file,
)


def methods() -> Iterator[MethodDescriptor]:
    """Yield the methods of our services and of `google.longrunning.Operations`."""
    for file in _FILES:
        for service in file.services_by_name.values():
            yield from service.methods


def _declared(method: MethodDescriptor) -> MethodInfo:
    options: Any = method.GetOptions()
    has_key = bool(options.Extensions[options_pb2.idempotency_key])
    return MethodInfo(
        role=_ROLE_NAMES[options.Extensions[options_pb2.required_role]],
        can_retry=has_key or options.idempotency_level != MethodOptions.IDEMPOTENCY_UNKNOWN,
    )


_OPTIONS = _FOREIGN | {
    method.full_name: _declared(method) for method in methods() if method.full_name not in _FOREIGN
}


def method_options(name: str) -> MethodInfo:
    """Return the options of a method by its full name or its path (`/sengoku.v1.OddsService/Evaluate`)."""
    return _OPTIONS[name.removeprefix("/").replace("/", ".")]
