"""What `make load` measures with: both callers ask the same and are answered."""

import os
import shutil
from collections.abc import Callable

import pytest

from bench import load
from sengoku.server import Server


def check(call: Callable[..., load.Calls], server: Server) -> None:
    calls = call(server.address, callers=3, seconds=0.5)
    assert calls.per_second > 0
    assert len(calls.seconds) > 1
    assert 0 < calls.percentile(50) <= calls.percentile(99) < 60
    slowly = call(server.address, callers=1, seconds=1.0, rate=5)
    assert 1 <= len(slowly.seconds) <= 7


def test_our_own_client(server: Server) -> None:
    check(load.by_asyncio, server)


def test_ghz(server: Server) -> None:
    program = os.environ.get("GHZ") or shutil.which("ghz") or shutil.which("ghz", path=str(load.TOOLS))
    if program is None:
        pytest.skip("ghz not found; `make load` builds it where Go is")
    check(lambda address, **how: load.by_ghz(program, address, **how), server)


def test_ghz_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    load.ghz.cache_clear()
    monkeypatch.delenv("GHZ", raising=False)
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    assert load.ghz() is None
    load.ghz.cache_clear()


def test_http_is_measured_next_to_grpc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "ghz", lambda: None)
    rows = {row.work: row.figure for row in load.over_http(1.5)}
    assert {name for name in rows if "50 callers" in name} == {
        f"Evaluate over {name}, 50 callers" for name in ("gRPC", "HTTP, protobuf", "HTTP, JSON")
    }
    assert all(value > 0 for value in rows.values())
