"""TowerService: throws of the cube tower."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from sengoku import tower
from sengoku.errors import invalid, missing
from sengoku.server.call import Call
from sengoku.server.limits import Limits
from sengoku.v1 import tower_service_pb2 as pb2
from sengoku.wire.films import film_to_proto
from sengoku.wire.tower import (
    cubes_from_proto,
    cubes_to_proto,
    motion_to_proto,
    new_tower_from_proto,
    throws_to_proto,
)

_LIGHT_THROWS = 2_000
"""Calls with more throws wait for a turn; this many take some milliseconds."""


class TowerService:
    """The service for throws; towers are part of requests and responses, not kept here."""

    def __init__(self, limits: Limits, threads: int) -> None:
        self._limits = limits
        self._threads = threads

    async def throw(self, request: pb2.ThrowRequest, call: Call) -> pb2.ThrowResponse:
        match request.WhichOneof("source"):
            case "new_tower":
                options = new_tower_from_proto(request.new_tower)
                if options["model"] == "shelves" and options["parameters"] is None:
                    return self._throw(request, lambda: tower.CubeTower(**options), call)

                build = partial(self._build, options, call)
                rigid = options["model"] == "rigid"
            case "data":
                device = await call.work(lambda: self._load(request.data))
                rigid = device.model == "rigid"
                build = partial(_same, device)
            case _:
                raise missing("source", "give new_tower or data")

        def answer() -> pb2.ThrowResponse:
            return self._throw(request, build, call)

        return await (call.heavy(answer) if rigid else call.work(answer))

    @staticmethod
    def _throw(
        request: pb2.ThrowRequest, build: Callable[[], tower.CubeTower], call: Call
    ) -> pb2.ThrowResponse:
        device = build()
        tray = device.throw(cubes_from_proto(request.cubes), cancel=call.cancel)
        return pb2.ThrowResponse(
            tray=cubes_to_proto("tray", tray),
            contents=cubes_to_proto("contents", device.contents),
            data=device.save(),
            motion=motion_to_proto(device.last_throw),
        )

    async def film_throw(self, request: pb2.FilmThrowRequest, call: Call) -> bytes:
        match request.WhichOneof("source"):
            case "new_tower":
                options = new_tower_from_proto(request.new_tower)
                build = partial(self._build, options, call)
                model = options["model"]
            case "data":
                device = await call.work(lambda: self._load(request.data))
                build, model = partial(_same, device), device.model
            case _:
                raise missing("source", "give new_tower or data")
        if model != "rigid":
            raise invalid("model", repr(model), "only 'rigid' has films")
        fill = tower.fill(request.fill_players) if request.fill_players else {}
        cubes = cubes_from_proto(request.cubes)
        rate = request.frames_per_second if request.HasField("frames_per_second") else tower.FILM_RATE

        def answer() -> bytes:
            device = build()
            self._check_film(device, sum(cubes.values()) + sum(fill.values()), rate)
            if fill:
                device.throw(fill, cancel=call.cancel)
            record = device.record(cubes, frames_per_second=rate, cancel=call.cancel)
            return film_to_proto(record, device.save()).SerializeToString()

        return await call.heavy(answer)

    def _build(self, options: dict[str, Any], call: Call) -> tower.CubeTower:
        """Create a tower within the limits."""
        self._check_steps(options["model"], options["parameters"])
        return tower.CubeTower(**options, cancel=call.cancel)

    def _check_film(self, device: tower.CubeTower, cubes: int, rate: int) -> None:
        """Raise LimitError for a film that may have too many positions, before anything is thrown."""
        parameters = device.parameters
        frames = parameters["throw"]["limit_seconds"] * min(
            max(rate, 0), parameters["simulation"]["steps_per_second"]
        )
        self._limits.check("film_positions", math.ceil(frames + 2) * (len(device) + cubes))

    def _load(self, data: bytes) -> tower.CubeTower:
        device = tower.CubeTower.load(data)
        self._check_steps(device.model, device.parameters)
        return device

    def _check_steps(self, model: str, parameters: Any) -> None:
        """Raise LimitError for a geometry whose throws may take too long."""
        if model == "rigid" and parameters is not None:
            built = tower.CubeTower("rigid", parameters=parameters).parameters
            steps = built["throw"]["limit_seconds"] * built["simulation"]["steps_per_second"]
            self._limits.check("rigid_steps", round(steps))

    async def simulate_throws(self, request: pb2.SimulateThrowsRequest, call: Call) -> bytes:
        options = new_tower_from_proto(request.tower)
        rigid = options["model"] == "rigid"
        self._limits.check("rigid_throws" if rigid else "throws", request.count)

        def answer() -> bytes:
            self._check_steps(options["model"], options["parameters"])
            throws = tower.simulate_throws(
                cubes_from_proto(request.cubes),
                count=request.count,
                first=options.pop("match_index"),
                sequence=request.sequence,
                threads=self._threads,
                cancel=call.cancel,
                background=True,
                **options,
            )
            return throws_to_proto(throws).SerializeToString()

        return await (call.heavy(answer) if rigid or request.count > _LIGHT_THROWS else call.work(answer))


def _same(device: tower.CubeTower) -> tower.CubeTower:
    return device
