import datetime

from google.longrunning import operations_pb2 as _operations_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from sengoku.v1 import game_pb2 as _game_pb2
from sengoku.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RunState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RUN_STATE_UNSPECIFIED: _ClassVar[RunState]
    RUN_STATE_QUEUED: _ClassVar[RunState]
    RUN_STATE_RUNNING: _ClassVar[RunState]
    RUN_STATE_STALLED: _ClassVar[RunState]
    RUN_STATE_SUCCEEDED: _ClassVar[RunState]
    RUN_STATE_FAILED: _ClassVar[RunState]
    RUN_STATE_CANCELLED: _ClassVar[RunState]

class RowFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROW_FORMAT_UNSPECIFIED: _ClassVar[RowFormat]
    ROW_FORMAT_PACKED: _ClassVar[RowFormat]
    ROW_FORMAT_ARROW: _ClassVar[RowFormat]
    ROW_FORMAT_PARQUET: _ClassVar[RowFormat]
RUN_STATE_UNSPECIFIED: RunState
RUN_STATE_QUEUED: RunState
RUN_STATE_RUNNING: RunState
RUN_STATE_STALLED: RunState
RUN_STATE_SUCCEEDED: RunState
RUN_STATE_FAILED: RunState
RUN_STATE_CANCELLED: RunState
ROW_FORMAT_UNSPECIFIED: RowFormat
ROW_FORMAT_PACKED: RowFormat
ROW_FORMAT_ARROW: RowFormat
ROW_FORMAT_PARQUET: RowFormat

class RunMatchesRequest(_message.Message):
    __slots__ = ("game", "seats", "bots", "setup_json", "seed", "first_match", "match_count", "threads")
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    SETUP_JSON_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    FIRST_MATCH_FIELD_NUMBER: _ClassVar[int]
    MATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    THREADS_FIELD_NUMBER: _ClassVar[int]
    game: str
    seats: int
    bots: _containers.RepeatedScalarFieldContainer[str]
    setup_json: str
    seed: int
    first_match: int
    match_count: int
    threads: int
    def __init__(self, game: _Optional[str] = ..., seats: _Optional[int] = ..., bots: _Optional[_Iterable[str]] = ..., setup_json: _Optional[str] = ..., seed: _Optional[int] = ..., first_match: _Optional[int] = ..., match_count: _Optional[int] = ..., threads: _Optional[int] = ...) -> None: ...

class RunMatchesResponse(_message.Message):
    __slots__ = ("rules_version", "bots", "reasons", "winner", "by_rule", "ranks", "rounds", "decisions", "reason", "scores", "digest")
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    BY_RULE_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    rules_version: int
    bots: _containers.RepeatedScalarFieldContainer[str]
    reasons: _containers.RepeatedScalarFieldContainer[str]
    winner: _game_pb2.Tensor
    by_rule: _game_pb2.Tensor
    ranks: _game_pb2.Tensor
    rounds: _game_pb2.Tensor
    decisions: _game_pb2.Tensor
    reason: _game_pb2.Tensor
    scores: _game_pb2.Tensor
    digest: _game_pb2.Tensor
    def __init__(self, rules_version: _Optional[int] = ..., bots: _Optional[_Iterable[str]] = ..., reasons: _Optional[_Iterable[str]] = ..., winner: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., by_rule: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., ranks: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., rounds: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., decisions: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., reason: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., scores: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., digest: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ...) -> None: ...

