from google.rpc import status_pb2 as _status_pb2
from sengoku.v1 import game_pb2 as _game_pb2
from sengoku.v1 import match_service_pb2 as _match_service_pb2
from sengoku.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Autoreset(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AUTORESET_UNSPECIFIED: _ClassVar[Autoreset]
    AUTORESET_NEXT_STEP: _ClassVar[Autoreset]
    AUTORESET_SAME_STEP: _ClassVar[Autoreset]
    AUTORESET_DISABLED: _ClassVar[Autoreset]
AUTORESET_UNSPECIFIED: Autoreset
AUTORESET_NEXT_STEP: Autoreset
AUTORESET_SAME_STEP: Autoreset
AUTORESET_DISABLED: Autoreset

class StepRequest(_message.Message):
    __slots__ = ("open", "reset", "actions", "sample", "save", "restore", "fork", "reseed", "look")
    OPEN_FIELD_NUMBER: _ClassVar[int]
    RESET_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_FIELD_NUMBER: _ClassVar[int]
    SAVE_FIELD_NUMBER: _ClassVar[int]
    RESTORE_FIELD_NUMBER: _ClassVar[int]
    FORK_FIELD_NUMBER: _ClassVar[int]
    RESEED_FIELD_NUMBER: _ClassVar[int]
    LOOK_FIELD_NUMBER: _ClassVar[int]
    open: EnvOpen
    reset: EnvReset
    actions: _game_pb2.Tensor
    sample: EnvSample
    save: EnvSave
    restore: EnvRestore
    fork: EnvFork
    reseed: EnvReseed
    look: EnvLook
    def __init__(self, open: _Optional[_Union[EnvOpen, _Mapping]] = ..., reset: _Optional[_Union[EnvReset, _Mapping]] = ..., actions: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., sample: _Optional[_Union[EnvSample, _Mapping]] = ..., save: _Optional[_Union[EnvSave, _Mapping]] = ..., restore: _Optional[_Union[EnvRestore, _Mapping]] = ..., fork: _Optional[_Union[EnvFork, _Mapping]] = ..., reseed: _Optional[_Union[EnvReseed, _Mapping]] = ..., look: _Optional[_Union[EnvLook, _Mapping]] = ...) -> None: ...

class StepResponse(_message.Message):
    __slots__ = ("error", "columns", "actions", "data", "look")
    ERROR_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    LOOK_FIELD_NUMBER: _ClassVar[int]
    error: _status_pb2.Status
    columns: EnvColumns
    actions: _game_pb2.Tensor
    data: bytes
    look: EnvView
    def __init__(self, error: _Optional[_Union[_status_pb2.Status, _Mapping]] = ..., columns: _Optional[_Union[EnvColumns, _Mapping]] = ..., actions: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., data: _Optional[bytes] = ..., look: _Optional[_Union[EnvView, _Mapping]] = ...) -> None: ...

class EnvOpen(_message.Message):
    __slots__ = ("game", "lanes", "seats", "setup_json", "seed", "first_match", "bots", "autoreset", "max_decisions", "record", "skip_forced", "shaping", "discount")
    class BotsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: int
        value: str
        def __init__(self, key: _Optional[int] = ..., value: _Optional[str] = ...) -> None: ...
    GAME_FIELD_NUMBER: _ClassVar[int]
    LANES_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SETUP_JSON_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    FIRST_MATCH_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    AUTORESET_FIELD_NUMBER: _ClassVar[int]
    MAX_DECISIONS_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    SKIP_FORCED_FIELD_NUMBER: _ClassVar[int]
    SHAPING_FIELD_NUMBER: _ClassVar[int]
    DISCOUNT_FIELD_NUMBER: _ClassVar[int]
    game: str
    lanes: int
    seats: int
    setup_json: str
    seed: int
    first_match: int
    bots: _containers.ScalarMap[int, str]
    autoreset: Autoreset
    max_decisions: int
    record: bool
    skip_forced: bool
    shaping: float
    discount: float
    def __init__(self, game: _Optional[str] = ..., lanes: _Optional[int] = ..., seats: _Optional[int] = ..., setup_json: _Optional[str] = ..., seed: _Optional[int] = ..., first_match: _Optional[int] = ..., bots: _Optional[_Mapping[int, str]] = ..., autoreset: _Optional[_Union[Autoreset, str]] = ..., max_decisions: _Optional[int] = ..., record: _Optional[bool] = ..., skip_forced: _Optional[bool] = ..., shaping: _Optional[float] = ..., discount: _Optional[float] = ...) -> None: ...

class EnvReset(_message.Message):
    __slots__ = ("mask", "seed")
    MASK_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    mask: _game_pb2.Tensor
    seed: int
    def __init__(self, mask: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., seed: _Optional[int] = ...) -> None: ...

class EnvSample(_message.Message):
    __slots__ = ("seed",)
    SEED_FIELD_NUMBER: _ClassVar[int]
    seed: int
    def __init__(self, seed: _Optional[int] = ...) -> None: ...

class EnvSave(_message.Message):
    __slots__ = ("lane",)
    LANE_FIELD_NUMBER: _ClassVar[int]
    lane: int
    def __init__(self, lane: _Optional[int] = ...) -> None: ...

class EnvRestore(_message.Message):
    __slots__ = ("lane", "data")
    LANE_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    lane: int
    data: bytes
    def __init__(self, lane: _Optional[int] = ..., data: _Optional[bytes] = ...) -> None: ...

class EnvFork(_message.Message):
    __slots__ = ("lane", "lanes", "seed")
    LANE_FIELD_NUMBER: _ClassVar[int]
    LANES_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    lane: int
    lanes: _containers.RepeatedScalarFieldContainer[int]
    seed: int
    def __init__(self, lane: _Optional[int] = ..., lanes: _Optional[_Iterable[int]] = ..., seed: _Optional[int] = ...) -> None: ...

class EnvReseed(_message.Message):
    __slots__ = ("seed", "mask")
    SEED_FIELD_NUMBER: _ClassVar[int]
    MASK_FIELD_NUMBER: _ClassVar[int]
    seed: int
    mask: _game_pb2.Tensor
    def __init__(self, seed: _Optional[int] = ..., mask: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ...) -> None: ...

class EnvLook(_message.Message):
    __slots__ = ("lane", "seat", "match")
    LANE_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    lane: int
    seat: int
    match: bool
    def __init__(self, lane: _Optional[int] = ..., seat: _Optional[int] = ..., match: _Optional[bool] = ...) -> None: ...

class EnvView(_message.Message):
    __slots__ = ("digest", "outcome", "observation", "match")
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    digest: int
    outcome: _match_service_pb2.MatchOutcome
    observation: bytes
    match: bytes
    def __init__(self, digest: _Optional[int] = ..., outcome: _Optional[_Union[_match_service_pb2.MatchOutcome, _Mapping]] = ..., observation: _Optional[bytes] = ..., match: _Optional[bytes] = ...) -> None: ...

class EnvColumns(_message.Message):
    __slots__ = ("observation", "legal_bits", "seat", "reward", "terminated", "truncated", "match_index", "decisions", "final_observation", "final_match_index", "final_decisions", "skipped")
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    LEGAL_BITS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    REWARD_FIELD_NUMBER: _ClassVar[int]
    TERMINATED_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    MATCH_INDEX_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    FINAL_OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    FINAL_MATCH_INDEX_FIELD_NUMBER: _ClassVar[int]
    FINAL_DECISIONS_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_FIELD_NUMBER: _ClassVar[int]
    observation: _game_pb2.Tensor
    legal_bits: _game_pb2.Tensor
    seat: _game_pb2.Tensor
    reward: _game_pb2.Tensor
    terminated: _game_pb2.Tensor
    truncated: _game_pb2.Tensor
    match_index: _game_pb2.Tensor
    decisions: _game_pb2.Tensor
    final_observation: _game_pb2.Tensor
    final_match_index: _game_pb2.Tensor
    final_decisions: _game_pb2.Tensor
    skipped: _game_pb2.Tensor
    def __init__(self, observation: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., legal_bits: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., seat: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., reward: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., terminated: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., truncated: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., match_index: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., decisions: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., final_observation: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., final_match_index: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., final_decisions: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., skipped: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ...) -> None: ...
