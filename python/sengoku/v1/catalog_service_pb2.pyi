import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from sengoku.v1 import options_pb2 as _options_pb2
from sengoku.v1 import simulation_service_pb2 as _simulation_service_pb2
from sengoku.v1 import tournament_service_pb2 as _tournament_service_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Game(_message.Message):
    __slots__ = ("id", "summary", "min_seats", "max_seats", "rules_version", "capabilities", "action_count", "observation_size", "bots", "reasons", "scenario_file", "scenario_remarks")
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
    SCENARIO_FILE_FIELD_NUMBER: _ClassVar[int]
    SCENARIO_REMARKS_FIELD_NUMBER: _ClassVar[int]
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
    scenario_file: ScenarioFile
    scenario_remarks: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[str] = ..., summary: _Optional[str] = ..., min_seats: _Optional[int] = ..., max_seats: _Optional[int] = ..., rules_version: _Optional[int] = ..., capabilities: _Optional[_Iterable[str]] = ..., action_count: _Optional[int] = ..., observation_size: _Optional[int] = ..., bots: _Optional[_Iterable[_Union[Bot, _Mapping]]] = ..., reasons: _Optional[_Iterable[str]] = ..., scenario_file: _Optional[_Union[ScenarioFile, _Mapping]] = ..., scenario_remarks: _Optional[_Iterable[str]] = ...) -> None: ...

class ScenarioFile(_message.Message):
    __slots__ = ("option", "text_option", "mark")
    OPTION_FIELD_NUMBER: _ClassVar[int]
    TEXT_OPTION_FIELD_NUMBER: _ClassVar[int]
    MARK_FIELD_NUMBER: _ClassVar[int]
    option: str
    text_option: str
    mark: str
    def __init__(self, option: _Optional[str] = ..., text_option: _Optional[str] = ..., mark: _Optional[str] = ...) -> None: ...

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

class Scenario(_message.Message):
    __slots__ = ("game", "id", "name", "setup_json", "source", "facts", "chapters", "details_json", "seats", "balance")
    GAME_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SETUP_JSON_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    CHAPTERS_FIELD_NUMBER: _ClassVar[int]
    DETAILS_JSON_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    BALANCE_FIELD_NUMBER: _ClassVar[int]
    game: str
    id: str
    name: str
    setup_json: str
    source: str
    facts: _containers.RepeatedCompositeFieldContainer[ScenarioFact]
    chapters: _containers.RepeatedCompositeFieldContainer[ScenarioChapter]
    details_json: str
    seats: _containers.RepeatedScalarFieldContainer[str]
    balance: _containers.RepeatedCompositeFieldContainer[ScenarioBalance]
    def __init__(self, game: _Optional[str] = ..., id: _Optional[str] = ..., name: _Optional[str] = ..., setup_json: _Optional[str] = ..., source: _Optional[str] = ..., facts: _Optional[_Iterable[_Union[ScenarioFact, _Mapping]]] = ..., chapters: _Optional[_Iterable[_Union[ScenarioChapter, _Mapping]]] = ..., details_json: _Optional[str] = ..., seats: _Optional[_Iterable[str]] = ..., balance: _Optional[_Iterable[_Union[ScenarioBalance, _Mapping]]] = ...) -> None: ...

class ScenarioBalance(_message.Message):
    __slots__ = ("rules_version", "bots", "seed", "match_count", "wins", "draws", "no_results", "rounds_sum", "date")
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    MATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    DRAWS_FIELD_NUMBER: _ClassVar[int]
    NO_RESULTS_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_SUM_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    rules_version: int
    bots: _containers.RepeatedScalarFieldContainer[str]
    seed: int
    match_count: int
    wins: _containers.RepeatedScalarFieldContainer[int]
    draws: int
    no_results: int
    rounds_sum: int
    date: str
    def __init__(self, rules_version: _Optional[int] = ..., bots: _Optional[_Iterable[str]] = ..., seed: _Optional[int] = ..., match_count: _Optional[int] = ..., wins: _Optional[_Iterable[int]] = ..., draws: _Optional[int] = ..., no_results: _Optional[int] = ..., rounds_sum: _Optional[int] = ..., date: _Optional[str] = ...) -> None: ...

