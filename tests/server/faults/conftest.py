"""A server in a process of its own, which every fault test leaves as it was."""

import resource
from collections.abc import Iterator

import pytest

from support.process import Process, serving


@pytest.fixture(scope="module")
def connections() -> int:
    """The number of connections to open, at most 1,000: each is an open file here and in the server."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4_096 if hard == resource.RLIM_INFINITY else min(4_096, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return min(1_000, max(soft, wanted) - 256)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, connections: int) -> Iterator[Process]:
    """One server for all tests of a module; each must leave it as it was."""
    assert connections
    with serving(tmp_path_factory.mktemp("faults")) as process:
        process.check()
        yield process
