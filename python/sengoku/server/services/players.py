"""PlayerService: bots of others connect, are asked, and play matches that somebody wants."""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any

from sengoku import engine
from sengoku._core import Cancel
from sengoku.bots.host import AT_ONCE, Ask, Clock, Host, Over, Port
from sengoku.bots.play import check_count, check_seating, fill_seats, seatings
from sengoku.bots.report import PlayedMatch
from sengoku.engine.games import find_game
from sengoku.errors import (
    ArgumentError,
    BusyError,
    DeadlineError,
    LimitError,
    NameTakenError,
    PlayerNotFoundError,
    QuotaError,
    SengokuError,
)
from sengoku.server.dispatch import Call
from sengoku.server.limits import Limits
from sengoku.server.metrics import Metrics
from sengoku.v1 import player_service_pb2 as pb2
from sengoku.wire import convert

PLAYER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_EVERYTHING = ("observation", "view", "actions")
"""What a player can want to see."""
_HEARTBEATS = 3
"""Heartbeats in the time that a player may be silent."""
_REMEMBERED = 8_192
"""Decisions of a stream that are over and still known, so that a late answer is told from a wrong one."""
_LEAST_LATE = 3
"""Decisions that are late one after the other, at least, before a stream is given up."""
_PAUSE_SECONDS = 0.05
"""How long results are gathered until they are told."""
_MOST_ROWS = 1_000
"""Results of one message."""
_MOST_BATCH_BYTES = 1 << 20
"""Length of a message of decisions, about."""

_log = logging.getLogger(__name__)


def _response(**message: Any) -> pb2.ConnectResponse:
    return pb2.ConnectResponse(**message)


