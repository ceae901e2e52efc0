"""A simulated server process: store, executor, runs, tournaments and their services, without sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from inspect import isasyncgenfunction, iscoroutinefunction
from pathlib import Path
from typing import Any

from google.protobuf.message import Message

from sengoku.server.auth import Caller
from sengoku.server.broadcast import Broadcaster
from sengoku.server.call import Call
from sengoku.server.executor import Executor
from sengoku.server.jobs.runs import Runs
from sengoku.server.jobs.tournaments import Tournaments
from sengoku.server.limits import Limits
from sengoku.server.live_matches import LiveMatches
from sengoku.server.metrics import Metrics
from sengoku.server.player_registry import PlayerRegistry
from sengoku.server.services.operations import OperationsService
from sengoku.server.services.simulation import SimulationService
from sengoku.server.services.tournament import TournamentService
from sengoku.storage import Store
from sengoku.wire.values import parse
from tests.simulation.loop import Loop
from tests.simulation.primitives import Event
from tests.simulation.scheduler import SimThread, current
from tests.simulation.vfs import NAME

__all__ = ["LIMITS", "Answer", "Server", "Severed"]

LIMITS = Limits(tournaments_at_once=1, heavy_calls=1, queued_calls=8)
_READS = {"get_operation", "list_operations", "get_tournament", "list_tournaments", "get_standings"}


class Severed(Exception):  # noqa: N818
    """The connection is gone: the client cannot know what became of its request."""


class Answer:
    """A call under way, as its client sees it: messages arrive, then the end."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.error: BaseException | None = None
        self.ended = False
        self._news = Event()
        self._room: asyncio.Future[None] | None = None
        self.task: asyncio.Task[Any] | None = None

    def put(self, data: bytes) -> None:
        """Deliver a message."""
        self.messages.append(data)
        self._news.set()

    def end(self, error: BaseException | None = None) -> None:
        """End the call."""
        if not self.ended:
            self.error, self.ended = error, True
        self._news.set()

    def take(self, until: float) -> bytes | None:
        """Wait for the next message; None at the end. Raise TimeoutError at a virtual time."""
        while not self.messages:
            if self.ended:
                if self.error is not None:
                    raise self.error
                return None
            left = until - current().now
            if left <= 0:
                raise TimeoutError
            self._news.clear()
            self._news.wait(left)
        return self.messages.pop(0)


