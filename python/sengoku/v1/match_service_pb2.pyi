from sengoku.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FramePart(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FRAME_PART_UNSPECIFIED: _ClassVar[FramePart]
    FRAME_PART_STORY: _ClassVar[FramePart]
    FRAME_PART_LONG_STORY: _ClassVar[FramePart]
    FRAME_PART_EVENTS: _ClassVar[FramePart]
    FRAME_PART_VIEW: _ClassVar[FramePart]
    FRAME_PART_PICTURE: _ClassVar[FramePart]
    FRAME_PART_SKETCH: _ClassVar[FramePart]
    FRAME_PART_ACTIONS: _ClassVar[FramePart]

class ProposalKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROPOSAL_KIND_UNSPECIFIED: _ClassVar[ProposalKind]
    PROPOSAL_KIND_TRUCE: _ClassVar[ProposalKind]
    PROPOSAL_KIND_NO_ATTACK: _ClassVar[ProposalKind]
    PROPOSAL_KIND_SUPPORT: _ClassVar[ProposalKind]
FRAME_PART_UNSPECIFIED: FramePart
FRAME_PART_STORY: FramePart
FRAME_PART_LONG_STORY: FramePart
FRAME_PART_EVENTS: FramePart
FRAME_PART_VIEW: FramePart
FRAME_PART_PICTURE: FramePart
FRAME_PART_SKETCH: FramePart
FRAME_PART_ACTIONS: FramePart
PROPOSAL_KIND_UNSPECIFIED: ProposalKind
PROPOSAL_KIND_TRUCE: ProposalKind
PROPOSAL_KIND_NO_ATTACK: ProposalKind
PROPOSAL_KIND_SUPPORT: ProposalKind

class MatchOutcome(_message.Message):
    __slots__ = ("ranks", "winner", "by_rule", "reason", "rounds", "scores", "details_json")
    RANKS_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    BY_RULE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    DETAILS_JSON_FIELD_NUMBER: _ClassVar[int]
    ranks: _containers.RepeatedScalarFieldContainer[int]
    winner: int
    by_rule: bool
    reason: str
    rounds: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    details_json: str
    def __init__(self, ranks: _Optional[_Iterable[int]] = ..., winner: _Optional[int] = ..., by_rule: _Optional[bool] = ..., reason: _Optional[str] = ..., rounds: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ..., details_json: _Optional[str] = ...) -> None: ...

class MatchStatus(_message.Message):
    __slots__ = ("game", "rules_version", "seats", "decisions", "to_act", "outcome", "bot_to_act", "bots")
    class BotsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: int
        value: str
        def __init__(self, key: _Optional[int] = ..., value: _Optional[str] = ...) -> None: ...
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    TO_ACT_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    BOT_TO_ACT_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    game: str
    rules_version: int
    seats: int
    decisions: int
    to_act: int
    outcome: MatchOutcome
    bot_to_act: bool
    bots: _containers.ScalarMap[int, str]
    def __init__(self, game: _Optional[str] = ..., rules_version: _Optional[int] = ..., seats: _Optional[int] = ..., decisions: _Optional[int] = ..., to_act: _Optional[int] = ..., outcome: _Optional[_Union[MatchOutcome, _Mapping]] = ..., bot_to_act: _Optional[bool] = ..., bots: _Optional[_Mapping[int, str]] = ...) -> None: ...

class MatchAccess(_message.Message):
    __slots__ = ("match_id", "owner_token", "seat_tokens", "spectator_token")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    OWNER_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    SPECTATOR_TOKEN_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    owner_token: str
    seat_tokens: _containers.RepeatedScalarFieldContainer[str]
    spectator_token: str
    def __init__(self, match_id: _Optional[str] = ..., owner_token: _Optional[str] = ..., seat_tokens: _Optional[_Iterable[str]] = ..., spectator_token: _Optional[str] = ...) -> None: ...

class LegalAction(_message.Message):
    __slots__ = ("index", "name", "args_json", "text")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ARGS_JSON_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    index: int
    name: str
    args_json: str
    text: str
    def __init__(self, index: _Optional[int] = ..., name: _Optional[str] = ..., args_json: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class Dice(_message.Message):
    __slots__ = ("faces",)
    FACES_FIELD_NUMBER: _ClassVar[int]
    faces: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, faces: _Optional[_Iterable[int]] = ...) -> None: ...

class Throws(_message.Message):
    __slots__ = ("throws",)
    THROWS_FIELD_NUMBER: _ClassVar[int]
    throws: _containers.RepeatedCompositeFieldContainer[ScriptedThrow]
    def __init__(self, throws: _Optional[_Iterable[_Union[ScriptedThrow, _Mapping]]] = ...) -> None: ...

class ScriptedThrow(_message.Message):
    __slots__ = ("cubes",)
    CUBES_FIELD_NUMBER: _ClassVar[int]
    cubes: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, cubes: _Optional[_Iterable[int]] = ...) -> None: ...

