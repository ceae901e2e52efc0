"""Every limit has a flag, and what is beyond it gets the error that the table of limits says."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path

import pytest
from google.longrunning import operations_pb2

from sengoku import Client, Match, tower
from sengoku.engine.requests import RunRequest
from sengoku.errors import (
    REASONS,
    AnalysisNotFoundError,
    BusyError,
    MatchNotFoundError,
    QuotaError,
    RunNotFoundError,
    SengokuError,
    TournamentNotFoundError,
)
from sengoku.server import Limits, Server
from sengoku.server.limits import flag_of
from sengoku.server.services.operations import OperationsService
from sengoku.swords import Battle, Force
from sengoku.wire.simulation import run_to_proto
from support.cli import run
from support.process import soon

BATTLE = Battle(Force(daimyo=1, bow=2, spear=3), Force(bow=1, spear=4))
LONG = {"bots": ["greedy"], "seats": 5, "match_count": 1_000_000}
SHORT = {"bots": ["random"], "seats": 3, "setup": {"max_rounds": 2}}
THROW = {"blue": 2, "red": 1}
TOURNAMENT = """
bots = [{name = "greedy"}, {name = "random"}]
games = [{game = "battles", scenarios = [1]}]
seed = 1
"""


class Caller(Client):
    """A client that knows where it calls."""

    def __init__(self, address: str) -> None:
        super().__init__(address, timeout=60, retries=0)
        self.address = address


@contextmanager
def busy(client: Caller, calls: int = 1) -> Iterator[None]:
    """Some calls that take long, all of them under way."""

    def ask() -> None:
        with suppress(SengokuError), Caller(client.address) as other:
            others.append(other)
            other.sample(BATTLE, 10_000_000_000)

    others: list[Caller] = []
    before = client.status()["calls"]
    threads = [threading.Thread(target=ask) for _ in range(calls)]
    for thread in threads:
        thread.start()
    try:
        assert soon(lambda: client.status()["calls"] >= before + calls)
        yield
    finally:
        for other in others:
            other.close()
        for thread in threads:
            thread.join()


def ask_run(client: Caller, count: int) -> None:
    """Asks in one call; the client's own method would make several of it."""
    request = run_to_proto(RunRequest.create("swords", **SHORT, match_count=count))
    client.ask(request, timeout=30)


def while_busy(work: Callable[[Caller], object], calls: int = 1) -> Callable[[Caller], None]:
    def ask(client: Caller) -> None:
        with busy(client, calls):
            work(client)

    return ask


def start(client: Caller, count: int = 1) -> None:
    for _ in range(count):
        client.start_run("swords", **LONG)


def watch_twice(client: Caller) -> None:
    run = client.start_run("swords", **LONG)
    first, second = run.watch(), run.watch()
    next(first)
    next(second)


def wait_for(client: Caller, count: int) -> None:
    """Waits for a run by one call after the other, all of them under way; gives what is said to the last."""
    name = client.start_run("swords", **LONG).name
    request = operations_pb2.WaitOperationRequest(name=name)
    with ThreadPoolExecutor(count) as threads:
        others = [Caller(client.address) for _ in range(count - 1)]
        try:
            for other in others:
                threads.submit(other.ask, request, timeout=60)
            time.sleep(0.5)
            client.ask(request, timeout=5)
        finally:
            for other in others:
                other.close()


def create(client: Caller, count: int = 1) -> None:
    for _ in range(count):
        client.create_tournament(TOURNAMENT + "blocks = 40_000")


def two_matches(client: Caller) -> None:
    with client.create_match("swords"), client.create_match("swords"):
        pass


def watch_two_matches(client: Caller) -> None:
    with client.create_match("swords") as first, client.create_match("swords") as second:
        watching = first.watch()
        next(watching)
        next(second.watch())


def play_twice(client: Caller) -> None:
    with client.create_match("swords") as match:
        for _ in range(2):
            match.play(match.legal_actions()[0])


def run_many_decisions(client: Caller) -> None:
    client.start_run("swords", **SHORT, match_count=20).wait(timeout=60)


