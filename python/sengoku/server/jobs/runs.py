"""Long runs: played chunk by chunk, written down after each, taken up again after an end of the server."""

import json
import logging
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial

from sengoku._core import Cancel, cores
from sengoku.engine.games import find_game, searches
from sengoku.engine.report import MatchReport
from sengoku.errors import (
    REASONS,
    ArgumentError,
    BusyError,
    CancelledError,
    InternalError,
    QuotaError,
    RequestIdError,
    RulesChangedError,
    RunNotOverError,
    SengokuError,
    ShuttingDownError,
    StoreFullError,
)
from sengoku.server.events import Bell
from sengoku.server.jobs.rows import Rows, run_not_found
from sengoku.server.limits import Limits
from sengoku.storage.store import Chunk, NewRun, RunRow, State, Store
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire import convert

__all__ = ["RunView", "Runs"]

_log = logging.getLogger(__name__)

_CHUNK_SECONDS = 0.5
"""How long a chunk takes: what a kill loses, and how soon others have their turn."""
_FIRST_CHUNK = 16
_LARGEST_CHUNK = 1 << 18
_GROWTH = 8
"""How much larger a chunk may be than the one before: the first ones are too short to judge by."""
_PAUSE_SECONDS = (0.25, 30.0)
"""How long a store that is full is left alone: the first time, and at most."""
_RATE_SECONDS = 10.0
"""The time that counts as lately."""
_PAGE_ROWS = 100
"""Runs that are read at once for a list."""
_PAGE_BYTES = 1 << 20
"""Bytes of requests and sums in one list: gRPC takes some times as much everywhere."""
_DAY = 86_400 * 10**9
_MAX_REQUEST_ID = 128

Turn = Callable[[str, Cancel], AbstractContextManager[object]]
"""Waits until a client may use all threads; raises CancelledError when the work is not wanted any more."""


@dataclass(frozen=True)
class RunView:
    """How a run is getting on."""

    row: RunRow
    version: int = 0
    """Grows whenever something is new."""
    matches_per_second: float = 0.0
    decisions_per_second: float = 0.0
    seconds_left: float | None = None
    queue_position: int = 0
    obstacle: str = ""
    live: "_Live | None" = field(default=None, repr=False, compare=False)

    @property
    def over(self) -> bool:
        """Whether it stays so."""
        return self.row.state.over

    @property
    def error(self) -> SengokuError | None:
        """Why it failed or was cancelled."""
        if not self.row.error:
            return None
        told = json.loads(self.row.error)
        return REASONS.get(told["reason"], InternalError)(told["message"], told["details"])


class _Live(Bell):
    """A run that is not over."""

    def __init__(self, row: RunRow, *, resumed: bool) -> None:
        super().__init__()
        self.row = row
        self.request = convert.parse(pb2.RunMatchesRequest, row.request)
        self.summary = convert.parse(pb2.RunSummary, row.summary)
        self.resumed = resumed
        self.cancel = Cancel()
        self.size = _FIRST_CHUNK
        self.marks: deque[tuple[float, int, int]] = deque()
        """When how many matches and decisions were done, lately."""
        self.obstacle = ""

    def mark(self) -> None:
        now = time.monotonic()
        self.marks.append((now, self.row.done, self.summary.decisions_sum))
        while len(self.marks) > 2 and self.marks[1][0] < now - _RATE_SECONDS:
            self.marks.popleft()

    def changed(self, row: RunRow) -> None:
        """Says something new to whoever waits; the caller holds the lock."""
        self.row = row
        self.wake()

    def view(self, position: int) -> RunView:
        rates = (0.0, 0.0)
        if len(self.marks) > 1 and self.row.state is State.RUNNING:
            (begun, matches, decisions), (now, done, taken) = self.marks[0], self.marks[-1]
            seconds = max(now - begun, 1e-6)
            rates = (done - matches) / seconds, (taken - decisions) / seconds
        left = (self.row.match_count - self.row.done) / rates[0] if rates[0] > 0 else None
        return RunView(self.row, self.version, *rates, left, position, self.obstacle, self)


