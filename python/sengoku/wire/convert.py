"""Protobuf messages to engine values and back; the only file that knows both."""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC
from itertools import islice
from operator import index
from typing import Any, SupportsIndex, TypeVar

import numpy as np
import numpy.typing as npt
from google.longrunning import operations_pb2
from google.protobuf import duration_pb2
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import DecodeError as ProtobufDecodeError
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from sengoku import battles, engine, swords, tower
from sengoku._core import MAX_THREADS
from sengoku.bots.bot import Decision, Playing
from sengoku.bots.host import Ask, Clock, Over
from sengoku.bots.report import FORFEITS, PlayedMatch
from sengoku.engine.batch import BatchEnv
from sengoku.engine.games import setup_to_json
from sengoku.engine.report import RESULTS, MatchReport
from sengoku.engine.requests import RunRequest
from sengoku.engine.run_status import STATES, RunStatus, RunSummary
from sengoku.engine.scenarios import Scenario
from sengoku.engine.spec import ActionKind, Axis, Field, Spec
from sengoku.errors import (
    REASONS,
    ArgumentError,
    DecodeError,
    DiceScriptError,
    InternalError,
    SengokuError,
    SetupError,
)
from sengoku.swords import UNITS, Battle, Force, Odds
from sengoku.tournament.results import Fault, TournamentMatch
from sengoku.tournament.spec import Board, Entrant, TournamentSpec
from sengoku.tournament.standings import Table
from sengoku.tournament.status import TournamentStatus
from sengoku.v1 import (
    battles_pb2,
    catalog_service_pb2,
    env_service_pb2,
    game_pb2,
    match_service_pb2,
    odds_service_pb2,
    player_service_pb2,
    simulation_service_pb2,
    swords_pb2,
    tournament_service_pb2,
    tower_pb2,
    tower_service_pb2,
)

M = TypeVar("M", bound=Message)
T = TypeVar("T")

_DTYPES: dict[game_pb2.DataType, np.dtype[Any]] = {
    game_pb2.DATA_TYPE_FLOAT64: np.dtype("<f8"),
    game_pb2.DATA_TYPE_UINT64: np.dtype("<u8"),
    game_pb2.DATA_TYPE_UINT32: np.dtype("<u4"),
    game_pb2.DATA_TYPE_INT32: np.dtype("<i4"),
    game_pb2.DATA_TYPE_UINT8: np.dtype("u1"),
    game_pb2.DATA_TYPE_INT8: np.dtype("i1"),
    game_pb2.DATA_TYPE_BOOL: np.dtype("?"),
    game_pb2.DATA_TYPE_FLOAT32: np.dtype("<f4"),
}
_DATA_TYPES = {dtype: data_type for data_type, dtype in _DTYPES.items()}
_RESULT_TYPES = {
    "winner": (game_pb2.DATA_TYPE_INT8, 1),
    "by_rule": (game_pb2.DATA_TYPE_BOOL, 1),
    "ranks": (game_pb2.DATA_TYPE_UINT8, 2),
    "rounds": (game_pb2.DATA_TYPE_UINT32, 1),
    "decisions": (game_pb2.DATA_TYPE_UINT32, 1),
    "reason": (game_pb2.DATA_TYPE_UINT8, 1),
    "scores": (game_pb2.DATA_TYPE_INT32, 2),
    "digest": (game_pb2.DATA_TYPE_UINT64, 1),
}
"""Type and dimensions of each column of results."""
_MAX_DICE = 1_000_000
_HIRED_FIRST = ("ronin", "spear", "gun", "sword", "bow")


def parse(kind: Callable[[], M], data: bytes) -> M:
    """Reads a message, or says that the bytes are none."""
    message = kind()
    try:
        message.ParseFromString(data)
    except ProtobufDecodeError as error:
        name = message.DESCRIPTOR.name
        raise DecodeError(
            f"{len(data)} bytes are no {name}", {"message": name, "bytes": str(len(data))}
        ) from error
    return message


def _names(enum: EnumTypeWrapper, prefix: str, zero: str) -> dict[int, str]:
    """Our names of the values of an enum; `zero` is that of the value 0."""
    return {0: zero} | {
        value: name.removeprefix(f"{prefix}_").lower() for name, value in enum.items() if value
    }


_FORTS = _names(swords_pb2.SwordsFort, "SWORDS_FORT", "none")
_KINDS = _names(swords_pb2.SwordsUnit, "SWORDS_UNIT", "unspecified")
_METHODS = _names(odds_service_pb2.OddsMethod, "ODDS_METHOD", "auto")


def _our_name(names: dict[int, str], value: int, field: str) -> str:
    """Gives an enum value our name, or refuses one that has no meaning."""
    name = names.get(value)
    if name is None:
        raise ArgumentError(
            f"{field} is {value}, which has no meaning", {"field": field, "value": str(value)}
        )
    return name


def _enum_name(prefix: str, name: str, zero: str) -> str:
    """Gives our name of an enum value its protobuf name."""
    return f"{prefix}_{'UNSPECIFIED' if name == zero else name.upper()}"


Numbers = npt.NDArray[Any]


def tensor_to_proto(array: Numbers) -> game_pb2.Tensor:
    """Packs an array."""
    data_type = _DATA_TYPES.get(array.dtype)
    if data_type is None:
        raise TypeError(f"no tensor holds {array.dtype}")
    return game_pb2.Tensor(data_type=data_type, shape=array.shape, content=array.tobytes())


def tensor_from_proto(tensor: game_pb2.Tensor, data_type: game_pb2.DataType, dimensions: int) -> Numbers:
    """Unpacks an array that must have this type and number of dimensions."""
    shape = tuple(tensor.shape[: dimensions + 1])
    dtype, size = _DTYPES[data_type], len(tensor.content)
    fits = tensor.data_type == data_type and len(shape) == dimensions and min(shape) >= 0
    if not fits or math.prod(shape) * dtype.itemsize != size:
        raise DecodeError(
            f"a tensor of type {tensor.data_type} and shape {shape} has {size} bytes, "
            f"not the type {data_type} and {dimensions} dimensions",
            {"data_type": str(tensor.data_type), "shape": str(shape), "bytes": str(size)},
        )
    # Without elements the other dimensions can be as large as they like; they mean nothing.
    return np.frombuffer(tensor.content, dtype).reshape(shape if size else (0,) * dimensions)


def force_to_proto(force: Force) -> swords_pb2.SwordsForce:
    """Writes a force."""
    units = {unit: getattr(force, unit) for unit in UNITS}
    return swords_pb2.SwordsForce(**units, disrupted=force.disrupted)


def force_from_proto(message: swords_pb2.SwordsForce) -> Force:
    """Reads a force."""
    return Force(
        daimyo=message.daimyo,
        bow=message.bow,
        gun=message.gun,
        sword=message.sword,
        spear=message.spear,
        ronin=message.ronin,
        disrupted=message.disrupted,
    )


def battle_to_proto(battle: Battle) -> swords_pb2.SwordsBattle:
    """Writes a battle."""

    def kinds(order: str | tuple[str, ...]) -> list[str]:
        if order == "cheapest":
            return []  # the default
        names = _HIRED_FIRST if isinstance(order, str) else order
        return [_enum_name("SWORDS_UNIT", name, "") for name in names]

    return swords_pb2.SwordsBattle(
        attacker=force_to_proto(battle.attacker),
        defenders=[force_to_proto(force) for force in battle.defenders],
        fort=_enum_name("SWORDS_FORT", battle.fort, "none"),
        fort_lost=battle.fort_lost,
        naval=battle.naval,
        attacker_losses=kinds(battle.attacker_losses),
        defender_losses=kinds(battle.defender_losses),
        break_off_below=battle.break_off_below or 0,
        break_off_after=battle.break_off_after or 0,
    )


def _refuse_length(field: str, items: Sequence[object], most: int) -> None:
    """Refuses a list that is too long before anything is made of it."""
    if len(items) > most:
        details = {"field": field, "value": str(len(items)), "limit": str(most)}
        raise SetupError(f"{field} has {len(items)} entries, at most {most} are possible", details)


def battle_from_proto(message: swords_pb2.SwordsBattle) -> Battle:
    """Reads a battle; whatever the rules do not allow is refused as in process."""
    _refuse_length("defenders", message.defenders, 2)
    return Battle(
        force_from_proto(message.attacker),
        [force_from_proto(force) for force in message.defenders],
        fort=_our_name(_FORTS, message.fort, "fort"),
        fort_lost=message.fort_lost,
        naval=message.naval,
        attacker_losses=_losses("attacker_losses", message.attacker_losses),
        defender_losses=_losses("defender_losses", message.defender_losses),
        break_off_below=message.break_off_below,
        break_off_after=message.break_off_after,
    )


def _losses(field: str, kinds: Sequence[int]) -> tuple[str, ...] | None:
    """Reads in which order units are given up; without one it is the usual one."""
    if not kinds:
        return None
    _refuse_length(field, kinds, 5)
    return tuple(_our_name(_KINDS, kind, field) for kind in kinds)


