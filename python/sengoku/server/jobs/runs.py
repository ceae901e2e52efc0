"""Long runs: played chunk by chunk, persisted after each chunk, resumed after a restart."""

import logging
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sengoku._core import Cancel
from sengoku.engine.games import find_game
from sengoku.engine.pacing import Pacing
from sengoku.engine.report import MatchReport
from sengoku.engine.requests import RunRequest
from sengoku.errors import (
    DataCorruptError,
    InternalError,
    RulesChangedError,
    RunNotOverError,
    RunOverError,
    SengokuError,
    invalid,
)
from sengoku.server.fair_queue import FairQueue
from sengoku.server.jobs.fleet_feed import FleetFeed
from sengoku.server.jobs.healing import Healer, make_chunk, no_rows
from sengoku.server.jobs.job import Jobs
from sengoku.server.jobs.rows import Rows, run_not_found
from sengoku.server.jobs.sliced import SlicedWork
from sengoku.server.jobs.status import Job, JobView
from sengoku.server.limits import Limits
from sengoku.server.quota import Quota
from sengoku.storage import RESUMABLE, STALLS, RunRow, State, Store
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire import spans
from sengoku.wire.simulation import (
    add_summary,
    row_bytes,
    run_from_proto,
    unpack_rows,
)
from sengoku.wire.values import parse

if TYPE_CHECKING:
    from sengoku.fleet import Fleet

__all__ = ["RunView", "Runs"]

_log = logging.getLogger(__name__)

_CHUNK_SECONDS = 0.5
"""How long a chunk takes: what a kill loses."""
_SLICE_SECONDS = 0.5
"""How long a chunk is played until other clients have their turn; it goes on later."""
_FIRST_CHUNK = 16
_LARGEST_CHUNK = 1 << 18
_RATE_SECONDS = 10.0
"""Time over which rates are averaged."""
_DAY = 86_400 * 10**9


@dataclass(frozen=True, kw_only=True)
class RunView(JobView):
    """The status of a run at one moment."""

    row: RunRow
    matches_per_second: float = 0.0
    decisions_per_second: float = 0.0
    seconds_left: float | None = None

    @property
    def bytes_left(self) -> int:
        """Bytes of the rows that are not played yet."""
        return (self.row.match_count - self.row.done) * self.row.row_bytes


class _RunJob(Job):
    """A run in memory."""

    row: RunRow

    def __init__(self, row: RunRow, *, resumed: bool) -> None:
        super().__init__(row)
        self.run = run_from_proto(parse(pb2.RunMatchesRequest, row.request))
        self.summary = parse(pb2.RunSummary, row.summary)
        self.resumed = resumed
        self.pacing: Pacing | None = None
        self.chunk: SlicedWork[MatchReport] | None = None
        """The chunk that is being played."""
        self.feed: FleetFeed | None = None
        """The rest of the run on a fleet."""
        self.marks: deque[tuple[float, int, int]] = deque()
        """Recent times with the matches and decisions done until then."""

    def close_feed(self) -> None:
        """Stop what a fleet plays of the run."""
        feed, self.feed = self.feed, None
        if feed is not None:
            feed.close()

    def mark(self) -> None:
        """Note the progress, for the rates."""
        now = time.monotonic()
        self.marks.append((now, self.row.done, self.summary.decisions_sum))
        while len(self.marks) > 2 and self.marks[1][0] < now - _RATE_SECONDS:
            self.marks.popleft()

    def rates(self) -> tuple[float, float, float | None]:
        """Return matches and decisions per second, and the seconds left if that is known."""
        if len(self.marks) < 2 or self.state is not State.RUNNING:
            return 0.0, 0.0, None
        (begun, matches, decisions), (now, done, taken) = self.marks[0], self.marks[-1]
        seconds = max(now - begun, 1e-6)
        rate = (done - matches) / seconds
        left = (self.row.match_count - self.row.done) / rate if rate > 0 else None
        return rate, (taken - decisions) / seconds, left


