"""Features: observations and actions as float32 arrays for networks.

>>> from sengoku import Match, features
>>> battles = features("battles")
>>> match = Match.create("battles", seed=7)
>>> row = battles.encode(match.observe(0))
>>> row.shape == (battles.width,), battles["hex"].of(row).shape == (127, len(battles["hex"].channels))
(True, True)
>>> bool((battles.decode(row) == match.observe(0)).all())
True
>>> battles.board.to_grid(battles["hex"].of(row)).shape[-2:]
(11, 12)
>>> float(battles.actions.values[match.legal_actions()[0].index].max())
1.0
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from sengoku import _core
from sengoku.engine.checks import refused
from sengoku.engine.games import find_game
from sengoku.engine.spec import Bytes, Spec, spec
from sengoku.engine.spec import Field as SpecField
from sengoku.errors import ArgumentError

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Block:
    """Consecutive numbers of a row: the same channels for each of some records, such as provinces."""

    name: str
    """What the records are, e.g. "province"; "common" for what is not about a record."""
    offset: int
    """Position in the row at which it starts."""
    size: int
    """Number of records; 1 for "common"."""
    channels: tuple[str, ...] = field(repr=False)
    """Names of the channels of a record."""

    @property
    def width(self) -> int:
        """Number of floats in the row."""
        return self.size * len(self.channels)

    def of(self, rows: Floats) -> Floats:
        """Return the block as a view, records by channels; leading axes may stack rows."""
        part = rows[..., self.offset : self.offset + self.width]
        return part.reshape(*rows.shape[:-1], self.size, len(self.channels))

    def channel(self, name: str) -> int:
        """Return the index of a channel by name."""
        try:
            return self.channels.index(name)
        except ValueError:
            raise refused("name", repr(name), f"the block {self.name} has no such channel") from None


@dataclass(frozen=True)
class Feature:
    """How a field of an observation is written, or part of it."""

    field: str
    """Name of the field in `spec`."""
    kind: str
    """One of "one_hot" (1 in the channel of the value), "scaled" (an amount), "binary" (the bits of the
    value), and "known" (0 if the value is absent)."""
    offset: int
    """Position of the first channel of the first element."""
    strides: tuple[int, ...]
    """Distance between elements, along each axis of the field."""
    count: int
    """Number of channels per element."""
    step: int
    """Distance between the channels of an element."""
    first: int
    """Value of the first channel; for amounts, the value that is written as 0."""
    unit: int
    """Difference between the values that are written as 0 and as 1, for amounts."""

    def positions(self, shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
        """Return the positions in a row of all channels of a field of this shape: elements by channels."""
        places = np.asarray(self.offset)
        for size, stride in zip(shape, self.strides, strict=True):
            places = places[..., None] + np.arange(size) * stride
        return np.asarray(places.reshape(-1, 1) + np.arange(self.count) * self.step)


@dataclass(frozen=True, eq=False)
class Board:
    """A built-in board as a graph."""

    name: str
    """Name among the boards of the game, e.g. "moon"."""
    axis: str
    """Name of the block with a record for each place."""
    places: tuple[str, ...] = field(repr=False)
    """Names of the places."""
    kinds: tuple[str, ...]
    """Kinds of connections, e.g. "land" and "sea"."""
    edges: npt.NDArray[np.int64] = field(repr=False)
    """Pairs of connected places, each pair once, the smaller index first: [edges, 2]."""
    edge_kinds: npt.NDArray[np.int64] = field(repr=False)
    """Index in `kinds` of each edge."""
    grid: npt.NDArray[np.int64] | None = field(repr=False)
    """Row and column of each place if the board is a grid of hexes: [places, 2]. Odd rows are half a hex
    further right, and have one hex fewer."""
    facts: tuple[str, ...] = field(repr=False)
    """Names of what is known of each place and never changes, e.g. "rice"."""
    values: Floats = field(repr=False)
    """Values of the facts, 0 to 1: [places, facts]."""

    def adjacency(self, kind: str | None = None) -> Floats:
        """Return the symmetric matrix with 1 for connected places; of one kind, or of all."""
        matrix = np.zeros((len(self.places), len(self.places)), np.float32)
        if kind is not None and kind not in self.kinds:
            raise refused("kind", repr(kind), f"must be one of {', '.join(self.kinds)}")
        chosen = self.edges if kind is None else self.edges[self.edge_kinds == self.kinds.index(kind)]
        matrix[chosen[:, 0], chosen[:, 1]] = matrix[chosen[:, 1], chosen[:, 0]] = 1.0
        return matrix

    def to_grid(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return channels of places ([..., places, channels]) as planes ([..., channels, rows, columns])."""
        if self.grid is None:
            raise refused("board", self.name, f"is no grid: use `edges` and {self.axis!r} as a graph")
        rows, columns = self.grid.max(axis=0) + 1
        planes = np.zeros((*values.shape[:-2], values.shape[-1], rows, columns), values.dtype)
        planes[..., self.grid[:, 0], self.grid[:, 1]] = np.swapaxes(values, -1, -2)
        return planes


