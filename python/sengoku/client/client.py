"""The SDK: asks a server what the engine answers in process, and gives the same answers.

What can be asked is in `calls`, `remote` and its neighbours have the matches, towers, runs, environments and
tournaments of a server, and `doors` knows how calls are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypedDict, overload

from sengoku import battles as strikes
from sengoku import swords, tower
from sengoku.client._flow import AsyncDoor, Awaited, Blocking, Connection, Door, Tls
from sengoku.client.calls import Calls
from sengoku.client.environments import AsyncRemoteBatchEnv, RemoteBatchEnv
from sengoku.client.remote import (
    AsyncRemoteCubeTower,
    AsyncRemoteMatch,
    AsyncRemoteRun,
    RemoteCubeTower,
    RemoteMatch,
    RemoteRun,
)
from sengoku.client.tournaments import AsyncRemoteTournament, RemoteTournament
from sengoku.engine.match import Picture, Sketch
from sengoku.errors import ArgumentError

if TYPE_CHECKING:
    from typing import Unpack

__all__ = ["AsyncClient", "Client", "Tls"]


class _BatchOptions(TypedDict, total=False):
    method: str
    samples: int
    max_error: float | None
    seed: int
    timeout: float | None


class Client(Calls[RemoteMatch, RemoteCubeTower, RemoteRun, RemoteBatchEnv, RemoteTournament], Blocking):
    """A connection to a server.

    `timeout` is how many seconds a call may take if it does not say so itself. A call that reached nobody is
    sent up to `retries` times more, later each time, but only where nothing can happen twice, and not beyond
    its time. `tls` is True for a server whose certificate everybody trusts, or the files to trust and to be
    trusted by. `token` is what the server knows us by; it goes over a connection without TLS only within this
    machine, unless `allow_insecure_token` says otherwise. Every `keepalive` seconds a call that waits looks
    whether the server is still there.

    >>> from sengoku.server import Server
    >>> from sengoku.swords import Battle, Force
    >>> duel = Battle(Force(spear=1), Force(spear=1))
    >>> with Server(port=0) as server, Client(server.address) as client:
    ...     client.exact(duel) == duel.exact()
    True
    """

    _door: Door
    _match, _tower, _run = RemoteMatch, RemoteCubeTower, RemoteRun
    _env, _tournament = RemoteBatchEnv, RemoteTournament

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
        how = Connection(target, timeout, retries, tls, token, allow_insecure_token, keepalive)
        self._door = Door(how)

    def close(self) -> None:
        """Ends the connection."""
        self._door.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
    Calls[AsyncRemoteMatch, AsyncRemoteCubeTower, AsyncRemoteRun, AsyncRemoteBatchEnv, AsyncRemoteTournament],
    Awaited,
):
    """The same as `Client` for programs with an event loop: the same methods and answers, awaited.

    What a `Client` iterates over is an async iterator here, and a property that asks the server is awaited
    too. A client belongs to the event loop in which it first calls.

    >>> import asyncio
    >>> from sengoku.server import Server
    >>> from sengoku.swords import Battle, Force
    >>> duels = [Battle(Force(spear=1), Force(spear=number)) for number in (1, 2, 3)]
    >>> async def ask(address):
    ...     async with AsyncClient(address) as client:
    ...         return await asyncio.gather(*(client.exact(duel) for duel in duels))
    >>> with Server(port=0) as server:
    ...     asyncio.run(ask(server.address)) == [duel.exact() for duel in duels]
    True
    """

    _door: AsyncDoor
    _match, _tower, _run = AsyncRemoteMatch, AsyncRemoteCubeTower, AsyncRemoteRun
    _env, _tournament = AsyncRemoteBatchEnv, AsyncRemoteTournament

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
        how = Connection(target, timeout, retries, tls, token, allow_insecure_token, keepalive)
        self._door = AsyncDoor(how)

    async def close(self) -> None:
        """Ends the connection."""
        await self._door.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _look(self, name: str, game: str, timeout: float | None) -> Callable[[], tuple[Picture, Sketch]]:
        def look() -> tuple[Picture, Sketch]:
            message = f"scenario {name} of {game} has no pictures in a list: await client.scenario({name!r})"
            raise ArgumentError(message, {"field": "scenario", "value": name, "timeout": str(timeout)})

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
