"""google.longrunning.Operations: the runs that `StartRun` begins."""

from __future__ import annotations

import asyncio
import base64
import binascii
import zlib

from google.longrunning import operations_pb2
from google.protobuf import empty_pb2

from sengoku.errors import ArgumentError
from sengoku.server.dispatch import Call, waiting
from sengoku.server.jobs.runs import Runs, RunView
from sengoku.storage.store import State
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire import convert
from sengoku.wire.errors import status_to_proto

__all__ = ["OperationsService", "operation_to_proto", "scope_of"]

_PAGE = 100
_LARGEST_PAGE = 1_000
_MARGIN_SECONDS = 0.05
"""So long before its deadline a call that waits is answered, so that the answer is in time."""
_STATES = {state.name: state for state in State if state is not State.DELETED}


def scope_of(call: Call) -> str | None:
    """Whose runs a caller sees: its own, or None for those of all."""
    return None if call.caller.may("admin") else call.caller.name


def operation_to_proto(view: RunView) -> operations_pb2.Operation:
    """Writes how a run is getting on."""
    row = view.row
    summary = convert.parse(pb2.RunSummary, row.summary)
    metadata = pb2.RunMetadata(
        run=convert.parse(pb2.RunMatchesRequest, row.request),
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
    """Looks after runs that have begun."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    def get_operation(
        self, request: operations_pb2.GetOperationRequest, call: Call
    ) -> operations_pb2.Operation:
        return operation_to_proto(self._runs.get(request.name, scope_of(call)))

    def list_operations(
        self, request: operations_pb2.ListOperationsRequest, call: Call
    ) -> operations_pb2.ListOperationsResponse:
        if request.name not in {"", "operations"}:
            details = {"field": "name", "value": ascii(request.name[:100])}
            raise ArgumentError(f'name is {request.name[:100]!a}, only "operations" has any', details)
        if request.page_size < 0:
            details = {"field": "page_size", "value": str(request.page_size)}
            raise ArgumentError(f"page_size is {request.page_size}, it must not be below 0", details)
        state, client = _filter(request.filter)
        scope = scope_of(call)
        if scope is not None and client not in {None, scope}:
            return operations_pb2.ListOperationsResponse()
        views, after = self._runs.page(
            before=_read_token(request.page_token, request.filter),
            most=min(request.page_size or _PAGE, _LARGEST_PAGE),
            client=scope or client,
            state=state,
        )
        token = "" if after is None else _write_token(after, request.filter)
        operations = [operation_to_proto(view) for view in views]
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
        view = await asyncio.to_thread(self._runs.get, request.name, scope_of(call))
        while not view.over:
            seconds = min(ends) - clock() if ends else None
            if seconds is not None and seconds <= 0:
                break
            view = await self._runs.newer(view, seconds)
        return operation_to_proto(view)

    def cancel_operation(self, request: operations_pb2.CancelOperationRequest, call: Call) -> empty_pb2.Empty:
        self._runs.cancel(request.name, scope_of(call))
        return empty_pb2.Empty()

    def delete_operation(self, request: operations_pb2.DeleteOperationRequest, call: Call) -> empty_pb2.Empty:
        self._runs.delete(request.name, scope_of(call))
        return empty_pb2.Empty()


def _filter(text: str) -> tuple[State | None, str | None]:
    """Reads a filter such as `state=RUNNING AND client=NAME`."""
    wishes: dict[str, str] = {}
    for part in text.split(" AND ") if text.strip() else ():
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or name not in {"state", "client"} or name in wishes:
            details = {"field": "filter", "value": ascii(text[:200])}
            message = f"filter is {text[:200]!a}, it can be state=STATE and client=NAME, joined by AND"
            raise ArgumentError(message, details)
        wishes[name] = value.removeprefix('"').removesuffix('"')
    state = wishes.get("state")
    if state is not None and state not in _STATES:
        details = {"field": "filter", "value": ascii(state[:100])}
        raise ArgumentError(f"state is {state[:100]!a}, there is {', '.join(_STATES)}", details)
    return None if state is None else _STATES[state], wishes.get("client")


def _write_token(before: int, filter_text: str) -> str:
    """Says where a page begins; it fits only the list that it came from."""
    data = f"{before}.{zlib.crc32(filter_text.encode())}"
    return base64.urlsafe_b64encode(data.encode()).decode().rstrip("=")


def _read_token(token: str, filter_text: str) -> int | None:
    if not token:
        return None
    try:
        data = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        before = int(data.partition(b".")[0])
        if _write_token(before, filter_text) == token:
            return before
    except (ValueError, binascii.Error):
        pass
    details = {"field": "page_token", "value": ascii(token[:100])}
    raise ArgumentError(f"page_token is {token[:100]!a}, which no page of this list gave", details)
