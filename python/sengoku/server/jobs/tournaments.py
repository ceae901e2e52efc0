"""Server-side tournaments: run in the background, persisted, resumed after a restart."""

import asyncio
import logging
import threading
import uuid
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from sengoku._core import Cancel
from sengoku.bots.port import Port
from sengoku.engine.requests import RunRequest
from sengoku.errors import (
    ArgumentError,
    CancelledError,
    DataCorruptError,
    LimitError,
    ReportTooLargeError,
    SengokuError,
    TournamentNotFoundError,
    TournamentNotOverError,
    invalid,
)
from sengoku.fleet.tournaments import fleet_bulk
from sengoku.server.fair_queue import FairQueue
from sengoku.server.jobs.job import Jobs
from sengoku.server.jobs.tournament_job import TournamentJob, TournamentView, take_up
from sengoku.server.limits import Limits
from sengoku.server.live_matches import LiveMatches, Observer
from sengoku.server.player_registry import PLAYER_NAME, PlayerRegistry
from sengoku.server.quota import Quota
from sengoku.storage import STALLS, State, Store
from sengoku.tournament.interrupt import interruptible
from sengoku.tournament.play import Progress, play
from sengoku.tournament.record import Record, find_request, page
from sengoku.tournament.schedule import Schedule
from sengoku.tournament.spec import Entrant, TournamentSpec, parse_spec
from sengoku.tournament.standings import Tables, count_cells

if TYPE_CHECKING:
    from sengoku.fleet import Fleet

__all__ = ["TournamentView", "Tournaments"]

_log = logging.getLogger(__name__)

_MATCH_BYTES = 512
"""Bytes of a match in the store, about, including the replays of matches with players."""
_LOOK_SECONDS = 0.05
"""Time between two looks at whether a call that waits for tables was cancelled."""
_TABLES_KEPT = 2
"""Tournaments whose tables are cached, so that many watchers cost no more than one."""


T = TypeVar("T")


