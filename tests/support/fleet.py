"""A fleet whose workers are threads of this process: everything of a real one but Ray."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from sengoku.fleet import Fleet, Options
from sengoku.fleet.driver import Driver
from sengoku.fleet.events import Answered, Draining, Heard, Joined, Left
from sengoku.fleet.identity import Identity, own_identity
from sengoku.fleet.work import Work, digest_of
from sengoku.fleet.worker import Answer, Worker

__all__ = ["ThreadPool", "thread_fleet"]


class ThreadPort:
    """A worker in a thread."""

    def __init__(self, pool: ThreadPool, name: str, *, wrong: Callable[[int], bool]) -> None:
        self.pool, self.name, self.node, self.threads = pool, name, f"node of {name}", 1
        self.alive = True
        self._wrong = wrong
        self._worker = Worker(1)
        self._queue: queue.SimpleQueue[tuple[int, Work] | None] = queue.SimpleQueue()
        self._played = 0
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def play(self, number: int, work: Work) -> None:
        """Have a range played."""
        self._queue.put((number, work))

    def cancel(self, numbers: list[int]) -> None:
        """Stop ranges."""
        self._worker.cancel(numbers)

    def end(self) -> None:
        """End the thread after its range."""
        self.alive = False
        self._queue.put(None)

    def _run(self) -> None:
        while (asked := self._queue.get()) is not None and self.alive:
            number, work = asked
            answer = self._worker.play(number, work)
            self._played += 1
            if self._wrong(self._played) and answer.error is None:
                answer = _spoilt(work, answer)
            if self.alive:
                self.pool.post(Answered(number, answer))


def _spoilt(work: Work, answer: Answer) -> Answer:
    """Return an answer with one decision too many."""
    decisions = answer.value.decisions.copy()
    decisions[0] += np.uint32(1)
    value = replace(answer.value, decisions=decisions)
    return replace(answer, value=value, digest=digest_of(work.columns(value)))


class ThreadPool:
    """Workers in threads, which can be added and removed."""

    situation, pending = "no thread", 0

    def __init__(
        self, names: tuple[str, ...], identity: Identity, wrong: dict[str, Callable[[int], bool]]
    ) -> None:
        self._names, self._identity, self._wrong = names, identity, wrong
        self.ports: dict[str, ThreadPort] = {}
        self.requested: list[int] = []
        self._driver: Driver | None = None
        self._closed = threading.Event()

    def open(self, driver: Driver) -> None:
        """Start the workers."""
        self._driver = driver
        for name in self._names:
            self.add(name)
        threading.Thread(target=self._beat, daemon=True).start()

    def _beat(self) -> None:
        while not self._closed.wait(0.2):
            for name in list(self.ports):
                self.post(Heard(name))

    def post(self, event: Any) -> None:
        """Pass an event on."""
        if self._driver is not None:
            self._driver.post(event)

    def add(self, name: str) -> None:
        """Add a worker."""
        self.ports[name] = ThreadPort(self, name, wrong=self._wrong.get(name, lambda _: False))
        self.post(Joined(self.ports[name], self._identity))

    def remove(self, name: str) -> None:
        """End a worker as if it had been killed."""
        self.ports.pop(name).end()
        self.post(Left(name, "killed"))

    def drain(self, name: str) -> None:
        """Announce that the node of a worker goes away."""
        self.post(Draining(name))

    def wake(self) -> None:
        """Nothing: the workers are always there."""

    def rest(self) -> None:
        """Nothing: the workers are always there."""

    def request(self, cores: int) -> None:
        """Note how many cores are wanted."""
        self.requested.append(cores)

    def discard(self, name: str, _node: str) -> None:
        """End a worker that is not trusted."""
        self.ports.pop(name).end()

    def close(self) -> None:
        """End all workers."""
        self._closed.set()
        for port in self.ports.values():
            port.end()


def thread_fleet(
    *names: str,
    wrong: dict[str, Callable[[int], bool]] | None = None,
    patience: float = 20.0,
    **options: float,
) -> tuple[Fleet, ThreadPool]:
    """Return a fleet with workers of these names, and its pool; `wrong` says which answers are wrong."""
    pool = ThreadPool(names, own_identity(), wrong or {})
    made: Any = Options(**{"seconds": 0.2, "late_seconds": 30.0, "silent_seconds": 30.0, **options})
    return Fleet("threads", pool=pool, options=made, patience=patience), pool


def soon(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait for a condition."""
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, "too late"
        time.sleep(0.02)