class Lots(_message.Message):
    __slots__ = ("lots",)
    LOTS_FIELD_NUMBER: _ClassVar[int]
    lots: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, lots: _Optional[_Iterable[int]] = ...) -> None: ...

class Stacks(_message.Message):
    __slots__ = ("stacks",)
    STACKS_FIELD_NUMBER: _ClassVar[int]
    stacks: _containers.RepeatedCompositeFieldContainer[Stack]
    def __init__(self, stacks: _Optional[_Iterable[_Union[Stack, _Mapping]]] = ...) -> None: ...

class Stack(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, cards: _Optional[_Iterable[str]] = ...) -> None: ...

class CreateMatchRequest(_message.Message):
    __slots__ = ("game", "seats", "seed", "match_index", "setup_json", "dice", "bots", "throws", "lots", "cards")
    class BotsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: int
        value: str
        def __init__(self, key: _Optional[int] = ..., value: _Optional[str] = ...) -> None: ...
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    MATCH_INDEX_FIELD_NUMBER: _ClassVar[int]
    SETUP_JSON_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    THROWS_FIELD_NUMBER: _ClassVar[int]
    LOTS_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    game: str
    seats: int
    seed: int
    match_index: int
    setup_json: str
    dice: Dice
    bots: _containers.ScalarMap[int, str]
    throws: Throws
    lots: Lots
    cards: Stacks
    def __init__(self, game: _Optional[str] = ..., seats: _Optional[int] = ..., seed: _Optional[int] = ..., match_index: _Optional[int] = ..., setup_json: _Optional[str] = ..., dice: _Optional[_Union[Dice, _Mapping]] = ..., bots: _Optional[_Mapping[int, str]] = ..., throws: _Optional[_Union[Throws, _Mapping]] = ..., lots: _Optional[_Union[Lots, _Mapping]] = ..., cards: _Optional[_Union[Stacks, _Mapping]] = ...) -> None: ...

class CreateMatchResponse(_message.Message):
    __slots__ = ("access", "status")
    ACCESS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    access: MatchAccess
    status: MatchStatus
    def __init__(self, access: _Optional[_Union[MatchAccess, _Mapping]] = ..., status: _Optional[_Union[MatchStatus, _Mapping]] = ...) -> None: ...

class LoadMatchRequest(_message.Message):
    __slots__ = ("data", "replay")
    DATA_FIELD_NUMBER: _ClassVar[int]
    REPLAY_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    replay: str
    def __init__(self, data: _Optional[bytes] = ..., replay: _Optional[str] = ...) -> None: ...

class LoadMatchResponse(_message.Message):
    __slots__ = ("access", "status")
    ACCESS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    access: MatchAccess
    status: MatchStatus
    def __init__(self, access: _Optional[_Union[MatchAccess, _Mapping]] = ..., status: _Optional[_Union[MatchStatus, _Mapping]] = ...) -> None: ...

class GetMatchRequest(_message.Message):
    __slots__ = ("match_id", "token", "wait")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    wait: bool
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ..., wait: _Optional[bool] = ...) -> None: ...

class GetMatchResponse(_message.Message):
    __slots__ = ("status", "seat", "spectator")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SPECTATOR_FIELD_NUMBER: _ClassVar[int]
    status: MatchStatus
    seat: int
    spectator: bool
    def __init__(self, status: _Optional[_Union[MatchStatus, _Mapping]] = ..., seat: _Optional[int] = ..., spectator: _Optional[bool] = ...) -> None: ...

class GetViewRequest(_message.Message):
    __slots__ = ("match_id", "token", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class GetViewResponse(_message.Message):
    __slots__ = ("view_json", "decisions")
    VIEW_JSON_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    view_json: str
    decisions: int
    def __init__(self, view_json: _Optional[str] = ..., decisions: _Optional[int] = ...) -> None: ...

class ListLegalActionsRequest(_message.Message):
    __slots__ = ("match_id", "token")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ...) -> None: ...

