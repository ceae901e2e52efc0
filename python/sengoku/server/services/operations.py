"""google.longrunning.Operations: the runs that `StartRun` starts."""

from __future__ import annotations

import asyncio

from google.longrunning import operations_pb2
from google.protobuf import empty_pb2

from sengoku.errors import ArgumentError, invalid
from sengoku.server.call import Call, waiting
from sengoku.server.jobs.runs import Runs, RunView
from sengoku.server.paging import page_size, read_id, write_token
from sengoku.storage import State
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.errors import status_to_proto
from sengoku.wire.values import parse

__all__ = ["OperationsService", "operation_to_proto"]

_MARGIN_SECONDS = 0.05
"""A waiting call is answered this long before its deadline, so that the answer arrives in time."""
_STATES = {state.name: state for state in State if state is not State.DELETED}


def operation_to_proto(view: RunView) -> operations_pb2.Operation:
    """Encode the status of a run."""
    row = view.row
    summary = parse(pb2.RunSummary, row.summary)
    metadata = pb2.RunMetadata(
        run=parse(pb2.RunMatchesRequest, row.request),
        client=row.client,
        request_id=row.request_id,
        state=pb2.RunState.Name(row.state),
        matches_done=row.done,
        matches_per_second=view.matches_per_second,
        decisions_per_second=view.decisions_per_second,
        summary=summary,
        queue_position=view.queue_position,
        obstacle=view.obstacle,
    )
    metadata.create_time.FromNanoseconds(row.created)
    if row.ended is not None:
        metadata.end_time.FromNanoseconds(row.ended)
    if view.seconds_left is not None:
        metadata.time_left.FromMilliseconds(round(1e3 * view.seconds_left))
    operation = operations_pb2.Operation(name=row.name, done=view.over)
    operation.metadata.Pack(metadata)
    error = view.error
    if error is not None:
        operation.error.CopyFrom(status_to_proto(error))
    elif view.over:
        operation.response.Pack(pb2.StartRunResponse(summary=summary))
    return operation


class OperationsService:
    """The service that lists, awaits, cancels and deletes runs."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    def get_operation(
        self, request: operations_pb2.GetOperationRequest, call: Call
    ) -> operations_pb2.Operation:
        return operation_to_proto(self._runs.get(request.name, call.scope))

    def list_operations(
        self, request: operations_pb2.ListOperationsRequest, call: Call
    ) -> operations_pb2.ListOperationsResponse:
        if request.name not in {"", "operations"}:
            raise invalid("name", ascii(request.name[:100]), 'it must be "operations" or empty')
        most = page_size(request.page_size)
        state, client = _filter(request.filter)
        scope = call.scope
        if scope is not None and client not in {None, scope}:
            return operations_pb2.ListOperationsResponse()
        page = self._runs.page(
            before=read_id(request.page_token, request.filter), most=most, client=scope or client, state=state
        )
        token = "" if page.after is None else write_token(page.after, request.filter)
        operations = [operation_to_proto(view) for view in page.items]
        return operations_pb2.ListOperationsResponse(operations=operations, next_page_token=token)

    @waiting
    async def wait_operation(
        self, request: operations_pb2.WaitOperationRequest, call: Call
    ) -> operations_pb2.Operation:
        clock = asyncio.get_running_loop().time
        left = call.time_left()
        ends = [] if left is None else [clock() + left - _MARGIN_SECONDS]
        if request.HasField("timeout"):
            ends.append(clock() + request.timeout.seconds + request.timeout.nanos / 1e9)
        view = await asyncio.to_thread(self._runs.get, request.name, call.scope)
        while not view.over:
            seconds = min(ends) - clock() if ends else None
            if seconds is not None and seconds <= 0:
                break
            view = await self._runs.newer(view, seconds)
        return operation_to_proto(view)

    def cancel_operation(self, request: operations_pb2.CancelOperationRequest, call: Call) -> empty_pb2.Empty:
        self._runs.cancel(request.name, call.scope)
        return empty_pb2.Empty()

    def delete_operation(self, request: operations_pb2.DeleteOperationRequest, call: Call) -> empty_pb2.Empty:
        self._runs.delete(request.name, call.scope)
        return empty_pb2.Empty()


def _filter(text: str) -> tuple[State | None, str | None]:
    """Parse a filter such as `state=RUNNING AND client=NAME`."""
    conditions: dict[str, str] = {}
    for part in text.split(" AND ") if text.strip() else ():
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or name not in {"state", "client"} or name in conditions:
            problem = "expected state=STATE and client=NAME, joined by AND"
            raise invalid("filter", ascii(text[:200]), problem)
        conditions[name] = value.removeprefix('"').removesuffix('"')
    state = conditions.get("state")
    if state is not None and state not in _STATES:
        details = {"field": "filter", "value": ascii(state[:100])}
        raise ArgumentError(f"state is {state[:100]!a}, expected one of {', '.join(_STATES)}", details)
    return None if state is None else _STATES[state], conditions.get("client")
