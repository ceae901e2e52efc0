"""Players that connect to a server, as bots and as raw streams."""

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import grpc

from sengoku import Cancel, Client
from sengoku.errors import (
    SengokuError,
)
from sengoku.server import Limits, Server
from sengoku.v1 import player_service_pb2 as pb2
from support.process import soon
from support.wire import error_of

SHORT: dict[str, dict[str, Any]] = {
    "swords": {"max_rounds": 1},
    "tower": {"max_rounds": 3},
    "battles": {"scenario": 1, "max_rounds": 10},
}
"""Setups of matches with about 200 decisions; a whole battle of random moves has 3,600."""


TABLES = [("swords", 3), ("tower", 3), ("battles", 2)]


CONNECT = "/sengoku.v1.PlayerService/Connect"


@contextmanager
def connected(server: Server, *bots: Any, **options: Any) -> Iterator[list[SengokuError]]:
    """Connects bots to a server as players; yields the errors that ended their connections."""
    stop, ended = Cancel(), []

    def run(bot: Any) -> None:
        with Client(server.address, **options) as client:
            try:
                client.serve_bot(bot, stop=stop)
            except SengokuError as error:
                ended.append(error)

    threads = [threading.Thread(target=run, args=(bot,)) for bot in bots]
    with Client(server.address, timeout=30, **options) as client:

        def streams() -> int:
            return sum(player["streams"] for player in client.players())

        before = streams()
        for thread in threads:
            thread.start()
        assert soon(lambda: streams() >= before + len(bots) or bool(ended))
        try:
            yield ended
        finally:
            stop.cancel()
            for thread in threads:
                thread.join(30)
                assert not thread.is_alive()


class Raw:
    """A player that says whatever the test wants it to."""

    def __init__(self, address: str, token: str | None = None, **hello: Any) -> None:
        self._channel = grpc.insecure_channel(address)
        self._out: queue.SimpleQueue[Any] = queue.SimpleQueue()
        call = self._channel.stream_stream(
            CONNECT,
            request_serializer=lambda message: (
                message if isinstance(message, bytes) else message.SerializeToString()
            ),
            response_deserializer=pb2.ConnectResponse.FromString,
        )
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self.call = call(iter(self._out.get, None), metadata=metadata, timeout=60)
        if hello:
            self.say(hello=pb2.PlayerHello(**hello))

    def say(self, **message: Any) -> None:
        """Sends a message."""
        self._out.put(pb2.ConnectRequest(**message))

    def send(self, data: bytes) -> None:
        """Sends bytes as they are."""
        self._out.put(data)

    def answer(self, *answers: tuple[int, int]) -> None:
        """Answers decisions."""
        some = [pb2.PlayerAnswer(id=number, action=action) for number, action in answers]
        self.say(answers=pb2.PlayerAnswers(answers=some))

    def hear(self, kind: str) -> Any:
        """Waits for the next message of a kind; heartbeats are answered on the way."""
        try:
            for message in self.call:
                found = message.WhichOneof("message")
                if found == kind:
                    return getattr(message, found)
                if found == "heartbeat":
                    self.say(heartbeat=message.heartbeat)
        except grpc.RpcError as failure:
            raise error_of(failure) from None
        raise EOFError

    def play(self, stop: Callable[[pb2.PlayerDecision], bool] = lambda _: False) -> pb2.PlayerDecision | None:
        """Takes the first action everywhere, until a decision that it shall stop at, or the goodbye."""
        with suppress(EOFError):
            while True:
                for decision in self.hear("decisions").decisions:
                    if stop(decision):
                        return decision
                    self.answer((decision.id, decision.legal[0]))
        return None

    def end(self) -> None:
        """Ends the requests of the stream."""
        self._out.put(None)

    def close(self) -> None:
        """Breaks off."""
        self.call.cancel()
        self._out.put(None)
        self._channel.close()

    def __enter__(self) -> "Raw":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Asking:
    """A call of PlayMatches in a thread of its own."""

    def __init__(self, server: Server, game: str = "battles", **request: Any) -> None:
        self.report: Any = None
        self.error: BaseException | None = None
        self.cancel = Cancel()
        self._thread = threading.Thread(target=self._run, args=(server, game, request))
        self._thread.start()

    def _run(self, server: Server, game: str, request: dict[str, Any]) -> None:
        request = {"match_count": 1, "seed": 3, "setup": SHORT[game]} | request
        with Client(server.address, timeout=60) as client:
            try:
                self.report = client.play_matches(game, cancel=self.cancel, **request)
            except SengokuError as error:
                self.error = error

    def wait(self) -> Any:
        """Returns the report, or raises the error of the call."""
        self._thread.join(60)
        assert not self._thread.is_alive()
        if self.error is not None:
            raise self.error
        return self.report


@contextmanager
def limited(limits: Limits | None = None, **more: int) -> Iterator[Server]:
    with Server(port=0, limits=limits or Limits(**more)) as server:
        yield server
        server.stop(0).wait()


def suppressed(work: Callable[[], Any]) -> None:
    """Does something that ends with its connection."""
    with suppress(SengokuError, ValueError, AssertionError):  # cancelled calls carry no reason
        work()
