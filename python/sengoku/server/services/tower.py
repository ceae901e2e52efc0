"""TowerService: throws of the cube tower."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sengoku import tower
from sengoku.errors import ArgumentError
from sengoku.server.dispatch import Call
from sengoku.server.limits import Limits
from sengoku.v1 import tower_service_pb2
from sengoku.wire import convert

_LIGHT_THROWS = 2_000
"""More throws wait for a turn; these take some milliseconds."""


class TowerService:
    """Throws cubes; it keeps no tower."""

    def __init__(self, limits: Limits, threads: int) -> None:
        self._limits = limits
        self._threads = threads

    async def throw(
        self, request: tower_service_pb2.ThrowRequest, call: Call
    ) -> tower_service_pb2.ThrowResponse:
        match request.WhichOneof("source"):
            case "new_tower":
                wish = convert.new_tower_from_proto(request.new_tower)
                if wish["model"] == "shelves" and wish["parameters"] is None:
                    return self._throw(request, lambda: tower.CubeTower(**wish), call)

                def build() -> tower.CubeTower:
                    self._check_steps(wish["model"], wish["parameters"])
                    return tower.CubeTower(**wish, cancel=call.cancel)

                rigid = wish["model"] == "rigid"
            case "data":
                device = await call.work(lambda: self._load(request.data))
                rigid = device.model == "rigid"

                def build() -> tower.CubeTower:
                    return device
            case _:
                raise ArgumentError("source is not set", {"field": "source", "value": "none"})

        def answer() -> tower_service_pb2.ThrowResponse:
            return self._throw(request, build, call)

        return await (call.heavy(answer) if rigid else call.work(answer))

    @staticmethod
    def _throw(
        request: tower_service_pb2.ThrowRequest, build: Callable[[], tower.CubeTower], call: Call
    ) -> tower_service_pb2.ThrowResponse:
        device = build()
        tray = device.throw(convert.cubes_from_proto(request.cubes), cancel=call.cancel)
        return tower_service_pb2.ThrowResponse(
            tray=convert.cubes_to_proto("tray", tray),
            contents=convert.cubes_to_proto("contents", device.contents),
            data=device.save(),
            motion=convert.motion_to_proto(device.last_throw),
        )

    def _load(self, data: bytes) -> tower.CubeTower:
        device = tower.CubeTower.load(data)
        self._check_steps(device.model, device.parameters)
        return device

    def _check_steps(self, model: str, parameters: Any) -> None:
        """Refuses a geometry whose throws may take too long."""
        if model == "rigid" and parameters is not None:
            built = tower.CubeTower("rigid", parameters=parameters).parameters
            steps = built["throw"]["limit_seconds"] * built["simulation"]["steps_per_second"]
            self._limits.check("rigid_steps", round(steps))

    async def simulate_throws(self, request: tower_service_pb2.SimulateThrowsRequest, call: Call) -> bytes:
        wish = convert.new_tower_from_proto(request.tower)
        rigid = wish["model"] == "rigid"
        self._limits.check("rigid_throws" if rigid else "throws", request.count)

        def answer() -> bytes:
            self._check_steps(wish["model"], wish["parameters"])
            throws = tower.simulate_throws(
                convert.cubes_from_proto(request.cubes),
                count=request.count,
                first=wish.pop("match_index"),
                sequence=request.sequence,
                threads=self._threads,
                cancel=call.cancel,
                background=True,
                **wish,
            )
            return convert.throws_to_proto(throws).SerializeToString()

        return await (call.heavy(answer) if rigid or request.count > _LIGHT_THROWS else call.work(answer))
