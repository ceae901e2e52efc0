from sengoku.v1 import game_pb2 as _game_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TowerColour(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOWER_COLOUR_UNSPECIFIED: _ClassVar[TowerColour]
    TOWER_COLOUR_RED: _ClassVar[TowerColour]
    TOWER_COLOUR_BLUE: _ClassVar[TowerColour]
    TOWER_COLOUR_YELLOW: _ClassVar[TowerColour]
    TOWER_COLOUR_PURPLE: _ClassVar[TowerColour]
    TOWER_COLOUR_BLACK: _ClassVar[TowerColour]
    TOWER_COLOUR_FARMER: _ClassVar[TowerColour]
TOWER_COLOUR_UNSPECIFIED: TowerColour
TOWER_COLOUR_RED: TowerColour
TOWER_COLOUR_BLUE: TowerColour
TOWER_COLOUR_YELLOW: TowerColour
TOWER_COLOUR_PURPLE: TowerColour
TOWER_COLOUR_BLACK: TowerColour
TOWER_COLOUR_FARMER: TowerColour

class TowerCubes(_message.Message):
    __slots__ = ("red", "blue", "yellow", "purple", "black", "farmer")
    RED_FIELD_NUMBER: _ClassVar[int]
    BLUE_FIELD_NUMBER: _ClassVar[int]
    YELLOW_FIELD_NUMBER: _ClassVar[int]
    PURPLE_FIELD_NUMBER: _ClassVar[int]
    BLACK_FIELD_NUMBER: _ClassVar[int]
    FARMER_FIELD_NUMBER: _ClassVar[int]
    red: int
    blue: int
    yellow: int
    purple: int
    black: int
    farmer: int
    def __init__(self, red: _Optional[int] = ..., blue: _Optional[int] = ..., yellow: _Optional[int] = ..., purple: _Optional[int] = ..., black: _Optional[int] = ..., farmer: _Optional[int] = ...) -> None: ...

class TowerParty(_message.Message):
    __slots__ = ("colour", "cubes")
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    CUBES_FIELD_NUMBER: _ClassVar[int]
    colour: TowerColour
    cubes: int
    def __init__(self, colour: _Optional[_Union[TowerColour, str]] = ..., cubes: _Optional[int] = ...) -> None: ...

class TowerClash(_message.Message):
    __slots__ = ("attacker", "defender", "farmers_stay_out", "tray", "contents", "neutral", "revolt", "players", "parameters_json", "shelves")
    ATTACKER_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_FIELD_NUMBER: _ClassVar[int]
    FARMERS_STAY_OUT_FIELD_NUMBER: _ClassVar[int]
    TRAY_FIELD_NUMBER: _ClassVar[int]
    CONTENTS_FIELD_NUMBER: _ClassVar[int]
    NEUTRAL_FIELD_NUMBER: _ClassVar[int]
    REVOLT_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_JSON_FIELD_NUMBER: _ClassVar[int]
    SHELVES_FIELD_NUMBER: _ClassVar[int]
    attacker: TowerParty
    defender: TowerParty
    farmers_stay_out: bool
    tray: TowerCubes
    contents: TowerCubes
    neutral: bool
    revolt: bool
    players: int
    parameters_json: str
    shelves: _containers.RepeatedCompositeFieldContainer[TowerCubes]
    def __init__(self, attacker: _Optional[_Union[TowerParty, _Mapping]] = ..., defender: _Optional[_Union[TowerParty, _Mapping]] = ..., farmers_stay_out: _Optional[bool] = ..., tray: _Optional[_Union[TowerCubes, _Mapping]] = ..., contents: _Optional[_Union[TowerCubes, _Mapping]] = ..., neutral: _Optional[bool] = ..., revolt: _Optional[bool] = ..., players: _Optional[int] = ..., parameters_json: _Optional[str] = ..., shelves: _Optional[_Iterable[_Union[TowerCubes, _Mapping]]] = ...) -> None: ...

class TowerOdds(_message.Message):
    __slots__ = ("attacker_wins", "defender_wins", "none", "standard_error", "samples", "attacker_armies_left", "defender_armies_left", "table", "neglected")
    ATTACKER_WINS_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_WINS_FIELD_NUMBER: _ClassVar[int]
    NONE_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    SAMPLES_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_ARMIES_LEFT_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_ARMIES_LEFT_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    NEGLECTED_FIELD_NUMBER: _ClassVar[int]
    attacker_wins: float
    defender_wins: float
    none: float
    standard_error: float
    samples: int
    attacker_armies_left: _containers.RepeatedScalarFieldContainer[float]
    defender_armies_left: _containers.RepeatedScalarFieldContainer[float]
    table: _game_pb2.Tensor
    neglected: float
    def __init__(self, attacker_wins: _Optional[float] = ..., defender_wins: _Optional[float] = ..., none: _Optional[float] = ..., standard_error: _Optional[float] = ..., samples: _Optional[int] = ..., attacker_armies_left: _Optional[_Iterable[float]] = ..., defender_armies_left: _Optional[_Iterable[float]] = ..., table: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., neglected: _Optional[float] = ...) -> None: ...

class TowerOddsColumns(_message.Message):
    __slots__ = ("attacker_wins", "defender_wins", "none", "standard_error", "samples", "attacker_armies_left", "defender_armies_left")
    ATTACKER_WINS_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_WINS_FIELD_NUMBER: _ClassVar[int]
    NONE_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    SAMPLES_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_ARMIES_LEFT_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_ARMIES_LEFT_FIELD_NUMBER: _ClassVar[int]
    attacker_wins: _game_pb2.Tensor
    defender_wins: _game_pb2.Tensor
    none: _game_pb2.Tensor
    standard_error: _game_pb2.Tensor
    samples: _game_pb2.Tensor
    attacker_armies_left: _game_pb2.Tensor
    defender_armies_left: _game_pb2.Tensor
    def __init__(self, attacker_wins: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., defender_wins: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., none: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., standard_error: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., samples: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., attacker_armies_left: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., defender_armies_left: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ...) -> None: ...