class ScenarioFact(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class ScenarioChapter(_message.Message):
    __slots__ = ("heading", "paragraphs")
    HEADING_FIELD_NUMBER: _ClassVar[int]
    PARAGRAPHS_FIELD_NUMBER: _ClassVar[int]
    heading: str
    paragraphs: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, heading: _Optional[str] = ..., paragraphs: _Optional[_Iterable[str]] = ...) -> None: ...

class ListScenariosRequest(_message.Message):
    __slots__ = ("game",)
    GAME_FIELD_NUMBER: _ClassVar[int]
    game: str
    def __init__(self, game: _Optional[str] = ...) -> None: ...

class ListScenariosResponse(_message.Message):
    __slots__ = ("scenarios",)
    SCENARIOS_FIELD_NUMBER: _ClassVar[int]
    scenarios: _containers.RepeatedCompositeFieldContainer[Scenario]
    def __init__(self, scenarios: _Optional[_Iterable[_Union[Scenario, _Mapping]]] = ...) -> None: ...

class GetScenarioRequest(_message.Message):
    __slots__ = ("game", "id", "text")
    GAME_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    game: str
    id: str
    text: str
    def __init__(self, game: _Optional[str] = ..., id: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class GetScenarioResponse(_message.Message):
    __slots__ = ("scenario", "svg", "sketch_json")
    SCENARIO_FIELD_NUMBER: _ClassVar[int]
    SVG_FIELD_NUMBER: _ClassVar[int]
    SKETCH_JSON_FIELD_NUMBER: _ClassVar[int]
    scenario: Scenario
    svg: str
    sketch_json: str
    def __init__(self, scenario: _Optional[_Union[Scenario, _Mapping]] = ..., svg: _Optional[str] = ..., sketch_json: _Optional[str] = ...) -> None: ...

class GetSpecRequest(_message.Message):
    __slots__ = ("game",)
    GAME_FIELD_NUMBER: _ClassVar[int]
    game: str
    def __init__(self, game: _Optional[str] = ...) -> None: ...

class GetSpecResponse(_message.Message):
    __slots__ = ("spec",)
    SPEC_FIELD_NUMBER: _ClassVar[int]
    spec: Spec
    def __init__(self, spec: _Optional[_Union[Spec, _Mapping]] = ...) -> None: ...

class Spec(_message.Message):
    __slots__ = ("game", "rules_version", "min_seats", "max_seats", "observation_size", "action_count", "max_legal_actions", "fields", "actions")
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    MIN_SEATS_FIELD_NUMBER: _ClassVar[int]
    MAX_SEATS_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_SIZE_FIELD_NUMBER: _ClassVar[int]
    ACTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    MAX_LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    game: str
    rules_version: int
    min_seats: int
    max_seats: int
    observation_size: int
    action_count: int
    max_legal_actions: int
    fields: _containers.RepeatedCompositeFieldContainer[SpecField]
    actions: _containers.RepeatedCompositeFieldContainer[SpecAction]
    def __init__(self, game: _Optional[str] = ..., rules_version: _Optional[int] = ..., min_seats: _Optional[int] = ..., max_seats: _Optional[int] = ..., observation_size: _Optional[int] = ..., action_count: _Optional[int] = ..., max_legal_actions: _Optional[int] = ..., fields: _Optional[_Iterable[_Union[SpecField, _Mapping]]] = ..., actions: _Optional[_Iterable[_Union[SpecAction, _Mapping]]] = ...) -> None: ...

class SpecField(_message.Message):
    __slots__ = ("name", "offset", "bit", "bits", "axes", "low", "high", "none", "meaning", "labels")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    BIT_FIELD_NUMBER: _ClassVar[int]
    BITS_FIELD_NUMBER: _ClassVar[int]
    AXES_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    NONE_FIELD_NUMBER: _ClassVar[int]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    name: str
    offset: int
    bit: int
    bits: int
    axes: _containers.RepeatedCompositeFieldContainer[SpecAxis]
    low: int
    high: int
    none: int
    meaning: str
    labels: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., offset: _Optional[int] = ..., bit: _Optional[int] = ..., bits: _Optional[int] = ..., axes: _Optional[_Iterable[_Union[SpecAxis, _Mapping]]] = ..., low: _Optional[int] = ..., high: _Optional[int] = ..., none: _Optional[int] = ..., meaning: _Optional[str] = ..., labels: _Optional[_Iterable[str]] = ...) -> None: ...

