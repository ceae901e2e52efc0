"""A host plays many matches at once, by a clock.

Bots of ours decide in the core, players are asked in batches. Players are behind ports: one in this process
(`LocalPort`), or on the other end of a connection (`service.players`). The host waits for nobody longer than
the clock says, so a player that is slow, hangs, breaks or goes away costs only its own matches.
"""

from __future__ import annotations

import logging
import math
import queue
import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from operator import index
from typing import Any

from sengoku import _core
from sengoku.bots.report import PlayedMatch
from sengoku.errors import ArgumentError, CancelledError, IllegalActionError

__all__ = ["Ask", "Clock", "Host", "Over", "Port", "Seating", "make_match"]

_log = logging.getLogger(__name__)

SUBSTITUTE = "random"
"""The bot that decides for a seat that has forfeited, where the match goes on."""
MAX_DECISIONS = 1_000_000
"""Decisions after which a match is given up as one without a result, if nobody says otherwise."""
AT_ONCE = 256
"""Matches that are under way together, if nobody says otherwise."""
MAX_SECONDS = 1e6
_LOOK_SECONDS = 0.02
"""How often clocks are looked at."""
_SLACK_SECONDS = 0.05
"""How much later than the clock says the host gives up: an answer may have come that is on its way here."""
_END_SECONDS = 5.0
"""How long a player in this process may take to hear that all is over."""
_WAITED_RESULTS = 1_000
"""Results that nobody has fetched yet, beyond which no match is begun."""


@dataclass(frozen=True)
class Clock:
    """How long a player may think, in seconds.

    For each decision, beyond that in a whole match, and for all decisions of a match together.
    """

    decision: float = 10.0
    bank: float = 0.0
    match: float = math.inf

    def __post_init__(self) -> None:
        for name, least in (("decision", 1e-3), ("bank", 0.0), ("match", 1e-3)):
            value = getattr(self, name)
            right = isinstance(value, int | float) and not isinstance(value, bool)
            endless = name == "match" and value == math.inf
            if not right or not (least <= value <= MAX_SECONDS or endless):
                details = {"field": f"clock.{name}", "value": repr(value)}
                message = f"clock.{name} is {value!r}, {least:g} to {MAX_SECONDS:g} seconds are possible"
                raise ArgumentError(message, details)


@dataclass(frozen=True, slots=True)
class Seating:
    """A match that is to be played: what it is a function of, and who sits where."""

    game: str
    seats: int
    setup: str
    """Options of the game as JSON."""
    seed: int
    match_index: int
    players: tuple[str, ...]
    """Who decides, by seat: the name of a port, or else of a bot."""
    rotation: int = 0


@dataclass(frozen=True, slots=True)
class Over:
    """How a match ended, for who played a seat of it."""

    match_id: str
    game: str
    seat: int
    ranks: tuple[int, ...]
    winner: int | None
    reason: str
    scores: tuple[int, ...]
    forfeit: str
    """Why this seat forfeited, or nothing."""


@dataclass(eq=False, slots=True)
class Ask:
    """A decision that is asked of a player: what its seat may know, and how the answer comes back."""

    match_id: str
    game: str
    seats: int
    seat: int
    decisions: int
    legal: list[int]
    observation: Any
    """An array of bytes, or None if the player does not want it."""
    view_json: str | None
    actions_json: str | None
    allowance: float
    """Seconds that the player has."""
    port: Port
    table: _Table
    host: Host = field(repr=False)
    started: float | None = None
    """When it reached the player, by `time.monotonic`; from then on the clock runs."""
    done: bool = False
    """Whether nobody waits for it any more."""
    number: int = 0
    """What the port calls it."""

    def answer(self, action: Any, received: float) -> None:
        """Takes the player's answer: an action, or an exception if it could not decide."""
        self.answer_all([(self, action, received)])

    def answer_all(self, answers: list[tuple[Ask, Any, float]]) -> None:
        """Takes several answers for the same host at once."""
        self.host.take(answers)


class Port(ABC):
    """Where a host reaches a player. All of it is called by the host's thread, and returns at once."""

    name: str
    wants: frozenset[str] = frozenset()
    """What the player is told: "observation", "view", "actions"."""
    gone = "disconnected"
    """What it is called when the player is not there."""

    @abstractmethod
    def ask(self, asks: Sequence[Ask]) -> None:
        """Asks for decisions; `Ask.started` is set when one reaches the player."""

    @abstractmethod
    def forget(self, ask: Ask, forfeit: str) -> None:
        """Is told that nobody waits for an answer any more, and why: nothing if the match was called off."""

    @abstractmethod
    def fault(self, ask: Ask, forfeit: str) -> None:
        """Is told that an answer was refused."""

    @abstractmethod
    def over(self, over: Over) -> None:
        """Is told how a match ended."""

    @abstractmethod
    def gone_since(self, ask: Ask, /) -> float | None:
        """Since when the player has not been there for this decision, or None if it is."""


