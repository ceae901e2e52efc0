"""SIGTERM ends a server within its delay, its grace and five seconds, whatever its peers do."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import grpc
import pytest

from sengoku import Client
from sengoku.server.auth import make_token
from support.access import write
from support.hostile import KINDS, attacking
from support.process import Process, serving, soon
from support.stopping import CALLS

DELAY, GRACE = 1.0, 2.0
PROMISED = DELAY + GRACE + 5.0

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the /proc of Linux")


@contextmanager
def hostile(process: Process, _token: str, *kinds: str) -> Iterator[None]:
    with attacking(process.address, 20, *kinds):
        time.sleep(1.5)
        yield


@contextmanager
def long_calls(process: Process, token: str) -> Iterator[None]:
    """More calls than may run at once, none of which ends by itself."""
    path, build = CALLS["RunMatches swords greedy"]
    request = build()
    request.match_count = 900_000
    with grpc.insecure_channel(process.address) as channel:
        call = channel.unary_unary(f"/sengoku.v1.{path}")
        metadata = (("authorization", f"Bearer {token}"),)
        data = request.SerializeToString()
        calls = [call.future(data, timeout=120, metadata=metadata) for _ in range(36)]
        assert soon(lambda: process.under_way() >= 36)
        yield
        for one in calls:
            one.cancel()


@contextmanager
def jobs_and_watchers(process: Process, token: str) -> Iterator[None]:
    """A run that is watched, and streams that wait for ever."""
    with Client(process.address, token=token, retries=0) as client, ExitStack() as stack:
        run = client.start_run("swords", bots=["greedy"], seats=4, match_count=10_000_000, seed=7)
        assert soon(lambda: run.metadata().matches_done > 0)
        for _ in range(20):
            channel = stack.enter_context(
                grpc.insecure_channel(process.address, [("grpc.use_local_subchannel_pool", 1)])
            )
            next(iter(channel.unary_stream("/grpc.health.v1.Health/Watch")(b"")))
        yield


LOADS: dict[str, Callable[[Process, str], object]] = {
    **{kind: lambda process, token, kind=kind: hostile(process, token, kind) for kind in KINDS},
    "all hostile peers": hostile,
    "long calls": long_calls,
    "jobs and watchers": jobs_and_watchers,
}
QUICK = {"all hostile peers", "jobs and watchers"}


@pytest.mark.parametrize(
    "load", [name if name in QUICK else pytest.param(name, marks=pytest.mark.system) for name in LOADS]
)
def test_sigterm_ends_a_server(tmp_path: Path, load: str) -> None:
    token, entry = make_token("nightly", "admin")
    tokens = write(tmp_path / "tokens.toml", entry)
    options = ("--token-file", str(tokens), "--drain-delay", str(DELAY), "--grace", str(GRACE))
    with serving(tmp_path, *options) as process, LOADS[load](process, token):  # type: ignore[attr-defined]
        begun = time.monotonic()
        process.process.send_signal(signal.SIGTERM)
        process.process.wait(60)
        assert time.monotonic() - begun < PROMISED
        assert process.process.returncode == 0
        assert not process.faults()
