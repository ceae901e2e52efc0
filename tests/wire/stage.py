"""What the scripts of calls share: a server, a proxy in front of it, a client, and raw calls."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

import grpc
from google.protobuf import message_factory
from google.protobuf.message import Message

from sengoku import Client
from sengoku.errors import SengokuError
from sengoku.server import Limits, Server
from wire.normalise import methods
from wire.proxy import Proxy, Recording

TIMEOUT = 60.0


class Stage:
    """A place where a script makes calls."""

    def __init__(self, recording: Recording, server: Server, address: str, client: Client) -> None:
        self._recording = recording
        self.server = server
        self.address = address
        """Of the proxy."""
        self.client = client
        """Talks to the proxy."""
        self.channel = grpc.insecure_channel(address)
        self.direct_client = Client(server.address, timeout=TIMEOUT)
        """Talks to the server, so that nothing is recorded."""

    def step(self, label: str) -> AbstractContextManager[None]:
        """Names what is called in a block."""
        return self._recording.step(label)

    @contextmanager
    def refused(self, label: str, reason: str) -> Iterator[None]:
        """A step that ends with an error of this reason; that of a raw call is only recorded."""
        with self.step(label), self.expect(reason):
            yield

    @contextmanager
    def expect(self, reason: str) -> Iterator[None]:
        """A part of a step that ends with an error of this reason."""
        try:
            yield
        except grpc.RpcError:
            found = ""
        except SengokuError as error:
            found = error.reason
        else:
            found = "no error"
        if found != reason:
            raise AssertionError(f"{found} instead of {reason or 'any error'}")

    def direct(self, request: Message) -> Any:
        """Calls the method that takes this request without the proxy."""
        return self.direct_client.ask(request)

    def raw(self, method: str, *requests: Message | bytes) -> list[Any]:
        """Calls a method such as `OddsService/Evaluate` without the client, and gives its answers."""
        return list(self.stream(method, iter(requests)))

    def stream(self, method: str, requests: Iterator[Message | bytes]) -> Any:
        """Begins a call without the client, and gives it."""
        name = f"/{method}" if method.startswith("google.") else f"/sengoku.v1.{method}"
        descriptor = methods().get(name)
        read = None
        if descriptor is not None:
            read = message_factory.GetMessageClass(descriptor.output_type).FromString
        call = self.channel.stream_stream(name, request_serializer=_bytes, response_deserializer=read)
        return call(requests, timeout=TIMEOUT)

    def attempt(self, method: str, *requests: Message | bytes) -> None:
        """Calls a method that may answer or refuse; the recording has which."""
        with suppress(grpc.RpcError):
            self.raw(method, *requests)


def _bytes(message: Message | bytes) -> bytes:
    return message if isinstance(message, bytes) else message.SerializeToString()


@contextmanager
def stage(recording: Recording, **limits: int) -> Iterator[Stage]:
    """Starts a server and its proxy for a script."""
    streams = {name for name, method in methods().items() if method.client_streaming}
    with (
        Server(port=0, threads=2, limits=Limits(**limits)) as server,
        Proxy(server.address, recording, streams) as proxy,
        Client(proxy.address, timeout=TIMEOUT, retries=0) as client,
    ):
        made = Stage(recording, server, proxy.address, client)
        try:
            yield made
        finally:
            made.channel.close()
            made.direct_client.close()
            server.stop(0).wait()


def soon(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    """Waits until something is so."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.01)


class Talk:
    """A stream on which a script says whatever it wants to, when it wants to."""

    def __init__(self, on: Stage, method: str) -> None:
        self._out: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self.call = on.stream(method, iter(self._out.get, None))

    def send(self, message: Message) -> None:
        """Sends a message."""
        self._out.put(message)

    def receive(self) -> Any:
        """Waits for the next message; an error of the server is raised."""
        return next(self.call)

    def end(self) -> None:
        """Says no more."""
        self._out.put(None)


class Background:
    """Something that goes on in a thread while the script goes on."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._error: BaseException | None = None

        def run() -> None:
            try:
                work()
            except BaseException as error:  # noqa: BLE001 - raised where the thread is joined
                self._error = error

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Waits for the end, and raises what went wrong."""
        self._thread.join(TIMEOUT)
        assert not self._thread.is_alive(), "it does not end"
        if self._error is not None:
            raise self._error