@dataclass(eq=False, slots=True)
class _Table:
    """A match under way."""

    seating: Seating
    match: _core.Match
    ports: tuple[Port | None, ...]
    ids: tuple[str, ...]
    bank: list[float]
    left: list[float]
    """Seconds of each seat that are left for the match."""
    seconds: list[float]
    forfeits: list[str]
    fallen: list[int] = field(default_factory=list)
    """Seats that have forfeited, in that order."""
    decisions: int = 0


def make_match(seating: Seating, bots: Mapping[int, str]) -> _core.Match:
    """Begins a match with bots of ours at some seats."""
    match = _core.Match.create(
        seating.game,
        seats=seating.seats,
        seed=seating.seed,
        match_index=seating.match_index,
        setup=seating.setup,
    )
    for seat, name in bots.items():
        match.seat_bot(seat, name)
    return match


class Host:
    """Plays matches, many at once, until all are over; `run` does it, in the thread that calls it.

    `played` is told of every match as it ends. `turn` is entered while bots of ours think, which may take all
    cores. `backlog` says how many results wait to be fetched: no match is begun while they are too many.
    """

    def __init__(
        self,
        seatings: Iterable[Seating],
        ports: Mapping[str, Port],
        *,
        played: Callable[[PlayedMatch], None],
        clock: Clock | None = None,
        at_once: int = AT_ONCE,
        max_decisions: int = MAX_DECISIONS,
        replays: bool = False,
        threads: int = 0,
        background: bool = False,
        cancel: _core.Cancel | None = None,
        turn: Callable[[], AbstractContextManager[object]] = nullcontext,
        backlog: Callable[[], int] = lambda: 0,
    ) -> None:
        self._seatings: Iterator[Seating] | None = iter(seatings)
        self._ports = ports
        self._played = played
        self._clock = clock or Clock()
        self._at_once = at_once
        self._max_decisions = max_decisions
        self._replays = replays
        self._options = {"threads": threads, "background": background}
        self._cancel = cancel or _core.Cancel()
        self._turn = turn
        self._backlog = backlog
        self._inbox: queue.SimpleQueue[list[tuple[Ask, Any, float]]] = queue.SimpleQueue()
        self._asked: set[Ask] = set()
        self._tables: set[_Table] = set()
        self._moved: list[_Table] = []
        """Tables at which somebody of ours may be to act."""
        self._looked = 0.0

    def run(self) -> None:
        """Plays all matches; a raised flag stops it with `CancelledError`."""
        try:
            while True:
                if self._cancel.cancelled:
                    raise CancelledError("the matches were cancelled")
                self._begin()
                self._advance()
                if not self._tables and self._seatings is None:
                    return
                self._listen()
        finally:
            self._call_off()

    def take(self, answers: list[tuple[Ask, Any, float]]) -> None:
        """Takes answers, from any thread: asks of this host, what was decided, and when it came."""
        self._inbox.put(answers)

    def _begin(self) -> None:
        while self._seatings is not None and len(self._tables) < self._at_once:
            if self._backlog() > _WAITED_RESULTS:
                return
            seating = next(self._seatings, None)
            if seating is None:
                self._seatings = None
                return
            ports = tuple(self._ports.get(name) for name in seating.players)
            bots = {seat: name for seat, name in enumerate(seating.players) if ports[seat] is None}
            table = _Table(
                seating=seating,
                match=make_match(seating, bots),
                ports=ports,
                # Different ones, so that a player with two seats cannot put together what they know.
                ids=tuple(secrets.token_hex(8) for _ in ports),
                bank=[self._clock.bank] * seating.seats,
                left=[self._clock.match] * seating.seats,
                seconds=[0.0] * seating.seats,
                forfeits=[""] * seating.seats,
            )
            self._tables.add(table)
            self._moved.append(table)

    def _advance(self) -> None:
        """Lets bots of ours decide, ends what is over, and asks players."""
        while moved := self._moved:
            self._moved = []
            ours = any(port is None for table in moved for port in table.ports)
            with self._turn() if ours else nullcontext():
                decisions, to_act = _core.play_bots(
                    [table.match for table in moved],
                    max_decisions=self._max_decisions,
                    cancel=self._cancel,
                    **self._options,  # type: ignore[arg-type]
                )
            asks: dict[Port, list[Ask]] = {}
            for table, count, seat in zip(moved, decisions.tolist(), to_act.tolist(), strict=True):
                table.decisions = count
                if seat < 0 or count >= self._max_decisions:
                    self._finish(table)
                    continue
                port = table.ports[seat]
                assert port is not None, "bots of ours have decided"  # noqa: S101
                asks.setdefault(port, []).append(self._ask(table, seat, port))
            for port, some in asks.items():
                port.ask(some)

    def _ask(self, table: _Table, seat: int, port: Port) -> Ask:
        match, wants = table.match, port.wants
        ask = Ask(
            match_id=table.ids[seat],
            game=table.seating.game,
            seats=table.seating.seats,
            seat=seat,
            decisions=table.decisions,
            legal=match.legal_indices(),
            observation=match.observe(seat) if "observation" in wants else None,
            view_json=match.describe(seat) if "view" in wants else None,
            actions_json=match.legal_texts() if "actions" in wants else None,
            allowance=min(self._clock.decision + table.bank[seat], table.left[seat]),
            port=port,
            table=table,
            host=self,
        )
        self._asked.add(ask)
        return ask

    def _listen(self) -> None:
        """Waits a moment for answers, plays them, and looks at the clocks."""
        with suppress(queue.Empty):
            answers = self._inbox.get(timeout=_LOOK_SECONDS)
            while True:
                for ask, action, received in answers:
                    self._take(ask, action, received)
                answers = self._inbox.get_nowait()
        now = time.monotonic()
        if now - self._looked >= _LOOK_SECONDS:
            self._looked = now
            for ask in [ask for ask in self._asked if self._overdue(ask, now)]:
                # What never reached the player waited for one that was away, also if it is back by now.
                gone = ask.started is None or ask.port.gone_since(ask) is not None
                self._spend(ask, ask.allowance if ask.started is not None else 0.0)
                self._forfeit(ask, ask.port.gone if gone else "late")

    def _overdue(self, ask: Ask, now: float) -> bool:
        since = ask.started
        if since is None:
            since = ask.port.gone_since(ask)
        return since is not None and now - since > ask.allowance + _SLACK_SECONDS

    def _take(self, ask: Ask, action: Any, received: float) -> None:
        if ask not in self._asked:
            return
        spent = received - ask.started if ask.started is not None else 0.0
        self._spend(ask, spent)
        if spent > ask.allowance:
            self._forfeit(ask, "late")
        elif isinstance(action, BaseException):
            self._forfeit(ask, "crashed", answered=True)
        else:
            try:
                ask.table.match.play(index(action), ask.seat)
            except (IllegalActionError, ArgumentError, TypeError):
                self._forfeit(ask, "illegal", answered=True)
            else:
                self._close(ask)
                self._moved.append(ask.table)

    def _spend(self, ask: Ask, seconds: float) -> None:
        table, seat = ask.table, ask.seat
        table.seconds[seat] += seconds
        table.left[seat] = max(0.0, table.left[seat] - seconds)
        table.bank[seat] = max(0.0, table.bank[seat] - max(0.0, seconds - self._clock.decision))

    def _close(self, ask: Ask) -> None:
        ask.done = True
        self._asked.discard(ask)

    def _forfeit(self, ask: Ask, why: str, *, answered: bool = False) -> None:
        """Takes a seat out of the match: another decides for it, or the match is over where one is left."""
        self._close(ask)
        if answered:
            ask.port.fault(ask, why)
        else:
            ask.port.forget(ask, why)
        table = ask.table
        table.forfeits[ask.seat] = why
        table.fallen.append(ask.seat)
        if table.seating.seats - len(table.fallen) == 1:
            self._finish(table)
        else:
            table.match.seat_bot(ask.seat, SUBSTITUTE)
            self._moved.append(table)

    def _finish(self, table: _Table) -> None:
        self._tables.discard(table)
        result = _result(table, table.match.replay() if self._replays else None)
        self._tell(table, result.ranks, result.winner, result.reason, result.scores)
        self._played(result)

    @staticmethod
    def _tell(
        table: _Table, ranks: tuple[int, ...], winner: int | None, reason: str, scores: tuple[int, ...]
    ) -> None:
        for seat, port in enumerate(table.ports):
            if port is not None:
                game, why = table.seating.game, table.forfeits[seat]
                port.over(Over(table.ids[seat], game, seat, ranks, winner, reason, scores, why))

    def _call_off(self) -> None:
        """Lets everybody know that nobody waits for them; after a good end there is nobody."""
        for ask in list(self._asked):
            self._close(ask)
            ask.port.forget(ask, "")
        for table in self._tables:
            self._tell(table, (), None, "cancelled", ())
        self._tables.clear()


