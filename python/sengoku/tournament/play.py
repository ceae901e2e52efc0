"""Plays what a tournament has left to play, and writes it down as it goes."""

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from sengoku._core import Cancel
from sengoku.bots.bot import Playing, load_bot
from sengoku.bots.clock import Clock
from sengoku.bots.host import Host
from sengoku.bots.local import LocalPort
from sengoku.bots.port import Port, Seating
from sengoku.bots.report import PlayedMatch
from sengoku.engine.requests import RunRequest
from sengoku.errors import ArgumentError
from sengoku.storage.store import State
from sengoku.tournament.record import Record
from sengoku.tournament.results import Fault, MatchResult
from sengoku.tournament.schedule import Block, BlockKey, Meeting, Schedule
from sengoku.tournament.seating import arrangements
from sengoku.tournament.spec import Entrant

__all__ = ["Progress", "play"]

_CHUNK_SECONDS = 0.5
"""How long a piece of work takes: what an end of the process loses, and how often a watcher hears."""
_LARGEST_CHUNK = 1 << 14
_GROWTH = 8
"""How much larger a piece may be than the one before: the first ones are too short to judge by."""
_TESTED_AT_ONCE = 16
"""Blocks of a meeting on a board that are begun before its rule is asked again."""
_RETRIED = frozenset(("crashed", "disconnected"))
"""Faults after which a match may be played again: those that an answer of the bot is not."""


Turn = Callable[[], AbstractContextManager[object]]
Played = Callable[..., object]


@dataclass(frozen=True)
class Progress:
    """How far a tournament is."""

    round: int
    """The round that is played, from 1."""
    matches_done: int
    matches_due: int
    """Matches of all rounds up to this one, if no meeting ends early."""
    matches_per_second: float
    """Since the work was begun, or gone on with."""


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
) -> Record:
    """Plays until the tournament is over; one that was stopped, in whatever way, goes on where it was.

    A ladder without end goes on until `cancel` or an exception of `progress` stops it. `port` says where a
    player is reached that connects to a server. A bot that cannot be had is an error before anything is
    played; what goes wrong with one later costs it its matches and nothing else. `turn` is entered while bots
    of ours think, which may take all cores. `played` hears the game, `matches` and `decisions` of what is
    written down.
    """
    record.check_rules()
    if record.state.over:
        return record
    ports: dict[int, Port] = {}
    try:
        games = dict.fromkeys(board.game for board in record.spec.boards)
        for place, bot in enumerate(record.spec.bots):
            if bot.bot is None:
                ports[place] = port(bot) if port is not None else _local_port(bot, place, games)
        _Play(record, ports, threads, background, cancel or Cancel(), progress, turn, played).run()
    finally:
        for opened in ports.values():
            if isinstance(opened, LocalPort):
                opened.close()
    return record.end(State.SUCCEEDED)


def _local_port(bot: Entrant, place: int, games: Iterable[str]) -> Port:
    """Where a bot in Python is reached: in this process."""
    if bot.python is None:
        details = {"field": f"bots[{place}].player", "value": str(bot.player)}
        raise ArgumentError(
            f"{bot.name} is a player of a server: let the server play the tournament", details
        )
    details = {"field": f"bots[{place}].python", "value": bot.python}
    try:
        playing = Playing.of(load_bot(bot.python), bot.name)
    except (ArgumentError, TypeError) as error:
        raise ArgumentError(f"bots[{place}].python: {error}", details) from error
    for game in games:
        if playing.games and game not in playing.games:
            message = f"bots[{place}].python: {bot.name} plays {', '.join(playing.games)}, not {game}"
            raise ArgumentError(message, details)
    return playing.port()


