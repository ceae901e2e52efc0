"""Calls described once and made in two ways: one waits for the answer, the other is awaited.

A method of a client is written as steps: a generator that yields what is to be asked and gets the answers.
A `Door` takes the steps one by one, an `AsyncDoor` awaits each; so every method is there twice, written once.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import ipaddress
import json
import math
import queue
import threading
import time
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from grpc import aio
from grpc_health.v1 import health_pb2
from grpc_status import rpc_status

from sengoku._core import Cancel
from sengoku.errors import (
    ArgumentError,
    BusyError,
    CancelledError,
    DeadlineError,
    InternalError,
    LimitError,
    SengokuError,
    UnavailableError,
    UnknownMethodError,
)
from sengoku.wire import convert
from sengoku.wire.methods import method_options, methods

__all__ = ["AsyncDoor", "Connection", "Door", "Gifts", "Patience", "Steps", "Tls", "ask", "asked", "given"]

A = TypeVar("A")
P = ParamSpec("P")

REQUEST_ID = "x-request-id"
"""Metadata that names a call in the logs of both sides."""
MOST_RETRIES = 4
"""gRPC sends a call at most five times."""
_LOOK_SECONDS = 0.05
"""How often a long call looks whether it shall stop."""


# What can be asked


@dataclass(frozen=True)
class Rpc:
    """A method of a service."""

    service: str
    method: str
    response: type[Message]
    stream: bool
    """Whether it answers with a stream."""
    again: bool
    """Whether it may be sent once more when nobody knows what became of it (AIP-194)."""
    both: bool = False
    """Whether it is also asked by a stream."""

    @property
    def path(self) -> str:
        """How gRPC names it."""
        return f"/{self.service}/{self.method}"


def _rpc(method: MethodDescriptor) -> Rpc:
    return Rpc(
        service=method.containing_service.full_name,
        method=method.name,
        response=message_factory.GetMessageClass(method.output_type),
        stream=method.server_streaming,
        both=method.client_streaming,
        again=method_options(method.full_name).can_retry,
    )


RPCS = {method.input_type.full_name: _rpc(method) for method in methods()}
"""The method of each request: no two methods share one."""
_CHECK = health_pb2.DESCRIPTOR.services_by_name["Health"].methods_by_name["Check"]
RPCS[_CHECK.input_type.full_name] = _rpc(_CHECK)


@dataclass(frozen=True, slots=True)
class Ask:
    """A request that is to be sent; its answer comes back, or the whole of a stream, message by message.

    Where a method is asked by a stream, this is the first message of it.
    """

    request: Message
    timeout: float | None = None
    """Seconds; None is as long as the connection waits for anything, infinite is for ever."""
    cancel: Cancel | None = None

    @property
    def rpc(self) -> Rpc:
        """The method that takes the request."""
        return RPCS[self.request.DESCRIPTOR.full_name]


@dataclass(frozen=True, slots=True)
class Next:
    """The next message of a stream is wanted; None comes after the last."""

    stream: Stream
    cancel: Cancel | None = None
    """Ends the wait with `CancelledError`, if the stream was asked for with it or is one in both directions.
    """


@dataclass(frozen=True, slots=True)
class Send:
    """Another message goes to a method that is asked by a stream; None is the end of it."""

    stream: Stream
    message: Message | None


@dataclass(frozen=True, slots=True)
class Sleep:
    """A while is to pass."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Give(Generic[A]):
    """Something for who iterates."""

    value: A


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream that is open; the answer to an `Ask` whose method has one."""

    call: Any
    request_id: str

    def close(self) -> None:
        """Lets the server know that nobody listens any more; a stream that is over does not mind."""
        self.call.cancel()


Step = Ask | Next | Send | Sleep
Steps = Generator[Step, Any, A]
"""What is to be asked for an answer of type A."""
Gifts = Generator[Step | Give[A], Any, None]
"""What is to be asked for things of type A, one after the other."""


def ask(request: Message, timeout: float | None = None, cancel: Cancel | None = None) -> Steps[Any]:
    """Asks for one answer."""
    answer = yield Ask(request, timeout, cancel)
    return answer


# What a method gives: at run time all of these are plain functions and properties


if TYPE_CHECKING:

    class asked(Generic[P, A]):  # noqa: N801 - a decorator
        """A method whose steps end in an answer; behind an `AsyncDoor` it is to be awaited."""

        def __init__(self, function: Callable[Concatenate[Any, P], Steps[A]]) -> None: ...
        @overload
        def __get__(self, instance: Blocking, owner: object) -> Callable[P, A]: ...
        @overload
        def __get__(self, instance: Awaited, owner: object) -> Callable[P, Coroutine[Any, Any, A]]: ...
        def __get__(self, instance: Any, owner: object) -> Any: ...

    class asked_property(Generic[A]):  # noqa: N801 - a decorator
        """A property whose steps end in its value; behind an `AsyncDoor` it is to be awaited."""

        def __init__(self, function: Callable[[Any], Steps[A]]) -> None: ...
        @overload
        def __get__(self, instance: Blocking, owner: object) -> A: ...
        @overload
        def __get__(self, instance: Awaited, owner: object) -> Coroutine[Any, Any, A]: ...
        def __get__(self, instance: Any, owner: object) -> Any: ...

    class given(Generic[P, A]):  # noqa: N801 - a decorator
        """A method that gives things one after the other; behind an `AsyncDoor` by an async iterator."""

        def __init__(self, function: Callable[Concatenate[Any, P], Gifts[A]]) -> None: ...
        @overload
        def __get__(self, instance: Blocking, owner: object) -> Callable[P, Iterator[A]]: ...
        @overload
        def __get__(self, instance: Awaited, owner: object) -> Callable[P, AsyncIterator[A]]: ...
        def __get__(self, instance: Any, owner: object) -> Any: ...

else:

    def asked(function):
        """Makes a method of steps."""
        return _through_door(function, "run")

    def asked_property(function):
        """Makes a property of steps."""
        return property(_through_door(function, "run"))

    def given(function):
        """Makes a method that gives an iterator of steps."""
        return _through_door(function, "iterate")

    def _through_door(function, way):
        @functools.wraps(function)
        def method(self, *args, **kwargs):
            return getattr(self._door, way)(function(self, *args, **kwargs))

        signature = inspect.signature(function)
        kind, _, told = str(signature.return_annotation).rstrip("]").partition("[")
        answer = f"Iterator[{told}]" if kind == "Gifts" else told
        method.__signature__ = signature.replace(return_annotation=answer)
        return method


class Blocking:
    """Something whose methods wait for their answers: its `_door` is a `Door`."""


class Awaited:
    """Something whose methods are awaited: its `_door` is an `AsyncDoor`."""


# Connections


@dataclass(frozen=True)
class Tls:
    """Files that a connection is kept safe by, all in PEM.

    `ca` says whom to trust, without it the authorities that gRPC knows; `cert` and `key` say who we are to a
    server that wants to know; `name` is what the server's certificate says, where that is not its address.
    """

    ca: str | Path | None = None
    cert: str | Path | None = None
    key: str | Path | None = field(default=None, repr=False)
    name: str | None = None

    def credentials(self) -> grpc.ChannelCredentials:
        """Reads the files."""
        if (self.cert is None) != (self.key is None):
            missing = "key" if self.key is None else "cert"
            message = "a certificate and its key go together: tls has no " + missing
            raise ArgumentError(message, {"field": f"tls.{missing}"})
        ca, cert, key = (_read(f"tls.{name}", getattr(self, name)) for name in ("ca", "cert", "key"))
        return grpc.ssl_channel_credentials(ca, key, cert)


def _read(name: str, file: str | Path | None) -> bytes | None:
    if file is None:
        return None
    try:
        return Path(file).read_bytes()
    except OSError as error:
        details = {"field": name, "value": str(file)}
        raise ArgumentError(f"{name} is {str(file)!r}: {error.strerror or error}", details) from error


def is_loopback(target: str) -> bool:
    """Whether what is sent to a target stays on this machine.

    >>> [is_loopback(target) for target in ("localhost:1", "127.8.0.1:1", "dns:///[::1]:1", "unix:/x")]
    [True, True, True, True]
    >>> [is_loopback(target) for target in ("10.0.0.1:1", "localhost.org:1", "ipv4:127.0.0.1:1,9.9.9.9:1")]
    [False, False, False]
    """
    if target.startswith(("unix:", "unix-abstract:")):
        return True
    scheme, colon, rest = target.partition(":")
    names = rest if colon and scheme in ("dns", "ipv4", "ipv6") else target
    return all(_is_local_name(name.rpartition("/")[2]) for name in names.split(","))


def _is_local_name(name: str) -> bool:
    host = name[1:].partition("]")[0] if name.startswith("[") else name
    if not name.startswith("[") and host.count(":") == 1:
        host = host.partition(":")[0]
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def seconds(timeout: float | None) -> float | None:
    """A time-out that gRPC can count: none for none and for ever, and no nonsense."""
    if timeout is None or timeout == math.inf:
        return None
    if math.isnan(timeout):
        raise ArgumentError("timeout is nan, not a number of seconds", {"field": "timeout", "value": "nan"})
    return min(timeout, 1e8)


class Patience:
    """How long several calls may take together."""

    def __init__(self, timeout: float | None) -> None:
        wait = seconds(timeout)
        self._end = math.inf if wait is None else time.monotonic() + wait

    @property
    def left(self) -> float:
        """Seconds that are left, infinitely many without an end."""
        return max(0.0, self._end - time.monotonic())


@dataclass(frozen=True)
class Connection:
    """Where a server is, and how it is talked to."""

    target: str
    timeout: float | None = None
    retries: int = 3
    tls: bool | Tls = False
    token: str | None = field(default=None, repr=False)
    allow_insecure_token: bool = False
    keepalive: float | None = 60.0

    def __post_init__(self) -> None:
        target = self.target
        if not isinstance(target, str) or not target.strip() or not target.isprintable():
            details = {"field": "target", "value": ascii(target)}
            raise ArgumentError(f"target is {target!a}, not host:port", details)
        seconds(self.timeout)
        if not 0 <= self.retries <= MOST_RETRIES:
            details = {"field": "retries", "value": str(self.retries)}
            raise ArgumentError(f"retries is {self.retries}, 0 to {MOST_RETRIES} are possible", details)
        if (
            self.keepalive is not None and not 10 <= self.keepalive <= 1e6
        ):  # a server takes fewer for an attack
            details = {"field": "keepalive", "value": str(self.keepalive)}
            raise ArgumentError(f"keepalive is {self.keepalive}, 10 to 1000000 seconds are possible", details)
        if self.token is None:
            return
        if not self.token or not self.token.isascii() or not self.token.isprintable() or " " in self.token:
            raise ArgumentError("token is no word of printable ASCII", {"field": "token"})
        if not (self.tls or self.allow_insecure_token or is_loopback(target)):
            message = f"a token would go to {target} for everybody to read: use TLS, or allow_insecure_token"
            raise ArgumentError(message, {"field": "token", "target": target})

    @property
    def credentials(self) -> grpc.ChannelCredentials | None:
        """What the connection is kept safe by."""
        if isinstance(self.tls, Tls):
            return self.tls.credentials()
        return grpc.ssl_channel_credentials() if self.tls else None

    @property
    def options(self) -> list[tuple[str, Any]]:
        """Options of the channel."""
        options: list[tuple[str, Any]] = [
            ("grpc.max_receive_message_length", -1),
            ("grpc.max_send_message_length", -1),
        ]
        if self.retries:
            options += [
                ("grpc.service_config", json.dumps({"methodConfig": [self._retry_policy()]})),
                # What is longer than this is not kept to be sent again.
                ("grpc.per_rpc_retry_buffer_size", 16 << 20),
            ]
        if isinstance(self.tls, Tls) and self.tls.name is not None:
            options.append(("grpc.ssl_target_name_override", self.tls.name))
        if self.keepalive is not None:
            options += [
                ("grpc.keepalive_time_ms", round(1e3 * self.keepalive)),
                ("grpc.keepalive_timeout_ms", 20_000),
            ]
        return options

    def _retry_policy(self) -> dict[str, Any]:
        """Which calls gRPC sends again, and when: later each time, by chance a little more or less."""
        names = [{"service": rpc.service, "method": rpc.method} for rpc in RPCS.values() if rpc.again]
        policy = {
            "maxAttempts": self.retries + 1,
            "initialBackoff": "0.1s",
            "maxBackoff": "5s",
            "backoffMultiplier": 3,
            "retryableStatusCodes": ["UNAVAILABLE"],
        }
        return {"name": names, "retryPolicy": policy}

    def metadata(self, request_id: str) -> tuple[tuple[str, str], ...]:
        """What is sent beside a request."""
        named = (REQUEST_ID, request_id)
        return (named,) if self.token is None else (named, ("authorization", f"Bearer {self.token}"))

    def wait_for(self, ask: Ask) -> float | None:
        """Seconds until gRPC gives a call up."""
        return seconds(self.timeout if ask.timeout is None else ask.timeout)


# Errors


def _error(failure: Any, request_id: str) -> SengokuError:
    """Turns the failure of a call back into the error it was made from."""
    error: SengokuError | None = None
    with suppress(ValueError, DecodeError):  # details that are none, or do not fit the code
        status = rpc_status.from_call(failure)
        error = convert.error_from_status(status) if status else None
    if error is None:
        # What gRPC itself says has a code and no reason.
        code, text = failure.code(), failure.details() or ""
        kind: type[SengokuError] = _BY_CODE.get(code, InternalError)
        if code is grpc.StatusCode.RESOURCE_EXHAUSTED:
            # Too many calls at once, in gRPC's words, or too long a message.
            kind = BusyError if "limit exceeded" in text.lower() else LimitError
        error = kind(f"{code.name}: {text}", {"code": code.name})
    error.request_id = request_id
    return error


_BY_CODE = {
    grpc.StatusCode[error.status]: error
    for error in (CancelledError, DeadlineError, UnavailableError, UnknownMethodError)
}


# The doors


class _Wire:
    """A channel and the functions that call its methods."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._credentials = connection.credentials
        self._channel: Any = None
        self._methods: dict[str, Any] = {}

    def _method(self, ask: Ask) -> Any:
        """Gives the function that calls the method of a request."""
        rpc = ask.rpc
        if rpc.path not in self._methods:
            channel = self._channel
            kind = channel.stream_stream if rpc.both else channel.unary_stream
            kind = kind if rpc.stream else channel.unary_unary
            self._methods[rpc.path] = kind(
                rpc.path,
                request_serializer=type(ask.request).SerializeToString,
                response_deserializer=rpc.response.FromString,
            )
        return self._methods[rpc.path]

    def _options(self, ask: Ask, request_id: str) -> dict[str, Any]:
        how = self.connection
        return {"timeout": how.wait_for(ask), "metadata": how.metadata(request_id)}