def _rows(read: Callable[[M], T], messages: Iterable[M], what: str = "row") -> list[T]:
    """Reads many messages; an error names its row."""
    rows = []
    for row, message in enumerate(messages):
        try:
            rows.append(read(message))
        except SengokuError as error:
            raise type(error)(f"{what} {row}: {error}", error.details | {what: str(row)}) from error
    return rows


def options_to_proto(
    *, method: str = "auto", samples: int = 0, max_error: float | None = None, seed: int = 0
) -> odds_service_pb2.OddsOptions:
    """Writes the options of a question about odds."""
    if method not in _METHODS.values():
        raise ArgumentError(
            f'method is {method!r}, not "exact", "sampled" or "auto"',
            {"field": "method", "value": repr(method)},
        )
    if max_error is not None and not 0 < max_error < math.inf:
        details = {"field": "max_error", "value": str(max_error)}
        raise ArgumentError(f"max_error is {max_error}, it must be a number above 0", details)
    for field, value, bits in (("samples", samples, 63), ("seed", seed, 64)):
        if not 0 <= value < 1 << bits:
            raise ArgumentError(
                f"{field} is {value}, 0 to {(1 << bits) - 1} are possible",
                {"field": field, "value": str(value)},
            )
    return odds_service_pb2.OddsOptions(
        method=_enum_name("ODDS_METHOD", method, "auto"), samples=samples, max_error=max_error, seed=seed
    )


def method_from_proto(options: odds_service_pb2.OddsOptions) -> str:
    """Reads the method of a question about odds."""
    return _our_name(_METHODS, options.method, "method")


def odds_to_proto(odds: Odds, *, survivors: bool = False) -> swords_pb2.SwordsOdds:
    """Writes odds: the table, and what follows from it."""

    def listed(left: dict[Force, float]) -> list[swords_pb2.SwordsSurvivors]:
        return [
            swords_pb2.SwordsSurvivors(force=force_to_proto(force), probability=chance)
            for force, chance in left.items()
        ]

    counts = odds.counts
    return swords_pb2.SwordsOdds(
        attacker_wins=odds.attacker_wins,
        defender_wins=odds.defender_wins,
        both_eliminated=odds.both_eliminated,
        called_off=odds.called_off,
        standard_error=odds.standard_error,
        samples=odds.samples,
        rounds_mean=odds.rounds_mean,
        rounds_total=odds.rounds_total or 0,
        attacker_units_left=odds.attacker_units_left.tolist(),
        defender_units_left=odds.defender_units_left.tolist(),
        fort_bonus_left=odds.fort_bonus_left.tolist(),
        attacker_left=listed(odds.attacker_left) if survivors else None,
        defender_left=listed(odds.defender_left) if survivors else None,
        table=tensor_to_proto(odds.table if counts is None else counts),
    )


def odds_from_proto(battle: Battle, message: swords_pb2.SwordsOdds) -> Odds:
    """Reads the odds of a battle: the same object that the server had."""
    if message.samples:
        counts = tensor_from_proto(message.table, game_pb2.DATA_TYPE_UINT64, 2)
        return Odds.from_counts(battle, counts.astype(np.uint64), message.samples, message.rounds_total)
    table = tensor_from_proto(message.table, game_pb2.DATA_TYPE_FLOAT64, 2)
    return Odds.from_probabilities(battle, table.astype(np.float64), message.rounds_mean)


def _odds_columns(message: Message, names: Iterable[str], rows: int) -> dict[str, Any]:
    """Unpacks columns of odds, as many rows as there should be."""
    columns: dict[str, Any] = {}
    for name in names:
        data_type = game_pb2.DATA_TYPE_UINT64 if name == "samples" else game_pb2.DATA_TYPE_FLOAT64
        dimensions = 2 if name.endswith("_left") else 1
        columns[name] = tensor_from_proto(getattr(message, name), data_type, dimensions)
        _check_rows(name, columns[name], rows)
    return columns


def _check_rows(name: str, column: Numbers, rows: int) -> None:
    if len(column) != rows:
        details = {"column": name, "found": str(len(column)), "expected": str(rows)}
        raise DecodeError(f"column {name} has {len(column)} rows, not {rows}", details)


def _whole(field: str, value: SupportsIndex, most: int, error: type[SengokuError] = ArgumentError) -> int:
    """Gives a whole number that the wire can hold, or refuses it as the engine does."""
    number = index(value)
    if not 0 <= number <= most:
        told = _digits(number)
        details = {"field": field, "value": told}
        raise error(f"{field} is {told}, 0 to {most} are possible", details)
    return number


_U64 = (1 << 64) - 1


def _digits(number: int) -> str:
    """A number as it is told; Python refuses to write out thousands of digits."""
    return str(number) if abs(number) < 1 << 200 else "a huge number"


def _signed(field: str, value: SupportsIndex, bits: int) -> int:
    """Gives a whole number that the wire can hold; whether it means something is for the server to say."""
    number = index(value)
    if not -1 << bits - 1 <= number < 1 << bits - 1:
        details = {"field": field, "value": _digits(number)}
        raise ArgumentError(f"{field} is {_digits(number)}, there is no such {field}", details)
    return number


def text_to_proto(field: str, value: str) -> str:
    """Gives a name as the wire can hold it; signs that it cannot become others, and the name is unknown."""
    if not isinstance(value, str):
        raise TypeError(f"{field} must be a name, not {type(value).__name__}")
    return value.encode("utf-8", "replace").decode()


def parameters_to_proto(parameters: tower.Parameters) -> str:
    """Writes the parameters of a tower: the name of a set or a table, as JSON; the default is nothing."""
    if parameters is None:
        return ""
    if not isinstance(parameters, str | Mapping):
        raise TypeError(f"parameters must be the name of a set or a table, not {type(parameters).__name__}")
    try:
        return json.dumps(parameters if isinstance(parameters, str) else dict(parameters))
    except (TypeError, ValueError, RecursionError) as error:
        reason = str(error)
        raise SetupError(f"parameters: {reason}", {"field": "parameters", "reason": reason}) from None


def parameters_from_proto(text: str) -> Any:
    """Reads the parameters of a tower."""
    if not text:
        return None
    reason = "neither the name of a set nor a table"
    try:
        parameters = json.loads(text)
        if isinstance(parameters, str | dict):
            return parameters
    except (ValueError, RecursionError) as error:
        reason = f"no JSON: {error}"
    raise SetupError(f"parameters: {reason}", {"field": "parameters", "reason": reason})


def _seats_to_proto(seats: SupportsIndex | None) -> int | None:
    return None if seats is None else _whole("seats", seats, 255, SetupError)


def run_to_proto(
    game: str,
    *,
    bots: Iterable[str],
    seats: SupportsIndex | None = None,
    match_count: SupportsIndex,
    first_match: SupportsIndex = 0,
    seed: SupportsIndex = 0,
    setup: engine.Setup = None,
    threads: SupportsIndex = 0,
) -> simulation_service_pb2.RunMatchesRequest:
    """Writes a request for matches."""
    if isinstance(bots, str):
        raise TypeError("bots must be a list of names, not str")
    return simulation_service_pb2.RunMatchesRequest(
        game=text_to_proto("game", game),
        seats=_seats_to_proto(seats),
        bots=[text_to_proto("bots", name) for name in bots],
        setup_json=setup_to_json(game, setup),
        seed=_whole("seed", seed, _U64),
        first_match=_whole("first_match", first_match, _U64),
        match_count=_whole("match_count", match_count, _U64),
        threads=_whole("threads", threads, MAX_THREADS),
    )


def run_from_proto(message: simulation_service_pb2.RunMatchesRequest) -> RunRequest:
    """Read a request for matches; whether it can be played is for its `check` to say."""
    return RunRequest.create(
        message.game,
        bots=message.bots,
        seats=message.seats if message.HasField("seats") else None,
        match_count=message.match_count,
        first_match=message.first_match,
        seed=message.seed,
        setup=message.setup_json or None,
    )


def report_to_proto(report: MatchReport) -> simulation_service_pb2.RunMatchesResponse:
    """Packs the results of matches."""
    columns = {name: tensor_to_proto(getattr(report, name)) for name in RESULTS}
    return simulation_service_pb2.RunMatchesResponse(
        rules_version=report.rules_version, bots=report.bots, reasons=report.reasons, **columns
    )


