"""A deterministic scheduler: threads of which exactly one runs, chosen by a seed, and virtual time.

A simulated thread has a thread of the system underneath, so that it may block anywhere, also inside SQLite.
It gives way only in the primitives of `primitives`; there the next one is drawn from those that are ready.
Time passes when nobody is ready, and now and then although somebody is: a thread may be slow.
"""

from __future__ import annotations

import _thread
import heapq
import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

__all__ = ["Deadlock", "Killed", "Scheduler", "SimThread", "Stuck", "current"]

_STEPS = 100_000
"""Scheduling decisions after which a world is considered to go round in circles."""
_SLOWEST = 0.5
"""Virtual seconds for which a thread that is ready may not get to run."""


class Killed(BaseException):
    """Raised in every thread of a process that is killed, wherever it is."""


class Deadlock(Exception):  # noqa: N818
    """Nobody can go on: every thread waits, and none of them for a time."""


class Stuck(Exception):  # noqa: N818
    """A world does not end within the allowed number of steps, or of virtual seconds."""


@dataclass(eq=False)
class SimThread:
    """A simulated thread."""

    name: str
    process: str
    """Name of the process that it dies with."""
    function: Callable[[], object]
    baton: _thread.LockType
    number: int = 0
    started: bool = False
    finished: bool = False
    killed: bool = False
    waiting: int = 0
    """Number of the wait that `wake` or a timer ends; 0 while it is not waiting."""
    timed_out: bool = False
    joiners: list[SimThread] = field(default_factory=list)
    killer: SimThread | None = None


class _Worker:
    """A thread of the system, used by one simulated thread after another."""

    idle: ClassVar[list[_Worker]] = []

    def __init__(self) -> None:
        self.baton = _thread.allocate_lock()
        self.baton.acquire()
        self.work: Callable[[], None] | None = None
        _thread.start_new_thread(self._run, ())

    def _run(self) -> None:
        while True:
            self.baton.acquire()
            if self.work is not None:
                work, self.work = self.work, None
                work()


_current: list[Scheduler] = []


def current() -> Scheduler:
    """Return the scheduler of the world that runs."""
    return _current[-1]


