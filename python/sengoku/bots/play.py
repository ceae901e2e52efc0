"""Clocked matches between built-in and custom bots in this process.

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

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from operator import index
from typing import Any, TypeVar

from sengoku import _core
from sengoku.bots.bot import AnyBot, Playing
from sengoku.bots.clock import Clock
from sengoku.bots.host import AT_ONCE, Host
from sengoku.bots.local import LocalPort
from sengoku.bots.port import Seating, make_match
from sengoku.bots.report import PlayReport
from sengoku.engine.checks import check_integer
from sengoku.engine.games import Setup, find_game, setup_to_json
from sengoku.engine.progress import Progress, watching
from sengoku.engine.result import MatchResult
from sengoku.engine.talk import TalkLimits
from sengoku.errors import ArgumentError

__all__ = ["check_count", "check_seating", "fill_seats", "play_matches", "seatings"]

B = TypeVar("B")


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
    """Iterate over the matches to play; with `rotate`, each match number comes once for every seat."""
    for match_index in range(first_match, first_match + match_count):
        for rotation in range(seats if rotate else 1):
            at = tuple(players[(seat + rotation) % seats] for seat in range(seats))
            yield Seating(game, seats, setup, seed, match_index, at, rotation)


def fill_seats(game: str, players: Sequence[B], seats: int | None) -> list[B]:
    """Return the player of each seat: the last player also takes the remaining seats."""
    found = find_game(game)
    count = min(max(len(players), found.seats[0]), found.seats[1]) if seats is None else index(seats)
    if not found.seats[0] <= count <= found.seats[1]:
        details = {"field": "seats", "value": str(count)}
        message = f"seats is {count}: must be {found.seats[0]} to {found.seats[1]} for {game}"
        raise ArgumentError(message, details)
    if not 1 <= len(players) <= count:
        details = {"field": "players", "value": str(len(players)), "seats": str(count)}
        raise ArgumentError(f"{len(players)} players for {count} seats: must be 1 to {count}", details)
    return [*players, *[players[-1]] * (count - len(players))]


def check_count(match_count: int, first_match: int, *, most: int = _core.MAX_MATCHES) -> None:
    """Raise `ArgumentError` for a range of matches that does not exist."""
    if not 1 <= match_count <= most:
        details = {"field": "match_count", "value": str(match_count), "limit": str(most)}
        raise ArgumentError(f"match_count is {match_count}: must be 1 to {most}", details)
    if not 0 <= first_match <= (1 << 64) - match_count:
        details = {"field": "first_match", "value": str(first_match), "match_count": str(match_count)}
        message = f"first_match is {first_match}: must be 0 to {(1 << 64) - match_count}"
        raise ArgumentError(message, details)


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
    talk: bool = False,
    rename: bool = False,
    threads: int = 0,
    progress: bool | Progress | None = None,
    cancel: _core.Cancel | None = None,
) -> PlayReport:
    """Play matches between built-in and custom bots in this process, many concurrently.

    `players` are names of built-in bots or bot objects, seat by seat; the last one also takes the remaining
    seats. With `rotate` every match number is played once per seat, and the players move on by one seat each
    time. A bot that answers with an illegal action, raises, or exceeds the `clock` forfeits the match: its
    seat ranks behind all that did not, and `random` decides for it while more than one is left. `replays`
    keeps every decision and the notes of players. With `talk` players may send messages to one another
    (`Decision.say`). With `rename` bot objects are shown other names of places, units and cards, different
    ones under each match number, so that what they have read about these names is of no use.
    """
    count, first = index(match_count), index(first_match)
    seated = fill_seats(game, list(players), seats)
    check_count(count, first)
    at_once = check_integer("at_once", at_once, 1, 1 << 20)
    names, ports = _name(seated)
    text = setup_to_json(game, setup)
    asked: dict[str, Any] = {"setup": text, "seed": seed, "first_match": first, "match_count": count}
    matches = seatings(game, players=names, seats=len(names), **asked, rotate=rotate)
    check_seating(first_seating := next(matches), ports)
    total = count * (len(names) if rotate else 1)
    rows: list[MatchResult] = []
    try:
        with watching(progress) as report:

            def played(row: MatchResult) -> None:
                rows.append(row)
                if report is not None:
                    report(len(rows), total)

            Host(
                itertools.chain([first_seating], matches),
                ports,
                played=played,
                clock=clock,
                at_once=at_once,
                replays=replays,
                talk=TalkLimits() if talk else None,
                rename=rename,
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
    """Raise the error of a match that cannot start: wrong setup, wrong seed, or an unknown bot."""
    known = set(ports)
    make_match(seating, {seat: name for seat, name in enumerate(seating.players) if name not in known})


def _name(players: Sequence[str | AnyBot]) -> tuple[list[str], dict[str, LocalPort]]:
    """Give every player a unique name, and every bot object a port."""
    taken = {player for player in players if isinstance(player, str)}
    for name in taken:
        if name.startswith("@"):
            details = {"field": "players", "value": name}
            raise ArgumentError(f"{name} is a player on a server: call play_matches of a client", details)
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
