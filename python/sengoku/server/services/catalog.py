"""CatalogService: games, scenarios, versions, limits and activity of a server."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from sengoku import engine, tower
from sengoku._core import build_info
from sengoku.engine.scenarios import parse_scenario
from sengoku.engine.scenarios import scenario as find_scenario
from sengoku.engine.scenarios import scenarios as list_scenarios
from sengoku.engine.spec import spec as find_spec
from sengoku.errors import missing
from sengoku.server.call import Call
from sengoku.server.limits import Limits
from sengoku.v1 import catalog_service_pb2 as pb2
from sengoku.wire.catalog import game_to_proto, scenario_to_proto, spec_to_proto
from sengoku.wire.tower import tower_model_to_proto

_ABOUT = {
    "battles": {
        "summary": "Tactical: hexes, command and dragon cards, honor, forty battles of two armies.",
        "capabilities": ["odds", "matches"],
    },
    "swords": {
        "summary": "Strategic: 68 provinces, armies led by daimyo, battles with twelve-sided dice.",
        "capabilities": ["odds", "matches"],
    },
    "tower": {
        "summary": "Area control: 45 provinces, secret plans, battles in a cube tower; the court expands it.",
        "capabilities": ["odds", "matches"],
    },
}
GAMES = tuple(
    game_to_proto(game, **_ABOUT.get(game.name, {"capabilities": ["matches"]})) for game in engine.games()
)


class CatalogService:
    """The service that describes the server and its activity."""

    def __init__(self, limits: Limits, threads: int, activity: Mapping[str, Callable[[], Any]]) -> None:
        """Create the service; `activity` has functions for the queue and for fields of GetStatusResponse."""
        self._limits = limits
        self._threads = threads
        self._activity = activity
        self._start = time.time()
        self._start_clock = time.monotonic()

    def list_games(self, _request: pb2.ListGamesRequest, _call: Call) -> pb2.ListGamesResponse:
        return pb2.ListGamesResponse(games=GAMES)

    def list_scenarios(self, request: pb2.ListScenariosRequest, _call: Call) -> pb2.ListScenariosResponse:
        known = list_scenarios(request.game or None)
        rows = (scenario_to_proto(scenario) for scenario in known)
        return pb2.ListScenariosResponse(scenarios=rows)

    def get_scenario(self, request: pb2.GetScenarioRequest, _call: Call) -> pb2.GetScenarioResponse:
        match request.WhichOneof("which"):
            case "id":
                scenario = find_scenario(request.id, request.game or None)
            case "text":
                scenario = parse_scenario(request.text, request.game or None)
            case _:
                raise missing("which", "give id or text")
        picture, sketch = scenario.look()
        return pb2.GetScenarioResponse(
            scenario=scenario_to_proto(scenario), svg=picture, sketch_json=sketch.to_json()
        )

    def get_spec(self, request: pb2.GetSpecRequest, _call: Call) -> pb2.GetSpecResponse:
        return pb2.GetSpecResponse(spec=spec_to_proto(find_spec(request.game)))

    def list_tower_models(
        self, _request: pb2.ListTowerModelsRequest, _call: Call
    ) -> pb2.ListTowerModelsResponse:
        limits = {"shelves": self._limits.throws, "rigid": self._limits.rigid_throws}
        models = (tower_model_to_proto(model, limits[model.name]) for model in tower.MODELS)
        return pb2.ListTowerModelsResponse(models=models)

    def get_version(self, _request: pb2.GetVersionRequest, _call: Call) -> pb2.GetVersionResponse:
        info = build_info()
        return pb2.GetVersionResponse(
            package_version=info["version"],
            rules_versions=info["rules_versions"],
            build_profile=info["profile"],
            instruction_set=info["instruction_set"],
            threads=self._threads,
            limits=asdict(self._limits),
        )

    def get_status(self, _request: pb2.GetStatusRequest, call: Call) -> pb2.GetStatusResponse:
        now = {name: value() for name, value in self._activity.items()}
        caller, sees_all = call.caller, call.scope is None
        now["calls_ended"], now["calls_failed"] = now["calls_ended"]
        if not sees_all:
            now["problems"] = []
            now["fleet_workers"] = []
        now["fleet_workers"] = [pb2.FleetWorker(**row) for row in now["fleet_workers"]]
        waiting, working = now.pop("queue")["heavy"]
        response = pb2.GetStatusResponse(
            working=working,
            waiting=waiting,
            runs=_states(pb2.RunCount, "RUN", now.pop("runs")),
            tournaments=_states(pb2.TournamentCount, "TOURNAMENT", now.pop("tournaments")),
            plays=[
                pb2.GamePlay(game=game, matches=matches, decisions=decisions)
                for game, (matches, decisions) in sorted(now.pop("plays").items())
            ],
            clients=[
                pb2.ClientUse(name=name, **use)
                for name, use in now.pop("clients").items()
                if sees_all or name == caller.name
            ],
            caller=caller.name,
            caller_role=caller.role,
            **now,
        )
        response.start_time.FromMilliseconds(round(1e3 * self._start))
        response.uptime.FromMilliseconds(round(1e3 * (time.monotonic() - self._start_clock)))
        return response


def _states(kind: type[Any], prefix: str, counts: Mapping[str, int]) -> list[Any]:
    found = sorted((f"{prefix}_STATE_{state}", count) for state, count in counts.items() if count)
    return [kind(state=state, count=count) for state, count in found]
