from sengoku.v1 import battles_pb2 as _battles_pb2
from sengoku.v1 import options_pb2 as _options_pb2
from sengoku.v1 import swords_pb2 as _swords_pb2
from sengoku.v1 import tower_pb2 as _tower_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class OddsMethod(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ODDS_METHOD_UNSPECIFIED: _ClassVar[OddsMethod]
    ODDS_METHOD_EXACT: _ClassVar[OddsMethod]
    ODDS_METHOD_SAMPLED: _ClassVar[OddsMethod]
ODDS_METHOD_UNSPECIFIED: OddsMethod
ODDS_METHOD_EXACT: OddsMethod
ODDS_METHOD_SAMPLED: OddsMethod

class OddsOptions(_message.Message):
    __slots__ = ("method", "samples", "max_error", "seed", "include_survivors")
    METHOD_FIELD_NUMBER: _ClassVar[int]
    SAMPLES_FIELD_NUMBER: _ClassVar[int]
    MAX_ERROR_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_SURVIVORS_FIELD_NUMBER: _ClassVar[int]
    method: OddsMethod
    samples: int
    max_error: float
    seed: int
    include_survivors: bool
    def __init__(self, method: _Optional[_Union[OddsMethod, str]] = ..., samples: _Optional[int] = ..., max_error: _Optional[float] = ..., seed: _Optional[int] = ..., include_survivors: _Optional[bool] = ...) -> None: ...

class EvaluateRequest(_message.Message):
    __slots__ = ("swords_battle", "tower_clash", "battles_strike", "options")
    SWORDS_BATTLE_FIELD_NUMBER: _ClassVar[int]
    TOWER_CLASH_FIELD_NUMBER: _ClassVar[int]
    BATTLES_STRIKE_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    swords_battle: _swords_pb2.SwordsBattle
    tower_clash: _tower_pb2.TowerClash
    battles_strike: _battles_pb2.BattlesStrike
    options: OddsOptions
    def __init__(self, swords_battle: _Optional[_Union[_swords_pb2.SwordsBattle, _Mapping]] = ..., tower_clash: _Optional[_Union[_tower_pb2.TowerClash, _Mapping]] = ..., battles_strike: _Optional[_Union[_battles_pb2.BattlesStrike, _Mapping]] = ..., options: _Optional[_Union[OddsOptions, _Mapping]] = ...) -> None: ...

class EvaluateResponse(_message.Message):
    __slots__ = ("swords_odds", "tower_odds", "battles_odds")
    SWORDS_ODDS_FIELD_NUMBER: _ClassVar[int]
    TOWER_ODDS_FIELD_NUMBER: _ClassVar[int]
    BATTLES_ODDS_FIELD_NUMBER: _ClassVar[int]
    swords_odds: _swords_pb2.SwordsOdds
    tower_odds: _tower_pb2.TowerOdds
    battles_odds: _battles_pb2.BattlesOdds
    def __init__(self, swords_odds: _Optional[_Union[_swords_pb2.SwordsOdds, _Mapping]] = ..., tower_odds: _Optional[_Union[_tower_pb2.TowerOdds, _Mapping]] = ..., battles_odds: _Optional[_Union[_battles_pb2.BattlesOdds, _Mapping]] = ...) -> None: ...

class BatchEvaluateRequest(_message.Message):
    __slots__ = ("swords_battles", "tower_clashes", "battles_strikes", "options")
    SWORDS_BATTLES_FIELD_NUMBER: _ClassVar[int]
    TOWER_CLASHES_FIELD_NUMBER: _ClassVar[int]
    BATTLES_STRIKES_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    swords_battles: _containers.RepeatedCompositeFieldContainer[_swords_pb2.SwordsBattle]
    tower_clashes: _containers.RepeatedCompositeFieldContainer[_tower_pb2.TowerClash]
    battles_strikes: _containers.RepeatedCompositeFieldContainer[_battles_pb2.BattlesStrike]
    options: OddsOptions
    def __init__(self, swords_battles: _Optional[_Iterable[_Union[_swords_pb2.SwordsBattle, _Mapping]]] = ..., tower_clashes: _Optional[_Iterable[_Union[_tower_pb2.TowerClash, _Mapping]]] = ..., battles_strikes: _Optional[_Iterable[_Union[_battles_pb2.BattlesStrike, _Mapping]]] = ..., options: _Optional[_Union[OddsOptions, _Mapping]] = ...) -> None: ...

class BatchEvaluateResponse(_message.Message):
    __slots__ = ("swords_odds", "tower_odds", "battles_odds")
    SWORDS_ODDS_FIELD_NUMBER: _ClassVar[int]
    TOWER_ODDS_FIELD_NUMBER: _ClassVar[int]
    BATTLES_ODDS_FIELD_NUMBER: _ClassVar[int]
    swords_odds: _swords_pb2.SwordsOddsColumns
    tower_odds: _tower_pb2.TowerOddsColumns
    battles_odds: _battles_pb2.BattlesOddsColumns
    def __init__(self, swords_odds: _Optional[_Union[_swords_pb2.SwordsOddsColumns, _Mapping]] = ..., tower_odds: _Optional[_Union[_tower_pb2.TowerOddsColumns, _Mapping]] = ..., battles_odds: _Optional[_Union[_battles_pb2.BattlesOddsColumns, _Mapping]] = ...) -> None: ...
