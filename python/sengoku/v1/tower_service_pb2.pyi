from sengoku.v1 import game_pb2 as _game_pb2
from sengoku.v1 import options_pb2 as _options_pb2
from sengoku.v1 import tower_pb2 as _tower_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class NewTower(_message.Message):
    __slots__ = ("model", "seed", "match_index", "contents", "parameters_json")
    MODEL_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    MATCH_INDEX_FIELD_NUMBER: _ClassVar[int]
    CONTENTS_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_JSON_FIELD_NUMBER: _ClassVar[int]
    model: str
    seed: int
    match_index: int
    contents: _tower_pb2.TowerCubes
    parameters_json: str
    def __init__(self, model: _Optional[str] = ..., seed: _Optional[int] = ..., match_index: _Optional[int] = ..., contents: _Optional[_Union[_tower_pb2.TowerCubes, _Mapping]] = ..., parameters_json: _Optional[str] = ...) -> None: ...

class ThrowRequest(_message.Message):
    __slots__ = ("new_tower", "data", "cubes")
    NEW_TOWER_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    CUBES_FIELD_NUMBER: _ClassVar[int]
    new_tower: NewTower
    data: bytes
    cubes: _tower_pb2.TowerCubes
    def __init__(self, new_tower: _Optional[_Union[NewTower, _Mapping]] = ..., data: _Optional[bytes] = ..., cubes: _Optional[_Union[_tower_pb2.TowerCubes, _Mapping]] = ...) -> None: ...

class ThrowResponse(_message.Message):
    __slots__ = ("tray", "contents", "data", "motion")
    TRAY_FIELD_NUMBER: _ClassVar[int]
    CONTENTS_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    MOTION_FIELD_NUMBER: _ClassVar[int]
    tray: _tower_pb2.TowerCubes
    contents: _tower_pb2.TowerCubes
    data: bytes
    motion: ThrowMotion
    def __init__(self, tray: _Optional[_Union[_tower_pb2.TowerCubes, _Mapping]] = ..., contents: _Optional[_Union[_tower_pb2.TowerCubes, _Mapping]] = ..., data: _Optional[bytes] = ..., motion: _Optional[_Union[ThrowMotion, _Mapping]] = ...) -> None: ...

class ThrowMotion(_message.Message):
    __slots__ = ("steps", "seconds", "pushes", "timed_out", "deepest_mm", "deepest_at_rest_mm", "energy_growth_microjoules", "energy_lost_microjoules", "escaped", "shake_mm", "shake_work_microjoules")
    STEPS_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    PUSHES_FIELD_NUMBER: _ClassVar[int]
    TIMED_OUT_FIELD_NUMBER: _ClassVar[int]
    DEEPEST_MM_FIELD_NUMBER: _ClassVar[int]
    DEEPEST_AT_REST_MM_FIELD_NUMBER: _ClassVar[int]
    ENERGY_GROWTH_MICROJOULES_FIELD_NUMBER: _ClassVar[int]
    ENERGY_LOST_MICROJOULES_FIELD_NUMBER: _ClassVar[int]
    ESCAPED_FIELD_NUMBER: _ClassVar[int]
    SHAKE_MM_FIELD_NUMBER: _ClassVar[int]
    SHAKE_WORK_MICROJOULES_FIELD_NUMBER: _ClassVar[int]
    steps: int
    seconds: float
    pushes: int
    timed_out: bool
    deepest_mm: float
    deepest_at_rest_mm: float
    energy_growth_microjoules: float
    energy_lost_microjoules: float
    escaped: int
    shake_mm: float
    shake_work_microjoules: float
    def __init__(self, steps: _Optional[int] = ..., seconds: _Optional[float] = ..., pushes: _Optional[int] = ..., timed_out: _Optional[bool] = ..., deepest_mm: _Optional[float] = ..., deepest_at_rest_mm: _Optional[float] = ..., energy_growth_microjoules: _Optional[float] = ..., energy_lost_microjoules: _Optional[float] = ..., escaped: _Optional[int] = ..., shake_mm: _Optional[float] = ..., shake_work_microjoules: _Optional[float] = ...) -> None: ...

