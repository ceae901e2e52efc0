"""Fixtures for tests of the store."""

from pathlib import Path

import pytest


@pytest.fixture(params=["file", "memory"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "deep" / "runs.sqlite3") if request.param == "file" else ":memory:"