def summary_to_proto(report: MatchReport) -> simulation_service_pb2.RunSummary:
    """Adds up the results of matches.

    Sums are modulo 2^64, which only that of the digests reaches: a match has at most 5 * 10^7 decisions, so
    the squares of 3.6 * 10^11 decisions fit however they are spread, and a server allows fewer in a run.
    """

    def squares(column: Numbers) -> int:
        wide = column.astype(np.uint64)
        return int((wide * wide).sum(dtype=np.uint64))

    return simulation_service_pb2.RunSummary(
        rules_version=report.rules_version,
        bots=report.bots,
        reasons=report.reasons,
        match_count=len(report),
        wins=report.wins.tolist(),
        draws=report.draws,
        no_results=report.no_results,
        reason_counts=list(report.reason_counts.values()),
        rounds_sum=int(report.rounds.sum(dtype=np.uint64)),
        rounds_square_sum=squares(report.rounds),
        decisions_sum=int(report.decisions.sum(dtype=np.uint64)),
        decisions_square_sum=squares(report.decisions),
        digest_sum=int(report.digest.sum(dtype=np.uint64)),
    )


def add_summary(
    total: simulation_service_pb2.RunSummary, part: simulation_service_pb2.RunSummary
) -> simulation_service_pb2.RunSummary:
    """Gives the aggregates of the rows of both, which are of the same game and bots."""
    lists: dict[str, Any] = {
        name: [one + other for one, other in zip(getattr(total, name), getattr(part, name), strict=True)]
        for name in ("wins", "reason_counts")
    }
    sums: dict[str, Any] = {name: (getattr(total, name) + getattr(part, name)) & _U64 for name in _SUMS}
    return simulation_service_pb2.RunSummary(
        rules_version=total.rules_version, bots=total.bots, reasons=total.reasons, **lists, **sums
    )


_SUMS = (
    "match_count",
    "draws",
    "no_results",
    "rounds_sum",
    "rounds_square_sum",
    "decisions_sum",
    "decisions_square_sum",
    "digest_sum",
)


def row_bytes(seats: int) -> int:
    """Bytes of a packed row of results."""
    return sum(_DTYPES[kind].itemsize * (seats if wide == 2 else 1) for kind, wide in _RESULT_TYPES.values())


def pack_rows(report: MatchReport) -> bytes:
    """Packs the results of matches, column after column, as the tensors of an answer have them."""
    return b"".join(
        np.ascontiguousarray(getattr(report, name), _DTYPES[kind]).tobytes()
        for name, (kind, _) in _RESULT_TYPES.items()
    )


def unpack_rows(data: bytes, count: int, seats: int) -> dict[str, Numbers]:
    """Unpacks the columns of so many rows."""
    if len(data) != count * row_bytes(seats):
        details = {"bytes": str(len(data)), "rows": str(count), "seats": str(seats)}
        raise DecodeError(f"{len(data)} bytes are not {count} rows of {seats} seats", details)
    columns, place = {}, 0
    for name, (kind, dimensions) in _RESULT_TYPES.items():
        shape = (count, seats)[:dimensions]
        column = np.frombuffer(data, _DTYPES[kind], math.prod(shape), place).reshape(shape)
        columns[name] = column.astype(column.dtype.newbyteorder("="), copy=False)
        place += column.nbytes
    return columns


def report_from_proto(
    request: simulation_service_pb2.RunMatchesRequest,
    responses: Sequence[simulation_service_pb2.RunMatchesResponse],
    counts: Sequence[int],
) -> MatchReport:
    """Unpacks the results of the parts of a request, so many matches each, into the report of the whole."""
    head = responses[0]
    parts: dict[str, list[Numbers]] = {name: [] for name in RESULTS}
    for response, count in zip(responses, counts, strict=True):
        for field in ("rules_version", "bots", "reasons"):
            mine, other = getattr(head, field), getattr(response, field)
            if mine != other:
                details = {"field": field, "value": str(other), "expected": str(mine)}
                raise DecodeError(f"{field} is {other} in one answer and {mine} in another", details)
        for name, (data_type, dimensions) in _RESULT_TYPES.items():
            column = tensor_from_proto(getattr(response, name), data_type, dimensions)
            expected = (count, len(head.bots))[:dimensions]
            if not (count or column.size):
                column = column.reshape(expected)
            if column.shape != expected:
                details = {"column": name, "found": str(column.shape), "expected": str(expected)}
                raise DecodeError(f"column {name} has the shape {column.shape}, not {expected}", details)
            parts[name].append(column)
    columns = {name: np.concatenate(arrays) for name, arrays in parts.items()}
    columns = {
        name: column.astype(column.dtype.newbyteorder("="), copy=False) for name, column in columns.items()
    }
    columns["by_rule"] = columns["by_rule"].view(np.uint8) > 0
    largest = int(columns["reason"].max(initial=0))
    if largest >= len(head.reasons):
        details = {"column": "reason", "value": str(largest), "expected": str(len(head.reasons))}
        raise DecodeError(f"column reason has {largest}, but there are {len(head.reasons)} reasons", details)
    return MatchReport(
        game=request.game,
        rules_version=head.rules_version,
        setup=_setup_of(request),
        seed=request.seed,
        bots=tuple(head.bots),
        reasons=tuple(head.reasons),
        match_index=np.arange(sum(counts), dtype=np.uint64) + np.uint64(request.first_match),
        **columns,
    )


def game_to_proto(game: engine.Game, **more: Any) -> catalog_service_pb2.Game:
    """Writes an entry of the catalog."""
    bots = [catalog_service_pb2.Bot(name=name, summary=summary) for name, summary in game.bots.items()]
    file = game.scenario_file
    return catalog_service_pb2.Game(
        id=game.name,
        min_seats=game.seats[0],
        max_seats=game.seats[1],
        rules_version=game.rules_version,
        action_count=game.action_count,
        observation_size=game.observation_size,
        bots=bots,
        reasons=game.reasons,
        scenario_file=None if file is None else catalog_service_pb2.ScenarioFile(**asdict(file)),
        scenario_remarks=game.scenario_remarks,
        **more,
    )


def scenario_to_proto(scenario: Scenario) -> catalog_service_pb2.Scenario:
    """Writes a scenario."""
    facts = scenario.facts.items()
    chapters = scenario.chapters.items()
    return catalog_service_pb2.Scenario(
        game=scenario.game,
        id=scenario.id,
        name=scenario.name,
        setup_json="" if scenario.setup is None else json.dumps(scenario.setup),
        source=scenario.source,
        seats=scenario.seats,
        facts=[catalog_service_pb2.ScenarioFact(name=name, value=value) for name, value in facts],
        chapters=[
            catalog_service_pb2.ScenarioChapter(heading=heading, paragraphs=paragraphs)
            for heading, paragraphs in chapters
        ],
        details_json=json.dumps(scenario.details),
    )


def scenario_from_proto(
    message: catalog_service_pb2.Scenario, look: Callable[[], tuple[engine.Picture, engine.Sketch]]
) -> Scenario:
    """Reads a scenario."""
    return Scenario(
        game=message.game,
        id=message.id,
        name=message.name,
        setup=table_from_json("setup_json", message.setup_json) if message.setup_json else None,
        source=message.source,
        seats=list(message.seats),
        facts={fact.name: fact.value for fact in message.facts},
        chapters={chapter.heading: list(chapter.paragraphs) for chapter in message.chapters},
        details=table_from_json("details_json", message.details_json),
        look=look,
    )


def spec_to_proto(spec: Spec) -> catalog_service_pb2.Spec:
    """Writes a specification; its messages have the fields of its classes."""
    return catalog_service_pb2.Spec(**spec.as_dict())


def spec_from_proto(message: catalog_service_pb2.Spec) -> Spec:
    """Reads a specification."""
    fields = (
        Field(
            name=field.name,
            offset=field.offset,
            bit=field.bit,
            bits=field.bits,
            axes=_axes_from_proto(field.axes),
            low=field.low,
            high=field.high,
            none=field.none if field.HasField("none") else None,
            meaning=field.meaning,
            labels=tuple(field.labels),
        )
        for field in message.fields
    )
    actions = (
        ActionKind(name=kind.name, first=kind.first, axes=_axes_from_proto(kind.axes), meaning=kind.meaning)
        for kind in message.actions
    )
    return Spec(
        game=message.game,
        rules_version=message.rules_version,
        min_seats=message.min_seats,
        max_seats=message.max_seats,
        observation_size=message.observation_size,
        action_count=message.action_count,
        max_legal_actions=message.max_legal_actions,
        fields=tuple(fields),
        actions=tuple(actions),
    )


def _axes_from_proto(axes: Iterable[catalog_service_pb2.SpecAxis]) -> tuple[Axis, ...]:
    return tuple(
        Axis(
            name=axis.name,
            size=axis.size,
            stride=axis.stride,
            first=axis.first,
            step=axis.step,
            labels=tuple(axis.labels),
        )
        for axis in axes
    )


def sketch_from_json(text: str) -> engine.Sketch:
    """Reads a board for a terminal; a server that knows none sends nothing."""
    try:
        return engine.Sketch.from_json(text or "[]")
    except (TypeError, ValueError, RecursionError) as error:
        details = {"field": "sketch_json"}
        raise DecodeError(f"sketch_json is no list of lines: {error}", details) from error


