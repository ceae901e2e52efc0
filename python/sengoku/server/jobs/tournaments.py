"""Tournaments of a server: played in the background, into the store, and gone on with after its end."""

import asyncio
import json
import logging
import threading
import time
import uuid
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import TypeVar

from sengoku._core import Cancel, cores
from sengoku.bots.host import Port
from sengoku.engine.requests import RunRequest
from sengoku.errors import (
    REASONS,
    ArgumentError,
    BusyError,
    CancelledError,
    InternalError,
    LimitError,
    QuotaError,
    RequestIdError,
    SengokuError,
    ShuttingDownError,
    StoreFullError,
    TournamentNotFoundError,
    TournamentNotOverError,
)
from sengoku.server.events import Bell
from sengoku.server.jobs.runs import Turn
from sengoku.server.limits import Limits
from sengoku.server.services.players import PLAYER_NAME, Players
from sengoku.storage.store import State, Store
from sengoku.tournament.play import Progress, play
from sengoku.tournament.record import Record, find_request, page, retire
from sengoku.tournament.schedule import Schedule
from sengoku.tournament.spec import Entrant, TournamentSpec, parse_spec
from sengoku.tournament.standings import Tables

__all__ = ["TournamentView", "Tournaments"]

_log = logging.getLogger(__name__)

_PAUSE_SECONDS = (0.25, 30.0)
"""How long a store that is full is left alone: the first time, and at most."""
_STOP_SECONDS = 30.0
"""How long somebody waits for the work of a tournament that was stopped to end."""
_MATCH_BYTES = 512
"""Room that a match takes in the store, about; replays of players come to that."""
_TABLES_KEPT = 2
"""Tournaments whose tables are kept, so that many who watch cost no more than one."""
_PAGE_ROWS = 50
"""Tournaments that are read at once for a list."""
_PAGE_BYTES = 1 << 20
"""Bytes of what is to be played in one list: gRPC takes some times as much everywhere."""
_MAX_REQUEST_ID = 128

_NOTHING = Progress(0, 0, 0, 0.0)

T = TypeVar("T")


@dataclass(frozen=True)
class TournamentView:
    """How a tournament is getting on."""

    record: Record
    state: State
    request_id: str = ""
    version: int = 0
    """Grows whenever something is new."""
    progress: Progress = _NOTHING
    queue_position: int = 0
    obstacle: str = ""
    live: "_Live | None" = field(default=None, repr=False, compare=False)

    @property
    def over(self) -> bool:
        """Whether nothing more is played, unless somebody wants it."""
        return self.state.over

    @property
    def error(self) -> SengokuError | None:
        """Why it failed or was stopped."""
        if not self.record.error:
            return None
        told = json.loads(self.record.error)
        return REASONS.get(told["reason"], InternalError)(told["message"], told["details"])

    @property
    def secret(self) -> bool:
        """Whether seeds are nobody's to know: where players take part, until all is played.

        A tournament that was stopped may go on, so its seeds stay secret too.
        """
        players = any(bot.player is not None for bot in self.record.spec.bots)
        return players and self.record.state is not State.SUCCEEDED


class _Live(Bell):
    """A tournament that is not over, or whose work has not ended yet."""

    def __init__(self, record: Record) -> None:
        super().__init__()
        self.record = record
        self.state = State.QUEUED
        self.request_id, noted = record.request()
        self.progress = _read_progress(noted)
        self.obstacle = ""
        self.cancel = Cancel()
        self.done = threading.Event()
        """Set when nobody plays it any more."""

    def view(self, position: int) -> TournamentView:
        progress = self.progress
        if self.state is not State.RUNNING:
            progress = replace(progress, matches_per_second=0.0)
        return TournamentView(
            self.record, self.state, self.request_id, self.version, progress, position, self.obstacle, self
        )


def _read_progress(text: str) -> Progress:
    return Progress(**json.loads(text)) if text else _NOTHING


