"""Sans-I/O calls: each client method is written once, and a driver runs it blocking or in an event loop.

A method either returns a `Call`, which is one unary call with a decoder for its response, or is a generator
(`Flow`) that yields steps and receives their results. A method that produces many values is a generator, too
(`StreamFlow`), which also yields an `Emit` for each value. Drivers run both: see `_drivers`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from google.protobuf.message import Message

from sengoku._core import Cancel
from sengoku.client._channel import Deadline
from sengoku.client._streams import Stream
from sengoku.errors import SengokuError

A = TypeVar("A")
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Call(Generic[A]):
    """A unary call; its result is the response, decoded."""

    request: Message
    decode: Callable[[Any], A] | None = None
    """Converts the response; None returns it as it is."""
    timeout: float | None = None
    """Seconds; None is the default of the connection, infinity is no limit."""
    cancel: Cancel | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """The start of a streaming call; its result is the open stream.

    If the client sends a stream, the request is its first message.
    """

    request: Message
    timeout: float | None = None
    """As for a `Call`."""
    cancel: Cancel | None = None
    """Required if `Next` shall be cancelled by it."""


@dataclass(frozen=True, slots=True)
class Next:
    """The wait for the next message of a stream; its result is None after the last."""

    stream: Any
    cancel: Cancel | None = None
    """Ends the wait with `CancelledError`."""


@dataclass(frozen=True, slots=True)
class Send:
    """A message to be sent on an open stream; None ends the client's side of it."""

    stream: Any
    message: Message | None


@dataclass(frozen=True, slots=True)
class Sleep:
    """A pause."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Emit(Generic[A]):
    """A value for the caller who iterates."""

    value: A


Step = Call[Any] | Open | Next | Send | Sleep
Flow = Generator[Step, Any, A]
"""A method in steps that returns a value of type A."""
StreamFlow = Generator[Step | Emit[A], Any, None]
"""A method in steps that emits values of type A."""


def read_stream(
    request: Message,
    use: Callable[[Any], Emit[Any] | None],
    timeout: float | None = None,
    cancel: Cancel | None = None,
) -> Generator[Any, Any, None]:
    """Read a stream from the server to its end: call `use` with each message, and emit what it returns."""
    opened: Stream = yield Open(request, timeout, cancel)
    try:
        while (message := (yield Next(opened, cancel))) is not None:
            value = use(message)
            if value is not None:
                yield value
    finally:
        opened.close()


class BlockingMethods:
    """Marks classes whose methods block: their driver is a `SyncDriver`."""


class AsyncMethods:
    """Marks classes whose methods are awaited: their driver is an `AsyncDriver`."""


class Closing(BlockingMethods):
    """Objects that are closed at the end of a `with` block."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self: Any, kind: type[BaseException] | None, *_: object) -> None:
        with suppress(SengokuError) if kind else nullcontext():  # the error of the block counts
            self.close()


class AsyncClosing(AsyncMethods):
    """Objects that are closed at the end of an `async with` block."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self: Any, kind: type[BaseException] | None, *_: object) -> None:
        with suppress(SengokuError) if kind else nullcontext():
            await self.close()


if TYPE_CHECKING:  # at run time the decorators return plain functions and properties

    class method(Generic[P, A]):  # noqa: N801 - a decorator
        """A method that returns the result of a call or a flow; it blocks or is awaited."""

        __wrapped__: Callable[..., Any]
        """The function that returns the call or the flow, for use in other flows."""

        @overload
        def __init__(self, function: Callable[Concatenate[Any, P], Call[A]]) -> None: ...
        @overload
        def __init__(self, function: Callable[Concatenate[Any, P], Flow[A]]) -> None: ...
        def __init__(self, function: Any) -> None: ...
        @overload
        def __get__(self, instance: None, owner: object) -> method[P, A]: ...
        @overload
        def __get__(self, instance: BlockingMethods, owner: object) -> Callable[P, A]: ...
        @overload
        def __get__(self, instance: AsyncMethods, owner: object) -> Callable[P, Coroutine[Any, Any, A]]: ...
        def __get__(self, instance: Any, owner: object) -> Any: ...

    class remote_property(Generic[A]):  # noqa: N801 - a decorator
        """A property whose value is the result of a call; reading it blocks or is awaited."""

        def __init__(self, function: Callable[[Any], Call[A]]) -> None: ...
        @overload
        def __get__(self, instance: BlockingMethods, owner: object) -> A: ...
        @overload
        def __get__(self, instance: AsyncMethods, owner: object) -> Coroutine[Any, Any, A]: ...
        def __get__(self, instance: Any, owner: object) -> Any: ...

    class stream(Generic[P, A]):  # noqa: N801 - a decorator
        """A method that returns an iterator of the values that a flow emits, or an async iterator."""

        def __init__(self, function: Callable[Concatenate[Any, P], StreamFlow[A]]) -> None: ...
        @overload
        def __get__(self, instance: BlockingMethods, owner: object) -> Callable[P, Iterator[A]]: ...
        @overload
        def __get__(self, instance: AsyncMethods, owner: object) -> Callable[P, AsyncIterator[A]]: ...
        def __get__(self, instance: Any, owner: object) -> Any: ...

else:

    def method(function):
        """Make a method of a function that returns a `Call` or is a `Flow`."""
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def run(self, *args, **kwargs):
                return self._driver.run(function(self, *args, **kwargs))

            return _with_result(run, function, "{}")

        @functools.wraps(function)
        def call(self, *args, **kwargs):
            return self._driver.call(function, self, *args, **kwargs)

        return _with_result(call, function, "{}")

    def remote_property(function):
        """Make a property of a function that returns a `Call`."""
        return property(method(function))

    def stream(function):
        """Make a method that returns an iterator of a `StreamFlow`."""

        @functools.wraps(function)
        def iterate(self, *args, **kwargs):
            return self._driver.iterate(function(self, *args, **kwargs))

        return _with_result(iterate, function, "Iterator[{}]")

    def _with_result(wrapper, function, form):
        """Annotate a method with what its callers get: A instead of Flow[A]."""
        signature = inspect.signature(function)
        result = signature.return_annotation.partition("[")[2].removesuffix("]")
        wrapper.__signature__ = signature.replace(return_annotation=form.format(result))
        return wrapper


class Api:
    """The base of all classes with methods that call a server."""

    _driver: Any

    def _deadline(self, timeout: float | None) -> Deadline:
        """Return the deadline of several calls; by default, the timeout of the connection."""
        return Deadline(self._driver.connection.timeout if timeout is None else timeout)


class Remote(Api):
    """The base of objects on a server, such as a match; their calls go through their client's driver."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._driver = client._driver
