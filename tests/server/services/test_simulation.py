"""Bulk runs over gRPC: the client gives what the engine gives, byte for byte."""

import inspect
import threading
import time
from typing import Any

import numpy as np
import pytest

from sengoku import Cancel, Client, MatchReport, build_info, engine, games, run_matches
from sengoku.engine.report import RESULTS
from sengoku.engine.requests import RunRequest
from sengoku.errors import (
    ArgumentError,
    CancelledError,
    DeadlineError,
    DecodeError,
    LimitError,
    SetupError,
    UnavailableError,
)
from sengoku.server import Limits, Server
from sengoku.v1 import game_pb2, simulation_service_pb2
from sengoku.wire.simulation import report_from_proto, report_to_proto, run_to_proto
from sengoku.wire.tensors import tensor_to_proto
from support.process import soon

CAP = {"max_rounds": 5}
GAME = games()[0]
WISH = {"bots": ["random", "greedy"], "seed": 2**64 - 1, "setup": CAP}
YEARS = 90_000_000


def same_bytes(one: MatchReport, other: MatchReport) -> None:
    assert one == other
    for name in ("match_index", *RESULTS):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert (mine.dtype, mine.shape, mine.tobytes()) == (theirs.dtype, theirs.shape, theirs.tobytes())
        assert mine.flags.writeable
    assert one.summary() == other.summary()


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_the_client_gives_what_the_engine_gives(client: Client, game: engine.Game) -> None:
    for seats in range(game.seats[0], game.seats[1] + 1):
        for bot in game.bots:
            bots, count, setup = (
                ([bot], 11, CAP) if bot != "mcts" else (["mcts:iterations=4", "greedy"], 3, {"max_rounds": 2})
            )
            wish = {"bots": bots, "seats": seats, "match_count": count, "first_match": 5, "setup": setup}
            same_bytes(client.run_matches(game.name, **wish), run_matches(game.name, **wish))


@pytest.mark.parametrize(
    "setup", [*({"scenario": number} for number in (4, 12, 22, 34)), {"campaign": 18}], ids=str
)
def test_battles_of_every_kind_are_the_same_through_both_doors(client: Client, setup: dict[str, int]) -> None:
    wish: dict[str, Any] = {"bots": ["greedy", "random"], "seed": 5, "setup": setup}
    whole = run_matches("battles", **wish, match_count=30, threads=1)
    same_bytes(client.run_matches("battles", **wish, match_count=30, threads=2), whole)
    parts = [
        client.run_matches("battles", **wish, first_match=first, match_count=count)
        for first, count in ((0, 11), (11, 1), (12, 18))
    ]
    same_bytes(parts[0] + parts[1] + parts[2], whole)


@pytest.mark.parametrize(
    "wish",
    [
        {"match_count": 1},
        {"match_count": 40, "threads": 1},
        {"match_count": 40, "threads": 1024},
        {"match_count": 10, "first_match": 2**64 - 10},
        {"match_count": 10, "setup": None},
        {"match_count": 10, "setup": '{"max_rounds": 3}'},
        {"match_count": 10, "seats": GAME.seats[1]},
    ],
)
def test_every_option_reaches_the_bots(client: Client, wish: dict) -> None:
    same_bytes(client.run_matches(GAME.name, **WISH | wish), run_matches(GAME.name, **WISH | wish))


def test_parts_are_the_whole(client: Client) -> None:
    whole = run_matches(GAME.name, **WISH, match_count=300)
    parts = [
        client.run_matches(GAME.name, **WISH, first_match=first, match_count=count)
        for first, count in ((200, 100), (0, 1), (1, 199))
    ]
    same_bytes(parts[0] + parts[1] + parts[2], whole)
    seen: list[tuple[int, int]] = []
    watched = client.run_matches(
        GAME.name, **WISH, match_count=300, progress=lambda done, total: seen.append((done, total))
    )
    same_bytes(watched, whole)
    assert len(seen) > 1
    assert seen == sorted(seen)
    assert seen[-1] == (300, 300)
    with Server(port=0, limits=Limits(matches=7)) as small, Client(small.address) as other:
        same_bytes(other.run_matches(GAME.name, **WISH, match_count=300), whole)


