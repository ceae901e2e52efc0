"""Long runs: played chunk by chunk, persisted after each chunk, resumed after a restart."""

import logging
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sengoku.engine.games import find_game
from sengoku.errors import (
    DataCorruptError,
    RunNotOverError,
    RunOverError,
    SengokuError,
    invalid,
)
from sengoku.server.fair_queue import FairQueue
from sengoku.server.jobs.healing import no_rows
from sengoku.server.jobs.rows import Rows, run_not_found
from sengoku.server.jobs.run_job import RunJob, RunView
from sengoku.server.jobs.run_playing import PlayedRuns
from sengoku.server.limits import Limits
from sengoku.server.quota import Quota
from sengoku.storage import RESUMABLE, STALLS, RunRow, State, Store
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.simulation import (
    add_summary,
    row_bytes,
    run_from_proto,
)
from sengoku.wire.values import parse

if TYPE_CHECKING:
    from sengoku.fleet import Fleet

__all__ = ["RunView", "Runs"]

_log = logging.getLogger(__name__)

_DAY = 86_400 * 10**9


class Runs(PlayedRuns):
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
        retry_after = self._seconds_to_room
        quota = Quota("unfinished runs", limits, "unfinished_runs", "client_runs", retry_after=retry_after)
        super().__init__(store, limits, quota, threads=threads, queue=queue, played=played, fleet=fleet)
        self._gaps = True
        """Whether chunks may be missing, as after a repair of the store."""
        try:
            for row in store.runs.salvaged():
                self._recover(row)
        except DataCorruptError as error:
            _log.error("runs whose state was damaged are not restored: %s", error)
        self._resume_all(store.runs.unfinished, lambda row: RunJob(row, resumed=True))

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

    def _enqueued(self, job: RunJob) -> None:
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
            view = self._add(RunJob(row, resumed=False))
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

    def _position(self, job: RunJob) -> int:
        # Clients take turns: the first run of each, then the second of each.
        lanes = list(self._lanes.values())
        mine = self._lanes[job.client]
        depth, turn = mine.index(job), next(at for at, lane in enumerate(lanes) if lane is mine)
        return sum(min(len(lane), depth + (at < turn)) for at, lane in enumerate(lanes))

    def _view(self, job: RunJob, position: int) -> RunView:
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

    def _reopen(self, view: RunView) -> RunJob:
        if view.row.damage is not None:
            raise view.row.damage
        request = parse(pb2.RunMatchesRequest, view.row.request)
        self._check_rules(request.game, view.row)
        self._check(request)
        # Whatever can fail comes before the change: a run that is RUNNING in the store must be played.
        row = self._store.runs.get(view.name)
        if row is None:  # removed in the meantime, because it is old
            raise run_not_found(view.name)
        job = RunJob(replace(row, state=State.RUNNING, ended=None, error=""), resumed=True)
        if not self._store.runs.set_state(row.id, State.RUNNING, before=RESUMABLE):
            raise run_not_found(view.name)
        return job

    def _delete(self, view: RunView) -> None:
        if not self._store.runs.remove(view.row.id):
            raise run_not_found(view.name)
        self._untidy.set()

    def _write_refusal(self, row: RunRow, error: str) -> object:
        return self._store.runs.set_state(row.id, State.FAILED, time.time_ns(), error)

    def _write_end(self, job: RunJob, state: State, error: str) -> RunRow | None:
        ended = time.time_ns()
        if not self._store.runs.set_state(job.row.id, state, ended, error):
            return None
        row = None
        with suppress(*STALLS):  # its end is stored, so it is over whether or not the row can be read now
            # The last chunk may have been written a moment ago, and not be in memory yet.
            row = self._store.runs.get(job.name)
        return row or replace(job.row, state=state, ended=ended, error=error)

    def _ended(self, job: RunJob, row: RunRow) -> None:
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
