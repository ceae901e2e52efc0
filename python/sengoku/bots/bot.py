"""Bots of one's own: what they are asked, and how they play matches here or on a server.

A bot is any object with a `name` and one of two methods: `decide(decision)` gives an action,
`decide_batch(decisions)` an action for each of many decisions of many matches. What else it may have is in
`Bot`.

>>> class First:
...     name = "first"
...
...     def decide(self, decision):
...         return decision.legal[0]
>>> report = play_matches("battles", players=[First(), "random"], match_count=2, seed=7, rotate=True)
>>> [match.players for match in report.matches]
[('first', 'random'), ('random', 'first'), ('first', 'random'), ('random', 'first')]
>>> report.forfeits
{}
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import itertools
import json
import logging
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from sengoku import _core
from sengoku.bots.host import AT_ONCE, MAX_DECISIONS, Ask, Clock, Host, LocalPort, Over, Seating, make_match
from sengoku.bots.report import PlayedMatch, PlayReport
from sengoku.engine.games import Setup, find_game, setup_to_json
from sengoku.engine.match import Action
from sengoku.engine.progress import Progress, watching
from sengoku.errors import (
    ArgumentError,
    BusyError,
    DeadlineError,
    QuotaError,
    SengokuError,
    ShuttingDownError,
    UnavailableError,
)

if TYPE_CHECKING:
    from sengoku.client.client import Client

__all__ = [
    "WANTS",
    "BatchBot",
    "Bot",
    "Clock",
    "Decision",
    "Over",
    "PlayReport",
    "PlayedMatch",
    "load_bot",
    "play_matches",
    "serve",
]

WANTS = ("observation", "view", "actions")
"""What a bot can want to be told beside the legal actions."""
CAPACITY = 256
"""Decisions that a bot of batches takes at once, if it does not say so itself."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A decision that a seat is to take, and what this seat may know, no more."""

    match_id: str
    """The match as this seat knows it: the other seats know it by other ids."""
    game: str
    seats: int
    seat: int
    """The seat to decide for."""
    decisions: int
    """Decisions of all seats so far."""
    legal: npt.NDArray[np.uint32]
    """The legal actions as places in the game's action table, ascending."""
    seconds_left: float
    """How long this decision may take until the match is forfeited."""
    observation: npt.NDArray[np.uint8] | None = None
    """What the seat sees, if the bot wants it."""
    view_json: str | None = field(default=None, repr=False)
    actions_json: str | None = field(default=None, repr=False)

    @property
    def view(self) -> dict[str, Any]:
        """What the seat sees as a table, as `Match.view` gives it, if the bot wants it."""
        view: dict[str, Any] = json.loads(self._wanted("view", self.view_json))
        return view

    @property
    def actions(self) -> list[Action]:
        """The legal actions in words, as `Match.legal_actions` gives them, if the bot wants them."""
        return [Action(**row) for row in json.loads(self._wanted("actions", self.actions_json))]

    @property
    def mask(self) -> npt.NDArray[np.bool_]:
        """Says of each action of the table whether it is legal."""
        mask = np.zeros(_action_count(self.game), np.bool_)
        mask[self.legal] = True
        return mask

    @staticmethod
    def _wanted(name: str, text: str | None) -> str:
        if text is None:
            details = {"field": "wants", "value": name}
            raise ArgumentError(f"the bot does not want {name!r}: add it to its wants", details)
        return text


@functools.cache
def _action_count(game: str) -> int:
    return find_game(game).action_count


@runtime_checkable
class Bot(Protocol):
    """A bot that takes one decision at a time.

    Beside what is here it may have `wants`, some of `WANTS` (only "observation" if it does not say), `games`
    that it plays (all if it does not say), `capacity`, how many decisions it takes at once over a network,
    and `match_over(over)`, which is called with an `Over` when a match has ended.
    """

    name: str

    def decide(self, decision: Decision, /) -> SupportsIndex:
        """Gives the action to take: one of `decision.legal`."""


@runtime_checkable
class BatchBot(Protocol):
    """A bot that takes decisions of many matches at once; it may have what a `Bot` may have."""

    name: str

    def decide_batch(self, decisions: list[Decision], /) -> Sequence[SupportsIndex]:
        """Gives the action to take for each of the decisions."""


