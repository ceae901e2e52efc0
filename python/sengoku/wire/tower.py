"""Cubes, clashes of `tower` and throws of the cube tower (tower.proto and tower_service.proto)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from operator import index
from typing import Any, SupportsIndex

import numpy as np

from sengoku import tower
from sengoku.errors import SetupError
from sengoku.v1 import catalog_service_pb2, tower_pb2
from sengoku.v1 import tower_service_pb2 as pb2
from sengoku.wire.codec import (
    Codec,
    EnumNames,
    Field,
    arguments,
    enum_field,
    negated,
    or_none,
    plain,
    text_argument,
    write_only,
)
from sengoku.wire.tensors import Columns, columns_of, encode_columns, tensor_from_proto, tensor_to_proto
from sengoku.wire.values import number_text, plain_values

_COLOURS = EnumNames(tower_pb2.TowerColour, "unspecified")
_THROWS: Columns = {"tray": ("u1", 2), "contents": ("u1", 2)}


def cubes_to_proto(field: str, cubes: Mapping[str, SupportsIndex]) -> tower_pb2.TowerCubes:
    """Write cubes by colour."""
    if not isinstance(cubes, Mapping):
        raise TypeError(f"{field} must be a dict of colours and numbers, not {type(cubes).__name__}")
    for colour in cubes:
        if colour not in tower.COLOURS:
            details = {"field": field, "value": repr(colour)}
            raise SetupError(f"{field} is {colour!r}, colours are {', '.join(tower.COLOURS)}", details)
    return tower_pb2.TowerCubes(
        **{colour: _cube_count(f"{field}.{colour}", count) for colour, count in cubes.items()}
    )


def _cube_count(field: str, value: SupportsIndex) -> int:
    """Return a number of cubes that fits the message; the server checks whether there are that many."""
    number = index(value)
    if not -1 << 31 <= number < 1 << 31:
        shown = number_text(number)
        message = f"{field} is {shown}, a 32-bit number is expected"
        raise SetupError(message, {"field": field, "value": shown})
    return number


def cubes_from_proto(message: tower_pb2.TowerCubes) -> dict[str, int]:
    """Read cubes by colour; colours without cubes are left out."""
    return {colour: count for colour in tower.COLOURS if (count := getattr(message, colour))}


def _cubes(name: str, *, is_optional: bool = False) -> Field:
    """Return a field that holds cubes; an optional one is None where it is not set."""

    def write(cubes: Mapping[str, SupportsIndex] | None) -> tower_pb2.TowerCubes | None:
        return None if cubes is None else cubes_to_proto(name, cubes)

    def read(message: Any, wire: str) -> dict[str, int] | None:
        return (
            None if is_optional and not message.HasField(wire) else cubes_from_proto(getattr(message, wire))
        )

    return Field(name, name, write, read)


def _shelves() -> Field:
    """Return the field of the cubes by shelf; None where it has no entries."""

    def write(shelves: Sequence[Mapping[str, SupportsIndex]] | None) -> list[tower_pb2.TowerCubes]:
        return [cubes_to_proto(f"shelves[{number}]", cubes) for number, cubes in enumerate(shelves or ())]

    def read(message: Any, wire: str) -> list[dict[str, int]] | None:
        return [cubes_from_proto(cubes) for cubes in getattr(message, wire)] or None

    return Field("shelves", "shelves", write, read)


def parameters_to_proto(parameters: tower.Parameters) -> str:
    """Write the parameters of a tower as JSON: the name of a set or a table; the default is empty."""
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
    """Read the parameters of a tower."""
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


_PARAMETERS = Field(
    "parameters",
    "parameters_json",
    parameters_to_proto,
    lambda message, wire: parameters_from_proto(getattr(message, wire)),
)


def _side(name: str) -> Field:
    """Return a side of a clash: the pair of its colour and its cubes."""
    party = Codec(
        lambda colour, cubes: (colour, cubes),
        tower_pb2.TowerParty,
        enum_field("colour", _COLOURS, label=f"{name}.colour"),
        *plain("cubes"),
    )

    def write(side: tuple[str, int]) -> tower_pb2.TowerParty:
        return party.pack(colour=side[0], cubes=side[1])

    def read(message: Any, wire: str) -> tuple[str, int] | None:
        # Only the defender of a neutral province can be left out; without an attacker its colour is refused.
        return party.decode(getattr(message, wire)) if name == "attacker" or message.HasField(wire) else None

    return Field(name, name, write, read)


CLASH = Codec(
    tower.Clash,
    tower_pb2.TowerClash,
    _side("attacker"),
    _side("defender"),
    negated("farmers_defend", "farmers_stay_out"),
    _cubes("tray"),
    _cubes("contents", is_optional=True),
    _shelves(),
    *plain("neutral", "revolt"),
    or_none("players"),
    _PARAMETERS,
)
_ODDS = Codec(
    tower.ClashOdds,
    tower_pb2.TowerOdds,
    *write_only("attacker_wins", "defender_wins", "none", "standard_error", "samples", "neglected"),
    *write_only("attacker_armies_left", "defender_armies_left", write=np.ndarray.tolist),
)

clash_to_proto, clash_from_proto = CLASH.encode, CLASH.decode


def clash_odds_to_proto(odds: tower.ClashOdds) -> tower_pb2.TowerOdds:
    """Write the odds of a clash."""
    return _ODDS.encode(odds, table=tensor_to_proto(odds.table if odds.counts is None else odds.counts))


def clash_odds_from_proto(clash: tower.Clash, message: tower_pb2.TowerOdds) -> tower.ClashOdds:
    """Read the odds of a clash: an object equal to the server's."""
    if message.samples:
        counts = tensor_from_proto(message.table, "<u8", 2)
        return tower.ClashOdds.from_counts(clash, counts, message.samples)
    table = tensor_from_proto(message.table, "<f8", 2)
    return tower.ClashOdds.from_probabilities(clash, table, message.neglected)


NEW_TOWER = Codec(
    dict[str, Any],
    pb2.NewTower,
    text_argument("model"),
    *arguments("seed", "match_index"),
    _cubes("contents"),
    _PARAMETERS,
)
new_tower_to_proto = NEW_TOWER.pack


def new_tower_from_proto(message: pb2.NewTower) -> dict[str, Any]:
    """Read a tower before its first throw, as keyword arguments of `CubeTower`."""
    return NEW_TOWER.decode(message) | {"model": message.model or "shelves"}


def motion_to_proto(motion: Mapping[str, Any] | None) -> pb2.ThrowMotion | None:
    """Write the statistics of a throw's motion; None for models without motion."""
    return None if motion is None else pb2.ThrowMotion(**motion)


def motion_from_proto(response: pb2.ThrowResponse | pb2.FilmThrowResponse) -> dict[str, Any] | None:
    """Read the statistics of a throw's motion, as `CubeTower.last_throw` has them."""
    if not response.HasField("motion"):
        return None
    return plain_values(response.motion)


def tower_model_to_proto(model: tower.Model, max_throws: int) -> catalog_service_pb2.TowerModel:
    """Write a model of the cube tower."""
    return catalog_service_pb2.TowerModel(**asdict(model), max_throws=max_throws)


def throws_to_proto(throws: tower.Throws) -> pb2.SimulateThrowsResponse:
    """Write many throws."""
    return encode_columns(pb2.SimulateThrowsResponse, throws, _THROWS)


def throws_from_proto(message: pb2.SimulateThrowsResponse, rows: int) -> tower.Throws:
    """Read many throws, one row each."""
    return tower.Throws(**columns_of(message, _THROWS, rows))
