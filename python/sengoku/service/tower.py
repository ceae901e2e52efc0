"""TowerService: throws of the cube tower."""

from __future__ import annotations

from typing import Any

from sengoku import convert, tower
from sengoku.errors import ArgumentError
from sengoku.service.dispatch import Call
from sengoku.service.limits import Limits
from sengoku.v1 import tower_service_pb2


class TowerService:
    """Throws cubes; it keeps no tower."""

    def __init__(self, limits: Limits, threads: int) -> None:
        self._limits = limits
        self._threads = threads

    def throw(self, request: tower_service_pb2.ThrowRequest, call: Call) -> tower_service_pb2.ThrowResponse:
        match request.WhichOneof("source"):
            case "new_tower":
                wish = convert.new_tower_from_proto(request.new_tower)
                self._check_steps(wish["model"], wish["parameters"])
                device = tower.CubeTower(**wish, cancel=call.cancel)
            case "data":
                device = tower.CubeTower.load(request.data)
                self._check_steps(device.model, device.parameters)
            case _:
                raise ArgumentError("source is not set", {"field": "source", "value": "none"})
        tray = device.throw(convert.cubes_from_proto(request.cubes), cancel=call.cancel)
        return tower_service_pb2.ThrowResponse(
            tray=convert.cubes_to_proto("tray", tray),
            contents=convert.cubes_to_proto("contents", device.contents),
            data=device.save(),
            motion=convert.motion_to_proto(device.last_throw),
        )

    def _check_steps(self, model: str, parameters: Any) -> None:
        """Refuses a geometry whose throws may take too long."""
        if model == "rigid" and parameters is not None:
            built = tower.CubeTower("rigid", parameters=parameters).parameters
            steps = built["throw"]["limit_seconds"] * built["simulation"]["steps_per_second"]
            self._limits.check("rigid_steps", round(steps))

    def simulate_throws(
        self, request: tower_service_pb2.SimulateThrowsRequest, call: Call
    ) -> tower_service_pb2.SimulateThrowsResponse:
        wish = convert.new_tower_from_proto(request.tower)
        self._limits.check("rigid_throws" if wish["model"] == "rigid" else "throws", request.count)
        self._check_steps(wish["model"], wish["parameters"])
        throws = tower.simulate_throws(
            convert.cubes_from_proto(request.cubes),
            count=request.count,
            first=wish.pop("match_index"),
            sequence=request.sequence,
            threads=self._threads,
            cancel=call.cancel,
            **wish,
        )
        return convert.throws_to_proto(throws)
