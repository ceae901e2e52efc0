"""Turns for heavy work: fair over clients, bounded, and no slot is ever lost."""

import asyncio
import random
import threading
import time
from collections import Counter
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from sengoku import Cancel
from sengoku.errors import BusyError, CancelledError
from sengoku.server.fair_queue import FairQueue


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 30))


async def settle() -> None:
    """Lets every task go on until it waits."""
    for _ in range(5):
        await asyncio.sleep(0)


class Job:
    """Work of a client that goes on until it is told to end."""

    def __init__(self, queue: FairQueue, client: str, log: list[str] | None = None) -> None:
        self.client = client
        self.began = False
        self.end = asyncio.Event()
        self.task = asyncio.ensure_future(self._run(queue, log))

    async def _run(self, queue: FairQueue, log: list[str] | None) -> None:
        async with queue.turn(self.client):
            self.began = True
            if log is not None:
                log.append(self.client)
            await self.end.wait()


def test_turns_go_round_over_clients() -> None:
    async def work() -> None:
        queue, order = FairQueue(1, 1000), list[str]()
        jobs = [Job(queue, "greedy", order) for _ in range(100)]
        await settle()
        jobs += [Job(queue, client, order) for client in ("a", "b", "a", "b", "c")]
        for _ in jobs:
            await settle()
            assert queue.running == 1
            running = next(job for job in jobs if job.began and not job.end.is_set())
            running.end.set()
        await asyncio.gather(*(job.task for job in jobs))
        # The one that had its turn already, then one of each that waits, in the order of their coming.
        assert order[:8] == ["greedy", "greedy", "a", "b", "c", "greedy", "a", "b"]
        assert Counter(order) == {"greedy": 100, "a": 2, "b": 2, "c": 1}
        assert (queue.waiting, queue.running, queue.clients()) == (0, 0, {})

    run(work())


def test_a_client_is_served_in_the_order_of_asking() -> None:
    async def work() -> None:
        queue, order = FairQueue(2, 100), list[int]()

        async def job(number: int) -> None:
            async with queue.turn("one"):
                order.append(number)
                await asyncio.sleep(0)

        await asyncio.gather(*(job(number) for number in range(50)))
        assert order == list(range(50))

    run(work())


@pytest.mark.parametrize("slots", [1, 3])
def test_nobody_is_starved(slots: int) -> None:
    """Clients that ask again and again have equal shares, whatever they have in the queue."""

    async def work() -> None:
        queue, turns = FairQueue(slots, 10_000), Counter[str]()

        async def again(client: str) -> None:
            while sum(turns.values()) < 3000:
                async with queue.turn(client):
                    turns[client] += 1
                    await asyncio.sleep(0)

        # 1, 4, 16 and 64 callers of four clients.
        callers = [again(f"client {power}") for power in range(4) for _ in range(4**power)]
        await asyncio.gather(*callers)
        shares = [turns[f"client {power}"] for power in range(1, 4)]
        assert max(shares) - min(shares) <= 2 * slots + 64
        if slots == 1:  # with several slots a single caller cannot use its share of them
            assert turns["client 0"] > 0.5 * max(shares)

    run(work())


def test_the_queue_is_bounded_and_says_when_to_come_back() -> None:
    async def work() -> None:
        now = [0.0]
        queue = FairQueue(2, 3, clock=lambda: now[0])
        jobs = [Job(queue, "a") for _ in range(5)]
        await settle()
        assert (queue.running, queue.waiting) == (2, 3)
        assert queue.clients() == {"a": (3, 2)}
        with pytest.raises(BusyError, match="3 calls wait for one of 2 turns already") as refused:
            async with queue.turn("b"):
                pass
        assert refused.value.retry_after == pytest.approx(2.0)  # a second for a turn, until one is known
        assert refused.value.details == {"limit": "3", "slots": "2"}
        for job in jobs:
            now[0] += 100
            job.end.set()
            await settle()
        assert queue.retry_after > 20  # turns take long, as was seen
        for _ in range(100):
            async with queue.turn("b"):
                pass
        assert queue.retry_after == pytest.approx(0.1)  # they no longer do
        assert (queue.running, queue.waiting) == (0, 0)

    run(work())


