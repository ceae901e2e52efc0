"""Faults of everything but workers and nodes: the driver, the server, the head, the object store.

Each test prints the delay that the fault costs (`pytest -rP`).
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
from ray.cluster_utils import Cluster
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from fleet.conftest import tell
from sengoku import Client, MatchReport, run_matches
from sengoku.client import RemoteRun
from sengoku.errors import SengokuError
from sengoku.fleet import Fleet, Options
from support.process import serving, soon

pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(300),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

RUN: dict[str, Any] = {
    "game": "tower",
    "bots": ["random"],
    "seats": 3,
    "match_count": 60_000,
    "seed": 5,
    "setup": {"max_rounds": 1},
}
_DRIVER = """
import sys
from sengoku.fleet import Fleet
with Fleet(sys.argv[1], patience=180.0) as fleet:
    fleet.run_matches(
        "tower", bots=["random"], seats=3, match_count=100_000_000, progress=lambda *_: print(flush=True)
    )
"""


@pytest.fixture(scope="module")
def whole() -> MatchReport:
    """The report of one process."""
    return run_matches(**RUN)


def kill_all(node: Any) -> None:
    """Kill all processes of a node."""
    for processes in node.all_processes.values():
        for info in processes:
            with suppress(ProcessLookupError):
                os.kill(info.process.pid, signal.SIGKILL)


def seconds_until(condition: Callable[[], object], most: float = 120.0) -> float:
    """Wait for a condition that may raise errors at first, and return the seconds that it took."""
    began = time.monotonic()

    def holds() -> bool:
        with suppress(SengokuError):
            return bool(condition())
        return False

    assert soon(holds, most)
    return time.monotonic() - began


def played(run: RemoteRun) -> int:
    """Return the matches of a run that are stored."""
    return run.metadata().matches_done


def test_a_killed_driver_leaves_its_nodes_to_the_next_one(cluster: Any, whole: MatchReport) -> None:
    command = [sys.executable, "-c", _DRIVER, cluster.address]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as driver:
        assert driver.stdout is not None
        driver.stdout.readline()  # the first range was played
        driver.kill()
    began = time.monotonic()
    with Fleet(cluster.address, options=Options(seconds=0.5), patience=180.0) as fleet:
        fleet.run_matches(**RUN | {"match_count": 10})
        tell(f"first result of the next driver after {time.monotonic() - began:.1f} s")
        assert fleet.run_matches(**RUN) == whole


def test_a_killed_server_resumes_its_run_on_the_same_cluster(
    cluster: Any, whole: MatchReport, tmp_path: Path
) -> None:
    store, options = tmp_path / "runs.sqlite3", ("--fleet", cluster.address)
    with serving(tmp_path, *options, store=store) as server, Client(server.address) as client:
        run = client.start_run(**RUN)
        seconds_until(lambda: played(run))
        server.process.kill()
        server.process.wait()
        name = run.name
    began = time.monotonic()
    with serving(tmp_path, *options, store=store) as server, Client(server.address) as client:
        run = client.run(name)
        before = played(run)
        assert 0 < before < RUN["match_count"]
        seconds_until(lambda: played(run) > before)
        tell(f"progress of the next server after {time.monotonic() - began:.1f} s")
        run.wait()
        assert run.report() == whole


@contextmanager
def head_at(port: int) -> Iterator[Cluster]:
    """A head that is reached by a port from outside, and a node with one core."""
    arguments = {"num_cpus": 0, "include_dashboard": False, "ray_client_server_port": port}
    for left in reversed(range(5)):
        try:
            made = Cluster(initialize_head=True, head_node_args=arguments)
            break
        except RuntimeError:  # Ray gives a head some seconds to start, which are few on a busy machine
            if not left:
                raise
    try:
        made.add_node(num_cpus=1)
        yield made
    finally:
        made.shutdown()


def test_a_server_outlives_the_head_and_continues_with_the_next_one(
    whole: MatchReport, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    store, options = tmp_path / "runs.sqlite3", ("--fleet", f"ray://127.0.0.1:{port}")
    with (
        head_at(port) as first,
        serving(tmp_path, *options, store=store) as server,
        Client(server.address) as client,
    ):
        run = client.start_run(**RUN)
        seconds_until(lambda: played(run))
        kill_all(first.head_node)
        for node in list(first.worker_nodes):
            kill_all(node)
        before = played(run)
        assert before < RUN["match_count"]
        with head_at(port):
            delay = seconds_until(lambda: played(run) > before + 2, 240.0)
            tell(f"progress {delay:.1f} s after the next head was there")
            run.wait()
            assert run.report() == whole


def test_a_full_object_store_changes_nothing(cluster: Any, whole: MatchReport) -> None:
    node = cluster.add_node(num_cpus=1, object_store_memory=80 << 20)
    try:
        with Fleet(cluster.address, options=Options(seconds=0.5), patience=180.0) as fleet:
            fleet.run_matches(**RUN | {"match_count": 10})

            @ray.remote(num_cpus=0)
            class Hoarder:
                """Fills the object store of its node with objects that are in use."""

                def fill(self) -> int:
                    self.kept = [ray.put(np.zeros(15 << 20, np.uint8)) for _ in range(5)]
                    self.used = [ray.get(kept) for kept in self.kept]
                    return len(self.used)

            place = NodeAffinitySchedulingStrategy(node.node_id, soft=False)
            hoarder = Hoarder.options(scheduling_strategy=place).remote()
            assert ray.get(hoarder.fill.remote(), timeout=60) == 5
            began = time.monotonic()
            assert fleet.run_matches(**RUN) == whole
            tell(f"{RUN['match_count']} matches in {time.monotonic() - began:.1f} s beside a full store")
            assert any(worker.node == node.node_id and worker.units for worker in fleet.status.workers)
            ray.kill(hoarder)
    finally:
        cluster.remove_node(node, allow_graceful=False)