class Runs:
    """The runs of a server. One at a time is played, on all threads, a chunk for each client in turn."""

    def __init__(
        self,
        store: Store,
        limits: Limits,
        *,
        threads: int = 0,
        turn: Turn = lambda _client, _cancel: nullcontext(),
        played: Callable[..., object] = lambda _game, *, matches, decisions: None,  # noqa: ARG005
    ) -> None:
        """Takes up what is unfinished; `played` hears the game, `matches` and `decisions` of each chunk."""
        self._store = store
        self._limits = limits
        self._threads = threads or cores()
        self._turn = turn
        self._played = played
        self._news = threading.Condition(threading.RLock())
        self._starting = threading.Lock()
        self._stopping = False
        self._live: dict[str, _Live] = {}
        self._lanes: dict[str, deque[_Live]] = {}
        """Runs by client, in the order they came; clients in the order of their turns."""
        for row in store.unfinished():
            self._enqueue(_Live(replace(row, state=State.QUEUED), resumed=True))
        if self._live:
            _log.info("%d unfinished runs go on", len(self._live))
        self._untidy = threading.Event()
        self._worker = threading.Thread(target=self._work, name="sengoku-runs", daemon=True)
        self._janitor = threading.Thread(target=self._tidy, name="sengoku-runs-tidy", daemon=True)

    # Beginning

    def begin(self) -> None:
        """Begins to play."""
        self._worker.start()
        self._janitor.start()

    def start(self, request: pb2.RunMatchesRequest, client: str, request_id: str = "") -> RunView:
        """Begins a run, or gives the one that this wish began already."""
        if len(request_id) > _MAX_REQUEST_ID:
            details = {"field": "request_id", "value": str(len(request_id)), "limit": str(_MAX_REQUEST_ID)}
            message = f"request_id has {len(request_id)} characters, at most {_MAX_REQUEST_ID} are possible"
            raise ArgumentError(message, details)
        head = self._check(request)
        with self._starting:
            known = self._store.find(client, request_id) if request_id else None
            if known is not None:
                return self._known(known, request)
            data = request.SerializeToString(deterministic=True)
            self._check_room(client, request.match_count * convert.row_bytes(len(head.bots)) + len(data))
            new = NewRun(
                name=f"operations/{uuid.uuid4().hex}",
                client=client,
                request_id=request_id,
                request=data,
                rules_version=head.rules_version,
                match_count=request.match_count,
                row_bytes=convert.row_bytes(len(head.bots)),
                created=time.time_ns(),
                summary=head.SerializeToString(),
            )
            row = self._store.begin(new)
            live = _Live(replace(row, state=State.QUEUED), resumed=False)
            with self._news:
                self._enqueue(live)
                self._news.notify_all()
                view = self._view(live)
        _log.info("run %s of %s begins: %d of %s", row.name, client, row.match_count, request.game)
        return view

    def _check(self, request: pb2.RunMatchesRequest) -> pb2.RunSummary:
        """Refuses what `RunMatches` would refuse; gives the aggregates of no rows."""
        if request.threads:
            details = {"field": "threads", "value": str(request.threads)}
            raise ArgumentError(f"threads is {request.threads}, a run has those of the server: 0", details)
        self._limits.check("run_matches", request.match_count)
        self._limits.check("run_request_bytes", request.ByteSize())
        run = convert.run_from_proto(request)
        run.check(max_iterations=self._limits.search_iterations)
        game = find_game(request.game)
        return pb2.RunSummary(
            rules_version=game.rules_version,
            bots=run.bots_by_seat,
            reasons=game.reasons,
            wins=[0] * run.seat_count,
            reason_counts=[0] * len(game.reasons),
        )

    def _known(self, row: RunRow, request: pb2.RunMatchesRequest) -> RunView:
        if convert.parse(pb2.RunMatchesRequest, row.request) != request:
            details = {"request_id": row.request_id, "name": row.name}
            raise RequestIdError(f"request_id {row.request_id!a} began another run, {row.name}", details)
        with self._news:
            live = self._live.get(row.name)
            return RunView(self._store.get(row.name) or row) if live is None else self._view(live)

    def _check_room(self, client: str, size: int) -> None:
        """Refuses a run too many, or one whose rows have no room."""
        with self._news:
            if self._stopping:
                raise ShuttingDownError("the server is shutting down", {}, retry_after=1.0)
            in_all, own = len(self._live), len(self._lanes.get(client, ()))
        for error, found, name, text in (
            (QuotaError, own, "client_runs", f"{own} runs of {client} are not over"),
            (BusyError, in_all, "unfinished_runs", f"{in_all} runs are not over"),
        ):
            limit = getattr(self._limits, name)
            if found >= limit:
                details = {"field": name, "value": str(found), "limit": str(limit)}
                message = f"{text}, this server allows {limit}, try again later"
                raise error(message, details, retry_after=self._seconds_to_room())
        kept, limit = self._store.bytes_reserved(), self._limits.store_bytes
        if kept + size > limit:
            details = {"field": "store_bytes", "value": str(size), "kept": str(kept), "limit": str(limit)}
            message = f"the run needs {size} bytes, and {kept} of the {limit} there are are taken"
            raise StoreFullError(message, details, retry_after=60.0)

    def _seconds_to_room(self) -> float:
        """When a run will probably be over, so that there is room for another."""
        with self._news:
            left = [seconds for live in self._live.values() if (seconds := live.view(0).seconds_left)]
        return min(max(min(left, default=5.0), 1.0), 60.0)

    # Looking

    def get(self, name: str, client: str | None) -> RunView:
        """Looks at a run of a client; None sees those of all."""
        with self._news:
            live = self._live.get(name)
            if live is not None and client in {None, live.row.client}:
                return self._view(live)
        row = self._store.get(name)
        if row is None or client not in {None, row.client}:
            raise run_not_found(name)
        return RunView(row)

    def page(
        self, *, before: int | None, most: int, client: str | None = None, state: State | None = None
    ) -> tuple[list[RunView], int | None]:
        """Lists runs, newest first, and where the next page begins; one with long requests is shorter."""
        found: list[RunView] = []
        wanted = state if state is None or state.over else State.RUNNING
        room = _PAGE_BYTES
        while True:
            rows = self._store.page(before=before, most=_PAGE_ROWS, client=client, state=wanted)
            for row in rows:
                with self._news:
                    live = self._live.get(row.name)
                    view = RunView(row) if live is None else self._view(live)
                if state is not None and view.row.state is not state:
                    continue
                if len(found) == most or room < 0:
                    return found, found[-1].row.id
                found.append(view)
                room -= len(row.request) + len(row.summary)
            if len(rows) < _PAGE_ROWS:
                return found, None
            before = rows[-1].id

    def rows(self, name: str, client: str | None, first_match: int | None, match_count: int | None) -> Rows:
        """Gives the rows of a range of matches, or of all that are done."""
        row = self.get(name, client).row
        start = convert.parse(pb2.RunMatchesRequest, row.request).first_match
        first = 0 if first_match is None else first_match - start
        end = max(row.done, first) if match_count is None else first + match_count
        for what, value, place in (("first_match", first_match, first), ("match_count", match_count, end)):
            if not 0 <= place <= row.match_count:
                details = {"field": what, "value": str(value), "run": f"{start} + {row.match_count}"}
                message = f"{what} is {value}, the run has {row.match_count} matches from number {start}"
                raise ArgumentError(message, details)
        if end > row.done:
            details = {"name": row.name, "matches_done": str(row.done), "wanted": str(end)}
            raise RunNotOverError(f"{row.done} matches of {row.name} are done, not {end}", details)
        return Rows(self._store, row, first, end)

    def counts(self) -> dict[str, int]:
        """How many runs there are, by the name of their state."""
        kept = self._store.counts()
        kept.pop(State.RUNNING, None)
        with self._news:
            for live in self._live.values():
                kept[live.row.state] = kept.get(live.row.state, 0) + 1
        return {state.name: kept.get(state, 0) for state in State if state is not State.DELETED}

    async def newer(self, view: RunView, seconds: float | None = None) -> RunView:
        """Waits until there is something new about a run, or for so long, and gives how it stands then."""
        live = view.live
        if live is None or view.over:
            return view
        with self._news:
            if self._stopping:
                raise ShuttingDownError("the server is shutting down", {}, retry_after=1.0)
        await live.heard(view.version, seconds)
        with self._news:
            if self._stopping and not live.row.state.over:
                raise ShuttingDownError("the server is shutting down", {}, retry_after=1.0)
            return self._view(live)

    def _view(self, live: _Live) -> RunView:
        position = 0
        if live.row.state is State.QUEUED:
            # Lanes take turns: the first of each, then the second of each.
            lanes = list(self._lanes.values())
            mine = self._lanes[live.row.client]
            depth, turn = mine.index(live), next(at for at, lane in enumerate(lanes) if lane is mine)
            position = sum(min(len(lane), depth + (at < turn)) for at, lane in enumerate(lanes))
        return live.view(position)

    # Ending

    def cancel(self, name: str, client: str | None) -> None:
        """Ends a run that is not over; it is when this returns, and its work stops a moment later."""
        self.get(name, client)
        with self._news:
            live = self._live.get(name)
        if live is not None:
            self._end(live, State.CANCELLED, CancelledError("the run was cancelled", {"name": name}))

    def delete(self, name: str, client: str | None) -> None:
        """Removes a run that is over."""
        row = self.get(name, client).row
        if not row.state.over:
            details = {"name": name, "state": row.state.name}
            raise RunNotOverError(f"{name} is {row.state.name}, cancel it first", details)
        if not self._store.remove(row.id):
            raise run_not_found(name)
        self._untidy.set()

    def stop(self, grace: float = 5.0) -> None:
        """Plays no more; the chunk under way has `grace` seconds to be finished, then it is given up."""
        with self._news:
            self._stopping = True
            self._news.notify_all()
            for live in self._live.values():
                live.wake()
        self._untidy.set()
        if self._worker.ident is None:  # it never began
            return
        self._worker.join(max(grace, 0.0))
        with self._news:
            for live in self._live.values():
                live.cancel.cancel()
        self._worker.join()
        self._janitor.join()

    def _end(self, live: _Live, state: State, error: SengokuError) -> None:
        told = {"reason": error.reason, "message": str(error), "details": error.details}
        ended = time.time_ns()
        if self._store.end(live.row.id, state, ended, json.dumps(told)):
            # The last chunk may have been written a moment ago, and be in no other place yet.
            row = self._store.get(live.row.name)
            if row is None:  # somebody was quick to delete it
                row = replace(live.row, state=state, ended=ended, error=json.dumps(told))
            self._forget(live, row)
            _log.info("run %s of %s is %s: %s", row.name, row.client, state.name, error)

    def _forget(self, live: _Live, row: RunRow) -> None:
        """Takes a run that is over out of the queue."""
        with self._news:
            live.cancel.cancel()
            live.obstacle = ""
            del self._live[row.name]
            lane = self._lanes[row.client]
            lane.remove(live)
            if not lane:
                del self._lanes[row.client]
            live.changed(row)
            for other in self._live.values():
                if other.row.state is State.QUEUED:
                    other.wake()
            self._news.notify_all()
        self._untidy.set()

    # Playing

    def _enqueue(self, live: _Live) -> None:
        self._live[live.row.name] = live
        self._lanes.setdefault(live.row.client, deque()).append(live)

    def _work(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._stopping or self._lanes)
                if self._stopping:
                    return
                client = next(iter(self._lanes))
                lane = self._lanes.pop(client)
                self._lanes[client] = lane  # last in the next round
                live = lane[0]
            try:
                self._play_chunk(live)
            except CancelledError:
                continue
            except SengokuError as error:
                failure = error
            except Exception:  # noqa: BLE001 - whatever it is, the run is over and others go on
                _log.exception("unexpected error in run %s", live.row.name)
                failure = InternalError("internal error, see the server's log")
            else:
                continue
            self._persist(live, partial(self._end, live, State.FAILED, failure))

    def _play_chunk(self, live: _Live) -> None:
        if live.resumed:
            self._check_resumed(live)
            live.resumed = False
        with self._turn(live.row.client, live.cancel):
            with self._news:
                if self._stopping:
                    return
                if live.row.state is State.QUEUED:
                    live.changed(replace(live.row, state=State.RUNNING))
                    live.mark()
            first = live.row.done
            if first == 0 and searches(live.request.bots):
                live.size = self._threads
            count = min(live.size, live.row.match_count - first)
            begun = time.monotonic()
            report = self._play(
                live.request, first, count, live.cancel, self._threads, live.summary.decisions_sum
            )
            seconds = time.monotonic() - begun
        self._write(live, report)
        if count == live.size:
            wanted = count * _CHUNK_SECONDS / max(seconds, 1e-3)
            live.size = max(self._threads, min(int(wanted), count * _GROWTH, _LARGEST_CHUNK))

    def _play(
        self,
        request: pb2.RunMatchesRequest,
        first: int,
        count: int,
        cancel: Cancel,
        threads: int,
        decisions: int = 0,
    ) -> MatchReport:
        return (
            convert.run_from_proto(request)
            .part(first, count)
            .play(
                threads=threads,
                cancel=cancel,
                max_decisions=max(self._limits.run_decisions - decisions, 0),
                max_iterations=self._limits.search_iterations,
                background=True,
            )
        )

    def _write(self, live: _Live, report: MatchReport) -> None:
        part = convert.summary_to_proto(report)
        summary = convert.add_summary(live.summary, part)
        chunk = Chunk(live.row.done, len(report), part.SerializeToString(), convert.pack_rows(report))
        done = live.row.done + len(report)
        ended = time.time_ns() if done == live.row.match_count else None
        data = summary.SerializeToString()
        if not self._persist(live, lambda: self._store.add(live.row.id, chunk, data, ended=ended)):
            return
        if ended is not None:
            row = replace(live.row, done=done, summary=data, state=State.SUCCEEDED, ended=ended)
            self._forget(live, row)
            _log.info("run %s of %s is done: %d matches", row.name, row.client, done)
        with self._news:
            if live.row.name in self._live:  # else it is over by now, one way or the other
                live.summary = summary
                live.changed(replace(live.row, done=done, summary=data, state=State.RUNNING))
                live.mark()
        self._played(live.request.game, matches=len(report), decisions=part.decisions_sum)

    def _persist(self, live: _Live, write: Callable[[], object]) -> bool:
        """Writes, and while there is no room tries again; False if the run or the server is over first."""
        pause, longest = _PAUSE_SECONDS
        while True:
            try:
                written = write()
            except StoreFullError as error:
                _log.warning("run %s stalls for %g s: %s", live.row.name, pause, error)
                with self._news:
                    if live.row.name in self._live:
                        live.obstacle = str(error)
                        live.changed(replace(live.row, state=State.STALLED))
                    self._news.wait_for(lambda: self._stopping or live.row.state.over, pause)
                    if self._stopping or live.row.state.over:
                        return False
                pause = min(2 * pause, longest)
                continue
            with self._news:
                if live.obstacle:
                    live.obstacle = ""
                    live.marks.clear()
                    live.changed(replace(live.row, state=State.RUNNING))
                    live.mark()
            return bool(written)

    def _check_resumed(self, live: _Live) -> None:
        """Refuses to go on under other rules: half a run each way would be neither."""
        game, row = live.request.game, live.row
        version = find_game(game).rules_version
        if version != row.rules_version:
            raise RulesChangedError(
                f"the run began with rules version {row.rules_version} of {game}, this server has {version}",
                {"game": game, "rules_version": str(row.rules_version), "expected": str(version)},
            )
        if not row.done:
            return
        # Bots and setups have no version of their own: the last match must come out as it did.
        chunk = self._store.chunk_at(row.id, row.done - 1)
        if chunk is None:
            raise InternalError(f"match {row.done - 1} of {row.name} is missing", {"name": row.name})
        columns = convert.unpack_rows(chunk.rows, chunk.count, len(live.summary.bots))
        again = self._play(live.request, row.done - 1, 1, live.cancel, 1)
        for name, column in columns.items():
            if column[-1:].tobytes() != getattr(again, name).tobytes():
                number = live.request.first_match + row.done - 1
                raise RulesChangedError(
                    f"match {number} comes out differently than when the run was begun: {name}",
                    {"game": game, "match": str(number), "column": name},
                )

    # Tidying

    def _tidy(self) -> None:
        while not self._stopping:
            try:
                before = time.time_ns() - self._limits.run_keep_days * _DAY
                removed = self._store.retire(ended_before=before, keep=self._limits.runs_kept)
                if removed:
                    _log.info("%d old runs are removed", removed)
                while not self._stopping and self._store.sweep():
                    time.sleep(0.01)  # others write, too
            except StoreFullError as error:
                _log.warning("old runs are not removed: %s", error)
            except Exception:  # noqa: BLE001 - it is tried again
                _log.exception("unexpected error while old runs are removed")
            self._untidy.wait(600)
            self._untidy.clear()
            if not self._stopping:
                time.sleep(0.05)  # many runs that end at once are one reason to tidy
