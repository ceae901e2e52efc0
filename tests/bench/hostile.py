"""Hostile load: what authenticated callers notice of it, memory, cancelled calls, and how long SIGTERM takes.

`make load` runs it. Attackers and server share the cores, so the figures include what the attackers take.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc

from sengoku import Client
from sengoku.cli.measure import REFERENCE_BATTLE, Row
from sengoku.errors import SengokuError
from sengoku.server.auth import make_token

CALLERS = 4
RATE = 25.0
"""Calls a second of each caller."""
TRIALS = 10_000
MIB = 1 << 20


class _Callers:
    """Authenticated callers at a fixed rate, each with a connection of its own."""

    def __init__(self, address: str, token: str) -> None:
        self._address, self._token = address, token
        self.refused = 0
        self._clients = [self._connected() for _ in range(CALLERS)]

    def _connected(self) -> Client:
        client = Client(self._address, token=self._token, retries=0, timeout=30)
        client.exact(REFERENCE_BATTLE)
        return client

    def close(self) -> None:
        """Close the connections."""
        for client in self._clients:
            client.close()

    def seconds(self, duration: float) -> list[float]:
        """Return the latencies of all calls for some seconds, in ascending order."""
        with ThreadPoolExecutor(CALLERS) as threads:
            parts = list(threads.map(lambda client: self._call(client, duration), self._clients))
        return sorted(one for part in parts for one in part)

    def _call(self, client: Client, duration: float) -> list[float]:
        taken, end = [], time.monotonic() + duration
        while time.monotonic() < end:
            begun = time.perf_counter()
            try:
                client.exact(REFERENCE_BATTLE)
            except SengokuError:
                self.refused += 1
            taken.append(time.perf_counter() - begun)
            time.sleep(max(0.0, 1 / RATE - taken[-1]))
        return taken


def _newcomer(address: str, token: str) -> float:
    """Return the seconds until a new client has its first answer, as a program sees it: with retries."""
    begun = time.perf_counter()
    with Client(address, token=token, timeout=60) as client:
        client.exact(REFERENCE_BATTLE)
    return time.perf_counter() - begun


def attacked(seconds: float) -> list[Row]:
    """All hostile peers at once, beside authenticated callers: before, during and after by turns.

    The attackers have the address of the callers, so a new client waits behind their connections.
    """
    from support.access import write  # noqa: PLC0415 - among the tests
    from support.hostile import attacking  # noqa: PLC0415
    from support.process import serving  # noqa: PLC0415

    token, entry = make_token("nightly", "run")
    with tempfile.TemporaryDirectory() as scratch:
        tokens = write(Path(scratch) / "tokens.toml", entry)
        with serving(Path(scratch), "--token-file", str(tokens), "--log-level", "warning") as process:
            callers = _Callers(process.address, token)
            calm, loaded, offered, spent = [], [], 0, 0.0
            newcomers = []
            memory = process.rss
            for _ in range(3):  # by turns, as the machine has its moods
                calm += callers.seconds(seconds)
                begun = time.monotonic()
                with attacking(process.address, 10 * seconds) as done:
                    time.sleep(1.0)
                    with ThreadPoolExecutor(1) as threads:
                        newcomer = threads.submit(_newcomer, process.address, token)
                        loaded += callers.seconds(seconds)
                        memory = max(memory, process.rss)
                        newcomers.append(newcomer.result())
                    spent += time.monotonic() - begun
                offered += done["flood calls"]
            callers.close()
    calm, loaded = sorted(calm), sorted(loaded)
    before, during = (one[int(0.99 * len(one))] for one in (calm, loaded))
    return [
        Row("hostile peers: calls without a token", offered / spent, "calls/s"),
        Row("authenticated callers, 99 %, before", 1e3 * before, "ms"),
        Row("authenticated callers, 99 %, beside hostile peers", 1e3 * during, "ms"),
        Row("authenticated callers, 99 %, times that before", during / before, "x"),
        Row(
            "authenticated callers, median, times that before",
            loaded[len(loaded) // 2] / calm[len(calm) // 2],
            "x",
        ),
        Row("authenticated callers, refused", callers.refused, "calls"),
        Row("new client of the address of the hostile peers, first answer", max(newcomers), "s"),
        Row("memory of the server beside hostile peers", memory / MIB, "MiB"),
    ]


def memory(seconds: float) -> list[Row]:
    """The most memory that one client can make a server use, by what it does."""
    from sengoku.v1 import env_service_pb2, simulation_service_pb2  # noqa: PLC0415
    from support.frames import Raw, call, head, message  # noqa: PLC0415
    from support.hostile import ZERO_WINDOW  # noqa: PLC0415
    from support.process import Process, serving  # noqa: PLC0415
    from support.stopping import _LARGEST, _SAMPLED, _batch, _throws  # noqa: PLC0415

    def many(process: Process, method: str, data: bytes, count: int) -> Callable[[], None]:
        channel = grpc.insecure_channel(process.address)
        calls = [channel.unary_unary(method).future(data, timeout=10 * seconds) for _ in range(count)]
        del calls
        return channel.close

    def unread(process: Process, method: str, data: bytes, count: int) -> Callable[[], None]:
        raw = Raw(process.address, ZERO_WINDOW)
        block, body = head(method), message(data)
        for number in range(count):
            raw.send(call(block, body, stream=2 * number + 1))
        return raw.close

    def environments(process: Process, method: str, data: bytes, count: int) -> Callable[[], None]:
        channel = grpc.insecure_channel(process.address)
        streams = [
            channel.stream_stream(method)(_then_wait(data, seconds), timeout=10 * seconds)
            for _ in range(count)
        ]
        for stream in streams:
            with suppress(grpc.RpcError):
                next(stream)
        return channel.close

    run = simulation_service_pb2.RunMatchesRequest(
        game="swords", bots=["random"], seats=5, match_count=250_000, setup_json='{"max_rounds": 1}'
    )
    opened = env_service_pb2.StepRequest(
        open=env_service_pb2.EnvOpen(game="tower", lanes=4_096, seats=5, setup_json="{}")
    )
    batch = _batch(_LARGEST, 10_000, method=_SAMPLED, samples=4_096)
    mixes: dict[str, tuple[Callable[..., Callable[[], None]], str, Any, int]] = {
        "100 RunMatches of 250,000": (many, "SimulationService/RunMatches", run, 100),
        "100 unread SimulateThrows of a million": (
            unread, "TowerService/SimulateThrows", _throws("shelves", sequence=False, count=10**6), 100,
        ),
        "100 BatchEvaluate of 10,000 rows": (many, "OddsService/BatchEvaluate", batch, 100),
        "16 environments of 4,096 lanes": (environments, "EnvService/Step", opened, 16),
    }  # fmt: skip
    rows = []
    for name, (attack, method, request, count) in mixes.items():
        with (
            tempfile.TemporaryDirectory() as scratch,
            serving(Path(scratch), "--log-level", "warning") as process,
        ):
            end = attack(process, f"/sengoku.v1.{method}", request.SerializeToString(), count)
            most, until = 0, time.monotonic() + seconds
            while time.monotonic() < until:
                most = max(most, process.rss)
                time.sleep(0.05)
            end()
        rows.append(Row(f"memory of the server, one client: {name}", most / MIB, "MiB"))
    return rows


def _then_wait(data: bytes, seconds: float) -> Any:
    yield data
    time.sleep(seconds)


def cancelled(trials: int = TRIALS) -> list[Row]:
    """Calls of every method that are cancelled at a random moment."""
    from support.cancelling import PROMISED, cancelling  # noqa: PLC0415

    with cancelling(seed=1) as made:
        made.run(trials)
    late = made.late()
    count = sum(len(seconds) for seconds in made.seconds.values())
    name = f"cancelled, still at work after {1e3 * PROMISED:g} ms"
    rows = [Row(f"{name}: of {count} calls", 100 * sum(one[0] for one in late.values()) / count, "%")]
    for method, (some, of, longest) in sorted(late.items()):
        rows.append(
            Row(f"{name}: {method.rpartition('.')[2]}, longest {longest:.2f} s", 100 * some / of, "%")
        )
    return rows


def stopped() -> list[Row]:
    """Seconds from SIGTERM until a server has ended, beyond delay and grace, under each kind of load."""
    from server.test_stopping_under_load import DELAY, GRACE, LOADS  # noqa: PLC0415
    from support.access import write  # noqa: PLC0415
    from support.process import serving  # noqa: PLC0415

    token, entry = make_token("nightly", "admin")
    rows = []
    for name, load in LOADS.items():
        with tempfile.TemporaryDirectory() as scratch:
            tokens = write(Path(scratch) / "tokens.toml", entry)
            options = ("--token-file", str(tokens), "--drain-delay", str(DELAY), "--grace", str(GRACE))
            with serving(Path(scratch), *options) as process, load(process, token):
                begun = time.monotonic()
                os.kill(process.process.pid, signal.SIGTERM)
                process.process.wait(60)
                rows.append(
                    Row(
                        f"SIGTERM beyond delay and grace: {name}",
                        time.monotonic() - begun - DELAY - GRACE,
                        "s",
                    )
                )
    return rows


def measure(seconds: float) -> list[Row]:
    """Measure everything."""
    return attacked(seconds) + memory(2 * seconds) + cancelled() + stopped()