def test_a_queue_of_no_places() -> None:
    async def work() -> None:
        queue = FairQueue(1, 0)
        job = Job(queue, "a")
        await settle()
        with pytest.raises(BusyError):
            async with queue.turn("b"):
                pass
        job.end.set()
        await job.task
        async with queue.turn("b"):
            assert queue.running == 1

    run(work())


def test_threads_have_turns_too() -> None:
    async def work() -> None:
        loop, queue = asyncio.get_running_loop(), FairQueue(1, 0)
        cancels = [Cancel() for _ in range(30)]
        running, most_running, turns = 0, 0, 0

        def job(number: int) -> None:
            nonlocal running, most_running, turns
            with queue.thread_turn(f"client {number % 3}", cancels[number]):
                running += 1
                most_running = max(running, most_running)
                turns += 1
                running -= 1
                if number % 7 == 0:
                    raise ValueError("the work failed")

        with ThreadPoolExecutor(30) as pool:
            first = Job(queue, "first")
            await settle()
            jobs = [loop.run_in_executor(pool, job, number) for number in range(30)]
            while queue.waiting < 30:  # however many may wait otherwise
                await asyncio.sleep(0.001)
            for cancel in cancels[:10]:
                queue.cancel(cancel)
            assert queue.waiting == 20  # they leave before their turn comes
            first.end.set()
            ends = await asyncio.gather(*jobs, return_exceptions=True)
        await settle()
        assert all(isinstance(end, CancelledError) for end in ends[:10])
        assert [number for number in range(10, 30) if ends[number] is not None] == [14, 21, 28]
        assert (turns, most_running, queue.waiting) == (20, 1, 0)
        while queue.running:
            await asyncio.sleep(0.001)

    run(work())


def test_threads_need_no_loop() -> None:
    """Turns go round over clients, and a cancelled thread leaves at once."""
    queue, order, lock = FairQueue(1, 0), list[str](), threading.Lock()
    flags = {name: Cancel() for name in ("a1", "a2", "b1", "b2")}

    def job(name: str) -> bool:
        try:
            with queue.thread_turn(name[0], flags[name]), lock:
                order.append(name)
        except CancelledError:
            return False
        return True

    with ThreadPoolExecutor(4) as pool, queue.thread_turn("first", Cancel()):
        jobs = []
        for name in flags:
            waiting = queue.waiting
            jobs.append(pool.submit(job, name))
            while queue.waiting == waiting:
                time.sleep(0.001)
        queue.cancel(flags["b1"])
        assert jobs[2].result(10) is False
        assert (queue.waiting, queue.running) == (3, 1)
    assert [job.result(10) for job in jobs] == [True, True, False, True]
    assert order == ["a1", "b2", "a2"]
    assert (queue.waiting, queue.running, queue.clients()) == (0, 0, {})


def test_who_was_cancelled_gets_no_turn() -> None:
    async def work() -> None:
        queue, cancel = FairQueue(1, 5), Cancel()
        cancel.cancel()
        with pytest.raises(CancelledError):
            async with queue.turn("a", cancel):
                pytest.fail("the turn was given")
        assert queue.running == 0

    run(work())


def test_a_cancelled_waiter_leaves_at_once() -> None:
    async def work() -> None:
        queue = FairQueue(1, 2)
        first, second, third = (Job(queue, name) for name in "aab")
        await settle()
        assert queue.waiting == 2
        second.task.cancel()
        await settle()
        assert queue.waiting == 1
        fourth = Job(queue, "a")  # there is room again
        first.end.set()
        await settle()
        assert third.began
        assert not second.began
        third.end.set()
        fourth.end.set()
        await asyncio.gather(third.task, fourth.task)
        assert (queue.waiting, queue.running) == (0, 0)

    run(work())


