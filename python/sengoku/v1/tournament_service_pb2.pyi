import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.rpc import status_pb2 as _status_pb2
from sengoku.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TournamentState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOURNAMENT_STATE_UNSPECIFIED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_QUEUED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_RUNNING: _ClassVar[TournamentState]
    TOURNAMENT_STATE_STALLED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_SUCCEEDED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_FAILED: _ClassVar[TournamentState]
    TOURNAMENT_STATE_CANCELLED: _ClassVar[TournamentState]
TOURNAMENT_STATE_UNSPECIFIED: TournamentState
TOURNAMENT_STATE_QUEUED: TournamentState
TOURNAMENT_STATE_RUNNING: TournamentState
TOURNAMENT_STATE_STALLED: TournamentState
TOURNAMENT_STATE_SUCCEEDED: TournamentState
TOURNAMENT_STATE_FAILED: TournamentState
TOURNAMENT_STATE_CANCELLED: TournamentState

class Tournament(_message.Message):
    __slots__ = ("name", "title", "client", "request_id", "state", "error", "format", "digest", "bots", "boards", "round", "matches_done", "matches_due", "matches_per_second", "create_time", "end_time", "queue_position", "obstacle")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    MATCHES_DONE_FIELD_NUMBER: _ClassVar[int]
    MATCHES_DUE_FIELD_NUMBER: _ClassVar[int]
    MATCHES_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    QUEUE_POSITION_FIELD_NUMBER: _ClassVar[int]
    OBSTACLE_FIELD_NUMBER: _ClassVar[int]
    name: str
    title: str
    client: str
    request_id: str
    state: TournamentState
    error: _status_pb2.Status
    format: str
    digest: str
    bots: _containers.RepeatedCompositeFieldContainer[TournamentBot]
    boards: _containers.RepeatedCompositeFieldContainer[TournamentBoard]
    round: int
    matches_done: int
    matches_due: int
    matches_per_second: float
    create_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    queue_position: int
    obstacle: str
    def __init__(self, name: _Optional[str] = ..., title: _Optional[str] = ..., client: _Optional[str] = ..., request_id: _Optional[str] = ..., state: _Optional[_Union[TournamentState, str]] = ..., error: _Optional[_Union[_status_pb2.Status, _Mapping]] = ..., format: _Optional[str] = ..., digest: _Optional[str] = ..., bots: _Optional[_Iterable[_Union[TournamentBot, _Mapping]]] = ..., boards: _Optional[_Iterable[_Union[TournamentBoard, _Mapping]]] = ..., round: _Optional[int] = ..., matches_done: _Optional[int] = ..., matches_due: _Optional[int] = ..., matches_per_second: _Optional[float] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., queue_position: _Optional[int] = ..., obstacle: _Optional[str] = ...) -> None: ...

class TournamentBot(_message.Message):
    __slots__ = ("name", "bot", "player")
    NAME_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    name: str
    bot: str
    player: str
    def __init__(self, name: _Optional[str] = ..., bot: _Optional[str] = ..., player: _Optional[str] = ...) -> None: ...

class TournamentBoard(_message.Message):
    __slots__ = ("name", "game", "rules_version", "seats", "group", "blocks", "setup_json", "seed")
    NAME_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    SETUP_JSON_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    name: str
    game: str
    rules_version: int
    seats: int
    group: int
    blocks: int
    setup_json: str
    seed: int
    def __init__(self, name: _Optional[str] = ..., game: _Optional[str] = ..., rules_version: _Optional[int] = ..., seats: _Optional[int] = ..., group: _Optional[int] = ..., blocks: _Optional[int] = ..., setup_json: _Optional[str] = ..., seed: _Optional[int] = ...) -> None: ...

