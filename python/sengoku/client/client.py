"""The clients: all service modules put together, blocking and for event loops."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypedDict, overload

from google.protobuf.message import Message

from sengoku import battles as strikes
from sengoku import swords, tower
from sengoku.client._channel import Connection, Tls, rpc_of
from sengoku.client._drivers import AsyncDriver, SyncDriver
from sengoku.client._flow import AsyncClosing, Call, Closing, Flow, Open, method
from sengoku.client.analyses import AnalysesApi, AnalysisT, AsyncRemoteAnalysis, RemoteAnalysis
from sengoku.client.environments import AsyncRemoteBatchEnv, EnvironmentsApi, EnvT, RemoteBatchEnv
from sengoku.client.match_methods import MatchT
from sengoku.client.matches import AsyncRemoteMatch, MatchesApi, RemoteMatch
from sengoku.client.odds import OddsApi
from sengoku.client.players import PlayersApi
from sengoku.client.runs import AsyncRemoteRun, RemoteRun, RunT
from sengoku.client.simulation import SimulationApi
from sengoku.client.tournaments import AsyncRemoteTournament, RemoteTournament, TournamentsApi, TournamentT
from sengoku.client.tower import AsyncRemoteCubeTower, RemoteCubeTower, TowerApi, TowerT
from sengoku.engine.pictures import Picture, Sketch
from sengoku.errors import ArgumentError

if TYPE_CHECKING:
    from typing import Unpack


class _BatchOptions(TypedDict, total=False):
    method: str
    samples: int
    max_error: float | None
    seed: int
    timeout: float | None


class _ClientMethods(
    OddsApi,
    TowerApi[TowerT],
    SimulationApi[RunT],
    TournamentsApi[TournamentT],
    AnalysesApi[AnalysisT],
    PlayersApi,
    EnvironmentsApi[EnvT],
    MatchesApi[MatchT],
    Generic[MatchT, TowerT, RunT, EnvT, TournamentT, AnalysisT],
):
    """The methods that `Client` and `AsyncClient` share."""

    _driver_class: type[SyncDriver | AsyncDriver]

    def __init__(
        self,
        target: str = "localhost:50051",
        *,
        timeout: float | None = None,
        retries: int = 3,
        tls: bool | Tls = False,
        token: str | None = None,
        allow_insecure_token: bool = False,
        keepalive: float | None = 60.0,
    ) -> None:
        connection = Connection(target, timeout, retries, tls, token, allow_insecure_token, keepalive)
        self._driver = self._driver_class(connection)

    @method
    def ask(self, request: Message, *, timeout: float | None = None) -> Flow[Any]:
        """Send any request message to the method that takes it, and return the response message."""
        streaming = rpc_of(request).server_streaming
        response = yield Open(request, timeout) if streaming else Call(request, timeout=timeout)
        return response


class Client(
    _ClientMethods[RemoteMatch, RemoteCubeTower, RemoteRun, RemoteBatchEnv, RemoteTournament, RemoteAnalysis],
    Closing,
):
    """A connection to a server.

    `timeout` is the default number of seconds that a call may take. A call that does not reach the server is
    sent up to `retries` times more, with increasing pauses, but only if repeating it is safe and not beyond
    its timeout. `tls` is True for a server with a publicly trusted certificate, or a `Tls` with files.
    `token` identifies the client; without TLS it is only sent to this machine, unless `allow_insecure_token`
    is set. Every `keepalive` seconds a waiting call checks that the connection is alive.

    >>> from sengoku.server import Server
    >>> from sengoku.swords import Battle, Force
    >>> duel = Battle(Force(spear=1), Force(spear=1))
    >>> with Server(port=0) as server, Client(server.address) as client:
    ...     client.exact(duel) == duel.exact()
    True
    """

    _driver_class = SyncDriver
    _match, _tower, _run = RemoteMatch, RemoteCubeTower, RemoteRun
    _env, _tournament, _analysis = RemoteBatchEnv, RemoteTournament, RemoteAnalysis

    def close(self) -> None:
        """Close the connection."""
        self._driver.close()

    def _look(self, name: str, game: str, timeout: float | None) -> Callable[[], tuple[Picture, Sketch]]:
        return lambda: self.scenario(name, game, timeout=timeout).look()

    if TYPE_CHECKING:

        @overload
        def batch_odds(
            self, battles: Iterable[swords.Battle], **options: Unpack[_BatchOptions]
        ) -> swords.BatchOdds: ...
        @overload
        def batch_odds(
            self, battles: Iterable[tower.Clash], **options: Unpack[_BatchOptions]
        ) -> tower.BatchOdds: ...
        @overload
        def batch_odds(
            self, battles: Iterable[strikes.Strike], **options: Unpack[_BatchOptions]
        ) -> strikes.BatchOdds: ...
        def batch_odds(self, battles: Iterable[Any], **options: Any) -> Any: ...  # noqa: D102


class AsyncClient(
    _ClientMethods[
        AsyncRemoteMatch,
        AsyncRemoteCubeTower,
        AsyncRemoteRun,
        AsyncRemoteBatchEnv,
        AsyncRemoteTournament,
        AsyncRemoteAnalysis,
    ],
    AsyncClosing,
):
    """A `Client` for programs with an event loop: the same methods and results, awaited.

    Iterators are async iterators, and properties that call the server are awaited, too. A client belongs to
    the event loop of its first call.

    >>> import asyncio
    >>> from sengoku.server import Server
    >>> from sengoku.swords import Battle, Force
    >>> duels = [Battle(Force(spear=1), Force(spear=number)) for number in (1, 2, 3)]
    >>> async def evaluate(address):
    ...     async with AsyncClient(address) as client:
    ...         return await asyncio.gather(*(client.exact(duel) for duel in duels))
    >>> with Server(port=0) as server:
    ...     asyncio.run(evaluate(server.address)) == [duel.exact() for duel in duels]
    True
    """

    _driver_class = AsyncDriver
    _match, _tower, _run = AsyncRemoteMatch, AsyncRemoteCubeTower, AsyncRemoteRun
    _env, _tournament, _analysis = AsyncRemoteBatchEnv, AsyncRemoteTournament, AsyncRemoteAnalysis

    async def close(self) -> None:
        """Close the connection."""
        await self._driver.close()

    def _look(self, name: str, game: str, timeout: float | None) -> Callable[[], tuple[Picture, Sketch]]:
        def look() -> tuple[Picture, Sketch]:
            message = f"listed scenarios of an AsyncClient have no pictures: await client.scenario({name!r})"
            details = {"field": "scenario", "value": name, "game": game, "timeout": str(timeout)}
            raise ArgumentError(message, details)

        return look

    if TYPE_CHECKING:

        @overload
        async def batch_odds(
            self, battles: Iterable[swords.Battle], **options: Unpack[_BatchOptions]
        ) -> swords.BatchOdds: ...
        @overload
        async def batch_odds(
            self, battles: Iterable[tower.Clash], **options: Unpack[_BatchOptions]
        ) -> tower.BatchOdds: ...
        @overload
        async def batch_odds(
            self, battles: Iterable[strikes.Strike], **options: Unpack[_BatchOptions]
        ) -> strikes.BatchOdds: ...
        async def batch_odds(self, battles: Iterable[Any], **options: Any) -> Any: ...  # noqa: D102