class Scheduler:
    """Runs the threads of one world."""

    def __init__(self, seed: object, *, preemption: float = 0.3, hurry: float = 0.02) -> None:
        """`preemption` is how often a thread gives way where it need not, `hurry` how often it is slow."""
        self._random = random.Random(f"scheduler {seed}")
        self._preemption, self._hurry = preemption, hurry
        self.now = 1_000.0
        """Virtual seconds since the machine was switched on."""
        self.steps = 0
        self.latest = float("inf")
        """The virtual time at which a world must be over."""
        self._ready: list[SimThread] = []
        self._timers: list[tuple[float, int, SimThread]] = []
        self._waits = itertools.count(1)
        self._numbers = itertools.count(1)
        baton = _thread.allocate_lock()
        baton.acquire()
        self.root = self.running = SimThread("world", "world", lambda: None, baton, started=True)
        self.threads: list[SimThread] = [self.root]
        self.step_hooks: list[Callable[[], None]] = []
        """Called at every step in the thread that gives way."""
        self._failure: BaseException | None = None
        self.died: list[tuple[SimThread, BaseException]] = []
        """Threads that ended with an exception."""
        self.trace: Callable[[str], None] = lambda _text: None
        self.match_seconds = 0.0
        """Virtual seconds that a match takes."""

    def __enter__(self) -> Scheduler:
        _current.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        for process in dict.fromkeys(thread.process for thread in self.threads):
            if process != "world":
                self.kill(process)
        _current.remove(self)

    # Threads

    def start(self, function: Callable[[], object], name: str, process: str | None = None) -> SimThread:
        """Start a thread, of the process of the running one unless another one is given."""
        if self.running.killed:
            raise Killed
        worker = _Worker.idle.pop() if _Worker.idle else _Worker()
        thread = SimThread(
            name, process or self.running.process, function, worker.baton, number=next(self._numbers)
        )
        worker.work = lambda: self._run(thread, worker)
        thread.started = True
        self.threads.append(thread)
        self._ready.append(thread)
        return thread

    def _run(self, thread: SimThread, worker: _Worker) -> None:
        try:
            if not thread.killed:
                thread.function()
        except Killed:
            pass
        except BaseException as error:  # noqa: BLE001 - reported by the world
            if not thread.killed:
                self.died.append((thread, error))
        thread.finished = True
        self.threads.remove(thread)
        for joiner in thread.joiners:
            self.wake(joiner)
        _Worker.idle.append(worker)
        self._hand_over(thread.killer or self._choose())

    def join(self, thread: SimThread, seconds: float | None = None) -> None:
        """Wait for the end of a thread."""
        ends = None if seconds is None else self.now + seconds
        while not thread.finished:
            thread.joiners.append(self.running)
            if not self.block(ends):
                thread.joiners.remove(self.running)
                return

    def kill(self, process: str) -> None:
        """Kill all threads of a process: each has ended when this returns."""
        me = self.running
        while found := [thread for thread in self.threads if thread.process == process]:
            for thread in found:
                thread.killed = True
            victim = found[0]
            victim.waiting, victim.killer = 0, me
            if victim in self._ready:
                self._ready.remove(victim)
            # Its primitives raise, so it does not wait again and hands over to its killer when it has ended.
            self._hand_over(victim)
            me.baton.acquire()

    # Giving way

    def pause(self, _what: str = "") -> None:
        """Let others run, perhaps: a place where a thread may be interrupted."""
        if self.running.killed:
            raise Killed
        if self._urged is not None or self._random.random() < self._preemption:
            self._ready.append(self.running)
            self._switch()

    def block(self, until: float | None = None) -> bool:
        """Wait for `wake`, or a time; return whether it was `wake`."""
        me = self.running
        if me.killed:
            raise Killed
        me.waiting = next(self._waits)
        me.timed_out = False
        if until is not None:
            heapq.heappush(self._timers, (until, me.waiting, me))
        self._switch()
        return not me.timed_out

    def wake(self, thread: SimThread) -> None:
        """End the wait of a thread."""
        if thread.waiting:
            thread.waiting = 0
            self._ready.append(thread)

    def sleep(self, seconds: float) -> None:
        """Wait for some time."""
        self.block(self.now + max(seconds, 0.0))

    def _switch(self) -> None:
        me = self.running
        for hook in self.step_hooks:
            hook()
        chosen = self._choose()
        if chosen is not me:
            self._hand_over(chosen)
            me.baton.acquire()
        if me is self.root and self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        if me.killed:
            raise Killed

    def _hand_over(self, thread: SimThread) -> None:
        self.running = thread
        thread.baton.release()

    def urge(self, thread: SimThread) -> None:
        """Make a waiting thread the next one that runs."""
        if thread.waiting:
            thread.waiting = 0
            self._urged = thread

    _urged: SimThread | None = None

    def _choose(self) -> SimThread:
        """Draw the next thread."""
        self.steps += 1
        if self._urged is not None:
            thread, self._urged = self._urged, None
            return thread
        if self.steps > _STEPS or self.now > self.latest:
            return self._fail(Stuck(f"{self.steps} steps, {self.now - 1000:.1f} virtual seconds"))
        self._fire()
        while self._timers and self._timers[0][2].waiting != self._timers[0][1]:
            heapq.heappop(self._timers)
        if self._timers and (
            not self._ready
            or (self._timers[0][0] < self.now + _SLOWEST and self._random.random() < self._hurry)
        ):
            self.now = max(self.now, self._timers[0][0])
            self._fire()
        if not self._ready:
            return self._fail(Deadlock(", ".join(thread.name for thread in self.threads)))
        chosen = self._ready.pop(self._random.randrange(len(self._ready)))
        self.trace(chosen.name)
        return chosen

    def _fail(self, error: Exception) -> SimThread:
        self._failure = error
        self.steps, self.latest = 0, float("inf")
        self.root.waiting = 0
        if self.root in self._ready:
            self._ready.remove(self.root)
        return self.root

    def _fire(self) -> None:
        while self._timers and self._timers[0][0] <= self.now:
            _, wait, thread = heapq.heappop(self._timers)
            if thread.waiting == wait:
                thread.waiting = 0
                thread.timed_out = True
                self._ready.append(thread)