def _result(table: _Table, replay: str | None) -> PlayedMatch:
    seats, fallen = table.seating.seats, table.fallen
    outcome = table.match.outcome
    standing = [seat for seat in range(seats) if not table.forfeits[seat]]
    places = outcome["ranks"] if outcome is not None else [1] * seats
    ranks = [0] * seats
    for seat in standing:
        ranks[seat] = 1 + sum(places[other] < places[seat] for other in standing)
    for order, seat in enumerate(fallen):
        ranks[seat] = seats - order
    first = [seat for seat in standing if ranks[seat] == 1]
    ruled = outcome is not None and outcome["by_rule"]
    if outcome is not None and not fallen:
        winner = outcome["winner"]
    else:
        winner = first[0] if len(first) == 1 and (ruled or len(standing) == 1) else None
    reason = outcome["reason"] if outcome is not None else ("forfeit" if len(standing) == 1 else "too_long")
    return PlayedMatch(
        match_index=table.seating.match_index,
        rotation=table.seating.rotation,
        players=table.seating.players,
        ranks=tuple(ranks),
        winner=winner,
        by_rule=ruled,
        reason=reason,
        rounds=outcome["rounds"] if outcome is not None else 0,
        scores=tuple(outcome["scores"]) if outcome is not None else (0,) * seats,
        decisions=table.match.decisions,
        digest=table.match.digest,
        forfeits=tuple(table.forfeits),
        seconds=tuple(table.seconds),
        replay=replay,
    )