def test_a_turn_that_comes_with_the_cancelling_goes_to_the_next() -> None:
    async def work() -> None:
        queue = FairQueue(1, 5)
        first, second, third = (Job(queue, name) for name in "abc")
        await settle()
        first.end.set()
        await asyncio.sleep(0)  # the first one gives its slot to the second, which does not know it yet
        second.task.cancel()
        await settle()
        assert third.began
        assert not second.began
        third.end.set()
        await third.task
        assert (queue.waiting, queue.running) == (0, 0)

    run(work())


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), slots=st.integers(1, 4), most=st.integers(0, 30))
def test_storms_of_cancelling_lose_no_slot(seed: int, slots: int, most: int) -> None:
    chance = random.Random(seed)

    async def work() -> None:
        queue = FairQueue(slots, most)
        most_running = 0

        async def job(client: str, steps: int) -> None:
            nonlocal most_running
            async with queue.turn(client):
                most_running = max(most_running, queue.running)
                for _ in range(steps):
                    await asyncio.sleep(0)
                if steps == 3:
                    raise ValueError("the work failed")

        tasks = []
        for _ in range(200):
            tasks.append(asyncio.ensure_future(job(f"client {chance.randrange(5)}", chance.randrange(4))))
            if chance.random() < 0.5:
                chance.choice(tasks).cancel()
            if chance.random() < 0.5:
                await asyncio.sleep(0)
            assert queue.waiting <= most
        await asyncio.wait(tasks)
        assert most_running <= slots
        assert (queue.waiting, queue.running, queue.clients()) == (0, 0, {})

    run(work())


class Model(RuleBasedStateMachine):
    """The queue beside a plain list of who came when."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.queue = FairQueue(2, 4)
        self.jobs: list[Job] = []
        self.turns: list[str] = []
        """Clients that wait, in the order in which they get turns."""

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Does something on the loop."""
        return self.loop.run_until_complete(work)

    def alive(self, *, began: bool) -> list[Job]:
        """Gives the jobs that have a turn, or wait for one."""
        return [job for job in self.jobs if job.began == began and not job.task.done()]

    @rule(client=st.sampled_from("abc"))
    def ask(self, client: str) -> None:
        """A client asks for a turn."""
        full = len(self.alive(began=True)) == 2 and len(self.alive(began=False)) == 4

        async def work() -> Job:
            job = Job(self.queue, client)
            await settle()
            return job

        job = self.do(work())
        if full:
            assert isinstance(job.task.exception(), BusyError)
        else:
            self.jobs.append(job)
            if not job.began and client not in self.turns:
                self.turns.append(client)

    @precondition(lambda self: self.alive(began=True))
    @rule(data=st.data())
    def end(self, data: st.DataObject) -> None:
        """A turn ends, and the next one begins."""
        job = data.draw(st.sampled_from(self.alive(began=True)))
        waiting = self.alive(began=False)
        job.end.set()
        self.do(settle())
        assert job.task.done()
        if waiting:
            client = self.turns.pop(0)
            first = next(job for job in waiting if job.client == client)
            assert [job for job in waiting if job.began] == [first]
            if any(job.client == client for job in self.alive(began=False)):
                self.turns.append(client)

    @precondition(lambda self: self.alive(began=False))
    @rule(data=st.data())
    def give_up(self, data: st.DataObject) -> None:
        """Who waits leaves."""
        job = data.draw(st.sampled_from(self.alive(began=False)))
        job.task.cancel()
        self.do(settle())
        assert job.task.cancelled()
        if not any(other.client == job.client for other in self.alive(began=False)):
            self.turns.remove(job.client)

    @invariant()
    def counts(self) -> None:
        """No slot is lost, and none is idle while somebody waits."""
        running, waiting = self.alive(began=True), self.alive(began=False)
        assert (self.queue.running, self.queue.waiting) == (len(running), len(waiting))
        assert len(running) == 2 or not waiting

    def teardown(self) -> None:
        """All leave."""
        for job in self.jobs:
            job.task.cancel()
        self.do(settle())
        self.loop.close()
        assert (self.queue.running, self.queue.waiting) == (0, 0)


TestModel = Model.TestCase