class _Stream:
    """A connection of a player. It belongs to the loop of the server."""

    def __init__(self, player: _Player, hello: pb2.PlayerHello, limits: Limits) -> None:
        self.player = player
        self.capacity = max(1, hello.capacity)
        self._limits = limits
        self.matches: set[str] = set()
        """Matches under way whose decisions are asked here."""
        self.leaving = False
        """Whether the player wants no more matches here."""
        self.asked: dict[int, Ask] = {}
        """Decisions that are with the player, by number."""
        self.waiting: deque[tuple[Ask, pb2.PlayerDecision]] = deque()
        """Decisions that wait until the player has room."""
        self._past: OrderedDict[int, pb2.FaultKind | None] = OrderedDict()
        """What became of decisions that are over: None if their answer is no fault, nor of any use."""
        self._numbers = itertools.count(1)
        self._outbox: deque[pb2.ConnectResponse] = deque()
        self._news = asyncio.Event()
        self._failure: SengokuError | None = None
        self._faults = 0
        self._late = 0
        """Decisions that were late since the last answer."""
        self._heard = time.monotonic()
        self._beat = 0
        """Number of the heartbeat that is to be answered, or 0."""

    # What the player is told

    def send(self, message: pb2.ConnectResponse) -> None:
        """Puts a message in line."""
        self._outbox.append(message)
        self._news.set()

    def put(self, ask: Ask, message: pb2.PlayerDecision) -> None:
        """Puts a decision in line."""
        self.waiting.append((ask, message))
        self._news.set()

    def wake(self) -> None:
        """Looks whether the stream is over."""
        self._news.set()

    def fail(self, error: SengokuError) -> None:
        """Ends the stream with an error."""
        self._failure = self._failure or error
        self._news.set()

    async def messages(self) -> AsyncIterator[pb2.ConnectResponse]:
        """Gives what the player is to be told, until one of both sides leaves."""
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
                yield _response(goodbye=pb2.PlayerGoodbye())
                return
            else:
                self._news.clear()
                try:
                    async with asyncio.timeout(silence / _HEARTBEATS):
                        await self._news.wait()
                except TimeoutError:
                    now = time.monotonic()
                    # Who thinks has a clock, and need not say anything.
                    if self.asked:
                        self._heard = now
                    if now - self._heard >= silence:
                        details = {"limit": f"{silence:g}"}
                        raise DeadlineError(
                            f"the player was silent for {silence:g} seconds", details
                        ) from None
                    self._beat = next(numbers)
                    yield _response(heartbeat=pb2.PlayerHeartbeat(number=self._beat))

    def _over(self) -> bool:
        draining = self.player.players.draining and not self.player.players.hosts
        return not self.matches and (self.leaving or draining)

    def _batch(self) -> pb2.ConnectResponse | None:
        """Gives the next decisions, as many as the player has room for; their clocks begin now."""
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
            message.time_left.CopyFrom(convert.seconds_to_proto(left))
            self.asked[message.id] = ask
            decisions.append(message)
            length += 200 + 2 * len(message.legal) + len(message.observation) + len(message.view_json)
            length += 100 * len(message.actions)
        return _response(decisions=pb2.PlayerDecisions(decisions=decisions)) if decisions else None

    # What the player says

    async def listen(self, requests: AsyncIterator[pb2.ConnectRequest]) -> None:
        """Hears the player until it says no more; what is wrong with a message ends the stream."""
        try:
            async for request in requests:
                self._heard = time.monotonic()
                self._hear(request)
        except SengokuError as error:
            self.fail(error)
        else:
            # Whoever cannot answer any more has gone, politely if nothing was left to do.
            self.leaving = True
            self.player.abandon(self)
            self.wake()

    def _hear(self, request: pb2.ConnectRequest) -> None:
        match request.WhichOneof("message"):
            case "answers":
                self._answers(request.answers)
            case "heartbeat":
                if request.heartbeat.number == self._beat != 0:
                    self._beat = 0
                else:
                    self._fault(0, pb2.FAULT_KIND_UNKNOWN, "this heartbeat was not asked for")
            case "goodbye":
                self.leaving = True
                self.player.changed()
                self.wake()
            case "hello":
                raise ArgumentError("a player says hello only once", {"field": "hello", "value": "twice"})
            case _:
                raise ArgumentError("message is not set", {"field": "message", "value": "none"})

    def _answers(self, message: pb2.PlayerAnswers) -> None:
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
                    action = None  # which is not legal
            ask.number = answer.id
            found.setdefault(ask.host, []).append((ask, action, received))
        for answers in found.values():
            answers[0][0].answer_all(answers)
        self._news.set()

    def _stray(self, number: int) -> None:
        """Hears an answer to a decision that is not with the player."""
        kind = self._past.get(number, pb2.FAULT_KIND_UNKNOWN)
        if kind == pb2.FAULT_KIND_LATE:
            self._past[number] = pb2.FAULT_KIND_TWICE
            self._late = 0  # slow, but there
            return  # it has been told
        if kind is not None:
            said = {pb2.FAULT_KIND_TWICE: "was answered before"}.get(kind, "was not asked of this stream")
            self._fault(number, kind, f"decision {number} {said}")

    def _fault(self, number: int, kind: pb2.FaultKind, message: str) -> None:
        self._faults += 1
        limit = self._limits.player_faults
        if self._faults > limit:
            details = {"field": "player_faults", "value": str(self._faults), "limit": str(limit)}
            text = f"{self._faults} answers of the player have no question, this server allows {limit}"
            raise LimitError(text, details)
        self.send(_response(fault=pb2.PlayerFault(id=number, kind=kind, message=message)))

    def _remember(self, number: int, kind: pb2.FaultKind | None) -> None:
        self._past[number] = kind
        while len(self._past) > _REMEMBERED:
            self._past.popitem(last=False)

    # What the host says

    def forget(self, ask: Ask, forfeit: str) -> None:
        """Gives a decision up that is with the player."""
        number = next((number for number, asked in self.asked.items() if asked is ask), None)
        if number is None:
            return
        del self.asked[number]
        self._news.set()
        if not forfeit:
            self._remember(number, None)
            return
        self._remember(number, pb2.FAULT_KIND_LATE)
        self.send(
            _response(
                fault=pb2.PlayerFault(
                    id=number, kind=pb2.FAULT_KIND_LATE, message=f"decision {number} took too long"
                )
            )
        )
        self._late += 1
        if self._late >= max(_LEAST_LATE, self.capacity):
            self.fail(DeadlineError(f"{self._late} decisions were late, one after the other"))


