"""One server and one browser for the tests of a file."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from sengoku.server import Server
from support.browser import running_browser


@pytest.fixture(scope="module")
def console() -> Iterator[str]:
    """The address of a console."""
    with Server(port=0, http_port=0) as server:
        assert server.http_address is not None
        yield server.http_address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_browser() as running:
        yield running