class SimulateThrowsRequest(_message.Message):
    __slots__ = ("cubes", "tower", "count", "sequence")
    CUBES_FIELD_NUMBER: _ClassVar[int]
    TOWER_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    cubes: _tower_pb2.TowerCubes
    tower: NewTower
    count: int
    sequence: bool
    def __init__(self, cubes: _Optional[_Union[_tower_pb2.TowerCubes, _Mapping]] = ..., tower: _Optional[_Union[NewTower, _Mapping]] = ..., count: _Optional[int] = ..., sequence: _Optional[bool] = ...) -> None: ...

class SimulateThrowsResponse(_message.Message):
    __slots__ = ("tray", "contents")
    TRAY_FIELD_NUMBER: _ClassVar[int]
    CONTENTS_FIELD_NUMBER: _ClassVar[int]
    tray: _game_pb2.Tensor
    contents: _game_pb2.Tensor
    def __init__(self, tray: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., contents: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ...) -> None: ...

class FilmThrowRequest(_message.Message):
    __slots__ = ("new_tower", "data", "fill_players", "cubes", "frames_per_second")
    NEW_TOWER_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    FILL_PLAYERS_FIELD_NUMBER: _ClassVar[int]
    CUBES_FIELD_NUMBER: _ClassVar[int]
    FRAMES_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    new_tower: NewTower
    data: bytes
    fill_players: int
    cubes: _tower_pb2.TowerCubes
    frames_per_second: int
    def __init__(self, new_tower: _Optional[_Union[NewTower, _Mapping]] = ..., data: _Optional[bytes] = ..., fill_players: _Optional[int] = ..., cubes: _Optional[_Union[_tower_pb2.TowerCubes, _Mapping]] = ..., frames_per_second: _Optional[int] = ...) -> None: ...

class FilmThrowResponse(_message.Message):
    __slots__ = ("tray", "contents", "data", "motion", "seconds", "shift", "centre", "rotation", "edge", "colour", "thrown", "boxes", "window_x")
    TRAY_FIELD_NUMBER: _ClassVar[int]
    CONTENTS_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    MOTION_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    SHIFT_FIELD_NUMBER: _ClassVar[int]
    CENTRE_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    EDGE_FIELD_NUMBER: _ClassVar[int]
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    THROWN_FIELD_NUMBER: _ClassVar[int]
    BOXES_FIELD_NUMBER: _ClassVar[int]
    WINDOW_X_FIELD_NUMBER: _ClassVar[int]
    tray: _tower_pb2.TowerCubes
    contents: _tower_pb2.TowerCubes
    data: bytes
    motion: ThrowMotion
    seconds: _game_pb2.Tensor
    shift: _game_pb2.Tensor
    centre: _game_pb2.Tensor
    rotation: _game_pb2.Tensor
    edge: _game_pb2.Tensor
    colour: _game_pb2.Tensor
    thrown: _game_pb2.Tensor
    boxes: _containers.RepeatedCompositeFieldContainer[TowerBox]
    window_x: float
    def __init__(self, tray: _Optional[_Union[_tower_pb2.TowerCubes, _Mapping]] = ..., contents: _Optional[_Union[_tower_pb2.TowerCubes, _Mapping]] = ..., data: _Optional[bytes] = ..., motion: _Optional[_Union[ThrowMotion, _Mapping]] = ..., seconds: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., shift: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., centre: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., rotation: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., edge: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., colour: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., thrown: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., boxes: _Optional[_Iterable[_Union[TowerBox, _Mapping]]] = ..., window_x: _Optional[float] = ...) -> None: ...

class TowerBox(_message.Message):
    __slots__ = ("part", "centre", "half", "rotation")
    PART_FIELD_NUMBER: _ClassVar[int]
    CENTRE_FIELD_NUMBER: _ClassVar[int]
    HALF_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    part: str
    centre: _containers.RepeatedScalarFieldContainer[float]
    half: _containers.RepeatedScalarFieldContainer[float]
    rotation: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, part: _Optional[str] = ..., centre: _Optional[_Iterable[float]] = ..., half: _Optional[_Iterable[float]] = ..., rotation: _Optional[_Iterable[float]] = ...) -> None: ...