def rigid_for_long(client: Caller) -> None:
    geometry = tower.CubeTower("rigid").parameters
    geometry["throw"]["limit_seconds"] *= 4
    client.simulate_throws(THROW, count=1, model="rigid", parameters=geometry)


def analyse(client: Caller, count: int = 1) -> None:
    match = Match.create("battles", seed=7, setup={"scenario": 8})
    match.play_on("greedy")
    for _ in range(count):
        client.start_analysis(match, iterations=9_000)


BEYOND: dict[str, tuple[dict[str, int], Callable[[Caller], object]]] = {
    "samples": ({"samples": 10}, lambda client: client.sample(BATTLE, 11)),
    "batch_samples": (
        {"batch_samples": 10},
        lambda client: client.batch_odds([BATTLE] * 2, method="sampled", samples=6),
    ),
    "batch_rows": ({"batch_rows": 1}, lambda client: client.batch_odds([BATTLE] * 2)),
    "message_bytes": ({"message_bytes": 100}, lambda client: client.batch_odds([BATTLE] * 20)),
    "calls": ({"calls": 1}, while_busy(lambda client: client.exact(BATTLE))),
    "client_calls": ({"client_calls": 1}, while_busy(lambda client: client.exact(BATTLE))),
    "queued_calls": (
        {"heavy_calls": 1, "queued_calls": 1},
        while_busy(lambda client: client.sample(BATTLE, 10_000_000_000), calls=2),
    ),
    "client_queued_calls": (
        {"heavy_calls": 1, "client_queued_calls": 1},
        while_busy(lambda client: client.sample(BATTLE, 10_000_000_000), calls=2),
    ),
    "streams": ({"streams": 1}, watch_twice),
    "client_streams": ({"client_streams": 2}, lambda client: wait_for(client, 3)),
    "matches": ({"matches": 3}, lambda client: ask_run(client, 4)),
    "decisions": ({"decisions": 10}, lambda client: ask_run(client, 4)),
    "search_iterations": (
        {"search_iterations": 100},
        lambda client: client.run_matches(
            "swords", **(SHORT | {"bots": ["mcts:iterations=101"]}), match_count=1
        ),
    ),
    "run_matches": ({"run_matches": 3}, lambda client: client.start_run("swords", **SHORT, match_count=4)),
    "run_decisions": ({"run_decisions": 10}, run_many_decisions),
    "run_request_bytes": (
        {"run_request_bytes": 100},
        lambda client: client.start_run("swords", bots=["random"] * 5, setup="{}" + " " * 100, match_count=1),
    ),
    "unfinished_runs": ({"unfinished_runs": 2}, lambda client: start(client, 3)),
    "client_runs": ({"client_runs": 2}, lambda client: start(client, 3)),
    "store_bytes": ({"store_bytes": 1_000}, start),
    "open_matches": ({"open_matches": 1}, two_matches),
    "client_open_matches": ({"client_open_matches": 1}, two_matches),
    "match_decisions": ({"match_decisions": 1}, play_twice),
    "watchers": ({"watchers": 1}, watch_two_matches),
    "unfinished_tournaments": ({"unfinished_tournaments": 2}, lambda client: create(client, 3)),
    "client_tournaments": ({"client_tournaments": 2}, lambda client: create(client, 3)),
    "tournament_matches": (
        {"tournament_matches": 7},
        lambda client: client.create_tournament(TOURNAMENT + "blocks = 4"),
    ),
    "tournament_bytes": ({"tournament_bytes": 100}, create),
    "analysis_iterations": ({"analysis_iterations": 8_999}, analyse),
    "analysis_playouts": ({"analysis_playouts": 100_000}, analyse),
    "unfinished_analyses": ({"unfinished_analyses": 2}, lambda client: analyse(client, 3)),
    "client_analyses": ({"client_analyses": 2}, lambda client: analyse(client, 3)),
    "report_cells": (
        {"report_cells": 60},
        lambda client: client.create_tournament(TOURNAMENT + "blocks = 1").standings(),
    ),
    "throws": ({"throws": 1}, lambda client: client.simulate_throws(THROW, count=2)),
    "rigid_throws": (
        {"rigid_throws": 1},
        lambda client: client.simulate_throws(THROW, count=2, model="rigid"),
    ),
    "film_positions": ({"film_positions": 600}, lambda client: client.film(THROW, contents={})),
    "rigid_steps": ({"rigid_steps": 1_000}, rigid_for_long),
}
"""For each limit a server that has a small one, and something that is beyond it."""