def test_the_same_arguments() -> None:
    here = dict(inspect.signature(run_matches).parameters)
    del here["replays"]  # they are written by the process that plays
    there = inspect.signature(Client.run_matches).parameters
    assert [*there] == ["self", *here, "timeout"]
    for name, parameter in here.items():
        assert (there[name].kind, there[name].default) == (parameter.kind, parameter.default)


@pytest.mark.parametrize(
    "wish",
    [
        {"match_count": 0},
        {"match_count": -1},
        {"match_count": 100_000_001},
        {"match_count": 10**5000},
        {"match_count": 11, "first_match": 2**64 - 10},
        {"first_match": -1},
        {"first_match": 2**64},
        {"seed": -1},
        {"seed": 2**64},
        {"threads": -1},
        {"threads": 1025},
        {"seats": 0},
        {"seats": -1},
        {"seats": 200},
        {"seats": 10**30},
        {"bots": []},
        {"bots": ["random"] * 9},
        {"bots": ["random"] * 9, "seats": 2},
        {"bots": ["rosebud"]},
        {"bots": ["\udcff"]},
        {"bots": "random"},
        {"bots": [5]},
        {"game": "chess"},
        {"game": "\udcff"},
        {"setup": {"max_rounds": "many"}},
        {"setup": {"max_rounds": 10**30}},
        {"setup": {"max_rounds": float("nan")}},
        {"setup": {"no_such_option": {}}},
        {"setup": [1]},
        {"setup": "{"},
        {"setup": "[" * 100_000},
        {"setup": '"\udcff"'},
        {"setup": {"map": "\udcff"}},
    ],
)
def test_both_doors_refuse_the_same(client: Client, wish: dict) -> None:
    wish = {"game": GAME.name, "match_count": 3, **WISH, **wish}
    told = []
    for door in (run_matches, client.run_matches):
        with pytest.raises((ArgumentError, SetupError, TypeError)) as refused:
            door(**wish)
        told.append(refused.value)
    assert type(told[0]) is type(told[1])
    if not isinstance(told[0], TypeError):
        assert told[0].details.get("field") == told[1].details.get("field")


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"threads": -1}, "threads"),
        ({"threads": 2**31 - 1}, "threads"),
        ({"seats": -5}, "seats"),
        ({"match_count": 2**64 - 1}, "matches"),
        ({"game": "x" * 100_000}, "game"),
        ({"bots": ["x" * 100_000]}, "bots"),
        ({"setup_json": "nan"}, "setup"),
        ({"setup_json": "\x00"}, "setup"),
    ],
    ids=str,
)
def test_what_our_client_would_never_send(server: Server, fields: dict, named: str) -> None:
    request = simulation_service_pb2.RunMatchesRequest(
        **{"game": GAME.name, "bots": ["random"], "match_count": 1} | fields
    )
    with Client(server.address) as client, pytest.raises((ArgumentError, SetupError, LimitError)) as refused:
        client.ask(request, timeout=30)
    assert refused.value.details["field"] == named


def test_limits_are_named() -> None:
    wish = {**WISH, "match_count": 20}
    decisions = int(run_matches(GAME.name, **wish).decisions.sum())
    for limit in (decisions, decisions - 1):
        with Server(port=0, limits=Limits(decisions=limit)) as server, Client(server.address) as client:
            if limit == decisions:
                assert len(client.run_matches(GAME.name, **wish)) == 20
                continue
            with pytest.raises(LimitError, match=f"more than {limit} decisions") as refused:
                client.run_matches(GAME.name, **wish)
            assert refused.value.details == {"field": "decisions", "limit": str(limit)}
    with Server(port=0, limits=Limits(matches=4)) as server, Client(server.address) as client:
        request = run_to_proto(RunRequest.create(GAME.name, **wish))
        with pytest.raises(LimitError, match="matches is 20, this server allows 4"):
            client.ask(request, timeout=30)


