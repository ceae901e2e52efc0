"""SimulationService: matches between the server's bots, in one call, in several, or as a run."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from google.longrunning import operations_pb2

from sengoku._core import Cancel
from sengoku.client._channel import Deadline
from sengoku.client._flow import Call, Flow, method
from sengoku.client.catalog import CatalogApi
from sengoku.client.runs import RunsApi, RunT, check_range
from sengoku.engine.games import Setup
from sengoku.engine.pacing import Pacing
from sengoku.engine.progress import Progress, watching
from sengoku.engine.report import MatchReport
from sengoku.engine.requests import RunRequest
from sengoku.engine.survey import Survey, scenario_runs
from sengoku.errors import SengokuError, UnknownMethodError
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.simulation import report_from_proto, run_to_proto

_FIRST_CHUNK = 64
"""Matches of the first call if the caller shows progress."""
_CHUNK_SECONDS = 2.0
"""Target duration of each such call."""
_CLEANUP_SECONDS = 5.0
"""Timeout of each step that removes an abandoned run from the server."""


class SimulationApi(CatalogApi, RunsApi[RunT]):
    """The methods of a client that play matches between bots."""

    @method
    def run_scenarios(
        self,
        /,
        game: str,
        *,
        match_count: int,
        setup: Mapping[str, Any] | None = None,
        progress: bool | Progress | None = None,
        **options: Any,
    ) -> Flow[Survey]:
        """Play matches of the server's bots in every scenario of a game, like `sengoku.run_scenarios`."""
        known = yield CatalogApi.scenarios.__wrapped__(self, game)
        reports: list[MatchReport] = []
        with watching(progress) as notify:
            for part in scenario_runs(known, match_count=match_count, setup=setup, told=notify):
                report = yield from SimulationApi.run_matches.__wrapped__(self, **part, **options)
                reports.append(report)
        return Survey(tuple(known), tuple(reports))

    @method
    def run_matches(
        self,
        game: str,
        *,
        bots: Iterable[str],
        seats: int | None = None,
        match_count: int,
        first_match: int = 0,
        seed: int = 0,
        setup: Setup = None,
        threads: int = 0,
        progress: bool | Progress | None = None,
        cancel: Cancel | None = None,
        timeout: float | None = None,
    ) -> Flow[MatchReport]:
        """Play matches between the server's bots, like `sengoku.run_matches` and with the same report.

        If there are more matches than the server plays in one call, they are played as a run (see
        `start_run`), which is deleted after its report is read. With `progress`, smaller numbers are split
        into several calls. `timeout` applies to all calls together.
        """
        matches = RunRequest.create(
            game,
            bots=bots,
            seats=seats,
            match_count=match_count,
            first_match=first_match,
            seed=seed,
            setup=setup,
        )
        request = run_to_proto(matches, threads)
        check_range(request)
        deadline = self._deadline(timeout)
        version = yield CatalogApi.version.__wrapped__(self, timeout=deadline.left)
        most = version["limits"].get("matches", request.match_count)
        with watching(progress) as notify:
            if request.match_count > most:
                with suppress(UnknownMethodError):  # servers without runs
                    return (yield from self._play_as_run(request, deadline, notify, cancel))
            return (yield from _play_in_chunks(request, most, deadline, notify, cancel))

    def _play_as_run(
        self,
        request: pb2.RunMatchesRequest,
        deadline: Deadline,
        notify: Progress | None,
        cancel: Cancel | None,
    ) -> Flow[MatchReport]:
        """Play matches as a run on the server, and delete the run."""
        start = pb2.StartRunRequest(run=request, request_id=uuid.uuid4().hex)
        start.run.threads = 0  # chosen by the server
        run = yield Call(start, self._run_of, deadline.left, cancel)
        try:
            yield from run._until_over(deadline, notify, cancel)
            run.status.check()
            report: MatchReport = yield from run._read_report(deadline)
        except GeneratorExit:
            raise  # the event loop is gone, no more calls are possible
        except BaseException:
            with suppress(SengokuError):
                yield from run._abandon(_CLEANUP_SECONDS)
            raise
        yield Call(operations_pb2.DeleteOperationRequest(name=run.name), timeout=_CLEANUP_SECONDS)
        return report


def _play_in_chunks(
    request: pb2.RunMatchesRequest,
    most: int,
    deadline: Deadline,
    notify: Progress | None,
    cancel: Cancel | None,
) -> Flow[MatchReport]:
    """Play matches in as few calls as possible, or, to show progress, in calls of similar duration."""
    responses: list[pb2.RunMatchesResponse] = []
    counts: list[int] = []
    done, total = 0, request.match_count
    pacing = Pacing(_CHUNK_SECONDS, most if notify is None else min(most, _FIRST_CHUNK), most=most)
    while done < total:
        count = min(pacing.size, total - done)
        part = pb2.RunMatchesRequest()
        part.CopyFrom(request)
        part.first_match, part.match_count = request.first_match + done, count
        start = time.monotonic()
        responses.append((yield Call(part, timeout=deadline.left, cancel=cancel)))
        counts.append(count)
        done += count
        if notify is not None:
            notify(done, total)
            pacing.update(count, time.monotonic() - start)
    return report_from_proto(request, responses, counts)