class ListLegalActionsResponse(_message.Message):
    __slots__ = ("actions", "decisions", "action_count")
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    ACTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedCompositeFieldContainer[LegalAction]
    decisions: int
    action_count: int
    def __init__(self, actions: _Optional[_Iterable[_Union[LegalAction, _Mapping]]] = ..., decisions: _Optional[int] = ..., action_count: _Optional[int] = ...) -> None: ...

class PlayRequest(_message.Message):
    __slots__ = ("match_id", "token", "action", "seat", "expected_decisions", "no_wait")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_DECISIONS_FIELD_NUMBER: _ClassVar[int]
    NO_WAIT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    action: int
    seat: int
    expected_decisions: int
    no_wait: bool
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ..., action: _Optional[int] = ..., seat: _Optional[int] = ..., expected_decisions: _Optional[int] = ..., no_wait: _Optional[bool] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("status",)
    STATUS_FIELD_NUMBER: _ClassVar[int]
    status: MatchStatus
    def __init__(self, status: _Optional[_Union[MatchStatus, _Mapping]] = ...) -> None: ...

class SuggestActionRequest(_message.Message):
    __slots__ = ("match_id", "token", "bot", "seed")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    bot: str
    seed: int
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ..., bot: _Optional[str] = ..., seed: _Optional[int] = ...) -> None: ...

class SuggestActionResponse(_message.Message):
    __slots__ = ("action", "decisions")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    action: LegalAction
    decisions: int
    def __init__(self, action: _Optional[_Union[LegalAction, _Mapping]] = ..., decisions: _Optional[int] = ...) -> None: ...

class Frame(_message.Message):
    __slots__ = ("decision", "seat", "action", "story", "events_json", "view_json", "svg", "sketch_json", "to_act", "legal_actions", "outcome")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    STORY_FIELD_NUMBER: _ClassVar[int]
    EVENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    VIEW_JSON_FIELD_NUMBER: _ClassVar[int]
    SVG_FIELD_NUMBER: _ClassVar[int]
    SKETCH_JSON_FIELD_NUMBER: _ClassVar[int]
    TO_ACT_FIELD_NUMBER: _ClassVar[int]
    LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    decision: int
    seat: int
    action: LegalAction
    story: _containers.RepeatedCompositeFieldContainer[StoryLine]
    events_json: _containers.RepeatedScalarFieldContainer[str]
    view_json: str
    svg: str
    sketch_json: str
    to_act: int
    legal_actions: _containers.RepeatedCompositeFieldContainer[LegalAction]
    outcome: MatchOutcome
    def __init__(self, decision: _Optional[int] = ..., seat: _Optional[int] = ..., action: _Optional[_Union[LegalAction, _Mapping]] = ..., story: _Optional[_Iterable[_Union[StoryLine, _Mapping]]] = ..., events_json: _Optional[_Iterable[str]] = ..., view_json: _Optional[str] = ..., svg: _Optional[str] = ..., sketch_json: _Optional[str] = ..., to_act: _Optional[int] = ..., legal_actions: _Optional[_Iterable[_Union[LegalAction, _Mapping]]] = ..., outcome: _Optional[_Union[MatchOutcome, _Mapping]] = ...) -> None: ...

class WatchMatchRequest(_message.Message):
    __slots__ = ("match_id", "token", "seat", "public_only", "first_decision", "parts")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_ONLY_FIELD_NUMBER: _ClassVar[int]
    FIRST_DECISION_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    seat: int
    public_only: bool
    first_decision: int
    parts: _containers.RepeatedScalarFieldContainer[FramePart]
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ..., seat: _Optional[int] = ..., public_only: _Optional[bool] = ..., first_decision: _Optional[int] = ..., parts: _Optional[_Iterable[_Union[FramePart, str]]] = ...) -> None: ...

class WatchMatchResponse(_message.Message):
    __slots__ = ("frame",)
    FRAME_FIELD_NUMBER: _ClassVar[int]
    frame: Frame
    def __init__(self, frame: _Optional[_Union[Frame, _Mapping]] = ...) -> None: ...

class MatchReference(_message.Message):
    __slots__ = ("match_id", "token")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ...) -> None: ...

class TournamentMatchReference(_message.Message):
    __slots__ = ("tournament", "match")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    match: str
    def __init__(self, tournament: _Optional[str] = ..., match: _Optional[str] = ...) -> None: ...