def create_to_proto(
    game: str,
    *,
    seats: SupportsIndex | None,
    seed: SupportsIndex,
    match_index: SupportsIndex,
    setup: engine.Setup,
    dice: Iterable[SupportsIndex] | None,
) -> match_service_pb2.CreateMatchRequest:
    """Writes a request for a new match."""
    return match_service_pb2.CreateMatchRequest(
        game=text_to_proto("game", game),
        seats=_seats_to_proto(seats),
        seed=_whole("seed", seed, _U64),
        match_index=_whole("match_index", match_index, _U64),
        setup_json=setup_to_json(game, setup),
        dice=None if dice is None else _dice_to_proto(dice),
    )


def _dice_to_proto(dice: Iterable[SupportsIndex]) -> match_service_pb2.Dice:
    faces = [index(face) for face in islice(dice, _MAX_DICE + 1)]
    for place, face in enumerate(faces):
        if not 1 <= face <= 255:
            told = _digits(face)
            details = {"place": str(place), "value": told}
            raise DiceScriptError(f"die {place} is {told}, a die shows 1 or more", details)
    return match_service_pb2.Dice(faces=faces)


def play_to_proto(
    match_id: str,
    token: str,
    action: SupportsIndex,
    seat: SupportsIndex | None,
    expected_decisions: SupportsIndex | None,
) -> match_service_pb2.PlayRequest:
    """Writes a request to play."""
    expected = None if expected_decisions is None else _whole("expected_decisions", expected_decisions, _U64)
    return match_service_pb2.PlayRequest(
        match_id=match_id,
        token=token,
        action=_signed("action", action, 64),
        seat=seat_to_proto(seat),
        expected_decisions=expected,
    )


def seat_to_proto(seat: SupportsIndex | None) -> int | None:
    """Gives a seat as the wire can hold it."""
    return None if seat is None else _signed("seat", seat, 32)


def outcome_from_proto(message: match_service_pb2.MatchOutcome) -> engine.Outcome:
    """Reads how a match ended."""
    return engine.Outcome(
        ranks=tuple(message.ranks),
        winner=message.winner if message.HasField("winner") else None,
        by_rule=message.by_rule,
        reason=message.reason,
        rounds=message.rounds,
        scores=tuple(message.scores),
        details=json.loads(message.details_json or "null"),
    )


def table_from_json(field: str, text: str) -> dict[str, Any]:
    """Reads a table that a server wrote."""
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DecodeError(f"{field} is no JSON: {error}", {"field": field}) from error
    if not isinstance(table, dict):
        raise DecodeError(f"{field} is no table", {"field": field})
    return table


def action_from_proto(message: match_service_pb2.LegalAction) -> engine.Action:
    """Reads an action."""
    args = table_from_json("args_json", message.args_json)
    return engine.Action(index=message.index, name=message.name, args=args, text=message.text)


def mask_from_proto(message: match_service_pb2.ListLegalActionsResponse) -> npt.NDArray[np.bool_]:
    """Reads which actions of the table are legal."""
    mask = np.zeros(message.action_count, np.bool_)
    indices = [action.index for action in message.actions]
    if indices and max(indices) >= len(mask):
        details = {"value": str(max(indices)), "expected": str(len(mask))}
        raise DecodeError(f"action {max(indices)} is legal, but there are {len(mask)} actions", details)
    mask[indices] = True
    return mask


_COLOURS = _names(tower_pb2.TowerColour, "TOWER_COLOUR", "unspecified")


def cubes_to_proto(field: str, cubes: Mapping[str, SupportsIndex]) -> tower_pb2.TowerCubes:
    """Writes cubes by colour."""
    if not isinstance(cubes, Mapping):
        raise TypeError(f"{field} must be a dict of colours and numbers, not {type(cubes).__name__}")
    for colour in cubes:
        if colour not in tower.COLOURS:
            details = {"field": field, "value": repr(colour)}
            raise SetupError(f"{field} is {colour!r}, colours are {', '.join(tower.COLOURS)}", details)
    return tower_pb2.TowerCubes(
        **{colour: _wire(f"{field}.{colour}", count) for colour, count in cubes.items()}
    )


def _wire(field: str, value: SupportsIndex) -> int:
    """Gives a number of cubes that the wire can hold; whether there are so many is for the server to say."""
    number = index(value)
    if not -1 << 31 <= number < 1 << 31:
        told = _digits(number)
        raise SetupError(f"{field} is {told}, there are not so many", {"field": field, "value": told})
    return number


def cubes_from_proto(message: tower_pb2.TowerCubes) -> dict[str, int]:
    """Reads cubes by colour, those that are there."""
    return {colour: count for colour in tower.COLOURS if (count := getattr(message, colour))}


def clash_to_proto(clash: tower.Clash) -> tower_pb2.TowerClash:
    """Writes a clash."""

    def party(colour: str, cubes: int) -> tower_pb2.TowerParty:
        return tower_pb2.TowerParty(colour=_enum_name("TOWER_COLOUR", colour, ""), cubes=cubes)

    contents = clash.contents
    return tower_pb2.TowerClash(
        attacker=party(*clash.attacker),
        defender=party(*clash.defender),
        farmers_stay_out=not clash.farmers_defend,
        tray=cubes_to_proto("tray", clash.tray),
        contents=None if contents is None else cubes_to_proto("contents", contents),
        neutral=clash.neutral,
        revolt=clash.revolt,
        players=clash.players,
        parameters_json=parameters_to_proto(clash.parameters),
    )


def clash_from_proto(message: tower_pb2.TowerClash) -> tower.Clash:
    """Reads a clash; whatever the rules do not allow is refused as in process."""

    def party(side: tower_pb2.TowerParty, field: str) -> tuple[str, int]:
        return _our_name(_COLOURS, side.colour, f"{field}.colour"), side.cubes

    return tower.Clash(
        party(message.attacker, "attacker"),
        party(message.defender, "defender") if message.HasField("defender") else None,
        farmers_defend=not message.farmers_stay_out,
        tray=cubes_from_proto(message.tray),
        contents=cubes_from_proto(message.contents) if message.HasField("contents") else None,
        neutral=message.neutral,
        revolt=message.revolt,
        players=message.players or None,
        parameters=parameters_from_proto(message.parameters_json),
    )


def clash_odds_to_proto(odds: tower.ClashOdds) -> tower_pb2.TowerOdds:
    """Writes odds: the table, and what follows from it."""
    return tower_pb2.TowerOdds(
        attacker_wins=odds.attacker_wins,
        defender_wins=odds.defender_wins,
        none=odds.none,
        standard_error=odds.standard_error,
        samples=odds.samples,
        attacker_armies_left=odds.attacker_armies_left.tolist(),
        defender_armies_left=odds.defender_armies_left.tolist(),
        table=tensor_to_proto(odds.counts),
    )


def clash_odds_from_proto(clash: tower.Clash, message: tower_pb2.TowerOdds) -> tower.ClashOdds:
    """Reads the odds of a clash: the same object that the server had."""
    counts = tensor_from_proto(message.table, game_pb2.DATA_TYPE_UINT64, 2)
    return tower.ClashOdds.from_counts(clash, counts.astype(np.uint64), message.samples)


_PIECES = {
    battles_pb2.BattlesKind.Value(f"BATTLES_KIND_{code.upper()}"): code
    for code in (*battles.UNITS, *battles.LEADERS)
}
_TERRAINS = _names(battles_pb2.BattlesTerrain, "BATTLES_TERRAIN", "open")
_CARDS = _names(battles_pb2.BattlesCard, "BATTLES_CARD", "unspecified")


def piece_to_proto(piece: battles.Piece) -> battles_pb2.BattlesPiece:
    """Writes a piece."""
    wish = piece.ignore_flags
    return battles_pb2.BattlesPiece(
        kind=f"BATTLES_KIND_{piece.kind.upper()}",
        blocks=piece.blocks,
        leader=f"BATTLES_KIND_{(piece.leader or 'UNSPECIFIED').upper()}",
        terrain=_enum_name("BATTLES_TERRAIN", piece.terrain, "open"),
        support=piece.support,
        adjacent_leader=piece.adjacent_leader,
        inspire=piece.inspire,
        ignore_flags=wish if isinstance(wish, int) else {"all": None, "none": 0}[wish],
        room=piece.room,
        seppuku=piece.leader_fate == "seppuku",
    )


def piece_from_proto(message: battles_pb2.BattlesPiece) -> battles.Piece:
    """Reads a piece; what is not set is as for a full unit."""
    return battles.Piece(
        _our_name(_PIECES, message.kind, "kind"),
        message.blocks or None,
        leader=_our_name(_PIECES, message.leader, "leader") if message.leader else None,
        terrain=_our_name(_TERRAINS, message.terrain, "terrain") if message.terrain else None,
        support=message.support,
        adjacent_leader=message.adjacent_leader,
        inspire=message.inspire,
        ignore_flags=message.ignore_flags if message.HasField("ignore_flags") else None,
        room=message.room if message.HasField("room") else None,
        leader_fate="seppuku" if message.seppuku else None,
    )


