"""Base of runs and tournaments: starting, playing, cancelling, persisting, quotas, retention."""

from __future__ import annotations

import json
import logging
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, TypeVar

from sengoku._core import cores
from sengoku.errors import (
    ArgumentError,
    BusyError,
    CancelledError,
    DataCorruptError,
    InternalError,
    RequestIdError,
    SengokuError,
    UnavailableError,
)
from sengoku.server.fair_queue import FairQueue
from sengoku.server.jobs.reading import J, V
from sengoku.server.jobs.tidying import TidyJobs
from sengoku.server.jobs.workers import Workers
from sengoku.server.limits import Limits
from sengoku.server.quota import Quota, check_store
from sengoku.storage import STALLS, State, Store

__all__ = ["Jobs"]

_PAUSES = (*STALLS, UnavailableError)
"""What stalls a job until it is over: a store that cannot be written, a fleet without workers."""

_log = logging.getLogger(__name__)

PAUSE_SECONDS = (0.25, 30.0)
"""Pause after a write that failed for a reason that passes: the first one, and the longest."""
_MOST_DEATHS = 3
"""How often a worker may die of a job until the job fails."""
_STOP_SECONDS = 30.0
"""How long a call waits for the work of a cancelled job to stop."""
_MAX_REQUEST_ID = 128

T = TypeVar("T")


