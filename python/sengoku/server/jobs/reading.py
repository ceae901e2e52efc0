"""Reading runs and tournaments: their status, lists of them, and waiting for changes."""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from sengoku.errors import SengokuError, ShuttingDownError
from sengoku.server.jobs.status import Job, JobView
from sengoku.server.paging import Page
from sengoku.storage import State

__all__ = ["JobReader"]

_LOOK_SECONDS = 0.5
"""Time between two looks at a job that is not over and that no worker has."""

J = TypeVar("J", bound=Job)
V = TypeVar("V", bound=JobView)


class JobReader(ABC, Generic[J, V]):
    """The jobs in memory, and those in the store behind them."""

    def __init__(self) -> None:
        """Start without jobs in memory."""
        self._changed = threading.Condition(threading.RLock())
        """Lock of the jobs in memory; notified when one is added, ends or stops."""
        self._stopping = False
        self._jobs: dict[str, J] = {}
        """Jobs in memory by name, in order of arrival."""

    @abstractmethod
    def _position(self, job: J) -> int:
        """Return how many jobs come before a queued one; the caller holds the lock."""

    @abstractmethod
    def _view(self, job: J, position: int) -> V:
        """Return the status of a job in memory."""

    @abstractmethod
    def _stored(self, name: str) -> V | None:
        """Return the status of a job from the store."""

    @abstractmethod
    def _stored_page(self, before: int | None, most: int, **where: Any) -> Sequence[tuple[V, int]]:
        """Return the status and the bytes of jobs in the store with ids below `before`, newest first."""

    @abstractmethod
    def _not_found(self, name: str) -> SengokuError:
        """Return the error for a name that is unknown or belongs to another client."""

    def _look(self, job: J) -> V:
        """Return the status of a job in memory; the caller holds the lock."""
        return self._view(job, self._position(job) if job.state is State.QUEUED else 0)

    def get(self, name: str, client: str | None) -> V:
        """Return the status of a job of a client, or of any client if None."""
        with self._changed:
            job = self._jobs.get(name)
            if job is not None and client in {None, job.client}:
                return self._look(job)
        view = self._stored(name)
        if view is None or client not in {None, view.client}:
            raise self._not_found(name)
        return view

    def page(
        self, *, before: int | None, most: int, client: str | None = None, state: State | None = None
    ) -> Page[V]:
        """List jobs, newest first."""
        where: dict[str, Any] = {"client": client}
        if state is not None:
            where["state"] = state if state.over else State.RUNNING

        def read(before: int | None, count: int) -> list[tuple[int, V | None, int]]:
            rows = []
            for stored, size in self._stored_page(before, count, **where):
                with self._changed:
                    job = self._jobs.get(stored.name)
                    view = stored if job is None else self._look(job)
                rows.append((stored.row.id, view if state in {None, view.state} else None, size))
            return rows

        return Page.fill(read, before=before, most=most)

    def _counts(self) -> Counter[State]:
        """Count the jobs in memory by state."""
        with self._changed:
            return Counter(job.state for job in self._jobs.values())

    async def newer(self, view: V, seconds: float | None = None) -> V:
        """Wait for a change of a job since `view`, at most `seconds`, and return its status then."""
        job = view.job
        if view.over:
            return view
        with self._changed:
            self._check_stopping()
        if job is None:  # it is stored, but not in memory yet, or it could not be taken up
            await asyncio.sleep(_LOOK_SECONDS if seconds is None else min(seconds, _LOOK_SECONDS))
            return await asyncio.to_thread(self.get, view.name, view.client)
        await job.wait_newer(view.version, seconds)
        with self._changed:
            if not job.state.over:
                self._check_stopping()
            return self._look(job)

    async def next_view(self, view: V, clock: Callable[[], float], not_before: float) -> V:
        """Wait for the status to report after `view`.

        Changes until `not_before`, by the clock, are reported together; only an end is reported at once.
        """
        seen = view.version
        while not view.over and (view.version == seen or clock() < not_before):
            view = await self.newer(view, None if view.version == seen else max(not_before - clock(), 0.0))
        return view

    def _check_stopping(self) -> None:
        if self._stopping:
            raise ShuttingDownError("the server is shutting down", {}, retry_after=1.0)