class SpecAxis(_message.Message):
    __slots__ = ("name", "size", "stride", "first", "step", "labels", "meanings")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    STRIDE_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    MEANINGS_FIELD_NUMBER: _ClassVar[int]
    name: str
    size: int
    stride: int
    first: int
    step: int
    labels: _containers.RepeatedScalarFieldContainer[str]
    meanings: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., size: _Optional[int] = ..., stride: _Optional[int] = ..., first: _Optional[int] = ..., step: _Optional[int] = ..., labels: _Optional[_Iterable[str]] = ..., meanings: _Optional[_Iterable[str]] = ...) -> None: ...

class SpecAction(_message.Message):
    __slots__ = ("name", "first", "axes", "meaning")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    AXES_FIELD_NUMBER: _ClassVar[int]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    name: str
    first: int
    axes: _containers.RepeatedCompositeFieldContainer[SpecAxis]
    meaning: str
    def __init__(self, name: _Optional[str] = ..., first: _Optional[int] = ..., axes: _Optional[_Iterable[_Union[SpecAxis, _Mapping]]] = ..., meaning: _Optional[str] = ...) -> None: ...

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

class GetStatusRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetStatusResponse(_message.Message):
    __slots__ = ("start_time", "uptime", "stopping", "calls", "working", "waiting", "open_matches", "runs", "plays", "players", "environments", "tournaments", "missing_packages", "clients", "calls_ended", "calls_failed", "connections", "store_bytes", "problems", "caller", "caller_role", "fleet", "fleet_workers")
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    UPTIME_FIELD_NUMBER: _ClassVar[int]
    STOPPING_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    WORKING_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    OPEN_MATCHES_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    ENVIRONMENTS_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENTS_FIELD_NUMBER: _ClassVar[int]
    MISSING_PACKAGES_FIELD_NUMBER: _ClassVar[int]
    CLIENTS_FIELD_NUMBER: _ClassVar[int]
    CALLS_ENDED_FIELD_NUMBER: _ClassVar[int]
    CALLS_FAILED_FIELD_NUMBER: _ClassVar[int]
    CONNECTIONS_FIELD_NUMBER: _ClassVar[int]
    STORE_BYTES_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    CALLER_FIELD_NUMBER: _ClassVar[int]
    CALLER_ROLE_FIELD_NUMBER: _ClassVar[int]
    FLEET_FIELD_NUMBER: _ClassVar[int]
    FLEET_WORKERS_FIELD_NUMBER: _ClassVar[int]
    start_time: _timestamp_pb2.Timestamp
    uptime: _duration_pb2.Duration
    stopping: bool
    calls: int
    working: int
    waiting: int
    open_matches: int
    runs: _containers.RepeatedCompositeFieldContainer[RunCount]
    plays: _containers.RepeatedCompositeFieldContainer[GamePlay]
    players: int
    environments: int
    tournaments: _containers.RepeatedCompositeFieldContainer[TournamentCount]
    missing_packages: _containers.RepeatedScalarFieldContainer[str]
    clients: _containers.RepeatedCompositeFieldContainer[ClientUse]
    calls_ended: int
    calls_failed: int
    connections: int
    store_bytes: int
    problems: _containers.RepeatedScalarFieldContainer[str]
    caller: str
    caller_role: str
    fleet: str
    fleet_workers: _containers.RepeatedCompositeFieldContainer[FleetWorker]
    def __init__(self, start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., uptime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., stopping: _Optional[bool] = ..., calls: _Optional[int] = ..., working: _Optional[int] = ..., waiting: _Optional[int] = ..., open_matches: _Optional[int] = ..., runs: _Optional[_Iterable[_Union[RunCount, _Mapping]]] = ..., plays: _Optional[_Iterable[_Union[GamePlay, _Mapping]]] = ..., players: _Optional[int] = ..., environments: _Optional[int] = ..., tournaments: _Optional[_Iterable[_Union[TournamentCount, _Mapping]]] = ..., missing_packages: _Optional[_Iterable[str]] = ..., clients: _Optional[_Iterable[_Union[ClientUse, _Mapping]]] = ..., calls_ended: _Optional[int] = ..., calls_failed: _Optional[int] = ..., connections: _Optional[int] = ..., store_bytes: _Optional[int] = ..., problems: _Optional[_Iterable[str]] = ..., caller: _Optional[str] = ..., caller_role: _Optional[str] = ..., fleet: _Optional[str] = ..., fleet_workers: _Optional[_Iterable[_Union[FleetWorker, _Mapping]]] = ...) -> None: ...