def test_a_deadline_ends_the_work(server: Server, client: Client) -> None:
    start = time.perf_counter()
    with Server(port=0, limits=Limits(matches=YEARS)) as large, Client(large.address) as other:
        with pytest.raises(DeadlineError):
            other.run_matches(GAME.name, bots=["random"], match_count=YEARS, timeout=0.3)
        assert soon(lambda: large.calls_under_way == 0)
    with pytest.raises(DeadlineError):  # and that of several calls is one for all
        client.run_matches(
            GAME.name, bots=["random"], match_count=YEARS, timeout=0.6, progress=lambda *_: None
        )
    assert soon(lambda: server.calls_under_way == 0)
    assert time.perf_counter() - start < 15


def test_cancelling_ends_the_work_and_others_go_on(server: Server, client: Client) -> None:
    cancel = Cancel()
    told: list[type] = []

    def work() -> None:
        try:
            client.run_matches(GAME.name, bots=["random"], match_count=YEARS, cancel=cancel)
        except CancelledError as error:
            told.append(type(error))

    runs = [threading.Thread(target=work) for _ in range(3)]
    for run in runs:
        run.start()
    assert soon(lambda: server.calls_under_way == 3)
    start = time.perf_counter()
    with Client(server.address, timeout=30) as other:
        wish = {**WISH, "match_count": 20}
        same_bytes(other.run_matches(GAME.name, **wish), run_matches(GAME.name, **wish))
    assert time.perf_counter() - start < 15  # the three have hours to go
    cancel.cancel()
    for run in runs:
        run.join(20)
    assert told == [CancelledError] * 3
    assert soon(lambda: server.calls_under_way == 0)


def test_an_error_of_the_progress_function_ends_the_work(server: Server, client: Client) -> None:
    def fail(*_: int) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        client.run_matches(GAME.name, bots=["random"], match_count=YEARS, progress=fail)
    assert soon(lambda: server.calls_under_way == 0)


def test_a_closed_client(server: Server) -> None:
    client = Client(server.address)
    client.close()
    with pytest.raises(UnavailableError):
        client.run_matches(GAME.name, bots=["random"], match_count=1)


def test_answers_that_cannot_be() -> None:
    wish = {**WISH, "match_count": 4}
    request = run_to_proto(RunRequest.create(GAME.name, **wish))
    honest = report_to_proto(run_matches(GAME.name, **wish))

    def lie(**fields: object) -> simulation_service_pb2.RunMatchesResponse:
        lying = simulation_service_pb2.RunMatchesResponse()
        lying.CopyFrom(honest)
        for name, value in fields.items():
            lying.ClearField(name)
            if isinstance(value, game_pb2.Tensor):
                getattr(lying, name).CopyFrom(value)
            elif value is not None:
                setattr(lying, name, value)
        return lying

    same_bytes(report_from_proto(request, [honest], [4]), run_matches(GAME.name, **wish))
    strange = tensor_to_proto(np.full(4, 99, np.uint8))
    for lies in (
        {"winner": None},
        {"reason": strange},
        {"ranks": strange},
        {"digest": strange},
        {"bots": None},
    ):
        with pytest.raises(DecodeError):
            report_from_proto(request, [lie(**lies)], [4])
    with pytest.raises(DecodeError, match="not \\(5,\\)"):
        report_from_proto(request, [honest], [5])
    with pytest.raises(DecodeError, match="rules_version is 77"):
        report_from_proto(request, [honest, lie(rules_version=77)], [4, 4])


def test_the_catalog_says_what_the_engine_says(client: Client) -> None:
    for told, game in zip(client.games(), games(), strict=True):
        assert (told["id"], told["min_seats"], told["max_seats"]) == (game.name, *game.seats)
        assert told["rules_version"] == game.rules_version == build_info()["rules_versions"][game.name]
        assert (told["action_count"], told["observation_size"]) == (game.action_count, game.observation_size)
        assert {bot["name"]: bot["summary"] for bot in told["bots"]} == game.bots
        assert tuple(told["reasons"]) == game.reasons
        assert "matches" in told["capabilities"]
        assert told["summary"]
