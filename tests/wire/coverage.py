"""What the corpus covers: methods, fields and values of enums; and what it cannot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from google.protobuf import any_pb2
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from sengoku.v1 import simulation_service_pb2
from wire.normalise import Parsed, is_map, methods, unpacked

UNREACHED: dict[str, str] = {
    "grpc.health.v1.Health/List": "the client does not use it",
    "grpc.health.v1.Health/Watch": "the client does not use it",
    "google.longrunning.ListOperationsResponse.unreachable": "all runs are in one store",
    "sengoku.v1.GetStatusResponse.stopping": "a server that stops takes no calls",
    "sengoku.v1.GetStatusResponse.missing_packages": "the packages are installed where it is tested",
    "sengoku.v1.GetStatusResponse.problems": "needs a full disk",
    "sengoku.v1.GetStatusResponse.fleet": "needs a Ray cluster",
    "sengoku.v1.GetStatusResponse.fleet_workers": "needs a Ray cluster",
    "sengoku.v1.FleetWorker.name": "needs a Ray cluster",
    "sengoku.v1.FleetWorker.node": "needs a Ray cluster",
    "sengoku.v1.FleetWorker.state": "needs a Ray cluster",
    "sengoku.v1.FleetWorker.build": "needs a Ray cluster",
    "sengoku.v1.FleetWorker.threads": "needs a Ray cluster",
    "sengoku.v1.FleetWorker.units_per_second": "needs a Ray cluster",
    "sengoku.v1.FleetWorker.units": "needs a Ray cluster",
    "sengoku.v1.FleetWorker.ranges_in_flight": "needs a Ray cluster",
    "sengoku.v1.FleetWorker.seconds_since_heard": "needs a Ray cluster",
    "sengoku.v1.FleetWorker.disagreements": "needs a Ray cluster",
    "sengoku.v1.FleetWorker.why": "needs a Ray cluster",
    "sengoku.v1.MatchStatus.bot_to_act": "depends on how fast the bots are",
    "sengoku.v1.ScenarioBalance.no_results": "no match that was counted reached a length limit",
    "sengoku.v1.RunMetadata.obstacle": "needs a full disk",
    "sengoku.v1.RunState.RUN_STATE_STALLED": "needs a full disk",
    "sengoku.v1.RunState.RUN_STATE_FAILED": "needs a bug, or a store of other rules",
    "sengoku.v1.MatchAnalysis.obstacle": "needs a full disk",
    "sengoku.v1.MatchAnalysis.queue_position": "no script starts several analyses at once",
    "sengoku.v1.AnalysisState.ANALYSIS_STATE_STALLED": "needs a full disk",
    "sengoku.v1.AnalysisState.ANALYSIS_STATE_FAILED": "needs a bug, or a store of other rules",
    "sengoku.v1.Tournament.obstacle": "needs a full disk",
    "sengoku.v1.TournamentState.TOURNAMENT_STATE_STALLED": "needs a full disk",
    "sengoku.v1.TournamentState.TOURNAMENT_STATE_FAILED": "needs a bug, or a store of other rules",
    "sengoku.v1.TournamentFault.text": "the server does not set it",
    "sengoku.v1.ThrowMotion.pushes": "no throw was found that needs one",
    "sengoku.v1.ThrowMotion.escaped": "never happens",
}
"""Methods, fields and values of enums that no script reaches, each with the reason."""

IN_BOXES = (simulation_service_pb2.RunMetadata, simulation_service_pb2.StartRunResponse)
"""Messages that travel in a `google.protobuf.Any`."""
_OURS = ("sengoku.v1.", "google.longrunning.")


def wanted() -> Iterator[str]:
    """Every method, every field of its messages, and every value of their enums."""
    found: dict[str, Descriptor] = {}

    def add(message: Descriptor) -> None:
        if message.full_name in found or not message.full_name.startswith(_OURS):
            return
        found[message.full_name] = message
        for field in message.fields:
            if field.message_type is not None:
                add(field.message_type)

    for kind in IN_BOXES:
        add(kind.DESCRIPTOR)
    for name, method in methods().items():
        yield name.removeprefix("/")
        add(method.input_type)
        add(method.output_type)
    enums = {}
    for message in found.values():
        if message.GetOptions().map_entry:
            continue
        for field in message.fields:
            yield field.full_name
            if field.enum_type is not None:
                enums[field.enum_type.full_name] = field.enum_type
    for enum in enums.values():
        yield from (f"{enum.full_name}.{value.name}" for value in enum.values if value.number)


def reached(calls: Iterable[Parsed]) -> set[str]:
    """What some calls have, before anything in them is replaced."""
    found: set[str] = set()
    for call in calls:
        found.add(call.method.removeprefix("/"))
        for message in (*call.requests, *call.responses):
            _reach(message, found)
    return found


def _reach(message: Message, found: set[str]) -> None:
    if isinstance(message, any_pb2.Any):
        _reach(unpacked(message), found)
        return
    for field, value in message.ListFields():
        found.add(field.full_name)
        if is_map(field):
            continue
        for each in value if field.is_repeated else (value,):
            if isinstance(each, Message):
                _reach(each, found)
            elif field.enum_type is not None and each in field.enum_type.values_by_number:
                name = field.enum_type.values_by_number[each].name
                found.add(f"{field.enum_type.full_name}.{name}")
