"""An asyncio event loop on the scheduler: virtual time, and callbacks in an order that the seed chooses."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import random
from asyncio import events
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any

from tests.simulation.scheduler import Killed, SimThread, current

__all__ = ["Loop"]


class Loop(asyncio.AbstractEventLoop):
    """Runs callbacks in a simulated thread of its own, as a server does."""

    def __init__(self, seed: object, *, shuffled: bool, on_error: Callable[[dict[str, Any]], None]) -> None:
        """`shuffled` loops take any callback that is ready, others the oldest."""
        self._random = random.Random(f"loop {seed}")
        self._shuffled = shuffled
        self._on_error = on_error
        self._ready: list[asyncio.Handle] = []
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._numbers = itertools.count()
        self._thread: SimThread | None = None
        self._stopping = False
        self._closed = False
        self.tasks: list[asyncio.Task[Any]] = []

    # Running

    def run_forever(self) -> None:
        """Run callbacks until `stop`."""
        scheduler = current()
        self._thread = scheduler.running
        events._set_running_loop(self)
        try:
            while not self._stopping:
                self._step()
        finally:
            events._set_running_loop(None)
            self._thread = None

    def _step(self) -> None:
        scheduler = current()
        while self._timers and (self._timers[0][0] <= scheduler.now or self._timers[0][2].cancelled()):
            handle = heapq.heappop(self._timers)[2]
            if not handle.cancelled():
                self._ready.append(handle)
        if not self._ready:
            scheduler.block(self._timers[0][0] if self._timers else None)
            return
        index = self._random.randrange(len(self._ready)) if self._shuffled else 0
        handle = self._ready.pop(index)
        if not handle.cancelled():
            handle._run()
        scheduler.pause("loop")

    def stop(self) -> None:
        """Return from `run_forever` after the current callback."""
        self._stopping = True

    def close(self) -> None:
        """Drop everything, as the end of a process does; coroutines are closed at once."""
        self._closed = True
        self._ready.clear()
        self._timers.clear()
        for task in self.tasks:
            if not task.done():
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                try:
                    coroutine: Any = task.get_coro()
                    coroutine.close()
                except (Killed, RuntimeError):
                    continue
        self.tasks.clear()

    def is_running(self) -> bool:
        """Return whether it runs."""
        return self._thread is not None

    def is_closed(self) -> bool:
        """Return whether it is closed."""
        return self._closed

    def get_debug(self) -> bool:
        """Return False."""
        return False

    def time(self) -> float:
        """Return virtual seconds."""
        return current().now

    def pending(self) -> list[asyncio.Task[Any]]:
        """Return the tasks that are not done."""
        return [task for task in self.tasks if not task.done()]

    # Callbacks

    def call_soon(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """Run a callback soon."""
        if self._closed:
            raise RuntimeError("Event loop is closed")
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """Run a callback soon, from any thread."""
        handle = self.call_soon(callback, *args, context=context)
        if self._thread is not None:
            current().wake(self._thread)
        return handle

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Run a callback after some virtual seconds."""
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Run a callback at a virtual time."""
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._numbers), handle))
        return handle

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Note that a timer was cancelled; it is dropped when its time comes."""

    def create_future(self) -> asyncio.Future[Any]:
        """Create a future."""
        return asyncio.Future(loop=self)

    def create_task(self, coro: Coroutine[Any, Any, Any], **options: Any) -> asyncio.Task[Any]:
        """Create a task."""
        self.tasks = [task for task in self.tasks if not task.done()]
        task = asyncio.Task(coro, loop=self, **options)
        self.tasks.append(task)
        return task

    def run_in_executor(self, _executor: object, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """Run a function in a simulated thread."""
        future = self.create_future()

        def deliver(result: object, error: BaseException | None) -> None:
            if future.cancelled():
                return
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

        def work() -> None:
            result, error = None, None
            try:
                result = func(*args)
            except Killed:
                raise
            except StopIteration as stop:  # cannot be raised into a future
                error = RuntimeError(f"StopIteration: {stop}")
            except BaseException as raised:  # noqa: BLE001 - for the caller
                error = raised
            self.call_soon_threadsafe(deliver, result, error)

        current().start(work, "call")
        return future

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Report what went wrong in a callback."""
        self._on_error(context)

    def default_exception_handler(self, context: dict[str, Any]) -> None:
        """Report what went wrong in a callback."""
        self._on_error(context)

    async def shutdown_asyncgens(self) -> None:
        """Do nothing."""