class CreateTournamentRequest(_message.Message):
    __slots__ = ("spec_toml", "request_id")
    SPEC_TOML_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    spec_toml: str
    request_id: str
    def __init__(self, spec_toml: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class GetTournamentRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class ListTournamentsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTournamentsResponse(_message.Message):
    __slots__ = ("tournaments", "next_page_token")
    TOURNAMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tournaments: _containers.RepeatedCompositeFieldContainer[Tournament]
    next_page_token: str
    def __init__(self, tournaments: _Optional[_Iterable[_Union[Tournament, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class WatchTournamentRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class WatchTournamentResponse(_message.Message):
    __slots__ = ("tournament", "standings")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    standings: TournamentTable
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ..., standings: _Optional[_Union[TournamentTable, _Mapping]] = ...) -> None: ...

class GetStandingsRequest(_message.Message):
    __slots__ = ("name", "format")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    name: str
    format: str
    def __init__(self, name: _Optional[str] = ..., format: _Optional[str] = ...) -> None: ...

class GetStandingsResponse(_message.Message):
    __slots__ = ("tournament", "tables", "text")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    tables: _containers.RepeatedCompositeFieldContainer[TournamentTable]
    text: str
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ..., tables: _Optional[_Iterable[_Union[TournamentTable, _Mapping]]] = ..., text: _Optional[str] = ...) -> None: ...

class TournamentTable(_message.Message):
    __slots__ = ("name", "title", "headings", "rows", "remark")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    HEADINGS_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    REMARK_FIELD_NUMBER: _ClassVar[int]
    name: str
    title: str
    headings: _containers.RepeatedScalarFieldContainer[str]
    rows: _containers.RepeatedCompositeFieldContainer[TournamentRow]
    remark: str
    def __init__(self, name: _Optional[str] = ..., title: _Optional[str] = ..., headings: _Optional[_Iterable[str]] = ..., rows: _Optional[_Iterable[_Union[TournamentRow, _Mapping]]] = ..., remark: _Optional[str] = ...) -> None: ...

class TournamentRow(_message.Message):
    __slots__ = ("cells",)
    CELLS_FIELD_NUMBER: _ClassVar[int]
    cells: _containers.RepeatedCompositeFieldContainer[TournamentCell]
    def __init__(self, cells: _Optional[_Iterable[_Union[TournamentCell, _Mapping]]] = ...) -> None: ...

class TournamentCell(_message.Message):
    __slots__ = ("text", "whole", "number")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    WHOLE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    text: str
    whole: int
    number: float
    def __init__(self, text: _Optional[str] = ..., whole: _Optional[int] = ..., number: _Optional[float] = ...) -> None: ...

class ListTournamentMatchesRequest(_message.Message):
    __slots__ = ("name", "page_size", "page_token")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    name: str
    page_size: int
    page_token: str
    def __init__(self, name: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTournamentMatchesResponse(_message.Message):
    __slots__ = ("matches", "next_page_token")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[TournamentMatch]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[TournamentMatch, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class TournamentMatch(_message.Message):
    __slots__ = ("name", "board", "board_place", "bots", "bot_places", "number", "arrangement", "ranks", "by_rule", "reason", "rounds", "decisions", "digest", "scores", "faults")
    NAME_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    BOARD_PLACE_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    BOT_PLACES_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ARRANGEMENT_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    BY_RULE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    name: str
    board: str
    board_place: int
    bots: _containers.RepeatedScalarFieldContainer[str]
    bot_places: _containers.RepeatedScalarFieldContainer[int]
    number: int
    arrangement: int
    ranks: _containers.RepeatedScalarFieldContainer[int]
    by_rule: bool
    reason: str
    rounds: int
    decisions: int
    digest: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    faults: _containers.RepeatedCompositeFieldContainer[TournamentFault]
    def __init__(self, name: _Optional[str] = ..., board: _Optional[str] = ..., board_place: _Optional[int] = ..., bots: _Optional[_Iterable[str]] = ..., bot_places: _Optional[_Iterable[int]] = ..., number: _Optional[int] = ..., arrangement: _Optional[int] = ..., ranks: _Optional[_Iterable[int]] = ..., by_rule: _Optional[bool] = ..., reason: _Optional[str] = ..., rounds: _Optional[int] = ..., decisions: _Optional[int] = ..., digest: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ..., faults: _Optional[_Iterable[_Union[TournamentFault, _Mapping]]] = ...) -> None: ...

class TournamentFault(_message.Message):
    __slots__ = ("seat", "reason", "text")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    reason: str
    text: str
    def __init__(self, seat: _Optional[int] = ..., reason: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class GetTournamentReplayRequest(_message.Message):
    __slots__ = ("name", "match")
    NAME_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    name: str
    match: str
    def __init__(self, name: _Optional[str] = ..., match: _Optional[str] = ...) -> None: ...

class GetTournamentReplayResponse(_message.Message):
    __slots__ = ("replay",)
    REPLAY_FIELD_NUMBER: _ClassVar[int]
    replay: str
    def __init__(self, replay: _Optional[str] = ...) -> None: ...

class CancelTournamentRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class CancelTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class ResumeTournamentRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ResumeTournamentResponse(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: Tournament
    def __init__(self, tournament: _Optional[_Union[Tournament, _Mapping]] = ...) -> None: ...

class DeleteTournamentRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class DeleteTournamentResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
