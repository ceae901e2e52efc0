"""Bulk runs (simulation_service.proto): requests, result rows, sums and the status of operations."""

import math
from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np
from google.longrunning import operations_pb2
from google.protobuf.message import DecodeError as ProtobufDecodeError

from sengoku._core import MAX_THREADS
from sengoku.engine.report import MatchReport
from sengoku.engine.requests import RunRequest
from sengoku.engine.run_status import STATES, RunStatus, RunSummary
from sengoku.errors import ArgumentError, DecodeError
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.codec import Codec, EnumNames, Field, arguments, plain, times, tuples
from sengoku.wire.errors import job_error
from sengoku.wire.tensors import Columns, Numbers, encode_columns, tensor_from_proto
from sengoku.wire.values import U64_MAX, table_from_json, text_to_proto, whole_to_proto

RUN_STATES = EnumNames(pb2.RunState, "unspecified")
_ROWS: Columns = {
    "winner": ("i1", 1),
    "by_rule": ("?", 1),
    "ranks": ("u1", 2),
    "rounds": ("<u4", 1),
    "decisions": ("<u4", 1),
    "reason": ("u1", 1),
    "scores": ("<i4", 2),
    "digest": ("<u8", 1),
}
"""The columns of result rows; those of two dimensions have one column for each seat."""
_SUMS = (
    *("match_count", "draws", "no_results", "rounds_sum", "rounds_square_sum"),
    *("decisions_sum", "decisions_square_sum", "digest_sum"),
)


_MATCHES = (
    *arguments("game", "seats"),
    Field(
        "bots",
        "bots",
        lambda bots: [text_to_proto("bots", name) for name in bots],
        lambda message, _wire: tuple(message.bots),
    ),
    *arguments("setup", "seed", "first_match", "match_count"),
)
RUN = Codec(RunRequest.create, pb2.RunMatchesRequest, *_MATCHES)
_MATCHES_OF_STATUS = Codec(dict[str, Any], pb2.RunMatchesRequest, *_MATCHES)
run_from_proto = RUN.decode


def run_to_proto(request: RunRequest, threads: SupportsIndex = 0) -> pb2.RunMatchesRequest:
    """Write a request for matches."""
    return RUN.encode(request, threads=whole_to_proto("threads", threads, MAX_THREADS))


def report_to_proto(report: MatchReport) -> pb2.RunMatchesResponse:
    """Write result rows."""
    head: Any = {name: getattr(report, name) for name in ("rules_version", "bots", "reasons")}
    return encode_columns(pb2.RunMatchesResponse, report, _ROWS, **head)


def report_from_proto(
    request: pb2.RunMatchesRequest, responses: Sequence[pb2.RunMatchesResponse], counts: Sequence[int]
) -> MatchReport:
    """Read the rows of consecutive parts of a request, `counts` matches each, into one report."""
    head = responses[0]
    parts: dict[str, list[Numbers]] = {name: [] for name in _ROWS}
    for response, count in zip(responses, counts, strict=True):
        _check_same_head(head, response)
        for name in _ROWS:
            parts[name].append(_row_column(response, name, count, len(head.bots)))
    columns = {name: np.concatenate(arrays) for name, arrays in parts.items()}
    columns["by_rule"] = columns["by_rule"].view(np.uint8) > 0
    largest = int(columns["reason"].max(initial=0))
    if largest >= len(head.reasons):
        details = {"column": "reason", "value": str(largest), "expected": str(len(head.reasons))}
        raise DecodeError(f"column reason has {largest}, but there are {len(head.reasons)} reasons", details)
    return MatchReport(
        game=request.game,
        rules_version=head.rules_version,
        setup=_setup_of(request),
        seed=request.seed,
        bots=tuple(head.bots),
        reasons=tuple(head.reasons),
        match_index=np.arange(sum(counts), dtype=np.uint64) + np.uint64(request.first_match),
        **columns,
    )


def _check_same_head(head: pb2.RunMatchesResponse, other: pb2.RunMatchesResponse) -> None:
    """Refuse parts that were played by different rules or bots."""
    for field in ("rules_version", "bots", "reasons"):
        expected, found = getattr(head, field), getattr(other, field)
        if expected != found:
            details = {"field": field, "value": str(found), "expected": str(expected)}
            raise DecodeError(f"{field} is {found} in one response and {expected} in another", details)


def _row_column(response: pb2.RunMatchesResponse, name: str, count: int, seats: int) -> Numbers:
    kind, dimensions = _ROWS[name]
    column = tensor_from_proto(getattr(response, name), kind, dimensions)
    expected = (count, seats)[:dimensions]
    if not (count or column.size):
        column = column.reshape(expected)
    if column.shape != expected:
        details = {"column": name, "found": str(column.shape), "expected": str(expected)}
        raise DecodeError(f"column {name} has the shape {column.shape}, not {expected}", details)
    return column


def row_bytes(seats: int) -> int:
    """Return the size of a packed result row."""
    return sum(np.dtype(kind).itemsize * (seats if wide == 2 else 1) for kind, wide in _ROWS.values())


