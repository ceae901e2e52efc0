"""A host plays many matches concurrently, by a clock.

Built-in bots decide in the compiled core; other players receive requests in batches through ports: one in
this process (`LocalPort`), or at the other end of a connection (`server.services.players`). The host waits
for nobody longer than the clock allows, so a player that is slow, hangs, fails or disconnects loses only its
own matches.
"""

from __future__ import annotations

import json
import queue
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import KW_ONLY, dataclass
from operator import index
from typing import Any

from sengoku import _core
from sengoku.bots.clock import Clock
from sengoku.bots.notes import MatchNotes
from sengoku.bots.port import Ask, Forfeited, LiveMatch, Observer, Over, Port, Seating, make_match
from sengoku.engine.match import Match
from sengoku.engine.result import MatchResult
from sengoku.engine.talk import TalkLimits
from sengoku.engine.tell import Renaming, tell
from sengoku.engine.tell.renaming import Unchanged
from sengoku.errors import (
    ArgumentError,
    CancelledError,
    IllegalActionError,
    NotAllowedError,
    SengokuError,
)
from sengoku.rules import rules

__all__ = ["AT_ONCE", "MAX_DECISIONS", "Ask", "Clock", "Host", "Over", "Port", "Seating", "make_match"]


SUBSTITUTE = "random"
"""The bot that decides for a seat that has forfeited while the match continues."""
MAX_DECISIONS = 1_000_000
"""Default number of decisions after which a match ends without a result."""
AT_ONCE = 256
"""Default number of concurrent matches."""
_LOOK_SECONDS = 0.02  # how often clocks are checked
_SLACK_SECONDS = 0.05  # grace period after the clock runs out: an answer may already be in the inbox
_WAITED_RESULTS = 1_000  # number of unfetched results above which no further match starts