class _Player(Port):
    """A player that is connected, on one stream or several."""

    def __init__(self, name: str, client: str, players: Players) -> None:
        self.name = f"@{name}"
        self.client = client
        """Whose it is; nobody's as long as it has only been waited for."""
        self.players = players
        self.streams: list[_Stream] = []
        self.games: frozenset[str] = frozenset()
        self.held = 0
        """Calls of PlayMatches and tournaments with this player."""
        self._homes: dict[str, _Stream] = {}
        """The stream on which each match is asked."""
        self._homeless: deque[tuple[Ask, pb2.PlayerDecision]] = deque()
        self._gone: float | None = None

    # As hosts see it, from their threads

    def ask(self, asks: Sequence[Ask]) -> None:
        messages = [(ask, convert.ask_to_proto(ask)) for ask in asks]
        self.players.soon(self._ask, messages)

    def forget(self, ask: Ask, forfeit: str) -> None:
        self.players.soon(self._forget, ask, forfeit)

    def fault(self, ask: Ask, forfeit: str) -> None:
        self.players.soon(self._refused, ask, forfeit)

    def over(self, over: Over) -> None:
        self.players.soon(self._over, over)

    def gone_since(self, ask: Ask, /) -> float | None:
        return None if ask.match_id in self._homes else self._gone

    # On the loop

    def _ask(self, messages: list[tuple[Ask, pb2.PlayerDecision]]) -> None:
        for ask, message in messages:
            if ask.done:
                continue
            home = self._homes.get(ask.match_id)
            if home is None:
                home = min(
                    (stream for stream in self.streams if not stream.leaving),
                    key=lambda stream: len(stream.matches) / stream.capacity,
                    default=None,
                )
                if home is None:
                    self._homeless.append((ask, message))
                    continue
                self._homes[ask.match_id] = home
                home.matches.add(ask.match_id)
            home.put(ask, message)

    def _forget(self, ask: Ask, forfeit: str) -> None:
        home = self._homes.get(ask.match_id)
        if home is not None:
            home.forget(ask, forfeit)
        elif self._homeless:
            # Whoever is waited for in many matches may never come: what is given up is not kept.
            self._homeless = deque(item for item in self._homeless if not item[0].done)

    def _refused(self, ask: Ask, forfeit: str) -> None:
        home = self._homes.get(ask.match_id)
        if home is not None:
            illegal = forfeit == "illegal"
            kind = pb2.FAULT_KIND_ILLEGAL if illegal else pb2.FAULT_KIND_CRASHED
            said = "the action is not legal" if illegal else "the player cannot decide"
            text = f"{said} in match {ask.match_id} after {ask.decisions} decisions"
            home.send(_response(fault=pb2.PlayerFault(id=ask.number, kind=kind, message=text)))

    def _over(self, over: Over) -> None:
        home = self._homes.pop(over.match_id, None)
        if home is not None:
            home.matches.discard(over.match_id)
            home.send(_response(match_over=convert.over_to_proto(over)))

    def join(self, stream: _Stream, games: frozenset[str], wants: frozenset[str]) -> None:
        """Takes a stream in, and gives it what nobody else could take."""
        self.streams.append(stream)
        self.games = games
        self.wants = self.wants | wants
        self.changed()

    def changed(self) -> None:
        """Looks anew whether somebody is there."""
        if any(not stream.leaving for stream in self.streams):
            self._gone = None
            homeless, self._homeless = list(self._homeless), deque()
            self._ask(homeless)
        elif self._gone is None:
            self._gone = time.monotonic()

    def abandon(self, stream: _Stream) -> None:
        """Takes from a stream what it owes; another one gets it, on the same clock."""
        owed = [(ask, convert.ask_to_proto(ask)) for ask in stream.asked.values()] + list(stream.waiting)
        stream.asked.clear()
        stream.waiting.clear()
        for match_id in stream.matches:
            self._homes.pop(match_id, None)
        stream.matches.clear()
        self.changed()
        self._ask(owed)

    def leave(self, stream: _Stream) -> None:
        """Lets a stream go."""
        stream.leaving = True
        self.abandon(stream)
        self.streams.remove(stream)
        self.changed()
        self.players.tidy(self)


