"""Long work of every kind, and how long a server continues it after its caller has disconnected."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import grpc
from google.protobuf.message import Message

from sengoku import Client, battles, tower
from sengoku.server import Limits, Server
from sengoku.swords import Battle, Force
from sengoku.v1 import odds_service_pb2, simulation_service_pb2, tower_service_pb2
from sengoku.wire.odds import odds_kind
from sengoku.wire.tower import cubes_to_proto, new_tower_to_proto

LIMITS = Limits(
    samples=10**12,
    batch_samples=10**15,
    matches=10**8,
    throws=10**7,
    rigid_throws=10_000,
    rigid_steps=10**7,
)
"""Larger than usual, so that no work ends by itself."""

_ARMY = Force(daimyo=1, bow=2, gun=4, sword=2, spear=6)
_LARGEST = Battle(_ARMY, [_ARMY, Force(spear=5)], break_off_after=250)
_CLASH = tower.Clash(attacker=("blue", 10), defender=("yellow", 10), players=5)
_STRIKE = battles.Strike([battles.Piece("LI", leader="LM")] * 4, battles.Piece("SSp", leader="LM"))
_SAMPLED = odds_service_pb2.ODDS_METHOD_SAMPLED
_EXACT = odds_service_pb2.ODDS_METHOD_EXACT


def _matches(game: str, bot: str, setup: str = "") -> simulation_service_pb2.RunMatchesRequest:
    return simulation_service_pb2.RunMatchesRequest(
        game=game, bots=[bot], match_count=10**8, setup_json=setup
    )


def _odds(question: object, **options: object) -> odds_service_pb2.EvaluateRequest:
    kind = odds_kind(question)
    arguments = odds_service_pb2.OddsOptions(**options)  # type: ignore[arg-type]
    return odds_service_pb2.EvaluateRequest(**{kind.one: kind.to_proto(question)}, options=arguments)


def _batch(question: object, rows: int, **options: object) -> odds_service_pb2.BatchEvaluateRequest:
    kind = odds_kind(question)
    arguments = odds_service_pb2.OddsOptions(**options)  # type: ignore[arg-type]
    many = [kind.to_proto(question)] * rows
    return odds_service_pb2.BatchEvaluateRequest(**{kind.many: many}, options=arguments)


def _throws(model: str, *, sequence: bool, count: int) -> tower_service_pb2.SimulateThrowsRequest:
    contents = tower.fill(players=5) if not sequence else {}
    new = new_tower_to_proto(model=model, seed=1, match_index=0, contents=contents, parameters=None)
    cubes = cubes_to_proto("cubes", {"blue": 5, "yellow": 5, "farmer": 3})
    return tower_service_pb2.SimulateThrowsRequest(tower=new, cubes=cubes, count=count, sequence=sequence)


def _film() -> tower_service_pb2.FilmThrowRequest:
    """A film of a throw whose cubes have to rest for a minute, in small steps."""
    geometry = tower.CubeTower("rigid").parameters
    geometry["throw"] |= {"rest_seconds": 60.0, "limit_seconds": 60.0}
    geometry["simulation"]["steps_per_second"] = 20_000
    new = new_tower_to_proto(model="rigid", seed=1, match_index=0, contents={}, parameters=geometry)
    cubes = cubes_to_proto("cubes", {"blue": 9, "red": 9, "farmer": 9})
    return tower_service_pb2.FilmThrowRequest(new_tower=new, cubes=cubes, frames_per_second=1)


CALLS: dict[str, tuple[str, Callable[[], Message]]] = {
    **{
        f"RunMatches {game} {bot}": (
            "SimulationService/RunMatches",
            lambda game=game, bot=bot, setup=setup: _matches(game, bot, setup),  # type: ignore[misc]
        )
        for game, setup in (("swords", ""), ("tower", '{"court": true}'), ("battles", '{"scenario": 8}'))
        for bot in ("random", "greedy")
    },
    "Evaluate sampled swords": (
        "OddsService/Evaluate",
        lambda: _odds(_LARGEST, method=_SAMPLED, samples=10**12),
    ),
    "Evaluate sampled tower": (
        "OddsService/Evaluate",
        lambda: _odds(_CLASH, method=_SAMPLED, samples=10**12),
    ),
    "Evaluate auto tower": ("OddsService/Evaluate", lambda: _odds(_CLASH, max_error=1e-6)),
    "Evaluate sampled battles": (
        "OddsService/Evaluate",
        lambda: _odds(_STRIKE, method=_SAMPLED, samples=10**12),
    ),
    "BatchEvaluate exact swords": (
        "OddsService/BatchEvaluate",
        lambda: _batch(_LARGEST, 10_000, method=_EXACT),
    ),
    "BatchEvaluate sampled swords": (
        "OddsService/BatchEvaluate",
        lambda: _batch(_LARGEST, 100, method=_SAMPLED, samples=10**11),
    ),
    "BatchEvaluate sampled tower": (
        "OddsService/BatchEvaluate",
        lambda: _batch(_CLASH, 10_000, method=_SAMPLED, samples=4096),
    ),
    "BatchEvaluate exact battles": (
        "OddsService/BatchEvaluate",
        lambda: _batch(_STRIKE, 10_000, method=_EXACT),
    ),
    "SimulateThrows shelves": (
        "TowerService/SimulateThrows",
        lambda: _throws("shelves", sequence=False, count=10**7),
    ),
    "SimulateThrows shelves, one after the other": (
        "TowerService/SimulateThrows",
        lambda: _throws("shelves", sequence=True, count=10**7),
    ),
    "FilmThrow": ("TowerService/FilmThrow", _film),
    "SimulateThrows rigid": (
        "TowerService/SimulateThrows",
        lambda: _throws("rigid", sequence=False, count=10_000),
    ),
}
"""Calls that take long, by what they do: the method and its request."""


@dataclass(frozen=True)
class Stopped:
    """A call that was cancelled."""

    name: str
    seconds: float
    """Returns how many seconds the server continued the work."""


@contextmanager
def large_server() -> Iterator[Server]:
    """A server with limits that let all of these in."""
    with Server(port=0, limits=LIMITS) as server:
        yield server


def wait_for(condition: Callable[[], bool], seconds: float = 30.0) -> float:
    """Waits for a condition and returns the seconds that it took."""
    begun = time.perf_counter()
    while not condition():
        if time.perf_counter() - begun > seconds:
            raise TimeoutError(f"it did not come in {seconds} seconds")
        time.sleep(0.0005)
    return time.perf_counter() - begun


def stop_call(server: Server, name: str, *, after: float = 0.3, deadline: bool = False) -> Stopped:
    """Makes a long call, ends it under way, and measures until the server does nothing more for it."""
    path, build = CALLS[name]
    request = build().SerializeToString()
    with grpc.insecure_channel(server.address) as channel:
        call = channel.unary_unary(f"/sengoku.v1.{path}")
        grpc.channel_ready_future(channel).result(10)
        begun = time.perf_counter()
        answer = call.future(request, timeout=after + 0.5 if deadline else None)
        wait_for(lambda: server.calls_under_way > 0 or answer.done())
        wait_for(lambda: server.work_under_way > 0 or answer.done())
        if deadline:
            wait_for(answer.done)
        else:
            time.sleep(max(0.0, begun + after - time.perf_counter()))
            if answer.done():
                raise AssertionError(f"{name} ended by itself: {answer.code()}, {answer.details()}")
            answer.cancel()
        return Stopped(name, wait_for(lambda: server.calls_under_way == 0))


def stop_run(server: Server, game: str) -> Stopped:
    """Cancels a long run under way, and measures until the server does nothing more for it."""
    setup = {"scenario": 8} if game == "battles" else None
    with Client(server.address, timeout=30) as client:
        run = client.start_run(game, bots=["greedy"], match_count=10**7, setup=setup)
        wait_for(lambda: run.metadata().matches_done > 0)
        wait_for(lambda: server.turns_under_way > 0)
        begun = time.perf_counter()
        run.cancel()
        wait_for(lambda: server.turns_under_way == 0)
        return Stopped(f"StartRun {game} greedy", time.perf_counter() - begun)
