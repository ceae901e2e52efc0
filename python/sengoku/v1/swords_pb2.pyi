from sengoku.v1 import game_pb2 as _game_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SwordsUnit(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SWORDS_UNIT_UNSPECIFIED: _ClassVar[SwordsUnit]
    SWORDS_UNIT_BOW: _ClassVar[SwordsUnit]
    SWORDS_UNIT_GUN: _ClassVar[SwordsUnit]
    SWORDS_UNIT_SWORD: _ClassVar[SwordsUnit]
    SWORDS_UNIT_SPEAR: _ClassVar[SwordsUnit]
    SWORDS_UNIT_RONIN: _ClassVar[SwordsUnit]

class SwordsFort(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SWORDS_FORT_UNSPECIFIED: _ClassVar[SwordsFort]
    SWORDS_FORT_CASTLE: _ClassVar[SwordsFort]
    SWORDS_FORT_FORTRESS: _ClassVar[SwordsFort]
SWORDS_UNIT_UNSPECIFIED: SwordsUnit
SWORDS_UNIT_BOW: SwordsUnit
SWORDS_UNIT_GUN: SwordsUnit
SWORDS_UNIT_SWORD: SwordsUnit
SWORDS_UNIT_SPEAR: SwordsUnit
SWORDS_UNIT_RONIN: SwordsUnit
SWORDS_FORT_UNSPECIFIED: SwordsFort
SWORDS_FORT_CASTLE: SwordsFort
SWORDS_FORT_FORTRESS: SwordsFort

class SwordsForce(_message.Message):
    __slots__ = ("daimyo", "bow", "gun", "sword", "spear", "ronin", "disrupted")
    DAIMYO_FIELD_NUMBER: _ClassVar[int]
    BOW_FIELD_NUMBER: _ClassVar[int]
    GUN_FIELD_NUMBER: _ClassVar[int]
    SWORD_FIELD_NUMBER: _ClassVar[int]
    SPEAR_FIELD_NUMBER: _ClassVar[int]
    RONIN_FIELD_NUMBER: _ClassVar[int]
    DISRUPTED_FIELD_NUMBER: _ClassVar[int]
    daimyo: int
    bow: int
    gun: int
    sword: int
    spear: int
    ronin: int
    disrupted: bool
    def __init__(self, daimyo: _Optional[int] = ..., bow: _Optional[int] = ..., gun: _Optional[int] = ..., sword: _Optional[int] = ..., spear: _Optional[int] = ..., ronin: _Optional[int] = ..., disrupted: _Optional[bool] = ...) -> None: ...

class SwordsBattle(_message.Message):
    __slots__ = ("attacker", "defenders", "fort", "fort_lost", "naval", "attacker_losses", "defender_losses", "break_off_below", "break_off_after")
    ATTACKER_FIELD_NUMBER: _ClassVar[int]
    DEFENDERS_FIELD_NUMBER: _ClassVar[int]
    FORT_FIELD_NUMBER: _ClassVar[int]
    FORT_LOST_FIELD_NUMBER: _ClassVar[int]
    NAVAL_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_LOSSES_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_LOSSES_FIELD_NUMBER: _ClassVar[int]
    BREAK_OFF_BELOW_FIELD_NUMBER: _ClassVar[int]
    BREAK_OFF_AFTER_FIELD_NUMBER: _ClassVar[int]
    attacker: SwordsForce
    defenders: _containers.RepeatedCompositeFieldContainer[SwordsForce]
    fort: SwordsFort
    fort_lost: int
    naval: bool
    attacker_losses: _containers.RepeatedScalarFieldContainer[SwordsUnit]
    defender_losses: _containers.RepeatedScalarFieldContainer[SwordsUnit]
    break_off_below: int
    break_off_after: int
    def __init__(self, attacker: _Optional[_Union[SwordsForce, _Mapping]] = ..., defenders: _Optional[_Iterable[_Union[SwordsForce, _Mapping]]] = ..., fort: _Optional[_Union[SwordsFort, str]] = ..., fort_lost: _Optional[int] = ..., naval: _Optional[bool] = ..., attacker_losses: _Optional[_Iterable[_Union[SwordsUnit, str]]] = ..., defender_losses: _Optional[_Iterable[_Union[SwordsUnit, str]]] = ..., break_off_below: _Optional[int] = ..., break_off_after: _Optional[int] = ...) -> None: ...

class SwordsSurvivors(_message.Message):
    __slots__ = ("force", "probability")
    FORCE_FIELD_NUMBER: _ClassVar[int]
    PROBABILITY_FIELD_NUMBER: _ClassVar[int]
    force: SwordsForce
    probability: float
    def __init__(self, force: _Optional[_Union[SwordsForce, _Mapping]] = ..., probability: _Optional[float] = ...) -> None: ...

class SwordsOdds(_message.Message):
    __slots__ = ("attacker_wins", "defender_wins", "both_eliminated", "called_off", "standard_error", "samples", "rounds_mean", "rounds_total", "attacker_units_left", "defender_units_left", "fort_bonus_left", "attacker_left", "defender_left", "table")
    ATTACKER_WINS_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_WINS_FIELD_NUMBER: _ClassVar[int]
    BOTH_ELIMINATED_FIELD_NUMBER: _ClassVar[int]
    CALLED_OFF_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    SAMPLES_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_MEAN_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_TOTAL_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_UNITS_LEFT_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_UNITS_LEFT_FIELD_NUMBER: _ClassVar[int]
    FORT_BONUS_LEFT_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_LEFT_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_LEFT_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    attacker_wins: float
    defender_wins: float
    both_eliminated: float
    called_off: float
    standard_error: float
    samples: int
    rounds_mean: float
    rounds_total: int
    attacker_units_left: _containers.RepeatedScalarFieldContainer[float]
    defender_units_left: _containers.RepeatedScalarFieldContainer[float]
    fort_bonus_left: _containers.RepeatedScalarFieldContainer[float]
    attacker_left: _containers.RepeatedCompositeFieldContainer[SwordsSurvivors]
    defender_left: _containers.RepeatedCompositeFieldContainer[SwordsSurvivors]
    table: _game_pb2.Tensor
    def __init__(self, attacker_wins: _Optional[float] = ..., defender_wins: _Optional[float] = ..., both_eliminated: _Optional[float] = ..., called_off: _Optional[float] = ..., standard_error: _Optional[float] = ..., samples: _Optional[int] = ..., rounds_mean: _Optional[float] = ..., rounds_total: _Optional[int] = ..., attacker_units_left: _Optional[_Iterable[float]] = ..., defender_units_left: _Optional[_Iterable[float]] = ..., fort_bonus_left: _Optional[_Iterable[float]] = ..., attacker_left: _Optional[_Iterable[_Union[SwordsSurvivors, _Mapping]]] = ..., defender_left: _Optional[_Iterable[_Union[SwordsSurvivors, _Mapping]]] = ..., table: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ...) -> None: ...

class SwordsOddsColumns(_message.Message):
    __slots__ = ("attacker_wins", "defender_wins", "both_eliminated", "called_off", "standard_error", "rounds_mean", "samples", "attacker_units_left", "defender_units_left")
    ATTACKER_WINS_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_WINS_FIELD_NUMBER: _ClassVar[int]
    BOTH_ELIMINATED_FIELD_NUMBER: _ClassVar[int]
    CALLED_OFF_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_MEAN_FIELD_NUMBER: _ClassVar[int]
    SAMPLES_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_UNITS_LEFT_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_UNITS_LEFT_FIELD_NUMBER: _ClassVar[int]
    attacker_wins: _game_pb2.Tensor
    defender_wins: _game_pb2.Tensor
    both_eliminated: _game_pb2.Tensor
    called_off: _game_pb2.Tensor
    standard_error: _game_pb2.Tensor
    rounds_mean: _game_pb2.Tensor
    samples: _game_pb2.Tensor
    attacker_units_left: _game_pb2.Tensor
    defender_units_left: _game_pb2.Tensor
    def __init__(self, attacker_wins: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., defender_wins: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., both_eliminated: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., called_off: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., standard_error: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., rounds_mean: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., samples: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., attacker_units_left: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., defender_units_left: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ...) -> None: ...
