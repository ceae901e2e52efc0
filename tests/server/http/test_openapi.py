"""The description of the HTTP interface: complete, consistent, and true of real messages."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from google.protobuf import json_format

from sengoku import swords
from sengoku.server import Server
from sengoku.server.http import pages
from sengoku.v1 import catalog_service_pb2, odds_service_pb2
from sengoku.wire.swords import battle_to_proto
from support.access import METHODS
from support.connect import Caller

FILE = Path(pages.__file__).with_name("openapi.json")


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return dict(json.loads(FILE.read_text()))


def check(described: dict[str, Any], name: str, value: object) -> None:
    """Raise if a value is not what a schema describes."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": described["components"]}
    jsonschema.Draft202012Validator(schema).validate(value)


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for part in value.values():
            yield from references(part)
    elif isinstance(value, list):
        for part in value:
            yield from references(part)


def test_every_method_is_described(described: dict[str, Any]) -> None:
    assert described["openapi"] == "3.1.0"
    expected = {path for path, method in METHODS.items() if not method.client_streaming}
    paths = {path for path in described["paths"] if not path.endswith("WaitOperation")}
    assert paths == {path for path in expected if not path.endswith("WaitOperation")}
    names = [form["operationId"] for path in described["paths"].values() for form in path.values()]
    assert len(names) == len(set(names))
    for path, forms in described["paths"].items():
        level = METHODS[path].GetOptions().idempotency_level
        assert ("get" in forms) == (level == 1 and not METHODS[path].server_streaming), path
        for form in forms.values():
            assert form["description"], path
            if path.startswith("/sengoku"):
                assert form["x-required-role"] in {"read", "run", "admin"}
            assert set(form["responses"]) == {"200", "default"}


def test_all_references_lead_somewhere(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    found = set(references(described))
    assert found
    assert {name.removeprefix("#/components/schemas/") for name in found} <= set(schemas)
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_real_messages_are_as_described(described: dict[str, Any]) -> None:
    battle = swords.Battle(swords.Force(spear=3), swords.Force(spear=2))
    question = json_format.MessageToDict(
        odds_service_pb2.EvaluateRequest(swords_battle=battle_to_proto(battle))
    )
    check(described, "sengoku.v1.EvaluateRequest", question)
    with Server(port=0, http_port=0) as server, Caller(server) as caller:
        odds = caller.post("/sengoku.v1.OddsService/Evaluate", json.dumps(question).encode(), "json")
        assert odds.json()["swordsOdds"]["attackerWins"] == battle.exact().attacker_wins
        check(described, "sengoku.v1.EvaluateResponse", odds.json())
        for path in (
            "/sengoku.v1.CatalogService/GetVersion",
            "/sengoku.v1.CatalogService/ListGames",
            "/sengoku.v1.PlayerService/ListPlayers",
            "/google.longrunning.Operations/ListOperations",
        ):
            answer = caller.post(path, b"{}", "json")
            assert answer.status_code == 200
            check(described, METHODS[path].output_type.full_name, answer.json())
        failed = caller.post("/sengoku.v1.OddsService/Evaluate", b"{}", "json")
        assert failed.status_code == 400
        check(described, "connect.Error", failed.json())
        served = caller.http.get("/openapi.json")
        assert served.json() == described
        assert served.headers["etag"]
        again = caller.http.get("/openapi.json", headers={"if-none-match": served.headers["etag"]})
        assert again.status_code == 304


def test_what_is_not_a_message_is_refused(described: dict[str, Any]) -> None:
    request = odds_service_pb2.EvaluateRequest(options=odds_service_pb2.OddsOptions(samples=5))
    good = json_format.MessageToDict(request)
    check(described, "sengoku.v1.EvaluateRequest", good)
    for wrong in ({"option": {}}, {"options": {"samples": True}}, {"options": {"method": "GUESSED"}}):
        with pytest.raises(jsonschema.ValidationError):
            check(described, "sengoku.v1.EvaluateRequest", wrong)
    games = json_format.MessageToDict(catalog_service_pb2.ListGamesResponse())
    check(described, "sengoku.v1.ListGamesResponse", games)
