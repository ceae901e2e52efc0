"""Numbers, names and texts far beyond anything sensible have typed errors, in every field that takes them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from google.longrunning import operations_pb2

from sengoku import Client
from sengoku.errors import SengokuError
from sengoku.server import Server
from sengoku.server.paging import write_token
from sengoku.v1 import (
    catalog_service_pb2,
    match_service_pb2,
    odds_service_pb2,
    simulation_service_pb2,
    tournament_service_pb2,
    tower_service_pb2,
)
from sengoku.wire.odds import odds_kind
from support.questions import BATTLE

TOURNAMENT = """
bots = [{name = "greedy"}, {name = "random"}]
games = [{game = "battles", scenarios = [1]}]
blocks = 1
seed = 1
"""
DIGITS = {
    "30 digits": "1" + "0" * 30,
    "5,000 digits": "9" * 5_000,
    "other digits": "\N{DEVANAGARI DIGIT ONE}",
}
HEX = {"long hex": "f" * 20_000, "no hex": "0x" + "g" * 64}
NUMBERS = {**DIGITS, "fraction": "1e400", "minus": "-" + "9" * 5_000}
NESTED = {"lists": "[" * 100_000, "closed lists": "[" * 900 + "]" * 900, "objects": '{"a":' * 50_000}
FIELDS = ("seed", "max_rounds", "rounds", "scenario", "deployment", "court", "map", "unknown")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server(port=0) as server:
        yield server


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[Client]:
    with Client(server.address, timeout=60, retries=0) as client:
        yield client


@pytest.fixture(scope="module")
def tournament(client: Client) -> str:
    played = client.create_tournament(TOURNAMENT)
    played.wait(timeout=60)
    return str(played.name)


def ask(client: Client, request: Any) -> str:
    """Send a request, and return the reason of its failure, or OK; a bug of the server fails the test."""
    try:
        client.ask(request)
    except SengokuError as error:
        failure = error
    else:
        return "OK"
    assert failure.status not in {"INTERNAL", "UNKNOWN"}, failure
    assert len(str(failure)) < 5_000
    return failure.reason


@pytest.mark.parametrize("place", DIGITS.values(), ids=DIGITS)
def test_page_tokens(client: Client, tournament: str, place: str) -> None:
    requests = [
        operations_pb2.ListOperationsRequest(page_token=write_token(place, "")),
        tournament_service_pb2.ListTournamentsRequest(page_token=write_token(place, "")),
        *(
            tournament_service_pb2.ListTournamentMatchesRequest(
                name=tournament, page_token=write_token(text.replace("N", place), tournament)
            )
            for text in ("N", "0-1.0.0.N", "0-1.0.N.0", "0-1.N.0.0", "0-N.0.0.0", "N-N.N.N.N", "-.-.-.-")
        ),
    ]
    for request in requests:
        assert ask(client, request) in {"INVALID_ARGUMENT", "OK"}, request
    assert ask(client, catalog_service_pb2.ListScenariosRequest()) == "OK"


def test_names_of_replays(client: Client, tournament: str) -> None:
    for place in (*DIGITS.values(), *HEX.values()):
        for text in ("N", "0-1.0.0.N", "0-1.0.N.0", "0-1.N.0.0", "0-N.0.0.0"):
            request = tournament_service_pb2.GetTournamentReplayRequest(
                name=tournament, match=text.replace("N", place)
            )
            assert ask(client, request) == "TOURNAMENT_NOT_FOUND"


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS)
@pytest.mark.parametrize("game", ["swords", "tower", "battles"])
def test_numbers_in_setups(client: Client, game: str, number: str) -> None:
    for field in FIELDS:
        for value in (number, f'"{number}"', f"[{number}]", f'{{"x": {number}}}'):
            setup = f'{{"{field}": {value}}}'
            for request in (
                simulation_service_pb2.RunMatchesRequest(
                    game=game, bots=["random"] * 3, match_count=1, setup_json=setup
                ),
                match_service_pb2.CreateMatchRequest(game=game, setup_json=setup),
            ):
                assert ask(client, request) != "OK", setup[:80]


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED)
def test_values_that_are_nested_deeply(client: Client, text: str) -> None:
    deep = f'{{"map_text": {text}}}'
    for request in (
        simulation_service_pb2.RunMatchesRequest(
            game="swords", bots=["random"], match_count=1, setup_json=deep
        ),
        match_service_pb2.CreateMatchRequest(game="tower", setup_json=text),
        tower_service_pb2.ThrowRequest(
            new_tower=tower_service_pb2.NewTower(model="rigid", parameters_json=f'{{"a": {text}}}')
        ),
        catalog_service_pb2.GetScenarioRequest(text=f"name = {text.replace(':', '=')}"),
        tournament_service_pb2.CreateTournamentRequest(spec_toml=f"bots = {text.replace(':', '=')}"),
    ):
        assert ask(client, request) != "OK"


@pytest.mark.parametrize(
    "max_error", [1e-300, 5e-324, 1e259, 1.7e308, 1e-9, -1.0, float("nan"), float("inf")]
)
def test_errors_that_are_asked_for(client: Client, max_error: float) -> None:
    kind = odds_kind(BATTLE)
    one = odds_service_pb2.EvaluateRequest()
    getattr(one, kind.one).CopyFrom(kind.to_proto(BATTLE))
    many = odds_service_pb2.BatchEvaluateRequest()
    getattr(many, kind.many).append(kind.to_proto(BATTLE))
    for request in (one, many):
        for method in (odds_service_pb2.ODDS_METHOD_UNSPECIFIED, odds_service_pb2.ODDS_METHOD_SAMPLED):
            request.options.max_error, request.options.method = max_error, method
            ask(client, request)


def test_names_of_bots_are_data(client: Client) -> None:
    names = ["$x^{$", r"\frac{", "<b>&amp;", "=1+1", "$$", "a_b^c", "[bold]x[/]"]
    bots = ", ".join(f'{{name = {json.dumps(name)}, bot = "random"}}' for name in names)
    text = TOURNAMENT.replace('{name = "greedy"}, {name = "random"}', bots)
    played = client.create_tournament(text)
    assert played.wait(timeout=60).state == "succeeded"
    for form in ("html", "md", "csv", "json"):
        assert len(played.table(form)) > 100
    assert "<b>&amp;" not in played.table("html").replace("&lt;b&gt;&amp;amp;", "")