class Players:
    """The players that are connected. It belongs to the loop of the server."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._loop: asyncio.AbstractEventLoop | None = None
        self._players: dict[str, _Player] = {}
        self._streams: Counter[str] = Counter()
        """Streams by client."""
        self.hosts = 0
        """Calls of PlayMatches and tournaments under way."""
        self.draining = False

    def soon(self, function: Callable[..., None], *arguments: Any) -> None:
        """Does something on the loop; one that is closed has nobody left to tell."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            try:
                loop.call_soon_threadsafe(function, *arguments)
            except RuntimeError:
                _log.debug("the loop is closed")

    def connected(self) -> int:
        """How many streams of players there are."""
        return self._streams.total()

    def drain(self) -> None:
        """Sends players away, as soon as no matches are played."""
        self.draining = True
        self._wake()

    def _wake(self) -> None:
        for player in self._players.values():
            for stream in player.streams:
                stream.wake()

    def listing(self) -> list[pb2.Player]:
        """Gives the players in the order of their names."""
        return [
            pb2.Player(
                name=name,
                client=player.client,
                games=sorted(player.games),
                streams=len(player.streams),
                capacity=sum(stream.capacity for stream in player.streams),
                asked=sum(len(stream.asked) for stream in player.streams),
            )
            for name, player in sorted(self._players.items())
            if player.streams
        ]

    @contextmanager
    def stream(self, hello: pb2.PlayerHello, client: str) -> Iterator[_Stream]:
        """Has a player connected."""
        self._loop = asyncio.get_running_loop()
        games = _games(hello)
        if not PLAYER_NAME.fullmatch(hello.name):
            shown = ascii(hello.name)[:80]
            message = f"name is {shown}, not 1 to 64 letters, digits, '.', '_' and '-'"
            raise ArgumentError(message, {"field": "name", "value": shown})
        if hello.capacity < 0:
            details = {"field": "capacity", "value": str(hello.capacity)}
            raise ArgumentError(f"capacity is {hello.capacity}, not a number of decisions", details)
        self._limits.check("player_capacity", hello.capacity)
        for error, found, name in (
            (QuotaError, self._streams[client], "client_players"),
            (BusyError, self._streams.total(), "players"),
        ):
            limit = getattr(self._limits, name)
            if found >= limit:
                details = {"field": name, "value": str(found), "limit": str(limit)}
                raise error(f"{found} players are connected, try again later", details, retry_after=5.0)
        player = self._players.get(hello.name)
        if player is not None and player.client not in {"", client}:
            details = {"field": "name", "value": hello.name}
            raise NameTakenError(f"another client has a player {hello.name}", details)
        wants = frozenset(name for name in _EVERYTHING if getattr(hello, name))
        if player is None:
            player = self._players[hello.name] = _Player(hello.name, client, self)
        elif not player.client:  # somebody has waited for it
            player.client, player.wants = client, wants
        stream = _Stream(player, hello, self._limits)
        self._streams[client] += 1
        player.join(stream, games, wants)
        try:
            yield stream
        finally:
            self._streams[client] -= 1
            if not self._streams[client]:
                del self._streams[client]
            player.leave(stream)

    @contextmanager
    def holding(self, names: Sequence[str], game: str) -> Iterator[dict[str, Port]]:
        """Has players for matches: those whose names begin with an @."""
        ports: dict[str, Port] = {}
        for name in dict.fromkeys(names):
            if not name.startswith("@"):
                continue
            player = self._players.get(name[1:])
            shown = ascii(name[1:])[:80]
            if player is None or not any(not stream.leaving for stream in player.streams):
                details = {"field": "players", "value": shown}
                raise PlayerNotFoundError(f"there is no player {shown}", details)
            if game not in player.games:
                details = {"field": "players", "value": shown, "game": game}
                raise ArgumentError(f"player {shown} does not play {game}", details)
            ports[name] = player
        held = [player for player in ports.values() if isinstance(player, _Player)]
        self.hosts += 1
        for player in held:
            player.held += 1
        try:
            yield ports
        finally:
            self.hosts -= 1
            for player in held:
                player.held -= 1
                self.tidy(player)
            if self.draining:
                self._wake()

    def expect(self, names: Iterable[str]) -> dict[str, Port]:
        """Has players for a tournament until `release`; one that is not there may come, whoever connects it.

        How long it is waited for is for the clock of the matches to say.
        """
        self._loop = asyncio.get_running_loop()
        held: dict[str, Port] = {}
        for name in dict.fromkeys(names):
            player = self._players.get(name)
            if player is None:
                player = self._players[name] = _Player(name, "", self)
                player.wants = frozenset(_EVERYTHING)  # what it is asked first it may want to see
                player.changed()
            player.held += 1
            held[name] = player
        self.hosts += 1
        return held

    def release(self, names: Iterable[str]) -> None:
        """Lets players go that were expected."""
        self.hosts -= 1
        for name in dict.fromkeys(names):
            player = self._players[name]
            player.held -= 1
            self.tidy(player)
        if self.draining:
            self._wake()

    def tidy(self, player: _Player) -> None:
        """Forgets a player that has gone and that nobody plays with."""
        name = player.name[1:]
        if not player.streams and not player.held and self._players.get(name) is player:
            del self._players[name]


