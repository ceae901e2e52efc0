"""Shared fixtures: a loopback server, hypothesis profiles, and the ledger coverage at the end of a run."""

import os
import signal
import tempfile
from collections.abc import Iterator

import hypothesis
import pytest
from hypothesis.configuration import set_hypothesis_home_dir

from ledger.coverage import summary
from sengoku import Client
from sengoku.server import Server

# What runs in the background of a shell ignores this signal, and so would programs that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
set_hypothesis_home_dir(tempfile.mkdtemp(prefix="hypothesis-"))  # tests write nothing into the repository
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="sengoku-state-")  # nor where the user's servers write
hypothesis.settings.register_profile("fast", max_examples=100, deadline=None, derandomize=True, database=None)
hypothesis.settings.register_profile("thorough", max_examples=5_000, deadline=None, database=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with Server(port=0) as running:
        yield running


@pytest.fixture(scope="session")
def client(server: Server) -> Iterator[Client]:
    with Client(server.address, timeout=60) as connected:
        yield connected


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints which rules are cited by tests, area by area."""
    terminalreporter.section("rule ledgers: ids cited by tests")
    for line in summary():
        terminalreporter.write_line(line)
