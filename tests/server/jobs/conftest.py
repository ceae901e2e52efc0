"""Fixtures for tests of runs and tournaments."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sengoku.server import Server
from sengoku.server.fair_queue import FairQueue
from sengoku.server.jobs import job as job_module
from sengoku.server.jobs import run_playing
from sengoku.server.jobs.runs import Runs
from sengoku.server.limits import Limits
from sengoku.storage import Store
from support.wire import Wire


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of a few matches, so that every run has many."""
    monkeypatch.setattr(run_playing, "_FIRST_CHUNK", 3)
    monkeypatch.setattr(run_playing, "_LARGEST_CHUNK", 17)


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    with Server(port=0, store=tmp_path / "runs.sqlite3") as server, Wire(server.address) as calls:
        yield calls


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., Runs]]:
    """Opens runs on the same file again and again."""
    closing: list[Callable[[], None]] = []

    def close() -> None:
        while closing:
            closing.pop()()

    def make(
        *,
        begin: bool = True,
        queue: FairQueue | None = None,
        monotonic: Callable[[], int] = time.monotonic_ns,
        **limits: int,
    ) -> Runs:
        close()
        store = Store(tmp_path / "runs.sqlite3", monotonic=monotonic)
        runs = Runs(store, Limits(**limits), queue=queue)
        closing.extend([store.close, lambda: runs.stop(0)])
        if begin:
            runs.begin()
        return runs

    yield make
    close()


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module, "PAUSE_SECONDS", (0.02, 0.1))
