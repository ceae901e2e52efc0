"""Simulated nodes under a real driver, in virtual time: thousands of nodes and days of work in seconds.

The driver, the dispatcher and their decisions are those of real fleets. Simulated are the nodes (speed,
failures), the network (latency, and the bandwidth of the head) and the processor of the head, which handles
one event at a time.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from sengoku.fleet.driver import Driver
from sengoku.fleet.events import Answered, Draining, Failed, Heard, Joined, Judged, Left, Started
from sengoku.fleet.ranges import Item, Options, Range
from sengoku.fleet.task import Task
from sengoku.fleet.worker import Answer

__all__ = ["Costs", "Report", "SimulatedFleet", "SimulatedWork"]

_PING_SECONDS = 1.0


@dataclass(frozen=True, kw_only=True)
class Costs:
    """What things take; docs/design/fleet.md says which of the defaults are measured."""

    unit_seconds: float = 1 / 20_000
    """Seconds of one core for a match."""
    unit_spread: float = 0.5
    """Standard deviation of it, as a share."""
    node_spread: float = 0.1
    """By how much nodes differ in speed."""
    range_seconds: float = 2e-3
    """Time that a worker takes for a range besides its matches."""
    latency_seconds: float = 1e-3
    """Time of a message, one way."""
    unit_bytes: float = 45.0
    """Bytes of the row of a match."""
    head_bytes_per_second: float = 1.25e9
    """Bandwidth of the head: 10 Gbit/s."""
    event_seconds: float = 4e-4
    """Time of the head's processor for a range: to give it out and to record it."""
    ping_seconds: float = 1e-4
    """The same for a sign of life."""


@dataclass(frozen=True)
class SimulatedWork:
    """Units that are only counted; the right answer of a range is its place and length."""

    count: int
    first: int = 0
    key: str = "simulated"

    @property
    def item(self) -> Item:
        """The units."""
        return Item(self.count, self.key, probe=32)

    def part(self, first: int, count: int) -> SimulatedWork:
        """Return a range of them."""
        return replace(self, first=self.first + first, count=count)

    def play(self, **_: Any) -> tuple[int, int]:
        """Return the right answer."""
        return self.first, self.count

    def columns(self, _answer: Any) -> tuple[()]:
        """Return nothing: digests are the answers."""
        return ()

    def join(self, answers: Any) -> list[tuple[int, int]]:
        """Return all answers."""
        return list(answers)


@dataclass(eq=False)
class Node:
    """A simulated node with its worker."""

    fleet: SimulatedFleet
    name: str
    node: str
    threads: int
    speed: float
    wrong: bool = False
    """Whether it gives wrong answers."""
    alive: bool = True
    paused: bool = False
    left: bool = False
    queue: deque[tuple[int, SimulatedWork]] = field(default_factory=deque)
    playing: bool = False
    outbox: list[Any] = field(default_factory=list)
    """What it would have sent while it was paused."""
    busy_seconds: float = 0.0
    cancelled: set[int] = field(default_factory=set)

    def play(self, number: int, work: SimulatedWork) -> None:
        """Have a range played."""
        self.fleet.send(lambda: self._receive(number, work))

    def cancel(self, numbers: list[int]) -> None:
        """Forget ranges."""
        self.cancelled.update(numbers)

    def _receive(self, number: int, work: SimulatedWork) -> None:
        self.queue.append((number, work))
        self.begin()

    def begin(self) -> None:
        """Play the next range, if nothing is being played."""
        if self.playing or not self.alive or self.paused or not self.queue:
            return
        number, work = self.queue.popleft()
        if number in self.cancelled:
            self.begin()
            return
        self.playing = True
        seconds = self.fleet.draw_seconds(self, work.count)
        self.fleet.at(seconds, lambda: self._end(number, work, seconds))

    def _end(self, number: int, work: SimulatedWork, seconds: float) -> None:
        if not self.alive:
            return
        self.playing = False
        self.busy_seconds += seconds
        digest: Any = work.play() if not self.wrong else ("wrong", self.name, work.first)
        self._send(Answered(number, Answer(digest, digest, seconds)), work.count)
        self.begin()

    def ping(self) -> None:
        """Give a sign of life, again and again."""
        if self.alive and not self.left:
            self._send(Heard(self.name), 0)
            self.fleet.at(_PING_SECONDS, self.ping)

    def _send(self, event: Any, units: int) -> None:
        if self.paused:
            self.outbox.append((event, units))
        else:
            self.fleet.receive(event, units)

    def resume(self) -> None:
        """Go on after a pause."""
        self.paused = False
        for event, units in self.outbox:
            self.fleet.receive(event, units)
        self.outbox.clear()
        self.begin()


