"""Tensors (game.proto): dense numpy arrays as protobuf messages, alone and as columns of a message."""

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from google.protobuf.message import Message

from sengoku.errors import DecodeError
from sengoku.v1 import game_pb2

Numbers = npt.NDArray[Any]
Columns = Mapping[str, tuple[str, int]]
"""Table of the tensors of a message: numpy type and number of dimensions of each field."""
M = TypeVar("M", bound=Message)

_DATA_TYPES = {
    np.dtype("<f8"): game_pb2.DATA_TYPE_FLOAT64,
    np.dtype("<u8"): game_pb2.DATA_TYPE_UINT64,
    np.dtype("<u4"): game_pb2.DATA_TYPE_UINT32,
    np.dtype("<i4"): game_pb2.DATA_TYPE_INT32,
    np.dtype("u1"): game_pb2.DATA_TYPE_UINT8,
    np.dtype("i1"): game_pb2.DATA_TYPE_INT8,
    np.dtype("?"): game_pb2.DATA_TYPE_BOOL,
    np.dtype("<f4"): game_pb2.DATA_TYPE_FLOAT32,
}


def tensor_to_proto(array: Numbers) -> game_pb2.Tensor:
    """Write an array."""
    data_type = _DATA_TYPES.get(array.dtype)
    if data_type is None:
        raise TypeError(f"a tensor cannot hold {array.dtype}")
    return game_pb2.Tensor(data_type=data_type, shape=array.shape, content=array.tobytes())


def tensor_from_proto(tensor: game_pb2.Tensor, kind: str, dimensions: int) -> Numbers:
    """Read an array that must have this type and number of dimensions; it shares the message's memory."""
    shape = tuple(tensor.shape[: dimensions + 1])
    dtype, size = np.dtype(kind), len(tensor.content)
    data_type = _DATA_TYPES[dtype]
    fits = tensor.data_type == data_type and len(shape) == dimensions and min(shape) >= 0
    if not fits or math.prod(shape) * dtype.itemsize != size:
        raise DecodeError(
            f"a tensor of type {tensor.data_type}, shape {shape} and {size} bytes "
            f"where type {data_type} and {dimensions} dimensions are expected",
            {"data_type": str(tensor.data_type), "shape": str(shape), "bytes": str(size)},
        )
    # Without elements the other dimensions can have any size; they mean nothing.
    array = np.frombuffer(tensor.content, dtype).reshape(shape if size else (0,) * dimensions)
    return array.astype(dtype.newbyteorder("="), copy=False)


def check_rows(name: str, column: Numbers, rows: int) -> None:
    """Refuse a column that does not have this many rows."""
    if len(column) != rows:
        details = {"column": name, "found": str(len(column)), "expected": str(rows)}
        raise DecodeError(f"column {name} has {len(column)} rows, not {rows}", details)


def encode_columns(message: Callable[..., M], value: object, names: Mapping[str, object], **more: Any) -> M:
    """Write attributes of a value as the tensors of a message; `more` are its other fields."""
    columns: dict[str, Any] = {name: tensor_to_proto(getattr(value, name)) for name in names}
    return message(**columns, **more)


def columns_of(message: Message, columns: Columns, rows: int | None = None) -> dict[str, Any]:
    """Read the tensors of a message; with `rows`, each must have this many rows."""
    found = {}
    for name, (kind, dimensions) in columns.items():
        found[name] = tensor_from_proto(getattr(message, name), kind, dimensions)
        if rows is not None:
            check_rows(name, found[name], rows)
    return found
