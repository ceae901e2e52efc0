from sengoku.v1 import game_pb2 as _game_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

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
