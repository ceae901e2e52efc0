"""The catalog of a server: games, scenarios, specifications and its status (catalog_service.proto)."""

import json
from collections.abc import Callable
from datetime import UTC
from typing import Any

from sengoku.engine import Game, Picture, Sketch
from sengoku.engine.balance import Balance
from sengoku.engine.scenarios import Scenario
from sengoku.engine.spec import ActionKind, Axis, Spec
from sengoku.engine.spec import Field as SpecField
from sengoku.v1 import catalog_service_pb2 as pb2
from sengoku.wire.codec import Codec, Field, json_table, nested_list, optional, plain, tuples, write_only
from sengoku.wire.simulation import RUN_STATES
from sengoku.wire.tournaments import TOURNAMENT_STATES
from sengoku.wire.values import table_from_json

_USES = ("calls", "streams", "working", "waiting", "runs", "tournaments")
_SCENARIO_FILE = Codec(dict[str, Any], pb2.ScenarioFile, *write_only("option", "text_option", "mark"))
_GAME = Codec(
    Game,
    pb2.Game,
    Field("name", "id"),
    *plain("rules_version", "action_count", "observation_size"),
    Field("bots", "bots", lambda bots: [pb2.Bot(name=name, summary=text) for name, text in bots.items()]),
    *plain("reasons"),
    Field(
        "scenario_file", "scenario_file", lambda file: None if file is None else _SCENARIO_FILE.encode(file)
    ),
    *plain("scenario_remarks"),
)


def game_to_proto(game: Game, **more: Any) -> pb2.Game:
    """Write a game; `more` are fields that the server adds."""
    return _GAME.encode(game, min_seats=game.seats[0], max_seats=game.seats[1], **more)


BALANCE = Codec(
    Balance,
    pb2.ScenarioBalance,
    *plain("rules_version"),
    *tuples("bots"),
    *plain("seed", "match_count"),
    *tuples("wins"),
    *plain("draws", "no_results", "rounds_sum", "date"),
)
SCENARIO = Codec(
    Scenario,
    pb2.Scenario,
    *plain("game", "id", "name"),
    Field(
        "setup",
        "setup_json",
        lambda setup: "" if setup is None else json.dumps(setup),
        lambda message, wire: table_from_json(wire, message.setup_json) if message.setup_json else None,
    ),
    *plain("source"),
    Field("seats", "seats", None, lambda message, _wire: list(message.seats)),
    Field(
        "facts",
        "facts",
        lambda facts: [pb2.ScenarioFact(name=name, value=value) for name, value in facts.items()],
        lambda message, _wire: {fact.name: fact.value for fact in message.facts},
    ),
    Field(
        "chapters",
        "chapters",
        lambda chapters: [
            pb2.ScenarioChapter(heading=heading, paragraphs=paragraphs)
            for heading, paragraphs in chapters.items()
        ],
        lambda message, _wire: {chapter.heading: list(chapter.paragraphs) for chapter in message.chapters},
    ),
    json_table("details", "details_json", if_empty=""),
    Field(
        "balance",
        "balance",
        lambda found: [BALANCE.encode(row) for row in found],
        lambda message, _wire: tuple(BALANCE.decode(row) for row in message.balance),
    ),
)
scenario_to_proto = SCENARIO.encode


def scenario_from_proto(message: pb2.Scenario, look: Callable[[], tuple[Picture, Sketch]]) -> Scenario:
    """Read a scenario; `look` returns its pictures when they are needed."""
    return SCENARIO.decode(message, look=look)


AXIS = Codec(
    Axis, pb2.SpecAxis, *plain("name", "size", "stride", "first", "step"), *tuples("labels", "meanings")
)
FIELD = Codec(
    SpecField,
    pb2.SpecField,
    *plain("name", "offset", "bit", "bits"),
    nested_list("axes", AXIS),
    *plain("low", "high"),
    *optional("none"),
    *plain("meaning"),
    *tuples("labels"),
)
ACTION_KIND = Codec(
    ActionKind, pb2.SpecAction, *plain("name", "first"), nested_list("axes", AXIS), *plain("meaning")
)
SPEC = Codec(
    Spec,
    pb2.Spec,
    *plain("game", "rules_version", "min_seats", "max_seats"),
    *plain("observation_size", "action_count", "max_legal_actions"),
    nested_list("fields", FIELD),
    nested_list("actions", ACTION_KIND),
)
spec_to_proto, spec_from_proto = SPEC.encode, SPEC.decode


def server_status_from_proto(message: pb2.GetStatusResponse) -> dict[str, Any]:
    """Read the current load of a server as plain values."""
    started = message.start_time
    counts = (
        *("calls", "working", "waiting", "open_matches", "players", "environments"),
        *("calls_ended", "calls_failed", "connections", "store_bytes"),
    )
    return {
        "start_time": started.ToDatetime(UTC).isoformat() if message.HasField("start_time") else None,
        "uptime": message.uptime.ToTimedelta().total_seconds(),
        "stopping": message.stopping,
        **{name: getattr(message, name) for name in counts},
        "missing_packages": list(message.missing_packages),
        "runs": {RUN_STATES.name_or_zero(row.state): row.count for row in message.runs},
        "tournaments": {TOURNAMENT_STATES.name_or_zero(row.state): row.count for row in message.tournaments},
        "plays": {row.game: {"matches": row.matches, "decisions": row.decisions} for row in message.plays},
        "clients": {row.name: {name: getattr(row, name) for name in _USES} for row in message.clients},
        "problems": list(message.problems),
        "caller": message.caller,
        "caller_role": message.caller_role,
        "fleet": message.fleet,
        "fleet_workers": [
            {field.name: getattr(row, field.name) for field in row.DESCRIPTOR.fields}
            for row in message.fleet_workers
        ],
    }