class Server:
    """A server process. All its threads have the name of the process and can be killed together."""

    def __init__(
        self,
        process: str,
        path: Path,
        *,
        seed: object,
        shuffled: bool,
        on_error: Callable[[str], None],
        powered: Callable[[], bool],
    ) -> None:
        """Prepare; `start` starts it. Once the machine is not `powered`, nothing reaches a client."""
        self.process = process
        self._powered = powered
        self._path = path
        self._on_error = on_error
        self._seed, self._shuffled = seed, shuffled
        self.ready = Event()
        self.ended = Event()
        self.failure: BaseException | None = None
        """Why it did not start."""
        self.serving = False
        self._answers: list[Answer] = []
        self.store: Store | None = None
        self._executor: Any = None
        self.loop: Loop | None = None
        self.main: SimThread | None = None

    def start(self) -> None:
        """Start the process."""
        self.main = current().start(self._run, self.process, self.process)

    def _run(self) -> None:
        try:
            self.store = Store(self._path, vfs=NAME)
            self._executor = Executor(LIMITS)
            self.runs = Runs(
                self.store, LIMITS, threads=1, queue=self._executor.queue, played=lambda *_, **__: None
            )
        except Exception as error:  # noqa: BLE001 - the process ends, with this as its last words
            self._give_up(error)
            return
        self.loop = Loop(self._seed, shuffled=self._shuffled, on_error=self._exception)
        self.loop.create_task(self._begin())
        self.loop.run_forever()
        self.loop.close()
        self.ended.set()

    def _give_up(self, error: Exception) -> None:
        self.failure = error
        if self._executor is not None:
            self._executor.close()
        if self.store is not None:
            self.store.close()
        self.ended.set()

    async def _begin(self) -> None:
        assert self.store is not None
        assert self.loop is not None
        try:
            self.tournaments = Tournaments(
                self.store,
                LIMITS,
                PlayerRegistry(LIMITS),
                threads=1,
                queue=self._executor.queue,
                played=lambda *_, **__: None,
                live=LiveMatches(Broadcaster(LIMITS)),
            )
            self._services = [
                OperationsService(self.runs),
                SimulationService(LIMITS, 1, Metrics(), self.runs),
                TournamentService(self.tournaments, LIMITS),
            ]
        except Exception as error:  # noqa: BLE001 - as above
            self.runs.stop(0)
            self._give_up(error)
            self.loop.stop()
            return
        self.runs.begin()
        self.tournaments.begin()
        self.serving = True
        self.ready.set()

    def _exception(self, context: dict[str, Any]) -> None:
        if not self.serving:
            return  # futures of a process that ends are not looked at any more
        error = context.get("exception")
        self._on_error(f"{context.get('message')}: {error!r}")

    # Calls

    def call(self, method: str, request: Message, client: str) -> Answer:
        """Begin a call, from the thread of a client."""
        answer = Answer()
        if not self.serving or self.loop is None:
            answer.end(Severed())
            return answer
        self._answers.append(answer)
        data = request.SerializeToString()

        def begin() -> None:
            assert self.loop is not None
            answer.task = self.loop.create_task(self._handle(method, type(request), data, client, answer))

        self.loop.call_soon_threadsafe(begin)
        return answer

    def leave(self, answer: Answer) -> None:
        """Cancel a call, as gRPC does when its deadline has passed or its client is gone."""

        def cancel() -> None:
            if answer.task is not None:
                answer.task.cancel()

        if self.serving and self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(cancel)

    async def _handle(
        self, method: str, kind: type[Message], data: bytes, client: str, answer: Answer
    ) -> None:
        """Answer a call as `server.dispatch` does."""
        try:
            function: Any = next(
                getattr(service, method) for service in self._services if hasattr(service, method)
            )
            role = "read" if method in _READS else "run"
            call = Call(Caller(client, "run"), "", lambda: None, self._executor, role)  # type: ignore[arg-type]
            request = parse(kind, data)
            if isasyncgenfunction(function):
                async with aclosing(function(request, call)) as messages:
                    async for message in messages:
                        self._send(answer, message.SerializeToString())
            elif iscoroutinefunction(function):
                self._send(answer, (await function(request, call)).SerializeToString())
            else:
                self._send(answer, await call.work(lambda: function(request, call).SerializeToString()))
        except asyncio.CancelledError:
            answer.end(Severed())
            raise
        except Exception as error:  # noqa: BLE001 - for the client
            answer.end(error if self._powered() else Severed())
        else:
            answer.end(None if self._powered() else Severed())
        finally:
            if answer in self._answers:
                self._answers.remove(answer)

    def _send(self, answer: Answer, data: bytes) -> None:
        if self._powered():
            answer.put(data)

    # Ending

    def kill(self) -> None:
        """Kill the process; its clients notice."""
        self.serving = False
        current().kill(self.process)
        if self.loop is not None and not self.loop.is_closed():
            self.loop.close()
        self._sever()
        if self.store is not None:
            self.store.close()  # what the system does: descriptors and locks of the process are gone
        self.ended.set()

    def _sever(self) -> None:
        for answer in self._answers:
            answer.end(Severed())
        self._answers.clear()

    def stop(self, grace: float = 5.0) -> None:
        """Stop gracefully, from any thread, and wait for it."""
        if self.loop is None or self.loop.is_closed():
            return
        self.serving = False
        loop = self.loop

        async def stop() -> None:
            await asyncio.gather(
                loop.run_in_executor(None, self.runs.stop, grace),
                loop.run_in_executor(None, self.tournaments.stop, grace),
            )
            self._executor.close()
            for task in loop.pending():
                if task is not asyncio.current_task():
                    task.cancel()
            while len(loop.pending()) > 1:
                await asyncio.sleep(0.01)
            assert self.store is not None
            self.store.close()
            loop.stop()

        loop.call_soon_threadsafe(lambda: loop.create_task(stop()))
        self.ended.wait()
        self._sever()
