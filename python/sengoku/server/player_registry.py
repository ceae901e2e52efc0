"""The players of a server: custom bots that clients connect, and the matches that each of them plays."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sengoku import engine
from sengoku.bots.port import Ask, Over, Port
from sengoku.engine.games import find_game
from sengoku.errors import ArgumentError, NameTakenError, PlayerNotFoundError, invalid
from sengoku.server.limits import Limits
from sengoku.server.player_names import PlayerNames
from sengoku.server.player_stream import PlayerStream, response
from sengoku.server.quota import Quota
from sengoku.v1 import player_service_pb2 as pb2
from sengoku.wire.players import decision_to_proto, over_to_proto

__all__ = ["PLAYER_NAME", "Player", "PlayerRegistry"]

PLAYER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_EVERYTHING = ("observation", "view", "actions")
"""The data that a player can ask to receive with each decision."""

_log = logging.getLogger(__name__)


class Player(Port):
    """A player, connected by one or several streams."""

    def __init__(self, name: str, client: str, players: PlayerRegistry) -> None:
        self.name = f"@{name}"
        self.client = client
        """The client that its name belongs to; empty while a tournament expects anybody's player."""
        self.players = players
        self.streams: list[PlayerStream] = []
        self.games: frozenset[str] = frozenset()
        self.held = 0
        """Calls of PlayMatches and tournaments with this player."""
        self._homes: dict[str, PlayerStream] = {}
        """The stream of each match."""
        self._homeless: deque[tuple[Ask, pb2.PlayerDecision]] = deque()
        self._gone: float | None = None

    # Called by hosts, from their threads

    def ask(self, asks: Sequence[Ask]) -> None:
        """Send decisions."""
        messages = [(ask, decision_to_proto(ask)) for ask in asks]
        self.players.soon(self._ask, messages)

    def forget(self, ask: Ask, forfeit: str) -> None:
        """Withdraw a decision."""
        self.players.soon(self._forget, ask, forfeit)

    def fault(self, ask: Ask, forfeit: str) -> None:
        """Report that an answer was refused."""
        self.players.soon(self._refused, ask, forfeit)

    def unsaid(self, ask: Ask, why: str) -> None:
        """Report that a message was refused."""
        self.players.soon(self._unsaid, ask, why)

    def over(self, over: Over) -> None:
        """Report the end of a match."""
        self.players.soon(self._over, over)

    def gone_since(self, ask: Ask, /) -> float | None:
        """Return since when no stream can take a decision, or None."""
        return None if ask.match_id in self._homes else self._gone

    # On the event loop

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
            # An expected player may never come: withdrawn decisions are not kept.
            self._homeless = deque(item for item in self._homeless if not item[0].done)

    def _refused(self, ask: Ask, forfeit: str) -> None:
        home = self._homes.get(ask.match_id)
        if home is not None:
            illegal = forfeit == "illegal"
            kind = pb2.FAULT_KIND_ILLEGAL if illegal else pb2.FAULT_KIND_CRASHED
            problem = "the action is not legal" if illegal else "the player cannot decide"
            text = f"{problem} in match {ask.match_id} after {ask.decisions} decisions"
            home.send_fault(ask.number, kind, text)

    def _unsaid(self, ask: Ask, why: str) -> None:
        home = self._homes.get(ask.match_id)
        if home is not None:
            home.send_fault(ask.number, pb2.FAULT_KIND_MESSAGE, why)

    def _over(self, over: Over) -> None:
        home = self._homes.pop(over.match_id, None)
        if home is not None:
            home.matches.discard(over.match_id)
            home.send(response(match_over=over_to_proto(over)))

    def join(self, stream: PlayerStream, games: frozenset[str], wants: frozenset[str]) -> None:
        """Add a stream, which also gets the decisions that waited for one."""
        self.streams.append(stream)
        self.games = games
        self.wants = self.wants | wants
        self.changed()

    def changed(self) -> None:
        """Check again whether a stream can take decisions."""
        if any(not stream.leaving for stream in self.streams):
            self._gone = None
            homeless, self._homeless = list(self._homeless), deque()
            self._ask(homeless)
        elif self._gone is None:
            self._gone = time.monotonic()

    def abandon(self, stream: PlayerStream) -> None:
        """Move the open decisions of a stream to another one, on the same clock."""
        owed = [(ask, decision_to_proto(ask)) for ask in stream.asked.values()] + list(stream.waiting)
        stream.asked.clear()
        stream.waiting.clear()
        for match_id in stream.matches:
            self._homes.pop(match_id, None)
        stream.matches.clear()
        self.changed()
        self._ask(owed)

    def leave(self, stream: PlayerStream) -> None:
        """Remove a stream."""
        stream.leaving = True
        self.abandon(stream)
        self.streams.remove(stream)
        self.changed()
        self.players.tidy(self)