class GetReplayFramesRequest(_message.Message):
    __slots__ = ("match", "replay", "data", "tournament_match", "seat", "public_only", "first_decision", "last_decision", "max_frames", "parts")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    REPLAY_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_MATCH_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_ONLY_FIELD_NUMBER: _ClassVar[int]
    FIRST_DECISION_FIELD_NUMBER: _ClassVar[int]
    LAST_DECISION_FIELD_NUMBER: _ClassVar[int]
    MAX_FRAMES_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    match: MatchReference
    replay: str
    data: bytes
    tournament_match: TournamentMatchReference
    seat: int
    public_only: bool
    first_decision: int
    last_decision: int
    max_frames: int
    parts: _containers.RepeatedScalarFieldContainer[FramePart]
    def __init__(self, match: _Optional[_Union[MatchReference, _Mapping]] = ..., replay: _Optional[str] = ..., data: _Optional[bytes] = ..., tournament_match: _Optional[_Union[TournamentMatchReference, _Mapping]] = ..., seat: _Optional[int] = ..., public_only: _Optional[bool] = ..., first_decision: _Optional[int] = ..., last_decision: _Optional[int] = ..., max_frames: _Optional[int] = ..., parts: _Optional[_Iterable[_Union[FramePart, str]]] = ...) -> None: ...

class GetReplayFramesResponse(_message.Message):
    __slots__ = ("frames", "next_decision", "decisions")
    FRAMES_FIELD_NUMBER: _ClassVar[int]
    NEXT_DECISION_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    frames: _containers.RepeatedCompositeFieldContainer[Frame]
    next_decision: int
    decisions: int
    def __init__(self, frames: _Optional[_Iterable[_Union[Frame, _Mapping]]] = ..., next_decision: _Optional[int] = ..., decisions: _Optional[int] = ...) -> None: ...

class ListLiveMatchesRequest(_message.Message):
    __slots__ = ("tournament", "page_size", "page_token")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    page_size: int
    page_token: str
    def __init__(self, tournament: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class LiveMatch(_message.Message):
    __slots__ = ("match_id", "game", "players", "tournament", "decisions", "client")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    players: _containers.RepeatedScalarFieldContainer[str]
    tournament: str
    decisions: int
    client: str
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., players: _Optional[_Iterable[str]] = ..., tournament: _Optional[str] = ..., decisions: _Optional[int] = ..., client: _Optional[str] = ...) -> None: ...

class ListLiveMatchesResponse(_message.Message):
    __slots__ = ("matches", "next_page_token")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[LiveMatch]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[LiveMatch, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetObservationRequest(_message.Message):
    __slots__ = ("match_id", "token", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class GetObservationResponse(_message.Message):
    __slots__ = ("observation", "decisions")
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    observation: bytes
    decisions: int
    def __init__(self, observation: _Optional[bytes] = ..., decisions: _Optional[int] = ...) -> None: ...

class GetLogRequest(_message.Message):
    __slots__ = ("match_id", "token", "first_event", "max_events")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    FIRST_EVENT_FIELD_NUMBER: _ClassVar[int]
    MAX_EVENTS_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    first_event: int
    max_events: int
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ..., first_event: _Optional[int] = ..., max_events: _Optional[int] = ...) -> None: ...

class GetLogResponse(_message.Message):
    __slots__ = ("events_json", "next_event")
    EVENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    NEXT_EVENT_FIELD_NUMBER: _ClassVar[int]
    events_json: _containers.RepeatedScalarFieldContainer[str]
    next_event: int
    def __init__(self, events_json: _Optional[_Iterable[str]] = ..., next_event: _Optional[int] = ...) -> None: ...

class GetStoryRequest(_message.Message):
    __slots__ = ("match_id", "token", "seat", "since", "until", "long")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    LONG_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    seat: int
    since: int
    until: int
    long: bool
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ..., seat: _Optional[int] = ..., since: _Optional[int] = ..., until: _Optional[int] = ..., long: _Optional[bool] = ...) -> None: ...

