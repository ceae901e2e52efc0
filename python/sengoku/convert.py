"""Protobuf messages to engine values and back; the only file that knows both."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import DecodeError as ProtobufDecodeError
from google.protobuf.message import Message

from sengoku.errors import ArgumentError, DecodeError, SengokuError, SetupError
from sengoku.swords import UNITS, BatchOdds, Battle, Force, Odds
from sengoku.v1 import game_pb2, odds_service_pb2, swords_pb2

M = TypeVar("M", bound=Message)

_DTYPES: dict[game_pb2.DataType, np.dtype[Any]] = {
    game_pb2.DATA_TYPE_FLOAT64: np.dtype("<f8"),
    game_pb2.DATA_TYPE_UINT64: np.dtype("<u8"),
}
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
    if value not in names:
        raise ArgumentError(
            f"{field} is {value}, which has no meaning", {"field": field, "value": str(value)}
        )
    return names[value]


def _enum_name(prefix: str, name: str, zero: str) -> str:
    """Gives our name of an enum value its protobuf name."""
    return f"{prefix}_{'UNSPECIFIED' if name == zero else name.upper()}"


Numbers = npt.NDArray[np.float64] | npt.NDArray[np.uint64]


def tensor_to_proto(array: Numbers) -> game_pb2.Tensor:
    """Packs an array."""
    for data_type, dtype in _DTYPES.items():
        if array.dtype == dtype:
            content = np.ascontiguousarray(array, dtype).tobytes()
            return game_pb2.Tensor(data_type=data_type, shape=array.shape, content=content)
    raise TypeError(f"no tensor holds {array.dtype}")


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
    units = {unit: getattr(message, unit) for unit in UNITS}
    return Force(**units, disrupted=message.disrupted)


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

    def order(kinds: Sequence[int], field: str) -> tuple[str, ...] | None:
        _refuse_length(field, kinds, 5)
        return tuple(_our_name(_KINDS, kind, field) for kind in kinds) or None

    _refuse_length("defenders", message.defenders, 2)
    return Battle(
        force_from_proto(message.attacker),
        [force_from_proto(force) for force in message.defenders],
        fort=_our_name(_FORTS, message.fort, "fort"),
        fort_lost=message.fort_lost,
        naval=message.naval,
        attacker_losses=order(message.attacker_losses, "attacker_losses"),
        defender_losses=order(message.defender_losses, "defender_losses"),
        break_off_below=message.break_off_below,
        break_off_after=message.break_off_after,
    )


def battles_from_proto(messages: Iterable[swords_pb2.SwordsBattle]) -> list[Battle]:
    """Reads many battles; an error names its row."""
    battles = []
    for row, message in enumerate(messages):
        try:
            battles.append(battle_from_proto(message))
        except SengokuError as error:
            raise type(error)(f"row {row}: {error}", error.details | {"row": str(row)}) from error
    return battles


def options_to_proto(
    *, method: str = "auto", samples: int = 0, max_error: float = 1e-4, seed: int = 0
) -> odds_service_pb2.OddsOptions:
    """Writes the options of a question about odds."""
    if method not in _METHODS.values():
        raise ArgumentError(
            f'method is {method!r}, not "exact", "sampled" or "auto"',
            {"field": "method", "value": repr(method)},
        )
    if not 0 < max_error < math.inf:
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


def batch_to_proto(batch: BatchOdds) -> swords_pb2.SwordsOddsColumns:
    """Packs the odds of many battles."""
    columns = {name: tensor_to_proto(getattr(batch, name)) for name in batch.__dataclass_fields__}
    return swords_pb2.SwordsOddsColumns(**columns)


def batch_from_proto(message: swords_pb2.SwordsOddsColumns, rows: int) -> BatchOdds:
    """Unpacks the odds of many battles, one row for each."""
    columns: dict[str, Any] = {}
    for name in BatchOdds.__dataclass_fields__:
        data_type = game_pb2.DATA_TYPE_UINT64 if name == "samples" else game_pb2.DATA_TYPE_FLOAT64
        dimensions = 2 if name.endswith("_units_left") else 1
        columns[name] = tensor_from_proto(getattr(message, name), data_type, dimensions)
        if len(columns[name]) != rows:
            details = {"column": name, "found": str(len(columns[name])), "expected": str(rows)}
            raise DecodeError(f"column {name} has {len(columns[name])} rows, not {rows}", details)
    return BatchOdds(**columns)
