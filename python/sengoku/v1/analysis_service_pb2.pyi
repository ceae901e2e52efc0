import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.rpc import status_pb2 as _status_pb2
from sengoku.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AnalysisState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ANALYSIS_STATE_UNSPECIFIED: _ClassVar[AnalysisState]
    ANALYSIS_STATE_QUEUED: _ClassVar[AnalysisState]
    ANALYSIS_STATE_RUNNING: _ClassVar[AnalysisState]
    ANALYSIS_STATE_STALLED: _ClassVar[AnalysisState]
    ANALYSIS_STATE_SUCCEEDED: _ClassVar[AnalysisState]
    ANALYSIS_STATE_FAILED: _ClassVar[AnalysisState]
    ANALYSIS_STATE_CANCELLED: _ClassVar[AnalysisState]
ANALYSIS_STATE_UNSPECIFIED: AnalysisState
ANALYSIS_STATE_QUEUED: AnalysisState
ANALYSIS_STATE_RUNNING: AnalysisState
ANALYSIS_STATE_STALLED: AnalysisState
ANALYSIS_STATE_SUCCEEDED: AnalysisState
ANALYSIS_STATE_FAILED: AnalysisState
ANALYSIS_STATE_CANCELLED: AnalysisState

class OpenMatch(_message.Message):
    __slots__ = ("match_id", "token")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ...) -> None: ...

class AnalyseMatchRequest(_message.Message):
    __slots__ = ("open", "data", "replay", "iterations", "luck", "open_cards", "seat", "seed", "horizon", "request_id")
    OPEN_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    REPLAY_FIELD_NUMBER: _ClassVar[int]
    ITERATIONS_FIELD_NUMBER: _ClassVar[int]
    LUCK_FIELD_NUMBER: _ClassVar[int]
    OPEN_CARDS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    HORIZON_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    open: OpenMatch
    data: bytes
    replay: str
    iterations: int
    luck: int
    open_cards: bool
    seat: int
    seed: int
    horizon: int
    request_id: str
    def __init__(self, open: _Optional[_Union[OpenMatch, _Mapping]] = ..., data: _Optional[bytes] = ..., replay: _Optional[str] = ..., iterations: _Optional[int] = ..., luck: _Optional[int] = ..., open_cards: _Optional[bool] = ..., seat: _Optional[int] = ..., seed: _Optional[int] = ..., horizon: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class MatchAnalysis(_message.Message):
    __slots__ = ("name", "client", "request_id", "state", "game", "decisions_done", "decisions", "queue_position", "obstacle", "create_time", "end_time", "error")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_DONE_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    QUEUE_POSITION_FIELD_NUMBER: _ClassVar[int]
    OBSTACLE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    name: str
    client: str
    request_id: str
    state: AnalysisState
    game: str
    decisions_done: int
    decisions: int
    queue_position: int
    obstacle: str
    create_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    error: _status_pb2.Status
    def __init__(self, name: _Optional[str] = ..., client: _Optional[str] = ..., request_id: _Optional[str] = ..., state: _Optional[_Union[AnalysisState, str]] = ..., game: _Optional[str] = ..., decisions_done: _Optional[int] = ..., decisions: _Optional[int] = ..., queue_position: _Optional[int] = ..., obstacle: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., error: _Optional[_Union[_status_pb2.Status, _Mapping]] = ...) -> None: ...

class AnalyseMatchResponse(_message.Message):
    __slots__ = ("analysis",)
    ANALYSIS_FIELD_NUMBER: _ClassVar[int]
    analysis: MatchAnalysis
    def __init__(self, analysis: _Optional[_Union[MatchAnalysis, _Mapping]] = ...) -> None: ...

class GetAnalysisRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetAnalysisResponse(_message.Message):
    __slots__ = ("analysis",)
    ANALYSIS_FIELD_NUMBER: _ClassVar[int]
    analysis: MatchAnalysis
    def __init__(self, analysis: _Optional[_Union[MatchAnalysis, _Mapping]] = ...) -> None: ...

class WatchAnalysisRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class WatchAnalysisResponse(_message.Message):
    __slots__ = ("analysis",)
    ANALYSIS_FIELD_NUMBER: _ClassVar[int]
    analysis: MatchAnalysis
    def __init__(self, analysis: _Optional[_Union[MatchAnalysis, _Mapping]] = ...) -> None: ...

class ReadAnalysisRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ReadAnalysisResponse(_message.Message):
    __slots__ = ("data",)
    DATA_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    def __init__(self, data: _Optional[bytes] = ...) -> None: ...

class CancelAnalysisRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class CancelAnalysisResponse(_message.Message):
    __slots__ = ("analysis",)
    ANALYSIS_FIELD_NUMBER: _ClassVar[int]
    analysis: MatchAnalysis
    def __init__(self, analysis: _Optional[_Union[MatchAnalysis, _Mapping]] = ...) -> None: ...

class ResumeAnalysisRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ResumeAnalysisResponse(_message.Message):
    __slots__ = ("analysis",)
    ANALYSIS_FIELD_NUMBER: _ClassVar[int]
    analysis: MatchAnalysis
    def __init__(self, analysis: _Optional[_Union[MatchAnalysis, _Mapping]] = ...) -> None: ...

class DeleteAnalysisRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class DeleteAnalysisResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