def _not_found(name: str) -> TournamentNotFoundError:
    return TournamentNotFoundError(f"there is no tournament {name[:100]!a}", {"tournament": name[:100]})


def _error_text(error: SengokuError) -> str:
    return json.dumps({"reason": error.reason, "message": str(error), "details": error.details})


class Tournaments:
    """The tournaments of a server. A few are played at once, piece by piece, in turn with all other work."""

    def __init__(
        self,
        store: Store,
        limits: Limits,
        players: Players,
        *,
        threads: int = 0,
        turn: Turn,
        played: Callable[..., object],
    ) -> None:
        """Takes up what is unfinished, on the loop of the server; `begin` begins to play."""
        self._store = store
        self._limits = limits
        self._players = players
        self._loop = asyncio.get_running_loop()
        self._threads = threads or cores()
        self._turn = turn
        self._played = played
        self._news = threading.Condition(threading.RLock())
        self._starting = threading.Lock()
        self._counting = threading.Lock()
        """One makes tables at a time: they take a while, and pictures share what they are drawn by."""
        self._tables: OrderedDict[tuple[int, int], Tables] = OrderedDict()
        self._stopping = False
        self._live: dict[str, _Live] = {}
        """In the order of coming."""
        for record in reversed(page(store, state=State.RUNNING)):
            self._live[record.name] = _Live(record)
        if self._live:
            _log.info("%d unfinished tournaments go on", len(self._live))
        self._workers = [
            threading.Thread(target=self._work, name=f"sengoku-tournaments-{number}", daemon=True)
            for number in range(limits.tournaments_at_once)
        ]

    def begin(self) -> None:
        """Begins to play."""
        for worker in self._workers:
            worker.start()

    # Beginning

    def create(self, text: str, client: str, request_id: str = "") -> TournamentView:
        """Begins a tournament, or gives the one that this wish began already."""
        if len(request_id) > _MAX_REQUEST_ID:
            details = {"field": "request_id", "value": str(len(request_id)), "limit": str(_MAX_REQUEST_ID)}
            message = f"request_id has {len(request_id)} characters, at most {_MAX_REQUEST_ID} are possible"
            raise ArgumentError(message, details)
        self._limits.check("tournament_bytes", len(text.encode("utf-8", "replace")))
        spec = parse_spec(text, files=False)
        matches = self._check(spec)
        with self._starting:
            known = find_request(self._store, client, request_id) if request_id else None
            if known is not None:
                if known.spec.digest != spec.digest:
                    details = {"request_id": request_id, "name": known.name}
                    message = f"request_id {request_id!a} began another tournament, {known.name}"
                    raise RequestIdError(message, details)
                return self.get(known.name, client)
            self._check_room(client, matches * _MATCH_BYTES + len(text))
            name = f"tournaments/{uuid.uuid4().hex}"
            record = Record.create(self._store, spec, name=name, client=client, request_id=request_id)
            view = self._enqueue(record)
        _log.info("tournament %s of %s begins: at most %d matches", name, client, matches)
        return view

    def _check(self, spec: TournamentSpec) -> int:
        """Refuses what a server does not play; gives the most matches that there can be."""
        for place, bot in enumerate(spec.bots):
            if bot.python is not None:
                message = f"bots[{place}].python is {bot.python!r}: a server loads no code for a request"
                raise ArgumentError(message, {"field": f"bots[{place}].python", "value": bot.python})
            if bot.player is not None and not PLAYER_NAME.fullmatch(bot.player):
                shown = ascii(bot.player)[:80]
                message = f"bots[{place}].player is {shown}, not 1 to 64 letters, digits, '.', '_' and '-'"
                raise ArgumentError(message, {"field": f"bots[{place}].player", "value": shown})
        matches = Schedule(spec).most_matches()
        if matches is None:
            details = {"field": "rounds", "value": "0"}
            raise ArgumentError("rounds is 0: on a server a ladder has an end", details)
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
        """Refuse options that a bot does not have."""
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

    def _check_room(self, client: str, size: int) -> None:
        """Refuses a tournament too many, or one whose matches have no room."""
        with self._news:
            if self._stopping:
                raise ShuttingDownError("the server is shutting down", {}, retry_after=1.0)
            clients = Counter(live.record.client for live in self._live.values())
        for error, found, name, text in (
            (QuotaError, clients[client], "client_tournaments", f"tournaments of {client}"),
            (BusyError, clients.total(), "unfinished_tournaments", "tournaments"),
        ):
            limit = getattr(self._limits, name)
            if found >= limit:
                details = {"field": name, "value": str(found), "limit": str(limit)}
                message = f"{found} {text} are not over, this server allows {limit}, try again later"
                raise error(message, details, retry_after=10.0)
        kept, limit = max(self._store.bytes_reserved(), self._store.bytes_used()), self._limits.store_bytes
        if kept + size > limit:
            details = {"field": "store_bytes", "value": str(size), "kept": str(kept), "limit": str(limit)}
            message = f"the tournament needs {size} bytes, and {kept} of the {limit} there are are taken"
            raise StoreFullError(message, details, retry_after=60.0)

    def _enqueue(self, record: Record) -> TournamentView:
        live = _Live(record)
        with self._news:
            self._live[record.name] = live
            self._news.notify_all()
            return self._view(live)

    # Looking

    def get(self, name: str, client: str | None) -> TournamentView:
        """Looks at a tournament of a client; None sees those of all."""
        with self._news:
            live = self._live.get(name)
            if live is not None and client in {None, live.record.client}:
                return self._view(live)
        try:
            record = Record.open(self._store, name)
        except TournamentNotFoundError:
            raise _not_found(name) from None
        # What was played from the command line belongs to nobody who calls.
        if not record.client or client not in {None, record.client}:
            raise _not_found(name)
        return self._kept(record)

    def _kept(self, record: Record) -> TournamentView:
        request_id, noted = record.request()
        progress = replace(_read_progress(noted), matches_per_second=0.0)
        return TournamentView(record, record.state, request_id, progress=progress)

    def _view(self, live: _Live) -> TournamentView:
        position = 0
        if live.state is State.QUEUED:
            queued = [other for other in self._live.values() if other.state is State.QUEUED]
            position = queued.index(live)
        return live.view(position)

    def page(
        self, *, before: int | None, most: int, client: str | None
    ) -> tuple[list[TournamentView], int | None]:
        """Lists tournaments, newest first, and where the next page begins; one with long files is shorter."""
        views: list[TournamentView] = []
        room = _PAGE_BYTES
        while True:
            records = page(self._store, before=before, most=_PAGE_ROWS, client=client)
            for record in records:
                if len(views) == most or room < 0:
                    return views, views[-1].record.id
                with self._news:
                    live = self._live.get(record.name)
                    views.append(self._kept(record) if live is None else self._view(live))
                room -= len(record.spec.to_json())
            if len(records) < _PAGE_ROWS:
                return views, None
            before = records[-1].id

    def counts(self) -> dict[str, int]:
        """How many tournaments are not over, by the name of their state."""
        with self._news:
            found = Counter(live.state for live in self._live.values())
        return {state.name: found[state] for state in State if not state.over}

    async def newer(self, view: TournamentView, seconds: float | None = None) -> TournamentView:
        """Waits until there is something new about a tournament, or for so long; gives how it stands then."""
        live = view.live
        if live is None or view.over:
            return view
        with self._news:
            if self._stopping:
                raise ShuttingDownError("the server is shutting down", {}, retry_after=1.0)
        await live.heard(view.version, seconds)
        with self._news:
            if self._stopping and not live.state.over:
                raise ShuttingDownError("the server is shutting down", {}, retry_after=1.0)
            return self._view(live)

    @contextmanager
    def tables(self, view: TournamentView) -> Iterator[tuple[Record, Tables]]:
        """Makes the tables of a tournament as it stands, and gives them with what a report says of it."""
        with self._counting:
            record = Record.open(self._store, view.record.name)
            key = record.id, record.count()
            found = self._tables.get(key)
            if found is None:
                found = Tables(record.spec, record.results())
                for other in [other for other in self._tables if other[0] == record.id]:
                    del self._tables[other]
                self._tables[key] = found
                while len(self._tables) > _TABLES_KEPT:
                    self._tables.popitem(last=False)
            secret = replace(view, record=record).secret
            yield replace(record, name=record.spec.name, hidden=secret), found

    def replay(self, view: TournamentView, match: str, cancel: Cancel) -> str:
        """Gives the replay of a match."""
        if view.secret:
            details = {"name": view.record.name, "state": view.state.name}
            message = f"{view.record.name} is not played to its end, and a replay tells its seed"
            raise TournamentNotOverError(message, details)
        return view.record.replay(match, cancel).replay()

    # Ending

    def cancel(self, name: str, client: str | None) -> TournamentView:
        """Stops a tournament; it is over when this returns, and its work stops a moment later."""
        view = self.get(name, client)
        live = view.live
        if live is None or view.over:
            return view
        error = CancelledError("the tournament was cancelled", {"name": name})
        record = live.record.end(State.CANCELLED, _error_text(error))
        with self._news:
            queued = live.state is State.QUEUED
            live.record, live.state, live.obstacle = record, record.state, ""
            live.cancel.cancel()
            if queued:
                self._forget(live)
            else:
                live.wake()
            _log.info("tournament %s of %s is %s", name, record.client, record.state.name)
            return live.view(0)

    def resume(self, name: str, client: str | None) -> TournamentView:
        """Goes on with a tournament that was stopped or failed."""
        with self._starting:
            view = self.get(name, client)
            if not view.over or view.state is State.SUCCEEDED:
                return view
            self._await_end(view)
            view.record.check_rules()
            self._check_room(view.record.client, 0)
            record = view.record.end(State.RUNNING)
            if record.state is not State.RUNNING:
                return self._kept(record)
            return self._enqueue(record)

    def delete(self, name: str, client: str | None) -> None:
        """Removes a tournament that is over."""
        with self._starting:
            view = self.get(name, client)
            if not view.over:
                details = {"name": name, "state": view.state.name}
                raise TournamentNotOverError(f"{name} is {view.state.name}, cancel it first", details)
            self._await_end(view)
            view.record.delete()

    @staticmethod
    def _await_end(view: TournamentView) -> None:
        """Waits until nobody plays a tournament that was stopped."""
        if view.live is not None and not view.live.done.wait(_STOP_SECONDS):
            details = {"name": view.record.name}
            message = f"the work of {view.record.name} has not ended yet, try again later"
            raise BusyError(message, details, retry_after=5.0)

    def stop(self, grace: float = 5.0) -> None:
        """Plays no more; pieces under way have `grace` seconds to be finished, then they are given up."""
        with self._news:
            self._stopping = True
            self._news.notify_all()
            for live in self._live.values():
                live.wake()
        workers = [worker for worker in self._workers if worker.ident is not None]
        end = time.monotonic() + max(grace, 0.0)
        for worker in workers:
            worker.join(max(0.0, end - time.monotonic()))
        with self._news:
            for live in self._live.values():
                live.cancel.cancel()
        for worker in workers:
            worker.join()

    # Playing

    def _work(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._stopping or self._next() is not None)
                live = self._next()
                if self._stopping or live is None:
                    return
                live.state = State.RUNNING
                for other in self._live.values():
                    if other is live or other.state is State.QUEUED:
                        other.wake()
            self._play(live)
            self._note(live)
            with self._news:
                self._forget(live)
            self._tidy()

    def _next(self) -> _Live | None:
        """The tournament that comes next: of the client that has the fewest under way, the oldest."""
        under_way = Counter(
            live.record.client for live in self._live.values() if live.state is not State.QUEUED
        )
        queued = (live for live in self._live.values() if live.state is State.QUEUED)
        return min(queued, key=lambda live: under_way[live.record.client], default=None)

    def _forget(self, live: _Live) -> None:
        """Lets a tournament go that nobody plays any more; one that the end of the server stopped goes on."""
        if live.state.over or self._stopping:
            self._live.pop(live.record.name, None)
        live.done.set()
        live.wake()
        for other in self._live.values():
            if other.state is State.QUEUED:
                other.wake()
        self._news.notify_all()

    def _play(self, live: _Live) -> None:
        """Plays a tournament to its end, whatever that is; one that has no room tries again."""
        pause, longest = _PAUSE_SECONDS
        while True:
            failure: SengokuError | None = None
            try:
                record = self._go_on(live)
                _log.info("tournament %s of %s is %s", record.name, record.client, record.state.name)
                return self._ended(live, record)
            except CancelledError:
                if self._stopping or live.cancel.cancelled:
                    return None
                failure = InternalError("internal error, see the server's log")
                _log.exception("tournament %s was cancelled by nobody", live.record.name)
            except StoreFullError as error:
                stalled = error
            except SengokuError as error:
                failure = error
            except Exception:  # noqa: BLE001 - whatever it is, the tournament is over and others go on
                failure = InternalError("internal error, see the server's log")
                _log.exception("unexpected error in tournament %s", live.record.name)
            if failure is not None:
                try:
                    record = live.record.end(State.FAILED, _error_text(failure))
                    _log.info("tournament %s of %s failed: %s", record.name, record.client, failure)
                    return self._ended(live, record)
                except StoreFullError as error:
                    stalled = error
            _log.warning("tournament %s stalls for %g s: %s", live.record.name, pause, stalled)
            with self._news:
                if not live.state.over:
                    live.state, live.obstacle = State.STALLED, str(stalled)
                    live.wake()
                self._news.wait_for(lambda: self._stopping or live.state.over, pause)
                if self._stopping or live.state.over:
                    return None
            pause = min(2 * pause, longest)

    @staticmethod
    def _note(live: _Live) -> None:
        with suppress(StoreFullError):  # it is told of what nobody plays, and counted anew when somebody does
            live.record.note(json.dumps(asdict(live.progress)))

    def _ended(self, live: _Live, record: Record) -> None:
        with self._news:
            live.record, live.state, live.obstacle = record, record.state, ""

    def _go_on(self, live: _Live) -> Record:
        with self._expecting(live.record.spec) as port:
            return play(
                live.record,
                threads=self._threads,
                background=True,
                cancel=live.cancel,
                progress=partial(self._told, live),
                port=port,
                turn=partial(self._turn, live.record.client, live.cancel),
                played=self._played,
            )

    def _told(self, live: _Live, progress: Progress) -> None:
        """Hears how far a tournament is; between two pieces is the moment to stop."""
        with self._news:
            live.progress = progress
            if not live.state.over:
                live.state, live.obstacle = State.RUNNING, ""
            live.wake()
            if self._stopping:
                raise CancelledError("the server is shutting down")

    @contextmanager
    def _expecting(self, spec: TournamentSpec) -> Iterator[Callable[[Entrant], Port]]:
        """Has the players of a tournament, for as long as it is played."""
        names = [bot.player for bot in spec.bots if bot.player is not None]
        ports = self._on_loop(self._players.expect, names) if names else {}
        try:
            yield lambda bot: ports[str(bot.player)]
        finally:
            if names:
                self._on_loop(self._players.release, names)

    def _on_loop(self, function: Callable[[list[str]], T], names: list[str]) -> T:
        async def call() -> T:
            return function(names)

        return asyncio.run_coroutine_threadsafe(call(), self._loop).result()

    def _tidy(self) -> None:
        try:
            removed = retire(self._store, keep=self._limits.tournaments_kept)
        except StoreFullError as error:
            _log.warning("old tournaments are not removed: %s", error)
        else:
            if removed:
                _log.info("%d old tournaments are removed", removed)