def strike_to_proto(strike: battles.Strike) -> battles_pb2.BattlesStrike:
    """Writes a strike."""

    def cards(names: Iterable[str]) -> list[str]:
        return [_enum_name("BATTLES_CARD", name, "") for name in names]

    return battles_pb2.BattlesStrike(
        attackers=map(piece_to_proto, strike.attackers),
        defender=piece_to_proto(strike.defender),
        ranged=strike.ranged,
        distance=strike.distance or 0,
        moved=strike.moved,
        dice_bonus=strike.dice_bonus,
        attacker_cards=cards(strike.attacker_cards),
        defender_cards=cards(strike.defender_cards),
        no_battle_back=not strike.battle_back,
        against=strike.against,
        attacker_honor=strike.attacker_honor,
        defender_honor=strike.defender_honor,
        pool=strike.pool,
    )


def strike_from_proto(message: battles_pb2.BattlesStrike) -> battles.Strike:
    """Reads a strike; whatever the rules do not allow is refused as in process."""

    def cards(numbers: Sequence[int], field: str) -> list[str]:
        _refuse_length(field, numbers, len(battles.CARDS))
        return [_our_name(_CARDS, number, field) for number in numbers]

    def tokens(field: str) -> int | None:
        return getattr(message, field) if message.HasField(field) else None

    _refuse_length("attackers", message.attackers, 6)
    return battles.Strike(
        _rows(piece_from_proto, message.attackers, "attacker"),
        _rows(piece_from_proto, [message.defender], "defender")[0],
        ranged=message.ranged,
        distance=message.distance or None,
        moved=message.moved,
        dice_bonus=message.dice_bonus,
        attacker_cards=cards(message.attacker_cards, "attacker_cards"),
        defender_cards=cards(message.defender_cards, "defender_cards"),
        battle_back=not message.no_battle_back,
        against=message.against,
        attacker_honor=tokens("attacker_honor"),
        defender_honor=tokens("defender_honor"),
        pool=tokens("pool"),
    )


def strike_odds_to_proto(odds: battles.StrikeOdds) -> battles_pb2.BattlesOdds:
    """Writes odds: the tables, and what follows from them."""
    rolls, counts = odds.roll_counts, odds.outcome_counts
    numbers = ("hits", "flags", "honor")
    sides = ("attacker_blocks_left", "defender_blocks_left", "attacker_banners", "defender_banners")
    return battles_pb2.BattlesOdds(
        **{name: getattr(odds, name) for name in battles.EVENTS},
        standard_error=odds.standard_error,
        samples=odds.samples,
        **{name: getattr(odds, name).tolist() for name in (*numbers, *sides)},
        roll=tensor_to_proto(odds.roll if rolls is None else rolls),
        outcomes=tensor_to_proto(odds.outcome_rows),
        weights=tensor_to_proto(odds.outcome_probabilities if counts is None else counts),
    )


def strike_odds_from_proto(strike: battles.Strike, message: battles_pb2.BattlesOdds) -> battles.StrikeOdds:
    """Reads the odds of a strike: the same object that the server had."""
    outcomes = tensor_from_proto(message.outcomes, game_pb2.DATA_TYPE_INT32, 2).astype(np.int32)
    weight = game_pb2.DATA_TYPE_UINT64 if message.samples else game_pb2.DATA_TYPE_FLOAT64
    rolls = tensor_from_proto(message.roll, weight, 3)
    weights = tensor_from_proto(message.weights, weight, 1)
    if message.samples:
        counts = weights.astype(np.uint64)
        return battles.StrikeOdds.from_counts(
            strike, rolls.astype(np.uint64), outcomes, counts, message.samples
        )
    return battles.StrikeOdds.from_probabilities(
        strike, rolls.astype(np.float64), outcomes, weights.astype(np.float64)
    )


@dataclass(frozen=True)
class OddsKind:
    """A kind of question about odds, and how it goes over the wire."""

    question: type[Any]
    one: str
    """The field of a request with one of them."""
    many: str
    """The field of a request with many."""
    answer: str
    """The field of a response."""
    to_proto: Callable[[Any], Message]
    from_proto: Callable[[Any], Any]
    odds_to_proto: Callable[[Any, odds_service_pb2.OddsOptions], Message]
    odds_from_proto: Callable[[Any, Any], Any]
    batch_odds: Callable[..., Any]
    batch: type[Any]
    columns: type[Message]

    def evaluate_to_proto(
        self, question: Any, options: odds_service_pb2.OddsOptions
    ) -> odds_service_pb2.EvaluateRequest:
        """Writes a question."""
        asked: Any = {self.one: self.to_proto(question)}
        return odds_service_pb2.EvaluateRequest(options=options, **asked)

    def batch_to_proto(self, batch: Any) -> Message:
        """Packs the odds of many."""
        return self.columns(
            **{name: tensor_to_proto(getattr(batch, name)) for name in batch.__dataclass_fields__}
        )

    def batch_from_proto(self, message: Message, rows: int) -> Any:
        """Unpacks the odds of many, one row for each."""
        return self.batch(**_odds_columns(message, self.batch.__dataclass_fields__, rows))

    def questions_from_proto(self, messages: Iterable[Any]) -> list[Any]:
        """Reads many questions; an error names its row."""
        return _rows(self.from_proto, messages)


ODDS = (
    OddsKind(
        Battle, "swords_battle", "swords_battles", "swords_odds",
        battle_to_proto, battle_from_proto,
        lambda odds, options: odds_to_proto(odds, survivors=options.include_survivors), odds_from_proto,
        swords.batch_odds, swords.BatchOdds, swords_pb2.SwordsOddsColumns,
    ),
    OddsKind(
        tower.Clash, "tower_clash", "tower_clashes", "tower_odds",
        clash_to_proto, clash_from_proto,
        lambda odds, _options: clash_odds_to_proto(odds), clash_odds_from_proto,
        tower.batch_odds, tower.BatchOdds, tower_pb2.TowerOddsColumns,
    ),
    OddsKind(
        battles.Strike, "battles_strike", "battles_strikes", "battles_odds",
        strike_to_proto, strike_from_proto,
        lambda odds, _options: strike_odds_to_proto(odds), strike_odds_from_proto,
        battles.batch_odds, battles.BatchOdds, battles_pb2.BattlesOddsColumns,
    ),
)  # fmt: skip
"""Every kind of question about odds."""


def odds_kind(question: object) -> OddsKind:
    """Finds out what kind of question it is."""
    for kind in ODDS:
        if isinstance(question, kind.question):
            return kind
    names = " or ".join(f"a {kind.question.__name__}" for kind in ODDS)
    raise TypeError(f"a question about odds is {names}, not {type(question).__name__}")


def new_tower_to_proto(
    *,
    model: str,
    seed: SupportsIndex,
    match_index: SupportsIndex,
    contents: tower.Cubes | None,
    parameters: tower.Parameters,
) -> tower_service_pb2.NewTower:
    """Writes a tower before its first throw."""
    return tower_service_pb2.NewTower(
        model=text_to_proto("model", model),
        seed=_whole("seed", seed, _U64),
        match_index=_whole("match_index", match_index, _U64),
        contents=cubes_to_proto("contents", contents or {}),
        parameters_json=parameters_to_proto(parameters),
    )


def new_tower_from_proto(message: tower_service_pb2.NewTower) -> dict[str, Any]:
    """Reads a tower before its first throw, as the arguments it is made of."""
    return {
        "model": message.model or "shelves",
        "seed": message.seed,
        "match_index": message.match_index,
        "contents": cubes_from_proto(message.contents),
        "parameters": parameters_from_proto(message.parameters_json),
    }


def motion_to_proto(motion: Mapping[str, Any] | None) -> tower_service_pb2.ThrowMotion | None:
    """Writes how a throw went; nothing where there was no motion."""
    return None if motion is None else tower_service_pb2.ThrowMotion(**motion)


def motion_from_proto(response: tower_service_pb2.ThrowResponse) -> dict[str, Any] | None:
    """Reads how a throw went, as `CubeTower.last_throw` gives it."""
    if not response.HasField("motion"):
        return None
    return {field.name: getattr(response.motion, field.name) for field in response.motion.DESCRIPTOR.fields}


def tower_model_to_proto(model: tower.Model, max_throws: int) -> catalog_service_pb2.TowerModel:
    """Writes a model of the cube tower."""
    return catalog_service_pb2.TowerModel(**asdict(model), max_throws=max_throws)


def count_to_proto(count: SupportsIndex) -> int:
    """Gives a number of throws that the wire can hold."""
    return _whole("count", count, _U64)


