"""What calls are told while a server stops, and that it stops with all of its threads busy."""

import asyncio
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import grpc
import pytest
from grpc import aio
from grpc_status import rpc_status

from sengoku.server import Limits, Server
from sengoku.v1 import odds_service_pb2
from sengoku.wire.odds import odds_kind
from support.process import serving, soon
from support.questions import BATTLE

METHOD = "/sengoku.v1.OddsService/Evaluate"


def small() -> bytes:
    """A request that is answered at once."""
    kind = odds_kind(BATTLE)
    return odds_service_pb2.EvaluateRequest(**{kind.one: kind.to_proto(BATTLE)}).SerializeToString()


def long() -> bytes:
    """A request that is not answered in time."""
    kind = odds_kind(BATTLE)
    options = odds_service_pb2.OddsOptions(
        method=odds_service_pb2.ODDS_METHOD_SAMPLED, samples=10_000_000_000
    )
    return odds_service_pb2.EvaluateRequest(
        **{kind.one: kind.to_proto(BATTLE)}, options=options
    ).SerializeToString()


class Callers:
    """Callers that make one small call after the other until the server is gone, each end counted."""

    def __init__(self, address: str, callers: int, connections: int) -> None:
        self.ends: Counter[str] = Counter()
        self._stopped = threading.Event()
        work = self._all(address, callers, connections)
        self._thread = threading.Thread(target=lambda: asyncio.run(work))
        self._thread.start()

    async def _all(self, address: str, callers: int, connections: int) -> None:
        options = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0)]
        channels = [aio.insecure_channel(address, options) for _ in range(connections)]
        data = small()

        async def again(channel: aio.Channel) -> None:
            call = channel.unary_unary(METHOD)
            while not self._stopped.is_set():
                try:
                    await call(data, timeout=30)
                except aio.AioRpcError as error:
                    self.ends[f"{error.code().name} {_reason(error)}"] += 1
                    if error.code() is grpc.StatusCode.UNAVAILABLE:
                        await asyncio.sleep(0.002)
                else:
                    self.ends["OK"] += 1

        await asyncio.gather(*(again(channels[number % connections]) for number in range(callers)))
        await asyncio.gather(*(channel.close() for channel in channels))

    def close(self) -> None:
        """End all callers."""
        self._stopped.set()
        self._thread.join()


def _reason(error: aio.AioRpcError) -> str:
    status = rpc_status.from_call(error)  # type: ignore[arg-type]
    return "" if status is None else status.message


@pytest.mark.parametrize(
    ("callers", "connections"), [(64, 8), pytest.param(400, 40, marks=pytest.mark.system)]
)
def test_no_small_call_is_cancelled(tmp_path: Path, callers: int, connections: int) -> None:
    """Every call at SIGTERM is answered or told UNAVAILABLE, most of them with a reason."""
    options = ("--max-client-calls", "1000", "--max-calls", "1000", "--grace", "5")
    with serving(tmp_path, *options) as process:
        asking = Callers(process.address, callers, connections)
        assert soon(lambda: asking.ends["OK"] > 1_000)
        process.process.send_signal(signal.SIGTERM)
        assert process.process.wait(30) == 0
        asking.close()
    failed = {end: count for end, count in asking.ends.items() if end != "OK"}
    assert asking.ends["OK"] > 1_000
    assert all(end.startswith("UNAVAILABLE") for end in failed), failed
    assert failed["UNAVAILABLE the server is shutting down"] > 0


def test_calls_at_the_end_of_the_grace_are_told(tmp_path: Path) -> None:
    with serving(tmp_path, "--grace", "1") as process, grpc.insecure_channel(process.address) as channel:
        call = channel.unary_unary(METHOD)
        calls = [call.future(long(), timeout=60) for _ in range(6)]
        assert soon(lambda: process.under_way() >= 6)
        begun = time.monotonic()
        process.process.send_signal(signal.SIGTERM)
        ends = {(one.code().name, one.details()) for one in calls}
        assert ends == {("UNAVAILABLE", "the server is shutting down")}
        assert process.process.wait(30) == 0
        assert time.monotonic() - begun < 1 + 5


def test_a_server_stops_with_all_threads_busy() -> None:
    """The threads of asyncio, of reads and of work are taken by functions that do not end."""
    server, free = Server(port=0, limits=Limits(calls=4)), threading.Event()

    async def occupy() -> None:
        loop = asyncio.get_running_loop()
        for pool, count in ((None, 40), (server._executor._readers, 20), (server._executor._threads, 8)):
            for _ in range(count):
                loop.run_in_executor(pool, free.wait, 60)

    try:
        server._do(occupy())
        begun = time.monotonic()
        assert server.stop(grace=0.5).wait(20)
        assert time.monotonic() - begun < 0.5 + 5
    finally:
        free.set()


STUCK = """
import asyncio, threading, time
from sengoku.server import Server, serve

server = Server(port=0)

def ready() -> None:
    if {blocked}:
        server._loop.call_soon_threadsafe(time.sleep, 3600)  # the event loop itself
    else:
        for _ in range(40):  # threads that the interpreter would wait for
            asyncio.run_coroutine_threadsafe(asyncio.to_thread(time.sleep, 3600), server._loop)
    print("ready", flush=True)

serve(server, grace=0.2, ready=ready)
"""


@pytest.mark.parametrize("blocked", [False, True])
def test_a_process_ends_whatever_is_stuck_in_it(blocked: bool) -> None:
    command = [sys.executable, "-c", STUCK.format(blocked=blocked)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 1
        assert time.monotonic() - begun < 0.2 + 5 + 1  # one second for the end of the process itself
        assert "work under way that has not stopped" in process.stderr.read()