class Tournaments(Jobs[TournamentJob, TournamentView]):
    """The tournaments of a server. A few are played at once, chunk by chunk, in turn with all other work."""

    _not_over = TournamentNotOverError

    def __init__(
        self,
        store: Store,
        limits: Limits,
        players: PlayerRegistry,
        *,
        threads: int = 0,
        queue: FairQueue | None = None,
        played: Callable[..., object],
        live: LiveMatches,
        fleet: "Fleet | None" = None,
    ) -> None:
        """Take up the unfinished tournaments, on the server's event loop; `begin` starts to play.

        With a fleet, matches between built-in bots are played there.
        """
        self._bulk = None if fleet is None else fleet_bulk(fleet)
        quota = Quota(
            "unfinished tournaments",
            limits,
            "unfinished_tournaments",
            "client_tournaments",
            retry_after=lambda: 10.0,
        )
        workers = limits.tournaments_at_once
        super().__init__(
            "tournament", store, limits, quota, threads=threads, queue=queue, played=played, workers=workers
        )
        self._players = players
        self._live = live
        self._loop = asyncio.get_running_loop()
        self._counting = threading.Lock()
        """Held while tables are computed: it takes a while, and pictures share drawing state."""
        self._tables: OrderedDict[tuple[int, int], Tables] = OrderedDict()
        self._resume_all(lambda: reversed(page(store, state=State.RUNNING)), take_up)

    # Starting

    def create(self, text: str, client: str, request_id: str = "") -> TournamentView:
        """Start a tournament, or return the one that this request id started already."""
        self._check_request_id(request_id)
        self._limits.check("tournament_bytes", len(text.encode("utf-8", "replace")))
        spec = parse_spec(text, files=False)
        matches = self._check(spec)
        with self._starting:
            known = find_request(self._store, client, request_id) if request_id else None
            if known is not None:
                same = known.lost is not None or known.spec.digest == spec.digest
                return self._known(known.name, client, request_id, same=same)
            self._check_room(client, matches * _MATCH_BYTES + len(text))
            owners = self._owners(spec)
            name = f"tournaments/{uuid.uuid4().hex}"
            record = Record.create(self._store, spec, name=name, client=client, request_id=request_id)
            # It is stored, so from here on nothing may keep it from being played.
            job = TournamentJob(record, (request_id, ""))
            if owners:
                job.owners = owners
                with suppress(*STALLS):  # noted again when its work stops
                    job.note()
            view = self._add(job)
        _log.info("tournament %s of %s starts: at most %d matches", name, client, matches)
        return view

    def _owners(self, spec: TournamentSpec) -> dict[str, str]:
        """Return the client of each player: the one that the file says, else the one its name belongs to now.

        Raises `NameTakenError` if a name belongs to another client than the file says.
        """
        owners: dict[str, str] = {}
        for place, bot in enumerate(spec.bots):
            if bot.player is not None:
                if bot.client is not None:
                    self._players.check_owner(f"bots[{place}].player", bot.player, bot.client)
                owners[bot.player] = bot.client or self._players.owner(bot.player)
        return {name: owner for name, owner in owners.items() if owner}

    def _check(self, spec: TournamentSpec) -> int:
        """Raise for what a server does not play; return the largest possible number of matches."""
        for place, bot in enumerate(spec.bots):
            if bot.local:
                source = str(bot.as_dict()["source"])
                message = f"bots[{place}].{bot.kind} is {source!r}, but a server runs no code of a request"
                raise ArgumentError(message, {"field": f"bots[{place}].{bot.kind}", "value": source})
            if bot.player is not None and not PLAYER_NAME.fullmatch(bot.player):
                shown = ascii(bot.player)[:80]
                problem = "not 1 to 64 letters, digits, '.', '_' and '-'"
                raise invalid(f"bots[{place}].player", shown, problem)
        matches = Schedule(spec).most_matches()
        if matches is None:
            raise invalid("rounds", 0, "a ladder on a server needs at least 1")
        self._limits.check("tournament_matches", matches)
        clock = spec.clock
        seconds = clock.decision + clock.bank
        seconds = seconds if clock.match is None else min(seconds, clock.match)
        limit = self._limits.clock_seconds
        if seconds > limit and any(bot.player is not None for bot in spec.bots):
            details = {"field": "clock_seconds", "value": f"{seconds:g}", "limit": str(limit)}
            message = f"a decision may take {seconds:g} seconds, this server allows {limit}"
            raise LimitError(message, details)
        self._check_bots(spec)
        return matches

    @staticmethod
    def _check_bots(spec: TournamentSpec) -> None:
        """Raise for options that a bot does not have."""
        for board in {board.game: board for board in spec.boards}.values():
            for place, bot in enumerate(spec.bots):
                if bot.bot is None:
                    continue
                try:
                    request = RunRequest.create(
                        board.game, bots=[bot.bot], seats=board.seats, match_count=1, setup=board.setup
                    )
                    request.check()
                except SengokuError as error:
                    message = f"bots[{place}].bot is {bot.bot!r}: {error}"
                    details = {"field": f"bots[{place}].bot", "value": bot.bot, "reason": str(error)}
                    raise ArgumentError(message, details) from None

    def _bytes_used(self) -> int:
        return max(self._store.runs.bytes_reserved(), self._store.bytes_used())

    # Reading

    def _position(self, job: TournamentJob) -> int:
        return [other for other in self._jobs.values() if other.state is State.QUEUED].index(job)

    def _view(self, job: TournamentJob, position: int) -> TournamentView:
        progress = job.progress
        if job.state is not State.RUNNING:
            progress = replace(progress, matches_per_second=0.0)
        return TournamentView(**job.status(position), request_id=job.request_id, progress=progress)

    def _stored(self, name: str) -> TournamentView | None:
        try:
            record = Record.open(self._store, name)
        except TournamentNotFoundError:
            return None
        # A tournament of the command line belongs to no client.
        return TournamentView.stored(record) if record.client else None

    def _stored_page(self, before: int | None, most: int, **where: Any) -> list[tuple[TournamentView, int]]:
        records = page(self._store, before=before, most=most, **where)
        return [(TournamentView.stored(record), len(record.spec.to_json())) for record in records]

    def _not_found(self, name: str) -> SengokuError:
        return TournamentNotFoundError(f"there is no tournament {name[:100]!a}", {"tournament": name[:100]})

    def counts(self) -> dict[str, int]:
        """Return the number of tournaments that are not over, by the name of their state."""
        found = self._counts()
        return {state.name: found[state] for state in State if not state.over}

    def check_report(self, view: TournamentView, *, whole: bool) -> None:
        """Raise ReportTooLargeError for a report with too many cells, before it is computed."""
        cells, limit = count_cells(view.row.spec, whole=whole), self._limits.report_cells
        if cells > limit:
            details = {"field": "report_cells", "value": str(cells), "limit": str(limit)}
            message = f"the report has up to {cells} cells, this server allows {limit}"
            raise ReportTooLargeError(f"{message}; the format csv has the standings alone", details)

    @contextmanager
    def tables(self, view: TournamentView, cancel: Cancel) -> Iterator[tuple[Record, Tables]]:
        """Yield the record, as reports show it, and the current tables of a tournament.

        What is computed in the block ends with an error when the flag is raised.
        """
        view.row.check_readable()

        def check() -> None:
            if cancel.cancelled:
                raise CancelledError("the report was cancelled")

        with self._turn_to_count(check), interruptible(check):
            record = Record.open(self._store, view.row.name)
            key = record.id, record.count()
            found = self._tables.get(key)
            if found is None:
                found = record.tables()
                for other in [other for other in self._tables if other[0] == record.id]:
                    del self._tables[other]
                self._tables[key] = found
                while len(self._tables) > _TABLES_KEPT:
                    self._tables.popitem(last=False)
            secret = replace(view, row=record).secret
            yield replace(record, name=record.spec.name, hidden=secret), found

    @contextmanager
    def _turn_to_count(self, check: Callable[[], None]) -> Iterator[None]:
        while not self._counting.acquire(timeout=_LOOK_SECONDS):
            check()
        try:
            yield
        finally:
            self._counting.release()

    def replay(self, view: TournamentView, match: str, cancel: Cancel) -> str:
        """Return the replay of a match."""
        if view.secret:
            details = {"name": view.row.name, "state": view.state.name}
            message = f"{view.row.name} is not over, and a replay would reveal its seed"
            raise TournamentNotOverError(message, details)
        return view.row.replay(match, cancel).replay()

    # Ending, resuming and deleting

    def _refuse_resume(self, view: TournamentView) -> TournamentView:
        return view

    def _reopen(self, view: TournamentView) -> TournamentJob:
        view.row.check_rules()
        job = TournamentJob(view.row)  # reads the store, so before the change: after it, nothing may fail
        job.row = view.row.end(State.RUNNING)
        return job

    def _delete(self, view: TournamentView) -> None:
        view.row.delete()

    def _write_refusal(self, row: Record, error: str) -> object:
        return row.end(State.FAILED, error)

    def _write_end(self, job: TournamentJob, state: State, error: str) -> Record:
        return job.row.end(state, error)

    # Playing

    def _next(self) -> TournamentJob | None:
        """Return the tournament to play next: the oldest of the client with the fewest under way."""
        under_way = Counter(job.client for job in self._jobs.values() if job.state is not State.QUEUED)
        queued = (job for job in self._jobs.values() if job.state is State.QUEUED)
        return min(queued, key=lambda job: under_way[job.client], default=None)

    def _take(self, job: TournamentJob) -> None:
        job.change(State.RUNNING)
        self._notify_queued()

    def _play(self, job: TournamentJob) -> None:
        """Play a tournament until it is over, cancelled, or the server stops."""
        try:
            with self._expecting(job) as port:
                record = play(
                    job.row,
                    threads=self._threads,
                    background=True,
                    cancel=job.cancel,
                    progress=partial(self._progressed, job),
                    port=port,
                    turn=partial(self._queue.thread_turn, job.client, job.cancel),
                    played=self._played,
                    observer=self._observer(job),
                    bulk=self._bulk,
                )
            self._ended(job, record)
            _log.info("tournament %s of %s is %s", record.name, record.client, record.state.name)
        finally:
            # It is only shown while the tournament is not played, and counted anew then.
            with suppress(*STALLS, DataCorruptError):
                job.note()

    def _observer(self, job: TournamentJob) -> Observer:
        """Return who shows the matches of a tournament to watchers."""
        bots = job.row.spec.bots

        def name(player: str) -> str:
            return bots[int(player[1:])].name if player.startswith("#") else player

        return Observer(self._live, job.client, job.row.name, name)

    def _progressed(self, job: TournamentJob, progress: Progress) -> None:
        """Note the progress; between two chunks is the moment to stop."""
        self._note_owners(job)
        with self._changed:
            job.progress = progress
            if job.state.over:
                job.set()
            else:
                job.change(State.RUNNING)
            if self._stopping:
                raise CancelledError("the server is shutting down")

    @contextmanager
    def _expecting(self, job: TournamentJob) -> Iterator[Callable[[Entrant], Port]]:
        """Reserve the players of a tournament while it is played."""
        names = _player_names(job)
        ports = self._on_loop(lambda: self._players.expect(names, job.owners)) if names else {}
        try:
            yield lambda bot: ports[str(bot.player)]
        finally:
            if names:
                self._on_loop(lambda: self._players.release(names))
                with suppress(*STALLS, DataCorruptError):
                    self._note_owners(job)

    def _note_owners(self, job: TournamentJob) -> None:
        """Store who connected the players that belonged to nobody."""
        if len(job.owners) == len(names := _player_names(job)):
            return
        owners = {name: owner for name in names if (owner := self._players.owner(name))}
        if owners != job.owners:
            job.owners = owners
            job.note()

    def _on_loop(self, function: Callable[[], T]) -> T:
        async def call() -> T:
            return function()

        return asyncio.run_coroutine_threadsafe(call(), self._loop).result()

    # Retention

    def _retire(self) -> int:
        return self._store.tournaments.retire(keep=self._limits.tournaments_kept)


def _player_names(job: TournamentJob) -> list[str]:
    """Return the names of the players of a tournament, each once."""
    return list(dict.fromkeys(bot.player for bot in job.row.spec.bots if bot.player is not None))
