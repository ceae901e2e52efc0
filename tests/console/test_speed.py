"""How quick the console is, and what spectators cost; on a machine that does little else."""

import pytest

from bench import console
from bench.load import processor_seconds, serving_http

pytestmark = pytest.mark.system


def test_a_new_board_follows_a_click_within_50_milliseconds() -> None:
    with serving_http() as (address, _, _):
        rows = console.clicks(address)
    assert [row for row in rows if row.figure >= 50] == []


def test_a_hundred_spectators_cost_less_than_a_tenth_of_a_core() -> None:
    with serving_http() as (address, _, pid):
        (row,) = console.spectators(address, lambda: processor_seconds(pid))
    assert row.figure < 0.1
