"""TournamentService: tournaments on a server."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

from sengoku._core import Cancel
from sengoku.client._channel import Deadline
from sengoku.client._flow import Api, AsyncMethods, BlockingMethods, Call, Flow, Sleep, method, read_stream
from sengoku.client._jobs import PAUSE_SECONDS, Job, read_pages, request_id_or_new
from sengoku.engine.games import read_text
from sengoku.engine.match import Match
from sengoku.errors import DeadlineError
from sengoku.tournament.results import TournamentMatch
from sengoku.tournament.standings import Table
from sengoku.tournament.status import TournamentStatus
from sengoku.v1 import tournament_service_pb2 as pb2
from sengoku.wire.tournaments import (
    tournament_match_from_proto,
    tournament_name_to_proto,
    tournament_status_from_proto,
    tournament_table_from_proto,
)
from sengoku.wire.values import text_to_proto

TournamentT = TypeVar("TournamentT")


class TournamentsApi(Api, Generic[TournamentT]):
    """The methods of a client for tournaments."""

    _tournament: Any
    """The class of a tournament."""

    def _tournament_of(self, message: pb2.Tournament) -> TournamentT:
        created: TournamentT = self._tournament(self, tournament_status_from_proto(message))
        return created

    @method
    def create_tournament(
        self, spec: str | Path, *, request_id: str | None = None, timeout: float | None = None
    ) -> Call[TournamentT]:
        """Start a tournament on the server; it continues even if the client disconnects.

        `spec` is a tournament file: its path, or its text. A second call with the same `request_id` returns
        the tournament of the first. Without one, each call gets a new id, so that a call that is retried
        starts only one tournament.

        >>> from sengoku import Client
        >>> from sengoku.server import Server
        >>> spec = '''
        ... bots = [{name = "greedy"}, {name = "random"}]
        ... games = [{game = "battles", scenarios = [1], blocks = 4}]
        ... seed = 7
        ... '''
        >>> with Server(port=0) as server, Client(server.address) as client:
        ...     tournament = client.create_tournament(spec)
        ...     status = tournament.wait()
        ...     status.matches_done, [row[1] for row in tournament.standings()[0].rows]
        (8, ['greedy', 'random'])
        """
        is_text = isinstance(spec, str) and ("\n" in spec or "=" in spec)
        text = str(spec) if is_text else read_text("spec", Path(spec))
        request = pb2.CreateTournamentRequest(
            spec_toml=text_to_proto("spec", text), request_id=request_id_or_new(request_id)
        )
        return Call(request, lambda response: self._tournament_of(response.tournament), timeout)

    @method
    def tournament(self, name: str, *, timeout: float | None = None) -> Call[TournamentT]:
        """Return an existing tournament by name."""
        request = pb2.GetTournamentRequest(name=tournament_name_to_proto(name))
        return Call(request, lambda response: self._tournament_of(response.tournament), timeout)

    @method
    def tournaments(self, *, timeout: float | None = None) -> Flow[list[TournamentT]]:
        """List the tournaments that this client may see, newest first, however many pages it takes."""
        found = yield from read_pages(
            pb2.ListTournamentsRequest(),
            lambda page: map(self._tournament_of, page.tournaments),
            self._deadline(timeout),
        )
        return found


class _TournamentMethods(Job[TournamentStatus, TournamentStatus]):
    """The methods that `RemoteTournament` and `AsyncRemoteTournament` share."""

    _get = pb2.GetTournamentRequest
    _watch = pb2.WatchTournamentRequest
    _delete = pb2.DeleteTournamentRequest

    def _update(self, response: Any) -> TournamentStatus:
        watched = isinstance(response, pb2.WatchTournamentResponse) and response.HasField("standings")
        standings = response.standings if watched else None
        self._status = tournament_status_from_proto(response.tournament, standings)
        return self._status

    @property
    def _progress(self) -> tuple[int, int]:
        return self._status.matches_done, self._status.matches_due

    def _wait_once(
        self, deadline: Deadline, update: Callable[[Any], None], cancel: Cancel | None, *, often: bool
    ) -> Flow[None]:
        del often  # the server sends every change
        with suppress(DeadlineError):  # of the client or of the server: the caller checks which
            yield from read_stream(self._request(self._watch), update, deadline.left, cancel)
        if not self._status.over and deadline.left > 0:
            yield Sleep(PAUSE_SECONDS)

    @method
    def standings(self, *, timeout: float | None = None) -> Call[list[Table]]:
        """Return all tables that are not empty, like `Tables.all`; the first one contains the standings."""

        def decode(response: pb2.GetStandingsResponse) -> list[Table]:
            self._update(response)
            return [tournament_table_from_proto(table) for table in response.tables]

        return Call(pb2.GetStandingsRequest(name=self.name), decode, timeout)

    @method
    def table(self, format: str = "md", *, timeout: float | None = None) -> Call[str]:  # noqa: A002 - the usual name
        """Return the tables as text (md, csv, json or html), byte for byte as in process."""

        def decode(response: pb2.GetStandingsResponse) -> str:
            self._update(response)
            return response.text

        request = pb2.GetStandingsRequest(name=self.name, format=text_to_proto("format", format))
        return Call(request, decode, timeout)

    @method
    def matches(self, *, timeout: float | None = None) -> Flow[list[tuple[str, TournamentMatch]]]:
        """Return the name, for `replay`, and the result of every match so far, like `Record.matches`."""
        found = yield from read_pages(
            pb2.ListTournamentMatchesRequest(name=self.name),
            lambda page: map(tournament_match_from_proto, page.matches),
            self._deadline(timeout),
        )
        return found

    @method
    def replay(self, match: str, *, timeout: float | None = None) -> Call[Match]:
        """Return a finished match, like `Record.replay`; its `replay()` is the text for other readers.

        If players take part, replays are available only after the end of the tournament.
        """
        request = pb2.GetTournamentReplayRequest(name=self.name, match=text_to_proto("match", match))
        return Call(request, lambda response: Match.from_replay(response.replay), timeout)

    @method
    def cancel(self, *, timeout: float | None = None) -> Call[TournamentStatus]:
        """Stop the tournament; finished matches are kept, and `resume` continues it."""
        return Call(pb2.CancelTournamentRequest(name=self.name), self._update, timeout)

    @method
    def resume(self, *, timeout: float | None = None) -> Call[TournamentStatus]:
        """Continue a tournament that was cancelled or failed."""
        return Call(pb2.ResumeTournamentRequest(name=self.name), self._update, timeout)

    def __repr__(self) -> str:
        status = self._status
        done = f"{status.matches_done:,} of {status.matches_due:,} matches"
        return f"<{type(self).__name__} {self.name} {status.title!r}: {status.state}, {done}>"


class RemoteTournament(_TournamentMethods, BlockingMethods):
    """A tournament on a server; it continues whether or not a client waits for it.

    `Client.create_tournament` starts one, `Client.tournament` and `Client.tournaments` find existing ones.
    """


class AsyncRemoteTournament(_TournamentMethods, AsyncMethods):
    """A `RemoteTournament` for an `AsyncClient`: methods are awaited, `watch` is an async iterator."""
