"""The context of a call, as methods of services see it, and the mark of methods that wait."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AsyncExitStack
from typing import Any, TypeVar

from sengoku._core import Cancel
from sengoku.errors import CancelledError
from sengoku.server.auth import Caller, Role
from sengoku.server.executor import Executor
from sengoku.wire.spans import Span

__all__ = ["Call", "waiting"]

_F = TypeVar("_F", bound=Callable[..., Any])
_T = TypeVar("_T")


class Call:
    """The context of a call: caller, request id, deadline, and ways to run work for it."""

    __slots__ = ("_executor", "_reads", "_span", "caller", "cancel", "request_id", "time_left")

    def __init__(
        self,
        caller: Caller,
        request_id: str,
        time_left: Callable[[], float | None],
        executor: Executor,
        role: Role = "run",
        span: Span | None = None,
    ) -> None:
        self._executor = executor
        self._span = span
        self._reads = role == "read"
        self.cancel = Cancel()
        """Flag that stops the work; raised when the call ends by its deadline or is cancelled."""
        self.caller = caller
        self.request_id = request_id
        self.time_left = time_left
        """Function that returns the seconds until the deadline, or None without one."""

    @property
    def scope(self) -> str | None:
        """Whose jobs the caller may see: the caller's name, or None for those of all clients."""
        return None if self.caller.may("admin") else self.caller.name

    def each(self, items: Iterable[_T]) -> Iterator[_T]:
        """Yield items until the call ends: for loops in threads whose length the caller chooses."""
        for item in items:
            if self.cancel.cancelled:
                raise CancelledError("the call was cancelled")
            yield item

    async def work(self, function: Callable[[], _T]) -> _T:
        """Run a function in a thread: for work that is not brief."""
        if self._span is not None:
            function = self._span.around("work", function)
        return await self._executor.run(function, self.cancel, reads=self._reads)

    async def heavy(self, function: Callable[[], _T]) -> _T:
        """Run a function in a thread when it is this client's turn: for work that uses all cores."""
        if self._span is None:
            async with self._executor.queue.turn(self.caller.name, self.cancel):
                return await self._executor.run(function, self.cancel)
        async with AsyncExitStack() as held:
            with self._span.part("queue"):
                await held.enter_async_context(self._executor.queue.turn(self.caller.name, self.cancel))
            return await self._executor.run(self._span.around("work", function), self.cancel)


def waiting(function: _F) -> _F:
    """Mark a method that mostly waits: as many such calls as streams may be under way."""
    function.waiting = True  # type: ignore[attr-defined]
    return function