AnyBot = Bot | BatchBot
B = TypeVar("B")


@dataclass(frozen=True)
class Playing:
    """A bot as it was understood."""

    bot: AnyBot
    name: str
    games: tuple[str, ...]
    wants: frozenset[str]
    capacity: int

    @classmethod
    def of(cls, bot: object, name: str | None = None) -> Playing:
        """Looks at an object that should be a bot."""
        if not (callable(getattr(bot, "decide", None)) or callable(getattr(bot, "decide_batch", None))):
            kind = type(bot).__name__
            raise TypeError(f"a {kind} is no bot: it has neither decide nor decide_batch")
        called = getattr(bot, "name", type(bot).__name__) if name is None else name
        if not isinstance(called, str) or not called:
            details = {"field": "name", "value": repr(called)}
            raise ArgumentError(f"the name of the bot is {called!r}, not a text", details)
        batches = hasattr(bot, "decide_batch")
        capacity = index(getattr(bot, "capacity", CAPACITY if batches else 1))
        if not 1 <= capacity <= 1 << 20:
            details = {"field": "capacity", "value": str(capacity)}
            raise ArgumentError(
                f"the capacity of {called} is {capacity}, 1 to {1 << 20} are possible", details
            )
        wants = _texts("wants", getattr(bot, "wants", ("observation",)))
        if unknown := set(wants) - set(WANTS):
            details = {"field": "wants", "value": repr(sorted(unknown))}
            message = f"{called} wants {', '.join(sorted(unknown))}, there are {', '.join(WANTS)}"
            raise ArgumentError(message, details)
        games = _texts("games", getattr(bot, "games", ()))
        for game in games:
            find_game(game)
        return cls(bot, called, games, frozenset(wants), capacity)  # type: ignore[arg-type]

    @property
    def batches(self) -> bool:
        """Whether it takes many decisions in one call."""
        return hasattr(self.bot, "decide_batch")

    def decide(self, decisions: list[Decision]) -> Sequence[Any]:
        """Gives an action for each decision, or the exception that was in the way of it."""
        if self.batches:
            try:
                actions = list(self.bot.decide_batch(decisions))  # type: ignore[union-attr]
                if len(actions) != len(decisions):
                    raise ValueError(f"{len(actions)} actions for {len(decisions)} decisions")
            except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it is, it is the bot's
                _log.warning("the bot %s failed", self.name, exc_info=True)
                return [error] * len(decisions)
            return actions
        return [self._one(decision) for decision in decisions]

    def _one(self, decision: Decision) -> Any:
        try:
            return self.bot.decide(decision)  # type: ignore[union-attr]
        except (Exception, SystemExit) as error:  # noqa: BLE001
            _log.warning("the bot %s failed", self.name, exc_info=True)
            return error

    def over(self, over: Over) -> None:
        """Lets the bot know that a match has ended, if it wants to."""
        told = getattr(self.bot, "match_over", None)
        if callable(told):
            try:
                told(over)
            except Exception:  # noqa: BLE001
                _log.warning("the bot %s failed after a match", self.name, exc_info=True)

    def port(self) -> LocalPort:
        """Gives the bot a thread of its own to play in. One decision at a time has a clock of its own."""
        capacity = self.capacity if self.batches else 1
        return LocalPort(
            self.name,
            lambda asks: self.decide([decision_of(ask) for ask in asks]),
            wants=self.wants,
            capacity=capacity,
            over=self.over,
        )


def _texts(name: str, value: Any) -> tuple[str, ...]:
    texts = (value,) if isinstance(value, str) else tuple(value)
    if not all(isinstance(text, str) for text in texts):
        raise ArgumentError(f"{name} is {value!r}, not names", {"field": name, "value": repr(value)})
    return texts


def decision_of(ask: Ask) -> Decision:
    """Gives what a bot is told of a decision."""
    return Decision(
        match_id=ask.match_id,
        game=ask.game,
        seats=ask.seats,
        seat=ask.seat,
        decisions=ask.decisions,
        legal=np.array(ask.legal, np.uint32),
        seconds_left=ask.allowance,
        observation=ask.observation,
        view_json=ask.view_json,
        actions_json=ask.actions_json,
    )


