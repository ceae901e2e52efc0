"""Requests for runs, and ways to wait for them."""

import json
import time
from collections.abc import Callable

from sengoku import run_matches
from sengoku.engine.report import MatchReport
from sengoku.server.jobs.runs import Runs, RunView
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.simulation import report_from_proto
from support.wire import Wire

PACKED, ARROW, PARQUET = pb2.ROW_FORMAT_PACKED, pb2.ROW_FORMAT_ARROW, pb2.ROW_FORMAT_PARQUET


def wish(game: str = "tower", count: int = 500, **more: object) -> pb2.RunMatchesRequest:
    options = {"bots": ["random"], "match_count": count, "seed": 11, "first_match": 7, **more}
    return pb2.RunMatchesRequest(game=game, **options)


WISHES = {
    "swords": wish("swords", 40, seats=3, setup_json='{"max_rounds": 2}', bots=["greedy", "random"]),
    "tower": wish("tower", 200, seats=4, setup_json='{"court": true}'),
    "battles": wish("battles", 60, setup_json='{"scenario": 8}', first_match=(1 << 64) - 60),
}


ENDLESS = wish(count=100_000_000)


def in_process(request: pb2.RunMatchesRequest) -> MatchReport:
    return run_matches(
        request.game,
        bots=list(request.bots),
        seats=request.seats if request.HasField("seats") else None,
        match_count=request.match_count,
        first_match=request.first_match,
        seed=request.seed,
        setup=json.loads(request.setup_json or "{}"),
    )


def packed_report(wire: Wire, name: str, request: pb2.RunMatchesRequest, **span: int) -> MatchReport:
    parts = [part.packed for part in wire.read(name, PACKED, **span)]
    place = parts[0].first_match
    for part in parts:
        assert part.first_match == place
        place += part.match_count
    asked = pb2.RunMatchesRequest()
    asked.CopyFrom(request)
    asked.first_match = parts[0].first_match
    asked.setup_json = request.setup_json or "{}"
    return report_from_proto(asked, [part.rows for part in parts], [part.match_count for part in parts])


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, "it takes too long"
        time.sleep(0.005)


def finished(runs: Runs, name: str) -> RunView:
    until(lambda: runs.get(name, None).over)
    return runs.get(name, None)


ASKING: list[Callable[[Wire, str], object]] = [
    Wire.get,
    Wire.wait,
    lambda wire, name: list(wire.watch(name)),
    lambda wire, name: list(wire.read(name)),
]
