"""Calls of every method that are cancelled at a random moment, and how long a server goes on with them."""

import random
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import grpc

from fuzz import corpus
from fuzz.messages import Messages, harvest
from sengoku.server import Server
from support.stopping import CALLS, large_server

LATEST = 0.03
"""Seconds after its start at which a call is cancelled, at most; most have work under way until then."""
PROMISED = 0.1
"""Seconds in which the work of a cancelled call ends."""


def _long(method: str) -> list[bytes]:
    """Requests of this method that take long."""
    return [build().SerializeToString() for path, build in CALLS.values() if method.endswith(f".{path}")]


class Cancelling:
    """Trials against a server that does nothing else."""

    def __init__(self, server: Server, seed: int) -> None:
        self._server = server
        self._draw = random.Random(seed)
        self._live: dict[str, list[Any]] = {}
        self._messages = Messages(self._draw, self._live)
        self._methods = sorted(method for method in corpus.methods() if method in corpus.seeds())
        self._long = {method: _long(method) for method in self._methods}
        self.seconds: dict[str, list[float]] = defaultdict(list)
        """Seconds from the cancellation until nothing was under way, by method."""

    def idle(self) -> bool:
        """Whether no call is under way and no function runs in a thread."""
        return self._server._dispatch.idle and self._server.work_under_way == 0

    def run(self, trials: int) -> None:
        """Make trials, the methods by turns."""
        with grpc.insecure_channel(self._server.address) as channel:
            grpc.channel_ready_future(channel).result(30)
            for number in range(trials):
                self._trial(channel, self._methods[number % len(self._methods)])

    def _trial(self, channel: grpc.Channel, method: str) -> None:
        draw, described = self._draw, corpus.methods()[method]
        if self._long[method] and draw.random() < 0.8:
            requests = [draw.choice(self._long[method])]
        else:
            requests = self._messages.live(method)
        path, wait = method, draw.uniform(0, LATEST)
        if described.server_streaming or described.client_streaming:
            call: Any = channel.stream_stream(path)(iter(requests), timeout=60)
            time.sleep(wait)
        else:
            call = channel.unary_unary(path).future(requests[0], timeout=60)
            time.sleep(wait)
            if call.done() and call.exception() is None:
                harvest(corpus.response_class(method).FromString(call.result()), self._live)
        cancelled = time.perf_counter()
        call.cancel()
        while not self.idle() and time.perf_counter() < cancelled + 60:
            time.sleep(0.0005)
        self.seconds[method].append(time.perf_counter() - cancelled)
        if described.server_streaming or described.client_streaming:
            with suppress(grpc.RpcError):
                list(call)
        self._tidy()

    def _tidy(self) -> None:
        """Cancel what the trials have started."""
        for jobs in (self._server._runs, self._server._tournaments):
            for name in self._live.get("run" if jobs is self._server._runs else "tournament", ()):
                with suppress(Exception):
                    jobs.cancel(name, None)

    def late(self) -> dict[str, tuple[int, int, float]]:
        """Methods of which trials took longer than promised: how many, of how many, and the longest."""
        found = {}
        for method, seconds in self.seconds.items():
            if count := sum(1 for one in seconds if one > PROMISED):
                found[method] = (count, len(seconds), max(seconds))
        return found


@contextmanager
def cancelling(seed: int) -> Iterator[Cancelling]:
    """Trials against a server of their own, with limits that let long work in."""
    with large_server() as server:
        yield Cancelling(server, seed)