class StartRunRequest(_message.Message):
    __slots__ = ("run", "request_id")
    RUN_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    run: RunMatchesRequest
    request_id: str
    def __init__(self, run: _Optional[_Union[RunMatchesRequest, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class ResumeRunRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ResumeRunResponse(_message.Message):
    __slots__ = ("operation",)
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    operation: _operations_pb2.Operation
    def __init__(self, operation: _Optional[_Union[_operations_pb2.Operation, _Mapping]] = ...) -> None: ...

class StartRunResponse(_message.Message):
    __slots__ = ("summary",)
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    summary: RunSummary
    def __init__(self, summary: _Optional[_Union[RunSummary, _Mapping]] = ...) -> None: ...

class RunSummary(_message.Message):
    __slots__ = ("rules_version", "bots", "reasons", "match_count", "wins", "draws", "no_results", "reason_counts", "rounds_sum", "rounds_square_sum", "decisions_sum", "decisions_square_sum", "digest_sum")
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    MATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    DRAWS_FIELD_NUMBER: _ClassVar[int]
    NO_RESULTS_FIELD_NUMBER: _ClassVar[int]
    REASON_COUNTS_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_SUM_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_SQUARE_SUM_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_SUM_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_SQUARE_SUM_FIELD_NUMBER: _ClassVar[int]
    DIGEST_SUM_FIELD_NUMBER: _ClassVar[int]
    rules_version: int
    bots: _containers.RepeatedScalarFieldContainer[str]
    reasons: _containers.RepeatedScalarFieldContainer[str]
    match_count: int
    wins: _containers.RepeatedScalarFieldContainer[int]
    draws: int
    no_results: int
    reason_counts: _containers.RepeatedScalarFieldContainer[int]
    rounds_sum: int
    rounds_square_sum: int
    decisions_sum: int
    decisions_square_sum: int
    digest_sum: int
    def __init__(self, rules_version: _Optional[int] = ..., bots: _Optional[_Iterable[str]] = ..., reasons: _Optional[_Iterable[str]] = ..., match_count: _Optional[int] = ..., wins: _Optional[_Iterable[int]] = ..., draws: _Optional[int] = ..., no_results: _Optional[int] = ..., reason_counts: _Optional[_Iterable[int]] = ..., rounds_sum: _Optional[int] = ..., rounds_square_sum: _Optional[int] = ..., decisions_sum: _Optional[int] = ..., decisions_square_sum: _Optional[int] = ..., digest_sum: _Optional[int] = ...) -> None: ...

class RunMetadata(_message.Message):
    __slots__ = ("run", "client", "request_id", "state", "matches_done", "matches_per_second", "decisions_per_second", "time_left", "create_time", "end_time", "summary", "queue_position", "obstacle")
    RUN_FIELD_NUMBER: _ClassVar[int]
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    MATCHES_DONE_FIELD_NUMBER: _ClassVar[int]
    MATCHES_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    TIME_LEFT_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    QUEUE_POSITION_FIELD_NUMBER: _ClassVar[int]
    OBSTACLE_FIELD_NUMBER: _ClassVar[int]
    run: RunMatchesRequest
    client: str
    request_id: str
    state: RunState
    matches_done: int
    matches_per_second: float
    decisions_per_second: float
    time_left: _duration_pb2.Duration
    create_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    summary: RunSummary
    queue_position: int
    obstacle: str
    def __init__(self, run: _Optional[_Union[RunMatchesRequest, _Mapping]] = ..., client: _Optional[str] = ..., request_id: _Optional[str] = ..., state: _Optional[_Union[RunState, str]] = ..., matches_done: _Optional[int] = ..., matches_per_second: _Optional[float] = ..., decisions_per_second: _Optional[float] = ..., time_left: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., summary: _Optional[_Union[RunSummary, _Mapping]] = ..., queue_position: _Optional[int] = ..., obstacle: _Optional[str] = ...) -> None: ...

class WatchRunRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class WatchRunResponse(_message.Message):
    __slots__ = ("operation",)
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    operation: _operations_pb2.Operation
    def __init__(self, operation: _Optional[_Union[_operations_pb2.Operation, _Mapping]] = ...) -> None: ...

class ReadRunRequest(_message.Message):
    __slots__ = ("name", "format", "first_match", "match_count")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    FIRST_MATCH_FIELD_NUMBER: _ClassVar[int]
    MATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    name: str
    format: RowFormat
    first_match: int
    match_count: int
    def __init__(self, name: _Optional[str] = ..., format: _Optional[_Union[RowFormat, str]] = ..., first_match: _Optional[int] = ..., match_count: _Optional[int] = ...) -> None: ...

class ReadRunResponse(_message.Message):
    __slots__ = ("packed", "data")
    PACKED_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    packed: PackedRows
    data: bytes
    def __init__(self, packed: _Optional[_Union[PackedRows, _Mapping]] = ..., data: _Optional[bytes] = ...) -> None: ...

class PackedRows(_message.Message):
    __slots__ = ("first_match", "match_count", "rows")
    FIRST_MATCH_FIELD_NUMBER: _ClassVar[int]
    MATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    first_match: int
    match_count: int
    rows: RunMatchesResponse
    def __init__(self, first_match: _Optional[int] = ..., match_count: _Optional[int] = ..., rows: _Optional[_Union[RunMatchesResponse, _Mapping]] = ...) -> None: ...
