"""A real Ray cluster of processes on this machine, shared by all tests that need one."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray
from ray.cluster_utils import Cluster

# Heads and nodes need a while to start where other tests have all cores.
os.environ.setdefault("RAY_gcs_server_port_wait_time_s", "120")
os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")
# A node that answers late is not dead; one whose process is gone is noticed at once all the same.
os.environ.setdefault("RAY_health_check_timeout_ms", "60000")
PATCHES = Path(__file__).parent / "patches"


def tell(text: str) -> None:
    """Print a delay."""
    sys.stderr.write(f"\n  {text}\n")


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    """A head without cores and a node with one."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    made.add_node(num_cpus=1)
    yield made
    ray.shutdown()
    made.shutdown()