class PlayerRegistry:
    """The connected and expected players. Use it on the server's event loop only."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        """Create an empty registry; names of players that left are remembered by `clock`."""
        self._limits = limits
        self._names = PlayerNames(limits, clock)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._players: dict[str, Player] = {}
        self._quota = Quota("connected players", limits, "players", "client_players", retry_after=lambda: 5.0)
        """Streams by client."""
        self.hosts = 0
        """Calls of PlayMatches and tournaments under way."""
        self.draining = False

    def soon(self, function: Callable[..., None], *arguments: Any) -> None:
        """Call a function on the event loop, if that is not closed."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            try:
                loop.call_soon_threadsafe(function, *arguments)
            except RuntimeError:
                _log.debug("the loop is closed")

    def connected(self) -> int:
        """Return the number of streams."""
        return self._quota.count

    def drain(self) -> None:
        """Disconnect players as soon as no matches are played."""
        self.draining = True
        self._wake()

    def _wake(self) -> None:
        for player in self._players.values():
            for stream in player.streams:
                stream.wake()

    def listing(self) -> list[pb2.Player]:
        """Return the connected players in order of their names."""
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
    def stream(self, hello: pb2.PlayerHello, client: str) -> Iterator[PlayerStream]:
        """Register a stream for the block."""
        self._loop = asyncio.get_running_loop()
        games = _games(hello)
        if not PLAYER_NAME.fullmatch(hello.name):
            shown = ascii(hello.name)[:80]
            raise invalid("name", shown, "not 1 to 64 letters, digits, '.', '_' and '-'")
        if hello.capacity < 0:
            raise invalid("capacity", hello.capacity, "it must be 0 or more")
        self._limits.check("player_capacity", hello.capacity)
        self._quota.check(client)
        if self.owner(hello.name) not in {"", client}:
            raise _taken("name", hello.name)
        player = self._players.get(hello.name)
        wants = frozenset(name for name in _EVERYTHING if getattr(hello, name))
        if player is None:
            player = self._players[hello.name] = Player(hello.name, client, self)
        elif not player.client or not player.streams:  # it was expected, or comes back
            player.client, player.wants = client, wants
        self._names.forget(hello.name)
        stream = PlayerStream(player, hello, self._limits)
        self._quota.add(client)
        player.join(stream, games, wants)
        try:
            yield stream
        finally:
            self._quota.release(client)
            player.leave(stream)

    @contextmanager
    def holding(self, names: Sequence[str], game: str) -> Iterator[dict[str, Port]]:
        """Reserve players for matches: those whose names begin with @."""
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
        self._hold(ports.values(), 1)
        try:
            yield ports
        finally:
            self._hold(ports.values(), -1)

    def _hold(self, players: Iterable[Any], by: int) -> None:
        """Count a call or tournament that begins (1) or ends (-1), and what it reserves."""
        self.hosts += by
        for player in players:
            player.held += by
            self.tidy(player)
        if self.draining:
            self._wake()

    def owner(self, name: str) -> str:
        """Return the client that a name belongs to, or an empty string; callable from any thread."""
        player = self._players.get(name)
        return player.client if player is not None else self._names.owner(name)

    def check_owner(self, field: str, name: str, client: str) -> None:
        """Raise `NameTakenError` if a name belongs to another client."""
        if self.owner(name) not in {"", client}:
            raise _taken(field, name)

    def expect(self, names: Iterable[str], owners: Mapping[str, str]) -> dict[str, Port]:
        """Reserve players for a tournament until `release`.

        `owners` are the clients that names belong to; any other name belongs to the first client that
        connects it. The clock of the matches determines how long a missing player is awaited.
        """
        self._loop = asyncio.get_running_loop()
        wanted = list(dict.fromkeys(names))
        for name in wanted:
            if name in owners:
                self.check_owner("player", name, owners[name])
        held: dict[str, Port] = {}
        for name in wanted:
            player = self._players.get(name)
            if player is None:
                player = self._players[name] = Player(name, self._names.owner(name), self)
                player.wants = frozenset(_EVERYTHING)  # its first decisions must show whatever it will want
                player.changed()
                self._names.forget(name)
            player.client = player.client or owners.get(name, "")
            held[name] = player
        self._hold(held.values(), 1)
        return held

    def release(self, names: Iterable[str]) -> None:
        """Release players of `expect`."""
        self._hold([self._players[name] for name in dict.fromkeys(names)], -1)

    def tidy(self, player: Player) -> None:
        """Remove a player without streams that nobody has reserved."""
        name = player.name[1:]
        if not player.streams and not player.held and self._players.get(name) is player:
            del self._players[name]
            if player.client:
                self._names.remember(name, player.client)


def _taken(field: str, name: str) -> NameTakenError:
    """Return the error for a name of another client: the same whether it is connected or remembered."""
    return NameTakenError(f"the name {name} belongs to another client", {"field": field, "value": name})


def _games(hello: pb2.PlayerHello) -> frozenset[str]:
    known = {game.name for game in engine.games()}
    for game in hello.games:
        if game not in known:
            find_game(game[:60])
    return frozenset(hello.games) or frozenset(known)
