import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from sengoku.v1 import match_service_pb2 as _match_service_pb2
from sengoku.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ForfeitReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FORFEIT_REASON_UNSPECIFIED: _ClassVar[ForfeitReason]
    FORFEIT_REASON_ILLEGAL: _ClassVar[ForfeitReason]
    FORFEIT_REASON_LATE: _ClassVar[ForfeitReason]
    FORFEIT_REASON_CRASHED: _ClassVar[ForfeitReason]
    FORFEIT_REASON_DISCONNECTED: _ClassVar[ForfeitReason]

class FaultKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_KIND_UNSPECIFIED: _ClassVar[FaultKind]
    FAULT_KIND_ILLEGAL: _ClassVar[FaultKind]
    FAULT_KIND_LATE: _ClassVar[FaultKind]
    FAULT_KIND_CRASHED: _ClassVar[FaultKind]
    FAULT_KIND_UNKNOWN: _ClassVar[FaultKind]
    FAULT_KIND_TWICE: _ClassVar[FaultKind]
    FAULT_KIND_MESSAGE: _ClassVar[FaultKind]
FORFEIT_REASON_UNSPECIFIED: ForfeitReason
FORFEIT_REASON_ILLEGAL: ForfeitReason
FORFEIT_REASON_LATE: ForfeitReason
FORFEIT_REASON_CRASHED: ForfeitReason
FORFEIT_REASON_DISCONNECTED: ForfeitReason
FAULT_KIND_UNSPECIFIED: FaultKind
FAULT_KIND_ILLEGAL: FaultKind
FAULT_KIND_LATE: FaultKind
FAULT_KIND_CRASHED: FaultKind
FAULT_KIND_UNKNOWN: FaultKind
FAULT_KIND_TWICE: FaultKind
FAULT_KIND_MESSAGE: FaultKind

class ConnectRequest(_message.Message):
    __slots__ = ("hello", "answers", "heartbeat", "goodbye")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    hello: PlayerHello
    answers: PlayerAnswers
    heartbeat: PlayerHeartbeat
    goodbye: PlayerGoodbye
    def __init__(self, hello: _Optional[_Union[PlayerHello, _Mapping]] = ..., answers: _Optional[_Union[PlayerAnswers, _Mapping]] = ..., heartbeat: _Optional[_Union[PlayerHeartbeat, _Mapping]] = ..., goodbye: _Optional[_Union[PlayerGoodbye, _Mapping]] = ...) -> None: ...

class ConnectResponse(_message.Message):
    __slots__ = ("welcome", "decisions", "match_over", "fault", "heartbeat", "goodbye")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    MATCH_OVER_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    welcome: PlayerWelcome
    decisions: PlayerDecisions
    match_over: PlayerMatchOver
    fault: PlayerFault
    heartbeat: PlayerHeartbeat
    goodbye: PlayerGoodbye
    def __init__(self, welcome: _Optional[_Union[PlayerWelcome, _Mapping]] = ..., decisions: _Optional[_Union[PlayerDecisions, _Mapping]] = ..., match_over: _Optional[_Union[PlayerMatchOver, _Mapping]] = ..., fault: _Optional[_Union[PlayerFault, _Mapping]] = ..., heartbeat: _Optional[_Union[PlayerHeartbeat, _Mapping]] = ..., goodbye: _Optional[_Union[PlayerGoodbye, _Mapping]] = ...) -> None: ...

class PlayerHello(_message.Message):
    __slots__ = ("name", "games", "capacity", "observation", "view", "actions")
    NAME_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    name: str
    games: _containers.RepeatedScalarFieldContainer[str]
    capacity: int
    observation: bool
    view: bool
    actions: bool
    def __init__(self, name: _Optional[str] = ..., games: _Optional[_Iterable[str]] = ..., capacity: _Optional[int] = ..., observation: _Optional[bool] = ..., view: _Optional[bool] = ..., actions: _Optional[bool] = ...) -> None: ...

