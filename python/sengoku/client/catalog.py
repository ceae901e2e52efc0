"""CatalogService and health: games, scenarios, specifications, and the server's version and status."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict
from grpc_health.v1 import health_pb2

from sengoku.client._flow import Api, Call, method
from sengoku.engine.games import read_text
from sengoku.engine.pictures import Picture, Sketch
from sengoku.engine.scenarios import Scenario
from sengoku.engine.spec import Spec
from sengoku.v1 import catalog_service_pb2 as pb2
from sengoku.wire.catalog import scenario_from_proto, server_status_from_proto, spec_from_proto
from sengoku.wire.matches import sketch_from_json
from sengoku.wire.values import plain_values, text_to_proto


class CatalogApi(Api, ABC):
    """The methods of a client that describe games and the server."""

    @method
    def games(self, *, timeout: float | None = None) -> Call[list[dict[str, Any]]]:
        """List the games that the server offers."""

        def decode(response: pb2.ListGamesResponse) -> list[dict[str, Any]]:
            return [MessageToDict(game, preserving_proto_field_name=True) for game in response.games]

        return Call(pb2.ListGamesRequest(), decode, timeout)

    @method
    def scenarios(self, game: str | None = None, *, timeout: float | None = None) -> Call[list[Scenario]]:
        """List the scenarios of a game, or of all games, like `sengoku.scenarios`."""

        def decode(response: pb2.ListScenariosResponse) -> list[Scenario]:
            return [
                scenario_from_proto(message, self._look(message.id, message.game, timeout))
                for message in response.scenarios
            ]

        request = pb2.ListScenariosRequest(game=text_to_proto("game", game or ""))
        return Call(request, decode, timeout)

    @abstractmethod
    def _look(self, name: str, game: str, timeout: float | None) -> Callable[[], tuple[Picture, Sketch]]:
        """Return a function that fetches the pictures of a listed scenario; it is called on first use."""

    @method
    def scenario(
        self, name: str | int, game: str | None = None, *, timeout: float | None = None
    ) -> Call[Scenario]:
        """Return a scenario by name or number, like `sengoku.scenario`."""
        request = pb2.GetScenarioRequest(
            game=text_to_proto("game", game or ""), id=text_to_proto("name", str(name))
        )
        return Call(request, _scenario, timeout)

    @method
    def read_scenario(
        self, file: str | Path, game: str | None = None, *, timeout: float | None = None
    ) -> Call[Scenario]:
        """Send a custom scenario file to the server and return its scenario, like `sengoku.read_scenario`."""
        text = read_text("file", Path(file))
        request = pb2.GetScenarioRequest(game=text_to_proto("game", game or ""), text=text)
        return Call(request, _scenario, timeout)

    @method
    def spec(self, game: str, *, timeout: float | None = None) -> Call[Spec]:
        """Return the layout of the observation and action table of a game, like `sengoku.spec`."""
        request = pb2.GetSpecRequest(game=text_to_proto("game", game))
        return Call(request, lambda response: spec_from_proto(response.spec), timeout)

    @method
    def tower_models(self, *, timeout: float | None = None) -> Call[list[dict[str, Any]]]:
        """List the server's models of the cube tower and the maximum number of throws of each."""

        def decode(response: pb2.ListTowerModelsResponse) -> list[dict[str, Any]]:
            return [plain_values(model) for model in response.models]

        return Call(pb2.ListTowerModelsRequest(), decode, timeout)

    @method
    def version(self, *, timeout: float | None = None) -> Call[dict[str, Any]]:
        """Return the server's version, rules versions, build, number of threads and limits."""
        return Call(pb2.GetVersionRequest(), plain_values, timeout)

    @method
    def health(self, *, timeout: float | None = None) -> Call[str]:
        """Return "SERVING", or "NOT_SERVING" while the server shuts down; it needs no token."""

        def decode(response: health_pb2.HealthCheckResponse) -> str:
            return str(health_pb2.HealthCheckResponse.ServingStatus.Name(response.status))

        return Call(health_pb2.HealthCheckRequest(), decode, timeout)

    @method
    def status(self, *, timeout: float | None = None) -> Call[dict[str, Any]]:
        """Return the server's current load and its totals since it was started."""
        return Call(pb2.GetStatusRequest(), server_status_from_proto, timeout)


def _scenario(response: pb2.GetScenarioResponse) -> Scenario:
    pictures = Picture(response.svg), sketch_from_json(response.sketch_json)
    return scenario_from_proto(response.scenario, lambda: pictures)
