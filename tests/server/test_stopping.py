"""Calls that end early, by their deadline or the client's wish, end the work."""

import pytest

from sengoku.server import Server
from support.stopping import CALLS, large_server, stop_call, stop_run


@pytest.fixture(scope="module")
def large() -> Server:
    with large_server() as server:
        yield server


@pytest.mark.parametrize("name", CALLS)
def test_a_cancelled_call_ends_its_work(large: Server, name: str) -> None:
    stopped = stop_call(large, name)
    # It takes some milliseconds (`make bench` says how many); a machine that has much else to do may be slow.
    assert stopped.seconds < 3
    assert large.work_under_way == 0


@pytest.mark.parametrize("name", ["RunMatches battles greedy", "Evaluate sampled tower"])
def test_a_deadline_ends_the_work(large: Server, name: str) -> None:
    assert stop_call(large, name, deadline=True).seconds < 3


@pytest.mark.parametrize("game", ["swords", "tower", "battles"])
def test_a_cancelled_run_ends_its_work(large: Server, game: str) -> None:
    assert stop_run(large, game).seconds < 3