ELSEWHERE = {
    "reads": "jobs/test_rows.py",
    "client_reads": "jobs/test_rows.py",
    "run_keep_days": "jobs/test_runs.py",
}
ELSEWHERE |= dict.fromkeys(
    ("client_watchers", "match_watchers", "frame_cache_bytes"), "services/test_watching.py"
)
ELSEWHERE |= dict.fromkeys(("message_length", "messages", "messages_between"), "services/test_talk.py")
ELSEWHERE |= dict.fromkeys(
    (
        *("players", "client_players", "player_capacity", "player_faults", "player_silence"),
        *("player_name_seconds", "player_names", "client_player_names"),
        *("plays", "client_plays", "play_matches", "play_at_once", "play_decisions", "clock_seconds"),
    ),
    "services/test_player*.py",
)
ELSEWHERE |= dict.fromkeys(
    ("environments", "client_environments", "lanes", "environment_steps", "environment_idle"),
    "services/test_env.py",
)
ELSEWHERE |= dict.fromkeys(
    (
        *("unsent_bytes", "client_unsent_bytes", "send_seconds"),
        *("connections", "address_connections", "unverified_connections", "unverified_seconds"),
    ),
    "test_hostile_peers.py",
)
"""Limits that take more to reach, and where that is done."""


@contextmanager
def limited(**limits: int) -> Iterator[tuple[Server, Caller]]:
    with Server(port=0, limits=Limits(**limits)) as server:
        with Caller(server.address) as client:
            yield server, client
        server.stop(0).wait()


@pytest.mark.parametrize("name", BEYOND)
def test_what_is_beyond_a_limit_gets_its_error(name: str) -> None:
    limits, ask = BEYOND[name]
    (field,) = (field for field in fields(Limits) if field.name == name)
    with limited(**limits) as (server, client):
        with pytest.raises(SengokuError) as refused:
            ask(client)
        error = refused.value
        assert (error.reason, type(error)) == (field.metadata["error"], REASONS[field.metadata["error"]])
        assert error.details["limit"] == str(limits[name])
        # Who may try again is told when.
        again = error.reason in {"BUSY", "QUOTA_EXCEEDED", "STORE_FULL"}
        assert (error.retry_after is not None) == again
        assert not again or 0 < error.retry_after <= 60  # type: ignore[operator]
        # Nothing is left of it.
        assert soon(lambda: server.calls_under_way == 0)
        assert client.version()["package_version"]


def test_calls_that_wait_are_bounded_as_streams_are() -> None:
    with limited(streams=2) as (server, client):
        with pytest.raises(BusyError, match="2 of 2 waiting calls are in use"):
            wait_for(client, 3)
        assert soon(lambda: not server.calls_under_way)