def throws_to_proto(throws: tower.Throws) -> tower_service_pb2.SimulateThrowsResponse:
    """Packs many throws."""
    return tower_service_pb2.SimulateThrowsResponse(
        tray=tensor_to_proto(throws.tray), contents=tensor_to_proto(throws.contents)
    )


def throws_from_proto(message: tower_service_pb2.SimulateThrowsResponse, rows: int) -> tower.Throws:
    """Unpacks many throws, one row for each."""
    columns: dict[str, Any] = {}
    for name in ("tray", "contents"):
        columns[name] = tensor_from_proto(getattr(message, name), game_pb2.DATA_TYPE_UINT8, 2)
        _check_rows(name, columns[name], rows)
    return tower.Throws(**columns)


_STATES = _names(simulation_service_pb2.RunState, "RUN_STATE", "unspecified")


def error_from_status(status: status_pb2.Status) -> SengokuError | None:
    """Turns a status back into the error that it was made from, if it was."""
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    found: SengokuError | None = None
    for detail in status.details:
        if detail.Unpack(info) and info.reason in REASONS:
            found = REASONS[info.reason](status.message, dict(info.metadata))
        detail.Unpack(retry)
    if found is not None and retry.HasField("retry_delay"):
        found.retry_after = retry.retry_delay.ToTimedelta().total_seconds()
    return found


def run_name_to_proto(name: str) -> str:
    """Gives the name of a run as the server has it; its last part alone is enough."""
    text = text_to_proto("name", name)
    return text if text.startswith("operations/") else f"operations/{text}"


def run_state_to_proto(state: str) -> str:
    """Gives a state of runs the name that filters know."""
    if state not in STATES:
        details = {"field": "state", "value": repr(state)}
        raise ArgumentError(f"state is {state!r}, there are {', '.join(STATES)}", details)
    return state.upper()


def run_wish_from_proto(operation: operations_pb2.Operation) -> simulation_service_pb2.RunMatchesRequest:
    """Reads what a run shall play."""
    return _run_metadata(operation).run


def _run_metadata(operation: operations_pb2.Operation) -> simulation_service_pb2.RunMetadata:
    metadata = simulation_service_pb2.RunMetadata()
    try:
        known = operation.metadata.Unpack(metadata)
    except ProtobufDecodeError:
        known = False
    if not known:
        kind = operation.metadata.type_url
        raise DecodeError(f"{operation.name} is no run, but has {kind!r}", {"type": kind})
    return metadata


def run_status_from_proto(operation: operations_pb2.Operation) -> RunStatus:
    """Reads how a run is getting on."""
    told = _run_metadata(operation)
    error: SengokuError | None = None
    if operation.HasField("error"):
        error = error_from_status(operation.error) or InternalError(operation.error.message)
    done = told.HasField("summary") and told.summary.match_count > 0
    return RunStatus(
        name=operation.name,
        state=_STATES.get(told.state, "unspecified"),
        game=told.run.game,
        bots=tuple(told.run.bots),
        seats=told.run.seats if told.run.HasField("seats") else None,
        setup=_setup_of(told.run),
        seed=told.run.seed,
        first_match=told.run.first_match,
        match_count=told.run.match_count,
        matches_done=told.matches_done,
        matches_per_second=told.matches_per_second,
        decisions_per_second=told.decisions_per_second,
        time_left=told.time_left.ToTimedelta().total_seconds() if told.HasField("time_left") else None,
        create_time=told.create_time.ToDatetime(UTC) if told.HasField("create_time") else None,
        end_time=told.end_time.ToDatetime(UTC) if told.HasField("end_time") else None,
        client=told.client,
        request_id=told.request_id,
        queue_position=told.queue_position,
        obstacle=told.obstacle,
        summary=run_summary_from_proto(told.run, told.summary) if done else None,
        error=error,
    )


def _setup_of(request: simulation_service_pb2.RunMatchesRequest) -> dict[str, Any]:
    return table_from_json("setup_json", request.setup_json or "{}")


def run_summary_from_proto(
    request: simulation_service_pb2.RunMatchesRequest, message: simulation_service_pb2.RunSummary
) -> RunSummary:
    """Reads the aggregates of a run."""
    if len(message.reasons) != len(message.reason_counts) or len(message.bots) != len(message.wins):
        details = {"reasons": str(len(message.reasons)), "bots": str(len(message.bots))}
        raise DecodeError("a summary has other numbers of counts than of names", details)
    return RunSummary(
        game=request.game,
        rules_version=message.rules_version,
        setup=_setup_of(request),
        seed=request.seed,
        bots=tuple(message.bots),
        match_count=message.match_count,
        wins=tuple(message.wins),
        draws=message.draws,
        no_results=message.no_results,
        reason_counts=dict(zip(message.reasons, message.reason_counts, strict=True)),
        rounds_sum=message.rounds_sum,
        rounds_square_sum=message.rounds_square_sum,
        decisions_sum=message.decisions_sum,
        decisions_square_sum=message.decisions_square_sum,
        digest_sum=message.digest_sum,
    )


def status_from_proto(message: catalog_service_pb2.GetStatusResponse) -> dict[str, Any]:
    """Reads what a server does at the moment."""
    started = message.start_time
    return {
        "start_time": started.ToDatetime(UTC).isoformat() if message.HasField("start_time") else None,
        "uptime": message.uptime.ToTimedelta().total_seconds(),
        "stopping": message.stopping,
        "calls": message.calls,
        "working": message.working,
        "waiting": message.waiting,
        "open_matches": message.open_matches,
        "players": message.players,
        "environments": message.environments,
        "runs": {_STATES.get(row.state, "unspecified"): row.count for row in message.runs},
        "tournaments": {
            _TOURNAMENT_STATES.get(row.state, "unspecified"): row.count for row in message.tournaments
        },
        "plays": {row.game: {"matches": row.matches, "decisions": row.decisions} for row in message.plays},
    }


# Players


_FORFEITS = dict(enumerate(("", *FORFEITS)))
"""Our names of the reasons of a forfeit, by their numbers in the protos."""
_FORFEIT_NUMBERS = {name: number for number, name in _FORFEITS.items()}


def seconds_to_proto(seconds: float) -> duration_pb2.Duration:
    """Writes a length of time."""
    duration = duration_pb2.Duration()
    duration.FromNanoseconds(round(1e9 * seconds))
    return duration


def seconds_from_proto(field: str, duration: duration_pb2.Duration) -> float:
    """Reads a length of time."""
    if not -999_999_999 <= duration.nanos <= 999_999_999:
        details = {"field": field, "value": f"{duration.seconds} s, {duration.nanos} ns"}
        raise ArgumentError(f"{field} has {duration.nanos} nanoseconds, which is more than a second", details)
    return duration.seconds + duration.nanos / 1e9


def clock_to_proto(clock: Clock | None) -> player_service_pb2.PlayClock | None:
    """Writes how long players may think."""
    if clock is None:
        return None
    endless = clock.match == math.inf
    return player_service_pb2.PlayClock(
        decision=seconds_to_proto(clock.decision),
        bank=seconds_to_proto(clock.bank),
        match=None if endless else seconds_to_proto(clock.match),
    )


def clock_from_proto(message: player_service_pb2.PlayClock) -> Clock:
    """Reads how long players may think; what is not said is as in process."""
    given = {
        field.name: seconds_from_proto(f"clock.{field.name}", value) for field, value in message.ListFields()
    }
    return Clock(**given)


def seat_player_to_proto(name: str) -> player_service_pb2.SeatPlayer:
    """Writes who decides for a seat: a player of the server begins with an @, all others are bots."""
    text = text_to_proto("players", name)
    if text.startswith("@"):
        return player_service_pb2.SeatPlayer(name=text[1:])
    return player_service_pb2.SeatPlayer(bot=text)


def seat_player_from_proto(message: player_service_pb2.SeatPlayer) -> str:
    """Reads who decides for a seat."""
    match message.WhichOneof("player"):
        case "bot" if not message.bot.startswith("@"):
            return message.bot
        case "name":
            return f"@{message.name}"
        case _:
            details = {"field": "players", "value": message.bot or "none"}
            raise ArgumentError("a seat has neither a bot nor the name of a player", details)


def play_matches_to_proto(
    game: str,
    *,
    players: Iterable[str],
    seats: SupportsIndex | None,
    match_count: SupportsIndex,
    first_match: SupportsIndex,
    seed: SupportsIndex,
    setup: engine.Setup,
    rotate: bool,
    clock: Clock | None,
    at_once: SupportsIndex,
    replays: bool,
) -> player_service_pb2.PlayMatchesRequest:
    """Writes a wish for matches of players."""
    if isinstance(players, str):
        raise TypeError("players must be a list of names, not str")
    return player_service_pb2.PlayMatchesRequest(
        game=text_to_proto("game", game),
        seats=_seats_to_proto(seats),
        players=[seat_player_to_proto(name) for name in players],
        setup_json=text_to_proto("setup", setup_to_json(game, setup)),
        seed=_whole("seed", seed, 2**64 - 1),
        first_match=_whole("first_match", first_match, 2**64 - 1),
        match_count=_whole("match_count", match_count, 2**64 - 1),
        rotate=bool(rotate),
        clock=clock_to_proto(clock),
        at_once=_whole("at_once", at_once, 2**31 - 1),
        replays=bool(replays),
    )


