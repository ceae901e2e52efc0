"""AnalysisService: analyses of matches on a server."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

from sengoku._core import Cancel
from sengoku.client._channel import Deadline
from sengoku.client._flow import Api, AsyncMethods, BlockingMethods, Call, Flow, Sleep, method, read_stream
from sengoku.client._jobs import PAUSE_SECONDS, Job, request_id_or_new
from sengoku.engine.analysis import MatchAnalysis
from sengoku.engine.analysis_status import AnalysisStatus
from sengoku.engine.match import Match
from sengoku.errors import DeadlineError, DecodeError
from sengoku.v1 import analysis_service_pb2 as pb2
from sengoku.wire.analyses import analyse_to_proto, analysis_name_to_proto, analysis_status_from_proto
from sengoku.wire.values import text_to_proto

AnalysisT = TypeVar("AnalysisT")


class AnalysesApi(Api, Generic[AnalysisT]):
    """The methods of a client for analyses."""

    _analysis: Any
    """The class of an analysis."""

    def _analysis_of(self, message: pb2.MatchAnalysis) -> AnalysisT:
        created: AnalysisT = self._analysis(self, analysis_status_from_proto(message))
        return created

    def _start(
        self, source: dict[str, Any], request_id: str | None, timeout: float | None, **options: Any
    ) -> Call[AnalysisT]:
        request = analyse_to_proto(source, request_id_or_new(request_id), **options)
        return Call(request, lambda response: self._analysis_of(response.analysis), timeout)

    @method
    def start_analysis(
        self,
        match: Match | str,
        *,
        iterations: int | None = None,
        luck: int | None = None,
        cards: str = "seat",
        seat: int | None = None,
        seed: int = 0,
        horizon: int | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Call[AnalysisT]:
        """Start the analysis of a match, or of the text of a replay, on the server, like `Match.analyse`.

        It continues even if the client disconnects. A second call with the same `request_id` returns the
        analysis of the first; without one, each call gets a new id.

        >>> from sengoku import Client
        >>> from sengoku.server import Server
        >>> match = Match.create("battles", seed=7, setup={"scenario": 8})
        >>> match.play(match.legal_actions()[0])
        >>> with Server(port=0) as server, Client(server.address) as client:
        ...     found = client.start_analysis(match, iterations=8)
        ...     found.wait().state, found.result() == match.analyse(iterations=8)
        ('succeeded', True)
        """
        source: dict[str, Any]
        source = (
            {"data": match.save()} if isinstance(match, Match) else {"replay": text_to_proto("match", match)}
        )
        return self._start(
            source,
            request_id,
            timeout,
            iterations=iterations,
            luck=luck,
            cards=cards,
            seat=seat,
            seed=seed,
            horizon=horizon,
        )

    @method
    def analysis(self, name: str, *, timeout: float | None = None) -> Call[AnalysisT]:
        """Return an existing analysis by name."""
        request = pb2.GetAnalysisRequest(name=analysis_name_to_proto(name))
        return Call(request, lambda response: self._analysis_of(response.analysis), timeout)


class _AnalysisMethods(Job[AnalysisStatus, AnalysisStatus]):
    """The methods that `RemoteAnalysis` and `AsyncRemoteAnalysis` share."""

    _get = pb2.GetAnalysisRequest
    _watch = pb2.WatchAnalysisRequest
    _delete = pb2.DeleteAnalysisRequest

    def _update(self, response: Any) -> AnalysisStatus:
        self._status = analysis_status_from_proto(response.analysis)
        return self._status

    @property
    def _progress(self) -> tuple[int, int]:
        return self._status.decisions_done, self._status.decisions

    def _wait_once(
        self, deadline: Deadline, update: Callable[[Any], None], cancel: Cancel | None, *, often: bool
    ) -> Flow[None]:
        del often  # the server sends every change
        with suppress(DeadlineError):  # of the client or of the server: the caller checks which
            yield from read_stream(self._request(self._watch), update, deadline.left, cancel)
        if not self._status.over and deadline.left > 0:
            yield Sleep(PAUSE_SECONDS)

    @method
    def result(self, *, timeout: float | None = None) -> Flow[MatchAnalysis]:
        """Return what is done so far; once the analysis has succeeded, it equals that in process."""
        found = yield from self._read(timeout)
        return found

    def _read(self, timeout: float | None) -> Flow[MatchAnalysis]:
        parts: list[bytes] = []

        def take(response: pb2.ReadAnalysisResponse) -> None:
            parts.append(response.data)

        yield from read_stream(pb2.ReadAnalysisRequest(name=self.name), take, timeout)
        try:
            text = b"".join(parts).decode()
        except UnicodeDecodeError as error:
            raise DecodeError("not an analysis: not UTF-8 text", {"field": "analysis"}) from error
        return MatchAnalysis.from_json(text)

    @method
    def cancel(self, *, timeout: float | None = None) -> Call[AnalysisStatus]:
        """Stop the analysis; what is done is kept, and `resume` continues it."""
        return Call(pb2.CancelAnalysisRequest(name=self.name), self._update, timeout)

    @method
    def resume(self, *, timeout: float | None = None) -> Call[AnalysisStatus]:
        """Continue an analysis that was cancelled or failed; its result is that of an uninterrupted one."""
        return Call(pb2.ResumeAnalysisRequest(name=self.name), self._update, timeout)

    def __repr__(self) -> str:
        status = self._status
        done = f"{status.decisions_done:,} of {status.decisions:,} decisions"
        return f"<{type(self).__name__} {self.name} of {status.game}: {status.state}, {done}>"


class RemoteAnalysis(_AnalysisMethods, BlockingMethods):
    """An analysis on a server; it continues whether or not a client waits for it.

    `Client.start_analysis` and `RemoteMatch.start_analysis` start one, `Client.analysis` finds it again.
    """


class AsyncRemoteAnalysis(_AnalysisMethods, AsyncMethods):
    """A `RemoteAnalysis` for an `AsyncClient`: methods are awaited, `watch` is an async iterator."""
