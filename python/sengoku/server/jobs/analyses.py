"""Analyses of matches: run in the background, a few decisions at a time, persisted and resumed."""

import json
import logging
import time
import uuid
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from sengoku import _core
from sengoku.engine.analysing import Analysing
from sengoku.engine.analysis import MatchAnalysis
from sengoku.engine.games import find_game
from sengoku.engine.match import Match
from sengoku.errors import (
    AnalysisNotFoundError,
    AnalysisNotOverError,
    DataCorruptError,
    RulesChangedError,
    SengokuError,
)
from sengoku.server.fair_queue import FairQueue
from sengoku.server.jobs.job import Jobs
from sengoku.server.jobs.status import Job, JobView
from sengoku.server.limits import Limits
from sengoku.server.quota import Quota
from sengoku.storage import STALLS, AnalysisRow, State, Store

__all__ = ["Analyses", "AnalysisView"]

_log = logging.getLogger(__name__)

_WRITE_SECONDS = 5.0
"""Time between two writes of a result that grows: what a kill loses."""
_LEVEL = 1
"""How hard results are compressed: they are written again and again."""
_MOVE_BYTES = 1024
"""Bytes of a decision in the store, about."""
_PIECE = 1 << 20
"""Bytes of one part of a result that is read."""


@dataclass(frozen=True, kw_only=True)
class AnalysisView(JobView):
    """The status of an analysis at one moment."""

    row: AnalysisRow

    @property
    def bytes_left(self) -> int:
        """Bytes of the decisions that are not analysed yet."""
        return (self.row.decisions - self.row.done) * _MOVE_BYTES


class _AnalysisJob(Job):
    """An analysis in memory."""

    row: AnalysisRow

    def __init__(self, row: AnalysisRow) -> None:
        super().__init__(row)
        self.match = Match(_core.Match.load(row.match))
        options = json.loads(row.request)
        version = find_game(self.match.game).rules_version
        if version != row.rules_version:
            raise RulesChangedError(
                f"the analysis began with rules version {row.rules_version} of {self.match.game}, "
                f"this server has {version}",
                {"game": self.match.game, "rules_version": str(row.rules_version), "expected": str(version)},
            )
        partial = _read(row.result) if row.result else None
        self.work = Analysing.begin(
            self.match, partial=partial, cancel=self.cancel, background=True, **options
        )
        self.written = 0.0