class Runs(Jobs[_RunJob, RunView]):
    """The runs of a server. One is played at a time, on all threads, half a second per client in turn."""

    _not_over = RunNotOverError

    def __init__(
        self,
        store: Store,
        limits: Limits,
        *,
        threads: int = 0,
        queue: FairQueue | None = None,
        played: Callable[..., object] = lambda _game, *, matches, decisions: None,  # noqa: ARG005
        fleet: "Fleet | None" = None,
    ) -> None:
        """Take up the unfinished runs of the store; `begin` starts to play, on the fleet if there is one."""
        self._fleet = fleet
        retry_after = self._seconds_to_room
        quota = Quota("unfinished runs", limits, "unfinished_runs", "client_runs", retry_after=retry_after)
        super().__init__("run", store, limits, quota, threads=threads, queue=queue, played=played, workers=1)
        self._lanes: dict[str, deque[_RunJob]] = {}
        """Runs by client, in order of arrival; clients in the order of their turns."""
        self._gaps = True
        """Whether chunks may be missing, as after a repair of the store."""
        self.healer = Healer(store, self._queue, self._play_part)
        try:
            for row in store.runs.salvaged():
                self._recover(row)
        except DataCorruptError as error:
            _log.error("runs whose state was damaged are not restored: %s", error)
        self._resume_all(store.runs.unfinished, lambda row: _RunJob(row, resumed=True))

    def _recover(self, row: RunRow) -> None:
        """Restore the progress of a run whose state was damaged from its chunks, which are verified."""
        try:
            run = run_from_proto(parse(pb2.RunMatchesRequest, row.request))
            summary, done = no_rows(run, row.rules_version), 0
            for signature in self._store.runs.chunks.signatures(row.id):
                if signature.first != done:
                    break
                for _, count, part in self._store.runs.sums(row.id, done, signature.end):
                    summary, done = add_summary(summary, parse(pb2.RunSummary, part)), done + count
            over = done == row.match_count
            data = summary.SerializeToString()
            error = "" if over else row.error
            self._store.runs.restore(row.id, done, data, ended=time.time_ns(), error=error)
        except SengokuError as error:
            _log.error("the progress of run %s cannot be restored: %s", row.name, error)
        else:
            _log.warning("run %s: %d of %d matches are restored", row.name, done, row.match_count)

    def _enqueued(self, job: _RunJob) -> None:
        self._lanes.setdefault(job.client, deque()).append(job)

    # Starting

    def start(self, request: pb2.RunMatchesRequest, client: str, request_id: str = "") -> RunView:
        """Start a run, or return the one that this request id started already."""
        self._check_request_id(request_id)
        head = self._check(request)
        bytes_per_row = row_bytes(len(head.bots))
        with self._starting:
            known = self._store.runs.find(client, request_id) if request_id else None
            if known is not None:
                same = known.damage is not None or parse(pb2.RunMatchesRequest, known.request) == request
                return self._known(known.name, client, request_id, same=same)
            data = request.SerializeToString(deterministic=True)
            size = request.match_count * bytes_per_row + len(data)
            self._check_room(client, size)
            new = RunRow(
                name=f"operations/{uuid.uuid4().hex}",
                client=client,
                request_id=request_id,
                request=data,
                rules_version=head.rules_version,
                match_count=request.match_count,
                row_bytes=bytes_per_row,
                created=time.time_ns(),
                summary=head.SerializeToString(),
            )
            row = self._store.runs.begin(new)
            view = self._add(_RunJob(row, resumed=False))
        _log.info("run %s of %s starts: %d matches of %s", row.name, client, row.match_count, request.game)
        return view

    def _check(self, request: pb2.RunMatchesRequest) -> pb2.RunSummary:
        """Raise what `RunMatches` would refuse; return the summary of no rows."""
        if request.threads:
            raise invalid("threads", request.threads, "a run requires 0: it uses all")
        self._limits.check("run_matches", request.match_count)
        self._limits.check("run_request_bytes", request.ByteSize())
        run = run_from_proto(request)
        run.check(max_iterations=self._limits.search_iterations)
        return no_rows(run, find_game(request.game).rules_version)

    def _bytes_used(self) -> int:
        return self._store.runs.bytes_reserved()

    def _seconds_to_room(self) -> float:
        """Estimate when a run will be over, so that there is room for another."""
        with self._changed:
            left = [seconds for job in self._jobs.values() if (seconds := job.rates()[2])]
        return min(max(min(left, default=5.0), 1.0), 60.0)

    # Reading

    def _position(self, job: _RunJob) -> int:
        # Clients take turns: the first run of each, then the second of each.
        lanes = list(self._lanes.values())
        mine = self._lanes[job.client]
        depth, turn = mine.index(job), next(at for at, lane in enumerate(lanes) if lane is mine)
        return sum(min(len(lane), depth + (at < turn)) for at, lane in enumerate(lanes))

    def _view(self, job: _RunJob, position: int) -> RunView:
        matches, decisions, left = job.rates()
        return RunView(
            **job.status(position),
            matches_per_second=matches,
            decisions_per_second=decisions,
            seconds_left=left,
        )

    def _stored(self, name: str) -> RunView | None:
        row = self._store.runs.get(name)
        return None if row is None else RunView(row=row)

    def _stored_page(self, before: int | None, most: int, **where: Any) -> list[tuple[RunView, int]]:
        rows = self._store.runs.page(before=before, most=most, **where)
        return [(RunView(row=row), len(row.request) + len(row.summary)) for row in rows]

    def _not_found(self, name: str) -> SengokuError:
        return run_not_found(name)

    def rows(self, name: str, client: str | None, first_match: int | None, match_count: int | None) -> Rows:
        """Return the rows of a range of matches, or of all that are done."""
        view = self.get(name, client)
        row = view.row
        if row.damage is not None:
            raise row.damage
        if not row.done and isinstance(view.error, DataCorruptError):
            raise view.error  # the rows that it had are lost: an empty answer would be a wrong one
        start = parse(pb2.RunMatchesRequest, row.request).first_match
        first = 0 if first_match is None else first_match - start
        end = max(row.done, first) if match_count is None else first + match_count
        for what, value, place in (("first_match", first_match, first), ("match_count", match_count, end)):
            if not 0 <= place <= row.match_count:
                problem = f"the run has {row.match_count} matches from number {start}"
                raise invalid(what, value, problem, run=f"{start} + {row.match_count}")
        if end > row.done:
            details = {"name": row.name, "matches_done": str(row.done), "wanted": str(end)}
            raise RunNotOverError(f"{row.done} matches of {row.name} are done, not {end}", details)
        return Rows(self._store.runs, row, first, end, self.healer)

    def counts(self) -> dict[str, int]:
        """Return the number of runs by the name of their state."""
        stored = self._store.runs.counts()
        stored.pop(State.RUNNING, None)
        found = self._counts() + Counter(stored)
        return {state.name: found[state] for state in State if state is not State.DELETED}

    # Ending, resuming and deleting

    def _refuse_resume(self, view: RunView) -> RunView:
        details = {"name": view.name, "state": view.state.name}
        if view.over:
            raise RunOverError(f"{view.name} has played all its matches, nothing is left to resume", details)
        message = f"{view.name} is {view.state.name}, only a run that was cancelled or failed can be resumed"
        raise RunNotOverError(message, details)

    def _reopen(self, view: RunView) -> _RunJob:
        if view.row.damage is not None:
            raise view.row.damage
        request = parse(pb2.RunMatchesRequest, view.row.request)
        self._check_rules(request.game, view.row)
        self._check(request)
        # Whatever can fail comes before the change: a run that is RUNNING in the store must be played.
        row = self._store.runs.get(view.name)
        if row is None:  # removed in the meantime, because it is old
            raise run_not_found(view.name)
        job = _RunJob(replace(row, state=State.RUNNING, ended=None, error=""), resumed=True)
        if not self._store.runs.set_state(row.id, State.RUNNING, before=RESUMABLE):
            raise run_not_found(view.name)
        return job

    def _delete(self, view: RunView) -> None:
        if not self._store.runs.remove(view.row.id):
            raise run_not_found(view.name)
        self._untidy.set()

    def _write_refusal(self, row: RunRow, error: str) -> object:
        return self._store.runs.set_state(row.id, State.FAILED, time.time_ns(), error)

    def _write_end(self, job: _RunJob, state: State, error: str) -> RunRow | None:
        ended = time.time_ns()
        if not self._store.runs.set_state(job.row.id, state, ended, error):
            return None
        row = None
        with suppress(*STALLS):  # its end is stored, so it is over whether or not the row can be read now
            # The last chunk may have been written a moment ago, and not be in memory yet.
            row = self._store.runs.get(job.name)
        return row or replace(job.row, state=state, ended=ended, error=error)

    def _ended(self, job: _RunJob, row: RunRow) -> None:
        with self._changed:
            if job.state.over:
                return
            job.close_feed()
            lane = self._lanes[job.client]
            lane.remove(job)
            if not lane:
                del self._lanes[job.client]
            super()._ended(job, row)
            if job.name in self._jobs:  # its chunk is given up, so another run may start
                self._remove(job)

    # Playing

    def _next(self) -> _RunJob | None:
        return next((lane[0] for lane in self._lanes.values()), None)

    def _take(self, job: _RunJob) -> None:
        self._lanes[job.client] = self._lanes.pop(job.client)  # last in the next round

    def _play(self, job: _RunJob) -> None:
        """Play one chunk, or a slice of one whose matches take long."""
        if job.resumed:
            self._check_resumed(job)
            job.resumed = False
        if self._fleet is not None:
            self._play_on(self._fleet, job)
            return
        if job.pacing is None:
            # Matches of bots that search take seconds: the first chunk has one for each thread.
            first = self._threads if job.row.done == 0 and job.run.searches else _FIRST_CHUNK
            job.pacing = Pacing(_CHUNK_SECONDS, first, least=self._threads, most=_LARGEST_CHUNK)
        with self._queue.thread_turn(job.client, job.cancel):
            with self._changed:
                if self._stopping:
                    return
                if job.state is State.QUEUED:
                    job.change(State.RUNNING)
                    job.mark()
            if job.chunk is None:
                count = min(job.pacing.size, job.row.match_count - job.row.done)
                job.chunk = self._chunk(job, count)
            if not job.chunk.advance(_SLICE_SECONDS, self._others_wait):
                return  # the run of another client is next
            chunk, job.chunk = job.chunk, None
        report = chunk.result()
        self._write(job, report)
        job.pacing.update(len(report), chunk.seconds)

    def _play_on(self, fleet: "Fleet", job: _RunJob) -> None:
        """Store the next range that a fleet has played of a run, if it arrives before others want a turn."""
        with self._changed:
            if self._stopping or job.state.over:
                return
            if job.state is not State.RUNNING:
                job.change(State.RUNNING)
                job.mark()
            if job.feed is None or job.feed.done != job.row.done:
                job.close_feed()
                limits = self._limits
                job.feed = FleetFeed(
                    fleet, job.run, job.row.done,
                    max_decisions=limits.run_decisions, max_iterations=limits.search_iterations,
                )  # fmt: skip
            feed = job.feed
        try:
            report = feed.take(_SLICE_SECONDS, lambda: self._others_wait() or self._stopping, job.cancel)
            for first, right in feed.corrections():
                self._correct(job, first, right)
            if report is not None:
                self._check_decisions(job, report)
        except BaseException:
            job.close_feed()
            raise
        if report is not None:
            self._write(job, report)

    def _check_decisions(self, job: _RunJob, report: MatchReport) -> None:
        """Raise what playing these matches here would raise if the run takes too many decisions."""
        left = max(self._limits.run_decisions - job.summary.decisions_sum, 0)
        if int(report.decisions.sum(dtype="uint64")) > left:
            part = job.run.part(job.row.done, len(report))
            self._play_part(part, job.cancel, self._threads, left)

    def _correct(self, job: _RunJob, first: int, right: MatchReport) -> None:
        """Store the right rows of a range that a worker had wrong, which has been expelled since."""
        chunk, part = make_chunk(right, first)
        total, place = no_rows(job.run, job.row.rules_version), 0
        while place < job.row.done:
            if place == first:
                total, place = add_summary(total, part), place + chunk.count
                continue
            end = first if place < first else job.row.done
            for _, count, data in self._store.runs.sums(job.row.id, place, end):
                total, place = add_summary(total, parse(pb2.RunSummary, data)), place + count
        data = total.SerializeToString()
        if self._persist(job, lambda: self._store.runs.correct(job.row.id, chunk, data)):
            _log.warning("%d matches of %s from %d are corrected", chunk.count, job.name, first)
            with self._changed:
                job.summary, job.row = total, replace(job.row, summary=data)

    def _chunk(self, job: _RunJob, count: int) -> SlicedWork[MatchReport]:
        """Return the work of playing the next matches of a run."""
        part = job.run.part(job.row.done, count)
        left = max(self._limits.run_decisions - job.summary.decisions_sum, 0)
        return SlicedWork(lambda flag: self._play_part(part, flag, self._threads, left), job.cancel)

    def _others_wait(self) -> bool:
        """Return whether another client has a run; while the server stops, a chunk is played to its end."""
        return len(self._lanes) > 1 and not self._stopping

    def _matches(self, job: _RunJob, first: int, count: int, threads: int) -> MatchReport:
        return self._play_part(job.run.part(first, count), job.cancel, threads)

    def _play_part(
        self, part: RunRequest, cancel: Cancel, threads: int = 0, decisions: int | None = None
    ) -> MatchReport:
        with spans.part("play", game=part.game, first_match=part.first_match, matches=part.match_count):
            return part.play(
                threads=threads or self._threads,
                cancel=cancel,
                max_decisions=self._limits.run_decisions if decisions is None else decisions,
                max_iterations=self._limits.search_iterations,
                background=True,
            )

    def _write(self, job: _RunJob, report: MatchReport) -> None:
        """Persist a chunk: its rows are packed here, once, and served as they are stored."""
        chunk, part = make_chunk(report, job.row.done)
        summary = add_summary(job.summary, part)
        done = job.row.done + len(report)
        ended = time.time_ns() if done == job.row.match_count else None
        data = summary.SerializeToString()
        if not self._persist(job, lambda: self._store.runs.add(job.row.id, chunk, data, ended=ended)):
            self._reload(job)
            return
        row = replace(job.row, done=done, summary=data)
        if ended is not None:
            self._ended(job, replace(row, state=State.SUCCEEDED, ended=ended))
            _log.info("run %s of %s is done: %d matches", row.name, row.client, done)
        with self._changed:
            if not job.state.over:
                if job.obstacle:  # rates do not include the time without room
                    job.marks.clear()
                job.summary, job.row = summary, row
                job.change(State.RUNNING)
                job.mark()
        self._played(job.run.game, matches=len(report), decisions=part.decisions_sum)

    def _reload(self, job: _RunJob) -> None:
        """Take over what is stored, if that is not what the chunk followed."""
        row = self._store.runs.get(job.name)
        with self._changed:
            if row is None or row.state.over:
                # The call that ended it has failed since, or is about to say so.
                self._ended(job, row or replace(job.row, state=State.CANCELLED, ended=time.time_ns()))
            elif not job.state.over and row.done != job.row.done:
                job.summary, job.row = parse(pb2.RunSummary, row.summary), row

    @staticmethod
    def _check_rules(game: str, row: RunRow) -> None:
        """Raise RulesChangedError if a run started under another rules version."""
        version = find_game(game).rules_version
        if version != row.rules_version:
            raise RulesChangedError(
                f"the run began with rules version {row.rules_version} of {game}, this server has {version}",
                {"game": game, "rules_version": str(row.rules_version), "expected": str(version)},
            )

    def _check_resumed(self, job: _RunJob) -> None:
        """Raise RulesChangedError if a resumed run would go on under other rules than it started with."""
        game, row = job.run.game, job.row
        self._check_rules(game, row)
        if not row.done:
            return
        # Bots and setups have no version: play the last match again and compare.
        try:
            chunk = self._store.runs.chunk_at(row.id, row.done - 1)
        except DataCorruptError as damage:
            self.healer.heal(row, damage)
            chunk = self._store.runs.chunk_at(row.id, row.done - 1)
        if chunk is None:
            raise InternalError(f"match {row.done - 1} of {row.name} is missing", {"name": row.name})
        columns = unpack_rows(chunk.rows, chunk.count, len(job.summary.bots))
        again = self._matches(job, row.done - 1, 1, 1)
        for name, column in columns.items():
            if column[-1:].tobytes() != getattr(again, name).tobytes():
                number = job.run.first_match + row.done - 1
                raise RulesChangedError(
                    f"match {number} has a different result than when the run started: {name}",
                    {"game": game, "match": str(number), "column": name},
                )

    # Retention

    def _retire(self) -> int:
        if self._gaps:
            self._gaps = False
            for row, damage in self._store.runs.gaps():
                if not self._stopping:
                    with suppress(SengokuError):  # it is in the log, and readers are told
                        self.healer.heal(row, damage)
        self._store.clock.note()
        before = self._store.clock.now() - self._limits.run_keep_days * _DAY
        return self._store.runs.retire(ended_before=before, keep=self._limits.runs_kept)

    def stop(self, grace: float = 5.0) -> None:
        """Stop playing, see `Jobs.stop`; readers whose rows are played again are interrupted."""
        self._queue.cancel(self.healer.cancel)
        super().stop(grace)
        if self._store.trouble is None:
            with suppress(SengokuError):  # the time since it was noted last does not count
                self._store.clock.note()

    def _sweep(self) -> bool:
        return self._store.runs.sweep()