class PlayerWelcome(_message.Message):
    __slots__ = ("name", "capacity", "silence")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    SILENCE_FIELD_NUMBER: _ClassVar[int]
    name: str
    capacity: int
    silence: _duration_pb2.Duration
    def __init__(self, name: _Optional[str] = ..., capacity: _Optional[int] = ..., silence: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class PlayerDecisions(_message.Message):
    __slots__ = ("decisions",)
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    decisions: _containers.RepeatedCompositeFieldContainer[PlayerDecision]
    def __init__(self, decisions: _Optional[_Iterable[_Union[PlayerDecision, _Mapping]]] = ...) -> None: ...

class PlayerDecision(_message.Message):
    __slots__ = ("id", "match_id", "game", "seats", "seat", "decisions", "legal", "observation", "view_json", "actions", "time_left", "messages", "talk")
    ID_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    VIEW_JSON_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    TIME_LEFT_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    TALK_FIELD_NUMBER: _ClassVar[int]
    id: int
    match_id: str
    game: str
    seats: int
    seat: int
    decisions: int
    legal: _containers.RepeatedScalarFieldContainer[int]
    observation: bytes
    view_json: str
    actions: _containers.RepeatedCompositeFieldContainer[_match_service_pb2.LegalAction]
    time_left: _duration_pb2.Duration
    messages: _containers.RepeatedCompositeFieldContainer[_match_service_pb2.TableMessage]
    talk: bool
    def __init__(self, id: _Optional[int] = ..., match_id: _Optional[str] = ..., game: _Optional[str] = ..., seats: _Optional[int] = ..., seat: _Optional[int] = ..., decisions: _Optional[int] = ..., legal: _Optional[_Iterable[int]] = ..., observation: _Optional[bytes] = ..., view_json: _Optional[str] = ..., actions: _Optional[_Iterable[_Union[_match_service_pb2.LegalAction, _Mapping]]] = ..., time_left: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., messages: _Optional[_Iterable[_Union[_match_service_pb2.TableMessage, _Mapping]]] = ..., talk: _Optional[bool] = ...) -> None: ...

class PlayerAnswers(_message.Message):
    __slots__ = ("answers",)
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[PlayerAnswer]
    def __init__(self, answers: _Optional[_Iterable[_Union[PlayerAnswer, _Mapping]]] = ...) -> None: ...

class PlayerAnswer(_message.Message):
    __slots__ = ("id", "action", "failure", "said")
    ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    SAID_FIELD_NUMBER: _ClassVar[int]
    id: int
    action: int
    failure: str
    said: _containers.RepeatedCompositeFieldContainer[_match_service_pb2.SaidMessage]
    def __init__(self, id: _Optional[int] = ..., action: _Optional[int] = ..., failure: _Optional[str] = ..., said: _Optional[_Iterable[_Union[_match_service_pb2.SaidMessage, _Mapping]]] = ...) -> None: ...

class PlayerMatchOver(_message.Message):
    __slots__ = ("match_id", "seat", "ranks", "winner", "reason", "scores", "forfeit", "game")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    ranks: _containers.RepeatedScalarFieldContainer[int]
    winner: int
    reason: str
    scores: _containers.RepeatedScalarFieldContainer[int]
    forfeit: ForfeitReason
    game: str
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., ranks: _Optional[_Iterable[int]] = ..., winner: _Optional[int] = ..., reason: _Optional[str] = ..., scores: _Optional[_Iterable[int]] = ..., forfeit: _Optional[_Union[ForfeitReason, str]] = ..., game: _Optional[str] = ...) -> None: ...

class PlayerFault(_message.Message):
    __slots__ = ("id", "kind", "message")
    ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    id: int
    kind: FaultKind
    message: str
    def __init__(self, id: _Optional[int] = ..., kind: _Optional[_Union[FaultKind, str]] = ..., message: _Optional[str] = ...) -> None: ...

class PlayerHeartbeat(_message.Message):
    __slots__ = ("number",)
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    number: int
    def __init__(self, number: _Optional[int] = ...) -> None: ...

