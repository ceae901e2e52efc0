"""Every change of the disk is a crash point: stop at change N, start again, finish, compare the result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from google.longrunning import operations_pb2

from sengoku.errors import SengokuError
from sengoku.tournament import Record
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.v1 import tournament_service_pb2 as pb3
from tests.simulation.disk import Crash
from tests.simulation.scheduler import Deadlock, Stuck
from tests.simulation.server import Severed
from tests.simulation.work import RUNS, TOURNAMENTS, tournament_of
from tests.simulation.world import Violation, World, world

__all__ = ["CRASHES", "Point", "Result", "points", "problem_at", "undisturbed"]

CRASHES = {
    "the process is killed": Crash(1.0),
    "all unsynced writes are lost": Crash(0.0),
    "some unsynced writes are lost, others not": Crash(0.5),
    "the same, with garbage in new sectors": Crash(0.5, garbage=True),
}
"""How the machine stops."""
_PATIENCE = 600.0


@dataclass(frozen=True)
class Result:
    """What clients and readers of the store see in the end."""

    responses: tuple[bytes, ...]
    rows: tuple[Any, ...]


@dataclass(frozen=True)
class Point:
    """A crash point: change number `at` of the disk is not carried out any more, or only in part."""

    work: str
    """`run` or `tournament`."""
    number: int
    at: int
    crash: str
    """A key of `CRASHES`."""
    torn: float = 1.0

    def __str__(self) -> str:
        return f"{self.work} {self.number}, change {self.at}, {self.crash}, torn {self.torn:g}"


def undisturbed(work: str, number: int) -> tuple[Result, int]:
    """Do the work without a crash; return the result and the number of changes of the disk."""
    result, changes, _ = _execute(work, number, None)
    return result, changes


def points(work: str, number: int, *, thorough: bool) -> Iterator[Point]:
    """Yield every crash point of some work; if not `thorough`, each with one kind of crash in turn."""
    changes = undisturbed(work, number)[1]
    for at in range(1, changes + 1):
        for place, crash in enumerate(CRASHES):
            if thorough:
                yield from (Point(work, number, at, crash, torn) for torn in (1.0, 0.5))
            elif place == at % len(CRASHES):
                yield Point(work, number, at, crash, 0.5 if at % 3 else 1.0)


def problem_at(point: Point) -> str:
    """Crash at a point, start again and finish the work; return what differs from an undisturbed end."""
    expected = _undisturbed(point.work, point.number)
    try:
        result, _, starts = _execute(point.work, point.number, point)
    except (Violation, Deadlock, Stuck, SengokuError, TimeoutError) as error:
        return f"{type(error).__name__}: {error}"
    if starts < 2:
        return "the machine did not stop"
    if result.responses != expected.responses:
        return "clients get other bytes"
    return "" if result.rows == expected.rows else "the store has other rows"


@cache
def _undisturbed(work: str, number: int) -> Result:
    return undisturbed(work, number)[0]


def _execute(work: str, number: int, point: Point | None) -> tuple[Result, int, int]:
    """Do the work, with at most one crash; also return the changes of the disk and the servers started."""
    with world(f"{work} {number} {point}") as made:
        crash = Crash(1.0)
        if point is not None:
            made.disk.stop_at, made.disk.torn, crash = point.at, point.torn, CRASHES[point.crash]
        made.disk.on_stop = lambda: made.scheduler.urge(made.scheduler.root)
        made.scheduler.latest = made.scheduler.now + 10 * _PATIENCE
        made.next_crash = crash
        act = _run if work == "run" else _tournament
        while True:
            if made.disk.dead:
                made.crash()
            if made.server is None or not made.server.serving:
                made.power_on()
            try:
                responses = act(made, number)
            except Severed:
                if not made.disk.dead:
                    raise
                continue
            made.shut_down()
            if not made.disk.dead:
                break
        changes = made.disk.operations
        with made.open_store() as store:
            return Result(responses, _stored(store)), changes, made.starts


def _ask(made: World, method: str, request: Any, kind: type[Any]) -> Any:
    """Call a method and return its only response."""
    return kind.FromString(b"".join(_stream(made, method, request)))


def _stream(made: World, method: str, request: Any) -> Iterator[bytes]:
    """Call a method from the thread of the world, which notices that the machine stops."""
    assert made.server is not None
    answer = made.server.call(method, request, "client")
    ends = made.scheduler.now + _PATIENCE
    while True:
        if made.disk.dead:
            raise Severed
        try:
            data = answer.take(min(ends, made.scheduler.now + 1))
        except TimeoutError:
            if made.scheduler.now < ends:
                continue
            raise
        if data is None:
            return
        yield data


def _run(made: World, number: int) -> tuple[bytes, ...]:
    """Start a run, or find it again, wait for it, and read it in every format."""
    start = pb2.StartRunRequest(run=RUNS[number], request_id="once")
    name = _ask(made, "start_run", start, operations_pb2.Operation).name
    reports = list(_stream(made, "watch_run", pb2.WatchRunRequest(name=name)))
    operation = pb2.WatchRunResponse.FromString(reports[-1]).operation
    assert operation.HasField("response"), operation
    found = [operation.response.value]
    for form in (pb2.ROW_FORMAT_PACKED, pb2.ROW_FORMAT_ARROW, pb2.ROW_FORMAT_PARQUET):
        found.extend(_stream(made, "read_run", pb2.ReadRunRequest(name=name, format=form)))
    return tuple(found)


def _tournament(made: World, number: int) -> tuple[bytes, ...]:
    """Start a tournament, or find it again, wait for it, and read its matches."""
    create = pb3.CreateTournamentRequest(spec_toml=TOURNAMENTS[number], request_id="once")
    name = _ask(made, "create_tournament", create, pb3.CreateTournamentResponse).tournament.name
    for last in _stream(made, "watch_tournament", pb3.WatchTournamentRequest(name=name)):
        message = pb3.WatchTournamentResponse.FromString(last)
    assert not message.tournament.HasField("error"), message
    matches = pb3.ListTournamentMatchesRequest(name=name, page_size=100)
    return (message.standings.SerializeToString(), *_stream(made, "list_tournament_matches", matches))


def _stored(store: Any) -> tuple[Any, ...]:
    """Return what is in the store, without what depends on the clock, and on how work was cut."""
    rows: list[Any] = []
    for run in store.runs.page():
        chunks, place = [], 0
        while (chunk := store.runs.chunk_at(run.id, place)) is not None:
            assert chunk.first == place, "chunks have gaps or overlap"
            chunks.append(chunk)
            place += chunk.count
        assert place == run.done
        rows.append((run.request, run.state, run.done, run.summary, run.error))
    rows.extend(
        (row.spec, row.seeds, row.state, row.error, tournament_of(Record.open(store, row.name)))
        for row in store.tournaments.page()
    )
    return tuple(rows)
