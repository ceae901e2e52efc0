"""How runs are played: chunk by chunk, on this server or on a fleet."""

import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from sengoku._core import Cancel
from sengoku.engine.games import find_game
from sengoku.engine.pacing import Pacing
from sengoku.engine.report import MatchReport
from sengoku.engine.requests import RunRequest
from sengoku.errors import (
    DataCorruptError,
    InternalError,
    RulesChangedError,
)
from sengoku.server.fair_queue import FairQueue
from sengoku.server.jobs.fleet_feed import FleetFeed
from sengoku.server.jobs.healing import Healer, make_chunk, no_rows
from sengoku.server.jobs.job import Jobs
from sengoku.server.jobs.sliced import SlicedWork
from sengoku.server.limits import Limits
from sengoku.server.quota import Quota
from sengoku.storage import RunRow, State, Store
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire import spans
from sengoku.wire.simulation import (
    add_summary,
    unpack_rows,
)
from sengoku.wire.values import parse

if TYPE_CHECKING:
    from sengoku.fleet import Fleet
from sengoku.server.jobs.run_job import RunJob, RunView

_log = logging.getLogger(__name__)

_CHUNK_SECONDS = 0.5
"""How long a chunk takes: what a kill loses."""
_SLICE_SECONDS = 0.5
"""How long a chunk is played until other clients have their turn; it goes on later."""
_FIRST_CHUNK = 16
_LARGEST_CHUNK = 1 << 18


class PlayedRuns(Jobs[RunJob, RunView]):
    """The part of `Runs` that plays and persists chunks. One run is played at a time, on all threads."""

    def __init__(
        self,
        store: Store,
        limits: Limits,
        quota: Quota,
        *,
        threads: int,
        queue: FairQueue | None,
        played: Callable[..., object],
        fleet: "Fleet | None",
    ) -> None:
        super().__init__("run", store, limits, quota, threads=threads, queue=queue, played=played, workers=1)
        self._fleet = fleet
        self._lanes: dict[str, deque[RunJob]] = {}
        """Runs by client, in order of arrival; clients in the order of their turns."""
        self.healer = Healer(store, self._queue, self._play_part)

    def _next(self) -> RunJob | None:
        return next((lane[0] for lane in self._lanes.values()), None)

    def _take(self, job: RunJob) -> None:
        self._lanes[job.client] = self._lanes.pop(job.client)  # last in the next round

    def _play(self, job: RunJob) -> None:
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

    def _play_on(self, fleet: "Fleet", job: RunJob) -> None:
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

    def _check_decisions(self, job: RunJob, report: MatchReport) -> None:
        """Raise what playing these matches here would raise if the run takes too many decisions."""
        left = max(self._limits.run_decisions - job.summary.decisions_sum, 0)
        if int(report.decisions.sum(dtype="uint64")) > left:
            part = job.run.part(job.row.done, len(report))
            self._play_part(part, job.cancel, self._threads, left)

    def _correct(self, job: RunJob, first: int, right: MatchReport) -> None:
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

    def _chunk(self, job: RunJob, count: int) -> SlicedWork[MatchReport]:
        """Return the work of playing the next matches of a run."""
        part = job.run.part(job.row.done, count)
        left = max(self._limits.run_decisions - job.summary.decisions_sum, 0)
        return SlicedWork(lambda flag: self._play_part(part, flag, self._threads, left), job.cancel)

    def _others_wait(self) -> bool:
        """Return whether another client has a run; while the server stops, a chunk is played to its end."""
        return len(self._lanes) > 1 and not self._stopping

    def _matches(self, job: RunJob, first: int, count: int, threads: int) -> MatchReport:
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

    def _write(self, job: RunJob, report: MatchReport) -> None:
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

    def _reload(self, job: RunJob) -> None:
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

    def _check_resumed(self, job: RunJob) -> None:
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
