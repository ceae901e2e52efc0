"""Runs on a server: long series of matches that continue without the client, and their rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from operator import index
from pathlib import Path
from typing import Any, BinaryIO, Generic, Literal, TypeVar

from google.longrunning import operations_pb2
from google.protobuf import duration_pb2

from sengoku._core import MAX_MATCHES, Cancel
from sengoku.client._channel import Deadline, Reconnect
from sengoku.client._flow import (
    Api,
    AsyncMethods,
    BlockingMethods,
    Call,
    Emit,
    Flow,
    Sleep,
    StreamFlow,
    method,
    read_stream,
    stream,
)
from sengoku.client._jobs import Job, no_result, read_pages, request_id_or_new
from sengoku.engine.games import Setup
from sengoku.engine.report import MatchReport
from sengoku.engine.requests import RunRequest
from sengoku.engine.run_status import RunStatus, RunSummary
from sengoku.errors import ArgumentError, DecodeError, RunNotOverError, SengokuError
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.simulation import (
    report_from_proto,
    run_name_to_proto,
    run_request_from_operation,
    run_state_to_proto,
    run_status_from_proto,
    run_to_proto,
)
from sengoku.wire.values import text_to_proto

RunT = TypeVar("RunT")

_WATCHED_WAIT_SECONDS = 0.25
"""Length of one WaitOperation call if its caller shows progress."""
_WAIT_SECONDS = 10.0
"""Length of one WaitOperation call otherwise."""
_FORMATS = {"arrow": pb2.ROW_FORMAT_ARROW, "parquet": pb2.ROW_FORMAT_PARQUET}


class RunsApi(Api, Generic[RunT]):
    """The methods of a client for runs."""

    _run: Any
    """The class of a run."""

    def _run_of(self, operation: operations_pb2.Operation) -> RunT:
        created: RunT = self._run(self, run_status_from_proto(operation))
        return created

    @method
    def start_run(
        self,
        game: str,
        *,
        bots: Iterable[str],
        seats: int | None = None,
        match_count: int,
        first_match: int = 0,
        seed: int = 0,
        setup: Setup = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Call[RunT]:
        """Start a run of any length on the server; it continues even if the client disconnects.

        The arguments are those of `run_matches`. A second call with the same `request_id` returns the run of
        the first. Without one, each call gets a new id, so that a call that is retried starts only one run.

        >>> from sengoku import Client, run_matches
        >>> from sengoku.server import Server
        >>> options = {"bots": ["greedy", "random"], "match_count": 500, "seed": 3}
        >>> with Server(port=0) as server, Client(server.address) as client:
        ...     run = client.start_run("battles", **options)
        ...     summary = run.wait()
        ...     run.report() == run_matches("battles", **options)
        True
        >>> summary.match_count
        500
        """
        request = RunRequest.create(
            game,
            bots=bots,
            seats=seats,
            match_count=match_count,
            first_match=first_match,
            seed=seed,
            setup=setup,
        )
        matches = run_to_proto(request)
        check_range(matches)
        start = pb2.StartRunRequest(run=matches, request_id=request_id_or_new(request_id))
        return Call(start, self._run_of, timeout)

    @method
    def run(self, name: str, *, timeout: float | None = None) -> Call[RunT]:
        """Return an existing run by name."""
        request = operations_pb2.GetOperationRequest(name=run_name_to_proto(name))
        return Call(request, self._run_of, timeout)

    @method
    def runs(
        self, state: str | None = None, *, client: str | None = None, timeout: float | None = None
    ) -> Flow[list[RunT]]:
        """List runs, newest first: all that this client may see, or those in a state or of a client.

        The list is complete, however many pages it takes; each `status` is from the time of listing.
        """
        terms = [f"state={run_state_to_proto(state)}"] if state is not None else []
        terms += [f"client={text_to_proto('client', client)}"] if client is not None else []
        request = operations_pb2.ListOperationsRequest(name="operations", filter=" AND ".join(terms))
        found = yield from read_pages(
            request, lambda page: map(self._run_of, page.operations), self._deadline(timeout)
        )
        return found


def check_range(request: pb2.RunMatchesRequest) -> None:
    """Raise `ArgumentError` for match numbers out of range, like the engine."""
    total, first = request.match_count, request.first_match
    if not 1 <= total <= MAX_MATCHES:
        details = {"field": "match_count", "value": str(total), "limit": str(MAX_MATCHES)}
        raise ArgumentError(f"match_count is {total}, it must be 1 to {MAX_MATCHES}", details)
    if first + total > 1 << 64:
        details = {"field": "first_match", "value": str(first), "match_count": str(total)}
        message = f"{total} matches from number {first} exceed the last match number, {(1 << 64) - 1}"
        raise ArgumentError(message, details)


class _RunMethods(Job[RunStatus, RunSummary]):
    """The methods that `RemoteRun` and `AsyncRemoteRun` share."""

    _get = operations_pb2.GetOperationRequest
    _watch = pb2.WatchRunRequest
    _delete = operations_pb2.DeleteOperationRequest
    _operation: operations_pb2.Operation
    """The last message about the run; set by `_update`."""

    def _update(self, response: Any) -> RunStatus:
        found = response if isinstance(response, operations_pb2.Operation) else response.operation
        self._operation = found
        self._status = run_status_from_proto(self._operation)
        return self._status

    @property
    def _progress(self) -> tuple[int, int]:
        return self._status.matches_done, self._status.match_count

    def _wait_once(
        self, deadline: Deadline, update: Callable[[Any], None], cancel: Cancel | None, *, often: bool
    ) -> Flow[None]:
        seconds = min(_WATCHED_WAIT_SECONDS if often else _WAIT_SECONDS, deadline.left)
        limit = duration_pb2.Duration()
        limit.FromMilliseconds(round(1e3 * seconds))
        request = operations_pb2.WaitOperationRequest(name=self.name, timeout=limit)
        yield Call(request, update, seconds + 30.0, cancel)

    @method
    def report(
        self, *, first_match: int | None = None, match_count: int | None = None, timeout: float | None = None
    ) -> Flow[MatchReport]:
        """Return the report of the finished matches; for a finished run, it equals that of `run_matches`.

        `first_match` and `match_count` select a part of the matches.
        """
        yield Call(self._request(self._get), self._update)
        report = yield from self._read_report(Deadline(timeout), first_match, match_count)
        return report

    def _read_report(
        self, deadline: Deadline, first_match: int | None = None, match_count: int | None = None
    ) -> Flow[MatchReport]:
        """Read the rows that the run has, as of its last status."""
        run = self._matches()
        run.first_match = run.first_match if first_match is None else index(first_match)
        parts: list[pb2.PackedRows] = []
        yield from self._read_rows(run.first_match, match_count, deadline, parts.append)
        if not parts:
            message = f"none of these matches of {self.name} is finished yet"
            raise RunNotOverError(message, {"name": self.name})
        rows, counts = [part.rows for part in parts], [part.match_count for part in parts]
        return report_from_proto(run, rows, counts)

    def _matches(self) -> pb2.RunMatchesRequest:
        """Return a copy of the request of the run."""
        run = pb2.RunMatchesRequest()
        run.CopyFrom(run_request_from_operation(self._operation))
        return run

    def _read_rows(
        self, first: int, count: int | None, deadline: Deadline, take: Callable[[pb2.PackedRows], object]
    ) -> Flow[None]:
        """Read packed rows part by part; after a lost connection, continue with the next row."""
        reconnect = Reconnect(deadline)
        end = None if count is None else first + count

        def use(response: pb2.ReadRunResponse) -> None:
            nonlocal first
            part = response.packed
            if part.first_match != first:
                details = {"value": str(part.first_match), "expected": str(first)}
                raise DecodeError(f"rows start with match {part.first_match}, not {first}", details)
            take(part)
            first += part.match_count
            reconnect.reset()

        while end is None or first < end:
            request = pb2.ReadRunRequest(
                name=self.name,
                format=pb2.ROW_FORMAT_PACKED,
                first_match=first,
                match_count=None if end is None else end - first,
            )
            try:
                yield from read_stream(request, use, deadline.left)
            except SengokuError as error:
                yield Sleep(reconnect.pause_after(error))
            else:
                return

    @stream
    def read(
        self,
        format: Literal["arrow", "parquet"] = "arrow",  # noqa: A002 - the usual name
        *,
        first_match: int | None = None,
        match_count: int | None = None,
        timeout: float | None = None,
    ) -> StreamFlow[bytes]:
        """Iterate over the bytes of an Arrow IPC stream or a Parquet file of the finished matches."""
        if format not in _FORMATS:
            details = {"field": "format", "value": repr(format)}
            raise ArgumentError(f"format: unknown format {format!r}, use {' or '.join(_FORMATS)}", details)
        request = pb2.ReadRunRequest(
            name=self.name, format=_FORMATS[format], first_match=first_match, match_count=match_count
        )
        yield from read_stream(
            request, lambda response: Emit(response.data), math.inf if timeout is None else timeout
        )

    @method
    def save(self, path: str | Path, *, timeout: float | None = None) -> Flow[None]:
        """Write the finished matches to a .parquet, .arrow or .csv file, which appears when it is complete.

        The server creates the first two formats.
        """
        file = Path(path)
        if file.suffix not in (".arrow", ".csv", ".parquet"):
            details = {"field": "path", "value": str(file)}
            raise ArgumentError(f"path is {str(file)!r}, it must end in .parquet, .arrow or .csv", details)
        partial = file.with_name(f".{file.name}.part")
        try:
            with partial.open("wb") as out:
                if file.suffix == ".csv":
                    yield from self._save_csv(out, Deadline(timeout))
                else:

                    def write(response: pb2.ReadRunResponse) -> None:
                        out.write(response.data)

                    request = pb2.ReadRunRequest(name=self.name, format=_FORMATS[file.suffix[1:]])
                    yield from read_stream(request, write, math.inf if timeout is None else timeout)
            partial.replace(file)
        finally:
            partial.unlink(missing_ok=True)

    def _save_csv(self, out: BinaryIO, deadline: Deadline) -> Flow[None]:
        """Write lines part by part, so that a large run needs little memory."""
        yield Call(self._request(self._get), self._update)
        run = self._matches()
        lines = 0

        def write(part: pb2.PackedRows) -> None:
            nonlocal lines
            run.first_match = part.first_match
            text = report_from_proto(run, [part.rows], [part.match_count]).to_csv() or ""
            out.write((text.partition("\n")[2] if lines else text).encode())
            lines += part.match_count

        yield from self._read_rows(run.first_match, None, deadline, write)
        if not lines:
            raise RunNotOverError(f"no match of {self.name} is finished yet", {"name": self.name})

    @method
    def cancel(self, *, timeout: float | None = None) -> Call[None]:
        """Stop the run soon; finished matches stay readable, and `resume` continues it.

        It has no effect on a run that is over.
        """
        return Call(operations_pb2.CancelOperationRequest(name=self.name), no_result, timeout)

    @method
    def resume(self, *, timeout: float | None = None) -> Call[RunStatus]:
        """Continue a run that was cancelled or failed; its report equals that of an uninterrupted run."""
        return Call(pb2.ResumeRunRequest(name=self.name), self._update, timeout)

    def _abandon(self, seconds: float) -> Flow[None]:
        """Cancel the run, wait for its end, and delete it; each step takes at most `seconds`."""
        yield Call(operations_pb2.CancelOperationRequest(name=self.name), timeout=seconds)
        yield from self._until_over(Deadline(seconds))
        yield Call(self._request(self._delete), timeout=seconds)

    def __repr__(self) -> str:
        status = self._status
        done = f"{status.matches_done:,} of {status.match_count:,} matches"
        return f"<{type(self).__name__} {self.name} of {status.game}: {status.state}, {done}>"


class RemoteRun(_RunMethods, BlockingMethods):
    """A run on a server; it continues whether or not a client waits for it.

    `Client.start_run` starts one, `Client.run` and `Client.runs` find existing ones.
    """


class AsyncRemoteRun(_RunMethods, AsyncMethods):
    """A `RemoteRun` for an `AsyncClient`: methods are awaited, `watch` and `read` are async iterators."""