class _Play:
    """A tournament that is being played."""

    def __init__(
        self,
        record: Record,
        ports: dict[int, Port],
        threads: int,
        background: bool,
        cancel: Cancel,
        progress: Callable[[Progress], None] | None,
        turn: Turn,
        played: Played | None,
    ) -> None:
        self.record = record
        self.turn, self.told_played = turn, played
        self.spec = record.spec
        self.schedule = Schedule(record.spec)
        self.ports = ports
        self.threads, self.background, self.cancel, self.progress = threads, background, cancel, progress
        self.played = record.played()
        """The matches of each block so far, by their place in it."""
        self.results = {key: list(found.values()) for key, found in self.played.items() if self._whole(key)}
        self.paces: dict[tuple[int, tuple[int, ...]], int] = {}
        """Blocks that fill a piece of work, by board and bots."""
        self.done = self.before = sum(map(len, self.played.values()))
        self.began = time.monotonic()
        self.round = self.due = 0
        """The round that is played, and the matches of all rounds up to it."""

    def run(self) -> None:
        while meetings := self._open():
            self._tell()
            # Players are asked about many matches at once, so that their latency does not set the pace.
            foreign = [meeting for meeting in meetings if not self.ports.keys().isdisjoint(meeting.bots)]
            self._host([block for meeting in foreign for block in self._next(meeting)])
            for meeting in meetings:
                if meeting not in foreign:
                    blocks = list(self._next(meeting))
                    for board in dict.fromkeys(block.board for block in blocks):
                        self._play(meeting.bots, [block for block in blocks if block.board == board])
        self._tell()

    def _whole(self, key: BlockKey) -> bool:
        bots, board, _ = key
        return len(self.played[key]) == self._size(bots, board)

    def _size(self, bots: tuple[int, ...], board: int) -> int:
        """Matches of a block."""
        return len(arrangements(len(bots), self.spec.boards[board].seats, self.spec.most_matches))

    def _open(self) -> list[Meeting]:
        """The meetings of the last round there is that are not over; none at the end of all."""
        rounds = list(self.schedule.rounds(self.results))
        self.round = len(rounds)
        self.due = sum(
            self._size(meeting.bots, block.board)
            for found, _ in rounds
            for meeting in found.meetings
            for block in meeting.blocks
        )
        _, standings = rounds[-1]
        return [standing.meeting for standing in standings if not standing.over]

    def _next(self, meeting: Meeting) -> Iterator[Block]:
        """The blocks to play next: all that are missing, or some where a rule can end the meeting early."""
        missing = [block for block in meeting.blocks if block.key not in self.results]
        early = self.spec.sprt is not None or self.spec.format == "knockout"
        boards = len({block.board for block in missing})
        yield from missing[: _TESTED_AT_ONCE * boards] if early else missing

    def _play(self, bots: tuple[int, ...], blocks: list[Block]) -> None:
        """Plays blocks of one board: piece by piece, in a piece seating by seating, a run for each."""
        board = blocks[0].board
        for piece in self._pieces(bots, blocks):
            for place, seated in enumerate(self.schedule.seatings(piece[0].key)):
                # A seating of a piece is written down as a whole; what is left of an earlier one has gaps.
                missing = [block for block in piece if place not in self.played.get(block.key, {})]
                for run in _consecutive(missing):
                    began = time.monotonic()
                    self._add(bots, self._ours(board, run[0].number, len(run), place, seated))
                    self._pace(board, bots, len(run), time.monotonic() - began)
                    self._tell()

    def _pieces(self, bots: tuple[int, ...], blocks: list[Block]) -> Iterator[list[Block]]:
        at = 0
        while at < len(blocks):
            size = self.paces.get((blocks[0].board, bots), 1)
            yield blocks[at : at + size]
            at += size

    def _pace(self, board: int, bots: tuple[int, ...], count: int, seconds: float) -> None:
        before = self.paces.get((board, bots), 1)
        wanted = int(count * _CHUNK_SECONDS / max(seconds, 1e-3))
        self.paces[board, bots] = max(1, min(wanted, before * _GROWTH, _LARGEST_CHUNK))

    def _ours(
        self, place: int, first: int, count: int, arrangement: int, seated: tuple[int, ...]
    ) -> Iterable[MatchResult]:
        """Matches between our own bots, played wholly in Rust."""
        board = self.spec.boards[place]
        with self.turn():
            request = RunRequest.create(
                board.game,
                bots=[str(self.spec.bots[bot].bot) for bot in seated],
                seats=board.seats,
                match_count=count,
                first_match=first,
                seed=self.record.seeds[place],
                setup=board.setup,
            )
            report = request.play(threads=self.threads, cancel=self.cancel, background=self.background)
        for row in range(count):
            yield MatchResult(
                board=place,
                number=first + row,
                arrangement=arrangement,
                bots=seated,
                ranks=tuple(report.ranks[row].tolist()),
                by_rule=bool(report.by_rule[row]),
                reason=report.reasons[report.reason[row]],
                rounds=int(report.rounds[row]),
                decisions=int(report.decisions[row]),
                digest=int(report.digest[row]),
                scores=tuple(report.scores[row].tolist()),
            )

    def _host(self, blocks: list[Block]) -> None:
        """Plays blocks with bots that are not ours; a match that one of them broke may be played again."""
        jobs = [
            (block, place)
            for block in blocks
            for place in range(len(self.schedule.seatings(block.key)))
            if place not in self.played.get(block.key, {})
        ]
        for left in range(self.spec.retries, -1, -1):
            jobs = self._clocked(jobs, again=left > 0)

    def _clocked(self, jobs: list[tuple[Block, int]], *, again: bool) -> list[tuple[Block, int]]:
        """Lets a host play matches, each known by its place in the list; gives those to be played again."""
        broken: list[tuple[Block, int]] = []

        def over(match: PlayedMatch) -> None:
            block, place = jobs[match.rotation]
            if again and not _RETRIED.isdisjoint(match.forfeits):
                broken.append((block, place))
                return
            self._add(block.bots, [self._result(block, place, match)], match.replay)
            self._tell()

        if not jobs:
            return broken
        clock = self.spec.clock
        Host(
            (self._seating(number, block, place) for number, (block, place) in enumerate(jobs)),
            {_port_name(bot): port for bot, port in self.ports.items()},
            played=over,
            clock=Clock(clock.decision, clock.bank, math.inf if clock.match is None else clock.match),
            replays=True,
            threads=self.threads,
            background=self.background,
            cancel=self.cancel,
            turn=self.turn,
        ).run()
        return broken

    def _seating(self, number: int, block: Block, place: int) -> Seating:
        board = self.spec.boards[block.board]
        seated = self.schedule.seatings(block.key)[place]
        return Seating(
            game=board.game,
            seats=board.seats,
            setup=json.dumps(board.setup),
            seed=self.record.seeds[block.board],
            match_index=block.number,
            players=tuple(
                _port_name(bot) if bot in self.ports else str(self.spec.bots[bot].bot) for bot in seated
            ),
            rotation=number,
        )

    def _result(self, block: Block, place: int, match: PlayedMatch) -> MatchResult:
        return MatchResult(
            board=block.board,
            number=block.number,
            arrangement=place,
            bots=self.schedule.seatings(block.key)[place],
            ranks=match.ranks,
            by_rule=match.by_rule,
            reason=match.reason,
            rounds=match.rounds,
            decisions=match.decisions,
            digest=match.digest,
            scores=match.scores,
            faults=tuple(Fault(seat, why) for seat, why in enumerate(match.forfeits) if why),
        )

    def _add(self, bots: tuple[int, ...], matches: Iterable[MatchResult], replay: str | None = None) -> None:
        """Writes matches down, and what they make whole."""
        new = list(matches)
        self.record.add((bots, match, replay) for match in new)
        if self.told_played is not None and new:
            game = self.spec.boards[new[0].board].game
            self.told_played(game, matches=len(new), decisions=sum(match.decisions for match in new))
        self.done += len(new)
        for match in new:
            key = bots, match.board, match.number
            self.played.setdefault(key, {})[match.arrangement] = match
            if self._whole(key):
                self.results[key] = [self.played[key][place] for place in sorted(self.played[key])]

    def _tell(self) -> None:
        if self.progress is None:
            return
        rate = (self.done - self.before) / max(time.monotonic() - self.began, 1e-6)
        self.progress(Progress(self.round, self.done, self.due, rate))


def _port_name(bot: int) -> str:
    """What a host calls a bot that is not ours; no bot of ours has such a name."""
    return f"#{bot}"


def _consecutive(blocks: list[Block]) -> Iterator[list[Block]]:
    """Splits blocks into runs whose numbers follow one another."""
    run: list[Block] = []
    for block in blocks:
        if run and block.number != run[-1].number + 1:
            yield run
            run = []
        run.append(block)
    if run:
        yield run
