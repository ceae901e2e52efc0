"""A stream of PlayerService.Connect: decisions to the player, answers and heartbeats from it."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from sengoku.bots.port import Ask
from sengoku.engine.talk import MAX_MESSAGES_BETWEEN
from sengoku.errors import ArgumentError, DeadlineError, LimitError, SengokuError
from sengoku.server.limits import Limits
from sengoku.v1 import player_service_pb2 as pb2
from sengoku.wire.matches import said_from_proto
from sengoku.wire.values import seconds_to_proto

if TYPE_CHECKING:
    from sengoku.server.player_registry import Player

__all__ = ["PlayerStream", "response"]

_HEARTBEATS = 3
"""Heartbeats in the time that a player may be silent."""
_REMEMBERED = 8_192
"""Decisions of a stream that are remembered after their end, to tell a late answer from a wrong one."""
_LEAST_LATE = 3
"""Late decisions in a row, at least, before a stream is ended."""
_MOST_BATCH_BYTES = 1 << 20
"""Length of a message of decisions, about."""

_log = logging.getLogger(__name__)


def response(**message: Any) -> pb2.ConnectResponse:
    """Build a message to a player."""
    return pb2.ConnectResponse(**message)


class PlayerStream:
    """One connection of a player. Use it on the server's event loop only."""

    def __init__(self, player: Player, hello: pb2.PlayerHello, limits: Limits) -> None:
        self.player = player
        self.capacity = max(1, hello.capacity)
        self._limits = limits
        self.matches: set[str] = set()
        """Matches under way whose decisions are requested here."""
        self.leaving = False
        """Whether the player takes no more matches here."""
        self.asked: dict[int, Ask] = {}
        """Decisions that the player has to answer, by number."""
        self.waiting: deque[tuple[Ask, pb2.PlayerDecision]] = deque()
        """Decisions that wait until the player has capacity."""
        self._past: OrderedDict[int, pb2.FaultKind | None] = OrderedDict()
        """Fault kind of another answer to decisions that are over; None if it is not a fault."""
        self._numbers = itertools.count(1)
        self._outbox: deque[pb2.ConnectResponse] = deque()
        self._changed = asyncio.Event()
        self._failure: SengokuError | None = None
        self._faults = 0
        self._late = 0
        """Late decisions since the last answer."""
        self._last_message = time.monotonic()
        self._beat = 0
        """Number of the heartbeat that the player has to answer, or 0."""

    # To the player

    def send(self, message: pb2.ConnectResponse) -> None:
        """Queue a message."""
        self._outbox.append(message)
        self._changed.set()

    def send_fault(self, number: int, kind: pb2.FaultKind, message: str) -> None:
        """Queue the report of a fault."""
        self.send(response(fault=pb2.PlayerFault(id=number, kind=kind, message=message)))

    def put(self, ask: Ask, message: pb2.PlayerDecision) -> None:
        """Queue a decision."""
        self.waiting.append((ask, message))
        self._changed.set()

    def wake(self) -> None:
        """Check again whether the stream is over."""
        self._changed.set()

    def fail(self, error: SengokuError) -> None:
        """End the stream with an error."""
        self._failure = self._failure or error
        self._changed.set()

    async def messages(self) -> AsyncIterator[pb2.ConnectResponse]:
        """Yield the messages to the player until one side leaves."""
        silence = float(self._limits.player_silence)
        numbers = itertools.count(1)
        while True:
            if self._failure is not None:
                raise self._failure
            if self._outbox:
                yield self._outbox.popleft()
            elif (batch := self._batch()) is not None:
                yield batch
            elif self._over():
                yield response(goodbye=pb2.PlayerGoodbye())
                return
            else:
                self._changed.clear()
                try:
                    async with asyncio.timeout(silence / _HEARTBEATS):
                        await self._changed.wait()
                except TimeoutError:
                    now = time.monotonic()
                    # A player that owes answers has a clock and need not answer heartbeats.
                    if self.asked:
                        self._last_message = now
                    if now - self._last_message >= silence:
                        message = f"the player was silent for {silence:g} seconds"
                        raise DeadlineError(message, {"limit": f"{silence:g}"}) from None
                    self._beat = next(numbers)
                    yield response(heartbeat=pb2.PlayerHeartbeat(number=self._beat))

    def _over(self) -> bool:
        draining = self.player.players.draining and not self.player.players.hosts
        return not self.matches and (self.leaving or draining)

    def _batch(self) -> pb2.ConnectResponse | None:
        """Return the next decisions within the capacity of the player; their clocks start now."""
        decisions: list[pb2.PlayerDecision] = []
        length, now = 0, time.monotonic()
        while self.waiting and len(self.asked) < self.capacity and length < _MOST_BATCH_BYTES:
            ask, message = self.waiting.popleft()
            if ask.done:
                continue
            if ask.started is None:
                ask.started = now
            message.id = next(self._numbers)
            left = max(0.0, ask.started + ask.allowance - now)
            message.time_left.CopyFrom(seconds_to_proto(left))
            self.asked[message.id] = ask
            decisions.append(message)
            length += 200 + 2 * len(message.legal) + len(message.observation) + len(message.view_json)
            length += 100 * len(message.actions)
        return response(decisions=pb2.PlayerDecisions(decisions=decisions)) if decisions else None

    # From the player

    async def listen(self, requests: AsyncIterator[pb2.ConnectRequest]) -> None:
        """Read the messages of the player until it sends no more; a wrong message ends the stream."""
        try:
            async for request in requests:
                self._last_message = time.monotonic()
                self._receive(request)
        except SengokuError as error:
            self.fail(error)
        else:
            # A player that sends no more cannot answer: it has left, without fault if nothing was open.
            self.leaving = True
            self.player.abandon(self)
            self.wake()

    def _receive(self, request: pb2.ConnectRequest) -> None:
        match request.WhichOneof("message"):
            case "answers":
                self._receive_answers(request.answers)
            case "heartbeat":
                if request.heartbeat.number == self._beat != 0:
                    self._beat = 0
                else:
                    self._fault(0, pb2.FAULT_KIND_UNKNOWN, "no heartbeat with this number was sent")
            case "goodbye":
                self.leaving = True
                self.player.changed()
                self.wake()
            case "hello":
                raise ArgumentError(
                    "hello may only be the first message", {"field": "hello", "value": "twice"}
                )
            case _:
                raise ArgumentError("message is not set", {"field": "message", "value": "none"})

    def _receive_answers(self, message: pb2.PlayerAnswers) -> None:
        received = time.monotonic()
        found: dict[Any, list[tuple[Ask, Any, float]]] = {}
        for answer in message.answers:
            ask = self.asked.pop(answer.id, None)
            if ask is None:
                self._stray(answer.id)
                continue
            self._late = 0
            self._remember(answer.id, pb2.FAULT_KIND_TWICE)
            action: Any = answer.action
            match answer.WhichOneof("answer"):
                case "failure":
                    _log.info("player %s cannot decide: %s", self.player.name, ascii(answer.failure[:200]))
                    action = RuntimeError("the player cannot decide")
                case None:
                    action = None  # never legal
            ask.number = answer.id
            ask.said = self._said(ask, answer)
            found.setdefault(ask.host, []).append((ask, action, received))
        for answers in found.values():
            answers[0][0].answer_all(answers)
        self._changed.set()

    def _said(self, ask: Ask, answer: pb2.PlayerAnswer) -> list[str]:
        """Return what an answer says to other seats; what cannot be read is reported and dropped."""
        found: list[str] = []
        for said in answer.said[:MAX_MESSAGES_BETWEEN]:
            try:
                found.append(json.dumps(said_from_proto(said)))
            except SengokuError as error:
                self.send_fault(ask.number, pb2.FAULT_KIND_MESSAGE, str(error))
        return found

    def _stray(self, number: int) -> None:
        """Handle an answer to a decision that the player does not have to answer."""
        kind = self._past.get(number, pb2.FAULT_KIND_UNKNOWN)
        if kind == pb2.FAULT_KIND_LATE:
            self._past[number] = pb2.FAULT_KIND_TWICE
            self._late = 0  # slow, but alive
            return  # the fault was reported when it became late
        if kind is not None:
            problem = {pb2.FAULT_KIND_TWICE: "was answered before"}.get(kind, "was not sent on this stream")
            self._fault(number, kind, f"decision {number} {problem}")

    def _fault(self, number: int, kind: pb2.FaultKind, message: str) -> None:
        self._faults += 1
        limit = self._limits.player_faults
        if self._faults > limit:
            details = {"field": "player_faults", "value": str(self._faults), "limit": str(limit)}
            text = f"{self._faults} answers of the player match no decision, this server allows {limit}"
            raise LimitError(text, details)
        self.send_fault(number, kind, message)

    def _remember(self, number: int, kind: pb2.FaultKind | None) -> None:
        self._past[number] = kind
        while len(self._past) > _REMEMBERED:
            self._past.popitem(last=False)

    # From the host

    def forget(self, ask: Ask, forfeit: str) -> None:
        """Withdraw a decision that the player has to answer."""
        number = next((number for number, asked in self.asked.items() if asked is ask), None)
        if number is None:
            return
        del self.asked[number]
        self._changed.set()
        if not forfeit:
            self._remember(number, None)
            return
        self._remember(number, pb2.FAULT_KIND_LATE)
        self.send_fault(number, pb2.FAULT_KIND_LATE, f"decision {number} took too long")
        self._late += 1
        if self._late >= max(_LEAST_LATE, self.capacity):
            self.fail(DeadlineError(f"{self._late} decisions in a row were late"))
