"""Fleets on a real Ray cluster: the same bytes as one process, whatever happens to the workers."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from ray._raylet import GcsClient
from ray.core.generated import autoscaler_pb2

from fleet.conftest import PATCHES, tell
from sengoku import Cancel, MatchReport, run_matches, run_scenarios, swords
from sengoku.errors import ArgumentError, CancelledError, SengokuError
from sengoku.fleet import Fleet, Options, WorkerStatus
from sengoku.storage import Store
from sengoku.tournament import Record, parse_spec, play

pytestmark = [
    pytest.mark.timeout(240),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

RUN: dict[str, Any] = {
    "game": "tower",
    "bots": ["random"],
    "seats": 3,
    "match_count": 200,
    "seed": 5,
    "setup": {"max_rounds": 1},
}
"""A run of some seconds: `whole` sets the number of matches."""
_SECONDS = 3.0
TOURNAMENT = """
name = "cup"
seed = 3
blocks = 4
bots = [{name = "greedy"}, {name = "half", bot = "mix"}, {name = "random"}]
[[games]]
game = "battles"
setup = {scenario = 1}
"""


@pytest.fixture(scope="module")
def fleet(cluster: Any) -> Iterator[Fleet]:
    with Fleet(cluster.address, options=Options(seconds=0.5), patience=180.0) as made:
        yield made


@pytest.fixture(scope="session")
def whole() -> MatchReport:
    """The report of one process, of as many matches as it plays in some seconds."""
    run_matches(**RUN)
    began = time.monotonic()
    run_matches(**RUN)
    RUN["match_count"] = min(60_000, int(200 * _SECONDS / (time.monotonic() - began)))
    return run_matches(**RUN)


@contextmanager
def another(cluster: Any, patch: str = "") -> Iterator[Any]:
    """A second node, which is removed afterwards if it is still there."""
    env = {"PYTHONPATH": str(PATCHES / patch)} if patch else None
    node = cluster.add_node(num_cpus=1, env_vars=env)
    try:
        yield node
    finally:
        if node in cluster.worker_nodes:
            cluster.remove_node(node, allow_graceful=False)


def worker_on(fleet: Fleet, node: Any, state: str = "ready") -> WorkerStatus:
    """Wait for the worker of a node, and return its status."""
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        for worker in fleet.status.workers:
            if node.node_id in worker.node and worker.state == state:
                return worker
        time.sleep(0.05)
    raise AssertionError(f"no {state} worker on {node.node_id}: {fleet.status}")


class Fault:
    """Progress that does something once, and measures how long no matches arrive after that."""

    def __init__(self, condition: Callable[[int], bool], what: Callable[[], object]) -> None:
        self._condition, self._what = condition, what
        self._last: float | None = None
        self.delay = 0.0

    def __call__(self, done: int, _total: int) -> None:
        """Take the number of matches played."""
        now = time.monotonic()
        if self._last is not None:
            self.delay = max(self.delay, now - self._last)
            self._last = now
        elif self._condition(done):
            self._what()
            self._last = time.monotonic()

    def tell(self, what: str) -> None:
        """Print the delay."""
        assert self._last is not None
        tell(f"{what}: at most {self.delay:.1f} s without matches")


def third(done: int) -> bool:
    return done > RUN["match_count"] // 3


def join(fleet: Fleet, node: Any) -> WorkerStatus:
    """Let the worker of a node join, with a little work."""
    task = fleet.submit(fleet.match_works(**RUN | {"match_count": 10}))
    task.wait()
    return worker_on(fleet, node)


def test_reports_are_those_of_one_process(fleet: Fleet, whole: MatchReport) -> None:
    told: list[tuple[int, int]] = []
    assert fleet.run_matches(**RUN, progress=lambda *now: told.append(now)) == whole
    assert told[-1] == (len(whole), len(whole))
    assert fleet.status.workers[0].build.startswith("0.")


@pytest.mark.system
def test_surveys_odds_and_tournaments_too(fleet: Fleet) -> None:
    options: dict[str, Any] = {"bots": ["random"], "match_count": 1, "seed": 2}
    here, there = run_scenarios("battles", **options), fleet.run_scenarios("battles", **options)
    assert here.reports == there.reports
    assert here.scenarios == there.scenarios
    asked = [swords.Battle(swords.Force(spear=1 + n % 5), swords.Force(spear=1 + n % 3)) for n in range(300)]
    for how in ({"method": "exact"}, {"method": "sampled", "samples": 1000, "seed": 4}, {}):
        assert fleet.batch_odds(asked, **how) == swords.batch_odds(asked, **how)
    with Store(":memory:") as store:
        spec = parse_spec(TOURNAMENT)
        mine = play(Record.create(store, spec, name="here"))
        theirs = fleet.tournament(Record.create(store, spec, name="there"))
        assert [match for _, match in mine.matches()] == [match for _, match in theirs.matches()]
        assert mine.count() == theirs.count() > 0


def test_a_killed_worker_is_replaced(fleet: Fleet, whole: MatchReport) -> None:
    fleet.run_matches(**RUN | {"match_count": 10})
    time.sleep(0.5)
    worker = next(worker for worker in fleet.status.workers if worker.state == "ready")
    killed = Fault(third, lambda: os.kill(worker.process, signal.SIGKILL))
    assert fleet.run_matches(**RUN, progress=killed) == whole
    assert fleet.status.reassigned > 0
    killed.tell("a killed worker")


@pytest.mark.system
def test_a_killed_node_costs_little(fleet: Fleet, cluster: Any, whole: MatchReport) -> None:
    with another(cluster) as node:
        join(fleet, node)

        def kill() -> None:
            for process in (*node.all_processes.values(),):
                for info in process:
                    os.kill(info.process.pid, signal.SIGKILL)

        killed = Fault(third, kill)
        assert fleet.run_matches(**RUN, progress=killed) == whole
        killed.tell("a killed node")
        cluster.worker_nodes.discard(node)


@pytest.mark.system
def test_a_node_that_is_stopped_and_resumed(fleet: Fleet, cluster: Any, whole: MatchReport) -> None:
    with another(cluster) as node:
        worker = join(fleet, node)
        raylet = node.all_processes["raylet"][0].process.pid

        def stop(number: int) -> None:
            for process in (worker.process, raylet):
                os.kill(process, number)

        stopped = Fault(third, lambda: stop(signal.SIGSTOP))
        try:
            assert fleet.run_matches(**RUN, progress=stopped) == whole
            stopped.tell("a stopped node")
        finally:
            stop(signal.SIGCONT)
        assert fleet.run_matches(**RUN) == whole


@pytest.mark.system
def test_a_worker_with_wrong_answers_is_expelled_and_named(
    fleet: Fleet, cluster: Any, whole: MatchReport
) -> None:
    with another(cluster, "wrong") as node:
        ends = time.monotonic() + 60
        while not any(worker.state == "expelled" for worker in fleet.status.workers):
            assert time.monotonic() < ends
            assert fleet.run_matches(**RUN) == whole
        expelled = next(worker for worker in fleet.status.workers if worker.state == "expelled")
        assert expelled.node == node.node_id
        assert "disagrees" in expelled.why
        assert fleet.run_matches(**RUN) == whole


@pytest.mark.system
def test_a_different_build_is_refused_and_named(
    fleet: Fleet, cluster: Any, whole: MatchReport, caplog: pytest.LogCaptureFixture
) -> None:
    with another(cluster, "other_build") as node:
        ends = time.monotonic() + 60
        while not any(worker.state == "refused" for worker in fleet.status.workers):
            assert time.monotonic() < ends
            assert fleet.run_matches(**RUN) == whole
        refused = next(worker for worker in fleet.status.workers if worker.state == "refused")
        assert node.node_id[:8] in refused.node
        assert "has version 9.9.9, this process has 0." in refused.why
        assert "install the same build" in caplog.text


@pytest.mark.system
def test_a_node_that_joins_late_takes_part(fleet: Fleet, cluster: Any, whole: MatchReport) -> None:
    task = fleet.submit(fleet.match_works(**RUN | {"match_count": 10_000_000}))
    with another(cluster) as node:
        try:
            ends = time.monotonic() + 60
            while worker_on(fleet, node).units == 0:
                assert time.monotonic() < ends
        finally:
            fleet.stop(task)
        assert fleet.run_matches(**RUN) == whole


@pytest.mark.system
def test_a_draining_node_gets_no_new_ranges(fleet: Fleet, cluster: Any, whole: MatchReport) -> None:
    with another(cluster) as node:
        join(fleet, node)
        task = fleet.submit(fleet.match_works(**RUN | {"match_count": 10_000_000}))
        client = GcsClient(address=cluster.address)
        reason = autoscaler_pb2.DrainNodeReason.Value("DRAIN_NODE_REASON_PREEMPTION")
        accepted, why = client.drain_node(node.node_id, reason, "spot", int(1e3 * time.time()) + 60_000)
        assert accepted, why
        worker_on(fleet, node, "draining")
        ends = time.monotonic() + 60
        while worker_on(fleet, node, "draining").ranges_in_flight:
            assert time.monotonic() < ends
        fleet.stop(task)
        assert fleet.run_matches(**RUN) == whole


@pytest.mark.system
def test_a_cancelled_run_stops_its_workers(fleet: Fleet, whole: MatchReport) -> None:
    cancel = Cancel()
    with pytest.raises(CancelledError):
        fleet.run_matches(**RUN, cancel=cancel, progress=Fault(lambda done: done > 0, cancel.cancel))
    began = time.monotonic()
    assert fleet.run_matches(**RUN | {"match_count": 100}) == run_matches(**RUN | {"match_count": 100})
    assert time.monotonic() - began < 10
    assert fleet.run_matches(**RUN) == whole


def test_errors_of_requests_are_those_of_one_process(fleet: Fleet) -> None:
    for wrong in ({"bots": ["nobody"]}, {"seats": 9}, {"match_count": 0}, {"setup": {"court": 7}}):
        with pytest.raises(SengokuError) as there:
            fleet.run_matches(**RUN | wrong)
        with pytest.raises(SengokuError) as here:
            run_matches(**RUN | wrong)
        assert (type(there.value), str(there.value)) == (type(here.value), str(here.value))
    with pytest.raises(ArgumentError, match="a fleet requires 0: each worker uses all cores"):
        fleet.run_matches(**RUN, threads=2)