def pack_rows(report: MatchReport) -> bytes:
    """Pack result rows, column after column, as the tensors of a response hold them."""
    return b"".join(
        np.ascontiguousarray(getattr(report, name), kind).tobytes() for name, (kind, _) in _ROWS.items()
    )


def unpack_rows(data: bytes, count: int, seats: int) -> dict[str, Numbers]:
    """Unpack the columns of `count` rows."""
    if len(data) != count * row_bytes(seats):
        details = {"bytes": str(len(data)), "rows": str(count), "seats": str(seats)}
        raise DecodeError(f"{len(data)} bytes are not {count} rows of {seats} seats", details)
    columns, place = {}, 0
    for name, (kind, dimensions) in _ROWS.items():
        shape = (count, seats)[:dimensions]
        column = np.frombuffer(data, kind, math.prod(shape), place).reshape(shape)
        columns[name] = column.astype(column.dtype.newbyteorder("="), copy=False)
        place += column.nbytes
    return columns


_SUMMARY = Codec(
    RunSummary,
    pb2.RunSummary,
    *plain("rules_version"),
    *tuples("bots", "wins"),
    *plain(*_SUMS),
    Field(
        "reason_counts",
        "reason_counts",
        dict.values,
        lambda message, _wire: dict(zip(message.reasons, message.reason_counts, strict=True)),
    ),
)


def summary_to_proto(report: MatchReport) -> pb2.RunSummary:
    """Sum up result rows.

    Sums are modulo 2^64, which only that of the digests reaches: a match has at most 5 * 10^7 decisions, so
    the squares of 3.6 * 10^11 decisions fit however they are spread, and a server allows fewer in a run.
    """
    return _SUMMARY.encode(RunSummary.of(report), reasons=report.reasons)


def add_summary(total: pb2.RunSummary, part: pb2.RunSummary) -> pb2.RunSummary:
    """Return the sums of two sets of rows of the same game and bots."""
    lists: dict[str, Any] = {
        name: [one + other for one, other in zip(getattr(total, name), getattr(part, name), strict=True)]
        for name in ("wins", "reason_counts")
    }
    sums: dict[str, Any] = {name: (getattr(total, name) + getattr(part, name)) & U64_MAX for name in _SUMS}
    return pb2.RunSummary(
        rules_version=total.rules_version, bots=total.bots, reasons=total.reasons, **lists, **sums
    )


def run_summary_from_proto(request: pb2.RunMatchesRequest, message: pb2.RunSummary) -> RunSummary:
    """Read the sums of a run."""
    if len(message.reasons) != len(message.reason_counts) or len(message.bots) != len(message.wins):
        details = {"reasons": str(len(message.reasons)), "bots": str(len(message.bots))}
        raise DecodeError("a summary has a different number of counts than of names", details)
    return _SUMMARY.decode(message, game=request.game, setup=_setup_of(request), seed=request.seed)


def run_name_to_proto(name: str) -> str:
    """Return the full name of a run; its last part alone is accepted."""
    text = text_to_proto("name", name)
    return text if text.startswith("operations/") else f"operations/{text}"


def run_state_to_proto(state: str) -> str:
    """Return the state of a run as filters write it."""
    if state not in STATES:
        details = {"field": "state", "value": repr(state)}
        raise ArgumentError(f"state is {state!r}, it must be one of {', '.join(STATES)}", details)
    return state.upper()


def run_request_from_operation(operation: operations_pb2.Operation) -> pb2.RunMatchesRequest:
    """Read the request of a run."""
    return _metadata(operation).run


_STATUS = Codec(
    RunStatus,
    pb2.RunMetadata,
    Field("state", "state", None, lambda message, _wire: RUN_STATES.name_or_zero(message.state)),
    *plain("matches_done", "matches_per_second", "decisions_per_second"),
    Field(
        "time_left",
        "time_left",
        None,
        lambda message, wire: (
            message.time_left.ToTimedelta().total_seconds() if message.HasField(wire) else None
        ),
    ),
    *times("create_time", "end_time"),
    *plain("client", "request_id", "queue_position", "obstacle"),
)


def run_status_from_proto(operation: operations_pb2.Operation) -> RunStatus:
    """Read the status of a run."""
    metadata = _metadata(operation)
    done = metadata.HasField("summary") and metadata.summary.match_count > 0
    return _STATUS.decode(
        metadata,
        name=operation.name,
        **_MATCHES_OF_STATUS.decode(metadata.run) | {"setup": _setup_of(metadata.run)},
        summary=run_summary_from_proto(metadata.run, metadata.summary) if done else None,
        error=job_error(operation.error) if operation.HasField("error") else None,
    )


def _metadata(operation: operations_pb2.Operation) -> pb2.RunMetadata:
    metadata = pb2.RunMetadata()
    try:
        known = operation.metadata.Unpack(metadata)
    except ProtobufDecodeError:
        known = False
    if not known:
        kind = operation.metadata.type_url
        raise DecodeError(f"{operation.name} is not a run, its metadata is {kind!r}", {"type": kind})
    return metadata


def _setup_of(request: pb2.RunMatchesRequest) -> dict[str, Any]:
    return table_from_json("setup_json", request.setup_json or "{}")