class PlayerGoodbye(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListPlayersRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListPlayersResponse(_message.Message):
    __slots__ = ("players",)
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    players: _containers.RepeatedCompositeFieldContainer[Player]
    def __init__(self, players: _Optional[_Iterable[_Union[Player, _Mapping]]] = ...) -> None: ...

class Player(_message.Message):
    __slots__ = ("name", "client", "games", "streams", "capacity", "asked")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    STREAMS_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    ASKED_FIELD_NUMBER: _ClassVar[int]
    name: str
    client: str
    games: _containers.RepeatedScalarFieldContainer[str]
    streams: int
    capacity: int
    asked: int
    def __init__(self, name: _Optional[str] = ..., client: _Optional[str] = ..., games: _Optional[_Iterable[str]] = ..., streams: _Optional[int] = ..., capacity: _Optional[int] = ..., asked: _Optional[int] = ...) -> None: ...

class SeatPlayer(_message.Message):
    __slots__ = ("bot", "name")
    BOT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    bot: str
    name: str
    def __init__(self, bot: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class PlayClock(_message.Message):
    __slots__ = ("decision", "bank", "match")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    BANK_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    decision: _duration_pb2.Duration
    bank: _duration_pb2.Duration
    match: _duration_pb2.Duration
    def __init__(self, decision: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., bank: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., match: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class PlayMatchesRequest(_message.Message):
    __slots__ = ("game", "seats", "players", "setup_json", "seed", "first_match", "match_count", "rotate", "clock", "at_once", "replays", "talk")
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    SETUP_JSON_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    FIRST_MATCH_FIELD_NUMBER: _ClassVar[int]
    MATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    ROTATE_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    AT_ONCE_FIELD_NUMBER: _ClassVar[int]
    REPLAYS_FIELD_NUMBER: _ClassVar[int]
    TALK_FIELD_NUMBER: _ClassVar[int]
    game: str
    seats: int
    players: _containers.RepeatedCompositeFieldContainer[SeatPlayer]
    setup_json: str
    seed: int
    first_match: int
    match_count: int
    rotate: bool
    clock: PlayClock
    at_once: int
    replays: bool
    talk: bool
    def __init__(self, game: _Optional[str] = ..., seats: _Optional[int] = ..., players: _Optional[_Iterable[_Union[SeatPlayer, _Mapping]]] = ..., setup_json: _Optional[str] = ..., seed: _Optional[int] = ..., first_match: _Optional[int] = ..., match_count: _Optional[int] = ..., rotate: _Optional[bool] = ..., clock: _Optional[_Union[PlayClock, _Mapping]] = ..., at_once: _Optional[int] = ..., replays: _Optional[bool] = ..., talk: _Optional[bool] = ...) -> None: ...

class PlayMatchesResponse(_message.Message):
    __slots__ = ("matches_done", "match_total", "matches")
    MATCHES_DONE_FIELD_NUMBER: _ClassVar[int]
    MATCH_TOTAL_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    matches_done: int
    match_total: int
    matches: _containers.RepeatedCompositeFieldContainer[PlayedMatch]
    def __init__(self, matches_done: _Optional[int] = ..., match_total: _Optional[int] = ..., matches: _Optional[_Iterable[_Union[PlayedMatch, _Mapping]]] = ...) -> None: ...

class PlayedMatch(_message.Message):
    __slots__ = ("match_index", "rotation", "ranks", "winner", "by_rule", "reason", "rounds", "scores", "decisions", "digest", "forfeits", "seconds", "replay")
    MATCH_INDEX_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    BY_RULE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    REPLAY_FIELD_NUMBER: _ClassVar[int]
    match_index: int
    rotation: int
    ranks: _containers.RepeatedScalarFieldContainer[int]
    winner: int
    by_rule: bool
    reason: str
    rounds: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    decisions: int
    digest: int
    forfeits: _containers.RepeatedScalarFieldContainer[ForfeitReason]
    seconds: _containers.RepeatedScalarFieldContainer[float]
    replay: str
    def __init__(self, match_index: _Optional[int] = ..., rotation: _Optional[int] = ..., ranks: _Optional[_Iterable[int]] = ..., winner: _Optional[int] = ..., by_rule: _Optional[bool] = ..., reason: _Optional[str] = ..., rounds: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ..., decisions: _Optional[int] = ..., digest: _Optional[int] = ..., forfeits: _Optional[_Iterable[_Union[ForfeitReason, str]]] = ..., seconds: _Optional[_Iterable[float]] = ..., replay: _Optional[str] = ...) -> None: ...
