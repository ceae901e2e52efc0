"""Fixtures for tests of services."""

from collections.abc import Iterator

import pytest

from sengoku.server import Server
from support.tournaments import (
    MIDDLE,
    TEXT,
    Whole,
)


@pytest.fixture
def alone() -> Iterator[Server]:
    """A server that no other test has players on."""
    with Server(port=0) as server:
        yield server


@pytest.fixture(scope="module")
def whole() -> Whole:
    return Whole(TEXT)


@pytest.fixture(scope="module")
def middle() -> Whole:
    return Whole(MIDDLE)