def played_to_proto(match: PlayedMatch) -> player_service_pb2.PlayedMatch:
    """Writes how a match of players ended."""
    return player_service_pb2.PlayedMatch(
        match_index=match.match_index,
        rotation=match.rotation,
        ranks=match.ranks,
        winner=match.winner,
        by_rule=match.by_rule,
        reason=match.reason,
        rounds=match.rounds,
        scores=match.scores,
        decisions=match.decisions,
        digest=match.digest,
        forfeits=[_FORFEIT_NUMBERS[why] for why in match.forfeits],  # type: ignore[misc]
        seconds=match.seconds,
        replay=match.replay or "",
    )


def played_from_proto(
    message: player_service_pb2.PlayedMatch, players: Sequence[str], *, replays: bool
) -> PlayedMatch:
    """Reads how a match ended whose seats these players had before they moved on."""
    seats = len(players)
    columns = (message.ranks, message.scores, message.forfeits, message.seconds)
    if any(len(column) != seats for column in columns):
        details = {"message": "PlayedMatch", "seats": str(seats)}
        raise DecodeError(f"a match of {seats} seats has not as many ranks and scores", details)
    return PlayedMatch(
        match_index=message.match_index,
        rotation=message.rotation,
        players=tuple(players[(seat + message.rotation) % seats] for seat in range(seats)),
        ranks=tuple(message.ranks),
        winner=message.winner if message.HasField("winner") else None,
        by_rule=message.by_rule,
        reason=message.reason,
        rounds=message.rounds,
        scores=tuple(message.scores),
        decisions=message.decisions,
        digest=message.digest,
        forfeits=tuple(_our_name(_FORFEITS, why, "forfeits") for why in message.forfeits),
        seconds=tuple(message.seconds),
        replay=message.replay if replays else None,
    )


def hello_to_proto(playing: Playing) -> player_service_pb2.PlayerHello:
    """Writes who a player is."""
    return player_service_pb2.PlayerHello(
        name=text_to_proto("name", playing.name),
        games=playing.games,
        capacity=playing.capacity,
        observation="observation" in playing.wants,
        view="view" in playing.wants,
        actions="actions" in playing.wants,
    )


def ask_to_proto(ask: Ask) -> player_service_pb2.PlayerDecision:
    """Writes a decision for a player, but for its number and the time that is left."""
    message = player_service_pb2.PlayerDecision(
        match_id=ask.match_id,
        game=ask.game,
        seats=ask.seats,
        seat=ask.seat,
        decisions=ask.decisions,
        legal=ask.legal,
    )
    if ask.observation is not None:
        message.observation = ask.observation.tobytes()
    if ask.view_json is not None:
        message.view_json = ask.view_json
    if ask.actions_json is not None:
        for row in json.loads(ask.actions_json):
            args = json.dumps(row.pop("args"), ensure_ascii=False, separators=(",", ":"))
            message.actions.add(**row, args_json=args)
    return message


def decision_from_proto(message: player_service_pb2.PlayerDecision) -> Decision:
    """Reads a decision that a player is asked."""
    actions = [
        {
            "index": row.index,
            "name": row.name,
            "args": table_from_json("args_json", row.args_json),
            "text": row.text,
        }
        for row in message.actions
    ]
    return Decision(
        match_id=message.match_id,
        game=message.game,
        seats=message.seats,
        seat=message.seat,
        decisions=message.decisions,
        legal=np.array(message.legal, np.uint32),
        seconds_left=seconds_from_proto("time_left", message.time_left),
        observation=np.frombuffer(message.observation, np.uint8) if message.observation else None,
        view_json=message.view_json or None,
        actions_json=json.dumps(actions) if actions else None,
    )


def over_to_proto(over: Over) -> player_service_pb2.PlayerMatchOver:
    """Writes for a player how a match ended."""
    return player_service_pb2.PlayerMatchOver(
        match_id=over.match_id,
        game=over.game,
        seat=over.seat,
        ranks=over.ranks,
        winner=over.winner,
        reason=over.reason,
        scores=over.scores,
        forfeit=_FORFEIT_NUMBERS[over.forfeit],  # type: ignore[arg-type]
    )


def over_from_proto(message: player_service_pb2.PlayerMatchOver) -> Over:
    """Reads how a match ended."""
    return Over(
        match_id=message.match_id,
        game=message.game,
        seat=message.seat,
        ranks=tuple(message.ranks),
        winner=message.winner if message.HasField("winner") else None,
        reason=message.reason,
        scores=tuple(message.scores),
        forfeit=_our_name(_FORFEITS, message.forfeit, "forfeit"),
    )


# Environments


_AUTORESETS = _names(env_service_pb2.Autoreset, "AUTORESET", "next_step")
_COLUMNS = {
    "observation": (game_pb2.DATA_TYPE_UINT8, 2),
    "legal_bits": (game_pb2.DATA_TYPE_UINT8, 2),
    "seat": (game_pb2.DATA_TYPE_INT8, 1),
    "reward": (game_pb2.DATA_TYPE_FLOAT32, 2),
    "terminated": (game_pb2.DATA_TYPE_BOOL, 1),
    "truncated": (game_pb2.DATA_TYPE_BOOL, 1),
    "match_index": (game_pb2.DATA_TYPE_UINT64, 1),
    "decisions": (game_pb2.DATA_TYPE_UINT32, 1),
    "final_observation": (game_pb2.DATA_TYPE_UINT8, 2),
    "final_match_index": (game_pb2.DATA_TYPE_UINT64, 1),
    "final_decisions": (game_pb2.DATA_TYPE_UINT32, 1),
}
"""Type and dimensions of each column of an environment."""


def env_to_proto(
    game: str,
    *,
    lanes: SupportsIndex,
    seed: SupportsIndex,
    seats: SupportsIndex | None,
    setup: engine.Setup,
    bots: Mapping[int, str],
    autoreset: str,
    first_match: SupportsIndex,
    max_decisions: SupportsIndex | None,
    record: bool,
) -> env_service_pb2.EnvOpen:
    """Writes which environment is wanted."""
    names = {name: number for number, name in _AUTORESETS.items() if number}
    if autoreset not in names:
        details = {"field": "autoreset", "value": repr(autoreset)}
        raise ArgumentError(f"autoreset is {autoreset!r}, there is {', '.join(names)}", details)
    return env_service_pb2.EnvOpen(
        game=text_to_proto("game", game),
        lanes=_whole("lanes", lanes, 2**31 - 1),
        seats=_seats_to_proto(seats),
        setup_json=setup_to_json(game, setup),
        seed=_whole("seed", seed, _U64),
        first_match=_whole("first_match", first_match, _U64),
        bots={seat: text_to_proto("bots", name) for seat, name in bots.items()},
        autoreset=names[autoreset],  # type: ignore[arg-type]
        max_decisions=None if max_decisions is None else _whole("max_decisions", max_decisions, 2**32 - 1),
        record=bool(record),
    )


def env_from_proto(message: env_service_pb2.EnvOpen, *, threads: int) -> BatchEnv:
    """Makes the environment that is wanted; legal actions are packed as they travel."""
    return BatchEnv(
        message.game,
        message.lanes,
        seed=message.seed,
        seats=message.seats if message.HasField("seats") else None,
        setup=message.setup_json or None,
        bots=dict(message.bots),
        autoreset=_our_name(_AUTORESETS, message.autoreset, "autoreset"),
        first_match=message.first_match,
        threads=threads,
        max_decisions=message.max_decisions if message.HasField("max_decisions") else None,
        mask="bits",
        record=message.record,
    )


def columns_to_proto(env: BatchEnv) -> env_service_pb2.EnvColumns:
    """Writes the state of all lanes."""
    return env_service_pb2.EnvColumns(**{name: tensor_to_proto(getattr(env, name)) for name in _COLUMNS})


def columns_from_proto(message: env_service_pb2.EnvColumns, arrays: Mapping[str, Numbers]) -> None:
    """Reads the state of all lanes into arrays, all of it or nothing."""
    found = {}
    for name, (data_type, dimensions) in _COLUMNS.items():
        column = tensor_from_proto(getattr(message, name), data_type, dimensions)
        wanted = arrays[name].shape
        if column.shape != wanted and column.size != math.prod(wanted):
            details = {"field": name, "shape": str(column.shape), "wanted": str(wanted)}
            raise DecodeError(f"{name} has the shape {column.shape}, not {wanted}", details)
        found[name] = column.reshape(wanted)
    for name, column in found.items():
        arrays[name][...] = column