@dataclass(eq=False)
class Host:
    """Plays matches concurrently until all have ended; `run` does so in the calling thread."""

    seatings: Iterable[Seating]
    ports: Mapping[str, Port]
    _: KW_ONLY
    played: Callable[[MatchResult], None]  # receives each result as its match ends
    clock: Clock | None = None
    at_once: int = AT_ONCE
    max_decisions: int = MAX_DECISIONS
    replays: bool = False
    talk: TalkLimits | None = None  # how much players may say to one another; None: nothing
    said: Callable[[str], None] = lambda _game: None  # receives the game of each message
    threads: int = 0
    background: bool = False
    cancel: _core.Cancel | None = None
    turn: Callable[[], AbstractContextManager[object]] = nullcontext
    """Entered while built-in bots decide, which may use all cores."""
    backlog: Callable[[], int] = lambda: 0
    """Returns the number of results not yet fetched: above a limit no match starts."""

    rename: bool = False
    """Whether players are shown other names of places, units and cards, different ones in each match."""
    observer: Observer | None = None
    """Told about every match, so that others can watch it."""

    def __post_init__(self) -> None:
        self._clock, self._cancel = self.clock or Clock(), self.cancel or _core.Cancel()
        self._waiting: Iterator[Seating] | None = iter(self.seatings)
        self._inbox: queue.SimpleQueue[list[tuple[Ask, Any, float]]] = queue.SimpleQueue()
        self._asked: set[Ask] = set()
        self._tables: set[LiveMatch] = set()
        self._moved: list[LiveMatch] = []  # matches in which a built-in bot may be to act
        self._looked = 0.0

    def run(self) -> None:
        """Play all matches; raise `CancelledError` when the cancel flag is set."""
        try:
            while True:
                if self._cancel.cancelled:
                    raise CancelledError("the matches were cancelled")
                self._begin()
                self._advance()
                if not self._tables and self._waiting is None:
                    return
                self._listen()
        finally:
            self._withdraw()

    def take(self, answers: list[tuple[Ask, Any, float]]) -> None:
        """Receive answers from any thread: the request, the action, and when it arrived."""
        self._inbox.put(answers)

    def _begin(self) -> None:
        while self._waiting is not None and len(self._tables) < self.at_once:
            if self.backlog() > _WAITED_RESULTS:
                return
            seating = next(self._waiting, None)
            if seating is None:
                self._waiting = None
                return
            ports = tuple(self.ports.get(name) for name in seating.players)
            bots = {seat: name for seat, name in enumerate(seating.players) if ports[seat] is None}
            table = LiveMatch(
                seating=seating,
                match=make_match(seating, bots),
                ports=ports,
                # One id per seat, so that a player with two seats cannot combine what they see.
                ids=tuple(secrets.token_hex(8) for _ in ports),
                bank=[self._clock.bank] * seating.seats,
                left=[self._clock.match] * seating.seats,
                seconds=[0.0] * seating.seats,
                forfeits=[""] * seating.seats,
                renaming=self._renaming(seating),
                notes=MatchNotes(seating.seats),
            )
            self._tables.add(table)
            if self.observer is not None:
                self.observer.opened(table)
            self._moved.append(table)

    def _advance(self) -> None:
        """Let built-in bots decide, finish matches that have ended, and request decisions from players."""
        while moved := self._moved:
            self._moved = []
            ours = any(port is None for table in moved for port in table.ports)
            with self.turn() if ours else nullcontext():
                decisions, to_act = _core.play_bots(
                    [table.match for table in moved],
                    max_decisions=self.max_decisions,
                    cancel=self._cancel,
                    threads=self.threads,
                    background=self.background,
                )
            asks: dict[Port, list[Ask]] = {}
            for table, count, seat in zip(moved, decisions.tolist(), to_act.tolist(), strict=True):
                table.decisions = count
                if self.observer is not None:
                    self.observer.moved(table)
                if seat < 0 or count >= self.max_decisions:
                    self._finish(table)
                    continue
                port = table.ports[seat]
                assert port is not None, "built-in bots have decided"  # noqa: S101
                asks.setdefault(port, []).append(self._ask(table, seat, port))
            for port, some in asks.items():
                port.ask(some)

    def _renaming(self, seating: Seating) -> Renaming | None:
        if not self.rename:
            return None
        return Renaming(seating.game, seating.seed, seating.match_index)

    def _ask(self, table: LiveMatch, seat: int, port: Port) -> Ask:
        match, wants, names = table.match, port.wants, table.renaming or Unchanged()
        ask = Ask(
            match_id=table.ids[seat],
            game=table.seating.game,
            seats=table.seating.seats,
            seat=seat,
            decisions=table.decisions,
            legal=match.legal_indices(),
            observation=match.observe(seat) if "observation" in wants else None,
            view_json=names.hide_json(match.describe(seat)) if "view" in wants else None,
            actions_json=names.hide_json(match.legal_texts()) if "actions" in wants else None,
            tell_text=names.hide(self._tell(table, seat, port.words)) if "tell" in wants else None,
            rules_text=names.hide(rules(table.seating.game, prompt=True)) if "rules" in wants else None,
            messages_json=self._messages(table, seat),
            allowance=min(self._clock.decision + table.bank[seat], table.left[seat]),
            port=port,
            table=table,
            host=self,
        )
        self._asked.add(ask)
        return ask

    @staticmethod
    def _tell(table: LiveMatch, seat: int, words: int) -> str:
        return tell(Match(table.match), seat, words, table.told.get(seat, 0))

    def _messages(self, table: LiveMatch, seat: int) -> str | None:
        """Return the messages that a seat has not been sent yet, or None where seats do not talk."""
        if self.talk is None:
            return None
        since = table.read.get(seat, 0)
        text = table.match.messages(seat, since)
        table.read[seat] = since + len(json.loads(text))
        return text if table.renaming is None else table.renaming.hide_json(text)

    def _say(self, ask: Ask) -> None:
        """Say what a player has sent with its answer; what is refused costs it nothing but the message."""
        for said in ask.said:
            try:
                if self.talk is None:
                    raise NotAllowedError("seats do not talk in this match")
                row = json.loads(said if ask.table.renaming is None else ask.table.renaming.reveal(said))
                if not isinstance(row, dict):
                    raise ArgumentError("a message must be a table", {"field": "say"})
                self.talk.say(ask.table.match, json.dumps(row | {"seat": ask.seat}))
                self.said(ask.game)
            except (SengokuError, ValueError, RecursionError) as error:
                ask.port.unsaid(ask, str(error))

    def _listen(self) -> None:
        """Wait briefly for answers, play them, and check the clocks."""
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
                # A request that never arrived was waiting for an absent player, even if it is back.
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
        ask.table.notes.add(ask.seat, ask.decisions, ask.notes)
        if spent > ask.allowance:
            self._forfeit(ask, "late")
        elif isinstance(action, BaseException):
            why = action.reason if isinstance(action, Forfeited) else "crashed"
            self._forfeit(ask, why, answered=True)
        else:
            self._say(ask)
            try:
                ask.table.match.play(index(action), ask.seat)
            except (IllegalActionError, ArgumentError, TypeError):
                self._forfeit(ask, "illegal", answered=True)
            else:
                self._close(ask)
                ask.table.told[ask.seat] = ask.table.match.decisions
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
        """Remove a seat: a substitute decides for it, or the match ends if only one seat is left."""
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

    def _finish(self, table: LiveMatch) -> None:
        self._close_table(table)
        result = _result(table, table.match.replay() if self.replays else None)
        _notify(table, result.ranks, result.winner, result.reason, result.scores)
        self.played(result)

    def _close_table(self, table: LiveMatch) -> None:
        self._tables.discard(table)
        if self.observer is not None:
            self.observer.closed(table)

    def _withdraw(self) -> None:
        """Withdraw all requests and notify the players; after a normal end there are none."""
        for ask in list(self._asked):
            self._close(ask)
            ask.port.forget(ask, "")
        for table in list(self._tables):
            _notify(table, (), None, "cancelled", ())
            self._close_table(table)


