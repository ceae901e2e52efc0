from sengoku.v1 import game_pb2 as _game_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BattlesKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BATTLES_KIND_UNSPECIFIED: _ClassVar[BattlesKind]
    BATTLES_KIND_SSP: _ClassVar[BattlesKind]
    BATTLES_KIND_SB: _ClassVar[BattlesKind]
    BATTLES_KIND_ASP: _ClassVar[BattlesKind]
    BATTLES_KIND_AB: _ClassVar[BattlesKind]
    BATTLES_KIND_AA: _ClassVar[BattlesKind]
    BATTLES_KIND_LI: _ClassVar[BattlesKind]
    BATTLES_KIND_SSPC: _ClassVar[BattlesKind]
    BATTLES_KIND_SBC: _ClassVar[BattlesKind]
    BATTLES_KIND_BG: _ClassVar[BattlesKind]
    BATTLES_KIND_LF: _ClassVar[BattlesKind]
    BATTLES_KIND_LM: _ClassVar[BattlesKind]
    BATTLES_KIND_AC: _ClassVar[BattlesKind]

class BattlesTerrain(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BATTLES_TERRAIN_UNSPECIFIED: _ClassVar[BattlesTerrain]
    BATTLES_TERRAIN_FOREST: _ClassVar[BattlesTerrain]
    BATTLES_TERRAIN_HILL: _ClassVar[BattlesTerrain]
    BATTLES_TERRAIN_RIVER: _ClassVar[BattlesTerrain]
    BATTLES_TERRAIN_FORD: _ClassVar[BattlesTerrain]
    BATTLES_TERRAIN_SHALLOW: _ClassVar[BattlesTerrain]
    BATTLES_TERRAIN_BRIDGE: _ClassVar[BattlesTerrain]
    BATTLES_TERRAIN_BUILDINGS: _ClassVar[BattlesTerrain]
    BATTLES_TERRAIN_FIELDS: _ClassVar[BattlesTerrain]
    BATTLES_TERRAIN_GORGE: _ClassVar[BattlesTerrain]
    BATTLES_TERRAIN_TENT: _ClassVar[BattlesTerrain]
    BATTLES_TERRAIN_FENCE: _ClassVar[BattlesTerrain]
    BATTLES_TERRAIN_PALISADE: _ClassVar[BattlesTerrain]
    BATTLES_TERRAIN_CASTLE: _ClassVar[BattlesTerrain]

class BattlesCard(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BATTLES_CARD_UNSPECIFIED: _ClassVar[BattlesCard]
    BATTLES_CARD_CAVALRY_CHARGE: _ClassVar[BattlesCard]
    BATTLES_CARD_FIRST_STRIKE: _ClassVar[BattlesCard]
    BATTLES_CARD_SHOGUN: _ClassVar[BattlesCard]
    BATTLES_CARD_ASHIGARU_ATTACK: _ClassVar[BattlesCard]
    BATTLES_CARD_COURAGEOUS_LEADER: _ClassVar[BattlesCard]
    BATTLES_CARD_TERROR_STRIKE: _ClassVar[BattlesCard]
    BATTLES_CARD_AMBUSH: _ClassVar[BattlesCard]
    BATTLES_CARD_DESPERATE_CHARGE: _ClassVar[BattlesCard]
    BATTLES_CARD_FIRE_ARROWS: _ClassVar[BattlesCard]
    BATTLES_CARD_COWARDS: _ClassVar[BattlesCard]
    BATTLES_CARD_COURAGE: _ClassVar[BattlesCard]
    BATTLES_CARD_VOLLEY_BY_RANKS: _ClassVar[BattlesCard]
    BATTLES_CARD_HEAD_COLLECTOR: _ClassVar[BattlesCard]
    BATTLES_CARD_FOLLOWERS_OF_BISHAMON: _ClassVar[BattlesCard]
    BATTLES_CARD_AIKIDO_TRAINING: _ClassVar[BattlesCard]
    BATTLES_CARD_PANIC: _ClassVar[BattlesCard]
    BATTLES_CARD_VENGEANCE: _ClassVar[BattlesCard]
    BATTLES_CARD_BULLETPROOF_ARMOR: _ClassVar[BattlesCard]
BATTLES_KIND_UNSPECIFIED: BattlesKind
BATTLES_KIND_SSP: BattlesKind
BATTLES_KIND_SB: BattlesKind
BATTLES_KIND_ASP: BattlesKind
BATTLES_KIND_AB: BattlesKind
BATTLES_KIND_AA: BattlesKind
BATTLES_KIND_LI: BattlesKind
BATTLES_KIND_SSPC: BattlesKind
BATTLES_KIND_SBC: BattlesKind
BATTLES_KIND_BG: BattlesKind
BATTLES_KIND_LF: BattlesKind
BATTLES_KIND_LM: BattlesKind
BATTLES_KIND_AC: BattlesKind
BATTLES_TERRAIN_UNSPECIFIED: BattlesTerrain
BATTLES_TERRAIN_FOREST: BattlesTerrain
BATTLES_TERRAIN_HILL: BattlesTerrain
BATTLES_TERRAIN_RIVER: BattlesTerrain
BATTLES_TERRAIN_FORD: BattlesTerrain
BATTLES_TERRAIN_SHALLOW: BattlesTerrain
BATTLES_TERRAIN_BRIDGE: BattlesTerrain
BATTLES_TERRAIN_BUILDINGS: BattlesTerrain
BATTLES_TERRAIN_FIELDS: BattlesTerrain
BATTLES_TERRAIN_GORGE: BattlesTerrain
BATTLES_TERRAIN_TENT: BattlesTerrain
BATTLES_TERRAIN_FENCE: BattlesTerrain
BATTLES_TERRAIN_PALISADE: BattlesTerrain
BATTLES_TERRAIN_CASTLE: BattlesTerrain
BATTLES_CARD_UNSPECIFIED: BattlesCard
BATTLES_CARD_CAVALRY_CHARGE: BattlesCard
BATTLES_CARD_FIRST_STRIKE: BattlesCard
BATTLES_CARD_SHOGUN: BattlesCard
BATTLES_CARD_ASHIGARU_ATTACK: BattlesCard
BATTLES_CARD_COURAGEOUS_LEADER: BattlesCard
BATTLES_CARD_TERROR_STRIKE: BattlesCard
BATTLES_CARD_AMBUSH: BattlesCard
BATTLES_CARD_DESPERATE_CHARGE: BattlesCard
BATTLES_CARD_FIRE_ARROWS: BattlesCard
BATTLES_CARD_COWARDS: BattlesCard
BATTLES_CARD_COURAGE: BattlesCard
BATTLES_CARD_VOLLEY_BY_RANKS: BattlesCard
BATTLES_CARD_HEAD_COLLECTOR: BattlesCard
BATTLES_CARD_FOLLOWERS_OF_BISHAMON: BattlesCard
BATTLES_CARD_AIKIDO_TRAINING: BattlesCard
BATTLES_CARD_PANIC: BattlesCard
BATTLES_CARD_VENGEANCE: BattlesCard
BATTLES_CARD_BULLETPROOF_ARMOR: BattlesCard

class BattlesPiece(_message.Message):
    __slots__ = ("kind", "blocks", "leader", "terrain", "support", "adjacent_leader", "inspire", "ignore_flags", "room", "seppuku")
    KIND_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    TERRAIN_FIELD_NUMBER: _ClassVar[int]
    SUPPORT_FIELD_NUMBER: _ClassVar[int]
    ADJACENT_LEADER_FIELD_NUMBER: _ClassVar[int]
    INSPIRE_FIELD_NUMBER: _ClassVar[int]
    IGNORE_FLAGS_FIELD_NUMBER: _ClassVar[int]
    ROOM_FIELD_NUMBER: _ClassVar[int]
    SEPPUKU_FIELD_NUMBER: _ClassVar[int]
    kind: BattlesKind
    blocks: int
    leader: BattlesKind
    terrain: BattlesTerrain
    support: bool
    adjacent_leader: bool
    inspire: bool
    ignore_flags: int
    room: int
    seppuku: bool
    def __init__(self, kind: _Optional[_Union[BattlesKind, str]] = ..., blocks: _Optional[int] = ..., leader: _Optional[_Union[BattlesKind, str]] = ..., terrain: _Optional[_Union[BattlesTerrain, str]] = ..., support: _Optional[bool] = ..., adjacent_leader: _Optional[bool] = ..., inspire: _Optional[bool] = ..., ignore_flags: _Optional[int] = ..., room: _Optional[int] = ..., seppuku: _Optional[bool] = ...) -> None: ...

class BattlesStrike(_message.Message):
    __slots__ = ("attackers", "defender", "ranged", "distance", "moved", "dice_bonus", "attacker_cards", "defender_cards", "no_battle_back", "against", "attacker_honor", "defender_honor", "pool")
    ATTACKERS_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_FIELD_NUMBER: _ClassVar[int]
    RANGED_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    MOVED_FIELD_NUMBER: _ClassVar[int]
    DICE_BONUS_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_CARDS_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_CARDS_FIELD_NUMBER: _ClassVar[int]
    NO_BATTLE_BACK_FIELD_NUMBER: _ClassVar[int]
    AGAINST_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_HONOR_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_HONOR_FIELD_NUMBER: _ClassVar[int]
    POOL_FIELD_NUMBER: _ClassVar[int]
    attackers: _containers.RepeatedCompositeFieldContainer[BattlesPiece]
    defender: BattlesPiece
    ranged: bool
    distance: int
    moved: bool
    dice_bonus: int
    attacker_cards: _containers.RepeatedScalarFieldContainer[BattlesCard]
    defender_cards: _containers.RepeatedScalarFieldContainer[BattlesCard]
    no_battle_back: bool
    against: int
    attacker_honor: int
    defender_honor: int
    pool: int
    def __init__(self, attackers: _Optional[_Iterable[_Union[BattlesPiece, _Mapping]]] = ..., defender: _Optional[_Union[BattlesPiece, _Mapping]] = ..., ranged: _Optional[bool] = ..., distance: _Optional[int] = ..., moved: _Optional[bool] = ..., dice_bonus: _Optional[int] = ..., attacker_cards: _Optional[_Iterable[_Union[BattlesCard, str]]] = ..., defender_cards: _Optional[_Iterable[_Union[BattlesCard, str]]] = ..., no_battle_back: _Optional[bool] = ..., against: _Optional[int] = ..., attacker_honor: _Optional[int] = ..., defender_honor: _Optional[int] = ..., pool: _Optional[int] = ...) -> None: ...

class BattlesOdds(_message.Message):
    __slots__ = ("defender_eliminated", "defender_retreats", "defender_leader_eliminated", "attacker_eliminated", "attacker_retreats", "attacker_leader_eliminated", "takes_ground", "standard_error", "samples", "hits", "flags", "honor", "attacker_blocks_left", "defender_blocks_left", "attacker_banners", "defender_banners", "roll", "outcomes", "weights")
    DEFENDER_ELIMINATED_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_RETREATS_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_LEADER_ELIMINATED_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_ELIMINATED_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_RETREATS_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_LEADER_ELIMINATED_FIELD_NUMBER: _ClassVar[int]
    TAKES_GROUND_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    SAMPLES_FIELD_NUMBER: _ClassVar[int]
    HITS_FIELD_NUMBER: _ClassVar[int]
    FLAGS_FIELD_NUMBER: _ClassVar[int]
    HONOR_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_BLOCKS_LEFT_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_BLOCKS_LEFT_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_BANNERS_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_BANNERS_FIELD_NUMBER: _ClassVar[int]
    ROLL_FIELD_NUMBER: _ClassVar[int]
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    defender_eliminated: float
    defender_retreats: float
    defender_leader_eliminated: float
    attacker_eliminated: float
    attacker_retreats: float
    attacker_leader_eliminated: float
    takes_ground: float
    standard_error: float
    samples: int
    hits: _containers.RepeatedScalarFieldContainer[float]
    flags: _containers.RepeatedScalarFieldContainer[float]
    honor: _containers.RepeatedScalarFieldContainer[float]
    attacker_blocks_left: _containers.RepeatedScalarFieldContainer[float]
    defender_blocks_left: _containers.RepeatedScalarFieldContainer[float]
    attacker_banners: _containers.RepeatedScalarFieldContainer[float]
    defender_banners: _containers.RepeatedScalarFieldContainer[float]
    roll: _game_pb2.Tensor
    outcomes: _game_pb2.Tensor
    weights: _game_pb2.Tensor
    def __init__(self, defender_eliminated: _Optional[float] = ..., defender_retreats: _Optional[float] = ..., defender_leader_eliminated: _Optional[float] = ..., attacker_eliminated: _Optional[float] = ..., attacker_retreats: _Optional[float] = ..., attacker_leader_eliminated: _Optional[float] = ..., takes_ground: _Optional[float] = ..., standard_error: _Optional[float] = ..., samples: _Optional[int] = ..., hits: _Optional[_Iterable[float]] = ..., flags: _Optional[_Iterable[float]] = ..., honor: _Optional[_Iterable[float]] = ..., attacker_blocks_left: _Optional[_Iterable[float]] = ..., defender_blocks_left: _Optional[_Iterable[float]] = ..., attacker_banners: _Optional[_Iterable[float]] = ..., defender_banners: _Optional[_Iterable[float]] = ..., roll: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., outcomes: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., weights: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ...) -> None: ...

class BattlesOddsColumns(_message.Message):
    __slots__ = ("defender_eliminated", "defender_retreats", "defender_leader_eliminated", "attacker_eliminated", "attacker_retreats", "attacker_leader_eliminated", "takes_ground", "standard_error", "samples", "hits_mean", "flags_mean", "honor_mean", "attacker_banners_mean", "defender_banners_mean", "attacker_honor_mean", "defender_honor_mean", "attacker_blocks_left", "defender_blocks_left")
    DEFENDER_ELIMINATED_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_RETREATS_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_LEADER_ELIMINATED_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_ELIMINATED_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_RETREATS_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_LEADER_ELIMINATED_FIELD_NUMBER: _ClassVar[int]
    TAKES_GROUND_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    SAMPLES_FIELD_NUMBER: _ClassVar[int]
    HITS_MEAN_FIELD_NUMBER: _ClassVar[int]
    FLAGS_MEAN_FIELD_NUMBER: _ClassVar[int]
    HONOR_MEAN_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_BANNERS_MEAN_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_BANNERS_MEAN_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_HONOR_MEAN_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_HONOR_MEAN_FIELD_NUMBER: _ClassVar[int]
    ATTACKER_BLOCKS_LEFT_FIELD_NUMBER: _ClassVar[int]
    DEFENDER_BLOCKS_LEFT_FIELD_NUMBER: _ClassVar[int]
    defender_eliminated: _game_pb2.Tensor
    defender_retreats: _game_pb2.Tensor
    defender_leader_eliminated: _game_pb2.Tensor
    attacker_eliminated: _game_pb2.Tensor
    attacker_retreats: _game_pb2.Tensor
    attacker_leader_eliminated: _game_pb2.Tensor
    takes_ground: _game_pb2.Tensor
    standard_error: _game_pb2.Tensor
    samples: _game_pb2.Tensor
    hits_mean: _game_pb2.Tensor
    flags_mean: _game_pb2.Tensor
    honor_mean: _game_pb2.Tensor
    attacker_banners_mean: _game_pb2.Tensor
    defender_banners_mean: _game_pb2.Tensor
    attacker_honor_mean: _game_pb2.Tensor
    defender_honor_mean: _game_pb2.Tensor
    attacker_blocks_left: _game_pb2.Tensor
    defender_blocks_left: _game_pb2.Tensor
    def __init__(self, defender_eliminated: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., defender_retreats: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., defender_leader_eliminated: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., attacker_eliminated: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., attacker_retreats: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., attacker_leader_eliminated: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., takes_ground: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., standard_error: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., samples: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., hits_mean: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., flags_mean: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., honor_mean: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., attacker_banners_mean: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., defender_banners_mean: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., attacker_honor_mean: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., defender_honor_mean: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., attacker_blocks_left: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ..., defender_blocks_left: _Optional[_Union[_game_pb2.Tensor, _Mapping]] = ...) -> None: ...