@dataclass(frozen=True, eq=False)
class ActionFeatures:
    """What each action of the table means, as numbers: kind, place, amount and other arguments."""

    names: tuple[str, ...] = field(repr=False)
    """Names of the columns, e.g. "kind=move", "place=kai", "armies"."""
    values: Floats = field(repr=False)
    """One row per action: [actions, columns]. Names are one-hot; amounts are 0 to 1, and one-hot too if there
    are at most 16."""
    place: npt.NDArray[np.int32] = field(repr=False)
    """Index of the place on the board that an action names, -1 for none: [actions]."""


@dataclass(frozen=True, eq=False)
class Features:
    """How observations and actions of a game become float32 arrays, for one rules version.

    Features are a function of the bytes of an observation and of nothing else, and `decode` is its inverse:
    they contain what the seat may see, and all of it. A row consists of blocks: "common", and one block for
    each kind of record: clans or players, sides, provinces or hexes. Amounts are scaled, and have a second
    channel `.known` if they can be absent; categories are one-hot, all zeros if absent; a place of the board
    is a channel of the board's block that is 1 there.
    """

    game: str
    """Name of the game."""
    rules_version: int
    """Its rules version."""
    observation_size: int
    """Size of an observation in bytes."""
    width: int
    """Number of floats of a row."""
    blocks: tuple[Block, ...]
    """Blocks in the order of the row."""
    features: tuple[Feature, ...] = field(repr=False)
    """How each field of the specification is written."""
    boards: tuple[Board, ...]
    """The built-in boards; matches use the first one unless their setup says otherwise."""
    actions: ActionFeatures = field(repr=False)
    """Features of the action table."""
    _core: _core.Features = field(repr=False)
    _spec: Spec = field(repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return features, (self.game,)

    @property
    def board(self) -> Board:
        """The board of the default setup."""
        return self.boards[0]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Name of every float of a row: the channel, behind the record if the block has several."""
        return tuple(
            channel if block.size == 1 else f"{block.name}[{record}].{channel}"
            for block in self.blocks
            for record in range(block.size)
            for channel in block.channels
        )

    def __getitem__(self, name: str) -> Block:
        """Return a block by name."""
        for block in self.blocks:
            if block.name == name:
                return block
        known = ", ".join(block.name for block in self.blocks)
        raise _NoBlockError(
            f"name is {name!r}: must be one of {known}", {"field": "name", "value": repr(name)}
        )

    def view(self, rows: Floats) -> dict[str, Floats]:
        """Return all blocks by name, as views: [..., records, channels]."""
        self._check("rows", rows, np.float32, self.width)
        return {block.name: block.of(rows) for block in self.blocks}

    def encode(self, observations: npt.ArrayLike, out: Floats | None = None, *, threads: int = 0) -> Floats:
        """Return the features of an observation, or of many along leading axes; `out` is written if given."""
        seen = np.ascontiguousarray(observations)
        self._check("observations", seen, np.uint8, self.observation_size)
        shape = (*seen.shape[:-1], self.width)
        if out is None:
            out = np.empty(shape, np.float32)
        elif out.shape != shape or out.dtype != np.float32 or not out.flags.c_contiguous:
            wanted = f"must be a contiguous float32 array of shape {shape}"
            raise refused("out", f"{out.dtype} of shape {out.shape}", wanted)
        flat = seen.reshape(-1, self.observation_size)
        self._core.encode(flat, out.reshape(-1, self.width), threads)
        return out

    def decode(self, rows: npt.ArrayLike) -> Bytes:
        """Return the observations that were encoded: the inverse of `encode`."""
        array = np.asarray(rows, np.float32)
        self._check("rows", array, np.float32, self.width)
        flat = array.reshape(-1, self.width)
        seen = np.zeros((len(flat), self.observation_size), np.uint8)
        parts: dict[str, list[Feature]] = {}
        for feature in self.features:
            parts.setdefault(feature.field, []).append(feature)
        for name in self._spec.names:
            found = self._spec[name]
            _pack(found, _values(found, parts.get(name, []), flat), seen)
        return seen.reshape(*array.shape[:-1], self.observation_size)

    def _check(self, name: str, array: npt.NDArray[Any], dtype: Any, size: int) -> None:
        if array.dtype != dtype or array.shape[-1:] != (size,):
            wanted = f"must be {np.dtype(dtype)} with last axis of size {size}"
            raise refused(name, f"{array.dtype} of shape {array.shape}", wanted)


def _values(found: SpecField, parts: list[Feature], rows: Floats) -> npt.NDArray[np.int64]:
    """Return the values of a field in rows of features: [rows, elements]."""
    absent = found.low if found.none is None else found.none
    values = np.full((len(rows), prod(found.shape)), absent, np.int64)
    known = np.ones(values.shape, np.bool_)
    for part in parts:
        numbers = rows[:, part.positions(found.shape)]
        if part.kind == "known":
            known = numbers[..., 0] > 0.5
        elif part.kind == "one_hot":
            values = np.where(numbers.max(-1) > 0.5, part.first + numbers.argmax(-1), values)
        elif part.kind == "scaled":
            values = part.first + np.rint(numbers[..., 0] * np.float32(part.unit)).astype(np.int64)
        else:
            values = part.first + ((numbers > 0.5) << np.arange(part.count)).sum(-1)
    return np.where(known, values, absent)


def _pack(found: SpecField, values: npt.NDArray[np.int64], seen: Bytes) -> None:
    """Write the values of a field into observations."""
    places = np.asarray(8 * found.offset + found.bit)
    for axis in found.axes:
        places = places[..., None] + np.arange(axis.size) * axis.stride
    for number, place in enumerate(places.reshape(-1).tolist()):
        column = values[:, number] << (place % 8)
        for byte in range((place % 8 + found.bits + 7) // 8):
            seen[:, place // 8 + byte] |= (column >> (8 * byte) & 0xFF).astype(np.uint8)


class _NoBlockError(ArgumentError, KeyError):
    """Error for an unknown block; also a KeyError, as for any mapping."""

    __str__ = ArgumentError.__str__


def _fixed(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array that cannot be written to, since all callers share it."""
    array.flags.writeable = False
    return array


def _board_from(row: Mapping[str, Any], places: tuple[str, ...]) -> Board:
    edges = np.array(row["edges"], np.int64).reshape(-1, 3)
    values = np.array(row["values"], np.float32).reshape(len(places), -1)
    return Board(
        name=row["name"],
        axis=row["axis"],
        places=places,
        kinds=tuple(row["kinds"]),
        edges=_fixed(edges[:, :2].copy()),
        edge_kinds=_fixed(edges[:, 2].copy()),
        grid=_fixed(np.array(row["grid"], np.int64)) if row["grid"] else None,
        facts=tuple(row["facts"]),
        values=_fixed(values),
    )


def features(game: str) -> Features:
    """Return how the observations and the actions of a game become float32 arrays."""
    return _features(find_game(game).name)


@lru_cache
def _features(game: str) -> Features:
    core, described = _core.Features(game), spec(game)
    table = json.loads(core.to_json())
    values, place = core.actions()
    labels = {axis.name: axis.labels for found in described.fields for axis in found.axes[:1] if axis.labels}
    return Features(
        game=game,
        rules_version=table["rules_version"],
        observation_size=table["observation_size"],
        width=table["width"],
        blocks=tuple(Block(**row | {"channels": tuple(row["channels"])}) for row in table["blocks"]),
        features=tuple(Feature(**row | {"strides": tuple(row["strides"])}) for row in table["features"]),
        boards=tuple(_board_from(row, labels[row["axis"]]) for row in table["boards"]),
        actions=ActionFeatures(tuple(core.action_names()), _fixed(values), _fixed(place)),
        _core=core,
        _spec=described,
    )