class FleetWorker(_message.Message):
    __slots__ = ("name", "node", "state", "build", "threads", "units_per_second", "units", "ranges_in_flight", "seconds_since_heard", "disagreements", "why")
    NAME_FIELD_NUMBER: _ClassVar[int]
    NODE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    BUILD_FIELD_NUMBER: _ClassVar[int]
    THREADS_FIELD_NUMBER: _ClassVar[int]
    UNITS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    UNITS_FIELD_NUMBER: _ClassVar[int]
    RANGES_IN_FLIGHT_FIELD_NUMBER: _ClassVar[int]
    SECONDS_SINCE_HEARD_FIELD_NUMBER: _ClassVar[int]
    DISAGREEMENTS_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    name: str
    node: str
    state: str
    build: str
    threads: int
    units_per_second: float
    units: int
    ranges_in_flight: int
    seconds_since_heard: float
    disagreements: int
    why: str
    def __init__(self, name: _Optional[str] = ..., node: _Optional[str] = ..., state: _Optional[str] = ..., build: _Optional[str] = ..., threads: _Optional[int] = ..., units_per_second: _Optional[float] = ..., units: _Optional[int] = ..., ranges_in_flight: _Optional[int] = ..., seconds_since_heard: _Optional[float] = ..., disagreements: _Optional[int] = ..., why: _Optional[str] = ...) -> None: ...

class ClientUse(_message.Message):
    __slots__ = ("name", "calls", "streams", "working", "waiting", "runs", "tournaments")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    STREAMS_FIELD_NUMBER: _ClassVar[int]
    WORKING_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENTS_FIELD_NUMBER: _ClassVar[int]
    name: str
    calls: int
    streams: int
    working: int
    waiting: int
    runs: int
    tournaments: int
    def __init__(self, name: _Optional[str] = ..., calls: _Optional[int] = ..., streams: _Optional[int] = ..., working: _Optional[int] = ..., waiting: _Optional[int] = ..., runs: _Optional[int] = ..., tournaments: _Optional[int] = ...) -> None: ...

class RunCount(_message.Message):
    __slots__ = ("state", "count")
    STATE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    state: _simulation_service_pb2.RunState
    count: int
    def __init__(self, state: _Optional[_Union[_simulation_service_pb2.RunState, str]] = ..., count: _Optional[int] = ...) -> None: ...

class TournamentCount(_message.Message):
    __slots__ = ("state", "count")
    STATE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    state: _tournament_service_pb2.TournamentState
    count: int
    def __init__(self, state: _Optional[_Union[_tournament_service_pb2.TournamentState, str]] = ..., count: _Optional[int] = ...) -> None: ...

class GamePlay(_message.Message):
    __slots__ = ("game", "matches", "decisions")
    GAME_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    game: str
    matches: int
    decisions: int
    def __init__(self, game: _Optional[str] = ..., matches: _Optional[int] = ..., decisions: _Optional[int] = ...) -> None: ...
