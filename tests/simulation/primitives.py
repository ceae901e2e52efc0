"""The parts of `threading` and `time` that the code under test uses, on the scheduler of the world."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

from tests.simulation.scheduler import Killed, SimThread, current

__all__ = ["Condition", "Event", "Lock", "RLock", "Thread", "simulated_threading", "simulated_time", "wall"]


def _forget(waiters: list[SimThread], thread: SimThread) -> None:
    if thread in waiters:
        waiters.remove(thread)


class Lock:
    """`threading.Lock`."""

    _reentrant = False

    def __init__(self) -> None:
        self._owner: SimThread | None = None
        self._depth = 0
        self._waiters: list[SimThread] = []

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock."""
        scheduler = current()
        scheduler.pause("lock")
        me = scheduler.running
        if self._reentrant and self._owner is me:
            self._depth += 1
            return True
        ends = scheduler.now + timeout if timeout >= 0 else None
        while self._owner is not None and not self._owner.finished:
            if not blocking:
                return False
            self._waiters.append(me)
            try:
                if not scheduler.block(ends):
                    return False
            finally:
                _forget(self._waiters, me)
        self._owner, self._depth = me, 1
        return True

    def release(self) -> None:
        """Give the lock back."""
        scheduler = current()
        me = scheduler.running
        if self._owner is not me:
            if me.killed:
                return
            if self._owner is None or self._reentrant:
                raise RuntimeError("release of a lock that is not held")
        self._depth -= 1
        if self._depth == 0:
            self._owner = None
            for waiter in self._waiters[:]:  # whoever comes first
                scheduler.wake(waiter)

    def locked(self) -> bool:
        """Return whether somebody holds it."""
        return self._owner is not None

    def _is_owned(self) -> bool:
        return self._owner is current().running

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class RLock(Lock):
    """`threading.RLock`."""

    _reentrant = True


class Condition:
    """`threading.Condition`."""

    def __init__(self, lock: Lock | None = None) -> None:
        self._lock = lock or RLock()
        self.acquire, self.release = self._lock.acquire, self._lock.release
        self._waiters: list[SimThread] = []

    def __enter__(self) -> bool:
        return self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for `notify`; return whether it came in time."""
        scheduler = current()
        me = scheduler.running
        if not self._lock._is_owned():
            if me.killed:
                raise Killed
            raise RuntimeError("wait without the lock")
        depth = self._lock._depth
        self._lock._depth = 1
        self._lock.release()
        self._waiters.append(me)
        try:
            notified = scheduler.block(None if timeout is None else scheduler.now + timeout)
        finally:
            _forget(self._waiters, me)
        self._lock.acquire()
        self._lock._depth = depth
        return notified

    def wait_for(self, predicate: Callable[[], object], timeout: float | None = None) -> Any:
        """Wait until a condition holds."""
        scheduler = current()
        ends = None if timeout is None else scheduler.now + timeout
        while not (result := predicate()):
            left = None if ends is None else ends - scheduler.now
            if left is not None and left <= 0:
                break
            self.wait(left)
        return result

    def notify(self, count: int = 1) -> None:
        """Wake some that wait."""
        if not self._lock._is_owned() and not current().running.killed:
            raise RuntimeError("notify without the lock")
        for waiter in [waiter for waiter in self._waiters if waiter.waiting][:count]:
            current().wake(waiter)

    def notify_all(self) -> None:
        """Wake all that wait."""
        self.notify(len(self._waiters))


class Event:
    """`threading.Event`."""

    def __init__(self) -> None:
        self._set = False
        self._waiters: list[SimThread] = []

    def is_set(self) -> bool:
        """Return whether it is set."""
        return self._set

    def set(self) -> None:
        """Set it."""
        self._set = True
        for waiter in self._waiters:
            current().wake(waiter)

    def clear(self) -> None:
        """Clear it."""
        self._set = False

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is set."""
        scheduler = current()
        ends = None if timeout is None else scheduler.now + timeout
        while not self._set:
            self._waiters.append(scheduler.running)
            try:
                if not scheduler.block(ends):
                    break
            finally:
                _forget(self._waiters, scheduler.running)
        return self._set


class Semaphore:
    """`threading.Semaphore`."""

    def __init__(self, value: int = 1) -> None:
        self._value = value
        self._changed = Condition(Lock())

    def acquire(self, blocking: bool = True, timeout: float | None = None) -> bool:
        """Take one."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._value > 0, timeout if blocking else 0):
                return False
            self._value -= 1
            return True

    def release(self, n: int = 1) -> None:
        """Give some back."""
        with self._changed:
            self._value += n
            self._changed.notify(n)

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class Thread:
    """`threading.Thread`."""

    def __init__(
        self,
        group: None = None,  # noqa: ARG002 - as in `threading`
        target: Callable[..., object] | None = None,
        name: str | None = None,
        args: Iterable[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        *,
        daemon: bool | None = None,
    ) -> None:
        self._target, self._args, self._kwargs = target, tuple(args), dict(kwargs or {})
        self.name = name or "thread"
        self.daemon = bool(daemon)
        self._sim: SimThread | None = None

    def run(self) -> None:
        """Do the work."""
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def start(self) -> None:
        """Start it."""
        self._sim = current().start(self.run, self.name)

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        if self._sim is None:
            raise RuntimeError("the thread was not started")
        current().join(self._sim, timeout)

    def is_alive(self) -> bool:
        """Return whether it runs."""
        return self._sim is not None and not self._sim.finished

    @property
    def ident(self) -> int | None:
        """Number of the thread."""
        return None if self._sim is None else self._sim.number


class _Wall:
    """The clock on the wall, which somebody may set."""

    def __init__(self) -> None:
        self.offset = 1_750_000_000.0

    def __call__(self) -> float:
        return self.offset + current().now


wall = _Wall()


def _module(name: str, **members: Any) -> Any:
    """Make a module with only these members: use of another one is an error, not real time."""
    module = ModuleType(name)
    vars(module).update(members)
    return module


simulated_threading = _module(
    "simulated threading",
    Condition=Condition,
    Event=Event,
    Lock=Lock,
    RLock=RLock,
    Semaphore=Semaphore,
    BoundedSemaphore=Semaphore,
    Thread=Thread,
    get_ident=lambda: current().running.number,
    current_thread=lambda: current().running,
    local=threading.local,
)
simulated_time = _module(
    "simulated time",
    monotonic=lambda: current().now,
    monotonic_ns=lambda: int(current().now * 1e9),
    perf_counter=lambda: current().now,
    perf_counter_ns=lambda: int(current().now * 1e9),
    process_time=lambda: current().now,
    time=wall,
    time_ns=lambda: int(wall() * 1e9),
    sleep=lambda seconds: current().sleep(seconds),
    clock_gettime=lambda clock: wall() if clock == time.CLOCK_REALTIME else current().now,
    clock_gettime_ns=lambda clock: int((wall() if clock == time.CLOCK_REALTIME else current().now) * 1e9),
    CLOCK_REALTIME=time.CLOCK_REALTIME,
    CLOCK_MONOTONIC=time.CLOCK_MONOTONIC,
    CLOCK_BOOTTIME=getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC),
    **{name: getattr(time, name) for name in ("gmtime", "localtime", "strftime", "struct_time")},
)