class LocalPort(Port):
    """A player in this process, in a thread of its own.

    `decide` takes decisions and gives an action for each, or an exception where one could not be taken; each
    call is one batch, of at most `capacity`. One that does not come back in time is left alone: what waits
    behind it is late too.
    """

    gone = "late"

    def __init__(
        self,
        name: str,
        decide: Callable[[list[Ask]], Sequence[Any]],
        *,
        wants: frozenset[str],
        capacity: int,
        over: Callable[[Over], object],
    ) -> None:
        self.name = name
        self.wants = wants
        self._decide = decide
        self._capacity = capacity
        self._over = over
        self._work: queue.SimpleQueue[list[Ask] | Over | None] = queue.SimpleQueue()
        self._thinking: list[Ask] = []
        self._stuck_since: float | None = None
        self._thread: threading.Thread | None = None

    def ask(self, asks: Sequence[Ask]) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name=f"player-{self.name}", daemon=True)
            self._thread.start()
        self._work.put(list(asks))

    def forget(self, ask: Ask, forfeit: str) -> None:
        if forfeit and ask in self._thinking and self._stuck_since is None:
            self._stuck_since = time.monotonic()

    def fault(self, ask: Ask, forfeit: str) -> None:
        _log.info("player %s forfeits match %s: %s", self.name, ask.match_id, forfeit)

    def over(self, over: Over) -> None:
        if self._thread is not None:
            self._work.put(over)

    def gone_since(self, _ask: Ask) -> float | None:
        return self._stuck_since

    def close(self, seconds: float | None = None) -> None:
        """Lets the player hear the last ends, and its thread end; one that hangs is left alone.

        With `seconds` it is waited for so long, whether it hangs or not.
        """
        self._work.put(None)
        patience = (0.0 if self._stuck_since is not None else _END_SECONDS) if seconds is None else seconds
        if self._thread is not None and patience > 0:
            self._thread.join(patience)

    def _serve(self) -> None:
        waiting: deque[Ask] = deque()
        while True:
            if waiting and self._work.empty():
                self._think(waiting)
                continue
            work = self._work.get()
            if work is None:
                return
            if isinstance(work, Over):
                with suppress(BaseException):  # what a player does after a match is its own affair
                    self._over(work)
            else:
                waiting.extend(work)

    def _think(self, waiting: deque[Ask]) -> None:
        batch = [waiting.popleft() for _ in range(min(self._capacity, len(waiting)))]
        batch = [ask for ask in batch if not ask.done]
        if not batch:
            return
        now = time.monotonic()
        for ask in batch:
            ask.started = now
        self._thinking = batch
        try:
            actions = list(self._decide(batch))
            if len(actions) != len(batch):
                raise ValueError(f"{len(actions)} actions for {len(batch)} decisions")
        except BaseException as error:  # noqa: BLE001 - it is the player's, also where it wants to exit
            actions = [error] * len(batch)
        received = time.monotonic()
        self._thinking, self._stuck_since = [], None
        batch[0].answer_all([(ask, action, received) for ask, action in zip(batch, actions, strict=True)])