@dataclass(frozen=True)
class Report:
    """What a simulated run took."""

    nodes: int
    cores: int
    units: int
    seconds: float
    efficiency: float
    """Share of the time of all cores, from the first to the last moment, that ideal dispatch would need."""
    head_load: float
    """Share of the time that the head's processor was busy."""
    head_bytes_per_second: float
    ranges: int
    reassigned: int
    disagreements: int
    expelled: tuple[str, ...]
    store_bytes: float


class SimulatedFleet:
    """A driver with simulated nodes.

    >>> fleet = SimulatedFleet(nodes=4, threads=2, seed=1)
    >>> report = fleet.run(1_000_000)
    >>> report.cores, report.efficiency > 0.9
    (8, True)
    """

    def __init__(
        self,
        *,
        nodes: int,
        threads: int,
        seed: int = 0,
        costs: Costs | None = None,
        options: Options | None = None,
    ) -> None:
        self.costs = costs or Costs()
        self.now = 0.0
        self.chance = random.Random(seed)  # noqa: S311 - nothing here is secret
        self.nodes: list[Node] = []
        self.asked: list[int] = []
        """What the autoscaler was asked for."""
        self.discarded: list[str] = []
        self._counter = 0
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._head_free = self._link_free = 0.0
        self._head_busy = self._bytes = 0.0
        self._ranges = 0
        self._inbox: deque[tuple[Any, float]] = deque()
        self.driver = Driver(self, options, clock=lambda: self.now, referee=self._referee)
        for _ in range(nodes):
            self.add(threads)

    # The pool

    def open(self, _driver: Driver) -> None:
        """Nothing to open."""

    def wake(self) -> None:
        """Workers are always there."""

    def rest(self) -> None:
        """Workers are always there."""

    def request(self, cores: int) -> None:
        """Note what the autoscaler is asked for."""
        self.asked.append(cores)

    def discard(self, name: str, _node: str) -> None:
        """Stop a worker."""
        self.discarded.append(name)
        self.kill(name, told=False)

    situation = "simulated"
    pending = 0

    def close(self) -> None:
        """Nothing to close."""

    # Nodes

    def add(self, threads: int, *, wrong: bool = False, speed: float | None = None) -> str:
        """Add a node; return the name of its worker."""
        name = f"n{len(self.nodes)}"
        drawn = max(0.2, self.chance.gauss(1.0, self.costs.node_spread)) if speed is None else speed
        node = Node(self, name, name, threads, drawn, wrong)
        self.nodes.append(node)
        self.receive(Joined(node), 0)
        self.at(self.chance.random() * _PING_SECONDS, node.ping)
        return name

    def node(self, name: str) -> Node:
        """Return a node."""
        return self.nodes[int(name[1:])]

    def kill(self, name: str, *, told: bool = True) -> None:
        """End a node; the driver notices that its connection is closed, or has to find out."""
        node = self.node(name)
        node.alive, node.left = False, True
        if told:
            self.receive(Left(name, "killed"), 0)

    def drain(self, name: str) -> None:
        """Announce that a node will be taken away."""
        self.receive(Draining(name), 0)

    def pause(self, name: str, seconds: float) -> None:
        """Stop a node for a while, without a word."""
        self.node(name).paused = True
        self.at(seconds, self.node(name).resume)

    def fail(self, number: int) -> None:
        """Let a ticket fail."""
        self.receive(Failed(number, "simulated"), 0)

    # Time

    def at(self, delay: float, what: Callable[[], None]) -> None:
        """Do something later."""
        self._counter += 1
        heapq.heappush(self._heap, (self.now + delay, self._counter, what))

    def send(self, what: Callable[[], None]) -> None:
        """Send a message to a node: it arrives later."""
        self.at(max(0.0, self._head_free - self.now) + self._latency(), what)

    def receive(self, event: Any, units: int) -> None:
        """Send an event to the head: it shares its link and its processor with all others."""
        size = units * self.costs.unit_bytes
        self._bytes += size
        arrival = self.now + self._latency()
        if size:
            self._link_free = max(self._link_free, arrival) + size / self.costs.head_bytes_per_second
            arrival = self._link_free  # rows wait for each other; small messages pass them
        is_range = isinstance(event, Answered)
        self._ranges += is_range
        cost = self.costs.event_seconds if is_range else self.costs.ping_seconds
        self.at(arrival - self.now, lambda: self._handle(event, cost))

    def _handle(self, event: Any, cost: float) -> None:
        self._inbox.append((event, cost))
        if len(self._inbox) == 1:
            self._serve()

    def _serve(self) -> None:
        """Handle the first event that waits; the next one has its turn when the processor is free."""
        event, cost = self._inbox[0]
        self._head_free = self.now + cost
        self._head_busy += cost
        self.driver.handle(event)
        self.driver.step()
        self.at(cost, self._served)

    def _served(self) -> None:
        self._inbox.popleft()
        if self._inbox:
            self._serve()

    def _latency(self) -> float:
        return self.costs.latency_seconds * self.chance.lognormvariate(0.0, 0.5)

    def draw_seconds(self, node: Node, count: int) -> float:
        """Draw the time of a range on a node: the sum of many independent matches."""
        cost = self.costs
        mean = count * cost.unit_seconds
        spread = cost.unit_spread * cost.unit_seconds * count**0.5
        work = max(0.1 * mean, self.chance.gauss(mean, spread))
        return cost.range_seconds + work / (node.threads * node.speed)

    def _referee(self, driver: Driver, found: Range) -> None:
        work = driver.work_of(found)
        answer = Answer(work.play(), work.play(), 0.0)
        self.at(work.count * self.costs.unit_seconds, lambda: self.receive(Judged(found, answer), 0))

    # Runs

    def run(
        self,
        units: int,
        *,
        faults: Callable[[SimulatedFleet], None] = lambda _fleet: None,
        most_seconds: float = 1e7,
        items: int = 1,
    ) -> Report:
        """Play units and return what that took; `faults` may plan what happens meanwhile."""
        works = [SimulatedWork(units // items, key=f"simulated {item}") for item in range(items)]
        task = Task(works)
        self.driver.handle(Started(task))
        faults(self)
        began = self.now
        self._tick()
        while not task.over and self._heap and self.now < most_seconds:
            self.now, _, what = heapq.heappop(self._heap)
            what()
        if not task.over:
            raise TimeoutError(f"{task.units} of {task.total} units after {self.now:.0f} seconds")
        task.wait()
        self.answers = [task.answer(item) for item in range(items)]
        return self._report(sum(work.count for work in works), self.now - began)

    def _tick(self) -> None:
        self.driver.step()
        self.at(0.25, self._tick)

    def _report(self, units: int, seconds: float) -> Report:
        power = sum(node.threads * node.speed for node in self.nodes)
        dispatcher = self.driver.dispatcher
        return Report(
            nodes=len(self.nodes),
            cores=sum(node.threads for node in self.nodes),
            units=units,
            seconds=seconds,
            efficiency=units * self.costs.unit_seconds / power / seconds,
            head_load=self._head_busy / seconds,
            head_bytes_per_second=self._bytes / seconds,
            ranges=self._ranges,
            reassigned=dispatcher.reassigned,
            disagreements=dispatcher.disagreements,
            expelled=tuple(dispatcher.expelled),
            store_bytes=units * self.costs.unit_bytes,
        )
