"""Turns are measured in time: work that takes long is paused, so that other clients have theirs."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path

import pytest

from sengoku import Cancel, Client, run_matches, tower
from sengoku.engine.requests import RunRequest
from sengoku.errors import CancelledError, QuotaError
from sengoku.server import Limits, Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.server.fair_queue import FairQueue
from sengoku.server.jobs.sliced import SlicedWork
from support.access import write
from support.process import soon

SEARCH = {"bots": ["mcts:iterations=10000"], "seats": 3, "match_count": 4, "seed": 5}
SMALL = {"bots": ["random"], "seats": 3, "match_count": 3, "setup": {"max_rounds": 2}}


class Turns:
    """A queue with a clock that stands still, and work that never ends by itself."""

    def __init__(self, slots: int, most: int) -> None:
        self.now = 0.0
        share = Limits(queued_calls=most).queue_share
        self.queue = FairQueue(slots, most, client_most=share, slice_seconds=1.0, clock=lambda: self.now)
        self.running: Counter[str] = Counter()
        self.ends: list[threading.Event] = []
        self.threads: list[threading.Thread] = []

    def add(self, client: str) -> threading.Event:
        """Add work of a client; return the event that ends it."""
        end, before = threading.Event(), self.queue.waiting + self.queue.running

        def work() -> None:
            with self.queue.thread_turn(client, Cancel()):
                self.running[client] += 1
                end.wait(30)

        self.ends.append(end)
        self.threads.append(threading.Thread(target=work))
        self.threads[-1].start()
        assert soon(lambda: self.queue.waiting + self.queue.running == before + 1)
        return end

    def slice(self) -> int:
        """Let a slice pass; return how many turns ended."""
        self.now += 1.0
        return self.queue.expire()

    def close(self) -> None:
        """End all work."""
        for end in self.ends:
            end.set()
        for thread in self.threads:
            thread.join()
        assert (self.queue.waiting, self.queue.running) == (0, 0)


@pytest.mark.parametrize("slots", [1, 2, 4])
def test_another_client_starts_within_a_slice_of_each_that_waits(slots: int) -> None:
    turns = Turns(slots, 128)
    for number in range(40):
        turns.add(f"client {number % 2}")
    turns.add("third")
    slices = 0
    while not turns.running["third"]:
        turns.slice()
        slices += 1
        assert slices <= 2
        soon(lambda: turns.running["third"] > 0, seconds=0.2)
    # And its work has a fair share: it is on within two slices again and again.
    for _ in range(20):
        seen = False
        for _ in range(3):
            turns.slice()
            seen = seen or turns.queue.clients()["third"][1] > 0
        assert seen
    turns.close()


def test_a_turn_goes_on_while_nobody_else_waits() -> None:
    turns = Turns(1, 8)
    for _ in range(3):
        turns.add("one")
    assert turns.slice() == 0
    assert turns.queue.clients() == {"one": (2, 1)}
    turns.add("two")
    assert turns.slice() == 1  # the slice of "one" was over long ago
    assert turns.queue.clients() == {"one": (3, 0), "two": (0, 1)}
    assert turns.queue.expire() == 0  # that of "two" has only begun
    turns.close()


def test_work_that_was_suspended_ends_and_is_cancelled() -> None:
    ticks = iter(range(10**6))
    queue = FairQueue(1, 8, slice_seconds=1.0, clock=lambda: next(ticks))
    flag, begun, end = Cancel(), threading.Event(), threading.Event()

    def work() -> None:
        with queue.thread_turn("one", flag):
            begun.set()
            end.wait(30)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(work)
        assert begun.wait(10)
        other = threading.Event()
        second = pool.submit(lambda: _hold(queue, other))
        assert soon(lambda: queue.waiting == 1)
        assert queue.expire() == 1
        assert flag.pause()  # still pausable, and paused already
        end.set()  # it ends although it has no turn
        first.result(10)
        assert (queue.waiting, queue.running) == (0, 1)
        assert not flag.pause()
        other.set()
        second.result(10)
    assert (queue.waiting, queue.running) == (0, 0)


def _hold(queue: FairQueue, end: threading.Event) -> None:
    with queue.thread_turn("two", Cancel()):
        end.wait(30)


def test_two_clients_cannot_fill_the_queue() -> None:
    async def fill() -> None:
        limits = Limits(heavy_calls=1, queued_calls=8)
        queue = FairQueue(1, limits.queued_calls, client_most=limits.queue_share)

        async def hold(client: str) -> None:
            async with queue.turn(client):
                await asyncio.sleep(30)

        tasks = []
        refused = Counter[str]()
        for _ in range(10):
            for client in ("one", "two"):
                tasks.append(asyncio.ensure_future(hold(client)))
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                if tasks[-1].done():
                    error = tasks[-1].exception()
                    assert isinstance(error, QuotaError)
                    assert error.details["field"] == "client_queued_calls"
                    refused[client] += 1
        assert refused == {"one": 7, "two": 8}
        third = asyncio.ensure_future(hold("third"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not third.done()
        assert queue.clients()["third"] == (1, 0)
        for task in (*tasks, third):
            task.cancel()
        await asyncio.gather(*tasks, third, return_exceptions=True)

    asyncio.run(fill())


def test_two_clients_together_fill_no_quota() -> None:
    """Of everything that is counted in all and by client, a third client finds some."""
    limits = vars(Limits())
    pairs = {field.name: f"client_{field.name}" for field in fields(Limits)}
    pairs = {total: client for total, client in pairs.items() if client in limits}
    assert len(pairs) >= 9
    for total, client in pairs.items():
        assert 2 * limits[client] < limits[total], total
    for most in (4, 5, 128, 10_000):
        assert 2 * Limits(queued_calls=most, client_queued_calls=10_000).queue_share < most


def _together(folder: Path, limits: Limits, *works: Callable[[Client, Server], object]) -> list[object]:
    """Let clients with names of their own work on a server, each in its own thread."""
    tokens = [make_token(f"client{number}", "run") for number in range(len(works))]
    access = Access(Tokens(write(folder / "tokens.toml", *(line for _, line in tokens))))
    with Server(port=0, threads=2, limits=limits, access=access) as server:

        def one(token: tuple[str, str], work: Callable[[Client, Server], object]) -> object:
            with Client(server.address, token=token[0], timeout=None) as client:
                return work(client, server)

        with ThreadPoolExecutor(len(works)) as pool:
            return list(pool.map(one, tokens, works))


def test_rows_of_searches_that_were_paused_are_the_same() -> None:
    """Three searches with a single slot take turns within their matches."""
    request = {"bots": ["mcts:iterations=4"], "seats": 3, "match_count": 2, "setup": {"max_rounds": 1}}
    seeds = range(3)
    expected = [run_matches("swords", **request, seed=seed) for seed in seeds]
    queue = FairQueue(1, 8, slice_seconds=0.005)
    suspended, stop = 0, threading.Event()

    def expire() -> None:
        nonlocal suspended
        while not stop.wait(0.002):
            suspended += queue.expire()

    def play(seed: int) -> object:
        flag = Cancel()
        with queue.thread_turn(f"client {seed}", flag):
            run = RunRequest.create("swords", **request, seed=seed)
            return run.play(cancel=flag, threads=2, background=True)

    ticker = threading.Thread(target=expire)
    ticker.start()
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(play, seeds)) == expected
    stop.set()
    ticker.join()
    assert suspended > 10


def test_throws_that_were_paused_are_the_same() -> None:
    cubes = {"blue": 3, "red": 2}
    expected = tower.simulate_throws(cubes, count=4, model="rigid", seed=3)
    flag, done = Cancel(), threading.Event()
    flag.set_pausable(True)

    def switch() -> None:
        while not done.wait(0.002):
            assert flag.pause()
            time.sleep(0.002)
            flag.resume()

    thread = threading.Thread(target=switch)
    thread.start()
    found = tower.simulate_throws(cubes, count=4, model="rigid", seed=3, cancel=flag, background=True)
    done.set()
    thread.join()
    assert (found.tray == expected.tray).all()
    assert (found.contents == expected.contents).all()


@pytest.mark.parametrize("work", ["search", "throws"])
def test_work_stops_within_a_decision_and_within_a_throw(work: str) -> None:
    flag = Cancel()
    threading.Timer(0.3, flag.cancel).start()
    works: dict[str, Callable[[], object]] = {
        "search": lambda: RunRequest.create("swords", **SEARCH).play(cancel=flag),
        "throws": lambda: tower.simulate_throws({"blue": 9, "red": 9}, count=200, model="rigid", cancel=flag),
    }
    with pytest.raises(CancelledError):
        works[work]()


def test_sliced_work() -> None:
    flag = Cancel()
    run = RunRequest.create("swords", bots=["mcts:iterations=40"], match_count=2, setup={"max_rounds": 1})
    work = SlicedWork(lambda cancel: run.play(cancel=cancel, background=True), flag)
    slices = 1
    while not work.advance(0.01, lambda: True):
        slices += 1
    assert slices > 2
    assert work.result() == run.play()
    # Work that is put aside ends with its job.
    work = SlicedWork(
        lambda cancel: RunRequest.create("swords", **SEARCH).play(cancel=cancel, background=True), flag
    )
    assert not work.advance(0.01, lambda: True)
    flag.cancel()
    assert work.advance(10, lambda: True)
    with pytest.raises(CancelledError):
        work.result()


@pytest.mark.parametrize("bulk", ["calls", "runs"])
def test_a_small_run_is_done_while_long_searches_go_on(bulk: str, tmp_path: Path) -> None:
    """Two clients have long work on one slot; those of a third one and a run of a fourth are over before."""
    over = threading.Event()

    def long(client: Client, _server: Server) -> None:
        run = client.start_run("swords", **SEARCH) if bulk == "runs" else None
        cancel = Cancel()

        def call() -> None:
            with pytest.raises(CancelledError):
                client.run_matches("swords", **SEARCH, cancel=cancel)

        thread = threading.Thread(target=call)
        if run is None:
            thread.start()
        assert over.wait(120)
        if run is None:
            cancel.cancel()
            thread.join()
        else:
            assert not run.metadata().over
            run.cancel()

    def small(client: Client, server: Server) -> object:
        try:
            assert soon(lambda: server.turns_under_way == 1)
            report = client.run_matches("swords", **SMALL)
            run = client.start_run("swords", **SMALL)
            run.wait(timeout=100)
            return report
        finally:
            over.set()

    found = _together(tmp_path, Limits(heavy_calls=1), long, long, small)
    assert found[2] == run_matches("swords", **SMALL)
