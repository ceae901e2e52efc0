"""The runs and tournaments of the simulations, and what an undisturbed execution of them gives."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache

from sengoku import run_matches
from sengoku.engine.report import RESULTS, MatchReport
from sengoku.storage import Store
from sengoku.tournament import FORMATS, Record, Tables, parse_spec, play
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.simulation import summary_to_proto
from sengoku.wire.tournaments import tournament_match_to_proto
from tests.simulation.scheduler import Scheduler

__all__ = ["RUNS", "TOURNAMENTS", "PlayedTournament", "check_rows", "expected_run", "expected_tournament"]


def _run(game: str, count: int, **more: object) -> pb2.RunMatchesRequest:
    return pb2.RunMatchesRequest(game=game, bots=["random"], match_count=count, **more)


RUNS = (
    _run("tower", 21, seats=3, seed=3),
    _run("swords", 19, seats=2, seed=4, first_match=7, setup_json='{"max_rounds":1}'),
    _run("tower", 5, seats=4, seed=5, first_match=(1 << 64) - 5, setup_json='{"court":true}'),
    _run("swords", 34, seats=2, seed=6, setup_json='{"max_rounds":1}'),
)
"""Requests of a millisecond or two each."""

TOURNAMENTS = (
    """
name = "pair"
seed = 5
blocks = 4
bots = [{name = "one", bot = "random"}, {name = "two", bot = "random"}]
games = [{game = "swords", seats = 2, setup = {max_rounds = 1}}]
""",
    """
name = "three"
seed = 6
blocks = 1
bots = [{name = "one", bot = "random"}, {name = "two", bot = "mix"}, {name = "three", bot = "random"}]
games = [{game = "swords", seats = 2, setup = {max_rounds = 1}}, {game = "tower", seats = 3}]
""",
)


@cache
def expected_run(number: int) -> MatchReport:
    """Play a run in one piece."""
    request = RUNS[number]
    return run_matches(
        request.game,
        bots=list(request.bots),
        seats=request.seats,
        match_count=request.match_count,
        first_match=request.first_match,
        seed=request.seed,
        setup=json.loads(request.setup_json or "{}"),
    )


@cache
def expected_summary(number: int) -> bytes:
    """Return the summary of a whole run."""
    return summary_to_proto(expected_run(number)).SerializeToString(deterministic=True)


def check_rows(number: int, rows: pb2.PackedRows) -> str | None:
    """Compare rows with those of the undisturbed run; return what differs."""
    report, request = expected_run(number), RUNS[number]
    first = rows.first_match - request.first_match
    span = slice(first, first + rows.match_count)
    for name in RESULTS:
        if getattr(rows.rows, name).content != getattr(report, name)[span].tobytes():
            return f"{name} of matches {span.start} to {span.stop} of run {number} is wrong"
    return None


@dataclass(frozen=True)
class PlayedTournament:
    """A tournament as an undisturbed execution leaves it."""

    matches: dict[str, str]
    """Result of each match, by its name."""
    messages: dict[str, bytes]
    """The same as messages."""
    reports: dict[str, str]
    """Text of each report."""


def tournament_of(record: Record) -> PlayedTournament:
    """Return the matches and reports of a tournament in a store."""
    record = replace(record, name=record.spec.name)
    tables = Tables(record.spec, record.results())
    return PlayedTournament(
        {name: match.to_json() for name, match in record.matches()},
        {
            name: tournament_match_to_proto(record.spec, name, match).SerializeToString(deterministic=True)
            for name, match in record.matches()
        },
        {form: FORMATS[form](record, tables) for form in ("md", "csv", "json")},  # pictures take long
    )


@cache
def expected_tournament(number: int) -> PlayedTournament:
    """Play a tournament in one piece, in memory."""
    with Scheduler("expected", preemption=0), Store() as store:
        return tournament_of(play(Record.create(store, parse_spec(TOURNAMENTS[number])), threads=1))


@cache
def expect() -> None:
    """Compute everything that is compared with, before the first world: it takes real and virtual time."""
    with Scheduler("expected", preemption=0):
        for number in range(len(RUNS)):
            expected_summary(number)
    for number in range(len(TOURNAMENTS)):
        expected_tournament(number)