def _notify(
    table: LiveMatch, ranks: tuple[int, ...], winner: int | None, reason: str, scores: tuple[int, ...]
) -> None:
    for seat, port in enumerate(table.ports):
        if port is not None:
            game, why = table.seating.game, table.forfeits[seat]
            port.over(Over(table.ids[seat], game, seat, ranks, winner, reason, scores, why))


def _result(table: LiveMatch, replay: str | None) -> MatchResult:
    """Rank the remaining seats by the rules, and those that forfeited behind them, the first one last."""
    seats, fallen, forfeits = table.seating.seats, table.fallen, table.forfeits
    outcome: Any = table.match.outcome or {
        "ranks": [1] * seats, "winner": None, "by_rule": False, "rounds": 0, "scores": [0] * seats,
        "reason": "forfeit" if len(fallen) == seats - 1 else "too_long",
    }  # fmt: skip
    standing = [seat for seat in range(seats) if not forfeits[seat]]
    places, ranks = outcome["ranks"], [0] * seats
    for seat in standing:
        ranks[seat] = 1 + sum(places[other] < places[seat] for other in standing)
    for order, seat in enumerate(fallen):
        ranks[seat] = seats - order
    winner = outcome["winner"]
    if fallen:
        first = [seat for seat in standing if ranks[seat] == 1]
        winner = first[0] if len(first) == 1 and (outcome["by_rule"] or len(standing) == 1) else None
    return MatchResult(
        match_index=table.seating.match_index,
        rotation=table.seating.rotation,
        players=table.seating.players,
        ranks=tuple(ranks),
        winner=winner,
        by_rule=outcome["by_rule"],
        reason=outcome["reason"],
        rounds=outcome["rounds"],
        scores=tuple(outcome["scores"]),
        decisions=table.match.decisions,
        digest=table.match.digest,
        forfeits=tuple(forfeits),
        seconds=tuple(table.seconds),
        replay=replay,
        costs=table.notes.costs,
        notes=None if replay is None else table.notes.text,
    )
