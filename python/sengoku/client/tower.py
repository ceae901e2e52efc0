"""TowerService: cube towers whose throws are simulated by the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from sengoku import tower
from sengoku.client._flow import Api, AsyncMethods, BlockingMethods, Call, Remote, method
from sengoku.tower import Cubes, CubeTower
from sengoku.v1 import tower_service_pb2 as pb2
from sengoku.wire.films import film_from_proto
from sengoku.wire.tower import (
    cubes_from_proto,
    cubes_to_proto,
    motion_from_proto,
    new_tower_to_proto,
    throws_from_proto,
)
from sengoku.wire.values import whole_to_proto

if TYPE_CHECKING:
    from sengoku.figures.film import Film

TowerT = TypeVar("TowerT")


class TowerApi(Api, Generic[TowerT]):
    """The methods of a client for cube towers."""

    _tower: Any
    """The class of a tower."""

    def cube_tower(
        self,
        model: str = "shelves",
        *,
        seed: int = 0,
        match_index: int = 0,
        contents: tower.Cubes | None = None,
        parameters: tower.Parameters = None,
    ) -> TowerT:
        """Return a tower like `tower.CubeTower` whose throws are simulated by the server."""
        device = CubeTower(
            model,
            seed=seed,
            match_index=match_index,
            contents=None if contents is None else dict(contents),
            parameters=parameters if parameters is None or isinstance(parameters, str) else dict(parameters),
        )
        created: TowerT = self._tower(self, device)
        return created

    @method
    def ask_tower(self, request: pb2.ThrowRequest) -> Call[pb2.ThrowResponse]:
        """Send a throw as a message and return the response message."""
        return Call(request)

    @method
    def film(
        self,
        cubes: tower.Cubes,
        *,
        seed: int = 0,
        match_index: int = 0,
        contents: tower.Cubes | None = None,
        players: int = 4,
        parameters: tower.Parameters = None,
        frames_per_second: int = tower.FILM_RATE,
        timeout: float | None = None,
    ) -> Call[Film]:
        """Record a throw into a rigid tower, like `tower.film`."""
        new = new_tower_to_proto(
            model="rigid", seed=seed, match_index=match_index, contents=contents or {}, parameters=parameters
        )
        fill_players = 0
        if contents is None:
            tower.fill(players)  # refuses a number of players without a fill
            fill_players = players
        request = pb2.FilmThrowRequest(
            new_tower=new,
            fill_players=fill_players,
            cubes=cubes_to_proto("cubes", cubes),
            frames_per_second=whole_to_proto("frames_per_second", frames_per_second, (1 << 31) - 1),
        )
        return Call(request, _film, timeout)

    @method
    def simulate_throws(
        self,
        cubes: tower.Cubes,
        *,
        count: int,
        model: str = "shelves",
        seed: int = 0,
        first: int = 0,
        contents: tower.Cubes | None = None,
        parameters: tower.Parameters = None,
        sequence: bool = False,
        timeout: float | None = None,
    ) -> Call[tower.Throws]:
        """Throw the same cubes many times, like `tower.simulate_throws`."""
        new = new_tower_to_proto(
            model=model, seed=seed, match_index=first, contents=contents or {}, parameters=parameters
        )
        request = pb2.SimulateThrowsRequest(
            cubes=cubes_to_proto("cubes", cubes),
            tower=new,
            count=whole_to_proto("count", count),
            sequence=sequence,
        )
        return Call(request, lambda response: throws_from_proto(response, request.count), timeout)


def _film(response: pb2.FilmThrowResponse) -> Film:
    from sengoku.figures.film import Film  # noqa: PLC0415 - takes time to load

    return Film(**film_from_proto(response))


class _TowerMethods(Remote):
    """The methods that `RemoteCubeTower` and `AsyncRemoteCubeTower` share."""

    def __init__(self, client: Any, device: CubeTower) -> None:
        super().__init__(client)
        self._device = device
        self._last_throw: dict[str, Any] | None = None

    @method
    def throw(self, cubes: Cubes) -> Call[dict[str, int]]:
        """Throw cubes, counted by colour, into the tower; return the cubes in the tray."""
        request = pb2.ThrowRequest(data=self._device.save(), cubes=cubes_to_proto("cubes", cubes))
        return Call(request, self._thrown)

    def _thrown(self, response: pb2.ThrowResponse) -> dict[str, int]:
        self._device = CubeTower.load(response.data)
        self._last_throw = motion_from_proto(response)
        return cubes_from_proto(response.tray)

    @property
    def contents(self) -> dict[str, int]:
        """Cubes inside by colour, without colours that are absent."""
        return self._device.contents

    @property
    def shelves(self) -> tuple[tuple[str, ...], ...]:
        """Cubes on each shelf, the upper one first, the oldest cube first."""
        return self._device.shelves

    @property
    def throws(self) -> int:
        """Throws made so far."""
        return self._device.throws

    @property
    def model(self) -> str:
        """Name of the model."""
        return self._device.model

    @property
    def last_throw(self) -> dict[str, Any] | None:
        """Motion statistics of the last throw of a rigid-body tower."""
        return self._last_throw

    def clone(self) -> Self:
        """Return an independent copy of the tower."""
        return type(self)(self._client, self._device.clone())

    def save(self) -> bytes:
        """Return the tower as bytes, for `CubeTower.load`."""
        return self._device.save()

    def __len__(self) -> int:
        return len(self._device)

    def __bool__(self) -> bool:
        return True


class RemoteCubeTower(_TowerMethods, BlockingMethods):
    """A cube tower whose throws a server simulates; the server is stateless, every call sends the tower."""


class AsyncRemoteCubeTower(_TowerMethods, AsyncMethods):
    """A `RemoteCubeTower` for an `AsyncClient`: `throw` is awaited."""