def _games(hello: pb2.PlayerHello) -> frozenset[str]:
    known = {game.name for game in engine.games()}
    for game in hello.games:
        if game not in known:
            find_game(game[:60])
    return frozenset(hello.games) or frozenset(known)


class PlayerService:
    """Bots of others, and the matches that they play."""

    def __init__(
        self,
        limits: Limits,
        threads: int,
        metrics: Metrics,
        players: Players,
        turn: Callable[[str, Cancel], AbstractContextManager[None]],
    ) -> None:
        self._limits = limits
        self._threads = threads
        self._metrics = metrics
        self._players = players
        self._turn = turn
        self._plays: Counter[str] = Counter()
        """Calls of PlayMatches by client."""

    async def connect(
        self, requests: AsyncIterator[pb2.ConnectRequest], call: Call
    ) -> AsyncIterator[pb2.ConnectResponse]:
        first = await anext(requests)
        if first.WhichOneof("message") != "hello":
            found = first.WhichOneof("message") or "none"
            raise ArgumentError(
                "the first message of a player is a hello", {"field": "hello", "value": found}
            )
        with self._players.stream(first.hello, call.caller.name) as stream:
            silence = convert.seconds_to_proto(self._limits.player_silence)
            yield _response(
                welcome=pb2.PlayerWelcome(name=first.hello.name, capacity=stream.capacity, silence=silence)
            )
            listening = asyncio.ensure_future(stream.listen(requests))
            try:
                async for message in stream.messages():
                    yield message
            finally:
                listening.cancel()
                await asyncio.wait([listening])

    async def list_players(self, _request: pb2.ListPlayersRequest, _call: Call) -> pb2.ListPlayersResponse:
        return pb2.ListPlayersResponse(players=self._players.listing())

    async def play_matches(
        self, request: pb2.PlayMatchesRequest, call: Call
    ) -> AsyncIterator[pb2.PlayMatchesResponse]:
        if not request.clock.HasField("decision"):
            usual = min(Clock().decision, self._limits.clock_seconds)
            request.clock.decision.CopyFrom(convert.seconds_to_proto(usual))
        clock = convert.clock_from_proto(request.clock)
        self._check(request, clock)
        seated = fill_seats(
            request.game, request.players, request.seats if request.HasField("seats") else None
        )
        names = [convert.seat_player_from_proto(player) for player in seated]
        self._limits.check_bots(request.game, (name for name in names if not name.startswith("@")))
        total = request.match_count * (len(names) if request.rotate else 1)
        self._limits.check("play_matches", total)
        wishes = seatings(
            request.game,
            players=names,
            seats=len(names),
            setup=request.setup_json or "{}",
            seed=request.seed,
            first_match=request.first_match,
            match_count=request.match_count,
            rotate=request.rotate,
        )
        with (
            self._place(call.caller.name),
            self._players.holding(names, request.game) as ports,
        ):
            first = next(wishes)
            await call.work(lambda: check_seating(first, ports))
            rows: deque[PlayedMatch] = deque()
            host = Host(
                itertools.chain([first], wishes),
                ports,
                played=rows.append,
                clock=clock,
                at_once=request.at_once or min(AT_ONCE, self._limits.play_at_once),
                max_decisions=self._limits.play_decisions,
                replays=request.replays,
                threads=self._threads,
                background=True,
                cancel=call.cancel,
                turn=partial(self._turn, call.caller.name, call.cancel),
                backlog=lambda: len(rows),
            )
            work = asyncio.ensure_future(call.work(host.run))
            try:
                yield pb2.PlayMatchesResponse(match_total=total)
                done = 0
                while not work.done() or rows:
                    await asyncio.wait([work], timeout=_PAUSE_SECONDS)
                    while rows:
                        some = [rows.popleft() for _ in range(min(len(rows), _MOST_ROWS))]
                        done += len(some)
                        decisions = sum(row.decisions for row in some)
                        self._metrics.played(request.game, matches=len(some), decisions=decisions)
                        yield pb2.PlayMatchesResponse(
                            matches_done=done,
                            match_total=total,
                            matches=[convert.played_to_proto(row) for row in some],
                        )
                await work
            finally:
                call.cancel.cancel()
                await asyncio.wait([work])
                if not work.cancelled():
                    work.exception()  # it has been told, or nobody is left to hear it

    def _check(self, request: pb2.PlayMatchesRequest, clock: Clock) -> None:
        """Refuses what is too much, before anything is made of it."""
        find_game(request.game[:60])
        self._limits.check("play_matches", request.match_count)
        check_count(request.match_count, request.first_match)
        if request.at_once < 0:
            details = {"field": "at_once", "value": str(request.at_once)}
            raise ArgumentError(f"at_once is {request.at_once}, not a number of matches", details)
        self._limits.check("play_at_once", request.at_once)
        seconds, limit = min(clock.decision + clock.bank, clock.match), self._limits.clock_seconds
        if seconds > limit:
            details = {"field": "clock_seconds", "value": f"{seconds:g}", "limit": str(limit)}
            message = f"a decision may take {seconds:g} seconds, this server allows {limit}"
            raise LimitError(message, details)

    @contextmanager
    def _place(self, client: str) -> Iterator[None]:
        """Counts who lets matches be played, or turns them away; all this is on the loop."""
        for error, found, name in (
            (QuotaError, self._plays[client], "client_plays"),
            (BusyError, self._plays.total(), "plays"),
        ):
            limit = getattr(self._limits, name)
            if found >= limit:
                details = {"field": name, "value": str(found), "limit": str(limit)}
                message = (
                    f"{found} calls of PlayMatches are under way, this server allows {limit}, try again later"
                )
                raise error(message, details, retry_after=1.0)
        self._plays[client] += 1
        try:
            yield
        finally:
            self._plays[client] -= 1
            if not self._plays[client]:
                del self._plays[client]


__all__ = ["PLAYER_NAME", "PlayerService", "Players"]
