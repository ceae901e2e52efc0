"""Tournaments on a server, with the tables and matches of those in this process."""

from __future__ import annotations

import math
from typing import Any

from sengoku._core import Cancel
from sengoku.client._flow import (
    Ask,
    Awaited,
    Blocking,
    Gifts,
    Give,
    Next,
    Patience,
    Sleep,
    Steps,
    Stream,
    ask,
    asked,
    given,
)
from sengoku.client.remote import Away, Remote
from sengoku.engine.match import Match
from sengoku.engine.progress import Progress, watching
from sengoku.errors import DeadlineError, SengokuError
from sengoku.tournament.results import TournamentMatch
from sengoku.tournament.standings import Table
from sengoku.tournament.status import TournamentStatus
from sengoku.v1 import tournament_service_pb2 as pb2
from sengoku.wire import convert

__all__ = ["AsyncRemoteTournament", "RemoteTournament"]

_PAGE = 1000
"""Matches of one page of their list."""
_PAUSE_SECONDS = 0.25
"""How long a server that tells no more is left alone."""


class _TournamentCalls(Remote[Any]):
    """The methods that `RemoteTournament` and `AsyncRemoteTournament` share."""

    def __init__(self, client: Any, status: TournamentStatus) -> None:
        self._client = client
        self._status = status

    @property
    def name(self) -> str:
        """How the server names the tournament, for `Client.tournament`."""
        return self._status.name

    @property
    def status(self) -> TournamentStatus:
        """How the tournament was when the server was last asked about it; `metadata` asks."""
        return self._status

    def _note(
        self, message: pb2.Tournament, standings: pb2.TournamentTable | None = None
    ) -> TournamentStatus:
        self._status = convert.tournament_status_from_proto(message, standings)
        return self._status

    @asked
    def metadata(self, *, timeout: float | None = None) -> Steps[TournamentStatus]:
        """Asks how the tournament is getting on."""
        response: pb2.GetTournamentResponse = yield from ask(
            pb2.GetTournamentRequest(name=self.name), timeout
        )
        return self._note(response.tournament)

    @given
    def watch(self) -> Gifts[TournamentStatus]:
        """Tells how the tournament is getting on and stands: at once, when something is new, at its end."""
        away = Away(Patience(None))
        request = pb2.WatchTournamentRequest(name=self.name)
        while True:
            stream: Stream = yield Ask(request, math.inf)
            try:
                while (message := (yield Next(stream))) is not None:
                    away.back()
                    told = message.standings if message.HasField("standings") else None
                    yield Give(self._note(message.tournament, told))
            except SengokuError as error:
                yield from away.bear(error)
            else:
                if self._status.over:
                    return
                yield Sleep(_PAUSE_SECONDS)  # a server that tells no more, but not because all is told
            finally:
                stream.close()

    @asked
    def wait(
        self,
        timeout: float | None = None,
        *,
        progress: bool | Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Steps[TournamentStatus]:
        """Waits until the tournament is over, or raises what ended it before its time.

        Without `timeout` it waits as long as it takes; the tournament goes on when nobody waits any more.
        `progress` is True for a bar, or a function of matches done and matches due. A server that is started
        anew meanwhile is waited for.
        """
        patience = Patience(timeout)
        away = Away(patience)
        request = pb2.WatchTournamentRequest(name=self.name)
        with watching(progress) as told:
            while True:
                try:
                    yield from self._until_over(request, patience, away, told, cancel)
                except DeadlineError:
                    pass  # ours or the server's; which of both is seen below
                except SengokuError as error:
                    yield from away.bear(error)
                    continue
                if self._status.over:
                    return self._status.check()
                if patience.left <= 0:
                    raise DeadlineError(f"{self.name} is not over yet, it goes on", {"name": self.name})
                yield Sleep(_PAUSE_SECONDS)

    def _until_over(
        self,
        request: pb2.WatchTournamentRequest,
        patience: Patience,
        away: Away,
        told: Progress | None,
        cancel: Cancel | None,
    ) -> Steps[None]:
        stream: Stream = yield Ask(request, patience.left, cancel)
        try:
            while (message := (yield Next(stream, cancel))) is not None:
                away.back()
                status = self._note(
                    message.tournament, message.standings if message.HasField("standings") else None
                )
                if told is not None:
                    told(status.matches_done, status.matches_due)
        finally:
            stream.close()

    @asked
    def standings(self, *, timeout: float | None = None) -> Steps[list[Table]]:
        """Gives every table that has something to say, as `Tables.all` does; the first has the standings."""
        request = pb2.GetStandingsRequest(name=self.name)
        response: pb2.GetStandingsResponse = yield from ask(request, timeout)
        self._note(response.tournament)
        return [convert.tournament_table_from_proto(table) for table in response.tables]

    @asked
    def table(self, format: str = "md", *, timeout: float | None = None) -> Steps[str]:  # noqa: A002 - that is what it is
        """Gives the tables as a text: md, csv, json or html, the same bytes as in process."""
        request = pb2.GetStandingsRequest(name=self.name, format=convert.text_to_proto("format", format))
        response: pb2.GetStandingsResponse = yield from ask(request, timeout)
        self._note(response.tournament)
        return response.text

    @asked
    def matches(self, *, timeout: float | None = None) -> Steps[list[tuple[str, TournamentMatch]]]:
        """Gives every match so far with the name that `replay` knows it by, as `Record.matches` does."""
        patience = Patience(self._door.connection.timeout if timeout is None else timeout)
        request = pb2.ListTournamentMatchesRequest(name=self.name, page_size=_PAGE)
        found: list[tuple[str, TournamentMatch]] = []
        while True:
            page: pb2.ListTournamentMatchesResponse = yield from ask(request, patience.left)
            found += [convert.tournament_match_from_proto(match) for match in page.matches]
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token

    @asked
    def replay(self, match: str, *, timeout: float | None = None) -> Steps[Match]:
        """Gives a match as it was played, as `Record.replay` does; its `replay()` is a text for everybody.

        Where players take part there is none before the tournament has come to its end.
        """
        request = pb2.GetTournamentReplayRequest(name=self.name, match=convert.text_to_proto("match", match))
        response: pb2.GetTournamentReplayResponse = yield from ask(request, timeout)
        return Match.from_replay(response.replay)

    @asked
    def cancel(self, *, timeout: float | None = None) -> Steps[TournamentStatus]:
        """Stops the tournament; what is played stays, and `resume` goes on with it."""
        request = pb2.CancelTournamentRequest(name=self.name)
        response: pb2.CancelTournamentResponse = yield from ask(request, timeout)
        return self._note(response.tournament)

    @asked
    def resume(self, *, timeout: float | None = None) -> Steps[TournamentStatus]:
        """Goes on with a tournament that was stopped or failed."""
        request = pb2.ResumeTournamentRequest(name=self.name)
        response: pb2.ResumeTournamentResponse = yield from ask(request, timeout)
        return self._note(response.tournament)

    @asked
    def delete(self, *, timeout: float | None = None) -> Steps[None]:
        """Lets the server forget the tournament, which must be over, and its matches."""
        yield from ask(pb2.DeleteTournamentRequest(name=self.name), timeout)

    def __repr__(self) -> str:
        status = self._status
        done = f"{status.matches_done:,} of {status.matches_due:,} matches"
        return f"<{type(self).__name__} {self.name} {status.title!r}: {status.state}, {done}>"


class RemoteTournament(_TournamentCalls, Blocking):
    """A tournament on a server, which goes on whatever becomes of the client.

    `Client.create_tournament` begins one, `Client.tournament` and `Client.tournaments` find those that were
    begun.
    """


class AsyncRemoteTournament(_TournamentCalls, Awaited):
    """The same for an `AsyncClient`: methods are awaited, `watch` is an async iterator."""