def load_bot(text: str) -> AnyBot:
    """Gives the bot that `module:Name` or `file.py:Name` names; a class is called without arguments."""
    place, colon, name = text.rpartition(":")
    details = {"field": "bot", "value": text}
    if not (place and colon and name.isidentifier()):
        raise ArgumentError(f"the bot is {text!r}, write module:Name or file.py:Name", details)
    try:
        if place.endswith(".py"):
            spec = importlib.util.spec_from_file_location(Path(place).stem, place)
            if spec is None or spec.loader is None:
                raise ImportError(f"{place} is no module")
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            if "" not in sys.path:
                sys.path.insert(0, "")  # a module beside whoever asks
            module = importlib.import_module(place)
        found = getattr(module, name)
        bot: AnyBot = found() if isinstance(found, type) or not _is_bot(found) else found
    except (Exception, SystemExit) as error:
        message = f"the bot {text!r} cannot be loaded: {type(error).__name__}: {error}"
        raise ArgumentError(message, details) from error
    if not _is_bot(bot):
        raise ArgumentError(f"{text!r} is no bot: it has neither decide nor decide_batch", details)
    return bot


def _is_bot(value: object) -> bool:
    return callable(getattr(value, "decide", None)) or callable(getattr(value, "decide_batch", None))


# Bots on a server


def serve(
    bot: AnyBot,
    client: Client,
    *,
    name: str | None = None,
    stop: _core.Cancel,
    told: Callable[[Over], object] | None = None,
    away: Callable[[SengokuError | None, float], object] | None = None,
) -> None:
    """Plays for a bot on a server until `stop` is raised, and connects again when the connection is lost.

    `told` hears how each match ended, `away` why the server is away and in how many seconds it is asked
    again. What will not be otherwise later is raised: a wrong token, a name that another client has.
    """
    wait = _FIRST_WAIT
    while not stop.cancelled:
        begun, why = time.monotonic(), None
        try:
            client.serve_bot(bot, name=name, stop=stop, told=told)
        except _AWAY as error:
            why = error
        if stop.cancelled:
            return
        if time.monotonic() - begun > _LONG:
            wait = _FIRST_WAIT
        pause = max(wait * random.uniform(0.5, 1.0), why.retry_after or 0.0 if why else 0.0)  # noqa: S311
        if away is not None:
            away(why, pause)
        until = time.monotonic() + pause
        while not stop.cancelled and time.monotonic() < until:
            time.sleep(min(0.05, pause))
        wait = min(2 * wait, _MOST_WAIT)


_AWAY = (UnavailableError, ShuttingDownError, BusyError, QuotaError, DeadlineError)
_FIRST_WAIT, _MOST_WAIT = 1.0, 30.0
"""Seconds until a server that is away is asked again, at first and at last."""
_LONG = 60.0
"""Seconds after which a connection was a good one."""


# Matches of players


def seatings(
    game: str,
    *,
    players: Sequence[str],
    seats: int,
    setup: str,
    seed: int,
    first_match: int,
    match_count: int,
    rotate: bool,
) -> Iterator[Seating]:
    """Gives the matches to play, in order; where players rotate, each match number once for every seat."""
    for match_index in range(first_match, first_match + match_count):
        for rotation in range(seats if rotate else 1):
            at = tuple(players[(seat + rotation) % seats] for seat in range(seats))
            yield Seating(game, seats, setup, seed, match_index, at, rotation)


def fill_seats(game: str, players: Sequence[B], seats: int | None) -> list[B]:
    """Gives who has each seat: the last one also takes the seats that are left."""
    found = find_game(game)
    count = min(max(len(players), found.seats[0]), found.seats[1]) if seats is None else index(seats)
    if not found.seats[0] <= count <= found.seats[1]:
        details = {"field": "seats", "value": str(count)}
        message = f"seats is {count}, {game} has {found.seats[0]} to {found.seats[1]}"
        raise ArgumentError(message, details)
    if not 1 <= len(players) <= count:
        details = {"field": "players", "value": str(len(players)), "seats": str(count)}
        raise ArgumentError(f"{len(players)} players for {count} seats", details)
    return [*players, *[players[-1]] * (count - len(players))]