class StoryLine(_message.Message):
    __slots__ = ("decision", "level", "text")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    decision: int
    level: int
    text: str
    def __init__(self, decision: _Optional[int] = ..., level: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class GetStoryResponse(_message.Message):
    __slots__ = ("lines", "decisions")
    LINES_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedCompositeFieldContainer[StoryLine]
    decisions: int
    def __init__(self, lines: _Optional[_Iterable[_Union[StoryLine, _Mapping]]] = ..., decisions: _Optional[int] = ...) -> None: ...

class Proposal(_message.Message):
    __slots__ = ("kind", "place", "rounds")
    KIND_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    kind: ProposalKind
    place: str
    rounds: int
    def __init__(self, kind: _Optional[_Union[ProposalKind, str]] = ..., place: _Optional[str] = ..., rounds: _Optional[int] = ...) -> None: ...

class SaidMessage(_message.Message):
    __slots__ = ("to", "text", "proposal", "answers", "accepts")
    TO_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    ACCEPTS_FIELD_NUMBER: _ClassVar[int]
    to: _containers.RepeatedScalarFieldContainer[int]
    text: str
    proposal: Proposal
    answers: int
    accepts: bool
    def __init__(self, to: _Optional[_Iterable[int]] = ..., text: _Optional[str] = ..., proposal: _Optional[_Union[Proposal, _Mapping]] = ..., answers: _Optional[int] = ..., accepts: _Optional[bool] = ...) -> None: ...

class TableMessage(_message.Message):
    __slots__ = ("number", "decision", "seat", "said")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SAID_FIELD_NUMBER: _ClassVar[int]
    number: int
    decision: int
    seat: int
    said: SaidMessage
    def __init__(self, number: _Optional[int] = ..., decision: _Optional[int] = ..., seat: _Optional[int] = ..., said: _Optional[_Union[SaidMessage, _Mapping]] = ...) -> None: ...

class SayInMatchRequest(_message.Message):
    __slots__ = ("match_id", "token", "seat", "said")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SAID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    seat: int
    said: SaidMessage
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ..., seat: _Optional[int] = ..., said: _Optional[_Union[SaidMessage, _Mapping]] = ...) -> None: ...

class SayInMatchResponse(_message.Message):
    __slots__ = ("message",)
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    message: TableMessage
    def __init__(self, message: _Optional[_Union[TableMessage, _Mapping]] = ...) -> None: ...

class ListMessagesRequest(_message.Message):
    __slots__ = ("match_id", "token", "seat", "since", "public_only")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_ONLY_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    seat: int
    since: int
    public_only: bool
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ..., seat: _Optional[int] = ..., since: _Optional[int] = ..., public_only: _Optional[bool] = ...) -> None: ...

class ListMessagesResponse(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[TableMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[TableMessage, _Mapping]]] = ...) -> None: ...

class GetPictureRequest(_message.Message):
    __slots__ = ("match_id", "token", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class GetPictureResponse(_message.Message):
    __slots__ = ("svg", "sketch_json")
    SVG_FIELD_NUMBER: _ClassVar[int]
    SKETCH_JSON_FIELD_NUMBER: _ClassVar[int]
    svg: str
    sketch_json: str
    def __init__(self, svg: _Optional[str] = ..., sketch_json: _Optional[str] = ...) -> None: ...

class GetRecordRequest(_message.Message):
    __slots__ = ("match_id", "token")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ...) -> None: ...

class GetRecordResponse(_message.Message):
    __slots__ = ("seed", "match_index", "setup_json", "history", "digest", "dice_left", "scripts_left")
    class ScriptsLeftEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    SEED_FIELD_NUMBER: _ClassVar[int]
    MATCH_INDEX_FIELD_NUMBER: _ClassVar[int]
    SETUP_JSON_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    DICE_LEFT_FIELD_NUMBER: _ClassVar[int]
    SCRIPTS_LEFT_FIELD_NUMBER: _ClassVar[int]
    seed: int
    match_index: int
    setup_json: str
    history: _containers.RepeatedScalarFieldContainer[int]
    digest: int
    dice_left: int
    scripts_left: _containers.ScalarMap[str, int]
    def __init__(self, seed: _Optional[int] = ..., match_index: _Optional[int] = ..., setup_json: _Optional[str] = ..., history: _Optional[_Iterable[int]] = ..., digest: _Optional[int] = ..., dice_left: _Optional[int] = ..., scripts_left: _Optional[_Mapping[str, int]] = ...) -> None: ...

class SaveMatchRequest(_message.Message):
    __slots__ = ("match_id", "token")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ...) -> None: ...

class SaveMatchResponse(_message.Message):
    __slots__ = ("data",)
    DATA_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    def __init__(self, data: _Optional[bytes] = ...) -> None: ...

class GetReplayRequest(_message.Message):
    __slots__ = ("match_id", "token")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ...) -> None: ...

class GetReplayResponse(_message.Message):
    __slots__ = ("replay",)
    REPLAY_FIELD_NUMBER: _ClassVar[int]
    replay: str
    def __init__(self, replay: _Optional[str] = ...) -> None: ...

class DeleteMatchRequest(_message.Message):
    __slots__ = ("match_id", "token")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    token: str
    def __init__(self, match_id: _Optional[str] = ..., token: _Optional[str] = ...) -> None: ...

class DeleteMatchResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