def actions_to_proto(actions: npt.NDArray[np.int64]) -> game_pb2.Tensor:
    """Writes an action for each lane; one that no table has stays one that no table has."""
    most = np.iinfo(np.int32)
    return tensor_to_proto(np.clip(actions, most.min, most.max).astype("<i4"))


def actions_from_proto(tensor: game_pb2.Tensor) -> npt.NDArray[np.int32]:
    """Reads an action for each lane."""
    return tensor_from_proto(tensor, game_pb2.DATA_TYPE_INT32, 1)


def seed_to_proto(seed: SupportsIndex | None) -> int | None:
    """Writes a seed, if there is one."""
    return None if seed is None else _whole("seed", seed, _U64)


def mask_to_proto(mask: npt.NDArray[np.bool_] | None) -> game_pb2.Tensor | None:
    """Writes which lanes are meant; none is all."""
    return None if mask is None else tensor_to_proto(mask)


def _mask_of(message: env_service_pb2.EnvReset | env_service_pb2.EnvReseed) -> npt.NDArray[np.bool_] | None:
    if not message.HasField("mask"):
        return None
    return tensor_from_proto(message.mask, game_pb2.DATA_TYPE_BOOL, 1)


def _seed_of(
    message: env_service_pb2.EnvReset | env_service_pb2.EnvSample | env_service_pb2.EnvFork,
) -> int | None:
    return message.seed if message.HasField("seed") else None


def env_answer(env: BatchEnv, request: env_service_pb2.StepRequest) -> env_service_pb2.StepResponse:
    """Does in an environment what is asked for, and writes what came of it."""
    answer = env_service_pb2.StepResponse()
    match request.WhichOneof("request"):
        case "actions":
            env.step(actions_from_proto(request.actions))
        case "reset":
            env.reset(_mask_of(request.reset), seed=_seed_of(request.reset))
        case "restore":
            env.restore(request.restore.lane, request.restore.data)
        case "fork":
            env.fork(request.fork.lane, lanes=request.fork.lanes, seed=_seed_of(request.fork))
        case "sample":
            chosen = env.sample_actions(seed=_seed_of(request.sample))
            answer.actions.CopyFrom(actions_to_proto(chosen))
            return answer
        case "save":
            answer.data = env.save(request.save.lane)
            return answer
        case "reseed":
            env.reseed(request.reseed.seed, _mask_of(request.reseed))
            return answer
        case _:
            answer.look.CopyFrom(_env_view(env, request.look))
            return answer
    answer.columns.CopyFrom(columns_to_proto(env))
    return answer


def _env_view(env: BatchEnv, look: env_service_pb2.EnvLook) -> env_service_pb2.EnvView:
    outcome = env.outcome(look.lane)
    view = env_service_pb2.EnvView(
        digest=env.digest(look.lane),
        outcome=None if outcome is None else outcome_to_proto(outcome),
    )
    if look.HasField("seat"):
        view.observation = env.observe(look.lane, look.seat).tobytes()
    if look.match:
        view.match = env.match(look.lane).save()
    return view


def outcome_to_proto(outcome: engine.Outcome) -> match_service_pb2.MatchOutcome:
    """Writes how a match ended."""
    return match_service_pb2.MatchOutcome(
        ranks=outcome.ranks,
        winner=outcome.winner,
        by_rule=outcome.by_rule,
        reason=outcome.reason,
        rounds=outcome.rounds,
        scores=outcome.scores,
        details_json=json.dumps(outcome.details, ensure_ascii=False, separators=(",", ":")),
    )


def env_error_from_proto(message: env_service_pb2.StepResponse) -> SengokuError | None:
    """Reads why something was refused in an environment, if it was."""
    if message.WhichOneof("response") != "error":
        return None
    return error_from_status(message.error) or DecodeError(
        f"an error without a reason: {message.error.message}"
    )


# Tournaments

_TOURNAMENT_STATES = _names(tournament_service_pb2.TournamentState, "TOURNAMENT_STATE", "unspecified")


def tournament_name_to_proto(name: str) -> str:
    """Gives the name of a tournament as the server has it; its last part alone is enough."""
    text = text_to_proto("name", name)
    return text if text.startswith("tournaments/") else f"tournaments/{text}"


def tournament_board_to_proto(board: Board, seed: int | None) -> tournament_service_pb2.TournamentBoard:
    """Writes what is played; a seed that is a secret is left out."""
    return tournament_service_pb2.TournamentBoard(
        name=board.name,
        game=board.game,
        rules_version=board.rules_version,
        seats=board.seats,
        group=board.group,
        blocks=board.blocks,
        setup_json=json.dumps(board.setup, ensure_ascii=False),
        seed=seed,
    )


def tournament_status_from_proto(
    message: tournament_service_pb2.Tournament,
    standings: tournament_service_pb2.TournamentTable | None = None,
) -> TournamentStatus:
    """Reads how a tournament is getting on."""
    error: SengokuError | None = None
    if message.HasField("error"):
        error = error_from_status(message.error) or InternalError(message.error.message)
    return TournamentStatus(
        name=message.name,
        title=message.title,
        state=_TOURNAMENT_STATES.get(message.state, "unspecified"),
        client=message.client,
        request_id=message.request_id,
        format=message.format,
        digest=message.digest,
        bots=tuple(
            Entrant(
                bot.name,
                bot=bot.bot if bot.HasField("bot") else None,
                player=bot.player if bot.HasField("player") else None,
            )
            for bot in message.bots
        ),
        boards=tuple(
            Board(
                name=board.name,
                game=board.game,
                seats=board.seats,
                setup=table_from_json("setup_json", board.setup_json or "{}"),
                group=board.group,
                blocks=board.blocks,
                rules_version=board.rules_version,
            )
            for board in message.boards
        ),
        seeds=tuple(board.seed if board.HasField("seed") else None for board in message.boards),
        round=message.round,
        matches_done=message.matches_done,
        matches_due=message.matches_due,
        matches_per_second=message.matches_per_second,
        create_time=message.create_time.ToDatetime(UTC) if message.HasField("create_time") else None,
        end_time=message.end_time.ToDatetime(UTC) if message.HasField("end_time") else None,
        queue_position=message.queue_position,
        obstacle=message.obstacle,
        standings=None if standings is None else tournament_table_from_proto(standings),
        error=error,
    )


def tournament_table_to_proto(table: Table) -> tournament_service_pb2.TournamentTable:
    """Writes a table."""
    message = tournament_service_pb2.TournamentTable(
        name=table.name, title=table.title, headings=table.headings, remark=table.remark
    )
    for row in table.rows:
        cells = message.rows.add().cells
        for value in row:
            cell = cells.add()
            if isinstance(value, str):
                cell.text = value
            elif isinstance(value, int):
                cell.whole = value
            elif value is not None:
                cell.number = value
    return message


def tournament_table_from_proto(message: tournament_service_pb2.TournamentTable) -> Table:
    """Reads a table."""
    rows = []
    for row in message.rows:
        if len(row.cells) != len(message.headings):
            details = {"field": "cells", "value": str(len(row.cells)), "expected": str(len(message.headings))}
            raise DecodeError(f"a row of {message.name!a} has {len(row.cells)} cells", details)
        kinds = [cell.WhichOneof("value") for cell in row.cells]
        rows.append(
            tuple(
                None if kind is None else getattr(cell, kind)
                for cell, kind in zip(row.cells, kinds, strict=True)
            )
        )
    return Table(message.name, message.title, tuple(message.headings), tuple(rows), message.remark)


def tournament_match_to_proto(
    spec: TournamentSpec, name: str, match: TournamentMatch
) -> tournament_service_pb2.TournamentMatch:
    """Writes a match of a tournament."""
    return tournament_service_pb2.TournamentMatch(
        name=name,
        board=spec.boards[match.board].name,
        board_place=match.board,
        bots=[spec.bots[bot].name for bot in match.bots],
        bot_places=match.bots,
        number=match.number,
        arrangement=match.arrangement,
        ranks=match.ranks,
        by_rule=match.by_rule,
        reason=match.reason,
        rounds=match.rounds,
        decisions=match.decisions,
        digest=match.digest,
        scores=match.scores,
        faults=[
            tournament_service_pb2.TournamentFault(seat=fault.seat, reason=fault.reason, text=fault.text)
            for fault in match.faults
        ],
    )


def tournament_match_from_proto(
    message: tournament_service_pb2.TournamentMatch,
) -> tuple[str, TournamentMatch]:
    """Reads a match of a tournament: its name, and what came of it."""
    return message.name, TournamentMatch.create(
        board=message.board_place,
        number=message.number,
        arrangement=message.arrangement,
        bots=tuple(message.bot_places),
        ranks=tuple(message.ranks),
        by_rule=message.by_rule,
        reason=message.reason,
        rounds=message.rounds,
        decisions=message.decisions,
        digest=message.digest,
        scores=tuple(message.scores),
        faults=tuple(Fault(fault.seat, fault.reason, fault.text) for fault in message.faults),
    )