@pytest.mark.parametrize("limits", [{"calls": 1}, {"client_calls": 1}])
def test_calls_that_look_are_counted_apart(limits: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    looking, seen = threading.Event(), threading.Event()

    def look(*_: object) -> operations_pb2.ListOperationsResponse:
        looking.set()
        assert seen.wait(30)
        return operations_pb2.ListOperationsResponse()

    monkeypatch.setattr(OperationsService, "list_operations", look)
    with limited(**limits) as (_, client), ThreadPoolExecutor(1) as threads:
        first = threads.submit(client.runs)
        assert looking.wait(30)
        error = BusyError if "calls" in limits else QuotaError
        with Caller(client.address) as other, pytest.raises(error, match=r"1 of 1 calls"):
            other.runs()
        assert client.exact(BATTLE) == BATTLE.exact()  # work is not held up by those who look
        seen.set()
        assert first.result() == []
    seen.clear()


def test_more_heavy_calls_wait() -> None:
    with limited(heavy_calls=2) as (_, client), busy(client, 5):
        assert soon(lambda: client.status()["waiting"] == 3)
        assert client.status()["working"] == 2
        assert client.exact(BATTLE) == BATTLE.exact()  # what is brief does not wait


def test_the_oldest_runs_are_forgotten() -> None:
    with limited(runs_kept=1) as (_, client):
        runs = [client.start_run("swords", **SHORT, match_count=2) for _ in range(3)]
        for run in runs[:2]:
            with suppress(RunNotFoundError):
                run.wait(timeout=60)
        runs[2].wait(timeout=60)
        assert soon(lambda: len(list(client.runs())) == 1)
        assert [run.name for run in client.runs()] == [runs[2].name]


def test_the_oldest_tournaments_are_forgotten() -> None:
    with limited(tournaments_kept=1) as (_, client):
        made = [client.create_tournament(TOURNAMENT + f"blocks = {number + 1}") for number in range(3)]
        for tournament in made:
            with suppress(TournamentNotFoundError):
                tournament.wait(timeout=60)
        assert soon(lambda: len(client.tournaments()) == 1)


def test_the_oldest_analyses_are_forgotten() -> None:
    match = Match.create("battles", seed=7, setup={"scenario": 8})
    with limited(analyses_kept=1) as (_, client):
        made = [client.start_analysis(match, iterations=4) for _ in range(3)]
        for analysis in made:
            with suppress(AnalysisNotFoundError):
                analysis.wait(timeout=60)

        def left() -> int:
            count = 0
            for analysis in made:
                with suppress(AnalysisNotFoundError):
                    analysis.metadata()
                    count += 1
            return count

        assert soon(lambda: left() == 1)


def test_more_tournaments_wait() -> None:
    with limited(tournaments_at_once=1) as (_, client):
        create(client, 3)
        assert soon(lambda: [each.status.state for each in client.tournaments()].count("running") == 1)
        told = [each.status for each in client.tournaments()]  # the newest first
        assert [(status.state, status.queue_position) for status in told] == [
            ("queued", 1),
            ("queued", 0),
            ("running", 0),
        ]


def test_matches_that_nobody_uses_are_forgotten() -> None:
    now = [0.0]
    server = Server(port=0, limits=Limits(idle_seconds=10), clock=lambda: now[0])
    with server, Client(server.address, timeout=30) as client:
        match = client.create_match("swords")
        now[0] = 9.0
        assert match.decisions == Match.create("swords").decisions
        now[0] = 30.0
        with pytest.raises(MatchNotFoundError):
            match.play(0)


def test_matches_that_are_closed_make_room() -> None:
    with limited(client_open_matches=1) as (_, client):
        for _ in range(3):
            with client.create_match("swords"):
                pass


def test_every_limit_is_tested() -> None:
    by_effect = {"heavy_calls", "runs_kept", "idle_seconds", "tournaments_at_once", "tournaments_kept"}
    by_effect |= {"analyses_kept"}
    assert {field.name for field in fields(Limits)} == {*BEYOND, *ELSEWHERE, *by_effect}
    folder = Path(__file__).parent
    for name, files in ELSEWHERE.items():
        assert any(f"{name}=" in file.read_text() for file in folder.glob(files))
    assert {field.name for field in fields(Limits) if not field.metadata["error"]} == {
        *by_effect,
        "run_keep_days",
        "frame_cache_bytes",
        "player_silence",
        *("player_name_seconds", "player_names", "client_player_names"),
        "play_decisions",
        "environment_idle",
        *("send_seconds", "connections", "address_connections", "unverified_connections"),
        "unverified_seconds",
    }


def test_every_limit_has_its_flag() -> None:
    shown = run("serve", "--help", COLUMNS="400", TERM="xterm").stdout
    for field in fields(Limits):
        line = re.search(rf"{flag_of(field)}\s.*", shown)
        assert line is not None, flag_of(field)
        assert field.metadata["about"].rstrip(".").split()[0] in line[0]
