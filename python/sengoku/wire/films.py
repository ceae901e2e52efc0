"""Films of throws into the rigid tower (tower_service.proto)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sengoku.v1 import tower_service_pb2 as pb2
from sengoku.wire.tensors import Columns, columns_of, tensor_to_proto
from sengoku.wire.tower import cubes_from_proto, cubes_to_proto, motion_from_proto, motion_to_proto

_COLUMNS: Columns = {
    "seconds": ("<f8", 1),
    "shift": ("<f4", 2),
    "centre": ("<f4", 3),
    "rotation": ("<f4", 3),
    "edge": ("<f4", 1),
    "colour": ("u1", 1),
    "thrown": ("?", 1),
}
"""The tensors of a film: numpy type and number of dimensions."""
_BOX = {"box_centre": "centre", "box_half": "half", "box_rotation": "rotation"}


def film_to_proto(record: Mapping[str, Any], data: bytes) -> pb2.FilmThrowResponse:
    """Write a film from the arguments of `Film`, and the tower after it as bytes."""
    columns: dict[str, Any] = {name: tensor_to_proto(record[name]) for name in _COLUMNS}
    boxes = [
        pb2.TowerBox(part=part, **{wire: record[name][row] for name, wire in _BOX.items()})
        for row, part in enumerate(record["box_part"])
    ]
    return pb2.FilmThrowResponse(
        tray=cubes_to_proto("tray", record["tray"]),
        contents=cubes_to_proto("contents", record["contents"]),
        data=data,
        motion=motion_to_proto(record["statistics"]),
        boxes=boxes,
        window_x=record["window_x"],
        **columns,
    )


def film_from_proto(message: pb2.FilmThrowResponse) -> dict[str, Any]:
    """Read a film, as the arguments of `Film`."""
    return {
        **columns_of(message, _COLUMNS),
        **{
            name: np.array([getattr(box, wire) for box in message.boxes], dtype=np.float64)
            for name, wire in _BOX.items()
        },
        "box_part": [box.part for box in message.boxes],
        "window_x": message.window_x,
        "tray": cubes_from_proto(message.tray),
        "contents": cubes_from_proto(message.contents),
        "statistics": motion_from_proto(message),
    }