class Door(_Wire):
    """Takes steps one by one and waits for each."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        if self._credentials is not None:
            where, how = connection.target, connection.options
            self._channel = grpc.secure_channel(where, self._credentials, options=how)
        else:
            self._channel = grpc.insecure_channel(connection.target, options=connection.options)

    def close(self) -> None:
        """Ends the connection."""
        self._channel.close()

    def run(self, steps: Steps[A]) -> A:
        """Takes all steps and gives what they end in."""
        try:
            step = next(steps)
            while True:
                try:
                    answer = self._take(step)
                except BaseException as error:  # noqa: BLE001 - the steps say what becomes of it
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        finally:
            steps.close()

    def iterate(self, gifts: Gifts[A]) -> Iterator[A]:
        """Takes the steps as somebody wants what they give."""
        try:
            step = next(gifts)
            while True:
                if isinstance(step, Give):
                    yield step.value
                    step = next(gifts)
                    continue
                try:
                    answer = self._take(step)
                except BaseException as error:  # noqa: BLE001
                    step = gifts.throw(error)
                else:
                    step = gifts.send(answer)
        except StopIteration:
            return
        finally:
            gifts.close()

    def _take(self, step: Step) -> Any:
        if isinstance(step, Sleep):
            return time.sleep(step.seconds)
        if isinstance(step, Send):
            step.stream.call.send(step.message)
            return None
        if isinstance(step, Next):
            with _told(step.stream.request_id):
                call = step.stream.call
                return call.receive(step.cancel) if isinstance(call, _Conversation) else next(call, None)
        request_id = uuid.uuid4().hex
        options = self._options(step, request_id)
        with _told(request_id):
            method = self._method(step)
            if step.rpc.stream:
                return Stream(self._stream(step, partial(method, **options)), request_id)
            if step.cancel is None:
                return method(step.request, **options)
            return self._hearing(method.future(step.request, **options), step.cancel)

    @staticmethod
    def _stream(step: Ask, method: Callable[..., Any]) -> Any:
        """Opens a stream."""
        if step.rpc.both or step.cancel is not None:
            return _Conversation(method, step.request, both=step.rpc.both)
        return method(step.request)

    @staticmethod
    def _hearing(call: Any, cancel: Cancel) -> Any:
        """Waits for the answer, and hears the wish to stop while it waits."""
        try:
            while not cancel.cancelled:
                with suppress(grpc.FutureTimeoutError):
                    return call.result(timeout=_LOOK_SECONDS)
            raise CancelledError(_STOPPED)
        finally:
            call.cancel()  # whatever made us leave; a call that is done does not mind


class _Conversation:
    """A stream that whoever waits for its messages can still be called away from, and may send to."""

    def __init__(self, method: Callable[[Any], Any], first: Message, *, both: bool) -> None:
        self._outbox: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._inbox: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        self._over = False
        self._outbox.put(first)
        self._call = method(iter(self._outbox.get, None) if both else first)
        threading.Thread(target=self._read, name="sengoku-stream", daemon=True).start()

    def _read(self) -> None:
        failure: BaseException | None = None
        try:
            for message in self._call:
                self._inbox.put((message, None))
        except BaseException as error:  # noqa: BLE001 - told to whoever waits
            failure = error
        self._inbox.put((None, failure))

    def send(self, message: Message | None) -> None:
        """Sends a message, without waiting until it is gone."""
        self._outbox.put(message)

    def receive(self, cancel: Cancel | None) -> Any:
        """Waits for the next message; None comes after the last."""
        while not self._over:
            if cancel is not None and cancel.cancelled:
                raise CancelledError(_STOPPED)
            try:
                message, failure = self._inbox.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                continue
            self._over = message is None
            if failure is not None:
                raise failure
            return message
        return None

    def cancel(self) -> None:
        """Ends it; one that is over does not mind."""
        self._call.cancel()
        self._outbox.put(None)


class _AsyncConversation:
    """The same, awaited."""

    def __init__(self, call: Any) -> None:
        self._call = call
        self._reading: asyncio.Future[Any] | None = None

    async def send(self, message: Message | None) -> None:
        """Sends a message, as soon as there is room for it."""
        await (self._call.done_writing() if message is None else self._call.write(message))

    async def receive(self, cancel: Cancel | None) -> Any:
        """Awaits the next message; None comes after the last."""
        # It goes on when somebody is called away: gRPC would end the whole call with it.
        self._reading = reading = self._reading or asyncio.ensure_future(self._call.read())
        while not reading.done():
            if cancel is not None and cancel.cancelled:
                raise CancelledError(_STOPPED)
            await asyncio.wait({reading}, timeout=None if cancel is None else _LOOK_SECONDS)
        self._reading = None
        message = reading.result()
        return None if message is aio.EOF else message  # type: ignore[attr-defined]

    def cancel(self) -> None:
        """Ends it; one that is over does not mind."""
        self._call.cancel()
        if self._reading is not None:
            self._reading.cancel()


class AsyncDoor(_Wire):
    """Takes steps one by one and awaits each; all of them in one event loop."""

    def _method(self, ask: Ask) -> Any:
        if self._channel is None:  # not before somebody calls: a channel belongs to the loop that runs then
            where, how = self.connection.target, self.connection
            if self._credentials is not None:
                self._channel = aio.secure_channel(where, self._credentials, options=how.options)
            else:
                self._channel = aio.insecure_channel(where, options=how.options)
        return super()._method(ask)

    async def close(self) -> None:
        """Ends the connection."""
        if self._channel is None:
            self._channel = aio.insecure_channel(self.connection.target)
        await self._channel.close()

    async def run(self, steps: Steps[A]) -> A:
        """Takes all steps and gives what they end in."""
        try:
            step = next(steps)
            while True:
                try:
                    answer = await self._take(step)
                except BaseException as error:  # noqa: BLE001 - the steps say what becomes of it
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        finally:
            steps.close()

    async def iterate(self, gifts: Gifts[A]) -> AsyncIterator[A]:
        """Takes the steps as somebody wants what they give."""
        try:
            step = next(gifts)
            while True:
                if isinstance(step, Give):
                    yield step.value
                    step = next(gifts)
                    continue
                try:
                    answer = await self._take(step)
                except BaseException as error:  # noqa: BLE001
                    step = gifts.throw(error)
                else:
                    step = gifts.send(answer)
        except StopIteration:
            return
        finally:
            gifts.close()

    async def _take(self, step: Step) -> Any:
        if isinstance(step, Sleep):
            return await asyncio.sleep(step.seconds)
        if isinstance(step, Send):
            with _told(step.stream.request_id):
                return await step.stream.call.send(step.message)
        if isinstance(step, Next):
            with _told(step.stream.request_id):
                return await step.stream.call.receive(step.cancel)
        request_id = uuid.uuid4().hex
        options = self._options(step, request_id)
        with _told(request_id):
            if step.rpc.both:
                call = self._method(step)(**options)
                await call.write(step.request)
            else:
                call = self._method(step)(step.request, **options)
            if step.rpc.stream:
                return Stream(_AsyncConversation(call), request_id)
            return await (call if step.cancel is None else self._hearing(call, step.cancel))

    @staticmethod
    async def _hearing(call: Any, cancel: Cancel) -> Any:
        """Awaits the answer, and hears the wish to stop while it does."""

        async def answer() -> Any:
            return await call

        waiting = asyncio.ensure_future(answer())
        try:
            while not cancel.cancelled:
                if (await asyncio.wait({waiting}, timeout=_LOOK_SECONDS))[0]:
                    return waiting.result()
            raise CancelledError(_STOPPED)
        finally:
            waiting.cancel()  # whatever made us leave, and with it the call


@contextmanager
def _told(request_id: str) -> Iterator[None]:
    """Turns what gRPC raises into our errors."""
    try:
        yield
    except SengokuError:
        raise
    except grpc.FutureCancelledError:
        raise CancelledError(_STOPPED) from None
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise CancelledError(_STOPPED) from None  # nobody wants us to stop: the connection was closed
    except grpc.RpcError as failure:
        raise _error(failure, request_id) from None
    except (ValueError, aio.UsageError) as closed:
        raise UnavailableError(f"the client cannot call any more: {closed}") from None


_STOPPED = "the work was cancelled"
