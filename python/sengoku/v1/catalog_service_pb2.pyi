from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Game(_message.Message):
    __slots__ = ("id", "summary", "min_seats", "max_seats", "rules_version", "capabilities", "action_count", "observation_size", "bots", "reasons")
    ID_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    MIN_SEATS_FIELD_NUMBER: _ClassVar[int]
    MAX_SEATS_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    ACTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_SIZE_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    id: str
    summary: str
    min_seats: int
    max_seats: int
    rules_version: int
    capabilities: _containers.RepeatedScalarFieldContainer[str]
    action_count: int
    observation_size: int
    bots: _containers.RepeatedCompositeFieldContainer[Bot]
    reasons: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[str] = ..., summary: _Optional[str] = ..., min_seats: _Optional[int] = ..., max_seats: _Optional[int] = ..., rules_version: _Optional[int] = ..., capabilities: _Optional[_Iterable[str]] = ..., action_count: _Optional[int] = ..., observation_size: _Optional[int] = ..., bots: _Optional[_Iterable[_Union[Bot, _Mapping]]] = ..., reasons: _Optional[_Iterable[str]] = ...) -> None: ...

class Bot(_message.Message):
    __slots__ = ("name", "summary")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    name: str
    summary: str
    def __init__(self, name: _Optional[str] = ..., summary: _Optional[str] = ...) -> None: ...

class ListGamesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListGamesResponse(_message.Message):
    __slots__ = ("games",)
    GAMES_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[Game]
    def __init__(self, games: _Optional[_Iterable[_Union[Game, _Mapping]]] = ...) -> None: ...

class TowerModel(_message.Message):
    __slots__ = ("name", "summary", "parameter_sets", "max_throws")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_SETS_FIELD_NUMBER: _ClassVar[int]
    MAX_THROWS_FIELD_NUMBER: _ClassVar[int]
    name: str
    summary: str
    parameter_sets: _containers.RepeatedScalarFieldContainer[str]
    max_throws: int
    def __init__(self, name: _Optional[str] = ..., summary: _Optional[str] = ..., parameter_sets: _Optional[_Iterable[str]] = ..., max_throws: _Optional[int] = ...) -> None: ...

class ListTowerModelsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListTowerModelsResponse(_message.Message):
    __slots__ = ("models",)
    MODELS_FIELD_NUMBER: _ClassVar[int]
    models: _containers.RepeatedCompositeFieldContainer[TowerModel]
    def __init__(self, models: _Optional[_Iterable[_Union[TowerModel, _Mapping]]] = ...) -> None: ...

class GetVersionRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetVersionResponse(_message.Message):
    __slots__ = ("package_version", "rules_versions", "build_profile", "instruction_set", "threads", "limits")
    class RulesVersionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    class LimitsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    PACKAGE_VERSION_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    BUILD_PROFILE_FIELD_NUMBER: _ClassVar[int]
    INSTRUCTION_SET_FIELD_NUMBER: _ClassVar[int]
    THREADS_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    package_version: str
    rules_versions: _containers.ScalarMap[str, int]
    build_profile: str
    instruction_set: str
    threads: int
    limits: _containers.ScalarMap[str, int]
    def __init__(self, package_version: _Optional[str] = ..., rules_versions: _Optional[_Mapping[str, int]] = ..., build_profile: _Optional[str] = ..., instruction_set: _Optional[str] = ..., threads: _Optional[int] = ..., limits: _Optional[_Mapping[str, int]] = ...) -> None: ...