def check_count(match_count: int, first_match: int, *, most: int = _core.MAX_MATCHES) -> None:
    """Refuses a number of matches that cannot be."""
    if not 1 <= match_count <= most:
        details = {"field": "match_count", "value": str(match_count), "limit": str(most)}
        raise ArgumentError(f"match_count is {match_count}, 1 to {most} are possible", details)
    if not 0 <= first_match <= (1 << 64) - match_count:
        details = {"field": "first_match", "value": str(first_match), "match_count": str(match_count)}
        raise ArgumentError(
            f"{match_count} matches from number {first_match} go beyond the last number", details
        )


def play_matches(
    game: str,
    *,
    players: Iterable[str | AnyBot],
    seats: int | None = None,
    match_count: int,
    first_match: int = 0,
    seed: int = 0,
    setup: Setup = None,
    rotate: bool = False,
    clock: Clock | None = None,
    at_once: int = AT_ONCE,
    replays: bool = False,
    threads: int = 0,
    progress: bool | Progress | None = None,
    cancel: _core.Cancel | None = None,
) -> PlayReport:
    """Lets bots of one's own and bots of ours play matches here, many at once.

    `players` are names of bots of ours and objects, seat by seat; the last one also takes the seats that are
    left. With `rotate` every match number is played once for each seat, and the players move on by one seat
    each time. A bot that answers illegally, fails, or takes longer than the `clock` forfeits that match: its
    seat is ranked behind all that did not, and `random` decides for it if more than one is left. `replays`
    keeps every decision.
    """
    wanted = fill_seats(game, list(players), seats)
    count, first = index(match_count), index(first_match)
    check_count(count, first)
    if not 1 <= index(at_once) <= 1 << 20:
        details = {"field": "at_once", "value": str(at_once)}
        raise ArgumentError(f"at_once is {at_once}, 1 to {1 << 20} are possible", details)
    names, ports = _name(wanted)
    text = setup_to_json(game, setup)
    wishes = seatings(
        game,
        players=names,
        seats=len(names),
        setup=text,
        seed=seed,
        first_match=first,
        match_count=count,
        rotate=rotate,
    )
    check_seating(wishes_first := next(wishes), ports)
    total = count * (len(names) if rotate else 1)
    rows: list[PlayedMatch] = []
    try:
        with watching(progress) as told:

            def played(row: PlayedMatch) -> None:
                rows.append(row)
                if told is not None:
                    told(len(rows), total)

            Host(
                itertools.chain([wishes_first], wishes),
                ports,
                played=played,
                clock=clock,
                at_once=index(at_once),
                max_decisions=MAX_DECISIONS,
                replays=replays,
                threads=threads,
                cancel=cancel,
            ).run()
    finally:
        for port in ports.values():
            port.close()
    return PlayReport.of(
        rows,
        game=game,
        rules_version=find_game(game).rules_version,
        setup=json.loads(text),
        seed=index(seed),
        players=tuple(names),
    )


def check_seating(seating: Seating, ports: Iterable[str]) -> None:
    """Refuses a match that cannot be: its setup, its seed, or a bot that is not there."""
    known = set(ports)
    make_match(seating, {seat: name for seat, name in enumerate(seating.players) if name not in known})


def _name(players: Sequence[str | AnyBot]) -> tuple[list[str], dict[str, LocalPort]]:
    """Gives every player a name of its own, and those in this process a port."""
    taken = {player for player in players if isinstance(player, str)}
    for name in taken:
        if name.startswith("@"):
            details = {"field": "players", "value": name}
            raise ArgumentError(f"{name} is a player of a server: ask a client for the matches", details)
    ports: dict[str, LocalPort] = {}
    mine: dict[int, str] = {}
    names: list[str] = []
    for player in players:
        if isinstance(player, str):
            names.append(player)
            continue
        if id(player) not in mine:
            playing = Playing.of(player)
            free = (playing.name if n == 1 else f"{playing.name}-{n}" for n in itertools.count(1))
            name = next(name for name in free if name not in taken)
            taken.add(name)
            mine[id(player)] = name
            ports[name] = Playing.of(player, name).port()
        names.append(mine[id(player)])
    return names, ports