class Analyses(Jobs[_AnalysisJob, AnalysisView]):
    """The analyses of a server. One is computed at a time, some decisions of each client in turn."""

    _not_over = AnalysisNotOverError

    def __init__(
        self, store: Store, limits: Limits, *, threads: int = 0, queue: FairQueue | None = None
    ) -> None:
        """Take up the unfinished analyses of the store; `begin` starts to work."""
        quota = Quota(
            "unfinished analyses",
            limits,
            "unfinished_analyses",
            "client_analyses",
            retry_after=lambda: 10.0,
        )
        super().__init__(
            "analysis",
            store,
            limits,
            quota,
            threads=threads,
            queue=queue,
            played=lambda _game, *, matches, decisions: None,  # noqa: ARG005
            workers=1,
        )
        self._turns: Counter[str] = Counter()
        """How often each client that has an analysis had its turn."""
        self._resume_all(store.analyses.unfinished, _AnalysisJob)

    # Starting

    def start(
        self, match: _core.Match, options: dict[str, Any], client: str, request_id: str = ""
    ) -> AnalysisView:
        """Start an analysis, or return the one that this request id started already."""
        self._check_request_id(request_id)
        self._limits.check("match_decisions", match.decisions)
        # Everything that is wrong with the options is raised here.
        begun = Analysing.begin(Match(match), **options).analysis
        self._limits.check("analysis_iterations", max(begun.iterations, begun.luck))
        self._limits.check("analysis_playouts", (begun.iterations + begun.luck) * (begun.decisions + 1))
        request = json.dumps(options, sort_keys=True).encode()
        data = match.save()
        with self._starting:
            known = self._store.analyses.find(client, request_id) if request_id else None
            if known is not None:
                same = known.damage is not None or (known.request, known.match) == (request, data)
                return self._known(known.name, client, request_id, same=same)
            self._check_room(client, len(data) + (begun.decisions + 1) * _MOVE_BYTES)
            row = AnalysisRow(
                name=f"analyses/{uuid.uuid4().hex}",
                client=client,
                request_id=request_id,
                game=match.game,
                request=request,
                match=data,
                rules_version=begun.rules_version,
                decisions=begun.decisions + 1,
                created=time.time_ns(),
            )
            view = self._add(_AnalysisJob(self._store.analyses.begin(row)))
        _log.info("analysis %s of %s starts: %d decisions of %s", row.name, client, row.decisions, match.game)
        return view

    def _bytes_used(self) -> int:
        return max(self._store.runs.bytes_reserved(), self._store.bytes_used())

    # Reading

    def _position(self, job: _AnalysisJob) -> int:
        return [other for other in self._jobs.values() if other.state is State.QUEUED].index(job)

    def _view(self, job: _AnalysisJob, position: int) -> AnalysisView:
        return AnalysisView(**job.status(position))

    def _stored(self, name: str) -> AnalysisView | None:
        row = self._store.analyses.get(name)
        return None if row is None else AnalysisView(row=row)

    def _stored_page(self, before: int | None, most: int, **where: Any) -> list[tuple[AnalysisView, int]]:
        rows = self._store.analyses.page(before=before, most=most, **where)
        return [(AnalysisView(row=row), len(row.request)) for row in rows]

    def _not_found(self, name: str) -> SengokuError:
        return AnalysisNotFoundError(f"there is no analysis {name[:100]!a}", {"name": name[:100]})

    def counts(self) -> dict[str, int]:
        """Return the number of analyses that are not over, by the name of their state."""
        found = self._counts()
        return {state.name: found[state] for state in State if not state.over}

    def parts(self, name: str, client: str | None) -> Iterator[bytes]:
        """Return the result so far as JSON text, in parts."""
        view = self.get(name, client)
        job = view.job
        if job is not None:
            text = job.work.analysis.to_json().encode()
        else:
            row = self._store.analyses.get(name)
            if row is None:
                raise self._not_found(name)
            if row.damage is not None:
                raise row.damage
            result = row.result or zlib.compress(_AnalysisJob(row).work.analysis.to_json().encode())
            text = zlib.decompress(result)
        return (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))

    # Ending, resuming and deleting

    def _refuse_resume(self, view: AnalysisView) -> AnalysisView:
        return view

    def _reopen(self, view: AnalysisView) -> _AnalysisJob:
        row = self._store.analyses.get(view.name)
        if row is None:
            raise self._not_found(view.name)
        if row.damage is not None:
            raise row.damage
        job = _AnalysisJob(replace(row, state=State.RUNNING, ended=None, error=""))
        before = (State.FAILED, State.CANCELLED)
        if not self._store.analyses.set_state(row.id, State.RUNNING, before=before):
            raise self._not_found(view.name)
        return job

    def _delete(self, view: AnalysisView) -> None:
        if not self._store.analyses.remove(view.row.id):
            raise self._not_found(view.name)

    def _write_refusal(self, row: AnalysisRow, error: str) -> object:
        return self._store.analyses.set_state(row.id, State.FAILED, time.time_ns(), error)

    def _write_end(self, job: _AnalysisJob, state: State, error: str) -> AnalysisRow | None:
        self._note(job)
        ended = time.time_ns()
        if not self._store.analyses.set_state(job.row.id, state, ended, error):
            return None
        return replace(job.row, state=state, ended=ended, error=error)

    def _ended(self, job: _AnalysisJob, row: AnalysisRow) -> None:
        super()._ended(job, row)
        with self._changed:
            clients = {other.client for other in self._jobs.values()}
            for client in [client for client in self._turns if client not in clients]:
                del self._turns[client]

    # Analysing

    def _next(self) -> _AnalysisJob | None:
        """Return the oldest analysis of the client with the fewest turns."""
        waiting = (job for job in self._jobs.values() if not job.state.over)
        return min(waiting, key=lambda job: self._turns[job.client], default=None)

    def _take(self, job: _AnalysisJob) -> None:
        # A client that comes later does not catch up on turns that it did not ask for.
        others = [self._turns[other.client] for other in self._jobs.values() if other is not job]
        self._turns[job.client] = max(self._turns[job.client], min(others, default=0)) + 1

    def _play(self, job: _AnalysisJob) -> None:
        """Analyse a few decisions."""
        with self._queue.thread_turn(job.client, job.cancel):
            with self._changed:
                if self._stopping:
                    return
                if job.state is State.QUEUED:
                    job.change(State.RUNNING)
                    self._notify_queued()
            job.work.go_on(max(8, 2 * self._threads), self._threads)
        analysis = job.work.analysis
        if analysis.complete:
            self._finish(job)
        else:
            if time.monotonic() - job.written > _WRITE_SECONDS:
                self._persist(job, lambda: self._note(job))
            with self._changed:
                if not job.state.over:
                    job.row = replace(job.row, done=analysis.analysed)
                    job.change(State.RUNNING)

    def _note(self, job: _AnalysisJob) -> bool:
        """Store the result so far."""
        analysis = job.work.analysis
        stored = self._store.analyses.advance(job.row.id, analysis.analysed, _packed(analysis))
        job.written = time.monotonic()
        return stored

    def _finish(self, job: _AnalysisJob) -> None:
        analysis, ended = job.work.analysis, time.time_ns()
        data = _packed(analysis)

        def write() -> bool:
            return self._store.analyses.advance(job.row.id, analysis.analysed, data, ended=ended)

        if self._persist(job, write):
            row = replace(job.row, done=analysis.analysed, result=data, state=State.SUCCEEDED, ended=ended)
            self._ended(job, row)
            _log.info("analysis %s of %s is done", row.name, row.client)

    def stop(self, grace: float = 5.0) -> None:
        """Stop, see `Jobs.stop`; what is done is stored."""
        super().stop(grace)
        for job in list(self._jobs.values()):
            if not job.state.over and job.work.analysis.analysed > job.row.done - 1:
                with suppress(*STALLS, DataCorruptError):
                    self._note(job)

    # Retention

    def _retire(self) -> int:
        return self._store.analyses.retire(keep=self._limits.analyses_kept)


def _packed(analysis: MatchAnalysis) -> bytes:
    return zlib.compress(analysis.to_json().encode(), _LEVEL)


def _read(data: bytes) -> MatchAnalysis:
    return MatchAnalysis.from_json(zlib.decompress(data).decode())