class Jobs(TidyJobs[J, V]):
    """All runs, or all tournaments, of a server: kept in the store, played by worker threads."""

    _not_over: ClassVar[type[SengokuError]]
    """The error for a request that needs a job that is over."""

    def __init__(
        self,
        kind: str,
        store: Store,
        limits: Limits,
        quota: Quota,
        *,
        threads: int,
        queue: FairQueue | None,
        played: Callable[..., object],
        workers: int,
    ) -> None:
        """Prepare; `begin` starts the workers. `queue` gives turns to work that uses all cores.

        `played` is called with the game, `matches` and `decisions` of what was played.
        """
        super().__init__(kind, store)
        self._limits = limits
        self._quota = quota
        self._threads = threads or cores()
        self._queue = queue or FairQueue(workers, 0)
        self._played = played
        self._starting = threading.Lock()
        self._under_way: set[str] = set()
        """Names of the jobs that a worker plays at the moment."""
        self._unreadable = ""
        """Why the unfinished jobs of the store could not be taken up."""
        self.workers = Workers(kind, self._stopped)
        for number in range(workers):
            self.workers.add(str(number), self._work)
        self.workers.add("tidy", self._tidy)

    def by_client(self) -> dict[str, int]:
        """Return how many unfinished jobs each client has."""
        return self._quota.by_client()

    @abstractmethod
    def _write_end(self, job: J, state: State, error: str) -> Any:
        """Persist that a job failed or was cancelled; return its row, or None if it is over already."""

    @abstractmethod
    def _write_refusal(self, row: Any, error: str) -> object:
        """Persist that a stored job failed which could not be taken up."""

    @abstractmethod
    def _refuse_resume(self, view: V) -> V:
        """Return or raise the answer to a request to resume a job that runs or succeeded."""

    @abstractmethod
    def _bytes_used(self) -> int:
        """Return the bytes of the store that are in use or reserved."""

    @abstractmethod
    def _reopen(self, view: V) -> J:
        """Persist that a job that failed or was cancelled is unfinished again, and return it."""

    @abstractmethod
    def _delete(self, view: V) -> None:
        """Remove a job that is over from the store."""

    @abstractmethod
    def _next(self) -> J | None:
        """Return the job to play next; the caller holds the lock."""

    @abstractmethod
    def _take(self, job: J) -> None:
        """Note that a worker plays a job; the caller holds the lock."""

    @abstractmethod
    def _play(self, job: J) -> None:
        """Play a job for a while, or until it is over."""

    # Starting and stopping

    def begin(self) -> None:
        """Start to play."""
        self.workers.start()

    def _resume_all(self, read: Callable[[], Iterable[T]], make: Callable[[T], J]) -> None:
        """Take up the unfinished jobs of the store; one that cannot be taken up fails, others go on."""
        rows: Iterable[Any] = ()
        try:
            rows = read()
        except DataCorruptError as error:
            self._unreadable = str(error)
            _log.error("unfinished %ss are not resumed: %s", self._kind, error)
        for row in rows:
            try:
                job = make(row)
            except Exception as error:  # noqa: BLE001 - whatever is wrong with it must not stop the server
                self._refuse(row, error)
            else:
                self._add(job)
        if self._jobs:
            _log.info("%d unfinished %ss are resumed", len(self._jobs), self._kind)

    def _refuse(self, row: Any, error: Exception) -> None:
        """Let a stored job fail that cannot be taken up."""
        store = self._store.label
        if not isinstance(error, SengokuError):
            details = {"store": store, "table": f"{self._kind}s", "id": str(row.id), "name": row.name}
            message = f"{row.name} (row {row.id} of {self._kind}s in the store {store}) cannot be read"
            error = DataCorruptError(f"{message}: {type(error).__name__}: {error}", details)
        _log.error("%s %s in the store %s fails: %s", self._kind, row.name, store, error, exc_info=error)
        try:
            self._write_refusal(row, _stored_error(error))
        except (*STALLS, DataCorruptError) as problem:
            _log.error("this is not stored: %s", problem)

    @property
    def problem(self) -> str:
        """Why work cannot be done or stored at the moment, or ""."""
        with self._changed:
            stalled = (job.obstacle for job in self._jobs.values() if job.state is State.STALLED)
            obstacle = next(stalled, "")
        trouble = self._store.trouble
        return (
            self._unreadable or self.workers.problem or obstacle or ("" if trouble is None else str(trouble))
        )

    def _add(self, job: J) -> V:
        """Queue a job."""
        with self._changed:
            self._jobs[job.name] = job
            self._quota.add(job.client)
            self._enqueued(job)
            self._changed.notify_all()
            return self._look(job)

    def _enqueued(self, job: J) -> None:
        """Note that a job was queued; the caller holds the lock."""

    @staticmethod
    def _check_request_id(request_id: str) -> None:
        length = len(request_id)
        if length > _MAX_REQUEST_ID:
            details = {"field": "request_id", "value": str(length), "limit": str(_MAX_REQUEST_ID)}
            message = f"request_id has {length} characters, at most {_MAX_REQUEST_ID} are possible"
            raise ArgumentError(message, details)

    def _known(self, name: str, client: str, request_id: str, *, same: bool) -> V:
        """Return the job that a request id started, if the request is the same."""
        if same:
            return self.get(name, client)
        details = {"request_id": request_id, "name": name}
        raise RequestIdError(f"request_id {request_id!a} started a different {self._kind}, {name}", details)

    def _check_room(self, client: str, size: int) -> None:
        """Raise if a client may not start another job, or if the store has no room for its `size` bytes."""
        with self._changed:
            self._check_stopping()
        self._quota.check(client)
        used, limit = self._bytes_used(), self._limits.store_bytes
        check_store(f"the {self._kind}", size, used=used, limit=limit)

    def stop(self, grace: float = 5.0) -> None:
        """Stop playing; work under way may take `grace` seconds to finish, then it is cancelled."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
            for job in self._jobs.values():
                job.set()
        self._stopped.set()
        self._untidy.set()
        self.workers.join(grace)
        with self._changed:
            for job in self._jobs.values():
                self._queue.cancel(job.cancel)
        self.workers.join()

    # Playing

    def _work(self) -> None:
        """Thread target: play jobs until the server stops."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._stopping or self._next() is not None)
                job = self._next()
                if self._stopping or job is None:
                    return
                self._under_way.add(job.name)
                self._take(job)
            try:
                self._persist(job, partial(self._attempt, job))
            except BaseException:
                self._died(job)
                raise
            finally:
                with self._changed:
                    self._under_way.discard(job.name)
                    if job.state.over and self._jobs.get(job.name) is job:
                        self._remove(job)
                    self._changed.notify_all()

    def _died(self, job: J) -> None:
        """Let a job fail that a worker died of several times; others go on."""
        job.deaths += 1
        if job.deaths >= _MOST_DEATHS and not job.state.over:
            with suppress(*STALLS):
                self._end(job, State.FAILED, InternalError("internal error, see the server's log"))
        with self._changed:
            if not job.state.over:
                job.change(State.QUEUED)

    def _attempt(self, job: J) -> None:
        """Play a job; whatever happens to it, others go on."""
        try:
            self._play(job)
            return
        except CancelledError:
            if self._stopping or job.cancel.cancelled:
                return
            failure: SengokuError = self._unexpected(job)
        except _PAUSES:
            raise
        except SengokuError as error:
            failure = error
        except Exception:  # noqa: BLE001 - see above
            failure = self._unexpected(job)
        self._end(job, State.FAILED, failure)

    # Ending, resuming and deleting

    def cancel(self, name: str, client: str | None) -> V:
        """Cancel a job; it is over when this returns, and its work stops a moment later."""
        view = self.get(name, client)
        job = view.job
        if job is None or view.over:
            return view
        self._end(job, State.CANCELLED, CancelledError(f"the {self._kind} was cancelled", {"name": name}))
        with self._changed:
            return self._look(job)

    def _end(self, job: J, state: State, error: SengokuError) -> None:
        """Persist that a job failed or was cancelled, unless it is over already."""
        stored = _stored_error(error)
        try:
            row = self._write_end(job, state, stored)
        except STALLS:
            raise
        except Exception as problem:  # noqa: BLE001 - the row is damaged: until the server ends, it is in memory
            _log.exception("the end of %s %s cannot be stored: %s", self._kind, job.name, problem)
            row = replace(job.row, state=state, ended=time.time_ns(), error=stored)
        if row is not None:
            self._ended(job, row)
            _log.info("%s %s of %s is %s: %s", self._kind, row.name, row.client, row.state.name, error)

    def _ended(self, job: J, row: Any) -> None:
        """Note that a job is over; it stays in memory until its work has stopped."""
        with self._changed:
            self._queue.cancel(job.cancel)
            job.row = row
            job.change(row.state)
            self._changed.notify_all()
            if job.name not in self._under_way:
                self._remove(job)

    def resume(self, name: str, client: str | None) -> V:
        """Resume a job that was cancelled or failed; the limits for starting one apply."""
        with self._starting:
            view = self.get(name, client)
            if not view.over or view.state is State.SUCCEEDED:
                return self._refuse_resume(view)
            self._await_stop(name)
            self._check_room(view.client, view.bytes_left)
            job = self._reopen(view)
            _log.info("%s %s of %s is resumed", self._kind, name, view.client)
            return self._add(job)

    def delete(self, name: str, client: str | None) -> None:
        """Delete a job that is over."""
        with self._starting:
            view = self.get(name, client)
            if not view.over:
                details = {"name": name, "state": view.state.name}
                raise self._not_over(f"{name} is {view.state.name}, cancel it first", details)
            self._await_stop(name)
            self._delete(view)

    def _await_stop(self, name: str) -> None:
        """Wait until the work of a job that is over has stopped."""
        with self._changed:
            stopped = self._changed.wait_for(lambda: name not in self._under_way, _STOP_SECONDS)
        if not stopped:
            message = f"the work of {name} has not stopped yet, try again later"
            raise BusyError(message, {"name": name}, retry_after=5.0)

    def _remove(self, job: J) -> None:
        """Remove a job from memory and notify watchers; the caller holds the lock."""
        if self._jobs.pop(job.name, None) is None:
            return  # it was cancelled in the moment in which it ended
        self._quota.release(job.client)
        job.set()
        self._notify_queued()
        self._changed.notify_all()
        self._untidy.set()

    def _notify_queued(self) -> None:
        """Notify the watchers of queued jobs, whose positions have changed."""
        for job in self._jobs.values():
            if job.state is State.QUEUED:
                job.set()

    def _persist(self, job: J, write: Callable[[], T]) -> T | None:
        """Call `write` until the store can be written; return None if the job or the server ends first."""
        pause, longest = PAUSE_SECONDS
        while True:
            try:
                return write()
            except _PAUSES as error:
                _log.warning("%s %s stalls for %g s: %s", self._kind, job.name, pause, error)
                with self._changed:
                    if not job.state.over:
                        job.change(State.STALLED, str(error))
                    self._changed.wait_for(lambda: self._stopping or job.state.over, pause)
                    if self._stopping or job.state.over:
                        return None
            pause = min(2 * pause, longest)

    def _unexpected(self, job: J) -> InternalError:
        """Log the exception being handled and return what clients are told instead."""
        _log.exception("unexpected error in %s %s", self._kind, job.name)
        return InternalError("internal error, see the server's log")


def _stored_error(error: SengokuError) -> str:
    """Return an error as it is stored with its job."""
    return json.dumps({"reason": error.reason, "message": str(error), "details": error.details})
