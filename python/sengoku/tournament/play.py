"""Plays the remaining matches of a tournament, and stores each result as it arrives."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from sengoku._core import Cancel
from sengoku.bots.bot import Playing, load_bot
from sengoku.bots.host import Host
from sengoku.bots.llm import LlmPlayer
from sengoku.bots.local import LocalPort
from sengoku.bots.port import Observer, Port, Seating
from sengoku.bots.process import Isolation, isolation_text
from sengoku.bots.program import ProgramBot, python_bot
from sengoku.engine.pacing import Pacing
from sengoku.engine.report import MatchReport
from sengoku.engine.requests import RunRequest
from sengoku.engine.result import MatchResult
from sengoku.engine.talk import TalkLimits
from sengoku.errors import ArgumentError
from sengoku.storage import State
from sengoku.tournament.record import Record
from sengoku.tournament.results import TournamentMatch
from sengoku.tournament.schedule import Block, Meeting, Schedule
from sengoku.tournament.seating import arrangements
from sengoku.tournament.spec import Entrant

__all__ = ["Progress", "play"]

_CHUNK_SECONDS = 0.5
"""How long a chunk takes: what the end of the process loses, and how often watchers see progress."""
_LARGEST_CHUNK = 1 << 14
_WAVE_SECONDS = 5.0
"""The same for matches that are played elsewhere, many requests at once."""
_TESTED_AT_ONCE = 16
"""Blocks of a meeting on a board that are started before the stopping rule is checked again."""
TRUSTED = "the process of the tournament, where it can read everything: the file trusts it"
_RETRIED = frozenset(("crashed", "disconnected"))
"""Faults after which a match may be repeated: those that are not an answer of the bot."""


Turn = Callable[[], AbstractContextManager[object]]
Bulk = Callable[[Sequence[RunRequest], Cancel, Callable[[], None]], Sequence[MatchReport]]
"""Plays several requests at once; calls a function now and then, and stops if that raises."""
Played = Callable[..., object]


@dataclass(frozen=True)
class Progress:
    """Progress of a tournament."""

    round: int  # the current round, from 1
    matches_done: int
    matches_due: int  # matches of all rounds up to this one, if no meeting ends early
    matches_per_second: float  # since the tournament was started or resumed


def play(
    record: Record,
    *,
    threads: int = 0,
    background: bool = False,
    cancel: Cancel | None = None,
    progress: Callable[[Progress], None] | None = None,
    port: Callable[[Entrant], Port] | None = None,
    turn: Turn = nullcontext,
    played: Played | None = None,
    hide: Sequence[Path] = (),
    bulk: Bulk | None = None,
    observer: Observer | None = None,
) -> Record:
    """Play until the tournament has ended; one that was interrupted continues where it was.

    A ladder without an end continues until `cancel`, or an exception of `progress`, stops it. `port` connects
    to a player of a server. A bot that cannot be loaded is an error before anything is played; later failures
    cost only that bot's matches. `turn` is entered while built-in bots decide, which may use all cores.
    `played` receives the game, `matches` and `decisions` of what was stored. Python bots that the file does
    not trust and programs play in isolated processes, which can read neither the store nor the files `hide`
    where the system can hide files. `bulk` plays the matches between built-in bots, many requests at once,
    instead of this process. `observer` is told about the matches with custom bots.
    """
    record.check_rules()
    if record.state.over:
        return record
    ports: dict[int, Port] = {}
    try:
        for place, bot in enumerate(record.spec.bots):
            if bot.bot is None:
                ports[place] = port(bot) if port is not None else _local_port(record, place, hide)
        options = {"threads": threads, "background": background, "cancel": cancel or Cancel()}
        _Play(record, ports, options, progress, turn, played, bulk, observer).run()
    finally:
        for opened in ports.values():
            if isinstance(opened, LocalPort):
                opened.close()
    return record.end(State.SUCCEEDED)


def _local_port(record: Record, place: int, hide: Sequence[Path]) -> Port:
    """Load or start a bot of this machine, and return its port."""
    bot = record.spec.bots[place]
    field = f"bots[{place}].{bot.kind}"
    details = {"field": field, "value": str(bot.as_dict()["source"])}
    if not bot.local:
        raise ArgumentError(f"{bot.name} is a player on a server: run the tournament on that server", details)
    games = list(dict.fromkeys(board.game for board in record.spec.boards))
    made: ProgramBot | LlmPlayer | None = None
    try:
        if bot.llm is not None:
            made = LlmPlayer(bot.llm, name=bot.name)
            record.note_isolation(bot.name, made.place)
            playing = Playing.of(made, bot.name)
        elif bot.trusted:
            record.note_isolation(bot.name, TRUSTED)
            playing = Playing.of(load_bot(str(bot.python)), bot.name)
        else:
            isolation = replace(record.spec.isolation or Isolation(), network=bot.network)
            hidden = (*hide, *_store_files(record))
            options: dict[str, Any] = {
                "name": bot.name,
                "games": games,
                "isolation": isolation,
                "hide": hidden,
            }
            made = (
                python_bot(bot.python, **options) if bot.python else ProgramBot(bot.program or (), **options)
            )
            record.note_isolation(bot.name, isolation_text(isolation))
            playing = Playing.of(made, bot.name)
        for game in games:
            if playing.games and game not in playing.games:
                message = f"{bot.name} plays {', '.join(playing.games)}, not {game}"
                raise ArgumentError(message, details)
    except (ArgumentError, TypeError) as error:
        if made is not None:
            made.close()
        raise ArgumentError(f"{field}: {error}", details) from error
    return playing.port()


def _store_files(record: Record) -> list[Path]:
    """Return the files with the seeds: bots must not read them."""
    path = record.store.path
    return [] if path is None else [Path(f"{path}{suffix}") for suffix in ("", "-wal", "-shm", "-journal")]


@dataclass(frozen=True)
class _Part:
    """Matches of one seating on one board, as a bulk run."""

    bots: tuple[int, ...]
    board: int
    arrangement: int
    seated: tuple[int, ...]
    request: RunRequest

    def matches(self, report: MatchReport) -> Iterator[TournamentMatch]:
        """Iterate over the results of a report."""
        for result in report.results():
            yield TournamentMatch.of(result, board=self.board, arrangement=self.arrangement, bots=self.seated)


class _Play:
    """A tournament in progress."""

    def __init__(
        self,
        record: Record,
        ports: dict[int, Port],
        options: dict[str, Any],
        progress: Callable[[Progress], None] | None,
        turn: Turn,
        on_played: Played | None,
        bulk: Bulk | None = None,
        observer: Observer | None = None,
    ) -> None:
        """`options` are the threads, background and cancel of everything that is played."""
        self.record, self.spec, self.schedule = record, record.spec, Schedule(record.spec)
        self.ports, self.options, self.progress = ports, options, progress
        self.turn, self.on_played, self.bulk, self.observer = turn, on_played, bulk, observer
        self.wave = Pacing(_WAVE_SECONDS, size=1 << 10)  # matches that are played at once elsewhere
        self.played = record.played()  # the matches of each block so far, by their index in it
        self.results = {
            block: list(found.values())
            for block, found in self.played.items()
            if len(found) == self._size(block)
        }
        self.pacings: dict[tuple[int, tuple[int, ...]], Pacing] = {}  # blocks per chunk, by board and bots
        self.done = self.before = sum(map(len, self.played.values()))
        self.began = time.monotonic()
        self.round = self.due = 0  # the current round, and the matches of all rounds up to it

    def run(self) -> None:
        while meetings := self._open():
            self._report()
            # Players get many matches at a time, so that their latency does not limit the speed.
            clocked = [meeting for meeting in meetings if not self.ports.keys().isdisjoint(meeting.bots)]
            self._host([block for meeting in clocked for block in self._next(meeting)])
            if self.bulk is not None:
                self._play_at_once(self.bulk, [meeting for meeting in meetings if meeting not in clocked])
                continue
            for meeting in meetings:
                if meeting not in clocked:
                    blocks = list(self._next(meeting))
                    for board in dict.fromkeys(block.board for block in blocks):
                        self._play(meeting.bots, [block for block in blocks if block.board == board])
        self._report()

    def _size(self, block: Block) -> int:
        """Return the number of matches of a block."""
        seats = self.spec.boards[block.board].seats
        return len(arrangements(len(block.bots), seats, self.spec.most_matches))

    def _open(self) -> list[Meeting]:
        """Return the unfinished meetings of the current round; none at the end of the tournament."""
        rounds = list(self.schedule.rounds(self.results))
        self.round = len(rounds)
        meetings = (meeting for found, _ in rounds for meeting in found.meetings)
        self.due = sum(self._size(block) for meeting in meetings for block in meeting.blocks)
        _, standings = rounds[-1]
        return [standing.meeting for standing in standings if not standing.over]

    def _next(self, meeting: Meeting) -> Iterator[Block]:
        """Return the next blocks: all missing ones, or some where a rule can end the meeting early."""
        missing = [block for block in meeting.blocks if block not in self.results]
        early = self.spec.sprt is not None or self.spec.format == "knockout"
        boards = len({block.board for block in missing})
        yield from missing[: _TESTED_AT_ONCE * boards] if early else missing

    def _play(self, bots: tuple[int, ...], blocks: list[Block]) -> None:
        """Play blocks of one board, chunk by chunk; each seating of a chunk is one bulk run."""
        board = blocks[0].board
        for chunk in self._chunks(bots, blocks):
            for place, seated in enumerate(self.schedule.seatings(chunk[0])):
                # A seating of a chunk is stored as a whole; what is left of an interrupted one has gaps.
                missing = [block for block in chunk if place not in self.played.get(block, {})]
                for run in _consecutive(missing):
                    began = time.monotonic()
                    self._add(bots, self._bulk(board, run[0].number, len(run), place, seated))
                    self._pacing(board, bots).update(len(run), time.monotonic() - began)
                    self._report()

    def _play_at_once(self, bulk: Bulk, meetings: list[Meeting]) -> None:
        """Play the next blocks of several meetings side by side, and store them every few seconds."""
        waiting = deque(part for meeting in meetings for part in self._parts(meeting))
        while waiting:
            wave: list[_Part] = []
            while waiting and sum(part.request.match_count for part in wave) < self.wave.size:
                wave.append(waiting.popleft())
            began = time.monotonic()
            reports = bulk([part.request for part in wave], self.options["cancel"], self._report)
            for part, report in zip(wave, reports, strict=True):
                self._add(part.bots, part.matches(report))
            self.wave.update(sum(map(len, reports)), time.monotonic() - began)
            self._report()

    def _parts(self, meeting: Meeting) -> Iterator[_Part]:
        """Split the next blocks of a meeting into requests: for each board, seating and run of matches."""
        blocks = list(self._next(meeting))
        for board in dict.fromkeys(block.board for block in blocks):
            mine = [block for block in blocks if block.board == board]
            for place, seated in enumerate(self.schedule.seatings(mine[0])):
                missing = [block for block in mine if place not in self.played.get(block, {})]
                for run in _consecutive(missing):
                    for at in range(0, len(run), _LARGEST_CHUNK):
                        count = min(_LARGEST_CHUNK, len(run) - at)
                        request = self._request(board, run[at].number, count, seated)
                        yield _Part(meeting.bots, board, place, seated, request)

    def _pacing(self, board: int, bots: tuple[int, ...]) -> Pacing:
        return self.pacings.setdefault((board, bots), Pacing(_CHUNK_SECONDS, size=1, most=_LARGEST_CHUNK))

    def _chunks(self, bots: tuple[int, ...], blocks: list[Block]) -> Iterator[list[Block]]:
        at = 0
        while at < len(blocks):
            size = self._pacing(blocks[0].board, bots).size
            yield blocks[at : at + size]
            at += size

    def _bulk(
        self, place: int, first: int, count: int, arrangement: int, seated: tuple[int, ...]
    ) -> Iterable[TournamentMatch]:
        """Play matches between built-in bots as one bulk run."""
        request = self._request(place, first, count, seated)
        with self.turn():
            report = request.play(**self.options)
        return _Part(seated, place, arrangement, seated, request).matches(report)

    def _request(self, place: int, first: int, count: int, seated: tuple[int, ...]) -> RunRequest:
        """Return the request for matches of one seating on a board."""
        board = self.spec.boards[place]
        return RunRequest.create(
            board.game,
            bots=[str(self.spec.bots[bot].bot) for bot in seated],
            seats=board.seats,
            match_count=count,
            first_match=first,
            seed=self.record.seeds[place],
            setup=board.setup,
        )

    def _host(self, blocks: list[Block]) -> None:
        """Play blocks with custom bots; a match that one of them broke may be repeated."""
        jobs = [
            (block, place)
            for block in blocks
            for place in range(len(self.schedule.seatings(block)))
            if place not in self.played.get(block, {})
        ]
        for left in range(self.spec.retries, -1, -1):
            jobs = self._clocked(jobs, again=left > 0)

    def _clocked(self, jobs: list[tuple[Block, int]], *, again: bool) -> list[tuple[Block, int]]:
        """Play matches with a host, each identified by its index in the list; return those to be repeated."""
        broken: list[tuple[Block, int]] = []

        def over(match: MatchResult) -> None:
            block, place = jobs[match.rotation]
            if again and not _RETRIED.isdisjoint(match.forfeits):
                broken.append((block, place))
                return
            seated = self.schedule.seatings(block)[place]
            result = TournamentMatch.of(match, board=block.board, arrangement=place, bots=seated)
            self._add(block.bots, [result], match.replay, match.notes)
            self._report()

        if not jobs:
            return broken
        Host(
            (self._seating(number, block, place) for number, (block, place) in enumerate(jobs)),
            {_port_name(bot): port for bot, port in self.ports.items()},
            played=over,
            clock=self.spec.clock,
            replays=True,
            talk=TalkLimits() if self.spec.talk else None,
            rename=self.spec.rename,
            turn=self.turn,
            observer=self.observer,
            **self.options,
        ).run()
        return broken

    def _seating(self, number: int, block: Block, place: int) -> Seating:
        board, seed = self.spec.boards[block.board], self.record.seeds[block.board]
        seated = self.schedule.seatings(block)[place]
        names = (_port_name(bot) if bot in self.ports else str(self.spec.bots[bot].bot) for bot in seated)
        setup = json.dumps(board.setup)
        return Seating(board.game, board.seats, setup, seed, block.number, tuple(names), number)

    def _add(
        self,
        bots: tuple[int, ...],
        matches: Iterable[TournamentMatch],
        replay: str | None = None,
        notes: str | None = None,
    ) -> None:
        """Store matches, and update the blocks that they complete."""
        new = list(matches)
        self.record.add(((bots, match, replay) for match in new), notes)
        if self.on_played is not None and new:
            game = self.spec.boards[new[0].board].game
            self.on_played(game, matches=len(new), decisions=sum(match.decisions for match in new))
        self.done += len(new)
        for match in new:
            block = Block(bots, match.board, match.number)
            found = self.played.setdefault(block, {})
            found[match.arrangement] = match
            if len(found) == self._size(block):
                self.results[block] = [found[place] for place in sorted(found)]

    def _report(self) -> None:
        if self.progress is None:
            return
        rate = (self.done - self.before) / max(time.monotonic() - self.began, 1e-6)
        self.progress(Progress(self.round, self.done, self.due, rate))


def _port_name(bot: int) -> str:
    """Return the name of a custom bot's port; no built-in bot has such a name."""
    return f"#{bot}"


def _consecutive(blocks: list[Block]) -> Iterator[list[Block]]:
    """Split blocks into runs of consecutive match numbers."""
    for _, run in groupby(enumerate(blocks), lambda item: item[1].number - item[0]):
        yield [block for _, block in run]
